"""Verbs of the workspace and its index: make, check, repair."""

from commonplace.doors.table.verb_fields import Field, Opens, Verb

ROWS = (
    Verb(
        "init",
        "make a workspace: create what is missing, touch nothing that is there",
        (
            Field(
                "dir", shell="DIR?", help="the folder; . means this one (default: the workspace that other verbs take)"
            ),
        ),
        answer=".answers.write_answers:init",
        run=".cli.commands:init",
        tool="Make the workspace: what is missing is created, what is there stays.",
        idempotent=True,
        everyday=1,
        opens=Opens.FOLDER,
    ),
    Verb(
        "status",
        "what is in the workspace, and how fresh the index is",
        answer=".answers.read_answers:status",
        tool="What is in the workspace, and how fresh the index is.",
        read_only=True,
        everyday=6,
    ),
    Verb(
        "check",
        "list every problem in the Markdown, with its place and what to do",
        answer=".answers.read_answers:check",
        tool="Every problem in the Markdown.",
        read_only=True,
        details="The exit status is 1 when there are problems.",
        everyday=5,
    ),
    Verb(
        "doctor",
        "look everything over, say what is wrong and what to do; --fix mends what is safe",
        (
            Field(
                "fix",
                "switch",
                "--fix",
                "make a damaged index anew, finish what a crash cut short, remove what killed programs left",
            ),
        ),
        answer=".answers.doctor_answer:doctor",
        run=".cli.commands:doctor",
        tool="What is wrong with workspace, index, system and clients, and what to do; with fix, what is safe is "
        "mended.",
        idempotent=True,
        details="""\
    commonplace doctor
    commonplace doctor --fix

The workspace and its settings, permissions, the index and SQLite, locks, what killed programs left, sync
conflicts, the clock, secrets, the disk, running servers, the programs that `setup` knows, and OpenClaw. One line
each: ok, warn (it works, with a risk) or wrong, and what to do. The exit status is 1 when something is wrong. The
index is brought up to date, and each client's server is started for a moment; nothing is mended unasked.""",
    ),
    Verb(
        "index",
        "bring the index up to date",
        (Field("rebuild", "switch", "--rebuild", "forget the index and start anew; nothing is lost"),),
        answer=".answers.read_answers:index",
        tool="Bring the index up to date, or make it anew.",
        idempotent=True,
        details="Seldom needed: every recall does it first.",
    ),
)
