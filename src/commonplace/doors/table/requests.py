"""Checks what is asked at a door: names, types and bounds, the same for flags and for batch lines.

Only shape is judged here (a number where a number belongs, a known key); what a date in words means, `Memory` says.
"""

from __future__ import annotations

import json
import math
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from commonplace.doors.table.parser import meant
from commonplace.doors.table.verb_table import KINDS, MOST_HITS, MOST_TOKENS
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_NAMES, LONGEST_NAME = 100, 200
"""Entities that one request may ask for, and characters of a name."""
MOST_CHARACTERS = 100_000
"""Of a question, an opinion or a fact: a megabyte of question is a mistake, and is told so at once."""

_MOST_LINES = 10**9

RECALL_KEYS = ("query", "k", "since", "until", "during", "as_of", "kinds", "entities", "budget", "today")
FILTERS = ("since", "until", "during", "kinds", "entities")
"""Keys beside which a question may be empty."""
WEIGH_KEYS = ("opinion", "fact")
_LETTERS = {"w": "world", "b": "experience", "o": "opinion", "s": "observation"}


class Question(NamedTuple):
    """One request to recall or explain; None leaves the choice to the settings."""

    query: str
    k: int | None = None
    budget: int | None = None
    since: str | None = None
    until: str | None = None
    during: str | None = None
    as_of: str | None = None
    kinds: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    today: date | None = None

    def given(self) -> dict[str, Any]:
        """The keyword arguments of `Memory.recall` that were given."""
        fields = self._asdict()
        del fields["query"], fields["today"]
        return {name: value for name, value in fields.items() if value not in (None, ())}


def question(line: str) -> Question:
    """The question of one batch line: a JSON object when it starts with `{`, else the text itself."""
    if not line.startswith("{"):
        return Question(text(line, "query"))
    fields = _object(line, RECALL_KEYS)
    when = {name: _worded(fields[name], name) for name in ("since", "until", "during", "as_of") if name in fields}
    filters = any(fields.get(name) for name in FILTERS)
    return Question(
        text(fields.get("query", ""), "query", empty=filters),
        k=count(fields["k"], "k", most=MOST_HITS) if "k" in fields else None,
        budget=count(fields["budget"], "budget", most=MOST_TOKENS) if "budget" in fields else None,
        kinds=kinds(texts(fields.get("kinds", []), "kinds")),
        entities=entities(texts(fields.get("entities", []), "entities")),
        today=day(fields["today"], "today") if "today" in fields else None,
        **when,
    )


def pair(line: str) -> tuple[str, str]:
    """The opinion and the fact of one batch line of weigh: a JSON object when it starts with `{`, else the two texts.

    Of plain text only a tab can say where the opinion ends: no punctuation would do in six languages.
    """
    if line.startswith("{"):
        fields = _object(line, WEIGH_KEYS)
        opinion, fact = fields.get("opinion", ""), fields.get("fact", "")
    elif line.count("\t") == 1:
        opinion, fact = line.split("\t")
    else:
        raise UsageError(
            "the line does not say which is the opinion and which the fact",
            'write {"opinion": "…", "fact": "…"}, or the opinion, one tab, the fact',
        )
    return text(opinion, "opinion"), text(fact, "fact")


def text(value: object, name: str, *, empty: bool = False) -> str:
    """A question or statement, not endless, and not empty unless that is allowed.

    Lone surrogates, which are no characters at all, become U+FFFD.
    """
    if not isinstance(value, str):
        raise UsageError(f"{name} must be a text", _example(name))
    if not value.strip() and not empty:
        raise UsageError(f"the {name} is empty", _example(name))
    if len(value) > MOST_CHARACTERS:
        raise UsageError(f"the {name} has {len(value):,} characters", f"at most {MOST_CHARACTERS:,} are read")
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip()


def written(value: object, name: str) -> str:
    """A text that will be written to Markdown: nothing is replaced in it silently."""
    exact(value, name)
    return text(value, name)


def exact(value: object, name: str) -> str:
    """A text that will be written to the letter, spaces and all; it may be empty."""
    text(value, name, empty=True)
    assert isinstance(value, str)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"the {name} is not valid Unicode", "write it as UTF-8") from None
    return value


def short(value: object, name: str, *, most: int) -> str:
    """A text of few characters, on one line: a path, an id, a date in words."""
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
    """The number of a line; 0 is before the first."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_LINES:
        raise UsageError(f"{name} must be a whole number from 0", f"not {shown(value)}")
    return value


def digits(value: str, name: str, most: int) -> int:
    """As `count`, of a flag's digits."""
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
    """As `share`, of a number."""
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
            raise UsageError(
                f"there is no kind {shown(value)}", meant(name, KINDS, otherwise="kinds: " + ", ".join(KINDS))
            )
        found.append(name)
    return tuple(dict.fromkeys(found))


def choice(value: str, name: str, *, known: tuple[str, ...]) -> str:
    """One of these words; a kind by its name, in any case, or by its letter."""
    if known == KINDS:
        return kinds([value])[0]
    if value not in known:
        hint = meant(value, known, otherwise=f"{name}s: {', '.join(known)}")
        raise UsageError(f"there is no {name} {shown(value)}", hint)
    return value


def entities(values: Iterable[str]) -> tuple[str, ...]:
    """Names of entities, without a leading `@`."""
    values = tuple(values)
    if len(values) > MOST_NAMES:
        raise UsageError(f"{len(values):,} entities are asked for", f"at most {MOST_NAMES} are looked up at once")
    if any(len(value) > LONGEST_NAME for value in values):
        raise UsageError(f"an entity's name has more than {LONGEST_NAME} characters", _example("entity"))
    return tuple(dict.fromkeys(text(value, "entity").removeprefix("@") for value in values))


def ids(values: Iterable[str], name: str) -> tuple[str, ...]:
    """Ids or citations, without a leading `^`."""
    values = tuple(values)
    if len(values) > MOST_NAMES:
        raise UsageError(f"{name} has {len(values):,} ids", f"at most {MOST_NAMES} at once")
    return tuple(dict.fromkeys(short(value, name, most=LONGEST_NAME).removeprefix("^") for value in values))


def _worded(value: object, name: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"{name} must be a date in words or digits", '"2025-11-15", "2025-11", "30d", "last week"')
    return value


def texts(value: object, name: str) -> list[str]:
    """A list of texts."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise UsageError(f"{name} must be a list of texts", f'{{"{name}": ["…"]}}')
    return value


def parsed(line: str) -> object:
    """The JSON of a line: no doubled key, no NaN."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) < len(pairs):
            raise UsageError("a key stands twice in the request", "write it once")
        return dict(pairs)

    try:
        return json.loads(line, object_pairs_hook=once, parse_float=_finite, parse_constant=_no_number)
    except RecursionError:
        raise UsageError("the request is nested too deeply", "one flat JSON object a line") from None
    except UsageError:
        raise
    except ValueError as error:
        raise UsageError(f"the request is not JSON: {error}", "one JSON object a line, or plain text") from None


def _object(line: str, known: tuple[str, ...]) -> dict[str, Any]:
    """The JSON object of a line that starts with `{`: no unknown key; keys that are null count as absent."""
    fields = parsed(line)
    assert isinstance(fields, dict)
    for key in fields:
        if key not in known:
            raise UsageError(f"unknown key {shown(key)}", meant(key, known, otherwise=f"keys: {', '.join(known)}"))
    return {key: value for key, value in fields.items() if value is not None}


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _no_number(digits)


def _no_number(name: str) -> NoReturn:
    raise UsageError(f"{name[:60]} is not a number that can be kept", "write digits")


def shown(value: object) -> str:
    """A value as an error tells it: its beginning, and no part of a secret."""
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
    return {"query": "ask something: where was Peter in November?"}.get(name, f"say the {name} in words")
