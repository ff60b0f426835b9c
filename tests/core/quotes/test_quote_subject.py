"""What a line is about, and what it only mentions."""

from __future__ import annotations

import pytest

from commonplace.core.quotes.quote_subject import (
    in_passing,
    labelled_by_another,
    only_tells_when,
    only_within,
)


@pytest.mark.parametrize(
    "text",
    [
        "Sloop sold to a man in Hull",
        "We sold the Sloop, the dinghy and the raft",
        "**Boats** — the Sloop needs a mast",
        "Wife: Sloop, a nurse, and her two sons, both at sea",
        "(Sloop) ready for the sea",
        "Sails from `Sloop` are kept dry: see the list",
        "Lists: ropes, sails, the mast of the good old Sloop that we bought from a widow in Hull, oars",
        "老婆：Sloop，资深护士，在医院",
        "Harbour master: Sloop, of Hull, and two sons",
        "担当：Sloop、看護師、二児の母",
        "メモ：Sloop、昨日来て、本を置いた",
        "मिस्त्री: Sloop, नर्स, और दो बेटे",
        "Phone: Sloop uses +34 (Spain), not +49",
        "**Decision:** Sloop does the deck, in larch, because of the rain, and the mast",
        "**Sloop's mast** leans",
        "We like the Sloop's mast: the Sloop has two",
    ],
)
def test_a_line_is_about_what_its_first_clause_names_or_a_later_one_tells_of(text: str) -> None:
    assert not in_passing(text, "sloop")


@pytest.mark.parametrize(
    "text",
    [
        "Feeds: three live scrapers (ESMA, Sloop, CSSF)",
        "**3 boats in the yard**: Sloop, Cutter, Yawl of the club",
        "Bådene: Sloop + Kutter + Yawl",
        "Fonts: Sloop (headings), Cutter (body), Yawl (code)",
        "船：Sloop、漁船、渡し船",
        "Лодки: Sloop, Катер, Ял",
        "船：Sloop、渔船、渡船",
        "Built a page for the harbour (with Sloop)",
        "Dashboard: ropes, sails, Sloop, oars",
        "**Agent** — ropes + Sloop + oars",
        "主账户可用：约45万（Sloop 减仓后）",
        'Updated the comment: "not for Sloop"',
        "Signal: painted for the Sloop's owner",
        "修正: 昨日のSloopの帆を直した",
    ],
)
def test_what_stands_aside_or_in_a_list_is_mentioned_in_passing(text: str) -> None:
    assert in_passing(text, "sloop")


@pytest.mark.parametrize(
    "text",
    [
        "**Agreed:** paint the hull next week, after the Sloop call, with Tove",
        "Mal skroget efter Sloop mødet",
        "在Sloop会议之前刷船身",
        "Sloopの前に船体を塗る",
        "Sloop बैठक से पहले पतवार रंगो",
        "Покрасить корпус после Sloop, потом мачту",
    ],
)
def test_a_name_may_only_tell_when(text: str) -> None:
    assert only_tells_when(text, "sloop")
    assert not only_tells_when(f"{text}. The Sloop is ready", "sloop")


def test_what_happened_to_it_first_is_about_it() -> None:
    assert not only_tells_when("After the Sloop sank in the night we bought oars", "sloop")
    assert not only_tells_when("Nothing was painted", "sloop")


def test_a_line_is_about_what_its_label_names() -> None:
    assert labelled_by_another("**Kestrel 3** (2026-03-20): Rolf bought it for the long trips", "rolf")
    assert not labelled_by_another("**Kestrel 3**: Rolf bought it for the long trips", "kestrel 3")
    assert not labelled_by_another("**Open to advice**: Rolf asks for it", "rolf")
    assert not labelled_by_another("Rolf bought it for the long trips", "rolf")


def test_a_bare_item_of_a_list_is_not_what_a_line_is_about() -> None:
    assert in_passing("Sloop, Cutter, Yawl", "sloop")
    assert in_passing("Sloop、漁船、渡し船", "sloop")
    assert in_passing("**P3 rigs** — Cutter vs Sloop vs Yawl", "sloop")
    assert not in_passing("Sloop is old, the Cutter is new, the Yawl is ours", "sloop")


def test_a_part_of_a_longer_name_is_not_named() -> None:
    names = ("harbour", "mission harbour", "动力", "潮汐动力")
    assert only_within("Mission Harbour: the gate is shut", "harbour", names)
    assert not only_within("Mission Harbour: the harbour is shut", "harbour", names)
    assert not only_within("Harbourmaster of Mission Harbour", "harbour", names)
    assert only_within("买了潮汐动力", "动力", names)
    assert not only_within("Mission Harbour", "mission harbour", names)
