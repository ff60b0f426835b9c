"""Splits a text into words, or characters where a script has no spaces, for the claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold, variants

if TYPE_CHECKING:
    from collections.abc import Iterable

GOES_ON, DOT, COLON, CLAUSE, SENTENCE = range(5)
"""What ends behind a word. A DOT ends a sentence, or an abbreviation: `kl. 8.15`."""
_AROUND = "@\"'“”‘’„«»()[]{}<>*_`!?…。「」『』（）【】,;:.，；：、।？！"
_ENDS = {
    ".": DOT,
    **dict.fromkeys(":：", COLON),
    **dict.fromkeys(",;)]}(，；、）】（–—", CLAUSE),
    **dict.fromkeys("!?。！？।", SENTENCE),
}
_CACHED, _CACHED_CHUNK = 50_000, 40
"""Chunks that are kept, and the characters of the longest of them."""


class Word(NamedTuple):
    """One word as it stands in a text."""

    low: str
    """Folded; where words are not parted only in one width, case and Chinese script."""
    capital: bool
    ends: int
    """GOES_ON, or what ends behind it."""


class _Words(dict[str, Word]):
    """A chunk between blanks to its word: logs say the same few again and again."""

    def __missing__(self, chunk: str) -> Word:
        bare = chunk.strip(_AROUND)
        if not any(map(str.isalnum, bare)):
            bare = ""
        if chunk.isascii():
            word = Word(bare.lower(), bare[:1].isupper(), _ENDS.get(chunk[-1], GOES_ON))
        else:
            word = Word(fold(bare), bare[:1].isupper(), _ENDS.get(variants(chunk)[-1:], GOES_ON))
        if len(chunk) <= _CACHED_CHUNK:
            if len(self) >= _CACHED:
                self.clear()
            self[chunk] = word
        return word


_words = _Words()


def decorated(words: Iterable[str]) -> frozenset[str]:
    """Return words, also with the marks that may be beside them, to look them up in a text that was only split."""
    return frozenset([form for word in words for form in (word, f"({word}", *map(word.__add__, ".,:;)!।"))])


_SIGN = lazy_pattern(r"[0-9]+ ?[年月日号]|[a-z0-9](?:[a-z0-9_.+@/#%:-]*[a-z0-9_+#%])?|\S")


def split(text: str, *, spaced: bool) -> list[Word]:
    """Return the words of a text, in order."""
    if not spaced:
        return _characters(variants(text).lower())
    chunks = text.split()
    found = [_words[chunk] for chunk in chunks]
    if "(" in text or "[" in text:  # what an opening bracket ends
        for at, chunk in enumerate(chunks):
            if chunk[0] in "([" and at and found[at - 1][2] < CLAUSE:
                found[at - 1] = found[at - 1]._replace(ends=CLAUSE)
    return found if all(word[0] for word in found) else _without_marks(found)


def _without_marks(words: list[Word]) -> list[Word]:
    """Return the words without lone marks, which end a clause."""
    found: list[Word] = []
    for word in words:
        if word.low:
            found.append(word)
        elif found and found[-1].ends < CLAUSE:
            found[-1] = found[-1]._replace(ends=CLAUSE)
    return found


def signs(text: str) -> list[str]:
    """Return the characters of a folded text without spaces between words; Latin words and numbers stay whole."""
    return _SIGN.findall(text)


def _characters(text: str) -> list[Word]:
    found: list[Word] = []
    for sign in signs(text):
        if sign[-1] in "年月日号" and len(sign) > 1:
            continue  # a day says when, not what
        ends = _ENDS.get(sign, GOES_ON)
        if not ends and sign not in _AROUND:
            found.append(Word(sign, False, GOES_ON))
        elif found and ends > found[-1].ends:
            found[-1] = found[-1]._replace(ends=ends)
    return found
