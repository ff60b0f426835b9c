"""A question with days finds what a line of another day says of them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.core.questions.query_analysis import read
from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

TODAY = date(2026, 6, 1)


@pytest.mark.parametrize(
    ("phrase", "fixed"),
    [
        ("what is the rent in September?", True),
        ("hvad er huslejen fra oktober?", True),
        ("九月的房租是多少？", True),
        ("10月の家賃は？", True),
        ("सितंबर में किराया कितना है?", True),
        ("какая аренда в сентябре?", True),
        ("what was the rent on 3 May?", True),
        ("what was the rent in September 2025?", True),
        ("what was the rent yesterday?", False),
        ("what was the rent last month?", False),
        ("hvad var huslejen i går?", False),
        ("上个月的房租是多少？", False),
        ("先月の家賃は？", False),
        ("पिछले महीने किराया कितना था?", False),
        ("какая аренда была вчера?", False),
        ("what is the rent?", False),
    ],
)
def test_a_phrase_of_the_calendar_is_told_from_one_of_today(phrase: str, fixed: bool) -> None:
    assert read(phrase, TODAY).fixed is fixed


@pytest.mark.parametrize(
    ("title", "lines", "question", "answer"),
    [
        ("Lerby rent", ["From March 300 a week.", "Raised to 410, but only from September."],
         "how much does Lerby pay from September?", "Raised to 410"),
        ("Leje i Lerby", ["Fra marts 300 om ugen.", "Sat op til 410, men først fra oktober."],
         "hvad betaler Lerby fra oktober?", "Sat op til 410"),
        ("乐比", ["三月起每周300。", "涨到410，但九月才开始。"], "乐比九月付多少？", "涨到410"),
        ("樂比", ["三月起每週300。", "漲到410，但九月才開始。"], "樂比九月付多少？", "漲到410"),
        ("レルビー", ["3月から週300。", "410に上がる、ただし10月から。"], "レルビーは10月からいくら払う？", "410に"),
        ("लेरबी", ["मार्च से 300 हर हफ्ते।", "410 हुआ, लेकिन सितंबर से।"], "लेरबी सितंबर में कितना देगा?", "410 हुआ"),
        ("Лерби", ["С марта 300 в неделю.", "Повысили до 410, но только с сентября."],
         "сколько платит Лерби в сентябре?", "Повысили до 410"),
    ],
)  # fmt: skip
def test_a_line_that_names_the_days_is_found_whenever_it_was_written(
    title: str, lines: list[str], question: str, answer: str, workspace: Write
) -> None:
    notes = {"ROOM.md": f"# {title}\n\n- {lines[0]}\n", "ROOM-2.md": f"# {title} 2\n\n- {lines[1]}\n"}
    page = {f"bank/entities/{title.split()[-1 if title.startswith('Leje') else 0]}.md": "Rents the barn.\n"}
    with Memory(str(workspace({"MEMORY.md": "# Memory\n", **page, **notes})), today=TODAY) as memory:
        hits = memory.recall(question).hits
    assert any(answer in hit.line.content for hit in hits)


@pytest.mark.parametrize("question", ["what does Lerby pay from yesterday?", "what does Lerby pay from September?"])
def test_words_of_the_days_alone_are_no_answer(question: str, workspace: Write) -> None:
    notes = {"ROOM.md": "# Lerby\n\n- They pay 300.\n", "ROOM-2.md": "# Boats\n\n- Harbour shut in September.\n"}
    notes["TRAINS.md"] = "# Trains\n\n- Late yesterday.\n"
    with Memory(str(workspace({"MEMORY.md": "# Memory\n", **notes})), today=TODAY) as memory:
        hits = memory.recall(question).hits
    assert {hit.line.source.path for hit in hits} == {"ROOM.md"}


OF_ONE_DAY = {
    "en": ("Dinner check-in for March 27", "Dinner: soup", "what was dinner on 12 March?"),
    "number": ("Dinner for 12 people, at 12", "Dinner: soup", "dinner 12 march"),
    "zh": ("晚饭：3月27日再去", "晚饭：汤", "3月12日晚饭吃什么？"),
    "ja": ("夕食：3月27日にまた", "夕食：スープ", "3月12日の夕食は？"),
    "ru": ("Ужин на двоих 27 марта", "Ужин: суп", "что было на ужин 12 марта?"),
}


@pytest.mark.parametrize("language", OF_ONE_DAY)
def test_a_part_of_a_day_is_another_day(workspace: Write, language: str) -> None:
    other, answer, question = OF_ONE_DAY[language]
    files = {
        "memory/2026-03-12.md": f"# 2026-03-12\n\n- {answer}\n",
        "memory/2026-03-20.md": f"# 2026-03-20\n\n- {other}\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        assert memory.recall(question).hits[0].line.content == answer


@pytest.mark.parametrize(
    "question",
    [
        "dinner on 11 March 2026",
        "what was dinner on Wednesday 11 March?",
        "dinner on the 11th of March",
        "dinner on March 11",
    ],
)
def test_a_note_that_names_the_day_needs_neither_its_year_nor_its_weekday(workspace: Write, question: str) -> None:
    files = {
        "bank/meals.md": "# Meals\n\n- Dinner on March 11: fish from the harbour\n",
        "memory/2026-03-12.md": "# 2026-03-12\n\n- Dinner: pizza\n",
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        assert "fish" in memory.recall(question).hits[0].line.content
