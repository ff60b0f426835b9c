"""The build compiles the kernel into a wheel of its platform, and does without it where no compiler works."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from commonplace.store.vectors import compiled_kernel
from commonplace.store.vectors.compiled_kernel import LIBRARY, CompiledKernel

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src" / "commonplace" / "store" / "vectors" / "kernel.c"


@pytest.fixture
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def wheel(folder: Path, **env: str) -> Path:
    code = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(folder)], cwd=ROOT, env={**os.environ, **env}, check=True)
    [built] = folder.glob("*.whl")
    return built


def test_a_wheel_has_the_kernel_of_its_platform(hook: ModuleType, tmp_path: Path) -> None:
    built = wheel(tmp_path)
    assert built.name.endswith(f"-py3-none-{hook.platform_tag()}.whl")
    with zipfile.ZipFile(built) as archive:
        [inside] = [name for name in archive.namelist() if "libkernel" in name]
        assert inside == f"commonplace/store/vectors/{LIBRARY.name}"
        archive.extract(inside, tmp_path)
        assert "Root-Is-Purelib: false" in "".join(
            archive.read(name).decode() for name in archive.namelist() if name.endswith("/WHEEL")
        )
    CompiledKernel(tmp_path / inside)


def test_without_a_compiler_the_wheel_is_for_any_platform(tmp_path: Path) -> None:
    built = wheel(tmp_path, CC="/nowhere/cc")
    assert built.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(built) as archive:
        assert not [name for name in archive.namelist() if "libkernel" in name]
        assert "commonplace/store/vectors/kernel_twin.py" in archive.namelist()


def test_a_compiler_that_fails_leaves_nothing(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "false")
    assert not hook.compiled(SOURCE, tmp_path / "libkernel.so")
    assert not [*tmp_path.iterdir()]


def test_an_editable_install_has_the_kernel_beside_its_source_or_none(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = tmp_path / hook.ROOM
    room.mkdir(parents=True)
    (room / "kernel.c").write_bytes(SOURCE.read_bytes())
    build: Any = hook.KernelBuildHook(str(tmp_path), {}, None, None, "", "wheel")
    data: dict[str, Any] = {"force_include": {}}
    build.initialize("editable", data)
    build.finalize("editable", data, "")
    assert CompiledKernel(room / LIBRARY.name)
    monkeypatch.setenv("CC", "false")
    build.initialize("editable", data)
    assert [each.name for each in room.iterdir()] == ["kernel.c"]
    assert data == {"force_include": {}}


def test_the_compiler_that_cc_names_is_the_only_one(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "ccache gcc-13")
    assert hook.compilers() == [["ccache", "gcc-13"]]
    monkeypatch.delenv("CC")
    assert ["cc"] in hook.compilers()


def test_a_library_has_one_processor(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook.sysconfig, "get_platform", lambda: "macosx-10.9-universal2")
    monkeypatch.setattr(hook.platform, "machine", lambda: "arm64")
    assert hook.platform_tag() == "macosx_10_9_arm64"


@pytest.mark.parametrize("content", ["int unrelated(void) { return 1; }", "int commonplace_kernel(void) { return 0; }"])
def test_another_library_is_not_used(hook: ModuleType, tmp_path: Path, content: str) -> None:
    (tmp_path / "kernel.c").write_text(content.replace("int ", '__attribute__((visibility("default"))) int '))
    assert hook.compiled(tmp_path / "kernel.c", tmp_path / LIBRARY.name)
    assert compiled_kernel.compiled(tmp_path / LIBRARY.name) is None
    (tmp_path / "text.so").write_text("no library")
    assert compiled_kernel.compiled(tmp_path / "text.so") is None
