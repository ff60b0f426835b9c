"""Checks settings against the fields of a NamedTuple: their names, and the types of their defaults."""

from typing import Any

from commonplace.errors import UsageError

_SHOWN = {
    "timezone": "Europe/Copenhagen",
    "include": ("notes/**",),
    "url": "http://127.0.0.1:11434",
    "model": "nomic-embed-text",
    "query_prefix": "search_query: ",
    "passage_prefix": "search_document: ",
    "key_env": "EMBEDDINGS_KEY",
}
"""Values for examples of settings with an empty default."""


def checked_value(path: str, key: str, *, table: str, value: Any, default: Any) -> Any:
    """Return the value of one setting as its default's type. Raises UsageError that names file, key and type.

    Args:
        table: name of the table that contains the key; empty at the top of the file. A text in a table is not repeated
            by an error, as it may be a password that was typed into the wrong place.
    """
    if isinstance(default, tuple):
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            return tuple(value)
        wanted = 'a list of texts, such as ["notes/**"]'
    elif isinstance(default, bool):
        if isinstance(value, bool):
            return value
        wanted = "true or false"
    elif isinstance(default, int):
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
        wanted = "a whole number above 0"
    else:
        if isinstance(value, str):
            return value
        wanted = "a text"
    found = "" if table and isinstance(default, str) else f", not {value!r}"
    raise refused(path, f"{place(key, table)} must be {wanted}{found}", example=example(key, table, value=default))


def refused(path: str, says: str, *, example: str) -> UsageError:
    """Return the error for a wrong value, whose hint is a line that would be right."""
    return UsageError(f"{path}: {says}", f"write, for example: {example}")


def place(key: str, table: str) -> str:
    """Return a key as messages name it: `budget`, `batch in [semantic]`."""
    return f"{key} in [{table}]" if table else key


def unknown(path: str, key: str, *, table: str, fields: tuple[str, ...]) -> UsageError:
    """Return the error for a key that is no setting; its hint has the most similar setting, and all settings."""
    import difflib

    near = difflib.get_close_matches(key.casefold(), fields, n=1)
    hint = (f"did you mean {near[0]}? " if near else "") + f"settings: {', '.join(fields)}"
    return UsageError(f"{path}: unknown key {key!r}" + (f" in [{table}]" if table else ""), hint)


def example(key: str, table: str, *, value: Any) -> str:
    """Return a line of a settings file that sets a key to a value, or to an example if that is empty."""
    import json  # JSON's strings, numbers, booleans and arrays are valid TOML, too

    return f"{table}{'.' if table else ''}{key} = {json.dumps(value or _SHOWN.get(key, value))}"
