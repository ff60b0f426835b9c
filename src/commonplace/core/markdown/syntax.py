"""Recognises Markdown files, headings, bullets, fences and rules.

Tolerates what translators do to files: closing fences, front matter's `---` and Retain headings may have stray text
after them. Each function sees one line; what depends on other lines is in `core.markdown.structure_scanner`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMES = (".md", ".markdown")
_BULLET = lazy_pattern(r"(?:[-*+•‣◦▪](?=\s|$)|[•‣◦▪・]|\d{1,9}[.)](?=\s|$))\s*")
_RETAIN = lazy_pattern(r"[^\w]*retain[\W_]*(?:[(（\[【<〈《{^–—-].*)?$", re.IGNORECASE | re.DOTALL)
_FRONT_FENCE = lazy_pattern(r"---\s*(?:[^\w\s-].*)?$", re.DOTALL)


def is_markdown(name: str) -> bool:
    """Whether a file is Markdown by its name."""
    return name.endswith(_NAMES) or name.lower().endswith(_NAMES)


def item_text(line: str) -> str | None:
    """Return the text after the marker of a list item; None if the line is none."""
    marker = _BULLET.match(line)
    if marker is None or (line[0] in "*-+" and is_rule(line)):
        return None
    return line[marker.end() :]


def is_rule(line: str) -> bool:
    """Whether a line is a thematic break such as `---` or `* * *`."""
    bare = line.replace(" ", "")
    return len(bare) > 2 and bare == bare[0] * len(bare)


def heading_level(line: str) -> int:
    """1 to 6, or 0 if the line is no heading."""
    level = len(line) - len(line.lstrip("#"))
    return level if 0 < level < 7 and line[level : level + 1] in (" ", "\t", "\u3000") else 0


def is_retain(heading: str) -> bool:
    """Whether a heading begins a section of facts: `Retain`, also with marks around it or a remark after it."""
    return _RETAIN.match(heading) is not None


def is_front_fence(line: str) -> bool:
    """Whether a line can begin or end front matter."""
    return line.startswith("---") and _FRONT_FENCE.match(line.rstrip("\r")) is not None


def is_words(line: str) -> bool:
    """Whether a line is unindented and neither blank, a list item nor a heading."""
    return bool(line.strip()) and line[0] not in " \t" and item_text(line) is None and not heading_level(line)


def fence_mark(line: str) -> str:
    """Return the run of backticks or tildes that opens a code fence, or empty."""
    mark = line[0]
    run = len(line) - len(line.lstrip(mark))
    if run < 3 or (mark == "`" and "`" in line[run:]):
        return ""
    return mark * run


def closes_fence(line: str, fence: str) -> bool:
    """Whether a line closes the fence: stray text after it is tolerated unless it looks like a language's name."""
    rest = line.lstrip(fence[0])
    if len(line) - len(rest) < len(fence):
        return False
    rest = rest.strip()
    return not rest or not (rest[0].isascii() and (rest[0].isalnum() or rest[0] in "{._-+"))


def indent_of(raw: str) -> int:
    """Return the columns of white space before text; tab stops at multiples of four, an ideographic space is two."""
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
    """Yield lines with their numbers, without code fences and line ends."""
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        head = line.lstrip()[:3]
        if head in ("```", "~~~"):
            fence = "" if fence == head else fence or head
        elif not fence:
            yield number, line.rstrip("\r")


def goes_on(text: str, below: str) -> bool:
    """Whether a sentence continues in the line below: this line ends none, and that one begins with a small letter,
    and with no label or speaker (`assistant: …`)."""
    open_end = bool(text) and text[-1] not in ".!?:;…。！？：；।|"
    return open_end and below[:1].islower() and not below.split(None, 1)[0].endswith(":")
