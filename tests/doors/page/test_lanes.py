"""The two lanes: quick answers in this process, slow ones kept, shown and renewed; a worker that dies is replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from starlette.requests import Request

from commonplace.doors.page import ask_view, state_views
from commonplace.doors.page.app import LocalPage
from commonplace.doors.page.guard import PageKeys
from commonplace.doors.page.jobs import Job
from commonplace.doors.page.lanes import PageDesk, Stamp
from commonplace.doors.page.page_view import View
from commonplace.errors import Busy, CommonplaceError, FleetUnusable, NotFound
from commonplace.ops.index.sync_index import RACY
from commonplace.store.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from pathlib import Path
    from typing import Any

    from commonplace.store.workspace import State

    Try = Callable[[PageDesk, Path], Coroutine[Any, Any, None]]

TODAY = date(2025, 12, 1)
LOG = """
=== memory/2025-11-27.md
- Rain all day.
## Retain
- W @Peter: In Marrakech until December 1, 2025.
"""


@asynccontextmanager
async def desk(root: Path) -> AsyncIterator[PageDesk]:
    """Both lanes over a folder, closed at the end."""
    lanes = PageDesk(str(root), TODAY)
    try:
        yield lanes
    finally:
        await lanes.close()


def tried(root: Path, attempt: Try) -> None:
    """Run an attempt with a desk of its own."""

    async def run() -> None:
        async with desk(root) as lanes:
            await attempt(lanes, root)

    asyncio.run(run())


def test_a_quick_verb_answers_as_of_now(workspace: Any) -> None:
    async def attempt(lanes: PageDesk, root: Path) -> None:
        assert (await lanes.read("recall", query="Marrakech"))["hits"][0]["source"] == "memory/2025-11-27.md#L3"
        with open(root / "memory/2025-11-28.md", "w", encoding="utf-8") as log:
            log.write("- The zebra came.\n")
        assert (await lanes.read("recall", query="zebra"))["hits"][0]["source"] == "memory/2025-11-28.md#L1"
        with pytest.raises(NotFound):
            await lanes.read("entity", name="Nobody")

    tried(workspace(LOG), attempt)


def test_a_slow_answer_is_kept_shown_and_renewed_after_a_change(workspace: Any) -> None:
    async def attempt(lanes: PageDesk, root: Path) -> None:
        first = await lanes.snapshot("status")
        assert (first.data["lines"], first.renewing) == (3, False)
        with open(root / "memory/2025-11-28.md", "w", encoding="utf-8") as log:
            log.write("- The zebra came.\n")
        assert await lanes.look()
        generation = lanes.generation
        old = await lanes.snapshot("status")
        assert (old.data["lines"], old.at, old.renewing) == (3, first.at, True)
        assert await lanes.after(generation, patience=30) != generation
        new = await lanes.snapshot("status")
        assert (new.data["lines"], new.renewing) == (4, False)
        await lanes.look()  # the worker has read once more what was saved within two seconds
        assert not await lanes.look()

    tried(workspace(LOG), attempt)


def test_what_a_worker_refuses_is_told_with_its_code(workspace: Any) -> None:
    async def attempt(lanes: PageDesk, root: Path) -> None:
        with pytest.raises(CommonplaceError) as refused:
            await lanes.work("merge", into="Peter", other="Nobody", dry_run=True)
        assert refused.value.code == "not-found"

    tried(workspace(LOG), attempt)


def test_a_worker_that_dies_is_told_and_replaced(workspace: Any) -> None:
    async def attempt(lanes: PageDesk, root: Path) -> None:
        await lanes.work("status")
        process = lanes._slow._process
        assert process is not None
        os.kill(process.pid, signal.SIGSTOP)  # it can answer nothing
        asked = asyncio.ensure_future(lanes.work("status"))
        await asyncio.sleep(0)
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(Busy):
            await asked
        assert (await lanes.work("status"))["lines"] == 3

    tried(workspace(LOG), attempt)


def test_work_that_waits_is_cancelled_before_it_begins_and_nothing_else_is(workspace: Any) -> None:
    async def attempt(lanes: PageDesk, root: Path) -> None:
        before = asyncio.ensure_future(lanes.work("status"))
        await asyncio.sleep(0)
        job = Job(lanes, "Reflecting", "reflect", yes=True)
        await asyncio.sleep(0)
        job.cancel()
        await job.wait(30)
        assert job.error is not None
        assert job.error["code"] == "cancelled"
        assert (await before)["lines"] == 3
        assert not (root / "bank").exists()

    tried(workspace(LOG), attempt)


def test_a_job_tells_its_result(workspace: Any) -> None:
    async def attempt(lanes: PageDesk, root: Path) -> None:
        job = Job(lanes, "Reflecting", "reflect", yes=True)
        await job.wait(60)
        assert job.ended
        assert job.result is not None
        assert job.result["applied"]
        assert job.result["patches"]
        assert all((root / patch["path"]).exists() for patch in job.result["patches"])

    tried(workspace(LOG), attempt)


class Failing(PageDesk):
    """A desk whose worker always fails, and that counts what it was asked."""

    def __init__(self, root: str, today: date | None) -> None:
        super().__init__(root, today)
        self.asked: list[str] = []
        self._slow.call = self._fail  # type: ignore[method-assign]

    async def _fail(self, verb: str, **fields: Any) -> dict[str, Any]:
        self.asked.append(verb)
        raise Busy("the worker of this page has died", "")


def test_a_worker_that_fails_at_the_start_is_not_asked_again_and_again(workspace: Any) -> None:
    async def run(root: Path) -> None:
        lanes = Failing(str(root), TODAY)
        local = LocalPage(lanes, PageKeys(8_000), name="here")
        try:
            await asyncio.wait_for(local._first(), 30)
            assert lanes.asked.count("entities") == 1
        finally:
            await lanes.close()

    asyncio.run(run(workspace(LOG)))


def slow_to_answer(lanes: PageDesk) -> None:
    """Have the worker answer nothing."""

    async def answer(asked: dict[str, Any], progress: object) -> dict[str, Any]:
        await asyncio.sleep(60)
        return asked

    lanes._slow._answered = answer  # type: ignore[method-assign]


def test_a_fleet_that_was_not_asked_yet_is_not_said_to_be_silent(
    workspace: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask_view, "_TURN", 0.3)
    monkeypatch.setattr(ask_view, "_PATIENCE", 0.5)

    async def attempt(lanes: PageDesk, root: Path) -> None:
        slow_to_answer(lanes)
        async with lanes._slow._turn:  # a reflect is under way
            found, error = await ask_view._of_team(lanes, {"query": "x"})
        assert found is None
        assert isinstance(error, Busy)
        assert lanes._slow._number == 0
        found, error = await ask_view._of_team(lanes, {"query": "x"})
        assert isinstance(error, FleetUnusable)

    tried(workspace(LOG), attempt)


def test_the_fleets_time_begins_with_its_turn(workspace: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask_view, "_TURN", 30)
    monkeypatch.setattr(ask_view, "_PATIENCE", 0.2)

    async def attempt(lanes: PageDesk, root: Path) -> None:
        slow_to_answer(lanes)
        await lanes._slow._turn.acquire()
        asking = asyncio.ensure_future(ask_view._of_team(lanes, {"query": "x"}))
        await asyncio.sleep(0.5)
        assert not asking.done()
        lanes._slow._turn.release()
        assert isinstance((await asyncio.wait_for(asking, 10))[1], FleetUnusable)

    tried(workspace(LOG), attempt)


@pytest.mark.parametrize(
    ("stamps", "news"),
    [
        ([0, 0, 5], [True, False, True]),  # the first file ever, which a watcher took in
        ([5, 5, 6], [True, False, True]),
        ([5, None, 5], [True, False, False]),  # once it could not be looked at
        ([None, 5, 5], [False, True, False]),
    ],
)
def test_what_was_taken_in_since_the_last_look_is_news(
    tmp_path: Path, stamps: list[int | None], news: list[bool]
) -> None:
    async def attempt(lanes: PageDesk, root: Path) -> None:
        told = iter(stamps)

        async def stamp() -> Stamp | None:
            return None if (taken := next(told)) is None else Stamp(taken, TODAY)

        lanes._quick.stamp = stamp  # type: ignore[method-assign]
        assert [await lanes.look() for _ in stamps] == news

    tried(tmp_path, attempt)


def test_a_new_day_is_news(workspace: Any) -> None:
    async def attempt(lanes: PageDesk, root: Path) -> None:
        assert [await lanes.look(), await lanes.look()] == [True, False]
        lanes._quick._kept._today = TODAY + timedelta(1)
        assert [await lanes.look(), await lanes.look()] == [True, False]

    tried(workspace(LOG), attempt)


def test_a_young_file_is_looked_at_again_and_is_no_news(workspace: Any) -> None:
    async def attempt(lanes: PageDesk, root: Path) -> None:
        with open(root / "memory/2025-11-28.md", "w", encoding="utf-8") as log:
            log.write("- The zebra came.\n")
        assert await lanes.look()
        looked = []
        for _ in range(4):
            await lanes.read("recall", query="zebra")
            await lanes.work("status")
            looked.append(lanes._quick._kept.memory()._access.opened().looked())
            assert not await lanes.look()
        assert len({*looked}) == 4, "it was not looked at again"
        os.utime(root / "memory/2025-11-27.md")
        assert not await lanes.look(), "nothing in it is another"

    tried(workspace(LOG), attempt)


def test_a_second_save_that_looks_like_the_first_is_news(workspace: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep = Workspace.sweep

    def coarse(self: Workspace) -> dict[str, State]:
        """As where times are kept to two seconds."""
        now = time.time_ns()
        return {path: (size, now // RACY * RACY, 0, inode) for path, (size, _, _, inode) in sweep(self).items()}

    async def attempt(lanes: PageDesk, root: Path) -> None:
        log = root / "memory/2025-11-27.md"
        before = log.read_text(encoding="utf-8")
        assert [await lanes.look(), await lanes.look()] == [True, False]
        monkeypatch.setattr(time, "time_ns", lambda: 1_764_547_200_000_000_000)
        monkeypatch.setattr(Workspace, "sweep", coarse)
        await lanes.look()
        log.write_text(before.replace("Rain", "Hail"), encoding="utf-8")
        assert [await lanes.look(), await lanes.look()] == [True, False]
        assert (await lanes.read("recall", query="hail"))["hits"]

    tried(workspace(LOG), attempt)


def test_answers_that_come_together_are_told_together(workspace: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    verbs = ("status", "core", "days", "entities")

    async def attempt(lanes: PageDesk, root: Path) -> None:
        for verb in verbs:
            await lanes.snapshot(verb)
        for together, told in ((30.0, 1), (-1.0, len(verbs))):
            monkeypatch.setattr("commonplace.doors.page.lanes._TOGETHER", together)
            lanes.note_change()
            generation = lanes.generation
            for verb in verbs:
                lanes.at_hand(verb, {})
            await asyncio.gather(*lanes._coming.values())
            await lanes.after(generation + told - 1, patience=10)
            await lanes.after(generation + told, patience=0.5)
            assert lanes.generation == generation + told

    tried(workspace(LOG), attempt)


def test_what_a_view_asks_for_one_after_the_other_is_told_together(workspace: Any) -> None:
    async def attempt(lanes: PageDesk, root: Path) -> None:
        for verb in ("status", "days"):
            await lanes.snapshot(verb)
        lanes.note_change()
        generation = lanes.generation
        for verb in ("status", "days"):
            lanes.at_hand(verb, {})
            await asyncio.gather(*lanes._coming.values())
        assert await lanes.after(generation, patience=10) == generation + 1
        assert await lanes.after(generation + 1, patience=0.5) == generation + 1

    tried(workspace(LOG), attempt)


def test_an_answer_is_told_soon_although_another_takes_long(workspace: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commonplace.doors.page.lanes._TOGETHER", 0.3)

    async def attempt(lanes: PageDesk, root: Path) -> None:
        ends = asyncio.Event()

        async def call(verb: str, **fields: Any) -> dict[str, Any]:
            if verb == "reflect":
                await ends.wait()
            return {}

        lanes._slow.call = call  # type: ignore[method-assign]
        lanes._kept = {f'["{verb}", {{}}]': (0, datetime.now(), {}) for verb in ("status", "days", "reflect")}
        lanes.note_change()
        generation = lanes.generation
        for verb in ("status", "days", "reflect"):
            lanes.at_hand(verb, {})
        assert await lanes.after(generation, patience=0.1) == generation, "the others may be there soon"
        assert await lanes.after(generation, patience=10) == generation + 1
        assert len(lanes._coming) == 1
        assert await lanes.after(generation + 1, patience=0.5) == generation + 1, "there is nothing to tell"
        ends.set()
        assert await lanes.after(generation + 1, patience=10) == generation + 2

    tried(workspace(LOG), attempt)


def test_what_was_answered_is_told_although_the_last_verb_failed(workspace: Any) -> None:
    async def attempt(lanes: PageDesk, root: Path) -> None:
        await lanes.snapshot("status")
        lanes.note_change()
        generation = lanes.generation
        for verb in ("status", "entity"):  # of nobody
            lanes.at_hand(verb, {})
        await asyncio.gather(*lanes._coming.values(), return_exceptions=True)
        assert lanes.generation == generation + 1
        lanes.at_hand("entity", {})
        await asyncio.gather(*lanes._coming.values(), return_exceptions=True)
        assert lanes.generation == generation + 1, "a failure alone is no news: it would be tried again for ever"

    tried(workspace(LOG), attempt)


def test_a_view_tells_how_new_it_was_when_it_was_begun(workspace: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []

    async def today(lanes: PageDesk, asked: object) -> View:
        begun.append(lanes.generation)
        lanes.tell()  # something is answered anew while the view is made
        return View("error.html", "Today", {"message": "", "hint": "", "words": ""})

    monkeypatch.setattr(state_views, "today", today)

    async def attempt(lanes: PageDesk, root: Path) -> None:
        local = LocalPage(lanes, PageKeys(8_000), name="here")
        asked = Request({"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": []})
        shown = await local._view(lambda one: state_views.today(lanes, one.query_params))(asked)
        assert f'data-generation="{begun[0]}"'.encode() in bytes(shown.body)
        assert lanes.generation > begun[0]

    tried(workspace(LOG), attempt)


def test_today_asks_for_no_plan_of_a_reflect_which_takes_seconds_in_a_large_folder(workspace: Any) -> None:
    async def attempt(lanes: PageDesk, root: Path) -> None:
        verbs: list[str] = []

        async def call(verb: str, **fields: Any) -> dict[str, Any]:
            verbs.append(verb)
            return {}

        lanes._slow.call = call  # type: ignore[method-assign]
        await state_views.today(lanes, {})
        await asyncio.gather(*lanes._coming.values())
        assert sorted(verbs) == ["check", "days", "log", "review"]

    tried(workspace(LOG), attempt)
