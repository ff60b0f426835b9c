"""Our regions in a page that people also edit: what they are, and how they are read (`renew` writes them).

    <!-- commonplace: opinions -->
    - O(c=0.90) @Peter: Prefers concise replies. ^o-4m7k
    <!-- /commonplace 5c1e90b2 q3Xd8s0Kf2 dropped o-9t2c -->

A three-way merge needs a base, and the base must outlive the index. So the end marker carries a digest of each line as
we wrote it: eight hex digits over the digests themselves (a damaged marker shows), then one word a line, four
characters of its text and six of its key where it has one. `!` after a word pins a line that a person moved, `=` before
six characters says that a person's own line stands for that key. What a person deleted is listed after `dropped`, by
key or as `~` and a digest; take a word out of that list and the line returns. A long end marker goes on in comments of
its own that begin with `<!-- /commonplace +`.

Law: outside our regions not a byte changes; inside, a line that we did not write is a person's and stays where it is.
Where that cannot be told, `problem` says why and the page is to be left alone.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_WIDTH = 116
"""Characters of an end marker's line, about."""


class Entry(NamedTuple):
    """What the end marker remembers of one line."""

    text: str
    """Digest of the line's text; empty when a person's line stands for the key."""
    key: str
    """Digest of the line's key; that of its text when it has none."""
    pinned: bool = False


class Region(NamedTuple):
    """One of our regions, as it stands in a page."""

    name: str
    start: int
    """Number of the start marker's line, from 1."""
    end: int
    """Number of the end marker's last line."""
    body: tuple[str, ...]
    """The lines between the markers, without line ends."""
    entries: tuple[Entry, ...]
    dropped: frozenset[str]
    """Words of the marker's `dropped` list, keys or `~` and a digest."""
    ours: tuple[int, ...]
    """For each line of the body: the position of its entry, -1 for a person's line, -2 for a blank one."""
    held: tuple[tuple[int, str], ...]
    """A person's lines that stand for a key of ours: position in the body and the key's digest."""

    def gone(self) -> frozenset[str]:
        """Digests of all keys that a person deleted: those listed, and those whose line is missing now."""
        present = {self.entries[at].key for at in self.ours if at >= 0} | {digest for _, digest in self.held}
        missing = {entry.key for entry in self.entries} - present
        return frozenset(word[1:] if word.startswith("~") else key_digest(word) for word in self.dropped) | missing


class Page(NamedTuple):
    """A page as far as regions go."""

    lines: tuple[str, ...]
    """Split at `\\n`; a `\\r` stays at the end."""
    regions: tuple[Region, ...]
    problem: str
    """Why the page must be left alone; empty when it need not."""
    outside: frozenset[str]
    """Ids of list items outside every region."""
    fenced: frozenset[str]
    """Names of start markers that stand in a code fence."""


@cache
def _start() -> re.Pattern[str]:
    return re.compile(r"[ \t]{0,3}<!--[ \t]*commonplace:[ \t]*([\w-]{1,40})[ \t]*-->[ \t]*$")


@cache
def _end() -> re.Pattern[str]:
    return re.compile(r"[ \t]{0,3}<!--[ \t]*/commonplace\b(?![\w:-])(.*)$", re.DOTALL)


@cache
def _visible() -> re.Pattern[str]:
    return re.compile(r"[ \t]\^([A-Za-z0-9][A-Za-z0-9-]{0,63})[ \t]*$")


@cache
def _noted() -> re.Pattern[str]:
    return re.compile(r"[ \t]\^[A-Za-z0-9][A-Za-z0-9-]{0,63}(?=[ \t]+\S[^^]*$)")


@lru_cache(1 << 16)
def digest(text: str) -> str:
    """Four characters, about 24 bits: a person's line meets one of 1,000 of ours once in 15,000 lines."""
    return _characters(text, 4)


@lru_cache(1 << 16)
def key_digest(key: str) -> str:
    """Six characters, about 36 bits: keys of one region must differ, and an opinions page may have thousands."""
    return _characters(key, 6)


def _characters(text: str, size: int) -> str:
    from hashlib import blake2b

    number = int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).digest(), "big")
    pairs = _pairs()
    out = ""
    for _ in range(size // 2):
        number, rest = divmod(number, 3844)
        out += pairs[rest]
    return out


@cache
def _pairs() -> tuple[str, ...]:
    """All pairs of signs."""
    return tuple(one + two for one in _ALPHABET for two in _ALPHABET)


def visible_id(line: str) -> str:
    """The block id at the end of a line, without `^`; empty when there is none."""
    if "^" not in line:
        return ""
    found = _visible().search(line, max(0, len(line) - 80))
    return found[1] if found else ""


def line_keys(body: Sequence[str]) -> list[str]:
    """The key that each line shows: `id`, or `parent/id` for an indented line below a list item with an id."""
    keys, parent = [], ""
    for line in body:
        shown = visible_id(line)
        if line[:1] not in (" ", "\t"):
            if line.strip():
                parent = shown
            keys.append(shown)
        else:
            keys.append(f"{parent}/{shown}" if parent and shown else shown)
    return keys


def read(text: str) -> tuple[Region, ...]:
    """The regions that can be made out, sound or not. See `damage`."""
    return read_page(text).regions if "commonplace" in text else ()


def region(text: str, name: str) -> Region | None:
    """The first region of that name."""
    return next((found for found in read(text) if found.name == name), None)


def damage(text: str, name: str = "") -> str:
    """Why a page must be left alone, in words; empty when it need not."""
    page = read_page(text)
    if page.problem:
        return page.problem
    return f"the region {name} stands in a code fence" if name in page.fenced else ""


def generated_lines(text: str) -> frozenset[int]:
    """Numbers, from 1, of the lines that stand as we left them, our markers included."""
    if "<!--" not in text or "commonplace" not in text:
        return frozenset()
    numbers: set[int] = set()
    page = read_page(text)
    for found in page.regions:
        first_of_end = found.start + len(found.body) + 1
        numbers.add(found.start)
        numbers.update(range(first_of_end, found.end + 1))
        numbers.update(found.start + 1 + at for at, entry in enumerate(found.ours) if entry >= 0)
    return frozenset(numbers)


@lru_cache(4)
def read_page(text: str) -> Page:
    """Every region of a page, with what is wrong with the page as a whole."""
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
        self.problem = ""
        self.fence = ""
        self.opened, self.name = -1, ""
        self.outside: set[str] = set()
        self.fenced: set[str] = set()

    def line(self, at: int) -> int:
        """Take in the line at this position; the position of the next one."""
        line = self.lines[at].rstrip("\r")
        marker = "commonplace" in line
        if self._in_fence(line):
            if marker and (found := _start().match(line)):
                self.fenced.add(found[1])
        elif marker and (found := _start().match(line)):
            if self.opened >= 0:
                self._wrong(f"a region begins inside the region {self.name}")
            self.opened, self.name = at, found[1]
        elif marker and (found := _end().match(line)):
            return self._end(at, found[1])
        elif line.startswith(("<<<<<<< ", ">>>>>>> ")):
            self._wrong("merge conflict markers")
        elif self.opened < 0 and (shown := visible_id(line)):
            self.outside.add(shown)
        return at + 1

    def page(self) -> Page:
        """What was found."""
        if self.opened >= 0:
            self._wrong(f"the end marker of the region {self.name} is missing")
        if len({found.name for found in self.regions}) < len(self.regions):
            self._wrong("two regions have one name")
        return Page(
            tuple(self.lines), tuple(self.regions), self.problem, frozenset(self.outside), frozenset(self.fenced)
        )

    def _wrong(self, problem: str) -> None:
        self.problem = self.problem or problem

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
        """Close the open region at the end marker that begins here; the position behind the marker."""
        tails = [tail]
        following = at + 1
        while following < len(self.lines) and (more := _end().match(self.lines[following].rstrip("\r"))):
            if not more[1].startswith(" +"):
                break
            tails.append(more[1][2:])
            following += 1
        if self.opened < 0:
            self._wrong("a region ends that does not begin")
            return following
        body = tuple(line.rstrip("\r") for line in self.lines[self.opened + 1 : at])
        words, whole = _words(tails)
        cut = words.index("dropped") if "dropped" in words else len(words)
        entries = tuple(entry for word in words[1:cut] if (entry := _entry(word)))
        sound = whole and len(entries) == max(cut - 1, 0) and words[:1] == [_check(words[1:cut])]
        if not sound and (words or any(line.strip() for line in body)):
            self._wrong(f"the end marker of the region {self.name} is damaged")
        ours, held = _match(body, entries)
        dropped = frozenset(words[cut + 1 :])
        self.regions.append(Region(self.name, self.opened + 1, following, body, entries, dropped, ours, held))
        self.opened = -1
        return following


def _words(tails: list[str]) -> tuple[list[str], bool]:
    """The words of an end marker's comments, and whether each comment ends on its line."""
    words: list[str] = []
    whole = True
    for tail in tails:
        inside, closed, after = tail.partition("-->")
        whole = whole and bool(closed) and not after.strip()
        words += inside.split()
    return words, whole


def _entry(word: str) -> Entry | None:
    pinned = word.endswith("!")
    bare = word.rstrip("!")
    if not bare.lstrip("=").isalnum() or not bare.isascii():
        return None
    if bare.startswith("=") and len(bare) == 7:
        return Entry("", bare[1:])
    if len(bare) == 4:
        return Entry(bare, bare, pinned)
    return Entry(bare[:4], bare[4:], pinned) if len(bare) == 10 else None


def _word(entry: Entry) -> str:
    if not entry.text:
        return "=" + entry.key
    return (entry.text if entry.text == entry.key else entry.text + entry.key) + ("!" if entry.pinned else "")


def _check(words: Sequence[str]) -> str:
    from hashlib import blake2b

    return blake2b(" ".join(words).encode(), digest_size=4).hexdigest()


def end_marker(entries: Sequence[Entry], dropped: Sequence[str]) -> list[str]:
    """The end marker's lines: digests, then what was dropped, wrapped into comments of a bearable width."""
    words = [_word(entry) for entry in entries]
    rest = [_check(words), *words, *(["dropped", *dropped] if dropped else [])]
    lines, line = [], "<!-- /commonplace"
    for word in rest:
        if len(line) + len(word) > _WIDTH:
            lines.append(line + " -->")
            line = "<!-- /commonplace +"
        line += " " + word
    return [*lines, line + " -->"]


def _match(body: Sequence[str], entries: Sequence[Entry]) -> tuple[tuple[int, ...], tuple[tuple[int, str], ...]]:
    """Which entry each line is, and which of a person's lines stand for a key of ours."""
    waiting: dict[str, list[int]] = {}
    for at, entry in enumerate(entries):
        if entry.text:
            waiting.setdefault(entry.text, []).append(at)
    keys = line_keys(body)
    ours = [-1 if line.strip() else -2 for line in body]
    places: dict[str, list[int]] = {}
    for place, line in enumerate(body):
        if ours[place] == -1 and (text := digest(line.rstrip())) in waiting:
            places.setdefault(text, []).append(place)
    for text, lines in places.items():
        same = waiting[text]
        if len(lines) > 1 or len(same) > 1:
            # lines with one digest: one that shows the key of an entry is that entry, whatever stands above it
            by_key = {entries[at].key: at for at in reversed(same)}
            for place in lines:
                ours[place] = by_key.pop(key_digest(keys[place]), -1) if keys[place] else -1
    _assign(places, waiting, body, ours)
    matched = {entries[at].key for at in ours if at >= 0}
    known = {entry.key: entry.text for entry in entries if entry.key not in matched}
    held: list[tuple[int, str]] = []
    for at, key in enumerate(keys if known else ()):
        if key and ours[at] == -1 and (shown := key_digest(key)) in known:
            held.append((at, shown))
            del known[shown]
    if known:
        held += _annotated(body, ours, known)
    return tuple(ours), tuple(sorted(held))


def _assign(places: dict[str, list[int]], waiting: dict[str, list[int]], body: Sequence[str], ours: list[int]) -> None:
    """Say which entry each line is, those with one digest in order; where lines are missing, by what stands beside."""
    unsure: list[tuple[list[int], list[int]]] = []
    for text, lines in places.items():
        taken = {ours[place] for place in lines}
        free = [at for at in waiting[text] if at not in taken]
        left = [place for place in lines if ours[place] < 0]
        if len(free) > len(left) > 0:
            unsure.append((left, free))
            continue
        for place, at in zip(left, free, strict=False):
            ours[place] = at
    for left, free in unsure:
        _beside(left, free, body, ours)


def _beside(places: Sequence[int], free: Sequence[int], body: Sequence[str], ours: list[int]) -> None:
    """Say which of more entries these lines are: the one whose neighbour stands beside the line, else the first."""
    left = dict.fromkeys(free)
    for step in (-1, 1):
        for place in places:
            beside = place + step
            while 0 <= beside < len(body) and ours[beside] == -2:
                beside += step
            if ours[place] < 0 and 0 <= beside < len(body) and (at := ours[beside] - step) in left:
                ours[place] = at
                del left[at]
    for place, at in zip([place for place in places if ours[place] < 0], list(left), strict=False):
        ours[place] = at


def _annotated(body: Sequence[str], ours: Sequence[int], known: dict[str, str]) -> list[tuple[int, str]]:
    """Lines of ours behind whose id a person wrote something: they go on standing for their key."""
    found = []
    parent = ""
    for at, line in enumerate(body):
        cut = _noted().search(line) if ours[at] == -1 and "^" in line else None
        bare = line[: cut.end()] if cut else line
        shown = visible_id(bare)
        if line.strip() and line[:1] not in (" ", "\t"):
            parent = shown
        elif parent and shown:
            shown = f"{parent}/{shown}"
        if cut and shown and (key := key_digest(shown)) in known and known[key] in ("", digest(bare)):
            found.append((at, key))
            del known[key]
    return found
