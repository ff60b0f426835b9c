"""Sections of a text: under which headings a line stands, and a merge whose lines stand where their authors put them.

A merge by lines puts what two sides wrote at one place behind each other: a note below the section that the other side
has just begun. Law: a line that a side wrote stands, after `settled`, under the headings under which that side put it,
if they are still there; where the other side removed them, they are put back if the line would else come under a
heading that its author knew and did not choose. Nothing else moves, and no line is lost.

The title, a heading of the first level above all others, is no section: a page without one gets it without harm.
Our regions are not looked into: their headings are ours, and `renew` makes them anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.edit import line_end
from commonplace.core.frontmatter import end as front_matter_end
from commonplace.core.markdown import closes_fence, fence_mark, heading_level, item_text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

Headings = tuple[str, ...]
"""The headings above a line, outermost first, as they are written but for white space around them."""

_MOST_ROUNDS = 8
"""A moved section may be where another line belongs; more rounds than sections within sections are not needed."""
_OPENS = "<!-- commonplace:"
_CLOSES = "<!-- /commonplace"


MINE, THEIRS = "mine", "theirs"
"""The sides of a merge."""


class Placed(NamedTuple):
    """A line of a merge."""

    line: str
    """With its end."""
    side: str = ""
    """Whose it is, and may be moved; empty: it stays."""
    number: int = -1
    """Its position in that side's text."""


class Place(NamedTuple):
    """Where a line stands."""

    above: Headings | None
    """The headings above it; None inside a region of ours and in front matter."""
    level: int
    """Of a heading; else 0."""
    attached: bool
    """Whether it belongs to the line above it: indented, or inside a code fence."""
    opens: Headings | None = None
    """Of a heading, the headings above what follows it."""


_STAYS = Place(None, 0, False)


class Scan:
    """One pass over lines, front matter left out by the caller."""

    def __init__(self, titles: Collection[str]) -> None:
        self._titles = titles
        self.above: Headings = ()
        """The headings above the next line."""
        self.region = False
        """Whether the next line is inside one of our regions."""
        self._fence = ""
        self._comment = False

    @property
    def code(self) -> bool:
        """Whether the next line is inside a code fence or a comment."""
        return bool(self._fence) or self._comment

    def under(self, level: int) -> Headings:
        """The headings that would be above a heading of this level, if it came next."""
        return tuple(each for each in self.above if heading_level(each) < level)

    def line(self, raw: str) -> Place:
        """Take in a line."""
        line = raw.strip()
        if self.code:
            if self._comment:
                self._comment = "-->" not in line
            elif line[:1] == self._fence[0] and closes_fence(line, self._fence):
                self._fence = ""
            return Place(None if self.region else self.above, 0, True)
        if line[:1] in ("`", "~"):
            self._fence = fence_mark(line)
        elif line.startswith(_CLOSES):
            self.region = False
            return _STAYS
        elif line.startswith(_OPENS):
            self.region = True
        elif line.startswith("<!--"):
            self._comment = "-->" not in line
        elif not self.region and (level := heading_level(line)):
            above = self.under(level)
            self.above = () if line in self._titles else (*above, line)
            return Place(above, level, False, self.above)
        if self.region:
            return _STAYS
        return Place(self.above, 0, bool(line) and raw[0] in " \t\u3000")


def places(lines: list[str], titles: Collection[str]) -> list[Place]:
    """Where each line of a text stands; titles are headings that are no section."""
    scan, start = Scan(titles), _body(lines)
    return [_STAYS] * start + [scan.line(line) for line in lines[start:]]


def _body(lines: Sequence[str]) -> int:
    """Position of the first line behind front matter."""
    end = front_matter_end(lines) if lines else 0
    return end + 1 if end else 0


def title(lines: Sequence[str]) -> str:
    """The heading of the first level above all others, where no other of that level differs from it; else empty."""
    stripped = (line.strip() for line in lines[_body(lines) :] if line.lstrip()[:1] == "#")
    headings = [line for line in stripped if heading_level(line)]
    if not headings or heading_level(headings[0]) != 1:
        return ""
    return headings[0] if all(each == headings[0] or heading_level(each) > 1 for each in headings) else ""


def alike(*texts: list[str]) -> bool:
    """Whether texts have the same lines that may be headings: then no line can come under another one's."""
    first, *rest = ([line for line in text if line.lstrip()[:1] == "#"] for text in texts)
    return all(each == first for each in rest)


def settled(
    lines: list[Placed], homes: Mapping[str, Sequence[Place]], titles: Collection[str], *, restore: bool
) -> list[Placed]:
    """The lines, each where its author put it.

    Args:
        lines: of a merge, in the order of their places.
        homes: for each side the places of all lines of its text.
        titles: headings that are no section.
        restore: put headings back that one side removed and the other wrote under.
    """
    settling = _Settling(homes, titles, restore)
    for _ in range(_MOST_ROUNDS):
        rest, units = settling.taken_out(lines)
        if not units:
            break
        lines = settling.put_in(rest, units)
    return lines


class _Unit(NamedTuple):
    """Lines of one side that move together."""

    at: int
    """Before which of the lines that stay they were."""
    level: int
    """Of the heading that they begin with; else 0."""
    home: Headings
    lines: list[Placed]


class _Settling:
    """What a merge's lines are moved by."""

    def __init__(self, homes: Mapping[str, Sequence[Place]], titles: Collection[str], restore: bool) -> None:
        self._homes = homes
        self._known = {
            side: {each for place in places for each in (place.above, place.opens)} for side, places in homes.items()
        }
        self._titles = titles
        self._restore = restore
        self._stay: set[Placed] = set()
        """Lines whose headings are gone: they stay where they are."""

    def taken_out(self, lines: list[Placed]) -> tuple[list[Placed], list[_Unit]]:
        """The lines that stand right, and those that do not."""
        start, scan = _body([each.line for each in lines]), Scan(self._titles)
        rest, units = lines[:start], list[_Unit]()
        landed: dict[str, Headings | None] = {}
        inside: Headings | None = None  # the section that is moving
        for each in lines[start:]:
            home = self._home(each)
            if inside is not None and self._goes_along(each, units[-1], inside):
                units[-1].lines.append(each)
                continue
            inside = None
            above = None if scan.region else scan.under(home.level) if home.level else scan.above
            if (
                each in self._stay
                or home.above in (None, above)
                or not each.line.strip()
                or (home.attached and landed.get(each.side) == above)
            ):
                place = scan.line(each.line)
                rest.append(each)
                landed |= dict.fromkeys(
                    [each.side] if each.side else self._homes, scan.above if place.level else place.above
                )
                continue
            blank = len(rest)
            while blank > start and rest[blank - 1].side == each.side and not rest[blank - 1].line.strip():
                blank -= 1
            units.append(_Unit(blank, home.level, home.above, [*rest[blank:], each]))
            del rest[blank:]
            inside = (*home.above, each.line.strip()) if home.level else home.above
        return rest, units

    def _home(self, each: Placed) -> Place:
        return self._homes[each.side][each.number] if each.number >= 0 else _STAYS

    def _goes_along(self, each: Placed, unit: _Unit, inside: Headings) -> bool:
        """Whether a line that follows a unit moves with it."""
        home = self._home(each)
        if each.side != unit.lines[0].side or home.above is None:
            return False
        if unit.level:
            return home.above[: len(inside)] == inside
        return not home.level and home.above == inside

    def put_in(self, rest: list[Placed], units: list[_Unit]) -> list[Placed]:
        """The lines with the units at their places."""
        ends = _Ends([each.line for each in rest], self._titles)
        at: dict[int, list[Placed]] = {}
        restored, homeless = False, list[Placed]()
        for unit in units:
            place, block = ends.nearest(unit), unit.lines
            if place is None:
                there = ends.above[unit.at]
                elsewhere = there != unit.home[: len(there)] and there in self._known[block[0].side]
                if self._restore and elsewhere and restored:
                    at.setdefault(unit.at, []).extend(block)  # its heading may be back by now
                    continue
                if self._restore and elsewhere:
                    restored = True
                    unit = _with_headings(unit, ends)  # noqa: PLW2901
                    place, block = ends.nearest(unit), unit.lines
            if place is None:
                homeless += unit.lines
            at.setdefault(unit.at if place is None else place, []).extend(block)
        if len(homeless) == sum(len(unit.lines) for unit in units):  # else a section that moved may be their home
            self._stay.update(homeless)
        out: list[Placed] = []
        for number in range(len(rest) + 1):
            out += at.get(number, ())
            out += rest[number : number + 1]
        return out


def _with_headings(unit: _Unit, ends: _Ends) -> _Unit:
    """The unit below those of its headings that are no longer there."""
    kept = next(count for count in range(len(unit.home) - 1, -1, -1) if not count or unit.home[:count] in ends.there)
    side, end = unit.lines[0].side, line_end(unit.lines[0].line) or "\n"
    back = [Placed(line + end, side) for line in unit.home[kept:]]
    return _Unit(unit.at, heading_level(unit.home[kept]), unit.home[:kept], [*back, *unit.lines])


class _Ends:
    """Where sections end in a text."""

    def __init__(self, lines: list[str], titles: Collection[str]) -> None:
        start, scan = _body(lines), Scan(titles)
        self._lines = lines
        self._gaps: list[tuple[int, list[Headings], int]] = []
        """Places before a heading and at the end; above a heading of each level there; the level of what follows."""
        self.above: list[Headings] = [()] * start
        """For each place, the headings above it."""
        self.there: dict[Headings, list[int]] = {}
        """Where the own lines of each section end."""
        outside = start
        for number, line in enumerate(lines[start:], start):
            if not scan.code:
                outside = number
            open_here, above = self._open(scan) if line.lstrip()[:1] == "#" else [], scan.above
            self.above.append(above)
            if level := scan.line(line).level:
                self._gap(number, above, open_here, level)
        self.above.append(scan.above)
        self._gap(outside if scan.code else len(lines), scan.above, self._open(scan), 0)

    @staticmethod
    def _open(scan: Scan) -> list[Headings]:
        return [scan.under(level) for level in range(8)]

    def _gap(self, number: int, above: Headings, open_here: list[Headings], level: int) -> None:
        self.there.setdefault(above, []).append(number)
        self._gaps.append((number, open_here, level))

    def nearest(self, unit: _Unit) -> int | None:
        """The place nearest to where the unit was at which it stands right, and no line below comes under it."""
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
        return found if unit.level else self._above_blanks(found, unit.lines)

    def _above_blanks(self, place: int, lines: list[Placed]) -> int:
        """The place above the blank lines that part sections, but for words that the item above would take in."""
        up = place
        while up and not self._lines[up - 1].strip():
            up -= 1
        first = lines[0].line.strip()
        words = first and item_text(first) is None
        return place if words and up and item_text(self._lines[up - 1].strip()) is not None else up
