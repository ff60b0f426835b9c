"""Whether this user lets texts, and a key, be sent to the server that the settings name: these may have come with a
stranger's workspace.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Protocol

from commonplace.errors import UsageError
from commonplace.store.servers.http_server import is_here, server_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from commonplace.store.servers.http_server import HttpServer, ServerApi


class ServerSettings(Protocol):
    """What the settings say of a server."""

    @property
    def url(self) -> str:
        """Its address."""

    @property
    def model(self) -> str:
        """Its own name of its model."""

    @property
    def key_env(self) -> str:
        """Name of the environment variable with its key."""

    @property
    def allow_remote(self) -> bool:
        """Whether it may be on another machine."""


def server_that_needs_consent(settings: ServerSettings, api: ServerApi) -> str:
    """Return the server that a user must have allowed, as `https://api.example.org`: one elsewhere, and every one that
    gets a key. Empty for all others.
    """
    server = server_at(settings.url, api, allow_remote=settings.allow_remote)
    return server.shown if settings.key_env or not is_here(server.host) else ""


def server_and_key(
    settings: ServerSettings, api: ServerApi, *, allowed: Callable[[str, str], bool], env: Mapping[str, str]
) -> tuple[HttpServer, str]:
    """Return the server that the settings name, and its key, which may be empty.

    Args:
        allowed: tells whether this user lets texts and keys be sent to a server: `https://api.example.org`, and the
            environment variable with its key, which may be empty. It is asked about servers elsewhere and about keys.

    Raises UsageError for settings that cannot be used: another machine or a key that is not allowed, or a key that is
    not in the environment.
    """
    needs = server_that_needs_consent(settings, api)
    if needs and not allowed(needs, settings.key_env):
        raise _not_allowed(settings, api, needs)
    return server_at(settings.url, api, allow_remote=settings.allow_remote), _key(settings.key_env, env)


def _not_allowed(settings: ServerSettings, api: ServerApi, server: str) -> UsageError:
    words = ["commonplace", *api.turn_on.split(), "--url", settings.url, "--model", settings.model]
    words += ["--key-env", settings.key_env] if settings.key_env else []
    words += ["--allow-remote"] if settings.allow_remote else []
    key = f" with the key in {settings.key_env}" if settings.key_env else ""
    return UsageError(
        f"commonplace.toml wants texts sent to {server}{key}, and you have not allowed that on this machine",
        f"if you trust that server: {shlex.join(words)}",
    )


def _key(name: str, env: Mapping[str, str]) -> str:
    """Return the key for the server; empty if the settings name none. Messages never contain it."""
    if not name:
        return ""
    key = env.get(name, "").strip()
    if not key:
        raise UsageError(f"the environment variable {name}, which key_env names, is not set", f"set {name} to the key")
    if not (key.isascii() and key.isprintable()):
        raise UsageError(
            f"the environment variable {name} is no key: it has characters that none has", f"correct {name}"
        )
    return key
