"""Command-line words to a `Namespace`, and help: argparse fed from the table of verbs.

Only the asked verb's parser is built, and flags of every verb may stand before or after it. Every mistake is a
`UsageError` that names what was probably meant.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NoReturn

from commonplace.doors.verbs import BY_NAME, COMMON, VERBS, Flag, Verb
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH = 100
"""Columns of help: fixed, so that docs/cli.md does not depend on who builds it."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message.removeprefix("argument "), f"see: {self.prog} --help")


def arguments(argv: Sequence[str]) -> tuple[Verb | None, argparse.Namespace]:
    """The verb of `argv` (None when only help or the version was asked for) and everything it was given.

    Raises UsageError for an unknown verb or flag, a missing value and a value that is none of the choices.
    """
    place = _verb_place(argv)
    if place is None:
        options, rest = _build(None).parse_known_args(argv)
        if rest:
            raise _unknown_flag(rest[0], None)
        if not (options.help or options.version):
            raise UsageError("which verb?", "commonplace --help lists them")
        return None, options
    verb = BY_NAME.get(argv[place])
    if verb is None:
        raise UsageError(
            f"there is no verb {argv[place]!r}", meant(argv[place], BY_NAME, "commonplace --help lists them")
        )
    rest = [*argv[:place], *argv[place + 1 :]]
    dashes = rest.index("--") if "--" in rest else len(rest)
    rest, text = rest[:dashes], rest[dashes + 1 :]
    if "--help" in rest or "-h" in rest:
        return verb, argparse.Namespace(help=True)
    options, words = _build(verb, words=False).parse_known_args(rest)
    for word in words:
        if word.startswith("-") and word != "-" and " " not in word and not word[1:].replace(".", "").isdigit():
            raise _unknown_flag(word, verb)
    _take(verb, [*words, *text], options)
    return verb, options


def _take(verb: Verb, given: list[str], options: argparse.Namespace) -> None:
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
        setattr(options, word.name.lower(), taken if many else taken[0] if taken else None)
    if given:
        raise UsageError(
            f"{verb.name} takes no further word {given[0]!r}",
            "quote a text of several words" if verb.words else f"see: commonplace {verb.name} --help",
        )


def help_text(verb: Verb | None = None) -> str:
    """The help of one verb, or of the program."""
    if verb is not None:
        return _build(verb).format_help()
    width = max(len(each.name) for each in VERBS)
    lines = ["usage: commonplace [FLAGS] VERB …", "", "A folder of Markdown as a memory: retain, recall, reflect.", ""]
    for title, everyday in (("every day:", True), ("also:", False)):
        lines += [title, *(f"  {each.name:{width}}  {each.summary}" for each in VERBS if each.everyday is everyday), ""]
    lines.append("flags of every verb, before or after it:")
    width = max(len(_spelled(flag)) for flag in COMMON)
    lines += [f"  {_spelled(flag):{width}}  {flag.help}" for flag in COMMON]
    lines += [f"  {'--version':{width}}  show the version and stop", "", "commonplace VERB --help says more."]
    return "\n".join(lines) + "\n"


def _spelled(flag: Flag) -> str:
    return f"{flag.name} {flag.metavar}" if flag.metavar else flag.name


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


def _formatter(prog: str) -> argparse.HelpFormatter:
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=28, width=WIDTH)


def _build(verb: Verb | None, *, words: bool = True) -> _Parser:
    """A parser for one verb, or for the flags that may stand alone; its words are only for help, see `_take`."""
    takes = " ".join(_SHAPES[word.nargs].format(word.name) for word in verb.words) if verb else "VERB …"
    common = f"flags of every verb: {' '.join(flag.name for flag in COMMON)} (see commonplace --help)"
    parser = _Parser(
        prog=f"commonplace {verb.name}" if verb else "commonplace",
        usage=f"%(prog)s [FLAGS] {takes}".rstrip(),
        description=verb.summary[0].upper() + verb.summary[1:] + "." if verb else None,
        epilog="\n\n".join(filter(None, (common, verb.details))) if verb else None,
        formatter_class=_formatter,
        allow_abbrev=False,
        add_help=False,
    )
    for word in verb.words if verb and words else ():
        parser.add_argument(word.name, help=word.help)
    own = parser.add_argument_group("flags")
    for flag in verb.flags if verb else ():
        _add(own, flag, flag.help)
    for flag in COMMON:
        _add(own, flag, argparse.SUPPRESS)
    if verb is None:
        parser.add_argument("--version", action="store_true")
    return parser


_SHAPES = {"": "{}", "?": "[{}]", "*": "[{} …]", "+": "{} …"}


def _add(parser: argparse._ActionsContainer, flag: Flag, told: str) -> None:
    names = (flag.name, "-h") if flag.name == "--help" else (flag.name,)
    if not flag.metavar:
        parser.add_argument(*names, action="store_true", help=told)
    elif flag.many:
        parser.add_argument(*names, action="append", default=[], metavar=flag.metavar, help=told)
    else:
        parser.add_argument(*names, metavar=flag.metavar, help=told)


def _unknown_flag(word: str, verb: Verb | None) -> UsageError:
    name = word.partition("=")[0]
    known = [flag.name for flag in (*(verb.flags if verb else ()), *COMMON)]
    owners = [each.name for each in VERBS if any(flag.name == name for flag in each.flags)]
    where = f"{verb.name} takes" if verb else "there is"
    if owners:
        return UsageError(f"{where} no flag {name}", f"it belongs to {' and '.join(owners)}")
    otherwise = f"see: commonplace {verb.name} --help" if verb else "see: commonplace --help"
    if verb and any(each.nargs in ("*", "+") for each in verb.words):
        otherwise = f"if it belongs to the text, put -- before the text: commonplace {verb.name} -- {word!r}"
    return UsageError(f"{where} no flag {name}", meant(name, known, otherwise))


def meant(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """A hint that names the nearest of the known words; `otherwise` when none is near."""
    import difflib

    near = difflib.get_close_matches(word.casefold(), list(known), n=2, cutoff=0.55)
    return f"did you mean {' or '.join(near)}?" if near else otherwise
