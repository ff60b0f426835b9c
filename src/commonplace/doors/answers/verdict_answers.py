"""The answers of review and judge, and of the packet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.doors.shared import wire
from commonplace.doors.shared.render import counted
from commonplace.doors.shared.verb_answer import VerbAnswer
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from commonplace.core.entities.resolution import Same
    from commonplace.core.extract.infer import Proposal
    from commonplace.core.review.line_changes import LineChange
    from commonplace.core.review.packet import StanceQuestion
    from commonplace.core.review.possible_names import PossibleName
    from commonplace.core.review.replacements import Replaced
    from commonplace.doors.shared.terminal import Screen
    from commonplace.doors.shared.verb_answer import VerbRequest
    from commonplace.memory import Memory
    from commonplace.ops.review.answerable import AnswerOutcome
    from commonplace.ops.review.carry_out import Answered, Waiting


def judge(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The undecided evidence, or the results of a verdict."""
    if _answers(asked.given):
        return _answered(memory.answer(**asked.given), asked)
    waits = memory.review()
    data = {"judge": [_question(each) for each in waits.judge], "notes": list(waits.notes)}
    return _listed(_pairs(waits, asked.screen), data, asked=asked)


def review(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The open questions, or the results of an answer."""
    given = asked.given
    whole, most = given.pop("all", False), given.pop("k", None)
    if whole and "verdict" in given:
        given["ids"] = _all(memory.review(), given.pop("kind"))
        if not given["ids"]:
            return VerbAnswer("no open questions", {"answers": [], "moved": [], "notes": [], "applied": False})
    if _answers(given):
        return _answered(memory.answer(**given, by_model=asked.agent), asked)
    waits = memory.review()
    counts, shown = waits.counts(), waits if whole else waits.first()
    shown = shown if most is None else shown.at_most(most)
    omitted = counts["inferred"] - len(shown.inferred)
    data: dict[str, Any] = {
        "inferred": [_proposal(each) for each in shown.inferred],
        "core": [wire.plain(each) for each in shown.core],
        "same": [_same(each) for each in shown.same],
        "names": [_named(each) for each in shown.names],
        "replaced": [_replaced(each) for each in shown.replaced],
        "changes": [_replaced(each) for each in shown.changes],
        "judge": [_question(each) for each in shown.judge],
        "notes": list(waits.notes),
    }
    if not asked.agent:
        data["counts"] = counts
        if omitted:
            data |= {"omitted": omitted} | ({"more": True} if waits.more else {})
    if asked.agent:
        del data["judge"]  # it has its own tool
    found = _listed(_waiting(shown, counts, asked.screen), data, asked=asked, omitted=omitted)
    asks = waits.inferred or waits.core or waits.same or waits.names or waits.replaced or waits.changes
    return found._replace(next=f"{HOW_TO_REVIEW}, or tick the boxes in bank/review.md" if asks else "")


def _all(waits: Waiting, kind: str | None) -> list[str]:
    """The ids of every question, or of those of one kind; what would replace a fact only if that kind is named."""
    kinds = (kind,) if kind else ("inferred", "core", "same", "names", "changes")
    return [each.id for name in kinds for each in getattr(waits, name)]


HOW_TO_REVIEW = (
    "commonplace review accept ID…, reject ID…, edit ID 'other words', or - to read answers from standard input"
)


def _answers(given: dict[str, Any]) -> bool:
    """Whether a call answers questions, and does not list them. Raises UsageError if it does half of both."""
    if bool(given.get("ids")) != ("verdict" in given):
        raise UsageError("ids and verdict go together", "leave out both to list open questions")
    if not given.get("ids") and set(given) - {"ids"}:
        raise UsageError("there is nothing to answer", "give ids and verdict; leave out all to list open questions")
    return "verdict" in given


def _answered(done: Answered, asked: VerbRequest) -> VerbAnswer:
    return VerbAnswer(_told(done, asked.screen), wire.plain(done), 1 if done.refused else 0)


def _listed(text: str, data: dict[str, Any], *, asked: VerbRequest, omitted: int = 0) -> VerbAnswer:
    """Lists of open questions; for a model as much of each as fits."""
    if not asked.agent:
        return VerbAnswer(text, data)
    from commonplace.doors.answers import brief_answers

    left = brief_answers.MOST_TOKENS - 100
    for name, items in data.items():
        slim = items if name == "notes" else [_slim(each) for each in items]
        kept = brief_answers.fitting(slim, left)
        omitted += len(slim) - kept
        data[name] = slim[:kept]
        left -= brief_answers.cost(slim[:kept])
    return VerbAnswer(brief_answers.cut(text), {**data, "omitted": omitted})


def _slim(item: dict[str, Any]) -> dict[str, Any]:
    """A question without the keys that only a program needs."""
    shown = {name: value for name, value in item.items() if name in ("id", "text", "reason", "source", "recorded")}
    if "fact" in item:
        stated, held = item["fact"], item["opinion"]
        shown |= {"fact": stated["content"], "fact_id": stated["id"], "source": stated["source"]}
        shown |= {"opinion": held["statement"], "opinion_id": held["id"]}
    return shown


def hear(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The result of each of many answers, as rows; the exit status is 1 if none could be parsed."""
    heard = memory.hear(**asked.given)
    done = {each.id: each for each in heard.answered.answers} if heard.answered else {}
    texts, rows = [], list[dict[str, Any]]()
    for line in heard.lines:
        if line.answer is None:
            where = f" {line.id}" if line.id else ""
            error = asked.screen.paint("red", "error")
            texts.append(f"{line.number}: {error}{where}: {asked.screen.safe(line.problem)}")
            rows.append({"line": line.number, "id": line.id, **wire.error(UsageError(line.problem, line.hint))})
        else:
            found = done[line.answer.id]
            texts.append(f"{line.number}: {_outcome(found, asked.screen)}")
            rows.append({"line": line.number, **found._asdict()})
    if heard.answered is not None:
        texts += _effects(heard.answered, asked.screen)
        rows.append(wire.plain(heard.answered._replace(answers=())))
    failed = heard.answered is None or heard.answered.refused
    return VerbAnswer("\n".join(texts), wire.plain(heard), 1 if failed else 0, rows=tuple(rows))


def undo_model(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """What became of the answers of models."""
    done = memory.undo_model(**dict(asked.given))
    how = "would be taken back" if asked.given.get("dry_run") else "taken back"
    told = [f"{how}: {counted(len(done.reopened), 'answer')}"] if done.reopened else []
    told += [asked.screen.safe(note) for note in done.notes]
    name = f"no model named {given}" if (given := asked.given.get("name")) else "no model"
    nothing = f"{asked.screen.safe(name)} has an answer that stands"
    return VerbAnswer("\n".join(told) or nothing, wire.plain(done))


def packet(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The questions for a strong model: as Markdown, and as data in the form of `review`."""
    found = memory.packet(**asked.given)
    inferred, same = [_proposal(each) for each in found.inferred], [_same(each) for each in found.same]
    data = wire.plain(found) | {"inferred": inferred, "same": same}
    data |= {"names": [_named(each) for each in found.names], "changes": [_replaced(each) for each in found.changes]}
    data |= {"how": found.how, "text": found.text}
    return VerbAnswer(found.text, data, whole=True)


def _question(asked: StanceQuestion) -> dict[str, Any]:
    """`{"id", "fact", "opinion": {"id", "statement", "confidence"}, "reason"}`."""
    shown: dict[str, Any] = wire.plain(asked)
    del shown["sides"]  # only the packet tells them
    return shown


def _same(each: Same) -> dict[str, Any]:
    return {"id": each.id, "text": each.text, "name": each.name, "alias": each.alias, "reason": _reason(each)}


def _named(each: PossibleName) -> dict[str, Any]:
    """`{"id", "text", "name", "kind", "days", "path", "recorded"}`."""
    shown: dict[str, Any] = wire.plain(each)
    del shown["key"]
    return {"id": each.id, "text": each.text, **shown}


def _replaced(each: Replaced | LineChange) -> dict[str, Any]:
    shown: dict[str, Any] = wire.plain(each)
    return {"id": each.id, "text": each.text, **shown}


def _reason(each: Same) -> str:
    return f"{each.reason}, {each.path}" if each.path else each.reason


def _proposal(each: Any) -> dict[str, Any]:
    shown: dict[str, Any] = wire.plain(each)
    return {"id": each.id, "text": each.text, **shown, "source": _place(each.source)}


def _place(source: Any) -> str:
    """A citation; the path alone if the line no longer exists."""
    return str(source) if source.line else str(source.path)


def _pairs(waits: Waiting, screen: Screen) -> str:
    lines = [line for each in waits.judge for line in _pair(each, screen)]
    lines += [screen.paint("yellow", screen.safe(note)) for note in waits.notes]
    return "\n".join(lines) or "no open questions"


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


def _waiting(waits: Waiting, counts: Mapping[str, int], screen: Screen) -> str:
    """The open questions by group, each with a heading, and how many more there are."""
    no_longer: list[Replaced | LineChange] = [*waits.replaced, *waits.changes]
    groups: list[tuple[str, tuple[str, ...], Sequence[str]]] = [
        (
            "Inferred",
            ("inferred",),
            [
                f"{screen.paint('bold', f'^{each.id}')} {screen.said(each.text)} "
                f"({each.recorded or 'undated'}, {screen.place(_place(each.source))}{_added(each, screen)})"
                for each in waits.inferred
            ],
        ),
        (
            "Core",
            ("core",),
            [f"{screen.paint('bold', f'^{each.id}')} {screen.said(each.text)} ({_why(each)})" for each in waits.core],
        ),
        (
            "Same entity?",
            ("same",),
            [
                f"{screen.paint('bold', f'^{each.id}')} {screen.said(each.text)} ({screen.safe(_reason(each))})"
                for each in waits.same
            ],
        ),
        (
            "Who or what?",
            ("names",),
            [
                f"{screen.paint('bold', f'^{each.id}')} {screen.said(each.text)} "
                f"(on {each.days} days, last {each.recorded or 'undated'}, {screen.place(each.path)})"
                for each in waits.names
            ],
        ),
        (
            "Replaced?",
            ("replaced", "changes"),
            [
                f"{screen.paint('bold', f'^{each.id}')} {screen.said(each.text)} "
                f"({each.newer.recorded or 'undated'}, {screen.place(each.newer.source)})"
                for each in no_longer
            ],
        ),
        ("Judge", ("judge",), [line for each in waits.judge for line in _pair(each, screen)]),
    ]
    parts = []
    for name, kinds, lines in groups:
        how = "--all" if kinds == ("inferred",) else "without --k"
        left = sum(counts[kind] - len(getattr(waits, kind)) for kind in kinds)
        more = [f"{left} more wait: commonplace review {how} lists them"] if left else []
        if lines:
            parts.append("\n".join([screen.paint("bold", name), *lines, *more]))
    parts += [screen.paint("yellow", screen.safe(note)) for note in waits.notes]
    return "\n\n".join(parts) or "no open questions"


def _added(each: Proposal, screen: Screen) -> str:
    return f", added by {screen.safe(each.by)}" if each.by else ""


def _why(each: Any) -> str:
    if each.confidence is not None:
        return f"{each.confidence:.2f}, bank/opinions.md#{each.anchor}"
    return f"on {1 + len(each.also)} days, {each.path}"


def _told(done: Answered, screen: Screen) -> str:
    return "\n".join([*(_outcome(each, screen) for each in done.answers), *_effects(done, screen)])


def _outcome(done: AnswerOutcome, screen: Screen) -> str:
    """`for, no longer against ^j-9w2e1 “…”`."""
    was = f", no longer {done.was}" if done.was else ""
    style = "green" if done.outcome == "done" else "yellow"
    told = "" if done.outcome == "done" else f" ({done.outcome})"
    why = f"\n  no effect: {screen.safe(done.why)}" if done.why else ""
    return f"{screen.paint(style, done.verdict + was)}{told} ^{done.id} {screen.said(done.text)}{why}"


def _effects(done: Answered, screen: Screen) -> list[str]:
    """The effects of answers: changed confidences, and notes."""
    moved = [f"  ^{each.id} {each.before:.2f} → {each.after:.2f} {screen.said(each.statement)}" for each in done.moved]
    return [*moved, *(f"  {screen.safe(note)}" for note in done.notes)]
