"""Writes whole documents into the index, and removes them. Call it in a transaction."""

from __future__ import annotations

from marshal import dumps
from typing import TYPE_CHECKING

from commonplace.store.sqlite.database import CACHE_KIB
from commonplace.store.sqlite.index_schema import (
    INDEXES,
    TERMS,
)
from commonplace.store.sqlite.writing.document_rows import Rows
from commonplace.store.sqlite.writing.generated_rows import Ours
from commonplace.store.sqlite.writing.known_mentions import settle
from commonplace.store.sqlite.writing.row_removal import BY_FILE, BY_ROW, forget_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from commonplace.core.documents.parsed_document import Document
    from commonplace.core.model import Opinion, Unread
    from commonplace.store.sqlite.database import Database

_BATCH = 4000
"""Lines that are collected before they are inserted."""
_BULK_HASH, _HASH = 1 << 24, 1 << 20
"""Bytes of terms that FTS5 collects before writing: while everything is indexed, and its own default."""
_BULK_CACHE_KIB = 64_000
"""KiB of pages that are kept in memory while everything is indexed: what has no room there is written again and again.
"""


class DocumentWriter:
    """Writes whole files into the index, and removes them. Call it in a transaction."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def clear(self, *, embeds: bool = False) -> None:
        """Delete everything.

        Args:
            embeds: whether passages are noted from now on.
        """
        for table in (*BY_FILE, *BY_ROW, "known", "frequency", "cache"):
            self._db.run(f"delete from {table}")
        self._db.run("drop table terms")
        self._db.run(TERMS)
        self._db.run("update meta set value = 0 where key not in ('states', 'unread')")
        self._db.run("delete from meta where key in ('states', 'unread')")
        self._db.run("update meta set value = ? where key = 'embeds'", (embeds,))

    def keep_states(
        self,
        states: Mapping[str, tuple[int, int, int, int]],
        looked: int,
        unread: Iterable[Unread] = (),
        *,
        anew: bool = True,
    ) -> None:
        """Store what the sync saw and could not read. One marshalled blob is read faster than 3,651 rows.

        Args:
            anew: whether it took something in.
        """
        kept = dumps((dict(states), looked))
        missed = dumps([tuple(each) for each in unread])
        noted: list[tuple[str, object]] = [("states", kept), ("looked", looked), ("unread", missed)]
        if anew:  # later than the last time, whatever the clock says
            before = self._db.one("select value from meta where key = 'taken'") or 0
            noted.append(("taken", max(looked, before + 1)))
        self._db.many("insert or replace into meta values (?, ?)", noted)

    def remove(self, path: str) -> None:
        """Delete one file."""
        ours, touched = Ours(self._db), set[str]()
        ours.replace(forget_file(self._db, path, touched))
        ours.settle()
        settle(self._db, touched)

    def put(self, documents: Iterable[tuple[Document, str, tuple[Opinion, ...]]]) -> None:
        """Index documents, each with its digest and the opinions on its page, replacing the rows of their files.

        The iterator may remove other files as it goes: free rows are looked up after it has yielded some documents.
        """
        bulk = not self._db.one("select exists (select 1 from files)")
        rows = Rows(self._db, count=not bulk)
        if bulk:
            self._db.run(f"pragma cache_size = -{_BULK_CACHE_KIB}")
            self._db.run("insert into terms(terms, rank) values ('hashsize', ?)", (_BULK_HASH,))
            for name in (line.split()[2] for line in INDEXES.strip().splitlines()):
                self._db.run(f"drop index {name}")
        batch, lines, batches = [], 0, 0
        for document in documents:  # in batches: alternating costs a tenth more, because of CPU caches
            batch.append(document)
            lines += len(document[0].lines)
            if lines > _BATCH:
                rows.write(batch)
                batch, lines, batches = [], 0, batches + 1
        rows.write(batch)
        if bulk or batches > 1:
            # a search opens each of its terms in each segment: with a dozen segments, it takes five times as long;
            # one long page, such as that of the opinions, makes no dozen
            self._db.run("insert into terms(terms) values ('optimize')")
        if bulk:
            # one pass over FTS5's own vocabulary is six times faster than counting on the way
            self._db.run("create virtual table temp.vocabulary using fts5vocab(main, terms, row)")
            self._db.run("insert into frequency select term, doc from temp.vocabulary")
            self._db.run("drop table temp.vocabulary")
            self._db.run("insert into terms(terms, rank) values ('hashsize', ?)", (_HASH,))
            settle(self._db, None)
            self._db.run(INDEXES).fetchall()
        rows.finish()
        if bulk:
            self._db.run("delete from frequency where count <= 0")
            self._db.run(f"pragma cache_size = -{CACHE_KIB}")
        else:
            settle(self._db, rows.touched)
