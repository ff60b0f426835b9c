"""Queries for the lines of logs and core files that are no facts."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from commonplace.core.markdown.slug import BANK
from commonplace.core.markdown.syntax import goes_on
from commonplace.core.model import Line, Role
from commonplace.core.recall.index_rows import StoredLine, chain, lineage
from commonplace.store.sqlite.database import listed
from commonplace.store.sqlite.index_schema import (
    DAY,
    LINE,
    ROLE_NUMBER,
    TAGGED,
    TOLD,
    WRITTEN,
    first_row,
    prose,
    stored,
)
from commonplace.store.sqlite.search_queries import SearchQueries

NARRATIVE = "x.id is null and f.conflict = 0 and l.outsider is null"
"""Condition: the line is not a fact, and is the author's."""
_TOLD = tuple(sorted(ROLE_NUMBER[role] for role in TOLD))
"""Numbers of the roles of lines with content."""
IN_ORDER = f" order by l.row >> {DAY}, f.path, l.line"
"""By day, then path and line."""


_MOST_NAMING = 100
"""Lines a name whose words tell what it is."""
_NAMING = 2
"""Headings and parent bullets above a line whose names it is about: the nearest."""


class Namings(NamedTuple):
    """Lines that name one entity."""

    lines: list[str]
    person: bool
    """Whether a conversation, USER.md or IDENTITY.md makes it known: as somebody."""


class ToldLine(NamedTuple):
    """A line of a log, and what it is about."""

    line: Line
    """With its context."""
    names: tuple[str, ...]
    """Keys of the known names in it."""
    above: dict[str, str]
    """Key of a known name in the nearest headings and bullets above it -> the text of the nearest of these."""


def _unwrapped(found: Iterable[StoredLine]) -> Iterator[StoredLine]:
    """Yield the lines in order, with sentences that continue in the next line joined."""
    whole: StoredLine | None = None
    for line in found:
        if whole is not None and _wrapped(whole, line):
            first, more = whole.line, line.line
            both = first._replace(content=f"{first.content} {more.content}", lines=first.lines + more.lines)
            whole = whole._replace(line=both)
            continue
        if whole is not None:
            yield whole
        whole = line
    if whole is not None:
        yield whole


def _wrapped(above: StoredLine, line: StoredLine) -> bool:
    """Whether a line continues the one above it."""
    if line.role is not Role.TEXT or above.role is Role.ROW or line.file != above.file or line.line.speaker:
        return False
    below = above.line.source.line + above.line.lines == line.line.source.line
    return below and line.parent in (above.row, above.parent) and goes_on(above.line.content, line.line.content)


class NarrativeQueries(SearchQueries):
    """Reads the lines in which the author tells something without stating a fact."""

    def log_lines(self, *, since: date | None = None) -> Iterator[Line]:
        """Yield every line of dated logs that is the author's and not a fact, heading or code, with its context.

        A wrapped sentence is joined into one line, at its first line.
        """
        sql = f"{LINE}where {NARRATIVE} and l.row >= ? and l.role in (?, ?, ?){IN_ORDER}"
        found = [stored(record) for record in self.all(sql, (first_row(since), *_TOLD))]
        above = self.ancestors(line.parent for line in found)
        for line in _unwrapped(found):
            if isinstance(line.line, Line):  # each is: the query asks for no other
                yield line.line._replace(context=chain(line.parent, above))

    def last_log_day(self) -> date | None:
        """Return the newest day with a line of `log_lines`."""
        sql = (
            "select l.row from lines l join files f using (file) left join facts x using (row)"
            f" where {NARRATIVE} and l.row >= ? and l.role in (?, ?, ?) order by l.row desc limit 1"
        )
        row = self.one(sql, (first_row(None), *_TOLD))
        return None if row is None else date.fromordinal((row >> DAY) - 1)

    def told_lines(self, core: Iterable[str]) -> Iterator[ToldLine]:
        """Yield the same lines of all logs and notes below `memory/`, and of core files, with the names they are about.

        Args:
            core: paths of these core files.
        """
        sql = (
            f"{LINE}where {NARRATIVE} and l.row >= {WRITTEN} and l.role in (?, ?, ?) and (l.row >= ?"
            f" or f.path like 'memory/%' or f.path in (select value from carray(?))) and f.path not like '{BANK}%'"
        )
        found = [stored(record) for record in self.all(sql + IN_ORDER, (*_TOLD, first_row(None), listed(core)))]
        names: dict[int, tuple[str, ...]] = {}
        for row, key in self.run("select row, key from named where row >= ?", (WRITTEN,)):
            names[row] = (*names.get(row, ()), key)
        above = self.ancestors(line.parent for line in found)
        for line in _unwrapped(found):
            if isinstance(line.line, Line):
                told = line.line._replace(context=chain(line.parent, above))
                over = lineage(line.parent, above)[:_NAMING]
                named = {key: above[row][2] for row in reversed(over) for key in names.get(row, ())}
                yield ToldLine(told, names.get(line.row, ()), named)

    def namings(self, people: Iterable[str], keys: Iterable[str] | None = None) -> dict[str, Namings]:
        """Return the newest lines that name each entity, among these keys or all.

        Args:
            people: paths of files that introduce somebody.
        """
        among = "" if keys is None else "and m.key in (select value from carray(?))"
        person = f"m.place = {TAGGED} and (l.speaker is m.name or f.path in (select value from carray(?)))"
        sql = (
            f"select m.key, l.text, {person} from mentions m join known k using (key) join lines l using (row)"
            " join files f using (file)"
            f" where row >= {WRITTEN} {among} order by row desc"
        )
        found: dict[str, Namings] = {}
        for key, text, is_person in self.run(sql, (listed(people), *(() if keys is None else (listed(keys),)))):
            seen = found.setdefault(key, Namings([], False))
            if len(seen.lines) < _MOST_NAMING:
                seen.lines.append(text)
            if is_person and not seen.person:
                found[key] = seen._replace(person=True)
        return found

    def stated_kinds(self) -> dict[str, str]:
        """Return page -> the kind in its front matter, in the words of whoever wrote it."""
        sql = "select f.path, l.text from lines l join files f using (file) where l.role = ? and l.text like 'kind:%'"
        found = self.run(sql, (ROLE_NUMBER[Role.META],))
        return {path: kind for path, text in found if (kind := text.partition(":")[2].strip(" \"'"))}

    def spoken(self, most: int) -> list[Line]:
        """Return the newest log lines with a speaker in the author's own account, newest first."""
        sql = f"{LINE}where l.speaker is not null and {NARRATIVE} and l.row >= ? and l.role in (?, ?, ?)"
        found = self.run(sql + " order by l.row desc limit ?", (first_row(None), *_TOLD, most))
        return [prose(record) for record in found]
