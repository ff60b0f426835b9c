"""The command line: one run of the program, from its words to its exit status.

Parses first and imports what a verb needs afterwards, so `--help` and a wrong flag cost nothing. Every error is told
in one place, `run`.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, NoReturn, cast

from commonplace.errors import CommonplaceError, SecretRefused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

    from commonplace.doors.shared.terminal import Screen

_INTERRUPTED = 130
_PIPE_CLOSED = 141
"""128 + SIGPIPE: what a shell expects of a program whose reader went away."""


def run(argv: Sequence[str], *, stdin: BinaryIO, out: TextIO, err: TextIO, env: Mapping[str, str], cwd: str) -> int:
    """Serve one command line; the exit status. All errors are printed; --verbose raises bugs."""
    from commonplace.doors.shared.terminal import Screen
    from commonplace.doors.shared.verb_call import Call
    from commonplace.doors.table.parser import arguments, help_text, named

    screen = Screen(out, err, env=env, color="--no-color" not in argv)
    try:
        verb, options = arguments(argv)
        if options.help:
            out.write(help_text(verb))
            return 0
        if verb is None:
            import commonplace

            screen.print(f"commonplace {commonplace.__version__}")
            return 0
        call = Call(options, screen, stdin=stdin, env=env, cwd=cwd, opens=verb.opens)
        try:
            from commonplace.doors.cli.serve_verb import serve

            status = serve(call, verb)
        except SecretRefused as refused:
            from commonplace.doors.shared.failures import with_override

            raise with_override(refused) if hasattr(options, "allow_secret") else refused from None
        finally:
            call.note()
            call.close()
        call.tell(f"CPU: {time.process_time():.3f} s")
        return status
    except CommonplaceError as failure:
        status = _fail(failure, argv, screen=screen)
        return min(status, 1) if named(argv) == "hook" else status  # its callers take 2 for a veto
    except BrokenPipeError:
        raise
    except Exception as failure:
        if "--verbose" in argv:
            raise
        from commonplace.doors.shared.failures import told

        return _fail(told(failure), argv, screen=screen)


def _fail(failure: CommonplaceError, argv: Sequence[str], *, screen: Screen) -> int:
    from commonplace.doors.shared.failures import in_words

    screen.note(in_words(failure))
    if "--json" in argv or "--format json" in " ".join(argv).replace("--format=", "--format "):
        from commonplace.doors.shared import wire

        with suppress(OSError):  # the output itself may be what failed
            screen.print(wire.line(wire.error(failure)))
    return failure.exit_status


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return os.path.expanduser("~")


def _open(stream: TextIO | None, mode: str) -> TextIO:
    """A standard stream; one that the caller closed is None, and is replaced by the null device."""
    if stream is not None:
        return stream
    return cast("TextIO", open(os.devnull, mode, encoding="utf-8"))


def _flushed(status: int) -> int:
    """Flush standard output; the exit status. A full disk is told once."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as failure:
        _drop(sys.stdout)
        if status == 0:  # else `run` told it
            from commonplace.doors.shared.failures import in_words, told

            sys.stderr.write(in_words(told(failure)) + "\n")
            status = 1
    return status


def _drop(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere: Python flushes it once more at exit, and would print a traceback."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def command() -> NoReturn:
    """The `commonplace` command.

    What it wrote is flushed and its index is closed, so it ends at once: everything else goes with the process, and
    taking it apart first would be a twentieth of a recall.
    """
    status = main()
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(status)


def main() -> int:
    """Serve the command line of this process; the exit status."""
    gc.set_threshold(1_000_000)  # what a command makes it keeps: looking for cycles would be a tenth of a reflect
    sys.stdin, sys.stdout, sys.stderr = _open(sys.stdin, "r"), _open(sys.stdout, "w"), _open(sys.stderr, "w")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[attr-defined]
    try:
        status = run(sys.argv[1:], stdin=sys.stdin.buffer, out=sys.stdout, err=sys.stderr, env=os.environ, cwd=_cwd())
        status = _flushed(status)
        gc.freeze()  # all goes with the process: looking for cycles in it at exit would be a tenth of a recall
    except BrokenPipeError:
        _drop(sys.stdout)
        return _PIPE_CLOSED
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return _INTERRUPTED
    return status
