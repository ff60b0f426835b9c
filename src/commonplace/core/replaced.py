"""Facts of the author's that somebody else says no longer hold: a question, and nothing follows until it is answered.

    - [ ] “Lives in Rome.” (according to web:x) replaces “Lives in Bergen.” ([2026-01-12](../memory/…)) ^r-4k2p7

It is asked of a person, in the review page, and never of a model: what somebody else said is the kind of text that is
written to persuade one.

Law: without an answer no fact, no confidence and no page differs from what it is without the question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.fact import hash_id
from commonplace.core.links import in_quotes, link, quoted
from commonplace.core.living import order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.model import Fact

REPLACES, TAKES_BACK = "replaces", "takes back"


class Replaced(NamedTuple):
    """A fact of the author's, and the one of somebody else's that says it no longer holds."""

    newer: Fact
    older: Fact
    how: str
    """`replaces` or `takes back`, as its trailer says."""

    @property
    def id(self) -> str:
        """`r-` and five signs, of both facts and of how."""
        return "r-" + hash_id(f"{self.newer.id}\x1f{self.older.id}\x1f{self.how}", 5)

    @property
    def text(self) -> str:
        """What is asked; neither fact may be reworded, for nobody could tell then what was agreed to."""
        who = quoted(self.newer.trailer.outsider)
        return f"{in_quotes(self.newer.content)} (according to {who}) {self.how} {in_quotes(self.older.content)}"


def replaced(overheard: Iterable[Fact], facts: Sequence[Fact]) -> list[Replaced]:
    """The questions that others' `supersedes` and `retracts` ask, newest first, each pair once.

    Args:
        overheard: what others say, as it counts.
        facts: the author's own that still hold.
    """
    held: dict[str, Fact] | None = None
    found: dict[str, Replaced] = {}
    for newer in overheard:
        trailer = newer.trailer
        if not (trailer.supersedes or trailer.retracts):
            continue
        if held is None:
            held = {fact.id: fact for fact in facts}
        for ids, how in ((trailer.supersedes, REPLACES), (trailer.retracts, TAKES_BACK)):
            for older in filter(None, map(held.get, ids)):
                asked = Replaced(newer, older, how)
                found.setdefault(asked.id, asked)
    return sorted(found.values(), key=lambda each: (order(each.newer), each.id), reverse=True)


def replaced_line(asked: Replaced, page: str) -> str:
    """The task that asks it, for a page."""
    day, source = asked.newer.recorded, asked.newer.source
    told = link(day.isoformat() if day else "undated", page, source.path)
    return f"- [ ] {asked.text} ({told}) ^{asked.id}"
