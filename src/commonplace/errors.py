"""Every exception of the program, in one tree.

Defects in Markdown are values (`core.model.Problem`); wrong requests, and a world that refuses, are exceptions; a bug
is raised as it is, and the command line tells it in one line.

    CommonplaceError             code, message, hint, exit_status
    ├── UsageError (ValueError)  the request is wrong                      exit 2
    ├── WorkspaceError           the Markdown says no                      exit 1
    │   ├── NotAWorkspace        there is no such folder, or nothing in it
    │   ├── OutsideWorkspace     a path that leaves the workspace
    │   ├── NotFound             no fact, entity or line of that name
    │   ├── TextNotFound         the text to replace is not there
    │   ├── TextNotUnique        … or stands there more than once
    │   ├── ChangedUnderneath    somebody else wrote meanwhile: read again
    │   ├── NotWritable          the disk or its permissions refuse
    │   ├── SecretRefused        what is to be written looks like a secret
    │   └── CommandRefused       the memory tool says no, in its own words
    ├── TokenNeeded          a write over HTTP without the server's token  exit 1
    ├── IndexUnusable            rebuild; nothing is lost                  exit 1
    ├── Busy                     another writer; try again                 exit 1
    └── ExtensionMissing         names the extra to install                exit 1
"""

from __future__ import annotations

import sys

_LONGEST = 1_000
"""Characters of a message: what was asked may be endless, and is often repeated in it."""


class CommonplaceError(Exception):
    """The root: a `message` (lower case, no full stop) and a `hint` that says what to do next."""

    code = "error"
    exit_status = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.say(message, hint)

    def say(self, message: str, hint: str) -> None:
        """Say this from now on."""
        self.message = message if len(message) <= _LONGEST else f"{message[: _LONGEST - 1]}…"
        self.hint = hint if len(hint) <= _LONGEST else f"{hint[: _LONGEST - 1]}…"
        self.args = (self.message,)

    def __str__(self) -> str:
        return f"{self.message}: {self.hint}" if self.hint else self.message

    def although(self, done: str) -> None:
        """Say what was done before it, where the hint says that nothing was."""
        kept = self.hint
        for claim in ("nothing was changed", "nothing was written"):
            if kept.endswith(claim):
                kept = kept.removesuffix(claim) + claim.replace("nothing", "nothing else")
        self.hint = "; ".join(filter(None, (kept, done)))[:_LONGEST]


class UsageError(CommonplaceError, ValueError):
    """The request is wrong."""

    code = "usage"
    exit_status = 2


class WorkspaceError(CommonplaceError):
    """The Markdown, or the disk below it, says no."""

    code = "workspace"


class NotAWorkspace(WorkspaceError):
    """There is no such folder, or nothing in it that is read."""

    code = "not-a-workspace"


class OutsideWorkspace(WorkspaceError):
    """A path that leaves the workspace."""

    code = "outside-workspace"


class NotFound(WorkspaceError):
    """No fact, entity, opinion or line of that name."""

    code = "not-found"


class TextNotFound(WorkspaceError):
    """The text to replace does not stand there."""

    code = "text-not-found"


class TextNotUnique(WorkspaceError):
    """The text to replace stands there more than once."""

    code = "text-not-unique"


class ChangedUnderneath(WorkspaceError):
    """The digest no longer holds: somebody else wrote meanwhile."""

    code = "changed-underneath"


class NotWritable(WorkspaceError):
    """The disk is full, read-only, or its permissions refuse; nothing was changed."""

    code = "not-writable"


class SecretRefused(WorkspaceError):
    """What is to be written, or a name in it, looks like a password, key or token; nothing was changed."""

    code = "secret-refused"


class CommandRefused(WorkspaceError):
    """The memory tool refuses a command; the message is its reply, whole and word for word."""

    code = "command-refused"

    def __init__(self, reply: str) -> None:
        super().__init__(reply)

    def say(self, message: str, hint: str) -> None:
        """Reply this, however long it is."""
        self.message, self.hint = message, ""
        self.args = (message,)


class IndexUnusable(CommonplaceError):
    """The index cannot be used and could not be rebuilt; the Markdown is untouched."""

    code = "index-unusable"


class Busy(CommonplaceError):
    """Another writer holds the lock."""

    code = "busy"


class TokenNeeded(CommonplaceError):
    """A write over HTTP needs the token that the server printed at its start."""

    code = "token-needed"


class ExtensionMissing(CommonplaceError):
    """An optional dependency is not installed."""

    code = "extension-missing"

    def __init__(self, message: str, extra: str) -> None:
        super().__init__(message, installing(extra))


def installing(extra: str, *, prefix: str = sys.prefix, executable: str = sys.executable) -> str:
    """The command that installs what an extra needs beside this commonplace, wherever that was installed from.

    Args:
        prefix: the root of the environment that it runs in.
        executable: the interpreter there.
    """
    from importlib.util import find_spec
    from shlex import quote

    needed = " ".join(quote(each) for each in _needed(extra))
    *above, name = prefix.replace("\\", "/").rstrip("/").split("/")
    if above[-2:] == ["pipx", "venvs"]:
        return f"pipx inject {quote(name)} {needed}"
    if above[-2:] == ["uv", "tools"] or find_spec("pip") is None:
        return f"uv pip install --python {quote(executable)} {needed}"
    return f"{quote(executable)} -m pip install {needed}"


def _needed(extra: str) -> list[str]:
    """What an extra adds, as pip is told it."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        asked = [each.partition(";") for each in requires("commonplace") or ()]
    except PackageNotFoundError:  # it is run from its source
        return [extra]
    return [needs.strip() for needs, _, when in asked if when.replace("'", '"').split()[-1:] == [f'"{extra}"']]
