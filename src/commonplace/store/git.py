"""Git, where the workspace is in a repository: commits the files that we wrote, and reads who changed what.

A repository may be anybody's: nothing that its configuration or the environment of a hook names is run or followed
beyond what git itself does to read a history and to write a commit.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date
    from subprocess import CompletedProcess

_BUSY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "index.lock")
SUBJECT = "reflect: renew pages and opinions"
"""The first line of our commits, and what tells them from a person's."""
_SECONDS = 60
_FIELDS = ("%h", "%ad", "%s")
_RECORD = "\x01"
"""Begins a commit in what `log` reads; a field ends with NUL, as a path does."""


class Commit(NamedTuple):
    """A commit that touched some of the files that were asked about."""

    hash: str
    """Short, as git shows it."""
    day: str
    """ISO, of its author's own calendar."""
    subject: str
    paths: tuple[str, ...]
    """Those of the files, relative to the workspace."""
    ours: bool


def inside(root: str) -> bool:
    """Whether the folder, or one above it, is a git work tree."""
    while not os.path.exists(os.path.join(root, ".git")):
        above = os.path.dirname(root)
        if above == root:
            return False
        root = above
    return True


def tracked(root: str, path: str) -> bool:
    """Whether git keeps anything at or below a path; no where there is no git to ask."""
    from subprocess import SubprocessError

    if not inside(root):
        return False
    try:
        return bool(_git(root, "ls-files", "--", path).stdout)
    except (OSError, SubprocessError):
        return False


def commit(root: str, paths: Sequence[str], *, day: date | None = None) -> str:
    """What became of committing these paths; a failure is told, never raised: the files are safe either way.

    Args:
        day: the author's date, where it is not the clock's.

    `git commit --only` leaves the person's staged files as they are (tried: a private index made their next commit
    revert ours).
    """
    from subprocess import SubprocessError

    try:
        found = _git(root, "rev-parse", "--absolute-git-dir")
        if found.returncode:
            return "not committed: the workspace is not in git"
        folder = found.stdout.strip()
        if any(os.path.exists(os.path.join(folder, name)) for name in _BUSY):
            return "not committed: git is in the middle of something; commit the pages yourself when it is done"
        dated = [f"--date={day}T12:00:00"] if day else []
        known = [path for path in paths if os.path.exists(os.path.join(root, path))]
        _git(root, "add", "--intent-to-add", "--", *known)
        done = _git(root, "commit", "--quiet", "--only", "-m", SUBJECT, *dated, "--", *paths)
    except (OSError, SubprocessError) as error:
        return f"not committed: {error}"
    if done.returncode:
        return f"not committed: {_reason(done)}"
    return f"committed {len(paths)} file{'s' if len(paths) != 1 else ''}"


def log(root: str, paths: Sequence[str], most: int) -> tuple[list[Commit], str]:
    """The newest commits that touched these files or folders, newest first; and why some or all may be missing.

    One pass of git over the history, however many paths there are; a repository that git will not read gives a note.
    """
    from subprocess import SubprocessError

    if not inside(root):
        return [], ""
    shown = f"--format={_RECORD}{'%x00'.join(_FIELDS)}%x00"
    wanted = (shown, "--name-only", "--relative", "--no-show-signature", "--no-renames", "--date=short", "-z")
    try:
        found = _git(root, "--literal-pathspecs", "log", f"--max-count={most}", *wanted, "--", *paths)
        if found.returncode:
            empty = _git(root, "rev-parse", "--verify", "--quiet", "HEAD").returncode == 1
            return [], "git holds no commit yet" if empty else f"git tells nothing: {_reason(found)}"
        shallow = _git(root, "rev-parse", "--is-shallow-repository").stdout.strip() == "true"
    except (OSError, SubprocessError) as error:
        return [], f"git tells nothing: {error}"
    return list(_commits(found.stdout)), "git holds only the newest part of its history here" if shallow else ""


def _commits(told: str) -> Iterator[Commit]:
    for record in told.split(_RECORD)[1:]:
        parts = record.split("\0")
        if len(parts) < len(_FIELDS):
            continue  # a subject or a path with our mark in it
        hash_, day, subject, *rest = parts
        paths = (path.removeprefix("\n") for path in rest)
        yield Commit(hash_, day, subject, tuple(path for path in paths if path), subject == SUBJECT)


def _reason(done: CompletedProcess[str]) -> str:
    """What git said of a failure, in one line: the first that says what, not what to do about it."""
    said = (done.stderr or done.stdout).strip().splitlines()
    fatal = next((line for line in said if line.startswith(("fatal: ", "error: "))), said[-1] if said else "")
    return fatal.partition(": ")[2] or fatal or "git refused"


def _git(root: str, *arguments: str) -> CompletedProcess[str]:
    """Run git in the workspace, whatever repository an environment (a hook's, say) is about."""
    import subprocess

    env = {name: value for name, value in os.environ.items() if name not in _ABOUT}
    return subprocess.run(
        ["git", "-C", root, *arguments],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        timeout=_SECONDS,
        stdin=subprocess.DEVNULL,
        env={**env, "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat", "LC_ALL": "C.UTF-8"},
    )


_ABOUT = frozenset(
    (
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_COMMON_DIR",
        "GIT_NAMESPACE",
        "GIT_PREFIX",
    )
)
"""Variables that tell git of which repository it is run, or with which index."""
