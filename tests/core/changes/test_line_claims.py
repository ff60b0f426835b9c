"""Whether two plain lines claim of one thing what can be so in one way only."""

from __future__ import annotations

from datetime import date

import pytest

from commonplace.core.changes.line_claims import claims_anew, line_claims, same_claim
from commonplace.core.model import Citation, Line

CHANGES = {
    "en: a port": ("The **relay** listens on port 8080", "The relay now listens on port 9090"),
    "en: a version": ("The tide app runs version 2.1", "The tide app was upgraded to version 2.4"),
    "zh": ("潮汐服务的端口是8080", "潮汐服务的端口改为9090"),
    "ja": ("潮汐サーバーのポートは8080です", "潮汐サーバーのポートは9090に変更"),
    "hi": ("ज्वार सर्वर का पोर्ट 8080 है", "ज्वार सर्वर का पोर्ट अब 9090 है"),
}


def line(text: str, day: int) -> Line:
    return Line(text, (), Citation(f"memory/2026-03-0{day}.md", 1), date(2026, 3, day))


def anew(older: str, newer: str, *, one_heading: bool) -> bool:
    return any(
        same_claim(new, old, one_heading=one_heading) and claims_anew(new, old)
        for old in line_claims(line(older, 1), 1)
        for new in line_claims(line(newer, 5), 2)
    )


@pytest.mark.parametrize(("older", "newer"), CHANGES.values(), ids=CHANGES)
def test_a_change_excludes_the_older_line_below_any_heading(older: str, newer: str) -> None:
    assert anew(older, newer, one_heading=False)


def test_another_value_excludes_it_below_the_same_heading_only() -> None:
    older, newer = "Relay port: 8080", "Relay port: 9090"
    assert anew(older, newer, one_heading=True)
    assert not anew(older, newer, one_heading=False)
    assert not anew(older, older, one_heading=True)


def test_two_products_of_one_version_are_two() -> None:
    assert not anew("The editor runs version 2.1", "The player runs version 2.2", one_heading=True)


def test_the_topic_has_the_words_of_the_slot() -> None:
    assert [each.topic for each in line_claims(line("Relay port: 8080", 1), 1)] == ["relay"]
