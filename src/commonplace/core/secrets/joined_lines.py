"""Other readings of a text: words and tokens that line breaks or escapes split.

With the lines of a paragraph joined by spaces; with the end of each line and the beginning of the next as one word,
since a token may be broken over lines; with entities and escapes resolved; and with values after their labels.

Law: the time is linear in the text.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.secrets.labelled_values import below
from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LONGEST_PARAGRAPH = 10_000
_LONGEST_TOKEN = 600
"""Most characters of a token that is broken over more than two lines."""
_SHORT, _MOST_SHORT = 24, 8
"""Length below which a line of one word may be a label above a token; most such lines in one token."""
_STARTS = lazy_pattern(r"[ \t>]*(?:[-*+•#|][ \t]|[-*+•#|]$|[0-9]{1,3}[.)][ \t]|\||#{2,}|```|~~~|<!--)")
"""The beginning of a separate block: a bullet, a number, a heading, a row of a table, a fence."""
_LEAD = lazy_pattern(r"[ \t>]*(?:[-*+•]|[0-9]{1,3}[.)])?[ \t]*(?:\[.\][ \t])?")
_ESCAPED = lazy_pattern(r"\\([!-/:-@\[-`{-~])")


class JoinedLines(NamedTuple):
    """Another reading of a text."""

    text: str
    spans: list[tuple[int, int]]
    """For each of its lines, the first and the last source line."""
    by_shape: bool
    """Whether it contains only possible keys and tokens, no words."""


def readings(text: str, lines: list[str], *, above: Sequence[str] = ()) -> Iterator[JoinedLines]:
    """Yield the other readings of a text, given with its lines; lines above it may label values in it."""
    spans: list[tuple[int, int]] = []
    spaced: list[str] = []
    glued: list[tuple[str, tuple[int, int]]] = []
    joins = False
    for number, (line, after) in enumerate(pairwise([*lines, ""]), 1):
        goes_on = _goes_on(line, after)
        if joins:
            spans[-1] = (spans[-1][0], number)
            more = _LEAD.sub("", line) if _ends_in_link(spaced[-1]) else line.lstrip(" \t>")
            spaced[-1] += f" {more.rstrip()}"
        elif goes_on:
            spans.append((number, number))
            spaced.append(line.rstrip())
        joined, joins = joins, goes_on and len(spaced[-1]) < _LONGEST_PARAGRAPH
        if (joined or goes_on) and not joins:
            first, last = spans[-1]
            glued += _glued(lines[first - 1 : last], first)
    if spans:
        yield JoinedLines("\n".join(spaced), spans, by_shape=False)
        yield JoinedLines("\n".join(word for word, _ in glued), [span for _, span in glued], by_shape=True)
    if "\\" in text or ("&" in text and ";" in text):
        yield from _resolved(lines)
    if named := list(below([*above, *lines], len(above) + 1)):
        spans = [(each.line - len(above), each.line - len(above)) for each in named]
        yield JoinedLines("\n".join(each.text for each in named), spans, by_shape=False)


def _glued(lines: list[str], first: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield each possible word that a paragraph breaks, with its first and last line.

    A token may begin at the end of any line, and may end before any word that could be prose.
    """
    split = [line.strip(" \t>\r\\").split() for line in lines]
    for at in range(len(split) - 1):
        if at and len(split[at]) == 1 and not _may_begin(split[at - 1], split[at][0], below=split[at + 1]):
            continue
        word, plain, short = " ".join(split[at][-3:]), 0, 0
        for end in range(at + 1, len(split)):
            piece = split[end][0] if split[end] else ""
            plain = plain + 1 if _is_plain(piece) else 0
            short += len(piece) < _SHORT
            if end > at + 1 and (plain or len(split[end]) > 1):
                yield word, (first + at, first + end - 1)
            word += piece
            goes_on = end < len(split) - 1 and len(split[end]) == 1 and plain < 2 and short < _MOST_SHORT
            if not goes_on or len(word) > _LONGEST_TOKEN:
                yield word, (first + at, first + end)
                break


def _may_begin(above: list[str], word: str, *, below: list[str]) -> bool:
    """Whether a token may begin with the only word of a line: not if that continues the line above."""
    if _is_plain(word):
        return len(below) == 1 and not _is_plain(below[0])
    return len(above) != 1 or _is_plain(above[0]) or len(above[0]) < _SHORT


def _is_plain(word: str) -> bool:
    """Whether it is a word as in prose."""
    bare = word.strip(".,;:!?()\"'`*")
    return len(bare) < 15 and bare.isalpha() and (bare[1:].islower() or len(bare) == 1)


def _resolved(lines: list[str]) -> Iterator[JoinedLines]:
    """Yield the lines that contain entities or escapes, with these resolved."""
    spans: list[tuple[int, int]] = []
    plain: list[str] = []
    for number, line in enumerate(lines, 1):
        read = line
        if "&" in line and ";" in line:
            from html import unescape

            read = unescape(line).replace("\n", " ")
        if "\\" in read:
            read = _ESCAPED.sub(r"\1", read)
        if read != line:
            spans.append((number, number))
            plain.append(read)
    if spans:
        yield JoinedLines("\n".join(plain), spans, by_shape=False)


def _goes_on(line: str, after: str) -> bool:
    """Whether a line may be joined with the line after it."""
    if not line.strip() or not after.strip():
        return False
    return _STARTS.match(after) is None or _ends_in_link(line)


def _ends_in_link(line: str) -> bool:
    return line.rstrip(" \t\r*`").endswith((":", "：", "=", "->", "→"))
