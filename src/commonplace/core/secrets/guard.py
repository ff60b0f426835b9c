"""Refuses a write that adds a secret, in its lines or names; masks secrets in what is shown.

The store calls it before every write, so that no verb can forget to. A secret that is already in a file does not block
a write, which did not add it; `check` reports its place. A text is read line by line and in the other readings of
`core.secrets.joined_lines`.

Law: no message made here repeats a secret.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from marshal import dumps
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.model import Citation
from commonplace.core.secrets.checksums import LEAST_WORDS, WALLET, wallets
from commonplace.core.secrets.detector import Secret, secrets
from commonplace.core.secrets.joined_lines import readings
from commonplace.core.secrets.labelled_values import below
from commonplace.errors import SecretRefused

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.model import Problem

ADVICE = "leave out the value, and write where it is kept"
_AROUND = 4
"""Lines above and below a change that are read with it: the change may complete a secret in them."""
_NAMES = 4_000
"""Characters above a change in which a heading or the head of a table may label what it adds."""
_WALLET, _WORD = 1_000, 30
"""Characters above and below a change in which wallet words are searched; most characters of a line with one."""
_MOST_HARMLESS = 10_000


class FileChange(NamedTuple):
    """One file of a write; None: there is no such file."""

    path: str
    before: str | None
    after: str | None


def require_harmless(changes: Iterable[FileChange]) -> None:
    """Raise SecretRefused if a write adds a probable secret."""
    found = added(changes)
    if found is not None:
        change, secret = found
        if not secret.line:
            raise SecretRefused(f"the name looks like {secret.kind}", ADVICE)
        where = f"line {secret.line} of {masked(change.path)}"
        raise SecretRefused(f"the text looks like {secret.kind} ({where})", ADVICE)


def added(changes: Iterable[FileChange]) -> tuple[FileChange, Secret] | None:
    """Return the first secret that files contain after a change and not before it; a moved one is not added."""
    known: Counter[str] = Counter()
    new: list[tuple[FileChange, Secret]] = []
    changes = list(changes)
    if not any(map(may_add, changes)):
        return None
    for change in changes:
        if change.before is None and change.after is not None:
            new += [(change, each) for each in in_name(change.path)]
        elif change.after is None:
            known.update(each.value for each in in_name(change.path))
        start, first, before, after = _parted(change.before or "", change.after or "")
        above = (change.after or "")[max(start - _NAMES, 0) : start].split("\n")[:-1]
        known.update(each.value for each in secrets_in(before, above))
        new += [
            (change, each._replace(line=each.line + first, last=each.last + first)) for each in secrets_in(after, above)
        ]
        if before != after and not any(each.kind == WALLET for _, each in new):
            new += _wallet(change, start, first=first, length=len(after))
    for change, each in new:
        if known[each.value] <= 0:
            return change, each
        known[each.value] -= 1
    return None


def may_add(change: FileChange) -> bool:
    """Prefilter: whether a change may add or move a secret, by the lines that did not follow each other before.

    A new file for which it is False contains no secret, however it is read. That answer is cached, because a page is
    checked when it is planned and when it is written.
    """
    digest = blake2b(dumps(tuple(change), 2), digest_size=16).digest()
    if digest in _harmless:
        return False
    if _may_add(change):
        return True
    if len(_harmless) >= _MOST_HARMLESS:
        _harmless.clear()
    _harmless.add(digest)
    return False


_harmless: set[bytes] = set()
"""Digests of changes that add no secret."""


def _may_add(change: FileChange) -> bool:
    if change.before is None and change.after is not None and in_name(change.path):
        return True
    after = change.after or ""
    start, _, before, window = _parted(change.before or "", after)
    if not before and not start:
        return bool(secrets_in(window))
    lines = window.split("\n")
    names = after[max(start - _NAMES, 0) : start].split("\n")[:-1]
    begins = list(accumulate((len(line) + 1 for line in lines), initial=start))
    named = below([*names, *lines], len(names) + 1)  # a heading may label values far below it
    if any(secrets("\n".join(each.text for each in named))):
        return True
    for at, end in _new_spans(before.split("\n"), lines):
        begin, part = begins[at], "\n".join(lines[at:end])
        above = after[max(begin - _NAMES, 0) : begin].split("\n")[:-1]
        if secrets_in(part, above) or any(wallets(_words_around(after, begin, length=len(part)))):
            return True
    return False


def _new_spans(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Return the lines, with those around them, that do not follow the same line in another text: [start, end) from 0.

    The lines outside these spans occur in the other text in the same order, and as often.
    """
    places: dict[str, list[int]] = {}
    for number, line in enumerate(before):
        places.setdefault(line, []).append(number)
    spans: list[tuple[int, int]] = []
    used = bytearray(len(before))
    """Marks lines that were matched once: a second occurrence is new."""
    at, last = -1, -1
    """The position of the line above in the other text (-2: not in it), and of the last line found there."""
    for number, line in enumerate(after):
        if at > -2 and at + 1 < len(before) and before[at + 1] == line and not used[at + 1]:
            at = last = at + 1
            used[at] = True
            continue
        known = places.get(line, ())
        at = known[bisect_right(known, last) % len(known)] if known else -2
        if at >= 0:
            used[at], last = True, max(at, last)
        start, end = max(number - 1 - _AROUND, 0), min(number + 1 + _AROUND, len(after))
        if spans and start <= spans[-1][1]:
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
    return spans


def _wallet(change: FileChange, start: int, *, first: int, length: int) -> list[tuple[FileChange, Secret]]:
    """Return the words of a wallet that a change completes, if each is on a line of its own."""
    words = _words_around(change.after or "", start, length=length)
    if len(words.split()) < LEAST_WORDS or any(wallets(_words_around(change.before or "", start, length=length))):
        return []
    return [(change, Secret(WALLET, value, first + 1, first + 1)) for _, _, value in wallets(words)]


def _words_around(text: str, start: int, *, length: int) -> str:
    """Return the words that are alone on their lines, around a range."""
    lines = text[max(0, start - _WALLET) : start + length + _WALLET].split("\n")
    bare = (line.strip(" \t\r>-*+`.)0123456789").lower() for line in lines if len(line) < _WORD)
    return " ".join(word for word in bare if word.isalpha() and word.isascii())


def in_name(path: str) -> tuple[Secret, ...]:
    """Return the secrets in the names of a path; hyphens and underscores may replace spaces there."""
    found: dict[str, Secret] = {}
    for name in path.split("/"):
        for each in _in_one_name(name.removesuffix(".md")):
            found.setdefault(each.kind, each)
    return tuple(found.values())


@lru_cache(4096)
def _in_one_name(stem: str) -> tuple[Secret, ...]:
    """Kept, because all files of a folder share its name, and each page is asked for several times."""
    texts = dict.fromkeys((stem, stem.replace("-", " "), stem.replace("_", " ")))
    return tuple(Secret(each.kind, each.value, 0, 0) for text in texts for each in secrets(text))


def secrets_in(text: str, above: Sequence[str] = ()) -> list[Secret]:
    """Return the secrets of a text with their line numbers, in order; lines above it may label values in it."""
    if not text or text.isspace():
        return []
    lines = text.split("\n")
    found: dict[int, list[Secret]] = {}
    """The secrets of each line, by line number."""
    for each in secrets(text):
        found.setdefault(each.line, []).append(each)
    for reading, spans, by_shape in readings(text, lines, above=above):
        for each in secrets(reading, by_shape=by_shape):
            first, last = spans[each.line - 1]
            near = [known.value for line in range(first, last + 1) for known in found.get(line, ())]
            # not if it only continues a known secret, or is the body of a key
            if not any(value in each.value or value.startswith("-----BEGIN") for value in near):
                line, end = _within(lines, first, last=last, value=each.value)
                found.setdefault(line, []).append(Secret(each.kind, each.value, line, end))
    return [each for line in sorted(found) for each in found[line]]


def _within(lines: list[str], first: int, *, last: int, value: str) -> tuple[int, int]:
    """Return the first and last line of a value that was read across the lines of a paragraph."""
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
    """Return the kind of the first probable secret in a text, in any reading; empty: none."""
    found = secrets_in(text)
    return found[0].kind if found else ""


def quotable(said: str) -> str:
    """Return a text that can be repeated elsewhere: itself, or only the kind of secret that it seems to contain."""
    kind = looks_like(said)
    return f"(left out: it looks like {kind})" if kind else said


def masked(text: str) -> str:
    """Return a text that may be shown, with an ellipsis in place of each secret."""
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
    """Return a problem that may be shown."""
    path = masked(problem.source.path)
    return problem._replace(source=Citation(path, problem.source.line), message=masked(problem.message))


def _parted(before: str, after: str) -> tuple[int, int, str, str]:
    """Return what differs between two texts, as whole lines with those around them.

    Its offset in `after`, the number of lines above it, and its text before and after.
    """
    if before == after:
        return 0, 0, "", ""
    start = after.rfind("\n", 0, _common(before, after)) + 1
    for _ in range(_AROUND):
        start = after.rfind("\n", 0, max(start - 1, 0)) + 1
    end = _common(before[start:][::-1], after[start:][::-1])
    tail = 0
    if end:
        tail = after.find("\n", len(after) - end)
        for _ in range(_AROUND):
            tail = after.find("\n", tail + 1) if tail >= 0 else -1
        tail = len(after) - tail if tail >= 0 else 0
    above = after.count("\n", 0, start)
    return start, above, before[start : len(before) - tail], after[start : len(after) - tail]


def _common(one: str, other: str) -> int:
    """Return the length of the common prefix."""
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
