"""Parses a list of answers and ticks them in the review page.

    i-4k2p7 accept
    i-8d0xz edit W @Peter: Moved to Berlin in January 2026.
    {"id": "j-9w2e1", "verdict": "against"}
    add W @Peter: Has a boat. from memory/2026-01-09.md#L7

Law: parsing never raises; marking a page changes only the lines in question, and marking it twice with the same answers
equals marking it once.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.extract.infer import proposal_id
from commonplace.core.markdown.page_links import quoted
from commonplace.core.markdown.page_regions import region
from commonplace.core.markdown.region_marker import end_marker
from commonplace.core.review.review_page import ACCEPTED, REJECTED, VERDICTS, parted, signed
from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

WORDS = {
    "accept": ACCEPTED,
    "reject": REJECTED,
    "edit": ACCEPTED,
    **{verdict: verdict for verdict in VERDICTS},
    ACCEPTED: ACCEPTED,
    REJECTED: REJECTED,
}
"""Words that are accepted as verdicts."""
ADD, ADDED = "add", "added"
"""The word before a fact that no question asks for, and its verdict: the fact waits for a person."""
_LISTED = lazy_pattern(r"(?:[-*+•]|\d{1,4}[.)])\s+")
_ID = lazy_pattern(r"[a-z]-[a-z0-9]{4,16}")
SEVERAL = "the text has several bullets; one question takes one"
_FROM = lazy_pattern(r".*\S(?P<at>\s+from\s+)([^#\n]{1,400}#L\d{1,7})\s*$")
"""Where the line of an added fact is."""
_CONTROL = lazy_pattern("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_LONGEST_LINE = 4_000
"""Characters of a line with an answer."""
_BULLET = lazy_pattern(r"\n[ \t]{0,40}[-*+•][ \t]|\s[-*+•] [WBOS](?:\(|:| @)")
_UNREADABLE = "its text has a control character, or half of a character"
ONLY_A_PERSON = "only a person may decide whether somebody else's statement replaces their fact"


class Answer(NamedTuple):
    """The answer to one question."""

    id: str
    verdict: str
    """`accepted` or `rejected`; on evidence `for`, `against` or `neither`."""
    text: str = ""
    """The new wording of an accepted proposal; empty: as asked. Or an added fact."""
    fact_id: str = ""
    """The fact's id or citation, for a pair that was never asked about; `id` is then the opinion's."""
    by: str = ""
    """The model that answers, and the day: `model:qwen3:8b 2026-11-27`; empty: a person."""
    source: str = ""
    """The citation of the line that states an added fact."""


class AnswerLine(NamedTuple):
    """One line of a list of answers."""

    number: int
    id: str
    """The id, as far as it could be read."""
    answer: Answer | None
    problem: str = ""
    """Why there is no answer."""
    hint: str = ""
    """What to do about it."""


def read_answers(text: str) -> tuple[AnswerLine, ...]:
    """Parse each line, without list marks and backticks; lines without an answer are skipped: blank ones, comments,
    quotations, headings, fences, the brackets of JSON lists.

    Two different answers to one question are none.
    """
    found = [line for number, raw in enumerate(text.split("\n"), 1) if (line := _read(number, raw)) is not None]
    said: dict[str, set[Answer]] = {}
    places: dict[str, list[str]] = {}
    for line in found:
        if line.answer is not None:
            said.setdefault(line.id, set()).add(line.answer)
            places.setdefault(line.id, []).append(str(line.number))
    return tuple(
        line._replace(answer=None, problem=f"answered differently in lines {', '.join(places[line.id])}")
        if line.answer is not None and len(said[line.id]) > 1
        else line
        for line in found
    )


def _read(number: int, raw: str) -> AnswerLine | None:
    line = raw.strip().lstrip("\ufeff")
    if (listed := _LISTED.match(line)) is not None:
        line = line[listed.end() :]
    if line.startswith(("`", "~~~")):
        if line.startswith(("```", "~~~")):
            return None
        line = line.strip("`").strip()
    line = line.rstrip(",") if line.startswith("{") else line
    if len(line) > _LONGEST_LINE:
        return AnswerLine(number, "", None, f"the line has more than {_LONGEST_LINE:,} characters")
    if not line or line in "[]" or line.startswith(("#", "<!--", "//", ">")):
        return None
    return _object(number, line) if line.startswith("{") else _words(number, line)


_KEYS = ("id", "verdict", "text", "from")


def _object(number: int, line: str) -> AnswerLine:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return AnswerLine(number, "", None, "it is not JSON")
    id, verdict, text, source = (found.get(key, "") for key in _KEYS)
    if text is None:
        text = ""
    if not all(isinstance(each, str) for each in (id, verdict, text, source)) or found.keys() - {*_KEYS}:
        return AnswerLine(number, str(id), None, 'the keys are "id", "verdict" and "text", each a text')
    if verdict == ADD:
        return _added(number, text, source=source)
    return _answered(number, id, said=verdict, text=text)


def _words(number: int, line: str) -> AnswerLine:
    if line[: len(ADD) + 1].casefold() == f"{ADD} ":
        said = _FROM.match(line)  # the last one
        return _added(number, line[len(ADD) : said.start("at") if said else None], source=said[2] if said else "")
    parts = line.split(None, 2)
    first, second = (part.strip("`*:,.") for part in (*parts[:2], "")[:2])
    rest = parts[2] if len(parts) > 2 else ""
    if first.casefold() in WORDS and second.casefold() not in WORDS:
        first, second = second, first
    if rest.startswith(("#", "—", "–", "- ", "(")) and second.casefold() != "edit":
        rest = ""  # a reason
    return _answered(number, first, said=second, text=rest)


def _answered(number: int, id: str, *, said: str, text: str) -> AnswerLine:
    id, said = id.strip().lstrip("^").casefold(), said.strip().casefold()
    several = several_bullets(text)
    text = " ".join(text.split())
    verdict = WORDS.get(said)
    if not _ID.fullmatch(id):
        return AnswerLine(number, "", None, "the line has no question id: write an id, then a verdict")
    if verdict is None:
        return AnswerLine(
            number, id, None, f"unknown verdict {said[:40]!r}: accept, reject, edit, for, against, neither"
        )
    if text and verdict != ACCEPTED:
        return AnswerLine(number, id, None, f"{said} takes no text: write a reason after #")
    if said == "edit" and not text:
        return AnswerLine(number, id, None, "edit needs the new text")
    if several or _CONTROL.search(text):
        return AnswerLine(number, id, None, SEVERAL if several else _UNREADABLE)
    return AnswerLine(number, id, Answer(id, verdict, text))


def _added(number: int, text: str, *, source: str) -> AnswerLine:
    text = " ".join(text.split())
    id = proposal_id(text)  # until it is known what of the text is its content
    if not text:
        return AnswerLine(number, id, None, "add needs the fact: add W @Ida: Has a boat. from memory/2026-01-09.md#L7")
    if several_bullets(text) or _CONTROL.search(text):
        return AnswerLine(number, id, None, _UNREADABLE if _CONTROL.search(text) else SEVERAL)
    if not source.strip():
        return AnswerLine(number, id, None, "an added fact needs its line at its end: from memory/2026-01-09.md#L7")
    return AnswerLine(number, id, Answer(id, ADDED, text, source=source.strip()))


def several_bullets(text: str) -> bool:
    """Whether a text is more than one bullet: a second one below the first, or after it with a kind of its own."""
    return _BULLET.search(text.strip()) is not None


def misfit(answer: Answer) -> str:
    """Return why a verdict does not fit the question, in words; else empty."""
    if answer.verdict == ADDED:
        return "" if answer.source else "only a fact with the place of its line can be added"
    if answer.id.startswith(("r-", "l-")) and (answer.text or answer.verdict in VERDICTS):
        return f"{answer.id} is answered by accept or reject"
    if answer.id.startswith("s-") and not (answer.text or answer.verdict == REJECTED):
        return f"{answer.id} is answered by edit and the sentence, or by reject"
    if answer.id.startswith("j-") == (answer.verdict in VERDICTS):
        return ""
    wanted = "for, against or neither" if answer.id.startswith("j-") else "accept, reject or edit"
    return f"{answer.id} is answered by {wanted}"


def for_a_person(id: str) -> bool:
    """Whether no model may answer a question: an outsider's text is of the kind that is written to persuade a model,
    and it may contain the question's id.
    """
    return id.lstrip("^").casefold().startswith("r-")


def marked(page: str, answers: Mapping[str, Answer], *, lines: Mapping[str, str]) -> str:
    """Return the review page with its boxes ticked as answered, and a new line in its region for each unlisted
    question.

    Args:
        page: sound; a missing region is added at the end.
        answers: by id.
        lines: the task of each question by id, as the page would list it.
    """
    out, met = [], set()
    for raw in page.split("\n"):
        line = raw.rstrip("\r")
        read = parted(line)
        answer = answers.get(read.id) if read else None
        if read is None or answer is None:
            out.append(raw)
            continue
        if not read.choice:
            met.add(read.id)
        now = parted(lines.get(read.id, ""))  # the log that it was read from may have moved
        out.append(_ticked(line, answer, source=now.source if now else "") + raw[len(line) :])
    new = [_ticked(lines[id], answer, source="") for id, answer in answers.items() if id not in met]
    return _with_lines(out, new) if new else "\n".join(out)


def reopened(page: str, ids: Collection[str], *, but: Collection[str] = ()) -> str:
    """Return the review page with these questions waiting again, and without the lines of others.

    Args:
        but: ids of lines that are removed.
    """
    out = []
    for raw in page.split("\n"):
        line = raw.rstrip("\r")
        read = parted(line)
        if read is None or read.choice or read.id not in (*ids, *but):
            out.append(raw)
        elif read.id not in but:
            box = "" if read.id.startswith("j-") else "[ ] "
            out.append(f"{read.indent}- {box}{read.text}{read.source} ^{read.id}" + raw[len(line) :])
    return "\n".join(out)


def _ticked(line: str, answer: Answer, *, source: str) -> str:
    """Return a task as a person would tick it, with this source if there is one; a line on evidence gets the verdict,
    and the boxes below it are cleared.
    """
    read = parted(line)
    assert read is not None
    source = source or read.source
    if read.choice:
        return f"{read.indent}- [ ] {read.choice} ^{read.id}-{read.choice}"
    if read.id.startswith("j-"):
        before = read.verdict if read.box not in ("", " ") else ""
        was = before if before and before != answer.verdict else read.was if before else ""
        no_longer = f", no longer {was}" if was and was != answer.verdict else ""
        by = signed(answer.by, verdict=answer.verdict, text=read.text)
        return f"{read.indent}- [x] {answer.verdict}{no_longer}: {read.text}{by} ^{read.id}"
    if answer.verdict == ADDED:
        return line
    box = "x" if answer.verdict == ACCEPTED else "-"
    text = quoted(answer.text) if answer.text else read.text
    by = signed(answer.by, verdict=answer.verdict, text=text)
    return f"{read.indent}- [{box}] {text}{source}{by} ^{read.id}"


def _with_lines(page: list[str], new: list[str]) -> str:
    """Return the page with new lines at the end of its region."""
    text = "\n".join(page)
    found = region(text, "review")
    end = "\r" if page[0].endswith("\r") else ""
    if found is None:
        start = [*page[:-1], page[-1]] if page[-1].strip() else page[:-1]
        added = ["<!-- commonplace: review -->", *new, end_marker([])]
        return "\n".join([*start, *([end] if start else []), *(f"{line}{end}" for line in added), ""])
    at = found.start + len(found.body)
    return "\n".join([*page[:at], *(f"{line}{end}" for line in new), *page[at:]])
