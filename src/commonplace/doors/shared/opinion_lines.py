"""How opinions read on a terminal: confidence, evidence, and what each piece of it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from commonplace.core.model import Evidence, Opinion
    from commonplace.core.opinions.belief import Factor, Step
    from commonplace.doors.shared.terminal import Screen

_NONE_HELD = "no opinions yet: `commonplace retain 'O(c=0.9) @Name: …'`, then `commonplace reflect`"


def opinions(held: Sequence[Opinion], screen: Screen) -> str:
    """The opinions, one a line."""
    return "\n".join(opinion(each, screen) for each in held) or _NONE_HELD


def histories(told: Sequence[tuple[Opinion, Sequence[Step]]], screen: Screen) -> str:
    """The opinions with their evidence, oldest first, and a bar for the confidence after each day."""
    return "\n".join(opinion(each, screen, evidence=True, steps=steps) for each, steps in told) or _NONE_HELD


def opinion(held: Opinion, screen: Screen, *, evidence: bool = False, steps: Sequence[Step] = ()) -> str:
    """`0.90 ▇▇▇▇▇▇▇▇▇· @Peter: Prefers concise replies ^o-4m7k (2026-01-19, 3 for, 1 against)`.

    Args:
        evidence: with a line for each piece of it.
        steps: the confidence after each day of evidence, to be shown beside it.
    """
    stances = [str(each.stance) for each in held.evidence]
    sides = [(stances.count("supports"), "for"), (stances.count("contradicts"), "against")]
    about = [str(held.last_updated or ""), *(f"{number} {side}" for number, side in sides if number)]
    names = "".join(f"@{name} " for name in held.entities).rstrip()
    head = f"{screen.paint('bold', f'{held.confidence:.2f}')} {_gauge(held.confidence)} {names}{': ' if names else ''}"
    tail = screen.paint("dim", f" ^{held.id} ({', '.join(filter(None, about))})".replace(" ()", ""))
    lines = [head + screen.said(held.statement) + tail]
    if held.disputed_by:
        lines.append(f"     {screen.paint('yellow', 'disputed by')} ^{held.disputed_by}")
    if evidence:
        lines.append(_prior(held, steps, screen=screen))
        lines += _course(held, steps, screen=screen)
    return "\n".join(lines)


def _prior(held: Opinion, steps: Sequence[Step], *, screen: Screen) -> str:
    """The first prior, with the fact that stated it if that is known."""
    first = held.spent[0].prior if steps and held.spent else held.prior
    chart = f"{first:.2f} {_bar(first) if steps else ''}".rstrip()
    if held.begun is None or (held.spent and not steps):
        return f"     prior      {chart}"
    chart = chart.ljust(_WIDTH + 5) if steps else chart
    place = f"{screen.place(held.begun.source)} ^{held.begun.fact_id}"
    return f"     {held.begun.day or 'undated   '} {chart} prior   {place}"


def _course(held: Opinion, steps: Sequence[Step], *, screen: Screen) -> Iterator[str]:
    """A line for each piece of evidence; with steps also the spent ones, and confidences set by hand."""
    left = iter(steps)
    for evidence in (*(spent.evidence for spent in held.spent if steps), held.evidence):
        after: dict[date | None, Step] = {}
        factors: dict[tuple[date | None, str, str], Factor] = {}
        by_hand = None
        for step in left:
            if step.by_hand:
                by_hand = step
                break
            after[step.day] = step
            factors.update(((step.day, each.fact_id, each.stance), each) for each in step.factors)
        for each in sorted(evidence, key=_by_day):
            # a day moves it once, whatever else that day brings
            step_of_day = after.pop(each.recorded, None)
            share = step_of_day and step_of_day.confidence
            chart = "" if not steps else " " * (_WIDTH + 6) if share is None else f"{share:.2f} {_bar(share)} "
            factor = factors.get((each.recorded, each.fact_id, each.stance))
            counted = _factor(factor, limited=step_of_day is not None and step_of_day.limited) if factor else ""
            yield _weight(each, chart, screen=screen) + (screen.paint("dim", f"  {counted}") if counted else "")
        if by_hand is not None:
            chart = f"{by_hand.confidence:.2f} {_bar(by_hand.confidence)}"
            yield f"     {by_hand.day or 'undated   '} {chart} {screen.paint('yellow', 'set by hand')}"


def _factor(factor: Factor, *, limited: bool) -> str:
    """`weight 0.80 × 2: contradicted again, with no strong support between`."""
    times = "" if factor.times == 1 else f" × {factor.times:.2g}"
    why = "; ".join([*factor.why, *(["a limit changed the step"] if limited else [])])
    return f"weight {factor.weight:.2f}{times}{': ' if why else ''}{why}"


def _gauge(share: float) -> str:
    full = round(10 * share)
    return "▇" * full + "·" * (10 - full)


_WIDTH = 16
"""Characters of a bar: an eighth of one is less than .01."""


def _bar(share: float) -> str:
    full, eighths = divmod(round(8 * _WIDTH * share), 8)
    return ("█" * full + " ▏▎▍▌▋▊▉"[eighths]).rstrip().ljust(_WIDTH)


def _by_day(weight: Evidence) -> tuple[str, str]:
    return str(weight.recorded or ""), str(weight.source)


def _weight(weight: Evidence, chart: str, *, screen: Screen) -> str:
    """One piece of evidence, after the chart of its day."""
    style, word = {"supports": ("green", "for"), "contradicts": ("red", "against")}.get(
        str(weight.stance), ("dim", str(weight.stance))
    )
    day = weight.recorded or "undated   "
    id = f" ^{weight.fact_id}" if weight.fact_id else ""
    return f"     {day} {chart}{screen.paint(style, f'{word:7}')} {screen.place(weight.source)}{id}"
