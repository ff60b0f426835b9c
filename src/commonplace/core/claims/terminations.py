"""Terminations: what a fact says is over ("no longer owns a Volvo"), and the facts that said it.

The frames of `claim_reader` know what can be so in one way only. This module knows no such thing: it removes the denial
("no longer", "stopped", "sold") and compares the rest, word for word. So a fact is compared only if it says nothing
else: "his sister owns a Volvo" and "owns a Volvo garage" say other things, and what is over "at work" may go on
elsewhere.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.claims.claim_words import CLAUSE, COLON, DOT, decorated, split
from commonplace.core.claims.succession import FOREVER, OVER, Standing
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.model import Kind
from commonplace.core.tables import table
from commonplace.core.text.known_languages import ALPHABETIC, LANGUAGES, UNSPACED, written_in
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold, variants
from commonplace.core.text.tokenizer import stemmer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from commonplace.core.model import Fact

_MOST, _LONGEST = 12, 36
"""Maximum words of a compared statement, or characters in scripts without spaces."""
_END = " | "
"""Between clauses."""
_DOUBLED = 3
"""Letters of a word whose last may be there twice only before an ending."""
_ONLY = "="
"""Before a statement that is compared with those alone that do not go on."""
_PREFIX = 3
"""Letters of a word that its other forms have too."""


class _Speech(NamedTuple):
    """The phrases of one language for an end: the lists of `over.json`, folded, longest first."""

    language: str
    spaced: bool
    lists: dict[str, tuple[str, ...]]
    ended: tuple[tuple[str, str, tuple[str, ...]], ...]
    """The text before and after a thing that somebody is done with, and what was so until then."""
    follows: tuple[frozenset[str], frozenset[str]]
    """Words with which a statement of one word may go on and be the same, and one of several."""
    stem: Callable[[str], str]


def over(fact: Fact, language: str) -> tuple[str, str, str] | None:
    """Return what a fact says is over: the entity's key, the slot and the value; None if nothing."""
    speech = _speech(language)
    key, clauses = _begun(fact.content, fact.entities, speech=speech)
    for at, clause in enumerate(clauses):
        said = _denied(clause, speech) or [*_done_with(clause, speech)]
        if not said:
            continue
        rest = _END.join([said[0][1], *clauses[:at], *clauses[at + 1 :]])
        if any(doubt in f" {rest} " for doubt in speech.lists["doubt"]):
            return None
        most = _MOST if speech.spaced else _LONGEST
        gap = " " if speech.spaced else ""
        cores: dict[str, None] = {}
        for statement, _ in said:
            core = _core(statement.removeprefix(_ONLY), speech)
            if 0 < len(core) <= most:
                cores[_ONLY * statement.startswith(_ONLY) + gap.join(core)] = None
        return (key, OVER + language, "|".join(cores)) if cores else None
    return None


def so(fact: Fact, row: int, *, end: Standing, names: Collection[str]) -> Standing | None:
    """Return what a fact of an entity says is so that another says is over, as a claim of that slot; None when it does
    not.

    Args:
        names: keys of the entity.
    """
    if fact.kind is Kind.OPINION or fact.kind is Kind.OBSERVATION or row == end.row or not fact.entities:
        return None
    language = end.slot.removeprefix(OVER)
    key, clauses, own = _compared(fact.content, fact.entities, language=language)
    if key not in names or not any(
        _is(own, clauses, core=core, speech=_speech(language)) for core in end.value.split("|")
    ):
        return None
    day = fact.recorded.toordinal() if fact.recorded else 0
    valid = fact.valid
    begins = valid.start.toordinal() if valid is not None and valid.start is not None else day
    ends = valid.end.toordinal() if valid is not None and valid.end is not None else FOREVER
    done = fact.kind is Kind.EXPERIENCE
    return Standing(row, end.slot, end.value, "", begins, ends, day, done, fact.trailer.outsider)


def folded(text: str) -> str:
    """Return a line as `may_say` reads it."""
    return text.lower() if text.isascii() else fold(text)


def may_say(text: str, value: str) -> bool:
    """Whether a folded line may state what a claim ends. Prefilter: False is definite."""
    for parts in _telling_parts(value):
        for part in parts:
            if part not in text:
                break
        else:
            return True
    return False


@lru_cache(maxsize=1024)
def _telling_parts(value: str) -> frozenset[tuple[str, ...]]:
    """Of each statement of what is over, parts that every folded line has that says it is so: the beginning of its
    longest word; of one in another script all signs of that script, for there a word is not parted from the next, or
    has no beginning that all its forms share."""
    statements = value.replace(_ONLY, "").split("|")
    if value.isascii():
        return frozenset((max(said.split(), key=len)[:_PREFIX],) for said in statements)
    return frozenset(
        tuple(fold(sign) for sign in dict.fromkeys(said) if not (sign.isascii() or sign.isspace()))
        for said in statements
    )


@cache
def latin() -> frozenset[str]:
    """Return words one of which is in every English or Danish text that says that something is over."""
    found: set[str] = set()
    for code in written_in("latin"):
        data = table("over")[code]
        common = {*data["on"].split(", "), *data["beside"].split(", "), *data["apart"].split(", ")}
        for mark in _marks_of(code):
            words = mark.split()
            found.add(max([word for word in reversed(words) if word not in common] or words, key=len))
    return decorated(found)


@cache
def telling(language: str) -> tuple[str, ...]:
    """Return parts of folded texts in a language, one of which is in every text that says so."""
    shortest: list[str] = []
    for mark in sorted((_folded(mark, spaced=language in ALPHABETIC)[0] for mark in _marks_of(language)), key=len):
        if not any(each in mark for each in shortest):
            shortest.append(mark)
    return tuple(shortest)


def _marks_of(language: str) -> list[str]:
    """Return the marks of an end, without the thing."""
    data = table("over")[language]
    lists = (data["alone"], data["with"], *data["ended"])
    marks = (max(mark.split("…"), key=len).strip() for said in lists for mark in said.split(", "))
    return [mark for mark in marks if mark]


# -- taking a denial off


def _denied(clause: str, speech: _Speech) -> list[tuple[str, str]]:
    """Return a clause without its "no longer", with what may put it in doubt."""
    lists, text = speech.lists, f" {clause} "
    if any(mark in text for mark in lists["unless"]):
        return []
    if speech.language == "ja":
        return _unjapanese(clause, lists)
    for mark in lists["alone"]:
        if mark in text:
            bare = text.replace(mark, " " if speech.spaced else "", 1).strip()
            return [(bare, bare)]
    for mark in lists["with"]:
        denial = next((each for each in lists["not"] if each in text), None)
        if mark in text and denial is not None:
            bare = text.replace(mark, " ", 1).replace(denial, " ", 1).strip()
            return [(bare, bare)]
    return []


def _unjapanese(clause: str, lists: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Do the same where a denial is an ending."""
    already = next((mark for mark in lists["with"] if mark in clause), "")
    endings = (*lists["alone"], *(lists["not"] if already else ()))
    ending = next((each for each in endings if clause.endswith(each)), None)
    if ending is None:
        return []
    bare = clause.replace(already, "", 1)
    return [(bare, bare.removesuffix(ending))]


def _done_with(clause: str, speech: _Speech) -> Iterator[tuple[str, str]]:
    """Yield what was so until a clause says that it is over: "sold the boat" ends "owns the boat"."""
    while subject := next((each for each in speech.lists["subjects"] if clause.startswith(each)), ""):
        clause = clause[len(subject) :]
    for before, behind, until in speech.ended:
        if not (clause.startswith(before) and clause.endswith(behind)) or len(clause) <= len(before + behind):
            continue
        thing = clause[len(before) : len(clause) - len(behind)].strip()
        lead = f"{thing} " if speech.spaced else thing
        whole = _time_off(thing, speech)
        alone = _alone(whole, speech)
        for said in until:
            if said == "…":
                yield whole, thing
            elif not lead.startswith(speech.lists["vague"]):
                yield said.replace("…", whole), thing
                if alone != whole:
                    yield _ONLY + said.replace("…", alone), thing


def _alone(thing: str, speech: _Speech) -> str:
    """Return a thing without what was done with it: the boat, not the boat to Tom for 900 EUR."""
    text = f" {thing} "
    return text[: min([at for mark in speech.lists["apart"] if (at := text.find(mark)) >= 0], default=None)].strip()


def _time_off(text: str, speech: _Speech) -> str:
    """Return a text without the day or month at its end."""
    words = text.split(" ")
    times = speech.lists["times"]
    at = next((at for at, word in enumerate(words) if at and (word in times or _is_year(word))), None)
    if at is None:
        return text
    while at > 1 and (words[at - 1] in speech.lists["on"] or words[at - 1].isdecimal()):
        at -= 1
    return " ".join(words[:at])


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal() and word[:2] in ("19", "20")


# -- what is compared


@lru_cache(maxsize=4096)
def _compared(content: str, entities: tuple[str, ...], *, language: str) -> tuple[str, list[str], list[str]]:
    """Cache `_begun` of a fact, and the core of its first clause: the same for every end of its entity."""
    speech = _speech(language)
    key, clauses = _begun(content, entities, speech=speech)
    return key, clauses, _core(clauses[0], speech)


def _begun(content: str, entities: tuple[str, ...], *, speech: _Speech) -> tuple[str, list[str]]:
    """Return the key of the entity that a fact begins with, or of the first that it is tagged with, and its clauses,
    folded, the first without the name.
    """
    text = _clauses(content, speech)
    for entity in entities:
        key = entity_key(entity)
        name = " ".join(word.low for word in split(key if speech.spaced else entity, spaced=True))
        name = name if speech.spaced else variants(entity).lower()
        if not name or not text.startswith(name):
            continue
        rest = text[len(name) :]
        if speech.spaced:
            rest = rest.removeprefix("'s").removeprefix("s ") if speech.language in ("en", "da") else rest
            if rest[:1].isalnum():
                continue
        elif speech.language == "ja":
            rest = re.sub(r"^(?:さん)?(?:には|[はがもの])", "", rest)
        return key, rest.strip().split(_END)
    return entity_key(entities[0]), text.split(_END)


def _clauses(text: str, speech: _Speech) -> str:
    """Return a text in folded words, or characters, with a sign between its clauses."""
    if not speech.spaced:
        return _END.join(part.strip() for part in _MARKS.split(variants(text).lower()) if part.strip())
    words = split(text.replace("’", "'"), spaced=True)
    found: list[str] = []
    for at, word in enumerate(words):
        found.append(word.low)
        ends = word.ends >= CLAUSE or word.ends == COLON
        if at + 1 < len(words) and (ends or (word.ends == DOT and words[at + 1].capital)):
            found.append("|")
    return " ".join(found)


_MARKS = lazy_pattern(r"[，。；：、！？,;:!?()（）「」\n]|\. |\.$|[0-9]+ ?[年月日号](?:起|から|以来|より)?")


def _core(text: str, speech: _Speech) -> list[str]:
    """Return the words, or characters, that identify a statement."""
    lists = speech.lists
    gap = " " if speech.spaced else ""
    text = f"{gap}{text}{gap}"
    text = text[: min([at for mark in lists["cut"] if (at := text.find(mark)) >= 0], default=None)] + gap
    for each in lists["small"]:
        while each in text:
            text = text.replace(each, gap)
    if speech.language == "ja":
        return list(_uninflected(text, lists))
    if gap:
        text = f" {text.strip()} "
    while lead := next((each for each in lists["leads"] if text.startswith(each) and len(text) > len(each)), ""):
        text = gap + text[len(lead) :]
    while tail := next((each for each in lists["tails"] if text.endswith(each) and len(text) > len(each)), ""):
        text = text[: -len(tail)] + gap
    return [speech.stem(word) for word in text.split()] if gap else list(text.strip())


def _uninflected(text: str, lists: dict[str, tuple[str, ...]]) -> str:
    """Yield a Japanese statement without particles and inflection."""
    while lead := next((each for each in lists["leads"] if text.startswith(each)), ""):
        text = text[len(lead) :]
    at = len(text)
    while at and "ぁ" <= text[at - 1] <= "ん":
        at -= 1
    head, tail = text[:at], text[at:]
    if not tail.startswith(lists["plain"]) and tail.startswith(lists["particles"]):
        while tail.startswith(lists["particles"]) and not tail.startswith(lists["plain"]):
            tail = tail[1:]
        kept = "" if tail.startswith(lists["plain"]) else tail[:1]
    else:
        kept = ""
    return _PARTICLES.sub("", head) + kept


_PARTICLES = lazy_pattern("(?<=[^ぁ-ん])(?:には|[はがをも])(?=[^ぁ-ん])")


def _is(own: list[str], clauses: list[str], *, core: str, speech: _Speech) -> bool:
    """Whether a statement says what a core is of, and nothing that could hold without it."""
    if not speech.spaced:
        holds = not clauses[0].endswith(speech.lists["lapsed"])
        return len(clauses) == 1 and holds and "".join(own) == core.removeprefix(_ONLY)
    words = core.removeprefix(_ONLY).split()
    if core.startswith(_ONLY) and own != words:
        return False
    if own[: len(words)] != words:
        return False
    follows = speech.follows[len(words) > 1]
    behind = [" ".join(own[len(words) :]), *clauses[1:]]
    joins = speech.lists["join"]
    return all(part.partition(" ")[0] in follows or part[0].isdecimal() for part in behind if part) and not any(
        join in f" {part} " for part in behind for join in joins
    )


# -- the lists


@cache
def _speech(language: str) -> _Speech:
    data, claims = table("over")[language], table("claims", language)
    spaced = language not in UNSPACED
    gap = " " if spaced else ""
    words = ("times", "on", "after", "beside", "endings", "particles", "plain", "lapsed", "vague", "subjects")
    lists: dict[str, tuple[str, ...]] = {}
    given = {name: said for name, said in data.items() if name != "ended"}
    given["doubt"] = f"{claims['doubt']}, {data['unsure']}"
    given["join"] = claims["join"]
    given["times"] = ", ".join([claims["months"], *claims["clock"]["weekdays"]])
    for name, said in given.items():
        folded = sorted(filter(None, _folded(said, spaced)), key=len, reverse=True)
        lists[name] = tuple(folded if name in words else [f"{gap}{each}{gap}" for each in folded])
    for name in ("vague", "subjects"):
        lists[name] = tuple(each + gap for each in lists[name])
    for name in ("lapsed", "particles", "plain", "on"):
        lists.setdefault(name, ())
    ended = [
        (before, behind, tuple(_folded(until, spaced)))
        for marks, until in data["ended"].items()
        for before, _, behind in (mark.partition("…") for mark in _folded(marks, spaced))
    ]
    ended.sort(key=lambda each: -len(each[0] + each[1]))
    stem = _stemmer(language, lists["endings"])
    after, beside = (frozenset(map(stem, lists[name])) | frozenset(lists[name]) for name in ("after", "beside"))
    return _Speech(language, spaced, lists, tuple(ended), (after, after | beside), stem)


def _folded(words: str, spaced: bool) -> list[str]:
    """Return the phrases of a list, each folded."""
    return (fold(words) if spaced else variants(words).lower()).replace("...", "…").split(", ")


@cache
def _stemmer(language: str, endings: tuple[str, ...]) -> Callable[[str], str]:
    """Return the function that removes inflection."""
    if not endings:
        return stemmer(LANGUAGES[language].stemmer or "english")

    def shorter(word: str) -> str:
        while ending := next((each for each in endings if word.endswith(each) and len(word) - len(each) > 1), ""):
            word = word[: -len(ending)]
        return word[:-1] if len(word) > _DOUBLED and word[-1] == word[-2] else word  # kat, katten

    return shorter
