"""The labelled questions of tests/data/decide, as the program asks them."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.documents.fact_syntax import Head, hash_id, read_bullet
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.resolution import Same
from commonplace.core.extract.infer import Proposal, proposal_id
from commonplace.core.model import Citation, Fact, Kind, Line
from commonplace.core.pages.core_proposals import CoreProposal
from commonplace.core.review.line_changes import LineChange
from commonplace.core.review.packet import GroundLine, NamedOpinion, SentenceQuestion, StanceQuestion
from commonplace.core.review.possible_names import PossibleName
from commonplace.core.stance import weigh
from commonplace.ops.review.lines_beside import Beside

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DATA = Path(__file__).parent.parent / "tests" / "data" / "decide"
KINDS = ("judge", "inferred", "add", "core", "same", "names", "changes", "sentence")
LANGUAGES = ("en", "da", "zh", "ja", "hi", "ru")


class Labelled(NamedTuple):
    """A question with its right answer."""

    kind: str
    label: dict[str, Any]
    question: Any
    around: tuple[Beside, ...]
    text: str
    """All that is shown of it."""

    @property
    def id(self) -> str:
        """That of the question."""
        return str(self.question.id)


def load(kind: str, folder: Path = DATA) -> list[Labelled]:
    """The labelled questions of a kind."""
    lines = (folder / f"{kind}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_labelled(kind, at, json.loads(line)) for at, line in enumerate(lines)]


def _labelled(kind: str, at: int, label: dict[str, Any]) -> Labelled:
    path = f"memory/{label['day']}.md" if "day" in label else f"memory/{2000 + at}-01-01.md"
    first = 10 * at + 3
    question, around = _MADE[kind](label, path, first)
    shown = "\n".join([*(each.text for each in around), *_texts(question)])
    return Labelled(kind, label, question, around, shown)


def _texts(item: object) -> list[str]:
    if isinstance(item, str):
        return [item]
    return [text for each in item for text in _texts(each)] if isinstance(item, tuple) else []


Made = tuple[Any, tuple[Beside, ...]]


def _beside(label: Mapping[str, Any], said: str, path: str, first: int) -> tuple[Beside, ...]:
    lines = [*label["before"], said, *label["after"]]
    return (Beside(path, tuple(label["below"]), tuple(enumerate(lines, first))),)


def _judge(label: dict[str, Any], path: str, first: int) -> Made:
    at = Citation(path, first + len(label["before"]))
    opinion = NamedOpinion("o-" + hash_id(label["opinion"], 5), label["opinion"], label["held"])
    fact = Fact(hash_id(label["fact"], 6), Kind.WORLD, label["fact"], (), at, date.fromisoformat(label["day"]))
    id = "j-" + hash_id(f"{opinion.id}{fact.id}", 5)
    reason = weigh(opinion.statement, fact.content).reason
    return StanceQuestion(id, fact, opinion, reason), _beside(label, fact.content, path, first)


def _proposal(text: str, source: Citation, day: str) -> Proposal:
    head = read_bullet(text)
    assert isinstance(head, Head), text
    id = proposal_id(head.content)
    return Proposal(id, head.kind, head.entities, head.content, source, date.fromisoformat(day))


def _inferred(label: dict[str, Any], path: str, first: int) -> Made:
    made = _proposal(label["proposal"], Citation(path, first + len(label["before"])), label["day"])
    return made, _beside(label, made.content, path, first)


def _add(label: dict[str, Any], path: str, first: int) -> Made:
    made = _proposal(label["proposal"], Citation(path, first + label["asked"]), label["day"])
    return made, (Beside(path, tuple(label["below"]), tuple(enumerate(label["lines"], first))),)


def _core(label: dict[str, Any], path: str, first: int) -> Made:
    text, days = label["proposal"], (date.fromisoformat(label["day"]),)
    made = CoreProposal("c-" + hash_id(text, 6), text, None, "", path, days[0], days * (label["days"] - 1), first)
    return made, _beside(label, text, path, first)


def _naming(label: dict[str, Any], first: int) -> tuple[Beside, ...]:
    return tuple(
        Beside(f"memory/{line['day']}.md", (), ((first + at, line["text"]),)) for at, line in enumerate(label["lines"])
    )


def _same(label: dict[str, Any], path: str, first: int) -> Made:
    one, other = label["one"], label["other"]
    made = Same(entity_key(other), entity_key(one), label["reason"], other, one)
    return made, _naming(label, first)


def _named(label: dict[str, Any], path: str, first: int) -> Made:
    last = label["lines"][-1]["day"]
    name, kind = label["name"], label["kind"] or None
    made = PossibleName(entity_key(name), name, kind, label["days"], f"memory/{last}.md", date.fromisoformat(last))
    return made, _naming(label, first)


def _changed(label: dict[str, Any], path: str, first: int) -> Made:
    lines, around = [], []
    for number, side in enumerate((label["newer"], label["older"]), first):
        at = Citation(f"memory/{side['day']}.md", number)
        lines.append(Line(side["text"], (), at, date.fromisoformat(side["day"])))
        around.append(Beside(at.path, tuple(side["below"]), ((number, side["text"]),)))
    return LineChange(*lines), tuple(around)


def _sentence(label: dict[str, Any], path: str, first: int) -> Made:
    told = tuple(
        GroundLine(
            ground(label, at),
            date.fromisoformat(fact["day"]),
            fact["text"],
            Citation(f"memory/{fact['day']}.md", first + at),
        )
        for at, fact in enumerate(label["facts"])
    )
    id = "s-" + hash_id(label["name"], 5)
    return SentenceQuestion(id, label["name"], f"bank/entities/{label['name']}.md", told[::-1]), ()


def ground(label: Mapping[str, Any], at: int) -> str:
    return hash_id(f"{label['name']}{at}", 6)


_MADE: dict[str, Callable[[dict[str, Any], str, int], Made]] = {
    "judge": _judge,
    "inferred": _inferred,
    "add": _add,
    "core": _core,
    "same": _same,
    "names": _named,
    "changes": _changed,
    "sentence": _sentence,
}
