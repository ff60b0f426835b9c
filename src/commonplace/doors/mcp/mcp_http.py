"""The MCP server over HTTP, for this machine only: access, tokens and time limits.

uvicorn and the SDK serve; what they leave without a bound is bounded here. Imported by `doors.mcp.serve` alone, for
`--http`.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import signal
import socket
import sys
import threading
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

import h11
import uvicorn
from mcp.server.transport_security import RequestBodyLimitMiddleware, TransportSecuritySettings
from uvicorn.protocols.http.h11_impl import H11Protocol

from commonplace.doors.mcp import mcp_server
from commonplace.doors.shared import wire
from commonplace.doors.table.verb_table import programs
from commonplace.errors import CommonplaceError, TokenNeeded, UsageError
from commonplace.memory.server_record import Serving

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable
    from types import FrameType

    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = "127.0.0.1"
WHOLE = 20.0
"""Seconds from a connection's first moment, or a request's first byte, in which all of the request must have come."""
IDLE = 20.0
"""Seconds that a connection may wait between two requests."""
SESSION = 1_800.0
"""Seconds after which a session ends that nobody has asked anything in."""
MOST_SESSIONS = 100
MOST_CONNECTIONS = 200
MOST_BYTES = 4_000_000
"""Of a request."""
_AGAIN = 2.0
"""Seconds between two looks whether the record of this server is still there."""
_REFUSED = -32_001
"""In the range that JSON-RPC leaves to servers."""
_SOCKETS = "/proc/net/tcp"


def over_http(desk: mcp_server.Desk, root: str, *, port: int, note: Callable[[str], None]) -> int:
    """Serve any number of clients of this machine until stopped; the exit status."""
    try:
        listening = socket.create_server((LOOPBACK, port))
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else each answer waits 40 ms to be sent
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise UsageError(f"port {port} is not available: {said}", "--http 0 picks a free port") from error
    port = listening.getsockname()[1]
    token, url = secrets.token_urlsafe(24), f"http://{LOOPBACK}:{port}/mcp"
    settings = uvicorn.Config(
        application(desk, port, token=token),
        http=Bounded,
        ws="none",
        log_config=None,
        access_log=False,
        timeout_keep_alive=int(IDLE),
        timeout_graceful_shutdown=1,
    )
    signal.signal(signal.SIGTERM, _end)  # uvicorn hands it on when it has ended, and a record is to be taken back
    with closing(desk), _Recorded(root, url):
        note(f"commonplace mcp: {url}")
        note(f"commonplace mcp: reads need no token; writes need this header:\nAuthorization: Bearer {token}")
        uvicorn.Server(settings).run(sockets=[listening])
    return 0


def _end(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def application(desk: mcp_server.Desk, port: int, *, token: str) -> ASGIApp:
    """The server as an ASGI application: limits bodies, then checks the token, then calls the SDK."""
    hosts = [f"{host}:{port}" for host in (LOOPBACK, "localhost")]
    security = TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts])

    def may_write(request: Request | None) -> bool:
        return request is not None and _right(request.headers.get("authorization", ""), token)

    served = mcp_server.make(desk, may_write).streamable_http_app(
        transport_security=security,
        max_request_body_size=MOST_BYTES,
        session_idle_timeout=SESSION,
        max_sessions=MOST_SESSIONS,
    )
    return RequestBodyLimitMiddleware(_Guard(served, token), MOST_BYTES)


class _Guard:
    """Answers 401 to a write without the token, and to whatever has a wrong one.

    The tools refuse such a write themselves (`mcp_server.make`), however its request is written; this says it in HTTP.
    """

    def __init__(self, served: ASGIApp, token: str) -> None:
        self._served = served
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; the size limit before this has read its whole body."""
        if scope["type"] != "http":
            await self._served(scope, receive, send)
            return
        given = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"authorization"), None)
        first = await receive()
        asked = _asked(first.get("body", b""))
        if given is not None and not _right(given, self._token):
            said = TokenNeeded("invalid token: the server makes a new one at each start", _WHERE)
            await _refuse(send, said, asked=asked)
            return
        if given is None and _writes(asked):
            await _refuse(send, needed(), asked=asked)
            return
        left = [first]

        async def replayed() -> Any:
            return left.pop() if left else await receive()

        await self._served(scope, replayed, send)


_WHERE = "send the header `Authorization: Bearer TOKEN`, with the token that the server printed when it started"


def needed() -> TokenNeeded:
    """The error of a write without the token."""
    return TokenNeeded("writes need the token of this server; reads do not", _WHERE)


def _right(given: str, token: str) -> bool:
    scheme, _, value = given.partition(" ")
    return scheme.casefold() == "bearer" and hmac.compare_digest(value.strip().encode(), token.encode())


def _asked(body: bytes) -> Any:
    with suppress(ValueError, RecursionError):
        return json.loads(body)
    return None


def _writes(asked: Any) -> bool:
    """Whether a message, or one of a list, calls a tool that writes."""
    if isinstance(asked, list):
        return any(map(_writes, asked))
    if not isinstance(asked, dict) or asked.get("method") != "tools/call":
        return False
    called = asked.get("params")
    name = called.get("name") if isinstance(called, dict) else None
    tool = programs().get(name) if isinstance(name, str) else None
    return tool is not None and not tool.read_only


async def _refuse(send: Send, failure: CommonplaceError, *, asked: Any) -> None:
    """Send 401 with the error, in the form of HTTP and JSON-RPC."""
    number = asked.get("id") if isinstance(asked, dict) else None
    number = number if isinstance(number, int | str) else None
    data = wire.error(failure)["error"]
    told = {"code": _REFUSED, "message": str(failure), "data": data}
    body = json.dumps({"jsonrpc": "2.0", "id": number, "error": told}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"www-authenticate", b'Bearer realm="commonplace"'),
    ]
    await send({"type": "http.response.start", "status": 401, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Bounded(H11Protocol):
    """A connection that is closed if its request does not arrive in time or its answer is not read."""

    _late: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, unless there are too many or it belongs to another user."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS or of_another_user(transport):
            transport.abort()
            return
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Handle received bytes; the time limit of a request starts with its first byte."""
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._came()
        elif self._late is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers."""
        self._came()
        self._read()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start a time limit for the client to read its answer."""
        super().pause_writing()
        self._unread = self.loop.call_later(WHOLE, self.transport.abort)

    def resume_writing(self) -> None:
        """Cancel that time limit."""
        self._read()
        super().resume_writing()

    def _wait(self) -> None:
        self._late = self.loop.call_later(WHOLE, self.transport.abort)

    def _read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _came(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def of_another_user(transport: asyncio.Transport) -> bool:
    """Whether the other end belongs to another user of this machine, root aside; no where that cannot be told.

    What is read here may be readable by its owner alone, and a loopback address is open to every account.
    """
    ours, theirs = transport.get_extra_info("sockname"), transport.get_extra_info("peername")
    with suppress(OSError, ValueError, TypeError, IndexError), open(_SOCKETS, encoding="ascii") as file:
        wanted = [_shown(theirs), _shown(ours)]
        for line in file:
            fields = line.split()
            if fields[1:3] == wanted:
                return int(fields[7]) not in (0, os.geteuid())
    return False


def _shown(address: tuple[str, int]) -> str:
    """An address in the format of proc(5)."""
    return f"{int.from_bytes(socket.inet_aton(address[0]), 'little'):08X}:{address[1]:04X}"


class _Recorded:
    """While it is entered, `status` and `doctor` find this server; its record comes back where somebody removes it."""

    def __init__(self, root: str, url: str) -> None:
        self._serving = Serving(root, url)
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._keep, daemon=True)

    def __enter__(self) -> None:
        self._serving.keep()
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        self._serving.close()

    def _keep(self) -> None:
        while not self._end.wait(_AGAIN):
            self._serving.keep()
