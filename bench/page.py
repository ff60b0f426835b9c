"""What the local page costs, in the Chromium of the system.

    python bench/page.py WORKSPACE [--today YYYY-MM-DD] [--runs 200]

Prints a Markdown table. The workspace is reflected first if it has no pages. *Server* is the time from a request to the
last byte of its answer over one connection; *paint* the time from a key to the frame that shows its hits. Cumulative
layout shift and first paint are Chromium's own. Sizes are those of the largest view, as sent (nothing is compressed).
"""

from __future__ import annotations

import http.client
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from playwright.sync_api import sync_playwright
from timing import drawn, parser, percentiles

from commonplace import Memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from playwright.sync_api import Page

VIEWS = ("", "entities", "opinions", "review", "reflect", "health", "day/")
"""Addresses of the views that show snapshots, after the first time."""
SETTLED = 180.0
"""Seconds in which every slow answer must have come for the first time."""

_BETWEEN = 0.1
"""Seconds between two requests to reflect: one that comes while another runs is answered at once, and begins none."""


class Served:
    """A running page, and a plain client of it."""

    def __init__(self, root: str, today: str) -> None:
        words = [sys.executable, "-m", "commonplace", "--workspace", root, *today.split(), "serve", "--no-browser"]
        began = time.perf_counter()
        self.running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.running.stdout is not None
        self.address = self.running.stdout.readline().strip()
        host = self.address.split("/")[2]
        self.client = http.client.HTTPConnection(host, timeout=SETTLED)
        opened, headers = self._got(self.address.removeprefix(f"http://{host}"), {})
        found = re.search(r"url=([^\"]+)", opened.decode())
        assert found is not None
        self.base = found[1]
        self.headers = {"Cookie": headers["set-cookie"].partition(";")[0]}
        self.get("")
        self.started = time.perf_counter() - began

    def _got(self, path: str, headers: dict[str, str]) -> tuple[bytes, Any]:
        self.client.request("GET", path, headers=headers)
        answer = self.client.getresponse()
        return answer.read(), answer.headers

    def get(self, address: str) -> bytes:
        """The body of a view."""
        return self._got(self.base + address, self.headers)[0]

    def timed(self, address: str) -> float:
        """Milliseconds of a view."""
        began = time.perf_counter()
        self.get(address)
        return 1000 * (time.perf_counter() - began)

    def settle(self) -> None:
        """Wait until every view has its first answer."""
        end = time.monotonic() + SETTLED
        while any(b"<progress" in self.get(view) for view in VIEWS):
            if time.monotonic() > end:
                raise SystemExit("a view was not ready in time")


def painted(page: Page, text: str) -> float:
    """Milliseconds from the last key of a question to the frame that shows its hits."""
    before = text[:-1] or "x"  # an emptied field asks nothing
    page.fill("#q", before)
    page.wait_for_function("want => new URL(location).searchParams.get('q') === want", arg=before)
    script = """want => new Promise(done => {
        const field = document.querySelector('#q');
        field.addEventListener('input', () => {
            const began = performance.now();
            const seen = new MutationObserver(() => requestAnimationFrame(() => {
                if (new URL(location).searchParams.get('q') !== want) return;
                seen.disconnect();
                done(performance.now() - began);
            }));
            seen.observe(document.body, {childList: true, subtree: true});
        }, {once: true});
        field.value = want;
        field.dispatchEvent(new InputEvent('input', {bubbles: true}));
    })"""
    took: float = page.evaluate(script, text)
    return took


def first_painted(page: Page, address: str) -> float:
    """Milliseconds from the request for a page to its first paint with content, as Chromium tells them."""
    page.goto(address)
    page.wait_for_timeout(200)
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    took: float = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    return took


@contextmanager
def reflecting(served: Served) -> Iterator[None]:
    """Meanwhile a reflect runs in the slow lane, again and again."""
    ended = threading.Event()
    again = Served.__new__(Served)
    again.client = http.client.HTTPConnection(served.address.split("/")[2], timeout=SETTLED)
    again.base, again.headers = served.base, served.headers

    def work() -> None:
        field = re.search(rb'name="field" value="([^"]+)"', again.get("review"))
        assert field is not None
        origin = served.address.rpartition("/open/")[0]
        headers = {**again.headers, "Origin": origin, "Sec-Fetch-Site": "same-origin"}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        while not ended.wait(_BETWEEN):
            again.client.request("POST", f"{again.base}reflect", f"do=apply&field={quote(field[1])}", headers)
            again.client.getresponse().read()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        served.client.close()  # idle for as long as the last reflect took: the server may have hung up


def shown(served: Served, views: Iterable[str], questions: Iterable[str]) -> list[tuple[str, str, str]]:
    """What Chromium measures of these views, and of questions that are typed."""
    rows = []
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        foreign: list[str] = []
        origin = served.address.rpartition("/open/")[0]
        page.on("request", lambda request: None if request.url.startswith(origin) else foreign.append(request.url))
        name, _, value = served.headers["Cookie"].partition("=")
        page.context.add_cookies([{"name": name, "value": value, "domain": "127.0.0.1", "path": served.base}])
        page.add_init_script(
            "window.shift = 0;"
            "const seen = list => list.getEntries().forEach(each => window.shift += each.value);"
            "new PerformanceObserver(seen).observe({type: 'layout-shift', buffered: true});"
        )
        first_painted(page, origin + served.base)  # a browser that somebody uses has drawn before
        empty = statistics.median(first_painted(page, "data:text/html,<p>One word") for _ in range(9))
        firsts, shift = [], 0.0
        for view in views:
            took = statistics.median(first_painted(page, origin + served.base + view) for _ in range(5))
            firsts.append((took, view))
            shift = max(shift, page.evaluate("window.shift"))
        rows.append(("first contentful paint, one word in an empty page, for comparison, ms", f"{empty:.0f}", ""))
        for what, (took, view) in (("slowest", max(firsts)), ("median", sorted(firsts)[len(firsts) // 2])):
            rows.append((f"first contentful paint, the {what} view ({view or 'today'}), ms", f"{took:.0f}", "200"))
        page.goto(f"{origin}{served.base}ask?q=x")
        keys = percentiles([painted(page, question) for question in questions])
        rows.append(("keystroke to paint: p50 / p95, ms", f"{keys['p50']:.0f} / {keys['p95']:.0f}", "p95 150"))
        rows.append(("layout shift; requests to elsewhere", f"{shift:.3f}; {len(foreign)}", "0; 0"))
        browser.close()
    return rows


def measured(
    served: Served, questions: Sequence[str], others: Sequence[str], busiest: str
) -> list[tuple[str, str, str]]:
    """What is measured, its figure, and its goal."""
    rows = [("from the command to the first view, ms", f"{1000 * served.started:,.0f}", "1,000")]
    served.settle()
    for question in others:
        served.get(f"ask?q={quote(question)}")
    asks = [f"ask?q={quote(question)}" for question in questions]
    entity = f"entity/{quote(busiest)}"
    quiet = percentiles([served.timed(each) for each in asks])
    rows.append(("Ask, server: p50 / p95, ms", f"{quiet['p50']:.0f} / {quiet['p95']:.0f}", "p95 30"))
    with reflecting(served):
        busy = percentiles([served.timed(each) for each in asks])
    rows.append(
        ("Ask, server, while a reflect runs: p50 / p95, ms", f"{busy['p50']:.0f} / {busy['p95']:.0f}", "p95 30")
    )
    rows.append(
        (
            f"the busiest entity ({busiest}), ms",
            f"{statistics.median(served.timed(entity) for _ in range(9)):.0f}",
            "120",
        )
    )
    slowest = max((statistics.median(served.timed(view) for _ in range(9)), view) for view in VIEWS)
    rows.append((f"the slowest view of snapshots ({slowest[1] or 'today'}), ms", f"{slowest[0]:.0f}", "50"))
    largest = max(len(served.get(view)) for view in (*VIEWS, entity, *asks))
    sizes = [len(served.get(f"static/page.{kind}")) for kind in ("css", "js")]
    rows.append(
        (
            "HTML of the largest view / CSS / JS, kB",
            f"{largest / 1000:.0f} / {sizes[0] / 1000:.0f} / {sizes[1] / 1000:.0f}",
            "60 / 20 / 12",
        )
    )
    rows += shown(served, (*VIEWS, entity, asks[0]), questions)
    return rows


def main() -> None:
    asked = parser(__doc__ or "")
    asked.add_argument("--runs", type=int, default=200, help="questions")
    options = asked.parse_args()
    today = f"--today {options.today}" if options.today else ""
    with Memory(options.workspace, today=options.today) as memory:
        if not os.path.isdir(os.path.join(options.workspace, "bank")):
            memory.reflect(yes=True)
        busiest = memory.entities()[0].name
    asked_of_it, others = drawn(options.workspace)
    questions = asked_of_it[:: max(1, len(asked_of_it) // options.runs)][: options.runs]
    served = Served(options.workspace, today)
    try:
        rows = measured(served, questions, others, busiest)
    finally:
        served.running.terminate()
        served.running.wait()
    print("| the page | measured | goal |\n|---|---:|---:|")
    for row in rows:
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
