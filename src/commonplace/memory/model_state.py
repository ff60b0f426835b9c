"""Whether a model can be asked, and what it can do."""

from __future__ import annotations

from typing import NamedTuple


class ModelState(NamedTuple):
    """Whether a model can be asked, and what it can do."""

    on: bool
    """Whether `[model]` names one."""
    name: str = ""
    url: str = ""
    problem: str = ""
    """Why it cannot be asked; empty if it can."""
    takes_schemas: bool | None = None
    """Whether its server holds the answers to a JSON schema; None: not tried."""
    reads: int | None = None
    """Tokens that it reads at once, if its server tells."""
    seconds: float = 0.0
    """What a short answer took."""
    tokens_a_second: float = 0.0
    """Of that answer."""
    budget: int = 0
    """Most tokens of one run."""
    decide: bool = False
    """Whether every reflect asks it."""
