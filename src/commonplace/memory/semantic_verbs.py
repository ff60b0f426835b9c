"""Verbs of meaning: turn it on and off, show its state, embed what has no vector yet."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from commonplace.access import VECTORS
from commonplace.errors import CommonplaceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonplace.config.semantic_settings import SemanticSettings
    from commonplace.memory import Memory
    from commonplace.memory.semantic_state import SemanticState
    from commonplace.ops.index.embed_passages import Embedded

_TRIED = 8
"""Passages that are embedded to estimate how long the others take."""


def semantic_on(
    memory: Memory,
    *,
    url: str = "",
    model_name: str = "",
    query_prefix: str = "",
    passage_prefix: str = "",
    key_env: str = "",
    allow_remote: bool = False,
) -> SemanticState:
    """Let recall search by meaning from now on; the state, with an estimate of what is to be embedded.

    Without `url` and `model_name` the local model is used if it is installed, else the first embedding model of a
    server on this machine. Only `commonplace.toml` is written, and only if the model answered; and the list of servers
    that this user allowed, if texts go to another machine or a key to any.

    Args:
        url, model_name: of a server with OpenAI's embeddings API, such as Ollama's.
        query_prefix, passage_prefix: text that this model wants before questions and lines.
        key_env: name of the environment variable with the server's key.
        allow_remote: whether lines may be sent to another machine.

    Raises ExtensionMissing, EmbedderUnavailable, UsageError, NotWritable; then nothing has changed.
    """
    from commonplace.config import read_settings
    from commonplace.config.allowed_servers import allow_server
    from commonplace.config.semantic_settings import SemanticSettings
    from commonplace.config.settings_edit import write_table
    from commonplace.store.servers.http_server import EMBEDDINGS
    from commonplace.store.servers.server_consent import server_that_needs_consent

    chosen = SemanticSettings(
        "endpoint" if url or model_name else "",
        url=url,
        model=model_name,
        query_prefix=query_prefix,
        passage_prefix=passage_prefix,
        key_env=key_env,
        allow_remote=allow_remote,
        search=memory.settings.semantic.search,
    )
    chosen = _working(chosen)
    if chosen.embedder == "endpoint" and (server := server_that_needs_consent(chosen, EMBEDDINGS)):
        allow_server(server, chosen.key_env, os.environ)
    defaults = SemanticSettings()
    entry = {
        name: value
        for name, value in chosen._asdict().items()
        if name == "embedder" or value != getattr(defaults, name)
    }
    write_table(memory.root, "semantic", entry)
    memory.reopen(read_settings(memory.root))
    return semantic_state(memory, estimate=True)


def _working(chosen: SemanticSettings) -> SemanticSettings:
    """The settings with an embedder that answers. Raises CommonplaceError if there is none."""
    from commonplace.store.embedders.open_embedder import open_embedder
    from commonplace.store.embedders.server_search import found_servers

    if chosen.embedder:
        if not (chosen.url and chosen.model):
            raise UsageError("a server needs --url and --model", "ollama list names the models of Ollama")
        open_embedder(chosen, allowed=_by_user).query("works")
        return chosen
    local = chosen._replace(embedder="local")
    try:
        open_embedder(local, allowed=_by_user).query("works")
    except CommonplaceError as error:
        for server in found_servers():
            for name in server.models:
                there = chosen._replace(embedder="endpoint", url=server.url, model=name)
                open_embedder(there, allowed=_by_user).query("works")
                return there
        raise error
    return local


def _by_user(server: str, key_env: str) -> bool:
    """Allowed: whoever calls the verb names the server now."""
    return True


def semantic_off(memory: Memory) -> SemanticState:
    """Let recall answer by words alone; the state. The vectors stay on the disk for the next time."""
    from commonplace.config import read_settings
    from commonplace.config.settings_edit import write_table

    write_table(memory.root, "semantic", None)
    memory.reopen(read_settings(memory.root))
    memory._access.opened().drop_passages()
    return semantic_state(memory)


def semantic_status(memory: Memory) -> SemanticState:
    """The state of meaning, and the servers with embedding models on this machine."""
    from commonplace.store.embedders.server_search import found_servers

    return semantic_state(memory)._replace(servers=tuple(found_servers()))


def embed(memory: Memory, *, progress: Callable[[int, int], None] | None = None) -> Embedded:
    """Embed what has no vector yet, those of facts first, then the newest; what was done.

    It may be interrupted at any time, and goes on from there. Raises UsageError if meaning is off, EmbedderUnavailable,
    NotWritable.
    """
    if memory.meaning is None:
        raise UsageError("search by meaning is off", "turn it on: commonplace semantic on")
    return memory.meaning.embed(memory._access.fresh(), progress=progress)


def semantic_state(memory: Memory, *, estimate: bool = False) -> SemanticState:
    """The state of meaning, without servers that are not in use.

    Args:
        estimate: embed a few passages to see how long the others take.
    """
    from commonplace.memory.semantic_state import SemanticState

    meaning = memory.meaning
    if meaning is None:
        return SemanticState(False, bytes=_size(memory))
    index = memory._access.fresh()
    count = index.count_passages()
    try:
        from commonplace.ops.index.embed_passages import pending

        search, name = meaning.search, meaning.embedder.name
        todo, count = pending(index, search.vectors)
        seconds = 0.0
        if estimate:
            meaning.script_means(make=True)  # also where nothing is written yet: a recall embeds the first lines
        if estimate and todo:
            start = time.perf_counter()
            done = meaning.embed_part(index, todo[:_TRIED])
            seconds = (time.perf_counter() - start) / max(1, done) * (len(todo) - done)
            todo = todo[done:]
        return SemanticState(
            True,
            name,
            meaning.failed,
            count,
            count - len(todo),
            len(search.vectors.refresh()),
            _size(memory),
            search.chosen.reason,
            seconds,
        )
    except CommonplaceError as error:
        return SemanticState(True, memory.settings.semantic.embedder, str(error), count, bytes=_size(memory))


def _size(memory: Memory) -> int:
    folder = os.path.join(memory.workspace.memory_dir, VECTORS)
    return sum(os.path.getsize(os.path.join(above, name)) for above, _, names in os.walk(folder) for name in names)
