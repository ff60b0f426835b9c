"""The words of a statement with the part that each plays, by one lexicon.

Text in alphabets is matched by stems, longest phrase first. Chinese and Japanese have no spaces: the longest entry at
each position is taken, and the text between entries is split into pairs of characters.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.stance.stance_words import stems, tokens
from commonplace.core.text.known_languages import UNSPACED
from commonplace.core.text.normalize import unify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonplace.core.stance.stance_lexicon import StanceLexicon


class Atom(NamedTuple):
    """A word or phrase."""

    concept: str
    """Stem of the first of its synonyms; for a number its value."""
    surface: str
    role: str
    """A key of `stance_lexicon.ROLES`, or `content`, `word` (not in the lexicon), `number`."""


_ABBREVIATED = 2
_BREAKS = frozenset(".;!?\n।。")
_ENDS = {"zh": _BREAKS | {","}, "ja": _BREAKS}
"""Signs that separate clauses: in Chinese also the comma."""
_PAUSES = frozenset("、,()—–")
_SHORTEST_KATAKANA = 2
_DIGITS = {digit: value for value, digit in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
_POWERS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "萬": 10_000}
_LONGEST_NUMBER = 12
_UNSEEN = dict.fromkeys([0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065), 0xFEFF])
_SIGNS = {"<": "at_most", "≤": "at_most", "<=": "at_most", ">": "at_least", "≥": "at_least", ">=": "at_least"}


def atoms(text: str, words: StanceLexicon) -> list[Atom]:
    """Return the atoms of a text in NFKC."""
    if words.language not in UNSPACED:
        return list(_spaced(unify(text), words))
    text = text.translate(_UNSEEN)
    folded = unify(text).casefold()
    return list(_unspaced(text if len(folded) == len(text) else folded, folded, words=words))


def _spaced(text: str, words: StanceLexicon) -> Iterator[Atom]:
    written = tokens(text)
    stemmed = stems(written, words.language)
    place, size = 0, len(written)
    while place < size:
        surface, stem = written[place], stemmed[place]
        if words.counters and stem in words.numbers and place + 1 < size and written[place + 1] in words.counters:
            yield Atom(repr(words.numbers[stem]), surface, "number")  # one o'clock; otherwise a function word
            place += 1
            continue
        for key, role, concept in words.phrases.get(stem, ()):
            if key == (stem,) or tuple(stemmed[place : place + len(key)]) == key:
                length = len(key)
                yield Atom(
                    words.concepts.get(concept, concept) or stem, " ".join(written[place : place + length]), role
                )
                place += length
                break
        else:
            place += 1
            if surface == "." and not _ends(written, place):
                continue
            yield _plain(surface, stem, words=words)


def _ends(written: list[str], after: int) -> bool:
    """Whether the full stop before a position ends a sentence: not after `kl`, not before a number, not in `2. sal`."""
    before = written[after - 2] if after > 1 else ""
    following = written[after] if after < len(written) else ""
    if before.isdecimal() and following[:1].islower():
        return False
    return not following[:1].isdecimal() and not (len(before) <= _ABBREVIATED and before.isalpha() and following)


def _plain(surface: str, stem: str, *, words: StanceLexicon) -> Atom:
    if surface in _BREAKS:
        return Atom("", surface, "breaks")
    if surface in _SIGNS:
        return Atom("", surface, _SIGNS[surface])
    if stem in words.numbers:
        return Atom(repr(words.numbers[stem]), surface, "number")
    if surface[0].isdecimal():
        value = _number(surface)
        return Atom(surface, surface, "word") if value is None else Atom(repr(value), surface, "number")
    if not surface[0].isalpha() and surface != "%":
        return Atom("", surface, "plain")
    return Atom(words.concepts.get(stem, stem), surface, "word")


def _number(written: str) -> float | None:
    """Return the value of `1,500`, `1.5`, `9:30`; None for versions and dates."""
    if ":" in written:
        hours, _, minutes = written.partition(":")
        return float(hours) + float(minutes) / 60 if minutes.isdecimal() and hours.isdecimal() else None
    parts = re.split("[.,]", written)
    if len(written) > 15:
        return None
    if len(parts) == 1:
        return float(written)
    if all(len(part) == 3 for part in parts[1:]) and len(parts[0]) <= 3 and parts[0] != "0":
        return float("".join(parts))
    return float(parts[0] + "." + parts[1]) if len(parts) == 2 else None


@cache
def _piece() -> re.Pattern[str]:
    """Return the pattern of a Latin word, a number, a run of katakana, or one character."""
    latin = "A-Za-z\u00c0-\u024f"
    return re.compile(
        f"([{latin}]+(?:['_-][{latin}]+)*|[0-9]+(?:[.,:][0-9]+)*|[<>≤≥]=?)|([\u30a1-\u30fa\u30fc]+)|([\u3400-\u9fff])"
        "|([\u3041-\u309f])|(.)",
        re.DOTALL,
    )


def _unspaced(text: str, folded: str, *, words: StanceLexicon) -> Iterator[Atom]:
    """Yield the atoms of unspaced text. `folded` is the text as the lexicon spells it, character by character; `text`
    is needed to recognise katakana.
    """
    place, size, start, script = 0, len(text), 0, 0
    piece = _piece()
    while place < size:
        match = piece.match(text, place)
        assert match is not None and match.lastindex is not None  # its last group matches any character
        kind, end = match.lastindex, match.end()
        atom: Atom | None = None
        if (
            kind == 3
            and (after := _counted(folded, place, words=words))
            and not _longer(folded, place, after=after, words=words)
        ):
            yield from _pairs(folded[start:place], text[start:place], words=words)
            yield Atom(repr(_written(folded[place:after])), text[place:after], "number")
            if not any(folded[after : after + length] in words.phrases for length in range(words.longest, 0, -1)):
                yield Atom(folded[after], text[after], "word")
                after += 1
            start = place = after
            continue
        if kind > 2:
            for length in range(min(words.longest, size - place), 0, -1):
                if entry := words.phrases.get(folded[place : place + length]):
                    key = folded[place : place + length]
                    end = place + length
                    atom = _entry(key, entry[0][1], concept=entry[0][2], words=words, surface=text[place:end])
                    break
        if atom is None and kind in {3, 4} and (kind == script or start == place):
            script, place = kind, end  # the run of unknown characters continues
            continue
        yield from _pairs(folded[start:place], text[start:place], words=words)
        if atom is not None:
            yield atom
        elif kind == 1:
            yield from _foreign(match.group(), words)
        elif kind == 2:
            yield from _katakana(folded[place:end], match.group(), words=words)
        elif kind == 5 and (role := _stop(folded[place], words.language)):
            yield Atom("", folded[place], role)
        elif kind in {3, 4}:
            start, script, place = place, kind, end
            continue
        start = place = end
    yield from _pairs(folded[start:place], text[start:place], words=words)


def _stop(sign: str, language: str) -> str:
    """Return the role of a sign: clause end, pause, or none."""
    return "breaks" if sign in _ENDS[language] else "plain" if sign in _PAUSES else ""


def _longer(text: str, place: int, *, after: int, words: StanceLexicon) -> bool:
    """Whether an entry at a position is longer than the number and its counter."""
    return any(text[place : place + length] in words.phrases for length in range(words.longest, after - place + 1, -1))


def _counted(text: str, place: int, *, words: StanceLexicon) -> int:
    """Return the end of a number at a position if a counter follows it, else 0."""
    after = place
    while after < len(text) and after - place < _LONGEST_NUMBER and (text[after] in _DIGITS or text[after] in _POWERS):
        after += 1
    return after if after > place and text[after : after + 1] in words.counters else 0


def _written(digits: str) -> float:
    """Return the value of a number in Chinese characters: 三千五百."""
    whole = part = digit = 0
    for character in digits:
        power = _POWERS.get(character, 0)
        if power == 10_000:
            whole, part, digit = (whole + part + digit or 1) * power, 0, 0
        elif power:
            part, digit = part + (digit or 1) * power, 0
        else:
            digit = digit * 10 + _DIGITS[character]
    return float(whole + part + digit)


def _katakana(key: str, surface: str, *, words: StanceLexicon) -> Iterator[Atom]:
    """Yield a run of katakana as one word, or as a lexicon entry and the rest: ダーク, モード."""
    for length in range(min(words.longest, len(key)), _SHORTEST_KATAKANA - 1, -1):
        if entry := words.phrases.get(key[:length]):
            yield _entry(key[:length], entry[0][1], concept=entry[0][2], words=words, surface=surface[:length])
            if length < len(key):
                yield Atom(words.concepts.get(key[length:], key[length:]), surface[length:], "word")
            return
    yield Atom(words.concepts.get(key, key), surface, "word")


def _entry(key: str, role: str, *, concept: str, words: StanceLexicon, surface: str) -> Atom:
    if key in words.numbers and role == "content":
        return Atom(repr(words.numbers[key]), surface, "number")
    return Atom(words.concepts.get(concept, concept) or key, surface, role)


def _foreign(found: str, words: StanceLexicon) -> Iterator[Atom]:
    lower = found.lower()
    yield _plain(found, stems([lower], "en")[0] if found[0].isalpha() else lower, words=words)


def _pairs(run: str, surface: str, *, words: StanceLexicon) -> Iterator[Atom]:
    """Yield a run without an entry as pairs of characters; a single kana in Japanese is a function word."""
    if not run:
        return
    if words.language == "ja" and _kana(run[0]) and len(run) < 2:
        yield Atom(run, surface, "function")
    elif len(run) <= 2:
        yield Atom(words.concepts.get(run, run), surface, "word")
    else:
        for start in range(len(run) - 1):
            yield Atom(run[start : start + 2], surface[start : start + 2], "word")


def _kana(character: str) -> bool:
    return "\u3041" <= character <= "\u30ff"
