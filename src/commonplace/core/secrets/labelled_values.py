"""Values below a label: a heading, a line that ends in a colon, a parent bullet, a table column.

Below `# Wifi password`, the value in `- NAS: …` is read as if it followed the word.

Law: the time is linear in the text.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import variants

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MARKS = " \t\r:：*_`#."
_BRACKETS = (")", "）")
_TAIL = 9
"""Characters at the end of a line among which its last letters are."""
_CLOSED = 3
"""Characters at the end of a line among which a colon makes it a title: `**Logins of the NAS:**`."""
_LONGEST_TITLE = 60
_CLOSING = (":", "：", "*", "_")
_SHORTEST = 4
_LONG_WORD = 6
"""Least letters of a word that may end a compound without a space: Gästepasswort."""
_PLURAL = ("key", "token", "secret", "code", "pin")
_LEAD = lazy_pattern(r"(?:#{1,6}|[-*+•]|[0-9]{1,3}[.)])[ \t]+(?:\[.\][ \t])?")
_LABEL = lazy_pattern(r"[^:：=\n\"]{1,40}?(?:[:=][*_`]{0,3}[ \t]+|[ \t]+[-–—=→][ \t]+|：[ \t]*)")
"""`NAS:`, `NAS –`, `NAS =`; a full-width colon needs no space after it."""
_NOTE = lazy_pattern(r"(?:[ \t]+\([^()]{0,60}\)|（[^（）]{0,60}）)[.,;]?$")
_LOGIN = lazy_pattern(r"[\w.@+-]{2,40} ?/ ?([^\s/]{8,80})")
"""A user name and what may be the password."""
_RULE = lazy_pattern(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$")
"""The line below the head of a table."""
_ORDINARY = lazy_pattern(
    r"v?[0-9]+(?:\.[0-9]+)+[\w.+-]*|(?:19|20)[0-9]{2}(?:[-./][0-9]{1,2}){0,2}|.*\.[a-z]{1,4}|\S+@\S+\.\S+|[a-z]+://.*"
    r"|[\[<\"].*|.*,|[0-9]{1,3}[a-z]+|[a-z_]+[0-9]?|[A-Z_]+[0-9]?|.*[(){}=].*"
)
"""A version, a year or a date, a file, an address: ordinary values below such a label."""


class LabelledValue(NamedTuple):
    """A value, as if it followed the label above it."""

    text: str
    line: int


class _Title(NamedTuple):
    word: str
    indent: int
    """Of a bullet: deeper lines are below it; -1: lines of any indent are."""
    block: bool
    """Whether it labels only the lines before the next blank one."""


def below(lines: Sequence[str], first: int = 1) -> Iterator[LabelledValue]:
    """Yield the values below a label for a secret; lines before number `first` contain no values, only labels."""
    if _may_name(lines):
        for named in (*_in_tables(lines), *_below_titles(lines)):
            if named.line >= first:
                yield named


def _in_tables(lines: Sequence[str]) -> Iterator[LabelledValue]:
    columns: list[str] = []
    """For each column of the table, the word for a secret in its head, or empty."""
    for number, line in enumerate(lines, 1):
        if "|" not in line:
            columns = []
        elif not columns:
            columns = _columns(lines, number)
        else:
            for word, value in zip(columns, map(_value, _cells(line)), strict=False):
                if word and value:
                    yield LabelledValue(f"{word} | {value}", number)


def _below_titles(lines: Sequence[str]) -> Iterator[LabelledValue]:
    title: _Title | None = None
    begun = False
    """Whether there is a line below the title."""
    for number, line in enumerate(lines, 1):
        said = line.strip(" \t>\r")
        if not said:
            title = None if title is not None and title.block and begun else title
            continue
        named = _title(line, said)
        if _is_heading(said) or (title is not None and 0 <= title.indent >= _indent(line)):
            title = None
        if named is not None and (title is None or title.indent >= 0):
            title, begun = named, False
        elif title is not None:
            begun = True
            behind = _behind(said)
            if value := _value(behind):
                yield LabelledValue(f"{title.word} | {value}", number)
            if title.word in _for_logins():
                yield from (LabelledValue(f"login: {pair}", number) for pair in behind.split(", ") if _is_login(pair))


def _may_name(lines: Sequence[str]) -> bool:
    """Prefilter: whether some line may be a label for a secret. Most texts have none, which is found quickly."""
    tails, about = _tails(), _about().search
    for number, line in enumerate(lines):
        tail = line[-_TAIL:].rstrip(_MARKS)[-3:].lower()
        titled = line[:1] == "#" or ":" in line[-_CLOSED:]
        if tail in tails or tail[1:] in tails or (titled and (about(line) or line.rstrip()[-1:] in _BRACKETS)):
            if _title(line, line.strip(" \t>\r")) is not None:
                return True
        elif ("|-" in line or "-|" in line or "- |" in line) and _columns(lines, number + 1):
            return True
    return False


def _columns(lines: Sequence[str], number: int) -> list[str]:
    """Return the words for secrets in a table's head, if this line is the rule below it; empty if there are none."""
    if number < 2 or not _RULE.match(lines[number - 1].strip(" \t>\r")):
        return []
    words = list(map(_word, _cells(lines[number - 2])))
    return words if any(words) else []


@cache
def _tails() -> frozenset[str]:
    """Return the last letters of all words."""
    return frozenset(
        word[-3:] if word[-3:].isascii() else word[-2:] for word in (*_words(), *table("secrets")["titles"])
    )


def _title(line: str, said: str) -> _Title | None:
    """Return the title that a line is, if it is a label for a secret and nothing else."""
    bare = _LEAD.sub("", said, count=1)
    is_bullet = len(bare) < len(said) and not _is_heading(said)
    if len(bare) > _LONGEST_TITLE or not (is_bullet or _is_heading(said) or bare.endswith(_CLOSING)):
        return None
    word = _word(bare)
    return _Title(word, _indent(line) if is_bullet else -1, not is_bullet and not _is_heading(said)) if word else None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t>"))


def _behind(said: str) -> str:
    """Return the text of a line without its bullet and without the label before a colon or a dash."""
    bare = _LEAD.sub("", said, count=1)
    label = _LABEL.match(bare)
    return bare[label.end() :] if label else bare


def _is_login(text: str) -> bool:
    """Whether a text is a user name, a slash and what may be the password."""
    found = _LOGIN.fullmatch(text)
    return found is not None and _value(found[1]) != ""


def _value(cell: str) -> str:
    """Return the only word of a cell or line, perhaps followed by a note in brackets; empty for an ordinary word."""
    text = _NOTE.sub("", cell.strip(" \t*_`\"'“”「」")).rstrip(" \t*_`\"'“”「」")
    return "" if len(text) < _SHORTEST or " " in text or _ORDINARY.fullmatch(text) else text


def _word(title: str) -> str:
    """Return the word for a secret at the end of a title or table head, perhaps followed by its purpose; else empty."""
    low = variants(title).lower().strip(" \t#*_`:：.")
    low = _NOTE.sub("", low)
    if found := _ends(low):
        return found
    about = _about().search(low)
    return _ends(low[: about.start()]) if about else ""


def _ends(low: str) -> str:
    if not low.endswith(_endings()):
        return ""
    for ending in _endings():
        if low.endswith(ending):
            before = low[: -len(ending)][-1:]
            if not before.isalpha() or not ending.isascii() or len(ending) >= _LONG_WORD:
                return _words()[ending]
    return ""


@cache
def _words() -> dict[str, str]:
    """Return the words for secrets as used in titles, each with its form in sentences; the longest first."""
    data = table("secrets")
    found: dict[str, str] = {}
    for kind in ("password", "PIN", "recovery code", "key or token"):
        for word in (variants(each).lower() for each in data["words"][kind]):
            if " for " in word or " to " in word or word in data["no titles"]:
                continue
            found[word] = word
            if word.endswith(_PLURAL):
                found[f"{word}s"] = word
    for word, singular in data["titles"].items():
        found[variants(word).lower()] = variants(singular).lower()
    return {word: found[word] for word in sorted(found, key=lambda each: (-len(each), each))}


@cache
def _for_logins() -> frozenset[str]:
    """Return the words of titles below which a user name may stand before a password; below `API keys` and `Tokens`
    what has a slash is the model or scope they are for."""
    return frozenset(variants(word).lower() for word in table("secrets")["words"]["password"])


@cache
def _endings() -> tuple[str, ...]:
    return tuple(_words())


@cache
def _about() -> re.Pattern[str]:
    return re.compile(rf" (?:{'|'.join(map(re.escape, table('secrets')['about']))}) ")


def _is_heading(said: str) -> bool:
    return said.startswith("#") and said.lstrip("#")[:1] in {" ", "\t"}


def _cells(row: str) -> list[str]:
    return row.strip(" \t>\r").removeprefix("|").removesuffix("|").split("|")
