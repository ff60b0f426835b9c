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
        allowed: as of `server_and_key`.

    Raises ExtensionMissing or EmbedderUnavailable if the local model cannot run here, and UsageError for settings that
    cannot be used: another machine or a key that is not allowed, or a key that is not in the environment.
    """
    if settings.embedder == "local":
        from commonplace.store.embedders.local_e5 import LocalE5

        return LocalE5()
    if settings.embedder == "endpoint":
        from commonplace.store.embedders.endpoint_embedder import EndpointEmbedder
        from commonplace.store.servers.http_server import EMBEDDINGS
        from commonplace.store.servers.server_consent import server_and_key

        server, key = server_and_key(settings, EMBEDDINGS, allowed=allowed, env=os.environ if env is None else env)
        return EndpointEmbedder(
            server,
            settings.model,
            query_prefix=settings.query_prefix,
            passage_prefix=settings.passage_prefix,
            key=key,
            batch=settings.batch,
            seconds=settings.timeout,
        )
    raise UsageError("search by meaning is off", 'set embedder = "local" below [semantic] in commonplace.toml')
