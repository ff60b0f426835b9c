"""Reading texts: which words can hold a date, which stretches are not prose, and what the grammar found in the rest."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.model import Span
from commonplace.core.tables import table
from commonplace.core.when.calendar import Frame, Time, settle
from commonplace.core.when.lexer import FOLD, Item, Lexer, danish_marks, fold, lexicon, plain, readings

if TYPE_CHECKING:
    from datetime import date


class When(NamedTuple):
    """One date expression in a text."""

    span: Span
    phrase: str
    relation: str
    """`during` (the time itself), `between` (a range given by both ends), `since` and `until` (that end included),
    `before` and `after` (excluded), `around`, `ago` (one day, meant loosely: "two weeks ago").
    The span has it applied."""
    start: int
    """Where the phrase stands in the text, as offsets."""
    end: int


class Found(NamedTuple):
    """An expression before it is settled."""

    time: Time
    start: int
    end: int


# ---------------------------------------------------------------------- can there be a date at all

_BREAKS = "\t\n.,;:!?()[]{}<>\"'`*_|/\\-–—~=&+#@“”‘’…।"
_SPACES: dict[int, str | None] = {
    **{ord(char): " " for char in _BREAKS},
    **{ord(digit): "0" for digit in "123456789"},
}
"""Marks to spaces, every digit to 0."""


_CARRIERS = frozenset(
    {"month", "weekday", "lastweekday", "unit", "rel", "kal", "season", "festival", "bignum", "todate"}
    | {"yearmark", "monthmark", "daymark", "halfof", "edgeof", "era"}
)
"""Classes one of which every expression without digits contains."""


@cache
def _triggers(language: str) -> frozenset[str]:
    """The words of those classes, in the spellings they usually have; of a phrase its last telling word."""
    weak = {fold(word) for word in table("when-" + language)["weak"]}
    shy = set(table("when-" + language)["shy"])
    words: set[str] = set()
    for word, known in readings(language).items():
        if not any(kind in _CARRIERS for kind, _ in known):
            continue
        parts = word.split(" ")
        telling = [part.split("'")[0] for part in parts if part not in weak]
        if not telling:
            continue
        last = telling[-1]
        words.update((last.title(), last.upper()))
        if last not in shy:
            words.add(last)
    return frozenset(words)


@cache
def _digits() -> re.Pattern[str]:
    return re.compile(
        r"(?<!\d)\d{1,4}[-/.]\d|(?<!\d)(?:1\d|20|21)\d\d(?!\d)|\d0(?:'?s|'?erne)|(?<!\d)20\d{6}(?!\d)"
        r"|\b[qhwQHW]\d\b|\b(?:cy|CY)\d\d|\d(?:st|nd|rd|th)\b|\d[dwmy]\b|(?<!\d)\d{1,2}\. \w"
    )


@cache
def _shy() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:in|since|of|by|until|till|last|this|next|early|mid|late|before|after|during|from|to|through|on|\d|st|nd|rd|th)"
        r"[ .-](?:may|march|mar|sat|sun|mon|wed|fri|tue|thu|jan|man|fre|jul)\b"
        r"|\b(?:may|march|mar|jan|jul)[ .-]*\d",
    )


_SHY_WORDS = frozenset(
    {"may", "march", "mar", "sat", "sun", "mon", "wed", "fri", "tue", "thu", "jan", "man", "fre", "jul"}
)


@cache
def _han_words() -> dict[str, tuple[str, ...]]:
    """Chinese and Japanese words of those classes by their first character."""
    found: dict[str, set[str]] = {}
    for language in ("zh", "ja"):
        weak = set(table("when-" + language)["weak"])
        for word, known in readings(language).items():
            if any(kind in _CARRIERS for kind, _ in known) and word not in weak and word not in _HAN_MARKS:
                found.setdefault(word[0], set()).add(word)
    return {first: tuple(words) for first, words in found.items()}


_COUNTS = frozenset(
    "0123456789 零〇一二三四五六七八九十百千两兩廿几幾数數第上下本这這半个個今去明前后後过過同当當元ヶかカケヵ箇"
)


_HAN_MARKS = frozenset("年月日天周週季号號")
"""Units of one character: a date only behind a count."""


def _han_may_hold(text: str) -> bool:
    words = _han_words()
    for at, char in enumerate(text):
        if char in words and text.startswith(words[char], at):
            return True
        if at and char in _HAN_MARKS and text[at - 1] in _COUNTS:
            return True
    return False


_WIDE: dict[int, str | None] = {
    **_SPACES,
    **{ord(char): " " for char in "（）：，／．－～〜\u3000\u00a0"},
    **{0xFF10 + digit: "0" for digit in range(10)},
    **{0x0966 + digit: "0" for digit in range(10)},
    **FOLD,
}


def may_hold(text: str) -> bool:
    """Whether the text can hold a date expression: False is certain, True a guess; a few microseconds a line."""
    if len(text) > _LONGEST:
        text = text[:_LONGEST]
    if text.isascii():
        simple = text.translate(_SPACES)
        words = simple.split()
    else:
        simple = text.translate(_WIDE)
        words = simple.split()
        if not _hindi_words().isdisjoint(words):
            return True
        if _some_han().search(text) is not None and _han_may_hold(text):
            return True
        text = plain(text)
    if not _latin_words().isdisjoint(words):
        if not _triggers("en").isdisjoint(words) or not _triggers("da").isdisjoint(words):
            return True
        if _shy().search(text) is not None:
            return True
    return "0" in simple and _digits().search(text) is not None


_LONGEST = 20_000
"""Characters of a line that are looked at: what is longer is data, and none of it is worth a second of time."""


@cache
def _some_han() -> re.Pattern[str]:
    return re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")


@cache
def _latin_words() -> frozenset[str]:
    return _triggers("en") | _triggers("da") | _SHY_WORDS


@cache
def _hindi_words() -> frozenset[str]:
    return _triggers("hi")


class Scripts(NamedTuple):
    """Which scripts a text holds."""

    latin: bool
    hindi: bool
    han: bool
    kana: bool


@cache
def _script() -> re.Pattern[str]:
    return re.compile(r"([A-Za-z])|([\u0904-\u0939])|([\u3040-\u30ff])|([\u3400-\u9fff])")


def scripts(text: str) -> Scripts:
    """Which scripts a text holds; a text in ASCII is not looked at."""
    if text.isascii():
        return Scripts(True, False, False, False)
    seen = {match.lastindex for match in _script().finditer(text[:_LONGEST])}
    return Scripts(1 in seen, 2 in seen, 3 in seen or 4 in seen, 3 in seen)


# ---------------------------------------------------------------------- what is no prose


@cache
def _fences() -> re.Pattern[str]:
    return re.compile(r"`[^`\n]*`|\[\[[^\[\]\n]{1,200}\]\]|\]\([^)\s]{1,400}\)|<!--.{0,400}?-->|《[^《》\n]{1,100}》")


@cache
def _runs() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z0-9_./\\:@%+~#?=&-]+")


@cache
def _extension() -> re.Pattern[str]:
    return re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}$")


def prose(text: str) -> str:
    """The text with code, link targets, addresses, paths and file names blanked out, offsets kept."""
    holes: list[tuple[int, int]] = []
    if "`" in text or "](" in text or "[[" in text or "<!--" in text or "《" in text:
        holes.extend(match.span() for match in _fences().finditer(text))
    if "/" in text or "\\" in text or "@" in text or "." in text or "_" in text:
        for match in _runs().finditer(text):
            run = match.group()
            if len(run) > 4 and _is_path(run):
                holes.append(match.span())
    if not holes:
        return text
    parts: list[str] = []
    done = 0
    for start, end in sorted(holes):
        if end > done:
            parts.append(text[done : max(start, done)])
            parts.append("\x00" * (end - max(start, done)))
            done = end
    parts.append(text[done:])
    return "".join(parts)


def _is_path(run: str) -> bool:  # noqa: PLR0911 — a list of cases, one return each
    if "://" in run or "@" in run[1:-1] or run[:4] in {"www.", "WWW."} or "\\" in run:
        return True
    if not any(char.isalpha() for char in run):
        return False
    bare = run.rstrip(".:?#&=-+~")
    if "/" in bare:
        letters = [part for part in re.split(r"[/-]", bare) if not part.isdigit()]
        if any(part and fold(part.strip(".")) not in _month_words() for part in letters):
            return bool(re.search(r"[A-Za-z]", bare)) and not _plain_alternative(bare)
        return bare.count("/") > 2
    if "." in bare and not bare[0].isdigit() and _extension().search(bare) is not None:
        return any(char.isdigit() for char in bare)
    if bare[0].isdigit() and _extension().search(bare) is not None:
        return fold(bare.rsplit(".", 1)[1]) not in _month_words()
    return "_" in bare and any(char.isdigit() for char in bare)


def _plain_alternative(run: str) -> bool:
    """`and/or`, `10/1-11/7`: a slash between words or numbers that is no path."""
    return run.count("/") == 1 and not any(char in run for char in "._:~")


@cache
def _month_words() -> frozenset[str]:
    return frozenset(
        word for language in ("en", "da") for word, known in readings(language).items() if known[0][0] == "month"
    )


# ---------------------------------------------------------------------- the expressions of a text

_ANCHORS = frozenset(
    {
        "ymd",
        "shortymd",
        "ym",
        "years",
        "slashday",
        "year",
        "month",
        "monthmark",
        "daymark",
        "yearmark",
        "weekday",
        "unit",
    }
    | {
        "rel",
        "kal",
        "lastweekday",
        "quarter",
        "halfletter",
        "season",
        "festival",
        "halfof",
        "edgeof",
        "era",
        "cy",
        "pair",
    }
    | {"decades", "todate", "slash", "ord", "bignum", "yd", "dy"}
)


def expressions(text: str, frame: Frame) -> list[Found]:
    """Every time expression of a text in order, relations applied, some still unsettled or in need of company."""
    script = scripts(text)
    latin = hindi = han = None
    danish = False
    if script.latin:
        danish = is_danish(text)
        latin = lexicon("da", "en") if danish else lexicon("en")
    if script.hindi:
        hindi = lexicon("hi")
    if script.han:
        han = lexicon("ja", "zh") if script.kana else lexicon("zh", "ja")
    frame = frame._replace(day_first=danish)
    lexer = Lexer(text, year_first=script.han, day_first=danish)
    found: list[Found] = []
    run: list[Item] = []
    anchored = False
    for item in lexer.run(latin, hindi, han):
        if item[0]:
            run.append(item)
            anchored = anchored or item[0][0][0] in _ANCHORS or any(kind in _ANCHORS for kind, _ in item[0][1:])
        elif run:
            if anchored:
                _collect(run, frame, found)
            run, anchored = [], False
    if anchored:
        _collect(run, frame, found)
    return found


@cache
def _danish_day() -> re.Pattern[str]:
    return re.compile(r"\d\.(?:-\d| ?(?:jan|feb|mar|apr|maj|jun|jul|aug|sep|okt|nov|dec))")


_DANISH_LETTERS = frozenset("æøåÆØÅ")


def is_danish(text: str) -> bool:
    """Whether Latin text is Danish rather than English: its letters, its commonest words or its dates decide."""
    text = text[:_LONGEST]
    if not text.isascii() and not _DANISH_LETTERS.isdisjoint(text):
        return True
    if not danish_marks().isdisjoint(text.lower().translate(_SPACES).split()):
        return True
    return _danish_day().search(text) is not None


_LONG_RUN = 400


def _collect(run: list[Item], frame: Frame, found: list[Found]) -> None:
    from commonplace.core.when.grammar import parsed

    for at in range(0, len(run), _LONG_RUN):
        for known, start, end, _ in parsed(_numbers(run[at : at + _LONG_RUN]), frame):
            if known and known[0][0] == "time":
                found.append(Found(known[0][1], start, end))


def _numbers(run: list[Item]) -> list[Item]:
    """The run with number words joined: `two thousand and thirty two`, `nineteen seventy two`, `दो हजार बत्तीस`."""
    if all(_word_number(item) is None for item in run):
        return run
    out: list[Item] = []
    at = 0
    while at < len(run):
        value = _word_number(run[at])
        if value is None:
            out.append(run[at])
            at += 1
            continue
        stop, total, last = at + 1, 0, value
        current = value
        ordinal = False
        while stop < len(run) and not ordinal:
            step = stop
            if any(kind in {"and", "dash"} for kind, _ in run[step][0]) and step + 1 < len(run):
                joins = any(kind == "dash" for kind, _ in run[step][0])
                if (joins and current % 10 == 0 and 20 <= current < 100) or (not joins and (total or current >= 100)):
                    step += 1
            following = _word_number(run[step])
            if following is None and 20 <= current < 100 and current % 10 == 0:
                following = next((v for kind, v in run[step][0] if kind == "ord" and v < 10), None)
                ordinal = following is not None
            if following is None or (step + 1 < len(run) and _is_unit_of(run, step)):
                break
            joined = _joined(total, current, following)
            if joined is None:
                ordinal = False
                break
            total, current = joined
            last, stop = following, step + 1
        total += current
        if stop == at + 1 and last == total:
            out.append(run[at])
        else:
            kind = "ord" if ordinal else "year" if 1000 <= total <= 2999 else "num"
            out.append((((kind, total),), run[at][1], run[stop - 1][2], False))
        at = stop
    return out


def _is_unit_of(run: list[Item], at: int) -> bool:
    """Never joined: a number that a digit wrote."""
    return run[at][0][0][0] in {"yy", "zero"} or any(kind in {"yy", "zero"} for kind, _ in run[at][0])


_NO_WORD_NUMBER = frozenset({"yy", "zero", "ord", "wdchar"})


def _word_number(item: Item) -> int | None:
    if item[2] - item[1] < 2:
        return None
    value: int | None = None
    for kind, known in item[0]:
        if kind == "num":
            value = known
        elif kind in _NO_WORD_NUMBER:
            return None
    return value


def _joined(total: int, current: int, following: int) -> tuple[int, int] | None:
    if following == 1000:
        return total + max(current, 1) * 1000, 0
    if following == 100:
        return (total, current * 100) if 0 < current < 100 else None
    if current % 100 == 0 and following < 100:
        return total, current + following
    if current % 10 == 0 and current % 100 >= 20 and 0 < following < 10:
        return total, current + following
    if not total and 13 <= current <= 29 and 10 <= following <= 99:
        return total, current * 100 + following
    return None


def spoken(time: Time, text: str, frame: Frame, start: int, end: int) -> When | None:
    """The expression as a When, settled; None where it has no days."""
    settled = settle(time, frame)
    if settled is None or (settled.start is None and settled.end is None):
        return None
    if settled.start is not None and settled.end is not None and settled.start > settled.end:
        return None
    return When(Span(settled.start, settled.end), text[start:end], settled.relation or "during", start, end)


# ---------------------------------------------------------------------- the three ways to read


def find(text: str, today: date) -> tuple[When, ...]:
    """Every date expression of a text, in order, not overlapping; a missing year is the nearest to `today`."""
    if not may_hold(text):
        return ()
    simple = prose(plain(text[:_LONGEST]))
    frame = Frame(today, "near", kal=_kal(simple, default=-1))
    found = []
    for expression in expressions(simple, frame):
        time = expression.time
        if time.care or time.loose:
            continue
        when = spoken(time, text, frame, expression.start, expression.end)
        if when is not None:
            found.append(when)
    return tuple(found)


def valid(text: str, recorded: date) -> Span | None:
    """The validity that a fact's own text states: its first range, else its first time; None if it names none."""
    found = find(text, recorded)
    for when in found:
        if when.relation in {"between", "since", "until", "before", "after"}:
            return when.span
    return found[0].span if found else None


def read(text: str, today: date) -> When | None:
    """The range that a question asks for, its relation applied; None if it names none.

    An expression that is surely one comes before one that only may be ("May", a bare year), and that before "the week".
    """
    text = text[:_LONGEST]
    simple = plain(text)
    if not _bare_date(simple):
        simple = prose(simple)
    frame = Frame(today, *_tense(simple))
    best: When | None = None
    rank = 3
    for expression in expressions(simple, frame):
        time = expression.time
        level = 2 if time.loose else 1 if time.care else 0
        if level >= rank or (level == 1 and not _sensible(time)):
            continue
        when = spoken(time, text, frame, expression.start, expression.end)
        if when is not None:
            best, rank = when, level
    return best


def _bare_date(text: str) -> bool:
    stripped = text.strip(" ?.!")
    return len(stripped) <= 10 and not any(char.isalpha() for char in stripped)


def _sensible(time: Time) -> bool:
    """What a question may leave without a preposition: a month, a plausible year, a day in digits."""
    if time.form == "day":
        return time.mark == "digits"
    if time.grain == "year" and time.start is not None:
        return 1800 <= time.start.year <= 2200
    if time.grain == "day" and time.mark == "this":
        return False  # "now"
    return time.form not in {"edge", "nth", "half", "season"} or (
        time.form == "nth" and time.rule in {"week", "quarter"}
    )


def _tense(text: str) -> tuple[str, bool, bool, int]:
    """Lean, day_first, year_first and the sign of कल for a question."""
    words = [fold(word) for word in text.translate(_WORD_BREAKS).split()]
    known = set(words)
    past, future = _tense_words()
    ahead = not future.isdisjoint(known) or any(word.endswith(_hindi_endings()) for word in words if word > "\u0900")
    back = not past.isdisjoint(known)
    if not text.isascii() and scripts(text).han:
        back = back or any(mark in text for language in ("zh", "ja") for mark in table("when-" + language)["past"])
        ahead = ahead or any(mark in text for language in ("zh", "ja") for mark in table("when-" + language)["future"])
    if any(word.endswith(_hindi_endings()) for word in words if word > "\u0900"):
        back = False  # Hindi builds its future on participles: "किया जाएगा"
    lean = "past" if back and not ahead else "future" if ahead and not back else "back"
    return lean, False, False, 1 if ahead and not back else -1


_WORD_BREAKS = {ord(char): " " for char in _BREAKS if char != "'"}


@cache
def _tense_words() -> tuple[frozenset[str], frozenset[str]]:
    tables = [table("when-" + language) for language in ("en", "da", "hi")]
    past = frozenset(fold(word) for one in tables for word in one["past"])
    future = frozenset(fold(word) for one in tables for word in one["future"])
    return past, future


@cache
def _hindi_endings() -> tuple[str, ...]:
    return tuple(fold(ending) for ending in table("when-hi")["future_endings"])


def _kal(text: str, *, default: int) -> int:
    """Whether कल is tomorrow (1) or yesterday (−1) in this text."""
    if text.isascii() or not scripts(text).hindi:
        return default
    return _tense(text)[3]
