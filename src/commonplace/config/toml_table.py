"""Edits a user's TOML text: one table set or removed, or a list at its top extended, and every other byte unchanged,
comments and layout included.

A table that is missing is added at the end of the text, which is where TOML allows one. `put` then `remove` gives the
text back. A table in another form than a header of its own (`a = {b = …}`, `a.b.c = …`) is left to its author.
"""

from __future__ import annotations

import tomllib
from functools import cache
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import re
    from collections.abc import Collection, Mapping, Sequence


class _Statement(NamedTuple):
    """A header or `key = value`, up to the end of its line."""

    start: int
    end: int
    path: tuple[str, ...]
    """Of a header its whole path; of a value the first name of its key."""
    header: bool
    value: int
    """Where the value starts; 0 for headers."""
    close: int
    """Behind the value, before a comment."""


def parse(text: str) -> dict[str, Any]:
    """The parsed text; ValueError if it is not TOML."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def shown(path: Sequence[str], entry: Mapping[str, Any]) -> str:
    """The table alone, as text."""
    lines = [f"[{'.'.join(map(_key, path))}]", *(_line(name, value) for name, value in entry.items())]
    return "\n".join(lines) + "\n"


def put(text: str, path: Sequence[str], entry: Mapping[str, Any], drop: Collection[str] = ()) -> str:
    """The text with the values of `entry` in the table at `path`, and without the names in `drop`.

    ValueError when the table stands there in a form that is not edited here.
    """
    held = _held(parse(text), path)
    if held is None:
        newline = _newline(text)
        table = shown(path, entry).replace("\n", newline)
        if not text:
            return table
        ended = text.endswith("\n")  # else there is none at the end afterwards, too
        after = text + newline + table if ended else text + newline * 2 + table.removesuffix(newline)
        try:
            tomllib.loads(after)
        except ValueError:
            above = ".".join(map(_key, path[:-1]))
            raise ValueError(f"{above} is an inline table; give each in it a header, [{above}.NAME]") from None
        return after
    for name, value in entry.items():
        if name not in held:
            header, rows = _table(text, path)
            at = (rows[-1] if rows else header).end
            line, newline = _line(name, value), _newline(text)
            text = text[:at] + (line + newline if text[:at].endswith("\n") else newline + line) + text[at:]
        elif held[name] != value:
            row = _row(_table(text, path)[1], name)
            text = text[: row.value] + _literal(value) + text[row.close :]
    for name in drop:
        if name in held and name not in entry:
            _, rows = _table(text, path)
            row = _row(rows, name)
            text = text[: row.start] + text[row.end :]
    return text


def extend(text: str, name: str, values: Sequence[str]) -> str:
    """The text with further values at the end of a list of texts at its top, which is created if it is missing.

    ValueError if what stands there is no list.
    """
    held = parse(text)
    if not isinstance(held.get(name, []), list):
        raise ValueError(f"{name!r} is not a list of texts")
    if name not in held:
        return _line(name, list(values)) + _newline(text) + text
    row = _row([*takewhile(lambda each: not each.header, _statements(text))], name)
    *_, last, _ = (each for each in _lexed().finditer(text, row.value, row.close) if each[0][0] not in "#\n")
    comma = "" if last.end() == row.value + 1 else " " if last[0].endswith(",") else ", "
    return text[: last.end()] + comma + ", ".join(map(_literal, values)) + text[last.end() :]


def remove(text: str, path: Sequence[str]) -> str:
    """The text without the table at `path` and the tables below it."""
    if _held(parse(text), path) is None:
        return text
    _table(text, path)
    below = tuple(path)
    statements = _statements(text)
    cuts: list[tuple[int, int]] = []
    for place, each in enumerate(statements):
        if each.header and each.path[: len(below)] == below:
            end = each.end
            for row in statements[place + 1 :]:
                if row.header:
                    break
                end = row.end
            cuts.append((_line_before(text, each.start), end))
    for start, end in reversed(cuts):
        last = end == len(text) and not text.endswith("\n")
        text = text[:start].removesuffix("\n").removesuffix("\r") + text[end:] if last else text[:start] + text[end:]
    return text


def _line_before(text: str, at: int) -> int:
    """The start of an offset's line, including one empty line before it."""
    start = text.rfind("\n", 0, at) + 1
    for empty in ("\r\n", "\n"):
        if text[:start].endswith(empty) and (start == len(empty) or text[: start - len(empty)].endswith("\n")):
            return start - len(empty)
    return start


def _held(found: Any, path: Sequence[str]) -> dict[str, Any] | None:
    """The table at a path, None if there is none; ValueError if the value is not a table."""
    for name in path:
        if not isinstance(found, dict):
            raise ValueError(f"{name!r} cannot be added: the value there is not a table")
        if name not in found:
            return None
        found = found[name]
    if not isinstance(found, dict):
        raise ValueError(f"{path[-1]!r} is not a table in the file")
    return found


def _table(text: str, path: Sequence[str]) -> tuple[_Statement, list[_Statement]]:
    """The header of a table, and the values in it."""
    statements = _statements(text)
    for place, each in enumerate(statements):
        if each.header and each.path == tuple(path):
            rows = statements[place + 1 :]
            return each, rows[: next((number for number, row in enumerate(rows) if row.header), len(rows))]
    raise ValueError(f"{'.'.join(path)} is not a table with a header of its own; edit it by hand")


def _row(rows: list[_Statement], name: str) -> _Statement:
    for each in rows:
        if each.path == (name,):
            return each
    raise ValueError(f"{name!r} is not written as a value of its own; edit it by hand")


@cache
def _lexed() -> re.Pattern[str]:
    """A pattern of strings, comments, punctuation, newlines and bare words."""
    import re

    many = r'"""(?:[^\\]|\\.)*?"""' + r'"{0,2}|' + r"'''.*?'''" + r"'{0,2}"
    one = r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'"
    return re.compile(rf"{many}|{one}|#[^\n]*|\n|[\[\]{{}}=]|[^\s\[\]{{}}=\"'#]+", re.DOTALL)


def _statements(text: str) -> list[_Statement]:
    """All headers and values, in order."""
    found: list[_Statement] = []
    line: list[re.Match[str]] = []
    depth = 0
    for each in _lexed().finditer(text):
        if each[0] == "\n" and depth == 0:
            if line:
                found.append(_statement(text, line, each.end()))
            line = []
        elif each[0] != "\n" and not each[0].startswith("#"):
            depth += (each[0] in "[{") - (each[0] in "]}")
            line.append(each)
    if line:
        found.append(_statement(text, line, len(text)))
    return found


def _statement(text: str, line: list[re.Match[str]], end: int) -> _Statement:
    start, close = line[0].start(), line[-1].end()
    said: Any = tomllib.loads(text[start:close])
    header = line[0][0] == "["
    path: list[str] = []
    while isinstance(said, dict) and said and (header or not path):
        path.append(next(iter(said)))
        said = said[path[-1]]
    if header and isinstance(said, list):
        path.append("")  # [[a]]: a table in a list, whose path is nobody's
    value = 0 if header else next(after.start() for mark, after in pairwise(line) if mark[0] == "=")
    return _Statement(start, end, tuple(path), header, value, close)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("-", "").replace("_", "").isalnum() else _literal(name)


def _line(name: str, value: Any) -> str:
    return f"{_key(name)} = {_literal(value)}"


def _literal(value: Any) -> str:
    """A text or a list of texts; JSON's escapes are TOML's, but for DEL, which TOML wants escaped."""
    import json

    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
