"""How often a recall waits for the server: over a slow network each time costs."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.pq import TransactionStatus
from tests.fleets import EVERYTHING, OF_OWNERS, OWNED, TODAY, copied, owned, team

from commonplace.core.model import Query, Span
from commonplace.errors import FleetUnusable
from commonplace.ops.beliefs.supersession import outcomes
from commonplace.ops.recall.recall import recall
from commonplace.store.postgres import fleet_statements
from commonplace.store.postgres.dialect import KeptPlan
from commonplace.store.postgres.fleet_admin import require_member
from commonplace.store.postgres.fleet_index import FleetIndex
from commonplace.store.postgres.fleet_text import FleetText
from commonplace.store.postgres.line_reading import KEPT
from commonplace.store.postgres.patient_connection import PatientConnection
from commonplace.store.sqlite.index_schema import ALL_WRITTEN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tests.postgres_server import FleetServer

    from commonplace.core.model import Bundle

MOST = 9
"""Round trips of a question; what lists the days of a month, or tells of two things, may wait some times more."""
MOST_OF_A_PUSH = 8
"""Waits of a push of one file, once it is connected."""
MOST_STATEMENTS = 12
"""Statements of it, with those that begin and end the transaction, where the server has the plans."""


@pytest.fixture(scope="module")
def index(server: FleetServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FleetIndex]:
    made = team(server)
    root = copied(tmp_path_factory.mktemp("far") / "quill")
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
    with server.as_role(made.roles.reads, made.database) as db:
        yield FleetIndex(db)


@pytest.mark.parametrize(
    "question",
    [
        "Peter",
        "ERR_WS_1006",
        "what does Peter prefer?",
        "when do the backups run?",
        "崩溃的原因",
        "where was Peter on November 28?",
        "where is Peter on Friday?",
    ],
)
def test_a_recall_waits_a_few_times(index: FleetIndex, question: str) -> None:
    for _ in range(2):  # the second one makes the plans
        assert index.reading(lambda: recall(index, Query(question), today=TODAY)).hits
    before = index.round_trips, index.statements
    index.reading(lambda: recall(index, Query(question), today=TODAY))
    assert index.round_trips - before[0] <= MOST
    assert index.statements - before[1] <= MOST_STATEMENTS


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
    assert index.round_trips - before == len(("what was foreseen", "lines"))


def test_statements_that_become_one_answer_as_each_alone(index: FleetIndex) -> None:
    week = Span(date(2025, 11, 24), date(2025, 11, 30))
    asked = (
        lambda: index.frequencies(["peter", "bac*", "nowhere", "崩溃"]),
        lambda: index.tagged(["peter", "nobody", "warehouse"]),
        lambda: index.rows_of(["peter", "warehouse"], limit=7),
        lambda: index.rows_of(["peter"], facts=False),
        lambda: index.rows_valid(week, limit=9),
        lambda: index.fact_rows_in(index.rows_between(week), limit=5),
    )

    def together() -> list[object]:
        index.foresee(lambda: [each() for each in asked])
        return [each() for each in asked]

    alone = [index.reading(each) for each in asked]
    assert index.reading(together) == alone
    assert all(alone[2:5])


def test_what_a_name_means_is_read_with_it(index: FleetIndex) -> None:
    def ask() -> None:
        keys = {key for keys in index.tagged(["peter", "warehouse"]).values() for key in keys}
        assert keys
        before = index.round_trips
        assert [index.pages_of(key) for key in keys] == [super(FleetIndex, index).pages_of(key) for key in keys]
        index.placed(keys, among=ALL_WRITTEN)
        assert index.round_trips - before == len(keys) + len(("claims of places",))

    index.reading(ask)


def test_lines_are_measured_once(index: FleetIndex) -> None:
    def ask() -> None:
        rows = index.rows_of(["peter"], limit=50)
        (low, *_), *_ = index._extents(rows)
        assert low
        before = index.round_trips
        index.said_by_others(rows)
        index._extents(rows[:5])
        assert index.round_trips == before

    index.reading(ask)


def test_what_others_say_is_told_apart_and_known_of_lines_that_were_read(server: FleetServer, tmp_path: Path) -> None:
    made, src = team(server), "<!-- cp: src=web:x -->"
    (tmp_path / "beta/memory").mkdir(parents=True)
    own = "- tea\n- W @Ida: Drinks tea.\n- W @Ida: Has drunk tea. <!-- cp: conf=0.9 -->\n"
    others = f"- tea, said others {src}\n- W @Ida: Others say tea. {src}\n"
    (tmp_path / "beta/memory/2025-11-28.md").write_text(f"## Day\n\n{own}{others}", encoding="utf-8")
    with made.member(tmp_path / "beta", "beta", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
    with server.as_role(made.roles.reads, made.database) as db:
        fleet = FleetIndex(db)
        for read_first in (False, True):

            def ask(read_first: bool = read_first) -> set[str]:
                rows = fleet.match('"tea"')
                lines = fleet.lines(rows) if read_first else {}
                before = fleet.round_trips
                said = fleet.said_by_others(rows)
                assert len(rows) == 5
                assert fleet.round_trips == before + (not read_first)
                return {line.line.content for row, line in (lines or fleet.lines(rows)).items() if row in said}

            assert fleet.reading(ask) == {"tea, said others", "Others say tea."}


def test_the_end_of_a_transaction_is_not_waited_for_and_is_one(server: FleetServer, index: FleetIndex) -> None:
    fleet = index._fleet

    def status() -> TransactionStatus:
        return fleet.info.transaction_status

    index.reading(lambda: index.frequencies(["peter"]))
    assert status() is TransactionStatus.ACTIVE  # its answer is still to be read
    assert fleet.execute("select 1").fetchone() == (1,)
    assert status() is TransactionStatus.IDLE
    index.reading(lambda: index.frequencies(["peter"]))
    with fleet.transaction():
        assert fleet.execute("show search_path").fetchone() == ("pg_catalog, pg_temp",)
    with pytest.raises(ZeroDivisionError):
        index.reading(lambda: index.frequencies(["peter"])["peter"] // 0)
    assert index.reading(lambda: index.frequencies(["peter"])["peter"])


def test_a_plan_that_somebody_left_under_our_name_is_not_run(server: FleetServer, index: FleetIndex) -> None:
    """A pool lends the same connection of the server to others of our role, and another one to us."""

    def ask() -> Bundle:
        return index.reading(lambda: recall(index, Query("Peter"), today=TODAY))

    answer = ask()
    fleet = index._fleet  # as a pool would
    assert [ask() for _ in range(3)] == [answer] * 3
    plans = [*KEPT.values(), *index._plans.values()]
    assert len(plans) > len(KEPT)
    kept = {name for (name,) in fleet.execute("select name from pg_prepared_statements")}
    assert kept >= index._hoped.keys()
    assert kept & {plan.name for plan in index._plans.values()}
    fleet.execute("deallocate all")
    assert ask() == answer
    fleet.execute("deallocate all")
    for plan in plans:
        head, _, _ = plan.making.partition(" as ")
        fleet.execute(f"{head} as select null::json, 0, 0, 0, ''".encode())
    assert [ask() for _ in range(3)] == [answer] * 3
    fleet.execute("deallocate all")
    assert [ask() for _ in range(3)] == [answer] * 3


def test_another_connection_of_the_server_is_noticed_at_once_and_once(server: FleetServer, index: FleetIndex) -> None:
    fresh = FleetIndex(index._fleet)

    def ask() -> tuple[Bundle, int]:
        before = fresh.round_trips
        return fresh.reading(lambda: recall(fresh, Query("Peter"), today=TODAY)), fresh.round_trips - before

    index._fleet.execute("deallocate all")
    answer, waited = ask()
    assert [ask() for _ in range(2)] == [(answer, waited)] * 2
    index._fleet.execute("deallocate all")
    assert ask() == (answer, waited + 1)
    index._fleet.execute("deallocate all")
    assert ask() == (answer, waited)


def test_plans_of_another_connection_that_are_older_than_ours_are_not_run(
    server: FleetServer, index: FleetIndex
) -> None:
    """What a plan is, is not asked again of those that are as old as one that is known."""
    info = index._fleet.info

    def ask(fresh: FleetIndex) -> Bundle:
        return fresh.reading(lambda: recall(fresh, Query("Peter"), today=TODAY))

    with server.as_role(info.user, info.dbname) as other, server.as_role(info.user, info.dbname) as db:
        for plan in (*KEPT.values(), *index._plans.values()):
            head, _, _ = plan.making.partition(" as ")
            other.execute(f"{head} as select null::json, 0, 0, 0, ''".encode())
        fresh = FleetIndex(db)
        answers = [ask(fresh) for _ in range(4)]
        assert all(made and digest for made, digest in fresh._hoped.values())
        fresh._fleet = other  # as a pool would
        assert [ask(fresh) for _ in range(3)] == answers[1:] == answers[:3]


def test_a_statement_that_took_too_long_is_not_repeated(
    server: FleetServer, index: FleetIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, (sizes, _) = fleet_statements._BEGIN
    info = index._fleet.info
    with server.as_role(info.user, info.dbname) as db, server.as_role("postgres", info.dbname) as other:
        fresh = FleetIndex(db)
        for _ in range(2):
            fresh.reading(lambda: recall(fresh, Query("Peter"), today=TODAY))
        assert fresh._hoped
        monkeypatch.setattr(fleet_statements, "_BEGIN", (begin, (sizes.replace("'20s'", "'300ms'"), ())))
        before = fresh.round_trips
        with other.transaction():
            other.execute("lock table fleet.tagged in access exclusive mode")
            with pytest.raises(FleetUnusable, match="statement timeout"):
                fresh.reading(lambda: fresh.rows_of(["peter"]))
        assert fresh.round_trips == before + 1


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))),
    st.text(st.sampled_from("'\\\"{},$ %E\n;-nullé")),
    st.integers(-(2**63), 2**63 - 1),
)
def test_a_plan_reads_each_value_as_it_is(index: FleetIndex, texts: list[str], text: str, number: int) -> None:
    kept = KeptPlan("select %s::text[], %s::text, %s::bigint, '%%', %s::int")
    db = index._fleet
    with db.transaction():
        db.execute(kept.making.encode())
        (found,) = db.execute(kept.using((texts, text, number, None)).encode()).fetchall()
        db.execute(f"deallocate {kept.name}".encode())
    assert found == (texts, text, number, "%", None)


def test_a_connection_that_is_asked_again_gets_room_once(
    server: FleetServer, index: FleetIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, leave = [], PatientConnection.leave

    def told(db: PatientConnection, then: bytes = b"") -> None:
        left.append(then)
        leave(db, then)

    info = index._fleet.info
    with server.as_role(info.user, info.dbname) as db:
        fresh = FleetIndex(db)
        monkeypatch.setattr(PatientConnection, "leave", told)
        found = [fresh.reading(lambda: fresh.rows_of(["peter"])) for _ in range(4)]
    assert found == [index.reading(lambda: index.rows_of(["peter"]))] * 4
    assert left[:4] == [b"", fleet_statements._ROOM, b"", b""]


def test_what_is_foreseen_for_later_is_asked_with_the_next_question(index: FleetIndex) -> None:
    rows = index.reading(lambda: index.rows_of(["peter"]))
    alone = index.reading(lambda: index.distinct(rows, beside=()))
    assert alone > 0

    def ask() -> int:
        index.frequencies(["peter"])
        before = index.round_trips
        index.foresee(lambda: index.distinct(rows, beside=()), later=True)
        assert index.round_trips == before
        index.frequencies(["warehouse"])
        found = index.distinct(rows, beside=())
        assert index.round_trips == before + 1
        return found

    assert index.reading(ask) == alone


def test_what_is_foreseen_for_later_is_not_asked_if_nothing_is(index: FleetIndex) -> None:
    def ask() -> None:
        index.totals()
        before = index.round_trips
        index.foresee(lambda: index.fact_rows_in(ALL_WRITTEN), later=True)
        index.totals()
        assert index.round_trips == before

    index.reading(ask)


def test_nothing_asked_nothing_begun(index: FleetIndex) -> None:
    before = index.round_trips
    index.reading(lambda: None)
    assert index.round_trips == before


@pytest.fixture(scope="module")
def moved(server: FleetServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FleetIndex]:
    """Of a workspace where somebody moved twice."""
    made, root = team(server), tmp_path_factory.mktemp("moved")
    (root / "memory").mkdir()
    for day, said in (
        ("2025-01-05", "- W @Ida: Lives in Oslo.\n- W @Ida: Works at the mill.\n- B @Ida: Sold the blue boat.\n"),
        ("2025-03-02", "- W @Ida: Lives in Bergen.\n"),
        ("2025-06-11", "- W @Otto: Keeps bees.\n- W @Ida: Lives in Vienna.\n- O(c=0.8) @Ida: Likes the tram.\n"),
    ):
        (root / f"memory/{day}.md").write_text(f"## Retain\n{said}", encoding="utf-8")
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
    with server.as_role(made.roles.reads, made.database) as db:
        yield FleetIndex(db)


def _newest_home(index: FleetIndex) -> tuple[int, int]:
    """The rows of the first and of the last place where she lives."""
    newest, *_, oldest = sorted(index.placed(["ida"], among=ALL_WRITTEN), reverse=True)
    return oldest, newest


def test_the_newest_claim_of_a_slot_is_read_with_the_older_ones(moved: FleetIndex) -> None:
    def told(read_first: bool) -> list[object]:
        oldest, newest = _newest_home(moved)
        if read_first:
            moved.lines([oldest])
        before = moved.round_trips
        facts = moved.facts_at([newest])
        found: list[object] = [
            facts,
            moved.slots([newest]),
            moved.claimed([newest]),
            moved.rows_at([facts[newest].source]),
            moved.neighbours([newest]),
            moved.ancestors([moved.lines([newest])[newest].parent]),
            moved.against([fact.id for fact in facts.values()]),
            moved.said_by_others([newest]),
            moved._extents([newest]),
        ]
        assert moved.round_trips == before + (not read_first)
        return found

    assert moved.reading(lambda: told(True)) == moved.reading(lambda: told(False))


def test_a_line_that_is_no_newer_claim_is_not_read_with_others(moved: FleetIndex) -> None:
    def ask() -> None:
        rows = moved.rows_of(["ida", "otto"])
        oldest, newest = _newest_home(moved)
        moved.lines([oldest])
        for row in {*rows} - {oldest, newest}:
            before = moved.round_trips
            assert moved.facts_at([row])
            assert moved.round_trips == before + 1

    moved.reading(ask)


def test_what_outdates_facts_costs_no_statement(moved: FleetIndex) -> None:
    found = moved.reading(lambda: outcomes(moved, [_newest_home(moved)[0]], today=TODAY))
    (outcome,) = found.values()
    assert outcome.superseded_by is not None
    assert outcome.superseded_by.path == "memory/2025-06-11.md"

    def ask() -> int:
        row, _ = _newest_home(moved)
        before = moved.statements
        outcomes(moved, [row], today=TODAY)
        return moved.statements - before

    assert moved.reading(ask) == len(("the lines",))


def test_lines_that_are_foreseen_are_read_with_one_statement_and_once(index: FleetIndex) -> None:
    def ask() -> list[object]:
        rows = index.rows_of(["peter"], limit=12)
        alone = rows[:3]
        index.lines(alone)
        before = index.statements, index.round_trips
        index.foresee(lambda: (index.lines(rows[:8]), index.lines(rows[6:]), index.names_in_rows(rows)))
        assert (index.statements, index.round_trips) == (before[0] + len(("lines", "names")), before[1] + 1)
        found = [index.lines(rows), index.names_in_rows(rows), index.slots(rows)]
        assert index.round_trips == before[1] + 1
        return found

    def plainly() -> list[object]:
        rows = index.rows_of(["peter"], limit=12)
        return [index.lines(rows), index.names_in_rows(rows), index.slots(rows)]

    for _ in range(2):
        index.reading(plainly)
    assert index.reading(ask) == index.reading(plainly)


def test_what_lines_claim_may_be_foreseen(moved: FleetIndex) -> None:
    def ask() -> int:
        rows = [_newest_home(moved)[0]]
        moved.foresee(lambda: (moved.claimed(rows), moved.slots(rows)))
        before = moved.round_trips
        assert moved.claimed(rows).keys() == {*rows}
        assert moved.slots(rows).groups
        return moved.round_trips - before

    assert moved.reading(ask) == 0


def test_the_evidence_of_opinions_is_read_with_their_lines(server: FleetServer, tmp_path: Path) -> None:
    made, table = team(server), "| Opinion | Confidence | Evidence | Updated |\n|---|---|---|---|\n"
    (tmp_path / "bank").mkdir()
    rows = "| @Ida likes the tram | 0.9 | memory/2025-01-05.md | 2025-01-06 |\n| @Ida likes tea | 0.8 | USER.md | |\n"
    (tmp_path / "bank/opinions.md").write_text(table + rows, encoding="utf-8")
    with made.member(tmp_path, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
    with server.as_role(made.roles.reads, made.database) as db:
        fleet = FleetIndex(db)
        lines = fleet.reading(lambda: fleet.lines(fleet.rows_of(["ida"], facts=False)))
        places = [line.line.source for line in lines.values()]

        def read_first() -> tuple[object, int]:
            fleet.lines(lines)
            before = fleet.round_trips
            return fleet.opinions_at(places), fleet.round_trips - before

        alone = fleet.reading(lambda: super(FleetIndex, fleet).opinions_at(places))
        assert [len(opinion.evidence) for opinion in alone] == [1, 1]
        assert fleet.reading(read_first) == (alone, 0)


def test_regions_of_many_files_are_one_statement(index: FleetIndex) -> None:
    def ask() -> dict[str, tuple[tuple[int, int], ...]]:
        paths = [line.line.source.path for line in index.lines(index.rows_of(["peter"])).values()]
        before = index.statements
        found = index.regions({*paths, FleetText("alpha", "none.md")})
        assert index.statements == before + 1
        return found

    found = index.reading(ask)
    assert found.pop("none.md") == ()
    assert len(found) > 1


def test_who_introduces_somebody_is_found_by_the_files(server: FleetServer, tmp_path: Path) -> None:
    made, asked = team(server), ("USER.md", "IDENTITY.md")
    for name, texts in (
        ("alpha", {"USER.md": "- Name: Ida\n", "IDENTITY.md": "- Name: Otto\n", "memory/2025-01-05.md": "Met Ida.\n"}),
        ("beta", {"USER.md": "- Name: Otto\n", "notes/USER.md": "- Name: Ida\n"}),
    ):
        for path, text in texts.items():
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_text(text, encoding="utf-8")
        with made.member(tmp_path / name, name, share=EVERYTHING, today=TODAY) as memory:
            memory.fleet_push()
    with server.as_role(made.roles.reads, made.database) as db:
        fleet = FleetIndex(db)

        def found(*keys: str) -> list[str]:
            paths = fleet.reading(lambda: fleet.naming_paths(keys, asked))
            assert paths == fleet.reading(lambda: super(FleetIndex, fleet).naming_paths(keys, asked))
            return [str(path) for path in paths]

        assert found("ida") == ["alpha:USER.md"]
        assert found("otto") == ["alpha:IDENTITY.md", "beta:USER.md"]
        assert found("ida", "otto") == ["alpha:IDENTITY.md", "alpha:USER.md", "beta:USER.md"]
        assert found("nobody") == []

        def read_too() -> int:
            (path,) = fleet.naming_paths(["ida"], asked, others=["memory/2025-01-05.md", "MEMORY.md"])
            before = fleet.round_trips
            assert [*map(len, map(fleet.rows_in, fleet.beside(path, ["memory/2025-01-05.md", "MEMORY.md"])))] == [1, 0]
            return fleet.round_trips - before

        assert fleet.reading(read_too) == 0


def test_a_path_is_of_the_workspace_that_asks_or_of_the_one_that_it_names(server: FleetServer, tmp_path: Path) -> None:
    made = team(server)
    for name in ("alpha", "beta"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "USER.md").write_text(f"- Name: {name}\n", encoding="utf-8")
        with made.member(tmp_path / name, name, share=EVERYTHING, today=TODAY) as memory:
            memory.fleet_push()
    with server.as_role(made.roles.reads, made.database) as db:
        fleet = FleetIndex(db)

        def told(path: str) -> list[str]:
            lines = fleet.reading(lambda: fleet.lines(fleet.rows_in(path)))
            return [line.line.content for line in lines.values()]

        assert told("USER.md") == []
        fleet.own = "beta"
        assert told("USER.md") == ["Name: beta"]
        (beside,) = fleet.beside(FleetText("alpha", "MEMORY.md"), ["USER.md"])
        assert told(beside) == ["Name: alpha"]
        assert [str(path) for path in fleet.beside("MEMORY.md", ["USER.md"])] == ["beta:USER.md"]


def test_questions_about_owners_wait_as_rarely(server: FleetServer, tmp_path: Path) -> None:
    days = {
        f"memory/2025-10-{day:02}.md": "".join(f"- Rolf Berg moved crate {day * 40 + each}.\n" for each in range(40))
        for day in range(1, 29)
    }
    nothing = {"USER.md": OWNED["USER.md"].partition("\n## Pref")[0], "MEMORY.md": "# Memory\n"}
    for name, texts in (("few", {}), ("many", days), ("nothing preferred", nothing)):
        made = team(server)
        with made.member(owned(tmp_path / name, **texts), "alpha", share=EVERYTHING, today=TODAY) as memory:
            memory.fleet_push()
        with server.as_role(made.roles.reads, made.database) as db:
            fleet = FleetIndex(db)
            fleet.own = "alpha"
            for question in OF_OWNERS:
                ask = partial(recall, fleet, Query(question), today=TODAY)
                for _ in range(2):  # the second one makes the plans
                    fleet.reading(ask)
                before = fleet.round_trips, fleet.statements
                fleet.reading(ask)
                assert fleet.round_trips - before[0] <= MOST, question
                assert fleet.statements - before[1] <= MOST_STATEMENTS, question


def test_searches_and_small_statements_are_one(index: FleetIndex) -> None:
    asked: tuple[Callable[[], Sequence[object]], ...] = (
        lambda: index.match_each([('"peter"', ALL_WRITTEN), ('"backups"', ALL_WRITTEN)]),
        lambda: index.rows_of(["peter"], limit=7),
        lambda: index.placed(["peter"], among=ALL_WRITTEN),
    )

    def together() -> tuple[list[object], int]:
        index.tagged(["peter"])
        before = index.statements
        index.foresee(lambda: [each() for each in asked])
        sent = index.statements - before
        return [each() for each in asked], sent

    alone = [index.reading(each) for each in asked]
    assert all(any(each) for each in alone)
    for sent in (1, 2, 1):  # the second time its plan is made
        assert index.reading(together) == (alone, sent)


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was waited for since the test began; empty it at will."""
    found: list[object] = []
    wait = PatientConnection.wait

    def counted(db: PatientConnection, waits: Any, *args: Any, **named: Any) -> Any:
        begins = waits.__qualname__ == "BasePipeline._enter_gen"
        sends = waits.__name__ == "_execute_gen" and db.pgconn.pipeline_status
        if not (begins or sends):  # no answer comes yet
            found.append(waits)
        return wait(db, waits, *args, **named)

    monkeypatch.setattr(PatientConnection, "wait", counted)
    return found


def test_what_is_sent_together_is_waited_for_once(index: FleetIndex, waited: list[object]) -> None:
    """Not once more for the end of a pipeline, which over a slow network costs as much as the answers."""
    for _ in range(2):  # the second one makes the plans
        index.reading(lambda: recall(index, Query("Peter"), today=TODAY))
    before = index.round_trips
    waited.clear()
    index.reading(lambda: recall(index, Query("Peter"), today=TODAY))
    assert len(waited) == index.round_trips - before + len(("the end of the last one, which is there",))


def test_a_statement_alone_is_waited_for_once_and_is_a_transaction(index: FleetIndex, waited: list[object]) -> None:
    fleet = index._fleet
    fleet.execute("select 1")
    waited.clear()
    texts = ["it's", 'a "b" \\', "é, {}", ""]
    found = fleet.execute("select current_setting('search_path'), %s::text[], '%%', %s::int", (texts, None)).fetchone()
    assert found == ("pg_catalog, pg_temp", texts, "%", None)
    assert len(waited) == 1
    name = "select current_setting('application_name'), '%'"
    before = fleet.execute(name).fetchone()
    with pytest.raises(psycopg.errors.DivisionByZero):
        fleet.execute("select set_config('application_name', 'other', false); select 1 / 0").nextset()
    assert fleet.info.transaction_status is TransactionStatus.IDLE
    assert fleet.execute(name).fetchone() == before


def test_what_was_asked_once_is_answered_alike_with_its_plan(index: FleetIndex) -> None:
    odd = 'it\'s a \\ "word" {of} 100% %s; select'
    asked: tuple[Callable[[], object], ...] = (
        lambda: index.frequencies([odd, "peter", "backups"]),
        lambda: index.match_each([('"peter"', ALL_WRITTEN), ('"backups" AND "the"*', ALL_WRITTEN)]),
        lambda: index.tagged([odd, "peter"]),
    )
    first, *again = [[index.reading(each) for each in asked] for _ in range(3)]
    assert again == [first, first]
    assert first[0] == {odd: 0, "peter": 104, "backups": 0}


def test_a_verb_learns_with_one_wait_whether_it_may_ask(server: FleetServer, waited: list[object]) -> None:
    made = team(server)
    with server.as_role(made.roles.reads, made.database) as db:
        waited.clear()
        require_member(db)
        assert len(waited) == 1


def test_a_push_waits_a_few_times(server: FleetServer, tmp_path: Path, waited: list[object]) -> None:
    with team(server).member(copied(tmp_path / "quill"), "alpha", today=TODAY) as memory:
        memory.fleet_push()
        memory.retain("@Ida: Keeps the key in the blue tin.", kind="world")
        waited.clear()
        assert memory.fleet_push().sent == 1
        assert len(waited) <= MOST_OF_A_PUSH
        waited.clear()
        assert memory.fleet_push().sent == 0
        assert len(waited) <= len(("whether it may ask", "its state, and what was forgotten"))
