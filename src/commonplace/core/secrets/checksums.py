"""Card numbers, checked by sum, issuer and length; and the words of wallets.

Law: the time is linear in the text.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST_WORDS = 12
_LEAST_DIFFERENT = 10
"""Of twelve words drawn from 2,048, fewer than ten differ once in 390,000 times."""
WALLET = "the words of a wallet"
_BEFORE = 40
"""Characters before a number in which a word may show that it is no card."""
_DIGITS = lazy_pattern(
    r"(?<![0-9a-z.,+#/=:@-])(?<![0-9a-z]_)(?<![0-9] )"
    r"(?:[2-69][0-9]{12,18}|[24569][0-9]{3}(?:([ -])[0-9]{4})(?:\1[0-9]{4}){2}(?:\1[0-9]{3})?"
    r"|3[0-9]{3}([ -])[0-9]{6}\2[0-9]{4,5}|35[0-9]{2}([ -])[0-9]{4}\3[0-9]{4}\3[0-9]{4})"
    r"(?![0-9a-z-]|_[0-9a-z]|[.,][0-9]| [0-9]{3})"
)
"""Digits in the groups used on cards, or ungrouped."""
_LISTED_WORD = r"[a-z]{3,8}(?![0-9a-z])"
_BETWEEN = r"[ ,;\n\r\t]{1,6}+(?:(?:[0-9]{1,2}[.):]?|[-*])[ \t]?)?+"
_RUN = lazy_pattern(f"(?<![0-9a-z]){_LISTED_WORD}(?:{_BETWEEN}{_LISTED_WORD}){{{LEAST_WORDS - 1},}}+")
"""Twelve or more short words, perhaps with commas, numbers or bullets between them."""
_WORD = lazy_pattern("[a-z]{3,8}")


def cards(low: str) -> Iterator[tuple[str, int, str]]:
    """Yield numbers of cards in a lower-case text: kind, offset, number."""
    for found in _DIGITS.finditer(low):
        number = found[0].replace(" ", "").replace("-", "")
        if _is_card(number) and not _is_other(low[max(0, found.start() - _BEFORE) : found.start()]):
            yield "the number of a card", found.start(), found[0]


def _is_card(number: str) -> bool:
    head = int(number[:6])
    known = table("secrets")
    if not any(first <= head <= last and len(number) in lengths for first, last, lengths in known["card issuers"]):
        return False
    if len(set(number[4:])) < 3 or number in known["test cards"]:
        return False
    digits = [int(digit) * (1 + at % 2) for at, digit in enumerate(reversed(number))]
    return sum(digit - 9 * (digit > 9) for digit in digits) % 10 == 0


def _is_other(before: str) -> bool:
    """Whether the words before a number show that it is no card; a word for cards shows that it is one."""
    known = table("secrets")
    line = before.rpartition("\n")[2]
    return not any(word in line for word in known["cards"]) and any(word in line for word in known["other numbers"])


def wallets(low: str) -> Iterator[tuple[str, int, str]]:
    """Yield wallet phrases in a lower-case text: as many words of the list, one after the other, as a wallet has."""
    for run in _RUN.finditer(low):
        known = _list()
        for is_known, group in groupby(_WORD.finditer(run[0]), key=lambda word: word[0] in known):
            words = list(group)
            if is_known and _are_a_wallet([word[0] for word in words]):
                yield WALLET, run.start() + words[0].start(), run[0][words[0].start() : words[-1].end()]


def _are_a_wallet(words: list[str]) -> bool:
    """Whether there are enough words in a row with hardly any repeated: lists that count items repeat their words."""
    return any(
        len(set(words[start : start + LEAST_WORDS])) >= _LEAST_DIFFERENT
        for start in range(len(words) - LEAST_WORDS + 1)
    )


@cache
def _list() -> frozenset[str]:
    return frozenset(table("wallet")["english"].split())
