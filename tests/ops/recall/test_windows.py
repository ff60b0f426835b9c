"""Windows: what days tell where nothing is asked for that could be looked up, in logs shaped as agents keep them."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from commonplace.core.model import Kind, Span
from commonplace.core.recall.window_order import late_turns
from commonplace.memory import Memory
from commonplace.ops.days import day_rows
from commonplace.ops.recall import time_windows
from commonplace.store.sqlite import Index

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.conftest import Write

    from commonplace.core.model import Bundle
    from commonplace.core.recall.index_rows import StoredLine

TODAY = date(2026, 3, 12)  # a Thursday
FILES = {
    "MEMORY.md": "# Core\n\n- The house rule is no meetings before ten.\n",
    "memory/2026-02-20.md": "# 2026-02-20\n\n- We bought the second kiln from Ribe Keramik for 2,400 kr.\n",
    "memory/2026-03-02.md": """# 2026-03-02

## 09:00
- Timestamp: 2026-03-02T09:00:00Z
  - Event: Glaze order
  - Details:
    - Ordered 40 kg of celadon glaze from Ribe Keramik for the spring series.
    - Status: done
    - Tests: 12/12

---

Heartbeat: all quiet, 5 jobs checked.
""",
    "memory/2026-03-04.md": """# 2026-03-04

## 14:10 Kiln

| check | result |
|---|---|
| Cone 6 test | the upper shelf was 20 degrees too cold because the relay had burned out |
| Door | fine |

**Decision:**
- We replace the relay rather than the whole controller, Marta Holm comes on Friday.

Heartbeat: all quiet, 4 jobs checked.
""",
    "memory/2026-03-06.md": """# 2026-03-06

- [x] Backup ran
- Marta Holm replaced the relay; the upper shelf now reaches cone 6 within two degrees.
- Files: memory/2026-03-06.md
- https://kiln.example/manual

## Retain
- O(c=0.8) @Marta-Holm: Prefers to be paid by bank transfer.

Heartbeat: all quiet, 3 jobs checked.
""",
    "memory/2026-03-11.md": "# 2026-03-11\n\n- Shipped the spring series to the gallery in Aarhus, 31 bowls.\n",
}


@pytest.fixture
def memory(workspace: Write) -> Memory:
    return Memory(str(workspace(FILES)), today=TODAY)


def _lines(bundle: Bundle) -> list[str]:
    return [hit.line.content for hit in bundle.hits]


LAST_WEEK = [
    "We replace the relay rather than the whole controller, Marta Holm comes on Friday.",
    "Ordered 40 kg of celadon glaze from Ribe Keramik for the spring series.",
]


@pytest.mark.parametrize(
    "question",
    [
        "What happened last week?",
        "what did we do last week",
        "Give me a recap of last week",
        "anything new last week?",
        "last week",
        "hvad skete der i sidste uge?",
        "hvad lavede vi i sidste uge?",
        "上周发生了什么？",
        "上週發生了什麼事情？",
        "上周我们做了什么",
        "先週何があった？",
        "先週の出来事をまとめて",
        "पिछले हफ्ते क्या हुआ?",
    ],
)
def test_a_question_of_days_alone_is_answered_by_the_days(memory: Memory, question: str) -> None:
    bundle = memory.recall(question)
    assert [hit.line.recorded for hit in bundle.hits[:3]] == [date(2026, 3, day) for day in (6, 4, 2)]
    assert _lines(bundle)[1:3] == LAST_WEEK


@pytest.mark.parametrize(
    "question", ["", "what happened", "what happened?", "何があった", "发生了什么", "hvad skete der"]
)
def test_with_and_without_words_a_range_answers_alike(memory: Memory, question: str) -> None:
    asked = memory.recall("What happened last week?")
    for found in (
        memory.recall(question, during="last week"),
        memory.recall(question, since="2026-03-02", until="2026-03-08"),
        memory.recall(question, during="2026-03", until="2026-03-08"),
    ):
        assert _lines(found) == _lines(asked)
        assert found.omitted == asked.omitted


def test_what_tells_nothing_is_left_out(memory: Memory) -> None:
    told = _lines(memory.recall("", since="30d", k=100))
    for nothing in (
        "Timestamp",
        "Details",
        "Status",
        "Tests:",
        "---",
        "Files:",
        "https",
        "Door",
        "check |",
        "Decision",
    ):
        assert not any(nothing in line for line in told), nothing
    assert not any(line.startswith("#") or line.endswith(":") for line in told)


def test_days_take_turns_the_newest_first_and_routine_is_left_out(memory: Memory) -> None:
    days = [hit.line.recorded or date.min for hit in memory.recall("", since="3w", k=100).hits]
    assert days[:5] == sorted(set(days), reverse=True)
    assert not any(line.startswith("Heartbeat") for line in _lines(memory.recall("What happened last week?", k=100)))


def test_routine_is_told_of_a_day_that_has_nothing_else(workspace: Write) -> None:
    quiet = {f"memory/2026-03-0{day}.md": f"Heartbeat: all quiet, {day} jobs checked.\n" for day in range(2, 7)}
    with Memory(str(workspace(quiet)), today=TODAY) as memory:
        assert len(memory.recall("What happened last week?").hits) == 5


def test_the_oldest_comes_first_when_asked_so(memory: Memory) -> None:
    for question in ("What happened last week, oldest first?", "timeline of last week", "先週の出来事を時系列で"):
        days = [hit.line.recorded for hit in memory.recall(question).hits[:3]]
        assert days == [date(2026, 3, day) for day in (2, 4, 6)], question


def test_a_kind_without_words_is_answered_by_all_days(memory: Memory) -> None:
    (prefers,) = memory.recall("", kinds=["opinion"]).hits
    assert prefers.line.content == "Prefers to be paid by bank transfer."
    assert memory.recall("what happened?", kinds=["opinion"]).hits == (prefers,)
    assert _lines(memory.recall("", kinds=["opinion"], during="last week")) == [prefers.line.content]
    assert not memory.recall("", kinds=["opinion"], during="2026-02").hits


def test_an_entity_with_a_range_is_answered_by_its_days(memory: Memory) -> None:
    found = _lines(memory.recall("", entities=["Marta Holm"], since="30d"))
    assert sorted(found) == [
        "Marta Holm replaced the relay; the upper shelf now reaches cone 6 within two degrees.",
        "Prefers to be paid by bank transfer.",
        "We replace the relay rather than the whole controller, Marta Holm comes on Friday.",
    ]


def test_a_range_without_a_line_says_so(memory: Memory) -> None:
    empty = memory.recall("what happened in 2019?")
    assert not empty.hits
    assert "2019" in empty.note


def test_a_date_beside_other_words_weighs_and_does_not_exclude(memory: Memory) -> None:
    lines = _lines(memory.recall("what did we buy from Ribe Keramik last week?"))
    assert "- Ordered 40 kg of celadon glaze" in lines[0]
    assert any(line.startswith("We bought the second kiln") for line in lines)
    other = _lines(memory.recall("what went wrong on Wednesday last week?"))
    assert any("relay" in line for line in other), "the day's lines may answer in other words"


@pytest.mark.parametrize(
    ("question", "flags"),
    [
        ("pump", {}),
        ("what changed at the pump?", {}),
        ("pump", {"during": "2026-01"}),
        ("", {"since": "20d"}),
        ("what happened in January?", {}),
        ("", {"during": "2026-01"}),
    ],
)
def test_omitted_counts_right_for_every_k(workspace: Write, question: str, flags: dict[str, Any]) -> None:
    parts = ("valve", "gasket", "pipe", "meter", "tank", "hose", "filter", "sensor", "motor", "bearing", "cable")
    files = {}
    for number in range(50):
        day = date(2026, 1, 1) + timedelta(number)
        one, two = parts[number % 11], parts[number % 7]
        said = f"Looked at the pump and changed the {one} and the {two}, {number + 3} minutes"
        files[f"memory/{day}.md"] = f"# {day}\n\n- {said}\n"
    with Memory(str(workspace(files)), today=date(2026, 2, 19)) as memory:
        found = {k: memory.recall(question, k=k, budget=100_000, **flags) for k in (1, 5, 10, 20, 30, 36, 50, 80)}
    whole = len(found[80].hits)
    assert whole >= 20
    for k, bundle in found.items():
        assert (len(bundle.hits), bundle.omitted) == (min(k, whole), max(0, whole - k))
        assert bundle.hits == found[80].hits[: len(bundle.hits)]


@pytest.mark.parametrize("words", ["", "what happened"])
def test_what_has_an_end_and_no_start_is_told_of_no_day_before_it_was_written(workspace: Write, words: str) -> None:
    files = {
        "memory/2026-03-02.md": "## Retain\n- W @Marta: Rents the flat until July.\n"
        "- W @Ole: Lived in Rome until 2025.\n",
        "notes.md": "- W @Kim: The kiln is on loan until 2024.\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        for past in ("1930", "1999-05", "2026-01"):
            assert not memory.recall(words, during=past).hits
        assert not memory.recall("what happened in 1930?").hits
        assert _lines(memory.recall(words, during="2026-05")) == ["Rents the flat until July."]
        assert _lines(memory.recall(words, during="2024-12")) == ["Lived in Rome until 2025."]
        assert _lines(memory.recall(words, during="2023-12")) == ["The kiln is on loan until 2024."]


KEPT = {
    "bank/opinions.md": "# Opinions\n\n| Opinion | Confidence | Evidence | Updated |\n|---|---|---|---|\n"
    "| Redis is too much for one box | 0.8 | tried it | 2026-01-20 |\n| Tabs beat spaces | 0.7 | yes | 2025-10-02 |\n",
    "bank/held.md": "## Held\n- Postgres beats MySQL for us\n  - confidence: 0.7\n  - evidence: benchmark\n",
    "memory/2026-03-02.md": "## Retain\n- O(c=0.9) @Peter: Prefers concise replies.\n\n"
    "We bought a Redis book for 30 kr in the shop.\n",
    **{
        f"memory/2026-02-{day:02}.md": "## Retain\n"
        + "".join(f"- W @Peter: Sold bread number {day}{n} to the shop in Aarhus.\n" for n in range(8))
        for day in range(1, 29)
    },
}


@pytest.fixture
def opinionated(workspace: Write) -> Memory:
    return Memory(str(workspace(KEPT)), today=TODAY)


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("", ["opinion"]),
        ("my opinions", ["opinion"]),
        ("my opinions", []),
        ("what do I think?", ["opinion"]),
        ("what do I think?", []),
        ("what are my opinions?", []),
        ("hvad er mine holdninger?", []),
        ("我的看法", []),
        ("我有什麼看法？", ["opinion"]),
        ("私の意見は？", []),
        ("मेरी राय क्या है?", []),
    ],
)
def test_opinions_kept_in_any_shape_are_found_by_their_kind(
    opinionated: Memory, question: str, kinds: list[str]
) -> None:
    bundle = opinionated.recall(question, kinds=kinds)
    assert {hit.opinion.statement if hit.opinion else hit.line.content for hit in bundle.hits} == {
        opinion.statement for opinion in opinionated.opinions()
    }
    assert {hit.kind.value for hit in bundle.hits} == {"opinion"}
    assert (bundle.omitted, bundle.note) == (0, "")


def test_words_find_an_opinion_in_a_table_by_its_kind(opinionated: Memory) -> None:
    (hit,) = opinionated.recall("Redis", kinds=["opinion"]).hits
    assert hit.opinion is not None
    assert hit.opinion.statement == "Redis is too much for one box"


DECISIONS = {
    f"memory/2025-10-{day:02}.md": "".join(
        f"## {hour}:00\n\n{'Decision' if (day + hour) % 4 else 'Talk'}: the {thing} goes to {place} by day {day}.\n\n"
        for hour, thing, place in (
            (9, "kiln", "Ribe"),
            (11, "wheel", "Aarhus"),
            (13, "celadon order", "Bergen"),
            (15, "lease", "Oslo"),
        )
    )
    for day in range(1, 32)
}


K = (1, 2, 5, 10, 18, 20, 30, 37, 50, 60, 80, 120, 200)


def _keeps_the_law(memory: Memory, question: str, **flags: Any) -> list[int]:
    """That a larger k only adds, and that hits and omitted make up what answers: the sum for each k, the last whole.

    Where more was found than is read, they are a part of it that grows, and are said to be.
    """
    bundles = [memory.recall(question, k=k, budget=10**6, **flags) for k in K]
    sums = [len(bundle.hits) + bundle.omitted for bundle in bundles]
    for few, many in pairwise(bundles):
        assert {hit.line.source for hit in few.hits} <= {hit.line.source for hit in many.hits}
    for k, bundle, total in zip(K, bundles, sums, strict=True):
        assert len(bundle.hits) == min(k, total)
        if bundle.at_least:
            assert total <= sums[-1]
            assert "left out" in bundle.note or not ({"since", "during"} & flags.keys() or "October" in question)
        else:
            assert total == sums[-1], (k, sums)
    for (first, few), (then, many) in pairwise(zip(sums, bundles, strict=True)):
        assert first <= then
        assert few.at_least >= many.at_least
    return sums


SAID = {
    "en": ("pump", "Looked at the pump and changed the {} in hall {}", "what happened in October 2025?"),
    "da": ("pumpen", "Så på pumpen og skiftede {} i hal {}", "hvad skete der i oktober 2025?"),
    "zh": ("水泵", "检查了水泵并更换了{}，在{}号厂房", "2025年10月发生了什么？"),
    "ja": ("ポンプ", "ポンプを点検して{}を交換した、{}号棟", "2025年10月に何があった？"),
    "hi": ("पंप", "पंप देखा और {} बदला, भवन {} में", "अक्टूबर 2025 में क्या हुआ?"),
}
PARTS = ("valve", "gasket", "relay", "meter", "hose", "filter", "motor")


def _folder(said: str, lines: int, *, facts: bool) -> dict[str, str]:
    """So many lines of October on thirty days, each once, among as many of another month that say other things."""
    files: dict[str, str] = {}
    for number in range(lines):
        bullet = "W " * facts + f"{'@Ole: ' * facts}" + said.format(PARTS[number % 7], number + 100)
        day = f"2025-10-{number % 30 + 1:02}"
        head = f"# {day}\n\n" + "## Retain\n" * facts
        files[f"memory/{day}.md"] = files.get(f"memory/{day}.md", head) + f"- {bullet}\n\n"
        other = f"2025-09-{number % 30 + 1:02}"
        files[f"memory/{other}.md"] = files.get(f"memory/{other}.md", "") + f"- Bread of batch {number} was sold\n"
    return files


@pytest.mark.parametrize("language", SAID)
@pytest.mark.parametrize("lines", [3, 50, 500])
def test_a_larger_k_only_adds_and_what_is_left_out_is_counted_or_said_to_be_more(
    workspace: Write, language: str, lines: int
) -> None:
    word, said, asked = SAID[language]
    root = workspace(_folder(said, lines, facts=language in ("da", "ja")))
    with Memory(str(root), today=date(2025, 11, 27)) as memory:
        for question, flags in (
            (word, {}),
            (f"{word} {PARTS[0]}", {}),
            (asked, {}),
            ("", {"during": "2025-10"}),
            (word, {"since": "2025-10-01", "until": "2025-10-31"}),
        ):
            sums = _keeps_the_law(memory, question, **flags)
            if lines <= 50:
                assert sums == [lines] * len(K) or PARTS[0] in question, question
            else:
                assert sums[-1] >= 200 or PARTS[0] in question, question


@pytest.mark.parametrize("question", ["what did we decide in October?", "kiln in October", "who goes to Oslo?"])
def test_the_law_holds_where_lines_answer_more_or_less(workspace: Write, question: str) -> None:
    with Memory(str(workspace(DECISIONS)), today=date(2025, 11, 27)) as memory:
        _keeps_the_law(memory, question)
        _keeps_the_law(memory, question, kinds=["world"])
        _keeps_the_law(memory, question, since="2025-10-10")


def test_where_not_all_is_read_the_text_says_at_least(workspace: Write, cli: Any) -> None:
    root = str(workspace({"memory/2025-10-30.md": "".join(f"- Cup {n} is glazed in blue.\n" for n in range(300))}))
    for command in (["cups glazed"], ["", "--during", "2025-10"], ["which cups were glazed in October?"]):
        said = cli("--workspace", root, "--today", "2025-11-27", "recall", *command).out
        assert "at least" in said and "left out" in said
        assert said.count("left out") == 1, "once is enough"
        markdown = cli("--workspace", root, "--today", "2025-11-27", "recall", *command, "--format", "md").out
        assert markdown.count("left out") == 1


LISTED = {
    "memory/decisions.md": "# Decisions\n\n- **D-01** (2025-10-02): We take SQLite for the index.\n"
    "- D-02, 2025-10-05: We drop the old parser for good.\n- 2025-10-09: Decided to keep the flat in Oslo.\n"
    "- We decided to hire Marta on October 12, 2025.\n- **D-05** (2025-09-12): We sell the kiln to Ribe.\n\n"
    "| Day | Decision |\n|---|---|\n| 2025-10-20 | The wheel is moved to the Aarhus shop |\n"
    "| 2025-08-20 | The lease is signed with the bank |\n",
    "memory/2025-11-15.md": "# 2025-11-15\n\n- Bought a new oven from Ole for the bakery.\n",
}


@pytest.mark.parametrize(
    ("question", "flags"),
    [
        ("", {"during": "2025-10"}),
        ("", {"since": "2025-10-01", "until": "2025-10-31"}),
        ("what did we decide?", {"during": "2025-10"}),
        ("what happened in October 2025?", {}),
        ("2025年10月に何がありましたか", {}),
        ("hvad skete der i oktober 2025?", {}),
    ],
)
def test_a_dated_list_is_told_on_its_own_days(workspace: Write, question: str, flags: dict[str, Any]) -> None:
    with Memory(str(workspace(LISTED)), today=date(2025, 11, 27)) as memory:
        hits = memory.recall(question, k=20, **flags).hits
        assert {hit.line.source.line for hit in hits} == {3, 4, 5, 6, 11}
        assert len(memory.recall(question, k=20, during="2025-09").hits) <= 1


DECIDED = {
    "memory/decisions.md": LISTED["memory/decisions.md"] + "\n## 2025-10-25\nKiln two goes to the shop in Bergen.\n",
    "memory/2025-10-16.md": "# 2025-10-16\n\n## Talk\n\nBread was good and the shop was full of people today.\n\n"
    "## Decisions\n\n- Marta takes the Monday shift.\n\n## Later\n\n- We agreed on 30 percent for Ole.\n",
    "memory/2025-11-15.md": "# 2025-11-15\n\n- We decided to paint the shop in green.\n",
}


@pytest.mark.parametrize(
    ("question", "flags"),
    [
        ("what did we decide in October?", {}),
        ("which decisions did we make in October 2025?", {}),
        ("decisions", {"during": "2025-10"}),
        ("what did we decide?", {"since": "2025-10-01", "until": "2025-10-31"}),
        ("hvad besluttede vi i oktober?", {}),
        ("10月に何を決めた？", {}),
        ("十月我们决定了什么？", {}),
        ("十月我們做了哪些決定？", {}),
        ("अक्टूबर में हमने क्या तय किया?", {}),
    ],
)
def test_decisions_of_certain_days_need_no_deciding_word(
    workspace: Write, question: str, flags: dict[str, Any]
) -> None:
    with Memory(str(workspace(DECIDED)), today=date(2025, 11, 27)) as memory:
        found = memory.recall(question, k=20, **flags)
        places = {(hit.line.source.path[7:-3], hit.line.source.line) for hit in found.hits}
        assert places == {
            *(("decisions", line) for line in (3, 4, 5, 6, 11, 15)),
            ("2025-10-16", 9),
            ("2025-10-16", 13),
        }
        assert (found.omitted, found.at_least, found.note) == (0, False, "")
        _keeps_the_law(memory, question, **flags)


def test_where_nothing_was_decided_a_question_for_decisions_is_answered_as_any_other(workspace: Write) -> None:
    with Memory(str(workspace(DECIDED)), today=date(2025, 11, 27)) as memory:
        found = memory.recall("what did we decide in July?")
        assert not found.hits
        assert "2025-07" in found.note


@pytest.mark.parametrize(
    "question", ["January 7, 2026", "13. januar 2026", "2026年1月23日", "7 जनवरी 2026", "7 января 2026 года"]
)
def test_days_of_a_question_that_the_flags_leave_out_are_an_empty_bundle(workspace: Write, question: str) -> None:
    root = workspace({"memory/2025-11-14.md": "- The cooper mended the barrel.\n", "notes.md": "- Barrels, 2026.\n"})
    with Memory(str(root), today=TODAY) as memory:
        assert memory.recall(question, during="2025-11").hits == ()


TOLD = {
    "PLAN.md": "# Plan for spring\n\n- By March 31, 2026: the whole series is glazed, fired and packed.\n"
    "- 2026-03-05: the second kiln is cold, and the clay for the fair is ordered.\n",
    "memory/2026-03-03.md": "# 2026-03-03\n\n| Shelf | State |\n|---|---|\n"
    "| upper | swept, and the old pots are in the crate |\n\n"
    "## Decisions\n- Ida fires alone.\n\n## Talk\n- The weather was nice again this morning and we had lunch.\n",
    "memory/2026-03-04-talk.md": "# Session\n\nuser: Never send the invoices before Friday, that is a rule.\n"
    "assistant: Understood, I will always keep that in mind from now on and never forget it.\n"
    "The rule is important: always wait until Friday before you send any invoice to customers.\n",
}


def test_a_day_leads_with_what_is_worth_most_and_rows_of_tables_come_late(workspace: Write) -> None:
    with Memory(str(workspace(TOLD)), today=TODAY) as memory:
        assert _lines(memory.recall("", during="2026-03-03"))[0] == "Ida fires alone."
        assert _lines(memory.recall("", during="2026-03-03"))[-1].startswith("|")


def test_what_only_a_plan_says_of_the_days_comes_after_their_logs(workspace: Write) -> None:
    with Memory(str(workspace(TOLD)), today=TODAY) as memory:
        for found in (memory.recall("", since="14d"), memory.recall("", during="2026-03")):
            paths = [hit.line.source.path for hit in found.hits]
            assert paths[:2] == ["memory/2026-03-04-talk.md", "memory/2026-03-03.md"]


def test_of_a_transcript_the_users_words_lead(workspace: Write) -> None:
    with Memory(str(workspace(TOLD)), today=TODAY) as memory:
        assert _lines(memory.recall("", during="2026-03-04"))[0].startswith("user: ")


def test_a_title_comes_after_what_stands_below_it(workspace: Write) -> None:
    note = {
        "memory/sale.md": "# Sale of the kiln - 2026-03-05\n\nSold on 2026-03-05 for 2,400 kr to a potter in Ribe.\n"
    }
    with Memory(str(workspace(note)), today=TODAY) as memory:
        assert _lines(memory.recall("what happened on 2026-03-05?"))[0].startswith("Sold on")


def test_of_many_facts_of_a_kind_few_are_read(workspace: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = {
        f"memory/2026-01-{day:02}.md": "## Retain\n"
        + "".join(f"- W @Ida: Fired pot {day * 40 + n}.\n" for n in range(40))
        for day in range(1, 29)
    }
    read: list[int] = []
    plain = Index.lines

    def counted(index: Index, rows: Iterable[int], *, named: bool = False, whole: bool = True) -> dict[int, StoredLine]:
        rows = [*rows]
        read.extend(rows)
        return plain(index, rows, named=named, whole=whole)

    monkeypatch.setattr(Index, "lines", counted)
    with Memory(str(workspace(logs)), today=TODAY) as memory:
        hits = memory.recall("", kinds=("world",)).hits
        assert len(hits) == 10
        assert hits[0].line.recorded == date(2026, 1, 28)
    assert len({*read}) < 28 * 40 / 2


def test_a_day_is_put_in_order_only_if_it_may_be_shown(workspace: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[int] = []

    def noted(days: Iterable[list[int]]) -> Iterator[int]:
        def each() -> Iterator[list[int]]:
            for rows in days:
                met.append(len(rows))
                yield rows

        return late_turns(each())

    monkeypatch.setattr(day_rows, "late_turns", noted)
    days = [TODAY - timedelta(number) for number in range(400)]
    files = {f"memory/{day}.md": f"- O(c=0.8) @Marta: Prefers glaze {day:%d} of {day:%B %Y}.\n" for day in days}
    with Memory(str(workspace(files)), today=TODAY) as memory:
        found = memory.recall("opinions", k=5)
        assert found.at_least
        assert len(met) <= day_rows.MOST_FACTS + time_windows.COUNTED + 1
        newest = [str(hit.line.recorded) for hit in found.hits]
        assert newest == [str(day) for day in days[:5]]
        met.clear()
        whole = memory.recall("opinions", k=400, budget=10**6)
        assert [hit.line.recorded for hit in whole.hits] == days
        assert len(met) == len(days)


def test_the_opinions_that_people_keep_in_tables_are_of_the_kind(workspace: Write) -> None:
    kept = "| Opinion | Confidence |\n|---|---|\n| @Peter likes boats | 0.9 |\n| @Peter likes tea | 0.4 |\n"
    log = "## Retain\n- O(c=0.7) @Peter: Likes rain.\n- W @Peter: In Ribe.\n"
    files = {"bank/opinions.md": kept, "bank/2026-02-20.md": kept, "memory/2026-03-02.md": log}
    with Memory(str(workspace(files)), today=TODAY) as memory:
        memory.recall("rain")
        with Index(memory.workspace.index_path) as index:

            def held(span: Span) -> list[str]:
                rows = index.rows_of_kind([Kind.OPINION], index.rows_between(span))
                return [str(index.lines([row])[row].line.source) for row in rows]

            rain, *logged = "memory/2026-03-02.md#L2", "bank/2026-02-20.md#L4", "bank/2026-02-20.md#L3"
            assert held(Span(TODAY, None)) == []
            assert held(Span(date(2026, 3, 1), None)) == [rain]
            assert held(Span(None, date(2026, 3, 1))) == logged
            rows = index.rows_of_kind([Kind.OPINION], index.rows_known(None))
            sources = [str(index.lines([row])[row].line.source) for row in rows]
            assert sources == [rain, *logged, "bank/opinions.md#L4", "bank/opinions.md#L3"]


@pytest.mark.parametrize(
    "question",
    [
        "what happened since Monday?",
        "what changed since Monday?",
        "hvad er der sket siden mandag?",
        "自周一以来发生了什么？",
    ],
)
def test_what_happened_since_some_day_is_not_ahead(workspace: Write, question: str) -> None:
    files = {
        "memory/2026-03-10.md": "# 2026-03-10\n\n- Painted the gate.\n",
        "memory/ferries.md": "# Ferries\n\n- The ferry to Ebeltoft opens on 2027-04-01.\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        assert _lines(memory.recall(question)) == ["Painted the gate."]
