"""What a line states that can be so in one way only at a time, so that a newer line may tell it anew.

    2026-02-04  Default model: Kestrel 2        2026-02-15  We use Heron 3 as the default model
    2026-03-11  Club account: hooks (40 pcs)    2026-03-26  Club account: hooks 15 pcs
    MEMORY.md   Camera: use kite-2:lens         2026-06-01  Camera model changed to gull-3:lens

A slot is read only where all of it is understood: one name in the clause, and what it is of. What else the clause, the
label or the heading above names keeps two slots apart: `Default model for drawings`, `Anna / Default model`. Numbers of
readings and counters are no slots. The words are data (`data/slots.json`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.changes.change_lexicon import MARKUP, generic_terms
from commonplace.core.changes.slot_lexicon import WITHIN, may_hold, slot_lexicon
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import variants

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from commonplace.core.changes.slot_lexicon import SlotLexicon

DEFAULT, BECAME, USES, LABEL, HOLDING, PLAN = "default", "became", "uses", "label", "holding", "plan"
"""Kinds of slots: what is used unless told otherwise, what something became, what it uses, what a label gives, how much
is held, whether something is to be kept or to go."""
_KEEP, _GO = frozenset(("keep",)), frozenset(("go",))

_LONGEST, _LONGEST_PLAN = 300, 90
"""Characters of a line that are read, and of an order to keep something or to give it away."""
_MOST_NAMES = 6
"""Names behind a label; one with more tells a story."""
_NONE = frozenset[str]()
_MOST_WORDS = 6
"""Terms that say of what a slot is; with more the clause is not understood."""
_ENDING = 3
"""Signs behind a verb at the end of a clause."""
_CLAUSE = lazy_pattern(r"[;!?。、]|\.(?:\s|$)|(?<=\D),|\s[-–—]\s|->|→|⇒|=>")
_LABEL = lazy_pattern(r"^\W{0,6}([^:|]{1,50}?)\s?:\s?(?!//)(\S.*)$")
_BRACKETED = lazy_pattern(r"\([^()]*\)?")
_NAME = lazy_pattern(
    r"(?<![\w./-])(?:[A-ZÀ-ÞА-ЯЁ][\w.:/@+-]*|[a-zà-ÿ0-9а-яё]*(?:[a-z](?=[^\s]*(?:\d|[:/@]\w))|\d)[\w.:/@+-]*)"
    r"(?:\s(?:[A-ZÀ-ÞА-ЯЁ0-9][\w.:/@+-]*))*"
)
"""What is written as a name: with a capital, a digit, or a mark within it; and its further words."""
_WORD = lazy_pattern(rf"[^\W_][{WITHIN}']*")
_RUN = lazy_pattern(r"[\u3400-\u9fff]{2,}|[\u30a1-\u30fa\u30fc]{2,}|[A-Za-z0-9][A-Za-z0-9-]*")
_DAY = lazy_pattern(r"\d{1,4}(?:[-/.:]\d{1,4})+|(?:\d{1,4}[年月日])+")
_NUMBERED = lazy_pattern(r"^\W*\d{1,2}[.):、]\s*")
"""The number of a heading in a list of them."""
_MARKED = lazy_pattern(r"[\d@]|\w[:/]\w")
"""What an identifier has."""
_LETTERS = lazy_pattern(r"\w+")
_QUANTITY = lazy_pattern(
    r"^\W*(?P<item>[^\d()]*?)\s*(?:\([\w. -]+\))?\s*[:=]?\s*\(?(?:[\d.]+\s*(?:->|→)\s*)?[~≈约約]?"
    r"(?P<number>\d+(?:\.\d+)?)\s?(?P<unit>[^\W\d_][^\s\d_()]{0,9})\)?\s*(?:\([^()]*\))?\W*$"
)
_PART = lazy_pattern(r"[;、。|]|,(?!\d{3}(?!\d))")


class Slot(NamedTuple):
    """Something that can be so in one way only at a time, and how it is."""

    kind: str
    thing: str
    """What is used, by its first form; the unit of a holding."""
    of: frozenset[str]
    """Terms that say of what."""
    under: frozenset[str]
    """Terms of the heading above; of a holding, who or what has it, where that is said."""
    around: frozenset[str]
    """Terms of the two nearest headings above."""
    value: frozenset[str]
    """The words of its name or number, in small letters."""
    told: bool = False
    """Whether the line says that it became so."""
    chosen: bool = False
    """Whether its label is of what somebody chooses, not of a state."""


@lru_cache(maxsize=2048)
def slots(text: str, above: tuple[str, ...]) -> tuple[Slot, ...]:
    """Return the slots of a line, with the headings and bullets above it."""
    said = variants(MARKUP.sub("", text[:_LONGEST])).strip()
    if "?" in said:
        return ()
    headings = [_heading(each) for each in above[-2:]]
    known = slot_lexicon(text)
    found: list[Slot] = []
    if may_hold().search(f"{' '.join(headings)} {said}".lower()):
        found += _holdings(said, headings, known)
    if said[:1] != "|":
        if known.cues.search(said.lower()):
            found += _named(said, headings, known)
        found += _labelled(said, headings, known)
    return tuple(found)


def named_above(above: tuple[str, ...]) -> frozenset[str]:
    """Return the terms of the nearest heading or bullet above a line that name something."""
    return _terms(_heading(above[-1]), slot_lexicon(above[-1])) if above else _NONE


def _heading(text: str) -> str:
    return _NUMBERED.sub("", _BRACKETED.sub("", variants(MARKUP.sub("", text))))


def _named(said: str, above: Sequence[str], known: SlotLexicon) -> Iterator[Slot]:
    """Yield what is used unless told otherwise, what something became, and what it uses."""
    heading = above[-1] if above else ""
    under, around = _around(above, known)
    for clause in _CLAUSE.split(said):
        low = clause.lower()
        if known.denied.search(low) or known.doubt.search(low):
            continue
        names = list(_names(clause, known))
        became = [place for place in names if _becomes(low[: place[0]], low[place[1] :], known)]
        value = (became or names)[0] if len(became or names) == 1 else None
        if value is None:
            continue
        start, stop = value
        rest = (
            clause[:start] if became and known.spaced and not known.verb_last else f"{clause[:start]} {clause[stop:]}"
        )
        of, words = _terms(rest, known), frozenset(low[start:stop].split())
        if len(of) > _MOST_WORDS or not any(map(str.isalpha, low[start:stop])):
            continue
        thing = _thing(rest, known) or _thing(" ".join(clause[stop:].split()[:1]), known)
        told = bool(became) or known.told.search(low) is not None
        if known.usual.search(rest.lower()):
            thing = thing or ("" if known.spaced else _thing(said, known)) or _thing(heading, known)
            if thing:
                of = frozenset() if known.every.search(low) else of
                yield Slot(DEFAULT, thing, of, under, around, words, told)
        elif became and (of or thing):
            yield Slot(BECAME, thing, of, under, around, words, True)
        elif thing and known.uses.search(low):
            yield Slot(USES, thing, of, under, around, words)


def _labelled(said: str, above: Sequence[str], known: SlotLexicon) -> Iterator[Slot]:
    """Yield the names behind a label, and whether what it names is to be kept."""
    label = _LABEL.match(said)
    if label is None:
        return
    yield from _plan(label[1], label[2], known)
    thing = _thing(label[1], known)
    if thing not in known.chosen and _MARKED.search(label[2]) is None:
        return
    if known.denied.search(label[1].lower()) is not None:
        return
    of = _terms(_BRACKETED.sub("", label[1]), known)
    values = frozenset(label[2][start:stop].lower() for start, stop in _names(label[2], known))
    if 0 < len(values) <= _MOST_NAMES and (of or thing) and len(of) <= _MOST_WORDS:
        yield Slot(LABEL, thing, of, *_around(above, known), values, chosen=thing in known.chosen)


def _around(above: Sequence[str], known: SlotLexicon) -> tuple[frozenset[str], frozenset[str]]:
    """Return the terms of the nearest heading above a line, and of the two nearest."""
    under = _terms(above[-1], known) if above else _NONE
    return under, under.union(*(_terms(each, known) for each in above[:-1]))


def _plan(label: str, said: str, known: SlotLexicon) -> Iterator[Slot]:
    """Yield whether what a label names is to be kept or to go, if a short line orders just one of the two."""
    low = said.lower()
    if len(said) > _LONGEST_PLAN or "→" in said or not any(word in low for word in known.ordering):
        return
    bare = _BRACKETED.sub("", label).strip(" *").lower()
    of = _terms(bare, known)
    if not of and not known.spaced and known.empty.fullmatch(bare) is None:
        of = frozenset((bare,))
    if not 0 < len(of) <= _MOST_WORDS or of <= generic_terms():
        return
    clauses = [each.strip(" *") for each in _CLAUSE.split(low) if known.conditions.search(each) is None]
    keep = any(_orders(known.keeps, each, known) for each in clauses)
    go = any(_orders(known.goes, each, known) and known.denied.search(each) is None for each in clauses)
    if keep != go:
        yield Slot(PLAN, "", of, _NONE, _NONE, _KEEP if keep else _GO)


def _orders(what: re.Pattern[str], clause: str, known: SlotLexicon) -> bool:
    """Whether a clause has these words where its verb stands: at the start, or at the end; in Chinese anywhere."""
    if known.verb_last is None:
        return what.search(clause) is not None
    if known.verb_last:
        return any(len(clause.rstrip(".!।")) - match.end() <= _ENDING for match in what.finditer(clause))
    return what.match(clause) is not None


def _becomes(before: str, behind: str, known: SlotLexicon) -> bool:
    """Whether what stands around a name says that something became it."""
    return known.before.search(before) is not None or (
        known.behind is not None and known.behind.search(behind) is not None
    )


def _names(clause: str, known: SlotLexicon) -> Iterator[tuple[int, int]]:
    """Yield the places of the names in a clause, without words before them that only begin it: `Default Kestrel 2`."""
    for match in _NAME.finditer(clause):
        start, stop = match.span()
        while start < stop:
            word, _, rest = clause[start:stop].partition(" ")
            if known.empty.fullmatch(word.lower().rstrip(":")) is None:
                break
            start = stop - len(rest) if rest else stop
        while stop > start and clause[stop - 1] in ".:/-":
            stop -= 1
        if start < stop:
            yield start, stop


def _thing(text: str, known: SlotLexicon) -> str:
    found = known.things.search(text.lower())
    return known.thing[found[0]] if found else ""


def _terms(text: str, known: SlotLexicon) -> frozenset[str]:
    """Return the words of a text that name something."""
    left = known.empty.sub(" ", _DAY.sub(" ", text.lower()))
    return frozenset((_WORD if known.spaced else _RUN).findall(left))


def _holdings(said: str, above: Sequence[str], known: SlotLexicon) -> Iterator[Slot]:
    """Yield how many of which things an account, a store or somebody has, and balances."""
    heading = next((each.lower() for each in reversed(above) if each.lstrip()[:1] != "|"), "")
    of_heading = known.holds.search(heading) is not None
    owner = _owner(heading, known) if of_heading else _NONE
    if said[:1] == "|":
        if of_heading or any(map(known.holds.search, map(str.lower, above))):
            yield from _of_row(said.lower(), owner, known)
        return
    match = _LABEL.match(said)
    label, rest = (match[1].lower(), match[2].lower()) if match else ("", said.lower())
    of_owner = bool(label) and known.holds.search(label) is not None
    own = _owner(label, known) if of_owner else _NONE
    bare = _BRACKETED.sub("", label).strip()
    balance = bare if of_owner and owner and not own else ""
    item, owner = ("", own or owner) if of_owner else (bare, owner)
    if known.takes.search(label) or not (of_owner or of_heading or known.holds.search(rest)):
        return
    for part in _PART.split(rest):
        found = _QUANTITY.match(part)
        if found is None or known.takes.search(part):
            continue
        what = found["item"].strip(" ~≈约-")
        if not what or (item and known.holds.search(what)):
            what = item or balance or (bare if own else "")
        elif item:
            continue
        if what and (what == balance or found["unit"] not in known.money) and known.denied.search(what) is None:
            yield Slot(HOLDING, found["unit"], frozenset((what,)), owner, _NONE, frozenset((found["number"],)))


def _of_row(row: str, owner: frozenset[str], known: SlotLexicon) -> Iterator[Slot]:
    """Yield what the only cell of a row with a quantity says of its first cell."""
    what, *cells = (_BRACKETED.sub("", cell).strip() for cell in row.strip(" |").split("|"))
    told = (found for cell in cells if (found := _QUANTITY.match(cell)) and not found["item"])
    counted = [found for found in told if found["unit"] not in known.money]
    if what and len(counted) == 1:
        number = frozenset((counted[0]["number"],))
        yield Slot(HOLDING, counted[0]["unit"], frozenset((what,)), owner, _NONE, number)


def _owner(text: str, known: SlotLexicon) -> frozenset[str]:
    """Return who or what holds something, by the heading or label that says so; empty if it names nobody."""
    left = _DAY.sub(" ", _BRACKETED.sub("", text).lower())
    for pattern in (known.holds, known.of_holdings, known.empty):
        left = pattern.sub(" ", left)
    return frozenset(_LETTERS.findall(left))
