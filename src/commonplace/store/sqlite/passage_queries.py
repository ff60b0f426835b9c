"""Queries for passages: which text to embed is in which row, by key. Empty unless meaning is on."""

from collections.abc import Iterable

from commonplace.core.recall.index_rows import RowRange
from commonplace.store.sqlite.database import Database


class PassageQueries(Database):
    """Finds passages by row, and rows by passage; counts and drops them."""

    @property
    def embeds(self) -> bool:
        """Whether the passages of all lines are noted."""
        return bool(self.one("select value from meta where key = 'embeds'"))

    def drop_passages(self) -> None:
        """Note no passages any more."""

        def work() -> None:
            self.run("delete from passages")
            self.run("update meta set value = 0 where key = 'embeds'")

        self.transaction(work)

    def count_passages(self) -> int:
        """Return the number of passages, each text once."""
        return self.one("select count(distinct key) from passages") or 0

    def passage_rows(self, keys: Iterable[int]) -> list[tuple[int, int]]:
        """Return (key, row) of each row with one of these passages."""
        sql = "select p.key, p.row from carray(?) j cross join passages p on p.key = j.value"
        return self.all(sql, (self.listed(keys),))

    def passage_keys(self, rows: Iterable[int]) -> list[tuple[int, int]]:
        """Return (key, row) of each passage of these rows."""
        sql = "select p.key, p.row from carray(?) j cross join passages p on p.row = j.value"
        return self.all(sql, (self.listed(rows),))

    def passages_among(self, among: RowRange) -> list[int]:
        """Return the keys of the passages of a range of rows, in any order."""
        return [key for (key,) in self.run("select distinct key from passages where row between ? and ?", among)]

    def all_passages(self) -> list[tuple[int, int]]:
        """Return (key, row) of each passage, of the newest row with it: those of facts first, then the newest."""
        sql = (
            "select p.key, max(p.row) from passages p left join facts x using (row) group by p.key"
            " order by max(x.row is not null) desc, max(p.row) desc"
        )
        return self.all(sql)

    def newest_passages(self, limit: int) -> list[tuple[int, int]]:
        """Return (key, row) of the passages of the newest rows."""
        return self.all("select key, row from passages order by row desc limit ?", (limit,))
