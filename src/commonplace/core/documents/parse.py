"""Markdown to a Document: every line that says something, with its place, and the facts among them.

Law: parsing never raises, and a citation's line number is the one that an editor shows: lines end at `\\n` or `\\r\\n`
and nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core import when
from commonplace.core.documents.chunking import chunks
from commonplace.core.documents.fact_syntax import may_name_other, trailed
from commonplace.core.documents.hearsay import attributed, no_fact, said_by_other
from commonplace.core.documents.host_copies import copied_lines
from commonplace.core.documents.line_scanner import LineScanner, RawFile
from commonplace.core.documents.parsed_document import Document
from commonplace.core.markdown import frontmatter, syntax
from commonplace.core.markdown.bank_layout import left_alone
from commonplace.core.markdown.file_title import file_title
from commonplace.core.markdown.page_regions import generated_lines, read_page
from commonplace.core.markdown.slug import BANK, entity_of
from commonplace.core.model import Citation, Problem, Role

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from commonplace.core.documents.chunking import ScanState
    from commonplace.core.documents.parsed_document import ParsedLine


def parse(path: str, text: str, *, dated: bool = True, named: bool = True) -> Document:
    """Parse the text of one file.

    Args:
        dated: also read the days on which its facts are valid, which is half of the work.
        named: a file without a title has that of its name.
    """
    return _parsed(path, text, dated=dated, named=named)[0]


def parse_from(mark: ScanState, path: str, *, text: str) -> tuple[Document, ScanState]:
    """Parse the lines from a mark on; return also the state after them. `reread` decides when no more must be read.

    The document begins with the headings and the introducing line above the mark, which the text does not contain. Its
    title and aliases are meaningless.
    """
    document, scanner = _parsed(path, text, mark)
    return document, scanner.state(mark.number + text.count("\n"))


def title_by_name(path: str, text: str) -> str:
    """Return the title that a whole file has by its name; empty if it has none or one in its text."""
    front = _front_matter(path, text.removeprefix("\ufeff").split("\n"))
    return file_title(path, text, stated=front.title, aliases=front.aliases)


def lines_of_others(text: str) -> frozenset[int]:
    """Return the numbers of the lines that an outsider said, by the trailers in the text."""
    if not may_name_other(text):
        return frozenset()
    others = (line for line in parse("", text).lines if said_by_other(line))
    return frozenset(number for line in others for number in range(line.number, line.number + line.height))


def _parsed(
    path: str, text: str, mark: ScanState | None = None, *, dated: bool = True, named: bool = True
) -> tuple[Document, LineScanner]:
    """Return the document, with the state after its last line."""
    raw = text.removeprefix("\ufeff").split("\n")
    day, entity = when.note_day(path), entity_of(path)
    regions: list[tuple[int, int]] = []
    problems: list[Problem] = []
    marked = "<!--" in text and "commonplace" in text  # it may have regions of ours
    if marked and day is None:  # no region of a log is ever written
        page = read_page(text)
        entity = entity_of(path, page.ours)
        regions = [(region.start, region.end) for region in page.regions]
        problems += left_alone(path, page)
    if "\0" in text:
        cited = Citation(path, text.count("\n", 0, text.index("\0")) + 1)
        hint = "delete it: git and grep take the file for binary, and show no lines of it"
        problems.append(Problem(cited, "nul", "a NUL character", hint))
    front = _front_matter(path, raw) if mark is None else _NO_FRONT
    ours = generated_lines(text) if "<!-- commonplace:" in text else frozenset[int]()
    copied = copied_lines(path, text)
    near = front.day if day is None else None
    name = file_title(path, text, stated=front.title, aliases=front.aliases) if named and mark is None else ""
    file = RawFile(path, raw, front.height, name, day if near is None else near, near, ours, ours | copied)
    scanner = LineScanner(file, mark, dated=dated)
    scanner.scan()
    lines = scanner.lines
    if trailed(text):
        lines = attributed(lines, raw, first=scanner.first)
    title = next((line.text for line in lines if line.role is Role.HEADING and line.number), "")
    if scanner.conflict:  # merge markers were found below facts
        lines = list(map(no_fact, lines))
    unclosed = scanner.structure.closing
    problems += (*front.problems, *scanner.problems)
    if unclosed:
        hint = f"close it with {unclosed}; nothing below it is read as a fact"
        problems.append(Problem(Citation(path, scanner.opened), "unclosed", f"{unclosed} is missing", hint))
    in_one = unclosed or scanner.conflict or marked or copied or _bears_on_all(raw, lines, scanner, mark)
    document = Document(
        path,
        file.day,
        tuple(lines),
        tuple(problems),
        title,
        front.aliases,
        scanner.conflict,
        unclosed,
        entity=entity,
        regions=tuple(regions),
        chunks=() if in_one else chunks(text, first=mark, marks=scanner.marks),
    )
    return document, scanner


def _bears_on_all(
    raw: Sequence[str], lines: Sequence[ParsedLine], scanner: LineScanner, mark: ScanState | None
) -> bool:
    """Whether a line far below could change how lines above it are read, or the reverse."""
    if mark is None and syntax.is_front_fence(raw[0]) and not frontmatter.end(raw):
        return True  # the next `---` would turn all above it into front matter
    introducing = {each.intro[0] for each in scanner.marks} - {0}  # a mark does not record who said its intro
    return bool(introducing) and any(line.outsider and line.number in introducing for line in lines)


class _Front(NamedTuple):
    """The front matter of a file."""

    height: int
    """The number of its lines, fences included."""
    aliases: tuple[str, ...]
    title: str
    day: date | None
    """The day that it states."""
    problems: tuple[Problem, ...]


_NO_FRONT = _Front(0, (), "", None, ())


_ALSO_DATE = ("created", "day")
"""Keys of front matter, beside `date`, with the day of a note; that on which a page of the bank was made dates none."""


def _day_of(text: str) -> date | None:
    """The day that a value in front matter begins with or names."""
    return when.path_day(text[:10] + ".md") or when.heading_day(text)


def _front_matter(path: str, raw: list[str]) -> _Front:
    end = frontmatter.end(raw)
    if not end:
        return _NO_FRONT
    meta = frontmatter.read(raw[1:end])
    aliases = tuple(dict.fromkeys((*meta.get("aliases", ()), *meta.get("alias", ()))))
    title, stated = ((meta.get(key) or ("",))[0] for key in ("title", "date"))
    day = _day_of(stated)
    if not stated and not path.startswith(BANK):
        made = [meta[key][0] for key in _ALSO_DATE if meta.get(key)]
        return _Front(end + 1, aliases, title, next(filter(None, map(_day_of, made)), None), ())
    if day is not None or sum(map(str.isdigit, stated)) <= 6:  # without a day: a month or year alone
        return _Front(end + 1, aliases, title, day, ())
    number = max(at for at, line in enumerate(raw[1:end], 2) if line.partition(":")[0].strip().casefold() == "date")
    message, hint = f"not a valid date: {stated[:40]}", "write year, month and day, as in 2026-02-28"
    return _Front(end + 1, aliases, title, None, (Problem(Citation(path, number), "bad-date", message, hint),))
