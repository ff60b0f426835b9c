"""Reflect: pages renewed from facts, and a person's hand in them is law."""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from datetime import date
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.hand import edit

from commonplace.core.markdown import page_regions
from commonplace.core.opinions.belief import confidence
from commonplace.core.opinions.opinion_entry import Entry, entries
from commonplace.errors import ChangedUnderneath
from commonplace.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Write

    from commonplace.core.model import Reflection

TODAY = date(2026, 2, 1)
OPINIONS = "bank/opinions.md"
REVIEW = "bank/review.md"
LIFE = """
=== MEMORY.md
# Core

- Mona is the owner.

=== memory/2025-11-27.md
# 2025-11-27

- 09:00 Quiet morning.

## Retain
- W @Mona: Currently in Oslo (Nov 27–Dec 1, 2025) for the fair. ^oslo
- O(c=0.95) @Mona: Prefers short replies on WhatsApp. ^k7f3qa
- B @orbit-ui: I fixed the build by pinning the compiler. ^fixed

=== memory/2025-12-04.md
## Retain
- O(c=0.96) @Mona: Prefers short replies on WhatsApp. ^p2m8ve
- W @Mona @orbit-ui: Mona owns orbit-ui, and Rolf reviews it. ^owns
- W @Rolf: Rolf is the carpenter. ^rolf

=== memory/2026-01-14.md
## Retain
- O(c=0.94) @Mona: Does not want short replies on WhatsApp. ^w9d1zu
"""


def life(workspace: Write) -> Memory:
    return Memory(str(workspace(LIFE)), today=TODAY)


def text(memory: Memory, path: str) -> str:
    return memory.workspace.read(path).text


def log(memory: Memory, day: str, *bullets: str) -> None:
    with open(f"{memory.root}/memory/{day}.md", "a", encoding="utf-8") as handle:
        handle.write("## Retain\n" + "".join(f"- {bullet}\n" for bullet in bullets))


def held(memory: Memory) -> dict[str, Entry]:
    return {entry.statement: entry for entry in entries(OPINIONS, text(memory, OPINIONS))}


def again(memory: Memory) -> Reflection:
    """Reflect once more with a new index, and see that a third time changes nothing."""
    memory.close()
    shutil.rmtree(f"{memory.root}/.memory")
    done = memory.reflect()
    assert memory.reflect().patches == ()
    return done


@pytest.fixture
def memory(workspace: Write) -> Memory:
    made = life(workspace)
    made.reflect()
    return made


SHORT = "Prefers short replies on WhatsApp."
LONG = "Does not want short replies on WhatsApp."


def test_opinions_look_as_the_format_says(memory: Memory) -> None:
    page = text(memory, OPINIONS)
    one, other = held(memory)[SHORT].id, held(memory)[LONG].id
    shown = page.split("\n")
    start = shown.index("## Mona")
    assert shown[start - 1] == "<!-- commonplace: opinions -->"
    assert shown[start + 2 : start + 7] == [
        f"- O(c={held(memory)[SHORT].confidence:.2f}) @Mona: {SHORT} ^{one}",
        f"  - disputed by ^{other}, last_updated 2026-01-14",
        "  - prior 0.95: [2025-11-27](../memory/2025-11-27.md) ^k7f3qa",
        "  - for, 0.96: [2025-12-04](../memory/2025-12-04.md) ^p2m8ve",
        "  - against, 0.94: [2026-01-14](../memory/2026-01-14.md) ^w9d1zu",
    ]
    assert held(memory)[LONG].disputed_by == one


def test_confidence_is_what_prior_and_evidence_give(memory: Memory) -> None:
    for entry in held(memory).values():
        assert entry.prior is not None
        assert entry.confidence == round(confidence(entry.prior, entry.evidence()), 2)
    assert [opinion.confidence for opinion in memory.opinions("Mona")] == [e.confidence for e in held(memory).values()]


def test_reflecting_twice_changes_nothing_also_with_a_new_index(memory: Memory) -> None:
    assert memory.reflect().patches == ()
    assert again(memory).patches == ()


def test_logs_and_core_are_never_written(memory: Memory, workspace: Write) -> None:
    for path in ("MEMORY.md", "memory/2025-11-27.md", "memory/2025-12-04.md", "memory/2026-01-14.md"):
        assert text(memory, path) == text(Memory(str(memory.root), today=TODAY), path)
    files = {path for path in memory.workspace.sweep() if path.startswith("memory/")}
    assert files == {"memory/2025-11-27.md", "memory/2025-12-04.md", "memory/2026-01-14.md"}
    assert "## Retain\n- O(c=0.94) @Mona: Does not want short replies on WhatsApp. ^w9d1zu\n" in text(
        memory, "memory/2026-01-14.md"
    )


def test_an_entity_page_says_what_is_current_and_what_is_past(memory: Memory) -> None:
    page = text(memory, "bank/entities/Mona.md")
    assert page.startswith("# Mona\n\n<!-- commonplace: entity -->\n")
    current, past = page.index("## Current"), page.index("## Lately")
    assert current < page.index("- 2025-12-04: Mona owns orbit-ui, and Rolf reviews it. ([log](../../memory/") < past
    assert page.index("- 2025-11-27 to 12-01: Currently in Oslo") > past
    assert "([evidence](../opinions.md#mona))" in page
    assert "Which holds: “" in page
    assert "[orbit-ui](orbit-ui.md): 1 fact together" in page
    assert not (memory.workspace.sweep().keys() & {"bank/entities/Rolf.md"})
    assert "Rolf is the carpenter." in text(memory, "bank/world.md")


def test_a_reworded_statement_keeps_id_and_evidence_and_goes_on_evolving(memory: Memory) -> None:
    before = held(memory)[SHORT]
    edit(memory, OPINIONS, f"@Mona: {SHORT}", "@Mona: Wants WhatsApp answers brief.")
    again(memory)
    reworded = held(memory)["Wants WhatsApp answers brief."]
    assert reworded._replace(statement=SHORT, number=0) == before._replace(number=0)
    log(memory, "2026-01-20", f"O(c=0.9) @Mona: {SHORT} ^newone")
    again(memory)
    evolved = held(memory)["Wants WhatsApp answers brief."]
    assert [mark.fact_id for mark in evolved.marks] == ["k7f3qa", "p2m8ve", "w9d1zu", "newone"]
    assert (evolved.confidence or 0) > (before.confidence or 0)
    assert len(held(memory)) == 2


def test_a_confidence_typed_over_is_the_prior_and_spends_the_evidence_above(memory: Memory) -> None:
    was = held(memory)[SHORT].confidence
    edit(memory, OPINIONS, f"O(c={was:.2f}) @Mona: {SHORT}", f"O(c=0.60) @Mona: {SHORT}")
    assert memory.opinions("Mona")[0].confidence == 0.6
    done = again(memory)
    assert f"bank/opinions.md: ^{held(memory)[SHORT].id} set 0.60 by hand" in done.summary
    page = text(memory, OPINIONS)
    assert "  - against, 0.94: [2026-01-14](../memory/2026-01-14.md) ^w9d1zu\n  - set 0.60 by hand 2026-02-01\n" in page
    assert held(memory)[SHORT].confidence == 0.6
    memory.today = date(2026, 2, 9)
    log(memory, "2026-02-05", f"O(c=0.9) @Mona: {SHORT} ^newone")
    again(memory)
    moved = held(memory)[SHORT]
    assert moved.confidence == round(confidence(0.6, moved.evidence()), 2)
    assert [item.fact_id for item in moved.evidence()] == ["newone"]
    assert "set 0.60 by hand 2026-02-01\n  - for, 0.90: [2026-02-05]" in text(memory, OPINIONS)


def test_a_deleted_opinion_stays_deleted(memory: Memory) -> None:
    gone = held(memory)[SHORT].id
    edit(memory, OPINIONS, f"- O(c={held(memory)[SHORT].confidence:.2f}) @Mona: {SHORT} ^{gone}\n", "")
    again(memory)
    log(memory, "2026-01-20", f"O(c=0.9) @Mona: {SHORT} ^newone")
    again(memory)
    assert set(held(memory)) == {LONG}
    assert SHORT not in text(memory, "bank/entities/Mona.md")
    assert [opinion.statement for opinion in memory.opinions()] == [LONG]
    assert "k7f3qa" not in text(memory, OPINIONS)


def test_a_deleted_line_of_evidence_weighs_nothing_any_more(memory: Memory) -> None:
    edit(memory, OPINIONS, "  - against, 0.94: [2026-01-14](../memory/2026-01-14.md) ^w9d1zu\n", "")
    again(memory)
    entry = held(memory)[SHORT]
    assert [mark.fact_id for mark in entry.marks] == ["k7f3qa", "p2m8ve"]
    assert entry.confidence == round(confidence(0.95, entry.evidence()), 2)


def test_evidence_that_a_person_turned_round_counts_as_they_say(memory: Memory) -> None:
    edit(memory, OPINIONS, "  - against, 0.94:", "  - for, 0.50:")
    again(memory)
    assert [item.stance.value for item in held(memory)[SHORT].evidence()] == ["supports", "supports"]
    assert (held(memory)[SHORT].confidence or 0) > 0.95


def test_a_note_and_an_order_of_a_persons_own_stay(memory: Memory) -> None:
    edit(memory, OPINIONS, "  - prior 0.95", "  - she said so twice\n  - prior 0.95")
    path = "bank/entities/Mona.md"
    edit(memory, path, "## Current\n", "## Current\nAsk her about the dog.\n")
    page = text(memory, path)
    lately = page[page.index("## Lately") : page.index("## Related")]
    edit(memory, path, lately, "")
    edit(memory, path, "## Current", f"{lately}## Current")
    log(memory, "2025-12-20", "W @Mona: Bought a canoe. ^canoe")
    again(memory)
    page = text(memory, path)
    assert page.index("## Lately") < page.index("## Current\nAsk her about the dog.\n")
    assert "Bought a canoe." in page
    assert "last_updated 2026-01-14\n  - she said so twice\n  - prior 0.95" in text(memory, OPINIONS)


def test_a_damaged_page_is_left_alone_and_the_review_page_says_so(memory: Memory) -> None:
    page = text(memory, OPINIONS)
    broken = page.rpartition("<!-- /commonplace")[0].partition("<!-- /commonplace")[0]
    edit(memory, OPINIONS, page, broken)
    log(memory, "2026-01-20", "W @Mona: Bought a canoe. ^canoe")
    done = again(memory)
    assert text(memory, OPINIONS) == broken
    assert "Bought a canoe." in text(memory, "bank/entities/Mona.md")
    assert "- bank/opinions.md: the end marker of the region opinions is missing" in text(memory, REVIEW)
    assert any("not changed: bank/opinions.md" in note for note in done.notes)


def test_pages_that_people_made_wait_for_a_yes(workspace: Write) -> None:
    mine = "---\naliases: [Momo]\n---\n# Mona\r\n\nMy own words.\n"
    memory = Memory(str(workspace(LIFE)), today=TODAY)
    workspace({"bank/entities/Mona.md": mine})
    asked = memory.reflect()
    assert asked.needs_yes
    assert not asked.applied
    assert "bank/opinions.md" not in memory.workspace.sweep()
    done = memory.reflect(yes=True)
    assert done.applied
    page = text(memory, "bank/entities/Mona.md")
    assert page.startswith(mine + "\n<!-- commonplace: entity -->")
    assert not memory.reflect().needs_yes


def test_a_page_that_a_person_adds_later_waits_alone(memory: Memory, workspace: Write) -> None:
    mine = "# Rolf\n\nMy own words.\n"
    workspace({"bank/entities/Rolf.md": mine, "bank/world.md": "# World\n\nAll mine.\n"})
    log(memory, "2026-01-20", "W @Rolf: Bought a canoe. ^canoe", "W @Mona: Bought a sail. ^sail", "W: It rained. ^rain")
    done = again(memory)
    assert done.applied
    assert not done.needs_yes
    assert text(memory, "bank/entities/Rolf.md") == mine
    assert "Bought a sail." in text(memory, "bank/entities/Mona.md")
    left = [line for line in text(memory, REVIEW).split("\n") if "--yes" in line]
    assert [line.partition(": ")[0] for line in left] == ["- bank/entities/Rolf.md", "- bank/world.md"]
    for path in ("bank/entities/Rolf.md", "bank/world.md"):
        assert path in done.summary
        assert any(note.startswith(f"not changed: {path}: ") for note in done.notes)
    assert memory.reflect(yes=True).applied
    assert text(memory, "bank/entities/Rolf.md").startswith(mine + "\n<!-- commonplace: entity -->")
    assert "Left alone" not in text(memory, REVIEW)
    assert memory.reflect().patches == ()


def test_a_dry_run_shows_everything_and_writes_nothing(workspace: Write) -> None:
    memory = life(workspace)
    before = memory.workspace.sweep()
    done = memory.reflect(dry_run=True)
    assert not done.applied
    assert memory.workspace.sweep() == before
    shown = {patch.path: patch for patch in done.patches}
    assert shown[OPINIONS].before is None
    assert f"\n- O(c={memory.opinions()[0].confidence:.2f}) @Mona: {SHORT}" in (shown[OPINIONS].after or "")
    assert {patch.path for patch in done.patches} == {patch.path for patch in memory.reflect().patches}


def test_explicit_words_win_over_the_rules(workspace: Write) -> None:
    memory = life(workspace)
    log(memory, "2026-01-20", "W @Mona: The canoe came on Tuesday. <!-- cp: supports=^k7f3qa --> ^canoe")
    log(memory, "2026-01-21", "O(c=0.9) @Mona: Writes letters now. <!-- cp: contradicts=^p2m8ve --> ^odd")
    memory.reflect()
    stances = {mark.fact_id: mark.role for mark in held(memory)[SHORT].marks}
    assert stances["canoe"] == "for"
    assert stances["odd"] == "against"


def test_what_holds_from_a_day_on_is_current(memory: Memory) -> None:
    log(
        memory,
        "2026-01-20",
        "W @orbit-ui: A seat costs 5.20 from Jan 9. ^seat",
        "W @orbit-ui: Sent the letter from Jan 9. ^mail",
    )
    again(memory)
    page = text(memory, "bank/entities/orbit-ui.md")
    assert page.index("## Current") < page.index("- since 2026-01-09: A seat costs 5.20") < page.index("## Lately")
    assert page.index("- 2026-01-09: Sent the letter") > page.index("## Lately")


def test_superseded_and_retracted_facts_leave_what_is_current(memory: Memory) -> None:
    log(memory, "2026-01-20", "W @Mona: Mona sold orbit-ui. <!-- cp: supersedes=^owns --> ^sold")
    memory.retract("w9d1zu", reason="misheard")
    again(memory)
    page = text(memory, "bank/entities/Mona.md")
    assert ", replaced by ^sold) ^owns" in page
    assert "## Current\n- 2026-01-20: Mona sold orbit-ui." in page
    assert page.index("Rolf reviews it") > page.index("## History")
    assert set(held(memory)) == {SHORT}
    assert "gone: against, 0.94" in text(memory, OPINIONS)
    assert held(memory)[SHORT].confidence == round(confidence(0.95, held(memory)[SHORT].evidence()), 2)


def test_a_fact_reworded_in_its_log_is_linked_again(workspace: Write) -> None:
    memory = Memory(str(workspace(LIFE.replace(" ^p2m8ve", ""))), today=TODAY)
    memory.reflect()
    old = held(memory)[SHORT].marks[1].fact_id
    edit(memory, "memory/2025-12-04.md", SHORT, "Prefers short replies on WhatsApp, always.")
    again(memory)
    marks = held(memory)[SHORT].marks
    assert [mark.role for mark in marks] == ["prior", "for", "against"]
    assert marks[1].fact_id != old
    assert not any(mark.gone for mark in marks)


def test_conflict_copies_and_code_are_no_evidence(memory: Memory, workspace: Write) -> None:
    copied = f"## Retain\n- O(c=0.9) @Mona: {SHORT} ^copied\n"
    workspace(
        {
            "memory/2026-01-20 (conflicted copy 2026-01-21).md": copied,
            "memory/2026-01-22.md": f"```\n{copied}```\n",
        }
    )
    again(memory)
    assert "copied" not in text(memory, OPINIONS)


def test_an_outsider_moves_little_and_starts_nothing(memory: Memory) -> None:
    log(memory, "2026-01-20", "O(c=0.9) @Mona: Hates every kind of tea. <!-- cp: src=web:example.org --> ^spam")
    log(memory, "2026-01-21", f"O(c=0.9) @Mona: {SHORT} <!-- cp: src=web:example.org --> ^paid")
    again(memory)
    assert set(held(memory)) == {SHORT, LONG}
    assert ", said by web:example.org ^paid" in text(memory, OPINIONS)


def test_since_limits_the_pages_and_not_the_numbers(workspace: Write, tmp_path: Path) -> None:
    memory = life(workspace)
    memory.reflect()
    log(memory, "2026-01-20", f"O(c=0.9) @Mona: {SHORT} ^newone", "W @Zoe: Is a potter.", "W @Zoe: Lives in Bergen.")
    log(memory, "2025-12-05", "B @orbit-ui: I released the second version.")
    shutil.copytree(memory.root, tmp_path / "other")
    other = Memory(str(tmp_path / "other"), today=TODAY)
    paths = {patch.path for patch in memory.reflect(since="2026-01-15").patches}
    assert "bank/entities/orbit-ui.md" not in paths
    assert {"bank/entities/Mona.md", "bank/entities/Zoe.md", OPINIONS} <= paths
    other.reflect()
    for path in ("bank/entities/Mona.md", "bank/entities/Zoe.md", OPINIONS):
        assert text(memory, path) == text(other, path)


@given(order=st.lists(st.sampled_from((None, "7d", "30d", "1y")), min_size=2, max_size=5))
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_reflects_of_any_window_never_undo_each_other(order: list[str | None], tmp_path: Path) -> None:
    """Neither writes anything after the first, whatever is left alone in its window or outside of it."""
    root = tmp_path / "law"
    shutil.rmtree(root, ignore_errors=True)
    (root / "memory").mkdir(parents=True)
    (root / "MEMORY.md").write_text("# Core\n")
    memory = Memory(str(root), today=TODAY)
    log(memory, "2025-10-26", "W @Moritz: Weighs 5 kg.", "W @Zoe: Is a potter.", "W @Zoe: Lives in Bergen.")
    log(memory, "2025-12-26", *(f"W @Ada: Owns boat {at}." for at in range(12)))
    log(memory, "2026-01-28", "W @Mona: Bought a sail.", "O(c=0.9) @Mona: Likes sails.")
    memory.reflect()
    (root / "bank/entities/Moritz.md").write_text("# Moritz\n\nMine alone.\n")
    (root / "bank/entities/Mona.md").write_text("# Mona\n\nMine, too.\n")
    edit(memory, "bank/entities/Zoe.md", "<!-- /commonplace ", "<!-- /commonplac ")
    for at in range(1, 12):
        edit(memory, "memory/2025-12-26.md", f"- W @Ada: Owns boat {at}.\n", "")
    memory.reflect(since=order[0])
    page = text(memory, REVIEW)
    for name in ("Moritz", "Mona", "Zoe", "Ada"):
        assert f"\n- bank/entities/{name}.md: " in page
    for since in order[1:]:
        assert memory.reflect(since=since).patches == ()
    assert again(memory).patches == ()
    assert text(memory, REVIEW) == page
    memory.close()


def test_the_summary_counts_lines_that_only_moved(memory: Memory) -> None:
    log(memory, "2026-01-20", "W @Ada: Bought a bike. ^bike", "W @Ada: Bought a boat. ^boat", "W @Ada: Runs. ^runs")
    memory.reflect()
    edit(memory, "memory/2026-01-20.md", "- W @Ada: Bought a bike. ^bike\n", "")
    edit(memory, "memory/2026-01-20.md", "^runs\n", "^runs\n- W @Ada: Bought a bike. ^bike\n")
    assert "bank/entities/Ada.md: 1 line moved" in memory.reflect().summary
    log(memory, "2026-01-20", "W @Ada: Swims. ^swims")
    assert re.search(r"bank/entities/Ada\.md: \+2 −1 lines", memory.reflect().summary)


def test_since_with_yes_takes_only_pages_of_its_window(memory: Memory, workspace: Write) -> None:
    mine = "# Rolf\n\nMy own words.\n"
    workspace({"bank/entities/Rolf.md": mine})
    memory.reflect(since="2026-01-10", yes=True)
    assert text(memory, "bank/entities/Rolf.md") == mine
    assert "\n- bank/entities/Rolf.md: " in text(memory, REVIEW)
    assert memory.reflect().patches == ()


def test_no_page_links_to_one_that_is_not_there(workspace: Write) -> None:
    memory = life(workspace)
    log(memory, "2026-01-20", "W @Zoe: Is a potter.", "B @Zoe @Rolf: I carried clay for Zoe.", "W @Zoe @Mona: Friends.")
    memory.reflect(since="2026-01-15")
    assert "bank/entities/orbit-ui.md" not in memory.workspace.sweep()
    assert "- orbit-ui" in text(memory, "bank/experience.md")
    for since in ("2026-01-15", None):
        memory.reflect(since=since)
        there = memory.workspace.sweep()
        for path in (path for path in there if path.startswith("bank/")):
            folder = path.rpartition("/")[0]
            for target in re.findall(r"\]\(<?([^)#>]+)", text(memory, path)):
                assert os.path.normpath(f"{folder}/{target}") in there, (path, target)


def test_what_is_inferred_waits_and_becomes_a_fact_when_accepted(memory: Memory) -> None:
    with open(f"{memory.root}/memory/2026-01-28.md", "w", encoding="utf-8") as handle:
        handle.write("# 2026-01-28\n\n- Mona moved to Bergen.\n- Rolf prefers oak.\n- Mona might move to Rome.\n")
    again(memory)
    page = text(memory, REVIEW)
    assert "- [ ] W @Mona: Mona moved to Bergen. ([2026-01-28](../memory/2026-01-28.md)) ^i-" in page
    assert "Rome" not in page
    edit(memory, REVIEW, "- [ ] W @Mona: Mona moved", "- [x] W @Mona: Mona moved for good")
    edit(memory, REVIEW, "- [ ] O @Rolf", "- [-] O @Rolf")
    again(memory)
    assert "- W @Mona: Mona moved for good to Bergen. <!-- cp: src=inferred:memory/2026-01-28.md --> ^" in text(
        memory, "memory/2026-01-28.md"
    )
    assert "moved for good" in text(memory, "bank/entities/Mona.md")
    page = text(memory, REVIEW)
    decided = page[page.index("## Decided") :]
    assert "- [x] W @Mona: Mona moved for good to Bergen." in decided
    assert "- [-] O @Rolf: Rolf prefers oak." in decided
    assert "## Inferred" not in page
    assert "oak" not in text(memory, OPINIONS)


def test_narrative_is_read_where_nothing_was_ever_retained(workspace: Write) -> None:
    files = {
        "memory/2025-11-27.md": "# Log\nWe decided to move the backups to 02:15.\n",
        "memory/2025-06-01.md": "# Log\nWe decided to buy a second disk.\n",
    }
    memory = Memory(str(workspace(files)), today=TODAY)
    assert memory.reflect().applied
    page = text(memory, REVIEW)
    assert "- [ ] W: We decided to move the backups to 02:15. ([2025-11-27](../memory/2025-11-27.md)) ^i-" in page
    assert "second disk" not in page
    assert not memory.reflect().patches


def decisions(memory: Memory, days: dict[str, int]) -> None:
    """Narrative of which every line is a decision that nobody retained: so many lines on each day."""
    for day, number in days.items():
        lines = "".join(f"- We decided to buy lamp {day[5:]}-{at} for the hall.\n" for at in range(number))
        with open(f"{memory.root}/memory/{day}.md", "w", encoding="utf-8") as handle:
            handle.write(f"# {day}\n{lines}")


def test_what_is_inferred_is_the_same_whatever_since_says(workspace: Write) -> None:
    memory = life(workspace)
    decisions(memory, {"2026-01-30": 20, "2026-01-05": 30, "2025-06-01": 15})
    memory.reflect()
    page = text(memory, REVIEW)
    assert page.count("- [ ] ") == 10
    assert "- 40 more wait behind these" in page
    for since in ("7d", None, "1y", None, "7d"):
        assert memory.reflect(since=since).patches == ()
        assert text(memory, REVIEW) == page


@pytest.mark.parametrize("answer", ["x", "-", "deleted"])
def test_a_sentence_of_many_days_is_asked_once_and_settled_once(workspace: Write, answer: str) -> None:
    days = ("2025-06-01", *(f"2026-01-{day}" for day in range(20, 27)))
    files = {f"memory/{day}.md": f"# {day}\n- 09:00 We decided to use Redis for the queue.\n" for day in days}
    memory = Memory(str(workspace(files)), today=TODAY)
    memory.reflect()
    page = text(memory, REVIEW)
    (task,) = (line for line in page.split("\n") if "Redis" in line)
    assert "([2026-01-26](../memory/2026-01-26.md), also on 2026-01-25 and 5 more days) ^i-" in task
    for since in ("7d", None, "1y", None):
        assert memory.reflect(since=since).patches == ()
    edit(memory, REVIEW, f"{task}\n", "" if answer == "deleted" else task.replace("[ ]", f"[{answer}]") + "\n")
    memory.reflect()
    workspace({"memory/2026-01-30.md": "# 2026-01-30\n- We decided to use Redis for the queue.\n"})
    again(memory)
    assert "- [ ] " not in text(memory, REVIEW)
    logs = (text(memory, path) for path in memory.workspace.sweep() if path.startswith("memory/"))
    assert sum(log.count("- W @Redis: We decided to use Redis") for log in logs) == (answer == "x")


def test_since_reads_older_narrative_where_there_is_room(workspace: Write) -> None:
    memory = life(workspace)
    decisions(memory, {"2026-01-30": 5, "2025-06-01": 4, "2025-05-01": 4})
    memory.reflect()
    assert text(memory, REVIEW).count("- [ ] ") == 5
    memory.reflect(since="1y")
    page = text(memory, REVIEW)
    assert page.count("- [ ] ") == 10
    assert "more wait" not in page
    for since in (None, "7d", "1y"):
        assert memory.reflect(since=since).patches == ()
    edit(memory, REVIEW, "- [ ] W: We decided to buy lamp 01-30-0", "- [-] W: We decided to buy lamp 01-30-0")
    memory.reflect()
    assert text(memory, REVIEW).count("- [ ] ") == 9
    memory.reflect(since="1y")
    assert text(memory, REVIEW).count("- [ ] ") == 10


def test_what_is_inferred_spells_names_as_the_log_does(workspace: Write) -> None:
    log = "# Log\n- @ピーター は緑茶を好む。\n- @Peter lives in Oslo.\n- Lunch with @Peter.\n"
    memory = Memory(str(workspace({"memory/2025-11-27.md": log})), today=TODAY)
    memory.reflect()
    page = text(memory, REVIEW)
    assert "- [ ] O @ピーター: " in page
    assert "- [ ] W @Peter: " in page


def test_a_verdict_on_the_review_page_is_evidence_and_is_remembered(memory: Memory) -> None:
    log(memory, "2026-01-20", "W @Mona: The replies on WhatsApp, short or not, went to Rolf. ^vague")
    again(memory)
    page = text(memory, REVIEW)
    assert "on “Prefers short replies on WhatsApp.” ^o-" in page
    target = held(memory)[SHORT].id
    at = page.index(f"^{target} ^vague ^j-")
    box = page.index("- [ ] against", at)
    edit(memory, REVIEW, page, page[:box] + page[box:].replace("[ ]", "[x]", 1))
    again(memory)
    assert "against: [2026-01-20](../memory/2026-01-20.md) ^vague" in text(memory, OPINIONS)
    assert "- [x] against: “The replies on WhatsApp" in text(memory, REVIEW)
    edit(memory, OPINIONS, text(memory, OPINIONS), "# Opinions\n")
    memory.reflect(yes=True)
    assert "against: [2026-01-20](../memory/2026-01-20.md) ^vague" in text(memory, OPINIONS)


def test_a_sure_opinion_is_proposed_for_the_core_and_not_written_there_unasked(memory: Memory) -> None:
    log(memory, "2026-01-20", *(f"O(c=0.95) @Mona: Drinks only green tea. ^tea{n}" for n in (1,)))
    log(memory, "2026-01-21", "O(c=0.95) @Mona: Drinks only green tea. ^tea2")
    log(memory, "2026-01-22", "O(c=0.95) @Mona: Drinks only green tea. ^tea3")
    core = text(memory, "MEMORY.md")
    again(memory)
    assert "- [ ] Mona: Drinks only green tea. (0.9" in text(memory, REVIEW)
    edit(memory, REVIEW, "- [ ] Mona: Drinks", "- [-] Mona: Drinks")
    again(memory)
    assert "## Core" not in text(memory, REVIEW)
    assert text(memory, "MEMORY.md") == core


TEA = "Mona: Drinks only green tea."


def proposed(memory: Memory) -> None:
    """A sure opinion stands proposed for the core."""
    for day in (20, 21, 22):
        log(memory, f"2026-01-{day}", f"O(c=0.95) @Mona: Drinks only green tea. ^tea{day}")
    again(memory)
    assert f"- [ ] {TEA} (0.9" in text(memory, REVIEW)


def test_what_a_person_accepts_for_the_core_is_written_there(memory: Memory) -> None:
    proposed(memory)
    edit(memory, REVIEW, f"- [ ] {TEA}", f"- [x] {TEA}")
    before, waiting = text(memory, "MEMORY.md"), text(memory, REVIEW)
    planned = memory.reflect(dry_run=True)
    assert {patch.path for patch in planned.patches} == {"MEMORY.md", REVIEW}
    assert text(memory, "MEMORY.md") == before
    done = memory.reflect(since="2026-01-31")
    assert done.patches == planned.patches
    assert text(memory, "MEMORY.md") == before + f"- {TEA}\n"
    assert f"- [x] {TEA}" in text(memory, REVIEW).partition("## Decided")[2]
    assert memory.reflect().patches == ()
    undone = {each.path: each.outcome for each in memory.undo()}
    assert undone.pop(REVIEW).startswith("restored; still ticked; the next reflect acts on it again: ^c-")
    assert undone == {"MEMORY.md": "restored"}
    assert (text(memory, "MEMORY.md"), text(memory, REVIEW)) == (before, waiting)


def test_what_is_accepted_for_the_core_keeps_the_file_as_it_is_and_a_persons_words(memory: Memory) -> None:
    proposed(memory)
    mine = "\ufeff# Core\r\n\r\nMona is the owner."
    edit(memory, "MEMORY.md", text(memory, "MEMORY.md"), mine)
    edit(memory, REVIEW, f"- [ ] {TEA}", "- [x] Mona drinks nothing but green tea, ever.")
    again(memory)
    with open(f"{memory.root}/MEMORY.md", encoding="utf-8", newline="") as handle:
        assert handle.read() == mine + "\r\n\r\n- Mona drinks nothing but green tea, ever.\r\n"


def test_what_the_core_says_already_is_only_decided(memory: Memory) -> None:
    proposed(memory)
    edit(memory, REVIEW, f"- [ ] {TEA}", f"- [x] {TEA}")
    edit(memory, "MEMORY.md", "- Mona is", "* Mona drinks only green tea\n- Mona is")
    before = text(memory, "MEMORY.md")
    again(memory)
    assert text(memory, "MEMORY.md") == before
    assert f"- [x] {TEA}" in text(memory, REVIEW).partition("## Decided")[2]


@pytest.mark.parametrize("what", ["missing", "read-only", "no text", "it"])
def test_a_core_that_cannot_be_written_leaves_it_ticked(memory: Memory, what: str) -> None:
    proposed(memory)
    edit(memory, REVIEW, f"- [ ] {TEA}", f"- [x] {TEA}")
    core = f"{memory.root}/MEMORY.md"
    if what == "missing":
        os.unlink(core)
    elif what == "no text":
        with open(core, "wb") as handle:
            handle.write(b"\xff\xfe\x00")
    elif what == "read-only":
        os.chmod(core, 0o444)
    else:
        open(f"{memory.root}/.MEMORY.md.swp", "w").close()
    done = again(memory)
    if what == "no text":  # a page quotes it: none is renewed until it can be read
        assert [note.partition(":")[0] for note in done.notes] == [
            "no page was changed, because these files cannot be read now"
        ]
    else:
        assert any(note.startswith("not written to MEMORY.md: ") and TEA in note for note in done.notes)
    assert f"- [x] {TEA}" in text(memory, REVIEW)
    assert "## Decided" not in text(memory, REVIEW)
    if what == "missing":
        assert not os.path.exists(core)
    if what == "read-only":
        os.unlink(core)
    elif what == "it":
        os.unlink(f"{memory.root}/.MEMORY.md.swp")
    with open(core, "w", encoding="utf-8") as handle:
        handle.write("# Core\n")
    again(memory)
    assert text(memory, "MEMORY.md").endswith(f"\n- {TEA}\n")


def test_a_page_that_would_lose_most_of_its_lines_is_left_alone(memory: Memory) -> None:
    log(memory, "2026-01-20", *(f"W @Zoe: Thing number {number} stands on its own shelf." for number in range(30)))
    again(memory)
    before = text(memory, "bank/entities/Zoe.md")
    edit(memory, "memory/2026-01-20.md", text(memory, "memory/2026-01-20.md"), "# empty\n")
    log(memory, "2026-01-21", "W @Zoe: Is a potter.", "W @Zoe: Lives in Bergen.")
    done = again(memory)
    assert text(memory, "bank/entities/Zoe.md") == before
    assert any("would remain" in note for note in done.notes)
    assert memory.reflect(yes=True).applied
    assert "Thing number" not in text(memory, "bank/entities/Zoe.md")


def test_when_all_facts_are_gone_nothing_is_emptied(memory: Memory) -> None:
    shutil.rmtree(f"{memory.root}/memory")
    done = memory.reflect()
    assert done.patches == ()
    assert "no facts left" in done.notes[0]


@pytest.mark.parametrize("sign", ["bank/.opinions.md.swp", "bank/.#opinions.md", "bank/.~lock.opinions.md#"])
def test_a_page_that_an_editor_holds_waits_and_the_others_do_not(memory: Memory, workspace: Write, sign: str) -> None:
    before = text(memory, OPINIONS)
    log(memory, "2026-01-20", f"O(c=0.9) @Mona: {SHORT}", "W @Rolf: Rolf moved to Bergen.")
    root = workspace({sign: ""})
    for _ in range(2):
        done = memory.reflect()
        assert text(memory, OPINIONS) == before
        assert any(note.startswith(f"postponed: {OPINIONS}") for note in done.notes)
    assert "Bergen" in text(memory, "bank/entities/Rolf.md")
    (root / sign).unlink()
    assert [patch.path for patch in memory.reflect().patches] == [OPINIONS]
    assert text(memory, OPINIONS) != before
    assert memory.reflect().patches == ()


def test_undo_takes_a_reflect_back(memory: Memory) -> None:
    page = text(memory, OPINIONS)
    log(memory, "2026-01-20", f"O(c=0.9) @Mona: {SHORT} ^newone")
    memory.reflect()
    assert text(memory, OPINIONS) != page
    memory.undo()
    assert text(memory, OPINIONS) == page


PAGES = (OPINIONS, "bank/entities/Mona.md", "bank/world.md")


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_edit_of_any_line_survives(data: st.DataObject, workspace: Write) -> None:
    shutil.rmtree(workspace({}), ignore_errors=True)
    root = workspace(LIFE)
    memory = Memory(str(root), today=TODAY)
    memory.reflect()
    path = data.draw(st.sampled_from(PAGES))
    region = page_regions.read(text(memory, path))[0]
    lines = text(memory, path).split("\n")
    body = [at for at in range(region.start, region.start + len(region.body)) if lines[at].strip()]
    at = data.draw(st.sampled_from(body))
    what = data.draw(st.sampled_from(["delete", "reword", "add", "swap"]))
    if what == "delete":
        gone = lines.pop(at)
    elif what == "reword":
        bare = lines[at].lstrip()
        lines[at] = lines[at][: len(lines[at]) - len(bare)] + bare.replace(" ", " really ", 1)
    elif what == "add":
        lines.insert(at, data.draw(st.sampled_from(["my own line", "- a bullet of mine", "  - a child of mine"])))
    else:
        other = data.draw(st.sampled_from(body))
        lines[at], lines[other] = lines[other], lines[at]
    wanted = "\n".join(lines)
    (root / path).write_bytes(wanted.encode())
    again(memory)
    now = text(memory, path).split("\n")
    if what == "swap" and path != OPINIONS:
        order = [line for line in lines if line.strip() and "/commonplace" not in line]
        assert [line for line in now if line.strip() and "/commonplace" not in line] == order
    log(memory, "2026-01-20", f"O(c=0.9) @Mona: {SHORT} ^newone", "W @Mona: Bought a canoe.", "W @Rolf: Sold his van.")
    for _ in range(2):
        if what == "delete" and not gone.startswith("- O("):
            assert gone not in now
        elif what == "delete":
            assert not any(line.endswith(gone[-8:]) for line in now)
        elif what == "add":
            assert lines[at] in now
        elif what == "reword" and path != OPINIONS:
            assert lines[at].rstrip() in [line.rstrip() for line in now]
        again(memory)
        now = text(memory, path).split("\n")
    memory.close()


SAID = (
    "O(c=0.9) @Mona: Prefers short replies on WhatsApp.",
    "O(c=0.8) @Mona @Rolf: Prefers long replies on WhatsApp.",
    "O @Mona: Does not want short replies.",
    "W @Mona: Asked for long replies on WhatsApp again.",
    "W @Mona: The replies on WhatsApp, short or not, went to Rolf.",
    "O(c=0.7) @Rolf: Prefers short mails.",
    "B @Rolf: I sent short replies on WhatsApp.",
)
EDITS = (
    ("", ""),
    (": Prefers short replies on WhatsApp.", ": Wants WhatsApp answers brief."),
    ("- O(c=0.9", "- O(c=0.5"),
    (": Prefers short mails.", ": Prefers mails of two lines."),
    ("  - against", "  - for"),
)


def bank(memory: Memory) -> dict[str, str]:
    return {path: text(memory, path) for path in memory.workspace.sweep() if path.startswith("bank/")}


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.tuples(st.integers(10, 28), st.lists(st.sampled_from(SAID), max_size=4), st.sampled_from(EDITS)),
        min_size=1,
        max_size=4,
    )
)
def test_what_the_index_remembers_changes_no_byte(
    steps: list[tuple[int, list[str], tuple[str, str]]], workspace: Write, tmp_path: Path
) -> None:
    shutil.rmtree(workspace({}), ignore_errors=True)
    shutil.rmtree(tmp_path / "other", ignore_errors=True)
    shutil.copytree(workspace(LIFE), tmp_path / "other")
    warm, cold = Memory(str(workspace({})), today=TODAY), Memory(str(tmp_path / "other"), today=TODAY)
    for day, bullets, (old, new) in steps:
        for memory in (warm, cold):
            log(memory, f"2026-01-{day}", *bullets)
            if OPINIONS in bank(memory) and old in text(memory, OPINIONS):
                edit(memory, OPINIONS, old, new)
            memory.reflect()
            memory.reflect(since="2026-01-20")
        assert bank(warm) == bank(cold)
        assert warm.opinions() == cold.opinions()
        cold.close()
        shutil.rmtree(f"{cold.root}/.memory")
    for memory in (warm, cold):
        assert memory.reflect().patches == ()
        memory.close()


def test_opinions_as_they_were_known_on_a_day(memory: Memory) -> None:
    then = memory.opinions("Mona", as_of="2025-12-31")
    assert [(opinion.statement, opinion.prior, len(opinion.evidence)) for opinion in then] == [(SHORT, 0.95, 1)]
    assert then[0].confidence > memory.opinions("Mona")[0].confidence


def test_opinions_that_people_keep_in_tables_stand_beside_ours(memory: Memory, workspace: Write) -> None:
    workspace(
        {"bank/tastes.md": "| Opinion | Confidence | Updated |\n|---|---|---|\n| Oak beats pine | 80% | 2026-01-02 |\n"}
    )
    again(memory)
    assert [opinion.statement for opinion in memory.opinions()] == [SHORT, LONG, "Oak beats pine"]
    assert [opinion.statement for opinion in memory.opinions(as_of="2025-12-31")] == [SHORT]
    assert str(memory.opinions()[2].source) == "bank/tastes.md#L3"


def test_a_page_of_which_no_fact_tells_stays_as_it_is(memory: Memory, workspace: Write) -> None:
    mine = "# Anna\n\n- Anna likes short meetings.\n  - confidence: 0.7\n"
    workspace({"bank/entities/Anna.md": mine})
    assert "Anna" not in "".join(again(memory).notes)
    assert memory.reflect(yes=True).patches == ()
    assert text(memory, "bank/entities/Anna.md") == mine
    assert [opinion.statement for opinion in memory.opinions("Anna")] == ["Anna likes short meetings."]


def test_an_opinion_in_a_table_belongs_to_whom_it_names(memory: Memory, workspace: Write) -> None:
    workspace({"bank/tastes.md": "| Opinion | Confidence |\n|---|---|\n| Rolf prefers oak over pine | 0.9 |\n"})
    assert [opinion.statement for opinion in memory.opinions("Rolf")] == ["Rolf prefers oak over pine"]
    assert [opinion.statement for opinion in memory.entity("Rolf").opinions] == ["Rolf prefers oak over pine"]
    assert "Rolf prefers oak over pine" not in {opinion.statement for opinion in memory.opinions("Mona")}


def test_saying_it_again_on_the_first_day_adds_nothing(workspace: Write) -> None:
    log = "## Retain\n- O(c=0.9) @Mona: Prefers tea. ^one\n- O(c=0.9) @Mona: Prefers tea. ^two\n"
    memory = Memory(str(workspace({"memory/2026-01-02.md": log})), today=TODAY)
    memory.reflect()
    assert [opinion.confidence for opinion in memory.opinions()] == [0.9]
    assert not memory.reflect().patches
    workspace({"memory/2026-01-03.md": "## Retain\n- O(c=0.9) @Mona: Prefers tea. ^three\n"})
    assert memory.opinions()[0].confidence > 0.9


def test_a_page_that_is_no_text_is_left_alone(memory: Memory) -> None:
    with open(f"{memory.root}/bank/world.md", "wb") as handle:
        handle.write(b"\xff\xfe\x00")
    log(memory, "2026-01-20", "W @Mona: Bought a canoe. ^canoe")
    done = again(memory)
    assert any(note.startswith("not changed: bank/world.md: ") for note in done.notes)
    assert "Bought a canoe." in text(memory, "bank/entities/Mona.md")


def test_names_that_no_file_can_have_and_names_that_meet_get_no_page(memory: Memory) -> None:
    log(memory, "2026-01-20", "W @Ærø: Is an island.", "W @Ærø: Lies south.", "W @...: Is odd.", "W @...: Is very odd.")
    done = memory.reflect()
    assert "bank/entities/Ærø.md" in {patch.path for patch in done.patches}
    assert any(note.startswith("no page for '...'") for note in done.notes)


def test_an_alias_brings_facts_to_the_page_that_has_it(memory: Memory, workspace: Write) -> None:
    edit(memory, "bank/entities/Mona.md", "# Mona\n", "---\naliases: [モナ]\n---\n# Mona\n")
    log(memory, "2026-01-20", "W @モナ: モナはカヌーを買った。 ^canoe", "W @モナ: Sold the van.")
    again(memory)
    assert "カヌー" in text(memory, "bank/entities/Mona.md")
    assert "bank/entities/モナ.md" not in memory.workspace.sweep()


def test_nothing_is_lost_when_somebody_writes_the_same_pages_meanwhile(memory: Memory) -> None:
    written: list[str] = []
    stop = Event()

    def noted(text: str | None) -> str:
        return (text or "").replace("# Opinions\n", f"# Opinions\nnote {len(written)}\n", 1)

    def keep_writing() -> None:
        person = Memory(memory.root, today=TODAY).workspace
        while not stop.is_set():
            person.change(OPINIONS, noted)
            written.append(f"note {len(written)}")
            stop.wait(0.02)

    writer = Thread(target=keep_writing)
    writer.start()
    try:
        for number in range(8):
            log(memory, f"2026-01-{number + 15}", f"O(c=0.9) @Mona: {SHORT} ^more{number}")
            with suppress(ChangedUnderneath):
                memory.reflect()
    finally:
        stop.set()
        writer.join()
    page = text(memory, OPINIONS).split("\n")
    assert [note for note in written if note not in page] == []
    again(memory)
    assert len(held(memory)[SHORT].marks) == 11


def test_the_core_is_offered_what_is_about_the_owner_and_says_when_it_is_full(memory: Memory) -> None:
    for day in (20, 21, 22):
        log(memory, f"2026-01-{day}", "W @Mona: Is allergic to walnuts.", "W @Rolf: Has a wooden leg.")
    again(memory)
    assert "- [ ] Rolf: Has a wooden leg. ([2026-01-22](../memory/2026-01-22.md), also on" in text(memory, REVIEW)
    with open(f"{memory.root}/USER.md", "w", encoding="utf-8") as handle:
        handle.write("# My human\n\n- **Name:** Mona\n")
    again(memory)
    assert "Rolf: Has" not in text(memory, REVIEW)
    edit(memory, REVIEW, "- [ ] Mona: Is allergic", "- [x] Mona: Is very allergic")
    again(memory)
    assert text(memory, "MEMORY.md").endswith("- Mona: Is very allergic to walnuts.\n")
    for day in (20, 21, 22):
        log(memory, f"2026-01-{day}", "W @Mona: Keeps the spare key under the blue pot.")
    edit(memory, "MEMORY.md", "# Core", "# Core\n" + "x" * 19_900)
    again(memory)
    page = text(memory, REVIEW)
    assert "- the core is full: 19,9" in page
    assert "spare key" not in page


def test_what_outsiders_say_is_marked_wherever_it_stands(memory: Memory) -> None:
    """It is no belief, no definition, no news of the core, and replaces nothing of the author's."""
    said = "<!-- cp: src=web:example.org -->"
    for day in range(15, 22):
        log(
            memory,
            f"2026-01-{day}",
            f"W @Rolf: Rolf is a thief. {said} ^thief{day}",
            f"W @Mona @Rolf: Mona owes Rolf {day} crowns. {said} ^debt{day}",
            f"O(c=1.0) @Mona: Hates every kind of tea. {said} ^tea{day}",
            f"W: The moon is made of cheese, part {day}. {said} ^moon{day}",
            f"B @Mona: I sold the boat {day} times. {said} ^boat{day}",
            f"O(c=1.0) @Mona: Drinks only green tea. {said} ^green{day}",
        )
    log(memory, "2026-01-12", "W @Rolf: Lives in Bergen. ^bergen", "O(c=0.97) @Mona: Drinks only green tea. ^green")
    log(memory, "2026-01-22", f"W @Rolf: Moved to Oslo. {said} ^moved")
    again(memory)
    assert "Hates every kind of tea." not in held(memory)
    page = text(memory, REVIEW) if REVIEW in memory.workspace.sweep() else ""
    assert "## Core" not in page
    assert "^o-" not in page  # nobody is asked to judge what a stranger says
    lines = [
        (path, line)
        for path in ("bank/entities/Rolf.md", "bank/entities/Mona.md", "bank/world.md", "bank/experience.md")
        for line in text(memory, path).split("\n")
        if any(word in line for word in ("thief", "crowns", "moon", "sold the boat", "Moved to Oslo"))
    ]
    assert {path for path, _ in lines} == {
        "bank/entities/Rolf.md",
        "bank/entities/Mona.md",
        "bank/world.md",
        "bank/experience.md",
    }
    for path, line in lines:
        assert "according to web:example.org" in line, (path, line)
    rolf = text(memory, "bank/entities/Rolf.md")
    assert "\nRolf is the carpenter. ([log]" in rolf
    assert "replaced" not in next(line for line in rolf.split("\n") if line.endswith("^bergen"))


def test_an_accepted_line_of_a_log_is_nobody_elses_word(memory: Memory) -> None:
    with open(f"{memory.root}/memory/2026-01-20.md", "a", encoding="utf-8") as handle:
        handle.write("- Rolf moved to Hamar.\n")
    memory.reflect()
    edit(memory, REVIEW, "- [ ] W @Rolf", "- [x] W @Rolf")
    memory.reflect()
    page = text(memory, "bank/entities/Rolf.md")
    assert "moved to Hamar" in page
    assert "according to" not in page


def test_an_entity_of_which_logs_tell_enough_gets_a_page_and_noise_does_not(workspace: Write) -> None:
    told = [
        "We decided that Rolf Berg signs every invoice above 500 crowns from now on.",
        "The invoice was paid twice because Rolf Berg and the bank both sent it; root cause: no reference number.",
        "Never call Rolf Berg before nine, he prefers mail with the whole question in it.",
        "Met Rolf Berg at noon, and Ida Holm was there.",
    ]
    for day, line in enumerate(told, 1):
        workspace(f"=== memory/2026-01-0{day}.md\n{line}\nSet `@Decor` and @media again.\nStatus: {day} tests passed\n")
    memory = Memory(str(workspace("=== MEMORY.md\n# Core\n")), today=TODAY)
    memory.reflect(yes=True)
    assert os.listdir(f"{memory.root}/bank/entities") == ["Rolf-Berg.md"]
    page = text(memory, "bank/entities/Rolf-Berg.md")
    for heading, day in (("Decisions", 1), ("Causes and lessons", 2), ("Preferences", 3)):
        row = f"- 2026-01-0{day}: {told[day - 1]} ([log](../../memory/2026-01-0{day}.md))"
        assert f"## {heading}\n{row}\n" in page
    assert "tests passed" not in page
    assert again(memory).patches == ()


def test_undated_notes_are_quoted_as_notes_and_earn_no_page_by_themselves(workspace: Write) -> None:
    head = "| Sloop | Notes on it |\n|---|---|\n"
    oils = (
        "always oils the Sloop, decided by the club, because the dry wood of the old mast cracked in the spring of 2024"
    )
    workspace(f"=== memory/rigging.md\n# Rigging\n\n{head}| Rolf Berg | {oils} |\n")
    for day in (4, 5):
        workspace(
            f"=== memory/2026-01-0{day}.md\n- Rolf Berg wants oar {day} in oak, because pine splits in the frost.\n"
        )
    for day in (1, 2, 3):
        workspace(
            f"=== memory/2026-01-0{day}.md\n- We decided that Rolf Berg signs paper number {day} of the club "
            f"{('ferry', 'van', 'crane')[day - 1]} and nobody else.\n"
        )
    rules = "\n".join(f"- Never fly the Gaff Sail {when}" for when in ("at night", "in a calm", "with two reefs tied"))
    workspace(f"=== memory/sails.md\n# Sails\n\n{rules}\n")
    memory = Memory(str(workspace("=== MEMORY.md\n# Core\n")), today=TODAY)
    memory.reflect(yes=True)
    assert os.listdir(f"{memory.root}/bank/entities") == ["Rolf-Berg.md"]
    page = text(memory, "bank/entities/Rolf-Berg.md")
    assert "| Sloop |" not in page
    assert "([rigging.md](../../memory/rigging.md))" in page.partition("## Notes\n")[2]


def test_a_name_without_its_article_is_on_the_page_with_it(workspace: Write) -> None:
    workspace({"bank/entities/The-Kite.md": "# The Kite\n"})
    told = ("We moored the Kite twice, because of the storm", "Never sail the Kite alone", "Decided: the Kite is sold")
    for day, line in enumerate(told, 1):
        workspace(f"=== memory/2026-01-0{day}.md\n- {line}.\n")
    memory = Memory(str(workspace("=== MEMORY.md\n# Core\n")), today=TODAY)
    memory.reflect(yes=True)
    assert os.listdir(f"{memory.root}/bank/entities") == ["The-Kite.md"]
    page = text(memory, "bank/entities/The-Kite.md")
    assert all(line in page for line in told)


def test_a_heading_with_a_secret_is_not_shown_with_the_lines_below(workspace: Write) -> None:
    told = ("Never moor at the pier, because its planks are rotten", "Never use the crane, because it leans")
    for day, line in enumerate((*told, "Never paint in the rain, because it stays wet"), 1):
        workspace(f"=== memory/2026-01-0{day}.md\n## Harbour login, password: Xk9mQ2vLp8wZ{day}\n- {line}\n")
    memory = Memory(str(workspace("=== MEMORY.md\n# Core\n")), today=TODAY)
    memory.reflect(yes=True)
    page = text(memory, "bank/experience.md")
    assert all(f"- 2026-01-0{day}: Never " in page for day in (1, 2, 3))
    assert "Xk9" not in page


def test_what_pages_quote_stands_in_logs_notes_and_core_files(workspace: Write) -> None:
    rules = {
        "memory/2026-01-01.md": "Never moor the ferry at the old pier, because its planks are rotten.",
        "memory/2026-01-02.md": "Never use the crane on a Sunday, because the neighbours call the harbour office.",
        "memory/2026-01-03.md": "Do not send an invoice by mail, because the accountant wants paper.",
        "AGENTS.md": "Never paint below ten degrees, since the varnish stays wet for a week.",
        "study.md": "Never leave larch in the rain without oil, because it turns grey for good.",
    }
    for path, rule in rules.items():
        workspace(f"=== {path}\n# Notes (2026-01-02)\n\n- {rule}\n")
    memory = Memory(str(workspace("=== MEMORY.md\n# Core\n")), today=TODAY)
    memory.reflect(yes=True)
    page = text(memory, "bank/experience.md")
    assert [path for path, rule in rules.items() if rule in page] == list(rules)[:3]


def test_a_page_quotes_lines_that_name_its_entity_by_an_alias_and_no_page_is_of_a_word_of_code(
    workspace: Write,
) -> None:
    workspace({"bank/entities/Peter.md": "---\naliases: [ピーター]\n---\n# Peter\n"})
    told = [
        "We decided that ピーター signs every invoice above 500 crowns from now on, and nobody else.",
        "The invoice was paid twice because ピーター and the bank sent it; root cause: no reference number.",
        "Never call ピーター before nine, he prefers mail with the whole question in it.",
    ]
    for day, line in enumerate(told, 1):
        rule = "Always put @media rules last, because Firefox ignores the others: decided for the whole site."
        workspace(f"=== memory/2026-01-0{day}.md\n{line}\n\n- {rule} {day}\n")
    memory = Memory(str(workspace("=== MEMORY.md\n# Core\n")), today=TODAY)
    memory.reflect(yes=True)
    page = text(memory, "bank/entities/Peter.md")
    assert all(line in page for line in told)
    assert "media.md" not in os.listdir(f"{memory.root}/bank/entities")
