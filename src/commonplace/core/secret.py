"""What a text seems to give away: passwords that it says, and keys and tokens by their shape.

A memory is plain text that many tools read and that lives in git, so a probable secret is refused; talk about secrets
("the password policy changed") is not. Hashes, commit ids and UUIDs are no secrets unless a word says so.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from commonplace.core.fold import variants
from commonplace.core.tables import table

LONGEST = 50_000
"""Characters of a text that are looked at: beyond it is no fact."""


class _Said(NamedTuple):
    """How a kind of secret is said."""

    name: str
    pattern: re.Pattern[str]


def secret(text: str) -> str:
    """What kind of secret a text seems to hold, or empty. Examples (`…EXAMPLE`, `<token>`, `${VAR}`) are none."""
    simple = variants(text[:LONGEST])
    for name, shape in _shapes():
        if any(not _is_placeholder(found[0]) for found in shape.finditer(simple)):
            return name
    if any(_is_value(found["value"], ":", "") for found in _url().finditer(simple)):
        return "a password in a URL"
    for said in _said():
        for found in said.pattern.finditer(simple):
            quoted = found["quoted"]
            value = quoted or found["value"] or ""
            link = (found["link"] or "").strip()
            rest = simple[found.end() :].lstrip(" \"'`“”」』")
            if _tells(said.name, value, "quoted" if quoted else link, rest):
                return f"a {said.name}"
    return ""


@cache
def _shapes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(shape)) for name, shape in table("secrets")["shapes"])


@cache
def _url() -> re.Pattern[str]:
    return re.compile(table("secrets")["url"])


def _any(words: list[str]) -> str:
    """Any of these words; between the parts of one stand a space, a hyphen, an underscore or nothing."""
    folded = sorted(map(variants, words), key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", "[ _-]?") for word in folded)


def _words(words: list[str], endings: list[str]) -> str:
    """Any of these words, none of them inside a longer one; `_token` and its like end one (`CI_TOKEN`)."""
    latin = [word for word in words if word[0].isascii()]
    other = [word for word in words if not word[0].isascii()]
    kinds = [rf"(?<![A-Za-z0-9])(?:{_any(latin)})(?![A-Za-z0-9])"] if latin else []
    kinds += [f"(?<=[A-Za-z0-9])(?:{_any(endings)})(?![A-Za-z0-9])"] if endings else []
    return "|".join([*kinds, *([_any(other)] if other else [])])


_VALUE = "(?P<value>[!-~\u00c0-\u024f]{4,250})"


@cache
def _said() -> tuple[_Said, ...]:
    """For each kind of secret: its word, perhaps what it is for, a link such as "is" or `:`, and a value."""
    data = table("secrets")
    links = data["links"]
    joined = rf"[ \"'`*]{{0,4}}(?:{_any(links['joined'])})[ =]{{0,3}}"
    spaced = rf"[ \"'`*]{{1,4}}(?:{_any(links['spaced'])})(?![^\W_])[ :]{{0,3}}"
    quoted = "[\"`'“「『](?P<quoted>[^\"`'”」』\n]{4,80})[\"`'”」』]"
    about = rf"(?: (?:{_any(data['about'])}) [^.:;=!?\n\"]{{1,40}}?)?"
    kinds = []
    for name, words in data["words"].items():
        said = f"(?:{_words(words, data['endings'].get(name, []))}){about}(?P<link>{joined}|{spaced})"
        kinds.append(_Said(name, re.compile(f"{said}(?:{quoted}|{_VALUE})", re.IGNORECASE)))
    for name, words in links["marked"].items():
        said = rf"(?:{_words(words, [])})(?P<link> {{0,2}}[:=] {{0,2}})"
        kinds.append(_Said(name, re.compile(f"{said}(?:{quoted}|{_VALUE})", re.IGNORECASE)))
    for name, words in links["bare"].items():
        said = rf"(?:{_words(words, [])})(?P<link> {{1,2}})(?P<quoted>(?!))?{_VALUE}"
        kinds.append(_Said(name, re.compile(said, re.IGNORECASE)))
    return tuple(kinds)


def _tells(kind: str, value: str, link: str, rest: str) -> bool:
    """Whether what follows the word is a secret of that kind."""
    if kind == "PIN":
        return re.fullmatch(r"[0-9]{4,8}[.,;!]?", value) is not None and not rest[:1].isalnum()
    if kind == "password":
        return _is_value(value, link, rest)
    value = value.strip(".,;:!?\"'`)]}")
    return len(value) >= (20 if not link else 12) and _mixes(value) and not _is_placeholder(value)


def _mixes(value: str) -> bool:
    """Whether it has letters and digits, and is no path, address or date with words."""
    return (
        any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and re.match(r"[a-z]+://|[0-9]{4}-", value) is None
    )


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(variants(word) for word in table("secrets")[name])


def _is_placeholder(value: str) -> bool:
    """Whether it stands for a value: `<token>`, `$PASSWORD`, `********`."""
    low = value.lower()
    named = value.startswith("$") and value[1:].replace("_", "").isalpha() and value.isupper()
    return named or any(mark in low for mark in table("secrets")["placeholders"]) or len(set(low)) < 3


def _is_value(value: str, link: str, rest: str) -> bool:  # noqa: PLR0911 — a list of cases, one return each
    """Whether it reads like a password and not like a word about one."""
    bare = value.strip(".,;:?\"'`)]}(").rstrip("!") or value
    low = bare.lower().removesuffix("'s")
    if (
        len(bare) < 4
        or low in _listed("plain")
        or _is_placeholder(bare)
        or low.startswith(tuple(_listed("algorithms")))
    ):
        return False
    if link == "quoted":
        return True
    if _counts().fullmatch(low):
        return False  # "16-character", "2026-03-01"
    letters, digits = any(map(str.isalpha, bare)), any(map(str.isdigit, bare))
    special = any(character in "!@#$%^*+=~" for character in bare)
    if digits:
        return letters or special or len(bare) >= 6
    if special:
        return letters
    if link not in {":", "=", "->", "→"}:
        return False
    return bare.count("-") > 1 or (letters and not rest[:1].isalnum() and bare.isalpha() and len(bare) > 4)


@cache
def _counts() -> re.Pattern[str]:
    """A number with its unit, or a date."""
    return re.compile(
        r"[0-9]+\+?(?:[-–]?[a-z]{1,3}|-[a-z]+(?:-[a-z]+)*)|[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?|[0-9]{1,2}[./][0-9]{1,2}[./]?[0-9]{0,4}"
    )
