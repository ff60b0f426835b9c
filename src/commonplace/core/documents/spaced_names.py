"""Names with spaces or quotes at the head of a fact: `W @Ann Lee: …` means `W @Ann-Lee: …`.

Law: a head is changed only where it is certain which words are the name; a head with a kind that stays unclear is
refused, because the fact would be filed under the first word, which may be another person.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import Defect, read_bullet
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "『": "』", "[[": "]]"}
_QUOTED = "|".join(
    f"{re.escape(start)}[^\n@{re.escape(end[0])}]{{1,80}}{re.escape(end)}" for start, end in _QUOTES.items()
)
_NAME = rf"@(?:{_QUOTED}|[^\s@:：,，、][^@:：,，、\n]{{0,80}})"
_HEAD = lazy_pattern(
    rf"(?P<kind>(?:[A-Za-z]\s?(?:\([^()]{{0,40}}\))?[\s,，、]*)?)(?P<names>(?:{_NAME}[\s,，、]*)+)(?P<colon>:(?=\s|$)|：)"
)
_KIND = lazy_pattern(r"[WBOS]\s?(?:\([^()]{0,40}\))?[\s,，、]*@\s?[^\s:：]")
_EACH = lazy_pattern(_NAME)
_MOST_WORDS = 5


class Understood(NamedTuple):
    """A text with the names at its head as the grammar of facts has them."""

    text: str
    notes: tuple[str, ...] = ()
    """What was read as what, for the author."""


def with_hyphens(body: str, known: Callable[[str], bool]) -> Understood:
    """Return a fact's text with hyphens for the spaces in the names at its head; any other text is unchanged.

    Args:
        known: whether there is an entity of this name.

    Raises UsageError for a text with a kind and a name where it is not clear what the name is.
    """
    if "@" not in body[:60] or not isinstance(found := read_bullet(body), Defect) or found.code != "no-kind":
        return Understood(body)
    head = _HEAD.match(body)
    typed = _EACH.findall(head["names"]) if head else []
    if head and head["names"].strip(" \t,，、").count("@") == len(typed):
        typed = [name.rstrip() for name in typed]
        names = [_name(each.removeprefix("@"), known) for each in typed]
        if all(names):
            notes = tuple(
                f"{was!r} was read as @{name}: hyphens stand for spaces in names"
                for was, name in zip(typed, names, strict=True)
                if was != f"@{name}"
            )
            if not notes:
                return Understood(body)
            start = f"{head['kind']}{' '.join(f'@{name}' for name in names)}"
            return Understood(f"{start}{head['colon']}{body[head.end() :]}", notes)
    if _KIND.match(body):
        raise _unclear(body, typed)
    return Understood(body)


def _name(typed: str, known: Callable[[str], bool]) -> str:
    """Return the entity that was meant, or empty if that is not certain."""
    end = next((end for start, end in _QUOTES.items() if typed.startswith(start)), "")
    quoted = bool(end) and typed.endswith(end)
    words = typed[len(end) : -len(end)].split() if quoted else typed.split()
    name = "-".join(words)
    sure = quoted or len(words) == 1 or known(name)
    return name if sure or (len(words) <= _MOST_WORDS and _capitalised(words)) else ""


def _capitalised(words: list[str]) -> bool:
    """Whether these are words of one name by their capitals, as in Ann Lee and Vincent van Gogh."""
    first, *between, last = words
    particles = table("alias")["particles"]
    return all(
        word[0].isupper() or (word in between and word.casefold() in particles) for word in (first, *between, last)
    )


def _unclear(body: str, typed: list[str]) -> UsageError:
    first = _EACH.search(body)
    words = (typed[0] if typed else first[0] if first else "").lstrip("@").split()
    kind = body[: body.index("@")].rstrip()
    hint = f"write a colon directly after the names: {kind} @{words[0] if words else 'Name'}: …"
    if 1 < len(words) < 4:
        hint += f"; hyphens stand for spaces in a name: {kind} @{'-'.join(words)}: …"
    return UsageError("it is not clear where the names end and the statement begins", hint)
