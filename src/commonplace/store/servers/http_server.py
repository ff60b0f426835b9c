"""One request to an HTTP server, within a time limit, and nothing else: no redirects, no proxies, no connection kept.

The server is on this machine unless the settings allow another. That is decided by how its address is written, and
`localhost` is never looked up.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from commonplace.errors import UsageError

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from socket import socket

_MOST_BYTES = 32_000_000
"""Longest answer: the vectors of 300 texts with 4,096 dimensions, as JSON."""
_PIECE = 65_536
_EXAMPLE = 'write, for example: url = "http://127.0.0.1:11434"'


class HttpServer(NamedTuple):
    """The address of one API of a server."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def shown(self) -> str:
        """The address for people, without its path."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = {"http": 80, "https": 443}[self.scheme]
        return f"{self.scheme}://{host}" + (f":{self.port}" if self.port != usual else "")

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where to connect to, one after the other."""
        return ("127.0.0.1", "::1") if (self.scheme, self.host) == ("http", "localhost") else (self.host,)


class Response(NamedTuple):
    """What a server answered."""

    status: int
    content: bytes
    wait: float = 0
    """Seconds after which it wants to be asked again."""


class Unanswered(Exception):
    """There is no answer, or no complete one."""

    def __init__(self, says: str, *, again: bool) -> None:
        super().__init__(says)
        self.again = again
        """Whether the next try may succeed."""


class ServerApi(NamedTuple):
    """One of the APIs of OpenAI that other servers have, too."""

    path: str
    """`/v1/embeddings`, which is added to a URL without it."""
    server: str
    """A server with it, for people: `embeddings server`."""
    turn_on: str
    """The verb that lets this user allow a server: `semantic on`."""


EMBEDDINGS = ServerApi("/v1/embeddings", "embeddings server", "semantic on")
CHAT = ServerApi("/v1/chat/completions", "model server", "model on")


def server_at(url: str, api: ServerApi, *, allow_remote: bool) -> HttpServer:
    """Return the server of a URL.

    Raises UsageError, which does not repeat the URL if it may contain a password, for what is no such URL, and for
    another machine if that is not allowed.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise UsageError(f"the url of the {api.server} is no URL", _EXAMPLE) from None
    if parts.username is not None or parts.query or parts.fragment:
        raise UsageError(
            f"the url of the {api.server} must not contain a user, a password or a query",
            "put a key into an environment variable, and its name into key_env",
        )
    named = re.fullmatch(r"[a-z0-9._-]+|[0-9a-f:.]*:[0-9a-f:.]*", host)
    if parts.scheme not in ("http", "https") or not named or not re.fullmatch(r"[!-~]*", parts.path):
        raise UsageError(f"the url of the {api.server} is no http or https URL of a host", _EXAMPLE)
    if not allow_remote and not is_here(host):
        raise UsageError(
            f"{host} is not this machine, and texts are sent to no other one",
            f"to send the text of your notes there: commonplace {api.turn_on} --url URL --model NAME --allow-remote",
        )
    path = parts.path.rstrip("/")
    if re.search(r"/v\d+$", path):
        path += api.path.removeprefix("/v1")
    elif not path.endswith(api.path.removeprefix("/v1")):
        path += api.path
    return HttpServer(parts.scheme, host, port or (443 if parts.scheme == "https" else 80), path)


def is_here(host: str) -> bool:
    """Whether a host is this machine by its name alone: `localhost`, `::1`, and 127.0.0.0/8 as four plain numbers."""
    numbers = re.fullmatch(r"127((?:\.(?:0|[1-9]\d{0,2})){3})", host)
    return host in ("localhost", "::1") or bool(numbers and all(int(each) < 256 for each in numbers[1].split(".")[1:]))


def ask(
    server: HttpServer,
    path: str,
    *,
    body: bytes | None = None,
    key: str = "",
    seconds: float,
    most_bytes: int = _MOST_BYTES,
) -> Response:
    """Return the answer of a server: to a POST if there is a body, else to a GET. Raises Unanswered.

    Args:
        key: sent as bearer token if it is not empty.
        seconds: limit for the whole answer. most_bytes: of the answer; a longer one is none.
    """
    headers = {"Host": server.shown.partition("://")[2], "Accept": "application/json", "Connection": "close"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if key:
        headers["Authorization"] = f"Bearer {key}"
    for address in server.addresses[:-1]:
        try:
            return _answer(server, path, address, sent=(body, headers), seconds=seconds, most_bytes=most_bytes)
        except ConnectionRefusedError:
            continue
    try:
        return _answer(server, path, server.addresses[-1], sent=(body, headers), seconds=seconds, most_bytes=most_bytes)
    except ConnectionRefusedError:
        raise Unanswered("no program answers there", again=True) from None


def _answer(
    server: HttpServer,
    path: str,
    address: str,
    *,
    sent: tuple[bytes | None, dict[str, str]],
    seconds: float,
    most_bytes: int,
) -> Response:
    """Return the answer that one address gives. Raises Unanswered, or ConnectionRefusedError."""
    from http.client import HTTPConnection, HTTPException, HTTPSConnection

    end, (body, headers) = time.monotonic() + seconds, sent
    kind = HTTPSConnection if server.scheme == "https" else HTTPConnection
    connection = kind(address, server.port, timeout=seconds)
    try:
        connection.request("GET" if body is None else "POST", path, body=body, headers=headers)
        channel = connection.sock
        response = connection.getresponse()
        wait = response.headers.get("Retry-After") or ""
        content = _content(response, channel, end=end, most_bytes=most_bytes)
        return Response(response.status, content, float(wait) if re.fullmatch(r"\d{1,4}", wait) else 0)
    except ConnectionRefusedError:
        raise
    except TimeoutError:
        raise Unanswered(f"it gave no complete answer within {seconds:g} seconds", again=False) from None
    except (HTTPException, OSError) as error:
        says = getattr(error, "strerror", None) or "it closed the connection, or does not speak HTTP"
        raise Unanswered(says, again=True) from None
    finally:
        connection.close()


def _content(response: HTTPResponse, channel: socket, *, end: float, most_bytes: int) -> bytes:
    """Return the body of an answer. Raises TimeoutError after the end, however slowly it arrives."""
    from http.client import IncompleteRead

    found, whole = bytearray(), response.length or 0
    while piece := response.read1(_PIECE):
        found += piece
        if len(found) > most_bytes:
            raise Unanswered(f"its answer has more than {most_bytes:,} bytes", again=False)
        if (left := end - time.monotonic()) <= 0:
            raise TimeoutError
        if channel.fileno() >= 0:  # closed already where the whole answer has arrived
            channel.settimeout(left)
    if len(found) < whole:
        raise IncompleteRead(bytes(found), whole - len(found))
    return bytes(found)
