"""Reflect: pages renewed from facts, what waits for a person, and what answers do.

May import: `beliefs`, `quotes`, `write`.
"""
