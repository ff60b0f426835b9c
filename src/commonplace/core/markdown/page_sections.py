"""A page of ours read back: what a person wrote on it, and our sections line by line, for doors that show it anew."""

from __future__ import annotations

from typing import NamedTuple

from commonplace.core.markdown import frontmatter
from commonplace.core.markdown.page_links import resolve
from commonplace.core.markdown.page_regions import read_page
from commonplace.core.text.lazy_pattern import lazy_pattern

_SOURCE = lazy_pattern(
    r"\s\(\[(?P<label>[^\[\]]*)\]\((?P<href>[^()\s]+)\)(?:, (?P<note>[^()]*(?:\([^()]*\))?[^()]*))?\)$"
)
"""What ends a line of ours: its link, and what else is said of it."""
_ID = lazy_pattern(r"\s\^([\w-]+)$")
_LEAD = lazy_pattern(r"(?P<lead>(?:\d{4}(?:-\d\d){0,2}|0\.\d\d|1\.00)[^:：]{0,60}): ")
"""The day or days of a line, or the confidence of an opinion."""
_STRONG = lazy_pattern(r"\*\*(.+?)\*\*")
_LINK = lazy_pattern(r"\[([^\[\]]+)\]\(([^()\s]+\.md)\)")
_HEADING = lazy_pattern(r"#{1,6}\s+(?=\S)")


class PageLine(NamedTuple):
    """One line of a section."""

    lead: str
    """What stands before it: its day or days, or the confidence of an opinion; may be empty."""
    text: str
    """Its words, without marks of emphasis; of a line from no file also without those of links to pages."""
    path: str
    """The file it is taken from; empty if it names none."""
    note: str
    """What its source says besides: `replaced by ^k7f3qa`."""
    id: str
    """The id of the fact; empty for a line of the log."""
    linked: str = ""
    """The file that its note links to, as what outdates it; of a line from no file the one that its words link to."""


class PageSection(NamedTuple):
    """A heading with its lines; the first has no heading, and holds what sums up."""

    title: str
    lines: tuple[PageLine, ...]


class PageContent(NamedTuple):
    """A page of an entity, read back."""

    words: str
    """What a person wrote outside our regions, as written, less the title."""
    sections: tuple[PageSection, ...]


def page_content(text: str, *, path: str) -> PageContent:
    """Return what a page holds; a page without a region of ours is a person's words alone."""
    page = read_page(text)
    inside = {number for region in page.regions for number in range(region.start, region.end + 1)}
    if end := frontmatter.end(page.lines):
        inside.update(range(1, end + 2))
    words = [line for number, line in enumerate(page.lines, 1) if number not in inside]
    while words and not words[0].strip():
        del words[0]
    if words and words[0].startswith("# "):
        del words[0]
    sections = [section for region in page.regions for section in _sections(region.body, path)]
    return PageContent("\n".join(line.rstrip("\r") for line in words).strip(), tuple(sections))


def _sections(body: tuple[str, ...], path: str) -> list[PageSection]:
    found: list[tuple[str, list[PageLine]]] = [("", [])]
    for line in body:
        if heading := _HEADING.match(line):
            found.append((line[heading.end() :].strip(), []))
        elif line.strip():
            found[-1][1].append(_line(line.strip().removeprefix("- "), path))
    return [PageSection(title, tuple(lines)) for title, lines in found if lines]


def _line(text: str, path: str) -> PageLine:
    named = _ID.search(text)
    text = text[: named.start()] if named else text
    source = _SOURCE.search(text)
    text = text[: source.start()] if source else text
    lead = _LEAD.match(text)
    text = text[lead.end() :] if lead else text
    note = (source["note"] or "") if source else ""
    linked = _LINK.search(note if source else text)
    return PageLine(
        lead["lead"] if lead else "",
        _STRONG.sub(r"\1", text if source else _LINK.sub(r"\1", text)),
        resolve(path, source["href"]) if source else "",
        _LINK.sub(r"\1", note),
        named[1] if named else "",
        resolve(path, linked[2]) if linked else "",
    )
