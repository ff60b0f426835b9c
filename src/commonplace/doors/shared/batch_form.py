"""The batch form: one request a line in, one answer a line out, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from commonplace.errors import CommonplaceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

_BOM = b"\xef\xbb\xbf"


def serve(
    lines: BinaryIO,
    put: Callable[[str], None],
    *,
    answer: Callable[[str], str],
    failed: Callable[[CommonplaceError], None],
) -> None:
    """Answer each line; a request that fails is passed to `failed`, and the next is served.

        Lines end at `
    ` or `
    ` and nowhere else: U+2028 and its like are characters of a question.
    """
    for raw in iter(lines.readline, b""):
        try:
            answered = answer(_request(raw))
        except CommonplaceError as failure:
            failed(failure)
        else:
            put(answered)


def decoded(raw: bytes) -> str:
    """Standard input as text. Raises UsageError if it is not UTF-8."""
    try:
        return raw.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"standard input is not UTF-8 at byte {error.start + 1}", "send UTF-8") from None


def _request(raw: bytes) -> str:
    line = decoded(raw).strip(" \t\r\n")
    if not line:
        raise UsageError("the line is empty", "write one question or JSON object a line")
    return line
