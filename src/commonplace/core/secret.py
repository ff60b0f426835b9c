"""What a text seems to give away: passwords that it says, and keys and tokens by their shape.

A memory is plain text that many tools read and that lives in git, so a probable secret is refused; talk about secrets
("the password policy changed") is not. Hashes, commit ids and UUIDs are no secrets unless a word says so.

Law: the time grows with the text alone, whatever it says. A pattern is tried only where one of its marks stands; from
there it reads a few hundred characters, and what it took is not read again.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.fold import variants
from commonplace.core.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Kind(NamedTuple):
    """A kind of secret, and how it is known."""

    name: str
    marks: tuple[str, ...]
    """One of them stands wherever the pattern begins; the words' in lower case."""
    pattern: re.Pattern[str]


class Secret(NamedTuple):
    """What looks like a secret."""

    kind: str
    """With its article: `a GitHub token`."""
    value: str
    """As it was found; never to be shown."""
    line: int
    """In which line of the text it begins; the first is 1."""


def secret(text: str) -> str:
    """What kind of secret a text seems to hold, or empty. Examples (`…EXAMPLE`, `<token>`, `${VAR}`) are none."""
    return next((each.kind for each in secrets(text)), "")


def secrets(text: str) -> Iterator[Secret]:
    """What looks like a secret in a text, each value once for each place; lines are not read together."""
    simple = _simple(text)
    taken: set[int] = set()
    for kind, found, value in _all(simple):
        if found.start() not in taken:
            taken.add(found.start())
            yield Secret(kind, value, simple.count("\n", 0, found.start()) + 1)


def _simple(text: str) -> str:
    """The text in one spelling, its lines kept."""
    if not text.isascii():
        text = text.translate(_UNSEEN)
        text = "\n".join(map(variants, text.split("\n"))).replace("İ", "I")  # the one letter longer in lower case
    return text


_UNSEEN = dict.fromkeys([0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF])
"""Characters that nobody sees, and that may part a token."""


def _all(simple: str) -> Iterator[tuple[str, re.Match[str], str]]:
    for kind in _shapes():
        yield from ((kind.name, found, found[0]) for found in _found(kind, simple) if not _is_placeholder(found[0]))
    for found in _found(_url(), simple):
        if _is_value(found["value"], ":", simple, found.end()):
            yield _url().name, found, found["value"]
    low = simple.lower()
    for kind in _said():
        for found in _found(kind, low):
            group = "value" if found["quoted"] is None else "quoted"
            link = "quoted" if group == "quoted" else (found["link"] or "").strip()
            value = simple[slice(*found.span(group))]
            if _tells(kind.name, value, link, simple, found.end()):
                yield f"a {kind.name}", found, value


def _found(kind: _Kind, text: str) -> Iterator[re.Match[str]]:
    """Where its pattern matches, in the order of its marks."""
    match = kind.pattern.match
    for mark in kind.marks:
        at = text.find(mark)
        while at >= 0:
            found = match(text, at)
            if found is not None:
                yield found
            at = text.find(mark, max(at + 1, found.end() if found is not None else 0))


@cache
def _shapes() -> tuple[_Kind, ...]:
    return tuple(_Kind(name, tuple(marks), re.compile(shape)) for name, marks, shape in table("secrets")["shapes"])


@cache
def _url() -> _Kind:
    return _Kind("a password in a URL", ("://",), re.compile(table("secrets")["url"]))


def _any(words: list[str]) -> str:
    """Any of these words; between the parts of one stand a space, a hyphen, an underscore or nothing."""
    return "|".join(
        re.escape(word).replace(r"\ ", "[ _-]?") for word in sorted(map(_low, words), key=len, reverse=True)
    )


def _low(word: str) -> str:
    return variants(word).lower()


def _words(words: list[str], endings: list[str]) -> str:
    """Any of these words, none of them inside a longer one; `_token` and its like end one (`CI_TOKEN`)."""
    latin = [word for word in words if word[0].isascii()]
    other = [word for word in words if not word[0].isascii()]
    kinds = [rf"(?<![a-z0-9])(?:{_any(latin)})(?![a-z0-9])"] if latin else []
    kinds += [f"(?<=[a-z0-9])(?:{_any(endings)})(?![a-z0-9])"] if endings else []
    return "|".join([*kinds, *([_any(other)] if other else [])])


def _marks(words: list[str]) -> tuple[str, ...]:
    """What each of these words begins with: the fewest that do."""
    marks: list[str] = []
    for mark in sorted((_low(word).partition(" ")[0] for word in words), key=len):
        if not mark.startswith(tuple(marks)):
            marks.append(mark)
    return tuple(marks)


_VALUE = "(?P<value>[!-~\u00c0-\u024f]{4,250})"


@cache
def _said() -> tuple[_Kind, ...]:
    """For each kind of secret: its word, perhaps what it is for, a link such as "is" or `:`, and a value."""
    data = table("secrets")
    links = data["links"]
    joined = rf"[ \"'`*]{{0,4}}+(?:{_any(links['joined'])})[ =]{{0,3}}"
    spaced = rf"[ \"'`*]{{1,4}}+(?:{_any(links['spaced'])})(?![^\W_])[ :]{{0,3}}"
    quoted = "[\"`'“「『](?P<quoted>[^\"`'”」』\n]{4,80})[\"`'”」』]"
    first = re.escape("".join(sorted({_low(word)[0] for word in links["joined"] + links["spaced"]})))
    purpose = f" (?:{_any(data['about'])}) "
    kinds = []
    for name, words in data["words"].items():
        endings = data["endings"].get(name, [])
        word = f"(?:{_words(words, endings)})"
        # What it is for ends where the next link may begin, and before a word that is for something itself.
        step = rf"(?!{word}{purpose})[^.:;=!?\n\"]"
        about = rf"(?:{purpose}(?:{step}){{1,40}}?(?=[ \"'`*]{{0,4}}+[{first}]))?"
        pattern = f"{word}{about}(?P<link>{joined}|{spaced})(?:{quoted}|{_VALUE})"
        kinds.append(_Kind(name, _marks(words + endings), re.compile(pattern)))
    for name, words in links["marked"].items():
        pattern = f"(?:{_words(words, [])})(?P<link> {{0,2}}[:=] {{0,2}})(?:{quoted}|{_VALUE})"
        kinds.append(_Kind(name, _marks(words), re.compile(pattern)))
    for name, words in links["bare"].items():
        pattern = rf"(?:{_words(words, [])})(?P<link> {{1,2}})(?P<quoted>(?!))?{_VALUE}"
        kinds.append(_Kind(name, _marks(words), re.compile(pattern)))
    return tuple(kinds)


def _tells(kind: str, value: str, link: str, text: str, end: int) -> bool:
    """Whether what follows the word is a secret of that kind; it ends there in the text."""
    if kind == "PIN":
        then = _next(text, end)  # hiragana are no counted thing: 暗証番号は4821です
        return re.fullmatch(r"[0-9]{4,8}[.,;!]?", value) is not None and (not then or "ぁ" <= then <= "ん")
    if kind == "password":
        return _is_value(value, link, text, end)
    value = value.strip(".,;:!?\"'`)]}")
    return len(value) >= (20 if not link else 12) and _mixes(value) and not _is_placeholder(value)


def _next(text: str, end: int) -> str:
    """The letter or digit that the text goes on with, quotes and spaces aside; empty: a mark, or nothing."""
    space = _quotes().match(text, end)
    at = space.end() if space else end
    return text[at : at + 1] if text[at : at + 1].isalnum() else ""


@cache
def _quotes() -> re.Pattern[str]:
    return re.compile("[ \"'`“”」』]*")


def _mixes(value: str) -> bool:
    """Whether it has letters and digits, and is no path, address or date with words."""
    return (
        any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and re.match(r"[a-z]+://|[0-9]{4}-", value) is None
    )


@cache
def _listed(name: str) -> tuple[str, ...]:
    return tuple(map(_low, table("secrets")[name]))


@cache
def _plain() -> frozenset[str]:
    return frozenset(_listed("plain"))


@cache
def _placeholder() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, _listed("placeholders"))))


def _is_placeholder(value: str) -> bool:
    """Whether it stands for a value: `<token>`, `$PASSWORD`, `********`."""
    low = value.lower()
    named = value.startswith("$") and value[1:].replace("_", "").isalpha() and value.isupper()
    return named or _placeholder().search(low) is not None or len(set(low)) < 3


def _is_value(value: str, link: str, text: str, end: int) -> bool:  # noqa: PLR0911 — a list of cases, one return each
    """Whether it reads like a password and not like a word about one; it ends there in the text."""
    bare = value.strip(".,;:?\"'`)]}(").rstrip("!") or value
    low = bare.lower().removesuffix("'s")
    if len(bare) < 4 or low in _plain() or _is_placeholder(bare) or low.startswith(_listed("algorithms")):
        return False
    if link == "quoted":
        return True
    if _counts().fullmatch(low):
        return False  # "16-character", "2026-03-01"
    letters, digits = any(map(str.isalpha, bare)), any(map(str.isdigit, bare))
    special = not _SPECIAL.isdisjoint(bare)
    if digits:
        return letters or special or len(bare) >= 6
    if special:
        return letters
    if link not in {":", "=", "->", "→"}:
        return False
    return bare.count("-") > 1 or (letters and bare.isalpha() and len(bare) > 4 and not _next(text, end))


_SPECIAL = frozenset("!@#$%^*+=~")


@cache
def _counts() -> re.Pattern[str]:
    """A number with its unit, or a date."""
    return re.compile(
        r"[0-9]+\+?(?:[-–]?[a-z]{1,3}|-[a-z]+(?:-[a-z]+)*)|[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?|[0-9]{1,2}[./][0-9]{1,2}[./]?[0-9]{0,4}"
    )
