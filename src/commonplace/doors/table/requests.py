"""Checks the values of fields: types and bounds, for flags and JSON alike. Each function returns the value or raises
UsageError.

Only shape is judged here (a number where a number belongs, a known key); what a date in words means, `Memory` says.
"""

from __future__ import annotations

import json
import math
from datetime import date
from typing import TYPE_CHECKING, Any, NoReturn

from commonplace.doors.table.common_fields import KINDS
from commonplace.doors.table.parser import meant
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_NAMES, LONGEST_NAME = 100, 200
"""Entities that one request may ask for, and characters of a name."""
MOST_CHARACTERS = 100_000
"""Of a question, an opinion or a fact: a megabyte of question is a mistake, and is told so at once."""

_MOST_LINES = 10**9

FILTERS = ("since", "until", "during", "kinds", "entities")
"""Keys beside which a question may be empty."""
_LETTERS = {"w": "world", "b": "experience", "o": "opinion", "s": "observation"}


def text(value: object, name: str, *, empty: bool = False) -> str:
    """A question or statement, limited in length, and not empty unless allowed.

    Lone surrogates, which are no characters at all, become U+FFFD.
    """
    if not isinstance(value, str):
        raise UsageError(f"{name} must be a text", _example(name))
    if not value.strip() and not empty:
        raise UsageError(f"the {name} is empty", _example(name))
    if len(value) > MOST_CHARACTERS:
        raise UsageError(f"the {name} has {len(value):,} characters", f"the maximum is {MOST_CHARACTERS:,}")
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip()


def written(value: object, name: str) -> str:
    """A text for Markdown, without silent replacements."""
    exact(value, name)
    return text(value, name)


def exact(value: object, name: str) -> str:
    """A text to write unchanged, with all spaces; it may be empty."""
    text(value, name, empty=True)
    assert isinstance(value, str)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"the {name} is not valid Unicode", "write it as UTF-8") from None
    return value


def short(value: object, name: str, *, most: int = 1_000) -> str:
    """A short text on one line: a path, an id, a date in words."""
    said = text(value, name)
    if len(said) > most or any(character < " " for character in said):
        raise UsageError(f"{name} must be a line of at most {most:,} characters", f"not {shown(value)}")
    return said


def count(value: object, name: str, *, most: int) -> int:
    """A whole number from 1 to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise UsageError(f"{name} must be a whole number from 1 to {most:,}", f"not {shown(value)}")
    return value


def number(value: object, name: str) -> int:
    """A line number; 0 is before the first line."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_LINES:
        raise UsageError(f"{name} must be a whole number from 0", f"not {shown(value)}")
    return value


def digits(value: str, name: str, *, most: int) -> int:
    """As `count`, from the digits of a flag."""
    return count(int(value) if value.strip().isdecimal() and len(value) < 20 else value, name, most=most)


def share(value: str, name: str) -> float:
    """A number from 0 to 1."""
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        raise UsageError(f"{name} must be a number from 0 to 1", f"not {shown(value)}")
    return number


def fraction(value: object, name: str) -> float:
    """As `share`, from a JSON number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError(f"{name} must be a number from 0 to 1", f"not {shown(value)}")
    return share(repr(value), name)


def switch(value: object, name: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise UsageError(f"{name} must be true or false", f"not {shown(value)}")
    return value


def day(value: object, name: str) -> date:
    """A day as `YYYY-MM-DD`."""
    try:
        if isinstance(value, str) and len(value) == len("2025-11-27"):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise UsageError(f"{name} must be a day such as 2025-11-27", f"not {shown(value)}")


def kinds(values: Iterable[str]) -> tuple[str, ...]:
    """Kinds by name, in any case, or by letter."""
    found = []
    for value in values:
        name = _LETTERS.get(value.casefold(), value.casefold())
        if name not in KINDS:
            raise UsageError(f"unknown kind {shown(value)}", meant(name, KINDS, otherwise="kinds: " + ", ".join(KINDS)))
        found.append(name)
    return tuple(dict.fromkeys(found))


def choice(value: str, name: str, *, known: tuple[str, ...]) -> str:
    """One of these words; a kind by its name, in any case, or by its letter."""
    if known == KINDS:
        return kinds([value])[0]
    if value not in known:
        hint = meant(value, known, otherwise=f"{name}s: {', '.join(known)}")
        raise UsageError(f"unknown {name} {shown(value)}", hint)
    return value


def entities(values: Iterable[str]) -> tuple[str, ...]:
    """Names of entities, without a leading `@`."""
    values = tuple(values)
    if len(values) > MOST_NAMES:
        raise UsageError(f"{len(values):,} entities are too many", f"the maximum is {MOST_NAMES}")
    if any(len(value) > LONGEST_NAME for value in values):
        raise UsageError(f"an entity's name has more than {LONGEST_NAME} characters", _example("entity"))
    return tuple(dict.fromkeys(text(value, "entity").removeprefix("@") for value in values))


def ids(values: Iterable[str], name: str) -> tuple[str, ...]:
    """Ids or citations, without a leading `^`."""
    values = tuple(values)
    if len(values) > MOST_NAMES:
        raise UsageError(f"{name} has {len(values):,} ids", f"the maximum is {MOST_NAMES}")
    return tuple(dict.fromkeys(short(value, name, most=LONGEST_NAME).removeprefix("^") for value in values))


def when(value: object, name: str) -> str:
    """A day or a range of days in words or digits, which `Memory` parses."""
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"{name} must be a date in words or digits", '"2025-11-15", "2025-11", "30d", "last week"')
    return short(value, name)


def texts(value: object, name: str) -> list[str]:
    """A list of texts."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise UsageError(f"{name} must be a list of texts", f'{{"{name}": ["…"]}}')
    return value


def asked(line: str, words: Sequence[str]) -> dict[str, Any]:
    """The keys of a batch line: of its JSON object if it starts with `{`, else these words, with the line's text.

    Several texts are separated by tabs: no punctuation would do in six languages.
    """
    if line.startswith("{"):
        fields = parsed(line)
        assert isinstance(fields, dict)
        return fields
    given = line.split("\t") if len(words) > 1 else [line]
    if len(given) != len(words):
        example = ", ".join(f'"{word}": "…"' for word in words)
        raise UsageError(
            f"the line must have {len(words)} texts, one tab between: {', '.join(words)}",
            f"or write JSON: {{{example}}}",
        )
    return dict(zip(words, given, strict=True))


def parsed(line: str) -> object:
    """The value of a JSON line; a duplicate key or NaN is an error."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) < len(pairs):
            raise UsageError("a key occurs twice in the request", "give it once")
        return dict(pairs)

    try:
        return json.loads(line, object_pairs_hook=once, parse_float=_finite, parse_constant=_no_number)
    except RecursionError:
        raise UsageError("the request is nested too deeply", "write one flat JSON object a line") from None
    except UsageError:
        raise
    except ValueError as error:
        raise UsageError(f"the request is not JSON: {error}", "write one JSON object a line, or plain text") from None


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _no_number(digits)


def _no_number(name: str) -> NoReturn:
    raise UsageError(f"{name[:60]} is not a valid number", "write a finite number")


def shown(value: object) -> str:
    """A value for an error message: its beginning, without secrets."""
    from commonplace.core.secrets.guard import masked

    if isinstance(value, str):
        told = repr(masked(value)[:60])
    else:
        try:
            told = masked(json.dumps(value, default=repr))
        except (ValueError, RecursionError):
            told = f"a {type(value).__name__}"
    return told if len(told) <= 60 else told[:57] + "…"


def _example(name: str) -> str:
    return {"query": "example: where was Peter in November?"}.get(name, f"give the {name} as text")
