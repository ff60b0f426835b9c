"""The one way to an embedder: by the settings of `[semantic]`, with nothing imported that they do not ask for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from commonplace.config.semantic_settings import SemanticSettings
    from commonplace.store.embedders.embedder_port import Embedder


def open_embedder(
    settings: SemanticSettings, *, allowed: Callable[[str, str], bool], env: Mapping[str, str] | None = None
) -> Embedder:
    """Return the embedder that the settings name. The local model is loaded; a server is not asked yet.

    Args:
        allowed: tells whether this user lets texts and keys be sent to a server: `https://api.example.org`, and the
            environment variable with its key, which may be empty. It is asked about servers elsewhere and about keys,
            because the settings may have come with a stranger's workspace.

    Raises ExtensionMissing or EmbedderUnavailable if the local model cannot run here, and UsageError for settings that
    cannot be used: another machine or a key that is not allowed, or a key that is not in the environment.
    """
    env = os.environ if env is None else env
    if settings.embedder == "local":
        from commonplace.store.embedders.local_e5 import LocalE5

        return LocalE5()
    if settings.embedder == "endpoint":
        from commonplace.store.embedders.endpoint_embedder import EndpointEmbedder
        from commonplace.store.embedders.http_server import server_at

        _refuse_unallowed(settings, allowed)
        return EndpointEmbedder(
            server_at(settings.url, allow_remote=settings.allow_remote),
            settings.model,
            query_prefix=settings.query_prefix,
            passage_prefix=settings.passage_prefix,
            key=_key(settings.key_env, env),
            batch=settings.batch,
            seconds=settings.timeout,
        )
    raise UsageError("search by meaning is off", 'set embedder = "local" below [semantic] in commonplace.toml')


def server_that_needs_consent(settings: SemanticSettings) -> str:
    """Return the server that a user must have allowed, as `https://api.example.org`: one elsewhere, and every one that
    gets a key. Empty for all others.
    """
    from commonplace.store.embedders.http_server import is_here, server_at

    if settings.embedder != "endpoint":
        return ""
    server = server_at(settings.url, allow_remote=settings.allow_remote)
    return server.shown if settings.key_env or not is_here(server.host) else ""


def _refuse_unallowed(settings: SemanticSettings, allowed: Callable[[str, str], bool]) -> None:
    """Raises UsageError for a server that needs this user's consent and has it not."""
    import shlex

    server = server_that_needs_consent(settings)
    if not server or allowed(server, settings.key_env):
        return
    words = ["commonplace", "semantic", "on", "--url", settings.url, "--model", settings.model]
    words += ["--key-env", settings.key_env] if settings.key_env else []
    words += ["--allow-remote"] if settings.allow_remote else []
    key = f" with the key in {settings.key_env}" if settings.key_env else ""
    raise UsageError(
        f"commonplace.toml wants texts sent to {server}{key}, and you have not allowed that on this machine",
        f"if you trust that server: {shlex.join(words)}",
    )


def _key(name: str, env: Mapping[str, str]) -> str:
    """Return the key for the server; empty if the settings name none. Messages never contain it."""
    if not name:
        return ""
    key = env.get(name, "").strip()
    if not key:
        raise UsageError(f"the environment variable {name}, which key_env names, is not set", f"set {name} to the key")
    if not (key.isascii() and key.isprintable()):
        raise UsageError(
            f"the environment variable {name} is no key: it has characters that none has", f"correct {name}"
        )
    return key
