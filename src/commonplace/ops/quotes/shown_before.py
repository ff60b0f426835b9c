"""What is shown before each quote so that it can be understood: the problem that it solves, or what it stands below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.extract.line_labels import labelled
from commonplace.core.model import Role
from commonplace.core.quotes.quote_leads import is_bare_fix, lead, shown_heading, with_siblings
from commonplace.core.quotes.quote_topics import NO_SUBJECT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from commonplace.core.model import Citation
    from commonplace.core.quotes.lines_by_entity import WeighedLine
    from commonplace.core.quotes.page_quotes import Quote
    from commonplace.core.secrets.redaction import Withheld
    from commonplace.ops.quotes.quote_reader import QuoteReader
    from commonplace.store.sqlite import Index

_FIX, _PROBLEM = "cause", "event"
"""Signs of labels: of what solves a problem or explains it, and of what happened."""
_NEAR = 2
"""Lines before a fix, among which its problem stands."""


class ShownBefore:
    """Finds in the index what is shown before quotes."""

    def __init__(
        self,
        index: Index,
        lines: Sequence[WeighedLine],
        reader: QuoteReader,
        *,
        named: Mapping[int, tuple[str, ...]],
        withheld: Withheld,
    ) -> None:
        """Keep what it finds it by.

        Args:
            lines: all of them, by their worth.
            reader: of the quotes.
            named: row -> keys of the known names in it.
            withheld: what must not be repeated.
        """
        self._index, self._reader, self._named, self._withheld = index, reader, named, withheld
        whose = {line.whose for line in lines if line.whose}
        self._whose = whose.union(*map(str.split, whose))
        """Names of owner and agent, and the words of these."""

    def added(self, quotes: Iterable[Quote], key: str = "") -> list[Quote]:
        """Return the quotes, each that needs it with the problem that it solves, or with the heading or bullet above
        it, but for one that must not be repeated.

        Args:
            key: of the entity whose page quotes them.
        """
        quotes = [*quotes]
        problems, subjects = self._problems(quotes), self._subjects(quotes)
        found = []
        for each in quotes:
            known = subjects.get(each.line.source, ())
            if each.below:
                shown = shown_heading(each.line, each.below, key, names=self._whose, known=known)
            else:
                shown = lead(each.line, key, names=self._whose, known=known)
            found.append(each._replace(below=shown))
        told = (each._replace(below=problems.get(each.line.source) or each.below) for each in with_siblings(found))
        told = (each._replace(below="") if self._withheld.repeated(each.below) else each for each in told)
        return [each._replace(topic=each.by_day) if is_bare_fix(each) else each for each in told]

    def _problems(self, quotes: Iterable[Quote]) -> dict[Citation, str]:
        """Return, by the source of each quote that is labelled as a fix or cause, what the line just above it in the
        same list is labelled as: the problem, what happened."""
        fixes = {each.line.source for each in quotes if labelled(each.line.content)[0] == _FIX}
        rows = {row: source for source in fixes if (row := self._reader.row(source))}
        if not rows:
            return {}
        parents = {row: told[0] for row, told in self._index.texts(rows).items()}
        found = {}
        for row, (before, _) in self._index.neighbours(rows, before=_NEAR, after=0).items():
            labels = (labelled(text) for _, parent, text in before if parent == parents[row])
            found[rows[row]] = next((text for sign, text in labels if sign == _PROBLEM), "")
        return found

    def _subjects(self, quotes: Iterable[Quote]) -> dict[Citation, tuple[str, ...]]:
        """Return, by the source of each quote below one short word, the keys of the names in that, and its own if it is
        a bullet: most headings of one word are sections."""
        last = {each.line.source: each.line.context[-1] for each in quotes if each.line.context}
        rows = {source: self._reader.above(source) for source, text in last.items() if NO_SUBJECT.fullmatch(text)}
        stored = self._index.lines({row for row in rows.values() if row})
        bullets = {row for row, each in stored.items() if each.role is Role.BULLET}
        own = {source: (entity_key(last[source]),) if row in bullets else () for source, row in rows.items()}
        return {source: (*own[source], *self._named.get(row, ())) for source, row in rows.items()}
