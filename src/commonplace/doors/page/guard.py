"""Who may see the page, and what a browser may do with it. Everything that comes is taken for hostile until shown.

Threats: other accounts of this machine, pages of other sites and of other local ports, DNS rebinding, and text of the
workspace that wants to be markup. Each rule below answers one of them; tests/doors/page/test_guard.py tries them.
"""

from __future__ import annotations

import hmac
import secrets
import time
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = "127.0.0.1"
COOKIE = "commonplace"
TOKEN_SECONDS = 60.0
"""For which the token of an address is good, once."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "referrer-policy": "same-origin",  # no-referrer would make the Origin of our own forms null
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_OURS = ("same-origin", "none")
"""What `Sec-Fetch-Site` says of the page itself, and of an address that a person typed or keeps."""


class PageKeys:
    """The secrets of one run: its folder of addresses, its cookie, its form field, its tokens to open the page once."""

    def __init__(self, port: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.origin = f"http://{LOOPBACK}:{port}"
        self.host = f"{LOOPBACK}:{port}"
        self.base = f"/{secrets.token_urlsafe(9)}"
        """Cookies are shared by all ports of a host: each run has a path of its own for its cookie."""
        self.cookie = secrets.token_urlsafe(24)
        self.field = secrets.token_urlsafe(24)
        """The hidden field of each form, which no other site can know."""
        self._tokens: dict[str, float] = {}

    def address(self) -> str:
        """An address that opens the page once, within a minute."""
        token = secrets.token_urlsafe(24)
        self._tokens = {kept: until for kept, until in self._tokens.items() if until > self._clock()}
        self._tokens[token] = self._clock() + TOKEN_SECONDS
        return f"{self.origin}/open/{token}"

    def used(self, token: str) -> bool:
        """Whether a token was good; it is so once."""
        known = next((kept for kept in self._tokens if hmac.compare_digest(kept.encode(), token.encode())), "")
        return bool(known) and self._tokens.pop(known) > self._clock()

    def entered(self, headers: Headers) -> bool:
        """Whether a request has the cookie."""
        try:
            given = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return given is not None and hmac.compare_digest(given.value.encode(), self.cookie.encode())


class Guard:
    """Lets through only requests of the page itself, and gives every answer the headers that bind a browser."""

    def __init__(self, served: ASGIApp, keys: PageKeys) -> None:
        self._served = served
        self._keys = keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve or refuse one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._served(scope, receive, send)
            return

        async def bound(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        headers = Headers(scope=scope)
        path: str = scope["path"]
        if headers.getlist("host") != [self._keys.host]:  # a name that a foreign site points at this machine
            await _refusal(400, "This is not the address of the page.")(scope, receive, bound)
        elif path.startswith("/open/") and scope["method"] == "GET":
            await self._open(path.removeprefix("/open/"))(scope, receive, bound)
        elif (said := self._refused(scope["method"], path, headers)) is not None:
            await _refusal(403, said)(scope, receive, bound)
        else:
            await self._served(scope, receive, bound)

    def _refused(self, method: str, path: str, headers: Headers) -> str | None:
        """Why a request is refused; None if it is not."""
        if not path.startswith(f"{self._keys.base}/") or not self._keys.entered(headers):
            return "This address is of an earlier run, or was not opened from here."
        site = headers.get("sec-fetch-site")
        if method in ("GET", "HEAD"):
            return None if site is None or site in _OURS else "Another page asked for this."
        if method != "POST":
            return "The page knows no such request."
        if headers.getlist("origin") != [self._keys.origin] or site != "same-origin":
            return "Another page sent this."
        return None

    def _open(self, token: str) -> HTMLResponse:
        if not self._keys.used(token):
            return _refusal(403, "This address was used before, or is more than a minute old.")
        # 200 with a refresh: of a 303 from a file Chromium does not send the strict cookie on
        base = self._keys.base
        shown = HTMLResponse(
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>commonplace</title>'
            f'<meta http-equiv="refresh" content="0; url={base}/"><p><a href="{base}/">Open the page</a></p>'
        )
        shown.set_cookie(COOKIE, self._keys.cookie, path=f"{base}/", httponly=True, samesite="strict")
        return shown


def _refusal(status: int, said: str) -> HTMLResponse:
    """A short page that says what to do; none of the request is repeated."""
    return HTMLResponse(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>commonplace</title><h1>Not here</h1><p>{said}</p>'
        "<p>To open the page, run <code>commonplace serve</code>, or press Enter where it runs.</p>",
        status,
    )
