"""Paths, ids and row numbers that say of which workspace they are."""

from __future__ import annotations

from typing import Any, NamedTuple

from commonplace.store.sqlite.index_schema import DAY

WHOSE = 15
"""Bits of a row number between day and line: which workspace."""
WORKSPACES = 1 << WHOSE
"""Workspaces of one tenant, at most."""
OF_FILE = 32
"""Bits of a file's number below the workspace."""
_ROWS = frozenset({"row", "low", "high", "parent"})


class FleetNumbers(NamedTuple):
    """Turns what the index of one workspace has into what the fleet has of it."""

    name: str
    number: int

    def row(self, row: int) -> int:
        """A row with the number of the workspace between day and line."""
        day, line = row >> DAY, row & ((1 << DAY) - 1)
        return (day << WHOSE | self.number) << DAY | line if row else 0

    def file(self, file: int) -> int:
        """A file's number with that of the workspace before it."""
        return self.number << OF_FILE | file

    def value(self, column: str, kind: str, value: Any) -> Any:
        """A value of a column, of this type in the fleet."""
        if value is None:
            return None
        if column in _ROWS:
            return self.row(value)
        if column == "file":
            return self.file(value)
        if kind == "varchar":
            return f"{self.name}:{value}"
        return value.replace("\0", "\ufffd") if isinstance(value, str) else value


class FleetText(str):
    """A path or an id in one workspace of a fleet: reads as in that workspace, prints with its name before it.

    So rules that look at a path see the path, while the same path in two workspaces is two.
    """

    __slots__ = ("workspace",)
    workspace: str

    def __new__(cls, workspace: str, text: str) -> FleetText:
        """Place a text in a workspace."""
        made = super().__new__(cls, text)
        made.workspace = workspace
        return made

    @classmethod
    def read(cls, stored: str) -> FleetText:
        """Read what `stored` gave."""
        workspace, _, text = stored.partition(":")
        return cls(workspace, text)

    @property
    def text(self) -> str:
        """As in its workspace."""
        return super().__str__()

    @property
    def stored(self) -> str:
        """As the database keeps it."""
        return f"{self.workspace}:{self.text}"

    def __str__(self) -> str:
        return self.stored

    def __repr__(self) -> str:
        return repr(self.stored)

    def __lt__(self, other: str) -> bool:
        return (self.text, self.workspace) < (str.__str__(other), getattr(other, "workspace", ""))

    def __format__(self, spec: str) -> str:
        return format(self.stored, spec)

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and (not isinstance(other, FleetText) or self.workspace == other.workspace)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return FleetText, (self.workspace, self.text)
