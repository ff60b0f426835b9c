"""Stance by example, and its laws: any text is weighed, and a prepared pair is weighed as the texts are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.model import Stance
from commonplace.core.stance import prepare, reverses, same_statement, similarity, weigh, weigh_prepared


def pairs_of(name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))[
        "cases"
    ]
    return cases


CASES = pairs_of("polarity")
LANGUAGES = ("en", "da", "zh", "ja", "hi", "ru")
WORDS = (
    "not no prefers likes tea over coffee 1500 chars <3 . ; , ? ikke foretrækker 不 喜欢 茶 比 より 好き ない नहीं पसंद है"
)
fragments = st.sampled_from(WORDS.split())
texts = st.text() | st.lists(fragments, max_size=12).map(" ".join)


@pytest.mark.parametrize(
    ("name", "pairs", "precision", "recall"),
    [
        ("polarity", 120, 0.95, 0.95),
        ("traps", 200, 0.95, 0.9),
        ("more", 400, 0.95, 0.65),
        ("held", 500, 0.95, 0.1),
        ("fresh", 240, 0.93, 0.5),
    ],
)
def test_labelled_pairs_are_weighed_with_few_errors(name: str, pairs: int, precision: float, recall: float) -> None:
    cases = pairs_of(name)
    answers = [(case["stance"], str(weigh(case["opinion"], case["fact"]).stance)) for case in cases]
    assert len(cases) >= pairs
    for stance in ("contradicts", "supports"):
        said = [want for want, got in answers if got == stance]
        true = sum(want == stance for want, _ in answers)
        assert said.count(stance) >= precision * len(said), stance
        assert said.count(stance) >= recall * true, stance


@pytest.mark.parametrize(
    ("name", "recall", "wrong"), [("more", 0.85, 0.02), ("held", 0.6, 0.02), ("fresh", 0.55, 0.02)]
)
def test_contradictions_between_notes_of_agents_are_found_no_worse_than_before(
    name: str, recall: float, wrong: float
) -> None:
    """What was reached, less a little: `fresh` was never tuned on, and finds far less than what was."""
    cases = [case for case in pairs_of(name) if case.get("set", "memory") == "memory"]
    answers = [(case["stance"], str(weigh(case["opinion"], case["fact"]).stance)) for case in cases]
    against = [got for want, got in answers if want == "contradicts"]
    neither = [got for want, got in answers if want == "unrelated"]
    assert against.count("contradicts") >= recall * len(against)
    assert len(neither) - neither.count("undecided") <= wrong * len(neither)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_decides_and_abstains(language: str) -> None:
    cases = [case for case in CASES if case["language"] == language]
    right = [case for case in cases if weigh(case["opinion"], case["fact"]).stance == case["stance"]]
    assert {case["stance"] for case in right} >= {"contradicts", "supports"}
    assert all(
        weigh(case["opinion"], case["fact"]).stance is Stance.UNDECIDED
        for case in cases
        if case["stance"] == "unrelated"
    )


@pytest.mark.parametrize(
    ("opinion", "fact", "stance", "reason"),
    [
        ("Trusts cron.", "Distrusts cron.", "contradicts", "antonyms"),
        ("Has two cats.", "Has three cats.", "contradicts", "number changed: two cats → three cats"),
        (
            "Prefers trains to planes.",
            "Prefers planes to trains.",
            "contradicts",
            "swapped preference: planes over trains",
        ),
        ("Likes coffee.", "Prefers tea over coffee.", "contradicts", "another preferred: tea over coffee"),
        ("Uses vim daily.", "Switched from vim to Helix.", "contradicts", "moved on: Helix over vim"),
        ("The door is not open.", "The door is closed.", "supports", "a denied antonym"),
        ("Lives in Vienna.", "Lives in Berlin.", "contradicts", "only one can hold: Vienna → Berlin"),
        ("Writes with milk.", "Writes without milk.", "contradicts", "antonyms"),
        ("Eats meat.", "Stopped eating meat.", "contradicts", "negation on one side: the fact says Stopped"),
        ("Replies within 1500 characters.", "Replies in 1200 characters.", "supports", "restated"),
        ("Replies within 1500 characters.", "Replies in 1700 characters.", "contradicts", "number changed"),
        (
            "Wants replies of at least 100 characters.",
            "Wants replies of 50 characters.",
            "contradicts",
            "number changed",
        ),
        ("Call at 9:30 is fixed.", "Call at 10:30 is fixed.", "contradicts", "number changed"),
        ("Version 1.2.3 is deployed.", "Version 1.2.4 is deployed.", "undecided", ""),
        ("Likes tea.", "Does he not like tea?", "undecided", "a question"),
        ("He likes the music of the night.", "पसंद नहीं है।", "undecided", "two languages"),
        ("Likes the new dashboard.", "Likes the old dashboard too.", "undecided", ""),
        ("A man is sitting on a bench.", "A man is standing on a bench.", "undecided", ""),
        ("Deploys on Fridays.", "Did not deploy this Friday.", "undecided", ""),
        ("The pilot is calm.", "The pilot who is not calm is here.", "undecided", ""),
        ("The dog chases the cat daily.", "The cat chases the dog daily.", "undecided", ""),
        ("O'Brien trusts cron daily.", "O'Brien never trusts cron daily.", "contradicts", "negation on one side"),
        ("Trusts Anna's cron.", "Does not trust Anna's cron.", "contradicts", "negation on one side"),
        ("The door is not open.", "The door is not closed.", "undecided", ""),
        ("Prefers tea, which is not sweet, in cups.", "Prefers tea which is sweet in cups.", "undecided", ""),
        ("The wall is cold in January.", "The wall is cold in June.", "contradicts", "only one can hold"),
        ("Likes snow in the north.", "Likes snow in the south of it also.", "undecided", ""),
        ("Replies have less than 100 words.", "Replies have at least 200 words.", "contradicts", "number changed"),
        ("Replies have less than 200 words.", "Replies have at least 100 words.", "supports", "restated"),
        ("Mag kurze Antworten im Chat sehr.", "Mag keine kurze Antworten im Chat sehr.", "undecided", ""),
        ("Любить короткі відповіді вранці там.", "Не любить короткі відповіді вранці там.", "undecided", ""),
        (
            "Любит короткие ответы утром там.",
            "Не любит короткие ответы утром там.",
            "contradicts",
            "negation on one side",
        ),
        ("Офис закрыт по субботам.", "Офис открыт по субботам.", "contradicts", "antonyms"),
        ("Он живёт в Москве.", "Он живёт в Казани.", "contradicts", "only one can hold"),
        ("Обновление занимает 5 минут.", "Обновление занимает 10 минут.", "contradicts", "number changed"),
        ("Брат Анны живёт в Омске.", "Сестра Анны живёт в Туле.", "undecided", ""),
        ("Любит чай.", "Любит кофе.", "undecided", ""),
        ("Used Redis there.", "Switched from Redis to Valkey.", "contradicts", "moved on"),
        ("Knows Redis well.", "Switched from Redis to Valkey.", "undecided", ""),
        ("Is no vegetarian and buys no vegetables.", "Buys vegetables.", "undecided", ""),
        ("The cat sees the dog.", "The dog does not see the cat.", "undecided", ""),
        ("雪の上でねずみを見る。", "雪の上で走るねずみを見る。", "undecided", ""),
        ("みかんの木がある。", "バナナの木がある。", "undecided", ""),
        ("返信は100文字です。", "返信は二つです。", "undecided", ""),
        ("채팅에서 짧은 답변을 자주 좋아해", "채팅에서 짧은 답변을 자주 안 좋아해", "undecided", ""),
        ("Likes tea.", "Does not like.", "undecided", ""),
        ("Wants 5.", "Wants 5 again.", "undecided", ""),
        ("Replies in 1700 characters.", "Replies within 1500 characters.", "contradicts", "number changed"),
        ("Anna writes the report daily.", "The report is written daily by Anna.", "supports", "restated"),
        ("Key 12345678901234567 works.", "Key 12345678901234567 works still.", "supports", "restated"),
        ("雪ゆぽが好き。", "雪ゆぽが嫌い。", "contradicts", "antonyms"),
        (
            "There is no person playing the piano.",
            "A woman is playing the piano.",
            "contradicts",
            "negation on one side",
        ),
        ("赤いみかんを好む。", "赤いバナナを好む。", "undecided", ""),
        ("みかんの箱の横で白い犬が眠る。", "バナナの箱の横で白い犬が眠る。", "undecided", ""),
        ("Anna has 2 cats. Bo has 3 cats.", "Anna has 2 cats. Bo has 3 cats.", "supports", "restated"),
        ("Drives a van.", "Sold the van and bought a bike.", "contradicts", "moved on"),
        ("Uses Trello for plans.", "Dropped Trello and went over to Notion for plans.", "contradicts", "moved on"),
        ("Likes the canteen food.", "The canteen food is dreadful.", "contradicts", "likes and dislikes"),
        ("Dislikes meetings.", "The meeting is on Friday.", "undecided", ""),
        ("The trip is confirmed.", "The trip is not cancelled.", "undecided", ""),
        ("A deer jumps over a wall.", "A deer jumps over a fence.", "undecided", ""),
        ("The bus is bigger than the van.", "The van is smaller than the bus.", "undecided", ""),
        ("Lives in Leeds.", "The nightly backup was moved to 04:30.", "undecided", ""),
        ("The upload limit is 2 GB.", "Files over 2 GB are not uploaded to it.", "undecided", ""),
        ("Printeren på 2. sal virker.", "Printeren på 3. sal virker ikke.", "undecided", ""),
        ("Sover godt om natten.", "Sover ikke godt om natten mere.", "contradicts", "negation on one side"),
        ("想買蘋果電腦。", "不想買蘋果，太酸了。", "undecided", ""),
        ("誰もプールで泳いでいない。", "プールで泳いでいる。", "contradicts", "negation on one side"),
        ("独身。", "独身ではない。", "contradicts", "negation on one side"),
        ("", "", "undecided", "nothing in common"),
        ("Likes long walks.", "Did not want a long walk last week.", "undecided", "no rule applies"),
        ("Likes long walks.", "Does not want long walks any more.", "contradicts", "negation on one side"),
        ("Likes long walks.", "From tomorrow on does not want long walks.", "contradicts", "negation on one side"),
        ("Wants a lift today.", "Does not want a lift today.", "contradicts", "negation on one side"),
        ("喜欢清淡的汤。", "昨天没有要求清淡的汤。", "undecided", "no rule applies"),
        ("Kan lide lange ture.", "Ville ikke have lange ture i går.", "undecided", "no rule applies"),
        ("あっさりしたスープを好む。", "昨日はあっさりしたスープを求めなかった。", "undecided", "no rule applies"),
        ("हल्का सूप पसंद है।", "कल हल्का सूप नहीं माँगा।", "undecided", "no rule applies"),
        ("आम केले से ज़्यादा पसंद है।", "केला आम से ज़्यादा पसंद है।", "contradicts", "swapped preference"),
        ("रवि को नदी समुद्र से अधिक पसंद है।", "रवि को समुद्र नदी से अधिक पसंद है।", "contradicts", "swapped preference"),
        ("रवि को नदी समुद्र से अधिक पसंद है।", "रवि को समुद्र से ज़्यादा नदी पसंद है।", "supports", "the same preference"),
        ("लाल चादर नीली चादर से अधिक पसंद है।", "नीली चादर लाल चादर से अधिक पसंद है।", "undecided", "no rule applies"),
        ("उसे ट्रेन बस से ज़्यादा पसंद है।", "उसे बस ट्रेन से ज़्यादा पसंद है।", "undecided", "no rule applies"),
        ("川が海より好き。", "海が川より好き。", "contradicts", "swapped preference"),
    ],
)
def test_each_example_has_its_stance_and_reason(opinion: str, fact: str, stance: str, reason: str) -> None:
    weighed = weigh(opinion, fact)
    assert (str(weighed.stance), weighed.reason.startswith(reason)) == (stance, True), weighed


@given(texts, texts)
def test_any_text_is_weighed(one: str, other: str) -> None:
    weighed = weigh(one, other)
    assert weighed.reason
    assert weigh_prepared(prepare(one), prepare(other)) == weighed
    assert reverses(one, other) is (weighed.stance is Stance.CONTRADICTS)


@given(texts)
def test_nothing_contradicts_itself(text: str) -> None:
    assert weigh(text, text).stance is not Stance.CONTRADICTS


@given(texts, texts)
def test_similarity_is_a_share_and_does_not_depend_on_the_side(one: str, other: str) -> None:
    assert 0.0 <= similarity(one, other) == similarity(other, one) <= 1.0


@given(texts, texts)
def test_the_same_statement_never_contradicts(one: str, other: str) -> None:
    assert not (same_statement(one, other) and reverses(one, other))


def test_a_reason_shows_the_words_as_they_stand_in_the_text() -> None:
    weighed = weigh("Prefers concise replies on WhatsApp.", "Replies on WhatsApp were very Concise this time.")
    assert weighed.reason == "no rule applies: Replies, WhatsApp, Concise"


def test_a_preference_is_similar_to_its_reversal_and_not_the_same_statement() -> None:
    held, reversed_ = "Prefers concise replies on WhatsApp.", "Does not want concise replies on WhatsApp any more."
    assert similarity(held, reversed_) > 0.9
    assert similarity(held, "Prefers long replies on WhatsApp.") > 0.7
    assert similarity(held, "Went to Oslo by train.") == 0.0
    assert same_statement(held, "Again asked for concise replies on WhatsApp.")
    assert not same_statement(held, reversed_)
    assert not same_statement("Likes tea.", "Likes coffee.")


def test_a_long_text_is_read_in_its_beginning_only() -> None:
    assert weigh("Likes tea. " + "x " * 500_000, "Does not like tea.").stance is Stance.CONTRADICTS


def test_only_the_languages_that_a_text_needs_are_read() -> None:
    for language in LANGUAGES:
        data = json.loads(
            (Path(__file__).parents[3] / f"src/commonplace/core/data/{language}/stance.json").read_text(
                encoding="utf-8"
            )
        )
        assert data["provenance"] and len(data["opposites"]) >= 100
