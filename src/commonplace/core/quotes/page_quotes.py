"""Quotes the best lines of logs on pages: which of them, and below which headings.

A page needs no permission to quote: a quoted line is shown with its day and link; it is never evidence. The measure is
`core.extract.line_worth`; of lines that say nearly the same only the best is quoted.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.introductions import (
    introduces,
    lists_entities,
    names_somebody,
    speaks_of_a_relative,
    speaks_of_somebody,
)
from commonplace.core.extract.line_labels import heading_name, is_taken, labelled, name_of
from commonplace.core.extract.readable_line import readable
from commonplace.core.memo import Findings
from commonplace.core.quotes.definitions import is_apposition, says_what, says_what_it_wants
from commonplace.core.quotes.page_lines import SHOWN, excerpt, line_row
from commonplace.core.quotes.quote_faults import DAY, fault
from commonplace.core.quotes.quote_subject import heading_share, is_about, is_one_of_a_list, presents
from commonplace.core.quotes.quote_topics import (
    CAUSES,
    DECISIONS,
    LASTING,
    OTHER,
    PREFERENCES,
    WHO,
    announces,
    days_named,
    is_logged,
    is_ours,
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
    is_a_wish,
    is_bound,
    is_habit,
    says_what_for,
    tells_a_life,
    tells_a_problem,
    tells_calling,
)
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold
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
_ABOUT = 1.5
"""How much more a line of a log is worth below a heading that says that it is about somebody: its writer kept it to
know who that is. Set by hand."""
WORTH_OF_A_DEFINITION = 2.0
"""Worth that a line has more if it says who or what its page is about."""
_OPENING = 60
"""Characters at the start of a line in which its subject stands."""
_EARLY, _MENTIONED_LATE = 30, 1.5
"""Characters of a line before a name that is only mentioned, and how much less such a line is worth on its page."""
_FIGURES = 3
"""Figures in a line of a log that tells where something stood that day: only the newest such line is quoted."""
_FIGURE = lazy_pattern(r"[0-9]+(?:[.,:/-][0-9]+)*")
_BOLD = lazy_pattern(r"\*\*([^*]+)\*\*")
_NO_TRAIT = lazy_pattern(r"^\s*[,、，]|^\W{0,6}[\"“「]|https?://")
"""A list, what somebody says, or a link, after a name: none tells who that is."""
_LABEL_WITHIN = lazy_pattern(r"\s?[:：*]+[^:：]{1,20}[:：]")
"""A label behind a name and a colon: `Rolf: Key: in the shed` tells of a key."""
_GOES_ON = lazy_pattern(r"\s?[(（][^()（）]*[)）]\s?[^\W_]")
"""Brackets behind a name in a sentence that goes on: `Sloop (no. 3) had sunk`."""
_TITLED = lazy_pattern(r"[\W_]{0,6}([^:：]{1,30}?)[*_]{0,2}\s?[:：][*_]{0,2}\s*(\S.*)")
"""A label, and what stands behind it."""
_TOLD_BEHIND = lazy_pattern(r"[*_]{0,2}\s?(?:[(（][^()（）]{2,}|(?:[,，—–]|-\s)\s?\w.{3,})")
"""What stands behind a name that somebody introduces: something in brackets, or behind a comma or dash."""
_BEFORE_A_NAME = lazy_pattern(r"\W*(?:(?:the|our|my) )?")
"""Marks and an article before a name with which a line begins."""
_SPARE = 8
"""Characters that a name may have in a line beside those of its key: `@Ann  Lee`."""
_LAST = 3
"""Sort key of what tells who somebody is, but not by what that one does."""
LOGGED, NOTES, EARLIER = "logged", "notes", "earlier"
"""What a line tells that nothing says plainly: of its day, undated, or what a newer line outdates."""
_MOST_OF_A_CELL = 0.5
"""Share of the first cell of a row, from which a name there is what the row is about."""
_MOSTLY_NAMES = 0.6
"""Share of the letters and digits of a line, from which its names are all it says."""
NAMES_ONLY = 1.0
"""How much less a line is worth that lists names, or gives only a link."""
_SAYS_NOTHING = 4.0
"""How much less a line is worth on the page of what it names, if it gives only that name: `Name: Rolf`."""
_URL = lazy_pattern(r"https?://\S+|(?<!\d)\d{15,}(?!\d)")
"""A link, or an identifier in more digits than a telephone number has."""
_FILE = lazy_pattern(r"\.md\b")
"""A file of notes: a line that names one tells where something is written down."""
_NAME_ALONE = lazy_pattern(r"[\W_]*(?:[^:：]{1,30}[:：])?[\W_]*")
"""What is left of a line that gives a name after a label, without that name."""


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

    @property
    def list(self) -> tuple[str, ...]:
        """The file, and the headings and bullets above it; of an undated note, often a textbook, the file alone."""
        whole = self.line.recorded is None and not self.core
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
    read = _Read(*findings.in_texts("told", (topic, *told), lambda: tuple(_read(line, topic, core=core))))
    if read.over is not None and read.over < newest:
        why = "over"
    else:
        why = findings.in_texts("fault", (read.topic, *told), lambda: fault(line, read.topic, core=core))
    until = None if read.over == _PASSED else read.over
    weak = read.shown == CAUSES and score < _WORTH_OF_A_CAUSE and is_said_in_passing(line)
    shown = read.by_day if weak else read.shown
    return Quote(line, score, shown, read.by_day, tells_who, core=core, fault=why, until=until)


def _read(line: Line, topic: str, *, core: bool) -> _Read:
    of_a_day = line.recorded is not None or (DAY.search(line.content[:_OPENING]) and not (core and _introduces(line)))
    by_day = LOGGED if of_a_day else NOTES
    if topic in (DECISIONS, PREFERENCES) and not core and _is_of_others(line, topic):
        topic = OTHER
    passed = topic in (DECISIONS, PREFERENCES) and line.recorded is not None and is_bound(line.content)
    passed |= topic == DECISIONS and _was_done_at_a_minute(line)
    if passed or (topic == PREFERENCES and (is_habit(line) or _is_an_aim(line))):
        topic = OTHER
    if core and by_day == NOTES and (topic in (WHO, OTHER, LASTING) or _introduces(line)):
        topic = _of_a_core_file(line, topic)
    if topic == WHO and by_day == LOGGED and line.recorded is None:
        topic = OTHER
    shown = by_day if topic in (OTHER, LASTING) else topic
    return _Read(topic, shown, by_day, _PASSED if passed else _ahead_until(line))


def _was_done_at_a_minute(line: Line) -> bool:
    """Whether a line of a log gives the minute of a deed that only sounds like a decision; many logs give that of each
    line."""
    if line.recorded is None or not begins_at_a_minute(line.content):
        return False
    return is_said_in_passing(line) and not (is_taken(line.content) or is_ours(line.content))


def _is_an_aim(line: Line) -> bool:
    """Whether a line of a log gives somebody's work or purpose, which may sound like a rule: `Purpose: never drift`."""
    return line.recorded is not None and says_what_for(line.content)


def _is_of_others(line: Line, topic: str) -> bool:
    """Whether a line of a note or report, no log, tells by its words alone what somebody else decided or wants: a step
    of a guide, its author's maxim, what an authority has approved."""
    announced = _announced(line) if line.recorded is None else not (_is_report(line) and is_said_in_passing(line))
    return not (announced or (topic == DECISIONS and is_ours(line.content)))


def _is_report(line: Line) -> bool:
    """Whether a line has a day, but stands in no log: what was read or studied that day."""
    return line.recorded is not None and not is_logged(line)


def _announced(line: Line) -> bool:
    """Whether the label of a line or a heading close above says what kind of thing it is, not its words alone."""
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


def _introduces(line: Line) -> bool:
    """Whether a line gives, in a file that introduces owner or agent, who that is."""
    return introduces(line.source.path) and has_trait(line.content)


def of_another(line: Line) -> bool:
    """Return whether a line tells who the one is whom its file introduces, whomever else it names: `Role: Rolf's
    deckhand` tells of the deckhand."""
    return _introduces(line) and not names_somebody(line.content)


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


def below(each: Quote, heading: str, key: str) -> Quote | None:
    """Return a quote as it is about an entity that only a heading or bullet above it names; None if that is about
    something else and mentions the entity: of `Notes on GitHub actions and caching` GitHub is not the subject, nor are
    the rows of a table about the names of its columns, nor is what the owner wants about what a session was about. What
    stands below another heading nearer to it tells nobody what the entity is.
    """
    if heading[:1] == "|" or not heading_share(heading, key) or is_a_wish(each.line.content):
        return None
    between = (text for text in each.line.context[-1:] if text != heading)  # `Status`, `When it leaks`
    right_below = all(announces_traits(text) or tells_a_life(text) for text in between)
    tells_who = each.core and each.by_day == NOTES and right_below and presents(heading, key)
    told = not each.core and right_below and is_about(heading, key)
    topic = each.by_day if each.topic == WHO and not tells_who else each.topic
    if told and topic == LOGGED:
        topic = WHO
    return each._replace(below=heading, topic=topic, score=each.score + _ABOUT * told)


def lists_names(line: Line, names: Iterable[str]) -> bool:
    """Whether a line is little else than these names, folded, and at least two: a list of clients."""
    lengths = [len(name) for name in names]
    letters = sum(map(str.isalnum, _URL.sub("", line.content)))
    return len(lengths) > 1 and sum(lengths) >= _MOSTLY_NAMES * letters


def names_it(each: Quote, key: str) -> bool:
    """Whether what a page would show of a line names an entity; of a row of a table the first cell must be little
    else."""
    if each.line.content[:1] == "|":
        return heading_share(each.line.content.strip("| ").partition("|")[0], key) >= _MOST_OF_A_CELL
    return key in entity_key(excerpt(readable(each.line))[:SHOWN])


def begins_with(each: Quote, key: str) -> bool:
    """Whether an entity is in the first words of a line, where its subject stands."""
    return key in entity_key(each.line.content[:_OPENING])


def is_early(each: Quote, key: str) -> bool:
    """Whether an entity is named near the start of a line."""
    return key in entity_key(readable(each.line))[: _EARLY + len(key)]


def is_first(each: Quote, key: str, names: Iterable[str]) -> bool:
    """Whether of these names, folded, a line has none before one of them: a list is about none of its items."""
    said = entity_key(each.line.content)
    at = said.find(key)
    return all(at <= found for name in names if (found := said.find(name)) >= 0)


def about(each: Quote, key: str) -> Quote:
    """Return a quote as it is about an entity that its line names.

    A line that begins with the name may tell who or what that is, which is worth more on its page.
    """
    rest = _after(each.line.content, key)
    if rest is not None:
        if each.topic not in (DECISIONS, CAUSES) and (says_what_it_wants(rest) or _is_told_to(rest)):
            return each._replace(topic=PREFERENCES)
        if _defines(each.line, rest):
            return each._replace(topic=WHO, score=each.score + WORTH_OF_A_DEFINITION)
        if each.topic != DECISIONS and each.tells_who and _may_tell_who(rest) and not _is_report(each.line):
            return each._replace(topic=WHO)
    if rest is None and each.topic not in (DECISIONS, CAUSES) and _is_titled(each.line.content, key):
        return each._replace(topic=WHO, score=each.score + WORTH_OF_A_DEFINITION)
    said = entity_key(readable(each.line))
    if _NAME_ALONE.fullmatch(_URL.sub("", said).replace(key, "")):
        each = each._replace(score=each.score - (NAMES_ONLY if _URL.search(said) else _SAYS_NOTHING))
    if key not in said[: _EARLY + len(key)]:
        each = each._replace(score=each.score - _MENTIONED_LATE)
    bold = _BOLD.match(each.line.content)
    introduced = (bold is not None and _after(bold[1], key) == "") or introduces_itself(each.line.content, key)
    introduced &= len(_FIGURE.findall(each.line.content)) < _FIGURES and each.line.valid is None
    introduced &= rest is None or (_NO_TRAIT.search(rest) is None and _LABEL_WITHIN.match(rest) is None)
    introduced &= rest is None or each.line.recorded is None or _GOES_ON.match(rest) is None
    if introduced and rest is not None and each.topic not in (DECISIONS, CAUSES) and _is_an_entry(each):
        return each._replace(topic=WHO, score=each.score + WORTH_OF_A_DEFINITION)
    introduced |= _introduces(each.line)
    return each._replace(topic=each.by_day) if each.topic == WHO and not introduced else each


def _defines(line: Line, rest: str) -> bool:
    """Whether what follows a name says who or what that is; what follows a dash in a log is what happened."""
    return says_what(rest, of_a_log=True) or (line.recorded is None and is_apposition(rest) and _may_tell_who(rest))


def _is_an_entry(each: Quote) -> bool:
    """Whether a line is one of a list of people or projects in a core file, of which it says who or what they are."""
    return each.core and each.line.recorded is None and any(map(lists_entities, each.line.context[-1:]))


def _may_tell_who(rest: str) -> bool:
    """Whether what follows a name, in words that may tell who that is, is no list, link, figure or problem."""
    return not (_FIGURE.search(rest) or _NO_TRAIT.search(rest) or tells_a_problem(rest))


def _is_titled(text: str, key: str) -> bool:
    """Whether a line gives a name behind a label for its kind, with what that is: `Client: Rolf, shipyard in Hull`."""
    found = _TITLED.match(text)
    if not found or not (name_of(found[1]) in _kinds() or speaks_of_a_relative(found[1])):
        return False
    name, rest = found[2][: len(key)], found[2][len(key) :]
    return entity_key(name) == key and _TOLD_BEHIND.match(rest) is not None and len(_FIGURE.findall(text)) < _FIGURES


@cache
def _kinds() -> frozenset[str]:
    return frozenset(fold(word) for words in table("pages")["kinds"].values() for word in words)


def introduces_itself(text: str, key: str) -> bool:
    """Return whether a line begins with a name and says behind a colon, dash or bracket what it is, and is no list of
    several things: `Sloop (no. 3): our boat`."""
    rest = _after(text, key)
    signs = table("pages")["introduces"]
    if key[-1:] >= FAR_EAST:
        signs = map(fold, signs)  # there no space stands beside a colon or bracket
    return rest is not None and rest.startswith(tuple(signs)) and not is_one_of_a_list(text, key)


def _is_told_to(rest: str) -> bool:
    """Whether behind a name and a colon somebody says what to do: `Rolf: use the south berth`."""
    return rest[:1] in ":：" and instructs(rest[1:])


def _after(text: str, key: str) -> str | None:
    """Return what follows a name at the start of a line, folded; None if it does not begin with the name."""
    said, key = _BEFORE_A_NAME.sub("", fold(text), 1), _BEFORE_A_NAME.sub("", key, 1)
    if not entity_key(said[: len(key) + _SPARE]).startswith(key):
        return None
    end = next((at for at in range(1, len(key) + _SPARE) if entity_key(said[:at]) == key), len(key))
    return said[end:].lstrip('*_`"')


def rows(quotes: Iterable[Quote], page: str, *, of: str = "") -> list[tuple[str, str]]:
    """Return the lines of quotes on a page, each with its key.

    Args:
        of: as of `line_row`.
    """
    return [line_row(each.line, page, below=each.below, newer=each.newer, of=of) for each in quotes]


def of_topic(quotes: Sequence[Quote], *topics: str) -> list[Quote]:
    """Return those that tell one of these things; what is outdated tells what was earlier."""
    return [each for each in quotes if (EARLIER if each.newer else each.topic) in topics]


def introducing(quotes: Sequence[Quote], key: str) -> list[Quote]:
    """Return those that tell who or what an entity is, what says most first: a sentence, what somebody does, the rest
    in the order in which somebody wrote it."""

    def order(each: Quote) -> tuple[int, bool, str, int]:
        rest = _after(each.line.content, key)
        says = rest is not None and _defines(each.line, rest)
        source = each.line.source
        rank = 0 if says else tells_calling(each.line) or _LAST + says_aside(each)
        return rank, not introduces(source.path), source.path, source.line

    return sorted(of_topic(quotes, WHO), key=order)


def says_aside(each: Quote) -> bool:
    """Return whether a line gives, behind a label, what tells nobody who somebody is: a time zone, pronouns."""
    content = each.line.content
    label = content[: len(content) - len(behind_label(content))]
    return heading_name(label) in _asides()


@cache
def _asides() -> frozenset[str]:
    return frozenset(fold(word) for words in table("pages")["asides"].values() for word in words)
