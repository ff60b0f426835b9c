"""Carries out what a person accepted in the review page: retains facts, merges entities, makes pages of names."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.resolution import read_same
from commonplace.core.markdown.bank_layout import REVIEW
from commonplace.core.markdown.page_links import relative
from commonplace.core.markdown.page_regions import damage, region
from commonplace.core.markdown.slug import entity_path
from commonplace.core.model import Patch, Trailer
from commonplace.core.pages.entity_pages import new_page
from commonplace.core.provenance import inferred_from
from commonplace.core.review import review_page
from commonplace.core.review.possible_names import read_name
from commonplace.core.review.replacements import REPLACES, replaced
from commonplace.core.text.normalize import fold
from commonplace.core.timeline import living
from commonplace.errors import CommonplaceError, NotFound, WorkspaceError
from commonplace.ops.beliefs.believe import canonical_names
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.write.compose_fact import compose, taken_back
from commonplace.ops.write.merge_entities import join
from commonplace.ops.write.retain import retain_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from commonplace.core.model import Fact
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace


class Acted(NamedTuple):
    """The result of one accepted item."""

    note: str
    """What was done; or what was not done, and why."""
    done: bool


class Retention(NamedTuple):
    """The results of the accepted facts."""

    acts: tuple[Acted, ...] = ()
    written: bool = False
    """Whether logs may have changed."""


def retain_accepted(index: Index, texts: FileTexts, *, text: str, today: date) -> Retention:
    """Retain what is accepted on the review page and was not retained yet.

    Args:
        text: the review page.
    """
    if damage(text, "review"):
        return Retention()  # what of it was acted on before cannot be told
    acts: dict[str, Acted] = {}
    facts: list[tuple[Fact, date]] = []
    asked = []
    for each in review_page.accepted(text):
        if stands_decided(text, each):
            continue
        try:
            fact = _agreed(index, each) if each.id.startswith("r-") else _inferred_fact(index, texts, accepted=each)
        except CommonplaceError as error:
            acts[each.id] = Acted(f"not retained: {each.text}: {error.message}", done=False)
        else:
            asked.append(each)
            facts.append((fact, review_page.day_of(each) or today))
    done = retain_all(index, texts.workspace, facts=facts) if facts else []
    for each, came in zip(asked, done, strict=True):
        said = each.text
        if isinstance(came, CommonplaceError):
            acts[each.id] = Acted(f"not retained: {said}: {came.message}", done=False)
        else:
            acts[each.id] = Acted(f"retained: {said}", done=True)
    return Retention(tuple(acts.values()), any(not isinstance(each, CommonplaceError) for each in done))


def _inferred_fact(index: Index, texts: FileTexts, *, accepted: review_page.Decision) -> Fact:
    if not accepted.path:
        raise WorkspaceError("the link to its log is missing from the line: restore it")
    try:
        texts.read(accepted.path)
        by, _, day = accepted.by.partition(" ")
        trailer = Trailer(
            src=inferred_from(relative("", accepted.path)), other=(("by", by), ("decided", day)) if by else ()
        )
        return compose(index, accepted.text, kind=None, entities=(), confidence=None, trailer=trailer)
    except NotFound:
        gone = f"{accepted.path}, its source, is missing: restore it, or reject ^{accepted.id}"
        raise WorkspaceError(gone) from None


def _agreed(index: Index, accepted: review_page.Decision) -> Fact:
    """Return what an outsider said as the author's fact, because the author agreed that it supersedes another."""
    kept, superseded, _ = living(index.facts())
    overheard = [fact for fact in kept if fact.trailer.outsider]
    held = [fact for fact in kept if not fact.trailer.outsider and fact.id not in superseded]
    asked = next((each for each in replaced(overheard, held) if each.id == accepted.id), None)
    if asked is None:
        raise WorkspaceError(f"one of the two facts is missing or no longer valid: reject ^{accepted.id}")
    if asked.text != accepted.text:
        raise WorkspaceError(f"the facts cannot be reworded: reject ^{accepted.id}, and retain it in your words")
    if asked.how != REPLACES:
        return taken_back(asked.older, f"according to {asked.newer.trailer.outsider}")
    trailer = Trailer(supersedes=(asked.older.id,), src=inferred_from(relative("", asked.newer.source.path)))
    return asked.newer._replace(id="", trailer=trailer, block_id=False)


def join_accepted(index: Index, workspace: Workspace, *, text: str, sync: Callable[[], Index]) -> list[Acted]:
    """Merge the entities that a person said are one and that are still two; return the results.

    Args:
        text: the review page.
        sync: brings the index up to date.
    """
    acts: list[Acted] = []
    if "^a-" not in text or damage(text, "review"):
        return acts
    for each in review_page.decisions(text):
        if not each.id.startswith("a-") or each.verdict != review_page.ACCEPTED or stands_decided(text, each):
            continue
        names = read_same(each.id, each.text)
        if names is None:
            why = "the names cannot be reworded; only their order can be changed"
            acts.append(Acted(f"not merged: {each.text}: {why}", done=False))
            continue
        other, into = names
        canonical = canonical_names(index.aliases(), {entity.key: entity for entity in index.entities()})
        if canonical(other) == canonical(into):
            continue
        try:
            join(index, workspace, into, other)
        except CommonplaceError as error:
            acts.append(Acted(f"not merged: {other} into {into}: {error.message}", done=False))
        else:
            acts.append(Acted(f"merged: {other} into {into}", done=True))
            index = sync()
    return acts


def name_accepted(index: Index, workspace: Workspace, *, text: str) -> list[Acted]:
    """Make a page for each possible name that a person said is one and that has none, all in one change; return the
    results.

    Args:
        text: the review page.
    """
    acts: list[Acted] = []
    if "^e-" not in text or damage(text, "review"):
        return acts
    taken = {name for names in index.entity_pages().values() for name in names}
    pages: dict[str, tuple[review_page.Decision, Patch]] = {}
    for each in review_page.decisions(text):
        if not each.id.startswith("e-") or each.verdict != review_page.ACCEPTED or stands_decided(text, each):
            continue
        said = read_name(each.id, each.text)
        if said is None:
            why = "only what stands behind “is” can be reworded, in a few words"
            acts.append(Acted(f"no page: {each.text}: {why}", done=False))
        elif entity_key(said.name) not in taken:
            try:
                path = entity_path(said.name)
                if FileTexts(workspace).page(path).digest is not None:
                    raise WorkspaceError(f"{path} is there already", "")
            except CommonplaceError as error:
                acts.append(Acted(f"no page: {each.text}: {error.message}", done=False))
            else:
                page = Patch(path, None, new_page(said.name, kind=said.kind), f"accepted in {REVIEW}")
                pages.setdefault(fold(path), (each, page))
    made = [page for _, page in pages.values()]
    if made:
        try:
            workspace.apply(made, label=f"page{'' if len(made) == 1 else 's'} of accepted names", whole=True)
        except CommonplaceError as error:
            acts += [Acted(f"no page: {each.text}: {error.message}", done=False) for each, _ in pages.values()]
        else:
            acts += [Acted(f"page made: {page.path}", done=True) for page in made]
    return acts


def stands_decided(text: str, decision: review_page.Decision) -> bool:
    """Whether a decision was carried out before: its line is one of ours."""
    found = region(text, "review")
    if found is None:
        return False
    at = decision.number - found.start - 1
    return 0 <= at < len(found.ours) and found.ours[at] >= 0
