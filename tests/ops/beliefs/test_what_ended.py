"""Which undated lines are history on pages because a log says that what they name was removed."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.core.quotes.page_quotes import NOTES, Quote
from commonplace.core.quotes.quote_topics import PREFERENCES
from commonplace.memory import Memory
from commonplace.ops.beliefs.what_ended import WhatWasRemoved
from commonplace.store.sqlite import Index

if TYPE_CHECKING:
    from tests.conftest import Write

CORE = "# Memory\n\n## Cron jobs\n- {}\n"
MAIL, BOTH = "Tide table mail (daily)", "Tide table mail (daily), berth reminder (weekly)"
FILE = "Berths are kept in `pier/berths.json`, and the clerk reads them there"


def outdated(workspace: Write, core: str, *logs: str, topic: str = NOTES, in_core: bool = True) -> set[str]:
    """Return the texts of the lines of MEMORY.md that are history."""
    files = {f"memory/2026-03-{day:02}.md": f"# Log\n\n- {text}\n" for day, text in enumerate(logs, 2)}
    folder = workspace(files | {"MEMORY.md": CORE.format(core)})
    with Memory(str(folder), today=date(2026, 3, 20)) as memory:
        memory.index()
    with Index(str(folder / ".memory" / "index.sqlite")) as index:
        lines = [told.line for told in index.told_lines(["MEMORY.md"])]
        quotes = [Quote(line, 1.0, topic, NOTES, core=in_core) for line in lines]
        found = WhatWasRemoved(index).of(quotes)
    return {line.content for line in lines if line.source in found}


@pytest.mark.parametrize(
    ("core", "log"),
    [
        (MAIL, "Tide table mail cron deleted"),
        (MAIL, "Removed: old logo, tide table mail"),
        (FILE, "Deleted: index.html, berths.json, old logo"),
        ("Tidevandsbrev til havnen (dagligt)", "Tidevandsbrev til havnen slettet"),
        ("潮汐邮件提醒（每天）", "潮汐邮件提醒已删除"),
        ("潮汐郵件提醒（每天）", "潮汐郵件提醒已刪除"),
        ("潮汐メール通知（毎日）", "潮汐メール通知を削除"),
        ("ज्वार तालिका मेल (रोज़)", "ज्वार तालिका मेल हटा दिया"),
        ("Рассылка таблицы приливов (ежедневно)", "Рассылка таблицы приливов удалена"),
    ],
)
def test_what_was_removed_is_history(workspace: Write, core: str, log: str) -> None:
    assert outdated(workspace, core, log) == {core}


def test_a_list_is_history_when_all_of_it_was_removed(workspace: Write) -> None:
    assert outdated(workspace, BOTH, "Tide table mail cron deleted") == set()
    assert outdated(workspace, BOTH, "Tide table mail cron deleted", "Berth reminder removed") == {BOTH}


@pytest.mark.parametrize(
    "logs",
    [
        ("Tide table mail cron deleted", "Tide table mail cron active"),
        ("Draft of the tide table mail deleted",),
        ("We should get the tide table mail deleted",),
        ("> Tide table mail deleted?",),
        ("Berth fee mail deleted",),
        ("Tide table mail sent",),
    ],
)
def test_what_is_there_again_or_was_not_removed_is_no_history(workspace: Write, logs: tuple[str, ...]) -> None:
    assert outdated(workspace, MAIL, *logs) == set()


def test_a_file_that_comes_and_goes_or_is_of_a_rule_is_no_history(workspace: Write) -> None:
    log = "What the pump says is kept in `pump.log`, and the clerk reads it there"
    assert outdated(workspace, log, "Deleted: pump.log, old logo") == set()
    assert outdated(workspace, FILE, "Deleted: index.html, berths.json", topic=PREFERENCES) == set()
    assert outdated(workspace, FILE, "Deleted: index.html, old-berths.json") == set()


def test_only_lines_of_core_files_are_read(workspace: Write) -> None:
    assert outdated(workspace, MAIL, "Tide table mail cron deleted", in_core=False) == set()
