"""Which file is a sync tool's conflict copy of which: by name and content together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.documents.conflict_copies import marked, neighbours, original
from commonplace.core.documents.parse import parse

DAY = "memory/2025-11-27.md"
FACTS = "## Retain\n- W @Peter: Has a boat.\n- W @Peter: Drinks tea.\n- B @warelay: I fixed it.\n"
OTHER = "## Retain\n- W @Ann: Bought a ladder.\n- W @Ann: Painted the door.\n"
NOTES = "# Session\n- rang the bank\n- went home\n- slept\n"


def is_copy(name: str, text: str, of: str = FACTS, path: str = DAY) -> bool:
    document = parse(f"{path.rpartition('/')[0]}/{name}.md", text)
    assert path in neighbours([document.path, path]).get(document.path, ())
    found = original(document, [parse(path, of)])
    assert found in (None, path)
    return found is not None


TOOLS = (
    "2025-11-27 2",  # iCloud
    "2025-11-27 copy",  # Finder
    "2025-11-27 - Copy",  # Explorer
    "2025-11-27副本",
    "2025-11-27のコピー",
    "2025-11-27 (1)",  # Google Drive
    "2025-11-27-MacBook",  # OneDrive
    "2025-11-27-DESKTOP-4F7A2K1",
)
ONLY_TOOLS = (
    "2025-11-27 (Peter's conflicted copy 2025-11-27)",  # Dropbox, and its translations
    "2025-11-27 (In Konflikt stehende Kopie von Peter 2025-11-27)",
    "2025-11-27 (Copie en conflit de Peter 2025-11-27)",
    "2025-11-27 (Copia en conflicto de Peter 2025-11-27)",
    "2025-11-27 (Peters konfliktkopi 2025-11-27)",
    "2025-11-27 (Peter の競合コピー 2025-11-27)",
    "2025-11-27 (Peter 的冲突副本 2025-11-27)",
    "2025-11-27 (Peter 的衝突複本 2025-11-27)",
    "2025-11-27 (Case Conflict)",
    "2025-11-27 (Case Conflict 1)",
    "2025-11-27 (conflicted copy 2025-11-27 101500)",  # Nextcloud
    "2025-11-27 (SFConflict peter@example.org 2025-11-27-10-15-00)",  # Seafile
    "2025-11-27 (Conflicted copy MacBook 202511271015)",  # Obsidian Sync
    "2025-11-27.sync-conflict-20251127-101500-ABCDEFG",  # Syncthing
    "2025-11-27_conflict-20251127-101500",  # ownCloud
    "2025-11-27_DiskStation_Nov-27-1015-2025_Conflict",  # Synology
    "2025-11-27.Conflict",  # Resilio
)


@pytest.mark.parametrize("name", TOOLS + ONLY_TOOLS)
def test_most_of_the_same_is_a_copy(name: str) -> None:
    assert is_copy(name, FACTS)
    assert is_copy(name, FACTS + "- W @Peter: Sold the boat.\n- W @Peter: Bought a bike.\n"), "grown since"
    assert is_copy(name, FACTS, FACTS + OTHER.removeprefix("## Retain\n")), "left behind"
    assert is_copy(name, NOTES, NOTES + "- and so on\n" * 3), "without facts"


@pytest.mark.parametrize("name", TOOLS)
def test_a_name_alone_proves_nothing(name: str) -> None:
    assert not is_copy(name, OTHER)
    assert not is_copy(name, NOTES)
    assert original(parse(f"memory/{name}.md", FACTS), []) is None, "what it would be a copy of is not there"


@pytest.mark.parametrize("name", ONLY_TOOLS)
def test_a_name_that_only_a_tool_gives(name: str) -> None:
    path = f"memory/{name}.md"
    assert is_copy(name, OTHER), "one line in common is enough, be it a heading"
    assert not is_copy(name, NOTES), "nothing in common: two days that met by chance"
    assert original(parse(path, FACTS), []) == path, "the file that it copies is gone"


@pytest.mark.parametrize(
    "name",
    [
        "2025-11-27-merge-conflict-in-the-build",
        "2025-11-27 (conflict with the landlord)",
        "2025-11-27-sync-conflict",
        "notes (2025-11-27)",
    ],
)
def test_a_person_may_write_about_conflicts(name: str) -> None:
    assert original(parse(f"memory/{name}.md", FACTS), []) is None


def test_a_host_s_log_that_repeats_a_line_of_the_day_is_a_log() -> None:
    pointer = "## Retain\n- W @Peter: Has a boat.\n"
    assert not is_copy("2025-11-27-marina", pointer + OTHER.removeprefix("## Retain\n"), pointer)
    assert is_copy("2025-11-27-marina", pointer, FACTS), "it says nothing else"


def test_ids_tell_what_is_the_same_reworded() -> None:
    before = "- W @P: Has a boat. ^boat01\n- W @P: Drinks tea. ^tea001\n- W @P: Naps. ^nap001\n"
    after = "- W @P: Has a blue boat. ^boat01\n- W @P: Drinks green tea. ^tea001\n- W @P: Sings. ^sing01\n"
    assert is_copy("2025-11-27-MacBook", after, before)


def test_pages_of_two_entities_are_two_pages() -> None:
    peter = "# Peter\n\n- W @Peter @Peter-Smith: Married in May.\n"
    smith = "# Peter Smith\n\n- W @Peter @Peter-Smith: Married in May.\n"
    assert not is_copy("Peter-Smith", smith, peter, "bank/entities/Peter.md")
    assert is_copy("Peter-MacBook", peter, peter, "bank/entities/Peter.md")


def test_what_a_copy_says_is_no_fact_and_stays_findable() -> None:
    document = marked(parse("memory/2025-11-27 2.md", FACTS + "- X: what?\n"), DAY)
    assert document.facts == ()
    assert (document.conflict, document.copy_of) == (True, DAY)
    assert [line.text for line in document.lines][1:3] == ["W @Peter: Has a boat.", "W @Peter: Drinks tea."]
    assert [line.number for line in document.lines] == [1, 2, 3, 4, 5]
    assert [(str(problem.source), problem.code) for problem in document.problems] == [
        ("memory/2025-11-27 2.md#L1", "conflict-copy")
    ]
    gone = marked(document, document.path)
    assert gone.problems[0].message != document.problems[0].message


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("MEMORY_backup.md", "MEMORY_backup.md is a copy of MEMORY.md"),
        ("MEMORY (Case Conflict).md", "MEMORY (Case Conflict).md is a sync tool's conflict copy of MEMORY.md"),
    ],
)
def test_only_what_a_sync_tool_names_is_said_to_be_of_one(name: str, said: str) -> None:
    [problem] = marked(parse(name, FACTS), "MEMORY.md").problems
    assert problem.message == said
    assert "its facts do not count twice" in problem.hint


def test_files_of_similar_names_are_neighbours() -> None:
    paths = [
        *("memory/2025-11-27.md", "memory/2025-11-27 2.md", "memory/2025-11-27 2-Mac.md", "memory/2025-11-28.md"),
        *("memory/2025.md", "memory/2025/11/27.md", "memory/2025-11.md", "other/2025-11-27 2.md"),
        *("bank/entities/Ann.md", "bank/entities/Anna.md", "bank/entities/王.md", "bank/entities/王芳.md"),
    ]
    assert neighbours(paths) == {
        "memory/2025-11-27 2.md": ("memory/2025-11-27.md", "memory/2025-11.md", "memory/2025.md"),
        "memory/2025-11-27 2-Mac.md": (
            "memory/2025-11-27 2.md",
            "memory/2025-11-27.md",
            "memory/2025-11.md",
            "memory/2025.md",
        ),
        "bank/entities/王芳.md": ("bank/entities/王.md",),
    }


names = st.lists(st.sampled_from(["a", "b", " 2", "-", "(1)", "2025-11-27", "/", "王"]), min_size=1, max_size=5)


@given(st.lists(names.map("".join), max_size=8), st.randoms())
def test_neighbours_do_not_depend_on_order(stems: list[str], random: object) -> None:
    paths = sorted({f"{stem}.md" for stem in stems})
    found = neighbours(paths)
    random.shuffle(paths)  # type: ignore[attr-defined]
    assert neighbours(paths) == found
    for path, others in found.items():
        for other in others:
            assert path.startswith(other.removesuffix(".md"))
            assert path.count("/") == other.count("/")
