"""The law of a fleet: one that holds one workspace, everything shared, answers each question as the workspace does."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from tests.fleets import EVERYTHING, OF_OWNERS, OWNED, TODAY, Team, copied, owned, stored, team

from commonplace import Memory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tests.postgres_server import FleetServer

    from commonplace import Bundle

QUESTIONS = (
    *("Peter", "where was Peter in November?", "what does Peter prefer?", "warelay", "ERR_WS_1006", "the castle"),
    *("when do the backups at The Castle run?", "what did we decide about the release?", "who is allergic to walnuts?"),
    *(
        '"concise replies"',
        "deploy*",
        "src/socket.ts",
        "INV-2025-1043",
        "zeppelin",
        "Petr",
        "invoices paid in November",
    ),
    *(
        "王芳",
        "崩溃的原因",
        "週三把發票寄給會計師",
        "連絡はチャットよりメールを好む",
        "faktura betalt",
        "hvor bor Ingrid?",
    ),
    *(
        "लंबे संदेशों",
        "what happened last week?",
        "how does Peter feel about meetings?",
        "26 November 2025",
        "Andy's birthday",
    ),
    *(
        "what is true of the spare key, and who has it?",
        "Alice",
        "has anybody met ERR_WS_1006?",
        "上",
        "a",
        "yesterday",
    ),
    *(
        "never send Peter",
        "What is running on the server?",
        "which branch did I test?",
        "opinions about Signal",
        "2025-11-17",
    ),
    *("which cities was Peter in?", "which countries?", "what kinds of document were paid?"),
)
FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"kinds": ("opinion",)},
    {"as_of": "2025-11-18"},
    {"since": "2025-11-10", "until": "2025-11-25"},
    {"entities": ("Peter",)},
    {"k": 40, "budget": 6_000},
    {"entities": ("Peter", "Nobodyknown"), "as_of": "2025-11-25"},
    {"kinds": ("world", "opinion"), "since": "2025-11-10", "k": 40},
)


def plain(found: Bundle) -> str:
    """An answer without the name of the workspace, and without the tokens that it costs."""
    return re.sub(r"tokens=\d+", "", repr(found)).replace("alpha:", "")


def differing(memory: Memory, questions: Sequence[str] = QUESTIONS) -> list[tuple[str, dict[str, Any]]]:
    return [
        (question, given)
        for question in questions
        for given in FILTERS
        if plain(memory.recall(question, **{"budget": 50_000, **given}))
        != plain(memory.recall(question, **{"budget": 50_000, **given}, scope="fleet"))
    ]


@pytest.fixture(scope="module")
def alone(server: FleetServer, tmp_path_factory: pytest.TempPathFactory) -> tuple[Team, Path]:
    made = team(server)
    root = copied(tmp_path_factory.mktemp("alone") / "quill")
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        assert memory.fleet_push().withheld == 0
    return made, root


def test_one_workspace_in_a_fleet_answers_as_it_does_alone(alone: tuple[Team, Path]) -> None:
    _, root = alone
    with Memory(str(root), today=TODAY) as memory:
        assert memory.recall("Peter", scope="fleet").hits
        assert differing(memory) == []


def test_questions_about_its_owner_and_agent_are_answered_as_alone(server: FleetServer, tmp_path: Path) -> None:
    made = team(server)
    with made.member(owned(tmp_path), "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
        assert len(memory.recall("what does Rolf Berg prefer?").hits) > 2
        assert differing(memory, OF_OWNERS) == []


def test_one_who_asks_of_themselves_is_the_owner_of_the_folder_in_which_they_ask(
    server: FleetServer, tmp_path: Path
) -> None:
    made = team(server)
    other = {path: text.replace("Rolf", "Ida").replace("Vejle", "Odense") for path, text in OWNED.items()}
    for name, texts in (("alpha", OWNED), ("beta", other)):
        with made.member(owned(tmp_path / name, **texts), name, share=EVERYTHING, today=TODAY) as memory:
            memory.fleet_push()
    for name, lives in (("alpha", "Vejle"), ("beta", "Odense")):
        with Memory(str(tmp_path / name), today=TODAY) as memory:
            (first, *_) = memory.recall("where do I live?", scope="fleet").hits
        assert lives in first.line.content
        assert str(first.line.source).startswith(f"{name}:USER.md")


def test_after_edits_what_was_pushed_piece_by_piece_is_what_a_push_from_nothing_makes(
    server: FleetServer, tmp_path: Path
) -> None:
    made = team(server)
    root = copied(tmp_path / "quill")
    memory = made.member(root, "alpha", share=EVERYTHING, today=TODAY)
    memory.fleet_push()
    edits: tuple[Callable[[], object], ...] = (
        lambda: memory.retain("@Zed: Sold the blue boat.", kind="world"),
        (root / "memory/2025-11-17.md").unlink,
        lambda: (root / "bank/notes.md").write_text("# Notes\n- The zebra lives in Odense.\n", encoding="utf-8"),
        lambda: (root / "MEMORY.md").write_text("# Core\n- Peter likes short answers.\n", encoding="utf-8"),
    )
    for edit in edits:
        edit()
        report = memory.fleet_push()
        assert report.sent + report.removed == 1
        assert memory.fleet_push().sent == 0
    assert differing(memory) == []
    before = stored(made)
    memory.fleet_drop()
    assert not any(stored(made).values())
    memory.fleet_push()
    assert stored(made) == before
    memory.close()


def test_two_workspaces_of_a_team_keep_their_beliefs_apart(server: FleetServer, tmp_path: Path) -> None:
    made = team(server)
    log = "## Retain\n- W @Peter: Lives in {}.\n- O(c=0.9) @Peter: Likes {}.\n"
    for name, day, city, drink in (
        ("alpha", "2025-11-01", "Vienna", "tea"),
        ("beta", "2025-11-20", "Odense", "coffee"),
    ):
        (tmp_path / name / "memory").mkdir(parents=True)
        (tmp_path / name / f"memory/{day}.md").write_text(log.format(city, drink), encoding="utf-8")
        with made.member(tmp_path / name, name, today=TODAY) as memory:
            memory.fleet_push()
    with Memory(str(tmp_path / "alpha"), today=TODAY) as memory:
        found = {str(hit.line.source): hit for hit in memory.recall("where does Peter live?", scope="fleet").hits}
    assert {"alpha:memory/2025-11-01.md#L2", "beta:memory/2025-11-20.md#L2"} <= found.keys()
    assert all(hit.superseded_by is None for hit in found.values())
    assert found["beta:memory/2025-11-20.md#L2"].line.trailer.outsider == "fleet:beta"
    assert not found["alpha:memory/2025-11-01.md#L2"].line.trailer.outsider


def test_what_outdates_a_line_is_found_however_much_others_say_of_it(server: FleetServer, tmp_path: Path) -> None:
    made = team(server)
    logs = {
        "alpha": {
            "03": "- The port of the kayak relay is 8080\n",
            "05": "- Kayak relay port changed from 8080 to 8443.\n",
        },
        "beta": {
            f"{day:02}": f"- The port of the kayak relay of pier {day} changed, too.\n" * 5
            + "".join(f"- Ida swept stall {day * 40 + each}.\n" for each in range(40))
            for day in range(6, 30)
        },
    }
    for name, days in logs.items():
        (tmp_path / name / "memory").mkdir(parents=True)
        for day, text in days.items():
            (tmp_path / name / f"memory/2025-11-{day}.md").write_text(text, encoding="utf-8")
        with made.member(tmp_path / name, name, share=EVERYTHING, today=TODAY) as memory:
            memory.fleet_push()
    with Memory(str(tmp_path / "alpha"), today=TODAY) as memory:
        here = {str(hit.line.source): hit for hit in memory.recall("kayak relay port 8080").hits}
        hits = {str(hit.line.source): hit for hit in memory.recall("kayak relay port 8080", k=30, scope="fleet").hits}
    assert str(here["memory/2025-11-03.md#L1"].outdated_by) == "memory/2025-11-05.md#L1"
    assert str(hits["alpha:memory/2025-11-03.md#L1"].outdated_by) == "alpha:memory/2025-11-05.md#L1"


def test_two_workspaces_with_the_same_file_have_it_twice(server: FleetServer, tmp_path: Path) -> None:
    made = team(server)
    for name in ("alpha", "beta"):
        (tmp_path / name / "memory").mkdir(parents=True)
        text = (
            "## Retain\n- W @Zed: Owns a kayak. ^kayak1\n- W @Zed: Owns two kayaks. <!-- cp: supersedes=^kayak1 -->\n"
        )
        (tmp_path / name / "memory/2025-11-01.md").write_text(
            text if name == "alpha" else text.partition("- W @Zed: Owns two")[0]
        )
        with made.member(tmp_path / name, name, today=TODAY) as memory:
            memory.fleet_push()
    with Memory(str(tmp_path / "beta"), today=TODAY) as memory:
        hits = memory.recall("Zed kayak", scope="fleet").hits
    places = {str(place) for hit in hits for place in hit.places}
    assert {"alpha:memory/2025-11-01.md#L2", "beta:memory/2025-11-01.md#L2"} <= places
    ours = next(hit for hit in hits if str(hit.line.source).startswith("beta:"))
    assert ours.superseded_by is None


def test_a_copied_folder_is_refused_until_it_takes_over(server: FleetServer, tmp_path: Path) -> None:
    from commonplace.errors import FleetUnusable

    made = team(server)
    (tmp_path / "one/memory").mkdir(parents=True)
    (tmp_path / "one/memory/2025-11-01.md").write_text("## Retain\n- W @Zed: Owns a kayak.\n", encoding="utf-8")
    with made.member(tmp_path / "one", "alpha", today=TODAY) as memory:
        memory.fleet_push()
        shutil.copytree(tmp_path / "one", tmp_path / "two")
        memory.retain("@Zed: Sold it.", kind="world")
        memory.fleet_push()
    with Memory(str(tmp_path / "two"), today=TODAY) as copy:
        with pytest.raises(FleetUnusable, match="another folder pushed alpha last"):
            copy.fleet_push()
        assert copy.fleet_push(take_over=True).sent + 1
    with Memory(str(tmp_path / "one"), today=TODAY) as memory, pytest.raises(FleetUnusable):
        memory.fleet_push()
