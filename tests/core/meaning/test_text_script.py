"""The script of a text, and the sentences that show what a model adds for it."""

from __future__ import annotations

import pytest

from commonplace.core.meaning.text_script import background, script_of
from commonplace.core.text.known_languages import LANGUAGES, identify


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("The mason repaired the pier.", "latin"),
        ("Mureren reparerede molen i går.", "latin"),
        ("石匠修好了码头。", "zh"),
        ("石工が桟橋を直した。", "ja"),
        ("राजमिस्त्री ने घाट ठीक किया।", "devanagari"),
        ("Каменщик починил причал.", "cyrillic"),
        ("We met 王芳 at the pier and talked about the new sail.", "latin"),
        ("42", "latin"),
    ],
)
def test_a_text_has_the_script_of_its_language(text: str, script: str) -> None:
    assert script_of(text) == script


def test_there_are_sentences_in_every_script_and_each_is_of_its_script() -> None:
    assert {script_of(sentence) for each in background().values() for sentence in each} == background().keys()
    for name, told in background().items():
        assert len(told) >= 10
        assert {script_of(sentence) for sentence in told} == {name}
    languages = {identify(sentence).code for told in background().values() for sentence in told}
    assert languages == LANGUAGES.keys()
