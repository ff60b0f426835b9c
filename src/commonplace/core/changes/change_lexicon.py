"""The words of changes (`data/changes.json`) as patterns, for the languages of one script."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from commonplace.core.changes.day_change_lexicon import DAY_VERBS
from commonplace.core.tables import table
from commonplace.core.text.analyzer import in_order
from commonplace.core.text.known_languages import HAN, LANGUAGES, LATIN, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

_VALUE = '(?P<{}>"[^"]{{1,80}}"|[^,;。、!?()|]{{1,60}}?)'
_SLOTS = lazy_pattern("OLD|NEW|V")
_WORD = lazy_pattern(r"\w+")
_WITHIN = r"\w\u0900-\u0963"
"""What a word is written with: vowel signs of Devanagari are no letters."""
_BETWEEN = r"(?: [^,;.()|]{0,40}?)?"
"""What may be between a verb and its values: "moved the server from A to B"."""


MARKUP = lazy_pattern(r"~~.*?~~|[*`]{1,3}|(?<=\d),(?=\d{3}(?!\d))")
"""What is not read: struck text, emphasis, and the commas in a number."""
ARROWS = ("→", "->", "=>", "⇒")
"""What may be between an old value and a new one."""
DOUBT = "doubt"
"""The group of words of plans, questions and conditions."""


class Sentence(NamedTuple):
    """A sentence of a change, with the groups `old` and perhaps `new`."""

    pattern: re.Pattern[str]
    literals: tuple[str, ...]
    """What every text with this sentence has, the longest first."""

    def may_be_in(self, plain: str) -> bool:
        """Return whether a folded text has all of them."""
        return self.literals[0] in plain and all([each in plain for each in self.literals])


class ChangeLexicon(NamedTuple):
    """What the languages of one script say of changes."""

    states: dict[str, re.Pattern[str]]
    """Group of states -> its words."""
    replaced: tuple[Sentence, ...]
    contrast: tuple[Sentence, ...]
    """Sentences that only deny `old`, which count where it is an identifier."""
    doubt: re.Pattern[str] | None
    """Words of plans, questions and conditions."""
    begun: dict[str, tuple[tuple[str, str], ...]]
    """First word -> (phrase, its group of states, or `DOUBT`); empty: those without spaces, or that begin with a sign.
    """

    def narrowed(self, plain: str) -> "ChangeLexicon":
        """Return only what a folded text has of it, which costs less to look for than to match: most have nothing."""
        words = self.begun.keys() & set(_WORD.findall(plain))
        begun = [*self.begun.get("", ()), *(pair for word in words for pair in self.begun[word])]
        groups = {group for phrase, group in begun if phrase in plain}
        doubted = self.doubt is not None and DOUBT in groups and self.doubt.search(plain) is not None
        return self._replace(
            states={each: words for each, words in self.states.items() if each in groups and words.search(plain)},
            replaced=tuple(each for each in self.replaced if each.may_be_in(plain)),
            contrast=tuple(each for each in self.contrast if each.may_be_in(plain)),
            doubt=self.doubt if doubted else None,
        )


def places(wordings: Iterable[Sentence], plain: str) -> Iterator[re.Match[str]]:
    """Yield where one of these sentences is in a folded text."""
    for sentence in wordings:
        if sentence.may_be_in(plain):
            yield from sentence.pattern.finditer(plain)


REPLACED = "replaced"
"""What a line says that names the value that another replaced."""
ANOTHER_DAY = "another day"
"""What a line says that tells of a day which was moved, put off or cancelled."""


@lru_cache(1 << 13)
def cues(text: str) -> frozenset[str]:
    """Return which newer states a line may name, and `REPLACED` and `ANOTHER_DAY` if it may tell that: most name none.

    It is fast, and says rather too much: what a line states is read by `stated_states.told`. Kept, because questions
    that are typed meet the same lines again and again.
    """
    plain = fold(MARKUP.sub("", text))
    words, phrases, foreign = _cues()
    said = {*_WORD.findall(plain)}
    found = {what for word in words.keys() & said for what in words[word]}
    begun = [*phrases[""], *(pair for word in phrases.keys() & said for pair in phrases[word])]
    if not plain.isascii():
        begun += [pair for sign in foreign.keys() & {*plain} for pair in foreign[sign]]
    if plain[:1] == "|" and _DIFFERENCE.search(plain):
        found.add(REPLACED)
    return frozenset(found.union(what for phrase, what in begun if phrase in plain))


_DIFFERENCE = lazy_pattern(r"\|\s*[+-][\d.]")
"""What a row of a table has that says by its numbers alone what was replaced."""
_Cue = tuple[str, str]
"""A phrase, and what it may mean."""


@cache
def _cues() -> tuple[dict[str, set[str]], dict[str, list[_Cue]], dict[str, list[_Cue]]]:
    """Return word -> what it may mean, first word -> phrases in ASCII (empty: they begin with a sign), and the other
    phrases by their first character."""
    words: dict[str, set[str]] = {}
    phrases: dict[str, set[str]] = {"[x]": {"done"}, **{arrow: {REPLACED} for arrow in ARROWS}}
    for code, language in LANGUAGES.items():
        known = table("changes")[code]
        plain = (said for said in (*known["replaced"], *known["contrast"]) if "V" not in said)
        replaced = (max(_SLOTS.split(said), key=len).strip() for said in plain)
        listed = [(known["states"][state], state) for state in newer_states()] + [(known["moves"], REPLACED)]
        listed += [(table("day_changes")[code][kind], ANOTHER_DAY) for kind in DAY_VERBS]
        meant = [(phrase, what) for said, what in listed for phrase in said.split(", ")]
        for phrase, what in [*meant, *((said, REPLACED) for said in replaced)]:
            if folded := fold(phrase):
                single = language.spaced and _WORD.fullmatch(folded)
                (words if single else phrases).setdefault(folded, set()).add(what)
    by_word: dict[str, list[_Cue]] = {"": []}
    by_sign: dict[str, list[_Cue]] = {}
    for phrase, meanings in phrases.items():
        pairs = [(phrase, what) for what in meanings]
        if phrase.isascii():
            first = _WORD.match(phrase)
            by_word.setdefault(first[0] if first else "", []).extend(pairs)
        else:
            by_sign.setdefault(phrase[0], []).extend(pairs)
    return words, by_word, by_sign


def lexicon(text: str) -> ChangeLexicon:
    """Return the lexicon for a text, by its script."""
    code = "en" if text.isascii() else identify(text).code
    if code in LATIN:
        return _lexicon(LATIN)
    # a few words with hardly any kana are taken for Chinese and may be Japanese
    return _lexicon(("en", *HAN) if code == "zh" else ("en", code))


@cache
def small_terms() -> frozenset[str]:
    """Return terms that say nothing about a subject."""
    return _terms("small") | frozenset(["→", "->", "=>", "-", "—", "–", "|", ":", "(", ")", ".", ",", "✅", "❌", "⚠️"])


@cache
def generic_terms() -> frozenset[str]:
    """Return terms of labels that name no subject, such as Status."""
    return _terms("generic")


@cache
def conflicts() -> frozenset[tuple[str, ...]]:
    """Return pairs of states, older and newer, that one subject cannot have at once."""
    return frozenset(tuple(pair.split()) for pair in table("changes")["conflicts"].split(", "))


@cache
def newer_states() -> frozenset[str]:
    """Return the states with which a line outdates another."""
    return frozenset(("moved", "off", *(newer for _, newer in conflicts())))


@cache
def partly() -> tuple[str, ...]:
    """Return words that say that something ended in part only."""
    return tuple(map(fold, table("changes")["partly"].split(", ")))


@cache
def denials() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what ends in a denial of the state that follows, and what begins with one of the state before."""
    known = table("changes")
    spaced, signs = map(_longest_first, (_phrases(known["denied"]), _phrases(known["denied in signs"])))
    be, last = map(_longest_first, (_phrases(known["be"]), _phrases(known["denied behind"])))
    before = rf"(?:(?<![{_WITHIN}])(?:{spaced})(?: (?:{be})){{0,2}} |(?:{signs}) ?)$"
    return lazy_pattern(before), lazy_pattern(rf" ?(?:{last})")


@cache
def unnumbered() -> frozenset[str]:
    """Return words behind which a number is that of no thing: months, units of time, versions."""
    known = [table("when", code)["words"] for code, language in LANGUAGES.items() if language.spaced]
    when = (fold(word) for each in known for of in ("month", "unit", "weekday") for word in each[of])
    return small_terms().union(when, map(fold, table("changes")["unnumbered"].split(", ")))


def _terms(of: str) -> frozenset[str]:
    return frozenset(term for code in LANGUAGES for term in in_order(fold(table("changes")[code][of])))


@cache
def _lexicon(languages: tuple[str, ...]) -> ChangeLexicon:
    listed = {each: table("changes")[each] for each in languages}
    groups = {group: {each: said["states"][group] for each, said in listed.items()} for group in listed["en"]["states"]}
    groups[DOUBT] = {each: said["doubt"] for each, said in listed.items()}
    begun: dict[str, list[tuple[str, str]]] = {}
    for group, phrases in groups.items():
        for code, said in phrases.items():
            for phrase in _phrases(said):
                first = _WORD.match(phrase) if LANGUAGES[code].spaced else None
                begun.setdefault(first[0] if first else "", []).append((phrase, group))
    patterns = {group: _any_of(phrases) for group, phrases in groups.items()}
    return ChangeLexicon(
        {group: pattern for group, pattern in patterns.items() if group != DOUBT},
        tuple(_sentence(each, said) for each in languages for said in listed[each]["replaced"]),
        tuple(_sentence(each, said) for each in languages for said in listed[each]["contrast"]),
        patterns[DOUBT],
        {first: tuple(pairs) for first, pairs in begun.items()},
    )


def _phrases(listed: str) -> list[str]:
    return [*filter(None, map(fold, listed.split(", ")))]


def _any_of(lists: Mapping[str, str]) -> re.Pattern[str]:
    """Return the pattern of any phrase of these lists, each of one language."""
    bounded, anywhere = list[str](), list[str]()
    for code, listed in lists.items():
        (bounded if LANGUAGES[code].spaced else anywhere).extend(map(re.escape, _phrases(listed)))
    # the bounds stand once: a branch that begins with a letter is ten times faster than one that looks behind itself
    parts = [rf"(?<![{_WITHIN}-])(?:{_longest_first(bounded)})(?![{_WITHIN}-])"] if bounded else []
    parts += [_longest_first(anywhere)] if anywhere else []
    return lazy_pattern("|".join(parts))


def _longest_first(phrases: list[str]) -> str:
    return "|".join(sorted(phrases, key=len, reverse=True))


def _sentence(code: str, said: str) -> Sentence:
    """Return the pattern of one sentence, in which OLD, NEW and V stand for values and verbs."""
    spaced = LANGUAGES[code].spaced
    moves = "|".join(
        sorted((re.escape(fold(each)) for each in table("changes")[code]["moves"].split(", ")), reverse=True)
    )
    found = r"(?<![\w-])" if spaced and said[0].isalpha() and not said.startswith("OLD") else ""
    for part in re.split("(OLD|NEW|V)", said):
        if part in ("OLD", "NEW"):
            found += _VALUE.format(part.lower())
        elif part == "V":
            found += f"(?:{moves})" + (_BETWEEN if spaced and said.startswith("V") else "")
        else:
            before, behind = part[:1] == " ", part[-1:] == " " and len(part) > 1
            found += " " * before + re.escape(fold(part)) + " " * behind
    if not said.endswith(")") and not said.endswith("V"):
        found += (
            r"(?=$|[,;。、)(|]|\.\s|\.$|\s[-—]\s| in | on | for | because )"
            if spaced
            else "(?=$|[,;。、)(|にでのへを了])"
        )
    parts = (fold(part).strip() for part in _SLOTS.split(said))
    return Sentence(lazy_pattern(found), tuple(sorted(filter(None, parts), key=len, reverse=True)))
