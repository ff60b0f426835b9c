"""The verbs of the command line as data: parser, help, docs/cli.md and shell completions are made from it."""

from typing import NamedTuple

KINDS = ("world", "experience", "opinion", "observation")
FORMATS = ("text", "md", "json")
GROUPS = ("inferred", "core", "same", "replaced")
VERDICTS = ("for", "against", "neither")
SHELLS = ("bash", "zsh", "fish")
FORMS = ("notes", "memory", "basic-memory", "memories")
"""What `import` can be told a folder is."""
CLIENTS = ("claude-code", "claude-desktop", "cursor", "codex", "openclaw", "vscode", "gemini-cli", "opencode")
"""The clients of `clients.json`, which help need not read for their names."""


class Flag(NamedTuple):
    """One `--flag`; without a `metavar` it is a switch."""

    name: str
    help: str
    metavar: str = ""
    many: bool = False
    """May be given several times."""
    choices: tuple[str, ...] = ()


class Positional(NamedTuple):
    """One positional argument."""

    name: str
    help: str
    nargs: str = ""
    """How many: `*` any, `+` at least one, `?` one or none, empty exactly one."""
    choices: tuple[str, ...] = ()


class Verb(NamedTuple):
    """One verb: what help and docs say of it, and what it takes."""

    name: str
    summary: str
    words: tuple[Positional, ...] = ()
    flags: tuple[Flag, ...] = ()
    details: str = ""
    """Plain text below the summary: what is not plain from the flags, with examples."""
    everyday: bool = False
    begins: bool = False
    """Whether it may start a memory in a folder that is none yet."""


COMMON = (
    Flag("--workspace", "the folder of Markdown (else COMMONPLACE_WORKSPACE, OpenClaw's, or where you are)", "DIR"),
    Flag("--agent", "a named OpenClaw agent: take its workspace", "NAME"),
    Flag("--today", "the day to take for today, for tests and replays", "YYYY-MM-DD"),
    Flag("--json", "answer in JSON, one object a line"),
    Flag("--verbose", "say on standard error what was chosen and how long it took"),
    Flag("--no-color", "no colours (also NO_COLOR)"),
    Flag("--help", "show help and stop"),
)
"""Flags that every verb takes; they may stand before or after it."""

_WHEN = (
    Flag("--since", "from this day on: 2025-11-15, 2025-11, 30d, 2w, 'last week'", "WHEN"),
    Flag("--until", "up to this day, included", "WHEN"),
    Flag("--during", "within this range: 2025-11, 'last week'", "WHEN"),
    Flag("--as-of", "as known then; lines without a day always were, our own pages never", "WHEN"),
)

_PATH = Positional("PATH", "a file of the workspace: MEMORY.md, bank/entities/Peter.md; ./ means from where you are")
_SECRET = Flag("--allow-secret", "write it even if it looks like a password, key or token")
_DIGEST = Flag("--digest", "of the file as you saw it; refused when somebody wrote since", "DIGEST")

VERBS = (
    Verb(
        "init",
        "make a workspace: create what is missing, touch nothing that is there",
        (Positional("DIR", "the folder; . means this one (default: the workspace that other verbs take)", "?"),),
        everyday=True,
        begins=True,
    ),
    Verb(
        "retain",
        "write facts into today's log",
        (Positional("TEXT", "the fact; several quoted texts are several facts; - reads standard input", "*"),),
        (
            Flag("--kind", "world, experience, opinion, observation (else from the text)", "KIND", choices=KINDS),
            Flag("--entity", "tag an entity", "NAME", many=True),
            Flag("--confidence", "of an opinion, from 0 to 1", "C"),
            Flag("--date", "the day of the log to write to (default: today)", "WHEN"),
            Flag("--supersedes", "id or citation of a fact that this one replaces", "ID", many=True),
            Flag("--contradicts", "id or citation of what this one speaks against", "ID", many=True),
            Flag("--supports", "id or citation of what this one speaks for", "ID", many=True),
            Flag("--source", "who said it, when it was not the author: web:example.org", "WHO"),
            _SECRET,
        ),
        """\
W is about the world, B is what the agent did, O is an opinion, S an observation:

    commonplace retain 'W @Peter: In Marrakech until Dec 1 for the birthday of Andy.'
    commonplace retain 'O(c=0.9) @Peter: Prefers concise replies.'
    commonplace retain 'Peter prefers concise replies' --kind opinion --entity Peter
    commonplace retain - < facts.md

Plain text gets its kind and entities proposed. From standard input each bullet, or else each line, is one fact.
The same fact twice on one day is written once.""",
        everyday=True,
        begins=True,
    ),
    Verb(
        "recall",
        "find facts and lines, with citations, within a token budget",
        (Positional("QUERY", "the question; - reads one question a line from standard input", "*"),),
        (
            Flag("--k", "most hits (default 10)", "N"),
            Flag("--budget", "most tokens (default 1500)", "N"),
            *_WHEN,
            Flag(
                "--kind",
                "only this kind (or its letter)",
                "KIND",
                many=True,
                choices=KINDS,
            ),
            Flag("--entity", "only facts about this entity", "NAME", many=True),
            Flag("--format", "text, md or json (default text)", "FORMAT", choices=FORMATS),
            Flag("--no-sync", "answer from the index as it is; for scripts that may not write"),
        ),
        """\
    commonplace recall 'where was Peter in November?'
    commonplace recall 'what does Peter prefer?' --kind opinion
    commonplace recall 'what did we decide about the backup?' --k 25 --since 30d

`recall - --json` is the batch form: one request a line, either the question itself or a JSON object
{"query", "k", "since", "until", "during", "as_of", "kinds", "entities", "budget", "today"}; one answer a line,
in order. A request that cannot be served is answered by {"error": {"code", "message", "hint"}} on its line.""",
        everyday=True,
    ),
    Verb(
        "reflect",
        "renew entity pages, opinions and summaries from what was retained",
        (Positional("NAME", "with --log: only what concerns this entity", "*"),),
        (
            Flag(
                "--since",
                "read what was recorded from this day on (default: everything); last: since the last reflect",
                "WHEN",
            ),
            Flag("--dry-run", "show the whole diff and write nothing"),
            Flag("--yes", "also write pages that people made, without asking first"),
            Flag("--undo", "take the last reflect back, answers and all, except in files that somebody edited since"),
            Flag("--commit", "commit just the written files to git"),
            Flag("--quiet", "print nothing when nothing changed"),
            Flag("--exit-code", "tell by the exit status what came of it: 0 changed, 3 nothing new, 4 pages wait"),
            Flag("--log", "tell what changed when and why, newest first, and write nothing"),
            Flag("--k", "with --log: most entries (default 30)", "N"),
            Flag("--packet", "print what a high-thinking agent should decide, and how to answer; write nothing"),
            Flag("--budget", "with --packet: most tokens (default 4000)", "N"),
        ),
        details="""\
    commonplace reflect --dry-run
    commonplace reflect --since 7d
    commonplace reflect --since last --quiet
    commonplace reflect --log Peter
    commonplace reflect --packet | my-model | commonplace review -

The first reflect over pages that people made shows its diff and waits for --yes; a page that a person adds later
waits alone. All of it is written, or nothing. docs/scheduling.md shows how to run it by a clock.""",
        everyday=True,
    ),
    Verb(
        "check",
        "list every problem in the Markdown, with its place and what to do",
        details="The exit status is 1 when there are problems.",
        everyday=True,
    ),
    Verb("status", "what is in the workspace, and how fresh the index is", everyday=True),
    Verb(
        "doctor",
        "look everything over, say what is wrong and what to do; --fix mends what is safe",
        flags=(
            Flag(
                "--fix",
                "make a damaged index anew, finish what a crash cut short, remove what killed programs left",
            ),
        ),
        details="""\
    commonplace doctor
    commonplace doctor --fix

The workspace and its settings, permissions, the index and SQLite, locks, what killed programs left, sync
conflicts, the clock, secrets, the disk, running servers, the programs that `setup` knows, and OpenClaw. One line
each: ok, warn (it works, with a risk) or wrong, and what to do. The exit status is 1 when something is wrong. The
index is brought up to date, and each client's server is started for a moment; nothing is mended unasked.""",
    ),
    Verb(
        "review",
        "list what waits for a person, and accept or reject it",
        (Positional("ANSWER", "accept ID …, reject ID …, edit ID TEXT, or - for standard input; none lists", "*"),),
        (
            Flag("--all", "with accept or reject: everything that waits; what others would replace only with --kind"),
            Flag("--kind", "with --all: one group of questions", "KIND", choices=GROUPS),
            Flag("--dry-run", "say what would be done and write nothing"),
        ),
        """\
    commonplace review
    commonplace review accept i-4k2p7 i-8d0xz c-4m7k
    commonplace review accept --all --kind inferred
    commonplace review reject i-77a1q
    commonplace review edit i-4k2p7 'W @Peter: Moved to Berlin in January 2026.'

What is accepted becomes a fact in the log that it was read from, a line of MEMORY.md, one entity of two, or a fact
that replaces one of yours, at once; what is rejected is not asked again. Both are remembered in bank/review.md,
where boxes can be ticked by hand just as well. Evidence is answered by judge.

`review -` reads answers, one a line, as words (`i-4k2p7 accept`, `j-9w2e1 against`, `i-8d0xz edit W @Peter: …`)
or as JSON ({"id", "verdict", "text"}); list marks, backticks, fences and comments are passed over. It tells of
each line what came of it; the good ones are acted on together. The exit status is 1 when no line could be read.""",
    ),
    Verb(
        "judge",
        "list evidence that no rule could decide, and say which way it counts",
        (Positional("ANSWER", "ID … for, against or neither; OPINION FACT for, …; none lists", "*"),),
        (Flag("--dry-run", "say what would be done and write nothing"),),
        """\
    commonplace judge
    commonplace judge j-9w2e1 j-0xk3p neither
    commonplace judge o-4m7k t4x6mb against

A verdict is recorded in bank/review.md and wins over every rule; confidences move at once, as docs/beliefs.md
says. An opinion and a fact may be named whether they were asked about or not. The last verdict counts.""",
    ),
    Verb(
        "index",
        "bring the index up to date",
        flags=(Flag("--rebuild", "forget the index and start anew; nothing is lost"),),
        details="Seldom needed: every recall does it first.",
    ),
    Verb(
        "explain",
        "show how a question is read: dates, entities, kinds, terms",
        (Positional("QUERY", "the question; - reads one a line from standard input", "*"),),
        details="Needs no workspace; where there is one, its entities are known. `explain - --json` is the batch form.",
    ),
    Verb(
        "core",
        "the core files as an agent sees them before each turn",
        flags=(
            Flag("--budget", "most tokens (default: core_budget of the settings)", "N"),
            Flag("--numbered", "with the number of each line, for insert"),
        ),
        details="""\
Each file is a block with what it is for, its size and its limit in characters; files of the host are marked
read-only. The bytes stay the same while nothing changed, so that a prompt cache holds.""",
    ),
    Verb(
        "context",
        "the core and what is recalled for a message, to put before an agent's turn",
        (Positional("QUERY", "the message; - reads it from standard input, all its lines", "+"),),
        (Flag("--budget", "most tokens of both", "N"), Flag("--k", "most hits (default 10)", "N")),
        """\
    commonplace context 'where is Peter this week?'
    commonplace context - < message.txt

The core comes first and keeps its bytes; what is recalled stands below it, fenced as data by a word that is
another each time, so that no text in memory can end the fence.""",
    ),
    Verb(
        "get",
        "lines of a file by citation, as they stand",
        (Positional("CITATION", "memory/2025-11-27.md#L12, …#L12-L20, or a path alone: the whole file"),),
        details="""\
    commonplace get memory/2025-11-27.md#L12
    commonplace get MEMORY.md > copy.md

The text goes to standard output; where it stands and the digest of the file to standard error.""",
    ),
    Verb(
        "append",
        "write lines at the end of a file",
        (_PATH, Positional("TEXT", "the lines; - reads standard input, as it is", "+")),
        (_DIGEST, _SECRET),
        """\
    commonplace append MEMORY.md '- The bicycle code is in the blue notebook.'
    commonplace append bank/entities/Ada.md - < ada.md

A file that is not there is made. Daily logs can be appended to; facts are better retained. Where a file ends in a
Retain section, what is no fact gets a heading of its own, Notes.""",
        begins=True,
    ),
    Verb(
        "replace",
        "replace the one occurrence of a text in a file",
        (
            _PATH,
            Positional("OLD", "the words as they stand there now; - reads standard input"),
            Positional("NEW", "what shall stand there; '' takes them away; - reads standard input"),
        ),
        (_DIGEST, _SECRET),
        """\
    commonplace replace MEMORY.md 'the blue notebook' 'the red notebook'

Where the words stand twice, or not at all, nothing is written and the message names the lines. Not one character
changes beside them. Standard input counts to its last line end: rather printf than echo. Daily logs only grow: say
there what is so with retain, correct or retract.""",
    ),
    Verb(
        "insert",
        "write lines behind a line of a file",
        (_PATH, Positional("TEXT", "the lines; - reads standard input, as it is", "+")),
        (Flag("--after", "the number of that line; 0 is the top", "N"), _DIGEST, _SECRET),
        """\
    commonplace insert MEMORY.md '- Tea, not coffee.' --after 3

`core --numbered` shows the numbers of the core's lines, and a citation (MEMORY.md#L3) holds one.""",
    ),
    Verb(
        "correct",
        "write today what a fact should have said; the new one supersedes it",
        (Positional("ID", "the fact's id or citation"), Positional("TEXT", "what is so; - reads standard input", "+")),
        (Flag("--source", "who said so, when it was not the author: web:example.org", "WHO"), _SECRET),
        """\
    commonplace correct ^k7f3qa 'In Marrakech until Dec 2.'
    commonplace correct memory/2025-11-27.md#L12 'W @Peter: In Marrakech until Dec 2.'

Plain text keeps the kind, entities and confidence that the fact had. Its own line stays; recall leads with the new
one.""",
    ),
    Verb(
        "show",
        "one fact or line in full",
        (Positional("ID", "its id (^k7f3qa) or citation (memory/2025-11-27.md#L12)"),),
    ),
    Verb(
        "entity",
        "what is known of one entity; merge: two names become one entity",
        (Positional("NAME", "its name or an alias; or: merge NAME OTHER", "+"),),
        (Flag("--dry-run", "of a merge: show the whole diff and write nothing"),),
        """\
    commonplace entity Peter
    commonplace entity merge Peter 'Peter Hansen'

A merge makes OTHER an alias of NAME, in front matter; what a person wrote on OTHER's page moves to NAME's, and
OTHER's page goes. Daily logs stay as they are. `reflect --undo` takes it back, unless a page changed since.""",
    ),
    Verb(
        "opinions",
        "what is held to be so, how firmly and why",
        (Positional("NAME", "only of this entity", "*"),),
        (
            Flag("--history", "how each confidence came about"),
            Flag("--as-of", "as it was known then", "WHEN"),
        ),
    ),
    Verb(
        "weigh",
        "does a fact support or contradict an opinion, or can it not be told",
        (
            Positional("OPINION", "the statement held; - reads requests from standard input"),
            Positional("FACT", "the fact", "?"),
        ),
        details="""\
Needs no workspace. `weigh - --json` is the batch form: {"opinion", "fact"} a line, or the two texts with a tab
between them; {"stance", "reason"} back.""",
    ),
    Verb(
        "retract",
        "say that a fact no longer holds; the log keeps it",
        (Positional("ID", "the fact's id"),),
        (Flag("--reason", "why", "TEXT"), _SECRET),
    ),
    Verb(
        "forget",
        "remove facts for real, from the Markdown too",
        (Positional("ID", "one fact's id; or choose many by the flags", "?"),),
        (
            Flag("--source", "all that came from here: import:Vault, web:example.org, or a file's path", "WHERE"),
            Flag("--entity", "all that is tagged with this entity", "NAME"),
            Flag("--since", "all that was recorded from this day on", "WHEN"),
            Flag("--until", "… up to this day, included", "WHEN"),
            Flag("--during", "… within this range: 2025-11, 'last week'", "WHEN"),
            Flag("--yes", "with these flags: remove them; without it they are only shown"),
            Flag("--again", "with ID: also where a fact of this id was forgotten, and another has it by now"),
        ),
        """\
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
        (Positional("PATH", "a folder of notes, or a file", "+"),),
        (
            Flag("--from", "what they are (default: told by the shape of each note)", "FORM", choices=FORMS),
            Flag("--yes", "write it; without it the import is only shown"),
        ),
        """\
    commonplace import ~/Obsidian/Vault
    commonplace import ~/old-agent/MEMORY.md --yes
    commonplace import ~/basic-memory --from basic-memory --yes

Forms: plain notes (Obsidian and the like), a long MEMORY.md, notes of basic-memory, and an agent's /memories
folder. Facts go to the logs of the days that the notes give, each with `src=import:…`; every note is copied below
memory/imported/. Nothing changes where the notes lie, and the same import twice adds nothing. Lines that look like
secrets are left out and told. docs/import.md says more.""",
        begins=True,
    ),
    Verb(
        "mcp",
        "serve the memory to an agent's client by the Model Context Protocol",
        flags=(
            Flag("--http", "serve on this port of this machine, to any number of clients; 0 takes a free one", "PORT"),
        ),
        details="""\
Over standard input and output unless --http is given; it ends when its client goes. Over HTTP it listens on
127.0.0.1 alone, and answers at /mcp; writes need the token that it prints at its start. Where the official SDK is
missing, it says the command that installs it, such as pipx inject commonplace 'mcp>=2.3,<3'.
docs/mcp.md tells how to add it to a client.""",
    ),
    Verb(
        "worker",
        "serve every verb as JSON lines over standard input, for hosts that keep one process",
        details="""\
{"id": 1, "verb": "recall", "query": "…"} in, {"id": 1, "result": {…}} or {"id": 1, "error": {…}} out, one a line,
in order. A line without a verb is a line of the batch form. One workspace a worker; it ends with its standard
input, or when its parent is gone. docs/tools.md lists verbs and keys.""",
    ),
    Verb(
        "setup",
        "connect an agent's program to this memory: print its MCP configuration, or write it",
        (Positional("CLIENT", f"one of {', '.join(CLIENTS)}", choices=CLIENTS),),
        (
            Flag("--write", "merge it into the client's own file, after a backup; nothing else in it changes"),
            Flag("--remove", "take it out of that file again"),
            Flag("--project", "for the project in this folder only, where the client knows projects"),
            Flag("--http", "connect to a server that you keep running: commonplace mcp --http PORT", "PORT"),
        ),
        """\
    commonplace setup claude-code
    commonplace setup codex --write --workspace ~/notes
    commonplace setup vscode --write --project

The server is started by an absolute path, with the workspace, so it works from anywhere. Comments, order and
layout of the file stay; one that cannot be read is left alone. Written twice is written once. docs/clients.md
tells where each client keeps its configuration, and how each was tried.""",
    ),
    Verb(
        "watch",
        "keep the index warm, and spare recalls in very large folders the look at every file",
        details="""\
    commonplace watch --verbose
    commonplace watch &

Never needed: without it, and whenever it cannot be sure, every recall looks for itself. One for each workspace; it
ends by Ctrl-C or a signal. docs/watching.md says when it pays.""",
    ),
    Verb(
        "hook",
        "note in today's log that a host's session ended; for hosts that call a command then",
        (Positional("INPUT", "the host's JSON where it comes as a word; else it is read from standard input", "?"),),
        details="""\
    commonplace hook --workspace ~/notes

For Claude Code, Codex, Gemini CLI, Cursor, Copilot CLI and their like. It writes one line for each session and
event: who, where, the last request, the files written. It never keeps a host waiting for a second, says nothing on
standard output, and fails with exit status 1 alone, which hosts report and pass over. docs/hooks.md has the
settings of each host.""",
        begins=True,
    ),
    Verb(
        "completion",
        "print a script that completes verbs and flags in your shell",
        (Positional("SHELL", "bash, zsh or fish", choices=SHELLS),),
        details="""\
    eval "$(commonplace completion bash)"                                       # in ~/.bashrc
    eval "$(commonplace completion zsh)"                                        # in ~/.zshrc
    commonplace completion fish > ~/.config/fish/completions/commonplace.fish""",
    ),
)

BY_NAME = {verb.name: verb for verb in VERBS}
