"""Facts out of narrative: which lines are worth keeping, of what kind, from logs, notes and sessions.

May import: `documents`, `entities`, `markdown`, `secrets`, `text`, `when`.
"""
