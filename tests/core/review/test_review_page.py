"""The review page: what waits, what was decided, and that both are read back."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.extract.infer import Proposal
from commonplace.core.model import Citation, Fact, Kind
from commonplace.core.opinions.formation import Undecided
from commonplace.core.pages.core_proposals import CoreProposal
from commonplace.core.review import review_page

DAY = date(2026, 1, 3)
MOVED = Proposal("i-4k2p7", Kind.WORLD, ("Mona",), "Moved (at last) to Rome.", Citation("memory/2026-01-03.md", 4), DAY)
SURE = CoreProposal("c-4m7k", "Mona: Prefers tea.", 0.97, "mona")
SAID = Fact(
    "t4x6", Kind.WORLD, "Asked for “everything”.", ("Mona",), Citation("memory/2026-01-19.md", 2), date(2026, 1, 19)
)
PAIR = Undecided("o-4m7k", "Prefers short replies.", SAID, 0.7)
ID = review_page.pair_id(PAIR)


def page(*decided: review_page.Decision) -> str:
    return "\n".join(
        review_page.review_page(
            [MOVED], [SURE], pairs=[PAIR], left=[("bank/world.md", "it is damaged")], decided=decided
        ).lines
    )


def test_the_page_lists_what_waits() -> None:
    shown = page().split("\n")
    assert "- [ ] W @Mona: Moved (at last) to Rome. ([2026-01-03](../memory/2026-01-03.md)) ^i-4k2p7" in shown
    assert "- [ ] Mona: Prefers tea. (0.97, [evidence](opinions.md#mona)) ^c-4m7k" in shown
    at = shown.index("## Judge")
    assert shown[at + 1] == (
        "- “Asked for 'everything'.” ([2026-01-19](../memory/2026-01-19.md)) on “Prefers short replies.” "
        f"^o-4m7k ^t4x6 ^{ID}"
    )
    assert shown[at + 2 : at + 5] == [f"  - [ ] {each} ^{ID}-{each}" for each in ("for", "against", "neither")]
    assert "- bank/world.md: it is damaged" in shown
    assert review_page.decisions(page()) == ()
    assert review_page.waiting(page()) == (MOVED._replace(source=Citation("memory/2026-01-03.md", 0)),)


def test_a_sentence_of_many_days_is_one_line_that_is_read_back() -> None:
    days = tuple(date(2026, 1, day) for day in (3, 2, 1))
    for number, told in enumerate(("", ", also on 2026-01-03", ", also on 2026-01-03 and 1 more day")):
        (line,) = (
            line
            for line in review_page.review_page(
                [MOVED._replace(also=days[:number])], [], pairs=[], left=[], decided=[]
            ).lines
            if line.endswith("^i-4k2p7")
        )
        assert line == f"- [ ] {MOVED.text} ([2026-01-03](../memory/2026-01-03.md){told}) ^i-4k2p7"
        assert review_page.waiting(line) == (MOVED._replace(source=Citation("memory/2026-01-03.md", 0)),)
        (decided,) = review_page.accepted(line.replace("[ ]", "[x]"))
        assert (decided.text, decided.path, review_page.day_of(decided)) == (MOVED.text, "memory/2026-01-03.md", DAY)


@pytest.mark.parametrize(
    ("box", "answer"),
    [
        ("[X]", review_page.ACCEPTED),
        ("[x ]", review_page.ACCEPTED),
        ("[ x]", review_page.ACCEPTED),
        ("[×]", ""),
        ("[-]", review_page.REJECTED),
        ("[ - ]", review_page.REJECTED),
        ("[]", ""),
        ("[  ]", ""),
        ("[y]", ""),
        ("[/]", ""),
        ("[ok]", ""),
    ],
)
def test_a_box_as_people_type_it_answers_or_waits_and_is_never_part_of_the_text(box: str, answer: str) -> None:
    (line,) = (each for each in page().split("\n") if each.endswith("^i-4k2p7"))
    typed = line.replace("[ ]", box)
    assert [(each.verdict, each.text) for each in review_page.decisions(typed)] == [(answer, MOVED.text)] * bool(answer)
    assert [each.text for each in review_page.waiting(typed)] == [MOVED.text] * (not answer)
    told = review_page.ineffective_ticks(f"<!-- commonplace: review -->\n{typed}\n<!-- /commonplace -->\n")
    unclear = not answer and box.strip("[] ")
    assert told == (
        (f"ignored: bank/review.md, line 2: {box} is not an answer: [x] accepts, [-] rejects",) if unclear else ()
    )


def test_nothing_to_review_is_no_page() -> None:
    assert review_page.review_page([], [], pairs=[], left=[], decided=[]).lines == []


def test_accepted_and_rejected_lines_are_read_back_with_a_persons_words() -> None:
    text = page().replace("[ ] W @Mona: Moved", "[x] W @Mona @Rolf: Really moved").replace("[ ] Mona:", "[-] Mona:")
    (moved,) = review_page.accepted(text)
    assert (moved.text, moved.path, review_page.day_of(moved)) == (
        "W @Mona @Rolf: Really moved (at last) to Rome.",
        "memory/2026-01-03.md",
        DAY,
    )
    assert review_page.content_of(moved) == "Really moved (at last) to Rome."
    assert {each.id: each.verdict for each in review_page.decisions(text)} == {
        "i-4k2p7": "accepted",
        "c-4m7k": "rejected",
    }
    assert review_page.waiting(text) == ()


def test_a_verdict_is_read_from_its_box_and_two_decide_nothing() -> None:
    text = page().replace("[ ] against", "[X] against")
    assert review_page.verdicts(review_page.decisions(text)) == {("o-4m7k", "t4x6"): "against"}
    assert review_page.verdicts(review_page.decisions(text.replace("[ ] for", "[x] for"))) == {}


def test_what_was_decided_stays_decided_on_the_next_page() -> None:
    text = page().replace("[ ] W", "[-] W").replace("[ ] neither", "[x] neither").replace("[ ] Mona", "[x] Mona")
    decided = review_page.decisions(text)
    kept = "\n".join(review_page.review_page([], [], pairs=[], left=[], decided=decided).lines)
    assert [(each.id, each.verdict) for each in review_page.decisions(kept)] == [
        (each.id, each.verdict) for each in decided
    ]
    assert review_page.verdicts(review_page.decisions(kept)) == {("o-4m7k", "t4x6"): "neither"}
    again = "\n".join(review_page.review_page([], [], pairs=[], left=[], decided=review_page.decisions(kept)).lines)
    assert again == kept
    assert set(review_page.adopted_keys(decided)) >= {"i-4k2p7", "c-4m7k", ID, f"{ID}/{ID}-neither"}


def test_long_lists_say_how_much_more_waits() -> None:
    many = [MOVED._replace(id=f"i-{number:05}") for number in range(60)]
    pairs = [PAIR._replace(fact=SAID._replace(id=f"f{number}")) for number in range(30)]
    lines = review_page.review_page(many, [], pairs=pairs, left=[], decided=[]).lines
    assert "- 50 more wait behind these" in lines
    assert "- 10 more wait behind these" in lines


def test_lines_without_place_or_grammar_are_taken_as_they_are() -> None:
    (bare,) = review_page.decisions("- [x] whatever ^i-abcde")
    assert (bare.text, bare.path, review_page.day_of(bare), review_page.content_of(bare)) == (
        "whatever",
        "",
        None,
        "whatever",
    )
    assert review_page.waiting("- [ ] whatever ^i-abcde\n- [x] W: x ^i-abcdf") == ()
    assert review_page.verdicts(review_page.decisions("- [x] for: lost its ids ^j-abcde")) == {}


@given(st.text("-[x] ^ij-abc012for:“”()/.\n", max_size=200))
def test_reading_never_raises(text: str) -> None:
    review_page.decisions(text)
    review_page.waiting(text)
    review_page.accepted(text)
