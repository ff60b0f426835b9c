"""Writing: one file or many, by several at once, taken back, and nobody's text lost."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.core.markdown.text_edits import append, replace
from commonplace.core.model import Patch
from commonplace.errors import (
    Busy,
    ChangedUnderneath,
    NotFound,
    OutsideWorkspace,
    TextNotFound,
    UsageError,
    WorkspaceError,
)
from commonplace.store.fs.lock import Lock
from commonplace.store.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

LOG = "memory/2025-11-27.md"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "memory").mkdir()
    (tmp_path / LOG).write_text("# Day\n", encoding="utf-8")
    return tmp_path


def nothing_left_over(root: Path) -> bool:
    return not [path for path in root.rglob("*.tmp") if ".memory" not in path.parts]


def save(path: Path, text: str) -> None:
    """As an editor that saves by rename."""
    temporary = path.with_name(f"{path.name}~")
    temporary.write_text(text, encoding="utf-8", newline="")
    temporary.replace(path)


# One file.


def test_a_change_is_read_back(root: Path) -> None:
    workspace = Workspace(str(root))
    page = workspace.change(LOG, lambda text: append(text or "", "- one"))
    assert page == workspace.read(LOG)
    assert page.text == "# Day\n- one\n"
    assert nothing_left_over(root)


def test_a_new_file_gets_its_folders(root: Path) -> None:
    workspace = Workspace(str(root))
    seen: list[str | None] = []

    def edit(text: str | None) -> str:
        seen.append(text)
        return "x\n"

    assert workspace.change("bank/entities/王芳.md", edit).text == "x\n"
    assert seen == [None]
    umask = os.umask(0)
    os.umask(umask)
    assert os.stat(root / "bank/entities/王芳.md").st_mode & 0o777 == 0o666 & ~umask


def test_an_edit_that_fails_writes_nothing(root: Path) -> None:
    workspace = Workspace(str(root))
    before = os.stat(root / LOG)
    with pytest.raises(TextNotFound):
        workspace.change(LOG, lambda text: replace(text or "", "absent", ""))
    with pytest.raises(TextNotFound):
        workspace.change("bank/new/x.md", lambda text: replace(text or "", "absent", ""))
    assert os.stat(root / LOG).st_ctime_ns == before.st_ctime_ns
    assert not (root / "bank").exists()


def test_an_edit_that_changes_nothing_writes_nothing(root: Path) -> None:
    workspace = Workspace(str(root))
    before = os.stat(root / LOG)
    assert workspace.change(LOG, lambda text: text or "").text == "# Day\n"
    after = os.stat(root / LOG)
    assert (after.st_ino, after.st_ctime_ns) == (before.st_ino, before.st_ctime_ns)


def test_the_mode_stays(root: Path) -> None:
    os.chmod(root / LOG, 0o640)
    Workspace(str(root)).change(LOG, lambda text: append(text or "", "- one"))
    assert os.stat(root / LOG).st_mode & 0o7777 == 0o640


def test_extended_attributes_stay(root: Path) -> None:
    """On Linux; nothing else has them where Python can reach them."""
    marked = sys.platform == "linux"
    if marked:
        os.setxattr(root / LOG, "user.tag", b"mine")
    Workspace(str(root)).change(LOG, lambda text: append(text or "", "- one"))
    if marked:
        assert os.getxattr(root / LOG, "user.tag") == b"mine"


def test_byte_order_mark_and_line_ends_stay(root: Path) -> None:
    (root / LOG).write_bytes(b"\xef\xbb\xbfa\r\nb\n")
    workspace = Workspace(str(root))
    workspace.change(LOG, lambda text: append(text or "", "c"))
    assert (root / LOG).read_bytes() == b"\xef\xbb\xbfa\r\nb\nc\n"
    page = workspace.read(LOG)
    workspace.write(LOG, page.text.replace("b", "B"), before=page.digest)
    assert (root / LOG).read_bytes() == b"\xef\xbb\xbfa\r\nB\nc\n"


def test_half_a_character_is_refused_before_anything_is_written(root: Path) -> None:
    with pytest.raises(UsageError, match="an incomplete character at 2"):
        Workspace(str(root)).write("MEMORY.md", "a\n\ud800", before=None)
    assert sorted(os.listdir(root)) == [".memory", "memory"]


def test_write_compares_and_swaps(root: Path) -> None:
    workspace, other = Workspace(str(root)), Workspace(str(root))
    seen = workspace.read(LOG).digest
    other.change(LOG, lambda text: append(text or "", "- other"))
    for before in (seen, None):
        with pytest.raises(ChangedUnderneath, match=LOG):
            workspace.write(LOG, "mine\n", before=before)
    with pytest.raises(ChangedUnderneath):
        workspace.write("memory/new.md", "mine\n", before=seen)
    assert (root / LOG).read_text() == "# Day\n- other\n"
    assert workspace.write(LOG, "mine\n", before=other.read(LOG).digest).text == "mine\n"


# Somebody else at the same moment. The edit itself is that moment: it runs between our look and our step.


@pytest.mark.parametrize("way", ["rename", "in place"])
def test_a_save_in_the_moment_of_a_change_is_kept(root: Path, way: str) -> None:
    calls = []

    def edit(text: str | None) -> str:
        calls.append(text)
        if len(calls) == 1:
            if way == "rename":
                save(root / LOG, "# Day\n- person\n")
            else:
                (root / LOG).write_text("# Day\n- person\n")
        return append(text or "", "- agent")

    page = Workspace(str(root)).change(LOG, edit)
    assert calls == ["# Day\n", "# Day\n- person\n"]
    assert page.text == (root / LOG).read_text() == "# Day\n- person\n- agent\n"
    assert nothing_left_over(root)


def test_saves_in_the_moment_of_every_repeat_are_kept(root: Path) -> None:
    count = 0

    def edit(text: str | None) -> str:
        nonlocal count
        count += 1
        save(root / LOG, (root / LOG).read_text() + f"- person {count}\n")
        return append(text or "", "- agent")

    Workspace(str(root)).change(LOG, edit)
    lines = (root / LOG).read_text().splitlines()
    assert sorted(lines) == sorted(["# Day", "- agent", *(f"- person {n + 1}" for n in range(count))])


def test_a_save_in_the_moment_of_a_write_wins(root: Path) -> None:
    """Compare-and-swap: theirs stands, and we are told."""
    workspace = Workspace(str(root))
    page = workspace.read(LOG)
    calls: list[str | None] = []

    def edit(text: str | None) -> str:
        if calls:
            raise ChangedUnderneath("changed")
        calls.append(text)
        save(root / LOG, "# Day\n- person\n")
        return "replaced\n"

    with pytest.raises(ChangedUnderneath):
        workspace.change(LOG, edit)
    assert page.text == "# Day\n"
    assert (root / LOG).read_text() == "# Day\n- person\n"
    assert nothing_left_over(root)


def test_a_file_made_in_the_moment_of_ours_is_kept(root: Path) -> None:
    def edit(text: str | None) -> str:
        if text is None:
            save(root / "MEMORY.md", "- person\n")
        return append(text or "", "- agent")

    assert Workspace(str(root)).change("MEMORY.md", edit).text == "- person\n- agent\n"


def test_a_file_removed_in_the_moment_of_ours_is_made(root: Path) -> None:
    def edit(text: str | None) -> str:
        if text is not None:
            os.unlink(root / LOG)
        return append(text or "", "- agent")

    assert Workspace(str(root)).change(LOG, edit).text == "- agent\n"
    assert nothing_left_over(root)


def test_a_link_put_in_place_of_the_file_leads_nobody_out(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    target = tmp_path_factory.mktemp("outside") / "target.md"
    target.write_text("mine")

    def edit(text: str | None) -> str:
        os.unlink(root / LOG)
        os.symlink(target, root / LOG)
        return append(text or "", "- agent")

    with pytest.raises(OutsideWorkspace):
        Workspace(str(root)).change(LOG, edit)
    assert target.read_text() == "mine"
    assert os.readlink(root / LOG) == str(target)
    assert nothing_left_over(root)


def test_a_save_that_is_no_text_stands(root: Path) -> None:
    def edit(text: str | None) -> str:
        (root / LOG).write_bytes(b"caf\xe9")
        return append(text or "", "- agent")

    with pytest.raises(WorkspaceError, match="not UTF-8 at byte 3"):
        Workspace(str(root)).change(LOG, edit)
    assert (root / LOG).read_bytes() == b"caf\xe9"


@settings(max_examples=25)
@given(st.data())
def test_two_writers_lose_nothing(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    root = tmp_path_factory.mktemp("writers")
    writers = [Workspace(str(root)) for _ in range(2)]
    digests: list[str | None] = [None, None]
    written, text = 0, None
    for step in data.draw(st.lists(st.tuples(st.integers(0, 1), st.booleans()), max_size=6)):
        who, look = step
        if look:
            digests[who] = writers[who].read(LOG).digest if (root / LOG).exists() else None
        current = writers[0].read(LOG).digest if (root / LOG).exists() else None
        new = f"{text or ''}line {written}\n"
        if digests[who] == current:
            writers[who].write(LOG, new, before=digests[who])
            text, written = new, written + 1
        else:
            with pytest.raises(ChangedUnderneath):
                writers[who].write(LOG, new, before=digests[who])
        assert ((root / LOG).read_text() if (root / LOG).exists() else None) == text


APPEND = """
import sys
from commonplace.core.markdown.text_edits import append
from commonplace.store.workspace import Workspace
root, who, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
workspace = Workspace(root)
for number in range(count):
    workspace.change("memory/2025-11-27.md", lambda text: append(text or "", f"- {who} {number}"))
"""


def test_four_processes_lose_no_line(root: Path) -> None:
    running = [subprocess.Popen([sys.executable, "-c", APPEND, str(root), str(who), "50"]) for who in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    lines = (root / LOG).read_text().splitlines()
    assert sorted(lines) == sorted(["# Day", *(f"- {who} {number}" for who in range(4) for number in range(50))])
    assert nothing_left_over(root)


def test_threads_of_one_workspace_lose_no_line(root: Path) -> None:
    workspace = Workspace(str(root))

    def work(who: int) -> None:
        for number in range(10):
            workspace.change(LOG, lambda text, line=f"- {who} {number}": append(text or "", line))  # type: ignore[misc]

    threads = [threading.Thread(target=work, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len((root / LOG).read_text().splitlines()) == 41


def test_the_lock_is_reentrant_and_ends(root: Path) -> None:
    workspace = Workspace(str(root))
    with workspace.locked(), workspace.locked():
        workspace.change(LOG, lambda text: append(text or "", "- one"))
    other = Lock(lambda: os.path.join(workspace.memory_dir, "lock"), patience=0.05)
    with workspace.locked(), pytest.raises(Busy), other:
        pass
    with other:
        pass


def test_the_lock_survives_its_file(root: Path) -> None:
    workspace = Workspace(str(root))
    with workspace.locked():
        os.unlink(root / ".memory/lock")
    with workspace.locked():
        other = Lock(lambda: os.path.join(workspace.memory_dir, "lock"), patience=0.05)
        with pytest.raises(Busy), other:
            pass


# Editors that hold a file open while it is replaced.


def test_bytes_that_come_late_are_merged(root: Path) -> None:
    workspace = Workspace(str(root))
    with open(root / LOG, "r+", encoding="utf-8") as editor:
        buffer = editor.read()
        workspace.change(LOG, lambda text: append(text or "", "- agent"))
        editor.seek(0)
        editor.truncate()
        editor.write("# Day, as the person calls it\n" + buffer.partition("\n")[2] + "- person\n")
    notices = workspace.late_writes()
    assert [(problem.source.path, problem.code) for problem in notices] == [(LOG, "late-save")]
    assert (root / LOG).read_text() == "# Day, as the person calls it\n- person\n- agent\n"
    assert workspace.late_writes() == (), "once"
    assert (root / LOG).read_text() == "# Day, as the person calls it\n- person\n- agent\n"


def test_bytes_that_come_while_a_slow_disk_confirms_are_merged(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace(str(root))
    confirm = os.fsync
    with open(root / LOG, "a", encoding="utf-8") as editor:

        def slow(fd: int) -> None:
            confirm(fd)
            if "- agent" in (root / LOG).read_text() and not editor.closed:
                editor.write("- person\n")
                editor.close()
                time.sleep(0.2)  # so that the old file is long at rest when it is put aside

        monkeypatch.setattr(os, "fsync", slow)
        workspace.change(LOG, lambda text: append(text or "", "- agent"))
        assert editor.closed
    workspace.late_writes()
    assert (root / LOG).read_text() == "# Day\n- person\n- agent\n"


def test_the_next_writer_merges_late_bytes_too(root: Path) -> None:
    with open(root / LOG, "r+", encoding="utf-8") as editor:
        Workspace(str(root)).change(LOG, lambda text: append(text or "", "- agent"))
        editor.seek(0, os.SEEK_END)
        editor.write("- person\n")
    os.utime(next((root / ".memory/keep/displaced").glob("*.file")), (1, 1))
    later = Workspace(str(root))
    later.change(LOG, lambda text: append(text or "", "- later"))
    assert (root / LOG).read_text() == "# Day\n- person\n- agent\n- later\n"
    assert [problem.code for problem in later.notices()] == ["late-save"]
    assert later.notices() == (), "once"


def test_a_late_save_of_a_file_that_is_gone_makes_it_again(root: Path) -> None:
    workspace = Workspace(str(root))
    with open(root / LOG, "r+", encoding="utf-8") as editor:
        workspace.change(LOG, lambda text: append(text or "", "- agent"))
        os.unlink(root / LOG)
        editor.seek(0, os.SEEK_END)
        editor.write("- person\n")
    workspace.late_writes()
    assert (root / LOG).read_text() == "# Day\n- person\n"


def test_a_file_emptied_late_is_waited_for(root: Path) -> None:
    workspace = Workspace(str(root))
    with open(root / LOG, "r+", encoding="utf-8") as editor:
        workspace.change(LOG, lambda text: append(text or "", "- agent"))
        editor.truncate(0)
        assert workspace.late_writes() == ()
        assert (root / LOG).read_text() == "# Day\n- agent\n"


def test_displaced_files_are_kept_within_limits(root: Path) -> None:
    workspace = Workspace(str(root))
    kept = root / ".memory/keep/displaced"
    for number in range(70):
        workspace.change(LOG, lambda text, number=number: append(text or "", f"- {number}"))  # type: ignore[misc]
    old = sorted(kept.glob("*.file"))
    assert len(old) == 70, "the young ones all stay"
    for path in sorted(kept.iterdir()):
        stamp, rest = path.name.split("-", 1)
        path.rename(kept / f"{int(stamp) - 2 * 60 * 10**9}-{rest}")
    Workspace(str(root)).change(LOG, lambda text: text or "")
    assert len(list(kept.glob("*.file"))) == 64
    assert len(list(kept.glob("*.seen"))) == 64
    for path in sorted(kept.iterdir()):
        stamp, rest = path.name.split("-", 1)
        path.rename(kept / f"{int(stamp) - 25 * 3600 * 10**9}-{rest}")
    Workspace(str(root)).change(LOG, lambda text: text or "")
    assert list(kept.iterdir()) == []


# Many files.


def patches(workspace: Workspace) -> list[Patch]:
    return [
        Patch("bank/world.md", None, "# World\n", "new"),
        Patch(LOG, workspace.read(LOG).digest, "# Day, renewed\n", "changed"),
        Patch("bank/entities/王芳.md", None, "# 王芳\n", "new"),
    ]


def tree(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".memory" not in path.parts
    }


def test_a_set_is_applied_and_taken_back(root: Path) -> None:
    workspace = Workspace(str(root))
    before = tree(root)
    assert workspace.apply(patches(workspace), "reflect") == ("bank/world.md", LOG, "bank/entities/王芳.md")
    assert tree(root) == {
        "bank/world.md": b"# World\n",
        "bank/entities/王芳.md": "# 王芳\n".encode(),
        LOG: b"# Day, renewed\n",
    }
    assert nothing_left_over(root)
    assert [tuple(each) for each in Workspace(str(root)).undo()] == [
        ("bank/world.md", "removed"),
        (LOG, "restored"),
        ("bank/entities/王芳.md", "removed"),
    ]
    assert tree(root) == before
    assert workspace.undo() == ()


def test_undo_leaves_what_somebody_edited_since(root: Path) -> None:
    workspace = Workspace(str(root))
    workspace.apply(patches(workspace), "reflect")
    save(root / "bank/world.md", "# World\n- person\n")
    assert [each.outcome for each in workspace.undo()] == ["not changed: edited since", "restored", "removed"]
    assert tree(root) == {"bank/world.md": b"# World\n- person\n", LOG: b"# Day\n"}


def test_undo_goes_back_set_by_set(root: Path) -> None:
    workspace = Workspace(str(root))
    for number in range(3):
        workspace.apply([Patch(LOG, workspace.read(LOG).digest, f"{number}\n", "x")], f"set {number}")
    for expected in ("1\n", "0\n", "# Day\n"):
        assert [each.outcome for each in workspace.undo()] == ["restored"]
        assert (root / LOG).read_text() == expected
    assert workspace.undo() == ()


def test_undo_takes_back_the_set_that_is_named_and_leaves_what_came_after_it(root: Path) -> None:
    workspace = Workspace(str(root))
    workspace.apply([Patch("bank/world.md", None, "mine\n", "x")], "mine")
    workspace.apply([Patch(LOG, workspace.read(LOG).digest, "theirs\n", "x")], "theirs")
    first, second = workspace.done()
    assert workspace.undo(first.id) == (("bank/world.md", "removed"),)
    assert tree(root) == {LOG: b"theirs\n"}
    assert [each.id for each in workspace.done()] == [second.id]
    with pytest.raises(NotFound, match=f"no change {first.id} to undo"):
        workspace.undo(first.id)
    workspace.apply([Patch(LOG, workspace.read(LOG).digest, "later\n", "x")], "later")
    with pytest.raises(ChangedUnderneath, match=LOG):
        workspace.undo(second.id)
    assert (root / LOG).read_text() == "later\n"


def test_old_sets_are_forgotten(root: Path) -> None:
    workspace = Workspace(str(root))
    for number in range(12):
        workspace.apply([Patch(LOG, workspace.read(LOG).digest, f"{number}\n", "x")], f"set {number}")
    assert len(list((root / ".memory/keep/journal").iterdir())) == 10


def test_a_set_on_an_outdated_view_changes_nothing(root: Path) -> None:
    workspace = Workspace(str(root))
    outdated = patches(workspace)
    save(root / LOG, "# Day\n- person\n")
    before = tree(root)
    with pytest.raises(ChangedUnderneath, match=LOG):
        workspace.apply(outdated, "reflect")
    with pytest.raises(UsageError, match="two patches"):
        workspace.apply([outdated[0], outdated[0]], "reflect")
    assert tree(root) == before
    assert workspace.undo() == ()


def test_a_set_that_changes_nothing_leaves_no_trace(root: Path) -> None:
    workspace = Workspace(str(root))
    page = workspace.read(LOG)
    assert workspace.apply([Patch(LOG, page.digest, page.text, "same")], "reflect") == ()
    assert workspace.apply([], "reflect") == ()
    assert workspace.undo() == ()


def test_a_set_that_fails_half_way_is_put_back(root: Path) -> None:
    """A file cannot be published: staging another made a folder of its name."""
    workspace = Workspace(str(root))
    before = tree(root)
    bad = [
        Patch(LOG, workspace.read(LOG).digest, "# Day, renewed\n", "changed"),
        Patch("bank/first.md", None, "x\n", "new"),
        Patch("bank/world.md", None, "x\n", "impossible"),
        Patch("bank/world.md/below.md", None, "x\n", "new"),
    ]
    with pytest.raises(WorkspaceError, match="is a folder, not a file"):
        workspace.apply(bad, "reflect")
    assert tree(root) == before
    assert nothing_left_over(root)
    assert workspace.undo() == ()
    assert workspace.recover() == ()


def test_purge_forgets_every_older_text(root: Path) -> None:
    workspace = Workspace(str(root))
    (root / LOG).write_text("canary\n")
    workspace.apply([Patch(LOG, workspace.read(LOG).digest, "clean\n", "x")], "reflect")
    assert any(b"canary" in path.read_bytes() for path in root.rglob("*") if path.is_file())
    (root / ".memory/index.sqlite.corrupt").write_text("canary\n")
    (root / "memory/.x.md.cp-4194305-0123456789.tmp").write_text("canary\n")
    with workspace.locked():
        workspace.removal.settle()
        assert workspace.removal.purge() == []
    assert not any(b"canary" in path.read_bytes() for path in root.rglob("*") if path.is_file())
    assert workspace.undo() == ()
    assert workspace.late_writes() == ()


def test_a_keep_folder_that_cannot_be_made_stops_no_change(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it displaced would only have waited for late saves there: all files are changed."""
    workspace = Workspace(str(root))
    mkdir = os.mkdir

    def refuse(path: str, mode: int = 0o777, **at: int) -> None:
        if str(path).endswith("displaced"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        mkdir(path, mode, **at)

    monkeypatch.setattr(os, "mkdir", refuse)
    workspace.apply(
        [Patch(LOG, workspace.read(LOG).digest, "# Renewed\n", "x"), Patch("bank/new.md", None, "new\n", "x")],
        "reflect",
    )
    assert (root / LOG).read_text() == "# Renewed\n" and (root / "bank/new.md").read_text() == "new\n"
    assert nothing_left_over(root)
