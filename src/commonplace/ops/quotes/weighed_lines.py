"""What every line of the logs is worth, kept by file, so that a reflect reads only the files that have changed.

What a line is worth depends on its workspace, too: what recurs is worth less, known names make it worth more. So what
the line tells by itself is kept, and the rest is added anew. A cache: without it the result is the same, only slower.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache, partial
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.introductions import (
    called,
    introduces,
    introduces_owner,
    may_call,
)
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
from commonplace.core.extract.news_sections import is_own, of_news, tells_popularity
from commonplace.core.extract.report_series import series
from commonplace.core.extract.textbook import copied, is_particular, tells_doings
from commonplace.core.markdown.old_copies import is_old_copy
from commonplace.core.memo import reported
from commonplace.core.quotes.definitions import may_define
from commonplace.core.quotes.lines_by_entity import WeighedLine
from commonplace.core.quotes.quote_choice import WORTH_LISTING
from commonplace.core.quotes.quote_endings import may_end
from commonplace.core.quotes.quote_topics import (
    CAUSES,
    DECISIONS,
    OTHER,
    PREFERENCES,
    WHO,
    announces,
    passes,
    ruled,
    tells_who,
    topic_of,
)
from commonplace.core.quotes.quote_words import instructs, is_material
from commonplace.core.tables import table
from commonplace.core.text.normalize import fold
from commonplace.core.timeline import ordinal
from commonplace.core.when import path_day

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from commonplace.core.entities.name_finder import NameFinder
    from commonplace.core.extract.line_worth import Worth
    from commonplace.core.memo import Progress
    from commonplace.core.model import Line
    from commonplace.store.sqlite import Index
    from commonplace.store.sqlite.narrative_queries import ToldLine
    from commonplace.store.workspace import Workspace

    Rows = tuple[int, ...]
    Signs = tuple[str, bool, bool, str, bool, bool, bool]
    """The last seven fields of a `WeighedLine`: most lines share theirs with others."""
    Kept = tuple[Rows, int, float, bytes, bytes, Rows, Signs]
    """A line in the cache: rows, day, worth by itself, shape, label, rows above it, and signs."""
    Found = dict[int, tuple[str, ...]]
    """Row -> names that were found in it."""
    KeptFile = tuple[Any, list[Kept], Found, Found]
    """A file in the cache: mark, lines, and the names in them and in the headings and bullets above them."""

_KEPT = "weighed lines"
_MOST_FOR_NAMES = 1.5
"""More than the names in a line may add to its worth."""
_TELL_OF_ENDS = (PREFERENCES, DECISIONS, CAUSES)
"""What a line tells, one of these, if it says that something was given up."""
_REPORTED = 1.5
"""How much less a line of a report is worth that was made again and again; set by hand: of 31 such lines on the pages
of six workspaces a third was useful."""
LOGS = "memory/"
"""Undated notes below this folder are read as the logs are, but for copies of what stands elsewhere."""
_NO_NOTES = frozenset(f"{name}.md" for name in ("agents", "changelog", "claude", "contributing", "gemini", "readme"))
"""What tells how to use a folder of notes, or its program what to do."""


def weighed_lines(
    index: Index,
    workspace: Workspace,
    finder: NameFinder,
    named: Mapping[int, tuple[str, ...]],
    *,
    above: NameFinder,
    progress: Progress | None = None,
) -> tuple[list[WeighedLine], dict[int, tuple[str, ...]]]:
    """Return the lines that pages may quote by their worth, in the order of path and line, and row -> names of each
    heading and bullet above them in which the index overlooked one.

    Args:
        finder: finds names that the index may have overlooked in a line.
        named: row -> keys of the names that the index found in it.
        above: finds names that the index may have overlooked above a line.
        progress: called with (lines read, lines to read).
    """
    defining = only_defining(index.told_files(), workspace)
    kept = _kept(index, workspace, (finder, above), progress, defining=defining)
    alike = repeats(())
    every_line = [each for _, lines, *_ in kept.values() for each in lines]
    alike.add(map(itemgetter(3), every_line), map(itemgetter(4), every_line))
    of_shapes, of_labels, of_names = alike.scores()
    most = len(of_names) - 1
    core = frozenset(workspace.core)
    reports = series(kept)
    found, line_of = [], partial(tuple.__new__, WeighedLine)  # half the time of `_make`
    named_above: dict[int, tuple[str, ...]] = {}
    for path, (mark, lines, overlooked, headings) in kept.items():
        defines = path in defining
        for row, names in () if defines else headings.items():
            named_above[row] = tuple(dict.fromkeys((*named.get(row, ()), *names)))
        in_core, file, report = path in core and not defines, f"{path} {mark[0]}", reports.get(path, "")
        less = _REPORTED if report else 0.0
        whose = _introduced(index, path, lines, named=named) if introduces(path) else ""
        if not whose and introduces_owner(path):
            whose = _owner_called(index, [each for each in kept if may_call(each)], named)
        for rows, day, alone, shape, label, rows_above, signs in lines:
            every = named.get(rows[0], ())
            if overlooked and rows[0] in overlooked:
                every = tuple(dict.fromkeys((*every, *overlooked[rows[0]])))
            score = alone + (of_shapes[shape] + of_names[min(most, len(every))] + of_labels[label]) - less
            where, over = ("", ()) if defines else (day or path, rows_above)
            found.append(line_of((rows, where, score, every, over, in_core, whose, file, report, *signs)))
    return found, named_above


def _introduced(index: Index, path: str, lines: Sequence[Kept], *, named: Mapping[int, tuple[str, ...]]) -> str:
    """Return the first name behind a label that introduces the owner or agent, or on the line below it; of several
    lines the one that is used most; empty if there is none."""
    labels = _labels_of_names()
    texts = {told.rows[0]: fold(told.line.content) for told in index.told_lines([path])}
    found: list[str] = []
    for at, line in enumerate(lines):
        if line[4] in labels:
            rows = [each[0][0] for each in lines[at : at + 2]]
            row = next((row for row in rows if row in named), 0)
            found += sorted(named.get(row, ()), key=lambda name: _place(name, texts[row]))[:1]
    among = {*found}
    uses = Counter(name for names in named.values() for name in among.intersection(names)) if len(among) > 1 else {}
    return max(found, key=lambda name: uses.get(name, 0), default="")


def _place(name: str, text: str) -> int:
    at = text.find(name)
    return at if at >= 0 else len(text)


def _owner_called(index: Index, paths: Sequence[str], named: Mapping[int, tuple[str, ...]]) -> str:
    """Return the key by which another core file calls the owner; empty if none does."""
    for told in index.told_lines(paths):
        if key := entity_key(called(told.line.content)):
            among = [each for row in told.rows for each in named.get(row, ())]
            if key in among:
                return key
    return ""


@cache
def _labels_of_names() -> frozenset[bytes]:
    return frozenset(label_of(f"{label}: ") for label in table("core")["names"])


def quotable(index: Index, paths: Iterable[str], defining: Container[str]) -> Iterator[ToldLine]:
    """Yield the lines of files that pages may quote: of those that only define something the lines that may do so; of
    old copies none."""
    for told in index.told_lines([path for path in paths if not is_old_copy(path)]):
        if told.line.source.path not in defining or may_define(told.line.content):
            yield told


def notes_of(paths: Iterable[str]) -> str:
    """Return the folder of a workspace's notes: `memory/`, or the root, as of an agent's folder of memories, while more
    than twice as many files stand there: what we log beside them must not end their pages."""
    every = list(paths)
    logs = sum(path.startswith(LOGS) for path in every)
    return LOGS if logs and 2 * logs >= sum("/" not in path for path in every) else ""


def only_defining(paths: Iterable[str], workspace: Workspace) -> frozenset[str]:
    """Return of which files pages quote only what says who or what something is: outside of the folder of notes those
    whose names have no day, dated headings or not, but for MEMORY.md and the files that introduce owner and agent.
    Instructions, studies, reports."""
    every, core, ours = list(paths), workspace.core, workspace.core_path
    notes = notes_of(every)
    return frozenset(
        path
        for path in every
        if (not path.startswith(notes) or (not notes and (path in core or path.casefold() in _NO_NOTES)))
        and not (path_day(path) or path == ours or introduces(path))
    )


def _kept(
    index: Index,
    workspace: Workspace,
    finders: tuple[NameFinder, NameFinder],
    progress: Progress | None,
    *,
    defining: Container[str],
) -> dict[str, KeptFile]:
    """Return path -> its lines, from the cache where nothing has changed.

    Args:
        finders: of names in lines, and of names above them.
        defining: as of `only_defining`.
    """
    marks = index.told_files()
    names = tuple(each.digest() for each in finders)
    known = (tuple(workspace.core), workspace.core_path, notes_of(marks))
    of_known, of_names, stored = index.cached(_KEPT) or (None, None, {})
    core = frozenset(workspace.core)
    before: dict[str, KeptFile] = stored if of_known == known else {}
    kept = {path: (mark, *before[path][1:]) for path, mark in marks.items() if before.get(path, (None,))[0] == mark}
    changed = marks.keys() - kept.keys()
    kept |= {path: (marks[path], [], {}, {}) for path in changed}
    again = changed if of_names == names else marks.keys()  # with other names only these are found anew
    read = reported(quotable(index, again, defining), progress, of=sum(marks[path][1] for path in again))
    for path, group in groupby(read, key=lambda told: told.line.source.path):
        in_core, lines = path in core and path not in defining, [*group]
        records = _records(lines, core=in_core) if path in changed else kept[path][1]
        texts = {row: text for told in lines for row, text in told.above}
        in_lines = ((told.rows[0], told.line.content) for told in lines)
        kept[path] = marks[path], records, _found(in_lines, finders[0]), _found(texts.items(), finders[1])
    if again or stored.keys() != kept.keys():
        index.cache(_KEPT, (known, names, kept))
    return dict(sorted(kept.items()))


def _found(texts: Iterable[tuple[int, str]], finder: NameFinder) -> Found:
    """Return the names in texts, each given with its row."""
    return {row: tuple(names) for row, text in texts if (names := finder.find(text))}


def _records(lines: Sequence[ToldLine], *, core: bool) -> list[Kept]:
    """Return the lines of a file."""
    weighed: list[tuple[Line, Worth]] = []
    found: list[Kept] = []
    for told in lines:
        alone = worth_alone(told.line, core=core)
        weighed.append((told.line, alone))
        found.append(_record(told, alone, core=core))
    if not introduces(lines[0].line.source.path):
        found = _without_copied(found, [each for each in weighed if each[0].recorded is None])
    if not core:
        found = _without_news(found, weighed)
    texts = [line.content for line, _ in weighed]
    if any(text.startswith(ASSISTANT) for text in texts):
        asked = (text.startswith(USER) for text in texts)
        found = [each if own else _said_by_an_assistant(each) for each, own in zip(found, asked, strict=True)]
    return found


def _without_copied(records: list[Kept], undated: Sequence[tuple[Line, Worth]]) -> list[Kept]:
    """Return the lines of a note, those of copied knowledge as such that state nothing of the owner's."""
    if not undated:
        return records
    particular = [is_particular(line, alone) for line, alone in undated]
    taken = iter(copied([line.context for line, _ in undated], particular, exempt=announces))
    return [each if each[1] or not next(taken) else _stating_nothing(each) for each in records]


def _without_news(records: Sequence[Kept], weighed: Sequence[tuple[Line, Worth]]) -> list[Kept]:
    """Return the lines of a file, the news that somebody read as such that state nothing of the owner's."""
    popular = [tells_popularity(line.content) for line, _ in weighed]
    news = of_news([line.context for line, _ in weighed], popular)
    found = []
    for record, (line, alone), liked, among in zip(records, weighed, popular, news, strict=True):
        stateless = among or is_material(line)
        if not (liked or stateless) or is_own(alone):
            found.append(record)
        else:
            kept = _stating_nothing(record) if stateless else record
            found.append((*kept[:-1], _signs(*kept[-1][:-1], True)))
    return found


def _stating_nothing(kept: Kept) -> Kept:
    _, who, _, tells, _, does, news = kept[-1]
    return (*kept[:-1], _signs("", who, False, tells, False, does, news))


def _said_by_an_assistant(kept: Kept) -> Kept:
    return (*kept[:2], kept[2] - CHATTER, *kept[3:])


def _record(told: ToldLine, alone: Worth, *, core: bool) -> Kept:
    text, day = told.line.content, ordinal(told.line.recorded)
    above = tuple(row for row, _ in told.above)
    shape, label, who = shape_of(text), label_of(text), tells_who(alone)
    score = worth_apart(alone, text)
    topic = tells = topic_of(told.line, who=who) if alone.states and score >= WORTH_LISTING - _MOST_FOR_NAMES else ""
    if topic in (WHO, OTHER) and day and not introduces(told.line.source.path):
        topic = ""
    elif topic in (WHO, OTHER) and core and ruled(told.line) and instructs(text):
        topic = PREFERENCES
    elif topic in (WHO, OTHER) and not introduces(told.line.source.path) and passes(alone):
        topic = CAUSES if "cause" in alone.signs else ""
    ending = bool(day) and (topic or tells) in _TELL_OF_ENDS and may_end(told.start)
    signs = _signs(topic, who, alone.states, tells, ending, tells_doings(alone), False)
    return told.rows, day, score, shape, label, above, signs


@lru_cache(1_000)
def _signs(*signs: Any) -> Signs:
    """Return the same tuple for the same signs: a fifth of the cache otherwise."""
    return signs
