"""Odd words for every verb: an answer or a short error, never a crash, and nothing that a terminal would act on."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest

from commonplace.doors.cli.main import run
from commonplace.doors.table.requests import LONGEST_NAME, MOST_NAMES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Cli, Write

LOG = """
    === memory/2025-11-27.md
    ## Retain
    - W @Peter: Currently in Marrakech (Nov 27–Dec 1, 2025) for the birthday of Andy. ^k7f3qa
    - O(c=0.95) @Peter: Prefers concise replies on WhatsApp.
"""
ODD = (
    *("", "  ", '"', "'", "C++", "NEAR(", "a NEAR/2 b", "t:x", "{t}:x", "*", "ket*", "^x", "-x", "(", "AND", "OR NOT"),
    *(
        '"unclosed',
        "don't",
        "state-of-the-art",
        "38.101",
        "%_%",
        "'; drop table lines; --",
        "the of and to in",
        "的了是",
    ),
    *("?!.,;:…—", "a\0b", "\x1b[31mred\x07", "a\udcffb", "\ud800", "\u202ekcab שלום مرحبا", "e" + "\u0301" * 300),
    *(
        "👨‍👩‍👧‍👦",
        "\ufeffx",
        "a\u2028b\u0085c",
        "a\nb\r\nc\td",
        "..",
        "a/b",
        "../../etc/passwd#L1",
        "C:\\x",
        "\\\\srv\\x",
    ),
    *("memory/2025-11-27.md#L0", "memory/2025-11-27.md#L999999999999", "^k7f3qa", "@", "CON", "%s {0} {}", "```"),
    *("<!-- x", "O(c=7) @P: x", "W @../../x: y", "W @" + "n" * 5000 + ": x", "-", "--", "\u202a", "x" * 1_000_000),
    " ".join(f"word{number}" for number in range(10_000)),
)
WORDS = {
    "recall": ["recall", "--", "{}"],
    "recall --entity": ["recall", "x", "--entity={}"],
    "recall --kind": ["recall", "x", "--kind={}"],
    "recall --since": ["recall", "x", "--since={}"],
    "recall --as-of": ["recall", "x", "--as-of={}"],
    "recall --k": ["recall", "x", "--k={}"],
    "recall --budget": ["recall", "x", "--budget={}"],
    "recall --format": ["recall", "x", "--format={}"],
    "explain": ["explain", "--", "{}"],
    "weigh": ["weigh", "--", "{}", "{}"],
    "show": ["show", "--", "{}"],
    "entity": ["entity", "--", "{}"],
    "opinions": ["opinions", "--", "{}"],
    "retain": ["retain", "--", "{}"],
    "retain --entity": ["retain", "x is y", "--entity={}"],
    "retain --supersedes": ["retain", "x is y", "--supersedes={}"],
    "retain --source": ["retain", "x is y", "--source={}"],
    "retain --date": ["retain", "x is y", "--date={}"],
    "retain --confidence": ["retain", "x is y", "--confidence={}"],
    "retract": ["retract", "--", "{}"],
    "forget": ["forget", "--", "{}"],
    "reflect --since": ["reflect", "--dry-run", "--since={}"],
    "--today": ["recall", "x", "--today={}"],
    "--workspace": ["status", "--workspace=a/b/c/{}"],  # so that no `..` leads out of the test
    "a verb": ["{}"],
    "a flag": ["recall", "--{}"],
}


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_odd_words_are_answered_or_refused_without_a_traceback(workspace: Write, cli: Cli, words: list[str]) -> None:
    root = workspace(LOG)
    for odd in ODD:
        asked = [word.replace("{}", odd) for word in words]
        done = cli(*asked, terminal=True, NO_COLOR="1")
        assert done.status in (0, 1, 2), odd
        assert len(done.err) < 2_500, odd
        assert (done.status == 0) == (not done.err) or done.err.count("\n") <= 2, odd
        shown = done.out + done.err
        assert not set("\0\x07\x1b\u202e\u202a") & set(shown), odd
    assert "in Marrakech" in cli("recall", "Marrakech").out or words[0] in ("forget", "retract")
    assert sorted(path.name for path in root.parent.iterdir() if path.suffix == ".md") == [], "nothing left the folder"


@pytest.mark.parametrize("verb", ["recall", "explain", "weigh"])
def test_odd_lines_of_the_batch_form_are_answered_one_by_one(workspace: Write, cli: Cli, verb: str) -> None:
    workspace(LOG)
    fields = {"opinion": "", "fact": ""} if verb == "weigh" else {"query": ""}
    lines = [json.dumps(dict.fromkeys(fields, odd)) for odd in ODD]
    done = cli(verb, "-", "--json", stdin="\n".join([*lines, *lines[:1]]) + "\n")
    assert (done.status, done.err, len(done.lines)) == (0, "", len(lines) + 1)
    for odd, answer in zip(ODD, done.lines, strict=False):
        assert ("error" in answer) == (not odd.strip() or len(odd) > 100_000), odd
        assert len(json.dumps(answer.get("error", ""))) < 2_500


@pytest.mark.parametrize("key", ["k", "budget"])
@pytest.mark.parametrize("value", [0, -1, 1_000_000_000, 1.5, "3", True, [1]])
def test_numbers_out_of_bounds_are_refused(workspace: Write, cli: Cli, key: str, value: object) -> None:
    workspace(LOG)
    (answer,) = cli("recall", "-", "--json", stdin=json.dumps({"query": "Peter", key: value}) + "\n").lines
    assert answer["error"]["code"] == "usage"
    assert key in answer["error"]["message"]


def test_the_smallest_and_the_largest_that_may_be_asked_for(workspace: Write, cli: Cli) -> None:
    workspace(LOG)
    for fields in ({"k": 1, "budget": 1}, {"k": 1_000, "budget": 1_000_000}):
        (answer,) = cli("recall", "-", "--json", stdin=json.dumps({"query": "Peter", **fields}) + "\n").lines
        assert answer["tokens"] <= fields["budget"]
        assert len(answer["hits"]) <= fields["k"]


def test_too_many_names_are_refused(workspace: Write, cli: Cli) -> None:
    workspace(LOG)
    many = [f"P{number}" for number in range(MOST_NAMES)]
    lines = [
        {"query": "", "entities": ["Peter", *many[1:]]},
        {"query": "", "entities": ["Peter", *many]},
        {"query": "", "entities": ["n" * (LONGEST_NAME + 1)]},
    ]
    fits, *refused = cli("recall", "-", "--json", stdin="".join(json.dumps(line) + "\n" for line in lines)).lines
    assert len(fits["hits"]) == 2
    assert [each["error"]["code"] for each in refused] == ["usage"] * 2


class Odd(io.BytesIO):
    """A stream that fails in a way that nobody foresaw."""

    def read(self, size: int | None = -1) -> bytes:
        raise ZeroDivisionError("by\nnothing")

    read1 = read


def test_what_nobody_foresaw_is_told_in_a_line_and_shown_when_asked_for(tmp_path: Path) -> None:
    out, err = io.StringIO(), io.StringIO()

    def call(*words: str) -> int:
        return run(words, stdin=Odd(), out=out, err=err, env={"HOME": str(tmp_path)}, cwd=str(tmp_path))

    assert call("retain", "-", "--json", "--workspace", str(tmp_path)) == 1
    told = "a bug in commonplace: ZeroDivisionError: by nothing"
    assert err.getvalue().split("\n")[0] == f"commonplace: {told}"
    assert "--verbose" in err.getvalue()
    assert json.loads(out.getvalue())["error"]["message"] == told
    with pytest.raises(ZeroDivisionError):
        call("retain", "-", "--verbose", "--workspace", str(tmp_path))
    for words in ((), ("--verbose",)):
        err.truncate(0)
        assert call("hook", *words, "--workspace", str(tmp_path)) == 1
        assert ("Traceback" in err.getvalue()) is bool(words)
