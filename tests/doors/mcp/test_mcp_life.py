"""How the MCP server lives and ends: long calls, cancelled calls, long runs, clients that die, hostile neighbours."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from datetime import date, timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from tests.mcp_client import PATIENCE, Wire, argv, call, connected, http, process, run

from commonplace import Memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Write

SMALL = """
    === memory/2025-11-27.md
    - W @Peter: Currently in Marrakech for the birthday of Andy. ^k7f3qa
    """
LINUX = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory and files are counted in /proc")


def large(workspace: Write, people: int = 40, days: int = 40) -> Path:
    """A workspace over which a first reflect takes a second: time enough to cancel it."""
    log: dict[str, str] = {}
    for number in range(days):
        day = date(2025, 11, 30) - timedelta(days=number)
        names = [f"Person{(number * 7 + each * 13) % people}" for each in range(20)]
        facts = [f"- W @{name}: Repaired boat {number}-{at} in the old harbour.\n" for at, name in enumerate(names)]
        facts += [f"- O(c=0.8) @{name}: Prefers boat {at} to boat {number}.\n" for at, name in enumerate(names)]
        log[f"memory/{day}.md"] = "## Retain\n" + "".join(facts)
    return workspace(log)


def pages(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*.md")}


def until(true: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return true()


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_reflect_that_is_cancelled_has_written_nothing(workspace: Write, transport: str) -> None:
    root = large(workspace)
    before = pages(root)
    told: list[tuple[float, float | None]] = []

    async def work() -> None:
        async with connected(root, transport) as client:
            with anyio.CancelScope() as scope:

                async def progress(progress: float, total: float | None, message: str | None) -> None:
                    told.append((progress, total))
                    scope.cancel()

                await client.call_tool("reflect", {"yes": True}, progress_callback=progress)
            assert scope.cancelled_caught, "the reflect was done before it could be cancelled"
            assert (await call(client, "retain", text="W @Clara: Moved to Lisbon."))["created"]  # its turn comes
            now = pages(root)
            assert now.keys() - before.keys() == {"memory/2025-12-01.md"}
            assert {path: now[path] for path in before} == before
            assert (await call(client, "recall", query="who moved to Lisbon?"))["hits"]
            assert (await call(client, "reflect", yes=True))["applied"]

    run(work)
    assert told
    assert "Lisbon" in (root / "memory" / "2025-12-01.md").read_text(encoding="utf-8")
    assert (root / "bank" / "opinions.md").exists()


def test_a_long_call_tells_how_far_it_is_and_nobody_waits_for_it(workspace: Write) -> None:
    root = large(workspace)
    told: list[tuple[float, float | None]] = []
    order: list[str] = []

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total))

    async def work() -> None:
        async with connected(root) as client, anyio.create_task_group() as tasks:
            await call(client, "recall", query="boat")

            async def reflect() -> None:
                await client.call_tool("reflect", {"yes": True}, progress_callback=progress)
                order.append("reflect")

            tasks.start_soon(reflect)
            for _ in range(3):
                assert (await call(client, "recall", query="boat 7-3"))["hits"]
                order.append("recall")

    run(work)
    assert order.index("recall") < order.index("reflect")
    assert told and told == sorted(told)
    assert all(of is not None and done <= of for done, of in told)


@LINUX
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_thousand_calls_leave_nothing_behind(
    workspace: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, transport: str
) -> None:
    """Ten to twenty seconds each: a thousand answers, every one of them checked."""
    root = workspace(SMALL)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))

    def held(pid: int) -> tuple[int, int]:
        """KB of memory, and open files."""
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        return int(status.split("VmRSS:")[1].split()[0]), len(os.listdir(f"/proc/{pid}/fd"))

    def held_names() -> set[Path]:
        """Files there, but for copies of what was written over."""
        return {path for path in root.rglob("*") if "keep" not in path.parts}

    def server() -> int:
        (child,) = (
            int(pid)
            for pid in os.listdir("/proc")
            if pid.isdecimal() and str(root).encode() in _read(Path(f"/proc/{pid}/cmdline")) and int(pid) != os.getpid()
        )
        return child

    async def work() -> None:
        async with connected(root, transport) as client:

            async def calls(many: int, start: int) -> None:
                for number in range(start, start + many):
                    match number % 5:
                        case 0:
                            text = f"W @Peter: Saw bird number {number}."
                            assert (await call(client, "retain", text=text))["created"]
                        case 1:
                            found = await call(client, "recall", query=f"bird number {number - 1}")
                            assert str(number - 1) in found["hits"][0]["text"]
                        case 2:
                            assert (await call(client, "get", target="memory/2025-11-27.md"))["total"] > 0
                        case 3:
                            assert (await client.call_tool("recall", {"query": number})).is_error
                        case _:
                            assert (await call(client, "core"))["tokens"] >= 0

            await calls(150, 0)
            pid = server()
            memory, files = held(pid)
            names = held_names()
            await calls(1_000, 150)
            memory_after, files_after = held(pid)
            assert memory_after - memory <= 10_000
            assert files_after <= files
            assert held_names() == names
            assert not os.listdir(tmp_path / "tmp")

    run(work)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has ended
        return b""


CLIENT = """
import subprocess, sys, time
server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
server.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", '
                   b'"capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}\\n')
server.stdin.flush()
server.stdout.readline()
if sys.argv[1] == "shared":  # somebody else holds the pipe, and stays
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], pass_fds=[server.stdin.fileno()],
                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
print(server.pid, flush=True)
time.sleep(60)
"""


def alive(pid: int) -> bool:
    """Whether a process runs; one that nobody has waited for does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return b") Z" not in _read(Path(f"/proc/{pid}/stat"))


@pytest.mark.parametrize("pipe", ["own", "shared"])
def test_it_ends_when_its_client_is_killed(workspace: Write, pipe: str) -> None:
    root = workspace(SMALL)
    client = subprocess.Popen([sys.executable, "-c", CLIENT, pipe, *argv(root)], stdout=subprocess.PIPE)
    assert client.stdout is not None
    pid = int(client.stdout.readline())
    assert alive(pid)
    client.kill()
    client.wait()
    client.stdout.close()
    assert until(lambda: not alive(pid))


def test_it_ends_in_the_middle_of_a_reflect_when_its_input_ends(workspace: Write) -> None:
    root = large(workspace)
    before = pages(root)
    with process(root) as server:
        wire = Wire(server)
        wire.greet()
        wire.send(json.dumps(asked("reflect", yes=True)).encode())
        time.sleep(0.3)
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(PATIENCE) == 0
        server.stdin = None
    after = pages(root)
    assert after == before or "bank/opinions.md" in after  # none of it, or all
    with Memory(str(root), today=date(2025, 12, 1)) as memory:
        memory.reflect(yes=True)
        assert not memory.reflect().patches


def asked(name: str, number: object = 7, **arguments: Any) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_when_it_is_told_to(workspace: Write, sign: int) -> None:
    with process(workspace(SMALL)) as server:
        Wire(server).greet()
        server.send_signal(sign)
        assert server.wait(PATIENCE) == -sign


def test_an_http_server_ends_when_it_is_told_to(workspace: Write) -> None:
    with http(workspace(SMALL)) as (_, server):
        server.send_signal(signal.SIGTERM)
        assert server.wait(PATIENCE) in (0, -signal.SIGTERM)


GARBAGE = (
    *(b"", b"hello", b"{", b"[]", b"null", b'"x"', b"\xff\xfe\x00", b"[" * 100_000, b'{"jsonrpc": "2.0"}'),
    *(b'{"jsonrpc": "1.0", "id": 5, "method": "ping"}', b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}'),
    *(b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}', b"x" * 1_000_000),
    b'{"jsonrpc": "2.0", "method": "notifications/nonsense", "params": []}',
)
WRONG: tuple[tuple[dict[str, Any], int], ...] = (
    ({"method": "tools/call", "params": {"name": "nothing"}}, -32602),
    ({"method": "tools/call", "params": {"name": 7}}, -32602),
    ({"method": "tools/call", "params": {}}, -32602),
    ({"method": "tools/call", "params": {"name": "recall", "arguments": []}}, -32602),
    ({"method": "tools/call", "params": {"name": "recall", "arguments": "x"}}, -32602),
    ({"method": "tools/call", "params": {"name": "recall", "arguments": {"query": "half: \ud800"}}}, -32700),
    ({"method": "tools/dance"}, -32601),
    ({"method": "resources/read", "params": {"uri": "commonplace://nothing"}}, -32602),
    ({"method": "resources/read", "params": {}}, -32602),
    ({"method": "prompts/get", "params": {"name": "nothing"}}, -32602),
    ({"method": "initialize", "params": {}}, -32602),
)


def test_whatever_a_line_holds_the_next_is_served_and_nothing_else_is_printed(workspace: Write) -> None:
    with process(workspace(SMALL)) as server:
        wire = Wire(server)
        wire.greet()
        for line in GARBAGE:
            wire.send(line)
            assert wire.ask("ping")["result"] == {}
        for request, code in WRONG:
            wire.send(json.dumps({"jsonrpc": "2.0", "id": "wrong", **request}).encode())
            answer = wire.read()
            assert (answer["id"], answer["error"]["code"]) == ("wrong", code), request
        found = wire.ask("tools/call", name="recall", arguments={"query": "Marrakech \u0000 \u2028 \U0001f600"})
        assert not found["result"].get("isError")
        assert server.stdin is not None and server.stdout is not None
        server.stdin.close()
        rest = server.stdout.read()
        assert server.wait(PATIENCE) == 0
        server.stdin = None
    assert rest == b""


def test_names_that_are_no_text_do_not_break_the_wire(workspace: Write) -> None:
    root = workspace(SMALL)
    name = os.fsencode(str(root / "memory")) + b"/2025-11-\xff.md"
    try:
        Path(os.fsdecode(name)).write_text("- W @Clara: Repairs boats.\n", encoding="utf-8")
    except OSError:  # a file system that has only text for names
        return

    async def work() -> None:
        async with connected(root) as client:
            found = await call(client, "recall", query="who repairs boats?")
            for hit in found["hits"]:
                await client.call_tool("get", {"target": hit["source"]})
            assert (await call(client, "recall", query="Marrakech"))["hits"]

    run(work)


def post(port: int, headers: dict[str, str], host: str = "127.0.0.1") -> int:
    """The status of a handshake with these headers."""
    connection = HTTPConnection(host, port, timeout=PATIENCE)
    info = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": info})
    usual = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request("POST", "/mcp", body, {**usual, **headers})
    status = connection.getresponse().status
    connection.close()
    return status


def test_over_http_only_this_machine_is_served_and_no_web_page(workspace: Write) -> None:
    with http(workspace(SMALL)) as (url, _):
        assert url.startswith("http://127.0.0.1:") and url.endswith("/mcp")
        port = int(url.split(":")[2].split("/")[0])
        assert post(port, {}) == 200
        assert post(port, {"Host": f"localhost:{port}"}) == 200
        assert post(port, {"Origin": f"http://localhost:{port}"}) == 200
        for host in (
            f"evil.example:{port}",
            "127.0.0.1",
            f"127.0.0.1:{port + 1}",
            f"127.0.0.1.evil.example:{port}",
            "",
        ):
            assert post(port, {"Host": host}) == 421, host
        for origin in ("http://evil.example", "null", f"http://evil.example:{port}", "http://localhost:1"):
            assert post(port, {"Origin": origin}) == 403, origin
        modern = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover"}
        assert post(port, {**modern, "Host": "evil.example"}) == 421
        assert post(port, {**modern, "Origin": "http://evil.example"}) == 403
        for family, address in others():
            with socket.socket(family, socket.SOCK_STREAM) as line:
                line.settimeout(PATIENCE)
                assert line.connect_ex((address, port)) != 0, address


def others() -> list[tuple[socket.AddressFamily, str]]:
    """Addresses of this machine but the one that is listened on."""
    found = {(socket.AF_INET, "127.0.0.2")}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        try:
            line.connect(("192.0.2.1", 9))  # sends nothing: asks which address would
            found.add((socket.AF_INET, line.getsockname()[0]))
        except OSError:
            pass
    return sorted(found)


def test_a_port_that_cannot_be_had_is_told(workspace: Write) -> None:
    root = workspace(SMALL)
    with http(root) as (url, _):
        taken = url.split(":")[2].split("/")[0]
        bad = (("99999", "from 0 to 65535"), ("-1", "must be"), ("x", "must be"))
        for port, said in ((taken, "is not available"), *bad):
            done = subprocess.run(argv(root, f"--http={port}"), capture_output=True, text=True, check=False)
            assert (done.returncode, done.stdout) == (2, "")
            assert said in done.stderr, done.stderr


@pytest.mark.parametrize("missing", ["pydantic", "mcp", "mcp_types", "mcp.server.stdio"])
def test_without_the_sdk_it_says_what_to_install(workspace: Write, missing: str) -> None:
    hidden = f"import sys; sys.modules[{missing!r}] = None; sys.argv = ['commonplace', *sys.argv[1:]]; "
    code = hidden + "from commonplace.doors.cli.main import main; sys.exit(main())"
    words = argv(workspace(SMALL))[3:]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False, input="")
    assert (done.returncode, done.stdout) == (1, "")
    assert "pip install 'mcp<" in done.stderr and "Traceback" not in done.stderr
