"""Merges two entities in Markdown: one page takes over the names and the person's text of the other.

Law: no word that a person wrote on either page is lost, and nothing else of the page that stays changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.markdown import frontmatter
from commonplace.core.markdown.page_regions import read, region
from commonplace.core.markdown.region_marker import PERSONS

if TYPE_CHECKING:
    from collections.abc import Sequence


def joined(kept: str, other: str, *, name: str, aliases: Sequence[str]) -> str:
    """Return the page that stays, with the aliases, and a person's text of the other page below a heading with its
    name.

    That text is put above our region, if there is one, to follow the person's own text.

    Args:
        kept, other: texts of the pages.
        name: the name of the other page.
        aliases: names of the entity from now on.
    """
    text = frontmatter.with_aliases(kept, aliases)
    moved = persons_text(other)
    if not moved:
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    block = end.join(["", f"## {name}", "", *moved])
    found = region(text, "entity")
    if found is None:
        return text.rstrip("\r\n") + end + block + end
    lines = text.split("\n")
    above = "\n".join(lines[: found.start - 1]).rstrip("\r\n")
    return above + end + block + end + end + "\n".join(lines[found.start - 1 :])


def persons_text(page: str) -> list[str]:
    """Return the lines of a page that a person wrote, without line ends: all but the title, aliases and our lines."""
    raw = [line.removesuffix("\r") for line in page.removeprefix("\ufeff").split("\n")]
    stop = frontmatter.end(raw)
    rest = frontmatter.without_aliases(raw[1:stop]) if stop else []
    ours: set[int] = set()
    for found in read(page):
        persons = {found.start + 1 + at for at, entry in enumerate(found.ours) if entry == PERSONS}
        ours |= {*range(found.start, found.end + 1)} - persons
    first = stop + 1 if stop else 0
    body = [line for number, line in enumerate(raw[first:], first + 1) if number not in ours]
    title = next((at for at, line in enumerate(body) if line.strip()), len(body))
    if title < len(body) and body[title].startswith("# "):
        del body[title]
    while body and not body[-1].strip():
        body.pop()
    while body and not body[0].strip():
        body.pop(0)
    front = ["```yaml", *rest, "```", ""] if rest else []
    return [*front, *body] if body else front[:-1]
