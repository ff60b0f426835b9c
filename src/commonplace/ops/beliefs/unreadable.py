"""Files that exist and cannot be read: what to report, and when a write must wait for them.

The index keeps the earlier content of such a file. If a new index never read it, its content is unknown; as long as our
pages cite it, no page is changed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from commonplace.core.documents.file_problems import HIDING, MERGE, TOLD
from commonplace.core.markdown.bank_layout import EXPERIENCE, OPINIONS, REVIEW, WORLD
from commonplace.core.markdown.page_links import resolve
from commonplace.core.markdown.syntax import is_markdown
from commonplace.core.model import Unread
from commonplace.errors import NotFound, WorkspaceError
from commonplace.ops.beliefs.change_check import ever

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.model import Bundle
    from commonplace.ops.beliefs.file_texts import FileTexts
    from commonplace.store.sqlite import Index

_LINK = re.compile(r"\]\(([^()\s]+)\)")
_MOST_NAMED = 3


def unread(index: Index) -> tuple[Unread, ...]:
    """Return the unreadable files that every answer must report."""
    return tuple(each for each in index.unread() if each.known or each.code in TOLD)


def qualified(bundle: Bundle, missed: Iterable[Unread]) -> Bundle:
    """Return the bundle with status and note on unreadable files; unchanged if there is none to report."""
    told = [each for each in missed if each.known or each.code in TOLD]
    if not told:
        return bundle
    said = [each.message + (" (recall uses its last version)" if each.known else "") for each in told[:_MOST_NAMED]]
    if len(told) > _MOST_NAMED:
        said.append(f"and {len(told) - _MOST_NAMED} more, listed by check")
    status = "stale" if all(each.known for each in told) else "degraded"
    return bundle._replace(status=status, note="; ".join(filter(None, (*said, bundle.note))))


def notes(missed: Iterable[Unread]) -> tuple[str, ...]:
    """Return the note of a reflect on each unreadable file."""
    kept = "opinions and pages based on it are unchanged"
    return tuple(f"not read: {each.message}{f': {kept}' if each.known else ''}; {each.hint}" for each in missed)


def held_back(index: Index, texts: FileTexts) -> tuple[Unread, ...]:
    """Return the unreadable files because of which no page may be changed now; else empty."""
    missed = index.unread()
    core = tuple(each for each in missed if each.known and each.path in texts.workspace.core)
    if core:
        return core
    pages = {each.path for each in missed if each.code == MERGE and each.path.startswith("bank/")}
    unknown = {each.path: each for each in missed if not each.known and each.path not in pages}  # one is left alone
    settled = ever(index)
    if not unknown and settled:
        return ()
    files = index.digests()
    hiding = [] if settled else [each for each in unknown.values() if each.code in HIDING]
    found = {}
    for path in sorted(_cited(texts, files)):
        if path in unknown:
            found[path] = unknown[path]
        elif path in files:
            continue
        elif problem := texts.workspace.hindrance(path):
            found[problem.source.path] = Unread(
                problem.source.path, problem.code, problem.message, problem.hint, known=False
            )
        elif hiding and _missing(texts, path):  # it may have been moved into what cannot be read
            found.update((each.path, each) for each in hiding)
    return tuple(found.values())


def left_all(missed: Iterable[Unread]) -> str:
    """Return the message that no page was changed because of these files."""
    told = "; ".join(f"{each.message} ({each.hint})" for each in tuple(missed)[:_MOST_NAMED])
    return f"no page was changed, because these files cannot be read now: {told}"


def _cited(texts: FileTexts, files: Iterable[str]) -> set[str]:
    """Every Markdown file that a page of ours links to, also a moved page."""
    pages = {path for path in files if path.startswith("bank/")}
    found = set()
    for page in pages | {OPINIONS, REVIEW, WORLD, EXPERIENCE}:
        try:
            text = texts.read(page).text
        except WorkspaceError:
            continue
        found |= {resolve(page, match[1]) for match in _LINK.finditer(text)}
    return set(filter(is_markdown, found))  # `world.md` links to the folder of the entities, too


def _missing(texts: FileTexts, path: str) -> bool:
    """Whether the target of a link is missing."""
    try:
        texts.read(path)
    except NotFound:
        return True
    except WorkspaceError:
        return False
    return False
