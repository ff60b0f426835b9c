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
    ],
)
def test_a_value_is_known_by_its_look(text: str, value: Value, there: bool) -> None:
    assert has_value(text, value) is there
