"""Forget on a bad day: killed, out of space, without permission; afterwards no byte is left, or nothing was changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.deaths import DEATHS, FULL_DISKS

from commonplace.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

TODAY = date(2025, 12, 1)
WORD = b"xanaduword"
LOG, PAGE = "memory/2025-11-27.md", "bank/entities/Peter.md"
FILES = {
    LOG: "# Day\n\n## Retain\n\n- W @Peter: The xanaduword stands in the cellar of Oslo. ^forget1\n"
    "- W @Peter: Lives in Vienna. ^stay01\n",
    "memory/2025-11-28.md": "## Retain\n- W @Peter: Sold the boat. <!-- cp: supersedes=^forget1 --> ^boat12\n",
}
SCRIPT = """
import shutil, sys
from datetime import date
from commonplace.errors import CommonplaceError
from commonplace.memory import Memory
from commonplace.store.sqlite import database
from commonplace.store.fs import system
top, life, job = sys.argv[1:]
def work(root, watched, told=print):
    os.rmdir(root)
    shutil.copytree(life, root)
    with Memory(root, today=date(2025, 12, 1)) as memory:
        memory.index()
        watched()
        try:
            if job == "forget":
                told("" if memory.forget("forget1").complete else "incomplete")
            elif job.startswith("id:"):
                memory.forget(job[3:])
            elif job == "forget_all":
                told("" if memory.forget_all(entity="Peter", yes=True).complete else "incomplete")
            else:
                memory.reflect(yes=True)
        except CommonplaceError as error:
            told(str(error))
"""
DIES = """
calls = [(os, name) for name in ("write", "replace", "unlink", "mkdir")]
calls += [(system, "_flagged"), (database.Database, "transaction"), (database.Database, "shrink")]
print(deaths(top, calls, work))
"""


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace whose fact is on pages, quoted by a retraction, kept for undo and displaced."""
    root = made(tmp_path_factory.mktemp("forget") / "life")
    with Memory(str(root), today=TODAY) as memory:
        memory.reflect(yes=True)
        memory.retain("W @Mona: Lives in Rome.", date="2025-11-28")
        (root / "memory/.2025-11-28.md.cp-1-0123456789.tmp").write_bytes(WORD)
        (root / ".memory/index.sqlite.corrupt").write_bytes(WORD)
        memory.retract("forget1", reason="gone")
    assert PAGE in holding(root)
    assert len(holding(root)) > 5
    return root


def made(root: Path) -> Path:
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def holding(root: Path) -> list[str]:
    return sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and not path.is_symlink() and WORD in path.read_bytes()
    )


def tree(root: Path) -> dict[str, bytes]:
    """What people see: everything but our own folder and temporary files."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".memory" not in path.parts and not path.name.endswith(".tmp")
    }


def ran(quick: Path, prelude: str, script: str, life: Path, job: str) -> Iterator[Path]:
    """A folder for each step at which the job met its fault."""
    file, top = quick / "script.py", quick / "w"
    file.write_text(prelude + SCRIPT + script)
    top.mkdir()
    done = subprocess.run(
        [sys.executable, str(file), str(top), str(life), job], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    count = int(done.stdout.split("\n")[-2])
    assert count > 15, "too few steps to mean anything"
    for number in range(count):
        yield top / str(number)


def stays(root: Path) -> None:
    """Nothing else went."""
    assert (root / LOG).read_text() == FILES[LOG].replace(FILES[LOG].split("\n")[4] + "\n", "")
    assert "- W @Peter: Sold the boat. ^boat12\n" in (root / "memory/2025-11-28.md").read_text()


@pytest.mark.parametrize("next_command", ["forget", "recall"])
def test_killed_at_any_step_the_next_command_finishes_it(quick: Path, life: Path, next_command: str) -> None:
    """Before the note is written nothing is changed, and `recall` finishes nothing; from then on all of it goes."""
    seen = set()
    for root in ran(quick, DEATHS, DIES, life, "forget"):
        begun = any((root / ".memory/keep/journal").glob("forget-*.json"))
        gone = WORD not in (root / LOG).read_bytes()
        assert begun or gone or tree(root) == tree(life), "all or nothing"
        seen.add((begun, gone))
        with Memory(str(root), today=TODAY) as memory:
            if next_command == "forget":
                done = memory.forget("forget1")
                assert (done.fact.id, done.complete, done.elsewhere, done.problems) == ("forget1", True, (), ())
            else:
                hits = memory.recall("xanaduword").hits
                assert bool(hits) == (not begun and not gone), root
                notices = [notice.message for notice in memory.notices() if notice.code == "interrupted-forget"]
                assert notices == (["the interrupted forget of ^forget1 was finished"] if begun else [])
        if next_command == "forget" or begun or gone:
            assert holding(root) == [], root
            stays(root)
        shutil.rmtree(root)
    assert seen >= {(False, False), (True, False), (True, True)}


def test_killed_at_any_step_of_one_of_twins_the_other_stays(quick: Path) -> None:
    twin = "- W @Peter: The xanaduword stands in the cellar.\n"
    life = made(quick / "life")
    (life / LOG).write_text(f"## Retain\n{twin}{twin}")
    with Memory(str(life)) as memory:
        id = memory.recall("xanaduword").hits[0].id
    for root in ran(quick, DEATHS, DIES, life, f"id:{id}"):
        with Memory(str(root), today=TODAY) as memory:
            if (root / LOG).read_text().count(twin) == 2 and not memory.notices():
                memory.forget(id)
        assert (root / LOG).read_text() == f"## Retain\n{twin}", root
        shutil.rmtree(root)


def test_killed_at_any_step_of_many_at_once(quick: Path, life: Path) -> None:
    for root in ran(quick, DEATHS, DIES, life, "forget_all"):
        with Memory(str(root), today=TODAY) as memory:
            done = memory.forget_all(entity="Peter", yes=True)
            assert done.complete
            assert memory.forget_all(entity="Peter").facts == ()
        assert holding(root) == [], root
        assert b"Vienna" not in b"".join(path.read_bytes() for path in root.rglob("*") if path.is_file()), root
        shutil.rmtree(root)


def test_a_reflect_that_was_killed_leaves_none_of_it_behind_a_forget(quick: Path) -> None:
    """Its staged pages, its note and what it displaced go too, though a process of that number may be alive."""
    staged = 0
    for root in ran(quick, DEATHS, DIES, made(quick / "life"), "reflect"):
        for left in root.rglob(".*.cp-*.tmp"):
            staged += WORD in left.read_bytes()
            stem, _, rest = left.name.rpartition(".cp-")
            left.rename(left.with_name(f"{stem}.cp-{os.getpid()}-{rest.partition('-')[2]}"))
        with Memory(str(root), today=TODAY) as memory:
            assert memory.forget("forget1").complete
        assert holding(root) == [], root
        stays(root)
        shutil.rmtree(root)
    assert staged > 3


@pytest.mark.parametrize("calls", ["write", "replace rename unlink _flagged"])
def test_a_full_disk_at_any_step_is_told_as_it_is(quick: Path, life: Path, calls: str) -> None:
    listed = ", ".join(f"({'system' if name == '_flagged' else 'os'}, {name!r})" for name in calls.split())
    before = tree(life)
    (quick / "w").mkdir()
    file = quick / "script.py"
    file.write_text(FULL_DISKS + SCRIPT + f"print(full_disks(top, [{listed}], work))")
    words = [sys.executable, str(file), str(quick / "w"), str(life), "forget"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    for number in range(int(done.stdout)):
        root = quick / "w" / str(number)
        said = root.with_suffix(".said").read_text()
        assert ("nothing was changed" in said) == (tree(root) == before), (number, said)
        assert said or holding(root) == []
        with Memory(str(root), today=TODAY) as memory:
            if said:
                assert memory.forget("forget1").complete
        assert holding(root) == [], (number, said)
        stays(root)


NOBODY = """
import os, sys
from commonplace.doors.cli.main import run
import io, json
def call(root, *words):
    out, err = io.StringIO(), io.StringIO()
    env = {"HOME": os.environ["HOME"], "COMMONPLACE_WORKSPACE": root}
    status = run(words, stdin=io.BytesIO(b""), out=out, err=err, env=env, cwd=root)
    return status, out.getvalue() + err.getvalue()
warm, root, *changed = sys.argv[1:]
call(warm, "forget", "forget1")  # nobody may not even read this program: load all of it first
call(warm, "forget", "forget1")
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
print(json.dumps(call(root, "forget", "forget1")))
for each in changed:
    os.chmod(each, 0o700)
print(json.dumps(call(root, "forget", "forget1")))
"""


@pytest.mark.parametrize(
    ("path", "mode", "hint"),
    [
        (PAGE, 0o444, f"fix the permissions of {PAGE} (chmod u+w)"),
        (PAGE, 0, "fix its permissions, or move it out of the workspace"),
        ("bank/entities", 0o555, "fix the permissions of bank/entities (chmod u+w)"),
        ("bank/entities", 0, "fix its permissions, or move it out of the workspace"),
        (LOG, 0o444, f"fix the permissions of {LOG} (chmod u+w)"),
        ("memory", 0o555, "fix the permissions of memory (chmod u+w)"),
        (".memory", 0o555, "fix the permissions of that folder (chmod u+rwx)"),
        (".memory/keep", 0o555, "fix the permissions of that folder (chmod u+rwx)"),
        (".memory/keep/journal", 0o555, "fix the permissions of that folder (chmod u+rwx)"),
        (".memory/keep/displaced", 0, "fix the permissions of that folder (chmod u+rwx)"),
    ],
)
def test_without_permission_nothing_is_changed_and_the_retry_works(path: str, mode: int, hint: str, life: Path) -> None:
    """As root, the child becomes nobody first."""
    import json

    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        root, warm, home = (Path(top) / name for name in ("w", "warm", "home"))
        shutil.copytree(life, root)
        made(warm)
        home.mkdir()
        for each in (root, home, *root.rglob("*")):
            if os.geteuid() == 0:
                os.chown(each, 65534, 65534)
        before = tree(root)
        (root / path).chmod(mode)
        script = Path(top) / "script.py"
        script.write_text(NOBODY)
        done = subprocess.run(
            [sys.executable, str(script), str(warm), str(root), str(root / path)],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            env={**os.environ, "HOME": str(home)},
        )
        assert done.returncode == 0, done.stderr
        (refused, said), (status, after) = (json.loads(line) for line in done.stdout.splitlines())
        assert refused == 1
        assert path in said and hint in said and "nothing was changed" in said, said
        assert tree(root) != before
        assert (status, after.startswith("forgotten ^forget1")) == (0, True), after
        assert holding(root) == []
        stays(root)
