"""Verbs that reflect: pages, open questions, answers, and undo."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, TypeVar

from commonplace.core import argument_values
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date

    from commonplace.core.model import Reflection
    from commonplace.core.review.packet import Packet
    from commonplace.memory import Memory
    from commonplace.ops.review.carry_out import Act, Answered, Heard, Waiting
    from commonplace.ops.review.undo_model import ModelUndone
    from commonplace.store.sqlite import Index
    from commonplace.store.transactions.change_sets import UndoableChange, Undone
    from commonplace.store.workspace import Workspace

T = TypeVar("T")
_LEAST_PACKET = 1_000
"""Tokens: the instructions alone take about half of it."""


def reflect(
    memory: Memory,
    *,
    since: str | date | None = None,
    dry_run: bool = False,
    yes: bool = False,
    commit: bool | None = None,
) -> Reflection:
    """Renew entity pages, opinions, world, experience and review from the facts; what changed.

    Args:
        since: renew only pages of entities that facts of this day or later name. `last` renews every page, and
            reads narrative for proposals from where the last reflect stopped.
    """
    last = isinstance(since, str) and since.strip().casefold() == "last"
    day = None if since is None or last else argument_values.first_day(since, memory.today)
    from commonplace.ops.beliefs.change_check import ReflectRequest, read_to, settled
    from commonplace.ops.beliefs.file_texts import FileTexts
    from commonplace.ops.beliefs.unreadable import notes, unread

    def work() -> Reflection:
        memory._access.stale = False
        workspace = memory.workspace if dry_run else memory._writes()
        index = memory._access.fresh()
        asked = ReflectRequest(memory.today, day, yes, read_to(index) if last else None)
        done = None if memory._access.stale else settled(index, FileTexts(workspace), asked=asked)
        missed = unread(index)
        if done is None:
            from commonplace.ops.reflect.reflect import reflect

            fresh = memory._access.fresh
            done = reflect(index, workspace, asked, dry_run=dry_run, sync=fresh, progress=memory.progress)
        told = tuple(each for each in missed if each not in done.unread)
        said = notes(each for each in told if each.path not in done.waits)
        return done._replace(unread=(*done.unread, *told), notes=(*done.notes, *said))

    if dry_run:
        return memory._access.mended(work)
    with memory.workspace.reflecting():
        return _committed(memory, memory._access.mended(work), wanted=commit)


def _committed(memory: Memory, done: Reflection, *, wanted: bool | None = None) -> Reflection:
    """The reflection, after committing its files to git if wanted (None: if the settings say so)."""
    if not done.applied or not (memory.settings.commit if wanted is None else wanted):
        return done
    from commonplace.store.git import commit

    note = commit(memory.root, [patch.path for patch in done.patches], day=memory._given_today)
    return done._replace(notes=(*done.notes, note))


def review(memory: Memory) -> Waiting:
    """The open questions: inferred facts, lines for the core, pairs of entities, evidence."""
    from commonplace.ops.review.carry_out import waiting

    today, told = memory.today, memory.progress
    return memory._access.reads(lambda index: waiting(index, memory.workspace, today=today, progress=told))


def answer(
    memory: Memory,
    ids: Iterable[str],
    verdict: str,
    *,
    text: str = "",
    fact: str = "",
    dry_run: bool = False,
    by_model: bool = False,
) -> Answered:
    """Answer open questions, record it in bank/review.md, and apply it at once: all or nothing.

    Args:
        ids: of questions, as `review` lists them; with `fact` the id of one opinion.
        verdict: `accept` or `reject`; of evidence `for`, `against` or `neither`.
        text: other words in which it is accepted.
        fact: the id or citation of a fact that is to count for or against an opinion, asked or not.
        dry_run: only say what would be done.
        by_model: a model answers, not a person: what somebody else would replace is refused.
    """
    from commonplace.core.review.review_answers import ONLY_A_PERSON, WORDS, Answer, for_a_person
    from commonplace.ops.review.carry_out import answer

    said = WORDS.get(verdict)
    if said is None:
        raise UsageError(f"unknown verdict {verdict!r}", f"verdicts: {', '.join(WORDS)}")
    answers = [Answer(id.strip().lstrip("^"), said, text, fact) for id in ids]
    if by_model and any(for_a_person(each.id) for each in answers):
        raise UsageError(ONLY_A_PERSON, "ask them to tick the box in bank/review.md, or to use the command line")
    return _answering(memory, lambda index, files, act: answer(index, files, answers, act), dry_run=dry_run)


def hear(memory: Memory, text: str, *, by: str = "", dry_run: bool = False) -> Heard:
    """Parse answers, one a line, and apply the valid ones, as `reflect --packet` asks for them.

    Args:
        by: the model that gave them, `model:qwen3:8b`: each is marked with it, and what a person decided stands. Empty:
            whoever is asked to answer in the place of a person.
    """
    from commonplace.core.review.review_page import is_decider
    from commonplace.ops.review.carry_out import hear

    if by and not is_decider(by):
        raise UsageError(f"{by!r} names no model", "by is model: and a name in one word: model:qwen3:8b")
    return _answering(memory, lambda index, files, act: hear(index, files, text=text, act=act, by=by), dry_run=dry_run)


def _answering(memory: Memory, work: Callable[[Index, Workspace, Act], T], *, dry_run: bool) -> T:
    """Apply answers: all of them are written, or none."""
    from commonplace.ops.review.carry_out import Act

    retains = memory.settings.model.decide_retain
    act = Act(memory.today, dry_run, memory._access.fresh, lambda done: _committed(memory, done), retains)

    def once() -> T:
        workspace = memory.workspace if dry_run else memory._writes()
        return work(memory._access.fresh(), workspace, act)

    with nullcontext() if dry_run else memory.workspace.reflecting():
        return memory._access.mended(once)


def packet(memory: Memory, *, since: str | date | None = None, budget: int = 4000) -> Packet:
    """Questions for a strong model, within a token budget; its answers go to `hear`.

    Args:
        since: facts recorded from this day on are told; `last`, and None: since the last reflect.
    """
    from commonplace.ops.beliefs.change_check import read_to
    from commonplace.ops.review.gather_packet import packet

    if budget < _LEAST_PACKET:
        raise UsageError(f"a packet needs more than {budget} tokens", f"give at least {_LEAST_PACKET:,}")
    last = since is None or since == "last"
    day = None if since is None or since == "last" else argument_values.first_day(since, memory.today)

    def work() -> Packet:
        index = memory._access.fresh()
        from_day = read_to(index) if last else day
        return packet(index, memory.workspace, today=memory.today, since=from_day, budget=budget)

    return memory._access.mended(work)


def undo_model(memory: Memory, name: str = "", *, dry_run: bool = False) -> ModelUndone:
    """Take back what models answered, whenever that was: the questions wait again, facts are retracted.

    Args:
        name: of one model: `qwen3:8b`; empty: of all.
        dry_run: only say what would be done.
    """
    from commonplace.ops.review.undo_model import undo_model

    return _answering(
        memory, lambda index, files, act: undo_model(index, files, name=name.strip(), act=act), dry_run=dry_run
    )


def changes(memory: Memory) -> tuple[UndoableChange, ...]:
    """What `undo` can take back, newest first: reflects, answers, merges, deletions."""
    from commonplace.store.transactions.change_sets import UndoableChange

    there = reversed(memory.workspace.done())
    return tuple(UndoableChange(str(each.id), each.label, each.day, each.paths) for each in there)


def undo(memory: Memory, change: str = "") -> tuple[Undone, ...]:
    """Undo the last change, file by file, except for files edited since; a merge as a whole or not at all.

    Answers go with what followed from them. What logs gained stays there: their rows say how to retract it.

    Args:
        change: the id of another one, as `changes` lists them.
    """
    from commonplace.core.markdown.bank_layout import REVIEW
    from commonplace.ops.beliefs.change_check import note_unread
    from commonplace.ops.beliefs.file_texts import FileTexts
    from commonplace.ops.reflect.undo import left_behind
    from commonplace.store.transactions.change_sets import Undone

    with memory.workspace.reflecting():
        before = FileTexts(memory._writes()).text(REVIEW)
        done = {each.path: each.outcome for each in memory.workspace.undo(_id(change))}

        def work() -> dict[str, str]:
            index = memory._access.fresh(told=False)
            note_unread(index)
            return left_behind(index, before, after=FileTexts(memory.workspace).text(REVIEW)) if REVIEW in done else {}

        for path, why in memory._access.mended(work).items():
            done[path] = f"{done[path]}; {why}" if path in done else why
    return tuple(Undone(path, outcome) for path, outcome in done.items())


def _id(change: str) -> int | None:
    if not change:
        return None
    if not (change.isascii() and change.isdecimal()):
        raise UsageError(f"{change!r} is no id of a change", "commonplace reflect --undoable lists them")
    return int(change)
