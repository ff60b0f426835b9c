"""The table `[semantic]` of `commonplace.toml`: whether and how recall searches by meaning.

No secret has a place in the file: a key for a server is in an environment variable, and the file has its name.
"""

from typing import Any, NamedTuple

TABLE = "semantic"
CHOICES = {"embedder": ("local", "endpoint"), "search": ("exact", "suco", "hnsw")}


class SemanticSettings(NamedTuple):
    """The settings of `[semantic]`; see docs/semantic.md."""

    embedder: str = ""
    """`local`: the model of the extra `semantic`; `endpoint`: a server; without it, recall uses words alone."""
    url: str = ""
    """Address of a server with OpenAI's embeddings API: `http://127.0.0.1:11434`; `/v1/embeddings` is added."""
    model: str = ""
    """The server's name of its model: `nomic-embed-text`."""
    query_prefix: str = ""
    """Text before each question, if the model was trained with one: `search_query: `."""
    passage_prefix: str = ""
    """Text before each line, likewise: `search_document: `."""
    key_env: str = ""
    """Name of the environment variable with the server's key; never the key itself."""
    batch: int = 32
    """Maximum texts in one request."""
    timeout: int = 30
    """Seconds to wait for an answer; a question waits at most 5."""
    allow_remote: bool = False
    """Whether the texts may be sent to another machine; you must also have allowed it there with `semantic on`."""
    search: str = ""
    """How vectors are searched: `exact`, `suco` or `hnsw`; empty: by their number."""


def semantic_settings(path: str, found: Any, *, lenient: bool) -> SemanticSettings:
    """Return the settings of the table. Raises UsageError that names file and key, and never repeats a secret.

    Args:
        found: the value of `semantic` in the file.
        lenient: leave out unknown keys, of a format that is newer than ours.
    """
    from commonplace.config.server_settings import checked_server, checked_table
    from commonplace.config.setting_values import example, refused

    settings = SemanticSettings(**checked_table(path, TABLE, found, SemanticSettings, lenient=lenient))
    for key, allowed in CHOICES.items():
        if (value := getattr(settings, key)) and value not in allowed:
            wanted = " or ".join(f'"{each}"' for each in allowed)
            raise refused(path, f"{key} in [{TABLE}] must be {wanted}", example=example(key, TABLE, value=allowed[0]))
    checked_server(path, TABLE, settings)
    if settings.embedder == "endpoint":
        for key in ("url", "model"):
            if not getattr(settings, key).strip():
                raise refused(path, f'embedder = "endpoint" needs {key}', example=example(key, TABLE, value=""))
    return settings
