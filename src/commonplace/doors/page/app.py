"""The application: addresses to views and actions, and views to HTML."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
from contextlib import asynccontextmanager, suppress
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from commonplace.doors.page import (
    actions,
    ask_view,
    decision_views,
    entity_views,
    opinion_views,
    source_views,
    state_views,
)
from commonplace.doors.page.guard import Guard
from commonplace.doors.page.lanes import NotYet
from commonplace.doors.page.page_view import View
from commonplace.doors.page.statement_row import at, linked, seen, tags_in, whole_number
from commonplace.doors.shared import failures
from commonplace.errors import CommonplaceError, NotFound, UsageError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from commonplace.doors.page.guard import PageKeys
    from commonplace.doors.page.jobs import Job
    from commonplace.doors.page.lanes import PageDesk

    Shown = Callable[[Request], Awaitable[View]]

_MOST_BYTES = 2_000_000
"""Of a form."""
_MOST_FIELDS = 2_000
_LOOK = 0.5
"""Seconds between two looks for changed files while a page is open."""
_ALIVE = 15.0
"""Seconds after which an open page is told that the server lives."""
_WELL_KNOWN = 6
"""Entities that are asked about at the start, …"""
_WARMING = ("{}", "what does {} prefer?", "why did we decide {}?")
"""… and how: the first question of a kind loads lexicons for up to 30 ms, for which nobody should wait."""
_STATUS = {
    **{"not-found": 404, "text-not-found": 404, "usage": 400, "outside-workspace": 400, "not-a-file": 400},
    **{"changed-underneath": 409, "busy": 503, "not-a-workspace": 503},
}
"""Code of an error -> status of the answer; 500 for others."""
_FEW = 5
"""Lines of a folder that tells nothing yet; `init` writes three."""
_MOST_TOLD = 50
"""Results of actions that are kept to be read again."""
_TYPES = {
    "icon.svg": "image/svg+xml",
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
}
"""The files of the page, and what they are."""
VIEWS = (
    *(("", "Today", "t"), ("ask", "Ask", "a"), ("day/", "Days", "d"), ("entities", "Entities", "e")),
    *(("opinions", "Opinions", "o"), ("review", "Review", "r"), ("reflect", "Reflect", "f"), ("health", "Health", "h")),
)
"""The navigation: address, title, and the key that opens it after `g`."""


class LocalPage:
    """The page of one workspace."""

    def __init__(self, desk: PageDesk, keys: PageKeys, *, name: str) -> None:
        self._desk = desk
        self._keys = keys
        self._name = name
        self._job: Job | None = None
        self._done: list[actions.Done] = []
        """What a person did on this page, the last at the end: each can be taken back."""
        self._told: dict[int, View] = {}
        """What actions did and would do, the last at the end: read by going there, so that a browser's way back sends
        no form again."""
        self._open = 0
        """Pages that listen for changes."""
        self._asked = False
        """Whether a view was asked for since the last look."""
        self._html = Environment(
            loader=PackageLoader("commonplace.doors.page"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._html.globals.update(
            at=at, linked=linked, views=VIEWS, quote=lambda text: quote(text, safe=""), static=_version()
        )
        self._html.filters["seen"] = seen

    def application(self) -> ASGIApp:
        """The ASGI application, guarded."""
        routes = [
            Route("/", self._view(lambda asked: state_views.today(self._desk, asked.query_params))),
            Route("/ask", self._view(self._ask, looks=False)),  # recall does
            Route("/day/", self._view(lambda asked: source_views.one_day(self._desk, "", asked.query_params))),
            Route("/day/{day}", self._view(self._day)),
            Route("/entities", self._view(lambda asked: entity_views.entities(self._desk, asked.query_params))),
            Route("/entity/{name:path}", self._view(self._entity)),
            Route("/opinions", self._view(lambda asked: opinion_views.opinions(self._desk, "", asked.query_params))),
            Route("/opinion/{id}", self._view(self._opinion)),
            Route("/review", self._view(lambda asked: decision_views.review(self._desk, asked.query_params))),
            Route("/reflect", self._view(self._reflect)),
            Route("/merge", self._view(self._merge)),
            Route("/told/{number:int}", self._view(self._as_told)),
            Route("/health", self._view(lambda asked: state_views.health(self._desk, asked.query_params))),
            Route("/at/{path:path}", self._view(self._line)),
            Route("/opinion/{id}", self._set, methods=["POST"]),
            Route("/review", self._action(self._decide), methods=["POST"]),
            Route("/reflect", self._action(self._work), methods=["POST"]),
            Route("/merge", self._action(self._merged), methods=["POST"]),
            Route("/events", self._events),
            Route("/static/{file}", _static),
        ]
        served = Starlette(
            routes=[Mount(self._keys.base, routes=routes)],
            exception_handlers={404: self._nowhere},
            lifespan=self._lifespan,
        )
        return Guard(served, self._keys)

    # ------------------------------------------------------------------ views

    def _view(self, show: Shown, *, looks: bool = True) -> Callable[[Request], Awaitable[Response]]:
        async def answered(request: Request) -> Response:
            try:
                if looks:
                    await self._desk.look()  # so that what is kept is as of now
                shows = self._desk.generation  # what is answered anew while the view is made may not be on it
                return await self._rendered(request, await show(request), shows=shows)
            except Exception as failure:
                return await self._failed(request, failure)

        return answered

    async def _ask(self, asked: Request) -> View:
        return await ask_view.ask(self._desk, asked.query_params)

    async def _day(self, asked: Request) -> View:
        return await source_views.one_day(self._desk, asked.path_params["day"], asked.query_params)

    async def _entity(self, asked: Request) -> View:
        name = asked.path_params["name"]
        try:
            return await entity_views.entity(self._desk, name, asked.query_params)
        except NotFound as error:
            context = {"message": seen(error.message), "hint": "", "words": name}
            return View("error.html", "Not known", context, "entities", 404)

    async def _opinion(self, asked: Request) -> View:
        return await opinion_views.opinions(self._desk, asked.path_params["id"], asked.query_params)

    async def _line(self, asked: Request) -> View:
        return await source_views.line(self._desk, asked.path_params["path"], asked.query_params)

    async def _reflect(self, asked: Request) -> View:
        return await decision_views.reflect(self._desk, asked.query_params, job=self._job)

    async def _merge(self, asked: Request) -> View:
        into, other = (asked.query_params.get(name, "") for name in ("into", "other"))
        try:
            return await decision_views.merge(self._desk, into, other)
        except CommonplaceError as error:  # the form stays, with what was typed, and says it
            view = await entity_views.entity(self._desk, into, {"merge": other})
            refusal = str(error)
            return view._replace(context=view.context | {"refusal": seen(refusal)}, status=_STATUS.get(error.code, 500))

    async def _as_told(self, asked: Request) -> View:
        if (view := self._told.get(asked.path_params["number"])) is None:
            raise NotFound("this was told too long ago", "the review and the log say what was decided")
        return view

    def _tell(self, view: View) -> str:
        """Keep what an action did; its address."""
        number = max(self._told, default=0) + 1
        self._told[number] = view
        self._told.pop(number - _MOST_TOLD, None)
        return f"told/{number}"

    async def _nowhere(self, request: Request, _: Exception) -> Response:
        context = {"message": "there is no such view", "hint": "the views are listed beside", "words": ""}
        return await self._rendered(request, View("error.html", "Not here", context, "", 404))

    async def _failed(self, request: Request, failure: Exception) -> Response:
        if isinstance(failure, NotYet):
            return await self._rendered(request, View("wait.html", "A moment", {"waits": True}))
        told = failures.harmless(failures.told(failure))
        status = _STATUS.get(told.code, 500)
        context = {"message": seen(told.message), "hint": seen(told.hint), "words": ""}
        return await self._rendered(request, View("error.html", "That did not work", context, "", status))

    async def _rendered(self, request: Request, view: View, *, shows: int | None = None) -> Response:
        self._asked = True
        still = view in self._told.values() or request.method == "POST"  # what an action did is read, not renewed
        frame = {
            "title": view.title,
            "here": view.here,
            "base": self._keys.base,
            "path": request.url.path.removeprefix(f"{self._keys.base}/")
            + (f"?{request.url.query}" if request.url.query else ""),
            "field": self._keys.field,
            "name": self._name,
            "generation": self._desk.generation if shows is None else shows,
            "undoable": self._done[-1].what if self._done else "",
            "still": still,
            "waits": self._job is not None and not self._job.ended,
            "lang": self._language(),
            **self._counts(still=still),
        }
        snapshots = view.context.get("snapshots", ())
        frame["renewing"] = min((each.at for each in snapshots if each.renewing), default=None)
        return HTMLResponse(self._html.get_template(view.template).render({**frame, **view.context}), view.status)

    def _language(self) -> Callable[[str], str]:
        """What names the language of a line here, as far as the core is known by now."""
        core = self._desk.at_hand("core", {})
        return tags_in(each["text"] for each in (core.data["blocks"] if core else ()))

    def _counts(self, *, still: bool) -> dict[str, Any]:
        """What the frame tells of the memory: how much there is, and what waits, as far as that is known by now.

        A view that is not renewed tells nothing that has changed since.
        """
        status, asks, known = (
            None if still and told and told.renewing else told
            for told in (self._desk.at_hand(*asked) for asked in (("status", {}), state_views.REVIEW, ("entities", {})))
        )
        counts = {"review": sum(count for _, count, _ in state_views.waiting(asks.data)) if asks else 0}
        if status:
            counts["opinions"] = status.data["opinions"]
        if known:
            counts["entities"] = len(known.data["entities"])
        more = bool(asks and asks.data.get("more"))
        begins = status.data["today"] if status and status.data["lines"] <= _FEW else ""
        line = status.data if status else None
        return {"counts": counts, "more_waits": more, "status_line": line, "begins": begins}

    # ------------------------------------------------------------------ actions

    def _action(
        self, act: Callable[[dict[str, str]], Awaitable[View | str]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answered(request: Request) -> Response:
            try:
                form = await self._form(request)
                done = await act(form)
                if isinstance(done, str):
                    return RedirectResponse(f"{self._keys.base}/{done}", 303)
                return await self._rendered(request, done)
            except Exception as failure:
                return await self._failed(request, failure)

        return answered

    async def _form(self, request: Request) -> dict[str, str]:
        """The fields of a form of this page."""
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > _MOST_BYTES:
                raise UsageError("the form is too long", f"at most {_MOST_BYTES:,} bytes are read")
        try:
            form = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_MOST_FIELDS))
        except ValueError:
            raise UsageError("the form has too many fields", f"at most {_MOST_FIELDS:,} are read") from None
        if not hmac.compare_digest(form.get("field", "").encode(), self._keys.field.encode()):
            raise UsageError("the form is of an earlier run", "load the page anew")
        return form

    async def _set(self, request: Request) -> Response:
        id: str = request.path_params["id"]

        async def act(form: dict[str, str]) -> str:
            self._done.append(await actions.set_by_hand(self._desk, id, form))
            return f"opinion/{quote(id, safe='')}"

        return await self._action(act)(request)

    async def _decide(self, form: dict[str, str]) -> View | str:
        if form.get("do") == "undo":
            return await self._undo()
        if form.get("do") == "retract":
            return await actions.retract(self._desk, form)
        if form.get("do") != "apply":
            answers = actions.decided(form)
            return self._tell(await actions.preview(self._desk, answers)) if answers else "review?none=1"
        shown, done = await actions.apply(self._desk, form)
        if done.changes:
            self._done.append(done)
        return self._tell(shown)

    async def _undo(self) -> str:
        if not self._done:
            hint = "commonplace reflect --undo takes back what was written before the page was opened"
            raise UsageError("nothing was changed from this page yet", hint)
        return self._tell(await actions.undo(self._desk, self._done.pop()))

    async def _work(self, form: dict[str, str]) -> View | str:
        if form.get("do") == "undo":
            return await self._undo()
        if form.get("do") == "cancel":
            if self._job is not None:
                self._job.cancel()
                await self._job.wait(1.0)
        elif self._job is None or self._job.ended:
            self._job = await actions.reflecting(self._desk, self._done.append)
            await self._job.wait(0.3)  # most take no longer, and need no bar
        return "reflect"

    async def _merged(self, form: dict[str, str]) -> View | str:
        self._done.append(await actions.merge(self._desk, form))
        return f"entity/{quote(form.get('into', ''), safe='')}"

    # ------------------------------------------------------------------ live

    async def _events(self, request: Request) -> Response:
        """A line whenever there is something new to show; the page then asks for itself anew."""
        given = request.query_params.get("since")
        since = whole_number(given) if given else self._desk.generation

        async def told() -> AsyncIterator[str]:
            seen_last = since
            self._open += 1
            try:
                while not self._desk.ended:
                    now = await self._desk.after(seen_last, patience=_ALIVE)
                    if self._desk.ended:
                        break
                    yield f"event: changed\ndata: {now}\n\n" if now != seen_last else ": alive\n\n"
                    seen_last = now
            finally:
                self._open -= 1

        return StreamingResponse(told(), media_type="text/event-stream")

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        looking = asyncio.ensure_future(self._look())
        first = asyncio.ensure_future(self._first())
        yield
        for task in (looking, first):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await self._desk.close()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK)
            if self._open or self._asked:
                self._asked = False
                with suppress(Exception):  # the next look may go better, and a view says what is wrong
                    await self._desk.look()

    async def _first(self) -> None:
        """Have the counts of the navigation, and the slow answers, before somebody asks for them."""
        with suppress(Exception):
            await self._desk.look()
            for verb in ("status", "core", "days", "entities"):
                self._desk.at_hand(verb, {})
            self._desk.at_hand("opinions", {"history": True})
            known = await self._desk.awaited("entities")
            for name in [each["name"] for each in known.data["entities"][:_WELL_KNOWN]]:
                for asked in _WARMING:
                    await self._desk.read("recall", query=asked.format(name))


async def _static(request: Request) -> Response:
    name = request.path_params["file"]
    if name not in _TYPES:
        return Response("not here", 404, media_type="text/plain")
    return Response(
        _file(name), media_type=_TYPES[name], headers={"cache-control": "private, max-age=31536000, immutable"}
    )


@cache
def _file(name: str) -> bytes:
    """A file of the page as it is sent: the style sheet without comments and line breaks."""
    body = files("commonplace.doors.page").joinpath("static", name).read_bytes()
    return _LOOSE.sub(b"", _COMMENT.sub(b"", body)) if name.endswith(".css") else body


_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
_LOOSE = re.compile(rb"\s*\n\s*|(?<=[{};:,])[ ]+|[ ]+(?=[{}>+])|(?<=[>+])[ ]+|;(?=\s*\})")


@cache
def _version() -> str:
    """What changes with the files of the page, so that a browser never shows an old one."""
    return hashlib.blake2b(b"".join(map(_file, sorted(_TYPES))), digest_size=6).hexdigest()
