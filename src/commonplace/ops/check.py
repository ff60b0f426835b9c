"""Check: every defect that a person may want to mend, with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.guard import held, in_name, masked_problem
from commonplace.core.model import Citation, Problem
from commonplace.errors import WorkspaceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace


UNREAD = frozenset(
    (
        *("unreadable", "not-utf8", "not-a-file", "not-downloaded"),
        *("too-large", "link-broken", "link-outside", "same-name"),
    )
)
"""Problems by which a file, or a folder, is not read."""


def check(index: Index, workspace: Workspace, core: Sequence[str]) -> tuple[Problem, ...]:
    """The problems of the Markdown, of the files, and of what refers to what is not there; in order of place."""
    found = [*index.problems(), *workspace.skipped]
    states = workspace.sweep()
    found += workspace.waiting()
    both = [name for name in ("MEMORY.md", "memory.md") if name in states]
    if len(both) == 2:
        hint = "merge them into MEMORY.md: both are read, only MEMORY.md is written"
        found.append(Problem(Citation("memory.md", 1), "two-core-files", "MEMORY.md and memory.md are two files", hint))
    for place, relation, target in index.dangling():
        hint = "recall the fact that is meant and write its id"
        found.append(Problem(place, "unknown-id", f"{relation}=^{target} names no fact", hint))
    for path in states:
        found += _secrets(workspace, path)
    return tuple(sorted(set(map(masked_problem, found))))


def _secrets(workspace: Workspace, path: str) -> Iterator[Problem]:
    """What a file gives away, by its lines; line 1 for its name."""
    for each in in_name(path):
        message = f"its name looks like it holds {each.kind}"
        yield Problem(Citation(path, 1), "secret", message, "rename the file, and make the secret invalid")
    try:
        text = workspace.read(path).text
    except WorkspaceError:
        return  # told as a problem of its own
    for line, kind in {each.line: each.kind for each in reversed(held(text))}.items():
        hint = "keep it elsewhere, take it out here, and make it invalid: git and copies may hold it"
        yield Problem(Citation(path, line), "secret", f"the line looks like {kind}", hint)
