"""How a line reads on a page."""

from __future__ import annotations

import pytest

from commonplace.core.extract.readable_line import readable
from commonplace.core.model import Citation, Line


@pytest.mark.parametrize(
    ("content", "context", "reads"),
    [
        ("| Rolf | 900 |", ("Rents", "| Name | Rent |"), "Name: Rolf; Rent: 900"),
        ("| Rolf | | x |", ("| Name | Rent | |",), "Name: Rolf; x"),
        ("| Rolf | 900 |", ("Rents",), "| Rolf | 900 |"),
        ("17:20 The airline moved KP 417", (), "The airline moved KP 417"),
        ("[x] 9:05 am - Paid the rent", (), "Paid the rent"),
        ("17:20", (), "17:20"),
        ("30 lamps", (), "30 lamps"),
        ("assistant: [[reply_to_current]] It is sold", (), "assistant: It is sold"),
        ("user: [Signal R B (@rolf) id:482 +1m 2026-03-04 11:13 UTC] It is sold", (), "user: It is sold"),
        (
            "[Sale of Rolf id:12](https://quay.example/12) is on",
            (),
            "[Sale of Rolf id:12](https://quay.example/12) is on",
        ),
        ("[Ask id 7] is sold", (), "[Ask id 7] is sold"),
        ("Wrote [[replies]] to Ann", (), "Wrote [[replies]] to Ann"),
        ("9:30的会议改到周四", (), "9:30的会议改到周四"),
        (r"Bought tar\nand oakum\n- And a van", (), r"Bought tar\nand oakum - And a van"),
        (r"see C:\notes", (), r"see C:\notes"),
        (r"Ends lines with `a\r\n`, not `\n`", (), r"Ends lines with `a\r\n`, not `\n`"),
    ],
)
def test_a_line_reads_without_what_only_its_log_needs(content: str, context: tuple[str, ...], reads: str) -> None:
    assert readable(Line(content, (), Citation("memory/2026-03-04.md", 2), context=context)) == reads
