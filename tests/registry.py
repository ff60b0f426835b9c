"""Programs from the npm registry that tests drive, installed once into a cache beside the repository's own things.

The cache is COMMONPLACE_CLIENTS, else ~/.cache/commonplace-tests. Where the registry cannot be reached the tests say so
and are skipped, which fails a run of CI.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

CACHE = Path(os.environ.get("COMMONPLACE_CLIENTS") or Path.home() / ".cache" / "commonplace-tests")
OUTSIDE = dict(os.environ)
"""The environment before tests get a home that is nobody's: npm's settings are in the real one."""
NODE = "node@24.21.0"
"""What OpenClaw needs; others run on Node 20."""
BUILT = ("@anthropic-ai/claude-code", "node", "opencode-ai")
"""Packages whose own scripts put their program in place; all others are only unpacked."""
AS_OF = "2026-11-21"
"""The day as of which their own dependencies are taken, so that a run next year is the same."""
UNREACHABLE = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT")


def installed(package: str) -> Path:
    """The folder of a package, `name@version`, with what it needs; installed when it is not there yet."""
    flags = [] if package.rpartition("@")[0] in BUILT else ["--ignore-scripts"]
    return _kept(package, lambda new: _npm("install", "--prefix", str(new), f"--before={AS_OF}", *flags, package))


def unpacked(*packages: str) -> Path:
    """A folder with some packages and nothing that they need."""

    def unpack(new: Path) -> None:
        for package in packages:
            archives = new / package.replace("/", "+")
            archives.mkdir(parents=True)
            _npm("pack", "--pack-destination", str(archives), package)
            [archive] = archives.iterdir()
            with tarfile.open(archive) as packed:
                packed.extractall(archives, filter="data")
            [inside] = [each for each in archives.iterdir() if each.is_dir()]
            os.renames(inside, new / "node_modules" / package.rpartition("@")[0])

    return _kept("+".join(packages), unpack)


def _kept(name: str, make: Callable[[Path], None]) -> Path:
    """A folder of the cache, made whole or not at all."""
    folder = CACHE / name.replace("/", "+")
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another worker may be at it
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=CACHE) as new:
                make(Path(new, "it"))
                os.rename(Path(new, "it"), folder)
    return folder


def _npm(*words: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("not run: npm is not installed")
    flags = ["--no-audit", "--no-fund", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=4000"]
    done = subprocess.run([npm, *words, *flags], env=OUTSIDE, capture_output=True, text=True, timeout=400, check=False)
    if done.returncode and UNREACHABLE.search(done.stderr):
        pytest.skip("not run: the npm registry cannot be reached")
    assert done.returncode == 0, done.stderr


def tool(package: str, program: str) -> str:
    """The path of a program that a package brings."""
    return str(installed(package) / "node_modules" / ".bin" / program)
