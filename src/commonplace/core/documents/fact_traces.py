"""Finds the words and ids of facts that are being forgotten, and removes what we wrote about them.

Lines that we wrote are removed; a person's line is only reported, except the bullet that states one of the facts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import may_name_other, trailed, without_relations, write_trailer
from commonplace.core.documents.hearsay import said_by_other
from commonplace.core.documents.parse import parse
from commonplace.core.markdown.page_regions import generated_lines, read_page
from commonplace.core.markdown.region_marker import BLANK, PERSONS, end_marker
from commonplace.core.markdown.syntax import indent_of, is_words, item_text
from commonplace.core.markdown.text_edits import starts_of
from commonplace.core.model import Role, Trailer
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from commonplace.core.markdown.page_regions import Region, RegionPage
    from commonplace.core.model import Fact

_QUOTED, _BEGIN = 24, 12
"""Least characters of a shortened quotation that identifies a fact; and of the prefix by which many are searched."""
_LONGEST_CUT = 1_000
"""Characters before an ellipsis that are compared with a text; our lines quote fewer."""
_FEW = 20
"""Up to so many facts a text is searched for each one; more are searched all at once."""
_MOST_NESTED = 20
"""Levels of nested HTML entities that are decoded: nobody writes more, and each takes a pass over the text."""
_OPENS, _CLOSES = frozenset(":>]*_|'(—–-"), frozenset("^(<[*_|')—–…")
"""Characters before and after a text that a line of ours repeats whole."""
_QUOTES = '"“”„‟‘‚‛’«»‹›「」『』″′'
"""Quotes that are compared as `'`: our lines put a text into quotes, and change the quotes inside it."""
_NESTED = lazy_pattern(r"&(?:amp;|#0*38;|#x0*26;)+", re.IGNORECASE)
_CUT_ENTITY = lazy_pattern(r"&[#\w]{0,32}…")
"""An entity cut by an ellipsis in a line of ours."""
_CITED = lazy_pattern(r"\^([A-Za-z0-9-]+)")
FORGOTTEN = "~~forgotten~~"
"""Replaces a bullet with attached lines: `check` does not take struck-out text for a fact."""


class Bullet(NamedTuple):
    """A fact as its file contains it."""

    fact: Fact
    twins: int
    """The number of facts that stay in that file with the same words and, but for an ordinal, the same id."""


def texts_of(fact: Fact) -> tuple[str, ...]:
    """Return the text of a fact; for an imported one also without its labels, since other notes may say the same."""
    text = fact.content
    if fact.trailer.note:
        bare = text.replace("：", ": ").rpartition(": ")[2]
        if len(bare) >= _BEGIN and bare != text and text.endswith(bare):
            return text, bare
    return (text,)


class Traces:
    """The texts and ids of facts, to be found in any number of texts."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        facts = tuple(facts)
        self.ids = frozenset(fact.id for fact in facts)
        self.texts = tuple(dict.fromkeys(text for fact in facts for text in texts_of(fact)))
        self._few = len(facts) <= _FEW
        self._spelled = {_spelled(text).lstrip("> ") or _spelled(text): len(text) for text in self.texts}
        """The texts as they are compared, with their original lengths."""
        self._apart = tuple(text for text in self._spelled if self._few or len(text) < _BEGIN)
        """Texts that are searched one by one."""
        self._begin: dict[str, dict[int, set[str]]] = {}
        """The others, by their first characters, then by their length."""
        for text in () if self._few else self._spelled:
            if len(text) >= _BEGIN:
                self._begin.setdefault(text[:_BEGIN], {}).setdefault(len(text), set()).add(text)

    def may_be_in(self, text: str) -> bool:
        """Whether a text may cite or contain one of the facts; False is definite."""
        if not self._few:
            said = _plain(text)[0]
            ours = "…" in text and "commonplace" in text
            return self.cited_in(text) or any(True for _ in self._found(said)) or (ours and self._cut_in(said))
        text = _unescaped(text)
        return any(f"^{id}" in text for id in self.ids) or any(each.search(text) for each in self._beginnings)

    def cited_in(self, text: str) -> bool:
        """Whether a text contains the id of one."""
        return "^" in text and not self.ids.isdisjoint(_CITED.findall(text))

    def stated_in(self, line: str) -> bool:
        """Whether a line of ours states one of them: by its id, or by its text, whole or shortened.

        In a line that cites only other facts, the text must be whole: as part of a longer sentence it belongs to those.
        """
        if self.cited_in(line):
            return True
        said = _spelled(line)
        others = "^" in line and _CITED.search(line) is not None
        if any(not others or _is_whole(said, start, end=end) for start, end in self._found(said)):
            return True
        return "…" in said and self._cut_in(said)

    def lines(self, text: str) -> list[int]:
        """Return the numbers of lines that contain the text of one as whole words; of a wrapped text, the first."""
        if self._few and not self.may_be_in(text):
            return []
        plain, starts = _plain(text)
        return sorted({bisect_right(starts, start) for start, _ in self._found(plain)})

    def _found(self, said: str) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each of the texts, unless it is part of a longer word."""
        for start, end in self._places(said):
            if not (_joined(said, start) or _joined(said, end)):
                yield start, end

    def _places(self, said: str) -> Iterator[tuple[int, int]]:
        for text in self._apart:
            yield from ((start, start + len(text)) for start in starts_of(said, text))
        begin = self._begin
        for at in range(len(said) - _BEGIN + 1 if begin else 0):
            if lengths := begin.get(said[at : at + _BEGIN]):
                for length, texts in lengths.items():
                    if said[at : at + length] in texts:
                        yield at, at + length

    def _cut_in(self, said: str) -> bool:
        """Whether it contains a shortened text: its beginning, then an ellipsis."""
        cuts, sizes = self._cuts
        for cut in (match.start() for match in re.finditer("…", said)):
            before = said[max(0, cut - _LONGEST_CUT) : cut].rstrip()
            for start in range(len(before)):
                for size in sizes:
                    texts = cuts.get(before[start : start + size], ())
                    if any(text.startswith(before[start:]) for text in texts):
                        return True
        return False

    @cached_property
    def _cuts(self) -> tuple[dict[str, list[str]], tuple[int, ...]]:
        """Return the texts that a line of ours may shorten, by their beginning, and the lengths of these."""
        found: dict[str, list[str]] = {}
        for text, length in self._spelled.items():
            if length > _QUOTED:
                found.setdefault(text[: min(_QUOTED, max(1, len(text) // 2))], []).append(text)
        return found, tuple({len(begin) for begin in found})

    @cached_property
    def _beginnings(self) -> tuple[re.Pattern[str], ...]:
        """Return patterns of the first words of each text, across lines and whatever is between the words."""
        heads = (re.findall(r"\w+", text[:_QUOTED].rpartition(" ")[0] or text[:_QUOTED]) for text in self._spelled)
        return tuple(re.compile(r"\W+".join(map(re.escape, words))) for words in heads)


def _plain(text: str) -> tuple[str, list[int]]:
    """Return a text as one line, without the `>` of quotations, and the offset of each of its lines in it."""
    lines = [" ".join(_unescaped(line.lstrip("> \t")).split()) for line in text.split("\n")]
    return _one_quote(" ".join(lines)), [0, *accumulate(len(line) + 1 for line in lines)]


def _spelled(text: str) -> str:
    """Return a text in the form for comparing: entities decoded, one kind of quote, white space collapsed."""
    return _one_quote(" ".join(_unescaped(text).split()))


def _one_quote(text: str) -> str:
    for quote in _QUOTES[:1] if text.isascii() else _QUOTES:
        text = text.replace(quote, "'")
    return text


def _joined(said: str, at: int) -> bool:
    """Whether a word continues across a position of a text."""
    before, after = said[at - 1 : at] if at else "", said[at : at + 1]
    return bool(before and after) and before.isalnum() and after.isalnum() and max(before, after) < FAR_EAST


def _is_whole(said: str, start: int, *, end: int) -> bool:
    """Whether the range is a complete quotation, not part of a longer sentence."""
    before, after = said[:start].rstrip(), said[end:].lstrip()
    return (not before or before[-1] in _OPENS) and (not after or after[0] in _CLOSES)


def _unescaped(text: str) -> str:
    """Return a text with entities decoded, nested ones (`&amp;lt;`) included."""
    if "…" in text and "&" in text:
        text = _CUT_ENTITY.sub("…", text)
    if "&" in text and ";" in text:
        from html import unescape

        for _ in range(_MOST_NESTED):
            before, text = text, unescape(_NESTED.sub("&", text))
            if text == before:
                break
    return text


class Cut(NamedTuple):
    """A file's text without bullets."""

    text: str
    missing: int
    """Number of bullets that were not found."""
    hanging: tuple[int, ...]
    """Numbers of the first lines, in the new text, that were indented below a removed bullet and stay."""


def without_bullets(path: str, text: str, *, bullets: Sequence[Bullet]) -> Cut:
    """Return a file's text without the lines of these facts."""
    wanted: dict[str, list[Bullet]] = {}
    for bullet in bullets:
        wanted.setdefault(bullet.fact.content, []).append(bullet)
    found: dict[tuple[str, str], list[Fact]] = {}
    for fact in parse(path, text).facts:
        if fact.content in wanted:
            found.setdefault((fact.id, fact.content), []).append(fact)
    spans: dict[int, int] = {}
    missing = 0
    for content, alike in wanted.items():
        for bullet in alike:
            ids = (id for id, said in found if said == content and is_twin(bullet.fact.id, id))
            there = found.get((next(ids, ""), content), [])
            if len(there) <= bullet.twins:
                missing += 1
                continue
            fact = there.pop(0)
            spans[fact.source.line] = fact.lines
    return without_lines(text, spans)._replace(missing=missing)


def without_lines(text: str, spans: Mapping[int, int]) -> Cut:
    """Return a text without the lines of bullets; the rest is read as before, with the same outsiders and parents.

    If other lines are attached below a bullet, it is replaced by a line without its words that keeps the outsider. If a
    paragraph is right below it, it is replaced by an empty line, since the paragraph would otherwise join the line
    above. A line that the trailer of a removed one said to be somebody's, too, gets a trailer of its own.

    Args:
        spans: the number of the first line of each bullet -> its number of lines.
    """
    lines = text.split("\n")
    said = _outsiders(text)
    kept: list[str] = []
    whence: list[int] = []  # the number that each of these lines had; 0 for a new one
    hanging: list[int] = []
    at = 0
    for first in sorted(spans):
        kept += lines[at : first - 1]
        whence += range(at + 1, first)
        at = first - 1 + spans[first]
        if _hangs(lines, first - 1, spans=spans):
            kept.append(_emptied(lines[first - 1], said.get(first, "")))
            whence.append(0)
            hanging.append(len(kept))
            apart = bool(lines[at].strip()) and not trailed(lines[at])  # else a trailer further below would be its own
        else:
            apart = bool(kept and kept[-1].strip() and at < len(lines) and is_words(lines[at].strip()))
        if apart:
            kept.append("\r" if lines[at].endswith("\r") else "")
            whence.append(0)
    left = kept + lines[at:]
    if said:
        _keep_outsiders(left, [said.get(number, "") for number in (*whence, *range(at + 1, len(lines) + 1))])
    return Cut("\n".join(left), 0, tuple(_first(left, place) + 1 for place in hanging))


def _outsiders(text: str) -> dict[int, str]:
    """Return number -> outsider of each line, but of comments, that one said."""
    lines = parse("", text).lines if may_name_other(text) else ()
    return {line.number: who for line in lines if line.role is not Role.CODE and (who := said_by_other(line))}


def _keep_outsiders(lines: list[str], said: Sequence[str]) -> None:
    """Write a trailer into each of these lines that a trailer which is gone said to be an outsider's."""
    now = _outsiders("\n".join(lines))
    for at, who in enumerate(said):
        if who and at + 1 not in now:
            line = lines[at].rstrip()
            lines[at] = f"{line} {write_trailer(Trailer(src=who))}{lines[at][len(line) :]}"
            now = _outsiders("\n".join(lines))  # it may be said of those below, too


def _first(lines: Sequence[str], at: int) -> int:
    """Return the position of the first line from `at` on with content; if there are only comments, of the last."""
    there = (place for place in range(at, len(lines)) if lines[place].strip())
    first = next(there)
    while lines[first].lstrip().startswith("<!--") and (following := next(there, -1)) >= 0:
        first = following
    return first


def _hangs(lines: Sequence[str], bullet: int, *, spans: Mapping[int, int]) -> bool:
    """Whether something is attached below a bullet: a line, a code block, a trailer. Without the bullet it would be
    attached to the one above.

    Blank lines and comments between them change nothing.
    """
    depth = indent_of(lines[bullet])
    at = bullet + spans[bullet + 1]
    while at < len(lines):
        if at + 1 in spans:
            if indent_of(lines[at]) <= depth:
                return False
            at += spans[at + 1]
        elif lines[at].lstrip().startswith("<!--") and indent_of(lines[at]) <= depth:
            if trailed(lines[at]):
                return True
            while "-->" not in lines[at] and at + 1 < len(lines):
                at += 1
            at += 1
        elif lines[at].strip():
            below, bare = indent_of(lines[at]), lines[at].strip()
            return below > depth or (below > 0 and item_text(bare) is None) or bare.startswith(("```", "~~~"))
        else:
            at += 1
    return False


def _emptied(line: str, outsider: str) -> str:
    """Return a bullet's line without its text but with its outsider, who said the attached lines, too."""
    bare = line.strip()
    text = item_text(bare)
    marker = bare[: len(bare) - len(text)] if text is not None else "- "
    trailer = write_trailer(Trailer(src=outsider))
    indent = line[: len(line) - len(line.lstrip())]
    end = "\r" if line.endswith("\r") else ""
    return indent + " ".join(filter(None, (f"{marker}{FORGOTTEN}", trailer))) + end


def is_twin(id: str, base: str) -> bool:
    """Whether an id is `base`, or that of one of its twins."""
    return id == base or (id.startswith(f"{base}-") and id[len(base) + 1 :].isdecimal())


def without_traces(text: str, traces: Traces) -> str:
    """Return a page without our lines about these facts, the lines attached to those, headings without lines, and their
    ids in trailers.

    The end marker forgets those lines, too. Otherwise the next reflect would take them for deleted by a person, and a
    line that other facts also support would never return.
    """
    ours = generated_lines(text)
    lines = text.split("\n")
    gone: set[int] = set()
    below = -1  # indent of a removed line of ours
    for number in sorted(ours):
        line = lines[number - 1]
        if not (0 <= below < indent_of(line) and number - 1 in gone and line.strip()):
            below = -1
            if not traces.stated_in(line):
                continue
            below = indent_of(line)
        gone.add(number)
    if gone:
        text = _less(read_page(text), gone)
    return without_relations(text, traces.ids)


def _less(page: RegionPage, gone: set[int]) -> str:
    """Return a page without these lines of its regions; a damaged page keeps its end markers, and so stays damaged."""
    lines = list(page.lines)
    for region in reversed(page.regions):
        body = range(region.start + 1, region.start + 1 + len(region.body))
        if gone.isdisjoint(body):
            continue
        gone |= _bare_headings(region, page.lines, gone)
        kept = [lines[number - 1] for number in body if number not in gone]
        marker = lines[body.stop - 1 : region.end]
        if not page.problem:
            left = {at for at, number in zip(region.ours, body, strict=True) if at >= 0 and number in gone}
            entries = [entry for at, entry in enumerate(region.entries) if at not in left]
            last = "\r" if marker[-1].endswith("\r") else ""
            marker = [end_marker(entries, sorted(region.dropped), width=region.width) + last]
        lines[region.start : region.end] = [*kept, *marker]
    return "\n".join(lines)


def _bare_headings(region: Region, lines: Sequence[str], gone: set[int]) -> set[int]:
    """Return the numbers of our headings below which no line stays, and of the blank lines above them."""
    bare: set[int] = set()
    below = 1
    """Level of the heading below; 7 for any other line, which may follow any heading."""
    for number, at in reversed([*enumerate(region.ours, region.start + 1)]):
        if number in gone or at == BLANK:
            continue
        line = lines[number - 1]
        level = len(line) - len(line.lstrip("#"))
        if level and level >= below and at != PERSONS:
            bare |= {number, number - 1} if not lines[number - 2].strip() else {number}
        else:
            below = level or 7
    return bare
