"""The statements that read lines: what a recall asks of lines next comes with them, all of it in one answer.

PostgreSQL looks a row up in a microsecond, while each statement is sent, planned and answered for several hundred.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from commonplace.core.claims.succession import OVER
from commonplace.core.model import Kind
from commonplace.core.recall.index_rows import DEEPEST
from commonplace.store.postgres.dialect import KeptPlan, translated
from commonplace.store.postgres.fleet_text import WORKSPACES
from commonplace.store.sqlite.claim_queries import CLAIM, MOST_CLAIMS
from commonplace.store.sqlite.fact_queries import EVIDENCE, OPINIONS
from commonplace.store.sqlite.index_schema import DAY
from commonplace.store.sqlite.line_queries import COUNTS, LINES_AT
from commonplace.store.sqlite.search_queries import ALSO

GIVEN = "%(rows)s::bigint[]"
"""The rows that are asked for."""
_WANTED = "(select rows from wanted)::bigint[]"
"""Those, and the newest claims of their slots and what has a relation to them."""
_NAMING, _JUDGING = "%(named)s::bool", "%(judged)s::bool"
_OWN = (
    "own as materialized (select row, file, line, count, parent, role, length, speaker, text, outsider"
    " from fleet.lines where row = any({}))"
)
_BLOCK = "cross join lateral (select low, high from fleet.blocks where low <= l.row order by low desc limit 1) b"
_LINES = (
    translated(LINES_AT)
    .replace(translated("carray(?) j cross join lines l on l.row = j.value"), "own l")
    .replace(" from own", ", b.low, b.high, coalesce(x.outsider, l.outsider, '') <> '' from own")
    + f" {_BLOCK}"
)
_NAMED = f"select row, key, name from fleet.named where {_NAMING} and row = any({{}})"
_REGIONS = (
    f"select f.path, f.regions from (select distinct file from own where {_NAMING}) l"
    " cross join lateral (select path, regions from fleet.files where file = l.file offset 0) f"
)
_TEXT = "row, parent, file, text, line"
_UP = (
    f"near as materialized (select {_TEXT} from fleet.lines where row = any({{beside}})),"
    f" up({_TEXT}, depth) as (select {_TEXT}, 1 from fleet.lines"
    " where row = any(array(select distinct parent from ({below}) n where parent <> 0))"
    " union all select l.*, u.depth + 1 from (select distinct parent, depth from up where parent <> 0) u"
    f" cross join lateral (select {_TEXT} from fleet.lines where row = u.parent offset 0) l where u.depth < {DEEPEST})"
)
_TEXTS = f"select * from near union all select {_TEXT} from up"
_PARENTS = "select parent from near"
UPWARDS = f"with recursive {_UP.format(beside='%(beside)s::bigint[]', below=_PARENTS)} {_TEXTS}"
"""Texts of lines `beside`, and of what is above them; some of these several times."""
SEARCHED = "select at, array_agg(row)::text from ({}) s(at, row) group by at"
"""The rows of each search, as a text: of thousands of rows PostgreSQL sends and psycopg reads one record in their time
for ten.
"""
TEXTS_TOO = (
    "with found(at, row) as materialized ({}), every as materialized (select distinct row from found)"
    " select null::bigint, at::bigint, null::bigint, array_agg(row)::text, null::int from found group by at"
    f" union all select l.* from every s cross join lateral (select {_TEXT} from fleet.lines where row = s.row"
    " offset 0) l"
)
"""The same, and what `UPWARDS` says of these rows."""
_IS_ONE = " and x.outsider <> ''"
_OUTSIDER = "(select x.outsider from fleet.facts x where x.row = l.row{})"
EXTENTS = (
    "select l.row, b.low, b.high, l.length, case when l.outsider is null"
    f" then {_OUTSIDER.format(_IS_ONE)} is not null"
    f" else coalesce({_OUTSIDER.format('')}, l.outsider) <> '' end"
    f" from (select row, length, outsider from fleet.lines where row = any(%(unmeasured)s::bigint[])) l {_BLOCK}"
)
"""Documents and lengths of lines, and whether somebody other than the author said them: few facts, in an index of their
own."""
_NAMES = (
    "cross join lateral (select t.key as name union select b.alias"
    " from (select key from fleet.aliases where alias = t.key offset 0) a"
    " cross join lateral (select alias from fleet.aliases where key = a.key offset 0) b) n"
)
"""The other names of what a name `t.key` may mean."""
_MEANT = (
    "select a.alias, a.key, b.alias from ({}) c"
    " cross join lateral (select alias, key from fleet.aliases where alias = c.name offset 0) a"
    " cross join lateral (select alias from fleet.aliases where key = a.key offset 0) b"
)
"""What names mean, each with its other names."""
_ALSO = ALSO.replace(
    "from aliases a join aliases b on b.alias = a.alias",
    "from (select distinct key from names) n cross join lateral (select * from aliases where key = n.key offset 0) a"
    " cross join lateral (select * from aliases where alias = a.alias offset 0) b",
)
NAMES_TOO = (
    "with names(name, key) as materialized ({}),"
    f" also(key, alias, owners, own, used) as materialized ({_ALSO} group by a.key, a.alias),"
    " keys as materialized (select key as name from names union select alias from also)"
    " select 0, name, key, null, null::bigint, null::int, null::bool from names"
    " union all select 1, null, key, alias, owners, own, used from also"
    " union all select 2, null, name, null, null, null, null from keys"
    " union all select distinct 3, f.path::text, k.name, null, null::bigint, null::int, null::bool from keys k"
    " cross join lateral (select file from aliases where key = k.name offset 0) a"
    " cross join lateral (select path from files where file = a.file offset 0) f"
    f" union all select 4, m.*, null, null, null from ({_MEANT.format('select name from keys')}) m"
)
"""Entities that names mean; their other names; all of these, the pages that they have, and what they may mean."""
_CLAIMS = f"{CLAIM.partition(' ')[2]}, x.id"
_OF_FACT = "cross join lateral (select * from fleet.facts where row = c.row offset 0) x"
_AFTER = OVER[:-1] + chr(ord(OVER[-1]) + 1)
"""What comes after all slots that begin so."""

_JUDGED = (
    f"judged as materialized (select l.row, o.* from (select row, file, line from own where {_JUDGING}) l"
    f" cross join lateral ({OPINIONS} where o.file = l.file and o.line = l.line offset 0) o)"
)
_EVIDENCE = (
    f"{EVIDENCE} from ({{}}) j"
    " cross join lateral (select * from fleet.evidence where file = j.file and opinion = j.number offset 0) e"
    " order by e.rowid"
)


class Parts(NamedTuple):
    """What is asked of lines: the number of columns and the query of each part, or its records."""

    lines: Any
    """They themselves, with their documents."""
    texts: Any = (0, "")
    """Beside and above them."""
    told: Any = (0, "")
    """Slots and entities that they tell of."""
    meant: Any = (0, "")
    """What names of these entities mean, and what those mean."""
    claimed: Any = (0, "")
    """Claims of these slots."""
    ended: Any = (0, "")
    """Those of what is over for these entities."""
    related: Any = (0, "")
    """What has a relation to their facts, and to those that claim."""
    judged: Any = (0, "")
    """Opinions that people keep on them."""
    held: Any = (0, "")
    """Of those that are opinions: the opinions that have them as evidence, or their words."""
    evidence: Any = (0, "")
    """That of all these opinions."""
    named: Any = (0, "")
    """Known names in them, if these are asked for."""
    regions: Any = (0, "")
    """Our regions in their files, if these are asked for."""


_PARTS = Parts(
    (25, _LINES),
    (5, _TEXTS),
    (3, "select row, key, slot from told union select row, key, null from tags"),
    (3, _MEANT.format(f"select distinct n.name from (select key from tags union select key from told) t {_NAMES}")),
    (10, "select * from claimed"),
    (10, "select * from ended"),
    (
        3,
        "select i.id, r.relation, r.row from (select id from claimed union select id from ended"
        f" union select id from fleet.facts where row = any({_WANTED})) i"
        f" cross join lateral (select * from fleet.relations where target = i.id offset 0) r where {COUNTS}",
    ),
    (12, "select * from judged"),
    (13, "select * from held"),
    (9, _EVIDENCE.format("select file, number from judged union select file, number from held")),
    (3, _NAMED.format(_WANTED)),
    (2, _REGIONS),
)
_OF_MANY = Parts(
    (25, _LINES),
    judged=(12, "select * from judged"),
    evidence=(9, _EVIDENCE.format("select distinct file, number from judged")),
    named=(3, _NAMED.format(GIVEN)),
    regions=(2, _REGIONS),
)


def _listed(columns: int, query: str) -> str:
    if not query:
        return "null"
    names = ", ".join(f"c{at}" for at in range(columns))
    return f"(select json_agg(json_build_array({names})) from ({query}) s({names}))"


def _as_value(parts: Parts) -> str:
    """All parts as one value, selected from within: what a kept plan selects is copied each time it runs, with
    all that is below it."""
    return f"select value from (select json_build_array({', '.join(_listed(*each) for each in parts)}) as value) v"


_BESIDE = "%(beside)s::bigint[] || array(select row + step from newest cross join (values (-1), (1)) s(step))"
READ_LINES = (
    f"with recursive newest as materialized (select max(c.row) as row from (select distinct key, ws, slot"
    f" from fleet.claims where row = any({GIVEN})) t {_NAMES} cross join lateral (select row from fleet.claims"
    " where key = n.name and ws = t.ws and slot = t.slot order by row desc limit 1) c group by t.key, t.ws, t.slot"
    f" union select r.row from (select id from fleet.facts where row = any({GIVEN})) x cross join lateral"
    " (select row from fleet.relations where target = x.id offset 0) r),"
    f" wanted as materialized (select {GIVEN} || array(select row from newest) as rows), {_OWN.format(_WANTED)},"
    f" {_UP.format(beside=_BESIDE, below=f'{_PARENTS} union all select parent from own')},"
    f" told as materialized (select row, key, ws, slot from fleet.claims where row = any({_WANTED})),"
    f" tags as materialized (select row, key from fleet.tagged where row = any({_WANTED})),"
    f" stated as materialized (select x.id, l.text from (select row, id from fleet.facts where {_JUDGING}"
    f" and row = any({_WANTED}) and kind = '{Kind.OPINION.letter}') x"
    " cross join lateral (select text from fleet.lines where row = x.row offset 0) l),"
    f" {_JUDGED},"
    " held(fact, words) as materialized (select x.id, null, o.* from stated x cross join lateral"
    " (select file, opinion from fleet.evidence where fact = x.id and stance = 'supports' offset 0) e"
    f" cross join lateral ({OPINIONS} where o.file = e.file and o.number = e.opinion offset 0) o"
    " union all select null, o.statement, o.*"
    " from (select array_agg(text) as texts from stated having count(*) > 0) t"
    f" cross join lateral ({OPINIONS} where o.statement = any(t.texts) offset 0) o),"
    f" claimed as materialized (select distinct {_CLAIMS} from (select distinct key, ws, slot from told) t {_NAMES}"
    " cross join lateral (select * from fleet.claims where key = n.name and ws = t.ws and slot = t.slot offset 0) c"
    f" {_OF_FACT} limit {MOST_CLAIMS}),"
    f" ended as materialized (select distinct {_CLAIMS}"
    f" from (select distinct key, (row >> {DAY} & {WORKSPACES - 1})::int as ws from tags) t {_NAMES}"
    " cross join lateral (select * from fleet.claims where key = n.name and ws = t.ws"
    f" and slot >= '{OVER}' and slot < '{_AFTER}' offset 0) c {_OF_FACT})"
    f" {_as_value(_PARTS)}"
)
"""All of it, as one value, of the given lines, of the newest claims of their slots, which replace most of what is
replaced, and of what has a relation to their facts."""
READ_MANY = f"with {_OWN.format(GIVEN)}, {_JUDGED} {_as_value(_OF_MANY)}"
"""Lines of which most will be left out, with their documents, the opinions on them and, if asked for, names and
regions."""
KEPT = {text: KeptPlan(text) for text in (READ_LINES, EXTENTS, UPWARDS, READ_MANY)}
"""Statement -> its plan, which the server keeps."""
