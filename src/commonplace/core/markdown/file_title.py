"""The title of a note that has none in its text: as editors show it, by the name of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.markdown.slug import BANK
from commonplace.core.secrets.guard import in_name, looks_like
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

_HEADED = lazy_pattern(r"(?m)^(?:# |=+\s*$)")
"""A line that makes a title, or the rule below one."""
_DAY = lazy_pattern(
    r"(?<!\d)(?:19|20)\d\d[-._]?[01]\d(?:[-._]?[0-3]\d)?(?!\d)|(?<!\d)[0-3]\d[-._][01]\d[-._](?:19|20)\d\d(?!\d)"
)
_JOINED = lazy_pattern(r"[-_]+")


def file_title(path: str, text: str, *, stated: str = "", aliases: Sequence[str] = ()) -> str:
    """Return the title of a file whose text has none: `kayak trip` of `notes/2026-03-05-kayak_trip.md`; or empty.

    A title in its front matter comes first, and its other names follow in parentheses. Our own pages have none,
    nor does a name that says only which file of a host or project it is: `README.md`. None repeats a secret.

    Args:
        stated: the title in its front matter.
        aliases: other names in its front matter.
    """
    if path.startswith(BANK) or _HEADED.search(text):
        return ""
    name = stated or path.rpartition("/")[2].removesuffix(".md")
    spaced = _DAY.sub(" ", name)
    words = (spaced if " " in name else _JOINED.sub(" ", spaced)).strip(" -_.,–—")
    if not any(map(str.isalpha, words)) or fold(words) in table("file_titles")["none"]:
        return ""
    if (not stated and in_name(name)) or looks_like("\n".join(filter(None, (stated, *aliases)))):
        return ""
    others = [each for each in aliases if fold(each) != fold(words)]
    return f"{words} ({', '.join(others)})" if others else words
