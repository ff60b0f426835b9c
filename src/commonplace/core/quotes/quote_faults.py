"""What makes a line of a log useless or wrong on a page, by its form and words.

It tells of a moment, has lost what it is about, or is what somebody else says. Readers of real workspaces held four in
ten such lines right and useful, and eight in ten of the others.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from commonplace.core.entities.introductions import introduces
from commonplace.core.extract.line_labels import heading_name, is_aside, is_choice, is_taken, labelled, shows_an_example
from commonplace.core.extract.news_sections import may_tell_popularity
from commonplace.core.extract.salience import listed
from commonplace.core.quotes.definitions import may_define
from commonplace.core.quotes.page_lines import SHOWN, excerpt
from commonplace.core.quotes.quote_topics import CAUSES, DECISIONS, PREFERENCES, announces, is_feedback, ruled
from commonplace.core.quotes.quote_words import (
    READ,
    TICKS,
    announces_a_check,
    announces_a_plan,
    announces_mottos,
    announces_news,
    announces_perks,
    announces_praise,
    announces_what_was_made,
    ends_with,
    has_trait,
    heading_words,
    headings_above,
    in_all_languages,
    instructs,
    is_bound,
    is_general,
    is_maxim,
    is_mostly_code,
    languages_in,
    parts_of,
    plain_words,
    says_a_rule,
    tells_a_moment,
    tells_that_all_is_fine,
    topic_words,
)
from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES, identify
from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from commonplace.core.model import Line

_QUOTATION = lazy_pattern(r"[\W_]*?(?:\"[^\"]+\"|“[^“”]+”|„[^“”]+[“”]|「[^「」]+」|『[^『』]+』)[.。!！]?[*_)）]*")
_SPOKEN = lazy_pattern(r"\s(?:[—–-])\s*[\"“„「『]")
"""What introduces somebody's words behind a name or title."""
_MOVE = lazy_pattern(r"(?<![\w.])[+\-−±][0-9]+(?:\.[0-9]+)?\s?%")
"""By how much something went up or down: of a day."""
_COUNTED = lazy_pattern(
    r"(?i)\b(?:day|dag)\s+[0-9]+\b|[0-9]+\s?/\s?[0-9]+\s+\w*(?:test|pass)|\b[0-9]+(?:st|nd|rd|th)\b"
    r"|^[^|\n]+ \| [^|\n]+ \| "
)
"""What is one of a series on its day: a count, a record whose fields stand between bars."""
FIGURE = lazy_pattern(r"[0-9]+(?:[.,:/-][0-9]+)*")
_FIGURES_IN_A_ROW = 2
"""Figures in a dated row of a table, from which it is a measurement of that day."""
_COMMIT = lazy_pattern(r"(?<![\w/.-])(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,40}(?![\w/.-])")
_OPEN_CHOICE = lazy_pattern(r"(?i)\s(?:or|eller|или|या)\s|或者|または|もしくは")
_SLOGAN = lazy_pattern(r"[!！][\W_]*$")
"""An exclamation, which in a note is a maxim or a cheer."""
_ASKS = lazy_pattern(r"[?？]")
_STEP = lazy_pattern(
    r"(?i)(?:step\s*)?\d{1,2}[.)、：:]\s|(?:trin|шаг|चरण|第[0-9一二三四五六七八九十]+步|手順|ステップ)\s*\d*"
)
_CUT = lazy_pattern(r"(?:…|\.\.\.)[\W_]*$")
_COMMA = lazy_pattern(r"[,，、][*_\s]*$")
"""The end of a line on which its sentence goes on."""
DAY = lazy_pattern(r"(?<!\d)(?:19|20)\d\d[-./年](?:0?[1-9]|1[0-2])[-./月](?:0?[1-9]|[12]\d|3[01])(?!\d)")
"""A day in digits."""
_FILE = lazy_pattern(
    r"(?i)[\W_]*(?:https?://\S+|[\w./\\~-]+\.(?:md|txt|pdf|docx?|pptx?|xlsx?|csv|json|ya?ml|py|[jt]s|sh|html?|png|jpe?g|svg"
    r"|zip))[*_`]*\s*(?:[(（][\s\d.,]*(?:[kmg]?b)?\s*[)）])?\W*"
)
"""A file or link and nothing else but its size."""
_NOTE = lazy_pattern(r"[\w./\\~-]+\.md\b")
_LETTERS_BESIDE = 20
"""Letters beside the files of notes that a line points to, at most."""
_LETTERS_OF_A_TOPIC = 40
"""Letters before the colon of such a line, at most: more tell something themselves."""
_LINK = lazy_pattern(r"\W*\[[^\[\]]*\]\([^()]*\)\W*|\W*\[\[[^\[\]]*\]\]\W*")
"""A link with its words and nothing else."""
_APPOINTMENT = lazy_pattern(
    r"(?i)(?<![\d./-])(\d{1,2})(?:/(\d{1,2})(?:\s*\([^()]{1,5}\))?\s*(?:kl\.?|at|को|в)?\s*\d{1,2}:\d\d"
    r"|\.(\d{1,2})\.?\s*(?:kl\.?|в)\s*\d{1,2}[:.]\d\d)"
)
"""A day in digits, without its year, with an hour."""
_FEWEST_LETTERS = 4
"""Letters behind a label such as `Notes:`, below which it stands alone."""
_LASTING, _PASSING = (
    ("commit", "late", "listed", "made", "maxim", "praise", "sign"),
    ("over", "count", "tick", "moment", "cut", "code"),
)
RIGHT = frozenset((*_LASTING, *_PASSING))
"""Faults of lines that are of little use, but not wrong: these fill a page of what many days name."""
_PROBLEM = "event"
"""Sign of a label of what happened."""
_NTH_DAY = lazy_pattern(
    r"(?i)[\W\d_]*[^\W\d_].*(?:\b(?:day|dag|день)\s+[0-9]+\b|第\s?[0-9]+\s?[天日]|[0-9]+\s?日目|दिन\s+[0-9]+)"
)
"""A day of an outage or a trip, counted, behind a letter: the days before and after it tell the same."""
_PICTURE = lazy_pattern(r"(?i)\.(?:png|jpe?g|gif|webp|svg)\W*$")
_CHEER = lazy_pattern(r"[\W_]*[^.!?:：。！？]{1,40}[!！][*_\s]*(?:[^.!?:：。！？]{0,30}[!！.]?[\W_]*)?$")
"""A cry, and a few words behind it."""
_LONGEST_SOLVED, _LONGEST_TITLE = 4, 80
"""Words of a heading above what is solved, and characters of a title, at most."""
_GOES_ON = lazy_pattern(r"[:：,，、;；→—–]|->|=>|\s-\s|[.。!！।]\W*$")
_UNDER_WAY = lazy_pattern("[⏳⌛🔄🚧]")
"""Marks of what is under way."""
_DRAFT = lazy_pattern(r"(?i)(?:^|[/_-])(?:drafts?|kladder?)(?:[._-]|$)|草稿|下書き|черновик|मसौदा")


_CODE = r"(?:40[01345]|408|410|422|429|50[0234])(?![\w.,]?\d)"
_STATUS = rf"(?<![\w.,$€¥£#/:-]){_CODE}"
_FAILED = lazy_pattern(
    r"(?i)\bERR_[A-Z_]{4,}|\bE(?:CONNREFUSED|TIMEDOUT|NOTFOUND|ACCES|PERM|ADDRINUSE|CONNRESET|PIPE|NOENT)\b"
    rf"|{_STATUS}(?:[\s-]?(?:error\b|not found|错误|錯誤|エラー|ошибк|त्रुटि(?!य))|-fejl)"
    rf"|(?![45]00){_STATUS}\s?(?:errors|fejl)\b"
    rf"|(?:\b(?:http|error|fejl|ошибка)|错误|錯誤|エラー|त्रुटि)[\s:：-]{{0,2}}{_CODE}"
)
"""What a program answered that failed: in a log without a cause or lesson, that day's trouble. Of 500 errors somebody
may have counted them."""
_ANSWERED = lazy_pattern(
    r"(?i)(?:\b(?:urls?|endpoints?|returns?|returned|answers?|answered|responds?|responded|svarer|svarede"
    r"|returnerer|отвечает|ответил|возвращает)|返回|[→>])[\s:：`(（]{0,3}(?:with |an? |med )?"
    rf"{_CODE}(?=\W*$|\W*[;,)）。，、:：—–-])"
)
_PROGRAM = lazy_pattern(r"(?i)(?<![a-z])(?:api|urls?|https?|rss|endpoint|server|request|token|webhook|login)(?![a-z])")
"""The same behind an answer and without a word for it, in a line about programs: a room or port has such a number."""


def passing(why: str) -> bool:
    """Return whether a fault is of a line that held for a moment: of those that fill a page the last."""
    return why in _PASSING


def fault(line: Line, topic: str, *, core: bool = False) -> str:
    """Return why a page is better off without a line, in one word; empty if nothing speaks against it.

    Args:
        topic: what it tells, as of `quote_topics.topic_of`.
        core: whether it stands in a core file, whose headings of rules have rules below them.
    """
    text = line.content[:READ]
    label = parts_of(text).label
    if label and heading_name(label) in in_all_languages("apart"):
        return "fragment"
    if is_aside(line.content) and not ((labelled(text)[0] and topic in (DECISIONS, CAUSES)) or says_a_rule(text)):
        return "remark"
    found = chain(
        _of_its_form(line, text, topic, core=core),
        _of_its_place(line, text, topic, core=core),
        _of_little_use(line, text, topic, core=core),
        _of_a_side_or_day(line, text, topic, core=core),
        _of_its_words(line, text, topic, core=core),
    )
    return next(found, "")


def _of_its_form(line: Line, text: str, topic: str, *, core: bool) -> Iterator[str]:
    sign, said = labelled(text)
    label, rest = parts_of(text)
    if _QUOTATION.fullmatch(rest.strip()) or _SPOKEN.search(text):
        yield "quotation"
    if _ASKS.search(text) or _CUT.search(line.content):
        yield "open"
    if sign == "cause" and _OPEN_CHOICE.search(said) and instructs(said):
        yield "open"
    shown = excerpt(line.content)
    within = len(line.content) > SHOWN and shown.endswith("…") and not shown.endswith(" …")
    if within or _COMMA.search(text):
        yield "cut"
    if _COMMIT.search(text):
        yield "commit"
    if sign == "plain" and sum(map(str.isalpha, DAY.sub(" ", said))) < _FEWEST_LETTERS:
        yield "empty"
    if not any(map(str.isalpha, text)) or _LINK.fullmatch(text):
        yield "empty"
    if _FILE.fullmatch(text) or (_FILE.fullmatch(rest) and (has_trait(text) or _PICTURE.search(rest))):
        yield "empty"
    if label and (not any(map(str.isalnum, rest)) or heading_name(label) in in_all_languages("flavour")):
        yield "sign"
    if (line.recorded or DAY.search(text)) and text[:1] == "|" and len(FIGURE.findall(text)) >= _FIGURES_IN_A_ROW:
        yield "count"
    if line.recorded and (_MOVE.search(text) or _COUNTED.search(text)):
        yield "count"
    if topic != CAUSES and TICKS.search(text) and (line.recorded or not (core or topic == PREFERENCES)):
        yield "tick"


def _points_to_notes(text: str, path: str) -> bool:
    """Whether a file of notes stands right behind a colon, and little else: `Tides: memory/tides.md plus the logs`; in
    a file that introduces somebody any line with a core file points to it."""
    if introduces(path):
        return _core_files().search(text) is not None
    topic, _, rest = text.replace("：", ":").partition(":")
    if sum(map(str.isalpha, topic)) > _LETTERS_OF_A_TOPIC or not _NOTE.match(rest := rest.lstrip(" *_`[")):
        return False
    return rest[:2] != "//" and sum(map(str.isalpha, _NOTE.sub(" ", rest))) <= _LETTERS_BESIDE


@cache
def _core_files() -> re.Pattern[str]:
    """Return what matches the name of a core file: a line there that has one tells of the files themselves."""
    return re.compile(rf"(?i)(?<![\w/\\])(?:{'|'.join(table('core')['descriptions'])})\.md\b")


def _is_appointed(text: str, recorded: date) -> bool:
    """Whether a line of a day names the hour of another day."""
    found = _APPOINTMENT.search(text)
    return found is not None and {int(found[1]), int(found[2] or found[3])} != {recorded.month, recorded.day}


def _of_its_place(line: Line, text: str, topic: str, *, core: bool) -> Iterator[str]:
    is_draft = any(_DRAFT.search(each) for each in (line.source.path.rpartition("/")[2], *line.context))
    if is_draft or any(map(shows_an_example, line.context[-1:])):
        yield "draft"
    if labelled(text)[0] == _PROBLEM and any(map(_solved, line.context)):
        yield "fixed"
    if line.recorded is not None:
        clerical = _core_files().search(text) is not None and not instructs(parts_of(text).rest)
        if _is_appointed(text, line.recorded) or clerical or (tells_that_all_is_fine(text) and not instructs(text)):
            yield "moment"
        if any(map(_NTH_DAY.match, line.context[-1:])):
            yield "count"
        if topic not in (PREFERENCES, DECISIONS, CAUSES) and _CHEER.fullmatch(text):
            yield "sign"
        return
    if not core and _SLOGAN.search(text):
        yield "slogan"
    if not core and topic != PREFERENCES and _OPEN_CHOICE.search(text) and not may_define(text):
        yield "open"
    if core and topic not in (PREFERENCES, DECISIONS, CAUSES) and _points_to_notes(text, line.source.path):
        yield "pointer"
    mottos = introduces(line.source.path) and any(map(announces_mottos, line.context[-1:]))
    if core and (mottos or is_maxim(text)):
        yield "maxim"
    if any(map(announces_news, headings_above(line))):
        yield "news"
    if instructs(text) and any(_STEP.match(heading) for heading in headings_above(line)):
        yield "step"


def _of_little_use(line: Line, text: str, topic: str, *, core: bool) -> Iterator[str]:
    above = [heading for heading in line.context[-1:] if heading[:1] != "|"]
    praised = any(map(announces_praise, above)) and not any(map(announces_perks, headings_above(line)))
    if praised and is_general(text) and not ((core and says_a_rule(text)) or is_taken(text)):
        yield "praise"
    if topic in (PREFERENCES, DECISIONS, CAUSES):
        return
    if line.recorded is not None and any(map(announces_what_was_made, above)):
        yield "made"
    if line.recorded is not None and may_tell_popularity(text):
        yield "count"
    if line.recorded is not None and any(map(announces_a_check, (parts_of(text).label, *above))):
        yield "moment"
    if not core and (_FAILED.search(text) or (_ANSWERED.search(text) and _PROGRAM.search(text))):
        yield "moment"


def _of_a_side_or_day(line: Line, text: str, topic: str, *, core: bool) -> Iterator[str]:
    label, rest = parts_of(text)
    ruled = topic in (PREFERENCES, DECISIONS)
    if label and (ruled or instructs(rest)) and _of_one_side(label):
        yield "one side"
    if ruled and line.recorded is None and is_bound(text):
        yield "over"
    if is_choice(label) and not is_taken(text):
        yield "plan"
    if not label and _is_title(text):
        yield "title"
    if not (core or ruled or topic == CAUSES) and is_mostly_code(text):
        yield "code"


def _of_its_words(line: Line, text: str, topic: str, *, core: bool) -> Iterator[str]:
    label, rest = parts_of(text)
    words = [topic_words(code) for code in languages_in(text)]
    if any(each.backward.match(plain_words(said)) for each in words for said in (rest, text)):
        yield "points back"
    if topic == PREFERENCES:
        by_words = not (ruled(line) or is_feedback(text)) if core else line.recorded is not None
        if by_words and not says_a_rule(text):
            yield "no rule"
    elif topic != DECISIONS and (core or line.recorded) and any(each.open.search(plain_words(text)) for each in words):
        yield "open"
    elif topic == CAUSES:
        if _denies(text):
            yield "moment"
    elif topic == DECISIONS:
        if any(map(announces_a_plan, headings_above(line)[-1:])) and not announces(label):
            yield "plan"
    else:
        if any(map(announces_a_plan, headings_above(line))):
            yield "plan"
        dated = line.recorded or line.valid or DAY.search(text)
        if dated and (_UNDER_WAY.search(text) or tells_a_moment(text)):
            yield "moment"


def _of_one_side(label: str) -> bool:
    """Whether a label tells what one side of a debate says: `Rolf's objection`."""
    name = heading_words(label)
    return any(ends_with(name, topic_words(code).sides, code) for code in languages_in(label))


@lru_cache(512)
def _solved(heading: str) -> bool:
    """Whether a heading stands above problems that are solved: `Fixes applied`."""
    name = heading_words(heading)
    return any(
        ends_with(name, topic_words(code).fixed, code)
        or (LANGUAGES[code].spaced and name.startswith(tuple(f"{word} " for word in topic_words(code).fixed)))
        for code in languages_in(heading)
        if len(name.split()) <= _LONGEST_SOLVED
    )


def _is_title(text: str) -> bool:
    """Whether a text is only the title of what was talked of: `Why the ferry leaks`."""
    if len(text) > _LONGEST_TITLE or _GOES_ON.search(text):
        return False
    name = heading_name(text)
    for code in languages_in(text):
        titles, language = topic_words(code).titles, LANGUAGES[code]
        if language.verb_last or not language.spaced:
            if ends_with(name, titles, code):
                return True
        elif name.startswith(titles) and name.startswith(tuple(f"{word} " for word in titles)):
            return True
    return False


def _denies(text: str) -> bool:
    """Whether a line begins with what was not so: a state of its day, whatever its cause."""
    language = identify(text).code
    first = plain_words(text).split()[:1]
    return LANGUAGES[language].spaced and not _undone(language).isdisjoint(first) and not instructs(text)


@cache
def _undone(language: str) -> frozenset[str]:
    return frozenset(listed(table("infer", language)["undone"]))
