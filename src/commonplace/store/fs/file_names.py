"""File names: the normalised key of a name, and the name on the disk.

A key is a workspace-relative POSIX path in NFC safe in any database, JSON or terminal: bytes that are not UTF-8,
control characters and backslashes in a file name are written `%FF`. The real name is kept for opening.
"""

import os
from collections.abc import Iterable
from typing import NamedTuple

from commonplace.errors import OutsideWorkspace

TEMPORARY = ".cp-"
"""Part of the name of each of our temporary files: `.NAME.cp-PID-RANDOM.tmp`."""
_LONGEST_STEM = 180
"""Maximum bytes of NAME in a temporary name; file systems allow 255, and the rest of the name takes up to 64."""


def is_hidden(name: str) -> bool:
    """Whether a file or folder is not part of the memory: hidden, or `node_modules`."""
    return name.startswith(".") or name == "node_modules"


def names_in(folder: int | str) -> list[str]:
    """Return every name in a folder, by descriptor or path, in order; an empty list if it cannot be listed."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def key_of(name: str) -> str:
    """Return the key of one path component as spelled on the disk."""
    if not name.isascii():
        import unicodedata

        name = unicodedata.normalize("NFC", name)
    if name.isprintable() and "\\" not in name:
        return name
    return "".join(_shown(character) for character in name)


def _shown(character: str) -> str:
    if "\udc80" <= character <= "\udcff":  # a byte that is not UTF-8, as `os` returns it
        return f"%{ord(character) - 0xDC00:02X}"
    if character < " " or character in "\x7f\\":
        return f"%{ord(character):02X}"
    return character


def parts_of(path: str, *, windows: bool = os.name == "nt") -> list[str]:
    """Return the components of a path argument, as keys.

    Raises OutsideWorkspace for a path that could lead out of the workspace, is hidden, or names no file.
    """
    if "\0" in path:
        raise OutsideWorkspace("a path cannot contain a NUL character", "give a path below the workspace")
    if "\\" in path and not windows:
        raise _refused(path, "contains a backslash", hint="write / between folders")
    path = path.replace("\\", "/")
    if path.startswith(("/", "~/")) or path == "~" or (path[1:2] == ":" and (windows or path[2:3] == "/")):
        raise _refused(path, "is absolute", hint="give a path relative to the workspace, such as memory/2025-11-27.md")
    parts = path.split("/")
    if ".." in parts:
        raise _refused(path, "holds ..", hint="give a path below the workspace")
    if "" in parts or "." in parts:
        raise _refused(path, "does not name a file", hint="give a path such as memory/2025-11-27.md")
    if windows:
        _refuse_other_names(path, parts)
    if any(is_hidden(part) for part in parts):
        raise _refused(path, "is hidden", hint="hidden files and folders are not part of the memory")
    return [key_of(part) for part in parts]


def _refuse_other_names(path: str, parts: list[str]) -> None:
    """Refuse names that Windows maps to another file: a stream, a device, a name with an end that it drops."""
    from commonplace.core.markdown.slug import reserved

    if ":" in path:
        raise _refused(path, "contains a colon", hint="leave out the colon")
    if any(part.endswith((".", " ")) for part in parts):
        raise _refused(
            path, "has a name that ends in a dot or a space", hint="Windows drops it: remove it from the name"
        )
    if any(reserved(part) for part in parts):
        raise _refused(path, "is the name of a device", hint="give the file another name")


def _refused(path: str, why: str, *, hint: str) -> OutsideWorkspace:
    return OutsideWorkspace(f"{path!r} {why}", hint)


def temporary_name(name: str) -> str:
    """Return a new temporary name for a file to be renamed to `name` in the same folder: `.NAME.cp-PID-RANDOM.tmp`."""
    stem = name
    while len(os.fsencode(stem)) > _LONGEST_STEM:  # whole characters only: some file systems reject half ones
        stem = stem[: len(stem) - max(1, (len(os.fsencode(stem)) - _LONGEST_STEM) // 4)]
    return f".{stem}{TEMPORARY}{os.getpid()}-{os.urandom(5).hex()}.tmp"


def ready_name(temporary: str, before: str, *, after: str) -> str:
    """Return the name of a complete temporary file, with the digests of the content it replaces and the content it has.

    After a crash the name is enough to know whether the file contains our text, the text that ours displaced, or what
    somebody else wrote in between.
    """
    return f"{temporary.removesuffix('.tmp')}-{before}-{after}.tmp"


class Leftover(NamedTuple):
    """A temporary file, parsed from its name: its process, its target, the digests before and after."""

    name: str
    target: str
    """Real name of the target file; if it is very long, only its beginning."""
    owner: int
    """Process id."""
    before: str
    """Digest of the content it replaces: empty if the file was never complete, `new` if there was no target."""
    after: str

    def target_among(self, names: Iterable[str]) -> str:
        """Return the full name of the target if exactly one of `names` starts with its known part, else that part."""
        longer = [name for name in names if name.startswith(self.target) and leftover(name) is None]
        return longer[0] if len(longer) == 1 else self.target

    @property
    def abandoned(self) -> bool:
        """Whether its process is gone. False for our own: this process may be in the middle of a write."""
        from commonplace.store.fs.system import runs

        if self.owner == os.getpid():
            return False
        return os.name == "nt" or not runs(self.owner)  # on Windows an open file cannot be removed anyway


def leftover(name: str) -> Leftover | None:
    """Parse the name of a temporary file; None if it is not one of ours."""
    if not name.startswith(".") or not name.endswith(".tmp"):
        return None
    target, mark, tail = name[1:-4].rpartition(TEMPORARY)
    fields = tail.split("-")
    if not mark or not target or not fields[0].isdecimal() or len(fields) not in {2, 4}:
        return None
    before, after = fields[2:] if len(fields) == 4 else ("", "")
    return Leftover(name, target, int(fields[0]), before, after)
