"""The memory tool of Anthropic's API (`memory_20250818`) over a workspace, with its exact replies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.core.text.escaping import for_terminal
from commonplace.doors.shared.failures import harmless
from commonplace.errors import CommandRefused, CommonplaceError, ExtensionMissing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool
    from anthropic.types.beta import BetaCacheControlEphemeralParam

    from commonplace.memory import Memory

DEFINITION = {"type": "memory_20250818", "name": "memory"}
"""The entry in `tools` of a request."""


class MemoryTool:
    """The six verbs view, create, str_replace, insert, delete and rename below `/memories`.

        tool = MemoryTool(Memory("~/notes"))
        tool.execute({"command": "view", "path": "/memories"})

    It needs no package; with that of `anthropic`, `for_anthropic` is a tool for its runner. One object serves one
    conversation: it knows what its agent saw, and deletes nothing that somebody changed since. Threads may share it.
    """

    def __init__(self, memory: Memory, *, allow_secret: bool = False) -> None:
        self.memory = memory
        self._allow_secret = allow_secret
        self._seen: dict[str, str] = {}

    def execute(self, command: Mapping[str, Any]) -> str:
        """Do a command as a model sends it in the input of a `tool_use` block; its reply.

        In a reply what acts without being seen is spelled; tags stay exact, for an agent repeats them to edit them.

        Raises CommandRefused, for whatever reason: its message is the content of a `tool_result` with `is_error`.
        """
        try:
            return for_terminal(self.memory.memories(command, seen=self._seen, allow_secret=self._allow_secret))
        except CommonplaceError as error:
            raise CommandRefused(for_terminal(str(harmless(error)))) from None

    def for_anthropic(self, *, cache_control: BetaCacheControlEphemeralParam | None = None) -> BetaAbstractMemoryTool:
        """This tool for the package's runner, `client.beta.messages.tool_runner`. Raises ExtensionMissing."""
        made: BetaAbstractMemoryTool = _adapters().AnthropicMemoryTool(self.execute, cache_control)
        return made

    def for_async_anthropic(
        self, *, cache_control: BetaCacheControlEphemeralParam | None = None
    ) -> BetaAsyncAbstractMemoryTool:
        """The same for an AsyncAnthropic client; each command runs in a thread, to its end. Raises ExtensionMissing."""
        made: BetaAsyncAbstractMemoryTool = _adapters().AsyncAnthropicMemoryTool(self.execute, cache_control)
        return made


def _adapters() -> ModuleType:
    try:
        from commonplace.doors.anthropic import anthropic_tool
    except ImportError as error:
        raise ExtensionMissing(f"the package anthropic cannot be used: {error}", "anthropic") from None
    return anthropic_tool
