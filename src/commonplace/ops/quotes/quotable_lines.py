"""Which lines of logs and core files pages quote: of an entity the best about it, of a topic the best of all."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from commonplace.core.entities.entity_kinds import PERSON, kind_of
from commonplace.core.entities.introductions import introduces, speaks_of_a_relative, speaks_of_the_owner
from commonplace.core.entities.name_finder import NameFinder
from commonplace.core.memo import Findings
from commonplace.core.quotes.about_entity import below
from commonplace.core.quotes.lines_by_entity import LinesByEntity
from commonplace.core.quotes.named_lines import Named, as_named
from commonplace.core.quotes.page_quotes import WORTH_QUOTING, Quote, reports_in_passing
from commonplace.core.quotes.quote_choice import FEWEST, MOST_TRIED, OF_ALL, listed
from commonplace.core.quotes.quote_faults import RIGHT
from commonplace.core.quotes.quote_leads import is_bare_fix
from commonplace.core.quotes.quote_subject import heading_share, only_within
from commonplace.core.quotes.quote_topics import CAUSES, OTHER, PREFERENCES, WHO, concludes, is_said_in_passing
from commonplace.core.quotes.quote_words import READ, has_trait, is_mostly_code, tells_a_moment
from commonplace.core.secrets.guard import looks_like
from commonplace.core.tables import table
from commonplace.core.text.normalize import has_case
from commonplace.ops.quotes.outdated_quotes import OutdatedQuotes
from commonplace.ops.quotes.quote_reader import QuoteReader
from commonplace.ops.quotes.shown_before import ShownBefore
from commonplace.ops.quotes.weighed_lines import LOGS, notes_of, weighed_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from commonplace.core.memo import Progress
    from commonplace.core.model import Line
    from commonplace.core.quotes.lines_by_entity import ListedLine, WeighedLine
    from commonplace.core.review.line_changes import AcceptedChange
    from commonplace.core.secrets.redaction import Withheld
    from commonplace.store.sqlite import Index
    from commonplace.store.sqlite.fact_queries import Entity
    from commonplace.store.workspace import Workspace

_MANY_DAYS, _MANY_LINES = 4, 12
"""Days or lines from which an entity with fewer such lines is told of by its next best."""
_WORTH_FILLING, _WORTH_FILLING_OF_THE_OWNER = -0.7, -1.0
"""What those are worth at least, and of whom a core file introduces. On pages with one that is worth still less a
quarter of the lines were useful, in six workspaces."""
_OF_ITS_PAGE = ("score", "topic", "below", "fault")
"""What of a quote depends on the page."""


class Quotable:
    """The lines that pages may quote; only those that may be on a page are read."""

    def __init__(
        self,
        index: Index,
        workspace: Workspace,
        *,
        withheld: Withheld,
        canonical: Callable[[str], str],
        aliases: Mapping[str, tuple[str, ...]],
        entities: Mapping[str, Entity],
        accepted: Iterable[str] = (),
        changes: Sequence[AcceptedChange] | None = None,
        progress: Progress | None = None,
        findings: Findings | None = None,
    ) -> None:
        """Weigh the lines and sort them by what they are about.

        Args:
            withheld: what must not be repeated.
            canonical: returns the key of the entity of a name.
            aliases: folded names -> keys of the entities that they may mean.
            entities: by key.
            accepted: proposals that a person let reflect write into the core: what they come from is on pages already.
            changes: accepted ones; None: as indexed.
            progress: called with (lines read, lines to read), then with (lines sorted, lines to sort).
            findings: what earlier passes found in the same lines.
        """
        names = _told_apart(aliases, entities) - frozenset(table("pages")["noise"])
        paths = index.told_files()
        named = index.names_in_rows()
        sure = index.tagged_names()
        above = NameFinder(name for name in names if aliases[name][0] in sure)
        lines, named_above = weighed_lines(index, workspace, NameFinder(names), named, above=above, progress=progress)
        named |= named_above
        self._index, self._named, self._findings = index, named, findings or Findings()
        self._reader = QuoteReader(index, lines, withheld=withheld, accepted=accepted, findings=self._findings)
        self._noted, self._logged = not notes_of(paths), any(path.startswith(LOGS) for path in paths)
        self.by_entity = LinesByEntity(lines, named=named, canonical=canonical, progress=progress)
        self.before = ShownBefore(index, lines, self._reader, named=named, withheld=withheld)
        self.outdated = OutdatedQuotes(index, lines, self._reader, named=named, changes=changes)

    def chosen(
        self, key: str, *, known: Sequence[str], later: Sequence[str], choose: Callable[[Named], list[Quote]]
    ) -> list[Quote]:
        """Return `choose(self.about(key))`; if the lines are those of an earlier pass, only what was chosen is read.

        Args:
            known: what else the choice depends on.
            later: the same once there is a page for what was chosen, which is the same then.
        """
        lines = {each.line.rows[0]: each.line for each in self.by_entity.best(key)}

        def ahead() -> list[int]:
            return sorted(each.until for each in self._reader.of(lines.values()).values() if each.until is not None)

        def find() -> list[tuple[Any, ...]]:
            told = self.about(key)
            chosen = choose(told)
            while leaking := {each.line.source for each in chosen if looks_like(each.line.content)}:
                told = told.without(leaking)  # no page would show it, so that another takes its place
                chosen = choose(told)
            rows = {each.line.source: row for row, each in self._reader.of(lines.values()).items()}
            return [(rows[each.line.source], *(getattr(each, name) for name in _OF_ITS_PAGE)) for each in chosen]

        told = [self._reader.rests_on]
        told += (repr((*each.line, *each[1:], self._named.get(each.above[1], ()))) for each in self.by_entity.best(key))
        over = bisect_left(self._findings.in_texts("ahead", told, ahead), self._reader.newest)
        depends = str((over, len(self.by_entity.days(key)) >= _MANY_DAYS))
        found = self._findings.in_texts("chosen", (depends, *known, *told), find)
        if found and later != known:
            self._findings.in_texts("chosen", (depends, *later, *told), lambda: found)
        read = self._reader.of(lines[row] for row, *_ in found)
        return [read[row]._replace(**dict(zip(_OF_ITS_PAGE, told, strict=True))) for row, *told in found]

    def about(self, key: str) -> Named:
        """Return what logs tell about an entity, of very much the best."""
        mentions, days = self.by_entity.best(key), self.by_entity.days(key)
        read = self._reader.of([each.line for each in mentions])
        headings = self._index.texts({each.above[1] for each in mentions if each.above[1]})
        quotes = []
        for each in mentions:
            if (quoted := read.get(each.line.rows[0])) is None:
                continue
            by, above = each.above
            heading = headings[above][2] if above else ""
            seen = as_named(quoted, each, key)
            if seen is None and above and not only_within(heading, by, self._named.get(above, ())):
                seen = below(quoted, heading, by)
            if seen is None and each.of_file and not _is_of_another(quoted.line):
                seen = quoted
            if seen is not None and seen.fault == "praise" and kind_of((key,), ()) == PERSON:
                seen = seen._replace(fault="")  # what somebody is given, or is good at
            if seen is not None:
                quotes.append(seen)
        often = len(days) >= _MANY_DAYS or len(mentions) >= _MANY_LINES
        good, spare = _good(quotes, WORTH_QUOTING)
        if often and len(good) < FEWEST:
            of_owner = Named(quotes, days).introduced()
            good, spare = _good(quotes, _WORTH_FILLING_OF_THE_OWNER if of_owner else _WORTH_FILLING)
        told = Named(good, days, general=self.by_entity.general(key), noted=self._noted)
        if told.introduced():
            return told._replace(quotes=[*map(_of_its_day, good)], others=[*map(_of_its_day, spare)])
        return told._replace(others=spare) if often else told

    def best(self, *topics: str, but: Collection[str] = ()) -> list[Quote]:
        """Return the quotes for a page of the whole workspace.

        Args:
            but: keys of entities whose lines are left to their own pages.
        """
        bonus: float = table("worth")["weights"]["core file"]
        among = {
            each.line.rows[0]: each
            for each in self.by_entity.listed
            if (each.line.topic in topics or (PREFERENCES in topics and _may_be_a_rule(each.line)))
            and each.names.isdisjoint(but)
        }
        best = sorted(
            (each.line for each in among.values()),
            key=lambda line: (bonus * (line.core and line.topic not in OF_ALL) - line.score, line.rows),
        )
        told = self._reader.of(best[:MOST_TRIED])
        mine = [
            each._replace(topic=CAUSES) if CAUSES in topics else each  # there a cause by its words alone is one, too
            for row, each in told.items()
            if not (each.fault or _left_to_others(each, among[row].above, but))
            and (each.topic in topics or CAUSES in topics or (OTHER in topics and each.topic not in OF_ALL))
            and not (but and introduces(each.line.source.path))
            and (WHO not in topics or _is_so_for_long(each))
            and not (CAUSES in topics and (concludes(each.line.content) or reports_in_passing(each.line)))
            and not self._is_of_its_note(each, topics)
        ]
        rows = {each.line.source: row for row, each in told.items()}  # a long line has several
        shown = [self._below_a_name(each, among[rows[each.line.source]]) for each in listed(mine)]
        led = [each for each in self.before.added(shown) if not is_bare_fix(each)]
        return [each for each in led if not (WHO in topics and _is_of_nobody(each, among[rows[each.line.source]]))]

    def _is_of_its_note(self, each: Quote, topics: Collection[str]) -> bool:
        """Whether an undated note says something of what it is about alone: a cause in passing, or in a guide beside
        the logs; in a folder of notes by subject a rule."""
        if each.core or each.line.recorded is not None:
            return False
        if CAUSES in topics:
            in_a_guide = self._logged and not each.line.source.path.startswith(LOGS)
            return in_a_guide or is_said_in_passing(each.line)
        return self._noted and each.topic == PREFERENCES

    def _below_a_name(self, each: Quote, told: ListedLine) -> Quote:
        """Return a quote with the nearest heading or bullet above it that is about something known, where its own words
        name nothing."""
        if told.line.names or not told.above:
            return each
        headings = self._index.texts({row for _, row in told.above.values()})
        texts = ((headings[row][2], name) for name, row in told.above.values())
        naming = [text for text, name in texts if text[:1] != "|" and heading_share(text, name)]
        nearest = next((text for text in reversed(each.line.context) if text in naming), "")
        return each._replace(below=nearest)


def _good(quotes: Sequence[Quote], least: float) -> tuple[list[Quote], list[Quote]]:
    """Return those worth at least so much that have no fault, and those that are right but of little use."""
    worth = [each for each in quotes if each.score >= least]
    return [each for each in worth if not each.fault], [each for each in worth if each.fault in RIGHT]


def _left_to_others(each: Quote, above: Mapping[str, tuple[str, int]], but: Collection[str]) -> bool:
    """Whether a heading or bullet above a line is about an entity to whose page it is left."""
    names = [name for key, (name, _) in above.items() if key in but]
    return any(heading_share(text, name) for name in names for text in each.line.context)


def _may_be_a_rule(line: WeighedLine) -> bool:
    """Whether a line may be read as a rule although nothing says so plainly: in a file that introduces owner or agent
    an order is how to behave."""
    return line.core and line.topic in (WHO, OTHER) and introduces(line.file.rpartition(" ")[0])


def _is_of_nobody(each: Quote, told: ListedLine) -> bool:
    """Whether a line gives a trait, such as a telephone, and neither it nor what stands above it names anybody, nor is
    it shown below a heading, by which its owner knows what it is of; of a path it is clear."""
    if each.below or told.line.names or told.above:
        return False
    return has_trait(each.line.content) and not is_mostly_code(each.line.content[:READ])


def _is_of_another(line: Line) -> bool:
    """Whether a line of the file that introduces somebody is about something else: a row of a table, or what stands
    below a heading that speaks of a relative."""
    return line.content[:1] == "|" or any(map(speaks_of_a_relative, line.context))


def _of_its_day(each: Quote) -> Quote:
    """Return a quote about whom a core file introduces: what logs say of that one is no more than what was so on a day,
    although it begins like who that is (`Rolf is back at work`): of seven such lines readers held one useful."""
    return each._replace(topic=each.by_day) if each.topic == WHO and each.line.recorded is not None else each


def _is_so_for_long(each: Quote) -> bool:
    """Whether a core file keeps a line, not of the owner, as what is so whatever the day. Of what logs tell of the
    world, whatever it sounds like, readers of twelve workspaces held one line of nineteen useful."""
    kept = each.core and each.line.recorded is None
    return kept and not (tells_a_moment(each.line.content) or _is_the_owners(each.line))


def _is_the_owners(line: Line) -> bool:
    """Whether a line stands below a heading or bullet about the owner: `User profile`."""
    return any(map(speaks_of_the_owner, line.context[-1:]))


def _told_apart(aliases: Mapping[str, tuple[str, ...]], entities: Mapping[str, Entity]) -> frozenset[str]:
    """Return the names that mean one entity and that the index may have overlooked in a line.

    Whether an entity has a page does not matter, since pages made by one reflect must not change the next.
    """
    return frozenset(
        name
        for name, keys in aliases.items()
        if len(keys) == 1 and keys[0] in entities and (not has_case(name) or name not in entities)
    )
