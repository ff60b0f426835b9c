"""Forget: facts out of the Markdown, for the one case where a log must shrink: they should never have been written.

One fact by its id, or many by where they came from, whom they are about and when they were recorded; those are shown
first. Each file changes in one write, or not at all and is told.
"""

from __future__ import annotations

import re
import shlex
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entity import entity_key
from commonplace.core.fact import decode, read_trailer, write_trailer
from commonplace.core.imported import read_record, stated, without
from commonplace.core.model import RELATIONS, Citation, Fact, Origin, Patch, Problem, Trailer
from commonplace.core.parse import parse
from commonplace.core.provenance import COPIES, copied_as, noted_path
from commonplace.core.regions import generated_lines
from commonplace.errors import ChangedUnderneath, CommonplaceError, NotFound, UsageError
from commonplace.ops.believe import canonical_names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from commonplace.core.model import Span
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace


class Forgotten(NamedTuple):
    """What was removed, and where else the fact may still stand."""

    fact: Fact
    elsewhere: tuple[Citation, ...]
    """Lines of a person's own that hold its text: they are left, for the person to judge."""
    notes: tuple[str, ...]


class Wiped(NamedTuple):
    """What was removed, or would be, and what stays."""

    applied: bool
    facts: tuple[Fact, ...]
    copies: tuple[str, ...]
    """Copies of imported notes that go as a whole."""
    elsewhere: tuple[Citation, ...]
    """Lines of a person's own that hold such a text: they are left. Line 0 is a whole file."""
    problems: tuple[Problem, ...]
    """Files that could not be changed: what of them was to go is still there."""
    notes: tuple[str, ...]


class Chosen(NamedTuple):
    """Which facts are to be forgotten; of what is given, all must hold."""

    source: str = ""
    """What their trailer says (`import:Vault`, `web:example.org`), or the path of their file; or a folder above."""
    entity: str = ""
    """Whom they are tagged with."""
    recorded: Span | None = None
    """The days on which they were recorded."""


def forget(index: Index, workspace: Workspace, id: str, *, in_git: bool) -> Forgotten:
    """Remove the bullet of a fact, with its continuation lines, and every copy of its text that we keep for undo."""
    fact = index.fact(id)
    if fact is None or fact.origin is Origin.GENERATED:
        raise NotFound(f"there is no fact ^{id}", "recall it first: each hit shows its id")
    elsewhere, problems = _remove(index, workspace, [fact])
    if problems:
        raise ChangedUnderneath(problems[0].message, problems[0].hint)
    return Forgotten(fact, elsewhere, tuple(_notes([fact], (), elsewhere, in_git=in_git)))


def wipe(index: Index, workspace: Workspace, chosen: Chosen, *, in_git: bool, yes: bool) -> Wiped:
    """Remove every fact that is chosen, and the copies of imported notes that a source names; without `yes` tell them.

    Raises UsageError where nothing is chosen by.
    """
    if not any(chosen):
        raise UsageError("which facts?", "name an id, or --source, --entity, --since, --until or --during")
    facts = tuple(_chosen(index, chosen))
    copies, edited = _copies(workspace, chosen) if chosen.source else ((), ())
    page = _page_of(index, chosen.entity)
    if not yes:
        return Wiped(False, facts, copies, (*edited, *page), (), (_STAY,) if facts else ())
    gone, problems = _without_copies(workspace, copies)
    elsewhere, more = _remove(index, workspace, facts)
    problems += more
    failed = {problem.source.path for problem in problems}
    whole = {each.path for each in edited}
    left = (*edited, *page, *(place for place in elsewhere if place.path not in whole))
    removed = tuple(fact for fact in facts if fact.source.path not in failed)
    notes = (_STAY, *_notes(removed, gone, left, in_git=in_git)) if removed or gone else ()
    return Wiped(True, removed, tuple(gone), left, tuple(problems), notes)


_STAY = "only facts are removed: what else stands in logs and pages stays, and recall shows it"


def _chosen(index: Index, chosen: Chosen) -> Iterator[Fact]:
    canonical = canonical_names(index.aliases(), {entity.key: entity for entity in index.entities()})
    wanted = canonical(chosen.entity) if chosen.entity else ""
    source = chosen.source.rstrip("/")
    days = chosen.recorded
    for fact in index.facts():
        if source and not (_below(fact.trailer.src, source) or _below(fact.source.path, source)):
            continue
        if wanted and wanted not in map(canonical, fact.entities):
            continue
        if days is not None:
            day = fact.recorded
            if day is None or (days.start and day < days.start) or (days.end and day > days.end):
                continue
        yield fact


def _page_of(index: Index, name: str) -> tuple[Citation, ...]:
    """The page of an entity, which stays: what it says of itself, its other names among it, is a person's."""
    key = entity_key(name)
    return tuple(Citation(path, 0) for path, names in index.entity_pages().items() if name and key in names)


def _below(path: str, above: str) -> bool:
    return path == above or path.startswith(above + "/")


def _copies(workspace: Workspace, chosen: Chosen) -> tuple[tuple[str, ...], tuple[Citation, ...]]:
    """The copies of notes that a source names, as they were written; and those that are otherwise by now."""
    if chosen.entity or chosen.recorded is not None:
        return (), ()
    ours: list[str] = []
    edited: list[Citation] = []
    source = chosen.source.rstrip("/")
    for path in sorted(path for path in workspace.sweep() if path.startswith(COPIES)):
        if _below(copied_as(path), source) or _below(path, source):
            record = read_record(_text(workspace, path))
            if record is not None and record[1]:
                ours.append(path)
            else:
                edited.append(Citation(path, 0))
    return tuple(ours), tuple(edited)


def _without_copies(workspace: Workspace, copies: Sequence[str]) -> tuple[list[str], list[Problem]]:
    """Remove copies, all at once; where that is refused, each by itself, so that one costs none of the others."""

    def remove(paths: Sequence[str]) -> None:
        workspace.apply([Patch(path, workspace.read(path).digest, None, "forgotten") for path in paths], "forget")

    gone: list[str] = []
    problems: list[Problem] = []
    try:
        remove(copies)
        gone = list(copies)
    except CommonplaceError:
        for path in copies:
            try:
                remove([path])
                gone.append(path)
            except CommonplaceError as error:
                problems.append(_failed(path, error))
    for path in gone:
        workspace.tidy(path, "memory")  # a folder's name may tell, too
    return gone, problems


def _remove(
    index: Index, workspace: Workspace, facts: Sequence[Fact]
) -> tuple[tuple[Citation, ...], tuple[Problem, ...]]:
    """Remove facts, our lines about them, and what is kept of both; where their text still stands, and what failed."""
    against = index.against([fact.id for fact in facts], ("retracts",))
    rows = [row for quoting in against.values() for row in quoting]
    quoting = [line.fact for line in index.lines(rows).values()]  # a retraction repeats what it takes back
    bullets: dict[str, list[Fact]] = {}
    for each in {fact.id: fact for fact in (*facts, *quoting)}.values():
        bullets.setdefault(each.source.path, []).append(each)
    told = _Told(facts)
    if len(facts) > _FEW:
        pages = {path for path in workspace.sweep() if _touched(workspace, path, told)}
    else:
        pages = {place.path for fact in facts for text in _texts(fact) for place in index.citing(fact.id, text)}
    copies = _copied(workspace, facts)
    there = workspace.sweep().keys()
    problems = []
    for path in sorted({*bullets, *pages, *copies} & there):
        edit = partial(_edited, path, bullets.get(path, ()), told, copies.get(path, ()))
        try:
            workspace.change(path, edit)
        except CommonplaceError as error:
            problems.append(_failed(path, error))
    workspace.purge()
    own = {fact.source.path for fact in facts}
    return tuple(_standing(workspace, {*pages, *copies} | own, told, copies)), tuple(problems)


def _touched(workspace: Workspace, path: str, told: _Told) -> bool:
    """Whether a file names or tells one of the facts."""
    lines = _text(workspace, path).split("\n")
    return any(told.cited_in(line) or told.stands_in(line) for line in lines)


def _text(workspace: Workspace, path: str) -> str:
    """What a file holds; empty where it cannot be read: then it cannot be changed either, which is told."""
    try:
        return workspace.read(path).text
    except CommonplaceError:
        return ""


def _copied(workspace: Workspace, facts: Iterable[Fact]) -> dict[str, list[str]]:
    """Copies of the notes that facts were imported from, with the keys of those facts."""
    found: dict[str, list[str]] = {}
    sources: dict[str, str] | None = None
    for fact in facts:
        key = dict(fact.trailer.other).get("key")
        if key is None or not fact.trailer.note:
            continue
        if sources is None:
            sources = {copied_as(path): path for path in workspace.sweep()}
        if path := sources.get(fact.trailer.src):
            found.setdefault(path, []).append(key)
    return found


def _edited(path: str, bullets: Sequence[Fact], told: _Told, keys: Sequence[str], text: str | None) -> str:
    """A file without the bullets that stand in it, our lines about the facts, and what a copy says of them."""
    text = _without(path, bullets, text or "") if bullets else text or ""
    record = read_record(text) if keys else None
    if record is not None and record[1]:
        return without(noted_path(path), text, keys)
    return _without_traces(text, told)


def _without_traces(text: str, told: _Told) -> str:
    """A page without our lines about facts, what hangs below them included, and without trailers that name one."""
    lines = text.split("\n")
    ours = generated_lines(text)
    kept: list[str] = []
    below = -1  # indent of a line of ours that was left out
    for number, line in enumerate(lines, 1):
        indent = len(line) - len(line.lstrip())
        if below >= 0 and number in ours and line.strip() and indent > below:
            continue
        below = -1
        if number in ours and (told.cited_in(line) or told.stands_in(line) or told.quoted_in(line)):
            below = indent
            continue
        kept.append(_without_mention(line, told.ids))
    return "\n".join(kept)


def _texts(fact: Fact) -> tuple[str, ...]:
    """What a fact says; of an imported one also without what it stands below, as other notes may say the same."""
    text = fact.content
    if fact.trailer.note:
        bare = text.replace("：", ": ").rpartition(": ")[2]
        if len(bare) >= _BEGIN and bare != text and text.endswith(bare):
            return text, bare
    return (text,)


class _Told:
    """What facts say, to be looked for in any number of lines at once."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.ids = frozenset(fact.id for fact in facts)
        self._begin: dict[str, list[str]] = {}
        self._short: list[str] = []
        for text in (text for fact in facts for text in _texts(fact)):
            if len(text) < _BEGIN:
                self._short.append(text)
            else:
                self._begin.setdefault(text[:_BEGIN], []).append(text)

    def stands_in(self, line: str) -> bool:
        """Whether a line holds the text of one of them."""
        said = decode(line)
        return any(text in said for text in self._short) or any(
            said.startswith(text, at) for at, texts in self._beginnings(said) for text in texts
        )

    def quoted_in(self, line: str) -> bool:
        """Whether a line of ours quotes the beginning of one: one too many is written again by the next reflect."""
        said = decode(line) if "…" in line else ""
        return any(said.startswith(text[:_QUOTED], at) for at, texts in self._beginnings(said) for text in texts)

    def cited_in(self, line: str) -> bool:
        """Whether a line names the id of one."""
        return "^" in line and not self.ids.isdisjoint(_cited().findall(line))

    def _beginnings(self, said: str) -> Iterator[tuple[int, list[str]]]:
        begin = self._begin
        for at in range(len(said) - _BEGIN + 1 if begin else 0):
            if texts := begin.get(said[at : at + _BEGIN]):
                yield at, texts


@cache
def _cited() -> re.Pattern[str]:
    return re.compile(r"\^([A-Za-z0-9-]+)")


def _without_mention(line: str, ids: Collection[str]) -> str:
    """A line whose trailer no longer names an id."""
    start, end = line.find("<!-- cp:"), line.find("-->")
    if start < 0 or end < start:
        return line
    trailer = read_trailer(line[start + 8 : end])
    named = {key: tuple(each for each in getattr(trailer, key) if each not in ids) for key in RELATIONS}
    if all(named[key] == getattr(trailer, key) for key in RELATIONS):
        return line
    written = write_trailer(Trailer(**named, src=trailer.src, other=trailer.other))
    return (
        f"{line[:start].rstrip()} {written}{line[end + 3 :]}".rstrip()
        if written
        else line[:start].rstrip() + line[end + 3 :]
    )


def _standing(
    workspace: Workspace, pages: Collection[str], told: _Told, copies: Mapping[str, Sequence[str]]
) -> Iterator[Citation]:
    """Where the text of a fact still stands in these files, or a copy says it."""
    for page in sorted(set(pages) & workspace.sweep().keys()):
        text = _text(workspace, page)
        numbers = {number for number, line in enumerate(text.split("\n"), 1) if told.stands_in(line)}
        if page in copies:
            numbers.update(said.line for said in stated(noted_path(page), text, copies[page]))
        yield from (Citation(page, number) for number in sorted(numbers))


def _without(path: str, bullets: Sequence[Fact], text: str) -> str:
    """A file's text without the lines of these bullets. Raises ChangedUnderneath where one is not there."""
    wanted: dict[str, set[str]] = {}
    for fact in bullets:
        wanted.setdefault(fact.content, set()).add(fact.id)
    gone: set[int] = set()
    for fact in parse(path, text).facts:
        ids = wanted.get(fact.content, set())
        if (id := next((id for id in ids if fact.id == id or id.startswith(fact.id + "-")), None)) is not None:
            ids.discard(id)
            gone.update(range(fact.source.line, fact.source.line + fact.lines))
    if any(wanted.values()):
        raise ChangedUnderneath(f"{path} changed while the fact was looked for", "try again")
    return "\n".join(line for number, line in enumerate(text.split("\n"), 1) if number not in gone)


def _notes(
    facts: Iterable[Fact], copies: Sequence[str], elsewhere: Sequence[Citation], *, in_git: bool
) -> Iterator[str]:
    """What whoever forgets should know."""
    yield "undo of earlier writes is gone with it"
    if in_git:
        yield (
            "git still holds it where it was committed: git filter-repo --replace-text FILE takes the texts that stand"
            " in FILE, one a line, out of every commit"
        )
    if in_git and copies:
        paths = " ".join(f"--path {shlex.quote(path)}" for path in copies[:_MOST_PATHS])
        more = f" (and so the other {len(copies) - _MOST_PATHS:,})" if len(copies) > _MOST_PATHS else ""
        yield f"… and git filter-repo {paths} --invert-paths takes out these copies{more}"
    if any(fact.trailer.note for fact in facts) or copies:
        yield "the notes that it was imported from are untouched: another import would bring it back"
    if elsewhere:
        yield "its text also stands elsewhere, in lines that are not ours to remove"


_MOST_PATHS = 20
_QUOTED, _BEGIN = 24, 12
"""Characters of a fact by which a quotation cut short is known; and by which its text is looked for."""
_FEW = 20
"""Facts up to which the index is asked where each one stands; beyond it every file is read once."""


def _failed(path: str, error: CommonplaceError) -> Problem:
    return Problem(Citation(path, 0), error.code, error.message, error.hint)
