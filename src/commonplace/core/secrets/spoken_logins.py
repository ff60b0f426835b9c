"""Passwords beside a user name, or with which somebody logs in: `Router: admin/…`, `log in as tina with …`.

No word says that they are passwords, so only a value counts that looks like one whatever is said before it. The words
are data (`data/secrets.json`). Law: as in `core.secrets.detector`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from commonplace.core.secrets.spoken_secrets import has_mark, is_strong
from commonplace.core.secrets.value_patterns import either, low_form
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 80
"""Most characters before a slash in which a label and a user name are searched, and of a value."""
_VALUE = r"(?P<value>(?=[^\s0-9]{0,79}[0-9])[!-~\u00c0-\u024f]{8,80})"
_SECOND = lazy_pattern(rf"[ \t]?[\"'`*]{{0,2}}(?![^\s/]*/){_VALUE}")
_USER = lazy_pattern(
    r"(?P<label>.*?)(?P<link>[:=>→(|]?)[ \t]*[*`\"'_]{0,3}(?P<user>(?<![\w/.@+-])[\w@+.-]{2,40})[\"'`*]?[ \t]?\Z"
)
_LAST = lazy_pattern(r"[!-~\u00c0-\u024f]{8,80} ?\Z")


def spoken_logins(simple: str, low: str, *, starts: frozenset[str]) -> Iterator[tuple[str, int, str]]:
    """Yield kind, offset and value of each password of a login.

    Args:
        low: the text in lower case.
        starts: as in `spoken_secrets`.
    """
    for start, end, needs_mark in (*_pairs(low), *_given(low, starts), *_before(low)):
        value = simple[start:end]
        if is_strong(value, text=simple, end=end) and (has_mark(value) or not needs_mark):
            yield "a login", start, value


_Span = tuple[int, int, bool]
"""The start and end of what may be a password, and whether it must have a special character."""


def _pairs(low: str) -> Iterator[_Span]:
    """Yield what follows `user /` behind a word for a login or a device."""
    at = low.find("/")
    while at >= 0:
        found = _SECOND.match(low, at + 1)
        if found is not None:
            user = _USER.match(low[max(0, at - _LONGEST) : at].rpartition("\n")[2])
            if user is not None and (user["link"] or user["user"] in _words("administrators")):
                is_login = user["user"] in _words("administrators") or _labels("words").search(user["label"])
                if is_login or _labels("devices").search(user["label"]):
                    yield *found.span("value"), not is_login
        at = low.find("/", at + 1)


def _given(low: str, starts: frozenset[str]) -> Iterator[_Span]:
    """Yield what follows "with" or "to" behind a word for a login."""
    first = _by_start()
    for word in (word for start in first.keys() & starts for word in first[start]):
        at = low.find(word)
        while at >= 0:
            found = _with().match(low, at + len(word))
            if found is not None:
                yield *found.span("value"), found["to"] is not None
            at = low.find(word, at + len(word))


def _before(low: str) -> Iterator[_Span]:
    """Yield what stands before a verb at the end: `…でログイン`."""
    for mark in () if low.isascii() else _words("before"):
        at = low.find(mark)
        while at >= 0:
            first = max(0, at - _LONGEST)
            found = _LAST.search(low[first:at])
            if found is not None:
                yield first + found.start(), first + len(found[0].rstrip()) + found.start(), False
            at = low.find(mark, at + 1)


@cache
def _by_start() -> dict[str, list[str]]:
    """Return the words for a login by their first run of Latin letters, or their first letter of another script."""
    found: dict[str, list[str]] = {}
    for word in _words("words"):
        found.setdefault(re.split("[^a-z]", word, maxsplit=1)[0] or word[0], []).append(word)
    return found


@cache
def _words(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(low_form(word) for word in table("secrets")["logins"][name]))


@cache
def _labels(name: str) -> re.Pattern[str]:
    words = _words(name)
    latin, others = ([word for word in words if (word[0] < "\u0530") is one] for one in (True, False))
    return re.compile(rf"(?<![\w/.@-])(?:{either(latin)})(?![\w/@])|{either(others)}")


@cache
def _with() -> re.Pattern[str]:
    words, to = (either([*_words(name)]) for name in ("with", "to"))
    given = rf"(?<=[ \t])(?:{words}|(?P<to>{to}))[ \t:]{{1,2}}|用|使用"
    return re.compile(rf"[^\n.;|]{{0,40}}?(?:{given})[\"'`*“「]{{0,2}}{_VALUE}")
