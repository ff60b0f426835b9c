"""The end marker of a region: a digest of each line we wrote, and how to match lines to it.

`page_regions` explains the words of a marker.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_WIDTH = 116
"""Approximate width of an end marker's line, in characters."""
_VISIBLE = lazy_pattern(r"[ \t]\^([A-Za-z0-9][A-Za-z0-9-]{0,63})[ \t]*$")
_NOTED = lazy_pattern(r"[ \t]\^[A-Za-z0-9][A-Za-z0-9-]{0,63}(?=[ \t]+\S[^^]*$)")


PERSONS, BLANK = -1, -2
"""Instead of the position of a line's entry: a person's line, and one without text."""


class MarkedLine(NamedTuple):
    """One line as recorded in the end marker."""

    text: str
    """Digest of the line's text; empty if a person's line replaces it."""
    key: str
    """Digest of the line's key; of its text if it has none."""
    pinned: bool = False


@lru_cache(1 << 16)
def digest(text: str) -> str:
    """Return four characters, about 24 bits: a person's line collides with one of 1,000 of ours once in 15,000."""
    number, pairs = _number(text), _pairs()
    return pairs[number % 3844] + pairs[number // 3844 % 3844]


@lru_cache(1 << 16)
def key_digest(key: str) -> str:
    """Return six characters, about 36 bits: keys of one region must differ, and an opinions page may have thousands."""
    number, pairs = _number(key), _pairs()
    return pairs[number % 3844] + pairs[number // 3844 % 3844] + pairs[number // 3844**2 % 3844]


def _number(text: str) -> int:
    """Return 48 bits of a hash of a text."""
    from hashlib import blake2b  # the import costs 2 ms

    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).digest(), "big")


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


def read_entry(word: str) -> MarkedLine | None:
    """Parse one word of an end marker; None if it is damaged."""
    pinned = word.endswith("!")
    bare = word.rstrip("!")
    if not bare.lstrip("=").isalnum() or not bare.isascii():
        return None
    if bare.startswith("=") and len(bare) == 7:
        return MarkedLine("", bare[1:])
    if len(bare) == 4:
        return MarkedLine(bare, bare, pinned)
    return MarkedLine(bare[:4], bare[4:], pinned) if len(bare) == 10 else None


def _word(entry: MarkedLine) -> str:
    if not entry.text:
        return "=" + entry.key
    return (entry.text if entry.text == entry.key else entry.text + entry.key) + ("!" if entry.pinned else "")


def check_word(words: Sequence[str]) -> str:
    """Return the first word of an end marker: eight hex digits over the words of its lines."""
    from hashlib import blake2b

    return blake2b(" ".join(words).encode(), digest_size=4).hexdigest()


def end_marker(entries: Sequence[MarkedLine], dropped: Sequence[str]) -> list[str]:
    """Return the end marker's lines: digests, then what was dropped, wrapped into comments of readable width."""
    words = [_word(entry) for entry in entries]
    rest = [check_word(words), *words, *(["dropped", *dropped] if dropped else [])]
    lines, line = [], "<!-- /commonplace"
    for word in rest:
        if len(line) + len(word) > _WIDTH:
            lines.append(line + " -->")
            line = "<!-- /commonplace +"
        line += " " + word
    return [*lines, line + " -->"]


def match(body: Sequence[str], entries: Sequence[MarkedLine]) -> tuple[tuple[int, ...], tuple[tuple[int, str], ...]]:
    """Return the entry of each line, and which of a person's lines replace ours with the same key."""
    waiting: dict[str, list[int]] = {}
    for at, entry in enumerate(entries):
        if entry.text:
            waiting.setdefault(entry.text, []).append(at)
    keys = line_keys(body)
    ours = [PERSONS if line.strip() else BLANK for line in body]
    places: dict[str, list[int]] = {}
    for place, line in enumerate(body):
        if ours[place] == PERSONS and (text := digest(line.rstrip())) in waiting:
            places.setdefault(text, []).append(place)
    for text, lines in places.items():
        same = waiting[text]
        if len(lines) > 1 or len(same) > 1:
            # lines with one digest: a line that shows the key of an entry is that entry, wherever it is
            by_key = {entries[at].key: at for at in reversed(same)}
            for place in lines:
                ours[place] = by_key.pop(key_digest(keys[place]), PERSONS) if keys[place] else PERSONS
    _assign(places, waiting, body=body, ours=ours)
    matched = {entries[at].key for at in ours if at >= 0}
    known = {entry.key: entry.text for entry in entries if entry.key not in matched}
    held: list[tuple[int, str]] = []
    for at, key in enumerate(keys if known else ()):
        if key and ours[at] == PERSONS and (shown := key_digest(key)) in known:
            held.append((at, shown))
            del known[shown]
    if known:
        held += _annotated(body, ours, known=known)
    return tuple(ours), tuple(sorted(held))


def _assign(
    places: dict[str, list[int]], waiting: dict[str, list[int]], *, body: Sequence[str], ours: list[int]
) -> None:
    """Assign entries to lines, those with one digest in order; if lines are missing, by their neighbours."""
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
        _beside(left, free, body=body, ours=ours)


def _beside(places: Sequence[int], free: Sequence[int], *, body: Sequence[str], ours: list[int]) -> None:
    """Assign entries to fewer lines: to each the entry whose neighbour is beside the line, else the first."""
    left = dict.fromkeys(free)
    for step in (-1, 1):
        for place in places:
            beside = place + step
            while 0 <= beside < len(body) and ours[beside] == BLANK:
                beside += step
            if ours[place] < 0 and 0 <= beside < len(body) and (at := ours[beside] - step) in left:
                ours[place] = at
                del left[at]
    for place, at in zip([place for place in places if ours[place] < 0], list(left), strict=False):
        ours[place] = at


def _annotated(body: Sequence[str], ours: Sequence[int], *, known: dict[str, str]) -> list[tuple[int, str]]:
    """Return our lines with a person's text after the id: they keep their key."""
    cuts = [_NOTED.search(line) if ours[at] == PERSONS and "^" in line else None for at, line in enumerate(body)]
    bare = [line[: cut.end()] if cut else line for line, cut in zip(body, cuts, strict=True)]
    found = []
    for at, shown in enumerate(line_keys(bare)):
        if cuts[at] and shown and (key := key_digest(shown)) in known and known[key] in ("", digest(bare[at])):
            found.append((at, key))
            del known[key]
    return found
