"""Which known name a word was meant to be that is written in another script: Докер, ドッカー and डॉकर are Docker.

Each script's letters become those of a small alphabet (data/sounds.json), which has what all of them tell apart. Latin
and Cyrillic spell all vowels; a name in Latin letters is read in several ways, since nobody writes how it sounds. Kana
add vowels and Devanagari leaves some out, so a word in these is what matches such spellings.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice, pairwise, product
from typing import TYPE_CHECKING

from commonplace.core.entities.alias_phrases import is_given
from commonplace.core.entities.household_names import household_keys
from commonplace.core.entities.name_uses import is_ordinary
from commonplace.core.tables import table
from commonplace.core.text.analyzer import document_terms
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

_SHORTEST, _LONGEST = 3, 24
"""Characters of a name."""
_MOST_WAYS = 96
"""Ways in which a name is read."""
_SCRIPTS = (("a", "\u0250", "latin"), ("\u0400", "\u0530", "cyrillic"), ("\u3041", "\u30ff", "kana"),
            ("\u0900", "\u0980", "devanagari"))  # fmt: skip
_SPELLED = frozenset(("latin", "cyrillic"))
"""Scripts that write all vowels."""
_FEW, _SHORT = 2, 5
"""Consonants, and letters of a name, with which ordinary words often sound like it: жить is no Git, रक्त no React."""
_ENDING = 3
"""Letters of a case in Russian."""
_LONGER = 6
"""Letters by which one script is longer than another."""
_MOST_WORDS = 8
"""Words of a question that are looked at."""
_REPEATED = lazy_pattern(r"([a-z])\1+")
_VOWEL = lazy_pattern("[aiu]")
_CONSONANT = lazy_pattern("[b-hj-tv-z]")
_VIRAMA, _LONG = "\u094d", "ー"


def sounding(words: Mapping[str, bool], names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return words -> the words of these folded names that are in another script and sound so, capitalised.

    Args:
        words: for each whether it is written as a name: with a capital within a sentence, or in katakana.
    """
    typed = {word: fold(word) for word in islice(words, _MOST_WORDS) if _script(fold(word))}
    if not typed:
        return {}
    only = {_script(spelt) for spelt in typed.values()}
    by_start: dict[tuple[str, str], list[str]] = {}
    for part in {part for name in names for part in name.split()}:
        if (script := _script(part)) and {script} != only:  # mostly all are in one script, and so are the words
            for start in _begins(part[:3]):
                by_start.setdefault((script, start), []).append(part)
    found = {word: set[str]() for word in typed}
    for word, spelt in typed.items():
        for (script, start), parts in by_start.items():
            if script != _script(spelt) and start in _begins(spelt[:3]):
                found[word].update(part for part in parts if _is_heard(spelt, part, is_name=words[word]))
    return {word: tuple(sorted(part[0].upper() + part[1:] for part in near)) for word, near in found.items() if near}


def _is_heard(word: str, name: str, *, is_name: bool) -> bool:
    """Whether a word sounds like a name, and is enough of one: the fewer consonants it has, the more ordinary words
    sound so, most of all those of letters without a capital."""
    if abs(len(word) - len(name)) > _LONGER or not (said := _said_alike(word, name)):
        return False
    consonants = max(len(_CONSONANT.findall(each)) for each in said)
    if is_given(name):
        return consonants + is_name >= _FEW and (is_name or len(name) >= _SHORT)
    if is_ordinary(name) and name not in household_keys():
        return False
    if max(len(word), len(name)) < _SHORT:
        return is_name and consonants > _FEW
    return consonants > _FEW or (is_name and consonants == _FEW)


def _script(word: str) -> str:
    """The script of a folded word by its first letter, as `sounds` names it; empty of Han, others, and no name."""
    return _script_of(word[0]) if _SHORTEST <= len(word) <= _LONGEST else ""


@lru_cache(maxsize=4096)
def _script_of(character: str) -> str:
    return next((script for first, end, script in _SCRIPTS if first <= character < end), "")


def _said_alike(one: str, other: str) -> Collection[str]:
    """The spellings in the small alphabet that two words in two scripts have in common."""
    scripts = {_script(one), _script(other)}
    if scripts == _SPELLED:
        return _spelled(one) & _spelled(other)
    if scripts.isdisjoint(_SPELLED):
        return ()
    spelled, heard = (one, other) if _script(one) in _SPELLED else (other, one)
    return [each for each in _spelled(spelled) if _heard(heard).fullmatch(each)]


@lru_cache(maxsize=4096)
def _spelled(word: str) -> frozenset[str]:
    """A word in Latin or Cyrillic in the small alphabet, in each way that it may be read."""
    if _script(word) == "latin":
        read = _latin(word) if word.isalpha() else iter(())
    else:  # докера is of Docker, too
        stem = document_terms(word).split(" ", 1)[0]
        forms = {word, stem} if len(word) - len(stem) <= _ENDING else {word}
        read = iter("".join(map(_of_cyrillic, form)) for form in forms)
    return frozenset(map(_joined, read))


def _latin(word: str) -> Iterator[str]:
    """A word in Latin letters, in each way that it may be read; an e at the end is seldom said."""
    ways, parts, ending = _sounds("latin"), _latin_parts(), _sounds("latin endings").get(word[-3:])
    forms = [(word, ""), *([(word[:-1], "")] if word[-1:] == "e" else ()), *([(word[:-3], ending)] if ending else ())]
    for form, end in forms:
        read = product(*(ways.get(part, part).split("|") for part in parts.findall(form)))
        yield from islice((f"{''.join(each)}{end}" for each in read), _MOST_WAYS)


def _of_cyrillic(letter: str) -> str:
    return _sounds("cyrillic").get(letter, "")


def _joined(letters: str) -> str:
    """Letters without those that are not said, and each once."""
    letters = letters.replace("-", "").replace("dz", "z")
    return _REPEATED.sub(r"\1", re.sub("m(?=[bp])", "n", letters))


@lru_cache(maxsize=64)
def _heard(word: str) -> re.Pattern[str]:
    """What matches the spellings of a word in kana or Devanagari."""
    said = _of_kana(word) if _script(word) == "kana" else _of_devanagari(word)
    return re.compile(re.sub(r"([a-z])u\?\1", r"\1(?:u?\1)?", _REPEATED.sub(r"\1", said)))


def _of_kana(word: str) -> str:
    letters, small, said = _sounds("kana"), _sounds("small kana"), ""
    for kana in word:
        if kana in small:
            said = re.sub(r"[aiu]\??$", "", said) + small[kana]
        elif kana == _LONG:
            said = f"{said.removesuffix('?')}R?"
        else:
            said += letters.get(kana, "")
    return said


def _of_devanagari(word: str) -> str:
    letters, vowels, said = _sounds("devanagari"), _sounds("vowel signs"), ""
    for sign, behind in pairwise([*word, _VIRAMA]):
        said += letters.get(sign) or vowels.get(sign) or ("n" if sign in "ंँ" else "")
        is_consonant = sign in letters and not _VOWEL.match(letters[sign])
        if is_consonant and behind != _VIRAMA and behind not in vowels:
            said += "[aiu]?" if behind == "र" else "[au]?"  # डॉकर: -er, -or
    return said


@lru_cache(maxsize=4096)
def _begins(begins: str) -> frozenset[str]:
    """With which sounds a word with this beginning may begin; vowels are one, as English has them."""
    script = _script(begins)
    if script == "latin":
        said = {each[:1] for each in map(_joined, _latin(begins))}
    elif script:
        letters = _sounds(script)
        said = {_joined("".join(letters.get(letter, "") for letter in begins))[:1]}
    else:
        said = set()
    return frozenset(_VOWEL.sub("a", each) for each in said)


@cache
def _sounds(script: str) -> dict[str, str]:
    """Return letters -> their sounds."""
    told = table("sounds")[script].split(" ")
    return dict(zip(told[::2], told[1::2], strict=True))


@cache
def _latin_parts() -> re.Pattern[str]:
    """Return what finds the next letters that sound together."""
    return re.compile("|".join(sorted(_sounds("latin"), key=len, reverse=True)) + "|[a-z]")
