"""Finds possible names that nobody tagged, and how each stands in its line.

In scripts with capitals a possible name is a run of capitalised words (`Ann Lee`, `Bank of Oslo`), an identifier
(`mem0`, `eu-feed-sync`) or a word with capitals inside (`GitHub`). In scripts without them: `unspaced_names`.
Ordinary words are left out (data/names.json).
What is a name among these is told by all its uses together: `known_names`.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.alias_phrases import is_given
from commonplace.core.entities.unspaced_names import names_alone, names_without_capitals
from commonplace.core.model import Role
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold
from commonplace.core.text.tokenizer import english, stemmer

if TYPE_CHECKING:
    from collections.abc import Iterator


class Place(IntEnum):
    """How a possible name stands in its line. The numbers are in the index."""

    INSIDE = 0
    """Within a sentence, where only names have capitals."""
    START = 1
    """At the start of a sentence, where every word has one."""
    LABEL = 2
    """Before a colon."""
    HEAD = 3
    """Alone in a line or a cell of a table, or in a line of which most words have a capital."""
    TITLE = 4
    """In a heading."""
    WHOLE = 5
    """With the ordinary words before it that begin a sentence, which may be part of it: `Mission Harbour`; or without
    the word behind it for what it is: `Tide Relay` app. That counts for nothing; where other uses show that it is a
    name, the line names it."""


class NameUse(NamedTuple):
    """A possible name in a line."""

    name: str
    place: Place


_LONGEST = 60
"""Characters of a name."""
_TITLE, _FEW = 0.65, 3
"""Share of a line's words with a capital above which it is a title, if it has more words than these."""
_UPPER = "A-Z" + "".join(
    chr(code)
    for first, last in ((0xC0, 0x250), (0x370, 0x400), (0x400, 0x530), (0x1E00, 0x1F00))
    for code in range(first, last)
    if chr(code).isupper()
)
_LETTER = "0-9A-Za-z_À-ÖØ-öø-ɏͰ-ϿЀ-ԯḀ-ỿ"
_CAPITALISED = rf"(?:[{_UPPER}][{_LETTER}]*|[a-z][A-Z][{_LETTER}]*|d['’][{_UPPER}][{_LETTER}]*)(?:[-.'’&][{_LETTER}]+)*"
_MORE = rf"(?:[-.'’&][{_LETTER}]+)*"
_NEXT = rf"(?: (?:of|v[oa]n|de[rnl]?|l?a|d[uai]|&))? (?:{_CAPITALISED}|[0-9][{_LETTER}.-]*)"
_INSIDE_OTHER = rf"[{_LETTER}@#/\\.:$%&=<>~+-]"
"""What no name follows directly: it would be a part of something longer."""
_RUN = lazy_pattern(
    # the first letter first: so `re` skips to it, which is four times faster
    rf"[{_UPPER}](?<!{_INSIDE_OTHER}[{_UPPER}])[{_LETTER}]*{_MORE}(?:{_NEXT})*(?![{_LETTER}/\\(=@])"
)
_LOWER_RUN = lazy_pattern(
    rf"(?<!{_INSIDE_OTHER})(?:[a-z][A-Z][{_LETTER}]*{_MORE}(?:{_NEXT})*|d['’][{_UPPER}][{_LETTER}]*{_MORE}"
    rf"|[a-z]++(?:[0-9][a-z0-9]*(?:[-.][a-z0-9]+)*|(?:-[a-z0-9.]+)+))(?![{_LETTER}/\\(=@])"
)
"""Identifiers and names such as iPhone; looked for where `_MIXED` is found. `fooBar` and `foo_bar` are code."""
_MIXED = lazy_pattern(r"[A-Z0-9-](?<=[a-z][A-Z0-9-])(?:(?<!-)|[a-z0-9])")
_CODE = lazy_pattern(
    r"`[^`]*`|https?://\S+|(?<!\w)[~./\\][\w./\\-]+|(?<!\S)\S+/\S+/\S*|\[\[[^\[\]]*\]\]|(?<!\w)@\S+|<[^<>]{1,80}>"
    # before a message, by OpenClaw: channel, sender and hour
    r"|\[[A-Z][a-z]+ [^\[\]]{1,100} id:-?\d[^\[\]]* \d{4}-\d\d-\d\d \d\d:\d\d[^\[\]]*\]"
)
_QUOTED = lazy_pattern(r"`([A-Za-z][\w-]*)`")
_IDENTIFIER = lazy_pattern(r"\d|^[a-z]?[A-Z]+[a-z]+[A-Z]|-")
_NOT_A_NAME = lazy_pattern(r"[vV]\d[\w.]*|h[1-6]|[0-9a-f]{7,40}|[A-Z]\d*|[^\W\d_]|\w+['’](?:m|ve|ll|d|re|t)|[a-z]+")
_SEVERAL = lazy_pattern(r"(?<![^\W_])[A-Z]{2,}s$")
"""An acronym in the plural: `two KVGs`."""
_CHANNEL = lazy_pattern(r"(?<!\S)[(\[*`]*#([a-z][a-z0-9]*(?:-[a-z0-9]+)+)\b")
"""A channel of a chat: `#harbour-watch`."""
_NOUN = lazy_pattern("^(?=.{9})[^ ]*(?:[bdfghklmnprstzß]ung(?:en)?|[hk]eit(?:en)?|schaft(?:en)?|ität(?:en)?)$")
"""A German noun by its ending."""
_COMPOUND = lazy_pattern("[a-z]+-[a-z]+")
"""A word such as `cross-check`; only in backticks it is a name."""
SMALL = frozenset(["of", "de", "la", "a", "&", "van", "von", "der", "den", "del", "du", "da", "di"])
"""Words without a capital within names."""
_ENDS = frozenset('.!?¿¡:;—–|•([{"“«>=-]#')
_SIGNS = "\u2190"
"""What the first word of a sentence may follow; and the first of the arrows, signs and emoji: each is a stop."""
_NO_CAPITALS = lazy_pattern("[\u0900-\u097f\u3040-\u9fff]")
_FORM_OF_ADDRESS = lazy_pattern(r"(?:^|[^\w])(?:Dr|Mr|Mrs|Ms|Mx|Prof|St|Sr|Sra|Hr|Fr|Mme|[^\W\d_])\.$")
"""What ends in a point before a name, and ends no sentence."""
_DIGIT_INSIDE = lazy_pattern(r"[0-9][A-Za-z]")
_TWO_SCRIPTS = lazy_pattern("[A-Za-z0-9]-[а-яё]")
"""A Russian compound that names nothing, such as `SSH-ключ`."""
_SHORT = 4
_LEAST_OF_A_COMPOUND = 3
"""Letters of the last part of a compound that names nothing: `Co-op` is a shop."""
_DOING = ("ed", "ing")
"""Endings of a verb at the start of a sentence: what follows `Deployed` is a name, after `Mission` it may not be."""
_LIKE_A_KEY = 10
"""Characters from which a word of letters and digits in any order is taken for a generated value."""
_COUNT = lazy_pattern(r" [0-9]+$")
_COLONS = (":", "：")
_MARKS = frozenset((*_COLONS, *"*_`)|"))
"""What may stand between a name and a colon or the end of a cell."""


def name_uses(text: str, role: Role) -> list[NameUse]:
    """Return the possible names of a line in order; none of code and front matter."""
    if role is Role.CODE or role is Role.META:
        return []
    found: list[NameUse] = []
    if "`" in text or "/" in text or "[[" in text or "@" in text or "<" in text or " id:" in text:
        found += [NameUse(name, Place.INSIDE) for name in _QUOTED.findall(text) if _is_identifier(name)]
        text = _CODE.sub(_blank, text)
    if "#" in text:
        found += [NameUse(name, Place.INSIDE) for name in _CHANNEL.findall(text)]
    east = not text.isascii() and _NO_CAPITALS.search(text) is not None
    named, wholes, capitals = _in_runs(text, role=role, east=east)
    found += named
    words = text.count(" ") + 1
    is_title = role is not Role.HEADING and words > _FEW and capitals > _TITLE * words and text[0].isupper()
    if is_title:  # a capital says nothing
        found = [NameUse(name, place if place is Place.LABEL else Place.HEAD) for name, place in found]
    if east:
        found += _without_capitals(text, role)
    elif found:
        found = _nouns_apart(found, text)
    return found + wholes


def _in_runs(text: str, *, role: Role, east: bool) -> tuple[list[NameUse], list[NameUse], int]:
    """Return the possible names in runs of words with capitals, those with the words before them, and the number of
    words in all runs."""
    found: list[NameUse] = []
    wholes: list[NameUse] = []
    words = 0
    for pattern in (_RUN, _LOWER_RUN) if _MIXED.search(text) else (_RUN,):
        for match in pattern.finditer(text):
            run, (start, end) = match[0], match.span()
            if east and text[end : end + 2].lstrip(" ")[:1] in _counters() and (count := _COUNT.search(run)):
                run, end = run[: count.start()], start + count.start()
                words += 1
            flows = start > 1 and text[start - 1] == " " and (text[start - 2].isalpha() or text[start - 2] == ",")
            use, whole, is_cut, size = _uses_in(run, flows, east)
            words += size
            if use is None:
                continue
            if not flows or text[end : end + 1] in _MARKS or role is Role.HEADING:  # few
                use = NameUse(use.name, _place(text, start, end, role=role, begins=not (is_cut or east)))
            found.append(use)
            if whole is not None:
                wholes.append(whole)
    return found, wholes, words


@lru_cache(maxsize=20_000)
def _uses_in(run: str, flows: bool, east: bool) -> tuple[NameUse | None, NameUse | None, bool, int]:
    """Return the name in a run, as it would stand within a sentence, that with the words before it, whether these were
    cut off, and the number of words in the run; arguments as for `_name_in`."""
    name, is_cut = _name_in(run, flows, east)
    size = run.count(" ") + 1
    if not name:
        return None, None, False, size
    whole = ""
    if not flows and " " in run:
        first, _, rest = run.partition(" ")
        whole, _ = _name_in(rest if first.endswith(_DOING) else run, True, east)
    if not whole.endswith(f" {name}"):
        whole = _without_its_kind(name)
    return NameUse(name, Place.INSIDE), NameUse(whole, Place.WHOLE) if whole else None, is_cut, size


def _without_its_kind(name: str) -> str:
    """Return the name in one of at least three words that ends in a word for a project: `Tide Relay App`; empty of any
    other."""
    rest, _, last = name.rpartition(" ")
    of_a_project = " " in rest and last.casefold() in _projects()
    return rest if of_a_project and not all(map(is_ordinary, rest.split(" "))) else ""


@cache
def _counters() -> frozenset[str]:
    """Return what counts things behind a number: the 3 of `Heron 3 篇` is no part of a name."""
    return frozenset(table("names")["counters"])


def _capitalises_nouns(text: str) -> bool:
    """Whether a text has a word of a language that writes all nouns with a capital."""
    words, pattern, blanks = _noun_capitals()
    if words.isdisjoint(text.encode("latin-1", "replace").translate(blanks).split()):
        return False  # most texts, in half the time of the pattern
    return pattern.search(text) is not None


@cache
def _noun_capitals() -> tuple[frozenset[bytes], re.Pattern[str], bytes]:
    """Return such words, what matches them in a text, and what blanks all that is not part of a word."""
    words = table("names")["noun capitals"]
    blanks = bytes(code if chr(code).isalnum() or code == ord("_") else ord(" ") for code in range(256))
    pattern = re.compile(rf"(?<![\w./-])(?:{words.replace(' ', '|')})(?![\w/-]|\.\w)")
    return frozenset(words.encode("latin-1").split()), pattern, blanks


def _nouns_apart(found: list[NameUse], text: str) -> list[NameUse]:
    """Return the uses in a text, as uses at the start of a sentence what may be any noun: in German what looks like
    one, elsewhere only what is a German noun by its ending."""
    nouns = {use for use in found if use.place is Place.INSIDE and _may_be_a_noun(use.name)}
    if nouns and not _capitalises_nouns(text):
        nouns = {use for use in nouns if _NOUN.search(use.name)}
    return [use._replace(place=Place.START) if use in nouns else use for use in found] if nouns else found


@lru_cache(maxsize=20_000)
def _may_be_a_noun(name: str) -> bool:
    """Return whether a name is one word, and nobody's first name."""
    return name.isalpha() and name[1:].islower() and not is_given(fold(name))


def _without_capitals(text: str, role: Role) -> Iterator[NameUse]:
    """Yield the possible names in scripts without capitals."""
    for name, start, end in names_without_capitals(text):
        place = _place(text, start, end, role=role, begins=False) if start >= 0 else Place.INSIDE
        yield NameUse(name, place)
    for name, labels in names_alone(text):
        yield NameUse(name, Place.LABEL if labels else Place.TITLE if role is Role.HEADING else Place.HEAD)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _place(text: str, start: int, end: int, *, role: Role, begins: bool) -> Place:
    """How the words at these offsets stand.

    Args:
        begins: whether a capital may be theirs because they begin a sentence.
    """
    if role is Role.HEADING:
        return Place.TITLE
    before, behind = text[:start].rstrip(" *_"), text[end:].lstrip("*_`) ")
    if behind[:1] in _COLONS:
        return Place.LABEL
    if (not before or before[-1] == "|") and (not behind or behind[0] == "|"):
        return Place.HEAD
    ends = before[-1:] in _ENDS or before[-1:].isdecimal() or (before[-1:] >= _SIGNS and not before[-1].isalpha())
    if not begins or (before and not ends and any(map(str.isalpha, before))):
        return Place.INSIDE
    return Place.INSIDE if before[-1:] == "." and _FORM_OF_ADDRESS.search(before) else Place.START


def _name_in(run: str, flows: bool, east: bool) -> tuple[str, bool]:
    """Return the name in a run of words, or empty; and whether ordinary words were cut off before it.

    Args:
        flows: whether the run is within a sentence; there ordinary words may be part of a name (New York), but days
            and months are not.
        east: whether it is in a text in Han or kana, where a compound in Latin letters is no ordinary word.
    """
    words = run.rstrip(".'’-&").split(" ")
    first, last = 0, len(words)
    ordinary = _is_day if flows else is_ordinary
    while first < last and (_names_nothing(words[first]) or ordinary(words[first])):
        first += 1
    while first < last and _names_nothing(words[last - 1]):
        last -= 1
    while first < last - 1 and _is_measure(words[last - 1]):
        last -= 1
    words = words[first:last]
    if len(words) == 2 and words[1].isdigit() and _is_counted(words[0]):
        return "", False
    plain = all(is_ordinary(word) or _is_abbreviation(word) or word[0].isdigit() for word in words)
    ends = 0 if flows else next((at for at, word in enumerate(words) if at > 1 and word.casefold() in _projects()), 0)
    if ends and all(map(is_ordinary, words[ends + 1 :])):
        words = words[: ends + 1]
    elif plain and not (flows and _is_titled(words)):
        return "", False
    if len(words) == 1 and (_says_how(words[0]) or (not east and _COMPOUND.fullmatch(words[0]))):
        return "", False
    name = " ".join(words).removesuffix("'s").removesuffix("’s")
    if _SEVERAL.search(name):
        name = name[:-1]
    if len(name) > _LONGEST or (name.isupper() and "_" in name) or _is_file(name) or any(map(_is_code, words)):
        return "", False
    return name, first > 0 and (len(words) > 1 or run.split(" ", 1)[0].endswith(_DOING))


def _names_nothing(word: str) -> bool:
    return word in SMALL or _TWO_SCRIPTS.search(word) is not None


def _says_how(word: str) -> bool:
    """Whether a word names nothing: a number, a contraction, a compound such as `Cross-modal` or `Tern-based`."""
    if _NOT_A_NAME.fullmatch(word):
        return True
    first, _, last = word.rpartition("-")
    firsts, lasts = _compounds()
    if not (first and word[0].isupper()):
        return False
    return last in lasts or (first.casefold() in firsts and last.islower() and len(last) >= _LEAST_OF_A_COMPOUND)


@cache
def _compounds() -> tuple[frozenset[str], ...]:
    """Return the first and the last parts of compounds that name nothing."""
    return tuple(frozenset(words.split()) for words in table("names")["compounds"].values())


def _is_measure(word: str) -> bool:
    """Whether a word is a number with its unit, such as 9km: no part of a name."""
    return word[0].isdigit() and word.casefold().lstrip("0123456789.") in _units()


@cache
def _units() -> frozenset[str]:
    return frozenset(table("names")["units"].split())


@cache
def _projects() -> frozenset[str]:
    """Return the words with which the names of projects end."""
    return frozenset(table("names")["projects"]["after a name"].split())


def _is_titled(words: list[str]) -> bool:
    """Whether ordinary words with capitals within a sentence are the name of something: `the Action Register`."""
    return len(words) > 1 and sum(is_ordinary(word) and not _is_abbreviation(word) for word in words) > 1


def _is_code(word: str) -> bool:
    """Whether a word is a number, an id or a generated value (which may be a password) rather than a name."""
    digits = sum(map(str.isdigit, word))
    if 2 * digits >= len(word) - word.count("-") and len(word) > _SHORT:
        return True
    mixed = not (word.islower() or word.isupper()) and _DIGIT_INSIDE.search(word) is not None
    return mixed and len(word) >= _LIKE_A_KEY


def _is_identifier(name: str) -> bool:
    """Whether what stands in backticks is the name of a thing rather than a word, a number or a file."""
    if len(name) < 3 or "_" in name or not _IDENTIFIER.search(name) or _NOT_A_NAME.fullmatch(name) or _is_code(name):
        return False
    return not (is_ordinary(name) or _is_file(name) or name.isupper())


def _is_file(name: str) -> bool:
    _, dot, ending = name.rpartition(".")
    return bool(dot) and ending.casefold() in _file_endings()


@lru_cache(maxsize=20_000)
def is_ordinary(word: str) -> bool:
    """Return whether a word, or each part of a compound, is an ordinary English one, a German noun, or a Danish or
    Russian word that names nothing."""
    low = word.casefold().removesuffix("'s").removesuffix("’s").strip("'’.-")
    known = _ordinary()
    if low in known or english(low) in known:
        return True
    parts = [part for part in re.split(r"[-/_.]", low) if part] if not low.isalnum() else []
    if len(parts) > 1 and word[:2].isupper() and parts[0] in _abbreviations():  # CPU-only
        parts = parts[1:]
    return bool(parts) and all(part in known or english(part) in known or part.isdigit() for part in parts)


def begins_a_name(word: str, language: str) -> bool:
    """Return whether the first word of a sentence, where each has a capital, is a name: a given one, or no ordinary
    word of a language whose ordinary words are listed."""
    return is_given(fold(word)) or (language in table("names")["ordinary"] and not is_ordinary(word))


def _is_abbreviation(word: str) -> bool:
    if word.casefold() in _abbreviations() or word.removesuffix("s").casefold() in _abbreviations():
        return True
    return word.isupper() and word.casefold() in _in_capitals()


@cache
def _ordinary() -> frozenset[str]:
    names = table("names")
    known, words = names["ordinary"], names["ordinary"]["en"].split()
    others = (known["de"], names["function"]["da"], table("language", "ru")["function"])
    return frozenset(words).union(map(english, words), " ".join(others).split())


@lru_cache(2_000)
def _is_counted(word: str) -> bool:
    """Whether a word with a number is a part of something, in a language other than English: Fase 2, в Фазе 2."""
    low = word.casefold()
    return low in _counted() or stemmer("russian")(low) in _counted()


@cache
def _counted() -> frozenset[str]:
    words = table("names")["counted"]
    return frozenset(words["da"].split()).union(map(stemmer("russian"), words["ru"].split()))


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(table("names")["abbreviations"].split())


@cache
def _in_capitals() -> frozenset[str]:
    """Return the words that name nothing in capitals alone: `GREEN` is a state, June Green is somebody."""
    return frozenset(table("names")["in capitals"].split())


def _is_day(word: str) -> bool:
    """Whether a word is no part of a name within a sentence: a day or the like, or one that is shouted (НЕ)."""
    return word.casefold() in _days() or (word.isupper() and not word.isascii() and is_ordinary(word))


@cache
def _days() -> frozenset[str]:
    """Return names of days and months, and what stands beside a time of day."""
    return frozenset(table("names")["days"].split())


@cache
def _file_endings() -> frozenset[str]:
    return frozenset(table("names")["files"].split())
