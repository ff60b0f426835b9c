"""The lines of logs and core files by the entities that they are about, and how much these tell of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from heapq import nsmallest
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
    from collections.abc import Callable, Mapping, Sequence
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
_CORE = "core"
_NOWHERE = ("", 0)


class _SameNames:
    """The lines with the same names: many have."""

    __slots__ = ("among", "core", "doings", "lines", "news", "own")

    def __init__(self, own: dict[str, str]) -> None:
        self.own = own
        """The names by the keys of their entities."""
        self.among = [(key, name, _NOWHERE) for key, name in own.items()]
        """The same as `Mention` has them."""
        self.lines = self.doings = self.news = self.core = 0
        """Their number, and how many of them tell doings, are news, and stand in a core file."""


class WeighedLine(NamedTuple):
    """A line by its worth, without its text."""

    rows: tuple[int, ...]
    """Its row, and those of the lines in which it goes on."""
    day: int | str
    """The day of its log, as an ordinal; the path of an undated file; empty of a file that only defines."""
    score: float
    topic: str
    """As of `quote_topics.topic_of`; empty of what is not worth listing on a page of the whole workspace."""
    tells_who: bool
    """As of `quote_topics.tells_who`."""
    states: bool
    """As of `Worth.states`."""
    names: tuple[str, ...]
    """Folded known names in it."""
    above: tuple[int, ...]
    """Rows of the nearest headings and bullets above it, the nearest first."""
    core: bool
    """Whether it stands in a core file."""
    tells: str = ""
    """As of `quote_topics.topic_of`, listed or not; empty if nobody looked for it."""
    whose: str = ""
    """The name, folded, of the owner or agent whom its file introduces."""
    ending: bool = False
    """Whether it may tell that something was given up."""
    file: str = ""
    """Path and digest of its file."""
    series: str = ""
    """As of `report_series`, of a report that was made again and again."""
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
        self._days: defaultdict[str, set[int | str]] = defaultdict(set)
        self._newest: dict[str, int] = {}
        """Key -> ordinal of the newest day whose log tells of it."""
        self._naming, self._doing = Counter[str](), Counter[str]()
        """Key -> number of the lines that name it, and of those among them that tell doings."""
        self._in_news, self._in_core = Counter[str](), Counter[str]()
        """The same of those that are news, and that stand in a core file."""
        self._about: defaultdict[str, list[tuple[WeighedLine, str, tuple[str, int], bool]]] = defaultdict(list)
        """Key -> its `Mention`s; as such only those that are read, since there may be a hundred thousand."""
        self._best: dict[str, list[Mention]] = {}
        self._sort(lines, named, canonical, progress)

    def _sort(
        self,
        lines: Sequence[WeighedLine],
        named: Mapping[int, tuple[str, ...]],
        canonical: Callable[[str], str],
        progress: Progress | None,
    ) -> None:
        noise = frozenset(table("pages")["noise"])
        keys = {name: canonical(name) for names in {*named.values()} for name in names}
        of_names: dict[tuple[str, ...], _SameNames] = {}
        of_above: dict[tuple[int, ...], dict[str, tuple[str, int]]] = {}
        days_of, newest_of = self._days, self._newest
        for line in reported(
            lines, progress, of=len(lines)
        ):  # there may be a hundred thousand, so that each look at a field counts
            _, day, score, topic, _, states, in_line, rows_above, core, _, introduced, _, _, report, does, news = line
            if (names := of_names.get(in_line)) is None:
                of_names[in_line] = names = _SameNames(
                    {keys.get(name) or canonical(name): name for name in in_line if name not in noise}
                )
            if (above := of_above.get(rows_above)) is None:
                above = {keys[name]: (name, row) for row in reversed(rows_above) for name in named.get(row, ())}
                of_above[rows_above] = above
            own, among = names.own, names.among
            names.lines += 1
            names.doings += does
            names.news += news
            names.core += core
            if above:
                among = [(key, own.get(key, ""), above.get(key, _NOWHERE)) for key in {**own, **above}]
            whose = canonical(introduced) if introduced else ""
            good = states and score >= WORTH_QUOTING - WORTH_OF_A_DEFINITION
            least = WORTH_OF_A_DECISION if topic in OF_ALL else WORTH_LISTING
            if good and score >= least and (core or isinstance(day, int) or (day and topic in _TOLD_BY_NOTES)):
                self.listed.append(ListedLine(line, own.keys() | {whose} if whose else own.keys(), above))
            beside = [(whose, "", _NOWHERE)] if whose and whose not in own and whose not in above else []
            for key, name, head in [*among, *beside] if beside else among:
                if day != "":
                    days_of[key].add(report or day)
                if isinstance(day, int) and day > newest_of.get(key, 0):
                    newest_of[key] = day
                if core:
                    days_of[key].add(_CORE)
                if good:
                    self._about[key].append((line, name, head, bool(whose) and key == whose))
        for names in of_names.values():
            for key in names.own:
                self._naming[key] += names.lines
                self._doing[key] += names.doings
                self._in_news[key] += names.news
                self._in_core[key] += names.core
        self._does = round(sum(names.doings for names in of_names.values()) / max(1, len(lines)), 2)

    def since(self, day: date) -> set[str]:
        """Return the keys of what logs of this day or later mention."""
        since = ordinal(day)
        return {key for key, newest in self._newest.items() if newest >= since}

    def keys(self, *, lines: int) -> set[str]:
        """Return the keys of what at least so many lines tell about that are perhaps worth quoting."""
        return {key for key, mentions in self._about.items() if len(mentions) >= lines}

    def days(self, key: str) -> AbstractSet[int | str]:
        """Return the days on which logs tell about an entity, as of `Named.days`."""
        return self._days.get(key, frozenset())

    def newest(self, key: str) -> int:
        """Return the ordinal of the newest day whose log tells of an entity, 0 for none."""
        return self._newest.get(key, 0)

    def general(self, key: str) -> float:
        """Return, in tenths, how much less those lines that name an entity tell than others because few of them tell
        what somebody does with it, or how it is: it is a term of a textbook, or a name in the news."""
        usual = _FEW_DOINGS + self._does * self._naming[key]
        return round(max(0.0, log(usual / (_FEW_DOINGS + self._doing[key]))), 1)

    def is_of_the_news(self, key: str) -> bool:
        """Return whether logs name an entity mostly in the news, core files hardly ever, and fewer lines than the news
        tell what somebody does with it, or how it is."""
        read = self._in_news[key]
        many = max(_FEWEST_NEWS, _NEWS * self._naming[key], _MORE_NEWS * self._in_core[key])
        return read >= many and read > self._doing[key]

    def best(self, key: str) -> list[Mention]:
        """Return the lines about an entity, of very many the best."""
        if key not in self._best:
            best = nsmallest(_MOST_READ, self._about.get(key, ()), key=lambda each: (-each[0].score, each[0].rows))
            self._best[key] = [Mention(*each) for each in best]
        return self._best[key]
