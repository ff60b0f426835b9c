"""Makes the requests for a model: a few open questions each, with what their authors wrote beside the lines.

Everything is gathered before the first is asked, so that nothing waits for the model: neither the index nor another
program.
"""

from __future__ import annotations

from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_names import candidates, choose
from commonplace.core.markdown.bank_layout import REVIEW
from commonplace.core.memo import DIGEST_SIZE
from commonplace.core.model import Citation
from commonplace.core.recall.packing import count_tokens
from commonplace.core.review.packet import asked_by_id, fitted, rendered, without
from commonplace.core.tables import prose
from commonplace.core.text.escaping import line_for_model
from commonplace.errors import WorkspaceError
from commonplace.ops.beliefs.believe import gather
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.beliefs.unreadable import held_back, left_all
from commonplace.ops.reflect.page_sentences import SentencePages
from commonplace.ops.reflect.page_subjects import named
from commonplace.ops.reflect.propose import open_questions
from commonplace.ops.review.answerable import refusal
from commonplace.ops.review.gather_packet import whole_packet
from commonplace.ops.review.lines_beside import beside, places_about, rendered_beside

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import date

    from commonplace.core.review.packet import AskedItem, Packet
    from commonplace.core.secrets.redaction import Withheld
    from commonplace.ops.beliefs.believe import Gathered
    from commonplace.ops.review.lines_beside import Beside
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace

_QUESTIONS = 800
"""Tokens of the questions of one request, about: small models lose the thread in more."""
_MOST_IN_ONE = 6
_MOST_TOKENS = 3_000
"""Of one request with its answers: servers that give a model 4,096 by default cut the rest off, and do not say so."""
_USABLE = 0.7
"""Share of what a model reads at once that a request may have: our count of tokens is an estimate, and models count
more in other scripts than Latin."""
_ANSWER = 40
"""Tokens of one answer, at most, but for its words."""
_WORDS = 100
_MOST_NAMES = 20
"""Known names that are listed."""


def request_limit(reads: int | None) -> int:
    """Return how many tokens a request may have with its answers.

    Args:
        reads: tokens that the model reads at once, if known.
    """
    return min(_MOST_TOKENS, int(reads * _USABLE)) if reads else _MOST_TOKENS


class ModelRequest(NamedTuple):
    """Some questions, to be asked together."""

    text: str
    digests: dict[str, bytes]
    """By the id of each question what it is known by when it was asked."""
    places: tuple[str, ...]
    """Of the lines that are shown beside them."""

    @property
    def most(self) -> int:
        """Tokens of its answers, at most."""
        return _WORDS + sum(_ANSWER + (_WORDS if id[:2] in ("i-", "c-", "e-", "s-") else 0) for id in self.digests)

    @property
    def cost(self) -> int:
        """Tokens of the request with its answers, about."""
        return count_tokens(prose("decide")) + count_tokens(self.text) + self.most


class OpenRequests(NamedTuple):
    """What is asked in one run."""

    batches: list[ModelRequest]
    """The most valuable questions first."""
    left: int
    """Questions for which the budget has no room."""
    known: int
    """Questions that were asked before."""


def open_requests(
    index: Index,
    workspace: Workspace,
    *,
    today: date,
    known: Collection[bytes],
    skip: Collection[bytes] = (),
    budget: int,
    most: int,
    pages: bool | None = None,
) -> OpenRequests:
    """Return the requests that a budget of tokens allows.

    Args:
        known, skip: digests of questions that were asked before, and of those that this run has asked.
        most: tokens of one request with its answers; one question is asked even if it has more.
        pages: only for the sentences of pages, or all but for these; None: for all.

    Raises WorkspaceError or Busy if answers could not be written.
    """
    texts = FileTexts(workspace)
    if (wrong := refusal(index, texts, text=texts.text(REVIEW))) is not None:
        raise wrong
    if missed := held_back(index, texts):
        raise WorkspaceError(left_all(missed), "make those files readable; delete what you do not need")
    got = gather(index, texts, today=today)
    waits = open_questions(index, got, text=got.texts.text(REVIEW))
    whole = whole_packet(got, waits)._replace(facts=(), disputes=(), notes=())
    if pages:
        whole = without(whole, asked_by_id(whole).keys())
    if pages is not False:
        whole = whole._replace(pages=SentencePages(index, got, today=today).open())

    def around(question: object) -> list[Beside]:
        found = (beside(index, place, got.withheld) for place in places_about(index, question))
        return [each for each in found if each is not None]

    return requests_of(
        whole,
        Surroundings(around, lambda texts: _known_names(got, texts), got.withheld),
        known=known,
        skip=skip,
        budget=budget,
        most=most,
    )


class Surroundings(NamedTuple):
    """What is shown with questions."""

    around: Callable[[object], Sequence[Beside]]
    """Returns what stands beside the lines of a question."""
    names: Callable[[Iterable[str]], str]
    """Returns the known names in some texts."""
    withheld: Withheld


def requests_of(
    whole: Packet,
    shown: Surroundings,
    *,
    known: Collection[bytes] = (),
    skip: Collection[bytes] = (),
    budget: int,
    most: int,
) -> OpenRequests:
    """Return the requests for the questions of a packet, as of `open_requests`."""
    every = {id: _digest(each.text) for id, each in asked_by_id(whole).items()}
    digests = {id: digest for id, digest in every.items() if digest not in skip}
    old = {id for id, digest in digests.items() if digest in known}
    rest, found = without(whole, old | (every.keys() - digests.keys())), []
    while True:
        batch = fitted(rest, _QUESTIONS + count_tokens(prose("packet")), withheld=shown.withheld)
        asked = dict([*asked_by_id(batch).items()][:_MOST_IN_ONE])
        if not asked:  # one that is longer than a request should be is asked alone
            batch, items = rest, asked_by_id(rest).items()
            asked = dict(islice(((id, each) for id, each in items if not shown.withheld.repeated(each.text)), 1))
        if not asked:
            break
        request = _request(batch, shown, asked=asked, digests=digests)
        while request.cost > most and len(asked) > 1:
            asked = dict([*asked.items()][: len(asked) // 2])
            request = _request(batch, shown, asked=asked, digests=digests)
        budget -= request.cost
        if budget < 0:
            break
        found.append(request)
        rest = without(rest, asked.keys())
    left = len(digests) - len(old) - sum(len(each.digests) for each in found)
    return OpenRequests(found, left, len(old))


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_SIZE).digest()


def _request(
    batch: Packet, shown: Surroundings, *, asked: Mapping[str, AskedItem], digests: Mapping[str, bytes]
) -> ModelRequest:
    batch = without(batch, asked_by_id(batch).keys() - asked.keys())._replace(left_out={})
    around = [*dict.fromkeys(found for each in asked.values() for found in shown.around(each.question))]
    parts = []
    if around:
        parts.append(f"## Around these lines\n\n{rendered_beside(around)}\n")
    told = [*(each.text for each in asked.values()), *(text for each in around for _, text in each.lines)]
    if names := shown.names(told):
        parts.append(f"Known names: {names}\n")
    places = dict.fromkeys(str(Citation(each.path, number)) for each in around for number, _ in each.lines)
    return ModelRequest(rendered(batch, how="\n".join(parts)), {id: digests[id] for id in asked}, tuple(places))


def _known_names(got: Gathered, texts: Iterable[str]) -> str:
    """Return the known names in some texts, as pages spell them."""
    names: dict[str, None] = {}
    for text in texts:
        found = candidates(text, got.aliases)
        known = choose(found, {each.name: (got.canonical(each.name),) for each in found})
        names.update((named(got, keys[0]), None) for _, keys in known)
    kept = [line_for_model(name) for name in names if not got.withheld.named(name)]
    return ", ".join(kept[:_MOST_NAMES])
