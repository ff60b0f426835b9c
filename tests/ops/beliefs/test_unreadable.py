"""A file that is there and cannot be read takes nothing away: pages, opinions and recall stay as they were."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from commonplace.errors import CommonplaceError, WorkspaceError
from commonplace.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Cli, Write

    Break = Callable[[Path], object]

LIFE = """
=== MEMORY.md
# Core

=== memory/2026-01-14.md
## Retain
- W @Rolf: Rolf is the carpenter. ^rolf
- W @Rolf: Lives in Bergen.
- O(c=0.9) @Rolf: Likes oak. ^oak

## Notes
- Decided to buy the big saw with Anna Berg.

=== memory/2026-01-15.md
## Retain
- O(c=0.8) @Rolf: Likes oak. ^oak2
- W @Rolf: Moved to Oslo.
- W @Mia: Mia teaches. ^mia
- W @Mia: Plays chess. <!-- cp: retracts=^rolf -->
"""
EARLY, LATE, ROLF = "memory/2026-01-14.md", "memory/2026-01-15.md", "bank/entities/Rolf.md"


def memory(root: Path) -> Memory:
    return Memory(str(root), today=date(2026, 2, 1))


@pytest.fixture
def root(workspace: Write) -> Path:
    folder = workspace(LIFE)
    with memory(folder) as made:
        made.reflect(yes=True)
    return folder


def pages(root: Path) -> dict[str, bytes]:
    return {str(each.relative_to(root)): each.read_bytes() for each in (root / "bank").rglob("*.md") if each.is_file()}


def other_encoding(file: Path) -> None:
    file.write_bytes(file.read_text().encode("utf-16"))


def merge(file: Path) -> None:
    first, *rest = file.read_text().split("\n")
    other = ["- W @Rolf: Lives in Rome.", *rest[1:3]]
    file.write_text("\n".join([first, "<<<<<<< HEAD", *rest[:3], "=======", *other, ">>>>>>> theirs", *rest[3:]]))


def three_way_merge(file: Path) -> None:
    lines = file.read_text().split("\n")
    marks = ["<<<<<<< ours", *lines[:3], "||||||| base", lines[0], "=======", "- Another.", ">>>>>>> theirs"]
    file.write_text("\n".join([*marks, *lines[3:]]))


def pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def dangling(file: Path) -> None:
    file.unlink()
    file.symlink_to("nowhere.md")


def leads_out(file: Path) -> None:
    file.unlink()
    file.symlink_to("/etc/hostname")


def in_the_cloud(file: Path) -> None:
    file.rename(file.parent / f".{file.name}.icloud")


def too_large(file: Path) -> None:
    (file.parent.parent / "commonplace.toml").write_text("max_file_bytes = 20\n")


def no_folder(file: Path) -> None:
    shutil.rmtree(file.parent)
    file.parent.write_text("a file where the folder was")


def folder_linked_to_nothing(file: Path) -> None:
    shutil.rmtree(file.parent)
    file.parent.symlink_to("/nowhere/at/all")


BREAKS = [
    other_encoding, merge, three_way_merge, pipe, folder, dangling, leads_out, in_the_cloud, too_large, no_folder,
    folder_linked_to_nothing,
]  # fmt: skip


def put_back(root: Path, saved: Path) -> None:
    """Every log as it was, whatever is in its place."""
    if (root / "memory").is_dir() and not (root / "memory").is_symlink():
        shutil.rmtree(root / "memory")
    else:
        (root / "memory").unlink()
    shutil.copytree(saved, root / "memory")
    (root / "commonplace.toml").unlink(missing_ok=True)


@pytest.mark.parametrize("forgotten", [False, True], ids=["known", "index-deleted"])
@pytest.mark.parametrize("log", [EARLY, LATE])
@pytest.mark.parametrize("spoil", BREAKS)
def test_what_rests_on_it_stays_until_it_is_read_again(
    root: Path, tmp_path: Path, log: str, spoil: Break, forgotten: bool
) -> None:
    with memory(root) as made:
        before = {each.id: each.confidence for each in made.opinions()}
    untouched = pages(root)
    shutil.copytree(root / "memory", tmp_path / "saved")
    spoil(root / log)
    if forgotten:
        shutil.rmtree(root / ".memory")
    with memory(root) as made:
        done = made.reflect()
        assert pages(root) == untouched and not done.patches
        assert done.unread, done.notes
        assert all(each.message in "\n".join(done.notes) for each in done.unread)
        assert {each.id: each.confidence for each in made.opinions()} == before
        assert {each.code for each in done.unread} <= {each.code for each in made.check()}
        bundle = made.recall("Rolf oak")
        if not forgotten:
            assert "Likes oak." in {hit.line.content for hit in bundle.hits}
            assert bundle.status == "stale" and done.unread[0].path in bundle.note
            assert any(done.unread[0].path in note for note in made.status().notes)
        assert made.reflect().unread == done.unread  # told each time, not once
        assert pages(root) == untouched
    put_back(root, tmp_path / "saved")
    with memory(root) as made:
        assert not made.reflect().unread
        assert made.recall("Rolf oak").status == "ok"
    assert pages(root) == untouched


def test_only_what_is_gone_is_gone(root: Path) -> None:
    other_encoding(root / EARLY)
    with memory(root) as made:
        made.reflect()
        assert "Bergen" in (root / ROLF).read_text()
        (root / EARLY).unlink()
        assert not made.reflect().unread
    assert "Bergen" not in (root / ROLF).read_text()


def test_the_rest_of_the_memory_goes_on(root: Path) -> None:
    other_encoding(root / EARLY)
    (root / "memory" / "2026-01-20.md").write_text("## Retain\n- W @Rolf: Owns a boat.\n")
    with memory(root) as made:
        assert [each.path for each in made.reflect().unread] == [EARLY]
    page = (root / ROLF).read_text()
    assert "Owns a boat" in page and "Bergen" in page


def test_a_merge_is_findable_line_by_line_and_adds_no_evidence(root: Path) -> None:
    merge(root / EARLY)
    with memory(root) as made:
        facts = {fact.content for fact in made._access.fresh().facts()}
        assert "Lives in Bergen." in facts and "Lives in Rome." not in facts
        hit = next(hit for hit in made.recall("Rome").hits if "Lives in Rome." in hit.line.content)
        assert "Lives in Rome." in (root / EARLY).read_text().split("\n")[hit.line.source.line - 1]
        settled = (root / EARLY).read_text().replace("<<<<<<< HEAD\n", "").replace(">>>>>>> theirs\n", "")
        (root / EARLY).write_text(settled.replace("=======\n", ""))
        assert not made.reflect().unread
        assert "Lives in Rome." in {fact.content for fact in made._access.fresh().facts()}


def test_a_page_that_cannot_be_read_is_never_made_anew(root: Path) -> None:
    text = (root / ROLF).read_text()
    dangling(root / ROLF)
    with memory(root) as made:
        done = made.reflect()
        assert not (root / "nowhere.md").exists() and not (root / "bank/entities/nowhere.md").exists()
        assert [each.path for each in done.unread] == [ROLF]
        (root / ROLF).unlink()
        (root / ROLF).write_text(text)
        made.reflect()
    assert (root / ROLF).read_text() == text


def test_no_answer_is_acted_on_while_pages_must_stay(root: Path) -> None:
    other_encoding(root / EARLY)
    shutil.rmtree(root / ".memory")
    untouched = pages(root)
    with memory(root) as made:
        opinion = made.opinions()[0].id
        with pytest.raises(WorkspaceError, match=EARLY):
            made.answer([opinion], "for", fact="mia")
    assert pages(root) == untouched


def failing_read_of(file: Path) -> Callable[[int, int], bytes]:
    """`os.read`, but for one file, of which the disk gives an error."""
    inode, read = file.stat().st_ino, os.read

    def failing(fd: int, count: int) -> bytes:
        if os.fstat(fd).st_ino == inode:
            raise OSError(errno.EIO, "Input/output error")
        return read(fd, count)

    return failing


def test_an_error_of_the_disk_passes_without_a_trace(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    untouched = pages(root)
    os.utime(root / EARLY)
    with memory(root) as made:
        with monkeypatch.context() as patch:
            patch.setattr(os, "read", failing_read_of(root / EARLY))
            done = made.reflect()
            assert [(each.path, each.code, each.known) for each in done.unread] == [(EARLY, "unreadable", True)]
        assert pages(root) == untouched
        (root / EARLY).write_text((root / EARLY).read_text().replace("Bergen", "Brevik"))
        os.utime(root / EARLY, ns=(1, 1))
        assert not made.reflect().unread and "Brevik" in (root / ROLF).read_text()


def test_a_new_file_that_could_not_be_read_is_tried_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = root / "memory" / "2026-01-20.md"
    new.write_text("## Retain\n- W @Rolf: Owns a boat.\n")
    os.utime(new, ns=(10**18, 10**18))
    with memory(root) as made:
        with monkeypatch.context() as patch:
            patch.setattr(os, "read", failing_read_of(new))
            bundle = made.recall("boat")
            assert bundle.status == "degraded" and "2026-01-20.md" in bundle.note and not bundle.hits
        assert made.recall("boat").hits  # though nothing that the file system says of it has changed


NOBODY = """
import importlib, json, os, pkgutil, sys
from datetime import date
import commonplace.core, commonplace.memory, commonplace.ops, commonplace.store
from commonplace.memory import Memory
root, target, forgotten = sys.argv[1:]
def run():
    with Memory(root, today=date(2026, 2, 1)) as memory:
        done = memory.reflect()
        unread = [[each.path, each.code, each.known] for each in done.unread]
        return unread, len(done.patches), memory.recall("oak").status
run()
for room in (commonplace.core, commonplace.memory, commonplace.ops, commonplace.store):  # nobody may not read them
    for each in pkgutil.walk_packages(room.__path__, room.__name__ + "."):
        importlib.import_module(each.name)
if forgotten == "yes":
    for name in os.listdir(f"{root}/.memory"):
        if name.startswith("index"):
            os.unlink(f"{root}/.memory/{name}")
if os.geteuid() == 0:
    for folder, _, files in os.walk(root):
        for path in (folder, *(os.path.join(folder, name) for name in files)):
            os.chown(path, 65534, 65534)
    os.setgroups([])
    os.setegid(65534)
    os.seteuid(65534)
mode = os.stat(f"{root}/{target}").st_mode
os.chmod(f"{root}/{target}", 0)
spoilt = run()
os.chmod(f"{root}/{target}", mode)
print(json.dumps([spoilt, run()]))
"""


@pytest.mark.parametrize("forgotten", ["no", "yes"])
@pytest.mark.parametrize("target", [EARLY, "memory"])
def test_files_without_permission_change_nothing_until_they_can_be_read(
    root: Path, quick: Path, target: str, forgotten: str
) -> None:
    quick.chmod(0o755)
    there = quick / "workspace"
    shutil.copytree(root, there)
    untouched = pages(there)
    command = [sys.executable, "-c", NOBODY, str(there), target, forgotten]
    said = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    (unread, patches, status), (after, more, fresh) = json.loads(said.stdout)
    assert unread == [[target, "unreadable", forgotten == "no"]] and (patches, more) == (0, 0)
    assert status == ("stale" if forgotten == "no" else "degraded") and (after, fresh) == ([], "ok")
    assert pages(there) == untouched


def test_the_exit_status_and_the_answer_of_the_command_line_tell(root: Path, cli: Cli) -> None:
    other_encoding(root / EARLY)
    for flags in ([], ["--quiet"], ["--exit-code"], ["--quiet", "--exit-code"], ["--dry-run"]):
        shown = cli("reflect", *flags)
        assert shown.status == 1 and EARLY in shown.out and "not UTF-8" in shown.out, flags
    shown = cli("reflect", "--json")
    said: dict[str, Any] = json.loads(shown.out)
    assert shown.status == 1 and said["outcome"] == "nothing new"
    assert [(each["path"], each["code"], each["known"]) for each in said["unread"]] == [(EARLY, "not-utf8", True)]
    assert EARLY in cli("status").out
    recalled = json.loads(cli("recall", "oak", "--json").out)
    assert recalled["status"] == "stale" and EARLY in recalled["note"] and recalled["hits"]


@pytest.fixture
def locked(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Names of folders that the system refuses to open, and so to list; whoever runs the tests may be root."""
    names, opened = set[str](), os.open

    def refusing(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if names and flags & os.O_DIRECTORY and os.path.basename(os.fsdecode(path).rstrip("/")) in names:
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return opened(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", refusing)
    return names


def renamed(root: Path) -> str:
    (root / "memory" / "sub").rename(root / "memory" / "locked")
    return "memory/locked"


def moved_below(root: Path) -> str:
    (root / "memory" / "locked").mkdir()
    (root / "memory" / "sub").rename(root / "memory" / "locked" / "sub")
    return "memory/locked"


def into_one_that_was_there(root: Path) -> str:
    (root / "memory" / "sub" / "2026-01-16.md").rename(root / "memory" / "old" / "2026-01-16.md")
    return "memory/old"


def into_the_cloud(root: Path) -> str:
    (root / "memory" / "sub" / "2026-01-16.md").rename(root / "memory" / ".2026-01-16b.md.icloud")
    return "memory/2026-01-16b.md"


def behind_a_dead_link(root: Path) -> str:
    shutil.move(root / "memory" / "sub", root.parent / "elsewhere")
    (root / "memory" / "linked").symlink_to(root / "nowhere")
    return "memory/linked"


def renamed_and_spoilt(root: Path) -> str:
    (root / "memory" / "sub" / "2026-01-16.md").rename(root / "memory" / "2026-01-17.md")
    other_encoding(root / "memory" / "2026-01-17.md")
    return "memory/2026-01-17.md"


MOVES = [renamed, moved_below, into_one_that_was_there, into_the_cloud, behind_a_dead_link, renamed_and_spoilt]


@pytest.mark.parametrize("forgotten", [False, True], ids=["known", "index-deleted"])
@pytest.mark.parametrize("move", MOVES)
def test_what_went_missing_may_be_in_what_cannot_be_read(
    root: Path, locked: set[str], move: Callable[[Path], str], forgotten: bool
) -> None:
    for name, text in (
        ("old/2025-01-02.md", "## Retain\n- W @Mia: Sings.\n"),
        ("sub/2026-01-16.md", "## Retain\n- O(c=0.9) @Rolf: Likes oak.\n- W @Rolf: Owns a dog. ^dog\n"),
    ):
        (root / "memory" / name).parent.mkdir(exist_ok=True)
        (root / "memory" / name).write_text(text)
    with memory(root) as made:
        made.reflect(yes=True)
        before = {each.id: each.confidence for each in made.opinions()}
    untouched = pages(root)
    assert b"Owns a dog" in untouched[ROLF]
    hidden = move(root)
    locked.add(os.path.basename(hidden))
    if forgotten:
        shutil.rmtree(root / ".memory")
    with memory(root) as made:
        for _ in range(3):  # it stays so, though only the first look can tell that something came
            done = made.reflect()
            assert pages(root) == untouched and not done.patches
            assert [each.path for each in done.unread] == [hidden]
            assert {each.id: each.confidence for each in made.opinions()} == before
            (root / "memory" / "2026-01-14.md").touch()
        if not forgotten:
            assert "memory/sub/2026-01-16.md" in done.notes[0]
            assert any(
                "memory/sub/2026-01-16.md" in each.message for each in made.check() if each.source.path == hidden
            )
            bundle = made.recall("dog")
            assert bundle.hits and bundle.status == "stale" and "memory/sub/2026-01-16.md" in bundle.note
            with pytest.raises(CommonplaceError, match=hidden):
                made.forget("dog")


def test_it_is_gone_once_what_may_have_hidden_it_can_be_read_or_is_gone(root: Path, locked: set[str]) -> None:
    (root / "memory" / "sub").mkdir()
    (root / EARLY).rename(root / "memory" / "sub" / "2026-01-14.md")
    with memory(root) as made:
        made.reflect()
        (root / "memory" / "sub").rename(root / "memory" / "locked")
        locked.add("locked")
        assert made.reflect().unread and made.recall("Bergen").hits
        (root / "memory" / "locked").rename(root / "memory" / "other")
        locked.add("other")
        assert made.reflect().unread and made.recall("Bergen").hits  # hidden under a second name
        locked.clear()
        assert not made.reflect().unread
        (hit,) = [hit for hit in made.recall("Bergen").hits if "Bergen" in hit.line.content]
        assert hit.line.source.path == "memory/other/2026-01-14.md" and not made.check()
        (root / "memory" / "other").rename(root / "memory" / "locked")
        locked.add("locked")
        assert made.reflect().unread
        shutil.rmtree(root / "memory" / "locked")
        assert not made.reflect().unread and not made.recall("Bergen").hits


def test_what_is_deleted_beside_a_folder_that_could_never_be_listed_is_gone(root: Path, locked: set[str]) -> None:
    (root / "memory" / "locked").mkdir()
    locked.add("locked")
    with memory(root) as made:
        made.reflect()
        (root / EARLY).unlink()
        made.reflect()
        assert "Bergen" not in (root / ROLF).read_text()


def test_what_is_found_elsewhere_is_not_held(root: Path, locked: set[str]) -> None:
    with memory(root) as made:
        made.reflect()
        (root / "memory" / "locked").mkdir()
        locked.add("locked")
        shutil.copy(root / EARLY, root / "memory" / "copied.md")
        (root / EARLY).unlink()
        assert [each.holds for each in made.reflect().unread] == [()]


def test_a_page_elsewhere_in_the_bank_keeps_its_lines(root: Path) -> None:
    (root / "bank" / "people").mkdir()
    (root / ROLF).rename(root / "bank" / "people" / "Rolf.md")
    with memory(root) as made:
        made.reflect()
        moved = (root / "bank" / "people" / "Rolf.md").read_bytes()
        assert b"Bergen" in moved and not (root / ROLF).exists()
    for pages_of in ((root / "bank").glob("*.md"), (root / "bank" / "entities").glob("*.md")):
        for each in pages_of:
            each.unlink()
    other_encoding(root / EARLY)
    shutil.rmtree(root / ".memory")
    with memory(root) as made:
        assert made.reflect().unread
    assert (root / "bank" / "people" / "Rolf.md").read_bytes() == moved


COPIED = "memory/2026-01-16.md"
SAID = "## Retain\n- W @Rolf: Has a boat in the harbour.\n- W @Mia: Repairs clocks.\n- W @Mia: Swims.\n"


@pytest.mark.parametrize("meanwhile", ["the original is gone", "it says something else", "nothing"])
@pytest.mark.parametrize("unread", ["copy", "original"])
@pytest.mark.parametrize("spoil", [other_encoding, pipe])
def test_a_conflict_copy_is_judged_again_once_both_are_read(
    root: Path, spoil: Break, unread: str, meanwhile: str
) -> None:
    original, copy = root / COPIED, root / "memory" / "2026-01-16 2.md"
    original.write_text(SAID)
    if unread == "copy":
        copy.write_text(SAID)
    with memory(root) as made:
        made.reflect()
        spoilt, other = (copy, original) if unread == "copy" else (original, copy)
        spoil(spoilt)
        made.index()
        other.write_text(SAID)  # a copy may come while its original cannot be read
        if meanwhile == "the original is gone":
            original.unlink()
        elif meanwhile == "it says something else":
            other.write_text("## Retain\n- W @Rolf: Sleeps long.\n")
        made.index()
        if spoilt.exists():
            spoilt.unlink()
            made.index() if spoil is pipe else None
            spoilt.write_text(SAID)
        made.index()
        kept = made._access.fresh().dump()
        made.index(rebuild=True)
        assert kept == made._access.fresh().dump()


def test_a_new_log_amid_a_merge_is_told_until_it_is_settled(root: Path, cli: Cli) -> None:
    new = root / "memory" / "2026-01-20.md"
    new.write_text("## Retain\n- W @Rolf: Owns a kayak.\n<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> theirs\n")
    untouched = pages(root)
    for flags in ([], ["--quiet"], ["--exit-code"], ["--dry-run"]):
        shown = cli("reflect", *flags)
        assert shown.status == 1 and "memory/2026-01-20.md contains merge conflict markers" in shown.out, flags
    assert pages(root) == untouched
    recalled = json.loads(cli("recall", "kayak", "--json").out)
    assert recalled["status"] == "degraded" and "memory/2026-01-20.md" in recalled["note"]
    new.write_text("## Retain\n- W @Rolf: Owns a kayak.\n- a\n- b\n")
    assert cli("reflect").status == 0 and "kayak" in (root / ROLF).read_text()
    assert json.loads(cli("recall", "kayak", "--json").out)["status"] == "ok"
