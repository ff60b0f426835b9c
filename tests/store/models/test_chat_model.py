"""A model behind the chat API: asked once, with a bound on time, size and tries."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from tests.chat_server import chat_server, llama, replying, said

from commonplace.config.model_settings import ModelSettings
from commonplace.errors import ModelUnavailable, UsageError
from commonplace.store.models.chat_model import ChatModel
from commonplace.store.models.open_model import context_length, open_model
from commonplace.store.servers.http_server import CHAT, server_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.embedding_server import EmbeddingServer, Handler

SCHEMA = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": ["red", "blue"]}},
    "required": ["colour"],
    "additionalProperties": False,
}


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with chat_server() as found:
        yield found


def model_of(server: EmbeddingServer, *, seconds: float = 5, key: str = "") -> ChatModel:
    at = server_at(server.url, CHAT, allow_remote=False)
    return ChatModel(at, "tiny", key=key, seconds=seconds, pauses=(0.01, 0.01))


@pytest.fixture(scope="module")
def real() -> Iterator[ChatModel]:
    with llama() as url:
        yield open_model(ModelSettings(url, "smollm2", timeout=900), allowed=lambda server, key: False)


class TestReal:
    """llama.cpp's own server, with a model of 135 million weights."""

    def test_it_answers_by_a_schema_and_says_what_it_cost(self, real: ChatModel) -> None:
        told = real.answer("Answer with JSON alone.", "The sky at noon: red or blue?", schema=SCHEMA, most=40)
        assert json.loads(told.text)["colour"] in ("red", "blue")
        assert real.takes_schemas is True
        assert 10 < told.sent < 100
        assert 2 < told.received <= 40
        assert 0 < told.seconds < 900
        assert not told.cut

    def test_an_answer_is_cut_where_it_is_too_long(self, real: ChatModel) -> None:
        told = real.answer("You tell stories.", "Tell a long story of a lighthouse.", most=8)
        assert told.cut
        assert told.received == 8

    def test_it_says_how_much_it_reads_at_once(self, real: ChatModel) -> None:
        assert context_length(real) == 2048


def test_a_request_is_what_the_protocol_wants(server: EmbeddingServer) -> None:
    server.usual = replying(200, said("{}", usage={"prompt_tokens": 12, "completion_tokens": 3}))
    told = model_of(server, key="k3y").answer("Judge.", "A question?", schema=SCHEMA, most=77)
    assert (told.text, told.sent, told.received, told.tokens) == ("{}", 12, 3, 15)
    (asked,) = server.asked
    assert asked["model"] == "tiny"
    assert asked["messages"] == [
        {"role": "system", "content": "Judge."},
        {"role": "user", "content": "A question?"},
    ]
    assert (asked["stream"], asked["temperature"], asked["max_tokens"]) == (False, 0, 77)
    assert asked["response_format"]["json_schema"]["schema"] == SCHEMA
    assert "tools" not in asked
    assert server.paths == ["/v1/chat/completions"]
    assert server.keys == ["Bearer k3y"]


def test_a_server_without_schemas_is_asked_without_one_from_then_on(server: EmbeddingServer) -> None:
    def reply(handler: Handler, asked: dict[str, Any]) -> None:
        if "response_format" in asked:
            handler.answer(400, {"error": {"message": "response_format is not supported"}})
        else:
            handler.answer(200, said("yes"))

    server.usual = reply
    chat = model_of(server)
    assert chat.answer("", "one", schema=SCHEMA, most=5).text == "yes"
    assert chat.takes_schemas is False
    chat.answer("", "two", schema=SCHEMA, most=5)
    assert ["response_format" in each for each in server.asked] == [True, False, False]


def test_without_a_count_of_the_server_tokens_are_estimated(server: EmbeddingServer) -> None:
    server.usual = replying(200, said("a word or two", usage={"prompt_tokens": "many", "completion_tokens": -1}))
    told = model_of(server).answer("Judge this.", "A question of some words?", most=5)
    assert told.sent > 5
    assert told.received > 2


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again_and_not_for_ever(server: EmbeddingServer, status: int) -> None:
    server.replies = [replying(status, {"error": "busy"}), replying(200, said("now"))]
    assert model_of(server).answer("", "?", most=5).text == "now"
    server.usual = replying(status, {"error": {"message": "busy, password=hunter2hunter2"}})
    server.asked.clear()
    with pytest.raises(ModelUnavailable, match=f"status {status}: busy") as refused:
        model_of(server).answer("", "?", most=5)
    assert "hunter2" not in refused.value.message
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("status", "found"),
    [
        (200, b"<html>welcome</html>"),
        (200, b'{"choices": [{"message": {"content": "ha'),
        (200, {"choices": []}),
        (200, {"choices": [{"message": {"content": 7}}]}),
        (200, {"choices": "none"}),
        (200, []),
        (200, b"[" * 100_000),
        (200, b'{"x": "' + b"a" * 1_000_000 + b'"}'),
        (302, {}),
        (401, {"error": {"message": "no key"}}),
        (404, {"error": {"message": "no such model"}}),
        (204, b""),
    ],
)
def test_what_is_no_answer_is_none(server: EmbeddingServer, status: int, found: object) -> None:
    server.usual = replying(status, found)
    with pytest.raises(ModelUnavailable) as wrong:
        model_of(server).answer("", "?", most=5)
    assert wrong.value.hint
    assert len(wrong.value.message) < 500


def test_an_empty_answer_is_one(server: EmbeddingServer) -> None:
    server.usual = replying(200, {"choices": [{"message": {"role": "assistant", "content": None}}]})
    assert model_of(server).answer("", "?", most=5).text == ""


def test_a_slow_server_and_one_that_hangs_up_cost_no_more_than_the_time_limit(server: EmbeddingServer) -> None:
    def slow(handler: Handler, asked: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        for _ in range(300):
            handler.wfile.write(b" ")
            time.sleep(0.1)

    def hangs_up(handler: Handler, asked: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"choices": [')
        handler.close_connection = True

    server.usual = slow
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match="no complete answer within"):
        model_of(server, seconds=0.5).answer("", "?", most=5)
    assert time.monotonic() - began < 20  # of the thirty that its answer takes
    server.usual = hangs_up
    with pytest.raises(ModelUnavailable):
        model_of(server).answer("", "?", most=5)


def test_nobody_at_home_and_elsewhere() -> None:
    gone = server_at("http://127.0.0.1:9", CHAT, allow_remote=False)
    with pytest.raises(ModelUnavailable, match="no program answers there"):
        ChatModel(gone, "x", seconds=2, pauses=(0.01,)).answer("", "?", most=5)
    with pytest.raises(UsageError, match="is not this machine"):
        open_model(ModelSettings("http://models.example.org", "x"), allowed=lambda server, key: True)
    with pytest.raises(UsageError, match="you have not allowed that"):
        remote = ModelSettings("https://models.example.org", "x", allow_remote=True)
        open_model(remote, allowed=lambda server, key: False)
    with pytest.raises(UsageError, match="no model is set up"):
        open_model(ModelSettings(), allowed=lambda server, key: True)


@pytest.mark.parametrize(
    ("path", "page", "reads"),
    [
        ("/v1/models", {"data": [{"id": "tiny", "max_model_len": 8192}, {"id": "b", "max_model_len": 1}]}, 8192),
        ("/api/v0/models", {"data": [{"id": "tiny", "loaded_context_length": 4096}]}, 4096),
        ("/api/show tiny", {"model_info": {"general.parameter_count": 7, "llama.context_length": 32768}}, 32768),
        ("/props", {"default_generation_settings": {"n_ctx": 2048}}, 2048),
        ("/props", ["nothing"], None),
    ],
)
def test_each_kind_of_server_tells_how_much_its_model_reads(
    server: EmbeddingServer, path: str, page: object, reads: int | None
) -> None:
    server.pages[path] = (200, page)
    assert context_length(model_of(server)) == reads
