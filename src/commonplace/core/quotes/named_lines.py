"""What logs tell about one entity, how much that is, and which lines that name it are about it."""

from __future__ import annotations

from math import log, log1p
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.changes.change_lexicon import REPLACED, cues
from commonplace.core.entities.entity_kinds import PERSON, kind_of
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.household_names import is_household
from commonplace.core.entities.introductions import introduces, names_somebody
from commonplace.core.quotes.about_entity import (
    NAMES_ONLY,
    about,
    begins_with,
    is_early,
    is_first,
    lists_names,
    names_it,
)
from commonplace.core.quotes.page_lines import shown_day
from commonplace.core.quotes.page_quotes import LOGGED, NOTES, Quote, of_another
from commonplace.core.quotes.quote_subject import (
    in_passing,
    is_listed,
    labelled_by_another,
    only_tells_when,
    only_within,
)
from commonplace.core.quotes.quote_topics import WHO
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.timeline import ordinal

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from collections.abc import Set as AbstractSet

    from commonplace.core.model import Citation
    from commonplace.core.quotes.lines_by_entity import Mention

_HEADED, _MOST_HEADINGS = 0.25, 3
"""How much more each heading or bullet of its own tells of an entity, and how many count."""


_MOST_NAMED, _ITEM = 3, 1.5
"""Names in a line, from which it is only about those with which it begins; and how much less it is worth to all but
the first, which are items of a list."""
_LIVED = 3
"""Days of logs that name what undated notes tell about, from which it is something of the owner's."""
_RELATION = 16
"""Characters before the name of somebody, which may say whose that is: `Sister Anna`."""
_CHANGES = frozenset((REPLACED, "off"))
"""Cues of what was replaced or given up."""
_COLON = lazy_pattern(r"[:：]")


class Named(NamedTuple):
    """What logs tell about one entity."""

    quotes: list[Quote]
    """The lines worth quoting that name it, or stand below a heading or bullet that does."""
    days: AbstractSet[object]
    """Days, or paths of undated files, of all lines about it; the core files count as one more, as does a series of
    reports."""
    others: Sequence[Quote] = ()
    """Lines as good that are right, but of little use: they fill the page of what is told of often."""
    general: float = 0.0
    """How much less it tells because its lines say what is so in general."""
    noted: bool = False
    """Whether the workspace keeps notes by subject instead of logs: then a file stands for a day."""

    def lived(self) -> bool:
        """Whether a log has one of them, or a core file one that is no mere note, or logs of several days name it: what
        only notes tell of is often a textbook's."""
        quotes = (*self.quotes, *self.others)
        days = sum(self.noted or isinstance(day, int) for day in self.days)
        return days >= _LIVED or any(each.line.recorded or _is_the_owners(each) for each in quotes)

    def kept_by_owner(self, name: str) -> list[Quote]:
        """Return the newest lines of core files that begin with the name, if only figures, which are rows of what is
        held, and those of later days that tell of a change."""
        named = [each for each in self.others if each.fault != "over" and begins_with(each, entity_key(name))]
        rows = [each for each in named if each.core]
        last = max((ordinal(shown_day(each.line)) for each in rows), default=0)
        kept = [each for each in rows if ordinal(shown_day(each.line)) == last]
        later = (each for each in named if not each.core and ordinal(each.line.recorded) > last)
        return kept and [*kept, *(each for each in later if not _CHANGES.isdisjoint(cues(each.line.content)))]

    def with_rows(self, kept: Collection[Quote]) -> Named:
        """Return the same with the rows of tables that the owner keeps among the good lines."""
        rows = [each for each in kept if each.core and each.line.content[:1] == "|"]
        good = [*self.quotes, *(each._replace(fault="") for each in rows)]
        return self._replace(quotes=good, others=[each for each in self.others if each not in rows])

    def without(self, left: Collection[Citation]) -> Named:
        """Return the same without the quotes of some lines."""
        quotes, others = (
            [each for each in those if each.line.source not in left] for those in (self.quotes, self.others)
        )
        return self._replace(quotes=quotes, others=others)

    def introduced(self) -> bool:
        """Whether a core file that introduces owner or agent tells who that is."""
        return any(each.topic == WHO and introduces(each.line.source.path) for each in self.quotes)

    def telling(self, name: str) -> float:
        """Return how much they tell: by days, lines worth quoting, lines that begin with the name, core files and
        headings; more of a name that only a person has, less of a mere acronym and of a name that everybody knows.

        Fitted by hand on the names in six real workspaces that their readers held worth a page: 74 of the 116 best are;
        without the names that everybody knows 74 of 135.
        """
        quotes = [*self.quotes, *self.others]
        core = any(each.core for each in quotes)
        headings = len({each.below for each in quotes if each.below})
        acronym = name.isascii() and name.isupper()
        subject = sum(begins_with(each, entity_key(name)) for each in quotes) / max(1, len(quotes))
        told = log(max(1, len(self.days))) + 0.5 * log1p(len(quotes)) + subject
        somebody = kind_of((name,), ()) == PERSON
        known = is_household(name)
        return (
            told
            + 0.6 * core
            + _HEADED * min(_MOST_HEADINGS, headings)
            + 0.25 * (headings > 0)
            + 0.4 * somebody
            - 0.7 * acronym
            - 1.2 * known
        )


def as_named(quoted: Quote, mention: Mention, key: str) -> Quote | None:
    """Return a quote as it is about what its own words name; None if they are about something else.

    Args:
        key: of the entity, which may have another name than the one in the line.
    """
    name, names = mention.name, mention.line.names
    if mention.of_file and name not in ("", key) and _only_names(quoted.line.content, name):
        return quoted  # `Name: Rolf Berg`, on Rolf's page
    others = introduces(quoted.line.source.path) and not mention.of_file
    if others and (of_another(quoted.line) or not _begins(quoted, name)):
        return None
    if not name or not names_it(quoted, name) or in_passing(quoted.line.content, name):
        return None
    passing = only_tells_when(quoted.line.content, name) or only_within(quoted.line.content, name, names)
    if passing or (len(names) > _MOST_NAMED and not begins_with(quoted, name)):
        return None
    seen = about(quoted, name)
    if len(names) > _MOST_NAMED and not is_first(quoted, name, names):
        seen = seen._replace(score=seen.score - _ITEM)
    if not seen.fault and is_listed(quoted.line.content, name):
        seen = seen._replace(fault="listed")
    leads = is_early if seen.topic in (LOGGED, NOTES) else begins_with
    if not seen.fault and (not leads(quoted, name) or labelled_by_another(quoted.line.content, name)):
        seen = seen._replace(fault="late")
    if mention.line.day == "" and seen.topic != WHO:
        return None
    return seen._replace(score=seen.score - NAMES_ONLY) if lists_names(seen.line, names) else seen


def _is_the_owners(each: Quote) -> bool:
    """Whether a line of a core file is no mere note, or introduces owner or agent."""
    return each.core and (each.topic != NOTES or introduces(each.line.source.path))


def _only_names(text: str, name: str) -> bool:
    """Whether a line only gives a name, behind a label or alone."""
    return names_somebody(text) or entity_key(text.strip("*_ ")) == name


def _begins(quoted: Quote, name: str) -> bool:
    """Return whether a line names something at its start or just behind its label: of a file that introduces somebody,
    the others are about that one."""
    said = [entity_key(each.lstrip(" *_")) for each in _COLON.split(quoted.line.content, maxsplit=1)]
    return any(name in each[: _RELATION + len(name)] for each in said)
