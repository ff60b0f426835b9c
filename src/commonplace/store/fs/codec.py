"""The content of a file: bytes to text and back, digests, merges."""

from __future__ import annotations

import sys
from codecs import register_error

from commonplace.core.documents.file_problems import NOT_UTF8
from commonplace.errors import UsageError, WorkspaceError

_BOM = b"\xef\xbb\xbf"


UNCONFIRMED = "unconfirmed"
"""Code of the WorkspaceError for a text that was written and is visible, but may not survive a power cut."""

HALFWAY = "halfway"
"""Code of the WorkspaceError for a change of several files that failed and could not be rolled back completely."""


def coded(code: str, message: str, *, hint: str) -> WorkspaceError:
    """Return a WorkspaceError with this code."""
    error = WorkspaceError(message, hint)
    error.code = code
    return error


def digest(content: bytes) -> str:
    """Return the first 16 hex digits of the content's SHA-256."""
    if "hashlib" not in sys.modules and len(content) < 1_000_000:
        # hashlib loads OpenSSL, 3 ms: longer than hashing a day of notes with the interpreter's own module.
        try:
            if sys.version_info >= (3, 12):
                from _sha2 import sha256
            else:
                from _sha256 import sha256  # type: ignore[import-not-found]  # typeshed has none
        except ImportError:
            from hashlib import sha256
    else:
        from hashlib import sha256
    found: str = sha256(content).hexdigest()
    return found[:16]


def decoded(path: str, content: bytes) -> str:
    """Return the text of a file without byte order mark, line ends unchanged. Raises WorkspaceError (`not-utf8`)."""
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"{path} is not UTF-8 at byte {error.start}, in line {line}"
        raise _undecodable(message, content, line=line) from None
    if b"\0" in content and _utf16(content):
        raise _undecodable(f"{path} is not UTF-8", content, line=1)
    return text.removeprefix("\ufeff")


def shown(path: str, content: bytes) -> tuple[str, WorkspaceError | None]:
    """Return the text of a file for readers, and why it must not be written back if a few bytes are not UTF-8.

    A byte between others that are UTF-8 becomes the letter or the punctuation mark that it is in Windows-1252, if that
    is plausible, else U+FFFD. Line ends are unchanged. Raises WorkspaceError (`not-utf8`) for a file of another
    encoding, or no text.
    """
    try:
        return decoded(path, content), None
    except WorkspaceError as error:
        wrong = error
    if b"\0" in content or _utf16(content):
        raise wrong
    register_error(_STRAY, _stray)
    text = content.decode(errors=_STRAY).removeprefix("\ufeff")
    unknown = text.count(_UNKNOWN) - content.count(_UNKNOWN.encode())
    if unknown > _FEW and unknown > _MOST_UNKNOWN * len(text):
        raise wrong
    wrong.hint = "it is read; nothing is written into it until an editor has saved it as UTF-8"
    return text, wrong


_UNKNOWN = "\ufffd"
_FEW = 3
_MOST_UNKNOWN = 0.05
"""More unknown characters than this make a text of another encoding."""
_STRAY = "commonplace-stray"
_PUNCTUATION = frozenset(b"\x85\x91\x92\x93\x94\x96\x97")
"""Ellipsis, quotes and dashes, which are the same in all Windows encodings of one byte."""


def _stray(error: UnicodeError) -> tuple[str, int]:
    """Return the character for a byte that is not UTF-8, and where to go on."""
    assert isinstance(error, UnicodeDecodeError)
    content, start, end = error.object, error.start, error.end
    beside = content[max(start - 1, 0) : start] + content[end : end + 1]
    if end == start + 1 and beside.isascii():
        char = content[start:end].decode("cp1252", "replace")
        if content[start] in _PUNCTUATION or (char.isalpha() and any(map(str.isalpha, beside.decode()))):
            return char, end
    return _UNKNOWN, end


def _undecodable(message: str, content: bytes, *, line: int) -> WorkspaceError:
    name = _utf16(content)
    source = f" from {name} to UTF-8" if name else ""
    error = coded(NOT_UTF8, message, hint=f"convert it{source} with your editor; it was not changed")
    error.line = 1 if name else line
    return error


def _utf16(content: bytes) -> str:
    """Return the name of the UTF-16 that a content is in, by its mark or by zeros in every other byte; else empty."""
    marks = {b"\xff\xfe": "UTF-16LE", b"\xfe\xff": "UTF-16BE"}
    even, odd = content[::2].count(0), content[1::2].count(0)
    if content[:2] in marks or len(content) < 4 or 3 * (even + odd) < len(content) or min(even, odd):
        return marks.get(content[:2], "")
    return "UTF-16LE" if odd else "UTF-16BE"


def encoded(path: str, text: str, *, like: bytes | None) -> bytes:
    """Return the bytes of a text, with a byte order mark where `like`, the file's old content, starts with one."""
    try:
        content = text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"the text for {path} has an incomplete character at {error.start}", "send whole Unicode characters"
        ) from None
    if like is not None and like.startswith(_BOM) and not content.startswith(_BOM):
        return _BOM + content
    return content


def merged(path: str, base: bytes, mine: bytes, theirs: bytes) -> bytes:
    """Merge three versions of a file; both sides' lines survive. Raises WorkspaceError (`not-utf8`)."""
    from commonplace.core.markdown.merge import merge

    was, ours, others = (decoded(path, version) for version in (base, mine, theirs))
    return encoded(path, _sound(merge(was, ours, others), others), like=theirs)


def united(path: str, mine: bytes, *, theirs: bytes) -> bytes:
    """Return every line of both versions, for when their common base is lost."""
    from commonplace.core.markdown.merge import union

    ours, others = decoded(path, mine), decoded(path, theirs)
    return encoded(path, _sound(union(ours, others), others), like=theirs)


def _sound(text: str, theirs: str) -> str:
    """Return the merged text with each region and its end marker once, unless their version had two.

    Either version may be half a page that an editor was still saving; ours may also be made from such a half.
    """
    if "<!-- /commonplace" not in text:
        return text
    from commonplace.core.markdown.page_regions import is_doubled, rejoined

    return text if is_doubled(theirs) else rejoined(text)
