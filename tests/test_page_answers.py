"""Ten questions about an entity of the bundled workspace, and five about one that speaks Japanese, from its page alone.

The page is what reflect writes. Questions stand below the heading to look under, each with what a line there must say.
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

PETER = {
    "Current": [
        ("Where does Peter live?", r"Lives in Vienna.*\^rtm3zfpw7a"),
        ("Who is Alice to him?", r"Alice is Peter's younger sister"),
        ("What is the number of the travel insurance?", r"VI-330871"),
    ],
    "Preferences": [
        ("How long may a message to him be?", r"0\.\d\d: .*concise replies \(<1500 chars\)"),
        ("May I call a meeting at nine?", r"Does not want meetings before 10:00"),
    ],
    "Open questions": [
        ("WhatsApp or Signal for the family?", r"Which holds: .*WhatsApp over Signal.* or .*Signal over"),
    ],
    "Lately": [
        ("Where was he at the end of November?", r"2025-11-27 to 12-01: Currently in Marrakech"),
        ("When does his flight leave?", r"KP 417.* now leaves Vienna at 11:20"),
    ],
    "History": [
        ("When was the flight to leave at first?", r"leaves Vienna at 09:05.*replaced by \^flt112"),
    ],
    "Related": [
        ("Who turns up beside him most, and why?", r"\[Alice\]\(Alice\.md\): 3 facts together.*younger sister"),
    ],
}
SATO = {
    "": [
        ("佐藤健太とは誰か", r"佐藤健太は仙台に住み、港湾研究所で潮位を研究している。.*\^"),
    ],
    "Preferences": [
        ("連絡は何でするのがよいか", r"チャットよりメールの方を好む"),
    ],
    "Open questions": [
        ("会議は朝と夕方のどちらがよいか", r"朝は避けたい.*夕方は避けたい|夕方は避けたい.*朝は避けたい"),
    ],
    "Current": [
        ("研究所の住所は", r"2025-09-23: .*青葉区片平二丁目"),
    ],
    "Lately": [
        ("最近何をしたか", r"2026-06-10: .*荒浜の検潮器の電池を交換した"),
    ],
}


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
    workspace: Path, name: str, today: date, asked: dict[str, list[tuple[str, str]]], tmp_path: Path
) -> None:
    page = page_of(workspace, name, today, tmp_path)
    missed = [
        (question, answer)
        for heading, questions in asked.items()
        for question, answer in questions
        if not any(re.search(answer, line) for line in lines_of(page, heading))
    ]
    assert missed == []
