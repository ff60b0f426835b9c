"""Every exception of the program, in one tree.

Defects in Markdown are values (`core.model.Problem`); wrong requests, and refusals of the outside world, are
exceptions; a bug is raised as it is, and the command line reports it in one line.

    CommonplaceError             code, message, hint, exit_status
    ├── UsageError (ValueError)  the request is wrong                      exit 2
    ├── WorkspaceError           the Markdown or the disk refuses          exit 1
    │   ├── NotAWorkspace        there is no such folder, or nothing in it is read
    │   ├── OutsideWorkspace     a path that leaves the workspace
    │   ├── NotFound             there is no fact, entity or line of that name
    │   ├── TextNotFound         the text to replace is not there
    │   ├── TextNotUnique        … or is there more than once
    │   ├── ChangedUnderneath    somebody else wrote meanwhile: read again
    │   ├── NotWritable          the disk or its permissions refuse the write
    │   ├── SecretRefused        the text to write looks like a secret
    │   └── CommandRefused       the memory tool refuses, in its own words
    ├── TokenNeeded              a write over HTTP without a token         exit 1
    ├── Cancelled                its caller no longer waits for it         exit 1
    ├── IndexUnusable            rebuild; nothing is lost                  exit 1
    ├── Busy                     another writer; try again                 exit 1
    ├── FleetUnusable            the PostgreSQL of `[fleet]` fails         exit 1
    ├── EmbedderUnavailable      the model or server of `[semantic]` fails exit 1
    ├── ModelUnavailable         the model or server of `[model]` fails    exit 1
    └── ExtensionMissing         names the extra to install                exit 1
"""

from __future__ import annotations

import sys

_LONGEST = 1_000
"""Maximum characters of a message: it often repeats the request, which may be endless."""


class CommonplaceError(Exception):
    """The root: a `message` (lower case, no full stop) and a `hint` with the next step."""

    code = "error"
    exit_status = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.say(message, hint)

    def say(self, message: str, hint: str) -> None:
        """Set message and hint."""
        self.message = message if len(message) <= _LONGEST else f"{message[: _LONGEST - 1]}…"
        self.hint = hint if len(hint) <= _LONGEST else f"{hint[: _LONGEST - 1]}…"
        self.args = (self.message,)

    def __str__(self) -> str:
        return f"{self.message}: {self.hint}" if self.hint else self.message

    def although(self, done: str) -> None:
        """Add what was done before the error to a hint that says that nothing was."""
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
    """The Markdown, or the disk below it, refuses."""

    code = "workspace"
    line = 1
    """The line of a file that is not UTF-8."""


class NotAWorkspace(WorkspaceError):
    """There is no such folder, or nothing in it that is read."""

    code = "not-a-workspace"


class OutsideWorkspace(WorkspaceError):
    """A path that leaves the workspace."""

    code = "outside-workspace"


class NotFound(WorkspaceError):
    """There is no fact, entity, opinion or line of that name."""

    code = "not-found"


class TextNotFound(WorkspaceError):
    """The text to replace is not there."""

    code = "text-not-found"


class TextNotUnique(WorkspaceError):
    """The text to replace is there more than once."""

    code = "text-not-unique"


class ChangedUnderneath(WorkspaceError):
    """The digest no longer matches: somebody else wrote meanwhile."""

    code = "changed-underneath"


class NotWritable(WorkspaceError):
    """The disk is full or read-only, or permissions refuse; nothing was changed."""

    code = "not-writable"


class SecretRefused(WorkspaceError):
    """The text to write, or a name in it, looks like a password, key or token; nothing was changed."""

    code = "secret-refused"


class CommandRefused(WorkspaceError):
    """The memory tool refuses a command; the message is its complete reply, word for word."""

    code = "command-refused"

    def __init__(self, reply: str) -> None:
        super().__init__(reply)

    def say(self, message: str, hint: str) -> None:
        """Set the reply, however long it is."""
        self.message, self.hint = message, ""
        self.args = (message,)


class IndexUnusable(CommonplaceError):
    """The index cannot be used and could not be rebuilt; the Markdown is untouched."""

    code = "index-unusable"


class FleetUnusable(CommonplaceError):
    """The PostgreSQL of the fleet is not there, or refuses; the workspace works without it."""

    code = "fleet-unusable"


class Busy(CommonplaceError):
    """Another writer has the lock."""

    code = "busy"


class Cancelled(CommonplaceError):
    """The caller no longer waits for the answer; nothing was changed."""

    code = "cancelled"


class TokenNeeded(CommonplaceError):
    """A write over HTTP needs the token that the server printed at its start."""

    code = "token-needed"


class EmbedderUnavailable(CommonplaceError):
    """The model or server that `[semantic]` names cannot be used, or answers wrongly; recall by words still works."""

    code = "embedder-unavailable"


class ModelUnavailable(CommonplaceError):
    """The model that `[model]` names cannot be used, or answers wrongly; its questions wait on."""

    code = "model-unavailable"


class ExtensionMissing(CommonplaceError):
    """An optional dependency is not installed."""

    code = "extension-missing"

    def __init__(self, message: str, extra: str) -> None:
        super().__init__(message, installing(extra))


def installing(extra: str, *, prefix: str = sys.prefix, executable: str = sys.executable) -> str:
    """Return the command that installs an extra's requirements beside this commonplace, however that was installed.

    Args:
        prefix: root of the environment of this program.
        executable: its interpreter.
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
    """Return the requirements of an extra, as arguments for pip."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        asked = [each.partition(";") for each in requires("commonplace") or ()]
    except PackageNotFoundError:  # run from source, not installed
        return [extra]
    return [needs.strip() for needs, _, when in asked if when.replace("'", '"').split()[-1:] == [f'"{extra}"']]
