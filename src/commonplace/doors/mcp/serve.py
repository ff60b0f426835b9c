"""The verb mcp: the tools for any MCP client, over stdio or loopback HTTP.

Standard output belongs to the protocol, and logs go to standard error. Over stdio the server ends with its client.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from commonplace.doors.shared.lasting_process import imported_to_stay
from commonplace.errors import ExtensionMissing, UsageError

if TYPE_CHECKING:
    from commonplace.doors.shared.verb_call import Call


def mcp(call: Call) -> int:
    """Serve until the client disconnects; over HTTP until the process is stopped."""
    port = None if call.options.http is None else _port(call.options.http)
    root = call.root  # found, or refused, before anything heavy is imported
    try:
        with imported_to_stay():
            from commonplace.doors.mcp import mcp_server as server

            if port is not None:
                from commonplace.doors.mcp import mcp_http
    except ImportError as error:
        said = f"the official MCP SDK, version 2, is not installed: {str(error).lower()}"
        raise ExtensionMissing(said, "mcp") from error
    _log_to_stderr(verbose=call.options.verbose)
    desk = server.Desk(root, call.today)
    if port is None:
        return server.over_stdio(desk)
    return mcp_http.over_http(desk, root, port=port, note=call.screen.note)


def _port(text: str) -> int:
    from commonplace.doors.table.requests import shown

    if not (text.isascii() and text.isdecimal() and int(text[:6]) < 2**16):
        raise UsageError("--http must be a port, from 0 to 65535", f"not {shown(text)}; 0 picks a free port")
    return int(text)


def _log_to_stderr(*, verbose: bool) -> None:
    import logging

    level = logging.INFO if verbose else logging.WARNING
    logging.basicConfig(stream=sys.stderr, level=level, format="commonplace mcp: %(levelname)s: %(name)s: %(message)s")
