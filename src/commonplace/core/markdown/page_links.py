"""Relative links between pages, as Obsidian and plain Markdown viewers follow them."""

from __future__ import annotations

from commonplace.core.text.lazy_pattern import lazy_pattern

_ESCAPES = {"%": "%25", " ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C"}
_ESCAPING = str.maketrans(_ESCAPES)
_ESCAPED = lazy_pattern(r"(?:%[0-9A-Fa-f]{2})+")
_HREF = lazy_pattern(r"(?<=\]\()([^()\s:#]+\.[A-Za-z]\w{0,4})(?=[)#])")
"""A link to a file of the workspace, as its line spells it."""
_OUTSIDE = lazy_pattern(r"~|www\.|[\w-][\w.-]*\.[a-z]{2,6}/")
"""How a link begins that leads to a home folder or, without its scheme, to the web."""
_TARGET = lazy_pattern(r"\]\(([^()\s]+\.md)")


def link(label: str, page: str, target: str) -> str:
    """Return `[label](../memory/2025-11-27.md)`: a link from one page of the workspace to another."""
    return f"[{label}]({relative(page, target)})"


def relative(page: str, target: str) -> str:
    """Return the path from a page to a target, both relative to the workspace, with only the escapes that Markdown
    needs.

    >>> relative("bank/entities/Peter.md", "memory/2026-01-19.md")
    '../../memory/2026-01-19.md'
    """
    here, there = page.split("/")[:-1], target.split("/")
    common = 0
    while common < len(here) and common < len(there) - 1 and here[common] == there[common]:
        common += 1
    path = "/".join([".."] * (len(here) - common) + there[common:])
    return path.translate(_ESCAPING)


def resolve(page: str, href: str) -> str:
    """The inverse of `relative`, without the anchor; empty for a link that leaves the workspace or the machine."""
    path = href.partition("#")[0]
    if "://" in path or path.startswith("/"):
        return ""
    if "%" in path:
        path = _ESCAPED.sub(lambda found: bytes.fromhex(found[0].replace("%", "")).decode(errors="replace"), path)
    parts = page.split("/")[:-1]
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def moved(text: str, source: str, page: str) -> str:
    """Return a text of a file as another has it: its relative links lead where they led.

    >>> moved("see [the pier](pier.md)", "memory/harbour.md", "bank/world.md")
    'see [the pier](../memory/pier.md)'
    """
    if "](" not in text:
        return text

    def there(href: str) -> str:
        place = "" if _OUTSIDE.match(href) else resolve(source, href)
        return relative(page, place) if place else href

    return _HREF.sub(lambda found: there(found[0]), text)


def quoted(text: str) -> str:
    """Return text for one of our lines: on one line, unable to open or close a comment or to end in an id."""
    text = " ".join(text.split()).replace("<!--", "&lt;!--").replace("-->", "--&gt;")
    head, caret, tail = text.rpartition(" ^")
    if caret and tail.replace("-", "").isalnum() and tail.isascii():
        text = f"{head} &#94;{tail}"
    return text


def in_quotes(text: str) -> str:
    """Return a text in quotes, `“Lives in Bergen.”`, for one of our lines; quotes inside it become `'`."""
    inside = quoted(text).replace("“", "'").replace("”", "'")
    return f"“{inside}”"


def slug(heading: str) -> str:
    """Return the anchor that Markdown viewers give to a heading: `#the-castle` for `## The Castle`.

    GitHub's rule: lower case; letters, marks, numbers, `_` and `-` stay; each space becomes a hyphen.
    """
    from unicodedata import category  # Only the opinions page needs an anchor.

    word = (character for character in heading.strip().lower() if character in " -_" or category(character)[0] in "LMN")
    return "".join(word).replace(" ", "-")


def linked(text: str) -> list[str]:
    """Return the pages that a line links to, as the links spell them."""
    return _TARGET.findall(text) if ".md" in text else []
