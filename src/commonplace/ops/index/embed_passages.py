"""Embeds the passages that have no vector yet: those of facts first, then the newest.

A passage is embedded once, whatever becomes of its file: its vector is found by a digest of its text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import searchable
from commonplace.core.meaning.passages import passage_key, passages
from commonplace.core.model import Fact
from commonplace.core.recall.index_rows import chain
from commonplace.core.secrets.guard import masked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from commonplace.store.embedders.embedder_port import Vectors
    from commonplace.store.sqlite import Index
    from commonplace.store.vectors.vector_set import VectorSet

BATCH = 32
"""Passages that are embedded and stored at a time, about a second of a local model: so much is lost at most."""


class Embedded(NamedTuple):
    """The state of the passages after some were embedded."""

    added: int
    """Passages that were embedded now."""
    passages: int
    """All passages of the workspace, each once."""
    left: int
    """Those without a vector."""


def pending(index: Index, vectors: VectorSet) -> tuple[list[tuple[int, int]], int]:
    """Return (key, row) of each passage without a vector, in the order of embedding, and the number of all passages."""
    told = index.all_passages()
    missing = {*vectors.refresh().missing([key for key, _ in told])}
    return [each for each in told if each[0] in missing], len(told)


def embed(
    index: Index,
    vectors_of: Callable[[Sequence[str]], Vectors],
    vectors: VectorSet,
    *,
    todo: Sequence[tuple[int, int]],
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> int:
    """Embed and store these passages; return how many. What is stored stays, whatever ends this.

    A passage with what looks like a secret is sent to no embedder: it gets a vector of zeros, which is near nothing.

    Args:
        vectors_of: embeds texts; it may raise CommonplaceError.
        todo: (key, row) of each.
        progress: called with (passages done, passages to do).
    """
    added = 0
    for start in range(0, len(todo), BATCH):
        progress(start, len(todo))
        part = todo[start : start + BATCH]
        missing = {*vectors.refresh().missing([key for key, _ in part])}  # another process may embed them, too
        texts = _texts(index, [each for each in part if each[0] in missing])
        safe = {key: text for key, text in texts.items() if masked(text) == text}
        unsafe = [key for key in texts if key not in safe]
        if safe:
            vectors.add([*safe], vectors_of([*safe.values()]))
        if unsafe:
            vectors.add_nothing(unsafe)
        added += len(texts)
    progress(len(todo), len(todo))
    return added


def _texts(index: Index, todo: Sequence[tuple[int, int]]) -> dict[int, str]:
    """Key -> passage, without those of lines that have changed meanwhile."""
    lines = index.lines({row for _, row in todo})
    above = index.ancestors(stored.parent for stored in lines.values())
    wanted = {key for key, _ in todo}
    beside = index.neighbours(lines)
    found = {}
    for row, stored in lines.items():
        line = stored.line
        text = searchable(line.content, line.entities if isinstance(line, Fact) else ())
        turns = ["", *(before for _, _, before in beside[row][0])]  # whether the one before is a turn, the key tells
        for each in (each for turn in turns for each in passages(text, chain(stored.parent, above), before=turn)):
            if (key := passage_key(each)) in wanted:
                found[key] = each
    return found
