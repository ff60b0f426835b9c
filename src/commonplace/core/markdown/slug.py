"""The file name of an entity's page: readable, and valid on every file system.

Laws: the name of a page is its own name again (`entity_path` of a stem changes nothing); case and script are kept;
the path is at most 120 bytes of name. Two entities that differ in case only, or in characters that no file system
takes, may share a path: who creates a page looks whether another stands there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import normalize

from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection

BANK = "bank/"
"""Below it stand our pages, wherever there a person moved them."""
FOLDER = f"{BANK}entities/"
_MOST_BYTES = 120
"""Of 255 that file systems take: room for temporary names and for names that a sync tool lengthens."""
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"]
)
"""Devices of Windows: `CON`, and `CON.anything`."""
_DROPPED = frozenset('<>"?*\u00ad\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff')
"""Refused by Windows, or invisible: bidirectional controls, zero-width space, byte order mark, soft hyphen."""
_BETWEEN = frozenset("/\\:|\u2010\u2011")
"""Stand between words, and become a hyphen."""


def entity_path(name: str) -> str:
    """The path of an entity's page: `The Castle` and `The-Castle` are `bank/entities/The-Castle.md`.

    Raises UsageError for a name without a character that a name can have.
    """
    name = normalize("NFC", name).strip()
    kept: list[str] = []
    gap = dropped = False
    for character in name:
        if character.isspace() or character in _BETWEEN:
            gap = True
        elif (
            character in _DROPPED or character < " " or "\x7f" <= character < "\xa0" or "\ud800" <= character < "\ue000"
        ):
            dropped = True
        else:
            if gap and kept and kept[-1] != "-" and character != "-":
                kept.append("-")
            gap = False
            kept.append(character)
    stem = "".join(kept).rstrip(".")
    if not stem:
        raise UsageError(f"{name!r} is no name of an entity", "use at least one letter or digit")
    if stem.startswith(".") or reserved(stem):
        stem = "_" + stem
    if dropped or len(stem.encode()) > _MOST_BYTES:
        stem = _cut(stem, _MOST_BYTES - 9) + "-" + _mark(name)
    return f"{FOLDER}{stem}.md"


def entity_of(path: str, regions: Collection[str] = ()) -> str:
    """The name of the entity that a page is about, by its place or, wherever in the bank it was moved, by its region.

    Empty where it is none. Outside of the bank anybody may write what looks like our region: notes, copies, tools.

    Args:
        regions: names of the regions in it that we wrote.
    """
    if path.startswith(FOLDER) or (path.startswith(BANK) and "entity" in regions):
        name = path.rpartition("/")[2]
        return name.rpartition(".")[0].replace("-", " ")
    return ""


def reserved(name: str) -> bool:
    """Whether Windows takes a file name for a device, whatever stands after its first point."""
    return name.split(".", 1)[0].rstrip().casefold() in _RESERVED


def _cut(stem: str, size: int) -> str:
    """At most `size` bytes of it, by whole characters."""
    return stem.encode()[:size].decode("utf-8", "ignore").rstrip(".-")


def _mark(name: str) -> str:
    """Eight hex digits that keep apart names which look alike once cut."""
    from hashlib import sha256

    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
