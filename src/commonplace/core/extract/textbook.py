"""Which undated notes are what everybody could read elsewhere: copied knowledge rather than something of the owner's.

The lines of a textbook say what is so in general: hardly any has a name, a figure, a day, a first person, a deed or an
order. One such line proves nothing, so whole sections are judged, by their shares. Holds for all languages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entities.name_uses import Place, name_uses
from commonplace.core.model import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from commonplace.core.extract.line_worth import Worth
    from commonplace.core.model import Line

_FEWEST_LINES = 12
"""Lines of a section, from which its shares tell something."""
_MOST_OF_ITS_OWN = 0.3
"""Share of lines with something of the owner's below which a section is copied. In six real workspaces: of the sections
of 40 stock-trading lessons and a business book .00 to .30, of all others with so many lines .31 to 1."""
_OF_ITS_OWN = frozenset(
    ("figures", "code", "order", "prefers", "own", "date", "life", "bond", "act", "decided", "why", "label decided")
)
"""Signs of a line that is about something particular, or tells the reader what to do."""
_DOINGS = frozenset(("own", "act", "state", "undone", "decided", "tried"))
"""Signs that somebody did, tried, decided, has or lacks something, or of how it was that day."""


def is_particular(line: Line, worth: Worth) -> bool:
    """Return whether a line has a sign that it is about something particular."""
    if not worth.signs.isdisjoint(_OF_ITS_OWN):
        return True
    return any(use.place is Place.INSIDE for use in name_uses(line.content, Role.BULLET))


def tells_doings(worth: Worth) -> bool:
    """Return whether a line has a sign of what somebody does with what it names, or of how that is: hardly any line of
    a textbook or a market report has one."""
    return not worth.signs.isdisjoint(_DOINGS)


def copied(
    sections: Sequence[Sequence[str]], particular: Sequence[bool], *, exempt: Callable[[str], bool]
) -> list[bool]:
    """Return, for each line of a file, whether it stands in a section that is copied knowledge.

    Args:
        sections: the headings and bullets above each line.
        particular: as of `is_particular`, for each.
        exempt: returns whether a heading announces something of the owner's, such as preferences.
    """
    counts: dict[tuple[str, ...], tuple[int, int]] = {}
    exempted = {heading for heading in {each for above in sections for each in above} if exempt(heading)}
    every = [
        [tuple(above[:end]) for end in range(not exempted.isdisjoint(above), len(above) + 1)] for above in sections
    ]
    for within, own in zip(every, particular, strict=True):
        for section in within:
            lines, owned = counts.get(section, (0, 0))
            counts[section] = lines + 1, owned + own
    of_others = {
        section
        for section, (lines, owned) in counts.items()
        if lines >= _FEWEST_LINES and owned < _MOST_OF_ITS_OWN * lines and exempted.isdisjoint(section)
    }
    return [not of_others.isdisjoint(within) for within in every]
