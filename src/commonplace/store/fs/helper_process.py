"""Work done in a copy of this process while it does something else: half the time for what is only computed."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")
_ENDS = (signal.SIGINT, signal.SIGTERM)
"""Signals that would run what this process does at its end: a copy must not."""
_LOOK = 0.2
"""Seconds between looks of a copy whether the process is still there that it works for."""


def may_help() -> bool:
    """Return whether there is a second processor, and a copy would be whole: threads, those of libraries too, are not
    copied, and only Linux has copies that are safe."""
    return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1 and len(os.sched_getaffinity(0)) > 1


@contextmanager
def beside(work: Callable[[], T]) -> Iterator[Callable[[], T]]:
    """Start `work` in a copy of this process; yield a function that waits for its result.

    Where there can be no copy, or it was killed, that function does the work itself. What `work` does is lost but for
    its result, which must be data. The copy ends before the context does, or at once after this process if that is
    killed; it has no file open, so that no lock outlasts its owner.
    """
    if not may_help():
        yield work
        return
    receiving, sending = os.pipe()
    owner = os.getpid()
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDS)
    helper = None
    with suppress(OSError):  # as many processes as there may be
        helper = os.fork()
    if helper == 0:
        _help(work, sending, owner)
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, masked)
        os.close(sending)
        with open(receiving, "rb") as pipe:

            def result() -> T:
                try:
                    found: T = pickle.load(pipe)  # a copy of ourselves wrote it
                except (EOFError, pickle.UnpicklingError):
                    return work()
                return found

            yield result
    finally:
        if helper is not None:
            with suppress(ProcessLookupError, ChildProcessError):  # somebody else may have waited for it
                os.kill(helper, signal.SIGKILL)
                os.waitpid(helper, 0)


def _help(work: Callable[[], object], sending: int, owner: int) -> NoReturn:
    """Send the result of `work` and end, without anything that an end would flush, close or unlock."""
    try:
        gc.disable()  # it would take apart what belongs to the owner
        os.closerange(0, sending)
        os.closerange(sending + 1, os.sysconf("SC_OPEN_MAX"))
        signal.signal(signal.SIGALRM, lambda *_: None if os.getppid() == owner else os._exit(1))
        signal.setitimer(signal.ITIMER_REAL, _LOOK, _LOOK)
        with open(sending, "wb") as pipe:
            pickle.dump(work(), pipe, pickle.HIGHEST_PROTOCOL)
    finally:
        os._exit(0)
