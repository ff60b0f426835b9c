"""Reads the lines of candidate rows, and drops those that filters exclude."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.extract.kind_guess import guess_kind, says_of_an_opinion
from commonplace.core.markdown.page_links import linked
from commonplace.core.markdown.region_marker import is_ours
from commonplace.core.model import Kind, Origin, Role
from commonplace.core.recall.breadcrumbs import chain
from commonplace.core.recall.coverage import named_in
from commonplace.core.recall.scoring import Candidate, dated
from commonplace.core.timeline import takes_back
from commonplace.ops.beliefs.supersession import UNCHANGED, outcomes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from commonplace.core.model import Citation, Fact, Opinion
    from commonplace.core.recall.analyzed_question import AnalyzedQuestion
    from commonplace.ops.beliefs.supersession import Outcome
    from commonplace.store.sqlite import Index, Stored


class ReadLine(NamedTuple):
    """A line that the asker wants, with what others say of it."""

    line: Stored
    opinion: Opinion | None
    """That a person keeps there, in a table or a labelled bullet."""
    superseded_by: Citation | None
    disputed_by: Citation | None
    became: Outcome

    def candidate(
        self,
        context: tuple[str, ...],
        *,
        before: str = "",
        after: str = "",
        page_of: str = "",
        near: float = 0.0,
        document: float = 0.0,
        widened: bool = False,
        placed: bool = False,
    ) -> Candidate:
        """The line to be scored, with its headings and parent bullets and what stands around it."""
        line, became = self.line, self.became
        return Candidate(
            line.fact._replace(context=context) if context else line.fact,
            line.role.value,
            line.is_fact,
            line.length,
            before,
            after,
            page_of,
            self.superseded_by or became.superseded_by,
            self.disputed_by or became.disputed_by,
            became.why,
            became.held,
            self.opinion,
            line.conflict,
            widened,
            placed,
            near,
            document,
        )


def wanted_lines(index: Index, question: AnalyzedQuestion, *, rows: Iterable[int]) -> dict[int, Stored]:
    """The lines of these rows that the asker wants at all, in no certain order."""
    return _wanted(index, question, rows=rows)[0]


def read_lines(index: Index, question: AnalyzedQuestion, *, rows: Iterable[int]) -> dict[int, ReadLine]:
    """The same lines with what others say of them."""
    lines, held = _wanted(index, question, rows=rows)
    ids = [line.fact.id for line in lines.values() if line.fact.id]
    superseded = _newest(index, question, against=index.against(ids))
    disputed = _newest(index, question, against=index.against(ids, ("contradicts",)))
    facts = [row for row, line in lines.items() if line.is_fact]
    became = outcomes(index, facts, today=question.today, as_of=question.query.as_of, asked=question.days)
    found = {}
    for row, line in lines.items():
        one, other = superseded.get(line.fact.id), disputed.get(line.fact.id)
        said = became.get(row, UNCHANGED) if one is other is None else UNCHANGED
        found[row] = ReadLine(line, held.get(line.fact.source), one, other, said)
    return found


def read_candidates(index: Index, question: AnalyzedQuestion, rows: Sequence[int]) -> list[tuple[Stored, Candidate]]:
    """The same lines as candidates, those of undated files with the days that they say they hold."""
    lines = read_lines(index, question, rows=rows)
    above = index.ancestors(each.line.parent for each in lines.values())
    found = []
    for each in lines.values():
        line = each.line if each.line.is_fact else each.line._replace(fact=dated(each.line.fact))
        found.append((line, each._replace(line=line).candidate(chain(line.parent, above))))
    return found


def _wanted(
    index: Index, question: AnalyzedQuestion, *, rows: Iterable[int]
) -> tuple[dict[int, Stored], Mapping[Citation, Opinion]]:
    """The lines that the asker wants, and the opinions that people keep there."""
    read, held = _opinions_read(index, question, lines=index.lines(rows))
    regions: dict[str, tuple[tuple[int, int], ...]] = {}
    if question.query.as_of is not None:
        undated = {line.fact.source.path for line in read.values() if line.fact.recorded is None}
        regions = {path: index.regions(path) for path in undated}
    return {row: line for row, line in read.items() if _passes(question, line, held=held, regions=regions)}, held


def _opinions_read(
    index: Index, question: AnalyzedQuestion, *, lines: dict[int, Stored]
) -> tuple[dict[int, Stored], Mapping[Citation, Opinion]]:
    """The lines with what opinions that people keep on them are about, without those that only tell of one."""
    prose = {row: line for row, line in lines.items() if not line.is_fact}
    fields = {row: line.parent for row, line in prose.items() if says_of_an_opinion(line.fact.content)}
    query, reading = question.query, question.reading
    if not (fields or reading.keys or reading.kinds or query.kinds or query.as_of):
        return lines, {}
    above = index.lines(set(fields.values()) - prose.keys()) if fields else {}
    places = {row: line.fact.source for row, line in (prose | above).items()}
    held = {opinion.source: opinion for opinion in index.opinions_at(list(places.values())) if opinion.source}
    kept = {row: line for row, line in lines.items() if places.get(fields.get(row, 0)) not in held}
    for row in [row for row in kept if places.get(row) in held]:
        fact = kept[row].fact
        opinion = held[fact.source]
        about = opinion.entities or named_in(reading, opinion.statement)
        kept[row] = kept[row]._replace(fact=fact._replace(kind=Kind.OPINION, entities=about), is_fact=True)
    return kept, held


def _newest(index: Index, question: AnalyzedQuestion, *, against: Mapping[str, tuple[int, ...]]) -> dict[str, Citation]:
    """Where the newest fact stands that says something against an id; as it was known and so on the asked days."""
    newer = index.lines({row for found in against.values() for row in found})
    known, then = question.query.as_of, question.days.end if question.days is not None else None
    found: dict[str, Citation] = {}
    for id, rows in against.items():
        for row in rows:
            day = newer[row].fact.recorded
            if day is None or not ((known is not None and day > known) or (then is not None and day > then)):
                found[id] = newer[row].fact.source
                break
    return found


def _passes(
    question: AnalyzedQuestion,
    line: Stored,
    *,
    held: Mapping[Citation, Opinion],
    regions: Mapping[str, tuple[tuple[int, int], ...]],
) -> bool:
    """Whether a line is among what the asker wants at all."""
    query, fact = question.query, line.fact
    if query.as_of is not None and not _was_known(line, query.as_of, opinion=held.get(fact.source), regions=regions):
        return False
    if query.range is not None:
        start, end = query.range
        day = fact.recorded
        inside = day is not None and (start is None or start <= day) and (end is None or day <= end)
        if not inside and ((told_of := dated(fact).told_of) is None or not told_of.overlaps(query.range)):
            return False
    if query.kinds and (fact.kind if line.is_fact else guess_kind(fact.content)) not in query.kinds:
        return False
    if query.entities:
        keys = {entity_key(name) for name in (*fact.entities, *fact.mentions, fact.speaker) if name}
        if not keys & question.wanted:
            return False
    return not (line.is_fact and takes_back(fact))


def _was_known(
    line: Stored, day: date, *, opinion: Opinion | None, regions: Mapping[str, tuple[tuple[int, int], ...]]
) -> bool:
    """Whether a line was known on a day: one without a day was, if a person wrote it; our own pages know more.

    What a person changed in a region of ours, or took out of one with its id, still knows what we wrote there.
    """
    fact = line.fact
    if fact.origin is Origin.GENERATED or (line.role is Role.HEADING and _is_title(fact)):
        return False
    known = [fact.recorded]
    if fact.recorded is None:
        place = fact.source
        if is_ours(fact.id) or any(low <= place.line <= high for low, high in regions[place.path]):
            return False
        from commonplace.core.when import path_day  # with as_of alone

        known.extend(map(path_day, linked(fact.content)))  # it was written on no day before those it links to
    if opinion is not None:
        known.append(opinion.last_updated)
    return all(each is None or each <= day for each in known)


def _is_title(fact: Fact) -> bool:
    """Whether a heading of a page of the bank only repeats its file's name."""
    path = fact.source.path
    return path.startswith("bank/") and entity_key(fact.content) == entity_key(path.rpartition("/")[2][: -len(".md")])
