"""Which lines of a workspace are shared: by origin, kind, folder and heading; the stricter rule wins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.misspelt_names import is_one_edit
from commonplace.core.model import Fact, Kind, Origin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.recall.index_rows import StoredLine

_ORIGINS = {Origin.RETAINED: "retained", Origin.INFERRED: "inferred"}


class SharePolicy(NamedTuple):
    """What is shared."""

    origins: frozenset[str]
    """Of `retained`, `inferred`, `lines`."""
    kinds: frozenset[Kind]
    """Of facts; empty: all."""
    folders: tuple[str, ...]
    """Folders and files; empty: all."""
    private: frozenset[str]
    """Headings, as `heading` reads them, below which nothing is shared."""

    def file(self, path: str) -> bool:
        """Whether anything of a file may be shared."""
        return not self.folders or any(path == each or path.startswith(f"{each.rstrip('/')}/") for each in self.folders)

    def line(self, stored: StoredLine, above: Sequence[str]) -> bool:
        """Whether a line is shared.

        Args:
            above: the headings and bullets above it.
        """
        line = stored.line
        if any(heading(each) in self.private for each in (*above, line.content)):
            return False
        if isinstance(line, Fact):
            return _ORIGINS.get(line.origin, "") in self.origins and (not self.kinds or line.kind in self.kinds)
        return "lines" in self.origins and line.origin is not Origin.GENERATED


def heading(text: str) -> str:
    """A heading without its marks, in small letters."""
    return text.strip("#*_:： \t").casefold()


def looks_private(text: str, policy: SharePolicy) -> bool:
    """Whether a heading is none of the private ones and could be taken for one: `Private {#p}`, `Privat`."""
    words = re.findall(r"\w+", heading(text))
    return heading(text) not in policy.private and any(
        word == each or is_one_edit(word, each) for each in policy.private for word in words
    )


def digest_of(policy: SharePolicy) -> str:
    """A text that is another for another policy."""
    kinds = sorted(kind.value for kind in policy.kinds)
    return repr((sorted(policy.origins), kinds, policy.folders, sorted(policy.private)))
