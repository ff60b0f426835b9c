"""What a recall asks of lines next, read together with them: a question to the server costs a round trip.

All of it is of one snapshot, so what was read once is not read again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.core.model import Citation, Kind
from commonplace.store.postgres.fleet_text import FleetText
from commonplace.store.postgres.line_reading import READ_LINES, READ_MANY, Parts
from commonplace.store.sqlite.claim_queries import MOST_CLAIMS
from commonplace.store.sqlite.index_schema import stored

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import TypeVar

    from commonplace.core.model import Fact
    from commonplace.core.recall.index_rows import StoredLine

    T = TypeVar("T")
    Ask = Callable[[Sequence[tuple[str, Any]]], list[list[Any]]]
    """Returns the records of statements, each with its values."""


def grouped(keys: Iterable[T], records: Iterable[Any]) -> dict[T, list[Any]]:
    """The records by what they begin with, an empty list where there is none."""
    found: dict[T, list[Any]] = {key: [] for key in keys}
    for record in records:
        found[record[0]].append(record)
    return found


def _name(records: Iterable[list[Any]], *columns: int) -> None:
    """Read the paths and ids in these columns as those of a workspace."""
    for record in records:
        for column in columns:
            if record[column] is not None:
                record[column] = FleetText.read(record[column])


def _parts(records: Sequence[Any]) -> Parts:
    """What was read of lines, from the only value of an answer."""
    ((parts,),) = records
    return Parts(*(part or () for part in parts))


_PATH, _PARENT, _TEXT, _ID, _KIND, _LENGTH, _LOW, _BY_OTHER = 2, 5, 8, 9, 10, 21, 22, 24
"""Columns of a line; from `_LOW` on what is read of it beside."""


class ReadAhead:
    """What was read of lines, on one snapshot."""

    def __init__(self, bits: int, *, judged: bool, tries: bool = False) -> None:
        self._bits, self._judged, self._tries = bits, judged, tries
        self.wanted: set[int] = set()
        """Rows of the lines that would be read, if it is only tried."""
        self.many: set[int] = set()
        """The same of those of which most will be left out."""
        self.names_too = False
        """Whether the names in lines, and the regions of their files, are read with them."""
        self.names: dict[int, list[tuple[str, str]]] = {}
        """By row: the known names in it, each with its key."""
        self.regions: dict[str, str | None] = {}
        """By path: our regions in it."""
        self.rows_in: dict[str, list[int]] = {}
        """By path: the rows of the file."""
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
        self._stated: set[tuple[str, str]] = set()
        """Id and text of the facts that are opinions, of which it was read what people keep on them."""
        self._held: dict[tuple[str | None, str | None], set[tuple[Any, ...]]] = {}
        """By (id, None) of such a fact, and by (None, text): the records of opinions on it."""
        self.evidence: dict[tuple[int, int], list[Any]] = {}
        """By (file, number) of an opinion that was read."""
        self.pages: dict[str, list[str]] = {}
        """By the key of a name that was asked for: the paths of its pages."""
        self.also: list[tuple[str, str, int, int, int]] = []
        """Other names of those."""

    def read_many(self, rows: Iterable[int], ask: Ask) -> None:
        """Read lines of which most will be left out."""
        rows = self.unread_of_many(rows)
        if self._tries:
            self.many |= rows
        elif rows:
            self.note_many(rows, *ask([self.reading_many(rows)]))

    def unread_of_many(self, rows: Iterable[int]) -> set[int]:
        """Return those of these rows of which not even the line was read."""
        return {*rows} - self._whole({*self._looked, *self._records, *self._lines})

    def _whole(self, rows: set[int]) -> set[int]:
        """Those of these rows that were read with all that is wanted now."""
        return rows.intersection(self.names) if self.names_too else rows

    def reading_many(self, rows: Collection[int]) -> tuple[str, dict[str, Any]]:
        """Return the statement that reads these lines alone."""
        return READ_MANY, self._values(rows)

    def note_many(self, rows: Collection[int], records: Sequence[Any]) -> None:
        """Keep what `reading_many` read of these lines."""
        found = _parts(records)
        self._note_lines(rows, found)
        if self._judged:
            self._note_judged(rows, found)

    def _note_lines(self, rows: Collection[int], found: Parts) -> None:
        """Keep the lines themselves, their documents, names and regions."""
        _name(found.lines, _PATH, _ID)
        self._records.update((record[0], record[:_LOW]) for record in found.lines if record[0] not in self._lines)
        self.note_extents(
            (record[0], *record[_LOW:_BY_OTHER], record[_LENGTH], record[_BY_OTHER]) for record in found.lines
        )
        if self.names_too:
            self.names.update((row, []) for row in rows)
            for row, key, name in sorted(found.named):
                self.names[row].append((key, name))
            _name(found.regions, 0)
            self.regions.update(found.regions)

    def read(self, rows: Iterable[int], ask: Ask) -> None:
        """Read lines with what is beside and above them, what they claim, and what has a relation to them."""
        rows = self.unread(rows)
        if self._tries:
            self.wanted |= rows
        elif rows:
            self.note(rows, *ask([self.reading(rows)]))

    def unread(self, rows: Iterable[int]) -> set[int]:
        """Return those of these rows that were not read."""
        return {*rows} - self._whole(self._looked)

    def reading(self, rows: Collection[int]) -> tuple[str, dict[str, Any]]:
        """Return the statement that reads these lines."""
        return READ_LINES, self._values(rows)

    def _values(self, rows: Collection[int]) -> dict[str, Any]:
        beside = {row + step for row in rows for step in (-1, 1)}.difference(rows)
        return {"rows": sorted(rows), "beside": sorted(beside), "judged": self._judged, "named": self.names_too}

    def note(self, rows: Collection[int], records: Sequence[Any]) -> None:
        """Keep what `reading` read of these lines."""
        found = _parts(records)
        looked = {*rows, *(record[0] for record in found.lines)}
        self._note_lines(looked, found)
        self._looked |= looked
        ids = {record[0]: record[_ID] for record in found.lines if record[_ID] is not None}
        self.ids.update(ids)
        texts = ((record[0], record[_PARENT], record[1], record[_TEXT], record[3]) for record in found.lines)
        self.note_texts({row + step for row in looked for step in (-1, 0, 1)}, (*texts, *found.texts))
        self.told.update(grouped(looked, found.told))
        self._note_names(found.told, found.meant)
        self._note_claims(found, ids=ids.values())
        if self._judged:
            self._note_held(found)
            self._note_judged(looked, found)

    def _note_held(self, found: Parts) -> None:
        _name(found.held, 0, 4, 5, -1)
        stated = (record for record in found.lines if record[_KIND] == Kind.OPINION.letter)
        self._stated.update((record[_ID], record[_TEXT]) for record in stated)
        for id, text, *head in found.held:
            self._held.setdefault((id, text), set()).add(tuple(head))

    def _note_judged(self, rows: Collection[int], found: Parts) -> None:
        """Keep the opinions on lines, and the evidence of all that were read with them."""
        _name(found.judged, 3, 4, -1)
        _name(found.evidence, 2, 5)
        places = {record[0]: Citation(record[_PATH], record[3]) for record in found.lines}
        for row, opinions in grouped(rows, found.judged).items():
            if row in places:
                self._opinions[places[row]] = [tuple(each[1:]) for each in opinions]
        kept = {tuple(each[1:3]) for each in found.judged} | {tuple(each[2:4]) for each in found.held}
        self.evidence.update((opinion, []) for opinion in kept)
        for record in found.evidence:
            self.evidence[record[0], record[1]].append(record)

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

    def opinions_on(self, fact: Fact) -> tuple[Collection[Any], Collection[Any]] | None:
        """Return the records of the opinions that have an opinion as evidence, and those with its words; None if that
        was not read."""
        if (fact.id, fact.content) not in self._stated:
            return None
        return self._held.get((fact.id, None), set()), self._held.get((None, fact.content), set())

    def note_meanings(self, records: Iterable[Any]) -> None:
        """Keep what `NAMES_TOO` says."""
        parts: tuple[list[list[Any]], ...] = ([], [], [], [], [])
        for part, *record in records:
            parts[part].append(record)
        _, also, keys, pages, meant = parts
        self.also += [(key, *told) for _, key, *told in also]
        self.pages.update((key, []) for _, key, *_ in keys)
        for path, key, *_ in sorted(pages):
            self.pages[key].append(FleetText.read(path))
        self.aliases.update(grouped((key for _, key, *_ in keys), (tuple(record[:3]) for record in meant)))

    def trying(self) -> ReadAhead:
        """Return one that knows the same names and texts, for what is only tried."""
        tried = ReadAhead(self._bits, judged=self._judged, tries=True)
        tried.also, tried.pages, tried.aliases = [*self.also], {**self.pages}, {**self.aliases}
        tried.texts, tried.names, tried.rows_in = {**self.texts}, {**self.names}, {**self.rows_in}
        return tried

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

    def _note_names(self, told: Iterable[Any], aliases: Iterable[Any]) -> None:
        said = {key for _, key, _ in told}
        named = {other for alias, _, other in aliases if alias in said}
        self.aliases.update(grouped(said | named, dict.fromkeys(map(tuple, aliases))))

    def _note_claims(self, found: Parts, *, ids: Iterable[str]) -> None:
        _name(found.claimed, -1)
        _name(found.ended, -1)
        _name(found.related, 0)
        both = (*found.claimed, *found.ended)
        self.ids.update((record[1], record[-1]) for record in both)
        self.relations.update(grouped({*ids, *(record[-1] for record in both)}, found.related))
        self.is_cut = self.is_cut or len(found.claimed) >= MOST_CLAIMS
        for record in found.claimed:
            self.claims.setdefault((record[0], record[2]), {})[tuple(record[:-1])] = None
        for record in found.ended:
            self.ended.setdefault(record[0], {})[tuple(record[:-1])] = None
