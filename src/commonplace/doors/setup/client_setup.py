"""The verb setup: the MCP configuration of a client, shown or merged into its own file, and taken out again.

What each client wants is data (`clients.json`, with how that was established); `config_file` edits the files.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from commonplace import config
from commonplace.doors.setup.config_file import NAME, Target, language, removed, written
from commonplace.errors import ExtensionMissing, UsageError, installing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from commonplace.doors.shared.verb_call import Call

_RUNNERS = {"uvx": ("--from",), "pipx": ("run", "--spec")}


def clients() -> dict[str, Any]:
    """What is known about each client, from `clients.json`."""
    import json

    with open(os.path.join(os.path.dirname(__file__), "clients.json"), encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)["clients"]
    return found


def setup(call: Call) -> int:
    """Show, write or remove one client's configuration."""
    options = call.options
    if options.write and options.remove:
        raise UsageError("--write and --remove cannot be combined", "give only one")
    target = _target(call)
    if options.remove:
        backup, path = removed(target)
        text = f"{path}: entry removed, the rest is unchanged{_backup_note(backup)}" if path else _nothing(target)
        call.answer(text, _data(target, state="removed" if path else "unchanged", backup=backup))
        return 0
    config.to_make(call.place, call.env)
    entry = _entry(call, target)
    if not options.write:
        call.answer(_shown(call, target, entry=entry), _data(target, state="shown", entry=entry))
        return 0
    if not _can_serve():
        raise ExtensionMissing(f"{NAME} has no MCP server: {target.path} was not changed", "mcp")
    _advise(call)
    changed, backup = written(target, entry)
    text = f"{target.path}: {'written' if changed else 'nothing to change'}{_backup_note(backup)}"
    state = "written" if changed else "unchanged"
    call.answer(f"{text}\n{_then(call, target)}", _data(target, state=state, entry=entry, backup=backup))
    return 0


def _nothing(target: Target) -> str:
    return f"{target.path}: there is no {NAME} in it"


def _backup_note(backup: str) -> str:
    return f"; backup: {backup}" if backup else ""


def targets(name: str, about: dict[str, Any], *, env: Mapping[str, str], cwd: str) -> Iterator[Target]:
    """The files in which a client may have our entry: the user's, and that of the project in this folder."""
    own = ""
    with suppress(UsageError):  # the client is of another system
        own = _user_file(name, about, env=env, cwd=cwd)
        yield Target(name, about, "user", own)
    if about["project"] and (path := _first(cwd, about["project"])) != own:  # at home both may be one
        yield Target(name, about, "project", path)


def _target(call: Call) -> Target:
    name = call.options.client
    about = clients()[name]
    if not call.options.project:
        return Target(name, about, "user", _user_file(name, about, env=call.env, cwd=call.cwd))
    if not about["project"]:
        raise UsageError(f"{about['title']} has no project configuration", "leave out --project")
    return Target(name, about, "project", _first(call.cwd, about["project"]))


def _first(folder: str, names: list[str]) -> str:
    paths = [os.path.join(folder, *name.split("/")) for name in names]
    return next((path for path in paths if os.path.lexists(path)), paths[0])


def _user_file(name: str, about: dict[str, Any], *, env: Mapping[str, str], cwd: str) -> str:
    if name == "openclaw":
        return config.openclaw_config(env, cwd)
    place = about["user"].get(sys.platform, about["user"]["any"])
    for folder in place["folders"]:
        start, _, rest = folder.partition("/")
        base = config.home(env, cwd) if start == "~" else env.get(start.removeprefix("$"), "").strip()
        if base:
            return _first(os.path.join(cwd, base, *rest.split("/")), place["names"])
    raise UsageError(f"the configuration file of {about['title']} was not found", f"set {place['folders'][0]}")


def _entry(call: Call, target: Target) -> dict[str, Any]:
    """The value of our entry: how to start the server, or its address."""
    if call.options.http is None:
        first, *rest = [*command(call.env), "mcp", "--workspace", call.root]
        values = {"{command}": first, "{args}": rest, "{command+args}": [first, *rest]}
        return {key: values.get(value, value) for key, value in target.about["stdio"].items()}
    from commonplace.doors.table import requests

    port = requests.digits(call.options.http, "--http", most=65_535)
    if not target.about["http"]:
        raise UsageError(f"{target.about['title']} cannot connect by HTTP", "leave out --http")
    url = f"http://127.0.0.1:{port}/mcp"
    return {key: url if value == "{url}" else value for key, value in target.about["http"].items()}


def command(
    env: Mapping[str, str], *, prefix: str = sys.prefix, executable: str = sys.executable, source: str = ""
) -> list[str]:
    """The command that starts this very commonplace from any folder.

    Its script beside the interpreter, else the interpreter with `-m`; of an environment that uvx or `pipx run` made
    for one run, and may remove tomorrow, the runner itself.

    Args:
        env: has the PATH by which a runner is found.
        prefix: the root of the interpreter's environment.
        executable: the interpreter.
        source: what the runner installs, as pip names it; where this commonplace came from when not given.
    """
    if runner := _runner(prefix):
        import shutil

        source = source or _source()
        path = shutil.which(runner, path=env.get("PATH")) or runner
        return [path, *_RUNNERS[runner], source, NAME]
    script = f"{NAME}.exe" if sys.platform == "win32" else NAME
    for folder in (os.path.dirname(executable), os.path.join(prefix, "Scripts")):
        if os.access(os.path.join(folder, script), os.X_OK):
            return [os.path.join(folder, script)]
    return [executable, "-m", NAME]


def _source() -> str:
    """What this commonplace was installed from, with its extra: a folder, a repository, or the index."""
    import json
    from importlib.metadata import distribution

    told = json.loads(distribution(NAME).read_text("direct_url.json") or "{}")
    versions = told.get("vcs_info", {}).get("vcs")
    url = f"{versions}+{told['url']}" if versions else told.get("url")
    return f"{NAME}[mcp] @ {url}" if url else f"{NAME}[mcp]"


def _runner(prefix: str) -> str:
    """The runner (uvx, pipx) whose cache contains an environment; empty for a permanent one."""
    parts = prefix.replace("\\", "/").split("/")
    if any(part.startswith(("archive-v", "environments-v")) for part in parts):  # uv tool install has uv/tools/NAME
        return "uvx"
    return "pipx" if "pipx" in parts and "venvs" not in parts else ""  # pipx install has pipx/venvs/NAME


def _shown(call: Call, target: Target, *, entry: dict[str, Any]) -> str:
    about = target.about
    _advise(call)
    snippet = language(target).shown(target.keys, entry)
    head = f"{about['title']} reads {target.path}. Add this to it, or use --write:"
    return f"{head}\n\n{snippet}\n{_then(call, target)}"


def _then(call: Call, target: Target) -> str:
    if call.options.http is None:
        return str(target.about["then"])
    start = [*command(call.env), "mcp", "--http", call.options.http, "--workspace", call.root]
    import shlex

    [(key, value)] = target.about["token"].items()
    beside = language(target).shown((*target.keys, key), value)
    return (
        f"Keep the server running: {shlex.join(start)}\n"
        "Reads need no token. Writes need the token that it prints, a new one at each start; add it to the entry:\n"
        f"\n{beside}\n{target.about['then']}"
    )


def _advise(call: Call) -> None:
    """Print what is missing for the server to start."""
    if not _can_serve():
        call.screen.note(f"{NAME}: the server needs the extra mcp: {installing('mcp')}")
    if not os.path.isdir(call.root):
        import shlex

        call.screen.note(f"{NAME}: there is no folder {call.root} yet; make it: {NAME} init {shlex.quote(call.root)}")


def _can_serve() -> bool:
    """Whether the program in the entry has the SDK; a runner installs it."""
    from importlib.util import find_spec

    return bool(_runner(sys.prefix)) or find_spec("mcp") is not None


def _data(target: Target, *, state: str, entry: dict[str, Any] | None = None, backup: str = "") -> dict[str, Any]:
    return {
        "client": target.client,
        "scope": target.scope,
        "path": target.path,
        "keys": list(target.keys),
        "entry": entry,
        "state": state,
        "backup": backup or None,
    }
