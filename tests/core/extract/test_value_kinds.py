"""Kinds of value that questions ask for, and lines that have one."""

from __future__ import annotations

import pytest

from commonplace.core.extract.value_kinds import Value, has_value, values_asked

AMOUNT, AGE, ADDRESS, IDENTIFIER, CLOCK, *_ = Value


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How much does the harbour charge per month?", AMOUNT),
        ("What was the price of the sail?", AMOUNT),
        ("Hvad koster bådpladsen?", AMOUNT),
        ("船位一个月多少钱？", AMOUNT),
        ("係留料はいくら？", AMOUNT),
        ("नाव का किराया कितना है?", AMOUNT),
        ("Сколько мы платим за причал?", AMOUNT),
        ("How old is Peter?", AGE),
        ("Hvor gammel er Peter?", AGE),
        ("彼得几岁了？", AGE),
        ("ピーターは何歳？", AGE),
        ("Сколько Петру лет?", AGE),
        ("At what address does the weather station answer?", ADDRESS),
        ("気象ステーションのアドレスは？", ADDRESS),
        ("What is the order number of the seats?", IDENTIFIER),
        ("那个应用的编号是多少？", IDENTIFIER),
        ("At what time does the ferry leave?", CLOCK),
        ("Hvad tid går færgen?", CLOCK),
        ("渡轮几点开？", CLOCK),
        ("フェリーは何時に出る？", CLOCK),
        ("नाव कितने बजे निकलती है?", CLOCK),
        ("Во сколько отходит паром?", CLOCK),
        ("when does the night ferry go out?", CLOCK),
        ("Hvornår går færgen?", CLOCK),
        ("渡轮什么时候出发", CLOCK),
        ("フェリーはいつ出ますか", CLOCK),
        ("नाव कब निकलती है?", CLOCK),
        ("когда у нас уходит паром?", CLOCK),
        ("What is my flight number?", IDENTIFIER),
        ("What is our account number?", IDENTIFIER),
        ("Hvad er mit flynummer?", IDENTIFIER),
        ("How far did I row?", Value.DISTANCE),
        ("Hvor langt roede jeg?", Value.DISTANCE),
        ("我划了多远？", Value.DISTANCE),
        ("何キロ漕いだ？", Value.DISTANCE),
        ("मैं कितनी दूर गया?", Value.DISTANCE),
        ("Сколько километров мы прошли?", Value.DISTANCE),
        ("What is our mortgage rate?", Value.SHARE),
        ("Hvad er renten på lånet?", Value.SHARE),
        ("贷款利率是多少？", Value.SHARE),
        ("ローンの金利は？", Value.SHARE),
        ("कितने प्रतिशत लोग आए?", Value.SHARE),
        ("Какая ставка по ипотеке?", Value.SHARE),
    ],
)
def test_a_question_shows_what_kind_of_value_it_asks_for(question: str, value: Value) -> None:
    assert values_asked(question) == {value}


@pytest.mark.parametrize(
    "question",
    [
        "How much time does Peter spend at sea?",
        "何時間かかる？",
        "What time of year is best?",
        "What time zone is Nora in?",
        "他有几点建议？",
        "Where is the boat?",
        "ボートはどこ？",
        "How many boats?",
        "How far along is the boat?",
        "离上线还有多远？",
        "Сколько человек прошли тест?",
        "Which share did we mount?",
        "What is the highest number?",
        "",
    ],
)
def test_other_questions_ask_for_no_value(question: str) -> None:
    assert values_asked(question) == frozenset()


@pytest.mark.parametrize(
    ("text", "value", "there"),
    [
        ("The berth costs 1,200 kr a month", AMOUNT, True),
        ("paid €50K", AMOUNT, True),
        ("月額5万", AMOUNT, True),
        ("row 7, seats 11 and 12", AMOUNT, False),
        ("Peter turned 41 in June", AGE, True),
        ("1984年生まれ", AGE, True),
        ("41 boats", AGE, False),
        ("- Endpoint: `s3.example.org:443`", ADDRESS, True),
        ("http://10.0.0.5:8765/", ADDRESS, True),
        ("see notes.md", ADDRESS, False),
        ("order KS-20418", IDENTIFIER, True),
        ("code `2026-04-087`", IDENTIFIER, True),
        ("on 2026-04-08", IDENTIFIER, False),
        ("adds items B-014 to B-019", IDENTIFIER, True),
        ("a T-shirt and a B-side", IDENTIFIER, False),
        ("The ferry leaves at 06:45", CLOCK, True),
        ("晚上八点开始", CLOCK, True),
        ("下午一点开会", CLOCK, True),
        ("十一点出发", CLOCK, True),
        ("færgen går kl. 9.30", CLOCK, True),
        ("会议有一点长", CLOCK, False),
        ("有三点建议", CLOCK, False),
        ("$4.50 for 3.14 metres of Python 3.12", CLOCK, False),
        ("паром уходит в 7 часов", CLOCK, True),
        ("version 3.12.1 at 12:345", CLOCK, False),
        ("flight SK 4417 to Molde", IDENTIFIER, True),
        ("in MAY 2026, page IV 2026", IDENTIFIER, False),
        ("rowed 12 km in 61 minutes", Value.DISTANCE, True),
        ("划了12公里", Value.DISTANCE, True),
        ("прошли 7,5 км", Value.DISTANCE, True),
        ("paid $3.5m for 12 boats", Value.DISTANCE, False),
        ("the loan is at 3.9 % for five years", Value.SHARE, True),
        ("金利は3.9パーセント", Value.SHARE, True),
        ("39 boats", Value.SHARE, False),
    ],
)
def test_a_value_is_known_by_its_look(text: str, value: Value, there: bool) -> None:
    assert has_value(text, value) is there
