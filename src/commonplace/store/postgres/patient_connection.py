"""A connection that gives up: a server may accept, confirm every byte, and never answer.

TCP notices a cable that was cut, not a server that hangs, and the server's own `statement_timeout` needs a server. So
the wait for each answer ends here, on this side, and the connection with it; the server then rolls back.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

import psycopg

if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import TypeVar

    from psycopg.abc import PQGen

    T = TypeVar("T")


class PatientConnection(psycopg.Connection[Any]):
    """Waits so long for each answer, and no longer."""

    patience = 25.0
    """Seconds."""

    def wait(self, gen: PQGen[T], *args: Any, **named: Any) -> T:
        """Run what psycopg waits for. Raises OperationalError when there was no answer in time."""
        return super().wait(self._bounded(gen), *args, **named)

    def _bounded(self, waits: PQGen[T]) -> Generator[Any, Any, T]:
        # psycopg resumes it several times a second, whether anything has come or not
        until = monotonic() + self.patience
        try:
            wanted = next(waits)
            while True:
                ready = yield wanted
                if monotonic() > until:
                    self.pgconn.finish()  # or the end of a transaction would wait again
                    raise psycopg.OperationalError(f"no answer within {self.patience:g} seconds")
                wanted = waits.send(ready)
        except StopIteration as done:
            answer: T = done.value
            return answer
