"""Merges two entities into one in Markdown, so that a rebuild finds the same.

The other's name becomes an alias on the page that stays, the person's text of the other page moves there, and the other
page is deleted. Logs are not changed: the alias assigns their facts to the entity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_merge import joined
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.markdown.page_regions import damage
from commonplace.core.markdown.slug import FOLDER, entity_path
from commonplace.core.model import Patch
from commonplace.core.pages.entity_pages import new_page
from commonplace.errors import UsageError, WorkspaceError
from commonplace.ops.recall.near_names import named_keys

if TYPE_CHECKING:
    from commonplace.store.sqlite import Entity, Index
    from commonplace.store.workspace import Workspace


class Joined(NamedTuple):
    """The result of a merge, or its preview."""

    name: str
    """Name of the entity that stays."""
    alias: str
    """The name that became its alias."""
    patches: tuple[Patch, ...]
    applied: bool


class _Side(NamedTuple):
    """One of the two entities."""

    key: str
    name: str
    page: str | None
    aliases: tuple[str, ...]


def join(index: Index, workspace: Workspace, into: str, other: str, *, dry_run: bool = False) -> Joined:
    """Make `other` an alias of `into`, all changes or none; `undo` undoes it the same way.

    Raises NotFound for a name that no line and no page has, UsageError if a name may mean several entities or both are
    one already, WorkspaceError if our lines on a page cannot be told from a person's or an editor has it open.
    """
    entities = index.entities()
    pages = index.entity_pages()
    one, two = (_side(index, entities, name=name) for name in (into, other))
    if one.key == two.key and (one.page == two.page or two.page is None):
        raise UsageError(f"{other!r} already means {one.name}", "nothing to do")
    told = {entity_key(name) for name in (one.name, *one.aliases)}
    new = [name for name in dict.fromkeys((two.name, *two.aliases)) if entity_key(name) not in told]
    for name in new:
        owners = {path for path, names in pages.items() if entity_key(name) in names} - {one.page, two.page}
        if owners:
            raise UsageError(f"{name!r} is also a name on {min(owners)}", "remove it there first, or merge that page")
        if set(name) & set(",[]"):
            raise UsageError(f"{name!r} cannot be an alias: it has a comma or a bracket", "rename its page first")
    path = one.page or entity_path(one.name)
    text, before = _sound(workspace, path) if one.page else (new_page(one.name), None)
    gone, digest = _sound(workspace, two.page) if two.page else ("", None)
    after = joined(text, gone, name=two.name, aliases=new)
    patches = [Patch(path, before, after, f"now includes {two.name}")] if after != text or before is None else []
    if two.page:
        patches.append(Patch(two.page, digest, None, f"merged into {path}"))
    if not dry_run:
        workspace.apply(patches, label=f"merge of {two.name} into {one.name}", whole=True)
    return Joined(one.name, two.name, tuple(patches), not dry_run)


def _side(index: Index, entities: tuple[Entity, ...], *, name: str) -> _Side:
    """Return the one entity that a name means; if it has several pages, the one with this spelling."""
    key, keys = entity_key(name), named_keys(index, name)
    known = {each.key: each for each in entities}
    paged = [each for each in keys if known[each].page]
    if key not in paged and len(paged) > 1:
        names = " or ".join(known[each].name for each in paged)
        raise UsageError(f"{name!r} may mean {names}", "give the exact name")
    own = known[key if key in paged or not paged else paged[0]]
    twins = [path for path, key in index.twins().items() if key == own.key]
    page = own.page
    if len(twins) > 1:
        spelled = name.replace(" ", "-")
        page = next((path for path in twins if path.removeprefix(FOLDER)[:-3].replace(" ", "-") == spelled), None)
        if page is None:
            raise UsageError(f"{name!r} has {len(twins)} pages: {', '.join(twins)}", "use the spelling of one of them")
    return _Side(own.key, own.name, page, own.aliases)


def _sound(workspace: Workspace, path: str) -> tuple[str, str]:
    """Return a page's text and digest. Raises WorkspaceError if it is damaged or open in an editor."""
    page = workspace.read(path)
    wrong = damage(page.text, "entity")
    if not wrong and workspace.open_in_editor(path):
        wrong = "it is open in an editor, perhaps with unsaved changes"
    if wrong:
        raise WorkspaceError(f"{path}: {wrong}", "repair the page, then merge again")
    return page.text, page.digest
