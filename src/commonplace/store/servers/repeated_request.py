"""One request, repeated a few times while its server is busy or away."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from commonplace.store.servers.http_server import Unanswered
from commonplace.store.servers.server_refusals import TRY_AGAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from commonplace.store.servers.http_server import Response


def repeated(
    request: Callable[[], Response],
    *,
    pauses: Sequence[float],
    longest_pause: float,
    end: float = math.inf,
    is_final: Callable[[Response], bool] = lambda _: False,
) -> Response:
    """Return the answer to a request after as many tries as there are pauses, and one. Raises Unanswered.

    Args:
        pauses: seconds before each further try, where the server names none.
        longest_pause: most seconds between two tries, whatever the server wants.
        end: on the monotonic clock; after it nothing is tried again.
        is_final: whether another try would be answered alike.
    """
    for pause in (*pauses, None):
        wait = 0.0
        try:
            answer = request()
            if answer.status not in TRY_AGAIN or pause is None or is_final(answer) or time.monotonic() > end:
                return answer
            wait = answer.wait
        except Unanswered as error:
            if pause is None or not error.again or time.monotonic() > end:
                raise
        time.sleep(min(wait or pause, longest_pause, max(0.0, end - time.monotonic())))
    raise AssertionError("the last try returns or raises")
