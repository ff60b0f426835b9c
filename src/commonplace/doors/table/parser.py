"""Parses command-line words, and renders help, from the table of verbs.

Flags of every verb may stand before or after it; every mistake is a `UsageError` that names what was probably meant.
argparse could do most of it, at 5 ms a call with its translations: a tenth of what a cold recall may take.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

from commonplace.doors.table.common_fields import COMMON
from commonplace.doors.table.verb_fields import Field, Verb
from commonplace.doors.table.verb_table import VERBS, commands, first_words
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

VERSION = Field("version", shell="--version", help="show the version and exit")
_ALL = "commonplace --help lists all"
_HELP = "help"


def arguments(argv: Sequence[str]) -> tuple[Verb | None, SimpleNamespace]:
    """The verb of `argv` (None when only help or the version was asked for) and everything it was given.

    Options are named as fields are: None, a text or True; a list for what may be given several times. Raises UsageError
    for unknown verbs and flags, and for values that are missing.
    """
    places = _verb_places(argv)
    if not places:
        options, words = _flags(argv, (*COMMON, VERSION), verb=None)
        if not (options.help or options.version):
            raise UsageError("no verb was given", f"example: commonplace recall 'where is Peter?'; {_ALL}")
        return None, options
    names = [argv[place] for place in places]
    if names[0] == _HELP:
        asked = [word for word in argv[places[0] + 1 :] if not word.startswith("-")]
        return _verb(asked) if asked else None, SimpleNamespace(help=True)
    verb = _verb(names)
    taken = places[: verb.name.count(" ") + 1]
    rest = [word for place, word in enumerate(argv) if place not in taken]
    dashes = rest.index("--") if "--" in rest else len(rest)
    if {"--help", "-h"} & set(rest[:dashes]):
        return verb, SimpleNamespace(help=True)
    options, words = _flags(rest[:dashes], (*verb.flags, *COMMON), verb=verb)
    _take(verb, [*words, *rest[dashes + 1 :]], options=options)
    return verb, options


def _verb(names: Sequence[str]) -> Verb:
    """The verb of the first one or two words; the group of sub-verbs where the second is none of them."""
    found = commands().get(" ".join(names[:2])) or first_words().get(names[0])
    if found is None:
        same = [verb.name for verb in commands().values() if names[0].casefold() in verb.tried]
        hint = f"did you mean {' or '.join(same)}?" if same else meant(names[0], first_words(), otherwise=_ALL)
        raise UsageError(f"unknown verb {names[0]!r}", hint)
    return found


def named(argv: Sequence[str]) -> str:
    """The first word that may be a verb; empty if there is none."""
    return "".join(argv[place] for place in _verb_places(argv)[:1])


def _verb_places(argv: Sequence[str]) -> list[int]:
    """Positions of the first two words that are neither flags nor values of flags; before `--` only."""
    valued = {flag.spelled for verb in VERBS.values() for flag in verb.flags if flag.metavar}
    valued.update(flag.spelled for flag in COMMON if flag.metavar)
    skip = False
    found: list[int] = []
    for place, word in enumerate(argv):
        if word == "--" and found:
            break
        if skip:
            skip = False
        elif word.startswith("-") and word != "-":
            skip = word in valued
        else:
            found.append(place)
    return found[:2]


def _flags(given: Sequence[str], known: tuple[Field, ...], *, verb: Verb | None) -> tuple[SimpleNamespace, list[str]]:
    """The options, and the remaining words."""
    by_name = {flag.spelled: flag for flag in known}
    found: dict[str, object] = {flag.name: [] if flag.many else None if flag.metavar else False for flag in known}
    words: list[str] = []
    rest = iter(given)
    for word in rest:
        name, equals, value = ("--help" if word == "-h" else word).partition("=")
        flag = by_name.get(name)
        if flag is None:
            if _is_flag(name):
                raise _unknown(name, verb)
            words.append(word)
        elif not flag.metavar:
            if equals:
                raise UsageError(f"{name} takes no value", f"leave out {equals}{value}")
            found[flag.name] = True
        else:
            text = value if equals else next(rest, None)
            if text is None or (not equals and text.partition("=")[0] in by_name):
                raise UsageError(f"{name} needs a value", f"{name} {flag.metavar}: {flag.help}")
            held = found[flag.name]
            found[flag.name] = [*held, text] if isinstance(held, list) else text
    return SimpleNamespace(**found), words


def _take(verb: Verb, given: list[str], *, options: SimpleNamespace) -> None:
    """Assign the words to the verb's positional fields. Raises UsageError."""
    before = ""
    for word in verb.words:
        taken = given if word.many else given[:1]
        given = given[len(taken) :]
        if not taken and word.needed:
            needs = f"{verb.name} needs {word.spelled}{before}: {word.help}"
            raise UsageError(needs, f"see: commonplace {verb.name} --help")
        before = f" after {word.spelled}, which here is {taken[0]!r}" if taken else ""
        if word.choices and taken[0] not in word.choices:
            hint = meant(taken[0], word.choices, otherwise=f"choose from {', '.join(word.choices)}")
            raise UsageError(f"there is no {word.spelled.lower()} {taken[0]!r}", hint)
        setattr(options, word.name, taken if word.many else taken[0] if taken else None)
    if given:
        hint = "quote a text of several words" if verb.words else f"see: commonplace {verb.name} --help"
        raise UsageError(f"{verb.name} takes no further word: {given[0]!r}", hint)


def _is_flag(word: str) -> bool:
    """Whether a word looks like a flag: not `-` alone, a number or a sentence."""
    return word.startswith("-") and word != "-" and " " not in word and not word[1:].replace(".", "").isdecimal()


def _unknown(name: str, verb: Verb | None) -> UsageError:
    flags = (*(verb.flags if verb else ()), *COMMON)
    known = [flag.spelled for flag in (*flags, *(() if verb else (VERSION,)))]
    where = f"{verb.name} takes" if verb else "there is"
    may_be_text = verb is not None and any(each.many for each in verb.words) and not name.startswith("--")
    if not may_be_text and (same := [flag.spelled for flag in flags if name in flag.tried]):
        return UsageError(f"{where} no flag {name}", f"did you mean {' or '.join(same)}?")
    if name[2:] in commands():
        return UsageError(f"{where} no flag {name}", f"it is a verb: commonplace {name[2:]}")
    owners = [each.name for each in VERBS.values() if any(flag.spelled == name for flag in each.flags)]
    if owners:
        named = " and ".join(filter(None, (", ".join(owners[:-1]), owners[-1])))
        return UsageError(f"{where} no flag {name}", f"it belongs to {named}")
    otherwise = f"see: commonplace {verb.name} --help" if verb else "see: commonplace --help"
    if verb and any(each.many for each in verb.words):
        otherwise = f"if it belongs to the text, put -- before the text: commonplace {verb.name} -- {name!r}"
    return UsageError(f"{where} no flag {name}", meant(name, known, otherwise=otherwise))


def meant(word: str, known: Iterable[str], *, otherwise: str = "") -> str:
    """A hint that names the most similar known words; `otherwise` if none is similar."""
    import difflib

    near = difflib.get_close_matches(word.casefold(), list(known), n=2, cutoff=0.55)
    return f"did you mean {' or '.join(near)}?" if near else otherwise


def help_text(verb: Verb | None = None) -> str:
    """The help of one verb, or of the program."""
    if verb is None:
        common, known = (*COMMON, VERSION), commands().values()
        everyday = sorted((each for each in known if each.everyday), key=lambda each: each.everyday)
        parts = [
            "usage: commonplace [FLAGS] VERB …",
            "A folder of Markdown as a memory: retain, recall, reflect.",
            _rows("every day:", [(each.name, each.summary) for each in everyday]),
            _rows("also:", [(each.name, each.summary) for each in known if not each.everyday]),
            _rows("flags of every verb, before or after it:", [(flag.shell, flag.help) for flag in common]),
            "More: commonplace VERB --help.",
        ]
    else:
        words = "".join(f" {_shape(word)}" for word in verb.words)
        parts = [
            f"usage: commonplace {verb.name} [FLAGS]{words}",
            f"{verb.summary[0].upper()}{verb.summary[1:]}.",
            _rows("words:", [(word.spelled, word.help) for word in verb.words]),
            _rows("flags:", [(flag.shell, _told(flag)) for flag in verb.flags]),
            f"flags of every verb: {' '.join(flag.spelled for flag in COMMON)} (see commonplace --help)",
            verb.details,
        ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _rows(title: str, rows: list[tuple[str, str]]) -> str:
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join([title, *(f"  {name:{width}}  {told}" for name, told in rows)]) if rows else ""


def _told(flag: Field) -> str:
    return f"{flag.help}; may be repeated" if flag.many else flag.help


def _shape(word: Field) -> str:
    shown = word.spelled + " …" * word.many
    return shown if word.needed else f"[{shown}]"
