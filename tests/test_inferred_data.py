"""The labelled logs of what is worth proposing: each line has one label, and there is enough of each kind."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parent / "data" / "inferred"
LANGUAGES = {"en", "da", "hi", "ja", "zh-Hans", "zh-Hant"}
SHAPES = {
    *("nested", "bullets", "checklist", "checkpoints", "table", "hours", "prose", "chat"),
    *("mail", "fence", "mixed"),
}
HALVES = {"development": (240, 40), "held": (180, 30)}  # least number of labels, in all and a language

_NO_TEXT = re.compile(r"\s*(?:#{1,6}\s.*|`{3,}\w*|[|:\s-]*)")  # headings, fences, table rules, blank lines


@cache
def labels(half: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / half / "labels.jsonl").read_text(encoding="utf-8").splitlines()]


@cache
def logs(half: str) -> dict[str, list[str]]:
    return {
        path.relative_to(DATA / half).as_posix(): path.read_text(encoding="utf-8").split("\n")
        for path in sorted((DATA / half / "memory").glob("*.md"))
    }


def is_retained(lines: list[str]) -> list[bool]:
    """For each line, whether it stands under the heading `Retain`, which ends at the next heading."""
    inside, found = False, []
    for line in lines:
        if line.startswith("#"):
            inside = line.lstrip("# ") == "Retain"
        found.append(inside)
    return found


def narrative(half: str) -> set[tuple[str, int]]:
    return {
        (path, number)
        for path, lines in logs(half).items()
        for number, (line, retained) in enumerate(zip(lines, is_retained(lines), strict=True), 1)
        if not retained and not _NO_TEXT.fullmatch(line)
    }


def text(half: str, label: dict[str, Any]) -> str:
    line: str = logs(half)[label["path"]][label["line"] - 1]
    return line


def bare(line: str) -> str:
    """The line without bullets, boxes, quotes, width, case and white space, so that copies show."""
    return "".join(unicodedata.normalize("NFKC", re.sub(r"^[\s>*-]*(?:\[.\])?", "", line)).casefold().split())


def names(half: str, entity: str) -> list[str]:
    """What a text may call the entity: its page's name and aliases."""
    page = DATA / half / "bank" / "entities" / f"{entity}.md"
    aliases = re.search(r"^aliases: \[(.*)\]$", page.read_text(encoding="utf-8"), re.M) if page.exists() else None
    return [entity.replace("-", " "), entity, *(aliases[1].split(", ") if aliases else [])]


@pytest.mark.parametrize("half", HALVES)
def test_every_narrative_line_has_exactly_one_label_and_nothing_else_has_one(half: str) -> None:
    places = Counter((label["path"], label["line"]) for label in labels(half))
    assert not [place for place, times in places.items() if times > 1]
    assert sorted(narrative(half) - set(places)) == []
    assert sorted(set(places) - narrative(half)) == []


@pytest.mark.parametrize("half", HALVES)
def test_fields_are_sound(half: str) -> None:
    for label in labels(half):
        assert set(label) == {"path", "line", "language", "shape", "propose", "kind", "about", "why"}, label
        assert label["language"] in LANGUAGES, label
        assert label["shape"] in SHAPES, label
        assert (label["kind"] in {"W", "B", "O"}) if label["propose"] else (label["kind"] is None), label
        assert label["propose"] or not label["about"], label
        assert label["why"] == label["why"].strip() != "", label


@pytest.mark.parametrize("half", HALVES)
def test_the_named_shape_is_that_of_the_line(half: str) -> None:
    """As far as a line shows its shape by itself."""
    starts = {
        "table": r"\|.*\|$",
        "checklist": r"- \[[ x]\] ",
        "checkpoints": r"- ",
        "bullets": r"- ",
        "nested": r" *- ",
        "chat": r"\S+[:：]",
        "hours": r"[^-|>#]",
        "prose": r"[^-|>#]",
    }
    for label in labels(half):
        assert re.match(starts.get(label["shape"], ""), text(half, label)), label


@pytest.mark.parametrize("half", HALVES)
def test_there_is_enough_of_each(half: str) -> None:
    every, each = HALVES[half]
    found = labels(half)
    languages = Counter(label["language"] for label in found)
    assert len(found) >= every
    assert set(languages) == LANGUAGES
    assert min(languages.values()) >= each
    assert {label["shape"] for label in found} == SHAPES
    for language in LANGUAGES:
        worth = [label["propose"] for label in found if label["language"] == language]
        assert 0.35 <= sum(worth) / len(worth) <= 0.45, language
        kinds = {label["kind"] for label in found if label["language"] == language}
        assert kinds == {"W", "B", "O", None}, language


@pytest.mark.parametrize("half", HALVES)
def test_what_a_fact_is_about_is_named_in_its_log(half: str) -> None:
    for label in labels(half):
        lines = logs(half)[label["path"]]
        told = "\n".join(line for line, out in zip(lines, is_retained(lines), strict=True) if not out).casefold()
        for entity in label["about"]:
            assert any(name.casefold() in told for name in names(half, entity)), (label, entity)


@pytest.mark.parametrize("half", HALVES)
def test_what_was_retained_is_told_again_in_every_language(half: str) -> None:
    again = [label for label in labels(half) if label["why"].startswith("retained")]
    assert {label["language"] for label in again} == LANGUAGES
    with_retain = {path for path, lines in logs(half).items() if any(is_retained(lines))}
    assert not [label for label in again if label["why"] == "retained below" and label["path"] not in with_retain]
    elsewhere = [label["path"] for label in again if label["why"] != "retained below"]
    assert elsewhere
    assert not with_retain.intersection(elsewhere)


def test_no_line_stands_twice() -> None:
    """Within a half and across both; only a bare label, such as `Details:`, may."""
    told = Counter(bare(text(half, label)) for half in HALVES for label in labels(half) if label["why"] != "bare label")
    assert not [line for line, times in told.items() if times > 1]


def test_halves_share_no_name() -> None:
    about = [{entity for label in labels(half) for entity in label["about"]} for half in HALVES]
    pages = [{page.stem for page in (DATA / half / "bank" / "entities").glob("*.md")} for half in HALVES]
    assert not about[0] & about[1]
    assert not pages[0] & pages[1]


def test_readme_gives_the_numbers() -> None:
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    for half in HALVES:
        worth, every = sum(label["propose"] for label in labels(half)), len(labels(half))
        each = Counter(label["language"] for label in labels(half)).values()
        share = f"{worth} ({100 * worth / every:.0f} %)"
        assert f"| `{half}/` | {every} | {share} | {len(logs(half))} | {min(each)} to {max(each)} |" in readme
