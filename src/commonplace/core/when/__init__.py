"""Dates in words: from text in each known language to spans of days.

One grammar (`grammar`), one table of words a language (`data/LANGUAGE/when.json`), no network, no clock: the day from
which "yesterday" counts is an argument. What a text leaves out is filled in thus:

* in a *text* (`find`, `valid`) a missing year is the one nearest to the given day, unless the verbs say otherwise
  (`tense`): what is not over ends ahead, what was is behind; of what `find` finds, `valid` takes what can only be a
  date;
* in a *question* (`read`) words of tense decide ("did": the latest one, "will": the next one); without them a memory
  looks back: a day ahead weighs as much as eight days back; `read_otherwise` has the other days that may be meant.

Nothing here raises on any text, except `argument`, whose caller asked for a date and gave none.

May import: `text`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.core.when.words.prefilter import may_hold

if TYPE_CHECKING:
    from commonplace.core.when.date_reader import asks_for_plans, find, read, read_otherwise
    from commonplace.core.when.fixed_forms import (
        argument,
        closing_day,
        heading_day,
        heading_year,
        note_day,
        path_day,
        says_only_when,
    )
    from commonplace.core.when.tense import told
    from commonplace.core.when.validity import valid

__all__ = [
    "argument",
    "asks_for_plans",
    "closing_day",
    "find",
    "heading_day",
    "heading_year",
    "may_hold",
    "note_day",
    "path_day",
    "read",
    "read_otherwise",
    "says_only_when",
    "told",
    "valid",
]


def __getattr__(name: str) -> Any:
    """Load what reads dates when it is first asked for: most questions and lines contain none."""
    if name in {"argument", "closing_day", "heading_day", "heading_year", "note_day", "path_day", "says_only_when"}:
        from commonplace.core.when import fixed_forms

        found = getattr(fixed_forms, name)
    elif name in {"asks_for_plans", "find", "read", "read_otherwise"}:
        from commonplace.core.when import date_reader

        found = getattr(date_reader, name)
    elif name == "told":
        from commonplace.core.when.tense import told as found
    elif name == "valid":
        from commonplace.core.when.validity import valid as found
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found
