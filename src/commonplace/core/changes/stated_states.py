"""What a line states of a subject: the state of a thing, the value of a label, and the value that one replaced.

A subject is a set of terms: the label of the line, else the words beside the word for the state. A label that names no
subject (Status) takes that of the heading above. A clause with too many
other words states something else, and is left out.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from commonplace.core.changes.change_lexicon import (
    ARROWS,
    MARKUP,
    ChangeLexicon,
    denials,
    generic_terms,
    lexicon,
    partly,
    places,
    small_terms,
    unnumbered,
)
from commonplace.core.model import Role
from commonplace.core.text.analyzer import in_order
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

VALUE = "value"
"""The state of a label with some value."""
_MOST, _AFTER, _LONGEST = 8, 3, 500
_SHORT = 3
_BOX = lazy_pattern(r"^(?:[-*+] )?\[([ x])\] (.*)")
_LABEL = lazy_pattern(r"^\W{0,6}([^:,.。|]{1,50}?) ?: ?(?!//)(\S.*)$")
_CLAUSE = lazy_pattern(r"[;。!()]|\. |, | - | — | – |、|→|->|(?<=\D),")
BRACKET = lazy_pattern(r"\(.*?\)")
_ARROW = lazy_pattern(f" ?(?:{'|'.join(ARROWS)}) ?")
_EXACT = lazy_pattern(r"(?=.{8})\S*[a-z]\S*[./:_]\S+")
_IDENTIFIER = lazy_pattern(r"(?<![ -~])(?=[!-~]*[a-z])(?=[!-~]*\d)[!-~]+$")
"""All of a text, or in one without spaces its end in Latin letters: box3."""
_NUMBERED = lazy_pattern(
    r"(?<!\S)([^\s\d]{2,}) #?(\d{1,3})(?![.,:/-]?\w|%)"
    r"|(?<![月\d一二三四五六七八九十])(\d{1,3}|[一二三四五六七八九十]{1,3})号"
)
"""A word with its number behind it, or a number of Chinese and Japanese; no version, hour or day."""
_NUMBER = lazy_pattern(r"[+-]?\d+(?:\.\d+)?")
_EQUAL = 1e-6
_SENTENCE = lazy_pattern(r"(?<=[^.]{20})\.\s+(?=\S)|(?<=.{8})。|(?<=\?)\s+")
_SEGMENT = lazy_pattern(r"[;,。|]|\. ")
_TAIL = lazy_pattern(r"(?<=.)\(.*$| - .*$")
_REMARK = lazy_pattern(r"(?<=\S) [-–—] .*$")
"""What follows a value behind a dash."""
_LEAD = lazy_pattern(r"^.*[:(]|^.* - |^from ")


class StatedState(NamedTuple):
    """A state of a subject."""

    subject: frozenset[str]
    state: str
    labelled: bool
    """Whether the line's own label is the subject."""
    numbers: frozenset[tuple[str, str]]
    """Words of the subject with the number that tells it apart from others: pump 2."""


class OldValue(NamedTuple):
    """A value that no longer holds, as terms."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    """What holds instead; empty if it is not said."""
    is_said: bool
    """Whether a sentence says so, not an arrow."""
    is_exact: bool
    """Whether the old value is an address, a path or a version, which alone says what is meant."""


class ToldStates(NamedTuple):
    """What one line states."""

    terms: tuple[str, ...]
    statements: tuple[StatedState, ...]
    replaced: tuple[OldValue, ...]
    label: frozenset[str]
    doubtful: bool


@lru_cache(maxsize=2048)
def told(text: str, role: Role, above: tuple[str, ...]) -> ToldStates:
    """Return what a line states, with the headings and bullets above it."""
    plain = fold(MARKUP.sub("", text[:_LONGEST]))
    known = lexicon(text).narrowed(plain)
    label, _ = label_and_value(plain, role)
    doubtful = "?" in plain or known.doubt is not None
    replaced: tuple[OldValue, ...] = ()
    if known.replaced or known.contrast or any(arrow in plain for arrow in ARROWS):
        sure = [part for part in _SENTENCE.split(plain) if "?" not in part]
        if known.doubt is not None:
            sure = [part for part in sure if known.doubt.search(part) is None]
        replaced = tuple(each for part in sure for each in _replaced(part, known))
    if role is Role.ROW:
        replaced += tuple(_difference(plain))
    own = subject_of(BRACKET.sub("", label)) if label else frozenset()
    statements = () if "?" in plain else tuple(dict.fromkeys(_statements(plain, role, above, known)))
    return ToldStates(tuple(in_order(plain)), statements, replaced, own - generic_terms(), doubtful)


def subject_of(text: str) -> frozenset[str]:
    """Return the terms of a folded text that may name a subject."""
    small = small_terms()
    return frozenset(term for term in in_order(text) if term not in small and (len(term) > 1 or term > "\u2e80"))


def _numbers_of(text: str) -> frozenset[tuple[str, str]]:
    """Return what a folded text tells apart by a number: pump 2, 二号."""
    found = ((word or "号", number or sign) for word, number, sign in _NUMBERED.findall(text))
    return frozenset((word, number) for word, number in found if word not in unnumbered())


def _names_something(subject: frozenset[str]) -> bool:
    return any(len(term) > _SHORT or not term.isascii() for term in subject)


def label_and_value(plain: str, role: Role) -> tuple[str, str]:
    """Return the label of a folded line or the first cell of a row, and the rest."""
    if role is Role.ROW:
        cells = [cell.strip() for cell in plain.strip(" |").split("|")]
        while len(cells) > 2 and not any(map(str.isalpha, cells[0])):
            del cells[0]
        return cells[0], "; ".join(cells[1:])
    match = _LABEL.match(plain)
    if match is None or (match[1][-1:].isdigit() and match[2][:1].isdigit()):
        return "", plain
    return match[1], match[2]


def _statements(plain: str, role: Role, above: Sequence[str], known: ChangeLexicon) -> Iterator[StatedState]:
    if box := _BOX.match(plain):
        subject = subject_of(box[2])
        if 2 <= len(subject) <= 2 * _MOST:
            yield StatedState(subject, "open" if box[1] == " " else "done", False, _numbers_of(box[2]))
        return
    label, rest = label_and_value(plain, role)
    own = subject_of(BRACKET.sub("", label)) if label else frozenset()
    named = bool(own - generic_terms()) and any(map(str.isalpha, label))
    if label:
        about = BRACKET.sub("", label if named else fold(above[-1]) if above else "")
        subject, numbers = subject_of(about), _numbers_of(about)
        if 0 < len(subject) <= _MOST:
            if named:
                yield StatedState(subject, VALUE, True, numbers)
            first = _CLAUSE.split(rest, maxsplit=1)[0]
            for state, start, end in _states(first, known):
                if not subject_of(first[:start]) and len(subject_of(first[end:])) <= _AFTER - 1:
                    yield StatedState(subject, state, named, numbers)
    if known.states and role is not Role.ROW:
        for clause in _CLAUSE.split(rest):
            yield from _clause(clause.strip(), known)


def _clause(clause: str, known: ChangeLexicon) -> Iterator[StatedState]:
    for state, start, end in _states(clause, known):
        before, after = subject_of(clause[:start]), subject_of(clause[end:])
        subject = before if before and len(after) <= _AFTER else after if not before else frozenset[str]()
        if 1 < len(subject) <= _MOST and not subject <= generic_terms() and _names_something(subject):
            yield StatedState(subject, state, False, _numbers_of(clause))


def _states(clause: str, known: ChangeLexicon) -> list[tuple[str, int, int]]:
    """Return the states that a clause names and does not deny, with their places; `not working` is not `working`."""
    if any(word in clause for word in partly()):
        return []
    found = [(state, *match.span()) for state, words in known.states.items() for match in words.finditer(clause)]
    return [
        (state, start, end)
        for state, start, end in found
        if not any(low <= start and end <= high and high - low > end - start for _, low, high in found)
        and not _is_denied(clause[:start], clause[end:])
    ]


def _is_denied(before: str, behind: str) -> bool:
    """Whether a denial stands before a state, perhaps with a form of "be" between, or behind one whose verb is last."""
    first, last = denials()
    return first.search(before) is not None or last.match(behind) is not None


def _replaced(plain: str, known: ChangeLexicon) -> Iterator[OldValue]:
    """Yield the values that a sentence says were replaced; a state, as in `(was submitted)`, is no value."""
    for match in places(known.replaced, plain):
        groups = match.groupdict()
        said = _REMARK.sub("", groups["old"])
        old, new = _value(said), _value(groups.get("new") or "")
        if old and not any(words.fullmatch(said.strip()) for words in known.states.values()):
            yield OldValue(old, new, True, _EXACT.fullmatch(said.strip()) is not None)
    for match in places(known.contrast, plain):
        if denied := _IDENTIFIER.search(match["old"].strip()):
            yield OldValue(_value(denied[0]), (), is_said=True, is_exact=False)
    for segment in _SEGMENT.split(plain):
        parts = _ARROW.split(segment)
        if len(parts) == 2:
            old, new = _value(_LEAD.sub("", parts[0])), _value(_TAIL.sub("", parts[1]))
            if old and new:
                yield OldValue(old, new, False, False)


def _difference(plain: str) -> Iterator[OldValue]:
    """Yield the earlier value of a row with two values and their difference: `| Score | 7.25 | 7.5 | +0.25 |`."""
    cells = [cell.strip() for cell in plain.strip(" |").split("|")]
    for old, new, difference in zip(cells, cells[1:], cells[2:], strict=False):
        numbers = all(map(_NUMBER.fullmatch, (old, new, difference))) and difference[0] in "+-"
        if numbers and abs(float(new) - float(old) - float(difference)) < _EQUAL:
            yield OldValue(_value(old), _value(new), is_said=False, is_exact=False)


def _value(text: str) -> tuple[str, ...]:
    terms, small = in_order(text), small_terms()
    while terms and terms[0] in small:
        del terms[0]
    while terms and terms[-1] in small:
        del terms[-1]
    return tuple(terms) if len(terms) <= 14 else ()
