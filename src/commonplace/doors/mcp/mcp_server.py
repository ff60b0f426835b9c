"""The MCP server: tools, resources and prompts over a workspace, for the low-level server of the official SDK.

Imported by `doors.mcp.serve` alone. Calls run on threads, so that the event loop stays free: those
that read on one, those that write on another, so that a recall does not wait for a reflect. What fails is an answer of
its tool, with code, message and hint; only what is no tool, resource or prompt is an error of the protocol.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import time
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import unquote

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

import commonplace
from commonplace.core.text.escaping import for_model
from commonplace.doors.shared import failures, wire
from commonplace.doors.shared.reopening import LivingMemory
from commonplace.doors.table.requests import shown
from commonplace.doors.table.verb_table import programs
from commonplace.doors.tools import tool_calls
from commonplace.errors import CommonplaceError, NotAWorkspace, NotFound, OutsideWorkspace, TokenNeeded, UsageError
from commonplace.memory import Memory, guide

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from anyio.streams.memory import MemoryObjectSendStream
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.server.session import ServerSession
    from mcp.shared._stream_protocols import ReadStream, WriteStream

    from commonplace.doors.shared.verb_answer import VerbAnswer

T = TypeVar("T")

MARKDOWN = "text/markdown"
_EVERY = 0.2
"""Seconds between two words about progress."""
_PATIENCE = 2.0
"""Seconds between two looks whether the parent is still there."""
_DAYS = 7
"""Logs of so many days are listed."""
_log = logging.getLogger("commonplace")


class Desk:
    """A workspace for concurrent calls: one memory for reads, one for writes."""

    def __init__(self, root: str, today: date | None = None) -> None:
        self._kept = {reads: LivingMemory(root, today=today, embeds=reads) for reads in (True, False)}
        self._turns: dict[bool, anyio.CapacityLimiter] = {}
        self._root = root

    def in_fleet(self) -> bool:
        """Whether a fleet is on, by the settings alone: it waits for no other call."""
        return Memory(self._root).in_fleet

    async def run(
        self, work: Callable[[Memory], T], *, reads: bool, progress: Callable[[int, int], None] | None = None
    ) -> T:
        """The result of `work`, run on a thread when it is its turn. A cancelled caller waits for the thread to end."""
        if reads not in self._turns:
            self._turns[reads] = anyio.CapacityLimiter(1)
        return await anyio.to_thread.run_sync(self._work, work, reads, progress, limiter=self._turns[reads])

    def _work(self, work: Callable[[Memory], T], reads: bool, progress: Callable[[int, int], None] | None) -> T:
        memory = self._kept[reads].memory()
        memory.progress = progress
        try:
            return work(memory)
        finally:
            memory.progress = None

    def close(self) -> None:
        """Close both memories."""
        for kept in self._kept.values():
            kept.close()


class Progress:
    """Reports the progress of a call to its client, from the call's thread."""

    def __init__(self, session: ServerSession) -> None:
        self._session = session
        self._due = time.monotonic() + _EVERY
        self._before = self._done = self._of = 0

    def step(self, done: int, of: int) -> None:
        """Report (done, of). Raises the cancellation of a call whose client no longer waits."""
        anyio.from_thread.check_cancelled()
        if done < self._done:  # another stretch of the same call: what is told only grows
            self._before += self._of
        self._done, self._of = done, of
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + _EVERY
            with suppress(Exception):  # a client that cannot be told is no reason to stop
                anyio.from_thread.run(self._session.report_progress, self._before + done, self._before + of)


class Resource(NamedTuple):
    """One resource."""

    uri: str
    name: str
    path: str = ""
    """Below the workspace; empty for the core as blocks."""


CORE = Resource("commonplace://core", "core")
PAGES, LOGS = "commonplace://page/", "commonplace://log/"
TEMPLATES = (
    (PAGES + "{+name}", "page", "a page of the bank: opinions, entities/Peter"),
    (LOGS + "{day}", "log", "the log of a day: 2025-11-27"),
)
_LISTED = ("world", "experience", "opinions", "review")
"""Pages of the bank that are listed, where they are; those of entities are found by the template."""


def page(uri: str) -> Resource:
    """The resource of a URI. Raises NotFound if there can be none."""
    if uri == CORE.uri:
        return CORE
    for start, folder in ((PAGES, "bank"), (LOGS, "memory")):
        name = unquote(uri.removeprefix(start))
        if uri.startswith(start) and name:
            return Resource(uri, name, f"{folder}/{name}.md")
    raise NotFound(f"there is no resource {uri}", f"resources: {CORE.uri}, {PAGES}NAME, {LOGS}YYYY-MM-DD")


class _Handlers:
    """What the server answers to each request of the protocol."""

    def __init__(self, desk: Desk, may_write: Callable[[Any], bool]) -> None:
        self._desk = desk
        self._may_write = may_write
        self.shapes = {told["name"]: told for told in tool_calls.listing(fleet=True)}

    async def list_tools(self, context: Any, params: Any) -> types.ListToolsResult:
        try:
            fleet = await anyio.to_thread.run_sync(self._desk.in_fleet)
        except CommonplaceError:  # no settings that can be read: each call says so
            fleet = False
        return types.ListToolsResult.model_validate({"tools": tool_calls.listing(fleet=fleet)})

    async def call_tool(
        self, context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        if params.name not in self.shapes:
            raise _unknown("tool", params.name)
        tool = programs()[params.name]
        if not tool.read_only and not self._may_write(context.request):
            return _failed(TokenNeeded("writes need the token that this server printed at its start", "reads do not"))
        told = Progress(context.session)

        def work(memory: Memory) -> VerbAnswer:
            return tool_calls.call(memory, tool.key, params.arguments or {}, agent=True, progress=told.step)

        try:
            answer = await self._desk.run(work, reads=tool.read_only, progress=told.step)
        except Exception as error:
            return _failed(error)
        return types.CallToolResult(content=[_text(answer.text)], structured_content=_sound(answer.data))

    async def _read(self, work: Callable[[Memory], T]) -> T:
        """The result of `work`. Raises MCPError for any error."""
        try:
            return await self._desk.run(work, reads=True)
        except Exception as error:
            raise _refused(error) from error

    async def list_resources(self, context: Any, params: Any) -> types.ListResourcesResult:
        there = await self._read(_pages)
        return types.ListResourcesResult(
            resources=[types.Resource(uri=each.uri, name=each.path or each.name, mime_type=MARKDOWN) for each in there]
        )

    async def list_templates(self, context: Any, params: Any) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(uri_template=template, name=name, description=told, mime_type=MARKDOWN)
                for template, name, told in TEMPLATES
            ]
        )

    async def read_resource(self, context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        text = await self._read(lambda memory: _resource_text(memory, page(params.uri)))
        contents = types.TextResourceContents(uri=params.uri, mime_type=MARKDOWN, text=_sound(text))
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(self, context: Any, params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[types.Prompt(name=name, description=told) for name, (told, _) in PROMPTS.items()]
        )

    async def get_prompt(self, context: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name not in PROMPTS:
            raise _unknown("prompt", params.name)
        told, written = PROMPTS[params.name]
        message = types.PromptMessage(role="user", content=_text(await self._read(written)))
        return types.GetPromptResult(description=told, messages=[message])


def make(desk: Desk, may_write: Callable[[Any], bool] = lambda _: True) -> Server[Any]:
    """The server of a workspace.

    Args:
        may_write: whether the HTTP request of a call, None over stdio, may call a tool that writes.
    """
    handlers = _Handlers(desk, may_write)
    server = Server[Any](
        "commonplace",
        version=commonplace.__version__,
        instructions=guide(),
        get_tool_input_schema=lambda name: handlers.shapes[name]["inputSchema"] if name in handlers.shapes else None,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
    )
    server.middleware.append(_spelled)
    return server


async def _spelled(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Make the SDK's own error messages safe: they repeat the request."""
    try:
        return await call_next(ctx)
    except MCPError as error:
        from commonplace.core.secrets.guard import masked

        told = error.error
        data = for_model(masked(told.data)) if isinstance(told.data, str) else told.data
        raise MCPError(told.code, for_model(masked(told.message)), _sound(data)) from None


def _pages(memory: Memory) -> list[Resource]:
    """The existing resources: the core, pages of the bank, the latest logs."""
    today = memory.today
    days = [(today - timedelta(days=ago)).isoformat() for ago in range(_DAYS)]
    found = [CORE]
    for each in (*(page(PAGES + name) for name in _LISTED), *(page(LOGS + day) for day in days)):
        with suppress(NotFound, NotAWorkspace):
            memory.get(each.path)
            found.append(each)
    return found


def _resource_text(memory: Memory, asked: Resource) -> str:
    return for_model(memory.get(asked.path).text) if asked.path else memory.core().text


def _start(memory: Memory) -> str:
    return f"{guide()}\n{memory.core().text}"


def _packet(memory: Memory) -> str:
    return for_model(memory.packet().text)


PROMPTS: dict[str, tuple[str, Callable[[Memory], str]]] = {
    "memory": ("How to use this memory, and its core, for the start of a session", _start),
    "decide": ("Questions that reflect leaves to a stronger model, and how to answer", _packet),
}
"""What each prompt is for, and what writes it."""


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=_sound(text))


def _failed(error: Exception) -> types.CallToolResult:
    told = _told(error)
    said = f"{told.code}: {told.message}" + (f"\n{told.hint}" if told.hint else "")
    return types.CallToolResult(content=[_text(said)], structured_content=_sound(wire.error(told)), is_error=True)


def _refused(error: Exception) -> MCPError:
    """An error as one of the protocol, for requests that have no result of their own."""
    told = _told(error)
    data = _sound(wire.error(told)["error"])
    asked = isinstance(told, UsageError | NotFound | OutsideWorkspace)
    return MCPError(types.INVALID_PARAMS if asked else types.INTERNAL_ERROR, data["message"], data)


def _unknown(what: str, name: str) -> MCPError:
    return MCPError(types.INVALID_PARAMS, f"there is no {what} {shown(name)}")


def _told(error: Exception) -> CommonplaceError:
    if not isinstance(error, CommonplaceError | OSError):
        _log.error("unexpected error in a call", exc_info=error)
    told = failures.harmless(failures.told(error))
    told.say(for_model(told.message), for_model(told.hint))
    return told


def _sound(value: T) -> T:
    """The value without lone surrogates, which file names may contain and JSON on a wire may not."""
    shown = json.dumps(value, ensure_ascii=False)
    try:
        shown.encode()
    except UnicodeEncodeError:
        sound: T = json.loads(shown.encode(errors="replace"))
        return sound
    return value


def over_stdio(desk: Desk) -> int:
    """Serve the client that started this process until it disconnects; the exit status."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # every write is whole: there is nothing to clean up, or wait for
    server = make(desk)

    async def serve() -> None:
        async with stdio_server() as (read, write), anyio.create_task_group() as tasks:
            tasks.start_soon(_end_with_parent, os.getppid())
            passed, heard = anyio.create_memory_object_stream[SessionMessage | Exception](0)
            tasks.start_soon(_pass_on, read, passed, write)
            await server.run(heard, write, server.create_initialization_options())
            tasks.cancel_scope.cancel()

    try:
        anyio.run(serve)
    except* (BrokenPipeError, ConnectionError, anyio.BrokenResourceError):
        _log.info("the client disconnected")
    desk.close()
    return 0


async def _pass_on(
    read: ReadStream[SessionMessage | Exception],
    passed: MemoryObjectSendStream[SessionMessage | Exception],
    write: WriteStream[SessionMessage],
) -> None:
    """Forward the client's messages; the SDK drops unreadable requests, so they are answered here."""
    async with passed:
        async for said in read:
            refused = _unread(said) if isinstance(said, ValidationError) else None
            await (write.send(refused) if refused is not None else passed.send(said))


def _unread(error: ValidationError) -> SessionMessage | None:
    """The answer to a line that the SDK could not parse; None if it is not a request with an id."""
    asked = error.errors(include_url=False)[0]["input"]
    try:
        request = json.loads(asked, parse_int=lambda digits: int(digits[:20])) if isinstance(asked, str) else asked
    except (ValueError, RecursionError):
        return None
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        return None
    number = request.get("id")
    if isinstance(number, bool) or not isinstance(number, int | str) or _sound(number) != number:
        return None
    said = "the request cannot be read: it has an incomplete character, is nested too deeply, or is not JSON-RPC"
    told = types.ErrorData(code=types.PARSE_ERROR, message=said)
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=number, error=told))


async def _end_with_parent(parent: int) -> None:
    """Exit when the parent exits, even if another process keeps standard input open."""
    while os.getppid() == parent:
        await anyio.sleep(_PATIENCE)
    os.kill(os.getpid(), signal.SIGTERM)
