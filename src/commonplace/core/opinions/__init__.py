"""Opinions: read and written on pages, formed from facts, their confidence computed from evidence.

May import: `documents`, `entities`, `markdown`, `stance`, `text`, `when`.
"""
