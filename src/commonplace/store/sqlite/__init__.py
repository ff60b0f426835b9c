"""The index: everything derived, in one SQLite file that may be deleted at any moment. All SQL is in this room.

May import: no other room.
"""

from commonplace.store.sqlite.fact_queries import Entity
from commonplace.store.sqlite.index_schema import SCHEMA
from commonplace.store.sqlite.sqlite_index import Index

__all__ = ["SCHEMA", "Entity", "Index"]
