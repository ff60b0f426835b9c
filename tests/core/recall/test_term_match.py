"""Which terms of a question stand side by side in a text; how often they stand there is held in test_terms.py."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.recall.term_match import BESIDE, Occurrences, Sought, SoughtMembers
from commonplace.core.text.analyzer import noun_term, query_terms

WORDS = ("boat", "harbour", "castle", "ladder", "kettle", "velvet")


def together(question: str, line: str) -> list[str]:
    """The terms that stand beside the one asked before them."""
    terms = query_terms(question)
    _, found = Sought(terms).hits(line)
    return [terms[at].text for at in sorted(found)]


@pytest.mark.parametrize(
    ("question", "line", "found"),
    [
        ("harbour castle", "The harbour castle burned.", ["castle"]),
        ("castle of the harbour", "The harbour castle burned.", ["harbour"]),
        ("harbour castle", "the harbour's old castle", ["castle"]),
        ("harbour castle", "from the harbour up to the castle", []),
        ("harbour castle ladder", "ladder, castle, harbour", ["castle", "ladder"]),
        ("harbour ladder castle", "the harbour castle", []),
        ("harbour castle", "the harbour", []),
        ("修复数据库", "昨天修复数据库", ["复数", "数据", "据库"]),
    ],
)
def test_terms_asked_one_after_the_other_stand_together_at_most_a_word_apart(
    question: str, line: str, found: list[str]
) -> None:
    assert together(question, line) == found


@given(st.permutations(WORDS), st.lists(st.sampled_from(WORDS), max_size=12))
def test_adjacent_terms_are_found_exactly_where_their_places_say(asked: list[str], line: list[str]) -> None:
    near = {
        two
        for one, two in pairwise(asked)
        for at, word in enumerate(line)
        if word == one and two in line[max(0, at - BESIDE) : at + BESIDE + 1]
    }
    assert set(together(" ".join(asked), " ".join(line))) == near


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Two guinea pigs and a kitten.", "guinea pig"),
        ("A coin of one guinea.", ""),
        ("The pig cost a guinea.", ""),
        ("We met Kitten at noon.", ""),
        ("Kitten food is out. We gave a kitten to Bo.", "kitten"),
        ("We drove to Odense.", "Odense"),
        ("我养了一只狗。", "狗"),
        ("狗尾草长高了。", ""),
        ("犬がほえた。", "犬"),
        ("犬歯が痛い。", ""),
        ("ウイスキーを飲んだ。", ""),
        ("ウイスキーを飲んで、スキーに行った。", "スキー"),
        ("他把大提琴送去修了。", "大提琴"),
        ("他大声提问。", ""),
        ("", ""),
    ],
)
def test_the_first_member_in_a_text_is_found_and_of_several_words_all(text: str, found: str) -> None:
    words = (
        ("kitten", "en"),
        ("Odense", "da"),
        ("guinea pig", "en"),
        ("狗", "zh"),
        ("犬", "ja"),
        ("スキー", "ja"),
        ("大提琴", "zh"),
    )
    members = [term for word, code in words if (term := noun_term(word, code))]
    assert SoughtMembers(members, known=Occurrences()).first(text) == found


@pytest.mark.parametrize(
    ("noun", "text"),
    [
        *(
            ("hund", "Hunden gøede."),
            ("kat", "Kattene sov."),
            ("cykel", "Cyklen er væk."),
            ("klaver", "Klaveret er stemt."),
        ),
        *(
            ("tomat", "Tomaterne er modne."),
            ("blomst", "Blomsten visnede."),
            ("hest", "Hestene løb."),
            ("æble", "Æblet faldt."),
        ),
        *(("hamster", "Hamsteren løb."), ("papegøje", "Papegøjen skreg."), ("bil", "Bilerne er solgt.")),
    ],
)
def test_a_danish_member_is_found_in_its_definite_forms(noun: str, text: str) -> None:
    term = noun_term(noun, "da")
    assert term is not None and SoughtMembers([term], known=Occurrences()).first(text) == noun
