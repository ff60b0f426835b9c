"""Proposes facts for the core file: durable, repeated, about the owner, new, and while there is room.

An opinion is proposed if its confidence is .9 or more, it is undisputed, and it was stated on three days; a world fact
if the author stated it in the same words on three days, nothing supersedes or disputes it, and its text names no end.
The numbers are in data/core.json.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import hash_id
from commonplace.core.markdown import frontmatter
from commonplace.core.markdown.page_links import slug
from commonplace.core.model import Kind
from commonplace.core.opinions.opinion_entry import FOR, PRIOR
from commonplace.core.stance import prepare, similarity_prepared
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold
from commonplace.core.when.expiry import end_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from datetime import date

    from commonplace.core.memo import Findings
    from commonplace.core.model import Fact
    from commonplace.core.opinions.opinion_entry import Entry, Mark

_SAID_ALREADY = 0.6
_ENDS = " .!?。！？．।"


class CoreProposal(NamedTuple):
    """A proposed line for the core file: an opinion or a world fact."""

    id: str
    """`c-` and the rest of the opinion's id; for a fact, a hash of its subject and words."""
    text: str
    confidence: float | None = None
    """The confidence of an opinion, in [0, 1]; None for a fact."""
    anchor: str = ""
    """The section of the opinions page that contains the opinion."""
    path: str = ""
    """The log of a fact's newest statement."""
    recorded: date | None = None
    also: tuple[date, ...] = ()
    """The other days on which the fact was stated, newest first."""
    line: int = 0
    """The line of its newest statement; 0 for an opinion."""


class CoreFile(NamedTuple):
    """The core files, as far as proposals depend on them."""

    owners: Collection[str]
    """Keys of the entities that they describe; empty if unknown: then facts of anybody are proposed."""
    said: Sequence[str]
    """The lines of all core files."""
    size: int
    """Characters of the core file that is written."""


def core_proposals(
    entries: Iterable[Entry],
    facts: Iterable[tuple[str, Fact]],
    *,
    core: CoreFile,
    canonical: Callable[[str], str],
    findings: Findings | None = None,
) -> list[CoreProposal]:
    """Return all proposals, opinions before facts, the most certain first; `fitting` then applies the size limit.

    Args:
        entries: the opinions.
        facts: each with its folded content; none that was retracted, superseded or is disputed.
        canonical: returns the key of the entity of a name.
        findings: results of an earlier pass.
    """

    def about_the_owner(names: Sequence[str]) -> bool:
        return not core.owners or (bool(names) and canonical(names[0]) in core.owners)

    found = [_of_opinion(entry) for entry in _sure(entries) if about_the_owner(entry.entities)]
    found += [_of_fact(said, canonical) for said in _repeated(facts, about_the_owner, canonical=canonical)]

    def says(text: str) -> bool:
        own = prepare(text)
        return any(similarity_prepared(own, prepare(line)) >= _SAID_ALREADY for line in core.said)

    what = "\n".join(("core", *core.said))
    return [each for text, each in found if not (findings.in_text(what, text, says) if findings else says(text))]


def fitting(proposals: Sequence[CoreProposal], size: int) -> tuple[list[CoreProposal], str]:
    """Return the first proposals that fit into the core of `size` characters; and, if some do not, a note on that."""
    limit = table("core")["limit"]
    room = limit - size
    kept = []
    for each in proposals:
        room -= len(each.text) + len("- \n")
        if room < 0:
            break
        kept.append(each)
    left = len(proposals) - len(kept)
    rest = "1 more proposal does" if left == 1 else f"{left} more proposals do"
    full = f"the core is full: {size:,} of {limit:,} characters; {rest} not fit"
    return kept, full if left else ""


def names_told(text: str) -> tuple[str, ...]:
    """Return texts of USER.md or IDENTITY.md that may name somebody: front matter, headings, labelled lines."""
    return tuple(_names_told(text.split("\n")))


def _names_told(lines: list[str]) -> Iterator[str]:
    labels = table("core")["names"]
    start = 0
    if lines and lines[0].rstrip("\ufeff \r") == "---":
        start = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), 0)
        for key, values in frontmatter.read(lines[1:start]).items():
            if key in labels:
                yield from values
    for line in lines[start:]:
        if line.startswith("#"):
            yield line.lstrip("#").strip()
        elif (found := _LABELLED.match(line)) and found[1].strip(" *_").casefold() in labels:
            yield found[2].strip(" *_")


_LABELLED = lazy_pattern(r"[ \t]{0,8}(?:[-*+] )?([^:：\n]{1,40})[:：](.{1,200})")


def _sure(entries: Iterable[Entry]) -> list[Entry]:
    """Return confident, undisputed opinions that were stated on several days, most confident first."""
    rules = table("core")
    found = [
        entry
        for entry in entries
        if (entry.confidence or 0) >= rules["confidence"]
        and not entry.disputed_by
        and len({mark.day for mark in entry.marks if mark.role in (PRIOR, FOR) and _counts(mark)}) >= rules["days"]
    ]
    return sorted(found, key=lambda entry: (-(entry.confidence or 0), entry.id))


def _counts(mark: Mark) -> bool:
    """Whether a mark is of an existing fact by the author."""
    return not mark.gone and not mark.origin


def _repeated(
    facts: Iterable[tuple[str, Fact]], wanted: Callable[[Sequence[str]], bool], *, canonical: Callable[[str], str]
) -> list[list[Fact]]:
    """Return world facts without an end that were stated on several days, with all statements; most days first."""
    said: dict[str, list[Fact]] = {}
    for folded, fact in facts:
        if fact.kind is Kind.WORLD and fact.recorded and fact.entities:
            said.setdefault(folded.rstrip(_ENDS), []).append(fact)
    days = table("core")["days"]
    found = []
    for every in said.values():
        if len(every) < days or len(those := [fact for fact in every if end_of(fact) is None]) < days:
            continue
        by_subject: dict[str, list[Fact]] = {}
        for fact in those:
            if not fact.trailer.outsider and wanted(fact.entities):
                by_subject.setdefault(canonical(fact.entities[0]), []).append(fact)
        found += [own for own in by_subject.values() if len({fact.recorded for fact in own}) >= days]
    return sorted(found, key=lambda own: (-len({fact.recorded for fact in own}), own[-1].id))


def _of_opinion(entry: Entry) -> tuple[str, CoreProposal]:
    first = entry.entities[0] if entry.entities else ""
    id = f"c-{entry.id.removeprefix('o-')}"
    text = _titled(first, entry.statement)
    return entry.statement, CoreProposal(id, text, entry.confidence or 0, slug(first or "Everything"))


def _of_fact(said: list[Fact], canonical: Callable[[str], str]) -> tuple[str, CoreProposal]:
    days = sorted({fact.recorded for fact in said if fact.recorded}, reverse=True)
    last = max(said, key=lambda fact: (fact.recorded or days[-1], fact.source))
    subject = canonical(last.entities[0])
    id = "c-" + hash_id(f"{subject}\x1f{fold(last.content).rstrip(_ENDS)}", 6)
    text = _titled(last.entities[0], last.content)
    return last.content, CoreProposal(id, text, None, "", last.source.path, days[0], tuple(days[1:]), last.source.line)


def _titled(name: str, statement: str) -> str:
    """Return `Peter: Prefers tea.`; the statement alone if it begins with the name."""
    folded = fold(statement)
    for known in (fold(name), fold(name.replace("-", " "))):
        behind = folded.removeprefix(known)[:1]
        if not name or (folded.startswith(known) and not (behind.isascii() and behind.isalnum())):
            return statement
    return f"{name}: {statement}"
