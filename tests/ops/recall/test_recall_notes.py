"""The note of an empty or weak answer names what is missing, in whole words."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

LOG = "# 2026-03-10\n\n- 公开称呼用户为雷哥，不用真名\n- Peter repaired the fence.\n"
CLOSEST = "; these are the closest"


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("雷哥住在哪里？", f"no match for: most of the question{CLOSEST}"),
        ("雷哥的生日是什么时候？", f"no match for: 生日{CLOSEST}"),
        ("小明的生日是什么时候？", "no match for: 小明, 生日"),
        ("Is the zeppelin of Peter in the garage?", f"no match for: zeppelin, garage{CLOSEST}"),
        ("what should I do?", "the question has no search terms"),
        ("what should I do next week?", "nothing found for “next week” (2026-03-16 to 2026-03-22)"),
        ("next week", "nothing found for “next week” (2026-03-16 to 2026-03-22)"),
        ("2026-01-01", "nothing found for 2026-01-01"),
        ("下周我应该做什么？", "nothing found for “下周” (2026-03-16 to 2026-03-22)"),
        ("来週は何をすればいい？", "nothing found for “来週” (2026-03-16 to 2026-03-22)"),
        ("hvad skal jeg gøre i næste uge?", "nothing found for “i næste uge” (2026-03-16 to 2026-03-22)"),
        ("अगले हफ्ते मुझे क्या करना चाहिए?", "nothing found for “अगले हफ्ते” (2026-03-16 to 2026-03-22)"),
        (
            "what should I buy next week?",
            "no match for: buy; nothing found for “next week” (2026-03-16 to 2026-03-22)",
        ),
    ],
)
def test_a_note_names_whole_words_and_no_stop_words(workspace: Write, question: str, note: str) -> None:
    with Memory(str(workspace({"memory/2026-03-10.md": LOG})), today=date(2026, 3, 12)) as memory:
        assert memory.recall(question).note == note


@pytest.mark.parametrize(
    ("line", "question", "note"),
    [
        (
            "Peter painted the wooden fence beside the river with Anna.",
            "Which brush did Peter paint the wooden fence beside the river with?",
            "brush",
        ),
        (
            "Peter malede det gamle plankeværk ved åen sammen med Anna.",
            "Med hvilken pensel malede Peter det gamle plankeværk ved åen?",
            "pensel",
        ),
        ("彼得和安娜一起油漆了河边的木栅栏。", "彼得油漆河边的木栅栏用了哪种刷子？", "刷子"),
        ("彼得和安娜一起油漆了河邊的木柵欄。", "彼得油漆河邊的木柵欄用了哪種刷子？", "刷子"),
        ("川沿いの古い木製フェンスを塗装した。", "川沿いの古い木製フェンスを塗装したブラシは？", "ブラシ"),
        (
            "पीटर ने नदी किनारे लकड़ी की पुरानी बाड़ रंगी।",
            "पीटर ने किस ब्रश से नदी किनारे लकड़ी की पुरानी बाड़ रंगी?",
            "ब्रश",
        ),
        (
            "Пётр покрасил старый деревянный забор у реки.",
            "Какой кистью Пётр покрасил старый деревянный забор у реки?",
            "кистью",
        ),
    ],
)
def test_a_word_that_no_line_has_is_named_though_a_line_has_most_of_the_question(
    workspace: Write, line: str, question: str, note: str
) -> None:
    with Memory(
        str(workspace({"memory/2026-03-10.md": f"# 2026-03-10\n\n- {line}\n"})), today=date(2026, 3, 12)
    ) as memory:
        found = memory.recall(question)
    assert found.hits
    assert note in found.note


LOGS = {
    "USER.md": "- **Name:** Rolf\n",
    "memory/2026-02-03.md": "# 2026-02-03\n\n- The bank of the weaver holds her savings in Ribe.\n"
    "- The loom of Halden was oiled, and Halden Wool sent the yarn.\n- Halden Wool asked for a sample.\n",
    "memory/2026-02-05.md": "# 2026-02-05\n\n- Halden Wool is closed in July.\n"
    "- The mill rents a shed for 900 kr a year.\n"
    "- The barn door was painted red on the north side.\n",
}


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("Which bank holds the savings of Halden?", "none of these has Halden together with the rest of the question"),
        ("Where is the sample that Halden asked for?", ""),
        ("Who painted the barn door for Rolf?", ""),
        (
            "How much does the mill pay Halden for the shed a year?",
            "none of these has an amount of money together with the rest of the question",
        ),
        ("How much does the weaver pay for the loom?", "none of these has an amount of money"),
        ("How much is the shed of the mill a year?", ""),
    ],
)
def test_a_name_that_stands_apart_from_the_rest_of_the_question_is_said_to(
    workspace: Write, question: str, note: str
) -> None:
    with Memory(str(workspace(LOGS)), today=date(2026, 3, 12)) as memory:
        found = memory.recall(question)
        assert found.hits
        assert found.note == note


def test_a_long_question_need_not_have_most_of_its_words_in_one_line(workspace: Write) -> None:
    logs = {
        "memory/2026-02-03.md": "- Wrote the glaze recipes of the spring series into the book.\n",
        "memory/2026-02-09.md": "- Our conversations about different topics took all day, in order of age.\n"
        "- Aspects of clay: only five items fit on the shelf.\n",
    }
    asked = (
        "Can you walk me through the order in which I brought up different aspects of my glaze recipes throughout our "
        "conversations? Mention only five items."
    )
    with Memory(str(workspace(logs)), today=date(2026, 3, 12)) as memory:
        found = memory.recall(asked)
        assert found.hits
        assert found.note == ""


PLANS = {
    "en": ("Peter planned the ferry", "what is planned for tomorrow?", "tomorrow", "the ferry is planned tomorrow"),
    "da": (
        "Peter planlagde færgen",
        "hvad er planlagt i morgen for færgen?",
        "i morgen",
        "færgen er planlagt i morgen",
    ),
    "zh": ("老王计划了渡轮", "明天计划了什么渡轮？", "明天", "渡轮计划明天出发"),
    "zh-Hant": ("老王計劃了渡輪", "明天計劃了什麼渡輪？", "明天", "渡輪計劃明天出發"),
    "ja": ("太郎はフェリーを予約した", "明日のフェリーの予約は？", "明日", "フェリーの予約は明日"),
    "hi": ("राम ने नाव की योजना बनाई", "कल नाव की क्या योजना होगी?", "कल", "नाव की योजना 13 मार्च को है"),
    "ru": (
        "Пётр запланировал паром",
        "что запланировано на завтра про паром?",
        "на завтра",
        "паром запланирован на 13 марта",
    ),
}


@pytest.mark.parametrize("language", PLANS)
def test_a_coming_day_of_which_no_line_tells_is_named(workspace: Write, language: str) -> None:
    past, question, phrase, coming = PLANS[language]
    for line, note in ((past, f"nothing is dated “{phrase}” (2026-03-13)"), (coming, "")):
        folder = workspace({"memory/2026-03-12.md": f"# 2026-03-12\n\n- {line}\n"})
        with Memory(str(folder), today=date(2026, 3, 12)) as memory:
            found = memory.recall(question)
            assert found.hits and ("nothing is dated" in found.note) == bool(note), found.note
            assert note in found.note


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("what did Peter plan yesterday?", "none of these is of “yesterday” (2026-03-11)"),
        ("what did Peter plan on 10 March?", ""),
        ("what did Peter plan last week?", ""),
    ],
)
def test_that_no_hit_is_of_the_days_asked_for_is_said(workspace: Write, question: str, note: str) -> None:
    folder = workspace(
        {"memory/2026-03-10.md": "- Peter planned the ferry\n", "memory/2026-03-04.md": "- Peter plans\n"}
    )
    with Memory(str(folder), today=date(2026, 3, 12)) as memory:
        found = memory.recall(question)
        assert found.hits
        assert found.note == note


@pytest.mark.parametrize(
    "question", ["what did Peter plan yesterday?", "what did Peter plan?", "what did Peter plan today?"]
)
def test_a_day_that_is_here_is_no_coming_one(workspace: Write, question: str) -> None:
    with Memory(
        str(workspace({"memory/2026-03-10.md": "- Peter planned the ferry\n"})), today=date(2026, 3, 12)
    ) as memory:
        assert "nothing is dated" not in memory.recall(question).note


LASTING = [
    "- @Peter: The ferry fair (2026-03-01/2026-04-01)",
    "- The ferry fair is from 9 to 20 March",
    "- No ferry until March 20",
    "- The ferry runs until 2027-05-01",
    "- 渡轮会议 2026年3月9日至3月20日 ferry",
    "- The ferry leaves every day at 8",
    "- The ferry leaves every Friday",
    "- On Fridays the ferry is full",
    "- Færgen (ferry) sejler hver fredag",
    "- 每周五 ferry",
    "- 每週五 ferry",
    "- 毎週金曜日 ferry",
    "- हर शुक्रवार ferry",
    "- каждую пятницу ferry",
    "- по пятницам ferry",
    "- Birthday of the ferry man: 13 March",
]


@pytest.mark.parametrize("line", LASTING)
def test_what_lasts_or_comes_again_may_be_on_a_coming_day(workspace: Write, line: str) -> None:
    folder = workspace({"memory/2026-03-10.md": f"# 2026-03-10\n\n{line}\n"})
    with Memory(str(folder), today=date(2026, 3, 12)) as memory:
        found = memory.recall("what is planned for the ferry tomorrow?")
        assert found.hits and "nothing is dated" not in found.note


def test_what_is_over_or_later_is_on_no_coming_day(workspace: Write) -> None:
    lines = "- The ferry fair was from 1 to 5 March\n- The ferry leaves on June 20\n"
    folder = workspace({"memory/2026-03-10.md": f"# 2026-03-10\n\n{lines}"})
    with Memory(str(folder), today=date(2026, 3, 12)) as memory:
        for question in ("what of the ferry is tomorrow?", "which ferry do we have on tomorrow?"):
            assert "tomorrow” (2026-03-13)" in memory.recall(question).note


@pytest.mark.parametrize("question", ["我的渡轮有哪些？", "我们的渡轮有什么", "我的渡輪有哪些？"])
def test_the_frame_of_a_question_is_not_missed(workspace: Write, question: str) -> None:
    folder = workspace({"memory/2026-03-10.md": "# 2026-03-10\n\n- 渡轮：白鸥号\n\n- 午饭\n"})
    with Memory(str(folder), today=date(2026, 3, 12)) as memory:
        found = memory.recall(question)
        assert (found.hits[0].line.content, found.note) == ("渡轮：白鸥号", "")
