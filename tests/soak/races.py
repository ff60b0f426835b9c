"""Command line, worker, two MCP servers, reflect and two editors on one workspace at the same time, for some seconds.

One editor saves into the file in place, the other writes a new file and renames it; each has files of its own, as two
editors of one file overwrite each other whatever we do. What chance decides, the times, is not in the seed: a step that
is repeated is the same plan, and another race.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from tests import test_several as several
from tests.soak.world import free, put

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

SECONDS = 12


class Races:
    """Some seconds of everybody at once, at ordinary load or beside processes that take all time there is."""

    kind = "races"
    available = True

    def __init__(self, top: Path, seconds: float = SECONDS) -> None:
        self._top = top
        self._seconds = seconds

    def step(self, number: int, chance: Random) -> tuple[str, str, list[str]]:
        """What was raced, what was done, and what is wrong."""
        root = self._top / f"races{number}"
        put(root, several.FILES)
        files = list(several.BY_HAND)
        chance.shuffle(files)
        ways = ["--in-place", chance.choice(("--by-rename", "--anew"))]
        loads = chance.choice((0, 0, 1, 3))
        editors = [
            [sys.executable, several.EDITOR, str(self._seconds), str(chance.randrange(1000)), way, *mine]
            for way, mine in zip(ways, (files[:2], files[2:]), strict=True)
        ]
        plan = f"{' and '.join(ways)}, {loads} busy processes"
        try:
            with ExitStack() as stack:
                for _ in range(loads):
                    stack.enter_context(busy())
                done = several.everybody(root, self._seconds, editors, str(number), worker=True)
        except BaseException as failure:
            if isinstance(failure, KeyboardInterrupt):
                raise
            return "everybody at once", plan, [_said(failure)]
        free(root)
        return "everybody at once", f"{plan}: {done}", []


def busy() -> subprocess.Popen[bytes]:
    """A process that does nothing, all the time, until its input ends."""
    script = "import os\nos.nice(5)\nwhile os.getppid() != 1:\n    sum(range(10000))"
    return _Busy([sys.executable, "-c", script], stdin=subprocess.PIPE)


class _Busy(subprocess.Popen[bytes]):
    def __exit__(self, *details: object) -> None:
        self.kill()
        self.wait()
        if self.stdin is not None:
            self.stdin.close()


def _said(failure: BaseException) -> str:
    """A failure with all that are inside of it."""
    inner = getattr(failure, "exceptions", ())
    said = f"{type(failure).__name__}: {failure}"[:1500]
    return os.linesep.join([said, *map(_said, inner)])
