"""The memory tool as the `anthropic` package wants one: its abstract classes, filled in. Loaded only when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anyio.to_thread import run_sync
from pydantic import BaseModel

from commonplace.errors import CommandRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from anthropic.types.beta import BetaCacheControlEphemeralParam

    Execute = Callable[[Mapping[str, Any]], str]
    """What does a command, as a model sends it; its reply. Raises CommandRefused."""


def _done(execute: Execute, command: object) -> str:
    """The reply to a command of the package's types, or to what a model sent. Raises ToolError."""
    given: Any = command.model_dump() if isinstance(command, BaseModel) else command
    if not isinstance(given, dict):
        raise ToolError("Invalid command: it should be an object.")
    try:
        return execute(given)
    except CommandRefused as refused:
        raise ToolError(refused.message) from None


class AnthropicMemoryTool(BetaAbstractMemoryTool):
    """For an Anthropic client."""

    def __init__(self, execute: Execute, cache_control: BetaCacheControlEphemeralParam | None) -> None:
        super().__init__(cache_control=cache_control)
        self._execute = execute

    def call(self, input: object) -> str:
        """The reply to a model's input of any shape. Raises ToolError for a wrong one."""
        return _done(self._execute, input)

    def execute(self, command: object) -> str:
        """The reply to a command. Raises ToolError."""
        return _done(self._execute, command)

    view = create = str_replace = insert = delete = rename = execute


class AsyncAnthropicMemoryTool(BetaAsyncAbstractMemoryTool):
    """For an AsyncAnthropic client; a cancelled command is still completed."""

    def __init__(self, execute: Execute, cache_control: BetaCacheControlEphemeralParam | None) -> None:
        super().__init__(cache_control=cache_control)
        self._execute = execute

    async def call(self, input: object) -> str:
        """The reply to a model's input of any shape. Raises ToolError for a wrong one."""
        return await run_sync(_done, self._execute, input)

    async def execute(self, command: object) -> str:
        """The reply to a command. Raises ToolError."""
        return await run_sync(_done, self._execute, command)

    view = create = str_replace = insert = delete = rename = execute
