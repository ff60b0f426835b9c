"""Core, context, lines and explicit writes at the command line: every flag, and what each mistake is told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from commonplace.core.documents.parse import parse
from commonplace.core.recall.packing import count_tokens

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Cli, Done, Write

MEMORY = "# Memory\n\n- Tea, not coffee.\n- The bicycle code is in the blue notebook.\n"
LOG = "memory/2026-01-30.md"
FILES = {
    "MEMORY.md": MEMORY,
    "SOUL.md": "I am Quill.\n",
    "bank/entities/Peter.md": "# Peter\r\n\r\nCall him on Sundays only.\r\n",
    LOG: "# Friday\n\n## Retain\n- O(c=0.9) @Peter: Prefers long replies. ^k7f3qa\n- W @Peter: Has a cat. ^c4t000\n",
}
DAY = ("--today", "2026-02-01")


def digest(text: str) -> str:
    found = re.search(r"digest ([0-9a-f]{16})$", text.strip())
    assert found, text
    return found[1]


class TestCore:
    def test_blocks(self, workspace: Write, cli: Cli) -> None:
        workspace(FILES)
        done = cli("core")
        assert (done.status, done.err) == (0, "")
        assert done.out.startswith('<block label="MEMORY" file="MEMORY.md" ')
        assert done.out.count("</block>") == 2 and done.out.endswith("</block>\n")
        assert re.search(r'<block label="SOUL" [^>]*access="read-only"', done.out)
        assert done.out == cli("core").out

    def test_numbered(self, workspace: Write, cli: Cli) -> None:
        workspace(FILES)
        assert "   3\t- Tea, not coffee.\n" in cli("core", "--numbered").out

    def test_a_budget_cuts_and_says_where_the_rest_stands(self, workspace: Write, cli: Cli) -> None:
        workspace({"MEMORY.md": "- A line of memory.\n" * 400})
        done = cli("core", "--budget", "200")
        assert count_tokens(done.out) <= 200
        assert re.search(r"… \d+ more lines: get MEMORY\.md#L\d+", done.out)
        assert re.fullmatch(r"\d+ lines are left out: raise --budget to see more\n", done.err)
        done = cli("core", "--budget", "3")
        assert (done.out, done.err) == ("", "400 lines are left out: raise --budget to see more\n")

    def test_json(self, workspace: Write, cli: Cli) -> None:
        workspace(FILES)
        told = cli("core", "--json").json
        assert [block["label"] for block in told["blocks"]] == ["MEMORY", "SOUL"]
        assert [block["read_only"] for block in told["blocks"]] == [False, True]
        assert told["blocks"][0]["text"] == MEMORY
        assert told["text"] == cli("core").out

    def test_an_empty_core_is_no_text_and_a_word_beside_it(self, workspace: Write, cli: Cli) -> None:
        workspace({"bank/x.md": "x\n"})
        done = cli("core")
        assert (done.status, done.out) == (0, "")
        assert "commonplace append MEMORY.md" in done.err


class TestContext:
    def test_the_core_then_what_is_recalled_fenced(self, workspace: Write, cli: Cli) -> None:
        workspace(FILES)
        done = cli("context", "does", "Peter", "have", "a", "cat?")
        assert done.out.startswith(cli("core").out)
        below = done.out.removeprefix(cli("core").out)
        fence = re.search(r"<(memory-[0-9a-f]{12})>\n(.*)</\1>\n\Z", below, re.S)
        assert fence and "Has a cat." in fence[2]
        assert fence[1] not in cli("context", "does Peter have a cat?").out

    def test_a_message_of_several_lines_comes_from_standard_input(self, workspace: Write, cli: Cli) -> None:
        workspace(FILES)
        done = cli("context", "-", stdin="Good morning!\n\nDoes Peter have a cat?\n")
        assert "Has a cat." in done.out

    def test_json_k_and_budget(self, workspace: Write, cli: Cli) -> None:
        workspace(FILES)
        told = cli("context", "Peter", "--k", "1", "--json").json
        assert len(told["bundle"]["hits"]) == 1
        assert told["core"]["text"] in told["text"]
        small = cli("context", "Peter", "--budget", "120", "--json").json
        assert small["tokens"] <= small["budget"] == 120

    @pytest.mark.parametrize("words", [("context",), ("context", " "), ("context", "-")])
    def test_nothing_asked(self, workspace: Write, cli: Cli, words: tuple[str, ...]) -> None:
        workspace(FILES)
        assert cli(*words).status == 2


class TestGet:
    def test_the_text_alone_goes_to_standard_output(self, workspace: Write, cli: Cli) -> None:
        workspace(FILES)
        done = cli("get", "MEMORY.md")
        assert done.out == MEMORY
        assert done.err.startswith("MEMORY.md: lines 1 to 4 of 4, digest ")
        done = cli("get", f"{LOG}#L3-L4")
        assert done.out == "## Retain\n- O(c=0.9) @Peter: Prefers long replies. ^k7f3qa\n"
        done = cli("get", "MEMORY.md#L2")
        assert done.out == "\n" and "line 2 of 4" in done.err

    def test_json(self, workspace: Write, cli: Cli) -> None:
        workspace(FILES)
        told = cli("get", "MEMORY.md#L3", "--json")
        assert told.err == ""
        assert {**told.json, "digest": ""} == {
            "source": "MEMORY.md#L3",
            "text": "- Tea, not coffee.\n",
            "last": 3,
            "total": 4,
            "digest": "",
        }

    def test_an_empty_file(self, workspace: Write, cli: Cli) -> None:
        workspace({**FILES, "bank/empty.md": ""})
        done = cli("get", "bank/empty.md")
        assert (done.status, done.out) == (0, "") and "bank/empty.md: empty" in done.err

    @pytest.mark.parametrize(
        ("citation", "status", "says"),
        [
            ("MEMORY.md#L9", 1, "MEMORY.md has no line 9\n  it has 4 lines"),
            ("MEMORY.md#L8-L9", 1, "has no lines 8 to 9"),
            ("MEMORY.md#9", 2, "not a citation"),
            ("bank/no.md", 1, "there is no file bank/no.md"),
            ("^k7f3qa", 1, "of a fact: commonplace show ^k7f3qa"),
            ("../outside.md", 1, "../outside.md is outside the workspace\n  the workspace is"),
            ("bank/../../outside.md", 1, "holds .."),
            (".memory/index.sqlite", 1, "is hidden"),
        ],
    )
    def test_what_is_not_there(self, workspace: Write, cli: Cli, citation: str, status: int, says: str) -> None:
        workspace(FILES)
        done = cli("get", citation)
        assert (done.status, done.out) == (status, "")
        assert says in done.err

    def test_a_terminal_is_not_moved_by_what_it_shows(self, workspace: Write, cli: Cli) -> None:
        workspace({"MEMORY.md": "red \x1b[31malert\n"})
        assert cli("get", "MEMORY.md").out == "red \x1b[31malert\n"
        assert "\x1b[31m" not in cli("get", "MEMORY.md", "--no-color", terminal=True).out


class TestAppend:
    def test_it_shows_what_was_written_and_the_new_digest(self, workspace: Write, cli: Cli) -> None:
        root = workspace(FILES)
        done = cli("append", "MEMORY.md", "- One", "thing", "more.")
        assert done.out.startswith("appended MEMORY.md#L5\n  - One thing more.\ndigest ")
        assert (root / "MEMORY.md").read_text() == MEMORY + "- One thing more.\n"
        assert digest(done.out) == digest(cli("get", "MEMORY.md").err)
        assert "One thing more." in cli("core").out
        assert "MEMORY.md#L5" in cli("recall", "one thing more").out

    def test_standard_input_is_taken_as_it_is(self, workspace: Write, cli: Cli) -> None:
        root = workspace(FILES)
        text = "# Ada\n\n- Plays the oboe:\n\t- every day, \u2028 and\x0c twice   \n\n```\n  - not a bullet\n```\n"
        done = cli("append", "bank/entities/Ada.md", "-", stdin=text)
        assert done.out.startswith("made bank/entities/Ada.md#L1-L8\n")
        assert (root / "bank/entities/Ada.md").read_bytes() == text.encode()

    def test_line_ends_are_those_of_the_file(self, workspace: Write, cli: Cli) -> None:
        root = workspace(FILES)
        cli("append", "bank/entities/Peter.md", "-", stdin="- a\n- b\r\n")
        assert (root / "bank/entities/Peter.md").read_bytes().endswith(b"only.\r\n- a\r\n- b\r\n")

    def test_a_long_write_is_shown_by_its_beginning(self, workspace: Write, cli: Cli) -> None:
        workspace(FILES)
        done = cli("append", "bank/long.md", "-", stdin="".join(f"line {n}\n" for n in range(1, 101)))
        assert "  line 20\n  … and 80 more lines\ndigest " in done.out

    def test_a_core_file_that_hosts_would_cut_is_told_of(self, workspace: Write, cli: Cli) -> None:
        workspace(FILES)
        assert cli("append", "MEMORY.md", "- " + "x" * (20_000 - len(MEMORY) - 3)).err == ""
        done = cli("append", "MEMORY.md", "- y")
        assert done.status == 0
        assert (
            done.err == "MEMORY.md has 20,004 characters; hosts cut it at 20,000: move parts of it to pages in bank/\n"
        )
        assert cli("append", "bank/long.md", "x" * 21_000).err == ""

    def test_a_log_may_be_appended_to(self, workspace: Write, cli: Cli) -> None:
        root = workspace(FILES)
        assert cli("append", LOG, "- Snow.").status == 0
        assert cli("append", LOG, "Much of it.").status == 0
        assert (root / LOG).read_text() == FILES[LOG] + "\n## Notes\n\n- Snow.\n\nMuch of it.\n"
        assert cli("check").status == 0

    def test_a_fact_that_is_appended_may_join_a_retain_section(self, workspace: Write, cli: Cli) -> None:
        root = workspace(FILES)
        assert cli("append", LOG, "- B @Peter: I fed his cat.").status == 0
        assert (root / LOG).read_text() == FILES[LOG] + "- B @Peter: I fed his cat.\n"

    @pytest.mark.parametrize("added", ["## Evening\nRead a book.", "Evening\n-------\nRead a book.", "# Else\n- tea"])
    def test_what_is_appended_leaves_the_sections_above_as_they_were(
        self, workspace: Write, cli: Cli, added: str
    ) -> None:
        log = "## Retain\n- W @B: one thing here.\n\nAfterwards a long walk.\n- W: stands for water\n- milk, eggs\n"
        root = workspace({"MEMORY.md": MEMORY, LOG: log})
        assert cli("append", LOG, added).status == 0
        text = (root / LOG).read_text()
        assert text.startswith(log)
        assert [fact.content for fact in parse(LOG, text).facts] == ["one thing here."]
        assert cli("check").status == 0

    def test_json(self, workspace: Write, cli: Cli) -> None:
        workspace(FILES)
        told = cli("append", "MEMORY.md", "- One.", "--json").json
        assert {**told, "digest": ""} == {
            "source": "MEMORY.md#L5",
            "lines": 1,
            "digest": "",
            "created": False,
            "size": len(MEMORY) + 7,
        }
        assert re.fullmatch("[0-9a-f]{16}", told["digest"])


class TestReplace:
    def test_one_occurrence(self, workspace: Write, cli: Cli) -> None:
        root = workspace(FILES)
        done = cli("replace", "MEMORY.md", "blue notebook", "red notebook")
        assert done.out.startswith("replaced MEMORY.md#L4\n  - The bicycle code is in the red notebook.\ndigest ")
        assert (root / "MEMORY.md").read_text() == MEMORY.replace("blue", "red")

    def test_by_nothing(self, workspace: Write, cli: Cli) -> None:
        root = workspace(FILES)
        done = cli("replace", "MEMORY.md", "- Tea, not coffee.\n", "")
        assert done.out.startswith("replaced MEMORY.md#L3\ndigest ")
        assert (root / "MEMORY.md").read_text() == MEMORY.replace("- Tea, not coffee.\n", "")

    def test_by_the_same(self, workspace: Write, cli: Cli) -> None:
        root = workspace(FILES)
        done = cli("replace", "MEMORY.md", "Tea", "Tea")
        assert done.out.startswith("no change in MEMORY.md")
        assert (root / "MEMORY.md").read_text() == MEMORY

    @pytest.mark.parametrize(("words", "stdin"), [(("Tea", "-"), "Rooibos\n- Maté"), (("-", "Maté"), "- Tea,")])
    def test_standard_input(self, workspace: Write, cli: Cli, words: tuple[str, str], stdin: str) -> None:
        root = workspace(FILES)
        old, new = (stdin if word == "-" else word for word in words)
        assert cli("replace", "MEMORY.md", *words, stdin=stdin).status == 0
        assert (root / "MEMORY.md").read_text() == MEMORY.replace(old, new)

    @pytest.mark.parametrize(
        ("words", "status", "says"),
        [
            (("MEMORY.md", "\n- ", "x"), 1, "occurs 2 times, in lines 2, 3"),
            (("MEMORY.md", "coffee, not tea", "x"), 1, "was not found\n  read the file again"),
            (("MEMORY.md", "TEA, not", "x"), 1, "similar text is in line 3"),
            (("MEMORY.md", "", "x"), 2, "the text to replace is empty"),
            (("MEMORY.md", "-", "-"), 2, "only one of OLD and NEW"),
            ((LOG, "long", "short"), 2, "is a daily log and only grows\n  append to it, or correct a fact"),
            (("SOUL.md", "Quill", "Max"), 2, "SOUL.md belongs to the host and is only read"),
            (("bank/no.md", "a", "b"), 1, "there is no file bank/no.md\n  append creates it"),
            (("notes.txt", "a", "b"), 1, "notes.txt is not a Markdown"),
            (("MEMORY.md", "Tea", "the password is: hunter2horse!"), 1, "looks like a password"),
        ],
    )
    def test_what_it_refuses(self, workspace: Write, cli: Cli, words: tuple[str, ...], status: int, says: str) -> None:
        root = workspace(FILES)
        done = cli("replace", *words)
        assert (done.status, done.out) == (status, "")
        assert says in done.err
        assert all((root / name).read_bytes() == text.encode() for name, text in FILES.items())


class TestInsert:
    @pytest.mark.parametrize(("after", "at"), [("0", 0), ("3", 3), ("4", 4)])
    def test_behind_a_line(self, workspace: Write, cli: Cli, after: str, at: int) -> None:
        root = workspace(FILES)
        done = cli("insert", "MEMORY.md", "- Biscuits too.", "--after", after)
        assert done.out.startswith(f"inserted MEMORY.md#L{at + 1}\n  - Biscuits too.\ndigest ")
        lines = MEMORY.splitlines(keepends=True)
        assert (root / "MEMORY.md").read_text() == "".join([*lines[:at], "- Biscuits too.\n", *lines[at:]])

    def test_standard_input(self, workspace: Write, cli: Cli) -> None:
        root = workspace(FILES)
        cli("insert", "MEMORY.md", "-", "--after", "2", stdin="  indented\n\n")
        assert (root / "MEMORY.md").read_text() == MEMORY.replace("- Tea", "  indented\n\n- Tea")

    @pytest.mark.parametrize(
        ("words", "status", "says"),
        [
            (("MEMORY.md", "x"), 2, "insert needs --after"),
            (("MEMORY.md", "x", "--after", "two"), 2, "--after must be a whole number"),
            (("MEMORY.md", "x", "--after", "-1"), 2, "--after must be a whole number"),
            (("MEMORY.md", "x", "--after", "9" * 5000), 2, "--after must be a whole number"),
            (("MEMORY.md", "x", "--after", "99"), 2, "there is no line 99\n  the text has 4 lines"),
            (("MEMORY.md", "", "--after", "1"), 2, "nothing to insert"),
            (("MEMORY.md", "--after", "1"), 2, "insert needs TEXT"),
            ((LOG, "x", "--after", "1"), 2, "is a daily log and only grows"),
            (("bank/no.md", "x", "--after", "0"), 1, "there is no file bank/no.md"),
            (("SOUL.md", "x", "--after", "0"), 2, "belongs to the host"),
        ],
    )
    def test_what_it_refuses(self, workspace: Write, cli: Cli, words: tuple[str, ...], status: int, says: str) -> None:
        root = workspace(FILES)
        done = cli("insert", *words)
        assert (done.status, done.out) == (status, "")
        assert says in done.err
        assert all((root / name).read_bytes() == text.encode() for name, text in FILES.items())


WRITES = [
    ("append", "MEMORY.md", "- x"),
    ("replace", "MEMORY.md", "Tea", "x"),
    ("insert", "MEMORY.md", "x", "--after=1"),
]


@pytest.mark.parametrize("words", WRITES, ids=lambda words: words[0])
class TestDigest:
    def test_one_that_holds(self, workspace: Write, cli: Cli, words: tuple[str, ...]) -> None:
        workspace(FILES)
        seen = digest(cli("get", "MEMORY.md").err)
        done = cli(*words, "--digest", seen)
        assert done.status == 0
        assert digest(done.out) not in ("", seen)

    def test_one_that_no_longer_holds(self, workspace: Write, cli: Cli, words: tuple[str, ...]) -> None:
        root = workspace(FILES)
        seen = digest(cli("get", "MEMORY.md").err)
        (root / "MEMORY.md").write_text("Tea by hand\n")
        done = cli(*words, "--digest", seen, "--json")
        assert (done.status, done.json["error"]["code"]) == (1, "changed-underneath")
        assert "has changed since you read it\n  read it again: commonplace get MEMORY.md" in done.err
        assert (root / "MEMORY.md").read_text() == "Tea by hand\n"

    def test_a_secret_is_written_only_when_it_is_meant(
        self, workspace: Write, cli: Cli, words: tuple[str, ...]
    ) -> None:
        root = workspace(FILES)
        secret = "the password is: hunter2horse!"
        words = tuple(secret if word in ("- x", "x") else word for word in words)
        refused = cli(*words)
        assert refused.status == 1 and "--allow-secret" in refused.err
        assert secret not in refused.err and (root / "MEMORY.md").read_text() == MEMORY
        assert cli(*words, "--allow-secret").status == 0
        assert secret in (root / "MEMORY.md").read_text()


@pytest.mark.parametrize("stdin", [b"\xff\xfe", b"caf\xe9"])
@pytest.mark.parametrize("words", [("append", "MEMORY.md", "-"), ("correct", "k7f3qa", "-"), ("context", "-")])
def test_standard_input_that_is_no_text(workspace: Write, cli: Cli, words: tuple[str, ...], stdin: bytes) -> None:
    root = workspace(FILES)
    done = cli(*words, stdin=stdin)
    assert (done.status, done.out) == (2, "")
    assert "standard input is not UTF-8 at byte" in done.err
    assert (root / "MEMORY.md").read_text() == MEMORY


class TestPaths:
    """A path is the workspace's; with a point, a tilde or a slash before it, it is meant from where the caller is."""

    def there(self, cli: Cli, root: Path) -> list[Done]:
        paths = ["MEMORY.md", "./workspace/MEMORY.md", str(root / "MEMORY.md"), "./workspace/bank/../MEMORY.md"]
        return [cli("get", f"{path}#L3") for path in paths]

    def test_every_way_to_say_it(self, workspace: Write, cli: Cli) -> None:
        root = workspace(FILES)
        assert {done.out for done in self.there(cli, root)} == {"- Tea, not coffee.\n"}

    def test_a_link_to_the_workspace_is_the_workspace(self, workspace: Write, cli: Cli, tmp_path: Path) -> None:
        root = workspace(FILES)
        (tmp_path / "link").symlink_to(root)
        assert cli("get", str(tmp_path / "link" / "MEMORY.md")).out == MEMORY
        assert cli("get", str(root / "MEMORY.md"), "--workspace", str(tmp_path / "link")).out == MEMORY

    @pytest.mark.parametrize("path", ["./x.md", "../x.md", "~/x.md", "/etc/x.md", "./workspace/../x.md"])
    def test_outside(self, workspace: Write, cli: Cli, path: str, tmp_path: Path) -> None:
        workspace(FILES)
        before = sorted(tmp_path.iterdir())
        for words in (("append", path, "x"), ("get", path), ("replace", path, "a", "b")):
            done = cli(*words, "--json")
            assert (done.status, done.json["error"]["code"]) == (1, "outside-workspace")
        assert sorted(tmp_path.iterdir()) == before


class TestCorrect:
    def test_the_new_fact_supersedes_the_old_one(self, workspace: Write, cli: Cli) -> None:
        root = workspace(FILES)
        done = cli("correct", "^k7f3qa", "Prefers", "short", "replies.", *DAY)
        assert re.match(
            r"retained \^\w+ memory/2026-02-01\.md#L\d+\n  opinion \(0\.90\) @Peter: Prefers short", done.out
        )
        assert "\n  supersedes ^k7f3qa" in done.out
        assert (root / LOG).read_text() == FILES[LOG]
        first, second = cli("recall", "which replies does Peter prefer?", *DAY).out.splitlines()[:2]
        assert "short" in first and "superseded by memory/2026-02-01.md" in second

    def test_by_citation_json_source_and_standard_input(self, workspace: Write, cli: Cli) -> None:
        workspace(FILES)
        told = cli("correct", f"{LOG}#L5", "-", "--source", "phone:vet", "--json", *DAY, stdin="Has two cats.\n").json
        assert (told["content"], told["entities"], told["src"], told["created"]) == (
            "Has two cats.",
            ["Peter"],
            "phone:vet",
            True,
        )

    @pytest.mark.parametrize(
        ("words", "status", "says"),
        [
            (("nosuch", "x"), 1, "there is no fact ^nosuch"),
            (("k7f3qa", "Prefers long replies."), 2, "already has this text"),
            (("k7f3qa", "-"), 2, "the text is empty"),
            (("k7f3qa",), 2, "correct needs TEXT"),
            (("c4t000", "His password is: hunter2horse!"), 1, "looks like a password"),
        ],
    )
    def test_what_it_refuses(self, workspace: Write, cli: Cli, words: tuple[str, ...], status: int, says: str) -> None:
        root = workspace(FILES)
        done = cli("correct", *words, *DAY)
        assert (done.status, done.out) == (status, "")
        assert says in done.err
        assert not (root / "memory/2026-02-01.md").exists()
        if "password" in says:
            assert cli("correct", *words, "--allow-secret", *DAY).status == 0
