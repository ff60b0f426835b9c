"""How a question is read: days, names, what it asks for, and what is left to look up."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.extract.advice import nudges
from commonplace.core.extract.kind_guess import guess_kind
from commonplace.core.model import Kind
from commonplace.core.questions.ask_phrases import FAR, Ask, answers, phrases_of
from commonplace.core.questions.query_analysis import read
from commonplace.core.questions.question_parts import listed, parts
from commonplace.core.questions.unknown_names import strangers
from commonplace.core.text.normalize import fold

TODAY = date(2025, 12, 1)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("what does Peter prefer?", "opinion"),
        ("hvad foretrækker Ingrid?", "opinion"),
        ("陈先生更喜欢什么？", "opinion"),
        ("由紀さんは何が好きですか", "opinion"),
        ("प्रिया को क्या पसंद है?", "opinion"),
        ("hvad mener Ingrid om tapetet?", "opinion"),
        ("小陈怎么看这块地毯？", "opinion"),
        ("由紀さんが苦手なものは？", "opinion"),
        ("प्रिया को कौन सा रंग अच्छा लगता है?", "opinion"),
        ("hvornår blev vi enige om farven?", "decision"),
        ("地毯选了哪一块？", "decision"),
        ("どの布を選んだ？", "decision"),
        ("what did we decide about backups", "decision"),
        ("hvad besluttede vi om X", "decision"),
        ("我们对备份做了什么决定", "decision"),
        ("バックアップについて何を決めたか", "decision"),
        ("हमने X के बारे में क्या तय किया", "decision"),
        ("last time we tried Y", "latest"),
        ("where is Peter now", "current"),
        ("鍵は今どこにある？", "current"),
        ("係留場所は今どの桟橋？", "current"),
        ("where is Peter now", "where"),
        ("fortæl mig om The Castle", "about"),
        ("告诉我关于 Alice 的信息", "about"),
        ("what happened around November 27", "happened"),
        ("why did the gateway reboot?", "cause"),
        ("hvorfor genstartede den?", "cause"),
        ("为什么会重启？", "cause"),
        ("なぜ再起動したのか", "cause"),
        ("वह क्यों बंद हुआ?", "cause"),
        ("how was the leak fixed?", "fix"),
        ("漏水怎么修好的", "fix"),
        ("when did Peter leave?", "when"),
        ("hvornår rejste Peter?", "when"),
        ("いつ出発しましたか", "when"),
        ("hvor ligger nøglen?", "where"),
        ("hvor længe siden lånte vi stigen?", "when"),
        ("кто такая Вера?", "who"),
        ("что мы решили про забор?", "decision"),
        ("почему погас фонарь?", "cause"),
        ("что любит Вера?", "opinion"),
        ("what is due on Friday?", "due"),
        ("hvad forfalder i maj?", "due"),
    ],
)
def test_the_kind_of_answer_that_a_question_asks_for_is_recognised(question: str, asked: str) -> None:
    assert asked in read(question, TODAY).asks


@pytest.mark.parametrize("question", ["Hvor tung er kassen?", "Hvor mange rum har huset?", "hvor lang er tovet"])
def test_a_measure_is_no_place(question: str) -> None:
    reading = read(question, TODAY)
    assert "where" not in reading.asks
    assert all(term.weight == 1 for term in reading.terms), "how heavy, how long: that is what is asked for"


@pytest.mark.parametrize(
    ("question", "name", "asks"),
    [
        ("where did Love move?", "love", {"where"}),
        ("where did love move?", "love", {"where"}),
        ("What does Ebba love?", "love", {"opinion"}),
        ("Hvad kostede Bo's kaffe hos Nu?", "nu", set()),
        ("hvor ligger caféen Nu?", "nu", {"where"}),
        ("Hvor er Ebba nu?", "nu", {"where", "current"}),
        ("Describe the Living Room", "living room", {"about"}),
        ("住吉さんは何が好きですか", "住吉", {"opinion"}),
        ("住吉在哪里？", "住吉", {"where"}),
    ],
)
def test_a_name_is_no_word_that_asks(question: str, name: str, asks: set[str]) -> None:
    def known(names: list[str]) -> dict[str, tuple[str, ...]]:
        return {each: (each,) for each in names if each in (name, "ebba", "bo")}

    reading = read(question, TODAY, known)
    assert reading.asks == asks
    if asks <= {"where"}:
        assert all(term.weight == 1 for term in reading.terms if fold(term.text) == name)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Root cause: the pool was full", {"cause"}),
        ("**根因**：连接没有关", {"cause"}),
        ("### 原因", {"cause"}),
        ("Årsag: kablet var løst", {"cause", "fix"}),
        ("修复", {"fix"}),
        ("Beslutning: vi venter", {"decision"}),
        ("The causeway was decided upon by nobody", {"decision"}),
        ("Alarm came four minutes late", set()),
    ],
)
def test_the_kinds_of_questions_that_a_line_answers_are_recognised(line: str, told: set[str]) -> None:
    assert answers(line, tuple(Ask)) == told


def test_days_and_asking_words_are_not_looked_for_like_others() -> None:
    reading = read("what did we decide about the backups since last week?", TODAY)
    assert reading.when is not None
    assert reading.when.span.start == date(2025, 11, 24)
    weights = {term.text: term.weight for term in reading.terms}
    assert weights["backups"] == 1.0
    assert weights["decide"] < 0.5
    assert "week" not in weights


@pytest.mark.parametrize(
    ("question", "talk", "subject"),
    [
        ("which harbours did Nora mention in our conversations?", "mention", "harbours"),
        ("hvilke havne nævnte Nora?", "nævnte", "havne"),
        ("诺拉提到哪些港口？", "提到", "港口"),
        ("諾拉討論哪些港口？", "討論", "港口"),
        ("ノラが言及した港は？", "言及", "港"),
        ("नोरा ने किन बंदरगाहों का उल्लेख किया?", "उल्लेख", "बंदरगाहों"),
        ("какие гавани упоминала Нора?", "упоминала", "гавани"),
    ],
)
def test_that_something_was_talked_about_counts_less_than_what(question: str, talk: str, subject: str) -> None:
    terms = read(question, TODAY).terms
    assert max(term.weight for term in terms if term.text == talk) < 0.5
    assert max(term.weight for term in terms if term.text == subject) >= 0.5


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("how did the conversation turn out?", "conversation"),
        ("was the discussion heated?", "discussion"),
        ("hvad handlede samtalen om?", "samtalen"),
        ("讨论进行得怎么样？", "讨论"),
        ("चर्चा कैसी रही?", "चर्चा"),
        ("чем кончился разговор?", "разговор"),
    ],
)
def test_a_conversation_that_is_asked_about_is_a_subject(question: str, subject: str) -> None:
    assert max(term.weight for term in read(question, TODAY).terms if term.text == subject) >= 0.5


def test_known_names_are_entities_and_marked_ones_need_nobody() -> None:
    assert read("tell me about @Zed", TODAY).keys == ("zed",)
    reading = read("tell me about Zed", TODAY, lambda names: {"zed": ("zed",)} if "zed" in names else {})
    assert reading.keys == ("zed",)
    assert reading.kinds == ()
    assert read("what does Zed like?", TODAY).kinds == (Kind.OPINION,)


@given(st.text(max_size=300))
def test_no_question_raises(text: str) -> None:
    assert read(text, TODAY).query == text
    assert guess_kind(text) in Kind
    assert isinstance(nudges(text), tuple)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Peter prefers tea.", Kind.OPINION),
        ("I fixed the pump.", Kind.EXPERIENCE),
        ("The ferry leaves at nine.", Kind.WORLD),
        ("Ingrid foretrækker te.", Kind.OPINION),
        ("Jeg reparerede pumpen.", Kind.EXPERIENCE),
        ("陈先生喜欢茶。", Kind.OPINION),
        ("我修好了泵。", Kind.EXPERIENCE),
        ("由紀さんは朝の会議が嫌いです。", Kind.OPINION),
        ("प्रिया को चाय पसंद है।", Kind.OPINION),
        ("मैंने पंप ठीक किया।", Kind.EXPERIENCE),
        ("I går rejste Peter til Rom.", Kind.WORLD),
        ("I november flyttede Mette.", Kind.WORLD),
        ("Han rejste i går til Aarhus.", Kind.WORLD),  # only a capital I speaks
        ("Serveren står i kælderen.", Kind.WORLD),
        ("The i in iPhone is small.", Kind.WORLD),
        ("Part I moved", Kind.WORLD),
        ("Yes, I did it.", Kind.EXPERIENCE),
        ("Today I’ve moved the server.", Kind.EXPERIENCE),
    ],
)
def test_kinds_are_guessed(text: str, kind: Kind) -> None:
    assert guess_kind(text) is kind


@pytest.mark.parametrize(
    "text",
    [
        "He likes it there.",
        "Han bor i Aarhus nu.",
        "她搬去了上海，换了工作。",
        "彼は大阪に引っ越した。",
        "वह पुणे में रहता है।",
        "Tomorrow the ferry leaves.",
        "明天开会。",
        "Tea.",
    ],
)
def test_what_will_not_stand_alone_is_nudged(text: str) -> None:
    assert nudges(text)


def test_what_is_clear_alone_brings_no_nudge() -> None:
    for text in (
        "Peter lives in Vienna since 2019.",
        "Ingrid bor i Aarhus.",
        "陈先生在成都开了一家茶馆。",
    ):
        assert not nudges(text), text


@pytest.mark.parametrize("question", ["Jan", "what does Jan prefer?", "where does Jan live?", "tell me about April"])
def test_a_name_that_is_a_month_is_the_name_where_it_is_known(question: str) -> None:
    known = {"jan": ("jan",), "april": ("april",)}
    reading = read(question, TODAY, lambda names: {name: known[name] for name in names if name in known})
    assert reading.when is None
    assert reading.keys in (("jan",), ("april",))
    assert reading.terms
    assert read("what happened in April 2025?", TODAY, lambda names: {}).when is not None


@pytest.mark.parametrize("where", ["above", "below"])
def test_of_a_very_long_question_the_beginning_and_the_end_are_read(where: str) -> None:
    pasted, asked = "unrelated lines of a pasted document " * 3_000, "what broke the kettle on November 27?"
    found = read(f"{asked} {pasted}" if where == "above" else f"{pasted} {asked}", TODAY)
    assert {"broke", "kettle"} <= {term.text for term in found.terms}
    assert found.when is not None
    assert not any(term.text in ("unre", "ated", "ocument") for term in found.terms), "no half words"
    assert sum(len(term.text) for term in found.terms) < 3_000


@pytest.mark.parametrize(
    ("question", "nowhere", "named"),
    [
        ("Which cluster did Vantongeren rent?", {"cluster", "Vantongeren", "rent"}, ("Vantongeren",)),
        ("lagoon 用 Redis 做缓存是谁提的？", {"Redis"}, ("Redis",)),
        ("Vantongeren rented what?", {"Vantongeren", "rented"}, ()),
        ("What Did Vantongeren Rent Last Year?", {"Vantongeren", "Rent"}, ()),
        ("What is behind BROWN_OUT_RESET?", {"BROWN_OUT_RESET"}, ()),
        ("what does fault HB-4417 mean?", {"fault", "HB-4417", "HB", "4417"}, ("HB-4417",)),
        ("what does fault HB-4417 mean?", {"HB-4417", "HB"}, ()),
        ("what does fault V88 mean?", {"V88"}, ("V88",)),
        ("what costs 4417 or 12th?", {"4417", "12th"}, ()),
        ("which cluster was rented", {"cluster", "rented"}, ()),
    ],
)
def test_names_that_no_line_has_are_strangers(question: str, nowhere: set[str], named: tuple[str, ...]) -> None:
    reading = read(question, TODAY)
    assert strangers(reading, [term for term in reading.terms if term.text in nowhere]) == named


def test_a_name_among_signs_that_are_not_parted_is_a_word_of_its_own() -> None:
    known = {"林佳穎": ("林佳穎",), fold("林佳穎"): ("林佳穎",)}
    reading = read("告訴我林佳穎的事", TODAY, lambda names: {name: known[name] for name in names if name in known})
    assert reading.entities
    assert not any("穎的" in term.text or "我林" in term.text for term in reading.terms)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Where does Inger live, and who is the apprentice?", ("Where does Inger live", "and who is the apprentice?")),
        ("Hvor bor Inger, og hvem er lærling?", ("Hvor bor Inger", "og hvem er lærling?")),
        ("औसत त्रुटि कितनी है और अरेस्टर किस साल का है?", ("औसत त्रुटि कितनी है", "और अरेस्टर किस साल का है?")),
        ("周明住哪里，孙丽负责什么？", ("周明住哪里", "孙丽负责什么？")),
        ("佐藤さんはどこに住み、何を研究している？", ("佐藤さんはどこに住み", "何を研究している？")),
        ("Which part broke, and why?", ("Which part broke, and why?",)),
        ("What did Ann say and do when she came?", ("What did Ann say and do when she came?",)),
        ("Who is Inger, and where does she live?", ("Who is Inger, and where does she live?",)),
        ("What is the relay and why does it matter to us?", ("What is the relay and why does it matter to us?",)),
        ("周明是谁，他住哪里？", ("周明是谁，他住哪里？",)),
        ("Who is Inger, and where does Hans live?", ("Who is Inger", "and where does Hans live?")),
        ("Who is Inger, and who leads IT?", ("Who is Inger", "and who leads IT?")),
        ("Who is Inger, and where did Bo buy the ham?", ("Who is Inger", "and where did Bo buy the ham?")),
        ("Who is Inger, and when did Bo sell his boat?", ("Who is Inger", "and when did Bo sell his boat?")),
        ("Who is Inger, and what does her brother Bo do?", ("Who is Inger, and what does her brother Bo do?",)),
        ("Hvem er Inger, og hvor bor Hans?", ("Hvem er Inger", "og hvor bor Hans?")),
        ("Hvem er Inger, og hvor er den røde båd?", ("Hvem er Inger", "og hvor er den røde båd?")),
        ("Hvem er Inger, og hvor bor hendes bror?", ("Hvem er Inger, og hvor bor hendes bror?",)),
        ("周明是谁，其他人住哪里？", ("周明是谁", "其他人住哪里？")),
        ("美咲は誰、彼岸花はどこに咲く？", ("美咲は誰", "彼岸花はどこに咲く？")),
        ("美咲は誰、彼女はどこに住む？", ("美咲は誰、彼女はどこに住む？",)),
        ("Кто такая Анна и где она живёт?", ("Кто такая Анна и где она живёт?",)),
        (
            "What is the relay, why does it fail, and who is Bo?",
            ("What is the relay, why does it fail", "and who is Bo?"),
        ),
        ("salt and pepper", ("salt and pepper",)),
        ("", ("",)),
    ],
)
def test_a_question_of_several_questions_is_split(question: str, asked: tuple[str, ...]) -> None:
    assert parts(question) == asked


@pytest.mark.parametrize("name", ["questions", "answers"])
def test_phrases_of_other_scripts_stand_in_no_text_in_latin_letters(name: str) -> None:
    latin = set(phrases_of(name, far=False))
    assert latin
    assert all(max(phrase) < FAR for phrase, _ in latin)
    assert all(max(phrase) >= FAR for phrase, _ in set(phrases_of(name, far=True)) - latin)


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("Runa's passport and the sloop's mast", ("Runa's passport", "the sloop's mast")),
        ("Runa's passport, the mast and the anchor", ("Runa's passport", "the mast", "the anchor")),
        ("Runas pas og skonnertens mast", ("Runas pas", "skonnertens mast")),
        ("露娜的护照和帆船的桅杆", ("露娜的护照", "帆船的桅杆")),
        ("パスポートと帆柱", ("パスポート", "帆柱")),
        ("रूना का पासपोर्ट और नाव का मस्तूल", ("रूना का पासपोर्ट", "नाव का मस्तूल")),
        ("where does Runa live, and who painted the mast?", ("where does Runa live", "who painted the mast")),
        ("what are Runa's fears and Tove's hopes?", ("what are Runa's fears", "Tove's hopes")),
        ("what does Runa do to rest and unwind?", ()),
        ("the sandbox", ()),
        ("きっと", ()),
    ],
)
def test_the_things_that_a_question_lists_are_read(question: str, things: tuple[str, ...]) -> None:
    known = {"runa", "tove"}
    reading = read(question, TODAY, lambda names: {name: (name,) for name in names if name in known})
    assert listed(reading) == things


def test_a_long_dash_parts_clauses_and_a_hyphen_joins_words() -> None:
    said = read("the sums I declined\u2014a raise, a re-fit, and a bonus\u2014how much?", TODAY)
    terms = [(term.text, term.kind) for term in said.terms]
    assert ("bonus", "word") in terms and ("re-fit", "identifier") in terms
    assert not any("\u2014" in text for text, _ in terms)


@pytest.mark.parametrize("question", ["設計仕様はどこ？", "多種多様な設計書", "華氏で何度？"])
def test_what_ends_like_a_title_is_no_name(question: str) -> None:
    reading = read(question, TODAY)
    assert strangers(reading, reading.terms) == ()


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("what is Heron's job?", True),
        ("hvad er Heron job?", True),
        ("why did the Heron job fail?", False),
        ("hvorfor fejlede Heron job 3?", False),
    ],
)
def test_a_job_beside_a_name_is_asked_for_only_where_it_is_theirs(question: str, asks: bool) -> None:
    known = {"heron": ("heron",)}
    reading = read(question, date(2026, 2, 1), lambda names: {name: known[name] for name in names if name in known})
    assert (Ask.WHO in reading.asks) is asks


@pytest.mark.parametrize(
    ("question", "light", "heavy"),
    [
        ("can the plotter be used right now?", "used", "plotter"),
        ("bruger vi stadig plotteren?", "bruger", "plotteren"),
        ("海图仪现在在用吗", "在用", "海图"),
        ("मैं सोनार का इस्तेमाल करता हूँ?", "इस्तेमाल", "सोनार"),
        ("мы ещё используем эхолот?", "используем", "эхолот"),
        ("how was the problem with the plotter solved?", "problem", "plotter"),
        ("why did the plotter fail?", "fail", "plotter"),
        ("hvorfor fejlede plotteren?", "fejlede", "plotteren"),
        ("海图仪为什么挂了", "挂了", "海图"),
        ("なぜ海図の読込に失敗した？", "失敗", "海図"),
        ("सोनार क्यों खराब है?", "खराब", "सोनार"),
        ("почему эхолот сломался?", "сломался", "эхолот"),
    ],
)
def test_words_that_say_little_weigh_less(question: str, light: str, heavy: str) -> None:
    weights = {term.text: term.weight for term in reversed(read(question, TODAY).terms)}  # the first of its text
    assert 0 < weights[light] < weights[heavy]


def test_a_word_for_trouble_weighs_in_full_where_no_cause_is_asked_for() -> None:
    weights = {term.text: term.weight for term in read("which plotter broke in March?", TODAY).terms}
    assert weights["broke"] == weights["plotter"]


@pytest.mark.parametrize(
    ("greeted", "question"),
    [
        ("hi! where is the mill?", "where is the mill?"),
        ("Good morning! Max, who is Berit?", "Max, who is Berit?"),
        ("hey, hello! what did we decide about rye?", "what did we decide about rye?"),
        ("hej, hvor er møllen?", "hvor er møllen?"),
        ("早上好！磨坊在哪里？", "磨坊在哪里？"),
        ("おはよう、風車はどこ？", "風車はどこ？"),
        ("नमस्ते, चक्की कहाँ है?", "चक्की कहाँ है?"),
        ("привет! где мельница?", "где мельница?"),
    ],
)
def test_a_greeting_is_no_part_of_a_question(greeted: str, question: str) -> None:
    one, other = read(greeted, TODAY), read(question, TODAY)
    assert (one.terms, one.asks) == (other.terms, other.asks)


@pytest.mark.parametrize(
    "text", ["hi", "Hello, world", "morning", "thanks!", "你好", "hey there is a mill", "hi-fi", "Hello.world", "ok.ru"]
)
def test_what_is_asked_may_be_a_greeting(text: str) -> None:
    assert read(text, TODAY).terms


@pytest.mark.parametrize(
    "text",
    [
        "what's open on Marrow?",
        "hvad er åbent på Marrow?",
        "what's left for Marrow?",
    ],
)
def test_what_is_open_asks_for_tasks(text: str) -> None:
    assert Ask.TASKS in read(text, TODAY).asks
