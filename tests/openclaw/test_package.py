"""The plugin as written and as packed: its types, its own tests, its contents, and what it says of our verbs."""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
from typing import TYPE_CHECKING, Any

from tests.openclaw.conftest import OPENCLAW, PLUGIN, PROGRAMS, node
from tests.registry import OUTSIDE, installed, unpacked

from commonplace.doors.table.verb_table import VERBS
from commonplace.doors.tools import tool_calls

if TYPE_CHECKING:
    from pathlib import Path

TYPESCRIPT = ("typescript@5.9.3", "@types/node@24.19.2", "undici-types@7.24.6")


def described() -> dict[str, Any]:
    """What the plugin knows of our verbs: its `tools`, and the names of those that are `reads`."""
    found: dict[str, Any] = json.loads((PLUGIN / "tools.json").read_text())
    return found


def test_the_plugin_passes_the_type_check_against_the_host(tmp_path: Path) -> None:
    for name in ("src", "test"):
        shutil.copytree(PLUGIN / name, tmp_path / name)
    for name in ("tsconfig.json", "package.json"):
        shutil.copy(PLUGIN / name, tmp_path)
    modules = unpacked(*TYPESCRIPT) / "node_modules"
    (tmp_path / "node_modules").mkdir()
    for each in modules.iterdir():
        (tmp_path / "node_modules" / each.name).symlink_to(each)
    (tmp_path / "node_modules" / "openclaw").symlink_to(installed(OPENCLAW) / "node_modules" / "openclaw")
    run(tmp_path, str(node() / "node"), str(modules / "typescript" / "bin" / "tsc"))


def test_the_plugin_passes_its_own_tests() -> None:
    """Against this commonplace, which is found on the PATH."""
    run(PLUGIN, str(node() / "node"), "--test", "test/*.test.ts")


def run(folder: Path, *words: str) -> None:
    env = {**OUTSIDE, "PATH": f"{node()}:{PROGRAMS}:{OUTSIDE['PATH']}"}
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_holds_what_runs_and_nothing_else(tmp_path: Path) -> None:
    env = {**OUTSIDE, "PATH": f"{node()}:{OUTSIDE['PATH']}"}
    copy = shutil.copytree(PLUGIN, tmp_path / "plugin", ignore=shutil.ignore_patterns("dist*"))  # packing builds
    words = ["npm", "pack", "--silent", "--pack-destination", str(tmp_path), str(copy)]
    subprocess.run(words, env=env, check=True, capture_output=True)
    [archive] = tmp_path.glob("*.tgz")
    with tarfile.open(archive) as packed:
        names = {name.removeprefix("package/") for name in packed.getnames()}
    built = {f"dist/{path.stem}.js" for path in (PLUGIN / "src").iterdir()}
    prompts = {f"prompts/{path.name}" for path in (PLUGIN / "prompts").iterdir()}
    fixed = {"package.json", "openclaw.plugin.json", "tools.json", "README.md", "LICENSE", "on-path.js", "uninstall.js"}
    assert names == built | prompts | fixed


def test_what_it_knows_of_our_verbs_is_what_they_are() -> None:
    """`python -m tests.openclaw.test_package` writes it anew."""
    assert described() == renewed()
    for tool in described()["tools"]:
        assert tool["name"] == f"memory_{tool['verb']}"


def test_the_manifest_names_every_tool_and_those_that_only_read() -> None:
    manifest = json.loads((PLUGIN / "openclaw.plugin.json").read_text())
    ours, host = described()["tools"], ["memory_search", "memory_get"]
    assert manifest["contracts"]["tools"] == [tool["name"] for tool in ours] + host
    read = [tool["name"] for tool in ours if tool["verb"] in described()["reads"]] + host
    assert manifest["toolMetadata"] == {name: {"replaySafe": True} for name in read}


def renewed() -> dict[str, Any]:
    """The same with what our table of verbs says today."""
    given = [{**tool, "parameters": parameters(tool["verb"])} for tool in described()["tools"]]
    every, usual = (tool_calls.schema(VERBS["recall"], fleet=on)["properties"] for on in (True, False))
    fleet = {name: told for name, told in every.items() if name not in usual}
    return {"reads": [tool.name for tool in tool_calls.tools() if tool.read_only], "tools": given, "fleet": fleet}


LEFT_OUT = {
    "budget",  # `k` bounds an answer
    "digest",  # of a file that was read; nothing that a model reads here tells it
}
"""Keys that are taken and not offered: each costs every request of the host (test_turns.py)."""


def parameters(verb: str) -> dict[str, Any]:
    """What a model is told of a verb's keys: their names and kinds; what is out of bounds is refused in words."""
    told = tool_calls.schema(VERBS[verb])
    told.pop("additionalProperties", None)
    shown = {name: dict(of) for name, of in told["properties"].items() if name not in LEFT_OUT}
    for of in shown.values():
        of.pop("minimum", None)
        of.pop("maximum", None)
    return {**told, "properties": shown}


if __name__ == "__main__":
    (PLUGIN / "tools.json").write_text(json.dumps(renewed(), indent=2, ensure_ascii=False) + "\n")
