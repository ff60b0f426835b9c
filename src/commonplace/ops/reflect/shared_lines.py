"""Which page shows a log line that several would quote: each line stands once, where a reader looks for it.

A rule or decision of something stands on the page of that, and the pages of the whole workspace link to it; one of the
owner or the agent, whom the workspace is about, stands on those. What names two things stands on the page of the one
that it tells more of. No page gets too short by this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.introductions import introduces, speaks_of_a_relative
from commonplace.core.quotes.quote_choice import FEWEST, OF_ALL
from commonplace.core.quotes.quote_topics import WHO

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from commonplace.core.model import Citation
    from commonplace.core.pages.entity_pages import Subject
    from commonplace.core.quotes.page_quotes import Quote


class SharedLines(NamedTuple):
    """Where the lines stand that several pages would quote."""

    elsewhere: Mapping[str, Mapping[Citation, str]]
    """Key of an entity -> the lines that its page leaves to others, each with the path of the page that has it."""
    paged: Mapping[Citation, Subject]
    """The rules and decisions that stand on the page of what they are about."""

    def left(self, quotes: Sequence[Quote]) -> list[Quote]:
        """Return the quotes of a page of the whole workspace that stand on no other; all if too few are left."""
        found = [each for each in quotes if each.line.source not in self.paged]
        return found if len(found) >= FEWEST else [*quotes]

    def holders(self, quotes: Sequence[Quote]) -> list[tuple[Subject, int]]:
        """Return whose pages have the others, with the number of each."""
        left = {each.line.source for each in self.left(quotes)}
        found: dict[str, tuple[Subject, int]] = {}
        for each in quotes:
            if each.line.source not in left:
                subject = self.paged[each.line.source]
                found[subject.path] = subject, found.get(subject.path, (subject, 0))[1] + 1
        return [found[path] for path in sorted(found)]


def shared_lines(subjects: Mapping[str, Subject], listed: Mapping[str, Sequence[Quote]]) -> SharedLines:
    """Return where the lines stand that several pages would quote.

    Args:
        subjects: by key, the entities with a page or a new one.
        listed: path of a page of the whole workspace -> the rules or decisions that it would quote.
    """
    of_all = {each.line.source: path for path, quotes in listed.items() for each in quotes}
    ours = {key for key, subject in subjects.items() if any(map(_introduces, subject.quotes))}
    best: dict[Citation, tuple[bool, float, str]] = {}
    for key, subject in subjects.items():
        for each in subject.quotes:
            place = key not in ours, each.score, key
            best[each.line.source] = max(place, best.get(each.line.source, place))
    elsewhere: dict[str, dict[Citation, str]] = {}
    paged: dict[Citation, Subject] = {}
    for key, subject in subjects.items():
        spare = len(subject.quotes) + len(subject.facts) - FEWEST
        left: dict[Citation, str] = {}
        for source, topic in ((each.line.source, each.topic) for each in reversed(subject.quotes)):  # the newest stay
            owner = best[source][2]
            path = of_all.get(source, "") if key in ours and topic in OF_ALL else ""
            if owner != key:
                path = path or subjects[owner].path
            if path and len(left) < spare:
                left[source] = path
            elif key not in ours and topic in OF_ALL:
                paged[source] = subject
        elsewhere[key] = left
    return SharedLines(elsewhere, paged)


def _introduces(each: Quote) -> bool:
    """Whether a quote tells who the owner or the agent is, not somebody close to them."""
    line = each.line
    told = each.topic == WHO and introduces(line.source.path)
    return told and not any(map(speaks_of_a_relative, (line.content, *line.context[-1:])))
