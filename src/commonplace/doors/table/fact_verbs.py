"""Verbs that write, correct, remove or import facts."""

from commonplace.doors.table.common_fields import ALLOW_SECRET, DURING, KINDS, SINCE, UNTIL
from commonplace.doors.table.verb_fields import Field, Opens, Verb

FORMS = ("notes", "memory", "basic-memory", "memories")
"""Formats that `import` reads."""
_DO_IT = ("--apply", "--confirm", "--force")
_SOURCE = Field(
    "source",
    "name",
    "--source WHO",
    "who said it, if not the author: web:example.org",
    "if not the user: web:example.org",
)
SESSION = Field("session", "name", note="the host's session in which the user or the agent said it", agent=False)
"""Given by a host for its model, if the verb has it."""
_RETAINED = {"id": "string", "source": "string", "created": "boolean"}

ROWS = (
    Verb(
        "retain",
        "write facts into today's log",
        (
            Field(
                "text",
                "written",
                "TEXT*",
                "the fact; several quoted texts are several facts; - reads standard input",
                required=True,
            ),
            Field(
                "kind",
                "choice",
                "--kind KIND",
                "world, experience, opinion or observation (default: guessed from the text)",
                choices=KINDS,
            ),
            Field("entities", "entities", "--entity NAME", "tag an entity"),
            Field("confidence", "share", "--confidence C", "of an opinion, from 0 to 1", "of an opinion, 0 to 1"),
            Field("date", "when", "--date WHEN", "the day of the log to write to (default: today)", "day of the log"),
            Field(
                "supersedes",
                "ids",
                "--supersedes ID",
                "id or citation of a fact that this one replaces",
                "what no longer holds",
            ),
            Field(
                "contradicts",
                "ids",
                "--contradicts ID",
                "id or citation of a fact or opinion that this one contradicts",
                agent=False,
            ),
            Field(
                "supports",
                "ids",
                "--supports ID",
                "id or citation of a fact or opinion that this one supports",
                agent=False,
            ),
            _SOURCE,
            SESSION,
            ALLOW_SECRET,
        ),
        answer=".answers.write_answers:retain",
        run=".cli.commands:retain",
        tool="Write one durable fact into today's log: plain text with its kind (experience: what you did), or "
        "'O(c=0.9) @Peter: ...'. Whole sentences with names and dates; no chatter or secrets.",
        agent=2,
        output=_RETAINED,
        idempotent=True,
        details="""\
W is about the world, B is what the agent did, O is an opinion, S an observation:

    commonplace retain 'W @Peter: In Marrakech until Dec 1 for the birthday of Andy.'
    commonplace retain 'O(c=0.9) @Peter: Prefers concise replies.'
    commonplace retain 'Peter prefers concise replies' --kind opinion --entity Peter
    commonplace retain - < facts.md

Plain text gets a guessed kind and guessed entities. From standard input each bullet, or else each line, is one
fact. A fact that is already in the log of that day is not written again.""",
        everyday=2,
        opens=Opens.FOLDER,
        tried=("add", "note", "remember", "save", "store", "write"),
    ),
    Verb(
        "correct",
        "replace a wrong or outdated fact: today's log gets the right one, which supersedes it",
        (
            Field("target", "name", "ID", "the fact's id or citation", "id or citation", required=True),
            Field("text", "written", "TEXT+", "the corrected text; - reads standard input", required=True),
            _SOURCE._replace(help="who said so, if not the author: web:example.org", agent=False),
            SESSION,
            ALLOW_SECRET,
        ),
        answer=".answers.write_answers:correct",
        tool="A fact is wrong or outdated: write what is right, which supersedes it.",
        agent=8,
        output=_RETAINED,
        idempotent=True,
        details="""\
    commonplace correct ^k7f3qa 'In Marrakech until Dec 2.'
    commonplace correct memory/2025-11-27.md#L12 'W @Peter: In Marrakech until Dec 2.'

Plain text keeps the kind, entities and confidence of the old fact. The old line stays in the log; recall lists the
new one first.""",
        tried=("edit", "update"),
    ),
    Verb(
        "retract",
        "mark a fact as no longer true; its line stays in the log",
        (
            Field("target", "name", "ID", "the fact's id", "id or citation", required=True),
            Field("reason", "written", "--reason TEXT", "why"),
            ALLOW_SECRET,
        ),
        answer=".answers.write_answers:retract",
        tool="Mark a fact as no longer true; its line stays.",
        idempotent=True,
    ),
    Verb(
        "forget",
        "delete facts permanently, also from the Markdown",
        (
            Field("target", "name", "ID?", "the id of one fact; or select many with flags", "id or citation"),
            Field(
                "source",
                "name",
                "--source WHERE",
                "all facts from this source: import:Vault, web:example.org, or a file's path",
                "import:Vault, web:example.org, a file or folder",
            ),
            Field("entity", "name", "--entity NAME", "all facts tagged with this entity"),
            SINCE._replace(help="all facts recorded from this day on"),
            UNTIL._replace(help="… up to and including this day"),
            DURING._replace(help="… within this range: 2025-11, 'last week'", agent=True),
            Field("yes", "switch", "--yes", "delete the selected facts; without it they are only listed", tried=_DO_IT),
            Field(
                "again",
                shell="--again",
                help="with ID: also if a fact with this id was forgotten before and another has it now",
            ),
        ),
        answer=".answers.write_answers:forget",
        run=".cli.commands:forget",
        tool="Delete a fact permanently, from the Markdown too; or all facts that match every filter: with yes, "
        "else listed.",
        destructive=True,
        details="""\
    commonplace forget k7f3qa
    commonplace forget --source import:OldVault
    commonplace forget --entity Peter --since 2025-11 --yes

An id deletes one fact at once. With several flags, facts that match all of them are selected. Deleted are the
bullets, generated lines about them, undo data, temporary files and traces in the index; with --source also the
copies of the notes imported from there. All files are changed, or none: a file that cannot be read or written is
reported, and nothing is changed. After a crash the next command finishes the work. Then every indexed file and
.memory are searched for the text: lines that people wrote about it remain and are listed; the exit status is 1
if anything else still contains it. git keeps what was committed; the answer says so, and how to remove it there.
Files that are not indexed (not Markdown, or hidden) and other copies are not searched.""",
        tried=("delete", "erase", "remove", "rm"),
    ),
    Verb(
        "import",
        "import notes of other programs: facts with their source, and a copy of each note",
        (
            Field("paths", "paths", "PATH+", "a folder of notes, or a file", required=True),
            Field(
                "form",
                "choice",
                "--from FORM",
                "format of the notes (default: detected for each note)",
                choices=FORMS,
            ),
            Field("yes", "switch", "--yes", "write the import; without it it is only shown", tried=_DO_IT),
        ),
        answer=".answers.write_answers:import_notes",
        tool="Import the notes of other programs: facts, copies and aliases; without yes only a preview.",
        idempotent=True,
        details="""\
    commonplace import ~/Obsidian/Vault
    commonplace import ~/old-agent/MEMORY.md --yes
    commonplace import ~/basic-memory --from basic-memory --yes

Forms: plain notes (Obsidian and the like), a long MEMORY.md, notes of basic-memory, and an agent's /memories
folder. Facts go to the logs of the days given in the notes, each with `src=import:…`; every note is copied to
memory/imported/. The original notes are not changed, and importing them again adds nothing. Lines that look like
secrets are left out and reported. More: docs/import.md.""",
        opens=Opens.FOLDER,
    ),
)
