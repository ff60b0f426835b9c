"""Embeds new lines beside a process that stays, in a child of low priority: it ends with its parent or when it is done.

A child, because the model would otherwise slow each answer, and stay in memory after the last line.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from commonplace.errors import CommonplaceError

if TYPE_CHECKING:
    import subprocess

    from commonplace.memory import Memory

PAUSE = 20.0
"""Seconds between two children."""
NICE = 15
_BELOW_NORMAL = 0x4000
"""BELOW_NORMAL_PRIORITY_CLASS of Windows."""


class BackgroundEmbedding:
    """Starts the verb `embed` when the index has changed since the last time."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._started = -PAUSE
        self._seen: object = None

    def tick(self, memory: Memory) -> None:
        """Start a child if meaning is on, something may be left to embed, and none is running. It never fails."""
        now = time.monotonic()
        if now < self._started + PAUSE or (self._child and self._child.poll() is None):
            return
        self._started = now
        with suppress(CommonplaceError, OSError):
            if memory.embeds and (seen := (memory.root, memory.taken(sync=False))) != self._seen:
                self._seen = seen
                self._child = _child(memory.root)

    def close(self) -> None:
        """End the child; what it has embedded stays."""
        if self._child is not None:
            self._child.terminate()
            self._child.wait()
            self._child = None


def _child(root: str) -> subprocess.Popen[bytes]:
    import subprocess

    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "commonplace", "--workspace", root, "embed"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=_BELOW_NORMAL if sys.platform == "win32" else 0,
    )
    if sys.platform != "win32":
        os.setpriority(os.PRIO_PROCESS, child.pid, NICE)
    return child
