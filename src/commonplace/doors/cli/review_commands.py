"""The verbs review and judge, and the packet of reflect, at the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.doors.table.verb_table import GROUPS, VERDICTS
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.entities.resolution import Same
    from commonplace.core.review.packet import Packet, StanceQuestion
    from commonplace.core.review.replacements import Replaced
    from commonplace.doors.shared.terminal import Screen
    from commonplace.doors.shared.verb_call import Call
    from commonplace.ops.reflect.review import Answered, AnswerOutcome, Waiting

_HOW_TO_JUDGE = "commonplace judge j-… for, against or neither; commonplace judge alone lists what waits"
_HOW_TO_REVIEW = "commonplace review accept ID…, reject ID…, edit ID 'other words', or - and standard input"


def judge(call: Call) -> int:
    """List the evidence that waits for a word, or take one."""
    words = call.options.answer
    if not words:
        call.answer(*undecided(call.memory().review(), call.screen))
        return 0
    *ids, verdict = words
    if verdict not in VERDICTS or not ids:
        raise UsageError(f"no verdict stands at the end: {verdict!r}", _HOW_TO_JUDGE)
    ids = [id.lstrip("^") for id in ids]
    opinions = [id.casefold().startswith("o-") for id in ids]
    if any(opinions[1:]) and not opinions[0]:
        raise UsageError("the opinion comes first, then the fact", "commonplace judge o-… FACT for")
    fact = ""
    if opinions[0]:
        opinion, *facts = ids
        if len(facts) != 1:
            raise UsageError("of an opinion one fact is judged at a time", "commonplace judge o-… FACT for")
        ids, fact = [opinion], facts[0]
    done = call.memory().answer(ids, verdict, fact=fact, dry_run=call.options.dry_run)
    return _tell(call, done)


def review(call: Call) -> int:
    """List all that waits, or accept and reject it."""
    options = call.options
    verb, *words = options.answer or [""]
    if options.kind is not None and options.kind not in GROUPS:
        raise UsageError(f"there is no kind {options.kind!r}", f"kinds: {', '.join(GROUPS)}")
    if (options.all or options.kind is not None) and verb not in ("accept", "reject"):
        raise UsageError("--all and --kind go with accept and reject", _HOW_TO_REVIEW)
    if verb in VERDICTS:
        raise UsageError(f"review takes no {verb!r}", f"commonplace judge {' '.join(words) or 'ID'} {verb}")
    if not verb:
        waits = call.memory().review()
        call.answer(*waiting(waits, call.screen))
        if waits.inferred or waits.core or waits.same or waits.replaced:
            call.screen.next(f"{_HOW_TO_REVIEW}, or tick the boxes in bank/review.md")
        return 0
    if verb == "-" and not words:
        return _hear(call)
    if verb == "edit":
        if not " ".join(words[1:]).strip():
            raise UsageError("edit takes an id and the new text", "commonplace review edit i-… 'W @Peter: …'")
        return _tell(call, call.memory().answer(words[:1], "accept", text=" ".join(words[1:]), dry_run=options.dry_run))
    if verb not in ("accept", "reject"):
        raise UsageError(f"review does not know {verb!r}", _HOW_TO_REVIEW)
    if options.all == bool(words):
        raise UsageError(f"which ones are to be {verb}ed? give ids, or --all", "commonplace review lists what waits")
    if options.all:
        words = _all(call.memory().review(), options.kind)
        if not words:
            call.answer("nothing waits", {"answers": [], "moved": [], "notes": [], "applied": False})
            return 0
    return _tell(call, call.memory().answer(words, verb, dry_run=options.dry_run))


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
            call.answer(f"{line.number}: {_done(done, call.screen)}", {"line": line.number, **done._asdict()})
    if heard.answered is None:
        return 1
    rest = _effects(heard.answered, call.screen)
    call.answer("\n".join(rest), wire.plain(heard.answered._replace(answers=())))
    return 1 if heard.answered.refused else 0


def packet(call: Call) -> int:
    """What a high-thinking agent should decide, as Markdown or JSON."""
    from commonplace.doors.table import requests

    options = call.options
    if options.undo or options.dry_run or options.yes or options.commit:
        raise UsageError("--packet only tells", "leave --undo, --dry-run, --yes and --commit out")
    given = (
        {} if options.budget is None else {"budget": requests.digits(options.budget, "--budget", requests.MOST_TOKENS)}
    )
    told = call.memory().packet(since=options.since, **given)
    if options.json:
        call.answer("", packed(told))
    else:
        call.screen.print(call.screen.safe(told.text.removesuffix("\n")))
    return 0


def packed(told: Packet) -> dict[str, Any]:
    """A packet with its questions as `review` lists them, and as the text that a model is given."""
    from commonplace.doors.shared import wire

    inferred, same = [_proposal(each) for each in told.inferred], [_same(each) for each in told.same]
    shown: dict[str, Any] = wire.plain(told)
    return shown | {"inferred": inferred, "same": same, "how": told.how, "text": told.text}


def _question(asked: StanceQuestion) -> dict[str, Any]:
    """`{"id", "fact", "opinion": {"id", "statement", "confidence"}, "reason"}`."""
    from commonplace.doors.shared import wire

    shown: dict[str, Any] = wire.plain(asked)
    del shown["sides"]  # only the packet tells them
    return shown


def waiting(waits: Waiting, screen: Screen) -> tuple[str, dict[str, Any]]:
    """What waits, as text and as `{"inferred", "core", "same", "replaced", "judge", "notes"}`."""
    from commonplace.doors.shared import wire

    return _waiting(waits, screen), {
        "inferred": [_proposal(each) for each in waits.inferred],
        "core": [wire.plain(each) for each in waits.core],
        "same": [_same(each) for each in waits.same],
        "replaced": [_replaced(each) for each in waits.replaced],
        "judge": [_question(each) for each in waits.judge],
        "notes": list(waits.notes),
    }


def undecided(waits: Waiting, screen: Screen) -> tuple[str, dict[str, Any]]:
    """The evidence that waits, as text and as `{"judge", "notes"}`."""
    return _pairs(waits, screen), {"judge": [_question(each) for each in waits.judge], "notes": list(waits.notes)}


def _same(each: Same) -> dict[str, Any]:
    return {"id": each.id, "text": each.text, "name": each.name, "alias": each.alias, "reason": _reason(each)}


def _replaced(each: Replaced) -> dict[str, Any]:
    from commonplace.doors.shared import wire

    shown: dict[str, Any] = wire.plain(each)
    return {"id": each.id, "text": each.text, **shown}


def _reason(each: Same) -> str:
    return f"{each.reason}, {each.path}" if each.path else each.reason


def _proposal(each: Any) -> dict[str, Any]:
    from commonplace.doors.shared import wire

    shown: dict[str, Any] = wire.plain(each)
    return {"id": each.id, "text": each.text, **shown, "source": _place(each.source)}


def _place(source: Any) -> str:
    """A citation; of a line that no longer stands there its file."""
    return str(source) if source.line else str(source.path)


def _pairs(waits: Waiting, screen: Screen) -> str:
    lines = [line for each in waits.judge for line in _pair(each, screen)]
    lines += [screen.paint("yellow", screen.safe(note)) for note in waits.notes]
    return "\n".join(lines) or "no evidence waits to be judged"


def _pair(asked: StanceQuestion, screen: Screen) -> list[str]:
    fact, opinion = asked.fact, asked.opinion
    place = screen.place(fact.source)
    outsider = f", said by {fact.trailer.outsider}" if fact.trailer.outsider else ""
    return [
        f"{screen.paint('bold', f'^{asked.id}')} {screen.said(fact.content)} "
        f"({fact.recorded or 'undated'}, {place}{screen.said(outsider)}, ^{fact.id})",
        f"  on {opinion.confidence:.2f} {screen.said(opinion.statement)} ^{opinion.id}",
        screen.paint("dim", f"  {screen.safe(asked.reason)}"),
    ]


def _waiting(waits: Waiting, screen: Screen) -> str:
    """Each group with a heading."""
    groups: list[tuple[str, Sequence[str]]] = [
        (
            "Inferred",
            [
                f"{screen.paint('bold', f'^{each.id}')} {screen.said(each.text)} "
                f"({each.recorded or 'undated'}, {screen.place(_place(each.source))})"
                for each in waits.inferred
            ],
        ),
        (
            "Core",
            [f"{screen.paint('bold', f'^{each.id}')} {screen.said(each.text)} ({_why(each)})" for each in waits.core],
        ),
        (
            "Same entity?",
            [
                f"{screen.paint('bold', f'^{each.id}')} {screen.said(each.text)} ({screen.safe(_reason(each))})"
                for each in waits.same
            ],
        ),
        (
            "Replaced?",
            [
                f"{screen.paint('bold', f'^{each.id}')} {screen.said(each.text)} "
                f"({each.newer.recorded or 'undated'}, {screen.place(each.newer.source)})"
                for each in waits.replaced
            ],
        ),
        ("Judge", [line for each in waits.judge for line in _pair(each, screen)]),
    ]
    parts = ["\n".join([screen.paint("bold", name), *lines]) for name, lines in groups if lines]
    parts += [screen.paint("yellow", screen.safe(note)) for note in waits.notes]
    return "\n\n".join(parts) or "nothing waits"


def _why(each: Any) -> str:
    if each.confidence is not None:
        return f"{each.confidence:.2f}, bank/opinions.md#{each.anchor}"
    return f"on {1 + len(each.also)} days, {each.path}"


def _tell(call: Call, done: Answered) -> int:
    """Say what came of answers; 1 when one could not be acted on."""
    from commonplace.doors.shared import wire

    call.answer(told(done, call.screen), wire.plain(done))
    return 1 if done.refused else 0


def told(done: Answered, screen: Screen) -> str:
    """What came of answers, each on a line, then what followed from them."""
    return "\n".join([*(_done(each, screen) for each in done.answers), *_effects(done, screen)])


def _done(done: AnswerOutcome, screen: Screen) -> str:
    """`for, no longer against ^j-9w2e1 “…”`."""
    was = f", no longer {done.was}" if done.was else ""
    style = "green" if done.outcome == "done" else "yellow"
    told = "" if done.outcome == "done" else f" ({done.outcome})"
    why = f"\n  moves nothing: {screen.safe(done.why)}" if done.why else ""
    return f"{screen.paint(style, done.verdict + was)}{told} ^{done.id} {screen.said(done.text)}{why}"


def _effects(done: Answered, screen: Screen) -> list[str]:
    moved = [f"  ^{each.id} {each.before:.2f} → {each.after:.2f} {screen.said(each.statement)}" for each in done.moved]
    return [*moved, *(f"  {screen.safe(note)}" for note in done.notes)]
