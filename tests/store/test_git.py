"""Committing what we wrote, with a real git, and nothing else."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from commonplace.store.git import SUBJECT, commit, inside

if TYPE_CHECKING:
    from pathlib import Path


def git(root: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    done = subprocess.run(["git", "-C", str(root), *identity, *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def repository(root: Path) -> Path:
    root.mkdir()
    git(root, "init", "-q")
    git(root, "config", "user.name", "test")
    git(root, "config", "user.email", "test@example.org")
    (root / "a.md").write_text("one\n")
    (root / "b.md").write_text("one\n")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "start")
    return root


def test_only_the_given_files_are_committed_and_staged_work_stays_staged(tmp_path: Path) -> None:
    root = repository(tmp_path / "w")
    (root / "a.md").write_text("ours\n")
    (root / "new.md").write_text("ours too\n")
    (root / "b.md").write_text("the person's, staged\n")
    git(root, "add", "b.md")
    assert commit(str(root), ["a.md", "new.md"]) == "committed 2 files"
    assert git(root, "show", "--name-only", "--format=%s").split() == [*SUBJECT.split(), "a.md", "new.md"]
    assert git(root, "diff", "--cached", "--name-only").split() == ["b.md"]


def test_a_merge_under_way_is_left_alone(tmp_path: Path) -> None:
    root = repository(tmp_path / "w")
    (root / ".git" / "MERGE_HEAD").write_text("0" * 40)
    (root / "a.md").write_text("ours\n")
    assert commit(str(root), ["a.md"]).startswith("not committed")
    assert git(root, "log", "--format=%s").split() == ["start"]


def test_a_folder_outside_git_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    assert commit(str(tmp_path), ["a.md"]) == "not committed: the workspace is not in git"
    assert not inside(str(tmp_path))
    assert inside(str(repository(tmp_path / "w")))
