"""What the words of a quoted line, or of a heading above it, say: a rule, a plan, a moment, who somebody is.

The words are data (`data/LANGUAGE/topics.json`).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.extract.line_labels import heading_name, is_choice
from commonplace.core.quotes.quote_topics import ASIDE, announces, any_of, demands, unmarked
from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from commonplace.core.model import Line

_LABEL, _LABEL_WITHIN = lazy_pattern(r"[\W_]{0,6}([^:：]{1,40}?)[*_]{0,2}\s?[:：](?!//)[*_]{0,2}\s*"), 50
"""A label, and the characters up to its colon at most."""
_QUOTED = lazy_pattern(r"[\"“„”][^\"“”„]*[\"”“]|「[^「」]*」|『[^『』]*』")
TICKS = lazy_pattern(r"[✅❌✔✗☑☐✓]")
_CODE = lazy_pattern(
    r"`[^`]*`?|https?://\S+|(?<![\w])[\w.~-]*[/\\_][\w./\\~_-]*|[\w-]+\.(?:md|py|js|ts|json|sh|ya?ml|txt)\b"
)
_SOME_CODE = lazy_pattern(r"[`/\\_]|\.(?:md|py|js|ts|json|sh|ya?ml|txt)\b")
"""What each match of `_CODE` has: found many times as fast."""
_FEWEST_WORDS = 0.4
"""Share of a line beside code, paths and links, below which it says little else."""
_DIGITS = lazy_pattern(r"[0-9]+")
READ = 240
"""Characters of a line that are read: those that a page shows."""
_BEGINNING = 40
"""Characters of a statement in which it says what it is about."""
_HEADINGS, _MATERIAL = 2, 3
"""Headings and bullets above a line that are read, the nearest; and of those that may say what all below them is."""
_LONGEST_PLAN = 8
"""Words of a heading that announces a plan, at most; in scripts without spaces, signs count as a third."""
_HOUR = lazy_pattern(
    r"(?i)\b\d{1,2}[:.]\d\d\b|\b\d{1,2}\s?(?:am|pm|o'clock|बजे|час)|\d\s?[点點時时]|\bkl\.?\s?\d|\bat \d{1,2}\b"
)
_MINUTE = lazy_pattern(r"[\W_]*(?:[01]?\d|2[0-3])[:：][0-5][1-46-9](?!\d)")
"""A time to the minute, which no appointment or rule has."""
JOINED = lazy_pattern(r"(?i)\s(?:and|og|и|और)\s|[&＆・、，,/]")
"""What joins the parts of a heading."""
_MAXIM = 2
"""Words of which mottos are made, from which a line without figure, name or condition is one."""
_OWN = lazy_pattern(r"(?<![^\W_])\d|[`@/→“\"「]")
"""What a line about something particular has."""
_PARTICULAR = lazy_pattern(r"[\d`@#/<>→\"“「]")
"""What no motto has."""


def tells_a_moment(text: str) -> bool:
    """Return whether the words of a line say that it tells of a moment: what is awaited, planned or counted."""
    said = plain_words(text[:READ])
    return any(topic_words(code).moments.search(said) for code in languages_in(text))


def tells_that_all_is_fine(text: str) -> bool:
    """Return whether a line begins with words for that nothing is to be done: `Conclusion: everything works`."""
    said = plain_words(behind_label(text)[:_BEGINNING])
    return any(topic_words(code).fine.search(said) for code in languages_in(text))


def is_bound(text: str) -> bool:
    """Return whether a rule or decision is bound to a meeting or hours that are soon over: `before this meeting`."""
    said = plain_words(_QUOTED.sub(" ", text[:READ]))
    return any(topic_words(code).bound.search(said) for code in languages_in(text))


def begins_at_a_minute(text: str) -> bool:
    """Return whether a text begins with the minute at which something was done: `19:43 switched to battery`."""
    return _MINUTE.match(text) is not None


def is_habit(line: Line) -> bool:
    """Return whether a line tells, below a heading of habits, what somebody does at an hour, and gives no rule."""
    headings = headings_above(line)[-1:]
    if not _HOUR.search(line.content) or says_a_rule(line.content):
        return False
    return any(
        ends_with(heading_name(text), topic_words(code).habits, code)
        for text in headings
        for code in languages_in(text)
    )


def tells_a_problem(text: str) -> bool:
    """Return whether a text has a word for what was wrong."""
    said = plain_words(text)
    return any(topic_words(code).problems.search(said) for code in languages_in(text))


def instructs(text: str) -> bool:
    """Return whether a text begins with what a reader is to do: `Ask before you send`."""
    said = plain_words(text)
    return any(topic_words(code).instructions.match(said) for code in (*languages_in(text), "en"))


def holds_when(heading: str) -> bool:
    """Return whether a heading says when what stands below it holds: `When you write to the board`."""
    said = plain_words(heading)
    return any(topic_words(code).conditions.search(said) for code in languages_in(heading))


def has_trait(text: str) -> bool:
    """Return whether a line gives, behind a label, who or what somebody is: `Role: harbour master`."""
    return _unqualified(_label_of(text), "traits", "calling")


def tells_calling(line: Line) -> int:
    """Return 2 if a label of a line, or the heading just above it, says that it tells of somebody's work or purpose,
    which says first who that is; 1 if so, and a label says that it does now; else 0."""
    label = _label_of(line.content)
    above = [heading_name(text) for text in line.context[-1:]]
    if not any(_unqualified(name, "calling") for name in (label, *above)):
        return 0
    return 1 if label.startswith(tuple(in_all_languages("qualifiers"))) else 2


@lru_cache(512)
def announces_traits(heading: str) -> bool:
    """Return whether a heading stands above what somebody is or does: `Identity and current role`, `Career`."""
    if _unqualified(heading_name(heading), "standing"):
        return True
    return any(_unqualified(heading_name(part), "traits", "calling", "standing") for part in JOINED.split(heading))


def _label_of(text: str) -> str:
    """Return the label before something that a line says, folded; empty if it has none."""
    label = _LABEL.match(text)
    return heading_name(label[1]) if label and label.end() < len(text.rstrip()) else ""


def _unqualified(name: str, *lists: str) -> bool:
    """Return whether a label is in one of these lists, perhaps behind a qualifier: `current role`."""
    known = [in_all_languages(each) for each in lists]
    if any(name in words for words in known):
        return True
    rest = (name[len(word) :].strip(" の") for word in in_all_languages("qualifiers") if name.startswith(word))
    return any(each in words for each in rest for words in known)


def tells_a_life(heading: str) -> bool:
    """Return whether a heading, in a file that introduces somebody, stands above what tells who that is: `Career`."""
    return heading_name(heading) in in_all_languages("lives")


def is_general(text: str) -> bool:
    """Return whether a text has no figure, code, link or words of somebody's: it may be said of anything."""
    return _OWN.search(text) is None


def is_maxim(text: str) -> bool:
    """Return whether a text is a motto: several words for virtues, and nothing particular."""
    if _PARTICULAR.search(text):
        return False
    said = plain_words(text)
    return any(len(set(topic_words(code).values.findall(said))) >= _MAXIM for code in languages_in(text))


@lru_cache(512)
def announces_a_plan(heading: str) -> bool:
    """Return whether a heading stands above plans, one of several choices (`Option B: sell it`), drafts, comments of
    others or routine reports; in brackets it may say only that these are plans: `Pier two (from phase 3 on)`."""
    name = heading_words(heading)
    if is_choice(heading) or any(_says_later(aside) for aside in ASIDE.findall(heading)):
        return True
    brief = len(name.split()) <= _LONGEST_PLAN
    return brief and any(ends_with(name, topic_words(code).plans, code) for code in languages_in(heading))


def _says_later(aside: str) -> bool:
    """Whether what is in brackets says nothing but that something is for later."""
    return unmarked(_DIGITS.sub("#", fold(aside))) in in_all_languages("later")


@lru_cache(512)
def announces_mottos(heading: str) -> bool:
    """Return whether a heading has a word for mottos: `Ideas to keep`."""
    name = f" {heading_name(heading)} "
    return any(topic_words(code).mottos.search(name) for code in languages_in(heading))


@lru_cache(512)
def announces_news(heading: str) -> bool:
    """Return whether a heading stands above what was new once: `Tide table: updates`."""
    name = heading_words(heading)
    return any(ends_with(name, topic_words(code).news, code) for code in languages_in(heading))


@lru_cache(512)
def announces_praise(heading: str) -> bool:
    """Return whether a brief heading stands above what something is good for: `Benefits of the radar`."""
    name = f" {heading_words(heading)} "
    brief = len(name.split()) <= _LONGEST_PLAN
    return brief and any(topic_words(code).praise.search(name) for code in _written_like(heading))


@lru_cache(512)
def announces_perks(heading: str) -> bool:
    """Return whether a heading has a word for what somebody is given or good at, or for drawbacks: `Job benefits`."""
    name = f" {heading_words(heading)} "
    return any(topic_words(code).perks.search(name) for code in _written_like(heading))


@lru_cache(512)
def announces_what_was_made(heading: str) -> bool:
    """Return whether a heading stands above what was made or handed on that day: `Charts: files created`."""
    name = heading_words(heading)
    return any(ends_with(name, topic_words(code).made, code) for code in _written_like(heading))


@lru_cache(512)
def announces_a_check(heading: str) -> bool:
    """Return whether a label or heading tells of what was checked: `Validation`, `Hull: smoke tests`."""
    name = heading_words(heading)
    return any(ends_with(name, topic_words(code).checked, code) for code in _written_like(heading))


def is_material(line: Line) -> bool:
    """Return whether a line is material of an article, or a piece of the news, by its label or what stands above it."""
    label = parts_of(line.content).label
    return _announce_material(line.context[-_MATERIAL:]) or (label != "" and _announces_material(label))


@lru_cache(512)
def _announce_material(headings: tuple[str, ...]) -> bool:
    return any(_announces_material(each) for each in headings if each[:1] != "|")


@lru_cache(512)
def _announces_material(heading: str) -> bool:
    """Return whether a heading or label announces it, not work on what bears such a name: `Fixed the news digest`."""
    name = f" {heading_words(heading)} "
    spaced = LANGUAGES[identify(heading).code].spaced
    return name.endswith(_material(spaced)) and not any(_work(code).search(name) for code in _written_like(heading))


@cache
def _material(spaced: bool) -> tuple[str, ...]:
    """Return how the headings of all languages end, those that part their words or the others."""
    before = " " if spaced else ""
    known = (table("topics", code)["material"] for code in LANGUAGES if LANGUAGES[code].spaced == spaced)
    return tuple(f"{before}{fold(word)} " for words in known for word in words.split(", "))


@cache
def _work(language: str) -> re.Pattern[str]:
    return any_of(table("topics", language)["work"], spaced=LANGUAGES[language].spaced)


def is_a_wish(text: str) -> bool:
    """Return whether the label of a line says that the owner wants it, whatever heading it stands below."""
    return _label_of(text) in in_all_languages("wishes")


def says_what_for(text: str) -> bool:
    """Return whether the label of a line says that it tells of somebody's work or purpose: `Purpose: never drift`."""
    return _unqualified(_label_of(text), "calling")


def says_a_rule(text: str) -> bool:
    """Whether a line says a rule itself, and not only the heading above it."""
    label, rest = parts_of(text)
    return demands(text) or instructs(rest) or (announces(label) and not rest[:1].isdecimal())


def behind_label(text: str) -> str:
    """Return what stands behind the label of a line; all of a line without one."""
    return parts_of(text).rest


def heading_words(heading: str) -> str:
    """Return the words of a heading or label, folded, without what is in brackets and without marks."""
    return unmarked(ASIDE.sub(" ", heading_name(heading)))


class LabelledParts(NamedTuple):
    """A line by its label."""

    label: str
    rest: str


@lru_cache(maxsize=8)
def parts_of(text: str) -> LabelledParts:
    """Return a line by its label. Kept: each kind of fault asks again."""
    start = text[:_LABEL_WITHIN]  # a search for a colon that is not there would take three times as long
    found = _LABEL.match(text) if ":" in start or "：" in start else None
    return LabelledParts(found[1], text[found.end() :]) if found else LabelledParts("", text)


def headings_above(line: Line) -> list[str]:
    """Return the nearest headings and bullets above a line."""
    return [text for text in line.context if text[:1] != "|"][-_HEADINGS:]


def ends_with(name: str, words: tuple[str, ...], language: str) -> bool:
    """Return whether a heading, folded, ends with one of these words of a language."""
    if not name.endswith(words):
        return False  # as of most
    return not LANGUAGES[language].spaced or f" {name}".endswith(tuple(f" {word}" for word in words))


@lru_cache(maxsize=8)
def plain_words(text: str) -> str:
    """Return a text folded, without code and marks, with a space at both ends. Kept: each question asks again."""
    said = TICKS.sub(" ", _CODE.sub(" ", text) if _SOME_CODE.search(text) else text)
    return f" {unmarked(fold(said))} "


def is_mostly_code(text: str) -> bool:
    """Return whether a text is little else than code, paths and links: `**Rolf** — `/srv/berths/rolf.md``."""
    return _SOME_CODE.search(text) is not None and len(_CODE.sub("", text)) < _FEWEST_WORDS * len(text)


class TopicWords(NamedTuple):
    """The words of one language, folded."""

    moments: re.Pattern[str]
    open: re.Pattern[str]
    problems: re.Pattern[str]
    backward: re.Pattern[str]
    instructions: re.Pattern[str]
    conditions: re.Pattern[str]
    plans: tuple[str, ...]
    bound: re.Pattern[str]
    fine: re.Pattern[str]
    values: re.Pattern[str]
    mottos: re.Pattern[str]
    praise: re.Pattern[str]
    perks: re.Pattern[str]
    sides: tuple[str, ...]
    titles: tuple[str, ...]
    fixed: tuple[str, ...]
    habits: tuple[str, ...]
    news: tuple[str, ...]
    made: tuple[str, ...]
    checked: tuple[str, ...]


_ENDINGS = ("sides", "titles", "fixed", "habits", "news", "made", "checked")
"""Lists of words with which headings and labels end."""


@cache
def topic_words(language: str) -> TopicWords:
    """Return the words of a language."""
    known = table("topics", language)
    spaced = LANGUAGES[language].spaced

    def pattern(name: str, before: str, after: str) -> re.Pattern[str]:
        return re.compile(f"{before}{any_of(known[name], spaced=False).pattern}{after}")

    end = "(?= )" if spaced else ""
    return TopicWords(
        any_of(known["moments"], spaced=spaced),
        any_of(known["open"], spaced=spaced),
        any_of(known["problems"], spaced=spaced),
        pattern("backward", " ", end),
        pattern("instructions", " ", end),
        pattern("conditions", "^ ", end) if spaced else pattern("conditions", "", " $"),
        tuple(map(fold, known["plans"].split(", "))),
        any_of(known["bound"], spaced=spaced),
        any_of(known["fine"], spaced=spaced),
        any_of(known["values"], spaced=spaced),
        any_of(known["mottos"], spaced=spaced),
        any_of(known["praise"], spaced=spaced),
        any_of(known["perks"], spaced=spaced),
        *(tuple(map(fold, known[name].split(", "))) for name in _ENDINGS),
    )


@cache
def in_all_languages(name: str) -> frozenset[str]:
    """Return the words of a list in all languages, folded."""
    return frozenset(fold(word) for code in LANGUAGES for word in table("topics", code)[name].split(", "))


def languages_in(text: str) -> tuple[str, ...]:
    """Return the languages whose words may be in a text: its own, and of Chinese and Japanese, which few signs tell
    apart, both."""
    language = identify(text).code
    return (
        (language,) if LANGUAGES[language].spaced else tuple(code for code in LANGUAGES if not LANGUAGES[code].spaced)
    )


def _written_like(heading: str) -> list[str]:
    """Return the languages that part their words as a heading does: too brief to tell Danish from English."""
    spaced = LANGUAGES[identify(heading).code].spaced
    return [code for code in LANGUAGES if LANGUAGES[code].spaced == spaced]
