"""The format by example: every case of docs/format.md and tests/corpus/*.md is parsed and compared.

A case is a fence `markdown` (the input), then a fence `facts` (what parsing must find: facts and problems, one a line),
and, where they matter, a fence `lines` (all other lines) or `opinions` (of a bank page). Its title is the heading above
it. The words after `markdown` are `path=…` (default `memory/2025-11-27.md`) and `escapes` (the input is read with JSON
escapes, for characters that an editor would not show). So anyone can add a case without knowing Python.

    L3 O(c=0.95) [Peter] recorded=2025-11-27 valid=2025-11-27/2025-12-01 … ^k7f3qa "narrative text"
    L4 ! bad-confidence

A fact shows only what is not the rule: `recorded` when it is none or not the path's day, `lines` when more than one.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from commonplace import Memory
from commonplace.core.documents.file_problems import FAULTS
from commonplace.core.documents.parse import parse
from commonplace.core.model import Fact, Opinion, Origin, Problem, Trailer
from commonplace.core.opinions import opinion_reader
from commonplace.core.when import path_day
from commonplace.errors import CommonplaceError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonplace.core.documents.parsed_document import Document, ParsedLine

ROOT = Path(__file__).parent.parent
SOURCES = [ROOT / "docs" / "format.md", *sorted((ROOT / "tests" / "corpus").glob("*.md"))]
FENCE = re.compile(r"^(?P<mark>`{3,}|~{3,})(?P<info>.*)$")
NOTHING = "(none)"


class Case(NamedTuple):
    """One example."""

    title: str
    line: int
    path: str
    text: str
    facts: list[str] | None = None
    lines: list[str] | None = None
    opinions: list[str] | None = None


def cases(source: Path) -> list[Case]:
    """The examples of one page, in order."""
    found: list[Case] = []
    title = ""
    for number, info, body in blocks(source.read_text(encoding="utf-8")):
        words = info.split()
        if info.startswith("#"):
            title = info.strip("# ")
        elif words[:1] == ["markdown"]:
            text = json.loads(f'"{body.rstrip()}"'.replace("\n", "\\n")) if "escapes" in words else body
            path = next((word[5:] for word in words if word.startswith("path=")), "memory/2025-11-27.md")
            found.append(Case(title, number, path, text))
        elif words == ["facts"]:
            found[-1] = found[-1]._replace(facts=[line for line in body.splitlines() if line != NOTHING])
        elif words == ["lines"]:
            found[-1] = found[-1]._replace(lines=body.splitlines())
        elif words == ["opinions"]:
            found[-1] = found[-1]._replace(opinions=body.splitlines())
    return found


def blocks(text: str) -> list[tuple[int, str, str]]:
    """Each fence as (line, info, body), and each heading as (line, the heading itself, "")."""
    found: list[tuple[int, str, str]] = []
    mark, info, start, body = "", "", 0, list[str]()
    for number, line in enumerate(text.split("\n"), 1):
        if mark:
            if line.startswith(mark) and not line.strip(mark[0]):
                found.append((start, info, "".join(f"{part}\n" for part in body)))
                mark = ""
            else:
                body.append(line)
        elif opened := FENCE.match(line):
            mark, info, start, body = opened["mark"], opened["info"].strip() or "text", number, []
        elif line.startswith("#"):
            found.append((number, line, ""))
    return found


def show(document: Document) -> list[str]:
    """Facts and problems of a document as the examples write them, by line."""
    shown = [(fact.source.line, _fact(fact, document.path)) for fact in document.facts]
    shown += [(problem.source.line, _problem(problem)) for problem in document.problems]
    return [text for _, text in sorted(shown)]


def _fact(fact: Fact, path: str) -> str:
    confidence = "" if fact.confidence is None else f"(c={fact.confidence:g})"
    parts = [f"L{fact.source.line} {fact.kind.letter}{confidence}", f"[{' '.join(fact.entities)}]"]
    if fact.recorded is None or fact.recorded != path_day(path):
        parts.append(f"recorded={fact.recorded or 'none'}")
    if fact.valid is not None:
        parts.append(f"valid={fact.valid}")
    if fact.origin is not Origin.RETAINED:
        parts.append(fact.origin.value)
    if fact.lines > 1:
        parts.append(f"lines={fact.lines}")
    if fact.mentions:
        parts.append(f"mentions=[{' '.join(fact.mentions)}]")
    parts += _trailer(fact.trailer)
    if fact.block_id:
        parts.append(f"^{fact.id}")
    return " ".join([*parts, json.dumps(fact.content, ensure_ascii=False)])


def _trailer(trailer: Trailer) -> list[str]:
    ids = ("supersedes", "supports", "contradicts", "retracts")
    parts = [f"{key}={','.join('^' + item for item in getattr(trailer, key))}" for key in ids if getattr(trailer, key)]
    parts += [f"src={trailer.src}"] if trailer.src else []
    return parts + [f"{key}={value}" for key, value in trailer.other]


def _problem(problem: Problem) -> str:
    return f"L{problem.source.line} ! {problem.code}"


def _opinion(opinion: Opinion) -> str:
    assert opinion.source is not None
    parts = [f"L{opinion.source.line} {opinion.confidence:.2f} [{' '.join(opinion.entities)}]"]
    parts += [f"updated={opinion.last_updated}"] if opinion.last_updated else []
    parts += [f"{weight.stance}={weight.source.path}" for weight in opinion.evidence]
    return " ".join([*parts, json.dumps(opinion.statement, ensure_ascii=False)])


def show_lines(document: Document) -> list[str]:
    """Every line that is no fact, with what stands above it."""
    head = [f"aliases {' · '.join(document.aliases)}"] if document.aliases else []
    return head + [_line(document.lines, line) for line in document.lines if line.fact is None]


def _line(lines: tuple[ParsedLine, ...], line: ParsedLine) -> str:
    above = list[str]()
    parent = line.parent
    while parent >= 0:
        above.insert(0, lines[parent].text)
        parent = lines[parent].parent
    parts = [f"L{line.number} {line.role.value}", json.dumps(line.text, ensure_ascii=False)]
    parts += [f"said by {line.speaker}"] if line.speaker else []
    parts += ["generated"] if line.generated else []
    parts += [f"under {' > '.join(above)}"] if above else []
    return " ".join(parts)


CASES = [
    pytest.param(case, id=f"{source.stem}:{case.line} {case.title}") for source in SOURCES for case in cases(source)
]


@pytest.mark.parametrize("case", CASES)
def test_each_example_of_the_corpus_has_its_facts_and_problems(case: Case) -> None:
    document = parse(case.path, case.text)
    assert case.facts is not None, "a `markdown` fence without a `facts` fence"
    assert show(document) == case.facts
    if case.lines is not None:
        assert show_lines(document) == case.lines
    if case.opinions is not None:
        assert [_opinion(opinion) for opinion in opinion_reader.read(case.path, case.text)] == case.opinions


def test_there_are_enough_examples() -> None:
    """A reader of fences that silently finds none would pass every test above."""
    assert len(CASES) >= 60
    assert len({str(param.id) for param in CASES}) == len(CASES)


def test_the_tables_of_problems_are_complete() -> None:
    """Every code that the program can put into a Problem is explained, and none that it cannot."""
    page = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
    section = page[page.index("\n## Problems\n") : page.index("\n## Pages that reflect writes\n")]
    explained = re.findall(r"^\| `([a-z0-9-]+)` \|", section, re.MULTILINE)
    assert set(explained) == {*FAULTS, *_codes()}


def _codes() -> Iterator[str]:
    """The literal codes in the source: `Problem(place, code, …)`, `Defect(code, …)`, and what notes one for later."""
    place = {"Problem": 1, "Defect": 0, "_problem": 1, "problem": 1, "warn": 1}
    for source in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            code = node.args[place[name]] if name in place and len(node.args) > place[name] else None
            if isinstance(code, ast.Constant):
                yield str(code.value)


def test_this_version_may_be_stated(tmp_path: Path) -> None:
    (tmp_path / "commonplace.toml").write_text("format = 1\n", encoding="utf-8")
    with Memory(str(tmp_path)) as memory:
        assert memory.retain("W @Peter: Lives in Vienna.").created


def test_a_newer_version_is_read_and_never_written(tmp_path: Path) -> None:
    (tmp_path / "commonplace.toml").write_text("format = 2\n", encoding="utf-8")
    log = tmp_path / "memory" / "2025-11-27.md"
    log.parent.mkdir()
    log.write_text("## Retain\n- W @Peter: Lives in Vienna.\n", encoding="utf-8")
    with Memory(str(tmp_path)) as memory:
        assert memory.recall("Vienna").hits[0].line.content == "Lives in Vienna."
        for write in (lambda: memory.retain("W @Peter: Lives in Graz."), lambda: memory.reflect(yes=True), memory.init):
            with pytest.raises(CommonplaceError, match="format 2"):
                write()
    assert sorted(path.name for path in tmp_path.rglob("*.md")) == ["2025-11-27.md"]
