"""Reads the claims of a fact: frames of words around a value.

"The flight to Oslo leaves at 9:00" is the frame {flight, oslo} of a start with 9:00 in its hole, and so is "The flight
to Oslo now leaves at 11:30". Whatever else is said keeps two frames apart: that the other flight goes to Rome, that it
is his sister who lives there, that she works elsewhere as well. So a clause that is not understood claims nothing in
common with another. Doubt, a condition, a plan, a question or a denial in a sentence, and it claims nothing.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from commonplace.core import when
from commonplace.core.claims import phrase_roles
from commonplace.core.claims.claim_clause import Claim, Names, claims_of
from commonplace.core.claims.claim_lexicon import ClaimLexicon, Phrase, lexicon
from commonplace.core.claims.claim_words import CLAUSE, COLON, DOT, SENTENCE, Word, decorated, split
from commonplace.core.claims.stretches import Item, Stretch, role_of
from commonplace.core.claims.succession import ENDS, TURNS
from commonplace.core.claims.terminations import latin, over, telling
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.unspaced_names import titled_names
from commonplace.core.model import Kind
from commonplace.core.text.known_languages import ALPHABETIC, LANGUAGES, LATIN, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold, variants
from commonplace.core.when.words.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from commonplace.core.model import Fact

_LONGEST = 400
"""Characters: a longer fact says more than one thing."""


def claims(fact: Fact, known: Iterable[str] | None = None) -> tuple[Claim, ...]:
    """Return the claims of a fact, each once. Opinions have evidence instead, and observations only sum up.

    Args:
        known: names in a plain line that need no tag; in a fact whoever it names is one, but for roles of many.
    """
    kind, text = fact.kind, fact.content
    if kind is Kind.OPINION or kind is Kind.OBSERVATION or len(text) > _LONGEST:
        return ()
    plain = text if text.isascii() else text.replace("–", " ").replace("’", "'")
    said = plain.lower().split()
    if plain.isascii() and _telling().isdisjoint(said):
        return ()
    language = identify(plain).code
    parts = _by_sentence(fact, plain)
    if len(parts) < 2:
        framed = _framed(fact, plain, language, said, known)
    else:
        found = [_framed(*part, language, part[1].lower().split(), known) for part in parts]
        framed = _without_homes(_each_once(claim for claims in found for claim in claims))
    if fact.entities and _is_over(plain, language, said=said):
        ended = _over(fact, language)
        return (*framed, ended) if ended is not None else framed
    return framed


def _by_sentence(fact: Fact, plain: str) -> list[tuple[Fact, str]]:
    """Return one fact for each sentence if the sentences name days: what one ends, the others do not."""
    places = sentences(plain)
    if len(places) < 2 or not when.may_hold(plain):
        return []
    said = [(fact.content[start:stop].rstrip(), plain[start:stop].rstrip()) for start, stop in places]
    return [(fact._replace(content=own, valid=when.valid(own, fact.recorded)), part) for own, part in said]


def _each_once(claims: Iterable[Claim]) -> Collection[Claim]:
    """Return the claims, of several of one slot the first, but a state before an end."""
    found: dict[tuple[str, str], Claim] = {}
    for claim in claims:
        other = found.get((claim.key, claim.slot))
        if other is None or (ENDS in other.manner and ENDS not in claim.manner):
            found[claim.key, claim.slot] = claim
    return found.values()


def _is_over(text: str, language: str, *, said: list[str]) -> bool:
    """Whether a text may say that something is over."""
    if language in LATIN and latin().isdisjoint(said):
        return False
    folded = fold(text) if language in ALPHABETIC else variants(text)
    return any(mark in folded for mark in telling(language))


def _over(fact: Fact, language: str) -> Claim | None:
    """Return what a fact says is over in words of no frame."""
    if "?" in fact.content or "？" in fact.content or "~~" in fact.content:
        return None
    said = over(fact, language)
    if said is None:
        return None
    valid = fact.valid
    begins = valid.start if valid is not None and valid.start is not None else fact.recorded
    return Claim(*said, ENDS, begins, None)


def _framed(fact: Fact, plain: str, language: str, said: list[str], named: Iterable[str] | None) -> tuple[Claim, ...]:
    """Return what a fact claims by its frames."""
    kind = fact.kind
    may = _read(plain, language, said=said, done=kind is Kind.EXPERIENCE)
    if may is None:
        return ()
    known, words = may
    text = fact.content
    names = _names(fact.entities, known.spaced)
    if not fact.entities:
        untagged = _untagged(text, named or (), known.spaced)
        names = names._replace(untagged=untagged, stated=named is None)
    found: list[Claim] = []
    timed = phrase_roles.TIMED if ":" in text or "am" in text or "pm" in text else 0
    for items, does, first in _clauses(words, known, names=names, does=timed):
        stretch = Stretch(known, words, items, does, fact.valid, first, names.untagged)
        for claim in claims_of(stretch, fact, names=names):
            if kind is Kind.EXPERIENCE and TURNS not in claim.manner and ENDS not in claim.manner:
                continue  # what was done says how it is only if it made it so
            found.append(claim)
    return tuple(found) if len(found) < 2 else _without_homes(_each_once(found))


def _without_homes(found: Collection[Claim]) -> tuple[Claim, ...]:
    """Return the claims without the residence of an office: "The headquarters moved to Oslo" is its place."""
    places = {(claim.key, claim.value) for claim in found if claim.slot.startswith("place:")}
    return tuple(
        claim for claim in found if not (claim.slot.startswith("residence/") and (claim.key, claim.value) in places)
    )


def _read(text: str, language: str, *, said: list[str], done: bool) -> tuple[ClaimLexicon, list[Word]] | None:
    """Return the lexicon and the words of a text; None if it can claim nothing.

    Args:
        said: its words as they stand in it; of another script than Latin they are cut anew.
        done: whether it tells what was done.
    """
    known, words = lexicon(language), []
    if language not in LATIN:
        if known.stem and any(map(str.isdecimal, text)):
            text = _THOUSANDS.sub("", text)
        words = split(text, spaced=known.spaced)
        said = [word.low for word in words]
    if (
        known.turning.isdisjoint(said)
        if done
        else known.triggers.isdisjoint(said) and not _tells(text, said, known=known)
    ):
        return None
    if "?" in text or "？" in text or "~~" in text:
        return None
    words = words or split(text, spaced=True)
    if known.bounds[1] and f" {known.bounds[0]} " in text:
        words = _without_source(words, known)
    return known, words


@cache
def _telling() -> frozenset[str]:
    """Return words one of which is in every text in ASCII that claims something or says that something is over."""
    first, *others = LATIN
    known = lexicon(first)
    marks = decorated(mark for code in others for mark in LANGUAGES[code].marks)
    return known.triggers | known.turning | known.nouns | known.numeric | latin() | marks


def _tells(text: str, said: list[str], *, known: ClaimLexicon) -> bool:
    """Whether a text has a noun with a link to its value, or a word that needs a number, with one."""
    if not known.nouns.isdisjoint(said) and (":" in text or not known.links.isdisjoint(said)):
        return True
    return not known.numeric.isdisjoint(said) and _counts(text, said, known=known)


def _counts(text: str, said: list[str], *, known: ClaimLexicon) -> bool:
    return _DIGIT.search(text) is not None or not known.numbers.keys().isdisjoint(said)


_THOUSANDS = lazy_pattern(r"(?<=\d)[ \u00a0\u202f](?=\d{3}\b)")
"""What parts the thousands of a number: 45 000."""
_DIGIT = lazy_pattern(r"\d")


def _without_source(words: list[Word], known: ClaimLexicon) -> list[Word]:
    """Return the words without the source of a change: "moved from Vienna to Berlin" is "moved to Berlin"."""
    before, after = known.bounds
    for at, word in enumerate(words[1:-2], 1):
        if word.low == before and words[at - 1].low in known.moves:
            for end in range(at + 2, min(at + 7, len(words))):
                if words[end].low == after:
                    return words[:at] + words[end:]
    return words


_TOLD = phrase_roles.LINK | phrase_roles.TURN | phrase_roles.LED | phrase_roles.HOURS | phrase_roles.TIMED
"""Roles without which a clause with no frame tells no time of day either."""


def _clauses(
    words: Sequence[Word], known: ClaimLexicon, *, names: Names, does: int
) -> list[tuple[list[Item], int, bool]]:
    """Return the clauses that may claim something, of sentences in no doubt: their items, the roles of their phrases
    beside those of `does`, and whether they begin the sentence.

    Clauses are parted by marks, and by words such as "and" between two frames. What stands before the first frame is
    its subject, also across a mark: "the flight, KP 417, leaves …".
    """
    phrases, forms, size = known.phrases, names.forms, len(words)
    found: list[tuple[list[Item], int, bool]] = []
    items: list[Item] = []
    at = done = every = 0
    here = does
    first, framed, told = True, False, False
    while at < size:
        low = words[at].low
        end = at + 1
        what: Phrase | str | None = None
        if low in forms and (named := _named(forms[low], words, at=at)) is not None:
            what, end = named[1], end + len(named[0])
        elif low in phrases and (phrase := _phrase(phrases[low], words, at=at)) is not None:
            what, end = phrase, end + len(phrase.rest)
            does_it = phrase.roles
            if told and does_it & phrase_roles.CUT:  # the rest of the clause gives reasons
                while end < size and words[end - 1].ends < CLAUSE:
                    every |= phrase_roles.DOUBT if words[end].low in known.doubts else 0
                    end += 1
            elif (
                does_it & phrase_roles.JOIN
                and (framed or here & phrase_roles.LINK)
                and _frame_ahead(words, end, known=known)
            ):
                found.append((items, here, first))
                items, here, first, framed, told = [], does, False, False, False
                at = end
                continue
            here |= does_it
            every |= does_it
            if phrase.frames:
                framed = True
                told = told or not phrase.frames[0].form
        items.append((at, end, what))
        if told and words[end - 1].ends == COLON:
            end = _explained(words, end)
        last = words[end - 1].ends
        at = end
        over = at == size or last == SENTENCE or (last == DOT and words[at].capital)
        parted = last >= CLAUSE and not over and not _dates(words, at)
        if over or (parted and (framed or not first or _begins(words[at], known))):
            if (framed or here & _TOLD) and not role_of(items[0]) & phrase_roles.CUT:  # "her aunt, who lives in Berlin"
                found.append((items, here, first))
            items, here, first, framed, told = [], does, False, False, False
        if over:
            if every & phrase_roles.DOUBT and not every & phrase_roles.END:
                del found[done:]
            done, every, first = len(found), 0, True
    return found


def _explained(words: Sequence[Word], at: int) -> int:
    """Return the end of the sentence: the text after a colon explains what was said before it."""
    while at < len(words) and words[at].ends != SENTENCE:
        at += 1
    return min(at + 1, len(words))


def _named(
    forms: tuple[tuple[tuple[str, ...], str], ...], words: Sequence[Word], *, at: int
) -> tuple[tuple[str, ...], str] | None:
    """Return the name at a word: its further words, and the key of the entity."""
    return next((form for form in forms if not form[0] or _stands(words, at, rest=form[0])), None)


def _frame_ahead(words: Sequence[Word], at: int, *, known: ClaimLexicon) -> bool:
    """Whether a frame begins in the rest of a clause."""
    while at < len(words):
        phrase = _phrase(known.phrases.get(words[at].low, ()), words, at=at)
        if phrase is not None and phrase.frames:
            return True
        if words[at].ends >= CLAUSE:
            break
        at += 1
    return False


def _dates(words: Sequence[Word], at: int) -> bool:
    """Whether a mark before a word parts a day from its year: May 2, 2025."""
    return words[at - 1].low.isdecimal() and words[at].low[:2] in ("19", "20") and words[at].low.isdecimal()


def _begins(word: Word, known: ClaimLexicon) -> bool:
    """Whether a clause that begins so has its subject in it, not before the mark."""
    begins = known.phrases.get(word.low, ())
    return any(phrase.roles & (phrase_roles.JOIN | phrase_roles.CUT) for phrase in begins if not phrase.rest)


def _phrase(phrases: tuple[Phrase, ...], words: Sequence[Word], *, at: int) -> Phrase | None:
    """Return the longest of these phrases that begins at a word."""
    behind = words[at + 1].low if at + 1 < len(words) else ""
    for phrase in phrases:
        rest = phrase.rest
        if not rest or (rest[0] == behind and _stands(words, at, rest=rest)):
            return phrase
    return None


def _stands(words: Sequence[Word], at: int, *, rest: tuple[str, ...]) -> bool:
    """Whether these words follow a word in its clause."""
    behind = words[at + 1 : at + 1 + len(rest)]
    return tuple(word.low for word in behind) == rest and all(word.ends <= DOT for word in (words[at], *behind[:-1]))


@lru_cache(maxsize=4096)
def _names(entities: tuple[str, ...], spaced: bool) -> Names:
    """Return the entities of a fact, with the names that may be in its text."""
    keys = tuple(dict.fromkeys(map(entity_key, entities)))
    people = frozenset(
        entity_key(name) for name in entities if not name[:1].islower() and not name.lower().startswith("the-")
    )
    forms: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for name, key in sorted(((name, entity_key(name)) for name in entities), key=lambda pair: -len(pair[1])):
        words = _words_of(key if spaced else name.replace("-", " "), spaced)
        for ending in ("", "'s", "s", "'") if spaced else ("",):
            if words:
                first, *rest = (*words[:-1], words[-1] + ending)
                forms.setdefault(first, []).append((tuple(rest), key))
    return Names(keys, people, {first: tuple(those) for first, those in forms.items()}, {}, stated=False)


def _untagged(text: str, known: Iterable[str], spaced: bool) -> dict[str, str]:
    """Return, as its words stand in a text, each name before a title there, and each known one -> key."""
    names = [*(bare for _, bare in titled_names(text)), *known]
    return {(" " if spaced else "").join(_words_of(name, spaced)): entity_key(name) for name in names}


def _words_of(name: str, spaced: bool) -> list[str]:
    return [word.low for word in split(name, spaced=spaced)]
