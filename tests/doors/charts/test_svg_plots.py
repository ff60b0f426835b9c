"""Plots of the page are well-formed, bounded and inside their field, whatever the values; what they show is true."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from datetime import date, timedelta
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from commonplace.doors.charts.svg_plots import DayCount, FactMark, Point, course, life, spark, year

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

TODAY = date(2025, 12, 1)
KINDS = ("world", "experience", "opinion", "summary")
WIDTHS = (724, 358)
EVIL = "</title></a></svg><script>alert(1)</script> ]]> \"'`&lt;& \x00\x1b[2J \ud800 \u202e \ufffe\uffff \u2028 {{7*7}}"
ROLES = ("prior", "for", "against", "hand")
HEAVIEST = 14_000


class Links(HTMLParser):
    """The elements as a browser reads them, where an attribute or a title could end too early."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.addresses: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        assert not {name for name, _ in attrs} & {"style", "onclick", "onload", "onerror", "xlink:href"}
        if tag == "a":
            self.addresses.append(dict(attrs)["href"])


def read(drawn: Markup) -> ET.Element:
    """The plot as XML, after everything that holds of each plot."""
    root = ET.fromstring(drawn)
    links = Links()
    links.feed(drawn)
    links.close()
    assert links.tags == Counter(each.tag for each in root.iter())
    assert {*links.tags} <= {"svg", "g", "a", "title", "path", "circle", "rect", "text", "div"}
    assert not [each for each in drawn if unicodedata.category(each) in ("Cc", "Cs") or each in "\u202e\u2066\u2028"]
    assert not re.search(r"\b(?:nan|inf)\b|e[+-]\d", " ".join(value for _, value in numbers(root)))
    for plot in (each for each in root.iter("svg")):
        _, _, width, height = map(float, plot.attrib["viewBox"].split())
        for x, y in places(plot):
            assert -0.5 <= x <= width + 0.5, (x, width)
            assert -0.5 <= y <= height + 0.5, (y, height)
    for each in root.iter("a"):
        assert each[0].tag == "title", "a link says what it is"
        assert each[0].text
    return root


def numbers(root: ET.Element) -> Iterator[tuple[str, str]]:
    for each in root.iter():
        for name in ("x", "y", "cx", "cy", "r", "width", "height", "d", "viewBox"):
            if name in each.attrib:
                yield name, each.attrib[name]


def places(plot: ET.Element) -> Iterator[tuple[float, float]]:
    """The corners of everything that is drawn, but for texts, of which it is where they begin or end."""
    for each in plot.iter():
        at = {name: float(each.attrib[name]) for name in ("x", "y", "cx", "cy", "r") if name in each.attrib}
        if each.tag == "circle":
            yield at["cx"] - at["r"], at["cy"] - at["r"]
            yield at["cx"] + at["r"], at["cy"] + at["r"]
        elif each.tag == "rect":
            yield at["x"], at["y"]
            yield at["x"] + float(each.attrib["width"]), at["y"] + float(each.attrib["height"])
        elif each.tag == "text":
            yield at["x"], at["y"]
        elif each.tag == "path":
            yield from corners(each.attrib["d"])


def corners(shape: str) -> Iterator[tuple[float, float]]:
    x = y = 0.0
    for command, values in re.findall(r"([MHVhvlz])([^A-Za-z]*)", shape):
        given_ = [float(each) for each in re.findall(r"-?\d+(?:\.\d+)?", values)]
        if command == "M":
            x, y = given_
        elif command == "H":
            (x,) = given_
        elif command == "V":
            (y,) = given_
        elif command == "h":
            x += given_[0]
        elif command == "v":
            y += given_[0]
        elif command == "l":
            x, y = x + given_[0], y + given_[1]
        yield x, y


def titles(root: ET.Element) -> list[str]:
    return [each.text or "" for each in root.iter("title")]


def texts(root: ET.Element, css: str) -> list[str]:
    return [each.text or "" for each in root.iter("text") if css in each.attrib["class"].split()]


def fact(
    lane: str, first: date, last: date | None = None, *, gone: bool = False, label: str = "Lives in Vienna."
) -> FactMark:
    return FactMark(lane, first, last or first, gone, "../at/memory/2025-11-26.md?line=10", label)


def point(day: date | None, confidence: float, role: str = "for", label: str = "Prefers tea.") -> Point:
    return Point(day, confidence, role, "#e1", label)


def drawn_life(facts: Sequence[FactMark], width: int = 724, today: date = TODAY) -> ET.Element:
    return read(life(facts, KINDS, today=today, width=width))


def drawn_course(points: Sequence[Point], width: int = 724) -> ET.Element:
    return read(course(points, today=TODAY, width=width))


any_text = st.text(st.characters(), max_size=60) | st.just(EVIL)
any_day = st.dates(date.min, date.max)
facts = st.builds(
    FactMark, st.sampled_from(KINDS) | any_text, any_day, any_day, st.booleans(), any_text, any_text
)  # fmt: skip
points = st.builds(Point, st.none() | any_day, st.floats(), st.sampled_from(ROLES) | any_text, any_text, any_text)


@given(st.lists(facts, max_size=30), any_day, st.sampled_from(WIDTHS))
def test_any_facts_make_a_plot(made: list[FactMark], today: date, width: int) -> None:
    drawn = life(made, KINDS, today=today, width=width)
    assert bool(drawn) == bool(made)
    if made:
        root = read(drawn)
        assert len([*root.iter("a")]) <= len(made)
        assert len(drawn.encode()) <= HEAVIEST


@given(st.lists(points, max_size=20), st.lists(points, max_size=5), any_day, st.sampled_from(WIDTHS), any_text)
def test_any_points_make_a_plot(made: list[Point], other: list[Point], today: date, width: int, name: str) -> None:
    drawn = course(made, today=today, width=width, other=other, other_name=name)
    kept = [each for each in made if not math.isnan(each.confidence)]
    assert bool(drawn) == bool(kept) == bool(spark(made))
    if kept:
        assert len([*read(drawn).iter("a")]) == len(kept)
        read(spark(made))


@given(
    st.lists(st.builds(DayCount, st.dates(date(2024, 1, 1), date(2025, 1, 3)), st.integers(-1, 10**12)), max_size=50),
    any_text,
)
def test_any_days_make_a_year(made: list[DayCount], address: str) -> None:
    root = read(year(made, 2024, chosen=TODAY, address=lambda _: address, today=TODAY))
    assert len([*root.iter("a")]) == len({each.day for each in made if each.count > 0 and each.day.year == 2024})


@given(st.integers(1, 9999))
@settings(max_examples=15)
@example(1)
@example(9999)
@example(2012)  # it has 1 July on a Sunday, so that its second half needs most columns
def test_a_year_has_all_its_days_in_its_field(of: int) -> None:
    days = [date(of, 1, 1) + timedelta(days) for days in range(date(of, 12, 31).timetuple().tm_yday)]
    drawn = year([DayCount(day, 1) for day in days], of, chosen=None, address=date.isoformat, today=TODAY)
    assert [each.attrib["href"] for each in read(drawn).iter("a")] == [day.isoformat() for day in days]
    assert len(drawn.encode()) <= 45_000


@pytest.mark.parametrize("width", WIDTHS)
def test_hostile_text_stays_text(width: int) -> None:
    root = drawn_life([fact("world", TODAY, label=EVIL), fact(EVIL, TODAY)], width)
    assert "</title></a></svg><script>alert(1)</script> ]]> \"'`&lt;& \\x00\\x1b[2J \\ud800 \\u202e" in titles(root)[0]
    held = [point(TODAY, 0.7, label=EVIL)]
    drawn = course(held, today=TODAY, width=width, other=held, other_name=EVIL)
    assert "<script" not in drawn


@pytest.mark.parametrize(
    "href",
    ["javascript:alert(1)", "java\nscript:alert(1)", " data:text/html,x", "//evil.example", "\\\\evil", "x:y"],
)
def test_an_address_outside_of_the_page_leads_nowhere(href: str) -> None:
    root = read(life([FactMark("world", TODAY, TODAY, False, href, "x")], KINDS, today=TODAY, width=724))
    assert [each.attrib["href"] for each in root.iter("a")] == ["#"]


@pytest.mark.parametrize("href", ["../at/memory/2025-11-26.md?line=10", "#e1", "/x/day/2025-11-26", "at/a.md?t=10:00"])
def test_an_address_of_the_page_stays(href: str) -> None:
    root = read(life([FactMark("world", TODAY, TODAY, False, href, "x")], KINDS, today=TODAY, width=724))
    assert [each.attrib["href"] for each in root.iter("a")] == [href]


def test_facts_are_summed_up_and_named() -> None:
    made = [
        fact("world", date(2025, 10, 20)),
        fact("world", date(2025, 11, 4), gone=True, label="Leaves at 09:05."),
        fact("opinion", date(2025, 11, 27), date(2025, 12, 1), label="In Marrakech."),
        fact("opinion", date(2024, 12, 27), label="In Rome."),
    ]
    root = drawn_life(made[:3])
    assert root.attrib["aria-label"] == "3 facts from 20 October to 1 December 2025"
    assert titles(root) == [
        "20 Oct: Lives in Vienna.",
        "4 Nov, replaced: Leaves at 09:05.",
        "27 Nov–1 Dec: In Marrakech.",
    ]
    assert [each[1].attrib["class"] for each in root.iter("a")] == ["fact", "fact gone", "span"]
    assert texts(root, "lane") == ["world", "opinion"]
    assert drawn_life(made[:1]).attrib["aria-label"] == "1 fact on 20 October 2025"
    assert drawn_life(made).attrib["aria-label"] == "4 facts from 27 December 2024 to 1 December 2025"
    assert "27 Dec 2024: In Rome." in titles(drawn_life(made))


def test_facts_of_one_day_are_above_each_other() -> None:
    root = drawn_life([fact("world", TODAY) for _ in range(4)])
    heights = [float(each.attrib["cy"]) for each in root.iter("circle")]
    assert [heights[0] - each for each in heights] == [0, 9, 18, 27]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("label", ["x" * 200, "छोटी सूचियाँ " * 20, "<&\"'" * 60])
def test_thousands_of_facts_are_counted_in_bars(width: int, label: str) -> None:
    made = [fact("world", date(2015, 1, 1) + timedelta(2 * n), gone=n % 7 == 0, label=label) for n in range(2000)]
    drawn = life(made, KINDS, today=TODAY, width=width)
    root = read(drawn)
    assert len(drawn.encode()) <= HEAVIEST
    assert len([*root.iter("a")]) <= 300
    assert sum(int(re.findall(r": ([\d,]+) fact", each)[0].replace(",", "")) for each in titles(root)) == 2000
    assert root.attrib["aria-label"] == "2,000 facts from 1 January 2015 to 12 December 2025"


def test_a_lane_with_few_facts_keeps_its_links_beside_a_crowded_one() -> None:
    crowd = [fact("world", date(2015, 1, 1) + timedelta(days)) for days in range(2000)]
    root = drawn_life([*crowd, fact("opinion", date(2020, 5, 17), label="Prefers tea.")])
    assert titles(root)[-1] == "17 May 2020: Prefers tea."
    assert len([*root.iter("a")]) == 1


def test_many_kinds_and_long_addresses_keep_a_plot_small() -> None:
    made = [FactMark(f"kind {n % 40}", TODAY, TODAY, False, f"at/{'x' * 9000}{n}", "y" * 9000) for n in range(400)]
    assert len(life(made, (), today=TODAY, width=724).encode()) <= HEAVIEST
    moves = [Point(TODAY + timedelta(n), n % 9 / 9, "for", "#" + "x" * 9000, "y" * 9000) for n in range(2000)]
    assert len(course(moves, today=TODAY, width=724, other=moves).encode()) <= HEAVIEST
    assert len(spark(moves).encode()) <= 500


def test_a_year_of_birth_does_not_hide_the_month() -> None:
    made = [fact("world", date(2025, 11, 1) + timedelta(3 * n)) for n in range(8)]
    root = drawn_life([*made, fact("world", date(1962, 5, 12), label="Born.")])
    assert texts(root, "tick")[0] == "‹ 1962"
    left, *rest = [float(each.attrib["cx"]) for each in root.iter("circle")]
    assert left == 86
    assert rest[-1] - rest[0] > 300
    assert titles(root)[0] == "12 May 1962: Born."


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (date(2025, 11, 27), date(2025, 12, 1), ["26 Nov", "27 Nov", "28 Nov", "29 Nov", "30 Nov", "1 Dec", "2 Dec"]),
        (date(2025, 10, 20), date(2025, 12, 1), ["20 Oct", "27 Oct", "3 Nov", "10 Nov", "17 Nov", "24 Nov", "1 Dec"]),
        (date(2024, 12, 20), date(2025, 12, 1), ["2025", "Apr", "Jul", "Oct"]),
        (date(2023, 2, 3), date(2025, 11, 3), ["Jul 2023", "2024", "Jul", "2025", "Jul"]),
        (date(2015, 2, 3), date(2025, 11, 3), ["2016", "2018", "2020", "2022", "2024", "2026"]),
    ],
)
def test_ticks_suit_the_length_of_time(first: date, last: date, expected: list[str]) -> None:
    assert texts(drawn_life([fact("world", first), fact("world", last)]), "tick") == expected


@given(any_day, any_day, any_day, st.sampled_from(WIDTHS))
def test_there_are_one_to_eight_ticks_for_any_length_of_time(first: date, last: date, today: date, width: int) -> None:
    root = drawn_life([fact("world", first), fact("world", last)], width, today)
    assert 1 <= len(texts(root, "tick")) <= 8


DISPUTED = [
    point(date(2025, 10, 24), 0.75, "prior"),
    point(date(2025, 11, 13), 0.7149, "against"),
    point(date(2025, 11, 20), 0.6451, "against"),
    point(date(2025, 11, 26), 0.5099, "for"),
]


def test_labels_are_differences_of_the_numbers_that_are_shown() -> None:
    root = drawn_course(DISPUTED)
    assert texts(root, "delta") == ["0.75", "−0.04", "−0.06", "−0.14"]  # of 0.75, 0.71, 0.65 and 0.51
    assert texts(root, "endlab") == ["0.51"]
    assert texts(root, "tick")[:3] == ["0.5", "0.75", "1"]
    assert titles(root)[1] == "13 Nov, against, 0.75 → 0.71: Prefers tea."
    assert root.attrib["aria-label"] == "Confidence from 24 October to 1 December 2025: from 0.75 to 0.51"
    assert [each[-2].attrib["class"] for each in root.iter("a")] == [
        "mark prior",
        "mark against",
        "mark against",
        "mark for",
    ]


def test_a_narrow_plot_has_the_name_above_its_line() -> None:
    other = [point(date(2025, 11, 13), 0.8, "prior")]
    root = read(course(DISPUTED[:1], today=TODAY, width=358, other=other, other_name="Coffee", css="narrow"))
    assert root.attrib["class"] == "plot narrow"
    assert texts(root, "delta") == ["0.75", "0.75"]
    assert "Coffee 0.80" in texts(root, "tick")


def test_a_value_set_by_hand_breaks_the_line() -> None:
    root = drawn_course([*DISPUTED, point(date(2025, 11, 28), 0.9, "hand")])
    (line,) = [each.attrib["d"] for each in root.iter("path") if each.attrib["class"] == "course"]
    assert line.count("M") == 2
    assert texts(root, "delta")[-1] == "0.90"


def test_an_opposite_opinion_is_dashed_and_named() -> None:
    other = [point(date(2025, 11, 13), 0.8, "prior"), point(date(2025, 11, 26), 0.52)]
    root = read(course(DISPUTED, today=TODAY, width=724, other=other, other_name="Coffee"))
    lines = [each.attrib["class"] for each in root.iter("path") if each.attrib["class"] in ("ghost", "course")]
    assert lines == ["ghost", "course"]
    ends = {each.text: float(each.attrib["y"]) for each in root.iter("text") if "endlab" in each.attrib["class"]}
    assert [*ends] == ["0.51", "0.52", "Coffee"]
    assert ends["0.51"] - ends["0.52"] >= 17


@pytest.mark.parametrize(
    ("confidence", "shown"), [(math.inf, "1.00"), (-math.inf, "0.00"), (1e300, "1.00"), (-3, "0.00"), (0.505, "0.51")]
)
def test_a_confidence_beyond_the_scale_is_at_its_end(confidence: float, shown: str) -> None:
    assert texts(drawn_course([point(TODAY, confidence)]), "endlab") == [shown]


def test_a_confidence_that_is_no_number_is_left_out() -> None:
    assert not course([point(TODAY, math.nan)], today=TODAY, width=724)
    assert len(titles(drawn_course([point(TODAY, math.nan), point(TODAY, 0.7)]))) == 1


@given(st.lists(st.tuples(st.integers(0, 400), st.floats(0, 1), st.sampled_from(ROLES)), min_size=1, max_size=60))
def test_labels_never_touch(made: list[tuple[int, float, str]]) -> None:
    steps = [point(date(2024, 11, 1) + timedelta(days), value, role) for days, value, role in sorted(made)]
    for width in WIDTHS:
        root = drawn_course(steps, width)
        boxes = []
        for each in root.iter("text"):
            if "delta" in each.attrib["class"]:
                x, y, long = float(each.attrib["x"]), float(each.attrib["y"]), 6 * len(each.text or "")
                left = x - long * {"middle": 0.5, "end": 1}.get(each.attrib.get("text-anchor", ""), 0)
                boxes.append((left, y - 8, left + long, y))
        for at, (left, top, right, bottom) in enumerate(boxes):
            assert all(right <= a or c <= left or bottom <= b or d <= top for a, b, c, d in boxes[:at])


def test_undated_points_are_between_their_neighbours() -> None:
    root = drawn_course([point(None, 0.7, "prior"), point(date(2025, 9, 2), 0.74), point(None, 0.8), point(TODAY, 0.9)])
    places_ = [float(each.attrib["cx"]) for each in root.iter("circle") if each.attrib["class"] == "hit"]
    assert places_ == sorted({*places_})
    assert titles(root)[0] == "undated, first stated, 0.70: Prefers tea."


def test_a_year_shows_how_much_each_day_has() -> None:
    counts = [DayCount(date(2025, 1, 1) + timedelta(n), n) for n in range(1, 9)]
    drawn = year(counts, 2025, chosen=date(2025, 1, 3), address=date.isoformat, today=TODAY)
    root = read(drawn)
    assert titles(root)[:2] == ["Thu 2 Jan: 1 line", "Fri 3 Jan: 2 lines"]
    classes = [each[1].attrib["class"] for each in root.iter("a")]
    assert classes == [f"day d{n}" for n in (1, 1, 2, 2, 3, 3, 4, 4)]
    assert root.attrib == {"class": "year", "role": "group", "aria-label": "2025: 36 lines on 8 days"}
    assert [each.attrib["class"] for each in root.iter("rect")] == ["chosen", "now"]
    assert texts(root, "tick") == [
        *("M", "W", "F", "Jan", "Feb", "Mar", "Apr", "May", "Jun"),
        *("M", "W", "F", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    ]
