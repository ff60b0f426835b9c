"""Which opinions facts form: the same from nothing and from yesterday's page."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.core.memo import Findings
from commonplace.core.model import Citation, Fact, Kind, Trailer
from commonplace.core.opinions.belief import confidence
from commonplace.core.opinions.formation import Formed, form
from commonplace.core.opinions.opinion_entry import Entry, opinion_id, rendered
from commonplace.core.opinions.page_state import read_kept
from commonplace.core.pages.region_merge import renew
from commonplace.core.timeline import living, order

if TYPE_CHECKING:
    from collections.abc import Sequence

TODAY = date(2026, 2, 1)
PAGE = "bank/opinions.md"
SAYINGS = (
    "Prefers short replies.",
    "Does not want short replies.",
    "Likes green tea.",
    "Dislikes green tea.",
    "Prefers trains over flights.",
    "Prefers flights over trains.",
    "Bought a bicycle.",
    "喜欢喝茶。",
)
CROWD = tuple(
    f"{verb} {kind}replies{more}."
    for verb in ("Prefers", "Does not want")
    for kind in ("", "new ", "old ", "short ", "long ")
    for more in ("", " on Sundays", " on Mondays", " on blue paper", " from Rolf")
)
"""Opinions that are all about the same: more than a fact is compared with."""


def fact(
    day: int, content: str, *, kind: Kind = Kind.OPINION, c: float | None = 0.9, who: str = "Mona", **given: str
) -> Fact:
    recorded = date(2026, 1, 1) + timedelta(days=day)
    trailer = Trailer(**{key: (value,) if key != "src" else value for key, value in given.items()})  # type: ignore[arg-type]
    number = (*SAYINGS, *CROWD).index(content)
    id = f"f{day}-{number}-{kind.letter}-{who.encode().hex()[:6]}"
    line = 1 + 8 * number + 2 * list(Kind).index(kind) + (who == "Mona")
    return Fact(
        id, kind, content, (who,), Citation(f"memory/{recorded}.md", line), recorded, confidence=c, trailer=trailer
    )


def page_of(entries: tuple[Entry, ...], before: str = "# Opinions\n") -> str:
    lines, keys = [], []
    for entry in entries:
        more, their = rendered(entry, PAGE)
        lines += more
        keys += their
    return renew(before, "opinions", lines, keys).text


def formed(facts: list[Fact], page: str = "", findings: Findings | None = None) -> Formed:
    return form(facts, read_kept(PAGE, page, verdicts={}), today=TODAY, findings=findings)


def statements(found: Formed) -> dict[str, Entry]:
    return {entry.statement: entry for entry in found.entries}


def test_the_first_statement_is_the_prior_and_later_ones_are_evidence() -> None:
    (entry,) = formed([fact(0, SAYINGS[0], c=0.95), fact(3, SAYINGS[0], c=0.8), fact(5, SAYINGS[0], c=None)]).entries
    assert entry.prior == 0.95
    assert [(item.confidence, item.stance.value) for item in entry.evidence()] == [
        (0.8, "supports"),
        (None, "supports"),
    ]
    assert entry.confidence == round(confidence(0.95, entry.evidence()), 2)
    assert entry.last_updated == date(2026, 1, 6)


def test_a_bare_opinion_starts_at_seven_tenths() -> None:
    (entry,) = formed([fact(0, SAYINGS[0], c=None)]).entries
    assert (entry.prior, entry.confidence) == (0.7, 0.7)


def test_a_reversal_stands_beside_the_old_and_each_counts_against_the_other() -> None:
    found = statements(formed([fact(0, SAYINGS[2]), fact(3, SAYINGS[3]), fact(5, SAYINGS[2])]))
    likes, dislikes = found[SAYINGS[2]], found[SAYINGS[3]]
    assert (likes.disputed_by, dislikes.disputed_by) == (dislikes.id, likes.id)
    assert [item.stance.value for item in likes.evidence()] == ["contradicts", "supports"]
    assert [item.stance.value for item in dislikes.evidence()] == ["contradicts"]


def test_opinions_of_different_entities_have_nothing_to_do_with_each_other() -> None:
    found = formed([fact(0, SAYINGS[2]), fact(3, SAYINGS[3], who="Rolf")])
    assert [entry.disputed_by for entry in found.entries] == ["", ""]
    assert all(not entry.evidence() for entry in found.entries)


def test_an_alias_is_the_entity() -> None:
    facts = [fact(0, SAYINGS[2]), fact(3, SAYINGS[2], who="モナ")]
    assert len(formed(facts).entries) == 2
    one = form(
        facts,
        read_kept(PAGE, "", verdicts={}),
        today=TODAY,
        canonical=lambda name: {"モナ": "mona"}.get(name, name.lower()),
    )
    assert len(one.entries) == 1


def test_facts_of_other_kinds_bear_on_opinions_and_start_none() -> None:
    found = formed(
        [fact(0, SAYINGS[2]), fact(3, SAYINGS[2], kind=Kind.WORLD, c=None), fact(4, SAYINGS[4], kind=Kind.WORLD)]
    )
    (entry,) = found.entries
    assert len(entry.evidence()) == 1


def test_an_explicit_word_wins() -> None:
    first = fact(0, SAYINGS[2])
    found = formed([first, fact(3, SAYINGS[6], kind=Kind.EXPERIENCE, contradicts=first.id)])
    assert [item.stance.value for item in found.entries[0].evidence()] == ["contradicts"]
    by_opinion = formed([first, fact(3, SAYINGS[6], kind=Kind.EXPERIENCE, supports=found.entries[0].id)])
    assert [item.stance.value for item in by_opinion.entries[0].evidence()] == ["supports"]


def test_a_verdict_wins_over_everything_and_neither_keeps_evidence_out() -> None:
    facts = [fact(0, SAYINGS[2]), fact(3, SAYINGS[3], kind=Kind.WORLD)]
    target = formed(facts).entries[0]
    assert len(target.evidence()) == 1
    for verdict, stances in (("for", ["supports"]), ("neither", [])):
        kept = read_kept(PAGE, "", verdicts={(target.id, facts[1].id): verdict})
        (entry,) = form(facts, kept, today=TODAY).entries
        assert [item.stance.value for item in entry.evidence()] == stances


def test_retracted_and_superseded_facts_are_told_apart() -> None:
    first = fact(0, SAYINGS[2])
    new = fact(1, SAYINGS[4], supersedes=first.id)
    back = fact(2, SAYINGS[6], kind=Kind.OBSERVATION, retracts=new.id)
    kept, superseded, retracted = living([first, new, back])
    assert kept == [first]
    assert superseded == {first.id: new.id}
    assert retracted == {new.id: back}


def several(
    sayings: Sequence[str], least: int, most: int, **more: st.SearchStrategy[object]
) -> st.SearchStrategy[list[Fact]]:
    """Facts of these sayings in order, mostly opinions; more of each is drawn as for `fact`."""
    kinds = st.sampled_from([Kind.OPINION, Kind.OPINION, Kind.WORLD])
    one = st.builds(fact, st.integers(0, 25), st.sampled_from(sayings), kind=kinds, **more)
    return st.lists(one, min_size=least, max_size=most, unique_by=lambda made: made.id).map(
        lambda made: sorted(made, key=order)
    )


facts = several(SAYINGS, 0, 14, c=st.sampled_from([None, 0.3, 0.6, 0.95]), who=st.sampled_from(["Mona", "Rolf"]))
crowds = several(CROWD, 20, 60)


def bare(found: Formed) -> list[Entry]:
    return [
        entry._replace(number=0, marks=tuple(mark._replace(number=0) for mark in entry.marks))
        for entry in found.entries
    ]


@given(facts, st.integers(0, 14))
def test_reflecting_day_by_day_gives_what_reflecting_at_once_gives(made: list[Fact], cut: int) -> None:
    at_once = formed(made)
    page = page_of(formed(made[:cut]).entries)
    step = formed(made, page)
    assert bare(step) == bare(at_once)
    assert bare(formed(made, page_of(step.entries, page))) == bare(at_once)
    assert step.adopted == frozenset()


@settings(max_examples=30)
@given(crowds, st.integers(0, 60))
def test_opinions_that_are_much_alike_are_disputed_and_asked_about_the_same_way_again(
    made: list[Fact], cut: int
) -> None:
    at_once = formed(made)
    step = formed(made, page_of(formed(made[:cut]).entries))
    for again in (step, formed(made, page_of(at_once.entries))):
        assert bare(again) == bare(at_once)
        assert again.undecided == at_once.undecided


@settings(max_examples=30)
@given(crowds | facts, st.integers(0, 60), st.integers(0, 60))
def test_what_was_found_before_changes_nothing_but_the_work(made: list[Fact], cut: int, left_out: int) -> None:
    before, first, second = Findings(), Findings(), Findings()
    others = made[:left_out] + made[left_out + 1 :]
    for known in (others, made[:cut]):
        formed(known, findings=before)
    at_once = formed(made, findings=first)
    assert formed(made, findings=Findings(before.met)) == at_once == formed(made)
    page = page_of(at_once.entries)
    assert formed(made, page, second) == formed(made, page, Findings(first.met)) == formed(made, page)
    assert second.met.keys() == first.met.keys(), "the next reflect asks the rules nothing"


@given(facts)
def test_every_number_follows_from_what_the_page_lists(made: list[Fact]) -> None:
    for entry in formed(made).entries:
        assert entry.confidence == round(confidence(entry.start, entry.evidence()), 2)
        assert 0 <= (entry.confidence or 0) <= 1
        assert len({mark.fact_id for mark in entry.marks}) == len(entry.marks)


@given(facts, st.data())
def test_facts_written_down_late_find_their_place(made: list[Fact], data: st.DataObject) -> None:
    known = [one for one in made if data.draw(st.booleans())]
    late = formed(made, page_of(formed(known).entries))
    assert {entry.statement for entry in late.entries} == {entry.statement for entry in formed(made).entries}


@settings(max_examples=30)
@given(facts | crowds, st.data())
def test_what_was_written_down_late_is_settled_by_one_reflect(made: list[Fact], data: st.DataObject) -> None:
    known = [one for one in made if data.draw(st.booleans())]
    late = formed(made, page_of(formed(known).entries))
    again = formed(made, page_of(late.entries))
    assert (bare(again), again.undecided) == (bare(late), late.undecided)


def lines_of(page: str) -> list[str]:
    return page.split("\n")


def test_evidence_moved_below_another_opinion_still_counts_for_its_own() -> None:
    made = [fact(0, SAYINGS[2]), fact(1, SAYINGS[2]), fact(2, SAYINGS[4]), fact(3, SAYINGS[4])]
    lines = lines_of(page_of(formed(made).entries))
    moved = next(line for line in lines if "for, 0.90: [2026-01-02]" in line)
    lines.remove(moved)
    at = next(at for at, line in enumerate(lines) if "for, 0.90: [2026-01-04]" in line)
    lines.insert(at, moved)
    lines.insert(at, "  - my own note")
    assert bare(formed(made, "\n".join(lines))) == bare(formed(made))


def test_a_prior_that_a_person_typed_over_is_the_prior() -> None:
    made = [fact(0, SAYINGS[2]), fact(1, SAYINGS[2])]
    page = page_of(formed(made).entries).replace("prior 0.90", "prior 0.40")
    (entry,) = formed(made, page).entries
    assert entry.prior == 0.4
    assert entry.confidence == round(confidence(0.4, entry.evidence()), 2)


def test_an_opinion_that_a_person_wrote_into_the_region_is_held_as_written() -> None:
    page = page_of(formed([fact(0, SAYINGS[2])]).entries)
    mine = "- O(c=0.80) @Mona: Sings in the car. ^o-mine\n<!-- /commonplace"
    found = statements(formed([fact(0, SAYINGS[2])], page.replace("<!-- /commonplace", mine, 1)))
    assert (found["Sings in the car."].confidence, found["Sings in the car."].prior) == (0.8, 0.8)
    doubled = page.replace("<!-- /commonplace", "- O(c=0.10) @Mona: Again. ^o-mine\n<!-- /commonplace", 1)
    doubled = doubled.replace("<!-- /commonplace", mine, 1)
    assert "Again." not in statements(formed([fact(0, SAYINGS[2])], doubled)) or "Sings in the car." not in statements(
        formed([fact(0, SAYINGS[2])], doubled)
    )


def test_words_about_what_is_not_there_do_nothing() -> None:
    lost = fact(1, SAYINGS[6], kind=Kind.WORLD, supports="nowhere")
    kept = read_kept(PAGE, "", verdicts={("o-none", lost.id): "for"})
    (entry,) = form([fact(0, SAYINGS[2]), lost], kept, today=TODAY).entries
    assert entry.evidence() == ()


def test_evidence_whose_fact_is_gone_weighs_nothing_and_says_so() -> None:
    made = [fact(0, SAYINGS[2]), fact(1, SAYINGS[2])]
    undated = [made[0], made[1]._replace(recorded=None, source=Citation("notes.md", 1))]
    for facts_then in (made, undated):
        page = page_of(formed(facts_then).entries)
        (entry,) = formed(made[:1], page).entries
        assert entry.evidence() == ()
        assert [mark.gone for mark in entry.marks] in ([False, True], [True, False])
        assert formed([], page).entries == ()


def test_an_outsiders_earlier_statement_is_no_prior_and_a_line_deleted_elsewhere_makes_it_none() -> None:
    guest = fact(1, SAYINGS[3], src="web:example.org")
    made = [fact(0, SAYINGS[2]), guest, fact(2, SAYINGS[3], c=0.8)]
    page = page_of(formed(made).entries)
    line = next(line for line in page.split("\n") if "said by web:example.org" in line)
    again = statements(formed(made, page.replace(line + "\n", "")))
    assert [(mark.role, mark.value) for mark in again[SAYINGS[3]].marks] == [("prior", 0.8)]
    assert [mark.role for mark in again[SAYINGS[2]].marks] == ["prior", "against"]


def test_what_only_an_outsider_still_says_is_no_opinion_of_ours() -> None:
    first, guest = fact(0, SAYINGS[2]), fact(1, SAYINGS[2], c=0.99, src="web:example.org")
    page = page_of(formed([first, guest]).entries)
    assert formed([guest], page).entries == ()
    own = fact(2, SAYINGS[2], c=0.6)
    (entry,) = formed([guest, own], page).entries
    assert [(mark.role, mark.value, mark.gone) for mark in entry.marks] == [
        ("prior", 0.9, True),
        ("prior", 0.6, False),
        ("for", 0.99, False),
    ]


def test_of_two_confidences_typed_on_one_day_the_last_is_the_prior() -> None:
    made = [fact(0, SAYINGS[2])]
    page = page_of(formed(made).entries)
    for was, typed in (("0.90", "0.60"), ("0.60", "0.30")):
        page = page.replace(f"O(c={was})", f"O(c={typed})")
        found = formed(made, page)
        lines, keys = rendered(found.entries[0], PAGE)
        page = renew(page, "opinions", lines, keys, adopted=found.adopted).text
        (entry,) = formed(made, page).entries
        assert entry.confidence == entry.prior == float(typed)
    assert page.count(f"by hand {TODAY}") == 1


def test_ids_never_run_out() -> None:
    taken: set[str] = set()
    for _ in range(30):
        taken.add(opinion_id(("Mona",), "Likes tea.", taken=taken))
    assert len(taken) == 30
