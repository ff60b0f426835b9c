"""Names of entities: keys to compare them by, and which of them a text mentions.

Law: only whole names are found: not inside an e-mail address or a longer word; the longest name wins.
"""

from collections.abc import Collection, Container, Iterable, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold

_MOST_WORDS = 5
_LONGEST_CJK = 10
_MOST_CANDIDATES = 600
"""Candidates that are looked up, at most: a text with more is no question."""
_TOKEN = lazy_pattern(r"[^\s!\"#$%&()*+,/:;<=>?\[\\\]^`{|}~、。，；：？！「」『』（）【】《》…·“”„।]+")
_UNSPACED = lazy_pattern("[\u3005-\u3007\u3041-\u309f\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\u0e01-\u0e4e]+")
_CYRILLIC = frozenset(map(chr, range(0x430, 0x450)))


class NameMatch(NamedTuple):
    """A span of a text that may be an entity's name."""

    start: int
    """In tokens or characters of the folded text; used only for order and overlap."""
    end: int
    name: str
    """Folded: compare it with `entity_key`."""


@lru_cache(maxsize=20_000)
def entity_key(name: str) -> str:
    """Return the form in which names are compared, the same for `The-Castle`, `the castle` and `THE CASTLE`."""
    return " ".join(fold(name).replace("-", " ").replace("_", " ").split())


def title(name: str) -> str:
    """Return a name as a heading: `The Castle` for `The-Castle`; `bge-m3` keeps its hyphen."""
    parts = name.split("-")
    return " ".join(parts) if all(part[:1].isupper() for part in parts) else name


def beginnings(names: Iterable[str]) -> frozenset[str]:
    """Return the words with which names of several words begin: of `the old castle` `the` and `the old`."""
    return frozenset(name[:at] for name in names for at, sign in enumerate(name) if sign == " ")


def candidates(
    text: str, known: Container[str] | None = None, begun: Container[str] | None = None
) -> tuple[NameMatch, ...]:
    """Return the spans of a text that could be names, or are known (folded) names, longest first.

    Args:
        begun: the beginnings of the known names, which makes it faster where many texts are read.
    """
    folded = fold(text[:4000])
    words: list[tuple[int, int, str]] = []
    for found in _TOKEN.finditer(folded):
        token = found[0].lstrip("@.'-").rstrip(".'-")
        if token and "@" not in token:
            words.append((found.start(), found.end(), token.replace("-", " ").replace("_", " ")))
    names: list[NameMatch] = []
    for at, (start, _, _) in enumerate(words):
        joined = ""
        for _, end, word in words[at : at + _MOST_WORDS]:
            joined = f"{joined} {word}" if joined else word
            if known is None or joined in known:
                names.append(NameMatch(start, end, joined))
            if word[-1] == "s" or (joined is word and word[0] in _CYRILLIC):
                bares = _without_possessive(joined) if word[-1] == "s" else without_case(word)
                names += [NameMatch(start, end, bare) for bare in bares if known is None or bare in known]
            if begun is not None and joined not in begun:
                break
    if not folded.isascii():
        for run in _UNSPACED.finditer(folded):
            for size in range(min(_LONGEST_CJK, run.end() - run.start()), 1, -1):
                for start in range(run.start(), run.end() - size + 1):
                    if known is None or folded[start : start + size] in known:
                        names.append(NameMatch(start, start + size, folded[start : start + size]))
    names.sort(key=lambda named: (named.start - named.end, named.start))
    return tuple(names[:_MOST_CANDIDATES])


def _without_possessive(name: str) -> list[str]:
    """Return `peter's` and the Danish `peters` without their ending."""
    if name.endswith("'s"):
        return [name[:-2]]
    if name.endswith("s") and len(name) > 3:
        return [name[:-1].rstrip("'")]
    return []


def without_case(name: str) -> list[str]:
    """Return possible nominatives of a folded Russian name: Глеб, Вера and Аркадий for глебу, вере and аркадия; none of
    a name in other letters."""
    if name[0] not in _CYRILLIC:
        return []
    known = table("language", "ru")
    stems = [name[: -len(ending)] for ending in known["cases"] if name.endswith(ending) and len(name) > len(ending) + 2]
    return [stem + ending for stem in stems for ending in known["nominatives"]]


def choose(names: tuple[NameMatch, ...], known: dict[str, tuple[str, ...]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the candidates that are known, longest first and not overlapping: (name, keys), in text order."""
    taken: list[tuple[NameMatch, tuple[str, ...]]] = []
    for named in names:
        keys = known.get(named.name)
        if keys and all(named.end <= other.start or named.start >= other.end for other, _ in taken):
            taken.append((named, keys))
    taken.sort(key=lambda item: item[0].start)
    return tuple((named.name, keys) for named, keys in taken)


def within(names: Collection[str], known: Mapping[str, tuple[str, ...]], *, keys: Container[str]) -> tuple[str, ...]:
    """Return the known names that are part of one of these names and belong to other entities: Ann in Ann Lee."""
    return tuple(
        name
        for name, own in known.items()
        if name not in names
        and not any(key in keys for key in own)
        and any(f" {name} " in f" {whole} " or (name[0] >= FAR_EAST and name in whole) for whole in names)
    )


def stands(name: str, text: str) -> bool | None:
    """Whether a folded name occurs in a text by itself; None if it does not occur at all.

    Not in an address (`ann@shop.example`), a double name (Ann-Britt), or a longer word: アンケート, 小王子.
    """
    folded = fold(text)
    if " " in name:
        folded = folded.replace("-", " ").replace("_", " ")
    raw = text if len(text) == len(folded) else folded
    found, at = None, folded.find(name)
    while at >= 0:
        end = at + len(name)
        if name[0] >= FAR_EAST:
            inside = _goes_on(raw[at - 1 : at], raw[at]) or _goes_on(raw[end - 1], raw[end : end + 1])
            inside = inside or folded.startswith(_longer(name), at)
        elif raw[at - 1 : at].isalnum() or raw[end : end + 1].isalnum():
            at = folded.find(name, end)  # another word, which the index does not take for the name, or a form of it
            continue
        else:
            inside = _bound(raw[max(0, at - 2) : at][::-1]) or _bound(raw[end : end + 2])
        if not inside:
            return True
        found, at = False, folded.find(name, end)
    return found


def _bound(beside: str) -> bool:
    """Whether the characters beside a word, the nearest first, make it part of an identifier."""
    return beside[:1] in ("@", ".", "-", "_") and beside[1:].isalnum()


def _goes_on(left: str, right: str) -> bool:
    """Whether a katakana word continues from one character to the next."""
    return all("ァ" <= each <= "ヺ" or each == "ー" for each in (left, right))


@lru_cache(maxsize=20_000)
def _longer(name: str) -> tuple[str, ...]:
    """Words that begin with a name but are not one."""
    return tuple(word for word in _longer_words() if word.startswith(name))


@cache
def _longer_words() -> tuple[str, ...]:
    return tuple(map(fold, table("longer")["words"].split()))
