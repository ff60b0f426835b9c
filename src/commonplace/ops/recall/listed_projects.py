"""Projects: the channel that finds those that are listed, if a question asks which there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.model import Role
from commonplace.core.questions.ask_phrases import Ask
from commonplace.core.recall.coverage import wants_more_than_names
from commonplace.core.recall.scored_lines import Signal
from commonplace.core.tables import table
from commonplace.core.text.analyzer import noun_term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonplace.core.recall.analyzed_question import AnalyzedQuestion
    from commonplace.core.recall.found_lines import Found
    from commonplace.core.recall.index_rows import Above
    from commonplace.store.sqlite import Index

A_PROJECT = "a project"
"""The reason of a line below a heading such as Projects, and of the title of a note in such a folder."""
_MOST_BELOW = 40
"""Lines below a heading that may each name a project; and notes in such folders, the newest."""
_BEGINNING = 12
"""Lines of a note within which its title stands."""


def by_list(index: Index, question: AnalyzedQuestion, found: Found) -> Found:
    """Find the projects below headings that say so, and the titles of notes in folders of projects, if the question
    asks which projects there are, and nothing else."""
    if Ask.PROJECTS not in question.reading.asks or question.reading.entities:
        return found
    if question.reading.when is not None or wants_more_than_names(question.reading):
        return found
    from commonplace.ops.days.report_rows import report_rows  # here, because few questions ask

    listed, reports = dict.fromkeys((*_below_headings(index, found), *_titles(index))), report_rows(index)
    rows = [row for row in listed if found.bounds.has(row) and not reports.has(row)]
    weight = table("rank")["open_task"]
    return found.plus(rows, 1.0, signals={row: Signal(A_PROJECT, weight, listed=True) for row in rows})


def _below_headings(index: Index, found: Found) -> Iterator[int]:
    """Yield the rows right below a heading of projects, of those that are no longer text."""
    from commonplace.core.entities.introductions import lists_projects, project_words  # here, because few ask

    terms = dict.fromkeys(term.match for word in sorted(project_words()) if (term := noun_term(word, "")) is not None)
    named = index.match(" OR ".join(terms), among=found.bounds)
    above: Above = {}
    headings = [
        row
        for row, stored in index.lines(named).items()
        if stored.role is Role.HEADING and lists_projects(stored.line.content)
    ]
    beside = index.neighbours(headings, above, before=0, after=_MOST_BELOW)
    below = [other for row, (_, after) in beside.items() for other, parent, _ in after if parent == row]
    lines = index.lines(below)
    yield from (row for row in below if row in lines and lines[row].role in (Role.HEADING, Role.BULLET, Role.ROW))


def _titles(index: Index) -> Iterator[int]:
    """Yield the row of the title of each note in a folder of projects."""
    from commonplace.core.entities.introductions import lists_projects  # here, because few questions ask

    blocks = reversed(index.dated_blocks())
    paths = dict.fromkeys(path for *_, path in blocks if lists_projects(path.rpartition("/")[0].rpartition("/")[2]))
    for path in [*paths][:_MOST_BELOW]:
        rows = index.rows_in(path, limit=_BEGINNING)
        lines = index.lines(rows)
        yield from [row for row in rows if row in lines and lines[row].role is Role.HEADING][:1]
