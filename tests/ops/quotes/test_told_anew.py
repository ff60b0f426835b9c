"""Which lines of pages are history because a newer line tells them anew."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.core.quotes.page_quotes import LOGGED, Quote
from commonplace.core.quotes.quote_topics import DECISIONS
from commonplace.memory import Memory
from commonplace.ops.quotes.told_anew import ToldAnew
from commonplace.store.sqlite import Index

if TYPE_CHECKING:
    from tests.conftest import Write


def pages(files: dict[str, str], workspace: Write) -> dict[str, tuple[str, str]]:
    """Return, for each page that a reflect makes, what stands before its section History, and that section."""
    folder = workspace(files)
    with Memory(str(folder), today=date(2026, 3, 20)) as memory:
        memory.reflect(yes=True)
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (folder / "bank").rglob("*.md")}
    return {name: (text.partition("## History")[0], text.partition("## History")[2]) for name, text in texts.items()}


def decided(day: int, text: str, *, heading: str = "Settings") -> dict[str, str]:
    return {f"memory/2026-03-{day:02}.md": f"# Log\n\n## {heading}\n- Decided: {text}\n"}


def test_an_older_default_is_history(workspace: Write) -> None:
    files = decided(2, "Kestrel 2 is the default model, because it answers fast")
    files |= decided(9, "Heron 3 is the default model, because it draws as well")
    now, history = pages(files, workspace)["decisions"]
    assert "Heron 3" in now
    assert "Kestrel 2" not in now
    assert "Kestrel 2" in history
    assert "outdated by [2026-03-09]" in history


def test_the_newest_line_decides(workspace: Write) -> None:
    files = decided(2, "Kestrel 2 is the default model, because it answers fast")
    files |= decided(9, "Heron 3 is the default model, because it draws as well")
    files |= decided(14, "Kestrel 2 is the default model again, because Heron costs more")
    now, history = pages(files, workspace)["decisions"]
    assert "answers fast" in now
    assert "draws as well" in history


def test_two_headings_that_name_two_are_two(workspace: Write) -> None:
    files = decided(2, "Kestrel 2 is the default model, because it answers fast", heading="Rolf")
    files |= decided(9, "Heron 3 is the default model, because it draws as well", heading="Tove")
    now, _ = pages(files, workspace)["decisions"]
    assert "answers fast" in now


def test_an_undated_rule_of_the_core_loses_against_a_dated_change_only(workspace: Write) -> None:
    core = "# Memory\n\n## Rules\n- **Camera:** always use kite-2:lens, never the old one, for pictures of the pier\n"
    change = {"memory/2026-03-09.md": "# Log\n\n- Camera model changed to gull-3:lens\n"}
    now, history = pages({"MEMORY.md": core} | change, workspace)["preferences"]
    assert "kite-2:lens" not in now
    assert "kite-2:lens" in history


def test_another_value_in_a_log_leaves_an_undated_rule_alone(workspace: Write) -> None:
    core = "# Memory\n\n## Rules\n- Always use Kestrel 2 as the default model, never another one\n"
    same = {"memory/2026-03-09.md": "# Log\n\n- Default model: Heron 3\n"}
    assert "Kestrel 2" in pages({"MEMORY.md": core} | same, workspace)["preferences"][0]


def test_a_choice_of_a_decision_is_told_anew(workspace: Write) -> None:
    head = "# Log\n\n## Decisions\n- **Typeface of the harbour signs:** "
    files = {
        "memory/2026-03-02.md": f"{head}Futura for all boards, because people read it from the boats\n",
        "memory/2026-03-09.md": f"{head}Karla in two sizes, because the maker of the other one closed down\n",
    }
    now, history = pages(files | {"MEMORY.md": "# Harbour signs\n"}, workspace)["decisions"]
    assert "Karla" in now
    assert "Futura" in now
    files = {path: text.replace("# Log", "# Harbour signs") for path, text in files.items()}
    now, history = pages(files, workspace)["decisions"]
    assert "Karla" in now
    assert "Futura" in history


def outdated(files: dict[str, str], workspace: Write, *known: str, topic: str = LOGGED) -> set[str]:
    """Return the texts of the dated lines which a newer line tells anew.

    Args:
        known: names, as keys.
    """
    folder = workspace(files)
    with Memory(str(folder), today=date(2026, 3, 20)) as memory:
        memory.index()
    index = Index(str(folder / ".memory" / "index.sqlite"))
    read = [*index.told_lines(index.told_files())]
    lines = [told.line for told in read]
    named = {told.rows[0]: [name for name in known if name in told.line.content.lower()] for told in read}
    found = ToldAnew(index, named).of(Quote(line, 1.0, topic, LOGGED) for line in lines)
    index.close()
    return {line.content for line in lines if line.source in found}


def held(day: int, *lines: str) -> dict[str, str]:
    return {f"memory/2026-03-{day:02}.md": "# Log\n\n## Holdings\n" + "".join(f"- {each}\n" for each in lines)}


def test_a_holding_without_an_account_is_that_of_the_only_one(workspace: Write) -> None:
    files = held(2, "Club account: Reef 40 shares") | held(9, "Reef: 15 shares")
    assert outdated(files, workspace) == {"Club account: Reef 40 shares"}


def test_what_two_accounts_hold_on_one_day_needs_the_account(workspace: Write) -> None:
    both = held(2, "Club account: Reef 40 shares", "Boat account: Reef 8 shares")
    assert outdated(both | held(9, "Reef: 15 shares"), workspace) == set()
    assert outdated(both | held(9, "Boat account: Reef 15 shares"), workspace) == {"Boat account: Reef 8 shares"}


def test_a_port_that_moved_is_history(workspace: Write) -> None:
    page = {"bank/entities/Tide-Relay.md": "# Tide Relay\n"}
    logs = {
        "memory/2026-03-02.md": "# Log\n\n- The Tide Relay listens on port 8080, because others are blocked\n",
        "memory/2026-03-09.md": "# Log\n\n- The Tide Relay now listens on port 9090, because the office opened it\n",
    }
    now, history = pages(page | logs, workspace)["Tide-Relay"]
    assert "9090" in now
    assert "8080" in history


def test_a_holding_before_an_outdated_one_is_history_whoever_held_it(workspace: Write) -> None:
    both = held(2, "Club account: Reef 40 shares", "Boat account: Reef 8 shares")
    later = held(5, "Boat account: Reef 9 shares", "Club account: Reef 30 shares")
    folder = workspace(both | later | held(9, "Boat account: Reef 15 shares"))
    with Memory(str(folder), today=date(2026, 3, 20)) as memory:
        memory.index()
    index = Index(str(folder / ".memory" / "index.sqlite"))
    quotes = [Quote(told.line, 1.0, LOGGED, LOGGED) for told in index.told_lines(index.told_files())]
    anew = ToldAnew(index, {})
    newer = {each.line.source: each.line for each in quotes if each.line.content == "Boat account: Reef 9 shares"}
    found = anew.of_siblings(quotes, newer)
    index.close()
    passed = {each.line.content for each in quotes if each.line.source in found}
    assert passed == {"Club account: Reef 40 shares", "Boat account: Reef 8 shares"}


def test_a_line_that_outdates_another_and_is_outdated_itself_is_not_shown_as_what_holds(workspace: Write) -> None:
    first = held(2, "Reef: 40 shares, bought because Rolf trusts the yard") | {"bank/entities/Reef.md": "# Reef\n"}
    second, third = held(5, "Reef: 40 → 90 shares"), held(9, "Reef: 15 shares")
    assert "90 shares" in pages(first | second, workspace)["Reef"][0]
    now, _ = pages(first | second | third, workspace)["Reef"]
    assert "15 shares" in now and "90 shares" not in now and "40 shares" not in now


@pytest.mark.parametrize(
    ("above", "account", "text"),
    [
        ("Holdings at cost", "Holdings of the club", "Reef: {} shares"),
        ("Beholdning til kostpris", "Klubbens beholdning", "Reef: {} andele"),
        ("持仓成本记录", "主账户持仓", "礁石股份：{}股"),
        ("持倉成本記錄", "主帳戶持倉", "礁石公司：{}股"),
        ("保有明細", "クラブの保有", "礁石商会: {}株"),
        ("होल्डिंग लागत", "क्लब होल्डिंग", "Reef: {} शेयर"),
        ("Портфель, себестоимость", "Портфель клуба", "Reef: {} акций"),
    ],
)
def test_a_heading_of_costs_names_no_account(workspace: Write, above: str, account: str, text: str) -> None:
    logs = {
        f"memory/2026-03-{day:02}.md": f"# Log\n\n## {heading}\n- {text.format(number)}\n"
        for day, heading, number in ((2, above, 40), (9, account, 15))
    }
    assert outdated(logs, workspace) == {text.format(40)}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The default model for cost reports is Opus", "The default model for reports is Haiku"),
        ("Standardmodellen til rapporter om kostpris er Opus", "Standardmodellen til rapporter er Haiku"),
        ("Модель по умолчанию для отчетов себестоимость: Opus", "Модель по умолчанию для отчетов: Haiku"),
        ("成本报告的默认模型是 Opus", "报告的默认模型是 Haiku"),
        ("取得価格の報告の既定モデルは Opus", "報告の既定モデルは Haiku"),
        ("लागत रिपोर्ट का डिफ़ॉल्ट मॉडल Opus है", "रिपोर्ट का डिफ़ॉल्ट मॉडल Haiku है"),
    ],
)
def test_costs_name_something_elsewhere(workspace: Write, first: str, second: str) -> None:
    logs = {f"memory/2026-03-0{day}.md": f"# Log\n\n- {text}\n" for day, text in ((2, first), (9, second))}
    assert outdated(logs, workspace) == set()


def listed(day: int, *lines: str, heading: str = "Boats in the yard") -> dict[str, str]:
    return {f"memory/2026-03-{day:02}.md": f"# Log\n\n## {heading}\n" + "".join(f"{each}\n" for each in lines)}


@pytest.mark.parametrize(
    ("heading", "older", "newer"),
    [
        ("Boats in the yard", "- Kestrel: debt 900 kr", "- Kestrel: debt 400 kr"),
        ("Både i havnen", "- Kestrel: gæld 900 kr", "- Kestrel: gæld 400 kr"),
        ("Лодки клуба", "- Kestrel: долг 900 рублей", "- Kestrel: долг 400 рублей"),
        ("क्लब की नावें", "- Kestrel: कर्ज 900 रुपये", "- Kestrel: कर्ज 400 रुपये"),
        ("船只名单", "- Kestrel：欠款900元", "- Kestrel：欠款400元"),
        ("船の一覧", "- Kestrel：残債900円", "- Kestrel：残債400円"),
    ],
)
def test_the_list_of_a_newer_day_tells_of_its_items_anew(
    workspace: Write, heading: str, older: str, newer: str
) -> None:
    logs = listed(2, older, heading=heading) | listed(9, newer, heading=heading)
    assert outdated(logs, workspace, "kestrel") == {older.removeprefix("- ")}


def test_the_table_of_a_newer_day_tells_of_its_rows_anew(workspace: Write) -> None:
    older = listed(2, "| Boat | Berth | Debt |", "|---|---|---|", "| Kestrel | 4 | 900 kr |", "| Tern | 5 | 100 kr |")
    newer = listed(9, "| Boat | Debt | Berth |", "|---|---|---|", "| Kestrel | 400 kr | 4 |", "| Tern | 100 kr | 5 |")
    assert outdated(older | newer, workspace, "kestrel", "tern") == {"| Kestrel | 4 | 900 kr |"}


def test_the_newest_list_decides(workspace: Write) -> None:
    logs = (
        listed(2, "- Kestrel: debt 900 kr") | listed(5, "- Kestrel: debt 400 kr") | listed(9, "- Kestrel: debt 900 kr")
    )
    assert outdated(logs, workspace, "kestrel") == {"Kestrel: debt 400 kr"}


def test_what_a_newer_list_says_of_something_else_decides_nothing(workspace: Write) -> None:
    logs = listed(2, "- Kestrel: debt 900 kr") | listed(5, "- Kestrel: debt 400 kr") | listed(9, "- Kestrel: mast 12 m")
    assert outdated(logs, workspace, "kestrel") == {"Kestrel: debt 900 kr"}


def test_of_two_lists_of_one_day_it_is_not_known_which_goes_on(workspace: Write) -> None:
    two = listed(9, "- Kestrel: debt 400 kr", "", "## Boats in the yard of the club", "- Kestrel: debt 700 kr")
    assert outdated(listed(2, "- Kestrel: debt 900 kr") | two, workspace, "kestrel") == set()


def test_lists_tell_only_known_names_and_what_their_day_tells_anew(workspace: Write) -> None:
    logs = listed(2, "- Kestrel: debt 900 kr") | listed(9, "- Kestrel: debt 400 kr")
    assert outdated(logs, workspace) == set()
    assert outdated(logs, workspace, "kestrel", topic=DECISIONS) == set()


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("Daily review", "- Boats mended: {} boats"),
        ("Dagens status", "- Både gjort klar: {} både"),
        ("Итоги дня", "- Лодки готовы: {} лодок"),
        ("दिन की समीक्षा", "- ठीक नावें: {} नावें"),
        ("每日复盘", "- 修好的船：{}条"),
        ("毎日の記録", "- 直した船：{}隻"),
    ],
)
def test_a_field_of_three_days_needs_no_name(workspace: Write, heading: str, field: str) -> None:
    logs = listed(2, field.format(3), heading=heading) | listed(5, field.format(4), heading=heading)
    assert outdated(logs, workspace) == set()
    logs |= listed(9, field.format(5), heading=heading)
    assert outdated(logs, workspace) == {field.format(number).removeprefix("- ") for number in (3, 4)}


def test_a_purchase_of_a_list_is_no_state(workspace: Write) -> None:
    logs = listed(2, "- Kestrel: bought 3 sails") | listed(9, "- Kestrel: bought 5 sails")
    assert outdated(logs, workspace, "kestrel") == set()


def test_a_speaker_is_no_item(workspace: Write) -> None:
    first = listed(2, "- Kim: debt 900 kr", "- Lea: Oh.", "- Kim: Sorry.", "- Lea: Fine.", heading="Evening talk")
    second = listed(9, "- Kim: debt 400 kr", "- Lea: Oh.", "- Kim: Sorry.", "- Lea: Fine.", heading="Evening talk")
    assert outdated(first | second, workspace, "kim", "lea") == set()
