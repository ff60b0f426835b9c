"""What is shown before a quoted line so that it can be understood: the heading or bullet that it belongs to. And which
lines only lead to others."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.introductions import introduces
from commonplace.core.extract.line_labels import labelled, name_of
from commonplace.core.quotes.page_lines import shortened, without_day
from commonplace.core.quotes.quote_topics import NO_SUBJECT, announces, announces_only, is_logged, ruled_thing
from commonplace.core.quotes.quote_words import JOINED, announces_a_plan, announces_traits, has_trait, tells_a_problem
from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, columns, fold
from commonplace.core.when import says_only_when

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from commonplace.core.model import Line
    from commonplace.core.quotes.page_quotes import Quote

_POINTER = lazy_pattern(
    r"(?:[^:：]{1,40}[:：])?[\s*→>-]*(?:[Ss]ee|[Ss]e|[Сс]м\.|参见|详见|见|見|参照|देखें)?[\s:：]*`[^`\s]+\.md`\W*"
)
"""A line that only points to a file: `Backups: → see `docs/backup.md``."""
_HINT = lazy_pattern(r"(?:[*_]{0,2}[^:：*_]{1,40}[*_]{0,2}[:：][*_]{0,2}\s*)?[*_]{1,2}[(（].*[)）][*_]{1,2}")
"""A hint of a template in brackets: `**Emoji:** _(pick one)_`."""
_ARROWS = ("→", "->", "=>", "⇒")
_SELF_CONTAINED = 160
"""Width of a line, Han and kana counted twice, that needs no heading to be understood."""
_BRIEF, _LONGEST_LEAD = 40, 60
"""Width of a heading that is shown whole, with a colon in it and without."""
_BRACKETS = lazy_pattern(r"\([^()]*\)?|（[^（）]*）?|\[[^\[\]]*\]")
_SIGN = (
    r"[\s\u231a\u231b\u23e9-\u23f3\u2610-\u2612\u2614\u2615\u2693\u2699\u26a0\u26a1\u26d4\u2705\u270a-\u2718\u2728"
    r"\u274c\u274e\u2753-\u2757\U0001f300-\U0001f64f\U0001f680-\U0001f6ff\U0001f7e0-\U0001f7eb\U0001f900-\U0001f9ff"
    r"\U0001fa70-\U0001faff\ufe0f\u200d]"
)
"""An emoji or tick, which only decorates."""
_HOUR = r"\d{1,2}:\d\d(?:\s?[AaPp]\.?[Mm]\b\.?)?(?:\s?(?:UTC|GMT|[A-Z]{2,3}T(?=\s*[–—:-])))?"
_NUMBER = lazy_pattern(rf"^\W*(?:{_HOUR}(?:\s?[-–—~～〜]\s?{_HOUR})?|\d{{1,2}}[.)、])[\s–—:-]+{_SIGN}*(?=[\w\[(（])")
"""An hour, or from when to when, or a number before a heading."""
_NO_LETTERS = lazy_pattern(r"(?:(?![\u0900-\u0963])[\W\d_])+")
"""Marks and figures; the vowel signs of Hindi are none."""
_COUNTS = lazy_pattern(r"\([^()]*[\d#✅✓✔☑][^()]*\)?|（[^（）]*[\d#✅✓✔☑][^（）]*）?")
"""A day, an hour, a count, a channel or a tick in brackets."""
_SIGNS, _FIRST_SIGNS = lazy_pattern(f"{_SIGN}*"), lazy_pattern(rf"(?:{_SIGN}|[\u2460-\u2473]|\d\ufe0f?\u20e3)*")
"""The signs at the end of a heading; at its start its number in a sign is one, too."""
_TITLED_DAY = lazy_pattern(r"([^:：–—|]{1,30}?)\s*[-:：–—|]\s*\d{4}[-./]\d\d?[-./]\d\d?\s*[-:：–—|]\s*(?=\S)")
"""The title of a log and its day, before what it tells of."""
_FIRST_PART = lazy_pattern(r"([^:：–—|]{1,30}?)\s*(?:：|:(?!\S)|[–—|]|\s-\s)\s*(?=\S)")
"""What stands before the first mark of a heading that goes on behind it."""
_AND = lazy_pattern(r"\s[+&]\s|[、；]|;\s")
_MANY_THINGS, _THING_WORDS, _THING_WIDTH = 3, 3, 20
"""Things that the heading of a day lists, from which it does not tell of which a line is; the words and the width of
each at most. A comma parts things, clauses and places alike."""
_LABEL_ENDS = lazy_pattern(r":(?=[\s*_]|$)|：(?!\d)|[。;；]")
"""What ends the label of a heading or bullet."""
_DANGLING = lazy_pattern(r"[\s–—:：,，(（-]+…$")
_LONGEST_TITLE = 60
"""Width of a bullet that may be the title of those below it."""
_GOES_ON = lazy_pattern(r"[:：]\W*\w|→|->|=>|[.。!！।]\W*$")
_FILE = ".md"
_MEMORY = "memory.md"
_CAUSE = "cause"
"""Sign of a label of a cause or fix."""
_COLON = lazy_pattern(r"[:：]")


def lead(line: Line, key: str = "", *, names: Collection[str] = (), known: Collection[str] = ()) -> str:
    """Return the nearest heading or bullet above a line that says what it belongs to; empty if the line is long, or
    says the same itself.

    A third of the lines that readers held wrong or useless on a page had lost what they were about.

    Args:
        key: what the page is about, as of `entity_key`.
        names: of owner and agent, folded, whose name in the title of a log says nothing.
        known: keys of the entities that a heading above names; another one of one short word is a section's.
    """
    if (turned := _turned(line)) or _is_long(line):
        return turned
    while _gives_a_trait(line):
        line = line._replace(context=() if introduces(line.source.path) else line.context[:-1])
    if label := _label_above(line):
        return label
    above = [text for text in reversed(line.context) if text[:1] != "|" and _FILE not in text]
    if len(above) > 1 and above[-1] == line.context[0] and is_title_of_a_log(line, names):
        above.pop()
    named = next((at for at, text in enumerate(above) if key and is_vague(text, key) and not is_vague(text)), None)
    above = [text for text in above[:named] if not (_says_nothing(text, known) or is_vague(text))]  # the page names it
    announcing = [text for text in above if announces(text) and not _rules_something(text)]
    telling = [text for text in above if not (text in announcing or announces_a_plan(text))] or above
    if not telling:
        return ""
    nearest, *others = (brief(without_day(text)) for text in above[above.index(telling[0]) :][:2])
    if _is_said(nearest, line):
        return ""
    if not others:
        return nearest
    listed = not key and _leads_on(telling[0]) and not NO_SUBJECT.fullmatch(others[0])
    both = f"{others[0]} – {nearest}"
    return both if columns(both) <= _LONGEST_LEAD and (listed or NO_SUBJECT.fullmatch(nearest)) else nearest


def _turned(line: Line) -> str:
    """Return the heading of a list of what somebody dislikes or nobody may do, without which its lines say the
    opposite; empty if there is none just above a line."""
    above = line.context[-1] if line.context else ""
    return brief(without_day(above)) if any(map(announces, line.context[-2:])) and _says_against(above) else ""


@lru_cache(512)
def _says_against(heading: str) -> bool:
    said = entity_key(heading)
    return _without(said, "against") != _without(said)


def _is_long(line: Line) -> bool:
    """Whether a line is long enough to be understood by itself; a cause needs what it is the cause of."""
    return columns(line.content) > _SELF_CONTAINED and labelled(line.content)[0] != _CAUSE


def _label_above(line: Line) -> str:
    """Return the label that stands alone above what it labels (`Time zone:`, and below it `Europe/Oslo`), or empty."""
    label = brief(line.context[-1]) if line.context else ""
    return label if label and has_trait(f"{label}: {line.content}") else ""


def _gives_a_trait(line: Line) -> bool:
    """Whether a line gives who or what somebody is below a heading that announces just this: `Role: pilot`, below
    `Identity and role`; not below `Anna, profile`."""
    parts = JOINED.split(line.context[-1]) if line.context else ()
    return bool(parts) and has_trait(line.content) and all(map(announces_traits, parts))


def is_title_of_a_log(line: Line, names: Collection[str]) -> bool:
    """Return whether the first heading above a line is only the title of a log or memory, which tells of anything:
    nothing remains of it but words for these, days, and whose it is."""
    if not is_logged(line) and line.source.path.rpartition("/")[2].casefold() != _MEMORY:
        return False
    title = entity_key(_BRACKETS.sub(" ", without_day(line.context[0])))
    for name in sorted(names, key=len, reverse=True):
        title = re.sub(_whose(name), " ", title)
    return _names_a_log(title)


def _names_a_log(title: str) -> bool:
    """Whether a title is made of words for a log or memory, and of what may stand beside them."""
    rest = _without(entity_key(title), "titles")
    return rest != _without(entity_key(title)) and says_only_when(_without(rest, "beside titles", "vague"))


@lru_cache(64)
def _whose(name: str) -> str:
    """Return the pattern of a name, perhaps in the genitive; in scripts with spaces as a whole word."""
    if name >= FAR_EAST:
        return re.escape(name)
    return rf"(?<![\w\u0900-\u0963]){re.escape(name)}(?:['’]?s|['’]|[а-я]{{1,2}})?(?![\w\u0900-\u0963])"


def shown_heading(
    line: Line, heading: str, key: str, *, names: Collection[str] = (), known: Collection[str] = ()
) -> str:
    """Return what is shown before a line that stands below a heading which names what it is about: on the page of that
    what is nearer to it, else the heading, if it says more than the line and the title of the page do.

    Args:
        key: what the page is about, as of `entity_key`; empty for a page of many things.
        names, known: as of `lead`.
    """
    if turned := _turned(line):
        return turned
    if key and (near := nearer(line, heading, names=names, known=known)):
        return near
    whole = brief(without_day(heading))
    return "" if is_vague(heading, key) or _lists_a_day(heading) or _is_said(whole, line) else whole


def is_vague(heading: str, key: str = "") -> bool:
    """Return whether a heading tells nothing of what stands below it: `Important notes`, `Idea 3`; on the page of a
    sloop, `About the sloop`."""
    said = entity_key(_BRACKETS.sub(" ", without_day(heading)))
    return not _without(said.replace(key, " ") if key else said, "vague")


def _without(text: str, *lists: str) -> str:
    """Return the letters of a text, folded, without the words of some lists."""
    for name in lists:
        text = _words_in(name).sub(" ", f" {'  '.join(_NO_LETTERS.sub(' ', text).split())} ")
    return " ".join(_NO_LETTERS.sub(" ", text).split())


@cache
def _words_in(name: str) -> re.Pattern[str]:
    """Return what finds the words of a list: in languages with spaces whole words, in the others any signs."""
    known = table("pages").get(name) or {code: table("topics", code)[name].split(", ") for code in LANGUAGES}
    by_script: dict[bool, set[str]] = {True: set(), False: set()}
    for code, words in known.items():
        by_script[LANGUAGES[code].spaced].update(map(fold, words))
    spaced, solid = ("|".join(sorted(map(_spread, each), key=len, reverse=True)) for each in by_script.values())
    return re.compile(f" (?:{spaced}) |(?:{solid})")


def _spread(word: str) -> str:
    return " +".join(map(re.escape, word.split()))


def _is_said(heading: str, line: Line) -> bool:
    """Return whether a line says itself what a heading says, or the name of its file does, to which it links."""
    said = entity_key(f"{line.content} {line.source.path.rpartition('/')[2]}")
    return all(word in said for word in entity_key(heading).split() if len(word) > 3 or word >= FAR_EAST)


def nearer(line: Line, heading: str, *, names: Collection[str] = (), known: Collection[str] = ()) -> str:
    """Return the `lead` of a line between it and a heading or bullet above that names what its page is about; empty
    for none: the page says itself what it is about, but not to which list of it a line belongs."""
    at = line.context.index(heading) if heading in line.context else len(line.context)
    return lead(line._replace(context=line.context[at + 1 :]), names=names, known=known)


def brief(heading: str) -> str:
    """Return a heading or bullet as it is shown before a line: whole, without days, hours and counts in brackets and
    without a first part that says nothing (`Session 3: …`); of a long one without all brackets, only its label if that
    says anything, else its first words."""
    whole = " ".join(_COUNTS.sub(" ", heading.replace("**", "")).split()).strip(" *_:：#")
    whole = _NUMBER.sub("", _without_signs(whole).strip(" *_:：#"), 1)
    if (titled := _TITLED_DAY.match(whole)) and _names_a_log(titled[1]):
        whole = whole[titled.end() :]
    while (first := _FIRST_PART.match(whole)) and not _without(entity_key(first[1]), "openers"):
        whole = whole[first.end() :]
    plain = " ".join(_BRACKETS.sub(" ", whole).split()).strip(" *_:：#")
    label = _LABEL_ENDS.split(plain, maxsplit=1)[0].strip(" *_:：#")
    label = "" if announces_only(label) or is_vague(label) else label
    most = _LONGEST_LEAD if label in ("", plain) else _BRIEF
    for shown, width in ((whole, most), (plain, most), (label, _LONGEST_LEAD)):
        if shown and columns(shown) <= width:
            return shown
    cut = shortened(plain, _LONGEST_LEAD if plain < FAR_EAST else _LONGEST_LEAD // 2)
    return _DANGLING.sub("…", cut)


def _without_signs(heading: str) -> str:
    """Return a heading without emoji and ticks at its ends; behind a figure one is a unit."""
    rest = _FIRST_SIGNS.sub("", heading, 1)
    plain = _SIGNS.sub("", rest[::-1], 1)[::-1]
    return rest if plain[-1:].isdigit() else plain


def _says_nothing(heading: str, known: Collection[str]) -> bool:
    if NO_SUBJECT.fullmatch(heading) and not heading.endswith((":", "：")) and entity_key(heading) not in known:
        return True  # `Wins`, `Tasks`; a bullet that leads to others has a colon
    said = _BRACKETS.sub("", heading)
    return says_only_when(heading) or _only_announces(said) or _lists_a_day(heading)


def _only_announces(heading: str) -> bool:
    """Whether a heading announces what follows and no more."""
    return all(map(announces_only, JOINED.split(heading))) and not _rules_something(heading)


@lru_cache(512)
def _rules_something(heading: str) -> bool:
    """Whether a heading above rules tells what they are about: `Weekend rules`."""
    return bool(_without(ruled_thing(heading), "vague"))


def _lists_a_day(heading: str) -> bool:
    """Whether the heading of a day lists several things that were done then."""
    said = without_day(heading)
    if said == heading:
        return False
    things = _AND.split(_BRACKETS.sub("", said))
    brief_ones = (len(each.split()) <= _THING_WORDS and columns(each) <= _THING_WIDTH for each in things)
    return len(things) >= _MANY_THINGS and all(brief_ones)


def leads_in(line: Line) -> bool:
    """Whether a line only leads to something else: to what follows it, by a colon or an arrow at its end, to a file, or
    to what a reader should write there."""
    text = line.content
    return _leads_on(text) or text.endswith(_ARROWS) or bool(_POINTER.fullmatch(text) or _HINT.fullmatch(text))


def _leads_on(text: str) -> bool:
    return text.rstrip(" *_").endswith((":", "："))


def is_title(line: Line) -> bool:
    """Whether a line with others below it is only their title: brief, and nothing follows a colon or arrow in it."""
    return columns(line.content) <= _LONGEST_TITLE and not _GOES_ON.search(line.content)


def with_siblings(quotes: Sequence[Quote]) -> list[Quote]:
    """Return the quotes, a long one with what is shown before another of its list: who reads the one wants to know it
    of both."""
    shown = {each.line.context: each.below for each in quotes if each.below}
    found = []
    for each in quotes:
        above = each.below or (shown.get(each.line.context, "") if _is_long(each.line) else "")
        found.append(each if above == each.below or _is_said(above, each.line) else each._replace(below=above))
    return found


def is_bare_fix(quoted: Quote) -> bool:
    """Return whether a line is labelled as a fix, and neither it nor what stands before it tells what was wrong."""
    label = _COLON.split(quoted.line.content, maxsplit=1)[0]
    return name_of(label) in _fixes() and not tells_a_problem(f"{quoted.below}: {quoted.line.content}")


@cache
def _fixes() -> frozenset[str]:
    return frozenset(map(fold, table("pages")["fixes"]))
