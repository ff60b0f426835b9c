"""Finds what hosts write of their own accord into a workspace: copies of its lines, and tales made of them.

OpenClaw *dreams*: each night it copies lines of the logs into a region of the day's log or files of their own, again
and again, and promotes some to MEMORY.md. Counted as told, they would crowd out the lines that they repeat; so they are
treated as what we generate (docs/decisions/0008).
"""

from __future__ import annotations

import re
from functools import cache

from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern

_FENCES = ("```", "~~~")
_END = lazy_pattern(r"([\w-]+:[\w-]+:[\w-]+):end")


def has_copies(path: str, text: str) -> bool:
    """Return whether a file may have lines that its host made; fast. Such a file is read whole after each change."""
    return path.startswith(_folders()) or any(mark in text for mark in table("hosts")["copies"]["marks"])


def copied_lines(path: str, text: str) -> frozenset[int]:
    """Return the numbers, from 1, of the lines that a host made, its markers included.

    A region without an end is none. Below the mark of a promotion stands one item with what is indented below it. In a
    code fence a mark is an example.
    """
    if not has_copies(path, text):
        return frozenset()
    lines = text.split("\n")
    if path.startswith(_folders()):
        return frozenset(range(1, len(lines) + 1))
    begins, promotes = _marks()
    last = {each[1]: at for at, line in enumerate(lines) if (each := _END.search(line))}  # of each region its last end
    found: set[int] = set()
    fenced, promoted = False, ""  # what may follow of a promotion: its item, or more of that
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith(_FENCES):
            fenced = not fenced
        if fenced or number in found:
            continue
        if begun := begins.match(line):
            if number <= last.get(begun[1], 0):
                end = next(at for at in range(number, len(lines)) if f"{begun[1]}:end" in lines[at])
                found.update(range(number, end + 2))
        elif promotes.match(line):
            found.add(number)
            promoted = "item"
        elif promoted and line.strip() and (promoted == "item" or line[:1].isspace()) and line[:1] not in "#<":
            found.add(number)
            promoted = "more"
        else:
            promoted = ""
    return frozenset(found)


@cache
def _folders() -> tuple[str, ...]:
    return tuple(table("hosts")["copies"]["folders"])


@cache
def _marks() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Match the line that begins a region, whose name is the group; and the one above a line that was promoted."""
    region, promoted = table("hosts")["copies"]["marks"]
    return re.compile(rf"\s*<!-- *({re.escape(region)}[\w-]+):start"), re.compile(rf"\s*<!-- *{re.escape(promoted)}")
