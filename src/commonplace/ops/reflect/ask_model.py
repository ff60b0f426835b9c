"""Asks a model the open questions, in requests of a few, and hands on what counts of its replies.

What is asked is gathered first, so that nothing waits for the model: neither the index nor another program. The
answers are carried out afterwards as those of anybody (`ops.reflect.review`).
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple, Protocol

from commonplace.core.markdown.page_links import quoted
from commonplace.core.memo import DIGEST_SIZE
from commonplace.core.recall.packing import count_tokens
from commonplace.core.review.model_replies import read_reply, schema
from commonplace.core.review.packet import asked_by_id, fitted, rendered, without
from commonplace.core.secrets.guard import masked
from commonplace.core.tables import prose
from commonplace.core.text.escaping import line_for_model, place_for_model
from commonplace.errors import ModelUnavailable
from commonplace.ops.beliefs.believe import gather
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.reflect.gather_packet import whole_packet

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import date
    from typing import Any

    from commonplace.core.memo import Progress
    from commonplace.core.model import Citation
    from commonplace.core.review.packet import Packet
    from commonplace.core.secrets.redaction import Withheld
    from commonplace.ops.reflect.review import Answered
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace

_QUESTIONS = 800
"""Tokens of the questions of one request, about: small models lose the thread in more."""
_MOST_IN_ONE = 6
_ANSWER = 40
"""Tokens of one answer, at most, but for its words."""
_WORDS = 100
_NEAR = 2
"""Lines before and after a line that are shown."""
_LONGEST = 200
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


class ModelRequest(NamedTuple):
    """Some questions, to be asked together."""

    text: str
    shown: dict[str, str]
    """By the id of each question all that is shown of it."""
    digests: dict[str, bytes]
    """By the id of each question what it is known by when it was asked."""

    @property
    def most(self) -> int:
        """Tokens of its answers, at most."""
        return sum(_ANSWER + (_WORDS if id[:2] in ("i-", "c-", "e-") else 0) for id in self.shown)


class ModelRun(NamedTuple):
    """What came of asking a model."""

    name: str
    """The model's."""
    asked: int
    """Questions."""
    answered: int
    """Questions that its answers settled."""
    left: int
    """Questions that were not asked: the budget was spent, or the model failed."""
    known: int
    """Questions that it was asked before, and that have not changed."""
    tokens: int
    seconds: float
    problems: tuple[str, ...] = ()
    """Why answers did not count, and why no more were asked for."""
    done: Answered | None = None
    """What the answers did; None if there are none."""


class OpenRequests(NamedTuple):
    """What is asked in one run."""

    batches: list[ModelRequest]
    """The most valuable questions first."""
    left: int
    """Questions for which the budget has no room."""
    known: int
    """Questions that were asked before."""


class Replies(NamedTuple):
    """What a model replied to all requests."""

    text: str
    """The answers that count, one a line."""
    asked: int
    """Questions of the requests that it replied to."""
    heard: tuple[bytes, ...]
    """The digests of those to which it replied as it was asked, if only that it cannot tell."""
    tokens: int
    seconds: float
    problems: tuple[str, ...]


def open_requests(
    index: Index, workspace: Workspace, *, today: date, known: Collection[bytes], budget: int
) -> OpenRequests:
    """Return the requests that a budget of tokens allows.

    Args:
        known: digests of questions that were asked before.
    """
    got = gather(index, FileTexts(workspace), today=today)
    whole = whole_packet(index, got, since=None)._replace(facts=(), disputes=(), notes=())
    digests = {id: _digest(line) for id, (line, _) in asked_by_id(whole).items()}
    old = {id for id, digest in digests.items() if digest in known}
    rest, found = without(whole, old), []
    while True:
        batch = fitted(rest, _QUESTIONS + count_tokens(prose("packet")), withheld=got.withheld)
        asked = dict([*asked_by_id(batch).items()][:_MOST_IN_ONE])
        if not asked:
            break
        batch = without(batch, asked_by_id(batch).keys() - asked.keys())._replace(left_out={})
        request = _request(index, batch, asked, digests, withheld=got.withheld)
        budget -= count_tokens(prose("decide")) + count_tokens(request.text) + request.most
        if budget < 0:
            break
        found.append(request)
        rest = without(rest, asked.keys())
    left = len(digests) - len(old) - sum(len(each.shown) for each in found)
    return OpenRequests(found, left, len(old))


def _digest(line: str) -> bytes:
    return blake2b(line.encode("utf-8", "surrogatepass"), digest_size=DIGEST_SIZE).digest()


def _request(
    index: Index,
    batch: Packet,
    asked: Mapping[str, tuple[str, Sequence[Citation]]],
    digests: Mapping[str, bytes],
    *,
    withheld: Withheld,
) -> ModelRequest:
    around: dict[Citation, str] = {}
    for _, places in asked.values():
        around.update((place, _around(index, place, withheld)) for place in places if place not in around)
    beside = "\n".join(filter(None, around.values()))
    text = rendered(batch, how=f"## Around these lines\n\n{beside}\n" if beside else "")
    shown = {id: "\n".join([line, *(around[place] for place in places)]) for id, (line, places) in asked.items()}
    return ModelRequest(text, shown, {id: digests[id] for id in asked})


def _around(index: Index, place: Citation, withheld: Withheld) -> str:
    """Return the headings of a line and what the author wrote beside it, as data; empty if there is nothing."""
    row = index.row_at(*place)
    if row is None:
        return ""
    before, after = index.neighbours([row], before=_NEAR, after=_NEAR).get(row, ((), ()))
    others = index.said_by_others(each for each, _, _ in (*before, *after))
    told = [
        *(f"  - below: {each}" for each in _quotes(index.context(index.lines([row])[row]), withheld)),
        *(f"  - before: {each}" for each in _quotes((t for r, _, t in reversed(before) if r not in others), withheld)),
        *(f"  - after: {each}" for each in _quotes((t for r, _, t in after if r not in others), withheld)),
    ]
    return "\n".join([f"- {place_for_model(str(place))}", *told]) if told else ""


def _quotes(texts: Iterable[str], withheld: Withheld) -> Iterator[str]:
    for text in texts:
        said = line_for_model(quoted(masked(text))).replace("“", "'").replace("”", "'")
        if said.strip() and not withheld.repeated(text):
            yield f"“{said if len(said) <= _LONGEST else f'{said[: _LONGEST - 1]}…'}”"


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
    asked, tokens, seconds, total = 0, 0, 0.0, sum(len(each.shown) for each in batches)
    for request in batches:
        if progress is not None:
            progress(asked, total)
        if tokens > budget:
            problems.append(f"the budget of {budget:,} tokens is spent")
            break
        try:
            told = chat.answer(prose("decide"), request.text, schema=schema(tuple(request.shown)), most=request.most)
        except ModelUnavailable as error:
            problems.append(f"{error.message}: {error.hint}")
            break
        tokens, seconds = tokens + told.tokens, seconds + told.seconds
        reply = read_reply(told.text, request.shown)
        lines += reply.answers
        problems += reply.problems
        asked += len(request.shown)
        heard += request.digests.values() if reply.whole or reply.answers else ()
    if progress is not None:
        progress(asked, total)
    return Replies("\n".join(lines), asked, tuple(heard), tokens, seconds, tuple(problems))
