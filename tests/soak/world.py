"""The workspaces that the campaign breaks, each made once, and the verbs that write into them."""

from __future__ import annotations

import io
import json
import os
import shutil
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.test_hand_edits import LIFE, MORE, TODAY

from commonplace import Memory
from commonplace.doors.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

GONE = "Bergen", "Molde", "canoe"
"""Words of the facts that are forgotten; each stands in one fact and nowhere else."""
PERSONS = {
    "MEMORY.md": "# Core\n\n- Mona is the owner.\n- The bicycle code is in the blue notebook.\n",
    "bank/notes.md": "# Notes\n\n- A note by hand.\n\n## Boats\n\n- Another one.\n",
    "bank/entities/Rolf.md": "# Rolf\n\nCall him on Sundays.\n",
}
VAULT = {
    "boats.md": "# Boats\n\n- Rolf prefers oak over pine.\n- Sails [[Zephyra]] on Sundays\n",
    "2025-12-24.md": "- We decided to keep the old anchor.\n",
}


class Done(NamedTuple):
    """What a command line came to."""

    status: int
    out: str
    err: str


def command(root: Path, words: tuple[str, ...], stdin: str = "") -> Done:
    """Run one in this process."""
    out, err = io.StringIO(), io.StringIO()
    home = root.parent / "home"
    argv = [words[0], "--workspace", str(root), "--today", TODAY.isoformat(), *words[1:]]
    status = run(
        argv, stdin=io.BytesIO(stdin.encode()), out=out, err=err, env={"HOME": str(home)}, cwd=str(root.parent)
    )
    return Done(status, out.getvalue(), err.getvalue())


def put(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())


def tree(folder: Path) -> dict[str, bytes]:
    """All that is not ours alone: every file but what lies in `.memory`."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".memory" not in path.relative_to(folder).parts
    }


class Verb(NamedTuple):
    """A verb that writes, as the campaign calls it."""

    name: str
    words: tuple[str, ...]
    start: str
    """The workspace that it is called in."""
    whole: bool = True
    """All of it happens or nothing."""
    again: bool = True
    """Called once more it adds nothing."""
    stdin: str = ""
    gone: tuple[str, ...] = ()
    """Words of which no byte stays."""


class World:
    """The workspaces by name, below one folder; each step works on a copy."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.starts = top / "starts"
        for name, make in self._makers().items():
            home = self.starts / name
            put(home / "home", {".claude.json": '{"theme": "dark"}\n'})
            put(home / "vault", VAULT)
            put(home, {".claude/projects/here/abc.jsonl": _TRANSCRIPT})
            (home / "w").mkdir()
            make(home / "w")
        self.verbs = tuple(self._verbs())

    def _makers(self) -> dict[str, Callable[[Path], None]]:
        return {
            "empty": lambda root: None,
            "logs": self._logs,
            "lived": self._lived,
            "settled": self._settled,
            "connected": self._connected,
        }

    @staticmethod
    def _connected(root: Path) -> None:
        put(root, LIFE | PERSONS)
        assert command(root, ("setup", "claude-code", "--write")).status == 0

    @staticmethod
    def _logs(root: Path) -> None:
        put(root, LIFE | PERSONS)

    @staticmethod
    def _settled(root: Path) -> None:
        put(root, LIFE | PERSONS | {"memory/2026-01-30.md": MORE})
        with Memory(str(root), today=TODAY) as memory:
            assert memory.reflect(yes=True).applied
            memory.reflect(yes=True)
            memory.index()

    @staticmethod
    def _lived(root: Path) -> None:
        put(root, LIFE | PERSONS)
        with Memory(str(root), today=TODAY) as memory:
            assert memory.reflect(yes=True).applied
            put(root, {"memory/2026-01-30.md": MORE})
            memory.index()

    def _verbs(self) -> Iterator[Verb]:
        waiting: dict[str, Any] = json.loads(command(self.starts / "settled" / "w", ("review", "--json")).out)
        inferred, judged = ([each["id"] for each in waiting[kind]] for kind in ("inferred", "judge"))
        yield Verb("retain", ("retain", "W @Mona: Bought a lantern at the fair."), "settled")
        yield Verb("retain into nothing", ("retain", "W @Mona: Bought a lantern at the fair."), "empty")
        yield Verb("retain many", ("retain", "-"), "settled", whole=False, stdin=_facts())
        yield Verb("correct", ("correct", "owns", "Rolf owns orbit-ui, and Mona reviews it."), "settled")
        yield Verb("retract", ("retract", "molde", "--reason", "a mistake"), "settled")
        yield Verb("append", ("append", "bank/notes.md", "- Water the ferns."), "settled", again=False)
        yield Verb("append to nothing", ("append", "bank/new.md", "# New\n\n- One."), "settled", again=False)
        yield Verb("replace", ("replace", "MEMORY.md", "the owner", "the captain"), "settled", again=False)
        yield Verb("insert", ("insert", "bank/notes.md", "- First.", "--after", "2"), "settled", again=False)
        yield Verb("reflect", ("reflect", "--yes"), "lived")
        yield Verb("reflect at first", ("reflect", "--yes"), "logs")
        yield Verb("reflect undone", ("reflect", "--undo"), "settled", again=False)
        yield Verb("review accept", ("review", "accept", *inferred[:2]), "settled", whole=False, again=False)
        yield Verb("review reject", ("review", "reject", inferred[0]), "settled", whole=False, again=False)
        yield Verb("judge", ("judge", judged[0], "for"), "settled", whole=False, again=False)
        yield Verb("entity merge", ("entity", "merge", "Mona", "Rolf"), "settled", again=False)
        yield Verb("import", ("import", "VAULT", "--yes"), "settled", whole=False)
        yield Verb("init", ("init",), "empty", whole=False, again=False)
        yield Verb("index", ("index",), "logs")
        yield Verb("index rebuild", ("index", "--rebuild"), "settled")
        yield Verb("recall", ("recall", "what does Mona prefer?"), "logs")
        yield Verb("hook", ("hook",), "settled", stdin="SESSION")
        yield Verb("setup", ("setup", "claude-code", "--write"), "settled")
        yield Verb("setup removed", ("setup", "claude-code", "--remove"), "connected", again=False)
        yield Verb("forget", ("forget", "bergen"), "settled", again=False, gone=GONE[:1])
        yield Verb("forget many", ("forget", "--entity", "Rolf", "--yes"), "settled", again=False, gone=GONE[:2])

    def copy(self, verb: Verb, folder: Path) -> Path:
        """A copy of the workspace that a verb starts from, in a folder of the step's own."""
        shutil.copytree(self.starts / verb.start, folder, symlinks=True)
        return folder / "w"

    def call(self, root: Path, verb: Verb) -> Done:
        """Call a verb in a workspace."""
        words = tuple(str(root.parent / "vault") if word == "VAULT" else word for word in verb.words)
        return command(root, words, _session(root.parent) if verb.stdin == "SESSION" else verb.stdin)


_TRANSCRIPT = json.dumps({"type": "user", "message": {"role": "user", "content": "Mend the old kite"}}) + "\n"


def _session(home: Path) -> str:
    """What a host says when a session has ended."""
    path = home / ".claude/projects/here/abc.jsonl"
    return json.dumps(
        {
            "hook_event_name": "SessionEnd",
            "session_id": "abc",
            "cwd": "/srv",
            "reason": "other",
            "transcript_path": str(path),
        }
    )


def _facts() -> str:
    return "".join(f"W @Mona: Bought lamp number {number}.\n" for number in range(4))


def free(folder: Path) -> None:
    """Remove a step's folder."""
    shutil.rmtree(folder, ignore_errors=True)


def memory_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file of a workspace, the hidden ones too, with its bytes."""
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            with open(path, "rb") as file:
                yield os.path.relpath(path, folder), file.read()
