"""Where somebody lives is told by the words and labels on their page, or below their name."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

    from commonplace.core.model import Bundle

LINES = {
    "en": ("where does Marit live?", "Marit", "Location: Molde", "Role: welder"),
    "en-words": ("where does Marit live?", "Marit", "Based in Molde since spring", "Welder, plays the harp"),
    "en-zone": ("where is Marit based?", "Marit", "**Timezone:** Europe/Oslo", "**Role:** welder"),
    "da": ("hvor bor Marit?", "Marit", "Bopæl: Molde", "Rolle: svejser"),
    "zh": ("小梅住在哪里？", "小梅", "现居青岛", "职业：焊工"),
    "zh-Hant": ("小梅住在哪裡？", "小梅", "位置：青島", "職業：焊工"),
    "ja": ("美咲はどこに住んでいますか", "美咲", "居住地：函館", "職業：溶接工"),
    "hi": ("मीरा कहाँ रहती है?", "मीरा", "शहर: कोच्चि", "काम: वेल्डर"),
    "ru": ("где живёт Марта?", "Марта", "Город: Кемь", "Работа: сварщица"),
}


def asked(workspace: Write, question: str, files: dict[str, str]) -> Bundle:
    with Memory(str(workspace(files)), today=date(2026, 3, 12)) as memory:
        return memory.recall(question)


@pytest.mark.parametrize(
    "page",
    [
        "bank/entities/{name}.md\n# {name}\n\n- {other}\n\n- {home}\n",
        "MEMORY.md\n# M\n\n### {name}\n\n- {other}\n\n- {home}\n",
    ],
    ids=["page", "heading"],
)
@pytest.mark.parametrize("case", LINES)
def test_a_line_of_somebody_says_where_they_live(workspace: Write, case: str, page: str) -> None:
    question, name, home, other = LINES[case]
    path, _, text = page.format(name=name, home=home, other=other).partition("\n")
    log = f"# 2026-03-10\n\n- [[{name}]] 1, 2, 3.\n\n- [[{name}]] 4, 5.\n"
    first = asked(workspace, question, {path: text, "memory/2026-03-10.md": log}).hits[0]
    assert first.line.content == home
    assert "says where" in first.why


def test_the_home_of_somebody_else_beside_a_name_is_no_answer(workspace: Write) -> None:
    files = {"notes.md": "# Notes\n\n- [[Marit]] welds.\n- Location: Molde\n\n## Ola\n\n- Based in Hamar\n"}
    found = asked(workspace, "where does Marit live?", files)
    assert [hit.line.content for hit in found.hits] == ["[[Marit]] welds."]


TEMPLATE = """# USER.md - About Your Human

_Learn about the person you're helping. Update this as you go._

- **Name:** Maja Lund
- **What to call them:** Maja
- **Location:** Vejle
- **Partner:** Rolf

## Context

{hint}

Builds weather stations.

---
""".replace(
    "{hint}",
    "_(What do they care about? What projects are they working on? What annoys them?"
    " What makes them laugh? Build this over time.)_",
)


@pytest.mark.parametrize("question", ["who is Maja?", "Who is Maja Lund?", "tell me about Maja"])
def test_who_the_owner_is_is_told_by_the_file_about_them(workspace: Write, question: str) -> None:
    log = "# 2026-03-10\n\n- Maja bought a drill.\n\n- Rolf was here.\n"
    found = asked(workspace, question, {"USER.md": TEMPLATE, "memory/2026-03-10.md": log})
    told = "\n".join(hit.line.content for hit in found.hits)
    assert all(text in told for text in ("**Name:** Maja Lund", "**Location:** Vejle", "Builds weather stations."))
    assert not any(text in told for text in ("person you're helping", "care about", "---"))


def test_the_file_about_the_owner_is_no_page_of_those_close_to_them(workspace: Write) -> None:
    found = asked(workspace, "who is Rolf?", {"USER.md": TEMPLATE})
    assert [hit.line.content for hit in found.hits] == ["**Partner:** Rolf"]


def test_where_the_owner_lives_is_told_there(workspace: Write) -> None:
    log = "# 2026-03-10\n\n- Maja bought a drill.\n"
    found = asked(workspace, "where does Maja live?", {"USER.md": TEMPLATE, "memory/2026-03-10.md": log})
    assert "**Location:** Vejle" in found.hits[0].line.content


def test_what_the_owner_did_is_not_told_there(workspace: Write) -> None:
    log = "# 2026-03-10\n\n- Maja bought a drill.\n"
    found = asked(workspace, "what did Maja buy?", {"USER.md": TEMPLATE, "memory/2026-03-10.md": log})
    assert [hit.line.content for hit in found.hits] == ["Maja bought a drill."]
