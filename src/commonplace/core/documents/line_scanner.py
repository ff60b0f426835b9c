"""The lines of a file, each with its place, its day, what stands above it, and the fact that it states.

A line scanner, not a Markdown parser: it must keep exact lines, tolerate stray text after fences and headings, and read
a year of logs in a fraction of a second.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from commonplace.core import when
from commonplace.core.documents.chunking import CHUNK, LARGE, ScanState
from commonplace.core.documents.fact_syntax import (
    Defect,
    Head,
    base_id,
    decode,
    maybe_fact,
    read_bullet,
    split_tail,
    trailed,
)
from commonplace.core.documents.file_problems import MERGE
from commonplace.core.documents.hearsay import LINES_OF_A_TRAILER
from commonplace.core.documents.name_mentions import mentions, said_by
from commonplace.core.documents.parsed_document import ParsedLine
from commonplace.core.markdown import syntax
from commonplace.core.markdown.page_regions import CONFLICT
from commonplace.core.markdown.structure_scanner import Form, Structure
from commonplace.core.model import KIND_OF_LETTER, Citation, Fact, Origin, Problem, Role
from commonplace.core.provenance import is_inferred
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.timeline import ordinal

_MARKS = "-*+•–—"
_NO_BULLET = (
    "a line under Retain is written like a fact, but is not a bullet",
    "start it with `- ` (with the space)",
)
_NEVER = 1 << 60
_UNSURE = frozenset((" ", "\t", "\r", "\n", "\u3000", "-", ""))
"""Characters after `- ` with which a line may not be a plain bullet: an empty one, a rule, odd spacing."""
_TITLE = lazy_pattern(r"\*\*[^*]*[^*:：]\*\*(?!\s?[:：]).{0,80}(?<![.!?。！？।])$")
"""A bold name and a few words on it; no label and its value, and no sentence."""
_ITEM, _TEXT = Form.ITEM, Form.TEXT
"""The forms of most lines, as constants, since the look-up of an enum member takes time."""


def _date(number: int) -> date | None:
    return date.fromordinal(number) if number else None


def _untrailed(text: str) -> str:
    """Return the text of a line that is no fact, without trailer and block id."""
    return (split_tail(text)[0] or text) if trailed(text) else text


def _introduces(text: str) -> bool:
    """Whether an unindented line introduces the bullets below it by its form alone."""
    return text[-1] in ":：" or (text.startswith("**") and text.endswith("**"))


def _is_retired(text: str) -> bool:
    """Whether a bullet is struck out or cancelled."""
    return text.startswith("~~") or text[:4].lower() == "[-] "


def _indent(raw: str) -> int:
    return syntax.indent_of(raw) if raw[0] in " \t\u3000" else 0


def is_top_item(raw: str) -> bool:
    """Whether a line is certainly an unindented list item, by its first three characters."""
    return raw.startswith("- ") and raw[2:3] not in _UNSURE


class RawFile(NamedTuple):
    """A file before its lines are read, or the rest of one from a mark on."""

    path: str
    raw: list[str]
    """Its lines as they are."""
    front: int
    """The number of lines of its front matter."""
    title: str
    """By its name, if its text has none."""
    day: date | None
    """That of its path, else of its front matter."""
    near: date | None
    """The last day stated above, whose year completes `## Feb 12`."""
    ours: frozenset[int]
    """Numbers of the lines in regions of ours."""
    generated: frozenset[int]
    """The same with those that a host copied."""


class _OpenBullet(NamedTuple):
    """A bullet that may be a fact, while its lines are read."""

    number: int
    indent: int
    parent: int
    texts: list[tuple[int, str]]
    """The number and text of each of its lines."""
    retain: bool
    """Whether it is under a Retain heading."""


class LineScanner:
    """The state of one pass over the lines of a file."""

    def __init__(self, file: RawFile, mark: ScanState | None = None, *, dated: bool = True) -> None:
        """Begin at the first line, or go on from a mark.

        Args:
            dated: also read the days on which its facts are valid.
        """
        self.path, self.raw, self.front, self.title, self.file_day, self.near, self.ours, self.generated = file
        self.dated = dated
        self.lines: list[ParsedLine] = []
        self.problems: list[Problem] = []
        self.day = self.file_day
        self.headings: list[tuple[int, int, date | None]] = []  # level, position, day before it
        self.bullets: list[tuple[int, int]] = []  # indent, position
        self.intro = -1  # an unindented "…:" line: the subject of the bullets below it
        self.brief = False  # whether that line is above the list right below it alone
        self.table = -1  # a table's header row
        self.structure = Structure()
        self.blank = True
        self.opened = 0  # the line where the fence or comment begins
        self.open: _OpenBullet | None = None
        self.comments: list[ParsedLine] = []  # those within the open bullet, whose line comes before them
        self.conflict = False  # whether merge markers were found
        self.marks: list[ScanState] = []
        self.first = 1 if mark is None else mark.number  # the number of the first line of the text
        self.cut = CHUNK if mark is not None or len(self.raw) > LARGE else _NEVER  # lines before the next mark
        if mark is not None:
            self._go_on(mark)

    def _go_on(self, mark: ScanState) -> None:
        """Continue from the state of another scan."""
        self.day, self.near = _date(mark.day), _date(mark.near)
        self.structure.retain, self.structure.headless = mark.retain, mark.headless
        for level, number, text, before in mark.headings:
            parent = len(self.lines) - 1
            position = self._add(ParsedLine(number, 1, text, parent, Role.HEADING, self.day))
            self.headings.append((level, position, _date(before)))
        if mark.intro[0]:
            self.intro = self._add(ParsedLine(mark.intro[0], 1, mark.intro[1], self._above(), Role.TEXT, self.day))
            self.brief = not _introduces(mark.intro[1])
        self.cut += mark.number

    def state(self, number: int) -> ScanState:
        """Return the state before an unindented list item in this line."""
        headings = tuple(
            (level, self.lines[at].number, self.lines[at].text, ordinal(before)) for level, at, before in self.headings
        )
        intro = (self.lines[self.intro].number, self.lines[self.intro].text) if self.intro >= 0 else (0, "")
        section, headless = self.structure.retain, self.structure.headless
        return ScanState(number, headings, intro, ordinal(self.day), ordinal(self.near), section, headless=headless)

    def scan(self) -> None:
        """Read the lines."""
        for number, raw in enumerate(self.raw[: self.front], 1):
            text = raw.strip()
            if text.strip("-"):  # a fence may have stray text, which counts too
                self._add(ParsedLine(number, 1, text, -1, Role.META, self.day))
        if self.title:
            position = self._add(ParsedLine(0, 1, self.title, -1, Role.HEADING, self.day))
            self.headings.append((0, position, self.day))
        structure = self.structure
        for number, raw in enumerate(self.raw[self.front :], self.first + self.front):
            if raw.startswith("- ") and raw[2:3] not in _UNSURE and not structure.fence and not structure.comment:
                if number > self.cut and not self._reads_on(number):
                    self.marks.append(self.state(number))
                    self.cut = number + CHUNK - 1
                self._top_item(number, raw[2:].strip())  # most lines of most logs
            else:
                self._line(number, raw)
        self._close()

    def _add(self, line: ParsedLine) -> int:
        self.lines.append(line)
        return len(self.lines) - 1

    def _statement(self, number: int, text: str, *, parent: int, role: Role, speaker: str = "") -> int:
        """Add a line that may be ours; return its position."""
        return self._add(ParsedLine(number, 1, text, parent, role, self.day, speaker, number in self.generated))

    def _above(self) -> int:
        """Return the position of the heading or introducing line above an unindented line."""
        return self.intro if self.intro >= 0 else self.headings[-1][1] if self.headings else -1

    def _line(self, number: int, raw: str) -> None:
        line = raw.strip()
        if not line:
            self.structure.blank()
            self.blank = True
            self.table = -1
            if self.brief and number - self.first + 1 < len(self.raw):  # else only the last line break is above it
                self.intro, self.brief = -1, False
            return
        below = number - self.first + 1
        form = self.structure.take_words(raw, line, below=self.raw[below] if below < len(self.raw) else "")
        if form is _ITEM:
            self._list_item(number, _indent(raw), text=self.structure.item or "")
        elif form is _TEXT:
            self._body(number, raw, line=line, form=form)
        elif form is Form.CODE:
            self._code(number, line)
        elif form is Form.HEADING:
            self._heading(number, decode(self.structure.text), level=self.structure.level)
        elif form is Form.FENCE:
            self._close()
            self.opened = number
            self._code(number, line)
        elif form is Form.COMMENT:
            self._html_comment(number, raw, line=line)
        elif form is Form.MARKER:
            self._close()
            self.bullets.clear()
        elif form is Form.CONFLICT:
            self._merge_marker(number)
        elif form is not Form.UNDERLINE:
            self._body(number, raw, line=line, form=form)
        self.blank = False

    def _code(self, number: int, line: str) -> None:
        parent = self.bullets[-1][1] if self.bullets else self._above()
        self._add(ParsedLine(number, 1, line, parent, Role.CODE, self.day))

    def _html_comment(self, number: int, raw: str, *, line: str) -> None:
        if trailed(line) and self._is_closed(number) and self._continues(syntax.indent_of(raw), line):
            assert self.open is not None
            self.open.texts.append((number, line))  # a trailer of that bullet, on a line of its own
            self.structure.comment = False
            return
        if self.structure.comment:
            self._close()
            self.opened = number
        if self.open is not None:
            self.comments.append(ParsedLine(number, 1, line, self.bullets[-1][1], Role.CODE, self.day))
        else:
            self._code(number, line)

    def _reads_on(self, number: int) -> bool:
        """Whether a comment begins shortly above whose end may be in this line or below."""
        at = number - self.first
        above = self.raw[max(0, at - LINES_OF_A_TRAILER) : at]
        return any(each.rfind("-->") < each.rfind("<!--") for each in above)

    def _is_closed(self, number: int) -> bool:
        """Whether a trailer that begins on a line ends there or soon below."""
        return any("-->" in each for each in self.raw[number - self.first : number - self.first + LINES_OF_A_TRAILER])

    def _merge_marker(self, number: int) -> None:
        if not self.conflict:
            hint = "resolve the merge; until then nothing in this file is evidence, and reflect does not change it"
            self.problems.append(Problem(Citation(self.path, number), MERGE, CONFLICT, hint))
        self.conflict = True

    def _heading(self, number: int, text: str, *, level: int) -> None:
        self._close()
        self.bullets.clear()
        self.intro = self.table = -1
        while self.headings and self.headings[-1][0] >= level:
            self.day = self.headings.pop()[2]
        parent = self.headings[-1][1] if self.headings else -1
        before = self.day
        if when.may_hold(text):
            if day := when.heading_day(text, self.near):
                self.day = self.near = day
            elif year := when.heading_year(text):
                self.near = year
            elif self.file_day is None and (day := when.closing_day(text)):
                self.day = self.near = day
        position = self._statement(number, _untrailed(text), parent=parent, role=Role.HEADING)
        self.headings.append((level, position, before))

    def _body(self, number: int, raw: str, *, line: str, form: Form) -> None:
        indent = _indent(raw)
        ending = self.structure.retain or self.structure.ended  # it ends a section without headings above it
        if ending and not self.conflict and maybe_fact(line.lstrip(_MARKS)):
            self.problems.append(Problem(Citation(self.path, number), "no-bullet", *_NO_BULLET))
        if form is not Form.RULE and self._continues(indent, line):
            assert self.open is not None
            self.open.texts.append((number, line))
            return
        self._close()
        if self.structure.ended:
            self._leave_retain()
        while self.bullets and self.bullets[-1][0] >= indent:
            self.bullets.pop()
        parent = self.bullets[-1][1] if self.bullets else self._above()
        if line[0] == "|" and line.count("|") > 1:
            self._row(number, line, parent=parent)
            return
        self.table = -1
        text = decode(_untrailed(line))
        if not indent:
            self.intro = -1
            parent = self._above()
        position = self._statement(number, text, parent=parent, role=Role.TEXT, speaker=said_by(text))
        if not indent and (_introduces(text) or self._is_title(number, text)):
            self.intro, self.brief = position, not _introduces(text)

    def _is_title(self, number: int, text: str) -> bool:
        """Whether a line begins with a bold name and has a list right below it: `**The Tern** – our dinghy`."""
        below = number - self.first + 1
        if not text.startswith("**") or below == len(self.raw) or not _TITLE.match(text):
            return False
        return syntax.item_text(self.raw[below].strip()) is not None

    def _leave_retain(self) -> None:
        """Forget the headings above a line that ended their Retain section, unless one of them dates what follows."""
        if all(before == self.day for _, _, before in self.headings):
            self.headings = [each for each in self.headings if not each[0]]  # the title by the file's name stays
            self.intro = -1

    def _continues(self, indent: int, line: str) -> bool:
        """Whether a line belongs to the open bullet: indented below it, or continued without a blank line.

        A block id ends a bullet: unindented text below it is not part of the fact.
        """
        if self.open is None or line[0] == "|":
            return False
        if indent > self.open.indent:
            return True
        structure = self.structure
        if self.blank or structure.ended or (structure.retain and structure.headless):
            return False
        return not split_tail("\n".join(text for _, text in self.open.texts))[2]

    def _row(self, number: int, line: str, *, parent: int) -> None:
        if not line.strip("|:- \t"):
            return
        above = self.table if self.table >= 0 else parent
        position = self._statement(number, decode(_untrailed(line)), parent=above, role=Role.ROW)
        if self.table < 0:
            self.table = position

    def _list_item(self, number: int, indent: int, *, text: str) -> None:
        self._close()
        self.table = -1
        while self.bullets and self.bullets[-1][0] >= indent:
            self.bullets.pop()
        parent = self.bullets[-1][1] if self.bullets else self._above()
        self.bullets.append((indent, len(self.lines)))
        if text and (self.structure.retain or maybe_fact(text)) and not self.conflict:
            self.open = _OpenBullet(number, indent, parent, [(number, text)], self.structure.retain > 0)
            # the line is added when the bullet ends; children refer to its position, which is this one
            return
        self._bullet_line(number, text, parent=parent)

    def _top_item(self, number: int, text: str) -> None:
        """`_list_item` for an unindented bullet with text."""
        if self.open is not None:
            self._close()
        self.table = -1
        self.blank = False
        self.structure.top_item()
        lines = self.lines
        self.bullets = [(0, len(lines))]
        parent = self.intro if self.intro >= 0 else self.headings[-1][1] if self.headings else -1
        section = self.structure.retain
        if (section or (text[0] in KIND_OF_LETTER and maybe_fact(text))) and not self.conflict:
            self.open = _OpenBullet(number, 0, parent, [(number, text)], section > 0)
        else:
            if "<!--" in text:
                text = _untrailed(text)
            if not text.isascii() or not text.isprintable() or "  " in text or "&" in text:
                text = decode(text)
            speaker = said_by(text) if ":" in text or (not text.isascii() and "：" in text) else ""
            ours = number in self.generated
            lines.append(ParsedLine(number, 1, text, parent, Role.BULLET, self.day, speaker, ours))

    def _bullet_line(self, number: int, text: str, *, parent: int) -> None:
        if text:
            text = decode(_untrailed(text))
            self._statement(number, text, parent=parent, role=Role.BULLET, speaker=said_by(text))
        else:
            self.bullets.pop()

    def _close(self) -> None:
        """End the open bullet: it becomes a fact, a problem, or a line like any other."""
        if self.open is None:
            return
        first = len(self.lines)
        self._end_bullet(self.open)
        self.open = None
        if self.comments:
            self.lines[first:] = sorted((*self.lines[first:], *self.comments), key=lambda line: line.number)
            self.comments.clear()

    def _end_bullet(self, bullet: _OpenBullet) -> None:
        number, texts = bullet.number, bullet.texts
        text = texts[0][1]
        found = read_bullet("\n".join([" ".join(part.split()) for _, part in texts]))
        cited = Citation(self.path, number)
        if isinstance(found, Defect) or not (bullet.retain or found.entities or found.confidence is not None):
            if (
                isinstance(found, Defect)
                and bullet.retain
                and not _is_retired(text)
                and not self._is_detail(bullet, found)
            ):
                self.problems.append(Problem(cited, found.code, found.message, found.hint))
            self._bullet_line(number, text, parent=bullet.parent)
            above = len(self.lines) - 1
            for place, part in texts[1:]:
                self._statement(place, decode(_untrailed(part)), parent=above, role=Role.TEXT)
            return
        count, ours = texts[-1][0] - number + 1, number in self.ours  # a fact is one wherever a host copied it
        fact = self._fact(found, cited, count=count, generated=ours)
        self._add(ParsedLine(number, count, fact.content, bullet.parent, Role.BULLET, self.day, "", ours, fact))

    def _is_detail(self, bullet: _OpenBullet, defect: Defect) -> bool:
        """Whether it is plain text nested below a fact, or below one that was struck out or forgotten."""
        above = bullet.parent
        while defect.code == "no-kind" and above >= 0 and self.lines[above].role is Role.BULLET:
            line = self.lines[above]
            if line.fact is not None or _is_retired(line.text):
                return True
            above = line.parent
        return False

    def _fact(self, head: Head, cited: Citation, *, count: int, generated: bool) -> Fact:
        origin = (
            Origin.GENERATED if generated else Origin.INFERRED if is_inferred(head.trailer.src) else Origin.RETAINED
        )
        return Fact(
            id=head.block or base_id(head.kind, head.entities, content=head.content, recorded=self.day),
            kind=head.kind,
            content=head.content,
            entities=head.entities,
            source=cited,
            recorded=self.day,
            valid=when.valid(head.content, self.day) if self.dated and when.may_hold(head.content) else None,
            confidence=head.confidence,
            origin=origin,
            lines=count,
            mentions=mentions(head.content),
            trailer=head.trailer,
            block_id=bool(head.block),
        )
