"""Finds our regions in a page that people also edit (`region_merge` writes them).

    <!-- commonplace: opinions -->
    - O(c=0.90) @Peter: Prefers concise replies. ^o-4m7k
    <!-- /commonplace d4Xw0b q3Xd8s dropped o-9t2c -->

A three-way merge needs a base, and the base must survive a lost index. So the end marker contains two digests of each
line as we wrote it, of its text and of its key, which is what it is about; all of them are one word. A line without a
key has `.` and one digest. `!` before them pins a line that a person moved; `=` and the digest of a key mean that a
person's own line replaces ours with that key. A check word before them reveals a damaged marker; its length tells how
long the digests are (`region_marker`). What a person deleted is listed after `dropped`, by key or as `~` and a digest;
remove a word from that list and the line returns. Markers that are written as before, a word a line and perhaps several
comments (`<!-- /commonplace +`), are read as well.

Law: outside our regions not a byte changes; inside, a line that we did not write is a person's and stays where it is.
If that cannot be decided, `problem` gives the reason and the page must be left alone.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.markdown.region_marker import (
    OF_TEXT,
    PERSONS,
    WIDE,
    Keys,
    check_word,
    digest,
    match,
    read_entries,
    read_old,
    visible_id,
    width_of,
)
from commonplace.core.markdown.structure_scanner import CONFLICTING
from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from commonplace.core.markdown.region_marker import MarkedLine, Width

_START = lazy_pattern(r"[ \t]{0,3}<!--[ \t]*commonplace:[ \t]*([\w-]{1,40})[ \t]*-->[ \t]*$")
_END = lazy_pattern(r"[ \t]{0,3}<!--[ \t]*/commonplace\b(?![\w:-])(.*)$", re.DOTALL)
CONFLICT = "merge conflict markers"
_STRAY, _TWICE = "an end marker has no start marker", "two regions have the same name"


class Region(NamedTuple):
    """One of our regions in a page."""

    name: str
    start: int
    """Number of the start marker's line, from 1."""
    end: int
    """Number of the end marker's last line."""
    body: tuple[str, ...]
    """The lines between the markers, without line ends."""
    entries: tuple[MarkedLine, ...]
    dropped: frozenset[str]
    """Words of the marker's `dropped` list, keys or `~` and a digest."""
    ours: tuple[int, ...]
    """For each line of the body: the position of its entry, `PERSONS` or `BLANK`."""
    held: tuple[tuple[int, str], ...]
    """A person's lines that replace ours with the same key: position in the body and the key's digest."""
    signed: bool
    """Whether the end marker is whole and has the right check word, which proves that we wrote the region."""
    width: Width
    """Of the digests in the end marker."""

    def keys(self) -> set[str]:
        """Return digests of the keys of our lines that are unchanged."""
        return {self.entries[at].key for at in self.ours if at >= 0}

    def gone(self) -> Keys:
        """Return digests of all keys that a person deleted: those listed, and those whose line is missing now."""
        present = self.keys() | {key for _, key in self.held}
        missing = {entry.key for entry in self.entries} - present
        return Keys(missing.union(map(dropped_key, self.dropped)))


class RegionPage(NamedTuple):
    """The regions of a page and what is wrong with it."""

    lines: tuple[str, ...]
    """Split at `\\n`; a `\\r` stays at the end."""
    regions: tuple[Region, ...]
    problem: str
    """Why the page must be left alone; else empty."""
    problem_line: int
    """Number of the line with the problem; 1 if there is none."""
    outside: tuple[tuple[int, str], ...]
    """Ids at the end of lines outside every region, whoever wrote them: line number and id."""
    begun: frozenset[str]
    """Names of all start markers, even if their regions are damaged."""
    ours: frozenset[str]
    """Names of the regions that we wrote, as their end markers prove."""
    fenced: frozenset[str]
    """Names of start markers inside a code fence."""

    def damage(self, name: str) -> str:
        """Return why a page that has, or may get, the region `name` must be left alone; else empty."""
        if self.problem:
            return self.problem
        if name in self.fenced:
            return f"the region {name} is in a code fence"
        if name and self.regions and name not in self.begun:
            return f"its region is named {self.regions[0].name}, not {name}"
        return ""


def read(text: str) -> tuple[Region, ...]:
    """Return the regions that can be recognised, sound or not. See `damage`."""
    return read_page(text).regions if "commonplace" in text else ()


def region(text: str, name: str) -> Region | None:
    """Return the first region of that name."""
    return next((found for found in read(text) if found.name == name), None)


def damage(text: str, name: str = "") -> str:
    """Return why a page must be left alone, in words; else empty."""
    return read_page(text).damage(name)


def is_doubled(text: str) -> bool:
    """Whether the first problem of a page is a second end marker, or a second region of one name."""
    return read_page(text).problem in (_STRAY, _TWICE)


def rejoined(text: str) -> str:
    """Return a page on which a merge left two end markers of a region, or the whole region twice, with the first alone.

    Lines of ours in what goes are removed, since they are made anew, as is the page's title above a second region; a
    person's lines stay.
    """
    while (page := read_page(text)).problem in (_STRAY, _TWICE):
        if page.problem == _TWICE:
            text = _without_second(page)
            continue
        above = max((found.end for found in page.regions if found.end < page.problem_line), default=0)
        rest = page.lines[above:]
        parts = read("\n".join(["<!-- commonplace: rest -->", *rest]))
        if not above or not parts:
            return text
        kept = [rest[at] for at, entry in enumerate(parts[0].ours) if entry == PERSONS]
        text = "\n".join([*page.lines[:above], *kept, *rest[parts[0].end - 1 :]])
    return text


def _without_second(page: RegionPage) -> str:
    """Return a page without the last region whose name an earlier one has."""
    names = [found.name for found in page.regions]
    second = next(found for at, found in reversed([*enumerate(page.regions)]) if found.name in names[:at])
    kept = [page.lines[second.start + at] for at, entry in enumerate(second.ours) if entry == PERSONS]
    before = list(page.lines[: second.start - 1])
    title = next((line for line in page.lines if line.startswith("# ")), None)
    last = next((at for at in reversed(range(len(before))) if before[at].strip()), 0)
    if last and before[last] == title and title in before[:last]:
        del before[last:]
    return "\n".join([*before, *kept, *page.lines[second.end :]])


def generated_lines(text: str) -> frozenset[int]:
    """Return the numbers, from 1, of the lines unchanged since we wrote them, our markers included."""
    if "<!--" not in text or "commonplace" not in text:
        return frozenset()
    numbers: set[int] = set()
    page = read_page(text)
    for found in page.regions:
        others = {found.start + 1 + at for at, entry in enumerate(found.ours) if entry < 0}
        numbers |= {*range(found.start, found.end + 1)} - others
    return frozenset(numbers)


@lru_cache(4)
def read_page(text: str) -> RegionPage:
    """Return all regions of a page, with what is wrong with the page as a whole."""
    scan = _Scan(text.split("\n"))
    at = 0
    while at < len(scan.lines):
        at = scan.line(at)
    return scan.page()


class _Scan:
    """The state of one pass over a page."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.regions: list[Region] = []
        self.problem, self.problem_line = "", 1
        self.at = 0
        self.begun: set[str] = set()
        self.fence = ""
        self.opened, self.name = -1, ""
        self.outside: list[tuple[int, str]] = []
        self.fenced: set[str] = set()

    def line(self, at: int) -> int:
        """Process the line at this position; return the position of the next one."""
        line = self.lines[at].rstrip("\r")
        self.at = at
        marker = "commonplace" in line
        if self._in_fence(line):
            if marker and (found := _START.match(line)):
                self.fenced.add(found[1])
        elif marker and (found := _START.match(line)):
            if self.opened >= 0:
                self._wrong(f"a region starts inside the region {self.name}")
            self.opened, self.name = at, found[1]
            self.begun.add(found[1])
        elif marker and (found := _END.match(line)):
            return self._end(at, found[1])
        elif line.startswith(CONFLICTING):
            self._wrong(CONFLICT)
        elif self.opened < 0 and (shown := visible_id(line)):
            self.outside.append((at + 1, shown))
        return at + 1

    def page(self) -> RegionPage:
        """Return the result."""
        if self.opened >= 0:
            self.at = self.opened
            self._wrong(f"the end marker of the region {self.name} is missing")
        if len({found.name for found in self.regions}) < len(self.regions):
            self.at = self.regions[-1].start - 1
            self._wrong(_TWICE)
        return RegionPage(
            tuple(self.lines),
            tuple(self.regions),
            self.problem,
            self.problem_line,
            tuple(self.outside),
            frozenset(self.begun),
            frozenset(found.name for found in self.regions if found.signed),
            frozenset(self.fenced),
        )

    def _wrong(self, problem: str) -> None:
        if not self.problem:
            self.problem, self.problem_line = problem, self.at + 1

    def _in_fence(self, line: str) -> bool:
        head = line.lstrip(" \t")[:3]
        if self.fence:
            if head == self.fence and not line.strip(" \t" + head[0]):
                self.fence = ""
            return True
        if head in ("```", "~~~"):
            self.fence = head
            return True
        return False

    def _end(self, at: int, tail: str) -> int:
        """Close the open region at the end marker that begins here; return the position after the marker."""
        tails = [tail]
        following = at + 1
        while following < len(self.lines) and (more := _END.match(self.lines[following].rstrip("\r"))):
            if not more[1].startswith(" +"):
                break
            tails.append(more[1][2:])
            following += 1
        if self.opened < 0:
            self._wrong(_STRAY)
            return following
        body = tuple(line.rstrip("\r") for line in self.lines[self.opened + 1 : at])
        words, whole = _words(tails)
        cut = words.index("dropped") if "dropped" in words else len(words)
        width, told = width_of(words), words[1:cut]
        entries = read_entries(told, width) if width else read_old(told)
        sound = whole and entries is not None and words[:1] == [check_word(told, width)]
        if not sound and (words or any(line.strip() for line in body)):
            self._wrong(f"the end marker of the region {self.name} is damaged")
        entries, width = entries or (), width or WIDE
        ours, held = match(body, entries, width)
        dropped = frozenset(words[cut + 1 :])
        self.regions.append(
            Region(self.name, self.opened + 1, following, body, entries, dropped, ours, held, sound, width)
        )
        self.opened = -1
        return following


def dropped_key(word: str) -> str:
    """Return the digest of the key that a word of the list after `dropped` names."""
    if not word.startswith("~"):
        return digest(word)
    return OF_TEXT + word[1:] if len(word) == 1 + WIDE.text and word[1] != OF_TEXT else word[1:]


def _words(tails: list[str]) -> tuple[list[str], bool]:
    """Return the words of an end marker's comments, and whether each comment ends on its line."""
    words: list[str] = []
    whole = True
    for tail in tails:
        inside, closed, after = tail.partition("-->")
        whole = whole and bool(closed) and not after.strip()
        words += inside.split()
    return words, whole
