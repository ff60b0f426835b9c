"""Meaning in a fleet: vectors go with what is shared, and find what the workspace finds alone."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import pytest
from tests.fleets import EVERYTHING, TODAY, Team, team

from commonplace.core.recall.index_rows import RowRange
from commonplace.store.postgres.fleet_index import FleetIndex

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Write
    from tests.postgres_server import FleetServer

    from commonplace import Bundle, Memory

MEANING = '[semantic]\nembedder = "local"\n'
LOGS = {
    "commonplace.toml": MEANING,
    "MEMORY.md": "# Memory\n\n- The house has two floors.\n",
    "memory/2025-11-04.md": (
        "# 2025-11-04\n\n- The physician moved the appointment to Friday.\n- 鍵は赤い石の下にある。\n"
        "- The boat needs a new sail before spring.\n- Ingrid bought flour and salt at the market.\n"
        "- The neighbours paint their fence green.\n- Two lamps in the hall are broken.\n"
    ),
    "memory/2025-11-05.md": (
        "# 2025-11-05\n\n## Retain\n- W @Peter: Ordered three pallets of firewood for the stove. ^k7f3qa\n"
        "- The train to the coast was late again.\n"
    ),
}
ASKED = ("When do I see the doctor?", "heating", "where is the key?", "ships", "cooking", "public transport")


class Named:
    """A set of vectors by its name."""

    name = "m-32"

    def nearest(self, *_: Any, **__: Any) -> NoReturn:
        """A fleet asks its server instead."""
        raise AssertionError


def plain(found: Bundle) -> str:
    """An answer without the name of the workspace and its tokens; PostgreSQL adds up in another order than numpy."""
    text = re.sub(r"tokens=\d+", "", repr(found)).replace("alpha:", "")
    return re.sub(r"\d+\.\d{5,}", lambda number: f"{float(number[0]):.4f}", text)


def held(made: Team) -> list[tuple[int, ...]]:
    """The keys of the vectors in the fleet."""
    with made.server.as_role(made.roles.reads, made.database) as db:
        return db.execute("select key from fleet.vectors order by 1").fetchall()


@pytest.fixture
def alone(server: FleetServer, workspace: Write) -> Iterator[tuple[Team, Memory]]:
    """One workspace of a team, embedded and pushed."""
    made = team(server)
    with made.member(workspace(LOGS), "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.embed()
        memory.fleet_push()
        yield made, memory


def test_one_workspace_in_a_fleet_finds_by_meaning_what_it_finds_alone(alone: tuple[Team, Memory]) -> None:
    _, memory = alone
    for asked in ASKED:
        for given in ({}, {"since": "2025-11-05"}, {"as_of": "2025-11-04"}, {"k": 3}):
            here = memory.recall(asked, budget=50_000, **given)
            assert plain(memory.recall(asked, budget=50_000, scope="fleet", **given)) == plain(here)
    first = memory.recall(ASKED[0], scope="fleet").hits[0]
    assert any(reason.startswith('meaning: close to "') for reason in first.why)


def test_what_is_embedded_after_a_push_goes_with_the_next_and_once(server: FleetServer, workspace: Write) -> None:
    made = team(server)
    with made.member(workspace(LOGS), "alpha", share=EVERYTHING, today=TODAY) as memory:
        assert memory.fleet_push().vectors == 0
        embedded = memory.embed().passages
        again = memory.fleet_push()
        assert (again.sent, again.vectors) == (0, embedded) and len(held(made)) == embedded
        assert memory.fleet_push().vectors == 0


def test_vectors_go_again_after_somebody_dropped_the_workspace(alone: tuple[Team, Memory], tmp_path: Path) -> None:
    made, memory = alone
    vectors = held(made)
    (tmp_path / "beta").mkdir()
    with made.member(tmp_path / "beta", "beta", today=TODAY) as other:
        other.fleet_drop("alpha")
    assert held(made) == []
    memory.fleet_push()
    assert held(made) == vectors


def test_meaning_turned_on_later_is_pushed_whole(server: FleetServer, workspace: Write) -> None:
    root, made = workspace(LOGS | {"commonplace.toml": ""}), team(server)
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        assert memory.fleet_push().vectors == 0 and held(made) == []
    (root / "commonplace.toml").write_text((root / "commonplace.toml").read_text() + MEANING)
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.embed()
        assert memory.fleet_push().vectors == len(held(made)) > 0
        assert plain(memory.recall(ASKED[0], budget=50_000, scope="fleet")) == plain(
            memory.recall(ASKED[0], budget=50_000)
        )


def test_a_vector_goes_with_the_last_line_that_says_it(server: FleetServer, workspace: Write, tmp_path: Path) -> None:
    made = team(server)
    said = "## Retain\n- W @Peter: Ordered three pallets of firewood. ^k7f3qa\n"
    for name in ("alpha", "beta"):
        root = tmp_path / name
        (root / "memory").mkdir(parents=True)
        (root / "commonplace.toml").write_text(MEANING)
        (root / "memory/2025-11-05.md").write_text(said)
        with made.member(root, name, today=TODAY) as memory:
            memory.embed()
            memory.fleet_push()
    assert len(held(made)) == 1
    for name, left in (("alpha", 1), ("beta", 0)):
        with made.member(tmp_path / name, name, today=TODAY) as memory:
            memory.fleet_forget("k7f3qa")
        assert len(held(made)) == left


def test_no_vector_tells_of_what_is_not_shared(server: FleetServer, workspace: Write) -> None:
    """The turn before a line of a conversation, and a heading with a secret, are in the text that is embedded."""
    talk = "Ann: The safe is behind the picture of the harbour.\n\nBob: Thank you, I shall look there tonight.\n"
    logs = {
        "commonplace.toml": MEANING,
        "memory/2025-11-04.md": f"# 2025-11-04\n\n{talk}\n{talk.replace('harbour', 'mill')}",
        "memory/2025-11-05.md": "# The password is hunter2-Qx77-lamp\n\n- The boat needs a new sail before spring.\n",
    }
    made = team(server)
    with made.member(workspace(logs), "alpha", share=EVERYTHING, today=TODAY) as memory:
        everything = memory.embed().passages
        memory.fleet_push()
        assert len(held(made)) < everything
        found = memory.recall("boat", budget=50_000, scope="fleet").hits
        assert any("sail" in hit.line.content for hit in found)
        assert not any(
            reason.startswith("meaning") for hit in found for reason in hit.why if "sail" in hit.line.content
        )


def test_without_pgvector_words_answer(alone: tuple[Team, Memory]) -> None:
    made, memory = alone
    with made.server.as_role("postgres", made.database) as db:
        db.execute("drop table fleet.vectors cascade")
    assert memory.recall("firewood", scope="fleet").hits
    memory.retain("@Zed: Sold the blue boat.", kind="world")
    memory.embed()
    assert memory.fleet_push().vectors == 0
    assert memory.recall("blue boat", scope="fleet").hits


def test_a_tenant_with_many_vectors_has_a_graph_of_its_own(server: FleetServer) -> None:
    """It finds what is found row by row, also below a filter; its rows are nobody else's."""
    name = server.database()
    ours, theirs = server.tenant(name, "many"), server.tenant(name, "few")
    drawn = np.random.default_rng(3)
    vectors = drawn.standard_normal((1_500, 32)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    with server.as_role(ours[0], name) as db, db.cursor() as cursor:
        insert = "insert into fleet.vectors (model, key, embedding) values ('m-32', %s, %s::real[]::fleet.vector)"
        cursor.executemany(insert, [(key, each.tolist()) for key, each in enumerate(vectors)])
        cursor.executemany(
            "insert into fleet.passages (key, row) values (%s, %s)", [(key, (1 << 41) + key) for key in range(1_500)]
        )
        index = FleetIndex(db)

        asked = vectors[:20] + drawn.standard_normal((20, 32)).astype(np.float32) / 8

        def found(among: RowRange | None) -> list[set[int]]:
            near = partial(index.nearest_rows, Named(), most=10, among=among, rows=[1 << 41])
            return [set(index.reading(partial(near, query))[0]) for query in asked]

        ranges = (None, RowRange((1 << 41) + 100, (1 << 41) + 300))
        exact = [found(among) for among in ranges]
        assert db.execute("select fleet.index_vectors('m-32', 32, 1499)").fetchone() == (True,)
        assert db.execute("select fleet.index_vectors('m-32', 32, 1499)").fetchone() == (True,)
        walked = [found(among) for among in ranges]
    pairs = [pair for before, after in zip(exact, walked, strict=True) for pair in zip(before, after, strict=True)]
    assert sum(len(one & other) for one, other in pairs) / len(pairs) > 9.5
    for role in theirs:
        with server.as_role(role, name) as db:
            assert db.execute("select count(*) from fleet.vectors").fetchone() == (0,)
            assert db.execute("select count(*) from fleet.passages").fetchone() == (0,)
