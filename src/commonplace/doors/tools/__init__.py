"""The tools that programs and models call, with their answers, long and short.

May import: `cli`, `shared`, `table`.
"""
