"""Whether something is still so, and how often it is done: what tells it is found among the many lines of a log that
have its words."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from commonplace import Memory

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Write

FIRST = date(2026, 1, 1)
TODAY = date(2026, 5, 27)


@pytest.mark.parametrize(
    ("question", "said", "told"),
    [
        ("is Marrow still in use?", "Marrow sent the list; Ida asked Marrow; Marrow was late",
         "Marrow was retired: nobody read what it sent, and the list of the week comes by post"),
        ("bruger vi stadig Marrow?", "Marrow sendte listen; Ida spurgte Marrow; Marrow var sen",
         "Marrow er lukket: ingen læste hvad den sendte, og ugens liste kommer nu med posten"),
        ("食谱机器人还在用吗？", "食谱机器人发了清单; 小雨问了食谱机器人; 食谱机器人晚了",
         "食谱机器人停用：它发的东西没有人看，每周的清单改成邮寄，由小雨来写"),
        ("レシピボットは今も使っている？", "レシピボットが一覧を送った; 美和が聞いた; レシピボットが遅れた",
         "レシピボットは廃止：送ったものを誰も読まず、週の一覧は美和が書いて郵便で届く"),
        ("क्या मैरो अब भी इस्तेमाल में है?", "मैरो ने सूची भेजी; मीरा ने मैरो से पूछा; मैरो को देर हुई",
         "मैरो बंद किया: उसका भेजा कोई नहीं पढ़ता था, और हफ़्ते की सूची डाक से आती है"),
        ("мы ещё используем Марроу?", "Марроу прислал список; Ида спросила Марроу; Марроу опоздал",
         "Марроу отключили: что он присылал, никто не читал, и список недели приходит по почте"),
        ("how often does the backup run?", "backup ran; the backup was late; Ida saw the backup",
         "The backup of the house runs nightly now, to the disk in the shed, since the old one was full"),
        ("hvor ofte kører kopien?", "kopien kørte; kopien var sen; Ida så kopien",
         "Kopien af huset kører dagligt nu, til disken i skuret, da den gamle var fuld"),
        ("备份多久运行一次？", "备份运行了; 备份晚了; 小雨看了备份",
         "家里的备份改为每天晚上运行，存到棚子里的硬盘，因为旧的满了"),
        ("バックアップの頻度は？", "バックアップが走った; バックアップが遅れた; 美和がバックアップを見た",
         "家のバックアップは今は毎日、物置のディスクに取る、前のが一杯になったので"),
        ("बैकअप कितनी बार चलता है?", "बैकअप चला; बैकअप देर से हुआ; मीरा ने बैकअप देखा",
         "घर का बैकअप अब हर दिन चलता है, शेड की डिस्क पर, क्योंकि पुरानी भर गई थी"),
        ("как часто делается копия?", "копия прошла; копия опоздала; Ида видела копию",
         "Копия дома теперь делается ежедневно, на диск в сарае, потому что старый заполнился"),
    ],
)  # fmt: skip
def test_the_line_that_tells_it_leads(tmp_path: Path, question: str, said: str, told: str) -> None:
    for at in range(120):
        lines = [f"- {each}, {at}." for each in said.split("; ")] + [f"- {told}."] * (at == 20)
        (tmp_path / f"{FIRST + timedelta(at)}.md").write_text("\n".join(lines), encoding="utf-8")
    with Memory(str(tmp_path), today=TODAY) as memory:
        assert told in memory.recall(question).hits[0].line.content


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("what did we decide at the weekend?", "2026-05-23"),
        ("what did we decide about last weekend?", "2026-05-23"),
        ("what did we decide about yesterday?", "2026-05-26"),
        ("hvad besluttede vi i weekenden?", "2026-05-23"),
        ("что мы решили в выходные?", "2026-05-23"),
    ],
)
def test_days_on_which_it_was_decided_are_days(workspace: Write, question: str, day: str) -> None:
    files = {
        f"memory/{at}.md": "- Decided, besluttet, решили: the gate.\n"
        for at in ("2026-05-23", "2026-05-26", "2026-03-04")
    }
    with Memory(str(workspace(files)), today=TODAY) as memory:
        assert {hit.line.source.path for hit in memory.recall(question).hits} == {f"memory/{day}.md"}
