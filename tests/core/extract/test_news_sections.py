"""Sections of a log that are the news which somebody read."""

from __future__ import annotations

import pytest

from commonplace.core.extract.line_worth import worth_alone
from commonplace.core.extract.news_sections import is_own, of_news, tells_popularity
from commonplace.core.model import Citation, Line

LIST = ("Tuesday", "What is new in sails")


@pytest.mark.parametrize(
    "text",
    [
        "Sails of hemp are back (412 pts, 96 comments)",
        "Sails of hemp — 412 points, 96 comments",
        "Sejl af hamp: 412 point / 96 kommentarer",
        "麻帆回归 (412 分 / 96 评论)",
        "麻帆回歸（412分，96 條評論）",
        "麻の帆の話 412ポイント / 96件のコメント",
        "सन के पाल 412 अंक, 96 टिप्पणियाँ",
        "Паруса из льна — 412 очков, 96 комментариев",
        "hemp-sail, 12.4k stars",
        "Sails of hemp are back (412 pts)",
        "麻帆回归 (412 点)",
        "麻帆回歸（412點）",
        "麻帆回归 +412 点",
    ],
)
def test_how_many_liked_it_says_that_a_line_is_news(text: str) -> None:
    assert tells_popularity(text)


@pytest.mark.parametrize(
    "text",
    [
        "The exam gave 412 points",
        "The hotel at the pier has 4 stars",
        "Index fell 412 points, then 96 more",
        "Prøven gav 412 point",
        "考试 412 分，排名 96",
        "試験は412点、96位",
        "परीक्षा में 412 अंक, 96वाँ स्थान",
        "Экзамен: 412 баллов, 96-е место",
        "Read 96 comments of the board on the berth",
        "Mara (120 points) won the game of the harbour",
        "花子は国語（120点）、数学（110点）が得意",
        "花子の漢字テストは+12点",
    ],
)
def test_points_of_anything_else_do_not(text: str) -> None:
    assert not tells_popularity(text)


def test_below_a_heading_of_two_such_lines_all_is_news() -> None:
    assert of_news([LIST] * 4, [True, True, False, False]) == [True] * 4
    assert of_news([LIST, LIST, (*LIST, "Hemp")], [True, True, False]) == [True] * 3


def test_one_such_line_makes_no_section_of_news() -> None:
    assert of_news([LIST] * 3, [False, True, False]) == [False] * 3


def test_nor_do_a_few_among_many() -> None:
    assert of_news([LIST] * 12, [True, True, *[False] * 10]) == [False] * 12


def test_two_below_the_title_of_a_day_say_nothing_of_its_sections() -> None:
    for title in ((), ("Tuesday",)):
        sections = [title, title, *[(*title, "Pier")] * 9]
        assert of_news(sections, [True, True, *[False] * 9]) == [False] * 11


def test_beside_such_a_section_nothing_is_news() -> None:
    assert of_news([LIST, LIST, ("Tuesday", "Pier")], [True, True, False]) == [True, True, False]


def test_below_a_heading_or_bullet_that_tells_it_all_is_news() -> None:
    above = ("Tuesday", "Sails of hemp (412 pts, 96 comments)")
    assert of_news([above, (*above, "Why"), ("Tuesday",)], [False] * 3) == [True, True, False]


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Our post on hemp got 412 upvotes", True),
        ("Vores indlæg om hamp fik 412 point, 96 kommentarer", True),
        ("我们的帖子 412 分 / 96 评论", True),
        ("我們的帖子 412 分 / 96 評論", True),
        ("私たちの投稿は412ポイント / 96件のコメント", True),
        ("हमारी पोस्ट को 412 अंक, 96 टिप्पणियाँ", True),
        ("Наш пост: 412 очков, 96 комментариев", True),
        ("Decision: hemp-sail (4,512 stars) for the ferry", True),
        ("Sails of hemp got 412 upvotes", False),
    ],
)
def test_the_first_person_tells_of_its_writer(text: str, own: bool) -> None:
    line = Line(text, (), Citation("memory/2026-03-01.md", 3), None)
    assert is_own(worth_alone(line)) == own
