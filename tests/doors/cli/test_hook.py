"""The hook, as hosts run it: a process with JSON on its standard input, which nothing may keep waiting."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from commonplace import Memory
from commonplace.doors.cli.hook_command import LONGEST, WAITING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Write

PATIENCE = 30.0
DAY = "2025-11-27"
LOG = f"memory/{DAY}.md"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
GAVE_UP = f"commonplace hook: timed out after {LONGEST:g} seconds while "


@pytest.fixture
def root(workspace: Write) -> Path:
    return workspace(
        """
        === memory/2025-11-27.md
        # Thursday

        ## Retain
        - W @Peter: In Marrakech.
        """
    )


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / ".claude/projects/here/abc.jsonl"
    path.parent.mkdir(parents=True)
    write(path, "Fix the flaky test")
    return path


def write(path: Path, request: str, tool: str = "Edit") -> None:
    entries = [
        {"type": "user", "message": {"role": "user", "content": request}},
        {"type": "assistant", "message": {"content": [{"name": tool, "input": {"file_path": "/srv/warelay/a.py"}}]}},
    ]
    path.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries))


def said(transcript: Path, **more: object) -> str:
    fields = {"session_id": "abc", "cwd": "/srv/warelay", "hook_event_name": "SessionEnd", "reason": "clear"}
    return json.dumps({**fields, "transcript_path": str(transcript), **more})


def command(root: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "commonplace", "hook", "--workspace", str(root), "--today", DAY, *words]


def ended(root: Path, *words: str, input: str | None = None) -> subprocess.CompletedProcess[str]:
    """A hook that came to its end: on a busy machine one may give up before, and is called again."""
    end = time.monotonic() + PATIENCE
    while True:
        standard = {"stdin": subprocess.DEVNULL} if input is None else {"input": input}
        done: subprocess.CompletedProcess[str] = subprocess.run(
            command(root, *words), capture_output=True, text=True, timeout=PATIENCE, check=False, **standard
        )
        assert done.stdout == ""
        if GAVE_UP not in done.stderr:
            return done
        assert done.returncode == 1 and time.monotonic() < end


def hook(root: Path, text: str, *words: str) -> subprocess.CompletedProcess[str]:
    return ended(root, *words, input=text)


def files(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text() for path in root.rglob("*.md")}


@contextmanager
def held(root: Path) -> Iterator[None]:
    """Another process that writes, and does not end."""
    script = (
        "import sys; from commonplace.store.workspace import Workspace; here = Workspace(sys.argv[1])\n"
        "with here._writer.lock: print('held', flush=True); sys.stdin.read()"
    )
    words = [sys.executable, "-c", script, str(root)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield
        process.communicate(timeout=PATIENCE)


def test_a_refused_entry_is_told_in_words_though_verbose(root: Path, transcript: Path) -> None:
    (root / LOG).unlink()
    (root / LOG).mkdir()
    done = hook(root, said(transcript), "--verbose")
    assert done.returncode == 1
    assert "no entry written" in done.stderr and "Traceback" not in done.stderr


def test_a_session_is_noted_once(root: Path, transcript: Path) -> None:
    before = (root / LOG).read_text()
    done = hook(root, said(transcript), "--verbose")
    assert (done.returncode, done.stderr.splitlines()[1]) == (0, f"entry written at {LOG}#L8")
    entry = "- Claude Code ended a session (clear) in /srv/warelay. Last asked: “Fix the flaky test”. Wrote a.py."
    mark = "<!-- cp: src=claude-code session=abc event=SessionEnd -->"
    assert (root / LOG).read_text() == f"{before}## Sessions\n\n{entry} {mark}\n"
    assert not (root / ".memory/index.sqlite").exists()
    now = files(root)
    again = hook(root, said(transcript, reason="logout"), "--verbose")
    assert again.returncode == 0 and "nothing new to note" in again.stderr
    assert files(root) == now
    next_day = hook(root, said(transcript), "--today", "2025-11-28")
    assert next_day.returncode == 0 and files(root) == now
    assert hook(root, said(transcript, hook_event_name="PreCompact", trigger="auto")).returncode == 0
    assert (root / LOG).read_text().count("\n- Claude Code shortened its context in a session (clear)") == 1
    with Memory(str(root)) as memory:
        assert not memory.check()
        hit = memory.recall("what was asked about the flaky test?").hits[0].line
        assert (str(hit.source), hit.content) == (f"{LOG}#L8", entry.removeprefix("- "))


def test_a_day_without_a_log_gets_one(root: Path, transcript: Path) -> None:
    assert hook(root, said(transcript), "--today", "2025-12-01").returncode == 0
    text = (root / "memory/2025-12-01.md").read_text()
    assert text.startswith("# 2025-12-01\n\n## Sessions\n\n- Claude Code ended a session")


def test_codex_hands_its_json_over_as_a_word(root: Path) -> None:
    fields = {"type": "agent-turn-complete", "thread-id": "t", "cwd": "/srv", "input-messages": ["Rename foo"]}
    done = ended(root, json.dumps(fields))
    assert (done.returncode, done.stderr) == (0, "")
    assert "\n- Codex answered in a session in /srv. Last asked: “Rename foo”. <!--" in (root / LOG).read_text()


@pytest.mark.parametrize(
    "text", ["", "garbage", "{", "[]", "{}", "null", "\0\ufffd", '{"session_id": 7}', "[" * 99_999]
)
def test_what_no_host_says_is_told_and_writes_nothing(root: Path, text: str) -> None:
    before = files(root)
    done = hook(root, text)
    assert done.returncode == 1
    assert done.stderr == (
        "commonplace hook: no entry written: this is not the JSON of a host's session\n"
        "  docs/hooks.md describes the format\n"
    )
    assert files(root) == before


@pytest.mark.parametrize(
    "words", [["--bogus"], ["{}", "two"], ["--today", "someday"], ["--workspace", "/none"], ["--workspace"]]
)
def test_no_failure_is_a_veto(root: Path, transcript: Path, words: list[str]) -> None:
    before = files(root)
    done = hook(root, said(transcript), *words)
    assert done.returncode == 1 and done.stderr.startswith("commonplace")
    assert files(root) == before


def test_no_secret_is_noted(root: Path, transcript: Path) -> None:
    write(transcript, f"use the token {TOKEN} for the deploy")
    assert hook(root, said(transcript)).returncode == 0
    text = (root / LOG).read_text()
    assert "The last request is left out: it looks like" in text
    assert not any(TOKEN in text for text in files(root).values())


def test_a_session_in_which_nothing_happened_writes_nothing(root: Path, transcript: Path) -> None:
    before = files(root)
    write(transcript, "<command-name>/exit</command-name>", "Read")
    assert hook(root, said(transcript)).returncode == 0
    transcript.write_text("")
    assert hook(root, said(transcript)).returncode == 0
    assert files(root) == before


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "of another host"])
def test_a_transcript_that_cannot_be_read_is_done_without(root: Path, transcript: Path, kind: str) -> None:
    if kind == "of another host":
        transcript.write_text('{"kind": "turn"}\n')
    else:
        transcript.unlink()
        if kind == "folder":
            transcript.mkdir()
        elif kind == "pipe":
            os.mkfifo(transcript)
    assert hook(root, said(transcript)).returncode == 0
    assert "\n- Claude Code ended a session (clear) in /srv/warelay. <!--" in (root / LOG).read_text()


def test_no_control_character_is_noted(root: Path, transcript: Path) -> None:
    with transcript.open("a") as file:
        file.write(json.dumps({"type": "user", "message": {"content": "Mend the par\0ser\x1b[31m"}}) + "\n")
    assert hook(root, said(transcript)).returncode == 0
    assert "Last asked: “Mend the parser[31m”." in (root / LOG).read_text()


@pytest.mark.parametrize("last", ["Then the docs", ""])
def test_of_half_a_gigabyte_only_the_end_is_read(root: Path, transcript: Path, last: str) -> None:
    with transcript.open("wb") as file:
        file.truncate(500_000_000)  # a hole: it takes no room
        file.seek(0, os.SEEK_END)
        if last:
            file.write(b"\n" + json.dumps({"type": "user", "message": {"content": last}}).encode() + b"\n")
    done = hook(root, said(transcript))
    assert (done.returncode, done.stderr) == (0, "")
    asked = f" Last asked: “{last}”." if last else ""
    assert f"\n- Claude Code ended a session (clear) in /srv/warelay.{asked} <!--" in (root / LOG).read_text()


def test_another_writer_is_not_waited_for(root: Path, transcript: Path) -> None:
    before = files(root)
    with held(root):
        words = command(root)
        done = subprocess.run(
            words, input=said(transcript), capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert done.stderr.startswith(GAVE_UP)
        assert done.returncode == 1
        assert files(root) == before
    assert hook(root, said(transcript)).returncode == 0
    assert files(root) != before


def test_a_host_that_says_nothing_is_not_waited_for(root: Path) -> None:
    for _ in range(20):  # a busy machine may end it before it waits
        with subprocess.Popen(command(root), stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.wait(PATIENCE) == 1  # its standard input is still open
            assert process.stderr is not None
            said = process.stderr.read()
            assert said.startswith(GAVE_UP)
            if said == f"{GAVE_UP}{WAITING}\n":
                break
    assert said == f"{GAVE_UP}{WAITING}\n"


def test_a_pipe_that_stays_open_is_not_waited_for(root: Path, transcript: Path) -> None:
    for _ in range(20):
        with subprocess.Popen(command(root), stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdin is not None and process.stderr is not None
            process.stdin.write("\ufeff" + said(transcript))
            process.stdin.flush()
            if process.wait(PATIENCE) == 0:
                break
            assert process.stderr.read() != f"{GAVE_UP}{WAITING}\n"
    assert "Fix the flaky test" in (root / LOG).read_text()


def test_a_standard_error_that_nobody_reads_is_not_waited_for(root: Path) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"." * 4096)
    except BlockingIOError:
        os.set_blocking(writing, True)
    with subprocess.Popen(command(root), stdin=subprocess.PIPE, stderr=writing) as process:
        assert process.wait(PATIENCE) == 1
    os.close(writing)
    os.close(reading)


def test_sessions_that_end_at_once_are_all_noted_once(root: Path, transcript: Path) -> None:
    def one(number: int) -> int:
        return hook(root, said(transcript, session_id=f"s{number % 2}")).returncode

    with ThreadPoolExecutor(3) as threads:
        assert [*threads.map(one, range(6))] == [0] * 6
    text = (root / LOG).read_text()
    assert [text.count(f"session=s{number} ") for number in range(2)] == [1, 1]
