"""Markdown as text: its structure, edits and merges by lines, and our regions in pages that people also edit.

May import: `secrets`, `text`.
"""
