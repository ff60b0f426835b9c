"""Converts text structured by tags, as agents like to write it, to Markdown."""

from __future__ import annotations

import re

from commonplace.core.text.lazy_pattern import lazy_pattern

_TAGGED = lazy_pattern(r"\s*(?:<\?xml[^<>]*\?>\s*)?<[A-Za-z_][\w.-]*(?:\s[^<>]*)?>")
_LEAF = lazy_pattern(r"<([A-Za-z_][\w.-]*)(?:\s[^<>]*)?>([^<>]+)</\1>")
_OPENS = lazy_pattern(r"<([A-Za-z_][\w.-]*)(?:\s[^<>]*)?>")
_CLOSES = lazy_pattern(r"</[A-Za-z_][\w.-]*>|<\?xml[^<>]*\?>")


def as_markdown(text: str) -> str:
    """Return a text structured by tags with headings and list items instead, line by line; any other text unchanged."""
    if not _TAGGED.match(text.lstrip("\ufeff")):
        return text
    above: list[str] = []
    lines = []
    for line in text.replace("><", ">\n<").split("\n"):
        bare = line.strip()
        if found := _LEAF.fullmatch(bare):
            lines.append(f"{line[: len(line) - len(line.lstrip())]}- {_words(found[1])}: {found[2].strip()}")
        elif found := _OPENS.fullmatch(bare):
            above.append(_words(found[1]))
            lines.append(f"{'#' * min(len(above), 6)} {above[-1]}")
        elif _CLOSES.fullmatch(bare):
            above = above[:-1]
            lines.append(f"{'#' * min(len(above), 6)} {above[-1]}" if above else "")
        else:
            lines.append(line)
    return "\n".join(lines)


def _words(tag: str) -> str:
    return re.sub(r"[-_.]+", " ", tag)
