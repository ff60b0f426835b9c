"""Phrases that say that one name is another: "Bob, short for Robert".

Either a phrase between two names (`also known as`, 又名, उर्फ), or a sentence without other content (`Pete is Peter`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.tables import table
from commonplace.core.text.normalize import FAR_EAST, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from commonplace.core.memo import Findings
    from commonplace.core.model import AnyLine, Fact, Line

_LONGEST_BARE = 80
"""Characters of a sentence that states only that two names are one, at most."""
_MOST_WORDS = 5
_LONGEST_NAME = 12
"""Characters of a name in scripts without spaces between words."""
_CLAUSE = ',;:!?()[]"|/、。「」『』।…'
_BLOCK = 256
"""Texts that are searched and cached together: new ones are in the last block."""


class Bearer(NamedTuple):
    """An entity, by its names."""

    key: str
    name: str
    names: tuple[str, ...]
    """Keys of all its names."""
    page: bool
    """Whether it has a page."""
    facts: int
    """The number of facts tagged with it."""


def stated_pairs(
    known: dict[str, Bearer], facts: Sequence[Fact], *, lines: Sequence[Line], findings: Findings | None = None
) -> Iterator[tuple[str, str, AnyLine]]:
    """Yield pairs of entities that a text states to be one, with the text."""
    names: dict[str, str] = {}
    for key, each in known.items():
        for name in each.names:
            names[name] = key if names.setdefault(name, key) == key else ""
    ends = {name.rpartition(" ")[2] for name in names}
    for told in (facts, lines):
        around, short = _hits(told, findings)
        for at, between, behind in around:
            fact = told[at]
            text = fold(fact.content)
            if not text.endswith("?"):
                own = names.get(entity_key(fact.entities[0]), "") if len(fact.entities) == 1 else ""
                for pair in _around(text, fold(between), behind=fold(behind), names=names, own=own):
                    yield (*pair, fact)
        for at in short:
            text = told[at].content
            if text.isascii() and _last_word(text) not in ends:
                continue
            if (both := _bare(text, known, names=names)) is not None:
                yield (*both, told[at])


def _hits(told: Sequence[AnyLine], findings: Findings | None) -> tuple[Iterator[tuple[int, str, str]], Sequence[int]]:
    """Return the texts that may state that two names are one, with the phrase, ordered by phrase; and the positions of
    those that may state nothing else.
    """
    around: list[tuple[int, int]] = []
    short: list[int] = []
    for start in range(0, len(told), _BLOCK):
        whole = "\n".join([fact.content for fact in told[start : start + _BLOCK]])
        pairs, bare = findings.in_text("said", whole, _in_block) if findings else _in_block(whole)
        around += [(phrase, start + at) for phrase, at in pairs]
        short += [start + at for at in bare]
    phrases = _phrases()
    return ((at, *phrases[phrase]) for phrase, at in sorted(around)), short


def _in_block(whole: str) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """`_hits` for texts joined by line breaks, as plain values; phrases by number."""
    folded = whole.casefold()
    around = tuple(
        (phrase, at)
        for phrase, (between, behind) in enumerate(_phrases())
        for at in _rows(folded, (behind or between).casefold())
    )
    bare = {at for between, _ in _bare_forms() for at in _rows(whole, between)}
    texts = whole.split("\n") if bare else []
    return around, tuple(at for at in sorted(bare) if len(texts[at]) <= _LONGEST_BARE)


def _rows(whole: str, needle: str) -> Iterator[int]:
    """Yield the positions of the texts, joined by line breaks, that contain this."""
    row = seen = 0
    at = whole.find(needle)
    while at >= 0:
        row += whole.count("\n", seen, at)
        yield row
        seen = whole.find("\n", at)
        at = whole.find(needle, seen) if seen >= 0 else -1


@cache
def _phrases() -> tuple[tuple[str, str], ...]:
    """Return the words between and after two names in a text that states that they are one."""
    return tuple((between, behind) for forms in table("alias")["said"].values() for between, behind in forms)


@cache
def _bare_forms() -> tuple[tuple[str, str], ...]:
    """The same for a sentence without other content; words of most scripts have spaces around them."""
    forms = (form for forms in table("alias")["is"].values() for form in forms)
    return tuple((between if between[0] >= FAR_EAST else f" {between} ", behind) for between, behind in forms)


def _around(text: str, between: str, *, behind: str, names: dict[str, str], own: str) -> Iterator[tuple[str, str]]:
    """Yield the names on both sides of a phrase; if the text begins with it, the entity of the fact is the first."""
    at, tries = text.find(between), 0
    while at >= 0 and tries < 20:
        end = at + len(between)
        spaced = between[-1] < FAR_EAST
        if not spaced or ((at == 0 or not text[at - 1].isalnum()) and not text[end : end + 1].isalnum()):
            left = text[max(0, at - 200) : at]
            right = text[end : end + 200].lstrip(" ,:(\"'「『、")
            one = _name_at_end(left, names) if left.strip() else own
            other = _name_at_start(right, names, behind=behind) if one else ""
            if one and other and one != other:
                yield one, other
        at, tries = text.find(between, end), tries + 1


def _name_at_end(text: str, names: dict[str, str]) -> str:
    text = text.rstrip(" ,(\"'「『、-").replace("-", " ").replace("_", " ")
    for _ in range(2):
        clause = text[max(text.rfind(mark) for mark in _CLAUSE) + 1 :].split()
        for size in range(min(_MOST_WORDS, len(clause)), 0, -1):
            if found := names.get(" ".join(clause[-size:]).strip("'@.")):
                return found
        shorter = next((text.removesuffix(word).rstrip(" ,") for word in _before() if text.endswith(word)), text)
        if shorter == text:
            return ""
        text = shorter
    return ""


@cache
def _before() -> tuple[str, ...]:
    words = (fold(word) for word in table("alias")["before"])
    spaced = (f" {word}" if word[0] < FAR_EAST and word[0] != "'" else word for word in words)
    return tuple(sorted(spaced, key=len, reverse=True))


def _name_at_start(text: str, names: dict[str, str], *, behind: str) -> str:
    text = text.replace("-", " ").replace("_", " ").lstrip("@")
    end = min((at for mark in _CLAUSE if (at := text.find(mark)) >= 0), default=len(text))
    words = text[:end].split()
    for size in range(min(_MOST_WORDS, len(words)), 0, -1):
        name = " ".join(words[:size])
        rest = " ".join(words[size:])
        found = names.get(name) or names.get(name.rstrip(".'"))
        if found and (not behind or rest.startswith(behind)):
            return found
    if text[:1] < FAR_EAST:
        return ""
    clause = text[:end]
    follows = (behind,) if behind else tuple(fold(word) for word in table("alias")["follows"])
    for size in range(min(_LONGEST_NAME, len(clause)), 1, -1):
        found = names.get(clause[:size].strip())
        if found and (clause[size:].lstrip().startswith(follows) or not (behind or clause[size:].strip())):
            return found
    return ""


def _last_word(text: str) -> str:
    text = text.rstrip(" .!")
    return text[max(text.rfind(" "), text.rfind("-"), text.rfind("_"), text.rfind("@")) + 1 :].lower()


def _bare(content: str, known: dict[str, Bearer], *, names: dict[str, str]) -> tuple[str, str] | None:
    """Return the names of a sentence that states only that one is the other."""
    for between, behind in _bare_forms():
        left, found, right = content.partition(between)
        if not found:
            continue
        right = right.rstrip(" .!。．！।")
        if behind:
            if not right.endswith(behind):
                continue
            right = right.removesuffix(behind).rstrip()
        one, other = (names.get(entity_key(side.strip().lstrip("@")), "") for side in (left, right))
        if one and other and one != other and _may_be_one(known[one], known[other]):
            return one, other
    return None


def _may_be_one(one: Bearer, other: Bearer) -> bool:
    """Whether `is` between two names can mean that they are one: not in `Rex is Dog`."""
    if not (like_a_person(one.name) and like_a_person(other.name)):
        return False
    firsts = [each.key.split(" ")[0] for each in (one, other)]
    return firsts[0][:2] == firsts[1][:2] or all(map(is_given, firsts))


def like_a_person(name: str) -> bool:
    """Whether a name may be a person's: up to four capitalised words of letters."""
    parts = name.replace("_", " ").replace("-", " ").split()
    return 0 < len(parts) <= 4 and all(
        (word[0].isupper() or not (word[0].islower() or word[0].isdigit())) and not (word.isupper() and len(word) > 2)
        for word in parts
    )


def is_given(word: str) -> bool:
    """Whether a folded word is a known given name."""
    return word in listed("given")


@cache
def listed(name: str) -> frozenset[str]:
    """Return a list of words of the table, folded."""
    return frozenset(fold(word) for word in table("alias")[name])
