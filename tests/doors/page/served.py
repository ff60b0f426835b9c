"""A real `commonplace serve` over a real folder, for tests of the page."""

from __future__ import annotations

import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from commonplace.ops.index.sync_index import RACY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

PATIENCE = 60.0
"""Seconds for what takes a moment on a machine without other work."""
TODAY = "2025-12-01"
VIEWS = {
    "Today": "",
    "Ask": "ask",
    "answers": "ask?q=when+do+the+backups+at+The+Castle+run%3F",
    "no answer": "ask?q=zeppelin",
    "a day that cannot be read": "ask?q=Peter&as_of=never",
    "Days": "day/2025-11-26",
    "an empty day": "day/2025-06-15",
    "Entities": "entities",
    "Peter": "entity/Peter",
    "王芳": "entity/%E7%8E%8B%E8%8A%B3",
    "a merge": "merge?into=Peter&other=Andy",
    "Opinions": "opinions",
    "an opinion": "opinion/o-6kq0",
    "Review": "review",
    "Reflect": "reflect",
    "Health": "health",
    "a line": "at/memory/2025-11-26.md?line=10",
    "a file": "at/MEMORY.md?all=1",
    "no view": "nowhere",
}
"""Every view, as it is with much and with nothing to show."""
EXAMPLES = Path(__file__).parents[3] / "examples"


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: str


class Served:
    """A running server; `address` is one that opens the page once."""

    def __init__(self, root: Path, process: subprocess.Popen[str], terminal: int) -> None:
        self.root = root
        self.process = process
        self._terminal = terminal
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self.opened = self._printed()
        """The address that it printed first; nobody has used it."""
        self.port = int(self.opened.split(":")[2].partition("/")[0])
        self.origin = f"http://127.0.0.1:{self.port}"
        answer = self.get(self.address().removeprefix(self.origin))
        found = re.search(r"url=(/[^/]+/)", answer.body)
        assert found, answer
        self.base = found[1]
        self.cookie = answer.headers["set-cookie"].partition(";")[0]

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.strip())

    def _printed(self) -> str:
        return self._lines.get(timeout=PATIENCE)

    def address(self) -> str:
        """Another address that opens the page once: Enter is pressed where it runs."""
        os.write(self._terminal, b"\n")
        return self._printed()

    def at(self, view: str) -> str:
        """The address of a view."""
        return f"{self.origin}{self.base}{view}"

    def get(self, path: str, method: str = "GET", body: bytes | None = None, **headers: str | None) -> Answer:
        """The answer to a request as it is; a header that is None is not sent, `Sec_Fetch_Site` is `Sec-Fetch-Site`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host="Host" in named, skip_accept_encoding=True)
            for name, value in named.items():
                for each in (value or "").split("\n") if value is not None else ():
                    connection.putheader(name, each)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders()
            if body is not None:
                with suppress(BrokenPipeError, ConnectionResetError):  # refused before it was read
                    connection.send(body)
            answer = connection.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, told, answer.read().decode())
        finally:
            connection.close()

    def view(self, view: str, **headers: str | None) -> Answer:
        """A view, asked for as the page itself does."""
        usual = {"Cookie": self.cookie, "Sec_Fetch_Site": "same-origin"}
        return self.get(f"{self.base}{view}", "GET", None, **{**usual, **headers})

    def ready(self, view: str) -> str:
        """A view once everything in it is known."""
        until = time.monotonic() + PATIENCE
        while "<progress" in (body := self.view(view).body) or ", renewing" in body:
            assert time.monotonic() < until, body
        return body

    def first_event(self, since: str) -> tuple[int, str]:
        """The status of the stream of events, and the first line of it that comes after something has changed."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", f"{self.base}events?since={since}", headers={"Cookie": self.cookie})
            answer = connection.getresponse()
            with (self.root / "memory" / f"{TODAY}.md").open("a", encoding="utf-8") as log:
                log.write("\nA line more.\n")
            return answer.status, answer.readline().decode().strip()
        finally:
            connection.close()

    def told(self, view: str, save: Callable[[], None], seconds: float) -> list[float]:
        """When an open view is told of news after a save, in seconds; at each it is asked for anew."""
        since, before = self._generation(view), ""
        while since != before:  # the folder is new itself, and the counts beside a view come after it
            time.sleep(RACY / 1e9)
            since, before = self._generation(view), since
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        times: list[float] = []
        try:
            connection.request("GET", f"{self.base}events?since={since}", headers={"Cookie": self.cookie})
            answer = connection.getresponse()
            assert connection.sock is not None
            save()
            began = time.monotonic()
            while (left := began + seconds - time.monotonic()) > 0:
                connection.sock.settimeout(left)
                if answer.readline().startswith(b"data:"):
                    times.append(time.monotonic() - began)
                    self.view(view)
        except TimeoutError:
            pass
        finally:
            connection.close()
        return times

    def _generation(self, view: str) -> str:
        found = re.search(r'data-generation="(\d+)"', self.ready(view))
        assert found
        return found[1]

    def field(self) -> str:
        """The hidden field of its forms."""
        found = re.search(r'name="field" value="([^"]+)"', self.view("review").body)
        assert found
        return found[1]


@contextmanager
def serving(root: Path, *words: str) -> Iterator[Served]:
    """A server of a folder, which ends with the block."""
    terminal, standard_input = os.openpty()
    command = [sys.executable, "-m", "commonplace", "serve", "--no-browser", "--workspace", str(root), *words]
    process = subprocess.Popen(
        [*command, "--today", TODAY], stdin=standard_input, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    os.close(standard_input)
    try:
        yield Served(root, process, terminal)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(PATIENCE)
        finally:
            process.kill()
            process.communicate()
            os.close(terminal)


def bundled(folder: Path) -> Path:
    """A copy of the bundled workspace, after a reflect."""
    done = subprocess.run(
        ["sh", str(EXAMPLES / "copy.sh"), str(folder)], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    root = Path(done.stdout.strip())
    commonplace(root, "reflect", "--yes")
    return root


def commonplace(root: Path, *words: str, env: Mapping[str, str] | None = None) -> str:
    """What a command says."""
    command = [sys.executable, "-m", "commonplace", *words, "--workspace", str(root), "--today", TODAY]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout
