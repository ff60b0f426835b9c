"""What a view is: a template and what it shows."""

from __future__ import annotations

from typing import Any, NamedTuple

ROWS = 50
"""Of a list, before it goes on at another address."""
WIDTHS = (("wide", 724), ("narrow", 358))
"""The plots of a view: a class and a width in pixels, one for each width of the page."""


class View(NamedTuple):
    """One view, before it is HTML."""

    template: str
    title: str
    context: dict[str, Any]
    here: str = ""
    """Which entry of the navigation it belongs to."""
    status: int = 200
