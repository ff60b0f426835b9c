"""The packet: open questions of a reflect for a model or a person, as Markdown within a token budget.

Text from files is quoted on one line and made safe for a model, so that it can neither start a section, end the
quotation, nor forge a citation or a tag; what an outsider said is marked. The answers come back through
`core.review.review_answers`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from commonplace.core.markdown.page_links import quoted
from commonplace.core.recall.packing import count_tokens
from commonplace.core.tables import prose
from commonplace.core.text.escaping import line_for_model, place_for_model

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from datetime import date

    from commonplace.core.entities.resolution import Same
    from commonplace.core.extract.infer import Proposal
    from commonplace.core.model import Citation, Fact
    from commonplace.core.pages.core_proposals import CoreProposal
    from commonplace.core.review.line_changes import LineChange
    from commonplace.core.review.possible_names import PossibleName
    from commonplace.core.secrets.redaction import Withheld

T = TypeVar("T")
_LONGEST = 400
"""Most characters of a quotation."""
MOST_SIDES = 3
"""Most evidence for, and against, that is shown for one opinion: the newest."""


class Side(NamedTuple):
    """One piece of evidence of an opinion."""

    role: str
    """`prior`, `for` or `against`."""
    fact: Fact


class NamedOpinion(NamedTuple):
    """An opinion, as shown in a question."""

    id: str
    statement: str
    confidence: float
    entities: tuple[str, ...] = ()
    """Of whom or what it is held."""


class StanceQuestion(NamedTuple):
    """A fact that may be evidence on an opinion, with a stance that no rule decides."""

    id: str
    fact: Fact
    opinion: NamedOpinion
    reason: str
    """Why no rule decides it."""
    sides: tuple[Side, ...] = ()
    """Other evidence on that opinion, if shown."""


class DisputeSide(NamedTuple):
    """One side of a dispute."""

    id: str
    text: str
    source: Citation | None
    confidence: float | None = None
    """The confidence of an opinion."""


class GroundLine(NamedTuple):
    """A line on which a sentence may rest."""

    id: str
    recorded: date | None
    text: str
    source: Citation


class SentenceQuestion(NamedTuple):
    """The page of an entity that lacks a sentence on who or what it is and where it stands."""

    id: str
    name: str
    path: str
    told: tuple[GroundLine, ...]
    """Those that tell most first."""


class Packet(NamedTuple):
    """What is to be judged, the newest or most certain first."""

    since: date | None
    facts: tuple[Fact, ...]
    """Facts recorded since `since`."""
    judge: tuple[StanceQuestion, ...]
    inferred: tuple[Proposal, ...]
    core: tuple[CoreProposal, ...]
    disputes: tuple[tuple[DisputeSide, DisputeSide], ...]
    notes: tuple[str, ...] = ()
    same: tuple[Same, ...] = ()
    """Entities that may be one."""
    names: tuple[PossibleName, ...] = ()
    changes: tuple[LineChange, ...] = ()
    """Lines that newer ones may replace."""
    pages: tuple[SentenceQuestion, ...] = ()
    """Pages that lack their sentence, those of which most is told first."""
    left_out: Mapping[str, int] = {}
    """By section, how many items did not fit."""

    @property
    def text(self) -> str:
        """The packet as Markdown, with instructions for answering at its end."""
        return rendered(self)

    @property
    def how(self) -> str:
        """Instructions for answering."""
        return prose("packet")


class AskedItem(NamedTuple):
    """A question of a packet."""

    text: str
    """As the packet renders it."""
    question: StanceQuestion | Proposal | CoreProposal | Same | PossibleName | LineChange | SentenceQuestion


def fitted(packet: Packet, budget: int, *, withheld: Withheld) -> Packet:
    """Return as much of a packet as fits into a token budget when rendered; the sections take turns. Items that repeat
    what is withheld are skipped.
    """
    kept: dict[str, list[object]] = {name: [] for name in _SECTIONS}
    longest = {name: len(getattr(packet, name)) for name in _SECTIONS}
    left = budget - count_tokens(rendered(_with(packet, kept, left_out=longest)))
    left -= sum(count_tokens(_title(packet, name)) + 1 for name in _SECTIONS if longest[name])
    hidden: Counter[str] = Counter()
    told = {name: _harmless(packet, name, withheld=withheld, hidden=hidden) for name in _SECTIONS}
    going = [name for name in _SECTIONS if longest[name]]
    while going:
        for name in tuple(going):
            item = next(told[name], None)
            cost = 0 if item is None else count_tokens(_SECTIONS[name].line(item)) + 1
            if item is None or cost > left:
                going.remove(name)
            else:
                kept[name].append(item)
                left -= cost
    return _with(packet, kept, left_out={name: longest[name] - hidden[name] - len(kept[name]) for name in _SECTIONS})


def _harmless(packet: Packet, name: str, *, withheld: Withheld, hidden: Counter[str]) -> Iterator[Any]:
    """Yield the items of a section that repeat nothing withheld, in their lines or in their other fields; `hidden`
    counts the others.
    """
    for item in getattr(packet, name):
        if withheld.repeated("\n\n".join((_SECTIONS[name].line(item), *parts_of(item, str)))):
            hidden[name] += 1
        else:
            yield item


def parts_of(item: object, kind: type[T]) -> Iterator[T]:
    """Yield what is of a kind in a question, however deep."""
    if isinstance(item, kind):
        yield item
    elif isinstance(item, tuple):
        for each in item:
            yield from parts_of(each, kind)


def _with(packet: Packet, kept: Mapping[str, Sequence[object]], *, left_out: Mapping[str, int]) -> Packet:
    some: dict[str, Any] = {name: tuple(items) for name, items in kept.items()}
    return packet._replace(**some, left_out={name: number for name, number in left_out.items() if number})


def without(packet: Packet, ids: Collection[str]) -> Packet:
    """Return a packet without the questions of these ids."""
    kept: dict[str, Any] = {
        name: tuple(each for each in getattr(packet, name) if each.id not in ids) for name in QUESTIONS
    }
    return packet._replace(**kept)


def asked_by_id(packet: Packet) -> dict[str, AskedItem]:
    """Return id -> each question."""
    return {
        each.id: AskedItem(_SECTIONS[name].line(each), each) for name in QUESTIONS for each in getattr(packet, name)
    }


def rendered(packet: Packet, how: str | None = None) -> str:
    """Render a packet as Markdown.

    Args:
        how: instructions for answering; None: those for answers a line.
    """
    parts = ["# Questions to decide\n"]
    for name, section in _SECTIONS.items():
        items = getattr(packet, name)
        if items:
            parts.append(f"{_title(packet, name)}\n\n" + "\n".join(map(section.line, items)) + "\n")
    if packet.notes:
        parts.append("".join(f"* {_line(note)}\n" for note in packet.notes))
    if packet.left_out:
        told = ", ".join(f"{number:,} of {_SECTIONS[name].noun}" for name, number in packet.left_out.items())
        parts.append(f"Left out, to keep this short: {told}. `--budget` allows more.\n")
    return "\n".join([*parts, prose("packet") if how is None else how])


def _title(packet: Packet, name: str) -> str:
    since = f" since {packet.since}" if name == "facts" and packet.since else ""
    return f"## {_SECTIONS[name].title}{since}"


def _question(asked: StanceQuestion) -> str:
    opinion = asked.opinion
    held = f"“{_about(opinion.entities)}{quotation(opinion.statement)}”, held at {opinion.confidence:.2f}"
    lines = [f"- {asked.id}: {_said(asked.fact)} on {held}", f"  - no rule decided: {_line(asked.reason)}"]
    return "\n".join([*lines, *(f"  - {side.role}: {_said(side.fact)}" for side in asked.sides)])


def _said(fact: Fact) -> str:
    """Return a fact as data: quoted, with its day, its citation, and its outsider, if any."""
    outsider = f", outsider {_line(fact.trailer.outsider)}" if fact.trailer.outsider else ""
    place = f"{fact.recorded or 'undated'}, {place_for_model(str(fact.source))}{outsider}"
    return f"“{_about(fact.entities)}{quotation(fact.content)}” ({place})"


def _about(names: Sequence[str]) -> str:
    """Return `@Peter @Ida: `; empty without names."""
    return f"{quotation(' '.join(f'@{name}' for name in names))}: " if names else ""


def _fact(fact: Fact) -> str:
    return f"- {fact.kind.letter}: {_said(fact)}"


def _inferred(proposal: Proposal) -> str:
    place = place_for_model(str(proposal.source) if proposal.source.line else proposal.source.path)
    return f"- {proposal.id}: “{quotation(proposal.text)}” ({proposal.recorded or 'undated'}, {place})"


def _core(proposal: CoreProposal) -> str:
    days = 1 + len(proposal.also)
    why = f"stated on {days} days" if proposal.confidence is None else f"held at {proposal.confidence:.2f}"
    return f"- {proposal.id}: “{quotation(proposal.text)}” ({why})"


def _same(same: Same) -> str:
    place = f", {place_for_model(same.path)}" if same.path else ""
    return f"- {same.id}: “{quotation(same.text)}” ({_line(same.reason)}{place})"


def _named(asked: PossibleName) -> str:
    place = place_for_model(asked.path)
    return (
        f"- {asked.id}: “{quotation(asked.text)}” (on {asked.days} days, last {asked.recorded or 'undated'}, {place})"
    )


def _changed(asked: LineChange) -> str:
    newer, older = (
        f"“{quotation(each.content)}” ({each.recorded or 'undated'}, {place_for_model(str(each.source))})"
        for each in (asked.newer, asked.older)
    )
    return f"- {asked.id}: {newer} replaces {older}"


def _sentence(asked: SentenceQuestion) -> str:
    lines = [f"- {asked.id}: “{quotation(asked.name)}” ({place_for_model(asked.path)})"]
    lines += [f"  - [{each.id}] {each.recorded or 'undated'}: “{quotation(each.text)}”" for each in asked.told]
    return "\n".join(lines)


def _dispute(sides: tuple[DisputeSide, DisputeSide]) -> str:
    return "- " + " against ".join(_claim(claim) for claim in sides)


def _claim(claim: DisputeSide) -> str:
    told = [f"{claim.confidence:.2f}" if claim.confidence is not None else "", place_for_model(str(claim.source or ""))]
    return f"“{quotation(claim.text)}” ({', '.join(filter(None, told))}) ^{claim.id}"


def _line(text: str) -> str:
    """Return a text of a file on one line, safe for a model."""
    return line_for_model(quoted(text))


def quotation(text: str, longest: int = _LONGEST) -> str:
    """Return a text of a file as it stands between “ and ” in a packet: on one line, without these, and cut."""
    text = _line(text).replace("“", "'").replace("”", "'")
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


class _Section(NamedTuple):
    """A section of the packet: a field of `Packet`."""

    title: str
    noun: str
    line: Callable[..., str]
    """Renders one item."""


_SECTIONS = {
    "judge": _Section("Evidence: for or against", "the evidence", _question),
    "inferred": _Section("Inferred facts", "the inferred facts", _inferred),
    "core": _Section("For the core", "the core proposals", _core),
    "same": _Section("Same entity?", "the entities that may be one", _same),
    "names": _Section("Who or what?", "the possible names", _named),
    "changes": _Section("Replaced?", "the replaced lines", _changed),
    "pages": _Section("In one sentence", "the sentences", _sentence),
    "disputes": _Section("Disputes", "the disputes", _dispute),
    "facts": _Section("New facts", "the new facts", _fact),
}
"""In the order of the packet, the most urgent first."""
QUESTIONS = tuple(name for name in _SECTIONS if name not in ("disputes", "facts"))
"""The sections that ask something."""
