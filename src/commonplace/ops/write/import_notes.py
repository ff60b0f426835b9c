"""Import: notes of another program as copies and facts, with a preview; the originals stay untouched.

The statements of a note become facts in the logs of their days, each with its source in the trailer; the whole note is
copied below `memory/imported/`, so that recall can find all its text (docs/decisions/0012). Names that a note gives its
own subject become aliases.

Laws: the same import twice adds nothing; a note that cannot be imported is reported and does not prevent the others; a
line that looks like a secret is left out and reported.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import hash_id, is_name, split_tail
from commonplace.core.documents.file_problems import MERGE
from commonplace.core.documents.merge_markers import marker_in
from commonplace.core.documents.name_mentions import mentions
from commonplace.core.entities.alias_phrases import is_given
from commonplace.core.entities.entity_names import candidates, choose, entity_key
from commonplace.core.extract.foreign_notes import NoteForm, contains_label, entity_name, read_note
from commonplace.core.extract.kind_guess import guess_kind
from commonplace.core.extract.note_copy import read_record, with_record, without_secrets
from commonplace.core.markdown import frontmatter
from commonplace.core.markdown.slug import entity_path
from commonplace.core.markdown.syntax import is_markdown
from commonplace.core.model import Citation, Fact, Problem, Trailer
from commonplace.core.provenance import COPIES, NOTE, noted_path, source_of
from commonplace.core.secrets.guard import in_name, masked_problem
from commonplace.core.text.normalize import FAR_EAST, fold
from commonplace.errors import CommonplaceError, NotFound, UsageError
from commonplace.ops.beliefs.file_texts import FileTexts
from commonplace.ops.write.retain import Retained, retain_all

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from commonplace.core.extract.foreign_notes import ForeignNote, NoteStatement
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace
    from commonplace.store.workspace.import_source import Source

    Progress = Callable[[int, int], None]

_MOST_ENTITIES = 4
_EVERY = 16
"""Number of notes between two progress reports."""


class Imported(NamedTuple):
    """The result of an import, or its preview."""

    applied: bool
    notes: int
    """Number of notes read."""
    forms: dict[str, int]
    """Number of notes of each form."""
    facts: tuple[Fact, ...]
    """New facts; with id and line once they are written."""
    known: int
    """Number of statements that the memory has already."""
    copies: tuple[str, ...]
    """Copies that are new, or updated because the note changed."""
    pages: tuple[str, ...]
    """Pages of entities that get an alias."""
    problems: tuple[Problem, ...]
    """What was left out and why, by the note's path; line 0 is the whole note."""
    others: int
    """Number of files skipped because they are not text."""
    unwritten: int = 0
    """Number of copies, pages and facts that could not be written; `problems` gives the reasons."""


class _Edit(NamedTuple):
    path: str
    text: str
    before: str | None
    """Its digest now; None if it does not exist."""
    source: str
    """The note's path, for messages."""


class Plan(NamedTuple):
    """The planned writes of an import."""

    facts: tuple[tuple[Fact, date, Citation], ...]
    """Each fact with the day of its log and its place in the source."""
    copies: tuple[_Edit, ...]
    pages: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Path, name of the entity, and its new aliases."""
    told: Imported


def plan(
    index: Index,
    workspace: Workspace,
    sources: Sequence[Source],
    *,
    form: str | None,
    today: date,
    progress: Progress | None = None,
) -> Plan:
    """Return what these sources would add. Reads them, and writes nothing.

    Args:
        form: form of the notes; None to detect it for each note.
        today: day of statements without a day, or with a later one.
        progress: called with (notes read, notes to read).
    """
    if form is not None and form not in tuple(NoteForm):
        raise UsageError(f"unknown form {form!r}", f"forms: {', '.join(NoteForm)}")
    planner = _Planner(index, workspace, form=NoteForm(form) if form else None, today=today)
    listed = [(source, source.files()) for source in sources]
    count = sum(len(files) for _, files in listed)
    done = 0
    for source, files in listed:
        planner.problems += source.problems
        planner.enter(source, files)
        for path in files:
            if progress is not None and done % _EVERY == 0:
                progress(done, count)
            done += 1
            try:
                planner.take(source, path)
            except CommonplaceError as error:
                planner.problem(source.shown(path), error.code, error.message, error.hint)
    if progress is not None:
        progress(count, count)
    return planner.plan(sum(source.others for source in sources))


def apply(index: Index, workspace: Workspace, planned: Plan, *, progress: Progress | None = None) -> Imported:
    """Write the plan: copies, then aliases, then one write per log; failures are reported as problems."""
    failed: list[tuple[Citation, CommonplaceError]] = []
    copies: list[str] = []
    for done, copy in enumerate(planned.copies):
        if progress is not None and done % _EVERY == 0:
            progress(done, len(planned.copies))
        try:
            workspace.write(copy.path, copy.text, before=copy.before)
            copies.append(copy.path)
        except CommonplaceError as error:
            failed.append((Citation(copy.source, 0), error))
    pages: list[str] = []
    for path, name, aliases in planned.pages:
        try:
            workspace.change(path, lambda text, name=name, aliases=aliases: _page(text, name, aliases=aliases))  # type: ignore[misc]
            pages.append(path)
        except CommonplaceError as error:
            failed.append((Citation(path, 0), error))
    retained = retain_all(index, workspace, facts=[(fact, day) for fact, day, _ in planned.facts])
    facts: list[Fact] = []
    for came, (_, _, place) in zip(retained, planned.facts, strict=True):
        if not isinstance(came, Retained):
            failed.append((place, came))
        elif came.created:
            facts.append(came.fact)
    if copies or pages or facts:
        for _, refused in failed:
            refused.although("")  # some were written
    problems = [masked_problem(Problem(place, error.code, error.message, error.hint)) for place, error in failed]
    return planned.told._replace(
        applied=True,
        facts=tuple(facts),
        copies=tuple(copies),
        pages=tuple(pages),
        problems=(*planned.told.problems, *problems),
        unwritten=len(problems),
    )


class _Planner:
    """Plans an import: the notes read so far, and what the memory knew before."""

    def __init__(self, index: Index, workspace: Workspace, *, form: NoteForm | None, today: date) -> None:
        self._workspace = workspace
        self._form = form
        self._today = today
        self._files = workspace.sweep()
        facts = index.facts()
        self._keys = {
            (value, fact.trailer.outsider) for fact in facts for key, value in fact.trailer.other if key == "key"
        }
        self._said = {(fold(fact.content), fact.trailer.outsider) for fact in facts}
        """`_keys`: imported keys; `_said`: known statements.

        Each has its outsider: no statement counts as another person's.
        """
        self._names = index.aliases()
        entities = index.entities()
        self._spelled = {entity.key: entity.name for entity in entities}
        self._pages = {entity.key: entity.page for entity in entities if entity.page}
        self._notes: list[tuple[str, ForeignNote]] = []
        """Each with the source for the trailer of its facts."""
        self._copies: dict[str, _Edit] = {}
        self._label = self._root = ""
        self.problems: list[Problem] = []

    def problem(self, path: str, code: str, message: str, hint: str, *, line: int = 0) -> None:
        """Record why something was left out; line 0 is the whole file."""
        self.problems.append(Problem(Citation(path, line), code, message, hint))

    def enter(self, source: Source, files: Sequence[str]) -> None:
        """Start another source: its copies are named after it, unless copies of another source have that name."""
        self._root, self._label = hash_id(source.root, 6), source.name
        texts = FileTexts(self._workspace)
        for path in files:
            target = self._target(source, path)
            planned = self._copies.get(target)
            record = read_record(planned.text if planned else texts.text(target))
            if record is not None and record[0] != self._root:
                stem, point, suffix = source.name.rpartition(".") if source.single else (source.name, "", "")
                self._label = f"{stem or suffix}-{self._root}{point}{suffix if stem else ''}"
                return

    def take(self, source: Source, path: str) -> None:
        """Read a note and plan its copy. Raises if it cannot be imported."""
        inside = self._inside(source.full(path))
        if inside.startswith(("memory/", "bank/")):
            raise UsageError(f"{source.shown(path)} is already part of this memory", "import files from another folder")
        target, shown = self._target(source, path), source.shown(path)
        if named := in_name(target):
            message = f"its name looks like it contains {named[0].kind}"
            self.problem(shown, "secret-refused", message, "rename it; it is left out")
            return
        text, secrets = without_secrets(source.read(path))
        hint = "it is left out; keep secrets out of notes that agents read"
        for line, looks_like in secrets:
            self.problem(shown, "secret-refused", f"a line looks like {looks_like}", hint, line=line)
        if not text.strip():
            return
        if line := marker_in(text):
            hint = "resolve the merge in the note, then import it; it is left out"
            self.problem(shown, MERGE, f"{shown} contains merge conflict markers", hint, line=line)
            return
        note = read_note(noted_path(target), text, form=self._form)
        if inside in self._files:
            self._notes.append((inside, note))
            return
        self._notes.append((noted_path(target), note))
        self._copy(target, shown, text=text)

    def plan(self, others: int) -> Plan:
        """Return the plan for all notes."""
        pages = self._aliases()
        for _, note in self._notes:
            if note.entity:
                key = entity_key(note.entity)
                self._names.setdefault(key, (key,))
                self._spelled.setdefault(key, note.entity)
        facts: list[tuple[Fact, date, Citation]] = []
        known = 0
        for src, note in self._notes:
            for said in note.statements:
                fact = self._fact(said, src)
                outsider = fact.trailer.outsider
                if (said.key, outsider) in self._keys or (fold(fact.content), outsider) in self._said:
                    known += 1
                    continue
                self._keys.add((said.key, outsider))
                day = said.day if said.day is not None and said.day <= self._today else self._today
                log = Citation(f"memory/{day.isoformat()}.md", 0)
                facts.append((fact._replace(source=log, recorded=day), day, Citation(src, said.line)))
        forms: dict[str, int] = {}
        for _, note in self._notes:
            forms[note.form] = forms.get(note.form, 0) + 1
        told = Imported(
            False,
            len(self._notes),
            forms,
            tuple(fact for fact, _, _ in facts),
            known,
            tuple(self._copies),
            tuple(path for path, _, _ in pages),
            tuple(map(masked_problem, self.problems)),
            others,
        )
        return Plan(tuple(facts), tuple(self._copies.values()), tuple(pages), told)

    def _inside(self, full: str) -> str:
        """Return the path of a note relative to the workspace if it is inside, else an empty text."""
        root = os.path.join(self._workspace.root, "")
        return full[len(root) :].replace(os.sep, "/") if full.startswith(root) else ""

    def _target(self, source: Source, path: str) -> str:
        below = self._label if source.single else f"{self._label}/{path}"
        return COPIES + below + ("" if is_markdown(below) else ".md")

    def _copy(self, target: str, shown: str, *, text: str) -> None:
        wanted = with_record(text, self._root)
        try:
            page = self._workspace.read(target)
        except NotFound:
            self._copies[target] = _Edit(target, wanted, None, shown)
            return
        if page.text == wanted:
            return
        record = read_record(page.text)
        if record == (self._root, True):
            self._copies[target] = _Edit(target, wanted, page.digest, shown)
            return
        why = "was edited here after the import" if record else "is not a copy of an import"
        hint = "it was not changed; move it to have the note copied again"
        self.problem(shown, "copy-edited", f"{target} {why}", hint)

    def _aliases(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """Return which pages get which aliases; a name of another entity is reported and left out."""
        found: dict[str, tuple[str, list[str]]] = {}
        for src, note in self._notes:
            if not note.aliases:
                continue
            key = next(iter(self._names.get(entity_key(note.entity), ())), entity_key(note.entity))
            path = self._pages.get(key) or entity_path(note.entity)
            aliases = []
            for alias in note.aliases:
                owners = self._names.get(entity_key(alias), (key,))
                if owners == (key,) or (owners == (entity_key(alias),) and entity_key(alias) not in self._pages):
                    aliases.append(alias)
                else:
                    message = f"{alias} is already a name of {self._spelled.get(owners[0], owners[0])} already"
                    self.problem(src, "alias-taken", message, "the alias is left out")
            if aliases:
                for alias in aliases:
                    self._names[entity_key(alias)] = (key,)
                found.setdefault(path, (self._spelled.get(key, note.entity), []))[1].extend(aliases)
        pages = []
        for path, (name, aliases) in found.items():
            try:
                page = self._workspace.read(path).text
            except NotFound:
                page = None
            except CommonplaceError as error:
                self.problem(path, error.code, error.message, error.hint)
                continue
            if page is None or _page(page, name, aliases=tuple(aliases)) != page:
                pages.append((path, name, tuple(dict.fromkeys(aliases))))
        return pages

    def _fact(self, said: NoteStatement, src: str) -> Fact:
        """Return the fact of a statement. A heading above it becomes an entity if it is a known name, else a prefix."""
        text, trailer, _ = split_tail(said.text)
        text = text or said.text
        tags, topics = list(said.entities), []
        for label in said.about:
            if keys := self._names.get(entity_key(label)):
                tags.append(self._spelled.get(keys[0], label))
            elif is_given(fold(label).partition(" ")[0]) and entity_name(label):
                tags.append(entity_name(label))
            else:
                topics.append(label)
        topics = [topic for topic in topics if not contains_label(text, topic)]
        content = "".join(f"{topic}：" if topic[-1] >= FAR_EAST else f"{topic}: " for topic in topics) + text
        tags += mentions(text) or self._known(text)
        names = [name for name in map(_name, tags) if name]
        return Fact(
            "",
            said.kind or guess_kind(text),
            content,
            tuple({entity_key(name): name for name in reversed(names)}.values())[::-1][:_MOST_ENTITIES],
            Citation("", 0),
            trailer=_trailer(said.key, source_of(src), outsider=said.outsider or trailer.outsider),
            mentions=mentions(content),
        )

    def _known(self, text: str) -> tuple[str, ...]:
        chosen = choose(candidates(text, self._names), self._names)
        return tuple(self._spelled.get(keys[0], name) for name, keys in chosen)


def _trailer(key: str, note: str, *, outsider: str) -> Trailer:
    """Return the trailer of an imported statement: who said it, if somebody else, and from which note it is."""
    if not outsider:
        return Trailer(src=note, other=(("key", key),))
    return Trailer(src=outsider, other=((NOTE, note), ("key", key)))


def _name(name: str) -> str:
    """Return a name as written after `@`; empty if it is not a valid name."""
    name = entity_name(name) if not name.isalnum() else name
    return name if is_name(name) else ""


def _page(text: str | None, name: str, *, aliases: tuple[str, ...]) -> str:
    return frontmatter.with_aliases(f"# {name.replace('-', ' ')}\n" if text is None else text, aliases)
