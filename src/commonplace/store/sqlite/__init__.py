"""The index: everything derived, in one SQLite file that may be deleted at any moment. All SQL is in this package."""

from commonplace.store.sqlite.index import Index
from commonplace.store.sqlite.reading import Entity
from commonplace.store.sqlite.schema import SCHEMA, Stored

__all__ = ["SCHEMA", "Entity", "Index", "Stored"]
