"""Recall, `explain`, the core, and the context of a message."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from commonplace.access import noted
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from datetime import date

    from commonplace.core.agent.core_blocks import Context, Core
    from commonplace.core.model import Bundle, Query
    from commonplace.core.recall.query_analysis import Reading
    from commonplace.memory import Memory
    from commonplace.store.sqlite import Index


def recall(memory: Memory, asked: Query, today: date, *, sync: bool) -> Bundle:
    """The bundle of a question, qualified where the index is behind or files could not be read."""
    from commonplace.ops.recall.recall import recall

    if asked.limit < 1 or asked.budget < 1:
        raise UsageError("k and budget must be at least 1", "leave them out for 10 hits and 1,500 tokens")
    if not asked.text.strip() and not (asked.entities or asked.range or asked.kinds):
        raise UsageError("the question is empty", 'try: commonplace recall "what does Peter prefer?"')

    memory._access.stale = False

    def work(index: Index) -> Bundle:
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
        why = "the index is being written by another program; this is what it knew before"
        return bundle._replace(status="stale", note=noted(why, bundle.note))
    return bundle


def explain(memory: Memory, query: str) -> Reading:
    """How a question is read, with entities as they are spelled here."""
    from commonplace.core.recall.query_analysis import read

    def work(index: Index) -> Reading:
        found = read(query, memory.today, index.named)
        spelled = {each.key: each.name for each in index.entities()} if found.entities else {}
        named = tuple((spelled.get(keys[0], name), keys) for name, keys in found.entities)
        return found._replace(entities=named)

    return memory._access.reads(work)


def core(memory: Memory, *, budget: int | None, numbered: bool) -> Core:
    """The core files as blocks within a budget; None: as the settings say."""
    from commonplace.core.agent import core_blocks
    from commonplace.ops.views.core_file import blocks as read

    paid = memory.settings.core_budget if budget is None else budget
    if paid < 1:
        raise UsageError("budget must be at least 1", "leave it out for what the settings say")
    found, notes = read(memory.workspace, memory.settings.core)
    return core_blocks.core(found, budget=paid, numbered=numbered)._replace(notes=notes)


def context(memory: Memory, query: str, *, k: int | None, budget: int | None, shown: frozenset[str]) -> Context:
    """The core, and below it what is recalled that the core does not show, in one budget."""
    from commonplace.core.agent import core_blocks
    from commonplace.core.recall.packing import pack
    from commonplace.ops.views.core_file import blocks as read

    settings = memory.settings
    whole = settings.core_budget + settings.budget if budget is None else budget
    if whole < 1:
        raise UsageError("budget must be at least 1", "leave it out for what the settings say")
    known, notes = read(memory.workspace, settings.core)
    mark = os.urandom(6).hex()
    fence = core_blocks.fence_cost("0" * len(mark))  # not of the mark itself: the core is the same each time
    paid = core_blocks.share(whole, core=settings.core_budget, recalled=settings.budget, fence=fence)
    blocks = core_blocks.core([each for each in known if each.path not in shown], budget=paid)._replace(notes=notes)
    read_whole = {each.path for each in known if each.path in shown and each.size <= each.limit}
    left = core_blocks.rest(blocks, budget=whole, recalled=settings.budget, fence=fence)
    limit = settings.k if k is None else k
    bundle = memory.recall(query, k=limit + 10, budget=max(1, whole))
    sources = [(hit, hit.line.source) for hit in bundle.hits]
    hits = [hit for hit, at in sources if at.path not in read_whole and not core_blocks.shows(blocks, at)]
    if bundle.status == "ok" and not hits:
        bundle = bundle._replace(status="empty", note="the core says all that was found")
    bundle = pack(query, hits, limit=limit, budget=left, note=bundle.note)._replace(status=bundle.status)
    return core_blocks.context(blocks, bundle, mark=mark, budget=whole)
