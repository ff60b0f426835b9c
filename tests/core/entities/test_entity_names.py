"""Names: compared folded, found whole or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.documents.name_mentions import mentions, said_by
from commonplace.core.entities.entity_names import beginnings, candidates, choose, entity_key, stands, within

KNOWN: dict[str, tuple[str, ...]] = {
    "peter": ("peter",),
    "the castle": ("the castle",),
    "castle": ("castle",),
    "王芳": ("王芳",),
    "ひいた": ("peter",),
    "вера": ("вера",),
    "игорь": ("игорь",),
    "николай": ("николай",),
}
KNOWN[entity_key("ピーター")] = ("peter",)


def found(text: str) -> tuple[str, ...]:
    return tuple(name for name, _ in choose(candidates(text), KNOWN))


def test_spellings_of_one_name_are_one() -> None:
    assert (
        len({entity_key(name) for name in ("The-Castle", "the castle", "THE  CASTLE", "The‑Castle", "Ｔｈｅ Castle")})
        == 1
    )
    assert entity_key("王芳") == "王芳"
    assert entity_key("陳先生") == entity_key("陈先生")
    assert entity_key("ピ") != entity_key("ヒ")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("where was Peter?", ("peter",)),
        ("Peter's castle", ("peter", "castle")),
        ("tell me about The Castle", ("the castle",)),
        ("the-castle is cold", ("the castle",)),
        ("mail peter@example.org", ()),
        ("Petersburg is far", ()),
        ("王芳在哪里", ("王芳",)),
        ("@Peter and @castle", ("peter", "castle")),
        ("что у Веры и у Игоря?", ("вера", "игорь")),
        ("сколько лет Николаю, и что с Игорем?", ("николай", "игорь")),
        ("Верблюд спит", ()),
        ("", ()),
    ],
)
def test_the_longest_whole_name_is_found(text: str, names: tuple[str, ...]) -> None:
    assert found(text) == names


def test_katakana_names_are_found_inside_a_sentence() -> None:
    assert [keys for _, keys in choose(candidates("ピーターは何が好き?"), KNOWN)] == [("peter",)]


@pytest.mark.parametrize(
    ("text", "speaker"),
    [("elise: hi", "elise"), ("bob_42: yes", "bob_42"), ("Bo: yes", "Bo"), ("q: how?", ""), ("a: so", "")],
)
def test_a_lone_small_letter_is_no_speaker(text: str, speaker: str) -> None:
    assert said_by(text) == speaker


WORDS = ("the", "old-castle", "castle's", "Castle", "Peters", "веры", "王芳在", ", ")
NAMES = ("the", "the old castle", "old castle", "castle peter", "вера", "王芳")


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), st.sets(st.sampled_from(NAMES)))
def test_what_names_begin_with_changes_no_candidate(text: str, names: set[str]) -> None:
    assert candidates(text, names, beginnings(names)) == candidates(text, names)


@given(st.text(max_size=200))
def test_no_text_raises(text: str) -> None:
    assert isinstance(candidates(text), tuple)
    assert isinstance(mentions(text), tuple)
    assert isinstance(said_by(text), str)


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("see [[Peter]] and [[bank/entities/The-Castle.md|the house]]", ("Peter", "The-Castle")),
        ("[[王芳#notes]] met @Andy, not a@b.org", ("王芳", "Andy")),
        ("no links", ()),
    ],
)
def test_links_and_tags_in_a_text_are_mentions(text: str, linked: tuple[str, ...]) -> None:
    assert mentions(text) == linked


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Caroline: hi", "Caroline"),
        ("王芳：第 38 次", "王芳"),
        ("प्रिया: नमस्ते", "प्रिया"),
        ("**Peter:** hello", "Peter"),
        ("Anna Maria: hej", "Anna Maria"),
        ("elise: hi", "elise"),
        ("**night_owl.7**: hi", "night_owl.7"),
        ("маша: привет", "маша"),
        ("note: buy bread", ""),
        ("todo: buy bread", ""),
        ("status: done", ""),
        ("url: example.org", ""),
        ("what i mean: this", ""),
        ("f(x): 3", ""),
        ("**Decision:** go", ""),
        ("My note: x", ""),
        ("https://example.org: x", ""),
        ("Peter:no space", ""),
        ("10:30 call", ""),
        ("她不喜欢语音消息：是的", ""),
    ],
)
def test_the_speaker_of_a_line_is_the_name_before_its_colon(text: str, who: str) -> None:
    assert said_by(text) == who


@pytest.mark.parametrize(
    ("name", "text", "alone"),
    [
        ("ebba", "Ebba called", True),
        ("ebba", "Ebbas nøgler", None),
        ("ebba", "mail from ebba@mill.example", False),
        ("ebba", "mail from k.ebba@mill.example", False),
        ("ebba", "Ebba-Marie called", False),
        ("ebba", "Ebba, ebba@mill.example", True),
        ("ebba", "@Ebba: called.", True),
        ("ebba holm", "Ebba-Holm called", True),
        ("ebba", "Nobody called", None),
        (entity_key("リン"), "リンクを送った。", False),
        (entity_key("リン"), "リンは帰った。", True),
        (entity_key("リン"), "プリンを食べた。", False),
        (entity_key("小石"), "小石头很滑。", False),
        (entity_key("小石"), "小石昨天来了。", True),
        (entity_key("小马"), "小馬達壞了。", False),
    ],
)
def test_a_name_inside_another_word_is_not_found(name: str, text: str, alone: bool | None) -> None:
    assert stands(name, text) is alone


def test_a_name_within_another_is_somebody_else() -> None:
    known = {"ebba holm": ("ebba holm",), "ebba": ("ebba",), "holm": ("ebba holm",)}
    assert within(["ebba holm"], known, keys={"ebba holm"}) == ("ebba",)
