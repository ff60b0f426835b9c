"""Detects keys and tokens by their shape, and passwords that are named (`spoken_secrets`).

A memory is plain text that many tools read and that is kept in git, so a probable secret is refused; talk about secrets
("the password policy changed") is not. Hashes, commit ids and UUIDs are no secrets unless a word marks them as one.

Law: the time is linear in the text, whatever its content. A pattern is tried only where one of its marks occurs; from
there it reads a few hundred characters, and what it matched is not read again.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.secrets.checksums import cards, wallets
from commonplace.core.secrets.spoken_logins import spoken_logins
from commonplace.core.secrets.spoken_secrets import is_placeholder, is_value, spoken_secrets
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import variants

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_SHORTEST = 16
"""Least length, in characters, of a key or token without spaces."""
_LOGIN = "a login"
"""A value after a user name must look like a password by itself."""
_COMMAND = "a password in a command"
"""A value in a command may be any word."""
_OF_AN_APP = "an app password"
"""Its shape says enough."""
_UNSEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
"""Invisible characters that may split a token."""
_RUN = lazy_pattern("[a-z]+")
_MASKS = lazy_pattern(r"\.{2,}|…|\*{2,}|•{2,}|xxx")


class _Kind(NamedTuple):
    """A kind of secret, and how to recognise it."""

    name: str
    marks: tuple[str, ...]
    """Strings, one of which occurs wherever the pattern begins."""
    pattern: re.Pattern[str]
    spaced: bool
    """Whether it may contain spaces."""
    parts: tuple[str, ...]
    """The longest word of each mark."""
    whole: int = 0
    """Least length of a complete value; 0: as long as the pattern requires."""


class Secret(NamedTuple):
    """Text that looks like a secret."""

    kind: str
    """With its article: `a GitHub token`."""
    value: str
    """As it was found; never to be shown."""
    line: int
    """The line of the text in which it begins; the first is 1; 0: it is in a name."""
    last: int
    """The last line of the passage in which it was found."""


def secrets(text: str, *, by_shape: bool = False) -> Iterator[Secret]:
    """Yield the probable secrets of a text in order, each value once for each offset; each line is read alone.

    Examples (`…EXAMPLE`, `<token>`, `${VAR}`) are none. By shape, only keys and tokens are recognised.
    """
    simple = _simple(text)
    found: dict[int, tuple[str, str]] = {}
    for kind, start, value in _by_shape(simple) if by_shape else _all(simple):
        found.setdefault(start, (kind, value))
    line, at = 1, 0
    for start, (kind, value) in sorted(found.items()):
        line, at = line + simple.count("\n", at, start), start
        yield Secret(kind, value, line, line)


def told_lines(text: str) -> set[int]:
    """Return the lines, from 1, on which only the words around a value tell that it is a secret."""
    simple = _simple(text)
    return {simple.count("\n", 0, start) + 1 for _, start, _ in _by_words(simple)}


def _simple(text: str) -> str:
    """Return the text in one spelling, line by line."""
    if text.isascii():
        return text
    for unseen in _UNSEEN:
        text = text.replace(unseen, "")
    return "\n".join(map(variants, text.split("\n"))).replace("İ", "I")  # the one letter that is longer in lower case


def _by_shape(simple: str) -> Iterator[tuple[str, int, str]]:
    """Yield kind, offset and value of each key or token, in no order; a truncated one does not count."""
    narrow = _narrow(simple)
    long = " ".join(word for word in narrow.split() if len(word) >= _SHORTEST)
    for kind in _kinds("tokens") if long else _spaced_tokens():
        for mark in kind.marks:  # most words of most texts are short: this takes far less time than reading the text
            if kind.spaced or mark in long:
                break
        else:
            continue
        for found in _found(kind, narrow, narrow=narrow, words=narrow):
            value = found[0].rstrip(".")  # a full stop, or the dots of an ellipsis
            if not is_placeholder(value) and (
                len(value) >= kind.whole or not _is_cut(simple, found.start(), value=value)
            ):
                yield kind.name, found.start(), value


def _is_cut(simple: str, start: int, *, value: str) -> bool:
    """Whether dots or stars replace the rest of a value; equal stars on both sides only set it in bold."""
    end = start + len(value)
    mask = _MASKS.match(simple, end)
    stars = mask[0] if mask is not None and mask[0].startswith("**") else ""
    return mask is not None and (not stars or not simple.startswith(stars, max(start - len(stars), 0)))


def _all(simple: str) -> Iterator[tuple[str, int, str]]:
    """Yield kind, offset and value of each secret, in no order."""
    yield from _by_shape(simple)
    narrow = _narrow(simple.lower())
    yield from _by_words(simple)
    yield from cards(narrow)
    yield from wallets(narrow)


def _by_words(simple: str) -> Iterator[tuple[str, int, str]]:
    """Yield kind, offset and value of each secret that only the words around it tell, in no order."""
    low = simple.lower()
    narrow = _narrow(low)
    words = "\n".join(frozenset(low.split()))  # each once: a tenth of a log
    for kind in _kinds("values"):
        for part in kind.parts:  # as most kinds have no mark in most texts
            if part in words:
                break
        else:
            continue
        for found in _found(kind, low, narrow=narrow, words=words):
            value = simple[slice(*found.span("value"))]
            link = {_LOGIN: "", _COMMAND: "command", _OF_AN_APP: "quoted"}.get(kind.name, ":")
            if is_value(value, link, text=simple, end=found.end("value")):
                yield kind.name, found.start("value"), value
    starts = frozenset(_RUN.findall(words)).union(() if words.isascii() else words)
    yield from spoken_secrets(simple, low, narrow=narrow, words=words, starts=starts)
    yield from spoken_logins(simple, low, starts=starts)


def _narrow(text: str) -> str:
    """Return the text with a question mark for each character beyond ASCII, at the same offset: faster to search."""
    return text if text.isascii() else text.encode("ascii", "replace").decode("ascii")


def _found(kind: _Kind, text: str, *, narrow: str, words: str) -> Iterator[re.Match[str]]:
    """Yield the matches of its pattern, in the order of its marks; of a mark not even in the text's words are none."""
    for mark, part in zip(kind.marks, kind.parts, strict=True):
        if part not in words:
            continue
        where = narrow if mark.isascii() else text
        at = where.find(mark)
        if at < 0:
            continue
        while at >= 0:
            found = kind.pattern.match(text, at)
            if found is not None:
                yield found
            at = where.find(mark, max(at + 1, found.end() if found is not None else 0))


@cache
def _kinds(name: str) -> tuple[_Kind, ...]:
    return tuple(
        _Kind(
            kind,
            tuple(marks),
            lazy_pattern(pattern),
            " " in pattern or "\\s" in pattern,
            tuple(max(mark.split(), key=len) for mark in marks),
            *whole,
        )
        for kind, _, marks, pattern, *whole in table("secrets")[name]
    )


@cache
def _spaced_tokens() -> tuple[_Kind, ...]:
    """Return those that may be in a text without a long word."""
    return tuple(kind for kind in _kinds("tokens") if kind.spaced)
