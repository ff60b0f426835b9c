"""Lines that tell a day, and newer ones that move or cancel it: in six languages, and what must not be marked."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.core.model import Citation
from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

OLD, NEW = Citation("memory/2026-05-04.md", 1), Citation("memory/2026-05-06.md", 1)
"""A Monday and a Wednesday."""
CHANGED = {
    "en moved": ("Dentist on 12 May at 9", "Dentist moved from Tuesday to the 14th"),
    "en object": ("Harbour tour with the club on 15 May", "The club moved the harbour tour to 22 May"),
    "en cancelled": ("Call with Jens on Friday at 10", "The call with Jens on Friday is cancelled"),
    "en no day": ("Cello lesson booked for 20 May", "Cello lesson is cancelled"),
    "en loose": ("Vet 13/5", "Vet moved to 15/5"),
    "en postponed": ("Regatta on 16 May", "Regatta postponed, too much wind"),
    "private characters": ("Regatta on 16 May \ue000", "\ue000\ue005 Regatta postponed from 16 May \uf8ff"),
    "en trip": ("Oslo with Ruth: ferry booked 21–24 May", "Ruth cancelled Oslo because of her knee"),
    "da moved": ("Møde om taget den 12. maj kl. 10", "Mødet om taget er flyttet til 19. maj"),
    "da form": ("Tandlæge den 12. maj", "Tandlægen er flyttet til 19. maj"),
    "da definite": ("Tandlægen er den 12. maj", "Ny tid: tandlæge flyttet til 19. maj"),
    "da cancelled": ("Korprøve den 20. maj", "Korprøven den 20. maj er aflyst"),
    "ru moved": ("Встреча с кровельщиком 12 мая", "Встреча с кровельщиком перенесена на 19 мая"),
    "ru cancelled": ("Репетиция хора 20 мая", "Репетиция хора отменена"),
    "zh moved": ("跟木匠的会议 5月13日十点", "跟木匠的会议改到周五"),
    "zh traditional": ("合唱團排練 5月20日", "合唱團排練取消了"),
    "zh from": ("约了眼科检查，5月13日上午", "眼科检查从5月13日推迟到5月19日"),
    "zh beside": ("青年合唱节报名，截止 5月15日，三首歌", "青年合唱节报名延期，新截止日 6月1日，不是 5月15日了"),
    "zh trip": ("跟表姐去青岛：订了车票 5月21日到24日", "表姐脚疼，青岛取消了，车票退了"),
    "en beside": (
        "Harbour grant, deadline 15 May, two letters",
        "The harbour grant was postponed, new date 1 June, not 15 May",
    ),
    "ja moved": ("歯医者の予約は5月13日", "歯医者の予約を5月13日から5月19日に変更した"),
    "ja cancelled": ("合唱の練習は5月20日", "合唱の練習は中止になった"),
    "hi moved": ("डॉक्टर से मुलाकात 14 मई को है", "डॉक्टर से मुलाकात 14 मई से 19 मई को टाल दी गई"),
    "hi cancelled": ("नाव की मरम्मत 20 मई को होगी", "नाव की मरम्मत रद्द हो गई"),
    "en its number": ("Sprint 12 review on 20 May", "Sprint 12 review moved to 22 May"),
    "en an hour beside": ("Dentist on 12 May at 9", "Dentist at 9 moved to 14 May"),
    "en the day of the clause before": ("Regatta on 16 May", "Regatta on 16 May: it is cancelled"),
    "en delayed to a day": ("Regatta on 16 May", "Regatta delayed to 23 May"),
    "en a brief name": ("Dinner with Bo on 12 May", "Dinner with Bo cancelled, he is ill"),
    "ja to an hour": ("歯医者の予約は5月13日15時", "歯医者の予約を5月15日16時に変更"),
    "ja to an hour of a day": ("歯医者の予約は5月13日", "歯医者の予約は5月15日の16時に延期になった"),
    "en a task": ("[ ] Dentist on 12 May", "Dentist cancelled"),
    "en one name moved again": ("Dentist moved to 14 May", "Dentist cancelled"),
    "da an hour beside": ("Møde om taget den 12. maj", "Mødet om taget kl 10 er flyttet til 19. maj"),
    "da its number": ("Kapitel 3 til den 20. maj", "Kapitel 3 er udskudt"),
    "ru one name moved again": ("Стоматолог перенесён на 14 мая", "Стоматолог отменён"),
    "zh its number": ("3路车检修 5月20日", "3路车检修取消了"),
    "ja its number": ("第2回の練習は5月20日", "第2回の練習は中止"),
    "hi its number": ("समूह 2 की बैठक 20 मई को", "समूह 2 की बैठक रद्द हो गई"),
}
UNCHANGED = {
    "another thing of one person": ("Lunch with Jens on Friday", "The call with Jens on Friday is cancelled"),
    "another day": ("Call with Jens on 20 May", "The call with Jens on Friday is cancelled"),
    "a series": ("Rowing every Thursday, next on 14 May", "Rowing on 14 May is cancelled"),
    "a birthday": ("Birthday of Jens on 20 May", "Jens cancelled"),
    "whom one meets": ("Dinner with Jens on 20 May", "Jens is moved to 14 May"),
    "an order": ("Paint fair on 12 May", "Cancelled the order of paint"),
    "a place": ("Jens comes for tea on 12 May", "Jens moved to Berlin on 10 May"),
    "a time of the day": ("Call with Ruth on 14 May", "Call with Ruth moved to the afternoon"),
    "what belongs to it": ("Paid the dentist, invoice due 20 May", "Dentist moved to 14 May"),
    "what is called after it": ("Gym party on 20 May", "Cancelled the gym"),
    "da what belongs to it": ("Tandlægen ringede, regning forfalder 20. maj", "Tandlægen er flyttet til 14. maj"),
    "ru what belongs to it": ("Была у стоматолога, счёт оплатить до 20 мая", "Стоматолог перенесён на 14 мая"),
    "zh what belongs to it": ("看过牙医，账单5月20日到期", "牙医改到5月14日"),
    "hi what belongs to it": ("दंत चिकित्सक को फ़ोन किया, बिल 20 मई तक देना है", "दंत चिकित्सक की मुलाकात रद्द हो गई"),
    "ja what belongs to it": ("歯医者に行った、請求書の期限は5月20日", "歯医者は5月14日に変更"),
    "a day of another clause": ("Regatta on 16 May", "Harbour fair moved to 23 May, the regatta is on 16 May"),
    "a day beside": ("Harbour fair on 20 May", "The harbour fair opens at noon, regatta moved to 23 May"),
    "the day of what comes beside": (
        "Harbour fair on 20 May",
        "Harbour fair postponed from 13 May, 20 May is for the club",
    ),
    "in doubt": ("Dentist on 12 May", "The dentist might be moved to 14 May"),
    "asked": ("Dentist on 12 May", "Dentist moved to 14 May?"),
    "denied": ("Regatta on 16 May", "The regatta is not cancelled"),
    "the new day": ("Dentist on 14 May", "Dentist moved from 12 May to 14 May"),
    "a day that is over": ("Dentist on 5 May", "Dentist moved to 14 May"),
    "several days": ("Dentist on 12 May, vet on 15 May", "Vet moved to 20 May"),
    "a work step": ("Release of the map on 12 May", "Release pushed today"),
    "done": ("[x] Dentist on 12 May", "Dentist moved to 14 May"),
    "da another": ("Frokost med Jens på fredag", "Mødet med Jens er flyttet til fredag den 15. maj"),
    "da series": ("Svømning hver torsdag, næste gang 14. maj", "Svømning den 14. maj er aflyst"),
    "ru another": ("Обед с Олегом 20 мая", "Звонок с Олегом перенесён на 21 мая"),
    "ru denied": ("Репетиция хора 20 мая", "Репетиция хора не отменена"),
    "zh another": ("跟老陈吃饭 5月13日", "跟老陈的电话改到周五"),
    "zh series": ("每周例会，下次5月13日", "例会取消了"),
    "zh from a day on": ("店里免税 11月1日", "11月1日起取消店里免税"),
    "ja another": ("山田さんと昼食は5月13日", "山田さんとの電話は5月19日に変更"),
    "ja series": ("毎週の練習、次は5月13日", "練習は中止"),
    "hi another": ("राम के साथ भोजन 14 मई को", "राम के साथ बैठक रद्द हो गई"),
    "another number": ("Sprint 12 review on 20 May", "Sprint 11 review moved to 22 May"),
    "another number of one word": ("Ticket 4411 due 20 May", "Ticket 4412 cancelled"),
    "another letter": ("Offsite of team C on 20 May", "Offsite of team B cancelled"),
    "another version": ("Chart 2.1 release on 20 May", "Chart 2.0 release moved to 22 May"),
    "another version of three numbers": ("v1.8.0 release on 20 May", "v1.7.2 release cancelled"),
    "da another number before": ("2. Korprøve den 20. maj", "1. korprøve er aflyst"),
    "a past year": ("Regatta on 16 May", "Regatta 2024 was cancelled because of wind"),
    "the one of a past year": ("Regatta on 16 May", "The regatta of 2024 was cancelled"),
    "another hour": ("Call with Ruth on 14 May", "Call with Ruth postponed to 11:30"),
    "some hours": ("Ferry to Oslo on 20 May", "Ferry to Oslo postponed by two hours"),
    "late": ("Ferry to Oslo on 20 May", "Ferry to Oslo delayed by wind"),
    "not yet": ("Regatta on 16 May", "The regatta has not yet been cancelled"),
    "nobody": ("Regatta on 16 May", "Nobody cancelled the regatta"),
    "a rule": ("Regatta on 16 May", "When the regatta is cancelled, fees are paid back"),
    "what is said": ("Regatta on 16 May", "Rumour has it that the regatta is cancelled"),
    "the day of the clause before": ("Rowing on 20 May", "No rowing today, cancelled"),
    "to be done": ("Dentist on 12 May", "Get the dentist moved to 14 May"),
    "of each night": ("Nightly test of the pump on 20 May", "Test of the pump cancelled"),
    "da the day of the clause before": ("Korprøve den 20. maj", "Ingen korprøve i dag, den er aflyst"),
    "ru the day of the clause before": ("Репетиция хора 20 мая", "Репетиция хора сегодня: отменили"),
    "zh the day of the clause before": ("合唱排练 5月20日", "今天合唱排练，取消了"),
    "ja the day of the clause before": ("合唱の練習は5月20日", "今日の合唱の練習、中止"),
    "hi the day of the clause before": ("नाव की मरम्मत 20 मई को होगी", "आज नाव की मरम्मत, रद्द"),
    "ja not decided": ("合唱の練習は5月20日", "合唱の練習を中止するか迷う"),
    "a pronoun": ("Regatta on 16 May", "It is cancelled, regatta is on"),
    "da another number": ("Kapitel 3 til den 20. maj", "Kapitel 4 er flyttet til 29. maj"),
    "da some hours": ("Møde om taget den 12. maj", "Mødet om taget er udskudt en time"),
    "da nobody": ("Korprøve den 20. maj", "Ingen har aflyst korprøven"),
    "da a rule": ("Regatta den 16. maj", "Når regattaen er aflyst, får vi penge tilbage"),
    "ru another number": ("Поезд 122 20 мая", "Поезд 124 отменён"),
    "ru another letter": ("Класс 5А, экскурсия 20 мая", "Экскурсия, класс 5Б, отменена"),
    "ru another hour": ("Встреча с кровельщиком 12 мая", "Встреча с кровельщиком отложена до 15:00"),
    "ru some hours": ("Встреча с кровельщиком 12 мая", "Встреча с кровельщиком отложена на час"),
    "zh another number": ("3路车检修 5月20日", "2路车检修取消了"),
    "zh another hour": ("跟木匠的会议 5月13日", "跟木匠的会议推迟到下午三点"),
    "zh some hours": ("跟木匠的会议 5月13日", "跟木匠的会议推迟了两小时"),
    "zh traditional another hour": ("跟木匠的會議 5月13日", "跟木匠的會議延期到11點"),
    "zh a name of one sign": ("合唱排练 5月20日", "合唱排练5月20日，课取消了"),
    "ja another number": ("第2回の練習は5月20日", "第1回の練習は中止"),
    "ja another letter": ("A組の練習は5月20日", "B組の練習は中止"),
    "ja another hour": ("歯医者の予約は5月13日", "歯医者の予約を15時に延期"),
    "ja some hours": ("歯医者の予約は5月13日", "歯医者の予約を1時間延期"),
    "ja denied": ("合唱の練習は5月20日", "合唱の練習は中止ではない"),
    "ja denied politely": ("合唱の練習は5月20日", "合唱の練習は中止になりません"),
    "ja denied then": ("合唱の練習は5月20日", "合唱の練習は中止されなかった"),
    "ja what follows it": ("合唱の練習は5月20日", "合唱の練習のあとの飲み会は中止"),
    "ja beside": ("合唱の練習は5月20日", "飲み会は中止、合唱の練習は5月20日"),
    "ja a name of one sign": ("合唱の練習は5月20日", "会は中止、合唱の練習は5月20日"),
    "hi another number": ("समूह 2 की बैठक 20 मई को", "समूह 1 की बैठक रद्द हो गई"),
    "hi some hours": ("डॉक्टर से मुलाकात 14 मई को है", "डॉक्टर से मुलाकात एक घंटे टाल दी गई"),
    "hi a rule": ("नाव की मरम्मत 20 मई को होगी", "जब नाव की मरम्मत रद्द होगी तब बताना"),
}


def _marks(workspace: Write, files: dict[str, str]) -> Citation | None:
    with Memory(str(workspace(files))) as memory:
        return memory.show(str(OLD)).outdated_by


@pytest.mark.parametrize("case", CHANGED)
def test_a_moved_or_cancelled_day_outdates_the_line_that_told_it(workspace: Write, case: str) -> None:
    older, newer = CHANGED[case]
    assert _marks(workspace, {OLD.path: f"- {older}\n", NEW.path: f"- {newer}\n"}) == NEW


@pytest.mark.parametrize("case", UNCHANGED)
def test_what_changed_no_day_of_this_thing_outdates_nothing(workspace: Write, case: str) -> None:
    older, newer = UNCHANGED[case]
    assert _marks(workspace, {OLD.path: f"- {older}\n", NEW.path: f"- {newer}\n"}) is None


def test_two_days_to_come_of_one_name_are_told_apart_only_by_the_day(workspace: Write) -> None:
    files = {OLD.path: "- Dentist on 12 May\n- Dentist for the boy on 21 May\n"}
    assert _marks(workspace, {**files, NEW.path: "- Dentist cancelled\n"}) is None
    assert _marks(workspace, {**files, NEW.path: "- Dentist on 12 May cancelled\n"}) == NEW
    assert _marks(workspace, {**files, NEW.path: "- Dentist for the boy cancelled\n"}) is None


def test_of_two_moves_each_outdates_what_was_before(workspace: Write) -> None:
    last = Citation("memory/2026-05-08.md", 1)
    files = {
        OLD.path: "- Vet for the cat on 12 May\n",
        NEW.path: "- Vet for the cat moved to 14 May\n",
        last.path: "- Vet for the cat moved to 20 May\n",
    }
    with Memory(str(workspace(files))) as memory:
        assert memory.show(str(OLD)).outdated_by in (NEW, last)
        assert memory.show(str(NEW)).outdated_by == last
        assert memory.show(str(last)).outdated_by is None


AGAIN = {
    "en": ("Vet for the cat on 12 May", "Vet for the cat moved to 14 May", "Vet for the cat moved back to 12 May"),
    "en told": ("Regatta on 16 May", "Regatta cancelled", "Regatta is on after all, 16 May"),
    "da": ("Korprøve den 20. maj", "Korprøven er aflyst", "Korprøven bliver til noget den 20. maj"),
    "ru": ("Репетиция хора 20 мая", "Репетиция хора отменена", "Репетиция хора состоится 20 мая"),
    "zh": ("合唱排练 5月20日", "合唱排练取消了", "合唱排练5月20日照常"),
    "ja": ("合唱の練習は5月20日", "合唱の練習は中止", "やはり合唱の練習は5月20日"),
    "hi": ("नाव की मरम्मत 20 मई को होगी", "नाव की मरम्मत रद्द हो गई", "नाव की मरम्मत 20 मई को ही होगी"),
}


@pytest.mark.parametrize("case", AGAIN)
def test_a_day_that_is_that_of_the_thing_again_is_not_outdated(workspace: Write, case: str) -> None:
    older, newer, again = AGAIN[case]
    files = {OLD.path: f"- {older}\n", NEW.path: f"- {newer}\n"}
    assert _marks(workspace, files) == NEW
    assert _marks(workspace, {**files, "memory/2026-05-08.md": f"- {again}\n"}) is None


def test_what_somebody_else_wrote_puts_nothing_on_again(workspace: Write) -> None:
    again = "- Regatta is on after all, 16 May <!-- cp: src=web:example.org -->\n"
    files = {OLD.path: "- Regatta on 16 May\n", NEW.path: "- Regatta cancelled\n"}
    assert _marks(workspace, {**files, "memory/2026-05-08.md": again}) == NEW


def test_recall_leads_with_the_newer_line_and_marks_the_older_on_its_day(workspace: Write) -> None:
    files = {OLD.path: "- Dentist on 12 May at 9\n", NEW.path: "- Dentist moved from Tuesday to the 14th\n"}
    with Memory(str(workspace(files)), today=date(2026, 5, 7)) as memory:
        asked = memory.recall("when is the dentist")
        assert [hit.line.source for hit in asked.hits][:2] == [NEW, OLD]
        on_the_day = memory.recall("what is on 12 May").hits
        assert {hit.outdated_by for hit in on_the_day if hit.line.source == OLD} == {NEW}


def test_what_somebody_else_wrote_moves_nothing_of_the_author(workspace: Write) -> None:
    newer = "- Dentist moved to 14 May <!-- cp: src=web:example.org -->\n"
    assert _marks(workspace, {OLD.path: "- Dentist on 12 May\n", NEW.path: newer}) is None
