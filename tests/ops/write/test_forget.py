"""Forget: not one byte of a fact stays in the folder; what a person wrote elsewhere does."""

from __future__ import annotations

import json
import os
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.errors import NotFound, NotWritable, UsageError
from commonplace.memory import Memory
from commonplace.ops.write.forget_task import Task, read_noted, recorded
from commonplace.store.sqlite import Index

if TYPE_CHECKING:
    from tests.conftest import Cli, Write

    from commonplace.ops.write.forget import Wiped

FILES = {
    "memory/2025-11-27.md": """# Day

A quiet day.

## Retain

- W @Peter: The xanaduword stands in the cellar. ^forget1
- W @Peter: Lives in Vienna.
- O(c=0.9) @Peter: Prefers the quuxtea over coffee. ^forget2
""",
    "memory/2025-11-28.md": """## Retain

- W @Peter: It was moved to the attic. <!-- cp: supersedes=^forget1 src=mail:Ann -->
- O(c=0.8) @Peter: Prefers the quuxtea over coffee.
- W @Peter: Sold the boat. <!-- cp: supersedes=^forget1 --> ^boat12
""",
}


def notes(folder: Path) -> Path:
    """Two notes to import, in a folder of their own."""
    vault = folder / "Vault"
    vault.mkdir()
    (vault / "boats.md").write_text("# Boats\n\n- Rolf prefers oak over pine.\n- Sails [[Zephyra]] on Sundays\n")
    (vault / "cars.md").write_text("# Cars\n\n- Rolf prefers diesel.\n")
    return vault


def holding(root: Path, word: str) -> list[str]:
    return sorted(
        str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() and word.encode() in path.read_bytes()
    )


def test_no_byte_of_a_forgotten_fact_stays(workspace: Write) -> None:
    root = workspace(FILES)
    with Memory(str(root), today=date(2025, 12, 1)) as memory:
        memory.reflect(yes=True)
        memory.retract("forget1", reason="gone")
        memory.reflect()
        assert len(holding(root, "xanaduword")) > 2
        done = memory.forget("^forget1")
        assert done.elsewhere == ()
        assert memory.check() == ()
    assert holding(root, "xanaduword") == []
    text = (root / "memory/2025-11-27.md").read_text()
    assert text == FILES["memory/2025-11-27.md"].replace(
        "- W @Peter: The xanaduword stands in the cellar. ^forget1\n", ""
    )
    later = (root / "memory/2025-11-28.md").read_text()
    assert "- W @Peter: It was moved to the attic. <!-- cp: src=mail:Ann -->\n" in later
    assert "- W @Peter: Sold the boat. ^boat12\n" in later


def test_an_opinion_keeps_what_other_facts_say(workspace: Write) -> None:
    root = workspace(FILES)
    with Memory(str(root), today=date(2025, 12, 1)) as memory:
        memory.reflect(yes=True)
        memory.forget("forget2")
        assert memory.recall("quuxtea").hits, "the same was said on another day"
        memory.reflect()
        assert "^forget2" not in (root / "bank/opinions.md").read_text()
        assert memory.reflect().patches == ()


def test_a_line_of_a_persons_own_is_told_and_left(workspace: Write) -> None:
    root = workspace({**FILES, "MEMORY.md": "# Core\n\n- The xanaduword stands in the cellar.\n"})
    with Memory(str(root), today=date(2025, 12, 1)) as memory:
        done = memory.forget("forget1")
        assert [str(place) for place in done.elsewhere] == ["MEMORY.md#L3"]
    assert holding(root, "xanaduword") == [".memory/index.sqlite", "MEMORY.md"]


def test_what_is_not_there_cannot_be_forgotten(workspace: Write) -> None:
    with Memory(str(workspace(FILES))) as memory, pytest.raises(NotFound):
        memory.forget("nothere")


@pytest.mark.parametrize("verb", ["retain", "append", "recall", "status", "entity", "check"])
def test_a_program_that_is_idle_keeps_nothing_of_it(workspace: Write, verb: str) -> None:
    root = workspace(
        {"memory/2025-11-27.md": "## Retain\n- W @Peter: Keeps the xanaduword below the stairs. ^aaa111\n"}
    )
    done = {
        "retain": lambda memory: memory.retain("W @Mona: Lives in Rome."),
        "append": lambda memory: memory.append("MEMORY.md", "- Tea."),
        "recall": lambda memory: memory.recall("xanaduword"),
        "status": lambda memory: memory.status(),
        "entity": lambda memory: memory.entity("Peter"),
        "check": lambda memory: memory.check(),
    }
    with Memory(str(root)) as idle, Memory(str(root)) as memory:
        done[verb](idle)
        assert not any("another program" in note for note in memory.forget("aaa111").notes)
        assert holding(root, "xanaduword") == []


def test_what_another_program_keeps_is_told(workspace: Write) -> None:
    root = workspace(FILES)
    with Memory(str(root)) as memory:
        memory.recall("Peter")
        with Index(str(root / ".memory/index.sqlite")) as reader:
            done = reader.reading(lambda: (reader.totals(), memory.forget("forget1"))[1])
    assert done.fact.id == "forget1"
    assert "delete .memory/index.sqlite* and run: commonplace index" in done.notes[-1]


def test_another_program_that_kept_it_from_the_index_is_waited_for(workspace: Write) -> None:
    """What is left is noted, and the next command finishes it."""
    root = workspace(FILES)
    with Memory(str(root)) as memory:
        memory.recall("Peter")
        with Index(str(root / ".memory/index.sqlite")) as reader:
            done = reader.reading(lambda: (reader.totals(), memory.forget("forget1"))[1])
    assert not done.complete and holding(root, "xanaduword") != []
    with Memory(str(root)) as memory:
        memory.status()
        (notice,) = memory.notices()
        assert notice.message == "the interrupted forget of ^forget1 was finished"
    assert holding(root, "xanaduword") == []


def test_where_else_it_stands_is_found_by_content(workspace: Write, tmp_path: Path) -> None:
    """On several lines, encoded, in a quotation, in a file that is not UTF-8, in an editor's copy."""
    said = "The xanaduword stands <in> the cellar & hall of old Oslo."
    root = workspace(
        {
            "memory/2025-11-27.md": f"## Retain\n- W @Peter: {said} ^forget1\n",
            "memory/2025-11-28.md": "# Talk\n\nSo: The xanaduword stands\n<in> the cellar & hall of\nold Oslo.\n\n"
            "> The xanaduword stands &lt;in&gt; the\n> cellar &amp; hall of old Oslo.\n\nNo xanaduword.\n",
            "memory/2025-11-27.md~": f"- W @Peter: {said} ^forget1\n",
            "memory/2025-11-29.md": f"{said}\n",
        }
    )
    latin = root / "memory/2025-11-29.md"
    latin.write_bytes(latin.read_bytes() + b"\xe9\n")
    with Memory(str(root)) as memory:
        done = memory.forget("forget1")
        assert [str(each) for each in done.elsewhere] == [
            "memory/2025-11-28.md#L3", "memory/2025-11-28.md#L7", "memory/2025-11-27.md~"
        ]  # fmt: skip
        assert [(each.code, each.source.path) for each in done.problems] == [("not-utf8", "memory/2025-11-29.md")]
        assert not done.complete
        assert memory.forget("forget1").notes == (
            "it was forgotten before; its text is not kept, so nothing was searched now",
        )
    assert not any((root / ".memory/keep").rglob("forget-*.json")), "what is a person's is told once"


@pytest.mark.parametrize(
    ("said", "encoding"),
    [
        ("Wohnt in Zürich am Quuxzanadu Fluss.", "latin-1"),
        ("Says “Zürich” – at the Quuxzanadu.", "cp1252"),
        ("Lives in Rome by the Quuxzanadu river.", "utf-16-le"),
        ("Lives in Rome by the Quuxzanadu river.", "utf-16-be"),
        ("Wohnt in Zürich am Quuxzanadu Fluss.", "utf-16"),
        ("ピーターは京都の塔の近くに住んでいる。", "cp932"),
        ("ピーターは京都の塔の近くに住んでいる。", "euc_jp"),
        ("他住在北京的大钟楼旁边的小院里。", "gb18030"),
        ("他住在臺北的大鐘樓旁邊的小院裡。", "big5"),
    ],
)
def test_a_file_in_another_encoding_that_holds_it_is_named(
    workspace: Write, cli: Cli, said: str, encoding: str
) -> None:
    root = workspace({"memory/2026-01-02.md": f"## Retain\n- W @Peter: {said} ^here01\n- W @Bo: Sits. ^here02\n"})
    old, beside = root / "memory/alt.md", root / "memory/alt.txt"
    for path in (old, beside):
        path.write_bytes(f"# Notes\n\n{said}\n".encode(encoding))
    before = old.read_bytes()
    done = cli("forget", "here01")
    assert (
        done.status == 1 and "memory/alt.md contains it and is not UTF-8" in done.out and "memory/alt.txt" in done.out
    )
    assert old.read_bytes() == before == beside.read_bytes()
    assert cli("forget", "here02").status == 0


def test_a_second_forget_of_the_same_is_no_error_at_the_command_line(workspace: Write, cli: Cli) -> None:
    workspace(FILES)
    assert cli("forget", "forget1").status == 0
    again = cli("forget", "forget1")
    assert again.status == 0
    assert again.out.startswith("forgotten ^forget1\n  note: it was forgotten before; its text is not kept")
    never = cli("forget", "nothere")
    assert never.status == 1 and "there is no fact ^nothere" in never.err


def test_what_is_no_fact_says_what_to_forget_instead(workspace: Write) -> None:
    root = workspace({**FILES, "memory/2025-11-30.md": "- We decided to buy a blue kettle.\n"})
    with Memory(str(root), today=date(2025, 12, 1)) as memory:
        memory.reflect(yes=True)
        (opinion,) = memory.opinions()
        with pytest.raises(NotFound) as caught:
            memory.forget(opinion.id)
        assert caught.value.hint.startswith("it is an opinion, computed from facts: forget these facts: ^")
        (proposal,) = memory.review().inferred
        with pytest.raises(NotFound) as caught:
            memory.forget(f"^{proposal.id}")
        assert f"commonplace review reject {proposal.id}" in caught.value.hint
        memory.answer([proposal.id], "accept")
        (hit,) = (hit for hit in memory.recall("buy a blue kettle").hits if hit.line.trailer.src)
        done = memory.forget(hit.id)
        assert [str(each) for each in done.elsewhere] == ["memory/2025-11-30.md#L1"], "the line that it was read from"
        assert "blue kettle" not in (root / "bank/review.md").read_text()


def test_an_index_elsewhere_goes_too(workspace: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One made in the user's cache while the folder could not be written."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = workspace(FILES)
    with monkeypatch.context() as patch:
        access = os.access
        patch.setattr(os, "access", lambda path, mode: str(path) != str(root) and access(path, mode))
        with Memory(str(root)) as memory:
            assert memory.recall("xanaduword").hits
    assert holding(tmp_path / "cache", "xanaduword") != []
    with Memory(str(root)) as memory:
        assert memory.forget("forget1").complete
    assert holding(tmp_path / "cache", "xanaduword") == holding(root, "xanaduword") == []


def test_a_link_in_place_of_our_folder_is_not_followed(workspace: Write, tmp_path: Path) -> None:
    root = workspace(FILES)
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "keep/journal").mkdir(parents=True)
    for name in ("index.old", "keep/diary.md", "keep/journal/forget-1.json"):
        (elsewhere / name).write_text("[]")
    (root / ".memory").symlink_to(elsewhere)
    with Memory(str(root)) as memory:
        assert memory.forget("forget1").complete
    assert len([path for path in elsewhere.rglob("*") if path.is_file()]) == 3


@pytest.mark.parametrize(
    "note",
    [
        "",
        "[1]",
        "{}",
        '{"version": 2}',
        '{"version": 1, "copies": ["MEMORY.md"], "facts": []}',
        '{"version": 1, "copies": 3, "facts": [{"bullet": 7}]}',
        '{"version": 1, "copies": [], "facts": [{"bullet": "W: x", "id": "y", "path": "../z", "line": "q"}]}',
    ],
)
def test_a_note_that_is_none_of_ours_does_no_harm(workspace: Write, note: str) -> None:
    root = workspace({**FILES, "MEMORY.md": "# Core\n"})
    before = {path: (root / path).read_bytes() for path in (*FILES, "MEMORY.md")}
    (root / ".memory/keep/journal").mkdir(parents=True)
    (root / ".memory/keep/journal/forget-1.json").write_text(note)
    with Memory(str(root)) as memory:
        assert memory.recall("xanaduword").hits
        assert {path: (root / path).read_bytes() for path in before} == before
        assert memory.forget("forget1").complete


@pytest.mark.parametrize(("count", "named"), [(1, "a00.md"), (23, "a19.md and 3 more")])
def test_an_interrupted_forget_of_copies_alone_names_them(workspace: Write, count: int, named: str) -> None:
    copies = [f"memory/imported/V/a{at:02}.md" for at in range(count)]
    root = workspace({**FILES, **dict.fromkeys(copies, "Oak.\n")})
    (root / ".memory/keep/journal").mkdir(parents=True)
    note = {"version": 1, "copies": copies, "facts": []}
    (root / ".memory/keep/journal/forget-1.json").write_text(json.dumps(note))
    with Memory(str(root)) as memory:
        memory.status()
        (notice,) = memory.notices()
    assert notice.message.startswith("the interrupted forget of memory/imported/V/a00.md")
    assert notice.message.endswith(f"/{named} was finished")
    assert not (root / "memory/imported").exists()


@pytest.mark.parametrize("which", [0, 1, 2])
def test_of_twins_one_goes(workspace: Write, which: int) -> None:
    twin = "- W @Peter: The xanaduword stands in the cellar.\n"
    root = workspace({"memory/2025-11-27.md": f"## Retain\n{twin}- W: Between.\n{twin}{twin}"})
    with Memory(str(root)) as memory:
        base = memory.recall("xanaduword").hits[0].id.partition("-")[0]
        done = memory.forget(base + ("", "-2", "-3")[which])
        assert len(done.elsewhere) == 2
    assert (root / "memory/2025-11-27.md").read_text().count(twin) == 2


def test_a_large_log_is_followed_without_reading_it_again(workspace: Write) -> None:
    """The index is as if made anew."""
    lines = "".join(
        f"- W @Name{at % 50}: Put the word{at} on shelf {at} of the cupboard. ^f{at:05}\n" for at in range(2_500)
    )
    root = workspace(
        {
            "memory/2025-11-27.md": f"# Day\n\n## Retain\n\n{lines}\n## Talk\n- Ann: hello\n",
            "memory/2025-11-28.md": "## Retain\n- W @Name7: Lives in Rome. <!-- cp: supersedes=^f00007 -->\n",
        }
    )
    with Memory(str(root), today=date(2025, 12, 5)) as memory:
        memory.reflect(yes=True)
        for id in ("f00007", "f00000", "f02499"):
            assert memory.forget(id).complete
        assert len(memory.forget_all(entity="Name8", yes=True).facts) == 50
        path = memory.workspace.index_path
    with Index(path) as index:
        grown = index.dump()
    with Memory(str(root), today=date(2025, 12, 5)) as memory:
        assert memory.index().changed == 0
        memory.index(rebuild=True)
    with Index(path) as index:
        assert index.verify() is None
        assert index.dump() == grown


class TestMany:
    """`forget_all`: chosen by source, entity and day; shown first."""

    BULK: ClassVar = {
        "memory/2025-11-27.md": "# Day\n\nPeter came by.\n\n## Retain\n"
        "- W @Peter: The xanaduword stands in the cellar. <!-- cp: src=mail:Ann --> ^aaa111\n"
        "- O(c=0.9) @Peter: Prefers the quuxtea over coffee and says so to everybody who asks. ^bbb222\n"
        "- W @Mona: Lives in Rome. <!-- cp: supersedes=^aaa111 --> ^ccc333\n",
        "memory/2025-12-02.md": "## Retain\n"
        "- O @Peter: Prefers the quuxtea over coffee and says so to everybody who asks.\n"
        "- W @Peter: Moved to Berlin.\n",
        "bank/entities/Peter.md": "---\naliases: [ピーター]\n---\n# Peter\n\nThe xanaduword stands in the cellar.\n",
    }

    def test_nothing_is_removed_before_yes(self, workspace: Write) -> None:
        root = workspace(self.BULK)
        with Memory(str(root), today=date(2025, 12, 5)) as memory:
            told = memory.forget_all(entity="ピーター", until="2025-11-30")
            assert [fact.id for fact in told.facts] == ["aaa111", "bbb222"] and not told.applied
            assert memory.forget_all(entity="nobody").facts == ()
            with pytest.raises(UsageError):
                memory.forget_all(yes=True)
            with pytest.raises(UsageError):
                memory.forget_all(source="", entity="Peter", yes=True)
        assert all((root / path).read_text() == text for path, text in self.BULK.items())

    @pytest.mark.parametrize("narrowed", [{}, {"since": "2025-11-01"}])
    @pytest.mark.parametrize(
        "nothing",
        [
            *({"source": source} for source in ("/", "//", " / ", "\u200b", "\u200b/", "\u00a0//")),
            *({"entity": entity} for entity in ("-", "_", "@", "@-", " @ ", "\u200b", "@\u200b", "\u2011", "\u3000")),
        ],
        ids=repr,
    )
    def test_what_names_nothing_chooses_nothing(
        self, workspace: Write, cli: Cli, nothing: dict[str, str], narrowed: dict[str, str]
    ) -> None:
        root = workspace(self.BULK)
        given = {**narrowed, **nothing}
        done = cli("forget", *(f"--{name}={value}" for name, value in given.items()), "--yes")
        assert done.status == 2 and ("names nothing" in done.err or "is empty" in done.err)
        asked = json.dumps({"id": 1, "verb": "forget", **given, "yes": True})
        error = json.loads(cli("worker", stdin=asked + "\n").out)["error"]
        assert error["code"] == "usage" and ("names nothing" in error["message"] or "is empty" in error["message"])
        assert all((root / path).read_text() == text for path, text in self.BULK.items())

    def test_all_of_an_entity_goes_from_logs_and_pages_and_keep(self, workspace: Write) -> None:
        root = workspace(self.BULK)
        with Memory(str(root), today=date(2025, 12, 5)) as memory:
            memory.reflect(yes=True)
            memory.retract("bbb222")
            memory.reflect()
            assert len(holding(root, "quuxtea")) > 3
            done = memory.forget_all(entity="Peter", yes=True)
            assert done.applied and len(done.facts) == 5 and done.problems == ()
            assert holding(root, "quuxtea") == [] and holding(root, "Berlin") == []
            assert [str(each) for each in done.elsewhere] == ["bank/entities/Peter.md", "bank/entities/Peter.md#L6"]
            assert "- W @Mona: Lives in Rome. ^ccc333\n" in (root / "memory/2025-11-27.md").read_text()
            assert "Peter came by." in (root / "memory/2025-11-27.md").read_text()
            memory.reflect()
            assert memory.reflect().patches == ()
            assert memory.opinions() == () and memory.check() == ()
            assert memory.forget_all(entity="Peter", yes=True).facts == ()

    def test_by_source_and_by_day(self, workspace: Write) -> None:
        root = workspace(self.BULK)
        with Memory(str(root), today=date(2025, 12, 5)) as memory:
            assert [fact.id for fact in memory.forget_all(source="mail:Ann").facts] == ["aaa111"]
            assert memory.forget_all(source="mail:A").facts == ()
            assert len(memory.forget_all(source="memory/2025-11-27.md").facts) == 3
            done = memory.forget_all(since="2025-12-01", yes=True)
            assert [fact.content for fact in done.facts][1:] == ["Moved to Berlin."]
        assert (root / "memory/2025-12-02.md").read_text() == "## Retain\n"

    def test_what_was_imported_goes_with_its_copies(self, workspace: Write, tmp_path: Path) -> None:
        root = workspace(self.BULK)
        vault = notes(tmp_path)
        with Memory(str(root), today=date(2025, 12, 5)) as memory:
            facts = memory.import_notes(vault, yes=True).facts
            copy = root / "memory/imported/Vault/boats.md"
            one = next(fact for fact in facts if "Zephyra" in fact.content)
            done = memory.forget(one.id)
            assert done.elsewhere == () and "Zephyra" not in copy.read_text() and "oak" in copy.read_text()
            assert any("another import" in note for note in done.notes)
            cars = root / "memory/imported/Vault/cars.md"
            cars.write_text("Mine now: Rolf prefers diesel.\n")
            told = memory.forget_all(source="import:Vault")
            assert told.copies == ("memory/imported/Vault/boats.md",)
            wiped = memory.forget_all(source="import:Vault/", yes=True)
            assert len(wiped.facts) == 2 and not copy.exists() and cars.exists()
            assert [str(each) for each in wiped.elsewhere] == ["memory/imported/Vault/cars.md"]
        assert holding(root, "oak") == []

    def test_no_folder_of_a_copy_stays_and_the_same_said_in_another_note_is_told(
        self, workspace: Write, tmp_path: Path
    ) -> None:
        root = workspace(self.BULK)
        (tmp_path / "V/Zephyra").mkdir(parents=True)
        (tmp_path / "W").mkdir()
        (tmp_path / "V/Zephyra/boats.md").write_text("# Boats\n\n- Rolf prefers the oak hull.\n")
        (tmp_path / "W/trees.md").write_text("# Trees\n\n- Rolf prefers the oak hull.\n")
        with Memory(str(root), today=date(2025, 12, 5)) as memory:
            one = memory.import_notes(tmp_path / "V", yes=True).facts[0]
            memory.import_notes(tmp_path / "W", yes=True)
            done = memory.forget(one.id)
            assert "memory/imported/W/trees.md" in {place.path for place in done.elsewhere}
            memory.forget_all(source="import:V", yes=True)
            memory.forget_all(source="import:W", yes=True)
        assert not (root / "memory/imported").exists()
        assert holding(root, "oak over pine") == []

    def test_what_git_holds_is_told(self, workspace: Write, tmp_path: Path) -> None:
        root = workspace(self.BULK)
        (root / ".git").mkdir()
        (tmp_path / "My boats").mkdir()
        (tmp_path / "My boats/a.md").write_text("- Rolf prefers the oak hull.\n")
        with Memory(str(root), today=date(2025, 12, 5)) as memory:
            assert any("--replace-text FILE" in note for note in memory.forget("ccc333").notes)
            memory.import_notes(tmp_path / "My boats", yes=True)
            notes = memory.forget_all(source="import:My_boats", yes=True).notes
        assert any("--path 'memory/imported/My boats/a.md' --invert-paths" in note for note in notes)

    def test_thousands_of_a_log_go_at_once(self, workspace: Write) -> None:
        lines = "".join(f"- W @Ann: Put the word{at} on shelf {at} of the long cupboard.\n" for at in range(3_000))
        root = workspace({"memory/2025-11-27.md": f"## Retain\n{lines}- W @Bo: Lives in Rome.\n"})
        with Memory(str(root), today=date(2025, 12, 5)) as memory:
            assert len(memory.forget_all(entity="Ann", yes=True).facts) == 3_000
        assert (root / "memory/2025-11-27.md").read_text() == "## Retain\n- W @Bo: Lives in Rome.\n"
        assert holding(root, "cupboard") == []

    def test_a_file_that_cannot_be_read_costs_no_other(self, workspace: Write) -> None:
        root = workspace(self.BULK)
        with Memory(str(root), today=date(2025, 12, 5)) as memory:
            (root / "memory/2025-12-02.md").write_bytes(b"## Retain\n- W @Peter: Moved to Berlin.\n\xff")
            berlin = memory.recall("Berlin").hits[0].id
            done = memory.forget_all(entity="Peter", yes=True)
            with pytest.raises(NotWritable, match="not UTF-8"):
                memory.forget(berlin)
        assert "Peter: The" not in (root / "memory/2025-11-27.md").read_text()
        assert {fact.source.path for fact in done.facts} == {"memory/2025-11-27.md"} and not done.complete
        assert [str(problem.source) for problem in done.problems] == ["memory/2025-12-02.md"]

    def test_a_copy_that_cannot_be_read_costs_no_other(self, workspace: Write, tmp_path: Path) -> None:
        root = workspace(self.BULK)
        vault = notes(tmp_path)
        with Memory(str(root), today=date(2025, 12, 5)) as memory:
            memory.import_notes(vault, yes=True)
            cars = root / "memory/imported/Vault/cars.md"
            cars.write_bytes(cars.read_bytes() + b"\xff")
            assert memory.forget_all(source="import:Vault").copies == ("memory/imported/Vault/boats.md",)
            done = memory.forget_all(source="import:Vault", yes=True)
        assert len(done.facts) == 3 and [str(each) for each in done.elsewhere] == ["memory/imported/Vault/cars.md"]
        assert [problem.source.path for problem in done.problems] == ["memory/imported/Vault/cars.md"]
        assert holding(root, "oak over pine") == [] and "memory/imported/Vault/cars.md" in holding(root, "diesel")

    def test_at_the_command_line(self, workspace: Write, cli: Cli) -> None:
        root = workspace(self.BULK)
        shown = cli("forget", "--entity", "Mona", "--today", "2025-12-05")
        assert shown.out == (
            "would forget 1 fact\nmemory/2025-11-27.md\n  world @Mona: Lives in Rome.\n"
            "note: only facts are removed: other text in logs and pages remains, and recall finds it\n"
            "nothing removed yet: add --yes\n"
        )
        done = cli("forget", "--entity", "Mona", "--yes", "--json")
        assert done.status == 0 and done.json["facts"][0]["id"] == "ccc333"
        assert "Rome" not in (root / "memory/2025-11-27.md").read_text()
        assert cli("forget", "--entity", "Mona", "--yes").out == "nothing to forget: no fact matches\n"
        assert cli("forget").status == 2 and cli("forget", "aaa111", "--entity", "Peter").status == 2


@settings(max_examples=6)
@given(st.sets(st.integers(0, 11)), st.booleans())
def test_one_by_one_and_all_at_once_leave_the_same(
    tmp_path_factory: pytest.TempPathFactory, chosen: set[int], reflected: bool
) -> None:
    facts = [f"- W @Ann: Put the word{at} on shelf {at} of the long cupboard in the hall." for at in range(12)]
    logs = {f"memory/2025-11-{day:02}.md": facts[day * 3 - 3 : day * 3] for day in range(1, 5)}
    after = []
    for bulk in (True, False):
        root = tmp_path_factory.mktemp("forget")
        for path, lines in logs.items():
            (root / path).parent.mkdir(exist_ok=True)
            tagged = (line.replace("@Ann", "@Bo") if facts.index(line) in chosen else line for line in lines)
            (root / path).write_text("## Retain\n" + "".join(f"{line}\n" for line in tagged))
        with Memory(str(root), today=date(2025, 12, 5)) as memory:
            if reflected:
                memory.reflect(yes=True)
            told = memory.forget_all(entity="Bo")
            if bulk:
                memory.forget_all(entity="Bo", yes=True)
            else:
                for fact in told.facts:
                    memory.forget(fact.id)
        assert {at for at in range(12) if holding(root, f"word{at} ")} == set(range(12)) - chosen
        after.append({path: (root / path).read_text() for path in logs})
    assert after[0] == after[1]


NEIGHBOURS = {
    "memory/2025-11-27.md": "## Retain\n- W @Peter: Lives in Oslo ^f1\n- O(c=0.8) @Peter: Prefers tea over coffee ^f2\n"
    "- W @Peter: Owns a dog ^k1\n- O(c=0.9) @Peter: Prefers tea over coffee with oat milk ^k2\n"
    "- W @Peter: Lives in Oslo near the harbour in winter ^k3\n",
    "memory/2025-11-28.md": "## Retain\n- W @Peter: Lives in Oslo ^h1\n"
    "- O(c=0.9) @Peter: Prefers tea over coffee ^h2\n",
}


def test_pages_go_on_saying_what_other_facts_say(workspace: Write) -> None:
    """In the same words, or in words that hold those of the fact that was forgotten: the next reflect writes it."""
    root = workspace(NEIGHBOURS)
    with Memory(str(root), today=date(2025, 12, 1)) as memory:
        memory.reflect(yes=True)
        pages = {path: path.read_text() for path in (root / "bank").rglob("*.md")}
        memory.forget("f1")
        memory.forget("f2")
        memory.reflect(yes=True)
        (kept,) = memory.opinions()
        assert kept.statement == "Prefers tea over coffee with oat milk"
        assert [item.fact_id for item in kept.evidence] == ["h2"]
        peter = (root / "bank/entities/Peter.md").read_text()
        assert all(f"^{id}" in peter for id in ("h1", "k1", "k3")) and "^f1" not in peter
        assert pages and all("dropped" not in path.read_text() for path in pages)
        assert memory.check() == ()


def test_an_entity_of_which_all_was_forgotten_comes_back_with_its_next_fact(workspace: Write) -> None:
    root = workspace(
        {"memory/2025-11-27.md": "## Retain\n- W @Peter: Lives in Oslo ^f1\n- B @Peter: Sold the boat ^f5\n"}
    )
    with Memory(str(root), today=date(2025, 12, 1)) as memory:
        memory.reflect(yes=True)
        memory.forget("f1")
        memory.forget("f5")
        memory.reflect(yes=True)
        (root / "memory/2025-11-30.md").write_text("## Retain\n- W @Peter: Lives in Rome\n- B @Peter: Bought a car\n")
        memory.reflect(yes=True)
        assert "Lives in Rome" in (root / "bank/world.md").read_text()
        assert "Bought a car" in (root / "bank/experience.md").read_text()


def test_a_fact_against_it_in_other_words_stays(workspace: Write) -> None:
    root = workspace(
        {
            "memory/2025-11-27.md": "## Retain\n- W @Peter: Owns a sailing boat ^f1\n",
            "memory/2025-11-28.md": "## Retain\n- W @Nora: Bought a bakery, Peter paid <!-- cp: retracts=^f1 --> ^s1\n",
        }
    )
    with Memory(str(root)) as memory:
        memory.forget("f1")
        assert (root / "memory/2025-11-28.md").read_text() == "## Retain\n- W @Nora: Bought a bakery, Peter paid ^s1\n"


def test_the_same_forget_again_removes_no_other_fact(workspace: Write, cli: Cli) -> None:
    root = workspace(
        {
            "memory/2025-11-27.md": "## Retain\n- W @Peter: Rents a flat in Oslo ^k7f3qa\n- W: Twin.\n- W: Twin.\n",
            "memory/2025-11-28.md": "## Retain\n- W @Nora: Inherited the house in Rome ^k7f3qa\n",
        }
    )
    with Memory(str(root)) as memory:
        twin = memory.recall("twin").hits[0].id.removesuffix("-2")
    for id, word in (("k7f3qa", "Nora"), (twin, "Twin.")):
        assert cli("forget", id).status == 0
        before = {path: path.read_text() for path in root.glob("memory/*.md")}
        again = cli("forget", id)
        assert again.status == 0 and "another fact has this id now" in again.out
        assert {path: path.read_text() for path in root.glob("memory/*.md")} == before
        assert any(word in text for text in before.values())
        assert cli("forget", id, "--again").status == 0
        assert not any(word in path.read_text() for path in root.glob("memory/*.md"))


def test_what_stood_below_a_bullet_is_named(workspace: Write) -> None:
    log = "## Retain\n- W @Nora: Lives in Rome ^n1\n- W @Peter: The xanaduword is hidden ^f1\n  - at 12 Elm Street\n"
    root = workspace({"memory/2025-11-27.md": log})
    with Memory(str(root)) as memory:
        notes = memory.forget("f1").notes
        assert any("memory/2025-11-27.md#L5" in note for note in notes)
        assert (root / "memory/2025-11-27.md").read_text() == (
            "## Retain\n- W @Nora: Lives in Rome ^n1\n- ~~forgotten~~\n\n  - at 12 Elm Street\n"
        )


def test_a_word_of_our_own_files_is_no_leak(workspace: Write) -> None:
    workspace({"memory/2025-11-27.md": "## Retain\n- W @editor: Markdown ^f1\n"})
    with Memory(str(workspace({}))) as memory:
        done = memory.forget("f1")
        assert done.complete and done.problems == ()


def test_a_note_that_cannot_be_read_is_told(workspace: Write) -> None:
    root = workspace(FILES)
    journal = root / ".memory/keep/journal"
    journal.mkdir(parents=True)
    for name, text in (("forget-1.json", "{dama"), ("forget-2.json", '{"version": 99}'), ("forget-3.json", "")):
        (journal / name).write_text(text)
    with Memory(str(root)) as memory:
        memory.recall("xanaduword")
        told = [problem.message for problem in memory.notices()]
        assert told == [
            "a forget was interrupted, and its record is damaged", "a forget by a newer commonplace was interrupted"
        ]  # fmt: skip
    assert [path.name for path in journal.glob("forget-*")] == ["forget-2.json"]


def test_what_hangs_below_an_outsiders_fact_stays_theirs(workspace: Write, cli: Cli) -> None:
    """Also where a blank line or a comment stands between, and where the author's own fact stands above."""
    hangs = "  - Peter decided to sell the mill to Ida.\n    > and the boat\n"
    root = workspace(
        {
            "memory/2026-01-02.md": "## Retain\n- W @Peter: Walks daily. ^walk01\n"
            f"- W @Peter: The page says this. <!-- cp: src=web:x --> ^page01\n\n<!-- seen -->\n{hangs}"
        }
    )
    done = cli("forget", "page01")
    assert done.status == 0 and "remains, below a line with ~~forgotten~~: memory/2026-01-02.md#L6" in done.out
    assert (root / "memory/2026-01-02.md").read_text() == (
        "## Retain\n- W @Peter: Walks daily. ^walk01\n- ~~forgotten~~ <!-- cp: src=web:x -->\n\n<!-- seen -->\n" + hangs
    )
    with Memory(str(root), today=date(2026, 1, 5)) as memory:
        memory.reflect(yes=True)
        assert memory.review().inferred == ()
        assert [hit.line.content for hit in memory.recall("mill", k=1).hits] == [
            "Peter decided to sell the mill to Ida."
        ]
        assert "said by web:x" in cli("recall", "mill").out


_SIGNS = st.sampled_from(
    [
        *"“”‘’\"'„«»「」`&\\_|#:：２🎉ﬁ…", *"\t\x0b\x1f\x07\x85\u00a0\u200b\u2028",
        "&amp;lt;br&amp;gt;", "&lt;!--", "--&gt;", "<b>", "&amp;amp;amp;quot;", "&#8220;", "&nbsp;", "&quot;",
        "\\*", "^a1b2c3", "^2", "&#94;abcd", "(c=1)", "[[Ann]]", "[x](y.md)", "@Ann", "> ", "- ", "**", "--", "a" * 90,
        "京都の塔", "पीटर", "e\u0301",
    ]
)  # fmt: skip
_AROUND = st.lists(st.one_of(_SIGNS, st.just("tower")), max_size=4)


@given(st.lists(st.tuples(_AROUND, _AROUND, st.sampled_from(["", " "])), min_size=6, max_size=6))
@settings(max_examples=12, deadline=None)
def test_no_byte_stays_however_a_page_spells_it(shapes: list[tuple[list[str], list[str], str]]) -> None:
    """Facts of every kind, those of others that ask or contradict, and what they ask about; each by itself."""
    from tempfile import TemporaryDirectory

    heads = (
        "W @Peter: Lives in", "O(c=0.9) @Peter: Prefers the", "W @Peter: Moved to", "O(c=0.4) @Peter: Dislikes the",
        "B @warelay: I fixed the", "S: In short, the",
    )  # fmt: skip
    tails = (
        "^mine01", "^mine02", "<!-- cp: supersedes=^mine01 src=web:x --> ^their1",
        "<!-- cp: retracts=^mine02 src=web:y --> ^their2", "^mine03", "^mine04",
    )  # fmt: skip
    lines = []
    for (before, after, gap), head, tail, at in zip(shapes, heads, tails, range(6), strict=True):
        lines.append(f"- {head} {gap.join((*before, f'Quuxz{at}du', *after))} {tail}\n")
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "memory").mkdir()
        (root / "memory/2026-01-02.md").write_text("## Retain\n" + "".join(lines[:3]), newline="")
        (root / "memory/2026-01-20.md").write_text("## Retain\n" + "".join(lines[3:]), newline="")
        with Memory(folder, today=date(2026, 2, 1)) as memory:
            memory.reflect(yes=True)
            for at, id in enumerate(("mine01", "mine02", "their1", "their2", "mine03", "mine04")):
                try:
                    memory.forget(id)
                except NotFound:
                    continue  # it is no fact in this shape
                there = [path for path in root.rglob("*") if path.is_file()]
                assert [path for path in there if b"quuxz%ddu" % at in path.read_bytes().lower()] == [], lines[at]


ROB = "# 2025-11-27\n\n## Retain\n- W @Rob: Lives in Lisbon.\n- W @Rob: Works on boats.\n- W @Ada: Likes maps.\n"


def forgets_rob(root: Path) -> Wiped:
    with Memory(str(root), today=date(2025, 12, 5)) as memory:
        shown = memory.forget_all(entity="Rob")
        done = memory.forget_all(entity="Rob", yes=True)
        assert shown.elsewhere == done.elsewhere
        memory.reflect(yes=True)
        return done


def test_an_empty_page_on_which_nobody_wrote_goes_with_its_entity(workspace: Write) -> None:
    root = workspace({"memory/2025-11-27.md": ROB})
    with Memory(str(root), today=date(2025, 12, 5)) as memory:
        memory.reflect(yes=True)
        assert (root / "bank/entities/Rob.md").exists()
    done = forgets_rob(root)
    assert done.elsewhere == () and not any("people wrote" in note or "stays" in note for note in done.notes)
    assert not (root / "bank/entities/Rob.md").exists()
    assert "Rob" not in (root / "bank/world.md").read_text()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# Rob\n", "# Rob\n\nCall him on Sundays.\n"),
        ("# Rob\n", "---\naliases: [Bobby]\n---\n# Rob\n"),
        ("## Current\n", "## Current\nAsk about the keel.\n"),
        ("# Rob\n", "# Rob the boatman\n"),
    ],
)
def test_a_page_with_a_persons_words_stays_and_that_is_what_is_said(workspace: Write, before: str, after: str) -> None:
    root = workspace({"memory/2025-11-27.md": ROB})
    page = root / "bank/entities/Rob.md"
    with Memory(str(root), today=date(2025, 12, 5)) as memory:
        memory.reflect(yes=True)
    page.write_text(page.read_text().replace(before, after, 1))
    done = forgets_rob(root)
    assert after.removeprefix("## Current\n") in page.read_text() and "Lisbon" not in page.read_text()
    assert [str(place) for place in done.elsewhere] == ["bank/entities/Rob.md"]
    assert "bank/entities/Rob.md stays: it has more than these facts" in done.notes
    assert not any("people wrote" in note for note in done.notes)


def test_a_heading_of_ours_goes_with_its_last_line(workspace: Write) -> None:
    facts = "- W @Rob: Works on boats.\n- O(c=0.9) @Rob: Prefers tea over coffee. ^tea1\n"
    root = workspace({"memory/2025-11-27.md": f"## Retain\n- W @Rob: Lives in Lisbon.\n{facts}"})
    page = root / "bank/entities/Rob.md"
    with Memory(str(root), today=date(2025, 12, 5)) as memory:
        memory.reflect(yes=True)
        assert "## Preferences" in page.read_text()
        memory.forget("tea1")
        assert "## Preferences" not in page.read_text() and "## Current\n" in page.read_text()
        assert not memory.check()


@pytest.mark.parametrize("front", ["---\nkind: person # my brother\n---\n", "---\nkind: boatman\n---\n"])
def test_a_page_whose_front_matter_a_person_wrote_stays(workspace: Write, front: str) -> None:
    root = workspace({"memory/2025-11-27.md": ROB})
    page = root / "bank/entities/Rob.md"
    with Memory(str(root), today=date(2025, 12, 5)) as memory:
        memory.reflect(yes=True)
    page.write_text(front + page.read_text())
    forgets_rob(root)
    assert page.read_text().startswith(front)


def test_a_page_stays_if_single_facts_are_forgotten(workspace: Write) -> None:
    root = workspace({"memory/2025-11-27.md": "## Retain\n- W @Rob: Lives in Lisbon. ^rob1\n- W @Rob: Sails. ^rob2\n"})
    with Memory(str(root), today=date(2025, 12, 5)) as memory:
        memory.reflect(yes=True)
        memory.forget("rob1")
        memory.forget("rob2")
    assert (root / "bank/entities/Rob.md").read_text().startswith("# Rob\n")


def test_a_page_stays_that_keeps_what_a_person_deleted_from_it(workspace: Write) -> None:
    root = workspace(
        {
            "memory/2025-11-27.md": "## Retain\n- W @Rob: Lives in Lisbon.\n",
            "memory/2025-11-28.md": "## Retain\n- W @Rob: Owes the yard 900.\n- W @Rob: Sails.\n",
        }
    )
    page = root / "bank/entities/Rob.md"
    with Memory(str(root), today=date(2025, 12, 5)) as memory:
        memory.reflect(yes=True)
        deleted = ("Owes", "Sails")
        page.write_text(
            "".join(line for line in page.read_text().splitlines(True) if not any(map(line.count, deleted)))
        )
        memory.reflect(yes=True)
        memory.forget_all(entity="Rob", until="2025-11-27", yes=True)
        assert "\n- " not in page.read_text()
        memory.reflect(yes=True)
    assert "Owes" not in page.read_text()


def test_a_record_of_a_forget_names_the_pages_that_may_go() -> None:
    task = Task((), (), ("memory/imported/a.md",), ("bank/entities/Rob.md",))
    assert read_noted(recorded(task)) == task
    damaged = read_noted({**recorded(task), "pages": ["MEMORY.md"]})
    assert damaged is not None and damaged.pages == ()
    older = {key: said for key, said in recorded(task).items() if key != "pages"}
    assert read_noted(older) == task._replace(pages=())
