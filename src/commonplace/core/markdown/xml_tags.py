"""Converts text structured by tags, as agents like to write it, to Markdown."""

from __future__ import annotations

import re
from functools import cache


def as_markdown(text: str) -> str:
    """Return a text structured by tags with headings and list items instead, line by line; any other text unchanged."""
    if not _tagged().match(text.lstrip("\ufeff")):
        return text
    above: list[str] = []
    lines = []
    for line in text.replace("><", ">\n<").split("\n"):
        bare = line.strip()
        if found := _leaf().fullmatch(bare):
            lines.append(f"{line[: len(line) - len(line.lstrip())]}- {_words(found[1])}: {found[2].strip()}")
        elif found := _opens().fullmatch(bare):
            above.append(_words(found[1]))
            lines.append(f"{'#' * min(len(above), 6)} {above[-1]}")
        elif _closes().fullmatch(bare):
            above = above[:-1]
            lines.append(f"{'#' * min(len(above), 6)} {above[-1]}" if above else "")
        else:
            lines.append(line)
    return "\n".join(lines)


def _words(tag: str) -> str:
    return re.sub(r"[-_.]+", " ", tag)


@cache
def _tagged() -> re.Pattern[str]:
    return re.compile(r"\s*(?:<\?xml[^<>]*\?>\s*)?<[A-Za-z_][\w.-]*(?:\s[^<>]*)?>")


@cache
def _leaf() -> re.Pattern[str]:
    return re.compile(r"<([A-Za-z_][\w.-]*)(?:\s[^<>]*)?>([^<>]+)</\1>")


@cache
def _opens() -> re.Pattern[str]:
    return re.compile(r"<([A-Za-z_][\w.-]*)(?:\s[^<>]*)?>")


@cache
def _closes() -> re.Pattern[str]:
    return re.compile(r"</[A-Za-z_][\w.-]*>|<\?xml[^<>]*\?>")
