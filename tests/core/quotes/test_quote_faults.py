"""What makes a line of a log useless or wrong on a page."""

from __future__ import annotations

from datetime import date

import pytest

from commonplace.core.model import Citation, Line, Span
from commonplace.core.quotes.quote_faults import fault, passing
from commonplace.core.quotes.quote_topics import CAUSES, DECISIONS, OTHER, PREFERENCES
from commonplace.core.quotes.quote_words import (
    announces_a_plan,
    has_trait,
    holds_when,
    instructs,
    is_general,
    tells_a_life,
    tells_a_moment,
    tells_a_problem,
)

DAY = date(2026, 3, 1)


def found(text: str, *above: str, topic: str = OTHER, day: date | None = DAY, path: str = "memory/a.md") -> str:
    return fault(Line(text, (), Citation(path, 3), day, context=above), topic)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("The mast is of pine", ""),
        ("Waiting for the new sail", "open"),
        ("Fleet of Rolf: total loss about 55 crowns", "moment"),
        ("罗夫账户总亏损约55万", "moment"),
        ("Rolf promised to pay the berth", "open"),
        ("List of berths renumbered", "moment"),
        ("Venter på det nye sejl", "open"),
        ("Ждём новый парус от Рольфа", "open"),
        ("Запланирован ремонт мачты", "moment"),
        ("Ремонт насоса не подтверждено", "open"),
        ("The new valve should resolve the leak", "open"),
        ("新しい弁で直るはず", "open"),
        ("新阀门应该可以解决漏水", "open"),
        ("Mødet er udskudt til påske", "moment"),
        ("मस्तूल की मरम्मत लंबित", "moment"),
        ("新帆还没有到", "moment"),
        ("We did the tide table, so far 12 pages", "moment"),
        ("新しい帆の到着待ち", "open"),
        ("नए पाल की प्रतीक्षा", "open"),
        ("Berth prices went up, +3.5 % against spring", "count"),
        ("Storm watch, day 12", "count"),
        ("@pier → @rolf | IMG.jpg | red sails", "count"),
        ("| Berth | 12 | 900 |", "count"),
        ("✅ Mast checked", "tick"),
        ("**Rolf** - `/srv/berths/rolf/AGENTS.md`", "code"),
        ("桟橋 → `clients/pier/draft_plan.md`", "code"),
        ("Berth list kept at `/srv/berths.csv` by Rolf", ""),
        ("Mast painted in commit 4f2a9c1", "commit"),
        ("Who has the key?", "open"),
        ("And the mast was then too long…", "open"),
        ("Ines: “What a beautiful boat you have!”", "quotation"),
        ("**A guest** – 「いい船ですね」", "quotation"),
        ("**Goal**: agree on the berths", "fragment"),
        ("**議題**: 桟橋の割り当て", "fragment"),
        ("When that happens, the pump logs a warning", "points back"),
        ("**Note:** This is usual at that age", "points back"),
        ("这是那个年纪的常见情况", "points back"),
        ("Notes: 2026-02-24", "empty"),
        ("tide_tables_draft.md (26KB)", "empty"),
        ("**Flag:** 🏴 ⚓", "sign"),
        ("- `maps/harbour.pdf`", "empty"),
        ("https://harbour.example/tides", "empty"),
        ("Tide tables: maps/harbour.pdf", ""),
        ("4/3 11:00 talk with the bank settled", "moment"),
        ("Møde med banken 4.3. kl. 11.30", "moment"),
        ("Rolf came 1/3 09:15 and paid", ""),
        ("The pump took 1.5 12.50 times", ""),
        ("**Scope:** all rules of the pier", "fragment"),
        ("**使用量**: 5 回", "fragment"),
        ("**用量**：五次", "fragment"),
        ("**Why:** Rolf asked for it after the storm", "fragment"),
        ("**How to apply:** tie the boat twice in any wind", "fragment"),
        ("**为什么**：罗夫在风暴后提出", "fragment"),
        ("**なぜ**: 嵐のあとで頼まれた", "fragment"),
        ("**Почему:** Рольф просил после шторма", "fragment"),
        ("**创建时间**: 2026-02-22", "fragment"),
        ("**Last updated:** by Rolf at the pier", "fragment"),
        ("这两个办法都适合旧船", "points back"),
        ("两个版本都寄给了罗尔夫", "points back"),
        ("両者は同じ桟橋にある", "points back"),
        ("इन दोनों नावों का रंग एक है", "points back"),
        ("Эту лодку купил Рольф", "points back"),
        ("Sådanne både er tunge", "points back"),
        ("旧船常见毛病的解决方案", "title"),
        ("古い船の修理の手順", "title"),
        ("पुरानी नाव का विवरण", "title"),
        ("Руководство по старым лодкам", "title"),
    ],
)
def test_a_line_of_a_moment_a_fragment_or_somebody_elses_words_is_faulty(text: str, why: str) -> None:
    assert found(text) == why


def test_what_is_talked_of_is_not_yet_decided() -> None:
    assert found("Renting the berths out again, agreed price 900", "Topics:", topic=DECISIONS) == "plan"
    assert found("桟橋を貸す方針", "主なトピック", topic=DECISIONS) == "plan"
    assert found("Decision: the berths are rented out", "Topics:", topic=DECISIONS) == ""


def test_a_verdict_that_all_is_fine_is_of_its_day() -> None:
    text = "Verdict: everything works, three pumps run"
    assert found(text) == found(text, topic=CAUSES) == found(text, topic=DECISIONS) == "moment"
    assert found("The three pumps run normally", topic=CAUSES, day=None) == ""
    assert found("Check that the pump is running normally", topic=PREFERENCES) != "moment"


def test_what_was_decided_or_learned_may_speak_of_what_is_ahead() -> None:
    assert found("We sell the sloop next week", topic=DECISIONS) == ""
    assert found("Cause: the pump was not yet primed", topic=CAUSES) == ""
    assert found("The cause may be the pump, or undecided, maybe the tank", topic=CAUSES) == "open"
    assert found("No pump test since the storm, due to the flood", topic=CAUSES) == "moment"


def test_a_fix_that_leaves_the_choice_open_is_none_yet() -> None:
    assert found("**Fix**: Use the old pump or store the fuel ashore", topic=CAUSES) == "open"
    assert found("**Fix**: the old pump was put back", topic=CAUSES) == ""


def test_below_a_heading_of_rules_a_log_has_rules_that_say_so_themselves() -> None:
    rules = ("Rules of the pier",)
    assert found("Never moor three abreast", *rules, topic=PREFERENCES) == ""
    assert found("**Rule**: two ropes a boat", topic=PREFERENCES) == ""
    assert found("The guests praised the pier", *rules, topic=PREFERENCES) == "no rule"
    line = Line("Two ropes a boat", (), Citation("MEMORY.md", 3), DAY, context=rules)
    assert fault(line, PREFERENCES, core=True) == ""


def test_what_stands_below_a_plan_a_draft_or_the_step_of_a_guide_is_left_out() -> None:
    assert found("Varnish both masts", "Today's Sprint (5 steps)") == "plan"
    assert found("マストを塗る", "明日の予定") == "plan"
    assert found("Varnish both masts", "Next actions (harbour)") == "plan"
    assert found("The sloop is the best of all boats", path="memory/letter-drafts.md") == "draft"
    assert found("Select the red rope", "2. Rigging", day=None) == ""
    assert found("Use the red rope", "2. Rigging", day=None) == "step"
    assert announces_a_plan("Plan") and not announces_a_plan("Planks of the pier")
    choices = (
        *("Option A: sell the sloop", "Option 12", "Option #2", "Mulighed 2", "Вариант Б: продать"),
        *("Вариант 2: продать", "方案二：卖掉", "案1: 売る", "विकल्प 2", "विकल्प क"),
    )
    assert [text for text in choices if not announces_a_plan(text)] == []
    assert found("**Option B:** the sloop gets a new mast of pine") == "plan"
    assert found("**Option B:** the sloop gets a new mast", topic=DECISIONS) == "plan"
    assert found("Selected: option B, the new mast", topic=DECISIONS) == ""
    others = ("Optional sails", "Option to sail", "Option a sailor likes", "Alternative engines")
    assert [text for text in others if announces_a_plan(text)] == []


def test_an_example_states_nothing() -> None:
    headings = ("Example", "**Bad example:**", "Eksempel", "格式示例（正确）：", "例", "उदाहरण", "Пример:")
    for heading in headings:
        assert found("The mast is of pine", "Style", heading, day=None) == "draft", heading
    for heading in (
        "Exemplary masts",
        "Examples repo",
        "Build of the example mast",
        "港口条例",
        "Уроки на примере мачты",
    ):
        assert found("The mast is of pine", heading, day=None) == "", heading


def test_what_held_for_a_moment_fills_a_page_last() -> None:
    assert passing("moment") and passing("over")
    assert not passing("late")


def test_an_undated_note_neither_cheers_nor_leaves_a_choice_open() -> None:
    assert found("The sloop will sail for ever! ⛵", day=None) == "slogan"
    assert found("Mast: pine or spruce", day=None) == "open"
    assert found("The Sloop is a boat that sails with one mast or with two", day=None) == ""
    assert fault(Line("Moor at the pier or at the buoy", (), Citation("MEMORY.md", 3), None), OTHER, core=True) == ""


def test_a_line_that_is_cut_within_a_sentence_is_of_little_use() -> None:
    parts, sentence = (
        "Ropes, sails, " * 30,
        "The mast is of pine, as long as the pier, and stands in the shed behind the office.",
    )
    assert found(parts) == "cut"
    assert found(f"{sentence} {parts}") == ""
    assert found("Every rope, every sail,") == found("每一根绳子、每一张帆、") == "cut"


def test_a_fix_tells_its_problem_by_a_word_for_what_was_wrong() -> None:
    for text in ("Pump failed", "Pumpen virker ikke", "Насос сломался", "水泵坏了", "ポンプが停止", "पंप टूटा"):
        assert tells_a_problem(text)
    assert not tells_a_problem("New paint on the pump")


@pytest.mark.parametrize(
    ("text", "topic", "why"),
    [
        ("Berths, ropes and tides: `memory/tides.md`.", OTHER, "pointer"),
        ("Tides: `memory/tides.md` and `TIDE-TABLES.md`.", OTHER, "pointer"),
        ("Letters of the club: memory/letters/README.md plus the year files", OTHER, "pointer"),
        ("**文档**：`潮汐.md`、`码头.md`", OTHER, "pointer"),
        ("Tides: high at noon, as `memory/tides.md` has it", OTHER, ""),
        ("The berths of the club cost 400 a month and are let by Rolf: memory/deal.md", OTHER, ""),
        ("The handbook moved to https://example.com/README.md", OTHER, ""),
        ("Rule of letters: write them into `letters.md`", PREFERENCES, ""),
    ],
)
def test_a_line_that_points_to_notes_tells_nothing(text: str, topic: str, why: str) -> None:
    assert fault(Line(text, (), Citation("MEMORY.md", 3), None), topic, core=True) == why


@pytest.mark.parametrize(
    "above",
    [
        "Remaining tasks",
        "Bådens resterende opgaver",
        "剩余任务",
        "明天優先任務",
        "残タスク",
        "शेष कार्य",
        "Оставшиеся задачи",
    ],
)
def test_what_remains_to_be_done_is_a_plan(above: str) -> None:
    assert found("Mast and sail", above) == "plan"


@pytest.mark.parametrize("label", ["Validation", "Validering", "验证结果", "検証結果", "सत्यापन", "Результаты проверки"])
def test_what_was_checked_is_of_its_day(label: str) -> None:
    assert found(f"{label}: the bilge pump of the ferry ran dry") == "moment"
    assert found("The bilge pump of the ferry ran dry", f"Ferry: {label}") == "moment"
    assert found(f"{label}: the bilge pump of the ferry ran dry", day=None) == ""
    assert found(f"{label}: the bilge pump of the ferry ran dry", topic=CAUSES) == ""


def test_a_tick_in_an_undated_note_held_for_a_moment() -> None:
    assert found("**Pump:** running ✅", day=None) == "tick"
    assert found("✅ Always coil the ropes", day=None, topic=PREFERENCES) == ""
    line = Line("**Pump:** running ✅", (), Citation("MEMORY.md", 3), None)
    assert fault(line, OTHER, core=True) == ""


def test_an_undated_line_is_of_no_moment_unless_it_names_a_day() -> None:
    assert found("The berth needs to be paid in spring", day=None) == ""
    assert found("Pump (2026-02-20): needs to be primed", day=None) == "moment"
    assert tells_a_moment("Pump needs to be primed")
    assert tells_a_moment("每年檢視一次，決定是否保留小艇")
    spring = Span(date(2026, 3, 1), date(2026, 4, 1))
    line = Line("Repairs of the pier ongoing in March 2026", (), Citation("memory/a.md", 3), None, spring)
    assert fault(line, OTHER) == "moment"


def test_an_unknown_cause_is_none_yet() -> None:
    for text in (
        "**Cause:** unknown",
        "**原因**: 不明（たぶん嵐）",
        "Причина неизвестна",
        "Årsag: ukendt",
        "कारण अज्ञात",
    ):
        assert found(text, topic=CAUSES) == "open"
    assert found("**Cause:** the storm", topic=CAUSES) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Ask first",
        "✅ Use the pier",
        "**Never** sail alone",
        "Undgå larm om natten",
        "Не пиши ночью",
        "必须先问",
        "必ず確認",
    ],
)
def test_an_order_begins_with_what_to_do(text: str) -> None:
    assert instructs(text)
    assert not instructs("The pier is closed")


@pytest.mark.parametrize(
    "text", ["When Rolf writes:", "Når Rolf skriver", "Когда Рольф пишет", "写信的时候", "報告するとき"]
)
def test_a_heading_may_say_when_something_holds(text: str) -> None:
    assert holds_when(text)
    assert not holds_when("Whenever-boats of the north")


def test_a_trait_stands_behind_its_label() -> None:
    assert has_trait("**Occupation:** skipper") and has_trait("Имя: Рольф")
    assert not has_trait("**Occupation:**") and not has_trait("Occupation of the pier")


def test_what_one_side_of_a_debate_says_is_no_rule() -> None:
    assert found("Rolf's objection: don't buy a second ferry", topic=PREFERENCES) == "one side"
    assert found("反論: 船を買わない", topic=PREFERENCES) == "one side"
    assert found("Rolf's rule: don't buy a second ferry", topic=PREFERENCES) == ""


def test_a_problem_below_a_heading_of_fixes_is_solved() -> None:
    assert found("**Issue:** the pump takes air at low tide", "Fixes applied (all)", "2. Pump") == "fixed"
    assert found("**Issue:** the pump takes air at low tide", "Harbour round", "2. Pump") == ""


@pytest.mark.parametrize(
    "text", ["Why the ferry leaks", "渡し船が漏れる理由", "渡船漏水的原因", "Hvorfor færgen lækker"]
)
def test_the_title_of_what_was_talked_of_says_nothing(text: str) -> None:
    assert found(text) == "title"
    assert found(f"{text}: rust, below the engine") == ""


def test_a_counted_day_of_an_outage_tells_what_the_others_tell() -> None:
    assert found("**Cause:** the radio has no mast", "Radio silent - day 5", topic=CAUSES) == "count"
    assert found("**Cause:** the radio has no mast", "Day 5", topic=CAUSES) == ""


def test_a_trait_may_be_of_now() -> None:
    assert (
        has_trait("**Current role:** skipper") and has_trait("現在の職業: 船長") and has_trait("Нынешняя роль: шкипер")
    )
    assert not has_trait("Current of the river: strong")


def test_a_heading_of_a_life_tells_who_somebody_is() -> None:
    assert tells_a_life("Career") and tells_a_life("## 工作信息") and tells_a_life("Образование")
    assert not tells_a_life("Work on the pier")


def in_user(text: str, *above: str) -> str:
    return fault(Line(text, (), Citation("USER.md", 3), None, context=above), OTHER, core=True)


def test_a_motto_is_of_little_use() -> None:
    assert in_user("Puts clarity and lasting value before all else") == "maxim"
    assert in_user("Tillid og samarbejde i alt") == "maxim"
    assert in_user("以诚信和创新实现成长") == "maxim"
    assert in_user("誠実さと革新で価値を") == "maxim"
    assert in_user("ईमानदारी और नवाचार से काम") == "maxim"
    assert in_user("Доверие и честность во всём") == "maxim"
    assert in_user("Puts clarity before all else") == ""
    assert in_user("Puts clarity and quality before speed in the 3 letters of May") == ""
    assert passing("maxim") is False


def test_what_introduces_somebody_tells_nothing_of_files() -> None:
    assert in_user("What he likes is written in MEMORY.md, to avoid doubles") == "pointer"
    assert in_user("**Avatar:** pictures/owl.png") == "empty"
    assert in_user("**Vibe:** calm, dry") == "sign"
    assert in_user("His letters are in letters/rolf.md") == ""
    assert in_user("His letters: letters/rolf.md") == ""


def test_a_cheer_of_a_day_is_of_little_use() -> None:
    assert found("**No leaks at all!** First time ever") == "sign"
    assert found("No leaks: the new valve holds!") == ""


def test_what_is_said_of_anything_has_nothing_of_its_own() -> None:
    assert is_general("Fast and light sails for every wind") and is_general("Runs on B2 wood")
    assert not is_general("Sails are kept at `/loft`") and not is_general("Sails of 12 m")


@pytest.mark.parametrize("heading", ["Ideas to keep", "信条", "Мои убеждения"])
def test_below_a_heading_of_mottos_stand_mottos(heading: str) -> None:
    assert in_user("Build for the winter", heading) == "maxim"
    assert found("Build for the winter", heading) == ""


def test_an_undated_note_of_what_was_new_held_once() -> None:
    assert found("The table has tides of the south", "Tide table: updates", day=None) == "news"
    assert found("The table has tides of the south", "Evening update") == ""
    assert found("表に南の潮が入った", "潮汐表の更新内容", day=None) == "news"


def test_what_was_written_into_a_core_file_that_day_is_clerical() -> None:
    assert found("Added the tide rule to TOOLS.md") == "moment"
    assert found("Write each tide rule into TOOLS.md first", topic=PREFERENCES) == ""


def test_what_waits_for_the_owner_is_open() -> None:
    assert found("The pump fails, user needs to buy a valve", topic=CAUSES) == "open"


def test_a_label_of_rules_above_a_count_gives_no_rule() -> None:
    assert found("Mooring rules: 10 sheets of the harbour office", topic=PREFERENCES) == "no rule"
    assert found("Mooring rule: two ropes for each boat", topic=PREFERENCES) == ""


def test_what_is_found_wrong_is_settled_later() -> None:
    assert found("The pump has no lid", "Issues found") == "plan"
    assert found("水泵没有盖子", "遗留问题") == "plan"


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("Benefits of the radar", "Sees every boat in the fog"),
        ("Radarens fordele", "Ser alle både i tågen"),
        ("雷达的优势", "雾中也能看到所有的船"),
        ("雷達的優點", "霧中也能看到所有的船"),
        ("レーダーのメリット", "霧の中でも全ての船が見える"),
        ("रडार के फायदे", "कोहरे में हर नाव दिखती है"),
        ("Преимущества радара", "Видит каждую лодку в тумане"),
    ],
)
def test_what_something_is_good_for_in_general_is_praise(heading: str, text: str) -> None:
    assert found(text, heading) == found(text, heading, topic=PREFERENCES, day=None) == "praise"
    assert found(text, "Radar", "Notes") == found(f"{text} 9 km", heading) == ""
    assert found(f"| Radar | {text} |", f"| Radar | {heading} |") == ""
    assert not passing("praise")


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("Health insurance and a company car", ("Benefits of the job",)),
        ("A company car and six weeks of holiday", ("Work at the shipyard", "Benefits")),
        ("Sundhedsforsikring og firmabil", ("Fordele i jobbet",)),
        ("Free berth at the pier", ("Benefits of membership",)),
        ("泊位免费", ("会员的好处",)),
        ("商业保险和公司车", ("员工福利的好处",)),
        ("會說三種語言", ("我的優勢",)),
        ("維持費が高い", ("デメリット",)),
        ("नई नाव का आधा हिस्सा अन्ना को जाता है", ("लाभ और हानि",)),
        ("Говорит на трёх языках", ("Мои преимущества",)),
        ("We chose the dental plan", ("Benefits",)),
        ("Decided to take the dental plan", ("Benefits",)),
    ],
)
def test_what_somebody_is_given_or_decides_is_no_praise(text: str, headings: tuple[str, ...]) -> None:
    assert found(text, *headings) == ""


def test_a_rule_below_benefits_is_one_only_in_a_core_file() -> None:
    line = Line("Never take presents from the shipyard", (), Citation("MEMORY.md", 3), None, context=("Benefits",))
    assert fault(line, PREFERENCES, core=True) == ""
    assert found("**Peace of mind:** Never lose a sail", "Benefits", topic=PREFERENCES) == "praise"


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("Charts – files created", "Tide tables of the south pier, sent to Rolf"),
        ("Oprettede filer", "Tidevandstabeller for sydmolen, sendt til Rolf"),
        ("已创建文件", "南码头潮汐表，已发给罗尔夫"),
        ("今日產出", "南碼頭潮汐表，已發給羅爾夫"),
        ("作成・共有したもの", "南桟橋の潮汐表をロルフに送付"),
        ("बनाई गई फ़ाइलें", "दक्षिण घाट की ज्वार सारणी रोल्फ को भेजी"),
        ("Созданные файлы", "Таблицы приливов южного пирса, отправлены Рольфу"),
    ],
)
def test_what_was_made_that_day_is_a_deed(heading: str, text: str) -> None:
    assert found(text, heading) == "made"
    assert found(text, heading, day=None) == found(text, heading, topic=DECISIONS) == ""
    assert found(text, "The harbour club was created") == found(text, heading, "South pier") == ""


@pytest.mark.parametrize(
    "text",
    [
        "The tide server answers, but all old URLs 404",
        "Harbour page on port 3000 → ERR_CONNECTION_REFUSED",
        "Tidevandets API svarer med 503",
        "Tidevandets API giver en 404-fejl",
        "The tide API returned `503`.",
        "Fejl 404 på havnens side",
        "潮汐 API 返回 503",
        "潮汐 API 返回 404 错误",
        "潮汐 API 返回 404 錯誤",
        "潮汐APIが 502 エラー",
        "**429 错误** - 超过速率限制",
        "ज्वार का API 404 त्रुटि देता है",
        "API приливов отвечает: 404 ошибка",
        "Страница гавани: ошибка 404",
    ],
)
def test_an_error_code_in_a_log_is_that_days_trouble(text: str) -> None:
    assert found(text) == found(text, day=None) == "moment"
    assert found(text, topic=CAUSES) == found(text, topic=DECISIONS) == ""
    core = Line(text, (), Citation("MEMORY.md", 3), None)
    assert fault(core, OTHER, core=True) == ""


@pytest.mark.parametrize(
    "text",
    [
        "The Sloop lies at berth 404",
        "The API costs 503 kr a month",
        "The tide server has 502 tables",
        "The key opens box 40412",
        "API 每月 404 元",
        "Bus line 404, to the harbour, stops at the server hall",
        "The tide server listens on port 500",
        "API price a month: 429",
        "The key of room 404.",
        "Token budget: 500, for each boat",
        "The webhook tries again on 429 and 503",
        "API 服务器端口 500",
        "Порт API сервера: 500",
        "Møde med API-holdet i lokale 404",
        "Server fund: Rolf gave 500, Ines 400",
        "The access key → 404",
        "We mended 500 errors in the tide tables",
        "500 fejl rettet i tidevandstabellerne",
        "API में 500 त्रुटियाँ गिनी गईं",
    ],
)
def test_another_number_is_no_error_code(text: str) -> None:
    assert found(text) == ""


@pytest.mark.parametrize(
    "label",
    [
        *("Net result", "Recommended fix", "Slutresultat", "Foreslået løsning", "最终结果", "建議修復", "推奨対応"),
        *("अंतिम परिणाम", "सुझाया गया समाधान", "Общий результат", "Предлагаемое исправление"),
    ],
)
def test_a_summary_or_proposal_is_no_statement(label: str) -> None:
    assert found(f"**{label}**: the pumps of the pier run by themselves") == "fragment"
    assert found(f"The {label} of the pumps is on the pier") != "fragment"


@pytest.mark.parametrize(
    "text",
    [
        "Sloops without sails (308 pts) - a talk on batteries",
        "Tide tables in the browser, 12.4k stars since May",
        "Fyrtårne på nettet: 1,032 points, 485 comments",
        "**潮汐表开源** (708 点): 港口都在用",
        "**潮汐表開源**（708 點）: 港口都在用",
        "帆船のAI (551 pts) - 風を読む",
        "Парусник без ветра: 11,006⭐ за неделю",
        "बिना पाल की नाव (340 points)",
        "潮汐程序: +420 点",
    ],
)
def test_how_many_liked_a_piece_of_news_is_of_a_day(text: str) -> None:
    assert found(text) == "count"
    assert found(text, day=None) == found(text, topic=DECISIONS) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Rolf's hotel has four stars and a pier",
        "The hotel at the pier has 4 stars",
        "Rolf's credit score: 720 points, enough for the loan",
        "Anna won the tide game with 400 points",
        "Two sprints, 8 points per week",
        "Rolf (85 points) passed the boat exam",
        "The café has 4.8 ⭐ and a pier",
        "高考（總分 680 分）被錄取",
        "走路（120 分）到学校",
        "歩いて（約 120 分）で学校",
        "TOEIC（スコア 850 点）取得",
        "会议在（下午 3 点）开始",
        "帆（120 分钟）已缝好",
        "The chart has points in red for every rock",
    ],
)
def test_other_points_are_no_count_of_news(text: str) -> None:
    assert found(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Letter drafted for the bank, Rolf brings it himself",
        "Letter to the bank drafted & approved, Rolf brings it himself",
        "Brevet til banken: udkast klar",
        "给银行的信已起草",
        "給銀行的信，草稿已就緒",
        "銀行への手紙は下書き済み",
        "बैंक को पत्र: मसौदा तैयार",
        "Письмо в банк: черновик готов",
    ],
)
def test_what_is_drafted_is_not_sent(text: str) -> None:
    core = Line(text, (), Citation("MEMORY.md", 3), None)
    assert found(text) == fault(core, OTHER, core=True) == "open"
    assert found(text, topic=DECISIONS) == ""


def test_a_draught_or_a_drift_is_no_draft() -> None:
    assert found("Draft horses pull the ferry") == found("The Sloop has a draught of two metres") == ""


@pytest.mark.parametrize(
    "text",
    [
        "Rolf was drafted into the navy in 1984",
        "Anna drafted the contract that both signed",
        "合同由律师已起草并签署",
        "遺囑已起草並簽署",
    ],
)
def test_what_was_drafted_and_signed_is_not_open(text: str) -> None:
    assert fault(Line(text, (), Citation("MEMORY.md", 3), None), OTHER, core=True) == ""
    assert found(text) in ("", "moment")


@pytest.mark.parametrize(
    "text",
    [
        "Crane of the pier: ⏳ parts ordered in Hull",
        "| Rolf | mends the crane | 🔄 |",
        "The crane of the pier is fully operational",
        "Kranen på molen er oppe at køre",
        "码头的起重机配置就绪",
        "碼頭的起重機配置就緒",
        "桟橋のクレーンは準備完了",
        "घाट की क्रेन पूरी तरह चालू",
        "Кран на пирсе полностью работает",
    ],
)
def test_what_is_under_way_or_in_order_held_for_a_moment(text: str) -> None:
    assert found(text) == "moment"
    assert found(text, day=None) == ""


@pytest.mark.parametrize(
    "text",
    [
        "The operation of the crane takes two men",
        "Mara is working at the harbour office",
        "Rolf is operational manager of the pier",
        "Tove keeps a room ready for guests",
        "Kranen kører på diesel",
        "起重机由两个人操作",
        "起重機由兩個人操作",
        "クレーンは二人で動かす",
        "क्रेन दो लोग चलाते हैं",
        "Краном управляют двое",
    ],
)
def test_how_something_is_run_lasts(text: str) -> None:
    assert found(text) == ""


@pytest.mark.parametrize(
    "label",
    ["Expected ROI", "Forventet ROI", "预计 ROI", "預計收益", "予想ROI", "अनुमानित ROI", "Ожидаемый ROI"],
)
def test_what_is_expected_of_something_says_nothing_of_it(label: str) -> None:
    assert found(f"**{label}**: 3.0 (the pumps of the pier run by themselves)") == "fragment"


@pytest.mark.parametrize(
    "label", ["Next steps", "Næste skridt", "下一步", "下一步行動", "次のアクション", "अगला कदम", "Следующий шаг"]
)
def test_a_next_step_is_of_its_day(label: str) -> None:
    assert found(f"**{label}**: the pumps of the pier get a new valve") == "fragment"
    assert found(f"The {label} of the pier has a new valve") != "fragment"


@pytest.mark.parametrize("label", ["Suggested fix", "推奨対応", "建议修复"])
def test_a_long_proposal_is_a_proposal_and_not_only_too_long(label: str) -> None:
    proposed = "Give the harbour office a key of the boat shed and of every berth " * 5
    assert found(f"**{label}:** {proposed}") == "fragment"


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("*Last updated by Ines when the ferry came in*", True),
        ("*Renewed: 2026-03-01 02:11 UTC*", True),
        ("*02:11 The pump of the pier*", True),
        ("The mast of *2026-03-01* is of pine", False),
        ("_This file is the memory of the harbour office_ ✅", True),
        ("*本文件记录码头的重要事项。*", True),
        ("*このファイルは桟橋の記録です*", True),
        ("*Этот файл ведёт Рольф*", True),
        (f"*Written by Ines out of the {'tide tables, ' * 20}and the logs*", True),
        ("*Never moor at the old pier*", False),
        ("*Pier two* is of oak", False),
        ("**Pier two is of oak**", False),
        ("The *old* pier is of *oak*", False),
    ],
)
def test_a_line_wholly_in_italics_is_a_remark_on_its_file(text: str, *, is_one: bool) -> None:
    assert (found(text) == "remark") == is_one
    assert (found(text, topic=DECISIONS) == "remark") == is_one
    assert (found(text, topic=PREFERENCES, day=None) == "remark") == is_one
    assert found("*Decision: the pump of the pier stays*", topic=DECISIONS) == ""
