"""What makes a line of a log useless or wrong on a page, by its form and words.

It tells of a moment, has lost what it is about, or is what somebody else says.

Readers of real workspaces held four in ten such lines right and useful, and eight in ten of the others. The words are
data (`data/LANGUAGE/topics.json`).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.introductions import introduces
from commonplace.core.extract.line_labels import heading_name, labelled
from commonplace.core.extract.salience import listed
from commonplace.core.pages.page_lines import SHOWN, excerpt
from commonplace.core.pages.quote_topics import CAUSES, DECISIONS, MARKS, PREFERENCES, announces, any_of, demands, ruled
from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from commonplace.core.model import Line

_LABEL = lazy_pattern(r"[\W_]{0,6}([^:：]{1,40}?)[*_]{0,2}\s?[:：](?!//)[*_]{0,2}\s*")
_QUOTATION = lazy_pattern(r"[\W_]*?(?:\"[^\"]+\"|“[^“”]+”|„[^“”]+[“”]|「[^「」]+」|『[^『』]+』)[.。!！]?[*_)）]*")
_QUOTED = lazy_pattern(r"[\"“„”][^\"“”„]*[\"”“]|「[^「」]*」|『[^『』]*』")
_SPOKEN = lazy_pattern(r"\s(?:[—–-])\s*[\"“„「『]")
"""What introduces somebody's words behind a name or title."""
_TICKS = lazy_pattern(r"[✅❌✔✗☑☐✓]")
_MOVE = lazy_pattern(r"(?<![\w.])[+\-−±][0-9]+(?:\.[0-9]+)?\s?%")
"""By how much something went up or down: of a day."""
_COUNTED = lazy_pattern(
    r"(?i)\b(?:day|dag)\s+[0-9]+\b|[0-9]+\s?/\s?[0-9]+\s+\w*(?:test|pass)|\b[0-9]+(?:st|nd|rd|th)\b"
)
_FIGURE = lazy_pattern(r"[0-9]+(?:[.,:/-][0-9]+)*")
_FIGURES_IN_A_ROW = 2
"""Figures in a dated row of a table, from which it is a measurement of that day."""
_CODE = lazy_pattern(
    r"`[^`]*`?|https?://\S+|(?<![\w])[\w.~-]*[/\\_][\w./\\~_-]*|[\w-]+\.(?:md|py|js|ts|json|sh|ya?ml|txt)\b"
)
_SOME_CODE = lazy_pattern(r"[`/\\_]|\.(?:md|py|js|ts|json|sh|ya?ml|txt)\b")
"""What each match of `_CODE` has: found many times as fast."""
_COMMIT = lazy_pattern(r"(?<![\w/.-])(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,40}(?![\w/.-])")
_OPEN_CHOICE = lazy_pattern(r"(?i)\s(?:or|eller|или|या)\s|或者|または|もしくは")
_SLOGAN = lazy_pattern(r"[!！][\W_]*$")
"""An exclamation, which in a note is a maxim or a cheer."""
_ASKS = lazy_pattern(r"[?？]")
_STEP = lazy_pattern(
    r"(?i)(?:step\s*)?\d{1,2}[.)、：:]\s|(?:trin|шаг|चरण|第[0-9一二三四五六七八九十]+步|手順|ステップ)\s*\d*"
)
_CUT = lazy_pattern(r"(?:…|\.\.\.)[\W_]*$")
_ASIDE = lazy_pattern(r"\([^()]*\)?|（[^（）]*）?")
DAY = lazy_pattern(r"(?<!\d)(?:19|20)\d\d[-./年](?:0?[1-9]|1[0-2])[-./月](?:0?[1-9]|[12]\d|3[01])(?!\d)")
"""A day in digits."""
_FILE = lazy_pattern(
    r"(?i)[\W_]*(?:https?://\S+|[\w./\\~-]+\.(?:md|txt|pdf|docx?|pptx?|xlsx?|csv|json|ya?ml|py|[jt]s|sh|html?|png|jpe?g|svg"
    r"|zip))[*_`]*\s*(?:[(（][\s\d.,]*(?:[kmg]?b)?\s*[)）])?\W*"
)
"""A file or link and nothing else but its size."""
_LINK = lazy_pattern(r"\W*\[[^\[\]]*\]\([^()]*\)\W*|\W*\[\[[^\[\]]*\]\]\W*")
"""A link with its words and nothing else."""
_APPOINTMENT = lazy_pattern(
    r"(?i)(?<![\d./-])(\d{1,2})(?:/(\d{1,2})(?:\s*\([^()]{1,5}\))?\s*(?:kl\.?|at|को|в)?\s*\d{1,2}:\d\d"
    r"|\.(\d{1,2})\.?\s*(?:kl\.?|в)\s*\d{1,2}[:.]\d\d)"
)
"""A day in digits, without its year, with an hour."""
_FEWEST_LETTERS = 4
"""Letters behind a label such as `Notes:`, below which it stands alone."""
_LASTING, _PASSING = ("commit", "late", "listed", "maxim", "sign"), ("over", "count", "tick", "moment", "cut")
RIGHT = frozenset((*_LASTING, *_PASSING))
"""Faults of lines that are of little use, but not wrong: these fill a page of what many days name."""
_UNSPACED = tuple(code for code, language in LANGUAGES.items() if not language.spaced)
_READ = 240
"""Characters of a line that are read: those that a page shows."""
_HEADINGS = 2
_LONGEST_PLAN = 8
"""Words of a heading that announces a plan, at most; in scripts without spaces, signs count as a third."""
_HOUR = lazy_pattern(
    r"(?i)\b\d{1,2}[:.]\d\d\b|\b\d{1,2}\s?(?:am|pm|o'clock|बजे|час)|\d\s?[点點時时]|\bkl\.?\s?\d|\bat \d{1,2}\b"
)
_PROBLEM = "event"
"""Sign of a label of what happened."""
_JOINED = lazy_pattern(r"(?i)\s(?:and|og|и|और)\s|[&＆・、，,/]")
"""What joins the parts of a heading."""
_NTH_DAY = lazy_pattern(
    r"(?i)[\W\d_]*[^\W\d_].*(?:\b(?:day|dag|день)\s+[0-9]+\b|第\s?[0-9]+\s?[天日]|[0-9]+\s?日目|दिन\s+[0-9]+)"
)
"""A day of an outage or a trip, counted, behind a letter: the days before and after it tell the same."""
_PICTURE = lazy_pattern(r"(?i)\.(?:png|jpe?g|gif|webp|svg)\W*$")
_CHEER = lazy_pattern(r"[\W_]*[^.!?:：。！？]{1,40}[!！][*_\s]*(?:[^.!?:：。！？]{0,30}[!！.]?[\W_]*)?$")
"""A cry, and a few words behind it."""
_MAXIM = 2
"""Words of which mottos are made, from which a line without figure, name or condition is one."""
_OWN = lazy_pattern(r"(?<![^\W_])\d|[`@/→“\"「]")
"""What a line about something particular has."""
_PARTICULAR = lazy_pattern(r"[\d`@#/<>→\"“「]")
"""What no motto has."""
_LONGEST_SOLVED, _LONGEST_TITLE = 4, 80
"""Words of a heading above what is solved, and characters of a title, at most."""
_GOES_ON = lazy_pattern(r"[:：,，、;；→—–]|->|=>|\s-\s|[.。!！।]\W*$")
_DRAFT = lazy_pattern(r"(?i)(?:^|[/_-])(?:drafts?|kladder?)(?:[._-]|$)|草稿|下書き|черновик|मसौदा")


def passing(why: str) -> bool:
    """Return whether a fault is of a line that held for a moment: of those that fill a page the last."""
    return why in _PASSING


def fault(line: Line, topic: str, *, core: bool = False) -> str:
    """Return why a page is better off without a line, in one word; empty if nothing speaks against it.

    Args:
        topic: what it tells, as of `quote_topics.topic_of`.
        core: whether it stands in a core file, whose headings of rules have rules below them.
    """
    text = line.content[:_READ]
    found = chain(
        _of_its_form(line, text, topic),
        _of_its_place(line, text, topic, core=core),
        _of_a_side_or_day(line, text, topic),
        _of_its_words(line, text, topic, core=core),
    )
    return next(found, "")


class _Parts(NamedTuple):
    """A line by its label."""

    label: str
    rest: str


@lru_cache(maxsize=8)
def _parts(text: str) -> _Parts:
    """Return a line by its label. Kept: each kind of fault asks again."""
    found = _LABEL.match(text)
    return _Parts(found[1], text[found.end() :]) if found else _Parts("", text)


def _of_its_form(line: Line, text: str, topic: str) -> Iterator[str]:
    sign, said = labelled(text)
    if _QUOTATION.fullmatch(_parts(text).rest.strip()) or _SPOKEN.search(text):
        yield "quotation"
    if _ASKS.search(text) or _CUT.search(line.content):
        yield "open"
    if sign == "cause" and _OPEN_CHOICE.search(said) and instructs(said):
        yield "open"
    shown = excerpt(line.content)
    if len(line.content) > SHOWN and shown.endswith("…") and not shown.endswith(" …"):
        yield "cut"
    if _COMMIT.search(text):
        yield "commit"
    if sign == "plain" and sum(map(str.isalpha, DAY.sub(" ", said))) < _FEWEST_LETTERS:
        yield "empty"
    label, rest = _parts(text)
    if not any(map(str.isalpha, text)) or _LINK.fullmatch(text):
        yield "empty"
    if _FILE.fullmatch(text) or (_FILE.fullmatch(rest) and (has_trait(text) or _PICTURE.search(rest))):
        yield "empty"
    if label and (not any(map(str.isalnum, rest)) or heading_name(label) in _anywhere("flavour")):
        yield "sign"
    if (line.recorded or DAY.search(text)) and text[:1] == "|" and len(_FIGURE.findall(text)) >= _FIGURES_IN_A_ROW:
        yield "count"
    if line.recorded and (_MOVE.search(text) or _COUNTED.search(text)):
        yield "count"
    if line.recorded and topic != CAUSES and _TICKS.search(text):
        yield "tick"


@cache
def _core_files() -> re.Pattern[str]:
    """Return what matches the name of a core file: a line there that has one tells of the files themselves."""
    return re.compile(rf"(?i)(?<![\w/\\])(?:{'|'.join(table('core')['descriptions'])})\.md\b")


def _is_appointed(text: str, recorded: date) -> bool:
    """Whether a line of a day names the hour of another day."""
    found = _APPOINTMENT.search(text)
    return found is not None and {int(found[1]), int(found[2] or found[3])} != {recorded.month, recorded.day}


def _of_its_place(line: Line, text: str, topic: str, *, core: bool) -> Iterator[str]:
    if any(_DRAFT.search(each) for each in (line.source.path.rpartition("/")[2], *line.context)):
        yield "draft"
    if labelled(text)[0] == _PROBLEM and any(map(_solved, line.context)):
        yield "fixed"
    if line.recorded is not None:
        clerical = _core_files().search(text) is not None and not instructs(_parts(text).rest)
        if _is_appointed(text, line.recorded) or clerical:
            yield "moment"
        if any(map(_NTH_DAY.match, line.context[-1:])):
            yield "count"
        if topic not in (PREFERENCES, DECISIONS, CAUSES) and _CHEER.fullmatch(text):
            yield "sign"
        return
    if not core and _SLOGAN.search(text):
        yield "slogan"
    if not core and topic != PREFERENCES and _OPEN_CHOICE.search(text):
        yield "open"
    if (
        core
        and introduces(line.source.path)
        and topic not in (PREFERENCES, DECISIONS, CAUSES)
        and _core_files().search(text)
    ):
        yield "pointer"
    mottos = introduces(line.source.path) and any(map(_announces_mottos, line.context[-1:]))
    if core and (mottos or is_maxim(text)):
        yield "maxim"
    if any(map(_announces_news, _headings(line))):
        yield "news"
    if instructs(text) and any(_STEP.match(heading) for heading in _headings(line)):
        yield "step"


def _of_a_side_or_day(line: Line, text: str, topic: str) -> Iterator[str]:
    label, rest = _parts(text)
    ruled = topic in (PREFERENCES, DECISIONS)
    if label and (ruled or instructs(rest)) and _of_one_side(label):
        yield "one side"
    if ruled and line.recorded is None and is_bound(text):
        yield "over"
    if not label and _is_title(text):
        yield "title"


def _of_its_words(line: Line, text: str, topic: str, *, core: bool) -> Iterator[str]:
    label, rest = _parts(text)
    words = [_words(code) for code in _languages(text)]
    if label and heading_name(label) in _anywhere("apart"):
        yield "fragment"
    if any(each.backward.match(_plain(said)) for each in words for said in (rest, text)):
        yield "points back"
    if topic == PREFERENCES:
        if (not ruled(line) if core else line.recorded is not None) and not _is_a_rule(text):
            yield "no rule"
    elif topic != DECISIONS and (core or line.recorded) and any(each.open.search(_plain(text)) for each in words):
        yield "open"
    elif topic == CAUSES:
        if _denies(text):
            yield "moment"
    elif topic == DECISIONS:
        if any(map(announces_a_plan, _headings(line)[-1:])) and not announces(label):
            yield "plan"
    else:
        if any(map(announces_a_plan, _headings(line))):
            yield "plan"
        if (line.recorded or line.valid or DAY.search(text)) and tells_a_moment(text):
            yield "moment"


def _of_one_side(label: str) -> bool:
    """Whether a label tells what one side of a debate says: `Rolf's objection`."""
    name = " ".join(heading_name(_ASIDE.sub(" ", label)).translate(MARKS).split())
    return any(_ends(name, _words(code).sides, code) for code in _languages(label))


@lru_cache(512)
def _solved(heading: str) -> bool:
    """Whether a heading stands above problems that are solved: `Fixes applied`."""
    name = " ".join(_ASIDE.sub(" ", heading_name(heading)).translate(MARKS).split())
    return any(
        _ends(name, _words(code).fixed, code)
        or (LANGUAGES[code].spaced and name.startswith(tuple(f"{word} " for word in _words(code).fixed)))
        for code in _languages(heading)
        if len(name.split()) <= _LONGEST_SOLVED
    )


def _ends(name: str, words: tuple[str, ...], language: str) -> bool:
    if not LANGUAGES[language].spaced:
        return name.endswith(words)
    return f" {name}".endswith(tuple(f" {word}" for word in words))


def _is_title(text: str) -> bool:
    """Whether a text is only the title of what was talked of: `Why the ferry leaks`."""
    if len(text) > _LONGEST_TITLE or _GOES_ON.search(text):
        return False
    name = heading_name(text)
    for code in _languages(text):
        titles, language = _words(code).titles, LANGUAGES[code]
        if language.verb_last or not language.spaced:
            if _ends(name, titles, code):
                return True
        elif name.startswith(tuple(f"{word} " for word in titles)):
            return True
    return False


def _headings(line: Line) -> list[str]:
    """Return the nearest headings and bullets above a line."""
    return [text for text in line.context if text[:1] != "|"][-_HEADINGS:]


def _is_a_rule(text: str) -> bool:
    """Whether a line says a rule itself, and not only the heading above it."""
    label, rest = _parts(text)
    return demands(text) or instructs(rest) or (announces(label) and not rest[:1].isdecimal())


def _denies(text: str) -> bool:
    """Whether a line begins with what was not so: a state of its day, whatever its cause."""
    language = identify(text).code
    first = _plain(text).split()[:1]
    return LANGUAGES[language].spaced and not _undone(language).isdisjoint(first) and not instructs(text)


@cache
def _undone(language: str) -> frozenset[str]:
    return frozenset(listed(table("infer", language)["undone"]))


def tells_a_moment(text: str) -> bool:
    """Return whether the words of a line say that it tells of a moment: what is awaited, planned or counted."""
    said = _plain(text[:_READ])
    return any(_words(code).moments.search(said) for code in _languages(text))


def is_bound(text: str) -> bool:
    """Return whether a rule or decision is bound to a meeting or hours that are soon over: `before this meeting`."""
    said = _plain(_QUOTED.sub(" ", text[:_READ]))
    return any(_words(code).bound.search(said) for code in _languages(text))


def is_habit(line: Line) -> bool:
    """Return whether a line tells, below a heading of habits, what somebody does at an hour, and gives no rule."""
    headings = _headings(line)[-1:]
    if not _HOUR.search(line.content) or _is_a_rule(line.content):
        return False
    return any(_ends(heading_name(text), _words(code).habits, code) for text in headings for code in _languages(text))


def tells_a_problem(text: str) -> bool:
    """Return whether a text has a word for what was wrong."""
    said = _plain(text)
    return any(_words(code).problems.search(said) for code in _languages(text))


def behind_label(text: str) -> str:
    """Return what stands behind the label of a line; all of a line without one."""
    return _parts(text).rest


def instructs(text: str) -> bool:
    """Return whether a text begins with what a reader is to do: `Ask before you send`."""
    said = _plain(text)
    return any(_words(code).instructions.match(said) for code in (*_languages(text), "en"))


def holds_when(heading: str) -> bool:
    """Return whether a heading says when what stands below it holds: `When you write to the board`."""
    said = _plain(heading)
    return any(_words(code).conditions.search(said) for code in _languages(heading))


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
    return 1 if label.startswith(tuple(_anywhere("qualifiers"))) else 2


@lru_cache(512)
def announces_traits(heading: str) -> bool:
    """Return whether a heading stands above what somebody is or does: `Identity and current role`, `Career`."""
    if _unqualified(heading_name(heading), "standing"):
        return True
    return any(_unqualified(heading_name(part), "traits", "calling", "standing") for part in _JOINED.split(heading))


def _label_of(text: str) -> str:
    """Return the label before something that a line says, folded; empty if it has none."""
    label = _LABEL.match(text)
    return heading_name(label[1]) if label and label.end() < len(text.rstrip()) else ""


def _unqualified(name: str, *lists: str) -> bool:
    """Return whether a label is in one of these lists, perhaps behind a qualifier: `current role`."""
    known = [_anywhere(each) for each in lists]
    if any(name in words for words in known):
        return True
    rest = (name[len(word) :].strip(" の") for word in _anywhere("qualifiers") if name.startswith(word))
    return any(each in words for each in rest for words in known)


def tells_a_life(heading: str) -> bool:
    """Return whether a heading, in a file that introduces somebody, stands above what tells who that is: `Career`."""
    return heading_name(heading) in _anywhere("lives")


def is_general(text: str) -> bool:
    """Return whether a text has no figure, code, link or words of somebody's: it may be said of anything."""
    return _OWN.search(text) is None


def is_maxim(text: str) -> bool:
    """Return whether a text is a motto: several words for virtues, and nothing particular."""
    if _PARTICULAR.search(text):
        return False
    said = _plain(text)
    return any(len(set(_words(code).values.findall(said))) >= _MAXIM for code in _languages(text))


@lru_cache(512)
def announces_a_plan(heading: str) -> bool:
    """Return whether a heading stands above plans, drafts, others' comments or routine reports."""
    name = " ".join(_ASIDE.sub(" ", heading_name(heading)).translate(MARKS).split())
    brief = len(name.split()) <= _LONGEST_PLAN
    return brief and any(_ends(name, _words(code).plans, code) for code in _languages(heading))


@lru_cache(512)
def _announces_mottos(heading: str) -> bool:
    """Return whether a heading has a word for mottos: `Ideas to keep`."""
    name = f" {heading_name(heading)} "
    return any(_words(code).mottos.search(name) for code in _languages(heading))


@lru_cache(512)
def _announces_news(heading: str) -> bool:
    """Return whether a heading stands above what was new once: `Tide table: updates`."""
    name = " ".join(_ASIDE.sub(" ", heading_name(heading)).translate(MARKS).split())
    return any(_ends(name, _words(code).news, code) for code in _languages(heading))


@lru_cache(maxsize=8)
def _plain(text: str) -> str:
    """Return a text folded, without code and marks, with a space at both ends. Kept: each question asks again."""
    said = _TICKS.sub(" ", _CODE.sub(" ", text) if _SOME_CODE.search(text) else text)
    return f" {' '.join(fold(said).translate(MARKS).split())} "


class _Words(NamedTuple):
    """The words of one language, folded."""

    moments: re.Pattern[str]
    open: re.Pattern[str]
    problems: re.Pattern[str]
    backward: re.Pattern[str]
    instructions: re.Pattern[str]
    conditions: re.Pattern[str]
    plans: tuple[str, ...]
    bound: re.Pattern[str]
    values: re.Pattern[str]
    mottos: re.Pattern[str]
    sides: tuple[str, ...]
    titles: tuple[str, ...]
    fixed: tuple[str, ...]
    habits: tuple[str, ...]
    news: tuple[str, ...]


@cache
def _words(language: str) -> _Words:
    known = table("topics", language)
    spaced = LANGUAGES[language].spaced

    def pattern(name: str, before: str, after: str) -> re.Pattern[str]:
        return re.compile(f"{before}{any_of(known[name], spaced=False).pattern}{after}")

    end = "(?= )" if spaced else ""
    return _Words(
        any_of(known["moments"], spaced=spaced),
        any_of(known["open"], spaced=spaced),
        any_of(known["problems"], spaced=spaced),
        pattern("backward", " ", end),
        pattern("instructions", " ", end),
        pattern("conditions", "^ ", end) if spaced else pattern("conditions", "", " $"),
        tuple(map(fold, known["plans"].split(", "))),
        any_of(known["bound"], spaced=spaced),
        any_of(known["values"], spaced=spaced),
        any_of(known["mottos"], spaced=spaced),
        *(tuple(map(fold, known[name].split(", "))) for name in ("sides", "titles", "fixed", "habits", "news")),
    )


@cache
def _anywhere(name: str) -> frozenset[str]:
    """Return the words of a list in all languages, folded."""
    return frozenset(fold(word) for code in LANGUAGES for word in table("topics", code)[name].split(", "))


def _languages(text: str) -> tuple[str, ...]:
    """Return the languages whose words may be in a text: its own, and of Chinese and Japanese, which few signs tell
    apart, both."""
    language = identify(text).code
    return (
        (language,) if LANGUAGES[language].spaced else tuple(code for code in LANGUAGES if not LANGUAGES[code].spaced)
    )
