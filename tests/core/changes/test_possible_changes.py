"""Which lines of logs are asked about: another value of one label, and no field of each day or measure."""

from __future__ import annotations

from datetime import date

import pytest

from commonplace.core.changes.possible_changes import possible_changes
from commonplace.core.model import Citation, Line


def _lines(*texts: str, above: tuple[str, ...] = ("Notes", "Notes", "Notes", "Notes")) -> list[Line]:
    return [
        Line(text, (), Citation(f"memory/2026-01-0{day}.md", 1), date(2026, 1, day), context=(heading,))
        for day, (text, heading) in enumerate(zip(texts, above, strict=False), 1)
    ]


ASKED = {
    "words of its own on both sides": ("Glaze recipe: celadon with iron", "Glaze recipe: celadon with copper"),
    "bold label": ("**Gallery Nord:** declined, too early in the year", "**Gallery Nord**: accepted, early in May"),
    "Chinese": ("展览地点：奥胡斯老城美术馆", "展览地点：里伯老城画廊"),
    "Japanese": ("予備のモデル: 織部の大皿", "予備のモデル: 織部から志野へ"),
    "Danish": ("Åbent hus: lørdag i værkstedet", "Åbent hus: søndag i værkstedet"),
}
NOT_ASKED = {
    "the same again with more": ("Glaze recipe: celadon with iron", "Glaze recipe: celadon with iron and ash"),
    "another number": ("Kiln run: day 12 of the long firing", "Kiln run: day 13 of the long firing"),
    "a measure": ("Clay stock: 40 kg of the white", "Clay stock: 25 kg of the red"),
    "files": ("Files changed: kiln/timer.py, glaze.md", "Files changed: kiln/relay.py, glaze.md"),
    "nothing in common": ("Glaze recipe: celadon with iron", "Glaze recipe: ask Marta"),
    "a series": ("Batch 4: blue bowls for Nord", "Batch 4: white bowls for Nord"),
    "a field of each day": ("Kiln mood: calm and warm",) * 2 + ("Kiln mood: wild and warm", "Kiln mood: dim and warm"),
    "one day": ("Glaze recipe: celadon with iron",),
}


@pytest.mark.parametrize("case", ASKED)
def test_another_value_of_one_label_is_asked_about(case: str) -> None:
    older, newer = _lines(*ASKED[case])
    assert list(possible_changes([newer, older])) == [(newer, older)]


@pytest.mark.parametrize("case", NOT_ASKED)
def test_what_surely_replaces_nothing_is_not_asked_about(case: str) -> None:
    assert not list(possible_changes(_lines(*NOT_ASKED[case])))


def test_a_label_that_does_not_say_what_it_is_about_needs_the_same_heading() -> None:
    values = "Fonts: Sora and Inter", "Fonts: Sora and Karla"
    assert list(possible_changes(_lines(*values, above=("Poster", "Poster"))))
    assert not list(possible_changes(_lines(*values, above=("Poster", "Leaflet"))))


def test_lines_of_one_day_replace_nothing() -> None:
    older, newer = _lines("Glaze recipe: celadon with iron", "Glaze recipe: celadon with copper")
    assert not list(possible_changes([older, newer._replace(recorded=older.recorded)]))
