"""Command-line words to options, and help, both straight from the table of verbs.

Flags of every verb may stand before or after it; every mistake is a `UsageError` that names what was probably meant.
argparse could do most of it, at 5 ms a call with its translations: a tenth of what a cold recall may take.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

from commonplace.doors.table.verb_table import BY_NAME, COMMON, VERBS, Flag, Positional, Verb
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

VERSION = Flag("--version", "show the version and stop")
_ALL = "commonplace --help lists all"
_HELP = "help"


def arguments(argv: Sequence[str]) -> tuple[Verb | None, SimpleNamespace]:
    """The verb of `argv` (None when only help or the version was asked for) and everything it was given.

    Options are named as flags and words are, in lower case with underscores: None, a text or True; a list for what
    may be given several times. Raises UsageError for unknown verbs and flags, and for values that are missing.
    """
    place = _verb_place(argv)
    if place is None:
        options, words = _flags(argv, (*COMMON, VERSION), None)
        if not (options.help or options.version):
            raise UsageError("no verb was given", f"commonplace recall 'where is Peter?' is one; {_ALL}")
        return None, options
    verb = BY_NAME.get(argv[place])
    if verb is None:
        if argv[place] == _HELP:
            return _asked_about(argv[place + 1 :])
        raise UsageError(f"there is no verb {argv[place]!r}", meant(argv[place], BY_NAME, _ALL))
    rest = [*argv[:place], *argv[place + 1 :]]
    dashes = rest.index("--") if "--" in rest else len(rest)
    if {"--help", "-h"} & set(rest[:dashes]):
        return verb, SimpleNamespace(help=True)
    options, words = _flags(rest[:dashes], (*verb.flags, *COMMON), verb)
    _take(verb, [*words, *rest[dashes + 1 :]], options)
    return verb, options


def _asked_about(words: Sequence[str]) -> tuple[Verb | None, SimpleNamespace]:
    """What `help` and `help VERB` show, as in other programs: the same as `--help` does."""
    name = next((word for word in words if not word.startswith("-")), "")
    if name and name not in BY_NAME:
        raise UsageError(f"there is no verb {name!r}", meant(name, BY_NAME, _ALL))
    return BY_NAME.get(name), SimpleNamespace(help=True)


def named(argv: Sequence[str]) -> str:
    """The word that stands where a verb is expected; empty when none does."""
    place = _verb_place(argv)
    return "" if place is None else argv[place]


def _verb_place(argv: Sequence[str]) -> int | None:
    """Where the verb stands: the first word that is neither a flag nor a flag's value."""
    valued = {flag.name for verb in VERBS for flag in verb.flags if flag.metavar}
    valued.update(flag.name for flag in COMMON if flag.metavar)
    skip = False
    for place, word in enumerate(argv):
        if skip:
            skip = False
        elif word.startswith("-") and word != "-":
            skip = word in valued
        else:
            return place
    return None


def _flags(given: Sequence[str], known: tuple[Flag, ...], verb: Verb | None) -> tuple[SimpleNamespace, list[str]]:
    """The flags, and the words between them."""
    by_name = {flag.name: flag for flag in known}
    found: dict[str, object] = {_key(flag.name): [] if flag.many else None if flag.metavar else False for flag in known}
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
            found[_key(name)] = True
        else:
            text = value if equals else next(rest, None)
            if text is None or (not equals and text.partition("=")[0] in by_name):
                raise UsageError(f"{name} needs a value", f"{name} {flag.metavar}: {flag.help}")
            held = found[_key(name)]
            found[_key(name)] = [*held, text] if isinstance(held, list) else text
    return SimpleNamespace(**found), words


def _take(verb: Verb, given: list[str], options: SimpleNamespace) -> None:
    """Hand the words that are no flags to the verb's positional arguments."""
    for word in verb.words:
        taken = given if word.nargs in ("*", "+") else given[:1]
        given = given[len(taken) :]
        if not taken and word.nargs in ("", "+"):
            raise UsageError(f"{verb.name} needs {word.name}: {word.help}", f"see: commonplace {verb.name} --help")
        if word.choices and taken[0] not in word.choices:
            hint = meant(taken[0], word.choices, f"choose from {', '.join(word.choices)}")
            raise UsageError(f"there is no {word.name.lower()} {taken[0]!r}", hint)
        many = word.nargs in ("*", "+")
        setattr(options, _key(word.name), taken if many else taken[0] if taken else None)
    if given:
        hint = "quote a text of several words" if verb.words else f"see: commonplace {verb.name} --help"
        raise UsageError(f"{verb.name} takes no further word {given[0]!r}", hint)


def _key(name: str) -> str:
    return name.removeprefix("--").replace("-", "_").lower()


def _is_flag(word: str) -> bool:
    """Whether a word was meant as a flag: not `-` alone, no number, no sentence."""
    return word.startswith("-") and word != "-" and " " not in word and not word[1:].replace(".", "").isdecimal()


def _unknown(name: str, verb: Verb | None) -> UsageError:
    known = [flag.name for flag in (*(verb.flags if verb else (VERSION,)), *COMMON)]
    owners = [each.name for each in VERBS if any(flag.name == name for flag in each.flags)]
    where = f"{verb.name} takes" if verb else "there is"
    if owners:
        named = " and ".join(filter(None, (", ".join(owners[:-1]), owners[-1])))
        return UsageError(f"{where} no flag {name}", f"it belongs to {named}")
    otherwise = f"see: commonplace {verb.name} --help" if verb else "see: commonplace --help"
    if verb and any(each.nargs in ("*", "+") for each in verb.words):
        otherwise = f"if it belongs to the text, put -- before the text: commonplace {verb.name} -- {name!r}"
    return UsageError(f"{where} no flag {name}", meant(name, known, otherwise))


def meant(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """A hint that names the nearest of the known words; `otherwise` when none is near."""
    import difflib

    near = difflib.get_close_matches(word.casefold(), list(known), n=2, cutoff=0.55)
    return f"did you mean {' or '.join(near)}?" if near else otherwise


def help_text(verb: Verb | None = None) -> str:
    """The help of one verb, or of the program."""
    if verb is None:
        common = (*COMMON, VERSION)
        parts = [
            "usage: commonplace [FLAGS] VERB …",
            "A folder of Markdown as a memory: retain, recall, reflect.",
            _rows("every day:", [(each.name, each.summary) for each in VERBS if each.everyday]),
            _rows("also:", [(each.name, each.summary) for each in VERBS if not each.everyday]),
            _rows("flags of every verb, before or after it:", [(_spelled(flag), flag.help) for flag in common]),
            "commonplace VERB --help says more.",
        ]
    else:
        words = "".join(f" {_shape(word)}" for word in verb.words)
        parts = [
            f"usage: commonplace {verb.name} [FLAGS]{words}",
            f"{verb.summary[0].upper()}{verb.summary[1:]}.",
            _rows("words:", [(word.name, word.help) for word in verb.words]),
            _rows("flags:", [(_spelled(flag), _told(flag)) for flag in verb.flags]),
            f"flags of every verb: {' '.join(flag.name for flag in COMMON)} (see commonplace --help)",
            verb.details,
        ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _rows(title: str, rows: list[tuple[str, str]]) -> str:
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join([title, *(f"  {name:{width}}  {told}" for name, told in rows)]) if rows else ""


def _spelled(flag: Flag) -> str:
    return f"{flag.name} {flag.metavar}" if flag.metavar else flag.name


def _told(flag: Flag) -> str:
    return f"{flag.help}; may be repeated" if flag.many else flag.help


def _shape(word: Positional) -> str:
    return {"": "{}", "?": "[{}]", "*": "[{} …]", "+": "{} …"}[word.nargs].format(word.name)
