"""Which entities have a page or earn one, with their facts and opinions; which of these pages are left alone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.entities.entity_names import title
from commonplace.core.entities.household_names import is_household
from commonplace.core.extract.kind_guess import own_opinion
from commonplace.core.markdown.slug import FOLDER, entity_path
from commonplace.core.memo import reported
from commonplace.core.pages.entity_pages import Subject
from commonplace.core.quotes.page_lines import said_in
from commonplace.core.quotes.quote_choice import FEWEST, are_of_reading, chosen, tells_little
from commonplace.core.secrets.guard import in_name, masked
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from commonplace.core.memo import Progress
    from commonplace.core.model import Fact, Line
    from commonplace.core.opinions.opinion_entry import Entry
    from commonplace.core.quotes.named_lines import Named
    from commonplace.core.quotes.page_quotes import Quote
    from commonplace.ops.beliefs.believe import Gathered
    from commonplace.ops.quotes.quotable_lines import Quotable
    from commonplace.store.sqlite import Index

_FACTS = 2
"""Minimum facts by the author about an entity, one of them tagged, for it to earn a page."""
_FEW_FACTS = 12
"""From so many facts of the author's on, a page needs no quotes."""
_TELLING = 2.45
"""Minimum of `Named.telling`, for a page of an entity that nobody tagged."""
_TELLING_OF_DAYS = 3.0
"""The same where no line tells more than what was so on a day."""
_FEW_DAYS, _TELLING_OF_FEW_DAYS = 4, 3.7
"""Days up to which what such lines tell must be more, and how much, where no core file keeps one of them: of fourteen
such pages of ten workspaces ten were of what somebody had read of."""
_TELLING_OF_NOTES = 3.7
"""Minimum of what notes by subject tell where there are no logs: their terms stand in many files."""
_FEWEST_OF_KNOWN = 4
"""Minimum log lines worth quoting for a page of what everybody knows; few with fewer were worth a page."""
_FEWEST_OF_A_PART = 6
"""Good log lines from which what sounds like a part of another has a page of its own: `Tide Relay form`."""
_NUMBERED = lazy_pattern(r"\d|^[ivx]+$")
_WORD = 2
"""Signs of a word in scripts without spaces, at least."""
_SPOKEN = 2_000
"""Maximum log lines with a speaker that are searched for opinions, newest first."""


class _Wanted(NamedTuple):
    """Which lines the page of an entity quotes."""

    name: str
    known: bool
    """Whether it needs no other sign to get a page: it is tagged, or has one."""
    is_word: bool
    """Whether the logs mostly mean the ordinary word that it is, or tell of it as news: then only who is introduced
    gets a page; not asked of what is known."""
    fewest: int
    """Lines, without which it gets none."""
    filled: int
    """Lines up to which those of little use fill it."""
    said: tuple[str, ...]
    """What facts tell about it."""

    def choose(self, lines: Named) -> list[Quote]:
        """Return the best of the lines about it, newest first; none if they are too few or tell too little.

        Rows of what the owner holds say what is so: where little else is good, no passing lines fill the page.
        """
        sure = self.known or lines.introduced()
        telling = 0.0 if sure else lines.telling(self.name)
        least = _TELLING_OF_NOTES if lines.noted else _TELLING
        wanted = sure or (not self.is_word and lines.lived() and telling - lines.general >= least)
        kept = lines.kept_by_owner(self.name)
        if not (lines.quotes or kept) or len(lines.quotes) + len(lines.others) < self.fewest or not wanted:
            return []
        if not lines.quotes:
            return chosen(kept, said=self.said, fewest=len(kept))
        lines = lines.with_rows(kept)
        best = chosen([*lines.quotes, *lines.others], said=self.said, fewest=self.filled)
        lasting = [each for each in best if each.core and each.line.recorded is None]
        few = len(lines.days) <= _FEW_DAYS and telling - lines.general < _TELLING_OF_FEW_DAYS and not lasting
        if not sure and (few or telling < _TELLING_OF_DAYS) and all(each.fault or tells_little(each) for each in best):
            return []
        if not (sure or lines.noted) and are_of_reading(best):
            return []
        return best if len(best) >= self.fewest else []


def subjects_of(
    index: Index, got: Gathered, told: Quotable, *, due: Collection[str] | None = None, progress: Progress | None = None
) -> tuple[dict[str, Subject], list[str], list[tuple[str, str]]]:
    """Return (key -> entity with a page or a new one, notes on impossible pages, (page left alone, reason)).

    Args:
        due: keys of the entities whose pages are renewed, None: of all; others get no page for what logs tell.
        progress: called with (names compared, names to compare).
    """
    notes: list[str] = []
    shared, left = _sharing(index)
    facts: dict[str, list[Fact]] = {}
    tagged: set[str] = set()
    own: Counter[str] = Counter()  # by entity: facts of the author's
    about: dict[tuple[str, ...], set[str]] = {}  # by names: most facts are about the same few
    for fact in got.everything:
        names = (*fact.entities, *fact.mentions)
        keys = about.get(names)
        if keys is None:
            about[names] = keys = {got.canonical(name) for name in names}
        for key in keys:
            facts.setdefault(key, []).append(fact)
        if not fact.trailer.outsider:
            tagged.update(fact.entities)
            own.update(keys)
    tagged = {got.canonical(name) for name in tagged}
    asked = (pair.fact for pair in got.formed.undecided if not pair.fact.trailer.outsider)
    waiting = Counter(got.canonical(name) for fact in asked for name in fact.entities)
    held: dict[str, list[Entry]] = {}
    for entry in got.formed.entries:
        for key in {got.canonical(name) for name in entry.entities}:
            held.setdefault(key, []).append(entry)
    taken = {fold(entity.page): key for key, entity in got.entities.items() if entity.page}
    earned = {key for key, count in own.items() if count >= _FACTS and key in tagged}
    quotes = _quoted(index, got, told, facts, own=own, tagged=tagged, earned=earned, due=due, progress=progress)
    said = _opinions_said(index, got)
    subjects: dict[str, Subject] = {}
    for key in sorted({*earned, *quotes, *(key for key, entity in got.entities.items() if entity.page)}):
        entity = got.entities.get(key)
        path = entity.page if entity else None
        if path is None:
            name = got.spelled.get(key) or (entity.name if entity else key)
            if got.withheld.named(name):
                notes.append("no page for an entity whose name looks like a secret")
                continue
            path = _new_path(name, key, taken=taken, notes=notes)
        if path is None or path in shared:
            continue
        if entity and entity.page and (found := in_name(path)):
            left.append((masked(path), f"its name looks like {found[0].kind}: rename it"))
            continue
        subjects[key] = Subject(
            named(got, key),
            path,
            facts.get(key, []),
            held.get(key, ()),
            waiting[key],
            said.get(key, ()),
            quotes.get(key, ()),
            aliases=entity.aliases if entity else (),
        )
    return subjects, notes, left


def _sharing(index: Index) -> tuple[Mapping[str, str], list[tuple[str, str]]]:
    """Pages of an entity with several pages, with its key; and the same with what to do."""
    shared = index.twins()
    pages: dict[str, list[str]] = {}
    for page, names in index.entity_pages().items() if shared else ():
        pages.setdefault(names[0], []).append(page)
    left = []
    for page, key in shared.items():
        others = ", ".join(path for path in pages[key] if path != page)
        how = "merge them with `commonplace entity merge`" if page.startswith(FOLDER) else "keep one of them"
        left.append((page, f"{others} is also about {key}: {how}"))
    return shared, left


def _quoted(
    index: Index,
    got: Gathered,
    told: Quotable,
    facts: Mapping[str, Sequence[Fact]],
    *,
    own: Counter[str],
    tagged: set[str],
    earned: set[str],
    due: Collection[str] | None,
    progress: Progress | None,
) -> dict[str, list[Quote]]:
    """Key -> the best log lines, newest first, of each entity that logs tell enough of, or with a page for its facts
    or from before; none of one with many facts."""
    found: dict[str, list[Quote]] = {}
    paged = earned | {key for key, entity in got.entities.items() if entity.page}
    asked = {
        key: entity
        for key in sorted(told.by_entity.keys(lines=FEWEST) | paged)
        if (entity := got.entities.get(key)) and own[key] < _FEW_FACTS and (entity.page or due is None or key in due)
    }
    words = index.words_among(key for key, entity in asked.items() if key not in tagged and entity.page is None)
    for key, entity in reported(asked.items(), progress, of=len(asked)):
        usual = _FEWEST_OF_KNOWN if is_household(entity.name) else FEWEST
        known = key in tagged or entity.page is not None
        wanted = _Wanted(
            entity.name,
            known=known,
            is_word=not known and (key in words or told.by_entity.is_of_the_news(key)),
            fewest=1 if key in paged else usual,
            filled=1 if key in earned else usual,  # the same before and after it has a page
            said=tuple(fact.content for fact in facts.get(key, ()) if not fact.trailer.outsider),
        )
        counts = "" if known else f"{len(told.by_entity.days(key))} {told.by_entity.general(key)}"
        later = [repr(wanted._replace(known=True, is_word=False, fewest=1)), ""]
        if best := told.chosen(key, known=[repr(wanted), counts], later=later, choose=wanted.choose):
            found[key] = best
    return _without_repeats(_without_pieces(found, paged), paged, days=lambda key: len(told.by_entity.days(key)))


def _without_repeats(
    found: dict[str, list[Quote]], paged: Collection[str], *, days: Callable[[str], int]
) -> dict[str, list[Quote]]:
    """Return the quotes, by entity, without those of which each stands on the page of another: a heading has both
    names, such as `Harbour Feed (Tide Pictures)`; the name of more days stays. What has a page keeps it."""
    on = Counter(each.line.source for quotes in found.values() for each in quotes)
    kept = dict(found)
    for key in sorted(found, key=lambda key: (len(found[key]), days(key), key)):
        sources = [each.line.source for each in found[key]]
        if key not in paged and all(on[source] > 1 for source in sources):
            on.subtract(sources)
            del kept[key]
    return kept


def _without_pieces(found: dict[str, list[Quote]], paged: Collection[str]) -> dict[str, list[Quote]]:
    """Return the quotes, by entity, without those of few good lines whose name is a piece of another's or has another's
    as a piece: `Annex II` beside `Annex II form`; a part of another, such as that form, needs more than a few. What has
    a page keeps it."""
    pieces = Counter(piece for key in found for piece in {*_pieces(key)})
    every = found.keys() | set(paged)

    def is_weak(key: str) -> bool:
        good = sum(not each.fault for each in found[key])
        if key in paged or good >= _FEWEST_OF_A_PART:
            return False
        if any(each in every for each in _wholes(key)):
            return True
        return good < FEWEST and (pieces[key] > 1 or any(each in every for each in _pieces(key) if each != key))

    return {key: quotes for key, quotes in found.items() if not is_weak(key)}


def _wholes(key: str) -> Iterator[str]:
    """Yield the names of which a name may tell a part, by the words behind them; a number, Roman ones included, makes
    another model. In scripts without spaces two signs may be a word, one hardly is."""
    if key[0] >= FAR_EAST and " " not in key:
        yield from (key[:end] for end in range(_WORD, len(key) - _WORD + 1))
    words = key.split()
    for end in range(1, len(words)):
        if not any(_NUMBERED.search(word) for word in words[end:]):
            yield " ".join(words[:end])


def _pieces(key: str) -> Iterator[str]:
    """Yield the runs of words in a name; of one without spaces what may be words at its ends, and itself."""
    words = key.split()
    if key[0] >= FAR_EAST and len(words) == 1:
        yield from (part for at in range(_WORD, len(key) - 1) for part in (key[:at], key[at:]) if len(part) >= _WORD)
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            yield " ".join(words[start:end])


def _opinions_said(index: Index, got: Gathered) -> dict[str, list[Line]]:
    """Key -> log lines, newest first, in which the entity states its own opinion, each text once."""
    found: dict[str, list[Line]] = {}
    told: set[tuple[str, str]] = set()
    for line in filter(got.withheld.shows, index.spoken(_SPOKEN)):
        key = got.canonical(line.speaker)
        once = (key, fold(line.content))
        if once not in told and own_opinion(said_in(line)):
            told.add(once)
            found.setdefault(key, []).append(line)
    return found


def named(got: Gathered, key: str) -> str:
    """Return the name of an entity in its most frequent spelling, the same before and after it has a page."""
    spelled = got.spelled.get(key)
    if spelled is None:
        entity = got.entities.get(key)
        return title(entity.name) if entity else key
    return title(spelled)


def _new_path(name: str, key: str, *, taken: dict[str, str], notes: list[str]) -> str | None:
    """The path of a new page; None, with a note, if the name cannot be a file or another page is there."""
    try:
        path = entity_path(name)
    except UsageError as error:
        notes.append(f"no page for {name!r}: {error.message}")
        return None
    if found := in_name(path):
        notes.append(f"no page for an entity whose name looks like {found[0].kind}")
        return None
    other = taken.setdefault(fold(path), key)
    if other != key:
        notes.append(f"no page for {name!r}: {path} is the page of {other!r}")
        return None
    return path
