"""Whether one plain line outdates another, in every language, and what is no change."""

import pytest

from commonplace.core.changes.change_lexicon import REPLACED, cues
from commonplace.core.changes.outdating import ended_by, outdates
from commonplace.core.changes.stated_states import told
from commonplace.core.model import Role

CHANGES = {
    "en: a value": ("**Typeface**: Futura (headings)", "**Typeface**: changed from Futura → Inter"),
    "en: broken, fixed": ("Invoice export is broken", "Fixed invoice export"),
    "en: runs, is off": ("Nightly backup: running", "Nightly backup: disabled"),
    "en: works, fails": ("mail sync: healthy", "mail sync still failing (12 times)"),
    "en: a box": ("[ ] Write the grant report", "[x] Write the grant report"),
    "en: held until cancelled": ("Gym card: 30 EUR a month", "Gym card: cancelled"),
    "en: not operational": ("Ticket printer: not operational", "Ticket printer: operational"),
    "en: an address": ("Demo: https://example.org/start", "Links changed from `example.org/start` to `/begin`"),
    "en: quoted": ('Door slogan: "Up, again."', 'Door slogan changed from "Up, again." to "Afloat."'),
    "en: a day in another order": ("Launch: Mon 2 March, 10:30", "Launch March 3, 10:30 (wrongly noted as March 2)"),
    "en: then a doubt": ("Lamp test: 30 min", "The lamp test was changed from 30 min to 2 h. May need a look."),
    "en: reduced": ("Berth fund: 900 crowns", "Berth fund: reduced to 300 crowns"),
    "en: not there": ("PostgreSQL on box3 refuses connections", "PostgreSQL was always on localhost, not box3"),
    "en: a number alone": ("Mooring rent is 420 a month", "The mooring rent was raised from 420 to 450"),
    "zh: a number alone": ("船位租金是420", "船位租金从420涨到450"),
    "ja: not there": ("box3のPostgreSQLが停止", "PostgreSQLはbox3ではなくlocalhostで動く"),
    "en: emphasis within": ("Tide radio: running", "Tide radio: shut **down**"),
    "da": ("Månedsrapport eksport: virker ikke", "Månedsrapport eksport: rettet"),
    "da: a value": (
        "Serveren kører på port 8080 i kælderen",
        "Serveren i kælderen flyttet fra port 8080 til port 9090",
    ),
    "zh": ("报表导出：未完成", "报表导出：已完成"),
    "zh: numbers": ("青山公司：500股", "青山公司：500→800股"),
    "zh: numbers, in between": ("青山公司：500股", "青山公司：600→800股"),
    "zh: remaining": ("青山公司(1234)：500股", "青山公司(1234)：剩余约200股"),
    "zh: ended": ("青山公司：500股，成本12元", "青山公司：已清仓"),
    "zh, traditional": ("報表匯出：未完成", "報表匯出：已完成"),
    "ja": ("請求書の出力: 未完了", "請求書の出力: 完了"),
    "ja: numbers": ("**ショートカット**: F7", "**ショートカット**: F7 → F8に変更"),
    "ja: without kana": ("整理: 会員表、PayPal連携作成が未完了", "PayPal連携作成完了(TEST):"),
    "hi": ("मासिक रिपोर्ट: लंबित", "मासिक रिपोर्ट: रद्द"),
    "hi: a word that ends as one of doubt does": ("मासिक रिपोर्ट: चालू", "मासिक रिपोर्ट: बंद कर दिया"),
    "ru": ("Экспорт отчетов: не работает", "Экспорт отчетов: исправлен"),
    "ru: a plan": ("Поездка летом: запланирована", "Поездка летом: отменена"),
    "zh: what was denied is over": ("北侧水泵故障", "北侧水泵已修复不漏水了"),
    "zh, traditional: what was denied is over": ("北側水泵故障", "北側水泵已修復不漏水了"),
    "zh: a word with the sign of a number": ("北侧柴油水泵一直故障", "北侧柴油水泵一早已修复"),
    "zh: days of a month": ("3月2号潮位接口故障", "3月5号潮位接口已恢复"),
    "days": ("2026-03-02 Harbour mail sync failed", "2026-03-05 Harbour mail sync fixed"),
    "days of a month": ("March 3 harbour mail sync failed", "March 5 harbour mail sync fixed"),
    "counted days": ("Day 3 harbour mail sync failed", "Day 5 harbour mail sync fixed"),
    "da: days of a month": ("3 marts: postkassen til havnen fejler", "5 marts: postkassen til havnen rettet"),
    "hi: days of a month": ("मार्च 3 बंदरगाह मेल खराब", "मार्च 5 बंदरगाह मेल ठीक हो गया"),
    "ru: days of a month": ("3 марта почта гавани не работает", "5 марта почта гавани снова работает"),
    "versions": ("Harbour app v2.3 login failing", "Harbour app v2.4 login fixed"),
    "versions, named": ("Harbour app version 2 login failing", "Harbour app version 3 login fixed"),
    "one thing with a number": ("Pump 1 north failed", "Pump 1 north fixed"),
    "one of two things with a number": ("Pump 1 and pump 2 north failed", "Pump 2 north fixed"),
}
NO_CHANGES = {
    "en: a number of many things": (
        "Rowed 5 km with the pulse at 150, a steady stroke into the wind",
        "Today the stroke was calm, the pulse went from 150 to 148",
    ),
    "en: a number under a label that names nothing": (
        "Analysis: rowed 5 km with the pulse at 150, a steady stroke into the wind",
        "Analysis: calm, the pulse went from 150 to 148",
    ),
    "da: a number of many things": (
        "Roede 5 km med puls 150 og jævne tag op mod vinden",
        "Rolige tag i dag, puls ændret fra 150 til 148",
    ),
    "ru: a number of many things": (
        "Гребла 5 км, пульс 150, ровный темп против ветра",
        "Сегодня темп спокойный, пульс снизили с 150 на 148",
    ),
    "zh: a number of many things": ("划船5公里，心率150，桨频稳定，一路顶风", "今天桨频平稳，心率从150降到148"),
    "zh, traditional: a number of many things": (
        "划船5公里，心率150，槳頻穩定，一路頂風",
        "今天槳頻平穩，心率從150降到148",
    ),
    "zh: a number under a label that names nothing": (
        "分析：划船5公里，心率150，桨频稳定",
        "分析：今天心率从150降到148",
    ),
    "ja: a number of many things": ("5キロ漕いだ、心拍150、向かい風で安定", "今日の心拍を150から148に変更、安定した"),
    "hi: a number of many things": (
        "आज 5 किमी नाव चलाई, नाड़ी 150, हवा के सामने गति बराबर",
        "गति शांत, नाड़ी 150 से घटाकर 148",
    ),
    "the thing to do": (
        "Rolf asked Tove to remember that the thing to do in May is sailing",
        "Rolf asked Tove to remember that he is currently active in rowing",
    ),
    "things told apart by a number": ("Pump 1 north failed", "Pump 2 north fixed"),
    "da: things told apart by a number": ("Nordre pumpe 1 virker ikke", "Nordre pumpe 2 rettet"),
    "zh: things told apart by a number": ("一号水泵：故障", "二号水泵：已恢复"),
    "zh, traditional: things told apart by a number": ("一號水泵：故障", "二號水泵：已恢復"),
    "ja: things told apart by a number": ("1号ポンプ: 故障", "2号ポンプ: 復旧"),
    "hi: things told apart by a number": ("उत्तरी पंप 1 खराब", "उत्तरी पंप 2 ठीक हो गया"),
    "ru: things told apart by a number": ("Северный насос 1 сломан", "Северный насос 2 исправлен"),
    "a denial": ("Nightly backup: running", "Nightly backup was not disabled"),
    "a denial with forms of be": ("Nightly backup: running", "Nightly backup has not been deleted"),
    "a denial in one word": ("Nightly backup: running", "Nightly backup wasn't deleted"),
    "ru: a denial with a form of be": ("Ночная копия: включена", "Ночная копия не была удалена"),
    "zh: a denial in two signs": ("夜间备份：运行中", "夜间备份没有删除"),
    "things told apart by a number, with values": ("Pump 1: 3 bar", "Pump 2: removed"),
    "da: a denial": ("Natlig kopi: kører", "Natlig kopi ikke slået fra"),
    "zh: a denial": ("夜间备份：运行中", "夜间备份未停用"),
    "zh, traditional: a denial": ("夜間備份：運行中", "夜間備份未停用"),
    "ja: a denial": ("夜間コピー: 稼働", "夜間コピーは廃止しない"),
    "hi: a denial": ("रात्रि प्रति: चालू", "रात्रि प्रति रद्द नहीं"),
    "ru: a denial": ("Ночная копия: включена", "Ночная копия не отключена"),
    "one word of two signs in Chinese": ("**灯船(3300)**：已清仓，不再提醒", "持仓提醒（周一执行）"),
    "the same value denied again": (
        "**Ropes double** (not single) for the ferry — single breaks in storms",
        "The ferry: `ropes=double` (not single — breaks in storms)",
    ),
    "a counter": ("Outage: day 21", "Outage: day 22"),
    "a reading": ("Disk usage: 28%", "Disk usage: 26%"),
    "two products": ("Editor: version 2.1", "Player: version 2.1"),
    "other subjects": ("Invoice export is broken", "Fixed calendar import"),
    "an option": ("Nightly backup: running", "Option: nightly backup disabled"),
    "a plan": ("Nightly backup: running", "We should get the nightly backup disabled"),
    "a question": ("Nightly backup: running", "Nightly backup: disabled?"),
    "the same again": ("Nightly backup: running", "Nightly backup: running"),
    "a part": ("青山公司：500股", "青山公司：清仓一半"),
    "a counter in Japanese": ("連続: 21日目", "連続: 22日目"),
    "what it was before, a state": ("Batch 4 of the yard: submitted", "Batch 4 of the yard: no answer (was submitted)"),
    "other units": ("青山公司：500股", "青山公司：11→12元"),
    "remaining, again": ("Trial: 18 days left", "Trial: 17 days left"),
    "a contrast of words": ("The mail goes to press", "The mail goes to friends, not press"),
    "a condition": ("Creates the monthly index file if missing", "Monthly index file created"),
    "steps, not a change": ("Deploy: build", "Deploy: build → test"),
}


@pytest.mark.parametrize(("older", "newer"), CHANGES.values(), ids=CHANGES)
def test_newer_line_outdates_older_one(older: str, newer: str) -> None:
    assert outdates(told(newer, Role.BULLET, ()), told(older, Role.BULLET, ()))
    assert cues(newer) & ended_by(told(older, Role.BULLET, ())), "it would be passed over before it is read"


@pytest.mark.parametrize(("older", "newer"), NO_CHANGES.values(), ids=NO_CHANGES)
def test_no_change_is_read(older: str, newer: str) -> None:
    assert not outdates(told(newer, Role.BULLET, ()), told(older, Role.BULLET, ()))


def test_row_with_two_values_and_their_difference_tells_a_change() -> None:
    older = told("Speed: 7.25 knots", Role.BULLET, ())
    assert outdates(told("| Speed | 7.25 | 7.5 | +0.25 |", Role.ROW, ()), older)
    assert cues("| Speed | 7.25 | 7.5 | `+0.25` |") & ended_by(older)
    assert not outdates(told("| Speed | 7.25 | 7.5 | +9 |", Role.ROW, ()), older)


def test_label_that_names_nothing_takes_the_heading() -> None:
    older = told("Status: running", Role.BULLET, ("Nightly backup",))
    assert outdates(told("Status: stopped", Role.BULLET, ("Nightly backup",)), older)
    assert not outdates(told("Status: stopped", Role.BULLET, ("Ticket printer",)), older)


@pytest.mark.parametrize(
    "text",
    [
        "The sloop was renamed to Reef",
        "Slupen blev omdøbt til Reef",
        "单桅船重命名为 Reef",
        "單桅船更名為 Reef",
        "スループを Reef にリネーム",
        "नाव का नाम बदलकर Reef",
        "Шлюп переименовали в Reef",
    ],
)
def test_a_new_name_is_a_change(text: str) -> None:
    assert REPLACED in cues(text)
