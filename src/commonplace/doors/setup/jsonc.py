"""A person's JSON text with one entry set or taken out; every other byte of it stays: comments, order, layout.

Reads plain JSON, JSON with comments and trailing commas (JSONC), and JSON5. What is written is plain JSON in the
layout of the text around it. `put` then `remove` gives the text back, unless an object that held nothing was filled:
it goes with the entry, and how it was spaced is forgotten.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import re
    from collections.abc import Collection, Mapping, Sequence

_BOM = "\ufeff"


class _Token(NamedTuple):
    text: str
    start: int
    end: int


class _Member(NamedTuple):
    """`"name": value,` as offsets into the text."""

    name: str
    start: int
    value: int
    end: int
    comma: int
    """Where the comma stands behind it; -1 when there is none."""
    place: int
    """Index of the value's first token."""


class _Object(NamedTuple):
    inside: int
    """Just behind the opening brace."""
    close: int
    members: list[_Member]

    def last(self, name: str) -> _Member | None:
        """The member of a name; of several the last, which is the one that counts."""
        return next((each for each in reversed(self.members) if each.name == name), None)


def parse(text: str) -> dict[str, Any]:
    """What the text says; ValueError when it is no JSON, JSONC or JSON5, or no object."""
    text = text.removeprefix(_BOM)
    try:
        found = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:
        import json5

        try:
            found = json5.loads(text)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
    if not isinstance(found, dict):
        raise ValueError("it is not an object")
    return found


def shown(path: Sequence[str], entry: Mapping[str, Any]) -> str:
    """The entry alone, as a text of its own."""
    return json.dumps(_nested(path, entry), indent=2, ensure_ascii=False) + "\n"


def put(text: str, path: Sequence[str], entry: Mapping[str, Any], drop: Collection[str] = ()) -> str:
    """The text with the values of `entry` in the object at `path`, and without the names in `drop` there.

    Objects that are missing on the way are made. ValueError when something else stands in the way.
    """
    if not text.removeprefix(_BOM).strip():
        return text + shown(path, entry)
    held: Any = parse(text)
    for name in path:
        held = held.get(name) if isinstance(held, dict) else None
    if not isinstance(held, dict):
        return _set(text, path, value=dict(entry))
    for name in drop:
        if name in held and name not in entry:
            text = _without(text, (*path, name))
    for name, value in entry.items():
        if name not in held or held[name] != value:
            text = _set(text, (*path, name), value=value)
    return text


def remove(text: str, path: Sequence[str]) -> str:
    """The text without the member at `path`, and without the objects around it that held nothing else."""
    above = _object(_tokens(text), path[:-1])
    if above is None or above.last(path[-1]) is None:
        return text
    for depth in range(len(path), 0, -1):
        text = _without(text, path[:depth])
        above = _object(_tokens(text), path[: depth - 1])
        if above is None or above.members or text[above.inside : above.close].strip():
            break
    return text


@cache
def _lexed() -> re.Pattern[str]:
    """A pattern of strings, comments, punctuation and bare words."""
    import re

    text = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
    return re.compile(rf"{text}|//[^\n\r\u2028\u2029]*|/\*.*?\*/|[{{}}\[\]:,]|[^\s\ufeff{{}}\[\]:,\"'/]+", re.DOTALL)


@lru_cache(maxsize=4)
def _tokens(text: str) -> list[_Token]:
    """The tokens without comments, cached: an edit needs those of one text several times."""
    found = (_Token(each[0], each.start(), each.end()) for each in _lexed().finditer(text))
    return [each for each in found if not each.text.startswith("/")]


def _read(tokens: list[_Token], at: int) -> _Object:
    """The object that starts at a token."""
    members: list[_Member] = []
    inside = tokens[at].end
    at += 1
    while tokens[at].text != "}":
        name, value = tokens[at], at + 2
        at = _behind(tokens, value)
        end = tokens[at - 1].end
        comma = tokens[at].start if tokens[at].text == "," else -1
        members.append(_Member(_name(name.text), name.start, tokens[value].start, end, comma, value))
        at += comma >= 0
    return _Object(inside, tokens[at].start, members)


def _behind(tokens: list[_Token], at: int) -> int:
    """The position after the value that starts at a token."""
    depth = 0
    while True:
        depth += (tokens[at].text in "{[") - (tokens[at].text in "}]")
        at += 1
        if depth == 0:
            return at


def _name(token: str) -> str:
    """The name of a key: `"a"`, `'a'` or `a`."""
    if token[0] == '"':
        return str(json.loads(token, strict=False))
    if token[0] != "'" and "\\" not in token:
        return token
    import json5

    return str(next(iter(json5.loads(f"{{{token}: 0}}"))))


def _object(tokens: list[_Token], path: Sequence[str]) -> _Object | None:
    """The object at a path; None if there is none."""
    found = _read(tokens, 0)
    for name in path:
        member = found.last(name)
        if member is None or tokens[member.place].text != "{":
            return None
        found = _read(tokens, member.place)
    return found


def _nested(path: Sequence[str], value: Any) -> Any:
    for name in reversed(path):
        value = {name: value}
    return value


def _set(text: str, path: Sequence[str], *, value: Any) -> str:
    """The text with a value at a path, replaced or added."""
    tokens = _tokens(text)
    found = _read(tokens, 0)
    for depth, name in enumerate(path, 1):
        member = found.last(name)
        if member is None:
            return _added(text, found, name=name, value=_nested(path[depth:], value))
        if depth == len(path):
            spread = "\n" in text[: member.start]
            rendered = _rendered(text, value, indent=_indent(text, member.start), spread=spread)
            return text[: member.value] + rendered + text[member.end :]
        if tokens[member.place].text != "{":
            raise ValueError(f"{name!r} is not an object in the file")
        found = _read(tokens, member.place)
    raise AssertionError("a path has a name")


def _added(text: str, found: _Object, *, name: str, value: Any) -> str:
    """The text with a member more at the end of an object, laid out as the members before it are."""
    newline = _newline(text)
    first = found.members[0] if found.members else None
    if first is not None:
        spread, indent = "\n" in text[found.inside : first.start], _indent(text, first.start)
        last = found.members[-1]
        end = last.comma + 1 if last.comma >= 0 else last.end
    else:
        spread = "\n" in text.strip() or _unit(text) is None
        indent = _indent(text, found.inside) + (_unit(text) or "  ")
        last, end = None, found.inside
    at = _line_tail(text, end, close=found.close)
    if "//" in text[end:at]:
        spread = True  # a member on this line would be part of the comment
    member = f"{json.dumps(name, ensure_ascii=False)}: {_rendered(text, value, indent=indent, spread=spread)}"
    lead = newline + indent if spread else " " if last else ""
    comma = "," if last is not None and last.comma < 0 else ""
    tail = "," if last is not None and last.comma >= 0 else ""
    if last is None and spread and "\n" not in text[at : found.close]:
        tail = newline + _indent(text, found.inside)
    return text[:end] + comma + text[end:at] + lead + member + tail + text[at:]


def _line_tail(text: str, end: int, *, close: int) -> int:
    """The offset after comments on the rest of a line."""
    for each in _lexed().finditer(text, end, close):
        if not each[0].startswith("/") or "\n" in text[end : each.start()]:
            break
        end = each.end()
    return end


def _is_noted(text: str, start: int, *, at: int) -> bool:
    """Whether a line comment reaches an offset; `start` is in no comment and no string."""
    return any(each[0].startswith("//") and at <= each.end() for each in _lexed().finditer(text, start, at))


def _rendered(text: str, value: Any, *, indent: str, spread: bool) -> str:
    if not spread:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, indent=_unit(text) or "  ", ensure_ascii=False).split("\n")
    return (_newline(text) + indent).join(lines)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _indent(text: str, at: int) -> str:
    """The white space at the start of an offset's line."""
    line = text[text.rfind("\n", 0, at) + 1 : at].removeprefix(_BOM)
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str | None:
    """One step of indentation, from the first member; empty if all is on one line, None without members."""
    root = _read(_tokens(text), 0)
    if not root.members:
        return None
    start = root.members[0].start
    return _indent(text, start) if "\n" in text[root.inside : start] else ""


def _without(text: str, path: Sequence[str]) -> str:
    """The text without the member at a path, if there is one."""
    found = _object(_tokens(text), path[:-1])
    member = found and found.last(path[-1])
    if not found or not member:
        return text
    before = len(text[: member.start].rstrip())
    end = member.comma + 1 if member.comma >= 0 else member.end
    behind = text[end:].lstrip(" \t")[:1]
    if "\n" in text[before : member.start] and behind not in ("\r", "\n", "}"):
        before, end = member.start, len(text) - len(text[end:].lstrip(" \t"))  # others follow on its line
    elif behind == "}" and _is_noted(text, found.inside, at=before):
        before = member.start  # the brace would be part of the comment above
    place = found.members.index(member)
    if member.comma < 0 and place:
        comma = found.members[place - 1].comma
        return text[:comma] + text[comma + 1 : before] + text[end:]
    if len(found.members) == 1 and not (text[found.inside : before] + text[end : found.close]).strip():
        return text[: found.inside] + text[found.close :]
    return text[:before] + text[end:]
