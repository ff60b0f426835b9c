"""The table of verbs: the parser, help, completion, tools, the worker and the docs are made from it.

To add a verb, add a row to a module of this room and write the function that its `answer` names. Law: all that models
are told of their tools costs at most 2,500 tokens, and 40 more where a fleet is on (tests/doors/tools/test_tools.py).
"""

from commonplace.doors.table import (
    fact_verbs,
    file_verbs,
    fleet_verbs,
    host_verbs,
    model_verbs,
    recall_verbs,
    reflect_verbs,
    semantic_verbs,
    upkeep_verbs,
)
from commonplace.doors.table.verb_fields import Field, Verb

_ROWS = (
    *recall_verbs.ROWS,
    *fact_verbs.ROWS,
    *reflect_verbs.ROWS,
    *file_verbs.ROWS,
    *upkeep_verbs.ROWS,
    *semantic_verbs.ROWS,
    *model_verbs.ROWS,
    *fleet_verbs.ROWS,
    *host_verbs.ROWS,
)
VERBS = {verb.name: verb for verb in _ROWS}
"""Every verb, by its name; the command line has those with a summary, programs those with a `tool` text."""


def commands() -> dict[str, Verb]:
    """The verbs of the command line, by name."""
    return {name: verb for name, verb in VERBS.items() if verb.summary}


def programs() -> dict[str, Verb]:
    """The verbs that programs can call, by key."""
    return {verb.key: verb for verb in VERBS.values() if verb.tool}


def first_words() -> dict[str, Verb]:
    """Verbs by the first word of their names; sub-verbs as one verb, which takes their second words and all flags."""
    found: dict[str, Verb] = {}
    for name, verb in commands().items():
        first, _, second = name.partition(" ")
        if second:
            group = found.get(first, Verb(first, f"see commonplace {first} --help", (Field("verb", shell="VERB"),)))
            (which, *flags) = group.fields
            choices = (*which.choices, second)
            which = which._replace(choices=choices, help=f"one of {', '.join(choices)}")
            flags += [flag for flag in verb.flags if flag.spelled not in {each.spelled for each in flags}]
            found[first] = group._replace(fields=(which, *flags))
        else:
            found[first] = verb
    return found
