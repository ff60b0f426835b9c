"""Doctor: what can be wrong is made wrong for real, is told with what to do, and is mended where it is safe."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from commonplace import Memory
from commonplace.doors.setup.client_setup import clients
from commonplace.doors.table.host_verbs import CLIENTS
from commonplace.ops.views import diagnose as checks
from commonplace.store.sqlite.inspection import Examined, Library
from commonplace.store.workspace import Workspace
from commonplace.store.workspace.health import Mount, Room

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import Cli, Done, Write

LOG = "memory/2025-11-27.md"
FILES = {"MEMORY.md": "# Memory\n", LOG: "# Thursday\n\n## Retain\n- W @Peter: Drinks tea.\n"}
AREAS = {
    *("workspace", "permissions", "sqlite", "index", "leftovers", "locks", "disk", "clock", "secrets", "servers"),
    "clients",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


class Patient:
    """A workspace with an index, and a home without any program's configuration."""

    def __init__(self, root: Path, cli: Cli, home: Path) -> None:
        self.root, self._cli, self.home = root, cli, home
        assert self._cli("index", HOME=str(home)).status == 0

    def see(self, *words: str, **env: str) -> Done:
        return self._cli("doctor", *words, terminal=False, **{"HOME": str(self.home), **env})

    def found(self, *words: str, **env: str) -> dict[str, Any]:
        done = self.see("--json", *words, **env)
        told: dict[str, Any] = json.loads(done.out)
        assert done.status == (1 if told["wrong"] else 0)
        return told

    def says(self, level: str, area: str, *texts: str, **env: str) -> dict[str, Any]:
        """The one finding of this level and area that holds these texts."""
        findings = self.found(**env)["findings"]
        fit = [
            each
            for each in findings
            if (each["level"], each["area"]) == (level, area)
            and all(text in f"{each['message']} → {each['hint']}" for text in texts)
        ]
        assert len(fit) == 1, findings
        assert fit[0]["hint"] or level == "ok"
        return dict(fit[0])

    def mends(self, area: str) -> None:
        """With --fix it is mended, and afterwards all is well."""
        told = self.found("--fix")
        assert area in {each["area"] for each in told["findings"] if each["level"] == "mended"}, told
        assert (told["wrong"], told["warn"]) == (0, 0), [each for each in told["findings"] if each["level"] != "ok"]
        again = self.found()
        assert (again["wrong"], again["warn"], again["mended"]) == (0, 0, 0), again


@pytest.fixture
def patient(workspace: Write, cli: Cli, home: Path) -> Patient:
    return Patient(workspace(FILES), cli, home)


def until(what: str, so: Callable[[], object], of: subprocess.Popen[Any] | None = None) -> None:
    """Wait for something, as long as the process that is to do it runs."""
    deadline = time.monotonic() + 60
    while not so():
        assert time.monotonic() < deadline and (of is None or of.poll() is None), f"never: {what}"
        time.sleep(0.02)


def texts(root: Path) -> dict[str, bytes]:
    """Every file of a person."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".memory" not in path.parts and ".git" not in path.parts
    }


# A healthy one, and one that is not there.


def test_a_healthy_workspace_is_told_fine_in_each_area(patient: Patient) -> None:
    done = patient.see()
    assert done.status == 0 and done.err == ""
    *lines, last = done.out.splitlines()
    assert last == "no problems found"
    assert {line.partition(":")[0].split()[1] for line in lines} == AREAS
    assert all(line.startswith("ok ") for line in lines)


def test_looking_changes_no_byte(patient: Patient) -> None:
    (patient.root / ".memory" / "CACHEDIR.TAG").unlink()
    before = texts(patient.root)
    patient.see()
    assert texts(patient.root) == before
    assert not (patient.root / ".memory" / "CACHEDIR.TAG").exists()


def test_no_workspace(patient: Patient, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = patient.see("--workspace", str(tmp_path / "empty"))
    assert done.status == 1 and "is not a workspace" in done.out and "commonplace init" in done.out
    assert list((tmp_path / "empty").iterdir()) == []
    done = patient.see("--workspace", str(tmp_path / "missing"), "--fix")
    assert done.status == 1 and "there is no folder" in done.out
    assert not (tmp_path / "missing").exists()


def test_the_worker_and_the_library_tell_the_same(patient: Patient) -> None:
    (patient.root / ".memory" / "CACHEDIR.TAG").unlink()
    words = [sys.executable, "-m", "commonplace", "worker", "--workspace", str(patient.root)]
    asked = json.dumps({"id": 1, "verb": "doctor"}) + "\n"
    env = {**os.environ, "HOME": str(patient.home)}
    done = subprocess.run(words, input=asked, capture_output=True, text=True, check=True, env=env, timeout=60)
    told = json.loads(done.stdout)["result"]
    with Memory(str(patient.root)) as memory:
        found = memory.doctor()
    assert [each["area"] for each in told["findings"]][: len(found)] == [each.area for each in found]
    assert [each.message for each in found if each.level == "warn"] == [".memory: CACHEDIR.TAG is missing in it"]


# The workspace.


def test_settings_that_cannot_be_read(patient: Patient) -> None:
    (patient.root / "commonplace.toml").write_text("kk = 3\n")
    patient.says("wrong", "settings", "unknown key 'kk'")


def test_a_format_that_is_newer(patient: Patient) -> None:
    (patient.root / "commonplace.toml").write_text("format = 99\n")
    patient.says("wrong", "settings", "format 99", "newer commonplace")


def test_a_folder_that_may_not_be_written(patient: Patient) -> None:
    """As root, the child becomes nobody, after it has loaded all that doctor needs."""
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        root = shutil.copytree(patient.root, top / "workspace")
        (top / "cache").mkdir()
        for each in (top, top / "cache"):
            each.chmod(0o777)
        (root / "memory").chmod(0o555)
        run = f"""
import os
from commonplace import Memory
with Memory({str(root)!r}) as memory:
    memory.index(rebuild=True)
    memory.doctor()
if os.geteuid() == 0:
    os.setuid(65534)
with Memory({str(root)!r}) as memory:
    for each in memory.doctor():
        print(each.level, each.area, each.message, each.hint)
"""
        env = {**os.environ, "HOME": folder, "XDG_CACHE_HOME": str(top / "cache")}
        done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=False, env=env)
        (root / "memory").chmod(0o755)
    assert "wrong permissions no permission to write " in done.stdout, done.stderr
    [told] = [line for line in done.stdout.splitlines() if line.startswith("wrong permissions")]
    assert "memory" in told and "recall still works" in told and "chmod u+w" in told


def test_a_file_that_is_no_text(patient: Patient) -> None:
    (patient.root / "memory" / "2025-11-28.md").write_bytes(b"\xff\xfe caf\xe9\n")
    patient.says("wrong", "files", "memory/2025-11-28.md", "UTF-8")


def test_a_pipe_and_links(patient: Patient) -> None:
    os.mkfifo(patient.root / "memory" / "pipe.md")
    (patient.root / "memory" / "gone.md").symlink_to("nothing.md")
    patient.says("wrong", "files", "memory/pipe.md", "remove it")
    patient.says("warn", "files", "memory/gone.md", "link to nothing")


def test_problems_of_the_text_are_counted_and_left_to_check(patient: Patient) -> None:
    with (patient.root / LOG).open("a") as log:
        log.write("- O(c=7) @Peter: too sure\n- X @Peter: no such kind\n")
    patient.says("warn", "text", "2 problems", f"{LOG}#L5", "commonplace check")


# Sync.


def test_merge_markers(patient: Patient) -> None:
    with (patient.root / LOG).open("a") as log:
        log.write("<<<<<<< HEAD\n- tea\n=======\n- coffee\n>>>>>>> other\n")
    patient.says("wrong", "sync", LOG)


def test_a_conflict_copy(patient: Patient) -> None:
    with (patient.root / LOG).open("a") as log:
        log.writelines(f"- W: The {number}th thing of a long day.\n" for number in range(4, 20))
    shutil.copy(patient.root / LOG, patient.root / "memory" / "2025-11-27.sync-conflict-20251128-101500-ABCDEFG.md")
    patient.says("warn", "sync", "sync-conflict", "then delete it")


def test_a_file_that_is_only_in_the_cloud(patient: Patient) -> None:
    (patient.root / "memory" / ".2025-11-26.md.icloud").write_bytes(b"bplist00")
    patient.says("warn", "sync", "memory/2025-11-26.md", "in the cloud")


# The index.


def index_of(root: Path) -> Path:
    return root / ".memory" / "index.sqlite"


def garbage(path: Path) -> None:
    path.write_bytes(b"this is no database " * 999)


def torn(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096 : 4096 * 3] = b"\xa5" * 8192
    path.write_bytes(content)


def without_words(path: Path) -> None:
    """FTS5's own integrity check sees it, SQLite's does not."""
    db = apsw.Connection(str(path))
    db.execute("delete from terms_data where id > 10")
    db.close()


def without_table(path: Path) -> None:
    db = apsw.Connection(str(path))
    db.execute("drop table terms")
    db.close()


@pytest.mark.parametrize("damage", [garbage, torn, without_words, without_table])
def test_a_damaged_index(damage: Any, patient: Patient) -> None:
    for tail in ("-wal", "-shm"):
        Path(f"{index_of(patient.root)}{tail}").unlink(missing_ok=True)
    damage(index_of(patient.root))
    found = patient.says("wrong", "index", "damaged", "doctor --fix")
    assert found["fixable"]
    patient.mends("index")
    with Memory(str(patient.root)) as memory:
        assert memory.recall("tea").status == "ok"


def test_an_index_that_is_a_folder(patient: Patient) -> None:
    index_of(patient.root).unlink()
    index_of(patient.root).mkdir()
    (index_of(patient.root) / "note.txt").write_text("mine")
    patient.says("wrong", "index", "cannot be opened")
    patient.mends("index")
    assert [each.read_text() for each in (patient.root / ".memory").glob("*.not-an-index/note.txt")] == ["mine"]


def test_a_newer_program_s_index_is_told_and_left(patient: Patient) -> None:
    db = apsw.Connection(str(index_of(patient.root)))
    db.execute("pragma user_version = 999999")
    db.close()
    patient.says("wrong", "index", "newer commonplace", "index --rebuild")
    assert patient.found("--fix")["wrong"] == 1


def test_an_index_that_another_program_writes_is_left_alone(patient: Patient) -> None:
    db = apsw.Connection(str(index_of(patient.root)))
    db.execute("begin immediate")
    patient.says("ok", "index", "another program is writing it")
    before = index_of(patient.root).stat().st_ino
    patient.found("--fix")
    assert index_of(patient.root).stat().st_ino == before
    db.close()


def test_one_thing_that_cannot_be_looked_at_hides_no_other(patient: Patient) -> None:
    (patient.root / ".memory" / "lock").unlink(missing_ok=True)
    (patient.root / ".memory" / "lock").mkdir()
    patient.says("wrong", "locks", "could not be checked")
    patient.says("ok", "servers")


def test_no_index_and_an_older_one_are_fine(patient: Patient) -> None:
    index_of(patient.root).unlink()
    patient.says("ok", "index", "there is none yet")
    assert not index_of(patient.root).exists()
    db = apsw.Connection(str(index_of(patient.root)))
    db.execute("pragma user_version = 1")
    db.close()
    patient.says("ok", "index", "older format")


def test_an_old_sqlite_and_one_without_fts5() -> None:
    sound = Examined("sound")
    old, poor, fine = (
        next(checks.index(sound, library, "x"))
        for library in (Library("3.40.1", True, False), Library("3.54.0", False, True), Library("3.54.0", True, True))
    )
    assert (old.level, poor.level, fine.level) == ("warn", "wrong", "ok")
    assert "3.40.1" in old.message and "FTS5" in poor.message


# Our own folder, and what killed writers left.


def test_our_own_folder_without_its_two_files_and_open_to_others(patient: Patient) -> None:
    own = patient.root / ".memory"
    (own / ".gitignore").unlink()
    (own / "CACHEDIR.TAG").unlink()
    own.chmod(0o755)
    patient.says("warn", "folder", ".gitignore is missing")
    patient.says("warn", "folder", "CACHEDIR.TAG is missing")
    patient.says("warn", "folder", "other users of this machine")
    patient.mends("folder")
    assert (own / ".gitignore").read_text() == "*\n" and own.stat().st_mode & 0o777 == 0o700


def test_our_own_folder_in_git(patient: Patient) -> None:
    git = ["git", "-C", str(patient.root)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-f", ".memory/index.sqlite"], check=True)
    patient.says("wrong", "folder", ".memory is in git", "git rm -r --cached .memory")


def test_our_own_folder_that_is_a_link(patient: Patient, tmp_path: Path) -> None:
    shutil.move(patient.root / ".memory", tmp_path / "elsewhere")
    (patient.root / ".memory").symlink_to(tmp_path / "elsewhere")
    patient.says("warn", "folder", ".memory is a link", XDG_CACHE_HOME=str(tmp_path / "cache"))


def test_a_file_in_the_place_of_our_own_folder(patient: Patient, tmp_path: Path) -> None:
    shutil.rmtree(patient.root / ".memory")
    (patient.root / ".memory").write_text("mine\n")
    patient.says("warn", "folder", ".memory is no folder", XDG_CACHE_HOME=str(tmp_path / "cache"))


def dead_process() -> int:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


def test_what_killed_writers_left_is_removed(patient: Patient) -> None:
    pid = dead_process()
    (patient.root / "memory" / f".2025-11-27.md.cp-{pid}-0123456789.tmp").write_text("half")
    (patient.root / ".memory" / "index.sqlite.corrupt").write_text("old")
    half = patient.root / ".memory" / ".gitignore.1-22.tmp"
    half.write_text("*")
    os.utime(half, (time.time() - 3600,) * 2)
    before = texts(patient.root)
    found = patient.says("warn", "leftovers", "killed programs", ".tmp")
    assert "index.sqlite.corrupt" not in found["message"], "no writer was killed for that"
    patient.says("warn", "leftovers", "a damaged index was replaced", "index.sqlite.corrupt")
    patient.mends("leftovers")
    assert not [*(patient.root / ".memory").glob("*.corrupt")]
    after = texts(patient.root)
    assert before.keys() - after.keys() == {f"memory/.2025-11-27.md.cp-{pid}-0123456789.tmp"}
    assert all(before[path] == content for path, content in after.items())


def test_a_change_that_a_crash_cut_short_is_finished(patient: Patient) -> None:
    """The journal of a set of which nothing shows yet, as a kill after the note leaves it."""
    run = f"""
import os
from commonplace.store.workspace import Workspace
from commonplace.store.transactions.change_sets import Sets
from commonplace.core.model import Patch
Sets._publish = lambda *_: os.kill(os.getpid(), 9)
Workspace({str(patient.root)!r}).apply([Patch('bank/world.md', None, '# World\\n', 'new')], 'reflect')
"""
    assert subprocess.run([sys.executable, "-c", run], check=False).returncode == -9
    assert not (patient.root / "bank" / "world.md").exists()
    patient.says("wrong", "leftovers", "reflect", "finishes it")
    assert not (patient.root / "bank" / "world.md").exists(), "looking finishes nothing"
    patient.mends("leftovers")
    assert (patient.root / "bank" / "world.md").read_text() == "# World\n"


def forgets_half(root: Path) -> None:
    """A process that is killed while it forgets: no file holds the fact, but older texts and the index do."""
    run = f"""
import os
from commonplace import Memory
from commonplace.store.transactions.erase import Removal
Removal.purge = lambda _: os.kill(os.getpid(), 9)
with Memory({str(root)!r}) as memory:
    [hit] = memory.recall("tea").hits
    memory.forget(hit.id)
"""
    assert subprocess.run([sys.executable, "-c", run], check=False).returncode == -9


def notes(root: Path) -> list[Path]:
    return [*(root / ".memory" / "keep" / "journal").glob("forget-*.json")]


def held(root: Path) -> bool:
    """Whether a byte of the fact is left."""
    return any(b"Drinks tea" in path.read_bytes() for path in root.rglob("*") if path.is_file())


def test_a_forget_that_a_crash_cut_short_is_finished(patient: Patient) -> None:
    forgets_half(patient.root)
    patient.says("wrong", "leftovers", "interrupted by a crash: forget", "finishes it")
    assert notes(patient.root) and held(patient.root), "looking finishes nothing"
    patient.mends("leftovers")
    assert not notes(patient.root) and not held(patient.root)


def test_a_forget_that_was_cut_short_is_finished_although_the_index_is_damaged(patient: Patient) -> None:
    forgets_half(patient.root)
    garbage(index_of(patient.root))
    patient.mends("leftovers")
    assert not notes(patient.root) and not held(patient.root)


def test_a_forget_that_another_version_began_is_left_to_it(patient: Patient) -> None:
    forgets_half(patient.root)
    note = notes(patient.root)[0]
    note.write_text(json.dumps({**json.loads(note.read_text()), "version": 999}))
    told = patient.found("--fix")["findings"]
    [failed] = [each for each in told if "--fix failed" in each["message"]]
    assert (failed["area"], failed["level"]) == ("leftovers", "wrong")
    assert "another version of commonplace" in failed["message"] and notes(patient.root) == [note]


def test_what_a_running_writer_has_noted_is_not_cut_short(patient: Patient, writer: subprocess.Popen[str]) -> None:
    journal = patient.root / ".memory" / "keep" / "journal"
    journal.mkdir(parents=True, exist_ok=True)
    (journal / "forget-1.json").write_text("{}")
    patient.says("ok", "leftovers", "no write was interrupted")
    writer.kill()
    writer.wait()
    patient.says("wrong", "leftovers", "interrupted by a crash: forget")


def test_a_save_that_waits_is_merged(patient: Patient) -> None:
    """An editor had the log open while a write replaced it, and saves into the file that it had open."""
    with (patient.root / LOG).open("a") as editor:
        workspace = Workspace(str(patient.root))
        workspace.change(LOG, lambda text: f"{text}- W: By us.\n")
        editor.write("- W: By an editor.\n")
    until("the save is seen", workspace.waiting)
    patient.says("warn", "leftovers", LOG, "is not merged yet")
    patient.mends("leftovers")
    assert (patient.root / LOG).read_text().endswith("- W: By an editor.\n- W: By us.\n")


# Who is at work.


@pytest.fixture
def writer(patient: Patient) -> Iterator[subprocess.Popen[str]]:
    run = f"""
from commonplace.store.workspace import Workspace
with Workspace({str(patient.root)!r}).locked():
    print("held", flush=True)
    input()
"""
    with subprocess.Popen(
        [sys.executable, "-c", run], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as held:
        assert held.stdout and held.stdout.readline() == "held\n"
        yield held
        held.kill()


def test_another_writer_is_told_by_its_process(patient: Patient, writer: subprocess.Popen[str]) -> None:
    found = patient.says("warn", "locks", "is writing the workspace", "stop it")
    if sys.platform == "linux":
        assert f"process {writer.pid} " in found["message"]
    writer.kill()
    writer.wait()
    patient.says("ok", "locks")


def test_file_systems_without_locks_or_exchange_and_of_a_network(patient: Patient) -> None:
    care = Workspace(str(patient.root)).care
    said = [*checks.locks(care, Mount("vfat", False), kernel=False, exchange=False)]
    assert [each.level for each in said] == ["warn", "warn"]
    assert "no working file locks" in said[0].message and "cannot swap" in said[1].message
    said = [*checks.locks(care, Mount("nfs4", False), kernel=True, exchange=False)]
    assert [(each.area, each.level) for each in said] == [("locks", "ok"), ("disk", "warn")]
    [told] = checks.permissions(care, Mount("ext4", True))
    assert told.level == "warn" and "read-only" in told.message


def test_a_watcher_that_runs_and_one_that_was_killed(patient: Patient) -> None:
    words = [sys.executable, "-m", "commonplace", "watch", "--workspace", str(patient.root)]
    with subprocess.Popen(words) as watcher:
        try:
            until("it listens", (patient.root / ".memory" / "watch.sock").exists, watcher)
            patient.says("ok", "servers", "a watcher keeps the index")
        finally:
            watcher.kill()
    patient.says("warn", "servers", "a watcher", "--fix")


def kill_a_watcher(root: Path) -> None:
    """A watcher's socket, and nobody behind it."""
    run = f"""
import os
from commonplace.store.workspace import Workspace
from commonplace.store.workspace.freshness import Watcher
watcher = Watcher(Workspace({str(root)!r}))
os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", run], check=False).returncode == -9


def test_the_traces_of_a_killed_watcher_are_removed(patient: Patient) -> None:
    kill_a_watcher(patient.root)
    patient.mends("servers")
    assert not (patient.root / ".memory" / "watch.sock").exists()


def test_they_are_removed_while_another_program_writes(patient: Patient, writer: subprocess.Popen[str]) -> None:
    kill_a_watcher(patient.root)
    told = patient.found("--fix")["findings"]
    assert ("mended", "servers") in {(each["level"], each["area"]) for each in told}
    assert writer.poll() is None


def test_traces_that_go_meanwhile_are_no_failure(patient: Patient) -> None:
    """Somebody else removes the socket in the moment before we do."""
    kill_a_watcher(patient.root)
    run = f"""
import os, sys
from commonplace import Memory
def meanwhile(event, arguments):
    if event == "os.remove" and str(arguments[0]).endswith("watch.sock") and not done:
        done.append(True)
        os.unlink(arguments[0])
done = []
sys.addaudithook(meanwhile)
with Memory({str(patient.root)!r}) as memory:
    print(*{{each.level for each in memory.doctor(fix=True)}} - {{"ok"}}, bool(done))
"""
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=False)
    assert done.stdout == "mended True\n", done.stderr


# The disk, the clock, secrets.


def test_a_disk_that_is_full_nearly_or_takes_no_more_files() -> None:
    levels = [
        next(checks.disk(room, 1_000)).level
        for room in (Room(10**6, None), Room(10**8, 10**6), Room(10**12, 3), Room(10**12, 10**6))
    ]
    assert levels == ["wrong", "warn", "wrong", "ok"]
    assert next(checks.disk(Room(10**9, None), 10**9)).level == "warn", "an index could not be made anew"


def test_logs_and_files_of_the_future(patient: Patient) -> None:
    tomorrow = (date.today() + timedelta(days=2)).isoformat()
    (patient.root / "memory" / f"{tomorrow}.md").write_text("# soon\n")
    patient.says("warn", "clock", f"memory/{tomorrow}.md", "time zone")
    (patient.root / "memory" / f"{tomorrow}.md").unlink()
    ahead = time.time() + 9 * 86_400
    os.utime(patient.root / LOG, (ahead, ahead))
    patient.says("warn", "clock", LOG, "modification time in the future", "touch")


def test_an_unknown_time_zone(patient: Patient) -> None:
    (patient.root / "commonplace.toml").write_text('timezone = "Europe/Atlantis"\n')
    patient.says("warn", "clock", "Europe/Atlantis", "commonplace.toml")


def test_a_clock_that_was_never_set() -> None:
    [told] = checks.clock({}, date(1970, 1, 1), zone="", note="", now=0)
    assert told.level == "wrong" and "1970-01-01" in told.message


def test_a_secret_is_told_by_its_place_and_not_repeated(patient: Patient) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    with (patient.root / LOG).open("a") as log:
        log.write(f"\nThe key of the bot is {token[:40]}\n")
    found = patient.says("warn", "secrets", LOG, "make it invalid")
    assert token[:12] not in json.dumps(found)


# The programs that start us.


def connect(patient: Patient, client: str, *words: str) -> Path:
    done = patient._cli("setup", client, "--write", *words, HOME=str(patient.home), PATH=os.environ["PATH"])
    assert done.status == 0, done.err
    [line] = [each for each in done.out.splitlines() if ": written" in each]
    return Path(line.partition(": written")[0])


def test_every_client_that_is_connected_is_tried_and_named(patient: Patient) -> None:
    for client in CLIENTS:
        connect(patient, client)
    found = patient.says("ok", "clients", "can reach this memory")
    for about in clients().values():
        assert about["title"] in found["message"]


def rewritten(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_at_home_the_own_file_of_a_client_is_not_taken_for_that_of_a_project(patient: Patient) -> None:
    patient.home = patient.root.parent
    connect(patient, "cursor")
    assert [each["message"] for each in patient.found()["findings"] if each["area"] == "clients"] == [
        "Cursor can reach this memory"
    ]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_whose_command_is_gone(client: str, patient: Patient) -> None:
    path = connect(patient, client)
    rewritten(path, str(Path(sys.executable).parent), "/opt/gone")
    found = patient.says("wrong", "clients", "/opt/gone", "does not exist", f"setup {client} --write")
    assert clients()[client]["title"] in found["message"]


def test_a_client_with_another_workspace(patient: Patient, tmp_path: Path) -> None:
    path = connect(patient, "cursor")
    rewritten(path, str(patient.root), str(tmp_path / "other"))
    patient.says("warn", "clients", "Cursor has another workspace", str(tmp_path / "other"))


def test_where_no_workspace_is_the_advice_is_that_of_the_client(patient: Patient, tmp_path: Path) -> None:
    connect(patient, "claude-code")
    done = patient.see("--workspace", str(tmp_path / "missing"))
    assert f"Claude Code has another workspace, {patient.root}" in done.out
    assert f"to use that one: commonplace doctor --workspace {patient.root}" in done.out
    assert "setup claude-code --write" not in done.out


def test_a_client_whose_server_does_not_start(patient: Patient, tmp_path: Path) -> None:
    path = connect(patient, "claude-code")
    broken = tmp_path / "bin" / "commonplace"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho 'no module named mcp' >&2\nexit 1\n")
    broken.chmod(0o755)
    rewritten(path, str(Path(sys.executable).parent / "commonplace"), str(broken))
    patient.says("wrong", "clients", "Claude Code cannot start", "no module named mcp")


def test_what_the_files_of_a_project_name_is_not_started(patient: Patient, tmp_path: Path) -> None:
    trap = tmp_path / "bin" / "commonplace"
    trap.parent.mkdir()
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    entry = {"command": str(trap), "args": ["mcp", "--workspace", str(patient.root)]}
    (patient.root.parent / ".mcp.json").write_text(json.dumps({"mcpServers": {"commonplace": entry}}))
    other = {"command": "/bin/sh", "args": ["-c", f"touch {tmp_path}/sprung", "--workspace", str(patient.root)]}
    (patient.home / ".cursor").mkdir()
    (patient.home / ".cursor" / "mcp.json").write_text(json.dumps({"mcpServers": {"commonplace": other}}))
    patient.says("ok", "clients", "not tried: Claude Code (this project), Cursor (by sh)")
    assert not (tmp_path / "sprung").exists()


def test_a_client_s_file_that_is_broken(patient: Patient) -> None:
    (patient.home / ".cursor").mkdir()
    (patient.home / ".cursor" / "mcp.json").write_text("{ not json")
    patient.says("warn", "clients", ".cursor/mcp.json", "fix the file")


@pytest.mark.parametrize(
    "entry",
    [
        {"url": "http://[bad/mcp"},
        {"url": "http://127.0.0.1:99999/mcp"},
        {"url": "127.0.0.1:8723"},
        {"command": "/common\0place", "args": []},
        {"command": sys.executable, "args": ["-m", "commonplace", "mcp", "--workspace", "a\0b"]},
    ],
)
def test_what_no_client_could_use_hides_no_other(entry: dict[str, Any], patient: Patient) -> None:
    (patient.home / ".cursor").mkdir()
    (patient.home / ".cursor" / "mcp.json").write_text(json.dumps({"mcpServers": {"commonplace": entry}}))
    connect(patient, "codex")
    patient.says("warn", "clients", ".cursor/mcp.json", "fix the file")
    patient.says("ok", "clients", "Codex can reach this memory")


def test_what_nobody_foresaw_of_another_program_hides_nothing_else(patient: Patient) -> None:
    openclaw(patient, OURS | {"entries": {**OURS["entries"], "commonplace": {"config": {"command": ["a\0b"]}}}})
    patient.says("wrong", "openclaw", "could not be checked", "null")
    patient.says("ok", "clients", "no client is connected")


def ask(patient: Patient, path: Path, url: str) -> None:
    """A client's file that names an address."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"mcpServers": {"commonplace": {"type": "http", "url": url}}}))


def test_only_addresses_of_this_machine_are_tried_and_none_that_a_project_names(patient: Patient) -> None:
    with socket.create_server(("127.0.0.1", 0)) as line:
        port = line.getsockname()[1]
        line.setblocking(False)
        ask(patient, patient.root.parent / ".mcp.json", f"http://127.0.0.1:{port}/mcp")
        ask(patient, patient.home / ".cursor" / "mcp.json", f"http://0.0.0.0:{port}/mcp")
        patient.says("ok", "clients", "not tried: Claude Code (this project), Cursor (at 0.0.0.0)")
        with pytest.raises(BlockingIOError):
            line.accept()
        ask(patient, patient.home / ".cursor" / "mcp.json", f"http://localhost:{port}/mcp")
        patient.says("ok", "clients", "Cursor can reach this memory")
        line.accept()[0].close()


def test_an_https_address_is_tried_at_its_own_port(patient: Patient) -> None:
    ask(patient, patient.home / ".cursor" / "mcp.json", "https://127.0.0.1/mcp")
    found = patient.says("warn", "clients", "127.0.0.1:443, where no server listens")
    assert "mcp --http" not in found["hint"], "that speaks no TLS"


def test_a_client_that_is_connected_and_wrong_is_not_none(patient: Patient) -> None:
    ask(patient, patient.home / ".cursor" / "mcp.json", "http://127.0.0.1:1/mcp")
    patient.says("warn", "clients", "127.0.0.1:1, where no server listens", "mcp --http 1")
    assert [each["level"] for each in patient.found()["findings"] if each["area"] == "clients"] == ["warn"]


def test_a_client_that_asks_a_server_that_does_not_run(patient: Patient) -> None:
    with socket.create_server(("127.0.0.1", 0)) as line:
        port = line.getsockname()[1]
        connect(patient, "codex", "--http", str(port))
        patient.says("ok", "clients", "Codex")
    patient.says("warn", "clients", f"127.0.0.1:{port}", f"mcp --http {port}")


# OpenClaw, as its configuration and its own command say.

OURS: dict[str, Any] = {
    "slots": {"memory": "commonplace"},
    "entries": {"commonplace": {"enabled": True}, "memory-core": {"enabled": False}},
}


def openclaw(patient: Patient, plugins: Any) -> None:
    (patient.home / ".openclaw").mkdir(exist_ok=True)
    told = {"agents": {"defaults": {"workspace": str(patient.root)}}, "plugins": plugins}
    (patient.home / ".openclaw" / "openclaw.json").write_text(json.dumps(told))


def host(folder: Path, answer: str) -> str:
    """A PATH with an `openclaw` that answers so."""
    folder.mkdir()
    program = folder / "openclaw"
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{answer}\nEND\n")
    program.chmod(0o755)
    return f"{folder}:/usr/bin:/bin"


def test_nothing_is_said_of_openclaw_where_there_is_none(patient: Patient) -> None:
    assert "openclaw" not in patient.see().out.replace(str(patient.root), "").casefold()


def test_openclaw_with_a_memory_of_its_own(patient: Patient) -> None:
    openclaw(patient, {})
    patient.says("ok", "openclaw", "make openclaw")


def test_openclaw_that_is_ours(patient: Patient, tmp_path: Path) -> None:
    openclaw(patient, OURS)
    patient.says("ok", "openclaw", "not on the PATH", PATH="/usr/bin:/bin")
    status = {"provider": "commonplace", "workspaceDir": str(patient.root)}
    answer = f"[gateway] a warning\n{json.dumps([{'agentId': 'main', 'status': status}], indent=2)}"
    patient.says("ok", "openclaw", "with this workspace", PATH=host(tmp_path / "bin", answer))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"slots": {"memory": "memory-core"}}, "slot is memory-core"),
        ({"slots": {}}, "slot is not set"),
        ({"entries": {**OURS["entries"], "commonplace": {"enabled": False}}}, "disabled"),
        ({"entries": {"commonplace": {"enabled": True}}}, "memory-core is on"),
        ({"entries": {**OURS["entries"], "commonplace": {"config": {"command": ["/opt/gone"]}}}}, "/opt/gone"),
    ],
)
def test_openclaw_set_to_another_memory(change: dict[str, Any], said: str, patient: Patient) -> None:
    openclaw(patient, OURS | change)
    patient.says("wrong", "openclaw", said)


def test_openclaw_whose_status_is_not_ours(patient: Patient, tmp_path: Path) -> None:
    openclaw(patient, OURS)
    answer = json.dumps([{"agentId": "main", "status": {"provider": "none", "backend": "builtin"}}])
    patient.says(
        "wrong", "openclaw", "is not answered by commonplace", "make openclaw", PATH=host(tmp_path / "bin", answer)
    )


def test_openclaw_s_configuration_that_is_broken(patient: Patient) -> None:
    (patient.home / ".openclaw").mkdir()
    (patient.home / ".openclaw" / "openclaw.json").write_text("{ plugins: ")
    found = patient.found("--workspace", str(patient.root))["findings"]
    assert [each["level"] for each in found if each["area"] == "openclaw"] == ["wrong"]
