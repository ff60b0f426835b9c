"""What stands between a word for a secret and its value: a purpose, a statement, a link such as "is" or `:`.

The words are data (`data/secrets.json`). Law: a pattern reads a few hundred characters.
"""

from __future__ import annotations

import re
from functools import cache

from commonplace.core.tables import table
from commonplace.core.text.normalize import variants

_MARKS = "[ \t\"'`*]"
_VALUE = "(?P<value>[!-~\u00c0-\u024f]{4,250})"
_QUOTED = "(?:[\"'“「『«] ?|`(?! ))(?P<quoted>[^\"`'”」』»\n]{4,80})[\"`'”」』»]"
_SIGNS = r"\s0-9.:;=!?\"`(),\[\]{}<>|/\\@#$%&*+~^、。，；！？「」『』“”"
_WORD = rf"[^{_SIGNS}'_-][^{_SIGNS}]{{0,23}}?"
"""A word of any script. `\\w` has no vowel signs of Hindi."""


@cache
def _link() -> tuple[str, str]:
    """Return patterns of a link, and of a place where one may begin."""
    links = table("secrets")["links"]
    joined, spaced = ([low_form(link) for link in links[name]] for name in ("joined", "spaced"))
    behind = r"(?:\*\*)?[ \t=]{0,3}(?:\*\*(?=[^*]))?"  # **Password:** in Markdown
    link = rf"{_MARKS}{{0,4}}+(?:{either(joined)}){behind}|{_MARKS}{{1,4}}+(?:{either(spaced)})(?![^\W_])[ :]{{0,3}}"
    ahead = rf"(?={_MARKS}{{1,4}}+[{_firsts(spaced)}]|{_MARKS}{{0,4}}+[{_firsts(joined)}])"
    return link, ahead


@cache
def linked() -> re.Pattern[str]:
    """Perhaps a purpose, a link, and a value."""
    link, ahead = _link()  # the purpose ends where a link may begin
    purpose = rf"{_about()}[^.:;=!?\n\"]{{1,40}}?{ahead}| ?\([^()\n]{{1,40}}\)"
    return re.compile(rf"(?:{_which()})?(?:{purpose})?(?P<link>{link})(?:{_QUOTED}|{_VALUE})")


@cache
def bare() -> re.Pattern[str]:
    """Perhaps a purpose, and a value."""
    return re.compile(rf"(?:{_about()}(?:[^\W\d_]+ ){{1,3}})?(?P<link>[ \t]{{0,2}})(?P<quoted>(?!))?{_VALUE}")


@cache
def told() -> re.Pattern[str]:
    """What is said of it in one to four words, a link, and a value: `confirmed: …`, `ist jetzt geändert auf …`."""
    link, ahead = _link()
    words = rf"[ \t]?[*,([]{{0,2}}[ \t]?{_WORD}(?:[ \t,]{{1,2}}{_WORD}){{0,3}}?[*)\]]{{0,2}}"
    return re.compile(rf"(?:{_which()})?(?P<told>{words}){ahead}(?P<link>{link})(?:{_QUOTED}|{_VALUE})")


@cache
def stated() -> re.Pattern[str]:
    """Perhaps a link, what is said of it, and a value: `: still …`, `ist weiterhin …`, ` confirmed, …`."""
    link, _ = _link()
    return re.compile(
        rf"(?:{_which()})?(?:{link})?(?P<told>{states().pattern}[ \t,-]{{0,2}})(?P<link>)(?:{_QUOTED}|{_VALUE})"
    )


@cache
def states() -> re.Pattern[str]:
    """Words that say of a secret that it is confirmed, was changed or works now, in any number."""
    words = listed("states")
    spaced, joined = ([word for word in words if parts_words(word[-1]) is parts] for parts in (True, False))
    between = r"[ \t,*()\[\]]"
    word = rf"{between}++(?:{either(spaced)})(?![^\W\d_])|{between}*+(?:{either(joined)})"
    return re.compile(rf"(?:{word}){{1,12}}+{between}*")  # possessive: a run of words can be split in many ways


def _which() -> str:
    """A suffix that distinguishes several: `TOKEN_PROD`, `password1`."""
    return rf"[0-9]{{1,2}}(?=[^0-9a-z])|[_-](?:[0-9]{{1,2}}|{either(table('secrets')['which'])})(?![0-9a-z])"


def _about() -> str:
    return f" (?:{either([low_form(word) for word in table('secrets')['about']])}) "


def either(words: list[str]) -> str:
    """Return a pattern of these words, the longest first."""
    return "|".join(map(re.escape, sorted(set(words), key=len, reverse=True)))


def _firsts(words: list[str]) -> str:
    return re.escape("".join(sorted({word[0] for word in words})))


def low_form(word: str) -> str:
    """Return a word in the spelling in which texts are searched."""
    return variants(word).lower()


def parts_words(letter: str) -> bool:
    """Whether its script puts spaces between words: Latin, Cyrillic; not Han, kana, or scripts with joined endings."""
    return letter < "\u0530"


@cache
def listed(name: str) -> tuple[str, ...]:
    """Return a list of words of the table."""
    return tuple(map(low_form, table("secrets")[name]))
