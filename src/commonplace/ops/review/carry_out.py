"""Review: lists open questions, and carries out answers to them.

An answer is written into bank/review.md as a person would tick it, and carried out by a reflect in one set of changes:
all or nothing, undone by one undo. Accepted facts are written to their logs before, because logs only grow: if the work
is interrupted there, the same answer again retains nothing twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.markdown.bank_layout import OPINIONS, REVIEW
from commonplace.core.opinions.opinion_entry import entries
from commonplace.core.review import review_answers as core_answers
from commonplace.core.review import review_page
from commonplace.errors import CommonplaceError, UsageError
from commonplace.ops.beliefs.believe import answered, gather
from commonplace.ops.beliefs.change_check import ReflectRequest
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.reflect.accept import stands_decided
from commonplace.ops.reflect.propose import harmless, open_questions, stance_question
from commonplace.ops.reflect.reflect import reflect
from commonplace.ops.reflect.reflect_plan import Answering
from commonplace.ops.review.answerable import Answerable, AnswerOutcome, refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date

    from commonplace.core.entities.resolution import Same
    from commonplace.core.extract.infer import Proposal
    from commonplace.core.memo import Progress
    from commonplace.core.model import Reflection
    from commonplace.core.opinions.opinion_entry import Entry
    from commonplace.core.pages.core_proposals import CoreProposal
    from commonplace.core.review.line_changes import LineChange
    from commonplace.core.review.packet import StanceQuestion
    from commonplace.core.review.possible_names import PossibleName
    from commonplace.core.review.replacements import Replaced
    from commonplace.core.review.review_answers import Answer, AnswerLine
    from commonplace.ops.beliefs.believe import Gathered
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace


_KINDS = ("inferred", "core", "same", "names", "replaced", "changes", "judge")
"""Of questions: the fields of `Waiting`."""


class Waiting(NamedTuple):
    """Everything that waits."""

    inferred: tuple[Proposal, ...]
    """Newest first."""
    core: tuple[CoreProposal, ...]
    same: tuple[Same, ...]
    """Entities that may be one."""
    names: tuple[PossibleName, ...]
    """What may be a name, what most days use first."""
    replaced: tuple[Replaced, ...]
    """Facts that are superseded according to outsiders, newest first."""
    changes: tuple[LineChange, ...]
    """Lines that newer ones may replace, those worth most first."""
    judge: tuple[StanceQuestion, ...]
    """Newest first."""
    notes: tuple[str, ...]
    """Notes that the core is full, or that the review page cannot be written."""
    more: bool = False
    """Whether more were inferred than may wait: others follow when these are decided."""

    def first(self) -> Waiting:
        """Return it with only the inferred facts that the review page lists."""
        return self._replace(inferred=tuple(review_page.listed(self.inferred)))

    def counts(self) -> dict[str, int]:
        """Return by kind how many wait."""
        return {kind: len(getattr(self, kind)) for kind in _KINDS}

    def at_most(self, most: int) -> Waiting:
        """Return it with so many questions of each kind, those that come first."""
        return self._replace(**{kind: getattr(self, kind)[:most] for kind in _KINDS})


class Moved(NamedTuple):
    """An opinion whose confidence changed by an answer."""

    id: str
    statement: str
    before: float
    after: float


class Answered(NamedTuple):
    """The results of answers."""

    answers: tuple[AnswerOutcome, ...]
    moved: tuple[Moved, ...]
    notes: tuple[str, ...]
    applied: bool
    """False for a preview."""
    refused: bool = False
    """Whether something accepted could not be retained or merged; the notes say why."""


def waiting(index: Index, workspace: Workspace, *, today: date, progress: Progress | None = None) -> Waiting:
    """Return what waits, whether or not a reflect has listed it yet.

    Args:
        progress: as of `gather`.
    """
    got = gather(index, FileTexts(workspace), today=today, progress=progress)
    text = got.texts.text(REVIEW)
    waits = open_questions(index, got, text=text)
    held = {entry.id: entry for entry in got.formed.entries}
    pairs = tuple(
        stance_question(pair, held.get(pair.opinion_id))
        for pair in harmless(got, waits.pairs, line=review_page.pair_text)
    )
    wrong = refusal(index, got.texts, text=text)
    notes = [waits.full, f"{wrong.message}: {wrong.hint}" if wrong else ""]
    return Waiting(
        tuple(waits.inferred),
        tuple(waits.core),
        tuple(waits.same),
        tuple(waits.names),
        tuple(waits.replaced),
        tuple(waits.changes),
        pairs,
        tuple(filter(None, notes)),
        more=waits.more,
    )


class Act(NamedTuple):
    """How answers are carried out."""

    today: date
    dry_run: bool
    """Whether it is only a preview."""
    sync: Callable[[], Index]
    """Brings the index up to date with the files."""
    commit: Callable[[Reflection], Reflection]
    """Commits what was written to git, if wanted, and adds a note."""
    retains_added: bool = False
    """Whether a fact that a model adds is retained at once."""


def answer(index: Index, workspace: Workspace, given: Sequence[Answer], act: Act) -> Answered:
    """Write answers into the review page and carry them out, all of them or none.

    Args:
        given: one per question; a verdict on evidence may name opinion and fact in place of the question.

    Raises NotFound for a question that does not wait, UsageError for a verdict that does not fit, WorkspaceError or
    Busy if the page cannot be written; nothing was written then.
    """
    asked = Answerable(index, workspace, act.today)
    answers: dict[str, Answer] = {}
    for each in map(asked.resolved, given):
        if answers.setdefault(each.id, each) != each:
            raise UsageError(f"^{each.id} has two different answers", "give one answer")
    return _act(asked, answers, act=act)


class Heard(NamedTuple):
    """The result of a list of answers."""

    lines: tuple[AnswerLine, ...]
    """Each with its answer, or the reason why there is none."""
    answered: Answered | None
    """None if no line was valid."""


def hear(index: Index, workspace: Workspace, *, text: str, act: Act, by: str = "") -> Heard:
    """Parse a list of answers and carry out the valid ones together; an invalid line does not affect the others.

    Models write such lists, so questions that only a person may answer are refused.

    Args:
        by: the model that gave them, `model:qwen3:8b`; each answer is marked with it, and what a person decided stands.

    Raises WorkspaceError or Busy if the page cannot be written; nothing was written then.
    """
    asked = Answerable(index, workspace, act.today)
    answers: dict[str, Answer] = {}
    lines: list[AnswerLine] = []
    for line in core_answers.read_answers(text):
        told = line
        if line.answer is not None:
            try:
                given = line.answer._replace(by=f"{by} {act.today}" if by else "")
                if given.verdict == core_answers.ADDED:
                    found = asked.added(given, at_once=not by or act.retains_added)
                else:
                    asked.may_be_answered(given)
                    found = asked.resolved(given)
            except CommonplaceError as error:
                told = line._replace(answer=None, problem=error.message, hint=error.hint)
            else:
                told = line._replace(id=found.id, answer=found)
                answers[found.id] = found
        lines.append(told)
    done = _act(asked, answers, act=act) if answers else None
    return Heard(tuple(lines), done)


def _act(asked: Answerable, answers: Mapping[str, Answer], *, act: Act) -> Answered:
    workspace, got = asked.workspace, asked.got
    late: set[str] = set()  # of a model's answers: what a person decided meanwhile

    def marked(now: str) -> str:
        if now and (refused := refusal(asked.index, FileTexts(workspace), text=now)) is not None:
            raise refused
        persons = {each.id for each in review_page.decisions(now) if not each.by}
        late.clear()
        late.update(
            id for id, each in answers.items() if each.by and (id in persons or review_page.changed_by_hand(now, id))
        )
        mine = {id: each for id, each in answers.items() if id not in late}
        return core_answers.marked(now or "# Review\n", mine, lines=asked.lines)

    if act.dry_run:
        then = {entry.id: entry for entry in answered(got, marked(asked.text), today=act.today).formed.entries}
        outcomes = dict.fromkeys(answers, "would be done")
        notes: list[str] = []
        refused = False
    else:
        said = act.commit(
            reflect(
                asked.index,
                workspace,
                ReflectRequest(act.today, None, False),
                sync=act.sync,
                answering=Answering(marked, got, asked.waits.found),
            )
        )
        texts = FileTexts(workspace)
        text = texts.page(REVIEW).text
        acted = {each.id for each in review_page.decisions(text) if stands_decided(text, each)}
        outcomes = {id: "done" if id in acted - late else "waits" for id in answers}
        then = {entry.id: entry for entry in entries(OPINIONS, texts.text(OPINIONS))}
        refused = said.refused
        notes = [*said.notes, *(f"^{id}: a person decided it" for id in sorted(late))]
        notes += ["the pages are not renewed yet: commonplace reflect --yes"] * said.needs_yes
    told = tuple(asked.done(each, outcomes[each.id], then) for each in answers.values())
    return Answered(told, _moved(got, then), (*notes, *asked.stays(told)), not act.dry_run, refused)


def _moved(got: Gathered, then: Mapping[str, Entry]) -> tuple[Moved, ...]:
    """Return the opinions whose confidence differs from that without the answers."""
    return tuple(
        Moved(entry.id, entry.statement, entry.confidence or 0, then[entry.id].confidence or 0)
        for entry in got.formed.entries
        if entry.id in then and then[entry.id].confidence != entry.confidence
    )
