"""Proposes facts from narrative: what a log states plainly and nobody retained.

Conservative: a decision, a preference, a change in somebody's life, who keeps what, what holds from when, a cause and
its fix, said by the author or in a chat. Questions, plans, greetings, hearsay, doubt and other people's mail are
skipped. A proposal is not yet a fact: it waits in bank/review.md for a person. The signs are data:
`core.extract.salience`.

A proposal must stand alone. What is below another bullet includes it (`The pump stopped: the relay was worn`), and a
row of a table includes the names of its columns.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import encode, hash_id
from commonplace.core.entities.alias_phrases import is_given
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.extract.distinct_texts import Distinct
from commonplace.core.extract.line_labels import labelled, labels, name_of, planned, words
from commonplace.core.extract.readable_line import OPENING, row_text, table_row
from commonplace.core.extract.salience import LineSigns, read
from commonplace.core.model import Kind
from commonplace.core.tables import table
from commonplace.core.text.analyzer import occurrences
from commonplace.core.text.known_languages import UNSPACED, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date

    from commonplace.core.extract.line_worth import Worth
    from commonplace.core.memo import Findings
    from commonplace.core.model import Citation, Fact, Line

    Names = Callable[[str], tuple[str, ...]]
    """Returns the known entities that a text names, as their pages spell them, in order."""

_SHORTEST, _LONGEST, _LONGEST_LINE = 12, 320, 4_000
"""Characters of a text: a shorter one does not stand alone, a longer one states more than one thing; of a line: a
longer one is no log.
"""
_SAYS_MORE = 6
"""Characters added to the length of a non-ASCII text: most such scripts need fewer for the same content."""
_NO_STATEMENT = frozenset(("void", "clock"))
"""Signs of labels that announce a plan, an idea or a time."""
_LEAST_WORTH, _SURELY = -2.0, 1.5
"""Minimum worth of a line that is proposed; and of one that has no other sign of a statement."""
_WANTED = frozenset(("rule", "prefers", "decided", "label decided", "below rule", "below prefers"))
"""Signs of what an owner wants."""
_LONGEST_TOPIC = 80
_KNOWN_FROM = 0.5
_FEWEST_SHARED = 2
_MOST_ENTITIES = 3
_NUMBERS_FROM = 0.25
_SUBJECT_WITHIN = 12
"""Characters before a name that may still be the subject of its sentence."""
_REMEMBERED = 256
"""Texts whose names are cached: headings and topics recur with each line below them."""
_STATES = frozenset("✅❌⚠⏳🔴🟡🟢✔✗☐☑")
"""A cell that begins with one of these is about today's state."""
_REFUTED = ("❌", "✗", "✘")
"""A line that ends with one of these was a guess that proved wrong."""
_SIGNAL = lazy_pattern("[A-Z]{2,40}_[A-Z]{2,40}")
"""What a host writes between its lines: `HEARTBEAT_OK …`."""
_CLOCK = lazy_pattern(r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?.{0,4}")
_HOUR = r"\d{1,2}[:.]\d\d(?:\s?[AaPp][Mm]\b)?"
_HOURS = lazy_pattern(rf"[(（]\s?{_HOUR}(?:\s?[-–—~〜]\s?{_HOUR})?(?: [A-Z]{{2,5}})?\s?[)）]|^[^\w(（]{{1,6}}{_HOUR}$")
"""The hour in a heading: `(9:18-10:00 PM)`, `⏰ 8:04 AM`."""
_SENTENCE_END = lazy_pattern(r"\\n(?=\W|[^\Wa-z])|(?<=\w\w\w[.!?])\s+(?=[^\Wa-z\d_])|(?<=[。！？।])(?![」』）])\s*")


class Proposal(NamedTuple):
    """A fact that a line of a log may state."""

    id: str
    """`i-` and five characters of a digest of the content: a sentence is one question, however many days it is on."""
    kind: Kind
    entities: tuple[str, ...]
    content: str
    source: Citation
    recorded: date | None
    also: tuple[date, ...] = ()
    """Other days on which a log states it, newest first."""
    worth: float = 0.0
    """See `core.extract.line_worth`."""
    by: str = ""
    """The model that added it, and the day, as of `Decision.by`; empty: the rules found it."""

    @property
    def text(self) -> str:
        """The fact in the grammar of facts, for the review page and for `retain`."""
        names = "".join(f" @{name}" for name in self.entities)
        return f"{self.kind.letter}{names}: {encode(self.content)}"


def first_distinct(
    proposals: Iterable[Proposal], most: int, *, always: AbstractSet[str]
) -> tuple[list[Proposal], bool]:
    """Return the first that say something new, and whether one more of `always` does.

    No more are read than that takes: each row of a long table may say something new, and all would be compared.

    Args:
        proposals: those of models first, then those of `always`.
        always: ids of what each reflect finds.
    """
    said, first = Distinct(), list[Proposal]()
    for each in proposals:
        if len(first) < most:
            first += (each,) if said.add(each.content) else ()
        elif not (each.by or each.id in always):
            break  # nor is any that follows
        elif said.add(each.content) and each.id in always:
            return first, True
    return first, False


def proposal_id(content: str) -> str:
    """Return the id of the question whether to retain a fact of this content."""
    return f"i-{hash_id(fold(content), 5)}"


class Authors(NamedTuple):
    """Whose log it is; empty where nobody told."""

    owner: str = ""
    agent: str = ""


class Judge(NamedTuple):
    """Decides which lines are worth proposing, and about whom a line is that names nobody."""

    worth: Callable[[Line], Worth]
    authors: Authors


class _Bare(NamedTuple):
    """A line without list marks, box, time, speaker and label."""

    text: str
    label: str
    """The sign of its label, or empty."""
    speaker: str
    ticked: bool


def infer(
    lines: Iterable[Line], names: Names, *, judge: Judge | None = None, findings: Findings | None = None
) -> Iterator[Proposal]:
    """Yield the facts that lines of logs state plainly.

    Args:
        lines: lines that are no facts, with their context, in order of path and line.
        names: returns the known entities in a text.
        judge: yield only what is worth it, and only what has a subject.
    """
    names = lru_cache(_REMEMBERED)(names)
    path = ""
    seen: set[str] = set()
    event: tuple[tuple[str, ...], str] = (), ""
    for line in lines:
        if line.source.path != path:
            path, event = line.source.path, ((), "")
            seen.clear()
        seen.add(line.content)
        bare = _bare(line)
        if bare is None or planned(line.context):
            continue
        if bare.label == "event":
            event = line.context, bare.text
        above = list(takewhile(seen.__contains__, reversed(line.context)))  # bullets, the nearest first; no headings
        beside = event[1] if event[0] and above and line.context[: len(event[0])] == event[0] else ""
        if bare.label == "row":
            topic = _heading(line.context)
        else:
            topic = _topic(above, beside if bare.label != "event" else "")
        worth = judge.worth(line) if judge else None
        if worth is not None and not (worth.states and worth.score >= _LEAST_WORTH):
            continue
        sure = worth is not None and worth.score >= _SURELY and "veto" not in worth.signs
        found = _proposal(line, bare, topic=topic, names=names, sure=sure, findings=findings)
        if found and judge and worth:
            found = _about_somebody(found._replace(worth=worth.score), worth.signs, judge.authors)
        if found:
            yield found


def _about_somebody(found: Proposal, signs: AbstractSet[str], authors: Authors) -> Proposal | None:
    """Return a proposal with a subject: the owner of what is wanted, the agent of what was done; None without one.

    Where nobody told who they are, it may be without.
    """
    if found.entities or not any(authors):
        return found
    wanted = found.kind is Kind.OPINION or not signs.isdisjoint(_WANTED)
    whose = authors.owner if wanted else authors.agent if found.kind is Kind.EXPERIENCE else ""
    return found._replace(entities=(whose.replace(" ", "-"),)) if whose else None


def _proposal(
    line: Line, bare: _Bare, *, topic: str, names: Names, sure: bool, findings: Findings | None
) -> Proposal | None:
    """Return what one line states, below a topic; None if nothing, or not plainly.

    Args:
        sure: whether it is worth proposing even without the signs of a statement, as an order is.
    """
    what = f"infer {bare.label} {'below' if topic else ''}"
    found = findings.in_text(what, bare.text, lambda _: _read(bare, topic)) if findings else _read(bare, topic)
    if found is None and sure and len(bare.text) <= _LONGEST:
        found = identify(bare.text).code, frozenset[str](), 0, bare.text
    if found is None:
        return None
    *seen, text = found
    reading = LineSigns(*seen)
    if len(text) > _LONGEST:
        return None
    weights = table("infer")["weights"]
    score = (reading.known_subject() if topic else reading).score + weights["ticked"] * bare.ticked
    enough = table("infer")["enough"]
    if score + weights["name"] < enough and not sure:
        return None
    own = names(text)
    if score + weights["name"] * bool(own or bare.speaker) < enough and not sure:
        return None
    found = own or names(topic)
    content = text
    if bare.speaker:
        somebody = "own" in reading.signs or is_given(fold(bare.speaker).partition(" ")[0])
        speaker = names(bare.speaker)[:1] or (bare.speaker.replace(" ", "-"),) * somebody
        if "own" in reading.signs or not own or not names(text[: _SUBJECT_WITHIN + len(own[0])]):
            found = (*speaker, *(name for name in found if name not in speaker))
        content = _said(text, reading) if speaker and found[:1] == speaker else f"{bare.speaker}: {text}"
    found = found or next((those for above in reversed(line.context) if (those := names(above))), ())
    if topic and name_of(text[: len(topic)]) == name_of(topic):
        topic = ""
    if topic and (not own or not reading.signs.isdisjoint(("nobody", "dummy"))):
        content = f"{topic}: {content}"
    kind = _kind(reading, bare.speaker)
    return Proposal(proposal_id(content), kind, found[:_MOST_ENTITIES], content, line.source, line.recorded)


def _said(text: str, reading: LineSigns) -> str:
    """Return what somebody says, to follow their name: in quotation marks if `I` is not the author."""
    if "own" not in reading.signs:
        return text
    return f"「{text}」" if reading.language in UNSPACED else f"“{text}”"


def _kind(reading: LineSigns, speaker: str) -> Kind:
    if "decided" not in reading.signs and "prefers" in reading.signs:
        return Kind.OPINION
    done = not reading.signs.isdisjoint(("act", "tried", "cause")) and "own" in reading.signs
    return Kind.EXPERIENCE if done and not speaker and "decided" not in reading.signs else Kind.WORLD


class FactTerms(NamedTuple):
    """The terms of a fact, for comparing."""

    terms: frozenset[str]
    names: frozenset[str]
    """Keys of the entities that it is about."""


def fact_terms(fact: Fact) -> FactTerms:
    """Return the terms of a fact, read once for any number of proposals."""
    return FactTerms(frozenset(occurrences(fact.content)), frozenset(map(entity_key, (*fact.entities, *fact.mentions))))


def known_already(proposal: Proposal, facts: Iterable[FactTerms]) -> bool:
    """Whether one of these facts says nearly the same: half of the words; or fewer, a number and a common entity."""
    said = frozenset(occurrences(proposal.content))
    names = frozenset(map(entity_key, proposal.entities))
    for fact in facts:
        shared = said & fact.terms
        if len(shared) < _FEWEST_SHARED:
            continue
        fewest, same = min(len(said), len(fact.terms)), not names.isdisjoint(fact.names)
        if len(shared) >= _KNOWN_FROM * fewest:
            if same or not names or not fact.names:
                return True
        elif same and len(shared) >= _NUMBERS_FROM * fewest and any(map(str.isdecimal, shared)):
            return True
    return False


def _read(bare: _Bare, topic: str) -> tuple[str, frozenset[str], int, str] | None:
    """Return the signs of the sentence with the highest score, and the line without questions, hearsay and doubt.

    Of a long paragraph only that sentence is kept. In a shorter one, earlier sentences name the subject of a pronoun,
    unless their own subject is open: then only a topic names it, and without a topic they are left out.
    """
    whole = len(bare.text) <= _LONGEST
    plain: list[str] = []
    best: LineSigns | None = None
    at = 0
    for sentence in _SENTENCE_END.split(bare.text):
        reading = None if "?" in sentence or "？" in sentence or not sentence.strip() else read(sentence, bare.label)
        if reading is None or (reading.open and not (topic or plain)):
            continue
        if whole and plain:
            reading = reading.known_subject()
        if reading.lasts and (best is None or reading.score > best.score):
            best, at = reading, len(plain)
        plain.append(sentence)
    if best is None:
        return None
    return *best, ("" if best.language in UNSPACED else " ").join(plain if whole else plain[at : at + 1])


def _bare(line: Line) -> _Bare | None:
    """Return the content of a line; None if its author does not state it: a quotation, an open box, a table's head."""
    text = line.content
    if text[:1] in (">", "＞") or "~~" in text or not text:
        return None
    if text[0] == "|":
        return _row(line)
    box = text[:3] if text[:1] == "[" and text[2:3] == "]" else ""
    if box == "[ ]":
        return None
    text = text[len(box) :].lstrip()
    opening = OPENING.match(text)
    text = (text[opening.end() :] if opening else text).strip()
    label, text = labelled(text)
    speaker = "" if label else line.speaker
    if speaker and text.startswith(speaker):
        text = text[len(speaker) :].lstrip(" *:：")
    if (
        label in _NO_STATEMENT
        or text.endswith(_REFUTED)
        or not _SHORTEST <= len(text) + _SAYS_MORE * (not text.isascii()) <= _LONGEST_LINE
    ):
        return None
    quoted = text[0] in '"“「『„»' and text[-1] in '"”」』“«.'
    if quoted or text[-1] in ":：" or _SIGNAL.match(text):
        return None
    return _Bare(text, label, speaker, bool(box))


def _row(line: Line) -> _Bare | None:
    """Return a row of a table, each cell after the name of its column; None if it settles nothing."""
    row = table_row(line)
    if row is None:
        return None
    columns, cells = row
    if any(fold(cell) in words("unsettled") or cell[:1] in _STATES for cell in cells if cell):
        return None
    if any(labels().get(fold(column)) == "void" for column in columns) or _CLOCK.fullmatch(cells[0]):
        return None
    text = row_text(columns, cells)
    return _Bare(text, "row", "", False) if sum(map(bool, cells)) > 1 and len(text) <= _LONGEST else None


def _topic(above: Sequence[str], event: str) -> str:
    """Return the topic of a line below bullets: the event beside it, or the nearest bullet that names one."""
    if event and len(event) <= _LONGEST_TOPIC:
        return event
    for text in above:
        opening = OPENING.match(text)
        label, rest = labelled((text[opening.end() :] if opening else text).strip())
        rest = rest.rstrip(" :：.。")
        if label in _NO_STATEMENT or not rest or rest[0] in "|>" or "?" in rest:
            continue
        if len(rest) <= _LONGEST_TOPIC:
            return rest
    return ""


def _heading(context: Sequence[str]) -> str:
    """Return the nearest heading above a table, if it is a name: without hour and date."""
    nearest = next((text for text in reversed(context) if text[:1] != "|"), "")
    nearest = _HOURS.sub(" ", nearest[: 2 * _LONGEST_TOPIC]).strip(" #*_:：")
    return nearest if len(nearest) <= _LONGEST_TOPIC and not nearest[:1].isdigit() else ""
