"""A memory for a long-lived process, reopened when its folder or settings change."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from commonplace.config import SETTINGS_FILE
from commonplace.memory import Memory
from commonplace.memory.background_embedding import BackgroundEmbedding

if TYPE_CHECKING:
    from datetime import date


class LivingMemory:
    """The memory of one workspace in a long-lived process.

    Args:
        root: the folder; it may be missing, and come back.
        today: the day to take for today; None leaves it to the clock.
        embeds: whether it embeds new lines in the background, if meaning is on: one of a process does.
    """

    def __init__(self, root: str, *, today: date | None = None, embeds: bool = True) -> None:
        self._root = root
        self._today = today
        self._memory: Memory | None = None
        self._seen: object = None
        self._embedding = BackgroundEmbedding() if embeds else None

    def memory(self, today: date | None = None) -> Memory:
        """The memory, reopened if its folder or settings changed; verbs raise errors if the folder is missing."""
        seen = (_place(self._root), _state(os.path.join(self._root, SETTINGS_FILE)))
        if self._memory is None or seen != self._seen:
            self.close()
            self._memory, self._seen = Memory(self._root), seen
        self._memory.today = today or self._today
        if self._embedding is not None:
            self._embedding.tick(self._memory)
        return self._memory

    def close(self) -> None:
        """Close it; the next call opens it again."""
        if self._embedding is not None:
            self._embedding.close()
        if self._memory is not None:
            self._memory.close()
            self._memory = None


def _place(path: str) -> tuple[int, int] | None:
    """The identity of a folder; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _state(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
