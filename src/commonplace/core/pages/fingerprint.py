"""What an entity's page is made from, as text: where that is the same, so is the page.

Composing a page reads every fact that names its entity, and most pages are made again from what they were made from
before. Law: whatever `compose.entity_page` reads of its arguments is told here, but the day.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from commonplace.core.timeline import ordinal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from commonplace.core.model import Fact
    from commonplace.core.pages.compose import Subject
    from commonplace.core.pages.current_facts import Known

_GROWING = 14
"""Days, up to the newest, whose logs still grow: they are told line by line, not as files, for a line that such a log
gains changes no page but those of the entities that it names."""


class Made:
    """What the pages of one reflect are made from.

    Args:
        known: as the pages are given it.
        digests: path to digest of every file that facts and lines stand in.
        names: the keys of all entities, by any of their names.
        newest: the day of the newest fact; None: none has a day.
    """

    def __init__(self, known: Known, digests: Mapping[str, str], names: Iterable[str], newest: date | None) -> None:
        self._known = known
        self._growing = max(0, ordinal(newest) - _GROWING)
        """What stands on days after this one is told line by line."""
        self._files = {path: f"{path}\x1f{digest}" for path, digest in digests.items()}
        others = sorted((name, key) for name in names if (key := known.canonical(name)) != name)
        self._all = repr((sorted(known.pages.items()), others))
        self._stand = known.superseded.keys() | known.disputed.keys() | known.claims.keys()
        """Ids of facts of which more is known than their file tells."""

    def of(self, subject: Subject) -> str:
        """What the page of an entity is made from."""
        known, files = self._known, self._files
        opinions = [
            (each.id, each.statement, each.entities, each.confidence, each.disputed_by, known.likes(each.statement))
            for each in subject.opinions
        ]
        lines = [[self._shown(line) for line in those] for those in (subject.said, subject.named)]
        ids = [fact.id for fact in subject.facts]
        # a fact's file tells all of it, and its id which of the file's it is
        at = bisect_left(subject.facts, self._growing + 1, key=lambda fact: ordinal(fact.recorded))
        told = map(files.__getitem__, dict.fromkeys([fact.source.path for fact in subject.facts[:at]]))
        stand = [self._stands(id) for id in ids if id in self._stand]
        own = repr((subject.name, subject.path, subject.waiting, opinions, lines, stand))
        return "\n".join((self._all, own, *ids, *told, *map(repr, subject.facts[at:])))

    def _shown(self, line: Fact) -> tuple[object, ...]:
        """What tells all of a line of a log."""
        if ordinal(line.recorded) > self._growing:
            return line
        return line.source.line, self._files[line.source.path]

    def _stands(self, id: str) -> tuple[object, ...]:
        """What replaces or disputes a fact, and what it claims."""
        known = self._known
        return id, known.superseded.get(id), known.disputed.get(id), sorted(known.claims.get(id, ()))
