"""The same log in each language gives the same: found by the same questions, on the same pages.

Law: what is written without spaces, without capitals or with its verb at the end loses nothing by that.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from commonplace.core.changes.line_claims import claims_anew, line_claims, same_claim
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.extract.kind_guess import guess_kind
from commonplace.core.extract.value_kinds import Value, has_value
from commonplace.core.model import Citation, Kind, Line
from commonplace.core.quotes.quote_topics import CAUSES, DECISIONS, PREFERENCES, topic_of
from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

TODAY = date(2026, 5, 22)


class Tongue(NamedTuple):
    """What each language says."""

    name: str
    who: str
    """Who that is, in the core file."""
    visit: str
    move: str
    new_home: str
    who_is: str
    changed: str
    """What has changed since 13 May?"""
    latest: str
    rule: str
    fix: str
    cause: str
    cancelled: str
    opinion: str
    amount: str


TONGUES = {
    "en": Tongue(
        "Clara",
        "Clara is the sister of Nora and a nurse.",
        "Clara came to visit and stayed for dinner.",
        "Clara lives in Bristol.",
        "Clara moved to Leeds.",
        "Who is Clara?",
        "What has changed since 13 May?",
        "What's new with Clara?",
        "Rule: never deploy on Fridays.",
        "Fixed: old logs are deleted.",
        "The backup failed because the disk was full.",
        "The trip to Rome was cancelled.",
        "Nora thinks the logo is ugly.",
        "It costs 12 euros.",
    ),
    "da": Tongue(
        "Karla",
        "Karla er en søster til Nora og sygeplejerske.",
        "Karla kom på besøg og blev til middag.",
        "Karla bor i Odense.",
        "Karla er flyttet til Aarhus.",
        "Hvem er Karla?",
        "Hvad er ændret siden 13. maj?",
        "Noget nyt om Karla?",
        "Regel: udrul aldrig om fredagen.",
        "Løst: gamle logge slettes.",
        "Sikkerhedskopien fejlede, fordi disken var fuld.",
        "Rejsen til Rom er aflyst.",
        "Nora synes, at logoet er grimt.",
        "Det koster 12 euro.",
    ),
    "zh": Tongue(
        "林小云",
        "林小云是小雨的妹妹，也是护士。",
        "林小云来做客，留下吃了晚饭。",
        "林小云住在苏州。",
        "林小云搬到了宁波。",
        "林小云是谁？",
        "5月13日以来有什么变化？",
        "林小云有什么新消息？",
        "规则：周五绝不部署。",
        "已修复：旧日志会删除。",
        "备份失败，因为磁盘满了。",
        "罗马之行取消了。",
        "小雨觉得标志很难看。",
        "费用是12欧元。",
    ),
    "zh-hant": Tongue(
        "林小雲",
        "林小雲是小雨的妹妹，也是護士。",
        "林小雲來做客，留下吃了晚飯。",
        "林小雲住在蘇州。",
        "林小雲搬到了寧波。",
        "林小雲是誰？",
        "5月13日以來有什麼變化？",
        "林小雲有什麼新消息？",
        "規則：週五絕不部署。",
        "已修復：舊日誌會刪除。",
        "備份失敗，因為磁碟滿了。",
        "羅馬之行取消了。",
        "小雨覺得標誌很難看。",
        "費用是12歐元。",
    ),
    "ja": Tongue(
        "由美",
        "由美は美咲の妹で、看護師です。",
        "由美が遊びに来て、夕食を食べていった。",
        "由美は京都に住んでいる。",
        "由美は神戸に引っ越した。",
        "由美は誰ですか？",
        "5月13日以降何が変わった？",
        "由美の近況は？",
        "ルール：金曜日には絶対にデプロイしない。",
        "修正済み：古いログは削除する。",
        "ディスクが一杯だったため、バックアップが失敗した。",
        "ローマ旅行は中止になった。",
        "美咲はロゴが醜いと思っている。",
        "費用は12ユーロ。",
    ),
    "hi": Tongue(
        "कविता",
        "कविता नेहा की बहन और नर्स है।",
        "कविता मिलने आई और रात के खाने तक रुकी।",
        "कविता पुणे में रहती है।",
        "कविता दिल्ली चली गई।",
        "कविता कौन है?",
        "13 मई से क्या बदला?",
        "कविता की ताज़ा खबर क्या है?",
        "नियम: शुक्रवार को कभी डिप्लॉय न करें।",
        "ठीक किया: पुराने लॉग हटा दिए जाते हैं।",
        "बैकअप विफल हुआ क्योंकि डिस्क भर गई थी।",
        "रोम की यात्रा रद्द हो गई।",
        "नेहा को लगता है कि लोगो भद्दा है।",
        "खर्च 12 यूरो है।",
    ),
    "ru": Tongue(
        "Клара",
        "Клара — сестра Нины, медсестра.",
        "Клара приходила в гости и осталась на ужин.",
        "Клара живёт в Туле.",
        "Клара переехала в Самару.",
        "Кто такая Клара?",
        "Что изменилось с 13 мая?",
        "Что нового с Кларой?",
        "Правило: никогда не деплоить по пятницам.",
        "Исправлено: старые логи удаляются.",
        "Копирование не удалось, потому что диск был заполнен.",
        "Поездка в Рим отменена.",
        "Нина считает, что логотип уродлив.",
        "Это стоит 12 евро.",
    ),
}
each = pytest.mark.parametrize("said", TONGUES.values(), ids=TONGUES)


def line(text: str, day: int = 4, *above: str) -> Line:
    return Line(text, (), Citation(f"memory/2026-05-{day:02}.md", 3), date(2026, 5, day), context=above)


@pytest.fixture
def memory(workspace: Write, said: Tongue) -> Memory:
    """A log of four days about somebody who has an empty page."""
    return Memory(
        str(
            workspace(
                {
                    "MEMORY.md": f"# Memory\n\n- {said.who}\n",
                    f"bank/entities/{said.name}.md": f"# {said.name}\n",
                    "memory/2026-05-04.md": f"# 2026-05-04\n\n- {said.move}\n- {said.cause}\n",
                    "memory/2026-05-11.md": f"# 2026-05-11\n\n- {said.cancelled}\n",
                    "memory/2026-05-14.md": f"# 2026-05-14\n\n- {said.visit}\n",
                    "memory/2026-05-18.md": f"# 2026-05-18\n\n- {said.new_home}\n",
                }
            )
        ),
        today=TODAY,
    )


def cited(memory: Memory, question: str) -> list[str]:
    return [hit.line.source.path for hit in memory.recall(question).hits]


@each
def test_the_line_that_says_who_somebody_is_comes_first(memory: Memory, said: Tongue) -> None:
    assert cited(memory, said.who_is)[0] == "MEMORY.md"


@each
def test_what_has_changed_since_a_day_are_the_days_since(memory: Memory, said: Tongue) -> None:
    assert {*cited(memory, said.changed)} == {"memory/2026-05-14.md", "memory/2026-05-18.md"}


@each
def test_what_is_new_is_the_newest_line(memory: Memory, said: Tongue) -> None:
    assert cited(memory, said.latest)[0] == "memory/2026-05-18.md"


@each
def test_a_page_made_by_hand_gets_what_the_logs_say(memory: Memory, said: Tongue) -> None:
    memory.reflect(yes=True)
    page = Path(memory.root, "bank", "entities", f"{said.name}.md").read_text(encoding="utf-8")
    assert said.who.rstrip(".。।") in page
    now, _, history = page.partition("## History")
    assert said.new_home.rstrip(".。।") in now
    assert said.move.rstrip(".。।") in history


@each
def test_rules_fixes_causes_and_cancellations_are_told_apart(said: Tongue) -> None:
    told = [topic_of(line(text), who=False) for text in (said.rule, said.fix, said.cause, said.cancelled)]
    assert told == [PREFERENCES, CAUSES, CAUSES, DECISIONS]


@each
def test_a_new_home_outdates_the_old_one(said: Tongue) -> None:
    known = [entity_key(said.name)]
    claims = (line_claims(line(said.move), 1, known), line_claims(line(said.new_home, 18), 2, known))
    assert any(
        same_claim(newer, older, one_heading=True) and claims_anew(newer, older)
        for older in claims[0]
        for newer in claims[1]
    )


@each
def test_a_view_is_an_opinion_and_a_price_an_amount(said: Tongue) -> None:
    assert guess_kind(said.opinion) is Kind.OPINION
    assert has_value(said.amount, Value("amount"))


def test_a_solution_below_a_problem_is_no_decision() -> None:
    assert topic_of(line("Решение: обновили сертификат", 4, "Ошибка: сертификат просрочен"), who=False) == CAUSES
    assert topic_of(line("Решение: берём SQLite", 4, "Утро"), who=False) == DECISIONS


def test_an_unknown_person_with_a_title_is_nowhere(workspace: Write) -> None:
    log = "# 2026-05-08\n\n- 高橋さんは妻と大阪に住んでいる。\n- 美咲は歯医者の予約がある。\n"
    memory = Memory(str(workspace({"memory/2026-05-08.md": log})), today=TODAY)
    assert cited(memory, "鈴木さんはどこに住んでいる？") == []
    assert cited(memory, "高橋さんはどこに住んでいる？")
