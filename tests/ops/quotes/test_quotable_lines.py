"""Which lines the pages quote, and what is shown with them."""

from __future__ import annotations

import shutil
from datetime import date
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.shapes import filled

from commonplace.core.entities.resolution import same_id
from commonplace.core.pages.entity_pages import new_page
from commonplace.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.conftest import Write


def test_beside_a_row_that_the_owner_keeps_no_passing_lines_fill_the_page(workspace: Write) -> None:
    row = "| Kittiwake | B12 | 900 | 450 |\n"
    user = (
        "# USER.md\n\n- **Name:** Tove Lund\n\n## Berths (as of 2026-03-08)\n\n"
        f"| Boat | Berth | Rent | Paid |\n|---|---|---|---|\n{row}"
    )
    logs = days(f"We saw Kittiwake at pier {day}, and Kittiwake had {day} ropes, +{day}.5 %" for day in range(1, 8))
    page = bank(workspace({"USER.md": user, **logs}), date(2026, 3, 9))["Kittiwake"]
    assert "Rent: 900" in page and "ropes" not in page
    told = {**logs, "memory/2026-03-09.md": "# Day\n\n- Kittiwake moved to berth C14, rent 700, -22 %\n"}
    page = bank(workspace({"USER.md": user, **told}), date(2026, 3, 10))["Kittiwake"]
    assert "Rent: 900" in page and "C14" in page and "ropes" not in page
    shutil.rmtree(workspace({}))
    core = "# MEMORY.md\n\n- Kittiwake is our gig, which Rolf built of oak in 1962\n"
    assert "ropes" in bank(workspace({"MEMORY.md": core, **logs}), date(2026, 3, 9))["Kittiwake"]


def test_the_row_that_the_owner_keeps_says_what_is_so_beside_good_lines_of_older_logs(workspace: Write) -> None:
    user = (
        "# USER.md\n\n- **Name:** Tove Lund\n\n## Berths (as of 2026-03-08)\n\n"
        "| Boat | Berth | Rent | Paid |\n|---|---|---|---|\n| Kittiwake | B12 | 900 | 450 |\n"
    )
    told = [f"Kittiwake has a new mast of {wood}, made by Rolf at the yard in Ribe" for wood in ("pine", "oak", "ash")]
    told += ["We saw Kittiwake at pier 5 with new ropes", "The insurer asked about Kittiwake again"]
    told += ["Rolf moved Kittiwake to another pier because of the ice"]
    page = bank(workspace({"USER.md": user, **days(told)}), date(2026, 3, 9))["Kittiwake"]
    now, _, earlier = page.partition("## Earlier in the logs")
    assert "Rent: 900" in now and "mast" not in now and "mast" in earlier


@pytest.mark.parametrize(("heading", "shown"), [("Years before the yard", True), ("Years of my son", False)])
def test_what_a_file_tells_of_a_relative_is_not_told_of_the_owner(
    workspace: Write, heading: str, *, shown: bool
) -> None:
    user = (
        "# USER.md\n\n- **Name:** Vibeke Holm\n- **What to call them:** Vibeke\n"
        "- Vibeke is a boat builder who lives in Ribe\n- Wants short answers, because she reads them at the pier\n\n"
        f"## {heading}\n\n- Seven years of school in Esbjerg, two years at sea with the ferry line\n"
    )
    page = bank(workspace({"USER.md": user}), date(2026, 3, 9))["Vibeke"]
    assert ("Esbjerg" in page) == shown


def test_notes_by_subject_at_the_root_are_read_where_no_folder_keeps_them(workspace: Write) -> None:
    about = "Kittiwake"
    notes = {
        f"{name}.md": f"# {name}\n\n- {about} is moored at the {name} because the old berth {at} silted up\n"
        f"- Decision: {about} gets oak oars from the {name} in week {at}, as Rolf asked\n"
        f"- We tie {about} twice at the {name}, since rope {at} broke in the storm\n"
        for at, name in enumerate(("pier", "slipway", "boatyard", "lock", "quay", "jetty"), 1)
    }
    page = bank(workspace(notes), date(2026, 3, 9))[about]
    assert "oak oars" in page
    readme = {"README.md": notes.pop("pier.md").replace("pier", "README")}
    assert "README" not in bank(workspace({**notes, **readme}), date(2026, 3, 9))[about]
    shutil.rmtree(workspace({}))
    logs = {f"memory/2026-03-0{day}.md": "# Day\n\n- We painted the shed\n" for day in (6, 7, 8)}
    first = dict([logs.popitem()])
    assert about in bank(workspace({**notes, **first}), date(2026, 3, 9))
    shutil.rmtree(workspace({}))
    assert about not in bank(workspace({**notes, **first, **logs}), date(2026, 3, 9))


@pytest.mark.parametrize("title", ["Rolf - Daily Log", "Rolf's log", "Журнал – Rolf"])
def test_the_log_of_somebody_tells_of_anything(workspace: Write, title: str) -> None:
    logs = {
        f"memory/2026-03-0{at}.md": f"# {title}\n\n- We decided that Rolf sews sail {at} in red\n"
        f"- Root cause: the pump of berth {at} was clogged, because nobody emptied the trap\n"
        for at in range(1, 8)
    }
    assert "clogged" not in bank(workspace(logs), date(2026, 3, 9))["Rolf"]


def test_the_world_is_told_what_core_files_keep_but_no_trait_of_nobody(workspace: Write) -> None:
    log = "# 2026-03-08\n\n- Harbour fact: the Tide server is at 10.0.0.7\n- Landlord: Bente Holm, who lives in Ribe\n"
    core = "# MEMORY.md - Long-Term Memory\n\n- 电话：30123456789\n\n## API Key Strategy\n\n"
    core += "- **Location:** `/srv/tide/auth-profiles.json` (`north`)\n"
    core += "\n## Wifi at the summer house\n\n- Location: router in the cupboard by the stairs\n"
    page = bank(workspace({"MEMORY.md": core, "memory/2026-03-08.md": log}), date(2026, 3, 9))["world"]
    assert "30123456789" not in page and "auth-profiles.json" in page
    assert "Wifi at the summer house: Location: router" in page
    assert "10.0.0.7" not in page and "Bente" not in page


def test_lines_of_hardly_any_worth_fill_only_the_page_of_whom_a_core_file_introduces(workspace: Write) -> None:
    logs = days(f"We asked Rolf and Vibeke about sail {day} of the boat" for day in range(1, 8))
    user = "# USER.md\n\n- **Name:** Rolf\n- **Born:** 1969\n"
    assert "Rolf" not in bank(workspace(logs), date(2026, 3, 9))
    assert "Rolf" in bank(workspace({"USER.md": user, **logs}), date(2026, 3, 9))


def test_logs_do_not_tell_who_somebody_is_whom_a_core_file_introduces(workspace: Write) -> None:
    user = "# USER.md\n\n- **Name:** Rolf\n- **Role:** boat builder in Ribe\n"
    logs = days(f"Rolf is the helper of the club at berth {day}, because Vibeke is ill" for day in range(1, 8))
    logs |= {"memory/2026-02-08.md": "# Day\n\n- Vibeke is the sister of the harbour master, who lives in Ribe\n"}
    page = bank(workspace({"USER.md": user, **logs}), date(2026, 3, 9))["Rolf"]
    who = page.partition("## Who or what")[2].partition("\n## ")[0]
    assert "boat builder" in who and "helper of the club" not in who and "helper of the club" in page


@pytest.mark.parametrize(("name", "shown"), [("Anna Holm", True), ("Tide Relay", False)])
def test_the_benefits_of_somebody_are_no_praise(workspace: Write, name: str, shown: bool) -> None:
    core = f"# MEMORY.md\n\n## {name}\n\n- {name} belongs to the club of Ribe\n\n"
    core += f"### Benefits\n\n- {name} has a free berth\n"
    logs = days(f"Talked with Rolf about {name} and sail {day}, which {name} wants in red" for day in range(1, 8))
    page = bank(workspace({"MEMORY.md": core, **logs}), date(2026, 3, 9))[name.replace(" ", "-")]
    assert ("free berth" in page) == shown


def test_a_fix_is_shown_with_its_problem(workspace: Write) -> None:
    log = (
        "# Boat\n\n## Engine of the ferry\n- **Problem:** the engine stops in the rain\n- **Tried:** new plugs\n"
        "- **Fix:** a rubber cap on the coil, because water came in\n"
        "- **Lesson:** look at the coil before the plugs, because it gets wet first\n\n## Boxes\n"
        "- **Cause:** the lid of the box was left open in the harbour by all of us\n"
    )
    folder = workspace({"memory/2026-03-07.md": log})
    with Memory(str(folder), today=date(2026, 3, 9)) as memory:
        memory.reflect(yes=True)
    page = (folder / "bank" / "experience.md").read_text(encoding="utf-8")
    assert "- 2026-03-07: the engine stops in the rain: **Fix:** a rubber cap on the coil" in page


def test_a_fix_is_shown_with_its_problem_below_a_heading_that_names_its_page(workspace: Write) -> None:
    log = (
        "# Day\n\n## Tidebook\n- **Problem:** the list of the pier came out empty in the rain\n"
        "- **Fix:** the list is read again after each storm, since the pier office is slow\n"
    )
    days = {f"memory/2026-03-0{day}.md": f"- Tidebook has {day} new berths\n" for day in range(1, 5)}
    folder = workspace({"memory/2026-03-07.md": log, "bank/entities/Tidebook.md": "# Tidebook\n", **days})
    page = bank(folder, date(2026, 3, 9))["Tidebook"]
    assert "the list of the pier came out empty in the rain: **Fix:** the list is read" in page


def bank(folder: Path, today: date) -> dict[str, str]:
    """The pages after a reflect, by their names."""
    with Memory(str(folder), today=today) as memory:
        memory.reflect(yes=True)
    return {path.stem: path.read_text(encoding="utf-8") for path in (folder / "bank").rglob("*.md")}


def test_what_introduces_the_owner_stands_on_the_owners_page_and_makes_its_link_speak(workspace: Write) -> None:
    user = (
        "# USER.md\n\n- **Name:** Vibeke Holm\n- **What to call them:** Vibeke\n- **Emoji:** *(pick one)*\n"
        "- Vibeke is a boat builder who lives in Ribe\n- Wants short answers, because she reads them at the pier\n"
        "- Never write to her on Sundays\n"
    )
    logs = {f"memory/2026-03-0{day}.md": f"# Day\n\n- Talked with Vibeke about keel {day}\n" for day in range(1, 5)}
    pages = bank(workspace({"USER.md": user, **logs}), date(2026, 3, 9))
    assert "Never write to her on Sundays" in pages["preferences"]
    assert "More stand in [Preferences and rules](../preferences.md)." in pages["Vibeke"]
    assert "pick one" not in pages["Vibeke"]
    assert "Vibeke-Holm" not in pages and "aliases: [Vibeke Holm]" in pages["Vibeke"]
    assert "- [Vibeke](entities/Vibeke.md): Vibeke is a boat builder who lives in Ribe" in pages["world"]


def test_who_the_agent_is_stands_on_the_page_of_the_agent_whomever_it_names(workspace: Write) -> None:
    user = "# USER.md\n\n- **Name:** Vibeke Holm\n- Vibeke Holm is a boat builder who lives in Ribe\n"
    agent = (
        "# IDENTITY.md\n\n- **Name:** Skipper Odd\n- **Creature:** Vibeke Holm has a parrot in me\n"
        "- **Vibe:** calm and dry\n- **Emoji:** 🦜\n"
    )
    logs = days(text.replace("Tove Lund", "Vibeke Holm") for text in TOVE)
    pages = bank(workspace({"USER.md": user, "IDENTITY.md": agent, **logs}), date(2026, 3, 9))
    assert "a parrot in me" in pages["Skipper-Odd"]
    assert "parrot" not in pages["Vibeke-Holm"]
    assert "[Vibeke Holm](entities/Vibeke-Holm.md): Vibeke Holm is a boat builder" in pages["world"]


def test_below_the_bare_name_a_line_of_its_page_brings_the_bullet_that_it_belongs_to(workspace: Write) -> None:
    log = "# Log\n\n## Kite Bay\n- The office sent a list of mast woods\n  - Pine first, because the spruce is wet\n"
    said = {f"memory/2026-03-0{day}.md": f"- Kite Bay has {day} new berths\n" for day in range(1, 5)}
    pages = bank(
        workspace({"memory/2026-03-07.md": log, "bank/entities/Kite-Bay.md": "# Kite Bay\n", **said}), date(2026, 3, 9)
    )
    assert "a list of mast woods: Pine first, because the spruce is wet" in pages["Kite-Bay"]


def test_what_lasts_is_no_history_and_a_title_is_not_quoted(workspace: Write) -> None:
    logs = {
        "memory/2026-01-02.md": "# Day\n\n- Sister: Tove Lund is a nurse in Ribe and lives by the old pier\n",
        "memory/2026-01-03.md": "# Day\n\n- **Tove Lund** - a talk\n  - got a key of Tove Lund, because ours broke\n",
        "memory/2026-01-04.md": "# Day\n\n- We decided that Tove Lund keeps the spare key of the boat\n",
        "memory/2026-03-05.md": "# Day\n\n- The boat is at the pier again\n",
    }
    page = bank(workspace(logs), date(2026, 3, 9))["Tove-Lund"]
    history = page.partition("## History")[2]
    assert "is a nurse in Ribe" in page.replace(history, "")
    assert "a talk (" not in page


def test_copied_knowledge_is_on_no_page(workspace: Write) -> None:
    lesson = "".join(
        f"- **{what}**: always stronger than a simple loop, since the ends hold each other\n"
        for what in ("Bend", "Hitch", "Splice", "Loop", "Stopper", "Whipping", "Lashing", "Noose", "Coil", "Eye")
    )
    core = "# MEMORY.md\n\n## Knots\n" + lesson.replace("always ", "") + "- Ends matter\n- Loops matter more\n"
    log = "# Day\n\n- The Sloop leaks, because the keel was hit at the old pier in the storm\n"
    pages = bank(workspace({"MEMORY.md": core, "memory/2026-03-07.md": log}), date(2026, 3, 9))
    assert not any("simple loop" in text for name, text in pages.items() if name != "review")


TOVE = (
    "We decided that Tove Lund keeps the spare key of the boat",
    "Tove Lund prefers the old pier, because its planks are dry",
    "Got a rope from Tove Lund, because ours was worn out in the storm",
    "Tove Lund is a nurse who lives by the harbour",
)

PASSING = (
    "Tove Lund had the whole list of berths renumbered",
    "We saw that Tove Lund had the lists tidied, as she always does",
    "Keys and lists of Tove Lund cleaned up at the pier",
)


def days(texts: Iterable[str]) -> dict[str, str]:
    """One log a day with one line each."""
    return {f"memory/2026-03-0{day}.md": f"# Day\n\n- {text}\n" for day, text in enumerate(texts, 1)}


def test_rules_deeds_and_lines_of_the_owner_of_core_files_stand_where_they_belong(workspace: Write) -> None:
    user = (
        "# USER.md\n\n- **Name:** Vibeke Holm\n- Vibeke is a boat builder who lives in Ribe\n"
        "- Values what she has learned from old friends of hers such as Tove Lund\n- Sister: Tove Lund, nurse in Ribe\n"
    )
    core = (
        "# MEMORY.md\n\n## Strict rules for letters\n- ✅ Use the name Holm for the owner (never Vibeke)\n\n"
        "## Pump\n- Fixed the pump of the pier, which failed because sand came into its valve in spring\n"
        "- Guest of the pier: “This is the best pump that the whole coast has ever seen!”\n"
    )
    pages = bank(workspace({"USER.md": user, "MEMORY.md": core, **days(TOVE)}), date(2026, 3, 9))
    assert "Use the name Holm for the owner" in pages["preferences"]
    assert "Fixed the pump of the pier" in pages["experience"]
    assert not any("best pump" in text for name, text in pages.items() if name != "review")
    assert "keeps the spare key" in pages["Tove-Lund"]
    assert "old friends" not in pages["Tove-Lund"] + pages["world"]


def test_an_order_stands_among_decisions_or_rules(workspace: Write) -> None:
    core = (
        "# MEMORY.md\n\n## Decisions\n- Use the south pier for all ferries that come in at night\n\n"
        "## Ferries\n- Keep 3 ropes of hemp ready, as we switched to them after the storm in the old harbour\n"
    )
    user = "# USER.md\n\n## When we talk\n- Show the tide table of the day before each crossing to the islands\n"
    pages = bank(workspace({"MEMORY.md": core, "USER.md": user, **days(PASSING)}), date(2026, 3, 9))
    assert "Use the south pier" in pages["decisions"] and "Keep 3 ropes of hemp" in pages["decisions"]
    assert "Show the tide table" in pages["preferences"]
    assert "Show the tide table" not in pages.get("world", "")


def test_a_fix_without_its_problem_is_no_experience(workspace: Write) -> None:
    log = (
        "# Day\n\n## Colours of the timetable\n- **Fixed**: blue for the ferry, green for the small boats, in both\n\n"
        "## Ferry missing in the timetable\n- **Fixed**: the list takes the ferry from the harbour office again\n"
    )
    page = bank(workspace({"memory/2026-03-07.md": log}), date(2026, 3, 9))["experience"]
    assert "blue for the ferry" not in page
    assert "takes the ferry from the harbour office" in page


def test_a_page_is_filled_with_its_next_best_only_if_it_has_a_good_line(workspace: Write) -> None:
    assert "Tove-Lund" not in bank(workspace(days([*PASSING, "Uploaded the list of Tove Lund"])), date(2026, 3, 9))
    page = bank(workspace(days([*PASSING, TOVE[3]])), date(2026, 3, 9))["Tove-Lund"]
    assert page.count("\n- ") == 3


def test_what_held_for_a_moment_is_history_once_a_later_day_tells_of_the_same(workspace: Write) -> None:
    page = bank(workspace(days([*PASSING, TOVE[3]])), date(2026, 3, 9))["Tove-Lund"]
    now, _, history = page.partition("## History")
    assert TOVE[3] in now and now.count("\n- ") == 1 and history.count("\n- ") == 2


@pytest.mark.parametrize(
    "lasting",
    [
        "Tove Lund is currently the head of the sailing school",
        "We had the sloop of Tove Lund renamed from Pike to Reef",
        "Tove Lund had the berths of the pier renumbered for the season from 1 April 2026",
    ],
)
def test_what_holds_since_its_day_is_no_history_though_its_words_tell_of_a_moment(
    workspace: Write, lasting: str
) -> None:
    page = bank(workspace(days([lasting, *PASSING, TOVE[3]])), date(2026, 3, 9))["Tove-Lund"]
    now, _, history = page.partition("## History")
    assert lasting in now and history.count("\n- ") > 0


def test_what_held_for_a_moment_of_the_last_day_that_tells_of_it_is_no_history(workspace: Write) -> None:
    page = bank(workspace(days([TOVE[3], *PASSING, "Rolf painted the pier"])), date(2026, 3, 9))["Tove-Lund"]
    now, _, history = page.partition("## History")
    assert PASSING[2] in now and PASSING[2] not in history and history.count("\n- ") == 1


def test_in_place_of_a_line_with_a_secret_a_page_quotes_another(workspace: Write) -> None:
    token = filled("ghp_{an:36}", Random(3))
    told = f"Tove Lund decided to pay with {token}, because the yard takes it"
    page = bank(workspace(days([*PASSING, TOVE[3], told])), date(2026, 3, 9))["Tove-Lund"]
    assert token not in page and page.count("\n- ") == 3


def test_a_decision_on_what_was_given_up_later_is_history(workspace: Write) -> None:
    folder = workspace(
        {
            "memory/2026-03-02.md": "# Log\n\n## Harbour\n"
            "- **Decision:** from now on we send all berth papers to Tidebook, and Rolf keeps none\n",
            "memory/2026-03-06.md": "# Log\n\n## Harbour\n- Decided with the board: Tidebook is no longer used\n",
        }
    )
    with Memory(str(folder), today=date(2026, 3, 9)) as memory:
        memory.reflect(yes=True)
    page = (folder / "bank" / "decisions.md").read_text(encoding="utf-8")
    assert "berth papers" in page.partition("## History")[2]
    assert "outdated by [2026-03-06]" in page


def test_what_was_bound_to_a_day_below_what_was_given_up_later_is_history(workspace: Write) -> None:
    rule = "- Never send berth papers to anybody before this meeting\n"
    said = {f"memory/2026-02-0{day}.md": f"# Log\n\n- Tidebook has {day} new berths\n" for day in range(1, 6)}
    given_up = "# Log\n\n## Harbour\n- Decided with the board: Tidebook is no longer used\n"
    logs = {"memory/2026-03-02.md": f"# Log\n\n## Tidebook\n{rule}", "memory/2026-03-06.md": given_up}
    page = bank(workspace({"bank/entities/Tidebook.md": "# Tidebook\n"} | said | logs), date(2026, 3, 9))["Tidebook"]
    assert "berth papers" in page.partition("## History")[2]


def test_a_line_of_a_page_of_the_workspace_brings_the_heading_that_names_somebody(workspace: Write) -> None:
    log = "# Log\n\n## Kite Bay pier\n### Last open points\n- Decided: the fee of the ferry stays as it was in winter\n"
    days = {f"memory/2026-03-0{day}.md": f"- Kite Bay has {day} new berths\n" for day in range(1, 5)}
    folder = workspace({"memory/2026-03-07.md": log, "bank/entities/Kite-Bay.md": "# Kite Bay\n", **days})
    with Memory(str(folder), today=date(2026, 3, 9)) as memory:
        memory.reflect(yes=True)
    page = (folder / "bank" / "decisions.md").read_text(encoding="utf-8")
    assert "Kite Bay pier: Decided: the fee" in page


def test_a_nested_line_brings_the_one_word_that_it_is_about(workspace: Write) -> None:
    log = "# Log\n\n## Boathouse\n- Relay\n  - Decided: port 8080 from now on, because the old pump takes 80\n"
    page = bank(workspace({"memory/2026-03-07.md": log}), date(2026, 3, 9))["decisions"]
    assert "Relay: Decided: port 8080" in page
    below_a_section = workspace({"memory/2026-03-07.md": log.replace("- Relay\n  ", "### Wins\n")})
    assert "2026-03-07: Decided: port 8080" in bank(below_a_section, date(2026, 3, 9))["decisions"]


def test_the_title_of_the_owners_log_is_not_shown_before_its_lines(workspace: Write) -> None:
    fee = "# {}\n\n## Decisions\n- Decided: the fee of the ferry stays as it was in winter\n"
    user = "# USER.md\n\n- **Name:** Vibse Holm\n"
    of_the_owner = workspace({"memory/2026-03-07.md": fee.format("Vibse's log"), "USER.md": user, **days(TOVE)})
    page = bank(of_the_owner, date(2026, 3, 9))["decisions"]
    assert "2026-03-07: Decided: the fee" in page
    (of_the_owner / "memory/2026-03-07.md").write_text(fee.format("Log rotation of the ferry"), encoding="utf-8")
    assert "Log rotation of the ferry: Decided: the fee" in bank(of_the_owner, date(2026, 3, 9))["decisions"]


def test_the_owner_has_a_page_where_only_another_core_file_says_the_name(workspace: Write) -> None:
    user = (
        "# USER.md\n\n- **Name:**\n- **Timezone:** Europe/Copenhagen\n- Wants short answers at the pier\n"
        "- Builds boats of larch in winter\n- Never write on Sundays\n"
    )
    core = '# MEMORY.md\n\n- Call the owner "Vibse" in public\n'
    pages = bank(workspace({"USER.md": user, "MEMORY.md": core, **days(TOVE)}), date(2026, 3, 9))
    assert "Never write on Sundays" in pages["preferences"]
    assert "**Timezone:** Europe/Copenhagen" in pages["Vibse"]


def test_what_stands_below_an_outdated_bullet_is_outdated_with_it(workspace: Write) -> None:
    kept = "# Log\n\n- Decided: Kestrel 2 is the default model, because it answers fast\n  - Decided: it stays cold\n"
    told = {
        "memory/2026-03-02.md": kept,
        "memory/2026-03-07.md": "# Log\n\n- Decided: Heron 3 is the default model, because it draws as well\n",
    }
    page = bank(workspace(told), date(2026, 3, 9))["decisions"]
    assert "Heron 3" in page.partition("## History")[0]
    assert "it stays cold" not in page.partition("## History")[0]


@pytest.mark.parametrize(("price", "holds"), [("9.50", True), ("19.5", False)])
def test_below_an_outdated_bullet_goes_on_what_the_newer_line_repeats(
    workspace: Write, price: str, holds: bool
) -> None:
    kept = "# Log\n\n- Decided: Kestrel 2 is the default model, because it answers fast\n"
    told = {
        "memory/2026-03-02.md": f"{kept}  - Decided: the board pays at most 9.5 for any of them\n",
        "memory/2026-03-07.md": f"# Log\n\n- Decided: Heron 3 is the default model, for {price} a day\n",
    }
    now, _, before = bank(workspace(told), date(2026, 3, 9))["decisions"].partition("## History")
    assert ("at most 9.5" in now) == holds and ("at most 9.5" in before) != holds


def test_a_rule_below_an_outdated_bullet_goes_on_unless_it_names_what_is_outdated(workspace: Write) -> None:
    kept = (
        "# Log\n\n- Decided: Kestrel 2 is the default model, because it answers fast\n"
        "  - **Rule**: never print the tide of the northern harbour\n"
        "  - **Rule**: never send Kestrel 2 a letter of the bank\n"
    )
    told = {
        "memory/2026-03-02.md": kept,
        "memory/2026-03-07.md": "# Log\n\n- Decided: Heron 3 is the default model, because it draws as well\n",
    }
    now, _, before = bank(workspace(told), date(2026, 3, 9))["preferences"].partition("## History")
    assert "the northern harbour" in now and "a letter of the bank" in before
    assert "a letter of the bank" not in now


@pytest.mark.parametrize(
    ("heading", "rule", "ended", "passed"),
    [
        ("City Hafenfonds", "need 150 days", "Tove is no longer eligible for the Hafenfonds, as she moved", True),
        ("By Havnefond", "kræver 150 dage", "Klubben har droppet Havnefond", True),
        ("Городской Маякфонд", "нужно 150 дней", "Больше не используем Маякфонд", True),
        ("City Meeting", "need 150 days", "Meeting cancelled", False),
        ("Rolf", "need 150 days", "The club dropped Rolf from the list", False),
        ("Rolf Berg", "need 150 days", "The club dropped Rolf Berg from the list", False),
        ("City Meeting", "need 150 days", "Tove called off the meeting", False),
        ("城市基金", "必须满150天", "停用基金卡", False),
        ("市の基金", "必ず150日以上", "基金カードは廃止", False),
        ("शहर कोष", "कभी भी 150 दिन से पहले पत्र न भेजें", "कोष कार्ड रद्द", False),
    ],
)
def test_a_rule_below_the_heading_of_what_was_given_up_has_passed(
    workspace: Write, heading: str, rule: str, ended: str, *, passed: bool
) -> None:
    told = {
        "memory/2026-03-02.md": f"# Log\n\n## {heading}\n- **Rule**: {rule}, never send a letter before that\n",
        "memory/2026-03-07.md": f"# Log\n\n- Decided: {ended}\n- {ended}\n",
    }
    now, _, before = bank(workspace(told), date(2026, 3, 9))["preferences"].partition("## History")
    assert (rule in before, rule in now) == (passed, not passed)


def test_a_name_begins_a_sentence_with_the_ordinary_words_that_are_part_of_it(workspace: Write) -> None:
    pages = bank(workspace(days(text.replace("Tove Lund", "Mission Brovin") for text in TOVE)), date(2026, 3, 9))
    assert "lives by the harbour" in pages["Mission-Brovin"]
    assert "Brovin" not in pages


def test_a_longer_name_that_becomes_known_changes_a_page_at_once(workspace: Write) -> None:
    told = (
        "The gate valve was replaced by a bronze one because the steel one rusted.",
        "The southern pump runs on diesel and needs a new filter every March.",
        "The east crane lifts twelve tons and was rented from a yard in Hull.",
        "The warehouse keeps grain in seven silos, each of forty tons.",
        "The tug has a wooden hull that was tarred by the brothers Olsen.",
    )
    log = (
        "# Day\n\n## Mission Brovin\n\n- {}\n\n## Other\n\n"
        "- I met Brovin at the quay and he sold a boat to the school.\n"
        "- With Brovin the school built a shed number {} of oak and slate.\n"
    )
    logs = {f"memory/2026-03-0{day}.md": log.format(text, day) for day, text in enumerate(told, 1)}
    folder = workspace(logs)
    assert "The tug has a wooden hull" in bank(folder, date(2026, 3, 9))["Brovin"]
    (folder / "memory/2026-03-06.md").write_text("# Day\n\n- The ice is thick\n", encoding="utf-8")
    bank(folder, date(2026, 3, 9))  # with its page it is known
    for day in (7, 8):
        asked = "# Day\n\n- Who met the Mission Brovin?\n- Who paid the Mission Brovin?\n"
        (folder / f"memory/2026-03-0{day}.md").write_text(asked, encoding="utf-8")
    kept = bank(folder, date(2026, 3, 9))
    assert "The tug has a wooden hull" not in kept["Brovin"]
    shutil.rmtree(folder / ".memory")
    assert bank(folder, date(2026, 3, 9)) == kept


@pytest.mark.parametrize(("behind", "has_page"), [("Annex", False), ("II", True), ("2", True)])
def test_a_number_behind_a_name_makes_another_thing(workspace: Write, behind: str, *, has_page: bool) -> None:
    texts = (each.replace("Tove Lund", f"Tove Lund {behind}") for each in TOVE)
    pages = bank(workspace(days([*TOVE, *texts])), date(2026, 3, 9))
    assert "Tove-Lund" in pages
    assert (f"Tove-Lund-{behind}" in pages) == has_page


def test_a_piece_of_a_name_needs_more_to_have_a_page(workspace: Write) -> None:
    said = ("has {} new berths of oak", "got {} ropes from the north", "needs {} oars in spring")
    logs = {
        f"memory/2026-03-0{day}.md": f"# Day\n\n- The Kite Bay {text.format(day)}\n- Kite Bay Annex: {day} owls\n"
        for day, text in enumerate((*said, *said), 1)
    }
    pages = bank(workspace(logs), date(2026, 3, 9))
    assert "Kite-Bay-Annex" not in pages


@pytest.mark.parametrize(
    ("one", "other"), [("Harbour Feed", "Tide Pictures"), ("ミナトマル", "フネノエ"), ("Маяк Пост", "Волна Фото")]
)
def test_two_names_in_one_heading_have_one_page(workspace: Write, one: str, other: str) -> None:
    nouns = ("oak rudder", "brass bell", "red jib", "long oar")
    held = "".join(f"- The {noun}: kept in the loft at berth {at}\n" for at, noun in enumerate(nouns))
    texts = [f"Drew the pier for {one}, at berth {day}" for day in range(5)]
    texts += [f"Told Bo at berth {day} that {other} goes on" for day in range(3)]
    logs = {f"memory/2026-03-{day:02}.md": f"# Day\n\n- {text}\n" for day, text in enumerate(texts, 1)}
    core = f"# Memory\n\n## Projects\n\n### {one} ({other})\n{held}"
    pages = bank(workspace({"MEMORY.md": core, **logs}), date(2026, 3, 20))
    assert one.replace(" ", "-") in pages
    assert other.replace(" ", "-") not in pages


@pytest.mark.parametrize(("behind", "has_page"), [("ソウコ", False), ("ニ", True)])
def test_what_stands_behind_a_name_without_spaces_tells_a_part_of_it(
    workspace: Write, behind: str, *, has_page: bool
) -> None:
    ship, part = "ミナトマル", f"ミナトマル{behind}"
    texts = [each.replace("Tove Lund", name) for name in (ship, part) for each in TOVE]
    pages = bank(workspace(days(texts)), date(2026, 3, 9))
    assert ship in pages
    assert (part in pages) == has_page


@pytest.mark.parametrize(("name", "has_page"), [("Tove Lund", True), ("Bitcoin", False), ("RSI", False)])
def test_of_what_everybody_knows_more_must_be_told(workspace: Write, name: str, *, has_page: bool) -> None:
    pages = bank(workspace(days(each.replace("Tove Lund", name) for each in TOVE[:3])), date(2026, 3, 9))
    assert (name.replace(" ", "-") in pages) == has_page


def test_one_person_has_one_page_whatever_the_name_and_again_the_same(workspace: Write) -> None:
    user = "# USER.md\n\n- **Name:** Vibeke Holm\n- **What to call them:** Vibs\n- **Work:** boat builder in Ribe\n"
    logs = {
        f"memory/2026-03-0{day}.md": (
            f"# Day\n\n- Decision: {'Vibs' if day % 2 else 'Vibeke Holm'} rents shed {day}, because the {what} is dry\n"
            f"- We saw {'Peter' if day % 2 else 'Peter Berg'} at the {what}\n"
            f"- {'Peter' if day % 2 else 'Peter Berg'} paints keel {day} in red, because the {what} is dry\n"
        )
        for day, what in enumerate(["north", "south", "east", "west", "ferry", "lock"], 1)
    }
    folder = workspace({"USER.md": user, **logs})
    pages = bank(folder, date(2026, 3, 9))
    (owner,), (friend,) = {"Vibs", "Vibeke-Holm"} & pages.keys(), {"Peter", "Peter-Berg"} & pages.keys()
    assert "rents shed 5" in pages[owner] and "rents shed 6" in pages[owner]
    assert "paints keel 5" in pages[friend] and "paints keel 6" in pages[friend]
    assert bank(folder, date(2026, 3, 9)) == pages
    with Memory(str(folder), today=date(2026, 3, 9)) as memory:
        assert memory.entity("Vibs").page == memory.entity("Vibeke Holm").page


@pytest.mark.parametrize(
    ("names", "said", "about", "told"),
    [
        (
            "岸辺さん きしぴー",
            "呼び方: 岸辺様（仕事）、きしぴー（家）",
            "きしぴー情報（追加）",
            "古い木造の帆船を持っている",
        ),
        ("Vibeke Vibsy", "Nicknames: Vibeke (work), Vibsy (home)", "About Vibsy", "Owns a wooden sloop of 1931"),
        ("लहरी लहरू", "पुकार नाम: लहरी (काम पर), लहरू (घर पर)", "लहरू के बारे में", "पुरानी लकड़ी की नाव रखती है"),
    ],
)
def test_what_logs_tell_of_the_owner_by_another_name_stands_on_the_owners_page(
    workspace: Write, names: str, said: str, about: str, told: str
) -> None:
    name, other = names.split()
    logs = {
        "memory/2026-03-01.md": f"# Day\n\n- {said}\n",
        "memory/2026-03-02.md": f"# Day\n\n## {about}\n- {told}\n",
    }
    folder = workspace({"USER.md": f"# USER.md\n\n- **Name:** {name}\n- **Born:** 1969\n", **logs})
    pages = bank(folder, date(2026, 3, 9))
    assert told in pages[name] and f"aliases: [{other}]" in pages[name]
    assert bank(folder, date(2026, 3, 9)) == pages
    with Memory(str(folder), today=date(2026, 3, 9)) as memory:
        assert memory.entity(other).page == memory.entity(name).page


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("Vibeke Kitto", "Nicknames: Vibeke, Kitto"),
        ("岸辺さん ミオリ", "呼び方: 岸辺様、ミオリ"),
        ("Вибека Москва", "Обращение: Вибека, Москва"),
    ],
)
def test_a_line_with_the_names_of_owner_and_agent_or_of_a_place_joins_neither(
    workspace: Write, names: str, said: str
) -> None:
    name, other = names.split()
    files = {
        "USER.md": f"# USER.md\n\n- **Name:** {name}\n- **Born:** 1969\n- **Home:** Ribe\n- **Work:** boat builder\n",
        "IDENTITY.md": f"# IDENTITY.md\n\n- **Name:** {other if other != 'Москва' else 'Kitto'}\n",
        "memory/2026-03-01.md": f"# Day\n\n- {said}\n",
    }
    pages = bank(workspace(files), date(2026, 3, 9))
    assert "aliases" not in pages.get(name, "") + pages.get(other, "")


def test_a_game_in_quotation_marks_has_the_lines_below_its_headings_and_its_genre_has_none(workspace: Write) -> None:
    told = [
        "- 決定: 敵は夜だけ出る（昼は釣りの時間にするため）",
        "- 原因: 地図が500歩より広いと遅い → 分けて直した",
        "- 決定: 主人公は灯台守に変更した",
        "- 教訓: 音楽は使わない（波の音が聞こえなくなるため）",
    ]
    logs = {
        f"memory/2026-03-0{day}.md": f"# Day\n\n## 岬のともしび号 RPG開発（続き）\n{line}\n"
        for day, line in enumerate(told, 2)
    }
    logs["memory/2026-03-01.md"] = "# Day\n\n- RPG「岬のともしび号」を作りたいという依頼があった\n"
    pages = bank(workspace(logs), date(2026, 3, 9))
    assert "RPG" not in pages and "敵は夜だけ出る" in pages["岬のともしび号"] and "灯台守" in pages["岬のともしび号"]


def test_a_note_of_a_project_makes_its_page_with_what_logs_tell_by_the_name_of_its_file(workspace: Write) -> None:
    note = (
        "# 予約管理アプリ（紙の代わり）\n\n## 概要\n岸辺の舟宿の予約を紙から移すためのアプリ\n\n## 決定\n"
        "- 決定: 予約は前日の18時で締める（朝は電話に出られないため）\n- 認証は電話番号で行う\n"
    )
    told = ["shiomi-app の料金は月500円にした（紙代より安いため）", "shiomi-app は北の舟宿だけで試す（小さいため）"]
    logs = {f"memory/2026-03-0{day}.md": f"# Day\n\n- 決定: {line}\n" for day, line in enumerate(told, 2)}
    pages = bank(workspace({"memory/project-shiomi-app.md": note, **logs}), date(2026, 3, 9))
    page = pages["shiomi-app"]
    assert "aliases: [予約管理アプリ]" in page and "前日の18時で締める" in page and "月500円" in page


def test_a_page_without_an_alias_takes_none(workspace: Write) -> None:
    user, said = (
        "# USER.md\n\n- **Name:** 岸辺さん\n",
        "- 呼び方: 岸辺様、きしぴー\n## きしぴー情報\n- 古い木造の帆船を持っている\n",
    )
    page = "# 岸辺さん\n"
    pages = bank(
        workspace({"USER.md": user, "memory/2026-03-01.md": said, "bank/entities/岸辺さん.md": page}), date(2026, 3, 9)
    )
    assert "aliases" not in pages["岸辺さん"]


@pytest.mark.parametrize(("heading", "shown"), [("About Vibeke", True), ("Gift for Vibeke", False)])
def test_only_below_a_heading_about_somebody_a_line_tells_who_that_is(
    workspace: Write, heading: str, *, shown: bool
) -> None:
    user = "# USER.md\n\n- **Name:** Vibeke\n- **Work:** boat builder in Ribe\n- **Born:** 1969\n- **Home:** Ribe\n"
    log = f"# Day\n\n## {heading}\n- Owns a wooden sloop of 1931\n"
    page = bank(workspace({"USER.md": user, "memory/2026-03-02.md": log}), date(2026, 3, 9)).get("Vibeke", "")
    assert ("sloop" in page) == shown


def test_what_a_person_rejected_stays_apart_and_an_alias_that_was_deleted_is_gone(workspace: Write) -> None:
    logs = {
        f"memory/2026-03-0{day}.md": (
            f"# Day\n\n- We saw {'Peter' if day % 2 else 'Peter Berg'} at the {what}\n"
            f"- {'Peter' if day % 2 else 'Peter Berg'} paints keel {day} in red, because the {what} is dry\n"
        )
        for day, what in enumerate(["north", "south", "east", "west", "ferry", "lock"], 1)
    }
    folder = workspace(logs)
    pages = bank(folder, date(2026, 3, 9))
    (own,) = {"Peter", "Peter-Berg"} & pages.keys()
    path = folder / f"bank/entities/{own}.md"
    path.write_text(path.read_text(encoding="utf-8").replace("aliases: [", "tags: ["), encoding="utf-8")
    after = bank(folder, date(2026, 3, 9))[own]
    assert sum(f"paints keel {day} " in after for day in range(1, 7)) < 6
    other = workspace(logs)
    said = f"- [-] “Peter is Peter Berg” (said) ^{same_id('peter', 'peter berg')}\n"
    (other / "bank").mkdir(exist_ok=True)
    (other / "bank/review.md").write_text(f"# Review\n\n## Same entity?\n\n{said}", encoding="utf-8")
    (other / f"bank/entities/{own}.md").unlink(missing_ok=True)
    assert not any("aliases" in page for page in bank(other, date(2026, 3, 9)).values())


def test_of_other_files_at_the_root_only_what_says_what_something_is_is_quoted(workspace: Write) -> None:
    report = (
        "# Tern Relay handover\n\n## Overview\n\nTern Relay is a radio network of larch buoys that tells ferries the "
        "depth of the Oxen channel.\n\n## Status\n\n- Decision: Tern Relay moves to the north pier, because it is dry\n"
        "- Tern Relay was repaired\n"
    )
    logs = {
        f"memory/2026-03-0{day}.md": f"# Day\n\n- Decision: Tern Relay gets buoy {day}, because the {what} is deep\n"
        for day, what in enumerate(["north", "south", "east", "west"], 1)
    }
    files = {"tern-relay-handover.md": report, "AGENTS.md": "# Agents\n\n- Tern Relay is the pride of the fleet\n"}
    page = bank(workspace({**logs, **files}), date(2026, 3, 9))["Tern-Relay"]
    told = page.partition("## Who or what")[2].partition("## ")[0]
    assert "is a radio network of larch buoys" in told and "pride of the fleet" in told
    assert "north pier" not in page and "repaired" not in page
    without = bank(workspace(logs), date(2026, 3, 9))["Tern-Relay"]
    assert [line for line in page.split("\n") if "gets buoy" in line] == [
        line for line in without.split("\n") if "gets buoy" in line
    ]


def test_what_notes_rule_decide_and_teach_stands_on_the_pages_of_the_whole(workspace: Write) -> None:
    note = (
        "# Berths\n\n## Hard rules\n\n- Never tie a boat to the old pier at night\n\n| Rule | Why |\n|---|---|\n"
        "| Never moor twice | of the tide |\n\n## Decisions\n\n- The office keeps the spare keys in the blue shed\n\n"
        "## The flood\n\n- **Lesson:** Check the depth of the basin before you moor a ketch at low tide\n"
        "- The rope at the slipway broke because somebody had tied it around the iron ring\n"
    )
    logs = days(f"Painted the shed, coat {day}" for day in range(1, 5))
    pages = bank(workspace({"memory/berths.md": note, **logs}), date(2026, 3, 9))
    assert "old pier" in pages["preferences"] and "moor twice" not in pages["preferences"]
    assert "blue shed" in pages["decisions"]
    assert "Check the depth" in pages["experience"] and "iron ring" not in pages["experience"]


@pytest.mark.parametrize("logged", [True, False])
def test_a_lesson_of_a_guide_beside_the_logs_is_on_no_page(workspace: Write, logged: bool) -> None:
    guides = {f"guide-{at}.md": f"# Guide {at}\n\nHow to row, part {at}.\n" for at in range(9)}
    guides["guide-0.md"] += (
        "\n## Lessons\n\n- **Lesson:** Check the depth of the basin before you moor a ketch at low tide\n"
    )
    logs = days(f"Painted the shed, coat {day}" for day in range(1, 4)) if logged else {}
    pages = bank(workspace({"MEMORY.md": "# Memory\n\n- The shed is blue\n", **guides, **logs}), date(2026, 3, 9))
    assert ("Check the depth" in pages.get("experience", "")) is not logged


def test_in_a_folder_of_notes_by_subject_the_index_says_which_the_owner_gave_as_rules(workspace: Write) -> None:
    index = (
        "# Memory index\n\n- [Two ropes](feedback_two_ropes.md) — boats in the harbour get two ropes, for the tide\n"
        "- [Oars](project_oars.md) — The oars of the gig are of ash, made by Rolf at the yard\n"
    )
    notes = {
        "feedback_two_ropes.md": "Always tie a boat twice in the harbour of Hull, because the tide turns at night.\n",
        "project_oars.md": "# Oars\n\n## Rules of the maker\n\n- Always oil the oars of a gig before the winter\n",
        "project_gig.md": "# Gig\n\n## Rules\n\n- Never row the gig against the tide of the estuary at night\n",
    }
    told = bank(workspace({"MEMORY.md": index, **notes}), date(2026, 3, 9))["preferences"]
    assert "[Two ropes]" in told and "ash" not in told and "oil" not in told and "estuary" not in told


@pytest.mark.parametrize("path", ["MEMORY.old.md", "README_backup 2.md", "trash/notes.md"])
def test_an_old_copy_does_not_say_what_something_is(workspace: Write, path: str) -> None:
    logs = {
        f"memory/2026-03-0{day}.md": f"# Day\n\n- Decision: Tern Relay gets buoy {day}, because the {what} is deep\n"
        for day, what in enumerate(["north", "south", "east", "west"], 1)
    }
    old = "# Old\n\n- Tern Relay is a steam whistle of the old museum on the hill\n"
    assert "steam whistle" not in bank(workspace({**logs, path: old}), date(2026, 3, 9))["Tern-Relay"]


def test_what_only_files_at_the_root_define_has_no_page(workspace: Write) -> None:
    report = "# Notes\n\n" + "".join(
        f"- Tern Relay is a network of {n}, and we asked Tern Relay\n" for n in ("buoys", "radios", "men", "nets")
    )
    assert "Tern-Relay" not in bank(
        workspace({"tern.md": report, "memory/2026-03-01.md": "- rain\n"}), date(2026, 3, 9)
    )


def test_facts_of_both_names_stand_on_one_page_and_a_page_of_a_persons_takes_them(workspace: Write) -> None:
    user = "# USER.md\n\n- **Name:** Vibeke Holm\n- **What to call them:** Vibs\n"
    log = "## Retain\n- W @Vibs: Lives in Ribe.\n- W @Vibs: Has a sloop.\n- W @Vibs: Has two oars.\n"
    told = "".join(f"- Vibeke Holm paid for keel {n}\n" for n in range(5))
    folder = workspace({"USER.md": user, "memory/2026-03-01.md": log, "memory/2026-03-02.md": told})
    pages = bank(folder, date(2026, 3, 9))
    assert "aliases: [Vibeke Holm]" in pages["Vibs"] and "Has a sloop" in pages["Vibs"]
    assert bank(folder, date(2026, 3, 9)) == pages
    (folder / "bank/entities/Vibeke-Holm.md").write_text("# Vibeke Holm\n\nThe aunt.\n", encoding="utf-8")
    (folder / "bank/entities/Vibs.md").unlink()
    pages = bank(folder, date(2026, 3, 9))
    assert "Has a sloop" not in pages["Vibeke-Holm"]  # it may be another's: the page does not list the name
    own = "---\naliases: [Vibs]\n---\n# Vibeke Holm\n\nThe aunt.\n"
    (folder / "bank/entities/Vibeke-Holm.md").write_text(own, encoding="utf-8")
    (folder / "bank/entities/Vibs.md").unlink(missing_ok=True)
    pages = bank(folder, date(2026, 3, 9))
    assert "Has a sloop" in pages["Vibeke-Holm"] and "Vibs" not in pages


def test_what_outdates_a_line_takes_its_place_on_the_page(workspace: Write) -> None:
    held = {
        f"memory/2026-03-0{day}.md": f"# Log\n\n## Holdings\n- Brandtoft: {count} shares, cost 31.2, {why}\n"
        for day, count, why in ((2, 4900, "for the house"), (4, 5000, "as in spring"), (5, 9200, "because it pays"))
    }
    now = (
        "# HEARTBEAT.md\n\n## Holdings (2026-03-08, checked)\n\n| Share | Held | Cost |\n|---|---|---|\n"
        "| Brandtoft | 11,100 shares | 30.9 |\n"
    )
    folder = workspace({**held, "HEARTBEAT.md": now, "bank/entities/Brandtoft.md": new_page("Brandtoft")})
    page = bank(folder, date(2026, 3, 9))["Brandtoft"]
    current, _, history = page.partition("## History")
    assert "Held: 11,100 shares" in current and "outdated" not in current
    assert "9200 shares" in history and "outdated by [2026-03-08]" in history


@pytest.mark.parametrize("path", ["memory/trash/2026-03-08.md", "memory/.backup/2026-03-08.md", "HEARTBEAT.old.md"])
def test_what_an_old_copy_holds_outdates_nothing(workspace: Write, path: str) -> None:
    now = (
        "# Old\n\n## Holdings (2026-03-08, checked)\n\n| Share | Held | Cost |\n|---|---|---|\n"
        "| Brandtoft | 11,100 shares | 30.9 |\n"
    )
    log = "# Log\n\n## Holdings\n- Brandtoft: 9200 shares, cost 31.2, because it pays\n"
    files = {"memory/2026-03-05.md": log, path: now, "bank/entities/Brandtoft.md": new_page("Brandtoft")}
    page = bank(workspace(files), date(2026, 3, 9))["Brandtoft"]
    assert "9200 shares" in page
    assert "11,100" not in page and "History" not in page


def test_a_line_of_a_day_in_a_core_file_does_not_say_what_somebody_is(workspace: Write) -> None:
    core = (
        "# MEMORY.md\n\n## 2026-03-01 - at the pier\n- Tove Lund pays the berth of the sloop, as agreed with the club\n"
    )
    pages = bank(workspace({"MEMORY.md": core, **days(TOVE[:3])}), date(2026, 3, 9))
    assert "Pages without a line here: [Tove Lund](entities/Tove-Lund.md)" in pages["world"]


def test_a_cause_by_its_words_alone_is_an_experience(workspace: Write) -> None:
    mends = "".join(f"- **Fix:** new {part} for the leaking pump of the ferry\n" for part in ("hose", "seal", "valve"))
    log = f"# Day\n\n{mends}- The ferry stays in the harbour, because the tide table was wrong\n"
    assert "the tide table was wrong" in bank(workspace({"memory/2026-03-06.md": log}), date(2026, 3, 9))["experience"]
    read = bank(workspace({"memory/2026-03-06.md": "- rain\n", "memory/news/2026-03-06.md": log}), date(2026, 3, 9))
    assert "the tide table was wrong" not in read.get("experience", "")


def test_a_long_line_that_is_read_in_pieces_is_quoted_once(workspace: Write) -> None:
    told = "harbour master of the north pier, because she knows the tides"
    core = f"# Memory\n\n## People\n- **Tove Lund**: {told} {'x' * 4000}\n"
    pages = bank(workspace({"MEMORY.md": core, **days(["Tove Lund painted the pier"])}), date(2026, 3, 9))
    assert pages["experience"].count(told) == 1


def news(name: str, *, days: int, own: str = "", core: str = "") -> dict[str, str]:
    """Logs in which somebody read of a name, with a line of their own, and a core file."""
    logs = {
        f"memory/2026-03-0{day}.md": "# Day\n\n## What is new in sails\n\n"
        f"- {name} sews sail {day} (4{day}2 pts, 9{day} comments)\n"
        f"- Sails of reed are back (3{day}2 pts, 8{day} comments)\n"
        f"- The lesson of {name} is that hemp {day} dries in the wind\n\n## Pier\n\n{own.format(day=day)}"
        for day in range(1, days + 1)
    }
    return {**logs, **({"MEMORY.md": core} if core else {})}


def test_what_only_the_news_tells_of_has_no_page(workspace: Write) -> None:
    pages = bank(workspace(news("Kestrel Loft", days=8)), date(2026, 3, 9))
    assert "Kestrel-Loft" not in pages and not any("dries in the wind" in page for page in pages.values())


def test_beside_news_the_owners_own_lines_make_a_page(workspace: Write) -> None:
    own = "- We met Kestrel Loft at pier {day}, because the sail {day} tore there\n" * 2
    own += "- Kestrel Loft mends the sail of berth {day} for 90 crowns\n- We paid Kestrel Loft for berth {day}\n"
    own += (
        "- Kestrel Loft moved to shed {day}\n- Kestrel Loft wants cloth of kind {day}\n- Kestrel Loft has key {day}\n"
    )
    pages = bank(workspace(news("Kestrel Loft", days=8, own=own)), date(2026, 3, 9))
    assert "Kestrel-Loft" in pages and "dries in the wind" not in pages["Kestrel-Loft"]


LOFT = (
    "Kestrel Loft sewed a jib of hemp for the old ferry and Mara paid 90 crowns",
    "Kestrel Loft brought two masts to the northern pier with a cart",
    "Kestrel Loft has a shed with nine men behind the harbour office",
    "Kestrel Loft hung the sails of the school boat to dry above the slip",
    "Kestrel Loft sold a coil of tarred rope to the club of Ribe",
    "Kestrel Loft took the torn spinnaker of Olaf to its table",
    "Kestrel Loft rents the loft above the bakery for 400 crowns",
    "Kestrel Loft painted numbers on the pennants of the fleet",
)


@pytest.mark.parametrize(("last", "shown"), [(4, False), (8, True)])
def test_what_little_was_told_on_few_days_has_no_page(workspace: Write, last: int, shown: bool) -> None:
    logs = days("\n- ".join(LOFT[day::last]) for day in range(last))
    assert ("Kestrel-Loft" in bank(workspace(logs), date(2026, 3, 9))) == shown


@pytest.mark.parametrize(("in_logs", "shown"), [(0, False), (1, False), (2, True)])
def test_what_notes_tell_and_hardly_a_log_has_no_page(workspace: Write, in_logs: int, shown: bool) -> None:
    notes = {f"memory/sails-{day}.md": f"# Sails {day}\n\n- {line}\n" for day, line in enumerate(LOFT)}
    met = ("We met Kestrel Loft at the pier, because the jib tore", "Kestrel Loft is a shed of the old smith's")
    logs = days([*met[:in_logs], *(f"Painted berth {day} of the northern pier" for day in range(3))])
    assert ("Kestrel-Loft" in bank(workspace({**notes, **logs}), date(2026, 3, 9))) == shown


def test_nor_has_it_one_unless_a_core_file_keeps_some_of_it(workspace: Write) -> None:
    core = "# MEMORY.md\n\n## Names of lofts\n\n- Favourites: Kestrel Loft (my pick), Heron Loft (taken)\n"
    logs = days("\n- ".join(LOFT[day::4]) for day in range(3))
    assert "Kestrel-Loft" in bank(workspace({"MEMORY.md": core, **logs}), date(2026, 3, 9))


def test_what_somebody_read_in_a_piece_stands_on_no_page_but_what_they_decided_does(workspace: Write) -> None:
    logs = {
        f"memory/2026-03-0{day}.md": f"# Day\n\n## Hemp in spring {day}\n\n- **Source**: The Tide Post\n"
        f"- **Summary**: Never dry a sail of hemp on deck {day}\n- **Why it matters**: hemp rots from {day} degrees\n"
        f"- Decision: sail {day} goes to the loft in Ribe\n"
        for day in range(1, 5)
    }
    pages = bank(workspace(logs), date(2026, 3, 9))
    assert "goes to the loft in Ribe" in pages["decisions"]
    assert not any("of hemp on deck" in page or "hemp rots" in page for page in pages.values())


def test_what_a_core_file_holds_is_no_piece_of_the_news(workspace: Write) -> None:
    core = (
        "# Memory\n\n## Kestrel\n\n- **Link**: https://kestrel.example\n- **Why it matters**: it pays the rent\n"
        "- Never deploy Kestrel on Fridays, because nobody is at the pier\n"
    )
    logs = days(["Released Kestrel for Rolf, because the tide was wrong"] * 3)
    assert "on Fridays" in bank(workspace({"MEMORY.md": core, **logs}), date(2026, 3, 9))["experience"]


def test_an_own_project_that_many_like_keeps_its_page(workspace: Write) -> None:
    logs = {
        f"memory/2026-03-0{day}.md": f"# Day\n\n## Kestrel\n\n- Released Kestrel {day}.0 with the new tide table\n"
        f"- Fixed the crash of Kestrel when the port {day} is closed\n- Kestrel has 1,{day}00 stars\n"
        f"- Kestrel reads harbour file {day} twice as fast, because the cache is kept\n"
        for day in range(1, 9)
    }
    assert "the crash of Kestrel" in bank(workspace(logs), date(2026, 3, 9))["Kestrel"]


def test_what_was_learned_from_a_fault_stands_on_pages_wherever_the_fault_came_from(workspace: Write) -> None:
    logs = {
        f"memory/2026-03-0{day}.md": f"# Day\n\n## Leak {day}\n\n- **Source**: valve {day} of the pump\n"
        f"- **Why it matters**: the berth {day} floods at spring tide\n"
        f"- **Lesson**: the valve {day} must be greased, because sand cuts its seal\n"
        f"- **Rule**: never close berth {day} with the pump running\n"
        for day in range(1, 5)
    }
    pages = bank(workspace(logs), date(2026, 3, 9))
    assert "sand cuts its seal" in pages["experience"] and "never close berth" in pages["preferences"]
