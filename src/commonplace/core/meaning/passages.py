"""Passages: the text of a line that is embedded, with what it is told below or after, and its key.

A line alone rarely says what it is about. In a conversation it answers the turn before it: with that turn, the model
alone found .64 of the evidence of LoCoMo's first conversation in ten lines, without it .52. Elsewhere its headings and
parent bullets say it, the nearest ones most.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from commonplace.core.markdown.syntax import is_retain
from commonplace.core.model import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

ABOVE = 3
"""Headings and parent bullets that a passage contains: the nearest ones."""
LONGEST_ABOVE = 80
"""Maximum characters of each of them."""
LONGEST_BEFORE = 160
"""Maximum characters of the turn before: its end, which a reply is about."""
FEWEST_LETTERS = 4
"""Minimum letters of such a heading: a date or an hour says nothing of what is below it."""
LONGEST = 600
"""Maximum characters of a line in one passage, about 150 tokens: a vector of a longer text is close to everything. The
rest of a long line is in further passages."""
SHORTEST = 8
"""Minimum bytes of a line that is embedded: two words, or three characters of a script without spaces."""
SHORTEST_HEADING = 24
"""The same for a heading: a shorter one names a section, and the lines below have it in their passages."""
_TOLD = frozenset((Role.BULLET, Role.TEXT, Role.ROW))


def is_embedded(role: Role, *, text: str) -> bool:
    """Return whether a line is embedded: one that tells something, but never code, fences and front matter."""
    least = SHORTEST if role in _TOLD else SHORTEST_HEADING
    return (role in _TOLD or role is Role.HEADING) and len(text.encode("utf-8", "surrogatepass")) >= least


def passages(text: str, above: Sequence[str], *, before: str = "") -> list[str]:
    """Return the texts to embed of a line: one, or several of a long line, split at spaces if there are any.

    Args:
        text: of the line, with the names of its entities.
        above: its headings and parent bullets, outermost first.
        before: in a conversation, the turn before it.
    """
    telling = (each[:LONGEST_ABOVE] for each in above[-ABOVE:])
    head = "".join(f"{each}\n" for each in telling if _says(each))
    head += f"{before[-LONGEST_BEFORE:]}\n" if before else ""
    found, start = [], 0
    while len(text) - start > LONGEST:
        end = text.rfind(" ", start + LONGEST // 2, start + LONGEST)
        end = end if end > 0 else start + LONGEST
        found.append(head + text[start:end])
        start = end
    return [*found, head + text[start:]]


def _says(heading: str) -> bool:
    """Whether a heading says what is below it: one of a Retain section does not."""
    return sum(map(str.isalpha, heading)) >= FEWEST_LETTERS and not is_retain(heading)


def passage_key(passage: str) -> int:
    """Return the key of a passage: 64 bits of a digest of its text, as a signed number."""
    digest = blake2b(passage.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
