"""Queries for check, status and forget: problems, citations and counts."""

from collections.abc import Iterable
from typing import NamedTuple

from commonplace.core.markdown.slug import FOLDER
from commonplace.core.model import Citation, Problem
from commonplace.store.sqlite.fact_queries import FactQueries
from commonplace.store.sqlite.index_schema import LINE, stored


class FactPlace(NamedTuple):
    """The place of a fact, as indexed."""

    path: str
    line: int
    lines: int
    """Number of lines of the fact."""
    digest: str
    """Digest of its file, as indexed."""
    twins: int
    """Number of facts in that file with the same base id and text, this one included."""


class ReportQueries(FactQueries):
    """Lists problems, citations and counts, for check, status and forget."""

    def problems(self) -> list[Problem]:
        """Return every problem in order of path and line, including duplicate ids and pages."""
        sql = "select f.path, p.line, p.code, p.message, p.hint from problems p join files f using (file)"
        found = [
            Problem(Citation(path, line), code, message, hint) for path, line, code, message, hint in self.all(sql)
        ]
        for path, name in self.twins().items():
            message = f"{name} has another page: reflect does not change this one"
            hint = "merge them: commonplace entity merge, with both names as spelled by the files"
            if not path.startswith(FOLDER):
                hint = "keep one: copy to it what only the other has, and delete that one"
            found.append(Problem(Citation(path, 1), "two-pages", message, hint))
        pages = self.entity_pages()
        own = {names[0]: path for path, names in pages.items()}
        for path, names in pages.items():
            for other in sorted({own[name] for name in names[1:] if name in own} - {path}):
                message = f"an alias here also has its own page, {other}: facts under that name go there"
                hint = "merge them: commonplace entity merge; or remove the alias"
                found.append(Problem(Citation(path, 1), "alias-has-page", message, hint))
        sql = (
            "select f.path, l.line, x.base from facts x join lines l using (row) join files f using (file)"
            " where x.block and x.origin <> 'generated' and x.id <> x.base"
        )
        hint = "change or remove the block id of one of them"
        for path, line, base in self.all(sql):
            found.append(Problem(Citation(path, line), "duplicate-id", f"^{base} is used twice", hint))
        return sorted(found)

    def dangling(self) -> list[tuple[Citation, str, str]]:
        """Return the trailers that name a fact or opinion that does not exist: (place, relation, id)."""
        sql = (
            "select f.path, l.line, r.relation, r.target"
            " from relations r join lines l using (row) join files f using (file)"
            " where not exists (select 1 from facts x where x.id = r.target)"
            " and not exists (select 1 from opinions o where o.id = r.target) order by 1, 2, 3, 4"
        )
        return [(Citation(path, line), relation, target) for path, line, relation, target in self.all(sql)]

    def stands(self, ids: Iterable[str]) -> dict[str, FactPlace]:
        """Return the places of facts by id."""
        sql = (
            "select x.id, f.path, l.line, l.count, f.digest,"
            " (select count(*) from facts y join lines m using (row)"
            " where y.base = x.base and m.file = l.file and m.text = l.text and y.origin <> 'generated')"
            " from carray(?) j join facts x on x.id = j.value join lines l using (row) join files f using (file)"
            " where x.origin <> 'generated'"
        )
        return {id: FactPlace._make(place) for id, *place in self.all(sql, (self.listed(ids),))}

    def counts(self) -> dict[str, int]:
        """Return the number of files, lines, facts, entities and opinions in the index."""
        files, facts, _ = self.sizes()
        return {
            "files": files,
            "lines": self.totals()[0],
            "facts": facts,
            "entities": self.one("select count(*) from (select key from named union select key from aliases)"),
            "opinions": self.one("select count(*) from opinions"),
        }

    def dump(self) -> list[str]:
        """Return everything in the index without row numbers: two indexes of the same Markdown give the same dump."""
        rows = []
        for line in [stored(record) for record in self.all(LINE)]:
            whole = line.line._replace(context=self.context(line))
            rows.append(repr((str(whole.source), line.role, line.is_fact, line.conflict, line.length, whole)))
        rows += map(repr, self.entities())
        rows += map(repr, self.aliases().items())
        rows += map(repr, self.opinions())
        rows += map(repr, self.problems())
        rows += map(repr, self.all("select path, digest, page, title, conflict, copy, regions from files"))
        rows += map(repr, self.all("select term, count from frequency"))
        rows += map(
            repr, self.all("select key, value from meta where key not in ('states', 'looked', 'taken', 'unread')")
        )
        rows += map(repr, self.all("select relation, target, count(*) from relations group by 1, 2"))
        sql = "select f.path, l.line, c.* from claims c join lines l using (row) join files f using (file)"
        rows += (repr((path, line, *claim)) for path, line, _, *claim in self.all(sql))
        sql = "select p.key, f.path, l.line from passages p join lines l using (row) join files f using (file)"
        rows += map(repr, self.all(sql))
        return sorted(rows)
