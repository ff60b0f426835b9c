"""Writes the shared rows of one workspace into the fleet, a batch of files in one transaction.

Nothing is decided by clocks. A workspace has an epoch, drawn when it is first pushed, and a state that each transaction
compares and sets first: (generation, nonce). So a restored copy, or a second machine with the same folder, is refused
before it writes. A row of the fleet is the row of the local index with the number of the workspace in its middle.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import groupby
from secrets import token_hex
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.errors import FleetUnusable
from commonplace.store.postgres.changed_terms import exchanging_terms
from commonplace.store.postgres.dialect import BY_KEYS
from commonplace.store.postgres.fleet_text import OF_FILE, WORKSPACES, FleetNumbers
from commonplace.store.postgres.match_query import LOCAL_DAYS
from commonplace.store.postgres.patient_connection import has_table
from commonplace.store.postgres.push_record import PushState
from commonplace.store.sqlite.index_schema import DAY
from commonplace.store.sqlite.shared_rows import WITHHELD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

    from psycopg.rows import TupleRow

    from commonplace.store.postgres.fleet_vectors import VectorWriter
    from commonplace.store.postgres.patient_connection import PatientConnection
    from commonplace.store.sqlite.shared_rows import SharedFile

    Known = Mapping[str, tuple[int, int]]
    """Name -> (how it is tagged, whether it is used), of those that a workspace knows."""

IDLE = 25_000
"""Milliseconds after which the server ends a turn whose client says nothing: less than the next one waits for it."""
_MOST = 160
"""Files of one transaction, at most."""
_COLUMNS = {
    "files": "file bigint, path varchar, digest text, page text, title text, conflict int, copy text, regions text",
    "blocks": "low bigint, high bigint, file bigint",
    "lines": "row bigint, file bigint, line int, count int, parent bigint, role int, length int, speaker text,"
    " text text, outsider text, terms text",
    "facts": "row bigint, id varchar, base varchar, kind text, confidence double precision, start int, stop int,"
    " origin text, entities text, trailer text, block int, outsider text",
    "relations": "row bigint, relation text, target varchar",
    "claims": "row bigint, key text, slot text, value text, manner text, begins int, ends int",
    "mentions": "key text, row bigint, name text, place int",
    "aliases": "alias text, key text, name text, file bigint",
    "opinions": "file bigint, number int, id varchar, line int, statement text, entities text, prior double precision,"
    " confidence double precision, updated int, disputed varchar",
    "evidence": "rowid bigint, file bigint, opinion int, fact varchar, stance text, day int, path varchar, line int,"
    " confidence double precision, src text",
    "chunks": "file bigint",
    "passages": "key bigint, row bigint",
}
"""Table -> its columns with their types, in the order of the local index."""
_WHEN = "to_char({}, 'YYYY-MM-DD HH24:MI TZ')"
"""When a push was taken, as the server says it."""
_PUSHED = (
    f"select ws, epoch, generation, nonce, root, names, {_WHEN.format('pushed')} from fleet.workspaces where name = %s"
)
_TOMBSTONES = "select salt, digest from fleet.tombstones where name = %s"
_UNKNOWN = (0, 0)
"""How a name is known that a line has and that may be none."""
_LINES_OF = (
    "fleet.blocks b join fleet.lines t on t.row between b.low and b.high where b.file = any(%(files)s::bigint[])"
)
"""The lines of files."""
_RETURNED = {"lines": "t.length", "mentions": "t.key", "passages": "t.key", "aliases": "t.alias, t.key"}
_BY_ROW = ("facts", "relations", "claims", "mentions", "passages", "lines")
_BY_FILE = ("aliases", "opinions", "evidence", "chunks", "files")
_REMOVED = (
    "with blocks as (delete from fleet.blocks where file = any(%(files)s::bigint[]) returning low, high)"
    + "".join(
        f", {table} as (delete from fleet.{table} t using blocks b where t.row between b.low and b.high"
        f" returning {_RETURNED.get(table, 1)})"
        for table in _BY_ROW
    )
    + "".join(
        f", {table} as (delete from fleet.{table} t where file = any(%(files)s) returning {_RETURNED.get(table, 1)})"
        for table in _BY_FILE
    )
    + ", counted as (update fleet.workspaces w set lines = w.lines + %(lines)s - (select count(*) from lines),"
    " length = w.length + %(length)s - (select coalesce(sum(length), 0) from lines),"
    " documents = w.documents + %(documents)s - (select count(*) from blocks) where w.ws = %(ws)s)"
    " select key, null::bigint from mentions union select unnest(array[alias, key]), null from aliases"
    " union select null, key from passages"
)
"""Removes files, and counts what comes in their place: the names that were in them, or the keys of their passages."""


class Pushed(NamedTuple):
    """A workspace as the fleet has it."""

    number: int
    state: PushState
    root: str
    """Digest of all that was shared at the end of the last push; empty in the middle of one."""
    names: str
    """Digest of all names that the workspace knew then."""
    when: str
    """When the server took its last push."""


class FleetWriter:
    """Writes for one workspace."""

    def __init__(self, db: PatientConnection, name: str) -> None:
        self._db = db
        self._name = name
        self._number = 0
        self._unsaid: set[int] = set()
        """Keys of passages that some line has no more, in this transaction."""
        self._tombstones = 0
        """How many of this workspace were read."""

    @property
    def _numbers(self) -> FleetNumbers:
        return FleetNumbers(self._name, self._number)

    @staticmethod
    def first_state() -> PushState:
        """The state of a workspace that was never pushed."""
        return PushState(token_hex(8), 0, token_hex(8))

    @staticmethod
    def batches(first_rows: Mapping[str, int]) -> list[list[str]]:
        """Return the files of each transaction: those whose terms are in the same arrays together, as far as they may
        be, because an array that is written again leaves a gap and a second entry in its index.

        Args:
            first_rows: path -> first row in the local index, in the order of rows.
        """
        found: list[list[str]] = []
        for _, group in groupby(first_rows, key=lambda path: first_rows[path] >> LOCAL_DAYS):
            paths = [*group]
            if found and len(found[-1]) + len(paths) <= _MOST:
                found[-1] += paths
            else:
                found += [paths[at : at + _MOST] for at in range(0, len(paths), _MOST)]
        return found

    def pushed(self) -> Pushed | None:
        """The workspace as the fleet has it; None if it was never pushed."""
        return self._found(self._db.execute(_PUSHED, (self._name,)).fetchall())

    def pushed_and_buried(self) -> tuple[Pushed | None, set[tuple[str, str]]]:
        """The same, and the tombstones."""
        pushed, buried = self._db.ask_all([(_PUSHED, (self._name,)), (_TOMBSTONES, (self._name,))])
        return self._found(pushed), self._buried(buried)

    def _found(self, records: Sequence[TupleRow]) -> Pushed | None:
        if not records:
            return None
        ((self._number, epoch, generation, nonce, root, names, when),) = records
        return Pushed(self._number, PushState(epoch, generation, nonce), root, names, when)

    def _buried(self, records: Sequence[TupleRow]) -> set[tuple[str, str]]:
        self._tombstones = len(records)
        return {(salt, digest) for salt, digest in records}

    def begin(self, state: PushState) -> None:
        """Take a number for a new workspace. Raises FleetUnusable if its tenant has had too many."""
        with self._turn():
            if self.pushed() is not None:
                raise FleetUnusable(f"somebody else has just pushed a workspace {self._name}", "choose another name")
            ((self._number,),) = self._db.execute("update fleet.turns set ws = ws + 1 returning ws").fetchall()
            if self._number >= WORKSPACES:
                raise FleetUnusable(f"a tenant has at most {WORKSPACES - 1:,} workspaces", "use another tenant")
            sql = (
                "insert into fleet.workspaces (ws, name, epoch, generation, nonce, root, names, pushed, lines, length,"
                " documents) values (%s, %s, %s, %s, %s, '', '', now(), 0, 0, 0)"
            )
            self._db.execute(sql, (self._number, self._name, *state))

    def tombstones(self) -> set[tuple[str, str]]:
        """(salt, digest) of each line that this workspace forgot, as the fleet has them."""
        return self._buried(self._db.execute(_TOMBSTONES, (self._name,)).fetchall())

    def bury(
        self,
        lost: Iterable[tuple[str, str]],
        *,
        forgotten: Callable[[str, str], bool],
        known: Known,
    ) -> int:
        """Leave tombstones, and remove the words of the lines that they are of, in one transaction; how many lines.

        Whoever pushed last: what is forgotten goes, and the next push sends those files again without it.

        Args:
            lost: (salt, digest) of each. forgotten: whether they are of a text, or of an id.
            known: as of `write`.
        """
        with self._turn():
            told = [(self._name, *each) for each in lost]
            sql, values = self._inserting("tombstones", "name text, salt text, digest text", told)
            self._db.execute(f"{sql} on conflict do nothing", values)
            there = self.pushed()
            if there is None:
                return 0
            sql = (
                "select l.row, l.text, f.id from fleet.lines l left join fleet.facts f using (tenant, row)"
                " where l.row >> %s & %s = %s"
            )
            lines = self._db.execute(sql, (DAY, WORKSPACES - 1, self._number)).fetchall()
            struck = [row for row, text, id in lines if forgotten(text or "", id.text if id is not None else "")]
            if struck:
                self._strike(struck, known)
            return len(struck)

    def _strike(self, rows: Sequence[int], known: Known) -> None:
        """Leave nothing of these lines but their places."""
        values, among = (rows,), "t.row = any(%s)"
        self._db.ask_all(exchanging_terms("fleet.lines t where t.row = any(%(struck)s::bigint[])", {"struck": rows}))
        keys = {key for (key,) in self._db.execute(f"select key from fleet.mentions t where {among}", values)}
        opinions = f"from fleet.lines t join fleet.opinions o on o.file = t.file and o.line = t.line where {among}"
        for table in ("evidence", "opinions"):
            number = "opinion" if table == "evidence" else "number"
            sql = f"delete from fleet.{table} e where (e.file, e.{number}) in (select o.file, o.number {opinions})"
            self._db.execute(sql, values)
        self._db.execute(
            "update fleet.workspaces w set root = '', names = '', length = w.length"
            f" - (select coalesce(sum(t.length), 0) from fleet.lines t where {among}) where w.ws = %s",
            (rows, self._number),
        )
        # passages of other lines may have its words, and other names of a page may be known by it alone: the next push
        # sends those files again
        blocks = "select b.low, b.high from fleet.lines t join fleet.blocks b on b.file = t.file"
        sql = f"delete from fleet.passages p using ({blocks} where {among}) b where p.row between b.low and b.high"
        self._unsaid.update(key for (key,) in self._db.execute(f"{sql} returning p.key", values))
        sql = f"delete from fleet.aliases a using fleet.lines t where a.file = t.file and {among}"
        keys |= {name for names in self._db.execute(f"{sql} returning a.alias, a.key", values) for name in names}
        for table in ("facts", "relations", "claims", "mentions"):
            self._db.execute(f"delete from fleet.{table} t where {among}", values)
        sql = f"update fleet.files set digest = '' where file in (select t.file from fleet.lines t where {among})"
        self._db.execute(sql, values)
        sql = (
            f"update fleet.lines t set text = %s, length = 0, speaker = null, outsider = null, terms = '' where {among}"
        )
        self._db.execute(sql, (WITHHELD, rows))
        self._settle(set(), keys, known)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """One transaction that no other push of the tenant is in."""
        # not sent together with what follows: a server that waits for the rest of it takes no client for idle
        with self._db.writing(
            f"set local lock_timeout = '30s'; set local statement_timeout = '120s';"
            f" set local idle_in_transaction_session_timeout = {IDLE}; {BY_KEYS};"
            " select tenant from fleet.turns for update"
        ) as asked:
            if not asked[-1]:
                raise FleetUnusable(
                    "this role belongs to no tenant", "ask the administrator: commonplace fleet tenant NAME --url …"
                )
            self._unsaid.clear()
            yield
            if self._unsaid and has_table(self._db, "vectors"):
                self._db.execute(
                    "delete from fleet.vectors v where key = any(%s)"
                    " and not exists (select from fleet.passages p where p.key = v.key)",
                    (sorted(self._unsaid),),
                )

    def workspaces(self) -> dict[str, str]:
        """Name of each workspace of the tenant -> when the server took its last push."""
        return dict(self._db.execute(f"select name, {_WHEN.format('pushed')} from fleet.workspaces order by 1", ()))

    def digests(self) -> dict[str, str]:
        """Path -> digest of each file that the fleet has of this workspace."""
        return {path.text: digest for path, digest in self._files("path, digest")}

    def _files(self, columns: str) -> Iterable[TupleRow]:
        """These columns of each file that the fleet has of this workspace."""
        first = self._number << OF_FILE
        sql = f"select {columns} from fleet.files where file between %s and %s"
        return self._db.execute(sql, (first, first + (1 << OF_FILE) - 1))

    def write(
        self,
        state: PushState,
        following: PushState,
        *,
        put: Sequence[tuple[SharedFile, str]],
        gone: Sequence[str],
        known: Known,
        root: str,
        names: str,
    ) -> str:
        """Replace these files and remove those that are gone, in one transaction; when, as the server says.

        Args:
            state, following: as it must be, and as it is then. put: files with their digests.
            known: the names that this workspace knows, and how. root, names: see `Pushed`.
        Raises FleetUnusable if somebody else pushed this workspace meanwhile, or from an older copy.
        """
        with self._turn():
            sql = (
                "update fleet.workspaces w set generation = %s, nonce = %s, root = %s, names = %s, pushed = now()"
                " from fleet.workspaces before where before.name = w.name and w.name = %s and w.epoch = %s"
                " and w.generation = %s and w.nonce = %s returning before.names,"
                f" (select count(*) from fleet.tombstones t where t.name = w.name), {_WHEN.format('w.pushed')}"
            )
            values = (*following[1:], root, names, self._name, *state)
            found, replaced = self._db.ask_all([(sql, values), self._replaced([file for file, _ in put], gone)])
            if not found:
                raise FleetUnusable(
                    f"the fleet has another state of {self._name}: a second machine, or a restored copy, has pushed it",
                    "push from where it was last pushed, or adopt it here: commonplace fleet push --take-over",
                )
            ((names_before, buried, when),) = found
            if buried != self._tombstones:
                raise FleetUnusable("something was forgotten in the midst of this push", "commonplace fleet push again")
            keys = {key for file, _ in put for key, *_ in file.rows["mentions"]}
            keys |= {name for file, _ in put for alias, key, *_ in file.rows["aliases"] for name in (alias, key)}
            gone_keys = self._exchange([file for (file,) in replaced], put)
            if (
                names and names != names_before
            ):  # lines that are not shared, and tell of a name, may have changed as well
                keys |= self._known_otherwise(known) - gone_keys
            self._settle(keys, gone_keys, known)
            return str(when)

    def vectors(self, name: str) -> VectorWriter:
        """What sends the vectors of a set."""
        from commonplace.store.postgres.fleet_vectors import VectorWriter

        return VectorWriter(self._db, self._number, name, turn=self._turn)

    def look_at_sizes(self) -> None:
        """Have the server look how large its tables are, after much was pushed."""
        self._db.execute("select fleet.look_at_sizes()")

    def drop(self) -> None:
        """Remove the workspace, whole."""
        with self._turn():
            self._settle(set(), self._exchange([file for (file,) in self._files("file")], ()), {})
            self._db.execute("delete from fleet.known_in where ws = %s", (self._number,))
            self._db.execute("delete from fleet.workspaces where name = %s", (self._name,))

    def _replaced(self, put: Sequence[SharedFile], gone: Sequence[str]) -> tuple[str, Any]:
        """The statement of the files of these paths; and of those with numbers of new ones, if the index was made
        anew: they come again."""
        blocks = [block for file in put for block in file.rows["blocks"]]
        sql = (
            "select file from fleet.files where path = any(%s::varchar[])"
            " union select file from fleet.files where file = any(%s::bigint[])"
            " union select b.file from unnest(%s::bigint[], %s::bigint[]) n(low, high)"
            " join fleet.blocks b on b.low <= n.high and b.high >= n.low"
        )
        paths = [f"{self._name}:{path}" for path in (*gone, *(file.path for file in put))]
        numbers = self._numbers
        lows, highs = ([numbers.row(block[at]) for block in blocks] for at in (0, 1))
        files = [numbers.file(file.head[0]) for file in put]
        return sql, (paths, files, lows, highs)

    def _known_otherwise(self, known: Known) -> set[str]:
        """The names of this workspace's lines that are known otherwise than the fleet has it."""
        sql = "select key, tagged, used from fleet.known_in where ws = %s"
        return {key for key, *how in self._db.execute(sql, (self._number,)) if tuple(how) != known.get(key, _UNKNOWN)}

    def _exchange(self, files: Sequence[int], put: Sequence[tuple[SharedFile, str]]) -> set[str]:
        """Remove files and insert others; the names that were in the former."""
        rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in _COLUMNS}
        for file, digest in put:
            rows["files"].append((file.head[0], file.path, digest, *file.head[3:]))
            rows["lines"] += [(*line, file.terms.get(line[0], "")) for line in file.rows["lines"]]
            for table in _COLUMNS.keys() - {"files", "lines"}:
                rows[table] += file.rows[table]
        numbers = self._numbers
        came = [(numbers.row(row), terms) for file, _ in put for row, terms in file.terms.items()]
        counts = {"lines": len(rows["lines"]), "length": sum(line[6] for line in rows["lines"])}
        counts |= {"documents": len(rows["blocks"]), "ws": self._number}
        inserts = [self._inserting(table, columns, rows[table]) for table, columns in _COLUMNS.items() if rows[table]]
        statements: list[tuple[str, Any]] = exchanging_terms(_LINES_OF, {"files": files}, came)
        statements.append((_REMOVED, {"files": files, **counts}))
        if inserts:
            named = ", ".join(f"part_{at} as ({sql})" for at, (sql, _) in enumerate(inserts))
            statements.append((f"with {named} select", [value for _, values in inserts for value in values]))
        removed, keys = self._db.ask_all(statements)[0], set[str]()
        for key, unsaid in removed:
            if unsaid is None:
                keys.add(key)
            else:
                self._unsaid.add(unsaid)
        return keys

    def _inserting(self, table: str, columns: str, rows: Sequence[tuple[Any, ...]]) -> tuple[str, list[Any]]:
        """The statement that inserts rows, and its values."""
        named = [each.strip().partition(" ") for each in columns.split(",")]
        numbers = self._numbers
        values = [
            [numbers.value(name, kind, value) for value in column]
            for (name, _, kind), column in zip(named, zip(*rows, strict=True), strict=True)
        ]
        lists, names = ", ".join(f"%s::{kind}[]" for *_, kind in named), ", ".join(name for name, *_ in named)
        # the default of the tenant would be looked up for each row
        into = f"insert into fleet.{table} (tenant, {names}) select (select fleet.writer())"
        return f"{into}, * from unnest({lists})", values

    def _settle(self, keys: Set[str], gone: Set[str], known: Known) -> None:
        """Set how names are known in this workspace, and so in the tenant.

        Args:
            keys: names that its lines have. gone: names that they may have no more.
        """
        if not keys | gone:
            return
        both = sorted(keys | gone)
        tagged, used = zip(*(known.get(key, _UNKNOWN) for key in both), strict=True)
        here, there = self._number, [key in keys for key in both]
        known_in = (
            "insert into fleet.known_in (tenant, key, tagged, used, ws)"
            " select (select fleet.writer()), k.key, k.tagged, k.used, %s"
            " from unnest(%s::text[], %s::int[], %s::int[], %s::bool[]) k(key, tagged, used, is_there) where is_there"
            " or exists (select from fleet.mentions m where m.key = k.key and m.row >> %s & %s = %s)"
            " or exists (select from fleet.aliases a where a.alias = k.key and a.file >> %s = %s)"
        )
        known_in_all = (
            "insert into fleet.known (tenant, key, tagged, used) select (select fleet.writer()), key,"
            " case when bool_or(tagged = 1) then 1 else max(tagged) end, max(used)"
            " from fleet.known_in where key = any(%s::text[]) and (tagged <> 0 or used <> 0) group by key"
        )
        self._db.ask_all(
            [
                ("delete from fleet.known_in where ws = %s and key = any(%s::text[])", (here, both)),
                (known_in, (here, both, [*tagged], [*used], there, DAY, WORKSPACES - 1, here, OF_FILE, here)),
                ("delete from fleet.known where key = any(%s::text[])", (both,)),
                (known_in_all, (both,)),
            ]
        )
