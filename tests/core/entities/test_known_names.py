"""From which uses on a possible name is one."""

from __future__ import annotations

import pytest

from commonplace.core.entities.known_names import NameTotals, is_known, share_in_small, usual_spelling


@pytest.mark.parametrize(
    ("name", "totals", "expected"),
    [
        ("Bjarne", NameTotals(days=2, inside=2, start=0, label=0, head=0, title=0), True),
        ("Bjarne", NameTotals(days=1, inside=3, start=0, label=0, head=0, title=0), True),
        ("Bjarne", NameTotals(days=1, inside=2, start=0, label=0, head=0, title=0), False),
        ("Bjarne", NameTotals(days=9, inside=0, start=9, label=0, head=9, title=0), False),
        ("Ann Lee", NameTotals(days=4, inside=0, start=4, label=0, head=0, title=0), True),
        ("Evening Report", NameTotals(days=4, inside=0, start=0, label=0, head=0, title=60), False),
        ("Tide Relay", NameTotals(days=4, inside=1, start=0, label=0, head=0, title=4), True),
        ("mem0", NameTotals(days=4, inside=0, start=4, label=0, head=0, title=0), True),
        ("Автоматизация", NameTotals(days=9, inside=0, start=9, label=0, head=9, title=0), False),
        ("Марина", NameTotals(days=2, inside=2, start=9, label=0, head=0, title=0), True),
        ("Backlog", NameTotals(days=9, inside=2, start=0, label=9, head=0, title=0), False),
        ("Zephyr", NameTotals(days=9, inside=8, start=0, label=50, head=0, title=0), True),
        ("Backlog", NameTotals(days=9, inside=8, start=0, label=70, head=0, title=0), False),
        ("夜間点検", NameTotals(days=2, inside=0, start=0, label=0, head=1, title=9), False),
        ("夜間点検", NameTotals(days=2, inside=1, start=0, label=0, head=1, title=1), True),
        ("夜間タイド", NameTotals(days=2, inside=0, start=0, label=0, head=1, title=9), True),
        ("功能", NameTotals(days=0, inside=0, start=0, label=9, head=0, title=0), False),
    ],
)
def test_a_name_stands_in_sentences_of_several_days_and_seldom_before_a_colon(
    name: str, totals: NameTotals, expected: bool
) -> None:
    assert is_known(name, totals) is expected


@pytest.mark.parametrize(
    ("name", "texts", "share"),
    [
        ("Задача", ["Задача на завтра", "поставил задачу", "новые задачи"], 2 / 3),
        ("Lighthouse", ["run `lighthouse check`", "see /srv/lighthouse/log", "Lighthouse is up"], 0.0),
        ("Lighthouse", ["the lighthouse-sync job", "a lighthouse in the fog", "www.lighthouse.example"], 0.0),
        ("Sam", ["the same to Sam", "a sample for Sam", "Sam left"], 0.0),
        ("Novelty", ["Novelty: high", "its novelty is small", "Novelty: low"], 1 / 3),
    ],
)
def test_a_word_in_small_letters_counts_within_sentences_in_all_its_forms(
    name: str, texts: list[str], share: float
) -> None:
    assert share_in_small(name, texts) == pytest.approx(share)


def test_a_slip_or_a_shout_does_not_change_how_a_name_is_spelled() -> None:
    assert usual_spelling("KestrelHub", "Kestrelhub") == "KestrelHub"
    assert usual_spelling("NEVER", "Never") == "Never"
