"""Check: every problem that a person may want to fix, with its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from commonplace.core.documents.file_problems import NOT_UTF8, SECRET
from commonplace.core.model import Citation, Problem
from commonplace.core.secrets.guard import in_name, masked_problem, secrets_in
from commonplace.core.when import path_day
from commonplace.errors import WorkspaceError
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.beliefs.unreadable import held_back

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace


def check(index: Index, workspace: Workspace) -> tuple[Problem, ...]:
    """Return the problems of the Markdown and the files, and dangling references, in order of place."""
    missed = (*index.unread(), *held_back(index, FileTexts(workspace)))
    holding = {(each.path, each.code) for each in missed if each.holds}
    skipped = (each for each in workspace.skipped if (each.source.path, each.code) not in holding)
    found = [*index.problems(), *skipped]
    listed = {(each.source.path, each.code) for each in found}
    for each in missed:  # a merge is reported by its line
        if (each.path, each.code) not in listed:
            line = _undecodable(workspace, each.path) if each.code == NOT_UTF8 else 1
            found.append(Problem(Citation(each.path, line), each.code, each.message, each.hint))
    states = workspace.sweep()
    found += workspace.waiting()
    both = [name for name in ("MEMORY.md", "memory.md") if name in states]
    if len(both) == 2:
        hint = "merge them into MEMORY.md: both are read, only MEMORY.md is written"
        found.append(Problem(Citation("memory.md", 1), "two-core-files", "MEMORY.md and memory.md are two files", hint))
    for place, relation, target in index.dangling():
        hint = "recall the right fact and write its id"
        found.append(Problem(place, "unknown-id", f"{relation}=^{target} does not name a fact", hint))
    found += filter(None, map(_undated, states))
    found += _secrets(index, workspace, paths=states)
    return tuple(sorted(set(map(masked_problem, found))))


def _undecodable(workspace: Workspace, path: str) -> int:
    """Return the first line of a file that is not UTF-8."""
    try:
        workspace.read(path)
    except WorkspaceError as error:
        return error.line
    return 1


def _undated(path: str) -> Problem | None:
    """Return a problem for a log named by an invalid date, such as `memory/2026-02-30.md`: its lines have no day."""
    named = _DAY.search(path)
    if named is None or path_day(path) is not None:
        return None
    message = f"its name is not a valid date: {named['day']}"
    return Problem(Citation(path, 1), "bad-date", message, "rename it to the right day")


_DAY = re.compile(r"^memory/(?:.*/)?(?P<day>(?:19|20)\d\d([-_./])\d\d\2\d\d)(?!\d)")
_SECRETS = "secrets"
"""Name of the cache of the results of `_exposed`."""


def _secrets(index: Index, workspace: Workspace, *, paths: Iterable[str]) -> Iterator[Problem]:
    """Yield the secrets in files by line; line 1 for a name. Each version of a file is searched only once."""
    known: dict[str, tuple[str, list[tuple[int, str]]]] = index.cached(_SECRETS) or {}
    digests = index.digests()
    now = {}
    for path in paths:
        digest = digests.get(path, "")
        if digest and known.get(path, ("",))[0] == digest:
            now[path] = known[path]
        else:
            now[path] = (digest, _exposed(workspace, path))
    if now != known:
        index.cache(_SECRETS, now)
    for path, (_, found) in now.items():
        for line, kind in found:
            hint = "keep it elsewhere, remove it here, and make it invalid: git and copies may contain it"
            yield Problem(Citation(path, line), SECRET, f"the line looks like {kind}", hint)
        for each in in_name(path):
            message = f"its name looks like it contains {each.kind}"
            yield Problem(Citation(path, 1), SECRET, message, "rename the file, and make the secret invalid")


def _exposed(workspace: Workspace, path: str) -> list[tuple[int, str]]:
    """Return the lines of a file that look like secrets, each with the kind."""
    try:
        text = workspace.shown(path).text
    except WorkspaceError:
        return []  # reported as another problem
    return [*{each.line: each.kind for each in reversed(secrets_in(text))}.items()]
