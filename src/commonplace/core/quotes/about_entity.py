"""What a line tells about an entity that it names, or that a heading or bullet above it names."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.introductions import (
    introduces,
    listed_names,
    lists_entities,
    speaks_of_a_relative,
)
from commonplace.core.extract.line_labels import heading_name, name_of
from commonplace.core.extract.readable_line import readable
from commonplace.core.quotes.definitions import is_apposition, says_what, says_what_it_wants
from commonplace.core.quotes.page_lines import SHOWN, excerpt
from commonplace.core.quotes.page_quotes import LOGGED, NOTES, OPENING, gives_a_trait, is_report, of_topic
from commonplace.core.quotes.quote_faults import FIGURE
from commonplace.core.quotes.quote_leads import is_title_of_a_log
from commonplace.core.quotes.quote_subject import heading_share, is_about, is_one_of_a_list, lists_several, presents
from commonplace.core.quotes.quote_topics import CAUSES, DECISIONS, PREFERENCES, WHO
from commonplace.core.quotes.quote_words import (
    announces_traits,
    behind_label,
    instructs,
    is_a_wish,
    tells_a_problem,
    tells_calling,
)
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.model import Line
    from commonplace.core.quotes.page_quotes import Quote

_ABOUT = 1.5
"""How much more a line of a log is worth below a heading that says that it is about somebody: its writer kept it to
know who that is. Set by hand."""
WORTH_OF_A_DEFINITION = 2.0
"""Worth that a line has more if it says who or what its page is about."""
_EARLY, _MENTIONED_LATE = 30, 1.5
"""Characters of a line before a name that is only mentioned, and how much less such a line is worth on its page."""
_FIGURES = 3
"""Figures in a line of a log that tells where something stood that day: only the newest such line is quoted."""
_BOLD = lazy_pattern(r"\*\*([^*]+)\*\*")
_NO_TRAIT = lazy_pattern(r"^\s*[,、，]|^\W{0,6}[\"“「]|https?://|^[\W_]*@[\w.]+\W*$")
"""A list, what somebody says, a link or a handle alone, after a name: none tells who that is."""
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
_NAME_ALONE = lazy_pattern(r"[\W_]*(?:[^:：]{1,30}[:：])?[\W_]*")
"""What is left of a line that gives a name after a label, without that name."""


def below(each: Quote, heading: str, key: str) -> Quote | None:
    """Return a quote as it is about an entity that only a heading or bullet above it names; None if that is about
    something else and mentions the entity: of `Notes on GitHub actions and caching` GitHub is not the subject, nor are
    the rows of a table about the names of its columns, nor is what the owner wants about what a session was about. What
    stands below another heading nearer to it tells nobody what the entity is; the log of somebody tells of anything. In
    a list of people or projects the name in brackets is one of the item's, too: `海图 (Chartbook)`.
    """
    if heading[:1] == "|" or is_a_wish(each.line.content):
        return None
    is_item = not heading_share(heading, key)
    if is_item and not _is_listed(each.line, key):
        return None
    if each.line.context[:1] == (heading,) and is_title_of_a_log(each.line, (key,)):
        return None
    between = [text for text in each.line.context[-1:] if text != heading]  # `Status`, `When it leaks`
    if between and not is_item and lists_several(heading):
        return None
    right_below = all(map(announces_traits, between))
    tells_who = each.core and each.by_day == NOTES and right_below and (is_item or presents(heading, key))
    told = not each.core and right_below and is_about(heading, key)
    if each.topic in (WHO, NOTES) and _is_of_its_own_note(each.line, heading, key):
        return each._replace(below=heading, topic=WHO, score=each.score + _ABOUT)
    topic = each.by_day if each.topic == WHO and not tells_who else each.topic
    if told and topic == LOGGED:
        topic = WHO
    return each._replace(below=heading, topic=topic, score=each.score + _ABOUT * told)


def _is_of_its_own_note(line: Line, heading: str, key: str) -> bool:
    """Whether a note whose title is a name alone gives a trait of that one, or who is close: `Wife: Anna`."""
    if line.recorded is not None or line.context[:1] != (heading,) or entity_key(heading) != key:
        return False
    label = line.content[: len(line.content) - len(behind_label(line.content))]
    return gives_a_trait(line) or speaks_of_a_relative(label)


def _is_listed(line: Line, key: str) -> bool:
    """Whether a list in which a line stands has an item with a name."""
    return any(entity_key(name) == key for name, _ in listed_names(line.source.path, [line]))


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
    return key in entity_key(each.line.content[:OPENING])


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
        if each.topic != DECISIONS and each.tells_who and _may_tell_who(rest) and not is_report(each.line):
            return each._replace(topic=WHO)
    titled = _is_titled(each.line.content, key) or _is_close(each.line, key)
    if rest is None and each.topic not in (DECISIONS, CAUSES) and titled:
        return each._replace(topic=WHO, score=each.score + WORTH_OF_A_DEFINITION)
    said = entity_key(readable(each.line))
    if _NAME_ALONE.fullmatch(_URL.sub("", said).replace(key, "")):
        each = each._replace(score=each.score - (NAMES_ONLY if _URL.search(said) else _SAYS_NOTHING))
    if key not in said[: _EARLY + len(key)]:
        each = each._replace(score=each.score - _MENTIONED_LATE)
    bold = _BOLD.match(each.line.content)
    introduced = (bold is not None and _after(bold[1], key) == "") or introduces_itself(each.line.content, key)
    introduced &= len(FIGURE.findall(each.line.content)) < _FIGURES and each.line.valid is None
    introduced &= rest is None or (_NO_TRAIT.search(rest) is None and _LABEL_WITHIN.match(rest) is None)
    introduced &= rest is None or each.line.recorded is None or _GOES_ON.match(rest) is None
    if introduced and rest is not None and each.topic not in (DECISIONS, CAUSES) and _is_an_entry(each):
        return each._replace(topic=WHO, score=each.score + WORTH_OF_A_DEFINITION)
    introduced |= gives_a_trait(each.line)
    return each._replace(topic=each.by_day) if each.topic == WHO and not introduced else each


def _defines(line: Line, rest: str) -> bool:
    """Whether what follows a name says who or what that is; what follows a dash in a log is what happened."""
    return says_what(rest, of_a_log=True) or (line.recorded is None and is_apposition(rest) and _may_tell_who(rest))


def _is_an_entry(each: Quote) -> bool:
    """Whether a line is one of a list of people or projects in a core file, of which it says who or what they are."""
    return each.core and each.line.recorded is None and any(map(lists_entities, each.line.context[-1:]))


def _may_tell_who(rest: str) -> bool:
    """Whether what follows a name, in words that may tell who that is, is no list, link, figure or problem."""
    return not (FIGURE.search(rest) or _NO_TRAIT.search(rest) or tells_a_problem(rest))


def _is_close(line: Line, key: str) -> bool:
    """Whether a line only gives a name behind a label for somebody close: `Wife: Anna`."""
    label = entity_key(readable(line)).replace(key, "")
    return _NAME_ALONE.fullmatch(label) is not None and speaks_of_a_relative(label)


def _is_titled(text: str, key: str) -> bool:
    """Whether a line gives a name behind a label for its kind, with what that is: `Client: Rolf, shipyard in Hull`."""
    found = _TITLED.match(text)
    if not found or not (name_of(found[1]) in _kinds() or speaks_of_a_relative(found[1])):
        return False
    name, rest = found[2][: len(key)], found[2][len(key) :]
    return entity_key(name) == key and _TOLD_BEHIND.match(rest) is not None and len(FIGURE.findall(text)) < _FIGURES


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
    """Return whether a line gives, behind a label, what tells nobody who somebody is: a time zone, pronouns, a
    password."""
    content = each.line.content
    label = content[: len(content) - len(behind_label(content))]
    return heading_name(label) in _asides()


@cache
def _asides() -> frozenset[str]:
    return frozenset(fold(word) for words in table("pages")["asides"].values() for word in words)
