"""A client's configuration file: our entry merged into it or taken out, and everything else as it was.

A file is written only when it was read and understood, after a backup, whole or not at all; what it will say is checked
first. `jsonc` and `toml_table` edit the text.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.errors import ChangedUnderneath, NotWritable, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NAME = "commonplace"
"""What our entry is called in every client."""
BACKUP = ".before-commonplace"
"""Ends the name of a copy of a file as it was before it was changed; the digest of what it holds stands before it."""
_UNEDITED = "was not changed: its layout cannot be edited automatically"
"""Said of an edit that would have changed anything but our entry."""


class Target(NamedTuple):
    """One configuration file of one client."""

    client: str
    about: dict[str, Any]
    """The client's entry of `clients.json`."""
    scope: str
    """`user` or `project`."""
    path: str

    @property
    def keys(self) -> tuple[str, ...]:
        """Where in the file our entry stands."""
        return (*self.about["path"], NAME)

    @property
    def drop(self) -> set[str]:
        """Every key that says how a server is reached: those that we write, for either transport, and others."""
        ours = {key for each in ("stdio", "http") if self.about[each] for key in self.about[each]}
        return ours.union(self.about.get("ways", ()))


def language(target: Target) -> Any:
    """The module that edits files of this syntax."""
    if target.about["syntax"] == "toml":
        from commonplace.config import toml_table

        return toml_table
    from commonplace.doors.setup import jsonc

    return jsonc


def written(target: Target, entry: Mapping[str, Any]) -> tuple[bool, str]:
    """Write our entry to a file: whether the file changed, and the path of the backup, empty if there is none."""
    texts = language(target)
    before = _read(target.path)
    text, says = before or "", _said(target, before)
    held = _at(says, target.keys)
    kept = {key: value for key, value in held.items() if key not in target.drop} if isinstance(held, dict) else {}
    after = _edited(target, lambda: texts.put(text, target.keys, entry, target.drop))
    if _said(target, after) != _with(says, target.keys, value={**kept, **entry}):
        raise _refusal(target, _UNEDITED)
    if after == before:
        return False, ""
    backup = _without_us(target, text) or _save_backup(target, before)
    _replace(target.path, before, after=after)
    return True, backup


def held(target: Target) -> Any:
    """Our entry in a file; None if there is none. Raises UsageError for a broken file."""
    return _at(_said(target, _read(target.path)), target.keys)


def removed(target: Target) -> tuple[str, str]:
    """Remove our entry from a file: the paths of backup and file, both empty if there was no entry.

    The file is given back byte for byte where nobody else changed it meanwhile; one that only we wrote goes.
    """
    texts = language(target)
    before = _read(target.path)
    says = _said(target, before)
    if before is None or _at(says, target.keys) is None:
        return "", ""
    if backup := _without_us(target, before):
        _replace(target.path, before, after=_decoded(backup))
        with suppress(OSError):  # the file is as it was; a copy that stays harms nobody
            os.unlink(backup)
        return "", target.path
    after = _edited(target, lambda: texts.remove(before, target.keys))
    left = _said(target, after)
    if _at(left, target.keys) is not None or _with(left, target.keys, value=0) != _with(says, target.keys, value=0):
        raise _refusal(target, _UNEDITED)
    if not left and not _backups(target) and after.strip() in ("", "{}"):
        try:
            os.unlink(target.path)
        except OSError as error:
            raise NotWritable(f"{target.path} cannot be removed: {error.strerror}", "fix its permissions") from None
        return "", target.path
    saved = _save_backup(target, before)
    _replace(target.path, before, after=after)
    return saved, target.path


def _without_us(target: Target, text: str) -> str:
    """The backup that equals the file without our entry; empty if there is none."""
    texts = language(target)
    for backup in _backups(target):
        try:
            without = _decoded(backup)
            entry = _at(_said(target, text), target.keys)
            if not isinstance(entry, dict) or _at(_said(target, without), target.keys) is not None:
                continue
            again = texts.put(without, target.keys, entry)
            if texts.remove(again, target.keys) == texts.remove(text, target.keys):
                return backup
        except (UsageError, ValueError):
            continue
    return ""


def _backups(target: Target) -> list[str]:
    """Our backups of a file, the newest first; the digest in the name proves that they are ours."""
    folder, name = os.path.split(target.path)
    try:
        beside = os.listdir(folder or ".")
    except OSError:
        return []
    found = []
    for each in beside:
        path = os.path.join(folder, each)
        if each.startswith(f"{name}.") and each.endswith(BACKUP) and os.path.isfile(path) and os.access(path, os.R_OK):
            with open(path, "rb") as file:
                if path == _backup_path(target, file.read()):
                    found.append(path)
    return sorted(found, key=os.path.getmtime, reverse=True)


def _backup_path(target: Target, content: bytes) -> str:
    from hashlib import sha256

    return f"{target.path}.{sha256(content).hexdigest()[:12]}{BACKUP}"


def _said(target: Target, text: str | None) -> dict[str, Any]:
    """The parsed content of a file; empty if the file is empty or missing."""
    if text is None or not text.removeprefix("\ufeff").strip():
        return {}
    try:
        found: dict[str, Any] = language(target).parse(text)
    except ValueError as error:
        kind = "TOML" if target.about["syntax"] == "toml" else "JSON"
        raise _refusal(target, f"is not valid {kind}: {error}") from None
    return found


def _edited(target: Target, edit: Callable[[], str]) -> str:
    try:
        return edit()
    except ValueError as error:
        raise _refusal(target, f"was not changed: {error}") from None


def _refusal(target: Target, why: str) -> UsageError:
    return UsageError(f"{target.path} {why}", f"commonplace setup {target.client} shows what to add")


def _at(found: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _with(found: dict[str, Any], keys: tuple[str, ...], *, value: Any) -> dict[str, Any]:
    first, *rest = keys
    below = found.get(first)
    return {
        **found,
        first: _with(below if isinstance(below, dict) else {}, tuple(rest), value=value) if rest else value,
    }


def _read(path: str) -> str | None:
    """The text of a file; None if it does not exist, or is a link to nothing."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return None
    except OSError as error:  # a link to itself, a folder that may not be entered
        raise UsageError(f"{path} cannot be read: {error.strerror}", "fix the link or its permissions") from None
    if not stat.S_ISREG(mode):
        raise UsageError(f"{path} is not a file", "rename what has this name")
    return _decoded(path)


def _decoded(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8", "save it as UTF-8") from None


def _save_backup(target: Target, text: str | None) -> str:
    """Copy a file to its backup, with its permissions: the path, empty if there is no file."""
    if text is None:
        return ""
    path = _backup_path(target, text.encode())
    if path not in _backups(target):
        if os.path.lexists(path):
            raise UsageError(f"{path} blocks the backup", "move it")
        _whole(path, text, like=target.path)
    return path


def _replace(path: str, before: str | None, *, after: str) -> None:
    """Write a file. Raises ChangedUnderneath if it changed since it was read."""
    if _read(path) != before:
        raise ChangedUnderneath(f"{path} was changed by another program", "try again")
    _whole(path, after, like=path)


def _whole(path: str, text: str, *, like: str) -> None:
    """Write a file atomically; links are followed, and permissions are those of another file."""
    import tempfile

    path = os.path.realpath(path)
    folder = os.path.dirname(path)
    try:
        content = text.encode("utf-8")
        os.makedirs(folder, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=f".{os.path.basename(path)}.", dir=folder)
    except UnicodeEncodeError:
        raise UsageError(
            "a path in the entry is not UTF-8", "move the workspace, or commonplace, to a path in UTF-8"
        ) from None
    except OSError as error:
        raise NotWritable(f"{path} cannot be written: {error.strerror}", "fix the permissions of its folder") from None
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, os.stat(like).st_mode & 0o7777 if os.path.exists(like) else 0o666 & ~_mask())
        os.replace(temporary, path)
    except OSError as error:
        with suppress(OSError):  # on a disk that refuses all, it stays beside the file
            os.unlink(temporary)
        raise NotWritable(
            f"{path} cannot be written: {error.strerror}", "fix its permissions, or close the program that uses it"
        ) from None


def _mask() -> int:
    """The umask of new files; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
