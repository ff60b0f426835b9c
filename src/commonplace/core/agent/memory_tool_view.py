"""The memory tool's view of a workspace: paths below `/memories`, edits, and the exact replies.

The contract is that of the `anthropic` package: the replies are those of its local tool. Laws: every path of the tool
has one place in the workspace and is listed under its own name; no path leads out of it. The core, `memory/` and
`bank/` are in their usual places; all other files of an agent are in `memory/agent/`. A name that is not Markdown gets
the suffix `~.md` on the disk, so that it is read like all other files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.append import outside_retain
from commonplace.core.markdown.syntax import is_markdown
from commonplace.core.markdown.text_edits import line_numbers, starts_of
from commonplace.errors import CommandRefused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ROOT = "/memories"
AGENT = "memory/agent/"
"""The folder of files that an agent makes outside the folders of the workspace."""
FOLDERS = ("bank", "memory")
"""Folders of the workspace; they always exist."""
_PLAIN = "~.md"
"""Suffix of a name that is not Markdown."""
_MOST_LINES = 999_999
_WIDTH = 6
_MOST_BELOW = 100
"""Most files listed of a folder on the second level: ten years of logs are too long a reply."""
_LONGEST = 600
"""Most bytes of a path in the workspace; longer ones could be created on some systems but not found again."""
_ENCODED = ("%2e", "%2f", "%5c", "%00")


def name_of(path: str) -> str:
    """Return the name below `/memories` for a path, without needless slashes and dots; empty for the root.

    Raises CommandRefused for a path that starts elsewhere or could lead out, also if encoded.
    """
    from unicodedata import normalize

    if path != ROOT and not path.startswith(ROOT + "/"):
        raise CommandRefused(f"Path must start with /memories, got: {path}")
    parts = path[len(ROOT) :].split("/")
    folded = path.casefold()
    if ".." in parts or "\\" in path or "\0" in path or any(mark in folded for mark in _ENCODED):
        raise CommandRefused(f"Path {path} would escape /memories directory")
    return normalize("NFC", "/".join(part for part in parts if part not in ("", ".")))


def hidden(name: str) -> bool:
    """Whether any part of a name is hidden; such files are not part of the memory."""
    return any(part.startswith(".") or part == "node_modules" for part in name.split("/"))


def too_long(place: str) -> bool:
    """Whether a path in the workspace is too long for some systems."""
    return len(place.encode()) > _LONGEST


class Shelf:
    """The names of the tool and their files in the workspace."""

    def __init__(self, sizes: Mapping[str, int], *, core: str, host: Iterable[str]) -> None:
        """Build it from the result of a sweep.

        Args:
            sizes: bytes of each file, by its path in the workspace.
            core: the core file that is written.
            host: core files that belong to the host.
        """
        self._core = core
        self._fixed = {core, *(name for name in host if name in sizes or name.casefold() != core.casefold())}
        self.files: dict[str, tuple[str, int]] = {}
        """Path in the workspace and bytes of each file, by name."""
        for path in sorted(sizes):
            for name in _names(path):
                if self.place(name) == path:
                    self.files[name] = (path, sizes[path])
                    break
        self._taken = {place for place, _ in self.files.values()}

    def place(self, name: str) -> str:
        """Return the path in the workspace for a file's name, whether the file exists or not."""
        if name in self._fixed:
            return name
        if name.casefold() == self._core.casefold():
            return self._core
        return _coded(name if name.startswith(tuple(f"{folder}/" for folder in FOLDERS)) else AGENT + name)

    def found(self, name: str) -> str:
        """Return the path in the workspace of an existing file, else empty. The path in a citation is a name, too."""
        place = self.place(name)
        return place if place in self._taken else name if name in self._taken else ""

    def holds(self, folder: str) -> bool:
        """Whether a folder of the workspace, or one in it, contains a file that the tool has a name for."""
        return any(place.startswith(f"{folder}/") for place in self._taken)

    def is_folder(self, name: str) -> bool:
        """Whether a name is a folder's: a folder exists while it contains a file."""
        return not name or name in FOLDERS or any(other.startswith(f"{name}/") for other in self.files)

    def below(self, name: str) -> list[str]:
        """Return the names of the files in a folder and its subfolders."""
        return [other for other in self.files if other.startswith(f"{name}/")]

    def file_above(self, name: str) -> str:
        """Return the first parent folder of a name that is a file; else empty."""
        parts = name.split("/")
        above = ("/".join(parts[:count]) for count in range(1, len(parts)))
        return next((each for each in above if self.found(each)), "")

    def listing(self, path: str, name: str) -> str:
        """Return a listing of a folder, two levels deep: size and path a line; a folder has the size of its files."""
        top = _Entry()
        for other, (_, size) in self.files.items():
            if name and not other.startswith(f"{name}/"):
                continue
            top.take(other[len(name) + 1 if name else 0 :].split("/", 2), size)
        lines = [f"{_size(top.size)}\t{path}"]
        for child, entry in sorted(top.inside.items()):
            lines.append(f"{_size(entry.size)}\t{path}/{child}{'/' if entry.inside else ''}")
            left = max(0, len(entry.inside) - _MOST_BELOW)
            if left:
                lines.append(f"…\t{path}/{child}/ has {left} more entries: view it")
            for grandchild, below in sorted(entry.inside.items())[left:]:
                lines.append(f"{_size(below.size)}\t{path}/{child}/{grandchild}{'/' if below.inside else ''}")
        head = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
        return "\n".join([head, *lines])


class _Entry:
    __slots__ = ("inside", "size")

    def __init__(self) -> None:
        self.size = 0
        self.inside: dict[str, _Entry] = {}

    def take(self, parts: list[str], size: int) -> None:
        self.size += size
        if parts:
            self.inside.setdefault(parts[0], _Entry()).take(parts[1:], size)


def _coded(path: str) -> str:
    return path if is_markdown(path) and not path.endswith(_PLAIN) else path + _PLAIN


def _names(path: str) -> list[str]:
    """Return the possible names of a file, the best first."""
    plain = path.removesuffix(_PLAIN)
    return [plain.removeprefix(AGENT), plain] if plain.startswith(AGENT) else [plain]


def _size(size: int) -> str:
    if not size:
        return "0B"
    unit = min((size.bit_length() - 1) // 10, 3)
    count = size / 1024**unit
    return f"{int(count)}{'BKMG'[unit]}" if count == int(count) else f"{count:.1f}{'BKMG'[unit]}"


def content(path: str, text: str, *, view_range: Sequence[int] | None) -> str:
    """Return the lines of a file with their numbers.

    Args:
        view_range: first and last line, -1 for the end; unless it has two numbers, all lines.
    """
    lines = _plain(text).text.split("\n")
    if len(lines) > _MOST_LINES:
        raise CommandRefused(f"File {path} exceeds maximum line limit of 999,999 lines.")
    first = 0
    if view_range and len(view_range) == 2:
        first = max(1, view_range[0]) - 1
        lines = lines[first : len(lines) if view_range[1] == -1 else view_range[1]]
    return f"Here's the content of {path} with line numbers:\n" + _numbered(lines, first + 1)


def replaced(path: str, text: str, *, old: str, new: str) -> tuple[str, str]:
    """Return the text with the one occurrence of `old` replaced, and the reply.

    Raises CommandRefused if there is none, or more than one; two that overlap count as one.
    """
    plain = _plain(text)
    old, new = (plain.like(each) for each in (old, new))
    count = plain.text.count(old) if old else 0
    if not count:
        raise CommandRefused(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
    if count > 1:
        numbers = ", ".join(map(str, line_numbers(plain.text, starts_of(plain.text, old))))
        raise CommandRefused(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
            f"{numbers}. Please ensure it is unique"
        )
    changed = plain.text.count("\n", 0, plain.text.find(old))
    after = plain.text.replace(old, new)
    first = max(0, changed - 2)
    head = "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
    return plain.restored(after), head + _numbered(after.split("\n")[first : changed + 3], first + 1)


def inserted(text: str, addition: str, *, after: int, at_end: str = "") -> str:
    """Return the text with whole lines added after line `after`; 0 is the top.

    Args:
        addition: the lines; of the line ends after them only one is kept.
        at_end: the refusal if that is not the last line; empty: any line is allowed.

    Raises CommandRefused.
    """
    plain = _plain(text)
    lines = plain.text.split("\n")
    if not lines[-1]:
        lines.pop()
    if not 0 <= after <= len(lines):
        raise CommandRefused(
            f"Invalid `insert_line` parameter: {after}. It should be within the range [0, {len(lines)}]."
        )
    if at_end and after != len(lines):
        raise CommandRefused(at_end)
    given = plain.like(addition)
    if after == len(lines):
        given = outside_retain(plain.text, given)
    lines.insert(after, given.rstrip("\n"))
    joined = "\n".join(lines)
    return plain.restored(joined if joined.endswith("\n") else joined + "\n")


class _Plain(NamedTuple):
    """A text to edit. If all its lines end as on Windows, it is shown and edited with plain line ends."""

    text: str
    windows: bool

    def like(self, given: str) -> str:
        """Return an agent's text with the line ends that the agent sees."""
        return given.replace("\r\n", "\n") if self.windows else given

    def restored(self, text: str) -> str:
        """Return a text with the line ends of the file."""
        return text.replace("\n", "\r\n") if self.windows else text


def _plain(text: str) -> _Plain:
    windows = "\r\n" in text and text.count("\n") == text.count("\r\n")
    return _Plain(text.replace("\r\n", "\n") if windows else text, windows)


def _numbered(lines: Sequence[str], first: int) -> str:
    return "\n".join(f"{number:>{_WIDTH}}\t{line}" for number, line in enumerate(lines, first))
