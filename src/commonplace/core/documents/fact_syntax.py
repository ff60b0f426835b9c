"""Parses and renders one bullet as a fact: the grammar of docs/format.md.

W @Peter: Currently in Marrakech (Nov 27–Dec 1, 2025). <!-- cp: src=web:example.org --> ^k7f3qa
kind entities separator narrative                       trailer                        block id
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date
from functools import cache, lru_cache
from typing import Any, NamedTuple

from commonplace.core.model import KIND_OF_LETTER, RELATIONS, Fact, Kind, Trailer
from commonplace.core.provenance import strictest
from commonplace.core.text.lazy_pattern import lazy_pattern

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32 in lower case: no letter that can be misread as a digit or as another letter."""
HASH_LENGTH = 10
"""50 bits: with 18,000 facts the odds of one collision are 1 in 7 million."""
LONGEST = 20_000
"""Most characters of a fact: longer text is not one statement, and each recall that finds it would read all of it."""
_SHAPE = "write `W @Entity: text`, with W, B, O(c=0.8) or S"
_HEAD = lazy_pattern(
    r"(?P<letter>[A-Za-z])\s?(?:\((?P<note>[^()]{0,40})\))?(?P<entities>(?:[\s,，、]*@[^\s@:：,，、]+)*)\s*[:：]"
)
_BARE = lazy_pattern(r"[WBOS](?:\s*\(\s*c\s*=[^()]*\))?(?:\s*@\S+)*\s*$")
_BLOCK = lazy_pattern(r"(?:^|\s)\^([A-Za-z0-9][A-Za-z0-9-]{0,63})$")
_LEADING_BLOCK = lazy_pattern(r"\s?\^([A-Za-z0-9][A-Za-z0-9-]{0,63})(?=\s|$)")
_NO_TRAILER = Trailer()
_LONGEST_TAIL = 70
"""Characters at the end of a line in which a block id is searched."""
_LEAST_INSIDE = 4
"""Least length of a block id inside a bullet: `5 ^2` at the end of a line is none."""
_KEYS = "|".join((*RELATIONS, "source", "[sｓ][rｒ][cｃ]"))
_TRAILING = lazy_pattern(
    rf"<!--\s*cp\s*(?:[:：]|[^\w\s<>]?(?=(?:[^<>]{{0,200}}?\s|)(?:{_KEYS})\s*[=:＝：]))", re.IGNORECASE
)
"""The beginning of a trailer. Without its colon it counts if one of our keys follows: whoever says so, the line is not
taken for the author's; a comment about the command `cp` is none.
"""
_COMMENTED = lazy_pattern("<!--.*")
_SIGNS = "=:＝："
"""Separators of a key and its value, as people type them."""
_SOURCE_KEY = lazy_pattern(rf"(?:[sｓ][rｒ][cｃ]|source)(?:$|[{_SIGNS}]+(.*))", re.IGNORECASE)


class Head(NamedTuple):
    """A parsed bullet, before it has a place and a day."""

    kind: Kind
    confidence: float | None
    entities: tuple[str, ...]
    content: str
    trailer: Trailer
    block: str
    """The block id without `^`, or empty."""


class Defect(NamedTuple):
    """Why a bullet under a Retain heading is no fact."""

    code: str
    message: str
    hint: str


def read_bullet(text: str) -> Head | Defect:
    """Parse a bullet without list marker, white space collapsed in each line, as a fact, or return why it is none."""
    body, trailer, block = split_tail(text)
    found = _HEAD.match(body)
    if found is None and _BARE.match(body):
        return Defect("no-text", "a fact without text", "write the statement after `W @Entity:`")
    letter, note, entities = found.groups() if found is not None else ("", None, "")
    if found is None or not (letter in KIND_OF_LETTER or entities or note is not None):
        return Defect("no-kind", "a bullet under Retain is not a fact", _SHAPE)
    kind = KIND_OF_LETTER.get(letter)
    if kind is None:
        return Defect(
            "unknown-kind", f"unknown kind {letter!r}", "use W (world), B (experience), O (opinion) or S (observation)"
        )
    confidence = None
    if note is not None:
        confidence = _confidence(note)
        if confidence is None:
            return Defect(
                "bad-confidence", f"invalid confidence: ({note})", "write (c=0.8), a number from 0 to 1 with a point"
            )
    content = decode(body[found.end() :])
    if not content or len(content) > LONGEST:
        return too_long(content) if content else Defect("no-text", "a fact without text", "write the statement")
    return Head(kind, confidence, entity_names(entities), content, trailer, block)


def maybe_fact(text: str) -> bool:
    """Whether a bullet outside Retain sections can be a fact: a kind letter, then `@` or `(`."""
    return (
        text[:1] in KIND_OF_LETTER
        and len(text) > 3
        and (text[1] in " @(")
        and ("@" in text or text.startswith(("O(", "O (")))
    )


def too_long(content: str) -> Defect:
    """Return the defect of a text that is too long to be one fact."""
    hint = f"the maximum is {LONGEST:,}; leave the details in the log, and retain the essential statement"
    return Defect("too-long", f"a fact of {len(content):,} characters", hint)


def _confidence(note: str) -> float | None:
    """Return the number in `c=0.95`, or None."""
    name, equals, number = note.partition("=")
    if not equals or name.strip() != "c" or not number.strip().replace(".", "", 1).isdecimal() or not number.isascii():
        return None
    value = float(number)
    return value if 0.0 <= value <= 1.0 else None


@lru_cache(maxsize=1024)
def entity_names(text: str) -> tuple[str, ...]:
    """Return the names in `@Peter@warelay` or `@Peter, @warelay`, each once, in order."""
    if "@" not in text:
        return ()
    return tuple(dict.fromkeys(name for part in text.split("@") if (name := part.strip(" \t,，、"))))


def is_name(name: str) -> bool:
    """Whether `@` and this name are parsed as one entity with exactly this name."""
    said = read_bullet(f"W @{name}: x")
    return not isinstance(said, Defect) and said.entities == (name,)


def split_tail(text: str) -> tuple[str, Trailer, str]:
    """Return a bullet's text (all lines, white space collapsed) without trailers and id, its trailers as one, the id.

    A trailer counts anywhere, an id at the end of a line or beside a trailer: text typed after or below them changes
    neither. Of several ids the first counts, since later text is typed below it.
    """
    parts, trailer = _parted(text) if "<!--" in text else ([text], _NO_TRAILER)
    if len(parts) == 1 and "\n" not in text:
        if "^" in text and (found := _BLOCK.search(text, max(0, len(text) - _LONGEST_TAIL))):
            return text[: found.start()].rstrip(), trailer, found[1]
        return text, trailer, ""
    block, lines = "", list[str]()
    for at, part in enumerate(parts):
        below = part.rstrip().split("\n")
        if not block and at and (found := _LEADING_BLOCK.match(below[0])):
            block, below[0] = found[1], below[0][found.end() :]
        for number, line in enumerate(below):
            found = None if block or "^" not in line else _BLOCK.search(line, max(0, len(line) - _LONGEST_TAIL))
            if found is not None and (number == len(below) - 1 or len(found[1]) >= _LEAST_INSIDE):
                block, line = found[1], line[: found.start()]  # noqa: PLW2901
            lines.append(line.strip())
    return " ".join(filter(None, lines)), trailer, block


def trailed(text: str) -> bool:
    """Whether a text may contain a trailer."""
    return "<!--" in text and _TRAILING.search(text) is not None


def may_name_other(text: str) -> bool:
    """Whether a trailer in a text may name an outsider: one does, or there is a comment of several lines.

    Much cheaper than to parse the text.
    """
    for found in _COMMENTED.finditer(text) if trailed(text) else ():
        line = " ".join(found[0].split())  # as a bullet is read
        if line.rfind("-->") < line.rfind("<!--") or any(trailer.outsider for *_, trailer in _trailers(line)):
            return True
    return False


def _parted(text: str) -> tuple[list[str], Trailer]:
    """Return a bullet's text split at its trailers, and these as one; each ends at the first `-->`."""
    parts, trailers, last = list[str](), list[Trailer](), 0
    for start, end, trailer in _trailers(text):
        if text[start - 1 : start] == "`" == text[end : end + 1]:
            continue  # in code: text about trailers
        parts.append(text[last:start])
        trailers.append(trailer)
        last = end
    return [*parts, text[last:]], _together(trailers)


def _trailers(text: str) -> Iterator[tuple[int, int, Trailer]]:
    """Yield each trailer of a text with its start and end."""
    at = 0
    while (found := _TRAILING.search(text, at)) and (end := text.find("-->", found.end())) >= 0:
        at = end + 3
        yield found.start(), at, read_trailer(_TRAILING.sub(" ", text[found.end() : end]))


def _together(trailers: Sequence[Trailer]) -> Trailer:
    """Return several trailers of one bullet as one; if one of them names an outsider, that is who said it."""
    if len(trailers) < 2:
        return trailers[0] if trailers else _NO_TRAILER
    named = {key: tuple(dict.fromkeys(id for each in trailers for id in getattr(each, key))) for key in RELATIONS}
    other = tuple(dict.fromkeys(pair for each in trailers for pair in each.other))
    return Trailer(**named, src=strictest(*(each.src for each in trailers)), other=other)


def without_relations(text: str, ids: Collection[str]) -> str:
    """Return a page with these ids removed from its trailers; everything else, code included, is unchanged."""
    if "<!--" not in text or "^" not in text:
        return text
    out, last = list[str](), 0
    for start, end, trailer in _trailers(text):
        named = {key: tuple(each for each in getattr(trailer, key) if each not in ids) for key in RELATIONS}
        if all(named[key] == getattr(trailer, key) for key in RELATIONS) or _is_code(text, start):
            continue
        written = write_trailer(Trailer(**named, src=trailer.src, other=trailer.other))
        before = text[last:start]
        out.append(before + written if written else before.removesuffix(" "))
        last = end
    return "".join((*out, text[last:]))


def _is_code(text: str, at: int) -> bool:
    """Whether a position of a page is in a code span or a fence."""
    line = text.rfind("\n", 0, at) + 1
    fences = sum(each.lstrip(" \t").startswith(("```", "~~~")) for each in text[:line].split("\n"))
    return fences % 2 == 1 or text[line:at].count("`") % 2 == 1


def read_trailer(text: str) -> Trailer:
    """Parse `supersedes=^9f3c,^a1 src=web:example.org`; unknown keys are kept as written.

    The source is read in any spelling (`SRC=web:x`, `src: web:x`, `source = web:x`): a misspelled key must not turn an
    outsider's words into the author's.
    """
    lists: dict[str, tuple[str, ...]] = {}
    src, other, awaited = "", [], False
    for part in text.split():
        key, _, value = part.partition("=")
        if key in RELATIONS:
            ids = tuple(item.lstrip("^") for item in value.split(",") if item.lstrip("^"))
            lists[key] = lists.get(key, ()) + ids
            awaited = False
            continue
        who = value if key == "src" else _source(part, awaited=awaited)
        if who is None:
            other.append((key, value))
        elif who:
            src = strictest(src, who)
        awaited = who == ""
    return Trailer(**lists, src=src, other=tuple(other))


def _source(part: str, *, awaited: bool) -> str | None:
    """Return the source in a part of a trailer, however `src=` is spelled; empty if the next part contains it; else
    None.

    Args:
        awaited: the part before it is the key without a value.
    """
    key, equals, _ = part.partition("=")
    if key.isascii() and key[:1] not in "sS" and not awaited:
        return None
    plain = "".join(sign for sign in part if sign.isprintable())
    if found := _SOURCE_KEY.match(plain):
        return found[1] or ""
    return None if not awaited or (equals and key.isidentifier()) else plain.lstrip(_SIGNS)


def write_trailer(trailer: Trailer) -> str:
    """The inverse of `read_trailer`, as a comment; empty for an empty trailer."""
    if not any(trailer):
        return ""
    parts = [
        f"{key}={','.join('^' + item for item in getattr(trailer, key))}" for key in RELATIONS if getattr(trailer, key)
    ]
    if trailer.src:
        parts.append(f"src={trailer.src}")
    parts += [f"{key}={value}" if value else key for key, value in trailer.other]
    return f"<!-- cp: {' '.join(parts)} -->" if parts else ""


def render(fact: Fact) -> str:
    """Return the bullet's text without marker: the inverse of `read_bullet`. A line break in the content is kept."""
    confidence = f"(c={fact.confidence:.6g})" if fact.confidence is not None else ""
    entities = "".join(f" @{name}" for name in fact.entities)
    content = "\n  ".join(map(encode, fact.content.split("\n")))
    parts = [f"{fact.kind.letter}{confidence}{entities}: {content}", write_trailer(fact.trailer)]
    if fact.block_id:
        parts.append(f"^{fact.id}")
    return " ".join(part for part in parts if part)


def render_bare(fact: Fact) -> str:
    """Return the bullet's text without marker, trailer and block id."""
    return render(fact._replace(trailer=Trailer(), block_id=False))


def decode(text: str) -> str:
    """Return narrative text as a person means it: HTML entities decoded, white space collapsed."""
    if "&" in text and ";" in text:
        from html import unescape

        text = unescape(text)
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(text.split())


def encode(text: str) -> str:
    """Return text from which `decode` restores the original, on one line, that opens and ends no comment and cannot be
    read as a trailer or block id.
    """
    text = " ".join(text.split())
    if "&" in text and decode(text) != text:
        text = text.replace("&", "&amp;")
    if text.startswith(("<<<<<<< ", ">>>>>>> ")):  # a conflict marker of git
        text = ("&lt;" if text[0] == "<" else "&gt;") + text[1:]
    if "--" in text:
        text = text.replace("<!--", "&lt;!--").replace("-->", "--&gt;")
    if "^" in text and _BLOCK.search(text):
        head, _, tail = text.rpartition("^")
        text = f"{head}&#94;{tail}"
    return text


def base_id(kind: Kind, entities: tuple[str, ...], *, content: str, recorded: date | None) -> str:
    """Return the id of a fact without block id: a hash of kind, entities, content and day, never of its place.

    NFKC and casefold only, so that the id is the same on every machine.
    """
    plain = content.casefold()
    if not (plain.isascii() and plain.isprintable()):
        from unicodedata import normalize

        plain = normalize("NFKC", content).casefold()
    if "  " in plain or not plain.isprintable():
        plain = " ".join(plain.split())
    day = recorded.isoformat() if recorded else ""
    return hash_id(f"{kind.letter}\x1f{' '.join(entities)}\x1f{plain}\x1f{day}")


def line_id(content: str, recorded: date | None) -> str:
    """Return the id of any other line: a hash of its text and day."""
    return hash_id("\x1f".join(("", content, recorded.isoformat() if recorded else "")))


def hash_id(text: str, length: int = HASH_LENGTH) -> str:
    """Return the first 5·length bits of a BLAKE2b hash in base 32; at most ten characters."""
    digest = _blake2b()(text.encode("utf-8", "surrogatepass"), digest_size=10).digest()
    number, pairs = int.from_bytes(digest, "big") >> 30, _pairs()
    first = pairs[number >> 40] + pairs[number >> 30 & 1023] + pairs[number >> 20 & 1023]
    return (first + pairs[number >> 10 & 1023] + pairs[number & 1023])[:length]


@cache
def _blake2b() -> Callable[..., Any]:
    """Return the hash function of `hashlib`, from where that has it: `hashlib` also loads OpenSSL, 3 ms."""
    from _blake2 import blake2b

    return blake2b


@cache
def _pairs() -> tuple[str, ...]:
    """Return all pairs of characters of the alphabet, so that a hash is written in half the steps."""
    return tuple(first + second for first in ALPHABET for second in ALPHABET)


def searchable(content: str, entities: Sequence[str]) -> str:
    """Return the text by which a fact can be found: its content and the names of its entities."""
    return f"{' '.join(entities).replace('-', ' ')} {content}" if entities else content
