"""Work that takes long and that a person started: how far it is, how it ended, and how to stop it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from commonplace.doors.shared import failures

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from commonplace.doors.page.lanes import PageDesk


class Job:
    """One verb of the slow lane, started by a person."""

    def __init__(
        self,
        desk: PageDesk,
        title: str,
        verb: str,
        *,
        ended: Callable[[Mapping[str, Any]], Awaitable[None]] | None = None,
        **fields: Any,
    ) -> None:
        self.title = title
        self.done = self.total = 0
        self.what = ""
        self.result: dict[str, Any] | None = None
        self.error: dict[str, str] | None = None
        self._desk = desk
        self._number = 0
        """Of its request; 0 while others are before it."""
        self._ended = ended
        self._task = asyncio.ensure_future(self._run(verb, fields))

    @property
    def ended(self) -> bool:
        """Whether it is over."""
        return self.result is not None or self.error is not None

    def cancel(self) -> None:
        """Stop it, if it has not begun to write."""
        if self._number:
            self._desk.cancel(self._number)
        else:
            self._task.cancel()

    async def wait(self, seconds: float) -> None:
        """Wait for its end, at most so long."""
        await asyncio.wait([self._task], timeout=seconds)

    async def _run(self, verb: str, fields: dict[str, Any]) -> None:
        try:
            self.result = await self._desk.work(verb, progress=self._heard, begun=self._begun, **fields)
            if self._ended is not None:
                await self._ended(self.result)
        except asyncio.CancelledError:
            self.error = {"code": "cancelled", "message": "it was cancelled before it began", "hint": ""}
        except Exception as failure:
            told = failures.harmless(failures.told(failure))
            self.error = {"code": told.code, "message": told.message, "hint": told.hint}
        self._desk.note_change()

    def _begun(self, number: int) -> None:
        self._number = number

    def _heard(self, told: dict[str, Any]) -> None:
        self.done, self.total, self.what = told["done"], told["total"], told.get("what", "")
        self._desk.tell()
