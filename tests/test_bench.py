"""The benchmarks run: what they print is not asserted to be fast, only to be there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from commonplace import Memory

ROOT = Path(__file__).parent.parent
BENCH = ROOT / "bench"


def script(name: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(BENCH / f"{name}.py"), *arguments], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_workspace_is_the_same_twice_and_another_by_another_seed(tmp_path: Path) -> None:
    first, again, other = (tmp_path / name for name in ("first", "again", "other"))
    counts = json.loads(script("corpus", str(first), "5"))
    script("corpus", str(again), "5")
    script("corpus", str(other), "5", "--seed", "2")
    assert files(first) == files(again) != files(other)
    assert counts["files"] == len(files(first))
    with Memory(str(first)) as memory:
        report = memory.index()
        assert (report.files, report.facts) == (counts["files"], counts["facts"])
        assert memory.check() == ()
        assert memory.recall("Harriet").hits


def test_a_longer_workspace_has_every_language_and_shape(tmp_path: Path) -> None:
    script("corpus", str(tmp_path / "w"), "120")
    text = "\n".join(each.decode() for each in files(tmp_path / "w").values())
    for sign in (
        "because",
        "fordi",
        "因为",
        "因為",
        "ので",
        "क्योंकि",
        "```",
        "| D-",
        "~~",
        "[x]",
        "**根因:**",
        "    - ",
        "\\n",
    ):
        assert sign in text, sign
    paths = "\n".join(files(tmp_path / "w"))
    for shape in (
        *(r"^memory/\d{4}-\d\d-\d\d\.md$", r"^memory/\d{4}-\d\d-\d\d-\w+-\w+\.md$"),
        *(r"^memory/\d{4}/\d\d/\d\d/", r"^memory/archived/", r"^memory/notebook-\d+\.md$", r"^memory/people/"),
    ):
        assert re.search(shape, paths, re.M), shape


def test_speed_prints_its_tables() -> None:
    said = script("speed", "--days", "3", "6", "--runs", "1")
    for size in ("**3 days**", "**6 days**"):
        assert size in said
    jobs = re.findall(r"^\| ([^|]+) \| [\d.]+ \| [\d.]+ \| \d+ \| [\d.]+ \((?:start|question|index)\)", said, re.M)
    assert len(jobs) == 18 and len(set(jobs)) == 9
    assert said.count("| recall, no sweep |") == said.count("| plain FTS5, any word |") == 2
    assert "the median grows by a factor of" in said


@pytest.mark.parametrize("name", ["dates", "stance", "terms"])
def test_what_needs_data_says_so(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMMONPLACE_EVALS", raising=False)
    done = subprocess.run(
        [sys.executable, str(BENCH / f"{name}.py")], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert "COMMONPLACE_EVALS is not set" in done.stderr


def test_the_page_has_every_part_of_its_template() -> None:
    """Written by `bench/report.py`: a heading changed by hand, or a blank left open, shows here."""

    def headings(text: str) -> list[str]:
        return re.findall(r"^#+ .*$", text, re.M)

    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    template = (BENCH / "benchmarks.template.md").read_text(encoding="utf-8")
    assert headings(page) == headings(template)
    assert "{{" not in page
