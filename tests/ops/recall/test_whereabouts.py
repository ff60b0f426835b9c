"""Where somebody is on a day: a stay of those days leads, before it and after it the home."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.core.recall.rerank import STAY
from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

STAYS = {
    "en": (
        ("Lives in Ghent.", "In Setúbal from June 3 to June 9, 2025.", "Moved to Bruges."),
        ("where was Runa on June 5, 2025?", "where was Runa between the 4th and the 7th of June?"),
        ("where is Runa now?", "where is Runa right now?", "where is Runa today?", "where is Runa?"),
    ),
    "da": (
        ("Bor i Horsens.", "I Setúbal fra den 3. til den 9. juni 2025.", "Flyttede til Vejle."),
        ("hvor var Runa den 5. juni 2025?", "hvor var Runa mellem den 4. og den 7. juni?"),
        ("hvor er Runa nu?", "hvor er Runa lige nu?", "hvor er Runa i dag?"),
    ),
    "zh-Hans": (
        ("住在厦门。", "2025年6月3日到6月9日在青岛。", "搬到福州。"),
        ("2025年6月5日 Runa 在哪里？",),
        ("Runa 现在在哪里？", "Runa 今天在哪里？"),
    ),
    "zh-Hant": (
        ("住在高雄。", "2025年6月3日到6月9日在花蓮。", "搬到嘉義。"),
        ("2025年6月5日 Runa 在哪裡？",),
        ("Runa 現在在哪裡？",),
    ),
    "ja": (
        ("札幌に住んでいる。", "2025年6月3日から6月9日まで函館に滞在。", "小樽に引っ越した。"),
        ("2025年6月5日に千尋はどこにいましたか？",),
        ("千尋は今どこにいますか？", "千尋は現在どこですか？"),
    ),
    "hi": (
        ("इंदौर में रहती हैं।", "3 जून 2025 से 9 जून 2025 तक भोपाल में।", "पुणे चली गईं।"),
        ("5 जून 2025 को Runa कहाँ थीं?",),
        ("Runa अभी कहाँ हैं?", "Runa आज कहाँ हैं?"),
    ),
}
"""A home, a stay and the next home; questions for a day of the stay, asked later; questions asked during it."""


@pytest.mark.parametrize("language", STAYS)
def test_a_stay_that_covers_the_day_leads_before_the_home(workspace: Write, language: str) -> None:
    (home, stay, moved), past, now = STAYS[language]
    who = "千尋" if language == "ja" else "Runa"
    files = {
        "memory/2025-06-01.md": f"## Retain\n- W @{who}: {stay}\n- W @{who}: {home}\n",
        "memory/2025-06-20.md": f"## Retain\n- W @{who}: {moved}\n",
    }
    root = str(workspace(files))
    with Memory(root, today=date(2025, 7, 1)) as memory:
        for question in past:
            first = memory.recall(question).hits[0]
            assert (first.line.content, STAY in first.why) == (stay, True), question
    with Memory(root, today=date(2025, 6, 8)) as memory:
        for question in now:
            assert memory.recall(question).hits[0].line.content == stay, question


def test_a_stay_that_is_over_or_ahead_or_no_place_waits_behind_the_home(workspace: Write) -> None:
    log = (
        "## Retain\n- W @Runa: Lives in Ghent.\n- W @Runa: In Setúbal from June 3 to June 9, 2025.\n"
        "- W @Runa: At the fair in Oulu from July 3 to July 9, 2025.\n"
        "- W @Runa: On parental leave from June 1 to August 31, 2025.\n"
        "- W @Runa: Lives in Ghent.\n- W @Runa: Works at Kranen from January 1, 2025 to December 31, 2026.\n"
    )
    with Memory(str(workspace({"memory/2025-06-01.md": log})), today=date(2025, 6, 20)) as memory:
        for question in ("where is Runa now?", "where is Runa?", "hvor er Runa nu?", "where does Runa live now?"):
            assert memory.recall(question).hits[0].line.content == "Lives in Ghent.", question
        assert memory.recall("where will Runa be on July 5?").hits[0].line.content.startswith("At the fair")


def test_of_two_stays_the_newest_leads(workspace: Write) -> None:
    files = {
        "memory/2025-06-01.md": "## Retain\n- W @Runa: In Portugal from June 1 to June 30, 2025.\n",
        "memory/2025-06-04.md": "## Retain\n- W @Runa: In Évora from June 5 to June 12, 2025.\n",
    }
    with Memory(str(workspace(files)), today=date(2025, 6, 8)) as memory:
        assert [hit.line.content[:8] for hit in memory.recall("where is Runa now?").hits] == ["In Évora", "In Portu"]


def test_a_stay_is_no_answer_to_what_says_more(workspace: Write) -> None:
    log = (
        "## Retain\n- W @Runa: In Setúbal from June 3 to June 9, 2025.\n"
        "- W @Runa: Bought the red canoe at Marinha on June 5, 2025.\n"
    )
    with Memory(str(workspace({"memory/2025-06-10.md": log})), today=date(2025, 6, 20)) as memory:
        first = memory.recall("where did Runa buy the red canoe on June 5, 2025?").hits[0]
        assert first.line.content.startswith("Bought the red canoe")
