"""Memory: one opened workspace. Its verbs are functions of this room, which connect the files and the index to ops."""

from __future__ import annotations

import os
from _thread import RLock
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Self, TypeVar
from weakref import ref

from commonplace.access import Access
from commonplace.config import FORMAT, Settings, missing, read_settings, today
from commonplace.errors import CommonplaceError, NotAWorkspace, NotWritable, WorkspaceError
from commonplace.memory import (
    forget_facts,
    index_state,
    model_verbs,
    recall_verbs,
    reflect_verbs,
    semantic_verbs,
    write_verbs,
)
from commonplace.memory.fleet import fleet_verbs
from commonplace.memory.line_meaning import Meaning
from commonplace.store.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date
    from types import TracebackType

    from commonplace.core.model import Opinion, Problem
    from commonplace.core.opinions.belief import Step
    from commonplace.core.questions.query_analysis import Reading
    from commonplace.memory.fleet.open_fleet import OpenFleet
    from commonplace.ops.write.forget import Removed

__all__ = ["Memory", "explain", "guide", "history"]

P = ParamSpec("P")
T = TypeVar("T")


def _verb(work: Callable[Concatenate[Memory, P], T]) -> Callable[Concatenate[Memory, P], T]:
    """A method that calls `work` and waits for the verbs of other threads. Its errors contain no secrets."""

    @wraps(work)
    def alone(self: Memory, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with self.lock:
            try:
                return work(self, *args, **kwargs)
            except CommonplaceError as error:
                from commonplace.core.secrets.guard import masked

                error.say(masked(error.message), masked(error.hint))
                raise

    return alone


class Memory:
    """A folder of Markdown as a memory.

    Every verb first brings the index up to date with the files, unless told not to. The object is cheap to make:
    files and index are opened by the first verb. Threads may share it: it does one thing at a time. `close` it, or
    use it as a context manager.
    """

    # facts and files
    init = _verb(write_verbs.init)
    retain = _verb(write_verbs.retain)
    correct = _verb(write_verbs.correct)
    retract = _verb(write_verbs.retract)
    forget = _verb(forget_facts.forget)
    forget_all = _verb(forget_facts.forget_all)
    import_notes = _verb(write_verbs.import_notes)
    merge = _verb(write_verbs.merge)
    append = _verb(write_verbs.append)
    replace = _verb(write_verbs.replace)
    insert = _verb(write_verbs.insert)
    memories = _verb(write_verbs.memories)

    # what is known
    recall = _verb(recall_verbs.recall)
    explain = _verb(recall_verbs.explain)
    show = _verb(recall_verbs.show)
    entity = _verb(recall_verbs.entity)
    entities = _verb(recall_verbs.entities)
    days = _verb(recall_verbs.days)
    opinions = _verb(recall_verbs.opinions)
    log = _verb(recall_verbs.log)
    get = _verb(recall_verbs.get)
    core = _verb(recall_verbs.core)
    context = _verb(recall_verbs.context)

    # reflection
    reflect = _verb(reflect_verbs.reflect)
    review = _verb(reflect_verbs.review)
    answer = _verb(reflect_verbs.answer)
    hear = _verb(reflect_verbs.hear)
    packet = _verb(reflect_verbs.packet)
    changes = _verb(reflect_verbs.changes)
    undo = _verb(reflect_verbs.undo)
    undo_model = _verb(reflect_verbs.undo_model)

    # meaning
    semantic_on = _verb(semantic_verbs.semantic_on)
    semantic_off = _verb(semantic_verbs.semantic_off)
    semantic_status = _verb(semantic_verbs.semantic_status)
    semantic_state = _verb(semantic_verbs.semantic_state)
    embed = _verb(semantic_verbs.embed)

    # a model that decides
    model_on = _verb(model_verbs.model_on)
    model_off = _verb(model_verbs.model_off)
    model_status = _verb(model_verbs.model_status)
    decide = _verb(model_verbs.decide)

    # a fleet
    fleet_on = _verb(fleet_verbs.fleet_on)
    fleet_off = _verb(fleet_verbs.fleet_off)
    fleet_push = _verb(fleet_verbs.fleet_push)
    fleet_status = _verb(fleet_verbs.fleet_status)
    fleet_forget = _verb(fleet_verbs.fleet_forget)
    fleet_drop = _verb(fleet_verbs.fleet_drop)

    # the index, and what is wrong
    index = _verb(index_state.index)
    status = _verb(index_state.status)
    left_out = _verb(index_state.left_out)
    check = _verb(index_state.check)
    doctor = _verb(index_state.doctor)

    def __init__(
        self, workspace: str | os.PathLike[str], *, settings: Settings | None = None, today: date | None = None
    ) -> None:
        self.root = os.path.abspath(os.path.expanduser(workspace))
        self._given_settings = settings
        self._given_today = today
        self._workspace: Workspace | None = None
        self.lock = RLock()
        """Held by the verb at work."""
        weak = ref(self)  # no cycle: with the last reference to a memory its index file is let go
        self._finished: list[Removed] = []
        """What this memory finished of a `forget` that a crash had interrupted."""
        self._access = Access(lambda: weak().workspace, lambda: weak().embeds)  # type: ignore[union-attr]
        self._meaning: Meaning | None = None
        self.open_fleet: OpenFleet | None = None
        """The fleet that was asked last, if it may be asked again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @_verb
    def close(self) -> None:
        """Close the index file, and the connection to a fleet."""
        self._access.close()
        if self.open_fleet is not None:
            self.open_fleet.close()
            self.open_fleet = None

    @property
    def settings(self) -> Settings:
        """The given settings, else those of `commonplace.toml`."""
        if self._given_settings is None:
            self._given_settings = read_settings(self.root)
        return self._given_settings

    @property
    def embeds(self) -> bool:
        """Whether meaning is on, so that passages to embed are noted."""
        return bool(self.settings.semantic.embedder)

    @property
    def in_fleet(self) -> bool:
        """Whether a fleet is on that this user has allowed. Nothing connects to it."""
        return fleet_verbs.in_fleet(self)

    @property
    def meaning(self) -> Meaning | None:
        """The meaning of lines; None if it is off."""
        if self._meaning is None and self.embeds:
            self._meaning = Meaning(self.settings.semantic, lambda: self.workspace.memory_dir)
        return self._meaning

    def reopen(self, settings: Settings) -> None:
        """Go on with other settings."""
        self._access.close()
        self._given_settings, self._workspace, self._meaning = settings, None, None

    @property
    def today(self) -> date:
        """The given day, else the local day."""
        return self._given_today or today(self.settings).day

    @today.setter
    def today(self, day: date | None) -> None:
        self._given_today = day

    @property
    def progress(self) -> Callable[[int, int], None] | None:
        """Told (done, of) by verbs that read or reflect, as long as they have written nothing but the index.

        What it raises ends the verb with nothing changed; raise no `Exception`, which would be taken for damage.
        """
        return self._access.progress

    @progress.setter
    def progress(self, told: Callable[[int, int], None] | None) -> None:
        self._access.progress = told

    def _tells(self, told: Callable[[int, int], None] | None) -> Callable[[int, int], None] | None:
        """Return what tells (done, of) to both `told` and `progress`, for a verb that has written nothing yet."""
        if told is None or self.progress is None:
            return told or self.progress
        also = self.progress

        def both(done: int, of: int) -> None:
            told(done, of)
            also(done, of)

        return both

    @property
    def workspace(self) -> Workspace:
        """The files. Raises NotAWorkspace if the folder does not exist."""
        if self._workspace is None:
            if not os.path.isdir(self.root):
                raise NotAWorkspace(*missing(self.root, os.environ))
            settings = self.settings
            self._workspace = Workspace(
                self.root, include=settings.include, core=settings.core, max_file_bytes=settings.max_file_bytes
            )
            with suppress(NotWritable):  # reading goes on; whatever writes tries again, and says so
                self._workspace.recover()
            self._finish()
        return self._workspace

    @property
    def begun(self) -> bool:
        """Whether there is a memory: any file of a workspace, or any Markdown. Reading never creates one."""
        return self.workspace.begun

    def _finish(self, *, asked: bool = False) -> None:
        """Finish an interrupted `forget`, unless another program is doing so.

        Args:
            asked: also one that was tried before, and failed.
        """
        workspace = self._workspace
        if workspace is None or not workspace.unfinished:
            return
        from commonplace.memory.forget_facts import finish

        self._finished += finish(self._access, workspace, asked=asked)

    def _writes(self) -> Workspace:
        """The files, for a verb that writes; call it before the index is opened, because it merges late saves of
        editors.

        Raises WorkspaceError when their format is newer than we know.
        """
        if not self._known_format:
            raise WorkspaceError(
                f"the workspace has format {self.settings.format}, this program writes format {FORMAT}",
                "install a newer commonplace; reading still works",
            )
        from commonplace.store.workspace.workspace_layout import adopt

        if adopt(self.workspace):
            self._workspace = None
            self._given_settings = self.settings._replace(include=(*self.settings.include, "**/*.md"))
        self._finish()
        self.workspace.late_writes(seldom=True)
        return self.workspace

    @property
    def _known_format(self) -> bool:
        return self.settings.format <= FORMAT

    @_verb
    def notices(self) -> tuple[Problem, ...]:
        """Notices about writes since the last call, although they succeeded.

        Hard links, lines that an editor saved late, writes that a crash cut short: docs/format.md lists the codes.
        """
        return () if self._workspace is None else self._workspace.notices()

    @_verb
    def changed(self) -> bool:
        """Whether files have changed since the last sync."""
        return self._access.changed()

    @_verb
    def taken(self, *, sync: bool = True) -> int:
        """When the index last took something in, in ns; 0 if it never did. The same files have the same answers."""
        return self._access.reads(lambda index: index.taken()) if sync else self._access.opened().taken()


def explain(query: str, *, today: date) -> Reading:
    """How a question is parsed without a workspace."""
    from commonplace.core.questions.query_analysis import read

    return read(query, today)


def guide() -> str:
    """Instructions for an agent: when to read and write its memory. The core is not included."""
    from commonplace.core.tables import prose

    return prose("agent")


def history(opinion: Opinion) -> tuple[Step, ...]:
    """The confidence of an opinion after each day that changed it, oldest first."""
    from commonplace.core.opinions.belief import history

    return history(opinion)
