"""Recall over a real folder: every way in, filters, budget, conflict, and silence where there is nothing."""

from __future__ import annotations

import hashlib
import html
import json
import shutil
import tempfile
from datetime import date
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from commonplace.core.documents.parse import parse
from commonplace.core.model import Kind
from commonplace.core.recall.packing import count_tokens, hit_text
from commonplace.errors import NotFound, UsageError
from commonplace.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Write

    from commonplace.core.model import Bundle

TODAY = date(2025, 12, 31)
FILES = {
    "MEMORY.md": "# Core\n\n- The house rule is no meetings before ten.\n",
    "bank/entities/Peter.md": "---\naliases: [Pete, ピーター, पीटर, 彼得]\n---\n# Peter\n\nCall him on Sundays only.\n",
    "memory/2025-11-03.md": "## Retain\n- W @Peter: Stays in Lisbon (Nov 3–Nov 21, 2025) for the launch. ^lisbon1\n",
    "memory/2025-11-27.md": """# 2025-11-27

## 09:15

- Peter: I can't find the boarding pass anywhere.
- It was in the side pocket of the grey backpack.
- Commit 3f9ac21b on src/relay/socket_pool.py fixed ERR_WS_1006 in v2.14.3.

### Deployment

- Root cause
  - the certificate of the staging host had expired

| day | decision | reason |
|---|---|---|
| Mon | use Hetzner for backups | cheaper than S3 |

```
curl --no-progress https://relay.example/health
```

## Retain
- W @Peter: Currently in Marrakech (Nov 27–Dec 1, 2025) for Andy’s birthday. ^marra1
- B @warelay: I fixed the Baileys crash by wrapping connection.update handlers. ^bailey
- O(c=0.95) @Peter: Prefers concise replies (&lt;1500 chars) on WhatsApp. ^concis
""",
    "memory/2025-12-05.md": """## Retain
- W @flight: The flight to Oslo leaves at 9:00. ^flight9
- W @陈先生: 陈先生在成都开了一家新的茶馆，周末营业到晚上十点。
- W @由紀: 由紀さんは大阪に引っ越した。
- W @प्रिया: प्रिया ने पुणे में नया घर खरीदा।
- W @Ingrid: Ingrid er flyttet til Århus og arbejder hjemmefra om fredagen.
""",
    "memory/2025-12-08.md": """## Retain
- W @flight: The flight to Oslo leaves at 11:30. <!-- cp: supersedes=^flight9 --> ^flight11
""",
}


@pytest.fixture
def memory(workspace: Write) -> Iterator[Memory]:
    with Memory(str(workspace(FILES)), today=TODAY) as opened:
        yield opened


def contents(bundle: Bundle) -> list[str]:
    return [hit.line.content for hit in bundle.hits]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("3f9ac21b", "Commit 3f9ac21b"),
        ("src/relay/socket_pool.py", "socket_pool.py"),
        ("socket_pool", "socket_pool.py"),
        ("ERR_WS_1006", "ERR_WS_1006"),
        ("v2.14.3", "v2.14.3"),
        ("connection.update", "connection.update"),
        ("--no-progress", "curl"),
        ("what did we use for backups?", "Hetzner"),
        ("why did the deployment break, which certificate?", "certificate"),
        ("where is the boarding pass", "boarding pass"),
        ("tell me about Peter", "Call him"),
        ("成都 茶馆", "陈先生"),
        ("茶館", "陈先生"),
        ("大阪", "由紀"),
        ("पुणे में घर", "पुणे"),
        ("Aarhus", "Århus"),
        ("hvor arbejder Ingrid", "Århus"),
        ("no‑meetings rule", "meetings"),
        ("ＥＲＲ＿ＷＳ＿１００６", "ERR_WS_1006"),
    ],
)
def test_words_find_their_line(memory: Memory, question: str, expected: str) -> None:
    found = contents(memory.recall(question))
    assert found
    assert expected in found[0]


def test_a_question_and_its_answer_stand_on_two_lines(memory: Memory) -> None:
    found = contents(memory.recall("where was the boarding pass?"))
    assert any("grey backpack" in each for each in found)


def test_days_in_words(memory: Memory) -> None:
    first = memory.recall("where was Peter in late November 2025?").hits[0]
    assert first.id == "marra1"
    assert first.line.timestamp == "2025-11-27/2025-12-01"
    assert any("2025-11-27/2025-12-01" in reason for reason in first.why)
    assert {hit.id for hit in memory.recall("what happened around November 27?").hits} >= {"marra1", "bailey"}
    assert memory.recall("what happened in June 2019?").status == "empty"


@pytest.mark.parametrize(
    "question", ["what does Pete prefer?", "ピーターは何が好き?", "पीटर को क्या पसंद है?", "彼得喜欢什么？"]
)
def test_an_alias_of_another_language_finds_the_opinion(memory: Memory, question: str) -> None:
    first = memory.recall(question).hits[0]
    assert first.id == "concis"
    assert first.confidence == 0.95


def test_what_was_superseded_comes_after_what_replaced_it_and_says_so(memory: Memory) -> None:
    hits = memory.recall("when does the flight to Oslo leave?").hits
    assert [hit.id for hit in hits[:2]] == ["flight11", "flight9"]
    assert str(hits[1].superseded_by) == "memory/2025-12-08.md#L2"
    before = memory.recall("when does the flight to Oslo leave?", as_of="2025-12-06").hits
    assert before[0].id == "flight9"
    assert before[0].superseded_by is None


def test_what_was_retracted_says_so(memory: Memory) -> None:
    memory.retract("^marra1", reason="the trip was cancelled")
    hits = memory.recall("Marrakech birthday").hits
    assert hits[0].id == "marra1"
    assert hits[0].superseded_by is not None


def test_filters(memory: Memory) -> None:
    assert {hit.kind.value for hit in memory.recall("Peter", kinds=["opinion"]).hits} == {"opinion"}
    assert {hit.id for hit in memory.recall("", entities=["warelay"]).hits} == {"bailey"}
    assert all(
        hit.line.recorded >= date(2025, 12, 1) for hit in memory.recall("flight", since="30d").hits if hit.line.recorded
    )
    assert memory.recall("flight", until="2025-12-06").hits[0].id == "flight9"
    assert memory.recall("Peter", during="2025-11").hits
    assert memory.recall("house rule", as_of="2020-01-01").hits, "undated lines are visible at any time"


def test_wrong_requests_are_refused(memory: Memory) -> None:
    for given_ in (
        {"k": 0},
        {"k": -1},
        {"budget": 0},
        {"since": "blue"},
        {"since": "2025-12-01", "until": "2025-11-01"},
    ):
        with pytest.raises(UsageError):
            memory.recall("Peter", **given_)
    with pytest.raises(UsageError):
        memory.recall("  ")


def test_nothing_relevant_is_an_empty_bundle_with_a_reason(memory: Memory) -> None:
    for question in ("xylophone lessons", "zq-000-nothing", "木琴", "what did Napoleon eat?"):
        found = memory.recall(question)
        assert (found.status, found.hits) == ("empty", ())
        assert found.note


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=80))
@example('"')
@example("C++")
@example("NEAR(")
@example("a AND NOT b OR *")
@example("^foo")
@example("{t}: x")
@example("-x")
@example("\x00")
@example("\ud800")
def test_no_question_raises(memory: Memory, question: str) -> None:
    if question.strip():
        found = memory.recall(question)
        assert found.status in ("ok", "empty")
        assert found.note or found.hits


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    question=st.sampled_from(
        ["Peter", "what happened in November 2025", "flight to Oslo", "成都", "certificate staging"]
    ),
    budget=st.integers(1, 400),
    k=st.integers(1, 12),
)
def test_a_bundle_never_costs_more_than_its_budget_and_order_never_depends_on_it(
    memory: Memory, question: str, budget: int, k: int
) -> None:
    whole = memory.recall(question, k=k, budget=100_000)
    part = memory.recall(question, k=k, budget=budget)
    assert part.tokens <= budget
    assert sum(count_tokens(hit_text(hit) + "\n") for hit in part.hits) == part.tokens
    sources = [hit.line.source for hit in part.hits]
    assert sources == [hit.line.source for hit in whole.hits][: len(sources)]
    assert part.omitted + len(part.hits) == whole.omitted + len(whole.hits)


def collapsed(text: str) -> str:
    return " ".join(html.unescape(text).split())


def test_citations_hold(memory: Memory) -> None:
    seen = 0
    for question in (
        "Peter",
        "flight",
        "November 2025",
        "certificate",
        "Hetzner",
        "成都",
        "relay",
        "Ingrid",
        "house rule",
    ):
        for hit in memory.recall(question, k=50, budget=100_000).hits:
            fact = hit.line
            lines = Path(memory.root, fact.source.path).read_text().split("\n")
            cited = "\n".join(lines[fact.source.line - 1 : fact.source.line - 1 + fact.lines])
            assert collapsed(fact.content) in collapsed(cited)
            seen += 1
    assert seen > 20


LINES = st.sampled_from(
    [
        "# Notes", "## Retain", "- W @Peter: Went to Oslo.", "  and came back on Friday", "* B: I fixed it &amp; more",
        "", "- nested", "  - deeper\u2028still", "| a | b |", "|---|---|", "| tea | coffee |", "```",
        "Peter: hello", "text\twith  space", "<!-- a comment", "-->", "> quoted", "１２月 の予定", "~~~",
        "- [ ] task ^blk1", "O(c=0.4): not here", "- O(c=0.4): like this",
    ]
)  # fmt: skip


@settings(max_examples=60)
@given(st.lists(LINES, max_size=25), st.sampled_from(["\n", "\r\n"]))
def test_every_line_is_findable_with_its_place(lines: list[str], newline: str) -> None:
    from commonplace.core.text.analyzer import document_terms

    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "memory", "2025-11-27.md")
        log.parent.mkdir()
        log.write_bytes(newline.join(lines).encode())
        before = hashlib.sha256(log.read_bytes()).digest()
        with Memory(folder, today=TODAY) as memory:
            covered = set()
            index = memory._access.fresh()
            for row in index.rows_in("memory/2025-11-27.md"):
                fact = index.lines((row,))[row].line
                covered |= set(range(fact.source.line, fact.source.line + fact.lines))
        for number, line in enumerate(lines, 1):
            if document_terms(line) and line not in ("|---|---|", "<!-- a comment", "-->"):
                assert number in covered, line
        assert hashlib.sha256(log.read_bytes()).digest() == before


def test_delete_the_index_and_every_recall_answers_as_before(workspace: Write) -> None:
    root = str(workspace(FILES))
    questions = (
        "Peter",
        "what does Pete prefer?",
        "flight to Oslo",
        "around November 27",
        "成都 茶馆",
        "certificate",
        "tell me about warelay",
    )

    def answers() -> list[Bundle]:
        with Memory(root, today=TODAY) as memory:
            return [memory.recall(question, k=20) for question in questions]

    first = answers()
    log = Path(root, "memory", "2025-12-08.md")
    text = log.read_text()
    log.write_text(text + "- W @flight: Cancelled.\n")
    answers()
    log.write_text(text)
    assert answers() == first
    shutil.rmtree(Path(root, ".memory"))
    assert answers() == first


def test_reading_changes_no_file(workspace: Write) -> None:
    root = workspace(FILES)

    def digests() -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in root.rglob("*.md")}

    before = digests()
    with Memory(str(root), today=TODAY) as memory:
        memory.recall("Peter")
        memory.check()
        memory.status()
        memory.entity("Peter")
    assert digests() == before


def test_hits_carry_what_programs_need(memory: Memory) -> None:
    from commonplace.doors.shared import wire

    found = json.loads(json.dumps(wire.bundle(memory.recall("concise replies"))))
    hit = found["hits"][0]
    assert set(found) == {"query", "status", "hits", "tokens", "budget", "omitted", "note"}
    assert {
        "id",
        "kind",
        "timestamp",
        "entities",
        "content",
        "source",
        "origin",
        "score",
        "why",
        "recorded",
        "valid",
        "context",
    } <= set(hit)
    assert hit["content"] == "Prefers concise replies (<1500 chars) on WhatsApp."
    assert hit["source"] == "memory/2025-11-27.md#L25"
    assert isinstance(found["omitted"], int)


def test_nothing_stands_before_what_superseded_it(workspace: Write) -> None:
    files = {
        "memory/2025-11-01.md": "## Retain\n- W @flight: The red flight to Oslo leaves Oslo gate red at nine. ^one1\n",
        "memory/2025-11-02.md": "## Retain\n- W @flight: Red, at ten. <!-- cp: supersedes=^one1 --> ^two2\n",
        "memory/2025-11-03.md": "## Retain\n- W @flight: Red, at noon. <!-- cp: supersedes=^two2 --> ^three3\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        assert [hit.id for hit in memory.recall("when does the red flight to Oslo leave the gate?").hits] == [
            "three3",
            "two2",
            "one1",
        ]


def test_the_last_time_is_the_newest_one(workspace: Write) -> None:
    files = {
        "memory/2025-10-01.md": "- Tried the espresso machine.\n",
        "memory/2025-12-01.md": "- Tried the espresso machine with beans that Ingrid brought last week, all fine.\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        for question in ("last time we tried the espresso machine?", "when did we last try the espresso machine"):
            assert memory.recall(question).hits[0].line.source.path == "memory/2025-12-01.md"


MOORINGS = {
    "MEMORY.md": "- The mooring of the dinghy has its berth at pier nine.\n",
    "memory/2025-12-01.md": "- The mooring of the dinghy: pier three.\n",
    "memory/2025-12-08.md": "- The mooring of the dinghy, at pier four for a week or so, as the wind turned.\n",
    "memory/2025-12-30.md": "- The mooring of the dinghy is moved to the berth at pier five by the harbour master.\n",
}


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("which mooring has the dinghy now?", ["memory/2025-12-30.md", "MEMORY.md"]),
        ("which mooring has the dinghy at the moment?", ["memory/2025-12-30.md", "MEMORY.md"]),
        ("which mooring has the dinghy?", ["memory/2025-12-01.md"]),
    ],
)
def test_what_is_so_now_is_said_in_the_last_days_or_in_a_note_that_is_kept_up(
    workspace: Write, question: str, first: list[str]
) -> None:
    with Memory(str(workspace(MOORINGS)), today=TODAY) as memory:
        assert [hit.line.source.path for hit in memory.recall(question).hits[: len(first)]] == first


def test_what_is_so_now_is_said_in_the_newest_of_days_that_are_years_ago(workspace: Write) -> None:
    files = {
        "memory/2016-02-07.md": "- The mooring is pier three.\n",
        "memory/2024-02-08.md": "- The mooring moved to a berth at pier four with the crane.\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        assert [hit.line.source.path for hit in memory.recall("which mooring now?").hits] == [*reversed(files)]
        assert [hit.line.source.path for hit in memory.recall("which mooring?").hits] == [*files]


def test_a_cause_is_found_among_many_lines_that_share_more_words(workspace: Write) -> None:
    days = [date.fromordinal(date(2025, 9, 1).toordinal() + number) for number in range(75)]
    files = {f"memory/{day}.md": f"- ~~Pump and valve, looked at {day.toordinal()} times.~~\n" for day in days[:45]}
    files |= {f"memory/{day}.md": f"- Valve {number} of the row is shut.\n" for number, day in enumerate(days[45:])}
    files["memory/2025-12-02.md"] = "- Pump stopped because sand had got in.\n"
    with Memory(str(workspace(files)), today=TODAY) as memory:
        found = memory.recall("why did the pump and valve fail?").hits
    assert any("sand" in hit.line.content for hit in found[:3])


def test_an_opinion_is_as_it_was_known_then(workspace: Write) -> None:
    said = "## Retain\n- O(c=0.9) @Peter: Prefers coffee over tea.\n"
    with Memory(str(workspace({f"memory/2025-11-{day}.md": said for day in ("01", "20")})), today=TODAY) as memory:
        memory.reflect(yes=True)
        now = memory.recall("does Peter prefer coffee").hits[0].opinion
        then = memory.recall("does Peter prefer coffee", as_of="2025-11-05").hits[0].opinion
        assert now is not None
        assert then is not None
        assert (now.confidence, [str(item.source) for item in now.evidence]) == (0.91, ["memory/2025-11-20.md#L2"])
        assert (then.confidence, then.evidence) == (0.9, ())


def test_what_a_recall_without_a_look_missed_can_be_asked(memory: Memory) -> None:
    memory.recall("flight")
    assert not memory.changed()
    Path(memory.root, "MEMORY.md").write_text("# Core\n\n- A flight changed.\n")
    assert "MEMORY.md" not in {hit.line.source.path for hit in memory.recall("flight changed", sync=False).hits}
    assert memory.changed()
    assert "MEMORY.md" in {hit.line.source.path for hit in memory.recall("flight changed").hits}
    assert not memory.changed()


def test_a_budget_too_small_for_any_hit_says_so(memory: Memory) -> None:
    found = memory.recall("flight to Oslo", budget=5)
    assert (found.status, found.hits) == ("empty", ())
    assert "tokens" in found.note


def test_who_or_what_of_an_entity_that_lines_only_name(workspace: Write) -> None:
    root = workspace(
        {"memory/2025-11-26.md": "- Peter's sister is allergic to walnuts.\n## Retain\n- W @Peter: Bakes.\n"}
    )
    with Memory(str(root), today=date(2025, 12, 1)) as memory:
        found = memory.recall("who is allergic to walnuts?", entities=("Peter",))
    assert found.hits[0].line.content == "Peter's sister is allergic to walnuts."


def test_kinds_and_entities_may_be_given_in_every_usual_way(memory: Memory) -> None:
    for kinds in ("opinion", ["O"], ("opinion",)):
        assert memory.recall("Peter", kinds=kinds).hits
    assert memory.recall("", entities="warelay").hits
    for wrong in ({"kinds": ["nope"]}, {"kinds": "w o"}):
        with pytest.raises(UsageError):
            memory.recall("Peter", **wrong)
    assert "Zaphod" in memory.recall("flight", entities=["Zaphod"]).note


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        ("flight", {}),
        ("Peter and the bicycle", {}),
        ("Peter", {"kinds": ["opinion"]}),
        ("Peter", {"budget": 5}),
        ("What happened last week?", {}),
        ("", {"during": "2025-11"}),
    ],
)
def test_an_unknown_entity_is_always_said(memory: Memory, question: str, filters: dict[str, Any]) -> None:
    for entities in (["Zaphod"], ["Peter", "Zaphod"]):
        assert "no entity is known as Zaphod" in memory.recall(question, entities=entities, **filters).note


def test_a_filter_by_a_name_that_nobody_tagged_finds_the_lines_that_name_it(workspace: Write) -> None:
    files = {
        "memory/2025-11-01.md": "# Day\n- We asked Bjarne about the mast.\n- The sail is torn.\n",
        "memory/2025-11-02.md": "# Day\n- Bjarne came with a new mast.\n\n- We paid Bjarne for it.\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        alone = {hit.line.content for hit in memory.recall("", entities=["bjarne"]).hits}
        assert alone == {
            "We asked Bjarne about the mast.",
            "Bjarne came with a new mast.",
            "We paid Bjarne for it.",
        }
        asked = memory.recall("mast", entities=["Bjarne"])
        assert [hit.line.content for hit in asked.hits[:2]] == [
            "Bjarne came with a new mast.",
            "We asked Bjarne about the mast.",
        ]
        assert "no entity" not in asked.note
        during = memory.recall("", entities=["Bjarne"], during="2025-11-01").hits
        assert [hit.line.content for hit in during] == ["We asked Bjarne about the mast."]


def test_of_two_preferences_that_exclude_each_other_the_newer_leads(workspace: Write) -> None:
    files = {
        "memory/2025-10-01.md": "## Retain\n- O(c=.9) @Peter: Prefers tea over coffee. ^tea1\n",
        "memory/2025-11-01.md": "## Retain\n- O(c=.9) @Peter: Prefers coffee over tea. ^cof1\n",
        "memory/2025-11-02.md": "## Retain\n- O(c=.9) @Ingrid: Prefers tea over coffee. ^ing1\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        hits = memory.recall("what does Peter prefer, tea or coffee?", entities=["Peter"]).hits
        assert [(hit.id, str(hit.disputed_by or "")) for hit in hits] == [
            ("cof1", ""),
            ("tea1", "memory/2025-11-01.md#L2"),
        ]
        then = memory.recall("what does Peter prefer, tea or coffee?", as_of="2025-10-15").hits
        assert [(hit.id, hit.disputed_by) for hit in then] == [("tea1", None)]


def test_explain_names_entities_as_they_are_written(memory: Memory) -> None:
    assert [name for name, _ in memory.explain("what does ピーター think of warelay?").entities] == ["Peter", "warelay"]


def test_an_opinion_that_a_person_keeps_in_a_table_is_recalled_as_one(workspace: Write) -> None:
    root = workspace(
        """
        === MEMORY.md
        | Opinion | Confidence | Evidence | Updated |
        |---|---|---|---|
        | Peter prefers short replies | 0.9 | memory/2025-11-27.md | 2025-11-27 |
        """
    )
    with Memory(str(root)) as memory:
        for _ in range(2):
            (hit,) = memory.recall("what does Peter prefer?").hits
            assert (hit.kind, str(hit.line.source)) == (Kind.OPINION, "MEMORY.md#L3")
            assert hit.opinion is not None
            assert (hit.opinion.confidence, str(hit.opinion.last_updated)) == (0.9, "2025-11-27")
            assert [str(item.source) for item in hit.opinion.evidence] == ["memory/2025-11-27.md"]
            assert memory.show(hit.id).line.source == hit.line.source
            memory.index(rebuild=True)


CAUSES = {
    "memory/2025-11-11-reboots.md": """
        # Gateway reboots

        ## 現象
        - 三台 KX7 在夜裡重開四到九次

        ## 日誌
        - `E (4182) esp: reset reason 9`
        - 每次都在凌晨

        ## 根因
        - 太陽能充電的電壓掉到 2.9 V

        ## 修復
        - 換成 buck-boost
    """,
    "memory/2025-11-12.md": """
        # Wednesday

        - Timestamp: 09:10
          - Event: Call with the harbour about the invoice
          - Details:
            - Nobody had told them the price
            - They pay on the first
    """,
}


def test_a_cause_is_found_below_its_generic_heading_by_what_the_file_speaks_of(workspace: Write) -> None:
    with Memory(str(workspace({path: dedent(text) for path, text in CAUSES.items()})), today=TODAY) as memory:
        for question, line, reason in (
            ("KX7 為什麼在夜裡重開？", 12, "a cause"),
            ("why did the KX7 gateways reboot?", 12, "a cause"),
            ("KX7 重開怎麼修好的？", 15, "a fix"),
        ):
            found = {hit.line.source.line: hit for hit in memory.recall(question).hits}
            assert line in found
            assert reason in found[line].why


def test_what_stands_below_a_line_comes_with_it(workspace: Write) -> None:
    with Memory(str(workspace({path: dedent(text) for path, text in CAUSES.items()})), today=TODAY) as memory:
        found = {hit.line.source.line for hit in memory.recall("the call with the harbour about the invoice").hits}
    assert 5 in found


def test_when_is_answered_by_a_line_that_names_a_day(workspace: Write) -> None:
    files = {"memory/2025-11-20.md": "- Mara adopted the cat on November 3.\n- Mara adopted the cat at the shelter.\n"}
    with Memory(str(workspace(files)), today=TODAY) as memory:
        assert memory.recall("when did Mara adopt the cat?").hits[0].line.source.line == 1


RASMUS = {
    "bank/entities/Rasmus.md": "# Rasmus\n\nBuilds boats in Skagen.\n",
    "memory/2025-11-20.md": (
        "- Rasmus brought bread.\n\n## Retain\n- W @Rasmus: The mast of the dinghy is from spruce.\n"
        "- O @Rasmus: Prefers tar over paint.\n"
    ),
}


def test_to_be_about_somebody_is_no_answer_to_a_question_for_something_else(workspace: Write) -> None:
    with Memory(str(workspace(RASMUS)), today=TODAY) as memory:
        nothing = memory.recall("what is Rasmus's shoe size?")
        assert nothing.hits == ()
        assert nothing.note == "no match about rasmus for: shoe, size"
        assert memory.recall("what is the mast of Rasmus made of?").hits[0].line.content.startswith("The mast")
        assert memory.recall("tell me about Rasmus").hits[0].line.source.path == "bank/entities/Rasmus.md"
        assert memory.recall("what does Rasmus prefer for hulls?").hits[0].line.content == "Prefers tar over paint."


def test_a_question_about_somebody_unknown_is_not_answered_by_a_word_of_it(workspace: Write) -> None:
    with Memory(str(workspace(RASMUS)), today=TODAY) as memory:
        bundle = memory.recall("which spruce forest and sawmill does Vantongeren own?")
        assert bundle.hits == ()
        assert "Vantongeren" in bundle.note
        assert memory.recall("which spruce mast is on the dinghy?").hits


def test_where_somebody_lives_is_told_by_the_newest_that_says_so(workspace: Write) -> None:
    files = {
        "memory/2024-06-23.md": "## Retain\n- W @Inger: Inger bor i sit hus på Vestkystvej.\n- W @Inger: Likes tar.\n",
        "memory/2025-02-20.md": "## Retain\n- W @Inger: Inger flyttede til Solgården i Skagen.\n",
        "memory/2025-03-20.md": "## Retain\n- W @Inger: Got new glasses.\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        for question in ("Hvor bor Inger?", "where does Inger live?", "Inger 住在哪裡？"):
            first = memory.recall(question).hits[0]
            assert first.line.source.path == "memory/2025-02-20.md"
            assert "says where" in first.why


def test_the_last_time_is_of_lines_that_say_as_much_as_the_best(workspace: Write) -> None:
    files = {
        "memory/2025-09-23.md": "- Cleaned the window of the tide gauge.\n",
        "memory/2025-11-10.md": "- New battery for the tide gauge.\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        hits = memory.recall("when did we last clean the window of the tide gauge?").hits
        assert hits[0].line.source.path == "memory/2025-09-23.md"


def test_what_a_trailer_replaced_later_leads_for_the_days_before(workspace: Write) -> None:
    files = {
        "memory/2025-10-25.md": "## Retain\n- W @Castle: Nightly backups run at 03:30. ^aaa111\n",
        "memory/2025-11-15.md": (
            "## Retain\n- W @Castle: Nightly backups run at 02:15. <!-- cp: supersedes=^aaa111 --> ^bbb222\n"
        ),
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        then = {hit.id: hit for hit in memory.recall("what was true on 2025-11-01 about the backups?").hits}
        assert then["aaa111"].superseded_by is None
        now = memory.recall("when do the nightly backups run?").hits
        assert [(hit.id, hit.superseded_by is None) for hit in now] == [("bbb222", True), ("aaa111", False)]


def test_a_conflict_copy_is_no_second_hit_and_stands_behind(workspace: Write) -> None:
    log = "## Retain\n- O(c=0.8) @Peter: Prefers green tea. ^aaa111\n- W @Peter: Lives in Porto. ^bbb222\n"
    files = {
        "memory/2025-11-27.md": log,
        "memory/2025-11-27 (conflicted copy).md": log + "- O @Peter: Prefers mint tea at night.\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        first, second = memory.recall("green tea").hits[:2]
        assert (str(first.line.source), first.id) == ("memory/2025-11-27.md#L2", "aaa111")
        assert [citation.path for citation in first.also] == ["memory/2025-11-27 (conflicted copy).md"]
        assert second.line.content.endswith("Prefers mint tea at night.")


def test_homes_of_others_are_no_answer(workspace: Write) -> None:
    files = {"memory/2025-11-27.md": "## Retain\n- W @Mariano: Lives in Porto.\n- W @Zoe: Lives in Vienna.\n"}
    with Memory(str(workspace(files)), today=TODAY) as memory:
        assert [hit.line.content for hit in memory.recall("where does Mariano live?").hits] == ["Lives in Porto."]


def test_a_text_that_names_the_days_is_found_by_them_wherever_it_stands(workspace: Write) -> None:
    files = {
        "MEMORY.md": "- The guild was founded in 1994.\n- In May 2005 the roof was mended.\n- The week was wet.\n",
        "memory/2025-11-03.md": "- The roof leaks again.\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:

        def found(question: str) -> list[str]:
            return [hit.line.content for hit in memory.recall(question).hits]

        assert found("1994")[0] == "The guild was founded in 1994."
        assert found("May 2005") == found("what happened in May 2005?") == ["In May 2005 the roof was mended."]
        assert found("when was the roof mended, in May 2005?")[0] == "In May 2005 the roof was mended."
        assert found("last week") == []


def test_a_day_that_a_line_is_of_does_not_count_twice_where_it_names_it(workspace: Write) -> None:
    log = "- On January 14, 2025 it was cold, on January 14, 2025 all day.\n\n- The pier was under water.\n"
    with Memory(str(workspace({"memory/2025-01-14.md": log})), today=TODAY) as memory:
        first = memory.recall("how was the pier on January 14, 2025?").hits[0]
        assert first.line.content == "The pier was under water."


def test_a_home_is_not_asked_for_where_nobody_is(workspace: Write) -> None:
    files = {
        "memory/2025-01-14.md": "- Complexity theory classifies problems based on their inherent difficulty.\n",
        "memory/2025-02-14.md": "- The problems of those based in Lisbon: they moved to it too late.\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        first = memory.recall("complexity theory classifies problems based on what?").hits[0]
        assert first.line.content.startswith("Complexity theory")


def test_a_reason_names_a_word_once(workspace: Write) -> None:
    with Memory(str(workspace({"memory/2025-01-14.md": "- Замок стоит на холме.\n"})), today=TODAY) as memory:
        assert memory.recall("где замок?").hits[0].why == ("words: замок",)


def test_a_bundle_that_misses_what_is_asked_says_so(workspace: Write) -> None:
    files = {
        "memory/2025-11-03.md": (
            "- Niamh is vegan now: no cheese, no eggs.\n- 佳穎的女兒叫小晴。\n- The clarinet was sold in May.\n"
        ),
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        found = memory.recall("did the clarinet teacher cancel?")
        assert found.note == "no match for: teacher, cancel; these are the closest" and found.hits
        assert memory.recall("小晴的鋼琴老師是誰？").note == "no match for: 鋼琴老師; these are the closest"
        assert memory.recall("when was the clarinet sold?").note == ""
        assert memory.recall("who is vegan?").note == ""


def test_a_bundle_of_lines_that_share_one_word_each_with_the_question_says_so(workspace: Write) -> None:
    files = {
        "memory/2025-11-03.md": "- Freja waters the tomatoes.\n",
        "memory/2025-11-04.md": "- Emil drank the third coffee.\n",
        "memory/2025-11-05.md": "- The printer is jammed.\n",
        "memory/2025-11-06.md": "- An envelope came from the bank.\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        found = memory.recall("which printer drank the envelope's tomatoes?")
        assert found.note == "no match for: most of the question; these are the closest" and found.hits
        assert memory.recall("which printer is jammed?").note == ""


LISTED = """
## Retain
- W @Runa: Is allergic to hazelnuts.
- W @Sloop: The mast is of spruce.
"""


def test_a_thing_asked_for_that_nothing_tells_of_is_named(workspace: Write) -> None:
    with Memory(str(workspace({"memory/2026-02-03.md": LISTED})), today=date(2026, 3, 1)) as memory:
        both = memory.recall("Runa's allergies and the sloop's mast")
        assert {"Is allergic to hazelnuts.", "The mast is of spruce."} <= set(contents(both))
        assert both.note == ""
        one = memory.recall("Runa's passport and the sloop's mast")
        assert contents(one)[0] == "The mast is of spruce."
        assert one.note == "no match for: “Runa's passport”"


ALIKE = {
    "bank/entities/Ebba.md": "---\naliases: [リン]\n---\n# Ebba\n",
    "bank/entities/Ebba-Holm.md": "# Ebba Holm\n",
    "bank/entities/小石.md": "# 小石\n",
    "memory/2026-02-03.md": """# Log
- Mail from ebba@mill.example about hinges.
- Ebba Holm asked for the drill.
- リンクを友達に送った。
- リンは傘を忘れた。
- 小石头路很滑。
- 今天小石修了水管。
## Retain
- W @Ebba: Sold the van.
""",
}


def test_a_name_inside_another_word_is_not_that_name(workspace: Write) -> None:
    with Memory(str(workspace(ALIKE)), today=date(2026, 3, 1)) as memory:
        holm = contents(memory.recall("tell me about Ebba Holm"))
        assert holm[0] == "Ebba Holm asked for the drill."
        assert "Sold the van." not in holm
        rin = contents(memory.recall("リンについて"))
        assert rin.index("リンは傘を忘れた。") < rin.index("リンクを友達に送った。")
        stone = contents(memory.recall("who is 小石"))
        assert stone.index("今天小石修了水管。") < stone.index("小石头路很滑。")


HAND_KEPT = {
    "bank/opinions.md": """# Opinions

| Opinion | Confidence | Evidence | Updated |
|---|---|---|---|
| Signe prefers wooden oars | 0.85 | asked twice | 2026-01-02 |

- opinion: Signe dislikes loud engines
  confidence: 0.65
  updated: 2026-01-04
  evidence: a talk on the pier
- 观点：希涅喜欢木桨
  置信度：0.6
""",
    "memory/2026-01-06.md": """## Retain
- W @Signe: Gave the old oars away.
- O(c=0.7) @Signe: Likes early mornings.
- O(c=0.7) @Signe: Likes tar.
- W @希涅: 住在海边。
""",
}


def test_an_opinion_kept_by_hand_is_about_whom_it_names_and_shows_how_sure_it_is(workspace: Write) -> None:
    with Memory(str(workspace(HAND_KEPT)), today=date(2026, 1, 8)) as memory:
        first = memory.recall("which oars does Signe prefer?").hits[0]
        assert "about Signe" in first.why
        assert hit_text(first) == "- O(c=0.85) @Signe: Signe prefers wooden oars (bank/opinions.md#L5)"
        assert hit_text(memory.recall("what does Signe dislike?").hits[0]).startswith("- O(c=0.65) @Signe: ")
        assert hit_text(memory.recall("希涅喜欢什么桨？").hits[0]).startswith("- O(c=0.60) @希涅: 希涅喜欢木桨 ")
        found = contents(memory.recall("Signe dislikes loud engines: what confidence and evidence?"))
        assert not any(line.startswith(("confidence", "updated", "evidence")) for line in found)
        (cut,) = memory.recall("which oars does Signe prefer?", budget=25).hits
        assert cut.opinion is not None


QUOTED = """# Log
- The pump ran dry at noon.
- dry pump: the inlet was shut
- 検査が終わった。
- 水泵修好了
"""


@pytest.mark.parametrize(
    ("question", "first", "note"),
    [
        ('"dry pump"', "dry pump: the inlet was shut", ""),
        ('"pump dry"', "", "no exact match for: “pump dry”; these have words of it"),
        ('"dry pump" or "noon gun"', "dry pump: the inlet was shut", "no exact match for: “noon gun”"),
        ("“修好水泵”", "水泵修好了", "no exact match for: “修好水泵”; these have words of it"),
        ("「終わった検査」", "検査が終わった。", ""),
    ],
)
def test_a_quoted_phrase_that_no_line_has_is_named(workspace: Write, question: str, first: str, note: str) -> None:
    with Memory(str(workspace({"memory/2026-02-03.md": QUOTED})), today=date(2026, 3, 1)) as memory:
        found = memory.recall(question)
        assert contents(found)[0].startswith(first)
        assert found.note == note


def test_front_matter_and_fences_are_no_answer_by_a_name_alone(workspace: Write) -> None:
    page = "---\naliases: [Vibs]\n---\n# Vibeke\n- Vibeke keeps the keys of the shed.\n\n```\nvibeke = 3\n```\n"
    with Memory(str(workspace({"bank/entities/Vibeke.md": page})), today=date(2026, 3, 1)) as memory:
        for question in ("tell me about Vibs", "who is Vibeke"):
            found = contents(memory.recall(question))
            assert "Vibeke keeps the keys of the shed." in found
            assert not any(line.startswith(("aliases", "```")) for line in found)
        assert contents(memory.recall("which aliases has Vibeke?"))[0].startswith("aliases")


@pytest.mark.parametrize(
    ("question", "name", "line"),
    [
        ("Who is Agnes?", "Agnes", "Agnes – runs the print shop"),
        ("Hvem er Holger?", "Holger", "Holger – bogbinder i Ribe"),
        ("周蕾是谁？", "周蕾", "周蕾：装订师傅"),
        ("健太さんはどんな人ですか", "健太", "健太（けんた）：印刷係"),
        ("गीता कौन है?", "गीता", "गीता – छापाख़ाना चलाती है"),
        ("Кто такая Вера?", "Вера", "Вера — переплётчица"),
    ],
)
def test_who_somebody_is_leads_what_they_did(workspace: Write, question: str, name: str, line: str) -> None:
    files = {
        "MEMORY.md": f"# Core\n\n## People\n- {line}\n- The till is in the back room.\n",
        "memory/2025-12-03.md": f"- {name}: 12 & 14.\n- {name} 7 × 9\n\n## Retain\n- O(c=0.8) @{name}: Prefers tea.\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        first = memory.recall(question).hits[0]
    assert first.line.content == line
    assert f"introduces {name}" in first.why


@pytest.mark.parametrize(
    "line", ["**Agnes** – print shop (paper, ink)", "| Agnes | runs the print shop at the quay | idle |"]
)
def test_who_somebody_is_in_a_list_of_a_day_leads_what_they_did(workspace: Write, line: str) -> None:
    files = {
        "memory/2025-12-01.md": f"# Day\n\n## Crew\n\n{line}\n",
        "memory/2025-12-03.md": "- Agnes: 12 & 14.\n- Agnes 7 × 9\n- Agnes saw Agnes.\n",
        "memory/agnes.md": "- Agnes has a print by Agnes\n- Print of Agnes\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        first = memory.recall("Who is Agnes?").hits[0]
    assert first.line.content == line
    assert "introduces Agnes" in first.why


@pytest.mark.parametrize(
    "line",
    [
        "| Agnes | mend the press by Friday | open |",
        "**Agnes:** hi there, can you come over",
        "**Agnes**: And the ink, please",
        "**Sister** – Agnes called about the ink",
        "**Manager:** Agnes wants the report",
    ],
)
def test_what_somebody_does_or_says_on_a_day_introduces_nobody(workspace: Write, line: str) -> None:
    files = {
        "memory/2025-12-01.md": f"# Day\n\n{line}\n\n**Bo:** sure\n\n{line}, too\n",
        "memory/2025-12-03.md": "- Agnes is the printer of Ribe\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        hits = memory.recall("Who is Agnes?").hits
    assert not [why for hit in hits for why in hit.why if why.startswith("introduces")]


def test_what_somebody_says_on_the_day_after_comes_before_what_is_said_on_other_days(workspace: Write) -> None:
    said = {"26": "corn", "28": "peas", "29": "beans", "30": "leeks"}
    for speaker, first in (("Ann: ", {"peas"}), ("", {"corn", "beans", "leeks"})):
        files = {
            f"memory/2025-11-{day}.md": f"- {speaker}The pasta had {what}.\n- Bo: Did it?\n- Ann: Yes.\n- Bo: Oh.\n"
            for day, what in said.items()
        }
        with Memory(str(workspace(files)), today=TODAY) as memory:
            hits = memory.recall("What pasta was it on November 27, 2025?").hits
            assert hits[0].line.content.split()[-1].strip(".") in first


@pytest.mark.parametrize(
    ("question", "name", "line"),
    [
        ("Who is Agnes Lund?", "Agnes Lund", "Wife: Agnes Friis, who signs her prints as Agnes Lund"),
        ("Hvem er Agnes Lund?", "Agnes Lund", "**Datter:** Agnes Lund (7)"),
        ("周蕾是谁？", "周蕾", "妻子：周蕾，装订师傅"),
        ("健太さんはどんな人ですか", "健太", "息子：健太さん、印刷係"),
        ("गीता कौन है?", "गीता", "पत्नी: गीता"),
        ("Кто такая Вера Лунд?", "Вера Лунд", "Дочь: Вера Лунд"),
    ],
)
def test_who_is_close_to_the_owner_is_introduced_behind_the_label(
    workspace: Write, question: str, name: str, line: str
) -> None:
    said = "".join(f"- Print {at} of {name}\n" for at in range(9))
    files = {
        "MEMORY.md": f"# Core\n\n## Personal\n- {line}\n",
        "memory/shops.md": f"# Shops\n\n{said}- The shop of {name} has 9 prints by {name}\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        assert line in memory.recall(question).hits[0].line.content


@pytest.mark.parametrize(
    "line",
    [
        "Son: takes lessons with Agnes on Tuesdays",
        'Agnes: "let us move the press"',
        "**Agnes:**\n  - prices\n  - paper",
        "Агнес: «перенесём пресс»",
    ],
)
def test_neither_words_in_quotes_nor_a_bare_label_introduce_somebody(workspace: Write, line: str) -> None:
    others = "- Agnes runs the print shop in the harbour.\n- Агнес держит типографию.\n"
    files = {"MEMORY.md": f"# Core\n\n- {line}\n{others}"}
    with Memory(str(workspace(files)), today=TODAY) as memory:
        for question in ("Who is Agnes?", "Кто такая Агнес?"):
            assert not any(why.startswith("introduces") for hit in memory.recall(question).hits for why in hit.why)


def test_an_undated_page_says_itself_of_which_days_it_speaks(workspace: Write) -> None:
    files = {
        "bank/entities/Kiosk.md": "# Kiosk\n\n- Stand 14 on the fish market since May 2024\n- Painted blue in 2023\n",
        "memory/2025-09-02.md": "## Retain\n- W @Kiosk: The licence fee was paid.\n",
        "memory/2025-11-20.md": "## Retain\n- W @Kiosk: Moved to stand 3 (from November 22, 2025).\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        first = memory.recall("Where was the stand of the Kiosk in September 2025?").hits[0]
    assert first.line.content.startswith("Stand 14")
    assert any(reason.startswith("holds 2024-05-01/..") for reason in first.why)


def test_a_code_that_stands_nowhere_is_not_answered_by_others(workspace: Write) -> None:
    files = {"memory/2025-11-20.md": "- The lift shows the fault code HB-2210.\n- A new code for the gate.\n"}
    with Memory(str(workspace(files)), today=TODAY) as memory:
        assert memory.recall("What does the fault code HB-2210 mean?").hits
        assert "ZK-9087" in (memory.recall("What is the code ZK-9087?").note or "")
        assert not memory.recall("What is the code ZK-9087?").hits


def test_a_decision_is_found_by_a_word_that_only_begins_alike(workspace: Write) -> None:
    log = "- Решили: шкаф установить весной\n- Купили две доски, установочный набор не взяли\n"
    with Memory(str(workspace({"memory/2025-11-20.md": log})), today=TODAY) as memory:
        found = contents(memory.recall("Что решили про установку?"))
    assert found[0].startswith("Решили")


def test_no_flood_of_others_hides_what_the_author_says(memory: Memory) -> None:
    memory.retain("W @Rolf: Lives in Bergen.", date="2025-11-02")
    memory.retain("O(c=0.8) @Rolf: Likes night trains.", date="2025-11-09")
    memory.retain("O @Rolf: Hates night trains.", source="web:x", date="2025-11-25")
    says = ("lives in Moscow, not in Bergen", "sold the house in Bergen and lives in Moscow", "lives where {} live")
    for at in range(60):
        said = says[at % 3].format(f"{at} lions")
        memory.retain(f"W @Rolf: Rolf {said}, says number {at}.", source=f"web:{at % 7}", date="2025-12-01")
    where = [(hit.line.content, hit.line.trailer.outsider) for hit in memory.recall("where does Rolf live?").hits]
    assert where[0] == ("Lives in Bergen.", "")
    assert any(outsider for _, outsider in where)
    assert contents(memory.recall("does Rolf like night trains?", k=2))[0] == "Likes night trains."


@pytest.mark.parametrize("said", ["- {} {}", "{}\n{}", "| what |\n|---|\n| {} | {}", "- {}\n  {}"])
def test_a_line_that_somebody_else_said_is_marked(memory: Memory, said: str) -> None:
    text = said.format("The old mill is for sale in May.", "<!-- cp: src=web:x -->")
    memory.append("memory/2025-12-05.md", f"## Notes\n\n{text}")
    (hit, *_) = memory.recall("old mill for sale").hits
    assert "cp:" not in hit.line.content
    assert "said by web:x" in hit_text(hit)


@pytest.mark.parametrize("gone", [1, 12])
def test_a_line_is_beside_the_next_one_where_rows_are_free_between_them(workspace: Write, gone: int) -> None:
    """A part of a large file that is read again with fewer lines leaves row numbers free behind it."""
    path = "memory/2025-11-28.md"
    lines = ["# A day\n", "\n", *(f"- Counted {number} barrels on the quay that morning.\n" for number in range(2500))]
    at = parse(path, "".join(lines)).chunks[2].mark.number - 1
    lines[at - 1 : at + 1] = ["- Where did the cooper leave his adze?\n", "- It was in the shed.\n"]
    root = workspace({path: "".join(lines)})
    with Memory(str(root), today=TODAY) as memory:
        memory.index()
        (root / path).write_text("".join(lines[:700] + lines[700 + gone :]), encoding="utf-8")
        found = [(hit.line.content, hit.line.source, hit.why) for hit in memory.recall("cooper adze").hits]
    shutil.rmtree(root / ".memory")
    with Memory(str(root), today=TODAY) as memory:
        assert found == [(hit.line.content, hit.line.source, hit.why) for hit in memory.recall("cooper adze").hits]
    assert [content for content, *_ in found] == ["Where did the cooper leave his adze?\n- It was in the shed."]


BERTHS = """=== memory/2025-11-03.md
- @Petra rents berth 14 in the harbour.
- @Peter pays 1,200 crowns a month for the berth.
- The crane costs 90 crowns an hour.
- @Torsten sells sails.
=== memory/2025-11-04.md
- @Torsten mended the sail.
"""


@pytest.mark.parametrize(
    ("question", "first", "note"),
    [
        (
            "Which berth has Petrra?",
            "@Petra rents berth 14 in the harbour.",
            "no line has Petrra: read as Petra",
        ),
        (
            "Which berth has Petrra of Petrraville?",
            "",
            "no line has Petrra: read as Petra; no match about petra for: berth, Petrraville",
        ),
        ("what does torstn sell?", "@Torsten sells sails.", "no line has torstn: read as torsten"),
        ("Where does Petr live?", "", "names like Petr: Peter, Petra; no match for: Petr"),
        ("How much does Peter pay for the berth?", "@Peter pays 1,200 crowns a month for the berth.", ""),
        (
            "How much does Torsten pay for sails?",
            "@Torsten sells sails.",
            "none of these has an amount of money together with the rest of the question",
        ),
    ],
)
def test_a_name_one_letter_off_is_that_name_and_a_missing_value_is_told(
    workspace: Write, question: str, first: str, note: str
) -> None:
    with Memory(str(workspace(BERTHS)), today=TODAY) as memory:
        bundle = memory.recall(question)
    assert (bundle.hits[0].line.content if bundle.hits else "") == first
    assert bundle.note == note


def test_a_name_that_only_an_outsider_made_known_is_no_other_name(workspace: Write) -> None:
    said = "## Retain\n- W @Petra: rents berth 14. <!-- cp: src=web:x -->\n"
    with Memory(str(workspace({"memory/2026-01-05.md": said})), today=TODAY) as memory:
        assert "Petra" not in memory.recall("Which berth has Petrra?").note


def test_lines_side_by_side_are_one_hit_that_show_and_get_read_again(workspace: Write) -> None:
    log = "# Day\n\n- The ferry crane broke on Monday.\n- The ferry crane is back.\n\n- Ulla painted the fence.\n"
    with Memory(str(workspace({"memory/2025-11-03.md": log})), today=TODAY) as memory:
        (hit,) = memory.recall("ferry crane").hits
        assert hit.place == "memory/2025-11-03.md#L3-L4"
        assert hit.line.content == "The ferry crane broke on Monday.\n- The ferry crane is back."
        assert memory.show(hit.place).line.content == hit.line.content
        assert memory.show("memory/2025-11-03.md#L3").line.content == "The ferry crane broke on Monday."
        assert memory.show("memory/2025-11-03.md#L3-L900000").place == "memory/2025-11-03.md#L3-L6"
        with pytest.raises(NotFound, match="no fact or line"):
            memory.show("memory/2025-11-03.md#L2-L4")


def test_a_line_that_a_newer_one_outdates_is_never_inside_a_hit(workspace: Write) -> None:
    """The older of two side by side is marked, and by itself."""
    older = "- Nightly backup: running\n- The nightly backup goes to the shed.\n"
    files = {"memory/2025-11-03.md": older, "memory/2025-11-20.md": "- Nightly backup: disabled\n"}
    with Memory(str(workspace(files)), today=TODAY) as memory:
        hits = {hit.place: hit for hit in memory.recall("nightly backup").hits}
        assert str(hits["memory/2025-11-03.md#L1"].outdated_by) == "memory/2025-11-20.md#L1"
        assert "memory/2025-11-03.md#L2" in hits
        Path(memory.root, "memory/2025-11-20.md").unlink()
        assert [hit.place for hit in memory.recall("nightly backup").hits] == ["memory/2025-11-03.md#L1-L2"]


def test_the_day_that_is_asked_for_is_found_among_many_lines_with_the_name(workspace: Write) -> None:
    said = ["asked", "called", "wrote", "came by with the old charts of the whole bay and its rocks"]
    first = ["is on leave until January 12", "packed", "left the key"]
    files = {"memory/2025-09-01.md": "# 2025-09-01\n\n" + "\n\n".join(f"- Ingrid {each}" for each in first) + "\n"}
    for day in range(1, 22):
        lines = "\n\n".join(f"- Ingrid {said[(day + at) % 4]}, {day}{at}" for at in range(3))
        files[f"memory/2025-10-{day:02}.md"] = f"# 2025-10-{day:02}\n\n{lines}\n"
    memory = Memory(str(workspace(files)), today=TODAY)
    assert "until January 12" in memory.recall("until when is Ingrid away?").hits[0].line.content


SCRIPTS = """=== memory/2025-11-03.md
- Called Petra about the berth; Petra pays by the month.
- Поставили Docker на NAS, контейнеры стартуют сами.
- Slack通知を朝9時にまとめた。
- Про лодку говорила Марина.
=== memory/2025-11-04.md
- Petra paid for the berth.
- Сказала ещё раз Марина, что парус порван.
=== memory/2025-11-05.md
- Asked Petra for the key of the shed.
- Парус привезла Марина.
"""


@pytest.mark.parametrize(
    ("question", "first", "note"),
    [
        ("когда поставили докер?", "Поставили Docker", "no line has докер: read as Docker"),
        ("Что с Докером на NAS?", "Поставили Docker", "no line has Докером: read as Docker"),
        ("スラックの通知はいつ？", "Slack通知", "no line has スラック: read as Slack"),
        (
            "डॉकर कब लगाया?",
            "Поставили Docker",
            "no line has डॉकर: read as Docker; no match for: लगाया; these are the closest",
        ),
        (
            "पेट्रा से क्या माँगा?",
            "Petra paid",
            "no line has पेट्रा: read as Petra; no match for: माँगा; these are the closest",
        ),
        (
            "Что Петра платит?",
            "Petra paid",
            "no line has Петра: read as Petra; no match for: платит; these are the closest",
        ),
        ("What is new with Marina?", "Парус привезла Марина", "no line has Marina: read as Марина"),
        ("テレグラムの通知は？", "Slack通知", "no match for: テレグラム; these are the closest"),
    ],
)
def test_a_name_in_another_script_is_that_name(workspace: Write, question: str, first: str, note: str) -> None:
    with Memory(str(workspace(SCRIPTS)), today=TODAY) as memory:
        bundle = memory.recall(question)
    assert bundle.hits[0].line.content.startswith(first)
    assert bundle.note == note


@pytest.mark.parametrize(
    "question", ["倉庫の鍵とｶﾞｽ代は？", "倉庫の鍵、茶、茶碗は？", "ﾊﾟｽﾎﾟｰﾄはどこ", "茶、茶碗はどこ", "的\u0301的\u0301"]
)
def test_marks_and_single_characters_in_a_question_without_spaces_are_read(workspace: Write, question: str) -> None:
    """Pairs alone overlap: a character by itself, or one with a mark, goes on with nothing."""
    with Memory(str(workspace({"memory/2025-11-03.md": "- 倉庫の鍵は引き出し\n"})), today=TODAY) as memory:
        bundle = memory.recall(question)
    assert len(bundle.hits) == question.startswith("倉庫")
    assert "no match for" in bundle.note
