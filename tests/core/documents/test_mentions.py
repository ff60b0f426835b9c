"""Whom a line names."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.documents.name_mentions import introduced, mentions, named_in_brackets
from commonplace.core.questions.query_analysis import read


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Agnes – runs the print shop", "Agnes"),
        ("**Agnes Dahl:** runs the print shop", "Agnes Dahl"),
        ("Agnes (she/her): print shop", "Agnes"),
        ("Agnes er bogbinder", "Agnes"),
        ("周蕾：装订师傅", "周蕾"),
        ("健太（けんた）：印刷係", "健太"),
        ("आग्नेस – छापाख़ाना चलाती है", "आग्नेस"),
        ("Вера — переплётчица", "Вера"),
        ("सीमा वकील है।", "सीमा"),
        ("今井は製本屋です", "今井"),
        ("Han Wei is our designer from Taipei.", "Han Wei"),
        ("Du Fu is a bookbinder", "Du Fu"),
        ("You Jing – runs the print shop", "You Jing"),
        ("Vi Nguyen is a nurse", "Vi Nguyen"),
        ("Nat Turner (bookbinder)", "Nat Turner"),
        ("Mine Yilmaz is our lawyer", "Mine Yilmaz"),
        ("शाम सिंह – छापाख़ाना चलाते हैं", "शाम सिंह"),
        ("Nat – mends the press", "Nat"),
        ("Mine Yilmaz er vores bogbinder", "Mine Yilmaz"),
        ("| Agnes | runs the print shop at the quay | 12 |", "Agnes"),
        ("| Agnes | 12 | idle |", ""),
        ("| Agnes | mend the press by Friday | open |", ""),
        ("| Agnes | sende papiret til bogbinderen | **I gang** |", ""),
        ("| 何 敏 | 修好印刷机 给客户 打电话 | 已完成 |", ""),
        ("| Вера | починить печатный станок | в работе |", ""),
        ("|", ""),
        ("the shop was painted – in green", ""),
        ("we learned to call Agnes first, then the shop: it helps", ""),
        ("我们学会了先打电话：再去店里", ""),
        ("Agnes", ""),
        ("", ""),
    ],
)
def test_the_name_that_a_line_introduces_is_read(line: str, name: str) -> None:
    assert introduced(line)[0] == name


@pytest.mark.parametrize(
    "line",
    [
        "Today is a holiday",
        "He – a bookbinder",
        "Sunday: closed",
        "Han er bogbinder",
        "Nat (en lang en)",
        "Monday Morning – closed for the holiday",
        "今日：会議",
        "我們：休息",
        "Søndag – lukket",
        "他是装订师傅",
        "今天是假日",
        "今天：休息",
        "她們（搬家了）",
        "今日は休みです",
        "彼女は製本屋です",
        "मैं यहाँ की मालकिन हूँ",
        "मैं – छापाख़ाने की मालकिन",
        "हम तैयार हैं",
        "वह वकील है।",
        "मेरा भाई वकील है।",
        "आज मौसम अच्छा है।",
        "कल छुट्टी है",
        "सोमवार: छुट्टी",
        "Сегодня — праздник",
        "Она — переплётчица",
    ],
)
def test_a_pronoun_or_a_moment_is_introduced_nowhere(line: str) -> None:
    assert introduced(line) == ("", "")


@given(st.text())
def test_no_line_is_refused(line: str) -> None:
    assert all(each in line for each in introduced(line))


@pytest.mark.parametrize("text", ["see [[ ]] now", "[[.md]]", "[[ .md ]]", "[[ |x]]", "[[a/ ]]", "[[\u3000]]"])
def test_a_link_to_nothing_names_nobody(text: str) -> None:
    assert mentions(text) == ()
    assert read(text, date(2026, 2, 1)).entities == ()


def test_an_order_to_the_host_names_nobody() -> None:
    said = "[[reply_to_current]] Told [[Peter]] at noon [[reply_to: 12]] [[audio_as_voice]] and [[reply]]"
    assert mentions(said) == ("Peter", "reply")


def test_a_linked_day_week_or_month_is_nobody() -> None:
    assert mentions("[[2026-02-16]], [[memory/2026-02-16.md]], [[2026-W08|last week]] and [[2026-02]]") == ()
    assert mentions("[[2026-02-16 Harbour]], [[Tern 2026]] and [[1984]]") == ("2026-02-16 Harbour", "Tern 2026", "1984")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("photo by @the.quay.painter, seen by @Peter.", ("the.quay.painter", "Peter")),
        ("1. @tern_post → @i.am.quay | fog", ("tern_post", "i.am.quay")),
        ("@Vera. Она права", ("Vera",)),
        ("@健太。メール", ("健太",)),
        ("ask @Anna... or @Bo?", ("Anna", "Bo")),
        ("told @Anna.She knows; @Bo.-", ("Anna", "Bo")),
        ("spurgte @Åse.Hun ved det", ("Åse",)),
        ("спроси @Вера.она права", ("Вера",)),
        ("见 @小明.明天再说", ("小明",)),
        ("見 @小明.明天再說", ("小明",)),
        ("@健太.明日また", ("健太",)),
        ("कल @मीरा.कल मिली। @सीमा।", ("मीरा", "सीमा")),
        ("@" + "b.c" * 999, ("b.cb.cb.cb.cb",)),
        ("npm i @tern-kit/quay.js", ("tern-kit",)),
    ],
)
def test_a_handle_is_whole(text: str, names: tuple[str, ...]) -> None:
    assert mentions(text) == names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Harbour yard (Solveig Lund, boats): two slips", "Solveig Lund"),
        ("Harbour yard (Solveig Lund, CFO; Bo Lind, sails)", "Solveig Lund"),
        ("港口印社（周蕾，装订）：两台机器", "周蕾"),
        ("Rooms (Oslo, Bergen, Turku)", ""),
        ("Rowers (Solveig, Bo)", ""),
        ("Harbour yard (since May, boats)", ""),
        ("Harbour yard (Solveig Lund)", ""),
    ],
)
def test_brackets_that_tell_more_of_a_name_begin_with_it_and_are_no_list(text: str, name: str) -> None:
    assert named_in_brackets(text) == name
