"""Git, where the workspace is in a repository: commits the files that we wrote, and reads who changed what.

The repository may be untrusted: nothing that its configuration or the environment of a hook names is run or followed
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
"""Subject of our commits; it distinguishes them from a person's."""
_SECONDS = 60
_FIELDS = ("%h", "%ad", "%s")
_RECORD = "\x01"
"""Starts a commit in the output of `log`; fields and paths end with NUL."""


class Commit(NamedTuple):
    """A commit that touched at least one of the requested files."""

    hash: str
    """Abbreviated, as git prints it."""
    day: str
    """ISO date in the author's time zone."""
    subject: str
    paths: tuple[str, ...]
    """The requested files that it touched, relative to the workspace."""
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
    """Whether git tracks a file at or below a path; False if git is not available."""
    from subprocess import SubprocessError

    if not inside(root):
        return False
    try:
        return bool(_git(root, "ls-files", "--", path).stdout)
    except (OSError, SubprocessError):
        return False


def commit(root: str, paths: Sequence[str], *, day: date | None = None) -> str:
    """Commit these paths and return the outcome in words. A failure is not raised: the files are safe either way.

    Args:
        paths: the files, relative to it.
        day: the author date, if not today.

    `git commit --only` leaves the person's staged files unchanged (tried: a private index made their next commit
    revert ours).
    """
    from subprocess import SubprocessError

    try:
        found = _git(root, "rev-parse", "--absolute-git-dir")
        if found.returncode:
            return "not committed: the workspace is not in git"
        folder = found.stdout.strip()
        if any(os.path.exists(os.path.join(folder, name)) for name in _BUSY):
            return "not committed: git is in the middle of an operation; commit the pages yourself afterwards"
        dated = [f"--date={day}T12:00:00"] if day else []
        known = [path for path in paths if os.path.exists(os.path.join(root, path))]
        _git(root, "add", "--intent-to-add", "--", *known)
        done = _git(root, "commit", "--quiet", "--only", "-m", SUBJECT, *dated, "--", *paths)
    except (OSError, SubprocessError) as error:
        return f"not committed: {error}"
    if done.returncode:
        return f"not committed: {_reason(done)}"
    return f"committed {len(paths)} file{'s' if len(paths) != 1 else ''}"


def log(root: str, paths: Sequence[str], *, most: int) -> tuple[list[Commit], str]:
    """Return the newest commits that touched these files or folders, newest first, and why some or all may be missing.

    One run of git over the history for all paths; for a repository that git refuses to read the second value is a note.
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
            return [], "git has no commits yet" if empty else f"no answer from git: {_reason(found)}"
        shallow = _git(root, "rev-parse", "--is-shallow-repository").stdout.strip() == "true"
    except (OSError, SubprocessError) as error:
        return [], f"no answer from git: {error}"
    return list(_commits(found.stdout)), "git has only the newest part of its history here" if shallow else ""


def _commits(told: str) -> Iterator[Commit]:
    for record in told.split(_RECORD)[1:]:
        parts = record.split("\0")
        if len(parts) < len(_FIELDS):
            continue  # a subject or path that contains our separator
        hash_, day, subject, *rest = parts
        paths = (path.removeprefix("\n") for path in rest)
        yield Commit(hash_, day, subject, tuple(path for path in paths if path), subject == SUBJECT)


def _reason(done: CompletedProcess[str]) -> str:
    """Return git's error message in one line: the first line with the cause, not the advice."""
    said = (done.stderr or done.stdout).strip().splitlines()
    fatal = next((line for line in said if line.startswith(("fatal: ", "error: "))), said[-1] if said else "")
    return fatal.partition(": ")[2] or fatal or "git refused"


def _git(root: str, *arguments: str) -> CompletedProcess[str]:
    """Run git in the workspace, ignoring the repository that the environment names (in a hook, for example)."""
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
    f"GIT_{name}"
    for name in ("DIR", "WORK_TREE", "INDEX_FILE", "OBJECT_DIRECTORY", "COMMON_DIR", "NAMESPACE", "PREFIX")
)
"""Variables that select git's repository or index."""
