"""The files that introduce owner and agent, as pages of theirs."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.model import Kind, Line, Role
from commonplace.core.questions.ask_phrases import Ask, says_home, title_of, titled
from commonplace.core.recall.index_rows import chain
from commonplace.core.recall.scored_lines import likely_kind
from commonplace.core.tables import table
from commonplace.core.text.analyzer import occurrences
from commonplace.core.text.normalize import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from commonplace.core.recall.index_rows import StoredLine
    from commonplace.store.sqlite import Index

    Introduced = tuple[frozenset[str], frozenset[int]]
    """Keys of the names of somebody whom one of these files introduces, and the rows that tell of them."""

INTRODUCE = ("USER.md", "IDENTITY.md", "user.md", "identity.md")
"""Files that introduce owner and agent."""
CORE = ("MEMORY.md", "memory.md")
"""Files that may tell what the owner prefers, below a heading for it."""
_MOST_LINES = 400
_TELLING = frozenset((Role.BULLET, Role.TEXT, Role.ROW))
"""Roles of lines that tell of somebody: no headings, and no code."""


def introducing_lines(
    index: Index, path: str, keys: Iterable[str]
) -> tuple[str, frozenset[int], frozenset[int]] | None:
    """Return (key of the entity, rows that tell of it, other rows) of one of these files, if it introduces an entity
    with one of these keys; kept while the index is as it is. The others are rules, texts that a host gives to every
    workspace, and what is about others.
    """
    known: dict[str, tuple[list[Introduced], frozenset[int]]] = index.noted().setdefault("introduced", {})
    if path not in known:
        known[path] = _read(index, path)
    people, rows = known[path]
    found = ((key, told) for key in keys for names, told in people if key in names)
    key, told = next(found, ("", rows))
    return (key, told, rows - told) if key else None


@cache
def relative_terms() -> str:
    """Return an FTS5 expression for lines with a word for somebody close to the owner, in any language."""
    terms = (occurrences(word)[0] for word in table("core")["relatives"])
    return " OR ".join(f'"{term}"' for term in dict.fromkeys(terms))


def preferring_lines(
    index: Index, path: str, rows: frozenset[int]
) -> Iterator[tuple[str, frozenset[int], frozenset[int]]]:
    """Yield (path, rows that say what somebody prefers, other rows) of one of these files with these rows, and of the
    core files of the same workspace with such rows if it introduces the owner."""
    from commonplace.core.entities.introductions import introduces_owner

    yield path, _preferring(index, rows, titled=False), frozenset()
    for core in index.beside(path, CORE) if introduces_owner(path) else ():
        there = frozenset(index.rows_in(core, limit=_MOST_LINES))
        if preferred := _preferring(index, there, titled=True):
            yield core, preferred, there - preferred


def naming_paths(index: Index, keys: Iterable[str]) -> list[str]:
    """Return the paths of those of these files that name an entity with one of these keys."""
    return index.naming_paths(keys, INTRODUCE, others=CORE)


def tells_preferences(index: Index) -> bool:
    """Return whether the files about the owner say what they prefer, or core files beside them."""
    from commonplace.core.entities.introductions import introduces_owner

    paths = filter(introduces_owner, INTRODUCE)
    rows = ((path, frozenset(index.rows_in(path, limit=_MOST_LINES))) for path in paths)
    return any(preferred for path, there in rows for _, preferred, _ in preferring_lines(index, path, there))


def _preferring(index: Index, rows: Iterable[int], *, titled: bool) -> frozenset[int]:
    """Those of these rows that say what is preferred, by their words, label or heading, and not by a host.

    Args:
        titled: not by their words, which are about whom they name.
    """
    from commonplace.core.extract.line_worth import is_of_a_host

    lines = index.lines(rows)
    return frozenset(
        row
        for row, line in _plain(index, lines).items()
        if lines[row].role in _TELLING
        and likely_kind("" if titled else line.content, line.context) is Kind.OPINION
        and not is_of_a_host(line.content)
    )


def names_introduced(index: Index, *, owner: bool) -> tuple[str, ...]:
    """Return the names of the one whom the file about the owner introduces, or that about the agent."""
    from commonplace.core.entities.introductions import introduces_owner

    found: tuple[str, ...] = ()
    for path in [path for path in INTRODUCE if introduces_owner(path) is owner]:
        found = found or _names_in(path, _plain(index, index.lines(index.rows_in(path, limit=_MOST_LINES))))[0]
    return found


def _names_in(path: str, plain: Mapping[int, Line]) -> tuple[tuple[str, ...], bool]:
    """The names of the one whom a file introduces by labels, or else in prose, and whether it is by labels."""
    from commonplace.core.entities.introductions import in_prose, introduces_owner, names_of_one

    if names := names_of_one(plain.values()):
        return names, True
    said = in_prose([line.content for line in plain.values()]) if introduces_owner(path) else None
    return (said[1],) if said else (), False


def _plain(index: Index, lines: Mapping[int, StoredLine]) -> dict[int, Line]:
    """The lines that are no facts, by row, with what stands above them."""
    above = index.ancestors(each.parent for each in lines.values())
    return {
        row: each.line._replace(context=chain(each.parent, above))
        for row, each in sorted(lines.items())
        if isinstance(each.line, Line)
    }


def _read(index: Index, path: str) -> tuple[list[Introduced], frozenset[int]]:
    """(the one whom a file introduces, those whom it lists, rows): the labels beside the name, and what stands below
    headings such as `Context`, tell of the one; of the others do the labels right below the heading that names them."""
    from commonplace.core.entities.introductions import listed_names, names_of_one

    lines = index.lines(index.rows_in(path, limit=_MOST_LINES))
    plain = _plain(index, lines)
    names, labelled = _names_in(path, plain)
    beside = next((lines[row].parent for row, line in plain.items() if names and names_of_one([line])), None)
    told = _telling(lines, plain, beside=beside, names=names, prose=not labelled)
    people = [(frozenset(map(entity_key, names)), told)] if names else []
    listed: dict[str, int] = {}
    for row, line in plain.items():
        for name, somebody in listed_names(path, [line]):
            if somebody and name in line.context[-1] and lines[row].role is not Role.HEADING:
                listed.setdefault(name, lines[row].parent)
    firsts = Counter(entity_key(name).partition(" ")[0] for name in (*names, *listed))
    for name, parent in listed.items():
        first, own = entity_key(name).partition(" ")[0], {entity_key(name)}
        own |= {first} if firsts[first] == 1 else set()
        people.append((frozenset(own), _telling(lines, plain, beside=parent, names=(name,))))
    return people, frozenset(lines)


def _telling(
    lines: Mapping[int, StoredLine],
    plain: Mapping[int, Line],
    *,
    beside: int | None,
    names: tuple[str, ...],
    prose: bool = False,
) -> frozenset[int]:
    """Return the rows that tell of the one with these names.

    Args:
        prose: the file is about that one, and has no labels.
    """
    return frozenset(
        row
        for row, line in plain.items()
        if lines[row].role in _TELLING
        and _tells(lines[row], line, above=lines.get(lines[row].parent), beside=beside, names=names, prose=prose)
    )


def _tells(
    stored: StoredLine,
    line: Line,
    *,
    above: StoredLine | None,
    beside: int | None,
    names: tuple[str, ...],
    prose: bool,
) -> bool:
    """Whether a line tells of the one with these names: by a label beside the name, or in prose below such a label or a
    heading that says so, if it is no rule, about nobody else and of no host. What stands behind a label is its value,
    whoever or whatever else has that name: `Location: Vejle`."""
    from commonplace.core.entities.introductions import speaks_of_a_relative
    from commonplace.core.entities.name_uses import begins_a_name
    from commonplace.core.extract.line_labels import is_aside, shows_an_example
    from commonplace.core.extract.line_worth import is_of_a_host
    from commonplace.core.extract.salience import signs_in
    from commonplace.core.text.known_languages import identify

    text, language = line.content, identify(line.content).code
    label, rest = title_of(text)
    if is_aside(text) or any(map(shows_an_example, (label, *line.context[-1:]))):
        return False
    labelled = stored.parent == beside and (any(map(str.isalnum, rest)) or says_home(text))
    below = above is not None and above.role is Role.BULLET and above.parent == beside and _is_open(line.context[-1])
    about_the_owner = bool(line.context) and fold(title_of(line.context[-1])[0]) in _owner()
    about_the_owner = about_the_owner or (prose and len(line.context) <= 1) or _is_titled(line, names)
    if not (labelled or ((below or about_the_owner) and Ask.HOME not in titled(text))):
        return False
    own = {key for name in map(entity_key, names) for key in (name, name.partition(" ")[0])}
    others = not labelled and not own.issuperset(map(entity_key, (*line.entities, *line.mentions)))
    first = next(iter(text.split()), "").strip("*_\"'“”,.:")
    somebody = not labelled and first[:1].isupper() and entity_key(first) not in own and begins_a_name(first, language)
    if others or somebody or speaks_of_a_relative(label if labelled else text):
        return False
    sought = {"rule", "veto"} if labelled or prose else {"rule", "veto", "first"}  # no order: `Email: …`
    signs = sought & signs_in(text, language)
    return any(map(str.isalnum, text)) and not (signs or is_of_a_host(text))


def _is_titled(line: Line, names: tuple[str, ...]) -> bool:
    """Whether the nearest heading above a line has one of these names."""
    return any(name in heading for heading in line.context[-1:] for name in names)


def _is_open(label: str) -> bool:
    """Whether a label has nothing behind it, and lists nobody."""
    from commonplace.core.entities.introductions import lists_entities, speaks_of_a_relative

    title, rest = title_of(label)
    return not any(map(str.isalnum, rest)) and not (lists_entities(title) or speaks_of_a_relative(title))


@cache
def _owner() -> frozenset[str]:
    """The headings below which lines tell of the owner."""
    return frozenset(fold(word) for words in table("core")["owner"].values() for word in words)
