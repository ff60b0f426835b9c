"""Which quotes newer lines outdate, and which of those lines the page of an entity quotes in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.changes.change_lexicon import ANOTHER_DAY, cues
from commonplace.core.entities.name_uses import Place, name_uses
from commonplace.core.model import Fact, Role
from commonplace.core.quotes.about_entity import names_it
from commonplace.core.quotes.page_quotes import EARLIER, LOGGED, quote
from commonplace.core.quotes.quote_faults import RIGHT
from commonplace.core.quotes.quote_leads import leads_in
from commonplace.core.quotes.quote_subject import in_passing
from commonplace.core.quotes.quote_topics import OTHER, demands
from commonplace.core.quotes.quote_words import behind_label, instructs
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold
from commonplace.core.timeline import ordinal
from commonplace.ops.beliefs.outdated_lines import NewerLines, day_of
from commonplace.ops.quotes.told_anew import ToldAnew
from commonplace.ops.quotes.what_ended import WhatEnded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from commonplace.core.model import AnyLine, Citation
    from commonplace.core.quotes.lines_by_entity import WeighedLine
    from commonplace.core.quotes.page_quotes import Quote
    from commonplace.core.review.line_changes import AcceptedChange
    from commonplace.ops.quotes.quote_reader import QuoteReader
    from commonplace.store.sqlite import Index

_FIGURE = lazy_pattern(r"\d+(?:\.\d+)?")
_OF_A_MOMENT = frozenset(("fails", "works", ANOTHER_DAY))
"""What a line may say of a state and yet only tell of a moment."""


class OutdatedQuotes:
    """Finds the lines that outdate quotes, whichever way these say it."""

    def __init__(
        self,
        index: Index,
        lines: Sequence[WeighedLine],
        reader: QuoteReader,
        *,
        named: Mapping[int, tuple[str, ...]],
        changes: Sequence[AcceptedChange] | None = None,
    ) -> None:
        """Keep what it finds them by.

        Args:
            lines: all of them, by their worth.
            reader: of the quotes.
            named: row -> keys of the known names in it.
            changes: accepted ones; None: as indexed.
        """
        self._index, self._reader, self._named = index, reader, named
        self._newer = NewerLines(index, accepted=changes)
        self._anew = ToldAnew(index, {**named, **{line.rows[0]: line.names for line in lines}})
        self._ended = WhatEnded(lines, reader)

    def with_newer(self, quotes: Sequence[Quote]) -> list[Quote]:
        """Return the quotes, each outdated one with the line that outdates it: a millisecond or two for each quote."""
        newer = self._newer.of([each.line for each in quotes]) | self._ended.of(quotes)
        for source, line in self._anew.of(quotes).items():
            newer[source] = max(newer.get(source, line), line, key=day_of)
        newer |= self._anew.of_siblings(quotes, newer)
        newer |= self._with_their_bullets([each for each in quotes if each.line.source not in newer])
        return [each._replace(newer=newer.get(each.line.source)) for each in quotes]

    def with_current(self, quotes: Sequence[Quote], key: str, *, last: int) -> list[Quote]:
        """Return the quotes for the page of an entity and, with those that are outdated, the lines which outdate them
        and name it: an owner asks what holds. What held for a moment is history once a later day tells of it.

        Args:
            last: ordinal of the newest day whose log tells of the entity.
        """
        newer = {each.newer.source: each for each in quotes if each.newer and not isinstance(each.newer, Fact)}
        rows = self._index.rows_at(newer.keys() - {each.line.source for each in quotes})
        found = []
        for line in (told.line for told in self._index.told_at(rows.values())):
            score, newest = newer[line.source].score, self._reader.newest
            told = quote(line, score, OTHER, tells_who=False, core=False, newest=newest)
            fits = names_it(told, key) and not in_passing(line.content, key) and not leads_in(line)
            if fits and self._reader.shows(line) and (not told.fault or told.fault in RIGHT - {"over"}):
                found.append(told)
        shown = (each._replace(topic=EARLIER) if _has_passed(each, last) else each for each in quotes)
        return [*(each for each in self.with_newer(found) if each.newer is None), *shown]

    def _with_their_bullets(self, quotes: Iterable[Quote]) -> dict[Citation, AnyLine]:
        """Return, by the source of each quote below a bullet that is outdated, the line that outdates that bullet; but
        not of a rule that names nothing of what its bullet names: it may hold when what gave rise to it is over; nor of
        a line whose figures the newer line repeats."""
        rows = {each.line.source: self._reader.above(each.line.source) for each in quotes}
        stored = self._index.lines({row for row in rows.values() if row})
        above = {
            row: each.line
            for row, each in stored.items()
            if each.role is Role.BULLET and not isinstance(each.line, Fact)
        }
        below = {
            each.line.source: each
            for each in quotes
            if (row := rows[each.line.source]) in above
            and not _outlives(each.line.content, above[row].content, self._named.get(row, ()))
        }
        asked = {above[rows[source]].source: each._replace(line=above[rows[source]]) for source, each in below.items()}
        newer = self._newer.of([each.line for each in asked.values()]) | self._anew.of(asked.values())
        found = ((each, newer.get(above[rows[source]].source)) for source, each in below.items())
        return {
            each.line.source: line
            for each, line in found
            if line is not None and not _repeats_figures(line.content, each.line.content)
        }


def _has_passed(each: Quote, last: int) -> bool:
    """Whether a line only tells what held for a moment, on a day before the last: it says nothing of who or what there
    is, of a day to come, or of a change that holds since then, as of a name."""
    if each.fault != "moment" or each.topic != LOGGED or each.until is not None:
        return False
    return 0 < ordinal(each.line.recorded) < last and cues(each.line.content) <= _OF_A_MOMENT


def _repeats_figures(newer: str, text: str) -> bool:
    """Whether a text has figures, and a newer one has all of them: `stop 12`, and then a row `| 12.0 |`."""
    told = {float(each) for each in _FIGURE.findall(text)}
    return bool(told) and told <= {float(each) for each in _FIGURE.findall(newer)}


def _outlives(text: str, bullet: str, known: Iterable[str]) -> bool:
    """Whether a line says a rule, whatever it stands below, and names nothing of what the bullet above it names.

    Args:
        known: folded known names in the bullet.
    """
    if not (demands(text) or instructs(behind_label(text))):
        return False
    uses = (fold(use.name) for use in name_uses(bullet, Role.BULLET) if use.place is not Place.LABEL)
    said = fold(text)
    return not any(name in said for name in (*known, *uses))
