"""What an entity's page is made from, as text: where that is the same, so is the page.

Composing a page reads every fact that names its entity, and most pages are made again from what they were made from
before. Law: whatever `pages.entity_page` reads of its arguments is told here, but the day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from commonplace.core.pages import Subject
    from commonplace.core.standing import Known


class Made:
    """What the pages of one reflect are made from.

    Args:
        known: as the pages are given it.
        digests: path to digest of every file that facts and lines stand in.
        names: the keys of all entities, by any of their names.
    """

    def __init__(self, known: Known, digests: Mapping[str, str], names: Iterable[str]) -> None:
        self._known = known
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
        lines = [
            [(line.source.line, files[line.source.path]) for line in those] for those in (subject.said, subject.named)
        ]
        # a fact's file tells all of it, and its id which of the file's it is
        ids = [fact.id for fact in subject.facts]
        told = map(files.__getitem__, dict.fromkeys([fact.source.path for fact in subject.facts]))
        stand = [self._stands(id) for id in ids if id in self._stand]
        own = repr((subject.name, subject.path, subject.waiting, opinions, lines, stand))
        return "\n".join((self._all, own, *ids, *told))

    def _stands(self, id: str) -> tuple[object, ...]:
        """What replaces or disputes a fact, and what it claims."""
        known = self._known
        return id, known.superseded.get(id), known.disputed.get(id), sorted(known.claims.get(id, ()))
