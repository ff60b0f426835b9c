"""The command line: words to one call on `Memory`, its answer to text or JSON.

May import: `answers`, `shared`, `table`.
"""
