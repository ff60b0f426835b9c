"""What is listed and read: everything that belongs to the memory, once, and nothing else."""

from __future__ import annotations

import os
import socket
import stat
from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.errors import NotAWorkspace, NotFound, OutsideWorkspace, WorkspaceError
from commonplace.store.workspace import Workspace, is_laid_out
from commonplace.store.workspace.workspace_layout import init

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def files(root: Path, *paths: str) -> Workspace:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{path}\n", encoding="utf-8")
    return Workspace(str(root))


def codes(workspace: Workspace) -> dict[str, str]:
    return {problem.source.path: problem.code for problem in workspace.skipped}


def test_a_workspace_lists_its_own_and_nothing_else(tmp_path: Path) -> None:
    workspace = files(
        tmp_path,
        *("MEMORY.md", "SOUL.md", "notes.MD", "x.markdown", "readme.txt", "src/a.md", "docs/b.md"),
        *("memory/2025-11-27.md", "memory/2026/02/25/topic.md", "memory/a.txt", "memory/.hidden.md"),
        *("bank/world.md", "bank/entities/王芳.md", ".git/x.md", ".obsidian/y.md", ".memory/z.md"),
        *("memory/.trash/old.md", "memory/node_modules/p/README.md"),
    )
    assert sorted(workspace.sweep()) == sorted(
        [
            *("MEMORY.md", "SOUL.md", "notes.MD", "x.markdown", "memory/2025-11-27.md"),
            *("memory/2026/02/25/topic.md", "bank/world.md", "bank/entities/王芳.md"),
        ]
    )
    assert workspace.skipped == ()


def test_any_other_folder_lists_every_markdown_file(tmp_path: Path) -> None:
    workspace = files(tmp_path, "a.md", "deep/er/b.md", "node_modules/c.md", ".git/d.md", "e.txt")
    assert not is_laid_out(str(tmp_path))
    assert sorted(workspace.sweep()) == ["a.md", "deep/er/b.md"]
    workspace.ensure_memory_dir()
    assert sorted(workspace.sweep()) == ["a.md", "deep/er/b.md"], "an index must not change what is read"


@pytest.mark.parametrize("sign", ["memory", "bank", "MEMORY.md", "memory.md", "commonplace.toml"])
def test_signs_of_a_workspace(tmp_path: Path, sign: str) -> None:
    (tmp_path / sign).mkdir()
    assert is_laid_out(str(tmp_path))


def test_a_vault_with_an_index_of_its_notes_is_read_whole(tmp_path: Path) -> None:
    workspace = files(tmp_path, "MEMORY.md", "Daily Notes/2026-03-02.md", "People/Rolf.md", ".obsidian/notes.md")
    assert sorted(workspace.sweep()) == ["Daily Notes/2026-03-02.md", "MEMORY.md", "People/Rolf.md"]
    files(tmp_path, "memory/2026-03-03.md")
    assert sorted(workspace.sweep()) == ["MEMORY.md", "memory/2026-03-03.md"], "logs where a workspace has them"


@pytest.mark.parametrize(
    ("pattern", "taken"),
    [
        ("notes/**", ["notes/a.md", "notes/deep/b.md"]),
        ("notes", ["notes/a.md", "notes/deep/b.md"]),
        ("notes/*.md", ["notes/a.md"]),
        ("notes/*.txt", ["notes/c.txt"]),
        ("**/b.md", ["notes/deep/b.md"]),
        ("notes/?.md", ["notes/a.md"]),
        ("notes/deep/b.md", ["notes/deep/b.md"]),
        ("*/deep/**/*.md", ["notes/deep/b.md"]),
        ("nothing/**", []),
        ("[x/**", []),
        ("memory/**", []),
    ],
)
def test_included_folders_are_read(tmp_path: Path, pattern: str, taken: list[str]) -> None:
    files(tmp_path, "memory/2025-11-27.md", "notes/a.md", "notes/deep/b.md", "notes/c.txt", "notes/.x/d.md")
    assert sorted(Workspace(str(tmp_path), include=(pattern,)).sweep()) == ["memory/2025-11-27.md", *taken]


def test_a_core_file_in_another_folder(tmp_path: Path) -> None:
    files(tmp_path, "MEMORY.md", "persona/SOUL.md", "persona/other.md")
    assert sorted(Workspace(str(tmp_path), core=("MEMORY.md", "persona/SOUL.md")).sweep()) == [
        "MEMORY.md",
        "persona/SOUL.md",
    ]


def test_state_is_what_the_file_system_says(tmp_path: Path) -> None:
    workspace = files(tmp_path, "memory/a.md")
    found = os.stat(tmp_path / "memory/a.md")
    expected = (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
    assert workspace.sweep() == {"memory/a.md": expected}


def test_odd_things_named_md_are_reported_and_never_opened(tmp_path: Path) -> None:
    workspace = files(tmp_path, "memory/a.md")
    os.mkfifo(tmp_path / "memory/pipe.md")
    (tmp_path / "memory/folder.md").mkdir()
    here = os.getcwd()
    os.chdir(tmp_path / "memory")
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("socket.md")
    finally:
        os.chdir(here)
    (tmp_path / "memory/.b.md.icloud").write_text("")
    assert list(workspace.sweep()) == ["memory/a.md"]
    assert codes(workspace) == {
        "memory/pipe.md": "not-a-file",
        "memory/socket.md": "not-a-file",
        "memory/b.md": "not-downloaded",
    }
    for path in ("memory/pipe.md", "memory/folder.md", "memory/socket.md"):
        with pytest.raises(WorkspaceError, match=r"regular file|is a folder|cannot be read"):
            workspace.read(path)
        with pytest.raises(WorkspaceError):
            workspace.change(path, lambda _: "text")
    assert stat.S_ISFIFO(os.stat(tmp_path / "memory/pipe.md").st_mode)


def test_links_out_of_the_workspace_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    files(outside, "secret.md", "deep/x.md")
    root = tmp_path / "root"
    workspace = files(root, "MEMORY.md", "memory/a.md", "notes/n.md", "other/o.md", ".git/config.md")
    for name, target in {
        "memory.md": "MEMORY.md",
        "memory/again.md": "a.md",
        "memory/note.md": "../notes/n.md",
        "memory/twice.md": "../notes/n.md",
        "memory/out.md": "../../outside/secret.md",
        "memory/outdir": "../../outside/deep",
        "memory/passwd.md": "/etc/passwd",
        "memory/gone.md": "nowhere.md",
        "memory/circle.md": "circle.md",
        "memory/loop": "..",
        "memory/self": ".",
        "memory/other": "../other",
        "memory/git.md": "../.git/config.md",
        "memory/null.md": "/dev/null",
    }.items():
        (root / name).symlink_to(target)
    (root / "other/back").symlink_to("../other")
    assert sorted(workspace.sweep()) == ["MEMORY.md", "memory/a.md", "memory/note.md", "memory/other/o.md"]
    assert codes(workspace) == {
        "memory/out.md": "link-outside",
        "memory/outdir": "link-outside",
        "memory/passwd.md": "link-outside",
        "memory/null.md": "link-outside",
        "memory/gone.md": "link-broken",
        "memory/circle.md": "link-broken",
    }
    assert workspace.read("memory/note.md").text == "notes/n.md\n"
    assert workspace.read("memory/other/o.md").text == "other/o.md\n"
    for path in ("memory/out.md", "memory/outdir/x.md", "memory/passwd.md", "memory/git.md"):
        with pytest.raises(OutsideWorkspace):
            workspace.read(path)
        with pytest.raises(OutsideWorkspace):
            workspace.change(path, lambda _: "text")
    assert (outside / "secret.md").read_text() == "secret.md\n"


def test_a_write_through_a_link_inside_writes_its_target(tmp_path: Path) -> None:
    workspace = files(tmp_path, "MEMORY.md", "notes/n.md", "memory/a.md")
    (tmp_path / "memory/note.md").symlink_to("../notes/n.md")
    workspace.change("memory/note.md", lambda text: f"{text}more\n")
    assert (tmp_path / "memory/note.md").is_symlink()
    assert (tmp_path / "notes/n.md").read_text() == "notes/n.md\nmore\n"


def test_one_core_file_with_two_names_counts_once(tmp_path: Path) -> None:
    workspace = files(tmp_path, "memory.md", "memory/a.md")
    os.link(tmp_path / "memory.md", tmp_path / "MEMORY.md")
    assert sorted(workspace.sweep()) == ["MEMORY.md", "memory/a.md"]
    workspace.change("MEMORY.md", lambda text: f"{text}more\n")
    assert [(problem.source.path, problem.code) for problem in workspace.notices()] == [("MEMORY.md", "hard-link")]


def test_the_core_file_that_is_written(tmp_path: Path) -> None:
    assert Workspace(str(tmp_path)).core_path == "MEMORY.md"
    (tmp_path / "memory.md").write_text("x")
    assert Workspace(str(tmp_path)).core_path == "memory.md"
    (tmp_path / "MEMORY.md").write_text("y")
    assert Workspace(str(tmp_path)).core_path == "MEMORY.md"


def test_names_in_any_form_have_one_key(tmp_path: Path) -> None:
    workspace = files(tmp_path, "MEMORY.md", "bank/entities/E\u0301ric.md")
    bad = os.path.join(os.fsencode(tmp_path), b"bank", b"bad\xff\x01\\.md")
    with open(bad, "w", encoding="utf-8") as file:
        file.write("bad\n")
    for fresh in (False, True):
        if not fresh:
            assert sorted(workspace.sweep()) == ["MEMORY.md", "bank/bad%FF%01%5C.md", "bank/entities/Éric.md"]
        looking = Workspace(str(tmp_path)) if fresh else workspace
        assert looking.read("bank/entities/Éric.md").text == "bank/entities/E\u0301ric.md\n"
        assert looking.read("bank/bad%FF%01%5C.md").text == "bad\n"
    workspace.change("bank/entities/Éric.md", lambda text: f"{text}more\n")
    workspace.change("bank/bad%FF%01%5C.md", lambda text: f"{text}more\n")
    assert (tmp_path / "bank/entities/E\u0301ric.md").read_text().endswith("more\n")
    assert len(os.listdir(tmp_path / "bank/entities")) == 1
    with open(bad, encoding="utf-8") as file:
        assert file.read() == "bad\nmore\n"


def test_two_files_of_one_key_are_told_apart(tmp_path: Path) -> None:
    workspace = files(tmp_path, "memory/\u00e9.md", "memory/e\u0301.md")
    assert list(workspace.sweep()) == ["memory/é.md"]
    assert codes(workspace) == {"memory/é.md": "same-name"}
    assert workspace.read("memory/é.md").text == "memory/\u00e9.md\n"


def test_a_file_over_the_cap_is_left_out_and_told(tmp_path: Path) -> None:
    files(tmp_path, "memory/a.md", "memory/b.md")
    (tmp_path / "memory/a.md").write_text("x" * 101)
    workspace = Workspace(str(tmp_path), max_file_bytes=100)
    assert list(workspace.sweep()) == ["memory/b.md"]
    assert codes(workspace) == {"memory/a.md": "too-large"}
    assert "101" in workspace.skipped[0].message
    workspace.change("memory/a.md", lambda text: f"{text}\nstill grows\n")
    assert (tmp_path / "memory/a.md").read_text().endswith("still grows\n")


def test_text_is_read_as_it_stands(tmp_path: Path) -> None:
    workspace = files(tmp_path, "memory/a.md")
    (tmp_path / "memory/a.md").write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n\xe2\x80\xa8\x00 \n")
    page = workspace.read("memory/a.md")
    assert page.text == "a\r\nb\rc\n\u2028\0 \n"
    assert len(page.digest) == 16


@pytest.mark.parametrize(
    ("content", "at"), [(b"good\n\xff\xfe", 5), ("utf-16".encode("utf-16"), 0), ("caf\xe9".encode("latin-1"), 3)]
)
def test_what_is_no_utf8_is_named_and_left(tmp_path: Path, content: bytes, at: int) -> None:
    workspace = files(tmp_path, "memory/a.md", "memory/b.md")
    (tmp_path / "memory/a.md").write_bytes(content)
    assert len(workspace.sweep()) == 2
    attempts: list[Callable[[], object]] = [
        lambda: workspace.read("memory/a.md"),
        lambda: workspace.change("memory/a.md", lambda _: "x"),
    ]
    for refuse in attempts:
        with pytest.raises(WorkspaceError, match=rf"memory/a.md is not UTF-8 at byte {at}") as error:
            refuse()
        assert error.value.code == "not-utf8"
    assert (tmp_path / "memory/a.md").read_bytes() == content


@pytest.mark.parametrize(
    "path",
    [
        *("../x.md", "memory/../../x.md", "memory/../MEMORY.md", "/etc/passwd", "//server/share/x.md", "~/x.md", "~"),
        *(
            "C:/x.md",
            "c:/x.md",
            "C:\\x.md",
            "\\\\server\\x.md",
            "memory\\..\\x.md",
            "memory/x.md\0",
            "",
            ".",
            "./MEMORY.md",
        ),
        *("memory/", "memory//x.md", ".git/config", ".memory/index.sqlite", "memory/.x.md", "node_modules/x.md"),
    ],
)
def test_paths_that_lead_elsewhere_are_refused(tmp_path: Path, path: str) -> None:
    workspace = files(tmp_path / "root", "MEMORY.md", "memory/x.md")
    attempts: list[Callable[[], object]] = [
        lambda: workspace.read(path),
        lambda: workspace.change(path, lambda _: "x"),
        lambda: workspace.write(path, "x", before=None),
    ]
    for refuse in attempts:
        with pytest.raises(OutsideWorkspace):
            refuse()
    assert sorted(os.listdir(tmp_path)) == ["root"]


@pytest.mark.parametrize("path", ["memory/nope.md", "no/such/folder/x.md", "MEMORY.md/x.md", "%2e%2e/x.md"])
def test_a_file_that_is_not_there(tmp_path: Path, path: str) -> None:
    workspace = files(tmp_path, "MEMORY.md", "memory/x.md")
    with pytest.raises(NotFound, match=path):
        workspace.read(path)


def test_names_too_long_for_the_disk(tmp_path: Path) -> None:
    workspace = files(tmp_path, "MEMORY.md")
    with pytest.raises(WorkspaceError, match="too long"):
        workspace.read("x" * 300 + ".md")
    with pytest.raises(WorkspaceError, match="too long"):
        workspace.write("x" * 300 + ".md", "x", before=None)
    workspace.write("数" * 83 + ".md", "x\n", before=None)
    workspace.change("数" * 83 + ".md", lambda text: f"{text}y\n")
    assert workspace.read("数" * 83 + ".md").text == "x\ny\n"


def test_a_root_that_is_not_there(tmp_path: Path) -> None:
    workspace = files(tmp_path / "root", "MEMORY.md")
    (tmp_path / "root").rename(tmp_path / "moved")
    for fail in (
        workspace.sweep,
        workspace.ensure_memory_dir,
        lambda: workspace.read("MEMORY.md"),
        lambda: workspace.change("MEMORY.md", lambda _: "x"),
    ):
        with pytest.raises(NotAWorkspace, match="the workspace no longer exists"):
            fail()
    assert os.listdir(tmp_path) == ["moved"]
    (tmp_path / "root").write_text("a file")
    with pytest.raises(NotAWorkspace, match="not a folder"):
        workspace.sweep()
    with pytest.raises(NotAWorkspace, match="not a folder"):
        init(workspace, date(2026, 1, 1))


def test_init_makes_what_is_missing_and_touches_nothing(tmp_path: Path) -> None:
    workspace = Workspace(str(tmp_path / "new"))
    assert init(workspace, date(2026, 1, 2)) == (".", "MEMORY.md", "memory/2026-01-02.md", "bank/entities/")
    assert init(workspace, date(2026, 1, 3)) == ()
    assert sorted(workspace.sweep()) == ["MEMORY.md", "memory/2026-01-02.md"]

    other = files(tmp_path / "old", "memory.md", "memory/2020-01-01.md", "bank/world.md", ".gitignore")
    before = {path: path.read_bytes() for path in (tmp_path / "old").rglob("*") if path.is_file()}
    assert init(other, date(2026, 1, 2)) == ("bank/entities/",)
    assert {path: path.read_bytes() for path in before} == before


def test_our_own_folder_is_private_and_says_what_it_is(tmp_path: Path) -> None:
    workspace = files(tmp_path, "MEMORY.md", ".gitignore")
    assert not (tmp_path / ".memory").exists()
    workspace.sweep()
    workspace.read("MEMORY.md")
    assert not (tmp_path / ".memory").exists(), "reading makes nothing"
    workspace.change("MEMORY.md", lambda text: f"{text}more\n")
    own = tmp_path / ".memory"
    assert (own / ".gitignore").read_text() == "*\n"
    assert (own / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")
    assert (tmp_path / ".gitignore").read_text() == ".gitignore\n"
    for path in [own, *own.rglob("*")]:
        if path.is_dir():
            assert stat.S_IMODE(path.stat().st_mode) == 0o700
        elif not path.name.endswith(".file"):  # a displaced file is the person's own, with its own mode
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    assert workspace.index_path == str(own / "index.sqlite")


def test_a_folder_of_ours_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    files(tmp_path / "elsewhere", "x.md")
    workspace = files(tmp_path / "root", "MEMORY.md")
    (tmp_path / "root/.memory").symlink_to("../elsewhere")
    assert workspace.memory_dir.startswith(os.environ["HOME"])
    workspace.change("MEMORY.md", lambda text: f"{text}more\n")
    assert os.listdir(tmp_path / "elsewhere") == ["x.md"]


def test_status_of_the_file_system(tmp_path: Path) -> None:
    workspace = files(tmp_path, "MEMORY.md")
    assert (workspace.writable, workspace.exchange, workspace.locks) == (True, True, True)
    assert sorted(os.listdir(tmp_path / ".memory")) == [".gitignore", "CACHEDIR.TAG", "lock"]


def test_a_page_open_in_an_editor(tmp_path: Path) -> None:
    workspace = files(tmp_path, "bank/world.md")
    assert not workspace.open_in_editor("bank/world.md")
    (tmp_path / "bank/.#world.md").symlink_to("me@host.1234:1")
    assert workspace.open_in_editor("bank/world.md")


@pytest.mark.parametrize("path", ["memory", "bank", "bank/entities"])
def test_a_file_where_a_folder_is_needed_is_told_and_left(tmp_path: Path, path: str) -> None:
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_text("hi\n")
    workspace = Workspace(str(tmp_path))
    told = f"{path} is a file; a folder is needed there"
    with pytest.raises(WorkspaceError, match=told):
        init(workspace, date(2025, 11, 27))
    with pytest.raises(WorkspaceError, match=told) as refused:
        workspace.write(f"{path}/below/page.md", "x\n", before=None)
    assert (refused.value.code, (tmp_path / path).read_text()) == ("not-a-folder", "hi\n")
    with pytest.raises(NotFound):
        workspace.read(f"{path}/page.md")


def test_a_folder_that_is_asked_for_as_a_file_is_called_one(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    with pytest.raises(WorkspaceError, match="is a folder, not a file"):
        Workspace(str(tmp_path)).read("memory")
