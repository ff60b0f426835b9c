"""Reads the few settings of `commonplace.toml`, and reports what is wrong with them."""

import errno
import os
import stat
from typing import Any, NamedTuple

from commonplace.config.fleet_settings import FleetSettings, fleet_settings
from commonplace.config.model_settings import ModelSettings, model_settings
from commonplace.config.semantic_settings import SemanticSettings, semantic_settings
from commonplace.errors import UsageError

SETTINGS_FILE = "commonplace.toml"
FORMAT = 1
"""Version of the Markdown format that we write: docs/format.md."""
_EXAMPLE = 'include = ["notes/**"]'
_TABLES = {"semantic": semantic_settings, "model": model_settings, "fleet": fleet_settings}


class Settings(NamedTuple):
    """The settings of `commonplace.toml` at the root of the workspace; see docs/settings.md."""

    timezone: str = ""
    """IANA name that decides when a day ends (`Europe/Copenhagen`); empty: the host's, else the system's."""
    include: tuple[str, ...] = ()
    """Globs of further Markdown to read, relative to the workspace: `["notes/**"]`; `init --include notes` adds it."""
    core: tuple[str, ...] = ("MEMORY.md", "memory.md", "SOUL.md", "USER.md", "IDENTITY.md", "AGENTS.md", "TOOLS.md")
    """Files that a host shows its agent in every session; all but MEMORY.md are read-only for us."""
    k: int = 10
    """Maximum hits of a recall."""
    budget: int = 1500
    """Maximum tokens of a recall."""
    core_budget: int = 6000
    """Maximum tokens of the core that is shown to an agent; recall has a budget of its own."""
    max_file_bytes: int = 64_000_000
    """Larger files are left out, and `check` reports them."""
    format: int = FORMAT
    """Version of the Markdown format; one newer than the program knows is read and never written."""
    commit: bool = False
    """Commit to git what reflect wrote, and nothing else."""
    semantic: SemanticSettings = SemanticSettings()
    """The table `[semantic]`: search by meaning; off unless it names an `embedder`."""
    model: ModelSettings = ModelSettings()
    """The table `[model]`: a model that answers open questions when it is asked to; none unless it names one."""
    fleet: FleetSettings = FleetSettings()
    """The table `[fleet]`: a PostgreSQL in which workspaces of a team share facts; none unless it names one."""


def read_regular(path: str) -> bytes:
    """Return the content of a regular file, links followed.

    Raises OSError, also for a pipe or device, without blocking.
    """

    def at_once(path: str, flags: int) -> int:
        return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))

    with open(path, "rb", opener=at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is a pipe, a socket or a device")
        return file.read()


def read_settings(workspace: str) -> Settings:
    """Return the settings of a workspace; the defaults if it has no `commonplace.toml`.

    Raises UsageError that names file, key and the allowed keys if the file is not valid.
    """
    path = os.path.join(workspace, SETTINGS_FILE)
    try:
        content = read_regular(path)
        import tomllib

        found = tomllib.loads(content.decode())
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except OSError as error:
        if os.path.isdir(path):
            raise UsageError(f"{path} is a folder, not a settings file", "rename that folder") from None
        raise UsageError(f"{path} cannot be read: {error.strerror}", "fix its permissions, or remove it") from None
    except UnicodeDecodeError as error:
        at = error.object.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{path} is not UTF-8: line {at}, byte {error.start + 1}", "save it as UTF-8") from None
    except ValueError as error:  # TOMLDecodeError
        raise UsageError(f"{path} is not TOML: {error}", f"write one setting a line, for example: {_EXAMPLE}") from None
    newer = isinstance(version := found.get("format"), int) and version > FORMAT  # it may have new settings
    return Settings(
        **{
            key: _checked(path, key, value=value, newer=newer)
            for key, value in found.items()
            if not newer or key in Settings._fields
        }
    )


def _checked(path: str, key: str, *, value: Any, newer: bool) -> Any:
    from commonplace.config.setting_values import checked_value, unknown

    if key not in Settings._fields:
        raise unknown(path, key, table="", fields=Settings._fields)
    if key in _TABLES:
        return _TABLES[key](path, value, lenient=newer)
    return checked_value(path, key, table="", value=value, default=Settings._field_defaults[key])
