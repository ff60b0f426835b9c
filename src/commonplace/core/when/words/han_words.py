"""Cuts a run of Chinese or Japanese into its date words: at each character the longest one, or a numeral."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.when.words.numerals import NOTHING, NUMERALS, numeral_readings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonplace.core.when.words.date_lexicon import DateLexicon, Word


def han_words(run: str, lex: DateLexicon) -> Iterator[tuple[Word, int, int, tuple[str, ...]]]:
    """Yield each word, `NOTHING` for a character of none, with its offsets and the counters that it may begin."""
    at, size, words = 0, len(run), lex.words
    while at < size:
        best = min(lex.longest, size - at)
        while best and run[at : at + best] not in words:
            best -= 1
        numeral = 0
        while at + numeral < size and run[at + numeral] in NUMERALS:
            numeral += 1
        found = NOTHING
        if numeral and numeral >= best:
            found = numeral_readings(run[at : at + numeral])
            if numeral == best:
                shape, values = words[run[at : at + best]]
                found = f"{found[0]} {shape}".strip(), found[1] + values
        elif best:
            if best > 1 and run.startswith("中旬", at + best - 1):
                best -= 1  # 1月 + 中旬, not 月中 + 旬
            if run[at + best - 1] != "曜" or not _in_a_compound(run, at + best, beside=lex.beside):
                found = words[run[at : at + best]]
        end = at + max(numeral, best, 1)
        yield found, at, end, () if numeral else lex.longer if best else lex.counters
        at = end


def _in_a_compound(run: str, at: int, *, beside: tuple[str, ...]) -> bool:
    """Whether a weekday without 日 that ends at `at` is part of a longer word: 月曜会, 火曜サスペンス, but 月曜の朝."""
    following = run[at : at + 1]
    if not following or "ぁ" <= following <= "ゟ":
        return False
    return not run.startswith(beside, at)
