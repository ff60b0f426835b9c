"""A question ready to be answered: its parts, the weight of its terms, and whether it asks only for some days."""

import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Literal, NamedTuple

from commonplace.core.model import Query, Span
from commonplace.core.questions.ask_phrases import FAR, Ask
from commonplace.core.questions.query_analysis import Reading
from commonplace.core.recall.term_stats import ASKING, Scale
from commonplace.core.tables import table
from commonplace.core.text.analyzer import Term
from commonplace.core.text.known_languages import LATIN, UNSPACED
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold

Window = Literal["days", "decisions"]


class AnalyzedQuestion(NamedTuple):
    """The input of every stage of a recall."""

    query: Query
    reading: Reading
    today: date
    scale: Scale
    frequencies: Mapping[str, int]
    """Key of a term of the question -> number of lines that have it."""
    lines: int
    """In the workspace."""
    wanted: frozenset[str] = frozenset()
    """Keys of the entities of the filter; empty: any."""
    window: Window | None = None
    """Set if it asks only for the lines of some days, or for the decisions of some days."""
    respelled: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(word as typed, names that it may misspell); it is read as a name if there is one alone."""

    def has(self, term: Term) -> bool:
        """Return whether any line has a term of the question."""
        return any(map(self.frequencies.get, term.keys))

    @property
    def days(self) -> Span | None:
        """The days asked about, by the question or else by a filter."""
        return self.reading.when.span if self.reading.when is not None else self.query.range

    @property
    def is_filtered(self) -> bool:
        """Whether there are filters by days, kinds or entities."""
        query = self.query
        return bool(query.range or query.as_of or query.kinds or query.entities)

    @property
    def only_days(self) -> bool:
        """Whether the question has days and no other term that any line has; a task may be done on any day."""
        if self.reading.when is None or Ask.TASKS in self.reading.asks:
            return False
        return not any(self.has(term) for term in self.reading.terms if term.weight > ASKING)


_WORD = lazy_pattern(r"[\u0900-\u0963\u0970-\u097f]+|[^\W_]+(?:['’-][^\W_]+)*")


def asks_for_days(reading: Reading) -> bool:
    """Return whether a question has no search terms beside its days and its kind."""
    return not _names_more(reading) and not _rest(_without_days(reading))


def asks_for_opinions(reading: Reading) -> bool:
    """Return whether a question asks for opinions, perhaps of some days, and for nothing else: "What do I think?"."""
    if _names_more(reading):
        return False
    if reading.kinds and all(term.weight <= ASKING for term in reading.terms):
        return True
    text = _without_days(reading)
    return not _rest(text, "filler", "opinions") and bool(_rest(text))


def asks_for_decisions(reading: Reading) -> bool:
    """Return whether a question asks for decisions of some days and nothing else: "What did we decide in May?"."""
    if Ask.DECISION not in reading.asks or _names_more(reading):
        return False
    return not _rest(_without_days(reading), "filler", "decisions")


def _names_more(reading: Reading) -> bool:
    """Whether the question names an entity whose name is not just a filler word, such as "what"."""
    return any(_rest(name) for name, _ in reading.entities)


def _without_days(reading: Reading) -> str:
    if reading.when is None:
        return reading.query
    return f"{reading.query[: reading.when.start]} {reading.query[reading.when.end :]}"


def _rest(text: str, *lists: str) -> str:
    """The rest of a text without filler words, or without the words of these lists."""
    folded = fold(text)
    words, runs = _filler(*(lists or ("filler",)), far=max(folded, default="") >= FAR)
    left = [word for word in _WORD.findall(folded) if word not in words]
    return "".join(runs.sub("", word) if word[0] >= FAR_EAST else word for word in left)


@cache
def _filler(*lists: str, far: bool) -> tuple[frozenset[str], re.Pattern[str]]:
    """The words of these lists; those of languages without spaces as a pattern.

    Args:
        far: include scripts other than Latin, which cost a cold start 1.5 ms.
    """
    data = table("window")
    listed = {
        language: [word for name in lists for word in fold(data[name][language]).split(", ")]
        for language in (data["filler"] if far else LATIN)
    }
    words = frozenset(word for language, each in listed.items() if language not in UNSPACED for word in each)
    runs = sorted({word for language in UNSPACED for word in listed.get(language, ())}, key=len, reverse=True)
    return words, lazy_pattern("|".join(map(re.escape, runs)))  # no other script needs it
