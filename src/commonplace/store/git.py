"""Git, where the workspace lies in it: commit the files that we wrote, and nothing else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_BUSY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "index.lock")


def inside(root: str) -> bool:
    """Whether the folder, or one above it, is a git work tree."""
    while not os.path.exists(os.path.join(root, ".git")):
        above = os.path.dirname(root)
        if above == root:
            return False
        root = above
    return True


def commit(root: str, paths: Sequence[str], message: str) -> str:
    """What became of committing these paths; a failure is told, never raised: the files are safe either way.

    `git commit --only` leaves the person's staged files as they are (tried: a private index made their next commit
    revert ours).
    """
    import subprocess

    def git(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=False, timeout=60)

    try:
        found = git("rev-parse", "--absolute-git-dir")
        if found.returncode:
            return "not committed: the workspace is not in git"
        folder = found.stdout.strip()
        if any(os.path.exists(os.path.join(folder, name)) for name in _BUSY):
            return "not committed: git is in the middle of something; commit the pages yourself when it is done"
        known = [path for path in paths if os.path.exists(os.path.join(root, path))]
        git("add", "--intent-to-add", "--", *known)
        done = git("commit", "--quiet", "--only", "-m", message, "--", *paths)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"not committed: {error}"
    if done.returncode:
        reason = (done.stderr or done.stdout).strip().splitlines()
        return f"not committed: {reason[-1] if reason else 'git refused'}"
    return f"committed {len(paths)} file{'s' if len(paths) != 1 else ''}"
