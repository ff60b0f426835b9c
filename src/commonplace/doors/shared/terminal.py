"""The terminal: colours, escaping, and a progress bar for what takes longer than a second."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, TextIO

from commonplace.core.text.escaping import for_terminal, line_for_model, place_for_model

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_OURS = rf"(\x1b\[(?:0|{'|'.join(_STYLES.values())})m)"
"""The colours that `paint` sets and takes back."""
SLOW = 1.0
"""Seconds after which a progress bar is worth its import."""


class Screen:
    """Standard output and standard error, and what each of them can show."""

    def __init__(self, out: TextIO, err: TextIO, *, env: Mapping[str, str], color: bool = True) -> None:
        self.out = out
        self.err = err
        self.terminal = out.isatty()
        self.color = color and self.terminal and not env.get("NO_COLOR") and env.get("TERM") != "dumb"

    def paint(self, style: str, text: str) -> str:
        """The text in a style, where colours are shown."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.color and text else text

    def safe(self, text: str) -> str:
        """The text with control characters and bidirectional marks escaped; in a pipe too, because agents read
        pipes."""
        return for_terminal(text)

    def said(self, text: str) -> str:
        """A line of the workspace on one line; nothing in it looks like our citations or tags."""
        return line_for_model(text)

    def place(self, citation: object) -> str:
        """A citation in colour; nothing in its path looks like another one."""
        return self.paint("cyan", place_for_model(str(citation)))

    def print(self, text: str) -> None:
        """Print one answer at once; of control sequences only our own colours pass."""
        self.out.write(self._colours_alone(text) + "\n")
        self.out.flush()

    def print_exactly(self, text: str) -> None:
        """Print one answer unchanged to a pipe; a terminal gets it as any other."""
        if self.terminal:
            self.print(text)
        else:
            self.out.write(text + "\n")
            self.out.flush()

    def _colours_alone(self, text: str) -> str:
        if not self.color or "\x1b" not in text:
            return for_terminal(text)
        parts = re.split(_OURS, text)
        return "".join(part if at % 2 else for_terminal(part) for at, part in enumerate(parts))

    def note(self, text: str) -> None:
        """Print a line on standard error."""
        self.err.write(for_terminal(text) + "\n")
        self.err.flush()

    def next(self, step: str) -> None:
        """Print a next step, only to a terminal: programs, and models behind them, do not need it."""
        if self.terminal:
            self.note(f"next: {step}")

    def progress(self, label: str) -> tuple[Callable[[int, int], None] | None, Callable[[], None]]:
        """A function to call with (done, of), None without a terminal, and one to call at the end."""
        if not self.err.isatty():
            return None, _nothing
        bar = _Bar(label)
        return bar.step, bar.close


class _Bar:
    """A progress bar of rich, imported only once a second has passed."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._start = time.monotonic()
        self._advance: Callable[[int, int], None] | None = None
        self._stop: Callable[[], None] = _nothing

    def step(self, done: int, total: int) -> None:
        if self._advance is None:
            if time.monotonic() - self._start < SLOW:
                return
            self._open()
        assert self._advance is not None
        self._advance(done, total)

    def close(self) -> None:
        self._stop()

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        task = bar.add_task(self._label, total=None)
        bar.start()
        self._stop = bar.stop
        self._advance = lambda done, total: bar.update(task, completed=done, total=total)


def _nothing() -> None:
    """No bar to close."""
