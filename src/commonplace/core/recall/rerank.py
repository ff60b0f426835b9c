"""Reranks scored hits: ties, diversity, current before superseded, newest first."""

from __future__ import annotations

from datetime import date
from heapq import heapify, heappop, heappush
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from commonplace.core.documents.fact_syntax import Defect, read_bullet
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.model import Fact, Kind, Origin, Stance
from commonplace.core.questions.ask_phrases import Ask
from commonplace.core.questions.question_parts import WHOLE_TERM
from commonplace.core.recall.hit_extent import side_by_side
from commonplace.core.recall.scoring import SAYS_WHERE
from commonplace.core.tables import table
from commonplace.core.text.analyzer import document_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from commonplace.core.model import AnyLine, Citation, Hit
    from commonplace.core.recall.diagnostics import Diagnostics

    Reranker = Callable[[Sequence[Hit], Diagnostics], Sequence[Hit]]


def order(hits: Iterable[Hit]) -> list[Hit]:
    """Return the hits by score; ties by newest day, then path and line, so that a rebuild changes nothing."""
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
    """Sort key: newest first, undated last."""
    return -hit.line.recorded.toordinal() if hit.line.recorded else 0


def disputed(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits, each older fact with `disputed_by` set to the newest one that contradicts it about an entity.

    By the rules of `core.stance`, which prefer no contradiction to a false one. They and their lexicons cost a cold
    start 20 ms, so they are used only if opinions are asked for. A dispute by a trailer stays.
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
"""Hits of a default answer."""
BEST = 6
"""Hits after which those of new documents come first."""


def diverse(hits: Sequence[Hit], asked: Collection[str] = ()) -> list[Hit]:
    """Return the hits, further ones of the same document or with the same words a little later: an answer may have
    several parts, and a log says each day that the build is green.

    Each hit of a document costs the next one of it a share of its score (maximal marginal relevance, Carbonell &
    Goldstein 1998, with the document as similarity). After the `BEST` hits, which are right too often to give way, it
    costs more.

    Args:
        asked: index terms of the question: a number among them is a word like others.
    """
    weights = table("rank")
    keep, later = 1 - weights["same_document"], 1 - weights["same_document_later"]
    worth = _without_repeated(hits, 1 - weights["same_words"], asked=asked)
    heap = [(-round(score, 9), at, 0, False) for at, score in enumerate(worth)]
    heapify(heap)
    seen: dict[tuple[str, date | None], int] = {}
    found: list[Hit] = []
    while heap:
        _, at, counted, was_late = heappop(heap)
        document = (hits[at].line.source.path, hits[at].line.recorded)
        count = seen.get(document, 0)
        late = count > 0 and len(found) >= BEST
        if (count, late) != (counted, was_late):
            score = worth[at] * keep**count * (later if late else 1.0)
            heappush(heap, (-round(score, 9), at, count, late))
            continue
        seen[document] = count + 1
        found.append(hits[at])
    return found


def _without_repeated(hits: Sequence[Hit], again: float, *, asked: Collection[str]) -> list[float]:
    """Return the scores of hits, best first: that of the second newest with the same words apart from numbers times
    `again`, that of the third newest twice so. The newest keeps its own: of a series it is what is so now."""
    said: dict[str, int] = {}
    worth = [hit.score for hit in hits]
    for at, hit in sorted(enumerate(hits), key=lambda each: (_newest(each[1]), each[0])):
        terms = document_terms(hit.line.content).split()
        words = " ".join(term for term in terms if term in asked or not any(map(str.isdigit, term)))
        count = said.get(words, 0) if words else 0
        said[words] = count + 1
        worth[at] *= again**count
    return worth


def taken_in_turn(answers: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Return the hits for a whole question and for each of its parts, the best of each in turn, each line once."""
    found: list[Hit] = []
    shown: set[Citation] = set()
    for turn in zip_longest(*answers):
        for hit in turn:
            if hit is None:
                continue
            lines = (hit, *hit.beside)
            new = [each for each in lines if each.line.source not in shown]
            found += [hit] if len(new) == len(lines) else [each._replace(beside=()) for each in new]
            shown.update(each.line.source for each in new)
    return found


NEARLY = 0.6
"""Minimum share of the best score for a line that says where somebody lives."""
STAY = "a stay on the days asked about"
"""The reason of a line that says where somebody is on the days asked about."""
LIKE_THE_BEST = 0.8
"""Minimum share of what the best hit covers, for a line that may answer "last time …"."""


def newest_first(hits: Sequence[Hit], found: Diagnostics) -> Sequence[Hit]:
    """For "last time …": those hits newest first that cover about as much of the question as the best one."""
    if Ask.LATEST not in found.question.reading.asks or not hits:
        return hits
    covered = found.covered
    least = LIKE_THE_BEST * covered[hits[0].line.source].share
    good = [hit for hit in hits if covered[hit.line.source].share >= least]
    good.sort(key=_newest)
    return [*good, *(hit for hit in hits if covered[hit.line.source].share < least)]


def newest_home_first(hits: Sequence[Hit], found: Diagnostics) -> Sequence[Hit]:
    """For where somebody lives now: the hits that say so and score about as high as the best, newest first."""
    reading = found.question.reading
    if Ask.LIVES not in reading.asks or not reading.keys or reading.when is not None:
        return hits
    homes = [hit for hit in hits if SAYS_WHERE in hit.why and hit.score >= NEARLY * hits[0].score]
    homes.sort(key=_newest)
    return current_first([*homes, *(hit for hit in hits if hit not in homes)])


def stays_first(hits: Sequence[Hit], found: Diagnostics) -> Sequence[Hit]:
    """For where somebody is: stays that have the terms of the first hit, newest first; a stay is before a home."""
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


def current_first(hits: Sequence[Hit], *, oldest_first: bool = False, after: Collection[Citation] = ()) -> list[Hit]:
    """Return the hits in order, but one that supersedes, disputes or outdates another directly before that one.

    Two that dispute each other keep their order, the second directly after the first; but an outsider's comes after the
    author's. Where a hit comes depends on the hits before it and on those that supersede, dispute or outdate it, on no
    other.

    Args:
        oldest_first: the one that supersedes or disputes another comes directly after it.
        after: those that do so in any case.
    """
    places = {twin: at for at, hit in enumerate(hits) for twin in hit.places}
    places |= {hit.line.source: at for at, hit in enumerate(hits)}
    before: dict[int, list[int]] = {}
    beside: dict[int, list[int]] = {}
    for at, hit in enumerate(hits):
        newer = hit.superseded_by or hit.disputed_by or hit.outdated_by
        other = at if newer is None else places.get(newer, at)
        if other == at:
            continue
        if oldest_first or hits[other].line.source in after:
            beside.setdefault(at, []).append(other)
        elif _waits(hit, hits[other]):
            before.setdefault(at, []).append(other)
        elif _is_of_others(hits[other]) and not _is_of_others(hit):
            before.setdefault(other, []).append(at)
        else:
            beside.setdefault(at, []).append(other)
    if not (before or beside):
        return list(hits)
    found: dict[int, Hit] = {}
    for start in range(len(hits)):
        waiting = [start]
        while waiting:
            at = waiting[-1]
            first = next((each for each in before.get(at, ()) if each not in found and each not in waiting), None)
            if first is not None:
                waiting.append(first)
                continue
            waiting.pop()
            if at not in found:
                found[at] = hits[at]
                waiting.extend(each for each in beside.get(at, ()) if each not in found and each not in waiting)
    return list(found.values())


def _waits(hit: Hit, other: Hit) -> bool:
    """Whether a hit comes after the one that supersedes or disputes it."""
    if _is_of_others(hit) is not _is_of_others(other):
        return _is_of_others(hit)
    return other.disputed_by is None or other.disputed_by not in (hit.line.source, *hit.also)


def _is_of_others(hit: Hit) -> bool:
    return bool(hit.line.trailer.outsider)


ABOUT_AS_WELL = 0.75
"""Minimum share of an outsider's score, for an author's hit that answers about as well."""


def authors_first(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits in order, but those of outsiders after the author's that answer about as well.

    So however often and in whatever words outsiders say something, the author's hits come first.
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
    """Return the hits with those of the same words merged into the first, with all citations in `also`.

    A fact is kept rather than a line, the author's rather than an outsider's. Facts of different kinds or entities, and
    hits of different outsiders, are not merged.
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
    """Return the hits that have no twin among the known ones."""
    said: dict[str, list[Hit]] = {}
    for hit in chain.from_iterable((hit, *hit.beside) for hit in known):
        said.setdefault(document_terms(_said(hit.line)), []).append(hit)
    return [hit for hit in hits if not any(_twins(one, hit) for one in said.get(document_terms(_said(hit.line)), ()))]


def _merge_copied(hits: list[Hit]) -> list[Hit]:
    """Merge lines of a note's copy into facts imported from that note, if they have most of its words and no others."""
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
    """The content of a line; for one in the grammar of facts (in a conflict copy) that of the fact."""
    if isinstance(line, Fact) or line.content[:1] not in "WBOS" or line.content[1:2] not in " (":
        return line.content
    head = read_bullet(line.content)
    return line.content if isinstance(head, Defect) else head.content


def _stands_for(one: Hit, other: Hit) -> bool:
    """Whether the first of two hits with the same words is kept, and the second becomes a citation."""
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


def without_titles(hits: Sequence[Hit], found: Diagnostics) -> Sequence[Hit]:
    """Return the hits without bare titles if any line with content is a hit."""
    return [hit for hit in hits if hit.line.source not in found.titles] if found.has_content else hits


def on_days_asked(hits: Sequence[Hit], found: Diagnostics) -> Sequence[Hit]:
    """For a question of whose words only the days are found: the hits of those days, with its date phrase, or close in
    meaning."""
    if not found.question.only_days:
        return hits
    of_days = ("holds", "recorded", "meaning")
    return [
        hit for hit in hits if hit.line.source in found.dated or any(reason.startswith(of_days) for reason in hit.why)
    ]


def word_for_word(hits: Sequence[Hit], found: Diagnostics) -> Sequence[Hit]:
    """If a line has a quoted phrase of the question: the hits that have one."""
    return [hit for hit in hits if hit.line.source in found.exact] if found.exact else hits


def relevant(hits: Sequence[Hit], found: Diagnostics) -> list[Hit]:
    """Return the hits without the tail far below the best score.

    The best score does not depend on k, so a larger k drops nothing.
    """
    least = table("rank")["least_share"] * found.best
    return [hit for hit in hits if hit.score >= least]


def soonest_first(hits: Sequence[Hit], found: Diagnostics) -> Sequence[Hit]:
    """For a question what is due: the hits in the order of the days that they name."""
    if Ask.DUE not in found.question.reading.asks:
        return hits

    def day(hit: Hit) -> date:
        valid = hit.line.valid
        return (valid and (valid.end or valid.start)) or date.max

    return sorted(hits, key=day)


def _alone(rerank: Callable[[Sequence[Hit]], list[Hit]]) -> Reranker:
    return lambda hits, _: rerank(hits)


ANSWERING: tuple[Reranker, ...] = (without_titles, _alone(merge_twins), on_days_asked, word_for_word, relevant)
"""Decide which scored lines are hits; applied in this order to every batch."""
RERANKERS: tuple[Reranker, ...] = (
    lambda hits, found: diverse(hits, found.question.reading.sought),
    _alone(current_first),
    newest_first,
    newest_home_first,
    stays_first,
    _alone(authors_first),
    _alone(side_by_side),
    soonest_first,
)
"""Order the hits of the first batch, one after the other; each changes nothing if the question does not ask for it.
A new one is a function and a line here."""


def reranked(hits: Sequence[Hit], rerankers: Iterable[Reranker], *, found: Diagnostics) -> Sequence[Hit]:
    """Return the hits after each of the rerankers in turn."""
    for rerank in rerankers:
        hits = rerank(hits, found)
    return hits
