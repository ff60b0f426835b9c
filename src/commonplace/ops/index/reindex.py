"""Parses changed files, and decides what the index keeps of files that cannot be read."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from commonplace.core.documents import conflict_copies, merge_markers
from commonplace.core.documents.file_problems import MERGE, NOT_UTF8
from commonplace.core.documents.parse import parse
from commonplace.core.entities.introductions import introduces
from commonplace.core.model import Citation, Problem, Unread
from commonplace.core.opinions import opinion_reader
from commonplace.errors import NotAWorkspace, NotFound, WorkspaceError
from commonplace.ops.index.missing_files import Hidden

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from commonplace.core.documents.parsed_document import Document
    from commonplace.core.model import Opinion
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import ShownPage, State, Workspace


class Reindexing:
    """The changes of one sync to the index: files that are gone are removed, changed ones are parsed again.

    A file that exists and cannot be read stays in the index as it was. Whether a file is a conflict copy depends on the
    files beside it: if one of them changes, it is checked again.

    Args:
        states: the files that exist; those that remain in it are stored as read.
        known: the states of the last sync.
        suspects: paths of files to be read.
    """

    def __init__(
        self,
        index: Index,
        workspace: Workspace,
        *,
        states: dict[str, State],
        known: Mapping[str, State],
        suspects: Sequence[str],
    ) -> None:
        self._index = index
        self._workspace = workspace
        self._states = states
        self._known = known
        self._before = {each.path: each for each in index.unread()}
        waiting = {path for path, each in self._before.items() if each.holds and path in states}
        self._suspects = sorted({*suspects, *waiting}) if waiting else suspects
        self._digests = index.digests()
        self.unread: dict[str, Unread] = {}
        """Files, and whole folders, that could not be read, by path."""
        self._held: set[str] = set()
        """Files that could not be read or listed, whose old content the index keeps."""
        self.gone = self._missing()
        for problem in workspace.unlisted:
            self._miss(problem, known=False)
        looked_at = frozenset(self._suspects)
        self.unread.update(
            (path, each) for path, each in self._before.items() if path in states and path not in looked_at
        )
        self.added = self.changed = 0
        self._beside = conflict_copies.neighbours([*states, *self.gone, *self._held])
        self._originals = {other for others in self._beside.values() for other in others}
        self._copied = index.copies()
        self._read: dict[str, Document] = {}
        """The originals that this sync has read."""

    def documents(self, progress: Callable[[int, int], None]) -> Iterator[tuple[Document, str, tuple[Opinion, ...]]]:
        """Yield each new or changed document with its digest and opinions; remove files that are gone."""
        for path in self.gone:
            self._index.writer.remove(path)
        looked_at, touched = {*self._suspects, *self.gone}, set(self.gone)
        beside = [path for path, others in self._beside.items() if not looked_at.isdisjoint(others)]
        todo = sorted(
            {*self._suspects, *beside} & self._states.keys(), key=conflict_copies.stem
        )  # a file before its copies
        for done, path in enumerate(todo):
            if done % 32 == 0:
                progress(done, len(todo))
            before = self._digests.get(path)
            again = not touched.isdisjoint(self._beside.get(path, ()))
            if not again and path not in looked_at:
                continue
            if before and not again and path not in self._originals and self._spliced(path, before):
                touched.add(path)
                self.changed += 1
                continue
            mark_may_change = path in self._beside or path in self._copied  # even if the text is the same
            document, digest, held = self._looked_at(path, None if mark_may_change else before)
            if digest != before or (digest and self._regained(path)):
                touched.add(path)
            if document is None:
                continue
            if path in self._originals:
                self._read[path] = document
            document = self._marked(document)
            if digest and digest == before and document.copy_of == self._copied.get(path, ""):
                continue
            if before is None:
                self.added += 1
            else:
                self.changed += 1
            yield document, digest, () if document.conflict else held
        progress(len(todo), len(todo))

    @property
    def anew(self) -> bool:
        """Whether the index says anything that it did not say before."""
        return bool(self.added or self.changed or self.gone) or self.unread != self._before

    def _regained(self, path: str) -> bool:
        """Whether a file was not read by the last sync but is now: its copies are checked again."""
        state = self._known.get(path)
        return path in self._before or state is None or state[0] < 0

    def _looked_at(self, path: str, digest: str | None) -> tuple[Document | None, str, tuple[Opinion, ...]]:
        """Return the result of `_new`; for a file that cannot be read nothing, with the reason recorded."""
        try:
            return self._new(path, digest)
        except NotAWorkspace:
            raise
        except NotFound:  # gone since the sweep: the next one will notice
            self._states.pop(path, None)
        except WorkspaceError as error:
            known = bool(self._digests.get(path))
            self._miss(Problem(Citation(path, 1), error.code, error.message, error.hint), known=known)
            self._held.add(path)
            if error.code != NOT_UTF8:  # not UTF-8: another attempt cannot succeed until the file changes
                self._states[path] = (-1, -1, -1, self._states[path][3])  # impossible state: it is tried again
        return None, "", ()

    def _missing(self) -> list[str]:
        """Return the indexed files that are gone; those that exist unreadably or may be hidden are recorded instead."""
        missing = [path for path in self._digests if path not in self._states]
        if not missing:
            return []
        new = [path for path in self._suspects if path not in self._digests]
        hidden = Hidden(self._workspace, states=self._states, known=self._known, before=self._before, new=new)
        gone = []
        held: dict[Problem, list[str]] = {}
        for path in missing:
            if (problem := self._workspace.hindrance(path)) is not None:
                self._miss(problem, known=bool(self._digests[path]))
            elif hiding := hidden.hiding(path, self._digests[path]):
                for each in hiding:
                    held.setdefault(each, []).append(path)
            else:
                gone.append(path)
                continue
            self._held.add(path)
        for problem, paths in held.items():
            self._miss(problem, known=any(map(self._digests.get, paths)), holds=tuple(paths))
        return gone

    def _miss(self, problem: Problem, *, known: bool, holds: tuple[str, ...] = ()) -> None:
        """Record what could not be read, once for each file or folder.

        Args:
            known: whether the index has its earlier content.
            holds: missing files that may be in it.
        """
        path, message = problem.source.path, problem.message
        before = self.unread.get(path)
        if before is not None:
            known, holds = known or before.known, holds or before.holds
        if holds:
            which = f"{holds[0]} is" if len(holds) == 1 else f"{holds[0]} and {len(holds) - 1:,} more are"
            message += f"; {which} missing, and may be in there now"
        self.unread[path] = Unread(path, problem.code, message, problem.hint, known, holds)

    def _new(self, path: str, digest: str | None) -> tuple[Document | None, str, tuple[Opinion, ...]]:
        """Read one file; return document, digest and opinions. The document is None if the digest equals the given one.

        During a merge the file keeps its earlier facts.
        """
        page = self._workspace.shown(path)
        if page.digest == digest:
            before = self._before.get(path)
            if before is not None and before.code == MERGE:
                self.unread[path] = before
            return None, page.digest, ()
        document, held = _parsed(path, page)
        if not document.conflict:
            return document, page.digest, held
        said = self._index.said_in(path)
        for problem in document.problems:
            if problem.code == MERGE:
                message = f"{path} contains {problem.message}"
                hint = problem.hint if said is None else merge_markers.HINT
                self._miss(Problem(Citation(path, 1), problem.code, message, hint), known=said is not None)
        if said is None:
            return document, page.digest, held
        ids = {each.id for each in self._index.opinions() if each.source and each.source.path == path}
        document = merge_markers.unsettled(document, page.text, *said)
        return document, page.digest, tuple(each for each in held if each.id in ids)

    def _spliced(self, path: str, before: str) -> bool:
        """Whether only the changed part of a large file was parsed and indexed, and that was enough."""
        if path in self._beside or path.startswith("bank/") or path in self._before or introduces(path):
            return False
        known = self._index.writer.chunks(path)
        if not known:
            return False
        from commonplace.core.documents.reread import reread

        try:
            page = self._workspace.shown(path)
        except WorkspaceError:
            return False
        if page.digest == before or page.problem is not None:
            return False
        part = reread(path, page.text, known=known)
        if part is None or part.document.conflict or opinion_reader.may_hold(part.document):
            return False
        return self._index.writer.splice(part, digest=page.digest)

    def _marked(self, document: Document) -> Document:
        """Return the document, marked if it is a conflict copy."""
        path, beside = document.path, self._beside.get(document.path, ())
        there = [other for other in beside if other in self._states and other not in self._held]
        source = conflict_copies.original(document, [self._document(other) for other in there])
        waiting = [other for other in beside if other in self._held]
        if waiting and (source == path or self._copied.get(path) in waiting):  # its original exists but was not read
            source = self._copied.get(path) or waiting[0]
        return document if source is None else conflict_copies.marked(document, source)

    def _document(self, path: str) -> Document:
        found = self._read.get(path)
        if found is None:
            text = ""
            with suppress(WorkspaceError):
                text = self._workspace.shown(path).text
            self._read[path] = found = parse(path, text)
        return found


def _parsed(path: str, page: ShownPage) -> tuple[Document, tuple[Opinion, ...]]:
    document = parse(path, page.text, dated=False)
    if page.problem is not None:  # without chunks, so that a change is never spliced in and the problem stays listed
        problems = tuple(sorted((*document.problems, page.problem)))
        document = document._replace(problems=problems, chunks=())
    if not path.startswith("bank/") and not opinion_reader.may_hold(document):
        return document, ()
    held, misread = opinion_reader.read_noting(path, page.text)
    problems = tuple(sorted((*document.problems, *misread))) if misread else document.problems
    return document._replace(problems=problems), held
