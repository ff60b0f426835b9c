"""Names that files introduce.

USER.md and IDENTITY.md give the owner's and the agent's (`- **Name:** Peter`), and of those close to them; the core
files list people and projects below headings that say so; a note in a folder of people or projects has the name of one;
in scripts without capitals a work is named in quotation marks behind the word for it (アプリ「…」).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from commonplace.core.documents.name_mentions import introduced as introduced_in
from commonplace.core.entities.alias_phrases import is_given
from commonplace.core.entities.name_uses import SMALL, is_ordinary
from commonplace.core.entities.unspaced_names import ends_a_project, quoted_works, says_ordinary_words, titled_names
from commonplace.core.model import Role
from commonplace.core.tables import table
from commonplace.core.text.known_languages import LANGUAGES, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold, has_case

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from commonplace.core.documents.parsed_document import ParsedLine
    from commonplace.core.model import Line

_WORD = lazy_pattern(r"[^\W\d_][\w\u0900-\u097f]*")
_FILES = frozenset(("user.md", "identity.md"))
_TELL_HOW = frozenset(("memory.md", "agents.md", "soul.md"))
_LIST = frozenset(("memory.md", "user.md"))
_PEOPLE, _THINGS, _LISTING = "people", "things", "that it is a list"
_MOST_WORDS = 4
_ITEM = lazy_pattern(
    r"(\*\*[^*]{2,40}\*\*|[^:：—–*(（]{2,40}?)[:：]?\s?(?:[:：—–(（]|-\s)|(?P<alone>\*\*[^*]{2,40}\*\*)$"
)
"""A bullet that says of whom or what it tells; below a bold name alone, others do."""
_EMOJI = lazy_pattern("^[\u2190-\u2bff\U0001f000-\U0001faff\u200d\ufe0f]+ *")
_NEXT_CLAUSE = "，"
"""The comma of Chinese, behind which no other name stands but something else; that of a list is 、."""
_KANA = lazy_pattern("[\u3041-\u3096\u30a1-\u30fa\u30fc]+")
_BRACKETED = lazy_pattern(r"[(（][^()（）]*[)）]")
_LABELLED = lazy_pattern(r"([^:：]{1,40})[:：][*_\s]*(.*)")
_SAID = lazy_pattern(r"[\"“„「『]([^\"“”„「」『』]{2,40})[\"”“」』]")
_FIRST_LINES, _TITLES = 8, 2
"""Lines of a file in which prose may say whom it introduces, and those of them that may be its titles."""
_END_OF_NAME = lazy_pattern(r"[,.;!?，。、；！？()（）—–।]|です|\sहै")
_LONGEST_NAME = 12
_FIELD = lazy_pattern(r"\s[|｜·•]\s")
"""What stands between two fields of one line: `Name: Rolf | Home: Hull`, `Name: Rolf · Home: Hull`."""
_PARTS = lazy_pattern(r"[()（）\[\]/,、，;；|。]|\.\s|\s[-–—]\s")
"""What stands between two names of one, or ends a name; so do the words for `or`."""
_BESIDE = lazy_pattern(r"([^()（）\[\]/,，、;；|。]+)(?:[(（]([^()（）]+)[)）]|/([^()（）\[\]/,，、;；|。]+))")
"""A name, and what stands in brackets or behind a slash beside it."""


def introduces(path: str) -> bool:
    """Whether a file introduces the owner or the agent."""
    return path.casefold() in _FILES


def may_call(path: str) -> bool:
    """Whether a file is one of those that tell the agent how to behave, where the owner's name may stand, too."""
    return path.casefold() in _TELL_HOW


def may_list(path: str) -> bool:
    """Whether a file is one of those that list people and projects below headings."""
    return path.casefold() in _LIST or _lists(path) != ""


def _lists(path: str) -> str:
    """Return what a file lists by its name, as of `_listed_kind`: `projects.md`."""
    name = path.removesuffix(".md").rpartition("/")[2]
    return "" if any(map(str.isdigit, name)) else _listed_kind(name)


def introduces_owner(path: str) -> bool:
    """Whether a file introduces the owner."""
    return path.casefold() == "user.md"


def introduced(path: str, lines: Sequence[ParsedLine]) -> Iterator[tuple[int, str]]:
    """Yield the names that a file introduces, each with the position of its line."""
    if introduces(path):
        is_unlabelled = introduces_owner(path) and not any(own_names(lines))
        if is_unlabelled and (said := in_prose([line.text for line in lines])):
            yield said
        yield from _labelled(lines, close=frozenset(table("core")["relatives"]))
    elif may_call(path):
        yield from ((at, name) for at, line in enumerate(lines) if (name := called(line.text)))
    if may_list(path):
        yield from _listed(lines, _lists(path))
    else:
        folder, _, name = path.removesuffix(".md").rpartition("/")
        if kind := _listed_kind(folder.rpartition("/")[2]):
            yield from _titled(lines, name, somebody=kind == _PEOPLE)
        yield from ((0, each) for each in names_of_note(path, (line.text for line in lines[:1])))
    for at, line in enumerate(lines):
        if line.role is not Role.CODE and not (line.generated or line.outsider):
            yield from ((at, work) for work in quoted_works(line.text))


def _titled(lines: Sequence[ParsedLine], stem: str, *, somebody: bool) -> Iterator[tuple[int, str]]:
    """Yield the name in the title of a note in a folder of people or projects, or in its file's name: the title of what
    is nobody may tell anything, so that it must be that of the file."""
    at, title = next(((at, line.text) for at, line in enumerate(lines) if line.role is Role.HEADING), (0, stem))
    name = title.rpartition(":")[2]
    same = _squashed(name) == _squashed(stem)
    name = _without_profile(name) if somebody else name
    yield from ((at, each) for each in [*_names(name)][:1] if lines and (somebody or same))


def _without_profile(title: str) -> str:
    """Return a title without the word for a profile behind a name, and what joins them: `Rolf's profile`, 何敏档案."""
    for word in _profiles():
        if title.casefold().endswith(word) and (name := title[: -len(word)].rstrip(" -–—·:：的の")):
            return name.removesuffix("'s").removesuffix("’s")
    return title


@cache
def _profiles() -> tuple[str, ...]:
    words = (word for words in table("core")["profile"].values() for word in words.split())
    return tuple(sorted(words, key=lambda word: (-len(word), word)))


def names_of_note(path: str, lines: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the project that a note is about by its file's name, `project-tide-relay.md`: that in its
    first line, and that of the file; none of other files."""
    word, _, stem = path.removesuffix(".md").rpartition("/")[2].partition("-")
    if fold(word) not in _projects() or not (of_file := [*_names(stem)]):
        return ()
    title = [*_names(next(iter(lines), "").rpartition(":")[2])][:1]
    plain = [name for name in title if not says_ordinary_words(name) or name.endswith(ends_a_project())]
    of_file = [name for name in of_file if not says_ordinary_words(name)]
    return tuple(dict.fromkeys((*plain, *of_file))) if of_file else ()


@cache
def _projects() -> frozenset[str]:
    return frozenset(map(fold, table("names")["projects"]["before a name"].split()))


def _squashed(name: str) -> str:
    return "".join(_WORD.findall(fold(name)))


def _listed(lines: Sequence[ParsedLine], whole: str) -> Iterator[tuple[int, str]]:
    """Yield the names in a list of people or projects: of its headings, and before the colon or dash of its bullets.
    What is nobody must stand there in bold, or it may be a task; so must what is no bullet.

    Args:
        whole: what the file lists below its title, whatever that is; empty if nothing.
    """
    for at, line in enumerate(lines):
        above = lines[line.parent] if line.parent >= 0 else None
        if above is None or above.role is not Role.HEADING or line.generated:
            continue
        kind = _listed_kind(above.text) or (whole if above.parent < 0 else "")
        if not kind:
            continue
        item = line.text if line.role is Role.HEADING else ""
        if line.role in (Role.BULLET, Role.TEXT) and (found := _ITEM.match(line.text)):
            said = found[1] or found["alone"]
            item = said if (kind == _PEOPLE and line.role is Role.BULLET) or said.startswith("**") else ""
        yield from ((at, name) for name in _names(item) if not says_ordinary_words(name))


def listed_names(path: str, lines: Iterable[Line]) -> Iterator[tuple[str, bool]]:
    """Yield the names that a file introduces in a list of its own or as a note in a folder, each with whether as
    somebody, else as a project or the like."""
    folder, _, stem = path.removesuffix(".md").rpartition("/")
    if kind := _listed_kind(folder.rpartition("/")[2]):
        yield stem, kind == _PEOPLE
    whole = _lists(path)
    for line in lines if may_list(path) else ():
        for at, heading in enumerate(line.context, 1):
            if kind := _listed_kind(heading) or (whole if at == 1 else ""):
                found = _ITEM.match(line.content)
                said = line.context[at] if at < len(line.context) else found[1] or found["alone"] if found else ""
                yield from ((name, kind == _PEOPLE) for name in _names(said))


def lists_entities(heading: str) -> bool:
    """Return whether people, or things such as projects, stand below a heading."""
    return _listed_kind(heading) != ""


@lru_cache(512)
def _listed_kind(heading: str) -> str:
    """Return what stands below a heading, or in a folder: people, things such as projects, or neither.

    Its last word says it, or the one before a word for a list; without spaces what it ends with: 项目列表, 当前项目.
    """
    words = _WORD.findall(fold(_BRACKETED.sub(" ", heading)))
    if not words or len(words) > _MOST_WORDS:
        return ""
    said = {words[-1], "".join(words)}
    if len(words) > 1 and words[-1] in _list_words(_LISTING):
        said |= {words[-2], f"{words[-2]}s"}
    if words[-1][0] >= FAR_EAST:
        last = next((words[-1].removesuffix(word) for word in _list_words(_LISTING) if words[-1].endswith(word)), "")
        last = last or words[-1]
        said |= {word for kind in (_PEOPLE, _THINGS) for word in _list_words(kind) if last.endswith(word)}
    return next((kind for kind in (_PEOPLE, _THINGS) if not _list_words(kind).isdisjoint(said)), "")


@lru_cache(3)
def _list_words(kind: str) -> frozenset[str]:
    return frozenset(fold(word) for words in table("core")["lists"][kind].values() for word in words.split())


def own_names(lines: Sequence[ParsedLine]) -> Iterator[str]:
    """Yield the names by which a file introduces its owner or agent, and nobody close to them or listed there."""
    yield from (name for _, name in _labelled(lines, close=frozenset()))


def _labelled(lines: Sequence[ParsedLine], *, close: Container[str]) -> Iterator[tuple[int, str]]:
    """Yield the names behind the labels of a file that introduces somebody.

    Args:
        close: labels for somebody close to the owner.

    The name may stand on the line below its label. What stands in brackets from the start is a hint to the reader.
    """
    labels = table("core")["names"]
    for at, line in enumerate(lines):
        (label, value), place = _field(line.text, lines[line.parent].text if line.parent >= 0 else ""), at
        if label in close:
            for name in _names(_PARTS.split(value, maxsplit=1)[0]):
                yield at, name
        if label not in labels:
            continue
        if not value.strip("*_ ") and at + 1 < len(lines) and not _LABELLED.fullmatch(lines[at + 1].text):
            value, place = lines[at + 1].text, at + 1
        for name in _names(value):
            yield place, name


def in_prose(texts: Sequence[str]) -> tuple[int, str] | None:
    """Return the line in which a file about the owner says without a label who that is, and the name; None for none:
    `# USER.md — Rolf Berg`, `Rolf Berg is a baker`, `The user is Rolf`, 我叫何敏."""
    for at, text in enumerate(texts[:_FIRST_LINES]):
        plain = text.replace("*", "").strip("_>- ")
        if lists_entities(plain):
            return None
        told, bare = _says_who().search(plain), _of_the_owner().sub("", plain) if at < _TITLES else ""
        title = _without_profile(_BRACKETED.sub("", bare).strip())
        first, _ = introduced_in(plain)
        shown = (
            title if bare != plain or " " in title else "",
            first if " " in first and f"{first}:" not in plain else "",
        )
        name = _leading_name(plain[told.end() :]) if told else ""
        for each in (name, *(each for each in shown if each[:1].isupper())):
            if ":" not in each and [*_names(each)] == [each] and not any(map(is_ordinary, each.split())):
                return at, each
    return None


@cache
def _of_the_owner() -> re.Pattern[str]:
    """Match the words at the beginning of a title that say whom the file is about: `# USER.md — `, `# About `."""
    core = table("core")
    owner = (word for words in (*core["owner"].values(), core["people"], _profiles()) for word in words)
    words = "|".join(re.escape(word) for word in sorted((*_FILES, *owner), key=len, reverse=True))
    return re.compile(rf"(?:(?:{words}|the|your|of)(?:'s)?[\s:：—–-]+)+", re.IGNORECASE)


def _leading_name(text: str) -> str:
    """The name with which a text begins, in any script; empty for none."""
    said = _END_OF_NAME.split(text.strip("*_ :："), maxsplit=1)[0].strip("*_ ")
    if said[:1].upper() == said[:1].lower():  # a script without capitals
        return said if len(said) <= _LONGEST_NAME else ""
    return " ".join(takewhile(lambda word: word[:1].isupper(), said.split(" ")))


@cache
def _says_who() -> re.Pattern[str]:
    phrases = [phrase for each in table("core")["says who"].values() for phrase in each]
    spaced = "|".join(re.escape(phrase) for phrase in phrases if phrase[0] < FAR_EAST)
    others = "|".join(phrase for phrase in phrases if phrase[0] >= FAR_EAST)
    return re.compile(rf"\b(?:{spaced})\s|(?:{others})", re.IGNORECASE)


def names_of_one(lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the names of the one whom a file introduces, by the first label for a name that has one and those below
    the same heading: `Name: Rolf Berg`, `What to call them: Rolf`. Of a value the first name counts, since others may
    tell where somebody is from; the same label again introduces somebody else.
    """
    return tuple(dict.fromkeys(map(_first_name, _values_of_one(lines))))


def names_beside(lines: Iterable[Line]) -> tuple[tuple[str, str], ...]:
    """Return each of these names with the one in another script that stands in brackets or behind a slash beside it,
    which may be theirs as well: `Name: 小海 (Marlin)`."""
    found = (_BESIDE.match(value.strip("*_ ")) for value in _values_of_one(lines))
    pairs = ((each[1].strip("*_ "), (each[2] or each[3]).strip("*_ ")) for each in found if each)
    return tuple(
        (one, other)
        for one, other in pairs
        if all([*_names(name)] == [name] for name in (one, other)) and _script(one) != _script(other)
    )


def also_called(line: Line, names: Iterable[str]) -> tuple[str, str]:
    """Return one of these names, and the other by which a line says that the same person is called: `Nicknames: Rolf
    (at work), Roffe (at home)`, or `Nickname: Roffe` below `Rolf`; both empty if it does not.

    Who has another title, or a given name as well, may be somebody else; `Name: Rolf, English` says how to talk to him.
    """
    label, value = _field(line.content, "".join(line.context[-1:]))
    if label not in table("core")["nicknames"]:
        return "", ""
    own = {_bare(name): name for name in names}
    said = [*_names(_BRACKETED.sub(" ", value.partition(_NEXT_CLAUSE)[0]))]
    here = [name for name in (*said, *line.context[-1:]) if _bare(name) in own]
    others = [name for name in said if _bare(name) not in own]
    if len(others) != 1 or len({*map(_bare, here)}) != 1 or not _may_be_called(others[0]):
        return "", ""
    both = _bare(here[0]), fold(others[0])
    return ("", "") if all(map(is_given, both)) else (own[both[0]], others[0])


def _may_be_called(name: str) -> bool:
    """Whether somebody may be called so: no `dansk`, `UTC+1` or 日本語, and nobody with another title."""
    if has_case(name):
        plain = all(word[0].isupper() for word in name.split()) and not any(map(str.isdigit, name))
    else:
        plain = _KANA.fullmatch(name) is not None or not says_ordinary_words(name)
    return plain and _bare(name) == fold(name)


def _bare(name: str) -> str:
    """Return a name, folded, without a Japanese title."""
    return fold(next((bare for whole, bare in titled_names(name) if whole == name), name))


def _first_name(value: str) -> str:
    return next(_names(_PARTS.split(value, maxsplit=1)[0]), "")


def _script(name: str) -> str:
    return LANGUAGES[identify(name).code].script


def _values_of_one(lines: Iterable[Line]) -> Iterator[str]:
    """Yield what stands behind the labels that introduce one person, or on the line below, from the first name on."""
    core = table("core")
    labels = frozenset(core["names"]).difference(core["names of others"])
    found: dict[str, str] = {}
    heading: tuple[str, ...] | None = None
    for line in lines:
        context = line.context
        above = "".join(context[-1:])
        label, value = _field(line.content, above)
        if (asked := _field(above))[0] in labels and not asked[1].strip("*_ "):
            label, value, context = asked[0], line.content, context[:-1]
        if label not in labels or heading not in (None, context) or not _first_name(value):
            continue
        if label in found:
            if context != line.context and above == found[label]:
                continue
            return
        heading = context
        found[label] = above
        yield value


def _field(text: str, above: str = "") -> tuple[str, str]:
    """Return the label of a line, casefolded, and what stands behind it up to the next field; both empty for none.

    Args:
        above: the heading, bullet or head of a table right above it: of a row below one the first cell is the label.
    """
    if text[:1] == above[:1] == "|" and len(cells := text.strip("| ").split("|")) > 1:
        return cells[0].strip(" *_:：").casefold(), cells[1].strip()
    found = _LABELLED.fullmatch(_FIELD.split(text, maxsplit=1)[0])
    return (found[1].strip(" *_").casefold(), found[2]) if found else ("", "")


def called(text: str) -> str:
    """Return the name by which a line of a core file says that the owner is called: `Call the user "Rolf" in public`;
    empty if it does not.
    """
    names = _SAID.findall(text)
    if len(names) != 1 or not (_names_any_of(text, "calls") and _names_any_of(text, "people")):
        return ""
    return next(_names(names[0]), "")


def speaks_of_somebody(text: str) -> bool:
    """Return whether a text speaks of the owner as such, or of somebody close to the owner, in whatever language."""
    return _names_any_of(text, "relatives", "people")


def speaks_of_the_owner(text: str) -> bool:
    """Return whether a text speaks of the owner as such."""
    return _names_any_of(text, "people")


def speaks_of_a_relative(text: str) -> bool:
    """Return whether a text speaks of somebody close to the owner."""
    return _names_any_of(text, "relatives")


def names_somebody(text: str) -> bool:
    """Return whether a line gives a name behind its label: `Called: Rolf`."""
    return _field(text)[0] in table("core")["names"]


def _names_any_of(text: str, *kinds: str) -> bool:
    spaced, unspaced = _people(kinds)
    folded = fold(text)
    for word in table("core")["nobody"]:
        folded = folded.replace(word, " ")
    return not spaced.isdisjoint(_WORD.findall(folded)) or any(word in folded for word in unspaced)


@lru_cache(8)
def _people(kinds: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the words for people that stand alone, as in scripts with spaces and those of one character, and the
    others, which may stand within a text."""
    words = [fold(word) for name in kinds for word in table("core")[name]]
    spaced = frozenset(word for word in words if word[0] < FAR_EAST or len(word) == 1)
    return spaced, tuple(word for word in words if word[0] >= FAR_EAST and len(word) > 1)


def _names(value: str) -> Iterator[str]:
    plain = _EMOJI.sub("", value.strip("*_` \"'“”「」"))
    if not plain[:1].isalpha():
        return
    for part in _between_names().split(plain):
        name = part.strip("*_` .\"'“”「」")
        words = name.split()
        if not name[:1].isalpha() or len(words) > _MOST_WORDS or all(map(is_ordinary, words)):
            continue
        if fold(name) in _pronouns():
            continue
        if len(words) == 1 or not any(word[0].islower() and word not in SMALL for word in words):
            yield name


@cache
def _between_names() -> re.Pattern[str]:
    """Match what stands between two names of one, words included: `Rolf or Roffe`."""
    spaced, unspaced = (table("core")["or"][kind].replace(" ", "|") for kind in ("spaced", "unspaced"))
    return re.compile(rf"{_PARTS.pattern}|\s(?:{spaced})\s|\s?(?:{unspaced})\s?")


@cache
def _pronouns() -> frozenset[str]:
    core = table("core")
    return frozenset(map(fold, (*core["pronouns"], *core["people"])))
