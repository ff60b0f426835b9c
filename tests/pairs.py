"""The labelled pairs of tests/data/succession, and what the rules make of a pair."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.claims.claim_reader import claims
from commonplace.core.claims.succession import FOREVER, OVER, Standing, fates
from commonplace.core.claims.terminations import so
from commonplace.core.documents.parse import parse
from commonplace.core.model import Kind

if TYPE_CHECKING:
    from commonplace.core.model import Fact

FOLDER = Path(__file__).parent / "data" / "succession"
LANGUAGES = ("en", "da", "zh-hans", "zh-hant", "ja", "hi", "ru")
HELD = 3
"""Every third pair of a language is held out."""


class Pair(NamedTuple):
    """Two facts, and what the second says of the first."""

    language: str
    title: str
    older: Fact
    newer: Fact
    label: str
    held: bool


@cache
def pairs(part: str = "") -> tuple[Pair, ...]:
    """Every pair of the folder, or of the part of it with this name, in order."""
    found = []
    for language in LANGUAGES:
        text = (FOLDER / part / f"{language}.md").read_text(encoding="utf-8")
        for number, block in enumerate(text.split("\n## ")[1:], 1):
            heading, *bullets = block.strip().split("\n")
            title, _, label = heading.rpartition(" — ")
            older, newer = (_fact(bullet, place) for place, bullet in enumerate(bullets))
            found.append(Pair(language, title, older, newer, label, number % HELD == 0))
    return tuple(found)


def _fact(bullet: str, place: int) -> Fact:
    """A bullet `- 2025-03-01 W @Peter: …` as the fact of that day's log; `undated`: of a file without a day."""
    day, _, text = bullet.removeprefix("- ").partition(" ")
    path = f"memory/{day}.md" if re.fullmatch(r"\d{4}-\d\d-\d\d", day) else f"memory/notes-{place}.md"
    return parse(path, f"## Retain\n- {text}\n").facts[0]


def said(older: Fact, newer: Fact) -> str:
    """What the rules say of a pair: supersedes, disputes, neither, or (which would be wrong) reversed."""
    slots: dict[tuple[str, str], list[Standing]] = {}
    for row, fact in enumerate((older, newer), 1):
        for claim in claims(fact):
            begins, ends, day = (each.toordinal() if each else 0 for each in (claim.begins, claim.ends, fact.recorded))
            what = (claim.slot, claim.value, claim.manner)
            said_by = (fact.kind is Kind.EXPERIENCE, fact.trailer.src)
            standing = Standing(row, *what, begins, ends or FOREVER, day, *said_by)
            slots.setdefault((claim.key, claim.slot), []).append(standing)
            if claim.slot.startswith(OVER):
                told = so(newer if fact is older else older, 3 - row, end=standing, names=(claim.key,))
                slots[claim.key, claim.slot] += [told] if told is not None else []
    found = {"neither"}
    for group in slots.values():
        became = fates(group, (1, 2))
        if 2 in became and became[2].superseded_by:
            found.add("reversed")
        if 1 in became:
            found.add("supersedes" if became[1].superseded_by else "disputes")
    return next(word for word in ("reversed", "supersedes", "disputes", "neither") if word in found)
