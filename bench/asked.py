"""The project's own questions: over a planted workspace, and over one in the shapes that people really have.

    python bench/asked.py [--missed] [--held]

The sets stand in tests/data with what each field means; `questions.jsonl` may be looked at, `held.jsonl` is only
measured. A planted question is met by its first hit (one of several parts: by the first ten), an absent one by
an empty bundle; a wild one is scored by the share of its answers among the first ten. Prints JSON; `--missed` prints
what was missed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections import defaultdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace import Memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from commonplace.core.model import Bundle, Hit

DATA = Path(__file__).parent.parent / "tests" / "data"
SETS = ("planted", "wild")
FILES = ("questions.jsonl", "held.jsonl")
TODAY = "2026-06-15"
"""Where a question states no day."""
FIRST = 10


class Asked(NamedTuple):
    """One question with its bundle."""

    question: dict[str, Any]
    bundle: Bundle

    @classmethod
    def of(cls, question: dict[str, Any], memory: Memory) -> Asked:
        """A question, asked with its options."""
        options: dict[str, Any] = question.get("options", {})
        lists = {key: tuple(value) for key, value in options.items() if isinstance(value, list)}
        return cls(question, memory.recall(question["question"], **options | lists))

    @staticmethod
    def memories(name: str, folder: str, data: Path = DATA) -> dict[str, Memory]:
        """A copy of a set's workspace below a folder, opened for each day on which a question is asked."""
        workspace = Path(folder, name)
        shutil.copytree(data / name / "workspace", workspace)
        days = {each.get("today", TODAY) for file in FILES for each in questions(name, file, data)}
        return {day: Memory(str(workspace), today=date.fromisoformat(day)) for day in days}

    @property
    def answers(self) -> set[str]:
        return set(self.question["answers"])

    @property
    def score(self) -> float:
        """In [0, 1]: 1 when what the set asks for is so."""
        hits, type_ = self.bundle.hits[:FIRST], self.question["type"]
        if type_ == "absent":
            return float(not self.bundle.hits)
        if "contains" in self.question and isinstance(self.question["contains"], list):
            return self.recall
        if not self._expected(hits):
            return 0.0
        if type_ == "multi":
            return float(self.answers <= _cited(hits))
        return float(bool(self.answers & _cited(hits[:1])))

    @property
    def told(self) -> float:
        """1 when the bundle is empty, or says what of the question no line has."""
        return float(not self.bundle.hits or bool(self.bundle.note))

    @property
    def recall(self) -> float:
        """Share of the answers that the first ten hits cite."""
        return len(self.answers & _cited(self.bundle.hits[:FIRST])) / len(self.answers)

    def _expected(self, hits: Sequence[Hit]) -> bool:
        expect, as_of = self.question.get("expect", {}), self.question.get("options", {}).get("as_of", "")
        if as_of and any(hit.line.recorded and hit.line.recorded.isoformat() > as_of for hit in hits):
            return False
        if "first" in expect and expect["first"] not in _cited(hits[:1]):
            return False
        for hit in hits:
            if str(hit.line.source) in expect.get("superseded", ()) and not (hit.superseded_by or hit.disputed_by):
                return False
        return True


def _cited(hits: Iterable[Hit]) -> set[str]:
    return {str(citation) for hit in hits for citation in hit.places}


def questions(name: str, file: str, data: Path = DATA) -> list[dict[str, Any]]:
    """The questions of a set's file."""
    return [json.loads(line) for line in (data / name / file).read_text(encoding="utf-8").splitlines()]


def ask(name: str, file: str, data: Path = DATA) -> Iterator[Asked]:
    """Every question of a set's file, asked of a copy of its workspace."""
    with tempfile.TemporaryDirectory() as folder:
        memories = Asked.memories(name, folder, data)
        for question in questions(name, file, data):
            yield Asked.of(question, memories[question.get("today", TODAY)])


def figures(asked: Iterable[Asked]) -> dict[str, Any]:
    """Mean score by type and language, of what can be answered, and of what is absent.

    `absent, told` counts the absent that got an empty bundle or one that says what no line has; `doubted` the same of
    what can be answered.
    """
    groups: dict[str, list[float]] = defaultdict(list)
    for each in asked:
        absent = each.question["type"] == "absent"
        groups["absent" if absent else "answerable"].append(each.score)
        groups["absent, told" if absent else "doubted"].append(each.told)
        if not absent:
            groups[each.question["language"]].append(each.score)
            groups[each.question["type"]].append(each.score)
            groups["any"].append(float(bool(each.answers & _cited(each.bundle.hits[:FIRST]))))
    return {name: {"n": len(values), "score": round(sum(values) / len(values), 3)} for name, values in groups.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Ask the project's own questions.")
    parser.add_argument("--held", action="store_true", help="the questions that nothing is tuned on")
    parser.add_argument("--missed", action="store_true", help="print each question that was not met, and its first hit")
    options = parser.parse_args()
    for name in SETS:
        asked = list(ask(name, "held.jsonl" if options.held else "questions.jsonl"))
        print(json.dumps({name: figures(asked)}, ensure_ascii=False))
        for each in asked if options.missed else ():
            if each.score < 1:
                first = each.bundle.hits[0] if each.bundle.hits else None
                print(f"  {each.question['id']} {each.score:.2f} {each.question['question']}")
                print(f"      want {each.question['answers']}")
                print(f"      got  {first and (str(first.line.source), first.why, first.line.content[:80])}")


if __name__ == "__main__":
    main()
