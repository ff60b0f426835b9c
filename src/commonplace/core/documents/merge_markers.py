"""A file with merge markers keeps the facts that were read from it before the markers appeared.

Every line stays findable. A fact counts when the file stated it before the merge, and a line is narrative when it stood
there; what else either side says waits until somebody settles the merge. Line numbers are those of the file as it is.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from commonplace.core.documents.file_problems import MERGE
from commonplace.core.documents.hearsay import no_fact
from commonplace.core.documents.parse import Document, parse
from commonplace.core.markdown.structure_scanner import CONFLICTING
from commonplace.core.model import Role
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.documents.parse import Line
    from commonplace.core.model import Problem

HINT = "settle the merge; until then only what the file said before counts"


def marker_in(text: str) -> int:
    """The number of the first line of a text that is a merge marker, and stands in no code; 0: there is none."""
    if not any(mark in text for mark in CONFLICTING):
        return 0
    return next((each.source.line for each in parse("", text).problems if each.code == MERGE), 0)


def require_settled(old: str, new: str) -> None:
    """Raise UsageError for a text that a write would give merge markers: nothing new in the file would count then.

    Args:
        old: the text as it was; one that has markers already may be edited, for so they go.
    """
    line = marker_in(new)
    if line and not marker_in(old):
        raise UsageError(
            f"line {line} would begin like a merge marker of git, and nothing new in the file would count",
            "leave it out, or put it into a code fence: ``` on a line above and below",
        )


def unsettled(document: Document, text: str, facts: Iterable[str], texts: Iterable[str]) -> Document:
    """The document of a file amid a merge.

    Args:
        document: as `parse` reads it, with nothing of it a fact.
        text: the file's text.
        facts: ids of the facts that it stated before; of twins each.
        texts: of the lines that it had before.
    """
    known, said = Counter(facts), Counter(texts)
    read = parse(document.path, without_markers(text))
    marks = tuple(each._replace(hint=HINT) for each in document.problems if each.code == MERGE)
    told: list[Problem] = sorted((*read.problems, *marks))
    return read._replace(
        lines=tuple(_counting(line, known, said) for line in read.lines), problems=tuple(told), chunks=()
    )


def without_markers(text: str) -> str:
    """The text with both sides of each conflict, and an empty line for each marker."""
    inside, out = False, []
    for line in text.split("\n"):
        begins, ends = (line.startswith(mark) for mark in CONFLICTING)
        marks = begins or ends or (inside and (line.rstrip() == "=======" or line.startswith("|||||||")))
        inside = (inside or begins) and not ends
        out.append("" if marks else line)
    return "\n".join(out)


def _counting(line: Line, known: Counter[str], said: Counter[str]) -> Line:
    """A line as it counts: as before once for each time that it was said before, else findable alone."""
    if line.generated:
        return line
    if line.fact is not None and known[line.fact.id] > 0:
        known[line.fact.id] -= 1
        return line
    if line.fact is None and said[line.text] > 0:
        said[line.text] -= 1
        return line
    role = line.role if line.role is Role.META else Role.CODE
    return no_fact(line)._replace(role=role, speaker="")
