"""What a model is asked for, and what counts of its reply: it is read like a stranger's.

An answer counts if its id was asked and its verdict exists, an added fact if it is of a line that was shown. Whether
new words come from what was shown is judged where answers are carried out (`core.review.shown_words`). Law: reading
never raises, and no reply answers a question that was not in its request.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.review.review_answers import ADD, ADDED, WORDS, read_answers
from commonplace.core.review.shown_words import MOST_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_VERDICTS = ("accept", "reject", "edit", "for", "against", "neither")
_WITH_WORDS = ("accept", "edit")
"""Verdicts with which words count; with others they are a reason, which nobody asked for."""
_MOST_ADDED = 3
"""Facts that one reply may add, or as many as it has questions."""


class Reply(NamedTuple):
    """What counts of a model's reply."""

    answers: tuple[str, ...]
    """Each as a line for `read_answers`."""
    problems: tuple[str, ...]
    """Why others do not count."""
    whole: bool
    """Whether it is what was asked for: where it leaves a question out, the model cannot tell."""


def schema(ids: Collection[str], places: Collection[str] = ()) -> dict[str, Any]:
    """Return the JSON schema of the answers to the questions with these ids.

    Args:
        places: of the lines that are shown.
    """
    answer = _object(
        {
            "id": {"type": "string", "enum": [*ids]},
            "verdict": {"type": "string", "enum": [*_VERDICTS]},
            "text": {"type": "string", "maxLength": MOST_CHARACTERS},
        },
        optional="text",
    )
    fields = {"answers": {"type": "array", "items": answer, "maxItems": len(ids)}}
    if places:
        added = _object(
            {
                "text": {"type": "string", "maxLength": MOST_CHARACTERS},
                "from": {"type": "string", "enum": [*places]},
            }
        )
        fields[ADDED] = {"type": "array", "items": added, "maxItems": max(_MOST_ADDED, len(ids))}
    return _object(fields, optional=ADDED)


def _object(fields: dict[str, Any], *, optional: str = "") -> dict[str, Any]:
    needed = [name for name in fields if name != optional]
    return {"type": "object", "properties": fields, "required": needed, "additionalProperties": False}


def read_reply(text: str, ids: Collection[str], places: Collection[str] = ()) -> Reply:
    """Return what counts of a reply.

    Args:
        ids: of the questions that were asked.
        places: of the lines that were shown.
    """
    answers: list[str] = []
    problems: list[str] = []
    listed = _listed(text, most_added=max(_MOST_ADDED, len(ids)))
    for line in read_answers(text if listed is None else _as_lines(listed)):
        answer = line.answer
        if answer is None:
            problems.append(f"{line.id or 'an answer'}: {line.problem}")
        elif answer.verdict == ADDED and answer.source not in places:
            problems.append(f"{ADD}: {answer.source[:80]} was not shown")
        elif answer.verdict == ADDED:
            answers.append(json.dumps({"verdict": ADD, "text": answer.text, "from": answer.source}))
        elif answer.id not in ids:
            problems.append(f"{answer.id}: it was not asked")
        else:
            verdict = next(word for word, meant in WORDS.items() if meant == answer.verdict)
            said = {"id": answer.id, "verdict": verdict, **({"text": answer.text} if answer.text else {})}
            answers.append(json.dumps(said, ensure_ascii=True))
    if listed is None and not answers:
        problems = ["the reply has no answers"]
    return Reply(tuple(dict.fromkeys(answers)), tuple(problems), listed is not None)


def _listed(text: str, *, most_added: int) -> list[Any] | None:
    """Return the answers of a reply in JSON, also within a fence or words around it; None if it is none."""
    start, end = text.find("{"), text.rfind("}")
    try:
        told = json.loads(text[start : end + 1]) if 0 <= start < end else None
    except (ValueError, RecursionError):
        return None
    listed = told.get("answers") if isinstance(told, dict) else None
    if not isinstance(told, dict) or not isinstance(listed, list):
        return None
    added = told.get(ADDED)
    more = added[:most_added] if isinstance(added, list) else []
    listed = [each for each in listed if not (isinstance(each, dict) and each.get("verdict") == ADD)]
    return [*listed, *({**each, "verdict": ADD} for each in more if isinstance(each, dict))]


def _as_lines(listed: Iterable[Any]) -> str:
    """Return answers in JSON as one a line."""
    lines = []
    for each in listed:
        if isinstance(each, dict) and each.get("verdict") == ADD:
            lines.append(json.dumps({key: each[key] for key in ("verdict", "text", "from") if each.get(key)}))
        elif isinstance(each, dict):
            kept = {key: each[key] for key in ("id", "verdict", "text") if each.get(key) is not None}
            kept = {key: value for key, value in kept.items() if key != "text" or kept.get("verdict") in _WITH_WORDS}
            lines.append(json.dumps(kept))
        else:
            lines.append(json.dumps({"id": "", "verdict": str(each)[:40]}))
    return "\n".join(lines)
