"""Changes of many files as one: all or nothing across a crash, with backups, and removed for good where that is asked.

May import: `fs`.
"""
