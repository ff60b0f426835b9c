"""Renews a region of a page: merges the new lines with a person's edits of the old ones.

Three-way, line by line, with the end marker's digests as the base (`core.markdown.page_regions` has the format). Lines
unchanged since we wrote them are ours: they follow the new text. A line that we did not write is a person's: it stays,
verbatim, after the line that precedes it. A missing line of ours was deleted and never returns. A line that a person
moved is pinned after its new neighbour. A line with the key of one of ours but other words is that line, reworded.

Laws: `renew(renew(x)) == renew(x)`; nothing outside the region changes; a person's edit survives any number of
renewals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.markdown.merge import longest_rise
from commonplace.core.markdown.page_regions import Region, RegionPage, dropped_key, read_page
from commonplace.core.markdown.region_marker import (
    BLANK,
    NARROW,
    OF_TEXT,
    PERSONS,
    WIDE,
    MarkedLine,
    Width,
    digest,
    end_marker,
    fitting,
    line_keys,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_READABLE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-/_.")
_NO_REGION = Region("", 0, 0, (), (), frozenset(), (), (), signed=False, width=NARROW)
"""The region of a page that has none of that name yet."""
_DECIDED = frozenset(("opinions", "review"))
"""Regions of which the caller leaves out what a person deleted: only the digest in the marker tells which key that was,
and it is compared with every later key. So it is wide.
"""


class Renewed(NamedTuple):
    """A page with one region renewed."""

    text: str
    kept: tuple[str, ...]
    """A person's lines inside the region, in order."""
    dropped: tuple[str, ...]
    """Keys among the new lines that a person deleted."""
    problem: str = ""
    """Why the page was left unchanged; else empty."""
    ours: tuple[int, int] = (0, 0)
    """The number of our lines in the region before and now."""
    untouched: bool = False
    """Whether nobody wrote into the region or deleted from it, and no line outside shows a key."""


class _Item:
    """A line of the renewed region."""

    __slots__ = ("blanks", "entry", "fresh", "key", "line")

    def __init__(self, line: str, blanks: tuple[str, ...], key: str, entry: MarkedLine | None) -> None:
        self.line = line
        self.blanks = blanks
        """The blank lines above it."""
        self.key = key
        """The key's digest; empty for a person's line that replaces none of ours."""
        self.entry = entry
        """Its entry in the end marker; None for a person's own line."""
        self.fresh = True
        """Whether it is not on the page yet."""

    @property
    def text(self) -> str:
        """The digest of its text; empty for a person's line."""
        return self.entry.text if self.entry else ""

    @property
    def anchored(self) -> bool:
        """Whether the line stays after the line that precedes it: a person's, or pinned."""
        return self.entry is None or not self.entry.text or self.entry.pinned


def renew(
    page_text: str,
    name: str,
    new_lines: Sequence[str],
    keys: Sequence[str] = (),
    *,
    adopted: Iterable[str] = (),
    whole_sections: bool = False,
) -> Renewed:
    """Return the page with `new_lines` in its region `name` and a person's edits kept; a new region is added last.

    Args:
        page_text: the page, with any line ends; for a new page, its own first lines.
        name: the region's name.
        new_lines: what we would write, blank lines included, without line ends.
        keys: for each new line, its identity whatever its words; empty: its text. A key `a/b` is deleted with `a`.
        adopted: keys of a person's changes that the caller has taken over: their lines are ours again.
        whole_sections: if a person deleted a heading with all its lines, later lines of that section are left out, too.
    """
    page = read_page(page_text)
    if wrong := page.damage(name):
        return Renewed(page_text, (), (), wrong)
    old = next((found for found in page.regions if found.name == name), _NO_REGION)
    items, full = _items(new_lines, keys)
    if _is_as_wanted(page, old, name, items=items):
        return Renewed(page_text, (), (), ours=(len(items), len(items)), untouched=True)
    taken = {digest(key) for key in adopted}
    old = _with_whole_keys(old, [*((item.key, item.text) for item in items), *((key, "") for key in taken)])
    gone, on_page = old.gone(), old.keys()
    held = _held(old, {item.key for item in items})
    shown_outside = _outside(page)
    outside = {digest(shown) for shown in shown_outside} - on_page
    hidden = gone | outside | {key for key in held.values() if key not in taken}
    wanted = [item for item in items if item.key not in hidden and not _child_of(full[item.key], gone)]
    if whole_sections:
        wanted = _less_deleted_sections(items, wanted, gone=gone, old=old)
    bare = _bare_headings(wanted) if hidden else set[str]()
    laid_out = _lay_out([item for item in wanted if item.key not in bare - on_page], old, held=held, taken=taken)
    if bare:  # a person's line may be below one
        bare &= _bare_headings(laid_out)
        laid_out = [item for item in laid_out if item.key not in bare]
    entries = [item.entry for item in laid_out if item.entry]
    words = sorted(_dropped_words(old, gone, full=full))
    out = [
        f"<!-- commonplace: {name} -->",
        *_lines(laid_out, old),
        end_marker(entries, words, width=_width(name, entries)),
    ]
    kept = tuple(item.line for item in laid_out if item.entry is None or not item.entry.text)
    return Renewed(
        _put(page, old, text=page_text, out=out),
        kept,
        tuple(sorted(key for known, key in full.items() if known in gone)),
        ours=(sum(at >= 0 for at in old.ours), sum(bool(entry.text) for entry in entries)),
        untouched=not (kept or hidden or words or shown_outside),
    )


def _width(name: str, entries: Sequence[MarkedLine]) -> Width:
    return WIDE if name in _DECIDED else fitting(entries)


def _with_whole_keys(old: Region, known: Sequence[tuple[str, str]]) -> Region:
    """Return the region with whole digests of the known keys instead of shortened ones.

    One that two known keys share is that of the line with the same text, else of the first; the other line is new.

    Args:
        known: digests of the keys of new lines, each with that of the line's text.
    """
    keys = {*(entry.key for entry in old.entries), *map(dropped_key, old.dropped)}
    if not keys:
        return old
    lengths = set(map(len, keys))
    same: dict[str, list[tuple[str, str]]] = {}
    for key, text in known:
        for start in {key[:length] for length in lengths} & keys:
            same.setdefault(start, []).append((key, text))

    def whole(key: str, text: str = "") -> str:
        found = same.get(key)
        if not found:
            return key
        return next((one for one, told in found if text and told.startswith(text)), found[0][0])

    return old._replace(
        entries=tuple(entry._replace(key=whole(entry.key, entry.text)) for entry in old.entries),
        held=tuple((at, whole(key)) for at, key in old.held),
        dropped=frozenset("~" + whole(dropped_key(word)) if word[0] == "~" else word for word in old.dropped),
    )


def _is_as_wanted(page: RegionPage, old: Region, name: str, *, items: Sequence[_Item]) -> bool:
    """Whether a region is what we would write, nobody changed a line of it, and no line outside shows a key."""
    entries = [item.entry for item in items if item.entry]
    return (
        [at for at in old.ours if at != BLANK] == list(range(len(items)))
        and not page.outside
        and page.lines[old.start + len(old.body) : old.end] == (end_marker(entries, width=_width(name, entries)),)
        and page.lines[old.start - 1] == f"<!-- commonplace: {old.name} -->"
    )


def _outside(page: RegionPage) -> frozenset[str]:
    """Return the ids outside every region, except in lines that an outsider said: these replace no line of ours."""
    if not page.outside:
        return frozenset()
    from commonplace.core.documents.parse import lines_of_others

    others = lines_of_others("\n".join(page.lines))
    return frozenset(shown for number, shown in page.outside if number not in others)


def _items(new_lines: Sequence[str], keys: Sequence[str]) -> tuple[list[_Item], dict[str, str]]:
    """Return the new lines that are not blank, each with a unique key; and the keys by digest."""
    items: list[_Item] = []
    full: dict[str, str] = {}
    seen: dict[str, int] = {}
    blanks: list[str] = []
    for at, line in enumerate(new_lines):
        bare = line.rstrip()
        if not bare:
            blanks.append("")
            continue
        key = (keys[at] if at < len(keys) else "") or bare
        own = key is bare
        seen[key] = seen.get(key, 0) + 1
        if seen[key] > 1:
            key, own = f"{key}#{seen[key]}", False
        known = OF_TEXT + digest(bare) if own else digest(key)
        full.setdefault(known, key)
        items.append(_Item(bare, tuple(blanks), known, MarkedLine(digest(bare), known)))
        blanks = []
    return items, full


def _held(old: Region, wanted: set[str]) -> dict[int, str]:
    """Return a person's lines that replace ours with the same key, by position: those the marker knows and new ones."""
    found = dict(old.held)
    present = old.keys() | set(found.values())
    for at, key in enumerate(line_keys(old.body)):
        if key and old.ours[at] == PERSONS and at not in found and (known := digest(key)) in wanted - present:
            found[at] = known
            present.add(known)
    return found


def _child_of(key: str, gone: frozenset[str]) -> bool:
    """Whether a line belongs to one that a person deleted."""
    parent, slash, _ = key.partition("/")
    return bool(slash) and digest(parent) in gone


def _less_deleted_sections(
    items: list[_Item], wanted: list[_Item], *, gone: frozenset[str], old: Region
) -> list[_Item]:
    """Return the wanted lines without those of sections whose heading and lines a person deleted."""
    on_page = old.keys() | {key for _, key in old.held}
    sections: list[list[_Item]] = [[]]
    for item in items:
        if item.line.startswith("#"):
            sections.append([])
        sections[-1].append(item)
    hidden = {
        item.key
        for section in sections[1:]
        if section[0].key in gone and not any(item.key in on_page for item in section)
        for item in section
    }
    return [item for item in wanted if item.key not in hidden]


def _bare_headings(items: Sequence[_Item]) -> set[str]:
    """Return the keys of our headings that have no line below them."""
    bare: set[str] = set()
    below = 1
    """Level of the heading below; 7 for any other line, which may follow any heading."""
    for item in reversed(items):
        level = len(item.line) - len(item.line.lstrip("#"))
        if level and level >= below and item.text:
            bare.add(item.key)
        else:
            below = level or 7
    return bare


def _lay_out(wanted: list[_Item], old: Region, *, held: dict[int, str], taken: set[str]) -> list[_Item]:
    """Return the lines in order: ours in our order; a person's, and those a person moved, after a neighbour."""
    on_page = _on_page(wanted, old, held=held, taken=taken)
    followers: dict[_Item | None, list[_Item]] = {}
    leader: _Item | None = None
    above: _Item | None = None
    unchanged: dict[_Item, tuple[_Item | None, tuple[str, ...]]] = {}
    for item, stood_below, blanks in on_page:
        unchanged[item] = (stood_below, blanks)
        if item.anchored:
            followers.setdefault(leader, []).append(item)
        else:
            leader = item
    _follow_pinned(wanted, followers)
    out = _assemble([item for item in wanted if not item.anchored], followers)
    for item in out:
        if item in unchanged and unchanged[item][0] is above:
            item.blanks = unchanged[item][1]
        above = item
    return out


def _on_page(
    wanted: list[_Item], old: Region, *, held: dict[int, str], taken: set[str]
) -> list[tuple[_Item, _Item | None, tuple[str, ...]]]:
    """Return what stays of the old body, in order: each line, the line above it (None: the top), the blanks between."""
    by_key = {item.key: item for item in wanted}
    place = {entry.key: at for at, entry in enumerate(old.entries)}
    gone_line = _Item("", (), "", None)
    stay: list[tuple[_Item, _Item | None, tuple[str, ...]]] = []
    places: list[tuple[_Item, int]] = []
    above: _Item | None = None
    blanks: list[str] = []
    for at, line in enumerate(old.body):
        entry = old.ours[at]
        if entry == BLANK:
            blanks.append(line)
            continue
        key = old.entries[entry].key if entry >= 0 else held.get(at, "")
        item = by_key.get(key)
        if item is None or not item.fresh:
            # no new line, or a second line with its key: ours is removed, a person's stays
            item = (
                gone_line
                if entry >= 0 or key in taken
                else _Item(line, tuple(blanks), key, MarkedLine("", key) if key else None)
            )
        if item is not gone_line:
            item.fresh = False
            stay.append((item, above, tuple(blanks)))
            if key in place and item.entry and item.entry.text:
                places.append((item, place[key]))
        above, blanks = item, []
    _pin(places, old)
    return stay


def _pin(places: list[tuple[_Item, int]], old: Region) -> None:
    """Pin the lines that were pinned or that a person moved: those outside the longest run that kept its order."""
    free = []
    for item, at in places:
        if old.entries[at].pinned:
            assert item.entry is not None
            item.entry = item.entry._replace(pinned=True)
        else:
            free.append((item, at))
    kept = longest_rise([at for _, at in free])
    for item, at in free:
        if at not in kept:
            assert item.entry is not None
            item.entry = item.entry._replace(pinned=True)


def _follow_pinned(wanted: list[_Item], followers: dict[_Item | None, list[_Item]]) -> None:
    """Put a new line whose neighbour above was moved by a person after that neighbour, and pin it there."""
    above: _Item | None = None
    for item in wanted:
        if item.fresh and above is not None and above.anchored:
            row = next(row for row in followers.values() if above in row)
            assert item.entry is not None
            item.entry = item.entry._replace(pinned=True)
            row.insert(row.index(above) + 1, item)
        above = item


def _assemble(free: list[_Item], followers: dict[_Item | None, list[_Item]]) -> list[_Item]:
    """Return each line with its followers; a new indented line precedes followers that would part it from its item."""
    out: list[_Item] = []
    waiting = list(followers.get(None, ()))
    for item in free:
        if not (item.fresh and _indented(item.line)):
            out += waiting
            waiting = []
        out.append(item)
        following = followers.get(item, [])
        if waiting:
            waiting += following
            continue
        cut = next((at for at, line in enumerate(following) if not _indented(line.line)), len(following))
        out += following[:cut]
        waiting = following[cut:]
    return out + waiting


def _indented(line: str) -> bool:
    return line[:1] in (" ", "\t")


def _lines(items: list[_Item], old: Region) -> list[str]:
    """Return the body's lines; blank lines before the end marker stay as they are."""
    out = [line for item in items for line in (*item.blanks, item.line)]
    tail = 0
    while tail < len(old.body) and not old.body[-1 - tail].strip():
        tail += 1
    return [*out, *old.body[len(old.body) - tail :]]


def _dropped_words(old: Region, gone: frozenset[str], *, full: dict[str, str]) -> set[str]:
    """Return what the marker lists as dropped: readable keys where they are known, else digests."""
    words: set[str] = set()
    listed = {dropped_key(word): word for word in old.dropped}
    for known in gone:
        key = full.get(known, "")
        if key and known[0] != OF_TEXT and not set(key) - _READABLE and "--" not in key:
            words.add(key)
        else:
            words.add(listed.get(known, "~" + known))
    return words


def _put(page: RegionPage, old: Region, *, text: str, out: list[str]) -> str:
    """Return the page with these lines instead of the old region, or at the end."""
    end = "\r" if page.lines[max(old.start - 1, 0)].endswith("\r") else ""
    if old is _NO_REGION:
        body = "".join(f"{line}{end}\n" for line in out)
        if not text:
            return body
        ended = text if text.endswith("\n") else f"{text}{end}\n"
        blank = not ended.split("\n")[-2].strip()
        return ended + ("" if blank else f"{end}\n") + body
    raw = page.lines
    before = raw[: old.start - 1]
    was = raw[old.start - 1 : old.end]
    # the last line keeps its own line end: the file may stop there without one
    ends = {line.rstrip("\r"): "\r" if line.endswith("\r") else "" for line in was[:-1]}
    fresh = [line + ends.get(line, end) for line in out[:-1]]
    last = out[-1] + ("\r" if was[-1].endswith("\r") else "")
    return "\n".join([*before, *fresh, last, *raw[old.end :]])
