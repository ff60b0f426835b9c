"""The contract of an index, held to a real SQLite file and to one in memory; and what only a file can suffer."""

from __future__ import annotations

import ast
import os
import stat
import subprocess
import sys
from datetime import date, timedelta
from itertools import count, pairwise
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.core.documents.conflict_copies import marked
from commonplace.core.documents.parse import parse
from commonplace.core.documents.reread import reread
from commonplace.core.entities.name_uses import Place
from commonplace.core.markdown.syntax import goes_on
from commonplace.core.model import Citation, Fact, Kind, Line, Origin, Role, Span, Stance, Unread
from commonplace.core.opinions import opinion_reader
from commonplace.core.pages.region_merge import renew
from commonplace.core.recall.index_rows import RowRange
from commonplace.core.text.analyzer import query_terms
from commonplace.errors import Busy, IndexUnusable
from commonplace.store.sqlite import SCHEMA, Entity, Index, narrative_queries
from commonplace.store.sqlite.index_schema import ALL_WRITTEN, LABELLED, TABLES, WRITTEN
from commonplace.store.sqlite.narrative_queries import NameSeen, Namings
from commonplace.store.sqlite.search_queries import KEPT_OPINIONS
from commonplace.store.sqlite.writing import indexer
from commonplace.store.sqlite.writing.document_rows import LONGEST_LINE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NOVEMBER, DECEMBER, NOTES = "memory/2025-11-27.md", "memory/2025-12-01.md", "memory/notes.md"
PETER, OPINIONS = "bank/entities/Peter.md", "bank/opinions.md"
COPY = "memory/2025-11-27 (conflicted copy).md"
WORLD = {
    NOVEMBER: """# A day

## Retain
- W @Peter: In Marrakech (Nov 27–Dec 1, 2025). ^k7f3qa
- W @Peter: Drinks mint tea.
- W @Peter: Drinks mint tea.

## Talk
- Peter: the kettle broke
  - so we bought a teapot
- Peter: it pours well
""",
    DECEMBER: """## Retain
- W @Peter: Back home. <!-- cp: supersedes=^k7f3qa --> ^home01
- O(c=0.9) @Ann: The kettle matters. <!-- cp: contradicts=^nobody -->
- O(c=7) @Ann: Too sure.
""",
    NOTES: "- the kettle of no day\n",
    PETER: "---\naliases: [Pete, Ann]\n---\n# Peter\n\nCall him on Sundays.\n",
    OPINIONS: """# Opinions

- O(c=0.95) @Peter: Prefers mint tea. ^o-4m7k
  - prior 0.95: [2025-11-26](../memory/2025-11-26.md) ^p00001
  - for, 0.96: [2025-11-27](../memory/2025-11-27.md) ^k7f3qa
""",
}


def put(index: Index, files: Mapping[str, str], *, dated: bool = True) -> None:
    def documents() -> Iterator[tuple[Any, str, tuple[Any, ...]]]:
        for path, text in files.items():
            held = opinion_reader.read(path, text) if path.startswith("bank/") else ()
            document = parse(path, text, dated=dated)
            yield marked(document, NOVEMBER) if path == COPY else document, f"digest of {len(text)}", held

    index.transaction(lambda: index.writer.put(documents()))


def remove(index: Index, *paths: str) -> None:
    for path in paths:
        index.transaction(lambda path=path: index.writer.remove(path))  # type: ignore[misc]


def fresh(files: Mapping[str, str]) -> list[str]:
    with Index(":memory:") as index:
        put(index, files)
        return index.dump()


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "index.sqlite")


@pytest.fixture(params=["file", "memory"])
def index(request: pytest.FixtureRequest, path: str) -> Iterator[Index]:
    with Index(path if request.param == "file" else ":memory:") as index:
        put(index, WORLD)
        yield index


def texts(index: Index, rows: list[int]) -> list[str]:
    found = index.lines(rows)
    return [found[row].line.content for row in rows]


def matching(index: Index, question: str, among: RowRange = ALL_WRITTEN, *, limit: int = 1000) -> list[int]:
    (term,) = query_terms(question)
    return index.match(term.match, among=among, limit=limit)


def test_several_searches_are_those_one_by_one(index: Index) -> None:
    (boat,), (peter,) = query_terms("concise"), query_terms("Peter")
    searches = [(boat.match, ALL_WRITTEN), (peter.match, ALL_WRITTEN), (peter.match, index.undated_rows())]
    assert index.match_each(searches) == [index.match(match, among=among) for match, among in searches]
    assert index.match_each(searches, limit=1) == [rows[:1] for rows in index.match_each(searches)]
    assert index.match_each([]) == []


def test_every_public_method_is_tested_here() -> None:
    trees = [ast.parse(each.read_text(encoding="utf-8")) for each in Path(__file__).parent.glob("test_*.py")]
    used = {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    plumbing = {"one", "all", "numbers", "many", "listed", "paired"}
    assert {
        name for name in dir(Index) if not name.startswith("_") and callable(getattr(Index, name))
    } - plumbing - used == set()


def test_what_was_noted_is_gone_with_the_next_change(path: str) -> None:
    with Index(path) as index, Index(path) as other:
        put(index, {NOTES: WORLD[NOTES]})
        index.reading(index.noted)["a row"] = 1
        assert index.reading(index.noted) == {"a row": 1} and other.noted() == {}
        put(other, {NOVEMBER: WORLD[NOVEMBER]})
        assert index.reading(index.noted) == {}
        index.noted()["a row"] = 2
        remove(index, NOTES)
        assert index.noted() == {}


def test_a_full_index_has_its_terms_in_one_segment(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexer, "_BULK_HASH", 64)  # so that FTS5 writes a segment for every few terms
    with Index(path) as index:
        put(index, WORLD)
        assert index.one("select count(distinct segid) from terms_idx") == 1
        assert len(matching(index, "kettle")) == 3


def test_what_is_foreseen_is_asked_only_by_a_store_that_is_far_away(index: Index) -> None:
    index.foresee(lambda: pytest.fail("it is tried"))


def test_every_row_is_of_the_one_workspace(index: Index) -> None:
    assert {index.whose(row) for row in index.line_rows_in(ALL_WRITTEN)} == {0}


def test_what_could_not_be_read_is_remembered_until_the_next_sync(index: Index) -> None:
    missed = Unread(NOVEMBER, "unreadable", "it cannot be read", "mend it", known=True)
    index.writer.keep_states({}, 5, [missed])
    assert index.unread() == (missed,)
    index.writer.keep_states({}, 6)
    assert index.unread() == ()


def test_what_a_file_said_is_told_by_facts_and_lines(index: Index) -> None:
    put(index, {"memory/2025-01-05.md": "# Day\n## Retain\n- W @A: A kettle. ^kettle\n\nPlain.\n```\ncode\n```\n"})
    assert index.said_in("memory/2025-01-05.md") == (["kettle"], ["Day", "Retain", "Plain."])
    put(index, {"memory/2025-01-06.md": "<<<<<<< HEAD\n- W @A: A kettle.\n>>>>>>> x\n"})
    assert index.said_in("memory/2025-01-06.md") is None and index.said_in("memory/none.md") is None


# What a recall asks.


def test_rows_are_in_the_order_of_days(index: Index) -> None:
    put(index, {"memory/2025-01-05.md": "- a kettle in January\n", "memory/2026-01-05.md": "- a kettle a year later\n"})
    rows = matching(index, "kettle")
    days = [index.lines([row])[row].line.recorded for row in rows]
    assert days == [
        date(2026, 1, 5), date(2025, 12, 1), date(2025, 11, 27), date(2025, 1, 5), None
    ]  # fmt: skip
    assert rows == sorted(rows, reverse=True)
    assert matching(index, "kettle", limit=2) == rows[:2]


def test_a_line_that_states_a_fact_is_one_and_any_other_is_none(index: Index) -> None:
    put(index, {"memory/2025-01-05.md": "## Retain\n- W @A: A pot. ^pot\n\nPlain.\n"})
    rows = index.rows_in("memory/2025-01-05.md")
    assert [type(line.line) for line in index.lines(rows).values()] == [Line, Fact, Line]
    assert [fact.id for fact in index.facts_at(rows).values()] == ["pot"]


def test_a_day_is_a_range_of_rows(index: Index) -> None:
    day = date(2025, 11, 27)
    rows = index.rows_between(Span(day, day))
    assert texts(index, matching(index, "kettle", rows)) == ["Peter: the kettle broke"]
    assert len(index.line_rows_in(rows)) == 9
    assert texts(index, index.fact_rows_in(rows, limit=1)) == ["Drinks mint tea."]
    assert index.rows_of_kind([Kind.WORLD], rows)[:1] == index.fact_rows_in(rows, limit=1)
    assert index.rows_of_kind([], rows) == []
    assert index.rows_known(day) == (WRITTEN, rows.last)
    assert index.rows_known(None, generated=True).first == 0 < WRITTEN
    before = index.rows_between(Span(None, day))
    assert before.last == rows.last and before.both(rows) == rows
    assert before.has(rows.first) and not rows.has(before.first) and not rows.has(rows.last + 1)
    assert len(matching(index, "kettle", before)) == 1, "an open start leaves undated lines out"
    assert len(matching(index, "kettle", index.rows_between(Span(day, None)))) == 2


def test_opinions_that_people_keep_on_twice_as_many_pages_are_found_in_twice_the_time(path: str) -> None:
    page = "# A\n\n| Opinion | Confidence |\n|---|---|\n| @Ann likes tea | 0.9 |\n| @Ann likes rain | 0.4 |\n"
    steps = []
    with Index(path) as index:
        for pages in (200, 400):
            put(index, {f"bank/entities/A{number}.md": page for number in range(pages)})
            assert len(index.rows_of_kind([Kind.OPINION], ALL_WRITTEN)) == 2 * pages
            other, taken = apsw.Connection(path), count()
            other.set_progress_handler(lambda taken=taken: next(taken) < 0, 100)  # type: ignore[misc]
            assert len(other.execute(KEPT_OPINIONS, ALL_WRITTEN).fetchall()) == 2 * pages
            steps.append(next(taken))
            other.close()
    assert steps[1] < 2.5 * steps[0]


def test_each_day_has_its_files_with_their_lines_and_facts(index: Index) -> None:
    november, december = (date(2025, 11, 27), NOVEMBER, 6, 3), (date(2025, 12, 1), DECEMBER, 3, 2)
    assert index.told_days(None, None) == [november, december]
    assert index.told_days(date(2025, 11, 28), None) == index.told_days(december[0], december[0]) == [december]
    assert index.told_days(None, date(2025, 11, 27)) == [november]


def test_one_entity_is_read_as_among_all(index: Index) -> None:
    everybody = index.entities()
    for each in everybody:
        assert index.entities([each.key]) == (each,)
    assert index.entities([]) == ()
    assert index.names(each.key for each in everybody) == {each.key: each.name for each in everybody}
    assert index.names(["nobody"]) == index.names([]) == {}


def test_a_range_of_rows_has_its_telling_lines_and_each_row_its_day(index: Index) -> None:
    put(index, {"memory/2025-11-29.md": "# Day\n\n- tea\n- a kettle that whistles on the stove\n```\na pot = 5\n```\n"})
    told = index.telling_rows(index.rows_between(Span(date(2025, 11, 29), date(2025, 11, 29))))
    assert [row for row, *_ in told] == sorted((row for row, *_ in told), reverse=True)
    assert texts(index, [row for row, *_ in told]) == ["a kettle that whistles on the stove"]
    assert {index.day_of(row) for row, *_ in told} == {date(2025, 11, 29)}
    assert texts(index, [parent for *_, parent in told]) == ["Day"]
    put(index, {"bank/kettles.md": "Kettles whistle undated.\n"})
    assert index.texts_in("bank/kettles.md") == ["Kettles whistle undated."]
    assert index.day_of(matching(index, "undated")[0]) is None
    assert matching(index, "undated", index.undated_rows()) == matching(index, "undated")


def test_undated_rows_match_newest_first_within_the_limit_and_beyond_it(index: Index) -> None:
    put(index, {"bank/lamps.md": "- lamp one\n- lamp two\n- lamp three\n"})
    rows = matching(index, "lamp")
    assert rows == sorted(rows, reverse=True) and len(rows) == 3
    for limit in (1, 2, 3, 4):
        assert matching(index, "lamp", index.undated_rows(), limit=limit) == rows[:limit]


def test_texts_are_counted_once_and_without_those_beside(index: Index) -> None:
    plain = "- the gong is old\n- the gong is new\n- the gong is old\n- the gong is here\n"
    other = "# gong\n\n- is the gong here?\n- ~~the gong~~\n- the gong <!-- cp: src=web:x -->\n"
    put(index, {"memory/2026-02-01.md": plain, "memory/2026-02-02.md": other})
    rows = matching(index, "gong")
    here = [row for row in rows if index.lines([row])[row].line.content == "the gong is here"]
    assert (index.distinct(rows, beside=[]), index.distinct(rows, beside=here)) == (3, 2)
    assert index.distinct([], beside=here) == 0


def test_what_others_say_is_told_apart_in_facts_and_in_lines(index: Index) -> None:
    src = "<!-- cp: src=web:x -->"
    own = "- tea\n- W @Ida: Drinks tea.\n- Ida: the tea is [[Zacharias]]\n"
    others = f"- tea {src}\n- W @Ida: Drinks rum. {src}\n- [[Zacharias]] has tea {src}\n"
    put(index, {"memory/2026-02-01.md": f"## Day\n\n{others}", "memory/2025-11-28.md": f"## Day\n\n{own}"})
    rows = matching(index, "tea") + matching(index, "rum")
    said = index.said_by_others(rows)
    assert texts(index, sorted(said)) == ["tea", "Drinks rum.", "[[Zacharias]] has tea"]
    assert {line.line.trailer.outsider for line in index.lines(said).values()} == {"web:x"}
    told = [line.content for line in index.log_lines() if "tea" in line.content.split()]
    assert told == ["tea", "Ida: the tea is [[Zacharias]]"]
    named = index.names_in_rows()
    told_lines = list(index.told_lines(index.told_files()))
    about = [told.line.recorded for told in told_lines if "zacharias" in named.get(told.rows[0], ())]
    assert about == [date(2025, 11, 28)]
    assert not index.strangers(["ida", "zacharias"])
    put(index, {"memory/2025-11-28.md": "- nothing\n"})
    assert index.strangers(["ida", "zacharias"]) == {"ida", "zacharias"}
    assert index.last_log_day() == date(2025, 12, 1)


def test_the_last_and_the_first_day_have_rows_of_their_own(index: Index) -> None:
    put(index, {"memory/9999-12-31.md": "- the end\n", "memory/0001-01-01.md": "- the start\n"})
    for day, text in ((date.max, "the end"), (date.min, "the start")):
        assert texts(index, index.line_rows_in(index.rows_between(Span(day, day)))) == [text]


def test_counts_of_terms(index: Index) -> None:
    seen = index.frequencies(["kettl", "kettle", "nowhere", "kett*"])
    assert seen["kettl"] + seen["kettle"] == 3
    assert seen["nowhere"] == 0
    assert seen["kett*"] >= 3
    lines, length = index.totals()
    assert lines == sum(len(parse(path, text).lines) for path, text in WORLD.items())
    assert length > lines


def test_a_name_that_lines_of_two_days_use_is_known_and_not_tagged(index: Index) -> None:
    put(index, {"memory/2025-12-02.md": "- we asked Bjarne\n- Status: open\n- Status: shut\n"})
    assert index.named(["bjarne", "status"]) == {}
    put(index, {"memory/2025-12-03.md": "- and paid Bjarne\n- Status: open\n"})
    assert index.named(["bjarne", "status"]) == {"bjarne": ("bjarne",)}
    assert LABELLED == Place.LABEL
    rows = index.rows_of(["bjarne"], facts=False)
    assert texts(index, rows) == ["and paid Bjarne", "we asked Bjarne"]
    assert index.names_in([*rows, 1], ["bjarne", "status"]) == dict.fromkeys(rows, "Bjarne")
    assert index.lines_of_names()["bjarne"] == 2
    assert index.tagged(["bjarne"]) == {}
    assert "bjarne" not in index.tagged_names()
    named = index.names_in_rows()
    told_lines = list(index.told_lines(index.told_files()))
    about = [told.line.content for told in told_lines if "bjarne" in named.get(told.rows[0], ())]
    assert about == ["we asked Bjarne", "and paid Bjarne"]
    put(index, {"memory/2025-12-04.md": "- @Bjarne came\n"})
    assert "bjarne" in index.tagged_names()
    assert index.tagged(["bjarne"]) == {"bjarne": ("bjarne",)}
    remove(index, "memory/2025-12-04.md")
    remove(index, "memory/2025-12-02.md")
    assert index.named(["bjarne"]) == {}


def test_names_lead_to_entities_a_page_first_with_the_aliases_that_lines_use(index: Index) -> None:
    assert index.named(["pete", "ann", "nobody"]) == {"pete": ("peter", "ann"), "ann": ("peter", "ann")}
    assert index.named(["peter"]) == {"peter": ("peter", "ann")}
    put(index, {"bank/entities/Zoe.md": "# Zoe\n", "bank/entities/Al.md": "---\naliases: [Zoe]\n---\n# Al\n"})
    assert index.named(["zoe"]) == {"zoe": ("zoe", "al")}
    assert index.aliases()["zoe"] == ("zoe", "al")
    assert index.entity_pages()["bank/entities/Al.md"] == ("al", "zoe")
    assert index.twins() == {}
    put(index, {"bank/entities/zoe.md": "# zoe\n"})
    assert index.twins() == {"bank/entities/Zoe.md": "zoe", "bank/entities/zoe.md": "zoe"}
    assert index.aliases()["pete"] == ("peter",)


def test_lines_that_somebody_says_and_that_name_somebody(index: Index) -> None:
    put(
        index,
        {
            "memory/2026-01-02.md": "Uma: no\nUma: I prefer rye\n\n- W @Uma: Lives in Ribe.\n",
            "memory/2026-01-03.md": "Met [[Uma]].\n",
        },
    )
    assert [line.content for line in index.spoken(2)] == ["Uma: I prefer rye", "Uma: no"]
    named = index.names_in_rows()
    told_lines = list(index.told_lines(index.told_files()))
    about = [told.line.content for told in told_lines if "uma" in named.get(told.rows[0], ())]
    assert about == ["Uma: no", "Uma: I prefer rye", "Met [[Uma]]."]
    (fact,) = [fact for fact in index.facts() if fact.entities == ("Uma",)]
    assert index.lasting(date(2026, 2, 1))[fact.id] == {"residence"}


def test_rows_by_entity_and_by_validity(index: Index) -> None:
    assert texts(index, index.rows_of(["peter"]))[:2] == ["Back home.", "Drinks mint tea."]
    assert "Peter: the kettle broke" in texts(index, index.rows_of(["peter"], facts=False))
    (newest,) = index.places_naming("peter", limit=1)
    assert index.row_at(*newest) == index.rows_of(["peter"], facts=False)[0]
    assert index.places_naming("nobody", limit=3) == []
    assert index.rows_of(["peter"], limit=1) == index.rows_of(["peter"])[:1]
    for start, end in (
        (date(2025, 11, 30), date(2025, 12, 24)), (None, date(2025, 11, 27)), (date(2025, 12, 1), None), (None, None)
    ):  # fmt: skip
        assert texts(index, index.rows_valid(Span(start, end), limit=9)) == ["In Marrakech (Nov 27–Dec 1, 2025)."]
    assert index.rows_valid(Span(date(2025, 12, 2), None), limit=9) == []


def test_facts_that_were_parsed_without_their_days_are_dated_by_the_index(index: Index) -> None:
    assert [fact.valid for fact in parse(NOVEMBER, WORLD[NOVEMBER], dated=False).facts if fact.valid] == []
    with Index(":memory:") as other:
        put(other, WORLD, dated=False)
        assert other.dump() == index.dump()


def test_lines_with_what_stands_above_them(index: Index) -> None:
    (row,) = matching(index, "teapot")
    line = index.lines([row])[row]
    assert (line.role, line.is_fact, line.conflict) == (Role.BULLET, False, False)
    assert line.line.origin is Origin.LOG
    assert index.context(line) == ("A day", "Talk", "Peter: the kettle broke")
    assert index.texts([row]) == {row: (line.parent, line.file, "so we bought a teapot")}
    assert {text for _, _, text in index.ancestors([line.parent]).values()} == {
        "A day",
        "Talk",
        "Peter: the kettle broke",
    }
    assert not index.lines([])
    assert index.texts([]) == index.ancestors([0]) == {}


def test_what_speaks_against_a_fact(index: Index) -> None:
    newer = index.row_of("home01")
    assert index.against(["k7f3qa", "home01"]) == {"k7f3qa": (newer,)}
    assert index.against(["k7f3qa"], ("contradicts",)) == {}
    assert list(index.against(["nobody"], ("contradicts",))) == ["nobody"]


def test_what_others_say_of_the_authors_facts_is_not_so_and_nobody_else_names_strangers(index: Index) -> None:
    said = "<!-- cp: supersedes=^k7f3qa,^web001 contradicts=^k7f3qa src=web:x -->"
    more = "## Retain\n- W @Olga: One. <!-- cp: src=web:x --> ^web001\n- W @Peter @Olga: Two. <!-- cp: src=web:y -->\n"
    before = index.against(["k7f3qa"])
    put(index, {"memory/2025-12-05.md": f"{more}- W @Olga: Three. {said} ^web003\n- W @Olga: Four. {said}\n"})
    assert index.against(["k7f3qa"]) == before
    assert index.against(["k7f3qa"], ("contradicts",)) == {}
    assert index.against(["web001"])["web001"][-1] == index.row_of("web003")
    assert index.strangers() == index.strangers(["olga", "peter"]) == {"olga"}
    assert index.strangers(["peter"]) == frozenset()
    put(index, {"bank/2025-11-27.md": "- W @Peter: Twin. <!-- cp: src=web:x --> ^k7f3qa\n"})
    fact = index.fact("k7f3qa")
    assert fact is not None
    assert fact.trailer.outsider == ""


def test_claims_by_their_slots(index: Index) -> None:
    """Pete is an alias of Peter; what stood in our own lines claims nothing; a trailer's word is told."""
    lives = "- W @Pete: Lives in Vienna. ^wien01\n- W @Pete: Lives in Graz. <!-- cp: supports=^wien01 --> ^graz01\n"
    moved = "- W @Peter: Moved to Lisbon. <!-- cp: src=web:example.org --> ^lis001\n- W @Bob: Lives in Rome.\n"
    put(index, {"memory/2025-12-02.md": f"## Retain\n{lives}", "memory/2025-12-03.md": f"## Retain\n{moved}"})
    rows = [index.row_of(id) or 0 for id in ("wien01", "graz01", "lis001")]
    assert index.claimed(rows) == dict.fromkeys(rows, frozenset({"residence/en"}))
    assert index.claimed(rows).items() <= index.every_slot().claimed.items()
    (group,) = index.slots(rows[:1]).groups
    assert [(claim.row, claim.value, claim.manner, claim.source) for claim in sorted(group)] == [
        (rows[0], "vienna", "", ""),
        (rows[1], "graz", "", ""),
        (rows[2], "lisbon", "c", "web:example.org"),
    ]
    assert sorted(index.placed(["peter", "nobody"], among=ALL_WRITTEN)) == sorted(rows)
    (all_of_it,) = index.every_slot().groups
    assert sorted(all_of_it) == sorted(group)
    assert index.slots(rows).told == {(rows[0], rows[1]), (rows[1], rows[0])}
    assert index.slots(rows, among=RowRange(WRITTEN, rows[1])).groups[0] == tuple(sorted(group)[1::-1])
    put(index, {"memory/2025-12-04.md": "## Retain\n- W @Peter: Never mind. <!-- cp: retracts=^lis001 -->\n"})
    assert index.slots(rows).mute == {rows[2]}
    assert index.slots(rows, among=RowRange(WRITTEN, rows[2])).mute == frozenset()


def test_pages_and_their_rows(index: Index) -> None:
    assert index.pages_of("peter") == [PETER]
    assert index.pages_of("pete") == []
    assert texts(index, index.rows_in(PETER))[-1] == "Call him on Sundays."
    assert len(index.rows_in(NOVEMBER, limit=2)) == 2
    assert index.rows_in("memory/none.md") == []


def test_the_undated_files_that_name_somebody(path: str) -> None:
    with Index(path) as index:
        files = {"USER.md": "- **Name:** Ida\n", "memory/2025-11-27.md": "- [[Ida]] slept.\n", "notes.md": "- Quay.\n"}
        put(index, files)
        assert index.naming_paths(["ida"], [*files, "IDENTITY.md"]) == ["USER.md"]
        assert index.naming_paths(["ida"], ["notes.md"]) == index.naming_paths(["bo"], [*files]) == []
        assert index.beside("USER.md", ["notes.md", "none.md"]) == ["notes.md", "none.md"]


# Facts.


def test_one_fact_by_its_id_or_its_place(index: Index) -> None:
    fact = index.fact("^k7f3qa")
    assert fact is not None
    assert fact.source == Citation(NOVEMBER, 4)
    assert (fact.kind, fact.entities, fact.block_id) == (Kind.WORLD, ("Peter",), True)
    assert fact.context == ("A day", "Retain")
    assert index.row_at(NOVEMBER, 4) == index.row_of("k7f3qa")
    assert index.fact("none") is None
    assert index.row_of("none") is index.row_at(NOVEMBER, 99) is index.row_at("none.md", 1) is None
    places = [Citation(NOVEMBER, 4), Citation(NOVEMBER, 99), Citation("none.md", 1)]
    assert index.rows_at(places) == {places[0]: index.row_of("k7f3qa")}


def test_facts_are_in_the_order_of_day_path_and_line(index: Index) -> None:
    put(index, {"memory/2025-11-27-b.md": "## Retain\n- W @Bo: Second file.\n", COPY: WORLD[NOVEMBER]})
    said = [fact.content for fact in index.facts()]
    assert said[1:5] == ["Second file.", "In Marrakech (Nov 27–Dec 1, 2025).", "Drinks mint tea.", "Drinks mint tea."]
    assert "Back home." in said[5:]
    assert [fact.content for fact in index.facts_of(["PETER"]).values()][-1] == "Back home."
    assert all(index.lines([row])[row].line == fact for row, fact in index.facts_of(["PETER"]).items())
    assert index.facts_of(["Nobody"]) == {}
    assert [fact.source.line for fact in index.facts_on(date(2025, 11, 27))] == [2, 4, 5, 6]


def test_lines_of_logs_are_all_but_facts_and_headings(index: Index) -> None:
    assert [line.content for line in index.log_lines()] == [
        "Peter: the kettle broke",
        "so we bought a teapot",
        "Peter: it pours well",
        "O(c=7) @Ann: Too sure.",
    ]
    assert next(index.log_lines()).context == ("A day", "Talk")
    assert [line.recorded for line in index.log_lines(since=date(2025, 11, 28))] == [date(2025, 12, 1)]
    assert index.last_log_day() == date(2025, 12, 1)
    put(index, {"memory/2026-01-01.md": "# New year\n\n## Retain\n- W @Peter: Slept late.\n"})
    assert index.last_log_day() == date(2025, 12, 1), "a fact is no line of narrative, nor is a heading"
    remove(index, *WORLD)
    assert index.last_log_day() is None


def test_the_days_on_which_the_same_facts_are_over_and_ahead(index: Index) -> None:
    put(index, {"memory/2026-03-01.md": "## Retain\n- W @Peter: In Rome until March 9, 2026.\n- W: Open since May.\n"})
    ends = [date(2025, 5, 1), date(2025, 12, 2), date(2026, 3, 10)]
    assert index.same_days(date(2025, 4, 30)) == (date.min, date(2025, 4, 30))
    for day, first, after in (
        (date(2025, 12, 1), 0, 1),
        (date(2025, 12, 2), 1, 2),
        (date(2026, 2, 1), 1, 2),
        (date(2026, 3, 9), 1, 2),
    ):
        assert index.same_days(day) == (ends[first], ends[after] - timedelta(days=1))
    assert index.same_days(date(2026, 3, 10)) == (ends[2], date.max)
    remove(index, *WORLD, "memory/2026-03-01.md")
    assert index.same_days(date(2026, 3, 10)) == (date.min, date.max)


def test_what_is_cached_is_given_back_to_the_program_that_left_it(index: Index) -> None:
    before = index.dump()
    value = {b"a digest": (("o-1", "supports", 0.1 + 0.2), None, True)}
    assert index.cached("findings") is None
    index.cache("findings", {})
    index.cache("findings", value)
    assert index.cached("findings") == value
    assert index.cached("other") is None
    assert index.dump() == before, "the cache is no part of what the index says"
    index.run("update cache set program = 'an earlier one'")
    assert index.cached("findings") is None
    index.cache("findings", value)
    index.run("update cache set value = x'00'")
    assert index.cached("findings") is None
    index.cache("findings", value)
    index.transaction(index.writer.clear)
    assert index.cached("findings") is None


def test_a_cache_that_cannot_be_written_is_no_harm(path: str) -> None:
    with Index(path) as index, Index(path) as other:
        index.run("pragma busy_timeout = 0").fetchall()
        other.run("begin immediate")
        index.cache("findings", {})
        other.run("rollback")
        assert index.cached("findings") is None


def test_twins_are_numbered_and_the_number_is_given_back(index: Index) -> None:
    tea = [fact for fact in index.facts() if fact.content == "Drinks mint tea."]
    base = tea[0].id
    assert [fact.id for fact in tea] == [base, f"{base}-2"]
    remove(index, NOVEMBER)
    put(index, {NOVEMBER: WORLD[NOVEMBER].replace("- W @Peter: Drinks mint tea.\n", "", 1)})
    assert [fact.id for fact in index.facts() if fact.content == "Drinks mint tea."] == [base]


def test_a_conflict_copy_is_found_and_counts_for_nothing(index: Index) -> None:
    facts, entities = index.facts(), index.entities()
    put(index, {COPY: WORLD[NOVEMBER]})
    assert (index.facts(), index.entities()) == (facts, entities)
    rows = matching(index, "Marrakech")
    assert sorted(index.lines([row])[row].conflict for row in rows) == [False, True]
    assert index.copies() == {COPY: NOVEMBER}
    assert [(problem.source.path, problem.code) for problem in index.problems()][:1] == [(COPY, "conflict-copy")]
    remove(index, COPY)
    assert index.dump() == fresh(WORLD)


def test_where_our_regions_stand(index: Index) -> None:
    page = "# Peter\n\n<!-- commonplace: entity -->\nIn Rome.\n<!-- /commonplace 5c1e90b2 -->\n\nCall him.\n"
    put(index, {"bank/entities/Peter.md": page})
    page, *others = "bank/entities/Peter.md", "memory/2025-11-27.md", "none.md"
    assert index.regions([page, *others]) == {page: ((3, 5),), **dict.fromkeys(others, ())}
    assert index.regions([]) == {}


# Entities, opinions, problems, counts.


def test_entities(index: Index) -> None:
    assert index.entities() == (
        Entity("ann", "Ann", None, (), 1, date(2025, 12, 1)),
        Entity("peter", "Peter", PETER, ("Ann", "Pete"), 5, date(2025, 12, 1)),
    )
    put(index, {"memory/2026-01-01.md": "- [[old mill]] and [[Old Mill]] and\n- [[Old Mill]]\n- [[Old-Mill]]\n"})
    mill = next(entity for entity in index.entities() if entity.key == "old mill")
    assert (mill.page, mill.facts, mill.last) == (None, 0, None)
    assert mill.name in ("Old Mill", "Old-Mill", "old mill")


def test_a_page_does_not_change_how_a_name_is_spelled(index: Index) -> None:
    names = ("open-mill", "The-Mill", "Mill race")
    put(index, {"memory/2026-01-01.md": "".join(f"- [[{name}]] turns\n" for name in names)})
    put(index, {f"bank/entities/{name.replace(' ', '-')}.md": f"# {name}\n" for name in names})
    spelled = {entity.key: entity.name for entity in index.entities() if entity.page}
    assert [spelled[key] for key in ("open mill", "the mill", "mill race")] == ["open-mill", "The Mill", "Mill race"]
    assert index.names(spelled) == spelled


def test_opinions_keep_their_evidence(index: Index) -> None:
    twice = WORLD[OPINIONS] + WORLD[OPINIONS].partition("\n\n")[2].replace("for, 0.96", "against, 0.50")
    remove(index, OPINIONS)
    put(index, {OPINIONS: twice})
    first, second = index.opinions()
    assert first.id == second.id == "o-4m7k"
    assert (first.statement, first.entities, first.source) == ("Prefers mint tea.", ("Peter",), Citation(OPINIONS, 3))
    assert [item.stance for item in first.evidence] == [Stance.SUPPORTS]
    assert [item.stance for item in second.evidence] == [Stance.CONTRADICTS]
    assert first.evidence[0].fact_id == "k7f3qa"
    said = Fact("k7f3qa", Kind.OPINION, "Likes it minty.", ("Peter",), Citation(NOVEMBER, 4))
    assert index.opinions_on([said]) == (first,)
    assert index.opinions_on([said._replace(id="", content=first.statement, entities=("peter",))]) == (first, second)
    assert index.opinions_on([said._replace(id="home01", content=first.statement, entities=("Mona",))]) == ()
    assert index.places(["k7f3qa", "nobody"]) == {"k7f3qa": index.fact("k7f3qa").source}  # type: ignore[union-attr]
    assert index.opinions_at([Citation(NOVEMBER, 4), Citation(OPINIONS, 3)]) == (first,)
    assert index.opinions_at([Citation(OPINIONS, 4)]) == index.opinions_at([]) == ()
    assert index.opinions_about(["peter"]) == (first, second)
    assert index.opinions_about(["mona"]) == ()
    assert (index.opinion("o-4m7k"), index.opinion("o-none")) == (first, None)


def test_lines_of_ours_are_found_below_all_others(index: Index) -> None:
    body = "Peter bought the **Kettle** himself. [[Peter]] is fond of it."
    page = renew(WORLD[PETER], "entity", [f"- {body}"]).text
    assert any(line.generated for line in parse(PETER, page).lines)

    def seen() -> tuple[object, ...]:
        counts = index.totals(), index.frequencies(["kettle"])
        return *counts, matching(index, "kettle"), sorted(texts(index, index.rows_of(["peter"], facts=False)))

    before = seen()
    remove(index, PETER)
    put(index, {PETER: page})
    assert seen() == before
    (row,) = matching(index, "kettle", RowRange(0, WRITTEN - 1))
    assert index.lines([row])[row].line.origin is Origin.GENERATED
    assert row in index.rows_in(PETER)
    assert index.dump() == fresh({**WORLD, PETER: page})


def test_problems_name_ids_that_stand_twice(index: Index) -> None:
    assert [(problem.source.path, problem.code) for problem in index.problems()] == [(DECEMBER, "bad-confidence")]
    put(index, {"memory/2025-12-02.md": "## Retain\n- W @Ann: Not home. ^home01\n"})
    assert [problem.code for problem in index.problems()] == ["bad-confidence", "duplicate-id"]
    assert index.problems()[1].source == Citation("memory/2025-12-02.md", 2)
    assert index.dangling() == [(Citation(DECEMBER, 3), "contradicts", "nobody")]


def test_where_facts_stand(index: Index) -> None:
    stands = index.stands(
        ["k7f3qa", "home01", "nobody", *(fact.id for fact in index.facts() if fact.content.startswith("Drinks"))]
    )
    assert stands["k7f3qa"][:3] == (NOVEMBER, 4, 1)
    assert stands["home01"][:3] == (DECEMBER, 2, 1)
    assert sorted((each.line, each.twins) for each in stands.values()) == [(2, 1), (4, 1), (5, 2), (6, 2)]
    assert all(each.digest == f"digest of {len(WORLD[each.path])}" for each in stands.values())
    put(index, {NOVEMBER: WORLD[NOVEMBER], COPY: WORLD[NOVEMBER]})
    assert index.stands(["k7f3qa"])["k7f3qa"].path == NOVEMBER


def test_counts(index: Index) -> None:
    counts = index.counts()
    facts = index.one("select count(*) from facts where origin <> 'generated'")
    assert counts["files"] == len(WORLD) == len(index.digests())
    assert (counts["facts"], counts["entities"], counts["opinions"], len(index.problems())) == (facts, 2, 1, 1)
    assert counts["lines"] == index.totals()[0]
    assert index.sizes() == (counts["files"], counts["facts"], 1)


# Putting and removing.


def test_what_is_removed_leaves_nothing(index: Index) -> None:
    remove(index, *WORLD, "memory/none.md")
    assert index.dump() == fresh({})
    assert index.totals() == (0, 0)
    assert not matching(index, "kettle")
    assert index.verify() is None


def test_clearing_leaves_nothing(index: Index) -> None:
    index.writer.keep_states({NOVEMBER: (1, 2, 3, 4)}, 5)
    index.transaction(index.writer.clear)
    assert index.dump() == fresh({})
    assert index.states() == ({}, 0)
    put(index, WORLD)
    assert index.dump() == fresh(WORLD)


def test_a_long_file_comes_and_goes(index: Index) -> None:
    lines = [f"- W @P{number % 7}: Number {number % 4500} is a kettle." for number in range(5000)]
    put(index, {"memory/2025-11-30.md": "## Retain\n" + "\n".join(lines)})
    assert len(index.rows_in("memory/2025-11-30.md")) == 5001
    assert len(matching(index, "kettle", limit=9000)) == 5003
    remove(index, "memory/2025-11-30.md")
    assert index.dump() == fresh(WORLD)
    assert index.verify() is None


LONG = {
    "words": " ".join(f"word{number}" for number in range(3_000)),
    "no spaces": "".join(chr(0x4E00 + number) for number in range(12_000)),
    "a blob": "".join(f"{number:x}z" for number in range(4_096, 7_000)),
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_very_long_line_is_kept_in_parts_of_one_citation(index: Index, text: str) -> None:
    path = "memory/2025-11-30.md"
    put(index, {path: f"# Blob\n- {text} kettle\n  - a child\n"})
    rows = index.rows_in(path)
    parts = [line for line in index.lines(rows).values() if line.line.source.line == 2]
    assert len(parts) > 2
    assert {len(part.line.content) <= LONGEST_LINE for part in parts} == {True}
    assert {index.context(part) for part in parts} == {("Blob",)}
    found = [part.line.content for part in parts]
    starts = [f"{text} kettle".index(part) for part in found]
    covered = {at for start, part in zip(starts, found, strict=True) for at in range(start, start + len(part))}
    assert {at for at, sign in enumerate(text) if sign != " "} <= covered, "nothing is lost"
    (hit,) = [row for row in matching(index, "kettle") if row in rows]
    assert index.lines([hit])[hit].line.content.endswith("kettle")
    assert index.row_at(path, 2) == min(row for row in rows if index.lines([row])[row].line.source.line == 2)
    child = next(line for line in index.lines(rows).values() if line.line.source.line == 3)
    assert index.context(child)[0] == "Blob"
    remove(index, path)
    assert index.dump() == fresh(WORLD)


def test_a_context_is_the_nearest_twelve(index: Index) -> None:
    put(index, {"memory/2025-11-30.md": "".join(f"{'  ' * depth}- depth {depth}\n" for depth in range(40))})
    row = index.row_at("memory/2025-11-30.md", 40)
    assert row is not None
    assert index.context(index.lines([row])[row]) == tuple(f"depth {depth}" for depth in range(27, 39))


def test_digests_and_states(index: Index) -> None:
    assert index.digests() == {path: f"digest of {len(text)}" for path, text in WORLD.items()}
    assert index.states() == ({}, 0) and index.looked() == 0
    states = {"memory/naïve 記.md": (1, 2**62, 3, 2**63)}
    index.writer.keep_states(states, 2**61)
    index.writer.keep_states(states, 2**62)
    assert index.states() == (states, 2**62) and index.looked() == 2**62 == index.taken()
    index.writer.keep_states(states, 2**62 + 9, anew=False)
    assert (index.looked(), index.taken()) == (2**62 + 9, 2**62)
    index.writer.keep_states(states, 2**60)  # the clock went back
    assert (index.looked(), index.taken()) == (2**60, 2**62 + 1)


def test_states_that_cannot_be_read_are_none(index: Index) -> None:
    for blob in (b"garbage", b"", b"(\x02", b"i\x01\x00\x00\x00"):
        index.run("insert or replace into meta values ('states', ?)", (blob,))
        assert index.states() == ({}, 0)


CHANGES = st.lists(
    st.tuples(
        st.sampled_from([*WORLD, COPY, "memory/2025-11-27-b.md"]), st.sampled_from([None, *WORLD.values()])
    ),
    max_size=12,
)  # fmt: skip


@settings(max_examples=60)
@given(CHANGES)
def test_changes_one_by_one_equal_one_filling(changes: list[tuple[str, str | None]]) -> None:
    files: dict[str, str] = {}
    with Index(":memory:") as index:
        for path, text in changes:
            remove(index, path)
            files.pop(path, None)
            if text is not None:
                put(index, {path: text})
                files[path] = text
        assert index.dump() == fresh(files)


# Transactions.


def test_a_transaction_that_fails_leaves_everything(index: Index) -> None:
    before = index.dump()

    def fail() -> None:
        index.writer.clear()
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        index.transaction(fail)
    assert index.dump() == before
    assert index.transaction(lambda: 7) == 7


def test_a_reader_keeps_its_moment_during_a_rebuild(path: str) -> None:
    with Index(path) as writer, Index(path) as reader:
        put(writer, WORLD)
        before = reader.dump()
        row = reader.row_of("k7f3qa")

        def rebuild() -> None:
            writer.writer.clear()
            writer.writer.put([(parse(NOTES, "- only this\n"), "", ())])
            assert reader.dump() == before, "nothing is seen of what is not committed"

        def work() -> int | None:
            assert reader.totals()[0] > 1
            writer.transaction(rebuild)
            assert reader.dump() == before
            return reader.row_of("k7f3qa")

        assert reader.reading(work) == row
        assert reader.totals()[0] == 1
        with pytest.raises(ZeroDivisionError):
            reader.reading(lambda: 1 / 0)
        assert reader.reading(reader.totals)[0] == 1


def test_more_memory_is_used_only_while_everything_is_indexed(path: str) -> None:
    kept = []
    with Index(path) as index:
        before = index.one("pragma cache_size")

        def documents() -> Iterator[tuple[Any, str, tuple[()]]]:
            kept.append(index.one("pragma cache_size"))
            yield parse(NOTES, "- only this\n"), "", ()

        index.transaction(lambda: index.writer.put(documents()))
        index.transaction(lambda: index.writer.put(documents()))
        assert index.one("pragma cache_size") == before
    assert kept[0] < before == kept[1], "a negative number of KiB"


def test_a_second_writer_is_told(path: str) -> None:
    with Index(path) as one, Index(path) as two:
        two.run("pragma busy_timeout = 10").fetchall()

        def work() -> None:
            with pytest.raises(Busy):
                two.transaction(two.writer.clear)
            with pytest.raises(Busy):
                two.shrink()

        one.transaction(work)
        two.transaction(two.writer.clear)


# The file.


def test_it_is_for_its_owner_alone(path: str) -> None:
    with Index(path) as index:
        put(index, WORLD)
        for name in os.listdir(os.path.dirname(path)):
            full = os.path.join(os.path.dirname(path), name)
            assert stat.S_IMODE(os.stat(full).st_mode) == 0o600, name


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    treasure = tmp_path / "treasure.sqlite"
    with apsw.Connection(str(treasure)) as db:
        db.execute("create table gold(x); insert into gold values (1)")
    db.close()
    before = treasure.read_bytes()
    (tmp_path / "index.sqlite").symlink_to(treasure)
    with pytest.raises(IndexUnusable):
        Index(str(tmp_path / "index.sqlite"))
    (tmp_path / "dangling.sqlite").symlink_to(tmp_path / "nowhere")
    with pytest.raises(IndexUnusable):
        Index(str(tmp_path / "dangling.sqlite"))
    assert treasure.read_bytes() == before
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_that_is_reached_by_a_link_is_well(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with Index(str(tmp_path / "link" / "index.sqlite")) as index:
        put(index, WORLD)
    assert (tmp_path / "real" / "index.sqlite").exists()
    with pytest.raises(IndexUnusable):
        Index(str(tmp_path / "none" / "index.sqlite"))


@pytest.mark.parametrize("schema", [SCHEMA - 1, 0])
def test_another_schema_is_made_anew(path: str, schema: int) -> None:
    with Index(path) as index:
        put(index, WORLD)
        index.writer.keep_states({}, 1)
        assert index.fresh
        index.run("create view seen as select * from files")
        index.run(f"pragma user_version = {schema}")
    with Index(path) as index:
        assert index.fresh
        assert index.dump() == fresh({})
        assert index.one("select count(*) from sqlite_master where name = 'seen'") == 0
        put(index, WORLD)
    with Index(path) as index:
        assert index.dump() == fresh(WORLD)


def test_a_newer_program_s_file_is_left_alone_unless_it_shall_be_replaced(path: str) -> None:
    with Index(path) as index:
        put(index, WORLD)
        assert index.current()
        index.run(f"pragma user_version = {SCHEMA + 1}")
        assert not index.current()
    before = Path(path).read_bytes()
    for _ in range(2):
        with pytest.raises(IndexUnusable, match=f"newer .* schema {SCHEMA + 1}, this version has {SCHEMA}"):
            Index(path)
    assert Path(path).read_bytes() == before
    with Index(path, anew=True) as index:
        assert index.current()
        assert index.dump() == fresh({})


def test_another_program_s_file_of_our_number_is_made_anew(path: str) -> None:
    with apsw.Connection(path) as db:
        db.execute(f"create table files(x); pragma user_version = {SCHEMA}")
    db.close()
    with Index(path) as index:
        put(index, WORLD)
        assert index.dump() == fresh(WORLD)


def test_it_is_fresh_until_a_sync_has_ended(path: str) -> None:
    with Index(path) as index:
        assert index.fresh
        put(index, WORLD)
    with Index(path) as index:
        assert index.fresh, "a sync that never ended"
        index.writer.keep_states({}, 1)
    with Index(path) as index:
        assert not index.fresh


def test_an_empty_file_is_a_new_one(path: str) -> None:
    Path(path).touch()
    with Index(path) as index:
        assert index.fresh
        put(index, WORLD)
        assert index.facts()


@pytest.mark.parametrize("damage", ["garbage", "half", "header"])
def test_damage_is_told(path: str, damage: str) -> None:
    with Index(path) as index:
        put(index, WORLD)
    whole = Path(path).read_bytes()
    spoilt = {"garbage": b"not a database" * 999, "half": whole[: len(whole) // 2], "header": b"\0" * 64 + whole[64:]}
    Path(path).write_bytes(spoilt[damage])
    with pytest.raises(Index.damaged), Index(path) as index:
        index.dump()


def test_what_is_wrong_inside_is_found(path: str) -> None:
    with Index(path) as index:
        put(index, WORLD)
        assert index.verify() is None
        index.run("delete from terms_data where id > 10")
    with Index(path) as index:
        assert index.verify()


def test_the_rows_of_a_day_can_be_used_up(path: str) -> None:
    with Index(path) as index:
        put(index, WORLD)
        rows = index.rows_between(Span(date(2025, 12, 3), date(2025, 12, 3)))
        index.run("insert into lines(row, file, line, count, text) values (?, 1, 1, 1, '')", (rows.last,))
        with pytest.raises(Index.damaged):
            put(index, {"memory/2025-12-03.md": "- one more\n"})
        assert index.line_rows_in(rows) == [rows.last]


def test_deleted_words_are_not_in_the_file(path: str) -> None:
    words = (b"xylophonist", b"Xylophonist")
    with Index(path) as index:
        put(index, WORLD)
        put(index, {"memory/2025-12-24.md": "- The Xylophonist came. [[Xylophonist]]\n"})
        put(index, {"memory/2025-12-25.md": "- And left.\n"})
        assert any(word in Path(path + "-wal").read_bytes() for word in words)
        remove(index, "memory/2025-12-24.md")
        index.shrink()
        for name in (path, path + "-wal"):
            content = Path(name).read_bytes()
            assert not any(word in content for word in words), name
        assert matching(index, "left")
        assert index.verify() is None


# Other processes.


PRELUDE = """
import os, signal, sys
import apsw
from commonplace.core.documents.parse import parse
from commonplace.store.sqlite import Index
"""


def child(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PRELUDE + script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


KILLED = """
def die():
    os.kill(os.getpid(), signal.SIGKILL)

path, when = sys.argv[1:]
index = Index(path)
def documents():
    for day in range(1, 29):
        if when == "middle" and day == 20:
            die()
        yield parse(f"memory/2024-02-{day:02}.md", "- a new line of some length\\n" * 600), "new", ()
def work():
    index.writer.clear()
    if when == "start":
        die()
    index.writer.put(documents())
    index.writer.keep_states({}, 1)
    if when == "end":
        die()
index.transaction(work)
die()
"""


@pytest.mark.parametrize("when", ["start", "middle", "end", "after"])
def test_killed_in_a_rebuild(path: str, when: str) -> None:
    with Index(path) as index:
        put(index, WORLD)
        before = index.dump()
    assert child(KILLED, path, when).returncode == -9
    with Index(path) as index:
        assert index.verify() is None
        if when == "after":
            assert index.sizes()[0] == 28
            return
        assert index.dump() == before
        index.transaction(index.writer.clear)
        put(index, WORLD)
        assert index.dump() == before


@pytest.mark.parametrize("when", ["start", "middle", "end", "after"])
def test_killed_in_the_first_filling(path: str, when: str) -> None:
    assert child(KILLED, path, when).returncode == -9
    with Index(path) as index:
        assert index.fresh == (when != "after")
        assert index.sizes()[0] == (28 if when == "after" else 0)
        index.transaction(index.writer.clear)
        put(index, WORLD)
        assert index.dump() == fresh(WORLD)


TOGETHER = """
folder, count = sys.argv[1], 6
paths = [f"memory/2025-11-{day:02}.md" for day in range(1, 29)]
for round in range(8):
    path = os.path.join(folder, f"{round}.sqlite")
    gate, opened = os.pipe()
    children = []
    for _ in range(count):
        pid = os.fork()
        if pid:
            children.append(pid)
            continue
        status = 1
        try:
            os.close(opened)
            os.read(gate, 1)  # all start when the gate closes
            with Index(path) as index:
                def work():
                    known = index.digests()
                    index.writer.put((parse(each, "- a line\\n" * 20), "d", ()) for each in paths if each not in known)
                index.transaction(work)
                status = 0 if index.sizes()[0] == len(paths) and index.totals()[0] == 20 * len(paths) else 3
        except BaseException as error:
            sys.stderr.write(f"{type(error).__name__}: {error}\\n")
        os._exit(status)
    os.close(opened)
    os.close(gate)
    if any([os.waitpid(pid, 0)[1] for pid in children]):
        sys.exit(1)
"""


def test_many_start_on_nothing_at_once(tmp_path: Path) -> None:
    done = child(TOGETHER, str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    for path in tmp_path.glob("*.sqlite"):
        with Index(str(path)) as index:
            assert index.verify() is None
            assert index.counts()["files"] == 28


def opened_meanwhile(path: str, wait: float) -> subprocess.Popen[str]:
    script = PRELUDE + "with Index(sys.argv[1]) as index:\n    print(index.sizes()[0])\n"
    process = subprocess.Popen([sys.executable, "-c", script, path], text=True, stdout=subprocess.PIPE)
    sleep(wait)
    assert process.poll() is None, "it waits for us"
    return process


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_one_who_comes_while_the_tables_are_made_waits_and_keeps_them(path: str, mode: str) -> None:
    db = apsw.Connection(path)
    db.set_busy_timeout(10_000)  # without a write-ahead log a commit waits for those who are just reading
    db.pragma("journal_mode", mode)
    db.execute("begin immediate").execute(TABLES)
    db.execute("insert into files(path) values ('memory/2025-11-27.md')")
    with opened_meanwhile(path, 0.6) as process:
        db.execute("commit")
        db.close()
        assert process.communicate(timeout=30)[0] == "1\n"
    assert process.returncode == 0


def test_a_file_system_without_shared_memory(path: str) -> None:
    done = child(
        """
apsw.set_default_vfs("unix-dotfile")
for day in (1, 2):
    with Index(sys.argv[1]) as index:
        index.transaction(lambda: index.writer.put([(parse(f"memory/2025-11-{day:02}.md", "- a line\\n"), "d", ())]))
        print(index.sizes()[0], index.one("pragma journal_mode"))
""",
        path,
    )
    assert (done.stdout, done.stderr) == ("1 delete\n2 delete\n", "")


def test_a_file_that_may_only_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    path = folder / "index.sqlite"
    with Index(str(path)) as index:
        put(index, WORLD)
    before = path.read_bytes()
    script = """
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    with Index(sys.argv[1]) as index:
        print(index.sizes()[0])
        index.transaction(index.clear)
except (*Index.refused, Exception) as error:
    print("refused" if isinstance(error, Index.refused) else repr(error))
"""
    for mode, folder_mode in ((0o444, 0o777), (0o444, 0o555), (0o000, 0o777)):
        path.chmod(mode)
        folder.chmod(folder_mode)
        for parent in tmp_path.parents[:3]:
            parent.chmod(parent.stat().st_mode | 0o011) if os.geteuid() == 0 and parent != Path("/") else None
        said = child(script, str(path))
        folder.chmod(0o777)
        assert said.stderr == ""
        assert said.stdout in ("refused\n", f"{len(WORLD)}\nrefused\n") or "IndexUnusable" in said.stdout, said.stdout
        assert path.read_bytes() == before


def test_told_lines_are_what_people_wrote_with_what_is_above_it() -> None:
    index = Index(":memory:")
    files = {
        "memory/2026-03-04.md": "## Work with @Ann\n- Sold the van to @Bo\n  - for 900\n## Retain\n- W @Bo: Paid.\n",
        "memory/notes.md": "Rules of [[Bo]] are long, and\nstrict\n",
        "MEMORY.md": "- Ann pays the rent\n",
        "bank/entities/Bo.md": "# Bo\nCall him.\n",
    }
    put(index, files)
    marks = index.told_files()
    assert marks.keys() == {"memory/2026-03-04.md", "memory/notes.md", "MEMORY.md"}
    found = {told.line.content: told for told in index.told_lines(marks)}
    texts_above = {content: [text for _, text in told.above] for content, told in found.items()}
    assert texts_above == {
        "Sold the van to @Bo": ["Work with @Ann"],
        "for 900": ["Sold the van to @Bo", "Work with @Ann"],
        "Rules of [[Bo]] are long, and strict": [],
        "Ann pays the rent": [],
    }
    assert [told.line.content for told in index.told_lines(["MEMORY.md"])] == ["Ann pays the rent"]
    wrapped = found["Rules of [[Bo]] are long, and strict"]
    assert len(wrapped.rows) == 2
    assert list(index.told_at(wrapped.rows)) == [wrapped]
    named = index.names_in_rows()
    assert named[found["Sold the van to @Bo"].rows[0]] == named[wrapped.rows[0]] == ("bo",)
    put(index, files | {"memory/notes.md": "Rules of [[Bo]]\n"})
    changed = {path for path, mark in index.told_files().items() if mark != marks[path]}
    assert "memory/notes.md" in changed and "memory/2026-03-04.md" not in changed


def test_a_sentence_that_was_wrapped_is_one_line_of_a_log(index: Index) -> None:
    text = (
        "We rented the office because the old one\nwas sold in December.\n\n- Moved the backup\n  to the cellar.\n"
        "- Bought tar\n- and oakum\n\nFirst line\nSecond line\nAnna: and so\nit goes\n"
        "\nuser: sell the van\nassistant: it is sold\n"
    )
    document = parse("memory/2026-03-04.md", text)
    index.writer.put([(document, "0", ())])
    found = [(line.source.line, line.lines, line.content) for line in index.log_lines(since=date(2026, 3, 4))]
    assert found == [
        (1, 2, "We rented the office because the old one was sold in December."),
        (4, 2, "Moved the backup to the cellar."),
        (6, 1, "Bought tar"),
        (7, 1, "and oakum"),
        (9, 1, "First line"),
        (10, 1, "Second line"),
        (11, 2, "Anna: and so it goes"),
        (14, 1, "user: sell the van"),
        (15, 1, "assistant: it is sold"),
    ]


def test_a_sentence_that_never_ends_is_looked_through_once(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """An export of a chat has no full stops: with all that was joined so far looked at for each line, 5 MB took a
    minute."""
    lines = 500
    said = "anna said something about the garden, the boat, the boxes and the long way to the harbour"
    index.writer.put([(parse("memory/long.md", f"{said}\n" * lines), "0", ())])
    looked = 0

    def counted(above: str, line: str) -> bool:
        nonlocal looked
        looked += len(above)
        return goes_on(above, line)

    monkeypatch.setattr(narrative_queries, "goes_on", counted)
    (told,) = index.told_lines(["memory/long.md"])
    assert told.line.lines == lines
    assert len(said) * (lines - 1) == looked


def test_rows_of_one_day_share_a_number(index: Index) -> None:
    rows = [row for line in range(1, 40) if (row := index.row_at("memory/2025-11-27.md", line)) is not None]
    assert len(rows) > 1
    assert index.count_days(rows) == 1
    other = index.rows_between(Span(date(2025, 11, 28), None)).first
    assert index.count_days([*rows, other]) == 2


def test_a_document_is_what_a_file_says_of_one_day(index: Index) -> None:
    numbers = [index.row_at("memory/2025-11-27.md", line) for line in range(1, 40)]
    rows = sorted({row for row in numbers if row is not None})
    terms = [([rows[0], rows[-1]], 1.0), (rows, 2.0), ([rows[-1] + 100], 4.0)]
    found, documents = index.surroundings(rows, terms, reach=2)
    assert found.keys() == set(rows)
    assert [*documents.values()] == [(len(rows), ((0, 2), (1, len(rows))))]
    assert {document for _, _, document in found.values()} == documents.keys()
    assert [found[row][1] for row in (rows[0], rows[1], rows[4])] == [2.0, 3.0, 2.0]
    assert index.documents() == len(index.all("select 1 from blocks"))
    assert {row: length for row, (length, _, _) in found.items()} == {
        row: line.length for row, line in index.lines(found).items()
    }


def test_a_part_of_a_large_file_takes_the_place_of_what_was_there(index: Index) -> None:
    text = "# A day\n\n## Retain\n" + "".join(f"- W @Peter: Said {number}.\n" for number in range(2500))
    put(index, {**WORLD, NOVEMBER: text})
    known = index.writer.chunks(NOVEMBER)
    assert known and not index.writer.chunks(DECEMBER) and not index.writer.chunks("memory/none.md")
    grown = text.replace("Said 1200.", "Heard 1200.").replace("- W @Peter: Said 900.\n", "")
    part = reread(NOVEMBER, grown, known=known)
    assert part is not None and part.stop
    assert index.transaction(lambda: index.writer.splice(part, digest=f"digest of {len(grown)}"))
    assert [each.mark.number for each in index.writer.chunks(NOVEMBER)] == [each.mark.number for each in part.chunks]
    with Index(":memory:") as whole:
        put(whole, {**WORLD, NOVEMBER: grown})
        assert index.dump() == whole.dump()


def test_neighbours_are_the_lines_beside_a_line_in_its_file(index: Index) -> None:
    put(index, {"memory/2025-11-29.md": "one\ntwo\nthree\nfour\n", "memory/2025-11-29-2.md": "five\nsix\n"})

    def beside(number: int, path: str = "memory/2025-11-29.md", reach: int = 1) -> tuple[list[str], list[str]]:
        row = index.row_at(path, number)
        assert row is not None
        before, after = index.neighbours([row], before=reach, after=reach)[row]
        return [text for _, _, text in before], [text for _, _, text in after]

    assert beside(2) == (["one"], ["three"])
    assert beside(3, reach=5) == (["two", "one"], ["four"]), "nearest first, and of no other file"
    assert beside(1, "memory/2025-11-29-2.md") == ([], ["six"])
    assert index.neighbours([]) == {}


def test_neighbours_see_past_the_gap_that_lines_leave_which_went_from_a_large_file(index: Index) -> None:
    text = "# A day\n\n" + "".join(f"- Said {number}.\n" for number in range(2500))
    put(index, {**WORLD, NOVEMBER: text})
    lines = text.splitlines(keepends=True)
    shorter = "".join(line for line in lines if not 1200 <= lines.index(line) - 2 < 1203)
    part = reread(NOVEMBER, shorter, known=index.writer.chunks(NOVEMBER))
    assert part is not None and index.transaction(lambda: index.writer.splice(part, digest=f"digest of {len(shorter)}"))
    rows = index.rows_in(NOVEMBER)
    gaps = [at for at, (row, following) in enumerate(pairwise(rows)) if following - row > 1]
    assert gaps, "the lines that went left numbers without a row"
    texts_of = {row: line.line.content for row, line in index.lines(rows).items()}
    for at in gaps:
        last, first = rows[at], rows[at + 1]
        found = index.neighbours([last, first], before=2, after=2)
        assert [text for _, _, text in found[last][1]] == [texts_of[row] for row in rows[at + 1 : at + 3]]
        assert [text for _, _, text in found[first][0]] == [texts_of[rows[at]], texts_of[rows[at - 1]]]


def test_a_part_that_does_not_fit_changes_nothing(index: Index) -> None:
    text = "# A day\n\n## Retain\n" + "".join(f"- W @Peter: Said {number}.\n" for number in range(2500))
    put(index, {NOVEMBER: text, "memory/2025-11-27-call.md": "- the rows of that day are taken from here on\n"})
    part = reread(NOVEMBER, text + "- W @Peter: Said more.\n", known=index.writer.chunks(NOVEMBER))
    before = index.dump()
    assert part is not None
    assert not index.transaction(lambda: index.writer.splice(part, digest="digest"))
    assert index.dump() == before


def test_known_names_and_the_days_that_mention_them(index: Index) -> None:
    put(
        index,
        {
            "memory/2025-12-02.md": "- @Uma came\n- @Uma left\n",
            "memory/2025-12-05.md": "- @Uma came again\n",
            "bank/entities/Dock.md": "---\naliases: [the pier]\n---\n# Dock\n",
        },
    )
    assert {"uma", "dock", "the pier"} <= {*index.known_names()}
    assert index.days_of_entities()["uma"] == (2, date(2025, 12, 2), date(2025, 12, 5))
    assert "dock" not in index.days_of_entities()


def test_the_lines_that_name_entities_and_the_kinds_that_pages_state(index: Index) -> None:
    put(
        index,
        {
            "USER.md": "- **Name:** Vibeke\n",
            "memory/2025-12-02.md": "- @Uma came\n- @Uma left\n",
            "bank/entities/Dock.md": "---\nkind: 'pier'\n---\n# Dock\n",
            "memory/2025-12-05.md": "- kind: no front matter\n",
        },
    )
    found = index.namings(["USER.md"])
    assert found["uma"] == Namings(["@Uma left", "@Uma came"], False)
    assert found["vibeke"].person and not index.namings([])["vibeke"].person
    assert index.namings([], ["uma"]).keys() == {"uma"}
    assert index.is_somebody(["USER.md"], ["uma", "vibeke"])
    assert not index.is_somebody([], ["vibeke"]) and not index.is_somebody(["USER.md"], ["uma", "nobody"])
    assert index.stated_kinds() == {"bank/entities/Dock.md": "pier"}


def test_a_name_that_lines_mostly_use_as_a_word_is_among_the_words(index: Index) -> None:
    many = "".join(f"- the brindle of plan {at} is small\n" for at in range(20))
    names = "- We met Brindle and Ebbe\n- we like Brindle, and Ebbe does\n- `ebbe --help` and /srv/ebbe\n" * 2
    put(index, {"memory/2025-12-02.md": many, "memory/2025-12-03.md": names})
    assert index.words_among(["brindle", "ebbe", "nobody", "two words"]) == {"brindle"}


def test_names_used_too_little_are_told_with_their_lines(index: Index) -> None:
    put(
        index,
        {
            "memory/2025-12-02.md": "- We sailed to Montold and back\n- Quarn came\n",
            "memory/2025-12-03.md": "- Montold sings\n- we saw Harl\n- Quarn left\n",
        },
    )
    assert index.possible_names() == {
        "montold": [
            NameSeen("Montold", "Montold sings", "memory/2025-12-03.md", date(2025, 12, 3)),
            NameSeen("Montold", "We sailed to Montold and back", "memory/2025-12-02.md", date(2025, 12, 2)),
        ]
    }
    put(index, {"bank/entities/Montold.md": "# Montold\n"})
    assert index.possible_names() == {}
