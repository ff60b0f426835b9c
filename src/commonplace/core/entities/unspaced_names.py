"""Finds possible names in scripts without capitals.

They are a run of katakana, a name before its title (加藤さん, 王老师, सीमा जी), a name with the word of an
organisation (フジノ製薬) or a code, or what is written by itself (in a cell, a heading, brackets, bold, a list with 、,
before a colon). Han and katakana count only if they cannot be cut into ordinary words (data/ordinary.json).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

_KATAKANA = lazy_pattern("[ァ-ヺー]{3,}(?:・[ァ-ヺー]+)*")
_HAN_OR_KANA = "\u3005\u3041-\u30ff\u4e00-\u9fff"
_CODED = lazy_pattern(rf"(?<![{_HAN_OR_KANA}])([{_HAN_OR_KANA}]{{2,8}})[(（](?:[a-zA-Z]{{2}})?[0-9]{{4,6}}[)）]")
"""A name before its code: 同花顺(300033)."""
_EDGES = lazy_pattern(
    r"[*_`|「」『』【】《》〈〉“”\"()（）\[\]、;；→←↔]+|(?<=[:：])|\s+[-–—]\s+|^[-*+•]\s+|^\d+[.)、]\s*|\s{2,}"
)
"""What surrounds a name that is written by itself."""
_ALONE = lazy_pattern("[\u3005\u3041-\u30ff\u4e00-\u9fff]{2,10}")
_MIXED = lazy_pattern("([\u4e00-\u9fff\u30a1-\u30fa\u30fc]{2,6})[A-Z][a-z][A-Za-z]+")
"""A name in two scripts: 青山Sails."""
_HIRAGANA = lazy_pattern("[\u3041-\u309f]")
_HAN = lazy_pattern("[\u4e00-\u9fff]")
_HAN_AND_KANA = lazy_pattern("[\u4e00-\u9fff\u30a1-\u30ff]")
_KANA = lazy_pattern("[\u3041-\u30ff]")
_PARTICLE = lazy_pattern(
    "(?<=[\u4e00-\u9fff\u30a1-\u30fc])[はがをのにもとへで]$|^(?:という|[はがをのにもとへで])(?=[\u4e00-\u9fff\u30a1-\u30fa]).*"
)
"""A Japanese particle behind a name, which is no part of it; or one before words, which make no name then."""
_OKURIGANA = lazy_pattern("[\u4e00-\u9fff]+[\u3041-\u309f]+")
_SHORTEST, _LONGEST = 3, 10
"""Characters of a name that is written by itself; two are as often a verb with its object."""
_LEAST_OVER = 2
"""Characters that ordinary words leave over, from which something may be a name."""
_LONG = 5
"""Characters of a name in quotation marks, from which one of them need be no part of ordinary words."""
_LONGEST_WORD = 7
_FAMILIAR = "老小"
"""Signs before a surname, among acquaintances."""


def names_without_capitals(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the possible names in running text, each with its start and end; -1 if it is within a sentence surely."""
    for match in _KATAKANA.finditer(text):
        if left_over(match[0]) >= _LEAST_OVER:
            yield match[0], match.start(), match.end()
    for match in _platform().finditer(text) if "platforms" in _may_have(text) else ():
        yield match[0], match.start(), match.end()
    for name, _ in titled_names(text):
        yield name, -1, -1
    for match in _CODED.finditer(text) if "(" in text or "（" in text else ():
        if not _is_phrase(match[1], coded=True):
            yield match[1], -1, -1
    for match in _project().finditer(text) if "projects" in _may_have(text) else ():
        if not _is_phrase(match[1]):
            yield match[0], match.start(), match.end()
    for match in _organisation().finditer(text) if "organisations" in _may_have(text) else ():
        labels = text[match.end() :].lstrip("*_` ")[:1] in (":", "：")
        yield match[0], *(match.span() if labels else (-1, -1))


def titled_names(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names before a title with that, and without it; in Chinese, where a title is part of it, twice with."""
    if "titles" not in _may_have(text):
        return
    for match in _titled(_HIRAGANA.search(text) is not None).finditer(text):
        bare = match[match.lastindex or 0]
        ordinary = bare in _untitled() or bare.endswith(_roles()) or not (match.lastindex or left_over(bare))
        if not ordinary and not _goes_on(text, match.end()):
            yield match[0], bare


def quoted_works(text: str) -> Iterator[str]:
    """Yield the names in quotation marks just behind the word for what they name: ゲーム「岬の灯り号」."""
    if not text.isascii() and "works" in _may_have(text):
        for match in _work().finditer(text):
            name = match[1]
            if not name.isascii() and left_over(name) >= (1 if len(name) >= _LONG else _LEAST_OVER):
                yield name


@lru_cache(8)
def _may_have(text: str) -> frozenset[str]:
    """Return of which patterns a text has one of the words that every match has: a tenth of their time. Kept: each
    pattern asks."""
    needed = _needed()
    return frozenset(what for sign in needed.keys() & {*text} for word, what in needed[sign] if word in text)


@cache
def _needed() -> dict[str, list[tuple[str, str]]]:
    """Return these words by their first sign, each with its pattern."""
    names = table("names")
    titles, kinds = names["titles"], names["organisations"]
    every = {
        "titles": [*_FAMILIAR, *(word for code in ("ja", "zh", "hi") for word in titles[code].split())],
        "organisations": f"{kinds['behind']} {kinds['before']}".split(),
        "projects": names["projects"]["unspaced"].split(),
        "platforms": _platforms(),
        "works": names["projects"]["before a quotation"].split(),
    }
    found: dict[str, list[tuple[str, str]]] = {}
    for what, words in every.items():
        for word in words:
            found.setdefault(word[0], []).append((word, what))
    return found


def _goes_on(text: str, end: int) -> bool:
    """Whether the last signs before an offset make an ordinary word with those behind it: 周总结 ends in 总结."""
    behind = [text[end : end + more] for more in range(1, min(2, len(text) - end) + 1)]
    return any(text[end - before : end] + more in _words() for before in (1, 2) for more in behind)


def names_alone(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the possible names that are written by themselves, and whether each stands before a colon."""
    if not _HAN.search(text):
        return
    parts = [part.strip() for part in _EDGES.split(text)]
    for said, after in zip(parts, [*parts[1:], ""], strict=True):
        label = said.endswith((":", "：")) or after.startswith((":", "："))
        name = _PARTICLE.sub("", said.rstrip(":： "))
        alone = _SHORTEST <= len(name) <= _LONGEST and _ALONE.fullmatch(name) and _HAN.search(name)
        if _is_name(name) if alone else _is_mixed(name):
            yield name, label


def says_ordinary_words(text: str) -> bool:
    """Return whether a text in Han or kana can be cut into ordinary words; those of Chinese are listed in simplified
    signs."""
    if not _HAN_AND_KANA.search(text):
        return False
    return left_over(text) < _LEAST_OVER or (not _KANA.search(text) and left_over(fold(text)) < _LEAST_OVER)


def _is_mixed(name: str) -> bool:
    found = _MIXED.fullmatch(name)
    return found is not None and left_over(found[1]) >= _LEAST_OVER


@lru_cache(maxsize=20_000)
def _is_name(name: str) -> bool:
    plain = fold(name)
    return not (_is_phrase(name) or _is_phrase(plain) or plain.endswith(_endings()) or says_ordinary_words(name))


def _is_phrase(text: str, *, coded: bool = False) -> bool:
    """Whether a text connects words, or begins or ends with a verb.

    Args:
        coded: whether its code stands behind it: then a verb may end its name, if that is not all ordinary words.
    """
    if any(letter in _connecting() for letter in text) or text[:2] in _verbs():
        return True
    return text[-2:] in _verbs() and not (coded and left_over(text) >= _LEAST_OVER)


@lru_cache(maxsize=20_000)
def left_over(text: str) -> int:
    """Return the fewest Han and katakana characters that remain if ordinary words are cut out of a text.

    A Han character before hiragana is the stem of a verb or adjective and does not remain.
    """
    words = _words()
    plain = _OKURIGANA.sub(lambda match: "ぁ" * len(match[0]) if len(match[0]) <= 4 else match[0], text)
    least = [0]
    for end in range(1, len(text) + 1):
        letter = plain[end - 1]
        over = least[end - 1] + (letter >= "\u30a1" and letter not in "・ー")
        for start in range(max(0, end - _LONGEST_WORD), end - 1):
            if least[start] < over and text[start:end] in words:
                over = least[start]
        least.append(over)
    return least[-1]


@cache
def _words() -> frozenset[str]:
    ordinary = table("ordinary")
    return frozenset(f"{ordinary['han']} {ordinary['katakana']} {table('names')['ordinary']['ja']}".split())


@cache
def _verbs() -> frozenset[str]:
    return frozenset(table("ordinary")["verbs"].split())


@cache
def _connecting() -> frozenset[str]:
    """Return characters that connect words: what has one is a phrase."""
    return frozenset(table("names")["connecting"])


@cache
def _endings() -> tuple[str, ...]:
    """Return characters that end words for things, steps and measures."""
    return tuple(table("names")["endings"])


@cache
def _untitled() -> frozenset[str]:
    return frozenset(table("names")["untitled"].split())


@cache
def _roles() -> tuple[str, ...]:
    """Return those of them that may stand behind another word: 担当看護師さん."""
    return tuple(word for word in _untitled() if len(word) > 1)


@cache
def _organisation() -> re.Pattern[str]:
    """Match a name in katakana or Latin letters with the word of an organisation after or before it."""
    words = table("names")["organisations"]
    behind, before = (words[where].replace(" ", "|") for where in ("behind", "before"))
    name = r"(?:[ァ-ヺー]{2,}(?:・[ァ-ヺー]+)*|(?<![A-Za-z])[A-Z][A-Za-z]+)"
    return re.compile(rf"{name} ?(?:{behind})|(?:{before}) ?(?:{name}|[\u4e00-\u9fff]{{2,4}}(?![\u4e00-\u9fff]))")


@cache
def _project() -> re.Pattern[str]:
    """Match the name of a project in Han or katakana, before the word for one."""
    words = table("names")["projects"]["unspaced"].replace(" ", "|")
    return re.compile(
        rf"(?<![{_HAN_OR_KANA}])([\u4e00-\u9fff\u30a1-\u30fa\u30fc]{{3,8}})(?:{words})(?![\u30a1-\u30fa\u30fc])"
    )


@cache
def _platforms() -> list[str]:
    """Return the platforms that everybody knows by a name in Han, the longest first."""
    known = table("household")["platforms"].split(", ")
    return sorted((name for name in known if _HAN.match(name)), key=len, reverse=True)


@cache
def _platform() -> re.Pattern[str]:
    return re.compile("|".join(_platforms()))


@cache
def ends_a_project() -> tuple[str, ...]:
    """Return the words with which the names of projects end."""
    return tuple(table("names")["projects"]["unspaced"].split())


@cache
def _work() -> re.Pattern[str]:
    """Match what stands in quotation marks just behind the word for a work, an app, a channel."""
    words = table("names")["projects"]["before a quotation"].replace(" ", "|")
    return re.compile(rf"(?:{words})(?:号|號)?[「『“\"]([{_HAN_OR_KANA}・A-Za-z0-9]{{3,20}})[」』”\"]")


@lru_cache(2)
def _titled(japanese: bool) -> re.Pattern[str]:
    """Match a name before its title; the first group is a name that may be an ordinary word.

    Args:
        japanese: whether what precedes a title of both languages, such as 先生, is surely no sentence in Chinese.
    """
    names = table("names")
    ja, zh, hi = (names["titles"][code].replace(" ", "|") for code in ("ja", "zh", "hi"))
    of_ja = ja if japanese else "|".join(title for title in ja.split("|") if title not in zh.split("|"))
    kana, surnames = "[\u3041-\u309f]", names["surnames"]
    return re.compile(
        rf"([\u3005\u4e00-\u9fff]{{1,4}})(?:{of_ja})"
        rf"|((?<![ァ-ヺー])[ァ-ヺー]{{2,}}|(?<![A-Za-z])[A-Za-z]{{2,}}(?: [A-Z][A-Za-z]+){{0,2}})(?:{ja})"
        rf"|[{surnames}][\u4e00-\u9fff]{{0,2}}(?:{zh})"
        rf"|(?<![\u4e00-\u9fff])[{_FAMILIAR}][{surnames}](?![\u4e00-\u9fff])"
        rf"|(?<!{kana})({kana}{{2,4}})(?:ちゃん|くん)"
        rf"|(?<![\u0900-\u0963])([\u0900-\u0963]+) (?:{hi})(?![\u0900-\u0963])"
    )
