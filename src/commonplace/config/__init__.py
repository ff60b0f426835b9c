"""Which workspace, which day it is there, and the few settings of `commonplace.toml`.

A host's configuration is only read, and only for the place of its workspace and the time zone of its user. `json`,
`json5`, `tomllib` and `zoneinfo` are imported when there is something for them to read.
"""

import os
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from commonplace.config.settings_file import FORMAT, SETTINGS_FILE, Settings, read_regular, read_settings
from commonplace.errors import UsageError

__all__ = [
    "FORMAT",
    "SETTINGS_FILE",
    "VARIABLE",
    "FoundWorkspace",
    "Settings",
    "Today",
    "find_workspace",
    "here",
    "home",
    "locate",
    "missing",
    "openclaw_config",
    "openclaw_settings",
    "read_settings",
    "to_make",
    "today",
]

VARIABLE = "COMMONPLACE_WORKSPACE"
_MOST_INCLUDES = 10
_OPENCLAW_PLACES = ("OPENCLAW_WORKSPACE_DIR", "OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH", "OPENCLAW_HOME")


class FoundWorkspace(NamedTuple):
    """A workspace and how it was found."""

    root: str
    """Absolute path."""
    why: str
    passed: str = ""
    """Another workspace that contains the caller's folder; it was not used, although no flag names the chosen one."""
    guessed: bool = False
    """Whether nothing named it: it is only the default place of a host's workspace."""


class Today(NamedTuple):
    """The local day."""

    day: date
    zone: str
    """IANA name, `UTC`, or empty for the system's own."""
    note: str
    """A warning if the configured zone is unknown."""


def find_workspace(flag: str | None, agent: str | None, env: Mapping[str, str], cwd: str) -> str:
    """Return the absolute path of the workspace to use; see `locate`."""
    return locate(flag, agent, env=env, cwd=cwd).root


def locate(flag: str | None, agent: str | None, *, env: Mapping[str, str], cwd: str) -> FoundWorkspace:
    """Return the workspace to use and why, by the first source that names one.

    `--workspace`; `COMMONPLACE_WORKSPACE` (unless an agent is named); OpenClaw's configuration; the nearest
    ancestor of `cwd` that looks like a workspace; `~/.openclaw/workspace`. The folder need not exist.
    """
    if flag is not None:
        if not flag.strip():
            raise UsageError("--workspace is empty", "name a folder")
        return FoundWorkspace(_path(flag, env, cwd=cwd), "--workspace")
    named = env.get(VARIABLE, "").strip()
    if agent is None and named:
        place: FoundWorkspace | None = FoundWorkspace(_path(named, env, cwd=cwd), VARIABLE)
    else:
        place = _openclaw_workspace(agent, env, cwd=cwd)
    here = _around(cwd) if agent is None or place is None else ""
    if place is not None:
        return place._replace(passed=here) if here and not _same(here, place.root) else place
    if here:
        return FoundWorkspace(here, "this folder" if here == cwd else "a folder above this one")
    return FoundWorkspace(_default_workspace(env, cwd), "OpenClaw's default", guessed=True)


def _around(cwd: str) -> str:
    """Return the nearest folder, from `cwd` upwards, that looks like a workspace; empty if none does."""
    above = cwd
    while not _looks_like_workspace(above):
        parent = os.path.dirname(above)
        if parent == above:
            return ""
        above = parent
    return above


def _same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def missing(root: str, env: Mapping[str, str]) -> tuple[str, str]:
    """Return message and hint for a missing folder `root`; they differ for users with and without OpenClaw."""
    if root == _default_workspace(env, os.sep) and not _has_openclaw(env):
        return (
            "no workspace found in this folder or above it, and none is named",
            "to create one here: commonplace init . (elsewhere: commonplace init DIR); "
            "to use an existing one: --workspace DIR, or set COMMONPLACE_WORKSPACE",
        )
    if os.path.lexists(root):
        return f"{root} is not a folder", "name a folder: --workspace DIR"
    return (
        f"there is no folder {root}",
        f"to create it: commonplace init {_quoted(root)}; to use another: --workspace DIR",
    )


def to_make(place: FoundWorkspace, env: Mapping[str, str]) -> FoundWorkspace:
    """Return the place, for commands that create or name a workspace. Raises UsageError if nobody named a folder."""
    if place.guessed and not os.path.isdir(place.root) and not _has_openclaw(env):
        raise UsageError(
            "no workspace found, and no folder is named",
            "to create one: commonplace init . (this folder), or commonplace init DIR; "
            "to use an existing one: --workspace DIR",
        )
    return place


def _quoted(path: str) -> str:
    import shlex

    return shlex.quote(path)


def _has_openclaw(env: Mapping[str, str]) -> bool:
    """Whether OpenClaw is present: its folder, or a variable for the place of its files."""
    return any(env.get(name, "").strip() for name in _OPENCLAW_PLACES) or os.path.isdir(_state_dir(env, os.sep))


def _looks_like_workspace(folder: str) -> bool:
    """Whether a folder has a core file, settings, an index, or a `memory/` with logs or with a bank beside it."""
    try:
        names = set(os.listdir(folder))
    except OSError:
        return False
    if names & {"MEMORY.md", "memory.md", ".memory", SETTINGS_FILE}:
        return True
    return "memory" in names and ("bank" in names or _holds_markdown(os.path.join(folder, "memory")))


def _holds_markdown(folder: str) -> bool:
    try:
        return any(name.endswith(".md") for name in os.listdir(folder))
    except OSError:
        return False


def today(settings: Settings, *, env: Mapping[str, str] | None = None, now: datetime | None = None) -> Today:
    """Return the local day: by the `timezone` setting, else the host's user time zone, else the system's.

    An unknown zone gives the day in UTC and a note. `now` must be aware of its zone.
    """
    env = os.environ if env is None else env
    name, whose = settings.timezone.strip(), f"timezone in {SETTINGS_FILE}"
    if not name:
        name, whose = _host_zone(env), "agents.defaults.userTimezone of OpenClaw"
    if not name and "/" in (named := env.get("TZ", "").strip()) and not named.lstrip(":").startswith("/"):
        # The C library silently treats an unknown TZ as UTC.
        name, whose = named.lstrip(":"), "TZ"
    if not name:
        return Today(now.astimezone().date() if now else date.today(), "", "")
    from zoneinfo import ZoneInfo

    now = now or datetime.now(UTC)
    try:
        return Today(now.astimezone(ZoneInfo(name)).date(), name, "")
    except (KeyError, ValueError, OSError):  # ZoneInfoNotFoundError, a path for a name, a folder for a file
        return Today(
            now.astimezone(UTC).date(), "UTC", f"unknown time zone {name!r} ({whose}): days end at midnight UTC"
        )


def _host_zone(env: Mapping[str, str]) -> str:
    """Return OpenClaw's user time zone, or an empty text: a host's broken configuration is no reason to fail here."""
    try:
        zone = _at(openclaw_settings(env, here()), "agents", "defaults").get("userTimezone")
    except (UsageError, OSError):
        return ""
    return zone.strip() if isinstance(zone, str) else ""


def here() -> str:
    """Return the current folder; the home if somebody removed it."""
    try:
        return os.getcwd()
    except OSError:
        return os.path.expanduser("~")


# OpenClaw: the places of its files (its docs, "Environment variables" and "Agent workspace").


def home(env: Mapping[str, str], cwd: str) -> str:
    """Return the home folder of a host, by its environment."""
    user = env.get("HOME", "").strip() or env.get("USERPROFILE", "").strip() or os.path.expanduser("~")
    return os.path.abspath(os.path.join(cwd, user))


def _openclaw_home(env: Mapping[str, str], cwd: str) -> str:
    named = env.get("OPENCLAW_HOME", "").strip()
    return _path(named, {**env, "OPENCLAW_HOME": ""}, cwd=cwd) if named else home(env, cwd)


def _path(text: str, env: Mapping[str, str], *, cwd: str) -> str:
    """Return an absolute path: `~` is the home, relative paths are relative to `cwd`."""
    text = text.strip().replace("\0", "")
    if text == "~" or text.startswith(("~/", "~\\")):
        text = _openclaw_home(env, cwd) + text[1:]
    return os.path.abspath(os.path.join(cwd, text))


def _state_dir(env: Mapping[str, str], cwd: str) -> str:
    if named := env.get("OPENCLAW_STATE_DIR", "").strip():
        return _path(named, env, cwd=cwd)
    profile = env.get("OPENCLAW_PROFILE", "").strip()
    suffix = f"-{profile}" if profile and profile.casefold() != "default" else ""
    return os.path.join(_openclaw_home(env, cwd), f".openclaw{suffix}")


def _default_workspace(env: Mapping[str, str], cwd: str) -> str:
    if named := env.get("OPENCLAW_WORKSPACE_DIR", "").strip():
        return _path(named, env, cwd=cwd)
    return os.path.join(_state_dir(env, cwd), "workspace")


def openclaw_config(env: Mapping[str, str], cwd: str) -> str:
    """Return the path of OpenClaw's configuration file, by the environment."""
    if named := env.get("OPENCLAW_CONFIG_PATH", "").strip():
        return _path(named, env, cwd=cwd)
    return os.path.join(_state_dir(env, cwd), "openclaw.json")


def openclaw_settings(env: Mapping[str, str], cwd: str) -> dict[str, Any]:
    """Return OpenClaw's whole configuration with its `$include`s; empty if there is none.

    Raises UsageError if it cannot be read.
    """
    path = openclaw_config(env, cwd)
    return _json5(path, 0) if os.path.exists(path) else {}


def _json5(path: str, depth: int) -> dict[str, Any]:
    try:
        text = read_regular(path).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"OpenClaw's configuration {path} cannot be read: {error}", "name a --workspace") from None
    import json

    try:
        found = json.loads(text)  # ten times faster than json5, and the format that OpenClaw itself writes
    except (ValueError, RecursionError):
        import json5

        try:
            found = json5.loads(text)
        except (ValueError, RecursionError) as error:
            reason = str(error) or type(error).__name__
            raise UsageError(f"OpenClaw's configuration {path} is not JSON5: {reason}", "name a --workspace") from None
    return _included(found, os.path.dirname(path), depth=depth) if isinstance(found, dict) else {}


def _included(found: dict[str, Any], folder: str, *, depth: int) -> dict[str, Any]:
    """Resolve `{"$include": "agents.json5"}` and its list form, within OpenClaw's own folder; own keys override."""
    merged: dict[str, Any] = {}
    includes = found.get("$include", [])
    for name in [includes] if isinstance(includes, str) else includes if isinstance(includes, list) else []:
        path = os.path.realpath(os.path.join(folder, name)) if isinstance(name, str) else ""
        if depth < _MOST_INCLUDES and path.startswith(os.path.realpath(folder) + os.sep):
            merged = _merged(merged, _json5(path, depth + 1))
    own = {key: value for key, value in found.items() if key != "$include"}
    for key in ("agents", "defaults", "entries"):
        if isinstance(own.get(key), dict):
            own[key] = _included(own[key], folder, depth=depth)
    return _merged(merged, own)


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    both = {
        key: _merged(below[key], above[key]) for key in below.keys() & above.keys() if _dicts(below, above, key=key)
    }
    return {**below, **above, **both}


def _dicts(below: dict[str, Any], above: dict[str, Any], *, key: str) -> bool:
    return isinstance(below[key], dict) and isinstance(above[key], dict)


def _at(found: Any, *keys: str) -> dict[str, Any]:
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def _agents(config: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return agents by folded id: from `agents.entries` (a map, newer) and `agents.list` (older)."""
    agents = _at(config, "agents")
    listed = agents.get("list")
    found = (
        {str(each.get("id", "main")): each for each in listed if isinstance(each, dict)}
        if isinstance(listed, list)
        else {}
    )
    found |= {name: each for name, each in _at(agents, "entries").items() if isinstance(each, dict)}
    return {name.strip().casefold(): each for name, each in found.items()}


def _openclaw_workspace(agent: str | None, env: Mapping[str, str], *, cwd: str) -> FoundWorkspace | None:
    """Return the workspace in OpenClaw's configuration; None if it names none.

    Raises UsageError for an unknown agent.
    """
    config = openclaw_settings(env, cwd)
    base = _configured(_at(config, "agents", "defaults"), env, cwd=cwd)
    agents = _agents(config)
    if agent is None:
        if base:
            return FoundWorkspace(base, "agents.defaults.workspace of OpenClaw")
        chosen = [name for name, each in agents.items() if each.get("default")] or list(agents)
        own = _configured(agents[chosen[0]], env, cwd=cwd) if chosen else ""
        return FoundWorkspace(own, f"workspace of OpenClaw's agent {chosen[0]}") if own else None
    name = agent.strip().casefold()
    if name not in agents and name != "main":
        path = openclaw_config(env, cwd)
        if not os.path.exists(path):
            raise UsageError(
                f"OpenClaw has no agent {agent!r}: there is no file {path}",
                "leave out --agent, and name the folder: --workspace DIR",
            )
        raise UsageError(f"OpenClaw has no agent {agent!r} in {path}", f"agents: {', '.join(agents) or 'main'}")
    why = f"workspace of OpenClaw's agent {name}"
    if own := _configured(agents.get(name, {}), env, cwd=cwd):
        return FoundWorkspace(own, why)
    if len(agents) < 2 or agents.get(name, {}).get("default") or (name == "main" and name not in agents):
        return FoundWorkspace(base or _default_workspace(env, cwd), why)
    return FoundWorkspace(
        os.path.join(base, name) if base else os.path.join(_state_dir(env, cwd), f"workspace-{name}"), why
    )


def _configured(holder: dict[str, Any], env: Mapping[str, str], *, cwd: str) -> str:
    """Return the `workspace` of an agent or of the defaults, with `${VAR}` expanded; empty if there is none."""
    text = holder.get("workspace")
    if not isinstance(text, str) or not text.strip():
        return ""
    if "${" in text:
        import re

        text = re.sub(r"\$\{([A-Z_][A-Z0-9_]*)\}", lambda found: env.get(found[1], found[0]), text)
    return _path(text, env, cwd=cwd)
