"""Eight threads share the caches of the core, and each gets what it would get alone."""

from __future__ import annotations

import ast
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

import commonplace
from commonplace.core import when
from commonplace.core.documents.parse import parse
from commonplace.core.secrets.detector import secrets
from commonplace.core.stance import weigh
from commonplace.core.text import analyzer

if TYPE_CHECKING:
    from collections.abc import Callable

TODAY = date(2026, 2, 1)
THREADS = 8
LINES = [
    *(f"Moved the pump-{n} to rack/{n}a on March {n % 28 + 1}, 2025: café-{n * 7919 % 1009} runs." for n in range(60)),
    *(f"王芳在{n}月搬到杭州,电话改到{n}点。" for n in range(1, 12)),
    *(f"由紀は大阪に住んでいる。{n}月{n}日に引っ越した。" for n in range(1, 12)),
    *(f"Ingrid flyttede til Aarhus den {n}. maj og betaler {n}00 kr." for n in range(1, 28)),
    "a" * 90 + "-" + "b" * 90,
]
JOBS: dict[str, Callable[[str], object]] = {
    "terms": analyzer.document_terms,
    "query": analyzer.query_terms,
    "dates": lambda line: when.find(line, TODAY),
    "parse": lambda line: parse("memory/2026-02-01.md", f"## Retain\n- W @Peter: {line}\n"),
    "stance": lambda line: weigh("Peter prefers tea.", line),
    "secrets": lambda line: list(secrets(line)),
}


@pytest.mark.parametrize("job", JOBS)
def test_eight_threads_get_what_one_gets(job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyzer, "_CACHED_CHUNKS", 50)  # so that it is emptied all the time
    work = JOBS[job]
    alone = list(map(work, LINES))
    start = Barrier(THREADS)

    def beside(first: int) -> list[object]:
        start.wait()
        turned = [*LINES[first:], *LINES[:first]]
        found = [[work(line) for line in turned] for _ in range(5)]
        assert all(each == found[0] for each in found)
        return [*found[0][len(LINES) - first :], *found[0][: len(LINES) - first]]

    with ThreadPoolExecutor(THREADS) as threads:
        for found in threads.map(beside, range(0, THREADS * 10, 10)):
            assert found == alone


CORE = Path(commonplace.__file__).parent / "core"
NAMES = {"code", "endings", "far", "key", "language", "languages", "lists", "name", "of", "other", "part", "plain"}
NAMES |= {"first", "letters", "pattern", "script", "scripts", "shape", "spaced"}
"""Parameters that take names and words of the program, of which there are few."""
SELF_FILLING = {"CharacterTable", "PhraseFinder", "_Chunks", "_Words"}
"""Dictionaries of the process that fill themselves, each with a bound."""
OF_ONE_RECALL = {"Occurrences", "_Above", "_Standing"}


def test_what_is_kept_by_a_text_of_users_has_a_bound() -> None:
    unbounded, filling = set(), set()
    for path in CORE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and "cache" in map(ast.unparse, node.decorator_list):
                taken = (*node.args.args, *node.args.kwonlyargs, node.args.vararg)
                unbounded |= {f"{path.name}: {node.name}({one.arg})" for one in taken if one and one.arg not in NAMES}
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base).startswith("dict[") for base in node.bases):
                filling.add(node.name)
    assert not unbounded, "use lru_cache with a bound, or a parameter named as in NAMES"
    assert filling == SELF_FILLING | OF_ONE_RECALL
