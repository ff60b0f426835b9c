"""How one statement reads on a page: its day, its words, where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entity import entity_key
from commonplace.core.fact import line_id
from commonplace.core.links import link, quoted

if TYPE_CHECKING:
    from commonplace.core.model import Fact, Span

_LINE = 160
"""Characters of a line of a log."""


def line_row(line: Fact, page: str, what: str) -> tuple[str, str]:
    """A line of a log: its day, its words, where it stands."""
    words = shortened(quoted(line.content), _LINE)
    if line.speaker:
        said = line.content.partition(":" if ":" in line.content else "：")[2].strip(" *")
        words = f"“{shortened(quoted(said).replace('”', '’'), _LINE)}”" if what == "said" else words
    return f"- {when_of(line)}{words} ({place(line, page)})", f"{what}-{line_id(line.content, line.recorded)}"


def place(fact: Fact, page: str) -> str:
    """Where a fact stands, and who said it when it was not the author: strangers' words are never ours."""
    path = fact.source.path
    stands = link("log" if path.startswith("memory/") else quoted(path.rpartition("/")[2]), page, path)
    return stands + according(fact)


def according(fact: Fact) -> str:
    """Who said it when it was not the author; empty when it was."""
    return f", according to {quoted(fact.trailer.outsider)}" if fact.trailer.outsider else ""


def when_of(fact: Fact) -> str:
    """`2025-11-27: `, `2025-11-27 to 12-01: `, or nothing."""
    if fact.valid is not None and (fact.valid.start or fact.valid.end):
        return f"{range_of(fact.valid)}: "
    return f"{fact.recorded.isoformat()}: " if fact.recorded else ""


def range_of(span: Span) -> str:
    """Days as people write them: `2025-11-27 to 12-01`, `since 2026-03-01`."""
    if span.start is None:
        return f"until {span.end}"
    if span.end is None:
        return f"since {span.start}"
    if span.start == span.end:
        return span.start.isoformat()
    end = span.end.isoformat()
    return f"{span.start} to {end[5:] if span.start.year == span.end.year else end}"


def year_of(fact: Fact) -> int:
    """The year in which a fact was written down; 0: undated."""
    return fact.recorded.year if fact.recorded else 0


def day_link(fact: Fact, page: str) -> str:
    """The day of a fact as a link to where it stands."""
    return link(fact.recorded.isoformat() if fact.recorded else "undated", page, fact.source.path)


def count(number: int, noun: str) -> str:
    """`1 fact`, `2 facts`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def shortened(text: str, most: int) -> str:
    """The text, cut at a word where it is too long."""
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > most // 2 else cut).rstrip(" ,;:") + "…"


def name_key(name: str, before: str = "entity-") -> str:
    """What a line about an entity stands for."""
    return before + entity_key(name).replace(" ", "-")
