"""Explicit writes over real files: what they change, what they refuse, and that the next read sees them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace import ChangedUnderneath, Memory, NotFound, OutsideWorkspace, SecretRefused, TextNotUnique, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from commonplace import Written

    Write = Callable[[dict[str, str]], Path]

TODAY = date(2026, 2, 1)
FILES = {
    "MEMORY.md": "# Memory\r\n\r\n- Tea, not coffee.\r\n",
    "SOUL.md": "I am Quill.\n",
    "bank/entities/Peter.md": "# Peter\n\nCall him on Sundays only.\n",
    "memory/2026-01-30.md": "# 2026-01-30\n\n- Rain.\n",
}
LOGS = (
    "memory/office/2026-01-30-standup.md",
    "memory/2025/11/03.md",
    "memory/20251103.md",
    "memory/2025-11-04/notes.md",
    "memory/2025/10/25/castle-inventory.md",
)
"""Paths that recall takes a day from."""


def test_append_replace_and_insert_are_seen_by_the_next_read(workspace: Write) -> None:
    root = workspace(FILES)
    with Memory(str(root), today=TODAY) as memory:
        done = memory.append("MEMORY.md", "- The bicycle code is in the blue notebook.")
        assert (str(done.source), done.lines, done.created) == ("MEMORY.md#L4", 1, False)
        assert "bicycle" in memory.core().text
        assert str(memory.recall("where is the bicycle code?").hits[0].line.source) == "MEMORY.md#L4"
        done = memory.replace("MEMORY.md", "blue notebook", "red notebook", digest=done.digest)
        assert (str(done.source), done.lines) == ("MEMORY.md#L4", 1)
        done = memory.insert("MEMORY.md", "- Biscuits too.", after=3, digest=done.digest)
        assert (str(done.source), done.lines) == ("MEMORY.md#L4", 1)
        assert memory.get("MEMORY.md").digest == done.digest
    assert (root / "MEMORY.md").read_bytes().decode() == (
        "# Memory\r\n\r\n- Tea, not coffee.\r\n- Biscuits too.\r\n- The bicycle code is in the red notebook.\r\n"
    )


@pytest.mark.parametrize("tail", [" ^boat01", ""])
def test_words_appended_below_a_fact_leave_it_as_it_is(workspace: Write, tail: str) -> None:
    log = "memory/2026-01-20.md"
    root = workspace({log: f"## Retain\n- W @Peter: Has a boat.{tail}\n"})
    with Memory(str(root), today=date(2026, 1, 20)) as memory:
        (before,) = memory.recall("boat").hits
        done = memory.append(log, "It leaks.")
        assert memory.get(str(done.source)).text == "It leaks.\n"
        assert [hit.line for hit in memory.recall("boat").hits] == [before.line]


def test_a_new_page_is_made_by_append_alone(workspace: Write) -> None:
    with Memory(str(workspace(FILES)), today=TODAY) as memory:
        done = memory.append("bank/entities/Ada.md", "# Ada\n\nPlays the oboe.")
        assert done.created and done.lines == 3 and memory.recall("who plays the oboe?").hits
        with pytest.raises(NotFound):
            memory.insert("bank/entities/Eve.md", "x", after=0)


def test_a_write_on_an_outdated_view_is_refused(workspace: Write) -> None:
    root = workspace(FILES)
    with Memory(str(root), today=TODAY) as memory:
        seen = memory.get("MEMORY.md").digest
        (root / "MEMORY.md").write_text("# Memory\n\n- Coffee after all.\n")
        writes: tuple[Callable[[], Written], ...] = (
            lambda: memory.append("MEMORY.md", "- x", digest=seen),
            lambda: memory.insert("MEMORY.md", "- x", after=1, digest=seen),
            lambda: memory.replace("MEMORY.md", "Coffee", "Tea", digest=seen),
        )
        for write in writes:
            with pytest.raises(ChangedUnderneath, match="has changed since you read it"):
                write()
    assert (root / "MEMORY.md").read_text() == "# Memory\n\n- Coffee after all.\n"


def test_a_daily_log_only_grows(workspace: Write) -> None:
    root = workspace(FILES)
    log = "memory/2026-01-30.md"
    with Memory(str(root), today=TODAY) as memory:
        writes: tuple[Callable[[], Written], ...] = (
            lambda: memory.insert(log, "- x", after=1),
            lambda: memory.replace(log, "Rain", "Snow"),
            *(lambda path=path: memory.replace(path, "a", "b") for path in LOGS),
        )
        for write in writes:
            with pytest.raises(UsageError, match="only grows"):
                write()
        assert str(memory.append(log, "- Snow.").source) == f"{log}#L4"
    assert (root / log).read_text() == "# 2026-01-30\n\n- Rain.\n- Snow.\n"


def test_only_markdown_is_read(workspace: Write) -> None:
    root = workspace(FILES)
    (root / "keys.txt").write_text("the key\n", encoding="utf-8")
    with Memory(str(root), today=TODAY) as memory, pytest.raises(OutsideWorkspace, match="not a Markdown file"):
        memory.get("keys.txt")


@pytest.mark.parametrize(
    "path", ["../out.md", "/etc/out.md", ".memory/x.md", "bank/.hidden.md", "notes.txt", "a/../../b.md", ""]
)
def test_no_write_leaves_the_memory(workspace: Write, path: str) -> None:
    root = workspace(FILES)
    before = sorted(root.parent.rglob("*"))
    with Memory(str(root), today=TODAY) as memory, pytest.raises(OutsideWorkspace):
        memory.append(path, "x")
    assert [each for each in sorted(root.parent.rglob("*")) if ".memory" not in each.parts] == before


def test_a_host_s_core_files_are_only_read(workspace: Write) -> None:
    with Memory(str(workspace(FILES)), today=TODAY) as memory:
        with pytest.raises(UsageError, match="belongs to the host"):
            memory.append("SOUL.md", "x")
        assert [block.read_only for block in memory.core().blocks] == [False, True]


@pytest.mark.parametrize(
    "path", ["CLAUDE.md", "HEARTBEAT.md", "agents.md", "Soul.md", "skills/tidy/SKILL.md", "notes/a.md"]
)
def test_only_the_core_the_bank_and_the_memory_are_written(workspace: Write, path: str) -> None:
    """Hosts obey files of many names; a misled agent writes none of them."""
    root = workspace(FILES)
    before = sorted(root.rglob("*.md"))
    with Memory(str(root), today=TODAY) as memory:
        with pytest.raises(UsageError, match=r"write to MEMORY\.md, or to a file in bank/ or memory/"):
            memory.append(path, "Obey me.")
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("old\n", encoding="utf-8")
        writes: tuple[Callable[[], Written], ...] = (
            lambda: memory.replace(path, "old", "new"),
            lambda: memory.insert(path, "new", after=0),
        )
        for write in writes:
            with pytest.raises(UsageError, match=r"write to MEMORY\.md"):
                write()
        assert (root / path).read_text(encoding="utf-8") == "old\n"
    assert sorted({*root.rglob("*.md")} - {root / path}) == before


def test_a_file_without_permission_to_write_is_only_read(workspace: Write) -> None:
    root = workspace(FILES)
    path = "bank/entities/Peter.md"
    for name in ("MEMORY.md", path):
        (root / name).chmod(0o444)
    with Memory(str(root), today=TODAY) as memory:
        assert all(block.read_only for block in memory.core().blocks)
        writes: tuple[Callable[[], Written], ...] = (
            lambda: memory.append("MEMORY.md", "x"),
            lambda: memory.replace(path, "Sundays", "Mondays"),
            lambda: memory.insert(path, "x", after=0),
        )
        for write in writes:
            with pytest.raises(UsageError, match="is read-only"):
                write()
    assert (root / path).read_text(encoding="utf-8") == FILES[path]


def test_a_link_goes_around_no_law(workspace: Write) -> None:
    root = workspace(FILES | {"skills/x/SKILL.md": "Tidy.\n"})
    log = root / "memory/2026-01-30.md"
    for link, target in {
        "bank/soul.md": "../SOUL.md",
        "bank/new.md": "../USER.md",
        "bank/log.md": "../memory/2026-01-30.md",
        "bank/logs": "../memory",
        "bank/skill.md": "../skills/x/SKILL.md",
        "bank/skills": "../skills",
        "bank/core.md": "../MEMORY.md",
        "memory/peter.md": "../bank/entities/Peter.md",
        "memory/2026-01-29.md": "../bank/entities/Peter.md",
    }.items():
        (root / link).symlink_to(target)
    with Memory(str(root), today=TODAY) as memory:
        for path in ("bank/soul.md", "bank/new.md"):
            with pytest.raises(UsageError, match="belongs to the host"):
                memory.append(path, "Obey me.")
        for path in ("bank/skill.md", "bank/skills/x/SKILL.md", "bank/skills/y.md"):
            with pytest.raises(UsageError, match="cannot be written by these commands"):
                memory.append(path, "Obey me.")
        for path in ("bank/log.md", "bank/logs/2026-01-30.md", "memory/2026-01-29.md"):
            with pytest.raises(UsageError, match="only grows"):
                memory.replace(path, "Rain", "Snow")
        memory.append("bank/log.md", "- Snow.")
        memory.append("bank/core.md", "- Biscuits too.")
        memory.replace("memory/peter.md", "Sundays", "Mondays")
    assert log.read_text(encoding="utf-8") == "# 2026-01-30\n\n- Rain.\n- Snow.\n"
    assert not (root / "USER.md").exists() and (root / "SOUL.md").read_text(encoding="utf-8") == "I am Quill.\n"
    assert sorted(each.name for each in (root / "skills").rglob("*.md")) == ["SKILL.md"]
    assert "Mondays" in (root / "bank/entities/Peter.md").read_text(encoding="utf-8")


def test_a_host_s_file_is_only_read_wherever_a_link_puts_it(workspace: Write) -> None:
    files = FILES.copy()
    root = workspace(files | {"bank/soul.md": files.pop("SOUL.md")})
    (root / "SOUL.md").symlink_to("bank/soul.md")
    with Memory(str(root), today=TODAY) as memory, pytest.raises(UsageError, match="belongs to the host"):
        memory.append("bank/soul.md", "Obey me.")


def test_a_memory_that_is_a_link_is_written_as_one_that_is_none(workspace: Write) -> None:
    root = workspace({"MEMORY.md": "# Memory\n", "journal/2026-01-30.md": "- Rain.\n"})
    (root / "memory").symlink_to("journal")
    with Memory(str(root), today=TODAY) as memory:
        memory.append("memory/2026-01-30.md", "- Snow.")
        memory.append("memory/plan.md", "- Skates.")
        memory.replace("memory/plan.md", "Skates", "Skis")
        with pytest.raises(UsageError, match="only grows"):
            memory.replace("memory/2026-01-30.md", "Rain", "Hail")
    assert (root / "journal/2026-01-30.md").read_text(encoding="utf-8") == "- Rain.\n- Snow.\n"
    assert (root / "journal/plan.md").read_text(encoding="utf-8") == "- Skis.\n"


@pytest.mark.parametrize("character", ["\0", "\x08", "\x0b", "\x1b", "\x7f"])
def test_no_control_character_is_written(workspace: Write, character: str) -> None:
    root = workspace(FILES)
    text = f"- Te{character}a."
    with Memory(str(root), today=TODAY) as memory:
        old = memory.retain("W @Peter: Sold the boat.").fact
        before = {each: each.read_bytes() for each in root.rglob("*.md")}
        writes: tuple[Callable[[], object], ...] = (
            lambda: memory.append("MEMORY.md", text),
            lambda: memory.insert("MEMORY.md", text, after=0),
            lambda: memory.replace("MEMORY.md", "coffee", text),
            lambda: memory.append("memory/2026-01-30.md", text),
        )
        facts: tuple[Callable[[], object], ...] = (
            lambda: memory.retain(f"W @Peter: Drinks te{character}a."),
            lambda: memory.correct(old.id, f"Sold the bo{character}at."),
            lambda: memory.retract(old.id, reason=f"he{character}arsay"),
        )
        for write in (*writes, *(() if character == "\x0b" else facts)):  # to a fact, U+000B is a space
            with pytest.raises(UsageError, match=rf"the control character U\+{ord(character):04X}"):
                write()
        assert {each: each.read_bytes() for each in root.rglob("*.md")} == before
        memory.append("bank/tabs.md", "a\tb\r\nc\u0085d\n")


def test_a_nul_is_told_and_can_be_taken_out(workspace: Write) -> None:
    root = workspace(FILES | {"memory/2026-01-29.md": "# Day\n\n## Retain\n- W @Ada: Plays the\0 oboe. ^k7f3qa\n"})
    with Memory(str(root), today=TODAY) as memory:
        found = [problem for problem in memory.check() if problem.code == "nul"]
        assert [str(problem.source) for problem in found] == ["memory/2026-01-29.md#L4"]
        assert memory.retract("k7f3qa").created
        assert b"\0" not in (root / "memory/2026-02-01.md").read_bytes()
        memory.append("bank/ada.md", "- oboe")
        (root / "bank/ada.md").write_text("- ob\0oe\n", encoding="utf-8")
        memory.replace("bank/ada.md", "ob\0oe", "oboe")
        assert [problem.source.path for problem in memory.check() if problem.code == "nul"] == ["memory/2026-01-29.md"]


def test_a_file_of_another_encoding_is_told_with_its_line_or_encoding(workspace: Write) -> None:
    root = workspace(FILES)
    (root / "memory/2026-01-28.md").write_bytes(b"# Day\n\n- caf\xe9\n")
    for name, encoding in (("27", "utf-16-le"), ("26", "utf-16-be"), ("25", "utf-16")):
        (root / f"memory/2026-01-{name}.md").write_bytes("# Day\n- Ada plays the oboe, æøå.\n".encode(encoding))
    (root / "memory/2026-01-24.md").write_bytes("# Day\n- 彼はオーボエ\n- Ada plays\n".encode("utf-16"))
    with Memory(str(root), today=TODAY) as memory:
        found = {str(each.source): each for each in memory.check() if each.source.path.startswith("memory/2026-01-2")}
    assert {each.code for each in found.values()} == {"not-utf8"}
    assert "in line 3" in found["memory/2026-01-28.md#L3"].message
    for name, encoding in (("27", "UTF-16LE"), ("26", "UTF-16BE"), ("25", "UTF-16LE"), ("24", "UTF-16LE")):
        assert f"convert it from {encoding} to UTF-8" in found[f"memory/2026-01-{name}.md#L1"].hint


def test_what_cannot_be_written_is_told(workspace: Write) -> None:
    with Memory(str(workspace(FILES)), today=TODAY) as memory:
        memory.append("MEMORY.md", "- Tea, not coffee.")
        with pytest.raises(TextNotUnique, match="lines 3, 4"):
            memory.replace("MEMORY.md", "Tea", "Maté")
        with pytest.raises(UsageError, match="no line 99"):
            memory.insert("MEMORY.md", "x", after=99)
        with pytest.raises(UsageError, match="nothing to append"):
            memory.append("MEMORY.md", " \n")
        with pytest.raises(SecretRefused):
            memory.append("MEMORY.md", "the password is: hunter2horse!")


def test_lines_by_citation(workspace: Write) -> None:
    with Memory(str(workspace(FILES)), today=TODAY) as memory:
        found = memory.get("MEMORY.md#L2-L3")
        assert (found.text, found.last, found.total) == ("\n- Tea, not coffee.\n", 3, 3)
        assert memory.get("MEMORY.md#L3").text == "- Tea, not coffee.\n"
        assert memory.get("SOUL.md").text == "I am Quill.\n"
        for wrong, error in (("MEMORY.md#L9", NotFound), ("MEMORY.md#9", UsageError), ("no.md", NotFound)):
            with pytest.raises(error):
                memory.get(wrong)


def test_a_correction_supersedes_and_keeps_what_the_fact_was_about(workspace: Write) -> None:
    with Memory(str(workspace(FILES)), today=TODAY) as memory:
        first = memory.retain("O(c=0.9) @Peter: Prefers long replies.", date="2026-01-30").fact
        second = memory.correct(f"^{first.id}", "Prefers short replies.").fact
        assert (second.kind, second.entities, second.confidence) == (first.kind, ("Peter",), 0.9)
        assert second.trailer.supersedes == (first.id,) and str(second.recorded) == "2026-02-01"
        hits = memory.recall("which replies does Peter prefer?").hits
        assert hits[0].id == second.id
        assert memory.correct(second.id, "W @Ada: Prefers short replies.").fact.entities == ("Ada",)
        with pytest.raises(UsageError, match="already has this text"):
            memory.correct(second.id, "Prefers short replies.")
        with pytest.raises(NotFound):
            memory.correct("nosuch", "x")


def test_a_context_is_the_core_and_what_it_does_not_show(workspace: Write) -> None:
    with Memory(str(workspace(FILES)), today=TODAY) as memory:
        memory.retain("W @Peter: Drinks tea with milk.")
        first, second = memory.context("what tea does Peter drink?"), memory.context("what tea does Peter drink?")
        assert first.text.startswith(memory.core().text) and first.text != second.text
        assert first.text.count("Tea, not coffee") == 1 and "Drinks tea with milk" in first.text
        assert first.tokens <= first.budget
        assert memory.context("zzyzx quux").text == memory.core().text
        known = memory.context("coffee?").bundle
        assert (known.hits, known.status, known.note) == ((), "empty", "the core already contains all that was found")
        for budget in (1, 40, 100, 300):
            assert memory.context("what tea does Peter drink?", budget=budget).tokens <= budget


def test_a_context_leaves_out_what_the_agent_has_before_it(workspace: Write) -> None:
    """No block and no hit of a file that is shown whole; of one that hosts cut, what is recalled still comes."""
    with Memory(str(workspace(FILES)), today=TODAY) as memory:
        memory.retain("W @Peter: Drinks tea with milk.")
        found = memory.context("tea or coffee?", shown=["MEMORY.md"])
        assert "Tea, not coffee" not in found.text and "Drinks tea with milk" in found.text
        assert memory.context("zzyzx quux", shown=["MEMORY.md", "SOUL.md", "USER.md"]).text == ""
        memory.append("MEMORY.md", "- filler\n" * 2_500)
        assert "Tea, not coffee" in memory.context("tea or coffee?", shown=["MEMORY.md"]).text


@pytest.mark.parametrize("marker", ["<<<<<<< HEAD", ">>>>>>> theirs", "  <<<<<<< HEAD", "so\n<<<<<<< HEAD\n=======\n"])
def test_no_write_leaves_a_merge_open(workspace: Write, marker: str) -> None:
    root = workspace(FILES)
    with Memory(str(root), today=TODAY) as memory:
        before = {each: each.read_bytes() for each in root.rglob("*.md")}
        writes: tuple[Callable[[], object], ...] = (
            lambda: memory.append("MEMORY.md", marker),
            lambda: memory.insert("MEMORY.md", marker, after=0),
            lambda: memory.replace("MEMORY.md", "coffee", f"\n{marker}"),
            lambda: memory.append("memory/2026-01-30.md", marker),
        )
        for write in writes:
            with pytest.raises(UsageError, match="a merge marker of git"):
                write()
        assert {each: each.read_bytes() for each in root.rglob("*.md")} == before
        memory.append("memory/2026-01-30.md", f"```\n{marker}\n```")
        kept = memory.retain(f"W @Peter: Said this:\n{marker}").fact
        assert marker.split("\n", maxsplit=1)[0].strip() in memory.show(kept.id).line.content
        assert not [each for each in memory.check() if each.code == "merge-conflict"]


def test_a_merge_may_be_settled_by_writes(workspace: Write) -> None:
    root = workspace({**FILES, "bank/x.md": "<<<<<<< HEAD\nmine\n=======\nyours\n>>>>>>> theirs\n"})
    with Memory(str(root), today=TODAY) as memory:
        memory.replace("bank/x.md", "<<<<<<< HEAD\nmine\n=======\n", "mine\n")
        memory.replace("bank/x.md", "yours\n>>>>>>> theirs\n", "yours\n")
        assert (root / "bank/x.md").read_text(encoding="utf-8") == "mine\nyours\n"
