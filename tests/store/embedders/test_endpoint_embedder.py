"""A server of embeddings that is late, wrong, redirected, dead or another model; and what is never sent or shown."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy
import pytest
from tests.embedding_server import EmbeddingServer, Handler, embedding_server, embeddings, ollama, vector, well

from commonplace.config.allowed_servers import allow_server, allowed_servers_file, is_allowed
from commonplace.config.semantic_settings import SemanticSettings
from commonplace.errors import EmbedderUnavailable, UsageError
from commonplace.store.embedders.embedder_port import unit_rows
from commonplace.store.embedders.endpoint_embedder import EndpointEmbedder
from commonplace.store.embedders.model_probe import PROBE, probe_fingerprint
from commonplace.store.embedders.open_embedder import open_embedder as open_allowed
from commonplace.store.servers.http_server import EMBEDDINGS, server_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.embedding_server import Reply

    from commonplace.store.embedders.embedder_port import Embedder, Vectors

KEY = "sk-test-3f9a7c21d0e84b56a1c2"


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding_server() as found:
        yield found


def embedder(server: EmbeddingServer, **options: Any) -> EndpointEmbedder:
    """An embedder that tries three times without a pause."""
    at = server_at(server.url, EMBEDDINGS, allow_remote=False)
    return EndpointEmbedder(at, "model", **{"pauses": (0, 0), "seconds": 20, **options})


def open_embedder(settings: SemanticSettings, env: dict[str, str]) -> Embedder:
    return open_allowed(settings, allowed=lambda *_: True, env=env)


def open_by_list(settings: SemanticSettings, env: dict[str, str]) -> Embedder:
    return open_allowed(settings, allowed=lambda server, key: is_allowed(server, key, env), env=env)


def units(*texts: str) -> Vectors:
    return unit_rows([vector(text) for text in texts])


def status(code: int, found: object = b"", **headers: str) -> Reply:
    return lambda handler, _: handler.answer(code, found, **headers)


def data(change: Any) -> Reply:
    """An answer whose list of vectors is changed."""
    return lambda handler, asked: handler.answer(200, {"data": change(embeddings(asked))})


class TestWhatIsSent:
    def test_a_request_is_openais_with_prefixes_model_and_key(self, server: EmbeddingServer) -> None:
        asks = embedder(server, query_prefix="q: ", passage_prefix="p: ", key=KEY)
        assert numpy.allclose(asks.passages(["pier"]), units("p: pier"), atol=1e-6)
        assert numpy.allclose(asks.query("pier?"), units("q: pier?"), atol=1e-6)
        assert server.asked[0] == {"model": "model", "input": [PROBE, "p: pier"], "encoding_format": "float"}
        assert set(server.keys) == {f"Bearer {KEY}"}
        assert set(server.paths) == {"/v1/embeddings"}

    def test_no_key_is_sent_where_there_is_none(self, server: EmbeddingServer) -> None:
        embedder(server).query("pier?")
        assert server.keys == [""]

    def test_a_batch_has_no_more_texts_than_the_settings_allow_with_the_probe(self, server: EmbeddingServer) -> None:
        found = embedder(server, batch=4).passages([f"line {at}" for at in range(10)])
        assert max(len(asked["input"]) for asked in server.asked) == 4
        assert numpy.allclose(found, units(*(f"line {at}" for at in range(10))), atol=1e-6)

    def test_the_first_question_brings_the_fingerprint_and_later_ones_are_alone(self, server: EmbeddingServer) -> None:
        asks = embedder(server)
        asks.query("first?")
        assert asks.fingerprint and asks.dimensions == 16
        asks.query("second?")
        assert [asked["input"] for asked in server.asked] == [[PROBE, "first?"], ["second?"]]

    def test_nothing_is_asked_before_something_is_wanted(self, server: EmbeddingServer) -> None:
        open_embedder(SemanticSettings("endpoint", server.url, "model"), env={})
        assert server.paths == []

    @pytest.mark.parametrize(
        ("url", "path"),
        [
            ("http://127.0.0.1:11434", "/v1/embeddings"),
            ("http://127.0.0.1:11434/", "/v1/embeddings"),
            ("http://127.0.0.1:11434/v1", "/v1/embeddings"),
            ("http://127.0.0.1:11434/v1/embeddings", "/v1/embeddings"),
            ("http://127.0.0.1/tei/", "/tei/v1/embeddings"),
            ("http://127.0.0.1/openai/v2/", "/openai/v2/embeddings"),
        ],
    )
    def test_the_path_is_completed(self, url: str, path: str) -> None:
        assert server_at(url, EMBEDDINGS, allow_remote=False).path == path

    def test_localhost_is_not_looked_up(self, server: EmbeddingServer) -> None:
        settings = SemanticSettings("endpoint", f"http://LOCALHOST:{server.port}/v1", "model")
        assert open_embedder(settings, env={}).query("pier?").any()
        assert server_at(settings.url, EMBEDDINGS, allow_remote=False).addresses == ("127.0.0.1", "::1")


class TestAnotherMachine:
    @pytest.mark.parametrize(
        "host",
        [
            *("example.org", "127.0.0.1.evil.com", "localhost.evil.com", "localhost.", "evil-localhost", "0.0.0.0"),
            *("127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.256", "127.0.0.1.", "[::]", "[::2]"),
            *("[::ffff:127.0.0.1]", "128.0.0.1", "10.0.0.1", "192.168.1.20", "127.0.0.1.nip.io"),
        ],
    )
    def test_is_refused_unless_it_is_allowed(self, host: str) -> None:
        with pytest.raises(UsageError, match="is not this machine") as refused:
            open_embedder(SemanticSettings("endpoint", f"http://{host}:8080", "model"), env={})
        assert "--allow-remote" in refused.value.hint

    def test_it_is_refused_to_a_workspace_that_allows_it_to_itself(self, tmp_path: Path) -> None:
        """Who clones a folder has allowed nothing: the list of this user counts, each server with each key alone."""
        env = {"HOME": str(tmp_path), "THEIR_KEY": KEY, "MY_KEY": KEY}
        wanted = SemanticSettings("endpoint", "https://example.org/v1", "model; rm -r ~", allow_remote=True)
        with pytest.raises(UsageError, match="you have not allowed that on this machine") as refused:
            open_by_list(wanted, env=env)
        assert refused.value.hint.endswith("--url https://example.org/v1 --model 'model; rm -r ~' --allow-remote")
        allow_server("https://example.org", "", env)
        open_by_list(wanted, env=env)
        for other in (
            wanted._replace(key_env="MY_KEY"),
            wanted._replace(url="https://example.org:8080"),
            wanted._replace(url="http://example.org"),
            wanted._replace(url="https://example.org.example.com"),
            SemanticSettings("endpoint", "http://127.0.0.1:8080", "model", key_env="MY_KEY"),
        ):
            with pytest.raises(UsageError, match="you have not allowed that"):
                open_by_list(other, env=env)
        allow_server("https://example.org", "MY_KEY", env)
        open_by_list(wanted._replace(key_env="MY_KEY"), env=env)
        with pytest.raises(UsageError, match="you have not allowed that"):
            open_by_list(wanted._replace(key_env="THEIR_KEY"), env=env)
        with pytest.raises(UsageError, match="is not this machine"):
            open_by_list(wanted._replace(allow_remote=False), env=env)

    def test_the_list_of_allowed_servers_is_never_in_the_workspace(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        home = {"HOME": str(tmp_path / "home")}
        usual = allowed_servers_file(home)
        assert usual == str(tmp_path / "home" / ".config" / "commonplace" / "allowed-servers")
        assert allowed_servers_file({**home, "XDG_CONFIG_HOME": "."}) == usual
        assert allowed_servers_file({**home, "XDG_CONFIG_HOME": "/etc/xdg"}).startswith("/etc/xdg/commonplace/")

    def test_a_person_may_edit_the_list(self, tmp_path: Path) -> None:
        env = {"HOME": str(tmp_path)}
        allow_server("https://example.org", "MY_KEY", env)
        path = Path(allowed_servers_file(env))
        mine = path.read_text() + "\n  # at work\nhttps://work.example.org   WORK_KEY\n"
        path.write_text(mine)
        assert is_allowed("https://work.example.org", "WORK_KEY", env)
        allow_server("https://work.example.org", "WORK_KEY", env)
        assert path.read_text() == mine
        allow_server("https://home.example.org", "", env)
        assert path.read_text() == f"{mine}https://home.example.org\n"
        path.write_bytes(b"\xff")
        with pytest.raises(UsageError, match="cannot be read: it is not UTF-8"):
            is_allowed("https://example.org", "", env)
        with pytest.raises(UsageError, match="cannot be read"):
            allow_server("https://example.org", "", env)
        assert path.read_bytes() == b"\xff"

    @pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.250", "localhost", "LocalHost", "[::1]"])
    def test_this_one_has_few_names(self, host: str) -> None:
        server_at(f"https://{host}:8080", EMBEDDINGS, allow_remote=False)

    @pytest.mark.parametrize(
        "url",
        [
            "http://127.0.0.1@evil.com",
            f"http://me:{KEY}@127.0.0.1",
            f"http://127.0.0.1/?key={KEY}",
            f"http://127.0.0.1/#{KEY}",
            "http://127.0.0.1\\@evil.com",
            "http://evil.com\\.127.0.0.1",
            "ftp://127.0.0.1",
            "127.0.0.1:11434",
            "http://",
            "http://127.0.0.1:port",
            "http://127.0.0.1:99999",
            "http://[::1",
            "http://127.0.0.1/a b",
            "http://１２７.0.0.1",
            "",
        ],
    )
    def test_what_is_no_plain_url_is_refused_and_not_repeated(self, url: str) -> None:
        with pytest.raises(UsageError) as refused:
            server_at(url, EMBEDDINGS, allow_remote=True)
        assert KEY not in str(refused.value)

    @pytest.mark.parametrize("code", [301, 302, 307, 308])
    def test_a_redirect_is_not_followed(self, server: EmbeddingServer, code: int) -> None:
        with embedding_server() as other:
            server.usual = status(code, Location=f"{other.url}/v1/embeddings?{KEY}")
            with pytest.raises(EmbedderUnavailable, match="not sent on") as refused:
                embedder(server).query("pier?")
            assert other.paths == []
        assert KEY not in str(refused.value)

    def test_proxies_of_the_environment_are_not_used(
        self, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
        assert embedder(server).query("pier?").any()


WRONG: dict[str, tuple[Reply, str]] = {
    "too few": (data(lambda rows: rows[:-1]), "returned 1 vectors for 2 texts"),
    "too many": (data(lambda rows: rows + rows), "returned 4 vectors for 2 texts"),
    "one place twice": (data(lambda rows: [{**each, "index": 0} for each in rows]), "which vector belongs"),
    "no such place": (data(lambda rows: [{**each, "index": each["index"] + 1} for each in rows]), "which vector"),
    "places in words": (data(lambda rows: [{**each, "index": "0"} for each in rows]), "which vector belongs"),
    "other dimensions": (
        data(lambda rows: [{**each, "embedding": each["embedding"][each["index"] :]} for each in rows]),
        "different dimensions",
    ),
    "no dimensions": (data(lambda rows: [{**each, "embedding": []} for each in rows]), "without any"),
    "words": (data(lambda rows: [{**each, "embedding": ["a", "b"]} for each in rows]), "else than numbers"),
    "a matrix": (data(lambda rows: [{**each, "embedding": [[1.0], [2.0]]} for each in rows]), "for each word"),
    "base64": (data(lambda rows: [{**each, "embedding": "AAAA"} for each in rows]), "else than lists"),
    "no vectors": (data(lambda rows: [1 for _ in rows]), "JSON without embeddings"),
    "another object": (status(200, {"object": "list"}), "JSON without embeddings"),
    "a list": (status(200, [1]), "JSON without embeddings"),
    "html": (status(200, b"<!DOCTYPE html><title>Hello</title>"), "returned HTML"),
    "no json": (status(200, b"hello"), "something else than JSON"),
    "half a json": (status(200, b'{"data": [{"embedding": [0.1, '), "something else than JSON"),
    "deep json": (status(200, b"[" * 100_000), "something else than JSON"),
    "nothing": (status(200), "something else than JSON"),
    "not utf-8": (status(200, b"\xff\xfe\x00{"), "something else than JSON"),
    "only zeros": (
        data(lambda rows: [{**each, "embedding": [0.0] * 16} for each in rows]),
        "no usable vector",
    ),
}


class TestWrongAnswers:
    @pytest.mark.parametrize("case", WRONG)
    def test_is_an_error_that_names_the_model(self, server: EmbeddingServer, case: str) -> None:
        server.usual, says = WRONG[case]
        with pytest.raises(EmbedderUnavailable, match=says) as refused:
            embedder(server).passages(["pier"])
        assert refused.value.message.startswith(f"{server.url} model ")
        assert refused.value.hint
        assert len(server.asked) == 1, "the same answer would come again"

    def test_the_order_is_that_of_the_indices(self, server: EmbeddingServer) -> None:
        server.usual = data(lambda rows: rows[::-1])
        assert numpy.allclose(embedder(server).passages(["a", "b", "c"]), units("a", "b", "c"), atol=1e-6)

    def test_without_indices_it_is_that_of_the_texts(self, server: EmbeddingServer) -> None:
        server.usual = data(lambda rows: [{"embedding": each["embedding"]} for each in rows])
        assert numpy.allclose(embedder(server).passages(["a", "b", "c"]), units("a", "b", "c"), atol=1e-6)

    @pytest.mark.parametrize("bad", [float("nan"), float("inf"), None, 0.0, 1e308])
    def test_a_vector_with_what_is_no_number_is_zero_and_the_others_stay(
        self, server: EmbeddingServer, bad: float | None
    ) -> None:
        def spoil(handler: Handler, asked: dict[str, Any]) -> None:
            rows = embeddings(asked)
            for row in rows:
                if asked["input"][row["index"]] == "b":
                    row["embedding"] = [bad] * 16
            handler.answer(200, {"data": rows})

        server.usual = spoil
        found = embedder(server).passages(["a", "b", "c"])
        assert numpy.allclose(found[[0, 2]], units("a", "c"), atol=1e-6)
        assert not found[1].any()

    def test_an_endless_answer_is_cut_off(self, server: EmbeddingServer) -> None:
        server.usual = status(200, b" " * 33_000_000)
        with pytest.raises(EmbedderUnavailable, match="more than 32,000,000 bytes"):
            embedder(server).passages(["pier"])
        assert len(server.asked) == 1


def hang_up(handler: Handler, _: dict[str, Any]) -> None:
    handler.close_connection = True


def half(handler: Handler, _: dict[str, Any]) -> None:
    handler.answer(200, b'{"data": []}', Content_Length="1000", Connection="close")
    handler.close_connection = True


def no_http(handler: Handler, _: dict[str, Any]) -> None:
    handler.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n")
    handler.close_connection = True


class TestFailures:
    @pytest.mark.parametrize(
        "fault", [status(500), status(502, b"<html>"), status(503), status(504), status(429), hang_up, half, no_http]
    )
    def test_a_passing_fault_is_tried_again(self, server: EmbeddingServer, fault: Reply) -> None:
        server.replies = [fault, fault, well]
        assert numpy.allclose(embedder(server).passages([]), numpy.zeros((0, 16)))
        assert len(server.asked) == 3

    @pytest.mark.parametrize(
        ("fault", "says"),
        [
            (status(500, {"error": {"message": "out of memory"}}), "status 500: out of memory"),
            (status(429), "status 429"),
            (hang_up, "closed the connection"),
            (half, "closed the connection"),
            (no_http, "does not speak HTTP"),
        ],
    )
    def test_a_lasting_one_ends_after_as_many_tries(self, server: EmbeddingServer, fault: Reply, says: str) -> None:
        server.usual = fault
        with pytest.raises(EmbedderUnavailable, match=says):
            embedder(server).passages(["pier"])
        assert len(server.asked) == 3

    def test_a_question_has_one_try(self, server: EmbeddingServer) -> None:
        server.usual = status(503)
        with pytest.raises(EmbedderUnavailable, match="status 503"):
            embedder(server).query("pier?")
        assert len(server.asked) == 1

    @pytest.mark.parametrize("code", [400, 404, 413, 422, 501])
    def test_a_refusal_is_not_asked_again(self, server: EmbeddingServer, code: int) -> None:
        server.usual = status(code, {"error": {"message": "no embeddings here"}})
        with pytest.raises(EmbedderUnavailable, match=f"status {code}: no embeddings here"):
            embedder(server).passages(["pier"])
        assert len(server.asked) == 1

    def test_the_server_says_how_long_to_wait_within_a_bound(self, server: EmbeddingServer) -> None:
        server.replies = [status(429, Retry_After="1"), well]
        begin = time.monotonic()
        assert embedder(server).passages(["pier"]).any()
        assert time.monotonic() - begin >= 1

    def test_a_late_answer_ends_at_the_limit_and_is_not_asked_again(self, server: EmbeddingServer) -> None:
        def late(handler: Handler, asked: dict[str, Any]) -> None:
            time.sleep(1)
            well(handler, asked)

        server.usual = late
        with pytest.raises(EmbedderUnavailable, match=r"no complete answer within 0\.2 seconds"):
            embedder(server, seconds=0.2).passages(["pier"])
        assert len(server.asked) == 1

    def test_so_does_one_that_comes_byte_by_byte(self, server: EmbeddingServer) -> None:
        def drip(handler: Handler, _: dict[str, Any]) -> None:
            handler.send_response(200)
            handler.send_header("Content-Length", "1000")
            handler.end_headers()
            for _second in range(40):
                handler.wfile.write(b" ")
                time.sleep(0.05)

        server.usual = drip
        with pytest.raises(EmbedderUnavailable, match=r"no complete answer within 0\.3 seconds"):
            embedder(server, seconds=0.3).passages(["pier"])

    def test_no_program_on_the_port_is_told_with_the_next_step(self) -> None:
        with embedding_server() as gone:
            pass
        with pytest.raises(EmbedderUnavailable, match="no program answers there") as refused:
            embedder(gone).query("pier?")
        assert "start that server" in refused.value.hint

    @pytest.mark.parametrize(
        ("code", "message"),
        [
            (400, {"error": {"message": "the input length exceeds the context length", "type": "api_error"}}),
            (500, {"error": {"code": 500, "message": "input is too large to process. increase the batch size"}}),
            (413, {"error": "Input validation error: `inputs` must have less than 512 tokens. Given: 700"}),
        ],
    )
    def test_a_text_that_is_too_long_for_the_model_is_shortened(
        self, server: EmbeddingServer, code: int, message: object
    ) -> None:
        def small(handler: Handler, asked: dict[str, Any]) -> None:
            if max(map(len, asked["input"])) > 600:
                handler.answer(code, message)
            else:
                well(handler, asked)

        server.usual = small
        assert numpy.allclose(embedder(server).passages(["x" * 2000, "b"]), units("x" * 500, "b"), atol=1e-6)

    def test_one_that_stays_too_long_is_an_error(self, server: EmbeddingServer) -> None:
        server.usual = status(400, {"error": "too long"})
        with pytest.raises(EmbedderUnavailable, match="status 400: too long"):
            embedder(server).passages(["x" * 2000])


class TestSecrets:
    def test_a_refused_key_is_told_and_not_shown(self, server: EmbeddingServer) -> None:
        server.usual = status(401, {"error": {"message": f"Incorrect API key provided: {KEY}."}})
        with pytest.raises(EmbedderUnavailable, match="status 401: Incorrect API key provided: …") as refused:
            embedder(server, key=KEY).query("pier?")
        assert KEY not in str(refused.value)
        assert "key_env" in refused.value.hint

    def test_what_a_server_says_is_one_short_line_without_other_keys(self, server: EmbeddingServer) -> None:
        other = "sk-proj-" + "Zx8" * 12
        server.usual = status(400, f"line\none {other} " + "word " * 5000)
        with pytest.raises(EmbedderUnavailable) as refused:
            embedder(server).query("pier?")
        assert other not in str(refused.value)
        assert "\n" not in refused.value.message and len(refused.value.message) < 400

    def test_the_key_is_that_of_the_environment(self, server: EmbeddingServer) -> None:
        settings = SemanticSettings("endpoint", server.url, "model", key_env="THEIR_KEY")
        open_embedder(settings, env={"THEIR_KEY": f" {KEY}\n"}).query("pier?")
        assert server.keys == [f"Bearer {KEY}"]

    @pytest.mark.parametrize("env", [{}, {"THEIR_KEY": " "}, {"THEIR_KEY": "a\nb"}, {"THEIR_KEY": "kæy"}])
    def test_a_missing_or_odd_key_is_told_by_the_name_of_its_variable(self, env: dict[str, str]) -> None:
        with pytest.raises(UsageError, match="environment variable THEIR_KEY") as refused:
            settings = SemanticSettings("endpoint", "http://127.0.0.1:1", "model", key_env="THEIR_KEY")
            open_embedder(settings, env=env)
        assert "kæy" not in str(refused.value)


def other_model(handler: Handler, asked: dict[str, Any]) -> None:
    handler.answer(200, {"data": embeddings(asked, model="another")})


def wider_model(handler: Handler, asked: dict[str, Any]) -> None:
    handler.answer(200, {"data": embeddings(asked, dimensions=32)})


class TestAnotherModelBehindOneName:
    @pytest.mark.parametrize("reply", [other_model, wider_model])
    @pytest.mark.parametrize("batch", [1, 32])
    def test_is_noticed_before_a_line_of_it_is_returned(
        self, server: EmbeddingServer, reply: Reply, batch: int
    ) -> None:
        asks = embedder(server, batch=batch)
        asks.passages(["pier"])
        server.usual = reply
        with pytest.raises(EmbedderUnavailable, match="is another model than it was a moment ago"):
            asks.passages(["pier"])

    def test_is_noticed_by_a_question_at_once_if_its_dimension_differs(self, server: EmbeddingServer) -> None:
        asks = embedder(server)
        asks.query("pier?")
        server.usual = wider_model
        with pytest.raises(EmbedderUnavailable, match="is another model"):
            asks.query("pier?")

    def test_is_noticed_by_a_question_after_a_minute_else(
        self, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("commonplace.store.embedders.endpoint_embedder._PROBE_SECONDS", -1)
        asks = embedder(server)
        asks.query("pier?")
        server.usual = other_model
        with pytest.raises(EmbedderUnavailable, match="is another model"):
            asks.query("pier?")

    @pytest.mark.parametrize("reply", [other_model, wider_model])
    def test_has_another_fingerprint_in_the_next_process(self, server: EmbeddingServer, reply: Reply) -> None:
        before = embedder(server).fingerprint
        assert embedder(server).fingerprint == before
        server.usual = reply
        assert embedder(server).fingerprint != before

    @pytest.mark.parametrize("changed", [{"query_prefix": "q: "}, {"passage_prefix": "p: "}])
    def test_another_prefix_is_another_model(self, server: EmbeddingServer, changed: dict[str, str]) -> None:
        assert embedder(server).fingerprint != embedder(server, **changed).fingerprint

    def test_another_address_is_not(self, server: EmbeddingServer) -> None:
        with embedding_server() as moved:
            assert embedder(server).fingerprint == embedder(moved).fingerprint

    def test_noise_of_the_last_digits_is_no_other_model(self, server: EmbeddingServer) -> None:
        server.usual = lambda handler, asked: handler.answer(200, {"data": embeddings(asked, noise=1e-6)})
        assert len({embedder(server).fingerprint for _ in range(20)}) == 1

    def test_unrelated_vectors_share_a_fingerprint_in_a_few_cases_of_ten_thousand(self) -> None:
        rows = numpy.random.default_rng(3).normal(size=(4000, 384)).astype(numpy.float32)
        found = {probe_fingerprint(["model"], probe=row.reshape(1, -1)) for row in rows}
        assert len(found) > 2000, "of 4,096 there are"


def test_ollama_says_that_it_lacks_the_model(server: EmbeddingServer) -> None:
    ollama(server, nomic_embed_text=["embedding"])
    with pytest.raises(EmbedderUnavailable, match=r"status 404: model .* not found, try pulling it first"):
        embedder(server).query("pier?")
