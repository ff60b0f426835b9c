"""Deletes the rows of files and lines, with counts and the ids of twins kept true. Call it in a transaction."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from commonplace.core.documents.fact_syntax import searchable
from commonplace.core.model import Origin
from commonplace.core.text.analyzer import document_terms
from commonplace.store.sqlite.index_schema import (
    GENERATED,
    WRITTEN,
)
from commonplace.store.sqlite.writing.known_mentions import keys_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from commonplace.store.sqlite.database import Database
    from commonplace.store.sqlite.writing.generated_rows import Said

BY_ROW = ("relations", "mentions", "claims", "facts", "passages", "lines")
BY_FILE = ("blocks", "aliases", "opinions", "evidence", "problems", "chunks", "files")


def forget_file(db: Database, path: str, touched: set[str]) -> dict[int, tuple[Said, int]]:
    """Delete one file except the terms of our lines in it; return row -> (input of its terms, number of terms).

    Args:
        touched: names that it used are added.
    """
    file = db.one("select file from files where path = ?", (path,))
    if file is None:
        return {}
    touched.update(alias for (alias,) in db.run("select alias from aliases where file = ?", (file,)))
    sql = f"{COUNTED} where b.file = ?"
    records = db.all(sql, (file,))
    ours = {row: ((text, entities), size) for row, text, size, role, _, entities, *_ in records if role >= GENERATED}
    bases = uncount(db, records)
    for low, high in db.all("select low, high from blocks where file = ?", (file,)):
        forget_rows(db, low, high=high, touched=touched)
    for table in BY_FILE:
        db.run(f"delete from {table} where file = ?", (file,))
    number_twins(db, bases)
    return ours


COUNTED = (
    "select l.row, l.text, l.length, l.role, x.base, x.entities, x.origin, l.line, l.speaker, l.outsider from blocks b"
    " join lines l on l.row between b.low and b.high left join facts x using (row)"
)
"""The columns that `uncount` needs."""


def uncount(db: Database, records: Iterable[tuple[Any, ...]]) -> set[str]:
    """Subtract lines from all counts; return the base ids of the facts among them."""
    lost: Counter[str] = Counter()
    lines = length = facts = 0
    bases = set()
    for _, text, size, role, base, entities, origin, *_ in records:
        if role < GENERATED:
            lost.update(set(document_terms(searchable(text, json.loads(entities) if entities else ())).split()))
            lines, length = lines + 1, length + size
        if base is not None and origin != Origin.GENERATED:
            facts += 1
            bases.add(base)
    count_in(db, {term: -count for term, count in lost.items()}, lines=-lines, length=-length, facts=-facts)
    db.run("delete from frequency where term in (select value from carray(?)) and count <= 0", (db.listed(lost),))
    return bases


def forget_rows(db: Database, low: int, *, high: int, touched: set[str]) -> None:
    """Delete rows; the terms of our own lines stay, for `Ours`.

    Args:
        touched: names that their lines used are added.
    """
    touched |= keys_in(db, low, high=high)
    if low >= WRITTEN:
        db.run("delete from terms where rowid between ? and ?", (low, high))
    for table in BY_ROW:
        db.run(f"delete from {table} where row between ? and ?", (low, high))


def count_in(db: Database, terms: Mapping[str, int], *, lines: int, length: int, facts: int) -> None:
    """Add to the counts; negative numbers subtract."""
    sql = "insert into frequency values (?, ?) on conflict do update set count = count + excluded.count"
    db.many(sql, terms.items())
    sql = "update meta set value = value + ? where key = ?"
    db.many(sql, ((lines, "lines"), (length, "length"), (facts, "facts")))


def number_twins(db: Database, bases: Iterable[str]) -> None:
    """Number the facts of one base id by an ordinal, in order of path and line; the author's come first."""
    # Few facts have twins: one pass over the index on `base` finds them before anything is sorted.
    sql = (
        "select x.base from carray(?) j cross join facts x on x.base = j.value"
        " group by x.base having count(*) > 1 or max(x.id <> x.base)"
    )
    shared = [base for (base,) in db.all(sql, (db.listed(bases),))]
    db.run(
        "update facts set id = told.id from ("
        "select x.row, x.base || case when row_number() over twins = 1 then '' else '-' || row_number() over twins end"
        " as id from carray(?) j cross join facts x on x.base = j.value join lines l using (row)"
        " join files f using (file) where x.origin <> 'generated'"
        " window twins as (partition by x.base order by x.outsider <> '', f.path, l.line)"
        ") told where facts.row = told.row and facts.id <> told.id",
        (db.listed(shared),),
    )
