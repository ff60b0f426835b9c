"""What a recall asks of lines next, read together with them: a question to the server costs a round trip.

All of it is of one snapshot, so what was read once is not read again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.core.claims.succession import OVER
from commonplace.core.model import Citation
from commonplace.core.recall.index_rows import DEEPEST
from commonplace.store.postgres.dialect import translated
from commonplace.store.postgres.fleet_text import WORKSPACES
from commonplace.store.sqlite.claim_queries import CLAIM, MOST_CLAIMS, TOLD_OF
from commonplace.store.sqlite.fact_queries import OPINIONS
from commonplace.store.sqlite.index_schema import DAY, stored
from commonplace.store.sqlite.search_queries import COUNTS, LINES_AT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import TypeVar

    from commonplace.core.recall.index_rows import StoredLine

    T = TypeVar("T")
    Ask = Callable[[Sequence[tuple[str, Any]]], list[list[Any]]]
    """Returns the records of statements, each with its values."""

_EACH = "unnest(%(rows)s::bigint[]) j(value)"
_LINES = translated(LINES_AT.replace("carray(?)", "carray(?1)")).replace("%(p1)s", "%(rows)s")
_TOLD = translated(TOLD_OF).replace("%(p1)s", "%(rows)s")
UPWARDS = (
    "with recursive up(row, parent, file, text, line, depth) as (select l.row, l.parent, l.file, l.text, l.line, 1"
    f" from {_EACH} cross join lateral (select * from fleet.lines where row = j.value offset 0) l"
    " union select l.row, l.parent, l.file, l.text, l.line, up.depth + 1 from up"
    " cross join lateral (select * from fleet.lines where row = up.parent offset 0) l"
    f" where up.depth < {DEEPEST}) select distinct row, parent, file, text, line from up"
)
"""Lines, and what is above them."""
TEXTS_TOO = (
    "select s.at, l.row, l.parent, l.file, l.text, l.line from ({}) s(at, row)"
    " cross join lateral (select * from fleet.lines where row = s.row offset 0) l"
)
"""Rows of searches, and what `UPWARDS` says of them."""
EXTENTS = (
    "select j.value, b.low, b.high, l.length, coalesce(x.outsider, l.outsider, '') <> ''"
    f" from {_EACH} cross join lateral (select * from fleet.lines where row = j.value offset 0) l"
    " cross join lateral (select low, high from fleet.blocks where low <= j.value order by low desc limit 1) b"
    " left join lateral (select outsider from fleet.facts where row = j.value offset 0) x on true"
)
"""Documents and lengths of lines, and whether somebody other than the author said them."""
_NAMES = (
    "cross join lateral (select t.key as name union select b.alias"
    " from (select key from fleet.aliases where alias = t.key offset 0) a"
    " cross join lateral (select alias from fleet.aliases where key = a.key offset 0) b) n"
)
"""The other names of what a name `t.key` may mean."""
_TAGS = f"{_EACH} cross join lateral (select key from fleet.tagged where row = j.value offset 0) m"
_AFTER = OVER[:-1] + chr(ord(OVER[-1]) + 1)
"""What comes after all slots that begin so."""
_SLOTS = "select key, ws, slot from fleet.claims where row = j.value offset 0"
_CLAIMED = f"select c.* from {_EACH} cross join lateral ({_SLOTS}) c"
_ALIASES = (
    "select a.alias, a.key, b.alias from (select distinct n.name"
    f" from (select m.key from {_TAGS} union select c.key from ({_CLAIMED}) c) t {_NAMES}) c"
    " cross join lateral (select alias, key from fleet.aliases where alias = c.name offset 0) a"
    " cross join lateral (select alias from fleet.aliases where key = a.key offset 0) b"
)
"""What the names of the entities that lines claim something of or tag mean, and what those names mean."""
_SUCCESSION = (
    f"with told as materialized (select distinct * from ({_CLAIMED}) c),"
    f" tags as materialized (select distinct m.key, (j.value >> {DAY} & {WORKSPACES - 1})::int as ws from {_TAGS}),"
    f" claimed as materialized (select distinct * from (select 0 as over, {CLAIM.partition(' ')[2]}, x.id"
    f" from told t {_NAMES}"
    " cross join lateral (select * from fleet.claims where key = n.name and ws = t.ws and slot = t.slot offset 0) c"
    " cross join lateral (select * from fleet.facts where row = c.row offset 0) x"
    f" limit {MOST_CLAIMS}) slots"
    f" union all select distinct 1, {CLAIM.partition(' ')[2]}, x.id"
    f" from tags t {_NAMES} cross join lateral (select * from fleet.claims where key = n.name and ws = t.ws"
    f" and slot >= '{OVER}' and slot < '{_AFTER}' offset 0) c"
    " cross join lateral (select * from fleet.facts where row = c.row offset 0) x)"
    " select * from claimed union all select 2, r.relation, r.row, null, null, null, null, null, null, null, i.id"
    f" from (select id from claimed union select x.id from {_EACH}"
    " cross join lateral (select id from fleet.facts where row = j.value offset 0) x) i"
    " cross join lateral (select * from fleet.relations where target = i.id offset 0) r"
    f" where {COUNTS}"
).replace("from facts", "from fleet.facts")
"""Claims of the slots and entities of lines, and what has a relation to their facts and to those that claim."""
_OPINIONS_AT = (
    f"select j.value, o.* from {_EACH}"
    " cross join lateral (select file, line from fleet.lines where row = j.value offset 0) l"
    f" cross join lateral ({OPINIONS} where o.file = l.file and o.line = l.line offset 0) o"
).replace("opinions o join files", "fleet.opinions o join fleet.files")
"""Opinions that people keep on lines."""


def grouped(keys: Iterable[T], records: Iterable[Any]) -> dict[T, list[Any]]:
    """The records by what they begin with, an empty list where there is none."""
    found: dict[T, list[Any]] = {key: [] for key in keys}
    for record in records:
        found[record[0]].append(record)
    return found


class ReadAhead:
    """What was read of lines, on one snapshot."""

    def __init__(self, bits: int, *, judged: bool) -> None:
        self._bits = bits
        self._judged = judged
        self._records: dict[int, Any] = {}
        """Lines that nobody has asked for yet."""
        self._lines: dict[int, StoredLine] = {}
        self._looked: set[int] = set()
        """Rows that were read, whether there are lines or not."""
        self.texts: dict[int, tuple[int, int, str] | None] = {}
        """By row; None of one that is not there."""
        self._numbers: dict[int, int] = {}
        """By row: the number of the line in its file."""
        self.extents: dict[int, tuple[int, int, int, int]] = {}
        self.by_others: set[int] = set()
        self.told: dict[int, list[tuple[int, str, str | None]]] = {}
        """By row: its claims and entities."""
        self.aliases: dict[str, list[tuple[str, str, str]]] = {}
        """By a name: the entities that it names, with their other names."""
        self.claims: dict[tuple[str, str], dict[tuple[Any, ...], None]] = {}
        """By key and slot: the claims of workspaces of which lines were read."""
        self.ended: dict[str, dict[tuple[Any, ...], None]] = {}
        """By key: the same of those that something of it is over."""
        self.is_cut = False
        """Whether there are more claims than are compared."""
        self.ids: dict[int, str] = {}
        """By row: the id of a fact."""
        self.relations: dict[str, list[tuple[str, str, int]]] = {}
        """By id: what has a relation to it."""
        self._rows: dict[Citation, int] = {}
        self._opinions: dict[Citation, list[Any]] = {}

    def read_plain(self, rows: Iterable[int], ask: Ask) -> None:
        """Read lines of which most will be left out."""
        wanted = sorted({*rows} - self._looked - self._records.keys() - self._lines.keys())
        if wanted:
            (lines,) = ask([(_LINES, {"rows": wanted})])
            self._records.update((record[0], record) for record in lines)

    def read(self, rows: Iterable[int], ask: Ask) -> None:
        """Read lines with what is beside and above them, what they claim, and what has a relation to them."""
        wanted = sorted({*rows} - self._looked)
        if not wanted:
            return
        beside = sorted({row + step for row in wanted for step in (-1, 0, 1)})
        given = {"rows": wanted}
        statements = [(_LINES, given), (UPWARDS, {"rows": beside}), (_TOLD, given), (_ALIASES, given)]
        statements += [(_SUCCESSION, given)]
        unmeasured = [row for row in wanted if row not in self.extents]
        if unmeasured:
            statements.append((EXTENTS, {"rows": unmeasured}))
        if self._judged:
            statements.append((_OPINIONS_AT, given))
        lines, texts, told, aliases, claims, *more = ask(statements)
        self._looked.update(wanted)
        self._records.update((record[0], record) for record in lines if record[0] not in self._lines)
        self.ids.update((record[0], record[9]) for record in lines if record[9] is not None)
        self.note_texts(beside, texts)
        self.told.update(grouped(wanted, told))
        self._note_names(told, aliases)
        self._note_claims(claims, ids={record[9] for record in lines if record[9] is not None})
        if unmeasured:
            self.note_extents(more.pop(0))
        if self._judged:
            places = {record[0]: Citation(record[2], record[3]) for record in lines}
            for row, found in grouped(wanted, more.pop(0)).items():
                if row in places:
                    self._opinions.setdefault(places[row], []).extend(tuple(each[1:]) for each in found)

    def lines(self, rows: Iterable[int]) -> dict[int, StoredLine]:
        """Return the lines of these rows, as far as they were read, in this order."""
        found = {}
        for row in rows:
            line = self._lines.get(row)
            if line is None and (record := self._records.pop(row, None)) is not None:
                line = self._lines[row] = stored(record, self._bits)
                self._rows.setdefault(line.line.source, row)
            if line is not None:
                found[row] = line
        return found

    def row_at(self, place: Citation) -> int | None:
        """Return the row of a line that was read; None if that is not known for certain."""
        row = self._rows.get(place)
        if row is None or row - 1 not in self.texts:
            return None
        before, here = self.texts[row - 1], self.texts[row]
        is_first = before is None or here is None or before[1] != here[1] or self._numbers[row - 1] != place.line
        return row if is_first else None

    def opinions_at(self, place: Citation) -> list[Any] | None:
        """Return the records of the opinions on a line; None if that was not read."""
        return self._opinions.get(place)

    def note_texts(self, rows: Iterable[int], records: Iterable[Any]) -> None:
        """Keep what `UPWARDS` says of these rows."""
        for row in rows:
            self.texts.setdefault(row, None)
        for row, parent, file, text, line in records:
            self.texts[row] = parent, file, text
            self._numbers[row] = line

    def note_extents(self, records: Iterable[Any]) -> None:
        """Keep what `EXTENTS` says."""
        for row, low, high, length, by_other in records:
            self.extents[row] = row, low, high, length
            if by_other:
                self.by_others.add(row)

    def _note_names(self, told: Iterable[Any], aliases: Sequence[Any]) -> None:
        said = {key for _, key, _ in told}
        named = {other for alias, _, other in aliases if alias in said}
        self.aliases.update(grouped(said | named, dict.fromkeys(aliases)))

    def _note_claims(self, records: Iterable[Any], *, ids: Collection[str]) -> None:
        kinds: tuple[list[Any], list[Any], list[Any]] = [], [], []
        for kind, *record in records:
            kinds[kind].append(record)
        claims, ended, related = kinds
        self.ids.update((record[1], record[-1]) for record in (*claims, *ended))
        of = {*ids, *(record[-1] for record in (*claims, *ended))}
        self.relations.update(grouped(of, ((id, relation, row) for relation, row, *_, id in related)))
        self.is_cut = self.is_cut or len(claims) >= MOST_CLAIMS
        for record in claims:
            self.claims.setdefault((record[0], record[2]), {})[tuple(record[:-1])] = None
        for record in ended:
            self.ended.setdefault(record[0], {})[tuple(record[:-1])] = None
