"""What somebody prefers: also what a file about the owner tells below a label or heading for it, without their name."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

TODAY = date(2026, 3, 1)
USER = """# USER.md

- **Name:** Rolf Hansen
- **What to call them:** Rolf
- **Timezone:** Europe/Oslo
- **Preferences:** short answers, commands ready to copy
"""
LOG = "- Rolf fixed the gate.\n- Rolf called the harbour office.\n- The pump was oiled by Rolf.\n"
CORE = {
    "en": ("## Preferences\n\n- Short answers\n- No tables in mails\n", "What are my preferences?"),
    "zh": ("## 偏好\n\n- 回答要简短明了，先说结论\n- 邮件里不用表格和图片\n", "我的偏好是什么？"),
    "da": ("## Præferencer\n\n- Korte svar først\n- Ingen tabeller i mails\n", "Hvad er mine præferencer?"),
    "ru": ("## Предпочтения\n\n- Короткие ответы\n- Никаких таблиц в письмах\n", "Каковы мои предпочтения?"),
    "hi": ("## पसंद\n\n- छोटे उत्तर पहले निष्कर्ष\n- मेल में तालिका नहीं\n", "मेरी पसंद क्या है?"),
    "ja": ("## 好み\n\n- 短い返事で結論から言う\n- メールに表は使わない\n", "私の好みは何ですか？"),
}


def test_a_label_in_the_file_about_the_owner_tells_what_they_prefer(workspace: Write) -> None:
    root = workspace({"USER.md": USER, "memory/2026-02-20.md": LOG})
    with Memory(str(root), today=TODAY) as memory:
        first, *_ = memory.recall("What does Rolf prefer?").hits
    assert "**Preferences:** short answers, commands ready to copy" in first.line.content


@pytest.mark.parametrize("owner", [{}, {"USER.md": USER}], ids=["nobody", "Rolf"])
@pytest.mark.parametrize("language", CORE)
def test_what_one_prefers_is_told_below_a_heading_for_it(
    workspace: Write, language: str, owner: dict[str, str]
) -> None:
    """Where a file names the owner, too: what is preferred seldom has that name."""
    text, question = CORE[language]
    root = workspace({**owner, "MEMORY.md": text, "memory/2026-02-20.md": LOG})
    with Memory(str(root), today=TODAY) as memory:
        hits = memory.recall(question).hits
    told = {each for hit in hits for each in re.split(r"\n(?:- )?", hit.line.content)}
    assert told.issuperset(line[2:] for line in text.splitlines() if line.startswith("- "))


def test_if_no_file_about_the_owner_tells_it_all_that_is_preferred_answers(workspace: Write) -> None:
    owner = USER.partition("- **Preferences")[0]
    log = "- I prefer tea over coffee.\n- Rolf prefers oak over pine.\n- The pump was oiled by Rolf.\n"
    root = workspace({"USER.md": owner, "memory/2026-02-20.md": log})
    with Memory(str(root), today=TODAY) as memory:
        hits = memory.recall("What are my preferences?").hits
    assert {hit.line.content for hit in hits} == {"I prefer tea over coffee.", "Rolf prefers oak over pine."}


ASKED = (
    *("What does the user prefer?", "What are my preferences?", "What do I prefer?", "What do I like?"),
    *("我喜欢什么？", "用户喜欢什么？", "Hvad foretrækker jeg?", "मुझे क्या पसंद है?", "私は何が好き？", "Что я люблю?"),
)


@pytest.mark.parametrize("question", ASKED)
@pytest.mark.parametrize("owner", [{}, {"USER.md": USER.partition("- **Preferences")[0]}], ids=["nobody", "Rolf"])
def test_if_nothing_preferred_is_written_it_says_so(workspace: Write, question: str, owner: dict[str, str]) -> None:
    log = "- The user story is done.\n- Each user has preferences in user_prefs.\n- 用户登录成功。\n"
    root = workspace({**owner, "memory/2026-02-20.md": log + LOG})
    with Memory(str(root), today=TODAY) as memory:
        found = memory.recall(question)
    assert (found.hits, found.note) == ((), "no line is of kind opinion")


@pytest.mark.parametrize("question", ASKED)
def test_what_the_owner_prefers_is_on_their_page_however_they_ask(workspace: Write, question: str) -> None:
    log = "- Anna prefers oak over pine.\n- Anna likes tea.\n- Anna 喜欢喝茶。\n"
    root = workspace({"USER.md": USER, "memory/2026-02-20.md": log + LOG})
    with Memory(str(root), today=TODAY) as memory:
        first, *_ = memory.recall(question).hits
    assert "short answers" in first.line.content


def test_a_task_below_a_heading_for_it_is_no_preference(workspace: Write) -> None:
    text = "## Preferences\n\n- Short answers\n- [ ] buy a new pump\n- [x] moved the boat\n"
    root = workspace({"USER.md": USER, "MEMORY.md": text, "memory/2026-02-20.md": LOG})
    with Memory(str(root), today=TODAY) as memory:
        found = memory.recall("", kinds=["opinion"]).hits
    assert not [each for each in found if "[" in each.line.content]
