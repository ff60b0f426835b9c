"""Eight threads share the caches of the core, and each gets what it would get alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

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
