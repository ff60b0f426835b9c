"""Names written in another script."""

from __future__ import annotations

import time

import pytest

from commonplace.core.entities.sounding_names import sounding
from commonplace.core.text.normalize import fold

NAMES = [
    *("docker", "slack", "telegram", "notion", "grafana", "github", "claude", "postgres", "python", "chrome", "cursor"),
    *("gemini", "berlin", "priya", "peter holm", "anna", "julia", "mark", "victor", "stripe", "whatsapp"),
    *("прия", "ピーター", "スミス", "leo"),
]
FOLDED = [fold(name) for name in NAMES]


def heard(word: str, names: list[str] = FOLDED, *, is_name: bool = True) -> tuple[str, ...]:
    return sounding({word: is_name}, names).get(word, ())


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Докер докер докера ドッカー डॉकर", "Docker"),
        ("слак Слэк スラック स्लैक", "Slack"),
        ("Телеграм телеграме テレグラム टेलीग्राम", "Telegram"),
        ("Нотион нотионом ノーション नोशन", "Notion"),
        ("Графана グラファナ ग्राफाना", "Grafana"),
        ("Гитхаб ギットハブ गिटहब", "Github"),
        ("Клод クロード", "Claude"),
        ("Постгрес ポストグレス", "Postgres"),
        ("Питон パイソン", "Python"),
        ("Хром クローム", "Chrome"),
        ("Курсор カーソル", "Cursor"),
        ("Джемини ジェミニ", "Gemini"),
        ("Берлин ベルリン", "Berlin"),
        ("Анна アンナ", "Anna"),
        ("Юлия ユリア", "Julia"),
        ("Марк マーク", "Mark"),
        ("Виктор ビクター", "Victor"),
        ("ストライプ", "Stripe"),
        ("Ватсап", "Whatsapp"),
        ("Холм", "Holm"),
    ],
)
def test_a_name_is_known_in_another_script(words: str, name: str) -> None:
    assert sounding({word: word[0].isupper() or word[0] > "ァ" for word in words.split()}, FOLDED) == {
        word: (name,) for word in words.split()
    }


def test_names_in_scripts_other_than_latin_are_found_as_well() -> None:
    assert heard("Peter") == (fold("ピーター"),)
    assert heard("Smith") == (fold("スミス"),)
    assert heard("Marina", [fold("Марина")]) == ("Марина",)


@pytest.mark.parametrize(
    "word",
    [
        *(
            "падал",
            "хотел",
            "сделал",
            "решение",
            "вчера",
            "где",
            "жить",
            "жильё",
            "рост",
            "большая",
            "касается",
            "куда",
        ),
        *("サーバー", "データ", "メモ", "ビート", "バイト", "ソウル", "ゲート", "キャッシュ", "スター"),
        *("चाहती", "बनाया", "काम", "रक्त", "राम", "ज़मीन", "बेटी", "विषय", "जीत", "झील"),
        *("Docker", "Peter Holm", "林雅婷", "レオ", "", "ー", "्", "Ер"),  # the same script, Han, too short, nothing
    ],
)
def test_ordinary_words_and_what_is_no_name_sound_like_none(word: str) -> None:
    names = [
        "docker",
        "slack",
        "telegram",
        "notion",
        "grafana",
        "leo",
        "git",
        "vite",
        "jira",
        "rust",
        "react",
        "cursor",
    ]
    assert not heard(word, [*names, "llama", "gemini", "visa", "sol", "store", "sam"], is_name=word[:1] > "ァ")


def test_fewer_consonants_need_a_capital_or_a_given_name() -> None:
    assert heard("зилиб", ["zilib"], is_name=False) == ("Zilib",)
    assert heard("зиливо", ["ziliwo"], is_name=False) == ("Ziliwo",)
    assert heard("зилио", ["zilio"], is_name=False) == ()
    assert heard("Зилио", ["zilio"]) == ("Zilio",)
    assert heard("мария", ["maria"], is_name=False) == ("Maria",)


def test_however_many_names_and_words_there_are_it_takes_no_time() -> None:
    names = [
        f"{first}{middle}{last}" for first in "bdgkmprstz" for middle in "aeiou" for last in ("rken", "ltor", "nvel")
    ]
    began = time.process_time()
    sounding({f"Чевстраво{at}" if at else "Ч" * 24: True for at in range(60)}, [*names * 40, "wcgua" * 4])
    assert time.process_time() - began < 5
