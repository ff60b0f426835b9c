"""Memory: one workspace, opened. It wires the verbs to the files and the index, and asks the clock."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

from commonplace.config import Settings, read_settings, today
from commonplace.core import when
from commonplace.core.model import KIND_OF_LETTER, Kind, Query, Span, Trailer
from commonplace.errors import Busy, CommonplaceError, IndexUnusable, NotAWorkspace, UsageError, WorkspaceError
from commonplace.store.sqlite import Index
from commonplace.store.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date
    from types import TracebackType

    from commonplace.core.belief import Step
    from commonplace.core.model import Bundle, Hit, Opinion, Problem, Reflection, SyncReport
    from commonplace.core.question import Reading
    from commonplace.ops.entity import EntityView
    from commonplace.ops.forget import Forgotten
    from commonplace.ops.retain import Retained
    from commonplace.store.workspace.sets import Undone

T = TypeVar("T")
CORRUPT = ".corrupt"
"""Ends the name of a damaged index that was moved aside."""
FORMAT = 1
"""The version of the Markdown format that we write: docs/format.md."""


class Status(NamedTuple):
    """What the workspace holds and how fresh the index is."""

    root: str
    index_path: str
    index_bytes: int
    fresh: bool
    """Whether the index knew every file before it was asked."""
    writable: bool
    exchange: bool
    """Whether writes are published by an atomic exchange; else by lock and compare."""
    files: int
    lines: int
    facts: int
    entities: int
    opinions: int
    problems: int
    today: date
    zone: str
    notes: tuple[str, ...]


class Memory:
    """A folder of Markdown as a memory.

    Every verb first brings the index up to date with the files, unless told not to. The object is cheap to make:
    files and index are opened by the first verb. Use it from one thread; `close` it or use it as a context manager.
    """

    def __init__(self, workspace: str, *, settings: Settings | None = None, today: date | None = None) -> None:
        self.root = os.path.abspath(os.path.expanduser(workspace))
        self._given_settings = settings
        self._given_today = today
        self._workspace: Workspace | None = None
        self._index: Index | None = None
        self._degraded = ""
        self._remedy = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index file."""
        if self._index is not None:
            self._index.close()
            self._index = None

    # -- what is opened on first use

    @property
    def settings(self) -> Settings:
        """The settings given, else those of `commonplace.toml`."""
        if self._given_settings is None:
            self._given_settings = read_settings(self.root)
        return self._given_settings

    @property
    def today(self) -> date:
        """The day given, else the local day."""
        return self._given_today or today(self.settings).day

    @today.setter
    def today(self, day: date | None) -> None:
        self._given_today = day

    @property
    def workspace(self) -> Workspace:
        """The files."""
        if self._workspace is None:
            if not os.path.isdir(self.root):
                raise NotAWorkspace(
                    f"there is no folder {self.root}", "name one with --workspace, or run: commonplace init"
                )
            settings = self.settings
            self._workspace = Workspace(
                self.root, include=settings.include, core=settings.core, max_file_bytes=settings.max_file_bytes
            )
            self._workspace.recover()
        return self._workspace

    def _writes(self) -> Workspace:
        """The files, for a verb that writes them. Raises WorkspaceError when their format is newer than we know."""
        if self.settings.format > FORMAT:
            raise WorkspaceError(
                f"the workspace has format {self.settings.format}, this program writes format {FORMAT}",
                "install a newer commonplace; reading works meanwhile",
            )
        if self.workspace.adopt():
            self._workspace = None
            self._given_settings = self.settings._replace(include=(*self.settings.include, "**/*.md"))
        return self.workspace

    def _opened(self, *, anew: bool = False) -> Index:
        """The index; in memory when its file cannot be had, which `status` and bundles say.

        Args:
            anew: replace what a newer program made of it.
        """
        if self._index is not None and (anew or not self._index.current()):
            self.close()
        if self._index is None:
            workspace = self.workspace
            self._degraded = ""
            try:
                workspace.ensure_memory_dir()
                self._index = _open(workspace.index_path, anew=anew)
            except (OSError, CommonplaceError, *Index.refused) as error:
                said, self._remedy = (error.message, error.hint) if isinstance(error, CommonplaceError) else (error, "")
                self._degraded = f"the index cannot be used ({said})"
                self._index = Index(":memory:")
        return self._index

    def _fresh(self, *, sync: bool = True) -> Index:
        """The index, up to date with the files."""
        from commonplace.ops.sync import sync as bring_up_to_date

        index = self._opened()
        if sync or index.fresh:
            try:
                bring_up_to_date(index, self.workspace, now=time.time_ns())
                index.fresh = False
            except Index.refused as error:
                self._scan(f"the index cannot be written ({error})")
            except Busy as error:
                if index.fresh:  # it holds nothing yet: another program is filling it
                    self._scan(error.message)
                self._stale = True
        return self._opened()

    def _scan(self, why: str) -> None:
        """Answer from an index in memory from now on."""
        from commonplace.ops.sync import sync as bring_up_to_date

        self.close()
        self._degraded, self._remedy = why, ""
        self._index = Index(":memory:")
        bring_up_to_date(self._index, self.workspace, now=time.time_ns())

    @property
    def _scanned(self) -> str:
        """Why every file was read for the answer; empty when the index gave it."""
        return _noted(self._degraded, "answered by reading every file", self._remedy) if self._degraded else ""

    def _mended(self, work: Callable[[], T]) -> T:
        """What `work` returns; an index that cannot be read is done without, a damaged one is made anew.

        Damage need not be found by SQLite: a byte that flipped in a text or a number makes our own code stumble. So
        anything unforeseen is tried once more on a new index; a bug stumbles there again, and is raised.
        """
        try:
            return work()
        except (CommonplaceError, OSError):
            raise
        except Index.refused as error:
            self._scan(f"the index cannot be read ({error})")
        except Exception as error:
            if self._degraded or (self._distrusted and not isinstance(error, Index.damaged)):
                raise
            self._distrusted = True
            self._make_anew()
        return work()

    def _make_anew(self) -> None:
        """Move the index aside, unless another version has made one of its own: whoever opens it next makes another."""
        ours = True
        with suppress(*Index.damaged, *Index.refused):
            ours = self._index is None or self._index.current()
        self.close()
        if ours:
            _set_aside(self.workspace.index_path)

    def changed(self) -> bool:
        """Whether files have changed since the index last looked at them: what a recall with `sync=False` missed."""
        states, _ = self._opened().states()
        return states != {path: tuple(state) for path, state in self.workspace.sweep().items()}

    def _reads(self, work: Callable[[Index], T], *, sync: bool = True) -> T:
        """What `work` finds in the index, all of one moment."""

        def once() -> T:
            index = self._fresh(sync=sync)
            return index.reading(lambda: work(index))

        return self._mended(once)

    _stale = False
    _distrusted = False
    """Whether the index was made anew because of something unforeseen."""

    # -- verbs

    def init(self) -> tuple[str, ...]:
        """Make the workspace: what is missing is created, what is there stays as it is; the paths created."""
        os.makedirs(self.root, exist_ok=True)
        return self._writes().init(self.today)

    def index(self, *, rebuild: bool = False, progress: Callable[[int, int], None] | None = None) -> SyncReport:
        """Bring the index up to date, or make it anew; what was found.

        Raises IndexUnusable when its file cannot be written; the Markdown is untouched.
        """
        from commonplace.ops.sync import sync

        def work() -> SyncReport:
            index = self._opened(anew=rebuild)
            if self._degraded:
                remedy = self._remedy or "check the disk and its permissions; recall works meanwhile"
                raise IndexUnusable(self._degraded, remedy)
            try:
                report = sync(index, self.workspace, now=time.time_ns(), rebuild=rebuild, progress=progress)
            except Index.refused as error:
                raise IndexUnusable(
                    f"the index cannot be written: {error}", "free some space, or delete .memory"
                ) from error
            index.fresh = False
            return report

        return self._mended(work)

    def status(self) -> Status:
        """What the workspace holds and how fresh the index is."""

        def work() -> Status:
            fresh = not self.changed()
            index = self._fresh()
            path = self.workspace.index_path
            day = today(self.settings)
            notes = tuple(note for note in (self._scanned, day.note) if note)
            return Status(
                root=self.root,
                index_path=path,
                index_bytes=os.path.getsize(path) if os.path.exists(path) else 0,
                fresh=fresh,
                writable=self.workspace.writable,
                exchange=self.workspace.exchange,
                **index.counts(),
                today=self.today,
                zone=day.zone,
                notes=notes,
            )

        return self._mended(work)

    def check(self) -> tuple[Problem, ...]:
        """Every problem in the Markdown and among the files, in order of path and line.

        The index is looked over as well, and made anew if there is damage in it.
        """

        def work() -> tuple[Problem, ...]:
            from commonplace.ops.check import check

            with suppress(*Index.refused):
                if self._opened().verify() is not None:
                    self._make_anew()
            return check(self._fresh(), self.workspace, self.settings.core)

        return self._mended(work)

    def retain(
        self,
        text: str,
        *,
        kind: str | None = None,
        entities: Iterable[str] = (),
        confidence: float | None = None,
        date: str | date | None = None,
        supersedes: Iterable[str] = (),
        contradicts: Iterable[str] = (),
        supports: Iterable[str] = (),
        source: str = "",
        allow_secret: bool = False,
    ) -> Retained:
        """Write a fact into a day's log; the same fact twice on one day is written once.

        Args:
            text: the fact in the grammar of docs/format.md, or plain text: then kind and entities are proposed.
            date: the log's day; today when not given.
            source: who said it when it was not the author, such as `web:example.org`.
        """
        from commonplace.ops.retain import compose, retain

        trailer = Trailer(
            supersedes=_ids(supersedes),
            contradicts=_ids(contradicts),
            supports=_ids(supports),
            src=source.replace(" ", "_"),
        )
        day = self._day(date) if date is not None else self.today

        def work() -> Retained:
            index = self._fresh()
            fact = compose(
                index,
                text,
                kind=_kind(kind) if kind else None,
                entities=tuple(entities),
                confidence=confidence,
                trailer=trailer,
            )
            done = retain(index, self._writes(), fact, day=day, allow_secret=allow_secret)
            self._fresh()
            return done

        return self._mended(work)

    def retract(self, id: str, *, reason: str = "") -> Retained:
        """Say in today's log that a fact no longer holds; its own line stays."""
        from commonplace.ops.retain import retract

        def work() -> Retained:
            index = self._fresh()
            done = retract(index, self._writes(), id.lstrip("^"), reason=reason, day=self.today)
            self._fresh()
            return done

        return self._mended(work)

    def forget(self, id: str) -> Forgotten:
        """Remove a fact for real: from the Markdown, what we kept of it, and the index."""
        from commonplace.ops.forget import forget
        from commonplace.store.git import inside

        def work() -> Forgotten:
            done = forget(self._fresh(), self._writes(), id.lstrip("^"), in_git=inside(self.root))
            self.index(rebuild=True)
            self._opened().shrink()
            with suppress(FileNotFoundError):
                os.unlink(self.workspace.index_path + CORRUPT)
            return done

        return self._mended(work)

    def recall(
        self,
        query: str,
        *,
        k: int | None = None,
        budget: int | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
        during: str | date | None = None,
        as_of: str | date | None = None,
        kinds: Iterable[str] = (),
        entities: Iterable[str] = (),
        sync: bool = True,
    ) -> Bundle:
        """The facts and lines that answer a question, best first, cited, within a token budget.

        Args:
            k: most hits. budget: most tokens of the readable rendering.
            since, until, during: only what was recorded, or holds, on these days; dates, durations or words.
            as_of: only what had been recorded by then.
            sync: False answers from the index as it is.
        """
        from commonplace.ops.recall import recall

        if not isinstance(query, str):
            raise UsageError("the question is no text", 'try: recall("what does Peter prefer?")')
        asked = Query(
            query,
            (entities,) if isinstance(entities, str) else tuple(entities),
            tuple(map(_kind, (kinds,) if isinstance(kinds, str) else kinds)),
            self._range(since, until, during),
            self._day(as_of) if as_of is not None else None,
            self.settings.k if k is None else k,
            self.settings.budget if budget is None else budget,
        )
        if asked.limit < 1 or asked.budget < 1:
            raise UsageError("k and budget must be at least 1", "leave them out for 10 hits and 1,500 tokens")
        if not query.strip() and not (asked.entities or asked.range or asked.kinds):
            raise UsageError("the question is empty", 'try: commonplace recall "what does Peter prefer?"')

        self._stale = False
        bundle = self._reads(lambda index: recall(index, asked, today=self.today), sync=sync)
        if self._degraded:
            return bundle._replace(status="degraded", note=_noted(self._scanned, bundle.note))
        if self._stale:
            why = "the index is being written by another program; this is what it knew before"
            return bundle._replace(status="stale", note=_noted(why, bundle.note))
        return bundle

    def explain(self, query: str) -> Reading:
        """How a question is read, with the entities of this workspace."""
        from commonplace.core.question import read

        def work(index: Index) -> Reading:
            found = read(query, self.today, index.named)
            spelled = {each.key: each.name for each in index.entities()} if found.entities else {}
            named = tuple((spelled.get(keys[0], name), keys) for name, keys in found.entities)
            return found._replace(entities=named)

        return self._reads(work)

    def show(self, target: str) -> Hit:
        """One fact or line: by id (`^k7f3qa`) or citation (`memory/2025-11-27.md#L12`)."""
        from commonplace.ops.entity import show

        return self._reads(lambda index: show(index, target.strip(), today=self.today))

    def entity(self, name: str) -> EntityView:
        """What is known of an entity: its page, aliases, facts and opinions, newest first."""
        from commonplace.ops.entity import entity

        return self._reads(lambda index: entity(index, self.workspace, name.lstrip("@"), today=self.today))

    def opinions(self, entity: str | None = None, *, as_of: str | date | None = None) -> tuple[Opinion, ...]:
        """The opinions held, with evidence; as they were known on a day if one is given."""
        from commonplace.ops.entity import opinions

        day = self._day(as_of) if as_of is not None else None
        return self._reads(lambda index: opinions(index, self.workspace, entity, as_of=day, today=self.today))

    def reflect(
        self, *, since: str | date | None = None, dry_run: bool = False, yes: bool = False, commit: bool | None = None
    ) -> Reflection:
        """Renew entity pages, opinions, world, experience and review from what was retained."""
        from commonplace.ops.settled import Asked, settled

        day = self._range(since, None, None).start if since is not None else None  # type: ignore[union-attr]
        asked = Asked(self.today, day, yes)

        def retain(text: str, *, date: date) -> object:
            return self.retain(text, date=date).fact

        def work() -> Reflection:
            self._stale = False
            index = self._fresh()
            workspace = self.workspace if dry_run else self._writes()
            nothing = None if self._stale else settled(index, workspace, asked)
            if nothing is not None:
                return nothing
            from commonplace.ops.reflect import reflect

            return reflect(index, workspace, asked, dry_run=dry_run, retain=retain, sync=self._fresh)

        done = self._mended(work)
        wanted = self.settings.commit if commit is None else commit
        if wanted and done.applied:
            from commonplace.store.git import commit as commit_files

            note = commit_files(self.root, [patch.path for patch in done.patches], "reflect: renew pages and opinions")
            return done._replace(notes=(*done.notes, note))
        return done

    def undo(self) -> tuple[Undone, ...]:
        """Take the last reflect back, file by file, except where somebody edited since."""
        done = self._writes().undo()
        self._mended(self._fresh)
        return done

    # -- dates

    def _day(self, given: str | date) -> date:
        """A day from a date or words; of a range its last day."""
        span = self._span(given, "on")
        day = span.end or span.start
        assert day is not None
        return day

    def _span(self, given: str | date, role: str) -> Span:
        if not isinstance(given, str):
            return Span(given, given)
        try:
            return when.argument(given, self.today, role)
        except ValueError as error:
            raise UsageError(f"cannot read the date {given!r}", str(error)) from None

    def _range(self, since: str | date | None, until: str | date | None, during: str | date | None) -> Span | None:
        """The days that all three allow; None when none is given."""
        start = end = None
        if during is not None:
            start, end = self._span(during, "during")
        if since is not None:
            first = self._span(since, "since").start
            start = max(start, first) if start and first else first or start
        if until is not None:
            last = self._span(until, "until").end
            end = min(end, last) if end and last else last or end
        if start is None and end is None:
            return None
        if start and end and start > end:
            raise UsageError(
                f"the range ends before it begins: {start} to {end}", "check --since, --until and --during"
            )
        return Span(start, end)


def explain(query: str, *, today: date) -> Reading:
    """How a question is read where there is no workspace."""
    from commonplace.core.question import read

    return read(query, today)


def history(opinion: Opinion) -> tuple[Step, ...]:
    """The days on which an opinion's confidence moved, and to what; oldest first."""
    from commonplace.core.belief import history

    return history(opinion)


def _kind(given: str) -> Kind:
    """A kind by name or letter."""
    try:
        return KIND_OF_LETTER.get(given) or Kind(given.casefold())
    except (ValueError, AttributeError):
        raise UsageError(f"there is no kind {given!r}", f"kinds: {', '.join(Kind)}") from None


def _ids(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(id.strip().lstrip("^") for id in given if id.strip()))


def _noted(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def _open(path: str, *, anew: bool) -> Index:
    """The index at a path; a damaged file is set aside first."""
    try:
        return Index(path, anew=anew)
    except Index.damaged:
        _set_aside(path)
        return Index(path)


def _set_aside(path: str) -> None:
    """Move a damaged index out of the way, its log files with it; nothing is lost, all of it is derived."""
    for suffix in ("-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.unlink(path + suffix)
    if os.path.exists(path):
        os.replace(path, path + CORRUPT)
