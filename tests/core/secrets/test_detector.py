"""What looks like a secret is known by the shapes that issuers describe, in many ways to say it, and little else is."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tests.shapes import Sample, filled, samples

from commonplace.core.secrets.checksums import cards, wallets
from commonplace.core.secrets.detector import secrets
from commonplace.core.secrets.guard import looks_like, masked
from commonplace.core.tables import table

SHAPES = samples("shapes.json")


def share(found: list[Sample]) -> float:
    return sum(bool(looks_like(each.text)) for each in found) / len(found)


def test_nineteen_of_twenty_samples_are_known_on_the_held_part_too() -> None:
    held = [each for each in SHAPES if each.held]
    assert len(held) > 0.3 * len(SHAPES)
    assert share(SHAPES) >= 0.95 and share(held) >= 0.95


def test_nineteen_of_twenty_samples_are_found_with_another_seed() -> None:
    assert share(samples("shapes.json", seed=20261122, each=1)) >= 0.95


def test_nearly_every_shape_is_known() -> None:
    known, all_of = Counter[str](), Counter[str]()
    for each in SHAPES:
        all_of[each.shape] += 1
        known[each.shape] += bool(looks_like(each.text))
    missed = [shape for shape, count in all_of.items() if known[shape] < 0.6 * count]
    assert len(missed) <= 0.02 * len(all_of), missed


@pytest.mark.parametrize("sample", samples("harmless.json", each=2), ids=lambda sample: sample.text[:40])
def test_ids_numbers_placeholders_and_talk_are_none(sample: Sample) -> None:
    assert not looks_like(sample.text)


def test_every_pattern_has_its_marks_and_its_source() -> None:
    for kind, source, marks, pattern, *_ in (*table("secrets")["tokens"], *table("secrets")["values"]):
        assert kind.startswith(("a ", "an ")) and len(source) > 5 and marks and pattern


def test_a_place_is_told_by_its_line() -> None:
    random = Random(3)
    token = filled("ghp_{an:36}", random)
    found = list(secrets(f"# 笔记\n\n- {token}\nThe password is Kv27!skov.\n"))
    assert sorted((each.line, each.kind) for each in found) == [(3, "a GitHub token"), (4, "a password")]
    assert token in [each.value for each in found]


def test_a_token_that_is_shown_cut_short_is_none() -> None:
    token = filled("sk-ant-api03-{an:30}", Random(3))
    assert any(secrets(token))
    cut = [f"{token}...", f"{token}…8QAA", f"{token}****", "password: abc1...", "API_KEY=ab12***", f"**{token}****"]
    cut.append("token: eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9...")
    assert not [text for text in cut if any(secrets(text))]


AROUND = ["CI uses **{}** now", "It uses {}... now", "***{}***", "{}…", '"{}..."', "__{}__", "~~{}~~", "({})."]


@pytest.mark.parametrize("around", AROUND)
def test_a_whole_one_in_bold_or_before_an_ellipsis_is_one(around: str) -> None:
    known = [each.text for each in samples("shapes.json", each=1) if looks_like(each.text)]
    lost = [text for text in known if not looks_like(around.replace("{}", text))]
    assert len(lost) <= 0.01 * len(known), lost


class TestCards:
    @pytest.mark.parametrize(
        "shape", ["{card:4:16}", "{card:4:16:4}", "{card:52:16:4}", "{card:37:15}", "{card:2221:16}"]
    )
    def test_a_number_is_a_card_only_if_its_check_sum_holds(self, shape: str) -> None:
        random = Random(5)
        for _ in range(20):
            number = filled(shape, random)
            assert list(cards(f"it is {number} now"))
            wrong = number[:-1] + str((int(number[-1]) + 1) % 10)
            assert not list(cards(f"it is {wrong} now"))

    def test_a_word_may_say_that_it_is_another_number(self) -> None:
        number = filled("{card:4:16}", Random(5))
        assert not list(cards(f"order {number}")) and not list(cards(f"invoice no. {number}"))
        assert list(cards(f"order paid with card {number}"))

    def test_numbers_that_issuers_publish_for_tests_are_none(self) -> None:
        for number in table("secrets")["test cards"]:
            assert not list(cards(f"it is {number} now"))

    @pytest.mark.parametrize("shape", ["{card:6759:16}", "{card:2200:16:4}", "{card:608012:16}", "{card:9792:16:4}"])
    def test_cards_of_issuers_of_one_country_are_found(self, shape: str) -> None:
        random = Random(5)
        assert all(list(cards(f"it is {filled(shape, random)} now")) for _ in range(20))


class TestWallets:
    @pytest.mark.parametrize("count", [12, 15, 18, 21, 24])
    def test_as_many_words_as_a_wallet_has_are_a_secret(self, count: int) -> None:
        random = Random(count)
        assert list(wallets(filled(f"{{seed:{count}}}", random)))
        words = filled(f"{{seed:{count}}}", random).split()
        for start in ("", "- ", "  1. "):
            assert list(wallets("\n".join(start + word for word in words)))

    def test_lines_that_count_a_few_things_are_none(self) -> None:
        assert not list(wallets("\n".join(f"- {word}" for word in ["agent", "person", "note", "page"] * 10)))

    def test_no_word_of_a_wallet_is_shown(self) -> None:
        words = filled("{seed:24}", Random(3))
        assert masked(words) == "…"

    def test_fewer_words_or_words_with_others_between_are_no_secret(self) -> None:
        words = filled("{seed:11}", Random(1))
        assert not list(wallets(words)) and not list(wallets(f"{words} the of a {words}"))
        assert not list(
            wallets("peter went home after lunch with alice because rain kept falling over town again today")
        )
