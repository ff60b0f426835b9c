"""What is in the way of a verb is named, with what to do: a pipe for a file, a file for a folder, permissions."""

from __future__ import annotations

import errno
import os
import signal
from typing import TYPE_CHECKING, Any

import pytest

from commonplace import Memory
from commonplace.config.settings_file import read_regular
from commonplace.store.fs.publish import refusal
from commonplace.store.fs.state_dir import read_private

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Cli, Write

LOG = "memory/2025-11-27.md"
FACTS = "## Retain\n- W @Peter: Lives in Oslo. ^f1aaaa\n- O(c=0.9) @Peter: Likes tea. ^f2aaaa\n"
PIPES = [
    "commonplace.toml",
    ".memory/keep/journal/forget-1.json",
    ".memory/keep/journal/forgotten.json",
    ".memory/keep/journal/done-1.json",
    ".memory/keep/journal/pending-1.json",
    ".memory/keep/displaced/1-2-3-4.file",
    ".memory/servers/1.json",
    "home/.openclaw/openclaw.json",
]


@pytest.fixture
def patience() -> Iterator[None]:
    """Whatever waits for a pipe that nobody writes is interrupted."""

    def hangs(*_: Any) -> None:
        raise AssertionError("it waits for a pipe")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize("path", PIPES)
def test_a_pipe_in_place_of_a_file_holds_no_verb_up(workspace: Write, cli: Cli, path: str) -> None:
    root = workspace({LOG: FACTS})
    cli("reflect", "--yes")
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).unlink(missing_ok=True)
    os.mkfifo(root / path)
    named = "" if path.startswith("home") else str(root)
    for words in (["recall", "Oslo"], ["status"], ["doctor"], ["retain", "W @Peter: Rows."], ["forget", "f1aaaa"]):
        done = cli(*words, HOME=str(root / "home"), COMMONPLACE_WORKSPACE=named)
        assert done.out or done.err, words
        assert "bug" not in done.err, (words, done.err)
        if path.startswith(("common", "home")) and words[0] != "doctor":
            assert done.status == 2 and path in done.err and "pipe" in done.err, (words, done.err)


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "linked").symlink_to("there")
    (tmp_path / "there").write_bytes(b"text")
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "gone", "/dev/zero"):
        for read in (read_private, read_regular):
            with pytest.raises(OSError):
                read(str(path))
    assert read_regular(str(tmp_path / "linked")) == read_private(str(tmp_path / "there")) == b"text"
    with pytest.raises(OSError):
        read_private(str(tmp_path / "linked"))


@pytest.mark.parametrize("path", ["file", "file/below", "/proc/none", "/proc/none/below"])
def test_init_names_what_is_in_its_way(tmp_path: Path, cli: Cli, path: str) -> None:
    (tmp_path / "file").write_text("text")
    for words in (["init", str(tmp_path / path)], ["init", str(tmp_path / path), "--json"]):
        done = cli(*words)
        assert done.status == 1 and "--verbose" not in done.err
        assert (f"{tmp_path}/file is not a folder" if path.startswith("file") else f"{path} cannot be") in done.err


def test_a_file_that_is_named_as_the_workspace_is_not_said_to_be_missing(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "file").write_text("text")
    done = cli("status", "--workspace", str(tmp_path / "file"))
    assert done.status == 1 and f"{tmp_path}/file is not a folder" in done.err and "init" not in done.err


def test_permissions_are_not_told_as_a_full_disk(tmp_path: Path) -> None:
    denied = refusal(LOG, str(tmp_path), error=PermissionError(errno.EACCES, "Permission denied"), needed=70)
    assert denied.message == f"{LOG} cannot be written: Permission denied" and str(tmp_path) in denied.hint
    full = refusal(LOG, str(tmp_path), error=OSError(errno.ENOSPC, "No space left on device"), needed=70)
    assert "70 bytes needed" in full.message
    assert (
        "bytes"
        not in refusal(LOG, str(tmp_path), error=OSError(errno.EROFS, "Read-only file system"), needed=70).message
    )


def test_core_says_what_it_cannot_show(workspace: Write, cli: Cli) -> None:
    root = workspace({LOG: FACTS})
    (root / "MEMORY.md").write_bytes(b"- caf\xe9\n")
    shown = cli("core")
    assert "MEMORY.md is not UTF-8" in shown.err and "empty" not in shown.err
    assert "MEMORY.md is not UTF-8" in cli("core", "--json").json["notes"][0]
    (root / "MEMORY.md").unlink()
    (root / "MEMORY.md").symlink_to("nowhere")
    (root / "USER.md").write_text("- **Name:** Peter\n")
    shown = cli("core")
    assert "MEMORY.md is a link to nothing" in shown.err and "Peter" in shown.out
    with Memory(str(root)) as memory:
        assert "MEMORY.md" in memory.context("tea").core.notes[0]


def test_status_agrees_with_itself(workspace: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    root = workspace({LOG: FACTS, "memory/2025-11-28.md": FACTS.replace("aaaa", "bbbb")})
    access = os.access

    def refusing(path: str, mode: int) -> bool:
        return access(path, mode) and not (mode == os.W_OK and str(path).endswith("/memory"))

    with Memory(str(root)) as memory:
        assert memory.status().writable
        (root / LOG).write_bytes(FACTS.encode("utf-16"))
        monkeypatch.setattr(os, "access", refusing)
        told = memory.status()
    assert told.files == sum(told.read.values()) == 1 and not told.writable
