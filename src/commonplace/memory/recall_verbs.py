"""Verbs that read: recall, explain, look-ups, the core, and the context of a message."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from commonplace.access import noted
from commonplace.core import argument_values
from commonplace.core.model import Citation, Query
from commonplace.errors import NotFound, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from commonplace.core.agent.core_blocks import Context, Core
    from commonplace.core.model import Bundle, Hit, Opinion
    from commonplace.core.questions.query_analysis import Reading
    from commonplace.memory import Memory
    from commonplace.ops.views.belief_history import Told
    from commonplace.ops.views.lookup import EntityView, KnownEntity, RecordedDay
    from commonplace.ops.write.edit_files import Lines
    from commonplace.store.sqlite import Index


def recall(
    memory: Memory,
    query: str,
    *,
    k: int | None = None,
    budget: int | None = None,
    since: str | date | None = None,
    until: str | date | None = None,
    during: str | date | None = None,
    as_of: str | date | None = None,
    kinds: Iterable[str] = (),
    entities: Iterable[str] = (),
    scope: str = "workspace",
    sync: bool = True,
) -> Bundle:
    """The facts and lines that answer a question, best first, with citations, within a token budget.

    Args:
        k: most hits. budget: most tokens of the readable rendering.
        since, until, during: only what was recorded, or holds, on these days; dates, durations or words.
        as_of: only what had been recorded by then.
        scope: `fleet` asks across the workspaces of the team: it alone connects to the fleet.
        sync: False answers from the index as it is.
    """
    if scope not in ("workspace", "fleet"):
        raise UsageError(f"there is no scope {scope!r}", "scope: workspace, or fleet")
    asked = asked_for(
        memory, query, k=k, budget=budget, since=since, until=until, during=during, as_of=as_of, kinds=kinds,
        entities=entities,
    )  # fmt: skip
    if scope == "fleet":
        from commonplace.memory.fleet.fleet_verbs import fleet_recall

        return fleet_recall(memory, asked)
    return _bundle(memory, asked, memory.today, sync=sync)


def asked_for(
    memory: Memory,
    query: str,
    *,
    k: int | None,
    budget: int | None,
    since: str | date | None,
    until: str | date | None,
    during: str | date | None,
    as_of: str | date | None,
    kinds: Iterable[str],
    entities: Iterable[str],
) -> Query:
    """The question of a recall, checked. Raises UsageError."""
    if not isinstance(query, str):
        raise UsageError("the question is not a text", 'try: recall("what does Peter prefer?")')
    today = memory.today
    asked = Query(
        query,
        (entities,) if isinstance(entities, str) else tuple(entities),
        tuple(map(argument_values.kind, (kinds,) if isinstance(kinds, str) else kinds)),
        argument_values.between(since, until, during=during, today=today),
        argument_values.day(as_of, today) if as_of is not None else None,
        memory.settings.k if k is None else k,
        memory.settings.budget if budget is None else budget,
    )
    if asked.limit < 1 or asked.budget < 1:
        raise UsageError("k and budget must be at least 1", "leave them out for the defaults, 10 hits and 1,500 tokens")
    if not asked.text.strip() and not (asked.entities or asked.range or asked.kinds):
        raise UsageError("the question is empty", 'try: commonplace recall "what does Peter prefer?"')
    return asked


def _bundle(memory: Memory, asked: Query, today: date, *, sync: bool) -> Bundle:
    """The bundle of a question, with a status that says if the index or files could not be read."""
    from commonplace.ops.recall.recall import recall

    memory._access.stale = False

    def work(index: Index) -> Bundle:
        if (meaning := memory.meaning) is not None:
            index.meaning = meaning
            if sync:
                meaning.embed_newest(index)
        found = recall(index, asked, today=today)
        missed = index.unread()
        if not missed:  # as nearly always
            return found
        from commonplace.ops.beliefs.unreadable import qualified

        return qualified(found, missed)

    bundle = memory._access.reads(work, sync=sync)
    if memory._access.degraded:
        return bundle._replace(status="degraded", note=noted(memory._access.scanned, bundle.note))
    if memory._access.stale:
        why = "another program is writing the index; this answer is from before that"
        return bundle._replace(status="stale", note=noted(why, bundle.note))
    return bundle


def explain(memory: Memory, query: str, *, sync: bool = True) -> Reading:
    """How a question is parsed, with the entities of this workspace.

    Args:
        sync: False takes the entities from the index as it is.
    """
    from commonplace.ops.recall.question_reading import read_question

    def work(index: Index) -> Reading:
        found = read_question(index, query, today=memory.today)
        spelled = index.names(keys[0] for _, keys in found.entities)
        named = tuple((spelled.get(keys[0], name), keys) for name, keys in found.entities)
        return found._replace(entities=named)

    return memory._access.reads(work, sync=sync)


def show(memory: Memory, target: str) -> Hit:
    """One fact or line: by id (`^k7f3qa`) or citation (`memory/2025-11-27.md#L12`)."""
    from commonplace.ops.views.lookup import show

    target = target.strip()
    try:
        return memory._access.reads(lambda index: show(index, target, today=memory.today))
    except NotFound as error:
        from commonplace.memory.fleet.fleet_access import not_here

        raise not_here(memory, target.lstrip("^"), verb="show") or error from None


def entity(memory: Memory, name: str) -> EntityView:
    """An entity with its page, aliases, facts and opinions, newest first."""
    from commonplace.ops.views.lookup import entity

    return memory._access.reads(lambda index: entity(index, memory.workspace, name.lstrip("@"), today=memory.today))


def entities(memory: Memory) -> tuple[KnownEntity, ...]:
    """Who and what is known: by a page, a tag or the logs; first what most days mention."""
    from commonplace.ops.views.lookup import entities

    return memory._access.reads(lambda index: entities(index, memory.workspace))


def days(
    memory: Memory, *, since: str | date | None = None, until: str | date | None = None
) -> tuple[RecordedDay, ...]:
    """The days on which something was recorded, oldest first, each with its lines, facts and files.

    Args:
        since, until: the first and the last day; dates, durations or words.
    """
    from commonplace.ops.views.lookup import days

    within = argument_values.between(since, until, during=None, today=memory.today)
    return memory._access.reads(lambda index: days(index, within))


def opinions(memory: Memory, entity: str | None = None, *, as_of: str | date | None = None) -> tuple[Opinion, ...]:
    """The opinions with evidence; as of a day if one is given."""
    from commonplace.ops.views.lookup import opinions

    day = argument_values.day(as_of, memory.today) if as_of is not None else None
    today, told = memory.today, memory.progress
    return memory._access.reads(
        lambda index: opinions(index, memory.workspace, entity, as_of=day, today=today, progress=told)
    )


def log(memory: Memory, name: str | None = None, *, since: str | date | None = None, k: int = 30) -> Told:
    """Past changes with day and reason, newest first: beliefs, facts, decisions, commits, reflects.

    Args:
        name: only what concerns this entity.
        since: nothing older. k: at most so many.
    """
    from commonplace.ops.views.belief_history import asked_for, history
    from commonplace.store.git import log

    day = None if since is None else argument_values.first_day(since, memory.today)

    def work(index: Index) -> Told:
        asked = asked_for(index, memory.workspace, name)
        found = log(memory.root, asked.paths, most=k)
        return history(index, memory.workspace, asked, today=memory.today, since=day, most=k, commits=found)

    return memory._access.reads(work)


def get(memory: Memory, target: str) -> Lines:
    """Lines of a file by citation (`memory/2025-11-27.md#L12`, `…#L12-L20`), or a whole file by its path."""
    from commonplace.ops.write.edit_files import cited, lines

    return lines(memory.workspace, *cited(target))


def core(memory: Memory, *, budget: int | None = None, numbered: bool = False) -> Core:
    """The core files as labelled blocks within a token budget; identical bytes until a file changes.

    Args:
        budget: most tokens; as the settings say when not given. numbered: with the number of each line.
    """
    from commonplace.core.agent import core_blocks
    from commonplace.ops.views.core_file import blocks as read

    paid = memory.settings.core_budget if budget is None else budget
    if paid < 1:
        raise UsageError("budget must be at least 1", "leave it out for the default from the settings")
    found, notes = read(memory.workspace, memory.settings.core)
    return core_blocks.core(found, budget=paid, numbered=numbered)._replace(notes=notes)


def context(
    memory: Memory, query: str, *, k: int | None = None, budget: int | None = None, shown: Iterable[str] = ()
) -> Context:
    """The core and the hits for a message, fenced as data, in one token budget.

    What the core shows is not recalled again. The fence has another name each time: no text can close it.

    Args:
        k: most hits. budget: most tokens of both; the core leaves a quarter of it, or what recall has by itself,
            and of a small one enough for two or three hits. More budget never leaves less to recall.
        shown: core files that the agent has before it already: they get no block, and of those that no host cuts
            nothing is recalled.
    """
    from commonplace.core.agent import core_blocks
    from commonplace.core.recall.packing import pack
    from commonplace.ops.views.core_file import blocks as read

    settings, given = memory.settings, frozenset(shown)
    whole = settings.core_budget + settings.budget if budget is None else budget
    if whole < 1:
        raise UsageError("budget must be at least 1", "leave it out for the default from the settings")
    known, notes = read(memory.workspace, settings.core)
    mark = os.urandom(6).hex()
    fence = core_blocks.fence_cost("0" * len(mark))  # not of the mark itself: the core is the same each time
    paid = core_blocks.share(whole, core=settings.core_budget, recalled=settings.budget, fence=fence)
    blocks = core_blocks.core([each for each in known if each.path not in given], budget=paid)._replace(notes=notes)
    read_whole = {each.path for each in known if each.path in given and each.size <= each.limit}
    left = core_blocks.rest(blocks, budget=whole, recalled=settings.budget, fence=fence)
    limit = settings.k if k is None else k
    bundle = memory.recall(query, k=limit + 10, budget=max(1, whole))
    sources = [(hit, Citation(hit.line.source.path, hit.line.source.line + hit.line.lines - 1)) for hit in bundle.hits]
    hits = [hit for hit, at in sources if at.path not in read_whole and not core_blocks.shows(blocks, at)]
    if bundle.status == "ok" and not hits:
        bundle = bundle._replace(status="empty", note="the core already contains all that was found")
    bundle = pack(query, hits, limit=limit, budget=left, note=bundle.note)._replace(status=bundle.status)
    return core_blocks.context(blocks, bundle, mark=mark, budget=whole)
