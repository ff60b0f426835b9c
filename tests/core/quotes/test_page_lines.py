"""How a line reads on a page."""

from __future__ import annotations

import pytest

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.model import Citation, Line
from commonplace.core.quotes.page_lines import line_row, own_items


@pytest.mark.parametrize(
    ("text", "name", "shown"),
    [
        ("**Boats:** Sloop (sold), Yawl (leaks, badly), Ketch (berth 3).", "Yawl", "**Boats:** Yawl (leaks, badly)"),
        ("Yawl mast (oak), Sloop (sold), Yawl sails (two)", "Yawl", "Yawl mast (oak), Yawl sails (two)"),
        ("Både: Slup (solgt), Jolle (utæt)", "Jolle", "Både: Jolle (utæt)"),
        ("Лодки: Чайка (продана); Цапля (течёт)", "Цапля", "Лодки: Цапля (течёт)"),
        ("船：海鸥号（已售）、白鹭号（漏水，很严重）", "白鹭号", "船：白鹭号（漏水，很严重）"),
        ("船：海鷗號（已售）、白鷺號（漏水）", "白鷺號", "船：白鷺號（漏水）"),
        ("舟：カモメ丸（売却済み）、サギ丸（水漏れ）", "サギ丸", "舟：サギ丸（水漏れ）"),
        ("नावें: सागर (बिक गई), बगुला (रिसती है)", "बगुला", "नावें: बगुला (रिसती है)"),
        ("Pikebay案件（3月→桟橋）、カモメ丸、ヨット・サギ", "Pikebay", "Pikebay案件（3月→桟橋）"),
        ("停靠的船：海鸥号、Pike、白鹭号（漏水）", "白鹭号", "停靠的船：白鹭号（漏水）"),
    ],
)
def test_of_a_list_of_things_with_remarks_a_page_shows_its_own(text: str, name: str, shown: str) -> None:
    assert own_items(text, entity_key(name)) == shown


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Boats: Sloop (sold), Yawl (leaks)", ""),
        ("Boats: Sloop (sold), Yawl (leaks)", "Ketch"),
        ("Boats: Annabel (sold), Yawl (built for Ann)", "Ann"),
        ("Лодки: Анната (продана), Чайка (для Анны)", "Анна"),
        ("Boats: Yawl mast (oak), Yawl sails (two)", "Yawl"),
        ("Boats: Sloop (sold), Yawl leaks", "Yawl"),
        ("Boatbuilder (oak), moving to Yawl (soon)", "Yawl"),
        ("Yawl (two masts), which Rolf built (in 1962), leaks", "Yawl"),
        ("Jolle (to master), som Rolf byggede (i 1962), lækker", "Jolle"),
        ("Чайка (две мачты), которую построил Рольф (в 1962), течёт", "Чайка"),
        ("白鹭号（双桅），罗夫造的（1962年），漏水", "白鹭号"),
        ("船：海鸥号、白鹭号、Pike", "白鹭号"),
        ("サギ丸（二本マスト）、ロルフが造ったから漏れる", "サギ丸"),
        ("サギ丸（二本マスト）、ロルフが造った（1962年）ので漏れる", "サギ丸"),
        ("सागर (दो मस्तूल), रोल्फ़ ने बनाई (1962 में), रिसती है", "सागर"),
    ],
)
def test_another_text_is_shown_whole(text: str, name: str) -> None:
    assert own_items(text, entity_key(name)) == text


def test_a_long_list_that_ends_in_something_else_is_read_at_once() -> None:
    text = f"Boats: {', '.join(f'Yawl {at} (sold)' for at in range(500))} and more"
    assert own_items(text, "yawl 7") == text


@pytest.mark.parametrize(
    ("path", "page", "text", "shown"),
    [
        ("MEMORY.md", "bank/world.md", "[pier.md](pier.md): oak piles", "[pier.md](../pier.md): oak piles"),
        ("memory/harbour.md", "bank/entities/Pier.md", "see [it](pier.md#oak)", "see [it](../../memory/pier.md#oak)"),
        ("memory/harbour.md", "bank/world.md", "![plan](../plans/pier.png)", "![plan](../plans/pier.png)"),
        ("memory/harbour.md", "bank/world.md", "[tides](https://tides.example/a.md)", "(https://tides.example/a.md)"),
        ("memory/harbour.md", "bank/world.md", "[out](../../other.md), [top](#oak)", "(../../other.md), [top](#oak)"),
        ("memory/harbour.md", "bank/world.md", "call boats[0](3.5)", "call boats[0](3.5)"),
    ],
)
def test_a_link_of_a_quoted_line_leads_where_it_led(path: str, page: str, text: str, shown: str) -> None:
    line = Line(text, (), Citation(path, 3))
    assert shown in line_row(line, page)[0]
