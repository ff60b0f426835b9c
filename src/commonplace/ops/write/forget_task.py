"""The task of a forget: one fact by its id, or many by source, entity and day of record, and what goes with them.

A task is recorded before anything is removed, so that after a crash the next command finishes it.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.documents.fact_syntax import Defect, read_bullet, render
from commonplace.core.documents.fact_traces import Bullet, Traces, without_traces
from commonplace.core.documents.file_problems import NOT_UTF8
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.extract.note_copy import read_record
from commonplace.core.markdown.slug import FOLDER
from commonplace.core.model import Citation, Fact, Origin, Problem, Unread
from commonplace.core.pages.entity_pages import is_left_empty
from commonplace.core.provenance import COPIES, copied_as
from commonplace.core.text.normalize import fold
from commonplace.errors import NotFound, NotWritable, UsageError
from commonplace.ops.beliefs.believe import canonical_names
from commonplace.ops.beliefs.file_texts import FileTexts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from commonplace.core.model import Span
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace

_VERSION = 1
MOST_NAMED = 20
"""Ids, paths or places that an answer names."""


class Chosen(NamedTuple):
    """Which facts to forget; all given criteria must match."""

    source: str = ""
    """The source in their trailer (`import:Vault`, `web:example.org`), or the path of their file; or a folder above it.
    """
    entity: str = ""
    """An entity they are tagged with."""
    recorded: Span | None = None
    """The days they were recorded."""


def chosen_by(source: str | None, entity: str | None, recorded: Span | None) -> Chosen:
    """Return the criteria that a caller gave; None for those not given.

    Raises UsageError if none is given, or one names nothing (`/`, `@`, `-`): without it every fact would match.
    """
    if source is not None and not fold(source.replace("/", " ")):
        raise UsageError(
            f"the source {source!r} is empty", "name a source, a file or a folder: import:Vault, web:example.org"
        )
    if entity is not None and not entity_key(entity.lstrip(" @")):
        raise UsageError(f"the entity {entity!r} is empty", "name an entity: Peter")
    if source is None and entity is None and recorded is None:
        raise UsageError("no facts are named", "name an id, or --source, --entity, --since, --until or --during")
    return Chosen((source or "").strip().rstrip("/"), (entity or "").strip().lstrip("@"), recorded)


class Task(NamedTuple):
    """The facts, lines and files to remove."""

    facts: tuple[Fact, ...]
    bullets: tuple[Bullet, ...]
    """Bullets of the facts, and of the retractions that quote them."""
    copies: tuple[str, ...]
    """Files that are removed as a whole."""
    pages: tuple[str, ...] = ()
    """Pages of the entity that was named; one on which nobody wrote is removed when nothing is left on it."""


def task_of(index: Index, id: str) -> Task:
    """Return the task of forgetting one fact. Raises NotFound, and NotWritable if its file cannot be read."""
    fact = index.fact(id)
    if fact is None or fact.origin is Origin.GENERATED:
        place = Citation.read(id)
        raise NotFound(f"there is no fact {'at ' if place else '^'}{id}", _instead(index, id))
    if missed := _hidden(_out_of_reach(index), fact):
        raise NotWritable(f"^{id} cannot be removed: {missed.message}", f"{missed.hint}; nothing was changed")
    return _task(index, (fact,), copies=())


class Choice(NamedTuple):
    """The chosen facts and copies, and what will stay."""

    task: Task
    edited: tuple[Citation, ...]
    """Copies of notes that somebody edited."""
    page: tuple[Citation, ...]
    """The page of the entity that was named, if it has more than these facts."""
    hidden: tuple[Problem, ...]
    """Files with chosen facts that cannot be read, so that these stay."""

    @property
    def stays(self) -> tuple[Citation, ...]:
        """All that stays."""
        return (*self.edited, *self.page)


def choice(index: Index, workspace: Workspace, *, chosen: Chosen) -> Choice:
    """Return every chosen fact, and the copies of imported notes that the source names."""
    facts = tuple(matching(index, index.facts(), chosen=chosen))
    closed = _out_of_reach(index)
    hidden = {fact.id: missed for fact in facts if (missed := _hidden(closed, fact))} if closed else {}
    problems = [Problem(Citation(each.path, 0), each.code, each.message, each.hint) for each in hidden.values()]
    copies, edited = _copies(workspace, chosen) if chosen.source else ((), ())
    task = _task(index, tuple(fact for fact in facts if fact.id not in hidden), copies=copies)
    pages = _pages_of(index, chosen.entity)
    texts, traces = FileTexts(workspace), Traces(task.facts)
    stay = (path for path in pages if not is_left_empty(without_traces(texts.text(path), traces), path))
    page = tuple(Citation(path, 0) for path in stay)
    return Choice(task._replace(pages=pages), edited, page, tuple(dict.fromkeys(problems)))


def matching(index: Index, facts: Iterable[Fact], *, chosen: Chosen) -> Iterator[Fact]:
    """Yield those of these facts that match."""
    canonical = canonical_names(index.aliases(), {entity.key: entity for entity in index.entities()})
    wanted = canonical(chosen.entity) if chosen.entity else ""
    source = chosen.source
    days = chosen.recorded
    for fact in facts:
        said = (fact.trailer.src, fact.trailer.imported, fact.source.path)
        if source and not any(_below(each, source) for each in said):
            continue
        if wanted and wanted not in map(canonical, fact.entities):
            continue
        if days is not None:
            day = fact.recorded
            if day is None or (days.start and day < days.start) or (days.end and day > days.end):
                continue
        yield fact


def _out_of_reach(index: Index) -> tuple[Unread, ...]:
    """Return the files and folders that cannot be read, and the files that cannot be written: some bytes are no
    UTF-8.
    """
    stray = (each for each in index.problems() if each.code == NOT_UTF8)
    return (
        *index.unread(),
        *(Unread(each.source.path, each.code, each.message, each.hint, known=True) for each in stray),
    )


def _hidden(closed: Iterable[Unread], fact: Fact) -> Unread | None:
    """Return which of these files, or folders above one, has the line of a fact."""
    return next((each for each in closed if each.covers(fact.source.path)), None)


def _instead(index: Index, id: str) -> str:
    if id.startswith("o-"):
        held = index.opinion(id)
        if held is not None and held.evidence:
            cited = ", ".join(f"^{each.fact_id}" for each in held.evidence[:MOST_NAMED])
            return f"it is an opinion, computed from facts: forget these facts: {cited}"
    if id.startswith("i-"):
        return f"it is only proposed: commonplace review reject {id}; its text is in the log that it was read from"
    place = Citation.read(id)
    if place is not None and index.row_at(*place) is not None:
        return "it is a line, not a fact: delete it in its file"
    return "recall it first: each hit shows its id"


def _pages_of(index: Index, name: str) -> tuple[str, ...]:
    """Return the pages of an entity."""
    key = entity_key(name)
    return tuple(path for path, names in index.entity_pages().items() if name and key in names)


def _below(path: str, above: str) -> bool:
    return path == above or path.startswith(above + "/")


def _copies(workspace: Workspace, chosen: Chosen) -> tuple[tuple[str, ...], tuple[Citation, ...]]:
    """Return the copies of notes that a source names: those unchanged since written, and those edited since."""
    if chosen.entity or chosen.recorded is not None:
        return (), ()
    ours: list[str] = []
    edited: list[Citation] = []
    source, texts = chosen.source, FileTexts(workspace)
    for path in sorted(path for path in workspace.sweep() if path.startswith(COPIES)):
        if _below(copied_as(path), source) or _below(path, source):
            record = read_record(texts.text(path))
            if record is not None and record[1]:
                ours.append(path)
            else:
                edited.append(Citation(path, 0))
    return tuple(ours), tuple(edited)


def _task(index: Index, facts: tuple[Fact, ...], *, copies: tuple[str, ...]) -> Task:
    against = index.against([fact.id for fact in facts], ("retracts",))
    content = {fact.id: fact.content for fact in facts}
    takes_back = {row: content[id] for id, rows in against.items() for row in rows}
    # a retraction of ours quotes the fact; a contradiction in other words is another fact
    quoting = [fact for row, fact in index.facts_at(takes_back).items() if takes_back[row] in fact.content]
    closed = _out_of_reach(index)
    quoting = [fact for fact in quoting if not _hidden(closed, fact)]
    going = {fact.id: fact for fact in (*facts, *quoting)}
    stand = index.stands(going)
    alike: dict[tuple[str, str, int], int] = {}
    keys = {id: (at.path, fact.content, at.twins) for id, fact in going.items() if (at := stand.get(id))}
    for key in keys.values():
        alike[key] = alike.get(key, 0) + 1
    bullets = (Bullet(fact, keys[id][2] - alike[keys[id]] if id in keys else 0) for id, fact in going.items())
    return Task(facts, tuple(bullets), copies)


def recorded(task: Task) -> dict[str, Any]:
    """Return a task as the data of a record."""
    asked = {fact.id for fact in task.facts}
    return {
        "version": _VERSION,
        "copies": task.copies,
        "pages": task.pages,
        "facts": [
            {
                "id": fact.id,
                "asked": fact.id in asked,
                "twins": twins,
                "path": fact.source.path,
                "line": fact.source.line,
                "day": fact.recorded and fact.recorded.isoformat(),
                "bullet": render(fact),
            }
            for fact, twins in task.bullets
        ],
    }


def is_newer(noted: Mapping[str, Any]) -> bool:
    """Whether a newer program wrote the record."""
    version = noted.get("version")
    return isinstance(version, int) and version > _VERSION


def read_noted(noted: Mapping[str, Any]) -> Task | None:
    """Return the task of a record; None if a newer program wrote it, or it is damaged."""
    if noted.get("version") != _VERSION:
        return None
    try:
        bullets = tuple(Bullet(_read_fact(each), int(each["twins"])) for each in noted["facts"])
        asked = tuple(bullet.fact for bullet, each in zip(bullets, noted["facts"], strict=True) if each["asked"])
        copies = tuple(path for path in noted["copies"] if path.startswith(COPIES))
        pages = tuple(path for path in noted.get("pages", ()) if path.startswith(FOLDER))
        return Task(asked, bullets, copies, pages) if bullets or copies else None
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _read_fact(noted: Mapping[str, Any]) -> Fact:
    """Return a fact that `recorded` wrote. Raises ValueError if it is damaged."""
    head = read_bullet(" ".join(noted["bullet"].split()))
    if isinstance(head, Defect):
        raise ValueError
    return Fact(
        str(noted["id"]),
        head.kind,
        head.content,
        head.entities,
        Citation(str(noted["path"]), int(noted["line"])),
        date.fromisoformat(noted["day"]) if noted["day"] else None,
        confidence=head.confidence,
        trailer=head.trailer,
        block_id=bool(head.block),
    )
