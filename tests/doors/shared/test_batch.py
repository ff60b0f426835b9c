"""The batch form: one answer a line, in order, whatever the requests are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.model import Bundle
from commonplace.doors.shared import wire

if TYPE_CHECKING:
    from tests.conftest import Cli, Write

LOG = """
    === memory/2025-11-27.md
    ## Retain
    - W @Peter: Currently in Marrakech (Nov 27–Dec 1, 2025) for the birthday of Andy.
    - O(c=0.95) @Peter: Prefers concise replies on WhatsApp.
"""
REFUSED = (
    "",
    '{"query": ""}',
    '{"query": "Peter", "k": 0}',
    '{"query": "Peter", "limit": 3}',
    '{"query": "Peter", "since": "some other time"}',
    "{",
)
"""Lines that no door can answer."""


def test_recall_answers_each_line_in_order(workspace: Write, cli: Cli) -> None:
    workspace(LOG)
    requests = [
        "Marrakech",
        '{"query": "what does Peter prefer?", "k": 1, "kinds": ["opinion"], "today": "2025-11-28"}',
        *REFUSED,
        "Marrakech",
    ]
    done = cli("recall", "-", "--json", stdin="\n".join(requests) + "\n")
    assert (done.status, done.err, len(done.lines)) == (0, "", len(requests))
    first, second, *bad, last = done.lines
    assert list(first) == ["query", "status", "hits", "tokens", "budget", "omitted", "note"]
    assert first["hits"][0]["source"] == "memory/2025-11-27.md#L2"
    assert [hit["kind"] for hit in second["hits"]] == ["opinion"]
    assert [each["error"]["code"] for each in bad] == ["usage"] * len(REFUSED)
    assert all(each["error"]["message"] and each["error"]["hint"] for each in bad)
    assert last == first


def test_flags_are_the_defaults_of_the_lines(workspace: Write, cli: Cli) -> None:
    workspace(LOG)
    lines = '{"query": "Peter"}\n{"query": "Peter", "k": 1, "budget": 500}\n'
    default, own = cli("recall", "-", "--json", "--k", "2", "--budget", "900", stdin=lines).lines
    assert (len(default["hits"]), default["budget"]) == (2, 900)
    assert (len(own["hits"]), own["budget"]) == (1, 500)


def test_a_missing_workspace_is_told_once(cli: Cli) -> None:
    done = cli("recall", "-", "--json", stdin="a\nb\n")
    assert done.status == 1
    assert done.json["error"]["code"] == "not-a-workspace"


def test_a_hit_has_the_keys_that_are_promised(workspace: Write, cli: Cli) -> None:
    workspace(LOG)
    world, opinion = (cli("recall", word, "--json").json["hits"][0] for word in ("Marrakech", "WhatsApp"))
    assert world["timestamp"] == world["valid"] == "2025-11-27/2025-12-01"
    assert world["recorded"] == "2025-11-27"
    assert (world["kind"], world["origin"], world["entities"]) == ("world", "retained", ["Peter"])
    assert world["content"].startswith("Currently in Marrakech")
    assert world["id"]
    assert world["why"]
    assert world["context"] == ["Retain"]
    assert isinstance(world["score"], float | int)
    assert (world["superseded_by"], world["disputed_by"], world["also"]) == (None, None, [])
    assert (opinion["confidence"], opinion["last_updated"]) == (0.95, "2025-11-27")
    assert opinion["evidence"] == []


def test_explain_and_weigh_need_no_workspace(cli: Cli) -> None:
    asked = '{"query": "where was Peter last week?", "today": "2025-11-27"}\nhello\n\n'
    dated, plain, empty = cli("explain", "-", "--json", stdin=asked).lines
    assert dated["range"] | {"phrase": "", "relation": ""} == {
        "from": "2025-11-17", "to": "2025-11-23", "phrase": "", "relation": "",
    }  # fmt: skip
    assert plain["range"] is None
    assert set(plain) >= {"range", "entities", "kinds", "terms", "weights"}
    assert empty["error"]["code"] == "usage"

    pairs = '{"opinion": "Peter likes tea", "fact": "Peter hates tea"}\nPeter likes tea\tPeter hates tea\r\n'
    stance, plain = cli("weigh", "-", "--json", stdin=pairs).lines
    assert stance["stance"] == "contradicts"
    assert stance["reason"]
    assert plain == stance


@pytest.mark.parametrize("line", ['{"opinion": "x"}', "no fact", "[1]", "a\tb\tc", "a\t", "\tb", "x\t \u3000 "])
def test_weigh_cannot_tell_one_text_from_two(cli: Cli, line: str) -> None:
    bad, good = cli("weigh", "-", "--json", stdin=f"{line}\nPeter likes tea\tPeter hates tea\n").lines
    assert (bad["error"]["code"], good["stance"]) == ("usage", "contradicts")
    assert bad["error"]["hint"]


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe",
        b'{"query": "\xff"}',
        b'{"query": 7}',
        b'{"query": "x", "k": NaN}',
        b'{"query": "x", "k": Infinity}',
        b'{"query": "x", "k": 1e400}',
        b'{"query": "x", "k": true}',
        b'{"query": "x", "k": "3"}',
        b'{"query": "x", "k": ' + b"9" * 5000 + b"}",
        b'{"query": "x", "kinds": "world"}',
        b'{"query": "x", "kinds": ["word"]}',
        b'{"query": "x", "entities": [1]}',
        b'{"query": "x", "today": "2025-13-01"}',
        b'{"query": "x", "today": 20251127}',
        b'{"query": "x", "query": "y"}',
        b'{"query": ' + b"[" * 100_000,
        b'{"query": "' + b"x" * 1_000_000 + b'"}',
        b"x" * 1_000_000,
        b'{"query": "x"} trailing',
    ],
    ids=lambda line: line[:32].decode(errors="replace"),
)
def test_a_bad_line_is_refused_and_the_next_is_answered(cli: Cli, line: bytes) -> None:
    bad, good = cli("explain", "-", "--json", stdin=line + b"\ngood\n").lines
    assert bad["error"]["code"] == "usage"
    assert len(bad["error"]["message"]) < 500
    assert good["terms"]


def test_lines_end_at_newlines_only(cli: Cli) -> None:
    done = cli("explain", "-", "--json", stdin="\ufeffone\u2028two\u0085three\u2029four\vfive\r\nsix\r\n")
    assert len(done.lines) == 2
    assert len(done.out.splitlines()) == 2, "no reader takes a character of an answer for its end"


def test_a_question_with_a_lone_surrogate_is_answered(workspace: Write, cli: Cli) -> None:
    workspace(LOG)
    done = cli("recall", "-", "--json", stdin='{"query": "Marrakech \\ud800"}\n')
    assert done.lines[0]["hits"]
    assert done.out.encode()


def test_null_is_absent(cli: Cli) -> None:
    line = json.dumps({"query": "x", "k": None, "since": None, "kinds": None, "today": None})
    assert "error" not in cli("explain", "-", "--json", stdin=line).lines[0]


def test_the_batch_form_prints_text_without_json(workspace: Write, cli: Cli) -> None:
    workspace(LOG)
    done = cli("recall", "-", stdin="Marrakech\n\nWhatsApp\n")
    assert done.status == 0
    assert done.out.count("memory/2025-11-27.md#L") >= 2
    assert "the line is empty" in done.err


def test_answers_come_at_once(workspace: Write) -> None:
    """A program may keep the command running and talk to it."""
    root = workspace(LOG)
    argv = [sys.executable, "-m", "commonplace", "--workspace", str(root), "--json", "recall", "-"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ}) as running:
        assert running.stdin and running.stdout
        for query in ("Marrakech", "WhatsApp"):
            running.stdin.write(query.encode() + b"\n")
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["query"] == query
        (root / "memory" / "2025-11-28.md").write_text("- A line written meanwhile about Xanadu.\n")
        running.stdin.write(b"Xanadu\n")
        running.stdin.flush()
        assert json.loads(running.stdout.readline())["hits"][0]["source"] == "memory/2025-11-28.md#L1"
        running.stdin.close()
        assert running.wait(timeout=30) == 0


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_a_line_of_json_is_one_line_and_says_the_same(value: Any) -> None:
    line = wire.line(value)
    assert len(line.splitlines()) <= 1
    assert line.encode()
    assert json.loads(line) == value


def test_a_lone_surrogate_is_escaped() -> None:
    assert wire.line("\ud800\u2028") == '"\\ud800\\u2028"'
    assert wire.line("😀王") == '"😀王"'


@given(st.text(), st.text())
def test_bundles_of_any_text(query: str, note: str) -> None:
    shown = json.loads(wire.line(wire.bundle(Bundle(query, "empty", (), 0, 1500, 0, note))))
    assert (shown["query"], shown["note"]) == (query, note)
