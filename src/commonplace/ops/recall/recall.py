"""Recall: a question -> channels -> candidates -> ranking -> a bundle with citations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.extract.kind_guess import guess_kind, says_of_an_opinion
from commonplace.core.markdown.page_links import linked
from commonplace.core.markdown.region_marker import is_ours
from commonplace.core.model import Bundle, Kind, Origin, Role, Span, Stance
from commonplace.core.opinions.belief import confidence
from commonplace.core.recall.breadcrumbs import chain, lineage
from commonplace.core.recall.coverage import named_in, names, scale, untold
from commonplace.core.recall.packing import pack
from commonplace.core.recall.query_analysis import WHOLE_TERM, parts, read
from commonplace.core.recall.rerank import (
    authors_first,
    current_first,
    disputed,
    diverse,
    merge_twins,
    newest_first,
    newest_home_first,
    order,
    relevant,
    stays_first,
    taken_in_turn,
    without_twins,
)
from commonplace.core.recall.scoring import ANSWERED, Candidate, Ranker, dated, shown
from commonplace.core.recall.term_match import Sought
from commonplace.core.recall.whereabouts import is_stay
from commonplace.core.timeline import takes_back
from commonplace.ops.beliefs.supersession import UNCHANGED, outcomes
from commonplace.ops.recall.channels import CANDIDATES, Channels

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator, Sequence
    from datetime import date

    from commonplace.core.model import Citation, Fact, Hit, Opinion, Query
    from commonplace.core.recall.breadcrumbs import Above
    from commonplace.core.recall.query_analysis import Reading
    from commonplace.ops.beliefs.supersession import Outcome
    from commonplace.ops.recall.time_windows import WindowLines
    from commonplace.store.sqlite import Index, Stored

PROMISING = 36
"""Candidates whose text, headings and neighbours are read: those that promise most by where the terms stand."""
FEW = 60
"""The same where certain days are asked about, or no more are found; all 160 candidates would cost 15 ms more."""
FURTHER = 24
"""Candidates that are read at a time where those do not make up the hits that are asked for."""
SILENT = 12
"""Candidates in a row that do not answer, after which none does."""
WIDENED = 10
"""Of those, the best whose neighbours become candidates: a question and its answer stand on two lines."""
BELOW = 8
"""Lines below a heading or bullet that become candidates with it."""
FEW_TERMS = 4
"""Terms of a question that asks for opinions and nothing else."""
REACH = 14
"""Lines before and after in which a cause, a fix or a decision is looked for when the question asks for it."""


def recall(index: Index, query: Query, *, today: date) -> Bundle:
    """The facts that answer a question, best first, within its token budget."""
    asked = [_read(index, query, text, today) for text in dict.fromkeys((query.text, *parts(query.text)))]
    reading = asked[0]
    whole, *others = [_Recall(index, query, each, today) for each in asked]
    hits = taken_in_turn([whole.hits(), *(part.hits() for part in others)])
    best = hits[: query.limit]
    if lacking := untold(reading, (hit.fact for hit in best)):
        note = f"none of these says anything of {' or '.join(f'“{thing}”' for thing in lacking)}"
    elif best and (phrases := whole.inexact(best)):
        said = " or ".join(f"“{phrase}”" for phrase in phrases)
        note = f"no line has {said}" + ("" if whole.exact else ": these have words of it")
    else:
        note = whole.missing(best) if hits else _nothing(index, reading, query)
    more = whole.surely({row for each in others for row in each.read})
    at_least = whole.is_partly_read or any(part.is_partly_read for part in others)
    bundle = pack(query.text, hits, limit=query.limit, budget=query.budget, note=note, more=more, at_least=at_least)
    if at_least and not note and whole.is_ranged:
        left = f"at least {bundle.omitted} more are" if bundle.omitted else "more may be"
        bundle = bundle._replace(note=f"{left} left out: a larger k reads more")
    return bundle


def _read(index: Index, query: Query, text: str, today: date) -> Reading:
    """A question, or a part of one, as understood; entities that were asked for beside it come first."""
    reading = read(text, today, index.named)
    if not query.entities:
        return reading
    keys = {name: entity_key(name) for name in query.entities}
    known = index.named(list(keys.values()))
    given = tuple((name, known.get(key, (key,))) for name, key in keys.items())
    return reading._replace(entities=(*given, *reading.entities))


def _nothing(index: Index, reading: Reading, query: Query) -> str:
    """Why the bundle is empty, in words."""
    called = names(reading)
    asked = dict.fromkeys(term.text for term in reading.terms if called.isdisjoint(term.keys) or not reading.keys)
    known = index.named([entity_key(name) for name in query.entities])
    strangers = [name for name in query.entities if entity_key(name) not in known]
    if strangers:
        from commonplace.ops.recall.near_names import near

        like = ", ".join(dict.fromkeys(found for name in strangers for found in near(index, name)))
        return f"no entity is known as {' or '.join(strangers)}" + (f"; near it: {like}" if like else "")
    parts = []
    whom = f" about {', '.join(name for name, _ in reading.entities)}" if reading.entities else ""
    if asked or whom:
        parts.append(f"nothing{whom} says anything{' of ' * bool(asked)}{_listed([*asked], reading)}")
    if reading.when is not None:
        parts.append(f"nothing was recorded or holds for {reading.when.span}")
    if query.kinds and not parts:
        parts.append(f"nothing is told of the kind {' or '.join(kind.value for kind in query.kinds)}")
    if query.range is not None:
        parts.append(f"only {query.range} was asked for")
    return "; ".join(parts) or "the question names nothing to look for"


def _listed(words: Sequence[str], reading: Reading) -> str:
    """The first of these words of a question; stretches that overlap, as of text without spaces, as one."""
    found: list[str] = []
    for word in words:
        if found and (joined := found[-1] + word[1:]) in reading.query and found[-1][-1] == word[0] >= "\u2e80":
            found[-1] = joined
        else:
            found.append(word)
    return ", ".join(found[:8])


class _Recall:
    """One question on its way through the index."""

    def __init__(self, index: Index, query: Query, reading: Reading, today: date) -> None:
        self._index = index
        self._query = query
        self._reading = reading
        self._today = today
        self._channels = Channels(index, query, reading)
        self._wanted = {key for _, keys in reading.entities[: len(set(query.entities))] for key in keys}
        """Of the entities that were asked for beside the question."""
        self._near: dict[int, float] = {}
        """Of rows read: the share of the question within a few lines."""
        self._told: dict[int, float] = {}
        """Of rows read: how much their document says of the question."""
        self._most = 0.0
        """What the document that says most of the question says of it."""
        self._superseded: dict[str, Citation] = {}
        self._disputed: dict[str, Citation] = {}
        self._by_hand: dict[Citation, Opinion] = {}
        """Opinions that people keep on lines read, in tables and labelled bullets."""
        self._regions: dict[str, tuple[tuple[int, int], ...]] = {}
        """Of files read, where our regions stand."""
        self._outcomes: dict[int, Outcome] = {}
        self._dated: dict[Citation, int] = {}
        """Row of each fact read whose own days have an end."""
        self._best_score = 0.0
        """Of what is read first, whatever k is."""
        self.read: set[int] = set()
        """Rows that were read."""
        self._found: dict[int, float] = {}
        """Rows that were found, with their rough worth, those that promise most first."""
        self._promised: dict[int, int] = {}
        """Of rows that may be read next, the length of each, in terms."""
        self._decisions = False
        """Whether what was decided on certain days is asked for, and nothing else."""
        self._told_days: WindowLines | None = None
        """What the days tell, where they alone are asked about."""
        self._above: Above = {}
        """What stands above the rows read."""
        self._scale = scale(reading, self._channels.frequencies, *self._channels.totals)
        self._ranker = Ranker(reading, self._scale, today)

    def hits(self) -> list[Hit]:
        """Every relevant hit, best first, twins merged.

        Each stage reads more about fewer lines: where the terms stand, then text, headings and neighbours of what
        promises most, then the neighbours of the very best as candidates of their own.
        """
        query, reading = self._query, self._reading
        if query.limit < 1:
            return []
        if (self._asks_for_days() or self._decisions) and (hits := self._of_days()) is not None:
            return hits
        parts = self._promising(self._index.written)
        lines = next(parts, {})
        if not lines and query.as_of is None:
            # nothing that a person or host wrote: perhaps what we made of it while it was there
            parts = self._promising(0)
            lines = next(parts, {})
        hits = self._first(lines)
        few = len(hits)
        answering = {place for hit in hits for place in (hit.fact.source, *hit.also)}
        while not self._falls_silent(lines, answering) and len(hits) < query.limit:
            if (following := next(parts, None)) is None:
                break
            lines = following
            hits += self._further(lines, hits)
            answering = {place for hit in hits for place in (hit.fact.source, *hit.also)}
        if few < query.limit and len(hits) > few:
            hits = [*authors_first(current_first(hits[: query.limit])), *hits[query.limit :]]
        if reading.kinds:
            hits = [*current_first(disputed(hits[: query.limit])), *hits[query.limit :]]
        return [*map(shown, self._with_opinions(hits[: query.limit])), *hits[query.limit :]]

    def _first(self, lines: dict[int, Stored]) -> list[Hit]:
        """The hits among the lines that promise most and those around the best of them: the same whatever k is."""
        reading = self._reading
        around = self._index.texts({row + step for row in lines for step in (-1, 0, 1)})
        scored = self._deepened(lines, around)
        widened = self._widened(self._best(scored, WIDENED), around) - scored.keys()
        self._place(widened)
        beside = self._deepened(self._readable(widened), around, widened=True)
        self.read.update(beside)
        scored.update(beside)
        self._best_score = max((hit.score for hit in scored.values()), default=0.0)
        hits = current_first(diverse(self._answering(scored)))
        if "latest" in reading.asks:
            hits = newest_first(hits, {source: line.share for source, line in self._ranker.covered.items()})
        if "lives" in reading.asks and reading.keys and reading.when is None:
            hits = current_first(newest_home_first(hits))
        elif "where" in reading.asks and "lives" not in reading.asks and reading.keys:
            words = {term.text for term in reading.terms if term.weight > WHOLE_TERM}
            said = {source: words.intersection(line.words) for source, line in self._ranker.covered.items()}
            hits = stays_first(hits, self._stays(hits), said)
        return authors_first(hits)

    def _further(self, lines: dict[int, Stored], known: Sequence[Hit]) -> list[Hit]:
        """The hits among lines that promise less, without what is known; they stand behind it, so k only adds."""
        around = self._index.texts({row + step for row in lines for step in (-1, 0, 1)})
        return diverse(without_twins(self._answering(self._deepened(lines, around)), known))

    def _falls_silent(self, lines: dict[int, Stored], answering: Container[Citation]) -> bool:
        """Whether the last of these lines, which promise least, do not answer: then those that promise less do not."""
        last = [*lines.values()][-SILENT:]
        if len(last) == SILENT and not any(line.fact.source in answering for line in last) and not any(self._sure()):
            self._found = {}
        return not self._found

    def _answering(self, scored: dict[int, Hit]) -> list[Hit]:
        """Of lines with their scores those that answer, best first, twins merged."""
        hits = merge_twins(order(scored.values()))
        if self._channels.only_days:
            hits = [
                hit
                for hit in hits
                if hit.fact.source in self._ranker.dated
                or any(reason.startswith(("holds", "recorded")) for reason in hit.why)
            ]
        if self._ranker.exact:
            hits = [hit for hit in hits if hit.fact.source in self._ranker.exact]
        return relevant(hits, self._best_score)

    # -- days alone

    def _asks_for_days(self) -> bool:
        """Whether days, or lines of a kind, are asked for, and nothing to look for in them."""
        kinds = self._query.kinds or self._reading.kinds
        if self._days() is None and not kinds and len(self._reading.terms) > FEW_TERMS:
            return False
        from commonplace.core.recall.window_order import asks_for_days, asks_for_decisions, asks_for_opinions

        beside = self._reading._replace(entities=self._reading.entities[len(set(self._query.entities)) :])
        if asks_for_opinions(beside):
            self._query = self._query._replace(kinds=self._query.kinds or (Kind.OPINION,))
            return True
        self._decisions = self._days() is not None and not kinds and asks_for_decisions(beside)
        return (self._days() is not None or bool(self._query.kinds)) and asks_for_days(beside)

    def _of_days(self) -> list[Hit] | None:
        """What the days asked about tell, their best lines in turn; None where decisions are asked for and none is."""
        from commonplace.ops.recall.time_windows import tell

        found = tell(
            self._index,
            self._query,
            self._reading,
            keys=self._wanted,
            named=self._channels.dated(),
            read=self._candidates,
            look=self._looked_at,
            decisions=self._decisions,
        )
        if self._decisions and not found.hits:
            return None
        self._told_days = found
        limit = self._query.limit
        return [*map(shown, self._with_opinions(found.hits[:limit])), *found.hits[limit:]]

    def _looked_at(self, rows: Sequence[int]) -> list[Stored]:
        """The lines of these rows that the asker wants, in the order of the rows."""
        read = self._opinions_read(self._index.lines(rows))
        return [read[row] for row in rows if row in read and self._passes(read[row])]

    def _candidates(self, rows: Sequence[int]) -> list[tuple[Stored, Candidate]]:
        """The lines of these rows that the asker wants, with what the index knows around them."""
        lines = self._readable(rows)
        lines = {row: line if line.is_fact else line._replace(fact=dated(line.fact)) for row, line in lines.items()}
        above = self._index.ancestors((line.parent for line in lines.values()), self._above)
        self._near.update(dict.fromkeys(lines, 0.0))
        self._told.update(dict.fromkeys(lines, 0.0))
        return [
            (line, self._candidate(line, chain(line.parent, above), "", "", widened=False)) for line in lines.values()
        ]

    def _stays(self, hits: Sequence[Hit]) -> set[Citation]:
        """Of the hits about an entity of the question those that say where it is on the days asked about, or today."""
        now, keys = self._query.as_of or self._today, set(self._reading.keys)
        asked = self._days() or Span(now, now)
        rows = {
            hit.fact.source: self._dated[hit.fact.source]
            for hit in hits
            if hit.fact.source in self._dated
            and hit.superseded_by is None
            and keys & {*map(entity_key, hit.fact.entities)}
        }
        claimed = self._index.claimed(rows.values()) if rows else {}
        return {
            hit.fact.source
            for hit in hits
            if (row := rows.get(hit.fact.source)) is not None and is_stay(hit.fact, asked, claimed.get(row, ()))
        }

    def inexact(self, hits: Sequence[Hit]) -> list[str]:
        """The phrases of the question, in quotation marks, that none of the hits has word for word.

        Not of the corner brackets of Japanese, which stand around any title.
        """
        query = self._reading.query
        phrases = [term for term in self._reading.terms if term.kind == "phrase" and f"「{term.text}" not in query]
        if not phrases:
            return []
        sought = Sought(phrases)
        held = [any(counts) for counts in zip(*(sought.hits(hit.fact.content)[0] for hit in hits), strict=True)]
        return [term.text for term, there in zip(phrases, held, strict=True) if not there]

    @property
    def is_ranged(self) -> bool:
        """Whether it asks for certain days, or for what they tell and nothing else."""
        return self._days() is not None or self._told_days is not None

    @property
    def exact(self) -> bool:
        """Whether a line has a phrase of the question word for word."""
        return bool(self._ranker.exact)

    def missing(self, hits: Sequence[Hit]) -> str:
        """What of the question no line has, where no hit seems to answer it in other words."""
        if self._told_days is not None:  # it names nothing to look for
            return ""
        unknown, covered = self._scale.unknown, self._ranker.covered
        if not self._ranker.far(hit for hit in hits if hit.fact.source in covered):
            return ""
        lacking = _listed(unknown, self._reading) if unknown else "much of what is asked"
        return f"no line has {lacking}: these come nearest"

    def _widened(self, best: Sequence[int], around: Above) -> set[int]:
        """Rows that nothing of their own brought: beside and below the best, and what they say the question asks for.

        Their texts are added to `around`.
        """
        asked = bool(self._reading.asks & ANSWERED)
        before, after = (REACH, REACH) if asked else (1, BELOW)
        window = {row + step for row in best for step in range(-before - 1, after + 2)}
        around.update(self._index.texts(window - around.keys()))
        found = {row + step for row in best for step in (-1, 1)} & around.keys()
        above = self._index.ancestors((around[row][0] for row in window & around.keys()), self._above)
        for row in best:
            if row not in around:
                continue
            _, file, _ = around[row]
            for other in range(row - before, row + after + 1):
                if other not in around or around[other][1] != file:
                    continue
                parent, _, text = around[other]
                below = row in lineage(parent, above) if row < other <= row + BELOW else False
                if below or (asked and self._ranker.told(text, chain(parent, above))):
                    found.add(other)
        return found

    def _best(self, scored: dict[int, Hit], count: int) -> list[int]:
        rows = {hit.fact.source: row for row, hit in scored.items()}
        return [rows[hit.fact.source] for hit in order(scored.values())[:count]]

    def _promising(self, lowest: int) -> Iterator[dict[int, Stored]]:
        """The lines worth reading of those that the channels bring, none below `lowest`, part by part.

        What promises most comes first. The parts are the same whatever k is: so a larger k only adds.
        """
        self._found = self._channels.rows(lowest)
        found = [*self._found]
        width = 4 * CANDIDATES if self._channels.filtered else CANDIDATES
        for start in range(0, len(found), width):
            lengths = self._place(found[start : start + width])
            first = frozenset(found[:CANDIDATES] if start == 0 else ())
            if start == 0:
                self._most = max((self._told[row] for row in first if row in self._told), default=0.0)
            promise = {
                row: self._ranker.promise(self._found[row], length, self._near[row], self._document(row))
                for row, length in lengths.items()
            }
            newest = sorted(promise, reverse=True)  # of equals, the newest
            rows = sorted(newest, key=promise.__getitem__, reverse=True)
            rows.sort(key=first.__contains__, reverse=True)
            count = PROMISING if self._days() is None and len(found) > FEW else FEW
            lines: dict[int, Stored] = {}
            if self._channels.filtered:
                lines = self._readable(rows)
                self.read.update(rows)
                rows = [row for row in rows if row in lines]
                self.read.difference_update(rows)
            elif start == 0:
                rows = self._authors_too(rows, count)
            self._promised = {row: lengths[row] for row in rows}
            for part in (rows[:count], *(rows[at : at + FURTHER] for at in range(count, len(rows), FURTHER))):
                self.read.update(part)
                if wanted := ({row: lines[row] for row in part} if lines else self._readable(part)):
                    yield wanted

    def _authors_too(self, rows: list[int], count: int) -> list[int]:
        """The rows with what others say in at most half of the first `count`, while the author says something too."""
        if len(rows) <= count:
            return rows
        others = self._index.said_by_others(rows[:count])
        if 2 * len(others) <= count:
            return rows
        others = self._index.said_by_others(rows)
        late = {*[row for row in rows if row in others][count // 2 :]}
        return sorted(rows, key=late.__contains__)

    @property
    def is_partly_read(self) -> bool:
        """Whether lines were found that were not read: how many of them answer nobody knows."""
        if self._told_days is not None:
            return self._told_days.at_least
        return not self.read.issuperset(self._found)

    def surely(self, others: Collection[int]) -> int:
        """How many of the lines that were found and not read answer for certain, by the terms that stand in them.

        Args:
            others: rows that other parts of the question read.
        """
        if self._told_days is not None:
            return self._told_days.more
        sure = [row for row in self._sure() if row not in others]
        return self._index.distinct(sure, beside=self.read) if sure else 0

    def _sure(self) -> Iterator[int]:
        """The rows of those lines."""
        if not (self._found and self._ranker.judges_by_terms) or self._channels.only_days:
            return
        said, weak = self._channels.said, self._channels.weak
        within = self._index.rows_between(*self._reading.when.span) if self._reading.when is not None else None
        for row, length in self._promised.items():
            worth = said.get(row, 0.0)
            if worth > weak and row not in self.read:
                outside = within is not None and not within[0] <= row <= within[1]
                promise = self._ranker.promise(worth, length, self._near[row], self._document(row))
                if self._ranker.surely(promise, self._best_score, outside=outside):
                    yield row

    def _place(self, rows: Iterable[int]) -> dict[int, int]:
        """Note what stands around these rows and in their documents; their lengths, in terms."""
        lengths = {}
        spread, total = self._channels.spread, self._scale.total
        for row, (low, high, length) in self._index.placed_in(rows).items():
            self._near[row] = spread.near(row) / total
            self._told[row] = spread.document(low, high)
            lengths[row] = length
        return lengths

    def _document(self, row: int) -> float:
        """How much a row's document says of the question, beside the one that says most; in [0, 1]."""
        return self._told[row] / self._most if self._most else 0.0

    def _readable(self, rows: Iterable[int]) -> dict[int, Stored]:
        """The lines of these rows that the asker wants at all, with what supersedes them noted."""
        read = self._opinions_read(self._index.lines(rows))
        lines = {row: line for row, line in read.items() if self._passes(line)}
        ids = [line.fact.id for line in lines.values() if line.fact.id]
        self._note(self._superseded, self._index.against(ids))
        self._note(self._disputed, self._index.against(ids, ("contradicts",)))
        facts = [row for row, line in lines.items() if line.is_fact]
        self._outcomes |= outcomes(self._index, facts, today=self._today, as_of=self._query.as_of, asked=self._days())
        return lines

    def _opinions_read(self, lines: dict[int, Stored]) -> dict[int, Stored]:
        """The lines with what opinions that people keep on them are about, without those that only tell of one."""
        prose = {row: line for row, line in lines.items() if not line.is_fact}
        fields = {row: line.parent for row, line in prose.items() if says_of_an_opinion(line.fact.content)}
        if not (fields or self._reading.keys or self._reading.kinds or self._query.kinds or self._query.as_of):
            return lines
        above = self._index.lines(set(fields.values()) - prose.keys()) if fields else {}
        places = {row: line.fact.source for row, line in (prose | above).items()}
        held = {opinion.source: opinion for opinion in self._index.opinions_at(list(places.values())) if opinion.source}
        self._by_hand.update(held)
        kept = {row: line for row, line in lines.items() if places.get(fields.get(row, 0)) not in held}
        for row in [row for row in kept if places.get(row) in held]:
            fact = kept[row].fact
            opinion = held[fact.source]
            about = opinion.entities or named_in(self._reading, opinion.statement)
            kept[row] = kept[row]._replace(fact=fact._replace(kind=Kind.OPINION, entities=about), is_fact=True)
        return kept

    def _days(self) -> Span | None:
        """The days that are asked about, in words or besides."""
        return self._reading.when.span if self._reading.when is not None else self._query.range

    def _note(self, into: dict[str, Citation], against: dict[str, tuple[int, ...]]) -> None:
        """Where the newest fact stands that says something against an id; as it was known and so on the asked days."""
        newer = self._index.lines({row for found in against.values() for row in found})
        asked = self._days()
        known, then = self._query.as_of, asked.end if asked is not None else None
        for id, found in against.items():
            for row in found:
                day = newer[row].fact.recorded
                if day is None or not ((known is not None and day > known) or (then is not None and day > then)):
                    into[id] = newer[row].fact.source
                    break

    def _deepened(self, lines: dict[int, Stored], around: Above, *, widened: bool = False) -> dict[int, Hit]:
        """The hits of lines with their headings, parent bullets and neighbours."""
        above = self._index.ancestors((line.parent for line in lines.values()), self._above)
        found = {}
        nothing = (0, 0, "")
        for row, line in lines.items():
            _, file, before = around.get(row - 1, nothing)
            before = before if file == line.file else ""
            _, file, after = around.get(row + 1, nothing)
            after = after if file == line.file else ""
            hit = self._ranker.hit(self._candidate(line, chain(line.parent, above), before, after, widened=widened))
            if hit is not None:
                found[row] = hit
        return found

    # -- scoring

    def _candidate(
        self, line: Stored, context: tuple[str, ...], before: str, after: str, *, widened: bool
    ) -> Candidate:
        fact = line.fact._replace(context=context) if context else line.fact
        page = self._channels.pages.get(fact.source.path, "")
        superseded, disputed = self._superseded.get(fact.id), self._disputed.get(fact.id)
        became = self._outcomes.get(line.row, UNCHANGED) if superseded is disputed is None else UNCHANGED
        if line.is_fact and fact.valid is not None and fact.valid.end is not None:
            self._dated[fact.source] = line.row
        return Candidate(
            fact,
            line.role.value,
            line.is_fact,
            line.length,
            before,
            after,
            page,
            superseded or became.superseded_by,
            disputed or became.disputed_by,
            became.why,
            became.held,
            near=self._near[line.row],
            document=self._document(line.row),
            opinion=self._by_hand.get(fact.source),
            copy=line.conflict,
            widened=widened,
            placed=line.row in self._channels.placed,
        )

    def _passes(self, line: Stored) -> bool:
        """Whether a line is among what the asker wants at all."""
        query, fact = self._query, line.fact
        if query.as_of is not None and not self._was_known(line, query.as_of):
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
            if not keys & self._wanted:
                return False
        return not (line.is_fact and takes_back(fact))

    def _was_known(self, line: Stored, day: date) -> bool:
        """Whether a line was known on a day: one without a day was, if a person wrote it; our own pages know more.

        What a person changed in a region of ours, or took out of one with its id, still knows what we wrote there.
        """
        fact = line.fact
        if fact.origin is Origin.GENERATED or (line.role is Role.HEADING and _is_title(fact)):
            return False
        if fact.recorded is None and (is_ours(fact.id) or self._is_in_a_region(fact.source)):
            return False
        known = [fact.recorded]
        if fact.recorded is None:
            from commonplace.core.when import path_day  # with as_of alone

            known.extend(map(path_day, linked(fact.content)))  # it was written on no day before those it links to
        if (kept := self._by_hand.get(fact.source)) is not None:
            known.append(kept.last_updated)
        return all(each is None or each <= day for each in known)

    def _is_in_a_region(self, place: Citation) -> bool:
        if place.path not in self._regions:
            self._regions[place.path] = self._index.regions(place.path)
        return any(low <= place.line <= high for low, high in self._regions[place.path])

    # -- opinions

    def _with_opinions(self, hits: list[Hit]) -> list[Hit]:
        """Opinion facts with the confidence and evidence that reflect keeps for what they state, or a person does."""
        lines = [hit.fact.source for hit in hits if not hit.fact.id]
        if by_hand := {opinion.source: opinion for opinion in self._index.opinions_at(lines)}:
            hits = [_by_hand(hit, by_hand.get(hit.fact.source)) for hit in hits]
        stated = [hit.fact for hit in hits if hit.fact.kind is Kind.OPINION and hit.opinion is None and hit.fact.id]
        if not stated:
            return hits
        held = self._known(self._index.opinions_on(stated))
        by_fact = {
            item.fact_id: opinion for opinion in held for item in opinion.evidence if item.stance is Stance.SUPPORTS
        }
        by_words = {(opinion.statement, frozenset(map(entity_key, opinion.entities))): opinion for opinion in held}
        found = []
        for hit in hits:
            words = (hit.fact.content, frozenset(map(entity_key, hit.fact.entities)))
            opinion = by_words.get(words) or by_fact.get(hit.fact.id)
            found.append(hit._replace(opinion=opinion) if opinion is not None else hit)
        return found

    def _known(self, held: Sequence[Opinion]) -> list[Opinion]:
        """Opinions as they were known on the asked day, their evidence cited by line."""
        day = self._query.as_of
        places = self._index.places({item.fact_id for opinion in held for item in opinion.evidence})
        found = []
        for opinion in held:
            evidence = tuple(
                item._replace(source=places.get(item.fact_id, item.source))
                for item in opinion.evidence
                if day is None or (item.recorded is not None and item.recorded <= day)
            )
            known = opinion._replace(evidence=evidence)
            if day is not None:
                days = [item.recorded for item in evidence if item.recorded is not None]
                updated = max(days, default=None)
                if opinion.last_updated is not None and opinion.last_updated <= day:
                    updated = opinion.last_updated
                known = known._replace(confidence=confidence(opinion.prior, evidence), last_updated=updated)
            found.append(known)
        return found


def _is_title(fact: Fact) -> bool:
    """Whether a heading of a page of the bank only repeats its file's name."""
    path = fact.source.path
    return path.startswith("bank/") and entity_key(fact.content) == entity_key(path.rpartition("/")[2][: -len(".md")])


def _by_hand(hit: Hit, opinion: Opinion | None) -> Hit:
    """A line with the opinion that a person keeps there in a shape of their own."""
    if opinion is None:
        return hit
    return hit._replace(fact=hit.fact._replace(id=opinion.id, kind=Kind.OPINION), opinion=opinion)
