"""The file name of an entity's page: readable, and valid on every file system.

Laws: the name of a page maps to itself (`entity_path` of a stem changes nothing); case and script are kept; a name has
at most 120 bytes. Two entities that differ only in case, or in characters that no file system accepts, may share a
path: whoever creates a page checks whether another is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import normalize

from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection

BANK = "bank/"
"""The folder of our pages, wherever in it a person moved them."""
FOLDER = f"{BANK}entities/"
_MOST_BYTES = 120
"""Of the 255 that file systems allow: the rest is for temporary names and for names that a sync tool lengthens."""
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"]
)
"""Devices of Windows: `CON`, and `CON.anything`."""
_DROPPED = frozenset('<>"?*\u00ad\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff')
"""Refused by Windows, or invisible: bidirectional controls, zero-width space, byte order mark, soft hyphen."""
_BETWEEN = frozenset("/\\:|\u2010\u2011")
"""Separators of words; they become a hyphen."""


def entity_path(name: str) -> str:
    """Return the path of an entity's page: `bank/entities/The-Castle.md` for `The Castle` and for `The-Castle`.

    Raises UsageError for a name without any usable character.
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
        raise UsageError(f"{name!r} is not a valid entity name", "use at least one letter or digit")
    if stem.startswith(".") or reserved(stem):
        stem = "_" + stem
    if dropped or len(stem.encode()) > _MOST_BYTES:
        stem = stem.encode()[: _MOST_BYTES - 9].decode("utf-8", "ignore").rstrip(".-") + "-" + _mark(name)
    return f"{FOLDER}{stem}.md"


def entity_of(path: str, regions: Collection[str] = ()) -> str:
    """Return the name of the entity that a page is about; empty if it is about none.

    A page is about an entity by its folder or, anywhere in the bank, by its region. Outside the bank the region is no
    proof: notes, copies and tools may contain one.

    Args:
        regions: names of the regions in it that we wrote.
    """
    if path.startswith(FOLDER) or (path.startswith(BANK) and "entity" in regions):
        name = path.rpartition("/")[2]
        return name.rpartition(".")[0].replace("-", " ")
    return ""


def reserved(name: str) -> bool:
    """Whether Windows takes a file name for a device, whatever follows its first dot."""
    return name.split(".", 1)[0].rstrip().casefold() in _RESERVED


def _mark(name: str) -> str:
    """Return eight hex digits that distinguish names which are equal once shortened."""
    from hashlib import sha256

    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
