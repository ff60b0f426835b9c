"""Entity resolution: pairs of names that may be one entity, as questions for a person.

Six signs: a text says so; a file introduces both beside each other, in two scripts; a legal form is behind one, and the
other may be a person's; the names differ only in spacing and accents; one is a first name that only one other entity
has; or two long names are a typing error apart and occur beside the same entity.

Laws: names with different digits are never asked about, nor are two that one fact names together, unless a text says
that they are one; the work grows with the number of entities, not of their pairs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import hash_id
from commonplace.core.entities.alias_phrases import Bearer, is_given, like_a_person, listed, stated_pairs
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.misspelt_names import edit
from commonplace.core.markdown.bank_layout import REVIEW
from commonplace.core.markdown.page_links import link, quoted
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, digraphs, fold, unify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from commonplace.core.memo import Findings
    from commonplace.core.model import Fact, Line

_LEAST_LETTERS = 7
"""Least letters of a name in which a typing error is looked for."""
_MOST_LETTERS = 40
_LEAST_IN_WORD = {"swap": 5, "more": 6, "other": 7}
"""Least letters of the word with the error: two short words are as often two names."""
_ENDING = {"swap": 1, "more": 1, "other": 2}
"""Last letters of a word in which an error is not looked for: they may be an ending."""
_RARE = 2
"""Most facts of a misspelled name: a more frequent spelling is meant."""
_LEAST_JOINED = 4
_JOINED = dict.fromkeys(map(ord, " -_."))
_SPELLED, _FIRST_NAME, _SLIP = "spelled alike", "the only one of that first name", "one letter apart"
_BESIDE, _COMPANY = "introduced beside each other", "the same but for the legal form"
"""Reasons why two names may be one entity, besides that a text says so."""
_NUMBER = lazy_pattern(r"\d+")


class Same(NamedTuple):
    """Two entities that may be one."""

    key: str
    """The key of the one that would keep its name."""
    other: str
    reason: str
    name: str
    alias: str
    """The name that would become an alias."""
    path: str = ""
    """The path of the file that says so, if there is one."""

    @property
    def id(self) -> str:
        """`a-` and five characters, the same in either order."""
        return same_id(self.key, self.other)

    @property
    def text(self) -> str:
        """The question, as a statement."""
        return f"{self.alias} is {self.name}"

    def turned(self) -> Same:
        """The same question with the names exchanged."""
        return Same(self.other, self.key, self.reason, self.alias, self.name, self.path)


def same_id(key: str, other: str) -> str:
    """Return the id of the question whether two entities are one."""
    return "a-" + hash_id("\x1f".join(sorted((key, other))), 5)


def same_line(same: Same) -> str:
    """Return the task that asks it, for the review page, with a link to the file that says so."""
    label = same.path.rpartition("/")[2].removesuffix(".md")
    why = f"{same.reason}, {link(label, REVIEW, same.path)}" if same.path else same.reason
    return f"- [ ] {quoted(same.text)} ({why}) ^{same.id}"


def read_same(id: str, text: str) -> tuple[str, str] | None:
    """Parse a line `Pete is Peter (why)`, in the order that a person left: (alias, name that stays); else None."""
    for found in re.finditer(r" is ", text[:1000]):
        one, rest = text[: found.start()], text[found.end() :]
        ends = [len(rest), *(cut.start() for cut in re.finditer(r" \(", rest))]
        for end in ends:
            if same_id(entity_key(one), entity_key(rest[:end])) == id:
                return one.strip(), rest[:end].strip()
    return None


def alike(
    entities: Iterable[Bearer],
    facts: Sequence[Fact],
    *,
    lines: Sequence[Line],
    canonical: Callable[[str], str],
    introduced: Iterable[tuple[str, str]] = (),
    companies: Iterable[tuple[str, str]] = (),
    findings: Findings | None = None,
) -> list[Same]:
    """Return the entities that may be one, each pair once: first by what a text says, then by the other signs.

    Args:
        entities: those that are not another's alias and share no name with another.
        facts, lines: texts that may say so; facts also show who is named together.
        canonical: returns the key of the entity that has a name.
        introduced: keys of names that a file introduces beside each other.
        companies: keys of names, the first of which is the other with a legal form.
    """
    known = {each.key: each for each in entities}
    found: dict[frozenset[str], Same] = {}

    def add(one: str, other: str, *, reason: str, path: str = "") -> None:
        pair = frozenset((one, other))
        if len(pair) == 2 and pair not in found and _digits(one) == _digits(other):
            # the entity with a page, else with more facts, else with the longer name stays
            stays, goes = sorted(
                (known[one], known[other]), key=lambda each: (not each.page, -each.facts, -len(each.key), each.key)
            )
            found[pair] = Same(stays.key, goes.key, reason, stays.name, goes.name, path)

    for one, other, fact in stated_pairs(known, facts, lines=lines, findings=findings):
        add(one, other, reason="said", path=fact.source.path)
    for pairs, reason in ((introduced, _BESIDE), (companies, _COMPANY)):
        for one, other in pairs:
            if one in known and other in known:
                add(one, other, reason=reason)
    guessed = [*_spelled(known), *_first_names(known, facts, canonical=canonical), *_slips(known)]
    if guessed:
        beside = _beside(guessed, facts, canonical=canonical)
        for one, other, reason in guessed:
            if other in beside.get(one, ()):
                continue
            if reason != _SLIP or not beside.get(one, set()).isdisjoint(beside.get(other, ())):
                add(one, other, reason=reason)
    return list(found.values())


def _beside(
    pairs: Iterable[tuple[str, str, str]], facts: Sequence[Fact], *, canonical: Callable[[str], str]
) -> dict[str, set[str]]:
    """Return the entities that facts name together with each entity of these pairs."""
    beside: dict[str, set[str]] = {key: set() for one, other, _ in pairs for key in (one, other)}
    for fact in facts:
        if len(fact.entities) + len(fact.mentions) > 1:
            named = {canonical(name) for name in (*fact.entities, *fact.mentions)}
            for key in named & beside.keys():
                beside[key] |= named
    for key, others in beside.items():
        others.discard(key)
    return beside


def _digits(key: str) -> list[str]:
    return _NUMBER.findall(key)


# Spelling.


def _spelled(known: dict[str, Bearer]) -> Iterator[tuple[str, str, str]]:
    """Yield names that are equal without spaces, points and accents."""
    first: dict[str, str] = {}
    for key, each in known.items():
        for form in _forms(key, each.name):
            other = first.setdefault(form, key)
            if other is not key:
                yield other, key, _SPELLED


def _forms(key: str, name: str) -> set[str]:
    """Return a name in letters and digits alone, in both ways to write it without accents."""
    forms = {key} if name.isascii() else {key, digraphs(unify(name).casefold())}
    joined = set()
    for form in forms:
        bare = form.translate(_JOINED)
        if "'" in bare[:-2]:
            bare = bare[:-2].replace("'", "") + bare[-2:]
        if not bare.isascii():
            bare = _without_nasals(bare)
            bare = bare.removesuffix("ー") if len(bare) > _LEAST_JOINED else bare
        if len(bare) >= _LEAST_JOINED - (not bare.isascii() or not bare.isalpha()):
            joined.add(bare)
    return joined


def _without_nasals(form: str) -> str:
    if "\u094d" in form:
        for nasal, before in table("alias")["nasals"].items():
            if nasal in form:
                for letter in before:
                    form = form.replace(nasal + letter, "ं" + letter)
    return form


# First names.


def _first_names(
    known: dict[str, Bearer], facts: Sequence[Fact], *, canonical: Callable[[str], str]
) -> Iterator[tuple[str, str, str]]:
    """Yield each first name and the only entity that has it with a further name; both may be persons."""
    owners: dict[str, set[str]] = {}
    for key, each in known.items():
        for name in each.names:
            first, _, rest = name.partition(" ")
            if rest and first in known and rest.rpartition(" ")[2] not in listed("things"):
                owners.setdefault(first, set()).add(key)
    pairs = {
        first: key
        for first, (key, *more) in owners.items()
        if not more and key != first and like_a_person(known[first].name) and like_a_person(known[key].name)
    }
    unsure = {first: key for first, key in pairs.items() if not is_given(first)}
    persons = (
        _persons({key for pair in unsure.items() for key in pair}, facts, canonical=canonical) if unsure else set()
    )
    for first, key in pairs.items():
        if key.startswith(first + " ") and (first not in unsure or first in persons or key in persons):
            yield first, key, _FIRST_NAME


def _persons(keys: set[str], facts: Iterable[Fact], *, canonical: Callable[[str], str]) -> set[str]:
    """Return the keys of entities that, by some fact, do what only persons do."""
    found: set[str] = set()
    does = tuple(f"{word} " for word in listed("does"))
    for fact in facts:
        key = canonical(fact.entities[0]) if fact.entities else ""
        if key in keys and key not in found:
            text = fold(fact.content)
            bare = text.removeprefix(key).lstrip(" ,") or text
            if bare.startswith(does) or (not text.isascii() and any(word in text for word in listed("tells"))):
                found.add(key)
    return found


# Slips.


def _slips(known: dict[str, Bearer]) -> Iterator[tuple[str, str, str]]:
    """Yield pairs of long names that differ in one letter, or in two that are swapped.

    Such names have a form in common with one letter removed; if several share one, each is compared with the first.
    """
    first: dict[str, str] = {}
    for key, each in known.items():
        size = len(key)
        if not _LEAST_LETTERS <= size <= _MOST_LETTERS or not _has_an_alphabet(key):
            continue
        for at in range(size):
            other = first.setdefault(key[:at] + key[at + 1 :] if at else key, key)
            if other is not key and min(each.facts, known[other].facts) <= _RARE and _slip(key, other):
                yield other, key, _SLIP


def _has_an_alphabet(key: str) -> bool:
    """Whether a name is all letters, of a script in which one more letter does not make another word."""
    if key.isascii():
        return key.replace(" ", "").isalpha()
    return not _digits(key) and (
        max(key) < FAR_EAST or all("\u3041" <= letter <= "\u30ff" or letter == " " for letter in key)
    )


def _slip(one: str, other: str) -> bool:
    """Whether two names differ by a likely typing error: not in a word's first letter or ending, nor in like sounds."""
    found = edit(one, other)
    if found is None:
        return False
    kind, at = found
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    differ = {longer[at], *shorter[at : at + 1]}
    if " " in differ or (kind == "other" and any(differ.issubset(each) for each in table("alias")["sounds"])):
        return False
    start, end = longer.rfind(" ", 0, at) + 1, (longer + " ").find(" ", at)
    last = end - _ENDING[kind]
    return (
        min(len(each.replace(" ", "")) for each in (one, other)) >= _LEAST_LETTERS
        and start < at < last
        and end - start >= _LEAST_IN_WORD[kind]
    )
