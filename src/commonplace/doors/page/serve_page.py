"""The verb serve: opens the page in this person's browser, and serves it until stopped."""

from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile
import threading
import time
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING

from commonplace.doors.shared.lasting_process import imported_to_stay
from commonplace.errors import CommonplaceError, ExtensionMissing, NotAWorkspace, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from commonplace.doors.shared.verb_call import Call
    from commonplace.memory.watch_loop import Watch


def serve_page(call: Call) -> int:
    """Serve the page until SIGINT or SIGTERM; the exit status."""
    port = 0 if call.options.port is None else _port(call.options.port)
    try:
        call.memory().close()
    except NotAWorkspace:
        if not os.path.isdir(call.root):  # of a folder that is still empty the page says how to begin
            raise
    try:
        with imported_to_stay():
            import uvicorn

            from commonplace.doors.page.app import LocalPage
    except ImportError as error:
        raise ExtensionMissing(f"the page needs more packages: {str(error).lower()}", "page") from error
    from commonplace.doors.page.guard import LOOPBACK, TOKEN_SECONDS, PageKeys
    from commonplace.doors.page.lanes import PageDesk

    try:
        listening = socket.create_server((LOOPBACK, port))
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise UsageError(f"port {port} is not available: {said}", "leave out --port for a free one") from error
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    keys = PageKeys(listening.getsockname()[1])
    desk = PageDesk(call.root, call.today)
    page = LocalPage(desk, keys, name=os.path.basename(call.root) or call.root)

    class PageServer(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            desk.end()  # open pages listen without end, and it would wait for them
            await super().shutdown(sockets)

    server = PageServer(
        uvicorn.Config(
            page.application(),
            log_config=None,
            access_log=False,
            ws="none",
            timeout_graceful_shutdown=1,
            server_header=False,
        )
    )

    def end(_number: int, _frame: FrameType | None) -> None:
        server.should_exit = True

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    watching = _watched(call)
    _announce(call, keys.address, browser=not call.options.no_browser, seconds=TOKEN_SECONDS)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    with suppress(OSError):  # it has ended by itself, where another one runs
        watching.stop()
    return 0


def _watched(call: Call) -> Watch:
    """A watcher beside the page, so that questions need not look at every file."""
    from commonplace.memory import Memory
    from commonplace.memory.watch_loop import Watch

    watching = Watch(lambda: Memory(call.root), tell=call.tell, warn=call.screen.note)

    def run() -> None:
        with suppress(CommonplaceError):  # another watcher runs, or it cannot be had here: then each question looks
            watching.run()

    threading.Thread(target=run, name="commonplace-watch", daemon=True).start()
    return watching


def _announce(call: Call, address: Callable[[], str], *, browser: bool, seconds: float) -> None:
    """Open the page in the browser, and print an address that opens it once; another at each Enter on a terminal."""
    call.screen.print(address())
    call.screen.note("opens the page once, within a minute; Ctrl-C ends it")
    if browser and (
        sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        threading.Thread(target=_browse, args=(address(), seconds), daemon=True).start()
    if sys.stdin is not None and sys.stdin.isatty():
        call.screen.note("press Enter for another address")
        threading.Thread(target=_again, args=(call, address), daemon=True).start()


def _browse(address: str, seconds: float) -> None:
    """Open an address by way of a file that only this user can read: every account can read a command's words."""
    with tempfile.TemporaryDirectory(prefix="commonplace-") as folder:
        file = os.path.join(folder, "open.html")
        with open(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="ascii") as page:
            page.write(f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={address}">')
        with suppress(webbrowser.Error):
            webbrowser.open(f"file://{file}")
        time.sleep(seconds)


def _again(call: Call, address: Callable[[], str]) -> None:
    for _ in sys.stdin:
        call.screen.print(address())


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text[:6]) < 2**16):
        raise UsageError("--port must be a port, from 1 to 65535", "leave it out for a free one")
    return int(text)
