"""What pages and packets leave out although a file contains it: secrets, parts of them, and names that look like them.

A line with a whole secret is recognised wherever it is quoted (`core.secrets.guard`). Two cases are not: a line that
contains one only together with its neighbours, and a name that reads as one only with spaces instead of its hyphens.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.secrets.detector import secrets
from commonplace.core.secrets.guard import looks_like, secrets_in
from commonplace.core.secrets.joined_lines import readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from commonplace.core.model import AnyLine, Fact

LEFT_OUT = "(left out: it looks like a secret)"
"""Replaces the text of a fact that must not be repeated."""
_LONG = 16
"""Least length of a name of letters alone that may be a token."""


class Withheld(NamedTuple):
    """What must not be repeated from a workspace."""

    lines: Mapping[str, Sequence[tuple[int, int]]]
    """By path, the first and last lines of each secret, in files where a secret spans lines."""
    names: re.Pattern[str] | None
    """Finds a name that looks like a secret, however its words are joined; None: there is none."""

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
        """Whether it contains a name that looks like a secret, or the placeholder of a withheld fact."""
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


def secret_names(names: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern for the names that look like secrets; hyphens and underscores may replace spaces there."""
    asked = [name for name in dict.fromkeys(names) if not (name.isalpha() and len(name) < _LONG) and not _is_day(name)]
    found: set[str] = set()
    for parted in ("", "-", "_"):
        those = [name for name in asked if parted in name]
        text = "\n\n".join(name.replace(parted, " ") if parted else name for name in those)
        found.update(those[each.line // 2] for each in secrets(text))
    if not found:
        return None
    spelled = (
        r"(?:[ _-]|%20|\\[_-])".join(map(re.escape, re.split("[ _-]", name))) for name in sorted(found, key=len)[::-1]
    )
    return re.compile("|".join(spelled), re.IGNORECASE)


def _is_day(name: str) -> bool:
    return name.replace("-", "").isdecimal() and len(name) == len("2026-01-31")
