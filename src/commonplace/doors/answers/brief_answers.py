"""Short answers for a model: text and data, each within a token budget.

A host may show its model the text, the data, or both; so each by itself is held to the budget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.core.recall.packing import count_tokens, hit_text, note_beside_number
from commonplace.core.text.escaping import for_model, for_terminal
from commonplace.doors.shared import render, wire
from commonplace.doors.shared.verb_answer import PLAIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.agent.core_blocks import Core
    from commonplace.core.model import AnyLine, Bundle, Fact, Hit, Kind, Opinion
    from commonplace.doors.shared.verb_answer import VerbAnswer
    from commonplace.ops.views.lookup import EntityView
    from commonplace.ops.write.edit_files import Lines

MOST_TOKENS = 3_000
"""Of an answer to a model, but for recall and core, which have budgets of their own."""
_MOST_EVIDENCE = 5
_MOST_NOTE = 200
"""Tokens of a note, which may repeat what was asked."""


def bundle(found: Bundle) -> tuple[str, dict[str, Any]]:
    """Text and data of the hits that fit, `{"status", "hits", "omitted", "note"}`; a hit left out counts as omitted."""
    note = cut(found.note, _MOST_NOTE)
    fixed = {"status": found.status, "hits": [], "omitted": found.omitted, "note": note}
    left = found.budget - cost(fixed)
    hits = [hit(each) for each in found.hits]
    kept = fitting(hits, left)
    if hits and not kept and (text := beginning(hits[0]["text"], left - cost({**hits[0], "text": "", "cut": True}))):
        hits[0] |= {"text": text, "cut": True}
        kept = 1
    omitted = found.omitted + len(hits) - kept
    lines = [hit_text(each) for each in found.hits[:kept]]
    if omitted:
        lines.append(f"({'at least ' * found.at_least}{omitted} more left out: raise k or budget, or ask for less)")
    if said := note_beside_number(found._replace(omitted=omitted)):
        lines.append(cut(said, _MOST_NOTE))
    lines += [render.QUALIFIED[found.status]] if found.status in render.QUALIFIED else []
    return "\n".join(lines) or "nothing found", {**fixed, "hits": hits[:kept], "omitted": omitted}


def hit(found: Hit) -> dict[str, Any]:
    """A hit as data: its fact, and the citations that supersede, dispute or outdate it."""
    shown = _line(found.line, id=found.id, kind=found.kind, confidence=found.confidence)
    against = {
        "superseded_by": found.superseded_by,
        "disputed_by": found.disputed_by,
        "outdated_by": found.outdated_by,
    }
    return shown | {name: str(place) for name, place in against.items() if place}


def fact(stated: Fact) -> dict[str, Any]:
    """`{"text", "source", "id"}`, and if known `timestamp`, `confidence` and `src`."""
    return _line(stated, id=stated.id, kind=stated.kind, confidence=stated.confidence)


def _line(stated: AnyLine, *, id: str, kind: Kind, confidence: float | None) -> dict[str, Any]:
    names = "".join(f" @{name}" for name in stated.entities)
    text = f"{kind.letter}{names}: {stated.content}" if str(stated.origin) != "log" else stated.content
    shown: dict[str, Any] = {"text": text, "source": str(stated.source), "id": str(id)}
    if stated.timestamp:
        shown["timestamp"] = stated.timestamp
    if confidence is not None:
        shown["confidence"] = confidence
    if stated.trailer.outsider:
        shown["src"] = stated.trailer.outsider
    return shown


def opinion(held: Opinion) -> dict[str, Any]:
    """An opinion with its newest evidence and the number of all evidence."""
    shown = wire.opinion(held)
    newest = sorted(held.evidence, key=lambda each: str(each.recorded or ""), reverse=True)[:_MOST_EVIDENCE]
    evidence = [f"{each.stance} {each.source}" for each in newest]
    keys = ("id", "statement", "entities", "confidence", "last_updated", "source")
    return {key: shown[key] for key in keys} | {"evidence": evidence, "evidence_count": len(held.evidence)}


def entity(view: EntityView) -> tuple[str, dict[str, Any]]:
    """Text and data of an entity, `{"name", "kind", "aliases", "page", "related", "opinions", "facts", "omitted"}`, the
    newest facts first."""
    fixed: dict[str, Any] = {
        "name": view.name,
        "kind": view.kind,
        "aliases": list(view.aliases[:20]),
        "page": view.page,
        "related": [name for name, _ in view.related[:20]],
    }
    opinions = [opinion(each) for each in view.opinions]
    facts = [_fact_of(each, view) for each in view.facts]
    left = MOST_TOKENS - cost(fixed) - 20
    held = fitting(opinions, left // 2)
    kept = fitting(facts, left - sum(map(cost, opinions[:held])))
    omitted = len(opinions) - held + len(facts) - kept
    short = view._replace(opinions=view.opinions[:held], facts=view.facts[:kept])
    text = render.entity(short, PLAIN) + (f"\n({omitted} more left out: recall with entities)" if omitted else "")
    return cut(text), {**fixed, "opinions": opinions[:held], "facts": facts[:kept], "omitted": omitted}


def _fact_of(stated: Fact, view: EntityView) -> dict[str, Any]:
    against = {"superseded_by": view.superseded.get(stated.id), "disputed_by": view.disputed.get(stated.id)}
    return fact(stated) | {name: str(place) for name, place in against.items() if place}


def core(found: Core) -> dict[str, Any]:
    """`{"blocks", "tokens", "omitted"}`, with as much of each block's text as the budget allows."""
    blocks = []
    for each in found.blocks:
        text = each.text if each.shown < 0 else "".join(each.text.splitlines(keepends=True)[: each.shown])
        shown: dict[str, Any] = wire.plain(each._replace(text=text))
        del shown["label"]
        blocks.append(shown)
    notes = {"notes": list(found.notes)} if found.notes else {}
    return {"blocks": blocks, "tokens": found.tokens, "omitted": found.omitted, **notes}


def lines(found: Lines) -> Lines:
    """As many of these lines as fit; of the first, if it alone is too long, its beginning."""
    left, kept = MOST_TOKENS - 150, list[str]()
    for number, line in enumerate(found.text.split("\n"), found.source.line):
        left -= max(count_tokens(f"{number:>5}\t{line}\n"), cost(line))
        if left < 0:
            text = "\n".join([*kept, ""]) if kept else beginning(line, MOST_TOKENS - 150)
            return found._replace(text=text, last=found.source.line + max(0, len(kept) - 1))
        kept.append(line)
    return found


def safe(answer: VerbAnswer, *, tagged: bool) -> VerbAnswer:
    """An answer made safe for a model, text and data.

    Args:
        tagged: its text has tags of ours, and was made safe where it was composed.
    """
    text = for_terminal(answer.text) if tagged else for_model(answer.text)
    return answer._replace(text=text, data=_safe(answer.data))


def _safe(value: Any) -> Any:
    if isinstance(value, str):
        return for_model(value)
    if isinstance(value, list):
        return [_safe(each) for each in value]
    if not isinstance(value, dict):
        return value
    composed = "blocks" in value or "core" in value
    return {name: for_terminal(each) if composed and name == "text" else _safe(each) for name, each in value.items()}


def fitting(items: Sequence[Any], budget: int) -> int:
    """How many of the first items fit into a budget of tokens, as JSON."""
    for number, item in enumerate(items):
        budget -= cost(item)
        if budget < 0:
            return number
    return len(items)


def cut(text: str, budget: int = MOST_TOKENS) -> str:
    """As many whole lines as fit into a budget; if the first does not, its beginning."""
    if count_tokens(text) <= budget:
        return text
    kept, left = [], budget
    for line in text.split("\n"):
        left -= count_tokens(line + "\n")
        if left < 1:
            break
        kept.append(line)
    return "\n".join([*kept, "…"]) if kept else beginning(text, budget)


def beginning(text: str, budget: int) -> str:
    """As many characters as fit into a budget as JSON, with an ellipsis; empty if none do."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if cost(text[:middle] + "…") <= budget:
            low = middle
        else:
            high = middle - 1
    return text[:low] + "…" if low else ""


def cost(value: Any) -> int:
    """The tokens of a value as JSON."""
    return count_tokens(wire.line(value)) + 1
