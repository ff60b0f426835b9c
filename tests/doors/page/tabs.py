"""Views in Chromium, and what no page of ours may do: ask elsewhere, open a dialog, break a rule of its policy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tests.doors.page.served import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, Request
    from tests.doors.page.served import Served

FOREIGN = "evil.example"
"""A name that a foreign site points at this machine."""
RULES = f"--host-resolver-rules=MAP {FOREIGN} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
_EXPECTED = re.compile(r"the server responded with a status of 4\d\d|Transition was (aborted|skipped)")
"""A refusal that a test provokes; an animation to a page that is left before it has ended."""


class Tabs:
    """Opens views, and listens to all that they do."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._origins: set[str] = set()
        self.requests: list[Request] = []
        self.wrong: list[str] = []

    def context(self, served: Served | None, **options: Any) -> BrowserContext:
        """A browser without a past, which has entered the page of this server."""
        context = self._browser.new_context(**{"viewport": WIDE, **options})
        context.set_default_timeout(PATIENCE * 1_000)
        self._contexts.append(context)
        context.on("request", self._asked)
        context.on("console", self._said)
        context.on("dialog", self._stopped)
        context.on("weberror", lambda error: self._told(str(error.error)))
        if served is not None:
            self._origins.add(served.origin)
            name, _, value = served.cookie.partition("=")
            where = {"domain": "127.0.0.1", "path": served.base, "httpOnly": True, "sameSite": "Strict"}
            context.add_cookies([{"name": name, "value": value, **where}])  # type: ignore[typeddict-item]
        return context

    def open(self, served: Served, view: str = "", **options: Any) -> Page:
        """A view in a browser of its own."""
        page = self.context(served, **options).new_page()
        page.goto(served.at(view))
        return page

    def asked_of(self, served: Served, view: str) -> list[str]:
        """The addresses below a view that were asked for."""
        return [each.url for each in self.requests if each.url.startswith(served.at(view))]

    def _stopped(self, dialog: Dialog) -> None:
        self.wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _asked(self, request: Request) -> None:
        self.requests.append(request)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._told(message.text)

    def _told(self, text: str) -> None:
        if not _EXPECTED.search(text):
            self.wrong.append(text)

    def elsewhere(self) -> list[str]:
        """What was asked of others than the servers of this test."""
        parts = [urlsplit(each.url) for each in self.requests]
        return [each.geturl() for each in parts if f"{each.scheme}://{each.netloc}" not in self._origins]

    def close(self) -> None:
        while self._contexts:
            self._contexts.pop().close()

    def check(self) -> None:
        """Nothing was done that no page of ours may do."""
        assert not self.elsewhere(), self.elsewhere()
        assert not self.wrong, self.wrong
