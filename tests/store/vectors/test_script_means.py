"""What is taken from the vectors of lines, and from that of a question."""

from __future__ import annotations

import numpy as np
import pytest

from commonplace.core.meaning.text_script import background, script_of
from commonplace.store.vectors.script_means import ScriptMeans

TEXTS = (
    "Where is the key?",
    "Hvor er nøglen?",
    "钥匙在哪里?",
    "鑰匙在哪裡?",
    "鍵はどこですか?",
    "चाबी कहाँ है?",
    "Где ключ?",
)
MEANS = ScriptMeans({name: row for name, row in zip(background(), 0.9 * np.eye(8, dtype=np.float32), strict=False)})
"""Each in a direction of its own."""


@pytest.mark.parametrize("text", TEXTS)
def test_of_its_script_a_question_keeps_less_than_a_line(text: str) -> None:
    mean = MEANS.means[script_of(text)]
    vector = (mean + np.array([[0, 0, 0, 0, 0, 0, 0, 0.4]], np.float32)).astype(np.float32)
    [line], [question] = MEANS.centred(vector, [text]), MEANS.asked(vector, text)
    assert 0 < question @ mean < line @ mean
    assert np.linalg.norm(question) == pytest.approx(1)


def test_a_question_that_could_not_be_embedded_stays_near_nothing() -> None:
    assert not MEANS.asked(np.zeros((1, 8), np.float32), "Where is the key?").any()
