"""Review and judge at the command line, and answers from standard input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.doors.answers.verdict_answers import HOW_TO_REVIEW, effects, outcome
from commonplace.doors.cli.serve_verb import answered
from commonplace.doors.table.verb_table import GROUPS, VERDICTS
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from commonplace.doors.shared.verb_call import Call
    from commonplace.ops.reflect.review import Waiting

_HOW_TO_JUDGE = "commonplace judge j-… for, against or neither; commonplace judge alone lists what waits"


def judge(call: Call) -> int:
    """List the evidence that waits for a word, or take one."""
    words = call.options.answer
    if not words:
        return answered(call, "judge", fields={})
    *ids, verdict = words
    if verdict not in VERDICTS or not ids:
        raise UsageError(f"no verdict stands at the end: {verdict!r}", _HOW_TO_JUDGE)
    ids = [id.lstrip("^") for id in ids]
    opinions = [id.casefold().startswith("o-") for id in ids]
    if any(opinions[1:]) and not opinions[0]:
        raise UsageError("the opinion comes first, then the fact", "commonplace judge o-… FACT for")
    given: dict[str, Any] = {}
    if opinions[0]:
        opinion, *facts = ids
        if len(facts) != 1:
            raise UsageError("of an opinion one fact is judged at a time", "commonplace judge o-… FACT for")
        ids, given = [opinion], {"fact": facts[0]}
    return answered(call, "judge", fields={"ids": ids, "verdict": verdict, "dry_run": call.options.dry_run, **given})


def review(call: Call) -> int:
    """List all that waits, or accept and reject it."""
    options = call.options
    verb, *words = options.answer or [""]
    if options.kind is not None and options.kind not in GROUPS:
        raise UsageError(f"there is no kind {options.kind!r}", f"kinds: {', '.join(GROUPS)}")
    if (options.all or options.kind is not None) and verb not in ("accept", "reject"):
        raise UsageError("--all and --kind go with accept and reject", HOW_TO_REVIEW)
    if verb in VERDICTS:
        raise UsageError(f"review takes no {verb!r}", f"commonplace judge {' '.join(words) or 'ID'} {verb}")
    if not verb:
        return answered(call, "review", fields={})
    if verb == "-" and not words:
        return _hear(call)
    if verb == "edit":
        if not " ".join(words[1:]).strip():
            raise UsageError("edit takes an id and the new text", "commonplace review edit i-… 'W @Peter: …'")
        given = {"ids": words[:1], "verdict": "accept", "text": " ".join(words[1:])}
        return answered(call, "review", fields={**given, "dry_run": options.dry_run})
    if verb not in ("accept", "reject"):
        raise UsageError(f"review does not know {verb!r}", HOW_TO_REVIEW)
    if options.all == bool(words):
        raise UsageError(f"which ones are to be {verb}ed? give ids, or --all", "commonplace review lists what waits")
    if options.all:
        words = _all(call.memory().review(), options.kind)
        if not words:
            call.answer("nothing waits", {"answers": [], "moved": [], "notes": [], "applied": False})
            return 0
    return answered(call, "review", fields={"ids": words, "verdict": verb, "dry_run": options.dry_run})


def _all(waits: Waiting, kind: str | None) -> list[str]:
    """What `--all` means; what somebody else would replace only when it is named."""
    if kind == "replaced":
        return [each.id for each in waits.replaced]
    inferred = [each.id for each in waits.inferred] if kind in (None, "inferred") else []
    core = [each.id for each in waits.core] if kind in (None, "core") else []
    return [*inferred, *core, *([each.id for each in waits.same] if kind in (None, "same") else [])]


def _hear(call: Call) -> int:
    """Answers from standard input: each told of on a line, then what came of all; 1 when none could be read."""
    from commonplace.doors.shared import wire
    from commonplace.doors.shared.batch_form import decoded

    heard = call.memory().hear(decoded(call.stdin.read()), dry_run=call.options.dry_run)
    if not heard.lines:
        raise UsageError("there is no answer on standard input", "one a line: j-… against, or i-… accept")
    by_id = {done.id: done for done in heard.answered.answers} if heard.answered else {}
    for line in heard.lines:
        if line.answer is None:
            where = f" {line.id}" if line.id else ""
            shown = f"{line.number}: {call.screen.paint('red', 'error')}{where}: {call.screen.safe(line.problem)}"
            data: dict[str, Any] = {"error": {"code": "usage", "message": line.problem, "hint": ""}}
            call.answer(shown, {"line": line.number, "id": line.id, **data})
        else:
            done = by_id[line.answer.id]
            call.answer(f"{line.number}: {outcome(done, call.screen)}", {"line": line.number, **done._asdict()})
    if heard.answered is None:
        return 1
    rest = effects(heard.answered, call.screen)
    call.answer("\n".join(rest), wire.plain(heard.answered._replace(answers=())))
    return 1 if heard.answered.refused else 0
