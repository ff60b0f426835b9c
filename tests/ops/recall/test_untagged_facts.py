"""Two facts about somebody whom nobody tagged: the newer one leads, and says of the older that it is past."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Write

OLD, NEW = date(2026, 1, 5), date(2026, 3, 5)
ONE = {
    "en": ("Mom lives in Bristol.", "Mom lives in Leeds now.", "Where does Mom live?"),
    "en: at work": ("Dad works for Acme.", "Dad works for Initech now.", "Where does Dad work?"),
    "da": ("Mor bor i Ribe.", "Mor er flyttet til Odense.", "Hvor bor mor?"),
    "da: a name": ("Sigbrit bor i Ribe.", "Sigbrit er flyttet til Odense.", "Hvor bor Sigbrit?"),
    "zh": ("何晓月住在苏州。", "何晓月搬到了宁波。", "何晓月住在哪里？"),
    "zh-hant": ("媽媽住在臺中。", "媽媽搬到了高雄。", "媽媽住在哪裡？"),
    "ja": ("お母さんは京都に住んでいる。", "お母さんは神戸に引っ越した。", "お母さんはどこに住んでいる？"),
    "hi": ("कविता पुणे में रहती है।", "कविता अब दिल्ली में रहती है।", "कविता कहाँ रहती है?"),
    "ru": ("Аглая живёт в Туле.", "Аглая переехала в Самару.", "Где живёт Аглая?"),
}
MANY = {
    "en": ("The client lives in Bristol.", "The client lives in Leeds now.", "Where does the client live?"),
    "en: with a capital": ("Client lives in Bristol.", "The Client moved to Leeds.", "Where does the client live?"),
    "da": ("Kunden bor i Ribe.", "Kunden er flyttet til Odense.", "Hvor bor kunden?"),
    "zh": ("客户住在苏州。", "客户搬到了宁波。", "客户住在哪里？"),
    "zh-hant": ("鄰居住在臺中。", "鄰居搬到了高雄。", "鄰居住在哪裡？"),
    "ja": ("お客様は京都に住んでいる。", "お客様は神戸に引っ越した。", "お客様はどこに住んでいる？"),
    "hi": ("ग्राहक पुणे में रहता है।", "ग्राहक अब दिल्ली में रहता है।", "ग्राहक कहाँ रहता है?"),
    "ru": ("Клиент живёт в Туле.", "Клиент переехал в Самару.", "Где живёт клиент?"),
}


@pytest.fixture
def memory(workspace: Write) -> Memory:
    return Memory(str(workspace({"MEMORY.md": "# Memory\n"})), today=date(2026, 3, 20))


@pytest.mark.parametrize(("older", "newer", "question"), ONE.values(), ids=ONE)
def test_a_retained_fact_outdates_the_older_one(memory: Memory, older: str, newer: str, question: str) -> None:
    memory.retain(older, date=OLD)
    memory.retain(newer, date=NEW)
    first, second = memory.recall(question).hits[:2]
    assert (first.line.recorded, first.superseded_by) == (NEW, None)
    assert (second.line.recorded, second.superseded_by) == (OLD, first.line.source)


@pytest.mark.parametrize(("older", "newer", "question"), ONE.values(), ids=ONE)
def test_so_does_one_written_by_hand(workspace: Write, older: str, newer: str, question: str) -> None:
    said = {f"memory/{day}.md": f"# {day}\n\n## Retain\n\n- W: {text}\n" for day, text in ((OLD, older), (NEW, newer))}
    hits = Memory(str(workspace(said)), today=date(2026, 3, 20)).recall(question).hits
    assert [(hit.line.recorded, hit.superseded_by is None) for hit in hits[:2]] == [(NEW, True), (OLD, False)]


@pytest.mark.parametrize(("older", "newer", "question"), MANY.values(), ids=MANY)
def test_two_facts_of_whom_there_may_be_many_are_both_true(
    memory: Memory, older: str, newer: str, question: str
) -> None:
    memory.retain(older, date=OLD)
    memory.retain(newer, date=NEW)
    assert [hit.superseded_by for hit in memory.recall(question).hits] == [None, None]
