"""Secrets as people write them: a word such as "password", a link such as "is" or `:`, and a value.

The words, the links and the exceptions are data (`data/secrets.json`), in many languages. Law: as in
`core.secrets.detector`, a pattern is tried where a word begins, and reads a few hundred characters.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.secrets.value_patterns import bare, linked, listed, low_form, parts_words, stated, states, told
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_VARIABLE = lazy_pattern("[a-z_]+[0-9]?")
"""The value of an attribute (`self.password = password1`) that is the name of a variable."""
_HAS_DIGIT = lazy_pattern("[0-9]")
_RUN = lazy_pattern("[a-z]+")
_BEGINNINGS_KEPT = 1024
_REACH = 250
"""Characters behind a word in which its value ends if something is said between them."""
_EDGE_BEFORE = "(?<![0-9a-z\u00c0-\u052f])"
_EDGE_BEHIND = r"(?![a-z\u00c0-\u052f]|[0-9]{1,2}(?![0-9]?[\"']? ?[:=])|[0-9]{3})"  # password1: is one more password
"""No letter of such a script: Han and kana occur beside Latin words without a space."""
_TOKEN_LETTERS = lazy_pattern("[0-9A-Za-z_.~+/=%$!@-]+")
_PIN = lazy_pattern(r"(?:[0-9]{4,8}|[0-9]{1,2}(?:-[0-9]{1,2}){2,3}|[0-9]{3}[ -]?[0-9]{3})#?[.,;!]?")
_CODE = lazy_pattern(r"[0-9]{6,10}|[0-9a-z]{4,8}(?:-[0-9a-z]{4,8}){1,7}|[0-9a-z]{10,32}")
_QUOTES = lazy_pattern("[ \"'`“”」』]*")
_UUID = lazy_pattern("[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_WHOLE_PASSWORD, _WHOLE_TOKEN = 8, 32
"""Least length of a complete value before an ellipsis: shorter ones were truncated."""
_HEX = frozenset("0123456789abcdefABCDEF")
_SPECIAL = frozenset("!@#$%^*+=~")
_MARKED = frozenset("!#$%^*~?&")
"""Signs that a password contains and the name of a thing does not."""
_OTHER = lazy_pattern(
    r"\.[A-Za-z]{1,5}[0-9]?$|^[vV]?[0-9]+\.[0-9]|^[0-9]{4}-|^[#@/]|.[/\\]|[0-9]{1,2}:[0-9]{2}|^[A-Z][a-z]{2}-[0-9]"
)
"""A file, a version, a date, a mention, a path, a time."""
_NAME = lazy_pattern(
    r"[\w/.-]*\w\.[a-z]{1,5}:[0-9]+|[A-Za-z_]+(?:\.[A-Za-z_]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[/~.][\w.-]*/.*"
    r"|[A-Za-z_ -]*[Pp]ass(?:word|wort)?[A-Za-z_ -]*"
)
_COUNTS = lazy_pattern(
    r"[0-9]{1,5}\+?(?:[-–]?[a-z]{1,3}|-[a-z]+(?:-[a-z]+)*)|[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?|[0-9]{1,2}[./][0-9]{1,2}[./]?[0-9]{0,4}"
)
"""A number with its unit, which has few digits, or a date."""


class _Words(NamedTuple):
    """Words of one kind of secret with a common beginning."""

    kind: str
    mark: str
    """The common beginning, in lower case."""
    pattern: re.Pattern[str]
    bare: bool
    """Whether a value may follow them without a link."""
    first: frozenset[str] | None
    """Runs of Latin letters, one of which occurs wherever such a word does; None: no such filter."""


def spoken_secrets(
    simple: str, low: str, *, narrow: str, words: str, starts: frozenset[str]
) -> Iterator[tuple[str, int, str]]:
    """Yield kind, offset and value of each secret that people write in a text.

    Args:
        low: the text in lower case.
        narrow: the same with a question mark for each character beyond ASCII, which is faster to search.
        words: its words, each once.
        starts: its runs of Latin letters, and all its characters if some are not ASCII: each word begins with one.
    """
    for known in _beginning(starts & _starts()):
        if known.mark not in words:
            continue
        where = narrow if known.mark.isascii() else low
        at = where.find(known.mark)
        while at >= 0:
            end = at + 1
            if (word := known.pattern.match(low, at)) and not _is_other(known.kind, low, at=at):
                for tail in _tails(known, low, word=word):
                    span = _value_in(tail(), known.kind, simple, low=low, word=word)
                    if span is not None:
                        yield f"a {known.kind}", span[0], simple[slice(*span)]
                        end = max(end, span[1])
                        break
            at = where.find(known.mark, end)
    yield from _behind(simple, low)


def _tails(words: _Words, low: str, *, word: re.Match[str]) -> Iterator[Callable[[], re.Pattern[str]]]:
    """Yield what may follow a word; a long pattern is compiled and tried only where a line has a value with a digit."""
    is_short = word[0] in listed("short words")
    line = low[word.end() : word.end() + _REACH].partition("\n")[0]
    is_said = any(len(each) >= 4 and not each.isalpha() and _HAS_DIGIT.search(each) for each in line.split())
    if is_said or not is_short:
        yield linked
    if words.bare:
        yield bare
    if is_said:
        yield told
        if words.kind == "password":
            yield stated


def _value_in(
    tail: re.Pattern[str], kind: str, simple: str, *, low: str, word: re.Match[str]
) -> tuple[int, int] | None:
    """Return the start and end of the value behind a word, or None: what follows is none."""
    start = word.end()
    found = tail.match(low, start)
    if found is None:
        return None
    quoted = found["quoted"] is not None
    span = found.span("quoted" if quoted else "value")
    value = simple[slice(*span)]
    statement = found.groupdict().get("told")
    if word[0] in listed("short words") or (statement and not (found["link"] and states().fullmatch(statement))):
        return span if kind == "password" and is_strong(value, text=simple, end=span[1]) else None
    if statement:
        is_other = kind == "password" and _OTHER.search(value) is not None
        return span if not is_other and _tells(kind, value, link="|", text=simple, end=found.end()) else None
    if not found["link"] and parts_words(low[start - 1]) and not low[found.start("value") - 1].isspace():
        return None
    link = (found["link"] or "").strip(" \t\"'`*")
    link = "quoted" if quoted and link != "|" else link
    is_attribute = link == "=" and low[word.start() - 1 : word.start()] == "." and _VARIABLE.fullmatch(low, *span)
    return span if not is_attribute and _tells(kind, value, link=link, text=simple, end=found.end()) else None


def _is_other(kind: str, low: str, *, at: int) -> bool:
    """Whether the word before a key shows that it is no secret: a primary key, a public key."""
    return kind == "key" and low[max(0, at - 20) : at].rstrip(" _-").endswith(listed("other keys"))


def _behind(simple: str, low: str) -> Iterator[tuple[str, int, str]]:
    """Yield passwords that are named afterwards: "use x as the password"."""
    for mark in listed("behind"):
        at = low.find(mark)
        while at >= 0:
            before = simple[max(0, at - 80) : at].rpartition("\n")[2].rstrip()
            value = before.rpartition(" ")[2].strip("\"'`“”")
            if len(value) > 4 and _has_both(value) and is_value(value, "", text=simple, end=at):
                yield "a password", at - len(value), value
            at = low.find(mark, at + 1)


# The words.


@cache
def _words() -> tuple[_Words, ...]:
    """Return the words of each kind, grouped by beginning; word endings (`CI_TOKEN`, `authToken`) separately."""
    data = table("secrets")
    found = []
    for kind, names in data["words"].items():
        words = sorted({low_form(word) for word in names})
        bare = {low_form(word) for word in data["bare"].get(kind, ())}
        groups: dict[tuple[str, bool], list[str]] = {}
        for word in words:
            mark = next((each for each, _ in groups if word.startswith(each)), word.partition(" ")[0])
            groups.setdefault((mark, word in bare), []).append(word)
        for (mark, is_bare), those in groups.items():
            found.append(_Words(kind, mark, lazy_pattern(_any(those)), is_bare, _first(those)))
    for kind, names in data["endings"].items():
        for ending in map(low_form, names):
            before = "[a-z0-9]" if ending.startswith("_") else "[a-z]"  # 1Password is none
            pattern = lazy_pattern(f"(?<={before}){re.escape(ending)}(?![a-z0-9])")
            found.append(_Words(kind, ending, pattern, False, None))
    return tuple(found)


@cache
def _starts() -> frozenset[str]:
    """Return all with which these words begin, as of `spoken_secrets`."""
    return frozenset(start for known in _words() for start in known.first or known.mark[0])


@lru_cache(_BEGINNINGS_KEPT)
def _beginning(starts: frozenset[str]) -> tuple[_Words, ...]:
    """Return the words that begin with one of these, or as no filter tells. Kept: most lines have none or few."""
    return tuple(
        known
        for known in _words()
        if ((known.mark[0].isascii() or known.mark[0] in starts) if known.first is None else known.first & starts)
    )


def _first(words: list[str]) -> frozenset[str] | None:
    """Return the possible first runs of letters; `api_key` may also be written as one run."""
    if any(not word[0].isascii() for word in words):
        return None
    return frozenset(
        run for word in words for run in (*_RUN.findall(word)[:1], *_RUN.findall(word.replace(" ", ""))[:1])
    )


def _any(words: list[str]) -> str:
    """Return a pattern of these words, whole if the script separates words; `api_key` matches `api key`."""
    longest = sorted(words, key=len, reverse=True)
    return "|".join(
        f"{_EDGE_BEFORE if parts_words(word[0]) else ''}{spaced}{_EDGE_BEHIND if parts_words(word[-1]) else ''}"
        for word, spaced in ((word, re.escape(word).replace(r"\ ", "[ _-]?")) for word in longest)
    )


# Whether the value is one.


def _tells(kind: str, value: str, *, link: str, text: str, end: int) -> bool:
    """Whether a value that ends at `end` in the text is a secret of that kind."""
    if kind == "PIN":
        return _PIN.fullmatch(value.strip("\"'`*_~()[]{}.:")) is not None and not _counts_something(
            text, end, linked=bool(link)
        )
    if kind == "password":
        return _is_password(value, link, text=text, end=end)
    if kind == "recovery code":
        value = value.strip(".,;:!?\"'`)]}*_~")
        return _CODE.fullmatch(value.lower()) is not None and any(map(str.isdigit, value))
    value = _uncut(value, text, end=end, whole=_WHOLE_TOKEN)
    if is_placeholder(value) or _expression().match(value) or _NAME.fullmatch(value.rstrip(".,;:")):
        return False
    value = _token(value)
    if kind in ("key", "key of an issuer"):
        return (
            len(value) >= (20 if link else 24)
            and _is_random(value)
            and not (len(value) > 32 and _HEX.issuperset(value))
        )
    return len(value) >= (20 if link in ("", "|") else 12) and _mixes(value) and not _is_wordy(value)


def _token(value: str) -> str:
    """Return the part of a value that can be a token: code and Markdown continue with other characters."""
    found = _TOKEN_LETTERS.match(value.lstrip("\"'`*"))
    token = found[0].rstrip(".!") if found else ""
    is_path = token.startswith(("./", "~/", "//")) or (token.startswith("/") and (token.count("/") > 2 or "." in token))
    return "" if is_path else token


def _is_wordy(value: str) -> bool:
    """Whether it consists of words and short numbers: `at-least-32-characters`."""
    parts = [part for part in re.split("[^0-9A-Za-z]+", value) if part]
    return len(parts) > 2 and all(part.isalpha() or (part.isdigit() and len(part) < 7) for part in parts)


def _is_password(value: str, link: str, *, text: str, end: int) -> bool:
    if link in ("", "|"):  # "the password policy2": a value without a link must look like one
        bare = value.strip(".,;:?\"'`)]}(!")
        return len(bare) > 5 and _has_both(bare) and is_value(value, link, text=text, end=end)
    number = value.rstrip(".,;!?")
    if number.isdecimal() and len(number) in (4, 5):
        return not number.startswith(("19", "20")) and not _next(text, end)
    return is_value(value, link, text=text, end=end)


def _counts_something(text: str, end: int, *, linked: bool) -> bool:
    """Whether a number is followed by its unit or noun: 2024年, 4821 people; hiragana are none: 4821です."""
    then = _next(text, end)
    if not then or not then.isascii():
        return then != "" and then in table("secrets")["counters"]
    word = text[end : end + 40].lstrip(" \"'`“”」』").partition(" ")[0]
    word = word.lower().rstrip(".,;:")
    if not linked and word in _goes_on():
        return False  # "PIN 4711 for the SIM card"
    return not linked or text[end : end + 1] not in {" ", '"', "`"} or word in listed("units")


@cache
def _goes_on() -> frozenset[str]:
    """Words after a number that does not count them: its purpose, or what is said of it."""
    data = table("secrets")
    return frozenset(map(low_form, (*data["about"], *data["links"]["spaced"], *data["states"])))


def _next(text: str, end: int) -> str:
    """Return the letter or digit after quotes and spaces; empty if another character or nothing follows."""
    space = _QUOTES.match(text, end)
    at = space.end() if space else end
    return text[at : at + 1] if text[at : at + 1].isalnum() else ""


def _has_both(value: str) -> bool:
    """Whether it has letters and digits."""
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def _mixes(value: str) -> bool:
    """Whether it has letters and digits, and is no path, address, number with its unit or date with words."""
    return _has_both(value) and re.match(r"[a-z]+://|[0-9]{4}-|[0-9.,]+[a-z]{0,3}$", value) is None


def _is_random(value: str) -> bool:
    """Whether it looks random: a long run in which letters and digits alternate."""
    if _UUID.fullmatch(value.lower()):
        return True
    run = max(re.split(r"[^0-9A-Za-z]+", value), key=len)
    turns = sum(one.isdigit() != two.isdigit() for one, two in pairwise(run))
    return len(run) >= 16 and len(value) >= 20 and _has_both(run) and turns >= 4 and re.match("[a-z]+:", value) is None


@cache
def _plain() -> frozenset[str]:
    return frozenset(listed("plain"))


@cache
def _placeholder() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, listed("placeholders"))))


def is_placeholder(value: str) -> bool:
    """Whether it is a placeholder for a value: `<token>`, `$PASSWORD`, `********`."""
    low = value.lower()
    named = value.startswith("$") and value[1:].replace("_", "").isalnum() and value.isupper()
    return named or _placeholder().search(low) is not None or len(set(low)) < 3


def _uncut(value: str, text: str, *, end: int, whole: int) -> str:
    """Return a value without the stars of bold type and trailing dots; unchanged if these replace the rest of it."""
    core = value.rstrip("*_~.…`\"')]},;:!?")
    marks = value[len(core) :]
    if not is_placeholder(value) or is_placeholder(core):
        return value
    if "***" in marks:
        start = max(end - len(value) - 80, 0)
        return core if "***" in text[start : end - len(marks)].rpartition("\n")[2] else value
    is_whole = len(core) >= whole or (len(core) > whole // 2 and _is_random(core))
    return core if is_whole and _has_both(core) and not core.startswith("eyJ") else value


def is_value(value: str, link: str, *, text: str, end: int) -> bool:  # noqa: PLR0911 — a list of cases, one return each
    """Whether a value that ends at `end` in the text reads like a password and not like a word about one."""
    value = _uncut(value, text, end=end, whole=_WHOLE_PASSWORD)
    bare = value.strip(".,;:?\"'`)]}(").rstrip("!") or value
    low = bare.lower().removesuffix("'s")
    if len(bare) < 4 or low in _plain() or is_placeholder(value) or low.startswith(listed("algorithms")):
        return False
    if _is_code(bare):
        return False
    if link == "quoted":
        return True
    if _COUNTS.fullmatch(low):
        return False  # "16-character", "2026-03-01"
    letters, digits = any(map(str.isalpha, bare)), any(map(str.isdigit, bare))
    special = not _SPECIAL.isdisjoint(bare)
    if digits:
        return letters or special or len(bare) >= 6
    if special:
        return letters
    if link == "command":
        return bare.isalpha() and len(bare) > 4 and (bare.islower() or bare.istitle())
    if link not in {":", "="}:
        return False
    return bare.count("-") > 1 or (letters and bare.isalpha() and len(bare) > 4 and not _next(text, end))


def has_mark(value: str) -> bool:
    """Whether it has a sign as passwords have, and names of things do not."""
    return not _MARKED.isdisjoint(value)


def is_strong(value: str, *, text: str, end: int) -> bool:
    """Whether a value that ends at `end` in the text looks like a password whatever is said before it."""
    bare = value.strip(".,;:?\"'`)]}(*")
    lower, upper, digit = (any(map(is_one, bare)) for is_one in (str.islower, str.isupper, str.isdigit))
    return (
        len(bare) >= 8
        and " " not in bare
        and lower
        and digit
        and (upper or has_mark(bare))
        and not bare.partition("=")[0].isalpha()  # an attribute: `type=password2`
        and _OTHER.search(bare) is None
        and is_value(value, "", text=text, end=end)
    )


def _is_code(value: str) -> bool:
    """Whether it is a link, a place in a file, a dotted name, the name of a variable or a call: no password."""
    if "](" in value or "://" in value or "()" in value or _NAME.fullmatch(value) is not None:
        return True
    return _expression().match(value) is not None


@cache
def _expression() -> re.Pattern[str]:
    """The beginning of a call, a type, an element, an attribute, a path of words, or other programs' encrypted text."""
    return re.compile("|".join(table("secrets")["expressions"]))
