"""The core: which lines are offered for it, what was accepted into it, and whom its files introduce."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.documents.append import appended, retain_at_end
from commonplace.core.documents.parse import parse
from commonplace.core.entities.entity_names import candidates, choose
from commonplace.core.entities.introductions import own_names
from commonplace.core.extract import infer
from commonplace.core.markdown.page_links import quoted, slug
from commonplace.core.markdown.text_edits import append_bullet
from commonplace.core.model import Patch
from commonplace.core.pages.core_proposals import CoreFile, core_proposals, names_told
from commonplace.core.stance import prepare, same_statement_prepared
from commonplace.ops.reflect.page_subjects import named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.pages.core_proposals import CoreProposal
    from commonplace.core.review import review_page
    from commonplace.ops.beliefs.believe import Gathered
    from commonplace.ops.beliefs.file_texts import FileTexts
    from commonplace.store.sqlite import Index

_INTRODUCE = ("user.md", "identity.md")
"""Core files that introduce the owner and the agent; in any case."""


def into_core(texts: FileTexts, accepted: Sequence[review_page.Decision]) -> tuple[Patch | None, dict[str, str]]:
    """Return the core with the accepted lines that it lacks; and by id why a decision must wait."""
    workspace = texts.workspace
    path = workspace.core_path
    text, digest, wrong = texts.readable(path)
    if digest is None and not wrong:
        wrong = "the file does not exist: commonplace init creates it"
    elif workspace.read_only(path):
        wrong = "it is read-only"
    elif workspace.open_in_editor(path):
        wrong = "it is open in an editor, perhaps with unsaved changes"
    said = [prepare(line) for line in _core_lines(texts)] if accepted else []
    after = text
    refused = {}
    for each in accepted:
        wanted = prepare(each.text)
        if any(same_statement_prepared(line, wanted) for line in said) or not each.text.strip():
            continue
        said_so = quoted(each.text)
        if wrong:
            refused[each.id] = f"not written to {path}: {wrong}: {each.text}"
            continue
        after = appended(after, f"- {said_so}") if retain_at_end(after) else append_bullet(after, said_so)
        said.append(wanted)
    return (Patch(path, digest, after, "accepted in bank/review.md") if after != text else None), refused


def _core_lines(texts: FileTexts) -> list[str]:
    said = map(texts.text, texts.workspace.core)
    return [line for text in said for line in text.split("\n") if line.strip()]


def offered_lines(index: Index, got: Gathered, *, folded: Sequence[str]) -> list[CoreProposal]:
    """Return the lines that are offered for the core, answered or not.

    Args:
        folded: contents of the facts.
    """
    standing = (
        (text, fact)
        for text, fact in zip(folded, got.facts, strict=True)
        if fact.id not in got.superseded and not got.contested(fact)
    )
    size = len(got.texts.text(got.texts.workspace.core_path))
    core = CoreFile(_owners(index, got), _core_lines(got.texts), size)
    found = core_proposals(got.formed.entries, standing, core=core, canonical=got.canonical, findings=got.findings)
    about = {f"c-{each.id.removeprefix('o-')}": each.entities[:1] for each in got.formed.entries}
    headings = {id: slug(named(got, got.canonical(name))) for id, names in about.items() for name in names}
    return [each._replace(anchor=headings.get(each.id, each.anchor)) for each in found]


def introduced_authors(got: Gathered) -> infer.Authors:
    """Return the first names by which USER.md and IDENTITY.md introduce the owner and the agent."""
    introduced = {}
    for path in got.texts.workspace.core:
        if path.casefold() in _INTRODUCE:
            text = got.texts.text(path)
            names = own_names(parse(path, text, dated=False).lines)
            introduced[path.casefold()] = next((name for name in names if not got.withheld.named(name)), "")
    return infer.Authors(*(introduced.get(path, "") for path in _INTRODUCE))


def _owners(index: Index, got: Gathered) -> frozenset[str]:
    """Return the known entities that USER.md and IDENTITY.md introduce."""
    keys: dict[str, set[str]] = {}
    for path in got.texts.workspace.core:
        for told in names_told(got.texts.text(path)) if path.casefold() in _INTRODUCE else ():
            found = candidates(told)
            known = choose(found, index.named([each.name for each in found if each.name not in got.strangers]))
            keys.setdefault(path.casefold(), set()).update(got.canonical(name) for name, _ in known[:1])
    # IDENTITY.md alone tells who the agent is, and not whose it is
    return frozenset().union(*keys.values()) if keys.get(_INTRODUCE[0]) else frozenset()
