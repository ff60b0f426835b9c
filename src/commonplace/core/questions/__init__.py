"""A question read: its days, its entities, what it asks for, its parts, and the terms to look up.

May import: `documents`, `entities`, `extract`, `text`, `when`.
"""
