"""Scans the structure of Markdown line by line, for parse, merge and append alike.

It recognises headings in both forms (`## Evening`, and words with `===` or `---` below), code fences, comments, list
items, and the extent of a Retain section. Law: the form of a line depends on the lines above it and on the one right
below it, never on later ones: so appended text never changes the sections above.
"""

from __future__ import annotations

from enum import Enum

from commonplace.core.markdown.syntax import (
    closes_fence,
    fence_mark,
    heading_level,
    indent_of,
    is_retain,
    is_rule,
    item_text,
)

OURS = ("<!-- commonplace:", "<!-- /commonplace")
"""How the markers of our regions begin."""
CONFLICTING = ("<<<<<<< ", ">>>>>>> ")
"""How the conflict markers of git begin."""
_INDENTS = " \t\u3000"
_CODE_COLUMNS = 4
"""Indentation, in columns, from which a line is indented code or belongs to the item above, and is no heading."""
_SHORTEST = 3
"""Characters of an underline or a rule, at least."""
_BLANK, _BLOCK, _FRAME, _WORDS, _MORE, _ITEM, _UNDERLINED = range(7)
"""The state after the line above, as far as it affects the next line: nothing; a block that ends with its line; `---`,
which may begin something like front matter; the only line of a paragraph so far; a line of a longer paragraph; a list
item, or words that belong to one; words of a heading whose underline comes next.
"""


class Form(Enum):
    """The form of a line."""

    BLANK = 0
    CODE = 1
    """Inside a fence or a comment; includes the line that ends it."""
    FENCE = 2
    COMMENT = 3
    MARKER = 4
    """Of one of our regions."""
    CONFLICT = 5
    HEADING = 6
    UNDERLINE = 7
    ITEM = 8
    RULE = 9
    ROW = 10
    TEXT = 11


class Structure:
    """The state of one pass over the lines of a text without its front matter."""

    __slots__ = (
        "_above", "_conflict", "comment", "ended", "fence", "headless", "item", "level", "listed", "retain", "text",
    )  # fmt: skip

    def __init__(self) -> None:
        self.fence = ""
        """The mark that opened the code fence of the next line; empty: none."""
        self.comment = False
        """Whether the next line is in a comment."""
        self.retain = 0
        """Level of the Retain heading above the next line; 0: none."""
        self.headless = True
        """Whether all headings so far are Retain headings: then a section also ends after its list."""
        self.listed = False
        """Whether there was an item since the last Retain heading."""
        self.ended = False
        """Whether the last words were the first after the list of a Retain section, and ended it."""
        self.level = 0
        """Level of the last heading."""
        self.text = ""
        """Text of the last heading, without its marks."""
        self.item: str | None = None
        """Text of the last list item, without its marker."""
        self._above = _BLANK
        self._conflict = False

    @property
    def code(self) -> bool:
        """Whether the next line is inside a code fence or a comment."""
        return bool(self.fence) or self.comment

    @property
    def closing(self) -> str:
        """What would close the code fence or comment of the next line; empty if it is in neither."""
        return self.fence or ("-->" if self.comment else "")

    def top_item(self) -> None:
        """Process a line outside code that is certainly a list item (`parse.is_top_item`)."""
        self.listed = True
        self.ended = False
        self._above = _ITEM

    def blank(self) -> None:
        """Process a blank line."""
        self._above = _BLANK

    def take(self, raw: str, below: str) -> Form:
        """Process a line, given the one below it; return its form."""
        line = raw.strip()
        if not line:
            self.blank()
            return Form.BLANK
        return self.take_words(raw, line, below=below)

    def take_words(self, raw: str, line: str, *, below: str) -> Form:  # noqa: PLR0911  # one way out for each form
        """Process a line that is not blank, given as it is and without the white space around it."""
        first = line[0]
        if self.fence:
            if first == self.fence[0] and closes_fence(line, self.fence):
                self.fence = ""
            return Form.CODE
        if self.comment:
            self.comment = "-->" not in line
            return Form.CODE
        above, self._above = self._above, _BLOCK
        if first in "`~" and (mark := fence_mark(line)):
            self.fence = mark
            return Form.FENCE
        if first in "<>" and (found := self._angle(line)):
            return found
        if first == "#" and (level := heading_level(line)) and not _deep(raw):
            self._heading(level, line.strip("#").strip())
            return Form.HEADING
        if first in "=-" and self._is_underline(line, above):
            return Form.UNDERLINE
        return self._content(raw, line, above=above, below=below)

    def _angle(self, line: str) -> Form | None:
        """A comment, a marker of ours or one of git's."""
        if line.startswith("<!--"):
            if line.startswith(OURS):
                return Form.MARKER
            self.comment = "-->" not in line
            return Form.COMMENT
        if line.startswith(CONFLICTING):
            self._conflict = line[0] == "<"
            return Form.CONFLICT
        return None

    @staticmethod
    def _is_underline(line: str, above: int) -> bool:
        if above is _UNDERLINED:
            return True
        return line[0] == "=" and above is not _BLANK and len(line) >= _SHORTEST and not line.strip("=")

    def _content(self, raw: str, line: str, *, above: int, below: str) -> Form:
        """An item, a rule, a row or words."""
        self.ended = False
        self.item = item_text(line)
        if self.item is not None:
            self.listed = True
            self._above = _ITEM
            return Form.ITEM
        if raw[0] in _INDENTS:
            self._above = _ITEM
            return Form.TEXT
        if line[0] in "-*_" and is_rule(line):
            self._end()
            if line == "---":
                self._above = _FRAME
            return Form.RULE
        if line[0] == "|" and line.count("|") > 1:
            self._end()
            return Form.ROW
        if below and (level := self._underlined(line, above, below=below)):
            self._heading(level, line)
            self._above = _UNDERLINED
            return Form.HEADING
        self._end()
        if above is _ITEM:
            self._above = _ITEM
        else:
            self._above = _MORE if above in (_WORDS, _MORE) else _WORDS
        return Form.TEXT

    def _underlined(self, line: str, above: int, *, below: str) -> int:
        """Return the level of the heading that the line below makes of these words; 0: none.

        People also write `---` as a rule right below words, and around a line or two of front matter: so it underlines
        only a paragraph of one line, and never one between two `---`. Longer underlines are written below headings
        only.
        """
        mark = below.strip()
        if len(mark) < _SHORTEST or mark[0] not in "=-" or mark.strip(mark[0]) or _deep(below):
            return 0
        if line[0] in "<>|" or not line.strip("=-"):
            return 0
        if mark[0] == "=":
            return 0 if self._conflict else 1
        if above is _ITEM:
            return 0
        return 0 if mark == "---" and above in (_WORDS, _MORE, _FRAME) else 2

    def _heading(self, level: int, text: str) -> None:
        self.level, self.text = level, text
        if level <= self.retain:
            self.retain = 0
        if is_retain(text):
            self.retain, self.listed = level, False
        else:
            self.headless = False

    def _end(self) -> None:
        """End a Retain section after its list, if no other heading could."""
        if self.retain and self.headless and self.listed:
            self.retain = 0
            self.ended = True


def _deep(raw: str) -> bool:
    return raw[0] in _INDENTS and indent_of(raw) >= _CODE_COLUMNS
