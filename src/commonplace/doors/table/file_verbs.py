"""Verbs that read and edit files by path."""

from commonplace.doors.table.common_fields import ALLOW_SECRET
from commonplace.doors.table.verb_fields import Field, Opens, Verb

_PATH = Field(
    "path",
    "path",
    "PATH",
    "a file of the workspace: MEMORY.md, bank/entities/Peter.md; ./ means from where you are",
    required=True,
)
_LINES = Field("text", "exact", "TEXT+", "the lines; - reads standard input, as it is", required=True)
_DIGEST = Field(
    "digest",
    "name",
    "--digest DIGEST",
    "of the file as you saw it; refused when somebody wrote since",
    "refused if changed since",
)
_WRITTEN = {"source": "string", "digest": "string"}

ROWS = (
    Verb(
        "get",
        "lines of a file by citation, as they stand",
        (
            Field(
                "target",
                "path",
                "CITATION",
                "memory/2025-11-27.md#L12, …#L12-L20, or a path alone: the whole file",
                required=True,
            ),
        ),
        answer=".answers.read_answers:get",
        run=".cli.commands:get",
        tool="Read lines by citation (memory/2025-11-27.md#L12-L20) or a file by its path.",
        agent=13,
        output={"source": "string", "text": "string", "digest": "string"},
        read_only=True,
        details="""\
    commonplace get memory/2025-11-27.md#L12
    commonplace get MEMORY.md > copy.md

The text goes to standard output; where it stands and the digest of the file to standard error.""",
    ),
    Verb(
        "append",
        "write lines at the end of a file",
        (_PATH, _LINES, _DIGEST, ALLOW_SECRET),
        answer=".answers.write_answers:append",
        tool="Add whole lines to the end of MEMORY.md, bank/x.md or memory/YYYY-MM-DD.md. For facts, retain.",
        agent=10,
        output=_WRITTEN,
        details="""\
    commonplace append MEMORY.md '- The bicycle code is in the blue notebook.'
    commonplace append bank/entities/Ada.md - < ada.md

A file that is not there is made. Daily logs can be appended to; facts are better retained. Where a file ends in a
Retain section, what is no fact gets a heading of its own, Notes.""",
        opens=Opens.FOLDER,
    ),
    Verb(
        "replace",
        "replace the one occurrence of a text in a file",
        (
            _PATH,
            Field("old", "exact", "OLD", "the words as they stand there now; - reads standard input", required=True),
            Field(
                "new",
                "exact",
                "NEW",
                "what shall stand there; '' takes them away; - reads standard input",
                required=True,
            ),
            _DIGEST,
            ALLOW_SECRET,
        ),
        answer=".answers.write_answers:replace",
        run=".cli.commands:replace",
        tool="Replace old, which must stand exactly once, by new. Logs only grow: use correct.",
        agent=11,
        output=_WRITTEN,
        destructive=True,
        details="""\
    commonplace replace MEMORY.md 'the blue notebook' 'the red notebook'

Where the words stand twice, or not at all, nothing is written and the message names the lines. Not one character
changes beside them. Standard input counts to its last line end: rather printf than echo. Daily logs only grow: say
there what is so with retain, correct or retract.""",
    ),
    Verb(
        "insert",
        "write lines behind a line of a file",
        (
            _PATH,
            _LINES,
            Field("after", "line", "--after N", "the number of that line; 0 is the top", required=True),
            _DIGEST,
            ALLOW_SECRET,
        ),
        answer=".answers.write_answers:insert",
        run=".cli.commands:insert",
        tool="Insert whole lines after a line; 0 is the top.",
        agent=12,
        output=_WRITTEN,
        details="""\
    commonplace insert MEMORY.md '- Tea, not coffee.' --after 3

`core --numbered` shows the numbers of the core's lines, and a citation (MEMORY.md#L3) holds one.""",
    ),
)
