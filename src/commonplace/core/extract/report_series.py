"""Which files of a workspace are reports that somebody has made again and again: a news brief, a smoke test, a sweep;
and which have what somebody read.

Reports are told by their names alone, which are the same but for figures, and by what stands beside them: logs. What
such a report says held on its day, and is worth less than what a log tells: of such lines on the pages of six real
workspaces a third was useful, of the others six in ten.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from commonplace.core.extract.line_labels import endings
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold
from commonplace.core.when import note_day

if TYPE_CHECKING:
    from collections.abc import Iterable

_FEWEST = 4
"""Files of one name, from which they are a series; and logs, beside which they are."""
_FIGURES = lazy_pattern(r"\d+")
_LIMITS = lazy_pattern(r"[\\._ -]|\d")
"""What parts the words of a name."""
_LETTERS = lazy_pattern(r"[^\W\d_]+")
_FOLDER, _ENDING = "memory/", ".md"


def series(paths: Iterable[str]) -> dict[str, str]:
    """Return path -> what the files of its series have as a name, for those that are reports of days; none in a
    workspace with few logs, since then the reports are its logs.
    """
    dated = {path: _FIGURES.sub("0", path) for path in paths if path.startswith(_FOLDER) and note_day(path)}
    apart = {path: shape for path, shape in dated.items() if _is_apart(shape)}
    if len(dated) - len(apart) < _FEWEST:
        return {}
    often = Counter(apart.values())
    return {path: shape for path, shape in apart.items() if often[shape] >= _FEWEST}


@lru_cache(4096)
def is_study(path: str) -> bool:
    """Return whether a folder or the name of a file ends with a word for what somebody read: `research/2026-03-01.md`,
    `2026-03-01-crane-research.md`."""
    parts = (" ".join(_LIMITS.sub(" ", part).split()) for part in fold(path.removesuffix(_ENDING)).split("/"))
    return any(f" {part}".endswith(endings("studies")) for part in parts)


def _is_apart(shape: str) -> bool:
    """Whether a name, figures aside, has a word that no log has in its name; what begins with a day is a log of that
    day, whatever follows, unless a folder says otherwise."""
    told = shape.removeprefix(_FOLDER).removesuffix(_ENDING)
    folder, _, name = told.rpartition("/")
    words = _LETTERS.findall(fold(folder if name.startswith("0") else told))
    return any(len(word) > 1 and word not in _logs() for word in words)


@cache
def _logs() -> frozenset[str]:
    return frozenset(word for words in table("pages")["logs"].values() for word in words)
