"""The verbs that write what they are told: facts, corrections, lines."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from commonplace.core import argument_values
from commonplace.core.model import Trailer
from commonplace.memory.open_workspace import verb
from commonplace.memory.read_verbs import Reads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date

    from commonplace.ops.write.edit_files import Door, Written
    from commonplace.ops.write.forget import Forgotten, Wiped
    from commonplace.ops.write.import_notes import Imported
    from commonplace.ops.write.merge_entities import Joined
    from commonplace.ops.write.retain import Retained
    from commonplace.store.workspace import Workspace


class Writes(Reads):
    """The verbs that write what they are told."""

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
        from commonplace.ops.write.retain import compose, retain

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
            fact = compose(
                index,
                text,
                kind=argument_values.kind(kind) if kind else None,
                entities=tuple(entities),
                confidence=confidence,
                trailer=trailer,
            )
            done = retain(index, self._writes(), fact, day=day, allow_secret=allow_secret)
            self._access.fresh()
            return done

        return self._access.mended(work)

    @verb
    def retract(self, id: str, *, reason: str = "", allow_secret: bool = False) -> Retained:
        """Say in today's log that a fact no longer holds; its own line stays.

        Args:
            reason: why. What the fact says is said again, unless it looks like a secret.
            allow_secret: write a reason that looks like a secret, too.
        """
        from commonplace.ops.write.retain import retract

        def work() -> Retained:
            workspace = self._writes()
            done = retract(
                self._access.fresh(),
                workspace,
                id.lstrip("^"),
                reason=reason,
                day=self.today,
                allow_secret=allow_secret,
            )
            self._access.fresh()
            return done

        return self._access.mended(work)

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
            workspace = self._writes()
            done = correct(
                self._access.fresh(),
                workspace,
                id.strip().lstrip("^"),
                text,
                trailer=said,
                day=self.today,
                allow_secret=allow_secret,
            )
            self._access.fresh()
            return done

        return self._access.mended(work)

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

    def _written(self, work: Callable[[Door], Written]) -> Written:
        done = work(self._door(self._writes()))
        self._access.mended(self._access.fresh)
        return done

    def _door(self, workspace: Workspace) -> Door:
        from commonplace.ops.write.edit_files import Door

        ours = workspace.core_path
        return Door(workspace, tuple(name for name in self.settings.core if name != ours))

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

    @verb
    def forget(self, id: str, *, again: bool = False) -> Forgotten:
        """Remove a fact for real: from the Markdown, what we kept of it, and the index.

        One that a crash interrupted is finished, and told as done here. Asked twice, it removes no other fact.

        Args:
            again: remove also another fact that has the id of one that was forgotten.
        """
        from commonplace.memory.finish_forget import removed
        from commonplace.ops.write.forget import forgotten, forgotten_before, task_of
        from commonplace.store.git import inside

        id = id.lstrip("^")
        workspace = self._writes()
        with workspace.reflecting():
            self._finish(asked=True)
            done = next((each for each in self._finished if id in (fact.id for fact in each.task.facts)), None)
            if done is None and not again and workspace.removal.removed(id):
                return forgotten_before(id, self._access.reads(lambda index: index.fact(id)))
            done = done or removed(self._access, workspace, lambda index: task_of(index, id))
            self._finished.clear()
        (fact,) = (fact for fact in done.task.facts if fact.id == id)
        return forgotten(done, fact, in_git=inside(self.root))

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
        from commonplace.memory.finish_forget import removed
        from commonplace.ops.write.forget import choice, chosen_by, matching, shown, wiped
        from commonplace.store.git import inside

        chosen = chosen_by(source, entity, argument_values.between(since, until, during, self.today))
        workspace = self._writes() if yes else self.workspace
        if not yes:
            return shown(self._access.reads(lambda index: choice(index, workspace, chosen)))
        with workspace.reflecting():
            self._finish(asked=True)
            found = self._access.reads(lambda index: choice(index, workspace, chosen))
            index = self._access.opened()
            done = [each for each in self._finished if any(matching(index, each.task.facts, chosen))]
            if found.task.facts or found.task.copies:
                again = removed(
                    self._access, workspace, lambda index: choice(index, workspace, chosen).task, found.task
                )
                done.append(again)
            self._finished.clear()
        return wiped(found, done, in_git=inside(self.root))

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
            if not yes:
                return planned.told
            done = apply(self._access.opened(), workspace, planned, progress=progress)
            self._access.fresh()
            return done

        return self._access.mended(work)

    @verb
    def merge(self, into: str, other: str, *, dry_run: bool = False) -> Joined:
        """Make one entity another name of a second: alias, a person's text and all, in Markdown. Undone by `undo`."""
        from commonplace.ops.write.merge_entities import join

        def work() -> Joined:
            workspace = self.workspace if dry_run else self._writes()
            with workspace.reflecting() if not dry_run else nullcontext():
                index = self._access.fresh()
                done = join(index, workspace, into.lstrip("@"), other.lstrip("@"), dry_run=dry_run)
                self._access.fresh()
            return done

        return self._access.mended(work)
