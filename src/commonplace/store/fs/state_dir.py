"""Our own folder: `.memory/` in the workspace, or one in the user's cache where the workspace is read-only.

It contains derived data (the index), the lock, and in `keep/` what is neither truth nor derived: displaced files and
the journal. Its `.gitignore` makes git ignore it, and its `CACHEDIR.TAG` marks it as a cache for backup tools.
"""

from __future__ import annotations

import errno
import os
import stat
import sys

from commonplace.store.fs.codec import digest
from commonplace.store.fs.safe_open import gone

NAME = ".memory"
WATCHER = "watch.sock"
"""Name of the watcher's socket in our own folder."""
_TAG = """Signature: 8a477f597d28d172789f06886806bc55
# What commonplace derived from the Markdown beside it; may be deleted at any time (https://bford.info/cachedir/).
"""
TEXTS = {".gitignore": "*\n", "CACHEDIR.TAG": _TAG}
"""Files that are always in it, by name."""


class Own:
    """Our own folder, created when it is first needed."""

    __slots__ = ("_path", "root")

    def __init__(self, root: str) -> None:
        self.root = root
        self._path = ""

    @property
    def path(self) -> str:
        """Its path, existing or not. A `.memory` that is a link is not followed: a cloned workspace may bring one."""
        if not self._path:
            inside = os.path.join(self.root, NAME)
            try:
                usable = stat.S_ISDIR(os.lstat(inside).st_mode) and os.access(inside, os.W_OK)
            except FileNotFoundError:
                usable = os.access(self.root, os.W_OK)
            except OSError:
                usable = False
            path = inside if usable else _cache(self.root)
            if not os.path.isdir(self.root):
                return inside  # not cached: a workspace may appear there later
            self._path = path
        return self._path

    @property
    def places(self) -> tuple[str, ...]:
        """Return every folder that may contain files of ours, links left out: the current one, and the one used while
        the root was writable or read-only.
        """
        found = dict.fromkeys((self.path, os.path.join(self.root, NAME), _cache(self.root)))
        return tuple(place for place in found if not os.path.islink(place))

    def keep(self, kind: str) -> str:
        """Return the path of the folder for `displaced` or `journal`; it need not exist."""
        return os.path.join(self.path, "keep", kind)

    def make(self, kind: str = "") -> str:
        """Return the path of the folder, or of `kind` within `keep/`; created with mode 0700 if missing.

        Raises NotAWorkspace if the root is gone, NotWritable.
        """
        wanted = self.keep(kind) if kind else self.path
        if os.path.isdir(wanted):
            return wanted
        if not os.path.isdir(self.root):
            raise gone(self.root, FileNotFoundError(errno.ENOENT, ""))
        try:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            for folder in (self.path, os.path.join(self.path, "keep"), wanted)[: 3 if kind else 1]:
                try:
                    os.mkdir(folder, 0o700)
                except FileExistsError:
                    continue
            for name, text in TEXTS.items():
                full = os.path.join(self.path, name)
                if not os.path.lexists(full):
                    write_private(full, text.encode())
        except OSError as error:
            from commonplace.store.fs.publish import refusal

            raise refusal(wanted, self.root, error=error, needed=len(_TAG)) from None
        return wanted


def private(path: str, flags: int) -> int:
    """Open a private file: mode 0600, no link followed, no waiting on a pipe."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o600)


def read_private(path: str) -> bytes:
    """Return the content of a file of ours, not following a link. Raises OSError, also for a pipe or device."""
    with open(path, "rb", opener=private) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is a pipe, a socket or a device")
        return file.read()


def write_private(path: str, content: bytes) -> None:
    """Write a small file atomically; it need not survive a power cut."""
    temporary = f"{path}.{os.getpid()}-{os.urandom(5).hex()}.tmp"  # unique for each thread
    with open(temporary, "wb", opener=private) as file:
        file.write(content)
    os.replace(temporary, path)


def _cache(root: str) -> str:
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    return os.path.join(base, "commonplace", digest(os.fsencode(root)))
