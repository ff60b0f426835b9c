"""Reflect: facts -> patches of the bank; applied all together, or only shown.

Laws: logs only get facts that a person accepted in the review page, and so does the core; reflecting twice changes
nothing; nothing that we wrote is evidence; a page that cannot be renewed safely is left alone, and the review page says
so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.markdown.bank_layout import REVIEW
from commonplace.core.model import Reflection
from commonplace.errors import ChangedUnderneath, CommonplaceError, WorkspaceError
from commonplace.ops.beliefs.change_check import ReflectRequest, note_read_to, settle, what_is_read
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.beliefs.redact import note_harmless
from commonplace.ops.beliefs.unreadable import held_back, left_all
from commonplace.ops.reflect.accept import join_accepted, name_accepted, retain_accepted
from commonplace.ops.reflect.propose import recent
from commonplace.ops.reflect.reflect_plan import plan_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from commonplace.core.model import Unread
    from commonplace.ops.reflect.accept import Acted
    from commonplace.ops.reflect.reflect_plan import Answering, ReflectPlan
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace

_ATTEMPTS = 3
"""Maximum plans, if somebody saves a page meanwhile."""


def reflect(
    index: Index,
    workspace: Workspace,
    asked: ReflectRequest,
    *,
    dry_run: bool = False,
    sync: Callable[[], Index] | None = None,
    answering: Answering | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Reflection:
    """Renew opinions, entity pages, world, experience and review from the facts.

    Args:
        asked: with `since` only pages of entities named by facts of this day or later are renewed, from all their
            facts; with `yes` also pages that people made, and pages that would shrink.
        sync: brings the index up to date with the files; without it accepted facts wait.
        answering: answers to write first.
        progress: as of `plan_pages`, the last time before anything is written.

    Raises what `Workspace.apply` raises; then nothing but accepted facts was written.
    """
    texts = FileTexts(workspace) if answering is None else answering.got.texts
    before = what_is_read(index, texts)
    plan = None
    if missed := held_back(index, texts):
        return _nothing_changed(missed, answering)
    if answering is None:
        plan = plan_pages(index, texts, asked=asked, progress=progress)
        if plan.unmarked or dry_run:
            return plan.reflection(applied=False)
    acted: list[Acted] = []
    if sync is not None:
        acted, index = _act(index, texts, asked=asked, sync=sync, answering=answering)
        texts = FileTexts(workspace) if acted else texts
        before = what_is_read(index, texts) if acted else before
    try:
        if acted or plan is None:
            plan = plan_pages(index, texts, asked=asked, answering=answering)
        plan = _applied(index, workspace, plan=plan, asked=asked, answering=answering)
    except CommonplaceError as error:
        if done := [each.note for each in acted if each.done]:
            error.although(f"already done, and not repeated: {'; '.join(done)}")
        raise
    if sync is not None:
        index = sync() if plan.patches else index
        if REVIEW not in (*plan.left, *plan.held):
            note_read_to(index, asked.today)
        if all(each.done for each in acted):  # else the next reflect tries again
            _settle(index, FileTexts(workspace), plan=plan, asked=asked, before=before)
    return plan.reflection(applied=bool(plan.patches), acted=acted)


def _settle(
    index: Index, texts: FileTexts, *, plan: ReflectPlan, asked: ReflectRequest, before: Mapping[str, str]
) -> None:
    """Note that nothing is left to do, if so, and which of the pages just written contain no secret."""
    if plan.held or plan.unmarked:
        return
    said = plan._replace(patches=[]).reflection(applied=False)
    if settle(index, texts, asked=asked, said=said, before=before, patches=plan.patches, narrative=recent(index)):
        written = {patch.path for patch in plan.patches}
        note_harmless(index, {path: texts.read(path).digest for path in plan.harmless if path in written})


def _applied(
    index: Index, workspace: Workspace, *, plan: ReflectPlan, asked: ReflectRequest, answering: Answering | None
) -> ReflectPlan:
    """Write the plan and return it; a new one if somebody saved a page meanwhile."""
    for attempt in range(_ATTEMPTS):
        try:
            if plan.patches:
                workspace.apply(plan.patches, label="reflect", day=asked.today)
            break
        except ChangedUnderneath:
            if attempt == _ATTEMPTS - 1:
                raise
            plan = plan_pages(index, FileTexts(workspace), asked=asked, answering=answering)
    return plan


def _nothing_changed(missed: Sequence[Unread], answering: Answering | None) -> Reflection:
    """Return the result if all pages are left as they are. Raises WorkspaceError if there are answers."""
    why = left_all(missed)
    if answering is not None:
        raise WorkspaceError(why, "make those files readable and answer again; delete what you do not need")
    return Reflection((), applied=False, notes=(why,), needs_yes=False, summary=why, unread=tuple(missed))


def _act(
    index: Index, texts: FileTexts, *, asked: ReflectRequest, sync: Callable[[], Index], answering: Answering | None
) -> tuple[list[Acted], Index]:
    """Retain, merge and name what was accepted; return the results, and the index brought up to date."""
    text = texts.text(REVIEW)
    if answering is not None:
        text = answering.marked(text)
    retention = retain_accepted(index, texts, text=text, today=asked.today)
    if retention.written:
        index = sync()
    joined = join_accepted(index, texts.workspace, text=text, sync=sync)
    paged = name_accepted(index, texts.workspace, text=text)
    return [*retention.acts, *joined, *paged], sync() if joined or paged else index
