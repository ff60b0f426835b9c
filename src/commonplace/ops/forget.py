"""Forget: a fact out of the Markdown, for the one case where a log must shrink: it should never have been written."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.fact import decode, read_trailer, write_trailer
from commonplace.core.model import RELATIONS, Citation, Fact, Origin, Trailer
from commonplace.core.parse import parse
from commonplace.core.regions import generated_lines
from commonplace.errors import ChangedUnderneath, NotFound

if TYPE_CHECKING:
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace


class Forgotten(NamedTuple):
    """What was removed, and where else the fact may still stand."""

    fact: Fact
    elsewhere: tuple[Citation, ...]
    """Lines of a person's own that hold its text: they are left, for the person to judge."""
    notes: tuple[str, ...]


def forget(index: Index, workspace: Workspace, id: str, *, in_git: bool) -> Forgotten:
    """Remove the bullet of a fact, with its continuation lines, and every copy of its text that we keep for undo."""
    fact = index.fact(id)
    if fact is None or fact.origin is Origin.GENERATED:
        raise NotFound(f"there is no fact ^{id}", "recall it first: each hit shows its id")
    path = fact.source.path
    pages = {place.path for place in index.citing(fact.id, fact.content)} - {path}
    quoting = [index.lines((row,))[row].fact for row in index.against((fact.id,), ("retracts",)).get(fact.id, ())]
    for each in (fact, *quoting):  # a retraction repeats what it takes back
        workspace.change(each.source.path, partial(_without, each))
    for page in sorted(pages | {path}):
        if page in workspace.sweep():
            workspace.change(page, partial(_without_traces, page, fact))
    workspace.purge()
    elsewhere = tuple(place for place in _standing(workspace, pages, fact))
    notes = ["undo of earlier writes is gone with it"]
    if in_git:
        notes.append(
            "git still holds it where it was committed: "
            f"git filter-repo --path {path} --invert-paths removes that file's history"
        )
    if elsewhere:
        notes.append("its text also stands elsewhere, in lines that are not ours to remove")
    return Forgotten(fact, elsewhere, tuple(notes))


def _without_traces(path: str, fact: Fact, text: str | None) -> str:
    """A page without our lines about a fact, what hangs below them included, and without trailers that name it."""
    lines = (text or "").split("\n")
    ours = generated_lines(text or "")
    kept: list[str] = []
    below = -1  # indent of a line of ours that was left out
    for number, line in enumerate(lines, 1):
        indent = len(line) - len(line.lstrip())
        if below >= 0 and number in ours and line.strip() and indent > below:
            continue
        below = -1
        if number in ours and (fact.content in decode(line) or f"^{fact.id}" in line.split()):
            below = indent
            continue
        kept.append(_without_mention(line, fact.id))
    return "\n".join(kept)


def _without_mention(line: str, id: str) -> str:
    """A line whose trailer no longer names an id."""
    start, end = line.find("<!-- cp:"), line.find("-->")
    if start < 0 or end < start or f"^{id}" not in line[start:end]:
        return line
    trailer = read_trailer(line[start + 8 : end])
    named = {key: tuple(each for each in getattr(trailer, key) if each != id) for key in RELATIONS}
    written = write_trailer(Trailer(**named, src=trailer.src, other=trailer.other))
    return (
        f"{line[:start].rstrip()} {written}{line[end + 3 :]}".rstrip()
        if written
        else line[:start].rstrip() + line[end + 3 :]
    )


def _standing(workspace: Workspace, pages: set[str], fact: Fact) -> list[Citation]:
    """Where the text of a fact still stands in these files."""
    found = []
    for page in sorted(pages & workspace.sweep().keys()):
        lines = workspace.read(page).text.split("\n")
        found += [Citation(page, number) for number, line in enumerate(lines, 1) if fact.content in decode(line)]
    return found


def _without(fact: Fact, text: str | None) -> str:
    """The text of a fact's file without the lines of its bullet."""
    path, text = fact.source.path, text or ""
    for found in parse(path, text).facts:
        if (found.id == fact.id or fact.id.startswith(found.id + "-")) and found.content == fact.content:
            lines = text.split("\n")
            start = found.source.line - 1
            return "\n".join(lines[:start] + lines[start + found.lines :])
    raise ChangedUnderneath(f"{path} changed while the fact was looked for", "try again")
