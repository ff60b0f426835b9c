"""Finds the embedding servers of this machine, on their usual ports. Called when a person asks, never in passing."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.store.servers.http_server import HttpServer, Unanswered, ask

if TYPE_CHECKING:
    from collections.abc import Mapping

PORTS = {"ollama": (11434,), "lmstudio": (1234,), "llama.cpp": (8080,), "tei": (8080, 3000)}
"""Where each kind of server listens unless it was told otherwise."""
_SECONDS = 0.5
_MOST_MODELS = 50
_EMBEDS = lazy_pattern(r"embed|bert|minilm|\bbge|\bgte|\be5\b|e5-|nomic|mxbai", re.IGNORECASE)
"""Names of models and families that embed, for servers that do not tell it otherwise."""


class FoundServer(NamedTuple):
    """A server that answers."""

    url: str
    kind: str
    """`ollama`, `lmstudio`, `llama.cpp` or `tei`."""
    models: tuple[str, ...]
    """Its embedding models, as it names them; empty if it has none."""


def found_servers(
    *, ports: Mapping[str, tuple[int, ...]] = PORTS, seconds: float = _SECONDS
) -> tuple[FoundServer, ...]:
    """Return the servers on the usual ports of 127.0.0.1, with their embedding models.

    Args:
        ports: by kind of server.
        seconds: limit for one answer; where no program listens there is nothing to wait for.
    """
    found = []
    for kind, listed in ports.items():
        for port in listed:
            models = _MODELS[kind](HttpServer("http", "127.0.0.1", port, ""), seconds)
            if models is not None:
                found.append(FoundServer(f"http://127.0.0.1:{port}", kind, models))
    return tuple(found)


def _ollama(server: HttpServer, seconds: float) -> tuple[str, ...] | None:
    """Return the models that can embed: as `/api/show` says, or, before Ollama 0.6.4, by their family and name."""
    models = _listed(_json(server, "/api/tags", seconds=seconds), "models")
    if models is None:
        return None
    found = []
    for each in models[:_MOST_MODELS]:
        name = str(each.get("name", ""))
        shown = _json(server, "/api/show", asks={"model": name}, seconds=seconds)
        abilities = shown.get("capabilities") if isinstance(shown, dict) else None
        details = each.get("details")
        family = str(details.get("family", "")) if isinstance(details, dict) else ""
        if "embedding" in abilities if isinstance(abilities, list) else _EMBEDS.search(f"{name} {family}"):
            found.append(name)
    return tuple(found)


def _lmstudio(server: HttpServer, seconds: float) -> tuple[str, ...] | None:
    models = _listed(_json(server, "/api/v0/models", seconds=seconds), "data")
    if models is None:
        return None
    return tuple(str(each.get("id")) for each in models[:_MOST_MODELS] if each.get("type") == "embeddings")


def _llama_cpp(server: HttpServer, seconds: float) -> tuple[str, ...] | None:
    """Return its model, which embeds only if the server was started for it: the first request tells."""
    models = _listed(_json(server, "/v1/models", seconds=seconds), "data")
    if models is None or not any(each.get("owned_by") == "llamacpp" for each in models):
        return None
    return tuple(str(each.get("id")) for each in models[:_MOST_MODELS])


def _tei(server: HttpServer, seconds: float) -> tuple[str, ...] | None:
    told = _json(server, "/info", seconds=seconds)
    if not isinstance(told, dict) or not isinstance(told.get("model_id"), str):
        return None
    kind = told.get("model_type")
    return (told["model_id"],) if isinstance(kind, dict) and "embedding" in kind else ()


_MODELS = {"ollama": _ollama, "lmstudio": _lmstudio, "llama.cpp": _llama_cpp, "tei": _tei}


def _json(server: HttpServer, path: str, *, seconds: float, asks: dict[str, str] | None = None) -> Any:
    """Return the JSON that a server answers; None if it does not."""
    body = None if asks is None else json.dumps(asks).encode()
    try:
        answer = ask(server, path, body=body, seconds=seconds)
        return json.loads(answer.content) if answer.status == 200 else None
    except (Unanswered, ValueError, RecursionError):
        return None


def _listed(found: Any, key: str) -> list[dict[str, Any]] | None:
    """Return the dictionaries of a list; None if there is no list."""
    listed = found.get(key) if isinstance(found, dict) else None
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else None
