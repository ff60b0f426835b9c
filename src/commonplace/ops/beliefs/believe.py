"""Forms opinions from the facts of the index and the pages of the bank. Changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.markdown.bank_layout import OPINIONS, REGIONS, REVIEW
from commonplace.core.markdown.page_regions import read_page, region
from commonplace.core.markdown.region_marker import digest
from commonplace.core.markdown.slug import BANK
from commonplace.core.memo import Findings
from commonplace.core.model import Citation, Opinion
from commonplace.core.opinions.belief import confidence
from commonplace.core.opinions.formation import Formed, form
from commonplace.core.opinions.opinion_entry import AGAINST, FOR
from commonplace.core.opinions.opinion_reader import once
from commonplace.core.opinions.page_state import Kept, read_kept
from commonplace.core.review import review_page
from commonplace.core.timeline import living, order
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.beliefs.names_of_entities import join_names
from commonplace.ops.beliefs.redact import Looked, look
from commonplace.ops.beliefs.supersession import outdated
from commonplace.ops.beliefs.unreadable import held_back

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import date

    from commonplace.core.memo import Progress
    from commonplace.core.model import Evidence, Fact
    from commonplace.core.opinions.opinion_entry import Entry, Mark
    from commonplace.core.secrets.redaction import Withheld
    from commonplace.store.sqlite import Entity, Index
    from commonplace.store.workspace import Workspace

_FINDINGS = "findings"


class Gathered(NamedTuple):
    """The input of a reflect."""

    files: Mapping[str, str]
    """Path to digest of every indexed file, from before the facts were read."""
    aliases: Mapping[str, tuple[str, ...]]
    """Folded alias -> keys of the entities that it may mean, its own first."""
    facts: list[Fact]
    """The author's facts that were not retracted, in order of day, path and line."""
    overheard: list[Fact]
    """The same of outsiders: shown as theirs, without any effect."""
    superseded: dict[str, str]
    """Id of a fact -> id of the one that superseded it, by a trailer or by claims."""
    disputed: dict[str, str]
    """Id of a fact -> id of one that excludes it, where it is unknown which is valid."""
    retracted: dict[str, Fact]
    formed: Formed
    entities: dict[str, Entity]
    strangers: frozenset[str]
    """Keys of names that only outsiders say."""
    canonical: Callable[[str], str]
    beside: tuple[tuple[str, str], ...]
    """Keys of names that a file introduces beside each other, so that both may be one person's."""
    companies: tuple[tuple[str, str], ...]
    """Keys of names that differ in a legal form, where the other may be a person's."""
    spelled: Mapping[str, str]
    """Key of an entity -> its most frequent spelling in facts."""
    texts: FileTexts
    """The files that were read."""
    decided: tuple[review_page.Decision, ...]
    findings: Findings
    """The cache of results by digest."""
    counting: list[Fact]
    """Facts of both that no trailer superseded: they form opinions, or are shown beside them."""
    kept: Kept
    """The state of the opinions page, with the verdicts of the review page."""
    looked: Looked
    """The result of the search for secrets."""

    @property
    def held(self) -> tuple[Entry, ...]:
        """The opinions on the page now."""
        return self.kept.entries

    @property
    def withheld(self) -> Withheld:
        """What must not be repeated."""
        return self.looked.withheld

    @property
    def everything(self) -> list[Fact]:
        """All facts that were not retracted, in order of day, path and line."""
        return sorted((*self.facts, *self.overheard), key=order) if self.overheard else self.facts

    def contested(self, fact: Fact) -> bool:
        """Return whether another fact of the author's excludes it, and it is unknown which is valid."""
        other = self.disputed.get(fact.id)
        return other is not None and all(other != each.id for each in self.overheard)


def gather(
    index: Index, texts: FileTexts, *, today: date, as_of: date | None = None, progress: Progress | None = None
) -> Gathered:
    """Read facts and pages, and form the opinions; as they were known on a day if one is given.

    Args:
        progress: called with (files, or facts, done, all of them).
    """
    files = index.digests()
    on_disk = {path: texts.page(path).text for path in (OPINIONS, REVIEW)}
    entities = {entity.key: entity for entity in index.entities()}
    strangers = index.strangers()
    aliases = {name: keys for name, keys in index.aliases().items() if name not in strangers}
    decided = review_page.decisions(on_disk[REVIEW])
    apart = {each.id for each in decided if each.verdict == review_page.REJECTED}
    same = join_names(index, entities, aliases, strangers=strangers, apart=apart)
    canonical = canonical_names(aliases, entities, same.heads)
    on_page = read_kept(OPINIONS, on_disk[OPINIONS], verdicts=review_page.verdicts(decided))
    on_page = on_page._replace(entries=_without_taken_back(on_page.entries, on_disk[REVIEW], decided))
    own = {entry.number for entry in on_page.entries}
    names = (name for entity in entities.values() for name in (entity.name, *entity.aliases))
    looked = look(index, texts, files, names, progress=progress)
    facts = [
        looked.withheld.safe(fact)
        for fact in index.facts()
        if not _own(fact, own) and (as_of is None or _known(fact.recorded, as_of))
    ]
    kept, superseded, retracted = living(facts)
    if as_of is not None:
        on_page = on_page._replace(entries=tuple(_as_of(on_page.entries, as_of)))
    counting = [fact for fact in kept if fact.id not in superseded]
    mine = [fact for fact in kept if not fact.trailer.outsider]
    overheard = [fact for fact in kept if fact.trailer.outsider]
    findings = Findings(index.cached(_FINDINGS))
    formed = form(counting, on_page, today=today, canonical=canonical, findings=findings, progress=progress)
    spelled = _spelled(mine, canonical)
    outdated, disputed = by_claims(index, today) if as_of is None else ({}, {})
    superseded = outdated | superseded
    return Gathered(
        files=files,
        aliases=aliases,
        facts=mine,
        overheard=overheard,
        superseded=superseded,
        disputed=disputed,
        retracted=retracted,
        formed=formed,
        entities=entities,
        strangers=strangers,
        canonical=canonical,
        beside=same.beside,
        companies=same.companies,
        spelled=spelled,
        texts=texts,
        decided=decided,
        findings=findings,
        counting=counting,
        kept=on_page,
        looked=looked,
    )


def _without_taken_back(
    entries: Sequence[Entry], page: str, decided: Sequence[review_page.Decision]
) -> tuple[Entry, ...]:
    """Return the opinions without evidence whose verdict a person deleted from the review page, or took the tick of."""
    told = {(each.opinion_id, each.fact_id) for each in decided}
    listed = region(page, "review") if "^j-" in page or entries else None
    if listed is None:
        return tuple(entries)
    gone = listed.gone()
    open_pairs = {pair for raw in page.split("\n") if " ^j-" in raw and (pair := review_page.pair_of(raw.rstrip("\r")))}

    def stands(opinion: str, fact: str) -> bool:
        pair = (opinion, fact)
        return pair in told or not (pair in open_pairs or (gone and digest(review_page.id_of_pair(*pair)) in gone))

    def counts(opinion: str, mark: Mark) -> bool:
        return mark.unjudged or mark.role not in (FOR, AGAINST) or stands(opinion, mark.fact_id)

    return tuple(each._replace(marks=tuple(mark for mark in each.marks if counts(each.id, mark))) for each in entries)


def unweighed(got: Gathered, taken_back: Sequence[review_page.Decision]) -> Gathered:
    """Return what was read without the evidence that these verdicts made: the opinions page keeps it otherwise."""
    judged = {(each.opinion_id, each.fact_id) for each in taken_back if each.opinion_id}
    if not judged:
        return got
    entries = tuple(
        entry._replace(marks=tuple(mark for mark in entry.marks if (entry.id, mark.fact_id) not in judged))
        for entry in got.kept.entries
    )
    return got._replace(kept=got.kept._replace(entries=entries))


def answered(got: Gathered, text: str, *, today: date) -> Gathered:
    """Return the same input with another text of the review page, and the opinions formed by its verdicts."""
    decided = review_page.decisions(text)
    kept = got.kept._replace(verdicts=review_page.verdicts(decided))
    formed = form(got.counting, kept, today=today, canonical=got.canonical, findings=got.findings)
    return got._replace(decided=decided, kept=kept, formed=formed)


def by_claims(index: Index, today: date) -> tuple[dict[str, str], dict[str, str]]:
    """Return (id of a superseded fact -> id of the fact that superseded it, the same for disputed facts), by claims."""
    by_row = outdated(index, today=today)
    rows = {row for pairs in by_row for pair in pairs.items() for row in pair}
    ids = {row: fact.id for row, fact in index.facts_at(rows).items()}
    superseded, disputed = ({ids[row]: ids[other] for row, other in pairs.items()} for pairs in by_row)
    return superseded, disputed


def remember(index: Index, findings: Findings, *, whole: bool) -> None:
    """Store the cache for the next time; after a `whole` pass without the results that it did not use."""
    known, met = findings.known, findings.met
    if not met.keys() <= known.keys() or (whole and len(met) < len(known)):
        index.cache(_FINDINGS, met if whole else {**known, **met})


def believe(
    index: Index, workspace: Workspace, *, today: date, as_of: date | None = None, progress: Progress | None = None
) -> tuple[Opinion, ...]:
    """Return the opinions as reflect would write them now, then those that people keep in shapes of their own.

    Args:
        progress: as of `gather`.
    """
    texts = FileTexts(workspace)
    got = gather(index, texts, today=today, as_of=as_of, progress=progress)
    places = {fact.id: fact.source for fact in got.everything}
    lines = {entry.id: Citation(OPINIONS, entry.number) for entry in got.held}
    found = []
    kept_as_they_are = as_of is None and held_back(index, texts)
    for entry in got.held if kept_as_they_are else got.formed.entries:
        evidence = _placed(entry.evidence(), places)
        spent = tuple(each._replace(evidence=_placed(each.evidence, places)) for each in entry.spent())
        begun = entry.begun
        started = next((mark for mark in entry.marks if mark.fact_id in places), None)
        place = lines.get(entry.id) or (places[started.fact_id] if started else None)
        value = confidence(entry.start, evidence) if entry.confidence is None else entry.confidence
        found.append(
            Opinion(
                entry.id, entry.statement, entry.entities, entry.start, evidence, value, entry.last_updated, place,
                entry.disputed_by, spent, begun and begun._replace(source=places.get(begun.fact_id, begun.source)),
            )
        )  # fmt: skip
    ours = {entry.id for entry in (*got.held, *got.formed.entries)} | got.formed.hidden
    kept = [each for each in index.opinions() if each.id not in ours]
    return (*found, *once(each for each in kept if as_of is None or _known(each.last_updated, as_of)))


def _placed(evidence: Iterable[Evidence], places: Mapping[str, Citation]) -> tuple[Evidence, ...]:
    return tuple(item._replace(source=places.get(item.fact_id, item.source)) for item in evidence)


def moved(index: Index, texts: FileTexts) -> dict[str, str]:
    """Return fixed path of a page -> path to which its region was moved."""
    found: dict[str, str] = {}
    paths = dict.fromkeys(each.source.path for each in index.problems() if each.code == "moved-page")
    for path in (each for each in paths if each.startswith(BANK)):
        ours = read_page(texts.text(path)).ours
        found.update((place, path) for place, name in REGIONS.items() if name in ours)
    return found


def _own(fact: Fact, lines: Collection[int]) -> bool:
    """Whether a fact is one of our opinion lines that a person edited: an opinion is no evidence for itself."""
    return fact.source.path == OPINIONS and (fact.id.startswith("o-") or fact.source.line in lines)


def _known(day: date | None, as_of: date) -> bool:
    return day is None or day <= as_of


def _as_of(entries: Iterable[Entry], as_of: date) -> Iterable[Entry]:
    """The page's opinions without later evidence."""
    for entry in entries:
        marks = tuple(mark for mark in entry.marks if _known(mark.day, as_of))
        if marks:
            yield entry._replace(marks=marks, confidence=None)


def _spelled(facts: Iterable[Fact], canonical: Callable[[str], str]) -> dict[str, str]:
    """Key of an entity -> its most frequent spelling; of equally frequent ones the first in the alphabet."""
    counts: dict[str, int] = {}
    for fact in facts:
        for name in fact.entities:
            counts[name] = counts.get(name, 0) + 1
    found: dict[str, str] = {}
    for name in sorted(counts, key=lambda name: (-counts[name], name)):
        # the name itself before any alias of it
        key = canonical(name)
        if key not in found or (entity_key(found[key]) != key and entity_key(name) == key):
            found[key] = name
    return found


def canonical_names(
    aliases: Mapping[str, tuple[str, ...]], entities: Mapping[str, Entity], same: Mapping[str, str] | None = None
) -> Callable[[str], str]:
    """Return a function: name -> key of its entity: its own if that has a page, else of the one page with the alias, or
    of the page of the same name with an article (`Castle`, `The Castle`).

    Args:
        same: keys of names -> keys of the entities whose names they surely are, too.
    """
    known: dict[str, str] = dict(same or {})

    def canonical(name: str) -> str:
        key = known.get(name)
        if key is None:
            key = entity_key(name)
            own = entities.get(key)
            if own is None or own.page is None:
                paged = [
                    other
                    for other in aliases.get(key, ())
                    if other != key and other in entities and entities[other].page
                ]
                with_article = f"the {key}"
                if not paged and with_article in entities and entities[with_article].page:
                    paged = [with_article]
                key = paged[0] if len(paged) == 1 else key
            known[name] = key
        return key

    return canonical
