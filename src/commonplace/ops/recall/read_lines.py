"""Reads the lines of candidate rows, and drops those that filters exclude."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.extract.kind_guess import says_of_an_opinion
from commonplace.core.model import Fact, Kind, Origin, Role
from commonplace.core.recall.coverage import named_in
from commonplace.core.recall.found_lines import ReadLine
from commonplace.core.recall.index_rows import chain
from commonplace.core.recall.scored_lines import Candidate, dated, likely_kind, repeats_file_name
from commonplace.ops.beliefs.supersession import UNCHANGED, outcomes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from commonplace.core.model import Citation
    from commonplace.core.recall.analyzed_question import AnalyzedQuestion
    from commonplace.core.recall.index_rows import Above, StoredLine
    from commonplace.store.sqlite import Index


WHOLE = 60
"""Lines that passed the filters, of which the first are asked for more."""


def read_lines(index: Index, question: AnalyzedQuestion, *, rows: Iterable[int]) -> dict[int, ReadLine]:
    """Return the lines of these rows that pass the filters, in any order, with what outdates or disputes them."""
    lines = wanted_lines(index, question, rows=rows)
    facts = {row: line.line.id for row, line in lines.items() if isinstance(line.line, Fact)}
    if question.is_filtered:
        first = [*lines][: max(WHOLE, 2 * question.query.limit)]
        parts = [first[at : at + WHOLE] for at in range(0, len(first), WHOLE)]
        index.foresee(lambda: (index.slots(facts), *map(index.lines, parts)))
    superseded = _newest(index, question, against=index.against(facts.values()))
    disputed = _newest(index, question, against=index.against(facts.values(), ("contradicts",)))
    by_claims = outcomes(index, facts, today=question.today, as_of=question.query.as_of, asked=question.days)
    found = {}
    for row, stored in lines.items():
        newer, other = superseded.get(facts.get(row, "")), disputed.get(facts.get(row, ""))
        outcome = by_claims.get(row, UNCHANGED) if newer is other is None else UNCHANGED
        candidate = Candidate(
            stored.line,
            stored.role,
            stored.length,
            superseded_by=newer or outcome.superseded_by,
            disputed_by=other or outcome.disputed_by,
            outdated=outcome.why,
            held=outcome.held,
            opinion=stored.opinion,
            copy=stored.conflict,
        )
        found[row] = ReadLine(stored, candidate)
    return found


def read_candidates(index: Index, question: AnalyzedQuestion, rows: Sequence[int]) -> list[ReadLine]:
    """Return the same lines with their context, those of undated files with the days on which they say they hold."""
    lines = read_lines(index, question, rows=rows)
    above = index.ancestors(each.stored.parent for each in lines.values())
    found = []
    for stored, candidate in lines.values():
        line = stored.line if stored.is_fact else dated(stored.line)
        line = line._replace(context=chain(stored.parent, above))
        found.append(ReadLine(stored, candidate._replace(line=line)))
    return found


def wanted_lines(index: Index, question: AnalyzedQuestion, *, rows: Iterable[int]) -> dict[int, StoredLine]:
    """Return the lines of these rows that pass the filters, in any order."""
    read = _with_opinions(index, question, lines=lines_to_filter(index, question, rows))
    if question.wanted:
        for row, name in index.names_in(read, question.wanted).items():
            line = read[row].line
            read[row] = read[row]._replace(line=line._replace(mentions=(*line.mentions, name)))
    undated = {line.line.source.path for line in read.values() if line.line.recorded is None}
    regions = index.regions(undated if question.query.as_of is not None else ())
    below = [each.parent for each in read.values()] if Kind.OPINION in question.query.kinds else []
    above = index.ancestors(below) if below else {}
    return {row: line for row, line in read.items() if _passes(question, line, regions=regions, above=above)}


def lines_to_filter(index: Index, question: AnalyzedQuestion, rows: Iterable[int]) -> dict[int, StoredLine]:
    """Return the lines of these rows, of which the filters look at the names and regions."""
    named = bool(question.wanted) or question.query.as_of is not None
    return index.lines(rows, named=named, whole=not question.is_filtered)


def _with_opinions(index: Index, question: AnalyzedQuestion, *, lines: dict[int, StoredLine]) -> dict[int, StoredLine]:
    """Return the lines with the opinions that people keep on them, without the fields below those opinions."""
    prose = {row: line for row, line in lines.items() if not line.is_fact}
    fields = {row: line.parent for row, line in prose.items() if says_of_an_opinion(line.line.content)}
    query, reading = question.query, question.reading
    if not (fields or reading.keys or reading.kinds or query.kinds or query.as_of):
        return lines
    above = index.lines(set(fields.values()) - prose.keys()) if fields else {}
    places = {row: line.line.source for row, line in (prose | above).items()}
    held = {opinion.source: opinion for opinion in index.opinions_at(list(places.values())) if opinion.source}
    kept = {row: line for row, line in lines.items() if places.get(fields.get(row, 0)) not in held}
    for row, stored in kept.items():
        opinion = held.get(places[row]) if row in places else None
        if opinion is not None:
            about = opinion.entities or named_in(reading, opinion.statement)
            kept[row] = stored._replace(line=stored.line._replace(entities=about), opinion=opinion)
    return kept


def _newest(index: Index, question: AnalyzedQuestion, *, against: Mapping[str, tuple[int, ...]]) -> dict[str, Citation]:
    """Id -> place of the newest fact against it, of those known at that time and on the days asked about."""
    newer = index.lines({row for found in against.values() for row in found})
    known, then = question.query.as_of, question.days.end if question.days is not None else None
    found: dict[str, Citation] = {}
    for id, rows in against.items():
        for row in rows:
            day = newer[row].line.recorded
            if day is None or not ((known is not None and day > known) or (then is not None and day > then)):
                found[id] = newer[row].line.source
                break
    return found


def _passes(
    question: AnalyzedQuestion,
    stored: StoredLine,
    *,
    regions: Mapping[str, tuple[tuple[int, int], ...]],
    above: Above,
) -> bool:
    """Whether a line passes the filters of the query.

    Args:
        above: what is above the lines, if a filter asks for it.
    """
    query, line = question.query, stored.line
    if query.as_of is not None and not _was_known(stored, query.as_of, regions=regions):
        return False
    if query.range is not None:
        start, end = query.range
        day = line.recorded
        inside = day is not None and (start is None or start <= day) and (end is None or day <= end)
        if not inside and ((told_of := dated(line).told_of) is None or not told_of.overlaps(query.range)):
            return False
    if query.kinds and _kind(stored, above) not in query.kinds:
        return False
    if query.entities:
        keys = {entity_key(name) for name in (*line.entities, *line.mentions, line.speaker) if name}
        if not keys & question.wanted:
            return False
    return not (isinstance(line, Fact) and line.trailer.takes_back)


def _kind(stored: StoredLine, above: Above) -> Kind:
    if isinstance(stored.line, Fact):
        return stored.line.kind
    if stored.opinion is not None:
        return Kind.OPINION
    return likely_kind(stored.line.content, chain(stored.parent, above) if above else ())


def _was_known(stored: StoredLine, day: date, *, regions: Mapping[str, tuple[tuple[int, int], ...]]) -> bool:
    """Whether a line was known on a day. A line without a day was, if a person wrote it; our own pages know more.

    What a person changed in a region of ours, or took out of one with its id, still knows what we wrote there.
    """
    line = stored.line
    if line.origin is Origin.GENERATED:
        return False
    if stored.role is Role.HEADING and line.source.path.startswith("bank/") and repeats_file_name(line):
        return False
    known = [line.recorded]
    if line.recorded is None:
        # imported here because only as_of needs them
        from commonplace.core.markdown.page_links import linked
        from commonplace.core.markdown.region_marker import is_ours
        from commonplace.core.when import path_day

        place = line.source
        ours = isinstance(line, Fact) and is_ours(line.id)
        if ours or any(low <= place.line <= high for low, high in regions[place.path]):
            return False
        known.extend(map(path_day, linked(line.content)))  # it was written on no day before those it links to
    if stored.opinion is not None:
        known.append(stored.opinion.last_updated)
    return all(each is None or each <= day for each in known)
