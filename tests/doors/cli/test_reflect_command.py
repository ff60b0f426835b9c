"""What reflect says at the command line, and with which exit status, for what runs it by a clock."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.standing import standing

if TYPE_CHECKING:
    from tests.conftest import Cli, Write

LIFE = """
=== MEMORY.md
# Core

=== memory/2025-11-27.md
- We decided to buy a lamp for the hall.

## Retain
- W @Rolf: Rolf is the carpenter. ^rolf
- W @Rolf: Lives in Bergen. ^bergen
- O(c=0.9) @Rolf: Likes oak. ^oak
"""


@pytest.fixture
def root(workspace: Write) -> str:
    return str(workspace(LIFE))


def add(root: str, path: str, text: str) -> None:
    with open(f"{root}/{path}", "a", encoding="utf-8") as handle:
        handle.write(text)


def test_the_exit_status_tells_what_came_of_it(root: str, cli: Cli) -> None:
    run = ("reflect", "--exit-code", "--since", "last")
    first = cli(*run)
    assert (first.status, "bank/opinions.md: 1 new opinion" in first.out) == (0, True)
    assert (cli(*run).status, cli(*run).out) == (3, "nothing new\n")
    assert cli("reflect").status == 0  # only where it is asked for
    add(root, "memory/2025-11-28.md", "- W @Rolf: Owns a saw.\n")
    assert cli(*run).status == 0


def test_pages_that_wait_have_a_status_of_their_own(root: str, cli: Cli) -> None:
    os.makedirs(f"{root}/bank")
    add(root, "bank/world.md", "# World\n\nMine.\n")
    asks = cli("reflect", "--exit-code", "--json")
    assert (asks.status, asks.json["outcome"], asks.json["needs_yes"]) == (4, "waiting", True)
    assert asks.json["waits"] == ["bank/world.md"]
    assert cli("reflect").status == 0
    assert cli("reflect", "--exit-code", "--yes").status == 0
    add(root, "bank/entities/Olga.md", "# Olga\n")
    add(root, "memory/2025-11-28.md", "## Retain\n- W @Olga: Olga is a potter.\n- W @Rolf: Owns a saw.\n")
    changed = cli("reflect", "--exit-code", "--json")
    assert (changed.status, changed.json["outcome"], changed.json["waits"]) == (0, "changed", ["bank/entities/Olga.md"])
    for _ in range(2):
        left = cli("reflect", "--exit-code", "--json")
        assert (left.status, left.json["outcome"], left.json["applied"]) == (4, "waiting", False)
        assert left.json["waits"] == ["bank/entities/Olga.md"]
    os.unlink(f"{root}/bank/entities/Olga.md")
    assert cli("reflect", "--exit-code").status == 0
    assert cli("reflect", "--exit-code", "--json").json["outcome"] == "nothing new"


def test_a_page_that_was_moved_from_its_one_place_is_told_by_every_status(root: str, cli: Cli) -> None:
    cli("reflect")
    os.makedirs(f"{root}/bank/attic")
    os.rename(f"{root}/bank/opinions.md", f"{root}/bank/attic/opinions.md")
    for flags in ([], ["--quiet"], ["--exit-code"], ["--quiet", "--exit-code"]):
        told = cli("reflect", *flags)
        assert told.status == 1 and "its region is in bank/attic/opinions.md" in told.out, flags
    assert cli("reflect", "--json").json["held_back"] == ["bank/opinions.md"]
    os.rename(f"{root}/bank/attic/opinions.md", f"{root}/bank/opinions.md")
    assert cli("reflect").status == 0


def test_a_note_with_our_markers_takes_no_page_and_no_answer_away(root: str, cli: Cli) -> None:
    add(root, "memory/clip.md", "# Clip\n<!-- commonplace: review -->\n<!-- commonplace: opinions -->\n")
    assert cli("reflect", "--yes").status == 0
    assert os.path.exists(f"{root}/bank/opinions.md") and os.path.exists(f"{root}/bank/review.md")
    asked = cli("review", "--json").json["inferred"][0]["id"]
    accepted = cli("review", "accept", asked)
    assert accepted.status == 0 and "retained" in accepted.out


def test_a_page_that_an_editor_holds_waits(root: str, cli: Cli) -> None:
    cli("reflect")
    add(root, "bank/entities/.Rolf.md.swp", "")
    add(root, "memory/2025-11-28.md", "## Retain\n- W @Rolf: Owns a saw.\n")
    assert cli("reflect", "--exit-code", "--json").json["waits"] == ["bank/entities/Rolf.md"]
    assert cli("reflect", "--exit-code").status == 4
    os.unlink(f"{root}/bank/entities/.Rolf.md.swp")
    assert cli("reflect", "--exit-code").status == 0


def test_when_all_facts_are_gone_it_waits(root: str, cli: Cli) -> None:
    cli("reflect")
    os.unlink(f"{root}/memory/2025-11-27.md")
    gone = cli("reflect", "--exit-code", "--json")
    assert (gone.status, gone.json["waits"]) == (4, ["bank/opinions.md"])


def test_quiet_says_nothing_unless_there_is_news(root: str, cli: Cli) -> None:
    first = cli("reflect", "--quiet")
    assert "bank/entities/Rolf.md: new page" in first.out
    for words in (("--quiet",), ("--quiet", "--json"), ("--quiet", "--since", "last"), ("--quiet", "--dry-run")):
        assert cli("reflect", *words) == (0, "", "")
    assert cli("reflect", "--quiet", "--exit-code") == (3, "", "")
    add(root, "bank/entities/Olga.md", "# Olga\n")
    add(root, "memory/2025-11-28.md", "## Retain\n- W @Olga: Olga is a potter.\n")
    assert "not changed: bank/entities/Olga.md" in cli("reflect", "--quiet").out
    assert cli("reflect", "--quiet").out == ""  # told once; the review page goes on telling it
    assert cli("reflect", "--quiet", "--exit-code").status == 4


def test_quiet_tells_that_nothing_is_written_without_a_yes(root: str, cli: Cli) -> None:
    """No page tells that, so that every run does; in a few lines, without the diff."""
    os.makedirs(f"{root}/bank")
    add(root, "bank/world.md", "# World\n\nMine.\n")
    for _ in range(2):
        told = cli("reflect", "--quiet").out
        assert told.endswith("nothing written yet: add --yes\n")
        assert "bank/world.md" in told
        assert "\n+" not in told


def test_errors_keep_their_statuses(root: str, cli: Cli) -> None:
    assert cli("reflect", "--exit-code", "--since", "never").status == 2
    assert cli("reflect", "--exit-code", "--quiet", "--workspace", f"{root}/nowhere").status == 1
    assert cli("reflect", "Rolf").status == 2
    assert cli("reflect", "--undo", "--since", "last").status == 2


def test_a_dry_run_changes_no_byte_and_no_time(root: str, cli: Cli) -> None:
    cli("status")
    for words in (("--dry-run",), ("--dry-run", "--yes"), ("--dry-run", "--since", "last", "--commit")):
        before = standing(root)
        assert "+++ b/bank/opinions.md" in cli("reflect", *words).out
        assert standing(root) == before
    cli("reflect")
    before = standing(root)
    add(root, "memory/2025-11-28.md", "## Retain\n- W @Rolf: Owns a saw.\n")
    after = {**before, **{path: each for path, each in standing(root).items() if path.endswith("11-28.md")}}
    assert "Owns a saw" in cli("reflect", "--dry-run").out
    assert standing(root) == after


def test_undo_goes_file_by_file_and_leaves_what_somebody_edited(root: str, cli: Cli) -> None:
    cli("reflect")
    add(root, "bank/entities/Rolf.md", "Mine.\n")
    before = standing(root, below="bank/entities")
    undone = cli("reflect", "--undo", "--json").json["undone"]
    assert undone["bank/entities/Rolf.md"] == "not changed: edited since"
    assert {outcome for path, outcome in undone.items() if path != "bank/entities/Rolf.md"} == {"removed"}
    assert standing(root, below="bank/entities") == before
    assert not os.path.exists(f"{root}/bank/opinions.md")


def test_what_can_be_undone_is_listed_and_one_of_it_taken_back(root: str, cli: Cli) -> None:
    assert cli("reflect", "--undoable").out == "nothing to undo\n"
    cli("reflect")
    first = cli("reflect", "--undoable", "--json").json["changes"][0]
    assert (first["what"], "bank/opinions.md" in first["paths"]) == ("reflect", True)
    assert cli("reflect", "--undoable").out.startswith(f"{first['id']}  {first['day']}  reflect  bank/")
    add(root, "memory/2025-11-27.md", "- W @Ines: Sails at dawn.\n")
    cli("reflect")
    second = cli("reflect", "--undoable", "--json").json["changes"][0]
    assert second["id"] > first["id"] and second["paths"] == ["bank/world.md"]
    undone = cli("reflect", "--undo", first["id"], "--json").json["undone"]
    assert undone["bank/entities/Rolf.md"] == "removed"
    assert cli("reflect", "--undoable", "--json").json["changes"] == [second]
    for id, said in ((first["id"], "there is no change"), ("1x", "is no id of a change")):
        done = cli("reflect", "--undo", id)
        assert (done.status != 0, said in done.err) == (True, True)
    assert cli("reflect", "--undoable", "--yes").status == 2


def test_an_undo_that_takes_nothing_back_says_so_and_why(root: str, cli: Cli) -> None:
    for patch in cli("reflect", "--json").json["patches"]:
        add(root, patch["path"], "Mine.\n")
    written = standing(root, below="bank")
    for _ in range(2):
        done = cli("reflect", "--undo")
        assert (done.status, done.out) == (1, "")
        assert "nothing was undone: since the reflect, somebody edited bank/" in done.err
        assert "undo again" in done.err and cli("reflect", "--log").status == 0
        assert standing(root, below="bank") == written
