"""The request and the answer of a verb, the same at every door."""

from collections.abc import Callable
from io import StringIO
from typing import Any, NamedTuple

from commonplace.doors.shared.terminal import Screen

PLAIN = Screen(StringIO(), StringIO(), env={}, color=False)
"""No terminal: text without colours."""


class VerbRequest(NamedTuple):
    """What a verb is asked."""

    given: dict[str, Any]
    """Its fields, checked."""
    agent: bool = False
    """Whether a model reads the answer, which is then held short."""
    progress: Callable[[int, int], None] | None = None
    """Told (done, of) by verbs that take long."""
    screen: Screen = PLAIN
    """What the text is for."""


class VerbAnswer(NamedTuple):
    """What a verb answers."""

    text: str
    """To be read."""
    data: dict[str, Any]
    status: int = 0
    """The exit status of a command."""
    notes: tuple[str, ...] = ()
    """What a person should know besides; on standard error."""
    next: str = ""
    """What a person may do next; only on a terminal."""
    rows: tuple[dict[str, Any], ...] = ()
    """With `--json`: objects that a command prints one a line, in place of `data`."""
    whole: bool = False
    """Whether the text ends its own lines: nothing is put below it."""
