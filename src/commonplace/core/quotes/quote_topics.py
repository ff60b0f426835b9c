"""What a quoted line tells, by its label, the heading above it and its words: the section of a page where it stands.

A section that is wrong misleads more than none: only what says it plainly (`data/LANGUAGE/topics.json`) is a preference
or rule, a decision, a cause or lesson. How much a line is worth is another question, with other signs (`line_worth`).
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from commonplace.core import when
from commonplace.core.entities.introductions import introduces, speaks_of_the_owner
from commonplace.core.extract.line_labels import heading_name, labelled, name_of
from commonplace.core.extract.report_series import is_study
from commonplace.core.extract.salience import listed
from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES, LATIN, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold
from commonplace.core.text.phrase_finder import PhraseFinder

if TYPE_CHECKING:
    from commonplace.core.extract.line_worth import Worth
    from commonplace.core.model import Line, Span
    from commonplace.core.text.known_languages import Language

WHO, PREFERENCES, DECISIONS, CAUSES = "who", "preferences", "decisions", "causes"
OTHER = "other"
"""None of these, where nothing says it plainly."""
_TELL_WHO = frozenset(("bond", "life"))
_PASSES = frozenset(("act", "undone", "idle", "state", "below state", "below cause"))
_LABELS = {"decided": DECISIONS, "cause": CAUSES, "lesson": CAUSES}
"""Sign of a label before a colon -> what the line tells."""
_BY_WORDS = (CAUSES, DECISIONS, PREFERENCES)
_IF = "+"
"""Before the number of a row of words that say a decision, but not with others beside them."""
_BESIDE_WORDS, _BESIDE_SIGNS = 3, 6
"""Words before and behind a verb among which its subject and object are; in scripts without spaces, signs."""
_CLAUSE_ENDS = lazy_pattern(r"[.,;:!?](?=\s|$)|[，。；：！？।…—–()（）]|(?<![はが])、|\s-\s")
NO_SUBJECT = lazy_pattern(
    r"[\W\d_]*(?:\([^()]{0,12}\)|（[^（）]{0,6}）|[A-Za-zÀ-ӿ]{0,12}|[\u0900-\u0963]{0,14}|[\u4e00-\u9fff]{0,2}|[ァ-ヺー]{0,8})"
    r"[\W\d_]*(?:\([^()]{0,12}\))?[\W\d_]*"
)
"""A heading of a day, an hour or one short word."""
_MOST_WORDS, _MOST_SIGNS = 5, 18
"""Words of a heading that announces something, at most; in scripts without spaces, signs."""
_OPENING_WORDS, _OPENING_SIGNS, _END_SIGNS = 4, 14, 8
"""Words at the start of a line in which an order has its word, and at its end where verbs stand there; in scripts
without spaces, signs at both ends."""
_FEW_WORDS, _FEW_SIGNS = 2, 7
"""Words of a heading that says little else than what kind of thing follows; in scripts without spaces, signs."""
_ANY_DAY = date(2024, 5, 15)
"""The day from which days are counted in a line that has none."""
_LONGEST = 400
_LABEL, _LABEL_WITHIN = lazy_pattern(r"[\W_]{0,6}([^:：]{2,40})(?:：|:(?![a-zA-Z0-9_/]))[*_]{0,2}\s*\S"), 47
"""A label with what follows it, and the characters up to its colon at most: `Berth rule: two ropes`."""
ASIDE = lazy_pattern(r"\([^()]*\)?|（[^（）]*）?")
_NO_WORDS = lazy_pattern(
    r"`[^`]*`?|\([^()]*\)?|（[^（）]*）?|[A-Za-z0-9.-]*[/_][A-Za-z0-9._/-]*"
    r"|(?:[^\s、/：:；;。，]{1,8}[、/]){2,}[^\s、/：:；;。，]{1,8}"
)
"""What says nothing about a line: code, identifiers and paths, what is in brackets, the items of an enumeration."""
_SOME_NO_WORDS = lazy_pattern(r"[`(（/_、]")
"""What each of these has: found ten times as fast."""
_CHAIN = lazy_pattern(r"(?:→|->|=>).*(?:→|->|=>)")
"""Steps, one after the other; their words are of anything."""
_CHECKED = lazy_pattern(r".*[✅✓✔☑❌✗]\W*")
"""A tick at the end: something was checked, no rule was made."""
MARKS = lazy_pattern(r'[.,!;:"()\[\]*_`|/。、，！；：「」『』（）【】《》।…?？]')
"""Marks that are read as spaces; `str.translate` would take four times as long beyond Latin script."""
_FEEDBACK = lazy_pattern(r"[\W_]*\[[^\[\]]*\]\((?:[^()]*/)?feedback[_-][^()]*\)")
"""An entry in the index of Claude Code's notes, for one of what the owner told the agent to do."""
_ABOVE = 2
"""Headings and bullets above a line that are read, the nearest."""


def tells_who(worth: Worth) -> bool:
    """Return whether the words of a line may tell who somebody is: a bond, a stage of life."""
    return not _TELL_WHO.isdisjoint(worth.signs)


def passes(worth: Worth) -> bool:
    """Return whether a line tells of a deed, of a state of its day or of what was not done."""
    return not _PASSES.isdisjoint(worth.signs)


def topic_of(line: Line, *, who: bool) -> str:
    """Return what a line tells: the first that its label, the nearest headings or its words say.

    The words of a row of a table are of anything: of it only the headings count. What a file that introduces
    somebody labels as experience is no lesson, but tells who that is.

    Args:
        who: as of `tells_who`.
    """
    topic = _told(line)
    if topic == CAUSES and introduces(line.source.path) and not (is_said_in_passing(line) or _above(line.context)):
        topic = ""
    return topic or (WHO if who else OTHER)


def _told(line: Line) -> str:
    """Return the topic that the label, the nearest headings or the words of a line say; empty for none."""
    if is_feedback(line.content):
        return PREFERENCES
    row = line.content[:1] == "|"
    sign, rest = ("", "") if row else labelled(line.content)
    if sign == "decided" and _found(name_of(line.content[: -len(rest)].rstrip(" *:：")), line.context[-1:]):
        sign = "cause"
    if topic := _LABELS.get(sign) or (_announced(line.content[: -len(rest)], at_end=False) if sign and rest else ""):
        return topic
    start = line.content[:_LABEL_WITHIN]
    label = _LABEL.match(line.content) if not row and (":" in start or "：" in start) else None
    if label is not None and (topic := _announced(label[1], at_end=True)):
        return topic
    if topic := _above(line.context):
        return topic
    if not row and (topic := _said(line.content[:_LONGEST])):
        return OTHER if topic == PREFERENCES and _names_a_day(line) else topic
    return ""


def is_feedback(text: str) -> bool:
    """Return whether a line of an index links to a note of what the owner told the agent to do, which it sums up."""
    return _FEEDBACK.match(text) is not None


def _found(label: str, parents: tuple[str, ...]) -> bool:
    """Return whether a label is of what was found rather than decided, or of a word for both, below a problem."""
    if label in table("pages")["decides or solves"]:
        return any(labelled(text)[0] in ("cause", "event") or _tells_a_problem(text) for text in parents)
    return label in _concluding()


def _tells_a_problem(heading: str) -> bool:
    """Whether a heading has a word for what was wrong; what is only denied may be a plan: `Crane not for sale`."""
    language, said = identify(heading).code, f" {unmarked(fold(heading))} "
    denials = listed(table("infer", language)["undone"])
    return any(word not in denials for word in _any(language, "problems").findall(said))


def is_logged(line: Line) -> bool:
    """Return whether a line stands in a log: the path of its file gives its day and is not that of a study, or a
    heading that is nothing but the day, or one of a day below the title."""
    day = line.recorded
    if day is None or when.path_day(line.source.path) is not None:
        return day is not None and not is_study(line.source.path)
    return any(
        when.heading_day(text, day) == day and (at or when.says_only_when(text)) for at, text in enumerate(line.context)
    )


def is_said_in_passing(line: Line) -> bool:
    """Return whether neither its label nor a heading says what a line tells, only its words: `We stayed, because …`."""
    if line.content[:1] != "|":
        label = _LABEL.match(line.content)
        if labelled(line.content)[0] in _LABELS or (label is not None and _announced(label[1], at_end=True)):
            return False
    return not _above(line.context)


@lru_cache(512)
def _above(context: tuple[str, ...]) -> str:
    """Return what the nearest headings and bullets above a line announce; empty for nothing.

    A chapter of rules or decisions has lists of them; in one of lessons each heading is of one, and the lines below it
    tell its whole story.
    """
    far = 0
    for text in reversed(context):
        if text[:1] == "|":
            continue
        topic = _announced(text, at_end=far > 0)
        if topic and (not far or (topic in (PREFERENCES, DECISIONS) and announces_only(text))):
            return topic
        far += NO_SUBJECT.fullmatch(text) is None
        if far == _ABOVE:
            break
    return ""


@cache
def _concluding() -> frozenset[str]:
    """Return the labels of what was found rather than decided."""
    return frozenset(table("pages")["concludes"])


@cache
def _by_programs() -> frozenset[str]:
    """Return the headings above what a program decides, such as a trading bot at each of its runs."""
    return frozenset(map(fold, table("pages")["programs decide"]))


def concludes(text: str) -> bool:
    """Return whether the label of a line says that it concludes something: the verdict of a study, no experience."""
    label = _LABEL.match(text)
    return label is not None and name_of(label[1]) in _concluding()


def ruled(line: Line) -> bool:
    """Return whether a heading close above a line has a word for rules or preferences, wherever in it."""
    return any(_has_rules(text) for text in line.context[-_ABOVE:] if text[:1] != "|")


def unmarked(text: str) -> str:
    """Return the words of a text, with a space between two, without marks."""
    return " ".join(MARKS.sub(" ", text).split())


@lru_cache(512)
def _has_rules(heading: str) -> bool:
    name = f" {unmarked(heading_name(heading))} "
    return _headings(identify(heading).code)[PREFERENCES].search(name) is not None


def _names_a_day(line: Line) -> bool:
    """Whether a line is about a day: what must be done tomorrow is no rule."""
    return line.valid is not None or days_named(line) is not None


def days_named(line: Line) -> Span | None:
    """Return the days that the words of a line name; where it has no day of its own, counted from any."""
    text = line.content[:_LONGEST]
    return when.valid(text, line.recorded or _ANY_DAY) if when.may_hold(text) else None


def announces_only(heading: str) -> bool:
    """Return whether a heading says little else than what kind of thing follows: `Key decisions`, `Lessons`."""
    spaced = LANGUAGES[identify(heading).code].spaced
    brief = len(heading.split()) <= _FEW_WORDS and (spaced or len(heading_name(heading)) <= _FEW_SIGNS)
    return brief and _announced(heading, at_end=True) != ""


def announces(heading: str) -> bool:
    """Return whether a heading announces preferences or rules, decisions, causes or lessons."""
    return _announced(heading, at_end=True) != ""


def ruled_thing(heading: str) -> str:
    """Return what the rules below a heading that announces rules are about, folded: `weekend` of `Weekend rules`; empty
    if it announces something else or is one of the owner's rules in general."""
    if _announced(heading, at_end=True) != PREFERENCES or speaks_of_the_owner(heading):
        return ""
    return _headings(identify(heading).code)[PREFERENCES].sub(" ", f" {unmarked(heading_name(heading))} ").strip()


@lru_cache(512)
def _announced(heading: str, *, at_end: bool) -> str:
    """Return what a short heading announces; empty for nothing.

    Args:
        at_end: whether the word must be its last, or else its first; in scripts without spaces it may be any.
    """
    name = f" {unmarked(ASIDE.sub('', heading_name(heading)))} "
    if len(name.split()) > _MOST_WORDS or name.strip() in _by_programs():
        return ""
    language = LANGUAGES[identify(heading).code]
    if not language.spaced and len(name) > _MOST_SIGNS:
        return ""
    told = [
        (topic, seen) for topic, pattern in _headings(language.code).items() if (seen := list(pattern.finditer(name)))
    ]
    if len(told) > 1:
        return ""  # `Lessons and decisions`: which of these a line is, its words must say
    for topic, seen in told:
        ends = seen[-1].end() >= len(name) - 1
        if ends or not language.spaced:
            return topic
        if seen[0].start() <= 1 and not at_end:
            goes_on = _any(language.code, "after").match(name, seen[0].end() + 1)
            return topic if topic != PREFERENCES or goes_on else ""  # a `rules engine` is no rule
    return ""


def demands(text: str) -> bool:
    """Return whether the words of a line themselves say a preference or rule."""
    return _said(text[:_LONGEST]) == PREFERENCES


def _said(text: str) -> str:
    """Return what the words of a line say; empty for nothing."""
    language = LANGUAGES[identify(text).code]
    if ("→" in text or "->" in text or "=>" in text) and _CHAIN.search(text):
        return ""
    words = MARKS.sub(" ", fold(_NO_WORDS.sub(" ", text) if _SOME_NO_WORDS.search(text) else text)).split()
    said_of = _topics(text, words, language)
    if said_of and said_of[0] != PREFERENCES:
        return said_of[0]
    if not text.isascii() and _CHECKED.fullmatch(text):
        return ""
    return PREFERENCES if said_of or _orders(words, language) else ""


def _topics(text: str, words: list[str], language: Language) -> list[str]:
    """Return the topics of the words of a line, in the order in which they count."""
    said = _signs(words, language, "words")
    if DECISIONS not in said and any(_is_decided(text, int(sign[1:]), language) for sign in said if sign[0] == _IF):
        said = said | {DECISIONS}
    return [topic for topic in _BY_WORDS if topic in said]


def _is_decided(text: str, row: int, language: Language) -> bool:
    """Whether a clause has words of a row that say a decision, without others as their subject or object."""
    verbs, others = _unless(language.code)[row]
    for part in _CLAUSE_ENDS.split(fold(_NO_WORDS.sub(" ", text))):
        clause = f" {unmarked(part)} "
        for verb in verbs.finditer(clause):
            if not any(map(others.search, _beside(clause, verb, language))):
                return True
    return False


def _beside(clause: str, verb: re.Match[str], language: Language) -> tuple[str, ...]:
    """Return the parts of a clause in which the subject and the object of its verb are.

    Where verbs stand last all before them is one, since the words there show what they are; in Chinese the object ends
    the clause."""
    before, behind = clause[: verb.start()], clause[verb.end() :]
    if language.verb_last:
        return (clause[: verb.end()] + " ",)
    if not language.spaced:
        ends = len(behind.rstrip()) <= _BESIDE_SIGNS
        return (before[-_BESIDE_SIGNS:], f"{verb[0]}{behind}" if ends else "")
    stop = _any(language.code, "after")
    near = stop.split(before)[-1].split()[-_BESIDE_WORDS:]
    far = stop.split(behind, maxsplit=1)[0].split()[:_BESIDE_WORDS]
    return (f" {' '.join(near)} ", f" {' '.join(far)} ")


@cache
def _unless(language: str) -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    """Return what finds words that say a decision, each with what finds those that make it one of others, or none."""
    spaced = LANGUAGES[language].spaced
    rows = table("topics", language)["unless"].items()
    return [(any_of(verbs, spaced=spaced), any_of(others, spaced=spaced)) for verbs, others in rows]


def _orders(words: list[str], language: Language) -> bool:
    """Whether the words at an end of a line order something; not one that tells of an aim."""
    folded = f" {' '.join(words)} "
    if language.spaced:
        ends = [words[:_OPENING_WORDS], words[-_OPENING_WORDS:] if language.verb_last else []]
        return any(_signs(end, language, "orders") for end in ends) and not _any(language.code, "aims").match(folded, 1)
    orders = _patterns(language.code, "orders")["orders"]
    found = {order for end in (folded[:_OPENING_SIGNS], folded[-_END_SIGNS:]) for order in orders.findall(end)}
    if found and (aim := _any(language.code, "aims").search(folded)):
        if language.verb_last:
            return not found <= _stated(language.code)
        return not orders.match(folded, aim.end())
    return bool(found)


@cache
def _stated(language: str) -> frozenset[str]:
    """Return the orders at the end of a line which, behind such a beginning, only state something."""
    return frozenset(MARKS.sub(" ", fold(word)) for word in table("topics", language)["stated"].split(", "))


def _signs(words: list[str], language: Language, name: str) -> set[str]:
    """Return the signs of the phrases of a list that a text has."""
    if language.spaced:
        return _finder(language.code, name).signs(words)
    folded = f" {' '.join(words)} "
    return {sign for sign, pattern in _patterns(language.code, name).items() if pattern.search(folded)}


def _phrases(language: str, name: str) -> dict[str, str]:
    """Return sign -> the phrases of a list; of the words of the topics also those that say a decision only without
    others beside them."""
    known = table("topics", language)
    if name != "words":
        return {name: known[name]}
    return {**known[name], **{f"{_IF}{at}": words for at, words in enumerate(known["unless"])}}


@cache
def _finder(language: str, name: str) -> PhraseFinder:
    """Return what finds the phrases of a list, in a script with spaces."""
    phrases = ((sign, word) for sign, words in _phrases(language, name).items() for word in words.split(", "))
    return PhraseFinder((f" {fold(word)} ", sign) for sign, word in phrases)


@cache
def _patterns(language: str, name: str) -> dict[str, re.Pattern[str]]:
    """Return the same for scripts without spaces."""
    return {sign: any_of(words, spaced=False) for sign, words in _phrases(language, name).items()}


@cache
def _headings(language: str) -> dict[str, re.Pattern[str]]:
    """Return what finds the words of headings, by topic; in Latin script, whose languages so few words do not tell
    apart, also those of the others that have one meaning."""
    found: dict[str, str] = table("topics", language)["headings"]
    for code in LATIN if language in LATIN else ():
        clear = table("topics", code)["clear headings"]
        found = {topic: ", ".join(filter(None, (words, clear.get(topic)))) for topic, words in found.items()}
    return {topic: any_of(words, spaced=LANGUAGES[language].spaced) for topic, words in found.items()}


@cache
def _any(language: str, name: str) -> re.Pattern[str]:
    """Return what finds the words of a list, as of `any_of`."""
    return any_of(table("topics", language)[name], spaced=LANGUAGES[language].spaced)


def any_of(words: str, *, spaced: bool) -> re.Pattern[str]:
    """Return what matches any of these words, as they stand in a table, in a folded text with a space at both ends;
    a mark behind a word means that a space must follow it."""
    known = "|".join(re.escape(MARKS.sub(" ", fold(word))) for word in sorted(words.split(", "), key=len, reverse=True))
    return re.compile(rf"(?<= )(?:{known})(?= )" if spaced else f"(?:{known})")
