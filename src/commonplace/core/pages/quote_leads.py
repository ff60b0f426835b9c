"""What is shown before a quoted line so that it can be understood: the heading or bullet that it belongs to. And which
lines only lead to others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.pages.page_lines import without_day
from commonplace.core.pages.quote_faults import announces_a_plan
from commonplace.core.pages.quote_topics import NO_SUBJECT, announces, announces_only
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST
from commonplace.core.when import says_only_when

if TYPE_CHECKING:
    from commonplace.core.model import Line

_POINTER = lazy_pattern(
    r"(?:[^:：]{1,40}[:：])?[\s*→>-]*(?:[Ss]ee|[Ss]e|[Сс]м\.|参见|详见|参照|देखें)?[\s:：]*`[^`\s]+\.md`\W*"
)
"""A line that only points to a file: `Backups: → see `docs/backup.md``."""
_HINT = lazy_pattern(r"(?:[*_]{0,2}[^:：*_]{1,40}[:：][*_]{0,2}\s*)?[*_]{1,2}[(（][^()（）]*[)）][*_]{1,2}")
"""A hint of a template in brackets: `**Emoji:** _(pick one)_`."""
_SELF_CONTAINED = 160
"""Width of a line, Han and kana counted twice, that needs no heading to be understood."""
_BRIEF, _LONGEST_LEAD = 40, 60
"""Width of a heading that is shown whole, and of the first part of another."""
_BRACKETS = lazy_pattern(r"\([^()]*\)?|（[^（）]*）?|\[[^\[\]]*\]")
_NUMBER = lazy_pattern(r"^\W*(?:\d{1,2}:\d\d(?:\s?[ap]m)?|\d{1,2}[.)、])[\s–—-]+(?=\w)")
"""An hour or a number before a heading."""
_PART_ENDS = lazy_pattern(r"\s[—–-]+\s|[—–:：;；,，。]")
"""What ends the first part of a heading or bullet."""
_LONGEST_TITLE = 60
"""Width of a bullet that may be the title of those below it."""
_GOES_ON = lazy_pattern(r"[:：]\W*\w|→|->|=>|[.。!！।]\W*$")
_FILE = ".md"


def lead(line: Line) -> str:
    """Return the nearest heading or bullet above a line that says what it belongs to; empty if the line is long, or
    says the same itself.

    A third of the lines that readers held wrong or useless on a page had lost what they were about.
    """
    if _width(line.content) > _SELF_CONTAINED:
        return ""
    above = [
        text for text in reversed(line.context) if text[:1] != "|" and _FILE not in text and not _says_nothing(text)
    ]
    for text in [each for each in above if not (announces(each) or announces_a_plan(each))] or above:
        said, nearest = entity_key(line.content), brief(without_day(text))
        if all(word in said for word in entity_key(nearest).split() if len(word) > 3 or word >= FAR_EAST):
            return ""
        return nearest
    return ""


def brief(heading: str) -> str:
    """Return a heading or bullet as it is shown before a line: without what is in brackets, of a long one only what
    stands before the first colon or dash; empty if that is long, too."""
    plain = " ".join(_BRACKETS.sub(" ", heading.replace("**", "")).split())
    plain = _NUMBER.sub("", plain, 1).strip(" *_:：#")
    if _width(plain) <= _BRIEF:
        return plain
    first = _PART_ENDS.split(plain, maxsplit=1)[0].strip(" *_:：#")
    return first if _width(first) <= _LONGEST_LEAD else ""


def _width(text: str) -> int:
    return sum(2 if sign >= FAR_EAST else 1 for sign in text)


def _says_nothing(heading: str) -> bool:
    return NO_SUBJECT.fullmatch(heading) is not None or says_only_when(heading) or announces_only(heading)


def leads_in(line: Line) -> bool:
    """Whether a line only leads to something else: to what follows it, by a colon at its end, to a file, or to what a
    reader should write there."""
    text = line.content
    return text.rstrip(" *_").endswith((":", "：")) or bool(_POINTER.fullmatch(text) or _HINT.fullmatch(text))


def is_title(line: Line) -> bool:
    """Whether a line with others below it is only their title: brief, and nothing follows a colon or arrow in it."""
    return _width(line.content) <= _LONGEST_TITLE and not _GOES_ON.search(line.content)
