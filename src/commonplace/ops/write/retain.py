"""Retain: appends a fact to a daily log."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import Defect, base_id, decode, encode, read_bullet, render
from commonplace.core.documents.merge_markers import marker_in
from commonplace.core.documents.parse import parse
from commonplace.core.documents.reread import end_of
from commonplace.core.extract.advice import nudges
from commonplace.core.markdown import text_edits
from commonplace.core.markdown.syntax import is_retain
from commonplace.core.model import RELATIONS, Fact, Role, Trailer
from commonplace.errors import CommonplaceError, SecretRefused, UsageError, WorkspaceError
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.beliefs.redact import withheld_in
from commonplace.ops.write.compose_fact import compose, fact_id, no_fact, taken_back, understood

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from commonplace.core.documents.parsed_document import Document
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace

SHORTEST_ID = 6
"""Characters of a block id; more if all shorter prefixes are taken."""
TRIES = 8
"""Maximum writes of one fact: an editor that saves a text it read a moment ago removes our line."""
_PROBE = "- W: probe"
"""A fact if it is under a Retain heading, and an ordinary bullet elsewhere."""


class Retained(NamedTuple):
    """The result of a write."""

    fact: Fact
    created: bool
    """False if the same fact was already in that day's log."""
    notes: tuple[str, ...]
    """Advice for the author; nothing was refused."""


def retain(index: Index, workspace: Workspace, fact: Fact, *, day: date, allow_secret: bool = False) -> Retained:
    """Append a fact to the log of a day; the same fact twice on one day is written once.

    Raises SecretRefused; NotFound if the trailer names a fact that does not exist; NotWritable, and then nothing was
    changed.
    """
    alike = (each for each in index.facts_on(day) if each.kind is fact.kind and each.entities == fact.entities)
    draft = _draft(index, fact, day=day, taken=(), alike=alike)
    if isinstance(draft, Retained):
        return draft
    return _written(index, workspace, day=day, drafts=[draft], allow_secret=allow_secret)[0]


def retain_all(
    index: Index, workspace: Workspace, *, facts: Sequence[tuple[Fact, date]]
) -> list[Retained | CommonplaceError]:
    """Do as `retain` for many facts, each with its day, in one write per log. A refused fact's result is its error."""
    told: dict[int, Retained | CommonplaceError] = {}
    days: dict[date, dict[int, Fact]] = {}
    taken: set[str] = set()
    there: dict[date, dict[str, list[Fact]]] = {}
    for at, (fact, day) in enumerate(facts):
        if day not in there:
            there[day] = {}
            for each in index.facts_on(day):
                there[day].setdefault(_base(each, day), []).append(each)
        alike = there[day].setdefault(_base(fact, day), [])
        try:
            draft = _draft(index, fact, day=day, taken=taken, alike=alike)
        except CommonplaceError as error:
            told[at] = error
        else:
            if isinstance(draft, Retained):
                told[at] = draft
            else:
                taken.add(draft.id)
                alike.append(draft)
                days.setdefault(day, {})[at] = draft
    for day, drafts in days.items():
        try:
            told.update(zip(drafts, _written(index, workspace, day=day, drafts=list(drafts.values())), strict=True))
        except SecretRefused as error:  # one that looks like a secret does not prevent the others
            told.update(
                _one_by_one(index, workspace, day=day, drafts=drafts)
                if len(drafts) > 1
                else dict.fromkeys(drafts, error)
            )
        except CommonplaceError as error:
            told.update(dict.fromkeys(drafts, error))
    return [told[at] for at in range(len(facts))]


def correct(
    index: Index, workspace: Workspace, id: str, text: str, *, trailer: Trailer, day: date, allow_secret: bool
) -> Retained:
    """Append a new fact that supersedes one to a day's log; plain text keeps its kind, entities and confidence.

    A statement of somebody else stays theirs when its words are corrected; an author who states it retains it as a new
    fact.
    """
    fact = index.fact(fact_id(index, id))
    if fact is None:
        raise no_fact(index, id)
    said, notes = understood(index, text)
    plain = isinstance(read_bullet(said), Defect)
    if " ".join(text.split()) == fact.content:
        raise UsageError("the fact already has this text", "give the corrected text")
    corrected = compose(
        index,
        said,
        kind=fact.kind if plain else None,
        entities=fact.entities if plain else (),
        confidence=fact.confidence if plain else None,
        trailer=trailer._replace(supersedes=(fact.id,), src=trailer.src or fact.trailer.outsider),
    )
    done = retain(index, workspace, corrected, day=day, allow_secret=allow_secret)
    return done._replace(notes=(*notes, *done.notes))


def retract(
    index: Index, workspace: Workspace, id: str, *, reason: str, day: date, allow_secret: bool = False
) -> Retained:
    """Append a line to a day's log that retracts a fact; recall no longer returns it as current.

    A secret in the fact, or a part of one, is not repeated.

    Args:
        allow_secret: accept a reason that looks like a secret.
    """
    fact = index.fact(id)
    if fact is None:
        raise no_fact(index, id)
    safe = withheld_in(FileTexts(workspace), fact.source.path).safe(fact)
    return retain(index, workspace, taken_back(safe, reason), day=day, allow_secret=allow_secret)


def _one_by_one(
    index: Index, workspace: Workspace, *, day: date, drafts: Mapping[int, Fact]
) -> Iterator[tuple[int, Retained | CommonplaceError]]:
    """Write each half of a refused batch, and the halves of those; yield the result of each fact."""
    numbers = list(drafts)
    middle = len(numbers) // 2
    for some in (numbers[:middle], numbers[middle:]):
        half = {at: drafts[at] for at in some}
        try:
            yield from zip(some, _written(index, workspace, day=day, drafts=list(half.values())), strict=True)
        except SecretRefused as error:
            if len(some) > 1:
                yield from _one_by_one(index, workspace, day=day, drafts=half)
            else:
                yield some[0], error
        except CommonplaceError as error:
            yield from ((at, error) for at in some)


def _base(fact: Fact, day: date) -> str:
    return base_id(fact.kind, fact.entities, content=decode(encode(fact.content)), recorded=day)


def _draft(index: Index, fact: Fact, *, day: date, taken: Collection[str], alike: Iterable[Fact]) -> Fact | Retained:
    """Return the fact as it is to be written, with an id; a `Retained` if that day's log has it already.

    Args:
        taken: ids of facts about to be written.
        alike: facts of that day that may be the same.
    """
    content = decode(encode(fact.content))
    text_edits.require_plain(content + fact.trailer.src)
    trailer = fact.trailer
    for id in (id for key in RELATIONS for id in getattr(trailer, key)):
        if index.row_of(id) is None:
            raise no_fact(index, id)
    base = _base(fact, day)
    for known in alike:
        if _base(known, day) == base and known.trailer == trailer:
            return _retained(known, created=False)

    def free(id: str) -> bool:
        return id not in taken and index.row_of(id) is None

    own = fact.id if fact.id and free(fact.id) else ""
    return _as_read(fact._replace(id=own or _free_id(free, base), block_id=True, recorded=day))


def _retained(fact: Fact, *, created: bool) -> Retained:
    """Return the result for a fact of a log, with advice on its text."""
    notes = nudges(decode(encode(fact.content)))
    return Retained(fact, created, notes if created else ("already retained on that day", *notes))


def _in_log(path: str, text: str, drafts: Sequence[Fact]) -> dict[str, Fact]:
    """Return those facts that a log has already, by id: another process wrote them since the index was asked."""
    named = {draft.id: draft for draft in drafts if f"^{draft.id}" in text}
    facts = parse(path, text).facts if named else ()
    return {fact.id: fact for fact in facts if fact.id in named and _is_same(fact, named[fact.id])}


def _is_same(fact: Fact, draft: Fact) -> bool:
    """Whether a fact of a log says what a draft says."""
    parts = [(each.kind, each.entities, decode(encode(each.content)), each.trailer) for each in (fact, draft)]
    return parts[0] == parts[1]


def _as_read(draft: Fact) -> Fact:
    """Return the fact, on one line if needed to be parsed back as it is. Raises UsageError if it never is."""
    for fact in (draft, draft._replace(content=" ".join(draft.content.split()))):
        _, *below = parse("", f"## Retain\n- {render(fact)}").lines
        read = below[0].fact if len(below) == 1 else None
        content = decode(encode(fact.content))
        if read and (read.id, read.content, read.entities, read.trailer) == (
            fact.id, content, fact.entities, fact.trailer,
        ):  # fmt: skip
            return fact
    raise UsageError("the fact would not be parsed as written", "use other words, without Markdown marks")


def _written(
    index: Index, workspace: Workspace, *, day: date, drafts: Sequence[Fact], allow_secret: bool = False
) -> list[Retained]:
    """Append facts to a day's log in one write. Raises SecretRefused."""
    path = f"memory/{day.isoformat()}.md"
    read = partial(end_of, path, known=index.writer.chunks(path))
    stands: dict[str, list[Fact]] = {}  # a text that was parsed before it was written need not be parsed again
    there: dict[str, Fact] = {}

    def grown(text: str | None) -> str:
        there.clear()
        there.update(_in_log(path, text or "", drafts))
        missing = [draft for draft in drafts if draft.id not in there]
        if text is not None and not missing:
            return text
        whole, written = _grown(path, text, drafts=missing, day=day, read=read)
        stands[whole] = written
        return whole

    for attempt in range(TRIES):
        page = workspace.change(path, grown, allow_secret=allow_secret)
        missing = [draft for draft in drafts if draft.id not in there]
        written = stands.get(page.text) or _all_standing(read(page.text), missing)
        if len(written) == len(missing):
            facts = there | {fact.id: fact for fact in written}
            ours = [draft.id not in there or attempt > 0 for draft in drafts]
            return [_retained(facts[draft.id], created=new) for draft, new in zip(drafts, ours, strict=True)]
        # somebody saved an older text over ours at that moment: try again on theirs
    raise WorkspaceError(f"{path} is being saved again and again", "try again when the other program has finished")


def _grown(
    path: str, text: str | None, *, drafts: Sequence[Fact], day: date, read: Callable[[str], Document]
) -> tuple[str, list[Fact]]:
    """Return a log's text with these facts appended, and the facts in it.

    The first one ensures a Retain section at the end; the others follow it directly and are parsed once.
    """
    first, *rest = drafts
    text, fact = with_bullet(path, text, bullet=f"- {render(first)}", id=first.id, day=day, read=read)
    if rest:
        whole = text_edits.append(text, "\n".join(f"- {render(draft)}" for draft in rest))
        found = _all_standing(read(whole), drafts)
        if found and all(each.recorded == day for each in found):
            return whole, found
    written = [fact]
    for draft in rest:
        text, fact = with_bullet(path, text, bullet=f"- {render(draft)}", id=draft.id, day=day, read=read)
        written.append(fact)
    return text, written


def _free_id(free: Callable[[str], bool], base: str) -> str:
    """Return the shortest prefix of the content's hash that is not taken."""
    lengths = range(SHORTEST_ID, len(base))
    return next((base[:length] for length in lengths if free(base[:length])), base)


def with_bullet(
    path: str, text: str | None, *, bullet: str, id: str, day: date, read: Callable[[str], Document]
) -> tuple[str, Fact]:
    """Return a log's text with a bullet at its end, under a Retain heading that is the last one, and the fact in it.

    If the file ends inside an open code fence, the fence is closed first, so that the fact counts. A log that ends in a
    Retain section, as most do, is parsed once.

    Args:
        id: id of its fact.
        read: parses the end of a text of the log.
    """
    title, section = f"# {day.isoformat()}", f"## Retain\n\n{bullet}"
    if text is None or not text.strip("\ufeff \t\r\n"):
        texts = [f"{text or ''}{title}\n\n{section}\n"]
    else:
        whole = text_edits.append(text, bullet)
        document = read(text_edits.append(whole, _PROBE))
        fact = _standing(document, id)
        if fact is not None and fact.recorded == day and _ends_in_retain(document):
            return whole, fact
        close = "" if fact is not None else read(text).unclosed
        texts = [
            text_edits.append(text, f"{close}\n{section}"),
            text_edits.append(text, f"{close}\n{title}\n\n{section}"),
        ]
    for whole in texts:
        fact = _standing(read(whole), id)
        if fact is not None and fact.recorded == day:
            return whole, fact
    if text is not None and marker_in(text):
        raise WorkspaceError(f"{path} contains merge conflict markers", "resolve the merge, then write again")
    raise WorkspaceError(f"{path} ends with markup that would hide the appended text", "check the end of the file")


def _ends_in_retain(document: Document) -> bool:
    """Whether the probe at its end is under a Retain heading that is the last heading."""
    heading = next((line.text for line in reversed(document.lines) if line.role is Role.HEADING), "")
    return document.lines[-1].fact is not None and is_retain(heading)


def _standing(document: Document, id: str) -> Fact | None:
    """Return the last fact with an id."""
    facts = (line.fact for line in reversed(document.lines) if line.fact is not None)
    return next((fact for fact in facts if fact.id == id), None)


def _all_standing(document: Document, drafts: Sequence[Fact]) -> list[Fact]:
    """Return the facts as parsed from a log; an empty list if one is missing."""
    standing = {fact.id: fact for fact in document.facts}
    found = [standing[draft.id] for draft in drafts if draft.id in standing]
    return found if len(found) == len(drafts) else []
