"""Who or what somebody is: the one line in an undated note that says so comes before the many of a log that only name
them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from commonplace import Memory

if TYPE_CHECKING:
    from pathlib import Path

FIRST = date(2026, 1, 1)
LOGS = {
    "Solveig": ("Solveig called about the invoice", "Solveig sent the report", "Solveig was late again"),
    "Solveig’s": ("Solveig ringede om fakturaen", "Solveig sendte rapporten", "Solveig kom for sent igen"),
    "周蕾": ("周蕾打电话问发票", "周蕾交了报告", "周蕾又迟到了"),
    "健太": ("健太が請求書の件で電話した", "健太が報告書を送った", "健太がまた遅れた"),
    "गीता": ("गीता ने बिल के बारे में फ़ोन किया", "गीता ने रिपोर्ट भेजी", "गीता फिर देर से आई"),
    "Вера": ("Вера звонила насчёт счёта", "Вера прислала отчёт", "Вера снова опоздала"),
    "nas01": ("nas01 was slow", "restarted nas01 after the update", "nas01 came back"),
}


def root(folder: Path, name: str, note: str) -> str:
    """A workspace of sixty days whose log names somebody 180 times, and whose MEMORY.md ends with a note."""
    (folder / "memory").mkdir()
    for at in range(60):
        day = FIRST + timedelta(at)
        said = "".join(f"- {each}, {at}\n" for each in LOGS[name])
        (folder / "memory" / f"{day}.md").write_text(f"# {day}\n\n{said}")
    core = f"# Memory\n\nThe two rooms are looked after well.\n\n{note}\n\n## More\n\n- {LOGS[name][1]}\n"
    (folder / "MEMORY.md").write_text(core)
    return str(folder)


@pytest.mark.parametrize(
    ("question", "name", "note", "told"),
    [
        ("Who is Solveig?", "Solveig", "- Solveig: builds the boats", "builds the boats"),
        ("Who is Solveig?", "Solveig", "- **Solveig Lund** – builds the boats", "builds the boats"),
        ("Who is Solveig?", "Solveig", "Solveig is our boat builder.", "boat builder"),
        (
            "Who is Solveig?",
            "Solveig",
            "## Crew\n\n### Solveig\n\n- builds the boats\n- short mails",
            "builds the boats",
        ),
        ("Who is Solveig?", "Solveig", "## Solveig\n\nBuilds the boats. Short mails, please.", "Builds the boats."),
        ("Who is Solveig?", "Solveig", "- **Solveig**\n  - builds the boats", "builds the boats"),
        ("Who is Solveig?", "Solveig", "- **Boat builder:** Solveig Lund (solveig@example.org)", "Boat builder"),
        ("Who is Solveig?", "Solveig", "- **Solveig AS** – the shipyard in Ribe", "shipyard"),
        ("Who is Solveig?", "Solveig", "- **Harbour yard (Solveig Lund, boats)** → two slips", "boats"),
        ("Hvem er Solveig?", "Solveig’s", "- Bådebygger: Solveig", "Bådebygger"),
        ("Hvem er Solveig?", "Solveig’s", "- Havneværftet (Solveig Lund, både): to beddinger", "både"),
        ("周蕾是谁？", "周蕾", "## 团队\n\n### 周蕾\n\n- 装订师傅", "装订师傅"),
        ("周蕾是什么人？", "周蕾", "- **周蕾**（蕾姐），装订师傅", "装订师傅"),
        ("周蕾是谁？", "周蕾", "- 港口印社（周蕾，装订）：两台机器", "装订"),
        ("健太は誰ですか？", "健太", "- 印刷係：健太", "印刷係"),
        ("健太は誰ですか？", "健太", "- 港印刷（健太、印刷）：機械は二台", "印刷"),
        ("गीता कौन है?", "गीता", "- बंदर प्रेस (गीता, छपाई): दो मशीनें", "छपाई"),
        ("Кто такая Вера?", "Вера", "- Портовая типография (Вера, переплёт): два станка", "переплёт"),
        ("गीता कौन है?", "गीता", "- गीता – छपाई की उस्ताद", "छपाई की उस्ताद"),
        ("Кто такая Вера?", "Вера", "## Вера\n\n- переплётчица", "переплётчица"),
        ("What is nas01?", "nas01", "- **nas01 (192.0.2.7)** = the disk station in the cellar", "disk station"),
    ],
)
def test_what_says_who_somebody_is_leads_however_often_a_log_names_them(
    tmp_path: Path, question: str, name: str, note: str, told: str
) -> None:
    with Memory(root(tmp_path, name, note), today=FIRST + timedelta(70)) as memory:
        first = memory.recall(question).hits[0]
    assert told in "\n".join(each.line.content for each in (first, *first.beside))


@pytest.mark.parametrize(
    "question",
    [
        "who's Solveig again?",
        "whos Solveig",
        "remind me who Solveig is",
        "What does Solveig do?",
        "What is Solveig's role?",
        "Tell me about Solveig",
        "Hvad laver Solveig?",
        "Hvem er Solveig?",
    ],
)
def test_who_somebody_is_may_be_asked_in_many_ways(tmp_path: Path, question: str) -> None:
    with Memory(root(tmp_path, "Solveig", "- **Solveig** – builds the boats"), today=FIRST + timedelta(70)) as memory:
        assert "builds the boats" in memory.recall(question).hits[0].line.content


def test_titles_that_only_begin_with_a_name_are_not_that_name(tmp_path: Path) -> None:
    note = "## nas01存储站\n\n- 慢\n\n## nas01更新\n\n- 快\n\n**nas01**（又称大盘），地下室的存储站。"
    with Memory(root(tmp_path, "nas01", note), today=FIRST + timedelta(70)) as memory:
        assert "大盘" in memory.recall("nas01 是什么？").hits[0].line.content


def test_what_somebody_has_is_not_who_that_is(tmp_path: Path) -> None:
    note = "Solveigs DNS-nummer er 17.\n\nSolveig Lund er vores bådebygger."
    with Memory(root(tmp_path, "Solveig", note), today=FIRST + timedelta(70)) as memory:
        assert "bådebygger" in memory.recall("Hvem er Solveig?").hits[0].line.content


@pytest.mark.parametrize(
    "note",
    [
        "- **Solveig:**\n  - prices\n  - paper",  # a label of what concerns her
        "Solveig and the others met twice.",
        "## Talk with Solveig about the oars\n\n- prices",
    ],
)
def test_what_only_concerns_somebody_says_not_who_that_is(tmp_path: Path, note: str) -> None:
    with Memory(root(tmp_path, "Solveig", note), today=FIRST + timedelta(70)) as memory:
        hits = memory.recall("Who is Solveig?").hits
    assert not [why for hit in hits for why in hit.why if why.startswith("introduces")]
