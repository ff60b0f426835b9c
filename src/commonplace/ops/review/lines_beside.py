"""What the author wrote beside a line: what a model is shown with a question, and by which its words are judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.resolution import Same
from commonplace.core.model import Citation, Origin, Role
from commonplace.core.pages.core_proposals import CoreProposal
from commonplace.core.review.packet import SentenceQuestion, parts_of, quotation
from commonplace.core.review.possible_names import PossibleName
from commonplace.core.secrets.guard import masked
from commonplace.core.text.escaping import place_for_model

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.secrets.redaction import Withheld
    from commonplace.store.sqlite import Index

_NEAR = 2
"""Lines before and after a line that are shown."""
_MOST_NAMING = 3
"""Lines that are shown of a name, the newest."""
_LONGEST = 200
_SILENT = (Role.HEADING, Role.CODE, Role.META)
_NOT_TOLD = (">", "＞", "~")
"""First characters of lines that quote somebody, or are struck out."""


class Beside(NamedTuple):
    """A line with what its author wrote around it."""

    path: str
    headings: tuple[str, ...]
    """Outermost first."""
    lines: tuple[tuple[int, str], ...]
    """(line number, text) in order, with the line itself; without what is somebody else's or looks like a secret."""

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join((*self.headings, *(text for _, text in self.lines)))


def beside(index: Index, place: Citation, withheld: Withheld) -> Beside | None:
    """Return what stands beside a line; None if it is not there, or generated."""
    row = index.row_at(*place)
    if row is None:
        return None
    before, after = index.neighbours([row], before=_NEAR, after=_NEAR).get(row, ((), ()))
    rows = [*(each for each, _, _ in reversed(before)), row, *(each for each, _, _ in after)]
    others, stored = index.said_by_others(rows), index.lines(rows)
    if row not in stored or stored[row].line.origin is Origin.GENERATED:
        return None
    told = [stored[each] for each in rows if each in stored and each not in others]
    lines = [each.line for each in told if each.role not in _SILENT and each.line.content[:1] not in _NOT_TOLD]
    shown = (each for each in lines if each.content.strip() and withheld.shows(each))
    above = (text for text in index.context(stored[row]) if not withheld.repeated(text))
    return Beside(
        place.path,
        tuple(above),
        tuple((each.source.line, each.content) for each in shown if not withheld.repeated(each.content)),
    )


def places_about(index: Index, question: object) -> list[Citation]:
    """Return the places of the lines that a question is about: those it cites, else the newest that name what it
    names.
    """
    if isinstance(question, CoreProposal):
        return [Citation(question.path, question.line)] if question.line else []
    if isinstance(question, SentenceQuestion):
        return []  # it shows them itself
    if isinstance(question, (Same, PossibleName)):
        keys = (question.key, question.other) if isinstance(question, Same) else (question.key,)
        found = (place for key in keys for place in index.places_naming(key, limit=_MOST_NAMING))
        return [*dict.fromkeys(found)]
    return [*parts_of(question, Citation)]


def rendered_beside(found: Iterable[Beside]) -> str:
    """Render what stands beside some lines as data for a model: each line once, with its number."""
    groups: dict[tuple[str, tuple[str, ...]], dict[int, str]] = {}
    for each in found:
        groups.setdefault((each.path, each.headings), {}).update(each.lines)
    parts = []
    for (path, headings), lines in groups.items():
        below = ", ".join(f"“{_quoted(each)}”" for each in headings)
        parts.append(f"- {place_for_model(path)}{f', below {below}' if below else ''}")
        parts += [f"  - {place_for_model(path)}#L{number}: “{_quoted(text)}”" for number, text in sorted(lines.items())]
    return "\n".join(parts)


def _quoted(text: str) -> str:
    return quotation(masked(text), _LONGEST)
