"""What a write would give away: the secrets in the lines and names that it adds, and in nothing else.

The store asks here before every write, so that no verb can forget to. What stands somewhere already is not the doing of
this write: it blocks nobody, and `check` tells where it is. A text is read three ways, as its readers may read it: line
by line; with the lines of one paragraph joined, for a token may be broken; and with entities and escapes resolved.

Law: no message made here repeats a secret.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.model import Citation
from commonplace.core.secret import secrets
from commonplace.errors import SecretRefused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from commonplace.core.model import Problem
    from commonplace.core.secret import Secret


ADVICE = "leave the value out, and say where it is kept"
_AROUND = 4
"""Lines above and below a change that are read with it: what it adds may complete what stands there."""


class Change(NamedTuple):
    """One file of a write; None: there is no such file."""

    path: str
    before: str | None
    after: str | None


class Exposed(NamedTuple):
    """A secret, by its kind and place."""

    kind: str
    """With its article: `a GitHub token`."""
    line: int
    """0: it is in a name."""
    last: int
    """The last line of what it was read in."""
    value: str
    """Never to be shown."""


def require_harmless(changes: Iterable[Change]) -> None:
    """Raise SecretRefused when a write adds what looks like a secret."""
    found = added(changes)
    if found is not None:
        change, exposed = found
        if not exposed.line:
            raise SecretRefused(f"the name looks like {exposed.kind}", ADVICE)
        where = f"line {exposed.line} of {masked(change.path)}"
        raise SecretRefused(f"the text looks like {exposed.kind} ({where})", ADVICE)


def added(changes: Iterable[Change]) -> tuple[Change, Exposed] | None:
    """The first secret that files hold after a change and did not hold before it; what only moves is not added."""
    known: Counter[str] = Counter()
    new: list[tuple[Change, Exposed]] = []
    for change in changes:
        if change.before is None and change.after is not None:
            new += [(change, each) for each in in_name(change.path)]
        elif change.after is None:
            known.update(each.value for each in in_name(change.path))
        first, before, after = _parted(change.before or "", change.after or "")
        known.update(each.value for each in held(before))
        new += [(change, each._replace(line=each.line + first, last=each.last + first)) for each in held(after)]
    for change, each in new:
        if known[each.value] <= 0:
            return change, each
        known[each.value] -= 1
    return None


def in_name(path: str) -> tuple[Exposed, ...]:
    """The secrets in the names of a path; hyphens and underscores may stand for spaces there."""
    found: dict[str, Exposed] = {}
    for name in path.split("/"):
        stem = name.removesuffix(".md")
        for text in dict.fromkeys((stem, stem.replace("-", " "), stem.replace("_", " "))):
            for each in secrets(text):
                found.setdefault(each.kind, Exposed(each.kind, 0, 0, each.value))
    return tuple(found.values())


def held(text: str) -> list[Exposed]:
    """The secrets of a text with the numbers of their lines, in order."""
    if not text or text.isspace():
        return []
    lines = text.split("\n")
    found = [Exposed(each.kind, each.line, each.line, each.value) for each in secrets(text)]
    for reading, spans, by_shape in _readings(text, lines):
        for each in secrets(reading, by_shape=by_shape):
            first, last = spans[each.line - 1]
            if not any(first <= known.line <= last and _tells(known, each) for known in found):
                found.append(Exposed(each.kind, *_within(lines, first, last, each.value), each.value))
    return sorted(found, key=lambda each: each.line)


def _tells(known: Exposed, joined: Secret) -> bool:
    """Whether what was found in joined lines is told already: it only runs on, or is the body of a key."""
    return known.value in joined.value or known.value.startswith("-----BEGIN")


def _within(lines: list[str], first: int, last: int, value: str) -> tuple[int, int]:
    """The lines of a paragraph in which a value stands that was read across them."""
    there = [number for number in range(first, last + 1) if value in lines[number - 1]]
    if there:
        return there[0], there[0]
    begins = (
        number
        for number in range(first, last)
        if any(lines[number - 1].rstrip().endswith(value[:length]) for length in range(len(value) - 1, 2, -1))
    )
    return next(begins, first), last


def looks_like(text: str) -> str:
    """What kind of secret a text seems to hold, however it is read; empty: none."""
    found = held(text)
    return found[0].kind if found else ""


def quotable(said: str) -> str:
    """What was said, to be said again elsewhere; only of what kind it is where it holds what looks like a secret."""
    kind = looks_like(said)
    return f"(left out: it looks like {kind})" if kind else said


def masked(text: str) -> str:
    """A text that may be shown: an ellipsis in place of each secret that it repeats."""
    shown = text
    for each in secrets(text):
        if each.value not in text:
            return f"(left out: it looks like {each.kind})"
        shown = shown.replace(each.value, "…")
    for name in in_name(shown) if " " not in shown else ():
        for value in (name.value, name.value.replace(" ", "-"), name.value.replace(" ", "_")):
            shown = shown.replace(value, "…")
    return shown


def masked_problem(problem: Problem) -> Problem:
    """A problem that may be shown."""
    path = masked(problem.source.path)
    return problem._replace(source=Citation(path, problem.source.line), message=masked(problem.message))


def _readings(text: str, lines: list[str]) -> Iterator[tuple[str, list[tuple[int, int]], bool]]:
    """The other ways to read a text, for each line of a reading the lines that it comes from, and whether it has no
    words."""
    spans: list[tuple[int, int]] = []
    spaced: list[str] = []
    glued: list[str] = []
    joins = False
    for number, (line, after) in enumerate(pairwise([*lines, ""]), 1):
        goes_on = _goes_on(line, after)
        if joins:
            spans[-1] = (spans[-1][0], number)
            more = _lead().sub("", line) if _ends_in_link(spaced[-1]) else line.lstrip(" \t>")
            spaced[-1] += f" {more.rstrip()}"
            glued[-1] += line.strip(" \t>\r\\")
        elif goes_on:
            spans.append((number, number))
            spaced.append(line.rstrip())
            glued.append(line.rstrip(" \t\r\\"))
        joins = goes_on and len(glued[-1]) < _LONGEST_PARAGRAPH
    if spans:
        yield "\n".join(spaced), spans, False
        yield "\n".join(glued), spans, True
    if "\\" in text or ("&" in text and ";" in text):
        yield from _resolved(lines)


_LONGEST_PARAGRAPH = 10_000


def _resolved(lines: list[str]) -> Iterator[tuple[str, list[tuple[int, int]], bool]]:
    """The lines that have entities or escapes, with what those stand for."""
    spans: list[tuple[int, int]] = []
    plain: list[str] = []
    for number, line in enumerate(lines, 1):
        read = line
        if "&" in line and ";" in line:
            from html import unescape

            read = unescape(line).replace("\n", " ")
        if "\\" in read:
            read = _escaped().sub(r"\1", read)
        if read != line:
            spans.append((number, number))
            plain.append(read)
    if spans:
        yield "\n".join(plain), spans, False


def _goes_on(line: str, after: str) -> bool:
    """Whether a line may be read as one with the line after it."""
    if not line.strip() or not after.strip():
        return False
    return _starts().match(after) is None or _ends_in_link(line)


def _ends_in_link(line: str) -> bool:
    return line.rstrip(" \t\r*`").endswith((":", "：", "=", "->", "→"))


@cache
def _starts() -> re.Pattern[str]:
    """What begins something of its own: a bullet, a number, a heading, a row of a table, a fence."""
    return re.compile(r"[ \t>]*(?:[-*+•#|][ \t]|[-*+•#|]$|[0-9]{1,3}[.)][ \t]|\||#{2,}|```|~~~|<!--)")


@cache
def _lead() -> re.Pattern[str]:
    return re.compile(r"[ \t>]*(?:[-*+•]|[0-9]{1,3}[.)])?[ \t]*(?:\[.\][ \t])?")


@cache
def _escaped() -> re.Pattern[str]:
    return re.compile(r"\\([!-/:-@\[-`{-~])")


def _parted(before: str, after: str) -> tuple[int, str, str]:
    """What differs between two texts, as whole lines with those around them; before it, the number of lines above."""
    if before == after:
        return 0, "", ""
    start = after.rfind("\n", 0, _common(before, after)) + 1
    above = 0
    for _ in range(_AROUND):
        start = after.rfind("\n", 0, max(start - 1, 0)) + 1
    most = min(len(before), len(after)) - start
    end = _common_end(before, after, most)
    tail = 0
    if end:
        tail = after.find("\n", len(after) - end)
        for _ in range(_AROUND):
            tail = after.find("\n", tail + 1) if tail >= 0 else -1
        tail = len(after) - tail if tail >= 0 else 0
    above = after.count("\n", 0, start)
    return above, before[start : len(before) - tail], after[start : len(after) - tail]


def _common(one: str, other: str) -> int:
    """Characters with which both begin."""
    if other.startswith(one):
        return len(one)
    low, high = 0, min(len(one), len(other))
    while low < high:  # each step compares half of what is left, in C
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(one: str, other: str, most: int) -> int:
    """Characters with which both end, at most so many."""
    low, high = 0, max(most, 0)
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
