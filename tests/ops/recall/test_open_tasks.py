"""Questions for what is to do find open boxes and the lines below titles such as TODO; what is done is no answer."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from commonplace.core.questions.ask_phrases import Ask
from commonplace.core.questions.query_analysis import read
from commonplace.memory import Memory
from commonplace.store.sqlite import Index

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.conftest import Write

    from commonplace.core.model import Bundle
    from commonplace.store.sqlite.index_schema import Neighbours

LOGS = {
    "en": ("Oil the gate", "Pay the piano tuner", "Borrow a ladder", "TODO", "Walked along the river."),
    "da": ("Smør lågen", "Betal klaverstemmeren", "Lån en stige", "Opgaver", "Gik en tur langs åen."),
    "zh": ("给大门上油", "付钱给调琴师", "借一把梯子", "待办事项", "沿着河边散步。"),
    "zh-Hant": ("給大門上油", "付錢給調琴師", "借一把梯子", "待辦事項", "沿著河邊散步。"),
    "ja": ("門に油をさす", "調律師に支払う", "はしごを借りる", "やること", "川沿いを散歩した。"),
    "hi": ("फाटक में तेल डालना", "पियानो वाले को पैसे देना", "सीढ़ी उधार लेना", "बाकी काम", "नदी किनारे टहले।"),
    "ru": ("Смазать калитку", "Заплатить настройщику", "Одолжить лестницу", "Список дел", "Гуляли вдоль реки."),
}


def asked(workspace: Write, question: str, files: dict[str, str]) -> Bundle:
    with Memory(str(workspace(files)), today=date(2026, 3, 12)) as memory:
        return memory.recall(question)


def told(bundle: Bundle) -> set[str]:
    return {hit.line.content for each in bundle.hits for hit in (each, *each.beside)}


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "what is still to do?"),
        ("en", "what do I have to do?"),
        ("en", "open tasks?"),
        ("en", "todo"),
        ("en", "what's next for us?"),
        ("en", "What is next?"),
        ("en", "What should we do next?"),
        ("da", "Hvad er det næste?"),
        ("da", "Hvad er det næste der skal gøres?"),
        ("zh", "接下来要做什么？"),
        ("zh-Hant", "接下來該做什麼？"),
        ("ja", "次は何をする？"),
        ("hi", "आगे क्या करना है?"),
        ("ru", "Что делать дальше?"),
        ("ru", "что дальше?"),
        ("zh", "接下来做什么？"),
        ("ja", "次は何？"),
        ("da", "hvad mangler jeg at gøre?"),
        ("da", "åbne opgaver?"),
        ("da", "hvad skal vi nå?"),
        ("zh", "还有什么要做？"),
        ("zh", "待办"),
        ("zh-Hant", "還有什麼沒做？"),
        ("zh-Hant", "待辦"),
        ("ja", "やることは？"),
        ("ja", "残っているタスクは何ですか"),
        ("hi", "अभी क्या करना बाकी है?"),
        ("hi", "बाकी काम क्या हैं?"),
        ("ru", "что ещё осталось сделать?"),
        ("ru", "какие открытые задачи?"),
    ],
)
def test_open_boxes_and_the_lines_below_a_title_are_found(workspace: Write, language: str, question: str) -> None:
    box, done, below, title, rest = LOGS[language]
    log = f"# 2026-03-10\n\n- {rest}\n- [ ] {box}\n- [x] {done}\n\n## {title}\n\n- {below}\n\n## 2026\n\n- {rest} 2\n"
    found = asked(workspace, question, {"memory/2026-03-10.md": log})
    assert {f"[ ] {box}", below} <= told(found)
    assert told(found).isdisjoint({f"[x] {done}", rest, f"{rest} 2"})
    assert not found.note
    assert all("an open task" in hit.why for each in found.hits for hit in (each, *each.beside))


def test_a_label_and_a_title_in_bold_say_that_something_is_to_do(workspace: Write) -> None:
    note = "- **TODO:** oil the gate\n- Next steps: borrow a ladder\n\n**Open tasks**\n\n- pay the tuner\n"
    found = "\n".join(told(asked(workspace, "what is left to do?", {"notes.md": note})))
    assert all(task in found for task in ("**TODO:** oil the gate", "Next steps: borrow a ladder", "pay the tuner"))


def test_an_open_box_of_which_the_text_is_struck_out_is_no_task(workspace: Write) -> None:
    log = "- [ ] Oil the gate\n- [ ] ~~Buy a lamp~~ (not needed)\n- [ ] ~~Paint the wall~~\n"
    assert told(asked(workspace, "open tasks?", {"memory/2026-03-10.md": log})) == {"[ ] Oil the gate"}


def test_a_rule_below_a_title_is_no_task(workspace: Write) -> None:
    note = "# Plan\n\n**TODO:**\n- oil the gate\n\n---\n\n[message_id: 138]\n"
    assert told(asked(workspace, "open tasks?", {"notes.md": note})) == {"oil the gate"}


def test_a_box_that_ends_in_done_is_no_task(workspace: Write) -> None:
    log = "# 2026-03-10\n\n- [ ] Log of today: done\n- [ ] 今日日志：完成\n- [ ] Oil the gate\n"
    assert told(asked(workspace, "open tasks?", {"memory/2026-03-10.md": log})) == {"[ ] Oil the gate"}


@pytest.mark.parametrize(
    "question",
    ["what are my open tasks?", "hvad er mine opgaver?", "我的待办是什么？", "what is my todo list?"],
)
def test_the_tasks_of_the_owner_are_not_on_the_page_that_introduces_them(workspace: Write, question: str) -> None:
    files = {"USER.md": "# USER.md\n\n- **Name:** Maja Lund\n", "memory/2026-03-10.md": "- [ ] Oil the gate\n"}
    assert told(asked(workspace, question, files)) == {"[ ] Oil the gate"}


@pytest.mark.parametrize("question", ["what is next to the gate?", "what's the next train?", "hvad er det næste tog?"])
def test_what_is_next_to_something_is_no_task(question: str) -> None:
    assert Ask.TASKS not in read(question, date(2026, 3, 12)).asks


def test_what_is_below_a_longer_heading_with_such_a_word_is_no_task(workspace: Write) -> None:
    note = "# Completed tasks\n\n- oiled the gate\n\n# Things to do in Ribe\n\n- the cathedral\n"
    assert not asked(workspace, "what do I have to do?", {"notes.md": note}).hits


def test_what_is_struck_cancelled_or_ticked_below_a_title_is_no_task(workspace: Write) -> None:
    note = "# TODO\n\n- ~~oil the gate~~\n- [-] pay the tuner\n- [X] mow the lawn\n- borrow a ladder\n"
    assert told(asked(workspace, "open tasks?", {"notes.md": note})) == {"borrow a ladder"}


def test_a_question_about_something_finds_its_tasks_and_no_others(workspace: Write) -> None:
    log = "# 2026-03-10\n\n- [ ] Oil the gate\n- [ ] Wax the skis\n- [x] Paint the gate\n- The gate squeaks.\n"
    log += "\n## Sauna\n\n### TODO\n\n- Order wood\n"
    files = {"memory/2026-03-10.md": log}
    assert [hit.line.content for hit in asked(workspace, "what is still to do about the gate?", files).hits] == [
        "[ ] Oil the gate",
        "The gate squeaks.",
        "[x] Paint the gate",
    ]
    assert "Order wood" in told(asked(workspace, "open tasks for the sauna?", files))


def test_a_task_for_somebody_is_before_other_lines_about_them(workspace: Write) -> None:
    log = "# 2026-03-10\n\n- [[Rob]] has a boat.\n\n- [ ] [[Rob]] signs the lease\n\n- [ ] Wax the skis\n"
    found = asked(workspace, "what does Rob have to do?", {"memory/2026-03-10.md": log})
    assert next(iter(found.hits)).line.content == "[ ] [[Rob]] signs the lease"
    assert "[ ] Wax the skis" not in told(found)


def test_where_somebody_has_no_open_task_a_note_says_so(workspace: Write) -> None:
    log = "# 2026-03-10\n\n- [[Rob]] has a boat.\n\n- [x] [[Rob]] signs the lease\n\n- [ ] Wax the skis\n"
    found = asked(workspace, "open tasks of Rob?", {"memory/2026-03-10.md": log})
    assert [hit.line.content for hit in found.hits] == ["[[Rob]] has a boat.", "[x] [[Rob]] signs the lease"]
    assert found.note == "none of these is an open task"


def test_tasks_are_open_on_every_day(workspace: Write) -> None:
    files = {"memory/2026-03-10.md": "# 2026-03-10\n\n- [ ] Oil the gate\n- Walked along the river.\n"}
    for question in ("what do I have to do today?", "what do I have to do this week?", "open tasks this month?"):
        assert told(asked(workspace, question, files)) == {"[ ] Oil the gate"}, question


@pytest.mark.parametrize(
    "question",
    ["what do owls have to do with the logo?", "hvad har uglen at gøre med logoet?", "how do I open the gate?"],
)
def test_a_question_with_such_words_in_another_sense_finds_no_task(workspace: Write, question: str) -> None:
    files = {"memory/2026-03-10.md": "# 2026-03-10\n\n- [ ] Wax the skis\n- The logo (logoet) has an owl.\n- A gate.\n"}
    assert "[ ] Wax the skis" not in told(asked(workspace, question, files))


def test_with_no_task_there_is_no_answer(workspace: Write) -> None:
    files = {"notes.md": "- What to call them: Dave\n- [x] Send the bill\n- We have to do with less.\n"}
    found = asked(workspace, "what do I have to do?", files)
    assert not found.hits
    assert found.note


@pytest.mark.parametrize(
    "question",
    [
        "which tasks are done?",
        "completed tasks?",
        "what have we done of our tasks?",
        "which tasks were there in February?",
        "what were my tasks at Acme?",
        "open tasks last week?",
        "hvilke opgaver er færdige?",
        "hvilke opgaver var der i februar?",
        "哪些任务已经完成了？",
        "哪些任務做完了？",
        "完了したタスクは？",
        "タスクは何でしたか",
        "कौन से काम हो गए?",
        "कौन से काम पूरे हुए?",
        "какие задачи выполнены?",
        "какие задачи были в феврале?",
    ],
)
def test_a_question_for_what_is_done_or_past_asks_for_no_open_task(question: str) -> None:
    asks = read(question, date(2026, 3, 12)).asks
    assert Ask.TASKS not in asks


@pytest.mark.parametrize(
    "question",
    [
        "which tasks are not done yet?",
        "what still needs to be done?",
        "hvilke opgaver er ikke færdige?",
        "还有什么没做完？",
        "未完成的任务有哪些？",
        "未完了のタスクは？",
        "कौन से काम पूरे नहीं हुए?",
        "какие задачи не выполнены?",
    ],
)
def test_a_question_for_what_is_not_done_asks_for_open_tasks(question: str) -> None:
    assert Ask.TASKS in read(question, date(2026, 3, 12)).asks


def test_done_tasks_are_found_as_without_the_words_that_ask(workspace: Write) -> None:
    log = "# 2026-03-10\n\n- [ ] Oil the gate\n- [x] Pay the piano tuner (tasks)\n"
    assert "[x] Pay the piano tuner (tasks)" in told(
        asked(workspace, "which tasks are done?", {"memory/2026-03-10.md": log})
    )


@pytest.mark.parametrize(
    ("question", "done", "other"),
    [
        ("do we still need to send the invoices?", "Send the invoices", "Wax the skis"),
        ("skal vi stadig sende fakturaerne?", "Send fakturaerne", "Smør skiene"),
        ("mangler vi at sende fakturaerne?", "Send fakturaerne", "Smør skiene"),
        ("还需要做发票吗？", "做发票", "给滑雪板打蜡"),
        ("還需要做發票嗎？", "做發票", "給滑雪板打蠟"),
    ],
)
def test_a_question_about_one_task_finds_that_it_is_done(
    workspace: Write, question: str, done: str, other: str
) -> None:
    log = f"# 2026-03-10\n\n- [x] {done}\n- [ ] {other}\n"
    assert f"[x] {done}" in told(asked(workspace, question, {"memory/2026-03-10.md": log}))


OVER = [
    "- [x] Paint the fence\n  - two coats of paint\n",
    "- ✅ Paint the fence\n",
    "- ☑ Paint the fence\n",
    "- (done) Paint the fence\n",
    "- DONE: Paint the fence\n",
    "- Paint the fence ✅\n",
    "- Paint the fence (færdig)\n",
    "- 已完成：刷栅栏\n",
    "- 完了：柵を塗る\n",
    "- पूरा हुआ: बाड़ रंगना\n",
    "- Готово: покрасить забор\n",
    "- nothing\n",
    "- None right now.\n",
    "- n/a\n",
    "- ingen\n",
    "- 暂无\n",
    "- なし\n",
    "- कुछ नहीं\n",
    "- нет\n",
    "| Who | What |\n| --- | --- |\n| Ann | fence |\n",
    "### Done\n\n- Paint the fence\n",
]


@pytest.mark.parametrize("over", OVER)
def test_what_is_done_or_says_that_there_is_none_is_no_open_task(workspace: Write, over: str) -> None:
    found = asked(workspace, "what do I have to do?", {"memory/2026-03-10.md": f"# 2026-03-10\n\n## TODO\n\n{over}"})
    assert not found.hits


def test_a_box_below_a_ticked_one_is_no_open_task(workspace: Write) -> None:
    log = "# 2026-03-10\n\n- [x] Paint the fence\n  - [ ] buy paint\n- TODO: none\n"
    assert not asked(workspace, "open tasks?", {"memory/2026-03-10.md": log}).hits


def test_duties_of_somebody_and_old_lists_are_no_open_tasks(workspace: Write) -> None:
    files = {
        "bank/entities/Ann.md": "# Ann\n\n## Tasks\n\n- keeps the books\n",
        "memory/people/Rob.md": "# Rob\n\n## Tasks\n\n- sails the boat\n- [ ] Call about the mast\n",
        "memory/2025-10-01.md": "# 2025-10-01\n\n## TODO\n\n- Pick the apples\n- [ ] Store the boat\n",
    }
    assert told(asked(workspace, "open tasks?", files)) == {"[ ] Call about the mast", "[ ] Store the boat"}


def test_boxes_come_before_lines_below_titles(workspace: Write) -> None:
    files = {
        "memory/2026-03-11.md": "# 2026-03-11\n\n## TODO\n\n- Borrow a ladder\n- Call the bank\n",
        "memory/2026-02-20.md": "# 2026-02-20\n\n- [ ] Oil the gate\n",
    }
    assert asked(workspace, "open tasks?", files).hits[0].line.content == "[ ] Oil the gate"


def test_below_the_titles_of_old_logs_no_line_is_read(workspace: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"memory/2025-{month:02}-05.md": "## TODO\n\n- Oil the gate.\n" for month in range(1, 13)}
    below: list[date | None] = []
    neighbours = Index.neighbours

    def noted(self: Index, rows: Iterable[int], *given: Any, **also: Any) -> dict[int, Neighbours]:
        rows = list(rows)
        below.extend(map(self.day_of, rows) if also.get("after", 1) > 1 else ())
        return neighbours(self, rows, *given, **also)

    monkeypatch.setattr(Index, "neighbours", noted)
    new = {"memory/2026-03-05.md": "## TODO\n\n- Pay the tuner.\n", "memory/list.md": "## TODO\n\n- Borrow a ladder.\n"}
    assert told(asked(workspace, "What is left to do?", files | new)) >= {"Pay the tuner.", "Borrow a ladder."}
    assert {*below} == {date(2026, 3, 5), None}
