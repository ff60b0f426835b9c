"""The verb mcp: the table of tools for any client of the Model Context Protocol, over stdio or loopback HTTP.

Standard output belongs to the protocol, and logs go to standard error. Over stdio the server ends with its client.
"""

from __future__ import annotations

import gc
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from commonplace.errors import ExtensionMissing, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonplace.doors.shared.verb_call import Call

_PASSED = ("mcp", "mcp.server")
"""Packages of the SDK that are entered without running what their `__init__` collects."""
_COLLECTING = (10_000, 10, 10)
"""Thresholds of the collector, for a process that stays."""


def mcp(call: Call) -> int:
    """Serve until the client goes; over HTTP until the process is told to end."""
    port = None if call.options.http is None else _port(call.options.http)
    root = call.root  # found, or refused, before anything heavy is imported
    gc.disable()  # the SDK stays: nothing of it need be looked at, now or later
    with quickly(http=port is not None):
        from commonplace.doors.mcp import mcp_server as server

        if port is not None:
            from commonplace.doors.mcp import mcp_http
    gc.freeze()
    gc.enable()
    gc.set_threshold(*_COLLECTING)
    _log_to_stderr(verbose=call.options.verbose)
    desk = server.Desk(root, call.today)
    if port is None:
        return server.over_stdio(desk)
    return mcp_http.over_http(desk, root, port, call.screen.note)


@contextmanager
def quickly(*, http: bool = False) -> Iterator[None]:
    """Import what a server needs of the official SDK in less than half the time.

    `import mcp` also loads its client, OAuth and a second framework for servers, and compiles validators for three
    versions of the protocol: 0.7 s of CPU. Within this context packages on the way to the server are made, not run, and
    a validator is compiled when it is first used: 0.35 s. Whoever imports `mcp` afterwards gets all of it.

    Args:
        http: whether it will serve over HTTP; else the HTTP server, which the SDK only looks for, is not found.

    Raises:
        ExtensionMissing: where the SDK is not installed, or is one that we do not know.
    """
    from importlib.util import find_spec, module_from_spec

    hollow = []
    try:
        from pydantic import BaseModel

        for name in _PASSED:
            spec = find_spec(name)
            if spec is None:
                raise ImportError(f"no module named {name}")
            if name not in sys.modules:
                sys.modules[name] = module_from_spec(spec)
                hollow.append(name)
        if not http and "uvicorn" not in sys.modules:
            sys.modules["uvicorn"] = None  # type: ignore[assignment]
            hollow.append("uvicorn")
        given, BaseModel.model_config = BaseModel.model_config, {"defer_build": True}
        try:
            yield
        finally:
            BaseModel.model_config = given
    except ImportError as error:
        said = f"the official MCP SDK is not there, or not of version 2: {str(error).lower()}"
        raise ExtensionMissing(said, "mcp") from error
    finally:
        for name in hollow:
            del sys.modules[name]


def _port(text: str) -> int:
    from commonplace.doors.table.requests import shown

    if not (text.isascii() and text.isdecimal() and int(text[:6]) < 2**16):
        raise UsageError("--http must be a port, from 0 to 65535", f"not {shown(text)}; 0 takes a free one")
    return int(text)


def _log_to_stderr(*, verbose: bool) -> None:
    import logging

    level = logging.INFO if verbose else logging.WARNING
    logging.basicConfig(stream=sys.stderr, level=level, format="commonplace mcp: %(levelname)s: %(name)s: %(message)s")
