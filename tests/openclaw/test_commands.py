"""`openclaw memory …`, run for real beside our own command on the same workspace."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.openclaw.conftest import OpenClaw

LOG = """\
## Retain
- W @Ben: Repaired the boat in Aarhus on October 3, 2025. ^boat01
- O(c=0.9) @Ben: Likes rye bread. ^bread1
"""


@pytest.fixture(scope="module", autouse=True)
def known(openclaw: OpenClaw) -> None:
    (openclaw.workspace / "memory" / "2025-10-03.md").write_text(LOG)


@pytest.mark.parametrize(
    "words",
    [("recall", "who repaired the boat?", "--k", "25", "--since", "2025-10-01", "--json"), ("--help",)],
    ids=lambda words: words[0],
)
def test_a_command_prints_what_our_own_prints(openclaw: OpenClaw, words: tuple[str, ...]) -> None:
    """Words are passed on as they are: two commands stand for all, as each costs five seconds."""
    said = openclaw("memory", *words)
    assert said == openclaw.ours(*words)
    assert said


def test_a_named_agent_has_a_workspace_of_its_own_that_init_makes(openclaw: OpenClaw) -> None:
    shutil.rmtree(openclaw.other)
    assert openclaw.run("memory", "status", "--agent", "work").returncode == 1
    openclaw("memory", "init", "--agent", "work")
    (openclaw.other / "memory" / "2025-10-04.md").write_text("## Retain\n- W @Dora: Sold the boat. ^dora01\n")
    found = openclaw("memory", "recall", "who sold or repaired the boat?", "--agent", "work")
    assert "Dora" in found
    assert "Ben" not in found


def test_retain_writes_into_the_log_of_the_day(openclaw: OpenClaw) -> None:
    done = json.loads(openclaw("memory", "retain", "W @Cleo: Keeps the keys of the boat house.", "--json"))
    assert "Keeps the keys of the boat house." in (openclaw.workspace / done["source"].split("#")[0]).read_text()


def test_a_wrong_word_is_refused_as_ours_is(openclaw: OpenClaw) -> None:
    done = openclaw.run("memory", "recal", "Ben")
    assert done.returncode == 2
    assert "unknown verb 'recal'" in done.stderr


def test_search_and_status_answer_as_the_commands_of_the_host(openclaw: OpenClaw) -> None:
    found: dict[str, Any] = json.loads(openclaw("memory", "search", "boat Aarhus", "--max-results", "2", "--json"))
    hit = found["results"][0]
    assert (hit["path"], hit["startLine"], hit["endLine"]) == ("memory/2025-10-03.md", 2, 2)
    assert 0 < hit["score"] < 1
    assert hit["provenance"].keys() == {"originClass", "sessionKind", "observedAt"}
    [agent] = json.loads(openclaw("memory", "status", "--deep", "--json"))
    assert agent["agentId"] == "main"
    assert {"backend", "provider", "files", "chunks", "dirty", "workspaceDir", "dbPath"} <= agent["status"].keys()
    assert agent["status"]["workspaceDir"] == str(openclaw.workspace)
