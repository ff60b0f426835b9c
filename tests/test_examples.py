"""The bundled workspace is the first thing that a new user sees: it has to be right, and the demo has to run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import unicodedata
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from commonplace import Memory
from commonplace.core.when import path_day

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
WORKSPACE = ROOT / "examples" / "workspace"
TODAY = date(2025, 12, 1)
WEEKDAYS = {
    name: number
    for names in ("Mon Tue Wed Thu Fri Sat Sun", "一 二 三 四 五 六 日", "月 火 水 木 金 土 日")
    for number, name in enumerate(names.split())
} | {f"星期{name}": number for number, name in enumerate("一二三四五六日")}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return shutil.copytree(WORKSPACE, tmp_path / "quill")


@pytest.fixture
def memory(workspace: Path) -> Iterator[Memory]:
    with Memory(str(workspace), today=TODAY) as opened:
        yield opened


def test_the_example_workspace_has_no_problems(memory: Memory) -> None:
    assert memory.check() == ()


def test_weekdays_are_those_of_the_calendar() -> None:
    named = re.compile(r"(\d{4})[-年](\d\d?)[-月](\d\d?)日? ?[(（]([^)）]+)[)）]")
    found = 0
    for page in WORKSPACE.rglob("*.md"):
        for year, month, day, name in named.findall(page.read_text(encoding="utf-8")):
            found += 1
            assert date(int(year), int(month), int(day)).weekday() == WEEKDAYS[name], (page.name, name)
    assert found > 30


def test_every_log_is_of_its_weeks() -> None:
    logs = [path_day(log.relative_to(WORKSPACE).as_posix()) for log in (WORKSPACE / "memory").rglob("*.md")]
    days = [day for day in logs if day]
    assert len(days) > 30
    assert min(days) == date(2025, 9, 2)
    assert max(days) == date(2025, 11, 30)


@pytest.mark.parametrize(
    ("question", "citation"),
    [
        ("a41f9c2", "memory/2025-11-27.md#L4"),
        ("when do the backups at The Castle run?", "memory/2025-11-15.md#L15"),
        ("what did we decide about Redis?", "memory/2025-10-27.md#L17"),
        ("when does the flight to Marrakech leave?", "memory/2025-11-21.md#L12"),
        ("what does Peter prefer for family messages?", "memory/2025-11-26.md#L10"),
        ("由紀の締め切りはいつ？", "memory/2025-11-14.md#L15"),
        ("Hvem skiftede hovedafbryderen?", "memory/2025-11-04.md#L28"),
        ("साप्ताहिक बातचीत कब होती है?", "memory/2025-11-06.md#L21"),
        ("陈先生的发票号", "memory/2025-11-05.md#L14"),
        ("王芳住在哪里？", "memory/2025-11-08.md#L11"),
        ("where does Mariano live?", "memory/2025-11-10.md#L11"),
    ],
)
def test_the_first_questions_are_answered_in_each_language(memory: Memory, question: str, citation: str) -> None:
    """The planted answer is among the first three, in each language."""
    assert citation in [str(hit.line.source) for hit in memory.recall(question).hits[:3]]


@pytest.mark.parametrize(
    "question",
    [
        "when does the flight to Marrakech leave?",
        "when do the nightly backups run?",
        "how many messages a minute does warelay send?",
        "where does Mariano live?",
        "王芳住在哪里？",
        "由紀の第一稿の締め切りは？",
        "साप्ताहिक बातचीत कब होती है?",
    ],
)
def test_the_current_fact_leads(memory: Memory, question: str) -> None:
    """Of a fact and the one that superseded it, the newer comes first, and the older says so."""
    hits = memory.recall(question).hits
    places = [str(hit.line.source) for hit in hits]
    old = [hit for hit in hits if hit.superseded_by]
    assert old
    for hit in old:
        assert str(hit.superseded_by) in places[: places.index(str(hit.line.source))]


def test_reflect_finds_the_change_of_mind(memory: Memory) -> None:
    memory.reflect(yes=True)
    held = {opinion.statement: opinion for opinion in memory.opinions("Peter")}
    signal = held["Prefers Signal over WhatsApp for family messages."]
    whatsapp = held["Prefers WhatsApp over Signal for family messages."]
    assert signal.confidence < signal.prior
    assert whatsapp.confidence > whatsapp.prior
    assert signal.disputed_by == whatsapp.id
    assert memory.reflect().patches == ()


def columns(row: str) -> int:
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in row)


def test_the_demo_prints_two_screens_and_leaves_what_it_names(tmp_path: Path) -> None:
    env = {
        **os.environ,
        "HOME": str(tmp_path),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    for folder in ("demo", "demo-2"):
        done = subprocess.run(
            ["sh", str(ROOT / "examples" / "demo.sh")],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        rows = done.stdout.replace(str(tmp_path), "~").splitlines()
        assert len(rows) <= 54, "more than two screens"
        assert max(map(columns, rows)) <= 100
        at = [
            done.stdout.index(f"$ commonplace {verb}") for verb in ("index", "recall", "retain", "reflect", "opinions")
        ]
        assert at == sorted(at)
        tried = re.findall("^  ((?:export|commonplace) .*)$", done.stdout.partition("Try next")[2], re.MULTILINE)
        assert len(tried) == 3
        after = subprocess.run(["sh", "-ec", "\n".join(tried)], cwd="/", env=env, stdout=subprocess.PIPE, check=True)
        assert b"outbox" in after.stdout and str(tmp_path / "notes").encode() in after.stdout
        assert "superseded by memory/2025-11-15.md#L15" in done.stdout
        assert "王芳住在杭州" in done.stdout
        for path in re.findall(r"[\w./-]+\.md", done.stdout[done.stdout.index("Open in any editor") :]):
            assert (tmp_path / folder / path).exists() or (ROOT / path).exists()
        assert (tmp_path / folder / "bank" / "opinions.md").exists()
        assert (tmp_path / folder / "memory" / "2025-12-01.md").exists()


def test_what_fills_a_page_stays_when_everything_is_weighed_anew(tmp_path: Path) -> None:
    """A page with lines of little use, from its first reflect on: it does not lose them because it is there."""
    root = tmp_path / "quill"
    shutil.copytree(WORKSPACE, root)
    with Memory(str(root), today=date(2025, 12, 1)) as memory:
        memory.reflect(yes=True)
    made = {path: path.read_text() for path in (root / "bank").rglob("*.md")}
    shutil.rmtree(root / ".memory")
    with Memory(str(root), today=date(2025, 12, 1)) as memory:
        memory.reflect(yes=True)
    assert {path: path.read_text() for path in (root / "bank").rglob("*.md")} == made


def test_in_september_nobody_tagged_anything_and_its_people_have_pages(tmp_path: Path) -> None:
    logs = sorted((WORKSPACE / "memory").glob("2025-09-*.md"))
    assert len(logs) > 10
    assert not any("@" in log.read_text() or "Retain" in log.read_text() or "[[" in log.read_text() for log in logs)
    root = tmp_path / "quill"
    shutil.copytree(WORKSPACE, root)
    with Memory(str(root), today=date(2025, 12, 1)) as memory:
        memory.reflect(yes=True)
    page = (root / "bank/entities/Torsten-Wieland.md").read_text()
    for heading in ("Who or what", "Decisions", "Causes and lessons"):
        assert f"## {heading}\n- 2025-09-" in page
    assert "Status" not in page
