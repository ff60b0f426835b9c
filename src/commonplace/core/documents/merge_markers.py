"""A file with merge markers keeps the facts that were read from it before the markers appeared.

Every line stays searchable. A fact counts if the file stated it before the merge, and a line is narrative if the file
contained it; anything else from either side waits until somebody settles the merge. Line numbers are those of the file
as it is.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from commonplace.core.documents.file_problems import MERGE
from commonplace.core.documents.hearsay import no_fact
from commonplace.core.documents.parse import parse
from commonplace.core.markdown.structure_scanner import CONFLICTING
from commonplace.core.model import Role
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.documents.parsed_document import Document, ParsedLine
    from commonplace.core.model import Problem

HINT = "resolve the merge; until then the facts of the file's last version count"


def marker_in(text: str) -> int:
    """Return the number of the first line that is a merge marker outside code; 0 if there is none."""
    if not any(mark in text for mark in CONFLICTING):
        return 0
    return next((each.source.line for each in parse("", text).problems if each.code == MERGE), 0)


def require_settled(old: str, new: str) -> None:
    """Raise UsageError if a write would give a file merge markers: nothing new in it would count then.

    Args:
        old: the text before; one that already has markers may be edited, since that is how they are removed.
    """
    line = marker_in(new)
    if line and not marker_in(old):
        raise UsageError(
            f"line {line} starts like a merge marker of git; nothing new in the file would count",
            "leave it out, or put it in a code fence (``` on a line above and below)",
        )


def unsettled(document: Document, text: str, facts: Iterable[str], texts: Iterable[str]) -> Document:
    """Return the document of a file during a merge.

    Args:
        document: the result of `parse`, without facts.
        facts: ids of the facts that it stated before, each twin listed.
        texts: texts of the lines that it had before.
    """
    known, said = Counter(facts), Counter(texts)
    read = parse(document.path, without_markers(text))
    marks = tuple(each._replace(hint=HINT) for each in document.problems if each.code == MERGE)
    told: list[Problem] = sorted((*read.problems, *marks))
    return read._replace(
        lines=tuple(_counting(line, known, said=said) for line in read.lines), problems=tuple(told), chunks=()
    )


def without_markers(text: str) -> str:
    """Return the text with both sides of each conflict, and an empty line for each marker."""
    inside, out = False, []
    for line in text.split("\n"):
        begins, ends = (line.startswith(mark) for mark in CONFLICTING)
        marks = begins or ends or (inside and (line.rstrip() == "=======" or line.startswith("|||||||")))
        inside = (inside or begins) and not ends
        out.append("" if marks else line)
    return "\n".join(out)


def _counting(line: ParsedLine, known: Counter[str], *, said: Counter[str]) -> ParsedLine:
    """Return a line as before, once for each time that the file contained it before; else searchable only."""
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
