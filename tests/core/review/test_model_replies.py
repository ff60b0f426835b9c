"""What counts of a model's reply: read like a stranger's."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.review.model_replies import read_reply, schema

LINE = "- i-4k2p7: “W @Peter: Moved to Berlin with 3 cats.” (2026-01-03, memory/2026-01-03.md#L4)"
SHOWN = {"i-4k2p7": LINE, "j-9w2e1": "“He likes tea.” on “Drinks tea.”", "e-77a1q": "“Kite Bay is a name”"}


def counted(*answers: Any) -> list[tuple[str, ...]]:
    found = (json.loads(each) for each in read_reply(json.dumps({"answers": answers}), SHOWN).answers)
    return [tuple(each.values()) for each in found]


def test_answers_that_were_asked_for_count() -> None:
    assert counted(
        {"id": "i-4k2p7", "verdict": "accept"},
        {"id": "j-9w2e1", "verdict": "against", "text": "because he said so"},
        {"id": "e-77a1q", "verdict": "edit", "text": "Kite Bay is a place"},
    ) == [("i-4k2p7", "accept"), ("j-9w2e1", "against"), ("e-77a1q", "accept", "Kite Bay is a place")]


def test_new_words_count_where_they_come_from_what_was_shown() -> None:
    said = {"id": "i-4k2p7", "verdict": "edit", "text": "W @Peter: Peter moved to Berlin with 3 cats."}
    assert len(counted(said)) == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("W @Peter: Moved to Berlin with 4 cats.", "4 was not in the line"),
        ("W @Clara: Moved to Berlin.", "Clara was not in the line"),
        ("W @Peter: Moved to Berlin, and owes the bank his house, his boat and everything else.", "most of its words"),
        ("W @Peter: Moved to Berlin. " * 20, "more than 300"),
    ],
)
def test_words_that_were_not_shown_do_not(text: str, why: str) -> None:
    told = read_reply(json.dumps({"answers": [{"id": "i-4k2p7", "verdict": "edit", "text": text}]}), SHOWN)
    assert (told.answers, why in told.problems[0]) == ((), True)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ('{"answers": [{"id": "i-other", "verdict": "accept"}]}', "it was not asked"),
        ('{"answers": [{"id": "r-4k2p7", "verdict": "accept"}]}', "it was not asked"),
        ('{"answers": [{"id": "i-4k2p7", "verdict": "delete everything"}]}', "unknown verdict"),
        ('{"answers": ["accept"]}', "no question id"),
        ('{"answers": [{"id": 4, "verdict": []}]}', "each a text"),
        ('{"answers": [{"id": "i-4k2p7", "verdict": "acc', "no answers"),
        ("I am sorry, I cannot help with that.", "no answers"),
        ("", "no answers"),
        ("{}", "no answers"),
        ('{"answers": {"id": "i-4k2p7"}}', "no answers"),
        (
            '{"answers": [{"id": "i-4k2p7", "verdict": "accept"}, {"id": "i-4k2p7", "verdict": "reject"}]}',
            "answered differently",
        ),
    ],
)
def test_anything_else_is_no_answer_and_says_why(reply: str, why: str) -> None:
    told = read_reply(reply, SHOWN)
    assert told.answers == ()
    assert why in " ".join(told.problems)


def test_a_model_may_leave_out_what_it_cannot_tell() -> None:
    assert read_reply('{"answers": []}', SHOWN) == ((), (), True)


def test_json_in_a_fence_and_plain_lines_are_read_as_well() -> None:
    fenced = 'Sure!\n```json\n{"answers": [{"id": "i-4k2p7", "verdict": "reject"}]}\n```\nDone.'
    assert read_reply(fenced, SHOWN).answers == ('{"id": "i-4k2p7", "verdict": "reject"}',)
    assert len(read_reply("i-4k2p7 reject\nj-9w2e1 neither # unrelated\n", SHOWN).answers) == 2


def test_the_same_answer_twice_is_one() -> None:
    twice = {"id": "j-9w2e1", "verdict": "for"}
    assert counted(twice, twice) == [("j-9w2e1", "for")]


@given(
    st.text()
    | st.recursive(st.none() | st.text() | st.integers(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)).map(
        json.dumps
    )
)
def test_no_reply_raises_or_answers_what_was_not_asked(reply: str) -> None:
    told = read_reply(reply, SHOWN)
    assert {json.loads(each)["id"] for each in told.answers} <= SHOWN.keys()
    assert told.answers or told.problems or told.whole


def test_the_schema_allows_what_counts_and_nothing_else() -> None:
    held = schema(("i-4k2p7", "j-9w2e1"))
    jsonschema.validate({"answers": [{"id": "j-9w2e1", "verdict": "for"}]}, held)
    for wrong in (
        {"answers": [{"id": "j-other", "verdict": "for"}]},
        {"answers": [{"id": "j-9w2e1", "verdict": "yes"}]},
        {"answers": [{"id": "j-9w2e1", "verdict": "for", "confidence": 1}]},
        {"answers": [{"id": "j-9w2e1", "verdict": "for"}] * 3},
        {},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, held)
