"""The history of beliefs: from pages, facts, git and our journal. Changes nothing.

Facts come from the index, which may be deleted as for every verb; the journal adds some entries while it exists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.markdown.bank_layout import OPINIONS, REVIEW
from commonplace.core.markdown.slug import FOLDER
from commonplace.core.opinions.page_state import read_kept
from commonplace.core.review import changelog, review_page
from commonplace.core.review.changelog import BeliefChange
from commonplace.core.timeline import living
from commonplace.ops.beliefs.believe import by_claims
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.recall.near_names import named_keys

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from commonplace.store.git import Commit
    from commonplace.store.sqlite import Index
    from commonplace.store.transactions.change_journal import JournalNote
    from commonplace.store.workspace import Workspace


class Told(NamedTuple):
    """A log of changes."""

    log: tuple[BeliefChange, ...]
    """Newest first."""
    omitted: int
    """Number of older changes left out."""
    note: str
    """What could not be read, and why."""


class HistoryScope(NamedTuple):
    """The scope of a request."""

    keys: tuple[str, ...]
    """Keys of one entity and its aliases; empty for everything."""
    paths: tuple[str, ...]
    """Files and folders with its changes."""


def asked_for(index: Index, workspace: Workspace, name: str | None) -> HistoryScope:
    """Return the scope of a name. Raises NotFound if nothing has that name."""
    if name is None:
        return HistoryScope((), ("bank", *workspace.core))
    keys = named_keys(index, name, "leave out the name to see every change")
    pages = tuple(entity.page for entity in index.entities() if entity.key in keys and entity.page)
    return HistoryScope(keys, pages or (f"{FOLDER}{name}.md",))


def history(
    index: Index,
    workspace: Workspace,
    asked: HistoryScope,
    *,
    today: date,
    since: date | None,
    most: int,
    commits: tuple[Sequence[Commit], str],
) -> Told:
    """Return the changes, newest first.

    Args:
        today: the day for which claims are compared.
        since: the oldest day; changes without a day are then left out.
        most: maximum number of changes.
        commits: commits of git, with a note.
    """
    found = [each for each in _believed(index, workspace, today=today) if not asked.keys or _names(each, asked.keys)]
    found += [_committed(each) for each in commits[0]]
    done = [_written(each) for each in workspace.done() if each.label == "reflect"]
    told = {(each.day, frozenset(each.paths)) for each in found if each.by == "reflect"}
    found += [each for each in done if _shows(each, asked) and (each.day, frozenset(each.paths)) not in told]
    if since is not None:
        found = [each for each in found if each.day and each.day >= since]
    ordered = changelog.newest_first(found)
    return Told(tuple(ordered[:most]), len(ordered[most:]), commits[1])


def _believed(index: Index, workspace: Workspace, *, today: date) -> Iterator[BeliefChange]:
    """Yield the changes recorded on pages and in facts."""
    everything = index.facts()
    _, by_trailer, retracted = living(everything)
    facts = {fact.id: fact for fact in everything}
    superseded, disputed = by_claims(index, today)
    texts = FileTexts(workspace)
    decided = review_page.decisions(texts.text(REVIEW))
    held = read_kept(OPINIONS, texts.text(OPINIONS), verdicts=review_page.verdicts(decided)).entries
    yield from changelog.of_opinions(held, facts)
    stated = {fact.id: fact for fact in everything if not fact.trailer.takes_back}
    yield from changelog.of_facts(stated, superseded | by_trailer, disputed=disputed, retracted=retracted)
    yield from changelog.of_decisions(decided, held, facts=facts)


def _names(change: BeliefChange, keys: tuple[str, ...]) -> bool:
    return any(entity_key(name) in keys for name in change.entities)


def _shows(change: BeliefChange, asked: HistoryScope) -> bool:
    return not asked.keys or any(path in asked.paths for path in change.paths)


def _committed(commit: Commit) -> BeliefChange:
    from datetime import date

    by = "reflect" if commit.ours else "person"
    what = f"commit {commit.hash}"
    return BeliefChange(
        date.fromisoformat(commit.day), what, commit.subject, "in git", f"git:{commit.hash}", paths=commit.paths, by=by
    )


def _written(done: JournalNote) -> BeliefChange:
    count = len(done.paths)
    what = f"wrote {count} file{'' if count == 1 else 's'}"
    return BeliefChange(done.day, what, "", "", "the journal of undo", paths=done.paths, by="reflect")
