"""The build compiles the kernel of vector search (`src/commonplace/store/vectors/kernel.c`) where a C compiler is.

The wheel then has the tag py3-none-PLATFORM, because the library is called by ctypes and knows no version of Python.
Without a compiler, or where it fails, the wheel is py3-none-any, and the kernel's twin in numpy gives the same answers.
"""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOM = "src/commonplace/store/vectors"
LIBRARY = "libkernel.bin"  # not .so: whoever walks the package would take that for a module of Python
FLAGS = ("-std=c99", "-O3", "-ffp-contract=off", "-fPIC", "-shared", "-fvisibility=hidden")
"""-ffp-contract=off: a fused multiplication and addition would round other than the twin in numpy."""


class KernelBuildHook(BuildHookInterface):  # type: ignore[type-arg]  # its parameter is the configuration's type
    """Compiles the kernel: into the checkout for an editable install, else into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the files are collected."""
        room = Path(self.root, ROOM)
        if version == "editable":
            if not compiled(room / "kernel.c", room / LIBRARY):
                (room / LIBRARY).unlink(missing_ok=True)  # that of older source
            return
        self.folder = tempfile.TemporaryDirectory()
        library = Path(self.folder.name, LIBRARY)
        if compiled(room / "kernel.c", library):
            build_data["force_include"][str(library)] = f"commonplace/store/vectors/{LIBRARY}"
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform_tag()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled for a wheel: it is in there."""
        if version != "editable":
            self.folder.cleanup()


def compiled(source: Path, library: Path) -> bool:
    """Compile the library, and put it in place in one step, as a program may be using the old one.

    Returns whether a compiler could.
    """
    temporary = library.with_name(f"{library.name}.{os.getpid()}.tmp")
    try:
        for compiler in compilers():
            try:
                done = subprocess.run([*compiler, *FLAGS, str(source), "-o", str(temporary)], check=False)
            except OSError:
                continue
            if done.returncode == 0:
                temporary.replace(library)
                return True
    finally:
        temporary.unlink(missing_ok=True)
    print("the kernel of vector search was not compiled: numpy does its work, with the same answers", file=sys.stderr)
    return False


def compilers() -> list[list[str]]:
    """Return the commands to try: that of CC alone where it is set, else Python's own and the usual names."""
    if os.environ.get("CC"):
        return [shlex.split(os.environ["CC"])]
    own = shlex.split(sysconfig.get_config_var("CC") or "")
    return [*([own] if own else []), ["cc"], ["gcc"], ["clang"]]


def platform_tag() -> str:
    """Return this platform as wheels name it; a library has one processor, also where Python has two (universal2)."""
    name = sysconfig.get_platform().replace("universal2", platform.machine())
    return name.replace("-", "_").replace(".", "_")
