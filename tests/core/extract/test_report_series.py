"""Which files are reports that were made again and again."""

from __future__ import annotations

import pytest

from commonplace.core.extract.report_series import is_study, series

LOGS = [f"memory/2026-05-0{day}.md" for day in range(1, 6)]


def of(form: str, count: int = 4) -> list[str]:
    return [form.format(day) for day in range(1, count + 1)]


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (of("memory/brief-2026-05-0{}.md"), {"memory/brief-0-0-0.md"}),
        (of("memory/news/2026-05-0{}.md"), {"memory/news/0-0-0.md"}),
        (of("memory/brief-2026-05-0{}.md", 3), set()),
        (of("memory/meetings/2026-05-0{}.md"), set()),
        (of("memory/archive/2026-05-0{}-1212.md"), set()),
        (of("memory/archived/2026-05/2026-05-0{}.md"), set()),
        (of("memory/复盘-2026-05-0{}.md"), set()),
        (["memory/brief.md", "memory/plan.md"], set()),
        (of("memory/2026-05-0{}-monday.md"), set()),
        (of("memory/chapter-{}.md"), set()),
    ],
)
def test_reports_are_told_by_their_names_beside_logs(paths: list[str], found: set[str]) -> None:
    assert set(series([*LOGS, *paths]).values()) == found


def test_where_reports_are_all_there_is_they_are_the_log() -> None:
    assert series(of("memory/brief-2026-05-0{}.md")) == series([*LOGS[:3], *of("memory/brief-2026-05-0{}.md")]) == {}


@pytest.mark.parametrize(
    ("path", "studied"),
    [
        ("memory/research/2026-03-01-cranes.md", True),
        ("memory/2026-03-01-crane-research.md", True),
        ("memory/crane-research-2026-03-01.md", True),
        ("memory/news/2026-03-01.md", True),
        ("memory/2026-03-01-起重机调研.md", True),
        ("memory/調査/2026-03-01.md", True),
        ("memory/शोध/2026-03-01.md", True),
        ("memory/исследования/2026-03-01.md", True),
        ("memory/undersøgelser/2026-03-01.md", True),
        ("memory/2026-03-01.md", False),
        ("memory/2026-03-01-news-bot-mended.md", False),
        ("memory/cranes/2026-03-01-newsletter.md", False),
    ],
)
def test_a_folder_or_name_tells_what_was_read(path: str, *, studied: bool) -> None:
    assert is_study(path) == studied
