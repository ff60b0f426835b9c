"""Collects proposals and questions for a person."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from commonplace.core.entities.alias_phrases import Bearer
from commonplace.core.entities.entity_names import beginnings, candidates, choose, entity_key
from commonplace.core.entities.resolution import alike, read_same, same_line
from commonplace.core.extract import infer
from commonplace.core.extract.line_worth import repeats, worth
from commonplace.core.markdown.page_regions import damage, region
from commonplace.core.markdown.region_marker import digest
from commonplace.core.pages.core_proposals import fitting
from commonplace.core.review import review_page
from commonplace.core.review.line_changes import change_line
from commonplace.core.review.packet import NamedOpinion, StanceQuestion
from commonplace.core.review.possible_names import name_line, read_name
from commonplace.core.review.replacements import replaced, replaced_line
from commonplace.core.stance import weigh
from commonplace.core.text.normalize import fold
from commonplace.core.timeline import ordinal
from commonplace.ops.beliefs.line_changes import line_changes
from commonplace.ops.beliefs.possible_names import possible_names
from commonplace.ops.reflect.accept import stands_decided
from commonplace.ops.reflect.core_offers import into_core, introduced_authors, offered_lines
from commonplace.ops.reflect.page_subjects import named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from commonplace.core.entities.resolution import Same
    from commonplace.core.extract.line_worth import Worth
    from commonplace.core.model import Line, Patch
    from commonplace.core.opinions.formation import Undecided
    from commonplace.core.opinions.opinion_entry import Entry
    from commonplace.core.pages.core_proposals import CoreProposal
    from commonplace.core.quotes.page_lines import PageLines
    from commonplace.core.review.line_changes import LineChange
    from commonplace.core.review.packet import Side
    from commonplace.core.review.possible_names import PossibleName
    from commonplace.core.review.replacements import Replaced
    from commonplace.ops.beliefs.believe import Gathered
    from commonplace.store.sqlite import Index

T = TypeVar("T")
_INFER_DAYS = 60
"""Narrative older than this, counted from the newest line, is not read for proposals unless `since` includes it; what
is found then is listed while there is room, and not counted."""
_PAIRS = 2 * review_page.MOST_JUDGED
"""Maximum pairs that are searched for secrets: more are not shown."""
_MOST_WAITING = 150
"""Maximum inferred facts that wait, the most worth keeping."""
_AROUND = 14
"""Days before and after a line in which a fact may say the same."""


class Reviewed(NamedTuple):
    """The new review page."""

    lines: PageLines
    adopted: tuple[str, ...]
    """Keys of lines that are ours though we did not write them: carried out decisions, and facts that a model added."""
    core: Patch | None
    """Accepted lines for the core file."""
    notes: tuple[str, ...]
    stays: tuple[str, ...]
    """What a rejection does not undo, and how to."""


def _one_already(got: Gathered, decision: review_page.Decision) -> bool:
    names = read_same(decision.id, decision.text)
    return names is not None and got.canonical(names[0]) == got.canonical(names[1])


def _has_a_page(got: Gathered, decision: review_page.Decision) -> bool:
    said = read_name(decision.id, decision.text)
    found = got.entities.get(got.canonical(said.name)) if said else None
    return found is not None and found.page is not None


def reviewed(
    index: Index,
    got: Gathered,
    *,
    left: Sequence[tuple[str, str]],
    text: str,
    since: date | None,
    found: Questions | None = None,
) -> Reviewed:
    """Return the new review page.

    Args:
        left: pages that were left alone, with the reason.
        text: the present review page.
        found: earlier results from the same facts and logs.
    """
    waits = open_questions(index, got, text=text, since=since, found=found)
    sound = not damage(text, "review")
    fresh = [
        each
        for each in got.decided
        if sound and each.verdict == review_page.ACCEPTED and not stands_decided(text, each)
    ]
    core, refused = into_core(got.texts, [each for each in fresh if each.id.startswith("c-")])
    unsaid = {
        each.id
        for each in fresh
        if each.id.startswith("i-") and fold(review_page.content_of(each)) not in waits.retained
    }
    unsaid |= {each.id for each in fresh if each.id.startswith("a-") and not _one_already(got, each)}
    unsaid |= {each.id for each in fresh if each.id.startswith("e-") and not _has_a_page(got, each)}
    asked = {each.id for each in _holding_no_longer(got)}
    unsaid |= {each.id for each in fresh if each.id.startswith("r-") and each.id in asked}
    settled = [each for each in got.decided if each.id not in unsaid and each.id not in refused]
    lines = review_page.review_page(
        waits.inferred,
        waits.core,
        pairs=waits.pairs,
        left=left,
        decided=settled,
        same=waits.same,
        names=waits.names,
        replaced=waits.replaced,
        changes=waits.changes,
        full=waits.full,
    )
    late = [each for each in got.decided if sound and _stays_retained(each) and not stands_decided(text, each)]
    ids = {fold(fact.content): fact.id for fact in got.facts} if late else {}
    stays = [
        f"^{each.id} is rejected, and its fact stays: commonplace retract {ids[said]}"
        for each in late
        if (said := fold(review_page.content_of(each))) in ids
    ]
    adopted = (*review_page.adopted_keys(settled), *(each.id for each in waits.inferred if each.by))
    return Reviewed(lines, adopted, core, tuple(refused.values()), tuple(stays))


def _stays_retained(decision: review_page.Decision) -> bool:
    """Whether it rejects a fact that may have been retained before: logs only grow."""
    return decision.id.startswith("i-") and decision.verdict == review_page.REJECTED


class Questions(NamedTuple):
    """Questions from facts and logs, answered or not."""

    always: frozenset[str]
    """Ids of the proposals that every reflect finds."""
    inferred: Sequence[infer.Proposal]
    same: Sequence[Same]
    names: Sequence[PossibleName]
    changes: Sequence[LineChange]


class Open(NamedTuple):
    """What waits for a person."""

    inferred: list[infer.Proposal]
    """The most worth keeping first."""
    core: list[CoreProposal]
    same: list[Same]
    """Entities that may be one."""
    names: list[PossibleName]
    replaced: list[Replaced]
    """Facts that are superseded according to outsiders, newest first."""
    changes: list[LineChange]
    """Lines that newer ones may replace, those worth most first."""
    pairs: list[Undecided]
    """Newest first."""
    full: str
    """Note that the core is full; empty if it is not."""
    retained: frozenset[str]
    """Folded contents of the facts."""
    gone: frozenset[str]
    """Digests of the keys of lines that somebody deleted from the review page."""
    found: Questions
    more: bool
    """Whether more facts were inferred than may wait."""


def open_questions(
    index: Index,
    got: Gathered,
    *,
    text: str,
    since: date | None = None,
    found: Questions | None = None,
) -> Open:
    """Return the questions that are not answered on the review page, nor deleted from it.

    Args:
        text: the present review page.
        since: read narrative from this day on, too.
        found: earlier results from the same facts and logs.
    """
    found = found or _found(index, got, text=text, since=since)
    on_page = region(text, "review")
    gone = on_page.gone() if on_page else frozenset()
    folded = [fold(fact.content) for fact in got.facts]
    retained = frozenset(folded)
    decided = {each.id for each in got.decided}
    proposals = {each.id: each for each in (*review_page.waiting(text), *found.inferred)}
    proposed = [
        each for id, each in proposals.items() if _open(id, decided, gone=gone) and fold(each.content) not in retained
    ]
    proposed = harmless(got, proposed, line=review_page.inferred_line)
    # what a later reflect would not find again comes last, so that all reflects list the same; but what a model added
    rank = {each.id: (not each.by, each.id not in found.always) for each in proposed}
    proposed.sort(key=lambda each: (*rank[each.id], -each.worth, -ordinal(each.recorded), each.source.path, each.id))
    proposed, more = infer.first_distinct(proposed, _MOST_WAITING, always=found.always)
    # nor is it a number that a later reflect could keep
    first = {each.id for each in review_page.listed(proposed)}
    proposed = [each for each in proposed if each.id in first or each.id in found.always]
    pairs = list(got.formed.undecided)
    if decided or gone:
        pairs = [pair for pair in pairs if _open(review_page.pair_id(pair), decided, gone=gone)]
    # there may be ten thousand, and the page has room for few
    pairs = [*harmless(got, pairs[:_PAIRS], line=review_page.pair_text), *pairs[_PAIRS:]]
    worthy = [each for each in offered_lines(index, got, folded=folded) if _open(each.id, decided, gone=gone)]
    worthy = harmless(got, worthy, line=review_page.core_line)
    size = len(got.texts.text(got.texts.workspace.core_path))
    core, full = fitting(worthy, size)
    same = [each for each in found.same if _open(each.id, decided, gone=gone)]
    same = harmless(got, same, line=same_line)
    names = [each for each in found.names if _open(each.id, decided, gone=gone)]
    names = harmless(got, names, line=name_line)
    no_longer = [each for each in _holding_no_longer(got) if _open(each.id, decided, gone=gone)]
    changes = [each for each in found.changes if _open(each.id, decided, gone=gone)]
    changes = harmless(got, changes, line=change_line)
    return Open(proposed, core, same, names, no_longer, changes, pairs, full, retained, gone, found, more)


def _holding_no_longer(got: Gathered) -> list[Replaced]:
    """Return the facts that are superseded according to outsiders."""
    # of an opinion the same is asked as evidence, under Judge
    standing = [fact for fact in got.facts if fact.id not in got.superseded and fact.id not in got.formed.statements]
    return harmless(got, replaced(got.overheard, standing), line=replaced_line)


def stance_question(pair: Undecided, held: Entry | None, sides: tuple[Side, ...] = ()) -> StanceQuestion:
    """Return the question whether a fact supports an opinion."""
    confidence, names = (held.confidence or 0.0, held.entities) if held else (0.0, ())
    opinion = NamedOpinion(pair.opinion_id, pair.statement, confidence, names)
    reason = weigh(pair.statement, pair.fact.content).reason
    return StanceQuestion(review_page.pair_id(pair), pair.fact, opinion, reason, sides)


def harmless(got: Gathered, asked: Sequence[T], *, line: Callable[[T], str]) -> list[T]:
    """Return the questions whose lines contain no secret."""
    leaking = got.withheld.among(list(map(line, asked)))
    return [each for at, each in enumerate(asked) if at not in leaking]


def _found(index: Index, got: Gathered, *, text: str, since: date | None) -> Questions:
    told = _narrative(index, got, since=since)
    return Questions(
        *_inferred(got, told),
        _same_entities(index, got, told=told, text=text),
        possible_names(index, got),
        line_changes(index, told.lately()),
    )


class _Narrative(NamedTuple):
    """Lines of logs, read once for all proposals."""

    always: date | None
    """The first day that is always read; None if no log line has a day."""
    lines: Sequence[Line]
    """Lines from that day on, or from the requested earlier day."""

    def lately(self) -> Sequence[Line]:
        """Return the lines that every reflect reads."""
        return [line for line in self.lines if self.always and line.recorded and line.recorded >= self.always]


def _narrative(index: Index, got: Gathered, *, since: date | None) -> _Narrative:
    always = recent(index)
    start = always if since is None else always and min(since, always)
    lines = index.log_lines(since=start) if start else ()
    return _Narrative(always, list(filter(got.withheld.shows, lines)))


def _same_entities(index: Index, got: Gathered, *, told: _Narrative, text: str) -> list[Same]:
    """Return pairs of entities that may be one, by recent lines, facts and names.

    Args:
        text: the review page: its questions keep the order of the two names, even if one got a page meanwhile.
    """
    paged = {key for key, each in got.entities.items() if each.page}
    unclear = set(index.twins().values())
    paired = {key for pair in (*got.beside, *got.companies) for key in pair}
    for keys in got.aliases.values():
        if len(keys) > 1 and len(owners := paged.intersection(keys)) > 1:
            unclear |= owners
    known = [
        Bearer(key, named(got, key), (key, *map(entity_key, each.aliases)), each.page is not None, each.facts)
        for key, each in got.entities.items()
        if key not in unclear
        and key not in got.strangers
        and got.canonical(key) == key
        and (each.facts or each.page or key in paired)
        and not set(each.name) & set(",[]")
    ]
    found = alike(
        known,
        got.facts,
        lines=told.lately(),
        canonical=got.canonical,
        introduced=got.beside,
        companies=got.companies,
        findings=got.findings,
    )
    lines = (review_page.parted(line) for line in text.split("\n") if " ^a-" in line)
    asked = {read.id: read_same(read.id, read.text) for read in lines if read}
    return [
        each.turned() if (order := asked.get(each.id)) and entity_key(order[1]) == each.other else each
        for each in found
    ]


def _open(id: str, decided: set[str], *, gone: frozenset[str]) -> bool:
    return id not in decided and digest(id) not in gone


def _inferred(got: Gathered, told: _Narrative) -> tuple[frozenset[str], list[infer.Proposal]]:
    """Return the ids of proposals that every reflect finds, and all facts in narrative that nobody retained."""
    always = told.always
    if always is None:
        return frozenset(), []
    start = min((line.recorded for line in told.lines if line.recorded), default=always)

    begun = beginnings(got.aliases)

    @cache  # of a line they are asked for twice: for what it says, and for what that is worth
    def names(text: str) -> tuple[str, ...]:
        found = candidates(text, got.aliases, begun)
        known = choose(found, {named.name: (got.canonical(named.name),) for named in found})
        return tuple(dict.fromkeys(_written(got, keys[0], otherwise=name) for name, keys in known))

    near: dict[str, list[tuple[int, infer.FactTerms]]] = {}  # by entity: a fact about others alone says something else
    for fact in got.facts:
        if fact.recorded and (day := fact.recorded.toordinal()) >= start.toordinal() - _AROUND:
            read = infer.fact_terms(fact)
            for key in read.names or ("",):
                near.setdefault(key, []).append((day, read))
    said: dict[str, list[infer.Proposal]] = {}
    alike = repeats(line.content for line in told.lately())

    def measure(line: Line) -> Worth:
        return worth(line, alike, names=len(names(line.content)), findings=got.findings)

    judge = infer.Judge(measure, introduced_authors(got))
    for proposal in infer.infer(told.lines, names, judge=judge, findings=got.findings):
        if proposal.recorded is None:
            continue
        day = proposal.recorded.toordinal()
        keys = {*map(entity_key, proposal.entities), ""} if proposal.entities else near
        beside = (fact for key in keys for other, fact in near.get(key, ()) if abs(other - day) <= _AROUND)
        if not infer.known_already(proposal, beside):
            said.setdefault(proposal.id, []).append(proposal)
    proposals = [_once(those, always) for those in said.values()]
    return frozenset(each.id for each in proposals if each.recorded and each.recorded >= always), proposals


def _once(those: Sequence[infer.Proposal], always: date) -> infer.Proposal:
    """Return one proposal for lines that say the same: the newest, with the other days from `always` on.

    Earlier days are left out: what no later reflect would find again must not change the page.
    """
    newest = max(those, key=lambda each: each.recorded or always)
    days = {each.recorded for each in those if each.recorded and each.recorded >= always} - {newest.recorded}
    return newest._replace(also=tuple(sorted(days, reverse=True)))


def recent(index: Index) -> date | None:
    """Return the first day of narrative that is always read; None if no log line has a day."""
    newest = index.last_log_day()
    return newest and newest.fromordinal(max(1, newest.toordinal() - _INFER_DAYS))


def _written(got: Gathered, key: str, *, otherwise: str) -> str:
    """Return an entity's name as facts spell it, else as its page or most mentions do, in the grammar of facts."""
    entity = got.entities.get(key)
    return got.spelled.get(key, entity.name if entity else otherwise).replace(" ", "-")
