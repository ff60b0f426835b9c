"""Recognises Markdown files, headings, bullets, fences and rules.

Forgiving where files went through a translator: closing fences, front matter's `---` and Retain headings may have stray
text after them. A lone line cannot tell everything: what only the lines around it can say is for
`core.markdown.structure_scanner`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


_NAMES = (".md", ".markdown")


def is_markdown(name: str) -> bool:
    """Whether a file is Markdown by its name."""
    return name.endswith(_NAMES) or name.lower().endswith(_NAMES)


@cache
def _bullet() -> re.Pattern[str]:
    return re.compile(r"(?:[-*+•‣◦▪](?=\s|$)|[•‣◦▪・]|\d{1,9}[.)](?=\s|$))\s*")


def item_text(line: str) -> str | None:
    """What stands behind the marker of a list item, or None when the line is none."""
    marker = _bullet().match(line)
    if marker is None or (line[0] in "*-+" and is_rule(line)):
        return None
    return line[marker.end() :]


def is_rule(line: str) -> bool:
    """Whether a line is a thematic break such as `---` or `* * *`."""
    bare = line.replace(" ", "")
    return len(bare) > 2 and bare == bare[0] * len(bare)


def heading_level(line: str) -> int:
    """1 to 6, or 0 when the line is no heading."""
    level = len(line) - len(line.lstrip("#"))
    return level if 0 < level < 7 and line[level : level + 1] in (" ", "\t", "\u3000") else 0


@cache
def _retain() -> re.Pattern[str]:
    return re.compile(r"[^\w]*retain[\W_]*(?:[(（\[【<〈《{^–—-].*)?$", re.IGNORECASE | re.DOTALL)


def is_retain(heading: str) -> bool:
    """Whether facts stand under a heading: `Retain`, also with marks around it or a remark behind it."""
    return _retain().match(heading) is not None


@cache
def _front_fence() -> re.Pattern[str]:
    return re.compile(r"---\s*(?:[^\w\s-].*)?$", re.DOTALL)


def is_front_fence(line: str) -> bool:
    """Whether a line begins or ends front matter, where it may stand."""
    return line.startswith("---") and _front_fence().match(line.rstrip("\r")) is not None


def fence_mark(line: str) -> str:
    """The run of backticks or tildes that opens a code fence, or empty."""
    mark = line[0]
    run = len(line) - len(line.lstrip(mark))
    if run < 3 or (mark == "`" and "`" in line[run:]):
        return ""
    return mark * run


def closes_fence(line: str, fence: str) -> bool:
    """Whether a line closes the fence: stray text after it is forgiven unless it reads like a language's name."""
    rest = line.lstrip(fence[0])
    if len(line) - len(rest) < len(fence):
        return False
    rest = rest.strip()
    return not rest or not (rest[0].isascii() and (rest[0].isalnum() or rest[0] in "{._-+"))


def indent_of(raw: str) -> int:
    """Columns of white space before the text; a tab counts four, an ideographic space two."""
    columns = 0
    for char in raw:
        if char == " ":
            columns += 1
        elif char == "\t":
            columns += 4 - columns % 4
        elif char == "\u3000":
            columns += 2
        else:
            break
    return columns


def outside_fences(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, code fences and line ends left off."""
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        head = line.lstrip()[:3]
        if head in ("```", "~~~"):
            fence = "" if fence == head else fence or head
        elif not fence:
            yield number, line.rstrip("\r")


def goes_on(text: str, below: str) -> bool:
    """Whether a sentence goes on in the line below: this one ends none, and that one begins with a small letter."""
    return bool(text) and text[-1] not in ".!?:;…。！？：；।|" and below[:1].islower()
