"""Verbs of the workspace and its index: make, check, repair."""

from commonplace.doors.table.verb_fields import Field, Opens, Verb

ROWS = (
    Verb(
        "init",
        "create a workspace; existing files are not changed",
        (
            Field("dir", shell="DIR?", help="the folder; . is the current one (default: the workspace of other verbs)"),
            Field(
                "include",
                "paths",
                "--include FOLDER",
                "read the Markdown in this folder of it, too",
                "folders or globs",
            ),
        ),
        answer=".answers.write_answers:init",
        run=".cli.commands:init",
        tool="Create the workspace's missing files; existing ones stay.",
        idempotent=True,
        everyday=1,
        opens=Opens.FOLDER,
        tried=("create", "new", "start"),
    ),
    Verb(
        "status",
        "show what the workspace contains and whether the index is up to date",
        answer=".answers.read_answers:status",
        tool="What the workspace contains, and whether the index is up to date.",
        read_only=True,
        everyday=6,
        tried=("info", "stats"),
    ),
    Verb(
        "check",
        "list every problem in the Markdown, with its place and the next step",
        answer=".answers.read_answers:check",
        tool="Every problem in the Markdown.",
        read_only=True,
        details="The exit status is 1 if there are problems.",
        everyday=5,
        tried=("lint", "validate", "verify"),
    ),
    Verb(
        "doctor",
        "check workspace, index and system, with next steps; --fix repairs what is safe",
        (
            Field(
                "fix",
                "switch",
                "--fix",
                "rebuild a damaged index, finish interrupted writes, remove files of killed programs",
            ),
        ),
        answer=".answers.doctor_answer:doctor",
        run=".cli.commands:doctor",
        tool="Problems of workspace, index, system and clients, with next steps; fix repairs what is safe.",
        idempotent=True,
        details="""\
    commonplace doctor
    commonplace doctor --fix

It checks the workspace and its settings, permissions, the index and SQLite, locks, files of killed programs, sync
conflicts, the clock, secrets, the disk, running servers, the programs that `setup` supports, and OpenClaw. Each
line is ok, warn (it works, with a risk) or wrong, with the next step. The exit status is 1 if something is wrong.
It updates the index and starts each client's server for a moment; it repairs nothing without --fix.""",
    ),
    Verb(
        "index",
        "bring the index up to date",
        (
            Field(
                "rebuild",
                "switch",
                "--rebuild",
                "rebuild the index from scratch; nothing is lost",
                tried=("--force", "--full"),
            ),
        ),
        answer=".answers.read_answers:index",
        tool="Bring the index up to date, or rebuild it.",
        idempotent=True,
        details="Rarely needed: every recall does it first.",
        tried=("rebuild", "refresh", "reindex", "sync"),
    ),
)
