"""Verbs that write facts, or take them away."""

from commonplace.doors.table.common_fields import ALLOW_SECRET, DURING, KINDS, SINCE, UNTIL
from commonplace.doors.table.verb_fields import Field, Opens, Verb

FORMS = ("notes", "memory", "basic-memory", "memories")
"""What `import` can be told a folder is."""
_SOURCE = Field(
    "source",
    "name",
    "--source WHO",
    "who said it, when it was not the author: web:example.org",
    "if not the user: web:example.org",
)
SESSION = Field("session", "name", note="of the host, in which the user or the agent said it", agent=False)
"""Given by a host for its model, where the verb takes it."""
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
                "world, experience, opinion, observation (else from the text)",
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
                "contradicts", "ids", "--contradicts ID", "id or citation of what this one speaks against", agent=False
            ),
            Field("supports", "ids", "--supports ID", "id or citation of what this one speaks for", agent=False),
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

Plain text gets its kind and entities proposed. From standard input each bullet, or else each line, is one fact.
The same fact twice on one day is written once.""",
        everyday=2,
        opens=Opens.FOLDER,
    ),
    Verb(
        "correct",
        "write today what a fact should have said; the new one supersedes it",
        (
            Field("target", "name", "ID", "the fact's id or citation", "id or citation", required=True),
            Field("text", "written", "TEXT+", "what is so; - reads standard input", required=True),
            _SOURCE._replace(help="who said so, when it was not the author: web:example.org", agent=False),
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

Plain text keeps the kind, entities and confidence that the fact had. Its own line stays; recall leads with the new
one.""",
    ),
    Verb(
        "retract",
        "say that a fact no longer holds; the log keeps it",
        (
            Field("target", "name", "ID", "the fact's id", "id or citation", required=True),
            Field("reason", "written", "--reason TEXT", "why"),
            ALLOW_SECRET,
        ),
        answer=".answers.write_answers:retract",
        tool="Say that a fact no longer holds; the log keeps it.",
        idempotent=True,
    ),
    Verb(
        "forget",
        "remove facts for real, from the Markdown too",
        (
            Field("target", "name", "ID?", "one fact's id; or choose many by the flags", "id or citation"),
            Field(
                "source",
                "name",
                "--source WHERE",
                "all that came from here: import:Vault, web:example.org, or a file's path",
                "import:Vault, web:example.org, a file or folder",
            ),
            Field("entity", "name", "--entity NAME", "all that is tagged with this entity"),
            SINCE._replace(help="all that was recorded from this day on"),
            UNTIL._replace(help="… up to this day, included"),
            DURING._replace(help="… within this range: 2025-11, 'last week'", agent=True),
            Field("yes", "switch", "--yes", "with these flags: remove them; without it they are only shown"),
            Field(
                "again",
                shell="--again",
                help="with ID: also where a fact of this id was forgotten, and another has it by now",
            ),
        ),
        answer=".answers.write_answers:forget",
        run=".cli.commands:forget",
        tool="Remove a fact for real, from the Markdown too; or every fact that all filters choose: with yes, "
        "else shown.",
        destructive=True,
        details="""\
    commonplace forget k7f3qa
    commonplace forget --source import:OldVault
    commonplace forget --entity Peter --since 2025-11 --yes

An id removes one fact at once. Of several flags all must hold. What goes: the bullets, our own lines about
them, what was kept for undo, temporary files, and the index's remains; with --source also the copies of the
notes that were imported from there. All files change, or none: one that cannot be read or written is named,
with what to do, and nothing is changed. After a crash the next command finishes it, or the same forget. Before
the answer the text is looked for in every file that is read and in .memory: lines that a person wrote about the
same stay and are named; the exit status is 1 when something else holds it still, which is named too. git keeps
what was committed: the answer says so, and how to remove it there. Files that are not read (other than
Markdown, hidden ones) and other copies are not looked into.""",
    ),
    Verb(
        "import",
        "take in notes of other programs: facts with their source, and a copy of each note",
        (
            Field("paths", "paths", "PATH+", "a folder of notes, or a file", required=True),
            Field(
                "form",
                "choice",
                "--from FORM",
                "what they are (default: told by the shape of each note)",
                choices=FORMS,
            ),
            Field("yes", "switch", "--yes", "write it; without it the import is only shown"),
        ),
        answer=".answers.write_answers:import_notes",
        tool="Take in the notes of other programs: facts, copies and aliases; without yes only tell what that "
        "would be.",
        idempotent=True,
        details="""\
    commonplace import ~/Obsidian/Vault
    commonplace import ~/old-agent/MEMORY.md --yes
    commonplace import ~/basic-memory --from basic-memory --yes

Forms: plain notes (Obsidian and the like), a long MEMORY.md, notes of basic-memory, and an agent's /memories
folder. Facts go to the logs of the days that the notes give, each with `src=import:…`; every note is copied below
memory/imported/. Nothing changes where the notes lie, and the same import twice adds nothing. Lines that look like
secrets are left out and told. docs/import.md says more.""",
        opens=Opens.FOLDER,
    ),
)
