"""Checks which programs are connected to a memory, and whether their commands and addresses work.

Nothing of theirs is written. Of what their files name only a commonplace is started and only an address of this machine
is tried, and never one that the files of a project name: those come with anybody's repository.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from commonplace import config
from commonplace.core.model import Finding, Level
from commonplace.doors.setup import client_setup
from commonplace.doors.setup.config_file import NAME, held
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from commonplace.doors.setup.config_file import Target

_SECONDS = 30
"""That a program may take to start and end, or to tell its status."""
_RUNNERS = frozenset({"uvx", "uv", "pipx", "npx"})


class ClientEntry(NamedTuple):
    """What stands under our name in a client's file."""

    words: list[str]
    """How the server is started; empty where an address stands there."""
    url: str


def clients(root: str, env: Mapping[str, str], *, cwd: str) -> Iterator[Finding]:
    """Findings about each client with our entry: does its command exist, start, and use this workspace?"""
    tried: dict[tuple[str, ...], str] = {}
    connected, untried, wrong = [], [], 0
    for name, about in client_setup.clients().items():
        for target in client_setup.targets(name, about, env=env, cwd=cwd):
            try:
                entry = _entry(target)
                if entry is None:
                    continue
                why_not = _untried(target, entry)
                if entry.url:
                    found = None if why_not else _addressed(target, entry, root=root)
                else:
                    found = _started(target, entry, root=root, env=env, tried=tried)
            except Exception as error:  # a file of another program may hold anything
                said = error.message if isinstance(error, UsageError) else f"{target.path} cannot be used: {error}"
                found = Finding(
                    "clients", Level.WARN, said, "fix the file; its program may not be able to read it either"
                )
            if found is not None:
                wrong += 1
                yield found
            elif why_not:
                untried.append(f"{about['title']} ({why_not})")
            else:
                connected.append(about["title"])
    if connected:
        yield Finding("clients", Level.OK, f"{', '.join(connected)} can reach this memory")
    if untried:
        yield Finding("clients", Level.OK, f"not tried: {', '.join(untried)}")
    if not connected and not untried and not wrong:
        yield Finding("clients", Level.OK, "no client is connected by MCP (optional)")


def _untried(target: Target, entry: ClientEntry) -> str:
    """Why an entry is not tried; empty if it is. Raises ValueError for an invalid address.

    The files of a project come with anybody's repository, and another machine is not ours to knock at.
    """
    if target.scope == "project":
        return "this project"
    if not entry.url:
        return "" if _is_ours(entry.words) else f"by {os.path.basename(entry.words[0])}"
    host = urlsplit(entry.url).hostname
    if not host:
        raise ValueError("its address has no host")
    return "" if _is_here(host) else f"at {host}"


def _entry(target: Target) -> ClientEntry | None:
    """Our entry in a file; None if there is none, or in an unknown form. Raises UsageError."""
    found = held(target)
    if not isinstance(found, dict):
        return None
    words: list[str] = []
    for key, value in target.about["stdio"].items():
        if value in ("{command}", "{args}", "{command+args}"):
            said = found.get(key)
            words += [said] if isinstance(said, str) else [str(each) for each in said] if isinstance(said, list) else []
    urls = [found.get(key) for key, value in (target.about["http"] or {}).items() if value == "{url}"]
    url = next((each for each in urls if isinstance(each, str)), "")
    return ClientEntry([] if url else words, url) if url or words else None


def _started(
    target: Target, entry: ClientEntry, *, root: str, env: Mapping[str, str], tried: dict[tuple[str, ...], str]
) -> Finding | None:
    """The problem of a server that the client starts; None if there is none."""
    title, words = target.about["title"], entry.words
    other = _other(words, root)
    kept = other if other and not os.path.isdir(root) else root  # a setup is never changed to a folder that is missing
    again = f"{NAME} setup {target.client} --write --workspace {shlex.quote(kept)}"
    if target.scope == "project":
        again += " --project"
    program = words[0] if os.path.isabs(words[0]) else shutil.which(words[0], path=env.get("PATH"))
    if program is None or not os.access(program, os.X_OK):
        return Finding("clients", Level.WRONG, f"{title} starts {words[0]}, which does not exist", again)
    if other:
        hint = f"to use this one: {again}"
        if kept == other:
            verb = "doctor" if os.path.isdir(os.path.expanduser(other)) else "init"
            hint = f"to use that one: {NAME} {verb} --workspace {shlex.quote(other)}"
        return Finding("clients", Level.WARN, f"{title} has another workspace, {other}", hint)
    if _untried(target, entry):
        return None
    if tuple(words) not in tried:
        tried[tuple(words)] = _failure([program, *words[1:]], env)
    if said := tried[tuple(words)]:
        return Finding("clients", Level.WRONG, f"{title} cannot start this memory: {said}", again)
    return None


def _other(words: list[str], root: str) -> str:
    """The workspace in an entry, if it is another one; else empty."""
    for at, word in enumerate(words):
        name, sign, value = word.partition("=")
        if name == "--workspace":
            said = value if sign else (words[at + 1] if at + 1 < len(words) else "")
            if os.path.realpath(os.path.expanduser(said)) != os.path.realpath(root):
                return said
    return ""


def _is_ours(words: list[str]) -> bool:
    """Whether the command is a commonplace that can be tried; a runner would install one over the network."""
    name = os.path.basename(words[0]).removesuffix(".exe")
    return name not in _RUNNERS and (name == NAME or words[1:3] == ["-m", NAME])


def _failure(words: list[str], env: Mapping[str, str]) -> str:
    """Why a server does not start and stop; empty if it does. Its client disconnects at once."""
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, env=dict(env), timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"it does not exit after its client within {_SECONDS} seconds"
    except OSError as error:
        return (error.strerror or str(error)).lower()
    if done.returncode == 0:
        return ""
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return " ".join(" ".join(said).split())[:300] or f"exit status {done.returncode}"


def _addressed(target: Target, entry: ClientEntry, *, root: str) -> Finding | None:
    """The problem of a server with an address on this machine; None if it listens. Raises ValueError for a bad port."""
    import socket

    place = urlsplit(entry.url)
    host, port = place.hostname or "", place.port or (443 if place.scheme == "https" else 80)
    with suppress(OSError), socket.create_connection((host, port), timeout=2):
        return None
    ours = f"keep one running: {NAME} mcp --http {port} --workspace {root}"
    hint = "start the server at that address" if place.scheme == "https" else ours
    return Finding("clients", Level.WARN, f"{target.about['title']} asks {host}:{port}, where no server listens", hint)


def _is_here(host: str) -> bool:
    """Whether a host name or address can only be this machine."""
    from ipaddress import ip_address

    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


# OpenClaw: its configuration, and what it says itself.


def openclaw(root: str, env: Mapping[str, str], *, cwd: str) -> Iterator[Finding]:
    """Findings about OpenClaw's memory slot and plugin; none without OpenClaw."""
    try:
        settings = config.openclaw_settings(env, cwd)
    except UsageError as error:
        yield Finding("openclaw", Level.WRONG, error.message, "fix that file: openclaw doctor")
        return
    if not settings:
        return
    plugins = settings.get("plugins")
    plugins = plugins if isinstance(plugins, dict) else {}
    ours = _entry_of(plugins, NAME)
    if ours is None and _slot(plugins) != NAME:
        said = "OpenClaw uses its own memory; to use this one, run in the repository: make openclaw"
        yield Finding("openclaw", Level.OK, said)
        return
    wrong = [*_misset(plugins, ours or {})]
    yield from wrong
    if not wrong:
        yield _asked(root, env)


def _misset(plugins: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[Finding]:
    """Settings with which OpenClaw would use another memory."""
    put = "openclaw config set "
    if _slot(plugins) != NAME:
        said = f"OpenClaw's memory slot is {_slot(plugins) or 'not set'}"
        yield Finding("openclaw", Level.WRONG, said, f"{put}plugins.slots.memory {NAME}, then openclaw gateway restart")
    if ours.get("enabled") is False or plugins.get("enabled") is False:
        hint = f"{put}plugins.entries.{NAME}.enabled true, then openclaw gateway restart"
        yield Finding("openclaw", Level.WRONG, "the plugin is disabled", hint)
    if (_entry_of(plugins, "memory-core") or {}).get("enabled") is not False:
        hint = f"{put}plugins.entries.memory-core.enabled false, then openclaw gateway restart"
        yield Finding(
            "openclaw", Level.WRONG, "memory-core is on: it answers `openclaw memory` instead of commonplace", hint
        )
    command = ours.get("config", {}).get("command") if isinstance(ours.get("config"), dict) else None
    if isinstance(command, list) and command and not os.access(str(command[0]), os.X_OK):
        hint = "install commonplace there again, or run in the repository: make openclaw"
        yield Finding("openclaw", Level.WRONG, f"the plugin starts {command[0]}, which does not exist", hint)


def _asked(root: str, env: Mapping[str, str]) -> Finding:
    """The answer of `openclaw memory status`, if openclaw is on the PATH."""
    program = shutil.which("openclaw", path=env.get("PATH"))
    if program is None:
        return Finding(
            "openclaw",
            Level.OK,
            "the memory slot is commonplace and memory-core is off; openclaw is not on the PATH, so it was not asked",
        )
    again = "run in the repository: make openclaw; then openclaw gateway restart"
    try:
        done = subprocess.run(
            [program, "memory", "status", "--json"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=dict(env),
            timeout=2 * _SECONDS,
            check=False,
            shell=sys.platform == "win32",
        )
    except (OSError, subprocess.TimeoutExpired):
        return Finding("openclaw", Level.WRONG, "`openclaw memory status` gives no answer", "try: openclaw doctor")
    said = done.stdout.decode(errors="replace")
    found = _json(said)
    if found.get("provider") != NAME:
        line = " ".join((done.stderr.decode(errors="replace").strip() or said.strip())[-200:].split())
        return Finding(
            "openclaw", Level.WRONG, f"`openclaw memory status` is not answered by commonplace: {line}", again
        )
    other = str(found.get("workspaceDir", ""))
    if os.path.realpath(other) != os.path.realpath(root):
        return Finding(
            "openclaw", Level.OK, f"`openclaw memory` uses commonplace, with the agent's own workspace, {other}"
        )
    return Finding("openclaw", Level.OK, "`openclaw memory` uses commonplace, with this workspace")


def _json(said: str) -> dict[str, Any]:
    """The agent's status in an answer that may start with warnings; empty if there is none."""
    for at in (place for place, character in enumerate(said) if character == "["):
        with suppress(ValueError, LookupError, TypeError, AttributeError):
            found = json.loads(said[at:])[0]["status"]
            return dict(found)
    return {}


def _slot(plugins: Mapping[str, Any]) -> str:
    slots = plugins.get("slots")
    return str(slots.get("memory", "")) if isinstance(slots, dict) else ""


def _entry_of(plugins: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    entries = plugins.get("entries")
    found = entries.get(name) if isinstance(entries, dict) else None
    return found if isinstance(found, dict) else None
