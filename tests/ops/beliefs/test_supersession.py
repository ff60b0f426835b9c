"""Facts that others outdate or dispute by what they claim: in recall, show, entity and on pages; and the laws of it."""

from __future__ import annotations

import os
import shutil
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.pairs import Pair, pairs

from commonplace.memory import Memory
from commonplace.store.sqlite import Index

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.conftest import Write

TODAY = date(2025, 12, 31)
JANUARY, NOVEMBER = "memory/2025-01-05.md", "memory/2025-11-05.md"
LIVES = "- W @Peter: Lives in Vienna. ^vienna1"
MOVED = "- W @Peter: Moved to Lisbon on November 3, 2025. ^lisbon1"
FILES = {JANUARY: f"## Retain\n{LIVES}\n", NOVEMBER: f"## Retain\n{MOVED}\n- W @Peter: Likes the trams. ^trams1\n"}
WHERE = "where does Peter live?"


@pytest.fixture
def memory(workspace: Write) -> Iterator[Memory]:
    with Memory(str(workspace(FILES)), today=TODAY) as opened:
        yield opened


def asked(memory: Memory, question: str = WHERE, **how: str) -> dict[str, tuple[str, str]]:
    """Id -> (superseded by, disputed by) of the hits, in order."""
    hits = memory.recall(question, **how).hits  # type: ignore[arg-type]
    return {hit.id: (str(hit.superseded_by or ""), str(hit.disputed_by or "")) for hit in hits}


def became(root: Path, files: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The same of Peter in a workspace of these files."""
    shutil.rmtree(root, ignore_errors=True)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    with Memory(str(root), today=TODAY) as memory:
        return asked(memory, "Vienna Lisbon Peter")


def test_the_newer_leads_and_the_older_says_by_what_it_was_replaced(memory: Memory) -> None:
    assert list(asked(memory).items())[:2] == [("lisbon1", ("", "")), ("vienna1", (f"{NOVEMBER}#L2", ""))]
    older = memory.recall(WHERE).hits[1]
    assert older.why[-1] == (f"superseded: Moved to Lisbon on November 3, 2025 since 2025-11-03 ({NOVEMBER}#L2)")


def test_what_a_fact_says_of_two_is_over_although_somebody_else_doubts_it_of_the_other(workspace: Write) -> None:
    files = {
        "memory/2025-09-02.md": "## Retain\n- W @Relay @Pump: Uses port 8580. ^both1\n",
        "memory/2025-10-10.md": "## Retain\n- W @Relay: Uses port 8160. ^one1 <!-- cp: valid=2025-02-05.. -->\n",
        "memory/2025-10-25.md": "## Retain\n- W @Pump: Uses port 8650. <!-- cp: valid=2025-05-06.. src=mail:y -->\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        hits = memory.recall("port", until="2025-10-26", entities=("Pump",), as_of="2025-11-14").hits
        (both,) = [hit for hit in hits if hit.id == "both1"]
        assert both.why[-1].startswith(("superseded: Uses port 8160", "held until")), both.why


def test_only_what_was_known_then_counts(memory: Memory) -> None:
    assert asked(memory, as_of="2025-06-01") == {"vienna1": ("", "")}
    assert asked(memory, as_of="2025-11-04") == {"vienna1": ("", "")}


@pytest.mark.parametrize("question", ["where did Peter live in March 2025?", "where did Peter live during 2025-03"])
def test_at_a_time_when_it_held_the_older_leads(memory: Memory, question: str) -> None:
    first, *_ = hits = memory.recall(question).hits
    assert first.id == "vienna1"
    assert first.superseded_by is None
    assert "held 2025-01-05/2025-11-02" in first.why
    assert first.why[-1].startswith("held until 2025-11-03: then Moved to Lisbon")
    assert {hit.id for hit in hits} >= {"vienna1", "lisbon1"}


def test_in_a_range_that_saw_both_the_newer_leads(memory: Memory) -> None:
    found = asked(memory, "where did Peter live in November 2025?")
    assert next(iter(found)) == "lisbon1"
    assert found["vienna1"] == (f"{NOVEMBER}#L2", "")


def test_what_begins_in_the_future_replaces_nothing_yet(memory: Memory) -> None:
    memory.retain("W @flat: The rent is 900 EUR a month.", date=date(2025, 12, 1))
    memory.retain("W @flat: From March 1, 2026 the rent rises to 950 EUR.", date=date(2025, 12, 20))
    assert not any(newer for newer, _ in asked(memory, "what is the rent of the flat?").values())


def test_which_of_two_undated_facts_holds_cannot_be_told(workspace: Write) -> None:
    lives = "- W @Mona: Lives in Rome. ^rome12\n- W @Mona: Lives in Milan. ^milan1\n"
    root = workspace({"memory/notes.md": f"## Retain\n{lives}"})
    with Memory(str(root), today=TODAY) as memory:
        found = asked(memory, "where does Mona live?")
        assert found == {"rome12": ("", "memory/notes.md#L3"), "milan1": ("", "memory/notes.md#L2")}
        assert memory.show("^rome12").why[-1] == "disputed: Lives in Milan (memory/notes.md#L3)"


def test_of_a_fact_that_claims_two_things_one_is_not_all(memory: Memory) -> None:
    memory.retain("W @Anna: Lives in Graz and works for Acme.", date=date(2025, 3, 1))
    new = memory.retain("W @Anna: Works for Initech now.", date=date(2025, 9, 1)).fact
    hit = next(hit for hit in memory.recall("Anna Acme Graz").hits if "Graz" in hit.line.content)
    assert hit.superseded_by is None
    assert hit.why[-1] == f"in part superseded: Works for Initech now since 2025-09-01 ({new.source})"


def test_show_and_entity_tell_it_too(memory: Memory) -> None:
    shown = memory.show("^vienna1")
    assert str(shown.superseded_by) == f"{NOVEMBER}#L2"
    assert shown.why[-1].startswith("superseded: Moved to Lisbon")
    assert memory.show("^lisbon1").superseded_by is None
    view = memory.entity("Peter")
    assert {id: str(place) for id, place in view.superseded.items()} == {"vienna1": f"{NOVEMBER}#L2"}
    assert view.disputed == {}
    again = memory.retain("W @Peter: Lives in Porto.", date=date(2025, 12, 1)).fact
    other = memory.retain("W @Peter: Lives in Braga.", date=date(2025, 12, 1)).fact
    assert memory.entity("Peter").disputed == {again.id: other.source, other.id: again.source}


def test_an_alias_is_the_same_entity(memory: Memory) -> None:
    page = Path(memory.root, "bank/entities/Peter.md")
    page.parent.mkdir(parents=True)
    page.write_text("---\naliases: [Pete]\n---\n# Peter\n")
    Path(memory.root, NOVEMBER).write_text("## Retain\n- W @Pete: Moved to Lisbon. ^lisbon1\n")
    assert asked(memory)["vienna1"] == (f"{NOVEMBER}#L2", "")


def test_pages_hold_what_is_current_and_ask_what_cannot_be_told(memory: Memory) -> None:
    for city in ("Porto", "Braga"):
        memory.retain(f"W @Mona: Lives in {city}.", date=date(2025, 10, 1))
    memory.reflect(yes=True)
    page = Path(memory.root, "bank/entities/Peter.md").read_text()
    current, _, rest = page.partition("## History")
    assert "Moved to Lisbon" in current and "Lives in Vienna" not in current
    assert "Lives in Vienna. ([log](../../memory/2025-01-05.md), replaced by ^lisbon1) ^vienna1" in rest
    mona = Path(memory.root, "bank/entities/Mona.md").read_text()
    assert "- Which holds: “Lives in" in mona.partition("## Open questions")[2]
    assert memory.reflect().patches == ()


def test_the_world_page_holds_no_fact_that_was_replaced(workspace: Write) -> None:
    log = "## Retain\n- W @flat: The rent is {} EUR.\n"
    root = workspace({JANUARY: log.format(900), NOVEMBER: log.format(950)})
    with Memory(str(root), today=TODAY) as memory:
        memory.reflect(yes=True)
        told = "\n".join(path.read_text() for path in Path(memory.root, "bank").rglob("world.md"))
        assert "900 EUR" not in told
    with Memory(str(root), today=date(2025, 12, 31)) as memory:
        assert memory.reflect().summary == "nothing new"


# Laws.


def test_nothing_is_lost_with_the_index(memory: Memory) -> None:
    before = memory.recall(WHERE).hits
    memory.close()
    os.remove(memory.workspace.index_path)
    with Memory(memory.root, today=TODAY) as again:
        assert again.recall(WHERE).hits == before


PORTO, BACK = "- W @Peter: Lives in Porto. ^porto1", "- W @Peter: Peter moved back to Vienna. ^back12"
PIECES = (LIVES, MOVED, PORTO, BACK, "- B @x: Did it.")
DAYS = ("memory/2025-01-05.md", "memory/2025-03-05.md", "memory/2025-11-05.md", "memory/notes.md")
LOGS = st.dictionaries(st.sampled_from(DAYS), st.lists(st.sampled_from(PIECES), unique=True, max_size=4), max_size=4)


def written(root: Path, logs: Mapping[str, list[str]]) -> Memory:
    """A workspace of these Retain sections and nothing else, opened."""
    root.mkdir(exist_ok=True)
    for old in root.rglob("*.md"):
        old.unlink()
    for path, lines in logs.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("## Retain\n" + "".join(f"{line}\n" for line in lines))
    return Memory(str(root), today=TODAY)


def dumped(path: str) -> list[str]:
    with Index(path) as index:
        return index.dump()


def told(memory: Memory) -> dict[str, tuple[str, str]]:
    """Id -> ids of the facts that superseded and dispute it."""
    hits = memory.recall("Vienna Lisbon Porto Peter").hits
    ids = {str(place): hit.id for hit in hits for place in (hit.line.source, *hit.also)}
    return {hit.id: (ids.get(str(hit.superseded_by), ""), ids.get(str(hit.disputed_by), "")) for hit in hits}


SLOW = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])


@SLOW
@given(LOGS, LOGS)
def test_sync_equals_rebuild_claims_included(
    tmp_path: Path, first: dict[str, list[str]], then: dict[str, list[str]]
) -> None:
    shutil.rmtree(tmp_path / "w", ignore_errors=True)
    for logs in (first, then):
        with written(tmp_path / "w", logs) as memory:
            memory.index()
            path = memory.workspace.index_path
    grown = dumped(path)
    with Memory(str(tmp_path / "w"), today=TODAY) as memory:
        memory.index(rebuild=True)
    assert dumped(path) == grown


@SLOW
@given(LOGS)
def test_the_order_of_lines_does_not_matter(tmp_path: Path, logs: dict[str, list[str]]) -> None:
    shutil.rmtree(tmp_path / "w", ignore_errors=True)
    with written(tmp_path / "w", logs) as memory:
        before = told(memory)
    with written(tmp_path / "w", {path: lines[::-1] for path, lines in logs.items()}) as memory:
        assert told(memory) == before


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("memory/2024-11-05.md", "- W @Peter: Moved to Lisbon."),
        (NOVEMBER, "- W @Peter: ~~Moved to Lisbon.~~"),
        (NOVEMBER, "- O(c=0.9) @Peter: Lives in Lisbon, and likes it."),
        (NOVEMBER, "- S @Peter: Lives in Lisbon."),
        (NOVEMBER, "- W @Peter: Perhaps moved to Lisbon."),
        ("memory/2025-11-05 (conflicted copy).md", "- W @Peter: Moved to Lisbon."),
        ("bank/review.md", "- [ ] W @Peter: Moved to Lisbon. ^i-12345"),
    ],
)
def test_a_fact_about_something_else_replaces_nothing(tmp_path: Path, path: str, line: str) -> None:
    found = became(tmp_path / "w", {JANUARY: FILES[JANUARY], path: f"## Retain\n{line}\n"})
    assert found["vienna1"] == ("", "")


def test_what_we_wrote_ourselves_replaces_nothing(memory: Memory) -> None:
    memory.reflect(yes=True)
    os.remove(os.path.join(memory.root, NOVEMBER))
    assert "Lisbon" in Path(memory.root, "bank/entities/Peter.md").read_text()
    assert asked(memory)["vienna1"] == ("", "")


def test_what_was_retracted_replaces_nothing(memory: Memory) -> None:
    memory.retract("^lisbon1", reason="it was a joke")
    assert asked(memory)["vienna1"] == ("", "")
    assert asked(memory, as_of="2025-11-10")["vienna1"] == (f"{NOVEMBER}#L2", "")


def test_what_an_outsider_says_disputes_and_does_not_replace(tmp_path: Path) -> None:
    files = FILES | {NOVEMBER: FILES[NOVEMBER].replace(" ^lisbon1", " <!-- cp: src=web:example.org --> ^lisbon1")}
    found = became(tmp_path / "w", files)
    assert found["vienna1"] == ("", f"{NOVEMBER}#L2")
    assert found["lisbon1"] == ("", f"{JANUARY}#L2")


@pytest.mark.parametrize(
    ("trailer", "expected"),
    [
        ("supersedes=^vienna1", (f"{NOVEMBER}#L2", "")),
        ("contradicts=^vienna1", ("", f"{NOVEMBER}#L2")),
        ("supports=^vienna1", ("", "")),
    ],
)
def test_a_trailer_overrides_what_the_claims_say(tmp_path: Path, trailer: str, expected: tuple[str, str]) -> None:
    files = FILES | {NOVEMBER: FILES[NOVEMBER].replace(" ^lisbon1", f" <!-- cp: {trailer} --> ^lisbon1")}
    assert became(tmp_path / "w", files)["vienna1"] == expected


def test_what_a_trailer_replaced_replaces_nothing(memory: Memory) -> None:
    memory.retain("W @Peter: Is back where he was.", date=date(2025, 12, 5), supersedes=["^lisbon1"])
    assert asked(memory)["vienna1"] == ("", "")


STAMPS = {
    "memory/2025-01-05.md": "## Retain\n- W @Ruth: Collects stamps. ^one\n",
    "memory/2025-02-05.md": "## Retain\n- W @Ruth: Ruth collects stamps from Peru. ^two\n",
    "memory/2025-03-05.md": "## Retain\n- W @Ruth: Mends clocks. ^three\n",
    "memory/2025-06-05.md": "## Retain\n- W @Ruth: No longer collects stamps. ^over\n",
}


def test_what_is_over_leads_over_all_that_said_so(workspace: Write) -> None:
    with Memory(str(workspace(STAMPS)), today=TODAY) as memory:
        found = asked(memory, "does Ruth collect stamps?")
        by = "memory/2025-06-05.md#L2"
        assert next(iter(found)) == "over"
        assert (found["one"], found["two"]) == ((by, ""), (by, ""))
        assert asked(memory, "does Ruth mend clocks?")["three"] == ("", "")
        assert asked(memory, "does Ruth collect stamps?", as_of="2025-05-01")["one"] == ("", "")
        memory.reflect(yes=True)
        page = Path(memory.root, "bank/entities/Ruth.md").read_text(encoding="utf-8")
        current, _, history = page.partition("## History")
        assert "^over" in current and "^three" in current and "^one" in history and "^two" in history


def test_what_was_over_begins_again(workspace: Write) -> None:
    again = "## Retain\n- W @Ruth: Collects stamps again. ^again\n"
    with Memory(str(workspace(STAMPS | {"memory/2025-09-05.md": again})), today=TODAY) as memory:
        found = asked(memory, "does Ruth collect stamps?")
    assert next(iter(found)) == "again"
    assert found["again"] == ("", "")
    assert found["over"] == ("memory/2025-09-05.md#L2", "")
    assert found["one"] == ("memory/2025-06-05.md#L2", "")


SOME = [pair for pair in pairs() if pair.label != "neither" and not pair.held][::5]
SOME += [pair for pair in pairs("ended") if not pair.held][::7]


@pytest.mark.parametrize("pair", SOME, ids=lambda pair: pair.title)
def test_labelled_pairs_have_the_same_outcome_in_a_workspace(tmp_path: Path, pair: Pair) -> None:
    files: dict[str, str] = {}
    for number, fact in enumerate((pair.older, pair.newer)):
        names = "".join(f" @{name}" for name in fact.entities)
        path = fact.source.path if fact.recorded else f"memory/notes-{number}.md"
        bullet = f"- {fact.kind.letter}{names}: {fact.content} ^fact{number}\n"
        files[path] = files.get(path, "## Retain\n") + bullet
    root = tmp_path / "w"
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    with Memory(str(root), today=TODAY) as memory:
        older, newer = (memory.show(f"^fact{number}") for number in (0, 1))
    assert newer.superseded_by is None
    assert (older.superseded_by is not None) is (pair.label == "supersedes")
    assert (older.disputed_by is not None) is (pair.label == "disputes")
