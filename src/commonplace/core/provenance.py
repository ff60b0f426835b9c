"""Who said a fact: the author, or whom the trailer's `src=` names; and which log or note an author's fact was taken
from.

`src=` names an outsider, except for two forms that only this program writes for the author's own words: `inferred:` and
the path of the log from which a fact was read and accepted, and `import:` and the path of a note. A value must match
one of these forms as a whole. Laws: a source given by a caller never has one of these forms, and can neither end its
comment nor begin another key in it.

The session of a host in which the author said something has its own key, `session=`, which does not change who said it.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from commonplace.errors import UsageError

COPIES = "memory/imported/"
"""The folder of the copies of imported notes."""
IMPORTED = "import:"
"""Prefix of `src` for an imported fact; the path of the note follows."""
INFERRED = "inferred:"
"""Prefix of `src` for a fact read from a log and accepted by a person; the path of the log follows."""
SESSION = "session"
"""The key of the host's session in which the author said it."""
LONGEST = 200
"""Most characters of a source; the evidence of an opinion names it, too."""
NOTE = "note"
"""The key of the note that a fact was imported from, when `src` names an outsider quoted there."""
OWN_KEYS = (SESSION, NOTE, "key")
"""Keys that only this program writes; `key` identifies the statement of an imported note."""
_RESERVED = ("inferred", "import")
"""Schemes that a caller's source must not have, in any spelling."""
_WRITES = (".md", ".markdown", ".txt", ".text", ".xml")
"""Endings of the files that a fact can be read from (`store.workspace.import_source`)."""


@lru_cache(4096)
def is_authors(src: str) -> bool:
    """Whether a trailer's `src` means the author: it is empty or, as a whole, one of our two forms."""
    if not src:
        return True
    return is_inferred(src) or bool(note_of(src))


@lru_cache(1024)
def named(src: str) -> str:
    """Return a source in the characters of an address: others are percent-escaped (`%29`), since they could end a
    bracket, a quotation or a link in our lines. At most `LONGEST` characters.
    """
    return _percent(_strange(), src)[:LONGEST]


def _percent(signs: re.Pattern[str], text: str) -> str:
    return signs.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace")), text)


_strange = cache(lambda: re.compile(r"[^\w.:/@%+~=?&,;#!-]"))


def is_inferred(src: str) -> bool:
    """Whether `src` is what we write for a fact that was read from a log and accepted."""
    return src.startswith(INFERRED) and _is_path(src.removeprefix(INFERRED), _WRITES[:2])


def note_of(src: str) -> str:
    """The path of the note that a fact was imported from, `Vault/People/Peter.md`; else empty."""
    path = src.removeprefix(IMPORTED)
    return path if src.startswith(IMPORTED) and _is_path(path, _WRITES) else ""


def _is_path(path: str, ends: tuple[str, ...]) -> bool:
    """Whether this is the path of a file in a folder, not an address."""
    plain = not any(sign in "<>:?#" or sign.isspace() for sign in path)
    return plain and path.lower().endswith(ends) and not {"", ".", ".."} & {*path.split("/")} and not _at_host(path)


def _at_host(path: str) -> bool:
    """Whether a path begins like an address: `web.example.org/a.md`."""
    top, below, _ = path.partition("/")
    labels = top.split(".")
    return bool(below) and len(labels) > 1 and all(labels) and len(labels[-1]) > 1 and not labels[-1].isdecimal()


def inferred_from(path: str) -> str:
    """Return the `src` of an accepted fact that was read from a log: `inferred:memory/2026-01-03.md`.

    Args:
        path: as a link spells it (`page_links.relative`).
    """
    return INFERRED + _in_a_word(path)


def source_of(path: str) -> str:
    """Return the `src` of an imported fact: `import:Vault/People/Peter.md`."""
    return IMPORTED + _in_a_word(path)


def _in_a_word(path: str) -> str:
    """Return a path as one word that is read back as a path; the dots of a top folder named like a host are escaped."""
    word = "".join("_" if sign.isspace() or sign in "<>:?#" else sign for sign in path)
    if not _at_host(word):
        return word
    top, slash, rest = word.partition("/")
    return top.replace(".", "%2E") + slash + rest


def noted_path(copy: str) -> str:
    """Return the path of the note that was copied to `copy`, below the name that the note's folder has here."""
    below = copy.removeprefix(COPIES)
    return below.removesuffix(".md") if below.lower().endswith((".txt.md", ".text.md", ".xml.md")) else below


def copied_as(path: str) -> str:
    """Return the `src` of facts from the note that was copied to this path; empty if the path is not a copy."""
    return source_of(noted_path(path)) if path.startswith(COPIES) else ""


def given_source(text: str) -> str:
    """Return a caller's source as one word of a trailer; empty if the author said it.

    Raises UsageError for a blank name, and for one that would mean the author.
    """
    from unicodedata import normalize

    word, hint = given_word(text, "source"), "name who said it: web:example.org, mail:ann, user:rolf"
    if text and not word:
        raise UsageError("the source is blank", f"{hint}; leave it out if the author said it")
    if normalize("NFKC", word).casefold().partition(":")[0].strip("_") in _RESERVED:
        raise UsageError(f"the source {word!r} means the author's own words and cannot be given", hint)
    return word


def given_word(text: str, what: str) -> str:
    """Return a caller's value for a trailer's key as one word that can neither end the comment nor begin another key.

    White space becomes `_`; what could end a comment is percent-escaped: `%3E` for `>`.

    Raises UsageError if it is too long.
    """
    word = "_".join(text.split())
    word = _percent(_unsafe(), word)
    if len(word) > LONGEST:
        raise UsageError(f"the {what} has {len(word)} characters", f"the maximum is {LONGEST} characters")
    return word


# Characters that end a comment, that no line can contain, that are invisible, or that reverse the text after them.
_unsafe = cache(
    lambda: re.compile(
        "[<>\x00-\x20\x7f-\xa0\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
    )
)


def strictest(*sources: str) -> str:
    """Return the first of a bullet's sources that is an outsider; else the first that is not empty; else empty."""
    named = [src for src in sources if src]
    return next((src for src in named if not is_authors(src)), named[0] if named else "")
