"""Finds what hosts write of their own accord into a workspace: copies of its lines, and tales made of them.

OpenClaw *dreams*: each night it copies lines of the logs into a region of the day's log or files of their own, again
and again, and promotes some to MEMORY.md. Counted as told, they would crowd out the lines that they repeat; so they are
treated as what we generate (docs/decisions/0008).
"""

from __future__ import annotations

import re
from functools import cache

from commonplace.core.tables import table


def has_copies(path: str, text: str) -> bool:
    """Return whether a file may have lines that its host made; fast."""
    return path.startswith(_folders()) or any(mark in text for mark in table("hosts")["copies"]["marks"])


def copied_lines(path: str, text: str) -> frozenset[int]:
    """Return the numbers, from 1, of the lines that a host made, its markers included.

    A region reaches to its end, or to the next heading of the first two levels, which no region contains. Below the
    mark of a promotion stands what is promoted, up to the next blank line, heading or comment.
    """
    if not has_copies(path, text):
        return frozenset()
    lines = text.split("\n")
    if path.startswith(_folders()):
        return frozenset(range(1, len(lines) + 1))
    begins, promotes = _marks()
    found: set[int] = set()
    end, promoted = "", False
    for number, line in enumerate(lines, 1):
        if end and not line.startswith(("# ", "## ")):
            found.add(number)
            end = "" if end in line else end
            continue
        begun = begins.match(line)
        end = f"{begun[1]}:end" if begun else ""
        promoted = bool(promotes.match(line) or (promoted and line.strip() and not line.startswith(("#", "<!--"))))
        if begun or promoted:
            found.add(number)
    return frozenset(found)


@cache
def _folders() -> tuple[str, ...]:
    return tuple(table("hosts")["copies"]["folders"])


@cache
def _marks() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Match the line that begins a region, whose name is the group; and the one above a line that was promoted."""
    region, promoted = table("hosts")["copies"]["marks"]
    return re.compile(rf"\s*<!-- *({re.escape(region)}[\w-]+):start"), re.compile(rf"\s*<!-- *{re.escape(promoted)}")
