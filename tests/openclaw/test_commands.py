"""`openclaw memory …`, run for real beside our own command on the same workspace."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from tests.openclaw.conftest import PROGRAMS, node

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


def ours(openclaw: OpenClaw, *words: str) -> str:
    """What our own command prints."""
    program = [str(PROGRAMS / "commonplace"), *words, "--workspace", str(openclaw.workspace)]
    return subprocess.run(program, env=openclaw.env, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize(
    "words",
    [
        ("recall", "who repaired the boat?", "--k", "25", "--since", "2025-10-01", "--json"),
        ("recall", "what does Ben like?", "--kind", "opinion"),
        ("get", "memory/2025-10-03.md#L2"),
        ("check",),
        ("opinions", "Ben", "--json"),
        ("entity", "Ben", "--json"),
        ("review", "--json"),
        ("--help",),
    ],
    ids=lambda words: words[0],
)
def test_the_words_and_the_answers_are_ours(openclaw: OpenClaw, words: tuple[str, ...]) -> None:
    said = openclaw("memory", *words)
    assert said == ours(openclaw, *words)
    assert said


def test_a_workspace_that_is_not_there_yet_is_made_by_init(openclaw: OpenClaw) -> None:
    shutil.rmtree(openclaw.other)
    assert openclaw.run("memory", "status", "--agent", "work").returncode == 1
    openclaw("memory", "init", "--agent", "work")
    openclaw("memory", "retain", "W @Dora: Sold the boat.", "--agent", "work")
    assert "Sold the boat." in openclaw("memory", "recall", "boat", "--agent", "work")


def test_retain_and_reflect_write(openclaw: OpenClaw) -> None:
    done = json.loads(openclaw("memory", "retain", "W @Cleo: Keeps the keys of the boat house.", "--json"))
    assert "Keeps the keys of the boat house." in (openclaw.workspace / done["source"].split("#")[0]).read_text()
    assert json.loads(openclaw("memory", "reflect", "--since", "7d", "--dry-run", "--json"))["applied"] is False
    openclaw("memory", "reflect", "--since", "7d", "--yes")
    assert "Likes rye bread." in (openclaw.workspace / "bank" / "opinions.md").read_text()


def test_a_wrong_word_is_refused_as_ours_is(openclaw: OpenClaw) -> None:
    done = openclaw.run("memory", "recal", "Ben")
    assert done.returncode == 2
    assert "there is no verb 'recal'" in done.stderr


def test_search_index_and_status_answer_as_the_host_s_own(openclaw: OpenClaw) -> None:
    found: dict[str, Any] = json.loads(openclaw("memory", "search", "boat Aarhus", "--max-results", "2", "--json"))
    hit = found["results"][0]
    assert (hit["path"], hit["startLine"], hit["endLine"]) == ("memory/2025-10-03.md", 2, 2)
    assert 0 < hit["score"] < 1
    assert hit["provenance"].keys() == {"originClass", "sessionKind", "observedAt"}
    assert "memory/2025-10-03.md:2-2\nRepaired the boat" in openclaw("memory", "search", "--query", "boat Aarhus")
    openclaw("memory", "index", "--force")
    [agent] = json.loads(openclaw("memory", "status", "--deep", "--json"))
    assert agent["agentId"] == "main"
    assert {"backend", "provider", "files", "chunks", "dirty", "workspaceDir", "dbPath"} <= agent["status"].keys()
    assert agent["status"]["workspaceDir"] == str(openclaw.workspace)


def test_an_agent_can_be_named(openclaw: OpenClaw) -> None:
    (openclaw.other / "memory" / "2025-10-04.md").write_text("## Retain\n- W @Dora: Sold the boat. ^dora01\n")
    assert "Dora" in openclaw("memory", "recall", "who sold the boat?", "--agent", "work")
    assert "Dora" not in openclaw("memory", "recall", "who sold the boat?")


def test_it_says_how_to_install_what_is_missing(openclaw: OpenClaw) -> None:
    done = openclaw.run("memory", "recall", "Ben", PATH=f"{node()}:/usr/bin:/bin")
    assert done.returncode == 1
    assert "from its repository: pipx install ." in done.stderr
