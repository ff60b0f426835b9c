"""Three-way merge of two texts by lines.

Laws: `merge(b, b, t)` is `t` and `merge(b, m, b)` is `m`, to the byte; every line that either side wrote is in the
result; a line of the base is missing only if a side removed or changed it; the result contains nothing else. Where both
sides changed the same lines, it contains both versions, theirs first. Lines that both wrote with the same block id
occur once. A line that a side wrote is under the headings where that side put it, if they still exist
(`core.markdown.section_merge`).

Lines are compared without their line ends, so that a file whose line ends an editor converted still merges; what the
other side wrote gets the new line ends, too.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from commonplace.core.markdown.region_marker import visible_id
from commonplace.core.markdown.section_merge import MINE, THEIRS, Placed, alike, places, settled, title
from commonplace.core.markdown.text_edits import line_end, lines_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_CELLS = 250_000
"""Size of the largest table of an exact comparison; beyond it, only lines that occur once are matched."""


def merge(base: str, mine: str, theirs: str) -> str:
    """Return `base` with the changes of both sides."""
    if mine in (base, theirs):
        return theirs
    if theirs == base:
        return mine
    b, m, t = lines_of(base), lines_of(mine), lines_of(theirs)
    bare = [_bare(b), _bare(m), _bare(t)]
    in_mine, in_theirs = _matches(bare[0], bare[1]), _matches(bare[0], bare[2])
    kept = in_mine.keys() & in_theirs.keys()
    new_mine, new_theirs = _new_lines(len(m), in_mine), _new_lines(len(t), in_theirs)

    known = {bare[2][k] for lines in new_theirs.values() for k in lines if visible_id(bare[2][k])}

    out: list[Placed] = []
    start = 0
    for stop in [*sorted(kept), len(b)]:
        # Between two lines that both sides kept: gaps start..stop, base lines start..stop-1.
        for gap in range(start, stop + 1):
            ours = [Placed(m[k], MINE, k) for k in new_mine.get(gap, ()) if bare[1][k] not in known]
            others = [Placed(t[k], THEIRS, k) for k in new_theirs.get(gap, ())]
            out += _both(ours, others)
        if stop < len(b):
            out.append(Placed(_kept(b[stop], m[in_mine[stop]], theirs=t[in_theirs[stop]])))
        start = stop + 1
    settled = out if alike(kept, *bare) else _settled(out, bare[1], theirs=bare[2], base=bare[0], restore=True)
    old, ends = _ends(b), {MINE: _ends(m), THEIRS: _ends(t)}
    new = next((end for end in (ends[THEIRS], ends[MINE]) if end and old and end != old), "")
    return _joined(_converted(settled, old, new=new))


def union(mine: str, theirs: str) -> str:
    """Return every line of both, as often as in the side where it occurs more: for a merge without a known base."""
    m, t = lines_of(mine), lines_of(theirs)
    bare_m, bare_t = _bare(m), _bare(t)
    common = _matches(bare_m, bare_t)
    matched = set(common.values())
    moved: dict[str, int] = {}
    for k, line in enumerate(bare_t):
        if k not in matched:
            moved[line] = moved.get(line, 0) + 1
    out: list[Placed] = []
    i0 = k0 = 0
    for i, k in [*sorted(common.items()), (len(m), len(t))]:
        out += [Placed(t[at], THEIRS, at) for at in range(k0, k)]
        for number in range(i0, i):
            if moved.get(bare_m[number], 0):
                moved[bare_m[number]] -= 1  # it is elsewhere on their side
            else:
                out.append(Placed(m[number], MINE, number))
        out += [Placed(line) for line in t[k : k + 1]]
        i0, k0 = i + 1, k + 1
    return _joined(_converted(_settled(out, bare_m, theirs=bare_t, restore=False), _ends(m), new=_ends(t)))


def _settled(
    out: list[Placed], mine: list[str], *, theirs: list[str], base: Sequence[str] = (), restore: bool
) -> list[Placed]:
    """Return the lines of both, each under the headings where its side put it."""
    titles = {title(lines) for lines in (mine, theirs, base)} - {""}
    return settled(out, {MINE: places(mine, titles), THEIRS: places(theirs, titles)}, titles, restore=restore)


def _ends(lines: list[str]) -> str:
    """Return the line end of a text, if all its lines have the same (the last may have none); else empty."""
    found = {line_end(line) for line in lines} - {""}
    return found.pop() if len(found) == 1 else ""


def _converted(lines: list[Placed], old: str, *, new: str) -> list[str]:
    """Return the lines with the old line end replaced by the new one, if both are given."""
    texts = [each.line for each in lines]
    if not old or not new or old == new:
        return texts
    return [text[: -len(old)] + new if line_end(text) == old else text for text in texts]


def _bare(lines: list[str]) -> list[str]:
    return [line[: len(line) - len(line_end(line))] for line in lines]


def _new_lines(side: int, matches: dict[int, int]) -> dict[int, list[int]]:
    """Return the positions of a side's new lines, by the number of base lines above them (as kept by that side)."""
    kept = {k: i for i, k in matches.items()}
    found: dict[int, list[int]] = {}
    gap = 0
    for k in range(side):
        if k in kept:
            gap = kept[k] + 1
        else:
            found.setdefault(gap, []).append(k)
    return found


def _both(mine: list[Placed], theirs: list[Placed]) -> list[Placed]:
    """Return both blocks, each whole; only one if it contains the other."""
    bare_mine, bare_theirs = (_bare([each.line for each in block]) for block in (mine, theirs))
    if _holds(bare_theirs, bare_mine):
        return theirs
    if _holds(bare_mine, bare_theirs):
        return mine
    return theirs + mine


def _holds(block: list[str], part: list[str]) -> bool:
    """Whether `block` contains `part` in one piece."""
    size = len(part)
    return any(block[i : i + size] == part for i in range(len(block) - size + 1))


def _kept(base: str, mine: str, *, theirs: str) -> str:
    """Return a line that both kept; if one side changed its line end, with that one."""
    return theirs if line_end(mine) == line_end(base) else mine


def _joined(lines: list[str]) -> str:
    """Return the lines as a text. The former last line of a side gets a line end if it is no longer the last."""
    for number in range(len(lines) - 1):
        if not line_end(lines[number]):
            near = line_end(lines[number - 1]) if number else line_end(lines[number + 1])
            lines[number] += near or "\n"
    return "".join(lines)


def _matches(a: list[str], b: list[str]) -> dict[int, int]:
    """Return pairs of equal lines, in order on both sides: first common prefix and suffix, then lines that occur once,
    then an exact comparison.
    """
    found: dict[int, int] = {}
    ranges = [(0, len(a), 0, len(b))]
    while ranges:
        a0, a1, b0, b1 = ranges.pop()
        while a0 < a1 and b0 < b1 and a[a0] == b[b0]:
            found[a0] = b0
            a0, b0 = a0 + 1, b0 + 1
        while a0 < a1 and b0 < b1 and a[a1 - 1] == b[b1 - 1]:
            a1, b1 = a1 - 1, b1 - 1
            found[a1] = b1
        if a0 == a1 or b0 == b1:
            continue
        anchors = _anchors(a, b, within=(a0, a1, b0, b1))
        if anchors:
            for i, k in anchors:
                ranges.append((a0, i, b0, k))
                found[i] = k
                a0, b0 = i + 1, k + 1
            ranges.append((a0, a1, b0, b1))
        elif (a1 - a0) * (b1 - b0) <= _MOST_CELLS:
            found |= _longest(a, b, within=(a0, a1, b0, b1))
    return found


def _anchors(a: list[str], b: list[str], *, within: tuple[int, int, int, int]) -> list[tuple[int, int]]:
    """Return lines that occur once on each side, in the longest order that both share (patience diff)."""
    a0, a1, b0, b1 = within
    once_b = _once(b, b0, stop=b1)
    pairs = [(i, once_b[line]) for line, i in _once(a, a0, stop=a1).items() if line in once_b]
    rise = longest_rise([k for _, k in pairs])
    return [(i, k) for i, k in pairs if k in rise]


def longest_rise(values: list[int]) -> set[int]:
    """Return a longest increasing subsequence of distinct values (patience sorting)."""
    tails: list[int] = []
    before: dict[int, int | None] = {}
    for value in values:
        at = bisect_left(tails, value)
        before[value] = tails[at - 1] if at else None
        tails[at : at + 1] = [value]
    rise: set[int] = set()
    step = tails[-1] if tails else None
    while step is not None:
        rise.add(step)
        step = before[step]
    return rise


def _once(lines: list[str], start: int, *, stop: int) -> dict[str, int]:
    """Return the lines that occur once, each with its position, in order."""
    places: dict[str, int] = {}
    for i in range(start, stop):
        places[lines[i]] = -1 if lines[i] in places else i
    return {line: i for line, i in places.items() if i >= 0}


def _longest(a: list[str], b: list[str], *, within: tuple[int, int, int, int]) -> dict[int, int]:
    """Return the longest common subsequence, by dynamic programming; only for small ranges."""
    a0, a1, b0, b1 = within
    width = b1 - b0
    table = [[0] * (width + 1)]
    for i in range(a1 - 1, a0 - 1, -1):
        below, row, line = table[-1], [0] * (width + 1), a[i]
        for k in range(width - 1, -1, -1):
            row[k] = below[k + 1] + 1 if line == b[b0 + k] else max(below[k], row[k + 1])
        table.append(row)
    table.reverse()
    found: dict[int, int] = {}
    i, k = 0, 0
    while i < a1 - a0 and k < width:
        if a[a0 + i] == b[b0 + k]:
            found[a0 + i] = b0 + k
            i, k = i + 1, k + 1
        elif table[i + 1][k] >= table[i][k + 1]:
            i += 1
        else:
            k += 1
    return found
