"""Questions about names that the logs use too little to tell whether they are names; they tag nothing until answered.

    - [ ] Kite Bay is a project ([2026-01-12](…), on 3 days) ^e-4k2p7

Accepting one makes a page, whose front matter says the kind: `Kite Bay is a ferry` in place of it makes it a ferry, and
`is a name` leaves the kind open.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import hash_id
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.markdown.bank_layout import REVIEW
from commonplace.core.markdown.page_links import link, quoted

if TYPE_CHECKING:
    from datetime import date

_UNTOLD = "name"
"""What stands in place of an unknown kind."""
_LONGEST = 40
"""Characters of a kind in a person's words."""


class PossibleName(NamedTuple):
    """A name that may be one."""

    key: str
    name: str
    kind: str | None
    """The most likely kind."""
    days: int
    """Days whose logs use it."""
    path: str
    recorded: date | None
    """The file and day of the last use."""

    @property
    def id(self) -> str:
        """`e-` and five characters of a digest of the key."""
        return name_id(self.key)

    @property
    def text(self) -> str:
        """The question, as a statement."""
        kind = self.kind or _UNTOLD
        return f"{self.name} is {'an' if kind[0] in 'aeiou' else 'a'} {kind}"


class NameAnswer(NamedTuple):
    """What a person says of a possible name."""

    name: str
    kind: str
    """In the person's words; empty if they tell none."""


def name_id(key: str) -> str:
    """Return the id of the question whether a possible name is one."""
    return "e-" + hash_id(key, 5)


def name_line(asked: PossibleName) -> str:
    """Return the task that asks it, for the review page."""
    day = asked.recorded.isoformat() if asked.recorded else "undated"
    return f"- [ ] {quoted(asked.text)} ({link(day, REVIEW, asked.path)}, on {asked.days} days) ^{asked.id}"


def read_name(id: str, text: str) -> NameAnswer | None:
    """Parse `Kite Bay is a project`; None if the name is not the one asked about, or no kind follows."""
    for found in re.finditer(r" is (?:an? )?", text[:1000]):
        name, kind = text[: found.start()].strip(), text[found.end() :].strip(" .")
        if name_id(entity_key(name)) == id and 0 < len(kind) <= _LONGEST and not set(kind) & set(":#[]{}\"'"):
            return NameAnswer(name, "" if kind.casefold() == _UNTOLD else kind)
    return None
