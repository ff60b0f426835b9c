"""Decisions and fixes: the one line that tells one is found among the hundreds of a log that have the same words."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from commonplace import Memory

if TYPE_CHECKING:
    from pathlib import Path

FIRST = date(2026, 1, 1)


@pytest.mark.parametrize(
    ("question", "said", "told"),
    [
        (
            "What did we decide about the report?",
            "the report went out; Ida sent the report; the report was late",
            "We agreed that the report goes out on Mondays, with the figures of Ida in it",
        ),
        (
            "Hvad besluttede vi om rapporten?",
            "rapporten er sendt; Ida sendte rapporten; rapporten var forsinket",
            "Vi aftalte at rapporten sendes om mandagen, med tallene fra Ida",
        ),
        (
            "关于报表我们决定了什么？",
            "报表发出去了; 小雨交了报表; 报表又晚了",
            "我们商定报表每周一早上发出，里面要有小雨给的数字和上一周的对比",
        ),
        (
            "Что мы решили про отчёт?",
            "отчёт ушёл; Ида прислала отчёт; отчёт опоздал",
            "Договорились, что отчёт уходит по понедельникам, с цифрами Иды внутри",
        ),
        (
            "How did we fix the report?",
            "the report went out; Ida sent the report; the report was late",
            "Repaired the report by moving its query to the second server, where the index is kept",
        ),
    ],
)
def test_what_was_decided_or_mended_leads_among_many_lines_with_its_words(
    tmp_path: Path, question: str, said: str, told: str
) -> None:
    (tmp_path / "memory").mkdir()
    for at in range(120):
        day = FIRST + timedelta(at)
        lines = [f"{each}, {at}" for each in said.split("; ")] + [told] * (at == 4)
        (tmp_path / "memory" / f"{day}.md").write_text(f"# {day}\n\n" + "".join(f"- {each}\n" for each in lines))
    with Memory(str(tmp_path), today=FIRST + timedelta(130)) as memory:
        first = memory.recall(question).hits[0]
    assert told in "\n".join(each.line.content for each in (first, *first.beside))
