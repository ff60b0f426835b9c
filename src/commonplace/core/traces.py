"""What texts say of facts that are to go: where their words or ids are, and a text without our lines about them.

Our own lines go; a line of a person's is only named, but a bullet that is one of the facts.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.fact import decode, read_trailer, write_trailer
from commonplace.core.model import RELATIONS, Fact, Trailer
from commonplace.core.parse import parse
from commonplace.core.regions import generated_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

_QUOTED, _BEGIN = 24, 12
"""Characters of a fact by which a quotation cut short is known; and by which its text is looked for."""
_FEW = 20
"""Facts up to which a text is searched for each one; more are looked for all at once."""


class Bullet(NamedTuple):
    """A fact as its file holds it."""

    fact: Fact
    twins: int
    """How many facts of the same id and words, told apart by an ordinal alone, stay in that file."""


def texts_of(fact: Fact) -> tuple[str, ...]:
    """What a fact says; of an imported one also without what it stands below, as other notes may say the same."""
    text = fact.content
    if fact.trailer.note:
        bare = text.replace("：", ": ").rpartition(": ")[2]
        if len(bare) >= _BEGIN and bare != text and text.endswith(bare):
            return text, bare
    return (text,)


class Traces:
    """What facts say, to be looked for in any number of texts."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        facts = tuple(facts)
        self.ids = frozenset(fact.id for fact in facts)
        self.texts = tuple(dict.fromkeys(text for fact in facts for text in texts_of(fact)))
        self._begin: dict[str, list[str]] = {}
        self._short: list[str] = []
        for text in self.texts:
            if len(text) < _BEGIN:
                self._short.append(text)
            else:
                self._begin.setdefault(text[:_BEGIN], []).append(text)
        self._few = len(facts) <= _FEW
        self._wrapped = [_words(text) for text in self.texts] if self._few else []
        self._beginnings = [_words(text[:_QUOTED].rpartition(" ")[0] or text[:_QUOTED]) for text in self.texts]

    def may_be_in(self, text: str) -> bool:
        """Whether a text may name or tell one of the facts; False is sure."""
        if not self._few:
            return any(self.cited_in(line) or self.stands_in(line) for line in text.split("\n"))
        text = _unescaped(text)
        return any(f"^{id}" in text for id in self.ids) or any(each.search(text) for each in self._beginnings)

    def stands_in(self, line: str) -> bool:
        """Whether a line holds the text of one of them."""
        said = decode(line)
        return any(text in said for text in self._short) or any(
            said.startswith(text, at) for at, texts in self._found(said) for text in texts
        )

    def quoted_in(self, line: str) -> bool:
        """Whether a line of ours quotes the beginning of one: one too many is written again by the next reflect."""
        said = decode(line) if "…" in line else ""
        return any(said.startswith(text[:_QUOTED], at) for at, texts in self._found(said) for text in texts)

    def cited_in(self, line: str) -> bool:
        """Whether a line names the id of one."""
        return "^" in line and not self.ids.isdisjoint(_cited().findall(line))

    def lines(self, text: str) -> list[int]:
        """Numbers of the lines that hold the text of one of them; of a text that is wrapped the first."""
        if self._few and not self.may_be_in(text):
            return []
        numbers = {number for number, line in enumerate(text.split("\n"), 1) if self.stands_in(line)}
        said = _unescaped(text)
        for each in self._wrapped:
            for found in each.finditer(said):
                first, last = said.count("\n", 0, found.start()) + 1, said.count("\n", 0, found.end()) + 1
                if numbers.isdisjoint(range(first, last + 1)):
                    numbers.add(first)
        return sorted(numbers)

    def _found(self, said: str) -> Iterator[tuple[int, list[str]]]:
        begin = self._begin
        for at in range(len(said) - _BEGIN + 1 if begin else 0):
            if texts := begin.get(said[at : at + _BEGIN]):
                yield at, texts


def _unescaped(text: str) -> str:
    if "&" in text and ";" in text:
        from html import unescape

        return unescape(text)
    return text


def _words(text: str) -> re.Pattern[str]:
    """A text on however many lines, those of a list or a quotation included."""
    return re.compile(r"[\s>]+".join(map(re.escape, text.split())))


@cache
def _cited() -> re.Pattern[str]:
    return re.compile(r"\^([A-Za-z0-9-]+)")


def without_bullets(path: str, text: str, bullets: Sequence[Bullet]) -> tuple[str, int]:
    """A file's text without the lines of these facts, and how many of them were not there."""
    wanted: dict[str, list[Bullet]] = {}
    for bullet in bullets:
        wanted.setdefault(bullet.fact.content, []).append(bullet)
    found: dict[tuple[str, str], list[Fact]] = {}
    for fact in parse(path, text).facts:
        if fact.content in wanted:
            found.setdefault((fact.id, fact.content), []).append(fact)
    gone: set[int] = set()
    missing = 0
    for content, alike in wanted.items():
        for bullet in alike:
            ids = (id for id, said in found if said == content and is_twin(bullet.fact.id, id))
            there = found.get((next(ids, ""), content), [])
            if len(there) <= bullet.twins:
                missing += 1
                continue
            fact = there.pop(0)
            gone.update(range(fact.source.line, fact.source.line + fact.lines))
    return "\n".join(line for number, line in enumerate(text.split("\n"), 1) if number not in gone), missing


def is_twin(id: str, base: str) -> bool:
    """Whether an id is a base, or that of one of its twins."""
    return id == base or (id.startswith(f"{base}-") and id[len(base) + 1 :].isdecimal())


def without_traces(text: str, traces: Traces) -> str:
    """A page without our lines about facts, what hangs below them included, and without trailers that name one."""
    lines = text.split("\n")
    ours = generated_lines(text)
    kept: list[str] = []
    below = -1  # indent of a line of ours that was left out
    for number, line in enumerate(lines, 1):
        indent = len(line) - len(line.lstrip())
        if below >= 0 and number in ours and line.strip() and indent > below:
            continue
        below = -1
        if number in ours and (traces.cited_in(line) or traces.stands_in(line) or traces.quoted_in(line)):
            below = indent
            continue
        kept.append(_without_mention(line, traces.ids) if "<!-- cp:" in line else line)
    return "\n".join(kept)


def _without_mention(line: str, ids: Collection[str]) -> str:
    """A line whose trailer no longer names an id."""
    start, end = line.find("<!-- cp:"), line.find("-->")
    if end < start:
        return line
    trailer = read_trailer(line[start + 8 : end])
    named = {key: tuple(each for each in getattr(trailer, key) if each not in ids) for key in RELATIONS}
    if all(named[key] == getattr(trailer, key) for key in RELATIONS):
        return line
    written = write_trailer(Trailer(**named, src=trailer.src, other=trailer.other))
    return (
        f"{line[:start].rstrip()} {written}{line[end + 3 :]}".rstrip()
        if written
        else line[:start].rstrip() + line[end + 3 :]
    )
