"""Keeps the index up to date: which files changed, what they contain now, and which files are missing.

May import: no other room.
"""
