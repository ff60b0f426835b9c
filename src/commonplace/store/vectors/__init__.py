"""Vectors of passages on the disk, and the ways to find those nearest to a question. All of it can be made again.

May import: `embedders`, `fs`.
"""
