"""The table `[model]` of `commonplace.toml`: the model that may answer the questions which the rules leave open.

No secret has a place in the file: a key for a server is in an environment variable, and the file has its name.
"""

from typing import Any, NamedTuple

TABLE = "model"


class ModelSettings(NamedTuple):
    """The settings of `[model]`; see docs/models.md."""

    url: str = ""
    """Address of a server with OpenAI's chat API: `http://127.0.0.1:11434`; `/v1/chat/completions` is added."""
    model: str = ""
    """The server's name of its model: `qwen3:8b`."""
    key_env: str = ""
    """Name of the environment variable with the server's key; never the key itself."""
    timeout: int = 120
    """Seconds to wait for an answer."""
    budget: int = 20_000
    """Maximum tokens of one run, what is sent and what is answered together."""
    allow_remote: bool = False
    """Whether the texts may be sent to another machine; you must also have allowed it there with `model on`."""
    decide: bool = False
    """Ask the model after every reflect, as `reflect --decide` does."""
    decide_retain: bool = False
    """Retain facts that a model adds at once; otherwise they wait in the review page for a person."""


def model_settings(path: str, found: Any, *, lenient: bool) -> ModelSettings:
    """Return the settings of the table. Raises UsageError that names file and key, and never repeats a secret.

    Args:
        found: the value of `model` in the file.
        lenient: leave out unknown keys, of a format that is newer than ours.
    """
    from commonplace.config.server_settings import checked_server, checked_table
    from commonplace.config.setting_values import example, refused

    settings = ModelSettings(**checked_table(path, TABLE, found, ModelSettings, lenient=lenient))
    checked_server(path, TABLE, settings)
    for key in ("url", "model"):
        if not getattr(settings, key).strip():
            raise refused(path, f"[{TABLE}] needs {key}", example=example(key, TABLE, value=""))
    return settings
