"""Real faults: killed processes, full and read-only disks, disks that lie, editors that save at the same moment.

Every fault happens in a child process. Where one must happen at a certain step, the child counts its own calls of the
operating system; the calls themselves are real. Each child that is to be killed is killed by SIGKILL.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.deaths import DEATHS

from commonplace.core.markdown.text_edits import append
from commonplace.core.model import Patch
from commonplace.store.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

LOG = "memory/2025-11-27.md"
DAY = "# Day\n- before\n"

PRELUDE = """
import errno, os, signal, sys
from commonplace.core.markdown.text_edits import append
from commonplace.core.model import Patch
from commonplace.errors import CommonplaceError
from commonplace.store.fs import publish, system
from commonplace.store.transactions import change_journal, change_sets, locked_writer
from commonplace.store.workspace import markdown_folder
from commonplace.store.workspace import Workspace
LOG = "memory/2025-11-27.md"

def become_nobody():
    '''Give up being root, who may do anything. Imports come first: nobody may not even read this program.'''
    import ctypes, fcntl, hashlib, json, unicodedata
    import commonplace.core.markdown.merge
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)

def say(error):
    print(type(error).__name__, error.code, str(error), sep="|")
"""


def child(script: str, *arguments: object, check: bool = True) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PRELUDE + script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if check:
        assert done.returncode == 0, done.stderr
    return done


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return made(tmp_path / "root")


def made(root: Path) -> Path:
    (root / "memory").mkdir(parents=True)
    (root / LOG).write_text(DAY)
    return root


def tree(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".memory" not in path.parts
    }


def visible(root: Path) -> dict[str, str]:
    """Without the temporary files that a crash may leave."""
    return {path: text for path, text in tree(root).items() if not path.endswith(".tmp")}


# Killed.

KILLED = """
top, job = sys.argv[1:]
CALLS = ("open", "write", "fsync", "close", "rename", "replace", "link", "unlink", "mkdir", "fchmod", "read", "listdir")

def work(root, watched):
    os.mkdir(os.path.join(root, "memory"))
    with open(os.path.join(root, LOG), "w") as file:
        file.write("# Day\\n- before\\n")
    workspace = Workspace(root)
    workspace.ensure_memory_dir()
    def edit(text):
        if "- person" not in text and job == "raced":
            with open(os.path.join(root, "memory", "save~"), "w") as file:
                file.write(text + "- person\\n")
            os.replace(os.path.join(root, "memory", "save~"), os.path.join(root, LOG))
            open(root + ".saved", "w").close()
        return append(text, "- agent")
    if job == "apply":
        page = workspace.read(LOG)
        found = [
            Patch("bank/world.md", None, "# World\\n", "new"),
            Patch(LOG, page.digest, page.text + "- agent\\n", "changed"),
            Patch("bank/entities/Peter.md", None, "# Peter\\n", "new"),
        ]
        watched()
        workspace.apply(found, "reflect")
    elif job == "undo":
        page = workspace.read(LOG)
        found = [Patch("bank/world.md", None, "# World\\n", "new"), Patch(LOG, page.digest, "new\\n", "x")]
        workspace.apply(found, "reflect")
        watched()
        workspace.undo()
    else:
        watched()
        workspace.change(LOG, edit)

print(deaths(top, [*((os, name) for name in CALLS), (system, "_flagged")], work))
"""


def killed(top: Path, job: str, at_least: int) -> Iterator[Path]:
    """A folder for each step at which a process that did the job was killed; the last one lived."""
    count = int(child(DEATHS + KILLED, top, job).stdout)
    assert count > at_least, "too few steps to mean anything"
    for number in range(count):
        yield top / str(number)


def test_killed_at_any_step_of_a_change(quick: Path) -> None:
    seen = set()
    for root in killed(quick, "change", 10):
        found = visible(root)
        seen.add(found[LOG])
        assert list(found) == [LOG]
        assert found[LOG] in (DAY, DAY + "- agent\n"), "never half of it"
        assert sorted(Workspace(str(root)).sweep()) == [LOG], "what is left over is not listed"
        Workspace(str(root)).change(LOG, lambda text: append(text or "", "- after"))
        assert tree(root) == {LOG: found[LOG] + "- after\n"}, "the next writer sweeps it"
    assert len(seen) == 2


def test_killed_at_any_step_while_an_editor_saves(quick: Path) -> None:
    """The editor saves between our look and our step: its line is there, whenever we die."""
    saved = 0
    for root in killed(quick, "raced", 15):
        Workspace(str(root)).change(LOG, lambda text: append(text or "", "- after"))
        lines = tree(root)[LOG].splitlines()
        assert {"# Day", "- before", "- after"} <= set(lines)
        if root.with_suffix(".saved").exists():
            assert "- person" in lines, root
            saved += 1
        assert not list(root.rglob("*.cp-*")), "nothing left over"
    assert saved > 10
    assert lines == ["# Day", "- before", "- person", "- agent", "- after"]


def test_killed_at_any_step_of_many_files(quick: Path) -> None:
    new = {LOG: DAY + "- agent\n", "bank/world.md": "# World\n", "bank/entities/Peter.md": "# Peter\n"}
    outcomes = set()
    for root in killed(quick, "apply", 40):
        for path, text in visible(root).items():
            assert text in (new[path], DAY if path == LOG else None), "each file whole"
        assert Workspace(str(root)).recover() == ()
        found = visible(root)
        assert found in ({LOG: DAY}, new), "all or nothing"
        outcomes.add(len(found))
        workspace = Workspace(str(root))
        undone = workspace.undo()
        assert visible(root) == {LOG: DAY}
        assert len(undone) == (3 if found == new else 0)
        for path in new:
            workspace.change(path, lambda text: append(text or "", "- after"))
        assert all(text.endswith("- after\n") for text in tree(root).values()), "nothing left over"
        assert len(tree(root)) == 3
    assert outcomes == {1, 3}


def test_killed_at_any_step_of_an_undo(quick: Path) -> None:
    for root in killed(quick, "undo", 20):
        assert Workspace(str(root)).recover() == ()
        assert visible(root) in ({LOG: DAY}, {LOG: "new\n", "bank/world.md": "# World\n"}), "all or nothing"
        Workspace(str(root)).undo()
        assert visible(root) == {LOG: DAY}


def test_an_interrupted_set_is_finished_but_for_what_somebody_edited(quick: Path) -> None:
    reported = 0
    for root in killed(quick, "apply", 40):
        pending = list((root / ".memory/keep/journal").glob("pending-*.json"))
        edited = f"{visible(root)[LOG]}- person\n"
        (root / LOG).write_text(edited)
        workspace = Workspace(str(root))
        problems = workspace.recover()
        assert (root / LOG).read_text() == edited
        assert bool(problems) == bool(pending)
        if pending:
            reported += 1
            assert [(problem.source.path, problem.code) for problem in problems] == [(LOG, "interrupted-change")]
            assert len(visible(root)) == 3
            assert workspace.recover() == (), "told once"
    assert reported > 3


def test_the_lock_of_a_killed_process_is_free(root: Path) -> None:
    script = """
workspace = Workspace(sys.argv[1])
with workspace.locked():
    print("held", flush=True)
    signal.pause()
"""
    command = [sys.executable, "-c", PRELUDE + script, str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        holder.kill()
    Workspace(str(root)).change(LOG, lambda text: append(text or "", "- agent"))
    assert (root / LOG).read_text() == DAY + "- agent\n"


# Disks.

TRY = """
workspace = Workspace(sys.argv[1])
size = int(sys.argv[2])
def attempt(action):
    try:
        action()
        print("done")
    except CommonplaceError as error:
        say(error)
"""
WRITES = """
attempt(lambda: workspace.change(LOG, lambda text: append(text, "x" * size)))
attempt(lambda: workspace.write("memory/new.md", "x" * size, before=None))
page = workspace.read(LOG)
found = [Patch("a.md", None, "small", "r"), Patch(LOG, page.digest, "x" * size, "r")]
attempt(lambda: workspace.apply(found, "reflect"))
"""


def test_a_limit_on_file_size(root: Path) -> None:
    """EFBIG, as from a quota: the error names the mount, the bytes needed and what to do."""
    script = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))"
    before = tree(root)
    lines = child(script + TRY + WRITES, root, 30_000).stdout.splitlines()
    assert len(lines) == 3
    for line in lines:
        kind, code, message = line.split("|")
        assert (kind, code) == ("NotWritable", "not-writable")
        assert "File too large on /" in message
        assert "30,0" in message and "bytes needed" in message
        assert "raise the limit on file size and try again; nothing was changed" in message
    assert tree(root) == before
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    assert Workspace(str(root)).undo() == ()


def test_a_limit_that_the_journal_meets(root: Path) -> None:
    """The outputs fit, the note of them does not: nothing is published."""
    script = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))"
    before = tree(root)
    (line,) = child(
        script
        + TRY
        + 'attempt(lambda: workspace.apply([Patch(f"{n}.md", None, "x" * size, "r") for n in range(3)], "reflect"))',
        root,
        15_000,
    ).stdout.splitlines()
    assert line.startswith("NotWritable|not-writable|the journal of the change cannot be written: File too large")
    assert tree(root) == before
    assert Workspace(str(root)).recover() == ()


def test_a_full_disk(tmp_path: Path) -> None:
    """ENOSPC and EROFS on a small file system of its own; by a limit where none can be mounted."""
    root = tmp_path / "disk"
    root.mkdir()
    inner = (
        TRY
        + """
os.makedirs(os.path.join(sys.argv[1], "memory"))
with open(os.path.join(sys.argv[1], LOG), "w") as file:
    file.write("# Day\\n")
workspace.ensure_memory_dir()
"""
        + WRITES
        + """
left = open(os.path.join(sys.argv[1], LOG)).read()
print(sorted(os.listdir(os.path.join(sys.argv[1], "memory"))), left == "# Day\\n")
"""
    )
    script = tmp_path / "script.py"
    script.write_text(PRELUDE + inner)
    mount = f'mount -t tmpfs -o size=128k none "{root}" && exec "{sys.executable}" "{script}" "{root}" 300000'
    unshare = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c", mount]
    mounted = shutil.which("unshare") is not None
    done = subprocess.run(unshare, capture_output=True, text=True, check=False) if mounted else None
    if done is None or "mount" in done.stderr or "unshare" in done.stderr:
        limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))"
        done = child(limit + inner, root, 300_000)
    assert done.returncode == 0, done.stderr
    *lines, left = done.stdout.splitlines()
    assert len(lines) == 3
    for line in lines:
        kind, code, message = line.split("|")
        assert (kind, code) == ("NotWritable", "not-writable"), line
        assert "No space left on device" in message or "File too large" in message
        assert "300,0" in message
    assert left == "['2025-11-27.md'] True"


def test_a_set_that_stands_is_no_failure_though_its_note_cannot_be_renamed(root: Path) -> None:
    script = """
workspace = Workspace(sys.argv[1])
page = workspace.read(LOG)
rename = os.replace
def refuse(one, other, **folders):
    if os.path.basename(os.fspath(other)).startswith("done-"):
        raise OSError(errno.EIO, "Input/output error")
    return rename(one, other, **folders)
os.replace = refuse
workspace.apply([Patch(LOG, page.digest, "new\\n", "r"), Patch("a.md", None, "a\\n", "r")], "reflect")
workspace.change("a.md", lambda text: text + "b\\n")
print(workspace.notices(), workspace.undo())
"""
    assert child(script, root).stdout == "() ()\n"
    assert tree(root) == {LOG: "new\n", "a.md": "a\nb\n"}
    workspace = Workspace(str(root))
    workspace.change(LOG, lambda text: append(text or "", "- after"))
    assert tree(root) == {LOG: "new\n- after\n", "a.md": "a\nb\n"}


HALFWAY = """
workspace = Workspace(sys.argv[1])
page = workspace.read(LOG)
flagged, unlink, published = system._flagged, os.unlink, []
def some(fd, one, *, target, flags):
    if published and (sys.argv[2] == "stuck" or target == "b.md"):
        raise OSError(errno.EIO, "Input/output error", target)
    published.append(target)
    return flagged(fd, one, target=target, flags=flags)
def keep(name, **folder):
    if os.path.basename(os.fspath(name)).startswith("pending-"):
        raise OSError(errno.EACCES, "Permission denied", name)
    return unlink(name, **folder)
system._flagged = some
os.unlink = keep
try:
    workspace.apply([Patch(LOG, page.digest, "new\\n", "r"), Patch("b.md", None, "b\\n", "r")], "reflect")
except CommonplaceError as error:
    say(error)
"""


def test_a_set_that_fails_halfway_is_taken_back_and_stays_so(root: Path) -> None:
    said = child(HALFWAY, root, "taken back").stdout
    assert said.startswith("NotWritable|not-writable|b.md cannot be written: Input/output error")
    assert "nothing was changed" in said
    assert Workspace(str(root)).recover() == ()
    assert visible(root) == {LOG: DAY}, "the note that could not be removed says nothing"


def test_a_set_that_can_neither_go_on_nor_back_says_so_and_is_finished_later(root: Path) -> None:
    said = child(HALFWAY, root, "stuck").stdout
    assert said.startswith("WorkspaceError|halfway|the change stopped halfway (b.md cannot be written")
    assert f"{LOG} may be changed" in said
    assert "nothing was changed" not in said
    assert Workspace(str(root)).recover() == ()
    assert visible(root) == {LOG: "new\n", "b.md": "b\n"}


def test_a_lock_that_cannot_be_opened(root: Path) -> None:
    Workspace(str(root)).ensure_memory_dir()
    (root / ".memory/lock").mkdir()
    (line,) = child(TRY + 'attempt(lambda: workspace.change(LOG, lambda text: "x"))', root, 0).stdout.splitlines()
    assert line.startswith("NotWritable|not-writable|the lock ")
    assert "/.memory/lock cannot be opened: Is a directory" in line
    assert "delete that file" in line
    assert tree(root) == {LOG: DAY}


def test_a_folder_without_permission_to_write() -> None:
    """As root, the child becomes nobody first."""
    with tempfile.TemporaryDirectory() as top:
        root = made(Path(top) / "root")
        os.chmod(top, 0o755)
        for folder in (root, root / "memory"):
            os.chmod(folder, 0o555)
        cache = Path(top) / "cache"
        cache.mkdir()
        os.chmod(cache, 0o777)
        script = (
            """
os.environ["XDG_CACHE_HOME"] = os.environ["LOCALAPPDATA"] = sys.argv[3]
os.environ["HOME"] = sys.argv[3]
become_nobody()
"""
            + TRY
            + """
print(workspace.writable, workspace.memory_dir.startswith(sys.argv[3]), workspace.exchange)
print(os.path.isdir(workspace.ensure_memory_dir()), list(workspace.sweep()))
"""
            + WRITES
        )
        first, second, *lines = child(script, root, 10, cache).stdout.splitlines()
        assert first == "False True False"
        assert second == f"True ['{LOG}']"
        assert len(lines) == 3
        for line in lines:
            assert line.startswith("NotWritable|not-writable|"), line
            assert "Permission denied" in line and "fix the permissions" in line
        assert tree(root) == {LOG: DAY}
        assert not (root / ".memory").exists()
        for folder in (root, root / "memory"):
            os.chmod(folder, 0o755)


def test_folders_and_files_that_cannot_be_read() -> None:
    with tempfile.TemporaryDirectory() as top:
        root = made(Path(top) / "root")
        os.chmod(top, 0o755)
        (root / "memory/closed").mkdir()
        (root / "memory/closed/x.md").write_text("x")
        (root / "memory/private.md").write_text("x")
        os.chmod(root / "memory/closed", 0)
        os.chmod(root / "memory/private.md", 0)
        script = (
            "become_nobody()"
            + TRY
            + """
print(sorted(workspace.sweep()))
print([(problem.source.path, problem.code) for problem in workspace.skipped])
attempt(lambda: workspace.read("memory/private.md"))
attempt(lambda: workspace.read("memory/closed/x.md"))
attempt(lambda: workspace.read(LOG))
"""
        )
        listed, skipped, *lines = child(script, root, 0).stdout.splitlines()
        assert listed == f"['{LOG}', 'memory/private.md']"
        assert skipped == "[('memory/closed', 'unreadable')]"
        assert [line.split("|")[0] for line in lines] == ["WorkspaceError", "WorkspaceError", "done"]
        assert "memory/private.md cannot be read: Permission denied" in lines[0]
        os.chmod(root / "memory/closed", 0o755)


def test_a_disk_that_fails_to_confirm_the_text(root: Path) -> None:
    """EIO on fsync of the new text: refused, tried once only, nothing changed."""
    script = (
        TRY
        + """
workspace.ensure_memory_dir()
tries = []
def fail(fd):
    tries.append(fd)
    raise OSError(errno.EIO, "Input/output error")
os.fsync = fail
attempt(lambda: workspace.change(LOG, lambda text: append(text, "x")))
print(len(tries))
"""
    )
    line, tries = child(script, root, 0).stdout.splitlines()
    assert line.startswith("NotWritable|not-writable|memory/2025-11-27.md cannot be written: Input/output error on /")
    assert tries == "1"
    assert tree(root) == {LOG: DAY}


def test_a_disk_that_fails_to_confirm_the_name(root: Path) -> None:
    """EIO on fsync of the folder: the text is there, and the error says just that."""
    script = (
        TRY
        + """
import stat
workspace.ensure_memory_dir()
real = os.fsync
def fail(fd):
    if stat.S_ISDIR(os.fstat(fd).st_mode):
        raise OSError(errno.EIO, "Input/output error")
    real(fd)
os.fsync = fail
attempt(lambda: workspace.change(LOG, lambda text: append(text, "- agent")))
"""
    )
    (line,) = child(script, root, 0).stdout.splitlines()
    assert line.startswith(
        "WorkspaceError|unconfirmed|memory/2025-11-27.md is written, but the disk did not confirm it"
    )
    assert tree(root) == {LOG: DAY + "- agent\n"}


def test_a_disk_that_lies_about_what_it_wrote(root: Path) -> None:
    """A write that is reported whole and is three bytes short is found out before anything is published."""
    script = (
        TRY
        + """
workspace.ensure_memory_dir()
real = os.write
os.write = lambda fd, data: real(fd, data[:-3]) + 3
attempt(lambda: workspace.change(LOG, lambda text: append(text, "- agent")))
"""
    )
    (line,) = child(script, root, 0).stdout.splitlines()
    assert line.startswith("NotWritable|not-writable|") and "does not contain what was written" in line
    assert tree(root) == {LOG: DAY}


def test_a_full_disk_in_the_moment_of_a_save(root: Path) -> None:
    """Ours is out, theirs displaced, and the merge does not fit: theirs is put back."""
    script = (
        TRY
        + """
workspace.ensure_memory_dir()
real, writes = os.write, 0
def full(fd, data):
    global writes
    writes += 1
    if writes > 1:
        raise OSError(errno.ENOSPC, "No space left on device")
    return real(fd, data)
os.write = full
def edit(text):
    if "- person" not in text:
        with open(os.path.join(sys.argv[1], LOG), "a") as file:
            file.write("- person\\n")
    return append(text, "- agent")
attempt(lambda: workspace.change(LOG, edit))
"""
    )
    (line,) = child(script, root, 0).stdout.splitlines()
    assert line.startswith("NotWritable|not-writable|") and "No space left" in line
    assert tree(root) == {LOG: DAY + "- person\n"}


# Systems that lack something.


def test_without_an_exchange_the_lock_and_the_comparison_protect(root: Path) -> None:
    script = """
import ctypes
def missing(*_, **__):
    raise OSError(errno.ENOENT, "no such library")
ctypes.CDLL = missing
workspace = Workspace(sys.argv[1])
print(workspace.exchange, workspace.locks)
def edit(text):
    if "- person" not in text:
        with open(os.path.join(sys.argv[1], LOG), "a") as file:
            file.write("- person\\n")
    return append(text, "- agent")
print(workspace.change(LOG, edit).text)
workspace.write("memory/new.md", "new\\n", before=None)
page = workspace.read("memory/new.md")
workspace.apply([Patch("memory/new.md", page.digest, "newer\\n", "r"), Patch("x.md", None, "x", "r")], "reflect")
print([each.outcome for each in workspace.undo()])
try:
    workspace.write("memory/new.md", "again\\n", before=None)
except CommonplaceError as error:
    say(error)
"""
    lines = child(script, root).stdout.splitlines()
    assert lines[0] == "False True"
    assert lines[1:5] == ["# Day", "- before", "- person", "- agent"]
    assert lines[-2] == "['restored', 'removed']"
    assert lines[-1].startswith("ChangedUnderneath")
    assert tree(root) == {LOG: DAY + "- person\n- agent\n", "memory/new.md": "new\n"}


def test_without_hard_links_either(root: Path) -> None:
    script = """
import ctypes
def missing(*_, **__):
    raise OSError(errno.EPERM, "not supported")
ctypes.CDLL = os.link = missing
workspace = Workspace(sys.argv[1])
workspace.change(LOG, lambda text: append(text, "- agent"))
workspace.write("memory/new.md", "new\\n", before=None)
"""
    child(script, root)
    assert tree(root) == {LOG: DAY + "- agent\n", "memory/new.md": "new\n"}


def test_without_locks_the_exchange_protects(root: Path) -> None:
    script = """
import fcntl
def missing(*_):
    raise OSError(errno.ENOLCK, "no locks available")
fcntl.flock = missing
from commonplace.store.workspace import Workspace
workspace = Workspace(sys.argv[1])
assert not workspace.locks
for number in range(30):
    workspace.change(LOG, lambda text: append(text, f"- {sys.argv[2]} {number}"))
"""
    command = [sys.executable, "-c", PRELUDE + script, str(root)]
    running = [subprocess.Popen([*command, str(who)]) for who in range(3)]
    assert [process.wait() for process in running] == [0] * 3
    Workspace(str(root)).late_writes()
    lines = (root / LOG).read_text().splitlines()
    assert {f"- {who} {number}" for who in range(3) for number in range(30)} <= set(lines)


# Editors.

SAVED_AFTER = """
# An editor that read the file before our step and saves it right after.
import stat
workspace = Workspace(sys.argv[1])
workspace.ensure_memory_dir()
path = os.path.join(sys.argv[1], LOG)
real, buffer = os.fsync, open(path).read()
def save(fd):
    real(fd)
    if stat.S_ISDIR(os.fstat(fd).st_mode) and buffer:
        text = buffer + "- person\\n"
        globals()["buffer"] = ""
        if sys.argv[2] == "rename":
            with open(path + "~", "w") as file:
                file.write(text)
            os.replace(path + "~", path)
        else:
            with open(path, "w") as file:
                file.write(text)
os.fsync = save
print(workspace.change(LOG, lambda text: append(text, "- agent")).text)
"""


@pytest.mark.parametrize("way", ["rename", "in place"])
def test_a_save_right_after_ours_by_one_who_did_not_know(root: Path, way: str) -> None:
    child(SAVED_AFTER, root, way)
    assert sorted(tree(root)[LOG].splitlines()) == sorted(["# Day", "- before", "- person", "- agent"])
    assert list(tree(root)) == [LOG]


EDITOR = """
# A careful editor: it saves only over what it has read, by turns in place and by rename; prints what it overwrote.
import json, time
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from editor import save_by_rename
path, lost = Path(sys.argv[1], LOG), []
for number in range(int(sys.argv[2])):
    line, overwritten = f"- person {number}\\n", None
    if number % 2:
        with open(path, "r+") as file:
            file.read()
            file.write(line)
        continue
    while overwritten is None:
        seen = path.read_text()
        overwritten = save_by_rename(path, seen, seen + line)
    lost += overwritten
    time.sleep(0.004)
print(json.dumps(lost))
"""


def test_an_editor_and_a_writer_at_the_same_time(root: Path) -> None:
    command = [sys.executable, "-c", PRELUDE + EDITOR, str(root), "40", str(Path(__file__).parents[2])]
    workspace = Workspace(str(root))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as editor:
        number = 0
        while editor.poll() is None or number < 40:
            workspace.change(LOG, lambda text, line=f"- agent {number}": append(text or "", line))  # type: ignore[misc]
            number += 1
        assert editor.stdout is not None
        lost = set(json.loads(editor.stdout.read()))
    assert editor.returncode == 0
    workspace.late_writes()
    lines = set((root / LOG).read_text().splitlines())
    expected = {"# Day", "- before", *(f"- person {n}" for n in range(40)), *(f"- agent {n}" for n in range(number))}
    assert lines <= expected
    assert expected - lines <= lost & {f"- agent {n}" for n in range(number)}, "the editor's loss, not ours"
    assert list(tree(root)) == [LOG]


def test_a_set_and_an_editor_at_the_same_moment(root: Path) -> None:
    """The editor saves one of the pages while the set is being staged: both edits stand, and undo leaves the page."""
    script = """
import stat
workspace = Workspace(sys.argv[1])
workspace.ensure_memory_dir()
path, real, done = os.path.join(sys.argv[1], LOG), os.fsync, []
def save(fd):
    real(fd)
    if not done:
        done.append(1)
        with open(path, "a") as file:
            file.write("- person\\n")
os.fsync = save
page = workspace.read(LOG)
renewed = Patch(LOG, page.digest, "# Renewed\\n- before\\n", "r")
workspace.apply([Patch("bank/world.md", None, "# W\\n", "r"), renewed], "x")
"""
    child(script, root)
    assert tree(root) == {LOG: "# Renewed\n- before\n- person\n", "bank/world.md": "# W\n"}
    assert [each.outcome for each in Workspace(str(root)).undo()] == ["removed", "restored"]
    assert tree(root) == {LOG: DAY}


def test_many_patches_are_made_and_taken_back(root: Path) -> None:
    workspace = Workspace(str(root))
    found = [Patch(f"bank/entities/{number}.md", None, "x\n", "new") for number in range(300)]
    assert len(workspace.apply(found, "reflect")) == 300
    assert len(workspace.undo()) == 300
    assert tree(root) == {LOG: DAY}
