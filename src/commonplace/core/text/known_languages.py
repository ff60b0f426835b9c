"""The languages that are read, one record each, and the detector that identifies the language of a text.

A language is a record here and a folder `data/CODE/` with its tables (`when`, `claims`, `stance`, `infer`, `topics`,
`language`). Most modules ask a record (`spaced`, `verb_last`, `stemmer`); docs/contributing.md lists those that name a
script or a code, and `tests/core/text/test_known_languages.py` lists what a language lacks.

Each language has words that show it, its `marks`, which no other language of its script has. The language with the
most different marks in a text is its language; where two have as many, the first of `LANGUAGES`, English. Of sentences
on the web in English and of Danish news (Universal Dependencies, EWT and DDT) 99.9 % and 97.4 % are detected, of three
words from them 99.9 % and 90.2 %. Marks were added after a look at these sentences: other texts may do a little worse.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from commonplace.core.tables import table


class Language(NamedTuple):
    """How one language is written."""

    code: str
    """ISO 639-1; also its folder of data."""
    name: str
    script: str
    """`latin`, `cyrillic`, `devanagari` or `han`."""
    stemmer: str = ""
    """The algorithm of Snowball for its words; empty where no spaces separate words."""
    spaced: bool = True
    """Whether spaces separate its words."""
    verb_last: bool = False
    """Whether the verb is at the end of a sentence."""
    day_first: bool = False
    """Whether 3/4 is the third of April."""
    cases: bool = False
    """Whether names change their endings with their part in a sentence, so that they are compared by their stems."""

    @property
    def function_words(self) -> list[str]:
        """The words that have no meaning alone, of its table `language`."""
        return self._listed("function")

    @property
    def marks(self) -> list[str]:
        """The words that show the language, as no other language of its script has them; where it is not alone."""
        return self._listed("marks")

    def _listed(self, key: str) -> list[str]:
        words: str = table("language", self.code)[key]
        return words.split()


LANGUAGES = {
    each.code: each
    for each in (
        Language("en", "English", "latin", "english"),
        Language("da", "Danish", "latin", "danish", day_first=True),
        Language("zh", "Chinese", "han", spaced=False),
        Language("ja", "Japanese", "han", spaced=False, verb_last=True),
        Language("hi", "Hindi", "devanagari", "hindi", verb_last=True),
        Language("ru", "Russian", "cyrillic", "russian", day_first=True, cases=True),
    )
}
"""By code. English, which is assumed where a text shows nothing, stands first."""


@cache
def written_in(*scripts: str) -> tuple[str, ...]:
    """Return the codes of the languages of these scripts, in the order of `LANGUAGES`."""
    return tuple(each.code for each in LANGUAGES.values() if each.script in scripts)


LATIN = written_in("latin")
CYRILLIC = written_in("cyrillic")
DEVANAGARI = written_in("devanagari")
HAN = written_in("han")
ALPHABETIC = written_in("latin", "cyrillic")
"""Codes of the languages in alphabets: one reader cuts them into words, and words of two scripts never meet."""
SPELLED = written_in("latin", "cyrillic", "devanagari")
"""Codes of the languages whose words are made of letters."""
UNSPACED = frozenset(code for code, each in LANGUAGES.items() if not each.spaced)
"""Codes of languages without spaces between words."""


class Identified(NamedTuple):
    """The language of a text."""

    code: str
    lead: int
    """How many more marks of it than of any other language the text has; `SURE` if its script shows it."""

    @property
    def sure(self) -> bool:
        """Whether the text shows it by its script, or by more than one word."""
        return self.lead >= SURE


SURE = 2
_FARTHEST = 2_000
"""Characters in which a language is looked for."""


@lru_cache(maxsize=8)
def identify(text: str, *scripts: str) -> Identified:
    """Return the language of a text, or of what it has in one of these scripts. Kept: each reader of a line asks."""
    text = text[:_FARTHEST]
    if not text.isascii() and max(text) >= _FIRST_LETTER and (code := _by_letters(text, scripts)):
        around = None if scripts or code not in HAN else _around_a_name(text)
        return around or Identified(code, SURE)
    return _by_words(text)


# ---------------------------------------------------------------------- by letters

_FIRST_LETTER = "\u0400"
"""The first of the scripts other than Latin."""
_AROUND = 4
"""Latin letters for each Han or katakana letter above which these may be a foreign name in a sentence."""
_MOST_HAN = 8
"""Chinese characters for each kana up to which a text is Japanese."""


_KANA, _HAN = "\u3041-\u30fa\u30fc-\u30ff", "\u3400-\u4dbf\u4e00-\u9fff"
_HINDI, _RUSSIAN = "\u0900-\u097f", "\u0400-\u04ff"


@cache
def _runs(letters: str) -> re.Pattern[str]:
    return re.compile(f"[{letters}]+")


def _count(letters: str, text: str) -> int:
    """Return how many of these letters a text has; run by run, which are fewer."""
    return sum(map(len, _runs(letters).findall(text)))


@cache
def _japanese() -> re.Pattern[str]:
    return re.compile(table("language", "ja")["signs"])


def _by_letters(text: str, scripts: tuple[str, ...]) -> str:
    """Return the code of the language whose letters a text has; empty if they are Latin or of an unknown language."""
    kana, han = _count(_KANA, text), _count(_HAN, text)
    if (kana or han) and (not scripts or "han" in scripts):
        return "ja" if kana * _MOST_HAN >= han or _japanese().search(text) is not None else "zh"
    if (not scripts or "devanagari" in scripts) and _runs(_HINDI).search(text):
        return "hi"
    if (not scripts or "cyrillic" in scripts) and (russian := _count(_RUSSIAN, text)):
        foreign = set(table("language", "ru")["foreign"])
        return "ru" if foreign.isdisjoint(text) and 2 * russian >= sum(map(str.isalpha, text)) else ""
    return ""


def _around_a_name(text: str) -> Identified | None:
    """Return the language of a sentence in Latin script in which only a name is in another; None if it is not one."""
    if _hiragana().search(text):
        return None
    latin = sum(map(str.isascii, filter(str.isalpha, text)))
    found = _by_words(text) if latin > _AROUND * _count(_KANA + _HAN + _HINDI + _RUSSIAN, text) else None
    return found if found and found.sure else None


@cache
def _hiragana() -> re.Pattern[str]:
    return re.compile("[\u3041-\u309f]")


# ---------------------------------------------------------------------- by words

BREAKS = "\t\n.,;:!?()[]{}<>\"'`*_|/\\-–—~=&+#@“”‘’…।"
"""What separates words, besides spaces."""


@cache
def _spaces() -> bytes:
    """Return a table for Latin-1: marks become spaces, digits 0. A character beyond Latin-1 arrives as `?`, a space."""
    marks = {ord(char) for char in BREAKS if ord(char) < 256} | set(range(32)) | {0xA0, 0xAB, 0xB7, 0xBB}
    return bytes(32 if code in marks else 48 if 48 <= code <= 57 else code for code in range(256))


@lru_cache(maxsize=8)
def latin_words(text: str) -> tuple[bytes, list[bytes]]:
    """Return the text in Latin-1 without marks, digits as 0, and its words. Kept, because the next step asks again."""
    simple = text.encode("latin-1", "replace").translate(_spaces())
    return simple, simple.split()


class _Marks(NamedTuple):
    """What shows that a text in Latin script is in a language."""

    code: str
    words: frozenset[bytes]
    """In their usual spellings."""
    letters: frozenset[str]
    dots: re.Pattern[str] | None
    """Ordinal numbers as only this language writes them: `3. maj`."""


_ABBREVIATION = 2
"""Letters up to which a word in capitals is an abbreviation: EN, DE."""


@cache
def _marks() -> tuple[_Marks, tuple[_Marks, ...]]:
    """Return the marks of the language that is assumed, and those of the other languages in Latin script."""
    first, *others = map(_marks_of, written_in("latin"))
    return first, tuple(others)


@cache
def _words_of_others() -> frozenset[bytes]:
    return frozenset(word for each in _marks()[1] for word in each.words)


@cache
def _may_be_ordinal() -> re.Pattern[str]:
    """Return what every match of `_Marks.dots` begins with."""
    return re.compile(r"[0-9]\.")


def _marks_of(code: str) -> _Marks:
    known = table("language", code)
    small = LANGUAGES[code].marks
    spelled = {*small, *map(str.title, small), *(word.upper() for word in small if len(word) > _ABBREVIATION)}
    words = frozenset(word.encode("latin-1") for word in spelled)
    dots = rf"[0-9]\.(?:{known['dots']})" if "dots" in known else ""
    return _Marks(code, words, frozenset(known.get("letters", "")), re.compile(dots) if dots else None)


def _by_words(text: str) -> Identified:
    """Return the language in Latin script of which a text has the most marks."""
    first, others = _marks()
    words, ascii_only = latin_words(text)[1], text.isascii()
    own = len(first.words.intersection(words))
    code, most = first.code, 0
    if ascii_only and _words_of_others().isdisjoint(words) and not _may_be_ordinal().search(text):
        return Identified(code, own)
    for each in others:
        count = 0 if each.words.isdisjoint(words) else len(each.words.intersection(words))
        if not ascii_only and not each.letters.isdisjoint(text):
            count += 1  # however many there are: names have them too
        if each.dots is not None and "." in text and each.dots.search(text) is not None:
            count += 1
        if count > most:
            code, most = each.code, count
    return Identified(code, most - own) if most > own else Identified(first.code, own - most)
