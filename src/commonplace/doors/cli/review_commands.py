"""Review and judge at the command line, and answers from standard input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.doors.answers.verdict_answers import HOW_TO_REVIEW
from commonplace.doors.cli.serve_verb import answer, answered, show
from commonplace.doors.table.reflect_verbs import GROUPS, VERDICTS
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from commonplace.doors.shared.verb_call import Call

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
    which = {"all": True, "kind": options.kind} if options.all else {"ids": words}
    return answered(call, "review", fields={**which, "verdict": verb, "dry_run": options.dry_run})


def _hear(call: Call) -> int:
    """Act on answers from standard input, one a line; the exit status is 1 if none could be parsed."""
    from commonplace.doors.shared.batch_form import decoded

    fields = {"text": decoded(call.stdin.read()), "dry_run": call.options.dry_run}
    found = answer(call, "hear", fields)
    if not found.data["lines"]:
        raise UsageError("standard input has no answer", "one a line: j-… against, or i-… accept")
    return show(call, found)
