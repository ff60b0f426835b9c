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
    from commonplace.core.agent.core_blocks import Block, Context, Core
    from commonplace.core.model import (
        Bundle,
        Citation,
        Evidence,
        Fact,
        Finding,
        Hit,
        Kind,
        Opinion,
        Origin,
        Patch,
        Problem,
        Reflection,
        Span,
        Stance,
        SyncReport,
    )
    from commonplace.core.questions.query_analysis import Reading
    from commonplace.core.recall.packing import hit_text
    from commonplace.core.review.packet import Packet
    from commonplace.core.stance import weigh
    from commonplace.doors.anthropic.memory_tool import MemoryTool
    from commonplace.errors import (
        Busy,
        Cancelled,
        ChangedUnderneath,
        CommandRefused,
        CommonplaceError,
        EmbedderUnavailable,
        ExtensionMissing,
        FleetUnusable,
        IndexUnusable,
        ModelUnavailable,
        NotAWorkspace,
        NotFound,
        NotWritable,
        OutsideWorkspace,
        SecretRefused,
        TextNotFound,
        TextNotUnique,
        TokenNeeded,
        UsageError,
        WorkspaceError,
    )
    from commonplace.memory import Memory, explain
    from commonplace.memory.fleet.fleet_state import FleetForgotten, FleetState, MadeFleet, TenantRoles
    from commonplace.memory.model_state import ModelState
    from commonplace.memory.semantic_state import SemanticState
    from commonplace.memory.status_report import Status
    from commonplace.ops.fleet.push import PushReport
    from commonplace.ops.index.embed_passages import Embedded
    from commonplace.ops.review.ask_model import ModelRun
    from commonplace.ops.review.carry_out import Answered, Heard, Waiting
    from commonplace.ops.review.undo_model import ModelUndone
    from commonplace.ops.views.belief_history import Told
    from commonplace.ops.views.lookup import EntityView, KnownEntity, RecordedDay
    from commonplace.ops.write.edit_files import Lines, Written
    from commonplace.ops.write.forget import Forgotten, Wiped
    from commonplace.ops.write.import_notes import Imported
    from commonplace.ops.write.merge_entities import Joined
    from commonplace.ops.write.retain import Retained
    from commonplace.store.transactions.change_sets import UndoableChange, Undone
    from commonplace.store.workspace.unread_files import LeftOut

_HOMES = {
    "commonplace.config": ("Settings", "find_workspace", "read_settings"),
    "commonplace.core.agent.core_blocks": ("Block", "Context", "Core"),
    "commonplace.core.recall.packing": ("hit_text",),
    "commonplace.core.model": (
        "Bundle", "Citation", "Evidence", "Fact", "Finding", "Hit", "Kind", "Level", "Line", "Opinion", "Origin",
        "Patch", "Problem", "Reflection", "Span", "Stance", "SyncReport",
    ),
    "commonplace.core.review.packet": ("Packet",),
    "commonplace.core.questions.query_analysis": ("Reading",),
    "commonplace.core.stance": ("weigh",),
    "commonplace.doors.anthropic.memory_tool": ("MemoryTool",),
    "commonplace.errors": (
        "Busy", "Cancelled", "ChangedUnderneath", "CommandRefused", "CommonplaceError", "EmbedderUnavailable",
        "ExtensionMissing",
        "FleetUnusable", "IndexUnusable", "ModelUnavailable", "NotAWorkspace", "NotFound", "NotWritable",
        "OutsideWorkspace", "SecretRefused", "TextNotFound", "TextNotUnique", "TokenNeeded", "UsageError",
        "WorkspaceError",
    ),
    "commonplace.memory": ("Memory", "explain"),
    "commonplace.memory.fleet.fleet_state": ("FleetForgotten", "FleetState", "MadeFleet", "TenantRoles"),
    "commonplace.memory.model_state": ("ModelState",),
    "commonplace.memory.semantic_state": ("SemanticState",),
    "commonplace.memory.status_report": ("Status",),
    "commonplace.ops.index.embed_passages": ("Embedded",),
    "commonplace.ops.views.lookup": ("EntityView", "KnownEntity", "RecordedDay"),
    "commonplace.ops.write.forget": ("Forgotten", "Wiped"),
    "commonplace.ops.write.import_notes": ("Imported",),
    "commonplace.ops.views.belief_history": ("Told",),
    "commonplace.ops.write.merge_entities": ("Joined",),
    "commonplace.ops.write.retain": ("Retained",),
    "commonplace.ops.review.carry_out": ("Answered", "Heard", "Waiting"),
    "commonplace.ops.write.edit_files": ("Lines", "Written"),
    "commonplace.ops.fleet.push": ("PushReport",),
    "commonplace.ops.review.ask_model": ("ModelRun",),
    "commonplace.ops.review.undo_model": ("ModelUndone",),
    "commonplace.store.transactions.change_sets": ("UndoableChange", "Undone"),
    "commonplace.store.workspace.unread_files": ("LeftOut",),
}  # fmt: skip
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Answered",
    "Block",
    "Bundle",
    "Busy",
    "Cancelled",
    "ChangedUnderneath",
    "Citation",
    "CommandRefused",
    "CommonplaceError",
    "Context",
    "Core",
    "Embedded",
    "EmbedderUnavailable",
    "EntityView",
    "Evidence",
    "ExtensionMissing",
    "Fact",
    "Finding",
    "FleetForgotten",
    "FleetState",
    "FleetUnusable",
    "Forgotten",
    "Heard",
    "Hit",
    "Imported",
    "IndexUnusable",
    "Joined",
    "Kind",
    "KnownEntity",
    "LeftOut",
    "Level",
    "Line",
    "Lines",
    "MadeFleet",
    "Memory",
    "MemoryTool",
    "ModelRun",
    "ModelState",
    "ModelUnavailable",
    "ModelUndone",
    "NotAWorkspace",
    "NotFound",
    "NotWritable",
    "Opinion",
    "Origin",
    "OutsideWorkspace",
    "Packet",
    "Patch",
    "Problem",
    "PushReport",
    "Reading",
    "RecordedDay",
    "Reflection",
    "Retained",
    "SecretRefused",
    "SemanticState",
    "Settings",
    "Span",
    "Stance",
    "Status",
    "SyncReport",
    "TenantRoles",
    "TextNotFound",
    "TextNotUnique",
    "TokenNeeded",
    "Told",
    "UndoableChange",
    "Undone",
    "UsageError",
    "Waiting",
    "Wiped",
    "WorkspaceError",
    "Written",
    "__version__",
    "explain",
    "find_workspace",
    "hit_text",
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
