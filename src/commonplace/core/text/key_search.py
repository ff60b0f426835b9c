"""Searches for lines with all terms of one of some keys: two words of a topic, or an identifier."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    OneOf = tuple[str, tuple[str, ...] | None]
    """A term, and those of which a line must have one; None: the term is enough."""


class KeySearch(str):
    """Such a search as an expression of FTS5, and the same as terms: to read eight paired ones takes a millisecond."""

    terms: tuple[OneOf, ...] | None
    """None if there is a key of more than two terms, or one that is no single word."""

    def __new__(cls, expression: str, terms: tuple[OneOf, ...] | None) -> KeySearch:
        """Place an expression beside its terms."""
        made = super().__new__(cls, expression)
        made.terms = terms
        return made


def any_of_keys(keys: Iterable[tuple[str, ...]]) -> KeySearch:
    """Return the search for lines with all terms of one of these keys."""
    partners: dict[str, set[str]] = {}
    others: list[tuple[str, ...]] = []
    for key in keys:
        terms = tuple(dict.fromkeys(term.replace('"', "") for term in key))
        if len(terms) == 2:
            one, other = terms
            partners.setdefault(one, set()).add(other)
            partners.setdefault(other, set()).add(one)
        else:
            others.append(terms)
    pairs = [*_any_pair([*partners], partners)]
    parts = [f"(({_joined(ones, ' OR ')}) AND ({_joined(those, ' OR ')}))" for ones, those in pairs]
    parts += [f"({_joined(terms, ' AND ')})" for terms in others]
    alike: tuple[OneOf, ...] | None = None
    if all(len(terms) == 1 for terms in others) and all(map(_is_one, (*partners, *(term for (term,) in others)))):
        alike = (*((one, those) for ones, those in pairs for one in ones), *((term, None) for (term,) in others))
    return KeySearch(" OR ".join(parts), alike)


def _is_one(term: str) -> bool:
    return term.split() == [term]


def _joined(terms: Iterable[str], word: str) -> str:
    return word.join([f'"{term}"' for term in terms])


def _any_pair(terms: Sequence[str], partners: dict[str, set[str]]) -> Iterator[tuple[Collection[str], tuple[str, ...]]]:
    """Yield terms with those of which a line must have one, too: two terms of which one is a partner of the other.

    What the first half has with the second is one of these, then each half by itself: FTS5 takes most time to open a
    term, and eight of which all are paired are opened 24 times so, instead of 35 times.
    """
    half = len(terms) // 2
    if not half:
        return
    begin, end = terms[:half], terms[half:]
    by_partners: dict[tuple[str, ...], list[str]] = {}
    for one in begin:
        if those := tuple([other for other in end if other in partners[one]]):
            by_partners.setdefault(those, []).append(one)
    for those, ones in by_partners.items():
        yield ones, those
    yield from _any_pair(begin, partners)
    yield from _any_pair(end, partners)
