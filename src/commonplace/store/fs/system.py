"""Calls of the operating system: exchange two names, create without replacing, lock; whether a process runs.

Where the system lacks a call, the function returns False or None and the caller does without; `Workspace.exchange`
and `Workspace.locks` report it.
"""

from __future__ import annotations

import errno
import os
import sys
from functools import cache
from time import monotonic, sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})
_AT_FDCWD = -2 if sys.platform == "darwin" else -100
# Linux: linux/fs.h. macOS: sys/stdio.h, where the same two are called RENAME_EXCL and RENAME_SWAP.
_NOREPLACE, _EXCHANGE = (4, 2) if sys.platform == "darwin" else (1, 2)
_NUMBERS = {"x86_64": 316, "aarch64": 276, "riscv64": 276, "armv7l": 382, "i686": 353, "ppc64le": 357, "s390x": 347}
"""System call number of renameat2 by machine, for C libraries without the function (asm/unistd.h)."""


@cache
def _rename() -> Callable[[int, bytes, int, bytes, int], int] | None:
    """Return the system's rename with flags, which returns 0 or an errno; None if the system has none."""
    if os.name != "posix":
        return None
    try:
        import ctypes

        library = ctypes.CDLL(None, use_errno=True)
    except (ImportError, OSError):
        return None
    function = getattr(library, "renameatx_np" if sys.platform == "darwin" else "renameat2", None)
    number = 0
    if function is None:
        number = _NUMBERS.get(os.uname().machine, 0) if sys.platform == "linux" else 0
        if not number:
            return None
        function = library.syscall
    kinds = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    function.argtypes = [ctypes.c_long, *kinds] if number else kinds

    def call(from_fd: int, from_name: bytes, to_fd: int, to_name: bytes, flags: int) -> int:
        arguments = (from_fd, from_name, to_fd, to_name, flags)
        ctypes.set_errno(0)
        done = function(number, *arguments) if number else function(*arguments)
        return 0 if done == 0 else ctypes.get_errno()

    return call


def _flagged(fd: int | None, source: str, *, target: str, flags: int) -> bool:
    call = _rename()
    if call is None:
        return False
    at = _AT_FDCWD if fd is None else fd
    code = call(at, os.fsencode(source), at, os.fsencode(target), flags)
    if code == 0:
        return True
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), target)


def exchange(fd: int | None, one: str, other: str) -> bool:
    """Swap two names of a folder atomically; False if the system or the file system cannot."""
    return _flagged(fd, one, target=other, flags=_EXCHANGE)


def rename_new(fd: int | None, source: str, *, target: str) -> bool:
    """Rename a file unless the name is taken (FileExistsError); False if the system cannot."""
    return _flagged(fd, source, target=target, flags=_NOREPLACE)


def lock(fd: int, deadline: float) -> bool | None:
    """Lock an open file: True if taken, False if held by another until `deadline`, None if locks are not supported.

    The kernel releases it when the holder ends. On Windows the first byte is locked; elsewhere it is `flock`.

    Args:
        deadline: monotonic seconds; the lock is tried at least once.
    """
    pause = 0.0005
    while (taken := _try_lock(fd, shared=False)) is False and monotonic() < deadline:
        sleep(pause)
        pause = min(pause * 1.5, 0.02)
    return taken


def runs(pid: int) -> bool:
    """Whether a process runs; True where that cannot be told."""
    if os.name == "nt":
        return True
    try:
        os.kill(pid, 0)
    except OSError as error:
        return not isinstance(error, ProcessLookupError)
    return True


def is_locked(fd: int) -> bool | None:
    """Whether another holds the lock of an open file; None if locks are not supported. Must be the last use of `fd`.

    The check takes a shared lock until the file is closed, so that of two processes that check at once neither sees the
    other as a holder. (Windows has no shared locks: `lock` waits a little, because another process may be checking.)
    """
    taken = _try_lock(fd, shared=True)
    return None if taken is None else not taken


def _try_lock(fd: int, *, shared: bool) -> bool | None:
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(fd, 0, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except ImportError:
        return None
    except OSError as error:
        if error.errno in {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK, errno.EINTR}:
            return False
        if error.errno in {errno.ENOLCK, *_UNSUPPORTED}:
            return None
        raise
    return True
