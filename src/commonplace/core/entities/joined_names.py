"""Which known names are surely names of one entity, so that they share a page without a question.

Four signs: a file introduces one person by both; one is a first name that only one full name has; one is a form of the
other (`Глеба`, `Rolfs`, `Project Tern`, `Tern dashboard`, `Tern Bay Ltd`, 岸辺様 beside 岸辺さん); or they differ in
spaces, points and capitals alone. What is less sure, such as `Adams` beside `Adam`, is asked (`resolution`).

The page has the name that facts tag, else that of most lines. Laws: what a person rejected is never joined; a name
with a page of its own is joined to none, and nothing is joined to a page that does not list it as an alias; who has a
rival, known by whatever name, is joined to nobody; the order of the names does not matter.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.alias_phrases import is_given, like_a_person, listed
from commonplace.core.entities.entity_names import entity_key, without_case
from commonplace.core.entities.name_uses import is_ordinary
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

_LEAST_LETTERS = 6
"""Letters of names that differ in spaces alone, at least: of short ones one is often another thing."""
_LEAST_OF_A_FORM = 4
"""Letters of a name that another is a form of, at least."""
_HAN = lazy_pattern("[\u3005\u4e00-\u9fff]")
_FULL = 2
"""Words of the name of a person, at least and, but for a middle one, at most."""


class KnownName(NamedTuple):
    """A known name in a workspace."""

    name: str
    lines: int
    """Lines that have it."""


def joined(
    known: Mapping[str, KnownName],
    *,
    called: Iterable[Sequence[str]],
    things: Iterable[Sequence[str]] = (),
    owners: Mapping[str, Sequence[str]],
    tagged: Container[str],
    household: Callable[[str], bool],
    somebody: Callable[[str], bool] = lambda key: False,
    is_a_thing: Callable[[str], bool] = lambda key: False,
    rejected: Callable[[str, str], bool] = lambda one, other: False,
) -> dict[str, str]:
    """Return key of a name -> key of the name under which the page of both is.

    Args:
        known: by key.
        called: names by which a file introduces one person.
        things: names by which a file introduces one thing; not of somebody who has one of them.
        owners: name -> keys of the entities that have a page with it.
        tagged: keys of names in facts, which are joined by a file alone.
        household: returns whether everybody knows a name.
        somebody: returns whether the lines with a name use it as a person's.
        is_a_thing: returns whether they use it as that of anything else.
        rejected: returns whether a person said that two names are not one entity's.
    """

    def to_join(names: Iterable[str]) -> list[str]:
        return [key for key in map(entity_key, names) if key in known and not household(key)]

    told = [*map(to_join, called)]
    introduced = {key for keys in told for key in keys}

    def is_somebody(key: str) -> bool:
        return key in introduced or is_given(key.partition(" ")[0]) or somebody(key)

    told += [keys for keys in map(to_join, things) if not any(map(is_somebody, keys))]
    sure = [(keys[0], key) for keys in told for key in keys[1:]]

    guessed = (
        *_first_names(known, introduced, household, is_somebody, is_a_thing),
        *_of_things(known, is_somebody),
        *_with_its_kind(known, lambda key: household(key) or is_somebody(key)),
        *_cases(known, introduced),
        *_genitives(known, introduced, is_somebody),
        *_spelled(known),
        *_with_another_title(known),
    )
    sure += [(one, other) for one, other in guessed if one not in tagged and other not in tagged]
    groups = {key: frozenset((key,)) for key in known}
    for one, other in sorted({(min(pair), max(pair)) for pair in sure}):
        both = groups[one] | groups[other]
        if not any(rejected(left, right) for left in groups[one] for right in groups[other]):
            groups.update(dict.fromkeys(both, both))
    found: dict[str, str] = {}
    for keys in {each for each in groups.values() if len(each) > 1}:
        pages = {own for key in keys for own in owners.get(key, ())}
        if len(pages) > 1:
            continue
        most = max(keys, key=lambda key: (key in tagged, known[key].lines, key))
        kept = next(iter(pages), most)
        found.update((key, kept) for key in keys if key != kept and (not pages or kept in owners.get(key, ())))
    return dict(sorted(found.items()))


def _first_names(
    known: Mapping[str, KnownName],
    introduced: Container[str],
    household: Callable[[str], bool],
    somebody: Callable[[str], bool],
    is_a_thing: Callable[[str], bool],
) -> Iterator[tuple[str, str]]:
    """Yield each first name of a person with the only full name that has it; what else begins with it may be anybody's,
    such as `Rolf Report`. Who has an unusual name must be introduced, or lines must use both as a person's."""
    bearers: dict[str, list[str]] = {}
    for key in known:
        words = key.split()
        if _FULL <= len(words) <= _FULL + 1 and words[0] in known and like_a_person(known[key].name):
            bearers.setdefault(words[0], []).append(key)
    for first, keys in bearers.items():
        if household(first):
            continue
        full = [key for key in keys if not any(_is_a_thing(word) or household(word) for word in key.split()[1:])]
        full = [key for key in full if not any(_is_with_more(key, other) for other in keys)]
        if len(full) != 1 or _is_more_often(full[0].partition(" ")[2], full[0], known):
            continue
        told = full[0] in introduced and not is_a_thing(first)
        if told or first in introduced or is_given(first) or (somebody(first) and somebody(full[0])):
            yield first, full[0]


def _is_more_often(name: str, key: str, known: Mapping[str, KnownName]) -> bool:
    """Whether a name stands more often alone than in another: of `Rolf NordTide` the company."""
    return name in known and known[name].lines > known[key].lines


def _is_with_more(key: str, other: str) -> bool:
    """Whether a name is another with something behind it: of `Rolf Berg Bot` nobody, but of `Rolf Berg Jr` the son."""
    return key.startswith(f"{other} ") and key.rpartition(" ")[2].rstrip(".") not in _generations()


@cache
def _generations() -> frozenset[str]:
    return frozenset(table("alias")["generations"])


def _is_a_thing(word: str) -> bool:
    return is_ordinary(word) or word in listed("things")


def _of_things(known: Mapping[str, KnownName], somebody: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """Yield each name that is another behind the word for a project, or one of several words before a legal form, with
    that one. What is also somebody's name is joined to neither: `Nora Berg Ltd` is not Nora Berg."""
    for key in known:
        first, _, rest = key.partition(" ")
        if rest in known and first in _kinds() and not is_ordinary(rest) and not somebody(rest):
            yield key, rest
    yield from ((key, company) for key, company in companies(known) if not somebody(company))


def _with_its_kind(known: Mapping[str, KnownName], apart: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """Yield each name that is another with the word for what that is behind it (`Tern dashboard`), with that one, if it
    is the only such and stands less often: beside `Tern app` the dashboard is a part.

    Args:
        apart: returns whether a name is somebody's or one that everybody knows, of which something else has the rest.
    """
    longer: dict[str, list[str]] = {}
    for key in known:
        for kind in _own_kinds():
            name = key.removesuffix(kind)
            if name != key and name in known and not is_ordinary(name):
                longer.setdefault(name, []).append(key)
    for name, keys in longer.items():
        if len(keys) == 1 and known[keys[0]].lines < known[name].lines and not apart(name):
            yield keys[0], name


def companies(known: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each of these keys that is another of several words before a legal form, with that one."""
    keys = frozenset(known)
    for key in keys:
        company, _, form = key.rpartition(" ")
        if " " in company and company in keys and form.rstrip(".") in _legal_forms():
            yield key, company


def _cases(known: Mapping[str, KnownName], introduced: Container[str]) -> Iterator[tuple[str, str]]:
    """Yield each name that is a case of a Russian one with more lines, but a surname, with that one."""
    for key, each in known.items():
        if " " in key or key in introduced or is_given(key):
            continue
        forms = [form for form in without_case(key) if form != key and _is_name(form, known)]
        if len(forms) == 1 and known[forms[0]].lines > each.lines:
            yield key, forms[0]


def _genitives(
    known: Mapping[str, KnownName], introduced: Container[str], somebody: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    """Yield each name that is a genitive without an apostrophe of somebody whom a file introduces, with that one:
    `Rolfs Boot`. Of others it may be a surname or another first name, as is one that lines use as a person's: `Roberts`
    beside Robert, `Hans`."""
    for key, each in known.items():
        whose = key.removesuffix("s")
        if whose == key or " " in key or whose not in introduced:
            continue
        if whose in known and known[whose].lines > each.lines and not somebody(key):
            yield key, whose


def _is_name(form: str, known: Mapping[str, KnownName]) -> bool:
    """Whether a known name is one word of letters that begins with a capital, and neither ordinary nor a surname."""
    if form not in known or len(form) < _LEAST_OF_A_FORM or form.endswith(tuple(listed("surnames"))):
        return False
    return known[form].name.istitle() and form.isalpha() and not is_ordinary(form)


def _with_another_title(known: Mapping[str, KnownName]) -> Iterator[tuple[str, str]]:
    """Yield each pair of names that are one but for a title that anybody may have: 岸辺様, 岸辺さん; with none the name
    is as well somebody's in other letters than Han (Holm, Holmさん), of which 岸辺 may be a place."""
    alike: dict[str, list[str]] = {}
    for key in known:
        title = next((title for title in _plain_titles() if key.endswith(title) and key != title), "")
        if title:
            alike.setdefault(key.removesuffix(title).rstrip(), []).append(key)
    for bare, keys in alike.items():
        alone = [bare] if bare in known and not _HAN.search(bare) else []
        first, *others = sorted([*alone, *keys])
        yield from ((first, key) for key in others)


@cache
def _plain_titles() -> tuple[str, ...]:
    return tuple(map(fold, table("names")["titles"]["of anybody"].split()))


@cache
def _kinds() -> frozenset[str]:
    """Return the words for a project, which may stand before its name."""
    return frozenset(table("names")["projects"]["before a name"].split())


@cache
def _own_kinds() -> tuple[str, ...]:
    """Return the words that may stand behind a name for what it is, with the space before them."""
    words = table("names")["projects"]["behind the whole"].split()
    return tuple(word if word[0] >= FAR_EAST else f" {word}" for word in map(fold, words))


@cache
def _legal_forms() -> frozenset[str]:
    return frozenset(table("names")["organisations"]["legal forms"].split())


def _spelled(known: Mapping[str, KnownName]) -> Iterator[tuple[str, str]]:
    """Yield the names that are equal without spaces and points, in pairs."""
    alike: dict[str, list[str]] = {}
    for key in known:
        bare = key.replace(" ", "").replace(".", "")
        if bare.isalpha() and len(bare) >= _LEAST_LETTERS and key[0] < FAR_EAST:
            alike.setdefault(bare, []).append(key)
    for keys in alike.values():
        first, *others = sorted(keys)
        yield from ((first, key) for key in others)
