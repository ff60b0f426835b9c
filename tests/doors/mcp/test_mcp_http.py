"""MCP over HTTP, tried with sockets: who may write, how long anybody may take, and how the server is found."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

import pytest
from tests.mcp_client import PATIENCE, header, http

from commonplace.doors.tools import tool_calls

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Cli, Write

FILES = {"MEMORY.md": "# Memory\n", "memory/2025-11-27.md": "## Retain\n- W @Peter: Drinks tea.\n"}
USUAL = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
RETAIN = {"name": "retain", "arguments": {"text": "W @Clara: Sold the boat."}}
RECALL = {"name": "recall", "arguments": {"query": "tea"}}
QUICK = "WHOLE=1.0 IDLE=1 SESSION=1.0 MOST_SESSIONS=3 MOST_CONNECTIONS=12 MOST_BYTES=20_000 _AGAIN=0.1"


@contextmanager
def bounded(root: Path, bounds: str = QUICK) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A server of this workspace with other bounds, and its port."""
    code = "import sys; from commonplace.doors.mcp import mcp_http; sys.argv = ['commonplace', *sys.argv[1:]]; "
    code += (
        "".join(f"mcp_http.{each}; " for each in bounds.split()) + "from commonplace.doors.cli.main import main; main()"
    )
    words = [sys.executable, "-c", code, "mcp", "--http", "0", "--workspace", str(root)]
    with subprocess.Popen(words, stderr=subprocess.PIPE) as server:
        assert server.stderr is not None
        try:
            yield int(server.stderr.readline().decode().rpartition(":")[2].split("/")[0]), server
        finally:
            server.kill()


def post(port: int, asked: Any, **headers: str) -> tuple[int, dict[str, str], str]:
    """Status, headers and body of an answer; what is asked is JSON, or bytes as they are."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    body = asked if isinstance(asked, bytes) else json.dumps(asked).encode()
    connection.request("POST", "/mcp", body, {**USUAL, **headers})
    answer = connection.getresponse()
    told = (answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode())
    connection.close()
    return told


def message(method: str, params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}


def begun(port: int, **headers: str) -> tuple[int, dict[str, str]]:
    """The status of a session's opening, and the header that goes on with it."""
    info = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    status, told, _ = post(port, message("initialize", info), **headers)
    session = {"Mcp-Session-Id": told.get("mcp-session-id", "")}
    if status == 200:
        post(port, {"jsonrpc": "2.0", "method": "notifications/initialized"}, **session, **headers)
    return status, session


def ends(line: socket.socket, within: float = PATIENCE) -> bool:
    """Whether the other end closes the connection; what it says before does not count."""
    line.settimeout(within)
    try:
        while line.recv(65_536):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    return True


def port_of(url: str) -> int:
    return int(url.rpartition(":")[2].split("/")[0])


# How long anybody may take.

HEAD = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
HALVES = {
    "nothing at all": b"",
    "half a request line": b"POST /m",
    "headers that never end": HEAD,
    "a body that never comes": HEAD + b"Content-Length: 1000\r\n\r\n",
    "half a body": HEAD + b"Content-Length: 1000\r\n\r\n" + b"{" * 10,
    "half a body in chunks": HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{{{{{\r\n",
    "a request and half of another": b"GET /x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nPOST /mcp HT",
    "a request, and no other": b"GET /x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
}


def test_half_sent_requests_and_idle_connections_end_while_others_are_served(workspace: Write) -> None:
    with bounded(workspace(FILES)) as (port, _):
        lines = {name: socket.create_connection(("127.0.0.1", port)) for name in HALVES}
        for name, line in lines.items():
            line.sendall(HALVES[name])
        assert begun(port)[0] == 200
        for name, line in lines.items():
            assert ends(line), name
            line.close()


@pytest.mark.parametrize("start", [b"", HEAD + b"Content-Length: 100000\r\n\r\n"], ids=["headers", "body"])
def test_a_request_that_trickles_ends_too(start: bytes, workspace: Write) -> None:
    """Each byte comes soon after the one before: what counts is the whole."""
    with bounded(workspace(FILES)) as (port, _), socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(start)
        until = time.monotonic() + PATIENCE
        with pytest.raises(ConnectionError):
            while time.monotonic() < until:
                line.sendall(b"a")
                time.sleep(0.05)


def test_a_client_that_does_not_read_its_answer_is_let_go(workspace: Write) -> None:
    root = workspace({**FILES, "memory/2025-11-28.md": "- A long day.\n" * 1_500_000})
    with bounded(root) as (port, _), socket.create_connection(("127.0.0.1", port)) as line:
        _, session = begun(port)
        body = json.dumps(message("resources/read", {"uri": "commonplace://log/2025-11-28"})).encode()
        heads = {**USUAL, **session, "Host": f"127.0.0.1:{port}", "Content-Length": str(len(body))}
        told = "".join(f"{name}: {value}\r\n" for name, value in heads.items())
        line.sendall(f"POST /mcp HTTP/1.1\r\n{told}\r\n".encode() + body)
        until = time.monotonic() + PATIENCE
        with pytest.raises(ConnectionError):
            while time.monotonic() < until:
                line.sendall(b" ")
                time.sleep(0.1)


def test_there_are_only_so_many_connections(workspace: Write) -> None:
    with bounded(workspace(FILES), "WHOLE=20.0 MOST_CONNECTIONS=5") as (port, _):
        lines = [socket.create_connection(("127.0.0.1", port)) for _ in range(9)]
        assert [ends(line, 0.5) for line in lines] == [False] * 5 + [True] * 4
        for line in lines:
            line.close()
        assert begun(port)[0] == 200


def test_sessions_end_when_nobody_asks_and_there_are_only_so_many(workspace: Write) -> None:
    with bounded(workspace(FILES)) as (port, _):
        opened = [begun(port) for _ in range(4)]
        assert [status for status, _ in opened] == [200, 200, 200, 503]
        until = time.monotonic() + PATIENCE
        while (status := post(port, message("tools/list", {}), **opened[0][1])[0]) == 200:
            assert time.monotonic() < until
            time.sleep(1.5)
        assert status == 404
        assert begun(port)[0] == 200


def test_a_body_that_is_too_large_is_refused(workspace: Write) -> None:
    with bounded(workspace(FILES)) as (port, _):
        assert post(port, message("initialize", {"x": "y" * 30_000}))[0] == 413
        line = socket.create_connection(("127.0.0.1", port))
        line.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + (b"1000\r\n" + b"y" * 4096 + b"\r\n") * 6)
        line.settimeout(PATIENCE)
        assert b" 413 " in line.recv(100)
        line.close()


# Who may write.


def test_reads_need_nothing_and_writes_need_the_token(workspace: Write) -> None:
    root = workspace(FILES)
    log = root / "memory" / "2025-12-01.md"
    with http(root) as (url, _):
        port, right = port_of(url), header(url)
        _, session = begun(port)
        status, _, told = post(port, message("tools/call", RECALL), **session)
        assert status == 200 and "Drinks tea." in told
        status, headers, told = post(port, message("tools/call", RETAIN), **session)
        assert status == 401 and headers["www-authenticate"].startswith("Bearer")
        error = json.loads(told)
        assert error["id"] == 7 and "token" in error["error"]["message"]
        assert "Authorization: Bearer" in error["error"]["message"]
        assert not log.exists()
        for wrong in ("Bearer x", "Bearer ", "x", right["Authorization"] + "x", "Basic " + right["Authorization"][7:]):
            for asked in (RETAIN, RECALL):
                assert post(port, message("tools/call", asked), **session, Authorization=wrong)[0] == 401, wrong
        assert not log.exists()
        status, _, told = post(port, message("tools/call", RETAIN), **session, **right)
        assert status == 200 and "Sold the boat." in log.read_text(), told


def test_every_tool_that_writes_is_refused_without_the_token(workspace: Write) -> None:
    root = workspace(FILES)
    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    with http(root) as (url, _):
        _, session = begun(port_of(url))
        for tool in tool_calls.tools():
            if tool.agent:
                asked = message("tools/call", {"name": tool.name, "arguments": {}})
                assert (post(port_of(url), asked, **session)[0] == 401) is not tool.read_only, tool.name
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before


def test_no_way_to_write_a_request_gets_around_it(workspace: Write) -> None:
    """What the guard cannot read as a call of a tool, the tool refuses itself."""
    root = workspace(FILES)
    plain = json.dumps(message("tools/call", RETAIN))
    named = json.dumps(RETAIN)
    twice = plain.replace('"method"', '"method": "tools/list", "method"')
    after = plain.replace('"tools/call"', '"tools/call", "method": "tools/list"')
    called = plain.replace('"name": "retain"', '"name": "recall", "name": "retain"')
    modern = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "retain"}
    told: list[bytes] = [
        plain.encode("utf-16"),
        plain.encode("utf-8-sig"),
        b"[" + plain.encode() + b"]",
        twice.encode(),
        after.encode(),
        called.encode(),
        plain.replace("retain", "\\u0072etain").replace("tools/call", "tools\\/call").encode(),
        b"\n \t" + plain.encode() + b"\n",
        json.dumps({**json.loads(plain), "params": {**RETAIN, "_meta": {"x": 1}}}).encode(),
        f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {named}, "params": {named}}}'.encode(),
    ]
    with http(root) as (url, _):
        _, session = begun(port_of(url))
        for body in told:
            for more in (session, modern):
                post(port_of(url), body, **more)
    assert not (root / "memory" / "2025-12-01.md").exists()


def test_the_tool_itself_refuses_what_the_guard_let_through(workspace: Write) -> None:
    code = "WHOLE=20.0 _writes=(lambda*_:False)"
    root = workspace(FILES)
    with bounded(root, code) as (port, _):
        _, session = begun(port)
        status, _, told = post(port, message("tools/call", RETAIN), **session)
        assert status == 200 and "token-needed" in told
    assert not list((root / "memory").glob("2026*"))


def test_the_token_is_new_at_each_start_and_nowhere_on_the_disk(workspace: Write) -> None:
    root = workspace(FILES)
    seen = set()
    for _ in range(2):
        with http(root) as (url, server):
            token = header(url)["Authorization"].removeprefix("Bearer ")
            seen.add(token)
            assert re.fullmatch(r"[\w-]{32}", token)
            kept = [path.read_bytes() for path in root.rglob("*") if path.is_file()]
            assert not any(token.encode() in content for content in kept)
            if sys.platform == "linux":
                with open(f"/proc/{server.pid}/cmdline", "rb") as said:
                    assert token.encode() not in said.read()
    assert len(seen) == 2


def test_other_users_of_this_machine_are_not_served(workspace: Write) -> None:
    """As root the child becomes nobody; else there is no other user, and we must be served ourselves."""
    script = """
import encodings.idna, os, socket, sys
if os.geteuid() == 0:
    os.setuid(65534)
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as line:
    try:
        line.sendall(b"GET /mcp HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n")
        print("served" if line.recv(10) else "ended")
    except ConnectionError:
        print("ended")
"""
    with bounded(workspace(FILES), "WHOLE=20.0") as (port, _):
        done = subprocess.run([sys.executable, "-c", script, str(port)], capture_output=True, text=True, check=True)
        served = "ended" if os.geteuid() == 0 and sys.platform == "linux" else "served"
        assert done.stdout.strip() == served
        assert begun(port)[0] == 200


# How it is found.


def test_status_and_doctor_say_how_it_is_reached_and_notice_when_it_was_killed(workspace: Write, cli: Cli) -> None:
    root = workspace(FILES)
    with bounded(root) as (port, server):
        url = f"http://127.0.0.1:{port}/mcp"
        assert cli("status", "--json").json["servers"] == [{"pid": server.pid, "url": url, "running": True}]
        assert f"served: MCP over HTTP at {url}" in cli("status").out
        assert f"ok     servers: MCP over HTTP at {url} (process {server.pid})" in cli("doctor").out
        record = root / ".memory" / "servers" / f"{server.pid}.json"
        assert record.stat().st_mode & 0o077 == 0
        record.unlink()
        until = time.monotonic() + PATIENCE
        while not record.exists():
            assert time.monotonic() < until, "a record that somebody removed comes back"
            time.sleep(0.05)
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
    assert cli("status", "--json").json["servers"] == []
    told = cli("doctor")
    assert f"warn   servers: no longer running: the server with process id {server.pid}" in told.out
    assert "mended servers" in cli("doctor", "--fix").out
    assert not record.exists()


def test_a_server_that_is_told_to_end_leaves_no_record(workspace: Write) -> None:
    root = workspace(FILES)
    with bounded(root) as (_, server):
        assert list((root / ".memory" / "servers").iterdir())
        server.send_signal(signal.SIGTERM)
        server.wait(PATIENCE)
    assert not list((root / ".memory" / "servers").iterdir())


def test_a_server_makes_nothing_in_a_folder_that_is_no_workspace(tmp_path: Path) -> None:
    with bounded(tmp_path) as (port, _):
        assert begun(port)[0] == 200
        time.sleep(0.3)
    assert list(tmp_path.iterdir()) == []
