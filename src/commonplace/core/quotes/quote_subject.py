"""Whether a heading or a line is about somebody or something that it names, or only mentions it."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.name_uses import Place, name_uses
from commonplace.core.extract.line_labels import heading_name
from commonplace.core.model import Role
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST

if TYPE_CHECKING:
    from collections.abc import Iterable

_PARTS = lazy_pattern(r"[—–|:：()（）\[\]「」【】#,，、/·•]|\s-\s")
"""What stands between the parts of a heading."""
_BEHIND = lazy_pattern(r"(\S)\s*(?:\([^()]*\)|（[^（）]*）)")
"""What stands in brackets behind something."""
_QUOTED = lazy_pattern(r"[\"“„][^\"“”]*[\"”]|『[^』]*』")
_SENTENCE, _BEGINS = 80, 30
"""Characters from which a heading or bullet is a sentence, and of its beginning, where its subject stands."""
_COMMA = lazy_pattern(r"[,，、]")
_FEW_LISTED = 2
"""Names in a heading; a list of more is only about the first."""
_MOST_OF_IT, WHOLE = 0.4, 0.9
"""Share of a heading's part from which its name is what the heading is about, and from which it is nothing else."""
_STAR = "0"
"""Stands for a name in a heading: a sign that no form of a heading has."""
_FEW_WORDS = 4
"""Words of a heading's part, in which a name that stands by itself is what it is about."""
_OF_IT = ("の", "的", "'s ", "’s ")
"""What follows a name of which only something else is told: `Rolf's garden`."""
_ASIDE = lazy_pattern(r"\([^()]*\)?|（[^（）]*）?|\"[^\"]*\"|“[^“”]*[”\"]|『[^』]*』|「[^」]*」|`[^`]*`")
"""What a line says aside: in brackets, in quotation marks, as code."""
_CLAUSE = lazy_pattern(r"[:：;；。|—–→]|[.!?।]\s|\s-\s|->|=>")
_ITEM = lazy_pattern(r"[,、&]|\+(?!\d)|\s/\s|\svs\.?\s")
"""What stands between the items of a list; the comma of Chinese stands between clauses."""
_TOLD = lazy_pattern(r"の|[ぁ-ゖ]$")
"""What an item of Japanese has that tells something and is no name."""
_LISTED = 3
"""Items from which a clause is a list."""
_FEW_SIGNS_BEHIND = 4
"""Signs between a name and what says that it only tells when, at most: `after the Rolf call`."""
_LABEL = lazy_pattern(r"[\W_]{0,6}([^:：]{2,60}?)[*_]{0,2}(?:\s?[(（][^()（）]*[)）])?\s?[:：](?!//)")
"""What a line is about, before its colon."""
_LONGEST_ITEM = 40
"""Characters of an item; what is longer is a clause of its own."""


def heading_share(heading: str, key: str) -> float:
    """Return how much of a heading, or of the part that names it, a name is; 0 if the heading is about something else:
    of `Notes on GitHub actions and caching` GitHub is not the subject, of `Berths (Tidebook)` not Tidebook, and of
    `Ferry - a boat of the club` not the club.
    """
    said = _without_brackets(_QUOTED.sub("", heading), key)
    if len(said) > _SENTENCE and key not in entity_key(said)[: _BEGINS + len(key)]:
        return 0.0
    listed_names = _COMMA.split(said)
    if len(listed_names) > _FEW_LISTED and key not in entity_key(listed_names[0]):
        return 0.0
    first, *others = [part for part in _PARTS.split(said) if any(map(str.isalpha, part))] or [""]
    begun = (part for part in others if entity_key(heading_name(part)).startswith(key))
    return max(_share(part, key) for part in (first, *begun))


def _without_brackets(heading: str, key: str) -> str:
    """Return a heading without what stands in brackets behind something, unless a name abbreviates that: `Kite Bay Club
    (KBC)`."""
    plain = _BEHIND.sub(r"\1", heading)
    return heading if key in "".join(word[0] for word in entity_key(plain).split()) else plain


def lists_several(heading: str) -> bool:
    """Return whether a heading tells of several things, one after the other: `Ferry repairs, new berths`."""
    return len([part for part in _COMMA.split(_BEHIND.sub(r"\1", heading)) if any(map(str.isalpha, part))]) > 1


def presents(heading: str, key: str) -> bool:
    """Return whether a heading announces who or what an entity is: its name alone, `About Rolf (the pilot)`, `What is a
    sloop`."""
    name = entity_key(heading_name(_ASIDE.sub(" ", heading)))
    if len(key) >= WHOLE * len(entity_key(heading_name(heading))) or name == key:
        return True
    return is_about(heading, key)


def is_about(heading: str, key: str) -> bool:
    """Return whether a heading says in words that what stands below it is about an entity: `About Rolf`."""
    name = entity_key(heading_name(_ASIDE.sub(" ", heading)))
    return key in name and _presenting().fullmatch(name.replace(key, _STAR, 1)) is not None


@cache
def _presenting() -> re.Pattern[str]:
    """Return what announces who or what the one is in whose place a star stands; of a word at the end, one or two more
    may stand before it."""
    forms = [form for forms in table("pages")["about"].values() for form in forms]
    names = (entity_key(heading_name(form.replace("*", _STAR))) for form in forms)
    return re.compile("|".join(name.replace(f"{_STAR} ", rf"{_STAR} (?:\w+ ){{0,2}}") for name in names))


def _share(part: str, key: str) -> float:
    """Return how much of a part of a heading a name is; 0 if that is not about it."""
    text = entity_key(heading_name(part))
    if text[-1:] >= FAR_EAST and " " in part.strip() and " " not in key:  # there a space parts more than a word
        return max(_share(word, key) for word in part.split())
    at = text.find(key)
    if at < 0:
        return 0.0
    share, rest = len(key) / len(text), text[at + len(key) :]
    alone = not text[at - 1 : at].isalnum() and not rest[:1].isalnum()
    head = not rest and any(sign >= FAR_EAST for sign in text)  # the last of a compound is what it is
    if rest.startswith(_OF_IT):
        return 0.0
    about = share >= _MOST_OF_IT or head or (alone and (at == 0 or len(text.split()) <= _FEW_WORDS))
    return share if about else 0.0


def in_passing(text: str, key: str) -> bool:
    """Return whether a line names an entity only aside, or behind its label as one of a list or as whose
    something is: `Feeds: 3 live scrapers (ESMA, BaFin, CSSF)` is about none of the three, `Lead: read Rolf's post` not
    about Rolf.
    """
    if _is_bare_item(text, key):
        return True
    first, *others = _CLAUSE.split(_ASIDE.sub(lambda aside: _shown(aside, key), text))
    if key in entity_key(first):
        return False
    if others and entity_key(others[0].lstrip("*_ ")).startswith(key) and not _leads_a_list(others[0], key):
        return False
    return not any(_names(clause, key) and not _is_item(clause, key) for clause in others)


def only_within(text: str, key: str, names: Iterable[str]) -> bool:
    """Return whether a text names an entity only as a part of longer ones of these names: `Harbour Control` is no
    `Control`."""
    said = entity_key(text)
    for name in names:
        if name != key and (f" {key} " in f" {name} " or (key >= FAR_EAST and key in name)):
            said = said.replace(name, " ")
    return key not in said


def only_tells_when(text: str, key: str) -> bool:
    """Return whether a line names an entity only as a mark of time: `Paint the hull after the Rolf call`."""
    said, (before, behind) = entity_key(text), _beside()
    at = said.find(key)
    while at >= 0:
        if before.search(said, 0, at) or behind.match(said, at + len(key)):
            return key not in _of_time(key).sub(" ", said)
        at = said.find(key, at + 1)
    return False


@cache
def _marks_of_time() -> tuple[str, str]:
    """Return what stands before a name that only tells when, and behind it."""
    known = table("pages")
    before, behind = (
        "|".join(re.escape(entity_key(word)) for words in known[name].values() for word in words)
        for name in ("past_it", "past_it_behind")
    )
    return before, behind


@cache
def _beside() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what stands before or behind a name, whatever it is, in a match of `_of_time`: few lines have either, and
    to make a pattern for each name took a tenth of the time of all quotes."""
    before, behind = _around()
    return re.compile(rf"{before}\Z"), re.compile(behind)


@cache
def _around() -> tuple[str, str]:
    before, behind = _marks_of_time()
    return (
        rf"(?<![^\W_])(?:{before}) (?:[^\W\d_]{{1,4}} )?",
        rf"(?: ?[^\s,.;:]{{0,{_FEW_SIGNS_BEHIND}}} ?)?(?:{behind})",
    )


def _of_time(key: str) -> re.Pattern[str]:
    before, behind = _around()
    name = re.escape(key)
    ends = r"(?=(?: [^\W\d_]+)?(?: ?[,.;:()!—–-]|$))"
    return re.compile(f"{before}{name}{ends}|{name}{behind}")


def labelled_by_another(text: str, key: str) -> bool:
    """Return whether the label of a line names something else, and not this: `Kite 3: Rolf added it`."""
    label = _LABEL.match(text)
    if label is None or key in entity_key(label[1]):
        return False
    return any(use.place not in (Place.START, Place.WHOLE) for use in name_uses(f"{label[1]}:", Role.BULLET))


def is_listed(text: str, key: str) -> bool:
    """Return whether a line names an entity first of all as one of a list, and not as its first."""
    return is_one_of_a_list(text, key) and key not in entity_key(_ITEM.split(_naming(text, key))[0])


def is_one_of_a_list(text: str, key: str) -> bool:
    """Return whether a line names an entity first of all as one of a list."""
    return _is_item(_naming(text, key), key)


def _naming(text: str, key: str) -> str:
    """Return the first clause of a line that names an entity, or empty."""
    return next((each for each in _CLAUSE.split(text) if key in entity_key(each)), "")


def _is_bare_item(text: str, key: str) -> bool:
    """Return whether a line is a list, and a name nothing but one of its items."""
    items = _ITEM.split(text)
    short = "=" not in text and len(items) >= _LISTED and all(len(item) <= _LONGEST_ITEM for item in items)
    return short and any(entity_key(item).strip(" *_`.") == key for item in items)


def _names(clause: str, key: str) -> bool:
    """Return whether a clause names an entity itself, not only something of it."""
    _, *after = entity_key(clause).split(key)
    return any(not rest.startswith(_OF_IT) for rest in after)


def _shown(aside: re.Match[str], key: str) -> str:
    """Return what counts of an aside: all with which a line begins, and a name in quotation marks or as code."""
    text = aside[0]
    return text if not aside.start() or (text[0] not in "(（" and entity_key(text[1:-1]) == key) else " "


def _leads_a_list(clause: str, key: str) -> bool:
    """Return whether a clause is a list of names, and a name most of its first: `ESMA, BaFin, CSSF feeds`; but `Ulla, a
    nurse, and her sons` tells of Ulla. In Hindi nothing parts the two."""
    items = [item.strip(" *_`.") for item in _ITEM.split(clause)]
    named = all(item[:1].isupper() or (item[:1] >= FAR_EAST and not _TOLD.search(item)) for item in items)
    return named and _is_item(clause, key) and len(key) >= _MOST_OF_IT * len(entity_key(items[0]))


def _is_item(clause: str, key: str) -> bool:
    """Return whether a name stands only in the items of a list."""
    items = _ITEM.split(clause)
    return len(items) >= _LISTED and all(len(item) <= _LONGEST_ITEM for item in items if key in entity_key(item))
