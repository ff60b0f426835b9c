"""Brings postings and frequencies from the terms of some lines to those of others: only what differs is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.store.postgres.match_query import BLOCK

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHANGED = (
    "with said(row, terms, is_new) as (select t.row, t.terms, false from {lost}"
    " union all select c.row, c.terms, true from unnest(%(rows)s::bigint[], %(terms)s::text[]) c(row, terms)),"
    ' of_lines as (select distinct row, term collate "C" as term, is_new'
    " from said, unnest(string_to_array(terms, ' ')) term where terms <> ''),"
    " changed as (select row, term, bool_or(is_new) as is_new from of_lines group by row, term having count(*) = 1)"
)
_POSTINGS = (
    "merge into fleet.postings p using ({changed} select term, {block} as block,"
    " coalesce(array_agg(row order by row) filter (where is_new), '{{}}') as came,"
    " coalesce(array_agg(row) filter (where not is_new), '{{}}') as lost from changed group by 1, 2 order by 1, 2) c"
    " on p.term = c.term and p.block = c.block"
    " when matched and p.n + cardinality(c.came) = cardinality(c.lost) then delete"
    " when matched then update set rows = array("
    "(select unnest(p.rows) except select unnest(c.lost)) union all select unnest(c.came) order by 1)"
    " when not matched then insert (tenant, term, block, rows)"
    " values ((select fleet.writer()), c.term, c.block, c.came)"
).replace("{block}", BLOCK.format(row="row"))
_FREQUENCIES = (
    "merge into fleet.frequency f using ({changed} select term, sum(case when is_new then 1 else -1 end) as more"
    " from changed group by term having sum(case when is_new then 1 else -1 end) <> 0 order by term) c"
    " on f.term = c.term when matched and f.n + c.more <= 0 then delete"
    " when matched then update set n = f.n + c.more when not matched then insert (tenant, term, n)"
    " values ((select fleet.writer()), c.term, c.more)"
)


def exchanging_terms(
    lost: str, values: dict[str, Any], came: Sequence[tuple[int, str]] = ()
) -> list[tuple[str, dict[str, Any]]]:
    """The statements, with their values, that take the terms of the lines `lost`, which are still there, out of the
    fleet, and put those of others in.

    Args:
        lost: tables of a query, of which `t` are the lines, with its named values. came: (row, terms) of each.
    """
    given = values | {"rows": [row for row, _ in came], "terms": [terms.replace("\0", "\ufffd") for _, terms in came]}
    changed = _CHANGED.format(lost=lost)
    return [(statement.format(changed=changed), given) for statement in (_POSTINGS, _FREQUENCIES)]
