"""Replaces the rows of the changed part of a large file. Call it in a transaction.

Law: the index then has the same content as after indexing the whole file, except for unused rows: after lines were
removed from the middle of a file, the lines above and below are not in adjacent rows until the whole file is indexed.
"""

from __future__ import annotations

from collections import Counter
from marshal import loads
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.documents.chunking import Chunk, ScanState
from commonplace.store.sqlite.index_schema import DAY, ROLE_NUMBER, TOLD, WRITTEN
from commonplace.store.sqlite.writing.document_rows import ASKING, Rows, asks, pieces, speaker_keys, turns, written
from commonplace.store.sqlite.writing.indexer import DocumentWriter
from commonplace.store.sqlite.writing.known_mentions import settle
from commonplace.store.sqlite.writing.row_removal import COUNTED, forget_rows, uncount

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.documents.parsed_document import ParsedLine
    from commonplace.core.documents.reread import Part
    from commonplace.store.sqlite.database import Database


class _Place(NamedTuple):
    """Rows of the lines to be removed, and rows free for the new lines."""

    file: int
    block: int
    """First row of their block."""
    low: int
    high: int
    """First and last row to be removed."""
    free: int
    """The row after the last usable one."""


def _place(db: Database, file: int, *, rows: list[int], more: bool) -> _Place | None:
    """Return the place of these rows; None if they are in several blocks, or cannot grow.

    Args:
        more: they are the last ones of the file, and more may follow.
    """
    if not rows or rows[0] < WRITTEN:
        return None
    found = db.all("select low, high from blocks where file = ? and low <= ? and high >= ?", (file, rows[0], rows[-1]))
    if not found:
        return None
    [(block, high)] = found
    if more:
        day = rows[0] >> DAY
        last = db.one("select max(row) from lines where row < ?", (day + 1 << DAY,))
        if rows[-1] != last or high != last:
            return None
        free = day + 1 << DAY
    else:
        free = db.one("select min(row) from lines where row > ?", (rows[-1],))
    return _Place(file, block, rows[0], rows[-1], free)


def _given(place: _Place, lines: Iterable[ParsedLine]) -> list[list[int]] | None:
    """Return the rows of each line; None if there are not enough, or a line is of another day or generated."""
    found, row, day = [], place.low, place.low >> DAY
    for line in lines:
        count = len(pieces(line))
        if (line.day.toordinal() + 1 if line.day else 1) != day or line.generated:
            return None
        found.append([*range(row, row + count)])
        row += count
    return found if place.free is not None and row <= place.free else None


def _speakers(
    db: Database, file: int, *, gone: Iterable[tuple[Any, ...]], lines: Iterable[ParsedLine]
) -> dict[str, str] | None:
    """Return the speakers of the file with their keys; None if they change, because other lines would change, too."""
    told = sorted(ROLE_NUMBER[role] for role in TOLD)
    sql = (
        "select iif(l.outsider is null, coalesce(l.speaker, ''), ''), count(distinct l.line) from blocks b"
        " join lines l on l.row between b.low and b.high"
        " where b.file = ? and (l.speaker is not null or l.role in (?, ?, ?)) group by 1"
    )
    asked = (
        "select count(distinct l.line) from blocks b join lines l on l.row between b.low and b.high"
        " where b.file = ? and l.speaker is not null and l.outsider is null"
        " and (instr(l.text, '?') or instr(l.text, '？'))"
    )
    before = Counter(dict(db.all(sql, (file, *told))))
    before[ASKING] = db.one(asked, (file,))
    after = before.copy()
    removed, asking = set(), set()
    for _, text, _, role, _, _, _, line, speaker, outsider in gone:
        if speaker or role in told:
            removed.add((line, "" if outsider else speaker or ""))
        if speaker and not outsider and asks(text):
            asking.add(line)
    after.subtract(Counter(speaker for _, speaker in removed))
    after[ASKING] -= len(asking)
    after.update(turns(lines))
    found = speaker_keys(after)
    return found if found == speaker_keys(before) else None


def _rows_above(db: Database, part: Part, *, file: int) -> list[int] | None:
    """Return the row of each line above that was not read again; None if one is missing."""
    numbers = [line.number for line in part.document.lines[: part.above]]
    sql = (
        "select l.line, min(l.row) from blocks b join lines l on l.row between b.low and b.high"
        " where b.file = ? and l.line in (select value from carray(?)) group by 1"
    )
    found = dict(db.all(sql, (file, db.listed(numbers))))
    return [found[number] for number in numbers] if found.keys() == set(numbers) else None


class IndexWriter(DocumentWriter):
    """Writes whole files into the index, or the changed part of a large one. Call it in a transaction."""

    def chunks(self, path: str) -> tuple[Chunk, ...]:
        """Return the chunks of a file as indexed; an empty tuple for a small file."""
        blob = self._db.one("select value from chunks join files using (file) where path = ?", (path,))
        try:
            return tuple(Chunk(ScanState(*mark), size, digest) for mark, size, digest in loads(blob)) if blob else ()
        except (EOFError, TypeError, ValueError):  # then the caller reads the whole file
            return ()

    def splice(self, part: Part, *, digest: str) -> bool:
        """Index the changed part of a file; return False, with nothing changed, if the whole file must be indexed."""
        path = part.document.path
        lines = part.document.lines[part.above :]
        file = self._db.one("select file from files where path = ? and page is null and copy is null", (path,))
        if file is None or not lines or self._db.one("select exists (select 1 from opinions where file = ?)", (file,)):
            return False
        sql = f"{COUNTED} where b.file = ? and l.line >= ? and l.line < ? order by l.row"
        gone = self._db.all(sql, (file, part.start, part.stop or 1 << 62))
        place = _place(self._db, file, rows=[row for row, *_ in gone], more=not part.stop)
        said = _speakers(self._db, file, gone=gone, lines=lines)
        if place is None or said is None or (said and self._db.embeds):
            # passages of a conversation depend on the lines before them
            return False
        rows = _given(place, lines)
        above = _rows_above(self._db, part, file=file)
        if rows is None or above is None:
            return False

        changed = Rows(self._db, count=True)
        changed.bases = uncount(self._db, gone)
        forget_rows(self._db, place.low, high=place.high, touched=changed.touched)
        if part.shift:
            sql = (
                "update lines set line = line + ? where line >= ? and row in"
                " (select l.row from blocks b join lines l on l.row between b.low and b.high where b.file = ?)"
            )
            self._db.run(sql, (part.shift, part.stop, file))
        self._db.run(
            "delete from problems where file = ? and line >= ? and line < ?", (file, part.start, part.stop or 1 << 62)
        )
        self._db.run(
            "update problems set line = line + ? where file = ? and line >= ?", (part.shift, file, part.stop or 1 << 62)
        )
        changed.add_lines(
            file,
            part,
            rows=rows,
            above=above,
            speakers=said,
        )
        changed.finish()
        settle(self._db, changed.touched)
        if not part.stop:
            self._db.run("update blocks set high = ? where low = ?", (rows[-1][-1], place.block))
        self._db.run("update files set digest = ? where file = ?", (digest, file))
        self._db.run("insert or replace into chunks values (?, ?)", (file, written(part.chunks)))
        return True
