"""A process that is stopped at its system calls: killed at one of them, or told that one failed.

Linux on x86-64, by ptrace and nothing else; elsewhere `can_trace` is false. Only calls that may change a file, a folder
or a lock count, and of those only what goes to files: dying between two of them leaves what dying at the second leaves.
"""

from __future__ import annotations

import ctypes
import errno
import os
import pickle
import platform
import signal
import sys
import traceback
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

ANSWER = 200
"""The file descriptor by which the child answers; writes to it do not count."""
CALLS = {
    1: "write", 18: "pwrite64", 20: "writev", 40: "sendfile", 73: "flock", 74: "fsync", 75: "fdatasync",
    76: "truncate", 77: "ftruncate", 82: "rename", 83: "mkdir", 84: "rmdir", 86: "link", 87: "unlink", 88: "symlink",
    90: "chmod", 91: "fchmod", 92: "chown", 93: "fchown", 188: "setxattr", 190: "fsetxattr", 257: "openat",
    258: "mkdirat", 260: "fchownat", 263: "unlinkat", 264: "renameat", 265: "linkat", 266: "symlinkat",
    268: "fchmodat", 280: "utimensat", 285: "fallocate", 316: "renameat2", 326: "copy_file_range", 2: "open",
}  # fmt: skip
"""System calls of x86-64 that change something, by number; `open` and `openat` only where they create or empty."""
_OPENS = {2: "rsi", 257: "rdx"}
_CHANGING = os.O_CREAT | os.O_TRUNC
_REGISTERS = (
    "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax "
    "rip cs eflags rsp ss fs_base gs_base ds es fs gs"
)
_TRACEME, _GETREGS, _SETREGS, _SETOPTIONS, _SYSCALL = 0, 12, 13, 0x4200, 24
_SYSGOOD, _EXITKILL = 1, 0x100000
NEEDS_SPACE = frozenset(
    ("write", "pwrite64", "writev", "sendfile", "ftruncate", "mkdir", "mkdirat", "link", "linkat", "symlink",
     "symlinkat", "open", "openat", "setxattr", "fsetxattr", "fallocate", "copy_file_range")
)  # fmt: skip
"""What a full disk refuses; it still lets names be changed and removed."""
WRITES = frozenset(("write", "pwrite64"))


class Registers(ctypes.Structure):
    """`struct user_regs_struct`."""

    _fields_ = [(name, ctypes.c_ulonglong) for name in _REGISTERS.split()]


class Fault(NamedTuple):
    """What happens at which call."""

    at: int
    """The number of the call, from 0."""
    error: int = 0
    """What it fails with; 0: the process is killed there, or the write is short."""
    stays: bool = False
    """Whether all calls from there on that this error concerns fail."""
    short: bool = False
    """The write takes half of what it is given."""

    def __str__(self) -> str:
        if self.short:
            return f"short write at call {self.at}"
        if not self.error:
            return f"killed at call {self.at}"
        return f"{errno.errorcode[self.error]} {'from' if self.stays else 'at'} call {self.at}"


class Traced(NamedTuple):
    """How the process ended."""

    answer: Any
    """What its work returned; None when it was killed."""
    killed: bool
    calls: tuple[str, ...]
    """Names of the calls that count, in order."""
    hit: str
    """The call at which the fault came; empty when it never came."""


_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _ptrace(request: int, pid: int, data: Any = None) -> None:
    assert _libc is not None
    if _libc.ptrace(ctypes.c_long(request), ctypes.c_long(pid), None, data) < 0:
        raise OSError(ctypes.get_errno(), f"ptrace {request}")


def traced(work: Callable[[], Any], fault: Fault | None = None) -> Traced:
    """Do some work in a child process, with a fault or without."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _child(work, reading, writing)
    os.close(writing)
    calls: list[str] = []
    hit, status = _follow(child, fault, calls)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    killed = os.WIFSIGNALED(status)
    if killed and not hit:
        raise AssertionError(f"the child died of signal {os.WTERMSIG(status)}")
    return Traced(None if killed or not told else pickle.loads(told), killed, tuple(calls), hit)


def aside(work: Callable[[], Any]) -> Any:
    """The result of some work that is done in a child process; what it raises is raised as an AssertionError."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _child(work, reading, writing, trace=False)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    assert told, "the child said nothing"
    found = pickle.loads(told)
    if isinstance(found, _Raised):
        raise AssertionError(found.trace)
    return found


class _Raised(NamedTuple):
    trace: str


def _child(work: Callable[[], Any], reading: int, writing: int, *, trace: bool = True) -> None:
    """The child's life, which ends here."""
    try:
        os.close(reading)
        os.dup2(writing, ANSWER)
        os.close(writing)
        if trace:
            _ptrace(_TRACEME, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
        try:
            found = work()
        except BaseException:
            found = _Raised(traceback.format_exc())
        answer = memoryview(pickle.dumps(found))
        while answer:
            answer = answer[os.write(ANSWER, answer) :]
    finally:
        os._exit(0)


def _follow(child: int, fault: Fault | None, calls: list[str]) -> tuple[str, int]:
    """Let the child run from call to call; where the fault came, and how it ended."""
    _, status = os.waitpid(child, 0)
    assert os.WIFSTOPPED(status), "ptrace is not allowed here"
    _ptrace(_SETOPTIONS, child, _SYSGOOD | _EXITKILL)
    registers, hit, entering, failing = Registers(), "", True, 0
    deliver = 0
    while True:
        _ptrace(_SYSCALL, child, deliver)
        _, status = os.waitpid(child, 0)
        if not os.WIFSTOPPED(status):
            return hit, status
        stopped = os.WSTOPSIG(status)
        if stopped != signal.SIGTRAP | 0x80:
            deliver = stopped if stopped != signal.SIGTRAP else 0
            continue
        deliver = 0
        if not entering:
            entering = True
            if failing:
                _ptrace(_GETREGS, child, ctypes.byref(registers))
                registers.rax = (1 << 64) - failing
                _ptrace(_SETREGS, child, ctypes.byref(registers))
                failing = 0
            continue
        entering = False
        _ptrace(_GETREGS, child, ctypes.byref(registers))
        name = _counted(registers)
        if not name:
            continue
        number = len(calls)
        calls.append(name)
        if fault is None or not _falls(fault, number, name):
            continue
        hit = hit or name
        if fault.short:
            registers.rdx //= 2
            _ptrace(_SETREGS, child, ctypes.byref(registers))
        elif not fault.error:
            os.kill(child, signal.SIGKILL)
            return hit, os.waitpid(child, 0)[1]
        else:
            failing = fault.error
            registers.orig_rax = (1 << 64) - 1
            _ptrace(_SETREGS, child, ctypes.byref(registers))


def _counted(registers: Registers) -> str:
    """The name of a call that counts; else empty."""
    number = registers.orig_rax
    name = CALLS.get(number, "")
    if number in _OPENS and not getattr(registers, _OPENS[number]) & _CHANGING:
        return ""
    if name in ("write", "writev") and registers.rdi in (1, 2, ANSWER):
        return ""
    return name


def _falls(fault: Fault, number: int, name: str) -> bool:
    """Whether a fault concerns this call."""
    if fault.short:
        return number == fault.at and name in WRITES
    if number == fault.at:
        return True
    if not fault.stays or number < fault.at:
        return False
    return name in NEEDS_SPACE if fault.error in (errno.ENOSPC, errno.EDQUOT) else name != "flock"


@cache
def can_trace() -> bool:
    """Whether processes can be traced here."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return False
    try:
        return traced(lambda: os.getpid() > 0).answer is True
    except (OSError, AssertionError):
        return False
