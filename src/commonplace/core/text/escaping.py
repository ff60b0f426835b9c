"""Escapes text of a workspace for each reader: a terminal, a model, Markdown.

What is stored is never changed, and JSON for programs is exact (`doors.shared.wire` escapes it). What is shown differs
from it only here: characters that act without being seen are spelled (`\\x1b`, `\\u202e`), for a model tags that could
end or forge a part of its prompt lose their `<`, and in a recalled line, and in the path of its citation, what reads
like one of our citations gets square brackets, so that the last round ones are always ours. Law: what people write with
stays
readable: the joiners of emoji and of Indic and Persian words, flags, variants of ideographs, right-to-left letters.
Applied twice they change nothing.
"""

from __future__ import annotations

import re
from functools import cache

from commonplace.core.text.lazy_pattern import lazy_pattern


def for_terminal(text: str) -> str:
    """Return the text with control, direction and invisible characters spelled out; tabs and line breaks stay."""
    if _plain(text):
        return text
    return _unseen().sub(_spelled, text)


def for_model(text: str) -> str:
    """Return the text as for a terminal, and unable to open or close a tag of ours or of a host's prompt."""
    shown = for_terminal(text)
    return _tags().sub(_untagged, shown) if "<" in shown else shown


def line_for_model(text: str) -> str:
    """Return the text as for a model, on one line, without anything that reads like our citation behind it."""
    shown = for_model(" ".join(text.split("\n")) if "\n" in text else text)
    return _CITATIONS.sub(_bracketed, shown) if "#L" in shown or "#l" in shown else shown


def place_for_model(citation: str) -> str:
    """Return a citation in brackets; a path that could close them, or that reads like another, gets square ones."""
    shown = for_model(citation.replace("\n", " "))
    if shown.isascii() and "(" not in shown and ")" not in shown:
        return shown
    path = _LINE.sub("", shown)
    return shown if _balanced(path) and "#l" not in path.lower() else shown.translate(_SQUARE)


def _balanced(text: str) -> bool:
    """Whether each round bracket has its other one."""
    depth = 0
    for character in text:
        depth += (character in "(（") - (character in ")）")
        if depth < 0:
            return False
    return depth == 0


_SQUARE = str.maketrans("()（）", "[][]")
_LINE = lazy_pattern(r"#L\d+(?:-L\d+)?\Z")
"""What a citation has behind its path."""


def for_markdown(text: str) -> str:
    """Return the text as for a model, for a line of Markdown: no comment, and no link that reads like a citation."""
    shown = line_for_model(text).replace("<!--", "&lt;!--").replace("-->", "--&gt;")
    return _LINKS.sub(r"\\[", shown) if "](" in shown else shown


def in_json(written: str) -> str:
    """Return equivalent JSON, with what `for_terminal` spells out escaped: parsing it gives the exact text."""
    return written if _plain(written) else _unseen().sub(_escaped, written)


def attribute(text: str) -> str:
    """Return text for an attribute of a tag, between double quotes."""
    shown = " ".join(for_terminal(text).split())
    return shown.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


def _plain(text: str) -> bool:
    """Whether nothing in the text can need spelling: told of most at once."""
    return text.replace("\n", "").isprintable() and (text.isascii() or max(text) < "\ufe00")


_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029"
"""But for tab, newline and the carriage return before one."""
_TURNING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_HIDDEN = "\u00ad\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff\ud800-\udfff"
"""Characters without a shape of their own: a text can hide in them. The joiners U+200C and U+200D are none of them."""
_VARIANTS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Selectors of variants: one behind a sign chooses its shape, a row of them can hold a text."""


@cache
def _unseen() -> re.Pattern[str]:
    flag = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,8}\U000e007f"  # England, Scotland, Wales
    variant = rf"(?<=[^\x00-\x1f {_VARIANTS}])[{_VARIANTS}](?![{_VARIANTS}])"
    return re.compile(f"(?P<kept>{flag}|{variant})|\r(?!\n)|[{_CONTROLS}{_TURNING}{_HIDDEN}{_VARIANTS}]")


def _spelled(found: re.Match[str]) -> str:
    if found["kept"]:
        return found[0]
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _escaped(found: re.Match[str]) -> str:
    if found["kept"]:
        return found[0]
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


_NAMES = ("block", "memory-", "system", "assistant", "human", "tool", "function", "antml")
"""Beginnings of tags by which our core, our fences and hosts' prompts are parted; and `<|…|>` of chat templates."""


@cache
def _tags() -> re.Pattern[str]:
    unseen = "[\u200c\u200d]*"
    names = "|".join(unseen.join(name) for name in _NAMES)
    return re.compile(rf"<(?=[\s/!?\u200c\u200d]*(?:{names})|\|)", re.IGNORECASE)


def _untagged(_: re.Match[str]) -> str:
    return "&lt;"


_CITATIONS = lazy_pattern(
    r"[(（](\s*(?:\d{4}[^()（）]{0,300}|[^\s()（）]{1,300})#L\d[^()（）]*)([)）]|$)", re.IGNORECASE
)
"""A bracket that begins as ours does: with a day, or with a path, and a line soon after."""


def _bracketed(found: re.Match[str]) -> str:
    if found.string[: found.start()].endswith("]") and "," not in found[1]:  # the target of a link
        return found[0]
    return f"[{found[1]}{']' if found[2] else ''}"


_LINKS = lazy_pattern(r"(?<!\\)\[(?=[^\[\]]{0,300}#L\d[^\[\]]{0,100}\]\()", re.IGNORECASE)
