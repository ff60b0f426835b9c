"""Notes of other programs: their format, and which of their statements can become facts.

All forms but plain notes are written to be remembered: each bullet is a statement. In plain notes a bullet is one if
it is lasting, names somebody, or contains a date; prose is read as in logs (`core.extract.infer`). To-dos, questions,
struck-out text and code are none. Nothing is lost: the whole note is copied.

Law: the result depends on the note alone, so that reading it twice gives the same.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core import when
from commonplace.core.documents.fact_syntax import hash_id
from commonplace.core.documents.name_mentions import mentions
from commonplace.core.documents.parse import parse
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.extract import salience
from commonplace.core.extract.infer import infer
from commonplace.core.extract.line_labels import planned
from commonplace.core.markdown import frontmatter
from commonplace.core.markdown.syntax import goes_on
from commonplace.core.markdown.xml_tags import as_markdown
from commonplace.core.model import Citation, Kind, Line, Role
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from commonplace.core.documents.parsed_document import Document, ParsedLine

_SHORTEST, _MOST = 12, 2_000
"""Least characters of a bullet of a plain note that can stand alone; most of any statement."""
_LONGEST_PROSE = 20_000
"""Most characters of a paragraph or row: a longer one was not written by hand."""
_SENTENCE = 20
"""Least characters of a sentence."""
_LONGEST_LABEL, _MOST_WORDS_OF_NAME = 60, 5
_CATEGORY = lazy_pattern(r"\[(?![ xX/>-]\])([^\[\]()|]{1,40})\](?!\()\s+(?=\S)")
_RELATED = lazy_pattern(r"([^\[\]]{0,80}?)\s*(\[\[[^\[\]]{1,200}\]\])")
_LINK = lazy_pattern(r"(?:\[\[[^\[\]]*\]\]|\[[^\[\]]*\]\([^()]*\)|https?://\S++)[\s.,;]*")


class NoteForm(StrEnum):
    """The form of a note: the program or habit that it comes from."""

    NOTES = "notes"
    """A folder of plain notes."""
    MEMORY = "memory"
    """A long MEMORY.md."""
    BASIC_MEMORY = "basic-memory"
    MEMORIES = "memories"
    """The files that an agent keeps below `/memories`."""


class NoteStatement(NamedTuple):
    """A statement in one bullet or sentence of a note."""

    text: str
    about: tuple[str, ...]
    """The subjects above it, outermost first: headings, bullets, the note's title."""
    line: int
    day: date | None
    """The day that the note states; None: none."""
    kind: Kind | None
    """The kind that the note states."""
    entities: tuple[str, ...]
    """The entities that the note plainly names as its subject."""
    height: int = 1
    """The number of lines of the note."""
    outsider: str = ""
    """The outsider who said it, if the note names one."""

    @property
    def key(self) -> str:
        """A digest of its text, subjects and stated day: the same whenever the same note is read."""
        return hash_id("\x1f".join((fold(self.text), *map(fold, (*self.about, *self.entities)), str(self.day or ""))))


class ForeignNote(NamedTuple):
    """A parsed note."""

    form: NoteForm
    statements: tuple[NoteStatement, ...]
    entity: str
    """The entity that it is about, if it plainly says so; else empty."""
    aliases: tuple[str, ...]
    """Other names of that entity."""


def read_note(path: str, text: str, *, form: NoteForm | None = None) -> ForeignNote:
    """Parse a note, whose form is detected if it is not given.

    Args:
        path: below the folder that is imported, including the name that the folder has here.
    """
    document = parse(path, as_markdown(text), named=False)
    meta = _front(text)
    form = form or _form_of(path, document, meta=meta)
    reader = _Reader(path, document, meta=meta, form=form)
    entity = reader.entity
    aliases = tuple(name for name in document.aliases if name.strip() and entity_key(name) != entity_key(entity))
    return ForeignNote(form, tuple(reader.statements()), entity, aliases if entity else ())


def _form_of(path: str, document: Document, *, meta: dict[str, tuple[str, ...]]) -> NoteForm:
    """Return the form that a note seems to have."""
    stem = _stem(path)
    if "permalink" in meta or _observed(document):
        return NoteForm.BASIC_MEMORY
    if fold(stem) in _words("core"):
        return NoteForm.MEMORY
    folders = path.split("/")[:-1]
    return NoteForm.MEMORIES if "memories" in folders or path.endswith(".xml") else NoteForm.NOTES


class _Reader:
    """Reads the statements of one note."""

    def __init__(self, path: str, document: Document, *, meta: dict[str, tuple[str, ...]], form: NoteForm) -> None:
        self.document = document
        self.form = form
        self.remembered = form in (NoteForm.MEMORY, NoteForm.MEMORIES)
        """Whether each of its bullets and paragraphs is a statement."""
        self.day = document.day or _stated_day(meta)
        self.title = next(iter(meta.get("title", ())), "") or _title(document) or _stem(path)
        self._unsaying = (
            self.title if fold(_stem(path)) in _words("core") and contains_label(self.title, _stem(path)) else ""
        )
        """The title if it adds nothing to the file's name: `MEMORY.md - Long-Term Memory`."""
        self.entity = entity_name(self.title) if form is NoteForm.BASIC_MEMORY or _is_thing(path, meta) else ""

    def statements(self) -> Iterator[NoteStatement]:
        """Yield the note's statements, in order, each once."""
        seen: set[str] = set()
        for found in sorted((*self._bullets(), *self._prose()), key=lambda each: each.line):
            if len(found.text) <= _MOST and found.key not in seen:
                seen.add(found.key)
                yield found

    def _bullets(self) -> Iterator[NoteStatement]:
        lines = self.document.lines
        below = {line.parent for line in lines if line.role in (Role.BULLET, Role.TEXT)}
        for at, line in enumerate(lines):
            paragraph = line.role is Role.TEXT and self.remembered
            if line.fact is not None or not (line.role is Role.BULLET or paragraph) or line.generated:
                continue
            text, height = _whole(lines, at)
            if len(text) > _MOST:
                continue
            if found := self._observation(line, text) or self._relation(line, text):
                yield found._replace(height=height, outsider=line.outsider)
                continue
            text = _bare(text)
            if not text or (at in below and text[-1] in ":：") or _says_only_when(text) or planned(self._context(line)):
                continue
            remembered = line.role is Role.BULLET and self.remembered
            if remembered or _lasting(text, line.day, any_statement=self.form is NoteForm.MEMORIES):
                yield self._statement(line, text)._replace(height=height, outsider=line.outsider)

    def _observation(self, line: ParsedLine, text: str) -> NoteStatement | None:
        """Read `[category] text #tag (context)`; the category is kept as a tag."""
        found = _CATEGORY.match(text) if self.form is NoteForm.BASIC_MEMORY else None
        if found is None or text.endswith(("?", "？")):
            return None
        category, text = found[1].strip(), text[found.end() :]
        tag = "#" + re.sub(r"\s+", "-", category)
        kind = next((Kind(kind) for kind in table("imports")["kinds"] if fold(category) in _words("kinds", kind)), None)
        said = text if tag.casefold() in text.casefold() else f"{text} {tag}"
        return self._statement(line, said)._replace(kind=kind)

    def _relation(self, line: ParsedLine, text: str) -> NoteStatement | None:
        """Read `relation_type [[Target]] (context)`, or other words below a heading for relations, as a sentence."""
        found = _RELATED.match(text) if self.form is NoteForm.BASIC_MEMORY else None
        if found is None or not (
            "_" in found[1] or any(fold(above) in _words("relations") for above in self._context(line))
        ):
            return None
        said = " ".join((self.title, found[1].replace("_", " ").strip() or "relates to", text[found.end(1) :].strip()))
        entities = tuple(dict.fromkeys(name for name in (self.entity, *map(entity_name, mentions(found[2]))) if name))
        return NoteStatement(said, (), line.number, self._day(line, text), Kind.WORLD, entities)

    def _prose(self) -> Iterator[NoteStatement]:
        """Yield what sentences and rows of tables state plainly."""
        lines = self.document.lines
        told = []
        for at, line in enumerate(lines):
            prose = line.role is Role.TEXT and not self.remembered
            if line.fact is None and (prose or line.role is Role.ROW) and not _goes_on_from(lines, at):
                text, height = _whole(lines, at)
                if len(text) > _LONGEST_PROSE:
                    continue
                fact = Line(text, (), Citation("", line.number), self._day(line, text), lines=height)
                told.append(fact._replace(context=self._context(line), speaker=line.speaker))
        by_number = {line.number: line for line in lines}
        heights = {fact.source.line: fact.lines for fact in told}
        for found in infer(told, lambda text: tuple(map(entity_name, mentions(text)))):
            line = by_number[found.source.line]
            said = self._statement(line, found.content)
            about = said.about if line.role is Role.TEXT else said.about[:1]
            entities = tuple(dict.fromkeys((*said.entities, *found.entities)))
            yield said._replace(
                kind=found.kind, about=about, entities=entities, height=heights[line.number], outsider=line.outsider
            )

    def _statement(self, line: ParsedLine, text: str) -> NoteStatement:
        about = tuple(each for each in self._about(line, text) if not contains_label(text, each))
        kind = Kind.OPINION if any(fold(above) in _words("kinds", "opinion") for above in self._context(line)) else None
        entities = (self.entity,) if self.entity else ()
        return NoteStatement(text, about, line.number, self._day(line, text), kind, entities)

    def _day(self, line: ParsedLine, text: str) -> date | None:
        return when.path_day(text[:10] + ".md") or line.day or self.day

    def _context(self, line: ParsedLine) -> tuple[str, ...]:
        found = []
        while line.parent >= 0:
            line = self.document.lines[line.parent]
            found.append(line.text)
        return tuple(reversed(found))

    def _about(self, line: ParsedLine, text: str) -> tuple[str, ...]:
        """Return the nearest heading that names a subject, else the title, and the bullets above that name one.

        If the note itself is about an entity, the heading is left out above a text long enough for a sentence.
        """
        lines, above = self.document.lines, []
        heading = ""
        while line.parent >= 0 and not heading:
            line = lines[line.parent]
            if line.role is Role.HEADING:
                heading = self._subject(line.text)
            elif line.role in (Role.BULLET, Role.TEXT) and (label := _label(_head(line.text))):
                above.append(label)
        if not heading and not self.entity:
            heading = self._subject(self.title)
        wide = len(text) if text.isascii() else 2 * len(text)
        if self.entity and (entity_key(heading) == entity_key(self.title) or wide >= _SENTENCE):
            heading = ""
        return tuple(each for each in (heading, *reversed(above)) if each)

    def _subject(self, heading: str) -> str:
        return "" if heading == self._unsaying else _label(heading)


def _observed(document: Document) -> bool:
    """Whether a note has bullets with a category below a heading for observations."""
    heads = {at for at, line in enumerate(document.lines) if fold(line.text) in _words("observations")}
    return any(line.parent in heads and _CATEGORY.match(line.text) for line in document.lines)


def _title(document: Document) -> str:
    """Return the heading with which a note begins; a later one is about a part of it."""
    first = next((line for line in document.lines if line.role is not Role.META), None)
    return first.text if first is not None and first.role is Role.HEADING else ""


def _front(text: str) -> dict[str, tuple[str, ...]]:
    lines = text.removeprefix("\ufeff").split("\n")
    return frontmatter.read(lines[1 : frontmatter.end(lines)])


def _stated_day(meta: dict[str, tuple[str, ...]]) -> date | None:
    for key in table("imports")["days"].split(", "):
        for spelled in (key, key.replace(" ", "_"), key.replace(" ", "-")):
            for value in meta.get(spelled, ())[:1]:
                if day := when.path_day(value[:10] + ".md") or when.heading_day(value):
                    return day
    return None


def _is_thing(path: str, meta: dict[str, tuple[str, ...]]) -> bool:
    """Whether a note is plainly about one person, organisation, place or project: by its front matter or its folder."""
    said = [value for key in ("type", "tags", "tag", "category", "kind") for value in meta.get(key, ())]
    said += path.split("/")[-2:-1]
    return any(
        fold(word) in _words("things") for value in said for word in re.split(r"[\s,/#]+", value.strip('[]"')) if word
    )


def entity_name(title: str) -> str:
    """Return a title as the name of an entity; empty if it is a sentence or contains a day."""
    name = "-".join(re.sub(r"[@:：,，、#|^\[\]]", " ", title).split())
    if len(name) > _LONGEST_LABEL or name.count("-") >= _MOST_WORDS_OF_NAME or not any(map(str.isalpha, name)):
        return ""
    return "" if when.heading_day(title) else name


def _head(text: str) -> str:
    """Return the label of a bullet such as `**Work:** at Kelpworks`; without a label, all of it."""
    label, colon, _ = text.replace("**", "").replace("：", ": ").partition(": ")
    return label if colon else text


def _label(text: str) -> str:
    """Return a heading, title or bullet as a subject; empty if it names none."""
    label = text.replace("**", "").strip(" #*_:：`").removeprefix("[[").removesuffix("]]").removesuffix(".md")
    if not label or len(label) > _LONGEST_LABEL or label.endswith(("?", "？", ".", "。")) or "|" in label:
        return ""
    if entity_key(label) in _generic() or when.heading_day(label) or when.heading_year(label) or label.isdecimal():
        return ""
    return label


def contains_label(text: str, label: str) -> bool:
    """Whether a text contains the words of a label, so that the label can be left out."""
    if not label.isascii():
        return fold(label) in fold(text)
    words, wanted = (" ".join(re.findall(r"\w+", fold(each))) for each in (text, label))
    return f" {wanted} " in f" {words} "


def _bare(text: str) -> str:
    """Return a bullet's text without its box; empty for a task to do, struck-out text, a link alone, or no letters."""
    box = text[:3] if text[:1] == "[" and text[2:3] == "]" else ""
    text = text[len(box) :].strip()
    if box in ("[ ]", "[-]", "[>]", "[/]") or text.startswith(("~~", "![", ">")) or _LINK.fullmatch(text):
        return ""
    return text if any(map(str.isalpha, text)) else ""


def _lasting(text: str, day: date | None, *, any_statement: bool) -> bool:
    """Whether a line can stand alone and is lasting, names somebody or is about a day; or any statement, if asked."""
    wide = len(text) if text.isascii() else 2 * len(text)
    if wide < _SHORTEST or text.endswith(("?", "？", ":", "：")):
        return False
    reading = salience.read(text)
    if reading is None or reading.open:
        return False
    return (
        any_statement
        or reading.lasts
        or bool(mentions(text))
        or (day is not None and when.valid(text, day) is not None)
    )


def _says_only_when(text: str) -> bool:
    """Whether a line only states when the note was written: `*Last updated: 2025-11-01*`."""
    label, colon, day = text.strip("*_() ").replace("：", ":").partition(":")
    if not colon or fold(label.strip(" *_")) not in _words("days"):
        return False
    return when.heading_day(day.strip(" *_.")) is not None


def _whole(lines: Sequence[ParsedLine], at: int) -> tuple[str, int]:
    """Return a line joined with those below that continue its sentence, and the number of lines."""
    end = at + 1
    while end < len(lines) and _goes_on_from(lines, end):
        end += 1
    return " ".join(line.text for line in lines[at:end]), end - at


def _goes_on_from(lines: Sequence[ParsedLine], at: int) -> bool:
    """Whether a line continues the one above it."""
    line, above = lines[at], lines[at - 1]
    if not at or line.role is not Role.TEXT or above.role not in (Role.TEXT, Role.BULLET) or line.speaker:
        return False
    return above.number + above.height == line.number and goes_on(above.text, line.text)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rsplit(".", 1)[0]


@cache
def _words(name: str, part: str = "") -> frozenset[str]:
    words = table("imports")[name]
    if isinstance(words, dict):
        words = words[part] if part else ", ".join(words.values())
    return frozenset(map(fold, words.split(", ")))


@cache
def _generic() -> frozenset[str]:
    return frozenset(entity_key(word) for words in table("imports")["generic"].values() for word in words.split(", "))
