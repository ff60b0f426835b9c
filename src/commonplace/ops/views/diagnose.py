"""Doctor: problems of a workspace, its index and the system, in plain words, each with a next step.

Nothing is repaired here; `Memory.doctor` repairs what is safe. Problems of the text that `check` lists are only counted
here.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from commonplace.core.documents.file_problems import FAULTS, SECRET, WAITING
from commonplace.core.model import Finding, Level
from commonplace.core.when import path_day

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from commonplace.core.model import Problem
    from commonplace.store.sqlite.inspection import Examined, Library
    from commonplace.store.workspace import State
    from commonplace.store.workspace.health import Care, Mount, Room

NETWORK = frozenset(
    (
        *("nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "9p", "davfs"),
        *("fuse.sshfs", "fuse.rclone", "fuse.glusterfs", "fuse.s3fs"),
    )
)
"""File systems that other machines may write, too."""
LITTLE, NONE = 200_000_000, 10_000_000
"""Free bytes below which a disk is reported as nearly full, and as full."""
_FIX = "commonplace doctor --fix"
_DAY = 86_400 * 10**9
_ERA = 1_735_689_600 * 10**9
"""ns: 2025. An earlier clock was never set."""
_PLACES = 3
"""Maximum places listed; `check` lists all."""


def troubles(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings that a person should act on."""
    return [each for each in findings if each.level in (Level.WARN, Level.WRONG)]


def permissions(care: Care, mount: Mount) -> Iterator[Finding]:
    """Check whether the files that we write can be written."""
    if mount.read_only:
        yield Finding(
            "permissions",
            Level.WARN,
            "the workspace is mounted read-only: recall works, writes do not",
            "mount it for writing, or copy it to a writable place",
        )
    elif refused := care.unwritable():
        named = _some(refused)
        hint = f"make it writable: chmod u+w {refused[0]}"
        yield Finding("permissions", Level.WRONG, f"no permission to write {named}: recall still works", hint)
    else:
        yield Finding("permissions", Level.OK, "everything that needs to be written is writable")


def text(problems: Sequence[Problem]) -> Iterator[Finding]:
    """Summarise what `check` lists: one finding per kind of file fault, one for all problems of the text."""
    listed = sorted((each for each in problems if each.code in FAULTS), key=lambda each: each.code)
    for code, group in groupby(listed, key=lambda each: each.code):
        found = list(group)
        fault = FAULTS[code]
        message = (
            found[0].message
            if found[0].source.path in found[0].message
            else f"{found[0].source.path}: {found[0].message}"
        )
        more = f", and {len(found) - 1:,} more ({code})" if len(found) > 1 else ""
        yield Finding(fault.area, fault.level, message + more, found[0].hint, fixable=code == WAITING)
    found = [each for each in problems if each.code not in FAULTS]
    if found:
        hint = "commonplace check lists them, each with the next step"
        yield Finding(
            "text",
            Level.WARN,
            f"{_counted(len(found), 'problem')} in the Markdown, the first at {found[0].source}",
            hint,
        )


def index(found: Examined, library: Library, where: str) -> Iterator[Finding]:
    """Check the file of the index, and the SQLite that reads it."""
    if not library.fts5:
        yield Finding(
            "sqlite", Level.WRONG, f"SQLite {library.version} has no FTS5: recall cannot work", "reinstall apsw"
        )
    elif not library.fixed:
        hint = "reinstall commonplace, to get SQLite from apsw"
        yield Finding(
            "sqlite", Level.WARN, f"SQLite {library.version} can damage an index when several programs use it", hint
        )
    else:
        yield Finding("sqlite", Level.OK, f"SQLite {library.version} with FTS5")
    anew = f"{_FIX} rebuilds it from the Markdown; nothing is lost"
    told = {
        "none": Finding("index", Level.OK, "there is none yet: the first recall creates it"),
        "older": Finding("index", Level.OK, "it has an older format: the next recall rebuilds it"),
        "sound": Finding("index", Level.OK, f"SQLite and FTS5 found no damage: {where}"),
        "busy": Finding("index", Level.OK, "another program is writing it now, so it was not checked"),
        "newer": Finding(
            "index",
            Level.WRONG,
            "a newer commonplace made it: this version reads every file for each answer",
            "install the newer version; to keep this one: commonplace index --rebuild",
        ),
        "damaged": Finding("index", Level.WRONG, f"it is damaged: {_line(found.said)}", anew, fixable=True),
        "refused": Finding(
            "index", Level.WRONG, f"it cannot be opened: {_line(found.said)} ({where})", anew, fixable=True
        ),
    }
    yield told[found.state]


def folder(care: Care, *, tracked: bool) -> Iterator[Finding]:
    """Check our own folder."""
    if tracked:
        hint = "git rm -r --cached .memory, then commit; it is derived, and only for this machine"
        yield Finding("folder", Level.WRONG, ".memory is in git", hint)
    for fault in care.faults():
        hint = f"{_FIX} corrects it" if fault.fixable else "put a folder in its place, or remove it"
        yield Finding("folder", Level.WARN, fault.message, hint, fixable=fault.fixable)


def leftovers(care: Care) -> Iterator[Finding]:
    """Check for what killed processes left in our own folder and the workspace, and for damaged indexes set aside."""
    interrupted, litter, aside = care.interrupted(), care.litter(), care.set_aside()
    if interrupted:
        said = f"interrupted by a crash: {_some(interrupted)}"
        yield Finding("leftovers", Level.WRONG, said, f"{_FIX} finishes it", fixable=True)
    if litter:
        hint = f"{_FIX} removes useless files, and merges what somebody had saved"
        yield Finding("leftovers", Level.WARN, f"left behind by killed programs: {_some(litter)}", hint, fixable=True)
    if aside:
        said = f"a damaged index was replaced; the old file remains: {_some(aside)}"
        yield Finding("leftovers", Level.WARN, said, f"{_FIX} removes it; all its content is derived", fixable=True)
    if not interrupted and not litter:
        yield Finding("leftovers", Level.OK, "no write was interrupted")


def locks(care: Care, mount: Mount, *, kernel: bool, exchange: bool) -> Iterator[Finding]:
    """Check who has the workspace locked, and how well writers are separated here."""
    holder = care.holder()
    if holder is not None:
        who = f"process {holder}" if holder else "another program"
        hint = "wait for it; if it hangs, stop it: that frees the lock"
        yield Finding("locks", Level.WARN, f"{who} is writing the workspace now", hint)
    elif not kernel:
        hint = "let one program write at a time, or move the workspace to a local disk"
        yield Finding("locks", Level.WARN, f"{mount.kind or 'this file system'} has no working file locks", hint)
    else:
        yield Finding("locks", Level.OK, "no program is writing, and file locks work")
    if mount.kind in NETWORK:
        hint = "keep it on a local disk, and sync it with git or a sync tool"
        yield Finding(
            "disk",
            Level.WARN,
            f"it is on a network file system ({mount.kind}); writes of other machines may go unnoticed",
            hint,
        )
    elif not exchange and holder is None:
        hint = "do not save in an editor while an agent writes, or move the workspace to another file system"
        said = "cannot swap two files atomically: an editor's save during a write could be lost"
        yield Finding("locks", Level.WARN, f"{mount.kind or 'this file system'} {said}", hint)


def disk(room: Room | None, need: int) -> Iterator[Finding]:
    """Check whether there is space for the next write, and for rebuilding the index."""
    if room is None:
        return
    free = _bytes(room.bytes)
    hint = "free some space; writes that do not fit are refused and change nothing"
    if room.files is not None and room.files < 100:
        yield Finding(
            "disk",
            Level.WRONG,
            f"the disk has room for only {room.files} more files",
            "delete some files; writes need new ones",
        )
    elif room.bytes < NONE:
        yield Finding("disk", Level.WRONG, f"the disk is full: {free} are free", hint)
    elif room.bytes < max(LITTLE, 2 * need):
        yield Finding("disk", Level.WARN, f"the disk is nearly full: {free} are free", hint)
    else:
        yield Finding("disk", Level.OK, f"{free} are free")


def clock(states: Mapping[str, State], today: date, *, zone: str, note: str, now: int) -> Iterator[Finding]:
    """Check the days: logs and files of the future, an unknown time zone, a clock that was never set."""
    set_it = "set the clock of this machine"
    if now < _ERA:
        yield Finding("clock", Level.WRONG, f"the clock shows {today}", set_it)
        return
    if note:
        yield Finding("clock", Level.WARN, note, 'name the zone in commonplace.toml: timezone = "Europe/Copenhagen"')
    ahead = sorted(path for path in states if (day := path_day(path)) is not None and day > today)
    if ahead:
        said = f"{_counted(len(ahead), 'log')} dated after today, {today}: {_some(ahead)}"
        hint = "correct the name; if today is wrong, correct the clock or the time zone"
        yield Finding("clock", Level.WARN, said, hint)
    late = sorted(path for path, state in states.items() if state[1] > now + _DAY)
    if late:
        said = f"{_counted(len(late), 'file')} with a modification time in the future: {_some(late)}"
        yield Finding("clock", Level.WARN, said, f"if this machine's clock is wrong, {set_it}; else: touch {late[0]}")
    if not note and not ahead and not late:
        yield Finding("clock", Level.OK, f"today is {today}{f' in {zone}' if zone else ''}")


def secrets(problems: Sequence[Problem]) -> Iterator[Finding]:
    """Report that no file seems to contain a password, key or token; `text` reports those that do."""
    if not any(each.code == SECRET for each in problems):
        yield Finding("secrets", Level.OK, "none found")


def running(care: Care) -> Iterator[Finding]:
    """Check the servers and watchers of this workspace."""
    dead = [str(each.pid) for each in care.servers() if not each.running]
    watcher = care.watcher()
    for each in care.servers():
        if each.running:
            yield Finding("servers", Level.OK, f"MCP over HTTP at {each.url} (process {each.pid})")
    if watcher:
        yield Finding("servers", Level.OK, "a watcher keeps the index up to date")
    if dead or watcher is False:
        what = [*(["a watcher"] if watcher is False else []), *(f"the server with process id {pid}" for pid in dead)]
        hint = f"{_FIX} removes its files"
        yield Finding("servers", Level.WARN, f"no longer running: {_some(what)}", hint, fixable=True)
    elif not watcher and not care.servers():
        yield Finding("servers", Level.OK, "none is running (optional)")


def _some(names: Sequence[str]) -> str:
    more = len(names) - _PLACES
    return ", ".join(names[:_PLACES]) + (f" and {more:,} more" if more > 0 else "")


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _bytes(number: int) -> str:
    return f"{number / 1e9:,.1f} GB" if number >= 1e9 else f"{number / 1e6:,.0f} MB"


def _line(said: str) -> str:
    return " ".join(said.split())[:200]
