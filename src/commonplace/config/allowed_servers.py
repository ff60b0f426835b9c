"""Which servers this user lets notes and keys be sent to. The list is outside every workspace, for a workspace, its
settings included, may come from a stranger.
"""

import os
import sys
from collections.abc import Mapping

from commonplace.config import home
from commonplace.config.settings_edit import replace_file
from commonplace.config.settings_file import read_regular
from commonplace.errors import NotWritable, UsageError

_HEAD = "# Servers that commonplace may send notes to, and the environment variable with the key of each.\n"


def allowed_servers_file(env: Mapping[str, str]) -> str:
    """Return the path of the list: `~/.config/commonplace/allowed-servers`, or by XDG_CONFIG_HOME or APPDATA."""
    base = env.get("APPDATA" if sys.platform == "win32" else "XDG_CONFIG_HOME", "").strip()
    if not os.path.isabs(base):  # a relative one would be in the workspace
        base = os.path.join(home(env, os.path.abspath(os.sep)), ".config")
    return os.path.join(base, "commonplace", "allowed-servers")


def is_allowed(server: str, key_env: str, env: Mapping[str, str] | None = None) -> bool:
    """Whether this user has allowed to send notes to a server, with the key of that environment variable or without.

    Args:
        server: scheme, host and port: `https://api.example.org`.
    """
    return _entry(server, key_env) in _entries(_text(allowed_servers_file(os.environ if env is None else env)))


def allow_server(server: str, key_env: str, env: Mapping[str, str]) -> None:
    """Add a server to the list. Raises NotWritable, UsageError if the list cannot be read."""
    path, entry = allowed_servers_file(env), _entry(server, key_env)
    text = _text(path)
    if entry in _entries(text):
        return
    text = text or _HEAD
    end = "" if text.endswith("\n") else "\n"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        replace_file(os.path.realpath(path), f"{text}{end}{entry}\n".encode())
    except OSError as error:
        raise NotWritable(f"{path} cannot be written: {error.strerror}", "fix its permissions") from None


def _entry(server: str, key_env: str) -> str:
    return f"{server} {key_env}".strip()


def _text(path: str) -> str:
    """The list as it is; empty if there is none."""
    try:
        return read_regular(path).decode()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError) as error:
        says = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"{path} cannot be read: {says}", "mend that file, or remove it") from None


def _entries(text: str) -> list[str]:
    return [" ".join(each.split()) for each in text.splitlines() if each.strip() and not each.lstrip().startswith("#")]
