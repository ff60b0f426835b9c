"""The order of hits: laws of what is done to it after scoring."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.model import Citation, Fact, Hit, Kind, Trailer
from commonplace.core.recall.rerank import (
    BEST,
    authors_first,
    current_first,
    diverse,
    merge_twins,
    order,
    taken_in_turn,
)


def hit(path: str, line: int, score: float) -> Hit:
    fact = Fact("", Kind.WORLD, f"{path} {'x' * line}", (), Citation(path, line), date(2025, 11, 27))
    return Hit(fact, score, ("words: x",))


SCORES = st.integers(100_000, 2_000_000).map(lambda millionths: millionths / 1_000_000)
"""Scores that differ do so by more than the nine digits by which they are compared."""
HITS = st.lists(
    st.builds(hit, st.sampled_from(["a.md", "b.md", "c.md"]), st.integers(1, 50), SCORES),
    unique_by=lambda each: each.line.source,
)


def test_a_document_that_had_its_say_waits_for_one_that_says_nearly_as_much() -> None:
    hits = [hit("a.md", 1, 1.0), hit("a.md", 2, 1.0), hit("a.md", 3, 1.0), hit("b.md", 1, 0.98), hit("c.md", 1, 0.5)]
    assert [str(each.line.source) for each in diverse(hits)] == ["a.md#L1", "b.md#L1", "a.md#L2", "a.md#L3", "c.md#L1"]


def test_past_the_best_hits_other_documents_come_before_those_seen() -> None:
    two = [hit(path, line, 1.0) for line in range(BEST // 2 + 1) for path in ("a.md", "c.md")]
    found = [each.line.source.path for each in diverse([*two, hit("b.md", 1, 0.75)])]
    assert "b.md" not in found[:BEST]
    assert found[BEST] == "b.md"


def said(at: int, text: str, score: float, path: str = "") -> Hit:
    found = hit(path or f"{at}.md", at, score)
    return found._replace(line=found.line._replace(content=text))


def test_what_a_log_says_each_day_waits_for_what_it_says_once() -> None:
    hits = [said(at, f"build {at} green", 1.0) for at in range(3)]
    found = diverse([*hits, said(9, "the build moved", 0.99)])
    assert [each.line.content for each in found] == [
        "build 0 green",
        "the build moved",
        "build 1 green",
        "build 2 green",
    ]


def test_of_what_is_said_again_the_newest_keeps_its_score() -> None:
    days = [date(2025, 11, day) for day in (27, 3, 20)]
    hits = [said(at, f"मेरा वज़न 8{at}.5 किलो", 1.0 - at / 1000) for at in range(3)]
    hits = [each._replace(line=each.line._replace(recorded=day)) for each, day in zip(hits, days, strict=True)]
    assert [each.line.recorded for each in diverse(hits)] == [days[0], days[2], days[1]]


def test_a_number_of_the_question_is_a_word_like_others() -> None:
    hits = [said(at, f"kettle {at} boiled", 1.0) for at in range(5)]
    hits = [each._replace(line=each.line._replace(recorded=date(2025, 11, 1 + at))) for at, each in enumerate(hits)]
    assert diverse(hits, {"kettl", "0"})[0] == hits[0]
    assert diverse(hits)[0] == hits[4]


def test_lines_of_numbers_alone_do_not_say_the_same() -> None:
    hits = [said(1, "10 20", 1.0), said(2, "30 40", 0.99), said(3, "wide", 0.95)]
    assert diverse(hits) == hits


@given(HITS)
def test_diversity_loses_and_invents_nothing_and_keeps_the_best_first(hits: list[Hit]) -> None:
    best_first = order(hits)
    spread = diverse(best_first)
    assert sorted(spread) == sorted(best_first)
    assert spread[:1] == best_first[:1]


@given(HITS)
def test_within_a_document_the_order_stays(hits: list[Hit]) -> None:
    spread = diverse(order(hits))
    for path in ("a.md", "b.md", "c.md"):
        own = [each.score for each in spread if each.line.source.path == path]
        assert own == sorted(own, reverse=True)


def test_the_best_of_each_part_comes_before_the_second_of_any() -> None:
    whole, part, other = (
        [hit("a.md", 1, 2), hit("a.md", 2, 1)],
        [hit("b.md", 1, 1), hit("a.md", 1, 1)],
        [hit("c.md", 1, 1)],
    )
    assert [str(each.line.source) for each in taken_in_turn([whole, part, other])] == [
        "a.md#L1",
        "b.md#L1",
        "c.md#L1",
        "a.md#L2",
    ]
    assert taken_in_turn([whole]) == whole


def test_of_two_that_dispute_each_other_an_outsider_s_waits() -> None:
    own, other = hit("a.md", 1, 1.0), hit("b.md", 1, 2.0)
    own = own._replace(disputed_by=other.line.source)
    other = other._replace(disputed_by=own.line.source)
    assert current_first([other, own]) == [other, own]
    said = other._replace(line=other.line._replace(trailer=Trailer(src="web:example.org")))
    assert current_first([said, own]) == [own, said]
    assert current_first([own, said]) == [own, said]


def said_by(other: Hit) -> Hit:
    return other._replace(line=other.line._replace(trailer=Trailer(src="web:example.org")))


def test_the_authors_word_waits_for_no_outsider_wherever_the_dispute_is_marked() -> None:
    own, said = hit("a.md", 1, 1.0), said_by(hit("b.md", 1, 2.0))
    marked = own._replace(disputed_by=said.line.source)
    assert current_first([marked, said]) == [marked, said]
    assert current_first([said, marked]) == [marked, said]
    marked = said._replace(disputed_by=own.line.source)
    assert current_first([marked, own]) == [own, marked]
    twin = hit("c.md", 1, 1.0).line.source  # the dispute names a line that was merged into the author's
    merged, marked = own._replace(also=(twin,)), said._replace(disputed_by=twin)
    assert current_first([marked, merged]) == [merged, marked]
    both = own._replace(also=(twin,), disputed_by=said.line.source)
    assert current_first([marked, both]) == [both, marked]


def test_an_outsiders_hit_stands_behind_every_one_of_the_authors_that_answers_about_as_well() -> None:
    own = [hit("a.md", line, score) for line, score in ((1, 1.9), (2, 1.6), (3, 0.4))]
    said = [said_by(hit("b.md", line, 2.0)) for line in range(1, 4)]
    assert authors_first([*said, *own]) == [*own[:2], *said, own[2]]
    assert authors_first([own[2], *said]) == [own[2], *said]
    assert authors_first([*own, *said]) == [*own, *said]


def test_the_author_stands_for_others_who_say_the_same_and_no_other_does() -> None:
    own = hit("a.md", 1, 1.0)
    said = said_by(own._replace(score=2.0, line=own.line._replace(source=Citation("b.md", 1))))
    assert merge_twins([said, own]) == [own._replace(score=2.0, also=(said.line.source,))]
    other = own._replace(line=own.line._replace(trailer=Trailer(src="web:y")))
    assert merge_twins([said, other]) == [said, other]
