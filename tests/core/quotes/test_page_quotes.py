"""Quotes of logs on pages: the best of each topic, none twice, the newest first."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from tests.core.quotes.quoted import DAY, quote

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.memo import Findings
from commonplace.core.model import Citation, Line, Span
from commonplace.core.quotes import page_quotes, quote_leads
from commonplace.core.quotes.page_quotes import EARLIER, LOGGED, NOTES, Quote
from commonplace.core.quotes.quote_choice import are_of_reading, chosen, few_outdated, listed
from commonplace.core.quotes.quote_topics import CAUSES, DECISIONS, OTHER, PREFERENCES, WHO, is_logged, topic_of
from commonplace.core.tables import table

NOUNS = (
    *("amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "inlet"),
    *("knoll", "lagoon", "marsh", "nook", "oasis", "pond", "quarry", "reef", "swamp"),
)


def said(quotes: list[Quote]) -> list[str]:
    return [each.line.content for each in quotes]


def test_the_best_are_chosen_and_the_newest_come_first() -> None:
    quotes = [quote(noun, score=at, above=(noun,)) for at, noun in enumerate(NOUNS)]
    found = chosen(quotes)
    assert sorted(said(found)) == sorted(NOUNS[14:])  # four of what is told by its day, the best
    causes = [quote(noun, score=at, at=-at, topic=CAUSES) for at, noun in enumerate(NOUNS)]
    assert said(chosen(causes)) == list(NOUNS[12:])
    assert WHO in {each.topic for each in chosen([*quotes, quote("Also the well", topic=WHO, score=-1)])}


def test_quotes_stand_in_the_order_of_the_days_that_they_show() -> None:
    day = DAY + timedelta(9)
    undated = quote("The rudder is oak", topic=CAUSES)
    undated = undated._replace(line=undated.line._replace(recorded=None, valid=Span(day, day)))
    others = [quote("The mast is ash", topic=CAUSES, at=1), quote("The keel is pine", topic=CAUSES, at=20)]
    assert said(chosen([undated, *others])) == ["The keel is pine", "The rudder is oak", "The mast is ash"]


def test_the_name_of_whom_a_file_introduces_is_not_crowded_out() -> None:
    traits = [
        each._replace(line=each.line._replace(source=Citation("USER.md", at), recorded=None), core=True)
        for at, each in enumerate(quote(f"Likes {noun}", score=at, topic=WHO) for at, noun in enumerate(NOUNS))
    ]
    name = traits[0]._replace(line=traits[0].line._replace(content="Name: Rolf Berg"), score=-1)
    assert name.line.content in said(chosen([*traits[1:], name]))


def test_a_note_of_a_core_file_that_tells_next_to_nothing_only_fills_a_page() -> None:
    def note(noun: str, score: float) -> Quote:
        found = quote(f"`{noun}`", score=score, above=(noun,), topic=NOTES)
        return found._replace(core=True, line=found.line._replace(recorded=None))

    rest = [note(noun, 2.0) for noun in NOUNS[:3]]
    for score, shown in ((0.5, False), (1.0, True)):
        last = note(NOUNS[4], score)
        assert (last.line.content in said(chosen([*rest, last]))) == shown
        assert last.line.content in said(chosen([*rest[:2], last]))


def test_what_a_line_tells_plainly_comes_before_what_only_a_note_tells_in_brief() -> None:
    plain = [quote(noun, score=at, above=(noun,), topic=DECISIONS) for at, noun in enumerate(NOUNS[:3], 2)]
    notes = [quote(noun, score=2.5, above=(noun,), topic=NOTES)._replace(core=True) for noun in NOUNS[3:6]]
    undated = [each._replace(line=each.line._replace(recorded=None)) for each in notes]
    assert len(chosen(undated)) == 3
    assert set(said(chosen([*plain, *undated]))) == set(said(plain))


def test_what_somebody_did_on_a_day_in_plain_words_only_fills_a_page() -> None:
    rest = [quote(noun, score=1.5, above=(noun,)) for noun in NOUNS[:3]]
    deed = quote("Sent the plan of the pier to Bo", score=4.0, above=("Pier",))
    for shown in (True, False):
        assert (deed.line.content in said(chosen([*rest, deed._replace(bare=not shown)]))) == shown
        assert deed.line.content in said(chosen([*rest[:2], deed._replace(bare=not shown)]))
    older = [each._replace(line=each.line._replace(recorded=DAY - timedelta(9))) for each in rest]
    assert deed.line.content in said(chosen([*older, deed._replace(bare=True)]))  # the last day goes first
    cause = deed._replace(bare=True, topic=CAUSES)
    assert deed.line.content in said(chosen([*rest, cause]))


@pytest.mark.parametrize(
    ("deed", "more"),
    [
        ("Sent the plan of the pier to Bo", ("The pier closes each winter", "Never moor at the pier", "Pier: oak")),
        ("Sendte tegningen af molen til Bo", ("Molen er ikke af eg", "Molen lukker hver vinter", "Mole: eg")),
        ("把码头的图纸发给了小波", ("码头每年冬天关闭", "码头不收现金", "码头：橡木")),
        ("桟橋の図面をボーに送った", ("桟橋は毎年冬に閉まる", "桟橋では必ず減速", "桟橋：オーク材")),
        ("घाट का नक्शा बो को भेजा", ("घाट हर साल बंद रहेगा", "घाट पर लंगर नहीं", "घाट: लकड़ी")),
        ("Отправил план причала Бо", ("Причал закрыт каждую зиму", "Причал не из дуба", "Причал: дуб")),
    ],
)
def test_a_deed_is_bare_but_no_label_rule_or_word_of_what_lasts(deed: str, more: tuple[str, ...]) -> None:
    def bare(text: str, *, core: bool = False) -> bool:
        return page_quotes.quote(quote(text).line, 1.0, OTHER, tells_who=False, core=core).bare

    assert bare(deed)
    assert not bare(deed, core=True)  # its owner keeps it
    assert bare("Booked at: https://example.org/harbour/berths/2026")
    assert not any(map(bare, more))


def test_of_what_only_its_day_tells_a_line_that_is_understood_by_itself_comes_first() -> None:
    long = "the keel of the ferry was painted by hand in the shed behind the long pier of the club"
    brief = [quote(noun, score=1.5, above=(noun,)) for noun in NOUNS[:9]]
    assert long in said(chosen([*brief, quote(long, score=1.0, above=("Ferry",))]))


def test_a_cause_that_only_its_words_tell_needs_more_worth() -> None:
    def topic(text: str, score: float, *above: str) -> str:
        line = Line(text, (), Citation("memory/a.md", 3), DAY, context=above)
        return page_quotes.quote(line, score, CAUSES, tells_who=False, core=False).topic

    asked = "Rolf asked for a new berth, because the old one is short"
    assert topic(asked, 2.0) == LOGGED
    assert topic(asked, 4.0) == CAUSES
    assert topic(asked, 2.0, "Lessons") == CAUSES
    assert topic("**Root cause:** the old berth is short", 6.0) == LOGGED  # it teaches nothing
    assert topic("**Root cause:** always ask for the long berth", 2.0) == CAUSES
    assert topic("**Lesson:** the old berth is short", 2.0) == CAUSES
    assert topic("| Berth 3 | late | because it rained |", 2.0) == LOGGED


def test_one_list_gives_two_quotes_and_what_is_said_gives_none() -> None:
    quotes = [quote(noun, above=("## Ours",)) for noun in NOUNS[:5]]
    assert len(chosen(quotes)) == 2
    assert chosen([quote("The boiler was replaced in March")], said=["In March the boiler was replaced"]) == []


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("**Sloop** (since spring)", True),
        ("**Sloop** - a talk on keels", True),
        ("帆船の係留が安全な理由", True),
        ("Sister: Anna, nurse", False),
        ("**Sloop** → sold", False),
        ("The sloop was sold to a baker.", False),
        ("The sloop and its dinghy lie at the long pier behind the sheds all winter", False),
    ],
)
def test_a_brief_bullet_that_goes_on_below_is_a_title(text: str, *, title: bool) -> None:
    assert quote_leads.is_title(quote(text).line) == title


def test_a_page_of_the_workspace_counts_core_files_by_their_words_but_for_rules() -> None:
    good = [quote(noun, score=2, at=at) for at, noun in enumerate(NOUNS[:3])]
    assert len(listed(good)) == 3
    assert len(listed(good[:1])) == 1
    bonus = table("worth")["weights"]["core file"]
    core = [each._replace(core=True) for each in good]
    assert listed(core) == []
    assert len(listed([each._replace(score=2 + bonus) for each in core])) == 3
    assert len(listed([each._replace(topic=PREFERENCES) for each in core])) == 3


def test_more_rules_of_one_list_are_listed_than_of_other_things() -> None:
    lines = [quote(noun, score=2) for noun in NOUNS]
    assert len(listed(lines)) == 2
    assert len(listed([each._replace(topic=PREFERENCES) for each in lines])) == 6


def test_what_has_no_topic_is_of_its_day_and_of_a_core_file_who_there_is() -> None:
    def told(line: Line, *, core: bool = False) -> Quote:
        return page_quotes.quote(line, 1.0, OTHER, tells_who=False, core=core)

    assert told(quote("a").line).topic == LOGGED
    assert told(quote("a", at=-300).line).topic == LOGGED  # what is old need not have ended
    undated = quote("a").line._replace(recorded=None)
    assert told(undated, core=True).topic == WHO
    assert told(undated).topic == NOTES
    assert told(undated._replace(content="Mast mended (2026-02-28)"), core=True).topic == LOGGED


@pytest.mark.parametrize(
    ("text", "above", "topic"),
    [
        ("**Role:** harbour master", (), WHO),
        ("- Navn: Rolf", (), WHO),
        ("**生年月日**: 1984年6月", (), WHO),
        ("职业：船长", (), WHO),
        ("Ask before you sell a boat", (), PREFERENCES),
        ("**My job**: Ask before you sell a boat", (), PREFERENCES),
        ("**My job**: When a boat is sold, tell Rolf", (), PREFERENCES),
        ("**Mission:** Keep the harbour dry", (), WHO),
        ("Wakes at 4:30 and walks the dog", ("Morning habits",), NOTES),
        ("Short sentences", ("When Rolf writes to the board:",), PREFERENCES),
        ("Skriv kort og på dansk", (), PREFERENCES),
        ("Не пиши ночью", (), PREFERENCES),
        ("Tide tables hang in the shed", (), NOTES),
        ("Boat register finished 2026-02-20", (), LOGGED),
        ("**Education:** school of navigation", ("Job search of our son",), NOTES),
        ("学历：航海学校", ("儿子求职信息",), NOTES),
        ("**Birthday:** 1969-07-28", (), WHO),
        ("How the owner lives is told in `HARBOUR.md`", (), NOTES),
    ],
)
def test_a_file_that_introduces_somebody_says_who_that_is_by_labels_and_how_to_behave_by_orders(
    text: str, above: tuple[str, ...], topic: str
) -> None:
    line = Line(text, (), Citation("USER.md", 3), None, context=above)
    assert page_quotes.quote(line, 1.0, OTHER, tells_who=False, core=True).topic == topic


def test_what_a_guide_changes_in_a_step_is_no_decision() -> None:
    def told(path: str, text: str) -> str:
        line = Line(text, (), Citation(path, 3), None, context=("2. Rigging",))
        return page_quotes.quote(line, 1.0, DECISIONS, tells_who=False, core=path == "MEMORY.md").topic

    assert told("memory/rigging.md", "The mast was changed to pine") == NOTES
    assert told("memory/rigging.md", "Decision: the mast is of pine") == DECISIONS
    assert told("MEMORY.md", "The mast was changed to pine") == DECISIONS


def test_what_was_ahead_and_is_over_has_passed() -> None:
    def told(start: int, end: int) -> str:
        valid = Span(DAY + timedelta(start), DAY + timedelta(end))
        line = quote("Meets the bank", at=5).line._replace(valid=valid)
        newest = (DAY + timedelta(10)).toordinal()
        return page_quotes.quote(line, 1.0, OTHER, tells_who=False, core=False, newest=newest).fault

    assert told(7, 8) == "over"
    assert [told(7, 12), told(5, 5), told(3, 4)] == ["", "", ""]


def test_a_plan_whose_day_has_passed_is_a_plan() -> None:
    day = DAY + timedelta(7)
    line = quote("Meets the bank", at=5, above=("Next steps",)).line._replace(valid=Span(day, day))
    newest = (DAY + timedelta(10)).toordinal()
    assert page_quotes.quote(line, 1.0, OTHER, tells_who=False, core=False, newest=newest).fault == "plan"


def test_an_undated_row_that_says_it_is_ahead_is_over_with_its_day() -> None:
    for row, why in (
        ("| Bank | 2026-03-04 | booked |", "over"),
        ("| Банк | 2026-03-04 | Запланировано |", "over"),
        ("| 銀行 | 2026-03-04 | 予定 |", "over"),
        ("| Bank | 2026-03-04 | agreed |", ""),
        ("| Bank | 2026-03-24 | booked |", ""),
    ):
        line = Line(row, (), Citation("memory/talks.md", 3), None, context=("| Who | When | Status |",))
        newest = date(2026, 3, 10).toordinal()
        assert page_quotes.quote(line, 1.0, OTHER, tells_who=False, core=False, newest=newest).fault == why


def test_what_a_quote_tells_is_found_once_whatever_the_newest_day() -> None:
    first = Findings()
    line = quote("Decided to moor the ferry at the north pier").line
    ahead = line._replace(valid=Span(DAY + timedelta(3), DAY + timedelta(4)))

    def told(each: Line, day: int, findings: Findings | None) -> Quote:
        newest = (DAY + timedelta(day)).toordinal()
        return page_quotes.quote(each, 1.0, DECISIONS, tells_who=False, core=False, newest=newest, findings=findings)

    asked = [(line, 0), (line, 9), (ahead, 9), (ahead, 0)]
    alone = [told(each, day, None) for each, day in asked]
    assert [told(each, day, first) for each, day in asked] == alone
    later = Findings(first.met)
    assert [told(each, day, later) for each, day in asked] == alone
    assert later.met == first.met
    assert [each.fault == "over" for each in alone] == [False, False, True, False]
    assert {each.until for each in alone} == {None, (DAY + timedelta(4)).toordinal()}


def test_what_is_of_little_use_fills_a_page_and_no_more() -> None:
    good = [quote(noun, score=2, at=-at) for at, noun in enumerate(NOUNS[:2])]
    spare = [quote(noun, score=9, at=1)._replace(fault="moment") for noun in NOUNS[5:9]]
    assert said(chosen([*good, *spare])) == [NOUNS[5], *said(good)]
    assert len(chosen([*good, *spare], fewest=4)) == 4
    assert said(chosen([*good, quote("knoll", score=2), *spare])) == ["amber", "knoll", "birch"]


def test_a_page_is_filled_with_what_lasts_before_what_held_for_a_moment() -> None:
    passed, late = quote("cedar", score=9)._replace(fault="moment"), quote("dune", score=1)._replace(fault="late")
    assert said(chosen([quote("amber"), passed, late], fewest=2)) == ["amber", "dune"]


def test_lines_that_say_nearly_the_same_in_two_files_stand_once() -> None:
    found = chosen(
        [
            quote("Never use red ink in letters or drafts", score=3, topic=PREFERENCES),
            quote("Never use red ink in any letters, drafts and invoices", score=2, topic=PREFERENCES, at=-1),
            quote("Use blue ink on the tide tables", score=2, topic=PREFERENCES, at=-2),
        ]
    )
    assert len(found) == 2


@pytest.mark.parametrize(
    ("heading", "shown"),
    [
        ("Boiler of the boathouse", "Boiler of the boathouse"),
        ("09:30 Boiler (second try, after the flood)", "Boiler (second try, after the flood)"),
        ("Boiler (2026-03-01, 14:30)", "Boiler"),
        ("12:57 [Guest: Ines] Second berth (free of charge)", "[Guest: Ines] Second berth (free of charge)"),
        ("Critical mistake - the pump of the boathouse", "Critical mistake - the pump of the boathouse"),
        ("3. Boiler", "Boiler"),
        ("2:00 PM – Boiler", "Boiler"),
        ("~5:45 a.m.: Boiler", "Boiler"),
        ("23:04-23:10 Boiler", "Boiler"),
        ("9:00 AM – 11:30 AM: Boiler", "Boiler"),
        ("23:04～23:10 ボイラー", "ボイラー"),
        ("05:08 UTC — Boiler", "Boiler"),
        ("05:08 CEST: Boiler", "Boiler"),
        ("05:08 BERT was trained", "BERT was trained"),
        ("10:15 ratio of oil", "ratio of oil"),
        (
            "The boiler takes `oil:winter` from the old tank at low tide",
            "The boiler takes `oil:winter` from the old tank at low tide",
        ),
        ("Session 3: the boiler was mended", "the boiler was mended"),
        ("Evening session — Notes: boiler", "boiler"),
        ("Session: boiler", "boiler"),
        ("Aftensession – Kedlen blev repareret", "Aftensession – Kedlen blev repareret"),
        ("IT: backups", "IT: backups"),
        ("Main: pump of the boathouse", "Main: pump of the boathouse"),
        ("Sent: three letters", "Sent: three letters"),
        ("Den – carpet", "Den – carpet"),
        ("Fund – rules of payment", "Fund – rules of payment"),
        ("Memory | 16 GB or 32 GB", "Memory | 16 GB or 32 GB"),
        ("Det – og hvad det koster", "Det – og hvad det koster"),
        ("关键：锅炉的阀门", "关键：锅炉的阀门"),
        ("記憶：十六ギガ", "記憶：十六ギガ"),
        ("मुख्य: घाट का पंप", "मुख्य: घाट का पंप"),
        ("Память: шестнадцать гигабайт", "Память: шестнадцать гигабайт"),
        ("Resumé: kedlen blev repareret", "kedlen blev repareret"),
        ("总结：锅炉修好了", "锅炉修好了"),
        ("總結：鍋爐修好了", "鍋爐修好了"),
        ("まとめ：ボイラー修理", "ボイラー修理"),
        ("सारांश: बॉयलर की मरम्मत", "बॉयलर की मरम्मत"),
        ("Итоги: котёл починили", "котёл починили"),
        ("Boiler: session 3", "Boiler: session 3"),
        (
            "Idea 3: a boiler that burns larch, for which nobody pays",
            "a boiler that burns larch, for which nobody pays",
        ),
        ("Notes on the boiler", "Notes on the boiler"),
        ("Decision: the boiler is sold to the old yard", "Decision: the boiler is sold to the old yard"),
        ("Brother: Anders, welder at the yard in the north, works in shifts of twelve hours", "Brother"),
        ("弟弟：安德斯，在北边船厂做焊工，每班十二小时，每周休息三天", "弟弟"),
        (
            "The boiler of the boathouse and the way in which it was mended by all of us",
            "The boiler of the boathouse and the way in which it was…",
        ),
    ],
)
def test_of_a_heading_as_much_is_shown_as_a_reader_needs(heading: str, shown: str) -> None:
    assert quote_leads.brief(heading) == shown


def test_a_line_brings_what_it_stands_below() -> None:
    for above, lead in (
        (("2026-03-01", "Boiler of the boathouse", "09:30"), "Boiler of the boathouse"),
        (("2026-03-01 (Sun)", "Morning"), ""),
        (("2026-03-01 Daily Log", "Key decisions"), ""),
        (("USER.md - About your human",), ""),
        (("锅炉的更换和保险", "| a | b |"), "锅炉的更换和保险"),
        (("2026-03-01 – Costs 900",), ""),
        (("Boiler of the boathouse", "Next steps"), "Boiler of the boathouse"),
        (("Boiler of the boathouse", "Winter fuel"), "Winter fuel"),
        (("Boiler of the boathouse", "Important notes:"), "Boiler of the boathouse"),
        (("Idea 3",), ""),
        (("Rules (to be updated)", "Daily log"), ""),
        (("Vigtige noter og idéer",), ""),
        (("其他重要事项", "今日日志"), ""),
        (("日次ログ", "その他のメモ"), ""),
        (("महत्वपूर्ण बातें",), ""),
        (("आज की बातें",), ""),
        (("Важные заметки",), ""),
        (("Study of the boathouse", "Key findings"), "Study of the boathouse"),
        (("船的研究和保险", "主要结果"), "船的研究和保险"),
        (("Session of Friday", "Boiler:"), "Boiler"),
        (("Boathouse:", "Boiler:"), "Boathouse – Boiler"),
        (("Boathouse:", "Boiler:", "Notes:"), "Boathouse – Boiler"),
        (("Rules for the boathouse", "Boiler:"), "Rules for the boathouse – Boiler"),
        (("船屋：", "锅炉："), "船屋 – 锅炉"),
        (("ボート小屋", "ボイラー："), "ボート小屋 – ボイラー"),
        (("Bådehus:", "Kedel:"), "Bådehus – Kedel"),
        (("नावघर:", "बॉयलर:"), "नावघर – बॉयलर"),
        (("Эллинг:", "Котёл:"), "Эллинг – Котёл"),
        (("2026-03-01 — Boiler + Crane + Ferry",), ""),
        (("2026-03-01 — 锅炉、起重机、渡轮",), ""),
        (("2026-03-01 — Boiler + Crane",), "Boiler + Crane"),
        (("Boiler, crane, ferry",), "Boiler, crane, ferry"),
        (("Technical details",), ""),
        (("Completed today",), ""),
        (("Tekniske detaljer",), ""),
        (("Сделано сегодня",), ""),
        (("今天已完成",), ""),
        (("本日の完了内容",), ""),
        (("About your human", "**Role:**"), "Role"),
        (("关于用户", "职业："), "职业"),
        (("ユーザーについて", "役職："), "役職"),
        (("Om brugeren", "Rolle:"), "Rolle"),
        (("About your human", "**Notes:**"), "About your human"),
    ):
        assert quote_leads.lead(quote("Costs 900", above=above).line) == lead
    assert quote_leads.lead(quote("Costs 900 " * 20, above=("Boiler of the boathouse",)).line) == ""
    row = page_quotes.rows([quote("Costs 900")._replace(below="2026-03-01 — Boiler of the boathouse")], "bank/world.md")
    assert row[0][0] == "- 2026-03-01: Boiler of the boathouse: Costs 900 ([log](../memory/2026-03-01.md))"


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Log of Rolf", ""),
        ("Rolf's long-term memory", ""),
        ("Daily log — Sunday, March 1, 2026", ""),
        ("Rolfs arbejdslog, marts 2026", ""),
        ("罗尔夫的工作日志", ""),
        ("羅爾夫的工作日誌", ""),
        ("ロルフの作業日誌", ""),
        ("रोल्फ की डायरी", ""),
        ("Дневник Рольфа за март", ""),
        ("Memory leak in the relay", "Memory leak in the relay"),
        ("Log rotation broke on the NAS", "Log rotation broke on the NAS"),
        ("Daily backup fails", "Daily backup fails"),
        ("Journal of the harbour board", "Journal of the harbour board"),
        ("Rolf and the log of Anders", "Rolf and the log of Anders"),
        ("Hukommelsesfejl i relæet, log vedlagt", "Hukommelsesfejl i relæet, log vedlagt"),
        ("继电器日志丢失", "继电器日志丢失"),
        ("繼電器日誌遺失", "繼電器日誌遺失"),
        ("リレーのメモリ不足", "リレーのメモリ不足"),
        ("रिले का लॉग भर गया", "रिले का लॉग भर गया"),
        ("Утечка: память реле", "Утечка: память реле"),
    ],
)
def test_the_title_of_a_log_says_nothing_but_what_it_is_and_whose(title: str, shown: str) -> None:
    names = ("rolf", "罗尔夫", "ろるふ", "रोल्फ", "рольф")
    line = quote("Costs 900", above=(title, "Lessons")).line
    assert quote_leads.lead(line, names=names) == shown
    elsewhere = line._replace(source=Citation("memory/harbour.md", 3))
    assert quote_leads.lead(elsewhere, names=names) in (title, shown)
    journal = elsewhere._replace(context=(title, "2026-03-01", "Lessons"))
    assert quote_leads.lead(journal, names=names) == shown


@pytest.mark.parametrize(
    ("title", "name", "shown"),
    [
        ("Bos dagbog", "bo", ""),
        ("Bo's logbook", "bo", ""),
        ("Logbog", "bo", ""),
        ("Logbook", "lo", ""),
        ("Log of Lo", "lo", ""),
        ("Climax log", "max", "Climax log"),
        ("Дневник Ан", "ан", ""),
        ("Дневник Анкары", "ан", "Дневник Анкары"),
        ("नाव की डायरी", "ना", "नाव की डायरी"),
        ("明的工作日志", "明", ""),
    ],
)
def test_a_name_in_a_title_is_a_whole_word(title: str, name: str, shown: str) -> None:
    line = quote("Costs 900", above=(title, "Lessons")).line
    assert quote_leads.lead(line, names=(name,)) == shown


@pytest.mark.parametrize(
    "heading",
    [
        "Wins",
        "Personal",
        "Tasks",
        "Todo",
        "Bugs",
        "Fixes",
        "Lunch",
        "Before",
        "Sejre",
        "Победы",
        "战果",
        "सफलता",
        "メモリ",
    ],
)
def test_one_short_word_is_a_section_unless_it_is_a_name_or_leads_to_a_list(heading: str) -> None:
    line = quote("Costs 900", above=("Boathouse of Rolf", heading)).line
    assert quote_leads.lead(line) == "Boathouse of Rolf"
    known = (entity_key(heading),)
    assert quote_leads.lead(line, known=known) == f"Boathouse of Rolf – {heading}"
    nested = line._replace(context=("Boathouse of Rolf", f"{heading}:"))
    assert quote_leads.lead(nested) == f"Boathouse of Rolf – {heading}"


@pytest.mark.parametrize(
    ("heading", "shown"),
    [
        ("Boiler + Crane + Ferry", ""),
        ("Budget of 1,200,000 for the pier", "Budget of 1,200,000 for the pier"),
        ("Storm in Hirtshals, Denmark, and its toll", "Storm in Hirtshals, Denmark, and its toll"),
        ("Storm, tagrender, og hvad det kostede", "Storm, tagrender, og hvad det kostede"),
        ("Шторм в Одессе, Украина, и его цена", "Шторм в Одессе, Украина, и его цена"),
        ("在丹麦，风暴过后，修船", "在丹麦，风暴过后，修船"),
        ("船小屋の古い屋根が飛んだ、嵐の夜、修理", "船小屋の古い屋根が飛んだ、嵐の夜、修理"),
        ("तूफ़ान, डेनमार्क, और उसका ख़र्च", "तूफ़ान, डेनमार्क, और उसका ख़र्च"),
    ],
)
def test_only_several_short_things_are_a_list(heading: str, shown: str) -> None:
    assert quote_leads.lead(quote("Costs 900", above=("Log", f"2026-03-01: {heading}")).line) == shown


def test_below_a_name_a_line_brings_what_is_nearer_to_it() -> None:
    line = quote("Pine, spruce, oak", above=("Boats", "Sloop", "Woods that Rolf may order", "| a | b |")).line
    assert quote_leads.nearer(line, "Sloop") == "Woods that Rolf may order"
    assert quote_leads.nearer(line, "Woods that Rolf may order") == quote_leads.nearer(line, "Ferry") == ""


@pytest.mark.parametrize(
    ("above", "heading", "shown"),
    [
        (("Sloop", "Woods for the deck"), "Sloop", "Woods for the deck"),
        (("About the Sloop (ours)",), "About the Sloop (ours)", ""),
        (("Boats", "Sloop notes"), "Sloop notes", ""),
        (("Sloop repairs, autumn",), "Sloop repairs, autumn", "Sloop repairs, autumn"),
        (("Sloop repairs, autumn", "Important notes"), "Sloop repairs, autumn", "Sloop repairs, autumn"),
        (("Pine of the Sloop",), "Pine of the Sloop", "Pine of the Sloop"),
        (("Sloop pine",), "Sloop pine", "Sloop pine"),
        (("关于Sloop",), "关于Sloop", "关于Sloop"),
        (("Sloop信息",), "Sloop信息", ""),
    ],
)
def test_on_a_page_nothing_is_shown_that_its_title_says(above: tuple[str, ...], heading: str, shown: str) -> None:
    line = quote("Needs oak for the keel", above=above).line
    assert quote_leads.shown_heading(line, heading, "sloop") == shown


def test_what_a_line_or_the_name_of_its_file_says_is_not_shown_before_it() -> None:
    line = quote("Oak for the keel of the Sloop", above=("Sloop keel",)).line
    assert quote_leads.shown_heading(line, "Sloop keel", "") == ""
    note = quote("Needs oak", above=("Harbour plan",)).line._replace(source=Citation("memory/harbour-plan.md", 3))
    assert quote_leads.lead(note) == ""
    assert quote_leads.lead(quote("Needs oak", above=("Harbour plan",)).line) == "Harbour plan"
    study = quote("Needs oak", above=("Findings",))
    study = study._replace(line=study.line._replace(source=Citation("memory/2026-03-01-keel-study.md", 3)))
    assert page_quotes.rows([study], "bank/world.md")[0][0].endswith(
        "Needs oak ([2026-03-01-keel-study.md](../memory/2026-03-01-keel-study.md))"
    )
    shown = page_quotes.rows([quote("**Insight:** oak lasts")._replace(below="Call — key insight")], "bank/world.md")
    assert shown[0][0] == "- 2026-03-01: Call — key insight: oak lasts ([log](../memory/2026-03-01.md))"


def test_on_the_page_that_a_heading_names_no_farther_heading_is_shown() -> None:
    line = quote("Needs oak", above=("Boats of the club", "Sloop of Ribe")).line
    assert quote_leads.lead(line, "sloop of ribe") == ""
    assert quote_leads.lead(line) == "Sloop of Ribe"


@pytest.mark.parametrize(
    ("text", "above", "topic"),
    [
        ("**Current title:** harbour master", "Notes", WHO),
        ("現在の役職：港長", "メモ", WHO),
        ("Harbour of Ribe: deputy master", "Career", WHO),
        ("Harbour of Ribe: deputy master", "Identity and current role", WHO),
        ("里伯港：副港长", "工作信息", WHO),
        ("Порт Рибе: помощник капитана", "Карьера", WHO),
        ("रिबे बंदरगाह: सहायक", "करियर", WHO),
        ("Ribe Havn: vicehavnefoged", "Karriere", WHO),
        ("Harbour of Ribe: deputy master", "Boats", OTHER),
        ("Time rule: use the time of Oslo in each message", "Identity and current role", PREFERENCES),
    ],
)
def test_work_below_its_heading_tells_who_somebody_is(text: str, above: str, topic: str) -> None:
    line = quote(text, above=(above,)).line._replace(source=Citation("USER.md", 3), recorded=None)
    found = page_quotes.quote(line, 1.0, OTHER, tells_who=False, core=True).topic
    assert found == (NOTES if topic == OTHER else topic)


def test_an_undated_note_gives_two_lines_whatever_its_headings() -> None:
    notes = [
        quote(noun, score=3, above=(noun,))._replace(
            line=Line(noun, (), Citation("memory/textbook.md", at), None, context=(noun,))
        )
        for at, noun in enumerate(NOUNS)
    ]
    assert len(chosen(notes)) == 2


def test_marks_around_a_heading_are_not_shown() -> None:
    for below in ("**Rules of the quay:**", "**Rules** of the **quay**"):
        each = quote("closes at noon")._replace(below=below)
        assert " Rules of the quay: closes at noon" in page_quotes.rows([each], "bank/world.md")[0][0]


def test_a_line_that_only_leads_in_what_follows_is_no_quote() -> None:
    assert quote_leads.leads_in(quote("The rooms of the boathouse are **these:**").line)
    assert quote_leads.leads_in(quote("船屋的房间如下：").line)
    assert not quote_leads.leads_in(quote("The rooms: two").line)
    assert quote_leads.leads_in(quote("Backups of the quay: → see `docs/backups.md`").line)
    assert not quote_leads.leads_in(quote("Backups of the quay are told of in `docs/backups.md`").line)
    assert quote_leads.leads_in(quote("Ask the harbour master → moor →").line)
    assert quote_leads.leads_in(quote("**Rolle**: _(folgt)_").line)
    assert not quote_leads.leads_in(quote("**Rolle**: Lotse _(im Hafen)_").line)


@pytest.mark.parametrize(
    "heading", ["Core features", "Why it matters", "核心功能", "MEMORY — 记忆索引", "主な機能", "Funktioner", "Функции"]
)
def test_a_heading_for_what_anything_has_tells_nothing(heading: str) -> None:
    assert quote_leads.is_vague(heading)
    assert not quote_leads.is_vague(f"{heading} Ferry")


def test_what_only_its_day_tells_is_told_of_the_last_such_day_and_earlier_ones_fill_a_page() -> None:
    stood = [quote(noun, at=at, score=9 - at) for at, noun in enumerate(NOUNS[:4])]
    cause = quote("leaks", topic=CAUSES, at=-9)
    assert said(chosen([*stood, cause])) == ["dune", "cedar", "leaks"]
    assert said(chosen(stood)) == ["dune", "cedar", "birch"]
    faulty = [quote(f"{noun} broke", at=9, score=9)._replace(fault="late") for noun in NOUNS[5:8]]
    assert said(chosen([*stood, *faulty])) == ["dune", "cedar", "birch"]  # what is faulty is no last day
    note = quote("undated", score=9)
    note = note._replace(line=note.line._replace(recorded=None))
    assert note in chosen([*stood, note])


def test_what_only_its_day_tells_fills_a_page_that_has_little_else() -> None:
    strong = [quote(noun, score=2, above=(noun,)) for noun in NOUNS[:3]]
    weak, ticked = quote("Ferry sails", score=0.5), quote("Ferry ✅ sails")
    assert said(chosen([*strong, weak, ticked])) == said(strong)
    assert len(chosen([*strong[:2], weak])) == 3
    assert len(chosen([*strong, weak._replace(topic=CAUSES)])) == 4


@pytest.mark.parametrize(
    ("text", "topic", "day", "shown"),
    [
        ("Do not sign before this meeting", PREFERENCES, DAY, (LOGGED, "over")),
        ("Never sign before a meeting", PREFERENCES, DAY, (PREFERENCES, "")),
        ("Going with the old sail, just today", DECISIONS, DAY, (LOGGED, "over")),
        ("明天必须卖船", PREFERENCES, DAY, (LOGGED, "over")),
        ("Never say “see you tomorrow”", PREFERENCES, DAY, (PREFERENCES, "")),
        ("19:43 switched to battery", DECISIONS, DAY, (LOGGED, "over")),
        ("23:37以降は電池に切り替え", DECISIONS, DAY, (LOGGED, "over")),
        ("19:45 is the hour of the ferry from now on", DECISIONS, DAY, (DECISIONS, "")),
        ("Never take the ferry at 7:42", PREFERENCES, DAY, (PREFERENCES, "")),
        ("14:32 Never sail on a Friday", PREFERENCES, DAY, (PREFERENCES, "")),
        ("**14:32** – Decided to keep the sloop", DECISIONS, DAY, (DECISIONS, "")),
        ("[09:17] Besluttede at sælge båden", DECISIONS, DAY, (DECISIONS, "")),
        ("14:32 决定卖船", DECISIONS, DAY, (DECISIONS, "")),
        ("14:32 決定賣船", DECISIONS, DAY, (DECISIONS, "")),
        ("14:32 船を売ることに決定", DECISIONS, DAY, (DECISIONS, "")),
        ("14:32 नाव बेचने का फैसला किया", DECISIONS, DAY, (DECISIONS, "")),
        ("14:32 Решили продать лодку", DECISIONS, DAY, (DECISIONS, "")),
        ("14:32 Договорились: лодку продаём", DECISIONS, DAY, (DECISIONS, "")),
        ("14:32 船を売ることで合意", DECISIONS, DAY, (DECISIONS, "")),
    ],
)
def test_a_rule_or_decision_bound_to_a_day_holds_no_longer_than_that(
    text: str, topic: str, day: date, shown: tuple[str, str]
) -> None:
    line = Line(text, (), Citation("memory/2026-03-01.md", 3), day)
    found = page_quotes.quote(line, 1.0, topic, tells_who=False, core=False)
    assert (found.topic, found.fault) == shown


def test_below_a_heading_of_decisions_a_minute_makes_no_deed() -> None:
    def topic(*above: str, day: date | None = DAY) -> str:
        line = Line("19:43 switched to battery", (), Citation("memory/2026-03-01.md", 3), day, context=above)
        return page_quotes.quote(line, 1.0, DECISIONS, tells_who=False, core=day is None).topic

    assert topic("Decisions") == topic(day=None) == DECISIONS
    assert topic("Sloop") == LOGGED


@pytest.mark.parametrize(
    "label",
    [
        "Purpose",
        "Formål",
        "核心使命",
        "役割",
        "उद्देश्य",
        "Миссия",
        "Avoid for",
        "Ikke egnet til",
        "不适用于",
        "不得意",
    ],
)
def test_a_purpose_in_a_log_is_no_rule(label: str) -> None:
    def told(label: str, day: date | None = DAY) -> tuple[str, str]:
        line = Line(f"**{label}:** Never drift at night", (), Citation("memory/2026-03-01.md", 3), day)
        found = page_quotes.quote(line, 1.0, PREFERENCES, tells_who=False, core=day is None)
        return found.topic, found.fault

    assert told(label) == (LOGGED, "")
    assert told("Rule") == (PREFERENCES, "")


@pytest.mark.parametrize("label", ["Dislikes", "苦手"])
def test_what_somebody_dislikes_is_no_calling(label: str) -> None:
    line = Line(f"**{label}:** herring", (), Citation("USER.md", 3), None, context=("USER.md", "Profile"))
    assert page_quotes.quote(line, 1.0, PREFERENCES, tells_who=True, core=True).topic == PREFERENCES


def test_a_habit_at_an_hour_is_no_rule() -> None:
    line = Line("Wakes at 4:30", (), Citation("MEMORY.md", 3), None, context=("Habits",))
    assert page_quotes.quote(line, 1.0, PREFERENCES, tells_who=False, core=True).topic == WHO
    rule = line._replace(content="Never call before 9:00")
    assert page_quotes.quote(rule, 1.0, PREFERENCES, tells_who=False, core=True).topic == PREFERENCES


def test_a_line_whose_statement_another_contains_is_dropped() -> None:
    part = quote("Never paint the mast red", score=3, topic=PREFERENCES)
    whole = quote(
        "Never paint the mast red or blue, since both fade by the autumn at this pier", score=2, topic=PREFERENCES
    )
    other = quote("Use blue ink on 7 tide tables", score=2, topic=PREFERENCES, at=-1)
    assert said(chosen([part, whole, other], fewest=2)) == said([whole, other])


def test_who_somebody_is_stays_beside_other_lines_with_the_name() -> None:
    wife, other = quote("**Wife:** Ines", topic=WHO), quote("Ines keeps the keys of the pier", score=3, at=-1)
    assert set(said(chosen([wife, other], fewest=1))) == set(said([wife, other]))


def test_what_was_done_without_a_word_for_what_was_wrong_is_a_bare_fix() -> None:
    assert quote_leads.is_bare_fix(quote("**対応**: 桟橋を閉めた")._replace(below="客船の依頼"))
    assert not quote_leads.is_bare_fix(quote("**対応**: 桟橋を閉めた")._replace(below="桟橋の事故"))
    assert not quote_leads.is_bare_fix(quote("**Cause**: the pier is closed"))


def test_few_quotes_of_a_page_may_be_said_of_anything() -> None:
    def note(text: str, at: int) -> Quote:
        line = Line(text, (), Citation(f"memory/notes-{at}.md", 3), None)
        return Quote(line, 1.0, NOTES, NOTES)

    praise = [note(f"Praise {noun}", at) for at, noun in enumerate(NOUNS[:5])]
    own = [note(f"{noun} {at}", at + 9) for at, noun in enumerate(NOUNS[5:8], 2)]
    assert len(chosen(praise)) == 3
    assert sum(text.startswith("Praise") for text in said(chosen([*praise, *own]))) == 2


def test_what_is_outdated_only_fills_the_page_of_an_entity() -> None:
    quotes = [quote(noun, at=-at) for at, noun in enumerate(NOUNS[:6])]
    old = [each._replace(newer=quotes[0].line) for each in quotes]
    assert said(few_outdated([*quotes[:3], *old[3:]])) == list(NOUNS[:3])
    assert said(few_outdated([quotes[0], *old[1:]])) == list(NOUNS[:3])
    passed = [each._replace(topic=EARLIER) for each in quotes]
    assert said(few_outdated([*quotes[:3], *passed[3:]])) == said(few_outdated([quotes[0], *passed[1:]]))


def test_in_a_report_only_a_label_or_heading_makes_a_decision() -> None:
    def topic(text: str, path: str, *above: str, told: str = DECISIONS) -> str:
        line = Line(text, (), Citation(path, 3), DAY, context=above)
        return page_quotes.quote(line, 3.0, told, tells_who=False, core=False).topic

    report, log = "memory/harbour-study.md", "memory/2026-03-01.md"
    assert topic("The council decided to close the old pier", report) == LOGGED
    assert topic("The council decided to close the old pier", log) == DECISIONS
    assert topic("Close the old pier", report, "Decisions") == DECISIONS
    assert topic("Never moor at the old pier", report, told=PREFERENCES) == LOGGED


def test_a_file_of_what_was_read_is_no_log() -> None:
    line = Line("The pier is closed", (), Citation("memory/research/2026-03-01.md", 3), DAY)
    assert not is_logged(line)
    assert is_logged(line._replace(source=Citation("memory/2026-03-01.md", 3)))


@pytest.mark.parametrize(
    ("text", "above", "topic"),
    [
        ("Use the south pier for the ferry", "Decisions", DECISIONS),
        ("**Decision:** use the south pier for the ferry", "Ferry", DECISIONS),
        ("**Berth decision:** keep the ferry at the south pier", "Ferry", DECISIONS),
        ("Brug den sydlige mole til færgen", "Beslutninger", DECISIONS),
        ("使用南码头停渡轮", "决定", DECISIONS),
        ("使用南碼頭停渡輪", "決定", DECISIONS),
        ("必ず南の桟橋を使う", "決定", DECISIONS),
        ("हमेशा दक्षिणी घाट का उपयोग करें", "निर्णय", DECISIONS),
        ("Используй южный причал для парома", "Решения", DECISIONS),
        ("Use the south pier, as we switched to it in May", "Ferry", DECISIONS),
        ("Use the south pier for the ferry", "Ferry", WHO),
    ],
)
def test_what_is_called_a_decision_is_one_whatever_it_orders(text: str, above: str, topic: str) -> None:
    line = Line(text, (), Citation("MEMORY.md", 3), None, context=(above,))
    told = topic_of(line, who=False)
    assert page_quotes.quote(line, 3.0, told, tells_who=False, core=True).topic == topic


@pytest.mark.parametrize(
    ("path", "above"),
    [
        ("memory/2026-03-01.md", "Harbour"),
        ("memory/2026/03/01.md", "Harbour"),
        ("memory/2026-03.md", "2026-03-01"),
        ("memory/2026-03.md", "March 1, 2026: the council"),
        ("memory/2026-03.md", "Mar 1"),
        ("memory/journal.md", "2026年3月1日"),
        ("memory/dagbog.md", "1. marts 2026"),
        ("memory/дневник.md", "1 марта 2026"),
    ],
)
def test_a_file_with_entries_of_days_is_a_log(path: str, above: str) -> None:
    line = Line("The council decided to close the old pier", (), Citation(path, 3), DAY, context=("Journal", above))
    assert page_quotes.quote(line, 3.0, DECISIONS, tells_who=False, core=False).topic == DECISIONS


@pytest.mark.parametrize(
    ("path", "above"),
    [
        ("memory/study-2026-03-01.md", "Harbour"),
        ("memory/harbour-study.md", "Harbour"),
        ("memory/harbour-study.md", "What the storm of 2026-03-01 broke"),
        ("memory/harbour-study.md", "2026-02-11: an older storm"),
    ],
)
def test_what_is_dated_otherwise_is_no_log(path: str, above: str) -> None:
    line = Line("The council decided to close the old pier", (), Citation(path, 3), DAY, context=("Study", above))
    assert page_quotes.quote(line, 3.0, DECISIONS, tells_who=False, core=False).topic == LOGGED


@pytest.mark.parametrize(
    ("title", "logged"),
    [
        ("2026-03-01 Harbour study", False),
        ("Harbour study, 2026-03-01", False),
        ("1. marts 2026: havnestudie", False),
        ("2026年3月1日 港口研究", False),
        ("2026年3月1日 港の調査", False),
        ("1 मार्च 2026: बंदरगाह का अध्ययन", False),
        ("1 марта 2026: исследование порта", False),
        ("2026-03-01", True),
        ("1. marts 2026", True),
        ("2026年3月1日", True),
        ("1 марта 2026", True),
    ],
)
def test_a_report_whose_title_has_its_day_is_no_log(title: str, *, logged: bool) -> None:
    line = Line("The pier is closed", (), Citation("memory/harbour-study.md", 3), DAY, context=(title, "Findings"))
    assert is_logged(line) == logged


@pytest.mark.parametrize(
    "text",
    [
        "Never store a user password in plain text",
        "Always check the anchor, as we saw in chapter 3",
        "Gem aldrig en adgangskode, som brugeren skriver; vi skal altid kryptere den",
        "用户必须先登录，我们决定的顺序不得改变",
        "用戶必須先登入，我們選定的順序不得改變",
        "必ず、ユーザーが入力した値を検証してください",
        "हमेशा वह पासवर्ड जाँचें जो उपयोगकर्ता ने लिखा",
        "Никогда не храните пароль, который вводит пользователь",
    ],
)
def test_an_order_of_a_guide_is_no_rule_of_the_owner_whomever_it_names(text: str) -> None:
    line = Line(text, (), Citation("notes/harbour-guide.md", 3), None, context=("Guide",))
    assert page_quotes.quote(line, 3.0, PREFERENCES, tells_who=False, core=False).topic == NOTES


def test_decisions_are_listed_where_somebody_calls_them_so() -> None:
    said_so = [quote(noun, score=0.9, topic=DECISIONS, above=("Key decisions",)) for noun in NOUNS[:6]]
    in_passing = [quote(f"We chose {noun}", score=0.9, topic=DECISIONS) for noun in NOUNS[6:9]]
    core = quote("We chose a new pier", score=2.0, topic=DECISIONS)._replace(core=True)
    found = said(listed([*said_so, *in_passing, core]))
    assert len(found) == 5
    assert not set(said(in_passing)) & set(found)
    assert core.line.content in found


def test_a_rule_needs_no_more_worth_than_what_is_called_a_decision() -> None:
    rule = quote("Never moor at the old pier", score=0.8, topic=PREFERENCES, above=("Rules",))
    passing = quote("We chose oak for the oars", score=0.8, at=1, topic=DECISIONS, above=("Oars",))
    cause = quote("Lesson: oak swells", score=0.8, at=2, topic=CAUSES)
    assert said(listed([rule, passing, cause])) == ["Never moor at the old pier"]


def test_what_was_learned_is_no_list_of_mends() -> None:
    mends = [quote(f"Cause: {noun}", score=9, at=at, topic=CAUSES) for at, noun in enumerate(NOUNS[:9])]
    lessons = [quote(f"Lesson: {noun}", score=5, at=at, topic=CAUSES) for at, noun in enumerate(NOUNS[9:12])]
    found = said(listed([*mends, *lessons]))
    assert sum(text.startswith("Cause") for text in found) == 3
    assert sum(text.startswith("Lesson") for text in found) == 3


@pytest.mark.parametrize(
    ("of_notes", "of_logs", "studied"),
    [
        ((NOTES, WHO), (), True),
        ((NOTES, WHO), (LOGGED,), True),
        ((NOTES, WHO), (LOGGED, LOGGED), False),
        ((NOTES, WHO), (CAUSES,), False),
        ((NOTES, DECISIONS), (LOGGED,), False),
        ((NOTES, PREFERENCES), (), False),
    ],
)
def test_what_was_decided_or_learned_is_nothing_that_was_only_read_of(
    of_notes: tuple[str, ...], of_logs: tuple[str, ...], studied: bool
) -> None:
    logged = [quote("the sloop", at=at, topic=topic) for at, topic in enumerate(of_logs)]
    noted = [quote("the sloop", topic=topic) for topic in of_notes]
    noted = [
        each._replace(line=each.line._replace(source=Citation("memory/sails.md", 3), recorded=None)) for each in noted
    ]
    assert are_of_reading([*logged, *noted]) == studied
