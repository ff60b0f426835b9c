"""The schema of the index: tables, row numbers, and records as values.

Rows are numbered by day: `row = number << DAY | slot`, the number being 0 for lines that we generated, 1 for undated
ones, and the day's proleptic ordinal + 1 for the others. So a range of days is a range of rows, the newest rows are the
last ones, a line's neighbours stand beside it, and what a person or host wrote lies above `WRITTEN`.
The FTS5 table is contentless and holds the terms of `core.text.analyzer`; the text itself stands in `lines`.
Another schema number means rebuild: there are no migrations (docs/decisions/0003).
What is read back as a value is checked by its column: so SQLite itself finds a byte that changed on the disk there.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from commonplace.core.documents.fact_syntax import read_trailer
from commonplace.core.documents.name_mentions import mentions
from commonplace.core.model import Citation, Fact, Kind, Origin, Role, Span, Stance, Trailer
from commonplace.core.text.analyzer import TOKENIZER

APPLICATION = 0x63706C63
"""`cplc`: tells our file from any other SQLite file that happens to have our schema's number."""
SCHEMA = 17
DAY = 26
"""Bits of a row number below the day. Rows of a day are not used again while later ones stand, but those of our lines:
67 million writings of lines, which undated pages reach in centuries; a row still takes seven bytes."""
OPEN = 1 << 30
"""The day on which a range ends that does not; 0 is the day on which one begins that has no beginning."""
WRITTEN = 1 << DAY
"""Below it stand the lines that we generated: recall looks there only when it finds nothing above."""
LAST = 1 << 62
"""Above every row."""

ROLES = tuple(Role)
ROLE_NUMBER = {role: number for number, role in enumerate(ROLES)}
GENERATED = 8
"""Added to a role's number: a line of ours, as we left it."""
_KINDS = {kind.letter: kind for kind in Kind}
_ORIGINS = {origin.value: origin for origin in Origin}
_NONE = Trailer()


def _one_of(column: str, values: Iterable[str]) -> str:
    """A column that holds one of these texts."""
    listed = ", ".join(f"'{value}'" for value in values)
    return f"{column} text check({column} in ({listed}))"


def _day_of(column: str, more: str = "") -> str:
    """A column that holds a day's ordinal, or 0."""
    return f"{column} integer check({column} between 0 and {date.max.toordinal()}{more})"


TERMS = f"""
create virtual table terms using fts5(t, content='', contentless_delete=1, tokenize="{TOKENIZER}");
"""
INDEXES = """
create index facts_id on facts(id);
create index facts_base on facts(base);
create index facts_start on facts(start) where start is not null;
create index relations_row on relations(row);
create index mentions_row on mentions(row);
create index claims_slot on claims(key, slot, row);
create index claims_row on claims(row);
"""
"""Sorted once when everything is indexed, which is cheaper than keeping them in order meanwhile."""
TABLES = f"""
create table meta(key text primary key, value) without rowid;
create table files(file integer primary key, path text unique, digest text, page text, title text, conflict integer,
                   copy text, regions text check(json_valid(regions)));
create table blocks(low integer primary key, high integer, file integer);
create index blocks_file on blocks(file);
create table lines(row integer primary key, file integer, line integer, count integer, parent integer,
                   role integer check(role % {GENERATED} < {len(ROLES)}), length integer, speaker text, text text,
                   outsider text);
create table facts(row integer primary key, id text, base text, {_one_of("kind", _KINDS)}, confidence real,
                   {_day_of("start")}, {_day_of("stop", f" or stop = {OPEN}")}, {_one_of("origin", _ORIGINS)},
                   entities text check(json_valid(entities)), trailer text, block integer, outsider text);
create table relations(row integer, relation text, target text, primary key(target, relation, row)) without rowid;
create table claims(row integer, key text, slot text, value text, manner text, begins integer, ends integer);
create table mentions(key text, row integer, name text, primary key(key, row)) without rowid;
create table aliases(alias text, key text, name text, file integer, primary key(alias, key, file)) without rowid;
create index aliases_file on aliases(file);
create table opinions(file integer, number integer, id text, line integer, statement text,
                      entities text check(json_valid(entities)), prior real, confidence real, {_day_of("updated")},
                      disputed text, primary key(file, number)) without rowid;
create table evidence(file integer, opinion integer, fact text, {_one_of("stance", Stance)}, {_day_of("day")},
                      path text, line integer, confidence real, src text);
create index evidence_opinion on evidence(file, opinion);
create index evidence_fact on evidence(fact);
create table problems(file integer, line integer, code text, message text, hint text);
create index problems_file on problems(file);
create table chunks(file integer primary key, value blob);
create table frequency(term text primary key, count integer) without rowid;
create table cache(name text primary key, program text, value blob) without rowid;
{INDEXES}
{TERMS}
insert into meta values ('lines', 0), ('length', 0), ('facts', 0);
pragma application_id = {APPLICATION};
pragma user_version = {SCHEMA};
"""
FACT = (
    "select l.row, l.file, f.path, l.line, l.count, l.parent, l.role, l.speaker, l.text, x.id, x.kind, x.confidence,"
    " x.start, x.stop, x.origin, x.entities, x.trailer, x.block, l.outsider, f.conflict, l.length"
    " from lines l join files f using (file) left join facts x using (row) "
)
"""The records that `stored` reads."""


class Stored(NamedTuple):
    """A line as the index holds it."""

    row: int
    fact: Fact
    parent: int
    """Row of the heading, bullet or table header above; 0 at the top."""
    role: Role
    is_fact: bool
    conflict: bool
    length: int
    """Terms in it."""
    file: int


class Place(NamedTuple):
    """Where a row stands. Only the store counts with row numbers; others compare them."""

    near: tuple[int, int]
    """The first and the last row within `NEAR` lines of it."""
    document: tuple[int, int]
    """The first and the last row of what its file says of its day."""
    size: int
    """Lines in that document, those that went from its middle included."""
    length: int
    """Terms in the line."""


Neighbour = tuple[int, int, str]
"""A line beside another one: (row, parent row, text)."""


class Neighbours(NamedTuple):
    """The lines of the same file and day beside a line, nearest first."""

    before: tuple[Neighbour, ...] = ()
    after: tuple[Neighbour, ...] = ()


def first_row(day: date | None) -> int:
    """The row before which nothing of a day stands; of None: of the first dated line."""
    return (day.toordinal() + 1 if day else 2) << DAY


def last_row(day: date | None) -> int:
    """The row after which nothing of a day stands; of None: the last row of all."""
    return first_row(day) + (1 << DAY) - 1 if day else LAST


def stored(record: Sequence[Any]) -> Stored:
    """A record of `FACT` as a value."""
    row, file, _, _, _, parent, role, *_, conflict, length = record
    is_fact = record[9] is not None
    return Stored(row, stated(record), parent, ROLES[role % GENERATED], is_fact, bool(conflict), length, file)


def stated(record: Sequence[Any]) -> Fact:
    """What a record of `FACT` says."""
    (row, _, path, line, count, _, role, speaker, text, id, kind, confidence, start, stop, origin, entities,
     trailer, block, outsider, _, _) = record  # fmt: skip
    found = mentions(text)
    source = Citation(path, line)
    if id is None:
        origin = Origin.GENERATED if role >= GENERATED else Origin.LOG
        said = _said_by(outsider) if outsider else _NONE
        return Fact(
            "", Kind.WORLD, text, found, source, _day(row), None, None, origin, count, (), found, speaker or "", said
        )
    return Fact(
        id,
        _KINDS[kind],
        text,
        _names(entities),
        source,
        _day(row),
        None if start is None else Span(_date(start), None if stop == OPEN else _date(stop)),
        confidence,
        _ORIGINS[origin],
        count,
        (),
        found,
        speaker or "",
        read_trailer(trailer) if trailer else _NONE,
        bool(block),
    )


@lru_cache(maxsize=4096)
def _said_by(outsider: str) -> Trailer:
    return Trailer(src=outsider)


@lru_cache(maxsize=4096)
def _names(entities: str) -> tuple[str, ...]:
    """From JSON; many facts are about the same few."""
    return tuple(json.loads(entities))


def _day(row: int) -> date | None:
    return _date(max((row >> DAY) - 1, 0))


@lru_cache(maxsize=4096)
def _date(ordinal: int) -> date | None:
    return date.fromordinal(ordinal) if ordinal else None
