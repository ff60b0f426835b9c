"""The verb watch: runs a watcher until a signal stops it."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

    from commonplace.doors.shared.verb_call import Call


def watch(call: Call) -> int:
    """Watch the workspace until SIGINT or SIGTERM."""
    from commonplace.memory import Memory
    from commonplace.memory.watch_loop import Watch

    call.memory().close()  # refused where there is nothing to watch
    run = Watch(lambda: Memory(call.root), tell=call.tell, warn=call.screen.note)

    def end(_number: int, _frame: FrameType | None) -> None:
        run.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    run.run()
    return 0
