"""A client's configuration file: our entry merged into it or taken out, and everything else as it was.

A file is written only when it was read and understood, after a backup, whole or not at all; what it will say is checked
first. How its text is edited is `jsonc` and `toml`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.errors import ChangedUnderneath, NotWritable, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NAME = "commonplace"
"""What our entry is called in every client."""
BACKUP = ".before-commonplace"
"""Ends the name of the copy of a file as it was before it was changed."""
_UNEDITED = "was left alone: it is written in a way that is not edited here"
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
        """Every key that we may have written there, for one transport or the other."""
        return {key for each in ("stdio", "http") if self.about[each] for key in self.about[each]}


def language(target: Target) -> Any:
    """The module that edits texts of the file's kind."""
    if target.about["syntax"] == "toml":
        from commonplace.doors import toml

        return toml
    from commonplace.doors import jsonc

    return jsonc


def written(target: Target, entry: Mapping[str, Any]) -> tuple[bool, str]:
    """Merge our entry into a file: whether that changed it, and the backup's path, empty when there is none."""
    texts = language(target)
    before = _read(target)
    text, says = before or "", _said(target, before)
    held = _at(says, target.keys)
    kept = {key: value for key, value in held.items() if key not in target.drop} if isinstance(held, dict) else {}
    after = _edited(target, lambda: texts.put(text, target.keys, entry, target.drop))
    if _said(target, after) != _with(says, target.keys, {**kept, **entry}):
        raise _refusal(target, _UNEDITED)
    if after == before:
        return False, ""
    backup = target.path + BACKUP if _is_backup(target, text) else _save_backup(target, before)
    _replace(target.path, before, after)
    return True, backup


def removed(target: Target) -> tuple[str, str]:
    """Take our entry out of a file: the backup's path, and the file's, both empty when it was not in there.

    The file is given back byte for byte where nobody else changed it meanwhile; one that only we wrote goes.
    """
    texts = language(target)
    before = _read(target)
    says = _said(target, before)
    if before is None or _at(says, target.keys) is None:
        return "", ""
    backup = target.path + BACKUP
    if _is_backup(target, before):
        _replace(target.path, before, _decoded(backup))
        os.unlink(backup)
        return "", target.path
    after = _edited(target, lambda: texts.remove(before, target.keys))
    left = _said(target, after)
    if _at(left, target.keys) is not None or _with(left, target.keys, 0) != _with(says, target.keys, 0):
        raise _refusal(target, _UNEDITED)
    if not left and not os.path.exists(backup) and after.strip() in ("", "{}"):
        os.unlink(target.path)
        return "", target.path
    saved = _save_backup(target, before)
    _replace(target.path, before, after)
    return saved, target.path


def _is_backup(target: Target, text: str) -> bool:
    """Whether the backup beside a file is that file without us: nobody changed anything else since."""
    backup = target.path + BACKUP
    if not os.path.exists(backup):
        return False
    try:
        without = _decoded(backup)
        entry = _at(_said(target, text), target.keys)
        if not isinstance(entry, dict) or _at(_said(target, without), target.keys) is not None:
            return False
        texts = language(target)
        again = texts.put(without, target.keys, entry)
        return bool(texts.remove(again, target.keys) == texts.remove(text, target.keys))
    except (UsageError, ValueError):
        return False


def _said(target: Target, text: str | None) -> dict[str, Any]:
    """What a file says; nothing when it is empty or not there."""
    if text is None or not text.removeprefix("\ufeff").strip():
        return {}
    try:
        found: dict[str, Any] = language(target).parse(text)
    except ValueError as error:
        kind = "TOML" if target.about["syntax"] == "toml" else "JSON"
        raise _refusal(target, f"is no {kind} that can be read: {error}") from None
    return found


def _edited(target: Target, edit: Callable[[], str]) -> str:
    try:
        return edit()
    except ValueError as error:
        raise _refusal(target, f"was left alone: {error}") from None


def _refusal(target: Target, why: str) -> UsageError:
    return UsageError(f"{target.path} {why}", f"commonplace setup {target.client} shows what to put into it")


def _at(found: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _with(found: dict[str, Any], keys: tuple[str, ...], value: Any) -> dict[str, Any]:
    first, *rest = keys
    below = found.get(first)
    return {**found, first: _with(below if isinstance(below, dict) else {}, tuple(rest), value) if rest else value}


def _read(target: Target) -> str | None:
    return _decoded(target.path) if os.path.exists(target.path) else None


def _decoded(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8", "save it as UTF-8") from None


def _save_backup(target: Target, text: str | None) -> str:
    """Copy a file as it is beside it, with its permissions; empty when there is none."""
    if text is None:
        return ""
    path = target.path + BACKUP
    _whole(path, text, like=target.path)
    return path


def _replace(path: str, before: str | None, after: str) -> None:
    """Write a file, unless somebody changed it since it was read."""
    if (_decoded(path) if os.path.exists(path) else None) != before:
        raise ChangedUnderneath(f"{path} was changed just now", "try again")
    _whole(path, after, like=path)


def _whole(path: str, text: str, *, like: str) -> None:
    """Write a file whole or not at all; links are followed, permissions are those of another file."""
    import tempfile

    path = os.path.realpath(path)
    folder = os.path.dirname(path)
    try:
        content = text.encode("utf-8")
        os.makedirs(folder, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=f".{os.path.basename(path)}.", dir=folder)
    except UnicodeEncodeError:
        raise UsageError("a path in it is not UTF-8", "move the workspace, or commonplace, to a path that is") from None
    except OSError as error:
        raise NotWritable(f"{path} cannot be written: {error.strerror}", "mend the permissions of its folder") from None
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, os.stat(like).st_mode & 0o7777 if os.path.exists(like) else 0o666 & ~_mask())
        os.replace(temporary, path)
    except OSError as error:
        os.unlink(temporary)
        raise NotWritable(f"{path} cannot be written: {error.strerror}", "mend its permissions, or close it") from None


def _mask() -> int:
    """What new files may not be: it can only be asked for by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
