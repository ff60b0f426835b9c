"""Who said a fact: the author, or whom the trailer's `src=` names; and which log or note an author's fact was taken
from.

`src=` names somebody else, but for two forms that only this program writes of the author's own words: `inferred:` and
the path of the log from which a fact was read and accepted, `import:` and the path of a note. A value is compared whole
with these forms. Laws: what a caller gives as source is never one of them, and cannot end the comment that it stands in
or begin another key of it.

In which session of a host the author said something stands under another key, `session=`, and says nothing of who.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from commonplace.errors import UsageError

COPIES = "memory/imported/"
"""Below it lie the copies of imported notes."""
IMPORTED = "import:"
"""Before the path of a note, in what a trailer says of where an imported fact came from."""
INFERRED = "inferred:"
"""Before the path of the log that a fact was read from, which a person then accepted."""
SESSION = "session"
"""The key of the session of a host in which the author said it."""
LONGEST = 200
"""Characters of who said it; an opinion's evidence names it, too."""
NOTE = "note"
"""The key of the note that a fact was imported from, where `src` names who else said it there."""
OWN_KEYS = (SESSION, NOTE, "key")
"""Keys that only this program writes; `key` names the statement of an imported note."""
_RESERVED = ("inferred", "import")
"""Schemes that a caller's source cannot have, in any spelling."""
_WRITES = (".md", ".markdown", ".txt", ".text", ".xml")
"""How the files end that a fact can be read from (`store.workspace.import_source`)."""


@lru_cache(4096)
def is_authors(src: str) -> bool:
    """Whether what a trailer says of who said it stands for the author: nothing, or one of our two forms, whole."""
    if not src:
        return True
    return is_inferred(src) or bool(note_of(src))


@lru_cache(1024)
def named(src: str) -> str:
    """Who said it, in the letters, digits and signs of an address: anything else could end a bracket, a quotation or a
    link of the lines that name them, and stands as in an address (`%29`). At most `LONGEST` characters.
    """
    return _percent(_strange(), src)[:LONGEST]


def _percent(signs: re.Pattern[str], text: str) -> str:
    return signs.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace")), text)


@cache
def _strange() -> re.Pattern[str]:
    return re.compile(r"[^\w.:/@%+~=?&,;#!-]")


def is_inferred(src: str) -> bool:
    """Whether it is what we write of a fact that was read from a log and accepted."""
    return src.startswith(INFERRED) and _is_path(src.removeprefix(INFERRED), _WRITES[:2])


def note_of(src: str) -> str:
    """The note that a fact was imported from, `Vault/People/Peter.md`; empty where it was not."""
    path = src.removeprefix(IMPORTED)
    return path if src.startswith(IMPORTED) and _is_path(path, _WRITES) else ""


def _is_path(path: str, ends: tuple[str, ...]) -> bool:
    """Whether it is the path of a file below a folder, and no address of something elsewhere."""
    plain = not any(sign in "<>:?#" or sign.isspace() for sign in path)
    return plain and path.lower().endswith(ends) and not {"", ".", ".."} & {*path.split("/")} and not _at_host(path)


def _at_host(path: str) -> bool:
    """Whether a path begins like an address: `web.example.org/a.md`."""
    top, below, _ = path.partition("/")
    labels = top.split(".")
    return bool(below) and len(labels) > 1 and all(labels) and len(labels[-1]) > 1 and not labels[-1].isdecimal()


def inferred_from(path: str) -> str:
    """What the trailer of an accepted fact says of the log that it was read from: `inferred:memory/2026-01-03.md`.

    Args:
        path: as a link spells it (`page_links.relative`).
    """
    return INFERRED + _in_a_word(path)


def source_of(path: str) -> str:
    """What the trailer of a fact says of where it came from: `import:Vault/People/Peter.md`."""
    return IMPORTED + _in_a_word(path)


def _in_a_word(path: str) -> str:
    """A path as one word that is read back as a path: a folder that is named like a host has its points escaped."""
    word = "".join("_" if sign.isspace() or sign in "<>:?#" else sign for sign in path)
    if not _at_host(word):
        return word
    top, slash, rest = word.partition("/")
    return top.replace(".", "%2E") + slash + rest


def noted_path(copy: str) -> str:
    """The path of a note as its own folder has it, below the name that the folder has here, of its copy's."""
    below = copy.removeprefix(COPIES)
    return below.removesuffix(".md") if below.lower().endswith((".txt.md", ".text.md", ".xml.md")) else below


def copied_as(path: str) -> str:
    """What the trailers of the facts say whose note was copied to this path; empty where it is no copy."""
    return source_of(noted_path(path)) if path.startswith(COPIES) else ""


def given_source(text: str) -> str:
    """Who said it, as a caller names them, as one word of a trailer; empty for nobody but the author.

    Raises UsageError for a name that would stand for the author, and for one that is none.
    """
    from unicodedata import normalize

    word, hint = given_word(text, "source"), "name who said it: web:example.org, mail:ann, user:rolf"
    if text and not word:
        raise UsageError("the source is blank", f"{hint}; leave it out where the author said it")
    if normalize("NFKC", word).casefold().partition(":")[0].strip("_") in _RESERVED:
        raise UsageError(f"the source {word!r} stands for the author's own words, and is never given", hint)
    return word


def given_word(text: str, what: str) -> str:
    """What a caller gives for a key of a trailer, as one word that can neither end the comment nor begin another key.

    White space is `_`, and what could end a comment is written as in an address: `%3E` for `>`.

    Raises UsageError where it is too long, or holds what Markdown cannot.
    """
    word = "_".join(text.split())
    word = _percent(_unsafe(), word)
    if len(word) > LONGEST:
        raise UsageError(f"the {what} has {len(word)} characters", f"at most {LONGEST} name it")
    return word


@cache
def _unsafe() -> re.Pattern[str]:
    # What ends a comment, what no line holds, and what is seen as nothing or turns the rest around.
    return re.compile(
        "[<>\x00-\x20\x7f-\xa0\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
    )


def strictest(*sources: str) -> str:
    """Of several sources of one bullet the first that is somebody else; else the first."""
    named = [src for src in sources if src]
    return next((src for src in named if not is_authors(src)), named[0] if named else "")
