"""Asks a model the open questions, and hands on what counts of its replies.

The answers are carried out afterwards as those of anybody (`ops.review.carry_out`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from commonplace.core.review.model_replies import read_reply, schema
from commonplace.core.tables import prose
from commonplace.errors import ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from commonplace.core.memo import Progress
    from commonplace.ops.review.carry_out import Answered
    from commonplace.ops.review.model_requests import ModelRequest
    from commonplace.store.sqlite import Index

INTERRUPTED = "interrupted: what was answered before is carried out"
_ASKED = "asked of "
"""Name in the cache; behind it the model's."""


class ModelReply(Protocol):
    """What a model says, and what it cost."""

    @property
    def text(self) -> str:
        """Its words."""

    @property
    def tokens(self) -> int:
        """Of both sides."""

    @property
    def seconds(self) -> float:
        """Until it came."""


class AskedModel(Protocol):
    """A model that can be asked."""

    name: str

    def answer(self, task: str, text: str, *, schema: Mapping[str, Any] | None = None, most: int) -> ModelReply:
        """Its reply. Raises ModelUnavailable."""


class ModelRun(NamedTuple):
    """What came of asking a model."""

    name: str
    """The model's."""
    asked: int
    """Questions."""
    answered: int
    """Questions that its answers settled."""
    added: int
    """Facts that it added: they wait for a person, unless it may retain them."""
    left: int
    """Questions that were not asked: the budget was spent, or the model failed."""
    known: int
    """Questions that it was asked before, and that have not changed."""
    tokens: int
    seconds: float
    problems: tuple[str, ...] = ()
    """Why answers did not count, and why no more were asked for."""
    done: tuple[Answered, ...] = ()
    """What the answers did: first those on facts, then the sentences that rest on them."""


class Replies(NamedTuple):
    """What a model replied to all requests."""

    text: str
    """The answers that count, one a line."""
    asked: tuple[bytes, ...]
    """The digests of the questions of the requests that it replied to."""
    heard: tuple[bytes, ...]
    """The digests of those to which it replied as it was asked, if only that it cannot tell."""
    tokens: int
    seconds: float
    problems: tuple[str, ...]
    failed: bool
    """Whether the model failed, or the person did not want to wait."""


def asked_before(index: Index, name: str) -> set[bytes]:
    """Return the digests of the questions that a model was asked before; a new index knows of none."""
    return set(index.cached(_ASKED + name) or ())


def note_asked(index: Index, name: str, digests: Iterable[bytes]) -> None:
    """Store that a model was asked these questions."""
    index.cache(_ASKED + name, sorted(asked_before(index, name) | {*digests}))


def ask_model(
    batches: Sequence[ModelRequest], chat: AskedModel, *, budget: int, progress: Progress | None = None
) -> Replies:
    """Ask a model, one request after the other, until it fails or has cost more than the budget.

    Args:
        progress: called with (questions asked, questions to ask).
    """
    lines: list[str] = []
    problems: list[str] = []
    heard: list[bytes] = []
    asked: list[bytes] = []
    failed, tokens, seconds, total = False, 0, 0.0, sum(len(each.digests) for each in batches)
    for request in batches:
        if progress is not None:
            progress(len(asked), total)
        if tokens > budget:
            problems.append(f"the budget of {budget:,} tokens is spent")
            break
        try:
            held = schema(request.digests, request.places)
            told = chat.answer(prose("decide"), request.text, schema=held, most=request.most)
        except ModelUnavailable as error:
            problems.append(str(error))
            failed = True
            break
        except KeyboardInterrupt:
            problems.append(INTERRUPTED)  # what it answered before was paid for
            failed = True
            break
        tokens, seconds = tokens + told.tokens, seconds + told.seconds
        reply = read_reply(told.text, request.digests, request.places)
        lines += reply.answers
        problems += reply.problems
        asked += request.digests.values()
        heard += request.digests.values() if reply.whole or reply.answers else ()
    if progress is not None:
        progress(len(asked), total)
    return Replies("\n".join(lines), tuple(asked), tuple(heard), tokens, seconds, tuple(problems), failed)
