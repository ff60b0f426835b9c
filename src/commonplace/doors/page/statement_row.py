"""What a verb tells of a line or fact, as the page shows it: when, what and in which language, where, what else.

No Markdown is rendered: the words of a line are text, and what cannot be seen in them is spelled.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote, urlencode

from commonplace.core.text.escaping import for_terminal
from commonplace.core.text.language_tag import language_tag
from commonplace.errors import CommonplaceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from commonplace.doors.page.lanes import PageDesk

LONGEST = 1_200
"""Characters of a text that a view shows; its line shows more."""
_STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*|__(?=\S)(.+?)(?<=\S)__")
_LISTED = "bank/opinions.md"
"""Where a reflect lists opinions that were stated elsewhere."""
_LINK = re.compile(r"\[([^\[\]]+)\]\((?![a-zA-Z][a-zA-Z0-9+.-]*:|/)([^()\s#]+\.md)(?:#[^()\s]*)?\)")
"""To a file of the workspace. No two parts of it can take the same character, so that a long line costs no square."""
_MOST_LINKS = 20
"""Of a line: a view spends ten times the bytes on each that its line does. What follows is text."""
_QUOTED = 80
"""Characters before a link by which its file is searched."""
_HEAD = re.compile(r"[WBOS](?:\(c=[0-9.]+\))?((?: @[^\s:]+)*): ")
"""How a proposal begins (docs/format.md)."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class StatementRow(NamedTuple):
    """One line of a view."""

    text: str
    when: str
    """Its day or days, short: `27 Nov–1 Dec`; of a line without a day the name of its file."""
    day: str
    """The day on which it was recorded, as ISO writes it; empty if it has none."""
    place: str
    """Short: `L11` of the log of its day, `MEMORY L11` of another file."""
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
    """How often else it is told, beside the page that lists it."""


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
        days(held or recorded, today) or file_of(source, 10),
        recorded,
        seen(source, 200) if elsewhere else short_place(source, recorded or held),
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
        max(0, sum(not each.startswith(_LISTED) for each in (source, *(told.get("also") or ()))) - 1),
    )


def plain(text: str) -> str:
    """A statement without marks of strong emphasis and of links to files, which tell a reader nothing here; source
    lines keep them."""
    shown = _LINK.sub(r"\1", text) if "](" in text else text
    return _STRONG.sub(lambda found: found[1] or found[2], shown) if "**" in shown or "__" in shown else shown


def linked(text: str, path: str) -> list[tuple[str, str]]:
    """The pieces of a line of a file, each as it is written, with the address of the file that it is a link to.

    In that file the words before the link are looked for: a page quotes them from there.
    """
    pieces, end = [], 0
    for found in islice(_LINK.finditer(text), _MOST_LINKS) if "](" in text else ():
        file = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(found[2])))
        if file.startswith(("../", "/")) or for_terminal(file) != file:
            continue
        before = text[end : found.start()]
        asked = urlencode({"find": before.strip(" -([")[-_QUOTED:]})
        pieces += [(before, ""), (found[0], f"at/{quote(file)}?{asked}#here")]
        end = found.end()
    return [piece for piece in (*pieces, (text[end:], "")) if piece[0]]


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


def tags_in(core: Iterable[str]) -> Callable[[str], str]:
    """What names the language of a line of a folder, as BCP 47 does: where most lines of its core are Japanese, so is
    one of ideographs alone."""
    tags = Counter(language_tag(line) for text in core for line in text.split("\n") if line.strip())
    if 2 * tags["ja"] <= tags.total():
        return language_tag
    return lambda text: "ja" if (tag := language_tag(text)).startswith("zh") else tag


def whole_number(text: str | None) -> int:
    """The number that a field of an address gives, up to 99,999,999; 0 where it gives none."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 9 else 0


def short_place(citation: str, told: str) -> str:
    """Of a citation what tells its line: `L12` of the log of a day, and where no day is shown; else `MEMORY L12`."""
    path, place = _parted(citation)
    line = f"L{place.partition('-')[0]}" if place else ""
    return f"{file_of(citation)} {line}" if line and told and not path.endswith(f"/{told}.md") else line


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


def file_of(citation: str, most: int = 14) -> str:
    """The name of a file, in place of a day: `MEMORY`, or `quay` of `memory/2025-11-27-quay.md`; cut to its column."""
    name = _parted(citation)[0].rpartition("/")[2].removesuffix(".md")
    return seen(name[11:] if is_day(name[:10]) and name[11:] else name, most)


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
    spoke = [each["stance"] for each in cited(held).values()]
    counts = ((spoke.count(stance), word) for stance, word in _STANCES)
    told = [f"{count} {word}" for count, word in counts if count] + ["set by hand"] * bool(held.get("spent"))
    return ", ".join(told) or "stated once"


def cited(held: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """All evidence by the id of its fact, also what no longer counts because a person has set the number since."""
    spent = (one for each in held.get("spent") or () for one in each["evidence"])
    return {each["id"]: each for each in (*spent, *held["evidence"])}


async def told_at(desk: PageDesk, source: str, now: date) -> StatementRow | None:
    """The fact or line at a citation; None where none is any more."""
    try:
        return statement(await desk.kept("show", target=source), today=now)
    except CommonplaceError:
        return None
