"""The nouns of the program.

Each is a NamedTuple: immutable, compared by value, and cheap. Ten of them cost 1.5 ms to define, ten frozen
dataclasses 23 ms (their import included), a quarter of what a cold recall may take (docs/decisions/0002).
Collections are tuples; paths are workspace-relative POSIX strings; days are `datetime.date`.
"""

from datetime import date
from enum import StrEnum
from typing import NamedTuple

from commonplace.core.provenance import NOTE, SESSION, is_authors, named, note_of


class Kind(StrEnum):
    """What a fact is about; the letter is how Markdown writes it."""

    WORLD = "world"
    EXPERIENCE = "experience"
    OPINION = "opinion"
    OBSERVATION = "observation"

    @property
    def letter(self) -> str:
        """W, B, O or S."""
        return _LETTERS[self]


_LETTERS = {Kind.WORLD: "W", Kind.EXPERIENCE: "B", Kind.OPINION: "O", Kind.OBSERVATION: "S"}
KIND_OF_LETTER = {letter: kind for kind, letter in _LETTERS.items()}


class Origin(StrEnum):
    """Where a statement comes from: never mixed up in what is recalled, and only the first two can be evidence."""

    RETAINED = "retained"
    """An author's fact, written by hand or by a tool."""
    INFERRED = "inferred"
    """Proposed by us from narrative."""
    LOG = "log"
    """Any other line that a person or host wrote."""
    GENERATED = "generated"
    """A line inside our regions, as we left it."""


class Stance(StrEnum):
    """The bearing of a fact on an opinion."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    UNDECIDED = "undecided"


class Role(StrEnum):
    """What a line is in its file."""

    HEADING = "heading"
    BULLET = "bullet"
    TEXT = "text"
    ROW = "row"
    CODE = "code"
    META = "meta"


class Citation(NamedTuple):
    """Where something stands; prints as `memory/2025-11-27.md#L12`. Lines count from 1; 0 is the whole file."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}#L{self.line}" if self.line else self.path

    @classmethod
    def read(cls, text: str) -> "Citation | None":
        """The citation that a text is: `memory/2025-11-27.md#L12`, of several lines (`#L12-L14`) the first."""
        path, _, lines = text.rpartition("#L")
        first, dash, last = lines.partition("-")
        numbers = (first, last.removeprefix("L")) if dash else (first,)
        if not path or not all(each.isascii() and each.isdecimal() and len(each) < 10 for each in numbers):
            return None
        return cls(path, int(first))


class Span(NamedTuple):
    """Whole days, both ends included; None is open. A year is its 365 days, never its first of January."""

    start: date | None
    end: date | None

    def __str__(self) -> str:
        """ISO: `2025-11-27`, `2025-11-27/2025-12-01`, `2025-03-01/..`, `../2025-03-01`."""
        if self.start is not None and self.start == self.end:
            return self.start.isoformat()
        return f"{self.start.isoformat() if self.start else '..'}/{self.end.isoformat() if self.end else '..'}"

    def overlaps(self, other: "Span") -> bool:
        """Whether the two share a day."""
        return (self.start is None or other.end is None or self.start <= other.end) and (
            other.start is None or self.end is None or other.start <= self.end
        )


class Trailer(NamedTuple):
    """What a bullet carries besides its narrative: `<!-- cp: supersedes=^9f3c src=web:example.org -->`."""

    supersedes: tuple[str, ...] = ()
    supports: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    retracts: tuple[str, ...] = ()
    src: str = ""
    """Who said it when it was not the author: `web:example.org`, `user:…`. Empty: the author; `core.provenance`."""
    other: tuple[tuple[str, str], ...] = ()
    """Keys of a later version, kept as they stand."""

    @property
    def outsider(self) -> str:
        """Who said it when that was neither the author nor a line of the author's own log or notes, as our lines name
        them; else empty.
        """
        return "" if not self.src or is_authors(self.src) else named(self.src)

    @property
    def note(self) -> str:
        """The note that it was imported from, `Vault/People/Peter.md`; else empty."""
        return note_of(self.imported)

    @property
    def imported(self) -> str:
        """The same as `src` has it, `import:Vault/People/Peter.md`, whoever said it there."""
        if note_of(self.src):
            return self.src
        return next((value for key, value in self.other if key == NOTE), "") if self.other else ""

    @property
    def session(self) -> str:
        """The session of a host in which the author said it, `openclaw:…`; else empty."""
        return next((value for key, value in self.other if key == SESSION), "")


RELATIONS = ("supersedes", "supports", "contradicts", "retracts")
"""What of a trailer names other facts, or opinions."""


class Fact(NamedTuple):
    """One self-contained statement; also the form in which any other line is recalled."""

    id: str
    kind: Kind
    content: str
    """Narrative text: entities such as `&lt;` decoded, white space collapsed, no id, no trailer."""
    entities: tuple[str, ...]
    """As written after the kind letter, without `@`; for other lines the mentions."""
    source: Citation
    recorded: date | None = None
    valid: Span | None = None
    confidence: float | None = None
    origin: Origin = Origin.RETAINED
    lines: int = 1
    """How many lines the bullet takes."""
    context: tuple[str, ...] = ()
    """Headings and parent bullets, outermost first."""
    mentions: tuple[str, ...] = ()
    """`[[X]]` and `@X` inside the text: links, but no part of the id."""
    speaker: str = ""
    """Who says a chat line."""
    trailer: Trailer = Trailer()
    block_id: bool = False
    """Whether the id stands in the Markdown (`^k7f3qa`) or is a hash."""

    @property
    def timestamp(self) -> str | None:
        """The valid range where there is one, else the recorded day, else None; ISO."""
        if self.valid is not None:
            return str(self.valid)
        return self.recorded.isoformat() if self.recorded else None

    @property
    def told_of(self) -> Span | None:
        """The days that a window finds it in by its valid range: one without a start is told of no day before it was
        recorded, nor, where it was over by then, of any but its last."""
        if self.valid is None or self.valid.start is not None or self.valid.end is None:
            return self.valid
        start = self.valid.end if self.recorded is None else min(self.recorded, self.valid.end)
        return Span(start, self.valid.end)


class Problem(NamedTuple):
    """A defect in the Markdown, as a value."""

    source: Citation
    code: str
    """One of the codes in docs/format.md, such as `bad-confidence`."""
    message: str
    hint: str = ""


class Level(StrEnum):
    """How grave it is what doctor found."""

    OK = "ok"
    WARN = "warn"
    """It works, with a risk."""
    WRONG = "wrong"
    """Something does not work."""
    MENDED = "mended"


class Finding(NamedTuple):
    """One thing that doctor looked at."""

    area: str
    """`workspace`, `index`, `locks` …"""
    level: Level
    message: str
    hint: str = ""
    """What to do next; empty where nothing is to be done."""
    fixable: bool = False
    """Whether `--fix` mends it."""


class Unread(NamedTuple):
    """A file or folder that is there and cannot be read; what was read of it before goes on counting."""

    path: str
    code: str
    """One of the codes in docs/format.md, such as `unreadable`."""
    message: str
    hint: str
    known: bool
    """Whether it was read before, so that the index still has what it said then."""
    holds: tuple[str, ...] = ()
    """Files that went missing when it could first not be read: they may be in it, or be it, and go on counting."""

    def covers(self, path: str) -> bool:
        """Whether it is what hides a file."""
        return path == self.path or path.startswith(self.path + "/") or path in self.holds


class Evidence(NamedTuple):
    """One fact's weight on an opinion."""

    fact_id: str
    stance: Stance
    recorded: date | None
    source: Citation
    confidence: float | None = None
    """The fact's own stated confidence, its weight as evidence."""
    origin: str = ""
    """The trailer's `src`: evidence by the same outsider counts once."""


class Spent(NamedTuple):
    """What held a confidence until a person set it by hand."""

    prior: float
    evidence: tuple[Evidence, ...]
    day: date | None
    """On which it was set."""


class Opinion(NamedTuple):
    """A statement held with a confidence; the confidence is computed from prior and evidence, never guessed."""

    id: str
    statement: str
    entities: tuple[str, ...]
    prior: float
    evidence: tuple[Evidence, ...]
    confidence: float
    last_updated: date | None
    source: Citation | None = None
    disputed_by: str = ""
    """Id of the opposite opinion, where both are held."""
    spent: tuple[Spent, ...] = ()
    """What counted before the prior was set by hand, oldest first; no part of what is in force."""


class Patch(NamedTuple):
    """A proposed edit of one file."""

    path: str
    before: str | None
    """Digest of the text that the edit assumes; None: the file must not exist."""
    after: str | None
    """None: the file goes."""
    reason: str


class Reflection(NamedTuple):
    """What a reflect would change, or did."""

    patches: tuple[Patch, ...]
    applied: bool
    notes: tuple[str, ...]
    needs_yes: bool
    """Pages that people made would change, and nothing was written: show the diff and ask."""
    summary: str
    waits: tuple[str, ...] = ()
    """Paths of pages that wait for a person: left alone, held by an editor, or for a `yes`."""
    unread: tuple[Unread, ...] = ()
    """Files that are there and could not be read: what rests on them was left as it was."""
    refused: bool = False
    """Whether something that was accepted could not be retained or merged: the notes say why."""
    held_back: tuple[str, ...] = ()
    """Paths of pages that have one place and are not written there, for they were moved elsewhere in the bank."""

    @property
    def outcome(self) -> str:
        """In a word, for what runs it: `changed`, else `waiting` when a page waits, else `nothing new`."""
        if self.patches and not self.needs_yes:
            return "changed"
        return "waiting" if self.waits else "nothing new"


class Query(NamedTuple):
    """One question, with what the asker laid down besides."""

    text: str
    entities: tuple[str, ...] = ()
    """Only facts about these."""
    kinds: tuple[Kind, ...] = ()
    """Only these kinds."""
    range: Span | None = None
    """Only what was recorded, or holds, on these days."""
    as_of: date | None = None
    """Only what was recorded by then; undated lines are visible at any time."""
    limit: int = 10
    budget: int = 1500


class Hit(NamedTuple):
    """A recalled fact and why it came."""

    fact: Fact
    score: float
    why: tuple[str, ...]
    also: tuple[Citation, ...] = ()
    """Citations of near-duplicates merged into it."""
    superseded_by: Citation | None = None
    disputed_by: Citation | None = None
    opinion: Opinion | None = None
    """For opinions that reflect keeps: confidence as of now, with evidence."""
    cut: bool = False
    """The content was shortened to fit the budget."""


class Bundle(NamedTuple):
    """What fits into the token budget, best first."""

    query: str
    status: str
    """`ok`, `empty`, `stale` (what was known before: of files that cannot be read now, or of an index that could not be
    brought up to date) or `degraded` (answered by a scan, or without a file that cannot be read)."""
    hits: tuple[Hit, ...]
    tokens: int
    """Of the readable rendering, by `core.recall.packing.count_tokens`."""
    budget: int
    omitted: int
    """Relevant hits that did not fit."""
    note: str
    at_least: bool = False
    """Whether more than those may be left out: of so many lines that were found not all were read."""


class SyncReport(NamedTuple):
    """What a sync found, in files."""

    added: int
    changed: int
    removed: int
    files: int
    lines: int
    facts: int
    problems: int
