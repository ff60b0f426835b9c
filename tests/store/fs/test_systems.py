"""The files' contract on systems that lack something: the same tests, run where the fallbacks must do.

Each system is a child process in which functions of the operating system are missing or fail as they do there; what is
left of them is real. Where a test cannot hold, the system's entry says which and why.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

HERE = Path(__file__).parents[1] / "workspace"
SUITES = ("test_workspace.py", "test_workspace_writes.py")

LACKING = """
import ctypes, errno, fcntl, os, shutil, subprocess, sys, types
import pytest

lacks, *arguments = sys.argv[1:]
c_library = ctypes.CDLL

def pretend(platform):
    '''Our modules, and no others, are on another system.'''
    class System:
        def __getattr__(self, name):
            return platform if name == "platform" else getattr(sys, name)
    real, sys.platform = sys.platform, platform
    from commonplace.store.fs import state_dir, system
    from commonplace.store.transactions import change_sets, locked_writer
    from commonplace.store.workspace import markdown_folder
    sys.platform = real
    for name, module in list(sys.modules.items()):
        if name.startswith("commonplace.store.") and hasattr(module, "sys"):
            module.sys = System()

def refuse(code):
    def call(*_, **__):
        raise OSError(code, os.strerror(code))
    return call

if "exchange" in lacks:  # Windows; FAT, NTFS and network file systems anywhere
    ctypes.CDLL = refuse(errno.ENOENT)
if "links" in lacks:  # FAT
    os.link = refuse(errno.EPERM)
if "descriptors" in lacks:  # Windows
    del os.O_DIRECTORY, os.O_NOFOLLOW
    os.supports_dir_fd.clear()
    os.supports_fd.clear()
if "locks" in lacks:  # some network file systems
    fcntl.flock = refuse(errno.ENOLCK)
if "darwin" in lacks:  # its rename has another name, other flags, and another number for the current folder
    def library(*_, **options):
        rename = c_library(None, **options).renameat2
        def renameatx_np(from_fd, from_name, to_fd, to_name, flags):
            here = {-2: -100}
            return rename(here.get(from_fd, from_fd), from_name, here.get(to_fd, to_fd), to_name, {2: 2, 4: 1}[flags])
        return types.SimpleNamespace(renameatx_np=renameatx_np)
    ctypes.CDLL = library
    pretend("darwin")
if "win32" in lacks:  # the first byte of a file is locked, and a lock that is held is a permission denied
    fcntl_lock = fcntl.flock
    def locking(fd, mode, count):
        assert (mode, count, os.lseek(fd, 0, os.SEEK_CUR)) == (2, 1, 0)
        try:
            fcntl_lock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PermissionError(errno.EACCES, "Permission denied") from None
    sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=locking)
    fcntl.flock = None
    pretend("win32")

import tempfile
from commonplace.store.fs import safe_open
from commonplace.store.workspace import Workspace
with tempfile.TemporaryDirectory() as folder:
    open(os.path.join(folder, "MEMORY.md"), "w").close()
    here = Workspace(folder)
    found = here.exchange, here.locks, safe_open._DESCRIPTORS
assert found == ("exchange" not in lacks, "locks" not in lacks, "descriptors" not in lacks), found
sys.exit(pytest.main(arguments))
"""


class System(NamedTuple):
    """A system to run on."""

    lacks: str
    cannot: tuple[str, ...]
    """Tests that are left out: they make what the system lacks, say that it is there, or say nothing new."""


STATUS = "test_status_of_the_file_system"
SLOW = "test_bytes_that_come_while_a_slow_disk_confirms_are_merged"
"""On Windows no folder is confirmed after a name is published, so that moment is not there."""
LATE = (  # the displaced file is a copy there: what is saved into the old one is lost with it
    "test_bytes_that_come_late_are_merged",
    "test_the_next_writer_merges_late_bytes_too",
    "test_a_late_save_of_a_file_that_is_gone_makes_it_again",
    SLOW,
)
SYSTEMS = {
    "FAT": System("exchange links", (STATUS, "test_one_core_file_with_two_names_counts_once", *LATE)),
    "no locks": System("locks", (STATUS, "test_the_lock_is_reentrant_and_ends", "test_the_lock_survives_its_file")),
    "macOS": System("darwin", ("test_extended_attributes_stay", "test_four_processes_lose_no_line")),
    "Windows": System(
        "win32 exchange descriptors", (STATUS, SLOW, "test_extended_attributes_stay", "test_the_mode_stays")
    ),
}


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_the_contract_holds_on(system: System, tmp_path: Path) -> None:
    chosen = [f"{HERE / suite}" for suite in SUITES]
    names = " and ".join(f"not {name}" for name in system.cannot)
    words = [sys.executable, "-c", LACKING, system.lacks, "-p", "no:cacheprovider", f"--basetemp={tmp_path / 't'}"]
    done = subprocess.run(
        [*words, "-k", names, *chosen] if names else [*words, *chosen],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=HERE.parents[2],
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout) or re.search(r"\[100%\]", done.stdout)
    assert passed, done.stdout[-2000:]
    assert "skipped" not in done.stdout
