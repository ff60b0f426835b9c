"""Review and judge at the command line: words to answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.doors.answers.verdict_answers import HOW_TO_REVIEW
from commonplace.doors.cli.serve_verb import answer, answered, show
from commonplace.doors.table import requests
from commonplace.doors.table.common_fields import MOST_HITS
from commonplace.doors.table.reflect_verbs import GROUPS, VERDICTS
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from commonplace.doors.shared.verb_call import Call

_HOW_TO_UNDO = "commonplace review --undo-model qwen3:8b"
_HOW_TO_JUDGE = "commonplace judge j-… for, against or neither; commonplace judge without words lists the questions"


def judge(call: Call) -> int:
    """List undecided evidence, or record a verdict."""
    words = call.options.answer
    if not words:
        return answered(call, "judge", fields={})
    *ids, verdict = words
    if verdict not in VERDICTS or not ids:
        raise UsageError(f"the last word is not a verdict: {verdict!r}", _HOW_TO_JUDGE)
    ids = [id.lstrip("^") for id in ids]
    opinions = [id.casefold().startswith("o-") for id in ids]
    if any(opinions[1:]) and not opinions[0]:
        raise UsageError("give the opinion first, then the fact", "commonplace judge o-… FACT for")
    given: dict[str, Any] = {}
    if opinions[0]:
        opinion, *facts = ids
        if len(facts) != 1:
            raise UsageError("only one fact of an opinion can be judged at a time", "commonplace judge o-… FACT for")
        ids, given = [opinion], {"fact": facts[0]}
    return answered(call, "judge", fields={"ids": ids, "verdict": verdict, "dry_run": call.options.dry_run, **given})


def review(call: Call) -> int:
    """List open questions, or accept and reject them."""
    options = call.options
    verb, *words = options.answer or [""]
    if options.undo_model:
        return _undo_model(call)
    _fits(call, verb)
    if verb in VERDICTS:
        raise UsageError(
            f"{verb!r} is a verdict of judge, not of review", f"commonplace judge {' '.join(words) or 'ID'} {verb}"
        )
    if not verb:
        listed = {} if options.k is None else {"k": requests.digits(options.k, "--k", most=MOST_HITS)}
        return answered(call, "review", fields=listed | ({"all": True} if options.all else {}))
    if verb == "-" and not words:
        return _hear(call)
    if verb == "edit":
        if not " ".join(words[1:]).strip():
            raise UsageError("edit needs an id and the new text", "commonplace review edit i-… 'W @Peter: …'")
        given = {"ids": words[:1], "verdict": "accept", "text": " ".join(words[1:])}
        return answered(call, "review", fields={**given, "dry_run": options.dry_run})
    if verb not in ("accept", "reject"):
        raise UsageError(f"review has no action {verb!r}", HOW_TO_REVIEW)
    if options.all == bool(words):
        raise UsageError(f"{verb} needs ids, or --all", "commonplace review lists the questions")
    which = {"all": True, "kind": options.kind} if options.all else {"ids": words}
    return answered(call, "review", fields={**which, "verdict": verb, "dry_run": options.dry_run})


def _undo_model(call: Call) -> int:
    options = call.options
    if options.all or options.kind is not None or options.by is not None:
        raise UsageError("--undo-model is used alone, with the name of one model, or --dry-run", _HOW_TO_UNDO)
    return answered(call, "undo_model", fields={"name": " ".join(options.answer), "dry_run": options.dry_run})


def _fits(call: Call, verb: str) -> None:
    """Raise UsageError for flags that do not fit the first word."""
    options = call.options
    if options.k is not None and verb:
        raise UsageError("--k is only for the list", "commonplace review --k 5")
    if options.by is not None and options.answer != ["-"]:
        raise UsageError("--by is only for -", "commonplace review - --by model:qwen3:8b")
    if options.kind is not None and options.kind not in GROUPS:
        raise UsageError(f"unknown kind {options.kind!r}", f"kinds: {', '.join(GROUPS)}")
    if options.kind is not None and verb not in ("accept", "reject"):
        raise UsageError("--kind is only for accept and reject", HOW_TO_REVIEW)
    if options.all and verb not in ("", "accept", "reject"):
        raise UsageError("--all is only for the list, accept and reject", HOW_TO_REVIEW)


def _hear(call: Call) -> int:
    """Act on answers from standard input, one a line; the exit status is 1 if none could be parsed."""
    from commonplace.doors.shared.batch_form import decoded

    fields = {"text": decoded(call.stdin.read()), "dry_run": call.options.dry_run, "by": call.options.by or ""}
    found = answer(call, "hear", fields=fields)
    if not found.data["lines"]:
        raise UsageError("standard input has no answer", "one a line: j-… against, or i-… accept")
    return show(call, found)
