"""Channels: each brings rows that no other brings; one more is a function and a line."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.config.semantic_settings import SemanticSettings
from commonplace.core.documents.parse import parse
from commonplace.core.model import Query, Span
from commonplace.core.recall.scored_lines import Signal
from commonplace.memory.line_meaning import Meaning
from commonplace.ops.recall import channels
from commonplace.ops.recall.channels import CHANNELS, retrieve
from commonplace.ops.recall.recall import analyze, recall
from commonplace.store.sqlite import Index

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.recall.analyzed_question import AnalyzedQuestion
    from commonplace.core.recall.found_lines import Found
    from commonplace.core.recall.index_rows import RowRange

TODAY = date(2025, 12, 31)
NOVEMBER = Span(date(2025, 11, 1), date(2025, 11, 30))
FILES = {
    "bank/entities/Inger.md": "# Inger\n\nSings in the choir.\n",
    "memory/2025-11-27.md": "# Day\n\n- the kettle broke\n- a long day at the quay\n\n## Retain\n- W @Inger: Tea.\n",
    "memory/2025-12-03.md": "## Retain\n- W @Inger: Lives in Ribe.\n- W @Bo: Away (Dec 20, 2025).\n",
    "notes.md": "- The quay was built on November 27, 2025.\n- Sister: Inger\n",
    "memory/2025-12-05.md": "- we agreed on the mast\n",
    "tasks.md": "- [ ] mend the fence\n- Rent rises in September.\n",
    "TOOLS.md": "# Tools\n\n## Printer\n\n- HP, 192.168.1.7\n",
}
BROUGHT = {
    "by_terms": (Query("kettle"), "the kettle broke"),
    "by_entity": (Query("Inger"), "Tea."),
    "by_place": (Query("where does Inger live?"), "Lives in Ribe."),
    "by_page": (Query("Inger"), "Sings in the choir."),
    "by_introduction": (Query("who is Inger?"), "Sister: Inger"),
    "by_answer": (Query("what did we decide about the mast?"), "we agreed on the mast"),
    "by_value": (Query("address of the printer"), "HP, 192.168.1.7"),
    "by_days": (Query("xyzzy on December 20"), "Away (Dec 20, 2025)."),
    "by_few_days": (Query("kettle on November 27"), "a long day at the quay"),
    "by_days_alone": (Query("November 27, 2025"), "The quay was built on November 27, 2025."),
    "by_date_words": (Query("kettle in September"), "Rent rises in September."),
    "by_range": (Query("", range=NOVEMBER), "Tea."),
    "by_task": (Query("open tasks"), "[ ] mend the fence"),
    "by_meaning": (Query("hot drink appliance that no longer works"), "the kettle broke"),
}
"""For each channel a question and a line that is worth more by it: a new channel needs a case here."""


@pytest.fixture(scope="module")
def meaning(tmp_path_factory: pytest.TempPathFactory) -> Meaning:
    """Of the real local model; its vectors are kept for the next index."""
    folder = str(tmp_path_factory.mktemp("vectors"))
    return Meaning(SemanticSettings("local"), lambda: folder)


def worth(query: Query, text: str, *, meaning: Meaning | None = None) -> float:
    with Index(":memory:") as index:
        index.transaction(lambda: index.writer.clear(embeds=meaning is not None))
        index.transaction(lambda: index.writer.put((parse(path, each), path, ()) for path, each in FILES.items()))
        if meaning is not None:
            index.meaning = meaning
            meaning.embed(index)
        rows = retrieve(index, analyze(index, query, today=TODAY)[0]).rows
        texts = {line.line.content: row for row, line in index.lines(rows).items()}
        return rows[texts[text]] if text in texts else 0.0


@pytest.mark.parametrize("name", [channel.__name__ for channel in CHANNELS])
def test_each_channel_makes_a_line_worth_more(name: str, meaning: Meaning, monkeypatch: pytest.MonkeyPatch) -> None:
    query, text = BROUGHT[name]
    used = meaning if name == "by_meaning" else None
    everything = worth(query, text, meaning=used)
    monkeypatch.setattr(channels, "CHANNELS", [channel for channel in CHANNELS if channel.__name__ != name])
    assert everything > worth(query, text, meaning=used)


def test_one_more_channel_is_a_function_and_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def by_length(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
        return found.plus([row for row, length, _ in index.telling_rows(found.bounds) if length > 3], 0.8)

    query = Query("kettle")
    assert not worth(query, "Sings in the choir.")
    monkeypatch.setattr(channels, "CHANNELS", (*CHANNELS, by_length))
    assert 0 < worth(query, "Sings in the choir.") < worth(query, "the kettle broke")


@pytest.mark.parametrize("text", ["the kettle broke", "xyzzy", "Inger xyzzy"])
def test_a_channel_declares_the_reason_and_the_weight_of_what_it_finds(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def by_meaning(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
        close = [row for row, length, _ in index.telling_rows(found.bounds) if length > 4]
        return found.plus(close, 0.5, signals={row: Signal('meaning: close to "pier"', 0.5) for row in close})

    with Index(":memory:") as index:
        apart = {path: each.replace("\n", "\n\n") for path, each in FILES.items()}  # no lines side by side
        index.transaction(lambda: index.writer.put((parse(path, each), path, ()) for path, each in apart.items()))
        before = {hit.line.content: hit for hit in recall(index, Query(text), today=TODAY).hits}
        monkeypatch.setattr(channels, "CHANNELS", (*CHANNELS, by_meaning))
        after = {hit.line.content: hit for hit in recall(index, Query(text), today=TODAY).hits}
    assert 'meaning: close to "pier"' in after["a long day at the quay"].why
    assert "a long day at the quay" not in before
    assert all(after[content].why == hit.why for content, hit in before.items())


def test_what_a_channel_adds_to_the_score_counts_before_a_line_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many lines with a word of the question few are read: the one that scores best is among them."""

    def by_meaning(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
        [close] = index.match("quay", among=found.bounds, limit=1)
        return found.plus([close], 0.01, signals={close: Signal('meaning: close to "pier"', 2.0)})

    words = "\n\n".join(f"- kettle {number} was sold in {number} days" for number in range(120))
    with Index(":memory:") as index:
        log = parse("memory/2025-11-27.md", f"# Day\n\n- a long day at the quay\n\n{words}\n")
        index.transaction(lambda: index.writer.put([(log, log.path, ())]))
        monkeypatch.setattr(channels, "CHANNELS", (*CHANNELS, by_meaning))
        [first, *_] = recall(index, Query("kettle"), today=TODAY).hits
    assert first.line.content == "a long day at the quay"


class Near(Meaning):
    """One in which every row that it is asked about is as near as all others."""

    def __init__(self) -> None:
        super().__init__(SemanticSettings("local"), lambda: "")

    def closeness(
        self, index: Index, text: str, *, among: RowRange | None, rows: Iterable[int]
    ) -> tuple[dict[int, float], dict[int, float]]:
        return {}, dict.fromkeys(rows, 0.0)


class Failed(Near):
    """One that could not embed the question."""

    def closeness(
        self, index: Index, text: str, *, among: RowRange | None, rows: Iterable[int]
    ) -> tuple[dict[int, float], dict[int, float]]:
        return {}, {}


def trust(line: str, question: str, meaning: Meaning | None) -> float:
    with Index(":memory:") as index:
        index.transaction(lambda: index.writer.put([(parse("a.md", f"- {line}\n"), "a.md", ())]))
        if meaning is not None:
            index.meaning = meaning
        return retrieve(index, analyze(index, Query(question), today=TODAY)[0]).trust


BY_CHANCE = [
    ("The new shelf looks crooked.", "Who looks after the puppy during travel?", "Which shelf looks crooked?"),
    ("Den nye dør passer ikke i karmen.", "Hvem passer hvalpen under rejsen?", "Hvilken dør passer ikke i karmen?"),
    ("潮湿的衣服挂在阳台上。", "地下室为什么潮湿?", "潮湿的衣服挂在哪里?"),
    ("潮濕的衣服掛在陽台上。", "地下室為什麼潮濕?", "潮濕的衣服掛在哪裡?"),
    ("世話になった先生に手紙を書いた。", "旅行中に子犬の世話を頼める相手は?", "先生に手紙を書いたのはいつ?"),
    ("बैठक के दौरान बिजली चली गई।", "सफ़र के दौरान पिल्ले को कौन संभालेगा?", "बैठक के दौरान बिजली कब गई?"),
    (
        "Поездка на рынок заняла два часа.",
        "Кто присмотрит за щенком на время поездки?",
        "Долгой была поездка на рынок?",
    ),
]
"""A line, a question that has one word of it by chance, and one in its words."""


@pytest.mark.parametrize(("line", "chance", "own"), BY_CHANCE)
def test_a_document_with_a_word_by_chance_counts_less_beside_meaning(line: str, chance: str, own: str) -> None:
    assert 0 < trust(line, chance, Near()) < 1
    assert trust(line, own, Near()) == 1


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("nightjar-7 leaks", "nightjar-7"),
        ("nightjar-7 leaks", "why did nightjar-7 crash?"),
        ("see src/tar.py", "src/tar.py"),
        ("the tarred rope", "tar*"),
        ("the kettle is new", "what is it"),
    ],
)
def test_identifiers_and_beginnings_are_words_of_a_question_too(line: str, question: str) -> None:
    assert trust(line, question, Near()) == 1


@pytest.mark.parametrize(("line", "chance"), [each[:2] for each in BY_CHANCE])
@pytest.mark.parametrize("meaning", [None, Failed()])
def test_words_alone_count_in_full(line: str, chance: str, meaning: Meaning | None) -> None:
    assert trust(line, chance, meaning) == 1


def test_a_day_asked_about_is_found_among_many_with_the_same_words() -> None:
    """The pump is in twenty lines of each of thirty later days: more than are read."""
    often = "".join(f"- pump: run {number} was fine\n" for number in range(20))
    files = {f"memory/2025-11-{day:02}.md": often for day in range(1, 31)}
    files["memory/2025-10-20.md"] = "- the pump stood still for three hours\n"
    with Index(":memory:") as index:
        index.transaction(lambda: index.writer.put((parse(path, each), path, ()) for path, each in files.items()))
        query = Query("what happened with the pump on October 20?")
        (first, *_) = recall(index, query, today=TODAY).hits
    assert first.line.content == "the pump stood still for three hours"
