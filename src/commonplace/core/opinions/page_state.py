"""The state of the opinions page before a reflect, and which parts of it a person wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.markdown import page_regions
from commonplace.core.markdown.region_marker import digest
from commonplace.core.opinions.opinion_entry import Entry, Mark, entries, mark_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from commonplace.core.markdown.page_regions import Region


class Kept(NamedTuple):
    """The opinions on the page, and what a person edited, deleted or decided."""

    entries: tuple[Entry, ...] = ()
    edited: frozenset[int] = frozenset()
    """Numbers of the page's lines that are not as we wrote them."""
    deleted: Callable[[str], bool] = lambda _: False
    """Whether a person deleted the line of a key: `o-4m7k`, or `o-4m7k/k7f3qa` for evidence."""
    verdicts: Mapping[tuple[str, str], str] = {}
    """(opinion id, fact id) -> `for`, `against` or `neither`."""


def read_kept(path: str, text: str, *, verdicts: Mapping[tuple[str, str], str]) -> Kept:
    """Return the state of the region `opinions` of a page; lines of ours count for their original opinion."""
    region = page_regions.region(text, "opinions")
    if region is None:
        return Kept(verdicts=verdicts)
    first, last = region.start + 1, region.start + len(region.body)
    ours = {first + at: entry for at, entry in enumerate(region.ours) if entry >= 0}
    held = _once(entry for entry in entries(path, text) if first <= entry.number <= last)
    edited = frozenset(number for number in range(first, last + 1) if number not in ours)
    gone = region.gone()
    return Kept(_given_back(held, region, ours=ours), edited, lambda key: bool(gone) and digest(key) in gone, verdicts)


def _once(found: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return each opinion once, with the marks of all copies: a person may have copied its line."""
    held: dict[str, Entry] = {}
    for entry in found:
        known = held.get(entry.id)
        held[entry.id] = entry if known is None else known._replace(marks=(*known.marks, *entry.marks))
    return tuple(held.values())


def _given_back(held: Sequence[Entry], region: Region, *, ours: Mapping[int, int]) -> tuple[Entry, ...]:
    """Return the opinions, each with its own marks: a person may have moved a mark below another opinion."""
    strays: list[Mark] = []
    kept: list[Entry] = []
    for entry in held:
        own: list[Mark] = []
        for mark in entry.marks:
            at = ours.get(mark.number, -1)
            known = at < 0 or digest(f"{entry.id}/{mark_key(mark)}").startswith(region.entries[at].key)
            (own if known else strays).append(mark)
        kept.append(entry if len(own) == len(entry.marks) else entry._replace(marks=tuple(own)))
    if not strays:
        return tuple(kept)
    by_key = {region.entries[ours[mark.number]].key: mark for mark in strays}
    return tuple(_with(entry, by_key, ours=ours) for entry in kept)


def _with(entry: Entry, strays: Mapping[str, Mark], *, ours: Mapping[int, int]) -> Entry:
    """Return an opinion with the strays that belong to it, in their original order."""
    mine = [mark for key, mark in strays.items() if digest(f"{entry.id}/{mark_key(mark)}").startswith(key)]
    if not mine:
        return entry
    rank, ranks = -1, {}
    for mark in entry.marks:
        rank = ours.get(mark.number, rank)
        ranks[mark.number] = rank
    ranks.update((mark.number, ours[mark.number]) for mark in mine)
    marks = sorted((*entry.marks, *mine), key=lambda mark: (ranks[mark.number], mark.number))
    return entry._replace(marks=tuple(marks))
