"""What kind of thing a name names."""

from __future__ import annotations

import pytest

from commonplace.core.entities.entity_kinds import is_surely_somebody, kind_of


@pytest.mark.parametrize(
    ("names", "lines", "kind"),
    [
        (["Lanternfish"], ["Lanternfish said that the pier is closed", "asked Lanternfish about it"], "person"),
        (
            ["Lanternfish"],
            ["posted it via Lanternfish", "the Lanternfish API is down"],
            "service",
        ),
        (["Lanternfish"], ["the Lanternfish repo", "we are building Lanternfish", "Lanternfish roadmap"], "project"),
        (["Lanternfish"], ["installed Lanternfish", "Lanternfish version 3 is out"], "product"),
        (["Lanternfish"], ["flew to Lanternfish", "Lanternfish weather", "a trip to Lanternfish"], "place"),
        (["Lanternfish"], ["met the Lanternfish team", "the Lanternfish contract"], "organisation"),
        (["Lanternfish", "ランタン"], ["ランタンさんは来ない", "ランタンさんに会った"], "person"),
        (["Søndergade 4 ApS"], [], "organisation"),
        (["灯笼"], ["灯笼说明天来", "告诉灯笼"], "person"),
        (["临海科技"], [], "organisation"),
        (["藤村さん"], [], "person"),
        (["Marea"], ["Marea сказала", "Marea просит перезвонить"], "person"),
        (["Havnevagt"], ["Havnevagt siger nej", "Havnevagt ringede"], "person"),
        (["प्रिया"], ["प्रिया ने कहा", "प्रिया जी"], "person"),
        (["tidepool.dev"], [], "service"),
        (["kite/harbour-watch"], [], "project"),
    ],
)
def test_a_name_and_the_words_beside_it_tell_the_kind(names: list[str], lines: list[str], kind: str) -> None:
    assert kind_of(names, lines) == kind


@pytest.mark.parametrize(
    "lines",
    [[], ["Lanternfish is red"], ["Lanternfish said so", "the Lanternfish API"], ["a lanternfishmonger said so"]],
)
def test_what_is_unclear_has_no_kind(lines: list[str]) -> None:
    assert kind_of(["Lanternfish"], lines) is None


def test_the_order_of_names_and_lines_changes_nothing() -> None:
    names, lines = (
        ["Kite Bay", "the bay"],
        ["flew to Kite Bay", "the bay said so", "asked Kite Bay", "Kite Bay weather"],
    )
    assert kind_of(names, lines) == kind_of(names[::-1], lines[::-1])


@pytest.mark.parametrize(
    ("name", "lines", "sure"),
    [
        ("Wei Wang", [], True),
        ("Kvikmar", ["Kvikmar said so", "Kvikmar asked why"], True),
        ("リンさん", [], True),
        ("灯笼", ["灯笼说明天来", "告诉灯笼"], True),
        ("Kvikmar", [], False),
        ("Kvikmar", ["Kvikmar said so", "the Kvikmar repo", "Kvikmar asked why"], False),
        ("Nora", ["a talk about the Nora project"], False),
        ("Kiel", ["moved to Kiel"], False),
        ("灯笼", ["灯笼说明天来", "灯笼项目完成了", "告诉灯笼"], False),
        ("临海科技", [], False),
    ],
)
def test_who_is_surely_somebody_is_nothing_else_anywhere(name: str, lines: list[str], *, sure: bool) -> None:
    assert is_surely_somebody(name, lines) == sure
