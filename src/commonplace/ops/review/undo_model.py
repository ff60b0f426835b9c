"""Takes back what models answered, whenever that was: their questions wait again.

Unlike the undo of a change this needs no journal: who answered stands in the review page and in the trailers of facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.resolution import read_same
from commonplace.core.markdown.bank_layout import REVIEW
from commonplace.core.markdown.frontmatter import aliases, less_aliases
from commonplace.core.markdown.slug import entity_path
from commonplace.core.model import Patch
from commonplace.core.pages.entity_pages import around_region, new_page
from commonplace.core.review import review_page
from commonplace.core.review.possible_names import read_name
from commonplace.core.review.review_answers import reopened
from commonplace.core.text.normalize import fold
from commonplace.core.timeline import living
from commonplace.errors import CommonplaceError, WorkspaceError
from commonplace.ops.beliefs.believe import gather
from commonplace.ops.beliefs.change_check import ReflectRequest
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.beliefs.unreadable import held_back, left_all
from commonplace.ops.reflect.propose import open_questions
from commonplace.ops.reflect.reflect import reflect
from commonplace.ops.reflect.reflect_plan import Answering
from commonplace.ops.review.answerable import refusal
from commonplace.ops.write.compose_fact import taken_back
from commonplace.ops.write.retain import retain_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from commonplace.core.model import Fact
    from commonplace.core.review.review_page import Decision
    from commonplace.ops.review.carry_out import Act
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace


class ModelUndone(NamedTuple):
    """What became of the answers of models."""

    reopened: tuple[str, ...] = ()
    """Ids of the questions that wait again, and of added facts that do no longer."""
    retracted: tuple[str, ...] = ()
    """Ids of the facts that they had accepted."""
    notes: tuple[str, ...] = ()
    """What else was taken back, and what remains, with the next step."""


def undo_model(index: Index, workspace: Workspace, *, name: str, act: Act) -> ModelUndone:
    """Take back the answers of one model, or of all: verdicts, sentences, pages of names, merges, and facts, which are
    retracted, because logs only grow.

    Args:
        name: of the model, with or without `model:`; empty: of all.

    Raises WorkspaceError or Busy if the review page cannot be written; nothing was written then.
    """
    texts = FileTexts(workspace)
    text = texts.text(REVIEW)
    if (wrong := refusal(index, texts, text=text)) is not None:
        raise wrong
    if missed := held_back(index, texts):
        raise WorkspaceError(left_all(missed), "make those files readable; delete what you do not need")
    theirs = [each for each in review_page.decisions(text) if _is_of(each.by, name)]
    added = [each.id for each in review_page.waiting(text) if _is_of(each.by, name)]
    facts = [each for each in living(index.facts())[0] if _is_of(dict(each.trailer.other).get("by", ""), name)]
    if not (theirs or added or facts):
        return ModelUndone()
    said = {fold(review_page.content_of(each)) for each in theirs if each.id.startswith("i-")}
    changed = [each for each in facts if fold(each.content) not in said]  # perhaps in a person's words
    facts = [each for each in facts if fold(each.content) in said]
    notes = [
        f"{each.source} stays, its words are not those of an answer: commonplace retract {each.id}" for each in changed
    ]
    patches = [*_unnamed(texts, theirs), *_separated(index, texts, theirs)]
    ids = [each.id for each in theirs]
    if act.dry_run:
        notes += [f"{each.path}: would be changed: {each.reason}" for each in patches]
        notes += [f"would be retracted: ^{each.id} {each.content}" for each in facts]
        return ModelUndone((*ids, *added), tuple(each.id for each in facts), tuple(notes))
    if patches:
        workspace.apply(patches, label="undo of a model's answers", day=act.today)
        notes += [f"{each.path}: {each.reason}" for each in patches]
    retracted = [*_retracted(index, workspace, facts, act=act, notes=notes)]
    index = act.sync()
    got = gather(index, FileTexts(workspace), today=act.today)
    found = open_questions(index, got, text=got.texts.text(REVIEW)).found
    asked = {each.id for each in found.inferred}
    gone = [*added, *(id for id in ids if id.startswith("i-") and id not in asked)]  # no rule asks about these
    answering = Answering(lambda now: reopened(now, ids, but=gone), got, found, taken_back=theirs)
    request = ReflectRequest(act.today, None, False)
    done = act.commit(reflect(index, workspace, request, sync=act.sync, answering=answering))
    notes += done.notes
    notes += ["commonplace reflect --yes writes the pages that would shrink"] * any(
        "--yes" in each for each in done.notes
    )
    return ModelUndone((*ids, *added), tuple(retracted), tuple(notes))


def _is_of(by: str, name: str) -> bool:
    """Whether a mark is of a model, and of this one if it has a name."""
    whose = by.partition(" ")[0]
    return whose.startswith("model:") and (not name or whose.removeprefix("model:") == name.removeprefix("model:"))


def _retracted(
    index: Index, workspace: Workspace, facts: Sequence[Fact], *, act: Act, notes: list[str]
) -> Iterator[str]:
    """Retract facts; yield the ids of those that are."""
    why = "a model had accepted it"
    done = retain_all(index, workspace, facts=[(taken_back(each, why), act.today) for each in facts])
    for fact, came in zip(facts, done, strict=True):
        if isinstance(came, CommonplaceError):
            notes.append(f"^{fact.id} is not retracted: {came.message}")
        else:
            notes.append(f"retracted: ^{fact.id} {fact.content}")
            yield fact.id


def _unnamed(texts: FileTexts, theirs: Sequence[Decision]) -> Iterator[Patch]:
    """Yield the patches that delete pages of accepted names on which nobody wrote."""
    for each in theirs:
        accepted = each.id.startswith("e-") and each.verdict == review_page.ACCEPTED
        said = read_name(each.id, each.text) if accepted else None
        if said is not None:
            page, before, _ = texts.readable(entity_path(said.name))
            if before is not None and around_region(page) == around_region(new_page(said.name, kind=said.kind)):
                yield Patch(entity_path(said.name), before, None, "a model had accepted its name")


def _separated(index: Index, texts: FileTexts, theirs: Sequence[Decision]) -> Iterator[Patch]:
    """Yield the patches that take merged names off the pages of their entities; what a person wrote on a page that was
    merged stays where the merge has put it.
    """
    paths = {name: path for path, names in index.entity_pages().items() for name in names}
    gone: dict[str, set[str]] = {}
    for each in theirs:
        names = read_same(each.id, each.text) if each.verdict == review_page.ACCEPTED else None
        path = paths.get(entity_key(names[1])) if names else None
        if names and path:
            gone.setdefault(path, set()).add(names[0])
    for path, merged in gone.items():
        text, before, _ = texts.readable(path)
        kept = less_aliases(text, {name for name in aliases(text) if entity_key(name) in set(map(entity_key, merged))})
        if before is not None and kept != text:
            yield Patch(path, before, kept, f"separated again: {', '.join(sorted(merged))}")
