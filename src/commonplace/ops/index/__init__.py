"""The index brought up to date: which files changed, what it shall hold of them instead, and which files are missing.

May import: no other room.
"""
