"""Verbs that read and edit files by path."""

from commonplace.doors.table.common_fields import ALLOW_SECRET
from commonplace.doors.table.verb_fields import Field, Opens, Verb

_PATH = Field(
    "path",
    "path",
    "PATH",
    "a file of the workspace: MEMORY.md, bank/entities/Peter.md; ./ is the current folder",
    required=True,
)
_LINES = Field("text", "exact", "TEXT+", "the lines; - reads standard input unchanged", required=True)
_DIGEST = Field(
    "digest",
    "name",
    "--digest DIGEST",
    "digest of the file when you read it; the write is refused if it changed since",
    "refused if changed since",
)
_WRITTEN = {"source": "string", "digest": "string"}

ROWS = (
    Verb(
        "get",
        "print lines of a file by citation",
        (
            Field(
                "target",
                "path",
                "CITATION",
                "memory/2025-11-27.md#L12, …#L12-L20, or a path for the whole file",
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

The text goes to standard output; its lines and the digest of the file go to standard error.""",
        tried=("cat", "open", "read", "view"),
    ),
    Verb(
        "append",
        "add lines at the end of a file",
        (_PATH, _LINES, _DIGEST, ALLOW_SECRET),
        answer=".answers.write_answers:append",
        tool="Add whole lines to the end of MEMORY.md, bank/x.md or memory/YYYY-MM-DD.md. For facts, retain.",
        agent=10,
        output=_WRITTEN,
        details="""\
    commonplace append MEMORY.md '- The bicycle code is in the blue notebook.'
    commonplace append bank/entities/Ada.md - < ada.md

A missing file is created. It also works for daily logs; for facts use retain. If a file ends in a Retain section,
lines that are not facts get their own heading, Notes.""",
        opens=Opens.FOLDER,
    ),
    Verb(
        "replace",
        "replace a text that occurs once in a file",
        (
            _PATH,
            Field("old", "exact", "OLD", "the text that is there now; - reads standard input", required=True),
            Field(
                "new",
                "exact",
                "NEW",
                "the new text; '' deletes the old one; - reads standard input",
                required=True,
            ),
            _DIGEST,
            ALLOW_SECRET,
        ),
        answer=".answers.write_answers:replace",
        run=".cli.commands:replace",
        tool="Replace old, which must occur exactly once, with new. Logs only grow: use correct.",
        agent=11,
        output=_WRITTEN,
        destructive=True,
        details="""\
    commonplace replace MEMORY.md 'the blue notebook' 'the red notebook'

If the text occurs twice, or not at all, nothing is written and the message names the lines. No other character
changes. Standard input is used with its last line end: use printf rather than echo. Daily logs only grow: use
retain, correct or retract there.""",
    ),
    Verb(
        "insert",
        "insert lines after a line of a file",
        (
            _PATH,
            _LINES,
            Field("after", "line", "--after N", "the number of that line; 0 is the top of the file", required=True),
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

`core --numbered` shows the line numbers of the core; a citation (MEMORY.md#L3) also contains one.""",
    ),
)
