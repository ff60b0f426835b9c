"""The files that changed, read again, and what the index shall hold of them instead."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from commonplace.core import copies, opinions
from commonplace.core.model import Citation, Problem
from commonplace.core.parse import Document, parse
from commonplace.errors import NotFound, WorkspaceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from commonplace.core.model import Opinion
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import State, Workspace


class Change:
    """What one sync does to the index: files that are gone leave it, those that changed are read again.

    Whether a file is a conflict copy depends on those beside it too: when one of them changes, it is looked at again.
    """

    def __init__(
        self, index: Index, workspace: Workspace, states: dict[str, State], progress: Callable[[int, int], None]
    ) -> None:
        self._index = index
        self._workspace = workspace
        self._states = states
        """What stays in it is remembered as read."""
        self._progress = progress
        self._digests = index.digests()
        self.gone = [path for path in self._digests if path not in states]
        self.added = self.changed = 0
        self._beside = copies.neighbours([*states, *self.gone])
        self._originals = {other for others in self._beside.values() for other in others}
        self._read: dict[str, Document] = {}
        """Those of them that this sync has read."""

    def documents(self, suspects: list[str]) -> Iterator[tuple[Document, str, tuple[Opinion, ...]]]:
        """Each document that the index shall hold now, with its digest and opinions; files that are gone leave it."""
        index, copied = self._index, self._index.copies()
        for path in self.gone:
            index.remove(path)
        looked_at, touched = {*suspects, *self.gone}, set(self.gone)
        beside = [path for path, others in self._beside.items() if not looked_at.isdisjoint(others)]
        todo = sorted({*suspects, *beside} & self._states.keys(), key=copies.stem)  # a file before its copies
        for done, path in enumerate(todo):
            if done % 32 == 0:
                self._progress(done, len(todo))
            before = self._digests.get(path)
            again = not touched.isdisjoint(self._beside.get(path, ()))
            if not again and path not in looked_at:
                continue
            if before and not again and path not in self._originals and self._spliced(path, before):
                touched.add(path)
                self.changed += 1
                continue
            try:
                document, digest, held = read(self._workspace, path, None if again else before)
            except NotFound:  # gone since the sweep: the next one will see it
                self._states.pop(path, None)
                continue
            if document is None:
                continue
            if path in self._originals:
                self._read[path] = document
            if digest != before:
                touched.add(path)
            document = self._marked(document)
            if digest and digest == before and document.copy_of == copied.get(path, ""):
                continue
            if before is None:
                self.added += 1
            else:
                self.changed += 1
            yield document, digest, () if document.conflict else held
        self._progress(len(todo), len(todo))

    def _spliced(self, path: str, before: str) -> bool:
        """Whether a large file of which little changed is read again by now, for that part alone."""
        if path in self._beside or path.startswith("bank/"):
            return False
        known = self._index.chunks(path)
        if not known:
            return False
        from commonplace.core.reread import reread

        try:
            page = self._workspace.read(path)
        except WorkspaceError:
            return False
        if page.digest == before:
            return False
        part = reread(path, page.text, known)
        return part is not None and not opinions.may_hold(part.document) and self._index.splice(part, page.digest)

    def _marked(self, document: Document) -> Document:
        """The document, marked where it is a conflict copy."""
        there = [other for other in self._beside.get(document.path, ()) if other in self._states]
        source = copies.original(document, [self._document(other) for other in there])
        return document if source is None else copies.marked(document, source)

    def _document(self, path: str) -> Document:
        found = self._read.get(path)
        if found is None:
            with suppress(NotFound):
                found, _, _ = read(self._workspace, path, None)
            self._read[path] = found = found or parse(path, "")
        return found


def read(workspace: Workspace, path: str, digest: str | None) -> tuple[Document | None, str, tuple[Opinion, ...]]:
    """One file as a document, with its digest and opinions; None in its place when its digest is the one given."""
    try:
        page = workspace.read(path)
    except NotFound:
        raise
    except WorkspaceError as error:
        problem = Problem(Citation(path, 1), error.code, error.message, error.hint)
        return Document(path, None, (), (problem,), "", (), conflict=False), "", ()
    if page.digest == digest:
        return None, digest, ()
    document = parse(path, page.text)
    if not path.startswith("bank/") and not opinions.may_hold(document):
        return document, page.digest, ()
    held, misread = opinions.read_noting(path, page.text)
    problems = tuple(sorted((*document.problems, *misread))) if misread else document.problems
    return document._replace(problems=problems), page.digest, held
