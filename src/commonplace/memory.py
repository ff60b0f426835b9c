"""Memory: one workspace, opened. It wires the verbs to the files and the index, and asks the clock."""

from __future__ import annotations

import os
import time
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar
from weakref import ref

from commonplace.access import CORRUPT, Access, noted
from commonplace.config import Settings, read_settings, today
from commonplace.core import given
from commonplace.core.model import Query, Trailer
from commonplace.errors import IndexUnusable, NotAWorkspace, UsageError, WorkspaceError
from commonplace.store.sqlite import Index
from commonplace.store.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date
    from types import TracebackType

    from commonplace.core.belief import Step
    from commonplace.core.model import Bundle, Hit, Opinion, Problem, Reflection, SyncReport
    from commonplace.core.packet import Packet
    from commonplace.core.question import Reading
    from commonplace.ops.entity import EntityView
    from commonplace.ops.forget import Forgotten
    from commonplace.ops.history import Told
    from commonplace.ops.join import Joined
    from commonplace.ops.retain import Retained
    from commonplace.ops.review import Act, Answered, Heard, Waiting
    from commonplace.store.workspace.sets import Undone

T = TypeVar("T")
FORMAT = 1
"""The version of the Markdown format that we write: docs/format.md."""


_LEAST_PACKET = 1_000
"""Tokens: the instructions alone take about half of it."""


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
        weak = ref(self)  # no cycle: with the last reference to a memory its index file is let go
        self._access = Access(lambda: weak().workspace)  # type: ignore[union-attr]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index file."""
        self._access.close()

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

    def changed(self) -> bool:
        """Whether files have changed since the index last looked at them: what a recall with `sync=False` missed."""
        return self._access.changed()

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
            index = self._access.opened(anew=rebuild)
            if self._access.degraded:
                remedy = self._access.remedy or "check the disk and its permissions; recall works meanwhile"
                raise IndexUnusable(self._access.degraded, remedy)
            try:
                report = sync(index, self.workspace, now=time.time_ns(), rebuild=rebuild, progress=progress)
            except Index.refused as error:
                raise IndexUnusable(
                    f"the index cannot be written: {error}", "free some space, or delete .memory"
                ) from error
            index.fresh = False
            return report

        return self._access.mended(work)

    def status(self) -> Status:
        """What the workspace holds and how fresh the index is."""

        def work() -> Status:
            fresh = not self._access.changed()
            index = self._access.fresh()
            path = self.workspace.index_path
            day = today(self.settings)
            notes = tuple(note for note in (self._access.scanned, day.note) if note)
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

        return self._access.mended(work)

    def check(self) -> tuple[Problem, ...]:
        """Every problem in the Markdown and among the files, in order of path and line.

        The index is looked over as well, and made anew if there is damage in it.
        """

        def work() -> tuple[Problem, ...]:
            from commonplace.ops.check import check

            with suppress(*Index.refused):
                if self._access.opened().verify() is not None:
                    self._access.make_anew()
            return check(self._access.fresh(), self.workspace, self.settings.core)

        return self._access.mended(work)

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
            supersedes, contradicts, supports: facts or opinions, by id or citation.
            source: who said it when it was not the author, such as `web:example.org`.
        """
        from commonplace.ops.retain import compose, retain

        trailer = Trailer(
            supersedes=given.ids(supersedes),
            contradicts=given.ids(contradicts),
            supports=given.ids(supports),
            src=source.replace(" ", "_"),
        )
        day = given.day(date, self.today) if date is not None else self.today

        def work() -> Retained:
            index = self._access.fresh()
            fact = compose(
                index,
                text,
                kind=given.kind(kind) if kind else None,
                entities=tuple(entities),
                confidence=confidence,
                trailer=trailer,
            )
            done = retain(index, self._writes(), fact, day=day, allow_secret=allow_secret)
            self._access.fresh()
            return done

        return self._access.mended(work)

    def retract(self, id: str, *, reason: str = "") -> Retained:
        """Say in today's log that a fact no longer holds; its own line stays."""
        from commonplace.ops.retain import retract

        def work() -> Retained:
            index = self._access.fresh()
            done = retract(index, self._writes(), id.lstrip("^"), reason=reason, day=self.today)
            self._access.fresh()
            return done

        return self._access.mended(work)

    def forget(self, id: str) -> Forgotten:
        """Remove a fact for real: from the Markdown, what we kept of it, and the index."""
        from commonplace.ops.forget import forget
        from commonplace.store.git import inside

        def work() -> Forgotten:
            done = forget(self._access.fresh(), self._writes(), id.lstrip("^"), in_git=inside(self.root))
            self.index(rebuild=True)
            self._access.opened().shrink()
            with suppress(FileNotFoundError):
                os.unlink(self.workspace.index_path + CORRUPT)
            return done

        return self._access.mended(work)

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
        today = self.today
        asked = Query(
            query,
            (entities,) if isinstance(entities, str) else tuple(entities),
            tuple(map(given.kind, (kinds,) if isinstance(kinds, str) else kinds)),
            given.between(since, until, during, today),
            given.day(as_of, today) if as_of is not None else None,
            self.settings.k if k is None else k,
            self.settings.budget if budget is None else budget,
        )
        if asked.limit < 1 or asked.budget < 1:
            raise UsageError("k and budget must be at least 1", "leave them out for 10 hits and 1,500 tokens")
        if not query.strip() and not (asked.entities or asked.range or asked.kinds):
            raise UsageError("the question is empty", 'try: commonplace recall "what does Peter prefer?"')

        self._access.stale = False
        bundle = self._access.reads(lambda index: recall(index, asked, today=today), sync=sync)
        if self._access.degraded:
            return bundle._replace(status="degraded", note=noted(self._access.scanned, bundle.note))
        if self._access.stale:
            why = "the index is being written by another program; this is what it knew before"
            return bundle._replace(status="stale", note=noted(why, bundle.note))
        return bundle

    def explain(self, query: str) -> Reading:
        """How a question is read, with the entities of this workspace."""
        from commonplace.core.question import read

        def work(index: Index) -> Reading:
            found = read(query, self.today, index.named)
            spelled = {each.key: each.name for each in index.entities()} if found.entities else {}
            named = tuple((spelled.get(keys[0], name), keys) for name, keys in found.entities)
            return found._replace(entities=named)

        return self._access.reads(work)

    def show(self, target: str) -> Hit:
        """One fact or line: by id (`^k7f3qa`) or citation (`memory/2025-11-27.md#L12`)."""
        from commonplace.ops.entity import show

        return self._access.reads(lambda index: show(index, target.strip(), today=self.today))

    def entity(self, name: str) -> EntityView:
        """What is known of an entity: its page, aliases, facts and opinions, newest first."""
        from commonplace.ops.entity import entity

        return self._access.reads(lambda index: entity(index, self.workspace, name.lstrip("@"), today=self.today))

    def merge(self, into: str, other: str, *, dry_run: bool = False) -> Joined:
        """Make one entity another name of a second: alias, a person's text and all, in Markdown. Undone by `undo`."""
        from commonplace.ops.join import join

        def work() -> Joined:
            workspace = self.workspace if dry_run else self._writes()
            with workspace.reflecting() if not dry_run else nullcontext():
                index = self._access.fresh()
                done = join(index, workspace, into.lstrip("@"), other.lstrip("@"), dry_run=dry_run)
                self._access.fresh()
            return done

        return self._access.mended(work)

    def opinions(self, entity: str | None = None, *, as_of: str | date | None = None) -> tuple[Opinion, ...]:
        """The opinions held, with evidence; as they were known on a day if one is given."""
        from commonplace.ops.entity import opinions

        day = given.day(as_of, self.today) if as_of is not None else None
        return self._access.reads(lambda index: opinions(index, self.workspace, entity, as_of=day, today=self.today))

    def reflect(
        self, *, since: str | date | None = None, dry_run: bool = False, yes: bool = False, commit: bool | None = None
    ) -> Reflection:
        """Renew entity pages, opinions, world, experience and review from what was retained.

        Args:
            since: renew only pages of entities that facts of this day or later name. `last` renews every page, and
                reads narrative for proposals from where the last reflect stopped.
        """
        from commonplace.ops.settled import Asked, read_to, settled

        last = isinstance(since, str) and since.strip().casefold() == "last"
        day = None if since is None or last else given.first_day(since, self.today)

        def work() -> Reflection:
            self._access.stale = False
            index = self._access.fresh()
            workspace = self.workspace if dry_run else self._writes()
            asked = Asked(self.today, day, yes, read_to(index) if last else None)
            nothing = None if self._access.stale else settled(index, workspace, asked)
            if nothing is not None:
                return nothing
            from commonplace.ops.reflect import reflect

            return reflect(index, workspace, asked, dry_run=dry_run, sync=self._access.fresh)

        if dry_run:
            return self._access.mended(work)
        with self.workspace.reflecting():
            return self._committed(self._access.mended(work), commit)

    def _committed(self, done: Reflection, wanted: bool | None = None) -> Reflection:
        """The same, with what was written kept in git where that is wanted; None: as the settings say."""
        if not done.applied or not (self.settings.commit if wanted is None else wanted):
            return done
        from commonplace.store.git import commit

        note = commit(self.root, [patch.path for patch in done.patches], day=self._given_today)
        return done._replace(notes=(*done.notes, note))

    def review(self) -> Waiting:
        """What waits for a person or an agent: inferred facts, lines for the core, pairs of entities, evidence."""
        from commonplace.ops.review import waiting

        return self._access.reads(lambda index: waiting(index, self.workspace, today=self.today))

    def answer(
        self, ids: Iterable[str], verdict: str, *, text: str = "", fact: str = "", dry_run: bool = False
    ) -> Answered:
        """Answer what waits, record it in bank/review.md, and act on it at once: all of it, or nothing.

        Args:
            ids: of questions, as `review` lists them; with `fact` the id of one opinion.
            verdict: `accept` or `reject`; of evidence `for`, `against` or `neither`.
            text: other words in which it is accepted.
            fact: the id or citation of a fact that is to count for or against an opinion, asked or not.
            dry_run: only say what would be done.
        """
        from commonplace.core.answers import WORDS, Answer
        from commonplace.ops.review import answer

        said = WORDS.get(verdict)
        if said is None:
            raise UsageError(f"there is no verdict {verdict!r}", f"verdicts: {', '.join(WORDS)}")
        given = [Answer(id.strip().lstrip("^"), said, text, fact) for id in ids]

        return self._answering(lambda index, files, act: answer(index, files, given, act), dry_run)

    def hear(self, text: str, *, dry_run: bool = False) -> Heard:
        """Read answers, one a line, and act on those that can be read: what `reflect --packet` asks for."""
        from commonplace.ops.review import hear

        return self._answering(lambda index, files, act: hear(index, files, text, act), dry_run)

    def _answering(self, work: Callable[[Index, Workspace, Act], T], dry_run: bool) -> T:
        from commonplace.ops.review import Act

        act = Act(self.today, dry_run, self._access.fresh, self._committed)

        def once() -> T:
            return work(self._access.fresh(), self.workspace if dry_run else self._writes(), act)

        with nullcontext() if dry_run else self.workspace.reflecting():
            return self._access.mended(once)

    def packet(self, *, since: str | date | None = None, budget: int = 4000) -> Packet:
        """What a high-thinking agent should decide, within a token budget; its answers go to `hear`.

        Args:
            since: facts recorded from this day on are told; `last`, and None: since the last reflect.
        """
        from commonplace.ops.packet import packet
        from commonplace.ops.settled import read_to

        if budget < _LEAST_PACKET:
            raise UsageError(f"a packet needs more than {budget} tokens", f"give at least {_LEAST_PACKET:,}")
        day = None if since is None or since == "last" else given.first_day(since, self.today)

        def work(index: Index) -> Packet:
            from_day = read_to(index) if since in (None, "last") else day
            return packet(index, self.workspace, today=self.today, since=from_day, budget=budget)

        return self._access.reads(work)

    def log(self, name: str | None = None, *, since: str | date | None = None, k: int = 30) -> Told:
        """What changed when and why, newest first: beliefs, facts, decisions, commits, reflects. Writes nothing.

        Args:
            name: only what concerns this entity.
            since: nothing older. k: at most so many.
        """
        from commonplace.ops.history import asked_for, history
        from commonplace.store.git import log

        day = None if since is None else given.first_day(since, self.today)

        def work(index: Index) -> Told:
            asked = asked_for(index, self.workspace, name)
            return history(
                index,
                self.workspace,
                asked,
                today=self.today,
                since=day,
                most=k,
                commits=log(self.root, asked.paths, k),
            )

        return self._access.reads(work)

    def undo(self) -> tuple[Undone, ...]:
        """Take the last reflect back, file by file, except where somebody edited since; a merge whole or not at all.

        Answers go with what followed from them. What logs gained stays there: their rows say how to retract it.
        """
        from commonplace.core.bank import REVIEW
        from commonplace.ops.believe import readable
        from commonplace.ops.settled import note_unread
        from commonplace.ops.undo import left_behind
        from commonplace.store.workspace.sets import Undone

        with self.workspace.reflecting():
            before = readable(self._writes(), REVIEW)[0]
            done = {each.path: each.outcome for each in self.workspace.undo()}

            def work() -> dict[str, str]:
                index = self._access.fresh()
                note_unread(index)
                return left_behind(index, before, readable(self.workspace, REVIEW)[0]) if REVIEW in done else {}

            for path, why in self._access.mended(work).items():
                done[path] = f"{done[path]}; {why}" if path in done else why
        return tuple(Undone(path, outcome) for path, outcome in done.items())


def explain(query: str, *, today: date) -> Reading:
    """How a question is read where there is no workspace."""
    from commonplace.core.question import read

    return read(query, today)


def history(opinion: Opinion) -> tuple[Step, ...]:
    """The days on which an opinion's confidence moved, and to what; oldest first."""
    from commonplace.core.belief import history

    return history(opinion)
