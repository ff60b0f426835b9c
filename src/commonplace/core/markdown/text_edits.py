"""Edits a text: append, replace exactly one occurrence, insert at a line.

Law: not one character changes outside the range of the edit. A line ends at `\\n` or `\\r\\n`, as editors and git count
them (not at U+2028, U+0085 or a lone `\\r`), and every line keeps its line end. Added text takes the line end of the
line that it replaces, else of its neighbour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.markdown.syntax import is_words, item_text
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.errors import TextNotFound, TextNotUnique, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MOST_LISTED = 20
"""Lines named in a message, at most; more do not help."""
_CONTROL = lazy_pattern("[\x00-\x08\x0b\x0e-\x1f\x7f]")
"""The ASCII control characters, except tab, line ends and the form feed, which separates pages in plain text."""


def require_plain(text: str) -> None:
    """Raise UsageError for a text with a control character: with one NUL, git and grep treat the file as binary."""
    found = _CONTROL.search(text)
    if found is not None:
        raise UsageError(
            f"the text contains the control character U+{ord(found[0]):04X}", "remove it: Markdown is plain text"
        )


def without_controls(text: str) -> str:
    """Return the text without its control characters, except those of plain text."""
    return _CONTROL.sub("", text)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, each with its line end; joined they are the text again."""
    lines = text.split("\n")
    last = lines.pop()
    lines = [line + "\n" for line in lines]
    if last:
        lines.append(last)
    return lines


def line_end(line: str) -> str:
    r"""`\r\n`, `\n`, or empty if the text stops without one."""
    return "\r\n" if line.endswith("\r\n") else "\n" if line.endswith("\n") else ""


def append(text: str, addition: str) -> str:
    """Return the text with whole lines added; a last line without a line end gets one."""
    if not addition:
        return text
    end = _end_at(text, len(text))
    return text + (end if text and not text.endswith("\n") else "") + _closed(_with_end(addition, end), end)


def append_apart(text: str, addition: str) -> str:
    """`append`, after a blank line if the first line would join an item above, or an underline reach the last line."""
    first, _, rest = addition.partition("\n")
    words = is_words(first)
    last = next(reversed(lines_of(text)), "").strip() if text else ""
    if last and (_is_underline(first) or (words and _is_underline(rest.partition("\n")[0]))):
        return append(text, f"\n{addition}")
    if not words:
        return append(text, addition)
    for line in reversed(lines_of(text)):
        if not line.strip():
            break
        if item_text(line.strip()) is not None:
            return append(text, f"\n{addition}")
    return append(text, addition)


def _is_underline(line: str) -> bool:
    bare = line.strip()
    return len(bare) > 2 and bare[0] in "=-" and not bare.strip(bare[0])


def append_bullet(text: str, content: str) -> str:
    """Return the text with a list item added, after a blank line unless the last line is part of a list."""
    last = lines_of(text)[-1].rstrip("\r\n") if text else ""
    listed = not last.strip() or last.startswith(("- ", "* ", "+ ", " ", "\t"))
    return append(text, f"- {content}" if listed else f"\n- {content}")


def insert(text: str, addition: str, *, after: int) -> str:
    """Return the text with whole lines added after line `after`; 0 is the top.

    Raises UsageError if there is no such line.
    """
    lines = lines_of(text)
    if not 0 <= after <= len(lines):
        raise UsageError(
            f"there is no line {after}", f"the text has {len(lines)} lines: give a number from 0 to {len(lines)}"
        )
    if after == len(lines):
        return append(text, addition)
    if not addition:
        return text
    offset = sum(map(len, lines[:after]))
    end = line_end(lines[after - 1] if after else lines[0]) or "\n"
    return text[:offset] + _closed(_with_end(addition, end), end) + text[offset:]


def replace(text: str, old: str, new: str) -> str:
    r"""Return the text with its one occurrence of `old` replaced; `\n` in `old` matches `\r\n` too.

    Raises TextNotFound (with the lines that are similar), TextNotUnique (with the lines where it starts), and
    UsageError if `old` is empty.
    """
    if not old:
        raise UsageError("the text to replace is empty", "give the text that is there now")
    plain, wanted = text.replace("\r\n", "\n"), old.replace("\r\n", "\n")
    starts = list(starts_of(plain, wanted))
    if not starts:
        raise TextNotFound("the text to replace was not found", _near(plain, wanted))
    if len(starts) > 1:
        numbers = list(dict.fromkeys(line_numbers(plain, starts)))
        raise TextNotUnique(
            f"the text to replace occurs {len(starts)} times, in {_lines(numbers)}",
            "give more of the surrounding text",
        )
    start = _raw(text, starts[0])
    end = _raw(text, starts[0] + len(wanted))
    return text[:start] + _like(text, start, end=end, new=new) + text[end:]


def starts_of(text: str, wanted: str) -> Iterator[int]:
    """Yield the offset of every occurrence, overlapping ones too: `aa` occurs twice in `aaa`."""
    at = text.find(wanted)
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)


def line_numbers(text: str, offsets: Iterable[int]) -> Iterator[int]:
    """Yield the number of the line, from 1, that contains each of these ascending offsets."""
    line, at = 1, 0
    for offset in offsets:
        line, at = line + text.count("\n", at, offset), offset
        yield line


def _raw(text: str, offset: int) -> int:
    r"""Convert an offset into the text with `\n` alone to an offset into the text as it is."""
    passed, at = 0, text.find("\r\n")
    while at >= 0 and at - passed < offset:
        passed += 1
        at = text.find("\r\n", at + 2)
    return offset + passed


def _like(text: str, start: int, *, end: int, new: str) -> str:
    """Return `new` with the line ends of the range that it replaces, in order; further lines take the last of them."""
    old_ends = [line_end(line) for line in lines_of(text[start:end]) if line_end(line)]
    fallback = old_ends[-1] if old_ends else _end_at(text, end)
    lines = new.replace("\r\n", "\n").split("\n")
    joined = [lines[0]]
    for number, line in enumerate(lines[1:]):
        joined.append((old_ends[number] if number < len(old_ends) else fallback) + line)
    return "".join(joined)


def _end_at(text: str, offset: int) -> str:
    r"""The line end of the line at `offset`, else of the line before it, else `\n`."""
    at = text.find("\n", offset)
    if at < 0:
        at = text.rfind("\n", 0, offset)
    if at < 0:
        return "\n"
    return "\r\n" if at and text[at - 1] == "\r" else "\n"


def _with_end(addition: str, end: str) -> str:
    return addition.replace("\r\n", "\n").replace("\n", end)


def _closed(addition: str, end: str) -> str:
    return addition if addition.endswith("\n") else addition + end


def _near(plain: str, wanted: str) -> str:
    """Return a hint: the lines that contain the first line of `wanted` apart from spacing, case, quotes and dashes."""
    from commonplace.core.text.normalize import fold

    first = next((line for line in wanted.split("\n") if line.strip()), "")
    words = fold(first)
    numbers = [number for number, line in enumerate(plain.split("\n"), 1) if words and words in fold(line)]
    if not numbers:
        return "read the file again and copy the text exactly"
    return f"similar text is in {_lines(numbers)}: copy it exactly"


def _lines(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:_MOST_LISTED])) + (", …" if len(numbers) > _MOST_LISTED else "")
    return f"line{'s' if len(numbers) > 1 else ''} {shown}"
