"""Pushes what a workspace shares: the difference, by digests, in batches that are whole or not at all.

There is no queue: what waits is the difference between the index and the fleet. Killed anywhere, the next push goes on.
"""

from __future__ import annotations

import secrets
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.secrets.guard import secrets_in
from commonplace.errors import FleetUnusable
from commonplace.ops.fleet.share_policy import SharePolicy, digest_of
from commonplace.ops.fleet.tombstones import Buried

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from commonplace.store.postgres.fleet_writer import FleetWriter, Pushed
    from commonplace.store.postgres.push_record import PushRecord
    from commonplace.store.sqlite.shared_rows import SharedRows


class PushReport(NamedTuple):
    """What a push did, or would do."""

    name: str
    """Of the workspace."""
    sent: int
    """Files that were new or changed, and have something to share."""
    removed: int
    """Files of which nothing is shared any more."""
    same: int
    withheld: int
    """Lines of the sent files that hold a secret: their words stay here."""
    dry_run: bool
    struck: int = 0
    """Lines of the fleet that were forgotten here, or elsewhere, and lost their words."""
    vectors: int = 0
    """Vectors that were sent, for search by meaning."""
    lines: tuple[str, ...] = ()
    """Of a dry run: each line that a push would send, with its place."""


class Difference(NamedTuple):
    """What the fleet lacks, and has too much."""

    changed: list[str]
    gone: list[str]
    same: int
    wanted: dict[str, str]
    """Path -> digest of each file that may be shared."""
    root: str
    """Digest of them all, and of the names that are known."""
    names: str
    """Digest of those names."""
    there: frozenset[str]
    """Paths that the fleet has."""


def wanted_files(shared: SharedRows, policy: SharePolicy, *, version: str, salt: str) -> dict[str, str]:
    """Return path -> digest of each file that may be shared.

    Args:
        version: of what turns lines into rows. salt: of this folder.
    """
    # with a salt, or whoever knows the rest of a file could try what a withheld line of it says
    rules = f"{salt} {version} {digest_of(policy)}"
    return {path: _digest(rules, state) for path, state in shared.states().items() if policy.file(path)}


def changed_since(pushed: Mapping[str, str], wanted: Mapping[str, str]) -> int:
    """Return the number of files that are new, changed or gone since they were pushed."""
    return sum(pushed.get(path) != wanted.get(path) for path in pushed.keys() | wanted.keys())


def difference(
    shared: SharedRows,
    writer: FleetWriter,
    there: Pushed | None,
    policy: SharePolicy,
    *,
    version: str,
    record: PushRecord,
) -> Difference:
    """Return what a push would change. Costs one look at the state of the fleet where nothing is new.

    Args:
        version: of what turns lines into rows. record: knows files without a line to share, with their digests.
    """
    empty = record.empty
    wanted = wanted_files(shared, policy, version=version, salt=record.salt)
    names = _digest(record.salt, repr(shared.known()))
    root = _root(names, wanted)
    if there is not None and there.root == root:
        return Difference([], [], len(wanted), wanted, root, names, frozenset())
    have = _there(writer, there, record) if there is not None else {}
    changed = [path for path, digest in wanted.items() if have.get(path) != digest and empty.get(path) != digest]
    gone = [path for path in have if path not in wanted or empty.get(path) == wanted[path]]
    return Difference(changed, gone, len(wanted) - len(changed), wanted, root, names, frozenset(have))


def _there(writer: FleetWriter, there: Pushed, record: PushRecord) -> dict[str, str]:
    """Return path -> digest of each file that the fleet has: as noted here, if that is what the fleet was left with."""
    noted = record.pushed()
    if noted is None or _root(there.names, noted) != there.root:
        return writer.digests()
    return {path: digest for path, digest in noted.items() if record.empty.get(path) != digest}


def _root(names: str, files: Mapping[str, str]) -> str:
    """Return the digest of what was shared: of the names that are known, and of the files, by their own."""
    return _digest(names, *sorted(f"{path}\0{digest}" for path, digest in files.items()))


def bury(
    shared: SharedRows,
    writer: FleetWriter,
    *,
    record: PushRecord,
    notes: Mapping[str, Sequence[tuple[str, str]]],
) -> int:
    """Send the tombstones that wait, and remove what they are of; the number of lines that lost their words.

    Args:
        notes: (salt, digest) of what each forget removed, by the name of its note.
    """
    waiting = {name: told for name, told in notes.items() if name not in record.buried}
    if not waiting:
        return 0
    missing = {each for told in waiting.values() for each in told} - writer.tombstones()
    struck = writer.bury(sorted(missing), forgotten=Buried(missing).has, known=shared.known()) if missing else 0
    record.buried = set(notes)
    record.write(*record.states)
    return struck


def push(
    shared: SharedRows,
    writer: FleetWriter,
    policy: SharePolicy,
    *,
    name: str,
    record: PushRecord,
    read: Callable[[str], tuple[str, str] | None],
    version: str,
    notes: Mapping[str, Sequence[tuple[str, str]]],
    dry_run: bool = False,
    take_over: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> PushReport:
    """Bring the fleet to what this workspace shares now. Raises FleetUnusable, and leaves whole files.

    Args:
        record: what this folder knows of its state in the fleet; nobody else writes it meanwhile.
        read: text and digest of a file as it is now; None if it is gone.
        version: of what turns lines into rows.
        notes: what was forgotten here: see `bury`. It goes first, even if the rest is refused.
        take_over: adopt the state of the fleet, after a copy or a restored backup.
        progress: told (transactions done, of).
    """
    struck = 0 if dry_run else bury(shared, writer, record=record, notes=notes)
    there, forgotten = writer.pushed_and_buried()
    buried = Buried(forgotten.union(*notes.values()))
    is_ours = there is None or there.state in record.states
    if not is_ours and not take_over:
        raise FleetUnusable(
            f"another folder pushed {name} last: a second machine, or this is a restored copy",
            "choose another name in [fleet], or adopt it here: commonplace fleet push --take-over",
        )
    found = difference(shared, writer, there, policy, version=version, record=record)
    if there is not None and there.root == found.root and is_ours:
        if not dry_run:
            _note(record, found.wanted, when=there.when)
        return PushReport(name, 0, 0, found.same, 0, dry_run, struck)
    state = there.state if there is not None else writer.first_state()
    if there is None and not dry_run:
        record.write(*record.states, state)  # if it is refused, what was known still holds
        writer.begin(state)
    known = shared.known()
    sent = withheld = gone = 0
    lines: list[str] = []
    late, when = False, ""
    removed = set(found.gone)
    record.empty = {path: digest for path, digest in record.empty.items() if found.wanted.get(path) == digest}
    batches = writer.batches(shared.first_rows(found.changed)) or [[]]
    for number, paths in enumerate(batches):
        still = {path: text for path in paths if (text := read(path)) and text[1] == shared.digest(path)}
        late = late or len(still) < len(paths)  # somebody is writing one: the next push sends it
        files = []
        for path, (said, _) in still.items():
            file = shared.file(path, shares=policy.line, secret=_secret_lines(said), forgotten=buried.line)
            if file is not None:
                files.append((file, found.wanted[path]))
            else:
                record.empty[path] = found.wanted[path]
                removed |= {path} & found.there
        if not dry_run:
            following = state._replace(generation=state.generation + 1, nonce=secrets.token_hex(8))
            record.write(state, following)
            root, names = (found.root, found.names) if number == len(batches) - 1 and not late else ("", "")
            when = writer.write(state, following, put=files, gone=sorted(removed), known=known, root=root, names=names)
            state = following
        sent, gone = sent + len(files), gone + len(removed)
        withheld += sum(file.withheld for file, _ in files)
        lines += [line for file, _ in files for line in file.texts()] if dry_run else ()
        removed = set()
        if progress is not None:
            progress(number + 1, len(batches))
    if not dry_run:
        record.write(state)
        _note(record, None if late else found.wanted, when=when)
        if len(batches) > 1:
            writer.look_at_sizes()
    return PushReport(name, sent, gone, found.same, withheld, dry_run, struck, lines=tuple(lines))


def _note(record: PushRecord, wanted: Mapping[str, str] | None, *, when: str) -> None:
    """Note what a complete push left, unless that is known."""
    if wanted is not None and record.pushed() != wanted:
        record.note(wanted, when)


def _secret_lines(text: str) -> frozenset[int]:
    """The numbers of the lines of a file that are part of a secret, as they are written, tags and tables included."""
    return frozenset(number for each in secrets_in(text) for number in range(each.line, each.last + 1))


def _digest(*texts: str) -> str:
    return blake2b("\0\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
