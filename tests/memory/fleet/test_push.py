"""What is shared, and what is not; a push that dies goes on where it was."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.fleets import EVERYTHING, TODAY, copied, everything, stored, team

from commonplace import Memory
from commonplace.errors import FleetUnusable, UsageError
from commonplace.store.postgres.fleet_writer import FleetWriter

if TYPE_CHECKING:
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


def test_a_fact_above_a_shared_one_is_text_and_a_name_within_a_word_is_none(
    server: FleetServer, workspace: Write
) -> None:
    logs = {
        "memory/2025-11-01.md": "## Retain\n- O(c=0.9) @Olga: Dislikes planned tides.\n  - W @Olga: Needed a boat.\n",
        "bank/entities/Olga.md": "---\naliases: [Ann, Needed]\n---\n# Olga\n",
    }
    made = team(server)
    with made.member(workspace(logs), "alpha") as memory:
        toml = Path(memory.root, "commonplace.toml")
        toml.write_text(toml.read_text().replace("[fleet]", '[fleet]\nkinds = ["world"]'))
    with Memory(memory.root) as memory:
        memory.fleet_push()
    assert len(stored(made)["facts"]) == 1 and not any("ann" in row.split(",") for row in stored(made)["aliases"])


@pytest.mark.parametrize(
    "told", ["---\nshare: false\n...", "\n---\nshare: 0\n---", '---\n"share": no # mine', "share: off"]
)
def test_what_says_that_it_is_not_shared_is_not_however_it_is_fenced(
    server: FleetServer, workspace: Write, told: str
) -> None:
    logs = {"memory/2025-11-01.md": f"{told}\n## Retain\n- W @Olga: Needed a boat.\n"}
    made = team(server)
    with made.member(workspace(logs), "alpha") as memory:
        assert memory.fleet_push().sent == 0


def test_what_is_shared_no_more_goes_with_the_next_push(server: FleetServer, workspace: Write) -> None:
    root = workspace(LOGS)
    made = team(server)
    with made.member(root, "alpha", today=TODAY) as memory:
        memory.fleet_push()
        assert memory.recall("kayak", scope="fleet").hits
        log = root / "memory/2025-11-01.md"
        log.write_text("---\nshare: false\n---\n" + log.read_text(encoding="utf-8"), encoding="utf-8")
        assert memory.fleet_push().sent == 0
        assert not memory.recall("kayak", scope="fleet").hits
        assert memory.recall("boat", scope="fleet").hits
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
        from commonplace.memory.fleet.fleet_access import server_of

        allow_server(server_of(memory.settings.fleet.url), "", os.environ)
        for ask in (memory.fleet_push, lambda: memory.recall("kayak", scope="fleet")):
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
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    whole = time.monotonic() - began
    killed = 0
    for attempt in range(12):
        with Memory(str(root), today=TODAY) as memory:
            if memory.fleet_status().waits == 0:
                memory.fleet_drop()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            time.sleep(whole * (0.2 + 0.05 * attempt))
            running.send_signal(signal.SIGKILL)
            died = running.wait() == -signal.SIGKILL
        killed += died
        whole *= 1 if died else 0.7  # the machine was busier during the first push
        assert_whole(server, made.database, made.roles.reads)
    assert killed > 4
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
            "select count(*) from (select tenant, unnest(rows) as row from fleet.postings) p"
            " left join fleet.lines l using (tenant, row) where l.row is null",
            "select count(*) from fleet.lines l left join fleet.files f using (tenant, file) where f.file is null",
            "select count(*) from fleet.frequency f where n <>"
            " (select sum(n) from fleet.postings p where p.term = f.term)",
            "select coalesce(sum(lines), 0) - (select count(*) from fleet.lines) from fleet.workspaces",
            "select coalesce(sum(documents), 0) - (select count(*) from fleet.blocks) from fleet.workspaces",
        ):
            assert db.execute(sql.encode()).fetchall() == [(0,)], sql


SECRETS = """
=== memory/2025-11-05.md
# The password is kX9#mQ2$vL7
| user | password |
|---|---|
| zed | Tr0ub4dor&3xyz |
## Retain
- W @Password: Tr0ub4dor&3xyz
- W @wifi-password: hunter2-Harbour-77
- W @ghp_0123456789abcdefghijklmnopqrstuvABCD: Is a person.
- W @Zed: Said hello. <!-- cp: src=web:ghp_0123456789abcdefghijklmnopqrstuvABCE -->
- W @Zed: Owns a kayak.
=== bank/entities/Zed.md
---
aliases: [Crooked Zed]
---
# Zed
- A page about Zed.
## Private
# Debts of Zed
"""
LEAKS = ("Tr0ub4dor", "hunter2", "ghp_", "kX9#", "Crooked", "Debts")


@pytest.mark.parametrize("share", [("retained",), ("retained", "lines")])
def test_no_column_of_any_table_has_a_secret_or_what_is_private(
    server: FleetServer, workspace: Write, share: tuple[str, ...]
) -> None:
    made = team(server)
    with made.member(workspace(SECRETS), "alpha", share=share, today=TODAY) as memory:
        report = memory.fleet_push()
        assert report.withheld >= 4
        assert memory.recall("kayak", scope="fleet").hits
    held = everything(made)
    leaks = [each for each in LEAKS if each in held]
    assert leaks == (["Crooked", "Debts"] if "lines" in share else [])


@pytest.mark.parametrize("heading", ["## Private", "## **Private**", "## private:", "##### Private"])
def test_nothing_below_a_private_heading_is_shared_however_deep(
    server: FleetServer, workspace: Write, heading: str
) -> None:
    deep = "".join(f"{'  ' * level}- level {level}\n" for level in range(16))
    text = f"{heading}\n- W @Zed: Has a bad knee.\n{deep}{'  ' * 16}- W @Zed: Is very deep.\n"
    root = workspace({"memory/2025-11-01.md": text + "## Retain\n- W @Zed: Owns a kayak.\n"})
    made = team(server)
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
    held = everything(made)
    assert "kayak" in held
    assert not [each for each in ("knee", "level", "deep", "rivate") if each in held]


def test_what_became_private_goes_although_the_push_that_removes_it_failed_once(
    server: FleetServer, workspace: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    from commonplace.store.postgres.fleet_writer import FleetWriter

    root = workspace(LOGS)
    made = team(server)
    with made.member(root, "alpha", today=TODAY) as memory:
        memory.fleet_push()
        log = root / "memory/2025-11-01.md"
        log.write_text('---\nshare : "false"\n---\n' + log.read_text(encoding="utf-8"), encoding="utf-8")
        with monkeypatch.context() as patch:

            def fails(*_: object, **__: object) -> None:
                raise FleetUnusable("the cable was cut")

            patch.setattr(FleetWriter, "write", fails)
            with pytest.raises(FleetUnusable):
                memory.fleet_push()
        assert memory.fleet_push().removed == 1
    assert "kayak" not in everything(made)


@pytest.mark.parametrize(
    "url",
    [
        *("service=team host=evil.example", "postgresql://u@localhost/db?hostaddr=10.0.0.1", "postgresql://u@other/db"),
        *("postgresql://u@localhost:5433/db", "postgresql://u@localhost/db?host=evil.example"),
    ],
)
def test_no_address_slips_past_what_this_user_allowed(
    workspace: Write, url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from commonplace.config.allowed_servers import allow_server
    from commonplace.memory.fleet.fleet_access import server_of

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "mine"))
    allow_server(server_of("postgresql://u@localhost/db"), "", os.environ)
    root = workspace(LOGS)
    (root / "commonplace.toml").write_text(f'[fleet]\nurl = "{url}"\nname = "alpha"\n', encoding="utf-8")
    with Memory(str(root)) as memory:
        for verb in (memory.fleet_push, lambda: memory.recall("kayak", scope="fleet"), memory.fleet_drop):
            with pytest.raises(UsageError, match="you have not allowed"):
                verb()
        assert "you have not allowed" in memory.fleet_status().problem


def test_an_option_in_an_address_is_refused(workspace: Write) -> None:
    with Memory(str(workspace(LOGS))) as memory, pytest.raises(UsageError, match="the address sets options"):
        memory.fleet_on(url="postgresql://u@localhost/db?options=-csearch_path%3Devil", name="alpha")


def test_an_index_that_is_made_anew_is_pushed_over_what_it_was(server: FleetServer, workspace: Write) -> None:
    root = workspace(LOGS)
    made = team(server)
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        for number in range(60):
            page = root / f"bank/page-{number:02}.md"
            page.parent.mkdir(exist_ok=True)
            page.write_text(f"# Page {number}\n- It is page {number}.\n", encoding="utf-8")
        memory.fleet_push()
        (root / "bank/page-00.md").write_text("# Page 0\n- It is longer.\n- By a line.\n", encoding="utf-8")
        (root / "bank/a-new-page.md").write_text("# New\n- It is new.\n", encoding="utf-8")
        memory.index(rebuild=True)
        memory.fleet_push()
        assert memory.fleet_push().sent == 0
        found = stored(made)
        memory.fleet_drop()
        memory.fleet_push()
        assert stored(made) == found
    assert_whole(server, made.database, made.roles.reads)


def test_what_the_fleet_has_is_asked_unless_it_is_as_this_folder_left_it(
    server: FleetServer, workspace: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, digests = [], FleetWriter.digests

    def told(writer: FleetWriter) -> dict[str, str]:
        asked.append(writer)
        return digests(writer)

    monkeypatch.setattr(FleetWriter, "digests", told)
    made = team(server)
    root = workspace("=== memory/2025-11-27.md\n## Retain\n- W @Ida: Rows.\n=== memory/2025-11-26.md\nIda rested.\n")
    with made.member(root, "alpha") as memory:
        memory.fleet_push()
        (root / "memory/2025-11-28.md").write_text("## Retain\n- W @Ida: Paints.\n", encoding="utf-8")
        report = memory.fleet_push()
        assert (report.sent, report.removed, len(asked)) == (1, 0, 0)
        other = root.with_name("other")
        shutil.copytree(root, other)
        (root / "memory/2025-11-28.md").unlink()
        (root / "memory/2025-11-26.md").write_text("Ida rested again.\n", encoding="utf-8")
        report = memory.fleet_push()
        assert (report.sent, report.removed, len(asked)) == (0, 1, 0)
    with Memory(str(other)) as copy:  # an older copy: what it noted is not what is there
        (other / "memory/2025-11-27.md").write_text("## Retain\n- W @Ida: Sails.\n", encoding="utf-8")
        report = copy.fleet_push(take_over=True)
        assert (report.sent, report.removed, len(asked)) == (2, 0, 1)
        found = copy.recall("Ida", scope="fleet").hits
    assert {hit.line.content for hit in found} == {"Paints.", "Sails."}


def test_the_role_that_reads_is_told_that_it_cannot_push(server: FleetServer, workspace: Write) -> None:
    made = team(server)
    with Memory(str(workspace(LOGS)), today=TODAY) as memory:
        memory.fleet_on(url=server.url(made.roles.reads, made.database), name="alpha")
        with pytest.raises(FleetUnusable, match="this role may not do that"):
            memory.fleet_push()
        assert memory.recall("kayak", scope="fleet").status == "empty"


def test_the_name_is_kept_and_a_second_push_at_the_same_time_waits(server: FleetServer, workspace: Write) -> None:
    root = workspace(LOGS)
    made = team(server)
    made.member(root, "alpha", share=EVERYTHING).close()
    with Memory(str(root)) as memory:
        assert memory.fleet_on(url=made.url()).name == "alpha"
    command = [sys.executable, "-m", "commonplace", "--workspace", str(root), "fleet", "push"]
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(3)]
    assert [(each.communicate()[1], each.returncode) for each in running] == [(b"", 0)] * 3
    with Memory(str(root)) as memory:
        assert memory.fleet_status().workspaces == ("alpha",)
        assert not memory.fleet_status().problem
        assert memory.fleet_push().sent == 0


def test_a_dry_run_counts_what_the_push_then_sends(server: FleetServer, workspace: Write) -> None:
    made = team(server)
    with made.member(workspace(LOGS), "alpha", today=TODAY) as memory:
        wanted = memory.fleet_push(dry_run=True)
        assert not stored(made)["lines"]
        assert memory.fleet_push()._replace(dry_run=True, lines=wanted.lines) == wanted
        with server.as_role(made.roles.reads, made.database) as db:
            there = [text for (text,) in db.execute("select text from fleet.lines order by row")]
        assert sorted(line.partition(" ")[2] for line in wanted.lines) == sorted(there)
        assert "memory/2025-11-01.md#L3 Owns a kayak." in wanted.lines


_NAMES = ("Quorra", "Tamsin", "Orrin")
_SAID = (
    "- Met {name} at the mill.",
    "- {name} said that the pump works.",
    "- W @{name}: Owns a barge.",
    "- Fed the geese.",
    "- [[{name}]] waits.",
)
_NAMED = ("memory/2025-11-01.md", "shared", [(_SAID[0], "Quorra")])
"""A line with a name that is known only if another line says more of it."""
_EDITS = st.lists(
    st.tuples(
        st.sampled_from(("memory/2025-11-01.md", "memory/2025-11-02.md", "notes/2025-11-03.md", "bank/entities/q.md")),
        st.sampled_from(("shared", "Private")),
        st.lists(st.tuples(st.sampled_from(_SAID), st.sampled_from(_NAMES)), max_size=4),
    ),
    min_size=2,
    max_size=7,
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=_EDITS)
@example(edits=[_NAMED, ("memory/2025-11-02.md", "Private", [(_SAID[2], "Quorra")])])
@example(edits=[_NAMED, ("memory/2025-11-02.md", "Private", [(_SAID[2], "Quorra")]), ("memory/2025-11-02.md", "x", [])])
@example(edits=[("memory/2025-11-01.md", "shared", [(_SAID[2], "Quorra")]), ("memory/2025-11-01.md", "shared", [])])
def test_a_push_after_others_leaves_what_a_push_from_nothing_leaves(
    server: FleetServer, tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[str, str, list[tuple[str, str]]]]
) -> None:
    made, root = team(server), tmp_path_factory.mktemp("alpha")
    (root / "memory").mkdir()
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        for path, heading, lines in edits:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            text = "\n".join(said.format(name=name) for said, name in lines)
            (root / path).write_text(f"## {heading}\n{text}\n", encoding="utf-8")
            memory.fleet_push()
        pushed = stored(made)
        memory.fleet_drop()
        assert not any(stored(made).values())
        memory.fleet_push()
        assert stored(made) == pushed
