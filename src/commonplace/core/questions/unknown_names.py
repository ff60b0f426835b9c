"""The words of a question that it writes as names and that no line has."""

from collections.abc import Collection, Iterable
from itertools import pairwise

from commonplace.core.questions.query_analysis import Reading
from commonplace.core.text.analyzer import Term
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST

_TITLED = lazy_pattern(r"[\u3005\u4e00-\u9fff]{1,4}(?=さん|さま|ちゃん|くん|(?<![仕多同模異])様|(?<![華摂])氏)")
"""A name before its title, in Japanese; 仕様 and 華氏 have none."""


def strangers(reading: Reading, unknown: Iterable[Term]) -> tuple[str, ...]:
    """Return the unknown terms that the question writes as names: "Which cluster did Vantongeren rent?"

    A name is a capitalised word that does not begin a sentence, in a question that does not capitalise most words; an
    identifier with a digit, if no line has a part of it with a digit; or, in Japanese, what stands before a title
    (鈴木さん), if no known pair of characters has one of its own.
    """
    unknown = tuple(unknown)
    found = [term.text for term in unknown if _is_a_code(term, reading.terms, unknown=unknown)]
    pairs = [term.text for term in unknown if term.text[0] >= FAR_EAST]
    if pairs:
        found += [name[0] for name in _TITLED.finditer(reading.query) if _is_strange(name[0], pairs)]
    words = [word for word in reading.query.split() if word[:1].isalpha()]
    if 2 * sum(word[:1].isupper() for word in words) > len(words) + 1:
        return tuple(found)
    for term in unknown:
        at = reading.query.find(term.text)
        before = reading.query[: max(at, 0)].rstrip()
        begins = not any(map(str.isalnum, before)) or before[-1] in ".!?:"
        if at >= 0 and len(term.text) > 2 and term.text.isalpha() and term.text[0].isupper() and not begins:
            found.append(term.text)
    return tuple(found)


def _is_strange(name: str, unknown: Collection[str]) -> bool:
    """Whether a name has a character that is in no pair with one beside it that any line has."""
    pairs = [True, *(name[at : at + 2] in unknown for at in range(len(name) - 1)), True]
    return len(name) > 1 and any(map(all, pairwise(pairs)))


def _is_a_code(term: Term, terms: Iterable[Term], *, unknown: Collection[Term]) -> bool:
    """Whether a term is an identifier with a digit (QX-9931, E217) of which no line has a part with a digit."""
    text = term.text
    if not any(map(str.isdigit, text)) or not any(map(str.isalpha, text)):
        return False
    if term.kind != "identifier" and not (term.kind == "word" and text[0].isupper()):
        return False
    return not any(
        each.kind == "part" and each not in unknown and each.text in text and any(map(str.isdigit, each.text))
        for each in terms
    )
