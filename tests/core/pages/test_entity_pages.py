"""Pages of the bank: what is current, what is past, who is related, what is open."""

from __future__ import annotations

import re
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.model import Citation, Fact, Kind, Line, Span, Trailer
from commonplace.core.opinions.opinion_entry import Entry
from commonplace.core.pages.bank_pages import experience_page, topic_page, world_page
from commonplace.core.pages.current_facts import Known
from commonplace.core.pages.entity_pages import Subject, entity_page
from commonplace.core.pages.region_merge import renew
from commonplace.core.quotes.page_lines import PageLines, range_of
from commonplace.core.quotes.page_quotes import LOGGED, NOTES, Quote
from commonplace.core.quotes.quote_topics import DECISIONS, PREFERENCES, WHO

TODAY = date(2026, 2, 1)
PEER = "bank/entities/The-Castle.md"


def fact(number: int, content: str, kind: Kind = Kind.WORLD, *, valid: Span | None = None, names: str = "Mona") -> Fact:
    day = date(2025, 1, 1) + timedelta(days=number)
    tags = tuple(names.split())
    return Fact(f"f{number}", kind, content, tags, Citation(f"memory/{day}.md", 3), day, valid=valid)


def page(
    *facts: Fact, opinions: tuple[Entry, ...] = (), waiting: int = 0, superseded: dict[str, str] | None = None
) -> PageLines:
    given = Known(TODAY, superseded or {}, {"the castle": ("The Castle", PEER)})
    return entity_page(Subject("Mona", "bank/entities/Mona.md", facts, opinions, waiting), given)


def section(lines: PageLines, heading: str) -> list[str]:
    found = lines.lines[lines.lines.index(f"## {heading}") + 1 :]
    end = next((at for at, line in enumerate(found) if not line or line.startswith("## ")), len(found))
    return found[:end]


def test_a_page_begins_with_who_it_is_and_how_much_is_known() -> None:
    made = page(fact(0, "Mona is a cellist. She lives here."), fact(30, "Has a van."))
    assert made.lines[:3] == [
        "Mona is a cellist. She lives here. ([log](../../memory/2025-01-01.md)) ^f0",
        "",
        "2 facts from 2025-01-01 to 2025-01-31.",
    ]
    assert section(made, "Current") == ["- 2025-01-31: Has a van. ([log](../../memory/2025-01-31.md)) ^f30"]
    assert page().lines == []


def test_a_fact_of_somebody_else_is_told_of_them() -> None:
    """On Mona's page "Is the sister of @Mona." would be said of Mona."""
    alice = fact(0, "Is the sister of @Mona.", names="Alice")._replace(mentions=("Mona",))
    mended = fact(1, "Mended the roof with @Mona.", Kind.EXPERIENCE, names="Alice")._replace(mentions=("Mona",))
    named = fact(2, "Alice lent @Mona a ladder.", names="Alice")._replace(mentions=("Mona",))
    both = fact(3, "Met in Ribe.", names="Alice Mona")
    made = page(alice, mended, named, both)
    said = [line.partition(": ")[2].partition(" (")[0] for line in made.lines if line.startswith("- 2025")]
    assert {*said} == {
        "@Alice: Is the sister of @Mona.",
        "@Alice: Mended the roof with @Mona.",
        "Alice lent @Mona a ladder.",
        "Met in Ribe.",
    }
    known = Known(TODAY, pages={"mona": ("Mona", "bank/entities/Mona.md")})
    subject = Subject("Mona", "bank/entities/Mona.md", [mended])
    done = experience_page([mended], known, subjects=[subject]).lines
    assert len([line for line in done if "@Alice: Mended the roof" in line]) == 2


def test_what_was_said_again_stands_once_with_every_day() -> None:
    said = [fact(number, "Is vegetarian.") for number in (0, 10, 20)]
    made = page(*said, fact(15, "Is vegetarian.", names="Mona Rolf"), fact(5, "Has a van."), fact(30, "is vegetarian"))
    assert section(made, "Current") == [
        "- 2025-01-31: is vegetarian ([log](../../memory/2025-01-31.md), also [2025-01-21](../../memory/2025-01-21.md),"
        " [2025-01-11](../../memory/2025-01-11.md), since [2025-01-01](../../memory/2025-01-01.md)) ^f30",
        "- 2025-01-16: Is vegetarian. ([log](../../memory/2025-01-16.md)) ^f15",
        "- 2025-01-06: Has a van. ([log](../../memory/2025-01-06.md)) ^f5",
    ]
    assert "## History" not in made.lines
    assert "## Lately" not in made.lines


def test_what_is_said_again_of_another_time_or_by_another_stands_apart() -> None:
    stays = [fact(number, "Is in Oslo.", valid=Span(date(2026, 3, number), None)) for number in (1, 9)]
    web = fact(3, "Has a van.")._replace(trailer=Trailer(src="web:example.org"))
    ran = [fact(number, "Ran ten miles.", Kind.EXPERIENCE) for number in (370, 380)]
    made = page(*stays, fact(2, "Has a van."), web, *ran)
    assert len(section(made, "Now and ahead")) == 2
    assert [line.rpartition("^")[2] for line in section(made, "Current")] == ["f3", "f2"]
    assert [line.rpartition("^")[2] for line in section(made, "Lately")] == ["f380", "f370"]


def test_of_many_days_the_newest_the_first_and_the_number_are_told() -> None:
    (line,) = section(page(*(fact(number, "Is vegetarian.") for number in range(40))), "Current")
    assert line.count("](") == 7
    assert "33 more days, since [2025-01-01]" in line


def test_what_is_over_or_replaced_is_past() -> None:
    over = Span(date(2025, 11, 27), date(2025, 12, 1))
    ahead = Span(date(2026, 1, 27), date(2026, 2, 3))
    made = page(
        fact(0, "Has a red van."),
        fact(1, "Has a blue van."),
        fact(2, "Is in Oslo.", valid=over),
        fact(3, "Is in Rome.", valid=ahead),
        fact(200, "Sold everything.", Kind.EXPERIENCE),
        superseded={"f0": "f1"},
    )
    assert section(made, "Now and ahead") == [
        "- 2026-01-27 to 02-03: Is in Rome. ([log](../../memory/2025-01-04.md)) ^f3"
    ]
    assert section(made, "Current") == [
        "- 2025-01-02: Has a blue van. ([log](../../memory/2025-01-02.md)) ^f1",
    ]
    assert section(made, "Lately") == [
        "- 2025-11-27 to 12-01: Is in Oslo. ([log](../../memory/2025-01-03.md)) ^f2",
        "- 2025-07-20: Sold everything. ([log](../../memory/2025-07-20.md)) ^f200",
    ]
    assert section(made, "History") == [
        "- 2025-01-01: Has a red van. ([log](../../memory/2025-01-01.md), replaced by ^f1) ^f0",
    ]


def test_what_was_replaced_is_history_however_new() -> None:
    made = page(
        fact(200, "Has a red van."),
        fact(201, "I sold a red van.", Kind.EXPERIENCE),
        fact(202, "Vans suit her.", Kind.OBSERVATION),
        fact(203, "Has a blue van."),
        fact(204, "I sold a blue van.", Kind.EXPERIENCE),
        superseded={"f200": "f203", "f201": "f204", "f202": "f204"},
    )
    assert [line[-5:] for line in section(made, "Current")] == ["^f203"]
    assert [line[-5:] for line in section(made, "Lately")] == ["^f204"]
    assert [line[-5:] for line in section(made, "History")] == ["^f202", "^f201", "^f200"]


def test_what_happened_stands_by_its_own_day_and_year() -> None:
    def on(day: date) -> Span:
        return Span(day, day)

    made = page(
        fact(0, "The fair was to be in January.", valid=on(date(2026, 1, 9)), names="Mona"),
        fact(100, "I booked the hall.", Kind.EXPERIENCE),
        fact(101, "I was at the fair of 2019.", Kind.EXPERIENCE, valid=on(date(2019, 5, 4))),
        fact(102, "I sang.", Kind.EXPERIENCE, valid=on(date(2025, 4, 9))),
        fact(103, "I called.", Kind.EXPERIENCE),
        superseded={"f0": "f100"},
    )
    assert [line[2:12] for line in section(made, "Lately")] == ["2025-04-14", "2025-04-11", "2025-04-09"]
    assert [line[:12] for line in section(made, "History")] == ["### 2026", "- 2026-01-09", "### 2019", "- 2019-05-04"]


def test_whole_months_and_years_are_named_so() -> None:
    spans = [
        Span(date(2026, 3, 1), date(2026, 3, 31)),
        Span(date(2026, 2, 1), date(2026, 3, 31)),
        Span(date(2028, 2, 1), date(2028, 2, 29)),
        Span(date(2026, 1, 1), date(2026, 12, 31)),
        Span(date(2026, 1, 1), date(2027, 12, 31)),
    ]
    assert [range_of(span) for span in spans] == [
        "2026-03",
        "2026-02-01 to 03-31",
        "2028-02",
        "2026",
        "2026-01-01 to 2027-12-31",
    ]


def test_the_world_tells_of_each_entity_who_it_is_or_where_it_lives() -> None:
    facts = {
        "Mona": [fact(0, "Mona is the baker.", names="Mona"), fact(1, "Lives in Ribe.", names="Mona")],
        "Rolf": [fact(2, "Works at the mill.", names="Rolf"), fact(3, "Lives in Molde.", names="Rolf")],
        "Ada": [fact(4, "Ada lives with Rolf.", names="Rolf Ada"), fact(5, "Has a dog.", names="Ada")],
    }
    claims = {
        f"f{at}": frozenset([slot]) for at, slot in ((1, "residence"), (2, "job"), (3, "residence"), (4, "residence"))
    }
    pages = {name.casefold(): (name, f"bank/entities/{name}.md") for name in facts}
    subjects = [Subject(name, pages[name.casefold()][1], told) for name, told in facts.items()]
    made = world_page((), Known(TODAY, pages=pages, claims=claims), subjects=subjects)
    assert section(made, "Entities") == [
        "- [Ada](entities/Ada.md): 2025-01-06: Has a dog. ([log](../memory/2025-01-06.md))",
        "- [Mona](entities/Mona.md): Mona is the baker. ([log](../memory/2025-01-01.md))",
        "- [Rolf](entities/Rolf.md): Lives in Molde. ([log](../memory/2025-01-04.md))",
    ]


def test_the_world_tells_of_each_entity_what_its_page_says_of_it_or_the_best_that_is_not_outdated() -> None:
    def quote(content: str, score: float, *, topic: str = LOGGED, path: str = "memory/2025-01-04.md") -> Quote:
        day = date(2025, 1, 4) if path.startswith("memory/") else None
        return Quote(Line(content, (), Citation(path, 2), day), score, topic, LOGGED, core=day is None)

    old = quote("Sloop lies in Ribe", 3.0)
    told = {
        "Sloop": [
            old._replace(newer=old.line),
            quote("Sloop was wet", 3.0),  # in a log: what was done with it, not what it is
            quote("`sloop.toml` must name the Sloop", 3.5, path="MEMORY.md"),  # a setting of a part of it
            quote("Sloop (two masts): our boat in Molde", 1.5, path="MEMORY.md"),
        ],
        "Rolf": [
            quote("**Name:** Rolf Berg", 4.0, topic=WHO, path="USER.md"),
            quote("**Time zone:** Oslo", 3.0, topic=WHO, path="USER.md"),
            quote("**Current role:** harbour master", 1.0, topic=WHO, path="USER.md"),
            quote(f"Rolf is {'a quick thinker, who ' * 8}says so", 4.0, topic=WHO, path="USER.md"),  # cut
        ],
        "Yawl": [old._replace(newer=old.line), quote("Yawl was wet", 1.0)],
        "Ketch": [
            quote("Ketch (berth 9), Dory (berth 10), Skiff (berth 11)", 3.0, path="MEMORY.md"),
            quote("Repaired with the Ketch in mind", 3.0, path="MEMORY.md"),
            quote("Ketch: ✅", 3.0, topic=WHO, path="MEMORY.md")._replace(fault="tick"),
        ],
    }
    pages = {name.casefold(): (name, f"bank/entities/{name}.md") for name in told}
    subjects = [Subject(name, pages[name.casefold()][1], (), quotes=quotes) for name, quotes in told.items()]
    assert section(world_page((), Known(TODAY, pages=pages), subjects=subjects), "Entities") == [
        "Pages without a line here: [Ketch](entities/Ketch.md), [Yawl](entities/Yawl.md).",
        "- [Rolf](entities/Rolf.md): **Current role:** harbour master ([USER.md](../USER.md))",
        "- [Sloop](entities/Sloop.md): Sloop (two masts): our boat in Molde ([MEMORY.md](../MEMORY.md))",
    ]
    shown = entity_page(subjects[1], Known(TODAY))
    assert section(shown, "Who or what")[1] == "- **Current role:** harbour master ([USER.md](../../USER.md))"


def test_a_page_shows_of_a_list_its_own_item() -> None:
    line = Line("Boats: Sloop (sold), Mona (berth 9), Dory (leaks)", (), Citation("MEMORY.md", 3), None)
    subject = Subject("Mona", "bank/entities/Mona.md", (), quotes=[Quote(line, 1.0, NOTES, NOTES, core=True)])
    shown = section(entity_page(subject, Known(TODAY)), "Notes")
    assert shown == ["- Boats: Mona (berth 9) ([MEMORY.md](../../MEMORY.md))"]


def test_what_stands_on_another_page_is_not_repeated() -> None:
    lines = [Line(f"Rule {at}", (), Citation("USER.md", at), None) for at in (1, 2)]
    told = [Quote(line, 1.0, PREFERENCES, LOGGED) for line in lines]
    subject = Subject("Mona", "bank/entities/Mona.md", (), quotes=told)
    left = {lines[0].source: "bank/preferences.md"}
    assert section(entity_page(subject._replace(elsewhere=left), Known(TODAY)), "Preferences") == [
        "More stand in [Preferences and rules](../preferences.md).",
        "- Rule 2 ([USER.md](../../USER.md))",
    ]
    page = topic_page(told, "bank/preferences.md", known=Known(TODAY), others=[(subject, 3)])
    assert page.lines[-2:] == ["## By entity", "More stand on the pages of Mona (3)."]


def test_what_only_an_earlier_day_tells_stands_apart() -> None:
    days = [date(2025, 1, day) for day in (2, 9, 9, 5)]
    told = [
        Quote(Line(text, (), Citation(f"memory/{day}.md", at), day), 1.0, topic, LOGGED)
        for at, (text, day, topic) in enumerate(
            zip(
                ("Mona leaks", "Mona is dry", "Mona stays", "Mona sails"),
                days,
                (LOGGED, LOGGED, DECISIONS, LOGGED),
                strict=True,
            )
        )
    ]
    ahead = told[0]._replace(line=told[0].line._replace(content="Mona is shown in Ribe"), until=days[1].toordinal() + 9)
    undated = told[0]._replace(line=Line("Mona: black", (), Citation("USER.md", 9), None))
    made = entity_page(Subject("Mona", "bank/entities/Mona.md", (), quotes=[*told, ahead, undated]), Known(TODAY))
    shown = {
        name: [row.partition(": ")[2].partition(" (")[0] for row in section(made, name)]
        for name in ("From the logs", "Earlier in the logs")
    }
    assert shown == {
        "From the logs": ["Mona is dry", "Mona is shown in Ribe", "black"],
        "Earlier in the logs": ["Mona leaks", "Mona sails"],
    }
    older = Subject("Mona", "bank/entities/Mona.md", (), quotes=told[:1])
    assert "## Earlier in the logs" not in entity_page(older, Known(TODAY)).lines


def test_many_rules_stand_below_the_headings_that_they_share() -> None:
    lines = [Line(f"Rule {at}", (), Citation("USER.md", at), None) for at in range(8)]
    told = [
        Quote(line, 1.0, PREFERENCES, LOGGED, below="On board" if at in (1, 6) else f"List {at}" if at == 3 else "")
        for at, line in enumerate(lines)
    ]
    rows = section(topic_page(told, "bank/preferences.md", known=Known(TODAY)), "From the logs")
    assert [row.partition(" (")[0] for row in rows] == [
        *("- Rule 0", "- Rule 2", "- List 3: Rule 3", "- Rule 4", "- Rule 5", "- Rule 7"),
        *("### On board", "- Rule 1", "- Rule 6"),
    ]
    few = section(topic_page(told[:7], "bank/preferences.md", known=Known(TODAY)), "From the logs")
    assert few[1] == "- On board: Rule 1 ([USER.md](../USER.md))"


def test_spans_are_written_as_people_read_them() -> None:
    day = date(2026, 3, 1)
    spans = [Span(None, day), Span(day, None), Span(day, day), Span(date(2025, 12, 30), day)]
    made = page(*(fact(at, "x.", valid=span) for at, span in enumerate(spans)))
    assert [line.split(": ")[0] for line in section(made, "Now and ahead")] == [
        "- 2025-12-30 to 2026-03-01",
        "- until 2026-03-01",
        "- since 2026-03-01",
        "- 2026-03-01",
    ]


def test_opinions_stand_by_confidence_and_disputes_are_open_once() -> None:
    one = Entry("o-1111", "Prefers tea.", ("Mona",), 0.6, (), disputed_by="o-2222")
    other = Entry("o-2222", "Dislikes tea.", ("Mona",), 0.9, (), disputed_by="o-1111")
    plain = Entry("o-3333", "The van is a good van.", (), 0.8, ())
    made = page(fact(0, "x."), opinions=(one, other, plain), waiting=2)
    assert section(made, "Preferences") == [
        "- 0.90, disputed: Dislikes tea. ([evidence](../opinions.md#mona))",
        "- 0.60, disputed: Prefers tea. ([evidence](../opinions.md#mona))",
    ]
    assert section(made, "Opinions") == ["- 0.80: The van is a good van. ([evidence](../opinions.md#mona))"]
    assert section(made, "Open questions") == [
        "- Which holds: “Dislikes tea.” (0.90) or “Prefers tea.” (0.60)? ([evidence](../opinions.md))",
        "- 2 facts to judge ([review](../review.md))",
    ]
    assert made.lines[0].endswith("2 open questions.")


def test_related_entities_come_with_the_reason() -> None:
    made = page(
        fact(0, "Fixed the roof.", names="Mona The-Castle"), fact(1, "Met Rolf.", names="Mona Rolf"), fact(2, "y.")
    )
    assert section(made, "Related") == [
        "- Rolf: 1 fact together, last 2025-01-02: Met Rolf. ([log](../../memory/2025-01-02.md))",
        "- [The Castle](The-Castle.md): 1 fact together, last 2025-01-01: Fixed the roof. "
        "([log](../../memory/2025-01-01.md))",
    ]


def test_long_words_are_cut_where_they_may_be() -> None:
    made = page(fact(0, "word " * 40, names="Mona Rolf"), fact(1, "长" * 200, names="Mona 林娜"))
    assert sorted(section(made, "Related")) == [
        "- Rolf: 1 fact together, last 2025-01-01: "
        + " ".join(["word"] * 13)
        + "… ([log](../../memory/2025-01-01.md))",
        "- 林娜: 1 fact together, last 2025-01-02: " + "长" * 69 + "… ([log](../../memory/2025-01-02.md))",
    ]


def test_a_long_history_is_condensed_and_what_is_current_stays() -> None:
    past = [fact(at, f"Did thing {at}.", Kind.EXPERIENCE) for at in range(900)]
    made = page(fact(0, "Owns a harp.")._replace(id="harp"), *past)
    assert len(made.lines) < 90
    assert any(line.endswith("^harp") for line in section(made, "Current"))
    assert section(made, "Lately")[0].startswith("- 2027-06-19: Did thing 899.")
    assert made.lines[-1].startswith(
        "- 2025: 365 more facts (365 experience), [2025-01-01](../../memory/2025-01-01.md) to [2025-12-31]"
    )
    assert "### 2027" in made.lines
    assert len(set(made.keys) - {""}) == len([key for key in made.keys if key])


def test_world_and_experience_leave_to_entity_pages_what_is_theirs() -> None:
    known = Known(TODAY, pages={"the castle": ("The Castle", PEER)})
    castle = [
        fact(0, "The Castle is a farmhouse.", names="The-Castle"),
        fact(1, "I fixed the roof.", Kind.EXPERIENCE, names="The-Castle"),
    ]
    loose = [
        fact(2, "The shop closes at six.", names="Shop"),
        fact(3, "I bought bread.", Kind.EXPERIENCE, names="Shop"),
    ]
    subjects = [Subject("The Castle", PEER, castle)]
    world = world_page([*castle, *loose], known, subjects=subjects)
    assert section(world, "Facts") == ["- 2025-01-03: The shop closes at six. ([log](../memory/2025-01-03.md)) ^f2"]
    assert section(world, "Entities") == [
        "- [The Castle](entities/The-Castle.md): The Castle is a farmhouse. ([log](../memory/2025-01-01.md))"
    ]
    done = experience_page([*castle, *loose], known, subjects=subjects)
    assert section(done, "Done") == ["- 2025-01-04: @Shop: I bought bread. ([log](../memory/2025-01-04.md)) ^f3"]
    assert section(done, "By entity") == [
        "- [The Castle](entities/The-Castle.md): 1 thing done, "
        "last 2025-01-02: I fixed the roof. ([log](../memory/2025-01-02.md))"
    ]


def test_world_and_experience_stay_short() -> None:
    known = Known(TODAY)
    many = [fact(at, f"Thing {at} is so.", Kind.EXPERIENCE if at % 2 else Kind.WORLD) for at in range(2000)]
    subjects = [Subject(f"N{at}", f"bank/entities/N{at}.md", many[:2]) for at in range(300)]
    assert len(world_page(many, known, subjects=subjects).lines) <= 150
    assert len(experience_page(many, known, subjects=subjects).lines) <= 150
    assert "- 920 older facts stand in the logs" in world_page(many, known, subjects=subjects).lines


def test_ten_years_and_5000_facts_are_a_page_that_can_be_read() -> None:
    """Everything that lasts stands there, however old; what is past is a line a year."""
    people = ["Rolf", "Ada", "The-Castle"]
    kinds = [Kind.EXPERIENCE, Kind.WORLD, Kind.OBSERVATION]
    many = [
        fact(at, f"Thing {at} came about.", kinds[at % 3], names=f"Mona {people[at % 7 % 3]}")._replace(
            recorded=date(2016, 1, 1) + timedelta(days=at * 3650 // 5000)
        )
        for at in range(5000)
    ]
    home = fact(0, "Moved to Ribe on March 3, 2016.", valid=Span(date(2016, 3, 3), date(2016, 3, 3)))._replace(
        id="home"
    )
    work = fact(1, "Works as a baker.")._replace(id="work")
    trip = fact(2, "Sails to Anholt.", valid=Span(date(2026, 5, 1), date(2026, 5, 4)))._replace(id="trip")
    likes = [Entry(f"o-{at}", f"Prefers tea {at}.", ("Mona",), 0.9, ()) for at in range(20)]
    claims = {"home": frozenset(["residence"]), "work": frozenset(["job"])}
    known = Known(TODAY, {}, {"the castle": ("The Castle", PEER)}, claims=claims)
    made = entity_page(Subject("Mona", "bank/entities/Mona.md", [home, work, trip, *many], likes), known)
    assert len(made.lines) <= 200
    assert [line.rpartition("^")[2] for line in section(made, "Current")[:2]] == ["home", "work"]
    assert section(made, "Now and ahead")[0].startswith("- 2026-05-01 to 05-04: Sails to Anholt.")
    assert len(section(made, "Preferences")) == 20
    years = [line for line in made.lines if " more facts (" in line]
    assert [line[2:6] for line in years] == [str(year) for year in range(2025, 2015, -1)]
    assert years[3].startswith("- 2022: 500 more facts (167 experience, 166 observation, 167 world), [2022-01-0")
    assert re.search(r", most with Rolf \(21\d\)$", years[3])
    told = sum(int(line.split()[2]) for line in years) + sum("^f" in line for line in made.lines)
    assert told == 5000


def test_no_statement_stands_twice_and_each_has_its_place() -> None:
    facts = [
        fact(0, "Mona is a cellist."),
        fact(1, "Has a van."),
        fact(2, "Sold it.", Kind.EXPERIENCE),
        fact(3, "Is in Oslo.", valid=Span(date(2026, 3, 1), date(2026, 3, 2))),
    ]
    made = page(*facts)
    ids = [line.rpartition("^")[2] for line in made.lines if " ^" in line]
    assert sorted(ids) == ["f0", "f1", "f2", "f3"]
    assert all("](../../memory/" in line for line in made.lines if " ^" in line)


def test_where_somebody_is_of_whom_only_a_past_stay_is_known_is_unknown() -> None:
    away = fact(0, "Currently in Oslo.", valid=Span(date(2025, 11, 27), date(2025, 12, 1)))
    claims = {"f0": frozenset(["stay"]), "f1": frozenset(["residence"])}

    def first(*facts: Fact) -> str:
        return entity_page(Subject("Mona", "bank/entities/Mona.md", facts), Known(TODAY, claims=claims)).lines[0]

    assert first(away) == "Whereabouts unknown since 2025-12-01. 1 fact of 2025-01-01."
    assert first(away, fact(1, "Lives in Ribe.")) == "2 facts from 2025-01-01 to 2025-01-02."


def test_lines_that_it_says_and_quotes_about_it() -> None:
    place = Citation("memory/2025-01-04.md", 2)
    said = Line("Mona: I prefer rye", (), place, date(2025, 1, 4), speaker="Mona")
    told = [
        Quote(said._replace(content=content, speaker=""), 1.0, topic, "lately")
        for content, topic in (("Met [[Mona]] at noon", LOGGED), ("Mona decided to sell the van", DECISIONS))
    ]
    made = entity_page(Subject("Mona", "bank/entities/Mona.md", (), (), 0, [said], told), Known(TODAY))
    assert made.lines[0] == "## In its own words"  # no line counts the lines below it
    assert section(made, "In its own words") == ["- 2025-01-04: “I prefer rye” ([log](../../memory/2025-01-04.md))"]
    assert section(made, "From the logs") == ["- 2025-01-04: Met [[Mona]] at noon ([log](../../memory/2025-01-04.md))"]
    sold = "- 2025-01-04: Mona decided to sell the van ([log](../../memory/2025-01-04.md))"
    assert section(made, "Decisions") == [sold]


@given(st.lists(st.text(min_size=1, max_size=60), max_size=8), st.booleans())
def test_any_text_stays_on_its_line_and_inside_the_region(texts: list[str], undated: bool) -> None:
    facts = [fact(at, text) for at, text in enumerate(texts)]
    if undated:
        facts = [one._replace(recorded=None) for one in facts]
    made = page(*facts)
    assert len(made.lines) == len(made.keys)
    assert not any("\n" in line or "\r" in line or "-->" in line or "<!--" in line for line in made.lines)
    text = renew("# Mona\n", "entity", made.lines, made.keys).text
    again = renew(text, "entity", made.lines, made.keys)
    assert not again.problem
    assert again.text == text


def test_an_outsider_who_repeats_himself_leads_nowhere_and_asks_once() -> None:
    own = fact(0, "Lives in Ribe.")._replace(id="own")
    said = [
        fact(at, "Lives in Moscow.")._replace(id=f"web{at}", trailer=Trailer(src="web:example.org"))
        for at in range(1, 9)
    ]
    known = Known(
        TODAY,
        disputed={"own": "web8", **{each.id: "own" for each in said}},
        claims={each.id: frozenset({"residence"}) for each in (own, *said)},
    )
    subject = Subject("Mona", "bank/entities/Mona.md", [own, *said])
    made = entity_page(subject, known)
    assert [line.partition(" (")[0] for line in section(made, "Current")] == [
        "- 2025-01-01: Lives in Ribe.",
        "- 2025-01-09: Lives in Moscow.",
    ]
    (asked,) = section(made, "Open questions")
    assert "^own" in asked and "^web8" in asked
    assert next(
        line for line in world_page([own, *said], known, subjects=[subject]).lines if "- Mona" in line
    ).startswith("- Mona: Lives in Ribe.")


def test_a_birthday_and_a_job_beside_another_end_stay_current() -> None:
    ended = Span(date(2025, 3, 3), date(2025, 3, 3))
    made = page(
        fact(0, "Works at Acme. The lease of the flat ends on March 3.", valid=ended),
        fact(1, "Has her birthday on April 3.", valid=Span(date(2025, 4, 3), date(2025, 4, 3))),
        fact(2, "The lease of the flat ends on March 3.", valid=ended),
        fact(400, "Ran ten miles.", Kind.EXPERIENCE),
    )
    birthday, job = section(made, "Current")
    assert birthday.endswith("^f1")
    assert job.startswith("- 2025-01-01: Works at Acme.")


def test_the_world_says_a_line_beside_the_one_that_it_names_first_and_not_within_a_word() -> None:
    line = Line("The party was planned by Kite and Art", (), Citation("USER.md", 2), None)
    told = {name: [Quote(line, 3.0, LOGGED, LOGGED, core=True)] for name in ("Art", "Kite")}
    pages = {name.casefold(): (name, f"bank/entities/{name}.md") for name in told}
    subjects = [Subject(name, pages[name.casefold()][1], (), quotes=quotes) for name, quotes in told.items()]
    assert section(world_page((), Known(TODAY, pages=pages), subjects=subjects), "Entities") == [
        "Pages without a line here: [Art](entities/Art.md).",
        "- [Kite](entities/Kite.md): The party was planned by Kite and Art ([USER.md](../USER.md))",
    ]
