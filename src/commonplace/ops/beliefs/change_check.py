"""Whether a reflect has anything to do: not if its input has not changed since one that finished everything.

The digest of its input is stored in the index, with the range of days on which the same facts are valid. Law: any file,
page, setting or day that could change the result makes reflect work again; it works without the digest, too.
"""

from __future__ import annotations

from datetime import date
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.markdown.bank_layout import EXPERIENCE, OPINIONS, REVIEW, WORLD
from commonplace.core.model import Reflection
from commonplace.errors import CommonplaceError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from commonplace.core.model import Patch
    from commonplace.ops.beliefs.file_texts import FileTexts
    from commonplace.store.sqlite import Index

_NAME = "settled"
_READ_TO = "read to"


class ReflectRequest(NamedTuple):
    """The arguments of a reflect."""

    today: date
    since: date | None
    yes: bool
    narrative: date | None = None
    """The first day whose narrative is read, if earlier than the default."""


class _Settled(NamedTuple):
    """The result of a reflect as plain values, for the cache. Days are ordinals."""

    digest: bytes
    """Of its input."""
    first: int
    last: int
    """The last day of those on which the facts have the same effect; `first` is the first."""
    since: int
    """The first day whose entities were renewed."""
    narrative: int
    """The first day whose narrative was read."""
    yes: bool
    notes: tuple[str, ...]
    summary: str
    waits: tuple[str, ...]
    held_back: tuple[str, ...]


def ever(index: Index) -> bool:
    """Return whether a reflect finished everything since this index was created: it read all that our pages cite."""
    return index.cached(_NAME) is not None


def read_to(index: Index) -> date | None:
    """Return the day up to which the last reflect read the narrative, where `since last` starts; None: unknown."""
    left = index.cached(_READ_TO)
    return None if left is None else date.fromordinal(left)


def note_read_to(index: Index, today: date) -> None:
    """Store up to which day a reflect of today read the narrative.

    This is the day of the newest line if it is older than today, so that older lines that arrive late are still read.
    """
    newest = index.last_log_day()
    if newest is not None and read_to(index) != min(newest, today):
        index.cache(_READ_TO, min(newest, today).toordinal())


def note_unread(index: Index) -> None:
    """Store that the proposals of the last reflect may no longer be on the review page."""
    if read_to(index) is not None:
        index.cache(_READ_TO, None)


def settled(index: Index, texts: FileTexts, *, asked: ReflectRequest) -> Reflection | None:
    """Return the result of a reflect with nothing to do; None if reflect must run."""
    left = index.cached(_NAME)
    if left is None:
        return None
    found = _Settled(*left)
    if not (found.first <= asked.today.toordinal() <= found.last and _covers(found, asked)):
        return None
    if found.digest != _digest(what_is_read(index, texts)):
        return None
    said = Reflection((), False, found.notes, False, found.summary, found.waits)
    return said._replace(held_back=found.held_back)


def _covers(found: _Settled, asked: ReflectRequest) -> bool:
    since = asked.since.toordinal() if asked.since else 0
    if asked.narrative and found.narrative > asked.narrative.toordinal():
        return False
    if found.notes:  # something was left alone: only the same would leave the same
        return (found.since, found.yes) == (since, asked.yes)
    return found.since <= since and (not since or found.since > 0 or found.narrative <= since)


def what_is_read(index: Index, texts: FileTexts) -> dict[str, str]:
    """Return path -> digest of every file that a reflect reads, as indexed; and the settings that it uses."""
    found, workspace = index.digests(), texts.workspace
    for path in (OPINIONS, REVIEW, WORLD, EXPERIENCE, *workspace.core):
        if path not in found:  # not there, or not one that the index reads
            found[path] = _state(texts, path)
    core = workspace.core_path
    found["\0unread"] = repr(index.unread())
    found["\0core"] = repr((workspace.core, core, workspace.read_only(core), workspace.open_in_editor(core)))
    return found


def settle(
    index: Index,
    texts: FileTexts,
    *,
    asked: ReflectRequest,
    said: Reflection,
    before: Mapping[str, str],
    patches: Sequence[Patch],
    narrative: date | None,
) -> bool:
    """Store that a reflect left nothing to do, unless somebody wrote meanwhile; return whether it was stored.

    Args:
        index: up to date with what was written.
        texts: read since then.
        said: the result of the next reflect.
        before: `what_is_read` before anything was read.
        patches: what was written.
        narrative: the first day of the narrative that was read; None: there was none.
    """
    now = what_is_read(index, texts)
    ours = {patch.path for patch in patches}
    if {**before, **{path: now.get(path, "") for path in ours}} != now:
        return False  # somebody wrote meanwhile
    for patch in patches:
        page = texts.read(patch.path)
        if (page.text, page.digest) != (patch.after, now[patch.path]):
            return False
    first, last = index.same_days(asked.today)
    left = _Settled(
        _digest(now),
        first.toordinal(),
        last.toordinal(),
        asked.since.toordinal() if asked.since else 0,
        narrative.toordinal() if narrative else 0,
        asked.yes,
        said.notes,
        said.summary,
        said.waits,
        said.held_back,
    )
    index.cache(_NAME, tuple(left))
    return True


def _state(texts: FileTexts, path: str) -> str:
    try:
        return texts.read(path).digest
    except CommonplaceError as error:
        return error.code


def _digest(read: Mapping[str, str]) -> bytes:
    told = "\n".join(f"{path}\t{digest}" for path, digest in sorted(read.items()))
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).digest()
