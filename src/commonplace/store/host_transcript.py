"""Reads the end of a host's transcript file."""

from __future__ import annotations

import os
import stat

MOST = 1_000_000
"""Maximum bytes read, from the end."""


def tail(path: str) -> tuple[str, bool]:
    """Return the last whole lines, and whether they are the whole file. Raises OSError, also for no regular file."""
    fd = os.open(os.path.expanduser(path), os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError("not a file")
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - MOST))
        text = file.read(MOST).decode(errors="replace")
    return (text, True) if size <= MOST else (text.partition("\n")[2], False)
