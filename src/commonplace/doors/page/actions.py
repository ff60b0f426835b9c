"""What a person does on the page: each a form that is sent, answered with what to show next.

A form may have been open for long. What it decides is shown again before it is applied, and applied to what the files
hold then: an answer to a question that is no longer open says so, and changes nothing.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.doors.page.decision_views import ANSWERS
from commonplace.doors.page.jobs import Job
from commonplace.doors.page.page_view import View
from commonplace.doors.page.state_views import KINDS_OF_QUESTIONS, REVIEW
from commonplace.doors.page.statement_row import at, plain, proposed, seen
from commonplace.errors import ChangedUnderneath, CommonplaceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from commonplace.doors.page.lanes import PageDesk, Snapshot

_ONLY_A_PERSON = "r-"
"""Ids of questions that a list of answers may not decide, as models write such lists."""
_MOST = 200
"""Answers of one form."""


def decided(form: Mapping[str, str]) -> list[dict[str, str]]:
    """The answers of a review form: fields `v-ID` with a verdict, and `t-ID` with the words of an edited proposal."""
    answers = []
    for name, verdict in form.items():
        if not name.startswith("v-") or not verdict:
            continue
        id = name.removeprefix("v-")
        answer = {"id": id, "verdict": verdict}
        words = " ".join(form.get(f"t-{id}", "").split())  # one line: a second would be another answer
        if verdict == "accept" and words and words != " ".join(form.get(f"o-{id}", "").split()):
            answer["text"] = words
        answers.append(answer)
    if len(answers) > _MOST:
        raise UsageError(f"{len(answers)} answers are too many at once", f"apply {_MOST} at a time")
    return answers


async def answer(desk: PageDesk, answers: list[dict[str, str]], *, dry_run: bool) -> dict[str, Any]:
    """The result of answers, or what it would be: outcomes, moved opinions and notes together."""
    listed = [each for each in answers if not each["id"].startswith(_ONLY_A_PERSON)]
    told: dict[str, Any] = {"answers": [], "moved": [], "notes": [], "problems": []}
    if listed:
        text = "\n".join(json.dumps(each, ensure_ascii=True) for each in listed)
        heard = await desk.work("hear", text=text, dry_run=dry_run)
        wrong = (line for line in heard["lines"] if line["problem"])
        told["problems"] += [{"id": line["id"], "said": line["problem"], "hint": line["hint"]} for line in wrong]
        _add(told, heard["answered"])
    for each in answers:
        if each["id"].startswith(_ONLY_A_PERSON):
            _add(told, await desk.work("review", ids=[each["id"]], verdict=each["verdict"], dry_run=dry_run))
    return told


def _add(told: dict[str, Any], answered: dict[str, Any] | None) -> None:
    for name in ("answers", "moved", "notes"):
        told[name] += (answered or {}).get(name, ())


async def preview(desk: PageDesk, answers: list[dict[str, str]]) -> View:
    """What answers would do, before anything is written."""
    asked = _asked(await desk.snapshot(REVIEW[0], **REVIEW[1]))
    told = await answer(desk, answers, dry_run=True)
    told["problems"] += [_stands(each) for each in told["answers"] if each["was"]]
    told["answers"] = [each for each in told["answers"] if not each["was"]]
    told = _shown(told, asked)
    for each in told["answers"]:
        each["effect"] = _effect(each, asked.get(each["id"], _UNKNOWN).path)
    return View("decided.html", "Apply?", {"told": told, "answers": json.dumps(answers), "applied": False}, "review")


class _Asked(NamedTuple):
    """An open question."""

    text: str
    source: str
    """Where it comes from; empty where that is no line."""

    @property
    def path(self) -> str:
        """The file that it comes from."""
        return self.source.partition("#")[0]


_UNKNOWN = _Asked("", "")


def _asked(waits: Snapshot | None) -> dict[str, _Asked]:
    """The open questions, as far as they are known: id -> question."""
    listed = (each for kind in KINDS_OF_QUESTIONS for each in (waits.data.get(kind) if waits else None) or ())
    return {
        each["id"]: _Asked(
            each.get("text") or each["fact"]["content"],
            str(each.get("source") or each.get("path") or (each.get("fact") or {}).get("source") or ""),
        )
        for each in listed
    }


_EFFECTS = {
    ("i", "accepted"): "becomes a fact in {path}, and stays there: logs only grow",
    ("i", "rejected"): "is not proposed again",
    ("e", "accepted"): "gets a page of its own",
    ("e", "rejected"): "is not taken for a name",
    ("a", "accepted"): "become one, on one page",
    ("a", "rejected"): "stay two",
    ("c", "accepted"): "is added to the core, which every turn of the agent sees",
    ("c", "rejected"): "is not offered again",
    ("l", "accepted"): "the older line is shown as outdated",
    ("l", "rejected"): "both lines hold",
    ("r", "accepted"): "your fact is replaced by what somebody else said",
    ("r", "rejected"): "your fact stands",
}
"""By the first letter of an id and the verdict: what an answer does."""


_KINDS = {"i": "inferred", "e": "names", "a": "same", "c": "core", "l": "changes", "r": "replaced"}
"""First letter of an id -> kind of question."""


def _label(told: Mapping[str, str]) -> str:
    """An answer as the button says it that gave it."""
    yes, no = ANSWERS.get(_KINDS.get(told["id"][:1], ""), ("Accept", "Reject"))
    return {"accepted": yes, "rejected": no}.get(told["verdict"], told["verdict"].capitalize())


_LONGEST_HEAD = 14
"""Characters of a word that a note begins with, as `retained: …`."""


def _note(note: str) -> tuple[str, str]:
    """A note as a person reads it: what was done, and with what."""
    shown = seen(note, 300)
    head, _, rest = shown.partition(": ")
    return (head, proposed(rest)) if rest and len(head) < _LONGEST_HEAD else ("", shown)


def _effect(told: Mapping[str, str], path: str) -> str:
    return _EFFECTS.get((told["id"][:1], told["verdict"]), "").format(path=seen(path, 120) or "its log")


async def apply(desk: PageDesk, form: Mapping[str, str]) -> tuple[View, Done]:
    """Apply the answers that a preview has shown; and what an undo has to take back."""
    try:
        answers = [{str(key): str(value) for key, value in each.items()} for each in json.loads(form["answers"])]
        if not all(each["id"] and each["verdict"] for each in answers):
            raise ValueError
    except (KeyError, ValueError, AttributeError, TypeError, RecursionError):
        raise UsageError("the form has no answers", "go back to the review") from None
    asked = _asked(desk.at_hand(*REVIEW))
    before = await _undoable(desk)
    already = [each for each in (await answer(desk, answers, dry_run=True))["answers"] if each["was"]]
    answers = [each for each in answers if each["id"] not in {one["id"] for one in already}]
    told = await answer(desk, answers, dry_run=False)
    told["problems"] += [_stands(each) for each in already]
    desk.note_change()
    done = [each for each in told["answers"] if each["outcome"] == "done"]
    counted = f"{len(done)} answer" + ("s" if len(done) != 1 else "")
    written = await _since(desk, before)
    shown = {"told": _shown(told, asked), "answers": "", "applied": True}
    shown["written"] = sorted({seen(path, 200) for paths in written.values() for path in paths})
    return View("decided.html", "Applied", shown, "review"), Done(counted, tuple(written))


def _stands(told: Mapping[str, str]) -> dict[str, str]:
    """The problem of an answer that came too late."""
    said = f"it was answered before: {told['was']}; that stands"
    return {"id": told["id"], "text": told["text"], "said": said, "hint": ""}


async def _undoable(desk: PageDesk) -> dict[str, list[str]]:
    """The ids of what `undo` can take back, newest first, with the files of each."""
    return {each["id"]: each["paths"] for each in (await desk.work("changes"))["changes"]}


async def _since(desk: PageDesk, before: Collection[str]) -> dict[str, list[str]]:
    """Those of what was changed meanwhile."""
    return {id: paths for id, paths in (await _undoable(desk)).items() if id not in before}


class Done(NamedTuple):
    """Something that a person did on this page."""

    what: str
    """`5 answers`."""
    changes: tuple[str, ...]
    """Ids of what `undo` has to take back for it, newest first."""
    line: tuple[str, str, str] | None = None
    """A line that was set by hand: its path, what was written, what stood there."""


def _shown(told: dict[str, Any], asked: Mapping[str, _Asked]) -> dict[str, Any]:
    """The result with its texts made safe to show; what is not written names its question."""
    return {
        "answers": [
            {**each, "text": seen(proposed(each["text"]), 300), "why": seen(each["why"], 200), "label": _label(each)}
            for each in told["answers"]
        ],
        "moved": [{**each, "statement": seen(each["statement"], 300)} for each in told["moved"]],
        "notes": [_note(note) for note in told["notes"]],
        "problems": [_problem(each, asked.get(each["id"], _UNKNOWN)) for each in told["problems"]],
    }


def _problem(told: Mapping[str, str], question: _Asked) -> dict[str, str]:
    return {
        "text": seen(proposed(told.get("text") or question.text or f"^{told['id']}"), 300),
        "href": at(question.source) if "#L" in question.source else "",
        "said": seen(told["said"], 300),
        "hint": seen(told["hint"], 300),
    }


async def undo(desk: PageDesk, done: Done) -> View:
    """Take back what was done last on this page; a change that somebody made since stays, and is named."""
    outcomes: dict[str, str] = {}
    for id in done.changes:
        outcomes |= (await desk.work("undo", change=id))["undone"]
    if done.line is not None:
        path, new, old = done.line
        try:
            await desk.work("replace", path=path, old=new, new=old)
            outcomes[path] = "restored"
        except CommonplaceError as error:
            outcomes[path] = f"left; {error.message}"
    desk.note_change()
    rows = [_outcome(path, outcome) for path, outcome in outcomes.items()]
    kept = [id for outcome in outcomes.values() for id in _KEPT.findall(outcome)]
    return View("undone.html", "Undone", {"what": done.what, "rows": rows, "kept": kept}, "review")


_KEPT = re.compile(r"commonplace retract ([\w-]+)")
_AGAIN = re.compile(r"(?:; )?\^?[\w-]+ (?:keeps its page|is still merged): --undo again [^;]*")
"""What `undo` says that a loop over its changes has done already."""


def _outcome(path: str, outcome: str) -> tuple[str, str, str]:
    """A path, a word, and what else there is to say."""
    word, _, more = _AGAIN.sub("", outcome).partition(";")
    if word.startswith("keeps"):
        return seen(path, 200), "kept", "the facts that you accepted: logs only grow"
    return seen(path, 200), seen(word, 40), seen(more.strip(), 300)


async def retract(desk: PageDesk, form: Mapping[str, str]) -> str:
    """Mark facts as no longer true, whose acceptance was taken back; the address to go on at."""
    for id in form.get("ids", "").split()[:_MOST]:
        await desk.work("retract", target=id, reason="the answer was taken back")
    desk.note_change()
    return "review"


_CONFIDENCE = re.compile(r"\(c=[0-9.]+\)")
"""As `bank/opinions.md` writes it (docs/format.md)."""


async def set_by_hand(desk: PageDesk, id: str, form: Mapping[str, str]) -> Done:
    """Set the confidence of an opinion in its own line, as a person would in an editor.

    Raises ChangedUnderneath where somebody else wrote the page after this one was loaded.
    """
    try:
        wanted = float(form.get("confidence", "").replace(",", "."))
    except ValueError:
        wanted = -1.0
    if not 0 < wanted < 1:
        raise UsageError("a confidence is a number between 0 and 1", "for example 0.8")
    path, _, line = form.get("source", "").partition("#L")
    read = await desk.read("get", target=f"{path}#L{line}-L{line}")
    old = read["text"].removesuffix("\n")
    if not old.endswith(f"^{id}") or len(_CONFIDENCE.findall(old)) != 1:
        raise ChangedUnderneath("the opinion does not stand in that line any more", "load the page anew")
    new = _CONFIDENCE.sub(f"(c={wanted:.2f})", old)
    await desk.work("replace", path=path, old=old, new=new, digest=read["digest"])
    desk.note_change()
    held = desk.at_hand("opinions", {"history": True})
    said = {each["id"]: each["statement"] for each in held.data["opinions"]} if held else {}
    return Done(f"the {wanted:.2f} of “{seen(plain(said.get(id, id)), 40)}”", (), (path, new, old))


async def reflecting(desk: PageDesk, done: Callable[[Done], None]) -> Job:
    """A reflect, started: the person has seen its differences. `done` is told what it wrote."""
    before = await _undoable(desk)

    async def ended(result: Mapping[str, Any]) -> None:
        if count := len(result["patches"]) if result["applied"] else 0:
            done(Done(f"the reflect of {count} page" + ("s" if count != 1 else ""), tuple(await _since(desk, before))))

    return Job(desk, "Reflecting", "reflect", ended=ended, yes=True)


async def merge(desk: PageDesk, form: Mapping[str, str]) -> Done:
    """Make two names one entity."""
    into, other = form.get("into", ""), form.get("other", "")
    before = await _undoable(desk)
    await desk.work("merge", into=into, other=other)
    desk.note_change()
    return Done(f"the merge of {seen(other, 40)} into {seen(into, 40)}", tuple(await _since(desk, before)))
