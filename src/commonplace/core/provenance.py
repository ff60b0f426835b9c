"""Where an imported fact came from, and where the copy of its note stands: one name for both."""

from __future__ import annotations

from commonplace.core.model import IMPORTED

COPIES = "memory/imported/"
"""Below it lie the copies of imported notes."""


def noted_path(copy: str) -> str:
    """The path of a note as its own folder has it, below the name that the folder has here, of its copy's."""
    below = copy.removeprefix(COPIES)
    return below.removesuffix(".md") if below.lower().endswith((".txt.md", ".text.md", ".xml.md")) else below


def source_of(path: str) -> str:
    """What the trailer of a fact says of where it came from: `import:Vault/People/Peter.md`."""
    return IMPORTED + "".join("_" if sign.isspace() or sign in "<>" else sign for sign in path)


def copied_as(path: str) -> str:
    """What the trailers of the facts say whose note was copied to this path; empty where it is no copy."""
    return source_of(noted_path(path)) if path.startswith(COPIES) else ""
