"""A line near one with the name of the question is worth more, unless that name is all over the log."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

CASES = {
    "en": ("Tessa", "Tessa came by at noon.", "The kayak is paid for.", "Is the kayak of Tessa paid?"),
    "da": ("Sigbrit", "Sigbrit kom forbi.", "Kajakken er betalt.", "Er kajakken fra Sigbrit betalt?"),
    "zh": ("何晓月", "何晓月来过。", "皮艇付清了。", "何晓月的皮艇付清了吗？"),
    "zh-hant": ("何曉月", "何曉月來過。", "皮艇付清了。", "何曉月的皮艇付清了嗎？"),
    "ja": ("高瀬真帆", "高瀬真帆が来た。", "カヤックは支払い済み。", "高瀬真帆のカヤックは支払い済み？"),
    "hi": ("कविता", "कविता आई थी।", "कश्ती का भुगतान हो गया।", "कविता की कश्ती का भुगतान हुआ?"),
    "ru": ("Аглая", "Аглая заходила в полдень.", "Байдарка оплачена.", "Байдарка Аглая оплачена?"),
}
NEAR, LATER = date(2026, 3, 4), date(2026, 3, 10)


def first_day(workspace: Write, name: str, visit: str, paid: str, question: str, *, often: int) -> date | None:
    """The day of the first hit of two with the same words, of which the older one is two lines below the visit.

    Args:
        often: how many of two hundred other lines have the name.
    """
    filler = [f"{name} {number}." if number < often else f"{number}." for number in range(200)]
    logs = {NEAR: [visit, "2 + 3", "3 + 4", paid], LATER: ["5 + 6", "6 + 7", "7 + 8", paid], date(2026, 1, 2): filler}
    files = {
        f"memory/{day}.md": "".join((f"# {day}\n\n", *(f"- {each}\n" for each in lines))) for day, lines in logs.items()
    }
    root = workspace({f"bank/entities/{name}.md": f"# {name}\n", **files})
    with Memory(str(root), today=date(2026, 3, 12)) as memory:
        return next(hit.line.recorded for hit in memory.recall(question).hits if hit.line.content == paid)


@pytest.mark.parametrize(("name", "visit", "paid", "question"), CASES.values(), ids=CASES)
def test_a_line_near_a_rare_name_comes_before_a_newer_one(
    workspace: Write, name: str, visit: str, paid: str, question: str
) -> None:
    assert first_day(workspace, name, visit, paid, question, often=0) == NEAR


@pytest.mark.parametrize(("name", "visit", "paid", "question"), CASES.values(), ids=CASES)
def test_near_a_name_that_many_lines_have_it_does_not(
    workspace: Write, name: str, visit: str, paid: str, question: str
) -> None:
    assert first_day(workspace, name, visit, paid, question, often=20) == LATER
