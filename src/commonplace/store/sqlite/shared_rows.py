"""Reads the rows of one file as another store may keep them: those that people wrote, as far as they are shared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.documents.fact_syntax import searchable
from commonplace.core.meaning.passages import ABOVE, passage_key, passages
from commonplace.core.model import Citation, Role
from commonplace.core.text.analyzer import document_terms
from commonplace.store.sqlite.index_schema import LINE, ROLE_NUMBER, WRITTEN, stored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from commonplace.core.model import AnyLine
    from commonplace.core.recall.index_rows import StoredLine
    from commonplace.store.sqlite import Index

    Shares = Callable[[StoredLine, Sequence[str]], bool]
    """Whether a line, with the headings above it, is shared."""

WITHHELD = "[withheld]"
_PRIVATE = re.compile(
    r"^\W*share[\"']?\s*[:=]\s*(?:!!bool\s+)?[\"']?(?:false|no|n|off|0)[\"']?\s*(?:#.*)?$",
    re.IGNORECASE | re.MULTILINE,
)
"""In the front matter of a file that is not shared …"""
_FRONT = 20
"""… or anywhere in so many first lines: what was meant so must not be shared because a fence is wrong."""


class SharedFile(NamedTuple):
    """The rows of one file: of each table in the order of its columns."""

    path: str
    head: tuple[Any, ...]
    """Row of `files`."""
    rows: dict[str, list[tuple[Any, ...]]]
    terms: dict[int, str]
    """Row -> the terms of its line."""
    withheld: int
    """Lines with a secret: their words are left out."""

    def texts(self) -> list[str]:
        """Return each line with its place: `memory/2026-01-09.md#L12 Owns a kayak.`"""
        return [f"{Citation(self.path, row[2])} {row[8]}" for row in self.rows["lines"]]


class SharedRows:
    """Reads what of an index may be shared."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def states(self) -> dict[str, str]:
        """Return path -> what changes when the rows of a file do, of the files that people wrote in."""
        sql = (
            "select f.path, f.digest, f.file, min(b.low), sum(b.high - b.low + 1)"
            " from files f join blocks b using (file)"
            " where f.conflict = 0 and f.copy is null and b.high >= ? group by f.file order by f.path"
        )
        found = {path: " ".join(map(str, state)) for path, *state in self._index.all(sql, (WRITTEN,))}
        # which of several equal facts has which id depends on other files
        sql = (
            "select f.path, group_concat(x.id, ' ') from facts x join lines l using (row) join files f using (file)"
            " where x.id <> x.base group by f.path"
        )
        for path, ids in self._index.all(sql):
            if path in found:
                found[path] += f" {ids}"
        return found

    def first_rows(self, paths: Iterable[str]) -> dict[str, int]:
        """Return path -> the first row that people wrote, of these files, in the order of those rows."""
        sql = (
            "select f.path, min(b.low) from carray(?) j join files f on f.path = j.value join blocks b using (file)"
            " where b.high >= ? group by f.file order by 2"
        )
        return dict(self._index.all(sql, (self._index.listed(paths), WRITTEN)))

    def headings(self) -> list[tuple[Citation, str]]:
        """Return the headings that people wrote, with their places."""
        sql = (
            "select f.path, l.line, l.text from lines l join files f using (file)"
            " where l.row >= ? and l.role = ? order by f.path, l.line"
        )
        found = self._index.all(sql, (WRITTEN, ROLE_NUMBER[Role.HEADING]))
        return [(Citation(path, line), text) for path, line, text in found]

    def digest(self, path: str) -> str:
        """Return the digest of a file as it was read."""
        found: str = self._index.one("select digest from files where path = ?", (path,)) or ""
        return found

    def file(
        self,
        path: str,
        *,
        shares: Shares,
        secret: frozenset[int],
        forgotten: Callable[[AnyLine], bool] = lambda _: False,
    ) -> SharedFile | None:
        """Return the rows of a file that are shared, with the headings and bullets above them; None if none is.

        Args:
            secret: numbers of the lines of the file that are part of a secret.
            forgotten: whether a line was forgotten: it is not shared, and above one that is, it has no words.
        """
        within = "join blocks b on b.file = f.file where f.path = ? and l.row between max(b.low, ?) and b.high"
        records = self._index.all(f"{LINE}{within} order by l.row", (path, WRITTEN))
        lines = {record[0]: stored(record) for record in records}
        first = (line.line.content for line in lines.values() if line.line.source.line <= _FRONT)
        if any(map(_PRIVATE.search, first)):
            return None
        wanted: set[int] = set()
        asked: set[int] = set()
        buried = {row for row, line in lines.items() if forgotten(line.line)}
        for row, line in lines.items():
            above = _above(line, lines)
            if row not in buried and shares(line, [lines[each].line.content for each in above]):
                asked.add(row)
                wanted.update((row, *above))
        if not wanted:
            return None
        hidden = {
            row
            for row, line in lines.items()
            if not secret.isdisjoint(range(line.line.source.line, line.line.source.line + max(1, line.line.lines)))
        }
        found = _rows(self._index, path, lines, wanted=wanted, asked=asked, secret=(hidden | buried) & wanted)
        return found._replace(withheld=len(hidden & wanted))

    def known(self) -> dict[str, tuple[int, int]]:
        """Return key -> (how it is tagged, whether it is used) of all known names."""
        found = self._index.all("select key, tagged, used from known order by key")
        return {key: (tagged, used) for key, tagged, used in found}


def _above(line: StoredLine, lines: Mapping[int, StoredLine]) -> list[int]:
    """The rows of all headings and bullets above a line, the nearest first, however many there are."""
    found = []
    at = line.parent
    while at in lines and at not in found:
        found.append(at)
        at = lines[at].parent
    return found


def _rows(
    index: Index, path: str, lines: dict[int, StoredLine], *, wanted: set[int], asked: set[int], secret: set[int]
) -> SharedFile:
    """Args:
    wanted: rows that are shared, or above one that is: of those only the text. asked: the former.
    """
    ((file, *_),) = head = index.all("select * from files where path = ?", (path,))
    open_rows = wanted - secret
    among = index.listed(sorted(wanted))
    readable = index.listed(sorted(open_rows))
    stated = index.listed(sorted(asked - secret))

    def of(table: str, rows: object) -> list[tuple[Any, ...]]:
        sql = f"select t.* from carray(?) j cross join {table} t on t.row = j.value"
        return index.all(sql, (rows,)) if rows is not None else []

    found = {table: of(table, stated) for table in ("facts", "relations", "claims")}
    found["mentions"] = of("mentions", readable)
    found["lines"] = [_without_words(row) if row[0] in secret else row for row in of("lines", among)]
    found["blocks"] = index.all("select * from blocks where file = ? and high >= ?", (file, WRITTEN))
    told = "\n".join(lines[row].line.content for row in open_rows).casefold()
    aliases = index.all("select * from aliases where file = ?", (file,))
    found["aliases"] = [each for each in aliases if each[0] == each[1] or _has_word(told, each[2].casefold())]
    found["chunks"] = [(number,) for (number,) in index.all("select file from chunks where file = ?", (file,))]
    places = {line.line.source.line for row, line in lines.items() if row in asked - secret}
    opinions = index.all("select * from opinions where file = ?", (file,))
    found["opinions"] = [each for each in opinions if each[3] in places]
    numbers = {each[1] for each in found["opinions"]}
    sql = "select rowid, file, opinion, fact, stance, day, path, line, confidence, src from evidence where file = ?"
    found["evidence"] = [each for each in index.all(f"{sql} order by rowid", (file,)) if each[2] in numbers]
    found["passages"] = _passages(of("passages", readable), lines, shared=open_rows)
    names = {row[0]: row[8] for row in found["facts"]}
    terms = {}
    for row in found["lines"]:
        if row[0] in open_rows:
            text = row[8]
            terms[row[0]] = document_terms(searchable(text, lines[row[0]].line.entities) if row[0] in names else text)
    number, _, digest, page, _, *more = head[0]  # its title may be of a line that is not shared
    return SharedFile(path, (number, path, digest, page, None, *more), found, terms, len(secret))


def _passages(
    stored_keys: Iterable[tuple[int, int]], lines: Mapping[int, StoredLine], *, shared: set[int]
) -> list[tuple[int, int]]:
    """The passages, as (key, row), of which every part is shared: a vector tells of headings and of the turn before."""
    alone: dict[int, set[int]] = {}
    found = []
    for key, row in stored_keys:
        line, above = lines[row], _above(lines[row], lines)[:ABOVE]
        if not shared.issuperset(above):
            continue
        if row not in alone:
            text = searchable(line.line.content, line.line.entities if line.is_fact else ())
            told = [lines[each].line.content for each in reversed(above)]
            alone[row] = {passage_key(each) for each in passages(text, told)}
        if key in alone[row] or shared.issuperset(_line_before(row, lines)):
            found.append((key, row))
    return found


def _has_word(text: str, name: str) -> bool:
    """Whether a folded text has a name, not only as a part of a longer word; in a script without spaces anywhere."""
    return re.search(rf"(?<![a-zà-ɏа-яё0-9]){re.escape(name)}(?![a-zà-ɏа-яё0-9])", text) is not None


def _line_before(row: int, lines: Mapping[int, StoredLine]) -> list[int]:
    """The rows of the line before one of a file, which may be the turn before."""
    place = lines[row - 1].line.source.line if row - 1 in lines else 0
    found = [row - 1]
    while found[-1] - 1 in lines and lines[found[-1] - 1].line.source.line == place:
        found.append(found[-1] - 1)
    return found


def _without_words(row: tuple[Any, ...]) -> tuple[Any, ...]:
    number, file, line, count, parent, role, *_ = row
    return (number, file, line, count, parent, role, 0, None, WITHHELD, None)
