"""Writes one table or the list `include` of `commonplace.toml`, whole or not at all; every other byte of the file stays
as it was."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Any

from commonplace.config import toml_table
from commonplace.config.settings_file import SETTINGS_FILE, read_regular, read_settings
from commonplace.errors import ChangedUnderneath, NotWritable, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def write_table(workspace: str, name: str, entry: Mapping[str, Any] | None) -> bool:
    """Set a table of the settings to these values, or remove it for None; return whether the file changed.

    A file that only held the table is removed with it. Raises UsageError if the file is not valid or its layout cannot
    be edited, NotWritable, ChangedUnderneath; then the file is as it was.
    """

    def edited(text: str) -> str:
        if entry is None:
            return toml_table.remove(text, (name,))
        dropped = toml_table.parse(text).get(name, {}).keys() - entry.keys()
        return toml_table.put(text, (name,), entry, drop=dropped)

    return _write(workspace, edited, hint=f"edit the table [{name}] by hand")


def include(workspace: str, globs: Sequence[str]) -> bool:
    """Add globs to the setting `include`, those apart that it has; return whether the file changed.

    Raises as `write_table`.
    """
    missing = [glob for glob in dict.fromkeys(globs) if glob not in read_settings(workspace).include]
    if not missing:
        return False
    return _write(
        workspace, lambda text: toml_table.extend(text, "include", missing), hint="edit the list `include` by hand"
    )


def _write(workspace: str, edited: Callable[[str], str], *, hint: str) -> bool:
    """Write the edited text, or remove a file that is emptied; return whether it changed. Raises as `write_table`.

    Args:
        edited: the new text for the old; raises ValueError for a layout that it does not know.
        hint: what a person does then.
    """
    read_settings(workspace)  # refuses a broken file
    path = os.path.join(workspace, SETTINGS_FILE)
    before = _content(path)
    text = before.decode() if before is not None else ""
    try:
        after = edited(text)
    except ValueError as error:
        raise UsageError(f"{path} was not changed: {error}", hint) from None
    if after == text:
        return False
    if _content(path) != before:
        raise ChangedUnderneath(f"{path} was changed by another program", "try again")
    try:
        if text and not after.strip():
            os.unlink(path)
        else:
            replace_file(os.path.realpath(path), after.encode())
    except OSError as error:
        raise NotWritable(f"{path} cannot be written: {error.strerror}", "fix its permissions") from None
    return True


def _content(path: str) -> bytes | None:
    try:
        return read_regular(path)
    except FileNotFoundError:
        return None


def replace_file(path: str, content: bytes) -> None:
    """Write a file beside it and rename it; it keeps its permissions, and a link stays a link."""
    mode = stat.S_IMODE(os.stat(path).st_mode) if os.path.exists(path) else 0o644
    temporary = f"{path}.{os.getpid()}-{os.urandom(5).hex()}.tmp"
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
