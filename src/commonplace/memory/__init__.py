"""Memory: one workspace, opened. It wires the verbs to the files and the index, and asks the clock."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from commonplace.core import argument_values
from commonplace.core.model import Query, Trailer
from commonplace.errors import UsageError
from commonplace.memory.open_workspace import OpenWorkspace, verb

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date

    from commonplace.core.agent.core_blocks import Context, Core
    from commonplace.core.model import Bundle, Finding, Hit, Opinion, Problem, Reflection, SyncReport
    from commonplace.core.opinions.belief import Step
    from commonplace.core.recall.query_analysis import Reading
    from commonplace.core.review.packet import Packet
    from commonplace.memory.index_state import Status
    from commonplace.ops.reflect.review import Answered, Heard, Waiting
    from commonplace.ops.views.belief_history import Told
    from commonplace.ops.views.lookup import EntityView
    from commonplace.ops.write.edit_files import Door, Lines, Written
    from commonplace.ops.write.forget import Forgotten, Wiped
    from commonplace.ops.write.import_notes import Imported
    from commonplace.ops.write.merge_entities import Joined
    from commonplace.ops.write.retain import Retained
    from commonplace.store.sqlite import Index
    from commonplace.store.transactions.change_sets import Undone
    from commonplace.store.workspace import Workspace

__all__ = ["Memory", "explain", "guide", "history"]

T = TypeVar("T")


class Memory(OpenWorkspace):
    """A folder of Markdown as a memory.

    Every verb first brings the index up to date with the files, unless told not to. The object is cheap to make:
    files and index are opened by the first verb. Threads may share it: it does one thing at a time. `close` it, or
    use it as a context manager.
    """

    # -- what is written as facts

    @verb
    def init(self) -> tuple[str, ...]:
        """Make the workspace: what is missing is created, what is there stays as it is; the paths created."""
        from commonplace.store.workspace.workspace_layout import init, make_root

        make_root(self.root)
        settings = os.path.join(self.root, "commonplace.toml")
        there = os.path.lexists(settings)
        made = init(self._writes(), self.today)
        return (os.path.basename(settings), *made) if os.path.lexists(settings) and not there else made

    @verb
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
        session: str = "",
        allow_secret: bool = False,
    ) -> Retained:
        """Write a fact into a day's log; the same fact twice on one day is written once.

        Args:
            text: the fact in the grammar of docs/format.md, or plain text: then kind and entities are proposed.
            date: the log's day; today when not given.
            supersedes, contradicts, supports: facts or opinions, by id or citation.
            source: who said it when it was not the author, such as `web:example.org`.
            session: in which session of a host the author said it, such as `openclaw:4f1b`. It says where the fact
                is from and takes nothing from it; what the text says in a trailer is left out.
        """
        from commonplace.core.provenance import given_source
        from commonplace.ops.write.compose_fact import compose
        from commonplace.ops.write.retain import retain

        trailer = Trailer(
            supersedes=argument_values.ids(supersedes),
            contradicts=argument_values.ids(contradicts),
            supports=argument_values.ids(supports),
            src=given_source(source),
            other=argument_values.session(session),
        )
        day = argument_values.day(date, self.today) if date is not None else self.today

        def work() -> Retained:
            index = self._access.fresh()
            meant = argument_values.kind(kind) if kind else None
            fact = compose(index, text, kind=meant, entities=tuple(entities), confidence=confidence, trailer=trailer)
            return retain(index, self._writes(), fact, day=day, allow_secret=allow_secret)

        return self._renewed(work)

    @verb
    def correct(
        self, id: str, text: str, *, source: str = "", session: str = "", allow_secret: bool = False
    ) -> Retained:
        """Write today what a fact should have said; the new one supersedes it, and its own line stays.

        Args:
            id: of the fact, or its citation.
            text: the fact in the grammar of docs/format.md, or plain text: then kind and entities stay as they were.
            source: who said so when it was not the author; when not given, who said the fact that is corrected.
            session: as of `retain`.
        """
        from commonplace.core.provenance import given_source
        from commonplace.ops.write.retain import correct

        said = Trailer(src=given_source(source), other=argument_values.session(session))

        def work() -> Retained:
            workspace, index = self._writes(), self._access.fresh()
            named = id.strip().lstrip("^")
            return correct(index, workspace, named, text, trailer=said, day=self.today, allow_secret=allow_secret)

        return self._renewed(work)

    @verb
    def retract(self, id: str, *, reason: str = "", allow_secret: bool = False) -> Retained:
        """Say in today's log that a fact no longer holds; its own line stays.

        Args:
            reason: why. What the fact says is said again, unless it looks like a secret.
            allow_secret: write a reason that looks like a secret, too.
        """
        from commonplace.ops.write.retain import retract

        def work() -> Retained:
            workspace, index = self._writes(), self._access.fresh()
            named = id.lstrip("^")
            return retract(index, workspace, named, reason=reason, day=self.today, allow_secret=allow_secret)

        return self._renewed(work)

    @verb
    def forget(self, id: str, *, again: bool = False) -> Forgotten:
        """Remove a fact for real: from the Markdown, what we kept of it, and the index.

        One that a crash interrupted is finished, and told as done here. Asked twice, it removes no other fact.

        Args:
            again: remove also another fact that has the id of one that was forgotten.
        """
        from commonplace.memory.forget_facts import forget

        return forget(self, id.lstrip("^"), again=again)

    @verb
    def forget_all(
        self,
        *,
        source: str | None = None,
        entity: str | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
        during: str | date | None = None,
        yes: bool = False,
    ) -> Wiped:
        """Remove every fact for real that all of these choose; without `yes` only tell which those are.

        Args:
            source: what their trailer says of where they came from, or the path of their file; or a folder above.
            entity: whom they are tagged with.
            since, until, during: when they were recorded.
        """
        from commonplace.memory.forget_facts import forget_all
        from commonplace.ops.write.forget_task import chosen_by

        days = argument_values.between(since, until, during=during, today=self.today)
        return forget_all(self, chosen_by(source, entity, days), yes=yes)

    @verb
    def import_notes(
        self,
        paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        *,
        form: str | None = None,
        yes: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Imported:
        """Take the notes of other programs in: facts, copies and aliases; without `yes` only tell what that would be.

        Nothing changes where they lie; the same import twice adds nothing.

        Args:
            paths: folders of notes, or files.
            form: notes, memory, basic-memory or memories; None: as each note looks.
            progress: told (done, of) as it goes.
        """
        from commonplace.ops.write.import_notes import apply, plan
        from commonplace.store.workspace.import_source import MOST_BYTES, Source

        named = (paths,) if isinstance(paths, str | os.PathLike) else tuple(paths)
        most = min(MOST_BYTES, self.settings.max_file_bytes)
        sources = [Source(os.fspath(path), most=most) for path in named]

        def work() -> Imported:
            workspace = self._writes() if yes else self.workspace
            planned = plan(self._access.fresh(), workspace, sources, form=form, today=self.today, progress=progress)
            return apply(self._access.opened(), workspace, planned, progress=progress) if yes else planned.told

        return self._renewed(work) if yes else self._access.mended(work)

    @verb
    def merge(self, into: str, other: str, *, dry_run: bool = False) -> Joined:
        """Make one entity another name of a second: alias, a person's text and all, in Markdown. Undone by `undo`."""
        from commonplace.ops.write.merge_entities import join

        def work() -> Joined:
            workspace = self.workspace if dry_run else self._writes()
            with nullcontext() if dry_run else workspace.reflecting():
                index = self._access.fresh()
                done = join(index, workspace, into.lstrip("@"), other.lstrip("@"), dry_run=dry_run)
                self._access.fresh()
            return done

        return self._access.mended(work)

    def _renewed(self, work: Callable[[], T]) -> T:
        """What a write returns; afterwards the index knows it."""

        def once() -> T:
            done = work()
            self._access.fresh()
            return done

        return self._access.mended(once)

    # -- files

    @verb
    def append(self, path: str, text: str, *, digest: str | None = None, allow_secret: bool = False) -> Written:
        """Write whole lines behind the last line of a file, which is made when there is none.

        Args:
            path: below the workspace, such as `MEMORY.md` or `bank/entities/Peter.md`.
            digest: of the file as it was seen; ChangedUnderneath when it is another by now.
        """
        from commonplace.ops.write.edit_files import append

        return self._written(lambda door: append(door, path, text, digest=digest, allow_secret=allow_secret))

    @verb
    def replace(
        self, path: str, old: str, new: str, *, digest: str | None = None, allow_secret: bool = False
    ) -> Written:
        """Replace the one occurrence of a text in a file; daily logs only grow.

        Raises TextNotFound and TextNotUnique, which name lines; `digest` as in `append`.
        """
        from commonplace.ops.write.edit_files import replace

        return self._written(lambda door: replace(door, path, old, new, digest=digest, allow_secret=allow_secret))

    @verb
    def insert(
        self, path: str, text: str, *, after: int, digest: str | None = None, allow_secret: bool = False
    ) -> Written:
        """Write whole lines behind line `after` of a file (0 is the top); logs only grow; `digest` as in `append`."""
        from commonplace.ops.write.edit_files import insert

        return self._written(
            lambda door: insert(door, path, text, after=after, digest=digest, allow_secret=allow_secret)
        )

    @verb
    def memories(
        self, command: Mapping[str, Any], *, seen: dict[str, str] | None = None, allow_secret: bool = False
    ) -> str:
        """Do one command of the six-verb memory tool; its reply, word for word. `MemoryTool` is for conversations.

        What it deletes or renames, `undo` takes back.

        Args:
            command: such as `{"command": "view", "path": "/memories"}`.
            seen: what the agent saw of each file; give the same one each time.

        Raises CommandRefused, and what other verbs raise.
        """
        from commonplace.ops.write.memory_tool_verbs import execute

        workspace = self.workspace if command.get("command") == "view" else self._writes()
        return execute(
            self._door(workspace), command, {} if seen is None else seen, today=self.today, allow_secret=allow_secret
        )

    def _written(self, work: Callable[[Door], Written]) -> Written:
        done = work(self._door(self._writes()))
        self._access.mended(self._access.fresh)
        return done

    def _door(self, workspace: Workspace) -> Door:
        from commonplace.ops.write.edit_files import Door

        ours = workspace.core_path
        return Door(workspace, tuple(name for name in self.settings.core if name != ours))

    # -- what is known

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
        from commonplace.memory.recall_verbs import recall

        if not isinstance(query, str):
            raise UsageError("the question is no text", 'try: recall("what does Peter prefer?")')
        today = self.today
        asked = Query(
            query,
            (entities,) if isinstance(entities, str) else tuple(entities),
            tuple(map(argument_values.kind, (kinds,) if isinstance(kinds, str) else kinds)),
            argument_values.between(since, until, during=during, today=today),
            argument_values.day(as_of, today) if as_of is not None else None,
            self.settings.k if k is None else k,
            self.settings.budget if budget is None else budget,
        )
        return recall(self, asked, today, sync=sync)

    @verb
    def explain(self, query: str) -> Reading:
        """How a question is read, with the entities of this workspace."""
        from commonplace.memory.recall_verbs import explain

        return explain(self, query)

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
            found = log(self.root, asked.paths, most=k)
            return history(index, self.workspace, asked, today=self.today, since=day, most=k, commits=found)

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
        from commonplace.memory.recall_verbs import core

        return core(self, budget=budget, numbered=numbered)

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
        from commonplace.memory.recall_verbs import context

        return context(self, query, k=k, budget=budget, shown=frozenset(shown))

    # -- thinking over

    @verb
    def reflect(
        self, *, since: str | date | None = None, dry_run: bool = False, yes: bool = False, commit: bool | None = None
    ) -> Reflection:
        """Renew entity pages, opinions, world, experience and review from what was retained.

        Args:
            since: renew only pages of entities that facts of this day or later name. `last` renews every page, and
                reads narrative for proposals from where the last reflect stopped.
        """
        from commonplace.memory.reflect_verbs import reflect

        last = isinstance(since, str) and since.strip().casefold() == "last"
        day = None if since is None or last else argument_values.first_day(since, self.today)
        return reflect(self, day, last=last, dry_run=dry_run, yes=yes, commit=commit)

    @verb
    def review(self) -> Waiting:
        """What waits for a person or an agent: inferred facts, lines for the core, pairs of entities, evidence."""
        from commonplace.ops.reflect.review import waiting

        return self._access.reads(lambda index: waiting(index, self.workspace, today=self.today))

    @verb
    def answer(
        self,
        ids: Iterable[str],
        verdict: str,
        *,
        text: str = "",
        fact: str = "",
        dry_run: bool = False,
        by_model: bool = False,
    ) -> Answered:
        """Answer what waits, record it in bank/review.md, and act on it at once: all of it, or nothing.

        Args:
            ids: of questions, as `review` lists them; with `fact` the id of one opinion.
            verdict: `accept` or `reject`; of evidence `for`, `against` or `neither`.
            text: other words in which it is accepted.
            fact: the id or citation of a fact that is to count for or against an opinion, asked or not.
            dry_run: only say what would be done.
            by_model: a model answers, not a person: what somebody else would replace is refused.
        """
        from commonplace.memory.reflect_verbs import answer

        return answer(self, ids, verdict, text=text, fact=fact, dry_run=dry_run, by_model=by_model)

    @verb
    def hear(self, text: str, *, dry_run: bool = False) -> Heard:
        """Read answers, one a line, and act on those that can be read: what `reflect --packet` asks for."""
        from commonplace.memory.reflect_verbs import hear

        return hear(self, text, dry_run=dry_run)

    @verb
    def packet(self, *, since: str | date | None = None, budget: int = 4000) -> Packet:
        """What a high-thinking agent should decide, within a token budget; its answers go to `hear`.

        Args:
            since: facts recorded from this day on are told; `last`, and None: since the last reflect.
        """
        from commonplace.memory.reflect_verbs import packet

        return packet(self, None if since == "last" else since, budget=budget)

    @verb
    def undo(self) -> tuple[Undone, ...]:
        """Take the last reflect back, file by file, except where somebody edited since; a merge whole or not at all.

        Answers go with what followed from them. What logs gained stays there: their rows say how to retract it.
        """
        from commonplace.memory.reflect_verbs import undo

        return undo(self)

    # -- the index, and what is wrong

    @verb
    def index(self, *, rebuild: bool = False, progress: Callable[[int, int], None] | None = None) -> SyncReport:
        """Bring the index up to date, or make it anew; what was found. What `check` says is waiting is merged.

        Raises IndexUnusable when its file cannot be written; the Markdown is untouched.
        """
        from commonplace.memory.index_state import bring_up_to_date

        return bring_up_to_date(self, rebuild=rebuild, progress=progress)

    @verb
    def status(self) -> Status:
        """What the workspace holds and how fresh the index is."""
        from commonplace.memory.index_state import status

        return status(self)

    @verb
    def check(self) -> tuple[Problem, ...]:
        """Every problem in the Markdown and among the files, in order of path and line.

        The index is looked over as well, and made anew if there is damage in it.
        """
        from commonplace.memory.index_state import check

        return check(self)

    @verb
    def doctor(self, *, fix: bool = False) -> tuple[Finding, ...]:
        """What is wrong with the workspace, its index and the system below it, each with the next step.

        Args:
            fix: mend what is safe: the index, our own folder, what killed writers left, or had begun. No other text of
                a person's changes.
        """
        from commonplace.memory.look_over import examination

        return examination(self, fix=fix)


def explain(query: str, *, today: date) -> Reading:
    """How a question is read where there is no workspace."""
    from commonplace.core.recall.query_analysis import read

    return read(query, today)


def guide() -> str:
    """What an agent should know of its memory: when to read it, when to write it. The core is not in it."""
    from commonplace.core.tables import prose

    return prose("agent")


def history(opinion: Opinion) -> tuple[Step, ...]:
    """The days on which an opinion's confidence moved, and to what; oldest first."""
    from commonplace.core.opinions.belief import history

    return history(opinion)
