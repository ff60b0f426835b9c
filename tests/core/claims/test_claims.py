"""Claims: what a fact says of things that can be so in one way only; by example, by labelled pairs, and by law."""

from __future__ import annotations

from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pairs import LANGUAGES, Pair, pairs, said

from commonplace.core.claims.claim_reader import claims
from commonplace.core.claims.claim_words import split
from commonplace.core.documents.parse import parse

if TYPE_CHECKING:
    from commonplace.core.claims.claim_clause import Claim

LOG = "memory/2025-03-10.md"


def claimed(bullet: str, path: str = LOG) -> list[tuple[str, str, str, str]]:
    """The claims of a bullet: key, slot, value, manner."""
    return [claim[:4] for claim in found(bullet, path)]


def found(bullet: str, path: str = LOG) -> tuple[Claim, ...]:
    return claims(parse(path, f"## Retain\n- {bullet}\n").facts[0])


def figures(chosen: list[Pair], label: str) -> tuple[int, int, int]:
    """(said, right, true)."""
    answers = [(said(pair.older, pair.newer), pair.label) for pair in chosen]
    return (
        sum(answer == label for answer, _ in answers),
        sum(answer == true == label for answer, true in answers),
        sum(true == label for _, true in answers),
    )


@pytest.mark.parametrize("held", [False, True])
def test_labelled_pairs_are_decided_with_few_errors(held: bool) -> None:
    chosen = [pair for pair in pairs() if pair.held is held]
    assert len(pairs()) >= 90
    assert sum(pair.label == "neither" for pair in pairs()) >= len(pairs()) / 2
    for label in ("supersedes", "disputes"):
        answered, right, true = figures(chosen, label)
        assert right >= 0.95 * answered, label
        assert right >= 0.85 * true, label
    assert not [pair for pair in chosen if said(pair.older, pair.newer) == "reversed"]


def test_pairs_that_nobody_is_tagged_in_are_told_less_often_and_as_surely() -> None:
    chosen = [
        pair._replace(older=pair.older._replace(entities=()), newer=pair.newer._replace(entities=()))
        for pair in pairs()
        if pair.older.entities == pair.newer.entities
    ]
    for label in ("supersedes", "disputes"):
        answered, right, true = figures(chosen, label)
        assert right >= 0.95 * answered, label
        assert right >= 0.55 * true, label


@pytest.mark.parametrize("held", [False, True])
def test_the_pairs_of_what_is_over(held: bool) -> None:
    chosen = [pair for pair in pairs("ended") if pair.held is held]
    assert {pair.language for pair in chosen} == set(LANGUAGES)
    answered, right, true = figures(chosen, "supersedes")
    assert right >= 0.95 * answered
    assert right >= 0.9 * true
    assert all(said(pair.older, pair.newer) in ("supersedes", "neither") for pair in chosen)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_decides_some_pairs_and_leaves_others(language: str) -> None:
    chosen = [pair for pair in pairs() if pair.language == language]
    assert len(chosen) >= 30
    answered, right, true = figures(chosen, "supersedes")
    assert right >= 0.9 * answered
    assert right >= 0.7 * true
    assert {pair.label for pair in chosen} == {"supersedes", "disputes", "neither"}


def examples() -> list[tuple[str, list[str]]]:
    """The bullets of claims.txt, each with the claims that are expected of it."""
    text = (Path(__file__).parent / "claims.txt").read_text(encoding="utf-8")
    blocks = [block.split("\n") for block in text.split("\n\n") if block.startswith("- ")]
    return [(first.removeprefix("- "), [line.strip() for line in rest if line]) for first, *rest in blocks]


@pytest.mark.parametrize(("bullet", "expected"), examples())
def test_the_claims_of_each_example_are_read(bullet: str, expected: list[str]) -> None:
    assert [" | ".join(claim).strip() for claim in claimed(bullet)] == expected


def test_a_claim_begins_and_ends_on_the_days_that_its_fact_states() -> None:
    (lives,) = found("W @Peter: Lives in Vienna since May 2019.")
    assert (str(lives.begins), lives.ends) == ("2019-05-01", None)
    (moved,) = found("W @Peter: Moved to Vienna on March 3, 2025.")
    assert (str(moved.begins), moved.ends) == ("2025-03-03", None)
    (late,) = found("W @Peter: Moved to Vienna.")
    assert str(late.begins) == "2025-03-10"
    (fee,) = found("W @flat: The rent is 900 EUR in 2025.")
    assert (str(fee.begins), str(fee.ends)) == ("2025-03-10", "2025-12-31")
    (undated,) = found("W @Peter: Lives in Vienna.", "memory/notes.md")
    assert undated.begins is undated.ends is None


def test_an_entity_is_known_by_its_name_in_the_text() -> None:
    assert claimed("W @Peter @Alice: Alice lives in Graz.") == [("alice", "residence/en", "graz", "")]
    (code,) = claimed("W @Peter @The-Castle: The Castle's door code is 4471.")
    assert code == ("the castle", "password door", "4471", "")
    assert claimed("W @Alice: Peter lives in Vienna.") == [("peter", "residence/en", "vienna", "")]


def test_a_name_of_marks_names_nothing() -> None:
    fact = parse(LOG, "## Retain\n- W @Peter: Peter lives in Vienna.\n").facts[0]
    assert claims(fact._replace(entities=("!", "Peter")))[0].key == "peter"


def test_words_are_not_kept_for_ever() -> None:
    assert len(split(" ".join(map(str, range(60_000))), spaced=True)) == 60_000
    assert claimed("W @Peter: Lives in Vienna.") == [("peter", "residence/en", "vienna", "")]


BULLETS = st.sampled_from(("W @Peter: ", "B @王芳: ", "W @प्रिया @warelay: "))
SAID = """
The flight to Oslo leaves at 9:00 now moved to Vienna is no longer blocked by rent 900 EUR ( ) , . : ; and 9 kl. er i
住在 上海 现在 改到 每周四 三点 修好了 に住んでいる は 10時 में रहती है 16:00 बजे Peter's phone number is + 43 — has
two cats
"""
WORDS = st.sampled_from(SAID.split())


@given(BULLETS, st.text(max_size=60) | st.lists(WORDS, max_size=14).map(" ".join))
def test_any_text_is_read(head: str, text: str) -> None:
    for fact in parse(LOG, f"## Retain\n- {head}{text}\n").facts:
        made = claims(fact)
        assert made == claims(fact)
        assert len({(claim.key, claim.slot) for claim in made}) == len(made)
        assert all(claim.key and claim.slot and claim.value and claim.slot == claim.slot.strip() for claim in made)


def test_a_very_long_fact_is_no_single_statement_and_costs_nothing() -> None:
    fact = parse(LOG, "## Retain\n- W @Peter: Lives in Vienna.\n").facts[0]
    fact = fact._replace(content="Lives in Vienna " + "and at 9:00 is now moved to " * 40_000)
    began = process_time()
    assert claims(fact) == ()
    assert process_time() - began < 1
