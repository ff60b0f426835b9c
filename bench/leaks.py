"""How many shapes of secrets are known, how often ordinary lines raise a false alarm, and how fast a megabyte is read.

    python bench/leaks.py --docs FOLDER... --workspaces wild-dev.json --mirrors FOLDER

Documentation is every README and Markdown file below the folders, and the descriptions of installed Python packages.
Workspaces are bare clones, named with their commits in a file that is not ours. Of what raises an alarm there only
kinds and counts are printed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.shapes import Sample, samples

from commonplace.core.secrets.guard import looks_like, secrets_in

MOST_BYTES = 2_000_000


def detected(found: list[Sample]) -> str:
    """How many of these samples are known, with the share."""
    hits = sum(bool(looks_like(each.text)) for each in found)
    return f"{hits:,} of {len(found):,} ({100 * hits / len(found):.1f} %)"


def documentation(folders: list[Path]) -> dict[str, str]:
    """Texts by name; of packages that are there twice one."""
    texts: dict[str, str] = {}
    for folder in folders:
        for pattern, at in (("**/*.md", -1), ("**/*.dist-info/METADATA", -2)):
            for path in sorted(folder.glob(pattern)):
                if path.is_file() and path.stat().st_size < MOST_BYTES:
                    text = path.read_text(encoding="utf-8", errors="replace")
                    texts.setdefault(f"{path.parts[at]} {hash(text)}", text)
    return texts


def workspaces(listed: Path, mirrors: Path) -> dict[str, str]:
    """The Markdown of the workspaces at their commits."""
    texts = {}
    for each in json.loads(listed.read_text(encoding="utf-8")):
        repo = mirrors / each["repo"].replace("/", "+") / "repo"
        names = _git(repo, "ls-tree", "-r", "-z", "--name-only", each["commit"]).split("\0")
        for name in names:
            if name.endswith(".md"):
                texts[f"{repo} {name}"] = _git(repo, "show", f"{each['commit']}:{name}")
    return texts


def _git(repo: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(repo), *words], capture_output=True, check=True)
    return done.stdout.decode(errors="replace")


def alarms(texts: dict[str, str]) -> tuple[int, int, Counter[str]]:
    """Lines, texts with an alarm, and alarms by kind."""
    kinds: Counter[str] = Counter()
    lines = alarmed = 0
    for text in texts.values():
        lines += text.count("\n") + 1
        found = secrets_in(text)
        alarmed += bool(found)
        kinds.update(each.kind for each in found)
    return lines, alarmed, kinds


def main() -> None:
    """Print the table."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--docs", type=Path, nargs="*", default=[])
    given.add_argument("--workspaces", type=Path)
    given.add_argument("--mirrors", type=Path)
    asked = given.parse_args()
    shapes, harmless = samples("shapes.json"), samples("harmless.json")
    print("| What | Counted |\n|---|---|")
    print(f"| samples of {len({each.shape for each in shapes})} shapes, known | {detected(shapes)} |")
    print(f"| … of those not used to make the patterns | {detected([each for each in shapes if each.held])} |")
    print(f"| ids, digests, numbers, placeholders and talk, alarmed at | {detected(harmless)} |")
    corpora = {"package documentation": documentation(asked.docs)}
    if asked.workspaces:
        corpora["six real workspaces"] = workspaces(asked.workspaces, asked.mirrors)
    for name, texts in corpora.items():
        if texts:
            began = process_time()
            lines, alarmed, kinds = alarms(texts)
            spent = process_time() - began
            size = sum(map(len, texts.values())) / 1e6
            told = ", ".join(f"{count} {kind.partition(' ')[2]}" for kind, count in kinds.most_common())
            print(
                f"| {name}: {len(texts):,} files, {lines:,} lines | {kinds.total()} alarms in {alarmed} files: {told} |"
            )
            print(f"| … read at | {size / spent:.1f} million characters a second |")


if __name__ == "__main__":
    main()
