"""How often a recall waits for the server: over a slow network each time costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.fleets import EVERYTHING, TODAY, copied, team

from commonplace.core.model import Query
from commonplace.ops.recall.recall import recall
from commonplace.store.postgres.fleet_admin import require_member
from commonplace.store.postgres.fleet_index import FleetIndex
from commonplace.store.postgres.line_reading import KEPT
from commonplace.store.postgres.patient_connection import PatientConnection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.postgres_server import FleetServer

MOST = 12
"""Round trips of a question; what lists the days of a month, or tells of two things, may wait some times more."""


@pytest.fixture(scope="module")
def index(server: FleetServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FleetIndex]:
    made = team(server)
    root = copied(tmp_path_factory.mktemp("far") / "quill")
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
    with server.as_role(made.roles.reads, made.database) as db:
        yield FleetIndex(db)


@pytest.mark.parametrize(
    "question", ["Peter", "ERR_WS_1006", "what does Peter prefer?", "when do the backups run?", "崩溃的原因"]
)
def test_a_recall_waits_a_few_times(index: FleetIndex, question: str) -> None:
    before = index.round_trips
    assert index.reading(lambda: recall(index, Query(question), today=TODAY)).hits
    assert index.round_trips - before <= MOST


def test_a_snapshot_begins_with_the_first_question_and_asks_nothing_twice(index: FleetIndex) -> None:
    def ask() -> None:
        index.foresee(lambda: (index.frequencies(["peter"]), index.rows_of(["peter"])))
        assert index.frequencies(["peter"]) == index.frequencies(["peter"])
        assert index.rows_of(["peter"])
        index.lines(rows := index.rows_of(["peter"])[:5])
        index.neighbours(rows)
        index.ancestors(rows)
        index.said_by_others(rows)

    before = index.round_trips
    index.reading(ask)
    assert index.round_trips - before == len(("what was foreseen", "lines", "the end"))


def test_a_plan_that_somebody_left_under_our_name_is_not_run(server: FleetServer, index: FleetIndex) -> None:
    """A pool lends the same connection of the server to others of our role."""
    answer = index.reading(lambda: recall(index, Query("Peter"), today=TODAY))
    fleet = index._fleet  # as a pool would
    fleet.execute("deallocate all")
    for kept in KEPT.values():
        head, _, _ = kept.making.partition(" as ")
        fleet.execute(f"{head} as select null::json, 0, 0, 0, ''".encode())
    assert index.reading(lambda: recall(index, Query("Peter"), today=TODAY)) == answer
    fleet.execute("deallocate all")
    assert index.reading(lambda: recall(index, Query("Peter"), today=TODAY)) == answer


def test_nothing_asked_nothing_begun(index: FleetIndex) -> None:
    before = index.round_trips
    index.reading(lambda: None)
    assert index.round_trips == before


def test_a_verb_learns_with_one_wait_whether_it_may_ask(server: FleetServer, monkeypatch: pytest.MonkeyPatch) -> None:
    made, waited, wait = team(server), [], PatientConnection.wait

    def counted(db: PatientConnection, waits: Any, *args: Any, **named: Any) -> Any:
        waited.append(waits)
        return wait(db, waits, *args, **named)

    with server.as_role(made.roles.reads, made.database) as db:
        monkeypatch.setattr(PatientConnection, "wait", counted)
        require_member(db)
        monkeypatch.undo()
    assert len(waited) == 1
