"""Reads the data files beside the code: languages, lexicons, weights.

The only module that reads them. It asks the package's own loader for the bytes (PEP 302 `get_data`), which also
works from a zip file; `importlib.resources` does the same but takes 4 ms to import.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any


@cache
def table(name: str, language: str = "") -> dict[str, Any]:
    """Return the table `data/NAME.json`, or that of one language, `data/LANGUAGE/NAME.json`, parsed once.

    Its key `provenance` names the source of its words.
    """
    loaded: dict[str, Any] = json.loads(_data(f"{language}/{name}.json" if language else f"{name}.json"))
    return loaded


def prose(name: str) -> str:
    """Return the text `data/NAME.md`, which is written for a model."""
    return _data(f"{name}.md").decode()


def _data(file: str) -> bytes:
    spec = __spec__
    assert spec is not None and spec.loader is not None and spec.origin is not None
    path = spec.origin.removesuffix("tables.py") + "data/" + file
    read: bytes = spec.loader.get_data(path)  # type: ignore[attr-defined]
    return read
