"""The steps of all kinds by turns, each kind with its share of the time, in processes beside each other."""

from __future__ import annotations

import os
import tempfile
import time
import traceback
from multiprocessing import get_context
from pathlib import Path
from queue import Empty
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tests.soak.fuzz import Fuzz
from tests.soak.hands import Hands
from tests.soak.interrupted import Interrupted
from tests.soak.races import Races
from tests.soak.report import KINDS, Report, Step
from tests.soak.world import free

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SHARES = {"kills": 4, "errors": 4, "races": 3, "hands": 2, "fuzz": 2}
"""How the time is shared out."""
BROKEN = "the campaign itself"
MOST_BROKEN = 20
"""Steps that break down before a process gives up."""


class Kind(Protocol):
    """A kind of fault."""

    kind: str
    available: bool

    def step(self, number: int, chance: Random) -> tuple[str, str, list[str]]:
        """What was tried, what was done, and what is wrong now."""


def kinds(top: Path, names: tuple[str, ...], seed: str) -> dict[str, Kind]:
    """The kinds of these names, each with a folder of its own."""
    made: dict[str, Callable[[Path], Kind]] = {
        "kills": lambda top: Interrupted(top, "kills", seed),
        "errors": lambda top: Interrupted(top, "errors", seed),
        "races": Races,
        "hands": Hands,
        "fuzz": Fuzz,
    }
    found = {}
    for name in names:
        (top / name).mkdir(parents=True, exist_ok=True)
        found[name] = made[name](top / name)
    return found


def one(kind: Kind, seed: str, number: int) -> Step:
    """One step; a step that breaks down is a finding too."""
    chance = Random(f"{seed}/{kind.kind}/{number}")
    try:
        area, told, found = kind.step(number, chance)
    except Exception:
        area, told, found = BROKEN, "a step broke down", [traceback.format_exc()[-2500:]]
    return Step(kind.kind, number, area, told, tuple(found))


def home() -> Path:
    """A folder in memory where there is one, kept when something was found."""
    return Path(tempfile.mkdtemp(prefix="soak-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))


class Plan(NamedTuple):
    """Which steps one process makes."""

    seed: str
    until: float
    """By the monotonic clock."""
    first: int
    apart: int
    """Other processes make the steps between."""
    most: int
    """Steps of each kind; 0 for as many as there is time for."""


def steps(top: Path, names: tuple[str, ...], plan: Plan) -> Iterator[Step]:
    """Steps until a time, always of the kind that is furthest behind its share of it."""
    running = {name: kind for name, kind in kinds(top, names, plan.seed).items() if kind.available}
    spent = dict.fromkeys(running, 0.0)
    number, broken = dict.fromkeys(running, plan.first), 0
    while running and time.monotonic() < plan.until:
        if plan.most and min(number.values()) >= plan.most:
            break
        name = min(running, key=lambda name: (0 < plan.most <= number[name], spent[name] / SHARES[name]))
        begun = time.monotonic()
        step = one(running[name], plan.seed, number[name])
        yield step
        broken += step.area == BROKEN
        if broken >= MOST_BROKEN:
            break
        spent[name] += time.monotonic() - begun
        number[name] += plan.apart


class Asked(NamedTuple):
    """What campaign is wanted."""

    seconds: float
    steps: int
    """Of each kind; 0: as many as there is time for."""
    seed: str
    jobs: int
    names: tuple[str, ...]


def run(asked: Asked, tell: Callable[[str], None]) -> Report:
    """A campaign in so many processes; progress is told as it goes."""
    seconds, most, seed, jobs, names = asked
    report, context, top = Report(seed), get_context("fork"), home()
    for name, kind in kinds(top / "probe", names, seed).items():
        if not kind.available:
            report.missing[name] = f"{KINDS[name]}: needs ptrace on Linux, x86-64"
    queue: Any = context.Queue()
    until = time.monotonic() + seconds
    workers = [
        context.Process(target=_work, args=(queue, top / str(at), names, Plan(seed, until, at, jobs, most)))
        for at in range(jobs)
    ]
    for worker in workers:
        worker.start()
    told = time.monotonic()
    while any(worker.is_alive() for worker in workers) or not queue.empty():
        try:
            step: Step = queue.get(timeout=1)
        except Empty:
            continue
        report.add(step)
        for wrong in step.found:
            tell(f"FOUND {step.kind}:{step.number} {step.told}\n    {wrong}")
        if time.monotonic() - told > 15:
            told = time.monotonic()
            tell(f"{max(0, until - told):.0f} s left: {report.line()}")
    for worker in workers:
        worker.join()
        if worker.exitcode:
            report.add(Step("kills", -1, BROKEN, f"a process of it ended with {worker.exitcode}", ("?",)))
    if report.findings:
        tell(f"what was found lies in {top}")
    else:
        free(top)
    return report


def _work(queue: Any, top: Path, names: tuple[str, ...], plan: Plan) -> None:
    for step in steps(top, names, plan):
        queue.put(step)
