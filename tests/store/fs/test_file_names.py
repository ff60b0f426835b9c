"""Names of files as every system takes them: none leads out of the workspace, none becomes a device or another file."""

from __future__ import annotations

import ntpath
import posixpath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from commonplace.core.markdown.slug import entity_path
from commonplace.errors import OutsideWorkspace, UsageError
from commonplace.store.fs.file_names import key_of, leftover, parts_of, ready_name, temporary_name

PIECES = [
    "a",
    "B",
    "王",
    "é",
    "e\u0301",
    ".",
    "..",
    "/",
    "\\",
    ":",
    "C:",
    "~",
    " ",
    "\0",
    "\n",
    "con",
    "NUL.md",
    "COM¹",
]
PIECES += [
    "LPT9",
    "aux ",
    "x.",
    "\u202e",
    "\ud800",
    "\udcff",
    "%2e",
    "-",
    "*",
    "?",
    "|",
    ".md",
    "//srv/share",
    "\\\\?\\",
]
paths = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join) | st.text(max_size=20)


@given(paths, st.booleans())
@example("C:x.md", True)
@example("\\\\srv\\share\\x.md", True)
@example("//srv/share/x.md", False)
@example("memory/x.md:stream", True)
@example("memory/nul.md", True)
@example("memory/x.md.", True)
def test_a_path_stays_below_the_root_or_is_refused(path: str, windows: bool) -> None:
    try:
        parts = parts_of(path, windows=windows)
    except OutsideWorkspace as refused:
        assert refused.hint
        return
    assert parts
    system, root = (ntpath, "C:\\root") if windows else (posixpath, "/root")
    assert system.normpath(system.join(root, *parts)) == system.join(root, *parts)
    assert system.join(root, *parts).startswith(system.join(root, ""))
    assert all("/" not in part and "\0" not in part for part in parts)
    if windows:
        assert not any(ntpath.splitdrive(part)[0] or part.endswith((".", " ")) for part in parts)
        assert not any(part.split(".")[0].casefold() in ("con", "nul", "aux", "prn", "lpt9") for part in parts)


@pytest.mark.parametrize(
    "path",
    [
        "C:\\x.md",
        "C:x.md",
        "c:/x.md",
        "\\\\srv\\x\\y.md",
        "\\\\?\\C:\\x.md",
        "\\x.md",
        "memory\\..\\x.md",
        "memory\\.x.md",
    ],
)
def test_drives_and_shares_are_refused_on_windows(path: str) -> None:
    with pytest.raises(OutsideWorkspace):
        parts_of(path, windows=True)


def test_both_slashes_part_folders_on_windows_alone() -> None:
    assert parts_of("memory\\2025/x.md", windows=True) == ["memory", "2025", "x.md"]
    with pytest.raises(OutsideWorkspace, match="backslash"):
        parts_of("memory\\x.md", windows=False)
    assert parts_of("memory/con.md", windows=False) == ["memory", "con.md"]


@given(
    st.lists(st.sampled_from([*PIECES, "The ", "Castle"]), min_size=1, max_size=5).map("".join) | st.text(max_size=99)
)
@example("CON")
@example("con.txt")
@example("x. ")
@example("..")
@example("a:b")
def test_the_page_of_any_entity_can_be_written_everywhere(name: str) -> None:
    try:
        path = entity_path(name)
    except UsageError:
        return
    assert parts_of(path, windows=True) == parts_of(path, windows=False) == ["bank", "entities", path[14:]]
    assert len(path[14:].encode()) <= 123
    assert not set('<>:"/\\|?*') & set(path[14:])


@given(st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=40))
def test_a_key_can_be_stored_and_printed(name: str) -> None:
    name = name.encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")
    key = key_of(name)
    assert key.encode()
    assert "\\" not in key
    assert key.isprintable() or not key.isascii()
    assert key_of(key) == key


@given(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=250))
def test_a_temporary_file_names_its_target(name: str) -> None:
    made = temporary_name(name)
    found = leftover(made)
    assert found is not None
    assert found.after == ""
    assert name.startswith(found.target)
    assert found.target_among([name, made, "other.md"]) == name
    ready = leftover(ready_name(made, "0" * 16, after="f" * 16))
    assert ready is not None
    assert (ready.before, ready.after, ready.owner) == ("0" * 16, "f" * 16, found.owner)
    assert len(ready.name.encode()) <= 255, "by whole characters"
