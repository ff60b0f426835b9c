"""What a server refuses, in words for a person: why, and what to do about it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from commonplace.core.secrets.guard import masked

if TYPE_CHECKING:
    from commonplace.store.servers.http_server import HttpServer, Response

TRY_AGAIN = frozenset({429, 500, 502, 503, 504})
"""Statuses of a server that may answer the next time."""
_LONGEST = 300
"""Characters of a server's message that are repeated."""


def refusal(
    answer: Response, server: HttpServer, *, name: str, key: str, table: str, otherwise: str
) -> tuple[str, str]:
    """Return what an answer without success says, and a hint.

    Args:
        name: of the model. key: which is never repeated. table: of the settings, `semantic` or `model`.
        otherwise: the hint where the status tells nothing.
    """
    if 300 <= answer.status < 400:
        says = f"{server.shown} sends the request on to another address, and texts are not sent on"
        return says, f"set url below [{table}] to the address of the server itself"
    said = complaint(answer.content, key=key)
    says = f"{name} refuses with status {answer.status}" + (f": {said}" if said else "")
    if answer.status in (401, 403):
        return says, f"put its key into an environment variable, and the name of that into key_env below [{table}]"
    return says, "try again later" if answer.status in TRY_AGAIN else otherwise


def complaint(content: bytes, *, key: str) -> str:
    """Return what a server says is wrong, on one line, without the key and what looks like a secret."""
    text = content[:10_000].decode(errors="replace")
    try:
        found = json.loads(text)
        found = found.get("error", found) if isinstance(found, dict) else found
        text = str(found.get("message", "") if isinstance(found, dict) else found)
    except (ValueError, RecursionError):
        text = "" if text.lstrip()[:1] == "<" else text
    if key:
        text = text.replace(key, "…")
    return masked(" ".join(text.split())[:_LONGEST])
