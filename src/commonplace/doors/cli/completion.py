"""Completion scripts for three shells, made from the table of verbs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.doors.table.common_fields import COMMON
from commonplace.doors.table.verb_table import first_words

if TYPE_CHECKING:
    from commonplace.doors.shared.verb_call import Call
    from commonplace.doors.table.verb_fields import Field, Verb

_FILES = ("PATH", "CITATION", "DIR")
"""Words of verbs that name files."""


def completion(call: Call) -> int:
    """Print the completion script for bash, zsh or fish."""
    call.screen.out.write({"bash": _bash, "zsh": _zsh, "fish": _fish}[call.options.shell]())
    return 0


def _flags(verb: Verb) -> list[Field]:
    return [*verb.flags, *COMMON]


def _names_files(verb: Verb) -> bool:
    return any(word.spelled in _FILES for word in verb.words)


def _choices() -> dict[str, str]:
    """Verb and flag -> its choices, space-joined."""
    return {
        f"{verb.name} {flag.spelled}": " ".join(flag.choices)
        for verb in first_words().values()
        for flag in verb.flags
        if flag.choices
    }


def _bash() -> str:
    cases = "\n".join(f'    {verb.name}) words="{" ".join(_words(verb))}" ;;' for verb in first_words().values())
    values = "\n".join(f'    "{name}") words="{choices}" ;;' for name, choices in _choices().items())
    files = " | ".join(verb.name for verb in first_words().values() if _names_files(verb))
    valued = " | ".join(sorted({f.spelled for verb in first_words().values() for f in _flags(verb) if f.metavar}))
    return f"""\
# bash completion for commonplace
_commonplace() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" verb="" words="" skip="" word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    if [[ -n $skip ]]; then skip=""; continue; fi
    case "$word" in
    {valued}) skip=1 ;;
    -*) ;;
    *) verb="$word"; break ;;
    esac
  done
  case "$verb $previous" in
    *" --workspace") COMPREPLY=($(compgen -d -- "$current")); return ;;
{values}
  esac
  if [[ -z $words ]]; then
    case "$verb" in
    "") words="{" ".join(first_words())} {" ".join(flag.spelled for flag in COMMON)} --version" ;;
{cases}
    esac
  fi
  case "$verb" in
    {files}) [[ $current == -* || $previous == -* ]] || words="" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _commonplace commonplace
"""


def _words(verb: Verb) -> list[str]:
    return [choice for word in verb.words for choice in word.choices] + [flag.spelled for flag in _flags(verb)]


def _zsh() -> str:
    verbs = "\n".join(f"    {_quoted(f'{verb.name}:{verb.summary}')}" for verb in first_words().values())
    cases = "\n".join(
        f"    {verb.name}) _arguments -S {' '.join(_zsh_flag(flag) for flag in _flags(verb))}{_zsh_words(verb)} ;;"
        for verb in first_words().values()
    )
    return f"""\
#compdef commonplace
# zsh completion for commonplace
_commonplace() {{
  local -a verbs
  verbs=(
{verbs}
  )
  local verb="${{words[(r)({"|".join(verb.name for verb in first_words().values())})]}}"
  if [[ -z $verb ]]; then
    _arguments -S {" ".join(_zsh_flag(flag) for flag in COMMON)} '*:verb:{{_describe verb verbs}}'
    return
  fi
  case "$verb" in
{cases}
  esac
}}
(( ${{+functions[compdef]}} )) || {{ autoload -Uz compinit && compinit -i }}
compdef _commonplace commonplace
"""


def _zsh_flag(flag: Field) -> str:
    help_text = flag.help.replace("[", "(").replace("]", ")").replace(":", "\\:")
    value = ""
    if flag.metavar:
        action = "_files -/" if flag.spelled == "--workspace" else f"({' '.join(flag.choices)})" if flag.choices else ""
        value = f":{flag.metavar.replace(':', ' ')}:{action}"
    return _quoted(f"{'*' if flag.many else ''}{flag.spelled}[{help_text}]{value}")


def _zsh_words(verb: Verb) -> str:
    choices = [choice for word in verb.words for choice in word.choices]
    shown = f"({' '.join(choices)})" if choices else "_files" if _names_files(verb) else ""
    return " " + _quoted(f"*:{verb.words[0].spelled}:{shown}") if shown else ""


def _fish() -> str:
    names = " ".join(verb.name for verb in first_words().values())
    lines = ["# fish completion for commonplace", "complete -c commonplace -f"]
    lines += [_fish_flag(flag, "") for flag in COMMON]
    for verb in first_words().values():
        unasked = f"not __fish_seen_subcommand_from {names}"
        lines.append(f"complete -c commonplace -n {_quoted(unasked)} -a {verb.name} -d {_quoted(verb.summary)}")
        asked = f" -n {_quoted(f'__fish_seen_subcommand_from {verb.name}')}"
        lines += [_fish_flag(flag, asked) for flag in verb.flags]
        choices = [choice for word in verb.words for choice in word.choices]
        lines += [f"complete -c commonplace{asked} -a {_quoted(' '.join(choices))}"] if choices else []
        lines += [f"complete -c commonplace{asked} -F"] if _names_files(verb) else []
    return "\n".join(lines) + "\n"


def _fish_flag(flag: Field, when: str) -> str:
    value = ""
    if flag.metavar:
        folder = " -a '(__fish_complete_directories)'" if flag.spelled == "--workspace" else ""
        value = " -x" + (f" -a {_quoted(' '.join(flag.choices))}" if flag.choices else folder)
    return f"complete -c commonplace{when} -l {flag.spelled.removeprefix('--')}{value} -d {_quoted(flag.help)}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
