"""The tombstones of a folder: small files in `.memory/keep/fleet/forgotten/`, one for each forget, with digests alone.

They wait there for the next push, and stay: a fleet that is made anew gets them again.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from secrets import token_hex
from typing import TYPE_CHECKING

from commonplace.store.fs.state_dir import read_private, write_private

if TYPE_CHECKING:
    from collections.abc import Iterable


class WaitingTombstones:
    """The tombstones of one folder.

    Args:
        folder: `.memory/keep/fleet`; it need not exist.
    """

    def __init__(self, folder: str) -> None:
        self._folder = os.path.join(folder, "forgotten")

    def salt(self) -> str:
        """Return the salt of this folder's tombstones, drawn when it is first needed."""
        path = os.path.join(self._folder, "salt")
        with suppress(OSError, UnicodeDecodeError):
            if drawn := read_private(path).decode("ascii"):
                return drawn
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        drawn = token_hex(16)
        write_private(path, drawn.encode())
        return drawn

    def leave(self, salt: str, digests: Iterable[str]) -> str:
        """Note the digests of one forget; return the name of the note."""
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        name = f"{token_hex(8)}.json"
        write_private(os.path.join(self._folder, name), json.dumps({"salt": salt, "digests": [*digests]}).encode())
        return name

    def take_back(self, name: str) -> None:
        """Remove a note: nothing was forgotten."""
        with suppress(OSError):
            os.remove(os.path.join(self._folder, name))

    def notes(self) -> dict[str, list[tuple[str, str]]]:
        """Return name of each note -> (salt, digest) of each line in it; damaged ones are left out."""
        found = {}
        with suppress(FileNotFoundError):
            for name in sorted(os.listdir(self._folder)):
                with suppress(OSError, ValueError, KeyError, TypeError):
                    if name.endswith(".json"):
                        told = json.loads(read_private(os.path.join(self._folder, name)))
                        found[name] = [(str(told["salt"]), str(digest)) for digest in told["digests"]]
        return found
