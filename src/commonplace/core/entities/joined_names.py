"""Which known names are surely names of one entity, so that they share a page without a question.

Four signs: a file introduces one person by both; one is a first name that only one full name has; one is a form of the
other (`Глеба`, `Rolfs`, `Project Tern`); or they differ in spaces, points and capitals alone. What is less sure is
asked (`resolution`).

The page has the name that facts tag, else that of most lines. Laws: a name with a page of its own is joined to none;
the order of the names does not matter.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.alias_phrases import is_given, like_a_person, listed
from commonplace.core.entities.entity_names import entity_key, without_case
from commonplace.core.entities.name_uses import is_ordinary
from commonplace.core.tables import table
from commonplace.core.text.normalize import FAR_EAST

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

_LEAST_LETTERS = 6
"""Letters of names that differ in spaces alone, at least: of short ones one is often another thing."""
_LEAST_OF_A_FORM = 4
"""Letters of a name that another is a form of, at least."""
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
    owners: Mapping[str, Sequence[str]],
    tagged: Container[str],
    household: Callable[[str], bool],
) -> dict[str, str]:
    """Return key of a name -> key of the name under which the page of both is.

    Args:
        known: by key.
        called: names by which a file introduces one person.
        owners: name -> keys of the entities that have a page with it.
        tagged: keys of names in facts, which are joined by a file alone.
        household: returns whether everybody knows a name.
    """
    heads: dict[str, str] = {}
    introduced: set[str] = set()
    for names in called:
        keys = [key for key in map(entity_key, names) if key in known]
        introduced.update(keys)
        heads.update((key, keys[0]) for key in keys[1:])
    untold = {key: each for key, each in known.items() if key not in tagged}
    for pairs in (_first_names(untold, introduced, household), _forms(untold, introduced), _spelled(untold)):
        for key, head in sorted(pairs):
            heads.setdefault(key, head)
    groups: dict[str, list[str]] = {}
    for key in sorted(heads):
        groups.setdefault(_last(key, heads), []).append(key)
    found: dict[str, str] = {}
    for head, keys in groups.items():
        pages = [own for key in (head, *keys) for own in owners.get(key, ())]
        most = max((head, *keys), key=lambda key: (key in tagged, known[key].lines, key))
        kept = pages[0] if pages else most
        found.update((key, kept) for key in (head, *keys) if key != kept and {*owners.get(key, ())} <= {kept})
    return found


def _last(key: str, heads: Mapping[str, str]) -> str:
    met = {key}
    while (head := heads.get(key)) is not None and head not in met:
        met.add(head)
        key = head
    return key


def _first_names(
    known: Mapping[str, KnownName], introduced: Container[str], household: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    """Yield each first name of a person with the only full name that has it; what else begins with it may be anybody's,
    such as `Rolf Report`."""
    bearers: dict[str, list[str]] = {}
    for key in known:
        words = key.split()
        if _FULL <= len(words) <= _FULL + 1 and words[0] in known and like_a_person(known[key].name):
            bearers.setdefault(words[0], []).append(key)
    for first, keys in bearers.items():
        if household(first) or not (first in introduced or is_given(first)):
            continue
        full = [key for key in keys if not any(_is_a_thing(word) or household(word) for word in key.split()[1:])]
        full = [key for key in full if not _is_more_often(key.partition(" ")[2], key, known)]
        if len(full) == 1:
            yield first, full[0]


def _is_more_often(name: str, key: str, known: Mapping[str, KnownName]) -> bool:
    """Whether a name stands more often alone than in another: of `Rolf NordTide` the company."""
    return name in known and known[name].lines > known[key].lines


def _is_a_thing(word: str) -> bool:
    return is_ordinary(word) or word in listed("things")


def _forms(known: Mapping[str, KnownName], introduced: Container[str]) -> Iterator[tuple[str, str]]:
    """Yield each name that is a form of one with more lines, with that one."""
    surnames = {key.rpartition(" ")[2] for key in known if " " in key}
    for key, each in known.items():
        first, _, rest = key.partition(" ")
        if rest in known and first in _kinds() and not is_ordinary(rest):
            yield key, rest
        if " " in key or key in introduced or is_given(key):
            continue
        genitive = key[-1] == "s" and each.name.istitle() and key not in surnames
        bare = [key[:-1]] if genitive else without_case(key)
        forms = [form for form in bare if form != key and len(form) >= _LEAST_OF_A_FORM and _is_name(form, known)]
        more = [form for form in forms if known[form].lines > each.lines]
        if more:
            yield key, max(more, key=lambda form: (known[form].lines, form))


def _is_name(form: str, known: Mapping[str, KnownName]) -> bool:
    """Whether a known name is one word of letters that begins with a capital, and no ordinary one."""
    return form in known and known[form].name.istitle() and form.isalpha() and not is_ordinary(form)


@cache
def _kinds() -> frozenset[str]:
    """Return the words for a project, which may stand before its name."""
    return frozenset(table("names")["projects"]["before a name"].split())


def _spelled(known: Mapping[str, KnownName]) -> Iterator[tuple[str, str]]:
    """Yield the names that are equal without spaces and points, each with that of the most lines."""
    alike: dict[str, list[str]] = {}
    for key in known:
        bare = key.replace(" ", "").replace(".", "")
        if bare.isalpha() and len(bare) >= _LEAST_LETTERS and key[0] < FAR_EAST:
            alike.setdefault(bare, []).append(key)
    for keys in alike.values():
        most, *others = sorted(keys, key=lambda key: (-known[key].lines, key))
        yield from ((key, most) for key in others)
