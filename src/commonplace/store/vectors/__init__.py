"""Vectors: the ways to find those nearest to a question, behind one port. numpy is imported only in this room.

May import: no other room.
"""
