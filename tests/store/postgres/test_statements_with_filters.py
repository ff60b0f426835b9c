"""How many statements a recall with filters needs: as few as one without; and how many lines one of them reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.fleets import EVERYTHING, TODAY, copied, team

from commonplace.memory.recall_verbs import asked_for
from commonplace.ops.recall.recall import recall
from commonplace.store.postgres.dialect import BY_KEYS, translated
from commonplace.store.postgres.fleet_index import FleetIndex
from commonplace.store.postgres.fleet_text import FleetText
from commonplace.store.sqlite.index_schema import ALL_WRITTEN
from commonplace.store.sqlite.search_queries import KEPT_OPINIONS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.postgres_server import FleetServer

    from commonplace import Memory

MOST = 12
"""Statements of a recall, with those that begin and end the transaction, where the server has the plans."""
FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"kinds": ("opinion",)},
    {"kinds": ("world",), "k": 40},
    {"as_of": "2025-11-18"},
    {"since": "2025-11-10", "until": "2025-11-25"},
    {"entities": ("Peter",)},
    {"entities": ("Peter", "Nobodyknown")},
    {"entities": ("Peter",), "as_of": "2025-11-18"},
    {"entities": ("Peter",), "kinds": ("world",), "since": "2025-11-01", "as_of": "2025-11-25"},
    {"k": 40, "budget": 6_000},
)
QUESTIONS = (
    *("Peter", "where was Peter in November?", "how does Peter feel about meetings?", "2025-11-17", "a"),
    *("what happened last week?", "which cities was Peter in?", "what did we decide about the release?", "opinions"),
    *("when do the backups run?", "Andy's birthday", "what is open?", "zeppelin", ""),
    *("is Peter married?", "what's my phone number?", "who owns the release?", "where does Peter live?"),
    *(
        "hvor bor Ingrid?",
        "崩溃的原因",
        "週三把發票寄給會計師",
        "連絡はチャットよりメールを好む",
        "लंबे संदेशों",
        "где Пётр?",
    ),
)


class Asked:
    """A fleet of one workspace, and what its recalls need."""

    def __init__(self, index: FleetIndex, memory: Memory) -> None:
        self.index = index
        self._memory = memory

    def statements(self, question: str, given: dict[str, Any]) -> int:
        """The number of statements of a recall that was asked before."""
        nothing: dict[str, Any] = dict.fromkeys(("k", "budget", "since", "until", "during", "as_of"))
        query = asked_for(self._memory, question, **{**nothing, "kinds": (), "entities": (), **given})
        for _ in range(3):
            before = self.index.statements
            self.index.reading(lambda: recall(self.index, query, today=TODAY))
        return self.index.statements - before


@pytest.fixture(scope="module")
def quill(server: FleetServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    made, root = team(server), copied(tmp_path_factory.mktemp("filters") / "quill")
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
        with server.as_role(made.roles.reads, made.database) as db:
            yield Asked(FleetIndex(db), memory)


@pytest.fixture(scope="module")
def pottery(server: FleetServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """Many lines of a few words, of which a filter leaves many out."""
    made, root = team(server), tmp_path_factory.mktemp("pottery")
    (root / "memory").mkdir()
    for day in range(1, 29):
        facts = "".join(f"- W @Ida: Fired pot {day * 30 + each} for the fair.\n" for each in range(12))
        lines = "".join(f"- The glaze of pot {day * 30 + each} came out green.\n" for each in range(18))
        decided = f"- Decided: kiln {day} stays.\n- O(c=0.8) @Otto: Likes glaze {day}.\n"
        log = f"# Day\n## Notes\n{lines}## Retain\n{facts}{decided}"
        (root / f"memory/2025-11-{day:02}.md").write_text(log, encoding="utf-8")
    with made.member(root, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
        with server.as_role(made.roles.reads, made.database) as db:
            yield Asked(FleetIndex(db), memory)


@pytest.mark.parametrize("given", FILTERS, ids=str)
def test_a_recall_with_filters_needs_twelve_statements(quill: Asked, given: dict[str, Any]) -> None:
    asked = (question for question in QUESTIONS if question or given.keys() & {"kinds", "since", "entities"})
    assert {question: most for question in asked if (most := quill.statements(question, given)) > MOST} == {}


@pytest.mark.parametrize("question", ["how do I reach Peter?", "how old is Peter?"])
def test_what_nobody_wrote_of_somebody_needs_two_statements_more(quill: Asked, question: str) -> None:
    assert MOST < quill.statements(question, {}) <= MOST + 2


@pytest.mark.parametrize(
    "given",
    [
        {"kinds": ("world",)},
        {"kinds": ("opinion",)},
        {"as_of": "2025-11-20"},
        {"entities": ("Ida",)},
        {"k": 40},
        {"k": 80, "kinds": ("world",)},
    ],
    ids=str,
)
@pytest.mark.parametrize("question", ["green pot", "what did we decide in November?", "glaze of the fair", "last week"])
def test_a_filter_that_leaves_many_lines_out_needs_twelve_statements(
    pottery: Asked, question: str, given: dict[str, Any]
) -> None:
    assert pottery.statements(question, given) <= MOST


@pytest.mark.parametrize("most", [12, 400])
def test_names_and_regions_are_read_with_lines_if_they_will_be_asked_for(pottery: Asked, most: int) -> None:
    index = pottery.index

    def told(named: bool) -> tuple[list[object], int]:
        rows = index.rows_of(["ida", "otto"], limit=most)
        paths = [line.line.source.path for line in index.lines(rows, named=named).values()]
        before = index.round_trips
        found: list[object] = [
            index.names_in(rows, ["ida"]),
            index.names_in(rows, ["nobody"]),
            index.names_in_rows(rows),
            index.regions(paths),
        ]
        return found, index.round_trips - before

    plainly, waited = index.reading(lambda: told(False))
    assert waited == len(("names", "names of nobody", "known names", "regions"))
    assert index.reading(lambda: told(True)) == (plainly, 0)
    assert plainly[0] and not plainly[1]


def test_lines_that_were_read_without_their_names_are_read_again_with_them(quill: Asked) -> None:
    index = quill.index

    def told() -> object:
        rows = index.rows_of(["peter"], limit=12)
        before = index.lines(rows)
        assert index.lines(rows, named=True) == before
        waited = index.round_trips
        found = index.names_in(rows, ["peter"])
        assert index.round_trips == waited
        return found

    assert index.reading(told)


def test_what_was_asked_once_becomes_one_with_others_and_keeps_its_paths(quill: Asked) -> None:
    index = quill.index

    def ask() -> tuple[list[object], int]:
        index.totals()
        before = index.statements
        index.foresee(lambda: (index.entities(), index.pages_of("peter"), index.known_names()))
        sent = index.statements - before
        return [index.entities(), index.pages_of("peter"), sorted(index.known_names())], sent

    (first, _), *others = [index.reading(ask) for _ in range(4)]
    assert [found for found, _ in others] == [first] * 3
    assert others[-1][1] == 1
    entities, pages, _ = others[-1][0]
    assert isinstance(pages, list) and pages and all(isinstance(page, FleetText) for page in pages)
    assert isinstance(entities, tuple) and any(isinstance(each.page, FleetText) for each in entities)


def _read(plan: dict[str, Any]) -> float:
    """The rows that a part of a plan, and those below it, read from tables or read again."""
    removed = plan.get("Rows Removed by Filter", 0) + plan.get("Rows Removed by Join Filter", 0)
    here: float = (plan["Actual Rows"] + removed) * plan["Actual Loops"]
    return here + sum(map(_read, plan.get("Plans", ())))


def test_opinions_that_people_keep_are_found_by_the_lines_of_their_pages_alone(
    server: FleetServer, tmp_path: Path
) -> None:
    made, days, pages = team(server), 28, 40
    (tmp_path / "memory").mkdir()
    (tmp_path / "bank").mkdir()
    table = "| Opinion | Confidence |\n|---|---|\n| @Ida likes glaze | 0.9 |\n| @Ida likes rain | 0.4 |\n"
    for number in range(pages):
        (tmp_path / f"bank/shelf-{number}.md").write_text(f"# Shelf\n\n{table}", encoding="utf-8")
    for day in range(1, days + 1):
        lines = "".join(f"- The glaze of pot {day * 100 + each} came out green.\n" for each in range(60))
        (tmp_path / f"memory/2025-11-{day:02}.md").write_text(lines, encoding="utf-8")
    with made.member(tmp_path, "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
    with server.as_role(made.roles.reads, made.database) as db, db.transaction():
        db.execute(f"{BY_KEYS}, pg_catalog.set_config('search_path', 'fleet, pg_temp', true)".encode())
        asked = f"explain (analyze, format json) {translated(KEPT_OPINIONS)}"
        ((((told,),),),) = [db.execute(asked.encode(), dict(zip(("p1", "p2"), ALL_WRITTEN, strict=True))).fetchall()]
    assert told["Plan"]["Actual Rows"] == 2 * pages
    assert _read(told["Plan"]) < days * 60
