"""The record of a running server, which `status` and `doctor` report."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from commonplace.errors import CommonplaceError
from commonplace.store.workspace import Workspace

if TYPE_CHECKING:
    from commonplace.store.fs.server_records import Record


class Serving:
    """This process as a server of a workspace, with its URL. A missing workspace has no record."""

    def __init__(self, root: str, url: str) -> None:
        self._root, self._url = root, url
        self._record: Record | None = None

    def keep(self) -> None:
        """Create the record if it is missing and can be written; a server works without one."""
        with suppress(CommonplaceError, OSError):
            if self._record is None:
                workspace = Workspace(self._root)
                if not workspace.begun:
                    return
                self._record = workspace.record(self._url)
            self._record.kept()

    def close(self) -> None:
        """Remove the record."""
        if self._record is not None:
            with suppress(OSError):
                self._record.close()
