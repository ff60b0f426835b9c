"""What a verb tells of a line, as the page shows it."""

from __future__ import annotations

import json
from datetime import date
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.doors.page.statement_row import (
    LONGEST,
    at,
    days,
    evidence_told,
    linked,
    plain,
    proposed,
    seen,
    statement,
    tags_in,
)

NOW = date(2025, 12, 1)
HIT: dict[str, Any] = {
    "id": "k7f3qa",
    "kind": "world",
    "entities": ["Peter"],
    "content": "**Decision:** larch, no oak.",
    "source": "memory/2025-11-27.md#L12",
    "recorded": "2025-11-27",
    "valid": None,
    "why": ["words: larch"],
    "also": ["memory/2025-11-28.md#L3"],
}


def test_a_hit_is_a_row_with_its_words_day_and_place() -> None:
    row = statement(HIT, today=NOW)
    assert (row.text, row.when, row.place) == ("Decision: larch, no oak.", "27 Nov", "L12")
    assert row.href == "at/memory/2025-11-27.md?line=12#here"
    assert (row.gone, row.disputed, row.more) == ("", "", 1)


def test_what_was_replaced_leads_to_what_replaced_it() -> None:
    newer = "memory/2025-11-30.md#L4"
    for told in ({"superseded_by": newer}, {"outdated_by": newer}):
        assert statement({**HIT, **told}, today=NOW).gone == "at/memory/2025-11-30.md?line=4#here"
    assert statement({**HIT, "disputed_by": newer}, today=NOW).disputed == "at/memory/2025-11-30.md?line=4#here"


def test_who_said_it_stands_beside_it() -> None:
    assert statement({**HIT, "said_by": "airline"}, today=NOW).notes == ("says airline",)
    assert statement({**HIT, "speaker": "Mum", "excerpt": True}, today=NOW).notes == (
        "Mum says",
        "part of a longer line",
    )


@pytest.mark.parametrize(
    ("span", "shown"),
    [
        ("2025-11-27", "27 Nov"),
        ("2025-11-27/2025-12-01", "27 Nov–1 Dec"),
        ("2024-03-03/..", "since 3 Mar 2024"),
        ("../2025-03-01", "until 1 Mar"),
        (None, ""),
        ("no day", "no day"),
    ],
)
def test_days_are_short_and_have_their_year_where_it_is_another(span: str | None, shown: str) -> None:
    assert days(span, NOW) == shown


@given(st.text(st.characters(exclude_categories=()), max_size=3 * LONGEST))
def test_any_text_can_be_sent_and_shows_what_is_unseen(text: str) -> None:
    shown = seen(text)
    shown.encode()
    assert not {"\0", "\u202e", "\u2028", "\x1b", "\x7f"} & set(shown)
    assert json.loads(json.dumps(shown)) == shown


@given(st.text(min_size=1), st.integers(1, 99_999_999))
def test_an_address_leads_back_to_its_citation(path: str, number: int) -> None:
    split = urlsplit(at(f"{path}#L{number}"))
    assert unquote(split.path, errors="surrogatepass") == f"at/{path}"
    assert (parse_qs(split.query)["line"], split.fragment) == ([str(number)], "here")


def test_evidence_is_counted_by_side() -> None:
    sides = [{"id": str(at), "stance": "supports" if at else "contradicts"} for at in range(3)]
    assert evidence_told({"evidence": sides}) == "2 for, 1 against"
    assert evidence_told({"evidence": []}) == "stated once"


def test_evidence_from_before_a_number_was_set_by_hand_is_counted_too() -> None:
    spent = [{"prior": 0.7, "evidence": [{"id": "a", "stance": "supports"}, {"id": "b", "stance": "contradicts"}]}]
    assert evidence_told({"evidence": [], "spent": spent}) == "1 for, 1 against, set by hand"
    assert evidence_told({"evidence": [], "spent": [{"prior": 0.7, "evidence": []}]}) == "set by hand"


def test_the_page_of_opinions_is_not_counted_as_one_who_told_it() -> None:
    told = {**HIT, "also": ["memory/2025-11-28.md#L3", "bank/opinions.md#L9"]}
    assert statement(told, today=NOW).more == 1
    assert statement({**told, "source": "bank/opinions.md#L9", "also": [HIT["source"]]}, today=NOW).more == 0


@pytest.mark.parametrize(
    ("source", "recorded", "when", "place"),
    [
        ("memory/2025-11-27.md#L12", "2025-11-27", "27 Nov", "L12"),
        ("MEMORY.md#L12", "2025-11-27", "27 Nov", "MEMORY L12"),
        ("memory/2025-11-27-quay.md#L12", "2025-11-27", "27 Nov", "quay L12"),
        ("memory/2025-11-28.md#L12", "2025-11-27", "27 Nov", "2025-11-28 L12"),
        ("MEMORY.md#L12", None, "MEMORY", "L12"),
        ("OUTREACH_TRACKER.md#L1", None, "OUTREACH_…", "L1"),
    ],
)
def test_a_line_of_another_file_than_the_log_of_its_day_names_it(
    source: str, recorded: str | None, when: str, place: str
) -> None:
    row = statement({**HIT, "source": source, "recorded": recorded}, today=NOW)
    assert (row.when, row.place) == (when, place)


@pytest.mark.parametrize(
    ("core", "tag"),
    [
        ("## 概要\n締め切りは金曜日です。\n会議は週に一度です。\nメールで送る。", "ja"),
        ("## 概要\n締め切りは金曜日です。\nThe deadline is Friday.\nWe meet once a week.", "zh-Hans"),
        ("不喜欢语音消息。\n每周五开会。", "zh-Hans"),
        ("", "zh-Hans"),
    ],
)
def test_ideographs_alone_are_japanese_where_most_of_the_core_is(core: str, tag: str) -> None:
    assert tags_in([core])("概要") == tag
    assert tags_in([core])("The deadline is on Friday") == "en"
    assert tags_in([core])("लंबे संदेशों के बजाय") == "hi"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("“**Plan**: piers” ([8 May](../memory/2026-05-08.md)) replaces “one”", "“Plan: piers” (8 May) replaces “one”"),
        ("More stand in [Preferences and rules](../preferences.md).", "More stand in Preferences and rules."),
        ("Flere står i [Præferencer](præferencer.md#L3).", "Flere står i Præferencer."),
        ("見て[メモ](../memory/2026-03-08.md)。", "見てメモ。"),
        ("更多在[偏好](../偏好.md)里，更多在[偏好](../偏好.md)裡。", "更多在偏好里，更多在偏好裡。"),
        ("देखें [नियम](नियम.md)", "देखें नियम"),
        ("См. [правила](правила.md)", "См. правила"),
    ],
)
def test_a_link_to_a_file_reads_as_its_words(text: str, shown: str) -> None:
    assert plain(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "[the site](https://example.org/a.md)",
        "[x](javascript:alert(1).md)",
        "[x](//evil.example/a.md)",
        "[ ] call Ida (see plan.md)",
        "array[3](x)",
        "[a](b c.md)",
    ],
)
def test_other_brackets_stay_as_they_are_written(text: str) -> None:
    assert plain(text) == text


def test_a_proposal_reads_without_its_signs() -> None:
    assert proposed("W @Ida @Tide-book: **Sold** the boat.") == "Ida, Tide-book: Sold the boat."
    assert proposed("O(c=0.80) @王芳: 不喜欢语音消息") == "王芳: 不喜欢语音消息"
    assert proposed("S: The sea was calm.") == "The sea was calm."
    for other in ("Who: Ida", "W is a letter", "X @Ida: no kind", "Was @Ida: late?", "O(h) dear: no"):
        assert proposed(other) == other


def test_each_link_of_a_line_leads_to_its_file_and_is_looked_for_by_the_words_before() -> None:
    line = "- Sold. ([log](../memory/2025-11-14.md#L3),[tools](a%23L3.md))"
    assert linked(line, "bank/decisions.md") == [
        ("- Sold. (", ""),
        ("[log](../memory/2025-11-14.md#L3)", "at/memory/2025-11-14.md?find=Sold.#here"),
        (",", ""),
        ("[tools](a%23L3.md)", "at/bank/a%23L3.md?find=%2C#here"),
        (")", ""),
    ]


@pytest.mark.parametrize(
    "text", ["[a](" + "a.md#" * 40_000, "[a](a.md#" * 20_000, "**a " * 50_000 + "[a](b.md)", "[a](b.md)" * 20_000]
)
def test_a_line_that_tries_to_take_long_is_linked_piece_by_piece(text: str) -> None:
    pieces = linked(text, "MEMORY.md")  # a square of its length would be minutes
    assert "".join(words for words, _ in pieces) == text
    assert sum(bool(href) for _, href in pieces) <= 20


@given(st.text("[](.md#/%2ea* )\x00\u202e\ud800", max_size=60))
def test_pieces_are_the_line_and_lead_below_the_page(text: str) -> None:
    pieces = linked(seen(text), "memory/a.md")
    assert "".join(words for words, _ in pieces) == seen(text)
    for _, href in pieces:
        assert not href or (href.startswith("at/") and not unquote(href[3:]).startswith(("/", "../")))
