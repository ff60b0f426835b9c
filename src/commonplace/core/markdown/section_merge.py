"""Three-way merge of two texts by headings, so that each added line stays below its author's heading.

A merge by lines puts what two sides wrote at one place one after the other: a note may end up below a section that the
other side has just begun. Law: after `settled`, a line that a side wrote is under the headings where that side put it,
if they still exist; if the other side removed them, they are restored when the line would otherwise be under a heading
that its author knew and did not choose. Nothing else moves, and no line is lost. If a section would begin in code that
the other side left open, a line that closes the code is added, as `retain` does; of two lines that close the same code
one is kept.

The title, a first-level heading above all others, is not a section: a page can get one without any line moving.
Our regions are skipped: their headings are ours, and `pages.region_merge` makes them anew.
`core.markdown.structure_scanner` decides what is a heading, what is code and where a Retain section ends, as in
parsing.
"""

from __future__ import annotations

from copy import copy
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.markdown.frontmatter import end as front_matter_end
from commonplace.core.markdown.structure_scanner import Form, Structure
from commonplace.core.markdown.syntax import heading_level, is_retain, item_text
from commonplace.core.markdown.text_edits import line_end

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

Headings = tuple[str, ...]
"""The headings above a line, outermost first, as written, stripped.

An underlined heading is written as it would be with `#`.
"""

_MOST_ROUNDS = 8
"""A moved section may be where another line belongs; more rounds than nested sections are not needed."""
_OPENS = "<!-- commonplace:"
_DEEPEST = 8
"""Deeper than any heading."""
_NOWHERE: Headings = ("",)
"""Matches no headings: for a line inside code whose author wrote it outside."""
MINE, THEIRS = "mine", "theirs"
"""The sides of a merge."""


class Placed(NamedTuple):
    """A line of a merge."""

    line: str
    """With its line end."""
    side: str = ""
    """The side that wrote it, so that it may be moved; empty: it stays."""
    number: int = -1
    """Its position in that side's text."""


class SectionPlace(NamedTuple):
    """The place of a line in the sections of a text."""

    above: Headings | None
    """The headings above it; None inside one of our regions and in front matter."""
    level: int
    """The level of a heading; else 0."""
    attached: bool
    """Whether it belongs to the line above it: indented, inside code, or the underline of a heading."""
    opens: Headings | None = None
    """For a heading, the headings above the lines that follow it."""
    code: bool = False
    """Whether it is inside a code fence or a comment."""
    closes: bool = False
    """Whether that fence or comment ends with it."""
    spelled: tuple[str, ...] = ()
    """For a heading with an underline, its two lines."""


_STAYS = SectionPlace(None, 0, False)


class Scan(Structure):
    """One pass over lines; the caller leaves out the front matter."""

    def __init__(self, titles: Collection[str]) -> None:
        super().__init__()
        self._titles = titles
        self.above: Headings = ()
        """The headings above the next line."""
        self.region = False
        """Whether the next line is inside one of our regions."""

    def under(self, level: int) -> Headings:
        """Return the headings that would be above a heading of this level, if it came next."""
        return _under(self.above, level)

    def ends(self, raw: str, below: str) -> bool:
        """Whether this line, if it came next, would end a Retain section without being a heading."""
        if not (self.retain and self.headless and self.listed):
            return False
        probe = copy(self)
        probe.ended = False
        probe.take(raw, below)
        return probe.ended

    def joins(self, home: SectionPlace, raw: str, *, below: str) -> bool:
        """Whether the text of an underlined heading, if it came next, would join the paragraph above instead."""
        hidden = not home.spelled or self.code or self.region
        return not hidden and copy(self).take(raw, below) is not Form.HEADING

    def line(self, raw: str, below: str) -> SectionPlace:
        """Process a line, given the one below it."""
        code, self.ended = self.code, False
        form = self.take(raw, below)
        if code:
            return SectionPlace(None if self.region else self.above, 0, True, code=True, closes=not self.code)
        if form is Form.MARKER:
            self.region = raw.lstrip().startswith(_OPENS)
            return _STAYS
        if self.region:
            return _STAYS
        if form is Form.HEADING:
            return self._heading_place(raw.strip(), below.strip())
        if self.ended:
            self.above = ()
        return SectionPlace(self.above, 0, form is Form.UNDERLINE or (form is not Form.BLANK and raw[0] in " \t\u3000"))

    def _heading_place(self, line: str, below: str) -> SectionPlace:
        spelled = () if heading_level(line) else (line, below)
        named = _named(self, line)
        above = self.under(self.level)
        self.above = () if named in self._titles else (*above, named)
        return SectionPlace(above, self.level, False, self.above, spelled=spelled)


def _under(above: Headings, level: int) -> Headings:
    return tuple(each for each in above if heading_level(each) < level)


def _named(structure: Structure, line: str) -> str:
    """Return the heading that was read last, from this line, stripped."""
    return line if heading_level(line) else f"{'#' * structure.level} {structure.text}"


def places(lines: list[str], titles: Collection[str]) -> list[SectionPlace]:
    """Return the place of each line of a text; `titles` are headings that are no section."""
    scan, start = Scan(titles), _body(lines)
    return [_STAYS] * start + [scan.line(line, below) for line, below in _pairs(lines[start:])]


def _pairs(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Return pairs of each line and the one below it."""
    return zip_longest(lines, lines[1:], fillvalue="")


def _body(lines: Sequence[str]) -> int:
    """Return the position of the first line after the front matter."""
    end = front_matter_end(lines) if lines else 0
    return end + 1 if end else 0


def title(lines: Sequence[str]) -> str:
    """Return the first-level heading above all others, if no other first-level heading differs from it; else empty."""
    structure, found = Structure(), ""
    for line, below in _pairs(lines[_body(lines) :]):
        if structure.take(line, below) is Form.HEADING and (structure.level == 1 or not found):
            named = _named(structure, line.strip())
            if structure.level > 1 or named != (found or named):
                return ""
            found = named
    return found


def alike(kept: Collection[int], base: list[str], *sides: list[str]) -> bool:
    """Whether the sides differ from the base only in blank lines and list items, so that sections and code are the
    same.

    The effect of an underline depends on the line right above it, so texts with a possible underline are not alike.
    `kept` are the positions of lines of the base that all sides kept where they were.
    """
    lines = {number: line for number, line in enumerate(base) if _shapes(line)}
    if any(number not in kept or line.strip()[:3] in ("---", "===") for number, line in lines.items()):
        return False
    return all(list(filter(_shapes, side)) == list(lines.values()) for side in sides)


def _shapes(line: str) -> bool:
    return not line.startswith("- ") and bool(line.strip())


def settled(
    lines: list[Placed], homes: Mapping[str, Sequence[SectionPlace]], titles: Collection[str], *, restore: bool
) -> list[Placed]:
    """Return the lines, each where its author put it.

    Args:
        lines: the lines of a merge, in order.
        homes: for each side, the places of all lines of its text.
        titles: headings that are no section.
        restore: restore headings that one side removed and the other wrote under.
    """
    settling = _Settling(homes, titles, restore=restore)
    for _ in range(_MOST_ROUNDS):
        lines, units = settling.taken_out(lines)
        if not units:
            break
        lines = settling.put_in(lines, units)
    return lines


class _Unit(NamedTuple):
    """Lines of one side that move together."""

    at: int
    """Their position among the lines that stay."""
    level: int
    """The level of the heading that they begin with; else 0."""
    home: Headings
    lines: list[Placed]


class _Settling:
    """Moves lines of a merge to their sections."""

    def __init__(self, homes: Mapping[str, Sequence[SectionPlace]], titles: Collection[str], *, restore: bool) -> None:
        self._homes = homes
        self._known = {
            side: {each for place in places for each in (place.above, place.opens)} for side, places in homes.items()
        }
        self._titles = titles
        self._restore = restore
        self._spelled = {
            place.opens[-1]: place.spelled
            for places in homes.values()
            for place in places
            if place.spelled and place.opens
        }
        """The two lines of each underlined heading."""
        self._stay: set[Placed] = set()
        """Lines whose headings are gone: they stay where they are."""
        self._back: set[Headings] = set()
        """Headings that were restored: lines that still do not end up under them stay where they are."""

    def taken_out(self, lines: list[Placed]) -> tuple[list[Placed], list[_Unit]]:
        """Return the lines in the right place, and units of those that are not."""
        start, scan = _body([each.line for each in lines]), Scan(self._titles)
        rest, units = lines[:start], list[_Unit]()
        landed: dict[str, Headings | None] = {}
        inside: Headings | None = None  # the section that is moving
        for number, each in enumerate(lines[start:], start + 1):
            home = self._home(each)
            if inside is not None and self._goes_along(each, units[-1], inside=inside):
                units[-1].lines.append(each)
                continue
            inside = None
            if home.closes and not scan.code:
                continue  # the other side closed it, too: a second mark would open a new fence
            below = lines[number].line if number < len(lines) else ""
            if home.level and scan.code and not scan.region and home.above == scan.under(home.level):
                closing = Placed(scan.closing + (line_end(each.line) or "\n"))
                scan.line(closing.line, each.line)
                rest.insert(_above_blanks(rest, each.side, start=start), closing)
            if scan.joins(home, each.line, below=below):
                rest.append(Placed(line_end(each.line) or "\n"))
                scan.line(rest[-1].line, each.line)
            if (
                each in self._stay
                or not each.line.strip()
                or _stands(scan, home, each=each, below=below, landed=landed)
            ):
                place = scan.line(each.line, below)
                rest.append(each)
                landed |= dict.fromkeys(
                    [each.side] if each.side else self._homes, scan.above if place.level else place.above
                )
                continue
            blank = _above_blanks(rest, each.side, start=start)
            above = home.above or ()
            units.append(_Unit(blank, home.level, above, [*rest[blank:], each]))
            del rest[blank:]
            inside = (home.opens or (*above, each.line.strip())) if home.level else above
        return rest, units

    def _home(self, each: Placed) -> SectionPlace:
        return self._homes[each.side][each.number] if each.number >= 0 else _STAYS

    def _goes_along(self, each: Placed, unit: _Unit, *, inside: Headings) -> bool:
        """Whether a line that follows a unit moves with it."""
        home = self._home(each)
        if each.side != unit.lines[0].side or home.above is None:
            return False
        if unit.level:
            return home.above[: len(inside)] == inside
        return not home.level and home.above == inside

    def put_in(self, rest: list[Placed], units: list[_Unit]) -> list[Placed]:
        """Return the lines with the units inserted at their places."""
        ends = _Ends([each.line for each in rest], self._titles)
        at: dict[int, list[Placed]] = {}
        restored, homeless = False, list[Placed]()
        for unit in units:
            place, block = ends.nearest(unit), unit.lines
            if place is None:
                hidden = bool(ends.hides[unit.at]) and not self._home(block[-1]).code
                if unit.home not in self._back and (hidden or self._needs_headings(unit, ends.above[unit.at])):
                    if restored:
                        at.setdefault(unit.at, []).extend(block)  # its heading may be restored by now
                        continue
                    restored = True
                    self._back.add(unit.home)
                    unit = _with_headings(unit, ends, spelled=self._spelled)  # noqa: PLW2901
                    place, block = unit.at if hidden else ends.nearest(unit), unit.lines
            if place is None:
                homeless += unit.lines
            at.setdefault(unit.at if place is None else place, []).extend(block)
        if len(homeless) == sum(len(unit.lines) for unit in units):  # else a section that moved may contain their place
            self._stay.update(homeless)
        out: list[Placed] = []
        for number in range(len(rest) + 1):
            out += at.get(number, ())
            out += rest[number : number + 1]
        return out

    def _needs_headings(self, unit: _Unit, there: Headings) -> bool:
        """Whether lines whose headings are gone need them restored at this place, under the headings `there`."""
        known = self._known[unit.lines[0].side]
        chosen = there == unit.home[: len(there)] or there not in known
        return self._restore and (_facts_lost(unit, there) or not chosen)


def _facts_lost(unit: _Unit, there: Headings) -> bool:
    """Whether list items of a Retain section would end up outside any, and so no longer be facts."""
    if unit.level or not _in_retain(unit.home) or _in_retain(there):
        return False
    return any(item_text(each.line.strip()) for each in unit.lines)


def _in_retain(above: Headings) -> bool:
    return any(is_retain(heading.strip("#").strip()) for heading in above)


def _above_blanks(lines: Sequence[Placed], side: str, *, start: int) -> int:
    """Return the position above a side's blank lines at the end."""
    place = len(lines)
    while place > start and lines[place - 1].side == side and not lines[place - 1].line.strip():
        place -= 1
    return place


def _stands(scan: Scan, home: SectionPlace, *, each: Placed, below: str, landed: Mapping[str, Headings | None]) -> bool:
    """Whether a line, if it came next, would be where its author put it: under its headings, and in no code but its
    own.

    Args:
        landed: for each side, the headings above the last of its lines.
    """
    if home.above is None:
        return True
    above: Headings | None = scan.under(home.level) if home.level else scan.above
    if scan.region:
        above = None
    elif scan.code and not home.code:
        above = _NOWHERE
    elif not home.level and scan.ends(each.line, below):
        above = ()
    return above == home.above or (home.attached and landed.get(each.side) == above)


def _with_headings(unit: _Unit, ends: _Ends, *, spelled: Mapping[str, tuple[str, ...]]) -> _Unit:
    """Return the unit below those of its headings that no longer exist."""
    kept = next(count for count in range(len(unit.home) - 1, -1, -1) if not count or unit.home[:count] in ends.there)
    side, end = unit.lines[0].side, line_end(unit.lines[0].line) or "\n"
    back = [Placed(line + end, side) for heading in unit.home[kept:] for line in spelled.get(heading, (heading,))]
    if ends.hides[unit.at]:
        back.insert(0, Placed(ends.hides[unit.at] + end, side))
    return _Unit(unit.at, heading_level(unit.home[kept]), unit.home[:kept], [*back, *unit.lines])


class _Ends:
    """The places where the sections of a text end."""

    def __init__(self, lines: list[str], titles: Collection[str]) -> None:
        start, scan = _body(lines), Scan(titles)
        self._lines = lines
        self._gaps: list[tuple[int, list[Headings], int]] = []
        """For each place before a heading and at the end: its position; the headings above a heading of each level
        there; the level of what follows.
        """
        self.above: list[Headings] = [()] * start
        """For each position, the headings above it."""
        self.hides: list[str] = [""] * start
        """For each position, what would close the code that it is in."""
        self.there: dict[Headings, list[int]] = {}
        """For each section, the positions where its own lines end."""
        outside = start
        for number, (line, below) in enumerate(_pairs(lines[start:]), start):
            if not scan.code:
                outside = number
            above = scan.above
            self.above.append(above)
            self.hides.append(scan.closing)
            place = scan.line(line, below)
            if place.level:
                self._gap(number, above, level=place.level)
            elif above and not scan.above:
                self._gap(number, above, level=_DEEPEST)
        self.above.append(scan.above)
        self.hides.append(scan.closing)
        self._gap(outside if scan.code else len(lines), scan.above, level=0)

    def _gap(self, number: int, above: Headings, *, level: int) -> None:
        self.there.setdefault(above, []).append(number)
        self._gaps.append((number, [_under(above, each) for each in range(_DEEPEST)], level))

    def nearest(self, unit: _Unit) -> int | None:
        """Return the position nearest to the unit's old one where it is under its own headings and no line joins it."""
        if unit.level:
            fits = [
                number
                for number, open_here, follows in self._gaps
                if follows <= unit.level and open_here[unit.level] == unit.home
            ]
        else:
            fits = self.there.get(unit.home, [])
        if not fits:
            return None
        found = min(fits, key=lambda number: abs(number - unit.at))
        words = found < len(self._lines) and self._lines[found].lstrip()[:1] != "#"  # words right below an item join it
        return found if unit.level and not words else self._above_blanks(found, unit.lines)

    def _above_blanks(self, place: int, lines: list[Placed]) -> int:
        """Return the position above the blank lines between sections, but not where words would join the item above."""
        up = place
        while up and not self._lines[up - 1].strip():
            up -= 1
        first = lines[0].line.strip()
        words = first and item_text(first) is None
        return place if words and up and item_text(self._lines[up - 1].strip()) is not None else up
