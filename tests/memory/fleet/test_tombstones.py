"""What is forgotten leaves the fleet, and no older copy of the folder brings it back."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fleets import EVERYTHING, TODAY, everything, stored, team
from tests.memory.fleet.test_push import assert_whole

from commonplace import Memory
from commonplace.core.model import Citation, Fact, Kind
from commonplace.errors import FleetUnusable, UsageError
from commonplace.ops.fleet.tombstones import Buried, tombstones_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Cli, Write
    from tests.postgres_server import FleetServer

LOGS = """
=== memory/2025-11-01.md
- A plain line about the walrus.
## Retain
- W @Zed: Owns a kayak.
  - It is kept in the shed.
- O(c=0.9) @Zed: Likes marzipan best. ^k7f3qa
- W @Zed: Sold the boat.
=== memory/2025-11-02.md
- Likes marzipan best.
- A talk about the harbour.
"""
ID = "k7f3qa"


@given(st.text(max_size=40), st.text(max_size=40), st.booleans())
def test_a_tombstone_is_of_the_words_and_of_a_written_id_alone(text: str, other: str, block: bool) -> None:
    fact = Fact("k7f3qa", Kind.WORLD, text, (), Citation("memory/2025-11-01.md", 1), block_id=block)
    digests = tombstones_of([fact], "salt")
    buried = Buried(("salt", digest) for digest in digests)
    assert buried.has(f" {text} ") == bool(text.strip())
    assert buried.has(f"{text} {other} and more") is False
    assert buried.has("in other words", ID) == block
    assert not Buried(("another", digest) for digest in digests).has(text, ID)


def test_fleet_forget_removes_the_words_here_and_there_and_sends_nothing_else(
    server: FleetServer, workspace: Write
) -> None:
    root, made = workspace(LOGS), team(server)
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
        assert "marzipan" in everything(made)
        memory.retain("@Zed: Bought a bicycle.", kind="world")
        done = memory.fleet_forget(ID)
        assert (done.struck, done.waits, done.here.complete) == (2, "", True)
        assert "arzipan" not in everything(made).replace("bicycle", "")
        assert "bicycle" not in everything(made)
        assert_whole(server, made.database, made.roles.reads)
        assert not memory.recall("marzipan", scope="fleet").hits
        assert memory.recall("walrus", scope="fleet").hits
        memory.fleet_push()
        found = stored(made)
        assert "bicycle" in everything(made)
        assert "arzipan" not in everything(made)
        memory.fleet_drop()
        memory.fleet_push()
        assert stored(made) == found
    assert ID not in (root / "memory/2025-11-01.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("reworded", [False, True])
@pytest.mark.parametrize("by", ["fleet forget", "forget, then push", "forget, then push; the fleet dropped"])
def test_an_old_copy_of_the_folder_does_not_bring_it_back(
    server: FleetServer, workspace: Write, tmp_path: Path, by: str, reworded: bool
) -> None:
    root, made = workspace(LOGS), team(server)
    log = root / "memory/2025-11-01.md"
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
        old = shutil.copytree(root, tmp_path / "old", ignore=shutil.ignore_patterns("index.sqlite*"))
        if reworded:
            text = log.read_text(encoding="utf-8")
            log.write_text(text.replace("Likes marzipan best. ^", "Loves almonds. ^"), encoding="utf-8")
        if by == "fleet forget":
            memory.fleet_forget(ID)
        else:
            memory.forget(ID)
            memory.fleet_push()
        if by.endswith("dropped"):
            memory.fleet_drop()
    with Memory(str(old), today=TODAY) as memory:
        if by == "forget, then push":  # else nothing was pushed since the copy
            with pytest.raises(FleetUnusable, match="another folder pushed"):
                memory.fleet_push()
        memory.fleet_push(take_over=True)
        held = everything(made)
        assert "kayak" in held
        assert ID not in held
        assert ("arzipan" in held) == reworded  # the plain line of another day has words that nobody forgot
    assert_whole(server, made.database, made.roles.reads)


def test_a_second_machine_without_our_state_does_not_bring_it_back(
    server: FleetServer, workspace: Write, tmp_path: Path
) -> None:
    root, made = workspace(LOGS), team(server)
    clone = shutil.copytree(root, tmp_path / "clone")
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
        memory.fleet_forget(ID)
    with made.member(clone, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push(take_over=True)
        assert memory.recall("walrus", scope="fleet").hits
    assert "arzipan" not in everything(made)
    with Memory(str(root), today=TODAY) as memory:  # and the other way round, while the clone pushed last
        fact = next(hit for hit in memory.recall("kayak").hits if "Owns" in hit.line.content)
        assert memory.fleet_forget(fact.id).struck == 1
    assert "kayak" not in everything(made)


def test_a_line_above_shared_ones_keeps_its_place_without_words(server: FleetServer, workspace: Write) -> None:
    root, made = workspace(LOGS), team(server)
    old = root.with_name("old")
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
        shutil.copytree(root, old, ignore=shutil.ignore_patterns("index.sqlite*"))
        fact = next(hit for hit in memory.recall("kayak").hits if "Owns" in hit.line.content)
        memory.fleet_forget(fact.id)
    with Memory(str(old), today=TODAY) as memory:
        memory.fleet_push(take_over=True)
        (hit,) = memory.recall("shed", scope="fleet").hits
    assert "[withheld]" in hit.line.context
    assert "kayak" not in everything(made)


def test_without_the_server_it_is_forgotten_here_and_the_tombstone_waits(
    server: FleetServer, workspace: Write, cli: Cli
) -> None:
    root, made = workspace(LOGS), team(server)
    made.member(root, "alpha", share=EVERYTHING, today=TODAY).close()
    with Memory(str(root), today=TODAY) as memory:
        memory.fleet_push()
    with server.as_role("postgres") as db:
        db.execute(f"alter database {made.database} allow_connections false".encode())
        done = cli("fleet", "forget", ID)
        assert done.status == 0
        assert "the fleet was not told: cannot connect" in done.out
        assert "goes with the next push" in done.out
        assert "marzipan best. ^k7f3qa" not in (root / "memory/2025-11-01.md").read_text(encoding="utf-8")
        db.execute(f"alter database {made.database} allow_connections true".encode())
    assert "arzipan" in everything(made)
    assert cli("fleet", "push", "--json").json["struck"] == 2
    assert "arzipan" not in everything(made)


def test_plain_forget_never_connects_and_leaves_a_tombstone_where_there_is_a_fleet(
    server: FleetServer, workspace: Write, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, made = workspace(LOGS), team(server)
    made.member(root, "alpha", today=TODAY).close()
    with monkeypatch.context() as patch:
        patch.setenv("PGCONNECT_TIMEOUT", "not a number")  # whoever connects fails
        done = cli("forget", ID)
    assert done.status == 0
    assert "commonplace fleet push" in done.out
    notes = [*(root / ".memory/keep/fleet/forgotten").glob("*.json")]
    assert len(notes) == 1
    assert "marzipan" not in notes[0].read_text(encoding="utf-8")


def test_without_a_fleet_forget_leaves_nothing(workspace: Write, cli: Cli) -> None:
    root = workspace(LOGS)
    assert cli("forget", ID).status == 0
    assert not (root / ".memory/keep/fleet").exists()
    assert cli("fleet", "forget", "another").status == 2


def test_a_fact_that_is_not_there_leaves_no_tombstone(server: FleetServer, workspace: Write) -> None:
    root, made = workspace(LOGS), team(server)
    with made.member(root, "alpha", today=TODAY) as memory:
        with pytest.raises(Exception, match="no fact"):
            memory.fleet_forget("nobody")
        assert not (root / ".memory/keep/fleet/forgotten").exists()


def test_forget_of_many_keeps_all_of_them_away(server: FleetServer, workspace: Write, tmp_path: Path) -> None:
    root, made = workspace(LOGS), team(server)
    with made.member(root, "alpha", today=TODAY) as memory:
        memory.fleet_push()
        old = shutil.copytree(root, tmp_path / "old", ignore=shutil.ignore_patterns("index.sqlite*"))
        memory.forget_all(entity="Zed", yes=True)
        assert memory.fleet_push().struck == 3
    with Memory(str(old), today=TODAY) as memory:
        memory.fleet_push(take_over=True)
    assert not [each for each in ("kayak", "arzipan", "boat") if each in everything(made)]


def test_a_push_that_began_before_a_forget_is_refused_and_the_next_one_is_right(
    server: FleetServer, workspace: Write, tmp_path: Path
) -> None:
    root, made = workspace(LOGS), team(server)
    for number in range(200):
        (root / f"memory/2024-{number // 28 + 1:02}-{number % 28 + 1:02}.md").write_text(f"- Page {number}.\n", "utf-8")
    old = shutil.copytree(root, tmp_path / "old")
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
        with made.member(old, "alpha", share=EVERYTHING, today=TODAY) as other:

            def in_the_midst(done: int, of: int) -> None:
                if done == 1:
                    memory.fleet_forget(ID)

            with pytest.raises(FleetUnusable, match="forgotten in the midst"):
                other.fleet_push(take_over=True, progress=in_the_midst)
            other.fleet_push(take_over=True)
    assert "arzipan" not in everything(made)
    assert_whole(server, made.database, made.roles.reads)


def test_no_fleet_no_fleet_forget(workspace: Write) -> None:
    root = workspace(LOGS)
    with Memory(str(root)) as memory, pytest.raises(UsageError, match="no fleet is named"):
        memory.fleet_forget(ID)
    assert ID in (root / "memory/2025-11-01.md").read_text(encoding="utf-8")
