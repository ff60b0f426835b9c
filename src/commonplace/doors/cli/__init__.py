"""The command line: words to calls on `Memory` (usually one), their answer to text or JSON.

May import: `answers`, `shared`, `table`.
"""
