"""Elements of a plot as SVG markup: each text escaped, each coordinate short, each address one of this page.

Colours come from classes alone, as the policy of the page allows no inline style.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category, east_asian_width

from markupsafe import Markup

from commonplace.core.text.escaping import for_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_MOST_BYTES = 10_500
"""Of one plot in UTF-8: two widths of it leave 39 of the 60 kB that a view may have."""
MOST_TITLE = 160
"""Characters of a title."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom of what takes room, in pixels."""


class Detail(NamedTuple):
    """How much of its values a plot shows."""

    marks: int
    title: int
    """Characters of a title."""
    bar: float
    """Pixels that a bar is wide at least."""


_DETAILS = (
    *(Detail(300, MOST_TITLE, 4), Detail(300, 60, 4), Detail(100, 60, 10)),
    *(Detail(70, 40, 10), Detail(40, 40, 16), Detail(0, 0, 36)),
)

_NOT_XML = re.compile("[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ELSEWHERE = re.compile(r"[/\\]{2}|[^/?#]*:")
"""An address with a scheme or a host."""
_SLIM, _BROAD = frozenset(" !',.:;|iIjlt()[]fr"), frozenset("mwMW@%&")


def fitting(draw: Callable[[Detail], Markup]) -> Markup:
    """Return the plot in the most detail that is small enough for a page; the least has few bytes of any values."""
    for detail in _DETAILS:
        drawn = draw(detail)
        if len(drawn.encode()) <= _MOST_BYTES:
            break
    return drawn


def svg(css: str, width: float, height: float, *, said: str, parts: Iterable[Markup]) -> Markup:
    """Return a plot whose marks are links; `said` sums it up for those who do not see it."""
    return Markup(
        '<svg class="{0}" viewBox="0 0 {1} {2}" width="{1}" height="{2}" role="group" aria-label="{3}">{4}</svg>'
    ).format(css.strip(), px(width), px(height), said, Markup().join(parts))


def path(css: str, shape: str) -> Markup:
    """Return a path."""
    return Markup('<path class="{}" d="{}"/>').format(css, shape)


def circle(css: str, x: float, y: float, *, radius: float) -> Markup:
    """Return a circle around a place."""
    return Markup('<circle class="{}" cx="{}" cy="{}" r="{}"/>').format(css, px(x), px(y), px(radius))


def rectangle(css: str, x: float, y: float, *, width: float, height: float, rest: Markup | str = "") -> Markup:
    """Return a rectangle, `rest` being more attributes."""
    shape = Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"{}/>')
    return shape.format(css, px(x), px(y), px(width), px(height), rest)


def text(css: str, x: float, y: float, *, words: str, anchor: str = "start") -> Markup:
    """Return a text that begins, ends or has its middle at a place, on the base line."""
    where = Markup(' text-anchor="{}"').format(anchor) if anchor != "start" else ""
    return Markup('<text class="{}" x="{}" y="{}"{}>{}</text>').format(css, px(x), px(y), where, words)


def link(href: str, title: str, *, shape: Markup) -> Markup:
    """Return a shape that leads to an address of this page and says what it is; another address leads nowhere."""
    near = plain(href, len(href) * 10).replace(" ", "")
    return Markup('<a href="{}"><title>{}</title>{}</a>').format("#" if _ELSEWHERE.match(near) else near, title, shape)


def px(number: float) -> str:
    """Return a coordinate, to a tenth of a pixel."""
    return f"{number:.1f}".removesuffix(".0")


def plain(words: str, most: int) -> str:
    """Return a text on one line, at most so many characters, with what acts unseen spelled out, as XML allows it."""
    shown = _NOT_XML.sub("�", " ".join(for_terminal(words[: 4 * most + 99]).split()))
    if len(shown) <= most:
        return shown
    end = max(0, most - 1)
    while most - 9 < end and end > 0 and category(shown[end])[0] == "M":  # a vowel sign stays with its letter
        end -= 1
    return shown[:end].rstrip() + "…" if most else ""


def cut_to(words: str, room: float, *, size: float) -> str:
    """Return as much of a text as fits into so many pixels, in letters of this size."""
    shown = plain(words, MOST_TITLE)
    if wide(shown, size) <= room:
        return shown
    while shown and wide(shown, size) + size * 0.9 > room:
        shown = shown[:-1]
    return f"{shown.rstrip()}…"


def wide(words: str, size: float) -> float:
    """Return about how many pixels a text is wide in a sans serif of this size."""
    return size * sum(
        0.36 if each in _SLIM
        else 0.92 if each in _BROAD
        else 0 if category(each) in ("Mn", "Me", "Cf")
        else 1 if east_asian_width(each) in "WF"
        else 0.66 if each.isupper()
        else 0.59
        for each in words
    )  # fmt: skip


def text_box(x: float, y: float, *, words: str, size: float, anchor: str) -> Box:
    """Return the room that a text takes."""
    long = wide(words, size)
    left = {"start": x, "middle": x - long / 2, "end": x - long}[anchor]
    return left, y - size * 0.8, left + long, y + size * 0.25


def is_free(box: Box, taken: Iterable[Box]) -> bool:
    """Whether a box touches none of those that are taken."""
    left, top, right, bottom = box
    return all(right <= a or c <= left or bottom <= b or d <= top for a, b, c, d in taken)
