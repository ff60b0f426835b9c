"""What a host copies of its own accord counts as generated, and nothing beside it."""

from __future__ import annotations

import pytest

from commonplace.core.documents.host_copies import copied_lines, has_copies
from commonplace.core.documents.parse import parse
from commonplace.core.model import Origin

LOG = """# 2026-05-07
- We moved the nets to the east jetty

## Light Sleep
<!-- openclaw:dreaming:light:start -->
- Candidate: We moved the nets to the east jetty
  - status: staged
### Reflections
<!-- openclaw:dreaming:light:end -->
- Bjarne came by
"""
CORE = """# Memory
- Bjarne mends the nets

## Promoted From Short-Term Memory (2026-05-07)

<!-- openclaw-memory-promotion:memory:memory/2026-05-06.md:3:4 -->
- We moved the nets [score=0.872 recalls=0]
<!-- openclaw-memory-promotion:memory:memory/2026-05-06.md:9:9 -->
- Ebbe paid

- Written by hand
"""


@pytest.mark.parametrize(
    ("path", "text", "copied"),
    [
        ("memory/2026-05-07.md", LOG, range(5, 10)),
        ("memory/2026-05-07.md", LOG.replace("light:end", "rem:end"), ()),
        ("memory/2026-05-07.md", f"```\n{LOG}```\n- Bjarne came by\n", ()),
        ("MEMORY.md", CORE.replace("paid\n\n", "paid\n  - twice\n"), range(6, 11)),
        ("MEMORY.md", CORE, range(6, 10)),
        ("memory/dreaming/rem/2026-05-07.md", "# REM Sleep\n- We moved the nets", range(1, 3)),
        ("memory/2026-05-08.md", "- We spoke of openclaw:dreaming: and its marks\n", ()),
        ("memory/2026-05-08.md", "- I was dreaming\n", ()),
    ],
)
def test_lines_that_a_host_copied_are_told_from_those_beside_them(path: str, text: str, copied: object) -> None:
    assert copied_lines(path, text) == set(copied)  # type: ignore[call-overload]
    marked = {line.number for line in parse(path, text).lines if line.generated}
    assert marked <= set(copied)  # type: ignore[call-overload]
    assert has_copies(path, text) or not marked


def test_a_fact_stays_one_wherever_a_host_copied_it() -> None:
    (fact,) = [line for line in parse("memory/2026-05-07.md", LOG.replace("Candidate:", "W @Ebbe:")).lines if line.fact]
    assert fact.fact is not None and fact.fact.origin is Origin.RETAINED and not fact.generated


def test_a_day_that_dreams_tells_each_thing_once() -> None:
    told = [line.text for line in parse("memory/2026-05-07.md", LOG).lines if not line.generated]
    assert told.count("We moved the nets to the east jetty") == 1
    assert "Bjarne came by" in told
