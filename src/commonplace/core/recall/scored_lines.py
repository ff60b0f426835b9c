"""A line that was found for a question, before and after it is scored; its days, its likely kind, and whether it only
frames others."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from commonplace.core import when
from commonplace.core.documents.fact_syntax import line_id
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.extract.kind_guess import guess_kind, titles_opinions
from commonplace.core.model import AnyLine, Citation, Fact, Hit, Kind, Opinion, Role, Span
from commonplace.core.questions.ask_phrases import title_of
from commonplace.core.recall.coverage import Covered
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold


class Signal(NamedTuple):
    """What a channel adds to the score of a line that it found."""

    why: str
    """The reason, as people read it: `meaning: close to "…"`; empty: none by itself."""
    score: float


class Candidate(NamedTuple):
    """A line that a channel found, with what the index knows of it."""

    line: AnyLine
    """With its context."""
    role: Role
    length: int
    """Terms in it."""
    before: str = ""
    """The line before, in the same file and day."""
    after: str = ""
    page_of: str = ""
    """Key of the entity whose page contains it."""
    superseded_by: Citation | None = None
    disputed_by: Citation | None = None
    outdated: str = ""
    """How other facts outdate or dispute it, as a reason."""
    held: Span | None = None
    """The days on which it was valid, if another fact says that it is over."""
    opinion: Opinion | None = None
    """That a person keeps there, in a table or a labelled bullet."""
    copy: bool = False
    """Whether it is in a conflict copy of a sync tool."""
    widened: bool = False
    """Whether it was found only as a neighbour of a line that answers well."""
    placed: bool = False
    """Whether it claims where the entity is, if the question asks where."""
    naming: bool = False
    """Whether it may name the days in the question."""
    signals: tuple[Signal, ...] = ()
    near: float = 0.0
    """Share of the question within a few lines, in [0, 1]."""
    document: float = 0.0
    """How well its document matches the question, as a share of the best document; in [0, 1]."""

    @property
    def is_fact(self) -> bool:
        """Whether it states a fact, or an opinion in a shape of its author's own."""
        return self.opinion is not None or isinstance(self.line, Fact)

    @property
    def kind(self) -> Kind:
        """The kind of what it states; world for any other line."""
        if isinstance(self.line, Fact):
            return self.line.kind
        return Kind.WORLD if self.opinion is None else Kind.OPINION

    def hit(self, score: float, why: Iterable[str]) -> Hit:
        """The line as a hit, with its reasons and at their end how others outdate it."""
        reasons = (*why, self.outdated) if self.outdated else tuple(why)
        superseded, disputed = self.superseded_by, self.disputed_by
        return Hit(self.line, score, reasons, (), superseded, disputed, self.opinion, line_kind=self.kind)


class Scored(NamedTuple):
    """A candidate that was scored."""

    source: Citation
    hit: Hit | None
    """With score and reasons; None where the line is no answer."""
    covered: Covered
    is_title: bool
    """Whether it is a heading with only the name of its file or of an entity of the question."""


_SUBTITLE = lazy_pattern(r"\s*(?:$|[-–—―:：|·])")
"""What follows the file's name in a title like `SOUL.md - Who You Are`."""


def repeats_file_name(heading: AnyLine) -> bool:
    """Return whether a heading is the name of its file: `Nadia` in Nadia.md, `SOUL.md - Who You Are` in SOUL.md."""
    if not heading.source.line:
        return True
    name = heading.source.path.rpartition("/")[2]
    if entity_key(heading.content) == entity_key(name.removesuffix(".md")):
        return True
    text, start = fold(heading.content), fold(name)
    return text.startswith(start) and _SUBTITLE.match(text, len(start)) is not None


def dated(line: AnyLine) -> AnyLine:
    """Return a line of an undated file with the valid range that its text states."""
    if line.recorded or line.valid or isinstance(line, Fact) or not when.may_hold(line.content):
        return line
    return line._replace(valid=when.valid(line.content, None))


def naming_days(line: AnyLine, days: Span, today: date) -> AnyLine | None:
    """Return a plain line with the days that it names as its valid range; None if it names none of these."""
    if isinstance(line, Fact):
        return None
    from commonplace.core.when.day_search import days_named  # here, because few questions find such lines

    named = days_named(line.content, line.recorded, days, today=today)
    return line._replace(valid=named) if named is not None else None


def shown(hit: Hit) -> Hit:
    """Return the hit with an id and a kind: for a line that is no fact a hash and a guess."""
    line = hit.line
    if hit.id:
        return hit
    return hit._replace(line_id=line_id(line.content, line.recorded), line_kind=guess_kind(line.content))


def likely_kind(content: str, context: Sequence[str]) -> Kind:
    """Return the likely kind of a plain line: an opinion also by its label, or by what is right above it.

    A task is none, whatever it is below.
    """
    if content[:1] == "[" and content[2:4] == "] ":
        return guess_kind(content)
    titles = (title_of(text)[0] for text in (content, *context[-1:]))
    return Kind.OPINION if any(map(titles_opinions, titles)) else guess_kind(content)


_FENCES = ("```", "~~~")
_NUMBERED = lazy_pattern(r"\[[A-Za-z]+(?:[_-][A-Za-z]+)*: ?[\w:.-]*\d[\w:.-]*\]")
"""`[message_id: 138]`, as chats are exported."""


def frames(text: str) -> bool:
    """Return whether a line of its own is a fence, a rule or the number of a message."""
    return text.startswith(_FENCES) or not any(map(str.isalnum, text)) or _NUMBERED.fullmatch(text) is not None
