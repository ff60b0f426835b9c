"""What every line of the logs is worth, kept by file, so that a reflect reads only the files that have changed.

What a line is worth depends on its workspace, too: what recurs is worth less, known names make it worth more. So what
the line tells by itself is kept, and the rest is added anew. A cache: without it the result is the same, only slower.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.entities.introductions import introduces
from commonplace.core.extract.line_worth import (
    ASSISTANT,
    CHATTER,
    USER,
    label_of,
    repeats,
    shape_of,
    worth_alone,
    worth_apart,
)
from commonplace.core.pages.page_quotes import WORTH_LISTING
from commonplace.core.pages.quote_topics import OTHER, WHO, lasts, tells_who, topic_of
from commonplace.core.timeline import ordinal
from commonplace.core.when import path_day

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from commonplace.core.entities.name_finder import NameFinder
    from commonplace.store.sqlite import Index
    from commonplace.store.sqlite.narrative_queries import ToldLine
    from commonplace.store.workspace import Workspace

    Kept = tuple[tuple[int, ...], int, float, bytes, bytes, str, bool, bool, tuple[str, ...], tuple[int, ...]]
    """A line in the cache: rows, day, worth by itself, shape, label, topic, whether it tells who somebody is, whether
    it states something, names that were found in it, and rows above it."""

_KEPT = "weighed lines"
_MOST_FOR_NAMES = 1.5
"""More than the names in a line may add to its worth."""
_NOTES = "memory/"
"""Undated notes below this folder are read as the logs are."""


class WeighedLine(NamedTuple):
    """A line by its worth, without its text."""

    rows: tuple[int, ...]
    """Its row, and those of the lines in which it goes on."""
    day: int | str
    """The day of its log, as an ordinal; the path of an undated file."""
    score: float
    topic: str
    """As of `quote_topics.topic_of`; empty of what is not worth listing on a page of the whole workspace."""
    tells_who: bool
    """As of `quote_topics.tells_who`."""
    states: bool
    """As of `Worth.states`."""
    names: tuple[str, ...]
    """Folded known names in it."""
    above: tuple[int, ...]
    """Rows of the nearest headings and bullets above it, the nearest first."""
    core: bool
    """Whether it stands in a core file."""


def weighed_lines(
    index: Index, workspace: Workspace, finder: NameFinder, named: Mapping[int, tuple[str, ...]]
) -> list[WeighedLine]:
    """Return the lines of `quotable` by their worth, in the order of path and line.

    Args:
        finder: finds names that the index may have overlooked.
        named: row -> keys of the names that the index found in it.
    """
    kept = _kept(index, workspace, finder)
    alike = repeats(())
    for _, lines in kept.values():
        for _, _, _, shape, label, *_ in lines:
            alike.add(shape, label)
    core = frozenset(workspace.core)
    found = []
    for path, (_, lines) in kept.items():
        in_core = path in core
        for rows, day, alone, shape, label, topic, who, states, names, above in lines:
            every = named.get(rows[0], ())
            every = tuple(dict.fromkeys((*every, *names))) if names else every
            score = alone + alike.score(shape, label, names=len(every))
            found.append(WeighedLine(rows, day or path, score, topic, who, states, every, above, in_core))
    return found


def quotable(index: Index, workspace: Workspace, paths: Iterable[str] | None = None) -> Iterator[ToldLine]:
    """Yield the lines of logs and notes, of MEMORY.md and of the files that introduce owner and agent.

    A file at the root whose name has no day is none of these, dated headings or not: instructions, studies, reports.

    Args:
        paths: of files among these; None: of all.
    """
    among = [
        path
        for path in (index.told_files() if paths is None else paths)
        if path.startswith(_NOTES) or path_day(path) or path == workspace.core_path or introduces(path)
    ]
    yield from index.told_lines(among)


def _kept(index: Index, workspace: Workspace, finder: NameFinder) -> dict[str, tuple[Any, list[Kept]]]:
    """Return path -> (mark, its lines), from the cache where nothing has changed."""
    known = (finder.digest(), tuple(workspace.core), workspace.core_path)
    of_known, stored = index.cached(_KEPT) or (None, {})
    before: dict[str, tuple[Any, list[Kept]]] = stored if of_known == known else {}
    marks = index.told_files()
    kept = {path: (mark, before[path][1]) for path, mark in marks.items() if before.get(path, (None,))[0] == mark}
    changed = marks.keys() - kept.keys()
    kept |= {path: (marks[path], []) for path in changed}
    transcripts: set[str] = set()
    asked: set[tuple[int, ...]] = set()
    for told in quotable(index, workspace, changed):
        path, text = told.line.source.path, told.line.content
        if text.startswith(ASSISTANT):
            transcripts.add(path)
        elif text.startswith(USER):
            asked.add(told.rows)
        kept[path][1].append(_record(told, finder, core=path in workspace.core))
    for path in transcripts:
        kept[path][1][:] = [each if each[0] in asked else _said_by_an_assistant(each) for each in kept[path][1]]
    if changed or stored.keys() != kept.keys():
        index.cache(_KEPT, (known, kept))
    return dict(sorted(kept.items()))


def _said_by_an_assistant(kept: Kept) -> Kept:
    rows, day, alone, shape, label, topic, who, states, names, above = kept
    return rows, day, alone - CHATTER, shape, label, topic, who, states, names, above


def _record(told: ToldLine, finder: NameFinder, *, core: bool) -> Kept:
    text, day = told.line.content, ordinal(told.line.recorded)
    alone = worth_alone(told.line, core=core)
    above = tuple(row for row, _ in told.above)
    names = tuple(finder.find(text))
    shape, label, who = shape_of(text), label_of(text), tells_who(alone)
    score = worth_apart(alone, text)
    topic = topic_of(told.line, who=who) if alone.states and score >= WORTH_LISTING - _MOST_FOR_NAMES else ""
    if topic in (WHO, OTHER) and day and not core and not lasts(alone):
        topic = ""
    return told.rows, day, score, shape, label, topic, who, alone.states, names, above
