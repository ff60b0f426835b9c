"""How the atoms between two breaks are read as a clause: each word plays its part, in order, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.stance.stance_clause import LOCAL_NEGATION, Clause, Quantity

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonplace.core.stance.atoms import Atom
    from commonplace.core.stance.stance_lexicon import StanceLexicon

_COUNTED = frozenset(("content", "word"))
_DROPS = frozenset(("ends", "refuses"))


def clause_of(group: list[Atom], words: StanceLexicon) -> Clause:
    """Return the clause of the atoms between two breaks."""
    reader = _Reader(group, words)
    for place, atom in enumerate(group):
        reader.take(place, atom)
    return reader.clause()


class _Reader:
    """Reads the atoms of a clause in one pass; one method for each role."""

    def __init__(self, group: list[Atom], words: StanceLexicon) -> None:
        self.group, self.words = group, words
        self.chosen: list[str] = []
        self.rejected: list[str] = []
        self.target = self.chosen
        self.light: set[str] = set()
        self.surface: dict[str, str] = {}
        self.quantities: list[Quantity] = []
        self.first: dict[str, str] = {}
        self.negations = 0
        self.lead, self.cue, self.liking, self.hedge, self.bound = "", "", "", "", "="
        self.change, self.changing = "", ""
        self.aside: list[str] = []
        self.only: set[str] = set()
        self.name: set[str] = set()
        self.origin = self.beside = -1
        self.denied = ""
        self.mark = self.concord = 0
        self.dropped = -1
        self.local = self.relative = self.moved = self.alone = False

    def take(self, place: int, atom: Atom) -> None:
        role = atom.role
        if role == "stops":
            role = "refuses" if self._gerund_follows(place) else "word"
        elif (
            role == "ends"
            and self.words.gerund
            and not atom.surface.lower().endswith(self.words.over)
            and " " not in atom.surface
        ):
            role = "word"
        self.first.setdefault(role, atom.surface)
        take = _TAKES.get(role)
        if take is not None:
            take(self, place, atom)

    def word(self, place: int, atom: Atom) -> None:
        if place and self.group[place - 1].role == "number" and atom.concept in self.words.units:
            return  # contained in the quantity
        concept = LOCAL_NEGATION + atom.concept if self.local else atom.concept
        if concept in self.words.acquires and self._has_dropped():
            self.switch(place, atom)  # sold A and bought B
            return
        if self.negations and self.words.exclusive.get(concept) == "month" and self.target is self.chosen:
            self.aside.append(concept)  # quit smoking in March
            return
        self.target.append(concept)
        if self.negations and not self.denied:
            self.denied = concept
        if self.alone:
            self.only.add(concept)
            self.alone = False
        self.light.add(concept)
        self.surface.setdefault(concept, atom.surface)
        first = len(self.chosen) == 1 and not (self.lead or self.changing or self.negations or self.liking)
        if first and atom.surface[:1].isupper() and not self._is_verb(place, concept):
            self.lead = concept
            self.name.add(concept)
        elif self.lead and atom.surface[:1].isupper() and self._follows_name(place):
            self.name.add(concept)
        self.local = False

    def small(self, place: int, atom: Atom) -> None:
        self.light.add(atom.concept)
        self.surface.setdefault(atom.concept, atom.surface)

    def number(self, place: int, atom: Atom) -> None:
        following = self.group[place + 1] if place + 1 < len(self.group) else None
        value = float(atom.concept)
        if following is None or following.role not in _COUNTED:
            self.quantities.append(Quantity(value, "", self.bound, atom.surface))
        else:
            unit, factor = self.words.units.get(following.concept, (following.concept, 1.0))
            text = f"{atom.surface} {following.surface}".strip()
            self.quantities.append(Quantity(value * factor, unit, self.bound, text))
        self.bound = "="

    def compare(self, place: int, atom: Atom) -> None:
        self.bound = "<" if atom.role == "at_most" else ">"
        if self.quantities and self._follows_number(place):
            self.quantities[-1] = self.quantities[-1]._replace(bound=self.bound)
            self.bound = "="

    def deny(self, place: int, atom: Atom) -> None:
        self.negations += 1
        self.concord += atom.surface in self.words.concord
        if atom.role in _DROPS:
            self.dropped = len(self.chosen)
        self.cue = self.cue or atom.surface
        if self.relative:
            self.hedge = self.hedge or atom.surface  # it denies the relative clause, not the statement

    def dislike(self, place: int, atom: Atom) -> None:
        self.deny(place, atom)
        self.like(place, atom)

    def like(self, place: int, atom: Atom) -> None:
        self.liking = self.liking or atom.surface

    def condition(self, place: int, atom: Atom) -> None:
        """If; but not before a time of day or week: om natten."""
        following = self.group[place + 1].concept if place + 1 < len(self.group) else ""
        if following not in self.words.times:
            self.doubt(place, atom)

    def doubt(self, place: int, atom: Atom) -> None:
        self.hedge = self.hedge or atom.surface

    def deny_next(self, place: int, atom: Atom) -> None:
        self.local = True

    def relate(self, place: int, atom: Atom) -> None:
        self.relative = bool(self.chosen)

    def reject_next(self, place: int, atom: Atom) -> None:
        self.target = self.rejected

    def reject_liked(self, place: int, atom: Atom) -> None:
        """A over B, if something is preferred or chosen; otherwise as in "over the fence"."""
        following = self.group[place + 1] if place + 1 < len(self.group) else None
        if following is not None and following.role == "number":
            self.bound = ">"
        elif self.liking or not self.words.chooses.isdisjoint(self.chosen):
            self.target = self.rejected
        else:
            self.small(place, atom)

    def reject_before(self, place: int, atom: Atom) -> None:
        start = self.mark if self.mark < len(self.chosen) else 0
        self.beside = -1 if self.rejected else start
        self.rejected.extend(self.chosen[start:])
        del self.chosen[start:]

    def part(self, place: int, atom: Atom) -> None:
        """A particle after the topic: what is rejected follows it."""
        self.mark = len(self.chosen)
        self.small(place, atom)

    def choose_next(self, place: int, atom: Atom) -> None:
        begins = self.words.prefer_to
        parts = begins and self.chosen and self.liking.lower().startswith(begins) and self.target is self.chosen
        self.target = self.rejected if parts else self.chosen

    def turn(self, place: int, atom: Atom) -> None:
        """A word of change: what is so now was not before."""
        if atom.role in _DROPS:
            self.dropped = len(self.chosen)
        if not self.change or atom.role != "changes":
            self.change, self.changing = atom.surface, atom.role

    def mark_next(self, place: int, atom: Atom) -> None:
        self.origin = len(self.chosen)

    def mark_before(self, place: int, atom: Atom) -> None:
        self.origin = len(self.chosen) - 1

    def exchange(self, place: int, atom: Atom) -> None:
        """Dropped A for B."""
        if self.changing == "ends" and self._has_dropped():
            self.switch(place, atom)
        else:
            self.small(place, atom)

    def relocate(self, place: int, atom: Atom) -> None:
        if 0 <= self.origin < len(self.chosen):
            self.switch(place, atom)
        else:
            self.turn(place, atom)

    def switch(self, place: int, atom: Atom) -> None:
        if 0 <= self.origin < len(self.chosen) and self.target is self.chosen:
            end = self.origin + 1 if "from_before" in self.first else len(self.chosen)
            self.rejected.extend(self.chosen[self.origin : end])
            del self.chosen[self.origin : end]
            self.moved = True
        elif self._has_dropped():  # dropped A and went over to B
            self.rejected.extend(self.chosen[self.dropped :])
            del self.chosen[self.dropped :]
            self.negations, self.moved, self.dropped = max(0, self.negations - 1), True, -1
        self.change, self.changing = atom.surface, "switches"

    def leave(self, place: int, atom: Atom) -> None:
        if self.chosen:
            self.rejected.append(self.chosen.pop())
            self.moved = True

    def single_next(self, place: int, atom: Atom) -> None:
        self.alone = True
        self.small(place, atom)

    def single_before(self, place: int, atom: Atom) -> None:
        if self.chosen:
            self.only.add(self.chosen[-1])
        self.small(place, atom)

    def single_denied(self, place: int, atom: Atom) -> None:
        """しか … ない: nothing else, so it is not a denial of this."""
        self.single_before(place, atom)
        self.negations -= 1

    def explain(self, place: int, atom: Atom) -> None:
        self.target = self.aside

    def explain_before(self, place: int, atom: Atom) -> None:
        if self.negations == 0:
            self.aside.extend(self.chosen)
            self.chosen.clear()
        self.change, self.changing, self.dropped = "", "", -1

    def clause(self) -> Clause:
        if self.alone and self.chosen:
            self.only.add(self.chosen[-1])  # by email only
        if self.liking and 0 <= self.beside == len(self.chosen) and len(self.rejected) > 1:
            self.chosen += self.rejected[:-1]  # tea more than coffee is liked: nothing follows
            del self.rejected[:-1]
        if self.negations > self.concord:
            self.negations -= self.concord
        return Clause(
            words=tuple(self.chosen),
            content=frozenset(self.chosen),
            light=frozenset(self.light),
            negations=max(0, self.negations),
            cue=self.cue,
            liking=self.liking,
            denied=self.denied,
            lapsed=self.negations > 0 and self._lapsed(),
            hedge=self.hedge,
            quantities=tuple(self.quantities),
            rejected=frozenset(self.rejected),
            subject=frozenset(self.chosen).union(self.rejected),
            lead=self.lead,
            name=frozenset(self.name),
            passive="passive" in self.first,
            indefinite=bool(self.group) and self.group[0].surface.lower() in self.words.indefinite,
            moved=self.moved or "rather_from" in self.first,
            adds="adds" in self.first,
            event=not self.first.keys().isdisjoint(("past", "once", "past_negations")),
            once="once" in self.first,
            copula="copulas" in self.first,
            change=self.change,
            changing=self.changing,
            only=frozenset(self.only),
            kin=self.words.kin.intersection(self.chosen),
            nobody="nobody" in self.first,
            may=self.first.get("may", ""),
            permits=not self.first.keys().isdisjoint(("may", "permits", "forbids")),
            aside=frozenset(self.aside),
            surface=self.surface,
        )

    def _is_verb(self, place: int, concept: str) -> bool:
        """Whether a first word is not a name: a known verb, or one followed by a denial (`Besøgte ikke …`)."""
        if concept in self.words.carriers or concept in self.words.habits:
            return True
        return place + 1 < len(self.group) and self.group[place + 1].role == "negations"

    def _lapsed(self) -> bool:
        if not self.first.keys().isdisjoint(("lapses", "refuses")):
            return True
        return any(atom.surface.lower() in self.words.lapsing for atom in self.group)

    def _has_dropped(self) -> bool:
        return self.dropped >= 0 and bool(self.chosen[self.dropped :])

    def _follows_name(self, place: int) -> bool:
        before = self.group[place - 1]
        return before.concept in self.name and before.surface[:1].isupper()

    def _gerund_follows(self, place: int) -> bool:
        return place + 1 < len(self.group) and self.group[place + 1].surface.partition(" ")[0].endswith(
            self.words.gerund
        )

    def _follows_number(self, place: int) -> bool:
        """Whether a word of comparison follows its number: 1500文字以内."""
        before = place - 1
        if before > 0 and self.group[before].concept in self.words.units:
            before -= 1
        return before >= 0 and self.group[before].role == "number"


_TAKES: dict[str, Callable[[_Reader, int, Atom], None]] = {
    "content": _Reader.word,
    "word": _Reader.word,
    "function": _Reader.small,
    "copulas": _Reader.small,
    "number": _Reader.number,
    "at_most": _Reader.compare,
    "at_least": _Reader.compare,
    "negations": _Reader.deny,
    "past_negations": _Reader.deny,
    "nobody": _Reader.deny,
    "refuses": _Reader.deny,
    "forbids": _Reader.deny,
    "lapses": _Reader.deny,
    "ends": _Reader.turn,
    "changes": _Reader.turn,
    "relocates": _Reader.relocate,
    "exchanges": _Reader.exchange,
    "succeeds": _Reader.turn,
    "switches": _Reader.switch,
    "from_next": _Reader.mark_next,
    "from_before": _Reader.mark_before,
    "left_before": _Reader.leave,
    "only_next": _Reader.single_next,
    "only_before": _Reader.single_before,
    "only_denied": _Reader.single_denied,
    "asides": _Reader.explain,
    "asides_before": _Reader.explain_before,
    "permits": _Reader.small,
    "without": _Reader.deny_next,
    "likes": _Reader.like,
    "dislikes": _Reader.dislike,
    "hedges": _Reader.doubt,
    "conditions": _Reader.condition,
    "relatives": _Reader.relate,
    "rather_than": _Reader.reject_next,
    "rather_from": _Reader.reject_next,
    "rather_if_liked": _Reader.reject_liked,
    "rather_than_before": _Reader.reject_before,
    "marks": _Reader.part,
    "rather_until": _Reader.choose_next,
}
