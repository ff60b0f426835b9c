"""Verbs of a model that decides: name one, ask whether it works, and have it answer the open questions."""

from __future__ import annotations

import os
import re
from functools import partial
from typing import TYPE_CHECKING

from commonplace.errors import CommonplaceError, ModelUnavailable

if TYPE_CHECKING:
    from commonplace.config.model_settings import ModelSettings
    from commonplace.core.review.review_answers import AnswerLine
    from commonplace.memory import Memory
    from commonplace.memory.model_state import ModelState
    from commonplace.ops.review.ask_model import ModelRun, Replies
    from commonplace.ops.review.carry_out import Answered
    from commonplace.ops.review.model_requests import OpenRequests
    from commonplace.store.models.chat_model import ChatModel

_TRIAL = "A fact: “Peter moved to Berlin.” The question t-0000: is this about Peter? Answer accept or reject, as JSON."


def model_on(
    memory: Memory, *, url: str, model_name: str, key_env: str = "", allow_remote: bool = False, decide: bool = False
) -> ModelState:
    """Name the model that `reflect --decide` asks; its state.

    Only `commonplace.toml` is written, and only if the model answered; and the list of servers that this user allowed,
    if texts go to another machine or a key to any.

    Args:
        url, model_name: of a server with OpenAI's chat API, such as Ollama's.
        key_env: name of the environment variable with the server's key.
        allow_remote: whether lines may be sent to another machine.
        decide: ask it after every reflect.

    Raises ModelUnavailable, UsageError, NotWritable; then nothing has changed.
    """
    from commonplace.config import read_settings
    from commonplace.config.allowed_servers import allow_server
    from commonplace.config.settings_edit import write_table
    from commonplace.store.models.open_model import open_model
    from commonplace.store.servers.http_server import CHAT
    from commonplace.store.servers.server_consent import server_that_needs_consent

    before = memory.settings.model
    chosen = before._replace(url=url, model=model_name, key_env=key_env, allow_remote=allow_remote, decide=decide)
    state = _tried(open_model(chosen, allowed=lambda server, key: True), chosen)  # whoever calls names the server now
    if state.problem:
        raise ModelUnavailable(state.problem, "nothing was changed: start that server, or name another model")
    if server := server_that_needs_consent(chosen, CHAT):
        allow_server(server, chosen.key_env, os.environ)
    defaults = type(chosen)()
    entry = {name: value for name, value in chosen._asdict().items() if value != getattr(defaults, name)}
    write_table(memory.root, "model", entry)
    memory.reopen(read_settings(memory.root))
    return state


def model_off(memory: Memory) -> ModelState:
    """Ask no model any more; the state. What it answered stands."""
    from commonplace.config import read_settings
    from commonplace.config.settings_edit import write_table
    from commonplace.memory.model_state import ModelState

    write_table(memory.root, "model", None)
    memory.reopen(read_settings(memory.root))
    return ModelState(on=False)


def model_status(memory: Memory) -> ModelState:
    """Whether the model answers, whether it keeps to a JSON schema, how much it reads at once, and how fast it is."""
    from commonplace.config.allowed_servers import is_allowed
    from commonplace.memory.model_state import ModelState
    from commonplace.store.models.open_model import open_model

    chosen = memory.settings.model
    if not chosen.url:
        return ModelState(on=False)
    try:
        return _tried(open_model(chosen, allowed=is_allowed), chosen)
    except CommonplaceError as error:
        return ModelState(True, chosen.model, chosen.url, error.message, budget=chosen.budget, decide=chosen.decide)


def _tried(chat: ChatModel, chosen: ModelSettings) -> ModelState:
    from commonplace.core.review.model_replies import schema
    from commonplace.memory.model_state import ModelState
    from commonplace.store.models.open_model import context_length

    state = ModelState(True, chosen.model, chosen.url, budget=chosen.budget, decide=chosen.decide)
    try:
        told = chat.answer("Answer with JSON alone.", _TRIAL, schema=schema(("t-0000",)), most=60)
    except ModelUnavailable as error:
        return state._replace(problem=error.message)
    speed = told.received / told.seconds if told.seconds else 0.0
    return state._replace(
        takes_schemas=chat.takes_schemas,
        reads=context_length(chat),
        seconds=round(told.seconds, 3),
        tokens_a_second=round(speed, 1),
    )


def decide(memory: Memory, *, dry_run: bool = False) -> ModelRun:
    """Ask the model of `[model]` the open questions, the most valuable first, and carry out the answers that count.

    They are marked with its name, `undo` takes them back, and what a person decided stands. Questions that it was asked
    before are asked again only if they have changed.

    Args:
        dry_run: ask nothing; only tell how many questions there are.

    Raises UsageError if no model is named or it is not allowed here.
    """
    from commonplace.config.allowed_servers import is_allowed
    from commonplace.memory.reflect_verbs import hear
    from commonplace.ops.review.ask_model import ModelRun, ask_model, asked_before, note_asked
    from commonplace.ops.review.model_requests import open_requests, request_limit
    from commonplace.store.models.open_model import context_length, open_model

    chosen = memory.settings.model
    chat = open_model(chosen, allowed=is_allowed)

    most = request_limit(None if dry_run else context_length(chat))
    known = asked_before(memory._access.opened(), chat.name)
    told: list[Replies] = []
    asked: set[bytes] = set()
    problems: list[str] = []
    done: list[Answered] = []

    def work(pages: bool | None) -> OpenRequests:
        index = memory._access.fresh()
        budget = chosen.budget - sum(each.tokens for each in told)
        return open_requests(
            index, memory.workspace, today=memory.today, known=known, skip=asked, budget=budget, most=most, pages=pages
        )

    def gathered(pages: bool | None) -> OpenRequests:
        return memory._access.mended(partial(work, pages))

    # sentences after the facts on which they rest; then what is left, since requests cost less than was set aside
    found = gathered(None) if dry_run else None
    for pages in () if dry_run else (False, True, None):
        found = gathered(pages)
        if not found.batches:
            continue
        left_over = chosen.budget - sum(each.tokens for each in told)
        replies = ask_model(found.batches, chat, budget=left_over, progress=memory.progress)
        told.append(replies)
        asked.update(replies.asked)
        problems += replies.problems
        if replies.text:
            heard = hear(memory, replies.text, by=f"model:{_as_mark(chat.name)}")
            problems += [_told_once(line) for line in heard.lines if line.problem]
            done += [heard.answered] if heard.answered else []
        note_asked(memory._access.opened(), chat.name, replies.heard)
        if replies.failed:
            found = gathered(None)
            break
    assert found is not None
    left = found.left + sum(digest not in asked for each in found.batches for digest in each.digests.values())
    if left and not told and not found.batches:
        problems.append(f"the budget of {chosen.budget:,} tokens allows no question")
    answers = tuple(each for one in done for each in one.answers)
    return ModelRun(
        chat.name,
        len(asked),
        sum(each.outcome == "done" and not each.added for each in answers),
        sum(each.added for each in answers),
        left,
        found.known,
        sum(each.tokens for each in told),
        round(sum(each.seconds for each in told), 2),
        tuple(problems),
        tuple(done),
    )


def _told_once(line: AnswerLine) -> str:
    return line.problem if line.problem.startswith(f"{line.id} ") else f"{line.id}: {line.problem}"


def _as_mark(name: str) -> str:
    """A model's name as lines can have it: in one word."""
    return re.sub(r"[^\w.:/@+-]+", "-", name)[:80] or "unnamed"
