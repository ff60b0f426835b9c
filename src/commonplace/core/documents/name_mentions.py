"""The entities that a line mentions: who says it, and whom it links to."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import takewhile

from commonplace.core.tables import table
from commonplace.core.text.known_languages import UNSPACED, identify
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.text.normalize import FAR_EAST, fold

_MENTION = lazy_pattern(
    r"\[\[(?:[^\[\]|#]{0,200}/)?([^\[\]|#/]{1,120})(?:[|#][^\[\]]{0,200})?\]\]"
    r"|(?<![\w@.+/-])@([^\W\d_][\w\u0900-\u0963-]{0,80}(?:\.[a-z\d_][\w-]{0,80}){0,4})"
)
"""A link, or a name after `@`: points may be within it, as in handles, before small Latin letters and digits.
The signs of Hindi vowels are letters here."""
_NO_NAME = lazy_pattern(r"reply_to(?:_current|:.*)?|audio_as_voice|\d{4}-W?\d\d(?:-\d\d)?")
"""What no name is in double brackets: what OpenClaw's models write before an answer, an order to the host (its
documentation), and the note of a day, week or month.
"""
_MOST_HEAD = 60
_QUOTES = frozenset('"“”„«「『‘')
"""What opens what somebody says."""
_MOST_NAMES = 3
_LABEL = lazy_pattern(r"[^:：]{1,40}[:：](?=\W*\w)")
"""A label with something behind it."""
_BEHIND_WORDS = lazy_pattern(r"[,.;:(（，。；、]")
"""What ends a name within a sentence."""
_BEHIND_NAME = lazy_pattern(r"\s?[(（<].*")
"""What stands behind a name that is said alone: its address, a day."""
_IN_BRACKETS = lazy_pattern(r"[(（]([^(),:：，、]{2,40})[,，、]")
"""The first of several things in brackets."""
_FEWEST_WORDS = 3
"""Spaces in the first cell of a row and its longest, from which that tells who somebody is."""


def mentions(text: str) -> tuple[str, ...]:
    """Return the entities that a text links to, `[[Peter]]` and `@Peter`, each once."""
    at, link = text.find("@"), text.find("[[")
    if at < 0 and link < 0:
        return ()
    first = max(at, link) if at < 0 or link < 0 else min(at, link)
    names = ((found[1] or found[2]).strip().removesuffix(".md").strip() for found in _MENTION.finditer(text, first))
    return tuple(dict.fromkeys(name for name in names if name and not _NO_NAME.fullmatch(name)))


def said_by(text: str) -> str:
    """Return who may say a chat line, `Name: text` or `handle: text`, or empty; labels of fields (`Decision: …`) are no
    speakers. Whether it is a speaker, the rest of the document tells."""
    if not text[:1].isalpha() and text[:2] != "**":
        return ""
    at, wide = text.find(":", 0, 60), -1 if text.isascii() else text.find("：", 0, 60)
    if 0 < wide < at or at <= 0:
        at = wide
    if at <= 0:
        return ""
    name = text[:at].strip("* ")
    if not _is_speaker(name):
        return ""
    said = text[at + 1 :]
    return "" if not said.strip("* ") or (text[at] == ":" and not said.lstrip("*")[:1].isspace()) else name


@lru_cache(maxsize=1024)
def _is_speaker(label: str) -> bool:
    """Whether a label is a name or a handle, not a field's; cached, because a log has the same few again and again."""
    return _is_name(label) and label.casefold() not in _labels()


def is_handle(label: str) -> bool:
    """Whether a label is in small letters, as people are called in chats: `elise`, `bob_42`. Most fields are, too."""
    return label[:1].islower()


def _like_a_handle(label: str) -> bool:
    like_one = is_handle(label) and len(label) > 1 and _is_of_name_letters(label)  # but `q` and `a` are no people
    return like_one and max(label) < FAR_EAST


def introduced(text: str) -> tuple[str, str]:
    """Return whom a line introduces, and in which words: `Marek – welder`, `**何老师**：顾问`, `美咲（みさき）：通訳`,
    `सीमा वकील है`, `Our welder is Marek`; else empty texts. A label with nothing behind it introduces nobody, nor do
    words in quotation marks behind a name, which somebody says, nor a row that says how a task stands."""
    if text[:1] == "|":  # a row of a table tells of its first cell, in words
        first, *others = (each.strip() for each in text.strip("| ").split("|"))
        text = f"{first}: {max(others, key=len, default='')}"
        if text.count(" ") < _FEWEST_WORDS or not _states().isdisjoint(fold(each.strip("*_`")) for each in others):
            return "", ""
    if said := _somebodys().match(text):
        words = _BEHIND_WORDS.split(text[said.end() :], maxsplit=1)[0].split(" ")[:_MOST_NAMES]
        if name := " ".join(takewhile(_like_a_name, words)):
            return name, said[0]
    head = text[:_MOST_HEAD]
    ends = [(at, sign) for sign in table("pages")["introduces"] if (at := head.find(sign)) > 0]
    at, sign = min(ends, default=(0, ""))
    name, told = head[:at].strip("* "), text[at + len(sign) :].strip("* ")
    if not name and text.partition("।")[0].endswith(tuple(table("pages")["is"]["hi"])):
        name, _, told = text.partition(" ")  # there the verb stands at the end
    if not _is_name(name) or not told or told[0] in _QUOTES:
        return "", ""
    return ("", "") if _nobody(identify(text).code).issuperset(map(fold, name.split(" "))) else (name, told)


def named_alone(text: str) -> str:
    """Return the name that is all of a text: `### Marek`, `**Marek**`, `Marek Lind (1980)`; else an empty text."""
    name = "" if text[:1] == "|" else _BEHIND_NAME.sub("", text).strip("#*_` ")
    return name if name and _is_name(name) else ""


def named_behind_label(text: str) -> str:
    """Return the name that is all that stands behind a label: `Welder: Marek Lind (marek@example.org)`; else an empty
    text."""
    label = _LABEL.match(text)
    return named_alone(text[label.end() :]) if label else ""


def named_in_brackets(text: str) -> str:
    """Return the name with which brackets begin that tell more of it: `Acme (Jane Doe, CFO): …`; else an empty text, as
    of a list: `Rooms (Oslo, Bergen)`."""
    found = _IN_BRACKETS.search(text[:_MOST_HEAD])
    if not found or not _is_name(found[1]):
        return ""
    behind = text[found.end() :].lstrip()
    return "" if behind[:1].isupper() and behind[1:2].islower() else found[1]


def _is_name(text: str) -> bool:
    """Whether a text is a name or a handle by its shape."""
    words = text.split(" ")
    return len(words) <= _MOST_NAMES and (all(map(_like_a_name, words)) or _like_a_handle(text))


def _like_a_name(word: str) -> bool:
    """Whether a word can be part of a name: capitalised in Latin; short in scripts without spaces between words."""
    if not word or not word[0].isalpha():
        return False
    if word[0] >= "\u3000":
        return len(word) <= (6 if "\u3041" <= word[0] <= "\u30ff" else 4) and min(word) >= "\u3041"
    if word[0].isascii() or word[0].isupper() or word[0].islower():
        return word[0].isupper() and _is_of_name_letters(word)
    return len(word) <= 30


def _is_of_name_letters(word: str) -> bool:
    return len(word) <= 30 and all(each.isalnum() or each in ".'’-_" for each in word)


@cache
def _somebodys() -> re.Pattern[str]:
    """What stands before the name of one who is somebody's: `Our welder is`, `My welder, `."""
    known = table("pages")
    ours = "|".join(word for words in known["ours"].values() for word in words)
    verbs = "|".join(re.escape(verb.rstrip()) for verbs in known["is"].values() for verb in verbs)
    return re.compile(rf"(?:{ours})[^:：,.，。]{{1,40}}?(?:,|{verbs}| [–—-])\s?(?=\w)")


@cache
def _nobody(language: str) -> frozenset[str]:
    """Pronouns of a language, and words for moments; in one without spaces a few signs do not tell which it is."""
    languages = UNSPACED if language in UNSPACED else (language,)
    return frozenset(fold(word) for code in languages for word in table("pages")["nobody"][code].split())


@cache
def _states() -> frozenset[str]:
    """Cells of tables that say how a task stands."""
    words = [word for key in ("states", "done") for each in table("tasks")[key].values() for word in each]
    return frozenset(map(fold, (*words, *table("pages")["ahead"])))


@cache
def _labels() -> frozenset[str]:
    """Words before a colon that are labels of fields, not speakers."""
    return frozenset(word for key, words in table("labels").items() if key != "provenance" for word in words)
