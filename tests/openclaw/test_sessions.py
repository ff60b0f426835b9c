"""What stays of a session: facts before it is shortened and when it ends, and pages that the host's clock renews."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.openclaw.conftest import eventually, today

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.openclaw.conftest import OpenClaw

RACE = "The boat race in Ebeltoft was won by Freja, who had trained with Holger all summer. " * 4


def says(log: Path, text: str) -> Callable[[], bool]:
    return lambda: log.exists() and text in log.read_text()


def test_a_session_that_ends_leaves_facts(openclaw: OpenClaw) -> None:
    openclaw.turn(RACE, "agent:main:dashboard:race")
    openclaw.stub.answers = {
        "assistant: ": "- W @Freja: Won the boat race in Ebeltoft.\n- B: I noted the race.\nThat is all."
    }
    openclaw("agent", "--session-key", "agent:main:dashboard:race", "--json", "-m", "/new")
    log = openclaw.workspace / "memory" / f"{today()}.md"
    assert eventually(says(log, "I noted the race.")), openclaw.log.read_text()
    [line] = [line for line in log.read_text().split("\n") if "@Freja" in line]
    assert line.startswith("- W @Freja: Won the boat race in Ebeltoft.")
    assert "<!-- cp: src=openclaw:" in line
    assert "That is all." not in log.read_text()


def test_a_group_that_ends_leaves_none(openclaw: OpenClaw) -> None:
    session = "agent:main:telegram:group:-7"
    openclaw.turn(RACE, session)
    openclaw.stub.answers = {"assistant: ": "- W @Loke: Is known to a group only."}
    openclaw("agent", "--session-key", session, "--json", "-m", "/new")
    openclaw.turn("hello again", session)
    assert not says(openclaw.workspace / "memory" / f"{today()}.md", "Loke")()


def test_a_conversation_is_saved_before_it_is_shortened(openclaw: OpenClaw) -> None:
    """The host lets that turn append to the day's log, and nothing else."""
    session = "agent:main:dashboard:long"
    openclaw.stub.tokens = 90_000  # of 100,000
    openclaw.turn("A long story.", session)
    path = f"memory/{today()}.md"
    fact = "- W @Sif: Sold the red boat to Holger. <!-- cp: src=openclaw:flush -->"
    write = json.dumps({"path": path, "content": f"\n## Retain\n{fact}\n"})
    openclaw.stub.answers = {"The conversation is about to be shortened": f"CALL write {write}"}
    try:
        openclaw.turn("And then?", session)
    finally:
        openclaw.stub.tokens = 10
    assert eventually(says(openclaw.workspace / path, fact)), openclaw.log.read_text()
    recalled = json.loads(openclaw("memory", "recall", "who sold the red boat?", "--json"))
    assert recalled["hits"][0]["content"] == "Sold the red boat to Holger."


def test_the_host_s_clock_reflects_without_a_model(openclaw: OpenClaw) -> None:
    (openclaw.workspace / "memory" / "2025-09-01.md").write_text("## Retain\n- O(c=0.8) @Sif: Prefers sails to oars.\n")
    jobs: list[dict[str, Any]] = json.loads(openclaw("automations", "list", "--all", "--json"))["jobs"]
    ours = {job["declarationKey"]: job for job in jobs if job.get("declarationKey", "").startswith("commonplace:")}
    assert ours.keys() == {"commonplace:reflect:main", "commonplace:reflect:work"}
    asked = len(openclaw.stub.requests)
    openclaw("automations", "run", ours["commonplace:reflect:main"]["id"])
    assert eventually(says(openclaw.workspace / "bank" / "opinions.md", "Prefers sails to oars."))
    assert len(openclaw.stub.requests) == asked
