"""Which lines of logs and core files pages may quote, what each is worth, and about whom it is."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from heapq import nsmallest
from math import log
from typing import TYPE_CHECKING, Any

from commonplace.core.changes.change_lexicon import cues
from commonplace.core.entities.entity_kinds import PERSON, kind_of
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.introductions import introduces, speaks_of_the_owner
from commonplace.core.entities.name_finder import NameFinder
from commonplace.core.entities.name_uses import Place, name_uses
from commonplace.core.extract.line_labels import labelled
from commonplace.core.extract.readable_line import table_row
from commonplace.core.memo import Findings, reported
from commonplace.core.model import Fact, Role
from commonplace.core.quotes.page_quotes import (
    EARLIER,
    LOGGED,
    WORTH_OF_A_DEFINITION,
    WORTH_QUOTING,
    Quote,
    below,
    names_it,
    quote,
)
from commonplace.core.quotes.quote_choice import FEWEST, MOST_TRIED, OF_ALL, WORTH_LISTING, WORTH_OF_A_DECISION, listed
from commonplace.core.quotes.quote_faults import RIGHT
from commonplace.core.quotes.quote_leads import is_bare_fix, is_title, lead, leads_in, shown_heading, with_siblings
from commonplace.core.quotes.quote_subject import (
    heading_share,
    in_passing,
    only_within,
)
from commonplace.core.quotes.quote_topics import (
    CAUSES,
    DECISIONS,
    NO_SUBJECT,
    OTHER,
    PREFERENCES,
    WHO,
    concludes,
    demands,
    topic_of,
)
from commonplace.core.quotes.quote_words import READ, behind_label, has_trait, instructs, is_mostly_code, tells_a_moment
from commonplace.core.secrets.guard import looks_like
from commonplace.core.tables import table
from commonplace.core.text.normalize import fold, has_case
from commonplace.core.timeline import ordinal
from commonplace.ops.beliefs.named_lines import Mention, Named, as_named
from commonplace.ops.beliefs.outdated_lines import NewerLines, day_of
from commonplace.ops.beliefs.told_anew import ToldAnew
from commonplace.ops.beliefs.weighed_lines import names_above, weighed_lines
from commonplace.ops.beliefs.what_ended import WhatEnded

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date

    from commonplace.core.memo import Progress
    from commonplace.core.model import AnyLine, Citation, Line
    from commonplace.core.review.line_changes import AcceptedChange
    from commonplace.core.secrets.redaction import Withheld
    from commonplace.ops.beliefs.weighed_lines import WeighedLine
    from commonplace.store.sqlite import Index
    from commonplace.store.sqlite.fact_queries import Entity
    from commonplace.store.workspace import Workspace

_MANY_DAYS, _MANY_LINES, _WORTH_FILLING = 4, 12, -1.0
"""Days or lines from which an entity with fewer such lines is told of by its next best, and what those are worth at
least."""
_FEW_DOINGS = 3
"""Lines with doings that each entity is granted, since few lines prove nothing."""
_FEWEST_NEWS, _NEWS, _MORE_NEWS = 3, 0.25, 3
"""Lines of news with a name, their share of all lines with it, and how many they are for each of a core file, from
which the name is of the news: many of its other lines are further news that no figure gives away."""
_MOST_READ = 200
"""Lines that are read for the page of an entity, the best: a page quotes two dozen."""


_OF_ITS_PAGE = ("score", "topic", "below", "fault")
"""What of a quote depends on the page."""
_OF_A_MOMENT = frozenset(("fails", "works"))
"""What a line may say of a state and yet only tell of a moment."""
_CORE = "core"
_FIX, _PROBLEM = "cause", "event"
"""Signs of labels: of what solves a problem or explains it, and of what happened."""
_NEAR = 2
"""Lines before a fix, among which its problem stands."""


_Names = tuple[dict[str, str], list[tuple[str, str, tuple[str, int]]]]
"""Names in a line by the keys of their entities, and the same as `Mention` has them."""


class Quotable:
    """The lines that pages may quote; only those that may be on a page are read."""

    def __init__(
        self,
        index: Index,
        lines: Sequence[WeighedLine],
        *,
        named: Mapping[int, tuple[str, ...]],
        withheld: Withheld,
        canonical: Callable[[str], str],
        accepted: Iterable[str] = (),
        changes: Sequence[AcceptedChange] | None = None,
        progress: Progress | None = None,
        findings: Findings | None = None,
    ) -> None:
        """Sort the lines by what they are about.

        Args:
            named: row -> keys of the known names in it.
            withheld: what must not be repeated.
            canonical: returns the key of the entity of a name.
            accepted: proposals that a person let reflect write into the core: what they come from is on pages already.
            changes: accepted ones; None: as indexed.
            findings: what earlier passes found in the same lines.
            progress: called with (lines sorted, lines to sort).
        """
        self._index, self._named, self._withheld = index, named, withheld
        self._findings = findings or Findings()
        self._newer = NewerLines(index, accepted=changes)
        self._anew = ToldAnew(index, {**named, **{line.rows[0]: line.names for line in lines}})
        self._ours = frozenset(map(fold, accepted))
        self._days: defaultdict[str, set[int | str]] = defaultdict(set)
        self._newest_of: dict[str, int] = {}
        """Key -> ordinal of the newest day whose log tells of it."""
        self._naming, self._doing = Counter[str](), Counter[str]()
        """Key -> number of the lines that name it, and of those among them that tell doings."""
        self._in_news, self._in_core = Counter[str](), Counter[str]()
        """The same of those that are news, and that stand in a core file."""
        self._about: defaultdict[str, list[tuple[WeighedLine, str, tuple[str, int], bool]]] = defaultdict(list)
        """Key -> its `Mention`s; as such only those that are read, since there may be a hundred thousand."""
        self._listed: list[tuple[WeighedLine, AbstractSet[str], Mapping[str, tuple[str, int]]]] = []
        """Lines worth listing, with the names in them and above them by the keys of their entities."""
        self._read: dict[int, Quote] = {}
        self._rows: dict[Citation, int] = {}
        """Place of a read line -> its row."""
        self._names: dict[Citation, tuple[str, ...]] = {}
        self._bullets: dict[Citation, int] = {}
        """Place of a read line -> the row of the nearest heading or bullet above it."""
        self._ended = WhatEnded(lines, self._quotes)
        whose = {line.whose for line in lines if line.whose}
        self._whose = whose.union(*map(str.split, whose))
        """Names of owner and agent, and the words of these."""
        self._parents = {above[0] for above in {line.above for line in lines} if above}
        self._newest = max((day for day in {line.day for line in lines} if isinstance(day, int)), default=0)
        self._best: dict[str, list[Mention]] = {}
        self._apart = repr((sorted(self._ours), sorted(withheld.lines.items())))
        """What the quotes depend on, beside their lines and the newest day."""
        self._sort(lines, named, canonical, progress)

    def _sort(
        self,
        lines: Sequence[WeighedLine],
        named: Mapping[int, tuple[str, ...]],
        canonical: Callable[[str], str],
        progress: Progress | None,
    ) -> None:
        """Sort the lines by what they are about."""
        noise = frozenset(table("pages")["noise"])
        keys = {name: canonical(name) for names in {*named.values()} for name in names}
        of_names: dict[tuple[str, ...], _Names] = {}  # many lines have the same names
        of_above: dict[tuple[int, ...], dict[str, tuple[str, int]]] = {}
        days_of, newest_of = self._days, self._newest_of
        naming, doing, read, held = (Counter[tuple[str, ...]]() for _ in range(4))
        for line in reported(
            lines, progress, of=len(lines)
        ):  # there may be a hundred thousand, so that each look at a field counts
            _, day, score, topic, _, states, in_line, rows_above, core, _, introduced, _, _, report, does, news = line
            if (names := of_names.get(in_line)) is None:
                own = {keys.get(name) or canonical(name): name for name in in_line if name not in noise}
                of_names[in_line] = names = own, [(key, name, ("", 0)) for key, name in own.items()]
            if (above := of_above.get(rows_above)) is None:
                above = {keys[name]: (name, row) for row in reversed(rows_above) for name in named.get(row, ())}
                of_above[rows_above] = above
            own, among = names
            naming[in_line] += 1
            doing[in_line] += does
            read[in_line] += news
            held[in_line] += core
            if above:
                among = [(key, own.get(key, ""), above.get(key, ("", 0))) for key in {**own, **above}]
            whose = canonical(introduced) if introduced else ""
            good = states and score >= WORTH_QUOTING - WORTH_OF_A_DEFINITION
            least = WORTH_OF_A_DECISION if topic == DECISIONS else WORTH_LISTING
            if good and score >= least and (core or isinstance(day, int)):
                self._listed.append((line, own.keys() | {whose} if whose else own.keys(), above))
            beside = [(whose, "", ("", 0))] if whose and whose not in own and whose not in above else []
            for key, name, head in [*among, *beside] if beside else among:
                if day != "":
                    days_of[key].add(report or day)
                if isinstance(day, int) and day > newest_of.get(key, 0):
                    newest_of[key] = day
                if core:
                    days_of[key].add(_CORE)
                if good:
                    self._about[key].append((line, name, head, bool(whose) and key == whose))
        for in_line, count in naming.items():
            self._naming.update(dict.fromkeys(of_names[in_line][0], count))
            self._doing.update(dict.fromkeys(of_names[in_line][0], doing[in_line]))
            self._in_news.update(dict.fromkeys(of_names[in_line][0], read[in_line]))
            self._in_core.update(dict.fromkeys(of_names[in_line][0], held[in_line]))
        self._does = round(doing.total() / max(1, naming.total()), 2)

    def since(self, day: date) -> set[str]:
        """Return the keys of what logs of this day or later mention."""
        since = ordinal(day)
        return {key for key, newest in self._newest_of.items() if newest >= since}

    def keys(self, *, lines: int) -> set[str]:
        """Return the keys of what at least so many lines tell about that are perhaps worth quoting."""
        return {key for key, mentions in self._about.items() if len(mentions) >= lines}

    def chosen(self, key: str, *, known: Sequence[str], choose: Callable[[Named], list[Quote]]) -> list[Quote]:
        """Return `choose(self.about(key))`; if the lines are those of an earlier pass, only what was chosen is read.

        Args:
            known: what else the choice depends on.
        """
        lines = {each.line.rows[0]: each.line for each in self._telling(key)}

        def ahead() -> list[int]:
            return sorted(each.until for each in self._quotes(lines.values()).values() if each.until is not None)

        def find() -> list[tuple[Any, ...]]:
            told = self.about(key)
            chosen = choose(told)
            while leaking := {each.line.source for each in chosen if looks_like(each.line.content)}:
                told = told.without(leaking)  # no page would show it, so that another takes its place
                chosen = choose(told)
            rows = {each.line.source: row for row, each in self._quotes(lines.values()).items()}
            return [(rows[each.line.source], *(getattr(each, name) for name in _OF_ITS_PAGE)) for each in chosen]

        told = [self._apart]
        told += (repr((*each.line, *each[1:], self._named.get(each.above[1], ()))) for each in self._telling(key))
        over = bisect_left(self._findings.in_texts("ahead", told, ahead), self._newest)
        depends = str((over, self.days(key) >= _MANY_DAYS))
        found = self._findings.in_texts("chosen", (depends, *known, *told), find)
        read = self._quotes(lines[row] for row, *_ in found)
        return [read[row]._replace(**dict(zip(_OF_ITS_PAGE, told, strict=True))) for row, *told in found]

    def days(self, key: str) -> int:
        """Return on how many days logs tell about an entity, as of `Named.days`."""
        return len(self._days.get(key, ()))

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

    def _telling(self, key: str) -> list[Mention]:
        """Return the lines about an entity, of very many the best."""
        if key not in self._best:
            best = nsmallest(_MOST_READ, self._about.get(key, ()), key=lambda each: (-each[0].score, each[0].rows))
            self._best[key] = [Mention(*each) for each in best]
        return self._best[key]

    def about(self, key: str) -> Named:
        """Return what logs tell about an entity, of very much the best."""
        mentions = self._telling(key)
        read = self._quotes([each.line for each in mentions])
        found = Named([], self._days.get(key, set()))
        headings = self._index.texts({each.above[1] for each in mentions if each.above[1]})
        for each in mentions:
            if (quoted := read.get(each.line.rows[0])) is None:
                continue
            seen = as_named(quoted, each, key)
            by, above = each.above
            if seen is None and above and not only_within(headings[above][2], by, self._named.get(above, ())):
                seen = below(quoted, headings[above][2], by)
            if seen is None and each.of_file and quoted.line.content[:1] != "|":
                seen = quoted
            if seen is not None and seen.fault == "praise" and kind_of((key,), ()) == PERSON:
                seen = seen._replace(fault="")  # what somebody is given, or is good at
            if seen is not None:
                found.quotes.append(seen)
        good = [each for each in found.quotes if each.score >= WORTH_QUOTING and not each.fault]
        often = len(found.days) >= _MANY_DAYS or len(mentions) >= _MANY_LINES
        spare = [each for each in found.quotes if each.fault in RIGHT and each.score >= WORTH_QUOTING]
        if often and len(good) < FEWEST:
            least = [each for each in found.quotes if each.score >= _WORTH_FILLING]
            good = [each for each in least if not each.fault]
            spare = [each for each in least if each.fault in RIGHT]
        told = Named(good, found.days, general=self.general(key))
        return told._replace(others=spare) if often or told.introduced() else told

    def best(self, *topics: str, but: Collection[str] = ()) -> list[Quote]:
        """Return the quotes for a page of the whole workspace.

        Args:
            but: keys of entities whose lines are left to their own pages.
        """
        bonus: float = table("worth")["weights"]["core file"]
        among = {
            line.rows[0]: (line, above)
            for line, own, above in self._listed
            if own.isdisjoint(but) and (line.topic in topics or (PREFERENCES in topics and _may_be_a_rule(line)))
        }
        best = sorted(
            (line for line, _ in among.values()),
            key=lambda line: (bonus * (line.core and line.topic not in OF_ALL) - line.score, line.rows),
        )
        told = self._quotes(best[:MOST_TRIED])
        mine = [
            each._replace(topic=CAUSES) if CAUSES in topics else each  # there a cause by its words alone is one, too
            for row, each in told.items()
            if not (each.fault or self._left_to_others(each, among[row][1], but))
            and (each.topic in topics or CAUSES in topics or (OTHER in topics and each.topic not in OF_ALL))
            and not (but and introduces(each.line.source.path))
            and not (WHO in topics and (tells_a_moment(each.line.content) or _is_the_owners(each.line)))
            and not (CAUSES in topics and concludes(each.line.content))
        ]
        rows = {each.line.source: row for row, each in told.items()}  # a long line has several
        shown = [self._below_a_name(each, among[rows[each.line.source]]) for each in listed(mine)]
        led = [each for each in self.with_leads(shown) if not is_bare_fix(each)]
        return [each for each in led if not (WHO in topics and _is_of_nobody(each, *among[rows[each.line.source]]))]

    def _below_a_name(self, each: Quote, told: tuple[WeighedLine, Mapping[str, tuple[str, int]]]) -> Quote:
        """Return a quote with the nearest heading or bullet above it that is about something known, where its own words
        name nothing."""
        line, above = told
        if line.names or not above:
            return each
        headings = self._index.texts({row for _, row in above.values()})
        texts = ((headings[row][2], name) for name, row in above.values())
        naming = [text for text, name in texts if text[:1] != "|" and heading_share(text, name)]
        nearest = next((text for text in reversed(each.line.context) if text in naming), "")
        return each._replace(below=nearest)

    def _left_to_others(self, each: Quote, above: Mapping[str, tuple[str, int]], but: Collection[str]) -> bool:
        """Whether a heading or bullet above a line is about an entity to whose page it is left."""
        names = [name for key, (name, _) in above.items() if key in but]
        return any(heading_share(text, name) for name in names for text in each.line.context)

    def with_leads(self, quotes: Iterable[Quote], key: str = "") -> list[Quote]:
        """Return the quotes, each that needs it with the problem that it solves, or with the heading or bullet above
        it, but for one that must not be repeated.

        Args:
            key: of the entity whose page quotes them.
        """
        quotes = [*quotes]
        problems, subjects = self._problems(quotes), self._subjects(quotes)
        found = []
        for each in quotes:
            known = subjects.get(each.line.source, ())
            if each.below:
                shown = shown_heading(each.line, each.below, key, names=self._whose, known=known)
            else:
                shown = lead(each.line, key, names=self._whose, known=known)
            found.append(each._replace(below=shown))
        told = (each._replace(below=problems.get(each.line.source) or each.below) for each in with_siblings(found))
        told = (each._replace(below="") if self._withheld.repeated(each.below) else each for each in told)
        return [each._replace(topic=each.by_day) if is_bare_fix(each) else each for each in told]

    def _problems(self, quotes: Iterable[Quote]) -> dict[Citation, str]:
        """Return, by the source of each quote that is labelled as a fix or cause, what the line just above it in the
        same list is labelled as: the problem, what happened."""
        fixes = {each.line.source for each in quotes if labelled(each.line.content)[0] == _FIX}
        rows = {self._rows[source]: source for source in fixes if source in self._rows}
        if not rows:
            return {}
        parents = {row: told[0] for row, told in self._index.texts(rows).items()}
        found = {}
        for row, (before, _) in self._index.neighbours(rows, before=_NEAR, after=0).items():
            labels = (labelled(text) for _, parent, text in before if parent == parents[row])
            found[rows[row]] = next((text for sign, text in labels if sign == _PROBLEM), "")
        return found

    def _subjects(self, quotes: Iterable[Quote]) -> dict[Citation, tuple[str, ...]]:
        """Return, by the source of each quote below one short word, the keys of the names in that, and its own if it is
        a bullet: most headings of one word are sections."""
        last = {each.line.source: each.line.context[-1] for each in quotes if each.line.context}
        rows = {source: self._bullets.get(source, 0) for source, text in last.items() if NO_SUBJECT.fullmatch(text)}
        stored = self._index.lines({row for row in rows.values() if row})
        bullets = {row for row, each in stored.items() if each.role is Role.BULLET}
        own = {source: (entity_key(last[source]),) if row in bullets else () for source, row in rows.items()}
        return {source: (*own[source], *self._named.get(row, ())) for source, row in rows.items()}

    def with_newer(self, quotes: Sequence[Quote]) -> list[Quote]:
        """Return the quotes, each outdated one with the line that outdates it: a millisecond or two for each quote."""
        newer = self._newer.of([each.line for each in quotes]) | self._ended.of(quotes, self._names)
        for source, line in self._anew.of(quotes).items():
            newer[source] = max(newer.get(source, line), line, key=day_of)
        newer |= self._anew.of_siblings(quotes, newer)
        newer |= self._with_their_bullets([each for each in quotes if each.line.source not in newer])
        return [each._replace(newer=newer.get(each.line.source)) for each in quotes]

    def with_current(self, quotes: Sequence[Quote], key: str) -> list[Quote]:
        """Return the quotes for the page of an entity and, with those that are outdated, the lines which outdate them
        and name it: an owner asks what holds. What held for a moment is history once a later day tells of it."""
        newer = {each.newer.source: each for each in quotes if each.newer and not isinstance(each.newer, Fact)}
        rows = self._index.rows_at(newer.keys() - {each.line.source for each in quotes})
        found = []
        for line in (told.line for told in self._index.told_at(rows.values())):
            told = quote(line, newer[line.source].score, OTHER, tells_who=False, core=False, newest=self._newest)
            fits = names_it(told, key) and not in_passing(line.content, key) and not leads_in(line)
            if fits and self._may_quote(line) and (not told.fault or told.fault in RIGHT - {"over"}):
                found.append(told)
        last = self._newest_of.get(key, 0)
        shown = (each._replace(topic=EARLIER) if _has_passed(each, last) else each for each in quotes)
        return [*(each for each in self.with_newer(found) if each.newer is None), *shown]

    def _may_quote(self, line: Line) -> bool:
        """Whether a line may be repeated and is no row of a table without a head."""
        return self._withheld.shows(line) and (line.content[:1] != "|" or table_row(line) is not None)

    def _with_their_bullets(self, quotes: Iterable[Quote]) -> dict[Citation, AnyLine]:
        """Return, by the source of each quote below a bullet that is outdated, the line that outdates that bullet; but
        not of a rule that names nothing of what its bullet names: it may hold when what gave rise to it is over."""
        rows = {each.line.source: self._bullets.get(each.line.source, 0) for each in quotes}
        stored = self._index.lines({row for row in rows.values() if row})
        above = {
            row: each.line
            for row, each in stored.items()
            if each.role is Role.BULLET and not isinstance(each.line, Fact)
        }
        below = {
            each.line.source: each
            for each in quotes
            if (row := rows[each.line.source]) in above
            and not _outlives(each.line.content, above[row].content, self._named.get(row, ()))
        }
        asked = {above[rows[source]].source: each._replace(line=above[rows[source]]) for source, each in below.items()}
        newer = self._newer.of([each.line for each in asked.values()]) | self._anew.of(asked.values())
        found = ((source, newer.get(above[rows[source]].source)) for source in below)
        return {source: line for source, line in found if line is not None}

    def _quotes(self, lines: Iterable[WeighedLine]) -> dict[int, Quote]:
        """Row -> the quote of each line that may be repeated."""
        wanted = {line.rows[0]: line for line in lines}
        missing = [line for row, line in wanted.items() if row not in self._read]
        for told in self._index.told_at(row for line in missing for row in line.rows):
            line = wanted[told.rows[0]]
            if (
                self._may_quote(told.line)
                and not leads_in(told.line)
                and not (told.rows[0] in self._parents and is_title(told.line))
                and not (line.core and fold(told.line.content) in self._ours)
            ):
                topic = line.topic or line.tells or topic_of(told.line, who=line.tells_who)
                read = quote(
                    told.line,
                    line.score,
                    topic,
                    tells_who=line.tells_who,
                    core=line.core,
                    newest=self._newest,
                    findings=self._findings,
                )
                self._read[told.rows[0]], self._rows[read.line.source] = read, told.rows[0]
                self._names[read.line.source] = line.names
                self._bullets[read.line.source] = line.above[0] if line.above else 0
        return {row: self._read[row] for row in wanted if row in self._read}


def _has_passed(each: Quote, last: int) -> bool:
    """Whether a line only tells what held for a moment, on a day before the last: it says nothing of who or what there
    is, of a day to come, or of a change that holds since then, as of a name."""
    if each.fault != "moment" or each.topic != LOGGED or each.until is not None:
        return False
    return 0 < ordinal(each.line.recorded) < last and cues(each.line.content) <= _OF_A_MOMENT


def _outlives(text: str, bullet: str, known: Iterable[str]) -> bool:
    """Whether a line says a rule, whatever it stands below, and names nothing of what the bullet above it names.

    Args:
        known: folded known names in the bullet.
    """
    if not (demands(text) or instructs(behind_label(text))):
        return False
    uses = (fold(use.name) for use in name_uses(bullet, Role.BULLET) if use.place is not Place.LABEL)
    said = fold(text)
    return not any(name in said for name in (*known, *uses))


def _may_be_a_rule(line: WeighedLine) -> bool:
    """Whether a line may be read as a rule although nothing says so plainly: in a file that introduces owner or agent
    an order is how to behave."""
    return line.core and line.topic in (WHO, OTHER) and introduces(line.file.rpartition(" ")[0])


def _is_of_nobody(each: Quote, told: WeighedLine, above: Mapping[str, tuple[str, int]]) -> bool:
    """Whether a line gives a trait, such as a telephone, and neither it nor what stands above it names anybody, nor is
    it shown below a heading of a core file, by which its owner knows what it is of; of a path it is clear."""
    if (each.below and each.core) or told.names or above:
        return False
    return has_trait(each.line.content) and not is_mostly_code(each.line.content[:READ])


def _is_the_owners(line: Line) -> bool:
    """Whether a line stands below a heading or bullet about the owner: `User profile`."""
    return any(map(speaks_of_the_owner, line.context[-1:]))


def worth_quoting(
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
) -> Quotable:
    """Return the lines that pages may quote.

    Args:
        withheld, canonical, accepted, changes, findings: as of `Quotable`.
        aliases: folded names -> keys of the entities that they may mean.
        entities: by key.
        progress: called with (lines read, lines to read).
    """
    names = _told_apart(aliases, entities) - frozenset(table("pages")["noise"])
    named = index.names_in_rows()
    lines = weighed_lines(index, workspace, NameFinder(names), named, progress=progress)
    sure = index.tagged_names()
    named |= names_above(index, NameFinder(name for name in names if aliases[name][0] in sure), lines, named)
    return Quotable(
        index,
        lines,
        named=named,
        withheld=withheld,
        canonical=canonical,
        accepted=accepted,
        changes=changes,
        progress=progress,
        findings=findings,
    )


def _told_apart(aliases: Mapping[str, tuple[str, ...]], entities: Mapping[str, Entity]) -> frozenset[str]:
    """Return the names that mean one entity and that the index may have overlooked in a line.

    Whether an entity has a page does not matter, since pages made by one reflect must not change the next.
    """
    return frozenset(
        name
        for name, keys in aliases.items()
        if len(keys) == 1 and keys[0] in entities and (not has_case(name) or name not in entities)
    )
