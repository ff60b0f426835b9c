"""Vectors of passages on the disk, and which of them are nearest to a question. Everything here can be made again.

May import: `fs`.
"""
