"""Facts proposed from narrative: what is said plainly, and nothing else."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.extract.infer import Proposal, fact_terms, infer, known_already
from commonplace.core.model import Citation, Fact, Kind, Line

DAY = date(2026, 1, 3)
KNOWN = ("Mona", "Rolf", "orbit-ui", "林娜", "花子", "मीरा", "Søren")


def names(text: str) -> tuple[str, ...]:
    return tuple(name for name in KNOWN if name.casefold().replace("ø", "o") in text.casefold().replace("ø", "o"))


def proposed(text: str, speaker: str = "", context: tuple[str, ...] = ()) -> Proposal | None:
    line = Line(text, (), Citation("memory/2026-01-03.md", 7), DAY)
    return next(infer([line._replace(speaker=speaker, context=context)], names), None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mona prefers trains over short flights.", "O @Mona: Mona prefers trains over short flights."),
        ("09:15 Mona moved to Bergen", "W @Mona: Mona moved to Bergen"),
        ("✅ I fixed the login of orbit-ui.", "B @orbit-ui: I fixed the login of orbit-ui."),
        ("We decided to keep SQLite for orbit-ui.", "W @orbit-ui: We decided to keep SQLite for orbit-ui."),
        ("**Decision:** orbit-ui stays on one server.", "W @orbit-ui: orbit-ui stays on one server."),
        ("Søren foretrækker møder efter frokost.", "O @Søren: Søren foretrækker møder efter frokost."),
        ("Søren er flyttet til Aarhus.", "W @Søren: Søren er flyttet til Aarhus."),
        ("It does not scale. We decided to drop it.", "W: It does not scale. We decided to drop it."),
        ("Mona writes. She has moved to Bergen.", "W @Mona: Mona writes. She has moved to Bergen."),
        ("Rain " * 70 + "on the roof. " + "We decided to keep orbit-ui.", "W @orbit-ui: We decided to keep orbit-ui."),
        ("We decided to keep it, see https://example.org", "W: We decided to keep it, see https://example.org"),
        ("Is it full? We decided to drop it.", "W: We decided to drop it."),
        ("Root cause: the relay of orbit-ui was worn.", "W @orbit-ui: the relay of orbit-ui was worn."),
        (
            "[x] orbit-ui renewed until 2028, because of the audit",
            "W @orbit-ui: orbit-ui renewed until 2028, because of the audit",
        ),
        ("CP3 **decision**: orbit-ui ends in June", "W @orbit-ui: orbit-ui ends in June"),
        ("We decided not to use Redis.", "W: We decided not to use Redis."),
        ("Vi besluttede at beholde SQLite.", "W: Vi besluttede at beholde SQLite."),
        ("林娜更喜欢在早上开会。", "O @林娜: 林娜更喜欢在早上开会。"),
        ("林娜上周搬到了杭州，现在搬到新家。", "W @林娜: 林娜上周搬到了杭州，现在搬到新家。"),
        ("我修复了登录页面的错误。", "B: 我修复了登录页面的错误。"),
        ("花子は電車が好きだ。", "O @花子: 花子は電車が好きだ。"),
        ("花子は大阪に引っ越した。", "W @花子: 花子は大阪に引っ越した。"),
        ("मीरा को चाय पसंद है।", "O @मीरा: मीरा को चाय पसंद है।"),
        ("मीरा पुणे में रहती है।", "W @मीरा: मीरा पुणे में रहती है।"),
        ("हमने तय किया कि SQLite रहेगा।", "W: हमने तय किया कि SQLite रहेगा।"),
    ],
)
def test_what_is_said_plainly_is_proposed(text: str, expected: str) -> None:
    found = proposed(text)
    assert found is not None
    assert found.text == expected
    assert (found.source, found.recorded) == (Citation("memory/2026-01-03.md", 7), DAY)
    assert found.id.startswith("i-")


@pytest.mark.parametrize(
    "text",
    [
        "Does Mona prefer trains?",
        "We have not decided to use Redis yet.",
        "We haven't yet agreed on a name for orbit-ui.",
        "No decision on orbit-ui so far, we talked for an hour.",
        "我们还没决定使用哪个数据库。",
        "Redisの採用に決定していないままです。",
        "「花子は何が好きか？」と書いてある。",
        "Mona might have moved to Bergen.",
        "Mona will be happy once she moved to Bergen.",
        "Rolf said that Mona moved to Bergen.",
        "Apparently Mona prefers trains.",
        "I think Mona likes tea.",
        "She prefers trains.",
        "Somebody moved to Bergen.",
        "Idea: I fixed everything in a dream.",
        "Good morning! Nice coffee today.",
        "Mona met Rolf at the station.",
        "| No. | Decision | Reason |",
        "see https://example.org/mona-prefers-trains, Mona prefers trains",
        "I fixed",
        "We decided on this:",
        "> Mona moved to Bergen.",
        "~~Mona moved to Bergen.~~",
        "[ ] Mona moved to Bergen.",
        "“Mona moved to Bergen.”",
        "Idea: Mona moved to Bergen.",
        "`decided` to `drop_it` because `of --the-limit 300`",
        "HEARTBEAT_OK decided to renew until 2028",
        "周明说林娜搬到了杭州。",
        "Mona prefers " + "very " * 100 + "long lines.",
        "林娜喜欢喝茶吗",
        "听说林娜搬到了杭州。",
        "花子は来月大阪に引っ越したいらしい。",
        "सुना है मीरा को चाय पसंद है।",
        "Måske er Søren flyttet til Aarhus.",
        "",
        "* * *",
    ],
)
def test_questions_plans_hearsay_and_the_unclear_are_not(text: str) -> None:
    assert proposed(text) is None


def test_headings_above_can_say_that_it_is_not_so_yet() -> None:
    assert proposed("We decided to keep SQLite.", context=("2026-01-03", "Next steps")) is None
    assert proposed("我修复了登录页面的错误。", context=("计划",)) is None


def test_a_line_that_leans_on_another_is_not_proposed_as_it_is() -> None:
    found = proposed("So that is the cause. We moved the backup of orbit-ui to 02:30.")
    assert found is not None
    assert found.content == "We moved the backup of orbit-ui to 02:30."
    assert proposed("Until then the 5G box with the orange tape, 300 GB a month.") is None
    assert proposed("We moved the backup of orbit-ui to 02:30 ❌") is None


def test_a_speaker_speaks_of_themselves_and_never_as_the_author() -> None:
    found = proposed("Mona: I prefer trains over flights.", speaker="Mona")
    assert found is not None
    assert found.text == "O @Mona: “I prefer trains over flights.”"
    found = proposed("Jens: I fixed the login page of orbit-ui.", speaker="Jens")
    assert found is not None
    assert found.text == "W @Jens @orbit-ui: “I fixed the login page of orbit-ui.”"
    found = proposed("Jens: The key of orbit-ui was changed to the blue one.", speaker="Jens")
    assert found is not None
    assert found.text == "W @orbit-ui: Jens: The key of orbit-ui was changed to the blue one."
    found = proposed("Project: The key of orbit-ui was changed to the blue one.", speaker="Project")
    assert found is not None
    assert found.text == "W @orbit-ui: Project: The key of orbit-ui was changed to the blue one."
    found = proposed("Jens: moves to Graz on 1 May; the keys of orbit-ui stay here.", speaker="Jens")
    assert found is not None
    assert found.text == "W @Jens @orbit-ui: moves to Graz on 1 May; the keys of orbit-ui stay here."
    found = proposed("Retention: orbit-ui keeps 7 daily until May.", speaker="Retention")
    assert found is not None
    assert found.entities == ("orbit-ui",)


def told_in(*lines: tuple[str, tuple[str, ...]]) -> list[str]:
    """What is proposed of the lines of one log, each with its context."""
    place = Citation("memory/2026-01-03.md", 1)
    log = [Line(text, (), place, DAY, context=above) for text, above in lines]
    return [found.text for found in infer(log, names)]


def test_what_stands_below_another_bullet_is_told_with_it() -> None:
    lines = [
        ("09:10 The pump of orbit-ui stopped", ("2026-01-03",)),
        ("the relay was worn, it was down to the damp", ("2026-01-03", "09:10 The pump of orbit-ui stopped")),
    ]
    assert told_in(*lines) == ["W @orbit-ui: The pump of orbit-ui stopped: the relay was worn, it was down to the damp"]
    under_a_heading = [("it was down to the damp, since March", ("2026-01-03", "09:10 The pump of orbit-ui stopped"))]
    assert told_in(*under_a_heading) == []


def test_details_are_told_with_the_event_beside_them() -> None:
    above = ("2026-01-03", "Timestamp: 09:10")
    lines = [
        ("Timestamp: 09:10", ("2026-01-03",)),
        ("Event: the pump stopped", above),
        ("Details:", above),
        ("the relay was worn, it was down to the damp", (*above, "Details:")),
        ("Timestamp: 10:10", ("2026-01-03",)),
        ("Details:", ("2026-01-03", "Timestamp: 10:10")),
        ("it was down to the damp, since March", ("2026-01-03", "Timestamp: 10:10", "Details:")),
    ]
    assert told_in(*lines) == ["W: the pump stopped: the relay was worn, it was down to the damp"]


@pytest.mark.parametrize(
    ("heading", "topic"),
    [
        ("(9:18-10:00 PM) Deploy", "Deploy: "),
        ("Deploy (9:18–10:00 PM)", "Deploy: "),
        ("⏰ 8:04 AM", ""),
        ("08:17 MST", ""),
        ("（21:05）デプロイ", "デプロイ: "),
        ("🚀 Deploy (v2)", "🚀 Deploy (v2): "),
    ],
)
def test_a_row_is_told_without_the_hour_of_its_heading(heading: str, topic: str) -> None:
    row = "| 2026-01-05 | keep SQLite, because of the audit | it was decided |"
    found = proposed(row, context=(heading, "| Date | Decision | Reason |"))
    assert found is not None
    assert found.content.partition("Date:")[0] == topic


def test_a_row_is_told_with_its_heading_and_the_names_of_its_columns() -> None:
    head = "| host | role |"
    rows = [
        (head, ("2026-01-03", "Machines")),
        ("| orbit-ui | mail, since March |", ("2026-01-03", "Machines", head)),
        ("| larch | ? |", ("2026-01-03", "Machines", head)),
        ("| fern | ✅ since 12 March |", ("2026-01-03", "Machines", head)),
    ]
    assert told_in(*rows) == ["W @orbit-ui: host: orbit-ui; role: mail, since March"]
    head = "| status | limit |"
    assert told_in(("| orbit-ui | 300 since March |", ("Machines", head))) == []
    head = "| rate | limit |"
    assert told_in(("| 1,200 a month | 300 since March |", ("Machines", head))) == [
        "W: Machines: rate: 1,200 a month; limit: 300 since March"
    ]


def test_what_was_retained_is_known_already() -> None:
    found = proposed("Mona moved to Bergen.")
    assert found is not None
    said = Fact("a", Kind.WORLD, "Moved to Bergen last week.", ("Mona",), Citation("memory/2026-01-03.md", 9), DAY)
    assert known_already(found, [fact_terms(said)])
    assert not known_already(found, [fact_terms(said._replace(entities=("Rolf",)))])
    assert not known_already(found, [fact_terms(said._replace(content="Bought a harp."))])


@given(st.text(max_size=200), st.text(max_size=10))
def test_any_line_is_read(text: str, speaker: str) -> None:
    found = proposed(text, speaker)
    assert found is None or found.content


@pytest.mark.parametrize(
    ("text", "choice", "other"),
    [
        ("Anna prefers tea over coffee.", "Option C", "Options trading"),
        ("Anna foretrækker te frem for kaffe.", "Mulighed 2", "Muligheden"),
        ("林娜更喜欢在早上开会。", "方案二", "方案经理"),
        ("林娜更喜歡在早上開會。", "選項二", "選項卡"),
        ("花子は電車が好きだ。", "案1", "案内"),
        ("मीरा को चाय पसंद है।", "विकल्प 2", "विकल्पों की बात"),
        ("Анна предпочитает чай.", "Вариант Б", "Вариант удачный"),
    ],
)
def test_what_is_said_of_one_of_several_choices_is_no_statement(text: str, choice: str, other: str) -> None:
    assert proposed(text, context=("2026-01-03", f"{choice}: SQLite")) is None
    assert proposed(f"**{choice}:** {text}") is None
    assert proposed(f"{choice}: {text}") is None
    assert proposed(text, context=("2026-01-03", other))


@pytest.mark.parametrize(
    ("choice", "taken", "said"),
    [
        ("Option A", "selected", "We decided to move to Rome in June."),
        ("Mulighed 2", "valgt", "Vi besluttede at flytte til Ribe."),
        ("方案B", "已采用", "我们决定搬到青岛。"),
        ("選項二", "已採用", "我們決定搬到台南。"),
        ("案1", "採用", "電車で行くことに決定した。"),
        ("विकल्प 2", "चुना गया", "हमने पुणे जाने का फ़ैसला किया।"),
        ("Вариант Б", "выбран", "Мы решили переехать в Кемь."),
    ],
)
def test_a_choice_that_was_made_is_a_statement(choice: str, taken: str, said: str) -> None:
    for heading in (f"{choice} — {taken}", f"{choice} ({taken})", f"{choice}: {taken}"):
        assert proposed(said, context=("2026-01-03", heading))
    assert proposed(said, context=("2026-01-03", choice)) is None


@pytest.mark.parametrize("said", ["方案B：我们决定搬到青岛。", "Вариант Б: мы решили переехать в Кемь."])
def test_a_choice_that_its_own_line_calls_made_is_a_statement(said: str) -> None:
    assert proposed(said)
