"""Of two facts that exclude each other the newer leads and both are cited, whatever words the question has."""

from __future__ import annotations

import json
from datetime import date
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import pytest

from commonplace.memory import Memory
from commonplace.ops.recall.conflicting_facts import DISPUTES, SUPERSEDES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Write

    from commonplace.core.model import Bundle

TODAY = date(2026, 11, 23)
OLD, NEW = "memory/2026-11-10.md", "memory/2026-11-18.md"
FILES = {
    OLD: """# 2026-11-10

## Retain
- W @Mia: Works at Acme.
- W @Mia: Is married to Jon.
- O(c=0.8) @Mia: Prefers tea over coffee.
- W @Kai: Is single.
- W @小美: 已婚。
- W @由紀: 大阪に住んでいます。
- W @Ingrid: Bor i Aarhus.
- W @प्रिया: प्रिया पुणे में रहती है।
""",
    NEW: """# 2026-11-18

## Retain
- W @Mia: Left Acme on 2026-11-15 and works at Beta now.
- W @Mia: Is divorced from Jon.
- W @Kai: Got engaged to Ada.
- W @小美: 离婚了。
- W @由紀: 先週、東京へ引っ越しました。
- W @Ingrid: Er flyttet til Odense.
- W @प्रिया: प्रिया मुंबई चली गई।
""",
}


@pytest.fixture
def memory(workspace: Write) -> Iterator[Memory]:
    with Memory(str(workspace(FILES)), today=TODAY) as opened:
        yield opened


def places(bundle: Bundle) -> list[str]:
    return [str(hit.line.source) for hit in bundle.hits]


def newer_lead(bundle: Bundle) -> None:
    """Assert that each fact that supersedes a hit is a hit before it."""
    found = places(bundle)
    for at, hit in enumerate(bundle.hits):
        if hit.superseded_by is not None:
            assert str(hit.superseded_by) in found[:at], (bundle.query, found)


@pytest.mark.parametrize(
    ("question", "newer", "older"),
    [
        ("is Mia married?", f"{NEW}#L5", f"{OLD}#L5"),
        ("is Kai single?", f"{NEW}#L6", f"{OLD}#L7"),
        ("does Mia work at Acme?", f"{NEW}#L4", f"{OLD}#L4"),
        ("小美已婚吗？", f"{NEW}#L7", f"{OLD}#L8"),
        ("由紀さんは大阪に住んでいますか？", f"{NEW}#L8", f"{OLD}#L9"),
        ("bor Ingrid i Aarhus?", f"{NEW}#L9", f"{OLD}#L10"),
        ("क्या प्रिया पुणे में रहती है?", f"{NEW}#L10", f"{OLD}#L11"),
    ],
)
def test_the_newer_fact_leads_even_if_it_has_no_word_of_the_question(
    memory: Memory, question: str, newer: str, older: str
) -> None:
    bundle = memory.recall(question)
    assert places(bundle)[:2] == [newer, older]
    assert str(bundle.hits[1].superseded_by) == newer
    newer_lead(bundle)
    alone = memory.recall(question, k=1)
    assert places(alone) == [newer]
    assert not alone.note


def test_the_reason_is_in_why_and_no_answer_is_added_twice(memory: Memory) -> None:
    bundle = memory.recall("is Kai a single man?")
    assert bundle.hits[0].why == (SUPERSEDES,)
    assert places(bundle) == [f"{NEW}#L6", f"{OLD}#L7"]


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({"as_of": "2026-11-12"}, [f"{OLD}#L7"]),
        ({"until": "2026-11-12"}, [f"{OLD}#L7"]),
        ({"kinds": ["world"]}, [f"{NEW}#L6", f"{OLD}#L7"]),
        ({"entities": ["Kai"]}, [f"{NEW}#L6", f"{OLD}#L7"]),
        ({"since": "2026-11-01"}, [f"{NEW}#L6", f"{OLD}#L7"]),
    ],
)
def test_a_fact_that_a_filter_excludes_is_not_added(memory: Memory, flags: dict[str, Any], expected: list[str]) -> None:
    assert places(memory.recall("is Kai single?", **flags)) == expected


@pytest.mark.parametrize(
    ("question", "flags"),
    [
        ("is Mia married?", {}),
        ("is Mia married and is Kai single?", {}),
        ("what happened in November 2026?", {}),
        ("", {"since": "30d"}),
        ("", {"entities": ["Mia"], "since": "30d"}),
        ("", {"kinds": ["world"]}),
        ("what about Mia?", {}),
    ],
)
def test_a_larger_k_only_adds_and_the_newer_leads_for_every_k(
    memory: Memory, question: str, flags: dict[str, Any]
) -> None:
    bundles = [memory.recall(question, k=k, budget=10**6, **flags) for k in range(1, 20)]
    for bundle in bundles:
        newer_lead(bundle)
        assert len(bundle.hits) + bundle.omitted == len(bundles[-1].hits)
    for few, many in pairwise(bundles):
        assert places(many)[: len(few.hits)] == places(few)
    small = memory.recall(question, k=20, budget=60, **flags)
    assert places(small) == places(bundles[-1])[: len(small.hits)]


def test_if_the_oldest_is_asked_for_first_the_newer_is_at_the_latest_directly_after_the_older(memory: Memory) -> None:
    bundle = memory.recall("what happened in November 2026, oldest first?", k=20)
    found = places(bundle)
    assert found[0] == f"{OLD}#L5", "a marriage is worth more than a place of work"
    for at, hit in enumerate(bundle.hits):
        if hit.superseded_by is not None:
            assert str(hit.superseded_by) in found[: at + 2]


def test_a_chain_of_corrections_leads_with_its_end(workspace: Write) -> None:
    files = {
        "memory/2026-11-01.md": "## Retain\n- W @flight: Leaves the red gate in Oslo at nine. ^one111\n",
        "memory/2026-11-02.md": "## Retain\n- W @flight: At ten. <!-- cp: supersedes=^one111 --> ^two222\n",
        "memory/2026-11-03.md": "## Retain\n- W @flight: At noon. <!-- cp: supersedes=^two222 --> ^three3\n",
        "memory/2026-11-04.md": "## Retain\n- W @flight: Not that. <!-- cp: retracts=^three3 --> ^four44\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        bundle = memory.recall("red gate in Oslo")
        assert [hit.id for hit in bundle.hits] == ["three3", "two222", "one111"]
        assert [hit.id for hit in memory.recall("red gate in Oslo", as_of="2026-11-02").hits] == ["two222", "one111"]


def test_facts_that_supersede_each_other_are_both_cited(workspace: Write) -> None:
    log = (
        "## Retain\n- W @flight: Leaves the red gate. <!-- cp: supersedes=^two222 --> ^one111\n"
        "- W @flight: At ten. <!-- cp: supersedes=^one111 --> ^two222\n"
    )
    with Memory(str(workspace({"memory/2026-11-01.md": log})), today=TODAY) as memory:
        assert {hit.id for hit in memory.recall("red gate").hits} == {"one111", "two222"}


def test_of_a_disputed_pair_both_are_cited(workspace: Write) -> None:
    files = {
        "memory/2026-11-01.md": "## Retain\n- O(c=.9) @Mia: Enjoys long hikes in the rain. ^hike11\n",
        "memory/2026-11-02.md": "## Retain\n- O(c=.9) @Mia: Stays at home. <!-- cp: contradicts=^hike11 --> ^home22\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        bundle = memory.recall("long hikes in the rain")
        assert [hit.id for hit in bundle.hits] == ["home22", "hike11"]
        assert bundle.hits[0].why == (DISPUTES,)
        assert [hit.id for hit in memory.recall("long hikes in the rain", as_of="2026-11-01").hits] == ["hike11"]


def test_of_opinions_that_exclude_each_other_the_newer_leads_for_every_k(workspace: Write) -> None:
    files = {
        "memory/2026-10-01.md": "## Retain\n- O(c=.9) @Peter: Prefers tea over coffee. ^tea1\n",
        "memory/2026-11-01.md": "## Retain\n- O(c=.9) @Peter: Prefers coffee over tea. ^cof1\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        for k, question in product((1, 2, 10), ("does Peter prefer tea over coffee?", "what do I think?", "")):
            hits = memory.recall(question, k=k, kinds=["opinion"]).hits
            assert [hit.id for hit in hits] == ["cof1", "tea1"][:k]
            assert [str(hit.disputed_by) for hit in hits[1:]] == ["memory/2026-11-01.md#L2"][: k - 1]


def test_a_page_of_facts_between_the_two_hides_neither(workspace: Write) -> None:
    kept = "".join(f"- W @Mia: Is married to the idea of plan {n} and married life.\n" for n in range(40))
    files = {**FILES, "memory/2026-11-20.md": f"## Retain\n{kept}"}
    with Memory(str(workspace(files)), today=TODAY) as memory:
        for k in (1, 3, 10, 30, 60):
            newer_lead(memory.recall("is Mia married to Jon?", k=k, budget=10**6))


def test_the_context_of_a_message_and_the_batch_form_answer_alike(memory: Memory, cli: Any) -> None:
    recalled = memory.context("is Mia married?").text
    assert recalled.index("Is divorced from Jon") < recalled.index("Is married to Jon")
    asked = json.dumps({"query": "is Mia married?", "k": 1, "today": str(TODAY)})
    said = cli("--workspace", str(memory.workspace.root), "recall", "-", "--json", stdin=asked + "\n").out
    assert [hit["source"] for hit in json.loads(said)["hits"]] == [f"{NEW}#L5"]


def test_on_a_day_asked_for_what_was_so_leads_and_what_became_of_it_comes_after(workspace: Write) -> None:
    then, later = "The ferry project uses Postgres.", "The ferry project moved from Postgres to SQLite."
    files = {
        "memory/2026-03-12.md": f"# 2026-03-12\n\n- {then}\n",
        "memory/2026-03-20.md": f"# 2026-03-20\n\n- {later}\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        for asked, order in (("on 12 March", [then, later]), ("on 20 March", [later, then]), ("now", [later, then])):
            hits = memory.recall(f"did the ferry project use Postgres {asked}?").hits
            assert [hit.line.content for hit in hits] == order
            assert {hit.line.content: hit.outdated_by is None for hit in hits} == {then: False, later: True}
