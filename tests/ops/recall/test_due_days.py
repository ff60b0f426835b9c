"""What is due on some days is what names them beforehand, whatever was written on them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

TODAY = date(2026, 4, 12)  # a Sunday

LOGS = {
    "en": ("Boiler service, 20 April at nine", "Pay Nordvik by 15 May", "We walked along the river"),
    "da": ("Service på fyret, 20. april kl. 9", "Betal Nordvik senest den 15. maj", "Vi gik langs åen"),
    "zh": ("锅炉检修：4月20日九点", "5月15日前付款给诺维克", "我们沿着河边散步"),
    "ja": ("ボイラーの点検、4月20日9時", "5月15日までにノルヴィクへ支払う", "川沿いを散歩した"),
    "hi": ("बॉयलर की सर्विस, 20 अप्रैल को नौ बजे", "15 मई तक नॉर्विक को भुगतान", "हम नदी किनारे टहले"),
    "ru": ("Осмотр котла 20 апреля в девять", "Заплатить Нордвику до 15 мая", "Мы гуляли вдоль реки"),
}


def asked(workspace: Write, lines: tuple[str, ...], question: str) -> list[str]:
    files = {
        "memory/2026-04-07.md": "\n".join(f"- {line}" for line in lines[:2]),
        "memory/2026-04-10.md": f"- {lines[2]}",
        "memory/2026-04-11.md": f"- [ ] {lines[1]}",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        return [each.line.content for hit in memory.recall(question).hits for each in (hit, *hit.beside)]


@pytest.mark.parametrize(
    ("language", "april", "may"),
    [
        ("en", "what is due in April?", "what is due in May?"),
        ("en", "which tasks are due this month?", "deadlines next month?"),
        ("da", "hvad forfalder i april?", "hvilke frister er der i maj?"),
        ("zh", "四月什么到期？", "5月的期限？"),
        ("ja", "4月の期限は？", "5月の締め切りは？"),
        ("hi", "अप्रैल में क्या देय है?", "मई की अंतिम तिथि?"),
        ("ru", "какие сроки в апреле?", "что нужно оплатить в мае?"),
    ],
)
def test_what_is_due_on_some_days_names_them(workspace: Write, language: str, april: str, may: str) -> None:
    service, pay, walk = LOGS[language]
    found = asked(workspace, LOGS[language], april)
    assert service in found and pay not in found and walk not in found
    found = asked(workspace, LOGS[language], may)
    assert pay in found and service not in found and walk not in found


def test_what_is_due_by_a_day_is_from_today_on(workspace: Write) -> None:
    lines = ("Boiler service on 14 April", "Pay Nordvik by 21 April", "The lease ended on 9 April")
    assert asked(workspace, lines, "what is due by Friday?") == ["Boiler service on 14 April"]
    assert "Pay Nordvik by 21 April" in asked(workspace, lines, "what is due by 25 April?")


def test_a_report_of_a_day_was_not_due_on_it(workspace: Write) -> None:
    files = {"memory/2026-04-14.md": "- Boiler checked on 14 April.", "memory/2026-04-02.md": "- Rent: 14 April"}
    with Memory(str(workspace(files)), today=date(2026, 4, 20)) as memory:
        hits = memory.recall("what was due on 14 April?").hits
    assert [hit.line.content for hit in hits] == ["Rent: 14 April"]


def test_due_without_days_is_a_word_and_due_to_a_cause(workspace: Write) -> None:
    lines = ("The rent is due on 14 April", "The pipe burst due to frost", "The rent went up")
    assert asked(workspace, lines, "when is the rent due?")[0].startswith(lines[0])
    assert lines[1] in asked(workspace, lines, "what burst due to frost in April?")


def test_what_is_to_do_on_days_to_come_is_also_what_names_them(workspace: Write) -> None:
    lines = ("Boiler service, 20 April at nine", "Paint the fence", "Walked along the river")
    found = asked(workspace, lines, "what do I have to do next week?")
    assert "[ ] Paint the fence" in found and "Walked along the river" not in found
    assert lines[0] in asked(workspace, lines, "what do I have to do on 20 April?")


COMING = {
    "en": ("The glazier comes Wednesday", "Library books back by 9 April", "what's coming up?", "what is overdue?"),
    "da": ("Glarmesteren kommer på onsdag", "Aflever bøger inden 9. april", "kommende?", "hvad er overskredet?"),
    "zh": ("玻璃工周三到", "4月9日前还书", "接下来有什么？", "逾期的？"),
    "ja": ("水曜にガラス屋が来る", "4月9日までに本を返す", "近々？", "期限切れは？"),
    "hi": ("शीशे वाला बुधवार को आएगा", "9 अप्रैल तक किताबें लौटाना", "आगामी?", "बकाया?"),
    "ru": ("Стекольщик придёт в среду", "Вернуть книги до 9 апреля", "что скоро?", "что просрочено?"),
}


@pytest.mark.parametrize("language", COMING)
def test_what_is_coming_up_and_what_is_overdue(workspace: Write, language: str) -> None:
    comes, late, coming_up, overdue = COMING[language]
    files = {
        "memory/2026-04-01.md": f"- [ ] {late}\n- {LOGS[language][2]}\n\n- [x] {LOGS[language][2]}, 8/4",
        "memory/2026-04-11.md": f"- {comes}\n- [ ] {LOGS[language][1]}",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        assert [hit.line.content for hit in memory.recall(overdue).hits] == [f"[ ] {late}"]
        found = memory.recall(coming_up)
    assert [hit.line.content for hit in found.hits] == [comes]
    assert str(found.hits[0].line.valid) == "2026-04-15"


def test_what_is_due_comes_in_the_order_of_its_days(workspace: Write) -> None:
    files = {
        "memory/2026-04-01.md": "- Rent: 21 April\n\nText.\n\n- Dentist: 15 April",
        "memory/2026-04-02.md": "- Boiler: 18 April",
        "memory/2026-04-03.md": "- Choir: 24 April",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        found = [hit.line.content for hit in memory.recall("upcoming?").hits]
    assert found == ["Dentist: 15 April", "Boiler: 18 April", "Rent: 21 April", "Choir: 24 April"]


def test_by_a_day_is_as_due_as_on_it(workspace: Write) -> None:
    days = [f"- Pay the club for row {number}, 15 April" for number in range(4)]
    files = {f"memory/2026-04-0{at}.md": line for at, line in enumerate(days, 1)}
    files["memory/2026-04-06.md"] = "- Promised Ole three oars by Wednesday 15 April"
    with Memory(str(workspace(files)), today=TODAY) as memory:
        found = {hit.line.content for hit in memory.recall("what's due next week?").hits}
    assert "Promised Ole three oars by Wednesday 15 April" in found


@pytest.mark.parametrize("word", ["deadlines", "fristen", "截止", "締切", "डेडलाइन", "дедлайны"])
def test_deadlines_without_days_are_those_of_any_days(workspace: Write, word: str) -> None:
    far, question = f"The {word} of the grant: 1 September", f"{word}?"
    assert asked(workspace, (far, "Boiler service, 20 April", "We walked"), question) == [far]


@pytest.mark.parametrize("question", ["overdue tasks", "any overdue todos?", "overskredne opgaver"])
def test_overdue_tasks_are_what_is_overdue(workspace: Write, question: str) -> None:
    files = {"memory/2026-04-01.md": "- [ ] Return the oars by 9 April\n- [ ] Paint the fence by 9 May"}
    with Memory(str(workspace(files)), today=TODAY) as memory:
        assert [hit.line.content for hit in memory.recall(question).hits] == ["[ ] Return the oars by 9 April"]


def test_soon_and_upcoming_are_words_where_something_else_is_asked(workspace: Write) -> None:
    with Memory(
        str(workspace({"memory/2026-04-01.md": "- The upcoming release has a new mast"})), today=TODAY
    ) as memory:
        assert memory.recall("what does the upcoming release have?").hits
        assert memory.explain("call me as soon as the mast breaks").when is None


DEADLINES = {
    "en": ("what did we say about the deadline in April?", "We moved the deadline of the grant to autumn"),
    "da": ("hvad sagde vi om fristen i april?", "Vi udsatte fristen for støtten til efteråret"),
    "zh": ("4月的期限呢？", "我们把资助的期限推迟到秋天"),
    "ja": ("4月の期限の話は？", "助成金の期限を秋に延ばした"),
    "hi": ("अप्रैल में समय सीमा का क्या हुआ?", "हमने अनुदान की समय सीमा शरद तक बढ़ाई"),
    "ru": ("что с дедлайнами в апреле?", "Перенесли дедлайны гранта на осень"),
}


@pytest.mark.parametrize("language", DEADLINES)
def test_what_was_said_on_the_days_of_what_is_due_is_not_lost(workspace: Write, language: str) -> None:
    question, moved = DEADLINES[language]
    service, pay, _ = LOGS[language]
    assert moved in "\n".join(asked(workspace, (service, pay, moved), question))


@pytest.mark.parametrize(
    "question",
    [
        "what did we decide about the deadline last week?",
        "why did we move the deadline last week?",
        "what happened with the deadline last week?",
    ],
)
def test_what_else_is_asked_of_a_deadline_is_not_what_is_due(workspace: Write, question: str) -> None:
    lines = ("We decided to move the deadline, because of the rain", "Pay Nordvik by 15 May", "Walked along the river")
    assert lines[0] in "\n".join(asked(workspace, lines, question))


@pytest.mark.parametrize("days", ["this year", "in the next three months", "before July", "after May 1"])
def test_of_more_days_than_are_searched_due_is_a_word(workspace: Write, days: str) -> None:
    lines = ("The baby is due on 14 June", "Walked along the river", "Painted the fence")
    assert lines[0] in "\n".join(asked(workspace, lines, f"what is due {days}?"))


@pytest.mark.parametrize(
    ("question", "friday"),
    [
        ("what is due on Friday?", "Pay the club on Friday the 17th of April"),
        ("hvad forfalder fredag?", "Betal klubben fredag den 17. april"),
        ("周五有什么到期？", "4月17日周五付俱乐部的钱"),
        ("金曜日の締め切りは？", "4月17日金曜日にクラブへ払う"),
        ("शुक्रवार को क्या देय है?", "17 अप्रैल शुक्रवार को क्लब का भुगतान"),
        ("какие сроки в пятницу?", "Заплатить клубу 17 апреля, в пятницу"),
    ],
)
def test_what_is_due_on_a_weekday_is_due_on_the_next(workspace: Write, question: str, friday: str) -> None:
    assert friday in asked(workspace, (friday, "Call Ole on 10 April", "We walked along the river"), question)


def test_what_only_goes_on_or_is_over_is_not_to_do(workspace: Write) -> None:
    facts = ("Peter works in Molde since 2019", "Anna met Ole on Monday", "Anna pays the rent by 15 April")
    with Memory(str(workspace({"memory/2026-04-01.md": "- Painted the fence"})), today=date(2026, 4, 7)) as memory:
        for fact in facts:
            memory.retain(fact)
        for question in ("what do I have to do in April?", "what is due in April?"):
            assert [hit.line.content for hit in memory.recall(question).hits] == [facts[2]]


@pytest.mark.parametrize("question", ["what is due today?", "which tasks are due today?", "hvad forfalder i dag?"])
def test_an_open_box_of_today_is_due_today(workspace: Write, question: str) -> None:
    files = {"memory/2026-04-12.md": "- [ ] Pay the rent today\n- Painted the fence today\n- Walked by the river"}
    with Memory(str(workspace(files)), today=TODAY) as memory:
        found = [hit.line.content for hit in memory.recall(question).hits]
    assert found == ["[ ] Pay the rent today"]


@pytest.mark.parametrize("question", ["what is due next week?", "what do I have to do next week?"])
def test_what_is_done_or_dropped_is_not_to_come(workspace: Write, question: str) -> None:
    lines = ("~~Meeting of the club on 14 April~~", "[x] Paid the club for 15 April", "We walked along the river")
    assert not {*lines} & {*asked(workspace, lines, question)}


def test_many_stamps_of_a_day_hide_nothing_that_was_said_of_a_deadline(workspace: Write) -> None:
    files = {}
    for day in (7, 8, 9):
        stamps = "".join(f"- Session 2026-04-{day:02} 10:{minute}\n" for minute in range(10, 60))
        files[f"memory/2026-04-{day:02}.md"] = f"- The deadline was moved\n{stamps}"
    with Memory(str(workspace(files)), today=TODAY) as memory:
        hits = memory.recall("which deadlines from 7 to 9 April?").hits
    assert "The deadline was moved" in {hit.line.content for hit in hits}


@pytest.mark.parametrize("said", ["We may paint the fence, and the club may pay", "The boat number {} is due"])
@pytest.mark.parametrize("question", ["what is due in May?", "what is due by 12 May?"])
def test_what_is_due_is_found_among_many_lines(workspace: Write, question: str, said: str) -> None:
    many = "".join(f"- {said.format(number)}\n" for number in range(30))
    files = {f"memory/2026-03-{day:02}.md": many for day in range(1, 12)}
    files["memory/2026-02-03.md"] = "- The hall is booked, 4 May\n\n# Club\n- The fee is due 5 May\n"
    with Memory(str(workspace(files)), today=TODAY) as memory:
        found = {hit.line.content for hit in memory.recall(question).hits}
    assert found == {"The hall is booked, 4 May", "The fee is due 5 May"}
