"""The fleet: the shared index rows of many workspaces in PostgreSQL, by tenant. Derived like the index, and disposable.

May import: `fs`, `sqlite`, `vectors`.
"""
