"""How much a line is worth remembering: the one measure of pages, proposals, windows and the core.

Worth is the weighted sum of what is found in a line: the signs of its words (`data/LANGUAGE/infer.json`: a rule, a
lesson, a decision, a cause; or today's state), what its label and the headings above announce, its length and form,
the names in it, and how often lines of the same shape recur, since counters and reports repeat. The weights are those
of a logistic regression on lines that people judged (`bench/worth.py`), so that the score is the logarithm of the odds
that an owner would keep the line; they are the same for all languages.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from functools import cache, lru_cache
from hashlib import blake2b
from math import log
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.extract.advice import begins_with_pronoun
from commonplace.core.extract.line_labels import heading_name, labels, name_of, planned
from commonplace.core.extract.salience import CODE, signs_in
from commonplace.core.tables import table
from commonplace.core.text.known_languages import UNSPACED, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from commonplace.core.memo import Findings
    from commonplace.core.model import Line

_WIDE = 2.5
"""Columns of a character of Chinese or Japanese, as against one of other scripts."""
_COLUMNS, _LENGTHS = (25, 50, 90, 200, 400), ("under 25", "under 50", "under 90", "", "over 200", "over 400")
"""Columns below which a line has the sign of the same place; the longest lines have the last."""
_MOST_READ = 600
"""Characters of a line that are read: what matters of a longer one stands at its start."""
_SHAPE = 120
"""Characters of a line that are its shape."""
_DIGEST_SIZE = 8
"""Bytes of a shape or label: among a million lines the chance that any two are confused is 10^-7."""
_MOST_NAMES, _MOST_FIGURES, _MOST_ALIKE = 3, 3, 20
_HEADINGS = 3
"""Headings and parent bullets that are read, from the nearest."""
_LONGEST_HEADING = 80
_HEADINGS_KEPT = 512
"""Headings whose signs are cached: each stands above many lines."""
_TEXTS_KEPT = 1024
"""Texts whose features are cached: days are asked about again and again."""
_SIGNS_ABOVE = frozenset(("rule", "lesson", "decided", "prefers", "cause", "state", "bond"))
_FIGURE = lazy_pattern(r"\d+(?:[.,:/-]\d+)*")
_DIGITS = lazy_pattern(r"[\d.,:%+/-]+")
_ASCII_DIGITS = str.maketrans(dict.fromkeys("0123456789.,:%+/-", "0"))
_LABEL, _LABEL_WITHIN = lazy_pattern(r"\W{0,4}([^:：*|]{1,40}?)[*_]{0,2}\s?[:：]"), 48
"""A label, and the characters that it takes at most."""
_ASKS = lazy_pattern(r"(?:\*\*[^*?？]{0,80}|[^:：?？]{0,40})[?？](?:\*\*|\s?[:：])")
_EMPTY = lazy_pattern(r".{0,80}[:：][*_ ]{0,4}")
_CAPITALS, _SOME_CAPITALS = lazy_pattern(r"\b[A-Z]{4,}\b"), lazy_pattern("[A-Z]{4}")
"""A word in capitals, and what each has: found three times as fast."""
_ORDERS_WITHIN = 3
"""Words at the start of a line in which an order has its word (`Never post …`); without spaces it may stand last."""
_OPENING = 80
"""Characters in which a line shows that a host wrote it."""
_BEGINS, _FIRST_LETTERS = 24, 5
"""Characters in which are the first letters of its first sentence, and how many of these are compared first."""
_SENTENCE_END, _NO_LETTERS = lazy_pattern(r"[.!?][\W_]*?(?=\s|$)"), lazy_pattern(r"[\W_]+")
_ASIDE, _LONG_SENTENCE = lazy_pattern(r"\([^()]*\)(?=\W*$)"), 5
"""A remark in brackets at the end of a line; words of a sentence that nobody writes alike by chance."""
_MARKED = frozenset("✅❌⚠⏳🔴🟡🟢🔄✔✗☐☑")
"""Marks of today's state at the start of a line."""
ASSISTANT, USER = "assistant:", "user:"
"""Who speaks in the transcripts that hosts write, before each message; its other lines have no mark."""
CHATTER = 4.0
"""How much less the other lines of a transcript are worth: of those on pages of real workspaces a sixth was useful."""
_UNSURE, _DOUBTED = frozenset(("doubt", "veto")), 1.0
"""Signs of hearsay and doubt, and how much less such a line is worth apart from its log: a tenth was useful."""
_DANGLING = 1.0
"""How much less a line is worth that begins with a pronoun, whose noun stays behind in the log."""
_COMMIT, _CHANGELOG = lazy_pattern(r"(?<![\w/.-])(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,40}(?![\w/.-])"), 1.5
_SOME_HEX = lazy_pattern("[0-9a-f]{7}")
"""The digest of a commit, and how much less a line is worth that names one: it tells what was changed, not what is."""


_TELLS_MORE = frozenset(("lasting", "rule", "undone"))
_NO_STATEMENT = frozenset(
    ("question", "only a label", "quotation", "open task", "planned", "label void", "label clock", "host text")
)


class Worth(NamedTuple):
    """How much a line is worth remembering."""

    score: float
    """Logarithm of the odds that its owner would keep it: above 0 more probably than not."""
    signs: frozenset[str]
    """The signs of its words, label and headings."""

    @property
    def states(self) -> bool:
        """Whether it states something by itself: no question, open task or label without text, nothing planned."""
        return self.signs.isdisjoint(_NO_STATEMENT)


class Repeats(NamedTuple):
    """How often lines of one shape, and labels, recur in a workspace; by digest."""

    shapes: Counter[bytes]
    labels: Counter[bytes]

    def add(self, shapes: Iterable[bytes], labels: Iterable[bytes]) -> None:
        """Count lines by the shape and the label of each; an empty label is none."""
        self.shapes.update(shapes)
        self.labels.update(filter(None, labels))

    def score(self, shape: bytes, label: bytes, *, names: int) -> float:
        """Return what a line's place in its workspace adds to its worth.

        Args:
            names: number of known names in it.
        """
        recurs, label_recurs, known = _weights_of_repeats()
        score = recurs[min(_MOST_ALIKE, self.shapes[shape])] + known[min(_MOST_NAMES, names)]
        return score + label_recurs[min(_MOST_ALIKE, self.labels[label])] if label else score

    def scores(self) -> tuple[dict[bytes, float], dict[bytes, float], tuple[float, ...]]:
        """Return the summands of `score`, for all lines at once: by shape, by label, and by the number of names; the
        last of these is that of more.
        """
        recurs, label_recurs, known = _weights_of_repeats()
        shapes = {shape: recurs[min(_MOST_ALIKE, count)] for shape, count in self.shapes.items()}
        labels = {label: label_recurs[min(_MOST_ALIKE, count)] for label, count in self.labels.items()}
        return shapes, labels | {b"": 0.0}, known

    def features(self, shape: bytes, label: bytes, *, names: int) -> Iterator[tuple[str, float]]:
        """Yield the same as features, without those of which there is nothing."""
        if (same := min(_MOST_ALIKE, self.shapes[shape])) > 1:
            yield "recurs", log(same)
        if label and (often := min(_MOST_ALIKE, self.labels[label])) > 1:
            yield "label recurs", log(often)
        if names:
            yield "known names", min(_MOST_NAMES, names)


@cache
def _weights_of_repeats() -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    """Return what it adds that so many lines have the same shape, the same label, and that a line has so many names."""
    weights: dict[str, float] = table("worth")["weights"]
    often = [log(max(1, count)) for count in range(_MOST_ALIKE + 1)]
    recurs, label_recurs, known = (weights.get(name, 0.0) for name in ("recurs", "label recurs", "known names"))
    return (
        tuple(recurs * each for each in often),
        tuple(label_recurs * each for each in often),
        tuple(known * count for count in range(_MOST_NAMES + 1)),
    )


def is_bare(text: str) -> bool:
    """Return whether a line has neither a label nor a word for a rule, for what lasts or was not done: of its day it
    tells what somebody did, most often."""
    return _label(text) is None and _TELLS_MORE.isdisjoint(signs_in(text[:_MOST_READ], identify(text).code))


def repeats(texts: Iterable[str]) -> Repeats:
    """Count the shapes and labels of the lines of a workspace."""
    found, texts = Repeats(Counter(), Counter()), [*texts]
    found.add(map(shape_of, texts), map(label_of, texts))
    return found


def worth_alone(line: Line, *, core: bool = False) -> Worth:
    """Return what a line is worth without what `Repeats.score` adds. Arguments as of `worth`."""
    weights: dict[str, float] = table("worth")["weights"]
    found = _own_features(line, core=core)
    return Worth(weights["any line"] + _summed(found.items()), frozenset(found))


def _summed(features: Iterable[tuple[str, float]]) -> float:
    """Return what features add to the worth of a line."""
    weight, score = table("worth")["weights"].get, 0.0
    for name, value in features:
        score += weight(name, 0.0) * value
    return score


def worth_apart(alone: Worth, text: str) -> float:
    """Return what a line is worth apart from its log: on a page, or among lines of other days.

    Args:
        alone: its worth without what `Repeats.score` adds.
        text: of the line.
    """
    score = alone.score
    if not alone.signs.isdisjoint(_UNSURE):
        score -= _DOUBTED
    if begins_with_pronoun(text):
        score -= _DANGLING
    return score - _CHANGELOG if _SOME_HEX.search(text) and _COMMIT.search(text) else score


def worth_below(context: tuple[str, ...]) -> float:
    """Return what the headings and bullets above a line add to its worth."""
    return _summed(_above(context))


def worth(line: Line, alike: Repeats, *, names: int = 0, core: bool = False, findings: Findings | None = None) -> Worth:
    """Return how much a line is worth remembering.

    Args:
        line: with its context.
        alike: of the workspace that it stands in.
        names: number of known names in it.
        core: whether it stands in a core file.
    """
    weights: dict[str, float] = table("worth")["weights"]
    found = features(line, alike, names=names, core=core, findings=findings)
    return Worth(weights["any line"] + _summed(found.items()), frozenset(found))


def features(
    line: Line, alike: Repeats, *, names: int = 0, core: bool = False, findings: Findings | None = None
) -> dict[str, float]:
    """Return what the measure sees of a line: name of a feature -> how much of it there is. Arguments as of `worth`."""
    found = _own_features(line, core=core, findings=findings)
    found.update(alike.features(shape_of(line.content), label_of(line.content), names=names))
    return found


def _own_features(line: Line, *, core: bool, findings: Findings | None = None) -> dict[str, float]:
    """Return those that do not depend on other lines."""
    text = line.content[:_MOST_READ]
    told: Sequence[str] = findings.in_text("worth", text, _in_text) if findings else _in_text(text)
    found = dict.fromkeys(told, 1.0)
    found.update(_above(line.context))
    if figures := len(_FIGURE.findall(text)):
        found["figures"] = min(_MOST_FIGURES, figures)
    if "`" in text or "://" in text:
        found["code"] = sum(map(len, CODE.findall(text))) / len(text)
    if _label(line.content):
        found["labelled"] = 1.0
    if core:
        found["core file"] = 1.0
    if line.recorded is None:
        found["undated"] = 1.0
    return found


@lru_cache(_TEXTS_KEPT)
def _in_text(text: str) -> list[str]:
    """Return the features that depend on the text alone, in order of the alphabet."""
    language = identify(text).code
    signs = signs_in(text, language)
    return sorted({*signs, *_form(text, language, signs=signs)})


def _form(text: str, language: str, *, signs: AbstractSet[str]) -> Iterator[str]:
    wide = len(text) * (_WIDE if language in UNSPACED else 1)
    yield _LENGTHS[bisect(_COLUMNS, wide)]
    if text[:1] == "|":
        yield "row"
    if language not in UNSPACED and "rule" in signs:  # else not among its first words either
        signs = signs_in(" ".join(text.lstrip("*").split()[:_ORDERS_WITHIN]), language)
    if "rule" in signs:
        yield "order"
    if text.rstrip("*_ ").endswith((":", "：")) and _EMPTY.fullmatch(text):
        yield "only a label"
    asks = "?" in text or "？" in text
    if asks and (text.rstrip(" *_”\"'").endswith(("?", "？")) or _ASKS.match(text)):
        yield "question"
    if text[:1] in (">", "＞"):
        yield "quotation"
    if text[:3] == "[ ]":
        yield "open task"
    if is_of_a_host(text):
        yield "host text"
    if text[:1] in _MARKED:
        yield "marked"
    if "→" in text or "->" in text or "=>" in text:
        yield "arrow"
    if _SOME_CAPITALS.search(text) and _CAPITALS.search(text):
        yield "capitals"
    if (label := _label(text)) and (sign := labels().get(name_of(label[1]))):
        yield f"label {sign}"


def is_of_a_host(text: str) -> bool:
    """Return whether a host wrote a line: by how it begins, or since each of its sentences stands in a file that the
    host gives to a new workspace, and they are a whole line of it or one is long; one that its owner has changed or
    added is the owner's, and so is one that happens to be short."""
    begins = _letters(text[:_BEGINS])
    if len(begins) >= _FIRST_LETTERS and not begins.startswith(_host_beginnings()):
        return False  # as of most: of these nothing else is read
    if fold(text[:_OPENING]).lstrip(" *_>`-(").removeprefix(USER).lstrip().startswith(_host_texts()):
        return True
    known, parts = _host_sentences(), _sentences(_ASIDE.sub(" ", text))
    first = next(parts, "")
    if first not in known or not all(each in known for each in parts):
        return False
    return _letters(text) in _host_lines() or any(
        len(each.split()) >= _LONG_SENTENCE for each in _SENTENCE_END.split(text)
    )


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, the letters and digits of each."""
    return filter(None, map(_letters, _SENTENCE_END.split(text)))


def _letters(text: str) -> str:
    return fold(_NO_LETTERS.sub("", text))


@cache
def _host_texts() -> tuple[str, ...]:
    return tuple(table("infer")["host text"])


@cache
def _host_sentences() -> frozenset[str]:
    lines = table("infer")["host lines"]
    return frozenset(
        sentence for line in lines for text in (line, _ASIDE.sub(" ", line)) for sentence in _sentences(text)
    )


@cache
def _host_beginnings() -> tuple[str, ...]:
    """Return the first letters of all that a host writes, and of what a user says, which it may write before it."""
    begun = map(_letters, (USER, *_host_texts()))
    return tuple({letters[:_FIRST_LETTERS] for letters in (*_host_sentences(), *begun)})


@cache
def _host_lines() -> frozenset[str]:
    return frozenset(map(_letters, table("infer")["host lines"]))


@lru_cache(_HEADINGS_KEPT)
def _above(context: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
    """Return the features of the headings and bullets above a line."""
    signs = {sign for text in context[-_HEADINGS:] for sign in _announced(text[:_LONGEST_HEADING])}
    return tuple((sign, 1.0) for sign in (*sorted(signs), *(["planned"] if planned(context) else [])))


@lru_cache(_HEADINGS_KEPT)
def _announced(heading: str) -> tuple[str, ...]:
    found = {f"below {sign}" for sign in signs_in(heading, identify(heading).code) & _SIGNS_ABOVE}
    if sign := labels().get(heading_name(heading)):
        found.add(f"below {sign}")
    return tuple(sorted(found))


def shape_of(text: str) -> bytes:
    """Return a digest of the form of a text: folded, each number as 0."""
    start = text[:_SHAPE]
    if not start.isascii():
        return _digest(fold(_DIGITS.sub("0", start)))
    shape = start.translate(_ASCII_DIGITS)  # in two thirds of the time of the pattern
    while "00" in shape:
        shape = shape.replace("00", "0")
    return _digest(fold(shape))


def label_of(text: str) -> bytes:
    """Return a digest of the label of a text; empty if it has none."""
    found = _label(text)
    return _digest(fold(found[1])) if found else b""


def _label(text: str) -> re.Match[str] | None:
    start = text[:_LABEL_WITHIN]  # a search for a colon that is not there would take ten times as long
    return _LABEL.match(start) if ":" in start or "：" in start else None


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()
