"""Forget: a fact out of the Markdown, for the one case where a log must shrink: it should never have been written."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.model import Citation, Fact, Origin
from commonplace.core.parse import parse
from commonplace.errors import ChangedUnderneath, NotFound

if TYPE_CHECKING:
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace


class Forgotten(NamedTuple):
    """What was removed, and where else the fact may still stand."""

    fact: Fact
    elsewhere: tuple[Citation, ...]
    """Other lines that hold its text or cite its id: other logs, generated pages (reflect renews those)."""
    notes: tuple[str, ...]


def forget(index: Index, workspace: Workspace, id: str, *, in_git: bool) -> Forgotten:
    """Remove the bullet of a fact, with its continuation lines, and every copy of its text that we keep for undo."""
    fact = index.fact(id)
    if fact is None or fact.origin is Origin.GENERATED:
        raise NotFound(f"there is no fact ^{id}", "recall it first: each hit shows its id")
    path = fact.source.path
    quoting = [index.lines((row,))[row].fact for row in index.against((fact.id,), ("retracts",)).get(fact.id, ())]
    for each in (fact, *quoting):  # a retraction repeats what it takes back
        workspace.change(each.source.path, partial(_without, each))
    workspace.purge()
    elsewhere = tuple(place for place in index.citing(fact.id, fact.content) if place != fact.source)
    notes = ["undo of earlier writes is gone with it"]
    if in_git:
        notes.append(
            "git still holds it where it was committed: "
            f"git filter-repo --path {path} --invert-paths removes that file's history"
        )
    if elsewhere:
        notes.append("it also stands, or is cited, elsewhere; run reflect to renew generated pages")
    return Forgotten(fact, elsewhere, tuple(notes))


def _without(fact: Fact, text: str | None) -> str:
    """The text of a fact's file without the lines of its bullet."""
    path, text = fact.source.path, text or ""
    for found in parse(path, text).facts:
        if (found.id == fact.id or fact.id.startswith(found.id + "-")) and found.content == fact.content:
            lines = text.split("\n")
            start = found.source.line - 1
            return "\n".join(lines[:start] + lines[start + found.lines :])
    raise ChangedUnderneath(f"{path} changed while the fact was looked for", "try again")
