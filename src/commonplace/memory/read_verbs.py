"""The verbs that read: recall, and what else tells what a memory holds. They write nothing but the index.

`index` alone also merges the lines that an editor saved late.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from commonplace.access import noted
from commonplace.config import today
from commonplace.core import argument_values
from commonplace.core.model import Query
from commonplace.errors import CommonplaceError, IndexUnusable, UsageError
from commonplace.memory.open_workspace import Opened, verb
from commonplace.store.sqlite import Index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date

    from commonplace.core.agent.core_blocks import Context, Core
    from commonplace.core.model import Bundle, Finding, Hit, Opinion, Problem, SyncReport
    from commonplace.core.recall.query_analysis import Reading
    from commonplace.ops.views.belief_history import Told
    from commonplace.ops.views.lookup import EntityView
    from commonplace.ops.write.edit_files import Lines
    from commonplace.store.fs.server_records import Server
    from commonplace.store.workspace.unread_files import LeftOut


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
    read: dict[str, int]
    """How many files are read in each folder at the top; `./` is the workspace itself."""
    left_out: tuple[LeftOut, ...]
    """What is not read, by folder, and why."""
    servers: tuple[Server, ...]
    """MCP servers over HTTP that run for this workspace; writes through them need the token that each printed."""
    today: date
    zone: str
    notes: tuple[str, ...]


class Reads(Opened):
    """The verbs that read."""

    @verb
    def index(self, *, rebuild: bool = False, progress: Callable[[int, int], None] | None = None) -> SyncReport:
        """Bring the index up to date, or make it anew; what was found. What `check` says is waiting is merged.

        Raises IndexUnusable when its file cannot be written; the Markdown is untouched.
        """
        from commonplace.ops.index.sync_index import sync

        def work() -> SyncReport:
            index = self._access.opened(anew=rebuild, begin=True)
            if self._access.degraded:
                remedy = self._access.remedy or "check the disk and its permissions; recall works meanwhile"
                raise IndexUnusable(self._access.degraded, remedy)
            try:
                report = sync(index, self.workspace, now=time.time_ns(), rebuild=rebuild, progress=progress)
                if self._known_format and self._merged():
                    report = sync(index, self.workspace, now=time.time_ns(), progress=progress)
            except Index.refused as error:
                raise IndexUnusable(
                    f"the index cannot be written: {error}", "free some space, or delete .memory"
                ) from error
            index.fresh = False
            return report

        return self._access.mended(work)

    def _merged(self) -> bool:
        """Merge what waits, as far as that can be done now; whether there was anything."""
        try:
            return bool(self.workspace.late_writes())
        except CommonplaceError:  # it goes on waiting, and the index is good without it
            return False

    @verb
    def status(self) -> Status:
        """What the workspace holds and how fresh the index is."""

        def work() -> Status:
            from commonplace.core.documents.file_problems import UNREAD
            from commonplace.ops.beliefs.unreadable import unread as missed
            from commonplace.ops.views.check_problems import check
            from commonplace.store.fs.server_records import servers
            from commonplace.store.workspace.unread_files import left_out, read_in

            fresh = not self._access.changed()
            index = self._access.fresh()
            path = self.workspace.index_path
            day = today(self.settings)
            waits = (f"{each.source.path}: {each.message}; {each.hint}" for each in self.workspace.waiting())
            lacks = (f"{each.message}; {each.hint}" for each in missed(index))
            notes = tuple(note for note in (self._access.scanned, day.note, *waits, *lacks) if note)
            problems = check(index, self.workspace, self.settings.core)
            unread = [each for each in problems if each.code in UNREAD]
            paths = self.workspace.sweep().keys() - {each.source.path for each in unread}
            return Status(
                root=self.root,
                index_path=path,
                index_bytes=os.path.getsize(path) if os.path.exists(path) else 0,
                fresh=fresh,
                writable=self.workspace.writable and not self.workspace.care.closed(),
                exchange=self.workspace.begun and self.workspace.exchange,  # else it takes a file of ours to find out
                **{**index.counts(), "files": len(paths)},
                problems=len(problems),
                read=read_in(paths),
                left_out=left_out(self.root, paths, unread),
                servers=tuple(each for each in servers(self.workspace.memory_dir) if each.running),
                today=self.today,
                zone=day.zone,
                notes=notes,
            )

        return self._access.mended(work)

    @verb
    def check(self) -> tuple[Problem, ...]:
        """Every problem in the Markdown and among the files, in order of path and line.

        The index is looked over as well, and made anew if there is damage in it.
        """

        def work() -> tuple[Problem, ...]:
            from commonplace.ops.views.check_problems import check

            with suppress(*Index.refused):
                if self._access.opened().verify() is not None:
                    self._access.make_anew()
            return check(self._access.fresh(), self.workspace, self.settings.core)

        return self._access.mended(work)

    @verb
    def doctor(self, *, fix: bool = False) -> tuple[Finding, ...]:
        """What is wrong with the workspace, its index and the system below it, each with the next step.

        Args:
            fix: mend what is safe: the index, our own folder, what killed writers left, or had begun. No other text of
                a person's changes.
        """
        from commonplace.memory.look_over import examination

        return examination(self, fix=fix)  # type: ignore[arg-type] # it is a Memory: nothing else is made

    @verb
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
        from commonplace.ops.recall.recall import recall

        if not isinstance(query, str):
            raise UsageError("the question is no text", 'try: recall("what does Peter prefer?")')
        today = self.today
        asked = Query(
            query,
            (entities,) if isinstance(entities, str) else tuple(entities),
            tuple(map(argument_values.kind, (kinds,) if isinstance(kinds, str) else kinds)),
            argument_values.between(since, until, during, today),
            argument_values.day(as_of, today) if as_of is not None else None,
            self.settings.k if k is None else k,
            self.settings.budget if budget is None else budget,
        )
        if asked.limit < 1 or asked.budget < 1:
            raise UsageError("k and budget must be at least 1", "leave them out for 10 hits and 1,500 tokens")
        if not query.strip() and not (asked.entities or asked.range or asked.kinds):
            raise UsageError("the question is empty", 'try: commonplace recall "what does Peter prefer?"')

        self._access.stale = False

        def work(index: Index) -> Bundle:
            found = recall(index, asked, today=today)
            missed = index.unread()
            if not missed:  # as nearly always
                return found
            from commonplace.ops.beliefs.unreadable import qualified

            return qualified(found, missed)

        bundle = self._access.reads(work, sync=sync)
        if self._access.degraded:
            return bundle._replace(status="degraded", note=noted(self._access.scanned, bundle.note))
        if self._access.stale:
            why = "the index is being written by another program; this is what it knew before"
            return bundle._replace(status="stale", note=noted(why, bundle.note))
        return bundle

    @verb
    def explain(self, query: str) -> Reading:
        """How a question is read, with the entities of this workspace."""
        from commonplace.core.recall.query_analysis import read

        def work(index: Index) -> Reading:
            found = read(query, self.today, index.named)
            spelled = {each.key: each.name for each in index.entities()} if found.entities else {}
            named = tuple((spelled.get(keys[0], name), keys) for name, keys in found.entities)
            return found._replace(entities=named)

        return self._access.reads(work)

    @verb
    def show(self, target: str) -> Hit:
        """One fact or line: by id (`^k7f3qa`) or citation (`memory/2025-11-27.md#L12`)."""
        from commonplace.ops.views.lookup import show

        return self._access.reads(lambda index: show(index, target.strip(), today=self.today))

    @verb
    def entity(self, name: str) -> EntityView:
        """What is known of an entity: its page, aliases, facts and opinions, newest first."""
        from commonplace.ops.views.lookup import entity

        return self._access.reads(lambda index: entity(index, self.workspace, name.lstrip("@"), today=self.today))

    @verb
    def opinions(self, entity: str | None = None, *, as_of: str | date | None = None) -> tuple[Opinion, ...]:
        """The opinions held, with evidence; as they were known on a day if one is given."""
        from commonplace.ops.views.lookup import opinions

        day = argument_values.day(as_of, self.today) if as_of is not None else None
        return self._access.reads(lambda index: opinions(index, self.workspace, entity, as_of=day, today=self.today))

    @verb
    def log(self, name: str | None = None, *, since: str | date | None = None, k: int = 30) -> Told:
        """What changed when and why, newest first: beliefs, facts, decisions, commits, reflects. Writes nothing.

        Args:
            name: only what concerns this entity.
            since: nothing older. k: at most so many.
        """
        from commonplace.ops.views.belief_history import asked_for, history
        from commonplace.store.git import log

        day = None if since is None else argument_values.first_day(since, self.today)

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

    @verb
    def get(self, target: str) -> Lines:
        """Lines of a file by citation (`memory/2025-11-27.md#L12`, `…#L12-L20`), or a whole file by its path."""
        from commonplace.ops.write.edit_files import cited, lines

        return lines(self.workspace, *cited(target))

    @verb
    def core(self, *, budget: int | None = None, numbered: bool = False) -> Core:
        """The core files as labelled blocks within a token budget; the same bytes while nothing changed.

        Args:
            budget: most tokens; as the settings say when not given. numbered: with the number of each line.
        """
        from commonplace.core.agent import core_blocks
        from commonplace.ops.views.core_file import blocks as read

        paid = self.settings.core_budget if budget is None else budget
        if paid < 1:
            raise UsageError("budget must be at least 1", "leave it out for what the settings say")
        found, notes = read(self.workspace, self.settings.core)
        return core_blocks.core(found, budget=paid, numbered=numbered)._replace(notes=notes)

    @verb
    def context(
        self, query: str, *, k: int | None = None, budget: int | None = None, shown: Iterable[str] = ()
    ) -> Context:
        """The core, and below it what is recalled for a message, fenced as data, in one token budget.

        What the core shows is not recalled again. The fence has another name each time: no text can close it.

        Args:
            k: most hits. budget: most tokens of both; the core leaves a quarter of it, or what recall has by itself,
                and of a small one enough for two or three hits. More budget never leaves less to recall.
            shown: core files that the agent has before it already: they get no block, and of those that no host cuts
                nothing is recalled.
        """
        from commonplace.core.agent import core_blocks
        from commonplace.core.recall.packing import pack
        from commonplace.ops.views.core_file import blocks as read

        settings = self.settings
        whole = settings.core_budget + settings.budget if budget is None else budget
        if whole < 1:
            raise UsageError("budget must be at least 1", "leave it out for what the settings say")
        (known, notes), shown = read(self.workspace, settings.core), frozenset(shown)
        mark = os.urandom(6).hex()
        fence = core_blocks.fence_cost("0" * len(mark))  # not of the mark itself: the core is the same each time
        paid = core_blocks.share(whole, core=settings.core_budget, recalled=settings.budget, fence=fence)
        core = core_blocks.core([each for each in known if each.path not in shown], budget=paid)._replace(notes=notes)
        read_whole = {each.path for each in known if each.path in shown and each.size <= each.limit}
        left = core_blocks.rest(core, budget=whole, recalled=settings.budget, fence=fence)
        limit = settings.k if k is None else k
        bundle = self.recall(query, k=limit + 10, budget=max(1, whole))
        sources = [(hit, hit.fact.source) for hit in bundle.hits]
        hits = [hit for hit, at in sources if at.path not in read_whole and not core_blocks.shows(core, at)]
        if bundle.status == "ok" and not hits:
            bundle = bundle._replace(status="empty", note="the core says all that was found")
        bundle = pack(query, hits, limit=limit, budget=left, note=bundle.note)._replace(status=bundle.status)
        return core_blocks.context(core, bundle, mark=mark, budget=whole)
