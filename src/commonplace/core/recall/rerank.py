"""Reranks scored hits: ties, diversity, current before superseded, newest first, no padding."""

from __future__ import annotations

from datetime import date
from heapq import heapify, heappop, heappush
from itertools import zip_longest
from typing import TYPE_CHECKING

from commonplace.core.documents.fact_syntax import Defect, read_bullet
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.model import Fact, Kind, Origin, Stance
from commonplace.core.recall.query_analysis import WHOLE_TERM, Ask
from commonplace.core.tables import table
from commonplace.core.text.analyzer import document_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from commonplace.core.model import AnyLine, Citation, Hit
    from commonplace.core.recall.diagnostics import Diagnostics

    Reranker = Callable[[Sequence[Hit], Diagnostics], Sequence[Hit]]


def order(hits: Iterable[Hit]) -> list[Hit]:
    """Best first; ties by newest day, then path and line, so that a rebuild changes nothing."""
    return sorted(
        hits,
        key=lambda hit: (
            -round(hit.score, 9),
            _newest(hit),
            hit.line.source.path,
            hit.line.source.line,
        ),
    )


def _newest(hit: Hit) -> int:
    """Sorts the newest first, and what has no day last."""
    return -hit.line.recorded.toordinal() if hit.line.recorded else 0


def disputed(hits: Sequence[Hit]) -> list[Hit]:
    """The hits, an older fact marked with the newest one among them that contradicts it about the same entity.

    By the rules of `core.stance`, which would rather see no contradiction than a false one; they and their lexicons
    cost a cold start 20 ms, so they are asked only where opinions are. What a trailer says of a fact is said.
    """
    from commonplace.core.stance import prepare, weigh_prepared

    facts = [hit for hit in hits if _states(hit.line) and hit.superseded_by is None]
    facts.sort(key=lambda hit: (hit.line.recorded or date.min, hit.line.source), reverse=True)
    against: dict[Citation, Citation] = {}
    for at, older in enumerate(facts):
        keys = set(map(entity_key, older.line.entities))
        for newer in facts[:at]:
            if newer.kind is not older.kind or keys.isdisjoint(map(entity_key, newer.line.entities)):
                continue
            said = weigh_prepared(prepare(older.line.content), prepare(newer.line.content))
            if said.stance is Stance.CONTRADICTS:
                against[older.line.source] = newer.line.source
                break
    return [
        hit if hit.disputed_by is not None else hit._replace(disputed_by=against.get(hit.line.source)) for hit in hits
    ]


def _states(line: AnyLine) -> bool:
    """Whether a line is a fact that another can exclude."""
    if not isinstance(line, Fact) or not line.entities:
        return False
    return line.kind in (Kind.OPINION, Kind.WORLD) and line.origin is Origin.RETAINED


FIRST = 10
"""Hits after which those of documents not seen yet come first."""


def diverse(hits: Sequence[Hit]) -> list[Hit]:
    """The hits, those of a document that already has its say a little later: an answer may have several parts.

    Each hit of a document costs the next one of it a share of its score (maximal marginal relevance, Carbonell &
    Goldstein 1998, with the document for similarity). Past the `FIRST` it costs much: who reads on looks elsewhere.
    """
    weights = table("rank")
    keep, later = 1 - weights["same_document"], 1 - weights["same_document_later"]
    heap = [(-round(hit.score, 9), at, 0, False) for at, hit in enumerate(hits)]
    heapify(heap)
    seen: dict[tuple[str, date | None], int] = {}
    found: list[Hit] = []
    while heap:
        _, at, counted, was_late = heappop(heap)
        document = (hits[at].line.source.path, hits[at].line.recorded)
        count = seen.get(document, 0)
        late = count > 0 and len(found) >= FIRST
        if (count, late) != (counted, was_late):
            worth = hits[at].score * keep**count * (later if late else 1.0)
            heappush(heap, (-round(worth, 9), at, count, late))
            continue
        seen[document] = count + 1
        found.append(hits[at])
    return found


def taken_in_turn(answers: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Of the hits for a whole question and for each of its parts: the best of each in turn, each line once."""
    found: dict[Citation, Hit] = {}
    for turn in zip_longest(*answers):
        for hit in turn:
            if hit is not None:
                found.setdefault(hit.line.source, hit)
    return list(found.values())


SAYS_WHERE = "says where"
"""The reason of a line that says where somebody lives."""
NEARLY = 0.6
"""Share of the best score that a home needs to be taken for the home of whom the question is about."""
STAY = "a stay on the days asked about"
"""The reason of a line that says where somebody is on just those days."""
LIKE_THE_BEST = 0.8
"""Share of what the best hit covers of the question from which a line answers "last time …" as well."""


def newest_first(hits: Sequence[Hit], found: Diagnostics) -> Sequence[Hit]:
    """Asked for the last time, the hits that cover about as much of the question as the best does, newest first."""
    if Ask.LATEST not in found.question.reading.asks or not hits:
        return hits
    covered = found.covered
    least = LIKE_THE_BEST * covered[hits[0].line.source].share
    good = [hit for hit in hits if covered[hit.line.source].share >= least]
    good.sort(key=_newest)
    return [*good, *(hit for hit in hits if covered[hit.line.source].share < least)]


def newest_home_first(hits: Sequence[Hit], found: Diagnostics) -> Sequence[Hit]:
    """Asked where somebody lives now, the hits that say so about as well as the first, newest first."""
    reading = found.question.reading
    if Ask.LIVES not in reading.asks or not reading.keys or reading.when is not None:
        return hits
    homes = [hit for hit in hits if SAYS_WHERE in hit.why and hit.score >= NEARLY * hits[0].score]
    homes.sort(key=_newest)
    return current_first([*homes, *(hit for hit in hits if hit not in homes)])


def stays_first(hits: Sequence[Hit], found: Diagnostics) -> Sequence[Hit]:
    """Asked where somebody is, the stays that say as much as the first hit, newest first: a stay beats a home."""
    if not hits or found.stays.isdisjoint(hit.line.source for hit in hits):
        return hits
    asked = {term.text for term in found.question.reading.terms if term.weight > WHOLE_TERM}

    def words(hit: Hit) -> set[str]:
        return asked.intersection(found.covered[hit.line.source].words)

    best, least = NEARLY * hits[0].score, words(hits[0])
    there = [
        hit._replace(why=(*hit.why, STAY))
        for hit in hits
        if hit.line.source in found.stays and hit.score >= best and least <= words(hit)
    ]
    there.sort(key=_newest)
    moved = {hit.line.source for hit in there}
    return [*there, *(hit for hit in hits if hit.line.source not in moved)]


def current_first(hits: Sequence[Hit]) -> list[Hit]:
    """The hits in their order, but none before the one that superseded or disputes it: it comes right after.

    Of two that dispute each other neither has to wait, but an outsider's for what the author says, on whichever of the
    two the dispute is marked.
    """
    places = {twin: at for at, hit in enumerate(hits) for twin in hit.also}
    places |= {hit.line.source: at for at, hit in enumerate(hits)}
    before: dict[int, int] = {}
    for at, hit in enumerate(hits):
        newer = hit.superseded_by or hit.disputed_by
        other = at if newer is None else places.get(newer, at)
        if other > at and _waits(hit, hits[other]):
            before[at] = other
        elif other < at and _is_of_others(hits[other]) and not _is_of_others(hit):
            before[other] = at
    waiting: dict[int, list[int]] = {}
    found: list[int] = []
    for at in range(len(hits)):
        if at in before:
            waiting.setdefault(before[at], []).append(at)
            continue
        line = [at]
        while line:
            first = line.pop(0)
            found.append(first)
            line = waiting.pop(first, []) + line
    return [hits[at] for at in (*found, *(at for rest in waiting.values() for at in rest))]


def _waits(hit: Hit, other: Hit) -> bool:
    """Whether a hit waits for the one that is said to supersede or dispute it."""
    if _is_of_others(hit) is not _is_of_others(other):
        return _is_of_others(hit)
    return other.disputed_by is None or other.disputed_by not in (hit.line.source, *hit.also)


def _is_of_others(hit: Hit) -> bool:
    return bool(hit.line.trailer.outsider)


ABOUT_AS_WELL = 0.75
"""Share of the score of what somebody else says from which an author's hit answers about as well."""


def authors_first(hits: Sequence[Hit]) -> list[Hit]:
    """The hits in their order, but none of what others say before an author's that answers about as well.

    However often and in whatever words others say something, it neither leads nor takes the place of what the author
    knows of it.
    """
    others = [at for at, hit in enumerate(hits) if _is_of_others(hit)]
    if not others:
        return list(hits)
    behind = {
        at: max(
            (
                later
                for later in range(at + 1, len(hits))
                if not _is_of_others(hits[later]) and hits[later].score >= ABOUT_AS_WELL * hits[at].score
            ),
            default=at,
        )
        for at in others
    }
    return [hits[at] for at in sorted(range(len(hits)), key=lambda at: (behind.get(at, at), at in behind, at))]


def merge_twins(hits: Sequence[Hit]) -> list[Hit]:
    """Hits without twins: those with the same words are one, at the place of the first, with all their citations.

    A fact stands for lines that say the same in other files, conflict copies among them; two facts of another kind or
    about other entities stay two. What the author says stands for what others say in the same words, and two others
    stay two.
    """
    kept: list[Hit] = []
    seen: dict[str, int] = {}
    for hit in hits:
        words = document_terms(_said(hit.line))
        at = seen.setdefault(words, len(kept))
        if at == len(kept) or not _twins(kept[at], hit):
            kept.append(hit)
            continue
        first, twin = kept[at], hit
        if _stands_for(twin, first):
            first, twin = twin._replace(score=first.score), first
        kept[at] = first._replace(also=(*first.also, twin.line.source, *twin.also))
    return _merge_copied(kept)


def without_twins(hits: Sequence[Hit], known: Iterable[Hit]) -> list[Hit]:
    """The hits that are twins of none that is known."""
    said: dict[str, list[Hit]] = {}
    for hit in known:
        said.setdefault(document_terms(_said(hit.line)), []).append(hit)
    return [hit for hit in hits if not any(_twins(one, hit) for one in said.get(document_terms(_said(hit.line)), ()))]


def _merge_copied(hits: list[Hit]) -> list[Hit]:
    """Hits without lines of a note's copy that say most of what a fact imported from that note says, and no more."""
    imported: dict[str, list[int]] = {}
    for at, hit in enumerate(hits):
        if isinstance(hit.line, Fact) and hit.line.trailer.note:
            imported.setdefault(hit.line.trailer.imported, []).append(at)
    if not imported:
        return hits
    from commonplace.core.provenance import copied_as

    said = {at: _words(hits[at]) for own in imported.values() for at in own}
    merged = dict(enumerate(hits))
    for at, twin in enumerate(hits):
        line = twin.line
        own = () if isinstance(line, Fact) else imported.get(copied_as(line.source.path), ())
        words = _words(twin) if own else set()
        own = [each for each in own if hits[each].line.trailer.outsider == line.trailer.outsider]
        same = next((each for each in own if words <= said[each] and 2 * len(words) > len(said[each])), None)
        if same is not None:
            hit = merged[same]
            also = (*hit.also, line.source, *twin.also)
            merged[same] = hit._replace(also=also, score=max(hit.score, twin.score))
            del merged[at]
    return order(merged.values())


def _words(hit: Hit) -> set[str]:
    return set(document_terms(hit.line.content).split())


def _said(line: AnyLine) -> str:
    """What a line says; of one in the grammar of facts that is none, in a conflict copy, what the fact would say."""
    if isinstance(line, Fact) or line.content[:1] not in "WBOS" or line.content[1:2] not in " (":
        return line.content
    head = read_bullet(line.content)
    return line.content if isinstance(head, Defect) else head.content


def _stands_for(one: Hit, other: Hit) -> bool:
    """Whether the second of two hits with the same words is a citation of the first."""
    if _is_of_others(one) is not _is_of_others(other):
        return _is_of_others(other)
    return isinstance(one.line, Fact) and not isinstance(other.line, Fact)


def _twins(one: Hit, other: Hit) -> bool:
    """Whether two hits with the same words say the same."""
    line, twin = one.line, other.line
    if line.trailer.outsider and twin.trailer.outsider and line.trailer.outsider != twin.trailer.outsider:
        return False
    if isinstance(line, Fact) is not isinstance(twin, Fact):
        return True
    return one.kind is other.kind and set(line.entities) == set(twin.entities)


def on_days_asked(hits: Sequence[Hit], found: Diagnostics) -> Sequence[Hit]:
    """Asked for days and nothing else that stands anywhere, the hits of those days or that name them."""
    if not found.question.only_days:
        return hits
    of_days = ("holds", "recorded")
    return [
        hit for hit in hits if hit.line.source in found.dated or any(reason.startswith(of_days) for reason in hit.why)
    ]


def word_for_word(hits: Sequence[Hit], found: Diagnostics) -> Sequence[Hit]:
    """Where a quoted phrase of the question stands somewhere, the hits that have one."""
    return [hit for hit in hits if hit.line.source in found.exact] if found.exact else hits


def relevant(hits: Sequence[Hit], found: Diagnostics) -> list[Hit]:
    """The hits that say something on the question; a tail far below the best is padding.

    The best is that of what is read whatever k is, so that a larger k drops nothing.
    """
    least = table("rank")["least_share"] * found.best
    return [hit for hit in hits if hit.score >= least]


def _alone(rerank: Callable[[Sequence[Hit]], list[Hit]]) -> Reranker:
    """A reranker that needs nothing but the hits."""
    return lambda hits, _: rerank(hits)


ANSWERING: tuple[Reranker, ...] = (_alone(merge_twins), on_days_asked, word_for_word, relevant)
"""Which of the scored lines answer, of those read first and of those read later alike; in this order."""
RERANKERS: tuple[Reranker, ...] = (
    _alone(diverse),
    _alone(current_first),
    newest_first,
    newest_home_first,
    stays_first,
    _alone(authors_first),
)
"""What puts the hits that are read first in their order, one after the other; each returns them as they were where the
question does not ask for it. A new one is a function and a line here."""


def reranked(hits: Sequence[Hit], rerankers: Iterable[Reranker], *, found: Diagnostics) -> Sequence[Hit]:
    """The hits after each of the rerankers in turn."""
    for rerank in rerankers:
        hits = rerank(hits, found)
    return hits
