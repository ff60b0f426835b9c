"""Edits by hand are law: each line of each page that reflect writes, edited in every way that people edit."""

from __future__ import annotations

import os
import shutil
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.core.markdown import page_regions
from commonplace.core.opinions.opinion_entry import entries
from commonplace.errors import CommonplaceError
from commonplace.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TODAY = date(2026, 2, 1)
OPINIONS, REVIEW = "bank/opinions.md", "bank/review.md"
ROLF = "bank/entities/Rolf.md"
PAGES = (OPINIONS, REVIEW, "bank/world.md", "bank/experience.md", "bank/entities/Mona.md", ROLF)
LIFE = {
    "MEMORY.md": "# Core\n\n- Mona is the owner.\n",
    "memory/2025-11-27.md": """# 2025-11-27

- 09:00 Quiet morning.
- 10:00 We decided to rent the workshop by the canal until June.

## Retain
- W @Mona: Currently in Oslo (Nov 27–Dec 1, 2025) for the fair. ^oslo
- O(c=0.95) @Mona: Prefers short replies on WhatsApp. ^k7f3qa
- B @orbit-ui: I fixed the build by pinning the compiler. ^fixed
- W @Mona: Works at the harbour office. ^work
""",
    "memory/2025-12-04.md": """## Retain
- O(c=0.96) @Mona: Prefers short replies on WhatsApp. ^p2m8ve
- W @Mona @orbit-ui: Mona owns orbit-ui, and Rolf reviews it. ^owns
- W @Rolf: Rolf is the carpenter. ^rolf
- O(c=0.8) @Rolf: Likes oak more than pine. ^oak
""",
    "memory/2026-01-10.md": """- 12:00 The relay was worn, so I replaced it.

## Retain
- W @Mona: Prefers short replies on WhatsApp, she says again. ^third
- B @Rolf: I ordered the oak boards for Rolf. ^boards
""",
    "memory/2026-01-14.md": """## Retain
- O(c=0.94) @Mona: Does not want short replies on WhatsApp. ^w9d1zu
- W @Mona: The replies on WhatsApp, short or not, went to Rolf. ^went
- O(c=0.9) @Mona: Prefers tea at breakfast. ^tea1
""",
    "memory/2026-01-16.md": """## Retain
- O(c=0.95) @Mona: Prefers tea at breakfast. ^tea2
- W @Rolf: Rolf lives in Bergen. ^bergen
""",
    "memory/2026-01-18.md": """## Retain
- O(c=0.95) @Mona: Prefers tea at breakfast. ^tea3
- W @Rolf: Rolf lives in Molde. ^molde
- O @Mona: Thinks the harbour office is too loud. ^loud
""",
}
MORE = """- 09:30 We decided to sell the old van in March.

## Retain
- O(c=0.9) @Mona: Prefers short replies on WhatsApp. ^new1
- O(c=0.9) @Rolf: Dislikes loud radios. ^new2
- W @Rolf: Sold the sledge. ^new3
- W @Mona: Bought a canoe. ^new4
- W @Signe: Signe is the baker. ^new5
- B @Signe: I baked with Signe. ^new6
"""
"""What happens after the edit: something new for every page."""
NEWS = {
    OPINIONS: "^new2",
    REVIEW: "sell the old van",
    ROLF: "^new3",
    "bank/entities/Mona.md": "^new4",
    "bank/world.md": "Signe",
    "bank/experience.md": "Signe",
}
MINE = "My own words, 本当に, of 1 Feb."


class Edited(NamedTuple):
    """What a person made of a page."""

    lines: list[str]
    gone: bool = False
    """The line was deleted."""


Edit: TypeAlias = "Callable[[list[str], int, int, int], Edited]"


def text_of(line: str) -> tuple[str, str]:
    bare = line.lstrip()
    return line[: len(line) - len(bare)], bare


def put(lines: list[str], at: int, *new: str, instead: int = 0) -> list[str]:
    return [*lines[:at], *new, *lines[at + instead :]]


def reworded(lines: list[str], at: int, first: int, last: int) -> Edited:
    head, colon, rest = lines[at].partition(": ")
    if not colon:
        head, rest = lines[at].rsplit(" ", 1)
    return Edited(put(lines, at, f"{head}{colon or ' '}really {rest}", instead=1))


def deleted(lines: list[str], at: int, first: int, last: int) -> Edited:
    return Edited(put(lines, at, instead=1), gone=True)


def to_top(lines: list[str], at: int, first: int, last: int) -> Edited:
    return Edited(put(put(lines, at, instead=1), first, lines[at]))


def to_end(lines: list[str], at: int, first: int, last: int) -> Edited:
    return Edited(put(put(lines, at, instead=1), last - 1, lines[at]))


def before_the_region(lines: list[str], at: int, first: int, last: int) -> Edited:
    return Edited(put(put(lines, at, instead=1), first - 1, lines[at]))


def behind_the_region(lines: list[str], at: int, first: int, last: int) -> Edited:
    without = put(lines, at, instead=1)
    return Edited([*without[:-1], lines[at], ""])


def to_another_section(lines: list[str], at: int, first: int, last: int) -> Edited:
    heads = [head for head in range(first, last) if lines[head].startswith("#") and not first <= head - at <= 1]
    other = next((head for head in heads if head > at), heads[0] if heads else first)
    without = put(lines, at, instead=1)
    return Edited(put(without, other + 1 if other < at else other, lines[at]))


def annotated(lines: list[str], at: int, first: int, last: int) -> Edited:
    return Edited(put(lines, at, f"{lines[at]} – {MINE}", instead=1))


def annotated_before_the_id(lines: list[str], at: int, first: int, last: int) -> Edited:
    head, caret, id = lines[at].rpartition(" ^")
    return Edited(put(lines, at, f"{head} – {MINE}{caret}{id}" if caret else f"{id} {MINE}", instead=1))


def bullet_below(lines: list[str], at: int, first: int, last: int) -> Edited:
    return Edited(put(lines, at + 1, f"{text_of(lines[at])[0]}  - {MINE}"))


def paragraph_above(lines: list[str], at: int, first: int, last: int) -> Edited:
    return Edited(put(lines, at, "", MINE, ""))


def duplicated(lines: list[str], at: int, first: int, last: int) -> Edited:
    return Edited(put(lines, at, lines[at]))


def duplicated_at_the_end(lines: list[str], at: int, first: int, last: int) -> Edited:
    return Edited(put(lines, last, lines[at]))


def struck_out(lines: list[str], at: int, first: int, last: int) -> Edited:
    space, bare = text_of(lines[at])
    struck = bare[2:-2] if bare.startswith("~~") else f"~~{bare}~~"  # struck out twice it would open a code block
    return Edited(put(lines, at, f"{space}{struck}", instead=1))


EDITS = (
    reworded,
    deleted,
    to_top,
    to_end,
    before_the_region,
    behind_the_region,
    to_another_section,
    annotated,
    annotated_before_the_id,
    bullet_below,
    paragraph_above,
    duplicated,
    duplicated_at_the_end,
    struck_out,
)


class Bank:
    """A workspace that was reflected on, set back to that state for each edit."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for path, text in LIFE.items():
            self.write(path, text)
        self.memory = Memory(str(root), today=TODAY)
        assert self.memory.reflect().applied
        self.first = self.files()

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def files(self) -> dict[str, str]:
        found = (os.path.join(folder, name) for folder, _, names in os.walk(self.root) for name in names)
        paths = (os.path.relpath(path, self.root) for path in found)
        return {path: self.read(path) for path in paths if path.endswith(".md") and not path.startswith(".")}

    def set_back(self) -> None:
        self.forget()
        for path in self.files().keys() - self.first.keys():
            (self.root / path).unlink()
        for path, text in self.first.items():
            self.write(path, text)

    def forget(self) -> None:
        """The index is deleted."""
        self.memory.close()
        shutil.rmtree(self.root / ".memory", ignore_errors=True)

    def region(self, path: str) -> page_regions.Region:
        found = page_regions.read(self.read(path))
        assert len(found) == 1
        return found[0]

    def body(self, path: str) -> list[int]:
        """Positions of the lines of a page that say something, inside the region."""
        region = self.region(path)
        return [region.start + at for at, line in enumerate(region.body) if line.strip()]


def bare(line: str) -> str:
    return line.rstrip()


class Hand:
    """What a person did to one page, and what must hold from then on."""

    def __init__(self, bank: Bank, path: str) -> None:
        self.bank = bank
        self.path = path
        self.kept: dict[str, int] = {}
        self.gone: set[str] = set()
        self.spoken: set[str] = set()

    def edit(self, edit: Callable[[list[str], int, int, int], Edited], at: int) -> None:
        """Edit the line at this position of the page."""
        bank, path = self.bank, self.path
        region = bank.region(path)
        lines = bank.read(path).split("\n")
        entry = region.ours[at - region.start]
        done = edit(lines, at, region.start, region.start + len(region.body))
        if done.gone and entry >= 0 and bare(lines[at]) not in map(bare, done.lines):  # of two alike the other stays
            self.gone.add(region.entries[entry].key)
        bank.write(path, "\n".join(done.lines))
        self.saved(lines)

    def saved(self, before: list[str]) -> None:
        """Take in what stands on the page now as the person's."""
        now = self.bank.read(self.path)
        found = page_regions.region(now, self.bank.region(self.path).name)
        assert found
        theirs = [line for at, line in enumerate(found.body) if found.ours[at] == -1]
        self.kept = {}
        self.spoken = set()
        for line in map(bare, theirs):
            said = entries(OPINIONS, line) if self.path == OPINIONS else ()
            if said:
                self.spoken.add(said[0].statement)
            else:
                self.kept[line] = self.kept.get(line, 0) + 1
        lines = now.split("\n")
        self.before, self.behind = lines[: found.start - 1], lines[found.end :]
        self.order = [line for line in map(bare, found.body) if line]

    def check(self, *, still: bool) -> None:
        """What the person did is there, and what they deleted is not."""
        now = self.bank.read(self.path)
        found = page_regions.region(now, self.bank.region(self.path).name)
        assert found
        lines = now.split("\n")
        assert (lines[: found.start - 1], lines[found.end :]) == (self.before, self.behind)
        body = [line for line in map(bare, found.body) if line]
        for line, times in self.kept.items():
            assert body.count(line) >= times, (line, now)
        for said in self.spoken:
            assert said in now, (said, now)
        there = {found.entries[at].key for at in found.ours if at >= 0} | {key for _, key in found.held}
        assert not self.gone & there, now
        if still and self.path not in (OPINIONS, REVIEW):
            assert [line for line in body if line in self.order] == [line for line in self.order if line in body], now


def live_on(bank: Bank, hand: Hand, number: int) -> None:
    """Reflect, with something new or not, more than once and with a new index; see that the page stays a person's."""
    logs = {path: text for path, text in bank.files().items() if not path.startswith("bank/")}
    if number % 2:
        bank.write("memory/2026-01-30.md", MORE)
        logs["memory/2026-01-30.md"] = MORE
    done = bank.memory.reflect(since="7d" if number % 3 == 0 else None)
    assert not done.needs_yes
    left = any(hand.path in note for note in done.notes)
    assert not left, done.notes
    hand.check(still=not number % 2)
    if number % 2:
        assert NEWS[hand.path] in bank.read(hand.path), bank.read(hand.path)
    bank.memory.reflect()
    after = bank.files()
    assert bank.memory.reflect().patches == ()
    bank.forget()
    assert bank.memory.reflect().patches == ()
    assert bank.files() == after
    assert {path: text for path, text in after.items() if not path.startswith("bank/")} == logs
    hand.check(still=not number % 2)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bank]:
    made = Bank(tmp_path_factory.mktemp("hand"))
    yield made
    made.memory.close()


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_of_a_line_stays_and_the_page_goes_on(bank: Bank, edit: Edit, path: str) -> None:
    bank.set_back()
    first = EDITS.index(edit) % 4
    for number, at in list(enumerate(bank.body(path)))[first::4]:
        bank.set_back()
        line = bank.read(path).split("\n")[at]
        if edit is duplicated_at_the_end and line[:1] == " ":
            continue  # below the last opinion it would be evidence for that one
        hand = Hand(bank, path)
        hand.edit(edit, at)
        live_on(bank, hand, number // 4 + first)


TEA = "- O(c=0.93) @Mona: Prefers tea at breakfast. ^o-fvq1"


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("c=0.6", 0.6), ("c=1", 1.0), ("c=0", 0.0), ("c=.5", 0.5),
        ("c=0,4", 0.4), ("0.5", 0.5), ("50%", 0.5), ("c=50 %", 0.5), ("high", 0.9),
    ],
)  # fmt: skip
def test_a_confidence_is_taken_over_however_it_is_typed(bank: Bank, typed: str, value: float) -> None:
    bank.set_back()
    bank.write(OPINIONS, bank.read(OPINIONS).replace(TEA, TEA.replace("c=0.93", typed)))
    bank.memory.reflect()
    page = bank.read(OPINIONS)
    assert TEA.replace("0.93", f"{value:.2f}") in page
    assert f"  - set {value:.2f} by hand 2026-02-01\n" in page
    assert bank.memory.reflect().patches == ()


@pytest.mark.parametrize("typed", ["c=abc", "abc", "c=1.7", "7", "c=-1", "c="])
def test_what_is_no_confidence_stays_as_it_was_typed(bank: Bank, typed: str) -> None:
    bank.set_back()
    line = TEA.replace("c=0.93", typed)
    bank.write(OPINIONS, bank.read(OPINIONS).replace(TEA, line))
    bank.write("memory/2026-01-30.md", MORE + "- O(c=0.9) @Mona: Prefers tea at breakfast. ^tea4\n")
    notes = bank.memory.reflect().notes
    page = bank.read(OPINIONS)
    assert line in page
    assert "by hand" not in page
    (told,) = [each for each in bank.memory.check() if each.code == "bad-confidence"]
    assert page.split("\n")[told.source.line - 1] == line
    assert [note for note in notes if typed in note] == [f"not changed: {OPINIONS}: {told.message}"]
    assert page.count("^tea") == 4
    assert bank.memory.reflect().patches == ()


def test_words_behind_an_id_delete_nothing(bank: Bank) -> None:
    bank.set_back()
    bank.write(OPINIONS, bank.read(OPINIONS).replace(TEA, f"{TEA} – {MINE}").replace(" ^tea2", f" ^tea2 – {MINE}"))
    bank.memory.reflect()
    page = bank.read(OPINIONS)
    assert f"- O(c=0.93) @Mona: Prefers tea at breakfast. – {MINE} ^o-fvq1\n" in page
    assert f"- for, 0.95: [2026-01-16](../memory/2026-01-16.md) ^tea2 – {MINE}\n" in page
    assert "prior 0.90: [2026-01-14](../memory/2026-01-14.md) ^tea1" in page
    assert bank.memory.reflect().patches == ()


def test_what_was_set_by_hand_stays_when_the_line_is_copied(bank: Bank) -> None:
    bank.set_back()
    bank.write(OPINIONS, bank.read(OPINIONS).replace(TEA, TEA.replace("0.93", "0.6")))
    bank.memory.reflect()
    line = TEA.replace("0.93", "0.60")
    bank.write(OPINIONS, bank.read(OPINIONS).replace(line, f"{line}\n{line}"))
    bank.memory.reflect()
    assert bank.read(OPINIONS).count(line) == 2
    assert bank.read(OPINIONS).count("set 0.60 by hand") == 1


@pytest.mark.parametrize("role", ["", "for", "against"])
@pytest.mark.parametrize("fact", ["k7f3qa", "w9d1zu", "tea2", "oak"])
def test_evidence_copied_below_every_opinion_is_settled_at_once(bank: Bank, fact: str, role: str) -> None:
    bank.set_back()
    lines = bank.read(OPINIONS).split("\n")
    copied = next(line for line in lines if line.startswith("  - ") and line.endswith(f" ^{fact}"))
    stated = copied[4:].split(" ")[0].rstrip(",")
    line = copied.replace(f"- {stated}", f"- {role}", 1) if role else copied
    found = [f"{each}\n{line}" if each.startswith("- O(") else each for each in lines]
    bank.write(OPINIONS, "\n".join(found))
    bank.memory.reflect()
    assert f"^{fact}" in bank.read(OPINIONS)
    assert bank.memory.reflect().patches == ()


def no_begin(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("<!-- commonplace"))


def no_end(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("<!-- /commonplace"))


def other_digest(text: str) -> str:
    at = text.index("<!-- /commonplace ") + 30
    return text[:at] + ("a" if text[at] != "a" else "b") + text[at + 1 :]


def begin_twice(text: str) -> str:
    line = next(line for line in text.split("\n") if line.startswith("<!-- commonplace"))
    return text.replace(line, f"{line}\n{line}")


def conflict(text: str) -> str:
    lines = text.split("\n")
    return "\n".join([*lines[:4], "<<<<<<< mine", *lines[4:7], "=======", "theirs", ">>>>>>> theirs", *lines[7:]])


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("damage", [no_begin, no_end, other_digest, begin_twice, conflict])
def test_a_page_with_a_damaged_marker_is_left_alone_with_the_reason(
    bank: Bank, damage: Callable[[str], str], path: str
) -> None:
    bank.set_back()
    damaged = damage(bank.read(path))
    bank.write(path, damaged)
    bank.write("memory/2026-01-30.md", MORE)
    done = bank.memory.reflect()
    assert bank.read(path) == damaged
    assert any(path in note for note in done.notes)
    if path != REVIEW:
        assert f"- {path}: " in bank.read(REVIEW)
    assert "^new2" in bank.read(OPINIONS) or path == OPINIONS
    assert bank.memory.reflect().patches == ()


@pytest.mark.parametrize(
    "moved",
    [
        "bank/entities/Rolf-Hansen.md",
        "bank/entities/people/Rolf.md",
        "bank/people/Rolf.md",
        "bank/people/The-Joiner.md",
    ],
)
def test_a_page_that_was_moved_goes_on_where_it_is(bank: Bank, moved: str) -> None:
    bank.set_back()
    bank.write(moved, bank.read(ROLF).replace("carpenter", "joiner"))
    (bank.root / ROLF).unlink()
    bank.write("memory/2026-01-30.md", MORE)
    bank.memory.reflect()
    assert "Rolf is the joiner." in bank.read(moved)
    assert "^new3" in bank.read(moved)
    assert not (bank.root / ROLF).exists()
    assert bank.memory.reflect().patches == ()
    assert bank.memory.check() == ()
    assert "Rolf is the joiner." in bank.memory.entity("Rolf").text


@pytest.mark.parametrize("place", ["memory/people", "memory/imported/old/bank/entities"])
def test_a_page_that_stands_outside_of_the_bank_takes_no_page_of_ours_away(bank: Bank, place: str) -> None:
    bank.set_back()
    pages = {path: bank.read(path) for path in (ROLF, OPINIONS, REVIEW)}
    for path, text in pages.items():
        bank.write(f"{place}/{path.rpartition('/')[2]}", text)
        (bank.root / path).unlink()
    bank.write("memory/2026-01-30.md", MORE)
    done = bank.memory.reflect(yes=True)
    assert not done.held_back and not done.waits
    for path, text in pages.items():
        assert bank.read(f"{place}/{path.rpartition('/')[2]}") == text
    assert "^new3" in bank.read(ROLF) and "^new2" in bank.read(OPINIONS)
    assert {each.code for each in bank.memory.check()} == ({"moved-page"} if place == "memory/people" else set())


@pytest.mark.parametrize("path", ["memory/clip.md", "bank/clip.md", "memory/people/Rolf.md", "bank/people/Rolf.md"])
@pytest.mark.parametrize("end", ["", "<!-- /commonplace -->", "<!-- /commonplace 00000000 Fr76GwHFoN -->"])
@pytest.mark.parametrize("name", ["review", "opinions", "world", "entity"])
def test_a_marker_that_reflect_did_not_write_takes_no_page_of_ours_away(
    bank: Bank, path: str, end: str, name: str
) -> None:
    note = f"---\naliases: [Mona]\n---\n# Rolf\n<!-- commonplace: {name} -->\n{end}\n"
    bank.set_back()
    pages = (REVIEW, OPINIONS, "bank/world.md", ROLF)
    for page in pages:
        (bank.root / page).unlink()
    bank.write(path, note)
    bank.memory.reflect(yes=True)
    for page in pages:
        assert (bank.root / page).exists(), page
    assert bank.read(path) == note


def test_no_answer_is_taken_while_the_review_page_stands_elsewhere(bank: Bank) -> None:
    bank.set_back()
    bank.write("memory/2026-01-30.md", "## Notes\n- We decided to sell the mill to Ida in May.\n")
    bank.memory.reflect(yes=True)
    (bank.root / "bank/attic").mkdir()
    (bank.root / REVIEW).rename(bank.root / "bank/attic/review.md")
    waiting = bank.memory.review()
    asked = next(each.id for each in waiting.inferred if "mill" in each.text)
    log = bank.read("memory/2026-01-30.md")
    with pytest.raises(CommonplaceError, match=r"bank/attic/review\.md"):
        bank.memory.answer([asked], "accept")
    assert bank.read("memory/2026-01-30.md") == log and not (bank.root / REVIEW).exists()
    assert any("bank/attic/review.md" in note for note in waiting.notes)


def test_a_moved_page_beside_a_new_one_is_left_alone_and_told(bank: Bank) -> None:
    bank.set_back()
    bank.write("bank/people/Rolf.md", bank.read(ROLF).replace("carpenter", "joiner"))
    before = bank.read("bank/people/Rolf.md")
    bank.write("memory/2026-01-30.md", MORE)
    done = bank.memory.reflect()
    assert bank.read("bank/people/Rolf.md") == before
    assert "^new3" in bank.read(ROLF)
    assert done.waits == ("bank/people/Rolf.md",)
    assert f"- bank/people/Rolf.md: {ROLF} is also about rolf: " in bank.read(REVIEW)
    (told,) = bank.memory.check()
    assert (told.code, told.source.path) == ("two-pages", "bank/people/Rolf.md")
    assert bank.memory.reflect().patches == ()


@pytest.mark.parametrize("path", [path for path in PAGES if "/entities/" not in path])
def test_a_page_that_has_one_place_is_asked_back_to_it(bank: Bank, path: str) -> None:
    bank.set_back()
    moved = path.replace("bank/", "bank/attic/")
    held = bank.read(path)
    bank.write(moved, held)
    (bank.root / path).unlink()
    bank.write("memory/2026-01-30.md", MORE)
    done = bank.memory.reflect()
    assert set(done.waits) == {moved, path}
    assert done.held_back == (path,) == bank.memory.reflect().held_back
    assert bank.read(moved) == held
    assert not (bank.root / path).exists()
    assert [(each.code, each.source.path) for each in bank.memory.check()] == [("moved-page", moved)]
    assert bank.memory.reflect().patches == ()
    (bank.root / moved).rename(bank.root / path)
    assert path in {patch.path for patch in bank.memory.reflect().patches}
    assert bank.memory.check() == ()


def test_a_log_that_quotes_a_marker_is_no_page(bank: Bank) -> None:
    bank.set_back()
    log = "## Retain\n- W @Rolf: Owns a saw.\n\n<!-- commonplace: entity -->\n"
    bank.write("memory/2026-01-31.md", log)
    bank.memory.reflect()
    assert bank.read("memory/2026-01-31.md") == log
    assert bank.memory.check() == ()
    assert "Owns a saw." in bank.read(ROLF)


def test_opinions_that_were_away_come_back_with_what_was_set(bank: Bank) -> None:
    bank.set_back()
    page = bank.read(OPINIONS).replace(TEA, TEA.replace("0.93", "0.6"))
    (bank.root / OPINIONS).unlink()
    bank.memory.reflect()
    bank.write(OPINIONS, page)
    bank.write("memory/2026-01-30.md", MORE)
    bank.memory.reflect()
    assert "set 0.60 by hand" in bank.read(OPINIONS)
    assert "^new2" in bank.read(OPINIONS)
    assert bank.memory.reflect().patches == ()


def crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def bom(text: str) -> str:
    return "\ufeff" + text


def no_last_end(text: str) -> str:
    return text.rstrip("\n")


def tabs(text: str) -> str:
    return text.replace("\n  - ", "\n\t- ")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("spelling", [crlf, bom, no_last_end, tabs])
def test_a_page_keeps_how_it_is_spelled(bank: Bank, spelling: Callable[[str], str], path: str) -> None:
    bank.set_back()
    before = spelling(bank.read(path))
    bank.write(path, before)
    bank.write("memory/2026-01-30.md", MORE)
    bank.memory.reflect()
    now = bank.read(path)
    assert NEWS[path] in now
    assert now.count("\r\n") == (now.count("\n") if spelling is crlf else 0)
    assert now.startswith("\ufeff") == before.startswith("\ufeff")
    assert now.endswith("\n") == before.endswith("\n")
    for line in before.split("\n"):
        assert line in now or line[:1] != "\t", line
    assert bank.memory.reflect().patches == ()


@settings(max_examples=12)
@given(data=st.data(), path=st.sampled_from(PAGES))
def test_edits_one_after_the_other_all_stay(bank: Bank, data: st.DataObject, path: str) -> None:
    bank.set_back()
    gone: set[str] = set()
    kinds = [edit for edit in EDITS if edit is not duplicated_at_the_end]
    for number in range(data.draw(st.integers(2, 4))):
        body = bank.body(path)
        if not body:
            break  # all its lines were deleted
        hand = Hand(bank, path)
        hand.gone = gone
        hand.edit(data.draw(st.sampled_from(kinds)), data.draw(st.sampled_from(body)))
        bank.write(f"memory/2026-01-2{number}.md", f"## Retain\n- W @Mona: Bought lamp {number}.\n")
        bank.memory.reflect(since=data.draw(st.sampled_from([None, "7d"])))
        hand.check(still=False)
        bank.memory.reflect()
        assert bank.memory.reflect().patches == ()
