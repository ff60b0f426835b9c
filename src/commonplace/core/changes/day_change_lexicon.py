"""The words of moved and cancelled days (`data/day_changes.json`) as patterns, for the languages of one script."""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from commonplace.core.tables import table
from commonplace.core.text.known_languages import HAN, LANGUAGES, LATIN, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

DAY_VERBS = MOVED, POSTPONED, CANCELLED = "moved", "postponed", "cancelled"
"""What a verb says of a day, which is the group of the pattern that it matches."""


class DayWords(NamedTuple):
    """The words of the languages of one script."""

    of: dict[str, re.Pattern[str]]
    """Kind of words -> their pattern, for a folded text."""
    empty: frozenset[str]
    """Words that name no thing."""
    spaced: bool


def day_words(text: str) -> DayWords:
    """Return the words for a text, by its script."""
    code = "en" if text.isascii() else identify(text).code
    return _words(LATIN if code in LATIN else HAN if code in HAN else (code,))


@cache
def _words(languages: tuple[str, ...]) -> DayWords:
    known = [table("day_changes")[code] for code in languages]
    spaced = all(LANGUAGES[code].spaced for code in languages)

    def any_of(*kinds: str) -> str:
        return either(said for each in known for kind in kinds for said in each[kind].split(", "))

    def either(listed: Iterable[str]) -> str:
        phrases = {*map(fold, listed)} - {""}
        said = "|".join(map(re.escape, sorted(phrases, key=len, reverse=True))) or "(?!)"
        return rf"(?<![\w-])(?:{said})(?![\w\u0900-\u0963-])" if spaced else f"(?:{said})"

    verbs = "|".join(f"(?P<{kind}>{any_of(kind)})" for kind in DAY_VERBS)
    listed = [*(each["empty"] for each in known), *(table("changes")[code]["small"] for code in languages)]
    weekdays, months = (
        [name for code in languages for name in table("day_names")[of].get(code, ())] for of in ("weekdays", "months")
    )
    listed += [*weekdays, *months]
    listed += (" ".join(LANGUAGES[code].function_words) for code in languages if spaced)
    beside = "[^\\w\ue000-\uf8ff]*"
    kana = f"(?![{table('stopwords')['particles']}])[ぁ-ん]"  # within a word, as in 飲み会
    patterns = {
        "verb": verbs,
        "run": rf"[㐀-鿿]+(?:{kana}[㐀-鿿]+)+|[㐀-鿿゠-ヿ]{{2,}}|[a-z]{{2,}}",
        "series": any_of("series"),
        "because": any_of("because"),
        "empty": any_of("empty"),
        "anew": rf"^{beside}$|{any_of('anew')}",
        "unsure": any_of("unsure"),
        "hour": any_of("hour"),
        "hour before": any_of("hour before"),
        "weekday": either(" ".join(weekdays).split()),
        "loose": rf"\d(?:[./]\s?\d|\.(?=\s|$)|-?[^\W\d_]{{2}}\b|[号日])|{either(' '.join(weekdays).split())}",
        "lead": rf"(?i){any_of('to', 'from')}",
        "from": rf"{any_of('from')}{beside}$",
        "to": rf"(?:{any_of('to')}|[\ue000-\uf8ff]){beside}$",
        "from behind": rf"\s?{any_of('from behind')}",
        "to behind": rf"\s?{any_of('to behind')}",
    }
    return DayWords(
        {kind: lazy_pattern(said) for kind, said in patterns.items()},
        frozenset(fold(" ".join(listed)).split()),
        spaced,
    )
