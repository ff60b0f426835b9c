"""Open tasks: the channel that finds them if a question asks what is to do."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from commonplace.core.recall.coverage import wants_more_than_names
from commonplace.core.recall.index_rows import lineage
from commonplace.core.recall.query_analysis import Ask, answers, title_of
from commonplace.core.recall.scoring import DONE, OPEN_TASK, Signal
from commonplace.core.tables import table
from commonplace.core.text.analyzer import OPEN_BOX, noun_term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonplace.core.recall.analyzed_question import AnalyzedQuestion
    from commonplace.core.recall.found_lines import Found
    from commonplace.core.recall.index_rows import Above, RowRange
    from commonplace.store.sqlite import Index

MOST_BELOW = 40
"""Lines below a title that may be tasks."""


def by_task(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find open boxes, and the lines below or behind a title such as TODO, if the question asks what is to do.

    If it asks for those of somebody or about something: those that other channels found, or whose headings they found.
    """
    if Ask.TASKS not in question.reading.asks:
        return found
    above: Above = {}
    tasks = {*_tasks(index, found.bounds, above)}
    if question.reading.entities or wants_more_than_names(question.reading):
        index.ancestors(tasks, above)
        tasks = {row for row in tasks if not found.rows.keys().isdisjoint(lineage(row, above))}
    weight = table("rank")["open_task"]
    return found.plus(sorted(tasks), 1.0, signals=dict.fromkeys(tasks, Signal(OPEN_TASK, weight)))


def _tasks(index: Index, among: RowRange, above: Above) -> Iterator[int]:
    """Yield the rows of open tasks.

    Args:
        above: texts read so far; new ones are added to it.
    """
    boxes, named = index.match_each([(f'"{OPEN_BOX}"', among), (_titles(), among)])
    yield from boxes
    above.update(index.texts(named))
    titles = []
    for row in named:
        text = above[row][2]
        if Ask.TASKS not in answers(text):
            continue
        if any(map(str.isalnum, title_of(text)[1])):
            yield row
        else:
            titles.append(row)
    beside = index.neighbours(titles, above, before=0, after=MOST_BELOW)
    index.ancestors({parent for _, after in beside.values() for _, parent, _ in after}, above)
    for row, (_, after) in beside.items():
        for other, parent, text in after:
            if row in lineage(parent, above) and not text.startswith(DONE):
                yield other


@cache
def _titles() -> str:
    """Return the search for the lines with a title."""
    listed = table("answers")["tasks"].items()
    terms = [noun_term(title.strip("^ "), language) for language, titles in listed for title in titles]
    return " OR ".join(dict.fromkeys(term.match for term in terms if term is not None))
