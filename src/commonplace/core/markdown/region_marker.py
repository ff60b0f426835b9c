"""The end marker of a region: a digest of each line we wrote, and how to match lines to it.

`page_regions` explains the words of a marker.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from hashlib import blake2b

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_VISIBLE = lazy_pattern(r"[ \t]\^([A-Za-z0-9][A-Za-z0-9-]{0,63})[ \t]*$")
_NOTED = lazy_pattern(r"[ \t]\^[A-Za-z0-9][A-Za-z0-9-]{0,63}(?=[ \t]+\S[^^]*$)")


PERSONS, BLANK = -1, -2
"""Instead of the position of a line's entry: a person's line, and one without text."""


class MarkedLine(NamedTuple):
    """One line as recorded in the end marker, where digests are shortened to a `Width`."""

    text: str
    """Digest of the line's text; empty if a person's line replaces it."""
    key: str
    """Digest of the line's key; if it has none, `OF_TEXT` and that of its text."""
    pinned: bool = False


class Width(NamedTuple):
    """The number of characters of each digest in an end marker."""

    text: int
    key: int
    check: int


NARROW = Width(3, 3, 6)
"""About 18 bits each: an edit that a person makes on a page is mistaken for a line of ours once in 250,000 edits."""
WIDE = Width(4, 6, 7)
"""About 24 and 36 bits: for many lines, and for keys that are never offered again once a person deleted their line."""
_MOST_NARROW = 256
"""Maximum number of lines with narrow digests."""
OF_TEXT = "."
"""Before the digest of a line without a key."""


class Keys(frozenset[str]):
    """Digests of keys, each whole or shortened; a whole digest is in it if its beginning is."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._lengths = set(map(len, self))

    def __contains__(self, key: object) -> bool:
        """Whether a digest, or its beginning, is one of these."""
        return isinstance(key, str) and self.start(key) != ""

    def start(self, key: str) -> str:
        """Return which of these is the beginning of a digest; empty if none is."""
        has = super().__contains__
        return next((key[:length] for length in self._lengths if has(key[:length])), "")


@lru_cache(1 << 16)
def digest(text: str) -> str:
    """Return six characters, about 36 bits, for a text or key; an end marker has the first of them."""
    return _spelled(text)[:6]


def _spelled(text: str) -> str:
    pairs = _pairs()
    more, first = divmod(_number(text), 3844)
    more, second = divmod(more, 3844)
    more, third = divmod(more, 3844)
    return pairs[first] + pairs[second] + pairs[third] + pairs[more % 3844]


def _number(text: str) -> int:
    """Return 48 bits of a hash of a text."""
    return int.from_bytes(_hash()(text.encode("utf-8", "surrogatepass"), digest_size=6).digest(), "big")


@cache
def _hash() -> type[blake2b]:
    from hashlib import blake2b  # the import costs 2 ms

    return blake2b


@cache
def _pairs() -> tuple[str, ...]:
    return tuple(one + two for one in _ALPHABET for two in _ALPHABET)


def visible_id(line: str) -> str:
    """Return the block id at the end of a line, without `^`; empty if there is none."""
    if "^" not in line:
        return ""
    found = _VISIBLE.search(line, max(0, len(line) - 80))
    return found[1] if found else ""


def is_ours(id: str) -> bool:
    """Whether an id was given by reflect: `o-4m7k` for an opinion, `i-k3f9a` for a proposal."""
    return id[1:2] == "-" and id[:1].isascii() and id[:1].islower()


def line_keys(body: Sequence[str]) -> list[str]:
    """Return the key that each line shows: `id`, or `parent/id` for an indented line below a list item with an id."""
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


def read_old(words: Sequence[str]) -> tuple[MarkedLine, ...] | None:
    """Parse the words of an end marker as they were written before digests were shortened; None if one is damaged."""
    found = tuple(map(_old_entry, words))
    return tuple(filter(None, found)) if all(found) else None


def _old_entry(word: str) -> MarkedLine | None:
    pinned = word.endswith("!")
    bare = word.rstrip("!")
    if not bare.lstrip("=").isalnum() or not bare.isascii():
        return None
    if bare.startswith("=") and len(bare) == 7:
        return MarkedLine("", bare[1:])
    if len(bare) == 4:
        return MarkedLine(bare, OF_TEXT + bare, pinned)
    return MarkedLine(bare[:4], bare[4:], pinned) if len(bare) == 10 else None


def read_entries(words: Sequence[str], width: Width) -> tuple[MarkedLine, ...] | None:
    """Parse the words of an end marker, of which there is at most one; None if it is damaged."""
    joined, found, at = "".join(words), [], 0
    one = _entry(width)
    while at < len(joined) and (entry := one.match(joined, at)):
        pinned, alone, replaced, text, key = (part or "" for part in entry.groups())
        found.append(MarkedLine(alone or text, OF_TEXT + alone if alone else key or replaced.rstrip("_"), bool(pinned)))
        at = entry.end()
    return tuple(found) if at == len(joined) and len(words) <= 1 else None


@lru_cache(8)
def _entry(width: Width) -> re.Pattern[str]:
    text, key = f"[A-Za-z0-9]{{{width.text}}}", f"[A-Za-z0-9]{{{width.key}}}"
    return re.compile(f"(!?)(?:[.]({text})|=([A-Za-z0-9_]{{{width.key}}})|({text})({key}))")


def _joined(entries: Sequence[MarkedLine], width: Width) -> str:
    words = []
    for entry in entries:
        key = shortened(entry.key, width)
        if not entry.text:
            word = "=" + key.ljust(width.key, "_")
        else:
            word = key if key[0] == OF_TEXT else entry.text[: width.text] + key
        words.append("!" + word if entry.pinned else word)
    return "".join(words)


def shortened(key: str, width: Width) -> str:
    """Return the digest of a key as an end marker of this width has it."""
    return key[: 1 + width.text if key[:1] == OF_TEXT else width.key]


def width_of(words: Sequence[str]) -> Width | None:
    """Return the width of an end marker by its check word; None if it was written before there were two."""
    return next((width for width in (NARROW, WIDE) if words and len(words[0]) == width.check), None)


def fitting(entries: Sequence[MarkedLine]) -> Width:
    """Return the least width in which the digests of different texts and keys differ."""
    texts = {entry.text for entry in entries}
    keys = {entry.key for entry in entries}
    if len(entries) > _MOST_NARROW:
        return WIDE
    differ = len({text[: NARROW.text] for text in texts}) == len(texts)
    return NARROW if differ and len({shortened(key, NARROW) for key in keys}) == len(keys) else WIDE


def check_word(words: Sequence[str], width: Width | None) -> str:
    """Return the first word of an end marker, over the words of its lines; None: of one that was written before."""
    from hashlib import blake2b

    told = " ".join(words)
    return _spelled(told)[: width.check] if width else blake2b(told.encode(), digest_size=4).hexdigest()


def end_marker(entries: Sequence[MarkedLine], dropped: Sequence[str] = (), *, width: Width = NARROW) -> str:
    """Return the end marker, one line: the check word, digests, then what a person deleted."""
    words = [*filter(None, [_joined(entries, width)])]
    told = [check_word(words, width), *words, *(["dropped", *dropped] if dropped else [])]
    return f"<!-- /commonplace {' '.join(told)} -->"


def match(
    body: Sequence[str], entries: Sequence[MarkedLine], width: Width
) -> tuple[tuple[int, ...], tuple[tuple[int, str], ...]]:
    """Return the entry of each line, and which of a person's lines replace ours with the same key."""
    waiting: dict[str, list[int]] = {}
    for at, entry in enumerate(entries):
        if entry.text:
            waiting.setdefault(entry.text, []).append(at)
    keys = line_keys(body)
    ours = [PERSONS if line.strip() else BLANK for line in body]
    places: dict[str, list[int]] = {}
    for place, line in enumerate(body):
        if ours[place] == PERSONS and (text := digest(line.rstrip())[: width.text]) in waiting:
            places.setdefault(text, []).append(place)
    for text, lines in places.items():
        same = waiting[text]
        if len(lines) > 1 or len(same) > 1:
            # lines with one digest: a line that shows the key of an entry is that entry, wherever it is
            by_key = {entries[at].key: at for at in reversed(same)}
            for place in lines:
                ours[place] = by_key.pop(digest(keys[place])[: width.key], PERSONS) if keys[place] else PERSONS
    _assign(places, waiting, body=body, ours=ours)
    matched = {entries[at].key for at in ours if at >= 0}
    known = {entry.key: entry.text for entry in entries if entry.key not in matched}
    starts = Keys(known)
    held: list[tuple[int, str]] = []
    for at, key in enumerate(keys if known else ()):
        if key and ours[at] == PERSONS and (shown := starts.start(digest(key))) in known:
            held.append((at, shown))
            del known[shown]
    if known:
        held += _annotated(body, ours, known=known)
    return tuple(ours), tuple(sorted(held))


def _assign(
    places: dict[str, list[int]], waiting: dict[str, list[int]], *, body: Sequence[str], ours: list[int]
) -> None:
    """Assign entries to lines, those with one digest in order; if lines are missing or added, by their neighbours."""
    unsure: list[tuple[list[int], list[int]]] = []
    for text, lines in places.items():
        taken = {ours[place] for place in lines}
        free = [at for at in waiting[text] if at not in taken]
        left = [place for place in lines if ours[place] < 0]
        if len(free) != len(left):
            unsure.append((left, free))
            continue
        for place, at in zip(left, free, strict=True):
            ours[place] = at
    for left, free in unsure:
        _beside(left, free, body=body, ours=ours)


def _beside(places: Sequence[int], free: Sequence[int], *, body: Sequence[str], ours: list[int]) -> None:
    """Assign entries to fewer or more lines: the entry whose neighbour is beside the line, else the first."""
    left = dict.fromkeys(free)
    for step in (-1, 1):
        for place in places:
            beside = place + step
            while 0 <= beside < len(body) and ours[beside] == BLANK:
                beside += step
            if not (ours[place] < 0 and 0 <= beside < len(body) and ours[beside] >= 0):
                continue
            if (at := ours[beside] - step) in left:
                ours[place] = at
                del left[at]
    for place, at in zip([place for place in places if ours[place] < 0], list(left), strict=False):
        ours[place] = at


def _annotated(body: Sequence[str], ours: Sequence[int], *, known: dict[str, str]) -> list[tuple[int, str]]:
    """Return our lines with a person's text after the id: they keep their key."""
    cuts = [_NOTED.search(line) if ours[at] == PERSONS and "^" in line else None for at, line in enumerate(body)]
    bare = [line[: cut.end()] if cut else line for line, cut in zip(body, cuts, strict=True)]
    starts = Keys(known)
    found = []
    for at, shown in enumerate(line_keys(bare)):
        if not (cuts[at] and shown and (key := starts.start(digest(shown))) in known):
            continue
        if digest(bare[at]).startswith(known[key]):
            found.append((at, key))
            del known[key]
    return found
