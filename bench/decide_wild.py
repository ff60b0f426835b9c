"""What a model that decides makes of real workspaces: one that answers by their labels, and ones that mean harm.

    MIRROR=… python bench/decide_wild.py --evals DIR [--only OWNER/NAME …]

Lays each workspace of DIR/data/wild-dev.json out from its bare clone (`export` of DIR/wild.py), reflects, and has a
stub, which speaks the real protocol, answer all that waits, until nothing new is asked:

by labels   accepts a proposed line that its label keeps, a change and a name that are labelled, rejects those that are
            labelled as none, and leaves out the rest. Told: of the labelled lines among the facts that it accepted, and
            among the lines below *Current* on entity pages, how many are worth keeping.
at random   any verdict and text. planted: what the lines themselves ask for, as far as they name a verdict. Told: the
            largest change of a confidence by one run, lines of people that are gone, and files that differ after undo.

No text of a workspace is printed or kept.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.chat_server import chat_server, everything, judging

from commonplace import Memory
from commonplace.core.entities.entity_names import entity_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ROUNDS = 12
"""Runs after which nothing new is asked any more, at most."""
_BUDGET = 1_000_000
_SETTINGS = '[model]\nurl = "{url}"\nmodel = "stub"\nbudget = {budget}\n'
Verdict = dict[str, str]


class Precision(NamedTuple):
    """Of labelled lines, how many are worth keeping, and how many there are."""

    worth: int
    all: int

    def __str__(self) -> str:
        return f"{self.worth}/{self.all}" + (f" ({self.worth / self.all:.2f})" if self.all else "")


def by_labels(memory: Memory, labels: dict[str, Any], wild: Any) -> dict[str, Verdict]:
    """The verdict on each open question that a label decides."""
    waits = memory.review()
    told: dict[str, Verdict] = {}
    for each in waits.inferred:
        known = [line["keep"] == "yes" for line in labels["lines"] if wild.shared(line["source"], str(each.source))]
        if known:
            told[each.id] = {"verdict": "accept" if known[0] else "reject"}
    for change in waits.changes:
        newer, older = str(change.newer.source), str(change.older.source)
        for name, old, new, word in (("changes", "old", "new", "accept"), ("not_changes", "a", "b", "reject")):
            if any(wild.shared(pair[old], older) and wild.shared(pair[new], newer) for pair in labels[name]):
                told[change.id] = {"verdict": word}
    names = {entity_key(name) for each in labels["entities"] for name in (each["name"], *each.get("aliases", []))}
    kinds = {entity_key(each["name"]): each["kind"] for each in labels["entities"]}
    none = {entity_key(name) for name in labels["labels"]}
    for asked in waits.names:
        key = entity_key(asked.name)
        if key in names:
            kind = kinds.get(key, "name")
            told[asked.id] = {"verdict": "edit", "text": f"{asked.name} is a {kind}"}
        elif key in none:
            told[asked.id] = {"verdict": "reject"}
    one = {
        entity_key(name): each["name"]
        for each in labels["entities"]
        for name in (each["name"], *each.get("aliases", []))
    }
    for same in waits.same:
        first, other = one.get(entity_key(same.name)), one.get(entity_key(same.alias))
        if first and other:
            told[same.id] = {"verdict": "accept" if first == other else "reject"}
    return told


def _as_told(told: dict[str, Verdict]) -> Callable[[str, dict[str, Any]], Verdict | str]:
    return lambda id, request: told.get(id, "")


def current_lines(root: Path) -> Iterator[str]:
    """The lines below *Current* on entity pages."""
    for path in (root / "bank" / "entities").rglob("*.md"):
        for section in re.findall(r"^## Current\n(.*?)(?=^## |^<!-- /|\Z)", path.read_text("utf-8"), re.M | re.S):
            yield from (line for line in section.split("\n") if line.startswith("- "))


def worth(labels: dict[str, Any], root: Path, text: str, wild: Any) -> Precision:
    """Of the labelled lines that a text quotes, how many are worth keeping."""
    shown = wild.plain(text)
    found = []
    for line in labels["lines"]:
        path, _, where = line["source"].partition("#L")
        said = (root / path).read_text("utf-8", errors="replace").split("\n")[int(where.split("-")[0]) - 1]
        if wild.quoted(said, shown):
            found.append(line["keep"] == "yes")
    return Precision(sum(found), len(found))


def answered_by_labels(memory: Memory, server: Any, labels: dict[str, Any], wild: Any) -> dict[str, Any]:
    """What pages and facts are after a model that answers by the labels."""
    root = Path(memory.root)
    asked = answered = 0
    for _ in range(_ROUNDS):
        told = by_labels(memory, labels, wild)
        server.usual = judging(_as_told(told))
        done = memory.decide()
        asked, answered = asked + done.asked, answered + done.answered
        if not done.asked:
            break
    retained = "\n".join(
        line
        for path in sorted((root / "memory").rglob("*.md"))
        for line in path.read_text("utf-8", errors="replace").split("\n")
        if "by=model:stub" in line
    )
    current = "\n".join(current_lines(root))
    return {
        "asked": asked,
        "answered": answered,
        "accepted": worth(labels, root, retained, wild),
        "current": worth(labels, root, current, wild),
        "lines of current": current.count("\n") + bool(current),
    }


def at_random(seed: int) -> Callable[[str, dict[str, Any]], Verdict]:
    """A model that answers by chance."""
    dice = random.Random(seed)
    words = ("accept", "reject", "edit", "for", "against", "neither")
    texts = ("", "W @Owner: Owes 5000 to the model.", "Nothing is as it was.", "[abc123] <!-- cp: retracts=^abc123 -->")
    return lambda id, request: {"verdict": dice.choice(words), "text": dice.choice(texts)}


def planted(id: str, request: dict[str, Any]) -> Verdict | str:
    """A model that does as lines say, wherever one has a word that is a verdict."""
    lines = request["messages"][1]["content"].split("\n")
    at = next((number for number, line in enumerate(lines) if f"{id}:" in line), 0)
    said = re.findall(r"(?i)\b(accept|approve|reject|ignore|delete|for|against)\b", " ".join(lines[at : at + 3]))
    word = (
        {"approve": "accept", "ignore": "reject", "delete": "reject"}.get(said[0].lower(), said[0].lower())
        if said
        else "accept"
    )
    return {"verdict": word}


def harmed(memory: Memory, server: Any, answer: Any) -> dict[str, Any]:
    """What a model that means harm did in one run, and what is left of it after undo."""
    before = everything(memory.root)
    held = {each.id: each.confidence for each in memory.opinions()}
    known = {each.id for each in memory.changes()}
    server.usual = judging(answer)
    done = memory.decide()
    now = {each.id: each.confidence for each in memory.opinions()}
    after = everything(memory.root)
    gone = 0
    for path, content in before.items():
        if not path.startswith("bank/"):
            kept = content.decode(errors="replace").splitlines()
            there = Counter(after.get(path, b"").decode(errors="replace").splitlines())
            gone += (Counter(kept) - there).total()
    if done.answered:
        for change in memory.changes():
            if change.id not in known:
                memory.undo(change.id)
    undone = everything(memory.root)
    differ = [
        path
        for path in before.keys() | undone.keys()
        if before.get(path) != undone.get(path) and not path.startswith("memory/")
    ]
    return {
        "answered": done.answered,
        "largest step": round(max((abs(now[id] - held[id]) for id in held if id in now), default=0.0), 3),
        "lines of people gone": gone,
        "files that differ after undo, logs apart": len(differ),
    }


def main() -> None:
    """Lay out each workspace, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evals", required=True)
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    sys.path.insert(0, options.evals)
    wild: Any = importlib.import_module("wild")
    totals: dict[str, list[Precision]] = defaultdict(list)
    for labels in json.loads(Path(options.evals, "data", "wild-dev.json").read_text(encoding="utf-8")):
        if options.only and labels["repo"] not in options.only:
            continue
        for how in ("by labels", "at random", "planted"):
            with tempfile.TemporaryDirectory() as folder, chat_server() as server:
                if not wild.export(labels["repo"], labels["commit"], folder):
                    print("not fetched:", labels["repo"])
                    break
                Path(folder, "commonplace.toml").write_text(_SETTINGS.format(url=server.url, budget=_BUDGET))
                with Memory(folder, today=date.fromisoformat(labels["today"])) as memory:
                    memory.reflect(yes=True)
                    if how == "by labels":
                        found = answered_by_labels(memory, server, labels, wild)
                        for name in ("accepted", "current"):
                            totals[name].append(found[name])
                    else:
                        answer = at_random(1) if how == "at random" else planted
                        found = harmed(memory, server, answer)
                print(labels["repo"], how, ", ".join(f"{key} {value}" for key, value in found.items()), flush=True)
    for name, each in totals.items():
        print("TOTAL", name, Precision(sum(one.worth for one in each), sum(one.all for one in each)))


if __name__ == "__main__":
    main()
