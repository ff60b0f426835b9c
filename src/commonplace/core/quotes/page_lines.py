"""The lines of a page, and how one statement reads on it: its day, its words, its source."""

from __future__ import annotations

from calendar import monthrange
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import line_id
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.extract.line_labels import labelled
from commonplace.core.extract.readable_line import readable
from commonplace.core.markdown.page_links import link, moved, quoted
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST
from commonplace.core.when.expiry import is_of_a_part

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from commonplace.core.model import AnyLine, Fact, Line, Span

SHOWN, _WHOLE, _ABOVE, _FEWEST_SHOWN = 240, 420, 100, 80
"""Characters of a log line by which it is judged, and at most of one on a page, where what it concludes often stands at
its end; of the heading or bullet above it, and the fewest of a line that is cut at the end of a sentence."""
_SENTENCE = lazy_pattern(r"[.!?](?=\s)|[。！？।]")
_AROUND = " *_:：#"
"""Marks around a heading or label, which are not shown."""
_LABEL = lazy_pattern(r"[*_]{0,2}([^\s:：*_][^:：*_]{1,40})[*_]{0,2}[:：][*_]{0,2}\s+(?=\S)")
_ITEM = lazy_pattern(r"[^,，、;；:：()（）.。→|]{2,40}(?:\([^()]*\)|（[^（）]*）)")
"""A thing with a remark in brackets."""
_ANY_ITEM = lazy_pattern(rf"{_ITEM.pattern}|[^,，、;；:：()（）.。→|ぁ-ゖ]{{2,40}}")
"""The same, or a thing without a remark, which is no clause of Japanese."""
_LIST = lazy_pattern(
    rf"((?:[^:：]{{1,40}}[:：][*_]{{0,2}}\s*)?)({_ITEM.pattern}(?:\s?[,，、;；]{_ITEM.pattern})+"
    rf"|(?:{_ANY_ITEM.pattern})(?:、(?:{_ANY_ITEM.pattern}))+)\W{{0,2}}"
)
"""A label, and a list of such things; the space before a thing is a part of it, so that a line is read in one way.
Between 、 some may have no remark."""
_DAY = lazy_pattern(r"^[\W_]*\d{4}-\d\d-\d\d[\s–—:：-]+(?=\w)")
_HOUR = lazy_pattern(r"^\d{1,2}[:.]\d\d(?:\s?[ap]m)?(?:\s[A-Z]{2,4}\b)?[\s–—:-]+")
_LETTER = lazy_pattern(r"[^\W\d_]")
_MOST_AGAIN = 5
"""Maximum days listed between the first and the last on which the same was said."""


class PageLines(NamedTuple):
    """A region's new lines, each with its key."""

    lines: list[str]
    keys: list[str]

    def add(self, line: str, key: str = "") -> None:
        """Add one line."""
        self.lines.append(line)
        self.keys.append(key)

    def section(self, heading: str, rows: Sequence[tuple[str, str]]) -> None:
        """Add a heading with its rows (line, key), if there are any."""
        if not rows:
            return
        if self.lines:
            self.add("")
        self.add(heading)
        for line, key in rows:
            self.add(line, key)


def line_row(
    line: Line,
    page: str,
    *,
    said: bool = False,
    below: str = "",
    newer: AnyLine | None = None,
    most: int = _WHOLE,
    of: str = "",
) -> tuple[str, str]:
    """Return the row of a log line: day, words, link; and its key.

    Args:
        said: show only the words of its speaker.
        below: the heading or bullet above it, to be shown before it.
        newer: the line that outdates it.
        most: maximum characters of its words.
        of: what the page is about, as of `entity_key`: of a list only its own items are shown.
    """
    told = own_items(_without_label(_without_own_day(line)), of)
    words = excerpt(quoted(moved(told, line.source.path, page)), most)
    if said:
        words = f"“{shortened(quoted(said_in(line)).replace('”', '’'), SHOWN)}”"
    elif below:
        words = f"{heading_of(below)}: {_unsaid(words, below)}"
    key = f"{'said' if said else 'named'}-{line_id(line.content, line.recorded)}"
    since = f", outdated by {_named_place(newer, page)}" if newer is not None else ""
    return f"- {when_of(line)}{words} ({place(line, page)}{since})", key


def _without_own_day(line: Line) -> str:
    """Return how a line reads, without the day and hour of its record at its start, which stand before it."""
    text = readable(line)
    if line.recorded is None or not (found := _DAY.match(text)):
        return text
    return _HOUR.sub("", text[found.end() :], 1) if line.recorded.isoformat() in found[0] else text


def own_items(text: str, key: str) -> str:
    """Return a text that is nothing but a list of things, each with a remark in brackets, perhaps behind a label, with
    only those items that begin with a name; the whole text if none does or it is no such list: of `Boats: Sloop (sold),
    Yawl (leaks)` on the page of the yawl only that this leaks."""
    found = _LIST.fullmatch(text) if key else None
    items = [each.strip() for each in _ANY_ITEM.findall(found[2])] if found else []
    own = [item for item in items if item[-1:] in ")）" and _begins_with(item, key)]
    return f"{found[1]}{', '.join(own)}" if found and 0 < len(own) < len(items) else text


def _begins_with(item: str, key: str) -> bool:
    """Whether an item begins with a name, and not with a word that only begins so."""
    said = entity_key(item.strip(" *_`"))
    behind = said[len(key) : len(key) + 1]
    return said.startswith(key) and (max(key[-1], behind) >= FAR_EAST or not behind.isalnum())


def heading_of(above: str) -> str:
    """Return what stands above a line as a page shows it, without its day and marks."""
    plain = without_day(above.replace("**", "")).strip(_AROUND)
    return shortened(quoted(plain), _ABOVE).rstrip(" 。।:：")


def _unsaid(words: str, above: str) -> str:
    """Return words without a label with which what is shown before them ends: `Key insight: Insight: …`."""
    label = _LABEL.match(words)
    return words[label.end() :] if label and entity_key(above.strip(_AROUND)).endswith(entity_key(label[1])) else words


def _without_label(text: str) -> str:
    """Return a text without a label that says nothing (`Notes:`)."""
    sign, rest = labelled(text)
    return rest if sign == "plain" and rest else text


def excerpt(text: str, most: int = SHOWN) -> str:
    """Return a text, cut at the end of a sentence, else at a word, if it is longer than a page shows."""
    if len(text) <= most:
        return text
    ends = [found.end() for found in _SENTENCE.finditer(text, 0, most - 1)]
    return f"{text[: ends[-1]]} …" if ends and ends[-1] >= _FEWEST_SHOWN else shortened(text, most)


def without_day(heading: str) -> str:
    """Return a heading without the day at its start, which each line says itself."""
    return _DAY.sub("", heading)


def said_in(line: Line) -> str:
    """Return the words of a chat line without its speaker."""
    return line.content.partition(":" if ":" in line.content else "：")[2].strip(" *")


def place(fact: AnyLine, page: str) -> str:
    """Return a link to a fact's source, with the outsider who said it; a file that is about something says that in its
    name: of what a study found one wants to know which."""
    path = fact.source.path
    name = path.rpartition("/")[2]
    is_log = path.startswith("memory/") and fact.recorded is not None and not _LETTER.search(name.removesuffix(".md"))
    stands = link("log" if is_log else quoted(name), page, path)
    return f"{stands}, according to {quoted(fact.trailer.outsider)}" if fact.trailer.outsider else stands


def _named_place(line: AnyLine, page: str) -> str:
    """Return a link to a line, in the words of its day or, if it is undated, of its file."""
    path = line.source.path
    return link(str(line.recorded or quoted(path.rpartition("/")[2])), page, path)


def places(fact: Fact, again: Sequence[Fact], *, page: str) -> str:
    """Return the link of `place`, then the other days on which the same was said, newest first.

    Args:
        again: older facts that say the same, newest first.
    """
    days = dict.fromkeys(link(str(each.recorded or "undated"), page, each.source.path) for each in again)
    stands, *others = dict.fromkeys((place(fact, page), *days))
    if not others:
        return stands
    last = f"since {others.pop()}" if again[-1].recorded else f"also {others.pop()}"
    said = [f"also {', '.join(others[:_MOST_AGAIN])}"] if others else []
    left = [f"{count(len(others) - _MOST_AGAIN, 'more day')}"] if len(others) > _MOST_AGAIN else []
    return ", ".join([stands, *said, *left, last])


def day_of(fact: AnyLine) -> date | None:
    """Return the last day that a fact is about, else the day of its record."""
    told = fact.valid and (fact.valid.end or fact.valid.start)
    return told or fact.recorded


def shown_day(fact: AnyLine) -> date | None:
    """Return the last of the days that `when_of` shows."""
    return fact.recorded if fact.valid is None or is_of_a_part(fact) else day_of(fact)


def when_of(fact: AnyLine) -> str:
    """Return `2025-11-27: `, `2025-11-27 to 12-01: `, or an empty text."""
    if fact.valid is not None and (fact.valid.start or fact.valid.end) and not is_of_a_part(fact):
        return f"{range_of(fact.valid)}: "
    return f"{fact.recorded.isoformat()}: " if fact.recorded else ""


def range_of(span: Span) -> str:
    """Return days as people write them: `2025-11-27 to 12-01`, `2025-11` for the month, `since 2026-03-01`."""
    if span.start is None:
        return f"until {span.end}"
    if span.end is None:
        return f"since {span.start}"
    if span.start == span.end:
        return span.start.isoformat()
    start, year, month = span.start.isoformat(), span.end.year, span.end.month
    if span.start.day == 1 and span.start.year == year and span.end.day == monthrange(year, month)[1]:
        if span.start.month == month:
            return start[:7]
        if (span.start.month, month) == (1, 12):
            return start[:4]
    end = span.end.isoformat()
    return f"{start} to {end[5:] if span.start.year == span.end.year else end}"


def year_of(fact: AnyLine) -> int:
    """Return the year of a fact's day; 0 if undated."""
    day = day_of(fact)
    return day.year if day else 0


def day_link(fact: AnyLine, page: str) -> str:
    """Return the day of a fact as a link to its source."""
    day = day_of(fact)
    return link(day.isoformat() if day else "undated", page, fact.source.path)


def count(number: int, noun: str) -> str:
    """Return `1 fact`, `2 facts`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def shortened(text: str, most: int) -> str:
    """Return the text, cut at a word if it has more than `most` characters."""
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > most // 2 else cut).rstrip(" ,;:") + "…"


def name_key(name: str, before: str = "entity-") -> str:
    """Return the key of a line about an entity."""
    return before + entity_key(name).replace(" ", "-")
