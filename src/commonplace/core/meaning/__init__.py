"""Meaning: what of a line is embedded, and how close to a question a line must be to count.

May import: `markdown`, `recall`, `text`.
"""
