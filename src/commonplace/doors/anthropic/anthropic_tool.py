"""The memory tool as the `anthropic` package wants one: its abstract classes, filled in. Loaded only when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anyio.to_thread import run_sync
from pydantic import BaseModel

from commonplace.errors import CommandRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from anthropic.types.beta import (
        BetaCacheControlEphemeralParam,
        BetaMemoryTool20250818Command,
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

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
        """Do what a model sent, of whatever shape: a wrong one is refused in words."""
        return _done(self._execute, input)

    def execute(self, command: BetaMemoryTool20250818Command) -> str:
        """Do a command."""
        return _done(self._execute, command)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """A folder two levels deep, or a file with its lines numbered."""
        return _done(self._execute, command)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Write a file where none is."""
        return _done(self._execute, command)

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace the one occurrence of a text."""
        return _done(self._execute, command)

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Write lines behind a line."""
        return _done(self._execute, command)

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Remove a file, or a folder with all in it."""
        return _done(self._execute, command)

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Give a file or a folder another path."""
        return _done(self._execute, command)


class AsyncAnthropicMemoryTool(BetaAsyncAbstractMemoryTool):
    """For an AsyncAnthropic client; a command that is cancelled is done all the same, never by half."""

    def __init__(self, execute: Execute, cache_control: BetaCacheControlEphemeralParam | None) -> None:
        super().__init__(cache_control=cache_control)
        self._execute = execute

    async def call(self, input: object) -> str:
        """Do what a model sent, of whatever shape: a wrong one is refused in words."""
        return await run_sync(_done, self._execute, input)

    async def execute(self, command: BetaMemoryTool20250818Command) -> str:
        """Do a command."""
        return await run_sync(_done, self._execute, command)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """A folder two levels deep, or a file with its lines numbered."""
        return await run_sync(_done, self._execute, command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Write a file where none is."""
        return await run_sync(_done, self._execute, command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace the one occurrence of a text."""
        return await run_sync(_done, self._execute, command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Write lines behind a line."""
        return await run_sync(_done, self._execute, command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Remove a file, or a folder with all in it."""
        return await run_sync(_done, self._execute, command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Give a file or a folder another path."""
        return await run_sync(_done, self._execute, command)
