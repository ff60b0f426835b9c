"""What counts of a model's reply: read like a stranger's."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.review.model_replies import read_reply, schema

ASKED = {"i-4k2p7", "j-9w2e1", "e-77a1q"}
PLACE = "memory/2026-01-03.md#L4"


def counted(*answers: Any) -> list[tuple[str, ...]]:
    found = (json.loads(each) for each in read_reply(json.dumps({"answers": answers}), ASKED).answers)
    return [tuple(each.values()) for each in found]


def test_answers_that_were_asked_for_count() -> None:
    assert counted(
        {"id": "i-4k2p7", "verdict": "accept"},
        {"id": "j-9w2e1", "verdict": "against", "text": "because he said so"},
        {"id": "e-77a1q", "verdict": "edit", "text": "Kite Bay is a place"},
    ) == [("i-4k2p7", "accept"), ("j-9w2e1", "against"), ("e-77a1q", "accept", "Kite Bay is a place")]


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
    told = read_reply(reply, ASKED)
    assert told.answers == ()
    assert why in " ".join(told.problems)


def test_a_model_may_leave_out_what_it_cannot_tell() -> None:
    assert read_reply('{"answers": []}', ASKED) == ((), (), True)


def test_json_in_a_fence_and_plain_lines_are_read_as_well() -> None:
    fenced = 'Sure!\n```json\n{"answers": [{"id": "i-4k2p7", "verdict": "reject"}]}\n```\nDone.'
    assert read_reply(fenced, ASKED).answers == ('{"id": "i-4k2p7", "verdict": "reject"}',)
    assert len(read_reply("i-4k2p7 reject\nj-9w2e1 neither # unrelated\n", ASKED).answers) == 2


def test_added_facts_count_where_their_line_was_shown() -> None:
    added = [{"text": "W @Ida: Has a boat.", "from": PLACE}, {"text": "W: No.", "from": "memory/2026-01-09.md#L1"}]
    told = read_reply(json.dumps({"answers": [], "added": [*added, "W: No.", 4]}), ASKED, {PLACE})
    assert told.answers == (json.dumps({"verdict": "add", **added[0]}),)
    assert told.problems == ("add: memory/2026-01-09.md#L1 was not shown",)
    assert read_reply(f"add W @Ida: Has a boat. from {PLACE}", ASKED, {PLACE}).answers == told.answers
    many = [{"text": f"W @Ida: Has boat {at}.", "from": PLACE} for at in range(9)]
    assert len(read_reply(json.dumps({"answers": [], "added": many}), ASKED, {PLACE}).answers) == 3
    jsonschema.validate({"answers": [], "added": added[:1]}, schema(("i-4k2p7",), (PLACE,)))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"answers": [], "added": added}, schema(("i-4k2p7",), (PLACE,)))


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
    told = read_reply(reply, ASKED)
    assert {json.loads(each)["id"] for each in told.answers} <= ASKED  # no place was shown, so nothing is added
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
