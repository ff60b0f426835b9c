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
THINK = "Ultrathink"
"""A word of every question that is put to a model between turns (plugins/openclaw/prompts/decide.md)."""


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
    assert "<!-- cp: session=openclaw:" in line
    [hit] = json.loads(openclaw.ours("recall", "who won the boat race?", "--k", "1", "--json"))["hits"]
    assert "src" not in hit
    assert "That is all." not in log.read_text()


def test_a_session_that_outlived_its_gateway_leaves_facts_too(openclaw: OpenClaw) -> None:
    """Nothing of it is in memory any more: the host's own transcript is read, from its last reset on, without tools."""
    session = "agent:main:dashboard:regatta"
    openclaw.turn(RACE, session)
    openclaw("agent", "--session-key", session, "--json", "-m", "/new")
    said = "The regatta in Skagen was won by Ingrid, who had built the boat herself in a winter. " * 4
    openclaw.turn(f'{said}\nCALL memory_recall {{"query": "Skagen"}}', session)
    openclaw.stop()
    openclaw.start()
    openclaw.stub.answers = {"assistant: ": "- W @Ingrid: Won the regatta in Skagen."}
    openclaw("agent", "--session-key", session, "--json", "-m", "/new")
    log = openclaw.workspace / "memory" / f"{today()}.md"
    assert eventually(says(log, "Won the regatta in Skagen. <!-- cp: session=openclaw:")), openclaw.log.read_text()
    told = openclaw.stub.told("assistant: ")
    assert "regatta in Skagen was won" in told
    assert "Ebeltoft" not in told
    assert "no match" not in told  # what the tool answered
    openclaw("agent", "--session-key", session, "--json", "-m", "/new")
    assert openclaw.logs(f"no facts captured from the session {session}: the host's transcript has no messages")


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
    fact = "- W @Sif: Sold the red boat to Holger. <!-- cp: session=openclaw:flush -->"
    write = json.dumps({"path": path, "content": f"\n## Retain\n{fact}\n"})
    openclaw.stub.answers = {"The conversation is about to be shortened": f"CALL write {write}"}
    try:
        openclaw.turn("And then?", session)
    finally:
        openclaw.stub.tokens = 10
    assert eventually(says(openclaw.workspace / path, fact)), openclaw.log.read_text()
    recalled = json.loads(openclaw.ours("recall", "who sold the red boat?", "--json"))
    assert recalled["hits"][0]["content"] == "Sold the red boat to Holger."


def reflect_jobs(openclaw: OpenClaw) -> dict[str, str]:
    """The ids of the jobs that the host's clock runs, by key."""
    jobs: list[dict[str, Any]] = json.loads(openclaw("automations", "list", "--all", "--json"))["jobs"]
    keys = {job.get("declarationKey", ""): job["id"] for job in jobs}
    return {key: id for key, id in keys.items() if key.startswith("commonplace:")}


def test_the_host_s_clock_reflects_and_what_no_rule_decides_is_put_once_to_a_model(openclaw: OpenClaw) -> None:
    """Nothing new costs no model call; what is new costs one, with high thinking, and its answers are acted on."""
    quiet, decided = "commonplace: work: no new question", "commonplace: work: 1 of 1 questions answered"
    jobs = reflect_jobs(openclaw)
    assert jobs.keys() == {"commonplace:reflect:main", "commonplace:reflect:work"}
    reflect = ("automations", "run", jobs["commonplace:reflect:work"])
    log, opinions = openclaw.other / "memory" / "2025-09-01.md", openclaw.other / "bank" / "opinions.md"
    log.write_text("## Retain\n- O(c=0.8) @Sif: Prefers sails to oars.\n")
    asked = len(openclaw.stub.holding(THINK))
    openclaw(*reflect)
    assert openclaw.logs(quiet)
    assert "Prefers sails to oars." in opinions.read_text()
    assert len(openclaw.stub.holding(THINK)) == asked

    (openclaw.other / "memory" / "2025-09-02.md").write_text("# Tuesday\n\nViggo moved to Odense for the museum.\n")
    openclaw.ours("reflect", agent="work")
    [question] = json.loads(openclaw.ours("review", "--json", agent="work"))["inferred"]
    answer = f"{question['id']} edit W @Viggo: Moved to Odense to work at the museum."
    openclaw.stub.answers = {question["id"]: answer}
    openclaw.stub.refuses = True
    openclaw(*reflect)
    assert openclaw.logs("commonplace: work: no question was answered: the model's answer is empty")
    openclaw.stub.refuses = False
    asked = len(openclaw.stub.holding(THINK))
    openclaw(*reflect)
    assert openclaw.logs(decided)
    request = openclaw.stub.holding(THINK)[-1]
    assert len(openclaw.stub.holding(THINK)) == asked + 1
    assert request["reasoning_effort"] == "high"
    assert not request.get("tools")
    assert "Viggo moved to Odense for the museum." in openclaw.stub.told(THINK)
    assert "Moved to Odense to work at the museum." in openclaw.ours("recall", "Viggo", agent="work")
    (line,) = [each for each in (openclaw.other / "bank/review.md").read_text().splitlines() if question["id"] in each]
    assert " by=model:openclaw " in line

    openclaw(*reflect)
    assert openclaw.logs(quiet, times=2)
    assert len(openclaw.stub.holding(THINK)) == asked + 1
