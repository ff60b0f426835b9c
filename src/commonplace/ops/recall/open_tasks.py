"""Open tasks: the channel that finds them if a question asks what is to do."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING

from commonplace.core.model import Role
from commonplace.core.questions.ask_phrases import Ask, title_of, titled
from commonplace.core.recall.coverage import wants_more_than_names
from commonplace.core.recall.index_rows import lineage
from commonplace.core.recall.scored_lines import Signal, frames
from commonplace.core.recall.scoring import OPEN_TASK
from commonplace.core.tables import table
from commonplace.core.text.analyzer import OPEN_BOX, noun_term
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from commonplace.core.recall.analyzed_question import AnalyzedQuestion
    from commonplace.core.recall.found_lines import Found
    from commonplace.core.recall.index_rows import Above, RowRange, StoredLine
    from commonplace.store.sqlite import Index

MOST_BELOW = 40
"""Lines below a title that may be tasks."""
_FRESH = timedelta(days=31)
"""How long a line of a log below a title, without a box, counts as open."""
_BRACKETED = lazy_pattern(r"[(（\[【]([^()（）\[\]【】]{1,20})[)）\]】]")
_AROUND = " *_-–—.。!！:："


def by_task(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find open boxes, and the lines below or behind a title such as TODO, if the question asks what is to do.

    If it asks for those of somebody or about something: those that other channels found, or whose headings they found.
    """
    if Ask.TASKS not in question.reading.asks:
        return found
    above: Above = {}
    tasks = _tasks(index, found.bounds, above, since=(question.query.as_of or question.today) - _FRESH)
    if question.reading.entities or wants_more_than_names(question.reading):
        tasks = {row: weight for row, weight in tasks.items() if not found.rows.keys().isdisjoint(lineage(row, above))}
    found = found._replace(naming=found.naming.union(tasks if Ask.DUE in question.reading.asks else ()))
    return found.plus(
        sorted(tasks), 1.0, signals={row: Signal(OPEN_TASK, weight) for row, weight in sorted(tasks.items())}
    )


def _tasks(index: Index, among: RowRange, above: Above, *, since: date) -> dict[int, float]:
    """Row of each open task -> what it adds to the score: boxes come before lines below titles.

    Args:
        above: texts read so far; new ones are added to it.
        since: the first day of which a line of a log counts without a box.
    """
    boxes, named = index.match_each([(f'"{OPEN_BOX}"', among), (_titles(), among)])
    named = [row for row in named if (day := index.day_of(row)) is None or day >= since]
    lines = index.lines({*_below_titles(index, named, above)}.difference(boxes))
    index.ancestors([*boxes, *lines], above)
    weights = table("rank")
    fresh = [row for row, stored in lines.items() if _may_be_task(stored, since=since)]
    found = dict.fromkeys(fresh, weights["below_tasks"]) | dict.fromkeys(boxes, weights["open_task"])
    return {
        row: weight for row, weight in found.items() if not any(is_over(above[at][2]) for at in lineage(row, above))
    }


def _below_titles(index: Index, named: Iterable[int], above: Above) -> Iterator[int]:
    """Yield the rows below, or with, one of the titles in these rows."""
    above.update(index.texts(named))
    titles = []
    for row in named:
        text = above[row][2]
        if Ask.TASKS not in titled(text):
            continue
        if any(map(str.isalnum, title_of(text)[1])):
            yield row
        else:
            titles.append(row)
    beside = index.neighbours(titles, above, before=0, after=MOST_BELOW)
    index.ancestors({parent for _, after in beside.values() for _, parent, _ in after}, above)
    for row, (_, after) in beside.items():
        yield from (other for other, parent, _ in after if row in lineage(parent, above))


def _may_be_task(stored: StoredLine, *, since: date) -> bool:
    """Whether a line below a title, without a box, may be an open task: none of an old log, and no duty of somebody."""
    from commonplace.core.entities.introductions import introduces, listed_names  # here, because few questions ask

    line = stored.line
    if stored.role not in (Role.BULLET, Role.TEXT) or frames(line.content):
        return False
    if line.recorded is not None and line.recorded < since:
        return False
    path = line.source.path
    return not (path.startswith("bank/") or introduces(path) or any(person for _, person in listed_names(path, ())))


def is_over(text: str) -> bool:
    """Return whether a task, or a text above it, says that it is done or dropped, or that there is none."""
    marks, done, none = _words()
    folded = fold(text).removeprefix("[ ] ").strip(" *_")
    if folded.startswith(marks) or folded.endswith(marks):
        return True
    title, rest = (fold(part).strip(_AROUND) for part in title_of(text))
    said = {folded.strip(_AROUND), title, rest, *_BRACKETED.findall(folded)}
    return not said.isdisjoint(done) or rest in none or folded.strip(_AROUND) in none


@cache
def _words() -> tuple[tuple[str, ...], frozenset[str], frozenset[str]]:
    """The marks and words of what is done, and the words of a list without tasks."""
    data = table("tasks")
    done, none = ({fold(word) for words in data[key].values() for word in words} for key in ("done", "none"))
    return tuple(data["marks"]), frozenset(done), frozenset(none)


@cache
def _titles() -> str:
    """Return the search for the lines with a title."""
    listed = table("answers")["tasks"].items()
    terms = [noun_term(title.strip("^ "), language) for language, titles in listed for title in titles]
    return " OR ".join(dict.fromkeys(term.match for term in terms if term is not None))
