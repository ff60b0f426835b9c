"""A key that lines break is one, wherever it is broken and whatever stands above and below it."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest
from tests.shapes import samples

from commonplace.core.secrets.guard import looks_like, secrets_in

TOKENS = [
    each.text
    for each in samples("shapes.json", each=1)
    if not set(each.text) & set(" =`/@\n") and ":app:" not in each.text
    if each.text.isascii() and len(each.text) > 24 and looks_like(each.text)
]
AROUND = [
    "The build uses\n{}\n{}\n",
    "# Token\n{}\n{}\n",
    "- The build uses\n  {}\n  {}\n",
    "The build uses\n{}\n{}\nfor everything.\n",
    "1. Use node20\n   {}\n   {} now\n",
    "> peter42\n> {}\n> {}\n",
    "Peter\nuses\n{}\n{}, I think\n",
]


@pytest.mark.parametrize("around", AROUND)
def test_a_token_below_words_is_known(around: str) -> None:
    assert len(TOKENS) > 100
    for text in TOKENS:
        for at in (len(text) // 3, len(text) // 2):
            assert looks_like(around.format(text[:at], text[at:])), text[:8]


def test_a_token_in_many_pieces_is_known() -> None:
    for text in TOKENS:
        step = len(text) // 4 + 1
        pieces = "\n".join(text[at : at + step] for at in range(0, len(text), step))
        assert looks_like(f"It uses\n{pieces}\nnow\n"), text[:8]


def test_words_on_lines_of_their_own_are_none() -> None:
    assert not secrets_in("maple\ntiger\nviolet\nriver\n" * 200) and not secrets_in("word12\nriver34\nA1B2C3\n" * 200)


def test_many_secrets_take_as_long_as_their_text() -> None:
    """Eight times the text takes about eight times the time, not sixty-four times."""
    random = Random(1)
    token = "gh" + "p_" + "{}"
    lines = [f"- {token.format(''.join(random.choices('abcdefghkmABCDEFGH23456789', k=36)))}" for _ in range(12_000)]

    def spent(count: int) -> float:
        began = process_time()
        assert len(secrets_in("\n".join(lines[:count]))) == count
        return process_time() - began

    assert min(spent(12_000) for _ in range(2)) < 24 * max(min(spent(1_500) for _ in range(2)), 0.01)
