"""The one way to a model: by the settings of `[model]`."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from commonplace.errors import UsageError
from commonplace.store.models.chat_model import ChatModel
from commonplace.store.servers.http_server import CHAT, Unanswered, ask
from commonplace.store.servers.server_consent import server_and_key

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from commonplace.config.model_settings import ModelSettings

_SECONDS = 5.0
"""For an answer about a model."""


def open_model(
    settings: ModelSettings, *, allowed: Callable[[str, str], bool], env: Mapping[str, str] | None = None
) -> ChatModel:
    """Return the model that the settings name; its server is not asked yet.

    Args:
        allowed: as of `server_and_key`.

    Raises UsageError if there is none, or it may not be used.
    """
    if not settings.url:
        raise UsageError("no model is set up", "commonplace model on --url http://127.0.0.1:11434 --model NAME")
    server, key = server_and_key(settings, CHAT, allowed=allowed, env=os.environ if env is None else env)
    return ChatModel(server, settings.model, key=key, seconds=settings.timeout)


def context_length(chat: ChatModel) -> int | None:
    """Return how many tokens a model reads at once, if its server tells: vLLM, LM Studio, Ollama and llama.cpp do."""
    for path, asks in (
        ("/v1/models", None),
        ("/api/v0/models", None),
        ("/api/show", {"model": chat.name}),
        ("/props", None),
    ):
        body = None if asks is None else json.dumps(asks).encode()
        try:
            answer = ask(chat.server, path, body=body, seconds=_SECONDS)
            told = json.loads(answer.content) if answer.status == 200 else None
        except (Unanswered, ValueError, RecursionError):
            continue
        if found := _told(told, chat.name):
            return found
    return None


_LENGTHS = ("max_model_len", "loaded_context_length", "max_context_length", "n_ctx", "context_length")
"""Keys under which servers tell it; of Ollama, whose key begins with the family of the model, the end."""


def _told(told: Any, name: str) -> int | None:
    if not isinstance(told, dict):
        return None
    listed = told.get("data")
    if isinstance(listed, list):
        named = [each for each in listed if isinstance(each, dict)]
        own = next((each for each in named if each.get("id") == name), named[0] if len(named) == 1 else {})
        places: list[Any] = [own]
    else:
        places = [told.get("model_info"), told.get("default_generation_settings")]
    for place in places:
        for key, value in place.items() if isinstance(place, dict) else ():
            if type(value) is int and value > 0 and key.rpartition(".")[2] in _LENGTHS:
                return value
    return None
