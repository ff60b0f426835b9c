"""The verbs at the command line that write what they are told: facts, corrections, lines of files."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from commonplace.doors.shared.failures import harmless, with_override
from commonplace.errors import CommonplaceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.doors.shared.verb_call import Call
    from commonplace.ops.write.edit_files import Written
    from commonplace.ops.write.retain import Retained


def retain(call: Call) -> int:
    """Write facts into a day's log; the exit status is that of the last that failed."""
    from commonplace.doors.shared import wire
    from commonplace.doors.table import requests

    options = call.options
    texts = _lines_of_facts(call.stdin) if options.text == ["-"] else _texts(options.text)
    if not any(texts):
        raise UsageError("there is no fact to retain", "commonplace retain 'W @Peter: …', or - and standard input")
    texts = [requests.written(text, "fact") for text in texts]
    kinds = requests.kinds([options.kind] if options.kind is not None else [])
    confidence = None if options.confidence is None else requests.share(options.confidence, "--confidence")
    memory = call.memory()
    status = 0
    for number, text in enumerate(texts, 1):
        try:
            done = memory.retain(
                text,
                kind=kinds[0] if kinds else None,
                entities=requests.entities(options.entity),
                confidence=confidence,
                date=options.date,
                supersedes=_ids(options.supersedes),
                contradicts=_ids(options.contradicts),
                supports=_ids(options.supports),
                source=options.source or "",
                allow_secret=options.allow_secret,
            )
        except CommonplaceError as failure:
            if len(texts) == 1:
                raise
            harmless(with_override(failure))
            status = failure.exit_status  # one bad fact of many loses none of the others
            call.screen.note(f"fact {number} of {len(texts)}: {failure.message}\n  {failure.hint}".rstrip())
            call.answer("", wire.error(failure))
            continue
        _retained(call, done)
    return status


def _texts(words: list[str]) -> list[str]:
    """Several texts are several facts; words that nobody quoted are one."""
    return words if all(" " in word.strip() for word in words) else [" ".join(words)]


def _lines_of_facts(stdin: BinaryIO) -> list[str]:
    """Each top-level bullet with its indented lines is one fact, else each line that is not blank."""
    from commonplace.doors.shared.batch_form import decoded

    facts: list[str] = []
    bullet = False
    for line in decoded(stdin.read()).split("\n"):
        text = line.strip()
        if not text:
            bullet = False
        elif line[0] in " \t" and bullet:
            facts[-1] += "\n" + line.rstrip("\r")
        else:
            bullet = text[:2] in ("- ", "* ", "+ ")
            facts.append(text[2:].lstrip() if bullet else text)
    return facts


def _ids(given: Sequence[str]) -> tuple[str, ...]:
    return tuple(each.strip().removeprefix("^") for each in given)


def retract(call: Call) -> int:
    """Say that a fact no longer holds."""
    options = call.options
    id, reason = _ids([options.id])[0], options.reason or ""
    return _retained(call, call.memory().retract(id, reason=reason, allow_secret=options.allow_secret))


def correct(call: Call) -> int:
    """Write today what a fact should have said."""
    from commonplace.doors.table import requests

    options = call.options
    text = requests.written(call.given(options.text, "text"), "text")
    done = call.memory().correct(
        requests.text(options.id, "id"), text, source=options.source or "", allow_secret=options.allow_secret
    )
    return _retained(call, done)


def append(call: Call) -> int:
    """Write lines behind the last one of a file."""
    options = call.options
    path, text = call.path(options.path), call.given(options.text, "text")
    done = call.memory().append(path, text, digest=options.digest, allow_secret=options.allow_secret)
    return _written(call, "made" if done.created else "appended", done)


def insert(call: Call) -> int:
    """Write lines behind a line of a file."""
    from commonplace.doors.table import requests

    options = call.options
    if options.after is None:
        raise UsageError("insert needs --after: the line behind which the text goes", "--after 0 is the top")
    short = options.after.isdecimal() and len(options.after) < 20
    after = requests.number(int(options.after) if short else options.after, "--after")
    path, text = call.path(options.path), call.given(options.text, "text")
    if not text:
        raise UsageError("there is nothing to insert", "give the text")
    done = call.memory().insert(path, text, after=after, digest=options.digest, allow_secret=options.allow_secret)
    return _written(call, "inserted", done)


def replace(call: Call) -> int:
    """Replace the one occurrence of a text in a file."""
    options = call.options
    if options.old == "-" and options.new == "-":
        raise UsageError("only one of OLD and NEW can be read from standard input", "give the other as a word")
    path, old, new = call.path(options.path), call.given([options.old], "OLD"), call.given([options.new], "NEW")
    done = call.memory().replace(path, old, new, digest=options.digest, allow_secret=options.allow_secret)
    return _written(call, "replaced" if old != new else "nothing to change in", done)


def _written(call: Call, verb: str, done: Written) -> int:
    from commonplace.doors.shared import render, wire

    shown = "" if call.options.json else render.written(verb, done, _lines(call, done), call.screen)
    call.answer(shown, wire.plain(done))
    for block in call.memory().core(budget=1).blocks:
        if block.path == done.source.path and block.size > block.limit:
            call.screen.note(
                f"{block.path} has {block.size:,} characters, and hosts cut it at {block.limit:,}: "
                "move some of it to pages below bank/"
            )
    return 0


def _lines(call: Call, done: Written) -> str:
    """The lines that a write wrote; none where somebody wrote the file since."""
    if not done.lines:
        return ""
    first = done.source.line
    try:
        found = call.memory().get(f"{done.source.path}#L{first}-L{first + done.lines - 1}")
    except CommonplaceError:
        return ""
    return found.text if found.digest == done.digest else ""


def _retained(call: Call, done: Retained) -> int:
    from commonplace.doors.shared import render, wire

    shown = render.retained(done.fact, done.created, done.notes, call.screen)
    call.answer(shown, {**wire.fact(done.fact), "created": done.created, "notes": list(done.notes)})
    return 0
