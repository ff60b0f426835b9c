"""What a folder knows of its own state in a fleet: a small file in `.memory/keep/fleet/`.

It is written before a transaction, with the state that follows, and after it, so that one of the two is always right.
After a power cut it may be older; then the next push must take over.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from secrets import token_hex
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.store.fs.state_dir import read_private, write_private

if TYPE_CHECKING:
    from collections.abc import Mapping


class PushState(NamedTuple):
    """What a workspace knows of itself in the fleet, which both know."""

    epoch: str
    generation: int
    nonce: str


class PushRecord:
    """The file of one workspace's name."""

    def __init__(self, folder: str, name: str) -> None:
        self._path = os.path.join(folder, f"{name}.json")
        self._noted = os.path.join(folder, f"{name}.pushed.json")
        try:
            found = json.loads(read_private(self._path))
            self.states = tuple(
                PushState(str(epoch), int(number), str(nonce)) for epoch, number, nonce in found["states"]
            )
            """The state, and the one that may have followed it; nothing if this folder never pushed."""
            self.empty = {str(path): str(digest) for path, digest in found["empty"].items()}
            """Files without a line to share, with their digests: they are not read again."""
            self.salt = str(found["salt"])
            """Drawn once, and nobody else's: what is pushed has digests that tell nothing."""
            self.buried = {str(name) for name in found.get("buried", ())}
            """Notes of tombstones that the fleet has."""
            self.embedded = str(found.get("embedded", ""))
            """State of the vectors here, and of what was shared, when all of them had been sent."""
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            self.states, self.empty, self.salt, self.buried, self.embedded = (), {}, token_hex(16), set(), ""

    def write(self, *states: PushState) -> None:
        """Note these states, whole or not at all."""
        self.states = states
        os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
        noted = {"states": states, "empty": self.empty, "salt": self.salt} | {
            "buried": sorted(self.buried),
            "embedded": self.embedded,
        }
        write_private(self._path, json.dumps(noted).encode())

    def note(self, files: Mapping[str, str], when: str) -> None:
        """Note what a push that is complete left in the fleet, for whoever asks without the server.

        Args:
            files: path -> digest. when: as the server says.
        """
        write_private(self._noted, json.dumps({"when": when, "files": dict(files)}).encode())

    def pushed(self) -> dict[str, str] | None:
        """Return path -> digest of each file of the last complete push; None if there was none."""
        found = self._read()
        return None if found is None else {str(path): str(digest) for path, digest in found["files"].items()}

    def when(self) -> str:
        """Return when the server took the last complete push; empty: never."""
        found = self._read()
        return "" if found is None else str(found["when"])

    def _read(self) -> dict[str, Any] | None:
        try:
            found = json.loads(read_private(self._noted))
            return found if isinstance(found["files"], dict) and "when" in found else None
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def forget(self) -> None:
        """Know nothing any more."""
        for path in (self._path, self._noted):
            with suppress(FileNotFoundError):
                os.remove(path)
