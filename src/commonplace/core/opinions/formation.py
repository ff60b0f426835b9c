"""Forms opinions from facts: each with its prior, the evidence for and against, and its opposite.

One pass over the facts in the order of their days. A fact that states an opinion starts one, restates one, or reverses
one: then both are kept as opposites. Any fact of the same entity may support or contradict. Its role is decided by the
first of these that says something: a verdict from the review page, the fact's own trailer, the evidence listed on the
page, the rules of `core.stance`. If no rule decides and both are about the same thing, a person is asked.

Laws: the same facts and the same pages give the same opinions; a person's words, numbers and deletions on the page win.
What outsiders say changes nothing: it is listed, and counts once the author has judged it.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.memo import Findings, reported
from commonplace.core.model import RELATIONS, Kind, Stance
from commonplace.core.opinions.belief import bare_prior, confidence
from commonplace.core.opinions.candidates import MOST_CANDIDATES, Candidates, Held
from commonplace.core.opinions.opinion_entry import AGAINST, FOR, PRIOR, SET, Entry, Mark, MarkRole, opinion_id
from commonplace.core.opinions.opinion_outcome import deleted, outcome
from commonplace.core.stance import prepare, similarity_prepared, weigh_prepared
from commonplace.core.timeline import order, ordinal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from datetime import date

    from commonplace.core.memo import Progress
    from commonplace.core.model import Fact
    from commonplace.core.opinions.candidates import Bearing
    from commonplace.core.opinions.page_state import Kept

_RELINKED_FROM = 0.6
_NOT_YET = (1 << 30, "", 0)
"""The start of an opinion whose first statement was not reached yet."""
_MOST_OVERHEARD = 5
"""Maximum lines below an opinion by outsiders, and questions they cause: the newest."""
_ROLES = {Stance.SUPPORTS.value: FOR, Stance.CONTRADICTS.value: AGAINST}


class Undecided(NamedTuple):
    """A fact that may be evidence, while no rule decides its stance."""

    opinion_id: str
    statement: str
    fact: Fact
    similarity: float


class Formed(NamedTuple):
    """The opinions formed from facts."""

    entries: tuple[Entry, ...]
    """By first entity, then by day of the first statement."""
    undecided: tuple[Undecided, ...]
    """Newest first."""
    adopted: frozenset[str]
    """Ids of opinions whose line a person edited; the entry contains the edit."""
    hidden: frozenset[str]
    """Ids of opinions that a person deleted."""
    statements: frozenset[str]
    """Ids of the facts that state an opinion held or deleted."""


def form(
    facts: Sequence[Fact],
    kept: Kept,
    *,
    today: date,
    canonical: Callable[[str], str] = entity_key,
    findings: Findings | None = None,
    progress: Progress | None = None,
) -> Formed:
    """Return the opinions that these facts form, given the state of the page.

    Args:
        facts: those that count (not generated, retracted or superseded), in the order of `timeline.order`.
        kept: the opinions on the page, with a person's edits and verdicts.
        today: recorded as the day of a confidence that a person typed.
        canonical: returns the key of the entity of a name or alias.
        findings: results of an earlier pass; updated for the next.
        progress: called with (facts weighed, facts to weigh).
    """
    return _Former(facts, kept, today=today, canonical=canonical, findings=findings or Findings()).formed(progress)


class _Former:
    """The state of one pass."""

    def __init__(
        self,
        facts: Sequence[Fact],
        kept: Kept,
        *,
        today: date,
        canonical: Callable[[str], str],
        findings: Findings,
    ) -> None:
        self.facts = [fact for fact in facts if not fact.trailer.outsider]
        self.overheard = [fact for fact in facts if fact.trailer.outsider]
        """Facts by outsiders."""
        self.kept = kept
        self.today = today
        self.canonical = canonical
        self.by_id = {fact.id: fact for fact in self.facts}
        self.others = {fact.id: fact for fact in self.overheard}
        self.held: list[Held] = []
        self.by_opinion: dict[str, Held] = {}
        self.stated: dict[str, Held] = {}
        """By the id of a fact that states it."""
        self.findings = findings
        self.candidates = Candidates()
        """Opinions that have begun."""
        self.later: Candidates | None = None
        """All opinions; built for the first fact that may be an earlier statement of one."""
        self.listed: dict[str, list[tuple[Held, Mark]]] = {}
        """By fact id: the evidence listed on the page."""
        self.by_day: dict[date | None, list[Fact]] = {}
        self.keys: dict[tuple[str, ...], frozenset[str]] = {}
        """By names: the keys of their entities."""
        self.typed: dict[str, dict[str, Mark]] = {}
        """By the id of an outsider's fact and by opinion: the mark that a person typed."""
        self.cited = {mark.fact_id for entry in kept.entries for mark in entry.marks}
        self.undecided: list[Undecided] = []
        self.judged: dict[str, list[tuple[str, str]]] = {}
        for (opinion, fact), verdict in kept.verdicts.items():
            self.judged.setdefault(fact, []).append((opinion, verdict))
        for entry in kept.entries:
            self._take_over(entry)
        self.to_begin = sorted(self.held, key=lambda held: (held.start, held.id), reverse=True)
        """Opinions of the page that have not begun, the first one last."""
        self.dayless = [held for held in self.held if held.start == _NOT_YET]
        self.begun: set[Held] = set()

    def formed(self, progress: Progress | None) -> Formed:
        """Weigh every fact; return the opinions."""
        for fact in reported(self.facts, progress, of=len(self.facts)):
            self._weigh(fact)
        asked = self._overhear()
        stating = self.by_id | self.others
        entries = [entry for held in self.held if not held.hidden and (entry := outcome(held, stating, kept=self.kept))]
        entries.sort(key=lambda entry: (self._first_name(entry), self._began(entry), entry.id))
        ids = {entry.id for entry in entries}
        entries = [entry if entry.disputed_by in ids else entry._replace(disputed_by="") for entry in entries]
        waiting = [pair for pair in self.undecided if pair.opinion_id in ids]
        waiting.sort(key=lambda pair: (order(pair.fact), pair.opinion_id), reverse=True)
        waiting += [pair for pair in asked if pair.opinion_id in ids]
        adopted = {entry.id for entry in self.kept.entries if entry.number in self.kept.edited}
        hidden = frozenset(held.id for held in self.held if held.hidden)
        return Formed(tuple(entries), tuple(waiting), frozenset(adopted), hidden, frozenset(self.stated))

    # -- the page

    def _take_over(self, entry: Entry) -> None:
        """Add an opinion of the page: its words, its marks, and a confidence that a person typed."""
        if entry.id in self.by_opinion:
            return
        held = self._new(entry.id, entry.statement, entry.entities)
        held.page = entry
        marks = [found for mark in entry.marks if (found := self._still(held, mark))]
        typed = entry.number in self.kept.edited and entry.confidence is not None and self._typed_over(entry)
        if typed:
            # of what a person set on one day the last word stands
            marks = [mark for mark in marks if (mark.role, mark.day) != (SET, self.today)]
            marks.append(Mark(SET, entry.confidence, self.today))
        cut = max((at for at, mark in enumerate(marks) if mark.role == SET), default=-1) + 1
        held.frozen, live = marks[:cut], marks[cut:]
        held.spent = frozenset(mark.fact_id for mark in held.frozen if mark.fact_id)
        priors = [mark for mark in marks if mark.role == PRIOR and mark.fact_id not in self.others]
        first = next((mark for mark in priors if not mark.gone), priors[0] if priors else None)
        stating = self.by_id.get(first.fact_id) if first else None
        if first and stating:
            held.start = order(stating)
            self.stated[stating.id] = held
            held.know(stating.content)
        elif first or held.frozen:
            held.start = (ordinal((first or held.frozen[-1]).day), "", 0)
        else:
            held.start = _NOT_YET
        for mark in (*held.frozen, *live):
            if mark.fact_id in self.others:
                if mark.number in self.kept.edited and mark.role in (FOR, AGAINST):
                    self.typed.setdefault(mark.fact_id, {})[held.id] = mark
            elif mark.fact_id in self.by_id and mark.role != PRIOR:
                self.listed.setdefault(mark.fact_id, []).append((held, mark))
            elif mark.fact_id and mark in live and (mark.gone or mark.role == PRIOR):
                held.marks.append(mark)

    def _typed_over(self, entry: Entry) -> bool:
        """Whether the confidence on the page differs from that of its own evidence."""
        assert entry.confidence is not None
        if entry.prior is None:
            return True
        return abs(round(confidence(entry.prior, entry.evidence()), 2) - entry.confidence) > 0.001

    def _still(self, held: Held, mark: Mark) -> Mark | None:
        """Return a mark of the page as of now: of a vanished fact it is re-linked, or marked as gone."""
        if mark.role == SET:
            return mark
        fact = self.by_id.get(mark.fact_id) or self.others.get(mark.fact_id) or self._reworded(held, mark)
        if fact is None:
            return mark._replace(gone=True)
        if mark.number in self.kept.edited and fact.id == mark.fact_id:
            return mark._replace(gone=False)
        return self._mark(mark.role, fact)._replace(unjudged=mark.unjudged)

    def _reworded(self, held: Held, mark: Mark) -> Fact | None:
        """Return the one fact of that day that says the same as a vanished one; None if there is none, or several."""
        if mark.day is None or mark.origin:
            return None
        wanted = Stance.CONTRADICTS if mark.role == AGAINST else Stance.SUPPORTS
        if not self.by_day:
            for fact in self.facts:
                self.by_day.setdefault(fact.recorded, []).append(fact)
        found = []
        for fact in self.by_day.get(mark.day, ()):
            if fact.id in self.cited or not self._keys(fact) & held.keys:
                continue
            said = prepare(fact.content)
            alike = similarity_prepared(held.texts[0], said)
            if alike >= _RELINKED_FROM and weigh_prepared(held.texts[0], said).stance is wanted:
                found.append(fact)
        return found[0] if len(found) == 1 else None

    # -- one fact

    def _weigh(self, fact: Fact) -> None:
        """Count one fact as evidence, and begin an opinion if it states a new one."""
        if self.to_begin and self.to_begin[-1].start[0] <= ordinal(fact.recorded):
            place = order(fact)
            while self.to_begin and self.to_begin[-1].start < place:
                self._begin_to_count(self.to_begin.pop())
        keys = self._keys(fact)
        roles = self._decided(fact)
        bearing = self._bearing(fact, keys)
        if bearing is None and not roles:
            return  # as of most
        stating = self.stated.get(fact.id)
        prior = stating is not None
        if stating is not None and fact.id not in stating.spent:
            stating.marks.append(self._prior(stating, fact))
        waiting = self._heed(fact, keys, bearing, roles, stating)
        if fact.kind is Kind.OPINION and stating is None:
            # a verdict says how it bears on an opinion, not that it is one with it: that was asked of another opinion
            told = {id: role for id, role in roles.items() if (id, fact.id) not in self.kept.verdicts}
            stating = self._nearest(fact, told, wanted=FOR)
            if stating is None:
                stating, prior = self._begin(fact), True
            if stating is not None:
                self.stated[fact.id] = stating
        others = roles.keys() if stating is None else self._stated_by(fact, stating, roles=roles)
        if not others:
            self.undecided += waiting
        for id, role in roles.items():
            held = self.by_opinion[id]
            own = prior and held is stating
            if (
                role in (FOR, AGAINST)
                and not own
                and fact.id not in held.spent
                and not deleted(self.kept, held, fact_id=fact.id)
            ):
                held.marks.append(self._listed_mark(held, fact) or self._mark(role, fact))
        if stating is not None:
            self._begin_to_count(stating)

    def _stated_by(self, fact: Fact, stating: Held, *, roles: dict[str, str]) -> set[str]:
        """Let a fact state an opinion; return the ids of others it relates to, and of this one if stated before."""
        place = order(fact)
        told = set(roles)
        if stating.start < place:
            told.add(stating.id)
        else:
            # the first statement; it may be of an earlier day and written down later
            told.discard(stating.id)
            if place < stating.start:
                stating.know(fact.content)
                stating.start = place
            reversed_one = self._nearest(fact, roles, wanted=AGAINST) if stating.opposite is None else None
            if reversed_one is not None and reversed_one.opposite is None:
                stating.opposite, reversed_one.opposite = reversed_one, stating
        if stating.opposite is not None and stating.opposite.start <= place:
            roles.setdefault(stating.opposite.id, AGAINST)
        return told

    def _begin_to_count(self, held: Held) -> None:
        """Compare the following facts with an opinion, too."""
        if held not in self.begun:
            self.begun.add(held)
            self.candidates.add(held)

    def _bearing(self, fact: Fact, keys: frozenset[str]) -> Bearing:
        """Return how a fact relates, by the rules, to the opinions that have begun."""
        of_opinion = fact.kind is Kind.OPINION
        digest = self.candidates.digest(fact, keys, of_opinion=of_opinion)
        if digest is None:
            return () if of_opinion else None
        found: Bearing = self.findings.of(digest, lambda: self.candidates.bearing(fact, keys, of_opinion=of_opinion))
        return found

    def _heed(
        self, fact: Fact, keys: frozenset[str], bearing: Bearing, roles: dict[str, str], stating: Held | None
    ) -> list[Undecided]:
        """Add the roles that the rules decide to `roles`; return what they cannot decide."""
        waiting: list[Undecided] = []
        for id, stance, alike in bearing or ():
            if id in roles or (stating is not None and id == stating.id):
                continue
            if stance in _ROLES:
                roles[id] = _ROLES[stance]
            else:
                waiting.append(Undecided(id, self.by_opinion[id].statement, fact, alike))
        for held in self._restated_late(fact, keys):
            roles.setdefault(held.id, FOR)
        return waiting

    def _restated_late(self, fact: Fact, keys: frozenset[str]) -> list[Held]:
        """Return the opinions with a later or unknown start that a fact states, if no page cites it as a statement."""
        if fact.kind is not Kind.OPINION or not self.to_begin:
            return []
        cited = fact.id in self.cited
        if cited and not any(held.start == _NOT_YET for held in self.dayless):
            return []
        if self.later is None:
            self.later = Candidates()
            for held in self.held:
                self.later.add(held)
        place = order(fact)
        found = (held for held in self.later.of(fact, keys) if held.start > place)
        late = (held for held in islice(found, MOST_CANDIDATES) if not cited or held.start == _NOT_YET)
        return [held for held in late if held.weigh(fact)[0] is Stance.SUPPORTS]

    def _nearest(self, fact: Fact, roles: dict[str, str], *, wanted: str) -> Held | None:
        """Return the most similar opinion to which a fact has this role, decided by rules or listed on the page."""
        found = [self.by_opinion[id] for id, role in roles.items() if role == wanted]
        if len(found) < 2:
            return found[0] if found else None
        return min(found, key=lambda held: (-held.weigh(fact)[1], held.id))

    def _decided(self, fact: Fact) -> dict[str, str]:
        """Return the roles of a fact that are known without rules, by opinion; `neither` excludes the rules."""
        roles: dict[str, str] = {}
        id, trailer = fact.id, fact.trailer
        if id not in self.listed and id not in self.judged and not (trailer.supports or trailer.contradicts):
            return roles
        for held, mark in self.listed.get(id, ()):
            roles[held.id] = mark.role
        for relation, role in ((trailer.supports, FOR), (trailer.contradicts, AGAINST)):
            for target in relation:
                held_now = self.by_opinion.get(target) or self.stated.get(target)
                if held_now is not None:
                    roles[held_now.id] = role
        for opinion, verdict in self.judged.get(id, ()):
            if opinion in self.by_opinion:
                roles[opinion] = verdict
        return roles

    def _listed_mark(self, held: Held, fact: Fact) -> Mark | None:
        """Return the page's mark for this fact if a person edited it."""
        for other, mark in self.listed.get(fact.id, ()):
            if other is held and mark.number in self.kept.edited:
                return mark
        return None

    def _begin(self, fact: Fact) -> Held:
        id = opinion_id(fact.entities, fact.content, taken=self.by_opinion)
        held = self._new(id, fact.content, fact.entities)
        held.start = order(fact)
        held.marks.append(self._prior(held, fact))
        return held

    def _prior(self, held: Held, fact: Fact) -> Mark:
        if held.page is not None:
            for mark in held.page.marks:
                if mark.role == PRIOR and mark.fact_id == fact.id and mark.number in self.kept.edited:
                    return mark
        value = bare_prior() if fact.confidence is None else fact.confidence
        return self._mark(PRIOR, fact)._replace(value=value)

    def _mark(self, role: str, fact: Fact) -> Mark:
        origin = fact.trailer.outsider
        return Mark(MarkRole(role), fact.confidence, fact.recorded, fact.source.path, fact.id, origin)

    # -- outsiders

    def _overhear(self) -> list[Undecided]:
        """Add outsiders' facts to the opinions they relate to; return what their trailers ask, newest first."""
        for held in reversed(self.to_begin):
            self._begin_to_count(held)
        listed: dict[str, list[Mark]] = {}
        asked: list[Undecided] = []
        for fact in self.overheard:
            typed = self.typed.get(fact.id, {})
            judged = {id: verdict for id, verdict in self.judged.get(fact.id, ()) if id in self.by_opinion}
            roles = self._by_rules(fact) | {id: mark.role for id, mark in typed.items()} | judged
            for id, role in roles.items():
                held = self.by_opinion[id]
                if role not in (FOR, AGAINST) or fact.id in held.spent or deleted(self.kept, held, fact_id=fact.id):
                    continue
                mark = typed.get(id) or self._mark(role, fact)
                if id in judged or id in typed:
                    held.marks.append(mark._replace(role=MarkRole(role), unjudged=False))
                else:
                    listed.setdefault(id, []).append(mark._replace(unjudged=True))
            asked += self._wished(fact, judged.keys() | typed.keys())
        for id, marks in listed.items():
            self.by_opinion[id].marks += marks[-_MOST_OVERHEARD:]
        return asked[: -_MOST_OVERHEARD - 1 : -1]

    def _by_rules(self, fact: Fact) -> dict[str, str]:
        """Return the roles of an outsider's fact, by the rules, for the opinions held by then."""
        place = order(fact)
        bearing = self._bearing(fact, self._keys(fact)) or ()
        return {id: _ROLES[said] for id, said, _ in bearing if said in _ROLES and self.by_opinion[id].start < place}

    def _wished(self, fact: Fact, settled: Collection[str]) -> Iterator[Undecided]:
        """Yield questions to the author on relations that an outsider's trailer states."""
        targets = (id for relation in RELATIONS for id in getattr(fact.trailer, relation))
        for held in dict.fromkeys(self.by_opinion.get(target) or self.stated.get(target) for target in targets):
            if held is not None and held.id not in settled:
                yield Undecided(held.id, held.statement, fact, 1.0)

    def _new(self, id: str, statement: str, entities: tuple[str, ...]) -> Held:
        keys = frozenset(self.canonical(name) for name in entities) or frozenset({""})
        held = Held(id, statement, entities, keys)
        held.hidden = self.kept.deleted(id)
        self.held.append(held)
        self.by_opinion[id] = held
        return held

    def _keys(self, fact: Fact) -> frozenset[str]:
        alone = fact.kind is Kind.OPINION or not fact.mentions
        names = fact.entities if alone else (*fact.entities, *fact.mentions)
        known = self.keys.get(names)
        if known is None:
            known = self.keys[names] = frozenset(map(self.canonical, names)) or frozenset({""})
        return known

    def _first_name(self, entry: Entry) -> tuple[bool, str]:
        return (not entry.entities, self.canonical(entry.entities[0]) if entry.entities else "")

    def _began(self, entry: Entry) -> tuple[int, str, int]:
        return self.by_opinion[entry.id].start
