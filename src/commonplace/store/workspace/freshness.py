"""Asks a running watcher over a local socket whether the index is up to date.

The watcher empties the kernel's queue of changes (`notices`) after the question has come and before it answers; so
whatever was changed before the reader asked is taken into account. No answer in time is no.
"""

from __future__ import annotations

import os
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from commonplace.store.fs.state_dir import WATCHER
from commonplace.store.fs.system import lock

if TYPE_CHECKING:
    from collections.abc import Callable
    from socket import socket

    from commonplace.store.workspace.markdown_folder import Workspace

PATIENCE = 0.05
"""Seconds that either side waits for the other: a sweep of 9,000 files."""
_LOOKS = 1.0
"""Seconds that a watcher waits for those who look whether one runs: each takes well below a millisecond."""
_YES, _NO = b"yes", b"no"
_MOST = 1 << 16
"""Bytes of a question."""
_WAITING = 128
"""Readers that may wait at once."""


def vouched(workspace: Workspace, looked: int) -> bool:
    """Whether a watcher says that nothing has changed since the sync that left an index with this `looked`."""
    try:
        import _socket  # `socket` takes ten times as long to import

        question = b"%d %s" % (looked, workspace.claim)
        with _Folder(workspace.memory_dir) as folder:
            line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
            try:
                line.settimeout(PATIENCE)
                line.connect(folder.socket)
                line.send(question)
                return line.recv(len(_YES)) == _YES
            finally:
                line.close()
    except (OSError, AttributeError):  # nobody listens, or no such sockets here
        return False


class Watcher:
    """The watcher's end, found by its socket. Raises NotAWorkspace, NotWritable, and OSError where it cannot be had."""

    def __init__(self, workspace: Workspace) -> None:
        import socket

        self._folder = workspace.ensure_memory_dir()
        self.claim = workspace.claim
        """What a reader must say to be answered by yes."""
        self._lock = os.open(os.path.join(self._folder, "watch.lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        self.alone = lock(self._lock, monotonic() + _LOOKS) is not False
        """Whether no other watcher keeps this workspace."""
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
        self._known: os.stat_result | None = None
        if self.alone:
            self._listen()

    @property
    def fd(self) -> int:
        """Readable when somebody asks."""
        return self._line.fileno()

    def _listen(self) -> None:
        path = os.path.join(self._folder, WATCHER)
        with suppress(FileNotFoundError):
            os.unlink(path)
        before = os.umask(0o077)
        try:
            with _Folder(self._folder) as folder:
                self._line.bind(folder.socket)
        finally:
            os.umask(before)
        self._known = os.stat(path)
        self._line.listen(_WAITING)

    def stands(self) -> bool:
        """Whether readers find this end: our own folder may be deleted, or moved with the workspace, at any time."""
        try:
            found = os.stat(os.path.join(self._folder, WATCHER))
        except OSError:
            return False
        return self._known is not None and os.path.samestat(found, self._known)

    def answer(self, vouches: Callable[[int], bool]) -> None:
        """Answer those who ask: `vouches` is given the `looked` of the reader's index."""
        while True:
            try:
                line, _ = self._line.accept()
            except OSError:
                return
            with line:
                self._answer(line, vouches)

    def _answer(self, line: socket, vouches: Callable[[int], bool]) -> None:
        try:
            line.settimeout(PATIENCE)
            looked, _, claim = line.recv(_MOST).partition(b" ")
            same = claim == self.claim and looked.isdigit()
            line.send(_YES if same and vouches(int(looked)) else _NO)
        except OSError:  # it went away
            return

    def close(self) -> None:
        """Take the word back."""
        if self.stands():
            os.unlink(os.path.join(self._folder, WATCHER))
        self._line.close()
        os.close(self._lock)


class _Folder:
    """A folder by a short path: the address of a socket has room for 107 bytes."""

    def __init__(self, path: str) -> None:
        self._fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        self.socket = f"/proc/self/fd/{self._fd}/{WATCHER}"

    def __enter__(self) -> _Folder:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)
