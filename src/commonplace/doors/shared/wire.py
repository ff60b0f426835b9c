"""Values to JSON, with the same keys at every door."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from commonplace.core.model import Citation, Fact, Hit, Opinion, Span
from commonplace.core.text.escaping import in_json
from commonplace.doors.shared.failures import harmless

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.core.model import AnyLine, Begun, Bundle, Evidence, Kind, Problem
    from commonplace.core.opinions.belief import Factor, Step
    from commonplace.core.questions.query_analysis import Reading
    from commonplace.errors import CommonplaceError


def line(value: object) -> str:
    """The value as JSON on one line; invisible and control characters are escaped."""
    written = json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    return in_json(written)


def error(failure: CommonplaceError) -> dict[str, Any]:
    """`{"error": {"code", "message", "hint"}}`."""
    harmless(failure)
    return {"error": {"code": failure.code, "message": failure.message, "hint": failure.hint}}


def bundle(found: Bundle) -> dict[str, Any]:
    """`{"query", "status", "hits", "tokens", "budget", "omitted", "note"}`."""
    shown = {**found._asdict(), "hits": [hit(each) for each in found.hits]}
    del shown["at_least"]
    return shown


def hit(found: Hit) -> dict[str, Any]:
    """A hit: the keys of its fact, then its own; `lines`, `cut` and `excerpt` only if they apply."""
    shown: dict[str, Any] = _line(found.line, id=found.id, kind=found.kind, confidence=found.confidence)
    shown["source"] = found.place
    shown |= {"score": round(found.score, 4), "why": list(found.why)}
    if found.opinion is not None:
        shown |= _held(found.opinion)
    shown["superseded_by"] = plain(found.superseded_by)
    shown["disputed_by"] = plain(found.disputed_by)
    if found.outdated_by is not None:
        shown["outdated_by"] = plain(found.outdated_by)
    shown["also"] = plain(found.also)
    if found.cut:
        shown["cut"] = True
    if found.excerpt:
        shown["excerpt"] = True
    return shown


def fact(stated: Fact) -> dict[str, Any]:
    """A fact, from its own line alone."""
    return _line(stated, id=stated.id, kind=stated.kind, confidence=stated.confidence)


def _line(stated: AnyLine, *, id: str, kind: Kind, confidence: float | None) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": str(id),  # of a fleet, with the workspace
        "kind": str(kind),
        "timestamp": stated.timestamp,
        "entities": list(stated.entities),
        "content": stated.content,
        "source": str(stated.source),
    }
    if stated.lines > 1:
        shown["lines"] = stated.lines
    shown |= {
        "origin": str(stated.origin),
        "recorded": plain(stated.recorded),
        "valid": plain(stated.valid),
        "context": list(stated.context),
    }
    if stated.speaker:
        shown["speaker"] = stated.speaker
    if stated.trailer.src:
        shown["src"] = stated.trailer.src
    if stated.trailer.outsider:
        shown["said_by"] = stated.trailer.outsider
    if stated.trailer.session:
        shown["session"] = stated.trailer.session
    if str(kind) == "opinion":
        shown |= {"confidence": confidence, "last_updated": plain(stated.recorded), "evidence": []}
    return shown


def opinion(held: Opinion) -> dict[str, Any]:
    """An opinion with its evidence for and against; `begun` only where it is known."""
    shown = {"id": held.id, "statement": held.statement, "entities": list(held.entities), **_held(held)}
    shown |= {"prior": held.prior, "source": plain(held.source), "disputed_by": held.disputed_by or None}
    return shown | ({} if held.begun is None else {"begun": begun(held.begun)})


def begun(first: Begun) -> dict[str, Any]:
    """`{"id", "day", "source", "confidence"}` of the fact with which an opinion began."""
    source = str(first.source)
    return {"id": first.fact_id, "day": plain(first.day), "source": source, "confidence": first.confidence}


def history(held: Opinion, taken: Sequence[Step]) -> dict[str, Any]:
    """`{"history", "spent"}`: the steps, and `[{"prior", "evidence"}]` from before each time that it was set by hand;
    `spent` only if it was."""
    told: dict[str, Any] = {"history": steps(taken)}
    if held.spent:
        told["spent"] = [
            {"prior": each.prior, "evidence": [evidence(one) for one in each.evidence]} for each in held.spent
        ]
    return told


def steps(taken: Sequence[Step]) -> list[dict[str, Any]]:
    """`[{"day", "confidence", "evidence": [ids], "by_hand", "factors", "limited"}]`: the confidence after each day that
    moved it; no day is null; `by_hand` where a person set it; `limited` where a limit changed the size of the step."""
    shown = (step._replace(confidence=round(step.confidence, 2)) for step in taken)
    return [plain(step) | {"factors": [factor(each) for each in step.factors]} for step in shown]


def factor(counted: Factor) -> dict[str, Any]:
    """`{"id", "stance", "weight", "times", "why": [words]}`: how much one fact of a step counted."""
    weight, times = round(counted.weight, 4), round(counted.times, 4)
    stance, why = str(counted.stance), list(counted.why)
    return {"id": counted.fact_id, "stance": stance, "weight": weight, "times": times, "why": why}


def _held(held: Opinion) -> dict[str, Any]:
    return {
        "confidence": held.confidence,
        "last_updated": plain(held.last_updated),
        "evidence": [evidence(each) for each in held.evidence],
    }


def evidence(weight: Evidence) -> dict[str, Any]:
    """`{"id", "stance", "source", "recorded"}`."""
    return {
        "id": weight.fact_id,
        "stance": str(weight.stance),
        "source": str(weight.source),
        "recorded": plain(weight.recorded),
    }


def reading(read: Reading) -> dict[str, Any]:
    """`{"range": null | {"from", "to", "phrase", "relation"}, "entities", "kinds", "terms", "weights"}`.

    With `"members"`, those of each general word, if it has any.
    """
    when = read.when
    ends = {"from": plain(when.span.start), "to": plain(when.span.end)} if when else {}
    return {
        "range": {**ends, "phrase": when.phrase, "relation": when.relation} if when else None,
        "entities": [name for name, _ in read.entities],
        "kinds": [str(kind) for kind in read.kinds],
        "asks": sorted(read.asks),
        "terms": list(dict.fromkeys(term.text for term in read.terms)),
        "weights": {term.text: round(term.weight, 3) for term in sorted(read.terms, key=lambda term: term.weight)},
        **(
            {"members": {word.text: [term.text for term in word.members] for word in read.general}}
            if read.general
            else {}
        ),
    }


def problems(found: Sequence[Problem]) -> dict[str, Any]:
    """`{"problems": [{"source", "code", "message", "hint"}]}`."""
    return {"problems": [plain(each) for each in found]}


def notices(found: Sequence[Problem]) -> dict[str, Any]:
    """`{"notices": [{"source", "code", "message", "hint"}]}`; without that key when there are none."""
    return {"notices": [plain(each) for each in found]} if found else {}


def plain(value: Any) -> Any:
    """A value as JSON: dates, spans and citations as text, named tuples as objects, tuples as lists."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return str(value)  # of a member of an enumeration its text
    shape: Any = _SHAPES.get(type(value))
    if shape:
        return shape(value)
    if isinstance(value, tuple) and hasattr(value, "_asdict") and not isinstance(value, Citation | Span):
        value = value._asdict()
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | frozenset) or type(value) is tuple:
        return [plain(each) for each in value]
    return str(value)


_SHAPES = {Fact: fact, Hit: hit, Opinion: opinion}
