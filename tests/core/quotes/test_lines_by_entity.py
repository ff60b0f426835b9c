"""Which lines are about an entity, and how much they tell of it."""

from __future__ import annotations

from datetime import date

from commonplace.core.quotes.lines_by_entity import LinesByEntity, WeighedLine
from commonplace.core.quotes.quote_topics import CAUSES, DECISIONS, OTHER, PREFERENCES, WHO
from commonplace.core.text.normalize import fold

DAY = date(2025, 11, 3)
LINE = WeighedLine((2,), DAY.toordinal(), 3.0, ("sloop",), (), core=False, states=True)


def sorted_(*lines: WeighedLine, **named: int) -> LinesByEntity:
    return LinesByEntity(lines, named={row: (name,) for name, row in named.items()}, canonical=fold)


def test_a_line_is_about_what_it_names_and_what_stands_above_it() -> None:
    told = sorted_(LINE._replace(above=(1,)), ketch=1)
    assert [(each.name, each.above) for each in told.best("sloop")] == [("sloop", ("", 0))]
    assert [(each.name, each.above) for each in told.best("ketch")] == [("", ("ketch", 1))]
    assert told.best("yawl") == [] and told.keys(lines=1) == {"sloop", "ketch"} and told.keys(lines=2) == set()


def test_a_line_is_about_whom_its_file_introduces() -> None:
    (own,) = sorted_(LINE._replace(whose="Rolf", core=True)).best("rolf")
    assert own.of_file and own.name == ""


def test_the_best_lines_come_first() -> None:
    told = sorted_(LINE, LINE._replace(rows=(3,), score=4.0), LINE._replace(rows=(4,), score=-9.0))
    assert [each.line.rows for each in told.best("sloop")] == [(3,), (2,)]


def test_days_are_those_of_logs_and_a_series_of_reports_or_the_core_is_one() -> None:
    logs = [LINE._replace(day=day) for day in (7, 8)]
    reports = [each._replace(series="tides") for each in logs]
    told = sorted_(*logs, *reports, LINE._replace(day="MEMORY.md", core=True), LINE._replace(day=""))
    assert told.days("sloop") == {7, 8, "tides", "MEMORY.md", "core"} and told.days("ketch") == set()
    assert told.newest("sloop") == 8 and told.newest("ketch") == 0


def test_since_a_day_are_those_of_its_logs_or_later_ones() -> None:
    told = sorted_(LINE, LINE._replace(names=("ketch",), day=DAY.toordinal() - 1))
    assert told.since(DAY) == {"sloop"}


def test_what_somebody_does_is_not_general() -> None:
    does = [LINE._replace(names=("sloop",), doings=True)] * 9
    told = sorted_(*does, *[LINE._replace(names=("tide",))] * 9)
    assert told.general("sloop") == 0.0 < told.general("tide")


def test_three_lines_of_news_make_a_name_of_the_news_but_not_beside_doings() -> None:
    news = [LINE._replace(news=True)] * 3
    assert sorted_(*news).is_of_the_news("sloop") and not sorted_(*news[1:]).is_of_the_news("sloop")
    assert not sorted_(*news, *[LINE._replace(doings=True)] * 3).is_of_the_news("sloop")
    assert not sorted_(*news, *[LINE._replace(core=True)] * 2).is_of_the_news("sloop")


def test_only_a_good_line_of_a_log_or_of_the_core_is_listed() -> None:
    good = LINE._replace(topic=WHO)
    weak, undated, stateless = good._replace(score=-9.0), good._replace(day="a.md"), good._replace(states=False)
    assert [each.line for each in sorted_(good, weak, undated, stateless).listed] == [good]
    assert [each.names for each in sorted_(undated._replace(core=True, whose="rolf")).listed] == [{"sloop", "rolf"}]


def test_a_note_without_a_day_is_listed_for_its_rules_decisions_and_lessons() -> None:
    note = LINE._replace(day="memory/berths.md")
    told = [note._replace(topic=topic) for topic in (PREFERENCES, DECISIONS, CAUSES)]
    assert [each.line for each in sorted_(*told, note._replace(topic=OTHER)).listed] == told
    assert not sorted_(told[0]._replace(day="")).listed  # of a file that only defines
