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


OTHERS = """# USER.md

- **Name:** Maja Lund
- **What to call them:** Maja
- **Partner:** Rolf, lives in Odense
- **Notes:** never call before nine
- Anna lives in Rome
- Never push to main.
- Use tabs.

## Company

- **Address:** Havnegade 2, Aarhus
- **Location:** Aarhus

## Context

- Anna lives in Rome
- Always answer in Danish.
- Her sister works in Ribe.
- **City:** Rome
"""


def test_what_is_about_others_in_the_file_about_the_owner_is_not_about_the_owner(workspace: Write) -> None:
    files = {"USER.md": OTHERS, "memory/2026-03-10.md": "# 2026-03-10\n\n- Maja bought a drill.\n"}
    for question in ("where does Maja live?", "who is Maja?"):
        for each in asked(workspace, question, files).hits:
            for hit in (each, *each.beside):
                about = any(why in ("says where", "about maja") for why in hit.why)
                assert not about or hit.line.content.endswith(("Maja Lund", "** Maja")), hit


RULES = {
    "en": "Never push to main (maja {}).",
    "bare": "Use tabs in file {}.",
    "da": "Skriv aldrig til kunde {}.",
    "zh": "不要推送分支 {}。",
    "ja": "ブランチ{}に直接プッシュしないこと。",
    "hi": "शाखा {} पर कभी सीधे न भेजें।",
    "ru": "Никогда не пиши клиенту {}.",
}


@pytest.mark.parametrize("language", RULES)
@pytest.mark.parametrize("heading", ["", "## Rules\n\n", "## Work style\n\n"])
def test_rules_do_not_hide_who_the_owner_is(workspace: Write, language: str, heading: str) -> None:
    rules = "".join(f"- {RULES[language].format(number)}\n" for number in range(30))
    user = (
        f"# USER.md\n\n- **Name:** Maja Lund\n- **What to call them:** Maja\n- **Location:** Vejle\n\n{heading}{rules}"
    )
    log = "# 2026-03-10\n\n- Maja is a nurse.\n\n- Rolf was here.\n"
    hits = asked(workspace, "who is Maja?", {"USER.md": user, "memory/2026-03-10.md": log}).hits
    first = "\n".join(hit.line.content for hit in hits[:3])
    assert "**Name:** Maja Lund" in first
    assert "Maja is a nurse." in first


@pytest.mark.parametrize(
    "page",
    [
        "bank/entities/Anna.md|# Anna\n\n- knows [[Marit]]\n- {home}\n",
        "bank/entities/{name}.md|# {name}\n\n### Employer\n\n- {home}\n",
        "bank/entities/{name}.md|# {name}\n\n### Server\n\n- {home}\n",
        "MEMORY.md|# M\n\n## Lunch with {name}\n\n- {home}\n",
        "MEMORY.md|# M\n\n## Meeting with {name}\n\n- {home}\n",
        "MEMORY.md|# M\n\n## {name}\n\n### Employer\n\n- {home}\n",
        "MEMORY.md|# M\n\n- [[{name}]] came.\n- {home}\n",
        "MEMORY.md|# M\n\n## Anna\n\n- knows {name}\n- {home}\n",
    ],
)
@pytest.mark.parametrize("case", sorted(LINES.keys() - {"en-words", "zh"}))
def test_what_says_where_elsewhere_is_about_nobody(workspace: Write, case: str, page: str) -> None:
    question, name, home, _ = LINES[case]
    home = home.replace("居住地", "住所")
    path, _, text = page.format(name=name, home=home).partition("|")
    log = f"# 2026-03-10\n\n- [[{name}]] 1, 2, 3.\n\n- [[{name}]] 4, 5.\n"
    for each in asked(workspace, question, {path: text, "memory/2026-03-10.md": log}).hits:
        for hit in (each, *each.beside):
            assert hit.line.content != home or "says where" not in hit.why


@pytest.mark.parametrize(
    "line",
    [
        "[ ] Address: send it to Marit",
        "Address: 10.0.0.7",
        "Address: https://marit.example",
        "Address: marit@example.org",
        "Address: 0x12ab",
        "Location: /srv/db.sqlite",
        "Location:",
    ],
)
@pytest.mark.parametrize("page", ["bank/entities/Marit.md|# Marit\n\n- {}\n", "MEMORY.md|# M\n\n## Marit\n\n- {}\n"])
def test_addresses_of_machines_and_tasks_are_no_homes(workspace: Write, line: str, page: str) -> None:
    path, _, text = page.format(line).partition("|")
    log = "# 2026-03-10\n\n- [[Marit]] 1, 2, 3.\n"
    for each in asked(workspace, "where does Marit live?", {path: text, "memory/2026-03-10.md": log}).hits:
        assert all("says where" not in hit.why for hit in (each, *each.beside))


LISTED = {
    "en": ("who is Marit?", "where does Marit live?", "Marit Holm", "Team", "Role: welder", "Location: Molde", "Marit"),
    "da": ("hvem er Marit?", "hvor bor Marit?", "Marit Holm", "Kolleger", "Rolle: svejser", "Bopæl: Molde", "Marit"),
    "zh": ("何晓月是谁？", "何晓月住在哪里？", "何晓月", "同事", "职业：焊工", "所在地：青岛", "何晓月"),
    "ja": ("美咲は誰？", "美咲はどこに住んでいますか", "美咲", "友人", "職業：溶接工", "居住地：函館", "美咲"),
    "hi": ("मीरा कौन है?", "मीरा कहाँ रहती है?", "मीरा राव", "टीम", "काम: वेल्डर", "शहर: कोच्चि", "मीरा"),
    "ru": ("кто такая Марта?", "где живёт Марта?", "Марта Берг", "Команда", "Работа: сварщица", "Город: Кемь", "Марта"),
}


def listed(case: str) -> dict[str, str]:
    """USER.md with an owner and two people in a list, and a log full of the first one's name."""
    _, _, name, heading, role, home, short = LISTED[case]
    user = (
        "# USER.md\n\n- **Name:** Bo Kvik\n- **Role:** baker\n- **Location:** Vejle\n\n"
        f"## {heading}\n\n### {name}\n\n- **E-mail:** m@example.org\n- {role}\n- {home}\n- [[{short}]]: ok\n\n"
        "### Ola Lie\n\n- **Role:** diver\n- **Location:** Bodø\n"
    )
    log = "".join(f"- [[{short}]] 1{number}:00.\n\n" for number in range(10))
    return {"USER.md": user, "memory/2026-03-10.md": f"# 2026-03-10\n\n{log}"}


@pytest.mark.parametrize("case", LISTED)
def test_who_is_listed_in_the_file_about_the_owner_is_told_there(workspace: Write, case: str) -> None:
    who, where, _, _, role, home, _ = LISTED[case]
    told = "\n".join(hit.line.content for hit in asked(workspace, who, listed(case)).hits[:3])
    assert role in told and home in told
    assert not any(other in told for other in ("baker", "diver", "Vejle", "Bodø"))
    assert home in asked(workspace, where, listed(case)).hits[0].line.content


def test_what_is_told_of_the_listed_is_not_about_the_owner_or_each_other(workspace: Write) -> None:
    for question, right in (("who is Bo Kvik?", "baker"), ("who is Ola Lie?", "diver"), ("who is Marit?", "welder")):
        told = "\n".join(hit.line.content for hit in asked(workspace, question, listed("en")).hits)
        assert [each for each in ("baker", "diver", "welder") if each in told] == [right]


OWNERS = {
    "en": ("where do I live?", "What do I do for a living?", "What is Maja's job?", "Name", "Location", "Job", "Maja"),
    "da": ("Hvor bor jeg?", "Hvad er mit job?", "Hvad arbejder Maja med?", "Navn", "Bopæl", "Job", "Maja"),
    "zh": ("我住在哪里？", "我做什么工作？", "小梅做什么工作？", "姓名", "地点", "职业", "小梅"),
    "zh, at home": ("我家住在哪里？", "我做什么工作？", "小梅是谁？", "姓名", "地点", "职业", "小梅"),
    "zh-Hant": ("我住在哪裡？", "我做什麼工作？", "小梅做什麼工作？", "姓名", "地點", "職業", "小梅"),
    "ja": (
        "私はどこに住んでいますか？",
        "僕は何の仕事をしていますか？",
        "美咲の職業は？",
        "名前",
        "場所",
        "職業",
        "美咲",
    ),
    "hi": ("मैं कहाँ रहता हूँ?", "मैं क्या काम करता हूँ?", "मीरा क्या काम करती है?", "नाम", "शहर", "काम", "मीरा"),
    "ru": ("Где я живу?", "Кем я работаю?", "Кем работает Марта?", "Имя", "Город", "Работа", "Марта"),
    "ru, in two clauses": (
        "Где я живу?",
        "Кем я работаю?",
        "Кто такая Марта, чем она занимается?",
        "Имя",
        "Город",
        "Работа",
        "Марта",
    ),
}


@pytest.mark.parametrize("case", OWNERS)
def test_who_asks_of_themselves_is_the_owner(workspace: Write, case: str) -> None:
    where, job, job_of_somebody, *labels, name = OWNERS[case]
    values = (name, "Vejle 1", "Smed 2")
    told = "".join(f"- **{label}:** {value}\n" for label, value in zip(labels, values, strict=True))
    files = {"USER.md": f"# USER.md\n\n{told}", "memory/2026-03-10.md": "# 2026-03-10\n\n- 4, 5, 6.\n"}
    assert "Vejle 1" in asked(workspace, where, files).hits[0].line.content
    for question in (job, job_of_somebody):
        assert "Smed 2" in "\n".join(hit.line.content for hit in asked(workspace, question, files).hits)


@pytest.mark.parametrize(
    "question",
    [
        "where does my sister live?",
        "where do you live?",
        "what is my backup job?",
        "what is MIT?",
        "who is Min?",
        "hvor bor min søster?",
        "我妹妹住在哪里？",
        "私の妹はどこに住んでいますか？",
        "मेरी बहन कहाँ रहती है?",
        "где живёт моя сестра?",
    ],
)
def test_who_asks_of_another_is_not_the_owner(workspace: Write, question: str) -> None:
    found = asked(workspace, question, {"USER.md": TEMPLATE})
    assert not any("Vejle" in hit.line.content for hit in found.hits)


@pytest.mark.parametrize(
    "question",
    [
        "where did I stay last week?",
        "where did I live in 2019?",
        "hvor boede jeg i 2019?",
        "hvad arbejder jeg på?",
        "我今天做什么工作？",
        "我今天做什麼工作？",
        "僕は今日どんな仕事をしていますか？",
        "मैं आज क्या काम करता हूँ?",
        "чем я занимаюсь сегодня?",
    ],
)
def test_what_somebody_did_on_a_day_is_not_who_they_are(workspace: Write, question: str) -> None:
    assert not asked(workspace, question, {"USER.md": TEMPLATE}).hits


@pytest.mark.parametrize(
    "label",
    [
        "Current Location",
        "Nuværende bopæl",
        "现居地",
        "現居地",
        "現住所",
        "वर्तमान स्थान",
        "Текущее местоположение",
    ],
)
def test_where_somebody_lives_now_is_their_home(workspace: Write, label: str) -> None:
    user = TEMPLATE.replace("Location", label)
    files = {"USER.md": user, "memory/2026-03-10.md": "# 2026-03-10\n\n- Maja: we go live soon.\n"}
    assert any("Vejle" in hit.line.content for hit in asked(workspace, "where do I live?", files).hits)


def test_who_asks_of_themselves_where_nobody_is_introduced_gets_no_other(workspace: Write) -> None:
    files = {"USER.md": "# USER.md\n\n- **Name:**\n\n## Team\n\n### Marit Holm\n\n- **Location:** Molde\n"}
    assert not asked(workspace, "where do I live?", files).hits


NESTED = """# USER.md - About Your Human

- **Name:** {name}
- **{notes}:**
  - {first}
  - {second}
  - Anna lives in Rome
  - Never push to main.
- **Family:**
  - Welder Ola
"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("who is Maja?", ("Maja", "Notes", "Head of the tide office", "Learns to weld")),
        ("hvem er Maja?", ("Maja", "Noter", "Leder af tidevandskontoret", "Lærer at svejse")),
        ("小梅是谁？", ("小梅", "备注", "潮汐办公室主任", "在学焊接")),
        ("小梅是誰？", ("小梅", "備註", "潮汐辦公室主任", "在學焊接")),
        ("美咲とは誰ですか", ("美咲", "メモ", "潮位室の室長", "溶接を習っている")),
        ("मीरा कौन है?", ("मीरा", "टिप्पणी", "ज्वार कार्यालय की प्रमुख", "वेल्डिंग सीख रही")),
        ("кто такая Марта?", ("Марта", "Заметки", "Начальница отдела приливов", "Учится сварке")),
    ],
)
def test_what_stands_below_a_label_beside_the_name_tells_of_the_owner(
    workspace: Write, question: str, told: tuple[str, ...]
) -> None:
    name, notes, first, second = told
    user = NESTED.format(name=name, notes=notes, first=first, second=second)
    found = asked(workspace, question, {"USER.md": user, "memory/2026-03-10.md": "# 2026-03-10\n\n- 4, 5, 6.\n"})
    said = "\n".join(hit.line.content for hit in found.hits)
    assert first in said and second in said
    assert not any(other in said for other in ("Anna", "Never", "Ola"))


AGENT = "# IDENTITY.md\n\n- **Name:** Tove\n- **Creature:** a lighthouse\n"
ABOUT = "# USER.md\n\n- **Name:** Maja Lund\n- **Location:** Vejle\n- **Job:** builds weather stations\n"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who am I?", "Maja Lund"),
        ("Who are you?", "Tove"),
        ("What do I do for a living?", "Maja Lund"),
        ("Hvem er jeg?", "Maja Lund"),
        ("Hvem er du?", "Tove"),
        ("我是谁？", "Maja Lund"),
        ("你是谁？", "Tove"),
        ("私は誰ですか", "Maja Lund"),
        ("あなたは誰ですか", "Tove"),
        ("मैं कौन हूँ?", "Maja Lund"),
        ("आप कौन हैं?", "Tove"),
        ("Кто я?", "Maja Lund"),
        ("Кто ты?", "Tove"),
    ],
)
def test_who_asks_and_who_is_asked(workspace: Write, question: str, name: str) -> None:
    files = {
        "USER.md": ABOUT,
        "IDENTITY.md": AGENT,
        "SOUL.md": "# SOUL.md\n\nYou learn who you are. Who am I? Du er du.\n",
        "memory/2026-03-10.md": "# 2026-03-10\n\n- Do you know who I am? Кто ты такой? 你是谁？\n",
    }
    assert f"**Name:** {name}" in asked(workspace, question, files).hits[0].line.content


def test_the_town_of_the_owner_may_be_known_by_its_name(workspace: Write) -> None:
    log = "# 2026-03-0{day}\n\n- Took the ferry to Vejle on day {day}.\n"
    days = {f"memory/2026-03-0{day}.md": log.format(day=day) for day in range(1, 6)}
    found = asked(workspace, "Where do I live?", {"USER.md": ABOUT, **days})
    assert "**Location:** Vejle" in found.hits[0].line.content


def test_asides_and_examples_do_not_introduce_the_owner(workspace: Write) -> None:
    more = "- *Renewed: 2026-03-01 02:11 UTC*\n\n**格式示例（正确）：**\n第一段在这里。\n\n**Example:** Maja sings\n"
    told = asked(workspace, "Who am I?", {"USER.md": f"{ABOUT}{more}"}).hits
    lines = "\n".join(each.line.content for hit in told for each in (hit, *hit.beside))
    assert "Vejle" in lines
    assert not any(text in lines for text in ("Renewed", "第一段", "sings"))


def test_the_home_of_an_owner_whom_many_lines_name_is_found(workspace: Write) -> None:
    tasks = "".join(f"- Maja asked for report {word}.\n\nThe rain.\n\n" for word in ("one", "two", "three", "four"))
    days = {f"memory/2026-03-{day:02}.md": f"# 2026-03-{day:02}\n\n{tasks}" for day in range(1, 12)}
    found = asked(workspace, "Where do I live?", {"USER.md": ABOUT.replace("Maja Lund", "Maja"), **days})
    assert "**Location:** Vejle" in found.hits[0].line.content


OWNER = "# USER.md\n\n- **Name:** Maja Lund\n- **Location:** Vejle\n\n## Preferences\n\n- Short answers\n"
KEPT = "# Memory\n\n## Preferences\n\n- Rye bread\n\n## Harbour\n\n- The crane is for sale.\n"


USED = (
    "# 2026-03-10\n\n- The user table is locked.\n- Zed, a user, locked the table.\n- The user of the crane is Zed.\n"
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("where does the user live?", "Vejle"),
        ("where does my human live?", "Vejle"),
        ("hvor bor brugeren?", "Vejle"),
        ("用户住在哪里？", "Vejle"),
        ("主人住在哪里？", "Vejle"),
        ("ユーザーはどこに住んでいますか？", "Vejle"),
        ("उपयोगकर्ता कहाँ रहता है?", "Vejle"),
        ("где живёт пользователь?", "Vejle"),
        ("which user locked the table?", "Zed"),
        ("who is the user of the crane?", "Zed"),
        ("user of the crane", "Zed"),
    ],
)
def test_an_agent_that_asks_of_the_user_and_no_more_means_the_owner(workspace: Write, question: str, told: str) -> None:
    found = asked(workspace, question, {"USER.md": OWNER, "MEMORY.md": KEPT, "memory/2026-03-10.md": USED})
    assert told in found.hits[0].line.content


@pytest.mark.parametrize(
    "question",
    [
        "what does the user prefer?",
        "the user's preferences",
        "what are my human's preferences?",
        "what does my owner like?",
        "用户喜欢什么？",
    ],
)
def test_what_the_user_prefers_is_what_the_owner_prefers(workspace: Write, question: str) -> None:
    log = "# 2026-03-10\n\n- The user table is locked.\n"
    found = asked(workspace, question, {"USER.md": OWNER, "MEMORY.md": KEPT, "memory/2026-03-10.md": log})
    told = [hit.line.content for hit in found.hits]
    assert {"Rye bread", "Short answers"} <= {*told}
    assert not any("table" in each or "crane" in each for each in told[:2])


def test_what_is_called_after_users_is_not_the_owners(workspace: Write) -> None:
    log = "# 2026-03-10\n\n- The user preferences page crashes.\n- 4, 5, 6.\n"
    files = {"USER.md": OWNER, "MEMORY.md": KEPT, "memory/2026-03-10.md": log}
    for question in ("user preferences", "the user preferences page"):
        told = [hit.line.content for hit in asked(workspace, question, files).hits]
        assert any("crashes" in each for each in told[:2])


def test_a_japanese_husband_is_not_the_owner(workspace: Write) -> None:
    files = {"USER.md": OWNER, "memory/2026-03-10.md": "# 2026-03-10\n\n- 4, 5, 6.\n"}
    assert not any("Vejle" in hit.line.content for hit in asked(workspace, "主人はどこに住んでいますか？", files).hits)


PROFILE = """# USER.md

| Item | Value |
|------|-------|
| **Name** | Bjarne Holm |
| **What to call them** | Bo |
| **Location** | Molde, Norway |
| **Phone** | +47 555 12 345 |
"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("who am I?", "Bjarne Holm"),
        ("where do I live?", "Molde"),
        ("what is Bo's phone number?", "555 12"),
        ("我住在哪里？", "Molde"),
        ("где я живу?", "Molde"),
    ],
)
def test_the_file_about_the_owner_may_be_a_table(workspace: Write, question: str, told: str) -> None:
    files = {
        "USER.md": PROFILE,
        "memory/2025-11-03.md": "# 2025-11-03\n\n- Bo fixed the boat, and asked where they live\n",
    }
    assert any(told in hit.line.content for hit in asked(workspace, question, files).hits[:2])


@pytest.mark.parametrize(
    ("user", "who", "where"),
    [
        ("# USER.md\n\nBjarne Holm is a baker. He lives in Molde.\n", "who am I?", "where do I live?"),
        ("# USER.md\n\n## Bjarne Holm\n\n- Bjarne Holm bakes\n- Lives in Molde\n", "who am I?", "where do I live?"),
        ("# User\n\nMy name is Bjarne Holm. I live in Molde.\n", "who am I?", "where do I live?"),
        ("# 用户\n\n用户叫何敏，住在成都。\n", "我是谁？", "我住在哪里？"),
        ("# USER.md\n\nПользователя зовут Анна Орлова. Живёт в Томске.\n", "кто я?", "где я живу?"),
    ],
)
def test_the_file_about_the_owner_may_be_prose(workspace: Write, user: str, who: str, where: str) -> None:
    said = (
        "# 2025-11-03\n\n- Bo asked who we are, and where they live\n- 何伟问他们住在哪里\n- Ида спросила: где они?\n"
    )
    for question in (who, where):
        hits = asked(workspace, question, {"USER.md": user, "memory/2025-11-03.md": said}).hits
        assert hits[0].line.source.path == "USER.md"


@pytest.mark.parametrize(
    ("label", "home", "question"),
    [("Name", "Lives in Molde with two cats", "where do I live?"), ("Имя", "Живёт в Кеми", "где я живу?"),
     ("姓名", "住在青岛", "我住在哪里？")],
)  # fmt: skip
def test_a_home_without_a_label_beside_the_name_of_the_owner_is_theirs(
    workspace: Write, label: str, home: str, question: str
) -> None:
    found = asked(workspace, question, {"USER.md": f"# User\n\n- {label}: Marit Lind\n- Harp\n- {home}\n"})
    assert found.hits[0].line.content == home
