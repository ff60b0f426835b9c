"""Queries for the lines of logs and core files that are no facts."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

from commonplace.core.markdown.slug import BANK
from commonplace.core.markdown.syntax import goes_on
from commonplace.core.model import Line, Role
from commonplace.core.recall.index_rows import StoredLine, chain, lineage
from commonplace.core.text.analyzer import document_terms
from commonplace.store.sqlite.index_schema import (
    BY_HAND,
    DAY,
    INSIDE,
    LINE,
    ROLE_NUMBER,
    TAGGED,
    TOLD,
    WRITTEN,
    first_row,
    last_row,
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


NAMED_IN = "select n.row, n.key from carray(?) j cross join named n on n.row = j.value"
"""Known names in lines."""
_MOST_NAMING = 100
"""Lines a name whose words tell what it is."""
_SMALL = 3
"""How much more often a word stands in small letters than with a capital within a sentence, to be no name: of the names
known in nine workspaces it leaves Docker, Gmail and Telegram, and takes Novelty and Causal (docs/decisions/0018)."""
_NAMING = 2
"""Headings and parent bullets above a line whose names it is about: the nearest."""


_AS_PERSON = (
    f"m.place = {TAGGED} and (l.speaker is m.name"
    " or l.file in (select file from files where path in (select value from carray(?))))"
)
"""Condition: a mention makes a name known as that of a person."""


class Namings(NamedTuple):
    """Lines that name one entity."""

    lines: list[str]
    person: bool
    """Whether a conversation, USER.md or IDENTITY.md makes it known: as somebody."""


class NameSeen(NamedTuple):
    """A line that uses a possible name."""

    name: str
    text: str
    path: str
    day: date | None


class ToldLine(NamedTuple):
    """A line that people wrote, and what is above it."""

    line: Line
    """With its context."""
    rows: tuple[int, ...]
    """Its row, and those of the lines in which it goes on."""
    above: tuple[tuple[int, str], ...]
    """Row and text of the nearest headings and bullets above it, the nearest first."""
    start: str
    """The text of its first row."""


FileMark = list[Any]
"""What changes when a file, or the rows of its lines, do."""


def _unwrapped(found: Iterable[StoredLine]) -> Iterator[tuple[StoredLine, tuple[int, ...], str]]:
    """Yield the lines in order, with sentences that continue in the next line joined, their rows, and the text of the
    first of these."""
    parts: list[StoredLine] = []
    for line in found:
        if parts and not _wrapped(parts[0], parts[-1], line):
            yield _joined(parts)
            parts = []
        parts.append(line)
    if parts:
        yield _joined(parts)


def _joined(parts: Sequence[StoredLine]) -> tuple[StoredLine, tuple[int, ...], str]:
    """Return the lines as one: joined once, because an export of a chat may go on for megabytes."""
    first = parts[0]
    if len(parts) == 1:  # as most
        return first, (first.row,), first.line.content
    rows = tuple(part.row for part in parts)
    whole = first.line._replace(
        content=" ".join(part.line.content for part in parts), lines=sum(part.line.lines for part in parts)
    )
    return first._replace(line=whole), rows, first.line.content


def _wrapped(first: StoredLine, last: StoredLine, line: StoredLine) -> bool:
    """Whether a line continues the one that began at `first` and so far ends with `last`."""
    if line.role is not Role.TEXT or first.role is Role.ROW or line.file != first.file or line.line.speaker:
        return False
    below = last.line.source.line + last.line.lines == line.line.source.line
    return below and line.parent in (first.row, first.parent) and goes_on(last.line.content, line.line.content)


class NarrativeQueries(SearchQueries):
    """Reads the lines in which the author tells something without stating a fact."""

    def log_lines(self, *, since: date | None = None) -> Iterator[Line]:
        """Yield every line of dated logs that is the author's and not a fact, heading or code, with its context.

        A wrapped sentence is joined into one line, at its first line.
        """
        sql = f"{LINE}where {NARRATIVE} and l.row >= ? and l.role in (?, ?, ?){IN_ORDER}"
        found = [stored(record) for record in self.all(sql, (first_row(since), *_TOLD))]
        above = self.ancestors(line.parent for line in found)
        for line, _, _ in _unwrapped(found):
            if isinstance(line.line, Line):  # each is: the query asks for no other
                yield line.line._replace(context=chain(line.parent, above))

    def told_days(self, first: date | None, last: date | None) -> list[tuple[date, str, int, int]]:
        """Return (day, path, lines with content, facts among them) of each file and day, oldest first, then by path.

        Conflict copies and what we generated are left out.

        Args:
            first, last: the days between which, both included; None is an open end.
        """
        told = ", ".join(map(str, _TOLD))
        sql = (
            f"select b.low >> {DAY}, f.path,"
            f" (select count(*) from lines l where l.row between b.low and b.high and l.role in ({told})) as lines,"
            " (select count(*) from facts x where x.row between b.low and b.high)"
            " from blocks b join files f using (file)"
            " where b.low between ? and ? and f.copy is null and lines order by 1, 2"
        )
        found = self.run(sql, (first_row(first), last_row(last)))
        return [(date.fromordinal(day - 1), path, lines, facts) for day, path, lines, facts in found]

    def last_log_day(self) -> date | None:
        """Return the newest day with a line of `log_lines`."""
        sql = (
            "select l.row from lines l join files f using (file) left join facts x using (row)"
            f" where {NARRATIVE} and l.row >= ? and l.role in (?, ?, ?) order by l.row desc limit 1"
        )
        row = self.one(sql, (first_row(None), *_TOLD))
        return None if row is None else date.fromordinal((row >> DAY) - 1)

    def told_files(self) -> dict[str, FileMark]:
        """Return path -> mark of each file with lines that people wrote, except pages, copies and what is empty.

        While a mark is the same, so are the lines of the file and their rows.
        """
        noted = self.noted()
        if "told files" not in noted:  # a reflect asks several times
            sql = (
                "select f.path, f.digest, count(*), sum(l.row) from lines l join files f using (file)"
                f" where l.row >= {WRITTEN} and f.conflict = 0 and f.path not like '{BANK}%' group by f.file"
            )
            noted["told files"] = {path: mark for path, *mark in self.all(sql)}
        found: dict[str, FileMark] = noted["told files"]
        return found

    def told_lines(self, paths: Iterable[str]) -> Iterator[ToldLine]:
        """Yield the lines of these files that `log_lines` would tell, dated or not, in the order of path and line."""
        sql = (
            f"{LINE}where {NARRATIVE} and l.row >= {WRITTEN} and l.role in (?, ?, ?)"
            " and f.path in (select value from carray(?)) order by f.path, l.line"
        )
        yield from self._told(self.all(sql, (*_TOLD, self.listed(paths))))

    def told_at(self, rows: Iterable[int]) -> Iterator[ToldLine]:
        """Yield those that begin or go on in these rows, in the same order."""
        sql = LINE.replace("from lines l", "from carray(?) j cross join lines l on l.row = j.value")
        yield from self._told(self.all(f"{sql} order by f.path, l.line", (self.listed(rows),)))

    def _told(self, records: Iterable[tuple[Any, ...]]) -> Iterator[ToldLine]:
        found = list(map(stored, records))
        above = self.ancestors(line.parent for line in found)
        read: dict[int, tuple[tuple[str, ...], tuple[tuple[int, str], ...]]] = {}  # most lines share theirs
        for line, rows, start in _unwrapped(found):
            if isinstance(line.line, Line):
                if line.parent not in read:
                    names = tuple((row, above[row][2]) for row in lineage(line.parent, above)[:_NAMING])
                    read[line.parent] = chain(line.parent, above), names
                context, names = read[line.parent]
                yield ToldLine(line.line._replace(context=context), rows, names, start)

    def names_in_rows(self, rows: Iterable[int] | None = None) -> dict[int, tuple[str, ...]]:
        """Return row -> keys of the known names in it, of these rows or of all lines that people wrote."""
        names: dict[int, tuple[str, ...]] = {}
        every = "select row, key from named where row >= ?"
        for row, key in self.run(every, (WRITTEN,)) if rows is None else self._named_in(rows):
            names[row] = (*names[row], key) if row in names else (key,)
        return names

    def _named_in(self, rows: Iterable[int]) -> Iterable[tuple[int, str]]:
        return self.all(NAMED_IN, (self.listed(rows),))

    def lines_of_names(self) -> dict[str, int]:
        """Return key -> number of the lines that people wrote with each known name."""
        return dict(self.all("select key, count(*) from named where row >= ? group by key", (WRITTEN,)))

    def tagged_names(self) -> set[str]:
        """Return the keys of the names that people tag or files introduce, whose lines need not show what they are."""
        return {key for (key,) in self.run("select key from known where tagged = ?", (BY_HAND,))}

    def namings(self, people: Iterable[str], keys: Iterable[str] | None = None) -> dict[str, Namings]:
        """Return the newest lines that name each entity, among these keys or all.

        Args:
            people: paths of files that introduce somebody.
        """
        among = "" if keys is None else "where k.key in (select value from carray(?1))"
        given = () if keys is None else (self.listed(keys),)
        known = [key for (key,) in self.all(f"select key from known k {among}", given)]
        newest = (
            "select l.text from mentions m join lines l using (row)"
            f" where m.key = ? and row >= {WRITTEN} order by row desc limit {_MOST_NAMING}"
        )
        is_person = (
            f"select exists (select 1 from mentions m join lines l using (row) where m.key = ? and row >= {WRITTEN}"
            f" and {_AS_PERSON})"
        )
        paths = [*people]
        found = {}
        for key in known:  # one at a time: of a name with thousands of lines only the newest are read
            if lines := [text for (text,) in self.run(newest, (key,))]:
                found[key] = Namings(lines, bool(self.one(is_person, (key, self.listed(paths)))))
        return found

    def is_somebody(self, people: Iterable[str], keys: Iterable[str]) -> bool:
        """Return whether a conversation, or one of these files, makes one of these entities known as a person."""
        sql = (
            "select exists (select 1 from carray(?) j cross join mentions m on m.key = j.value"
            f" join lines l using (row) where row >= {WRITTEN} and {_AS_PERSON}"
            " and exists (select 1 from known k where k.key = m.key))"
        )
        return bool(self.one(sql, (self.listed(keys), self.listed(people))))

    def words_among(self, keys: Iterable[str]) -> set[str]:
        """Return the keys of names of one word that lines use as an ordinary word much more often: of `Novelty`, where
        the logs are full of "novelty". All forms of the word count; what stands in paths and code does not.
        """
        from commonplace.core.entities.known_names import share_in_small, usual_spelling  # not needed by a recall

        terms = {key: document_terms(key).split(" ", 1)[0] for key in keys if key.isalpha()}
        often = self.frequencies({*terms.values()})
        sql = (
            f"select m.key, min(m.name), max(m.name), sum(m.place = {INSIDE}) from carray(?) j"
            f" cross join mentions m on m.key = j.value where m.row >= {WRITTEN} group by m.key"
        )
        used = self.all(sql, (self.listed(sorted(terms)),))
        asked = {
            key: (name, _SMALL * inside / often[terms[key]])
            for key, first, last, inside in used
            if (name := usual_spelling(first, last))[1:].islower() and often[terms[key]]
        }
        newest = (
            "select l.text from terms t join lines l on l.row = t.rowid join files f using (file)"
            f" where terms match ? and l.row >= {WRITTEN} order by l.row >> {DAY} desc, f.path, l.line"
            f" limit {_MOST_NAMING}"
        )
        return {
            key
            for key, (name, least) in asked.items()
            if least < 1 and least < share_in_small(name, (text for (text,) in self.run(newest, (f'"{terms[key]}"',))))
        }

    def possible_names(self) -> dict[str, list[NameSeen]]:
        """Return key -> the uses, newest first, of each name that is not known, though it stands within a sentence and
        lines of several days use it.
        """
        sql = (
            "with possible as (select key from mentions m where row >= ? and not exists (select 1 from known k"
            f" where k.key = m.key) group by key having sum(place = {INSIDE})"
            f" and min(row) >> {DAY} < max(row) >> {DAY})"
            " select m.key, m.name, m.row, l.text, f.path from possible p cross join mentions m on m.key = p.key"
            " join lines l using (row) join files f using (file)"
            " where row >= ? and l.outsider is null and f.conflict = 0"
            f" order by row >> {DAY} desc, f.path desc, l.line desc"  # rows of one day are in the order of indexing
        )
        found: dict[str, list[NameSeen]] = {}
        for key, name, row, text, path in self.run(sql, (WRITTEN, WRITTEN)):
            day = date.fromordinal((row >> DAY) - 1) if row >= first_row(None) else None
            found.setdefault(key, []).append(NameSeen(name, text, path, day))
        return found

    def stated_kinds(self, pages: Iterable[str] | None = None) -> dict[str, str]:
        """Return page -> the kind in its front matter, in the words of whoever wrote it; of these pages, or of all."""
        among = "" if pages is None else " and f.path in (select value from carray(?))"
        sql = (
            "select f.path, l.text from files f cross join blocks b using (file)"
            " cross join lines l on l.row between b.low and b.high where l.role = ? and l.text like 'kind:%'"
        )
        found = self.run(sql + among, (ROLE_NUMBER[Role.META], *(() if pages is None else (self.listed(pages),))))
        return {path: kind for path, text in found if (kind := text.partition(":")[2].strip(" \"'"))}

    def spoken(self, most: int) -> list[Line]:
        """Return the newest log lines with a speaker in the author's own account, newest first."""
        sql = f"{LINE}where l.speaker is not null and {NARRATIVE} and l.row >= ? and l.role in (?, ?, ?)"
        found = self.run(sql + " order by l.row desc limit ?", (first_row(None), *_TOLD, most))
        return [line for line in map(prose, found) if line.speaker]
