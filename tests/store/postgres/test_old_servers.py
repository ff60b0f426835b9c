"""What servers before those of the tests refuse: PostgreSQL 15 is the oldest."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any

from tests.fleets import EVERYTHING, TODAY, copied, team

from commonplace.core.model import Kind, Query, Span
from commonplace.ops.recall.recall import recall
from commonplace.store.postgres.fleet_index import FleetIndex
from commonplace.store.postgres.patient_connection import PatientConnection

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from tests.postgres_server import FleetServer

_BEGUN = re.compile(r"\b(?:from|join|lateral)\s+\((?=[\s(]*(?:select|with)\b)")
_NAMED = re.compile(r"\s*(?:as\s+)?(?!(?:where|order|group|limit|union|on|cross|join|left|offset|having)\b)[a-z]")


def nameless(statement: str) -> list[str]:
    """The queries that a statement reads from without a name for them, which PostgreSQL allows since 16."""
    text = re.sub(r"'[^']*'", "''", statement)
    found = []
    for begun in _BEGUN.finditer(text):
        depth, at = 1, begun.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
        if not _NAMED.match(text, at):
            found.append(text[begun.start() : at])
    return found


def test_what_has_no_name_is_seen() -> None:
    inner = "(select a from (select 1) x)"
    assert nameless(f"select a from {inner} y") == nameless(f"select a from lateral {inner} as y(a)") == []
    assert nameless(f"select a from {inner} order by a") == [f"from {inner}"]
    assert nameless("select a from (select b from (select ')' as b)) x") == ["from (select '' as b)"]


def test_each_query_that_is_read_from_has_a_name(
    server: FleetServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    execute = PatientConnection.execute

    def heard(db: PatientConnection, query: Any, *args: Any, **named: Any) -> Any:
        sent.append(query.decode() if isinstance(query, bytes) else str(query))
        return execute(db, query, *args, **named)

    monkeypatch.setattr(PatientConnection, "execute", heard)
    made = team(server)
    with made.member(copied(tmp_path / "quill"), "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_push()
        memory.retain("@Ida: Keeps the key in the blue tin.", kind="world")
        memory.fleet_push()
        memory.fleet_status()
    asked = (
        *map(Query, ("what does Peter prefer?", '"concise replies"', "deploy*", "崩溃的原因", "which cities?")),
        Query("where was Peter in November?", as_of=date(2025, 11, 26), entities=("Peter",)),
        Query("what happened?", kinds=(Kind.OPINION,), range=Span(date(2025, 11, 10), date(2025, 11, 25))),
    )
    with server.as_role(made.roles.reads, made.database) as db:
        index = FleetIndex(db)
        for query in asked:
            index.reading(lambda query=query: recall(index, query, today=TODAY))  # type: ignore[misc]
    with made.member(tmp_path / "quill", "alpha", share=EVERYTHING, today=TODAY) as memory:
        memory.fleet_drop()
    assert [each for text in sent for each in nameless(text)] == []
