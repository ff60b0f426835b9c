"""A verb is added in one place: a row of the table and an answer function, and every door has it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest
from cogapp import Cog  # type: ignore[import-untyped]
from mcp import Client

from commonplace.doors.mcp.mcp_server import Desk, make
from commonplace.doors.shared.verb_answer import VerbAnswer
from commonplace.doors.table.common_fields import MOST_HITS
from commonplace.doors.table.verb_fields import Field, Verb
from commonplace.doors.table.verb_table import VERBS

if TYPE_CHECKING:
    from tests.conftest import Cli, Write

    from commonplace import Memory
    from commonplace.doors.shared.verb_answer import VerbRequest

DOCS = Path(__file__).parents[3] / "docs"


def days(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """The days on which an entity is named, at most `k` of them."""
    found = sorted({str(each.recorded) for each in memory.entity(asked.given["name"]).facts})[: asked.given.get("k")]
    return VerbAnswer("\n".join(found), {"days": found})


def pushed(memory: Memory, asked: VerbRequest) -> VerbAnswer:
    """A long-running answer: progress is reported as (done, of) where somebody watches."""
    if asked.progress is not None:
        asked.progress(1, 2)
    return VerbAnswer("pushed", {"sent": len(asked.given), "to": asked.given.get("name")})


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> None:
    row = Verb(
        "days",
        "the days on which an entity is named",
        (
            Field("name", "entity", "NAME+", "its name or an alias", required=True),
            Field("k", "count", "--k N", "most days", "newest last", most=MOST_HITS),
        ),
        answer=f"{__name__}:days",
        tool="Days on which somebody is named.",
        agent=99,
        output={"days": "array"},
        read_only=True,
    )
    monkeypatch.setitem(VERBS, "days", row)


@pytest.fixture
def herd(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, summary in (("herd push", "send facts to the herd"), ("herd status", "compare with the herd")):
        fields = (Field("name", "name", "NAME?", "only this herd"), Field("yes", "switch", "--yes", "send them"))
        sub = Verb(name, summary, fields, answer=f"{__name__}:pushed", tool="Of the herd.", agent=100)
        monkeypatch.setitem(VERBS, name, sub)


@pytest.fixture
def root(workspace: Write) -> Path:
    return workspace(
        """
        === memory/2025-11-26.md
        ## Retain
        - W @Peter: Packed.
        === memory/2025-11-27.md
        ## Retain
        - W @Peter: Left.
        """
    )


FOUND = {"days": ["2025-11-26", "2025-11-27"]}


def test_the_command_line_has_it(root: Path, cli: Cli) -> None:
    assert cli("days", "Peter").out == "2025-11-26\n2025-11-27\n"
    assert cli("days", "@Peter", "--json").json == FOUND
    assert cli("days", "Peter", "--k", "1").out == "2025-11-26\n"
    assert "--k must be a whole number from 1 to 1,000" in cli("days", "Peter", "--k", "0").err
    assert "days needs NAME: its name or an alias" in cli("days").err
    assert re.search(r"^  days +the days on which an entity is named$", cli("--help").out, re.M)
    assert "usage: commonplace days [FLAGS] NAME …\n" in cli("days", "--help").out


@pytest.mark.usefixtures("herd")
def test_the_command_line_has_sub_verbs(root: Path, cli: Cli) -> None:
    assert cli("herd", "push", "home", "--yes", "--json").json == {"sent": 2, "to": "home"}
    assert cli("--json", "herd", "--yes", "push").json == {"sent": 1, "to": None}
    assert re.search(r"^  herd push +send facts to the herd$", cli("--help").out, re.M)
    assert cli("herd", "push", "--help").out == cli("help", "herd", "push").out
    assert "usage: commonplace herd push [FLAGS] [NAME]\n" in cli("herd", "push", "--help").out
    assert "VERB  one of push, status" in cli("herd", "--help").out
    assert "herd needs VERB: one of push, status" in cli("herd").err
    assert "did you mean push?" in cli("herd", "pusj").err


@pytest.mark.usefixtures("herd")
def test_programs_have_sub_verbs_by_one_word(root: Path, cli: Cli) -> None:
    asked = json.dumps({"verb": "herd_push", "name": "home"})
    assert cli("worker", stdin=asked + "\n").lines[0]["result"] == {"sent": 1, "to": "home"}

    async def work() -> None:
        async with Client(make(Desk(str(root)))) as client:
            assert "herd_push" in [each.name for each in (await client.list_tools()).tools]
            answer = await client.call_tool("herd_push", {"name": "home"})
            assert answer.structured_content == {"sent": 1, "to": "home"}

    anyio.run(work)


@pytest.mark.usefixtures("herd")
@pytest.mark.parametrize(("shell", "line"), [("bash", 'herd) words="push status --yes'), ("fish", "-a 'push status'")])
def test_completion_has_sub_verbs(cli: Cli, shell: str, line: str) -> None:
    assert line in cli("completion", shell).out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_has_it(cli: Cli, shell: str) -> None:
    script = cli("completion", shell).out
    assert {"bash": "days) words=", "zsh": "'days:the days on", "fish": "-a days -d"}[shell] in script


def test_the_worker_has_it(root: Path, cli: Cli) -> None:
    asked = [{"verb": "days", "name": "@Peter"}, {"verb": "days", "name": "Peter", "k": 0}, {"verb": "days", "n": 1}]
    right, bound, key = cli("worker", stdin="".join(json.dumps(each) + "\n" for each in asked)).lines
    assert right["result"] == FOUND
    assert bound["error"]["message"] == "k must be a whole number from 1 to 1,000"
    assert key["error"]["hint"] == "keys: name, k"


def test_models_have_it_by_mcp(root: Path) -> None:
    async def work() -> None:
        async with Client(make(Desk(str(root)))) as client:
            (tool,) = [each for each in (await client.list_tools()).tools if each.name == "days"]
            assert tool.description == "Days on which somebody is named."
            assert tool.input_schema["properties"]["k"] == {
                "type": "integer",
                "minimum": 1,
                "description": "newest last",
            }
            assert tool.input_schema["required"] == ["name"]
            answer = await client.call_tool("days", {"name": "Peter"})
            assert answer.structured_content == FOUND

    anyio.run(work)


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("cli.md", "## days\n\n```text\nusage: commonplace days [FLAGS] NAME …\n"),
        ("tools.md", "| `days` | Days on which somebody is named. | **`name`**, `k` | reads |"),
    ],
)
def test_the_generated_docs_have_it(page: str, said: str) -> None:
    assert said in Cog().process_string((DOCS / page).read_text(encoding="utf-8"))
