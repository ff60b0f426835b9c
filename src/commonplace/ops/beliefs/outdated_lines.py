"""Which plain lines are outdated by newer ones of their topic, found by search when a line is shown.

Nothing is stored, so the result depends only on the lines that are indexed; those of the review page tell what a
person accepted. Facts have claims and trailers instead
(`supersession.py`). What somebody else said never outdates the author's line.
"""

from __future__ import annotations

from datetime import date
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

from commonplace.core.changes.change_lexicon import ANOTHER_DAY, cues, small_terms
from commonplace.core.changes.outdating import corrects, ended_by, outdates
from commonplace.core.changes.stated_states import told
from commonplace.core.markdown.old_copies import is_old_copy
from commonplace.core.markdown.slug import BANK
from commonplace.core.model import Fact, Origin, Role
from commonplace.core.recall.index_rows import chain
from commonplace.core.text.key_search import any_of_keys
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.ops.beliefs.moved_days import MovedDays

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from commonplace.core.changes.stated_states import ToldStates
    from commonplace.core.model import AnyLine, Citation
    from commonplace.core.recall.index_rows import Above, RowRange, StoredLine
    from commonplace.core.review.line_changes import AcceptedChange
    from commonplace.core.text.key_search import KeySearch
    from commonplace.store.sqlite import Index

_TOLD = (Role.BULLET, Role.TEXT, Role.ROW)
_MOST = 60
"""Newer lines that are compared."""
_AT_ONCE = 150
"""Lines whose newer ones are looked for together."""
_RAREST = 8
"""Terms of a line by which lines of its topic are searched."""
_MOST_NOTED = 10_000
"""Lines of which it is noted what outdates them, while the index is as it is: who types asks for the same ones."""
_REVIEW = f"{BANK}review.md"
"""As in `bank_layout`, which is not imported here: it would cost each recall a millisecond."""
_REPLACES = " replaces “"
"""What a line of the review page has that says what was accepted."""
_BEGINS = lazy_pattern(r"\W{0,4}(\d{4}-\d\d-\d\d)\b")


def outdated(index: Index, lines: Iterable[AnyLine], *, as_of: date | None = None) -> dict[Citation, AnyLine]:
    """Return place -> the newest line that outdates it, for the outdated ones of these lines."""
    noted, wanted = index.noted(), list(lines)
    if len(noted) > _MOST_NOTED:
        noted.clear()
    if missing := [line for line in wanted if (line.source, as_of) not in noted]:
        found = NewerLines(index).of(missing, as_of=as_of)
        noted.update(((line.source, as_of), found.get(line.source)) for line in missing)
    return {line.source: newer for line in wanted if (newer := noted[line.source, as_of]) is not None}


def _on_the_review_page(index: Index) -> Sequence[AcceptedChange]:
    said = [text for text in index.texts_in(_REVIEW) if _REPLACES in text]
    if not said:
        return ()
    from commonplace.core.review.line_changes import accepted_changes  # here, because most pages have none

    return tuple(accepted_changes(said))


def _accepted(
    index: Index, older: AnyLine, accepted: Iterable[AcceptedChange], *, as_of: date | None
) -> AnyLine | None:
    """Return the line that, as was accepted, replaces another, if both are there still."""
    for change in accepted:
        if change.older.is_of(older):
            for stored in index.lines(index.rows_in(change.newer.path)).values():
                line = stored.line
                known = as_of is None or (line.recorded is not None and line.recorded <= as_of)
                if known and change.newer.is_of(line):
                    return line
    return None


def _may_pass(line: AnyLine) -> bool:
    """Whether it is a dated line that somebody wrote, and no fact."""
    return not isinstance(line, Fact) and line.origin is not Origin.GENERATED and line.recorded is not None


class NewerLines:
    """Finds the lines that outdate others; what it reads of a line it keeps, since lines of one topic meet again.

    Args:
        accepted: changes that were accepted; None: those on the review page as indexed.
    """

    def __init__(self, index: Index, *, accepted: Sequence[AcceptedChange] | None = None) -> None:
        self._index = index
        self._accepted = accepted
        self._above: Above = {}
        self._moved = MovedDays(index, follows=lambda one, other: may_outdate(one, other) and _follows(one, other))
        self._told: dict[int, ToldStates] = {}
        self._cues: dict[int, frozenset[str]] = {}
        """Row -> what it may tell of a change."""

    def of(self, lines: Iterable[AnyLine], *, as_of: date | None = None) -> dict[Citation, AnyLine]:
        """Return place -> the newest line that outdates it, for the outdated ones of these lines."""
        rows = [*self._index.rows_at([line.source for line in lines if _may_pass(line)]).values()]
        if self._accepted is None and rows:
            self._accepted = _on_the_review_page(self._index)
        found: dict[Citation, AnyLine] = {}
        for at in range(0, len(rows), _AT_ONCE):
            olders = [line for line in self._index.lines(rows[at : at + _AT_ONCE]).values() if line.role in _TOLD]
            newest = self._newest(olders, as_of=as_of)
            for older in olders:
                newer = newest.get(older.row)
                newer = newer or _accepted(self._index, older.line, self._accepted or (), as_of=as_of)
                if newer is not None:
                    found[older.line.source] = newer
        return found

    def _newest(self, olders: Sequence[StoredLine], *, as_of: date | None) -> dict[int, AnyLine]:
        """Return row -> the newest line that outdates it; what is read is read for all of them at once."""
        self._read(olders)
        found, moving = self._having(olders, as_of=as_of)
        lines = self._index.lines({row for rows in found.values() for row in rows})
        self._read(lines.values())
        newest = self._moved.of(moving, as_of=as_of)
        for older in olders:
            later = [line for row in found.get(older.row, ()) if may_outdate(line := lines[row], older)]
            later.sort(key=lambda each: (day_of(each.line), str(each.line.source)), reverse=True)
            for each in later:
                says = outdates if _follows(each, older) else corrects if _is_current(each) else None
                if says is not None and says(self._told[each.row], self._told[older.row]):
                    newest[older.row] = each.line
                    break
        return newest

    def _having(
        self, olders: Collection[StoredLine], *, as_of: date | None
    ) -> tuple[dict[int, list[int]], list[tuple[StoredLine, list[int]]]]:
        """Return row -> rows of lines of its topic that tell of a change: the newest after it, and undated ones; and
        lines, each with the rows of those that may move its day. All are searched and read together."""
        index = self._index
        known, undated = index.rows_known(as_of), index.undated_rows()
        terms = {each.row: _telling(self._told[each.row].terms) for each in olders}
        counts, lines = index.frequencies(self._moved.terms(olders).union(*terms.values())), index.totals()[0]
        searches: dict[tuple[KeySearch, RowRange, int], list[int]] = {}
        for row, own in terms.items():
            if keys := _keys(self._told[row], {term: counts[term] for term in own}, lines=lines):
                search = any_of_keys(keys)
                for among in (known._replace(first=max(known.first, row + 1)), undated):
                    searches.setdefault((search, among, index.whose(row)), []).append(row)
        days = [*self._moved.searches(olders, counts, as_of=as_of)]
        asked = [*searches, *((search, among, index.whose(older.row)) for older, search, among in days)]
        having = index.match_each([each[:2] for each in asked], limit=_MOST, whose=[each[2] for each in asked])
        self._read_changes({row for rows in having for row in rows})
        found: dict[int, set[int]] = {}
        for rows, others in zip(searches.values(), having[: len(searches)], strict=True):
            for row in rows:
                found.setdefault(row, set()).update(others)
        ends = {row: ended_by(self._told[row]) for row in found}
        changing = {
            row: [each for each in rows if not ends[row].isdisjoint(self._cues.get(each, ()))]
            for row, rows in found.items()
        }
        return changing, [(each[0], rows) for each, rows in zip(days, having[len(searches) :], strict=True)]

    def _read_changes(self, rows: set[int]) -> None:
        """Read of which changes these lines tell."""
        texts = {row: text for row, (_, _, text) in self._index.texts(rows.difference(self._cues)).items()}
        self._cues.update((row, cues(text)) for row, text in texts.items())
        self._moved.read({row: text for row, text in texts.items() if ANOTHER_DAY in self._cues[row]})

    def _read(self, lines: Collection[StoredLine]) -> None:
        """Read what these lines tell."""
        self._index.ancestors((each.parent for each in lines), self._above)
        for each in lines:
            if each.row not in self._told:
                above = chain(each.parent, self._above)[-1:]
                self._told[each.row] = told(each.line.content, each.role, above)


def _telling(terms: Iterable[str]) -> set[str]:
    """Return those by which lines of a topic are found."""
    return {term for term in terms if len(term) > 1 and not term.isdecimal()} - small_terms()


def _keys(older: ToldStates, counts: Mapping[str, int], *, lines: int) -> list[tuple[str, ...]]:
    """Return what lines of the topic of this one have: two of its rarest words, or an identifier of it.

    Args:
        counts: by its telling terms, how many of all `lines` have them.
    """

    def rarest(among: Iterable[str], most: int) -> list[str]:
        told_again = (term for term in among if counts.get(term, 0) > 1)
        return sorted(told_again, key=lambda term: (counts[term], term))[:most]

    rare = rarest(counts, _RAREST)
    pairs = [*combinations(rare, 2), *(tuple(rarest(each.subject, 2)) for each in older.statements)]
    pairs = [pair for pair in pairs if prod(counts[term] for term in pair) <= _MOST * lines]  # else of many topics
    lone = ((term,) for term in rare if term.isalnum() and not term.isalpha())
    return list(dict.fromkeys((*filter(None, pairs), *lone)))


def day_of(line: AnyLine) -> date:
    """Return the day of a line: that of its log, or the one with which it begins in an undated file."""
    if line.recorded is not None:
        return line.recorded
    found = _BEGINS.match(line.content)
    try:
        return date.fromisoformat(found[1]) if found else date.min
    except ValueError:
        return date.min


def may_outdate(newer: StoredLine, older: StoredLine) -> bool:
    """Return whether a line states something, as the author or as the same other, and in no old copy."""
    if newer.role in (Role.CODE, Role.META) or newer.line.origin is Origin.GENERATED:
        return False
    if is_old_copy(newer.line.source.path):
        return False
    return not newer.line.trailer.outsider or bool(older.line.trailer.outsider)


def _is_current(stored: StoredLine) -> bool:
    """Whether a line stands in a file without days at the top of the workspace, which people keep current."""
    return stored.line.recorded is None and "/" not in stored.line.source.path


def _follows(newer: StoredLine, older: StoredLine) -> bool:
    """Whether a line is surely later than another."""
    one, other = newer.line, older.line
    assert other.recorded is not None
    day, same = day_of(one), newer.file == older.file and one.source.line > other.source.line
    return day > other.recorded or (day == other.recorded and same)
