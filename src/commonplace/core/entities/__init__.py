"""Entities: which names lines use and which are known, how names compare, and how two entities become one.

May import: `documents`, `markdown`, `text`.
"""
