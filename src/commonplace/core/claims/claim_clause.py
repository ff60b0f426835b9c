"""Claims of one clause: its frames with their values, and the rest, which identifies the slot."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.claims import phrase_roles
from commonplace.core.claims.claim_lexicon import Frame, Phrase
from commonplace.core.claims.claim_words import COLON, DOT, SENTENCE
from commonplace.core.claims.stretches import Hole, Item, Stretch, role_of
from commonplace.core.claims.succession import ENDS, NEAR, TURNS, WAS, WEAK
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.name_uses import begins_a_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from commonplace.core.model import Fact

_MOST_TOPIC, _LONGEST_TOPIC = 9, 24
"""Words, or characters, of what a clause is about; with more it is not understood."""


NOBODY = ""
"""Key of what is said of a thing alone, in a fact that is tagged with no entity: when the flight to Oslo leaves."""


class Claim(NamedTuple):
    """Something of an entity that can be so in one way only at a time."""

    key: str
    """Of the entity, or NOBODY."""
    slot: str
    """What can be so: `residence/en`, `start flight oslo`."""
    value: str
    """How it is: see `value_shapes`."""
    manner: str
    """Letters of `succession`: whether it tells of a change, an end, how it was, or one occasion among others."""
    begins: date | None
    """Since when, where the text or its day says so."""
    ends: date | None
    """When it is over by itself."""


class Names(NamedTuple):
    """The entities that a fact is tagged with."""

    keys: tuple[str, ...]
    people: frozenset[str]
    """Keys of those that may be people's: projects are written small, places with an article."""
    forms: dict[str, tuple[tuple[tuple[str, ...], str], ...]]
    """First word to (further words, key), the longest first; the genitive too."""
    untagged: dict[str, str]
    """What stands in its text for somebody known or titled -> key."""
    stated: bool
    """Whether it is a fact that tags nobody, which names whom it means."""


def claims_of(stretch: Stretch, fact: Fact, *, names: Names) -> Iterator[Claim]:
    """Return what a clause of a fact claims."""
    return _Clause(stretch, fact, names).claims()


class _Clause:
    """A clause with the fact that it stands in."""

    def __init__(self, stretch: Stretch, fact: Fact, names: Names) -> None:
        self._stretch = stretch
        self._fact = fact
        self._names = names

    def claims(self) -> Iterator[Claim]:
        stretch = self._stretch
        clock = stretch.clock()
        framed = False
        for item in stretch.items:
            for frame in item[2].frames if isinstance(item[2], Phrase) else ():
                framed = True
                if frame.form == "clock" or (clock is not None and not frame.form):
                    continue
                hole = stretch.hole(frame, item)
                if hole is None or (clock is not None and hole.start < clock.end and clock.start < hole.end):
                    continue
                manner = TURNS if stretch.does & phrase_roles.TURN else frame.manner
                yield from self._claim(
                    frame, item, hole=hole, manner=ENDS if stretch.does & phrase_roles.END else manner
                )
                if frame.form:
                    break  # further meanings of the phrase, which has told its value
        if clock is not None:
            yield from self._time(clock)
        elif not framed and (hole := stretch.measure()) is not None:
            manner = (
                ENDS if stretch.does & phrase_roles.END else TURNS if stretch.does & phrase_roles.TURN else ""
            ) + WEAK
            yield from self._claim(Frame("measure", "amount"), (hole.start, hole.end, None), hole=hole, manner=manner)

    def _time(self, clock: Hole) -> Iterator[Claim]:
        """Yield what the clause says to be at its time of day."""
        stretch = self._stretch
        framed = [
            (frame, (start, end, phrase))
            for start, end, phrase in stretch.phrases()
            for frame in phrase.frames
            if frame.form == "clock"
        ]
        travels = stretch.mentions(stretch.lexicon.transport)
        if not framed and not stretch.does & (phrase_roles.LINK | phrase_roles.TURN) and not travels:
            return
        frame, item = framed[0] if framed else (Frame("start", "clock"), (clock.start, clock.end, None))
        manner = TURNS if stretch.does & phrase_roles.TURN else frame.manner
        once = "d=" not in clock.value
        if frame.slot == "start" and once and not stretch.mentions(stretch.lexicon.recurring):
            manner += NEAR if travels else NEAR + WEAK
        valid = self._fact.valid
        if valid is not None and valid.start == valid.end and once:
            clock = clock._replace(value=f"{clock.value} on={valid.start}")
        yield from self._claim(frame, item, hole=clock, manner=manner)

    def _claim(self, frame: Frame, item: Item, *, hole: Hole, manner: str) -> Iterator[Claim]:
        """Yield the claims of a frame with its value, one for each entity."""
        fact, valid = self._fact, self._fact.valid
        changes = TURNS in manner or ENDS in manner
        ends = valid.end if valid is not None and not changes else None
        left = self._left(frame, item, hole)
        topic = self._topic(left)
        if topic is None or (frame.form == "count" and not self._counted(topic)):
            return
        if frame.slot == "residence" and hole.value in self._stretch.lexicon.no_places:
            return
        if frame.slot == "employer" and hole.value in self._stretch.lexicon.towns:
            return
        if frame.who:
            if ends is not None and valid is not None and (valid.start != ends or frame.slot == "whereabouts"):
                return  # a stay, which is over by itself
            ends = None
            left, hole = self._parted(left, frame, hole=hole, verb=item)
            keys, topic = self._people(left, topic, hole=hole)
        else:
            keys = self._things(topic, hole)
            topic = topic or self._beside(topic, hole)
            if ends is not None and frame.form not in ("clock", "date"):
                topic = f"{topic} {valid}".lstrip()  # the rent of one year, and of the next
        begins = fact.recorded
        if valid is not None and valid.start is not None and frame.form not in ("clock", "date") and ends is None:
            begins = valid.start
        if frame.slot.partition(":")[0] in self._stretch.lexicon.near:
            manner += NEAR
        if self._stretch.does & phrase_roles.PAST and not changes:
            manner += WAS
        value = hole.value
        if frame.value:
            value = f"is={frame.value}" + (f" with={value.replace(' ', '-')}" if value else "")
        slot = f"{self._slot(frame, hole)} {topic}".rstrip()
        for key in keys:
            yield Claim(key, slot, value, manner, begins, ends)

    def _slot(self, frame: Frame, hole: Hole) -> str:
        lexicon = self._stretch.lexicon
        if hole.unit:
            return f"{frame.slot}/{hole.unit}"
        if frame.form in ("name", "words") and not frame.value:  # Vienna is Wien elsewhere
            region = "/region" if hole.value in lexicon.regions else ""
            return f"{frame.slot}/{lexicon.language}{region}"
        return frame.slot

    # -- of whom or what

    def _left(self, frame: Frame, item: Item, hole: Hole) -> list[Item]:
        """Return the items that identify the topic: neither value nor frame nor aside."""
        stretch = self._stretch
        end = max(hole.end, item[1])
        source = self._source() if frame.manner == TURNS else ()
        leaving = phrase_roles.CUT | phrase_roles.JOIN | (phrase_roles.ASIDE if frame.who else 0)
        found: list[Item] = []
        for each in stretch.items:
            start, stop, what = each
            if start >= end and (role_of(each) & leaving or stretch.words[start - 1].ends == COLON):
                break
            if isinstance(what, str) or each is item or (hole.start < stop and start < hole.end) or each in source:
                continue
            if isinstance(what, Phrase):
                month = what.roles & phrase_roles.MONTH and stretch.valid is None  # the invoice of May
                said = not what.roles & phrase_roles.UNSAID and all(other.slot != frame.slot for other in what.frames)
                said = said or bool(month)
            else:
                said = not stretch.is_date(start)
            if said:
                found.append(each)
        return found

    def _source(self) -> list[Item]:
        """Return what something changed from: 从台北, 大阪から."""
        items = self._stretch.items
        marks = [at for at, item in enumerate(items) if role_of(item) & phrase_roles.FROM]
        step = -1 if self._stretch.lexicon.last else 1
        source: list[Item] = []
        at = marks[0] + step if marks else -1
        while 0 <= at < len(items) and items[at][2] is None:
            source.append(items[at])
            at += step
        return source

    def _topic(self, items: list[Item]) -> str | None:
        """Return the words of these items, sorted; None if there are too many."""
        words = [word.low for start, end, _ in items for word in self._stretch.words[start:end]]
        if self._stretch.lexicon.spaced:
            return " ".join(sorted({word.removesuffix("'s") for word in words})) if len(words) <= _MOST_TOPIC else None
        text = "".join(words)
        return text if len(text) <= _LONGEST_TOPIC else None

    def _counted(self, topic: str) -> bool:
        """Whether a number of these things is one that changes: cats, not days."""
        return bool(topic) and self._stretch.lexicon.uncounted.isdisjoint(topic.split())

    def _named(self, hole: Hole) -> tuple[str, ...]:
        """Return the entities that the clause names outside the value."""
        outside = (what for start, _, what in self._stretch.items if not hole.start <= start < hole.end)
        return tuple(dict.fromkeys(what for what in outside if isinstance(what, str)))

    def _things(self, topic: str, hole: Hole) -> tuple[str, ...]:
        """Return the entities that a thing is said of: those named, else all tags of the fact, or nobody."""
        if named := self._named(hole):
            return named
        if topic:
            return self._names.keys or (NOBODY,)
        return self._names.keys[:1] if self._stretch.first else ()

    def _beside(self, topic: str, hole: Hole) -> str:
        """Return the further entities of a fact, if nothing else identifies the topic: whose password, and where."""
        alone = topic or self._named(hole) or len(self._names.keys) == 1
        return "" if alone else " ".join(sorted(self._names.keys[1:]))

    def _parted(self, left: list[Item], frame: Frame, *, hole: Hole, verb: Item) -> tuple[list[Item], Hole]:
        """Return what is not the value, and the value, if that stands before its verb and begins with whom it is
        said, in a line by a known name: दिनेश जयपुर में रहता है.
        """
        lexicon, names = self._stretch.lexicon, self._names
        if left or names.keys or not (lexicon.spaced and lexicon.last) or frame.form != "name":
            return left, hole
        words, known = hole.value.split(), (*names.untagged, *lexicon.roles.one)
        size = next((at for at in range(len(words) - 1, 0, -1) if " ".join(words[:at]) in known), 0)
        if not size and names.stated and self._leads(verb):
            size = len(words) - 1
        value = Hole(" ".join(words[size:]), hole.start + size, hole.end)
        return [(at, at + 1, None) for at in range(hole.start, value.start)], value

    def _people(self, left: list[Item], topic: str, *, hole: Hole) -> tuple[tuple[str, ...], str]:
        """Return the people of whom it is said, and the rest of the topic; no keys if they are not people."""
        named, lexicon = self._named(hole), self._stretch.lexicon
        capitals = lexicon.spaced and not lexicon.last
        if left and (capitals or not self._names.keys):
            places = list(_side_by_side(left))
            names = [self._untagged(*place, alone=len(places) == 1) for place in places]
            if all(names):
                return (*named, *names), ""
            if self._names.stated and not capitals and self._is_one(left):
                return (entity_key(self._topic(left) or ""),), ""  # where no capital tells who: whoever the rest names
        keys = named or self._names.keys[:1]
        return (keys if self._names.people.issuperset(keys) else ()), topic

    def _untagged(self, start: int, end: int, *, alone: bool) -> str:
        """Return the key of the one whom nobody tagged and whom these words name; empty if they may be a noun.

        Args:
            alone: whether the rest of the clause names nobody.
        """
        stretch, lexicon = self._stretch, self._stretch.lexicon
        words = stretch.words[start:end]
        said = (" " if lexicon.spaced else "").join(word.low for word in words)
        if key := self._names.untagged.get(said):
            return key
        if not self._is_one([(start, end, None)]):
            return ""
        if said in lexicon.roles.one:
            return entity_key(said) if alone and not self._names.keys else ""
        capitals = lexicon.spaced and not lexicon.last and all(word.capital for word in words)
        begins = start == 0 or stretch.words[start - 1].ends in (DOT, COLON, SENTENCE)
        sure = self._names.stated or not begins or begins_a_name(words[0].low, lexicon.language)
        return entity_key(said) if capitals and sure else ""

    def _is_one(self, items: list[Item]) -> bool:
        """Whether items name nobody of whom there may be many, or who is somebody else's: the client, his mother."""
        stretch = self._stretch
        roles, spaced = stretch.lexicon.roles, stretch.lexicon.spaced
        before = [word.low for word in stretch.words[stretch.start : items[0][0]]]
        owned = not roles.others.isdisjoint(before) or (not spaced and any(map("".join(before).count, roles.others)))
        lows = ([word.low for word in stretch.words[start:end]] for start, end in _side_by_side(items))
        return not owned and not any(roles.may_be_many(words, spaced=spaced) for words in lows)

    def _leads(self, verb: Item) -> bool:
        """Whether a phrase begins with a small word, which belongs to what is before it: में रहता."""
        phrases = self._stretch.lexicon.phrases.get(self._stretch.words[verb[0]].low, ())
        return any(phrase.roles & phrase_roles.UNSAID for phrase in phrases if not phrase.rest)


def _side_by_side(items: list[Item]) -> Iterator[tuple[int, int]]:
    """Yield the first word, and the word after the last, of items that nothing parts."""
    first, last = items[0][:2]
    for start, end, _ in items[1:]:
        if start != last:
            yield first, last
            first = start
        last = end
    yield first, last
