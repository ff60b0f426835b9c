"""The language of a text as BCP 47 names it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.text.language_tag import language_tag

TAGS = {"", "en", "da", "ja", "hi", "ru", "zh-Hans", "zh-Hant"}


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("The backups run at two, because the scrub runs at three.", "en"),
        ("Hvorfor kommer hun ikke i dag, og hvem har nøglen?", "da"),
        ("王芳住在哪里？她说下周搬家。", "zh-Hans"),
        ("彼得住在維也納，說週末會回來。", "zh-Hant"),
        ("上海", "zh-Hans"),  # both scripts write it so: most readers have a font for the simplified one
        ("連絡はチャットよりメールを好む。", "ja"),
        ("पीटर को चाय पसंद है।", "hi"),
        ("Пётр живёт в Вене и пьёт чай.", "ru"),
        ("KP 417", ""),
        ("", ""),
    ],
)
def test_a_text_has_the_tag_of_its_language(text: str, tag: str) -> None:
    assert language_tag(text) == tag


@given(st.text())
def test_any_text_has_a_tag_or_none(text: str) -> None:
    assert language_tag(text) in TAGS
