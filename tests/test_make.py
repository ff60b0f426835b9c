"""The Makefile: what is made anew, and when."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = ".venv/bin/commonplace"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose environment was made, by its stamp."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / PROGRAM).parent.mkdir(parents=True)
    (tmp_path / ".venv" / ".package").touch()
    return tmp_path


def planned(checkout: Path, target: str) -> str:
    """What make would run."""
    make = ["make", "--no-print-directory", "-n", target]
    return subprocess.run(make, cwd=checkout, capture_output=True, text=True, check=True).stdout


def program(checkout: Path, text: str) -> None:
    (checkout / PROGRAM).write_text(text)
    (checkout / PROGRAM).chmod(0o755)


@pytest.mark.parametrize("target", ["openclaw", "demo", "dist"])
@pytest.mark.parametrize("broken", ["missing", "#!/nowhere/python\n", "#!/bin/sh\nexit 1\n"])
def test_a_program_that_is_missing_or_does_not_start_is_made_anew(checkout: Path, target: str, broken: str) -> None:
    if broken != "missing":
        program(checkout, broken)
    assert "-m venv --clear .venv" in planned(checkout, target)


@pytest.mark.parametrize("target", ["openclaw", "demo", "dist"])
def test_one_that_starts_is_left(checkout: Path, target: str) -> None:
    program(checkout, "#!/bin/sh\necho commonplace 1\n")
    assert "venv" not in planned(checkout, target).replace(".venv/bin", "")
