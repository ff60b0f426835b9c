"""Guesses the kind of a statement that does not name it.

Preference words: opinion; first person: experience; else world.
"""

from __future__ import annotations

from functools import cache

from commonplace.core.model import Kind
from commonplace.core.tables import table
from commonplace.core.text.known_languages import UNSPACED
from commonplace.core.text.normalize import fold

_LATIN = "\u0900"
"""First code point of scripts whose languages often omit the speaker; languages of the scripts below it do not."""
_LONGEST_LABEL = 24


def guess_kind(text: str) -> Kind:
    """Return the likely kind of a line."""
    padded = _padded(text)
    for kind, phrases in _phrases():
        if any(phrase in padded for phrase in phrases):
            return kind
    return Kind.WORLD


def titles_opinions(title: str) -> bool:
    """Return whether a heading or label says that what is below or behind it is preferred: `Preferences`."""
    return fold(title.strip()) in _titles()


@cache
def _titles() -> frozenset[str]:
    return frozenset(map(fold, table("imports")["kinds"][Kind.OPINION.value].split(", ")))


def own_opinion(said: str) -> bool:
    """Whether somebody states an opinion of their own: no question or request, and no note about what they said.

    `wants two seats` after a name is a note; `I want two seats` is theirs.
    """
    from commonplace.core.extract.salience import read

    if guess_kind(said) is not Kind.OPINION or said.rstrip("* ").endswith(("?", "？")) or read(said) is None:
        return False
    first_person = dict(_phrases())[Kind.EXPERIENCE]
    return max(said) >= _LATIN or any(phrase in _padded(said) for phrase in first_person)


def _padded(text: str) -> str:
    """Return a text folded, without marks, between spaces; with a marker word for an English I."""
    folded = fold(text[:600])
    for mark in '.,!;:"()。、，！：；*_':
        folded = folded.replace(mark, " ")
    return f" {' '.join(folded.split())} " + ("i-myself " if _says_i(text[:600]) else "")


def _says_i(text: str) -> bool:
    """Whether an English I is the speaker: a capital between spaces, and by the next word not the Danish "i" (in)."""
    words, known = text.split(), table("kinds")
    return any(
        word[0] == "I"
        and word in known["i"]
        and (at == 0 or words[at - 1] not in known["numbered"])
        and words[at + 1][:1].islower()
        and words[at + 1].strip(".,;:!?") not in known["danish"]
        for at, word in enumerate(words[:-1])
    )


@cache
def _phrases() -> tuple[tuple[Kind, tuple[str, ...]], ...]:
    found = []
    for kind in (Kind.OPINION, Kind.EXPERIENCE):
        phrases: list[str] = []
        for language, words in table("kinds")[kind.value].items():
            spaced = language not in UNSPACED
            phrases += [f" {fold(word)} " if spaced else fold(word) for word in words]
        found.append((kind, tuple(phrases)))
    return tuple(found)


def says_of_an_opinion(text: str) -> bool:
    """Whether a line is a field of an opinion that a person keeps: `confidence: 0.65`, `evidence: …`, `更新：…`."""
    label, colon, _ = text[:_LONGEST_LABEL].replace("：", ":").partition(":")
    if not colon:
        return False
    word, fields = label.strip("*_` ").casefold(), table("opinions")
    return any(word in fields[role] for role in ("confidence", "evidence", "updated"))
