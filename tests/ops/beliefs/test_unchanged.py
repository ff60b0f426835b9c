"""A reflect that has nothing to do says so at once, and never when it has something to do."""

from __future__ import annotations

import os
import shutil
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.hand import edit

from commonplace.memory import Memory
from commonplace.ops.beliefs.change_check import ReflectRequest, read_to, settled
from commonplace.ops.beliefs.file_texts import FileTexts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Write

    from commonplace.core.model import Reflection

TODAY = date(2026, 2, 1)
LIFE = """
=== MEMORY.md
# Core

- Mona is the owner.

=== memory/2025-11-27.md
## Retain
- W @Mona: In Oslo from November 27 to December 1, 2025. ^oslo
- W @Mona: On leave until February 9, 2026. ^leave
- O(c=0.95) @Mona: Drinks only green tea. ^tea1

=== memory/2025-12-04.md
- We decided to buy a lamp for the hall.

## Retain
- O(c=0.96) @Mona: Drinks only green tea. ^tea2
- W @Rolf: Rolf is the carpenter. ^rolf
- W @Rolf: Lives in Bergen. ^bergen

=== memory/2026-01-14.md
## Retain
- O(c=0.94) @Mona: Drinks only green tea. ^tea3
- B @Rolf: I helped Rolf with the stairs. ^stairs
- W @Rolf: Lives in Oslo since February 7, 2026. ^moves
"""


def knows(memory: Memory, *, today: date = TODAY, since: date | None = None, yes: bool = False) -> bool:
    """Whether a reflect would know without looking that it has nothing to do."""
    return (
        settled(memory._access.fresh(), FileTexts(memory.workspace), asked=ReflectRequest(today, since, yes))
        is not None
    )


def add(memory: Memory, path: str, text: str) -> None:
    with open(f"{memory.root}/{path}", "a", encoding="utf-8") as handle:
        handle.write(text)


def retained(memory: Memory, fact: str) -> None:
    """A fact of a day that has no log yet."""
    add(memory, "memory/2026-01-20.md", f"## Retain\n{fact}\n")


def configure(memory: Memory, line: str) -> None:
    with open(f"{memory.root}/commonplace.toml", "w", encoding="utf-8") as handle:
        handle.write(line + "\n")


@pytest.fixture
def memory(workspace: Write) -> Memory:
    made = Memory(str(workspace(LIFE)), today=TODAY)
    made.reflect()
    return made


def test_what_was_reflected_on_is_known(workspace: Write) -> None:
    memory = Memory(str(workspace(LIFE)), today=TODAY)
    assert not knows(memory)
    assert not memory.reflect(dry_run=True).applied
    assert not knows(memory)
    assert memory.reflect().applied
    assert knows(memory)
    nothing = memory.reflect()
    assert (nothing.patches, nothing.notes, nothing.summary) == ((), (), "nothing new")
    assert memory.reflect(dry_run=True) == nothing
    assert_alike(memory, lambda each: each.reflect())


def test_a_reflect_that_wrote_is_settled_too(memory: Memory) -> None:
    retained(memory, "- W @Mona: Bought a canoe. ^canoe")
    assert not knows(memory)
    assert memory.reflect().applied
    assert knows(memory)
    assert memory.reflect().patches == ()
    memory.undo()
    assert not knows(memory)


EDITS: dict[str, Callable[[Memory], object]] = {
    "a log grows": lambda m: add(m, "memory/2026-01-14.md", "- W @Mona: Bought a canoe.\n"),
    "a word of a log": lambda m: edit(m, "memory/2025-12-04.md", "carpenter", "gardener!"),
    "a new log": lambda m: add(m, "memory/2026-01-20.md", "- We decided to buy a rug for the hall.\n"),
    "a log goes": lambda m: os.unlink(f"{m.root}/memory/2026-01-14.md"),
    "a line of a page": lambda m: edit(m, "bank/entities/Mona.md", "On leave", "Away"),
    "a page outside the region": lambda m: edit(m, "bank/world.md", "# World", "# The world"),
    "a page goes": lambda m: os.unlink(f"{m.root}/bank/opinions.md"),
    "a marker is damaged": lambda m: edit(m, "bank/world.md", "<!-- /commonplace", "<!-- commonplace"),
    "a page of a person": lambda m: add(m, "bank/entities/Olga.md", "---\naliases: [Mona]\n---\n# Olga\n"),
    "a tick": lambda m: edit(m, "bank/review.md", "- [ ] W", "- [x] W"),
    "a tick for the core": lambda m: edit(m, "bank/review.md", "- [ ] Mona", "- [x] Mona"),
    "the core": lambda m: add(m, "MEMORY.md", "- Mona drinks only green tea.\n"),
    "another core file": lambda m: add(m, "USER.md", "- Mona drinks only green tea.\n"),
    "the core goes": lambda m: os.unlink(f"{m.root}/MEMORY.md"),
    "a conflict copy": lambda m: shutil.copy(
        f"{m.root}/memory/2026-01-14.md", f"{m.root}/memory/2026-01-14 (conflicted copy 2026-01-20).md"
    ),
    "settings": lambda m: configure(m, 'core = ["memory/2025-12-04.md"]'),
    "more files": lambda m: configure(m, 'include = ["notes/*.md"]'),
    "a day on which a fact replaces another": lambda m: setattr(m, "today", date(2026, 2, 7)),
    "a day on which a fact is over": lambda m: setattr(m, "today", date(2026, 2, 10)),
    "a day before one was": lambda m: setattr(m, "today", date(2025, 12, 1)),
    "another program": lambda m: m._access.opened().run("update cache set program = 'an earlier one'").fetchall(),
}


def taken(memory: Memory, what: str, later: int) -> bool:
    """Take one step of a life, so many days on; False where an earlier one took away what this one edits."""
    if what in EDITS:
        try:
            EDITS[what](memory)
        except (AssertionError, FileNotFoundError):
            return False
    memory._given_settings = memory._workspace = None
    memory.today = TODAY + timedelta(days=later)
    return True


@pytest.mark.parametrize("what", EDITS)
def test_any_change_makes_it_look(memory: Memory, what: str) -> None:
    if what == "more files":
        os.makedirs(f"{memory.root}/notes")
        add(memory, "notes/a.md", "- W @Mona: Bought a canoe. ^canoe\n")
        assert memory.reflect().patches == ()
    assert knows(memory)
    EDITS[what](memory)
    again = Memory(memory.root, today=memory.today)
    assert not knows(again, today=memory.today)
    assert_alike(again, lambda m: m.reflect())


def test_a_core_that_may_be_written_again_is_noticed(memory: Memory) -> None:
    os.chmod(f"{memory.root}/MEMORY.md", 0o444)
    edit(memory, "bank/review.md", "- [ ] Mona", "- [x] Mona")
    refused = memory.reflect()
    assert "read-only" in refused.notes[0]
    assert memory.reflect().notes == refused.notes
    assert knows(memory)
    os.chmod(f"{memory.root}/MEMORY.md", 0o644)
    assert not knows(memory)
    assert memory.reflect().applied


def test_an_editor_that_lets_go_of_the_core_is_noticed(memory: Memory) -> None:
    add(memory, ".MEMORY.md.swp", "")
    edit(memory, "bank/review.md", "- [ ] Mona", "- [x] Mona")
    assert "it" in memory.reflect().notes[0]
    assert knows(memory)
    os.unlink(f"{memory.root}/.MEMORY.md.swp")
    assert not knows(memory)
    assert memory.reflect().applied


def test_days_on_which_nothing_ends_are_alike(memory: Memory) -> None:
    assert knows(memory, today=date(2026, 2, 6))
    assert not knows(memory, today=date(2026, 2, 7))
    memory.today = date(2026, 2, 8)
    assert memory.reflect().applied
    assert knows(memory, today=date(2026, 2, 7))
    assert knows(memory, today=date(2026, 2, 9))
    assert not knows(memory, today=date(2026, 2, 10))


def test_a_day_from_which_a_fact_holds_is_no_day_like_the_one_before(memory: Memory) -> None:
    retained(memory, "- W @Rolf: Parcels go to the shed since March 3, 2026. ^shed")
    memory.reflect()
    assert knows(memory, today=date(2026, 2, 1))
    memory.today = date(2026, 3, 2)
    memory.reflect()
    assert knows(memory, today=date(2026, 3, 2))
    assert "## Now and ahead\n- since 2026-03-03: Parcels" in page(memory, "bank/entities/Rolf.md")
    assert not knows(memory, today=date(2026, 3, 3))
    memory.today = date(2026, 3, 3)
    assert_alike(memory, lambda each: each.reflect())
    assert "Now and ahead" not in page(memory, "bank/entities/Rolf.md")


def test_part_of_what_was_done_is_done(memory: Memory) -> None:
    """A full reflect has done what one with `since` does, unless that reads older narrative; never the reverse."""
    assert knows(memory, since=date(2026, 1, 1))
    assert not knows(memory, since=date(2025, 10, 1))
    retained(memory, "- W @Rolf: Bought a saw.")
    assert memory.reflect(since="2026-01-15").applied
    assert knows(memory, since=date(2026, 1, 15))
    assert knows(memory, since=date(2026, 1, 18))
    assert not knows(memory, since=date(2026, 1, 1))
    assert not knows(memory)


def test_what_is_left_alone_is_said_again_and_yes_goes_on(memory: Memory) -> None:
    add(memory, "bank/entities/Olga.md", "# Olga\n")
    retained(memory, "- W @Olga: Olga is a potter.")
    memory.reflect()
    left = memory.reflect()
    assert left.patches == ()
    assert "bank/entities/Olga.md: not changed" in left.summary
    assert knows(memory)
    assert memory.reflect() == left
    assert not knows(memory, yes=True)
    assert not knows(memory, since=date(2026, 1, 1))
    assert memory.reflect(yes=True).applied


def test_what_could_not_be_retained_is_tried_again(memory: Memory) -> None:
    edit(
        memory,
        "bank/review.md",
        "- [ ] W: We decided to buy a lamp",
        "- [x] W: The key is AKIAIOSFODNN7EXAMPLQ, a lamp",
    )
    for _ in range(2):
        done = memory.reflect()
        assert any(note.startswith("not retained: ") for note in done.notes)
        assert not knows(memory)


def test_nobody_is_overlooked_who_writes_while_a_reflect_writes(memory: Memory) -> None:
    """A log that grows after it was read, before the pages are indexed, is seen by the next reflect."""
    from commonplace.ops.reflect.reflect import reflect

    def meanwhile() -> object:
        add(memory, "memory/2026-01-14.md", "- W @Mona: Bought a sail.\n")
        return memory._access.fresh()

    add(memory, "memory/2026-01-14.md", "- W @Mona: Bought a canoe.\n")
    done = reflect(memory._access.fresh(), memory.workspace, ReflectRequest(TODAY, None, False), sync=meanwhile)  # type: ignore[arg-type]
    assert done.applied
    assert not knows(memory)
    assert memory.reflect().applied
    with open(f"{memory.root}/bank/entities/Mona.md", encoding="utf-8") as handle:
        assert "sail" in handle.read()


def assert_alike(warm: Memory, reflect: Callable[[Memory], Reflection]) -> None:
    """See that a reflect does what it does where no index ever was."""
    other = f"{warm.root} cold"
    shutil.rmtree(other, ignore_errors=True)
    shutil.copytree(warm.root, other, ignore=shutil.ignore_patterns(".memory"))
    with Memory(other, today=warm.today) as cold:
        assert reflect(warm) == reflect(cold)
        paths = warm.workspace.sweep().keys()
        assert paths == cold.workspace.sweep().keys()
        for path in paths:
            assert warm.workspace.read(path) == cold.workspace.read(path)


STEPS = (*(name for name in EDITS if name not in ("another program", "more files")), "nothing", "nothing")


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(STEPS), st.sampled_from([None, 7, 40, 90]), st.booleans(), st.integers(-70, 20)),
        min_size=2,
        max_size=6,
    )
)
def test_nothing_is_ever_hidden(
    steps: list[tuple[str, int | None, bool, int]], workspace: Write, tmp_path: Path
) -> None:
    shutil.rmtree(workspace({}), ignore_errors=True)
    with Memory(str(workspace(LIFE)), today=TODAY) as memory:
        memory.reflect(yes=True)
        for what, days, yes, later in steps:
            if not taken(memory, what, later):
                continue
            since = None if days is None else memory.today - timedelta(days=days)
            for dry_run in (True, False):
                assert_alike(memory, lambda each: each.reflect(since=since, yes=yes, dry_run=dry_run))  # noqa: B023


# `since last`: nothing that came since is overlooked, and nothing is done that a full reflect would not do.


LATE = "- We decided to buy a piano for the hall.\n"


def grow(memory: Memory, days: int, text: str) -> None:
    """Write a line into the log of a day some days from TODAY, and let it be that day."""
    memory.today = TODAY + timedelta(days=days)
    add(memory, f"memory/{memory.today}.md", text)


def page(memory: Memory, path: str) -> str:
    with open(f"{memory.root}/{path}", encoding="utf-8") as handle:
        return handle.read()


def test_last_goes_on_where_the_last_reflect_stopped(memory: Memory) -> None:
    """Also after months without one: a plain reflect reads the narrative of the newest 60 days alone."""
    assert read_to(memory._access.fresh()) == date(2025, 12, 4)  # of the newest line that is no fact
    grow(memory, 20, LATE)
    grow(memory, 120, "- We decided to sell the car.\n")
    plain = Memory(shutil.copytree(memory.root, f"{memory.root} plain"), today=memory.today)
    plain.reflect()
    assert "piano" not in page(plain, "bank/review.md")
    memory.reflect(since="last")
    assert "piano" in page(memory, "bank/review.md")
    assert "sell the car" in page(memory, "bank/review.md")
    assert read_to(memory._access.fresh()) == memory.today
    assert memory.reflect(since=" Last ").patches == ()
    assert memory.reflect().patches == ()
    assert "piano" in page(memory, "bank/review.md")


def test_last_renews_what_old_logs_say_now(memory: Memory) -> None:
    add(memory, "memory/2025-11-27.md", "- W @Rolf: Owns a saw. ^saw\n")
    done = memory.reflect(since="last")
    assert "bank/entities/Rolf.md" in {patch.path for patch in done.patches}
    assert memory.reflect().patches == ()


def test_without_knowing_the_last_reflect_everything_is_read(memory: Memory) -> None:
    add(memory, "memory/2025-11-27.md", "- W @Rolf: Owns a saw. ^saw\n")
    memory.close()
    shutil.rmtree(f"{memory.root}/.memory")
    assert_alike(memory, lambda each: each.reflect(since="last"))
    memory._access.opened().run("update cache set program = 'an earlier one'").fetchall()
    assert read_to(memory._access.fresh()) is None
    assert memory.reflect(since="last").patches == ()


def test_what_was_not_put_before_a_person_is_read_again(memory: Memory) -> None:
    """Where the review page could not be written, or was taken back, nothing counts as read."""
    edit(memory, "bank/review.md", "<!-- /commonplace", "<!-- commonplace")
    review = page(memory, "bank/review.md")
    grow(memory, 20, LATE)
    grow(memory, 120, "- We decided to sell the car.\n")
    assert memory.reflect(since="last").waits == ("bank/review.md",)
    assert page(memory, "bank/review.md") == review
    edit(memory, "bank/review.md", "\n<!-- commonplace ", "\n<!-- /commonplace ")
    memory.reflect(since="last")
    assert "piano" in page(memory, "bank/review.md")
    memory.undo()
    assert "piano" not in page(memory, "bank/review.md")
    assert read_to(memory._access.fresh()) is None


def test_a_dry_run_reads_nothing_away(memory: Memory) -> None:
    grow(memory, 20, LATE)
    before = read_to(memory._access.fresh())
    assert memory.reflect(since="last", dry_run=True).patches
    assert read_to(memory._access.fresh()) == before


def test_last_is_known_without_looking(memory: Memory) -> None:
    def looks() -> bool:
        index = memory._access.fresh()
        return (
            settled(index, FileTexts(memory.workspace), asked=ReflectRequest(memory.today, None, False, read_to(index)))
            is None
        )

    assert not looks()
    add(memory, "memory/2026-01-14.md", "- W @Mona: Bought a canoe.\n")
    assert looks()
    memory.reflect(since="last")
    assert not looks()
    memory.reflect(since="2026-01-10")
    assert not looks()
    add(memory, "memory/2026-01-14.md", "- W @Mona: Bought a sail.\n")
    memory.reflect(since="2026-01-10")
    assert looks()  # a window is not everything
    memory.reflect()
    older = ReflectRequest(memory.today, None, False, date(2025, 10, 1))
    assert (
        settled(memory._access.fresh(), FileTexts(memory.workspace), asked=older) is None
    )  # narrative that was not read


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(STEPS), st.sampled_from(["last", "last", "7d", "40d", None]), st.integers(0, 20)),
        min_size=1,
        max_size=6,
    )
)
def test_last_after_any_writes_leaves_what_a_full_reflect_leaves(
    steps: list[tuple[str, str | None, int]], workspace: Write
) -> None:
    """The pages are the same after each step, byte for byte, whatever was reflected on in between."""
    shutil.rmtree(workspace({}), ignore_errors=True)
    with Memory(str(workspace(LIFE)), today=TODAY) as memory:
        memory.reflect(yes=True)
        for what, since, later in steps:
            if not taken(memory, what, later):
                continue
            if since not in ("last", None):
                memory.reflect(since=since, yes=True)
            assert_same_pages(memory)


def assert_same_pages(memory: Memory) -> None:
    """See that a reflect since the last one leaves the very files that a full one leaves where no index ever was."""
    other = f"{memory.root} full"
    shutil.rmtree(other, ignore_errors=True)
    shutil.copytree(memory.root, other, ignore=shutil.ignore_patterns(".memory"))
    with Memory(other, today=memory.today) as full:
        memory.reflect(since="last", yes=True)
        full.reflect(yes=True)
        paths = memory.workspace.sweep().keys()
        assert paths == full.workspace.sweep().keys()
        for path in paths:
            assert memory.workspace.read(path) == full.workspace.read(path)
        assert memory.reflect(yes=True).patches == ()
