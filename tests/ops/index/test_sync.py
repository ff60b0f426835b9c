"""Sync: after any edits the index says what a rebuild says, and it says it at once."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.logs import CHANGES, LOGS, edited, small_chunks

from commonplace.core.model import Origin
from commonplace.errors import IndexUnusable
from commonplace.memory import Memory
from commonplace.store.sqlite import SCHEMA, Index

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Write

PATHS = (
    "MEMORY.md",
    "memory/2025-11-27.md",
    "memory/2025-11-28.md",
    "memory/2025-11-28-call.md",
    "memory/2025-11-27 2.md",
    "memory/2025-11-27 2-MacBook.md",
    "memory/2025-11-28.sync-conflict-20251128-101500-ABCDEFG.md",
    "memory/notes.md",
    "bank/entities/Peter.md",
    "bank/entities/Peter-MacBook.md",
    "bank/opinions.md",
)
PIECES = (
    "# Notes\n",
    "## Retain\n- W @Peter: In Marrakech (Nov 27–Dec 1, 2025). ^k7f3qa\n",
    "## Retain\n- W @Peter: In Marrakech.\n- W @Peter: In Marrakech.\n",
    "- O(c=0.9) @Peter: Prefers concise replies.\n  - for, 0.95: [2025-11-28](../memory/2025-11-28.md) ^k7f3qa\n",
    "- B @warelay: I fixed it. <!-- cp: supersedes=^k7f3qa -->\n",
    "## Retain\n- O(c=7) @Peter: Broken.\n- nothing\n",
    "---\naliases: [Pete, ピーター]\n---\n# Peter\n\nCall him on Sundays, says [[Andy]].\n",
    "## 2025-11-30\n\n- 王芳在成都开了一家茶馆 @王芳\n| day | what |\n|---|---|\n| Mon | call |\n",
    "```\n- W @Peter: not a fact\n```\n",
    "| Opinion | Confidence | Evidence |\n|---|---|---|\n| @Peter likes boats | 0.9 | USER.md |\n",
    "\ufeffCaroline: hello there\r\n\r\n- Peter: hi\r\n",
    "",
)
EDITS = st.lists(
    st.tuples(
        st.sampled_from(("write", "append", "delete", "move")), st.sampled_from(PATHS), st.sampled_from(PATHS + PIECES)
    ),
    max_size=8,
)


def edit(root: Path, verb: str, path: str, other: str) -> None:
    file = root / path
    if verb == "delete":
        file.unlink(missing_ok=True)
    elif verb == "move" and other in PATHS and file.exists():
        (root / other).parent.mkdir(parents=True, exist_ok=True)
        file.rename(root / other)
    elif verb in ("write", "append") and other not in PATHS:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("ab" if verb == "append" else "wb") as out:
            out.write(other.encode())


def dump(path: str) -> list[str]:
    with Index(path) as index:
        return index.dump()


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(EDITS, min_size=1, max_size=4))
def test_sync_equals_rebuild(rounds: list[list[tuple[str, str, str]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "w"
        root.mkdir()
        for edits in rounds:
            for each in edits:
                edit(root, *each)
            with Memory(str(root)) as memory:
                memory.index()
        with Memory(str(root)) as memory:
            path = memory.workspace.index_path
            grown = dump(path)
            memory.index(rebuild=True)
            assert dump(path) == grown
        shutil.rmtree(os.path.dirname(path))
        with Memory(str(root)) as memory:
            memory.index()
        assert dump(path) == grown


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(LOGS, CHANGES)
def test_sync_of_a_part_of_a_large_log_equals_a_rebuild(
    lines: list[str], edits: list[tuple[float, int, list[str]]]
) -> None:
    with tempfile.TemporaryDirectory() as folder, small_chunks():
        log = Path(folder) / "memory/2025-11-27.md"
        log.parent.mkdir()
        lines = ["# 2025-11-27", "", "## Retain", *lines]
        for edit in ((0.0, 0, []), *edits):
            lines = edited(lines, edit)
            log.write_text("\n".join(lines) + "\n")
            with Memory(folder) as memory:
                memory.index()
        # amid a merge a file says what it said before, which a rebuild cannot know; settled, it is as a rebuild
        settled = [line for line in lines if not line.startswith(("<<<<<<< ", ">>>>>>> "))]
        log.write_text("\n".join(settled) + "\n")
        with Memory(folder) as memory:
            memory.index()
        path = memory.workspace.index_path
        grown = dump(path)
        with Memory(folder) as memory:
            memory.index(rebuild=True)
        assert dump(path) == grown


@pytest.mark.parametrize("asking", ["- elise: did you call?", "- elise: you called？"])
def test_who_speaks_in_a_large_log_is_as_in_a_rebuild_when_the_one_question_comes_or_goes(
    workspace: Write, asking: str
) -> None:
    """Handles speak only where somebody asks, which the part that changed does not tell."""
    turns = [f"- {who}: crate {number}" for number in range(4) for who in ("elise", "bob_42")]
    with small_chunks():
        root = workspace({"memory/2025-11-27.md": ""})
        for lines in (turns, [*turns, asking], [*turns, "- elise: fine"], turns):
            (root / "memory/2025-11-27.md").write_text("\n".join(["# 2025-11-27", "", *lines, ""]))
            with Memory(str(root)) as memory:
                memory.index()
            grown = dump(memory.workspace.index_path)
            with Memory(str(root)) as memory:
                memory.index(rebuild=True)
            assert dump(memory.workspace.index_path) == grown


def test_of_a_large_log_only_what_changed_is_written(workspace: Write) -> None:
    facts = "".join(f"- W @Peter: Said {number} at the harbour.\n" for number in range(3000))
    root = workspace({"memory/2025-11-27.md": f"# 2025-11-27\n\n## Retain\n{facts}"})
    with Memory(str(root)) as memory:
        memory.index()
        rows = memory.show("memory/2025-11-27.md#L100").line
        before = rows_of(memory.workspace.index_path)
        (root / "memory/2025-11-27.md").write_text(
            f"# 2025-11-27\n\n## Retain\n{facts.replace('Said 1500 ', 'Heard 1500 ')}- W @Clara: Repairs boats.\n"
        )
        assert memory.recall("boats").hits[0].line.content == "Repairs boats."
        assert memory.show("memory/2025-11-27.md#L100").line == rows
    assert len(before - rows_of(memory.workspace.index_path)) <= 1600


def rows_of(path: str) -> set[tuple[int, str]]:
    with Index(path) as index:
        return {(row, text) for row, text in index.all("select row, text from lines")}


def test_an_edit_is_seen_by_the_next_recall(workspace: Write) -> None:
    root = workspace({"memory/2025-11-27.md": "- The kettle is broken.\n"})
    with Memory(str(root)) as memory:
        assert memory.recall("kettle").hits
        log = root / "memory/2025-11-27.md"
        before = log.stat()
        log.write_text("- The teapot was broken\n")  # as many bytes, and the time stamp put back
        os.utime(log, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert not memory.recall("kettle").hits
        assert memory.recall("teapot").hits[0].line.source.line == 1


def test_a_touched_file_keeps_its_facts(workspace: Write) -> None:
    root = workspace({"memory/2025-11-27.md": "## Retain\n- W @Peter: In Marrakech.\n"})
    with Memory(str(root)) as memory:
        first = memory.recall("Marrakech").hits[0].line
        os.utime(root / "memory/2025-11-27.md")
        assert memory.index().changed == 0
        assert memory.recall("Marrakech").hits[0].line == first


def test_it_is_noted_when_something_was_taken_in(workspace: Write) -> None:
    root, noted = workspace("=== memory/2025-11-27.md\n- Rain.\n"), []
    log, other = root / "memory/2025-11-27.md", root / "memory/2025-11-28.md"
    with Memory(str(root)) as memory:
        assert memory.taken(sync=False) == 0
        changes: list[Callable[[], object]] = [
            lambda: None,
            lambda: log.write_bytes(b"- Hail.\n"),
            lambda: other.write_bytes(b"- Snow.\n"),
            lambda: other.write_bytes(b"\xff"),  # cannot be read
            lambda: other.write_bytes(b"- Snow.\n"),  # can be read again
            other.unlink,
            lambda: memory.index(rebuild=True),
        ]
        for change in changes:
            change()
            noted.append(memory.taken())
            os.utime(log)
            memory.recall("hail")
            memory.index()
            assert memory.taken() == noted[-1] == memory.taken(sync=False), "only looked at"
    assert noted == sorted({*noted})


def test_moved_lines_keep_their_ids(workspace: Write) -> None:
    root = workspace({"memory/2025-11-27.md": "## Retain\n- W @Peter: In Marrakech.\n"})
    with Memory(str(root)) as memory:
        first = memory.recall("Marrakech").hits[0]
        (root / "memory/2025-11-27.md").write_text("# A day\n\nLong.\n\n## Retain\n- W @Peter: In Marrakech.\n")
        moved = memory.recall("Marrakech").hits[0]
        assert moved.id == first.id
        assert moved.line.source.line == 6


def test_twins_are_two_facts_with_ids_of_their_own(workspace: Write) -> None:
    root = workspace({"memory/2025-11-27.md": "## Retain\n- W @Peter: Drinks tea.\n- W @Peter: Drinks tea.\n"})
    with Memory(str(root)) as memory:
        memory.index()
        facts = memory._access.fresh().facts()
        assert [fact.id for fact in facts] == [facts[0].id, facts[0].id + "-2"]


def test_an_id_that_stands_twice_is_a_problem_and_loses_nothing(workspace: Write) -> None:
    line = "## Retain\n- W @Peter: Drinks {}. ^k7f3qa\n"
    root = workspace({"memory/2025-11-27.md": line.format("tea"), "memory/2025-11-28.md": line.format("coffee")})
    with Memory(str(root)) as memory:
        assert [(str(p.source), p.code) for p in memory.check()] == [("memory/2025-11-28.md#L2", "duplicate-id")]
        assert memory.show("^k7f3qa").line.content == "Drinks tea."
        assert memory.recall("coffee").hits[0].id == "k7f3qa-2"


@pytest.mark.parametrize("damage", ["garbage", "empty", "older-schema", "truncated"])
def test_a_damaged_index_is_rebuilt(workspace: Write, damage: str) -> None:
    root = workspace({f"memory/2025-11-{day:02}.md": f"- The kettle of day {day} is broken.\n" for day in range(1, 30)})
    with Memory(str(root)) as memory:
        assert memory.recall("kettle of day 7").hits
        path = memory.workspace.index_path
    if damage == "garbage":
        Path(path).write_bytes(b"not a database at all" * 500)
    elif damage == "empty":
        Path(path).write_bytes(b"")
    elif damage == "truncated":
        with open(path, "r+b") as file:
            file.truncate(os.path.getsize(path) // 2)
    else:
        import apsw

        with apsw.Connection(path) as db:
            db.execute(f"pragma user_version = {SCHEMA - 1}")
        db.close()
    with Memory(str(root)) as memory:
        found = memory.recall("kettle of day 7")
        assert found.status == "ok"
        assert found.hits[0].line.source.path == "memory/2025-11-07.md"


def made_by(root: Path, schema: int) -> Path:
    """The index, as a program with this schema would have made it."""
    import apsw

    path = root / ".memory/index.sqlite"
    with apsw.Connection(str(path)) as db:
        db.execute(f"pragma user_version = {schema}; drop table facts").fetchall()
    db.close()
    return path


def test_a_newer_program_s_index_is_left_alone(workspace: Write) -> None:
    """Two versions in use would otherwise rebuild the index for each other at every start."""
    root = workspace({"memory/2025-11-27.md": "- The kettle is broken.\n"})
    with Memory(str(root)) as memory:
        memory.index()
    path = made_by(root, SCHEMA + 1)
    before = path.read_bytes()
    with Memory(str(root)) as memory:
        found = memory.recall("kettle")
        assert (found.status, len(found.hits)) == ("degraded", 1)
        assert "newer commonplace" in found.note
        memory.retain("W @Peter: Mended the kettle.")
        assert len(memory.recall("kettle").hits) == 2, "writing works, and is seen"
        assert any("newer commonplace" in note for note in memory.status().notes)
        with pytest.raises(IndexUnusable, match="newer commonplace") as refused:
            memory.index()
        assert "index --rebuild" in refused.value.hint
        assert path.read_bytes() == before
        assert memory.index(rebuild=True).files == 2, "asked for by name it is made anew"
        assert memory.recall("kettle").status == "ok"


def test_an_index_that_another_version_makes_anew_meanwhile(workspace: Write) -> None:
    root = workspace({"memory/2025-11-27.md": "- The kettle is broken.\n"})
    with Memory(str(root)) as running:
        assert running.recall("kettle").status == "ok"
        made_by(root, SCHEMA + 1)
        assert running.recall("kettle").status == "degraded"
    with Memory(str(root)) as running:
        running.index(rebuild=True)
        made_by(root, SCHEMA - 1)
        assert running.recall("kettle").status == "ok"


def test_forgetting_reaches_a_newer_program_s_index(workspace: Write) -> None:
    root = workspace({"memory/2025-11-27.md": "## Retain\n- W @Peter: Likes xylophones. ^xylo01\n"})
    with Memory(str(root)) as memory:
        memory.index()
    path = made_by(root, SCHEMA + 1)
    assert b"xylophones" in path.read_bytes()
    with Memory(str(root)) as memory:
        memory.forget("xylo01")
    assert b"xylophones" not in path.read_bytes()


def test_files_that_cannot_be_read_do_not_stop_the_others(workspace: Write) -> None:
    root = workspace({"memory/2025-11-27.md": "- The kettle is broken.\n"})
    (root / "memory/2025-11-28.md").write_bytes(b"- caf\xe9 latin-1\n")
    os.mkfifo(root / "memory/2025-11-29.md")
    os.symlink("/etc/hostname", root / "memory/2025-11-30.md")
    with Memory(str(root)) as memory:
        assert memory.recall("kettle").hits
        paths = {problem.source.path for problem in memory.check()}
        assert {"memory/2025-11-28.md", "memory/2025-11-29.md", "memory/2025-11-30.md"} <= paths


LOG = "## Retain\n- W @Peter: Has a boat. ^boat01\n- O(c=0.9) @Peter: Prefers sailing to rowing.\n"


@pytest.mark.parametrize(
    "name",
    [
        "2025-11-27 2",  # iCloud
        "2025-11-27 (1)",  # Google Drive, browsers
        "2025-11-27-MacBook",  # OneDrive
        "2025-11-27 (Peter's conflicted copy 2025-11-27)",  # Dropbox
        "2025-11-27.sync-conflict-20251127-101500-ABCDEFG",  # Syncthing
    ],
)
def test_a_sync_tools_copy_of_a_log_is_findable_and_no_evidence(workspace: Write, name: str) -> None:
    grown = LOG + "- W @Peter: Sold the dinghy.\n"
    root = workspace({"memory/2025-11-27.md": LOG, f"memory/{name}.md": grown})
    with Memory(str(root)) as memory:
        facts = memory._access.fresh().facts()
        assert {fact.source.path for fact in facts} == {"memory/2025-11-27.md"}
        assert facts[0].id == "boat01", "no twin"
        assert memory.recall("boat").hits[0].line.source.path == "memory/2025-11-27.md"
        found = memory.recall("dinghy").hits[0].line
        assert (str(found.source), found.origin) == (f"memory/{name}.md#L4", Origin.LOG)
        (problem,) = memory.check()
        assert (problem.source.path, problem.code) == (f"memory/{name}.md", "conflict-copy")
        assert len(memory.opinions()[0].evidence) == 0, "the one statement is the prior, and counts once"


def test_what_is_a_copy_is_asked_again_when_either_file_changes(workspace: Write) -> None:
    other = "## Retain\n- W @Ann: Bought a ladder.\n- W @Ann: Painted the door.\n"
    root = workspace({"memory/2025-11-27.md": LOG, "memory/2025-11-27-MacBook.md": other})
    log, copy = root / "memory/2025-11-27.md", root / "memory/2025-11-27-MacBook.md"

    def counted() -> int:
        with Memory(str(root)) as memory:
            paths = [fact.source.path for fact in memory._access.fresh().facts()]
            assert memory._access.fresh().copies() == ({} if copy.name in str(paths) or not copy.exists() else {
                "memory/2025-11-27-MacBook.md": "memory/2025-11-27.md"
            })  # fmt: skip
            return len(paths)

    assert counted() == 4, "a log about a MacBook"
    copy.write_text(LOG)
    assert counted() == 2, "the copy was changed"
    log.write_text(other)
    assert counted() == 4, "the original was changed"
    log.write_text(LOG)
    assert counted() == 2
    log.unlink()
    assert counted() == 2, "the original is gone: what is left of it counts"
    assert [problem.code for problem in Memory(str(root)).check()] == []
    log.write_text(LOG)
    assert counted() == 2
    assert [problem.code for problem in Memory(str(root)).check()] == ["conflict-copy"]
    copy.unlink()
    assert counted() == 2
    assert [problem.code for problem in Memory(str(root)).check()] == []


def test_a_copy_of_an_entity_page_is_no_entity(workspace: Write) -> None:
    page = "---\naliases: [Pete]\n---\n# Peter\n\nCall him on Sundays.\nHis boat is blue.\n"
    root = workspace({"bank/entities/Peter.md": page, "bank/entities/Peter (1).md": page})
    with Memory(str(root)) as memory:
        assert [entity.name for entity in memory._access.fresh().entities()] == ["Peter"]
        assert memory.entity("Pete").name == "Peter"


def test_status_counts_the_problems_that_check_lists(workspace: Write) -> None:
    root = workspace("=== memory/2026-01-01.md\n## Retain\n- O(c=7) @Peter: x\n")
    (root / "memory" / "2026-01-02.md").write_bytes(b"caf\xe9\n")
    (root / "memory" / "2026-01-03.md").symlink_to("nowhere")
    with Memory(str(root)) as memory:
        assert memory.status().problems == len(memory.check()) == 3


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("memory/2026-02-30.md", "2026-02-30"),
        ("memory/2026-13-01-plan.md", "2026-13-01"),
        ("memory/2026/02/30.md", "2026/02/30"),
        ("memory/office/2026-00-10.md", "2026-00-10"),
        ("memory/2026-02-28.md", ""),
        ("memory/5551-23-45.md", ""),
        ("memory/2026-02-301.md", ""),
        ("notes-2026-02-30.md", ""),
    ],
)
def test_a_log_of_no_day_of_the_calendar_is_told(workspace: Write, path: str, told: str) -> None:
    with Memory(str(workspace({path: "## Retain\n- W @Peter: Drinks tea.\n"}))) as memory:
        found = [(str(each.source), each.code, each.message.rpartition(": ")[2]) for each in memory.check()]
        assert found == ([(f"{path}#L1", "bad-date", told)] if told else [])
        assert memory.recall("tea").hits, "it is found all the same"


def test_a_sync_that_waited_for_another_takes_no_file_away_that_it_was_too_early_to_see(
    workspace: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = workspace({"MEMORY.md": "- W @Peter: In Marrakech. ^k7f3qa\n"})
    with Memory(str(root)) as late, Memory(str(root)) as quick:
        late.index()
        (root / "MEMORY.md").write_text("- W @Peter: In Oslo. ^k7f3qa\n", encoding="utf-8")
        transaction = Index.transaction

        def waits(index: Index, work: Any) -> Any:
            monkeypatch.setattr(Index, "transaction", transaction)
            (root / "memory").mkdir()
            (root / "memory/2025-11-27.md").write_text("## Retain\n- W @Ida: In Rome. ^ida111\n", encoding="utf-8")
            quick.index()
            return transaction(index, work)

        monkeypatch.setattr(Index, "transaction", waits)
        late.index()
        assert Index(str(root / ".memory/index.sqlite")).fact("ida111") is not None
