"""A file with a few bytes that are not UTF-8 is read like any other, and nothing is written into it."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.errors import NotWritable, WorkspaceError
from commonplace.memory import Memory
from commonplace.store.fs.codec import shown

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Cli, Write

LOG = "memory/2026-01-14.md"
TEXT = b"""# Wednesday

- Rolf said: don\x92t paint the shed before May.
- The caf\xe9 in Bergen closes at six.

## Retain
- W @Rolf: Rents the workshop at the harbour. ^shop01
- O(c=0.9) @Rolf: Prefers oak \x96 never pine. ^oak001
- W @Rolf: Has two boats, \xe4\xbd
"""
TODAY = date(2026, 2, 1)


@pytest.fixture
def root(workspace: Write) -> Path:
    day = "## Retain\n- W @Rolf: Is a carpenter. ^rolf01\n\n## Notes\n- Decided with Ann to buy the big saw.\n"
    folder = workspace({"memory/2026-01-13.md": day})
    (folder / LOG).write_bytes(TEXT)
    return folder


def test_its_lines_are_found_at_their_line_numbers(root: Path, cli: Cli) -> None:
    for query, line, content in (
        ("paint the shed", 3, "Rolf said: don’t paint the shed before May."),
        ("café", 4, "The café in Bergen closes at six."),
        ("workshop", 7, "Rents the workshop at the harbour."),
        ("boats", 9, "Has two boats, \ufffd"),
    ):
        found = cli("recall", query, "--json").json
        assert (found["status"], found["note"]) == ("ok", "")
        assert [(hit["source"], hit["content"]) for hit in found["hits"]][:1] == [(f"{LOG}#L{line}", content)]
    assert cli("show", f"{LOG}#L4").status == 0
    assert cli("get", f"{LOG}#L4").out == "- The café in Bergen closes at six.\n"


def test_check_lists_it_once_and_no_answer_repeats_it(root: Path, cli: Cli) -> None:
    listed = [each for each in cli("check", "--json").json["problems"] if each["code"] == "not-utf8"]
    assert [each["source"] for each in listed] == [f"{LOG}#L3"]
    assert cli("status", "--json").json["read"] == {"memory/": 2}
    done = cli("reflect", "--yes")
    assert done.status == 0 and "UTF-8" not in done.out + done.err


def test_its_facts_are_evidence_and_pages_are_renewed(root: Path) -> None:
    with Memory(str(root), today=TODAY) as memory:
        memory.reflect(yes=True)
        assert [each.statement for each in memory.opinions()] == ["Prefers oak – never pine."]
        page = (root / "bank/entities/Rolf.md").read_text()
        assert "Prefers oak – never pine." in page and "^shop01" in page
        assert not memory.reflect().patches
    assert (root / LOG).read_bytes() == TEXT


def test_nothing_is_written_into_it(root: Path, cli: Cli) -> None:
    (root / "bank").mkdir()
    (root / "bank/notes.md").write_bytes(b"- tea in the caf\xe9\n")
    for words in (
        ("append", LOG, "--", "- More."),
        ("replace", "bank/notes.md", "tea", "coffee"),
        ("retain", "W @Rolf: Sold a boat.", "--today", "2026-01-14"),
        ("forget", "shop01"),
        ("forget", "oak001"),
    ):
        done = cli(*words)
        assert done.status != 0 and "not UTF-8" in done.out + done.err, words
    with Memory(str(root), today=TODAY) as memory:
        with pytest.raises(NotWritable, match="not UTF-8"):
            memory.forget("shop01")
        wiped = memory.forget_all(entity="Rolf", yes=True)
        assert [each.id for each in wiped.facts] == ["rolf01"] and not wiped.complete
        assert memory.recall("workshop").hits[0].id == "shop01"
    assert (root / LOG).read_bytes() == TEXT


def test_a_secret_in_it_is_listed_and_on_no_page(root: Path, cli: Cli) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    (root / LOG).write_bytes(TEXT + f"- W @Rolf: The forge token is {token}.\n".encode())
    assert [each["code"] for each in cli("check", "--json").json["problems"]] == ["not-utf8", "secret"]
    cli("reflect", "--yes")
    for page in (root / "bank").rglob("*.md"):
        assert token not in page.read_text()
    assert token not in cli("check").out


def test_once_an_editor_saved_it_as_utf_8_the_problem_is_gone(root: Path) -> None:
    large = TEXT + b"".join(b"- W @Rolf: Sold plank number %d to the yard.\n" % at for at in range(3_000))
    with Memory(str(root), today=TODAY) as memory:
        (root / LOG).write_bytes(large)
        assert [each.code for each in memory.check()] == ["not-utf8"]
        mended = large.replace(b"\xe4\xbd", b"").decode("cp1252").encode()
        (root / LOG).write_bytes(mended)
        assert memory.check() == ()
        assert memory.recall("workshop at the harbour").hits[0].line.source.line == 7
        (root / LOG).write_bytes(mended + b"- W @Rolf: Sold the rest \x96 all of it.\n")
        assert [str(each.source) for each in memory.check()] == [f"{LOG}#L3010"]


def test_a_core_file_is_shown_and_told(root: Path, cli: Cli) -> None:
    (root / "USER.md").write_bytes(b"# User\n\n- **Name:** Ren\xe9e\n")
    told = cli("core")
    assert "Renée" in told.out and "USER.md is not UTF-8" in told.err


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"na\xefve", "naïve"),
        (b"\x93Yes\x94\x85", "“Yes\ufffd\ufffd"),
        (b"5 \x96 6", "5 – 6"),
        (b"r \xe5 b", "r \ufffd b"),
        ("京".encode() + b"\xe4\xba", "京\ufffd"),
        (b"\xef\xbb\xbfa\r\nb\xe9c\rd", "a\r\nbéc\rd"),
    ],
)
def test_a_stray_byte_is_a_letter_where_that_is_plausible(content: bytes, text: str) -> None:
    assert shown("x.md", content)[0] == text


@pytest.mark.parametrize(
    "content",
    [
        "京都の塔の近くに住んでいる。".encode("euc_jp"),
        "Он живёт у реки, и дом его стар.".encode("cp1251"),
        "我们决定使用数据库。".encode("gbk"),
        "- Ada plays the oboe.\n".encode("utf-16"),
        "- Ada plays the oboe.\n".encode("utf-16-le"),
        b"\x89PNG\r\n\x1a\n\x00\x00\x00",
    ],
)
def test_a_text_of_another_encoding_is_not_guessed(content: bytes) -> None:
    with pytest.raises(WorkspaceError, match="not UTF-8"):
        shown("x.md", content)


@pytest.mark.parametrize("page", ["bank/entities/Rolf.md", "bank/opinions.md", "bank/review.md"])
def test_a_page_of_ours_is_left_alone(root: Path, cli: Cli, page: str) -> None:
    cli("reflect", "--yes", "--today", "2026-02-01")
    spoilt = (root / page).read_bytes() + b"\nMine, from the caf\xe9.\n"
    (root / page).write_bytes(spoilt)
    (root / "memory/2026-01-15.md").write_text("## Retain\n- W @Rolf: Sold the small boat.\n", encoding="utf-8")
    done = cli("reflect", "--yes", "--today", "2026-02-01")
    assert f"{page} is not UTF-8" in done.out + done.err
    assert (root / page).read_bytes() == spoilt
