"""Sandboxed sessions in the host itself: what they have of the memory, by the workspace that their sandbox shows them.

The sandbox shuts nothing in (`here/`), as there is no Docker; the host's configuration, its sessions and all its
policies are real. What only a container could show, that its processes reach no other file, is the host's affair.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.openclaw.conftest import today

if TYPE_CHECKING:
    from tests.openclaw.conftest import OpenClaw

READS = {"memory_recall", "memory_search", "memory_get"}
WRITES = {"memory_retain", "memory_reflect", "memory_append", "memory_replace", "memory_insert", "memory_judge"}
KNOWN = "Polishes the brass lamp of the lighthouse."


@pytest.fixture(scope="module", autouse=True)
def known(openclaw: OpenClaw) -> None:
    (openclaw.workspace / "memory" / "2025-11-20.md").write_text(f"## Retain\n- W @Signe: {KNOWN}\n")
    openclaw.turn("hello")  # starts the process


def test_the_agent_that_has_every_tool_is_sandboxed_too(openclaw: OpenClaw) -> None:
    """Of the others their tools show it."""
    explained = json.loads(openclaw("sandbox", "explain", "--agent", "boxed-rw", "--json"))["sandbox"]
    assert explained["sessionIsSandboxed"] is True


@pytest.mark.parametrize(
    ("agent", "tools"), [("boxed-none", set()), ("boxed-ro", READS), ("boxed-rw", READS | WRITES), ("boxed", set())]
)
def test_a_sandboxed_agent_has_the_tools_that_its_access_allows(
    openclaw: OpenClaw, agent: str, tools: set[str]
) -> None:
    """What is shown of the workspace, and that only where the sandbox's own tool policy lets the tools through."""
    fact = f"W @Signe: Was asked by {agent}."
    calls = f'CALL memory_recall {{"query": "Signe"}}\nCALL memory_retain {{"text": "{fact}"}}'
    asked = f"What does Signe polish in the lighthouse?\n{calls}"
    told = openclaw.told(asked, f"agent:{agent}:main")
    offered = {name for name in openclaw.stub.tools(asked) if name.startswith("memory_")}
    assert offered == tools
    *_, recalled, retained = openclaw.stub.results(asked)
    before, _, _ = told.partition("What does Signe polish")
    assert (KNOWN in recalled) == (KNOWN in before) == ("memory_recall" in tools)
    log = openclaw.workspace / "memory" / f"{today()}.md"
    written = log.exists() and fact in log.read_text()
    assert retained.startswith(("retained ^", "already there ^")) == written == ("memory_retain" in tools)
    assert not list((openclaw.home / ".openclaw" / "sandboxes").rglob(".memory"))
