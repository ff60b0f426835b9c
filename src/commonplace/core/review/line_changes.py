"""Questions about lines of logs that a newer one perhaps replaces; nothing follows until they are answered.

    - [ ] “Fonts: Sora and Karla” ([2026-02-26](…)) replaces “Fonts: Sora and Inter” ([2026-02-18](…)) ^l-4k2p7

An accepted one marks the older line as outdated by the newer for as long as it is on the review page; the logs stay as
they are. Nothing else is needed to tell which lines it is about, so neither may be reworded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import hash_id, line_id
from commonplace.core.markdown.bank_layout import REVIEW
from commonplace.core.markdown.page_links import in_quotes, link, resolve
from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from commonplace.core.model import AnyLine, Line

_LONGEST = 160
"""Characters of a line that are quoted."""
_PLACE = r"(“[^“”]*”) \(\[([^\]]{0,80})\]\(([^)\s]{1,500})\)\)"
_ACCEPTED = lazy_pattern(rf"\[[xX✓✔]\] {_PLACE} replaces {_PLACE}")


class LineChange(NamedTuple):
    """A line that a newer one perhaps replaces."""

    newer: Line
    older: Line

    @property
    def id(self) -> str:
        """`l-` and five characters of a digest of both lines, wherever they are."""
        ids = (line_id(each.content, each.recorded) for each in self)
        return "l-" + hash_id("\x1f".join(ids), 5)

    @property
    def text(self) -> str:
        """The question, as a statement."""
        return f"{_quote(self.newer)} replaces {_quote(self.older)}"


class QuotedLine(NamedTuple):
    """A line as the review page quotes it."""

    path: str
    day: str
    quote: str

    def is_of(self, line: AnyLine) -> bool:
        """Return whether it quotes this line."""
        return (self.path, self.day) == (line.source.path, _day(line.recorded)) and self.quote == _quote(line)


class AcceptedChange(NamedTuple):
    """A change that a person, or whom they let decide, accepted."""

    newer: QuotedLine
    older: QuotedLine


def change_line(asked: LineChange) -> str:
    """Return the task that asks it, for the review page."""
    newer, older = (
        f"{_quote(each)} ({link(_day(each.recorded), REVIEW, each.source.path)})" for each in (asked.newer, asked.older)
    )
    return f"- [ ] {newer} replaces {older} ^{asked.id}"


def accepted_changes(lines: Iterable[str]) -> Iterator[AcceptedChange]:
    """Yield the accepted changes among the lines of the review page."""
    for text in lines:
        if found := _ACCEPTED.search(text):
            newer, older = (
                QuotedLine(resolve(REVIEW, href), day, quote)
                for quote, day, href in (found.groups()[:3], found.groups()[3:])
            )
            yield AcceptedChange(newer, older)


def _quote(line: AnyLine) -> str:
    text = line.content
    return in_quotes(text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()}…")


def _day(day: date | None) -> str:
    return day.isoformat() if day else "undated"
