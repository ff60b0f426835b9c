"""What changed when and why: from pages and facts, from git, and from the journal of what we wrote. Changes nothing.

The index is asked for facts as every verb asks it, and may be deleted; the journal tells a little more while it stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core import changes, review
from commonplace.core.bank import OPINIONS, REVIEW
from commonplace.core.changes import Change
from commonplace.core.entity import entity_key
from commonplace.core.kept import read_kept
from commonplace.core.living import living, takes_back
from commonplace.core.slug import FOLDER
from commonplace.ops.believe import by_claims, readable
from commonplace.ops.near import nobody

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from commonplace.store.git import Commit
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace
    from commonplace.store.workspace.journal import Done


class Told(NamedTuple):
    """A log of changes."""

    log: tuple[Change, ...]
    """Newest first."""
    omitted: int
    """Older ones that were left out."""
    note: str
    """What could not be asked, and why."""


class Asked(NamedTuple):
    """Whose changes are asked for."""

    keys: tuple[str, ...]
    """Of one entity with its aliases; empty: of everything."""
    paths: tuple[str, ...]
    """Files and folders in which they show."""


def asked_for(index: Index, workspace: Workspace, name: str | None) -> Asked:
    """What a name asks for. Raises NotFound when nothing is called so."""
    if name is None:
        return Asked((), ("bank", *workspace.core))
    keys = index.named([entity_key(name)]).get(entity_key(name))
    if not keys:
        raise nobody(index, name, "leave the name out to see every change")
    pages = tuple(entity.page for entity in index.entities() if entity.key in keys and entity.page)
    return Asked(tuple(keys), pages or (f"{FOLDER}{name}.md",))


def history(
    index: Index,
    workspace: Workspace,
    asked: Asked,
    *,
    today: date,
    since: date | None,
    most: int,
    commits: tuple[Sequence[Commit], str],
) -> Told:
    """What changed, newest first.

    Args:
        since: nothing older; what has no day is left out then.
        most: of the newest.
        commits: of git, with what there is to say of them.
    """
    found = [each for each in _believed(index, workspace, today) if not asked.keys or _names(each, asked.keys)]
    found += [_committed(each) for each in commits[0]]
    done = [_written(each) for each in workspace.done() if each.label == "reflect"]
    told = {(each.day, frozenset(each.paths)) for each in found if each.by == "reflect"}
    found += [each for each in done if _shows(each, asked) and (each.day, frozenset(each.paths)) not in told]
    if since is not None:
        found = [each for each in found if each.day and each.day >= since]
    ordered = changes.newest_first(found)
    return Told(tuple(ordered[:most]), len(ordered[most:]), commits[1])


def _believed(index: Index, workspace: Workspace, today: date) -> Iterator[Change]:
    """What pages and facts tell."""
    everything = index.facts()
    _, by_trailer, retracted = living(everything)
    facts = {fact.id: fact for fact in everything}
    superseded, disputed = by_claims(index, today)
    decided = review.decisions(readable(workspace, REVIEW)[0])
    held = read_kept(OPINIONS, readable(workspace, OPINIONS)[0], review.verdicts(decided)).entries
    yield from changes.of_opinions(held, facts)
    stated = {fact.id: fact for fact in everything if not takes_back(fact)}
    yield from changes.of_facts(stated, superseded | by_trailer, disputed, retracted)
    yield from changes.of_decisions(decided, held, facts)


def _names(change: Change, keys: tuple[str, ...]) -> bool:
    return any(entity_key(name) in keys for name in change.entities)


def _shows(change: Change, asked: Asked) -> bool:
    return not asked.keys or any(path in asked.paths for path in change.paths)


def _committed(commit: Commit) -> Change:
    from datetime import date

    by = "reflect" if commit.ours else "person"
    what = f"commit {commit.hash}"
    return Change(
        date.fromisoformat(commit.day), what, commit.subject, "in git", f"git:{commit.hash}", paths=commit.paths, by=by
    )


def _written(done: Done) -> Change:
    count = len(done.paths)
    what = f"wrote {count} file{'' if count == 1 else 's'}"
    return Change(done.day, what, "", "", "the journal of undo", paths=done.paths, by="reflect")
