"""The one way to an embedder: by the settings of `[semantic]`, with nothing imported that they do not ask for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from commonplace.config.semantic_settings import SemanticSettings
    from commonplace.store.embedders.embedder_port import Embedder


def open_embedder(settings: SemanticSettings, *, env: Mapping[str, str] | None = None) -> Embedder:
    """Return the embedder that the settings name. The local model is loaded; a server is not asked yet.

    Raises ExtensionMissing or EmbedderUnavailable if the local model cannot run here, and UsageError for settings that
    cannot be used: another machine that is not allowed, or a key that is not in the environment.
    """
    if settings.embedder == "local":
        from commonplace.store.embedders.local_e5 import LocalE5

        return LocalE5()
    if settings.embedder == "endpoint":
        from commonplace.store.embedders.endpoint_embedder import EndpointEmbedder
        from commonplace.store.embedders.http_server import server_at

        return EndpointEmbedder(
            server_at(settings.url, allow_remote=settings.allow_remote),
            settings.model,
            query_prefix=settings.query_prefix,
            passage_prefix=settings.passage_prefix,
            key=_key(settings.key_env, os.environ if env is None else env),
            batch=settings.batch,
            seconds=settings.timeout,
        )
    raise UsageError("search by meaning is off", 'set embedder = "local" below [semantic] in commonplace.toml')


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
