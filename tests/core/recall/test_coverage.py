"""What of a question a line covers."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.model import Citation, Fact, Kind, Origin
from commonplace.core.questions.query_analysis import Reading, read
from commonplace.core.recall.coverage import Coverage
from commonplace.core.recall.term_stats import UNKNOWN, names, scale
from commonplace.core.text.analyzer import occurrences

DAY = date(2025, 11, 27)
WORDS = ("mast", "tar", "hull", "oakum", "caulking", "harbour")
NOBODY: frozenset[str] = frozenset()


def reading(question: str, **known: tuple[str, ...]) -> Reading:
    return read(question, DAY, lambda sought: {name: keys for name, keys in known.items() if name in sought})


def line(text: str, *context: str, speaker: str = "") -> Fact:
    place = Citation("memory/2025-11-27.md", 3)
    return Fact("", Kind.WORLD, text, (), place, DAY, None, None, Origin.LOG, 1, context, (), speaker)


def coverage(asked: Reading, *, seen: int = 5) -> Coverage:
    frequencies = {key: seen for term in asked.terms for key in term.keys}
    return Coverage(scale(asked, frequencies, 1000, 10_000), asked)


@given(st.lists(st.sampled_from(WORDS), min_size=1, unique=True), st.sets(st.sampled_from(WORDS)))
def test_the_coverage_of_a_line_is_at_most_its_estimate(asked: list[str], said: set[str]) -> None:
    question = reading(" ".join(asked))
    found = coverage(question)
    text = " but nothing of ".join(["nothing", *sorted(said)])
    length = len(occurrences(text))
    worth = dict(scale(question, {key: 5 for term in question.terms for key in term.keys}, 1000, 10_000).terms)
    promised = sum(value for term, value in worth.items() if term.text in said)
    assert found.promise(promised, length=length, near=0.0) == pytest.approx(
        found.of(line(text), length=length, before="", after="", name=NOBODY).share
    )


def test_what_stands_around_counts_less_than_what_is_said() -> None:
    found = coverage(reading("tar mast"))

    def share(text: str, *context: str, before: str = "", after: str = "") -> float:
        return found.of(line(text, *context), length=4, before=before, after=after, name=NOBODY).share

    said = share("the tar is black")
    below, after, beside = share("it is black", "Tar"), share("it is", before="tar?"), share("it is", after="tar")
    assert said > after > below > beside > share("it is black") == 0


def test_the_more_of_a_line_it_is_the_more_a_word_counts() -> None:
    found = coverage(reading("tar"))
    assert (
        found.of(line("tar"), length=1, before="", after="", name=NOBODY).share
        > found.of(line("tar"), length=60, before="", after="", name=NOBODY).share
    )


@pytest.mark.parametrize("word", ["tar", "tjære", "焦油", "タール", "तारकोल", "дёготь"])
def test_a_message_with_a_word_beats_a_paragraph_with_it_twice_in_a_log_of_paragraphs(word: str) -> None:
    asked = reading(word)
    found = Coverage(scale(asked, {key: 5 for term in asked.terms for key in term.keys}, 1000, 400_000), asked)
    message = found.of(line(word), length=30, before="", after="", name=NOBODY).share
    paragraph = found.of(line(f"{word}, {word}"), length=400, before="", after="", name=NOBODY).share
    assert message > paragraph


@pytest.mark.parametrize(("length", "average"), [(4_000, 4.0), (179_000, 179.0), (181_000, 180.0), (500_000, 180.0)])
def test_lines_are_measured_against_their_mean_length_up_to_that_of_a_paragraph(length: int, average: float) -> None:
    assert scale(reading("tar"), {"tar": 5}, 1000, length).average == average


def test_a_question_before_a_line_is_part_of_what_it_says() -> None:
    found = coverage(reading("which tar did we use?"))
    answer = found.of(line("The black one."), length=3, before="Which tar?", after="", name=NOBODY)
    assert answer.around == ["tar"] and answer.asked
    assert found.of(line("The black one."), length=3, before="Which tar.", after="", name=NOBODY).share < answer.share


def test_a_name_is_covered_by_being_about_it_and_tells_nothing_else() -> None:
    asked = reading("what tar does Rasmus use?", rasmus=("rasmus",))
    found = coverage(asked)
    about = found.of(line("Buys cordage."), length=2, before="", after="", name=names(asked))
    assert about.named and not about.asked and about.told == 0 and about.words == []
    assert about.share > found.of(line("Buys cordage."), length=2, before="", after="", name=NOBODY).share == 0
    assert found.of(line("Rasmus buys tar."), length=3, before="", after="", name=NOBODY).asked


def test_what_stands_nowhere_counts_a_little_and_its_absence_is_told() -> None:
    asked = reading("tar mast")
    known = scale(asked, {"tar": 5}, 1000, 10_000)
    whole = scale(asked, {"tar": 5, "mast": 1}, 1000, 10_000)
    worth = {term.text: value for term, value in known.terms}
    nowhere = scale(asked, {}, 1000, 10_000).terms[1][1]
    assert worth["mast"] == pytest.approx(nowhere) and known.total < whole.total
    assert known.beside_names == pytest.approx(worth["tar"] + worth["mast"] / UNKNOWN)


def test_a_phrase_is_noted_where_it_stands() -> None:
    found = coverage(reading('"black tar"'))
    fact = line("We use black tar.")
    parted = found.of(line("The tar is black."), length=4, before="", after="", name=NOBODY)
    assert parted.words and not parted.is_exact
    whole = found.of(fact, length=4, before="", after="", name=NOBODY)
    assert "black tar" in whole.words and whole.is_exact


def test_a_member_of_a_general_word_counts_less_than_the_word_and_less_in_a_paragraph() -> None:
    asked = reading("Which pets?")
    found = Coverage(scale(asked, {"pet": 5, "kitten": 5}, 1000, 10_000), asked)

    def share(text: str, *, length: int = 4) -> float:
        return found.of(line(text), length=length, before="", after="", name=NOBODY).share

    assert share("the pet is black") > share("the kitten is black") > share("the coat is black") == 0
    assert share("the pet and the kitten") == share("the pet and the coat")
    of_word, of_member = (share(text, length=200) / share(text) for text in ("the pet", "the kitten"))
    assert of_member < of_word


def test_a_member_that_no_line_has_or_that_is_a_name_of_the_question_is_none() -> None:
    asked = reading("Which pets does Kitten keep?", kitten=("kitten",))
    assert [each.text for each in scale(asked, {"kitten": 5, "hamster": 1}, 1000, 10_000).members[0].each] == [
        "hamster"
    ]
    assert scale(asked, {"kitten": 5}, 1000, 10_000).members == ()
