"""A model that does as it is told: streaming chat completions on the loopback, and a log of what it was asked."""

from __future__ import annotations

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_CALL = re.compile(r"CALL (\w+) (\{.*\})$", re.MULTILINE)


class Stub(ThreadingHTTPServer):
    """Calls the tools that a message names, a line each (`CALL memory_recall {"query": "Peter"}`); then replies."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[dict[str, Any]] = []
        """The body of every request."""
        self.answers: dict[str, str] = {}
        """What is answered, with calls or without, to a message that holds a text."""
        self.refuses = False
        """Whether every request is refused as one that the model cannot take."""
        self.tokens = 10
        """What a prompt is said to have cost."""
        self.before: Callable[[int], None] = lambda _: None
        """Called with the number of calls that have a result, before each answer."""
        Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def holding(self, text: str) -> list[dict[str, Any]]:
        """The requests that hold a text: the host asks for sessions that a test is not about whenever it likes."""
        return [each for each in self.requests if text in _all(each)]

    def told(self, asked: str) -> str:
        """All that the last request with this message told the model, as one text."""
        return _all(self.holding(asked)[-1])

    def tools(self, asked: str) -> set[str]:
        """The names of the tools that the last request with this message offered."""
        return {each["function"]["name"] for each in self.holding(asked)[-1].get("tools", ())}

    def results(self, asked: str) -> list[str]:
        """What the tools gave back in the session of this message, in order."""
        return [_text(each) for each in self.holding(asked)[-1]["messages"] if each["role"] == "tool"]

    def said(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        """The next call that was asked for and has no result yet, else a reply.

        A host that had an error on the way puts the same message once more: what was called since the first is done.
        """
        asked = [(at, self._asked(_text(each))) for at, each in enumerate(messages) if each["role"] == "user"]
        text = next((text for _, text in reversed(asked) if text), "Done.")
        calls = _CALL.findall(text)
        at = next((at for at, each in asked if each and _CALL.findall(each) == calls), len(messages))
        done = sum(each["role"] == "tool" for each in messages[at:])
        self.before(done)
        if done >= len(calls):
            return {"content": "Done." if calls else text}
        name, arguments = calls[done]
        call = {"name": name, "arguments": arguments}
        return {"tool_calls": [{"index": 0, "id": f"call_{len(messages)}", "type": "function", "function": call}]}

    def _asked(self, text: str) -> str:
        """What a message asks for; empty: nothing."""
        answer = next((answer for part, answer in self.answers.items() if part in text), "")
        return answer or (text if _CALL.search(text) else "")


class _Handler(BaseHTTPRequestHandler):
    server: Stub

    def log_message(self, *_: object) -> None:
        """Nothing: standard error is the test's."""

    def do_GET(self) -> None:
        self._answer("application/json", [json.dumps({"object": "list", "data": [{"id": "stub", "object": "model"}]})])

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(asked)
        if self.server.refuses:
            error = {"message": "this model cannot take that", "type": "invalid_request_error"}
            return self._answer("application/json", [json.dumps({"error": error})], status=400)
        told = self.server.said(asked["messages"])
        if asked.get("stream"):
            self._answer("text/event-stream", (f"data: {event}\n\n" for event in self._events(told)))
        else:
            message = {"message": {"role": "assistant", **told}}
            self._answer("application/json", [json.dumps(self._chunk(message, ended=told))])

    def _answer(self, kind: str, parts: Iterable[str], status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
        for part in parts:
            self.wfile.write(part.encode())

    def _events(self, told: dict[str, Any]) -> Iterator[str]:
        yield json.dumps(self._chunk({"delta": {"role": "assistant", **told}}))
        yield json.dumps(self._chunk({"delta": {}}, ended=told))
        yield "[DONE]"

    def _chunk(self, part: dict[str, Any], ended: dict[str, Any] | None = None) -> dict[str, Any]:
        reason = None if ended is None else "tool_calls" if "tool_calls" in ended else "stop"
        spent = self.server.tokens
        usage = {"prompt_tokens": spent, "completion_tokens": 5, "total_tokens": spent + 5}
        choice = {"index": 0, "finish_reason": reason, **part}
        head = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "stub"}
        return {**head, "choices": [choice], "usage": usage}


def _all(request: dict[str, Any]) -> str:
    return "\n\n".join(_text(message) for message in request["messages"])


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)
