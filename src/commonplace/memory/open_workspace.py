"""An open workspace: its files, index, settings and day, shared by the verbs of a memory."""

from __future__ import annotations

import os
from _thread import RLock
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Self, TypeVar
from weakref import ref

from commonplace.access import Access
from commonplace.config import Settings, missing, read_settings, today
from commonplace.errors import CommonplaceError, NotAWorkspace, NotWritable, WorkspaceError
from commonplace.store.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date
    from types import TracebackType

    from commonplace.core.model import Problem
    from commonplace.ops.write.forget import Removed

FORMAT = 1
"""The version of the Markdown format that we write: docs/format.md."""
P = ParamSpec("P")
T = TypeVar("T")
M = TypeVar("M", bound="OpenWorkspace")


def verb(method: Callable[Concatenate[M, P], T]) -> Callable[Concatenate[M, P], T]:
    """A method that waits for those of other threads: a memory does one thing at a time. No error repeats a secret."""

    @wraps(method)
    def alone(self: M, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with self.lock:
            try:
                return method(self, *args, **kwargs)
            except CommonplaceError as error:
                from commonplace.core.secrets.guard import masked

                error.say(masked(error.message), masked(error.hint))
                raise

    return alone


class OpenWorkspace:
    """What every verb needs; opened by the first that needs it."""

    def __init__(self, workspace: str, *, settings: Settings | None = None, today: date | None = None) -> None:
        self.root = os.path.abspath(os.path.expanduser(workspace))
        self._given_settings = settings
        self._given_today = today
        self._workspace: Workspace | None = None
        self.lock = RLock()
        """Held by the verb at work."""
        weak = ref(self)  # no cycle: with the last reference to a memory its index file is let go
        self._finished: list[Removed] = []
        """What this memory finished of a `forget` that a crash had interrupted."""
        self._access = Access(lambda: weak().workspace)  # type: ignore[union-attr]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @verb
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
    def progress(self) -> Callable[[int, int], None] | None:
        """Told (done, of) by verbs that read or reflect, as long as they have written nothing but the index.

        What it raises ends the verb with nothing changed; raise no `Exception`, which would be taken for damage.
        """
        return self._access.progress

    @progress.setter
    def progress(self, told: Callable[[int, int], None] | None) -> None:
        self._access.progress = told

    @property
    def workspace(self) -> Workspace:
        """The files."""
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
        """Whether there is a memory yet: a workspace's files or folders, or any Markdown. No read starts one."""
        return self.workspace.begun

    def _finish(self, *, asked: bool = False) -> None:
        """Finish a `forget` that a crash interrupted, unless another program is at it.

        Args:
            asked: also one that was tried before, and failed.
        """
        workspace = self._workspace
        if workspace is None or not workspace.unfinished:
            return
        from commonplace.memory.forget_facts import finish

        self._finished += finish(self._access, workspace, asked=asked)

    def _writes(self) -> Workspace:
        """The files, for a verb that writes them; asked for before the index, for it merges what editors saved late.

        Raises WorkspaceError when their format is newer than we know.
        """
        if not self._known_format:
            raise WorkspaceError(
                f"the workspace has format {self.settings.format}, this program writes format {FORMAT}",
                "install a newer commonplace; reading works meanwhile",
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

    @verb
    def notices(self) -> tuple[Problem, ...]:
        """What a person should know of the writes since this was last asked, though they succeeded.

        Hard links, lines that an editor saved late, writes that a crash cut short: docs/format.md lists the codes.
        """
        return () if self._workspace is None else self._workspace.notices()

    @verb
    def changed(self) -> bool:
        """Whether files have changed since the index last looked at them: what a recall with `sync=False` missed."""
        return self._access.changed()
