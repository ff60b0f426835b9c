"""The lines of logs and core files by the entities that they are about, and how much these tell of each."""

from __future__ import annotations

from collections import defaultdict
from heapq import nlargest
from itertools import chain
from math import log
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.memo import reported
from commonplace.core.quotes.about_entity import WORTH_OF_A_DEFINITION
from commonplace.core.quotes.page_quotes import WORTH_QUOTING
from commonplace.core.quotes.quote_choice import OF_ALL, WORTH_LISTING, WORTH_OF_A_DECISION
from commonplace.core.quotes.quote_topics import CAUSES
from commonplace.core.tables import table
from commonplace.core.timeline import ordinal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date

    from commonplace.core.memo import Progress

_FEW_DOINGS = 3
"""Lines with doings that each entity is granted, since few lines prove nothing."""
_FEWEST_NEWS, _NEWS, _MORE_NEWS = 3, 0.25, 3
"""Lines of news with a name, their share of all lines with it, and how many they are for each of a core file, from
which the name is of the news: many of its other lines are further news that no figure gives away."""
_MOST_READ = 200
"""Lines that are read for the page of an entity, the best: a page quotes two dozen."""
_TOLD_BY_NOTES = (*OF_ALL, CAUSES)
"""What undated notes tell the pages of the whole workspace, where a label or heading calls it so."""
_WORTH_READING = WORTH_QUOTING - WORTH_OF_A_DEFINITION
_CORE = "core"
_NOWHERE = ("", 0)


class _SameNames:
    """The lines with the same names: many have."""

    __slots__ = ("good", "lines", "own")

    def __init__(self, own: dict[str, str]) -> None:
        self.own = own
        """The names by the keys of their entities."""
        self.lines: list[WeighedLine] = []
        self.good: list[WeighedLine] = []
        """Those among them that are perhaps worth quoting."""


class WeighedLine(NamedTuple):
    """A line by its worth, without its text."""

    rows: tuple[int, ...]
    """Its row, and those of the lines in which it goes on."""
    day: int | str
    """The day of its log, as an ordinal; the path of an undated file; empty of a file that only defines."""
    score: float
    names: tuple[str, ...]
    """Folded known names in it."""
    above: tuple[int, ...]
    """Rows of the nearest headings and bullets above it, the nearest first."""
    core: bool
    """Whether it stands in a core file."""
    whose: str = ""
    """The name, folded, of the owner or agent whom its file introduces."""
    file: str = ""
    """Path and digest of its file."""
    series: str = ""
    """As of `report_series`, of a report that was made again and again."""
    topic: str = ""
    """As of `quote_topics.topic_of`; empty of what is not worth listing on a page of the whole workspace."""
    tells_who: bool = False
    """As of `quote_topics.tells_who`."""
    states: bool = False
    """As of `Worth.states`."""
    tells: str = ""
    """As of `quote_topics.topic_of`, listed or not; empty if nobody looked for it."""
    ending: bool = False
    """Whether it may tell that something was given up."""
    doings: bool = False
    """As of `textbook.tells_doings`."""
    news: bool = False
    """Whether it is news that somebody read, or material of an article."""


class Mention(NamedTuple):
    """A line about an entity."""

    line: WeighedLine
    name: str
    """The name by which the line names what it is about; empty if only a heading or bullet above it does."""
    above: tuple[str, int]
    """The name by which the nearest heading or bullet names it, and the row of that; `("", 0)` for none."""
    of_file: bool
    """Whether its file introduces it."""


class ListedLine(NamedTuple):
    """A line worth listing on a page of the whole workspace."""

    line: WeighedLine
    names: AbstractSet[str]
    """Keys of the entities that it names, or that its file introduces."""
    above: Mapping[str, tuple[str, int]]
    """Key of each entity that a heading or bullet above it names -> as of `Mention.above`."""


class LinesByEntity:
    """Which of the lines are about an entity, and which are worth listing whatever they are about."""

    def __init__(
        self,
        lines: Sequence[WeighedLine],
        *,
        named: Mapping[int, tuple[str, ...]],
        canonical: Callable[[str], str],
        progress: Progress | None = None,
    ) -> None:
        """Sort the lines.

        Args:
            named: row -> keys of the known names in it.
            canonical: returns the key of the entity of a name.
            progress: called with (lines sorted, lines to sort).
        """
        self.listed: list[ListedLine] = []
        self._every, self._canonical = lines, canonical
        self._of_names: dict[tuple[str, ...], _SameNames] = {}
        self._of_above: dict[tuple[int, ...], dict[str, tuple[str, int]]] = {}
        """Rows above a line -> key of each entity that these name -> as of `Mention.above`."""
        self._naming: defaultdict[str, list[_SameNames]] = defaultdict(list)
        """Key -> the lines that name it."""
        self._beside: defaultdict[str, list[WeighedLine]] = defaultdict(list)
        """Key -> lines about it that do not name it."""
        self._days: dict[str, AbstractSet[int | str]] = {}
        self._best: dict[str, list[Mention]] = {}
        self._sort(lines, named, progress)

    def _sort(
        self, lines: Sequence[WeighedLine], named: Mapping[int, tuple[str, ...]], progress: Progress | None
    ) -> None:
        noise = frozenset(table("pages")["noise"])
        canonical, of_names, of_above = self._canonical, self._of_names, self._of_above
        keys = {name: canonical(name) for names in {*named.values()} for name in names}
        doings = 0
        for line in reported(
            lines, progress, of=len(lines)
        ):  # there may be a hundred thousand, so that each look at a field counts
            _, day, score, in_line, rows_above, core, introduced, _, _, topic, _, states, _, _, does, _ = line
            if (names := of_names.get(in_line)) is None:
                of_names[in_line] = names = _SameNames(
                    {keys.get(name) or canonical(name): name for name in in_line if name not in noise}
                )
                for key in names.own:
                    self._naming[key].append(names)
            if (above := of_above.get(rows_above)) is None:
                above = {keys[name]: (name, row) for row in reversed(rows_above) for name in named.get(row, ())}
                of_above[rows_above] = above
            names.lines.append(line)
            doings += does
            own, whose = names.own.keys(), canonical(introduced) if introduced else ""
            if above or whose:
                for key in self._beside_in(line):
                    self._beside[key].append(line)
            if not (states and score >= _WORTH_READING):
                continue
            names.good.append(line)
            least = WORTH_OF_A_DECISION if topic in OF_ALL else WORTH_LISTING
            if score >= least and (core or isinstance(day, int) or (day and topic in _TOLD_BY_NOTES)):
                self.listed.append(ListedLine(line, own | {whose} if whose else own, above))
        self._does = round(doings / max(1, len(lines)), 2)

    def _lines(self, key: str) -> Iterator[WeighedLine]:
        """Return the lines about an entity."""
        return chain(self._those_naming(key), self._beside.get(key, ()))

    def _those_naming(self, key: str) -> Iterator[WeighedLine]:
        return chain.from_iterable(names.lines for names in self._naming.get(key, ()))

    def _good(self, key: str) -> list[WeighedLine]:
        """Return the lines about an entity that are perhaps worth quoting."""
        naming = chain.from_iterable(names.good for names in self._naming.get(key, ()))
        return [*naming, *(each for each in self._beside.get(key, ()) if each.states and each.score >= _WORTH_READING)]

    def since(self, day: date) -> set[str]:
        """Return the keys of what logs of this day or later mention."""
        since = ordinal(day)
        recent = [each for each in self._every if isinstance(each.day, int) and each.day >= since]
        return {key for each in recent for key in (*self._of_names[each.names].own, *self._beside_in(each))}

    def _beside_in(self, line: WeighedLine) -> AbstractSet[str]:
        """Return the keys of what a line is about and does not name: above it, or introduced by its file."""
        own, above = self._of_names[line.names].own.keys(), self._of_above[line.above].keys()
        return (above | ({self._canonical(line.whose)} if line.whose else ())) - own

    def keys(self, *, lines: int) -> set[str]:
        """Return the keys of what at least so many lines tell about that are perhaps worth quoting."""
        return {key for key in self._naming.keys() | self._beside.keys() if len(self._good(key)) >= lines}

    def days(self, key: str) -> AbstractSet[int | str]:
        """Return the days on which logs tell about an entity, as of `Named.days`."""
        if key not in self._days:
            days = {each.series or each.day for each in self._lines(key) if each.day != ""}
            self._days[key] = days | {_CORE} if any(each.core for each in self._lines(key)) else days
        return self._days[key]

    def newest(self, key: str) -> int:
        """Return the ordinal of the newest day whose log tells of an entity, 0 for none."""
        return max((each.day for each in self._lines(key) if isinstance(each.day, int)), default=0)

    def general(self, key: str) -> float:
        """Return, in tenths, how much less those lines that name an entity tell than others because few of them tell
        what somebody does with it, or how it is: it is a term of a textbook, or a name in the news."""
        naming = [each.doings for each in self._those_naming(key)]
        return round(max(0.0, log((_FEW_DOINGS + self._does * len(naming)) / (_FEW_DOINGS + sum(naming)))), 1)

    def is_of_the_news(self, key: str) -> bool:
        """Return whether logs name an entity mostly in the news, core files hardly ever, and fewer lines than the news
        tell what somebody does with it, or how it is."""
        naming = [*self._those_naming(key)]
        read, doing = sum(each.news for each in naming), sum(each.doings for each in naming)
        many = max(_FEWEST_NEWS, _NEWS * len(naming), _MORE_NEWS * sum(each.core for each in naming))
        return read >= many and read > doing

    def best(self, key: str) -> list[Mention]:
        """Return the lines about an entity, of very many the best."""
        if key not in self._best:
            told = self._good(key)
            least = nlargest(_MOST_READ, [each.score for each in told])[-1:]
            good = [each for each in told if each.score >= least[0]]  # few are compared by place, too
            best = sorted(good, key=lambda each: (-each.score, each.rows))[:_MOST_READ]
            self._best[key] = [self._mention(each, key) for each in best]
        return self._best[key]

    def _mention(self, line: WeighedLine, key: str) -> Mention:
        name, above = self._of_names[line.names].own.get(key, ""), self._of_above[line.above].get(key, _NOWHERE)
        return Mention(line, name, above, bool(line.whose) and self._canonical(line.whose) == key)
