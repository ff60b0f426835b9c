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
    """The kind of a fact; Markdown writes it as a letter."""

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
    """The origin of a statement. Recall keeps them apart, and only the first two can be evidence."""

    RETAINED = "retained"
    """A fact by the author, written by hand or by a tool."""
    INFERRED = "inferred"
    """A fact that we proposed from narrative."""
    LOG = "log"
    """Any other line written by a person or host."""
    GENERATED = "generated"
    """A line inside our regions, unchanged since we wrote it."""


class Stance(StrEnum):
    """Whether a fact supports or contradicts an opinion."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    UNDECIDED = "undecided"


class Role(StrEnum):
    """The role of a line in its file."""

    HEADING = "heading"
    BULLET = "bullet"
    TEXT = "text"
    ROW = "row"
    CODE = "code"
    META = "meta"


class Citation(NamedTuple):
    """The place of a statement; prints as `memory/2025-11-27.md#L12`. Lines count from 1; 0 is the whole file."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}#L{self.line}" if self.line else self.path

    @classmethod
    def read(cls, text: str) -> "Citation | None":
        """Parse `memory/2025-11-27.md#L12`; of a range of lines (`#L12-L14`) use the first. Else None."""
        return next(iter(cls.read_all(text)), None)

    @classmethod
    def read_all(cls, text: str) -> "tuple[Citation, ...]":
        """Parse `memory/2025-11-27.md#L12` or a range of up to a thousand lines (`#L12-L14`); else nothing."""
        path, _, lines = text.rpartition("#L")
        first, dash, last = lines.partition("-")
        numbers = (first, last.removeprefix("L")) if dash else (first, first)
        if not path or not all(each.isascii() and each.isdecimal() and len(each) < 10 for each in numbers):
            return ()
        start, end = map(int, numbers)
        return tuple(cls(path, number) for number in range(start, max(start, min(end, start + 999)) + 1))


class Span(NamedTuple):
    """Whole days, both ends included; None is an open end. A year is all its days, not its first of January."""

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


class When(NamedTuple):
    """One date expression in a text."""

    span: Span
    phrase: str
    relation: str
    """`during` (the time itself), `between` (a range given by both ends), `since` and `until` (that end included),
    `before` and `after` (excluded), `around`, `ago` (one day, meant loosely: "two weeks ago").
    The span has it applied."""
    start: int
    """Where the phrase stands in the text, as offsets."""
    end: int


class Trailer(NamedTuple):
    """The metadata of a bullet: `<!-- cp: supersedes=^9f3c src=web:example.org -->`."""

    supersedes: tuple[str, ...] = ()
    supports: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    retracts: tuple[str, ...] = ()
    src: str = ""
    """Who said it, if not the author: `web:example.org`, `user:…`. Empty: the author. See `core.provenance`."""
    other: tuple[tuple[str, str], ...] = ()
    """Other keys: `session`, `note`, `key`, and those of later versions, kept as written."""

    @property
    def outsider(self) -> str:
        """The outsider who said it, as our lines name them; empty for the author's words, log or notes."""
        return "" if not self.src or is_authors(self.src) else named(self.src)

    @property
    def takes_back(self) -> bool:
        """Whether its line is a retraction by the author; such a line states nothing else."""
        return bool(self.retracts) and not self.outsider

    @property
    def note(self) -> str:
        """The path of the note that it was imported from, `Vault/People/Peter.md`; else empty."""
        return note_of(self.imported)

    @property
    def imported(self) -> str:
        """The note in the form that `src` has, `import:Vault/People/Peter.md`, whoever said it there; else empty."""
        if note_of(self.src):
            return self.src
        return next((value for key, value in self.other if key == NOTE), "") if self.other else ""

    @property
    def session(self) -> str:
        """The session of a host in which the author said it, `openclaw:…`; else empty."""
        return next((value for key, value in self.other if key == SESSION), "")


RELATIONS = ("supersedes", "supports", "contradicts", "retracts")
"""The trailer's keys that refer to other facts or opinions."""


class Line(NamedTuple):
    """A line of a file, with its place and days. A line that states a fact is a `Fact`."""

    content: str
    """Narrative text: entities such as `&lt;` decoded, white space collapsed, without id and trailer."""
    entities: tuple[str, ...]
    """The names of entities that it mentions, as written, without `@`."""
    source: Citation
    recorded: date | None = None
    valid: Span | None = None
    origin: Origin = Origin.LOG
    lines: int = 1
    """The number of lines in the file."""
    context: tuple[str, ...] = ()
    """Headings and parent bullets, outermost first."""
    mentions: tuple[str, ...] = ()
    """`[[X]]` and `@X` inside the text."""
    speaker: str = ""
    """The speaker of a chat line."""
    trailer: Trailer = Trailer()
    """Of a line only `src`, where somebody other than the author said it."""

    @property
    def timestamp(self) -> str | None:
        """The valid range if known, else the recorded day, else None; ISO."""
        return _timestamp(self)

    @property
    def told_of(self) -> Span | None:
        """The days on which a time window finds the line by its valid range; see `Fact.told_of`."""
        return _told_of(self)


class Fact(NamedTuple):
    """One self-contained statement: a line with an id, a kind and perhaps a confidence."""

    id: str
    kind: Kind
    content: str
    """As `Line.content`."""
    entities: tuple[str, ...]
    """The names after the kind letter, as written, without `@`."""
    source: Citation
    recorded: date | None = None
    valid: Span | None = None
    confidence: float | None = None
    origin: Origin = Origin.RETAINED
    lines: int = 1
    """The number of lines of the bullet."""
    context: tuple[str, ...] = ()
    """Headings and parent bullets, outermost first."""
    mentions: tuple[str, ...] = ()
    """`[[X]]` and `@X` inside the text: links, not part of the id."""
    speaker: str = ""
    trailer: Trailer = Trailer()
    block_id: bool = False
    """Whether the id is written in the Markdown (`^k7f3qa`); else it is a hash."""

    @property
    def timestamp(self) -> str | None:
        """The valid range if known, else the recorded day, else None; ISO."""
        return _timestamp(self)

    @property
    def told_of(self) -> Span | None:
        """The days on which a time window finds the fact by its valid range.

        A range without a start begins on the recorded day; if it ended before that day, it is its last day alone.
        """
        return _told_of(self)


AnyLine = Line | Fact
"""A line of a file, whether it states a fact or not."""


def _timestamp(line: AnyLine) -> str | None:
    if line.valid is not None:
        return str(line.valid)
    return line.recorded.isoformat() if line.recorded else None


def _told_of(line: AnyLine) -> Span | None:
    if line.valid is None or line.valid.start is not None or line.valid.end is None:
        return line.valid
    start = line.valid.end if line.recorded is None else min(line.recorded, line.valid.end)
    return Span(start, line.valid.end)


class Problem(NamedTuple):
    """A defect in the Markdown, as a value."""

    source: Citation
    code: str
    """One of the codes in docs/format.md, such as `bad-confidence`."""
    message: str
    hint: str = ""


class Level(StrEnum):
    """The severity of a finding of doctor."""

    OK = "ok"
    WARN = "warn"
    """It works, with a risk."""
    WRONG = "wrong"
    """Something does not work."""
    MENDED = "mended"


class Finding(NamedTuple):
    """One result of doctor."""

    area: str
    """`workspace`, `index`, `locks` …"""
    level: Level
    message: str
    hint: str = ""
    """What to do next; empty if nothing."""
    fixable: bool = False
    """Whether `--fix` repairs it."""


class Unread(NamedTuple):
    """A file or folder that exists but cannot be read; what was read from it before stays valid."""

    path: str
    code: str
    """One of the codes in docs/format.md, such as `unreadable`."""
    message: str
    hint: str
    known: bool
    """Whether it was read before, so that the index still has its earlier content."""
    holds: tuple[str, ...] = ()
    """Files that went missing when it first became unreadable: it may contain them, or be one; they stay valid."""

    def covers(self, path: str) -> bool:
        """Whether a file is, or may be, hidden by this one."""
        return path == self.path or path.startswith(self.path + "/") or path in self.holds


class Evidence(NamedTuple):
    """One fact as evidence for or against an opinion."""

    fact_id: str
    stance: Stance
    recorded: date | None
    source: Citation
    confidence: float | None = None
    """The confidence that the fact itself states: its weight as evidence."""
    origin: str = ""
    """The trailer's `src`: evidence by the same outsider counts once."""


class Spent(NamedTuple):
    """What a confidence was computed from until a person set it by hand."""

    prior: float
    evidence: tuple[Evidence, ...]
    day: date | None
    """The day on which it was set."""


class Begun(NamedTuple):
    """Where an opinion began: the first statement of it that counts."""

    fact_id: str
    day: date | None
    """The day on which it was recorded."""
    source: Citation
    """Its place; line 0 if the fact no longer exists."""
    confidence: float
    """The confidence that it states, else that of a bare opinion: the first prior."""


class Opinion(NamedTuple):
    """A statement with a confidence, which is computed from prior and evidence, never guessed."""

    id: str
    statement: str
    entities: tuple[str, ...]
    prior: float
    evidence: tuple[Evidence, ...]
    confidence: float
    last_updated: date | None
    source: Citation | None = None
    disputed_by: str = ""
    """The id of the opposite opinion, if we keep both."""
    spent: tuple[Spent, ...] = ()
    """Priors and evidence from before the prior was set by hand, oldest first; they no longer count."""
    begun: Begun | None = None
    """Where it began; None if a person keeps it in a shape of their own, or if it comes from the index alone, as the
    opinions of an entity, a hit or `show` do."""


class Patch(NamedTuple):
    """A proposed edit of one file."""

    path: str
    before: str | None
    """The digest of the text that the edit assumes; None: the file must not exist."""
    after: str | None
    """The new text; None: delete the file."""
    reason: str


class Reflection(NamedTuple):
    """What a reflect would change, or changed."""

    patches: tuple[Patch, ...]
    applied: bool
    notes: tuple[str, ...]
    needs_yes: bool
    """Pages that people made would change, and nothing was written: show the diff and ask."""
    summary: str
    waits: tuple[str, ...] = ()
    """Paths of pages that wait for a person: left alone, open in an editor, or in need of a `yes`."""
    unread: tuple[Unread, ...] = ()
    """Files that exist but could not be read; what depends on them was left unchanged."""
    refused: bool = False
    """Whether something that was accepted could not be retained or merged; the notes give the reason."""
    held_back: tuple[str, ...] = ()
    """Paths of pages with a fixed path that are not written there, because they were moved elsewhere in the bank."""

    @property
    def outcome(self) -> str:
        """One word for scripts: `changed`, else `waiting` if a page waits, else `nothing new`."""
        if self.patches and not self.needs_yes:
            return "changed"
        return "waiting" if self.waits else "nothing new"


class Query(NamedTuple):
    """One question with its filters."""

    text: str
    entities: tuple[str, ...] = ()
    """Only facts about these entities."""
    kinds: tuple[Kind, ...] = ()
    """Only facts of these kinds."""
    range: Span | None = None
    """Only facts recorded or valid on these days."""
    as_of: date | None = None
    """Only what was recorded by this day; undated lines are always included."""
    limit: int = 10
    budget: int = 1500


class Hit(NamedTuple):
    """A recalled line and why it was found."""

    line: AnyLine
    score: float
    why: tuple[str, ...]
    also: tuple[Citation, ...] = ()
    """Citations of near-duplicates merged into this hit."""
    superseded_by: Citation | None = None
    disputed_by: Citation | None = None
    opinion: Opinion | None = None
    """For opinions that reflect keeps: the confidence as of now, with evidence."""
    cut: bool = False
    """Whether the content was shortened to fit the budget."""
    excerpt: bool = False
    """Whether the content is the part of a long line that answers best."""
    line_id: str = ""
    """The id of a line that is no fact: of the opinion that a person keeps there, else a hash of its text and day."""
    line_kind: Kind = Kind.WORLD
    """The kind of a line that is no fact: an opinion that a person keeps there, else a guess."""
    outdated_by: Citation | None = None
    """Of a line that is no fact: a newer line of its topic that says that it no longer holds."""
    beside: tuple["Hit", ...] = ()
    """Further hits directly above and below it, which are shown with it as one."""

    @property
    def place(self) -> str:
        """The citation as it is shown; of several lines side by side with the last: `memory/2025-11-27.md#L12-L14`."""
        source = self.line.source
        return f"{source}-L{source.line + self.line.lines - 1}" if self.beside else str(source)

    @property
    def places(self) -> tuple[Citation, ...]:
        """The citations of its own line, of the near-duplicates and of the lines beside it."""
        return (self.line.source, *self.also, *(place for each in self.beside for place in each.places))

    @property
    def id(self) -> str:
        """The id of the fact or other line."""
        return self.line.id if isinstance(self.line, Fact) else self.line_id

    @property
    def kind(self) -> Kind:
        """The kind of the fact or other line."""
        return self.line.kind if isinstance(self.line, Fact) else self.line_kind

    @property
    def confidence(self) -> float | None:
        """The confidence of the opinion: as reflect keeps it, else as the fact states it; None if there is none."""
        if self.opinion is not None:
            return self.opinion.confidence
        return self.line.confidence if isinstance(self.line, Fact) else None


class Bundle(NamedTuple):
    """The hits that fit into the token budget, best first."""

    query: str
    status: str
    """`ok`, `empty`, `stale` (from earlier content: of files that cannot be read now, or of an index that could not be
    brought up to date) or `degraded` (answered by a scan, or without a file that cannot be read).
    """
    hits: tuple[Hit, ...]
    tokens: int
    """Tokens of the readable rendering, by `core.recall.packing.count_tokens`."""
    budget: int
    omitted: int
    """Number of relevant hits that did not fit."""
    note: str
    at_least: bool = False
    """Whether `omitted` is a lower bound: not all of the lines found were read."""


class SyncReport(NamedTuple):
    """The counts of a sync; the first four are files."""

    added: int
    changed: int
    removed: int
    files: int
    lines: int
    facts: int
    problems: int
