"""Quotes the best lines of logs on pages: which of them, and below which headings.

A page needs no permission to quote: a quoted line is shown with its day and link; it is never evidence. The measure is
`core.extract.line_worth`; of lines that say nearly the same only the best is quoted.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.introductions import (
    introduces,
    names_somebody,
    speaks_of_a_relative,
    speaks_of_somebody,
)
from commonplace.core.extract.line_labels import heading_name, is_taken, labelled
from commonplace.core.extract.line_worth import is_bare
from commonplace.core.memo import Findings
from commonplace.core.quotes.definitions import says_what_it_wants
from commonplace.core.quotes.page_lines import line_row
from commonplace.core.quotes.quote_faults import DAY, RIGHT, fault
from commonplace.core.quotes.quote_topics import (
    CAUSES,
    DECISIONS,
    OTHER,
    PREFERENCES,
    WHO,
    announces,
    days_named,
    demands,
    is_logged,
    is_said_in_passing,
    ruled,
)
from commonplace.core.quotes.quote_words import (
    announces_traits,
    begins_at_a_minute,
    behind_label,
    has_trait,
    holds_when,
    instructs,
    is_bound,
    is_habit,
    is_mostly_code,
    says_what_for,
    tells_a_life,
)
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold
from commonplace.core.timeline import ordinal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.model import AnyLine, Line

_PASSED = -1
"""Before every day."""
WORTH_QUOTING = 0.0
"""Minimum worth of a line on the page of an entity that it names."""
_WORTH_OF_A_CAUSE = 3.0
"""Minimum worth of a line that tells a cause by its words alone: of twenty workspaces' such lines below it one in nine
was right and useful, of the others six in ten."""
OPENING = 60
"""Characters at the start of a line in which its subject stands."""
LOGGED, NOTES, EARLIER = "logged", "notes", "earlier"
"""What a line tells that nothing says plainly: of its day, undated, or what a newer line outdates."""
_FILE = lazy_pattern(r"\.md\b")
"""A file of notes: a line that names one tells where something is written down."""


class Quote(NamedTuple):
    """A line that a page may quote."""

    line: Line
    score: float
    """As of `Worth`."""
    topic: str
    by_day: str
    """What it tells if nothing else: what was so on its day, or a note without a day."""
    tells_who: bool = False
    """Whether its words may tell who somebody is."""
    below: str = ""
    """The heading or bullet above it that is shown with it: that which names what the page is about, or its `lead`."""
    core: bool = False
    """Whether it stands in a core file, which each session has before it."""
    newer: AnyLine | None = None
    """The line that outdates it."""
    fault: str = ""
    """Why a page is better off without it, as of `quote_faults.fault`; `over` for a day to come that has passed."""
    until: int | None = None
    """Ordinal of the last of the days to come of which it told; None if it told of none."""
    bare: bool = False
    """Whether it stands in no core file and tells of its day only what somebody did, or gives little but a link."""

    @property
    def list(self) -> tuple[str, ...]:
        """The file, and the headings and bullets above it; of an undated note, often a textbook, the file alone, unless
        its title is what the page is about."""
        own = self.below != "" and self.line.context[:1] == (self.below,)
        whole = self.line.recorded is None and not (self.core or own)
        return (self.line.source.path,) if whole else (self.line.source.path, *self.line.context)

    @property
    def recency(self) -> tuple[int, str, int]:
        """Sort key: the day of its record, then its place."""
        return ordinal(self.line.recorded), self.line.source.path, self.line.source.line


class _Read(NamedTuple):
    """What a line tells a page, whatever day it is."""

    topic: str
    """As of `quote_topics`, and as a page shows it."""
    shown: str
    by_day: str
    over: int | None
    """Ordinal of the day with which what it tells is over, `_PASSED` for what passed with its own; None: with none."""


def quote(
    line: Line,
    score: float,
    topic: str,
    *,
    tells_who: bool,
    core: bool,
    newest: int = 0,
    findings: Findings | None = None,
) -> Quote:
    """Return a line with what it tells.

    What a core file says without a day tells who or what there is; in a file that introduces owner or agent that is so
    of labels such as `Role:` alone, since most else there is how to behave.

    Args:
        topic, tells_who: as of `quote_topics`.
        core: whether it stands in a core file.
        newest: ordinal of the newest log's day.
    """
    findings = findings or Findings()
    told = (line.source.path, str(line.recorded), str(line.valid), str(core), line.content, *line.context)

    def find() -> tuple[str, str, str, int | None, str]:
        read = _read(line, topic, core=core)
        return *read, fault(line, read.topic, core=core)

    *told_of, why = findings.in_texts("told", (topic, *told), find)
    read = _Read(*told_of)
    if read.over is not None and read.over < newest and (not why or why in RIGHT):
        why = "over"
    until = None if read.over == _PASSED else read.over
    weak = read.shown == CAUSES and score < _WORTH_OF_A_CAUSE and is_said_in_passing(line)
    shown = read.by_day if weak else read.shown
    bare = not core and read.by_day == LOGGED and findings.in_text("bare", line.content, _is_bare)
    return Quote(line, score, shown, read.by_day, tells_who, core=core, fault=why, until=until, bare=bare)


def _read(line: Line, topic: str, *, core: bool) -> _Read:
    of_a_day = line.recorded is not None or (DAY.search(line.content[:OPENING]) and not (core and gives_a_trait(line)))
    by_day = LOGGED if of_a_day else NOTES
    if topic in (DECISIONS, PREFERENCES) and not core and _is_of_others(line):
        topic = OTHER
    passed = topic in (DECISIONS, PREFERENCES) and line.recorded is not None and is_bound(line.content)
    passed |= topic == DECISIONS and _was_done_at_a_minute(line)
    if passed or (topic == PREFERENCES and (is_habit(line) or _is_an_aim(line))):
        topic = OTHER
    if core and by_day == NOTES and (topic in (WHO, OTHER) or gives_a_trait(line)):
        topic = _of_a_core_file(line, topic)
    if topic == WHO and by_day == LOGGED and line.recorded is None:
        topic = OTHER
    alone = topic == CAUSES and not (is_said_in_passing(line) or teaches(line))
    shown = by_day if topic == OTHER or alone else topic
    return _Read(topic, shown, by_day, _PASSED if passed else _ahead_until(line))


def _is_bare(text: str) -> bool:
    return is_bare(text) or is_mostly_code(text)


def teaches(line: Line) -> bool:
    """Return whether a line tells what was learned: a lesson, a rule, not one cause or mend alone."""
    said = behind_label(line.content)
    label = line.content[: -len(said)]
    above = [heading_name(text) for text in (label, *line.context[-1:])]
    lesson = any(word in name for word in table("pages")["teaches"] for name in above)
    return lesson or demands(line.content) or instructs(said)


def _was_done_at_a_minute(line: Line) -> bool:
    """Whether a line of a log gives the minute of a deed that only sounds like a decision; many logs give that of each
    line."""
    if line.recorded is None or not begins_at_a_minute(line.content):
        return False
    return is_said_in_passing(line) and not is_taken(line.content)


def _is_an_aim(line: Line) -> bool:
    """Whether a line of a log gives somebody's work or purpose, which may sound like a rule: `Purpose: never drift`."""
    return line.recorded is not None and says_what_for(line.content)


def _is_of_others(line: Line) -> bool:
    """Whether a line of a note or report, no log, tells by its words alone what somebody else decided or wants: a step
    of a guide, its author's maxim, what an authority has approved."""
    return not _announced(line) if line.recorded is None else reports_in_passing(line)


def is_report(line: Line) -> bool:
    """Return whether a line has a day, but stands in no log: what was read or studied that day."""
    return line.recorded is not None and not is_logged(line)


def reports_in_passing(line: Line) -> bool:
    """Return whether a line of a report says by its words alone what it tells: the cause of something that somebody
    read about is no experience."""
    return is_report(line) and is_said_in_passing(line)


def _announced(line: Line) -> bool:
    """Whether the label of a line or a heading close above says what kind of thing it is, not its words alone."""
    if line.content[:1] == "|":
        return False
    return labelled(line.content)[0] != "" or any(map(announces, line.context[-1:]))


def _of_a_core_file(line: Line, topic: str) -> str:
    """Return what an undated line of a core file tells that nothing else says plainly."""
    if not introduces(line.source.path):
        return PREFERENCES if instructs(line.content) and ruled(line) else WHO
    said = behind_label(line.content)
    trait = has_trait(line.content) and not any(map(speaks_of_a_relative, line.context[-1:]))
    if instructs(line.content) or (instructs(said) and not trait) or any(map(holds_when, (said, *line.context[-1:]))):
        return PREFERENCES
    if not trait and says_what_it_wants(f" {fold(said)}"):
        return PREFERENCES
    placed = any(map(announces_traits, line.context[-1:])) and said != line.content
    told = (
        trait
        or placed
        or any(map(tells_a_life, line.context[-1:]))
        or (topic == WHO and speaks_of_somebody(line.content) and not _FILE.search(line.content))
    )
    return WHO if told and line.valid is None else OTHER if topic == WHO else topic


def gives_a_trait(line: Line) -> bool:
    """Return whether a line gives, in a file that introduces owner or agent, who that is."""
    return introduces(line.source.path) and has_trait(line.content)


def of_another(line: Line) -> bool:
    """Return whether a line tells who the one is whom its file introduces, whomever else it names: `Role: Rolf's
    deckhand` tells of the deckhand."""
    return gives_a_trait(line) and not names_somebody(line.content)


def _ahead_until(line: Line) -> int | None:
    """Return the ordinal of the last of the days to come of which a line told: an appointment, a plan, an undated row
    that says so; None if it told of none."""
    if line.recorded is None and not _is_row_ahead(line):
        return None
    days = line.valid or days_named(line)
    if days is None or days.start is None or days.end is None:
        return None
    return ordinal(days.end) if line.recorded is None or days.start > line.recorded else None


def _is_row_ahead(line: Line) -> bool:
    """Whether a row of a table names a day and says that this is still to come: `| Bank | 2026-03-04 | booked |`."""
    if line.content[:1] != "|" or not DAY.search(line.content):
        return False
    return not _ahead().isdisjoint(fold(cell.strip(" *_`")) for cell in line.content.split("|"))


@cache
def _ahead() -> frozenset[str]:
    return frozenset(map(fold, table("pages")["ahead"]))


def rows(quotes: Iterable[Quote], page: str, *, of: str = "") -> list[tuple[str, str]]:
    """Return the lines of quotes on a page, each with its key.

    Args:
        of: as of `line_row`.
    """
    return [line_row(each.line, page, below=each.below, newer=each.newer, of=of) for each in quotes]


def of_topic(quotes: Sequence[Quote], *topics: str) -> list[Quote]:
    """Return those that tell one of these things; what is outdated tells what was earlier."""
    return [each for each in quotes if (EARLIER if each.newer else each.topic) in topics]
