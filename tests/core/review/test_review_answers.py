"""Answers: read from any list that a person or model may write, and ticked into the page."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.extract.infer import Proposal
from commonplace.core.markdown.page_regions import damage
from commonplace.core.model import Citation, Fact, Kind
from commonplace.core.opinions.formation import Undecided
from commonplace.core.pages.region_merge import renew
from commonplace.core.review import review_page
from commonplace.core.review.review_answers import Answer, marked, misfit, read_answers, several_bullets

DAY = date(2026, 1, 3)
MOVED = Proposal("i-4k2p7", Kind.WORLD, ("Mona",), "Moved to Rome.", Citation("memory/2026-01-03.md", 4), DAY)
SAID = Fact("t4x6", Kind.WORLD, "Asked for it all.", ("Mona",), Citation("memory/2026-01-19.md", 2), DAY)
PAIR = Undecided("o-4m7k", "Prefers short replies.", SAID, 0.7)
ID = review_page.pair_id(PAIR)
LINES = {
    "i-4k2p7": review_page.inferred_line(MOVED),
    "i-other": review_page.inferred_line(MOVED._replace(id="i-other", content="Sold the boat.")),
    ID: f"- {review_page.pair_text(PAIR)} ^{ID}",
}


def page() -> str:
    lines = review_page.review_page([MOVED], [], pairs=[PAIR], left=[], decided=[])
    return renew("# Review\n\nmine\n", "review", lines.lines, lines.keys).text


def told(text: str, *answers: Answer) -> str:
    return marked(text, {each.id: each for each in answers}, lines=LINES)


@pytest.mark.parametrize(
    "line",
    [
        "i-4k2p7 accept",
        "  - `i-4k2p7 accept`",
        "3. ^i-4k2p7: ACCEPT,",
        "* **i-4k2p7** accepted # it is so",
        "accept i-4k2p7",
        '{"id": "i-4k2p7", "verdict": "accept"}',
        '- {"id": "^i-4k2p7", "verdict": "accept", "text": null},',
        "\ufeffi-4k2p7 accept (the log says so)",
    ],
)
def test_an_answer_is_read_whatever_stands_around_it(line: str) -> None:
    (read,) = read_answers(line)
    assert read.answer == Answer("i-4k2p7", "accepted"), read.problem


def test_what_is_no_answer_is_passed_over_or_told_with_its_line() -> None:
    text = """\
# Answers
<!-- mine -->
```json
[
{"id": "j-9w2e1", "verdict": "against"},
]
```

> they said so
Here are my answers.
j-9w2e1 maybe
i-4k2p7 edit
i-4k2p8 edit W @Mona: Moved  to Rome. (for good) # not a comment
{"id": 3, "verdict": "for"}
{"id": "j-9w2e2", "verdict": "for", "why": "x"}
{"id": "j-9w2e3"
i-4k2p9 reject it is a plan
"""
    read = {line.number: line.answer or line.problem for line in read_answers(text)}
    assert read.pop(5) == Answer("j-9w2e1", "against")
    assert read.pop(13) == Answer("i-4k2p8", "accepted", "W @Mona: Moved to Rome. (for good) # not a comment")
    assert read == {
        10: "the line has no question id: write an id, then a verdict",
        11: "unknown verdict 'maybe': accept, reject, edit, for, against, neither",
        12: "edit needs the new text",
        14: 'the keys are "id", "verdict" and "text", each a text',
        15: 'the keys are "id", "verdict" and "text", each a text',
        16: "it is not JSON",
        17: "reject takes no text: write a reason after #",
    }


def test_two_answers_to_one_question_are_none_and_one_said_twice_is_one() -> None:
    twice = read_answers("j-9w2e1 for\nj-9w2e1 against\ni-4k2p7 accept\ni-4k2p7 accept")
    assert [line.problem for line in twice[:2]] == ["answered differently in lines 1, 2"] * 2
    assert {line.answer for line in twice[2:]} == {Answer("i-4k2p7", "accepted")}


def test_a_verdict_fits_its_question() -> None:
    assert misfit(Answer("j-9w2e1", "for")) == misfit(Answer("c-4m7k", "rejected")) == ""
    assert misfit(Answer("j-9w2e1", "accepted")) == "j-9w2e1 is answered by for, against or neither"
    assert misfit(Answer("i-4k2p7", "neither")) == "i-4k2p7 is answered by accept, reject or edit"


def test_boxes_are_ticked_where_they_stand() -> None:
    after = told(page(), Answer("i-4k2p7", "rejected"), Answer(ID, "against"))
    assert {each.id: each.verdict for each in review_page.decisions(after)} == {"i-4k2p7": "rejected", ID: "against"}
    assert review_page.verdicts(review_page.decisions(after)) == {("o-4m7k", "t4x6"): "against"}
    changed = [new for old, new in zip(page().split("\n"), after.split("\n"), strict=True) if old != new]
    assert [line[:5] for line in changed] == ["- [-]", "- [x]"]
    assert told(after, Answer("i-4k2p7", "rejected"), Answer(ID, "against")) == after


def test_other_words_replace_those_of_the_task() -> None:
    after = told(page(), Answer("i-4k2p7", "accepted", "W @Mona: Lives in <!-- Rome. ^abc"))
    (decided,) = review_page.accepted(after)
    assert (decided.text, decided.path) == ("W @Mona: Lives in &lt;!-- Rome. &#94;abc", "memory/2026-01-03.md")


@pytest.mark.parametrize("text", ["# Review\n", page(), page().replace("\n", "\r\n"), "", "mine, and no line end"])
def test_what_the_page_does_not_list_is_added_in_its_region(text: str) -> None:
    given = (Answer("i-other", "accepted"), Answer(ID, "neither"))
    after = told(text, *given)
    assert {each.id: each.verdict for each in review_page.decisions(after)} == {"i-other": "accepted", ID: "neither"}
    assert damage(after, "review") == ""
    assert after.startswith(text.partition("<!--")[0].rstrip("\n"))
    assert ("\r" in after) == ("\r" in text)
    assert "\n" not in after.replace("\r\n", "") or "\r" not in text
    assert told(after, *given) == after


def test_a_later_verdict_replaces_an_earlier_one_and_says_so() -> None:
    after = told(told(page(), Answer(ID, "against")), Answer(ID, "for"))
    assert "- [x] for, no longer against: “Asked for it all.”" in after
    (decided,) = review_page.decisions(after)
    assert (decided.verdict, decided.was) == ("for", "against")
    kept = "\n".join(review_page.review_page([], [], pairs=[], left=[], decided=[decided]).lines)
    assert review_page.decisions(kept)[0][:3] == decided[:3]
    assert "for, no longer against: “" in kept
    back = told(after, Answer(ID, "against"))
    assert "- [x] against, no longer for: “" in back
    assert told(back, Answer(ID, "against")) == back


def test_a_box_that_a_person_ticked_gives_way_to_the_answer() -> None:
    ticked = page().replace("[ ] for", "[x] for")
    (decided,) = review_page.decisions(told(ticked, Answer(ID, "neither")))
    assert decided.verdict == "neither"


@given(st.text('-*`#{}[]":,^ijc0123acdeprstfogn \n', max_size=120))
def test_reading_never_raises(text: str) -> None:
    assert all((line.answer is None) == bool(line.problem) for line in read_answers(text))


@given(
    st.lists(
        st.sampled_from([("i-4k2p7", "accepted"), ("i-4k2p7", "rejected"), (ID, "for"), (ID, "against")]), max_size=4
    )
)
def test_the_last_answer_stands(given_answers: list[tuple[str, str]]) -> None:
    text = page()
    for id, verdict in given_answers:
        text = told(text, Answer(id, verdict))
    assert {each.id: each.verdict for each in review_page.decisions(text)} == dict(given_answers)


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("- W @Mona: One.", False),
        ("  - One - or two - things", False),
        ("W: 3 * 4 - 5 S of it", False),
        ("- W: One.\n- W: Two.", True),
        ("One.\n  * Two.", True),
        ("W: One. - O(c=0.9) @Mona: Two.", True),
        ("W: One. + S @Mona: Two.", True),
    ],
)
def test_a_text_of_several_bullets_is_known(text: str, several: bool) -> None:
    assert several_bullets(text) is several
