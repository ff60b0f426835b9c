"""The end of a host's session as one line of narrative: who, where, the last request, the files.

Hosts differ, and their transcripts have no fixed format: what cannot be read is left out, and nothing raises.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.core.documents.append import retain_at_end
from commonplace.core.documents.fact_syntax import encode, write_trailer
from commonplace.core.documents.parse import parse
from commonplace.core.markdown import text_edits
from commonplace.core.model import Role, Trailer
from commonplace.core.secrets.guard import looks_like
from commonplace.core.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

LONGEST = 200
"""Most characters of a quoted request."""
MOST_FILES = 8
_LONGEST_WORD = 80
"""Most characters of an id, a reason, a path's part."""
HEADING = "## Sessions"


class Session(NamedTuple):
    """What a host passed to the hook."""

    host: str
    """The host's name; "An agent" if unknown."""
    id: str
    event: str
    reason: str
    folder: str
    """The folder in which the session worked; else empty."""
    transcript: str
    """The path of the host's own record; else empty."""
    request: str
    """The user's last request; else empty."""

    @property
    def mark(self) -> str:
        """The comment that identifies the entry of this session and event, and its source."""
        src = self.host.lower().replace(" ", "-")
        return write_trailer(Trailer(src=src, other=(("session", self.id), ("event", self.event))))


class Transcript(NamedTuple):
    """The content of a transcript."""

    request: str = ""
    """The user's last request; empty if none was found."""
    files: tuple[str, ...] = ()
    """The files written, in order, once each."""
    empty: bool = False
    """Whether nothing happened for certain: the transcript was understood and has no request and no file."""


def read(said: str) -> Session | None:
    """Parse what a host wrote to the hook; None if it names no session."""
    fields = _object(said)
    if fields is None:
        return None
    known = table("hosts")
    id, event, transcript = (_first(fields, known[key]) for key in ("session", "event", "transcript"))
    if not (id or event or transcript):
        return None
    place = transcript.replace("\\", "/")
    host = next((name for key, name in known["host keys"].items() if key in fields), "")
    host = host or next((name for part, name in known["hosts"].items() if part in place), known["unknown"])
    return Session(
        host,
        _word(id) or _hash(id or said),
        _word(event) or "none",
        _word(_first(fields, known["reason"])),
        _first(fields, known["folder"]),
        transcript,
        " ".join(_first(fields, known["request"]).split()),
    )


def read_transcript(text: str) -> Transcript:
    """Return the user's last request and the files written, from a transcript: an object a line, or one in all."""
    known = table("hosts")
    request, files, understood = "", dict[str, None](), not text.strip()
    for message, kinds in _messages(text):
        if kinds & {*known["user"]}:
            request = _asked(message) or request
            understood = True
        understood = understood or bool(kinds & {*known["agent"]})
        files.update(dict.fromkeys(_written(message)))
    return Transcript(request, tuple(files), understood and not (request or files))


def _messages(text: str) -> Iterator[tuple[dict[str, Any], set[str]]]:
    """Yield the messages of a transcript, each with its kinds: role and type of itself and of its entry."""
    known = table("hosts")
    entries = [entry for line in text.split("\n") if (entry := _object(line)) is not None]
    if not entries and (whole := _object(text)) is not None:
        listed = whole.get("messages")
        entries = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    for entry in entries:
        if entry.get("isMeta") or entry.get("isSidechain"):
            continue
        message = next((entry[key] for key in known["messages"] if isinstance(entry.get(key), dict)), entry)
        yield message, {_text(each.get(key)) for each in (entry, message) for key in ("type", "role")}


def _asked(message: dict[str, Any]) -> str:
    """Return what a message of the user says in words of their own."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = [" ".join(_text(part.get("text")).split()) for part in parts if isinstance(part, dict)]
    known = table("hosts")
    start, end = known["quoted"]
    texts = [text.partition(start)[2].partition(end)[0].strip() if start in text else text for text in texts]
    others = tuple(known["not said"])
    return " ".join(text for text in texts if text and not text.lower().startswith(others))


def _written(message: dict[str, Any]) -> Iterator[str]:
    """Yield the files that the tool calls of a message write."""
    known = table("hosts")
    listed = [each for key in known["calls"] if isinstance(each := message.get(key), list)]
    for call in (message, *(each for calls in listed for each in calls if isinstance(each, dict))):
        name = _text(call.get("name")).lower()
        given = next((call[key] for key in known["given"] if call.get(key)), None)
        if name in known["patchers"]:
            patch = _first(given, known["patch"]) if isinstance(given, dict) else _text(given)
            starts = tuple(known["patched"])
            yield from (line.partition(": ")[2].strip() for line in patch.split("\n") if line.startswith(starts))
        elif name in known["writers"] and isinstance(given, dict) and given.get("command") not in known["looks"]:
            yield from filter(None, [_first(given, known["paths"])])


def sentence(session: Session, told: Transcript, *, home: str, whole: bool) -> str:
    """Return the entry as narrative, on one line, without anything that looks like a secret.

    Args:
        home: the user's folder, written `~`.
        whole: whether `told` is from the whole transcript.
    """
    known = table("hosts")
    what = known["events"].get(session.event.lower()) or known["other event"].format(event=session.event)
    parts = [f"{session.host} {what}"]
    if session.reason:
        parts[0] += f" ({session.reason})"
    if session.folder:
        parts[0] += f" in {_shown(session.folder, '', home=home)}"
    if request := told.request or session.request:
        hidden = looks_like(request)
        cut = request if len(request) <= LONGEST else f"{request[: LONGEST - 1].rstrip()}…"
        parts.append(f"The last request is left out: it looks like {hidden}" if hidden else f"Last asked: “{cut}”")
    files = [_shown(path, session.folder, home=home) for path in told.files]
    if files:
        more = f" and {len(files) - MOST_FILES} more" if len(files) > MOST_FILES else ""
        lately = "Wrote" if whole else "Wrote lately"
        parts.append(f"{lately} {', '.join(files[:MOST_FILES])}{more}")
    text = " ".join(f"{part}{'' if part.endswith(('.', '?', '!')) else '.'}" for part in parts)
    if looks_like(text):  # in a path
        text = f"{parts[0].partition(' in ')[0]}."
    return encode(text_edits.without_controls(text))


def entered(text: str | None, path: str, *, line: str, mark: str, day: date) -> str:
    """Return a log's text with the entry added as narrative: no fact, and not in code.

    The entry gets a heading of its own, since under Retain every bullet is a fact. A log with the mark is unchanged.
    """
    if text is not None and mark in text:
        return text
    bullet = f"- {line} {mark}"
    if text is None or not text.strip("\ufeff \t\r\n"):
        return f"{text or ''}# {day.isoformat()}\n\n{HEADING}\n\n{bullet}\n"
    document = parse(path, text)
    last = next((each.text for each in reversed(document.lines) if each.role is Role.HEADING), "")
    section = 0 if document.unclosed else retain_at_end(text)
    if last == HEADING.lstrip("# ") and not document.unclosed and not section:
        return text_edits.append(text, bullet)
    heading = HEADING[1:] if section == 1 else HEADING  # a heading that ends the section
    closed = f"{document.unclosed}\n" if document.unclosed else ""
    gap = "" if not closed and text.endswith(("\n\n", "\r\n\r\n")) else "\n"
    return text_edits.append(text, f"{closed}{gap}{heading}\n\n{bullet}")


def _shown(path: str, folder: str, *, home: str) -> str:
    path = " ".join(path.split()).replace("\\", "/")
    for top, short in ((folder.replace("\\", "/").rstrip("/"), ""), (home.rstrip("/"), "~/")):
        if top and path.startswith(f"{top}/"):
            path = short + path[len(top) + 1 :]
    return path if len(path) <= LONGEST else f"…{path[1 - LONGEST :]}"


def _hash(text: str) -> str:
    return blake2b(text.encode(errors="replace"), digest_size=6).hexdigest()


def _object(text: str) -> dict[str, Any] | None:
    """Parse a text as a JSON object; None if it is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _first(fields: dict[str, Any], keys: Iterable[str]) -> str:
    """Return the first of these values that is a text, or the last text of a list."""
    values = (value[-1:] if isinstance(value, list) else [value] for value in map(fields.get, keys))
    return next((text for value in values for each in value if (text := _text(each))), "")


def _text(value: object) -> str:
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(value, str) else ""


def _word(text: str) -> str:
    """Return an id or a name for a comment: letters, digits, a few marks; a hash if it looks like a secret."""
    kept = "".join(each if each.isascii() and (each.isalnum() or each in "._:") else "-" for each in text.strip())
    while "--" in kept:  # would end the comment
        kept = kept.replace("--", "-")
    kept = kept[:_LONGEST_WORD].strip("-")
    return _hash(text) if looks_like(kept) else kept
