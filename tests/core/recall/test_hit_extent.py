"""How much a hit shows: one piece of a long line, with what answers; and short lines side by side as one."""

from __future__ import annotations

from datetime import date
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.model import Citation, Fact, Hit, Kind, Line, Origin, Trailer
from commonplace.core.recall.hit_extent import LONG, SHORT, apart, as_one, excerpted, side_by_side
from commonplace.core.recall.packing import count_tokens, hit_text
from commonplace.core.recall.rerank import taken_in_turn
from commonplace.core.text.analyzer import query_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

SAID = {
    "en": (
        "The weather was calm and we walked along the shore. ",
        "The boiler pressure must stay below 2 bar. ",
        "boiler pressure",
    ),
    "da": (
        "Vejret var roligt, og vi gik en tur langs stranden. ",
        "Kedlens tryk skal holdes under 2 bar. ",
        "kedlens tryk",
    ),
    "zh-Hans": (
        "天气很好，我们沿着海边走了很久。",
        "锅炉的压力必须保持在两巴以下。",
        "锅炉压力",
    ),
    "zh-Hant": (
        "天氣很好，我們沿著海邊走了很久。",
        "鍋爐的壓力必須保持在兩巴以下。",
        "鍋爐壓力",
    ),
    "ja": (
        "天気がよかったので海辺を長く歩いた。",
        "ボイラーの圧力は二バール以下に保つこと。",
        "ボイラーの圧力",
    ),
    "hi": (
        "मौसम अच्छा था और हम किनारे पर चले। ",
        "बॉयलर का दबाव दो बार से कम रहे। ",
        "बॉयलर का दबाव",
    ),
    "ru": (
        "Погода была хорошая, и мы гуляли по берегу. ",
        "Давление котла должно быть ниже двух бар. ",
        "давление котла",
    ),
}


def hit(content: str, origin: Origin = Origin.LOG) -> Hit:
    line = Line(content, (), Citation("memory/2025-11-03.md", 3), date(2025, 11, 3), None, origin, 1, (), (), "")
    return Hit(line, 1.0, ("words",))


@pytest.mark.parametrize("language", SAID)
def test_a_long_line_is_cut_to_the_sentence_that_answers(language: str) -> None:
    filler, answer, question = SAID[language]
    long = hit(filler * 20 + answer + filler * 20)
    cut = excerpted(long, [(term, 1.0) for term in query_terms(question)])
    assert cut.excerpt
    assert answer.strip() in cut.line.content
    assert cut.line.content in long.line.content
    assert cut.line.source == long.line.source
    assert count_tokens(cut.line.content) <= SHORT + 1


def test_a_short_line_and_generated_text_stay_whole() -> None:
    terms = [(term, 1.0) for term in query_terms("boiler pressure")]
    for whole in (hit("The boiler pressure must stay below 2 bar."), hit("A boiler. " * 200, Origin.GENERATED)):
        assert excerpted(whole, terms) == whole


def test_text_without_sentences_is_divided() -> None:
    long = hit("x" * 3000 + " boiler " + "y" * 3000)
    cut = excerpted(long, [(term, 1.0) for term in query_terms("boiler")])
    assert "boiler" in cut.line.content
    assert count_tokens(cut.line.content) < LONG


def test_without_terms_the_excerpt_is_the_beginning() -> None:
    cut = excerpted(hit("First we met. " + "Then we walked on. " * 60), [])
    assert cut.line.content.startswith("First we met.")


def beside(number: int, content: str, *, score: float = 1.0, **changes: Any) -> Hit:
    """A hit on a line of one bullet of a log."""
    line = Line(content, (), Citation("memory/2025-11-03.md", number), date(2025, 11, 3), context=("Harbour",))
    return Hit(line._replace(**changes), score, ("words",))


def shown(hits: Sequence[Hit]) -> list[tuple[str, str]]:
    return [(each.place, each.line.content) for each in map(as_one, side_by_side(hits))]


def test_lines_side_by_side_are_one_hit_at_the_place_of_the_best_in_the_order_of_the_file() -> None:
    best, other, above = beside(5, "The crane is back."), beside(9, "The quay is dry."), beside(4, "The crane broke.")
    assert shown([best, other, above]) == [
        ("memory/2025-11-03.md#L4-L5", "The crane broke.\n- The crane is back."),
        ("memory/2025-11-03.md#L9", "The quay is dry."),
    ]
    (joined, _) = side_by_side([best, other, above])
    assert set(as_one(joined).places) == set(joined.places) == {best.line.source, above.line.source}
    assert hit_text(as_one(joined)) == (
        "- Harbour › The crane broke. - The crane is back. (2025-11-03, memory/2025-11-03.md#L4-L5)"
    )


def test_a_line_of_several_lines_is_beside_what_follows_its_last() -> None:
    assert [place for place, _ in shown([beside(4, "Long.", lines=3), beside(7, "Next.")])] == [
        "memory/2025-11-03.md#L4-L7"
    ]
    assert len(shown([beside(4, "Long.", lines=3), beside(6, "Not next.")])) == 2


def test_a_bullet_is_one_with_those_below_it_and_not_with_the_next_section() -> None:
    parent, child = beside(4, "Crane"), beside(5, "Broke.", context=("Harbour", "Crane"))
    section = beside(6, "Rain.", context=("Weather",))
    assert shown([child, section, parent]) == [
        ("memory/2025-11-03.md#L4-L5", "Crane\n- Broke."),
        ("memory/2025-11-03.md#L6", "Rain."),
    ]


NEIGHBOUR = beside(5, "The crane is back.")
PLACE = Citation("memory/2025-11-03.md", 4)
FACT = Fact("f1", Kind.WORLD, "The crane broke.", ("Crane",), PLACE, date(2025, 11, 3), context=("Harbour",))


@pytest.mark.parametrize(
    "alone",
    [
        Hit(FACT, 1.0, ("words",)),
        beside(4, "The crane broke.", speaker="Ulla"),
        beside(4, "The crane broke.", origin=Origin.GENERATED),
        beside(4, "The crane broke.", trailer=Trailer(src="web:x")),
        beside(4, "The crane broke.", recorded=date(2025, 11, 4)),
        beside(4, "The crane broke.")._replace(outdated_by=Citation("memory/2025-11-04.md", 3)),
        beside(4, "The crane broke. " * 9),
        beside(4, "| The crane | broke |"),
        beside(4, "The crane broke.", score=0.5),
        beside(3, "The crane broke."),
    ],
    ids=["fact", "speaker", "page", "outsider", "other day", "outdated", "long", "row", "much weaker", "not beside"],
)
def test_what_stands_alone_is_a_hit_of_its_own(alone: Hit) -> None:
    for hits in ([alone, NEIGHBOUR], [NEIGHBOUR, alone]):
        assert side_by_side(hits) == hits


def test_answers_to_the_parts_of_a_question_lose_no_line_and_have_none_twice() -> None:
    first, second, third = (beside(number, f"The crane {number}.") for number in (4, 5, 6))
    for other in ([second], [second._replace(beside=(third,))], [first._replace(beside=(second,))]):
        taken = taken_in_turn([other, [first._replace(beside=(second, third))]])
        assert sorted(place.line for each in taken for place in each.places) == [4, 5, 6]


@given(st.lists(st.tuples(st.integers(1, 12), st.floats(0.1, 1.0), st.booleans()), unique_by=itemgetter(0)))
def test_no_line_is_lost_or_in_two_hits_and_none_is_added(drawn: list[tuple[int, float, bool]]) -> None:
    hits = [beside(number, "word " * (2 if short else 40), score=score) for number, score, short in drawn]
    joined = side_by_side(hits)
    assert sorted(place for each in joined for place in each.places) == sorted(each.line.source for each in hits)
    assert apart(joined, ()) == joined
    assert len(apart(joined, {each.line.source for each in hits})) == len(hits)
    for each in joined:
        first, *_, last = sorted(each.places) * 2
        assert last.line - first.line + 1 == len(each.places)
        assert count_tokens(as_one(each).line.content) <= LONG or not each.beside
