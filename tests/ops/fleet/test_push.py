"""What is shared, and what is not; a push that dies goes on where it was."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from tests.fleets import EVERYTHING, team
from tests.store.postgres.test_fleet_law import TODAY, copied, stored

from commonplace import Memory
from commonplace.errors import FleetUnusable, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Write
    from tests.postgres_server import FleetServer

LOGS = """
=== memory/2025-11-01.md
- A plain line about the walrus.
## Retain
- W @Zed: Owns a kayak.
- O(c=0.9) @Zed: Likes the harbour.
## Private
- W @Zed: Has a bad knee.
### Doctors
- W @Zed: Sees Dr. Holm on Fridays.
=== memory/team/2025-11-02.md
## Retain
- W @Zed: Sold the boat.
=== memory/2025-11-03.md
---
share: false
---
## Retain
- W @Zed: Is in debt.
=== memory/2025-11-04.md
## Retain
- W @Zed: Pays with a card.
- W @Zed: The token of the harbour API is ghp_0123456789abcdefghijklmnopqrstuvABCD.
"""


def contents(server: FleetServer, root: Path, **settings: object) -> set[str]:
    """The texts that a push with these settings has put into a new fleet."""
    made = team(server)
    lines = [f"{key} = {value!r}".replace("(", "[").replace(")", "]") for key, value in settings.items()]
    (root / "commonplace.toml").unlink(missing_ok=True)
    with made.member(root, "alpha", today=TODAY):
        pass
    with (root / "commonplace.toml").open("a", encoding="utf-8") as file:
        file.write("\n".join([*lines, ""]))
    with Memory(str(root), today=TODAY) as memory:
        memory.fleet_push()
    with server.as_role(made.roles.reads, made.database) as db:
        return {text for (text,) in db.execute("select text from fleet.lines")}


def test_by_default_retained_facts_are_shared_with_the_headings_above_them(
    server: FleetServer, workspace: Write
) -> None:
    shared = contents(server, workspace(LOGS))
    assert {"Owns a kayak.", "Likes the harbour.", "Sold the boat.", "Pays with a card.", "Retain"} <= shared
    assert not shared & {
        "A plain line about the walrus.",
        "Has a bad knee.",
        "Sees Dr. Holm on Fridays.",
        "Is in debt.",
    }


def test_a_line_with_a_secret_keeps_its_words_here(server: FleetServer, workspace: Write) -> None:
    shared = contents(server, workspace(LOGS))
    assert "[withheld]" in shared
    assert not any("ghp_" in text for text in shared)


def test_lines_kinds_folders_and_headings_are_chosen_by_the_settings(server: FleetServer, workspace: Write) -> None:
    root = workspace(LOGS)
    assert contents(server, root, kinds=("opinion",)) == {"Retain", "Likes the harbour."}
    assert contents(server, root, folders=("memory/team",)) == {"Retain", "Sold the boat."}
    assert "Has a bad knee." in contents(server, root, private=("Doctors",))
    assert "Sees Dr. Holm on Fridays." not in contents(server, root, private=("Doctors",))


def test_what_is_shared_no_more_goes_with_the_next_push(server: FleetServer, workspace: Write) -> None:
    root = workspace(LOGS)
    made = team(server)
    with made.member(root, "alpha", today=TODAY) as memory:
        memory.fleet_push()
        assert memory.fleet_recall("kayak").hits
        log = root / "memory/2025-11-01.md"
        log.write_text("---\nshare: false\n---\n" + log.read_text(encoding="utf-8"), encoding="utf-8")
        assert memory.fleet_push().sent == 0
        assert not memory.fleet_recall("kayak").hits
        assert memory.fleet_recall("boat").hits
        assert memory.fleet_push().same == 4


def test_nothing_is_pushed_until_it_is_asked_for_and_allowed_by_this_user(
    server: FleetServer, workspace: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    root = workspace(LOGS)
    with Memory(str(root)) as memory, pytest.raises(UsageError, match="no fleet is named"):
        memory.fleet_push()
    made = team(server)
    made.member(root, "alpha").close()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another"))
    with Memory(str(root)) as memory, pytest.raises(UsageError, match="you have not allowed"):
        memory.fleet_push()
    assert not any(stored(made).values())


@pytest.mark.parametrize("url", ["postgresql://me:pass@db.example.com/team", "host=db password=x dbname=team"])
def test_a_password_has_no_place_in_the_settings(workspace: Write, url: str) -> None:
    with Memory(str(workspace(LOGS))) as memory, pytest.raises(UsageError, match="a password in it"):
        memory.fleet_on(url=url, name="alpha")


def test_a_server_that_is_down_is_told_and_recall_here_goes_on(workspace: Write, server: FleetServer) -> None:
    root = workspace(LOGS)
    made = team(server)
    made.member(root, "alpha").close()
    text = (root / "commonplace.toml").read_text(encoding="utf-8").replace(made.database, "no_such_database")
    (root / "commonplace.toml").write_text(text, encoding="utf-8")
    with Memory(str(root), today=TODAY) as memory:
        from commonplace.config.allowed_servers import allow_server
        from commonplace.memory.fleet_verbs import server_of

        allow_server(server_of(memory.settings.fleet.url), "", os.environ)
        for ask in (memory.fleet_push, lambda: memory.fleet_recall("kayak")):
            with pytest.raises(FleetUnusable, match="cannot connect"):
                ask()
        assert "cannot connect" in memory.fleet_status().problem
        assert memory.recall("kayak").hits
        memory.retain("@Zed: Bought a bicycle.", kind="world")


def test_a_push_that_is_killed_leaves_whole_files_and_the_next_goes_on(server: FleetServer, tmp_path: Path) -> None:
    root = copied(tmp_path / "quill")
    made = team(server)
    made.member(root, "alpha", share=EVERYTHING, today=TODAY).close()
    command = [
        sys.executable,
        "-m",
        "commonplace",
        "--workspace",
        str(root),
        "--today",
        TODAY.isoformat(),
        "fleet",
        "push",
    ]
    killed = 0
    for attempt in range(12):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            time.sleep(0.25 + 0.06 * attempt)
            running.send_signal(signal.SIGKILL)
            killed += running.wait() == -signal.SIGKILL
        assert_whole(server, made.database, made.roles.reads)
    assert killed > 6
    with Memory(str(root), today=TODAY) as memory:
        memory.fleet_push()
        found = stored(made)
        shutil.rmtree(root / ".memory/keep/fleet")
        memory.fleet_drop()
        memory.fleet_push()
        assert stored(made) == found


def assert_whole(server: FleetServer, database: str, role: str) -> None:
    """Each line has its postings and is counted, and each file has its lines."""
    with server.as_role(role, database) as db:
        for sql in (
            "select count(*) from fleet.postings p left join fleet.lines l using (tenant, row) where l.row is null",
            "select count(*) from fleet.lines l left join fleet.files f using (tenant, file) where f.file is null",
            "select count(*) from fleet.frequency f where n <>"
            " (select count(*) from fleet.postings p where p.term = f.term)",
            "select coalesce(sum(lines), 0) - (select count(*) from fleet.lines) from fleet.workspaces",
            "select coalesce(sum(documents), 0) - (select count(*) from fleet.blocks) from fleet.workspaces",
        ):
            assert db.execute(sql.encode()).fetchall() == [(0,)], sql
