"""What a text would give away: keys, passwords and numbers, how a write is guarded, and how they are masked.

May import: `text`.
"""
