"""The owner's and the agent's names in USER.md and IDENTITY.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commonplace.core.documents.parse import parse
from commonplace.core.entities.introductions import (
    also_called,
    called,
    introduced,
    introduces,
    listed_names,
    lists_entities,
    names_beside,
    names_of_note,
    names_of_one,
    names_somebody,
    own_names,
    speaks_of_a_relative,
    speaks_of_somebody,
)
from commonplace.core.model import Citation, Line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.documents.parsed_document import ParsedLine


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- **Name:** Bjarne Holm\n- **What to call them:** Bjarne\n- **Timezone:** Oslo\n", ["Bjarne Holm", "Bjarne"]),
        ("| Item | Value |\n|---|---|\n| **Name** | Bjarne Holm |\n| Home | Oslo |\n", ["Bjarne Holm"]),
        ("| 项目 | 值 |\n|---|---|\n| **姓名** | 陈海 |\n| **称呼** | 用户 / 你 |\n", ["陈海"]),
        ("| Name | Role |\n|---|---|\n| Bjarne | cook |\n", []),
        ("- **Name:**\n    Bjarne Holm\n- **Notes:**\n- Likes tea\n", ["Bjarne Holm"]),
        ("Name: Bjarne\n", ["Bjarne"]),
        ("- **Name:** 小海 (Marlin)\n", ["小海", "Marlin"]),
        ("- **姓名**：陈海\n- **称呼**：老陈\n", ["陈海", "老陈"]),
        ("- **名前:** ミナト\n", ["ミナト"]),
        ("- **नाम:** सीमा\n", ["सीमा"]),
        ("- **Name:** Marlin — a fish of few words\n", ["Marlin"]),
        ("- **Name:** Bjarne. Friends say Bo\n", ["Bjarne"]),
        ("- **Name:** Ann van Dijk\n", ["Ann van Dijk"]),
        ("- **Name:** Bjarne | **Home:** Oslo | **TZ:** Europe/Oslo\n", ["Bjarne"]),
        ("- **Полное имя:** Рольф Берг\n- **Как обращаться:** Рольф\n", ["Рольф Берг", "Рольф"]),
        ("- **Name:** _(what should they be called?)_\n- **Avatar:** x.png\n", []),
        ("- **Name:**\n- **Creature:** owl\n", []),
        ("- **Call me:** Bo or Bjarne\n", ["Bo", "Bjarne"]),
        ("- **Kaldes:** Bo eller Bjarne\n", ["Bo", "Bjarne"]),
        ("- **称呼**：老陈 或 陈海\n", ["老陈", "陈海"]),
        ("- **稱呼**：老陳或者陳海\n", ["老陳", "陳海"]),
        ("- **呼び方:** ミナトまたはミナ\n", ["ミナト", "ミナ"]),
        ("- **पुकार नाम:** सीमा या गीता\n", ["सीमा", "गीता"]),
        ("- **Обращение:** Рольф или Роман\n", ["Рольф", "Роман"]),
        ("- **Call me:** Bo or whatever you like\n", ["Bo"]),
        ("- **Name:** Igor Orlov\n", ["Igor Orlov"]),
        ("- **店铺**：或许咖啡\n- **名字**：或许\n", ["或许"]),
        ("- **Wife:** Nele, paints boats. Likes Vienna\n- Dog: Rex\n- Cat: none\n", ["Nele", "Rex"]),
        ("- 老婆：林望舒，护士，在非洲\n", ["林望舒"]),
        ("- 愛犬: みなと（柴犬）\n", ["みなと"]),
        ("# USER.md - About Your Human\n\n_Learn about the person._\n", []),
    ],
)
def test_a_name_is_what_its_label_introduces(text: str, expected: list[str]) -> None:
    assert [name for _, name in introduced("USER.md", parse("USER.md", text).lines)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## Users\n\n### Ebbe Holm\n\n- **Role:** mends nets\n", []),
        ("- **Wife:** Nele\n- **Name:** Bjarne Holm\n", ["Bjarne Holm"]),
        ("- **妻子**：林望舒\n", []),
        ("- **Имя:**\n  Рольф Берг\n\n## Семья\n\n- **Вера Берг**: чинит сети\n", ["Рольф Берг"]),
    ],
)
def test_those_close_to_the_owner_or_listed_are_not_the_owner(text: str, expected: list[str]) -> None:
    assert [*own_names(parse("USER.md", text).lines)] == expected


def test_only_the_files_of_owner_and_agent_introduce() -> None:
    assert introduces("USER.md") and introduces("identity.md")
    assert not introduces("memory/USER.md") and not introduces("TOOLS.md")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My sister moved out", True),
        ("User profile: born in May", True),
        ("老妈住在医院", True),
        ("ユーザーは京都で生まれた", True),
        ("मेरी बहन रीबे में रहती है", True),
        ("Бабушка переехала", True),
        ("大丈夫です", False),
        ("The film starts at 0:35", False),
        ("A personal motherboard", False),
    ],
)
def test_a_line_about_a_relative_or_the_owner_speaks_of_somebody(text: str, *, told: bool) -> None:
    assert speaks_of_somebody(text) == told


def test_a_relative_is_somebody_else_than_the_owner() -> None:
    assert speaks_of_a_relative("Sister") and speaks_of_a_relative("儿子求职信息")
    assert not speaks_of_a_relative("USER.md - About your human")


def test_a_label_may_give_a_name() -> None:
    assert names_somebody("**Called:** Rolf") and names_somebody("名前：リン")
    assert not names_somebody("**Role:** deckhand of Rolf")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('Call the owner "Rolf" in public', "Rolf"),
        ("Kald ejeren “Rolf”", "Rolf"),
        ("公开场合称呼用户为“老林”", "老林"),
        ("ユーザーは「ミナト」と呼ぶ", "ミナト"),
        ('Называй владельца "Рольф"', "Рольф"),
        ('Call the harbour "Rolf"', ""),
        ('The owner likes "Rolf" songs', ""),
        ('Call the owner "Rolf" or "Bo"', ""),
    ],
)
def test_a_core_file_may_say_how_to_call_the_owner(text: str, name: str) -> None:
    assert called(text) == name
    found = introduced("MEMORY.md", parse("MEMORY.md", f"# Core\n\n- {text}\n").lines)
    assert [each for _, each in found] == [name] * bool(name)


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "MEMORY.md",
            "# Memory\n\n## Key people\n\n- **Ebbe Holm**: mends nets\n- Mona — the baker\n",
            ["Ebbe Holm", "Mona"],
        ),
        ("MEMORY.md", "## People\n\n### Ebbe Holm (since May)\n\n- **Email**: e@example.org\n", ["Ebbe Holm"]),
        ("MEMORY.md", "## Проекты\n\n- **Маяк** - сайт порта\n- **Работа**: много\n", ["Маяк", "Работа"]),
        ("MEMORY.md", "## 项目\n\n- **保存先**: here\n- **Tide Relay**: a site\n", ["Tide Relay"]),
        ("MEMORY.md", "## Projects\n\n- Rewrite Parser: done\n- **Tide Relay**: a site\n", ["Tide Relay"]),
        ("MEMORY.md", "## Team\n\n- Ebbe, Mona: both sail\n", ["Ebbe", "Mona"]),
        ("MEMORY.md", "## Three clients (2026)\n\n1. **Holm Sail** (e@example.org)\n   - Paid\n", ["Holm Sail"]),
        ("MEMORY.md", "## Projects\n\n- **Tide Relay**\n  - a site\n- Rewrite Parser\n", ["Tide Relay"]),
        ("MEMORY.md", "## Team\n\n- Ebbe (nets)\n- Ask Mona\n- **Mona**\n", ["Ebbe", "Mona"]),
        ("MEMORY.md", "## Stack\n\n- **Ebbe Holm**: mends nets\n", []),
        ("USER.md", "## Authorized Users (of the boat)\n\n### Ebbe Holm\n\n- **Role:** mends nets\n", ["Ebbe Holm"]),
        ("USER.md", "## Husstand\n\n- **Ebbe Holm**: bøder garn\n", ["Ebbe Holm"]),
        ("USER.md", "## Участники\n\n- **Рольф Берг**: чинит сети\n", ["Рольф Берг"]),
        ("USER.md", "## 家族成员\n\n- **何晓月**：修网\n", ["何晓月"]),
        ("USER.md", "## メンバー\n\n- **千夏**：網を直す\n", ["千夏"]),
        ("USER.md", "## सदस्य\n\n- **सीमा राव**: जाल\n", ["सीमा राव"]),
        ("USER.md", "## 用户\n\n- **时区**：上海\n- **语言**：中文\n", []),
        ("USER.md", "# About Your Human\n\n## Context\n\n- **Tide Relay**: a site\n", []),
        (
            "MEMORY.md",
            "## Projects\n\n**Tide Relay**: a site\n**Kitewatch** (old): an app\n",
            ["Tide Relay", "Kitewatch"],
        ),
        ("MEMORY.md", "## Проекты\n\n**Маячок** — сайт порта\n", ["Маячок"]),
        ("MEMORY.md", "## Projects\n\nTide Relay: a site\n", []),
        ("MEMORY.md", "## Team\n\nEbbe: mends nets\n", []),
        ("MEMORY.md", "## 🧭 Projects\n\n### 🌊 Tide Relay (May)\n\n- a site\n", ["Tide Relay"]),
        ("memory/projects.md", "# All that goes on, in short\n\n## 🌊 Tide Relay (May)\n\n### Next\n", ["Tide Relay"]),
        ("memory/people.md", "# Notes\n\n## Ebbe Holm\n\n- mends nets\n\n## Open Questions\n", ["Ebbe Holm"]),
        ("memory/kontakter.md", "# Kontakter\n\n- **Ebbe Holm**: bøder garn\n", ["Ebbe Holm"]),
        ("memory/проекты.md", "# Всё\n\n## Маячок\n\n- сайт порта\n", ["Маячок"]),
        ("memory/项目.md", "# 总览\n\n## Tide Relay\n\n- 网站\n", ["Tide Relay"]),
        ("memory/ideas.md", "# Ideas\n\n## Tide Relay\n\n- a site\n", []),
        ("memory/2026-05-01.md", "## People\n\n- **Ebbe Holm**: came by\n", []),
        ("memory/people/ebbe.md", "# Ebbe Holm\n\n- mends nets\n", ["Ebbe Holm"]),
        ("memory/people/ebbe.md", "---\ntags: x\n---\n# Ebbe Holm\n\n- mends nets\n", ["Ebbe Holm"]),
        ("memory/people/Ebbe Holm.md", "- mends nets\n", ["Ebbe Holm"]),
        ("memory/people/ebbe.md", "# Ebbe Holm's profile\n\n- mends nets\n", ["Ebbe Holm"]),
        ("memory/people/ebbe.md", "# Ebbe Holm – profil\n\n- bøder garn\n", ["Ebbe Holm"]),
        ("memory/people/hemin.md", "# 何敏档案\n\n- 修网\n", ["何敏"]),
        ("memory/people/mina.md", "# ミナのプロフィール\n\n- 網を直す\n", ["ミナ"]),
        ("memory/people/mira.md", "# मीरा परिचय\n\n- जाल ठीक करती है\n", ["मीरा"]),
        ("memory/people/vera.md", "# Вера — профиль\n\n- чинит сети\n", ["Вера"]),
        ("memory/projects/tide-relay.md", "# Project: Tide Relay\n\n- a site\n", ["Tide Relay"]),
        ("memory/projects/tide-relay.md", "# How To Sail Tide Relay\n\n- a site\n", []),
        ("memory/topics/tide.md", "# Tide Relay\n\n- a site\n", []),
    ],
)
def test_a_list_of_people_or_projects_introduces_its_items(path: str, text: str, expected: list[str]) -> None:
    assert [name for _, name in introduced(path, parse(path, text).lines)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- **Name:** Bjarne Holm\n- **What to call them:** Bjarne\n", ("Bjarne Holm", "Bjarne")),
        ("- **Name:** Bjarne Holm, Oslo\n- **Call him:** Bo, or else\n", ("Bjarne Holm", "Bo")),
        ("| Item | Value |\n|---|---|\n| Name | Bjarne Holm |\n| Call him | Bo |\n", ("Bjarne Holm", "Bo")),
        ("| Name | Role |\n|---|---|\n| Bjarne | cook |\n", ()),
        ("- **Fulde navn:** Bjarne Holm\n- **Kaldenavn:** Bo\n", ("Bjarne Holm", "Bo")),
        ("- **姓名**：陈海\n- **称呼**：老陈\n", ("陈海", "老陈")),
        ("- **本名:** ミナト\n- **愛称:** ミナ\n", ("ミナト", "ミナ")),
        ("- **पूरा नाम:** सीमा राव\n- **पुकार नाम:** सीमा\n", ("सीमा राव", "सीमा")),
        ("- **Имя:** Рольф Берг\n- **Как обращаться:** Рольф\n", ("Рольф Берг", "Рольф")),
        ("- **Name:** Bjarne · **TZ:** Europe/Oslo\n", ("Bjarne",)),
        ("- Name: Bjarne Holm / NordTide\n- Call me: [GitHub](https://x.example/b)\n", ("Bjarne Holm",)),
        ("- **Name:** Bjarne Holm\n- **Work:** boats\n- **Name:** Anna Holm\n", ("Bjarne Holm",)),
        ("- **Name:** Marlin\n- **Owner:** Bjarne Holm\n", ("Marlin",)),
        ("## Me\n- Name: Bjarne\n## My son\n- Name: Nils\n", ("Bjarne",)),
        ("- **Name:**\n- **What to call them:**\n", ()),
        ("- **Name:**\n  Bjarne Holm\n- **What to call them:**\n  Bo\n", ("Bjarne Holm", "Bo")),
        ("- **姓名**：\n  陈海\n- **称呼**：\n  老陈\n", ("陈海", "老陈")),
        ("- **Name:**\n  Bjarne Holm\n  Kiel, Germany\n- **Call him:** Bo\n", ("Bjarne Holm", "Bo")),
        ("- **Name:** Bjarne Holm\n  - Boats: Tern\n- **Call him:** Bo\n", ("Bjarne Holm", "Bo")),
        ("- **Name:** Bjarne Holm\n- **Boats:**\n  Tern\n- **Call him:** Bo\n", ("Bjarne Holm", "Bo")),
        ("- **Name:** Bjarne Holm\n- **Call him:** Bo or Skip\n", ("Bjarne Holm", "Bo")),
        ("- **名前:** ミナト\n- **呼び方:** あなた、または君\n", ("ミナト",)),
        ("- **Name:** 小海 (Marlin)\n", ("小海",)),
        ("- **姓名**：王伟，Kiel\n- **称呼**：老王\n", ("王伟", "老王")),
    ],
)
def test_a_file_introduces_one_person_by_several_names(text: str, expected: tuple[str, ...]) -> None:
    assert names_of_one(lines(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- **Name:** 小海 (Marlin)\n", ("小海", "Marlin")),
        ("- **名字**: 小海 / Marlin / a fish\n", ("小海", "Marlin")),
        ("- 姓名：王伟 (Wei Wang)\n", ("王伟", "Wei Wang")),
        ("- 姓名：王偉（Wei Wang）\n", ("王偉", "Wei Wang")),
        ("- Navn: Bjarne Holm (ビャーネ)\n", ("Bjarne Holm", "ビャーネ")),
        ("- **氏名：** 千夏（Chinatsu）\n", ("千夏", "Chinatsu")),
        ("- नाम: सीमा राव (Seema Rao)\n", ("सीमा राव", "Seema Rao")),
        ("- Имя: Рольф Берг (Rolf Berg), Киль\n", ("Рольф Берг", "Rolf Berg")),
        ("- 姓名：王伟，Kiel\n", ()),
        ("- 姓名：王伟、Kiel\n", ()),
        ("- 姓名：王伟；Kvikmar\n", ()),
        ("- 姓名：王偉 — Kvikmar\n", ()),
        ("- 姓名：王伟 (Kiel, since May)\n", ()),
        ("- 姓名：王伟，船员 (Kvikmar)\n", ()),
        ("- Name: 李明 - Kvikmar\n", ()),
        ("- Name: Marlin (Harwich)\n", ()),
        ("- Navn: Bjarne Holm, 京都\n", ()),
        ("- 氏名：千夏、Kvikmar\n", ()),
        ("- नाम: सीमा राव, Kiel\n", ()),
        ("- Имя: Рольф Берг; Kvikmar\n", ()),
        ("- Имя: Рольф Берг (Киль)\n", ()),
        ("- Arbejde: 京都 (Kvikmar)\n", ()),
    ],
)
def test_a_name_in_another_script_beside_one_may_be_of_the_same(text: str, expected: tuple[str, str]) -> None:
    assert names_beside(lines(text)) == ((expected,) if expected else ())


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "MEMORY.md",
            "## Key people\n\n- **Ebbe Holm**: mends nets\n  - since May\n- Mona — the baker\n",
            ["Ebbe Holm", "Mona"],
        ),
        ("MEMORY.md", "## Personer\n\n### Ebbe Holm\n\n- bøder garn\n", ["Ebbe Holm"]),
        ("MEMORY.md", "## 同事\n\n- 何晓月：修网\n", ["何晓月"]),
        ("MEMORY.md", "## 友人\n\n- 千夏（網を直す）\n", ["千夏"]),
        ("MEMORY.md", "## परिवार\n\n- सीमा राव: जाल\n", ["सीमा राव"]),
        ("USER.md", "## Друзья\n\n- Рольф Берг — чинит сети\n", ["Рольф Берг"]),
        ("memory/people/ebbe-holm.md", "# Notes\n\n- mends nets\n", ["ebbe-holm"]),
        ("MEMORY.md", "## Projects\n\n- **Tide Relay**: a site\n", []),
        ("MEMORY.md", "## 项目\n\n- **Tide Relay**：网站\n", []),
        ("memory/projects/tide-relay.md", "# Tide Relay\n\n- a site\n", []),
        ("memory/2026-05-01.md", "## People\n\n- **Ebbe Holm**: came by\n", []),
    ],
)
def test_people_are_told_from_what_else_is_listed(path: str, text: str, expected: list[str]) -> None:
    found = {*listed_names(path, lines(text))}
    assert sorted(name for name, somebody in found if somebody) == sorted(expected)


@pytest.mark.parametrize(
    "heading",
    ["Project Index", "Projects list", "项目列表", "当前项目", "项目索引", "プロジェクト一覧", "परियोजनाएँ सूची"],
)
def test_a_heading_may_say_that_a_list_stands_below_it(heading: str) -> None:
    assert lists_entities(heading)
    text = f"## {heading}\n\n### 灯笼 (Chartbook)\n\n- 用途：海图\n"
    assert {*listed_names("MEMORY.md", lines(text))} == {("灯笼", False), ("Chartbook", False)}


@pytest.mark.parametrize("heading", ["Price list", "索引", "项目风险", "Checklist", "新项目：灯笼"])
def test_other_headings_list_nobody(heading: str) -> None:
    assert not lists_entities(heading)


def test_what_is_listed_as_a_project_is_nobody() -> None:
    text = "## Projects\n\n- **Tide Relay**: a site\n\n## 项目\n\n- **灯笼**：网站\n"
    assert {*listed_names("MEMORY.md", lines(text))} == {("Tide Relay", False), ("灯笼", False)}
    assert {*listed_names("memory/projects/tide-relay.md", [])} == {("tide-relay", False)}


@pytest.mark.parametrize(
    ("path", "title", "expected"),
    [
        ("memory/project-tide-relay.md", "Tide Relay", ("Tide Relay", "tide-relay")),
        ("memory/project-tern.md", "Project: Ternwatch (the new one)", ("Ternwatch", "tern")),
        ("memory/projekt-ternen.md", "Ternen", ("Ternen", "ternen")),
        ("memory/проект-крачка.md", "Крачка", ("Крачка", "крачка")),
        ("memory/项目-鹭洲观潮.md", "鹭洲观潮", ("鹭洲观潮",)),
        ("memory/project-shiomi-app.md", "予約管理アプリ（紙の代わり）", ("予約管理アプリ", "shiomi-app")),
        ("memory/project-shiomi-app.md", "最終更新", ("shiomi-app",)),
        ("memory/project-tern.md", "Status and Next Steps", ("tern",)),
        ("memory/परियोजना-लहर.md", "लहर", ("लहर",)),
        ("memory/project-status.md", "Ternwatch", ()),
        ("memory/project-notes-2026.md", "Ternwatch", ()),
        ("memory/projects.md", "Ternwatch", ()),
        ("memory/projection-tern.md", "Ternwatch", ()),
        ("memory/tern-project.md", "Ternwatch", ()),
        ("memory/项目-总结.md", "项目总结", ()),
        ("memory/專案-進展.md", "本週進展", ()),
        ("memory/プロジェクト-一覧.md", "一覧", ()),
    ],
)
def test_a_note_of_a_project_has_its_name_in_its_title_and_in_that_of_its_file(
    path: str, title: str, expected: tuple[str, ...]
) -> None:
    assert names_of_note(path, [title]) == expected
    assert [name for _, name in introduced(path, parse(path, f"# {title}\n\n- The tide is late\n").lines)] == [
        *expected
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- 昨日からゲーム「岬のともしび号」を作っている", ["岬のともしび号"]),
        ("- 视频号“鹭洲观潮2031”，粉丝3人", ["鹭洲观潮2031"]),
        ("- 視頻號「鷺洲觀潮」開了", ["鷺洲觀潮"]),
        ("- アプリ「設定」を開く", []),
        ("- アプリ「新機能」を試す", []),
        ("- 平台“新功能”上线", []),
        ("- ボタン「岬のともしび号」を押す", []),
        ("- ゲームの「岬のともしび号」という場面", []),
        ('- 平台"变成"广场', []),
        ("- アプリ「Tern」を開く", []),
        ("```\nゲーム「岬のともしび号」\n```", []),
    ],
)
def test_a_work_is_named_in_quotation_marks_behind_the_word_for_it(text: str, expected: list[str]) -> None:
    assert [
        name for _, name in introduced("memory/2026-03-01.md", parse("memory/2026-03-01.md", text).lines)
    ] == expected


def test_a_work_of_which_an_outsider_tells_is_not_introduced() -> None:
    text = "- ゲーム「岬のともしび号」を作っている <!-- cp: src=mail -->"
    assert not [*introduced("memory/2026-03-01.md", parse("memory/2026-03-01.md", text).lines)]


@pytest.mark.parametrize(
    ("text", "name", "other"),
    [
        ("- Nicknames: Vibeke (at work), Vibs (at home)", "Vibeke", "Vibs"),
        ("- **Kaldenavn:** Vibeke, Vibsen", "Vibeke", "Vibsen"),
        ("- Call her: Vibeke or Vibs", "Vibeke", "Vibs"),
        ("- 呼び方: 岸辺様（仕事）、きしぴー（家）", "岸辺さん", "きしぴー"),
        ("- 昵称：岸海（工作）、小海豹（家里）", "岸海", "小海豹"),
        ("- 稱呼：岸海、小海豹", "岸海", "小海豹"),
        ("- पुकार नाम: लहरी (काम पर), लहू (घर पर)", "लहरी", "लहू"),
        ("- Прозвище: Вибека, Вибка", "Вибека", "Вибка"),
        ("## 岸辺さん\n- 呼び方: きしぴー", "岸辺さん", "きしぴー"),
        ("## Vibeke\n- **Nickname:** Vibs", "Vibeke", "Vibs"),
    ],
)
def test_a_line_may_say_by_which_other_name_somebody_is_called(text: str, name: str, other: str) -> None:
    assert also_called(lines(text)[-1], [name]) == (name, other)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("- Attendees: Vibeke, Vibs", "Vibeke"),
        ("- Names: Vibeke, Vibs", "Vibeke"),
        ("- Nicknames: Torben, Vibs", "Vibeke"),
        ("- Nicknames: Peter, Maria", "Peter"),
        ("- Nicknames: Vibeke, Vibs, Tobs", "Vibeke"),
        ("- Nickname: Vibs", "Vibeke"),
        ("- Nickname: Vibeke", "Vibeke"),
        ("## The dog of Vibeke\n- Nickname: Rags", "Vibeke"),
        ("- 呼び方: 岸辺様、浜崎さん", "岸辺さん"),
        ("- 参加者: 岸辺さん、きしぴー", "岸辺さん"),
        ("- 参会：岸海、小海豹", "岸海"),
        ("- Участники: Вибека, Вибка", "Вибека"),
        ("- Kaldes: Vibeke, dansk", "Vibeke"),
        ("- Preferred name: Vibeke, UTC+1", "Vibeke"),
        ("- Как называть: Вибека, по-русски", "Вибека"),
        ("- 称呼：岸海，用中文", "岸海"),
        ("- 稱呼：岸海，繁體中文", "岸海"),
        ("- 称呼：岸海、老板", "岸海"),
        ("- 呼び方: 岸辺さん、敬語なし", "岸辺さん"),
        ("- 呼び方: 岸辺様、日本語", "岸辺さん"),
    ],
)
def test_who_may_be_somebody_else_is_no_other_name(text: str, name: str) -> None:
    assert also_called(lines(text)[-1], [name]) == ("", "")


def lines(text: str) -> list[Line]:
    parsed = parse("USER.md", text).lines
    return [
        Line(line.text, (), Citation("USER.md", at), None, context=context(parsed, line.parent))
        for at, line in enumerate(parsed)
    ]


def context(lines: Sequence[ParsedLine], parent: int) -> tuple[str, ...]:
    return () if parent < 0 else (*context(lines, lines[parent].parent), lines[parent].text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# USER.md — Bjarne Holm\n\n- Likes tea\n", "Bjarne Holm"),
        ("# About Bjarne Holm\n\nLives in Oslo.\n", "Bjarne Holm"),
        ("# USER.md — Bjarne's Profile\n\n**Location:** Oslo\n", "Bjarne"),
        ("# USER.md - Minato (ミナト)\n\n**Timezone:** Tokyo\n", "Minato"),
        ("# 船長 AI — 關係\n\n> v1\n", ""),
        ("# USER.md\n\n## Bjarne Holm\n", "Bjarne Holm"),
        ("# USER.md\n\nBjarne Holm is a baker. He lives in Oslo.\n", "Bjarne Holm"),
        ("# User\n\nYou are helping Bjarne Holm, a baker.\n", "Bjarne Holm"),
        ("# User profile\n\nI'm Bjarne, a baker in Oslo.\n", "Bjarne"),
        ("# Bruger\n\nJeg hedder Bjarne Holm og bor i Oslo.\n", "Bjarne Holm"),
        ("# 用户\n\n用户叫何敏，住在成都。\n", "何敏"),
        ("# USER.md\n\nユーザーの名前は田中美和です。\n", "田中美和"),
        ("# USER.md\n\nमेरा नाम सीमा है\n", "सीमा"),
        ("# USER.md\n\nПользователя зовут Анна Орлова.\n", "Анна Орлова"),
        ("# USER.md - About Your Human\n\n*Learn about the person you are helping.*\n", ""),
        ("# About me\n\nI am Norwegian and live in Oslo.\n", ""),
        ("# USER.md\n\nClaude Code is used here.\n", ""),
        ("# 用户\n\n用户是程序员\n", ""),
        ("# User\n\n- **Name:** Bo\n- Bjarne Holm is a friend\n", "Bo"),
    ],
)
def test_prose_says_who_the_owner_is_where_no_label_does(text: str, expected: str) -> None:
    found = [name for _, name in introduced("USER.md", parse("USER.md", text).lines)]
    assert found == ([expected] if expected else [])
