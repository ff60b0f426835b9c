"""Retain: appends a fact to a daily log."""

from __future__ import annotations

import re
from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import (
    LONGEST,
    Defect,
    base_id,
    decode,
    encode,
    is_name,
    read_bullet,
    render,
    split_tail,
    too_long,
    trailed,
)
from commonplace.core.documents.name_mentions import mentions
from commonplace.core.documents.parse import Document, parse
from commonplace.core.documents.reread import end_of
from commonplace.core.entities.entity_names import candidates, choose
from commonplace.core.extract.advice import nudges
from commonplace.core.extract.kind_guess import guess_kind
from commonplace.core.markdown import text_edits
from commonplace.core.markdown.syntax import is_retain
from commonplace.core.model import RELATIONS, Citation, Fact, Kind, Role, Trailer
from commonplace.core.provenance import OWN_KEYS, given_source, strictest
from commonplace.core.secrets.guard import in_name, quotable
from commonplace.errors import CommonplaceError, NotFound, SecretRefused, UsageError, WorkspaceError
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.beliefs.redact import withheld_in

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace

SHORTEST_ID = 6
"""Characters of a block id; more if all shorter prefixes are taken."""


TRIES = 8
"""Maximum writes of one fact: an editor that saves a text it read a moment ago removes our line."""


class Retained(NamedTuple):
    """The result of a write."""

    fact: Fact
    created: bool
    """False if the same fact was already in that day's log."""
    notes: tuple[str, ...]
    """Advice for the author; nothing was refused."""


def compose(
    index: Index,
    text: str,
    *,
    kind: Kind | None,
    entities: Sequence[str],
    confidence: float | None,
    trailer: Trailer,
) -> Fact:
    """Return the fact that a text states: parsed by the grammar, else with a guessed kind and entities.

    Its content keeps the line breaks of the text, if each line can continue a bullet. The trailer may name facts by
    citation. Raises UsageError for an empty text or an invalid confidence, NotFound for a citation of no fact.

    Args:
        kind: overrides the kind of the text.
        entities: override the entities of the text.
        confidence: overrides the confidence of the text.
        trailer: what is given beside the text. Somebody else's text loses its block id; of the trailer in a host's
            capture of a session only `src` is kept: a summary of whatever was said there names no facts.
    """
    body = _bare(text)
    if named := _NAMED.match(body):
        entities = tuple(entities) or tuple(_NAME.findall(named[1]))
        text = body = body[named.end() :]
    head = read_bullet(body)
    plain, tail, _ = split_tail(body) if trailed(body) else (body, Trailer(), "")
    written = _as_given(tail)
    written = Trailer(src=written.src) if trailer.session else written
    joined = _joined(index, written, given=trailer)
    block = "" if isinstance(head, Defect) or trailer.session or joined.outsider else head.block
    if isinstance(head, Defect):
        content = _plain_content(body, decode(plain), defect=head)
        stated, found, own = kind or guess_kind(content), tuple(entities) or _proposed(index, content), confidence
    else:
        content, stated = head.content, kind or head.kind
        own = head.confidence if confidence is None else confidence
        found = tuple(entities) or head.entities
    if own is not None and not 0 <= own <= 1:
        raise UsageError(f"not a confidence: {own}", "give a number from 0 to 1")
    return Fact(
        block,
        stated,
        _on_lines(content, text),
        _names(found),
        Citation("", 0),
        confidence=own,
        trailer=joined,
        mentions=mentions(content),
    )


def _plain_content(body: str, content: str, *, defect: Defect) -> str:
    """Return the content of a text without our grammar.

    Raises UsageError if it is a defective bullet or has no content.
    """
    if defect.code == "no-kind" and len(body) > LONGEST:
        defect = too_long(body)
    if defect.code != "no-kind":
        raise UsageError(defect.message, defect.hint)
    if not content:
        raise UsageError("there is nothing to retain", 'try: commonplace retain "W @Peter: Lives in Vienna."')
    if _NO_TEXT.fullmatch(content):
        hint = 'write what is the case behind it, as in: commonplace retain "W @Peter: Lives in Vienna."'
        raise UsageError(f"a fact without text: {content[:60]}", hint)
    return content


def _names(given: Iterable[str]) -> tuple[str, ...]:
    """Return the names of entities without duplicates. Raises UsageError for an invalid name."""
    names = tuple(dict.fromkeys(name.lstrip("@").replace(" ", "-") for name in given if name.strip("@ ")))
    for name in names:
        if not is_name(name):
            raise UsageError(f"no entity can be named {name!r}", "names have letters, digits, hyphens and dots")
    return names


def _bare(text: str) -> str:
    """Return the non-empty lines of a text without its list marker. Raises UsageError if there are none."""
    body = _lines(text)
    for marker in ("- ", "* ", "+ ", "• "):
        body = body.removeprefix(marker)
    if not body or body in "-*+•":
        raise UsageError("there is nothing to retain", 'try: commonplace retain "W @Peter: Lives in Vienna."')
    return body


_NO_TEXT = re.compile(r"(?:[WBOS]\b(?:\([^()]*\))?)?(?:\s*@[^\s@]*)*[\s:：.,;!?…–—_*#-]*", re.IGNORECASE)
"""A kind, names and punctuation without text."""


_NAMED = re.compile(r"((?:@[^\s@:：,，、]+[\s,，、]*)+)[:：]\s*(?=\S)")
"""Names before a text without a kind: `@Peter @Ida: Live in Vienna.`"""
_NAME = re.compile(r"@([^\s@:：,，、]+)")


def _lines(text: str) -> str:
    """Return the non-empty lines of a text, each with its white space collapsed."""
    return "\n".join(line for each in text.split("\n") if (line := " ".join(each.split())))


def _on_lines(content: str, text: str) -> str:
    """Return the content with the line breaks of the text; on one line if it would not be parsed as one bullet."""
    if "\n" not in text.strip():
        return content
    counts = [len(decode(line).split()) for line in text.split("\n")]
    words = content.split(" ")
    behind = sum(counts) - len(decode(split_tail(_lines(text))[0]).split())  # trailer and block id
    breaks = (len(words) + behind - below for below in accumulate(reversed(counts[1:])))
    places = [0, *sorted({at for at in breaks if 0 < at < len(words)}), len(words)]
    lines = "\n".join(" ".join(words[start:end]) for start, end in pairwise(places))
    probe = Fact("", Kind.WORLD, lines, (), Citation("", 0))
    read = parse("", f"## Retain\n- {render(probe)}").lines[1:]
    return lines if [line.fact and line.fact.content for line in read] == [content] else content


def _proposed(index: Index, content: str) -> tuple[str, ...]:
    """Return the entities of a plain text: those it links to, else known names in it."""
    if linked := mentions(content):
        return linked
    names = candidates(content)
    strangers = index.strangers(named.name for named in names) if names else ()
    chosen = choose(names, index.named([named.name for named in names if named.name not in strangers]))
    spelled = {entity.key: entity.name for entity in index.entities()} if chosen else {}
    return tuple(dict.fromkeys(spelled.get(keys[0], name) for name, keys in chosen))[:4]


def _joined(index: Index, written: Trailer, *, given: Trailer) -> Trailer:
    """Return both trailers in one, with ids in place of citations."""
    named = {
        key: tuple(dict.fromkeys(_id(index, each) for each in (*getattr(written, key), *getattr(given, key))))
        for key in RELATIONS
    }
    src = strictest(given.src, written.src)
    return Trailer(**named, src=src, other=(*given.other, *written.other))


def _as_given(trailer: Trailer) -> Trailer:
    """Return the trailer of a caller's text without the keys that only we write. Raises UsageError for its source."""
    other = tuple((key, value) for key, value in trailer.other if key not in OWN_KEYS)
    return trailer._replace(src=given_source(trailer.src), other=other)


def _id(index: Index, named: str) -> str:
    """Return the id of the fact at a citation; any other text is returned as an id."""
    cited = Citation.read(named)
    if cited is None:
        return named
    row = index.row_at(*cited)
    fact = None if row is None else index.facts_at((row,)).get(row)
    if fact is None:
        raise no_fact(index, named)
    return fact.id


def no_fact(index: Index, named: str) -> NotFound:
    """Return the error for an id or citation of no fact, with a hint; also for a line that is not a fact."""
    cited = Citation.read(named)
    if cited is None:
        return NotFound(f"there is no fact ^{named}", "recall it first: each hit shows its id")
    hint = "recall it first: each hit shows its id and where it stands"
    if index.row_at(*cited) is not None:
        hint = "it is a line and no fact: edit it, or retain what is so now, and the newer one leads"
    return NotFound(f"there is no fact at {named}", hint)


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
            return Retained(known, created=False, notes=("already retained on that day", *nudges(content)))

    def free(id: str) -> bool:
        return id not in taken and index.row_of(id) is None

    own = fact.id if fact.id and free(fact.id) else ""
    return _as_read(fact._replace(id=own or _free_id(free, base), block_id=True, recorded=day))


def _as_read(draft: Fact) -> Fact:
    """Return the fact if its rendering is parsed back as this one fact and nothing else; on one line if several do not
    work.

    Raises UsageError if neither does.
    """
    for fact in (draft, draft._replace(content=" ".join(draft.content.split()))):
        _, *below = parse("", f"## Retain\n- {render(fact)}").lines
        read = below[0].fact if len(below) == 1 else None
        content = decode(encode(fact.content))
        if read and (read.id, read.content, read.entities, read.trailer) == (
            fact.id, content, fact.entities, fact.trailer,
        ):  # fmt: skip
            return fact
    raise UsageError("the fact would not be read as it is written", "say it in other words, without marks of Markdown")


def _written(
    index: Index, workspace: Workspace, *, day: date, drafts: Sequence[Fact], allow_secret: bool = False
) -> list[Retained]:
    """Append facts to a day's log in one write. Raises SecretRefused."""
    path = f"memory/{day.isoformat()}.md"
    read = partial(end_of, path, known=index.writer.chunks(path))
    stands: dict[str, list[Fact]] = {}  # a text that was parsed before it was written need not be parsed again

    def grown(text: str | None) -> str:
        whole, written = _grown(path, text, drafts=drafts, day=day, read=read)
        stands[whole] = written
        return whole

    for _ in range(TRIES):
        page = workspace.change(path, grown, allow_secret=allow_secret)
        written = stands.get(page.text) or _all_standing(read(page.text), drafts)
        if written:
            notes = (nudges(decode(encode(draft.content))) for draft in drafts)
            return [Retained(fact, created=True, notes=said) for fact, said in zip(written, notes, strict=True)]
        # somebody saved an older text over ours at that moment: try again on theirs
    raise WorkspaceError(f"{path} is being saved over and over", "try again when the other program is done")


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
    raise WorkspaceError(f"{path} ends in a way that hides what is appended", "look at the end of the file")


_PROBE = "- W: probe"
"""A fact if it is under a Retain heading, and an ordinary bullet elsewhere."""


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


def correct(
    index: Index, workspace: Workspace, id: str, text: str, *, trailer: Trailer, day: date, allow_secret: bool
) -> Retained:
    """Append a new fact that supersedes one to a day's log; plain text keeps its kind, entities and confidence.

    A statement of somebody else stays theirs when its words are corrected; an author who states it retains it as a new
    fact.
    """
    fact = index.fact(_id(index, id))
    if fact is None:
        raise no_fact(index, id)
    plain = isinstance(read_bullet(_lines(text)), Defect)
    if " ".join(text.split()) == fact.content:
        raise UsageError("the fact already says that", "say what it should have said")
    corrected = compose(
        index,
        text,
        kind=fact.kind if plain else None,
        entities=fact.entities if plain else (),
        confidence=fact.confidence if plain else None,
        trailer=trailer._replace(supersedes=(fact.id,), src=trailer.src or fact.trailer.outsider),
    )
    return retain(index, workspace, corrected, day=day, allow_secret=allow_secret)


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


def taken_back(fact: Fact, reason: str) -> Fact:
    """Return the fact that retracts one, in words for readers of the log."""
    why = f" ({given.rstrip('.')})" if (given := " ".join(reason.split())) else ""
    said = text_edits.without_controls(fact.content)
    return Fact(
        "",
        Kind.OBSERVATION,
        f"Retracted{why}: {quotable(said)}",
        tuple(name for name in fact.entities if not in_name(name)),
        Citation("", 0),
        trailer=Trailer(retracts=(fact.id,)),
    )
