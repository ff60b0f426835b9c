"""The command line: words to one call on `Memory`, its answer to text or JSON.

Parses first and imports what a verb needs afterwards, so `--help` and a wrong flag cost nothing. Every error is told
in one place, `run`.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from commonplace.errors import CommonplaceError, SecretRefused, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TextIO

    from commonplace.core.model import Bundle
    from commonplace.doors.shared.terminal import Screen
    from commonplace.doors.shared.verb_call import Call
    from commonplace.doors.table.requests import Question

_INTERRUPTED = 130
_PIPE_CLOSED = 141
"""128 + SIGPIPE: what a shell expects of a program whose reader went away."""


def _init(call: Call) -> int:
    if call.options.dir is not None:
        call.options.workspace = call.options.dir
    from commonplace.config import to_make
    from commonplace.doors.shared import render

    to_make(call.place, call.env)
    created = call.memory().init()
    call.answer(render.made(call.root, created), {"workspace": call.root, "created": list(created)})
    call.screen.next(
        "commonplace retain 'W @Peter: Lives in Vienna.', then commonplace recall 'where does Peter live?'"
    )
    return 0


def _asked(call: Call) -> Question:
    """What the flags of recall ask, without the question."""
    from commonplace.doors.table import requests

    options = call.options
    return requests.Question(
        "",
        k=None if options.k is None else requests.digits(options.k, "--k", requests.MOST_HITS),
        budget=None if options.budget is None else requests.digits(options.budget, "--budget", requests.MOST_TOKENS),
        since=options.since,
        until=options.until,
        during=options.during,
        as_of=options.as_of,
        kinds=requests.kinds(options.kind),
        entities=requests.entities(options.entity),
    )


def _recall(call: Call) -> int:
    from commonplace.doors.table import requests

    options = call.options
    show = _shower(call)
    defaults = {**_asked(call).given(), "sync": not options.no_sync}

    def found(asked: Question) -> str:
        memory = call.memory(asked.today)
        bundle = memory.recall(asked.query, **{**defaults, **asked.given()})
        if options.no_sync and bundle.status in ("ok", "empty") and memory.changed():
            why = "files have changed since the index last looked; without --no-sync they are read"
            bundle = bundle._replace(status="stale", note="; ".join(filter(None, (why, bundle.note))))
        return show(bundle)

    if options.query == ["-"]:
        _ = call.memory().workspace  # a missing one is told once, not on every line
        return _serve(call, lambda line: found(requests.question(line)))
    filters = any((options.since, options.until, options.during, options.kind, options.entity))
    call.screen.print(found(requests.Question(requests.text(" ".join(options.query), "query", empty=filters))))
    return 0


def _shower(call: Call) -> Callable[[Bundle], str]:
    """How a bundle is shown; `--json` and `--format json` are one."""
    from commonplace.doors.table.parser import meant
    from commonplace.doors.table.verb_table import FORMATS

    options = call.options
    form = options.format or ("json" if options.json else "text")
    if form not in FORMATS:
        raise UsageError(f"there is no format {form!r}", meant(form, FORMATS, "formats: " + ", ".join(FORMATS)))
    if options.json and form != "json":
        raise UsageError("--json and --format exclude each other", "give one of them")
    options.json = form == "json"
    if options.json:
        from commonplace.doors.shared import wire

        return lambda bundle: wire.line(wire.bundle(bundle))
    from commonplace.doors.shared import render

    return render.bundle_markdown if form == "md" else lambda bundle: render.bundle(bundle, call.screen)


def _serve(call: Call, answered: Callable[[str], str | dict[str, Any]]) -> int:
    """The batch form: each line of standard input answered, in JSON or as text."""
    from commonplace.doors.shared import batch_form, render, wire

    def shown(line: str) -> str:
        try:
            answer = answered(line)
        except OSError as failure:
            from commonplace.doors.shared.failures import told

            raise told(failure) from failure
        if isinstance(answer, str):
            return answer
        return wire.line(answer) if call.options.json else render.fields(answer, call.screen)

    def failed(failure: CommonplaceError) -> None:
        if call.options.json:
            call.screen.print(wire.line(wire.error(failure)))
        else:
            call.screen.note(_told(failure))

    batch_form.serve(call.stdin, call.screen.print, shown, failed)
    return 0


def _fields(call: Call, data: dict[str, Any]) -> int:
    from commonplace.doors.shared import render

    call.answer(render.fields(data, call.screen), data)
    return 0


def _check(call: Call) -> int:
    from commonplace.doors.shared import render, wire

    problems = call.memory().check()
    call.answer(render.problems(problems, call.screen), wire.problems(problems))
    return 1 if problems else 0


def _status(call: Call) -> int:
    from commonplace.doors.shared import render, wire

    data = wire.plain(call.memory().status())
    call.answer(render.status(data, call.screen), data)
    return 0


def _index(call: Call) -> int:
    from commonplace.doors.shared import render, wire

    step, close = call.screen.progress("indexing")
    try:
        report = call.memory().index(rebuild=call.options.rebuild, progress=step)
    finally:
        close()
    call.answer(render.synced(report), wire.plain(report))
    return 0


def _explain(call: Call) -> int:
    from commonplace.doors.shared import wire
    from commonplace.doors.table import requests

    def answered(asked: Question) -> dict[str, Any]:
        memory = call.memory_if_any(asked.today)
        if memory is not None:
            return wire.reading(memory.explain(asked.query))
        import commonplace

        return wire.reading(commonplace.explain(asked.query, today=asked.today or call.clock()))

    if call.options.query == ["-"]:
        return _serve(call, lambda line: answered(requests.question(line)))
    return _fields(call, answered(requests.Question(requests.text(" ".join(call.options.query), "query"))))


def _weigh(call: Call) -> int:
    import commonplace
    from commonplace.doors.shared import wire
    from commonplace.doors.table import requests

    def answered(opinion: str, fact: str) -> dict[str, Any]:
        data: dict[str, Any] = wire.plain(commonplace.weigh(opinion, fact))
        return data

    if call.options.opinion == "-" and call.options.fact is None:
        return _serve(call, lambda line: answered(*requests.pair(line)))
    if call.options.fact is None:
        raise UsageError("weigh takes an opinion and a fact", "commonplace weigh 'Peter likes tea' 'Peter hates tea'")
    return _fields(
        call, answered(requests.text(call.options.opinion, "opinion"), requests.text(call.options.fact, "fact"))
    )


def _show(call: Call) -> int:
    from commonplace.doors.shared import render, wire
    from commonplace.doors.table import requests

    found = call.memory().show(requests.text(call.options.id, "id"))
    call.answer(render.whole(found, call.screen), wire.hit(found))
    return 0


def _opinions(call: Call) -> int:
    from commonplace.doors.shared import render, wire
    from commonplace.doors.table import requests

    name = requests.text(" ".join(call.options.name), "entity").removeprefix("@") if call.options.name else None
    held = call.memory().opinions(name, as_of=call.options.as_of)
    if not call.options.history:
        call.answer(render.opinions(held, call.screen), {"opinions": [wire.opinion(each) for each in held]})
        return 0
    from commonplace.memory import history

    told = [(each, history(each)) for each in held]
    shown = [wire.opinion(each) | {"history": wire.steps(steps)} for each, steps in told]
    call.answer(render.histories(told, call.screen), {"opinions": shown})
    return 0


def _completion(call: Call) -> int:
    from commonplace.doors.cli import completion

    call.screen.out.write(completion.script(call.options.shell))
    return 0


RUN: dict[str, Callable[[Call], int]] = {
    "init": _init,
    "recall": _recall,
    "check": _check,
    "status": _status,
    "index": _index,
    "explain": _explain,
    "show": _show,
    "opinions": _opinions,
    "weigh": _weigh,
    "completion": _completion,
}
ELSEWHERE = {
    "retain": "cli.write_commands",
    "retract": "cli.write_commands",
    "correct": "cli.write_commands",
    "append": "cli.write_commands",
    "insert": "cli.write_commands",
    "replace": "cli.write_commands",
    "core": "cli.core_commands",
    "context": "cli.core_commands",
    "get": "cli.core_commands",
    "reflect": "cli.reflect_command",
    "review": "cli.review_commands",
    "judge": "cli.review_commands",
    "entity": "cli.entity_command",
    "watch": "cli.watch_command",
    "hook": "cli.hook_command",
    "mcp": "mcp.serve",
    "worker": "worker",
    "setup": "setup.client_setup",
    "import": "cli.import_command",
    "forget": "cli.forget_command",
    "doctor": "cli.doctor_command",
}
"""Verbs with a module of their own below doors, which is imported when they are asked for."""


def _runs(verb: str) -> Callable[[Call], int]:
    """What serves a verb; in a module of its own it has the verb's name, with a `_` where Python has that word."""
    if verb in RUN:
        return RUN[verb]
    from importlib import import_module

    name = "import_" if verb == "import" else verb
    return cast("Callable[[Call], int]", getattr(import_module(f"commonplace.doors.{ELSEWHERE[verb]}"), name))


def run(argv: Sequence[str], *, stdin: BinaryIO, out: TextIO, err: TextIO, env: Mapping[str, str], cwd: str) -> int:
    """Serve one command line; the exit status. Every error is told; --verbose raises those that are bugs."""
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
        call = Call(options, screen, stdin=stdin, env=env, cwd=cwd, begins=verb.begins)
        try:
            status = _runs(verb.name)(call)
        except SecretRefused as refused:
            from commonplace.doors.shared.failures import with_override

            raise with_override(refused) if hasattr(options, "allow_secret") else refused from None
        finally:
            call.note()
        call.tell(f"CPU: {time.process_time():.3f} s")
        return status
    except CommonplaceError as failure:
        status = _fail(failure, argv, screen)
        return min(status, 1) if named(argv) == "hook" else status  # its callers take 2 for a veto
    except BrokenPipeError:
        raise
    except Exception as failure:
        if "--verbose" in argv:
            raise
        from commonplace.doors.shared.failures import told

        return _fail(told(failure), argv, screen)


def _fail(failure: CommonplaceError, argv: Sequence[str], screen: Screen) -> int:
    screen.note(_told(failure))
    if "--json" in argv or "--format json" in " ".join(argv).replace("--format=", "--format "):
        from commonplace.doors.shared import wire

        with suppress(OSError):  # the output itself may be what failed
            screen.print(wire.line(wire.error(failure)))
    return failure.exit_status


def _told(failure: CommonplaceError) -> str:
    from commonplace.doors.shared.failures import harmless

    harmless(failure)
    return f"commonplace: {failure.message}" + (f"\n  {failure.hint}" if failure.hint else "")


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return os.path.expanduser("~")


def _open(stream: TextIO | None, mode: str) -> TextIO:
    """A standard stream; one that the caller closed is None, and then leads nowhere."""
    if stream is not None:
        return stream
    return cast("TextIO", open(os.devnull, mode, encoding="utf-8"))


def main() -> int:
    """The `commonplace` command."""
    gc.set_threshold(1_000_000)  # what a command makes it keeps: looking for cycles would be a tenth of a reflect
    sys.stdin, sys.stdout, sys.stderr = _open(sys.stdin, "r"), _open(sys.stdout, "w"), _open(sys.stderr, "w")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[attr-defined]
    try:
        status = run(sys.argv[1:], stdin=sys.stdin.buffer, out=sys.stdout, err=sys.stderr, env=os.environ, cwd=_cwd())
        sys.stdout.flush()
        gc.freeze()  # all goes with the process: looking for cycles in it at exit would be a tenth of a recall
    except BrokenPipeError:
        # Python flushes standard output once more at exit: let that go nowhere, quietly.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return _INTERRUPTED
    return status
