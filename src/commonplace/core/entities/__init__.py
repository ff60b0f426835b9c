"""Entities: how names compare, which names may be one entity, and how two pages become one.

May import: `documents`, `markdown`, `text`.
"""
