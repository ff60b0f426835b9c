"""What pages are composed from: subjects with their facts and quotes, and what all of them depend on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.pages.current_facts import Known
from commonplace.core.quotes.quote_choice import few_outdated
from commonplace.core.review import review_page
from commonplace.core.review.line_changes import accepted_changes
from commonplace.core.stance import prepare
from commonplace.ops.quotes.quotable_lines import Quotable
from commonplace.ops.reflect.page_subjects import subjects_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from commonplace.core.memo import Progress
    from commonplace.core.pages.entity_pages import Subject
    from commonplace.core.quotes.page_quotes import Quote
    from commonplace.ops.beliefs.believe import Gathered
    from commonplace.store.sqlite import Index


class PageInput(NamedTuple):
    """What pages are composed from."""

    quotes: Quotable
    subjects: dict[str, Subject]
    """By key, the entities with a page or a new one."""
    known: Known
    renewed: set[str]
    """Keys of those whose pages are renewed."""
    notes: list[str]
    left: list[tuple[str, str]]
    """Pages left alone, with the reason."""

    def subject(self, key: str) -> Subject:
        """Return an entity with its quotes as a page shows them."""
        subject = self.subjects[key]
        # where facts are retained, they tell what holds
        quoted: Sequence[Quote] = subject.quotes
        if not subject.facts:
            outdated, last = self.quotes.outdated, self.quotes.by_entity.newest(key)
            quoted = few_outdated(outdated.with_current(outdated.with_newer(quoted), key, last=last))
        return subject._replace(quotes=self.quotes.before.added(quoted, key))


def page_input(
    index: Index, got: Gathered, *, today: date, since: date | None = None, progress: Progress | None = None
) -> PageInput:
    """Return what the pages are composed from.

    Args:
        since: only pages of what logs of this day or later tell are renewed; None: all.
        progress: as of `plan_pages`.
    """
    quotes = Quotable(
        index,
        got.texts.workspace,
        withheld=got.withheld,
        canonical=got.canonical,
        aliases=got.aliases,
        entities=got.entities,
        accepted=[each.text for each in got.decided if each.id.startswith("c-")],
        changes=[*accepted_changes(f"[x] {each.rest}" for each in got.decided if _replaces(each))],
        progress=progress,
        findings=got.findings,
    )
    touched = None if since is None else _touched(got, since) | quotes.by_entity.since(since)
    subjects, notes, left = subjects_of(index, got, quotes, due=touched, progress=progress)
    renewed = {*subjects} if touched is None else subjects.keys() & touched
    there = renewed | {key for key, entity in got.entities.items() if entity.page}
    pages = {key: (subject.name, subject.path if key in there else "") for key, subject in subjects.items()}
    lasting = index.lasting(today)
    known = Known(today, got.superseded, pages, got.canonical, _likes(got), got.disputed, lasting)
    return PageInput(quotes, subjects, known, renewed, notes, left)


def _replaces(decision: review_page.Decision) -> bool:
    """Whether somebody accepted that a line replaces another."""
    return decision.id.startswith("l-") and decision.verdict == review_page.ACCEPTED


def _likes(got: Gathered) -> Callable[[str], bool]:
    """Return a cached test whether a statement states a preference."""
    return partial(got.findings.in_text, "likes", find=lambda text: prepare(text).likes)


def _touched(got: Gathered, since: date) -> set[str]:
    """Return the entities that facts of this day or later name."""
    return {
        got.canonical(name)
        for fact in (*got.everything, *got.retracted.values())
        if fact.recorded and fact.recorded >= since
        for name in (*fact.entities, *fact.mentions)
    }
