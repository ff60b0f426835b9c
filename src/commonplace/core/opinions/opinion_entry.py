"""Parses and renders an opinion in our format.

    - O(c=0.90) @Peter: Prefers concise replies (<1500 chars) on WhatsApp. ^o-4m7k
      - disputed by ^o-9t2c, last_updated 2026-01-19
      - prior 0.95: [2025-11-27](../memory/2025-11-27.md) ^k7f3qa
      - for, 0.96: [2025-12-04](../memory/2025-12-04.md) ^p2m8ve
      - against, 0.94: [2026-01-14](../memory/2026-01-14.md) ^w9d1zu
      - unjudged: against, 0.80: [2026-01-20](../memory/2026-01-20.md), said by web:example.org ^q3n8rs
      - set 0.60 by hand 2026-02-01

The number of an evidence line is the confidence that its fact states, its weight; `c` follows from prior and evidence
by `core.opinions.belief`. A person's word is law: a confidence typed over becomes the prior, and evidence above that
line is spent.
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import Head, encode, hash_id, read_bullet
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.markdown.page_links import link, resolve
from commonplace.core.markdown.syntax import outside_fences
from commonplace.core.model import Begun, Citation, Evidence, Kind, Spent, Stance
from commonplace.core.opinions.belief import bare_prior
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

_LEAST_OF_HUNDRED = 10
_REMEMBERED = 1 << 15
"""Parsed lines of a page that are cached: nearly all of them are on it again when it is renewed."""


class MarkRole(StrEnum):
    """The role of a line below an opinion, as written there."""

    PRIOR = "prior"
    FOR = "for"
    AGAINST = "against"
    SET = "set"
    """Set by hand."""


PRIOR, FOR, AGAINST, SET = MarkRole
_STANCES = {FOR: Stance.SUPPORTS, AGAINST: Stance.CONTRADICTS}


class Mark(NamedTuple):
    """One line below an opinion: its prior, a piece of evidence, or a value that a person set."""

    role: MarkRole
    value: float | None
    """The confidence that the fact states, or that was set, in [0, 1]; None if none is stated."""
    day: date | None
    path: str = ""
    fact_id: str = ""
    origin: str = ""
    """The outsider who said it; empty for the author."""
    gone: bool = False
    """The fact no longer exists, and does not count."""
    number: int = 0
    """Line in its page, from 1; 0 if it is not written yet."""
    unjudged: bool = False
    """An outsider said it, and the author has not judged it yet: it is listed, and does not count."""

    @property
    def counts(self) -> bool:
        """Whether its fact exists, and the author said or judged it."""
        return not self.gone and not self.unjudged


class Entry(NamedTuple):
    """An opinion as its page describes it."""

    id: str
    statement: str
    entities: tuple[str, ...]
    confidence: float | None
    """The confidence on the page, in [0, 1]; None if a person removed it."""
    marks: tuple[Mark, ...]
    last_updated: date | None = None
    disputed_by: str = ""
    number: int = 0

    @property
    def prior(self) -> float | None:
        """The confidence before the evidence that counts; None if the page states none."""
        start = next((mark.value for mark in reversed(self.marks) if mark.role == SET), None)
        if start is not None:
            return start
        return next((mark.value for mark in self.marks if mark.role == PRIOR), None)

    @property
    def start(self) -> float:
        """The prior; else the confidence on the page; else the prior of a statement without confidence."""
        known = self.confidence if self.prior is None else self.prior
        return bare_prior() if known is None else known

    @property
    def begun(self) -> Begun | None:
        """Where it began, with line 0: the fact's id tells its present line; None if the page does not say."""
        first = next((mark for mark in self.marks if mark.role == PRIOR), None)
        if first is None:
            return None
        value = bare_prior() if first.value is None else first.value
        return Begun(first.fact_id, first.day, Citation(first.path, 0), value)

    def evidence(self) -> tuple[Evidence, ...]:
        """Return the evidence that counts: below the last value set by hand, of facts that exist.

        Support on the prior's own day is left out: the prior is that day's support.
        """
        spent = max((at for at, mark in enumerate(self.marks) if mark.role == SET), default=-1)
        first = next((mark.day for mark in self.marks if mark.role == PRIOR), None) if spent < 0 else None
        return tuple(
            Evidence(mark.fact_id, _STANCES[mark.role], mark.day, Citation(mark.path, 0), mark.value, mark.origin)
            for mark in self.marks[spent + 1 :]
            if mark.role in _STANCES
            and mark.fact_id
            and mark.counts
            and not (mark.role == FOR and first and mark.day == first)
        )

    def spent(self) -> tuple[Spent, ...]:
        """Return what counted until each value set by hand, oldest first."""
        found = []
        for at, mark in enumerate(self.marks):
            if mark.role == SET:
                until = self._replace(marks=self.marks[:at], confidence=None)
                found.append(Spent(until.start, until.evidence(), mark.day))
        return tuple(found)


def opinion_id(entities: Sequence[str], statement: str, *, taken: Collection[str] = ()) -> str:
    """Return `o-` and a hash of the first statement and its entities: four characters, more if those are taken."""
    text = "\x1f".join((" ".join(sorted(entity_key(name) for name in entities)), fold(statement)))
    length = 4
    while (found := "o-" + hash_id(text, min(length, 12))) in taken:
        length += 1
        text = text if length <= 12 else f"{text}\x1f"
    return found


def entries(path: str, text: str) -> tuple[Entry, ...]:
    """Return the opinions of a page in our format, with their marks."""
    return tuple(entries_in(path, outside_fences(text)))


def entries_in(path: str, lines: Iterable[tuple[int, str]]) -> Iterator[Entry]:
    """Yield the opinions in our format among numbered lines of a page, code left out."""
    entry: Entry | None = None
    marks: list[Mark] = []
    for number, line in lines:
        if entry and line[:1] in (" ", "\t"):
            if mark := _read_mark(path, line):
                marks.append(mark._replace(number=number))
            elif (noted := _META.match(line)) and (noted[1] or noted[2]):
                entry = entry._replace(disputed_by=noted[1] or "", last_updated=iso_day(noted[2]))
            continue
        if entry and line.strip():
            yield _finished(entry, marks)
            entry, marks = None, []
        if "^o-" in line and line[:2] in ("- ", "* ", "+ "):
            entry = _read_entry(line[2:])
            entry = entry and entry._replace(number=number)
    if entry:
        yield _finished(entry, marks)


def _finished(entry: Entry, marks: list[Mark]) -> Entry:
    last = entry.last_updated or max((mark.day for mark in marks if mark.day), default=None)
    return entry._replace(marks=tuple(marks), last_updated=last)


@lru_cache(_REMEMBERED)
def _read_entry(text: str) -> Entry | None:
    """Parse the first line of an opinion; None if a person changed it into something else."""
    found = _OWN_ID.search(text)
    if found is None:
        return None
    head = read_bullet(plain_number(" ".join((text[: found.start()] + text[found.end() :]).split())))
    if not isinstance(head, Head) or head.kind is not Kind.OPINION or head.trailer.outsider:
        return None
    return Entry(found[1], head.content, head.entities, head.confidence, ())


def plain_number(text: str) -> str:
    """Return an opinion's line with a typed confidence, `(50%)`, `(c=0,5)`, `(high)`, in our format: `(c=0.5)`."""
    found = _TYPED.match(text)
    if found is None:
        return text
    value = stated_confidence(found[1])
    # above 1 a percent sign must say what is meant
    if value is None or (found[1][-1] not in "%％" and found[1][0].isdigit() and float(found[1].replace(",", ".")) > 1):
        return text
    return f"O(c={value:.6g}){text[found.end() :]}"


@lru_cache(_REMEMBERED)
def _read_mark(path: str, line: str) -> Mark | None:
    """Parse a line below an opinion; None if it is no mark."""
    if found := _MARK.match(line):
        gone, unjudged, role, value, label, href, origin, fact_id = found.groups()
        said, target = stated_confidence(value), resolve(path, href)
        return Mark(
            MarkRole(role), said, iso_day(label), target, fact_id, origin or "", bool(gone), unjudged=bool(unjudged)
        )
    if found := _SET.match(line):
        return Mark(SET, stated_confidence(found[1]), iso_day(found[2]))
    return None


def iso_day(text: str | None) -> date | None:
    """Return the ISO day that a text begins with; None if there is none."""
    try:
        return date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None


@lru_cache(1024)
def stated_confidence(text: str | None) -> float | None:
    """Parse a confidence as people write it: `0.9`, `0,9`, `90%`, `high`; None if it is none, or not in [0, 1]."""
    if not text:
        return None
    bare = text.strip().strip("*_`~").strip()
    level = table("opinions")["levels"].get(bare.casefold())
    if level is not None:
        return float(level)
    found = _NUMBER_LIKE.match(bare)
    if found is None:
        return None
    value = float(found[1].replace(",", "."))
    # above 1 it is of a hundred where a sign says so, or two whole digits do: `7.3` may be of ten
    value = value / 100 if found[2] or (value >= _LEAST_OF_HUNDRED and value.is_integer()) else value
    return value if 0 <= value <= 1 else None


_NUMBER_LIKE = lazy_pattern(r"(?:c ?= ?)?(\d{1,3}(?:[.,]\d{1,9})?)\s?([%％])?(?:\s|$|[(（,;])")


def rendered(entry: Entry, page: str) -> tuple[list[str], list[str]]:
    """Return an opinion's lines in our format, and their keys for `region_merge.renew`."""
    names = "".join(f" @{name}" for name in entry.entities)
    statement = encode(entry.statement)
    lines = [f"- O(c={entry.confidence or 0:.2f}){names}: {statement} ^{entry.id}"]
    keys = [entry.id]
    notes = [f"disputed by ^{entry.disputed_by}"] if entry.disputed_by else []
    if entry.last_updated:
        notes.append(f"last_updated {entry.last_updated.isoformat()}")
    if notes:
        lines.append(f"  - {', '.join(notes)}")
        keys.append(f"{entry.id}/meta")
    for mark in entry.marks:
        lines.append("  - " + _mark_line(mark, page))
        keys.append(f"{entry.id}/{mark_key(mark)}")
    return lines, keys


def mark_key(mark: Mark) -> str:
    """Return the key of a mark's line, unique below its opinion."""
    return mark.fact_id or f"{mark.role}-{mark.day.isoformat() if mark.day else mark.value}"


def _mark_line(mark: Mark, page: str) -> str:
    day = mark.day.isoformat() if mark.day else ""
    if mark.role == SET:
        return f"set {mark.value or 0:.2f} by hand {day}".rstrip()
    value = "" if mark.value is None else f"{' ' if mark.role == PRIOR else ', '}{_number(mark.value)}"
    label = day or mark.path.rpartition("/")[2].removesuffix(".md")
    said = f", said by {mark.origin}" if mark.origin else ""
    gone = ("gone: " if mark.gone else "") + ("unjudged: " if mark.unjudged else "")
    return f"{gone}{mark.role}{value}: {link(label, page, mark.path)}{said} ^{mark.fact_id}"


@lru_cache(1024)
def _number(value: float) -> str:
    """Return a number with two decimals, or more if needed."""
    short = f"{value:.2f}"
    return short if float(short) == value else f"{value:.6g}"


_MARK = lazy_pattern(
    r"\s+[-*+] (gone: )?(unjudged: )?(prior|for|against)(?:,? ([01](?:[.,]\d{1,9})?))?:"
    r" \[([^\]]{0,200})\]\(([^)\s]{0,500})\)(?:, said by (\S{1,200}))? \^([A-Za-z0-9-]{1,64})(?:\s|$)"
)


_TYPED = lazy_pattern(r"O ?\( ?(?:c ?= ?)?([^()\s]{1,20} ?[%％]?) ?\)")


_SET = lazy_pattern(r"\s+[-*+] set ([01](?:[.,]\d{1,9})?) by hand(?: (\d{4}-\d\d-\d\d))?\s*$")


_META = lazy_pattern(r"\s+[-*+] (?:disputed by \^(o-[A-Za-z0-9]{1,20}))?(?:, )?(?:last_updated (\d{4}-\d\d-\d\d))?\s*$")


_OWN_ID = lazy_pattern(r"\s\^(o-[A-Za-z0-9]{4,20})(?=\s|$)")
