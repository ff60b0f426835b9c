"""How much logs tell about an entity."""

from __future__ import annotations

from datetime import date

import pytest

from commonplace.core.model import Citation, Line
from commonplace.core.quotes.lines_by_entity import Mention, WeighedLine
from commonplace.core.quotes.named_lines import Named, as_named
from commonplace.core.quotes.page_quotes import LOGGED, NOTES, Quote
from commonplace.core.quotes.quote_topics import DECISIONS


def named(*texts: str) -> Named:
    day = date(2025, 11, 3)
    lines = [Line(text, (), Citation("memory/2025-11-03.md", at), day) for at, text in enumerate(texts, 1)]
    return Named([Quote(line, 1.0, "lately", "lately") for line in lines], {day})


def test_lines_are_left_out_by_their_place() -> None:
    told = named("The Sloop leaks.", "The Sloop is dry.")
    told = told._replace(others=told.quotes[1:])
    left = told.without({told.quotes[1].line.source})
    assert [each.line.content for each in left.quotes] == ["The Sloop leaks."] and left.others == []


def test_lines_that_begin_with_a_name_tell_more_than_lines_that_mention_it() -> None:
    before = "Everybody went down to the harbour in the evening, where"
    subject = named("The Sloop leaks at the stern.", "The sloop has a new mast.")
    mention = named(f"{before} some saw the Sloop.", f"{before} others drew the Sloop.")
    assert subject.telling("Sloop") == mention.telling("Sloop") + 1


def test_what_only_undated_notes_tell_was_not_lived() -> None:
    told = named("The Sloop leaks.")
    assert told.lived()
    undated = [each._replace(line=each.line._replace(recorded=None)) for each in told.quotes]
    assert not told._replace(quotes=undated).lived()
    assert told._replace(quotes=[each._replace(core=True) for each in undated]).lived()


def test_what_logs_of_several_days_name_was_lived() -> None:
    undated = [each._replace(line=each.line._replace(recorded=None)) for each in named("The Sloop leaks.").quotes]
    assert not Named(undated, {1, 2, "memory/boats.md"}).lived()
    assert Named(undated, {1, 2, 3}).lived()
    assert Named(undated, {"boats.md", "pier.md", "rope.md"}, noted=True).lived()
    assert not Named(undated, {"boats.md", "pier.md"}, noted=True).lived()


def test_a_row_of_a_core_file_is_kept_by_the_owner_unless_it_is_over() -> None:
    told = named("| Sloop | 3 berths |", "In harbour: the Sloop")
    row, mention = (each._replace(core=True, fault="count") for each in told.quotes)
    assert Named([], set(), others=[row]).kept_by_owner("Sloop")
    assert not Named([], set(), others=[row._replace(fault="over")]).kept_by_owner("Sloop")
    assert not Named([], set(), others=[row._replace(core=False), mention]).kept_by_owner("Ketch")


def test_of_rows_that_the_owner_keeps_the_newest_day_says_what_is_so() -> None:
    old, new = (each._replace(core=True, fault="count") for each in named("| Sloop | 3 |", "| Sloop | 4 |").quotes)
    old = old._replace(line=old.line._replace(recorded=date(2025, 11, 1)))
    assert Named([], set(), others=[old, new]).kept_by_owner("Sloop") == [new]
    sold, seen, before = named("Sloop sold, +12 %", "Sloop seen, +12 %", "Sloop sold, +9 %").quotes
    before = before._replace(line=before.line._replace(recorded=date(2025, 10, 31)))
    assert Named([], set(), others=[old, sold, seen, before]).kept_by_owner("Sloop") == [old, sold]
    assert Named([], set(), others=[sold]).kept_by_owner("Sloop") == []


def test_an_acronym_tells_less() -> None:
    assert named("NASA called.").telling("NASA") < named("Nasa called.").telling("Nasa")


def test_what_everybody_knows_tells_less_and_what_only_a_person_is_called_more() -> None:
    assert named("Gmail is slow.").telling("Gmail") < named("Kmail is slow.").telling("Kmail")
    assert named("藤村さんは来ない").telling("藤村さん") > named("藤村号は来ない").telling("藤村号")


def fault_as_named(text: str, topic: str) -> str:
    line = Line(text, (), Citation("memory/2025-11-03.md", 1), date(2025, 11, 3))
    weighed = WeighedLine((1,), 1, 1.0, ("sloop",), (), core=False, topic=topic, states=True)
    seen = as_named(Quote(line, 1.0, topic, topic), Mention(weighed, "sloop", ("", 0), False), "sloop")
    assert seen is not None
    return seen.fault


@pytest.mark.parametrize(
    "text",
    [
        "Rolf wrote to everybody in the harbour about the Sloop and its mast",
        "Rolf skrev til alle i havnen om the Sloop og masten",
        "Рольф написал всем в гавани про новый Sloop и мачту",
    ],
)
def test_what_a_line_names_late_only_fills_its_page_unless_it_decides_or_rules(text: str) -> None:
    for topic in (LOGGED, NOTES):
        assert fault_as_named(text, topic) == "late"
        assert fault_as_named("On Monday the Sloop was painted by everybody", topic) == ""
    assert fault_as_named(text, DECISIONS) == ""
