"""Ten questions about an entity of the bundled workspace, and five about one that speaks Japanese, from its page alone.

The page is what reflect writes. A question comes with the heading to look below and with what a line there must say.
"""

from __future__ import annotations

import re
import shutil
from datetime import date
from pathlib import Path

import pytest

from commonplace.memory import Memory

ROOT = Path(__file__).parent
EXAMPLE = ROOT.parent / "examples/workspace"
PLANTED = ROOT / "data/planted/workspace"

PETER = [
    ("Where does Peter live?", "Current", r"Lives in Vienna.*\^rtm3zfpw7a"),
    ("Who is Alice to him?", "Current", r"Alice is Peter's younger sister"),
    ("How long may a message to him be?", "Preferences", r"0\.\d\d: .*concise replies \(<1500 chars\)"),
    ("May I call a meeting at nine?", "Preferences", r"Does not want meetings before 10:00"),
    ("WhatsApp or Signal for the family?", "Open questions", r"Which holds: .*WhatsApp over Signal.* or .*Signal over"),
    ("Where was he at the end of November?", "Lately", r"2025-11-27 to 12-01: Currently in Marrakech"),
    ("When does his flight leave?", "Lately", r"KP 417.* now leaves Vienna at 11:20"),
    ("When was the flight to leave at first?", "History", r"leaves Vienna at 09:05.*replaced by \^flt112"),
    ("What is the number of the travel insurance?", "Current", r"VI-330871"),
    ("Who turns up beside him most, and why?", "Related", r"\[Alice\]\(Alice\.md\): 3 facts together.*younger sister"),
]
SATO = [
    ("佐藤健太とは誰か", "", r"佐藤健太は仙台に住み、港湾研究所で潮位を研究している。.*\^"),
    ("連絡は何でするのがよいか", "Preferences", r"チャットよりメールの方を好む"),
    ("会議は朝と夕方のどちらがよいか", "Open questions", r"朝は避けたい.*夕方は避けたい|夕方は避けたい.*朝は避けたい"),
    ("研究所の住所は", "Current", r"2025-09-23: .*青葉区片平二丁目"),
    ("最近何をしたか", "Lately", r"2026-06-10: .*荒浜の検潮器の電池を交換した"),
]


def page_of(workspace: Path, name: str, today: date, tmp_path: Path) -> str:
    shutil.copytree(workspace, tmp_path / "workspace")
    memory = Memory(str(tmp_path / "workspace"), today=today)
    memory.reflect(yes=True)
    return memory.workspace.read(f"bank/entities/{name}.md").text


def lines_of(page: str, heading: str) -> list[str]:
    """The lines of our region below a heading; without one those above the first."""
    region = page[page.index("<!-- commonplace: entity -->") :]
    first, *rest = re.split(r"^## ", region, flags=re.MULTILINE)
    return [
        line
        for each in (rest if heading else [f"\n{first}"])
        if each.startswith(f"{heading}\n")
        for line in each.split("\n")
    ]


@pytest.mark.parametrize(
    ("workspace", "name", "today", "asked"),
    [(EXAMPLE, "Peter", date(2025, 12, 5), PETER), (PLANTED, "佐藤健太", date(2026, 6, 12), SATO)],
    ids=["ten about Peter", "five about Sato Kenta"],
)
def test_questions_are_answered_from_the_page_alone(
    workspace: Path, name: str, today: date, asked: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    page = page_of(workspace, name, today, tmp_path)
    missed = [
        (question, answer)
        for question, heading, answer in asked
        if not any(re.search(answer, line) for line in lines_of(page, heading))
    ]
    assert missed == []
