"""Import over real folders: what comes in, from where, once; what is told; and that no source changes by a byte."""

from __future__ import annotations

import os
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.errors import NotFound, UsageError
from commonplace.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Cli

TODAY = date(2026, 11, 21)
VAULT = {
    "People/Anna Lind.md": """---
aliases: [Anna, アンナ]
tags: [person]
created: 2024-03-05
---
# Anna Lind

Works at [[Nordlys]] as a geologist
and plays the oboe on Thursdays.

- Prefers email over phone calls.
- Allergic to hazelnuts since 2019
- Sister: [[Mette]]
""",
    "Journal/2024-06-12.md": (
        "Rainy at the quay.\n\n- We decided to move the backup to Hetzner.\n- Wifi password: hunter2horse!\n"
    ),
    "料理/味噌汁.md": "# 味噌汁\n\n- 由紀は赤味噌より白味噌を好む。\n- 豆腐\n",
    "Projekter/Tag.md": "---\ndate: 2024-09-01\n---\r\n# Tag\r\n\r\n- Vi besluttede at bruge skifer.\r\n",
    "घर.md": "- मीरा हिंदी में लिखना पसंद करती है।\n",
}


def put(folder: Path, files: dict[str, str | bytes]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def held(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file with its bytes and the time it was changed."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file() and ".memory" not in path.parts
    }


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return put(tmp_path / "Vault", dict(VAULT))


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    made = Memory(str(tmp_path / "workspace"), today=TODAY)
    made.init()
    return made


def test_a_preview_writes_nothing_and_tells_what_would_be(vault: Path, memory: Memory, tmp_path: Path) -> None:
    before = held(tmp_path)
    told = memory.import_notes(vault)
    assert held(tmp_path) == before and not told.applied
    done = memory.import_notes([vault], yes=True)
    assert done.applied
    assert [(fact.content, fact.entities, fact.recorded) for fact in told.facts] == [
        (fact.content, fact.entities, fact.recorded) for fact in done.facts
    ]
    assert (told.notes, told.copies, told.pages, told.problems) == (done.notes, done.copies, done.pages, done.problems)


def test_facts_stand_in_the_logs_of_their_days_with_source_and_subject(vault: Path, memory: Memory) -> None:
    done = memory.import_notes(vault, yes=True)
    by = {fact.content: fact for fact in done.facts}
    email = by["Prefers email over phone calls."]
    assert (str(email.kind), email.entities, email.source.path) == ("opinion", ("Anna-Lind",), "memory/2024-03-05.md")
    assert email.trailer.src == "import:Vault/People/Anna_Lind.md"
    assert by["Works at [[Nordlys]] as a geologist and plays the oboe on Thursdays."].entities == (
        "Anna-Lind",
        "Nordlys",
    )
    assert by["We decided to move the backup to Hetzner."].recorded == date(2024, 6, 12)
    assert by["Vi besluttede at bruge skifer."].recorded == date(2024, 9, 1)
    assert by["味噌汁：由紀は赤味噌より白味噌を好む。"].recorded == TODAY
    assert str(by["घर: मीरा हिंदी में लिखना पसंद करती है।"].kind) == "opinion"
    for fact in done.facts:
        assert memory.show(str(fact.source)).id == fact.id
        assert memory.show(fact.id).line.content == fact.content
        assert not fact.trailer.outsider
    assert memory.check() == ()
    assert memory.entity("アンナ").name == "Anna Lind"


def test_nothing_a_person_wrote_is_beyond_recall(vault: Path, memory: Memory) -> None:
    memory.import_notes(vault, yes=True)
    for question, path in (("quay", "Journal/2024-06-12.md"), ("豆腐", "料理/味噌汁.md")):
        found = memory.recall(question).hits
        assert f"memory/imported/Vault/{path}" in {hit.line.source.path for hit in found}


def test_a_fact_and_the_line_of_the_copy_that_says_it_are_one_hit(memory: Memory, tmp_path: Path) -> None:
    vault = put(tmp_path / "V", {"m.xml": "<prefs>\n<tone>Direct and dry</tone>\n</prefs>", "Boats.md": "# Boats\n\n"})
    put(vault, {"Boats.md": "# Boats\n\n- Rolf prefers the oak hull over pine.\n- oak\n"})
    memory.import_notes(vault, yes=True)
    hits = memory.recall("oak hull pine").hits
    assert [str(place) for place in hits[0].also] == ["memory/imported/V/Boats.md#L3"]
    assert hits[0].line.content == "Boats: Rolf prefers the oak hull over pine."
    assert "memory/imported/V/Boats.md#L4" in {str(hit.line.source) for hit in memory.recall("oak").hits}
    tone = memory.recall("tone direct dry").hits[0]
    assert (tone.line.content, len(tone.also)) == ("prefs: tone: Direct and dry", 1)


def test_a_secret_is_left_out_everywhere_and_told(vault: Path, memory: Memory, tmp_path: Path) -> None:
    done = memory.import_notes(vault, yes=True)
    assert [(str(each.source), each.code) for each in done.problems] == [
        ("Vault/Journal/2024-06-12.md#L4", "secret-refused")
    ]
    for path in (tmp_path / "workspace").rglob("*"):
        assert not path.is_file() or b"hunter2horse" not in path.read_bytes()


def test_what_cannot_be_taken_is_told_and_costs_none_of_the_others(vault: Path, memory: Memory) -> None:
    put(
        vault,
        {"latin1.md": b"caf\xe9", "nul.md": b"a\0b", "huge.md": b"x" * 8_000_001, "pic.png": b"", ".trash/x.md": "- x"},
    )
    os.symlink(vault / "घर.md", vault / "link.md")
    os.mkfifo(vault / "pipe.md")
    done = memory.import_notes(vault, yes=True)
    assert {(each.source.path, each.code) for each in done.problems if each.code != "secret-refused"} == {
        ("Vault/latin1.md", "not-utf8"),
        ("Vault/nul.md", "not-text"),
        ("Vault/huge.md", "too-large"),
        ("Vault/link.md", "link"),
    }
    assert done.notes == len(VAULT) and done.others == 2
    assert len(done.copies) == len(VAULT)


def test_the_source_keeps_every_byte_and_a_second_import_adds_nothing(
    vault: Path, memory: Memory, tmp_path: Path
) -> None:
    source = held(vault)
    memory.import_notes(vault, yes=True)
    memory.reflect(yes=True)
    before = held(tmp_path / "workspace")
    again = memory.import_notes(vault, yes=True)
    assert (again.facts, again.copies, again.pages) == ((), (), ())
    assert again.known > 5
    assert held(tmp_path / "workspace") == before and held(vault) == source
    assert memory.reflect().patches == ()


def test_a_note_that_changed_brings_what_is_new_and_its_copy_follows(
    vault: Path, memory: Memory, tmp_path: Path
) -> None:
    memory.import_notes(vault, yes=True)
    put(vault, {"घर.md": "- मीरा हिंदी में लिखना पसंद करती है।\n- Rolf prefers oak over pine.\n"})
    done = memory.import_notes(vault, yes=True)
    assert [fact.content for fact in done.facts] == ["घर: Rolf prefers oak over pine."]
    assert done.copies == ("memory/imported/Vault/घर.md",)
    copy = tmp_path / "workspace" / done.copies[0]
    copy.write_text("My own words.\n" + copy.read_text())
    put(vault, {"घर.md": "- Rolf prefers ash.\n"})
    done = memory.import_notes(vault, yes=True)
    assert [each.code for each in done.problems if each.source.path == "Vault/घर.md"] == ["copy-edited"]
    assert done.copies == () and copy.read_text().startswith("My own words.\n")


def test_two_folders_of_one_name_do_not_meet(vault: Path, memory: Memory, tmp_path: Path) -> None:
    other = put(tmp_path / "other" / "Vault", {"घर.md": "- Rolf prefers oak over pine.\n"})
    memory.import_notes(vault, yes=True)
    done = memory.import_notes(other, yes=True)
    assert len(done.copies) == 1 and done.copies[0].startswith("memory/imported/Vault-")
    assert memory.import_notes(other, yes=True).copies == ()
    assert "मीरा" in (tmp_path / "workspace/memory/imported/Vault/घर.md").read_text()


def test_two_folders_of_one_name_in_one_import_do_not_meet_either(memory: Memory, tmp_path: Path) -> None:
    folders = [put(tmp_path / name / "memory", {"MEMORY.md": f"The {name} is ours.\n"}) for name in ("boat", "shed")]
    done = memory.import_notes([*folders, folders[0]], yes=True)
    assert (done.notes, len(done.copies)) == (3, 2)
    copies = [(tmp_path / "workspace" / copy).read_text().splitlines()[0] for copy in done.copies]
    assert sorted(copies) == ["The boat is ours.", "The shed is ours."]
    assert memory.import_notes(folders, yes=True).copies == ()


def test_a_hidden_folder_or_file_that_is_named_is_recalled(memory: Memory, tmp_path: Path) -> None:
    rules = put(tmp_path, {".rules": "Oil the winch every spring.\n", ".agent/memory/a.md": "The key is below.\n"})
    done = memory.import_notes([rules / ".rules", rules / ".agent"], yes=True)
    assert done.copies == ("memory/imported/rules.md", "memory/imported/agent/memory/a.md") and not done.problems
    assert memory.recall("winch").hits


def test_data_is_no_note(memory: Memory, tmp_path: Path) -> None:
    put(tmp_path, {"conversations.json": '[{"parts": ["I live in Lund"]}]'})
    done = memory.import_notes(tmp_path / "conversations.json", yes=True)
    assert (done.facts, done.copies, [each.code for each in done.problems]) == ((), (), ["not-text"])


def test_the_core_of_the_workspace_itself_gives_facts_and_no_copy(memory: Memory, tmp_path: Path) -> None:
    root = put(tmp_path / "workspace", {"MEMORY.md": "# Memory\n\n## Peter\n- Lives in Vienna\n- Loves tea\n"})
    done = memory.import_notes(root / "MEMORY.md", yes=True)
    assert [(fact.content, fact.entities) for fact in done.facts] == [
        ("Lives in Vienna", ("Peter",)),
        ("Loves tea", ("Peter",)),
    ]
    assert done.copies == () and done.facts[0].trailer.src == "import:MEMORY.md"
    log = f"memory/{TODAY}.md"
    assert [each.code for each in memory.import_notes(root / log).problems] == ["usage"]


def test_a_name_that_is_somebody_else_s_is_told(memory: Memory, tmp_path: Path) -> None:
    put(tmp_path / "workspace", {"bank/entities/Anna.md": "# Anna\n\nAnother one.\n"})
    vault = put(tmp_path / "Vault", {"People/Anna Lind.md": "---\naliases: [Anna, Lindy]\n---\n"})
    done = memory.import_notes(vault, yes=True)
    assert [each.code for each in done.problems] == ["alias-taken"]
    text = (tmp_path / "workspace/bank/entities/Anna-Lind.md").read_text()
    assert text == "---\naliases: [Lindy]\n---\n# Anna Lind\n"


def test_what_is_not_there_and_what_is_no_form(memory: Memory, vault: Path) -> None:
    with pytest.raises(NotFound):
        memory.import_notes(vault / "nothing")
    with pytest.raises(UsageError, match="unknown form"):
        memory.import_notes(vault, form="evernote")


def test_progress_reaches_its_end(memory: Memory, vault: Path) -> None:
    told: list[tuple[int, int]] = []
    memory.import_notes(vault, progress=lambda done, of: told.append((done, of)))
    assert told[0] == (0, len(VAULT)) and told[-1] == (len(VAULT), len(VAULT))


NOTES = st.dictionaries(
    st.sampled_from(["a.md", "People/Anna.md", "2024-05-06.md", "MEMORY.md", "memories/x.txt", "b c.md"]),
    st.lists(
        st.sampled_from(
            [
                *("# Anna", "## Food", "- Prefers tea over coffee.", "  - no milk at all", "- Lives in [[Vienna]]"),
                *("---", "aliases: [Ann]", "permalink: x", "## Observations", "- [decision] We use SQLite", "\r"),
                *("- 由紀は白味噌を好む。", "Anna moved to Berlin in March 2024.", "- password: hunter2horse!", "```"),
                *("## Retain", "- W @Anna: Lives in Rome.", "<!-- cp: x -->", "- x ^abc123", "- a --> b decided"),
            ]
        )
        | st.text(max_size=20),
        max_size=10,
    ).map("\n".join),
    min_size=1,
    max_size=4,
)


@settings(max_examples=15)
@given(NOTES)
def test_import_twice_is_import_once_and_every_fact_cites(
    tmp_path_factory: pytest.TempPathFactory, notes: dict[str, str]
) -> None:
    folder = tmp_path_factory.mktemp("import")
    vault = put(folder / "V", {path: text.encode("utf-8", "replace") for path, text in notes.items()})
    before = held(vault)
    with Memory(str(folder / "workspace"), today=TODAY) as memory:
        memory.init()
        done = memory.import_notes(vault, yes=True)
        after = held(folder / "workspace")
        for fact in done.facts:
            found = memory.show(str(fact.source))
            assert (found.id, found.line.content) == (fact.id, fact.content)
            assert found.line.trailer.src.startswith("import:V/")
        again = memory.import_notes(vault, yes=True)
        assert (again.facts, again.copies, again.pages) == ((), (), ())
        assert held(folder / "workspace") == after
    assert held(vault) == before
    assert b"hunter2horse" not in b"".join(content for content, _ in after.values())


class TestCli:
    def test_shown_then_written(self, vault: Path, cli: Cli) -> None:
        cli("init")
        shown = cli("import", str(vault), "--today", "2026-11-21")
        assert shown.status == 0
        assert shown.out.startswith("5 notes: 8 facts in 4 logs, 0 known already, 5 copies in memory/imported/\n")
        assert "Vault/People/Anna_Lind.md\n" in shown.out
        assert "  opinion @Anna-Lind: Prefers email over phone calls. (2024-03-05)\n" in shown.out
        assert "Vault/Journal/2024-06-12.md#L4: secret-refused" in shown.out
        assert shown.out.endswith("nothing written yet: add --yes\n")
        done = cli("import", str(vault), "--yes", "--json", "--today", "2026-11-21")
        assert done.json["applied"] and len(done.json["facts"]) == 8
        assert done.json["facts"][0]["src"].startswith("import:Vault/")
        assert "0 facts in 0 logs, 8 known already" in cli("import", str(vault), "--yes").out

    def test_a_screen_is_not_flooded(self, vault: Path, cli: Cli) -> None:
        cli("init")
        put(vault, {f"{at}.md": b"\xff" for at in range(30)})
        put(vault, {"many.md": "".join(f"- Rolf prefers oak number {at} over pine.\n" for at in range(40))})
        shown = cli("import", str(vault))
        assert shown.out.count("not-utf8") <= 20 and "more left out: --json shows all)" in shown.out
        assert "(and 28 more: --json shows all)" in shown.out
        assert len(cli("import", str(vault), "--json").json["problems"]) == 31

    def test_what_is_wrong(self, vault: Path, cli: Cli) -> None:
        cli("init")
        assert cli("import").status == 2
        assert "did you mean notes" in cli("import", str(vault), "--from", "note").err
        put(vault / "bad", {"x.md": b"\xff"})
        assert cli("import", str(vault / "bad")).status == 1

    def test_what_cannot_be_written_is_told_and_the_status_is_one(
        self, vault: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cli("init")
        write, room = os.write, 3

        def full(fd: int, content: bytes) -> int:
            nonlocal room
            room -= 1
            if room < 0:
                raise OSError(28, os.strerror(28))
            return write(fd, content)

        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full)
            some = cli("import", str(vault), "--yes")
            none = cli("import", str(vault), "--yes")
        assert (some.status, none.status) == (1, 1)
        assert "parts could not be written, the rest was written: fix this and import again" in some.out
        assert "No space left on device" in some.out
        assert "nothing else was changed" in some.out and "nothing was changed" not in some.out
        assert "nothing was changed" in none.out
        assert "parts could not be written, nothing was written: fix this and import again" in none.out
        assert cli("import", str(vault), "--yes").status == 0
        assert cli("import", str(vault), "--yes").out.startswith("5 notes: 0 facts in 0 logs, 8 known")


def test_a_bullet_that_somebody_else_said_stays_theirs(memory: Memory, tmp_path: Path) -> None:
    note = tmp_path / "Vault" / "MEMORY.md"
    note.parent.mkdir()
    note.write_text(
        "# Memory\n\n- Peter Holm sold the red boat. <!-- cp: src=web:example.org -->\n"
        "- Peter Holm keeps the blue boat in Bergen. <!-- cp: src=mail:ann --> ^boat01\n"
        "- Peter Holm moved the office to Oslo.\n"
    )
    memory.retain("W @Peter-Holm: Peter Holm moved the office to Oslo.", source="web:x")
    done = memory.import_notes(note.parent, yes=True)
    assert {fact.content: fact.trailer.outsider for fact in done.facts} == {
        "Peter Holm sold the red boat.": "web:example.org",
        "Peter Holm keeps the blue boat in Bergen.": "mail:ann",
        "Peter Holm moved the office to Oslo.": "",
    }
    assert memory.import_notes(note.parent, yes=True).facts == ()


@pytest.mark.parametrize(
    "text",
    [
        "- Peter Holm moved to Lund.\n  He lives by the sea. {} ^a1b2c3\n",
        "- Peter Holm moved to Lund and\n  lives by the sea. {}\n",
        "- Peter Holm moved to Lund.\n  {}\n",
        "- Peter Holm moved to Lund.\n  <!-- cp:\n  SRC = web:x -->\n",
        "Peter Holm moved to Lund.\nWe decided to sell the mill in May. {}\n",
        "| Decision | Why |\n|---|---|\n| We decided to sell the mill in May | too dear | {}\n",
        "The page says: {}\n- Peter Holm moved to Lund.\n- We decided to sell the mill in May.\n",
    ],
)
@pytest.mark.parametrize("form", ["notes", "memory"])
def test_what_somebody_else_said_in_any_shape_stays_theirs_and_is_forgotten_with_its_note(
    memory: Memory, tmp_path: Path, text: str, form: str
) -> None:
    note = tmp_path / "Vault" / "note.md"
    note.parent.mkdir()
    note.write_text(text.format("<!-- cp: src=web:x -->"))
    done = memory.import_notes(note.parent, yes=True, form=form)
    assert {fact.trailer.outsider for fact in done.facts} <= {"web:x"}
    assert {fact.trailer.note for fact in done.facts} <= {"Vault/note.md"}
    assert done.facts or form == "memory"
    assert memory.import_notes(note.parent, yes=True, form=form).facts == ()
    gone = memory.forget_all(source="import:Vault", yes=True)
    assert {fact.id for fact in gone.facts} == {fact.id for fact in done.facts}
