"""Which rows are of reports that somebody has made again and again: they give way to what a log tells."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.extract.report_series import series

if TYPE_CHECKING:
    from commonplace.store.sqlite import Index


class ReportRows(NamedTuple):
    """Rows in ranges, each of what one report has of one day."""

    firsts: tuple[int, ...]
    lasts: tuple[int, ...]

    def has(self, row: int) -> bool:
        """Return whether a row is of a report."""
        at = bisect_right(self.firsts, row) - 1
        return at >= 0 and row <= self.lasts[at]


def report_rows(index: Index) -> ReportRows:
    """Return the rows of reports, which their workspace tells; kept while the index is as it is."""
    noted = index.noted()
    if "reports" not in noted:
        blocks = [(index.whose(first), first, last, path) for first, last, path in index.dated_blocks()]
        paths: dict[int, set[str]] = {}
        for whose, _, _, path in blocks:
            paths.setdefault(whose, set()).add(path)
        reports = {whose: series(each) for whose, each in paths.items()}
        found = [(first, last) for whose, first, last, path in blocks if path in reports[whose]]
        noted["reports"] = ReportRows(tuple(first for first, _ in found), tuple(last for _, last in found))
    known: ReportRows = noted["reports"]
    return known
