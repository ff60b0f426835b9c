"""Turns documents into rows of all tables, and inserts them. Call it in a transaction."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from itertools import groupby
from marshal import dumps
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

import apsw

from commonplace.core import when
from commonplace.core.claims.claim_reader import claims
from commonplace.core.documents.fact_syntax import searchable, write_trailer
from commonplace.core.documents.name_mentions import mentions
from commonplace.core.entities.conversations import speakers
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.introductions import introduced
from commonplace.core.entities.name_uses import Place, name_uses
from commonplace.core.meaning.passages import ABOVE, is_embedded, passage_key, passages
from commonplace.core.model import RELATIONS, Origin
from commonplace.core.text.analyzer import document_terms
from commonplace.store.sqlite.index_schema import (
    DAY,
    GENERATED,
    OPEN,
    ROLE_NUMBER,
    TAGGED,
    TOLD,
)
from commonplace.store.sqlite.writing.generated_rows import Ours
from commonplace.store.sqlite.writing.row_removal import count_in, forget_file, number_twins

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from commonplace.core.documents.chunking import Chunk
    from commonplace.core.documents.parsed_document import Document, ParsedLine
    from commonplace.core.documents.reread import Part
    from commonplace.core.model import Fact, Opinion
    from commonplace.store.sqlite.database import Database
    from commonplace.store.sqlite.writing.generated_rows import Said

_INSERTS = {
    "files": "insert into files values (?, ?, ?, ?, ?, ?, ?, ?)",
    "blocks": "insert into blocks values (?, ?, ?)",
    "lines": "insert into lines values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "facts": "insert into facts values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "relations": "insert or ignore into relations values (?, ?, ?)",
    "claims": "insert into claims values (?, ?, ?, ?, ?, ?, ?)",
    "mentions": "insert into mentions values (?, ?, ?, ?)",
    "aliases": "insert or ignore into aliases values (?, ?, ?, ?)",
    "opinions": "insert into opinions values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "evidence": "insert into evidence values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "problems": "insert into problems values (?, ?, ?, ?, ?)",
    "chunks": "insert into chunks values (?, ?)",
    "passages": "insert or ignore into passages values (?, ?)",
    "terms": "insert into terms(rowid, t) values (?, ?)",
}
"""Insert statement of each table; where a line has a duplicate, the first is kept."""
LONGEST_LINE = 4_000
"""Maximum characters per row. A longer line (a blob, a log on one line) in one row would cost each recall that reads it
as much as reading a book.
"""
ASKING = "?"
"""What no label is: the key of the turns that ask something, in `turns`."""
OVERLAP = 64
"""Characters that two parts share where there is no space to split at: no term is longer."""


def written(chunks: Iterable[Chunk]) -> bytes:
    """Return chunks in the form that `splicing.chunks` reads."""
    return dumps([(tuple(mark), size, digest) for mark, size, digest in chunks])


@lru_cache(maxsize=4096)
def _names(entities: tuple[str, ...]) -> str:
    """Return names as JSON; cached, because a log tags the same few again and again."""
    return json.dumps(entities, ensure_ascii=False)


class Rows:
    """Collects rows of documents and inserts them into the tables."""

    def __init__(self, db: Database, *, count: bool) -> None:
        self._db = db
        self._counts = count
        self._free: dict[int, int] = {}
        """Day number -> its next free row."""
        self._speakers: dict[str, str] = {}
        """Labels of the document that name speakers, with their keys."""
        self._ours = Ours(db)
        self._file = db.one("select max(file) from files") or 0
        self._embeds = db.embeds
        """Whether passages are noted, because meaning is on."""
        self._prose: list[tuple[int, ParsedLine, str | None, Sequence[str]]] = []
        self._facts: list[tuple[int, Fact]] = []
        """Facts whose days and claims are not read yet, with their rows."""
        self._rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in _INSERTS}
        self.frequency: Counter[str] = Counter()
        self.lines = self.length = self.facts = 0
        self.bases: set[str] = set()
        self.touched: set[str] = set()
        """Names whose uses, tags or pages changed."""

    def write(self, documents: Iterable[tuple[Document, str, tuple[Opinion, ...]]]) -> None:
        """Insert the rows of documents."""
        for document, digest, opinions in documents:
            self._add(document, digest, opinions)
        self._insert()

    def finish(self) -> None:
        """Update the counts, and number the facts of one base id."""
        count_in(self._db, self.frequency, lines=self.lines, length=self.length, facts=self.facts)
        number_twins(self._db, self.bases)

    def add_lines(
        self, file: int, part: Part, *, rows: list[list[int]], above: list[int], speakers: dict[str, str]
    ) -> None:
        """Insert the lines of the changed part of a file that is already indexed.

        Args:
            rows: for each line that was read, one row for each of its pieces.
            above: row of each line above that was not read.
            speakers: labels of the file that name speakers, with their keys.
        """
        self._file, self._speakers = file, speakers
        firsts = [*above, *(each[0] for each in rows)]
        headings = _Headings(part.document.lines)
        for line, each in zip(part.document.lines[part.above :], rows, strict=True):
            for row, piece in zip(each, pieces(line), strict=True):
                self._line(row, piece, firsts[line.parent] if line.parent >= 0 else 0)
                if self._embeds:
                    self._passages(row, piece, headings[line.parent])  # of a file that is no conversation
        self._problems(part.document)
        self._insert()

    def _insert(self) -> None:
        # each step for all lines at once: a quarter faster than in between other work, because of CPU caches
        for told in self._prose:
            self._mentions(*told)
        self._prose.clear()
        facts = [(row, _dated(fact)) for row, fact in self._facts]
        self._facts.clear()
        for row, fact in facts:
            self._fact(row, fact)
        for row, fact in facts:
            self._claims(row, fact)
        if self._counts:
            self.touched.update(row[0] for table in ("mentions", "aliases") for row in self._rows[table])
        self._rows["mentions"].sort(key=itemgetter(0))  # nearly as in their table, which is quicker to insert
        for table, rows in self._rows.items():
            self._db.many(_INSERTS[table], rows)
            rows.clear()

    def _add(self, document: Document, digest: str, opinions: tuple[Opinion, ...]) -> None:
        """Collect one document's rows, replacing those of its file."""
        self._ours.replace(forget_file(self._db, document.path, self.touched) if self._counts else {})
        self._file += 1
        page = None if document.copy_of else document.entity or None
        title, copy_of = document.title, document.copy_of or None
        regions = json.dumps(document.regions) if document.regions else None
        record = (self._file, document.path, digest, page, title, document.conflict, copy_of, regions)
        self._rows["files"].append(record)
        self._speakers = speaker_keys(turns(document.lines))
        self._lines(document)
        self._ours.settle()
        if page:
            self._aliases(page, document)
        if document.chunks:
            self._rows["chunks"].append((self._file, written(document.chunks)))
        self._problems(document)
        for number, opinion in enumerate(opinions):
            self._opinion(number, opinion)

    def _problems(self, document: Document) -> None:
        for problem in document.problems:
            found = (self._file, problem.source.line, problem.code, problem.message, problem.hint)
            self._rows["problems"].append(found)

    def _lines(self, document: Document) -> None:
        """Collect the rows of a document's lines, and the blocks that they are."""
        said_by_us: list[Said] = []
        told: dict[int, list[str]] = {}
        for at, name in introduced(document.path, document.lines):
            told.setdefault(at, []).append(name)
        firsts: list[int] = []  # the row of each line
        embeds, headings = self._embeds and not document.conflict, _Headings(document.lines)
        low, last = 0, -1
        for day, lines in groupby(document.lines, attrgetter("day")):
            number, free = (day.toordinal() + 1 if day else 1), 0
            for line in lines:
                names = told.get(len(firsts), ())
                firsts.append(0)
                for piece in (line,) if len(line.text) <= LONGEST_LINE else pieces(line):
                    if line.generated:
                        said_by_us = said_by_us or [*_said_by_us(document)]
                        row = self._ours.row(said_by_us)
                    else:
                        row = free or self._first_free(number)
                        free = row + 1
                    if row != last + 1:
                        if low:
                            self._rows["blocks"].append((low, last, self._file))
                        low = row
                    last = row
                    firsts[-1] = firsts[-1] or row
                    self._line(row, piece, firsts[line.parent] if line.parent >= 0 else 0, names)
                    if embeds and not line.generated:
                        before = self._turn_before(document.lines, len(firsts) - 1) if piece is line else ""
                        self._passages(row, piece, headings[line.parent], before=before)
            if free:
                self._free[number] = free
                if free - 1 >> DAY != number:
                    raise apsw.CorruptError("the rows of a day are used up")  # a rebuild frees them
        if low:
            self._rows["blocks"].append((low, last, self._file))

    def _first_free(self, day: int) -> int:
        """Return the next free row of a day number."""
        free = self._free.get(day)
        if free is not None:
            return free
        # while everything is indexed, all days seen so far are in `_free`
        sql = "select max(row) from lines where row < ?"
        highest = self._db.one(sql, (day + 1 << DAY,)) or 0 if self._counts else 0
        return max(highest, day << DAY) + 1

    def _line(self, row: int, line: ParsedLine, parent: int, introduced: Sequence[str] = ()) -> None:
        number, height, text, _, role, _, speaker, generated, fact, outsider = line
        kept = self._ours.kept(row, _said(line)) if generated else None
        terms = "" if kept else document_terms(searchable(text, fact.entities) if fact else text)
        length = kept or 0
        if terms:
            length = terms.count(" ") + 1
            self._rows["terms"].append((row, terms))
            if self._counts is not generated:  # in bulk FTS5's vocabulary counted ours too
                (self.frequency.subtract if generated else self.frequency.update)(set(terms.split()))
        if not generated:
            self.lines += 1
            self.length += length
        place = ROLE_NUMBER[role] + (GENERATED if generated else 0)
        self._rows["lines"].append(
            (row, self._file, number, height, parent, place, length, speaker or None, text, outsider or None)
        )
        if fact is not None:
            self._facts.append((row, fact))
            return
        self._prose.append((row, line, self._speakers.get(speaker) if speaker else None, introduced))

    def _turn_before(self, lines: Sequence[ParsedLine], at: int) -> str:
        """Return the text of the turn before a line of a conversation; empty for any other line."""
        if not at or lines[at].speaker not in self._speakers or lines[at - 1].speaker not in self._speakers:
            return ""
        return lines[at - 1].text if lines[at - 1].day == lines[at].day else ""

    def _passages(self, row: int, line: ParsedLine, above: tuple[str, ...], *, before: str = "") -> None:
        """Collect the passages of a line."""
        text = searchable(line.text, line.fact.entities) if line.fact else line.text
        if is_embedded(line.role, text=text):
            self._rows["passages"] += [(passage_key(each), row) for each in passages(text, above, before=before)]

    def _mentions(self, row: int, line: ParsedLine, key: str | None, introduced: Sequence[str]) -> None:
        """Collect the names in a line that is no fact.

        Args:
            key: of its speaker; None if its label names none.
        """
        text, speaker = line.text, line.speaker
        named = {entity_key(name): (name, TAGGED) for name in reversed((*introduced, *mentions(text)))}
        if speaker and not line.outsider:
            named.setdefault(key or entity_key(speaker), (speaker, TAGGED if key else Place.LABEL))
        if not (line.generated or line.outsider):
            for name, how in name_uses(text, line.role):
                named.setdefault(entity_key(name), (name, how))
        self._rows["mentions"] += [(key, row, name, how) for key, (name, how) in named.items()]

    def _fact(self, row: int, fact: Fact) -> None:
        span, trailer = fact.valid, fact.trailer
        start = stop = None
        if span is not None:
            start = span.start.toordinal() if span.start else 0
            stop = span.end.toordinal() if span.end else OPEN
        entities = _names(fact.entities)
        said = write_trailer(trailer)[8:-4]  # between `<!-- cp:` and `-->`
        self._rows["facts"].append(
            (row, fact.id, fact.id, fact.kind.letter, fact.confidence, start, stop, fact.origin, entities, said,
             fact.block_id, trailer.outsider)
        )  # fmt: skip
        if fact.origin is not Origin.GENERATED:
            self.facts += 1
            self.bases.add(fact.id)
            for relation in RELATIONS if said else ():
                for target in getattr(trailer, relation):
                    self._rows["relations"].append((row, relation, target))
        named = {entity_key(name): name for name in reversed((*fact.entities, *fact.mentions))}  # the first spelling
        self._rows["mentions"] += [(key, row, name, TAGGED) for key, name in named.items()]

    def _claims(self, row: int, fact: Fact) -> None:
        for claim in claims(fact) if fact.origin is not Origin.GENERATED else ():
            begins = claim.begins.toordinal() if claim.begins else 0
            ends = claim.ends.toordinal() if claim.ends else OPEN
            self._rows["claims"].append((row, claim.key, claim.slot, claim.value, claim.manner, begins, ends))

    def _aliases(self, page: str, document: Document) -> None:
        key = entity_key(page)
        self._rows["aliases"].append((key, key, page, self._file))
        for name in (*document.aliases, document.title):
            if name and (alias := entity_key(name)) != key:
                self._rows["aliases"].append((alias, key, name, self._file))

    def _opinion(self, number: int, opinion: Opinion) -> None:
        line = opinion.source.line if opinion.source else 0
        updated = opinion.last_updated.toordinal() if opinion.last_updated else None
        entities = json.dumps(opinion.entities, ensure_ascii=False)
        self._rows["opinions"].append(
            (self._file, number, opinion.id, line, opinion.statement, entities, opinion.prior, opinion.confidence,
             updated, opinion.disputed_by)
        )  # fmt: skip
        for item in opinion.evidence:
            day = item.recorded.toordinal() if item.recorded else None
            self._rows["evidence"].append(
                (self._file, number, item.fact_id, item.stance.value, day, item.source.path, item.source.line,
                 item.confidence, item.origin)
            )  # fmt: skip


class _Headings(dict[int, tuple[str, ...]]):
    """Cache: position of a line -> its text after those of its headings and parent bullets; for -1 nothing."""

    def __init__(self, lines: Sequence[ParsedLine]) -> None:
        self._lines = lines

    def __missing__(self, at: int) -> tuple[str, ...]:
        found = self[at] = (*self[self._lines[at].parent], self._lines[at].text)[-ABOVE:] if at >= 0 else ()
        return found


def _dated(fact: Fact) -> Fact:
    """Return a fact with the days on which it is valid, which its parser may have left to us."""
    if fact.valid is not None or not when.may_hold(fact.content):
        return fact
    return fact._replace(valid=when.valid(fact.content, fact.recorded))


def turns(lines: Iterable[ParsedLine]) -> Counter[str]:
    """Return the number of lines with content that begin with each label; the others, and outsiders', are under "".

    Of those with a label, the ones that ask something are under `ASKING`, too.
    """
    told = [line for line in lines if line.speaker or (line.role in TOLD and not line.generated)]
    counted = Counter(["" if line.outsider else line.speaker for line in told])
    counted[ASKING] = sum(line.speaker != "" and not line.outsider and asks(line.text) for line in told)
    return counted


def asks(text: str) -> bool:
    """Return whether a line ends as a question does: a link may have the sign, too."""
    return text.rstrip(" *_\"'”»」)").endswith(("?", "？"))


def speaker_keys(counted: Mapping[str, int]) -> dict[str, str]:
    """Return the labels that name speakers, with their keys, by the `turns` of a document."""
    labels = {label: count for label, count in counted.items() if label not in ("", ASKING) and count > 0}
    if not labels:
        return {}
    lines = counted.get("", 0) + sum(labels.values())
    return {label: entity_key(label) for label in speakers(labels, lines, asking=counted.get(ASKING, 0))}


def _said_by_us(document: Document) -> Iterator[Said]:
    """Yield the term input of each of our rows."""
    for line in document.lines:
        if line.generated:
            yield from map(_said, pieces(line))


def _said(line: ParsedLine) -> Said:
    """Return the input of a line's terms."""
    return line.text, _names(line.fact.entities) if line.fact else None


def pieces(line: ParsedLine) -> Sequence[ParsedLine]:
    """Return a line, or a very long one in parts, split at spaces if there are any, else with an overlap."""
    return (line,) if len(line.text) <= LONGEST_LINE or line.fact else tuple(_parts(line))


def _parts(line: ParsedLine) -> Iterator[ParsedLine]:
    text, start = line.text, 0
    while len(text) - start > LONGEST_LINE:
        end = text.rfind(" ", start + OVERLAP + 1, start + LONGEST_LINE)
        yield line._replace(text=text[start : end if end > 0 else start + LONGEST_LINE])
        start = end + 1 if end > 0 else start + LONGEST_LINE - OVERLAP
    yield line._replace(text=text[start:])
