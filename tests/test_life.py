"""Two years of a life, played day by day in a real workspace: every opinion stands as docs/beliefs.md says."""

from __future__ import annotations

import re
import shutil
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from tests.lives import LANGUAGES, Belief, Event, Mind, calendar, script

from commonplace.core.documents.parse import parse
from commonplace.core.model import Opinion, Stance
from commonplace.memory import Memory, history

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Cli

OPINIONS, REVIEW = "bank/opinions.md", "bank/review.md"
CLOSE = 1e-9
LAST = date(2026, 1, 2)
EVERY, WINDOW, FULL = 6, "14d", 4
"""Reflect every so many days, with that window; every fourth is full."""


class Life:
    """The workspace beside what must be believed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "memory").mkdir(parents=True)
        self.memory = Memory(str(root))
        self.mind = Mind()
        self.ids: dict[str, str] = {}
        """Opinion to its id, learnt when it is first seen, and the same from then on."""
        self.contents: dict[str, str] = {}
        """Id of a fact to what it says."""
        self.aside: bytes | None = None
        """The opinions page while it is out of the workspace."""
        self.reflections = 0

    def file(self, path: str) -> Path:
        return self.root / path

    def page(self, path: str = OPINIONS) -> str:
        return self.file(path).read_text(encoding="utf-8")

    def write(self, event: Event) -> None:
        """The agent retains a fact, or a person types it into the log."""
        text = re.sub(r"\{(.+?)\}", lambda found: self.ids[found[1]], event.text)
        if event.by_hand:
            path = self.file(f"memory/{event.day}.md")
            before = path.read_text(encoding="utf-8") if path.exists() else ""
            path.write_text(f"{before}\n## Retain\n- {text}\n", encoding="utf-8")
        else:
            self.memory.retain(text)
        log = f"memory/{event.day}.md"
        self.contents |= {fact.id: fact.content for fact in parse(log, self.page(log)).facts}
        self.mind.hear(event)

    def reflect(self, *, since: str | None) -> None:
        before = self.logs()
        done = self.memory.reflect(since=since)
        assert not done.needs_yes and not any("left alone" in note for note in done.notes), done.notes
        assert self.logs() == before
        self.reflections += 1
        if self.aside is None:
            self.check()

    def logs(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.file("memory").iterdir()}

    # -- what a person does

    def edit(self, event: Event) -> None:
        """A person ticks a box, or changes the opinions page; nothing else tells the program."""
        what, _, rest = event.text.partition(" ")
        if event.word == "verdict":
            fact = next(id for id, content in self.contents.items() if content == rest)
            asked = rf"\^{self.ids[event.opinion]} \^{re.escape(fact)} \^(j-\w+)"
            found = re.search(asked, self.page(REVIEW))
            assert found, event
            self.replace(f"- [ ] {what} ^{found[1]}-{what}", f"- [x] {what} ^{found[1]}-{what}", REVIEW)
        else:
            block = self.block(event.opinion)
            head = block[0]
            if what == "types":
                self.replace(head, re.sub(r"c=[\d.]+", f"c={rest}", head))
            elif what == "rewords":
                self.replace(head, head.replace(self.mind.beliefs[event.opinion].statement, rest))
            elif what == "drops":
                gone = next(line for line in block if self.contents.get(line.rpartition("^")[2]) == rest)
                self.replace(gone + "\n", "")
            elif what == "notes":
                self.replace(head, f"{head}\n  - {rest}")
            else:
                self.replace("\n".join(block) + "\n", "")
            if what == "moves":
                self.replace("<!-- /commonplace", "\n".join(block) + "\n<!-- /commonplace")
        self.mind.heed(event)

    def block(self, opinion: str) -> list[str]:
        """The lines of an opinion on its page."""
        lines = self.page().split("\n")
        start = next(at for at, line in enumerate(lines) if line.endswith(f" ^{self.ids[opinion]}") and line[0] == "-")
        end = next(at for at in range(start + 1, len(lines)) if not lines[at].startswith("  "))
        return lines[start:end]

    def replace(self, old: str, new: str, path: str = OPINIONS) -> None:
        text = self.page(path)
        assert old in text, old
        self.file(path).write_text(text.replace(old, new, 1), encoding="utf-8")

    def files(self, what: str) -> None:
        """What happens to the files."""
        if what == "index deleted":
            self.forget_index()
        elif what == "page away":
            self.aside = self.file(OPINIONS).read_bytes()
            self.file(OPINIONS).unlink()
        else:
            assert what == "page back" and self.aside
            self.file(OPINIONS).write_bytes(self.aside)
            self.aside = None

    def forget_index(self) -> None:
        self.memory.close()
        shutil.rmtree(self.file(".memory"))

    # -- what must be so

    def check(self) -> None:
        """Every opinion is there, with the number, course and evidence that the script asks for, and no other."""
        held = {opinion.id: opinion for opinion in self.memory.opinions()}
        alive = {name: belief for name, belief in self.mind.beliefs.items() if not belief.deleted}
        for name, belief in alive.items():
            if name not in self.ids:
                begun = [
                    id
                    for id, one in held.items()
                    if (one.statement, one.entities) == (belief.statement, (belief.entity,))
                ]
                assert len(begun) == 1, (name, belief.statement)
                self.ids[name] = begun[0]
        assert {held[id].statement for id in held.keys() - {self.ids[name] for name in alive}} == set()
        for name, belief in alive.items():
            self.check_one(held[self.ids[name]], belief, self.memory.today)
        asked = {(self.ids[name], content) for name, content in self.mind.waiting}
        assert {(opinion, self.contents[fact]) for opinion, fact in self.asked()} == asked

    def check_one(self, opinion: Opinion, belief: Belief, today: date) -> None:
        about = (today, belief.statement)
        course = [*belief.past, *belief.course()]
        assert opinion.statement == belief.statement
        assert opinion.prior == belief.prior, about
        assert opinion.confidence == round(belief.confidence(), 2), about
        told = [(item.recorded, self.contents[item.fact_id], item.stance) for item in opinion.evidence]
        stances = {1: Stance.SUPPORTS, -1: Stance.CONTRADICTS}
        due = [(one.day, one.content, stances[one.sign]) for one in belief.counting()]
        assert sorted(told, key=str) == sorted(due, key=str), about
        steps = history(opinion)
        assert [None if step.by_hand else step.day for step in steps] == [day for day, _ in course], about
        assert [step.confidence for step in steps] == pytest.approx([after for _, after in course]), about
        opposite = belief.opposite
        there = opposite is not None and not opposite.deleted
        assert bool(opinion.disputed_by) == there, about
        if opposite and there:
            names = [name for name, each in self.mind.beliefs.items() if each is opposite]
            assert opinion.disputed_by == self.ids[names[0]], about
        before = opinion.spent[0].prior if opinion.spent else belief.prior
        for step in steps:
            assert min(0.02, belief.prior) - CLOSE <= step.confidence <= max(0.98, belief.prior) + CLOSE, about
            assert step.by_hand or abs(step.confidence - before) <= 0.15, about
            before = step.confidence
        assert [step.day for step in steps if step.by_hand] == [spent.day for spent in opinion.spent], about
        page = self.page()
        for note in belief.notes:
            assert page.count(f"\n  - {note}\n") == 1, about

    def asked(self) -> set[tuple[str, str]]:
        """(opinion, fact) that wait for a person on the review page."""
        if not self.file(REVIEW).exists():
            return set()
        judge = self.page(REVIEW).partition("## Judge")[2].partition("\n## ")[0]
        return set(re.findall(r"\^(o-\w+) \^(\S+) \^j-\w+$", judge, re.M))


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Life:
    """The two years, played; every reflect was checked on the way."""
    lived = Life(tmp_path_factory.mktemp("life") / "workspace")
    _, events = script()
    turns = calendar()
    day = events[0].day
    while day <= LAST:
        lived.memory.today = day
        if day in turns:
            lived.files(turns[day])
        now = [event for event in events if event.day == day]
        edits = [event for event in now if event.word in ("hand", "verdict")]
        for event in now:
            if event not in edits:
                lived.write(event)
        due, number = not (day - events[0].day).days % EVERY, (day - events[0].day).days // EVERY
        if due or edits or day in turns:
            lived.reflect(since=None if number % FULL == 0 else WINDOW)
        for event in edits:
            lived.edit(event)
        day += timedelta(days=1)
    lived.reflect(since=None)
    return lived


def test_forty_opinions_in_six_languages_live_two_years(life: Life) -> None:
    opinions, events = script()
    assert len(opinions) >= 40
    assert all(sum(each.language == language for each in opinions) >= 5 for language in LANGUAGES)
    assert {event.word for event in events} == {
        "founds", "same", "for", "against", "reverses", "narrows", "waits", "nothing", "verdict", "hand"
    }  # fmt: skip
    edits = {event.text.partition(" ")[0] for event in events if event.word == "hand"}
    assert edits == {"types", "rewords", "deletes", "drops", "moves", "notes"}
    assert life.reflections > 120


def test_every_opinion_ends_as_the_script_says(life: Life) -> None:
    opinions, events = script()
    first = {event.other or event.opinion: event.stated or 0.7 for event in events if event.word == "founds"}
    for name, ends, _, _ in opinions:
        belief = life.mind.beliefs[name]
        now, was = belief.confidence(), first[name]
        told = {
            "rises": now >= was + 0.01,
            "holds": abs(now - was) < 0.01,
            "dips": 0.01 <= was - now <= 0.10,
            "falls": was - now > 0.10 and now >= 0.5,
            "collapses": now < 0.5,
            "deleted": belief.deleted,
        }
        assert told[ends], (name, ends, was, now)


def test_the_command_line_tells_the_same_course(life: Life, cli: Cli) -> None:
    cli.root = life.root
    told = {each["id"]: each for each in cli("opinions", "--history", "--json", "--today", str(LAST)).json["opinions"]}
    for name, belief in life.mind.beliefs.items():
        if belief.deleted:
            assert life.ids[name] not in told
            continue
        shown = told[life.ids[name]]
        course = [*belief.past, *belief.course()]
        days = [None if step["by_hand"] else step["day"] for step in shown["history"]]
        assert days == [day and day.isoformat() for day, _ in course], name
        courses = [step["confidence"] for step in shown["history"]]
        assert courses == pytest.approx([after for _, after in course], abs=0.0051), name


def test_a_rebuild_from_the_markdown_gives_the_same_numbers_and_changes_no_byte(life: Life) -> None:
    bank = {path: path.read_bytes() for path in life.file("bank").rglob("*.md")}
    held = life.memory.opinions()
    for since in (None, WINDOW):
        life.forget_index()
        life.memory.index(rebuild=True)
        life.reflect(since=since)
        assert life.memory.opinions() == held
        assert {path: path.read_bytes() for path in life.file("bank").rglob("*.md")} == bank


def test_logs_and_verdicts_alone_give_the_same_numbers_where_no_hand_changed_them(life: Life, tmp_path: Path) -> None:
    shutil.copytree(life.file("memory"), tmp_path / "memory")
    (tmp_path / "bank").mkdir()
    shutil.copy(life.file(REVIEW), tmp_path / REVIEW)
    _, events = script()
    touched = {event.opinion for event in events if event.word == "hand"}
    with Memory(str(tmp_path), today=LAST) as alone:
        alone.reflect()
        numbers = {opinion.id: (opinion.confidence, history(opinion)) for opinion in alone.opinions()}
    kept = {opinion.id: (opinion.confidence, history(opinion)) for opinion in life.memory.opinions()}
    free = {life.ids[name] for name in life.mind.beliefs if name not in touched}
    assert len(free) >= 40
    assert {id: numbers[id] for id in free} == {id: kept[id] for id in free}
