"""How a process that stays up collects garbage: seldom, and never what it imported at its start."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_COLLECTING = (10_000, 10, 10)
"""Thresholds of the collector: with Python's own it runs once a recall, and costs it a twentieth."""


@contextmanager
def imported_to_stay() -> Iterator[None]:
    """Keep what is imported within from being looked at, now or later."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
        gc.set_threshold(*_COLLECTING)
