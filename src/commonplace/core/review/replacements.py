"""Questions about facts of the author that somebody else says no longer hold; nothing follows until they are answered.

    - [ ] “W @Rolf: In Rome.” (according to web:x) replaces “W @Rolf: In Bergen.” ([2026-01-12](…)) ^r-4k2p7

A person is asked, on the review page and at the command line, never a model (`core.review.review_answers`).

Law: without an answer every fact, confidence and page is as it would be without the question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import hash_id, render_bare
from commonplace.core.markdown.bank_layout import REVIEW
from commonplace.core.markdown.page_links import in_quotes, link
from commonplace.core.timeline import order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from commonplace.core.model import Fact

REPLACES, TAKES_BACK = "replaces", "takes back"


class Replaced(NamedTuple):
    """A fact of the author's, and the outsider's fact that says it no longer holds."""

    newer: Fact
    older: Fact
    how: str
    """`replaces` or `takes back`, by the trailer of the newer fact."""

    @property
    def id(self) -> str:
        """`r-` and five characters of a digest of both facts and `how`."""
        return "r-" + hash_id(f"{self.newer.id}\x1f{self.older.id}\x1f{self.how}", 5)

    @property
    def text(self) -> str:
        """The question, with all that accepting it would state; neither fact may be reworded."""
        newer, older = (in_quotes(render_bare(fact)) for fact in (self.newer, self.older))
        return f"{newer} (according to {self.newer.trailer.outsider}) {self.how} {older}"


def replaced(overheard: Iterable[Fact], facts: Sequence[Fact]) -> list[Replaced]:
    """Return the questions raised by `supersedes` and `retracts` of outsiders, newest first, each pair once.

    Args:
        overheard: the outsiders' facts that count.
        facts: the author's own current facts.
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


def replaced_line(asked: Replaced) -> str:
    """Return the task that asks it, for the review page."""
    day, source = asked.newer.recorded, asked.newer.source
    told = link(day.isoformat() if day else "undated", REVIEW, source.path)
    return f"- [ ] {asked.text} ({told}) ^{asked.id}"
