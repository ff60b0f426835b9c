"""What keeps a fact from standing alone is said in the author's own words; what gives a secret away is known."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.extract.advice import begins_with_pronoun, nudges
from commonplace.core.secrets.detector import secrets

CASES = Path(__file__).parent / "nudge"


def _cases(name: str, key: str) -> list[Any]:
    found: list[Any] = json.loads((CASES / name).read_text(encoding="utf-8"))[key]
    return found


@pytest.mark.parametrize(("text", "word"), _cases("nudges.json", "said"))
def test_a_nudge_names_the_words_as_they_were_typed(text: str, word: str) -> None:
    assert any(repr(word) in note for note in nudges(text)), nudges(text)


@pytest.mark.parametrize("text", _cases("nudges.json", "fine"))
def test_what_stands_alone_brings_no_nudge(text: str) -> None:
    assert nudges(text) == ()


@pytest.mark.parametrize("text", ["Peter has a boat.\nW @Peter: It leaks.", "x is good - O(c=0.8) @B: y is bad"])
def test_several_facts_in_one_text_bring_the_advice_to_split_them(text: str) -> None:
    assert "contains several facts: retain each one separately" in nudges(text)


@given(st.text(max_size=200))
def test_advice_on_any_text_quotes_words_of_it(text: str) -> None:
    for note in nudges(text):
        assert note.startswith(("very short", "contains several")) or any(
            repr(text[at:end]) in note for at, end in _stretches(text)
        )


def _stretches(text: str) -> list[tuple[int, int]]:
    return [(at, end) for at in range(len(text)) for end in range(at + 1, min(at + 60, len(text)) + 1)]


@pytest.mark.parametrize("parts", _cases("secrets.json", "secrets"))
def test_a_secret_is_known(parts: list[str]) -> None:
    assert any(secrets("".join(parts)))
    assert any(secrets(f"Peter said: {''.join(parts)} , and left."))


@pytest.mark.parametrize("text", _cases("secrets.json", "harmless"))
def test_talk_about_secrets_and_long_numbers_are_none(text: str) -> None:
    assert not any(secrets(text))


@given(st.text(max_size=300))
def test_any_text_can_be_asked_for_secrets(text: str) -> None:
    assert all(each.kind for each in secrets(text))


LINES = [
    "Peter went to the harbour with Alice, pinned a note to the door and passed the key on to Bo. ",
    "彼得昨天去了港口，和爱丽丝谈了天气，把钥匙放在门后。",
    "password for ",
    "pw to ",
    "pin of x ",
    "password: <none> ",
    "pw: a-bc ",
    "secret_access_",
    "token a1%s ",
    "密码 to ",
    "पासवर्ड है ",
    "://a:",
    "-eyJ",
    "sk-",
    "bearer 1",
    "-----BEGIN ",
    "AKIAIOSFODNN7EXAMPLE ",
    "İ",
    " ",
]


@pytest.mark.parametrize("line", LINES)
def test_a_long_text_is_looked_through_in_linear_time(line: str) -> None:
    def seconds(size: int) -> float:
        text = (line * (size // len(line)))[:size]
        began = process_time()
        assert not any(secrets(text))
        return process_time() - began

    # four times as much takes four times as long; sixteen times where every character is looked at again for each
    few, many = (min(seconds(size) for _ in range(2)) for size in (60_000, 240_000))
    assert many < 9 * few + 0.1


@pytest.mark.parametrize("line", LINES)
def test_a_secret_is_known_wherever_it_stands(line: str) -> None:
    assert any(secrets(f"{line * (60_000 // len(line))}\nThe password is hunter2."))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The password is hunter2.", "a password"),
        ("The PIN is 4821.", "a PIN"),
        ("postgres://admin:s3cr3t@db/prod", "a password in a URL"),
        ("密码：Abc12345", "a password"),
    ],
)
def test_a_secret_is_named_by_its_kind(text: str, kind: str) -> None:
    assert next(secrets(text)).kind == kind


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("They sold it in May", True),
        ("- **It** was sold", True),
        ("这是王芳的", True),
        ("Theo sold the van", False),
        ("Items were sold", False),
        ("", False),
    ],
)
def test_a_text_that_begins_with_a_pronoun_leaves_its_noun_behind(text: str, begins: bool) -> None:
    assert begins_with_pronoun(text) == begins
