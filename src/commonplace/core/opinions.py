"""Opinions on pages: read from our own look and from two that people use, and written in ours.

    - O(c=0.90) @Peter: Prefers concise replies (<1500 chars) on WhatsApp. ^o-4m7k
      - disputed by ^o-9t2c, last_updated 2026-01-19
      - prior 0.95: [2025-11-27](../memory/2025-11-27.md) ^k7f3qa
      - for, 0.96: [2025-12-04](../memory/2025-12-04.md) ^p2m8ve
      - against, 0.94: [2026-01-14](../memory/2026-01-14.md) ^w9d1zu
      - set 0.60 by hand 2026-02-01

The number of an evidence line is the confidence that its fact states, its weight; `c` follows from prior and evidence
by `core.belief`. A person's word is law: a confidence typed over becomes the prior, and evidence above that line is
spent.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.belief import bare_prior, confidence
from commonplace.core.entity import entity_key
from commonplace.core.fact import Head, decode, encode, hash_id, read_bullet
from commonplace.core.fold import fold
from commonplace.core.links import link, resolve
from commonplace.core.model import Citation, Evidence, Kind, Opinion, Stance
from commonplace.core.tables import table
from commonplace.core.when import path_day

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from commonplace.core.parse import Document

PRIOR, FOR, AGAINST, SET = "prior", "for", "against", "set"
_STANCES = {FOR: Stance.SUPPORTS, AGAINST: Stance.CONTRADICTS}


class Mark(NamedTuple):
    """One line below an opinion: where its prior came from, what bears on it, or what a person set it to."""

    role: str
    """`prior`, `for`, `against`, or `set` (by hand)."""
    value: float | None
    """The confidence that the fact states, or the one that was set; None: none is stated."""
    day: date | None
    path: str = ""
    fact_id: str = ""
    origin: str = ""
    """Who said it when it was not the author."""
    gone: bool = False
    """The fact no longer exists, and weighs nothing."""
    number: int = 0
    """Line in its page, from 1; 0: none yet."""


class Entry(NamedTuple):
    """An opinion with everything that its page says of it, oldest first."""

    id: str
    statement: str
    entities: tuple[str, ...]
    confidence: float | None
    """As it stands on the page; None when a person took the number out."""
    marks: tuple[Mark, ...]
    last_updated: date | None = None
    disputed_by: str = ""
    number: int = 0

    @property
    def prior(self) -> float | None:
        """The confidence from which the evidence in force starts; None when the page names none."""
        start = next((mark.value for mark in reversed(self.marks) if mark.role == SET), None)
        if start is not None:
            return start
        return next((mark.value for mark in self.marks if mark.role == PRIOR), None)

    @property
    def start(self) -> float:
        """The prior; for want of one the confidence on the page, or that of a bare statement."""
        known = self.confidence if self.prior is None else self.prior
        return bare_prior() if known is None else known

    def evidence(self) -> tuple[Evidence, ...]:
        """The evidence in force: below the last value set by hand, of facts that exist.

        A repetition on the prior's own day adds nothing: that day's one count for the opinion is the prior.
        """
        spent = max((at for at, mark in enumerate(self.marks) if mark.role == SET), default=-1)
        first = next((mark.day for mark in self.marks if mark.role == PRIOR), None) if spent < 0 else None
        return tuple(
            Evidence(mark.fact_id, _STANCES[mark.role], mark.day, Citation(mark.path, 0), mark.value, mark.origin)
            for mark in self.marks[spent + 1 :]
            if mark.role in _STANCES
            and mark.fact_id
            and not mark.gone
            and not (mark.role == FOR and first and mark.day == first)
        )


def opinion_id(entities: Sequence[str], statement: str, taken: Collection[str] = ()) -> str:
    """`o-` and four signs, from what the first statement says and of whom; five or more where four are taken."""
    text = "\x1f".join((" ".join(sorted(entity_key(name) for name in entities)), fold(statement)))
    length = 4
    while (found := "o-" + hash_id(text, min(length, 12))) in taken:
        length += 1
        text = text if length <= 12 else f"{text}\x1f"
    return found


def read(path: str, text: str) -> tuple[Opinion, ...]:
    """The opinions of a file: tables with a confidence column, bullets with one below, on bank pages also our look.

    Outside the bank a row or bullet must name its evidence or its day as well: many things have a confidence.
    A citation of evidence names the day's file with line 0: its fact's id says where it stands now.
    """
    bank = path.startswith("bank/")
    lines = list(_outside_fences(text))
    found = [
        Opinion(
            entry.id,
            entry.statement,
            entry.entities,
            entry.start,
            entry.evidence(),
            confidence(entry.start, entry.evidence()) if entry.confidence is None else entry.confidence,
            entry.last_updated,
            Citation(path, entry.number),
            entry.disputed_by,
        )
        for entry in (_entries(path, lines) if bank else ())
    ]
    if "|" in text:
        found += _tables(path, lines)
    found += _labelled(path, lines)
    found.sort(key=lambda opinion: opinion.source.line if opinion.source else 0)
    return tuple(found)


def once(held: Iterable[Opinion]) -> tuple[Opinion, ...]:
    """Of an opinion that stands in several places the bank's word, else the newest; in the order given."""
    best: dict[str, Opinion] = {}
    for opinion in held:
        known = best.get(opinion.id)
        if known is None or _rank(opinion) > _rank(known):
            best[opinion.id] = opinion
    return tuple(best.values())


def _rank(opinion: Opinion) -> tuple[bool, date]:
    page = opinion.source is not None and opinion.source.path.startswith("bank/")
    return page, opinion.last_updated or date.min


def entries(path: str, text: str) -> tuple[Entry, ...]:
    """The opinions in our look, with their marks."""
    return tuple(_entries(path, list(_outside_fences(text))))


def rendered(entry: Entry, page: str) -> tuple[list[str], list[str]]:
    """An opinion's lines in our look, and their keys for `renew`."""
    names = "".join(f" @{name}" for name in entry.entities)
    statement = encode(entry.statement).replace("<!--", "&lt;!--")
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
    """What a mark's line stands for, below its opinion."""
    return mark.fact_id or f"{mark.role}-{mark.day.isoformat() if mark.day else mark.value}"


def _mark_line(mark: Mark, page: str) -> str:
    day = mark.day.isoformat() if mark.day else ""
    if mark.role == SET:
        return f"set {mark.value or 0:.2f} by hand {day}".rstrip()
    value = "" if mark.value is None else f" {mark.value:.6g}" if mark.role == PRIOR else f", {mark.value:.6g}"
    if mark.value is not None:
        value = value.replace(f"{mark.value:.6g}", _number(mark.value))
    label = day or mark.path.rpartition("/")[2].removesuffix(".md")
    said = f", said by {mark.origin}" if mark.origin else ""
    gone = "gone: " if mark.gone else ""
    return f"{gone}{mark.role}{value}: {link(label, page, mark.path)}{said} ^{mark.fact_id}"


def _number(value: float) -> str:
    """At least two decimals, more only where they are needed."""
    short = f"{value:.2f}"
    return short if float(short) == value else f"{value:.6g}"


@cache
def _mark() -> re.Pattern[str]:
    return re.compile(
        r"\s+[-*+] (gone: )?(prior|for|against)(?:,? ([01](?:[.,]\d{1,9})?))?: \[([^\]]{0,200})\]\(([^)\s]{0,500})\)"
        r"(?:, said by (\S{1,200}))? \^([A-Za-z0-9-]{1,64})\s*$"
    )


@cache
def _set() -> re.Pattern[str]:
    return re.compile(r"\s+[-*+] set ([01](?:[.,]\d{1,9})?) by hand(?: (\d{4}-\d\d-\d\d))?\s*$")


@cache
def _meta() -> re.Pattern[str]:
    return re.compile(
        r"\s+[-*+] (?:disputed by \^(o-[A-Za-z0-9]{1,20}))?(?:, )?(?:last_updated (\d{4}-\d\d-\d\d))?\s*$"
    )


@cache
def _own_id() -> re.Pattern[str]:
    return re.compile(r"\s\^(o-[A-Za-z0-9]{4,20})(?=\s|$)")


def _outside_fences(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, code fences and line ends left off."""
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        head = line.lstrip()[:3]
        if head in ("```", "~~~"):
            fence = "" if fence == head else fence or head
        elif not fence:
            yield number, line.rstrip("\r")


def _entries(path: str, lines: list[tuple[int, str]]) -> Iterator[Entry]:
    """The opinions in our look."""
    entry: Entry | None = None
    marks: list[Mark] = []
    for number, line in lines:
        if entry and line[:1] in (" ", "\t"):
            if mark := read_mark(path, line, number):
                marks.append(mark)
            elif (noted := _meta().match(line)) and (noted[1] or noted[2]):
                entry = entry._replace(disputed_by=noted[1] or "", last_updated=_day(noted[2]))
            continue
        if entry and line.strip():
            yield _finished(entry, marks)
            entry, marks = None, []
        if "^o-" in line and line[:2] in ("- ", "* ", "+ "):
            entry = _read_entry(line[2:], number)
    if entry:
        yield _finished(entry, marks)


def _finished(entry: Entry, marks: list[Mark]) -> Entry:
    last = entry.last_updated or max((mark.day for mark in marks if mark.day), default=None)
    return entry._replace(marks=tuple(marks), last_updated=last)


def _read_entry(text: str, number: int) -> Entry | None:
    """The first line of an opinion; None when a person made something else of it."""
    found = _own_id().search(text)
    if found is None:
        return None
    head = read_bullet(" ".join((text[: found.start()] + text[found.end() :]).split()))
    if not isinstance(head, Head) or head.kind is not Kind.OPINION:
        return None
    return Entry(found[1], head.content, head.entities, head.confidence, (), None, "", number)


def read_mark(path: str, line: str, number: int = 0) -> Mark | None:
    """The mark that a line below an opinion states; None when it is something else."""
    if found := _mark().match(line):
        gone, role, value, label, href, origin, fact_id = found.groups()
        target = resolve(path, href)
        return Mark(role, _share(value), _day(label), target, fact_id, origin or "", bool(gone), number)
    if found := _set().match(line):
        return Mark(SET, _share(found[1]), _day(found[2]), number=number)
    return None


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None


def _share(text: str | None) -> float | None:
    """A confidence as people write it: `0.9`, `0,9`, `90%`, `high`; None when it is none."""
    if not text:
        return None
    bare = text.strip().strip("*_`~").strip()
    level = table("opinions")["levels"].get(bare.casefold())
    if level is not None:
        return float(level)
    found = _number_like().match(bare)
    if found is None:
        return None
    value = float(found[1].replace(",", "."))
    value = value / 100 if found[2] or value > 1 else value
    return value if 0 <= value <= 1 else None


@cache
def _number_like() -> re.Pattern[str]:
    return re.compile(r"(?:c ?= ?)?(\d{1,3}(?:[.,]\d{1,9})?)\s?([%％])?(?:\s|$|[(（,;])")


@cache
def _labels() -> dict[str, str]:
    """What a label or column head names: `confidence` for `conf.`, `置信度`, …"""
    words = table("opinions")
    return {word: role for role in ("opinion", "confidence", "evidence", "updated") for word in words[role]}


def may_hold(document: Document) -> bool:
    """Whether a file outside the bank may hold opinions: asked of every file, and nearly none does."""
    heads = _heads()
    begins = {line.text[:6] for line in document.lines}
    if not heads.isdisjoint(begins):
        return True
    firsts = {begin[:1] for begin in begins}
    if "*" not in firsts and max(firsts, default="") <= "z":
        return False
    for line in document.lines:
        text = line.text
        if text[:1] > "z" or text[:1] == "*":  # another script, a table, bold
            bare = text.lstrip("*_|` ")
            if bare[:6] in heads or (text[0] == "|" and {"opinion", "confidence"} <= set(map(_role, _cells(text)))):
                return True
            if not bare.isascii() and any(bare.startswith(head) for head in heads):
                return True
    return False


@cache
def _heads() -> frozenset[str]:
    """How a line with a confidence begins: six characters, or the whole word of a script without capitals."""
    words = [word for word in table("opinions")["confidence"] if len(word) > 5 or not word.isascii()]
    return frozenset(form[:6] for word in words for form in (word, word.capitalize(), word.upper()))


def _role(label: str) -> str:
    return _labels().get(label.strip().strip("*_`").strip().rstrip(":：").casefold(), "")


def _cells(line: str) -> list[str]:
    bare = line.strip()
    bare = bare[1:] if bare.startswith("|") else bare
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return [cell.strip().replace("\x00", "|") for cell in bare.replace("\\|", "\x00").split("|")]


def _tables(path: str, lines: list[tuple[int, str]]) -> Iterator[Opinion]:
    """Rows of tables that have an opinion and a confidence column."""
    columns: dict[str, int] | None = None
    inside = False
    for number, line in lines:
        if "|" not in line:
            inside = False
            continue
        cells = _cells(line)
        if not inside:
            inside = True
            roles = {role: at for at, cell in reversed(list(enumerate(cells))) if (role := _role(cell))}
            columns = roles if "opinion" in roles and "confidence" in roles else None
        elif columns and line.strip("|:- \t"):
            got = {role: cells[at] if at < len(cells) else "" for role, at in columns.items()}
            opinion = _hand_kept(path, number, got)
            if opinion:
                yield opinion


@cache
def _label() -> re.Pattern[str]:
    return re.compile(r"\s*(?:[-*+] +)?([^:：\n]{1,40})[:：]\**\s*(.*)$")


@cache
def _item() -> re.Pattern[str]:
    return re.compile(r"(\s*)[-*+] +(.*)$")


def _labelled(path: str, lines: list[tuple[int, str]]) -> Iterator[Opinion]:
    """Bullets with `confidence:`, `evidence:` and `updated:` on the deeper lines below."""
    current: dict[str, str] = {}
    indent, number = -1, 0
    for at, line in lines:
        depth = len(line) - len(line.lstrip())
        if not line.strip():
            continue
        if indent >= 0 and depth > indent:
            found = _label().match(line)
            role = _role(found[1]) if found else ""
            if found and role and role != "opinion":
                current.setdefault(role, found[2])
            continue
        if current.get("confidence") and (opinion := _hand_kept(path, number, current)):
            yield opinion
        current, indent = {}, -1
        item = _item().match(line)
        if item and "^o-" not in line:
            labelled = _label().match(line)
            told = labelled[2] if labelled and _role(labelled[1]) == "opinion" else item[2]
            current, indent, number = {"opinion": told}, depth, at
    if current.get("confidence") and (opinion := _hand_kept(path, number, current)):
        yield opinion


def _hand_kept(path: str, number: int, got: dict[str, str]) -> Opinion | None:
    """An opinion that a person keeps in a shape of their own; its number stands as they wrote it."""
    from commonplace.core.mention import mentions

    if not (path.startswith("bank/") or got.get("evidence") or got.get("updated")):
        return None
    statement = decode(got.get("opinion", ""))
    if statement.startswith("**") and statement.endswith("**") and statement.count("**") == 2:
        statement = statement[2:-2].strip()
    stated = _share(got.get("confidence"))
    if not statement or stated is None:
        return None
    head = read_bullet(statement)
    names = mentions(statement)
    if isinstance(head, Head) and head.entities:
        names, statement = head.entities, head.content
    if not names and path.startswith("bank/entities/"):
        names = (path.removeprefix("bank/entities/").removesuffix(".md"),)
    day = _iso().search(got.get("updated", ""))
    updated = _day(day[0]) if day else path_day(path)
    proof = tuple(
        Evidence("", Stance.SUPPORTS, _day(stem[:10]), Citation(target, int(line or 0)))
        for target, stem, line in _sources(got.get("evidence", ""))
    )
    found = opinion_id(names, statement)
    return Opinion(found, statement, names, stated, proof, stated, updated, Citation(path, number))


@cache
def _iso() -> re.Pattern[str]:
    return re.compile(r"\d{4}-\d\d-\d\d")


def _sources(text: str) -> Iterator[tuple[str, str, str]]:
    """Files that a hand-kept opinion cites: path, file name without `.md`, line."""
    for found in _file().finditer(text):
        yield found[1], found[2], found[3]


@cache
def _file() -> re.Pattern[str]:
    return re.compile(r"(?:^|[\s(`\[,;，、])((?:[\w-]{1,80}/){0,6}([\w-]{1,80})\.md)(?:#L(\d{1,6}))?")
