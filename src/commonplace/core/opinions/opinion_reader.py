"""Reads opinions from pages: our format (`opinion_entry`), tables, and bullets with labels below them."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from commonplace.core.documents.fact_syntax import Defect, Head, decode, read_bullet
from commonplace.core.markdown.syntax import outside_fences
from commonplace.core.model import Citation, Evidence, Opinion, Problem, Stance
from commonplace.core.opinions.belief import confidence
from commonplace.core.opinions.opinion_entry import entries_in, iso_day, opinion_id, plain_number, stated_confidence
from commonplace.core.tables import table
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.when import heading_day, path_day

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from commonplace.core.documents.parsed_document import Document

_NONE = "bad-confidence"
_SHOWN = 40
"""Maximum characters of a bad confidence that a message quotes."""


def read(path: str, text: str) -> tuple[Opinion, ...]:
    """Return the opinions of a file: table rows and bullets with a confidence, on bank pages also those in our format.

    Outside the bank a row or bullet must also name its evidence or its day, because many things have a confidence.
    Citations of evidence have line 0: the fact's id tells its present line.
    """
    return read_noting(path, text)[0]


def read_noting(path: str, text: str) -> tuple[tuple[Opinion, ...], tuple[Problem, ...]]:
    """Return the opinions as `read` does, and a problem for each invalid confidence on a bank page."""
    bank = path.startswith("bank/")
    lines = list(outside_fences(text))
    by_hand = list(_by_hand(_authors(text, lines)))
    ours = tuple(entries_in(path, lines)) if bank else ()
    found = [
        Opinion(
            entry.id,
            entry.statement,
            entry.entities,
            entry.start,
            entry.evidence(),
            confidence(entry.start, entry.evidence()) if entry.confidence is None else entry.confidence,
            entry.last_updated,
            Citation(path, entry.number),
            entry.disputed_by,
        )
        for entry in ours
    ]
    subject = _subject(path, text) if by_hand else ()
    found += (opinion for number, got in by_hand if (opinion := _hand_kept(path, subject, number=number, got=got)))
    found.sort(key=lambda opinion: opinion.source.line if opinion.source else 0)
    if not bank:
        return tuple(found), ()
    typed = [(number, got.get("confidence", "")) for number, got in by_hand if got.get("opinion", "").strip()]
    read_already = {entry.number for entry in ours}
    typed += [
        (number, said)
        for number, line in lines
        if "^o-" in line and number not in read_already and (said := _typed_in(line))
    ]
    hint = "write a number from 0 to 1, such as 0.8, or remove it"
    problems = (
        Problem(
            Citation(path, number),
            _NONE,
            f"{said.strip()[:_SHOWN]!r} is not a valid confidence and has no effect",
            hint,
        )
        for number, said in sorted(typed)
        if any(sign.isalnum() for sign in said) and stated_confidence(said) is None
    )
    return tuple(found), tuple(problems)


def _typed_in(line: str) -> str:
    """Return the invalid confidence that prevents a line in our format from being parsed; empty if there is none."""
    found = _OURS.match(line)
    head = read_bullet(plain_number(line[2:])) if found else None
    return found[1] if found and isinstance(head, Defect) and head.code == _NONE else ""


def may_hold(document: Document) -> bool:
    """Whether a file outside the bank may contain opinions: a quick check, as nearly none does."""
    heads = _heads()
    begins = {line.text[:6] for line in document.lines}
    if not heads.isdisjoint(begins):
        return True
    firsts = {begin[:1] for begin in begins}
    if "*" not in firsts and max(firsts, default="") <= "z":
        return False
    for line in document.lines:
        text = line.text
        if text[:1] > "z" or text[:1] == "*":  # another script, a table, bold
            bare = text.lstrip("*_|` ")
            if bare[:6] in heads or (text[0] == "|" and {"opinion", "confidence"} <= set(map(_role, _cells(text)))):
                return True
            if not bare.isascii() and bare.startswith(tuple(heads)):
                return True
    return False


@cache
def _heads() -> frozenset[str]:
    """Return beginnings of lines with a confidence: six characters, or the word in a script without capitals."""
    words = [word for word in table("opinions")["confidence"] if len(word) > 5 or not word.isascii()]
    return frozenset(form[:6] for word in words for form in (word, word.capitalize(), word.upper()))


def once(held: Iterable[Opinion]) -> tuple[Opinion, ...]:
    """Return each opinion once, in the given order: that of the bank, else the newest."""
    best: dict[str, Opinion] = {}
    for opinion in held:
        known = best.get(opinion.id)
        if known is None or _rank(opinion) > _rank(known):
            best[opinion.id] = opinion
    return tuple(best.values())


def _rank(opinion: Opinion) -> tuple[bool, date]:
    page = opinion.source is not None and opinion.source.path.startswith("bank/")
    return page, opinion.last_updated or date.min


@cache
def _labels() -> dict[str, str]:
    """Return the meaning of each label or column head: `confidence` for `conf.`, `置信度`, …"""
    words = table("opinions")
    return {word: role for role in ("opinion", "confidence", "evidence", "updated") for word in words[role]}


def _role(label: str) -> str:
    return _labels().get(label.strip().strip("*_`").strip().rstrip(":：").casefold(), "")


def _cells(line: str) -> list[str]:
    bare = line.strip()
    bare = bare[1:] if bare.startswith("|") else bare
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return [cell.strip().replace("\x00", "|") for cell in bare.replace("\\|", "\x00").split("|")]


def _authors(text: str, lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the lines without those of outsiders."""
    from commonplace.core.documents.parse import lines_of_others

    others = lines_of_others(text)
    return [(number, line) for number, line in lines if number not in others] if others else lines


def _by_hand(lines: list[tuple[int, str]]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield opinions in tables and labelled bullets: the line number of each, and its fields by role."""
    if any("|" in line for _, line in lines):
        yield from _tables(lines)
    yield from _labelled(lines)


def _tables(lines: list[tuple[int, str]]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of tables with an opinion and a confidence column."""
    columns: dict[str, int] | None = None
    inside = False
    for number, line in lines:
        if "|" not in line:
            inside = False
            continue
        cells = _cells(line)
        if not inside:
            inside = True
            roles = {role: at for at, cell in reversed(list(enumerate(cells))) if (role := _role(cell))}
            columns = roles if "opinion" in roles and "confidence" in roles else None
        elif columns and line.strip("|:- \t"):
            yield number, {role: cells[at] if at < len(cells) else "" for role, at in columns.items()}


_LABEL = lazy_pattern(r"\s*(?:[-*+] +)?([^:：\n]{1,40})[:：]\**\s*(.*)$")


_ITEM = lazy_pattern(r"(\s*)[-*+] +(.*)$")


def _labelled(lines: list[tuple[int, str]]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield bullets with `confidence:`, `evidence:` and `updated:` on deeper lines below."""
    current: dict[str, str] = {}
    indent, number = -1, 0
    for at, line in lines:
        depth = len(line) - len(line.lstrip())
        if not line.strip():
            continue
        if indent >= 0 and depth > indent:
            found = _LABEL.match(line)
            role = _role(found[1]) if found else ""
            if found and role and role != "opinion":
                current.setdefault(role, found[2])
            continue
        if current.get("confidence"):
            yield number, current
        current, indent = {}, -1
        item = _ITEM.match(line)
        if item and "^o-" not in line:
            labelled = _LABEL.match(line)
            told = labelled[2] if labelled and _role(labelled[1]) == "opinion" else item[2]
            current, indent, number = {"opinion": told}, depth, at
    if current.get("confidence"):
        yield number, current


def _subject(path: str, text: str) -> tuple[str, ...]:
    """Return the entity whose page it is, spelled as its file name; empty if it is no entity page."""
    from commonplace.core.markdown.page_regions import read_page
    from commonplace.core.markdown.slug import FOLDER, entity_of

    if path.startswith(FOLDER):
        return (path.removeprefix(FOLDER).removesuffix(".md"),)
    return (path.rpartition("/")[2].removesuffix(".md"),) if entity_of(path, read_page(text).ours) else ()


def _hand_kept(path: str, subject: tuple[str, ...], *, number: int, got: dict[str, str]) -> Opinion | None:
    """Return an opinion from a table row or labelled bullet, with the person's confidence; None if it is none."""
    from commonplace.core.documents.name_mentions import mentions

    if not (path.startswith("bank/") or got.get("evidence") or got.get("updated")):
        return None
    statement = decode(got.get("opinion", ""))
    if statement.startswith("**") and statement.endswith("**") and statement.count("**") == 2:
        statement = statement[2:-2].strip()
    stated = stated_confidence(got.get("confidence"))
    if not statement or stated is None:
        return None
    head = read_bullet(statement)
    names = mentions(statement)
    if isinstance(head, Head) and head.entities:
        names, statement = head.entities, head.content
    names = names or subject
    day = _ISO.search(got.get("updated", ""))
    updated = iso_day(day[0]) if day else heading_day(got.get("updated", "")) or path_day(path)
    proof = tuple(
        Evidence("", Stance.SUPPORTS, iso_day(stem[:10]), Citation(target, int(line or 0)))
        for target, stem, line in _sources(got.get("evidence", ""))
    )
    found = opinion_id(names, statement)
    return Opinion(found, statement, names, stated, proof, stated, updated, Citation(path, number))


_OURS = lazy_pattern(r"[-*+] O ?\(([^()]{1,40})\)")


_ISO = lazy_pattern(r"\d{4}-\d\d-\d\d")


def _sources(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the files that a text cites: path, file name without `.md`, line."""
    for found in _FILE.finditer(text):
        yield found[1], found[2], found[3]


_FILE = lazy_pattern(r"(?:^|[\s(`\[,;，、])((?:[\w-]{1,80}/){0,6}([\w-]{1,80})\.md)(?:#L(\d{1,6}))?")
