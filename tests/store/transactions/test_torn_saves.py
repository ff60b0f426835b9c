"""An editor that saves in place has written half of a file when ours takes its place; the rest comes a moment later.

Every cut of the file and both moments for the rest: the person's lines are there and where they were, ours is there,
nothing is left of the cut, and a region of ours is whole.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from commonplace import Memory
from commonplace.core.documents.parse import parse
from commonplace.core.markdown.page_regions import damage
from commonplace.core.pages.region_merge import renew
from commonplace.store.fs.codec import merged

if TYPE_CHECKING:
    from pathlib import Path

LOG = "# 2025-12-01\n- met Clara\n\n## Retain\n\n- W @Clara: Rows. ^rows01\n- W @Clara: Sails. ^sail01\n"
BY_HAND, ANOTHER = "- by hand\n", "- by another hand"
SCRIPT = """
import json, os, shutil, sys, time
from commonplace.core.model import Patch
from commonplace.core.markdown.text_edits import append
from commonplace.store.workspace import Workspace
root, path, moment = sys.argv[1:4]
saved, wanted, cuts = json.load(sys.stdin)
real, torn = os.fsync, []
def retained(text):
    section = "" if "## Retain" in text else "\\n## Retain\\n\\n"
    return append(text or "# 2025-12-01\\n", section + "- W @Ann: Sings. ^sing01")
for cut in cuts:
    workspace = Workspace(shutil.copytree(root, f"{root}-{cut}"))
    full = os.path.join(workspace.root, path)
    before = workspace.read(path).digest
    editor = open(full, "r+")
    count = 0
    def fsync(fd):
        global count
        real(fd)
        count += 1
        if count == 1:
            editor.truncate(0)
            editor.write(saved[:cut])
            editor.flush()
        elif count == 3 and moment == "soon":
            editor.write(saved[cut:])
            editor.flush()
        elif count == 3 and moment == "another":
            lines = open(full).read().splitlines(keepends=True)
            lines.insert(1, "- by another hand\\n")
            with open(full + "~", "w") as file:
                file.write("".join(lines))
            os.replace(full + "~", full)
    os.fsync = fsync
    if wanted:
        try:
            workspace.apply([Patch(path, before, wanted, "renewed")], "reflect")
        except Exception as error:
            assert type(error).__name__ == "ChangedUnderneath", error
    else:
        workspace.change(path, retained)
    os.fsync = real
    if moment != "soon" or count < 3:
        editor.write(saved[cut:])
    editor.close()
    os.utime(full)
    torn.append((workspace, full))
time.sleep(.11)  # once for all: a file that was saved less than .1 s ago is left for later
for workspace, _ in torn:
    workspace.late_writes()
print(json.dumps([open(full).read() for _, full in torn]))
"""


def torn(root: Path, path: str, moment: str, given: tuple[str, str, list[int]]) -> list[str]:
    """What the file contains for each cut, in a copy of the workspace.

    Args:
        given: what the editor saves, what a set wants (empty: retain), and the cuts.
    """
    argv = [sys.executable, "-c", SCRIPT, str(root), path, moment]
    done = subprocess.run(argv, input=json.dumps(given), capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    told: list[str] = json.loads(done.stdout)
    return told


@pytest.fixture
def root(quick: Path) -> Path:
    """A workspace with a folder for logs, in a folder where its copies go with it."""
    (quick / "workspace" / "memory").mkdir(parents=True)
    return quick / "workspace"


@pytest.mark.parametrize("moment", ["soon", "late", "another"])
def test_a_log_that_was_half_saved_has_every_line_in_its_place(root: Path, moment: str) -> None:
    path = "memory/2025-12-01.md"
    (root / path).write_text(LOG, encoding="utf-8")
    saved = LOG.replace("- met", f"{BY_HAND}- met")
    cuts = list(range(len(saved)))
    for cut, text in zip(cuts, torn(root, path, moment, (saved, "", cuts)), strict=True):
        document = parse(path, text)
        assert not document.problems, (cut, text)
        assert {fact.id for fact in document.facts} == {"rows01", "sail01", "sing01"}, (cut, text)
        assert text.index(BY_HAND) < text.index("- met") < text.index("## Retain"), (cut, text)
        others = {"- W @Ann: Sings. ^sing01", ANOTHER}
        assert set(text.splitlines()) <= set(saved.splitlines()) | others, (cut, text)
        assert len(document.facts) == 3, (cut, text)
        assert (ANOTHER in text) == (moment == "another"), (cut, text)


@pytest.mark.parametrize("moment", ["soon", "late"])
def test_a_page_half_saved_during_a_renewal_has_the_line_and_a_whole_region(root: Path, moment: str) -> None:
    path = "bank/entities/Clara.md"
    (root / "memory/2025-12-01.md").write_text(LOG, encoding="utf-8")
    with Memory(str(root)) as memory:
        memory.reflect(yes=True)
        old = (root / path).read_text(encoding="utf-8")
        memory.retain("W @Clara: Sings in the choir.", date="2025-12-01")
        memory.retain("W @Clara: Lives in Vienna.", date="2025-12-01")
        memory.reflect(yes=True)
        new = (root / path).read_text(encoding="utf-8")
    (root / path).write_text(old, encoding="utf-8")
    saved = old.replace("# Clara\n", f"# Clara\n{BY_HAND}", 1)
    assert saved != old != new
    cuts = list(range(0, len(saved), 3))
    for cut, text in zip(cuts, torn(root, path, moment, (saved, new, cuts)), strict=True):
        assert not damage(text), (cut, text)
        assert text.count(BY_HAND) == 1 and text.index(BY_HAND) < text.index("<!--"), (cut, text)


def test_a_page_that_was_read_when_half_saved_gets_no_second_region() -> None:
    path = "bank/entities/Clara.md"
    saved = renew(f"# Clara\n{BY_HAND}", "entity", ["- Rows. ^rows01"], ["rows01"]).text
    for cut in range(saved.index("<!--")):
        read = saved[:cut]
        ours = renew(read or "# Clara\n", "entity", ["- Rows. ^rows01", "- Sails. ^sail01"], ["rows01", "sail01"]).text
        text = merged(path, read.encode(), ours.encode(), saved.encode()).decode()
        assert not damage(text), (cut, text)
        assert text.count("<!-- commonplace: entity") == 1, (cut, text)
        assert BY_HAND in text and text.count("# Clara\n") == 1, (cut, text)
