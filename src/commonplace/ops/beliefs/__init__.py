"""Opinions from facts and pages; which facts are superseded, which files unreadable, and what must not be repeated.

May import: no other room.
"""
