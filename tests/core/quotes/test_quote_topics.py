"""What a quoted line tells: only what says it plainly has a topic."""

from __future__ import annotations

from datetime import date

import pytest

from commonplace.core.model import Citation, Line, Span
from commonplace.core.quotes.quote_topics import (
    CAUSES,
    DECISIONS,
    OTHER,
    PREFERENCES,
    WHO,
    announces_only,
    concludes,
    topic_of,
)
from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES, LATIN


def told(text: str, *above: str, who: bool = False) -> str:
    return topic_of(Line(text, (), Citation("memory/2026-03-01.md", 3), date(2026, 3, 1), context=above), who=who)


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("We decided to sell the crane", DECISIONS),
        ("**Decision:** the crane goes to Ribe", DECISIONS),
        ("The pump stopped because the relay was worn", CAUSES),
        ("Lesson: moor the ferry twice", CAUSES),
        ("Never moor the ferry at the old pier", PREFERENCES),
        ("**Rule**: two ropes", PREFERENCES),
        ("Mona prefers the morning ferry", PREFERENCES),
        ("Vi besluttede at sælge kranen", DECISIONS),
        ("Pumpen gik i stå, fordi relæet var slidt", CAUSES),
        ("Fortøj aldrig færgen ved den gamle mole", PREFERENCES),
        ("我们决定卖掉起重机", DECISIONS),
        ("水泵停了，因为继电器坏了", CAUSES),
        ("禁止在旧码头停船", PREFERENCES),
        ("クレーンを売ることにした", DECISIONS),
        ("ポンプが止まった原因はリレーの摩耗", CAUSES),
        ("古い桟橋には船を泊めないこと、必ず確認", PREFERENCES),
        ("हमने क्रेन बेचने का फ़ैसला किया", DECISIONS),
        ("पंप बंद हुआ, असली वजह पुराना रिले था", CAUSES),
        ("潮汐表は図と表の形式で", PREFERENCES),
        ("潮汐表の作成、図と表の形式で三枚", OTHER),
        ("पुराने घाट पर कभी मत रुको", PREFERENCES),
        ("Мы решили продать кран", DECISIONS),
        ("Насос остановился, потому что реле износилось", CAUSES),
        ("Никогда не швартуй паром у старого пирса", PREFERENCES),
        ("The register of decisions was printed", OTHER),
        ("The new valve is approved for sea water", OTHER),
        ("Mona approved the new valve", DECISIONS),
        ("**Valve B approved**: bronze, two inches", DECISIONS),
        ("Sold the abandoned boats", OTHER),
        ("`GET /piers/decisions/:id` lists them", OTHER),
        ("Confirmed by the harbour office", OTHER),
        ("The pump works and the relay is fixed", OTHER),
        ("There were only two ropes on the pier", OTHER),
        ("13 built-in rules and two eligibility checks", OTHER),
        ("支持4种记忆类型: 决定、学习、对话、用户偏好", OTHER),
        ("Peter skal til Fur i morgen", OTHER),
        ("持仓已确认，注意止盈", OTHER),
        ("| decided | because | never |", OTHER),
        ("Kasse: Ansøgt → Godkendt → vi besluttede → Betalt", OTHER),
        ("Requested → decided → signed → paid", OTHER),
        ("Moved the plan to signed/ without a look", OTHER),
        ("Each row has `decided` and decided_by", OTHER),
        ("The crane is blue (never red)", OTHER),
        ("No rope that always breaks ✅", OTHER),
        ("Conclusion: two ropes are enough", CAUSES),
        ("结论：两根缆绳就够了", CAUSES),
        ("Ferry preference: the morning one", PREFERENCES),
        ("Owner directive: look at the tide table first", PREFERENCES),
        ("Регламент, правило: два каната", PREFERENCES),
    ],
)
def test_the_words_of_a_line_say_it_plainly(text: str, topic: str) -> None:
    assert told(text) == topic


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("We approved the budget for the pier", DECISIONS),
        ("The regulator approved the new valve", OTHER),
        ("The valve was approved by the FDA in spring", OTHER),
        ("Signed the lease on the flat by the harbour", DECISIONS),
        ("The installer was signed with the old key", OTHER),
        ("We signed the binary before the release", OTHER),
        ("The club abandoned the plan for a second pier", DECISIONS),
        ("Half of the visitors abandoned the cart at checkout", OTHER),
        ("We abandoned the cart for a booking form", DECISIONS),
        ("Vi godkendte budgettet til den nye mole", DECISIONS),
        ("Styrelsen har godkendt den nye ventil", OTHER),
        ("Formanden har underskrevet lejekontrakten", DECISIONS),
        ("Programmet er underskrevet med det gamle certifikat", OTHER),
        ("Bestyrelsen opgav planen om en ny mole", DECISIONS),
        ("Halvdelen af kunderne opgav kurven", OTHER),
        ("新码头的预算已批准", DECISIONS),
        ("监管机构批准了新的阀门", OTHER),
        ("監管機構批准了新的閥門", OTHER),
        ("签了码头旁公寓的租约", DECISIONS),
        ("簽了碼頭旁公寓的租約", DECISIONS),
        ("用旧证书签了安装包", OTHER),
        ("我们放弃了第二个码头", DECISIONS),
        ("一半的顾客放弃了购物车", OTHER),
        ("理事会が新しい桟橋の予算を承認した", DECISIONS),
        ("規制当局が新しい弁を承認した", OTHER),
        ("港の部屋の賃貸契約に署名した", DECISIONS),
        ("古い証明書でバイナリに署名した", OTHER),
        ("二つ目の桟橋を断念した", DECISIONS),
        ("हमने घाट का बजट मंज़ूर किया", DECISIONS),
        ("सरकार ने नया वाल्व मंज़ूर किया", OTHER),
        ("हमने फ़्लैट के पट्टे पर हस्ताक्षर किए", DECISIONS),
        ("पुराने सर्टिफिकेट से पैकेज पर हस्ताक्षर किए", OTHER),
        ("हमने दूसरा घाट छोड़ दिया", DECISIONS),
        ("आधे ग्राहकों ने कार्ट छोड़ दिया", OTHER),
        ("Правление утвердило план, и мы утвердили бюджет", DECISIONS),
        ("Регулятор утвердил новый клапан", OTHER),
        ("Подписали договор аренды квартиры у гавани", DECISIONS),
        ("Подписали пакеты старым сертификатом", OTHER),
        ("Команда отказалась от второго причала", DECISIONS),
        ("Отказались от второго причала", DECISIONS),
        ("Рольф отказался от старого крана", DECISIONS),
        ("Пациент отказался от лечения", OTHER),
        ("Сервер отказался отвечать на запрос", OTHER),
    ],
)
def test_an_approval_is_a_decision_of_whom_it_binds(text: str, topic: str) -> None:
    assert told(text) == topic


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Approved the budget of 4000 for the new tennis court behind the harbour", DECISIONS),
        ("The rowing club abandoned the plan for a second pier, since visitors moor at the first one", DECISIONS),
        ("We signed the lease, and the kitchen build is ours", DECISIONS),
        ("Signed the contract to build the new deck", DECISIONS),
        ("Bestyrelsen opgav planen om en ny mole, kunderne bruger den gamle", DECISIONS),
        ("Команда отказалась от второго причала, клиенты недовольны", DECISIONS),
        ("我们放弃了顾客积分计划", DECISIONS),
        ("हमने पुराना ग्राहक छोड़ दिया", DECISIONS),
        ("Подписали договор аренды и получили ключ", DECISIONS),
        ("签了租约，对方请求提前入住", DECISIONS),
        ("Правление утвердило бюджет причала на 2026 год: 4000 крон", DECISIONS),
        ("Правление утвердило бюджет причала", DECISIONS),
        ("Бюджет утверждён", DECISIONS),
        ("Смета утверждена", DECISIONS),
        ("Планы утверждены", DECISIONS),
        ("Правление отказалось от второго причала", DECISIONS),
        ("Товарищество подписало договор", DECISIONS),
        ("I signed the contract with the package deal", DECISIONS),
        ("The users of the old pier approved the plan", DECISIONS),
        ("Vi har godkendt budgettet til retten i Thy", DECISIONS),
        ("Bestyrelsen godkendte budgettet, retten gav os medhold", DECISIONS),
        ("Мы отказались от корзины на причале", DECISIONS),
        ("Правление утвердило бюджет причала, суд с соседом закончен", DECISIONS),
        ("Подписан договор, ключ у соседа", DECISIONS),
        ("理事会が予算を承認した、政府の補助金も使う", DECISIONS),
        ("賃貸契約に署名した、秘密鍵ではなく鍵を受け取った", DECISIONS),
        ("賃貸契約を締結した。トークン支払いは不可", DECISIONS),
        ("政府补贴到账，理事会批准了码头预算", DECISIONS),
        ("我们放弃了会话缓存方案", DECISIONS),
        ("सरकार की मदद से समिति ने बजट मंज़ूर किया", DECISIONS),
        ("हमने कार्ट सुविधा छोड़ दी", DECISIONS),
        ("Vi underskrev aftalen om den nye app", DECISIONS),
        ("政府補貼到賬，理事會批准了碼頭預算", DECISIONS),
        ("規制当局は、新しい弁を承認した", OTHER),
        ("Регулятор утвердил новый клапан", OTHER),
        ("Клапан утверждён министерством", OTHER),
        ("Министерство одобрило клапан", OTHER),
        ("监管机构批准了新的阀门", OTHER),
        ("用戶放棄了購物車", OTHER),
        ("把渡船改为电动", DECISIONS),
        ("三号船狀態改為已修好", OTHER),
        ("渡し船を電動に変更", DECISIONS),
        ("三号艇のステータスを完了に変更", OTHER),
        ("The release binary was signed by the build", OTHER),
        ("Retten godkendte bygningen", OTHER),
        ("Programmet blev godkendt af myndighederne", OTHER),
    ],
)
def test_what_makes_a_decision_one_of_others_is_its_own_subject_or_object(text: str, topic: str) -> None:
    assert told(text) == topic


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("本番のデータベースを昼間に直接さわるのは禁止", PREFERENCES),
        ("Всегда проверяй, что задача закрыта до выпуска новой версии", PREFERENCES),
        ("Always ask what the goal is before you write any code for the harbour", PREFERENCES),
        ("勝手に投稿するのはNG", PREFERENCES),
        ("Никогда не удаляй файлы, если задача не закрыта", PREFERENCES),
        ("Undgå at starte før du ved hvad målet er", PREFERENCES),
        ("务必先问清楚目标是什么", PREFERENCES),
        ("हमेशा पूछें कि लक्ष्य है क्या", PREFERENCES),
        ("不要改动，除非用户同意，任务是只读的", PREFERENCES),
        ("欠点は必ず報告すること。", PREFERENCES),
        ("問題点は毎晩確認するべき", PREFERENCES),
        ("バックアップは毎晩確認すること", PREFERENCES),
        ("Цель не меняй никогда без спроса", PREFERENCES),
        ("古い弁の欠点は冬の夜に凍結して途中で停止すること。", OTHER),
        ("問題点は起動の途中で停止すること。", OTHER),
        ("欠点：冬に凍結すること", OTHER),
        ("Цель — никогда не опаздывать", OTHER),
        ("The goal is never to be late", OTHER),
        ("這個閥門的缺點：冬天會凍結並停止", OTHER),
        ("Målet er aldrig at komme for sent", OTHER),
        ("目标是永远不迟到", OTHER),
    ],
)
def test_an_aim_or_a_fault_is_what_a_line_begins_with(text: str, topic: str) -> None:
    assert told(text) == topic


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("本番では直接編集しないこと", PREFERENCES),
        ("バックアップは毎晩確認すること", PREFERENCES),
        ("古い桟橋には船を近づけないこと。", PREFERENCES),
        ("今年の目標は毎日桟橋を掃除すること", OTHER),
        ("趣味は港で釣りをすること", OTHER),
        ("毎晩確認することが多い", OTHER),
        ("弁に漏れがないことを確認", OTHER),
        ("勝手に投稿しない", PREFERENCES),
        ("ポンプが反応しない弁を調べた", OTHER),
        ("प्रोडक्शन में सीधे बदलाव न करें", PREFERENCES),
        ("На проде не редактировать напрямую", PREFERENCES),
        ("Цель — никогда не опаздывать", OTHER),
        ("请勿直接编辑生产环境", PREFERENCES),
        ("請勿直接編輯生產環境", PREFERENCES),
        ("目标是永远不迟到", OTHER),
        ("The goal is never to be late", OTHER),
        ("Målet er aldrig at komme for sent", OTHER),
        ("लक्ष्य है हमेशा समय पर आना", OTHER),
    ],
)
def test_an_order_is_a_rule_but_an_aim_is_none(text: str, topic: str) -> None:
    assert told(text) == topic


@pytest.mark.parametrize(
    ("above", "topic"),
    [
        (("Preferences",), PREFERENCES),
        (("## Communication rules",), PREFERENCES),
        (("Rules", "2026-03-01"), PREFERENCES),
        (("Rules", "Boats"), PREFERENCES),
        (("记忆管理原则（2026-03-24 用户要求）",), PREFERENCES),
        (("重要な決定・学んだこと",), OTHER),  # which of both its words must say
        (("Lessons and decisions",), OTHER),
        (("🧠 Lessons learned",), CAUSES),
        (("Сделано", "Выводы"), CAUSES),
        (("The rules of the harbour and of the sheds behind it",), OTHER),
        (("Rules engine",), OTHER),
        (("Rules for the crane",), PREFERENCES),
        (("Regler for den gamle kran",), PREFERENCES),
        (("Правила для крана",), PREFERENCES),
        (("Beslutninger",), DECISIONS),
        (("Decisions made",), DECISIONS),
        (("Принятые решения",), DECISIONS),
        (("新航线确立",), DECISIONS),
        (("航線敲定",), DECISIONS),
        (("今日決めたこと",), DECISIONS),
        (("值班守则",), PREFERENCES),
        (("Decisions made by the other club last year",), OTHER),
        (("Vaner",), PREFERENCES),
        (("Aftaler",), OTHER),
        (("Aftalt",), OTHER),
        (("Dagens aftaler",), OTHER),
        (("Likes på Instagram",), OTHER),
        (("Regelmotor",), OTHER),
        (("Decision records & provenance", "Orphan check"), OTHER),
        (("Transfer decision records",), OTHER),
        (("決定事項", "提案書の詳細"), DECISIONS),
        (("Decisions", "A new crane for the yard"), DECISIONS),
        (("Уроки", "Поломка крана у причала"), OTHER),
        (("Rules", "A new crane for the yard"), PREFERENCES),
        (("船のカフェの契約決定", "提案書の詳細"), OTHER),
        (("Rules", "Boats of ours", "Ropes of theirs"), OTHER),
        (("实盘持仓成本记录（2026-03-24收盘确认）",), OTHER),
        (("Trading decisions",), OTHER),
        (("系統決策：",), OTHER),
    ],
)
def test_a_short_heading_close_above_says_it(above: tuple[str, ...], topic: str) -> None:
    assert told("The crane is green", *above) == topic


def test_else_its_signs_may_say_who_somebody_is() -> None:
    assert told("Mona is the sister of Al", who=True) == WHO
    assert told("We decided that Mona is the sister", who=True) == DECISIONS


def test_every_language_has_words_for_every_topic() -> None:
    for code in LANGUAGES:
        found = table("topics", code)
        after = {"after", "between"} if LANGUAGES[code].spaced else set()
        after |= {"clear headings"} if code in LATIN else {"stated"} if code == "ja" else set()
        faults = {
            "moments",
            "open",
            "problems",
            "apart",
            "plans",
            "later",
            "choices",
            "taken",
            "backward",
            "instructions",
            "conditions",
            "traits",
        }
        faults |= {
            "bound",
            "sides",
            "titles",
            "fixed",
            "habits",
            "ended",
            "ending",
            "lives",
            "flavour",
            "values",
            "mottos",
            "news",
            "praise",
            "perks",
            "made",
            "checked",
            "wishes",
            "material",
            "work",
            "fine",
            "against",
        }
        faults |= {"calling", "qualifiers", "standing", "vague", "unless", "aims"}
        assert set(found) == {"provenance", "headings", "words", "orders"} | after | faults
        assert all(found[each] for each in faults)
        for kind in ("headings", "words"):
            assert set(found[kind]) == {PREFERENCES, DECISIONS, CAUSES} and all(found[kind].values())
        assert found["orders"]


def test_a_heading_in_brackets_makes_no_rule_of_what_was_done() -> None:
    assert told("Keys saved by Mona, set by hand only", "Portal keys (DO NOT COPY)") == OTHER


def test_what_must_be_done_on_a_day_is_no_rule() -> None:
    line = Line("务必出掉", (), Citation("memory/2026-03-01.md", 3), date(2026, 3, 1))
    assert topic_of(line, who=False) == PREFERENCES
    assert topic_of(line._replace(content="务必周五前出掉"), who=False) == OTHER
    assert topic_of(line._replace(valid=Span(date(2026, 3, 6), date(2026, 3, 6))), who=False) == OTHER
    assert topic_of(line._replace(recorded=None, content="明天必须出掉"), who=False) == OTHER
    assert topic_of(line._replace(recorded=None, content="必须出掉"), who=False) == PREFERENCES


def test_a_heading_may_announce_and_nothing_else() -> None:
    assert [announces_only(text) for text in ("Key decisions", "Lessons", "教训")] == [True, True, True]
    assert not announces_only("Decisions about the boiler of the boathouse")
    assert not announces_only("Boiler")


def test_a_verdict_concludes() -> None:
    assert concludes("**Verdict:** larch lasts longer") and concludes("結論：落葉松は長持ち")
    assert not concludes("**Lesson:** larch lasts longer") and not concludes("The verdict was late")


@pytest.mark.parametrize(
    ("above", "topic"),
    [
        ("Проблема 2: насос молчит", CAUSES),
        ("Сетевые проблемы", CAUSES),
        ("Ошибка в таблице приливов", CAUSES),
        ("Симптом: насос гудит", CAUSES),
        ("Кран не продаём", DECISIONS),
        ("Новый насос", DECISIONS),
    ],
)
def test_what_solves_the_problem_above_it_is_no_decision(above: str, topic: str) -> None:
    assert told("**Решение:** заменить реле на бронзовое", above) == topic


@pytest.mark.parametrize("text", ["**航海經驗**: 十年", "**Erfaringer:** ten years at sea"])
def test_what_a_file_that_introduces_somebody_gives_as_experience_is_no_lesson(text: str) -> None:
    line = Line(text, (), Citation("memory/2026-03-01.md", 3), None)
    assert topic_of(line, who=False) == CAUSES
    introduced = line._replace(source=Citation("USER.md", 3))
    assert topic_of(introduced, who=False) == OTHER
    assert topic_of(introduced, who=True) == WHO
    assert topic_of(introduced._replace(context=("Lessons",)), who=True) == CAUSES
