"""How well a model decides: labelled questions of every kind that it is asked, in six languages, half of them traps.

    python bench/decide.py --url http://127.0.0.1:11434 --model qwen3:8b [--key-env NAME] [--allow-remote]
    python bench/decide.py --stub perfect|coin|accept|reject
    … [--kind judge …] [--language en …] [--most N] [--seed N] [--wrong] [--json]

Asks the questions of tests/data/decide as `reflect --decide` would: the same requests, instructions, schema and checks,
one kind at a time. Prints, for each kind: how many of its answers count and are right, how many it left out, how many
of the traps it got right, and what a question costs in tokens and seconds. A question that is left out waits for a
person: that is no error. `--wrong` lists the errors. The stubs answer by the labels, by chance, or all alike: what they
score is what a model must beat.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from decide_questions import KINDS, LANGUAGES, Labelled, ground, load

from commonplace.config.model_settings import ModelSettings
from commonplace.core.model import Citation
from commonplace.core.pages.page_sentence import clauses
from commonplace.core.review.packet import Packet
from commonplace.core.review.possible_names import read_name
from commonplace.core.review.review_answers import ADDED, Answer, read_answers
from commonplace.core.review.review_page import ACCEPTED, REJECTED
from commonplace.core.review.shown_words import not_shown, problem_of
from commonplace.core.secrets.redaction import Withheld
from commonplace.core.text.normalize import fold
from commonplace.ops.review.ask_model import ask_model
from commonplace.ops.review.model_requests import Surroundings, request_limit, requests_of
from commonplace.store.models.open_model import context_length, open_model

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FIELDS = {"judge": "judge", "inferred": "inferred", "add": "inferred", "core": "core", "same": "same"}
FIELDS |= {"names": "names", "changes": "changes", "sentence": "pages"}
"""The field of a packet that has the questions of a kind."""
_BUDGET = 10**9


class Outcome(NamedTuple):
    """What became of one question."""

    item: Labelled
    how: str
    """`right`, `wrong` or `left`."""
    said: str


def outcome(item: Labelled, answer: Answer | None, added: Sequence[Answer]) -> str:
    """`right`, `wrong` or `left`, for what counts of the answers to a question."""
    if item.kind == "add":
        return _of_added(item, added)
    if item.kind == "core" and item.label["verdict"] == "accept":  # a person writes it, so a model leaves it out
        return "right" if answer is None or answer.verdict == ACCEPTED else "wrong"
    if answer is None:
        return "left"
    return "right" if _RIGHT.get(item.kind, _as_labelled)(item, answer) else "wrong"


def _as_labelled(item: Labelled, answer: Answer) -> bool:
    said = {ACCEPTED: "accept", REJECTED: "reject"}.get(answer.verdict, answer.verdict)
    return bool(said == item.label["verdict"])


def _inferred_right(item: Labelled, answer: Answer) -> bool:
    if item.label["verdict"] != "edit":
        return _as_labelled(item, answer)
    return answer.verdict == ACCEPTED and all(fold(name) in fold(answer.text) for name in item.label["names"])


def _name_right(item: Labelled, answer: Answer) -> bool:
    if item.label["verdict"] == "reject" or answer.verdict != ACCEPTED:
        return _as_labelled(item, answer)
    said = read_name(item.id, answer.text) if answer.text else None
    return bool((said.kind if said else item.label["kind"]) == (item.label["is"] or item.label["kind"]))


def _sentence_right(item: Labelled, answer: Answer) -> bool:
    on = {id for clause in clauses(answer.text) for id in clause.ids}
    wanted, never = ({ground(item.label, at) for at in item.label[name]} for name in ("on", "never"))
    return bool(on & wanted) and not on & never


_RIGHT = {"inferred": _inferred_right, "names": _name_right, "sentence": _sentence_right}


def _of_added(item: Labelled, added: Sequence[Answer]) -> str:
    numbers = {str(Citation(each.path, number)): number for each in item.around for number, _ in each.lines}
    first = item.around[0].lines[0][0]
    found = {numbers[each.source] - first: fold(each.text) for each in added if each.source in numbers}
    found.pop(item.label["asked"], None)  # the same again is not retained twice
    wanted = dict(zip(item.label["missed"], item.label["words"], strict=True))
    if any(at not in wanted or any(fold(word) not in text for word in wanted[at]) for at, text in found.items()):
        return "wrong"
    return "right" if found.keys() == wanted.keys() else "left"


def counts(item: Labelled, answer: Answer) -> bool:
    """Whether the program would carry an answer out: whether its words are those that were shown."""
    if item.kind == "sentence":
        told = {each.id: (each.text,) for each in item.question.told}
        return not problem_of(answer.text, told, (item.label["name"],))
    if item.kind == "names" or not answer.text:
        return True
    return not not_shown(answer.text, item.text)


class Stub:
    """A model that needs no server: it answers by the labels, by chance, or all alike."""

    def __init__(self, how: str, items: Sequence[Labelled], *, seed: int) -> None:
        self.name = f"stub: {how}"
        self._how = how
        self._items = {each.id: each for each in items}
        self._dice = random.Random(seed)

    def answer(self, task: str, text: str, *, schema: Mapping[str, Any] | None = None, most: int) -> StubReply:
        """Its reply to the questions whose ids the schema has."""
        assert schema is not None
        ids: list[str] = schema["properties"]["answers"]["items"]["properties"]["id"]["enum"]
        told = [self._told(self._items[id]) for id in ids]
        answers = [each for each in told if each is not None and "id" in each]
        added = [each for item in (self._items[id] for id in ids) for each in self._added(item)]
        return StubReply(json.dumps({"answers": answers, "added": added}), 0, 0.0)

    def _told(self, item: Labelled) -> dict[str, str] | None:
        label = item.label
        if item.kind == "add":
            return None
        verdicts = ("for", "against", "neither") if item.kind == "judge" else ("accept", "reject")
        if self._how != "perfect":
            word = self._dice.choice(verdicts) if self._how == "coin" else self._how
            return {"id": item.id, "verdict": word} if word in verdicts else None
        if item.kind == "sentence":
            line = next(each for each in item.question.told if each.id == ground(label, label["on"][0]))
            return {"id": item.id, "verdict": "edit", "text": f"{line.text[:200].rstrip('.。।')} [{line.id}]."}
        if label["verdict"] != "edit":
            return {"id": item.id, "verdict": label["verdict"]}
        if item.kind == "names":
            return {"id": item.id, "verdict": "edit", "text": f"{label['name']} is a {label['is']}"}
        return {"id": item.id, "verdict": "edit", "text": f"W: {' '.join(label['names'])}: {item.question.content}"}

    def _added(self, item: Labelled) -> list[dict[str, str]]:
        if item.kind != "add" or self._how != "perfect":
            return []
        (around,) = item.around
        chosen = [around.lines[at] for at in item.label["missed"]]
        return [{"text": f"W: {text}"[:290], "from": str(Citation(around.path, number))} for number, text in chosen]


class StubReply(NamedTuple):
    """A reply that cost nothing."""

    text: str
    tokens: int
    seconds: float


class Score(NamedTuple):
    """What a model made of the questions of a kind."""

    outcomes: list[Outcome]
    tokens: int
    seconds: float
    problems: tuple[str, ...]


def ask(items: Sequence[Labelled], chat: Any) -> Score:
    """Ask the questions of one kind, and judge the answers."""
    by_id = {each.id: each for each in items}
    assert len(by_id) == len(items), "two questions have one id"
    (field,) = {FIELDS[each.kind] for each in items}
    questions: dict[str, Any] = {field: tuple(each.question for each in items)}
    empty = Packet(None, (), (), (), (), ())
    shown = Surroundings(
        lambda question: by_id[question.id].around if hasattr(question, "id") else (),
        lambda texts: "",
        Withheld({}, None),
    )
    most = request_limit(None if isinstance(chat, Stub) else context_length(chat))
    batches = requests_of(empty._replace(**questions), shown, budget=_BUDGET, most=most).batches
    told = ask_model(batches, chat, budget=_BUDGET, progress=_progress)
    answers: dict[str, Answer] = {}
    added: list[Answer] = []
    for line in read_answers(told.text):
        if line.answer is not None and line.answer.verdict == ADDED:
            added.append(line.answer)
        elif line.answer is not None and counts(by_id[line.answer.id], line.answer):
            answers[line.answer.id] = line.answer
    outcomes = []
    for item in items:
        answer = answers.get(item.id)
        own = [each for each in added if not not_shown(each.text, item.text)]
        said = f"{answer.verdict} {answer.text}" if answer else "; ".join(each.text for each in own)
        outcomes.append(Outcome(item, outcome(item, answer, own), said.strip()))
    return Score(outcomes, told.tokens, told.seconds, told.problems)


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {total} ", end="" if done < total else "\n", file=sys.stderr, flush=True)


def row(name: str, score: Score) -> str:
    """A row of the table."""
    how = Counter(each.how for each in score.outcomes)
    traps = [each for each in score.outcomes if each.item.label["trap"]]
    answered = how["right"] + how["wrong"]
    of_traps = sum(each.how == "right" for each in traps) / len(traps) if traps else 0.0
    cells = [
        name,
        str(len(score.outcomes)),
        f"{how['right'] / answered:.2f}" if answered else "–",
        f"{how['left'] / len(score.outcomes):.2f}",
        f"{of_traps:.2f}",
        f"{score.tokens / len(score.outcomes):,.0f}",
        f"{score.seconds / len(score.outcomes):.2f}",
    ]
    return f"| {' | '.join(cells)} |"


HEAD = (
    "| kind | questions | right of those answered | left out | traps right | tokens a question | s a question |\n"
    "|---|---|---|---|---|---|---|"
)


def _chat(options: argparse.Namespace, items: Sequence[Labelled]) -> Any:
    if options.stub:
        return Stub(options.stub, items, seed=options.seed)
    settings = ModelSettings(options.url, options.model, key_env=options.key_env, allow_remote=options.allow_remote)
    return open_model(settings, allowed=lambda server, key: True)  # whoever calls this names the server now


def main() -> None:
    """Ask, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url")
    parser.add_argument("--model", default="")
    parser.add_argument("--key-env", default="")
    parser.add_argument("--allow-remote", action="store_true")
    parser.add_argument("--stub", choices=("perfect", "coin", "accept", "reject"))
    parser.add_argument("--kind", nargs="*", choices=KINDS, default=KINDS)
    parser.add_argument("--language", nargs="*", choices=LANGUAGES, default=LANGUAGES)
    parser.add_argument("--most", type=int, help="questions of a kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if bool(options.url) == bool(options.stub):
        parser.error("give --url and --model, or --stub")
    scores = {}
    for kind in options.kind:
        items = [each for each in load(kind) if each.label["language"] in options.language]
        random.Random(options.seed).shuffle(items)
        items = items[: options.most]
        scores[kind] = ask(items, _chat(options, items))
    if options.json:
        found = {
            kind: {
                **Counter(each.how for each in score.outcomes),
                "tokens": score.tokens,
                "seconds": round(score.seconds, 1),
            }
            for kind, score in scores.items()
        }
        print(json.dumps(found, indent=1))
        return
    for kind, score in scores.items():
        for problem in score.problems[:2] if not score.tokens else ():
            print(f"{kind}: {problem}", file=sys.stderr)
    print(HEAD)
    for kind, score in scores.items():
        print(row(kind, score))
    print()
    print(HEAD.replace("kind", "language", 1))
    for language in options.language:
        own = [each for score in scores.values() for each in score.outcomes if each.item.label["language"] == language]
        whole = sum(len(score.outcomes) for score in scores.values())
        tokens, seconds = (
            sum(getattr(score, name) for score in scores.values()) * len(own) / whole for name in ("tokens", "seconds")
        )
        if own:
            print(row(language, Score(own, int(tokens), seconds, ())))
    for score in scores.values():
        for each in score.outcomes if options.wrong else ():
            if each.how == "wrong":
                label = each.item.label
                print(f"{each.item.kind} ({label['language']}, {label['trap'] or 'plain'}): {each.said}")


if __name__ == "__main__":
    main()
