"""General words of a question bring their members, in each language, and members bring nothing."""

from __future__ import annotations

import pytest

from commonplace.core.tables import table
from commonplace.core.text.analyzer import noun_term, query_terms
from commonplace.core.text.general_words import GeneralWord, general_words
from commonplace.core.text.known_languages import HAN, LANGUAGES

MOST = 100
"""Members of a general word: more would make a search long."""


def found(question: str) -> tuple[GeneralWord, ...]:
    return general_words(question, query_terms(question))


def members(question: str) -> set[str]:
    return {term.text for word in found(question) for term in word.members}


@pytest.mark.parametrize(
    ("question", "word", "member"),
    [
        ("What pets does Ingrid keep?", "pets", "kitten"),
        ("Which musical instruments did we rent?", "musical instruments", "cello"),
        ("How many children has she?", "children", "daughter"),
        ("hvilke husdyr har Ida?", "husdyr", "killing"),
        ("Hvilke instrumenter har vi lejet?", "instrumenter", "klarinet"),
        ("Hvilken by besøgte hun?", "by", "Odense"),
        ("她养了什么宠物？", "宠物", "仓鼠"),
        ("他會彈什麼樂器？", "乐器", "小提琴"),
        ("她种了什么花？", "花", "向日葵"),
        ("彼女はどんなペットを飼っていますか", "ペット", "子猫"),
        ("彼は何の楽器を弾けますか", "楽器", "バイオリン"),
        ("母はどんな花を植えた？", "花", "ひまわり"),
        ("उसके पास कौन से पालतू जानवर हैं?", "पालतू जानवर", "खरगोश"),
        ("राहुल कौन सा वाद्य बजाता है?", "वाद्य", "सितार"),
        ("मीना ने कौन सी गाड़ियाँ खरीदीं?", "गाड़ियाँ", "मारुति"),
        ("Какие у неё питомцы?", "питомцы", "хомяк"),
        ("На каком музыкальном инструменте играет Олег?", "музыкальном инструменте", "скрипка"),
        ("В каких городах она была?", "городах", "Казань"),
    ],
)
def test_a_general_word_in_any_of_its_forms_brings_its_members(question: str, word: str, member: str) -> None:
    (only,) = found(question)
    assert only.text == word
    assert member in {term.text for term in only.members}


@pytest.mark.parametrize(
    "question",
    [
        *("Does Ingrid still have the kitten?", "Are they related or interested?", "Who repaired the gate?"),
        *("Har Ida stadig en killing?", "Hvem spiller i aften?"),
        *("他上周花了多少钱？", "小提琴在哪里？", "小貓在哪裡？"),
        *("カーペットはどこで買った？", "子猫はどこ？", "花子さんはいつ来る？"),
        *("बिल्ली कहाँ है?", "सितार किसने खरीदा?"),
        *("Где котенок?", "Кто купил скрипку?"),
        *("", "?", "42"),
    ],
)
def test_members_and_words_that_only_look_general_bring_nothing(question: str) -> None:
    assert found(question) == ()


@pytest.mark.parametrize(
    "question",
    [
        *("Where do we store the backups?", "How should we treat timeouts?", "Who will present the results?"),
        *("Did the children sing?", "Which cron job failed last night?", "Which pet shop did Ida like?"),
        *("What do we store in the bucket?", "Which phone number is his?", "Which present situation is meant?"),
        *("Is there any room in the budget?", "Which job failed?", "Do we have present danger?"),
        *("Hvad koster cyklen?", "Har vi ret til det?", "Hvorfor er den så dyr?", "Hvem ringede til butikken?"),
        *("Hvad spiller Ida?", "Hvilke dyrlæger kom?"),
        *(
            "他的手机号是什么？",
            "哪个工作流失败了？",
            "哪些语言模型便宜？",
            "什么运动鞋好？",
            "配置文件在哪里？",
            "手机是什么时候买的？",
        ),
        *(
            "他的手機號是什麼？",
            "哪個工作流失敗了？",
            "哪些語言模型便宜？",
            "什麼運動鞋好？",
            "設備壞了嗎？",
            "手機是什麼時候買的？",
        ),
        *(
            "電話番号は？",
            "どの料理教室がいい？",
            "どんなペットショップ？",
            "ペットはなぜ鳴く？",
            "仕事が終わったのはいつ？",
        ),
        *("仕事は何時から？", "店はどこ？", "料理は何人分？"),
        *("カーペットとペットショップはどんな店長？",),
        *("बैठक का विषय क्या था?", "दवा कब लेनी है?", "कपड़े किसने धोए?", "क्या खेल रहा था?", "क्या चोट लगी?"),
        *("Когда сделают кухню?", "Где хранят документы?", "Какую кухню выбрали?", "Какой редактор читал статью?"),
        *("На какой машине собирали образ?", "Ты работаешь?"),
    ],
)
def test_a_word_of_which_no_question_asks_for_one_brings_nothing(question: str) -> None:
    assert found(question) == ()


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("What kinds of pets does Ida keep?", "pets"),
        ("Does Ida have any pets?", "pets"),
        ("Does Ida have pets?", "pets"),
        ("What is Ida's favourite dessert?", "dessert"),
        ("What are her hobbies?", "hobbies"),
        ("In which city did they meet?", "city"),
        ("Hvad for et instrument spiller Ida?", "instrument"),
        ("Hvad er hendes hobby?", "hobby"),
        ("他的爱好是什么？", "爱好"),
        ("他的愛好是什麼？", "爱好"),
        ("家里有没有宠物？", "宠物"),
        ("他的学校是哪所？", "学校"),
        ("趣味は何ですか", "趣味"),
        ("カーペットの上のペットは何？", "ペット"),
        ("मीना का शौक क्या है?", "शौक"),
        ("Сколько у неё питомцев?", "питомцев"),
    ],
)
def test_one_of_a_kind_is_asked_for_in_several_ways(question: str, word: str) -> None:
    assert [each.text for each in found(question)] == [word]


def test_a_member_that_is_a_general_word_brings_its_own() -> None:
    assert {"Volvo", "bicycle"} <= members("Which vehicles did we sell?")
    assert members("Which cars did we sell?") & {"Volvo", "bicycle"} == {"Volvo"}


def test_a_longer_general_word_is_taken_as_one() -> None:
    assert [word.text for word in found("Which board games do they own?")] == ["board games"]


def test_a_member_that_the_question_has_is_no_member_beside_it() -> None:
    assert members("Which instruments beside the cello do they play?") & {"cello", "flute"} == {"flute"}


def test_the_language_of_a_question_chooses_its_words() -> None:
    assert "killing" not in members("What pets does Ingrid keep?")
    assert "soccer" not in members("Hvilken sport går Ida til?")
    assert "killing" in members("Hvad for husdyr?")


def test_a_noun_has_no_forms_of_a_verb_that_looks_like_it() -> None:
    (verb,) = query_terms("rose")
    noun = noun_term("rose", "en")
    assert noun is not None and noun.keys == ("rose",) and len(verb.keys) > 1
    assert noun_term("？", "zh") is None


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_members_of_a_language_can_be_looked_for(code: str) -> None:
    listed = table("members", code)["members"]
    words = [word for forms in listed for word in forms.split(", ")]
    assert len(words) == len(set(words))
    assert code in HAN or {"ending", "apart"} <= table("members", code).keys()
    for forms, held in listed.items():
        own = held.split(", ")
        assert len(own) == len(set(own)) > 1, forms
        assert {*own}.isdisjoint(forms.split(", ")), forms
        assert all(noun_term(member, code) for member in own), forms
        assert len({*own, *(each for member in own for each in listed.get(member, "").split(", "))}) <= MOST, forms
