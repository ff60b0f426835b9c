"""Checks the tables of `commonplace.toml` that name a server: no secret has a place there, and none is repeated."""

import re
from typing import Any

from commonplace.config.setting_values import checked_value, example, refused, unknown
from commonplace.errors import UsageError

_SECRETS = ("key", "token", "secret", "password", "passwd", "auth", "bearer", "credential")
"""What is in the names of keys that people give to secrets."""


def checked_table(path: str, table: str, found: Any, of: Any, *, lenient: bool) -> dict[str, Any]:
    """Return the values of a table by key. Raises UsageError that names file and key.

    Args:
        of: the NamedTuple of its settings, each with a default.
        lenient: leave out unknown keys, of a format that is newer than ours.
    """
    defaults: dict[str, Any] = of._field_defaults
    if not isinstance(found, dict):
        key = of._fields[0]
        raise refused(path, f"{table} must be a table", example=example(key, table, value="local" * (key != "url")))
    for key in found:
        if key not in defaults and any(word in key.casefold() for word in _SECRETS):
            raise _kept_elsewhere(path, table, f"{key!r} in [{table}]: no secret belongs into this file")
        if key not in defaults and not lenient:
            raise unknown(path, key, table=table, fields=of._fields)
    return {
        key: checked_value(path, key, table=table, value=value, default=defaults[key])
        for key, value in found.items()
        if key in defaults
    }


def checked_server(path: str, table: str, settings: Any) -> None:
    """Raise UsageError for an address or a name of a key that holds a secret.

    Args:
        settings: with `url` and `key_env`.
    """
    if settings.key_env and not re.fullmatch("[A-Z_][A-Z0-9_]*", settings.key_env):
        says = f"key_env in [{table}] must be the name of an environment variable, in capitals"
        raise _kept_elsewhere(path, table, says)
    if re.search("[@?#]", settings.url):
        raise _kept_elsewhere(path, table, f"url in [{table}] must not contain a user, a password or a query")


def _kept_elsewhere(path: str, table: str, says: str) -> UsageError:
    name = "EMBEDDINGS_KEY" if table == "semantic" else "MODEL_KEY"
    return UsageError(
        f"{path}: {says}",
        f'put the key into an environment variable, and its name here: {table}.key_env = "{name}"',
    )
