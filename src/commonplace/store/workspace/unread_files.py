"""Files in a workspace that are not read, by folder, and why."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.markdown.syntax import is_markdown
from commonplace.store.fs.file_names import is_hidden, key_of
from commonplace.store.fs.state_dir import NAME

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from commonplace.core.model import Problem

_MOST = 100_000
"""Maximum number of names examined: a workspace may be next to anything."""
_NEVER = frozenset((".git", NAME, "commonplace.toml"))
_PACKAGES = "node_modules"
_ELSEWHERE = "not in include"
_HIDDEN = "hidden: its name starts with a dot"
_OTHER = "not Markdown"
_SHOWN = 4
"""Maximum number of suffixes listed."""


class LeftOut(NamedTuple):
    """A folder with files that are not read, or one such file."""

    path: str
    """Relative to the workspace; a folder ends in `/`, and the workspace itself is `./`."""
    files: int
    """How many; 0 if the folder was not searched."""
    why: str
    hint: str = ""
    """How to have it read; empty if it need not be."""


class _Group(NamedTuple):
    path: str
    why: str


def read_in(paths: Collection[str]) -> dict[str, int]:
    """Return the number of files read in each top-level folder; the workspace's own files as `./`."""
    found: dict[str, int] = {}
    for path in sorted(paths):
        folder, slash, _ = path.partition("/")
        name = folder + slash if slash else "./"
        found[name] = found.get(name, 0) + 1
    return found


def left_out(root: str, paths: Collection[str], *, problems: Sequence[Problem]) -> tuple[LeftOut, ...]:
    """Return what is not read: problems first, then groups by number of files, largest first.

    Args:
        paths: the files that are read.
        problems: of files that could not be listed or read; each gets an entry of its own.
    """
    told = {each.source.path for each in problems}
    folders = {"/".join(parts[:depth]) for path in paths if (parts := path.split("/")) for depth in range(len(parts))}
    groups: dict[_Group, int] = {}
    suffixes: dict[str, set[str]] = {}
    for path, why in _passed_over(root, set(paths) | told):
        if why == _OTHER:
            group = _Group(_shallow(path, folders), why)
            if group.path.rstrip("/") not in folders and group.path != "./":
                continue  # nobody expects this folder to be read
            suffixes.setdefault(group.path, set()).add(os.path.splitext(path)[1] or "no suffix")
        else:
            group = _Group(path if path.endswith("/") else _shallow(path, folders), why)
        groups[group] = groups.get(group, 0) + (0 if path.endswith("/") else 1)
    found = [LeftOut(group.path, count, *_said(group, suffixes)) for group, count in groups.items()]
    faults = [
        LeftOut(each.source.path, 1, each.message.removeprefix(f"{each.source.path} "), each.hint) for each in problems
    ]
    return (*sorted(faults), *sorted(found, key=lambda each: (each.why.startswith(_OTHER), -each.files, each.path)))


def _said(group: _Group, suffixes: dict[str, set[str]]) -> tuple[str, str]:
    """Return the full reason, and how to have it read."""
    if group.why == _OTHER:
        named = sorted(suffixes[group.path])
        more = " …" if len(named) > _SHOWN else ""
        return f"{_OTHER} ({' '.join(named[:_SHOWN])}{more})", ""
    if group.why == _ELSEWHERE:
        return group.why, f"commonplace init --include {shlex.quote(group.path.rstrip('/'))}"
    return group.why, ""


def _shallow(path: str, folders: Collection[str]) -> str:
    """Return the outermost folder on the path of a file in which nothing is read, else the file's own folder."""
    parts = path.split("/")[:-1]
    for depth in range(1, len(parts) + 1):
        folder = "/".join(parts[:depth])
        if folder not in folders:
            return folder + "/"
    return "/".join(parts) + "/" if parts else "./"


def _passed_over(root: str, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield files that are not known, each with a reason; folders that are not searched end in `/`."""
    todo = [("", "")]
    left = _MOST
    while todo and left > 0:
        real, prefix = todo.pop()
        try:
            entries = sorted(os.scandir(os.path.join(root, real)), key=lambda entry: entry.name)
        except OSError:
            continue  # the sweep reports it if it was to be read
        left -= len(entries)
        for entry in entries:
            path = prefix + key_of(entry.name)
            if entry.is_symlink() or entry.name in _NEVER:
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.name == _PACKAGES:
                    yield path + "/", "installed packages"
                else:
                    todo.append((real + entry.name + "/", path + "/"))
            elif path not in known and entry.is_file(follow_symlinks=False):
                hidden = any(map(is_hidden, path.split("/")))
                if is_markdown(entry.name):
                    yield path, _HIDDEN if hidden else _ELSEWHERE
                elif not hidden:
                    yield path, _OTHER
    if todo:
        yield "./", f"more than {_MOST:,} names: only a part was listed"
