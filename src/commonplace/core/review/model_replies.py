"""What a model is asked for, and what counts of its reply: it is read like a stranger's.

An answer counts if its id was asked, its verdict exists, and its words come from what was shown. Law: reading never
raises, and no reply answers a question that was not in its request.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.documents.fact_syntax import Head, read_bullet
from commonplace.core.review.review_answers import WORDS, read_answers
from commonplace.core.text.analyzer import document_terms
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_VERDICTS = ("accept", "reject", "edit", "for", "against", "neither")
_LONGEST = 300
"""Characters of new words."""
_LEAST_SHOWN = 0.6
"""Share of the terms of new words that were shown, at least: a sentence in other words has most of them."""
_NUMBER = lazy_pattern(r"\d+(?:[.,:]\d+)*")
_PLACE = lazy_pattern(r"(?<!\w)[a-z]-[a-z0-9]{5}(?!\w)|#L\d+")
"""Ids and lines: of the question, not of what it is about."""
_NAME = lazy_pattern(r"(?<!\w)[A-ZÀ-ÞА-ЯЁ]\w+")
"""What is written as a name in a script with capitals; in the others the share of the terms tells."""
_FENCED = lazy_pattern(r"\{.*\}", re.DOTALL)


class Reply(NamedTuple):
    """What counts of a model's reply."""

    answers: tuple[str, ...]
    """Each as a line for `read_answers`."""
    problems: tuple[str, ...]
    """Why others do not count."""
    whole: bool
    """Whether it is what was asked for: where it leaves a question out, the model cannot tell."""


def schema(ids: tuple[str, ...]) -> dict[str, Any]:
    """Return the JSON schema of the answers to the questions with these ids."""
    answer = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "enum": [*ids]},
            "verdict": {"type": "string", "enum": [*_VERDICTS]},
            "text": {"type": "string", "maxLength": _LONGEST},
        },
        "required": ["id", "verdict"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"answers": {"type": "array", "items": answer, "maxItems": len(ids)}},
        "required": ["answers"],
        "additionalProperties": False,
    }


def read_reply(text: str, shown: Mapping[str, str]) -> Reply:
    """Return what counts of a reply.

    Args:
        shown: id -> everything that the model was shown for a question that it was asked.
    """
    answers: list[str] = []
    problems: list[str] = []
    listed = _listed(text)
    for line in read_answers(text if listed is None else _as_lines(listed)):
        answer = line.answer
        if answer is None:
            problems.append(f"{line.id or 'an answer'}: {line.problem}")
        elif answer.id not in shown:
            problems.append(f"{answer.id}: it was not asked")
        elif answer.text and (wrong := _not_shown(answer.text, shown[answer.id])):
            problems.append(f"{answer.id}: {wrong}")
        else:
            verdict = next(word for word, meant in WORDS.items() if meant == answer.verdict)
            said = {"id": answer.id, "verdict": verdict, **({"text": answer.text} if answer.text else {})}
            answers.append(json.dumps(said, ensure_ascii=True))
    if listed is None and not answers:
        problems = ["the reply has no answers"]
    return Reply(tuple(dict.fromkeys(answers)), tuple(problems), listed is not None)


def _listed(text: str) -> list[Any] | None:
    """Return the answers of a reply in JSON, also within a fence or words around it; None if it is none."""
    found = _FENCED.search(text)
    try:
        told = json.loads(found[0]) if found else None
    except (ValueError, RecursionError):
        return None
    listed = told.get("answers") if isinstance(told, dict) else None
    return listed if isinstance(listed, list) else None


def _as_lines(listed: Iterable[Any]) -> str:
    """Return answers in JSON as one a line."""
    lines = []
    for each in listed:
        if isinstance(each, dict):
            kept = {key: each[key] for key in ("id", "verdict", "text") if each.get(key) is not None}
            kept = {key: value for key, value in kept.items() if key != "text" or kept.get("verdict") in _WITH_WORDS}
            lines.append(json.dumps(kept))
        else:
            lines.append(json.dumps({"id": "", "verdict": str(each)[:40]}))
    return "\n".join(lines)


_WITH_WORDS = ("accept", "edit")
"""Verdicts with which words count; with others they are a reason, which nobody asked for."""


def _not_shown(text: str, shown: str) -> str:
    """Return what new words have that was not shown; empty if nothing."""
    told = _PLACE.sub(" ", shown)
    there, head = fold(told), read_bullet(text)
    said = head.content if isinstance(head, Head) else text
    tags = head.entities if isinstance(head, Head) else ()
    if len(text) > _LONGEST:
        return f"its words are more than {_LONGEST} characters"
    if missing := [number for number in _NUMBER.findall(said) if number not in _NUMBER.findall(told)]:
        return f"{missing[0]} was not in the line"
    names = (*tags, *(found[0] for found in _NAME.finditer(said) if found.start()))  # a capital at the start is no name
    if strange := [name for name in names if fold(name.replace("-", " ")) not in there.replace("-", " ")]:
        return f"{strange[0]} was not in the line"
    terms, known = {*document_terms(fold(said)).split()}, {*document_terms(there).split()}
    if terms and len(terms & known) < _LEAST_SHOWN * len(terms):
        return "most of its words were not in the line"
    return ""
