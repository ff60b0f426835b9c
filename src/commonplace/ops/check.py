"""Check: every defect that a person may want to mend, with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.model import Citation, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace


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
    return tuple(sorted(set(found)))
