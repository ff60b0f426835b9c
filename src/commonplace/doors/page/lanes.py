"""The two lanes to the memory: quick verbs in this process, slow ones in a worker, so that no question waits for them.

`opinions`, `review`, `check` and `reflect` take up to seconds in a large folder and keep Python's lock (measured over
91,000 lines: the 95th percentile of a recall was 445 ms beside a thread that listed opinions, 15 ms beside a process).
What they answer is kept as a snapshot, shown at once, and renewed when something has changed.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.doors.shared.reopening import LivingMemory
from commonplace.doors.tools import tool_calls
from commonplace.errors import Busy, CommonplaceError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

_LONGEST_LINE = 1 << 28
"""Bytes of one answer of a worker, at most: a listing of a very large folder."""
_PATIENCE = 2.0
"""Seconds that a view waits for its first snapshot, before it says that it comes."""
_TOGETHER = 1.0
"""Seconds after news within which renewed answers are told together, while others are on their way."""
_PAUSE = 0.2
"""Seconds after the last answer on its way before it is told: a view that is being made may ask for others yet."""
_MOST_SNAPSHOTS = 100
_MOST_ANSWERS = 500
"""Of quick verbs, kept until something changes."""
_BEHIND = 10
"""Niceness of a worker: where processors are few, who asks on the page comes first."""
_ENDING = 5.0
"""Seconds that a worker may take to end when its input closes."""


def refused(told: dict[str, str]) -> CommonplaceError:
    """The error that a worker told, with its own code: all classes of errors are in `commonplace.errors`."""
    error = CommonplaceError(told["message"], told["hint"])
    error.code = told["code"]
    return error


class NotYet(Exception):
    """A slow verb is still working on its first answer; pages are told when it has come."""


class Stamp(NamedTuple):
    """Moves with what views show, and with nothing else."""

    taken: int
    """When the index last took something in; 0 if it never did."""
    today: date
    """The memory's day."""


class QuickAnswers(NamedTuple):
    """What quick verbs answered together."""

    today: date
    """The memory's day."""
    in_fleet: bool
    """Whether a fleet is on that this user has allowed."""
    data: list[dict[str, Any]]


class QuickLane:
    """The memory in this process, on a thread of its own."""

    def __init__(self, root: str, today: date | None) -> None:
        self._kept = LivingMemory(root, today=today, embeds=False)  # the watcher does, or a worker
        self._thread = ThreadPoolExecutor(1, "commonplace-page")

    async def call(self, verb: str, **fields: Any) -> dict[str, Any]:
        """The answer of a verb, as data. Raises what the verb raises."""

        def work() -> dict[str, Any]:
            return tool_calls.call(self._kept.memory(), verb, fields).data

        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def calls(self, *asked: tuple[str, dict[str, Any]]) -> QuickAnswers:
        """The answers of several verbs, in one go: each change of threads costs a wait."""

        def work() -> QuickAnswers:
            memory = self._kept.memory()
            data = [tool_calls.call(memory, verb, fields).data for verb, fields in asked]
            return QuickAnswers(memory.today, memory.in_fleet, data)

        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def stamp(self) -> Stamp | None:
        """The stamp once all changes are taken in; None if it is unknown."""

        def work() -> Stamp | None:
            with suppress(CommonplaceError, OSError):
                memory = self._kept.memory()
                if memory.changed():
                    with suppress(CommonplaceError):  # what cannot be written is read all the same
                        tool_calls.call(memory, "index", {})  # merges late saves, too
                return Stamp(memory.taken(), memory.today)
            return None

        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        """Close the memory."""
        self._thread.submit(self._kept.close)
        self._thread.shutdown()


class SlowLane:
    """A worker over the same folder; one request at a time, and a new worker where one has died."""

    def __init__(self, root: str, today: date | None) -> None:
        self._words = [sys.executable, "-m", "commonplace", "worker", "--workspace", root]
        self._words += ["--today", today.isoformat()] if today else []
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._number = 0

    async def call(
        self,
        verb: str,
        *,
        progress: Callable[[dict[str, Any]], None] | None = None,
        begun: Callable[[int], None] | None = None,
        **fields: Any,
    ) -> dict[str, Any]:
        """The answer of a verb, as data. Raises CommonplaceError as the worker says, Busy where it died.

        Args:
            progress: is told `{"done", "total", "what"}` now and then by a verb that takes long.
            begun: is told the number of the request, by which it can be cancelled, when its turn has come.
        """
        async with self._turn:
            self._number += 1
            if begun is not None:
                begun(self._number)
            asked = {"id": self._number, "verb": verb, **fields} | ({"progress": True} if progress else {})
            try:
                return await self._answered(asked, progress)
            except asyncio.CancelledError:
                await self._end(kill=True)  # its answer would be taken for the next one's
                raise

    async def _answered(
        self, asked: dict[str, Any], progress: Callable[[dict[str, Any]], None] | None
    ) -> dict[str, Any]:
        running = await self._started()
        assert running.stdin is not None
        assert running.stdout is not None
        with suppress(BrokenPipeError, ConnectionResetError):
            running.stdin.write(json.dumps(asked).encode() + b"\n")
            await running.stdin.drain()
        while line := await running.stdout.readline():
            told: dict[str, Any] = json.loads(line)
            if told.get("id") != asked["id"]:
                continue
            if "progress" in told:
                if progress is not None:
                    progress(told["progress"])
                continue
            if "error" in told:
                raise refused(told["error"])
            result: dict[str, Any] = told["result"]
            return result
        await self._end(kill=True)
        raise Busy("the worker of this page has died", "nothing was lost; try again")

    def cancel(self, number: int) -> None:
        """Ask that a request stops which has begun; what has ended, or has begun to write, stands."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(BrokenPipeError, ConnectionResetError):
                self._process.stdin.write(json.dumps({"cancel": number}).encode() + b"\n")

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *self._words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_LONGEST_LINE,
                start_new_session=True,  # Ctrl-C at the terminal is for the page, which then ends it
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
            with suppress(OSError, AttributeError):  # not on every system
                os.setpriority(os.PRIO_PROCESS, self._process.pid, _BEHIND)
        return self._process

    async def _end(self, *, kill: bool) -> None:
        running, self._process = self._process, None
        if running is None or running.returncode is not None:
            return
        assert running.stdin is not None
        running.stdin.close()
        with suppress(ProcessLookupError, TimeoutError):
            if kill:
                running.kill()
            await asyncio.wait_for(running.wait(), _ENDING)
        with suppress(ProcessLookupError):
            if running.returncode is None:
                running.kill()

    async def close(self) -> None:
        """End the worker, after what it is doing."""
        await self._end(kill=False)


class Snapshot(NamedTuple):
    """What a slow verb answered, and when."""

    data: dict[str, Any]
    at: datetime
    """By the clock of this machine, in its time zone."""
    renewing: bool
    """Whether something has changed since; a newer answer is on its way."""


class PageDesk:
    """Both lanes, with the snapshots of slow answers."""

    def __init__(self, root: str, today: date | None) -> None:
        self._quick = QuickLane(root, today)
        self._slow = SlowLane(root, today)
        self._kept: dict[str, tuple[int, datetime, dict[str, Any]]] = {}
        self._coming: dict[str, asyncio.Task[None]] = {}
        self.generation = 0
        """How often something changed or was answered anew; a page that shows an older one can be renewed."""
        self._changes = 0
        self._stamp: Stamp | None = None
        """As of the last look: a watcher or a question takes changes in, too. None before the first one."""
        self.ended = False
        """Whether the server ends: nobody is told anything more."""
        self._news = asyncio.Event()
        self._untold: asyncio.TimerHandle | None = None
        """Tells open pages, at the latest, what a slow verb has answered since they were told last."""
        self._told = 0.0
        """When they were; monotonic seconds."""
        self._answers: dict[str, dict[str, Any]] = {}
        self._answered_at = 0

    async def read(self, verb: str, **fields: Any) -> dict[str, Any]:
        """The answer of a quick verb, as of now."""
        return await self._quick.call(verb, **fields)

    async def kept(self, verb: str, **fields: Any) -> dict[str, Any]:
        """The answer of a quick verb, as of the last change that was noticed, as every view looks for one first."""
        name = json.dumps([verb, fields], sort_keys=True)
        if self._answered_at != self._changes:
            self._answers.clear()
            self._answered_at = self._changes
        if name not in self._answers:
            if len(self._answers) >= _MOST_ANSWERS:
                self._answers.clear()
            self._answers[name] = await self._quick.call(verb, **fields)
        return self._answers[name]

    async def read_all(self, *asked: tuple[str, dict[str, Any]]) -> QuickAnswers:
        """The answers of several quick verbs, as of now."""
        return await self._quick.calls(*asked)

    async def today(self) -> date:
        """The memory's day."""
        return (await self._quick.calls()).today

    async def snapshot(self, verb: str, **fields: Any) -> Snapshot:
        """The last answer of a slow verb; an older one is renewed. Raises NotYet where the first takes long."""
        name = json.dumps([verb, fields], sort_keys=True)
        if name not in self._kept:
            coming = self._renewal(name, verb, fields)
            await asyncio.wait([coming], timeout=_PATIENCE)
            if not coming.done():
                raise NotYet(verb)
            coming.result()
        asked, at, data = self._kept[name]
        if late := asked != self._changes:
            self._renewal(name, verb, fields)
        return Snapshot(data, at, late)

    async def awaited(self, verb: str) -> Snapshot:
        """The answer of a slow verb that is under way or comes next, however long it takes; asked for once."""
        await self._renewal(json.dumps([verb, {}]), verb, {})
        return await self.snapshot(verb)

    def at_hand(self, verb: str, fields: Mapping[str, Any]) -> Snapshot | None:
        """The last answer of a slow verb, without waiting; None before the first, which is on its way then."""
        name = json.dumps([verb, dict(fields)], sort_keys=True)
        asked, at, data = self._kept.get(name, (-1, None, None))
        if asked != self._changes:
            self._renewal(name, verb, dict(fields))
        return None if at is None or data is None else Snapshot(data, at, asked != self._changes)

    def _renewal(self, name: str, verb: str, fields: dict[str, Any]) -> asyncio.Task[None]:
        async def renew() -> None:
            asked, first = self._changes, name not in self._kept
            try:
                data = await self._slow.call(verb, **fields)
                self._kept.pop(name, None)
                self._kept[name] = asked, datetime.now().astimezone(), data
                while len(self._kept) > _MOST_SNAPSHOTS:
                    del self._kept[next(iter(self._kept))]
                if self._untold is None:
                    self._tell_within(_TOGETHER)
            finally:
                self._coming.pop(name, None)
                if self._untold and first:
                    self.tell()
                elif self._untold and not self._coming:
                    self._tell_within(_PAUSE)

        if name not in self._coming:
            self._coming[name] = asyncio.ensure_future(renew())
            self._coming[name].add_done_callback(lambda done: done.cancelled() or done.exception())
        return self._coming[name]

    async def work(
        self,
        verb: str,
        *,
        progress: Callable[[dict[str, Any]], None] | None = None,
        begun: Callable[[int], None] | None = None,
        **fields: Any,
    ) -> dict[str, Any]:
        """The answer of a verb of the slow lane that must be as of now, or that writes."""
        return await self._slow.call(verb, progress=progress, begun=begun, **fields)

    def cancel(self, number: int) -> None:
        """Ask the slow lane to stop a request."""
        self._slow.cancel(number)

    async def look(self) -> bool:
        """Whether something has changed since the last look; then snapshots are renewed when they are next shown."""
        stamp = await self._quick.stamp()
        if stamp in (None, self._stamp):
            return False
        self._stamp = stamp
        self.note_change()
        return True

    def note_change(self) -> None:
        """Have every snapshot renewed when it is next shown, and tell open pages."""
        self._changes += 1
        self.tell()

    def tell(self) -> None:
        """Tell open pages that there is something new to show."""
        self.generation += 1
        if self._untold is not None:
            self._untold.cancel()
        self._untold, self._told = None, monotonic()
        told, self._news = self._news, asyncio.Event()
        told.set()

    def _tell_within(self, seconds: float) -> None:
        """Tell open pages in so many seconds, but not after those in which answers are told together."""
        if self._untold is not None:
            self._untold.cancel()
        left = self._told + _TOGETHER - monotonic()

        def tell() -> None:
            if self._coming and seconds < left:
                self._tell_within(_TOGETHER)
            else:
                self.tell()

        self._untold = asyncio.get_running_loop().call_later(min(seconds, left), tell)

    def end(self) -> None:
        """Let all go who wait for something new."""
        self.ended = True
        self.tell()

    async def after(self, generation: int, *, patience: float) -> int:
        """The generation once it is another than this one, or as it is after some seconds."""
        if self.generation == generation:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), patience)
        return self.generation

    async def close(self) -> None:
        """Close both lanes."""
        for task in [*self._coming.values()]:
            task.cancel()
        await self._slow.close()
        await asyncio.to_thread(self._quick.close)
