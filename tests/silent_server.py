"""A server of TCP between a client and PostgreSQL that stops answering, and never says so."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.postgres_server import FleetServer


class SilentServer:
    """Passes on what a client and a PostgreSQL say to each other, until the client says a word.

    From then on it reads all, so that TCP sees nothing wrong, and passes nothing on.
    """

    def __init__(self, server: FleetServer, *, until: bytes | None) -> None:
        self._server = server
        self._until = until
        self._line = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = [self._line]
        self.port: int = self._line.getsockname()[1]
        self.accepted = 0
        """Connections that clients made."""
        threading.Thread(target=self._serve, daemon=True).start()

    def url(self, role: str, database: str) -> str:
        """The address for a role, over TCP."""
        return f"postgresql://{role}@127.0.0.1:{self.port}/{database}"

    def close(self) -> None:
        """End every connection."""
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._line.accept()
                self.accepted += 1
                behind = socket.socket(socket.AF_UNIX)
                behind.connect(f"{self._server.socket}/.s.PGSQL.5432")
                self._ends += [client, behind]
                hung = threading.Event()
                if self._until == b"":
                    hung.set()
                threading.Thread(target=self._pass, args=(client, behind, hung, True), daemon=True).start()
                threading.Thread(target=self._pass, args=(behind, client, hung, False), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, hung: threading.Event, asks: bool) -> None:
        with suppress(OSError):
            while said := source.recv(65536):
                if asks and self._until and self._until in said:
                    hung.set()
                if not hung.is_set():
                    target.sendall(said)
            if not hung.is_set():
                target.shutdown(socket.SHUT_WR)


@contextmanager
def silent(server: FleetServer, *, until: bytes | None) -> Iterator[SilentServer]:
    """A running one; with an empty word it never says anything, with None it always passes on."""
    made = SilentServer(server, until=until)
    try:
        yield made
    finally:
        made.close()
