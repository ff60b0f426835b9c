"""Quotes the best lines of logs on pages: which of them, and below which headings.

A page needs no permission to quote: a quoted line is shown with its day and link; it is never evidence. The measure is
`core.extract.line_worth`; of lines that say nearly the same only the best is quoted.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.extract.distinct_texts import Distinct
from commonplace.core.extract.readable_line import readable
from commonplace.core.pages.current_facts import says_what, says_what_it_wants
from commonplace.core.pages.page_lines import SHOWN, line_row
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.timeline import ordinal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.extract.line_worth import Worth
    from commonplace.core.model import AnyLine, Line

_NO_SUBJECT = lazy_pattern(r"[\W\d_]*(?:\([^()]{0,12}\)|[A-Za-z]{0,12})[\W\d_]*(?:\([^()]{0,12}\))?[\W\d_]*")
"""A heading of a day, an hour or one short word."""
WORTH_QUOTING = 0.0
"""Minimum worth of a line on the page of an entity that it names."""
WORTH_LISTING = 1.4
"""Minimum worth of a line on a page of the whole workspace."""
WORTH_OF_A_DEFINITION = 2.0
"""Worth that a line has more if it says who or what its page is about."""
_OPENING = 60
"""Characters at the start of a line in which its subject stands."""
_MARKS = 8
"""Characters before the name in a line of a core file that is about it: marks, an article, a title."""
_MOST_IN_A_SECTION = 6
_MOST_BELOW_ONE = 2
"""Maximum quotes from below the same heading or bullet: else one list fills a page."""
_MOST_ON_A_PAGE = 24
_MOST_LISTED = 40
MOST_TRIED = 400
"""Quotes that are compared for a page of the whole workspace, the best."""
_FEWEST_LISTED = 3
RECENT_DAYS = 30
"""Days before the newest log that are lately."""

WHO, PREFERENCES, DECISIONS, CAUSES = "who", "preferences", "decisions", "causes"
LATELY, EARLIER = "lately", "earlier"
"""What a line tells; what it tells else, by the day."""
OTHER = "other"
"""Either of these, or who somebody is, where the signs of a line say nothing."""
_WHO = frozenset(("bond", "life"))
_TOPICS = (
    (frozenset(("label decided", "below decided")), DECISIONS),
    (frozenset(("label cause", "below cause", "below lesson")), CAUSES),
    (frozenset(("prefers", "below prefers", "below rule")), PREFERENCES),
    (frozenset(("lesson", "cause", "tried")), CAUSES),
    (frozenset(("decided",)), DECISIONS),
    (frozenset(("order", "label fact")), PREFERENCES),
    (_WHO, WHO),
)
"""Signs of a line -> what it tells; the first that fits."""
_ORDERS = frozenset(("rule", "order", "decided"))
"""Signs of which a line below a heading of rules has one: the word for important is in other headings, too."""
_LABELLED_TOPICS = _TOPICS[:2]
"""The same for a row of a table, whose cells have words of anything: only its label or heading tells."""


class Quote(NamedTuple):
    """A line that a page may quote."""

    line: Line
    score: float
    """As of `Worth`."""
    topic: str
    tells_who: bool = False
    """Whether its words may tell who somebody is."""
    below: str = ""
    """The heading or bullet above it that names what the page is about, if the line does not."""
    core: bool = False
    """Whether it stands in a core file, which each session has before it."""
    newer: AnyLine | None = None
    """The line that outdates it."""

    @property
    def list(self) -> tuple[str, ...]:
        """The file, and the headings and bullets above it; of an undated note, often a textbook, the file alone."""
        whole = self.line.recorded is None and not self.core
        return (self.line.source.path,) if whole else (self.line.source.path, *self.line.context)

    @property
    def recency(self) -> tuple[int, str, int]:
        """Sort key: the day of its record, then its place."""
        return ordinal(self.line.recorded), self.line.source.path, self.line.source.line


def quote(line: Line, score: float, topic: str, *, tells_who: bool, core: bool, since: int = 0) -> Quote:
    """Return a line with what it tells.

    Args:
        topic, tells_who: as of the functions of these names.
        core: whether it stands in a core file: what that says without a day says who or what there is.
        since: ordinal of the first day that is lately.
    """
    other = WHO if core and line.recorded is None else LATELY if ordinal(line.recorded) >= since else EARLIER
    return Quote(line, score, other if topic == OTHER else topic, tells_who, core=core)


def tells_who(worth: Worth) -> bool:
    """Return whether the words of a line may tell who somebody is: a bond, a stage of life."""
    return not _WHO.isdisjoint(worth.signs)


def topic_of(worth: Worth) -> str:
    """Return what the signs of a line say that it tells."""
    signs = worth.signs - {"below rule"} if _ORDERS.isdisjoint(worth.signs) else worth.signs
    topics = _LABELLED_TOPICS if "row" in signs else _TOPICS
    return next((topic for each, topic in topics if not each.isdisjoint(signs)), OTHER)


def with_heading(each: Quote) -> Quote:
    """Return a quote that names nobody with the nearest heading or bullet above it that says what it is about."""
    for text in reversed(each.line.context):
        if text[:1] != "|" and _NO_SUBJECT.fullmatch(text) is None:
            return each._replace(below=text)
    return each


def names_it(each: Quote, key: str) -> bool:
    """Whether what a page would show of a line names an entity; of a row of a table its first cell must."""
    shown = readable(each.line)
    if each.line.content[:1] == "|":
        shown = each.line.content.strip("| ").partition("|")[0]
    return key in entity_key(shown[:SHOWN])


def begins_with(each: Quote, key: str) -> bool:
    """Whether an entity is in the first words of a line, where its subject stands."""
    return key in entity_key(each.line.content[:_OPENING])


def about(each: Quote, key: str) -> Quote:
    """Return a quote as it is about an entity that its line names.

    A line that begins with the name may tell who or what that is, which is worth more on its page.
    """
    opening = entity_key(each.line.content[:_OPENING])
    plain = each.topic not in (DECISIONS, CAUSES)
    if plain and opening.startswith(key) and says_what_it_wants(entity_key(each.line.content)[len(key) :]):
        return each._replace(topic=PREFERENCES)
    if opening.startswith(key) and says_what(entity_key(each.line.content)[len(key) :]):
        return each._replace(topic=WHO, score=each.score + WORTH_OF_A_DEFINITION)
    if opening.startswith(key) and each.topic != DECISIONS and each.tells_who:
        return each._replace(topic=WHO)
    subject = key in opening[: len(key) + _MARKS] if each.core else opening.startswith(key)
    return each._replace(topic=LATELY) if each.topic == WHO and not subject else each


def chosen(quotes: Iterable[Quote], *, said: Iterable[str] = (), most: int = _MOST_ON_A_PAGE) -> list[Quote]:
    """Return the best quotes for a page, the newest first: of each topic a handful, and none that repeats another.

    Args:
        said: what the page says already.
    """
    told = Distinct(said)
    topics = Counter[str]()
    headings = Counter[tuple[str, ...]]()
    found: list[Quote] = []
    for each in sorted(quotes, key=lambda each: (-each.score, each.recency)):
        if len(found) >= most:
            break
        full = topics[each.topic] >= _MOST_IN_A_SECTION or headings[each.list] >= _MOST_BELOW_ONE
        if not full and told.add(each.line.content):
            topics[each.topic] += 1
            headings[each.list] += 1
            found.append(each)
    return sorted(found, key=lambda each: each.recency, reverse=True)


def listed(quotes: Iterable[Quote]) -> list[Quote]:
    """Return the best quotes for a page of the whole workspace, the newest first; none if there are very few.

    A line of a core file counts by its words alone, since each session has those files before it.
    """
    told = Distinct()
    found: list[Quote] = []
    headings = Counter[tuple[str, ...]]()
    bonus: float = table("worth")["weights"]["core file"]
    ranked = ((each.score - bonus * each.core, each) for each in quotes)
    worthy = sorted((pair for pair in ranked if pair[0] >= WORTH_LISTING), key=lambda pair: (-pair[0], pair[1].recency))
    for _, each in worthy[:MOST_TRIED]:
        if len(found) >= _MOST_LISTED:
            break
        if headings[each.list] < _MOST_BELOW_ONE and told.add(each.line.content):
            headings[each.list] += 1
            found.append(each)
    return sorted(found, key=lambda each: each.recency, reverse=True) if len(found) >= _FEWEST_LISTED else []


def rows(quotes: Iterable[Quote], page: str) -> list[tuple[str, str]]:
    """Return the lines of quotes on a page, each with its key."""
    return [line_row(each.line, page, below=each.below, newer=each.newer) for each in quotes]


def of_topic(quotes: Sequence[Quote], *topics: str) -> list[Quote]:
    """Return those that tell one of these things; what is outdated tells what was earlier."""
    return [each for each in quotes if (EARLIER if each.newer else each.topic) in topics]
