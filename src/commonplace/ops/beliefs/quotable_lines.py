"""Which lines of logs and core files pages may quote, what each is worth, and about whom it is."""

from __future__ import annotations

from math import log, log1p
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.introductions import introduces
from commonplace.core.entities.name_finder import NameFinder
from commonplace.core.extract.line_worth import repeats, worth
from commonplace.core.pages.page_quotes import (
    RECENT_DAYS,
    WORTH_LISTING,
    WORTH_OF_A_DEFINITION,
    WORTH_QUOTING,
    Quote,
    about,
    begins_with,
    names_it,
    quote,
    with_heading,
)
from commonplace.core.tables import table
from commonplace.core.text.normalize import FAR_EAST, fold
from commonplace.core.timeline import ordinal
from commonplace.ops.beliefs.outdated_lines import outdated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from commonplace.core.memo import Findings
    from commonplace.core.secrets.redaction import Withheld
    from commonplace.store.sqlite import Index
    from commonplace.store.sqlite.fact_queries import Entity
    from commonplace.store.sqlite.narrative_queries import ToldLine
    from commonplace.store.workspace import Workspace


class Named(NamedTuple):
    """What logs tell about one entity."""

    quotes: list[Quote]
    """The lines worth quoting that name it, or stand below a heading or bullet that does."""
    days: set[object]
    """Days, or paths of undated files, of all lines about it."""

    def telling(self, name: str) -> float:
        """Return how much they tell: by days, lines worth quoting, lines that begin with the name, core files and
        headings; less of a mere acronym.

        Fitted by hand on the names in six real workspaces that their readers held worth a page: 69 of the 127 best are,
        and without the lines that begin with it 66 of 130.
        """
        core = any(each.core for each in self.quotes)
        headed = any(each.below for each in self.quotes)
        acronym = name.isascii() and name.isupper()
        subject = sum(begins_with(each, entity_key(name)) for each in self.quotes) / max(1, len(self.quotes))
        told = log(max(1, len(self.days))) + 0.5 * log1p(len(self.quotes)) + subject
        return told + 0.6 * core + 0.5 * headed - 0.7 * acronym


class Quotable(NamedTuple):
    """The lines that are worth quoting."""

    everything: list[Quote]
    about: dict[str, Named]
    """By key of the entity."""


def quotable(index: Index, workspace: Workspace) -> Iterator[ToldLine]:
    """Yield the lines of logs, of MEMORY.md and of the files that introduce owner and agent."""
    return index.told_lines([path for path in workspace.core if path == workspace.core_path or introduces(path)])


def worth_quoting(
    index: Index,
    workspace: Workspace,
    *,
    withheld: Withheld,
    canonical: Callable[[str], str],
    aliases: Mapping[str, tuple[str, ...]],
    entities: Mapping[str, Entity],
    accepted: Iterable[str] = (),
    findings: Findings,
) -> Quotable:
    """Return the lines that pages may quote.

    Args:
        withheld: what must not be repeated.
        canonical: returns the key of the entity of a name.
        aliases: folded names -> keys of the entities that they may mean.
        entities: by key.
        accepted: proposals that a person let reflect write into the core: what they come from is on the pages already.
    """
    ours = frozenset(map(fold, accepted))
    told = list(quotable(index, workspace))
    alike = repeats(each.line.content for each in told)
    found = Quotable([], {})
    core = frozenset(workspace.core)
    since = max((ordinal(each.line.recorded) for each in told), default=0) - RECENT_DAYS
    noise = frozenset(table("pages")["noise"])
    finder = NameFinder(_told_apart(aliases, entities) - noise)
    for line, tagged, above in told:
        in_core = line.source.path in core
        if in_core and fold(line.content) in ours:
            continue
        names = (*tagged, *finder.find(line.content))
        value = worth(line, alike, names=len(set(names)), core=in_core, findings=findings)
        good = value.score >= WORTH_QUOTING - WORTH_OF_A_DEFINITION and value.states and withheld.shows(line)
        quoted = quote(line, value, core=in_core, since=since) if good else None
        if quoted and value.score >= WORTH_LISTING:
            found.everything.append(quoted if names else with_heading(quoted))
        own = {canonical(name): name for name in names if name not in noise}
        headings = {key: heading for name, heading in above.items() if (key := canonical(name)) not in own}
        for key in (*own, *headings):
            named = found.about.setdefault(key, Named([], set()))
            named.days.add(line.recorded or line.source.path)
            if quoted:
                heading = headings.get(key, "")
                seen = quoted._replace(below=heading) if heading else about(quoted, own[key])
                if seen.worth.score >= WORTH_QUOTING and (heading or names_it(quoted, own[key])):
                    named.quotes.append(seen)
    return found


def with_newer(index: Index, quotes: Sequence[Quote]) -> list[Quote]:
    """Return the quotes, each outdated one with the line that outdates it."""
    newer = outdated(index, [each.line for each in quotes])
    return [each._replace(newer=newer.get(each.line.source)) for each in quotes]


def _told_apart(aliases: Mapping[str, tuple[str, ...]], entities: Mapping[str, Entity]) -> frozenset[str]:
    """Return the names that mean one entity and that the index may have overlooked in a line.

    Whether an entity has a page does not matter, since pages made by one reflect must not change the next.
    """
    return frozenset(
        name
        for name, keys in aliases.items()
        if len(keys) == 1 and keys[0] in entities and (name[0] >= FAR_EAST or name != keys[0])
    )
