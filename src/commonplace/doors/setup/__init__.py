"""Which clients are connected, and their configuration files, edited with every other byte kept.

May import: `shared`, `table`.
"""
