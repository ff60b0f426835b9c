"""The copy of an imported note: what it leaves out, how it is recognised, and which statements it contains.

Law: the copy alone shows whether somebody edited it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.documents.fact_syntax import hash_id, may_name_other, split_tail, write_trailer
from commonplace.core.documents.hearsay import said_by_other
from commonplace.core.documents.parse import parse
from commonplace.core.extract.foreign_notes import read_note
from commonplace.core.markdown.syntax import item_text
from commonplace.core.markdown.xml_tags import as_markdown
from commonplace.core.model import Trailer
from commonplace.core.secrets.guard import secrets_in

if TYPE_CHECKING:
    from collections.abc import Collection

    from commonplace.core.extract.foreign_notes import NoteStatement

RECORD = "<!-- commonplace: imported "
"""Begins the last line of a copy, with a hash of the path of the source folder and a hash of the text above."""


def without_secrets(text: str) -> tuple[str, tuple[tuple[int, str], ...]]:
    """Return a text with a comment in place of each line that looks like a secret, and the numbers and kinds of these
    lines.

    If a secret is still recognised after that, the text is empty.
    """
    found = secrets_in(text)
    if not found:
        return text, ()
    why = {line: each.kind for each in reversed(found) for line in range(each.line, each.last + 1)}
    lines = parse("", text).lines if may_name_other(text) else ()
    others = {line.number: (who, line.number + line.height) for line in lines if (who := said_by_other(line))}
    kept, until, said, behind = [], "", "", 0
    for number, line in enumerate(text.split("\n"), 1):
        looks_like = until or why.get(number, "")
        if looks_like:
            if "-----BEGIN" in line:
                until = looks_like
            if "-----END" in line:
                until = ""
        if number in others:
            said, behind = others[number]
        who = said if number < behind else ""
        kept.append(_left_out(line, looks_like, who=who, first=number in others) if looks_like else line)
    whole = "\n".join(kept)
    if more := secrets_in(whole):
        return "", ((1, more[0].kind),)
    told: dict[int, str] = {}
    for each in found:
        told.setdefault(each.line, each.kind)
    return whole, tuple(told.items())


def _left_out(line: str, looks_like: str, *, who: str, first: bool) -> str:
    """Return the replacement of a line; it names an outsider who said it, since lines nested below are theirs, too."""
    note = f"<!-- left out: it looks like {looks_like} -->"
    if not who:
        return note
    lead, src = line[: len(line) - len(line.lstrip())], write_trailer(Trailer(src=who))
    if not first or not line.strip():
        return f"{lead}{note} {src}"
    mark = "- " if item_text(line.strip()) is not None else ""
    colon = ":" if mark or split_tail(line)[0].rstrip().endswith((":", "：", "**")) else ""
    return f"{lead}{mark}Left out, for it looks like {looks_like}{colon} {src}"


def with_record(text: str, root: str) -> str:
    """Return the text of a note's copy."""
    body = text if text.endswith("\n") else text + "\n"
    return f"{body}{RECORD}{root} {hash_id(body)} -->\n"


def read_record(copy: str) -> tuple[str, bool] | None:
    """Return the source of a copy, and whether it is unchanged since it was written; None: it is no copy of ours."""
    body, mark, record = copy.rpartition(RECORD)
    words = record.removesuffix("\n").removesuffix(" -->").split()
    return (words[0], words[1] == hash_id(body)) if mark and len(words) == 2 else None


def stated(path: str, copy: str, *, keys: Collection[str]) -> tuple[NoteStatement, ...]:
    """Return the statements with these keys that a copy still contains; the path is the one given to `read_note`."""
    return tuple(said for said in read_note(path, copy.rpartition(RECORD)[0] or copy).statements if said.key in keys)


def without(path: str, copy: str, *, keys: Collection[str]) -> str:
    """Return an unedited copy without the statements with these keys; unchanged if their lines cannot be determined."""
    body, _, record = copy.rpartition(RECORD)
    lines = body.split("\n")
    if len(as_markdown(body).split("\n")) != len(lines):
        return copy
    gone = {number for said in stated(path, copy, keys=keys) for number in range(said.line, said.line + said.height)}
    return with_record("\n".join(line for at, line in enumerate(lines, 1) if at not in gone), record.split()[0])
