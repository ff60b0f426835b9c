"""An embedder behind an OpenAI-compatible `/v1/embeddings`: Ollama, llama.cpp, LM Studio, TEI, or another machine's.

Each request for lines has a fixed text before them, the probe, so that another model behind the same name is noticed
before a vector of it is kept. A question has it at first, and then once a minute.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from commonplace.errors import EmbedderUnavailable
from commonplace.store.embedders.embedder_port import cleaned, unit_rows
from commonplace.store.embedders.embedding_answers import WrongAnswer, answered_rows, says_too_long
from commonplace.store.embedders.model_probe import PROBE, is_same_model, probe_fingerprint
from commonplace.store.servers.http_server import Unanswered, ask
from commonplace.store.servers.repeated_request import repeated
from commonplace.store.servers.server_refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.store.embedders.embedder_port import Vectors
    from commonplace.store.servers.http_server import HttpServer, Response

PAUSES = (0.5, 2.0, 8.0)
"""Seconds before each further try, for lines; a question has one try, as its words answer, too."""
_LONGEST_PAUSE = 10.0
_QUERY_SECONDS = 5.0
_PROBE_SECONDS = 60.0
"""How long a question trusts that the model is the same."""
_SHORTEST = 250
"""Characters: a text that a model refuses as too long is halved down to this."""


class EndpointEmbedder:
    """The model of a server; see `Embedder`. It is asked when something is wanted, not before.

    Args:
        key: sent as bearer token, if there is one; no message contains it.
        batch: maximum texts of one request.
        seconds: limit for the answer to one request.
        pauses: seconds before each further try.
    """

    def __init__(
        self,
        server: HttpServer,
        model_name: str,
        *,
        query_prefix: str = "",
        passage_prefix: str = "",
        key: str = "",
        batch: int = 32,
        seconds: float = 30,
        pauses: Sequence[float] = PAUSES,
    ) -> None:
        self.name = f"{server.shown} {model_name}"
        self._server, self._model, self._key = server, model_name, key
        self._query_prefix, self._passage_prefix = query_prefix, passage_prefix
        self._batch, self._seconds, self._pauses = batch, seconds, tuple(pauses)
        self._probe: Vectors | None = None
        self._probed = 0.0

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the model's name, the prefixes, and the probe."""
        return probe_fingerprint([self._model, self._query_prefix, self._passage_prefix], probe=self._known_probe())

    @property
    def dimensions(self) -> int:
        """The dimension of the probe."""
        return int(self._known_probe().shape[1])

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of lines."""
        import numpy

        asked = {place: self._passage_prefix + clean for place, text in enumerate(texts) if (clean := cleaned(text))}
        sent = [*asked.values()]
        step = max(self._batch - 1, 1)  # the probe is one of them
        found = [
            self._checked(sent[start : start + step], seconds=self._seconds, pauses=self._pauses)
            for start in range(0, len(sent), step)
        ]
        rows = numpy.zeros((len(texts), self.dimensions), dtype=numpy.float32)
        if found:
            rows[[*asked]] = numpy.concatenate(found)
        return rows

    def query(self, text: str) -> Vectors:
        """Return the vector of a question, as one row."""
        import numpy

        if not cleaned(text):
            return numpy.zeros((1, self.dimensions), dtype=numpy.float32)
        sent = [self._query_prefix + cleaned(text)]
        seconds = min(_QUERY_SECONDS, self._seconds)
        if self._probe is None or time.monotonic() - self._probed > _PROBE_SECONDS:
            return self._checked(sent, seconds=seconds, pauses=())
        rows = self._rows(sent, seconds=seconds, pauses=())
        if rows.shape[1] != self._probe.shape[1]:
            raise self._other_model()
        return rows

    def _known_probe(self) -> Vectors:
        if self._probe is None:
            self._checked([], seconds=self._seconds, pauses=self._pauses)
        assert self._probe is not None
        return self._probe

    def _checked(self, texts: Sequence[str], *, seconds: float, pauses: Sequence[float]) -> Vectors:
        """Return the rows of texts, asked with the probe before them. Raises EmbedderUnavailable if that is another."""
        if len(texts) < self._batch:
            rows = self._rows([PROBE, *texts], seconds=seconds, pauses=pauses)
            probe, rows = rows[:1], rows[1:]
        else:  # the server takes one text at a time
            probe = self._rows([PROBE], seconds=seconds, pauses=pauses)
            rows = self._rows(texts, seconds=seconds, pauses=pauses)
            if rows.shape[1] != probe.shape[1]:
                raise self._other_model()
        if not probe.any():
            raise EmbedderUnavailable(f"{self.name} returns no usable vector", "try another model")
        if self._probe is None:
            self._probe = probe
        elif not is_same_model(self._probe, probe):
            raise self._other_model()
        self._probed = time.monotonic()
        return rows

    def _other_model(self) -> EmbedderUnavailable:
        return EmbedderUnavailable(
            f"{self.name} is another model than it was a moment ago", "run the command again to use the model of now"
        )

    def _rows(self, texts: Sequence[str], *, seconds: float, pauses: Sequence[float]) -> Vectors:
        """Return the rows of texts; those that are too long for the model are shortened until it takes them."""
        longest = max(map(len, texts))
        while True:
            answer = self._answer([each[:longest] for each in texts], seconds=seconds, pauses=pauses)
            if answer.status == 200:
                break
            if longest <= _SHORTEST or not _is_too_long(answer):
                raise self._refusal(answer)
            longest = max(longest // 2, _SHORTEST)
        try:
            return unit_rows(answered_rows(answer.content, count=len(texts)))
        except WrongAnswer as error:
            hint = "check url and model below [semantic] in commonplace.toml"
            raise EmbedderUnavailable(f"{self.name} {error}", hint) from None

    def _answer(self, texts: Sequence[str], *, seconds: float, pauses: Sequence[float]) -> Response:
        """Return the server's answer, after as many tries as there are pauses, and one."""
        body = json.dumps({"model": self._model, "input": texts, "encoding_format": "float"}).encode()

        def request() -> Response:
            return ask(self._server, self._server.path, body=body, key=self._key, seconds=seconds)

        try:
            return repeated(request, pauses=pauses, longest_pause=_LONGEST_PAUSE, is_final=_is_too_long)
        except Unanswered as error:
            hint = "start that server, or correct url below [semantic] in commonplace.toml"
            raise EmbedderUnavailable(f"{self._server.shown}: {error}", hint) from None

    def _refusal(self, answer: Response) -> EmbedderUnavailable:
        hint = "check url and model below [semantic]: the server must have the model, for embeddings"
        told = refusal(answer, self._server, name=self.name, key=self._key, table="semantic", otherwise=hint)
        return EmbedderUnavailable(*told)


def _is_too_long(answer: Response) -> bool:
    """Whether a text was refused because of its length: 413, or, of some servers, a general code with such words."""
    return answer.status in (400, 413, 422, 500) and says_too_long(answer.content)
