"""Forget: removes facts from Markdown, pages, copies and the index.

All files change or none does. The task is recorded (`store.transactions.erase`), so that after a crash the next command
finishes it, and the text is searched for everywhere before it is reported as gone.
"""

from __future__ import annotations

import shlex
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_traces import FORGOTTEN, Traces, without_bullets, without_lines, without_traces
from commonplace.core.extract.note_copy import read_record, stated, without
from commonplace.core.markdown.page_regions import generated_lines
from commonplace.core.model import Citation, Fact, Kind, Patch, Problem
from commonplace.core.pages.entity_pages import is_left_empty
from commonplace.core.provenance import copied_as, noted_path
from commonplace.core.quotes.page_lines import shortened
from commonplace.errors import ChangedUnderneath, CommonplaceError
from commonplace.ops.write.forget_task import MOST_NAMED, recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from commonplace.core.documents.fact_traces import Bullet
    from commonplace.ops.write.forget_task import Choice, Task
    from commonplace.store.sqlite import Index
    from commonplace.store.sqlite.maintenance import FactPlace
    from commonplace.store.workspace import Workspace

    Clean = Callable[[Sequence[str]], str]
    """Removes from the index what is gone from the files; returns why that failed, or an empty text. Its argument:
    texts of which no byte may remain in the index.
    """

_ROUNDS = 3
"""Maximum plans, if somebody saves the text again meanwhile."""
_TELLING = 12
"""Minimum characters of a text that is searched for in the bytes of an index."""
_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "cp1252", "gb18030", "cp932", "big5", "euc_jp")
"""Encodings in which a file that is not UTF-8 is searched: those of Windows, and those in use before UTF-8."""
_MOST_QUOTED = 80
_STAY = "only facts are removed: other text in logs and pages remains, and recall finds it"


class Forgotten(NamedTuple):
    """The removed fact, and where else it may still be."""

    fact: Fact
    elsewhere: tuple[Citation, ...]
    """A person's own lines that contain its text: they stay, for the person to decide."""
    notes: tuple[str, ...]
    problems: tuple[Problem, ...] = ()
    """What still contains it and could not be changed or deleted."""
    complete: bool = True
    """False if something of ours still contains it; the problems and notes say what, and what to do."""


class Wiped(NamedTuple):
    """What was or would be removed, and what stays."""

    applied: bool
    facts: tuple[Fact, ...]
    copies: tuple[str, ...]
    """Copies of imported notes that are removed as a whole."""
    elsewhere: tuple[Citation, ...]
    """A person's own lines that contain such a text: they stay. Line 0 is a whole file."""
    problems: tuple[Problem, ...]
    """What still contains some of it and could not be changed or deleted."""
    notes: tuple[str, ...]
    complete: bool = True
    """As for `Forgotten`."""


class Removed(NamedTuple):
    """The result of a task: all of its bullets, lines of ours and copies are removed."""

    task: Task
    elsewhere: tuple[Citation, ...]
    hanging: tuple[Citation, ...]
    """A person's own lines that are indented below a bullet."""
    problems: tuple[Problem, ...]
    why: str
    """Why the index may still contain it; empty if it does not."""

    @property
    def complete(self) -> bool:
        """Whether nothing of ours still contains it."""
        return not self.problems and not self.why


def forgotten_before(id: str, other: Fact | None) -> Forgotten:
    """Return the answer for a fact that was forgotten before; `other` is a fact that has its id since."""
    notes = ["it was forgotten before; its text is not kept, so nothing was searched now"]
    if other is not None:
        said = shortened(other.content, _MOST_QUOTED)
        notes.append(f"another fact has this id now and was not removed: “{said}” ({other.source}); --again forgets it")
    return Forgotten(Fact(id, Kind.WORLD, "", (), Citation("", 0)), (), tuple(notes))


def forgotten(done: Removed, fact: Fact, *, in_git: bool) -> Forgotten:
    """Return the answer for one removed fact."""
    notes = [*_notes([fact], (), elsewhere=done.elsewhere, in_git=in_git), *_with_it(done), done.why]
    return Forgotten(fact, done.elsewhere, tuple(filter(None, notes)), done.problems, done.complete)


def shown(found: Choice) -> Wiped:
    """Return the preview of a removal."""
    task = found.task
    return Wiped(False, task.facts, task.copies, found.stays, found.hidden, (_STAY,) if task.facts else ())


def wiped(found: Choice, done: Sequence[Removed], *, in_git: bool) -> Wiped:
    """Return the answer for many removed facts, including those of an interrupted removal."""
    facts = tuple({fact.id: fact for each in done for fact in each.task.facts}.values())
    copies = tuple(dict.fromkeys(path for each in done for path in each.task.copies))
    whole = {each.path for each in found.edited}
    places = dict.fromkeys(place for each in done for place in each.elsewhere if place.path not in whole)
    left = (*found.stays, *places)
    told = (*found.edited, *places)
    notes = (_STAY, *_notes(facts, copies, elsewhere=told, in_git=in_git)) if facts or copies else ()
    notes += tuple(f"{page} stays: it has more than these facts" for page in found.page)
    notes += tuple(dict.fromkeys(note for each in done for note in _with_it(each)))
    why = tuple(dict.fromkeys(each.why for each in done if each.why))
    named = {problem.source: problem for each in done for problem in each.problems}
    problems = tuple({**{problem.source: problem for problem in found.hidden}, **named}.values())
    return Wiped(True, facts, copies, left, problems, (*notes, *why), not problems and not why)


def _with_it(done: Removed) -> Iterator[str]:
    """Yield notes on what was removed along with the facts, and on lines that lost the line above them."""
    asked = {fact.id for fact in done.task.facts}
    if more := [f"^{bullet.fact.id}" for bullet in done.task.bullets if bullet.fact.id not in asked]:
        yield f"also removed, because they repeated it: {', '.join(more[:MOST_NAMED])}"
    if done.hanging:
        places = ", ".join(map(str, done.hanging[:MOST_NAMED]))
        yield f"the text below it belongs to a person and remains, below a line with {FORGOTTEN}: {places}"


def _notes(
    facts: Iterable[Fact], copies: Sequence[str], *, elsewhere: Sequence[Citation], in_git: bool
) -> Iterator[str]:
    yield "earlier writes can no longer be undone"
    if in_git:
        yield (
            "git still contains it in old commits: git filter-repo --replace-text FILE removes the texts in FILE, one a"
            " line, from every commit"
        )
    if in_git and copies:
        paths = " ".join(f"--path {shlex.quote(path)}" for path in copies[:MOST_NAMED])
        more = f" (and so the other {len(copies) - MOST_NAMED:,})" if len(copies) > MOST_NAMED else ""
        yield f"… and git filter-repo {paths} --invert-paths removes these copies{more}"
    if any(fact.trailer.note for fact in facts) or copies:
        yield "the notes it was imported from are unchanged: another import would bring it back"
    if elsewhere:
        yield "its text is also in lines that people wrote: remove it there yourself"


def remove(index: Index, workspace: Workspace, *, task: Task, clean: Clean, note: str = "") -> Removed:
    """Remove for good: bullets, our lines about facts, copies, all kept older texts, and what remains in the index.

    Args:
        task: what to remove.
        note: record of a dead process's removal, of which a part may be done.

    Raises NotWritable, Busy, ChangedUnderneath and what else `Workspace.apply` raises; nothing was changed then.
    """
    with workspace.locked():
        work = _Removing(index, workspace, task=task, note=note)
        try:
            work.begin()
        except CommonplaceError as error:
            if note:
                error.although("an earlier attempt was interrupted and removed a part of it")
            raise
        problems = work.purge_and_look_again()
        for path in task.copies:
            workspace.tidy(path, "memory")  # a folder's name may reveal something, too
        return work.cleaned(clean, problems)


class _Removing:
    """A removal in progress, under the lock of all writers."""

    def __init__(self, index: Index, workspace: Workspace, *, task: Task, note: str) -> None:
        self._workspace = workspace
        self._task = task
        self._traces = Traces(task.facts)
        self._edits = _Edits(index, workspace, task=task, traces=self._traces, again=bool(note))
        self._removal = workspace.removal
        self._elsewhere: list[Citation] = []
        self._near = {bullet.fact.source.path for bullet in task.bullets}
        if note:
            self._removal.resume(note)

    def begin(self) -> None:
        """Change all files, or none."""
        edits, removal = self._edits, self._removal
        for left in reversed(range(_ROUNDS)):
            removal.settle()
            edits.plan()
            removal.check([patch.path for patch in edits.patches])
            try:
                if edits.patches:
                    removal.begin(edits.patches, recorded(self._task))
                break
            except ChangedUnderneath:
                if not left:
                    raise
        self._near.update(patch.path for patch in edits.patches)
        edits.again = True

    def purge_and_look_again(self) -> list[Problem]:
        """Delete older texts, and remove what somebody saved again meanwhile; return what could not be removed."""
        try:
            for left in reversed(range(_ROUNDS)):
                self._removal.settle()
                problems = self._removal.purge()
                self._elsewhere, ours = _standing(self._workspace, self._traces, task=self._task)
                if not ours or not left:
                    return problems
                self._edits.plan()
                self._removal.begin(self._edits.patches, recorded(self._task))
        except CommonplaceError as error:
            return [Problem(Citation("", 0), error.code, error.message, error.hint)]
        raise AssertionError

    def cleaned(self, clean: Clean, problems: list[Problem]) -> Removed:
        """Clean the index, search the remaining bytes for the text, and end; return the result."""
        edits, removal = self._edits, self._removal
        telling = [text for text in self._traces.texts if len(text) >= _TELLING]
        whole = [text.encode() for text in telling]
        near = removal.beside(self._near, lambda content: _is_beside(content, telling, traces=self._traces))
        if self._elsewhere or edits.undecoded:
            telling, whole = [], []  # the index then contains it, too, and may
        why = clean(telling)
        problems += removal.strays(lambda content: any(text in content for text in whole))
        if why or problems:
            why = f"{why}; the next command tries again" if why else ""
            removal.keep_note(recorded(self._task), retry=bool(why))
        else:
            problems += removal.end(bullet.fact.id for bullet in self._task.bullets)
        self._elsewhere += (Citation(path, 0) for path in near)
        return Removed(self._task, tuple(self._elsewhere), tuple(edits.hanging), (*problems, *edits.undecoded), why)


class _Edits:
    """The edits that remove facts."""

    def __init__(self, index: Index, workspace: Workspace, *, task: Task, traces: Traces, again: bool) -> None:
        self._index = index
        self._workspace = workspace
        self._task = task
        self._traces = traces
        self.again = again
        self.patches: list[Patch] = []
        self.undecoded: list[Problem] = []
        """Files that contain it and are not UTF-8."""
        self.hanging: list[Citation] = []
        """Lines that were indented below a bullet, by their new places."""

    def plan(self) -> None:
        """Plan the edits of all files. Raises NotWritable for a file that cannot be read."""
        workspace, task, traces = self._workspace, self._task, self._traces
        self.patches, self.undecoded = [], []
        stands = {} if self.again else self._index.stands(bullet.fact.id for bullet in task.bullets)
        bullets: dict[str, list[Bullet]] = {}
        for bullet in task.bullets:
            bullets.setdefault(bullet.fact.source.path, []).append(bullet)
        copied = _copied(workspace, task.facts)
        for path, page in workspace.searched(self._hold_undecoded):
            if path in task.copies:
                self.patches.append(Patch(path, page.digest, None, "forgotten"))
                continue
            text = page.text
            if "\0" in text:
                self._hold_undecoded(path, text.encode("utf-8", "surrogatepass"))  # UTF-16 may be valid UTF-8
            if here := bullets.get(path, ()):
                text = self._without(path, text, digest=page.digest, bullets=here, stands=stands)
            keys = copied.get(path, ())
            record = read_record(text) if keys else None
            if record is not None and record[1]:
                text = without(noted_path(path), text, keys=keys)
            elif traces.may_be_in(text):
                text = without_traces(text, traces)
                if path in task.pages and text != page.text and is_left_empty(text, path):
                    self.patches.append(Patch(path, page.digest, None, "forgotten"))
                    continue
            if text != page.text:
                self.patches.append(Patch(path, page.digest, text, "forgotten"))

    def _hold_undecoded(self, path: str, content: bytes) -> None:
        if any(self._traces.lines(content.decode(encoding, "replace")) for encoding in _ENCODINGS):
            said, hint = f"{path} contains it and is not UTF-8: it was not changed", "convert it, then remove the text"
            self.undecoded.append(Problem(Citation(path, 0), "not-utf8", said, hint))

    def _without(
        self, path: str, text: str, *, digest: str, bullets: Sequence[Bullet], stands: Mapping[str, FactPlace]
    ) -> str:
        """Return a file's text without bullets: by line numbers if the index is current, else by parsing it."""
        known = [stand for bullet in bullets if (stand := stands.get(bullet.fact.id)) and stand.path == path]
        if len(known) < len(bullets) or any(stand.digest != digest for stand in known):
            if self.again and not self._traces.may_be_in(text):
                return text
            cut = without_bullets(path, text, bullets=bullets)
            if cut.missing and not self.again:
                raise ChangedUnderneath(f"{path} changed during the search for the fact", "try again")
        else:
            cut = without_lines(text, {stand.line: stand.lines for stand in known})
        self.hanging += (Citation(path, number) for number in cut.hanging)
        return cut.text


def _is_beside(content: bytes, texts: Iterable[str], *, traces: Traces) -> bool:
    """Whether a file outside the memory contains one of these texts, in any of the encodings."""
    for text in texts:
        for encoding in _ENCODINGS:
            with suppress(UnicodeEncodeError):
                if text.encode(encoding) in content:
                    return True
    with suppress(UnicodeDecodeError):
        return bool(traces.lines(content.decode()))
    return False


def _standing(workspace: Workspace, traces: Traces, *, task: Task) -> tuple[list[Citation], bool]:
    """Return where a text still is, and whether lines of ours contain it."""
    copied = _copied(workspace, task.facts)
    found: list[Citation] = []
    ours = False
    for path, (text, _) in workspace.searched(lambda *_: None):
        numbers = set(traces.lines(text))
        if generated := generated_lines(text):
            lines = text.split("\n")
            ours |= any(traces.stated_in(lines[number - 1]) for number in generated)
        if path in copied:
            numbers.update(said.line for said in stated(noted_path(path), text, keys=copied[path]))
        found += (Citation(path, number) for number in sorted(numbers))
    return found, ours


def _copied(workspace: Workspace, facts: Iterable[Fact]) -> dict[str, list[str]]:
    """Return the copies of the notes that facts were imported from, with the keys of those facts."""
    found: dict[str, list[str]] = {}
    sources: dict[str, str] | None = None
    for fact in facts:
        key = dict(fact.trailer.other).get("key")
        if key is None or not fact.trailer.note:
            continue
        if sources is None:
            sources = {copied_as(path): path for path in workspace.sweep()}
        if path := sources.get(fact.trailer.imported):
            found.setdefault(path, []).append(key)
    return found
