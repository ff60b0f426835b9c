"""One run of one verb: its request, its output, and its workspace, opened when first needed."""

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
    """What every verb of the command line works with."""

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
        """Say that the workspace is not where the caller stands, and how to have another."""
        import shlex

        if place.guessed:
            why = f"{place.why}: neither this folder nor one above it is one"
            self.screen.note(f"commonplace: the workspace is {place.root} ({why})\n  to use another: --workspace DIR")
            return
        self.screen.note(
            f"commonplace: the workspace is {place.root} ({place.why}), not the one you are in\n"
            f"  to use that one: --workspace {shlex.quote(place.passed)}"
        )

    def memory(self, today: date | None = None) -> Memory:
        """The workspace, opened once, as seen on a day: the one given, else `--today`, else the clock's.

        Raises NotAWorkspace for a verb that reads where there is nothing to read.
        """
        known, memory = self._memory, self._opened(today)
        if known is None and self._opens is not Opens.FOLDER and not memory.begun:
            raise NotAWorkspace(
                f"{self.root} is no workspace: it holds no Markdown that would be read",
                "commonplace init DIR makes one; --workspace DIR names another",
            )
        return memory

    def memory_as_it_is(self) -> Memory:
        """The workspace unread and unchecked, whatever is there or not: for the verb that tells what is wrong."""
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
        """A path of the workspace; one that starts with `./`, `../`, `~/` or `/` is meant from where the caller is."""
        if not given.startswith(("./", "../", "~/", "/")):
            return given
        folder, name = os.path.split(os.path.join(self.cwd, os.path.expanduser(given)))
        path = os.path.relpath(os.path.join(os.path.realpath(folder), name), os.path.realpath(self.root))
        if path == os.pardir or path.startswith(os.pardir + os.sep):
            raise OutsideWorkspace(
                f"{given} is outside the workspace", f"that is {self.root}; --workspace names another"
            )
        return path.replace(os.sep, "/")

    def given(self, words: Sequence[str], name: str) -> str:
        """A text as it is: words that nobody quoted are joined, and `-` is standard input, to its last byte."""
        from commonplace.doors.shared.batch_form import decoded
        from commonplace.doors.table.requests import exact

        return exact(decoded(self.stdin.read()) if list(words) == ["-"] else " ".join(words), name)

    def answer(self, shown: str, data: Any) -> None:
        """Print an answer: text, or with `--json` its data; both with what writes had to say besides."""
        found = self._notices()
        if self.options.json:
            from commonplace.doors.shared import wire

            self.screen.print(wire.line({**data, **wire.notices(found)}))
        elif shown or found:
            from commonplace.doors.shared import render

            self.screen.print("\n".join(filter(None, [shown, *render.notices(found, self.screen)])))

    def note(self) -> None:
        """Tell what writes had to say and no answer told, on standard error."""
        if found := self._notices():
            from commonplace.doors.shared import render

            self.screen.note("\n".join(render.notices(found, self.screen)))

    def _notices(self) -> Sequence[Problem]:
        return () if self._memory is None else self._memory.notices()

    def trace(self, failure: Exception) -> None:
        """Where a failure came from that was told in a line, for `--verbose`."""
        if self.options.verbose:
            from traceback import format_exception

            self.screen.note("".join(format_exception(failure)).rstrip())

    def tell(self, text: str) -> None:
        """A line for `--verbose`."""
        if self.options.verbose:
            self.screen.note(text)
