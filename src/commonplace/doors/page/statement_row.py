"""What a verb tells of a line or fact, as the page shows it: when, what and in which language, where, what else.

No Markdown is rendered: the words of a line are text, and what cannot be seen in them is spelled.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, urlencode

from commonplace.core.text.escaping import for_terminal
from commonplace.core.text.language_tag import language_tag
from commonplace.errors import CommonplaceError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from commonplace.doors.page.lanes import PageDesk

LONGEST = 1_200
"""Characters of a text that a view shows; its line shows more."""
_STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*|__(?=\S)(.+?)(?<=\S)__")
_LINK = re.compile(r"\[([^\[\]]+)\]\((?![a-zA-Z][a-zA-Z0-9+.-]*:|/)([^()\s]+\.md(?:#\S*)?)\)")
"""To a file of the workspace."""
_HEAD = re.compile(r"[WBOS](?:\(c=[0-9.]+\))?((?: @[^\s:]+)*): ")
"""How a proposal begins (docs/format.md)."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class StatementRow(NamedTuple):
    """One line of a view."""

    text: str
    lang: str
    """As BCP 47 names it; empty where it is the page's own."""
    when: str
    """Its day or days, short: `27 Nov–1 Dec`; of a line without a day the name of its file."""
    day: str
    """The day on which it was recorded, as ISO writes it; empty if it has none."""
    place: str
    """Short: `L11`."""
    source: str
    """The citation in full."""
    href: str
    """Where it stands, as an address below the page's own; empty where that is another folder."""
    kind: str
    id: str
    entities: tuple[str, ...]
    confidence: float | None
    notes: tuple[str, ...]
    """Who said it, and the like."""
    gone: str
    """Where what replaced it stands; empty while it holds."""
    disputed: str
    """Where what disputes it stands."""
    why: tuple[str, ...]
    """Why it was found."""
    more: int
    """How often else it is told."""


def statement(
    told: Mapping[str, Any], *, today: date, gone: str = "", disputed: str = "", elsewhere: bool = False
) -> StatementRow:
    """A fact or a hit, as a line of a view.

    Args:
        told: as programs get it. gone, disputed: where a view knows of them by itself.
        elsewhere: whether it stands in workspaces of a fleet: then nothing of it leads to a view of this one.
    """
    text = plain(seen(told.get("content") or told.get("statement") or told.get("text") or ""))
    source = told.get("source") or ""
    notes = []
    if told.get("speaker"):
        notes.append(f"{seen(told['speaker'], 60)} says")
    if told.get("said_by"):
        notes.append(f"says {seen(told['said_by'], 60)}")
    recorded, held = told.get("recorded") or "", told.get("valid") or ""
    if recorded and held and recorded != held.partition("/")[0]:
        notes.append(f"told {day(recorded, today)}")
    if told.get("excerpt") or told.get("cut"):
        notes.append("part of a longer line")
    newer = gone or told.get("superseded_by") or told.get("outdated_by") or ""
    other = disputed or told.get("disputed_by") or ""
    if elsewhere:
        replaced = ((newer, "replaced since by"), (other, "disputed by"))
        notes += [f"{how} {seen(place, 200)}" for place, how in replaced if place]
        notes += [f"held at {told['confidence']:.2f}"] if told.get("confidence") is not None else []
        newer = other = ""
    return StatementRow(
        text,
        language_tag(text),
        days(told.get("valid") or told.get("recorded"), today) or file_of(source),
        told.get("recorded") or "",
        seen(source, 200) if elsewhere else short_place(source),
        source,
        "" if elsewhere else at(source),
        told.get("kind") or "",
        told.get("id") or "",
        () if elsewhere else tuple(told.get("entities") or ()),
        None if elsewhere else told.get("confidence"),
        tuple(notes),
        at(newer) if "#" in newer else "",
        at(other) if "#" in other else "",
        tuple(seen(each, 160) for each in told.get("why") or ()),
        len(told.get("also") or ()),
    )


def plain(text: str) -> str:
    """A statement without marks of strong emphasis and of links to files, which tell a reader nothing here; source
    lines keep them."""
    shown = _LINK.sub(r"\1", text) if "](" in text else text
    return _STRONG.sub(lambda found: found[1] or found[2], shown) if "**" in shown or "__" in shown else shown


def proposed(text: str) -> str:
    """A line of the review page as a person reads it: `Peter, Relay: Landed in Vienna.`"""
    head = _HEAD.match(text)
    if head is None:
        return plain(text)
    names = ", ".join(each.lstrip("@") for each in head[1].split())
    return plain((f"{names}: " if names else "") + text[head.end() :])


def seen(text: str, most: int = LONGEST) -> str:
    """A text as it may be shown: what acts unseen is spelled, and what is very long is cut.

    A surrogate without its other half, which no page can hold, is replaced before.
    """
    whole = text if len(text) <= most else f"{text[: most - 1]}…"
    return for_terminal(whole).encode("utf-8", "replace").decode()


def at(citation: str) -> str:
    """The address of a line: `at/memory/2025-11-27.md?line=12#here`; of several the first is marked to the last."""
    path, place = _parted(citation)
    first, _, last = place.partition("-L")
    asked = {"line": first} if first else {}
    if last:
        asked["last"] = last
    query = f"?{urlencode(asked)}#here" if asked else ""
    return f"at/{quote(path, safe='/')}{query}"


def _parted(citation: str) -> tuple[str, str]:
    """Path and place of a citation, `("memory/2025-11-27.md", "12-L14")`; a path may hold `#L` itself."""
    path, _, place = citation.rpartition("#L")
    return (path, place) if path and place[:1].isdecimal() else (citation, "")


def whole_number(text: str | None) -> int:
    """The number that a field of an address gives, up to 99,999,999; 0 where it gives none."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 9 else 0


def short_place(citation: str) -> str:
    """Of a citation what tells its line: `L12`."""
    return f"L{place.partition('-')[0]}" if (place := _parted(citation)[1]) else ""


def is_day(text: str) -> bool:
    """Whether a text is a day as ISO writes it, and nothing else."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return len(text) == 10


def day_in(path: str) -> str:
    """The day that a path names, or empty: `2025-11-27` of `memory/2025-11-27-quay.md`."""
    return next((part[:10] for part in reversed(path.split("/")) if is_day(part[:10])), "")


def file_of(citation: str) -> str:
    """The name of a file, in place of a day: `MEMORY`."""
    return seen(_parted(citation)[0].rpartition("/")[2].removesuffix(".md"), 14)


def days(span: str | None, today: date) -> str:
    """Days as ISO writes them (`2025-11-27/2025-12-01`), short: `27 Nov–1 Dec`, `since 3 Mar`."""
    if not span:
        return ""
    first, slash, last = span.partition("/")
    if not slash or first == last:
        return day(first, today)
    if last == "..":
        return f"since {day(first, today)}"
    if first == "..":
        return f"until {day(last, today)}"
    return f"{day(first, today)}–{day(last, today)}"


def day(text: str | None, today: date) -> str:
    """A day as ISO writes it, short, with its year where it is another than this one: `27 Nov`, `3 Mar 2024`."""
    try:
        read = date.fromisoformat((text or "")[:10])
    except ValueError:
        return text or ""
    return f"{read.day} {_MONTHS[read.month - 1]}" + (f" {read.year}" if read.year != today.year else "")


def long_day(text: str) -> str:
    """A day in full: `Wednesday, 26 November 2025`."""
    read = date.fromisoformat(text)
    return f"{read:%A}, {read.day} {read:%B} {read.year}"


_STANCES = (("supports", "for"), ("contradicts", "against"))


def evidence_told(held: Mapping[str, Any]) -> str:
    """How much evidence an opinion has, in words."""
    counts = ((sum(each["stance"] == stance for each in held["evidence"]), word) for stance, word in _STANCES)
    return ", ".join(f"{count} {word}" for count, word in counts if count) or "stated once"


async def told_at(desk: PageDesk, source: str, now: date) -> StatementRow | None:
    """The fact or line at a citation; None where none is any more."""
    try:
        return statement(await desk.kept("show", target=source), today=now)
    except CommonplaceError:
        return None
