"""How often the rules tell rightly which fact replaces or disputes another, without any trailer.

    python bench/succession.py [--wrong]

Over the labelled pairs of tests/data/succession, those that were looked at while the rules were made and those held
out; then over the bundled workspaces, where trailers say which fact was replaced and the rules are not told. `--wrong`
prints the pairs of the first part that were told wrongly.
"""

from __future__ import annotations

import os
import sys
import tempfile
from shutil import copytree
from time import process_time
from typing import TYPE_CHECKING

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)  # the pairs are the tests' own

from tests.pairs import LANGUAGES, pairs, said  # noqa: E402

from commonplace import Memory  # noqa: E402
from commonplace.core.claims.claim_reader import claims  # noqa: E402
from commonplace.ops.beliefs.supersession import outdated  # noqa: E402

if TYPE_CHECKING:
    from tests.pairs import Pair

WORKSPACES = ("examples/workspace", "tests/data/planted/workspace")


def rate(chosen: list[Pair], label: str) -> str:
    """`P 1.000 R 0.966  said 28 right 28 of 29`."""
    answers = [(said(pair.older, pair.newer), pair.label) for pair in chosen]
    told = sum(answer == label for answer, _ in answers)
    right = sum(answer == true == label for answer, true in answers)
    true = sum(each == label for _, each in answers)
    return f"P {right / max(1, told):.3f} R {right / max(1, true):.3f}  said {told} right {right} of {true}"


def replaced(path: str) -> tuple[int, int, int]:
    """Facts that trailers say were replaced, those of them that the rules find, and those that only the rules do."""
    with tempfile.TemporaryDirectory() as folder:
        root = copytree(os.path.join(ROOT, path), os.path.join(folder, "w"), ignore=lambda *_: [".memory"])
        for base, _, names in os.walk(root):
            for name in (name for name in names if name.endswith(".md")):
                with open(os.path.join(base, name), encoding="utf-8") as file:
                    text = file.read()
                with open(os.path.join(base, name), "w", encoding="utf-8") as file:
                    file.write(text.replace(" supersedes=", " was="))
        with Memory(root) as memory:
            memory.index()
            index = memory._access.fresh()
            said_so = {id.lstrip("^") for fact in index.facts() for key, id in fact.trailer.other if key == "was"}
            rows, _ = outdated(index, today=memory.today)
            found = {fact.id for fact in index.facts_at(rows).values()}
        return len(said_so), len(found & said_so), len(found - said_so)


def main(arguments: list[str]) -> None:
    for held in (False, True):
        chosen = [pair for pair in pairs() if pair.held is held]
        name = "held out" if held else "looked at"
        for label in ("supersedes", "disputes"):
            print(f"{name:10s} n={len(chosen):<4d} {label:11s} {rate(chosen, label)}")
        ended = [pair for pair in pairs("ended") if pair.held is held]
        print(
            f"{'over, held' if held else 'over':10s} n={len(ended):<4d} {'supersedes':11s} {rate(ended, 'supersedes')}"
        )
    for language in LANGUAGES:
        chosen = [pair for pair in pairs() if pair.language == language]
        print(f"{language:10s} n={len(chosen):<4d} supersedes  {rate(chosen, 'supersedes')}")
    facts = [fact for pair in pairs() for fact in (pair.older, pair.newer)]
    began = process_time()
    for fact in facts:
        claims(fact)
    print(f"a fact takes {(process_time() - began) / len(facts) * 1e6:.0f} us")
    for path in WORKSPACES:
        told, both, more = replaced(path)
        print(f"{path}: trailers replace {told} facts, of which the rules find {both}; they find {more} more")
    if "--wrong" in arguments:
        for pair in pairs() + pairs("ended"):
            answer = said(pair.older, pair.newer)
            if answer != pair.label and not pair.held:
                print(f"{answer} ({pair.label}) {pair.language}: {pair.older.content} | {pair.newer.content}")


if __name__ == "__main__":
    main(sys.argv[1:])
