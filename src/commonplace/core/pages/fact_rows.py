"""Rows of facts on pages: each with its day, words, sources and id; once for what was said again; history by year."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key, stands
from commonplace.core.markdown.page_links import link, quoted
from commonplace.core.pages.current_facts import Known, rank
from commonplace.core.quotes.page_lines import (
    count,
    day_link,
    day_of,
    places,
    when_of,
    year_of,
)
from commonplace.core.text.normalize import fold
from commonplace.core.timeline import order, ordinal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from commonplace.core.model import Fact

MOST_HISTORY = 40
"""Maximum lines of history in full; older facts become one line per year."""
MOST_OVERHEARD = 10
"""Maximum lines per section by outsiders: the newest."""
_OTHERS = "### According to others"


def linked(name: str, page: str, *, known: Known) -> str:
    """Return a link to the page of an entity, or its name if it has none."""
    path = known.pages.get(known.canonical(name), ("", ""))[1]
    return link(name, page, path) if path else quoted(name)


def by_whom(facts: Iterable[Fact]) -> tuple[list[Fact], list[Fact]]:
    """Return the facts of the author and those of outsiders."""
    facts = [*facts]
    theirs = [fact for fact in facts if fact.trailer.src and fact.trailer.outsider]
    return [fact for fact in facts if not fact.trailer.outsider] if theirs else facts, theirs


def of_others(theirs: Sequence[Fact], shown: Collection[str]) -> list[Fact]:
    """Return outsiders' facts that are not shown elsewhere on the page, newest first."""
    return newest_first([fact for fact in theirs if fact.id not in shown])[:MOST_OVERHEARD]


def other_rows(others: Sequence[Fact], page: str, *, known: Known, of: str = "") -> list[tuple[str, str]]:
    """Return the rows of outsiders' facts below a heading of their own; none if there are none."""
    return [(_OTHERS, ""), *(fact_row(fact, page, known=known, of=of) for fact in others)] if others else []


def newest_first(facts: Sequence[Fact]) -> list[Fact]:
    """Return facts by the day that they are about, else that of their record.

    Args:
        facts: in the order of `timeline.order`.
    """
    return sorted(facts[::-1], key=_about_day, reverse=True)


def _about_day(fact: Fact) -> int:
    return ordinal(day_of(fact))


def once(facts: Iterable[Fact]) -> tuple[list[Fact], dict[str, list[Fact]]]:
    """Return the newest of facts with the same words, entities, time and outsider; by its id the others, newest first.

    Args:
        facts: in the order of `timeline.order`, which the result has, too.
    """
    groups: dict[tuple[object, ...], list[Fact]] = {}
    keys: dict[tuple[str, ...], frozenset[str]] = {}  # most facts are about the same few
    for fact in facts:
        if (names := keys.get(fact.entities)) is None:
            keys[fact.entities] = names = frozenset(map(entity_key, fact.entities))
        same = (words_of(fact), names, fact.valid, fact.trailer.outsider)
        groups.setdefault(same, []).append(fact)
    newest = sorted((those[-1] for those in groups.values()), key=order)
    return newest, {those[-1].id: those[-2::-1] for those in groups.values() if len(those) > 1}


def words_of(fact: Fact) -> str:
    """Return the words of a fact for comparing: folded, without final punctuation."""
    return fold(fact.content).rstrip(" .!।。！")


def told(fact: Fact, known: Known, *, of: str = "") -> str:
    """Return the words of a fact; behind the names to which it belongs, if they are neither on its page nor in its
    words: "@Alice: Is the sister of @Peter."

    Args:
        of: key of the entity of the page.
    """
    keys = [*map(known.canonical, fact.entities)]
    if not keys or of in keys or any(stands(fold(name), fact.content) for name in (*fact.entities, *keys)):
        return quoted(fact.content)
    return f"{' '.join(f'@{name}' for name in fact.entities)}: {quoted(fact.content)}"


def fact_row(
    fact: Fact, page: str, *, known: Known, of: str = "", again: Mapping[str, Sequence[Fact]] | None = None
) -> tuple[str, str]:
    """Return the row of one fact: day or range, words, places, id.

    Args:
        of: key of the entity of the page.
    """
    replaced = f", replaced by ^{known.superseded[fact.id]}" if fact.id in known.superseded else ""
    sources = places(fact, again.get(fact.id, ()) if again else (), page=page)
    return f"- {when_of(fact)}{told(fact, known, of=of)} ({sources}{replaced}) ^{fact.id}", fact.id


def before(fact: Fact, known: Known) -> tuple[int, bool]:
    """Sort key: the `rank`; within one rank disputed facts of outsiders come last."""
    return rank(fact, known), bool(fact.trailer.outsider) and fact.id in known.disputed


def history_rows(facts: Sequence[Fact], page: str, *, known: Known, but: str = "") -> list[tuple[str, str]]:
    """Return past facts, newest first, with years as headings; one row per year beyond the limit.

    Args:
        but: key of the entity that all of them name.
    """
    newest = newest_first(facts)
    full, older = newest[:MOST_HISTORY], newest[MOST_HISTORY:]
    rows: list[tuple[str, str]] = []
    years = {year_of(fact) for fact in newest}
    headed = len(years) > 1
    year = None
    for fact in full:
        if headed and year_of(fact) != year:
            year = year_of(fact)
            rows.append((f"### {year or 'Undated'}", ""))
        rows.append(fact_row(fact, page, known=known, of=but))
    by_year: dict[int, list[Fact]] = {}
    for fact in older:
        by_year.setdefault(year_of(fact), []).append(fact)
    if by_year:
        rows.append(("### Earlier", ""))
    for when in sorted(by_year, reverse=True):
        rows.append((_year_line(when, by_year[when], page=page, known=known, but=but), f"history-{when}"))
    return rows


def named_beside(facts: Iterable[Fact], known: Known, *, but: str, names: dict[str, str]) -> dict[str, list[Fact]]:
    """Return the facts that name each entity, by its key, and add to `names` the first name that they give it.

    Args:
        but: key of the entity that all of them name.
    """
    found: dict[str, list[Fact]] = {}
    seen: dict[tuple[str, ...], dict[str, str]] = {}  # most facts are about the same few
    for fact in facts:
        those = (*fact.mentions, *fact.entities)
        if (by_key := seen.get(those)) is None:
            seen[those] = by_key = {known.canonical(name): name for name in those}
        for key, name in by_key.items():
            if key != but:
                found.setdefault(key, []).append(fact)
                names.setdefault(key, name)
    return found


def _year_line(when: int, facts: Sequence[Fact], *, page: str, known: Known, but: str) -> str:
    """Return a year in one line: number of facts by kind, first and last day, most frequent other entity."""
    kinds = Counter(fact.kind.value for fact in facts)
    counted = f"{count(len(facts), 'more fact')} ({', '.join(f'{kinds[kind]} {kind}' for kind in sorted(kinds))})"
    range_ = f", {day_link(facts[-1], page)} to {day_link(facts[0], page)}" if when else ""
    names: dict[str, str] = {}
    beside = {key: len(those) for key, those in named_beside(facts, known, but=but, names=names).items()}
    if not beside:
        return f"- {when or 'Undated'}: {counted}{range_}"
    most = min(beside, key=lambda key: (-beside[key], key))
    name = known.pages.get(most, (names[most], ""))[0]
    return f"- {when or 'Undated'}: {counted}{range_}, most with {linked(name, page, known=known)} ({beside[most]})"
