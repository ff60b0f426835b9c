"""Which rows of the days that a question asks about are read, and what they are worth.

May import: no other room.
"""
