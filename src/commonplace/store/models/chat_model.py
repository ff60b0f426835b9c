"""A model behind an OpenAI-compatible `/v1/chat/completions`: Ollama, llama.cpp, LM Studio, vLLM, or another machine's.

One question, one answer: no stream, no tools, no memory of earlier ones. Where the server can hold the model to a JSON
schema it does, and where it refuses that, it is asked without.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.recall.packing import count_tokens
from commonplace.errors import ModelUnavailable
from commonplace.store.servers.http_server import Unanswered, ask
from commonplace.store.servers.repeated_request import repeated
from commonplace.store.servers.server_refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from commonplace.store.servers.http_server import HttpServer, Response

PAUSES = (1.0, 4.0)
"""Seconds before each further try."""
_LONGEST_PAUSE = 20.0
_NO_SCHEMA = (400, 404, 422, 500, 501)
"""Statuses with which servers refuse a JSON schema that they do not know."""
_MOST_BYTES = 500_000
"""Of an answer; the questions of one request need some kilobytes."""


class ChatAnswer(NamedTuple):
    """What a model answered."""

    text: str
    sent: int
    """Tokens, as the server counts them, else as we estimate them."""
    received: int
    seconds: float
    cut: bool
    """Whether it was longer than allowed."""

    @property
    def tokens(self) -> int:
        """What the answer cost."""
        return self.sent + self.received


class ChatModel:
    """A model of a server.

    Args:
        server: of the chat API.
        name: of the model there.
        key: for the server, if it wants one.
        seconds: limit for one answer.
        pauses: seconds before each further try of a request that a busy server refused.
    """

    def __init__(
        self, server: HttpServer, name: str, *, key: str = "", seconds: float, pauses: Sequence[float] = PAUSES
    ) -> None:
        self.name = name
        self.server = server
        self.takes_schemas: bool | None = None
        """Whether the server holds its answers to a schema; None: not known yet."""
        self._key = key
        self._seconds = seconds
        self._pauses = pauses

    def answer(self, task: str, text: str, *, schema: Mapping[str, Any] | None = None, most: int) -> ChatAnswer:
        """Return what the model says.

        Args:
            task: what it is to do. text: what it is asked.
            schema: of the JSON that it is to answer. most: tokens of the answer.

        Raises ModelUnavailable if there is no answer, or none that can be read.
        """
        told = [{"role": "system", "content": task}, {"role": "user", "content": text}]
        body: dict[str, Any] = {"model": self.name, "messages": told, "stream": False, "temperature": 0}
        body["max_tokens"] = most
        began = time.monotonic()
        held = schema is not None and self.takes_schemas is not False
        if held:
            named = {"name": "answers", "strict": True, "schema": schema}
            answer = self._asked({**body, "response_format": {"type": "json_schema", "json_schema": named}})
            if answer.status in _NO_SCHEMA and self.takes_schemas is None:
                answer, held = self._asked(body), False
        else:
            answer = self._asked(body)
        if answer.status != 200:
            raise self._refusal(answer)
        if schema is not None:
            self.takes_schemas = held
        said, used, ended = self._read(answer.content)
        sent, received = (_count(used, key) for key in ("prompt_tokens", "completion_tokens"))
        return ChatAnswer(
            said,
            sent or count_tokens(f"{task}\n{text}"),
            received or count_tokens(said),
            time.monotonic() - began,
            ended == "length",
        )

    def _asked(self, body: Mapping[str, Any]) -> Response:
        """Return the server's answer, after as many tries as there are pauses, and one, within the time of one."""
        end = time.monotonic() + self._seconds
        sent = json.dumps(body).encode()

        def request() -> Response:
            left = max(0.1, end - time.monotonic())
            return ask(self.server, self.server.path, body=sent, key=self._key, seconds=left, most_bytes=_MOST_BYTES)

        try:
            return repeated(request, pauses=self._pauses, longest_pause=_LONGEST_PAUSE, end=end)
        except Unanswered as error:
            hint = "start that server, or correct url below [model] in commonplace.toml"
            raise ModelUnavailable(f"{self.server.shown}: {error}", hint) from None

    def _refusal(self, answer: Response) -> ModelUnavailable:
        hint = "check url and model below [model] in commonplace.toml"
        told = refusal(answer, self.server, name=self.name, key=self._key, table="model", otherwise=hint)
        return ModelUnavailable(*told)

    def _read(self, content: bytes) -> tuple[str, Mapping[str, Any], str]:
        """Return what was said, what it cost, and why it ended. Raises ModelUnavailable for what is no answer."""
        wrong = ModelUnavailable(
            f"{self.name} answers something else than a chat", "check url below [model] in commonplace.toml"
        )
        try:
            found = json.loads(content)
        except (ValueError, RecursionError):
            raise wrong from None
        choices = found.get("choices") if isinstance(found, dict) else None
        first = choices[0] if isinstance(choices, list) and choices else None
        message = first.get("message") if isinstance(first, dict) else None
        said = message.get("content") if isinstance(message, dict) else None
        if not isinstance(said, str | None) or message is None or not isinstance(first, dict):
            raise wrong
        usage, ended = found.get("usage"), first.get("finish_reason")
        return said or "", usage if isinstance(usage, dict) else {}, ended if isinstance(ended, str) else ""


def _count(used: Mapping[str, Any], key: str) -> int:
    value = used.get(key)
    return value if type(value) is int and value > 0 else 0
