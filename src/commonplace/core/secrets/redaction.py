"""What pages and packets leave out although a file contains it: secrets, parts of them, and names that look like them.

A line with a whole secret is recognised wherever it is quoted (`core.secrets.guard`). Three cases are not: a line that
contains one only together with its neighbours, a name that reads as one only with spaces instead of its hyphens, and a
line with a value that only another line tells to be a password.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.secrets.detector import secrets, told_lines
from commonplace.core.secrets.guard import looks_like, secrets_in
from commonplace.core.secrets.joined_lines import readings
from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from commonplace.core.model import AnyLine, Fact

LEFT_OUT = "(left out: it looks like a secret)"
"""Replaces the text of a fact that must not be repeated."""
_LONG = 16
"""Least length of a name of letters alone that may be a token."""
_LEAST = 4
_EDGES = ".,;:?\"'`)]}(*"
_ORDINARY = lazy_pattern("[a-z]{1,11}|[A-Z][a-z]{0,10}|[A-Z]{1,11}|(?:19|20)[0-9]{2}")
"""A value that is withheld only where its own line tells it: as a word or a year it stands in other lines, too."""


class Withheld(NamedTuple):
    """What must not be repeated from a workspace."""

    lines: Mapping[str, Sequence[tuple[int, int]]]
    """By path, the first and last lines of each secret, in files where a secret spans lines."""
    names: re.Pattern[str] | None
    """Finds a name that looks like a secret, however its words are joined, and each value that a line tells to be one;
    None: there is none.
    """

    def shows(self, line: AnyLine) -> bool:
        """Whether a line may be repeated: it is not part of a secret."""
        ours = self.lines.get(line.source.path) if self.lines else None
        if not ours:
            return True
        first, last = line.source.line, line.source.line + line.lines - 1
        return all(end < first or last < start for start, end in ours)

    def safe(self, fact: Fact) -> Fact:
        """Return the fact, without its text if that is part of a secret."""
        return fact if self.shows(fact) else fact._replace(content=LEFT_OUT, mentions=())

    def repeated(self, text: str) -> bool:
        """Whether a text would repeat what is withheld."""
        return self.named(text) or bool(looks_like(text))

    def among(self, lines: Sequence[str]) -> frozenset[int]:
        """Return the positions of lines that would repeat what is withheld; faster than one by one."""
        found = {
            at for each in secrets_in("\n\n".join(lines)) for at in range((each.line - 1) // 2, each.last // 2 + 1)
        }
        return frozenset(found | {at for at, line in enumerate(lines) if self.named(line)})

    def named(self, text: str) -> bool:
        """Whether it contains such a name or value, or the placeholder of a withheld fact."""
        return LEFT_OUT in text or (self.names is not None and self.names.search(text) is not None)


def parting(text: str) -> list[tuple[int, int]]:
    """Return the first and last line of each secret of a text, if one of them spans lines; else empty."""
    for reading, _, by_shape in readings(text, text.split("\n")):
        if any(secrets(reading, by_shape=by_shape)):
            return sorted({(each.line, each.last) for each in secrets_in(text)})
    return []


def may_part(texts: Iterable[str]) -> bool:
    """Whether a secret may span lines in one of these texts; False is definite. Faster than one by one."""
    joined: dict[bool, list[str]] = {}
    for text in texts:
        for reading, _, by_shape in readings(text, text.split("\n")):
            joined.setdefault(by_shape, []).append(reading)
    return any(any(secrets("\n\n".join(those), by_shape=by_shape)) for by_shape, those in joined.items())


def may_tell(texts: Sequence[str]) -> list[bool]:
    """Whether each of these texts may tell that a value is a secret; False is definite. Faster than one by one."""
    begins = list(accumulate((text.count("\n") + 2 for text in texts), initial=1))
    told = {bisect_right(begins, line) - 1 for line in told_lines("\n\n".join(texts))}
    return [at in told for at in range(len(texts))]


def told_values(text: str) -> set[str]:
    """Return the secrets of a text that can be told from ordinary words and years wherever they stand."""
    values = (each.value.strip(_EDGES) for each in secrets_in(text))
    return {value for value in values if len(value) >= _LEAST and not _ORDINARY.fullmatch(value)}


def secret_names(names: Iterable[str], values: Iterable[str] = ()) -> re.Pattern[str] | None:
    """Return a pattern for the names that look like secrets, where hyphens and underscores may replace spaces, and for
    these values.
    """
    asked = [name for name in dict.fromkeys(names) if not (name.isalpha() and len(name) < _LONG) and not _is_day(name)]
    found: set[str] = set()
    for parted in ("", "-", "_"):
        those = [name for name in asked if parted in name]
        text = "\n\n".join(name.replace(parted, " ") if parted else name for name in those)
        found.update(those[each.line // 2] for each in secrets(text))
    known = "|".join(  # by their first letters: hundreds of alternatives at each character would take seconds
        rf"{re.escape(first)}(?:{'|'.join(re.escape(value[1:]) for value in those)})"
        for first, those in groupby(sorted(values), key=itemgetter(0))
    )
    if not found and not known:
        return None
    spelled = (
        r"(?:[ _-]|%20|\\[_-])".join(map(re.escape, re.split("[ _-]", name))) for name in sorted(found, key=len)[::-1]
    )
    whole = [rf"(?<![0-9A-Za-z])(?:{known})(?![0-9A-Za-z])"] if known else []
    return re.compile("|".join((*spelled, *whole)), re.IGNORECASE)


def _is_day(name: str) -> bool:
    return name.replace("-", "").isdecimal() and len(name) == len("2026-01-31")
