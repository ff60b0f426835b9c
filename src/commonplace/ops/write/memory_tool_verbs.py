"""The six verbs of the memory tool: view, create, str_replace, insert, delete, rename.

Laws: a daily log only grows; a host's core files are only read; `create` never overwrites; a delete or rename can be
undone, and a file is not deleted if somebody changed it since the agent last saw it.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from commonplace.core.agent import memory_tool_view
from commonplace.core.agent.memory_tool_view import AGENT, FOLDERS, ROOT, Shelf
from commonplace.core.documents.merge_markers import require_settled
from commonplace.core.markdown import text_edits
from commonplace.core.model import Patch
from commonplace.core.secrets.guard import ADVICE
from commonplace.errors import ChangedUnderneath, CommandRefused, NotFound, SecretRefused, UsageError
from commonplace.ops.write.edit_files import is_host_s, is_log

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from commonplace.ops.write.edit_files import Door

COMMANDS: dict[str, dict[str, type]] = {
    "view": {"path": str},
    "create": {"path": str, "file_text": str},
    "str_replace": {"path": str, "old_str": str, "new_str": str},
    "insert": {"path": str, "insert_line": int, "insert_text": str},
    "delete": {"path": str},
    "rename": {"old_path": str, "new_path": str},
}
"""Each command with its required parameters; `view` may also have a `view_range`."""
_SAID = {str: "a string", int: "an integer"}


def execute(
    door: Door, command: Mapping[str, Any], seen: dict[str, str], *, today: date, allow_secret: bool = False
) -> str:
    """Execute one command; return its reply.

    Args:
        door: what may be written.
        command: as sent by a model, such as `{"command": "view", "path": "/memories"}`.
        seen: digest of each file as the agent last saw it; updated here.
        today: recorded with changes that can be undone.
        allow_secret: accept text that looks like a secret.

    Raises CommandRefused, and what the workspace raises.
    """
    verb, given = _read(command)
    with nullcontext() if verb == "view" else door.workspace.locked():
        desk = _Desk(door, seen, today=today, allow_secret=allow_secret)
        try:
            reply: str = getattr(desk, verb)(**given)
        except SecretRefused as refused:
            why = refused.message.partition(" (")[0]  # the agent knows the files by other names
            raise CommandRefused(f"Nothing was written: {why}. {ADVICE.capitalize()}.") from None
    return reply


def _read(command: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the verb of a command and its checked parameters; unknown parameters are ignored."""
    verb = command.get("command")
    if not isinstance(verb, str) or verb not in COMMANDS:
        raise CommandRefused(f"Unknown command: {verb if isinstance(verb, str) and _whole(verb) else ascii(verb)}")
    given: dict[str, Any] = {}
    for name, kind in COMMANDS[verb].items():
        value = command.get(name)
        if value is None:
            raise CommandRefused(f"The command {verb} needs `{name}`.")
        if not isinstance(value, kind) or isinstance(value, bool):
            raise CommandRefused(f"Invalid `{name}` parameter: it should be {_SAID[kind]}.")
        if isinstance(value, str) and not _whole(value):
            raise CommandRefused(f"Invalid `{name}` parameter: it has an incomplete character.")
        given[name] = value
    if verb == "view" and (wanted := command.get("view_range")) is not None:
        if not isinstance(wanted, list | tuple) or not all(type(each) is int for each in wanted):
            raise CommandRefused("Invalid `view_range` parameter: it should be a list of two integers.")
        given["view_range"] = wanted
    return verb, given


def _whole(text: str) -> bool:
    """Whether a text can be encoded: no file and no answer can contain a lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class _Desk:
    """The execution of one command."""

    def __init__(self, door: Door, seen: dict[str, str], *, today: date, allow_secret: bool) -> None:
        self._door = door
        self._workspace = door.workspace
        self._seen = seen
        self._today = today
        self._allow_secret = allow_secret
        sizes = {path: state[0] for path, state in self._workspace.sweep().items()}
        self._shelf = Shelf(sizes, core=self._workspace.core_path, host=door.read_only)

    # The verbs.

    def view(self, path: str, view_range: list[int] | None = None) -> str:
        name, shelf = memory_tool_view.name_of(path), self._shelf
        if place := self._file(name):
            page = self._workspace.shown(place)
            reply = memory_tool_view.content(path, page.text, view_range=view_range)
            self._seen[place] = page.digest
            return reply
        if shelf.is_folder(name):
            return shelf.listing(path, name)
        raise _missing(path)

    def create(self, path: str, file_text: str) -> str:
        name, shelf = memory_tool_view.name_of(path), self._shelf
        taken = CommandRefused(f"File {path} already exists")
        if self._file(name) or shelf.is_folder(name):
            raise taken
        place = self._free(path, name)
        self._harmless(file_text)
        self._settled("", file_text)
        try:
            self._seen[place] = self._workspace.write(
                place, file_text, before=None, allow_secret=self._allow_secret
            ).digest
        except ChangedUnderneath:
            raise taken from None
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old_str: str, new_str: str) -> str:
        place = self._written(path)
        if is_log(place):
            raise _only_grows(path)
        self._harmless(new_str)
        replies: list[str] = []

        def edit(text: str) -> str:
            after, reply = memory_tool_view.replaced(path, text, old=old_str, new=new_str)
            replies.append(reply)
            return after

        self._change(path, place, edit=edit)
        return replies[-1]

    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        place = self._written(path)
        self._harmless(insert_text)
        at_end = _only_grows(path).message if is_log(place) else ""
        self._change(
            path,
            place,
            edit=lambda text: memory_tool_view.inserted(text, insert_text, after=insert_line, at_end=at_end),
        )
        return f"The file {path} has been edited."

    def delete(self, path: str) -> str:
        name = memory_tool_view.name_of(path)
        if not name or name in FOLDERS:
            raise _fixed("delete", name)
        places = self._places(name)
        if not places:
            raise CommandRefused(f"The path {path} does not exist")
        patches = [Patch(place, self._unchanged(name, place), None, "deleted") for name, place in places.items()]
        self._apply(patches, f"delete {path}", whole=False)
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> str:
        old, new, shelf = memory_tool_view.name_of(old_path), memory_tool_view.name_of(new_path), self._shelf
        if not old or old in FOLDERS:
            raise _fixed("rename", old)
        if self._file(new) or shelf.is_folder(new):
            raise CommandRefused(f"The destination {new_path} already exists")
        places = self._places(old)
        if not places:
            raise CommandRefused(f"The path {old_path} does not exist")
        if new.startswith(f"{old}/"):
            raise CommandRefused(f"Cannot rename {old_path} to {new_path}: the target is inside it.")
        self._free(new_path, new)
        patches = []
        for name, place in places.items():
            target = new if name == old else f"{new}/{name[len(old) + 1 :]}"
            page = self._workspace.read(place)
            self._mine(name, place)
            there = self._free(f"{ROOT}/{target}", target)
            patches.append(Patch(there, None, page.text, "renamed"))
            patches.append(Patch(place, page.digest, None, "renamed"))
        known = {patch.path: self._seen.get(patch.path) for patch in patches[1::2]}
        self._apply(patches, f"rename {old_path} to {new_path}", whole=True)
        for made, gone in zip(patches[::2], patches[1::2], strict=True):
            if known[gone.path] == gone.before and gone.before is not None:
                self._seen[made.path] = self._workspace.read(made.path).digest
        return f"Successfully renamed {old_path} to {new_path}"

    # Helpers of the verbs.

    def _file(self, name: str) -> str:
        """Return the workspace path of an existing visible file, else an empty text."""
        return "" if not name or memory_tool_view.hidden(name) else self._shelf.found(name)

    def _places(self, name: str) -> dict[str, str]:
        """Return names and paths of a file, or of all files in a folder."""
        if place := self._file(name):
            return {name: place}
        return {each: self._shelf.files[each][0] for each in self._shelf.below(name)}

    def _free(self, path: str, name: str) -> str:
        """Return the workspace path for a new file. Raises CommandRefused if it is not allowed."""
        if memory_tool_view.hidden(name):
            raise CommandRefused(f"The path {path} is hidden: hidden files are not part of the memory.")
        if not name.isprintable():
            raise CommandRefused(f"The path {path!r} contains a character that is not printable.")
        if f"{name}/" == memory_tool_view.AGENT:
            raise CommandRefused(f"The path {path} is taken: another file there has this name; see {ROOT}.")
        if above := self._shelf.file_above(name):
            raise CommandRefused(f"The path {ROOT}/{above} is not a directory.")
        place = self._shelf.place(name)
        if memory_tool_view.too_long(place):
            raise CommandRefused(f"The path {path} is too long.")
        if self._workspace.through_link(place) and not self._shelf.holds(place.rpartition("/")[0]):
            raise CommandRefused(f"The path {path} leads through a link: use the name of its target.")
        if is_host_s(self._door, place):
            raise _read_only(path)
        return place

    def _written(self, path: str) -> str:
        """Return the workspace path of an existing file that may be edited. Raises CommandRefused."""
        name = memory_tool_view.name_of(path)
        place = self._file(name)
        if not place:
            if self._shelf.is_folder(name):
                raise CommandRefused(f"The path {path} is not a file.")
            raise _missing(path)
        if self._only_read(place):
            raise _read_only(path)
        return place

    def _only_read(self, place: str) -> bool:
        """Whether a file is the host's, lacks write permission, or is a link to another file."""
        workspace, (folder, _, name) = self._workspace, place.rpartition("/")
        link = bool(folder) and workspace.resolved(place) != f"{workspace.resolved(folder)}/{name}"
        return link or is_host_s(self._door, place) or workspace.read_only(place)

    def _mine(self, name: str, place: str) -> None:
        """Refuse to delete or rename a read-only file or a daily log."""
        path = f"{ROOT}/{name}"
        if self._only_read(place):
            raise _read_only(path)
        if is_log(place):
            raise _only_grows(path)

    def _unchanged(self, name: str, place: str) -> str:
        """Return the digest of a file that may be deleted. Raises CommandRefused."""
        self._mine(name, place)
        digest = self._workspace.read(place).digest
        if self._seen.get(place, digest) != digest:
            raise CommandRefused(
                f"The file {ROOT}/{name} has changed since you last saw it. View it again before you delete it."
            )
        return digest

    def _harmless(self, text: str) -> None:
        try:
            text_edits.require_plain(text)
        except UsageError as refused:
            raise CommandRefused(f"Nothing was written: {refused.message}.") from None

    def _settled(self, before: str, text: str) -> None:
        try:
            require_settled(before, text)
        except UsageError as refused:
            raise CommandRefused(f"Nothing was written: {refused.message}; {refused.hint}.") from None

    def _change(self, path: str, place: str, *, edit: Callable[[str], str]) -> None:
        """Edit a file; the result counts as seen if the agent had seen the text before, and nobody else wrote."""
        workspace, made = self._workspace, [""]

        def again(text: str | None) -> str:
            if text is None:
                raise _missing(path)
            made[0] = edit(text)
            self._settled(text, made[0])
            return made[0]

        before = workspace.read(place).digest
        page = workspace.change(place, again, allow_secret=self._allow_secret)
        if self._seen.get(place) == before and page.text == made[0]:
            self._seen[place] = page.digest

    def _apply(self, patches: list[Patch], label: str, *, whole: bool) -> None:
        workspace = self._workspace
        workspace.apply(patches, label, whole=whole, day=self._today, allow_secret=self._allow_secret)
        for patch in patches:
            if patch.after is not None:
                continue
            try:
                workspace.read(patch.path)
            except NotFound:
                self._seen.pop(patch.path, None)
                if patch.path.startswith(AGENT):
                    workspace.tidy(patch.path, AGENT.rstrip("/"))
            else:
                raise CommandRefused(
                    f"{patch.path} was written at the same moment and was left as it is; view it again"
                )


def _missing(path: str) -> CommandRefused:
    return CommandRefused(f"The path {path} does not exist. Please provide a valid path.")


def _read_only(path: str) -> CommandRefused:
    return CommandRefused(f"The file {path} is read-only.")


def _only_grows(path: str) -> CommandRefused:
    return CommandRefused(f"The file {path} is a daily log, which only grows: insert at its end.")


def _fixed(verb: str, name: str) -> CommandRefused:
    return CommandRefused(f"Cannot {verb} the {ROOT}{'/' if name else ''}{name} directory itself")
