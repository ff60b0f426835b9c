"""Memory: one workspace, opened. It wires the verbs to the files and the index, and asks the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.memory.read_verbs import Status
from commonplace.memory.reflect_verbs import Reflects

if TYPE_CHECKING:
    from datetime import date

    from commonplace.core.model import Opinion
    from commonplace.core.opinions.belief import Step
    from commonplace.core.recall.query_analysis import Reading

__all__ = ["Memory", "Status", "explain", "guide", "history"]


class Memory(Reflects):
    """A folder of Markdown as a memory.

    Every verb first brings the index up to date with the files, unless told not to. The object is cheap to make:
    files and index are opened by the first verb. Threads may share it: it does one thing at a time. `close` it, or
    use it as a context manager.
    """


def explain(query: str, *, today: date) -> Reading:
    """How a question is read where there is no workspace."""
    from commonplace.core.recall.query_analysis import read

    return read(query, today)


def guide() -> str:
    """What an agent should know of its memory: when to read it, when to write it. The core is not in it."""
    from commonplace.core.tables import prose

    return prose("agent")


def history(opinion: Opinion) -> tuple[Step, ...]:
    """The days on which an opinion's confidence moved, and to what; oldest first."""
    from commonplace.core.opinions.belief import history

    return history(opinion)
