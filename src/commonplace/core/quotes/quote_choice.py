"""Chooses among the quotes for a page: the best of each topic, none twice, the newest first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from commonplace.core.entities.introductions import (
    introduces,
    introduces_owner,
    names_somebody,
)
from commonplace.core.extract.distinct_texts import Distinct
from commonplace.core.quotes.page_lines import shown_day
from commonplace.core.quotes.page_quotes import EARLIER, LOGGED, NOTES, teaches
from commonplace.core.quotes.quote_faults import passing
from commonplace.core.quotes.quote_topics import (
    CAUSES,
    DECISIONS,
    PREFERENCES,
    WHO,
    is_logged,
    is_said_in_passing,
)
from commonplace.core.quotes.quote_words import behind_label, is_general
from commonplace.core.tables import table
from commonplace.core.text.analyzer import occurrences
from commonplace.core.text.normalize import columns
from commonplace.core.timeline import ordinal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.quotes.page_quotes import Quote

OF_ALL = (PREFERENCES, DECISIONS)
"""What has pages of the whole workspace, which quote it although an entity's page may."""
_TICKS = frozenset("✅❌✔✗☑☐")
_WORTH_TELLING_BY_DAY = 1.3
"""Minimum worth of a line there that no topic but its day tells, once the page has enough lines."""
_WORTH_OF_A_NOTE = 3.0
"""Minimum worth of an undated line of no core file there that no topic tells, or of one that may be said of anything,
once the page has enough lines: of six workspaces' such lines below it a third was useful, of the others six in ten."""
_WORTH_OF_A_CORE_NOTE = 0.9
"""The same of a core file, whose owner wrote it down to be kept: of eight workspaces' few such lines none was
useful."""
_BRIEF, _LESS_IF_BRIEF = 75, 1.0
"""Columns up to which a line that only its day or a note tells is seldom understood by itself, and how much less it is
worth beside the others: of twenty workspaces' such lines a third was useful, of the longer ones half."""
WORTH_LISTING, WORTH_OF_A_DECISION = 1.4, 0.7
"""Minimum worth of a line on a page of the whole workspace, and of one there whose label or heading calls it a
decision: it was written down as one, in few words most often."""
_MOST_IN_A_SECTION = 6
"""Maximum quotes of one other topic."""
_MOST_BELOW_ONE, _MOST_DECISIONS_BELOW_ONE, _MOST_RULES_BELOW_ONE = 2, 4, 6
"""Maximum quotes from below the same heading or bullet, else one list fills a page; decisions, rules and what core
files say of somebody stand in lists."""
_MOST_OF_A_LIST = {DECISIONS: _MOST_DECISIONS_BELOW_ONE, PREFERENCES: _MOST_RULES_BELOW_ONE}
_MOST_GENERAL = 2
"""Maximum quotes of undated notes that may be said of anything: the praise of a product, what everybody can read."""
_MOST_SINGLE = 3
"""Maximum quotes of what was learned that tell of one cause or mend alone, and no lesson."""
_SAME, _WITHIN = 0.45, 0.75
"""Shares of terms from which two lines of a page say the same: less than elsewhere, for a reader sees them together."""
_PART = 0.8
"""Share of the terms of a line from which another that has them says it, too."""
_MOST_ON_A_PAGE = 24
"""Maximum quotes on the page of an entity."""
_MOST_LISTED = 40
MOST_TRIED = 400
"""Quotes that are compared for a page of the whole workspace, the best."""
FEWEST = 3
"""Minimum log lines worth quoting, for an entity to earn a page without facts."""
_FEWEST_OF_ONES_OWN = 2
"""Lines of core files and logs of what is not only read of. Pages with fewer were of methods and products of articles,
nearly all, in three workspaces that nobody had read before; on the six of the labels no labelled page was lost."""

_MOST_OF = {LOGGED: 4, EARLIER: 8, WHO: 10}
"""Maximum quotes of what is told by its day, and of who somebody is."""


def chosen(quotes: Iterable[Quote], *, said: Iterable[str] = (), fewest: int = FEWEST) -> list[Quote]:
    """Return the best quotes for a page, the newest first: of each topic a handful, and none that repeats another.

    What a line tells plainly or at length comes before what only its day or a note tells in brief.
    What only its day tells is shown of the last such day; earlier days only fill a page. Readers held half of the lines
    of that day useful, and a quarter of the others, whatever their worth (138 lines of 18 workspaces).

    Args:
        said: what the page says already.
        fewest: lines up to which those of little use fill it.
    """
    told = Distinct(said, same=_SAME, within=_WITHIN)
    topics = Counter[str]()
    headings = Counter[tuple[str, ...]]()
    found: list[Quote] = []
    general: list[Quote] = []
    every = [*quotes]
    good = (each for each in every if each.topic == LOGGED and not (each.fault or each.newer))
    last = max((ordinal(each.line.recorded) for each in good), default=0)

    def since(each: Quote) -> int:
        """Return the days from a line that only its day tells to the last such day."""
        day = ordinal(each.line.recorded) if each.topic == LOGGED else 0
        return max(0, last - day) if day else 0

    def place(each: Quote) -> tuple[Any, ...]:
        fault, days = _filling(each), since(each)
        brief = each.topic in (LOGGED, NOTES) and columns(each.line.content) < _BRIEF
        worth = each.score - _LESS_IF_BRIEF * brief
        return fills(each), fault, not _gives_name(each), days, _is_bare(each), -worth, each.recency

    def fills(each: Quote) -> bool:
        """Return whether a line only fills a page."""
        return each.fault != "" or since(each) > 0 or _is_bare(each)

    for each in sorted(every, key=place):
        if len(found) >= (fewest if fills(each) else _MOST_ON_A_PAGE):
            break
        most_of_it = _MOST_OF.get(each.topic, _MOST_IN_A_SECTION)
        if len(found) >= FEWEST and tells_little(each):
            continue
        most_below = _MOST_RULES_BELOW_ONE if each.core and each.line.recorded is None else _MOST_BELOW_ONE
        full = topics[each.topic] >= most_of_it or headings[each.list] >= most_below
        if not full and told.add(each.line.content):
            topics[each.topic] += 1
            headings[each.list] += 1
            found.append(each)
            general += [each] * _is_general(each)
    while len(general) > _MOST_GENERAL and len(found) > fewest:
        found.remove(general.pop())
    return _newest_first(_without_parts(found, fewest))


def _newest_first(quotes: Iterable[Quote]) -> list[Quote]:
    """Return quotes from the newest day that they show to the oldest, those of a day or without one as written."""
    return sorted(quotes, key=lambda each: (-ordinal(shown_day(each.line)), *each.recency[1:]))


def _is_general(each: Quote) -> bool:
    """Whether an undated note, but for what introduces the owner, may be said of anything."""
    undated = each.topic == NOTES and each.line.recorded is None and not introduces_owner(each.line.source.path)
    return undated and is_general(each.line.content)


def few_outdated(quotes: Sequence[Quote]) -> list[Quote]:
    """Return the quotes for the page of an entity, with those that are outdated, or held for a moment that has passed,
    only where it has few: of seven on real pages readers found none useful."""
    past = [each for each in quotes if each.newer or each.topic == EARLIER]
    spare = max(0, FEWEST - (len(quotes) - len(past)))
    return [each for each in quotes if each not in past[spare:]]


def are_of_reading(quotes: Sequence[Quote]) -> bool:
    """Return whether the quotes for a page are of what somebody studied or read: notes and reports give nearly all of
    them, core files and logs, in which people and projects stand, one at most, and nobody decided anything about it, or
    learned by it."""
    own = [each for each in quotes if each.core or is_logged(each.line)]
    lasting = any(each.topic not in (WHO, LOGGED, NOTES, EARLIER) for each in quotes)
    return not lasting and len(own) < _FEWEST_OF_ONES_OWN and all(each.topic in (LOGGED, NOTES) for each in own)


def _gives_name(each: Quote) -> bool:
    """Whether a line gives, in a file that introduces owner or agent, the name of that one."""
    return each.topic == WHO and introduces(each.line.source.path) and names_somebody(each.line.content)


def _filling(each: Quote) -> int:
    """Return 0 for a good line, 1 for one that only fills a page, 2 for one that held for a moment, and 3 for what is
    over by a core file: in the log of its day it claims nothing of today."""
    return bool(each.fault) * (1 + passing(each.fault) + (each.core and each.fault == "over"))


def _is_bare(each: Quote) -> bool:
    """Whether only its day tells what a line tells, and in plain words: of eighteen workspaces' such lines a third was
    useful, and none of nine on pages with enough others; of those with a label or a word of what lasts six in ten."""
    return each.topic == LOGGED and each.bare


def _without_parts(quotes: list[Quote], fewest: int = 0) -> list[Quote]:
    """Return the quotes, without those whose statement another of them contains, unless few are left."""
    said = [frozenset(occurrences(_statement(each))) for each in quotes]
    whole = [frozenset(occurrences(each.line.content)) for each in quotes]
    kept = [
        each
        for at, each in enumerate(quotes)
        if not any(len(said[at]) < len(other) and _is_part(said[at], other) for i, other in enumerate(whole) if i != at)
    ]
    return kept if len(kept) >= fewest else quotes


def _statement(each: Quote) -> str:
    """Return what a line states: what stands behind its label, but of who somebody is all of it (`Wife: Anna`)."""
    return each.line.content if each.topic == WHO else behind_label(each.line.content)


def _is_part(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether the terms of a text are those of another, but for few, and no number is among these."""
    new = one - other
    return bool(one) and len(new) <= (1 - _PART) * len(one) and not any(term[0].isdigit() for term in new)


def tells_little(each: Quote) -> bool:
    """Return whether only its day, or not even that, says what a line tells, and it is worth little or ticks something
    off."""
    if (each.topic == NOTES and not each.core) or _is_general(each):
        return each.score < _WORTH_OF_A_NOTE
    if each.topic == NOTES:
        return each.score < _WORTH_OF_A_CORE_NOTE
    if each.topic not in (LOGGED, EARLIER):
        return False
    return each.score < _WORTH_TELLING_BY_DAY or not _TICKS.isdisjoint(each.line.content)


def listed(quotes: Iterable[Quote]) -> list[Quote]:
    """Return the best quotes for a page of the whole workspace, the newest first.

    A line of a core file counts by its words alone, since each session has those files before it; but not a rule or
    decision: their pages are the place where an owner looks for all of them.
    """
    told = Distinct(same=_SAME, within=_WITHIN)
    found: list[Quote] = []
    headings = Counter[tuple[str, ...]]()
    bonus: float = table("worth")["weights"]["core file"]
    ranked = ((each.score - bonus * (each.core and each.topic not in OF_ALL), each) for each in quotes)
    worthy = sorted(
        (pair for pair in ranked if pair[0] >= _least(pair[1])), key=lambda pair: (-pair[0], pair[1].recency)
    )
    single = 0
    for _, each in worthy[:MOST_TRIED]:
        if len(found) >= _MOST_LISTED:
            break
        most = _MOST_OF_A_LIST.get(each.topic, _MOST_BELOW_ONE)
        if each.core and each.topic == PREFERENCES:
            most = _MOST_LISTED  # what an owner has listed
        mend = each.topic == CAUSES and not teaches(each.line)
        enough = mend and single >= _MOST_SINGLE
        if headings[each.list] < most and not enough and told.add(each.line.content):
            headings[each.list] += 1
            single += mend
            found.append(each)
    return _newest_first(_without_parts(found))


def _least(each: Quote) -> float:
    """Return the worth that a line has at least on a page of the whole workspace."""
    said = each.topic == DECISIONS and is_said_in_passing(each.line)
    return WORTH_OF_A_DECISION if each.topic in OF_ALL and not said else WORTH_LISTING
