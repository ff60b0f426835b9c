"""What is left of a page whose lines must not be repeated."""

from __future__ import annotations

import pytest

from commonplace.core.quotes.page_lines import PageLines
from commonplace.ops.reflect.page_planner import _without

PAGE = ["2 lines.", "", "## Lately", "- rain", "- snow", "", "## Notes", "- hail"]


@pytest.mark.parametrize(
    ("leaking", "left"),
    [
        ({3}, ["2 lines.", "", "## Lately", "- snow", "", "## Notes", "- hail"]),
        ({3, 4}, ["2 lines.", "", "## Notes", "- hail"]),
        ({7}, ["2 lines.", "", "## Lately", "- rain", "- snow"]),
        ({3, 4, 7}, ["2 lines."]),
    ],
)
def test_a_heading_goes_with_its_last_line(leaking: set[int], left: list[str]) -> None:
    found = _without(PageLines(PAGE, [f"{at}" for at in range(8)]), leaking)
    assert found.lines == left
    assert [PAGE[int(key)] for key in found.keys] == left
