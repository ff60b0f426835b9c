"""What a list says of an item in figures, and whether the list of another day says it anew."""

from __future__ import annotations

import pytest

from commonplace.core.changes.listed_items import ListedItem, listed_item


def item(text: str, *above: str) -> ListedItem:
    found = listed_item(text, above)
    assert found is not None
    return found


def anew(older: tuple[str, ...], newer: tuple[str, ...]) -> bool:
    """Return whether the newer of two lines, each with what is above it, tells the item of the older anew."""
    was, now = item(*older), item(*newer)
    assert now.is_of(was)
    return was.differs(now)


TOLD_ANEW = [
    ("Kestrel: debt 900 kr", "Kestrel: debt 400 kr, paid by card", "Boats in the yard"),
    ("**Kestrel (no. 7)** — 3 sails, rough hull", "**Kestrel (no. 7)** — 5 sails", "Boats in the yard"),
    ("Kestrel: gæld 900 kr", "Kestrel: gæld 400 kr", "Både i havnen"),
    ("Чайка: долг 900 рублей", "Чайка: долг 400 рублей", "Лодки"),
    ("हंस: कर्ज 900 रुपये", "हंस: कर्ज 400 रुपये", "नावें"),
    ("海燕：欠款900元", "海燕：欠款400元，已约谈", "船只名单"),
    ("海燕：今年，+5%", "海燕：今年，-5%", "船只名单"),
    ("海燕號：欠款900元", "海燕號：欠款400元", "船隻名單"),
    ("カモメ：残債900円", "カモメ：残債400円", "船の一覧"),
]


@pytest.mark.parametrize(("older", "newer", "heading"), TOLD_ANEW)
def test_another_figure_of_the_same_item_tells_it_anew(older: str, newer: str, heading: str) -> None:
    assert anew((older, heading), (newer, heading))
    assert not anew((older, heading), (older, heading))


COLUMNS = [
    ("| Boat | Berth | Debt |", "| Kestrel | north | 900 kr |", "| Kestrel | north | 400 kr |"),
    ("| Båd | Plads | Gæld |", "| Kestrel | nord | 900 kr |", "| Kestrel | nord | 400 kr |"),
    ("| Лодка | Место | Долг |", "| Чайка | север | 900 |", "| Чайка | север | 400 |"),
    ("| नाव | जगह | कर्ज |", "| हंस | उत्तर | 900 |", "| हंस | उत्तर | 400 |"),
    ("| 船 | 泊位 | 欠款 |", "| 海燕 | 北 | 900元 |", "| 海燕 | 北 | 400元 |"),
    ("| 船 | 場所 | 残債 |", "| カモメ | 北 | 900円 |", "| カモメ | 北 | 400円 |"),
]


@pytest.mark.parametrize(("columns", "older", "newer"), COLUMNS)
def test_a_row_is_told_anew_by_a_row_of_such_a_table(columns: str, older: str, newer: str) -> None:
    assert anew((older, "Yard", columns), (newer, "Yard (2026-03-09)", columns))


def test_a_figure_has_its_thousands() -> None:
    assert item("Kestrel: debt 1,200 kr", "Yard").measures == {"debt": "1200", "kr": "1200"}


def test_a_row_of_another_table_or_thing_is_no_news() -> None:
    columns = "| Boat | Work | Debt |"
    row = item("| Kestrel | sails | 900 kr |", "Yard", columns)
    assert not item("| Kestrel | 3 | 12 |", "Yard", "| Boat | Crew | Days at sea |").is_of(row)
    assert not item("| Kestrel | sails | 900 kr |", "Yard", "| Debtor | Work | Debt |").is_of(row)
    assert not item("| Kestrel | hull | 400 kr |", "Yard", columns).is_of(row)


def test_lists_are_told_apart_by_their_names() -> None:
    was = item("Kestrel: debt 900 kr", "Boats in the yard")
    assert item("Kestrel: debt 400 kr", "Boats in the yard, evening").is_of(was)
    assert not item("Kestrel: debt 400 kr", "Boats of the other club").is_of(was)
    assert not item("Kestrel: debt 400 kr", "2026-03-09").is_of(item("Kestrel: debt 900 kr", "2026-03-02"))
    assert not item("海燕：欠款400元", "船").is_of(item("海燕：欠款900元", "船只名单"))
    assert not item("Kestrel II: debt 400 kr", "Boats in the yard").is_of(was)


OTHER_FIGURES = [
    ("Kestrel: debt 900 kr", "Kestrel: mast 12 m"),
    ("Kestrel: leaves at 10", "Kestrel: comes at 14"),
    ("Kestrel: due in 5 days", "Kestrel: due in 3 days"),
    ("Kestrel: debt 900 kr", "Kestrel: debt 900.00 kr"),
    ("Kestrel: rebuilt on 2026-03-02", "Kestrel: rebuilt on 2026-03-09"),
    ("Kestrel: runs version 1.2.3", "Kestrel: runs version 1.2.4"),
    ("Kestrel: holds 3-5 boats", "Kestrel: holds 4-6 boats"),
    ("Kestrel: parts for 900 kr and for 300 kr", "Kestrel: parts for 400 kr"),
    ("हंस: कर्ज 900", "हंस: दर्ज 400"),
]


@pytest.mark.parametrize(("older", "newer"), OTHER_FIGURES)
def test_figures_of_something_else_are_no_news(older: str, newer: str) -> None:
    was, now = listed_item(older, ("Yard",)), listed_item(newer, ("Yard",))
    assert was is None or now is None or not (now.is_of(was) and now.differs(was))


@pytest.mark.parametrize(
    "text",
    [
        "Kestrel: painted by Rolf",
        "Kestrel owes 900 kr",
        "Kestrel: debt 900 kr?",
        "https://kestrel.example/900 kr",
        "10:30 debt of 900 kr",
    ],
)
def test_what_is_no_item_or_has_no_figure(text: str) -> None:
    assert listed_item(text, ("Boats",)) is None


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Kestrel: bought 3 sails", "Yard"),
        ("Kestrel: købt 3 sejl", "Havn"),
        ("Чайка: куплено, добавлено 3 паруса", "Лодки"),
        ("हंस: 3 पाल खरीदे", "नावें"),
        ("海燕：买入3张帆", "船只"),
        ("カモメ：帆を3枚購入", "船の一覧"),
        ("Kestrel: 900 kr", "Expenses"),
        ("Kestrel: 900 kr", "Udgifter"),
        ("Чайка: 900 рублей", "Расходы"),
        ("हंस: 900 रुपये", "खर्च"),
        ("海燕：900元", "支出"),
        ("カモメ：900円", "支出"),
    ],
)
def test_a_deed_stays_true(text: str, heading: str) -> None:
    assert item(text, heading).is_deed
