"""One run of one verb at the command line: its request, its output, and its workspace, opened when first needed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, BinaryIO

from commonplace.doors.table.verb_fields import Opens
from commonplace.errors import NotAWorkspace, OutsideWorkspace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date
    from types import SimpleNamespace

    from commonplace.config import FoundWorkspace
    from commonplace.core.model import Problem
    from commonplace.doors.shared.terminal import Screen
    from commonplace.memory import Memory


class Call:
    """The request, output and workspace of one command."""

    def __init__(
        self,
        options: SimpleNamespace,
        screen: Screen,
        *,
        stdin: BinaryIO,
        env: Mapping[str, str],
        cwd: str,
        opens: Opens,
    ) -> None:
        self._opens = opens
        self.options = options
        self.screen = screen
        self.stdin = stdin
        self.env = env
        self.cwd = cwd
        self.today: date | None = None
        """The day of `--today`; None leaves it to the clock."""
        if options.today is not None:
            from commonplace.doors.table import requests

            self.today = requests.day(options.today, "--today")
        self._place: FoundWorkspace | None = None
        self._memory: Memory | None = None

    @property
    def root(self) -> str:
        """The workspace's absolute path."""
        return self.place.root

    @property
    def place(self) -> FoundWorkspace:
        """The workspace, and how it was found."""
        if self._place is None:
            from commonplace.config import locate

            self._place = locate(self.options.workspace, self.options.agent, env=self.env, cwd=self.cwd)
            self.tell(f"workspace: {self._place.root} ({self._place.why})")
            if self._place.passed or (self._place.guessed and os.path.isdir(self._place.root)):
                self._warn(self._place)
        return self._place

    def _warn(self, place: FoundWorkspace) -> None:
        """Print that another workspace than the current folder's is used, and how to use that one."""
        import shlex

        if place.guessed:
            why = f"{place.why}: neither this folder nor a folder above it is a workspace"
            self.screen.note(f"commonplace: the workspace is {place.root} ({why})\n  to use another: --workspace DIR")
            return
        self.screen.note(
            f"commonplace: the workspace is {place.root} ({place.why}), not the one in the current folder\n"
            f"  to use that one: --workspace {shlex.quote(place.passed)}"
        )

    def memory(self, today: date | None = None) -> Memory:
        """The workspace, opened once, as of a day: the given one, else `--today`, else the clock's.

        Raises NotAWorkspace for a verb that reads where there is nothing to read.
        """
        known, memory = self._memory, self._opened(today)
        if known is None and self._opens is not Opens.FOLDER and not memory.begun:
            raise NotAWorkspace(
                f"{self.root} is not a workspace: it contains no Markdown to read",
                "to create one: commonplace init DIR; to use another: --workspace DIR",
            )
        return memory

    def memory_as_it_is(self) -> Memory:
        """The workspace without any check, for the verb that reports problems."""
        if self._memory is None:
            root = self.root
            from commonplace.memory import Memory

            self._memory = Memory(root, today=self.today)
        return self._memory

    def _opened(self, today: date | None) -> Memory:
        if self._memory is None:
            root = self.root  # found, or refused, before anything heavy is imported
            from commonplace.config import today as local_day
            from commonplace.memory import Memory

            self._memory = Memory(root)
            if self.today is None and (note := local_day(self._memory.settings, env=self.env).note):
                self.screen.note(f"commonplace: {note}")
        self._memory.today = today or self.today
        return self._memory

    def memory_if_any(self, today: date | None) -> Memory:
        """The workspace for a verb that needs none: it may be missing, unless `--workspace` names it."""
        if not os.path.isdir(self.root):
            from commonplace import config

            today = today or self.today or config.today(config.Settings(), env=self.env).day
        memory = self._opened(today)
        if self.options.workspace is not None:
            _ = memory.workspace  # raises NotAWorkspace
        return memory

    def path(self, given: str) -> str:
        """A path of the workspace; one that starts with `./`, `../`, `~/` or `/` is relative to the caller's folder."""
        if not given.startswith(("./", "../", "~/", "/")):
            return given
        folder, name = os.path.split(os.path.join(self.cwd, os.path.expanduser(given)))
        path = os.path.relpath(os.path.join(os.path.realpath(folder), name), os.path.realpath(self.root))
        if path == os.pardir or path.startswith(os.pardir + os.sep):
            raise OutsideWorkspace(
                f"{given} is outside the workspace", f"the workspace is {self.root}; to use another: --workspace DIR"
            )
        return path.replace(os.sep, "/")

    def given(self, words: Sequence[str], name: str) -> str:
        """A text from words: unquoted words are joined, and `-` reads all of standard input."""
        from commonplace.doors.table.requests import exact

        if list(words) != ["-"]:
            return exact(" ".join(words), name)
        from commonplace.doors.shared.batch_form import decoded

        return exact(decoded(self.stdin.read()), name)

    def answer(self, shown: str, data: Any) -> None:
        """Print an answer, as text or with `--json` its data, with the notices of writes."""
        found = self._notices()
        if self.options.json:
            from commonplace.doors.shared import wire

            self.screen.print(wire.line({**data, **wire.notices(found)}))
        elif shown or found:
            from commonplace.doors.shared import render

            self.screen.print("\n".join(filter(None, [shown, *render.notices(found, self.screen)])))

    def close(self) -> None:
        """Close the workspace, if it was opened."""
        if self._memory is not None:
            self._memory.close()

    def note(self) -> None:
        """Print notices of writes that no answer has printed, on standard error."""
        if found := self._notices():
            from commonplace.doors.shared import render

            self.screen.note("\n".join(render.notices(found, self.screen)))

    def _notices(self) -> Sequence[Problem]:
        return () if self._memory is None else self._memory.notices()

    def trace(self, failure: Exception) -> None:
        """Print the traceback of an error for `--verbose`."""
        if self.options.verbose:
            from traceback import format_exception

            self.screen.note("".join(format_exception(failure)).rstrip())

    def tell(self, text: str) -> None:
        """Print a line for `--verbose`."""
        if self.options.verbose:
            self.screen.note(text)
