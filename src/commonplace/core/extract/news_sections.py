"""Which sections of a log are the news that somebody read: they tell how many liked what they list.

One such line proves little, so whole sections are judged, by what stands right below a heading, and by the heading.
Holds for all languages.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.extract.line_worth import Worth

_POPULAR = lazy_pattern(
    r"(?i)(?<![\w.,])(?:[0-9][0-9,]{2,}|[0-9]+(?:\.[0-9]+)?\s?[k万萬])\+?\s?(?:(?:stars|upvotes)\b|⭐)"
    r"|[(（]\s?[0-9][0-9,]{2,}\s?(?:pts?\s?[)）,，、|·]|points\s?[,|·])"
    r"|(?P<points>[(（]\s?[0-9][0-9,]{2,}\s?points\s?[)）])"
    r"|(?P<marks>[(（]\s?[0-9][0-9,]{2,}\s?[点點]\s?[)）,，、|·]|[+＋][0-9][0-9,]+ ?[点點])"
    r"|(?<![\w.,])[0-9][0-9,]+\s?(?:pts?|points?|点|點|分|ポイント|очк\w*|балл\w*|अंक)\W{1,4}[0-9][0-9,]*\s?"
    r"(?:条|條|件の)?\s?(?:c\b|comment|kommentar|评论|評論|コメント|коммент|टिप्पण)"
)
"""How many liked a piece of news, on the day on which somebody looked; a hotel or a driver has a few, too."""
_SOME_POINTS = lazy_pattern(r"(?i)[0-9]\+?\s?(?:stars|upvotes|⭐|[k万萬点點分]|p|ポイント|очк|балл|अंक)")
"""What each of these has: found six times as fast."""
_KANA = lazy_pattern("[ぁ-ヺ]")
_OWN = frozenset(("own", "label decided"))
_FEWEST, _SHARE = 2, 0.25
"""Such lines right below a heading, and their share of the lines there and of all below it, from which that is news:
two of them below the title of a day say nothing of its sections."""


def may_tell_popularity(text: str) -> bool:
    """Return whether a text tells how many liked something, or points alone, which may be those of a game."""
    return _SOME_POINTS.search(text) is not None and _POPULAR.search(text) is not None


def tells_popularity(text: str) -> bool:
    """Return whether a text tells how many liked a piece of news; points alone may be those of a game, and in Japanese
    marks of a school."""
    found = _POPULAR.search(text) if _SOME_POINTS.search(text) else None
    return found is not None and not found["points"] and not (found["marks"] and _KANA.search(text))


def is_own(worth: Worth) -> bool:
    """Return whether a line is in the first person or labelled as a decision, so that it tells of its writer whatever
    stands beside it."""
    return not worth.signs.isdisjoint(_OWN)


def of_news(sections: Sequence[tuple[str, ...]], popular: Sequence[bool]) -> list[bool]:
    """Return, for each line of a file, whether it stands in a section of news.

    Args:
        sections: the headings and bullets above each line.
        popular: as of `tells_popularity`, for each.
    """
    liked = [section for section, told in zip(sections, popular, strict=True) if told]
    right, those = Counter(sections), Counter(liked)
    news = {section for section, count in those.items() if count >= max(_FEWEST, _SHARE * right[section])}
    if news:
        every, among = _lines_below(sections), _lines_below(liked)
        news = {section for section in news if among[section] >= _SHARE * every[section]}
    news |= {section for section in right if section and tells_popularity(section[-1])}
    return _below(sections, news)


def _lines_below(sections: Sequence[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
    """Return how many lines stand in each section, whatever is between."""
    return Counter(section[:end] for section in sections for end in range(len(section) + 1))


def _below(sections: Sequence[tuple[str, ...]], among: set[tuple[str, ...]]) -> list[bool]:
    """Return, for each line, whether it stands in one of these sections."""
    return [bool(among) and any(section[:end] in among for end in range(len(section) + 1)) for section in sections]
