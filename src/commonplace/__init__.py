"""commonplace: a folder of Markdown as a memory that retains, recalls and reflects.

    from commonplace import Memory

    memory = Memory("~/notes")
    memory.retain("W @Peter: In Marrakech until Dec 1 for the birthday of Andy.")
    memory.recall("where is Peter?").hits[0].fact.content

Public names are imported when they are first used: `import commonplace` alone costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from commonplace.config import Settings, find_workspace, read_settings
    from commonplace.core.model import (
        Bundle,
        Citation,
        Evidence,
        Fact,
        Hit,
        Kind,
        Opinion,
        Origin,
        Patch,
        Problem,
        Span,
        Stance,
        SyncReport,
    )
    from commonplace.core.stance import weigh
    from commonplace.errors import (
        Busy,
        ChangedUnderneath,
        CommonplaceError,
        ExtensionMissing,
        IndexUnusable,
        NotAWorkspace,
        NotFound,
        NotWritable,
        OutsideWorkspace,
        SecretRefused,
        TextNotFound,
        TextNotUnique,
        UsageError,
        WorkspaceError,
    )
    from commonplace.memory import Memory, explain

_HOMES = {
    "commonplace.config": ("Settings", "find_workspace", "read_settings"),
    "commonplace.core.model": (
        "Bundle", "Citation", "Evidence", "Fact", "Hit", "Kind", "Opinion", "Origin", "Patch", "Problem", "Span",
        "Stance", "SyncReport",
    ),
    "commonplace.core.stance": ("weigh",),
    "commonplace.errors": (
        "Busy", "ChangedUnderneath", "CommonplaceError", "ExtensionMissing", "IndexUnusable", "NotAWorkspace",
        "NotFound", "NotWritable", "OutsideWorkspace", "SecretRefused", "TextNotFound", "TextNotUnique", "UsageError",
        "WorkspaceError",
    ),
    "commonplace.memory": ("Memory", "explain"),
}  # fmt: skip
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Bundle",
    "Busy",
    "ChangedUnderneath",
    "Citation",
    "CommonplaceError",
    "Evidence",
    "ExtensionMissing",
    "Fact",
    "Hit",
    "IndexUnusable",
    "Kind",
    "Memory",
    "NotAWorkspace",
    "NotFound",
    "NotWritable",
    "Opinion",
    "Origin",
    "OutsideWorkspace",
    "Patch",
    "Problem",
    "SecretRefused",
    "Settings",
    "Span",
    "Stance",
    "SyncReport",
    "TextNotFound",
    "TextNotUnique",
    "UsageError",
    "WorkspaceError",
    "__version__",
    "explain",
    "find_workspace",
    "read_settings",
    "weigh",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
