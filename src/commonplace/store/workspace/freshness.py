"""Asks a running watcher over a local socket whether the index is up to date.

The watcher empties the kernel's event queue (`inotify`) after it received the question and before it answers; so every
change made before the question is taken into account. No answer in time means no.
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
"""Seconds that either side waits for the other: about the time of a sweep of 9,000 files."""
_LOOKS = 1.0
"""Seconds that a watcher waits for processes that check whether one runs: each takes well below a millisecond."""
_YES, _NO = b"yes", b"no"
_MOST = 1 << 16
"""Maximum bytes of a question."""
_WAITING = 128
"""Readers that may wait at once."""


def vouched(workspace: Workspace, looked: int) -> bool:
    """Whether a watcher confirms that nothing changed since the sync that left an index with this `looked`."""
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
    except (OSError, AttributeError):  # no watcher, or no such sockets on this system
        return False


class Watcher:
    """The watcher's end of the socket. Raises NotAWorkspace, NotWritable, and OSError if there can be no socket."""

    def __init__(self, workspace: Workspace) -> None:
        import socket

        self._folder = workspace.ensure_memory_dir()
        self.claim = workspace.claim
        """What a reader must send to get a yes."""
        self._lock = os.open(os.path.join(self._folder, "watch.lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        self.alone = lock(self._lock, monotonic() + _LOOKS) is not False
        """Whether no other watcher runs for this workspace."""
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
        self._known: os.stat_result | None = None
        if self.alone:
            self._listen()

    @property
    def fd(self) -> int:
        """Descriptor that is readable when somebody asks."""
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
        """Whether readers can find this socket: our own folder may be deleted, or moved, at any time."""
        try:
            found = os.stat(os.path.join(self._folder, WATCHER))
        except OSError:
            return False
        return self._known is not None and os.path.samestat(found, self._known)

    def answer(self, vouches: Callable[[int], bool]) -> None:
        """Answer all waiting readers; `vouches` gets the `looked` of the reader's index."""
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
        except OSError:  # the reader disconnected
            return

    def close(self) -> None:
        """Remove the socket, if it is still ours, and release the lock."""
        if self.stands():
            os.unlink(os.path.join(self._folder, WATCHER))
        self._line.close()
        os.close(self._lock)


class _Folder:
    """A folder by a short path: the address of a socket is limited to 107 bytes."""

    def __init__(self, path: str) -> None:
        self._fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        self.socket = f"/proc/self/fd/{self._fd}/{WATCHER}"

    def __enter__(self) -> _Folder:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)
