"""What changed when and why: told from pages, facts, git and the journal, and the same without any index."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from datetime import date
from typing import TYPE_CHECKING

import pytest
from tests.hand import edit
from tests.standing import standing

from commonplace.core.model import Begun, Citation
from commonplace.doors.shared import opinion_lines
from commonplace.doors.shared.verb_answer import PLAIN
from commonplace.errors import NotFound
from commonplace.memory import Memory
from commonplace.memory import history as steps

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Cli, Write

    from commonplace.core.review.changelog import BeliefChange

TODAY = date(2026, 2, 1)
LIFE = """
=== MEMORY.md
# Core

- Mona is the owner.

=== memory/2025-11-27.md
## Retain
- O(c=0.95) @Mona: Prefers short replies on WhatsApp. ^k7f3qa
- W @Rolf: Lives in Bergen. ^bergen
- W @Rolf: Rolf is the carpenter. ^rolf
- W @Mona: Has a boat. ^boat

=== memory/2025-12-04.md
- We decided to buy a lamp for the hall.

## Retain
- O(c=0.96) @Mona: Prefers short replies on WhatsApp. ^p2m8ve
- W @Mona: Sold the boat. <!-- cp: supersedes=^boat --> ^sold

=== memory/2026-01-14.md
## Retain
- O(c=0.94) @Mona: Does not want short replies on WhatsApp. ^w9d1zu
- W @Rolf: Moved to Oslo. ^oslo
- W @Mona: Born in 1985. ^wrong

=== memory/2026-01-15.md
## Retain
- W: It was a slip of the pen. <!-- cp: retracts=^wrong --> ^slip
"""
SHORT = "Prefers short replies on WhatsApp."
BARS = str.maketrans(dict.fromkeys("█▏▎▍▌▋▊▉"))
DOGS = "- W @Rolf: Has two dogs. ^dogs"
LONG = "Does not want short replies on WhatsApp."


@pytest.fixture
def memory(workspace: Write) -> Memory:
    made = Memory(str(workspace(LIFE)), today=TODAY)
    made.reflect()
    return made


def retained(memory: Memory, day: str, *facts: str) -> None:
    """Write the log of a day."""
    with open(f"{memory.root}/memory/{day}.md", "w", encoding="utf-8") as handle:
        handle.write("\n".join(["## Retain", *facts, ""]))


def believed(memory: Memory, **asked: str) -> list[BeliefChange]:
    """What pages and facts tell: all but what was written."""
    return [each for each in memory.log(k=100, **asked).log if not each.paths]


def told(changes: list[BeliefChange]) -> list[tuple[str, str, str]]:
    return [(str(each.day), each.what, each.text) for each in changes]


def test_each_step_of_each_opinion_is_told_with_its_reason(memory: Memory) -> None:
    changes = [each for each in believed(memory) if each.id.startswith("o-")]
    assert told(changes) == [
        ("2026-01-14", "new opinion, 0.94", LONG),
        ("2026-01-14", "0.96 → 0.94", SHORT),
        ("2025-12-04", "0.95 → 0.96", SHORT),
        ("2025-11-27", "new opinion, 0.95", SHORT),
    ]
    reversal, moved, repeated, first = changes
    assert moved.why == f"against ^w9d1zu “{LONG}”"
    assert moved.source == reversal.source == "memory/2026-01-14.md#L2"
    assert reversal.why == f"reverses ^{first.id} “{SHORT}”, stated ^w9d1zu"
    assert repeated.why == "for ^p2m8ve"
    assert first.why == "stated ^k7f3qa"
    assert moved.entities == ("Mona",)


def test_what_a_person_set_parts_the_steps_before_from_those_after(memory: Memory) -> None:
    page = "bank/opinions.md"
    with open(f"{memory.root}/{page}", encoding="utf-8") as handle:
        stands = next(line for line in handle.read().split("\n") if SHORT in line and "O(c=" in line)
    edit(memory, page, stands, stands.replace(stands[4:10], "c=0.60"))
    memory.reflect()
    retained(memory, "2026-02-03", f"- O(c=0.9) @Mona: {SHORT} ^again")
    memory.today = date(2026, 2, 4)
    memory.reflect()
    changes = [each for each in believed(memory) if each.text == SHORT]
    assert [(str(each.day), each.what, each.by) for each in changes] == [
        ("2026-02-03", "0.60 → 0.62", ""),
        ("2026-02-01", "0.94 → 0.60", "person"),
        ("2026-01-14", "0.96 → 0.94", ""),
        ("2025-12-04", "0.95 → 0.96", ""),
        ("2025-11-27", "new opinion, 0.95", ""),
    ]
    assert changes[1].why == "set by hand"
    assert changes[1].source.startswith("bank/opinions.md#L")


def test_what_stated_no_confidence_began_as_a_bare_statement(memory: Memory) -> None:
    retained(memory, "2026-01-20", "- O @Rolf: Likes rye bread. ^rye")
    memory.reflect()
    edit(memory, "bank/opinions.md", "O(c=0.70) @Rolf: Likes rye", "O(c=0.20) @Rolf: Likes rye")
    memory.reflect()
    told = [each.what for each in believed(memory) if each.text == "Likes rye bread."]
    assert told == ["0.70 → 0.20", "new opinion, 0.70"]
    held = next(each for each in memory.opinions() if each.statement == "Likes rye bread.")
    assert [each.prior for each in held.spent] == [0.70]


def test_the_course_of_a_confidence_goes_on_through_what_a_person_set(memory: Memory) -> None:
    def course() -> list[tuple[str, float, tuple[str, ...], bool]]:
        held = next(each for each in memory.opinions() if each.statement == SHORT)
        return [(str(step.day), round(step.confidence, 2), step.evidence, step.by_hand) for step in steps(held)]

    before = course()
    assert [(day, value) for day, value, _, _ in before] == [("2025-12-04", 0.96), ("2026-01-14", 0.94)]
    edit(memory, "bank/opinions.md", "O(c=0.94) @Mona: Prefers", "O(c=0.55) @Mona: Prefers")
    memory.reflect()
    once = [*before, ("2026-02-01", 0.55, (), True)]
    assert course() == once
    retained(memory, "2026-02-03", f"- O(c=0.9) @Mona: {SHORT} ^again")
    memory.today = date(2026, 2, 4)
    memory.reflect()
    again = [*once, ("2026-02-03", 0.57, ("again",), False)]
    assert course() == again
    edit(memory, "bank/opinions.md", "O(c=0.57) @Mona: Prefers", "O(c=0.30) @Mona: Prefers")
    memory.today = date(2026, 2, 6)
    memory.reflect()
    assert course() == [*again, ("2026-02-06", 0.30, (), True)]
    held = next(each for each in memory.opinions() if each.statement == SHORT)
    assert (held.prior, held.evidence, [each.prior for each in held.spent]) == (0.30, (), [0.95, 0.55])
    shown = opinion_lines.histories([(held, steps(held))], PLAIN).split("\n")[2:]
    assert [" ".join(line.translate(BARS).split()[:4]) for line in shown] == [
        "2025-11-27 0.95 prior memory/2025-11-27.md#L2",
        "2025-12-04 0.96 for memory/2025-12-04.md#L4",
        "2026-01-14 0.94 against memory/2026-01-14.md#L2",
        "2026-02-01 0.55 set by",
        "2026-02-03 0.57 for memory/2026-02-03.md#L2",
        "2026-02-06 0.30 set by",
    ]


def test_an_opinion_says_where_it_began_and_still_does_when_its_number_is_set_by_hand(memory: Memory) -> None:
    def begun() -> Begun | None:
        return next(each for each in memory.opinions() if each.statement == SHORT).begun

    place = Citation("memory/2025-11-27.md", 2)
    first = Begun("k7f3qa", date(2025, 11, 27), place, 0.95)
    assert begun() == first
    memory.reflect()
    assert begun() == first, "from the page as from the facts"
    edit(memory, "bank/opinions.md", "O(c=0.94) @Mona: Prefers", "O(c=0.55) @Mona: Prefers")
    memory.reflect()
    assert begun() == first


def test_facts_that_replace_and_take_back_are_told(memory: Memory) -> None:
    changes = {each.id: each for each in believed(memory)}
    boat, bergen, wrong = changes["boat"], changes["bergen"], changes["wrong"]
    assert (str(boat.day), boat.what, boat.why) == ("2025-12-04", "superseded", "^sold “Sold the boat.”")
    assert (str(bergen.day), bergen.what, bergen.source) == ("2026-01-14", "superseded", "memory/2026-01-14.md#L3")
    assert bergen.why == "^oslo “Moved to Oslo.”"
    assert (str(wrong.day), wrong.what, wrong.why) == ("2026-01-15", "taken back", "^slip “It was a slip of the pen.”")


def test_history_tells_since_when_a_fact_holds_and_what_is_disputed(memory: Memory) -> None:
    paris, rome = "- W @Zoe: Lives in Paris since January 2, 2026. ^paris", "- W @Zoe: Lives in Rome. ^rome"
    retained(memory, "2026-01-20", paris, rome, "- W @Ada: Lives in Graz. ^graz")
    retained(memory, "2026-01-21", "- W @Ada: Lives in Linz since January 21, 2026. ^linz")
    changes = {each.id: each for each in believed(memory)}
    assert {changes[id].what for id in ("paris", "rome") if id in changes} == {"disputed"}
    assert changes["graz"].why == "^linz “Lives in Linz since January 21, 2026.”, since 2026-01-21"


def test_what_a_person_decided_is_told(memory: Memory) -> None:
    edit(memory, "bank/review.md", "- [ ] W: We decided", "- [-] W: We decided")
    memory.reflect()
    rejected = next(each for each in believed(memory) if each.what == "rejected")
    assert (str(rejected.day), rejected.by) == ("2025-12-04", "person")
    assert "We decided to buy a lamp for the hall." in rejected.text
    assert rejected.source.startswith("bank/review.md#L")


def test_no_index_is_needed_for_it(memory: Memory) -> None:
    before = believed(memory)
    assert len(before) >= 7
    memory.close()
    os.unlink(memory.workspace.index_path)
    assert believed(memory) == before
    shutil.rmtree(f"{memory.root}/.memory")
    again = Memory(memory.root, today=TODAY)
    assert believed(again) == before
    assert again.log(k=100).log == tuple(before)


def test_what_was_written_is_told_while_it_can_be_taken_back(memory: Memory) -> None:
    wrote = next(each for each in memory.log(k=100).log if each.paths)
    assert wrote.what == f"wrote {len(wrote.paths)} files"
    assert "bank/opinions.md" in wrote.paths
    assert wrote.day == TODAY
    memory.undo()
    assert [each for each in memory.log(k=100).log if each.paths] == []


def test_a_reflect_and_its_commit_are_of_the_day_that_was_given(memory: Memory) -> None:
    repository(memory.root)
    retained(memory, "2026-02-03", DOGS)
    memory.today = date(2026, 2, 4)
    assert "committed" in memory.reflect(commit=True).notes[-1]
    told = memory.log(k=100).log
    assert [str(each.day) for each in told if each.paths] == ["2026-02-04", "2026-02-01"]
    assert told[0].source.startswith("git:")
    assert git(memory.root, "log", "-1", "--format=%ad", "--date=short") == "2026-02-04"
    memory.undo()
    assert [str(each.day) for each in memory.log(k=100).log if each.what.startswith("wrote")] == ["2026-02-01"]


def test_without_a_day_given_a_commit_is_of_the_clocks(memory: Memory) -> None:
    repository(memory.root)
    retained(memory, "2026-02-03", DOGS)
    memory.today = None
    memory.reflect(commit=True)
    author, committer = git(memory.root, "log", "-1", "--format=%aI %cI").split()
    assert author == committer


def test_history_is_limited_by_name_by_day_and_to_the_newest(memory: Memory) -> None:
    assert {each.id for each in believed(memory, name="Rolf")} == {"bergen"}
    assert {str(each.day) for each in memory.log(since="2026-01-15", k=100).log if not each.paths} == {"2026-01-15"}
    whole = memory.log(k=100)
    assert [each.day for each in whole.log] == sorted((each.day for each in whole.log if each.day), reverse=True)
    some = memory.log(k=3)
    assert (some.log, some.omitted) == (whole.log[:3], len(whole.log) - 3)
    with pytest.raises(NotFound):
        memory.log("Nobody")


def git(root: str, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def repository(root: str) -> None:
    git(root, "init", "-q")
    git(root, "config", "user.name", "test")
    git(root, "config", "user.email", "test@example.org")


def test_commits_are_told_with_whose_they_are(memory: Memory) -> None:
    repository(memory.root)
    git(memory.root, "add", ".")
    git(memory.root, "commit", "-q", "-m", "start", "--date=2026-01-20T12:00:00")
    retained(memory, "2026-01-21", DOGS)
    git(memory.root, "add", ".")
    git(memory.root, "commit", "-q", "-m", "only a log")
    assert "committed" in memory.reflect(commit=True).notes[-1]
    commits = [each for each in memory.log(k=100).log if each.source.startswith("git:")]
    assert [(each.text, each.by) for each in commits] == [
        ("reflect: renew pages and opinions", "reflect"),
        ("start", "person"),
    ]
    ours, start = commits
    assert str(start.day) == "2026-01-20"
    assert ours.source == f"git:{git(memory.root, 'log', '-1', '--format=%h')}"
    assert set(start.paths) >= {"MEMORY.md", "bank/opinions.md", "bank/entities/Mona.md"}
    assert "memory/2025-11-27.md" not in start.paths
    wrote = [each for each in memory.log(k=100).log if each.what.startswith("wrote ")]
    assert ours.paths not in [each.paths for each in wrote]  # told once
    assert "bank/entities/Rolf.md" in ours.paths
    assert [each.text for each in memory.log("Mona", k=100).log if each.source.startswith("git:")] == ["start"]


def test_a_workspace_below_the_top_of_a_repository(tmp_path: Path) -> None:
    root = tmp_path / "home" / "my notes"
    (root / "bank").mkdir(parents=True)
    (tmp_path / "home" / "bank").mkdir()
    (root / "bank" / "a “b”\tc 王.md").write_text("x\n")
    (tmp_path / "home" / "bank" / "other.md").write_text("x\n")
    repository(str(tmp_path / "home"))
    git(str(tmp_path / "home"), "add", ".")
    git(str(tmp_path / "home"), "commit", "-q", "-m", "a\x02 “subject”")
    (commit,) = Memory(str(root), today=TODAY).log().log
    assert commit.paths == ("bank/a “b”\tc 王.md",)


def odd(root: str, how: str) -> None:
    """Make a repository odd."""
    if how == "no commits":
        repository(root)
        return
    if how == "a file called .git":
        with open(f"{root}/.git", "w", encoding="utf-8") as handle:
            handle.write("gitdir: /nowhere at all\n")
        return
    repository(root)
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "start")
    if how == "bare":
        git(root, "config", "core.bare", "true")
    elif how == "shallow":
        git(root, "commit", "-q", "--allow-empty", "-m", "more")
        subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{root}", f"{root} s"], check=True)
        shutil.rmtree(f"{root}/.git")
        shutil.move(f"{root} s/.git", f"{root}/.git")
    elif how == "damaged":
        shutil.rmtree(f"{root}/.git/objects")
        os.mkdir(f"{root}/.git/objects")
    elif how == "empty .git":
        shutil.rmtree(f"{root}/.git")
        os.mkdir(f"{root}/.git")
    elif how == "detached":
        git(root, "checkout", "-q", "--detach")


@pytest.mark.parametrize(
    ("how", "note", "commits"),
    [
        ("no commits", "git has no commits yet", 0),
        ("a file called .git", "no answer from git: ", 0),
        ("bare", "", 1),
        ("shallow", "git has only the newest part of its history here", 1),
        ("damaged", "no answer from git: ", 0),
        ("empty .git", "no answer from git: not a git repository", 0),
        ("detached", "", 1),
    ],
)
def test_an_odd_repository_gives_a_note(memory: Memory, how: str, note: str, commits: int) -> None:
    odd(memory.root, how)
    before = believed(memory)
    found = memory.log(k=100)
    assert found.note.startswith(note) and bool(found.note) == bool(note)
    assert len([each for each in found.log if each.source.startswith("git:")]) == commits
    assert believed(memory) == before != []


def test_a_repository_of_somebody_else_gives_a_note(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    odd(memory.root, "detached")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    assert memory.log().note.startswith("no answer from git: detected dubious ownership")


def test_without_git_the_rest_is_told(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    odd(memory.root, "detached")
    monkeypatch.setenv("PATH", memory.root)
    assert memory.log().note.startswith("no answer from git: ")
    assert believed(memory)


def test_a_hook_of_another_repository_misleads_nobody(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook runs with the variables of its own repository."""
    odd(memory.root, "detached")
    (tmp_path / "other").mkdir()
    repository(str(tmp_path / "other"))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "other" / ".git" / "index"))
    assert [each.text for each in memory.log(k=100).log if each.source.startswith("git:")] == ["start"]


def test_one_git_command_tells_all(memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many commits and pages there are: two calls of git."""
    odd(memory.root, "detached")
    for number in range(25):
        edit(memory, "MEMORY.md", "# Core", f"# Core\n\n- Line {number}.\n")
        git(memory.root, "commit", "-q", "-a", "-m", f"more {number}")
    (tmp_path / "bin").mkdir()
    real = shutil.which("git")
    (tmp_path / "bin" / "git").write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/calls"\nexec "{real}" "$@"\n')
    os.chmod(tmp_path / "bin" / "git", 0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    assert len([each for each in memory.log(k=100).log if each.source.startswith("git:")]) == 26
    assert len((tmp_path / "calls").read_text().splitlines()) == 2


def test_the_command_line_prints_the_history(memory: Memory, cli: Cli) -> None:
    shown = cli("reflect", "--log", "--today", "2026-02-01").out
    assert "2026-01-14  0.96 → 0.94: Prefers short replies on WhatsApp. ^o-" in shown
    assert "            against ^w9d1zu “Does not want short replies on WhatsApp.” memory/2026-01-14.md#L2" in shown
    data = cli("reflect", "--log", "Rolf", "--json", "--k", "2", "--since", "2026-01-01").json
    _, only = data["log"]
    assert (only["day"], only["what"], only["source"]) == ("2026-01-14", "superseded", "memory/2026-01-14.md#L3")
    assert only["why"] == "^oslo “Moved to Oslo.”"
    assert cli("reflect", "--log", "--k", "2", "--today", "2026-02-01").out.endswith("raise --k to see more)\n")
    for wrong in (("Rolf",), ("--k", "3"), ("--log", "--undo"), ("--log", "--dry-run"), ("--log", "--since", "never")):
        assert cli("reflect", *wrong).status == 2
    assert cli("reflect", "--log", "Nobody").status == 1


def test_nothing_is_written_by_it(memory: Memory) -> None:
    before = standing(memory.root)
    memory.log()
    assert standing(memory.root) == before


def test_an_empty_workspace_has_no_log(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    assert Memory(str(tmp_path / "w")).log() == ((), 0, "")
    (tmp_path / "w/MEMORY.md").touch()
    command = [sys.executable, "-m", "commonplace", "reflect", "--log", "--workspace", str(tmp_path / "w")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "no changes yet\n"
