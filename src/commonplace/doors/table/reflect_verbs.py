"""Verbs that renew pages and opinions: reflect, its open questions, and their answers."""

from commonplace.doors.table.common_fields import MOST_HITS, MOST_TOKENS, SINCE
from commonplace.doors.table.verb_fields import Field, Verb

GROUPS = ("inferred", "core", "same", "names", "replaced", "changes")
VERDICTS = ("for", "against", "neither")
_IDS = Field("ids", "ids")
_ANSWER_DRY_RUN = Field("dry_run", "switch", "--dry-run", "show what would be done and write nothing", agent=False)
_ANSWERED = {"answers?": "array", "notes": "array"}

ROWS = (
    Verb(
        "reflect",
        "renew entity pages, opinions and summaries from the facts",
        (
            Field("name", shell="NAME*", help="with --log: only changes about this entity; with --undo: an ID"),
            SINCE._replace(
                help="read facts recorded from this day on (default: all); last: since the last reflect",
                note="a date, or 'last'",
            ),
            Field("dry_run", "switch", "--dry-run", "show the whole diff and write nothing"),
            Field("yes", "switch", "--yes", "also write pages that people made, without asking first"),
            Field(
                "undo",
                shell="--undo",
                help="undo the last reflect and its answers, or the change ID, except in files edited since",
            ),
            Field("undoable", shell="--undoable", help="list what --undo can take back, newest first"),
            Field("commit", "switch", "--commit", "commit only the written files to git", agent=False),
            Field(
                "decide",
                shell="--decide",
                help="then ask the model of [model] the open questions, and carry out its answers",
            ),
            Field("quiet", shell="--quiet", help="print nothing if nothing changed"),
            Field(
                "exit_code",
                shell="--exit-code",
                help="exit with 0 if pages changed, 3 if nothing is new, 4 if pages wait for --yes",
            ),
            Field("log", shell="--log", help="list past changes with day and reason, newest first; write nothing"),
            Field("k", shell="--k N", help="with --log: maximum entries (default 30)", most=MOST_HITS),
            Field(
                "packet",
                shell="--packet",
                help="print the questions for a strong model, and how to answer them; write nothing",
            ),
            Field("budget", shell="--budget N", help="with --packet: maximum tokens (default 4000)", most=MOST_TOKENS),
        ),
        answer=".answers.reflect_answers:reflect",
        run=".cli.commands:reflect",
        tool="Renew entity pages and opinions at the end of a session. If needs_yes, nothing was written: show "
        "the user "
        "the diff; call with yes only when they agree.",
        agent=3,
        output={"outcome": "string", "needs_yes": "boolean", "diff": "string"},
        destructive=True,
        idempotent=True,
        details="""\
    commonplace reflect --dry-run
    commonplace reflect --since 7d
    commonplace reflect --since last --quiet
    commonplace reflect --log Peter
    commonplace reflect --packet | my-model | commonplace review - --by model:my-model

If people made pages before the first reflect, it shows its diff and waits for --yes; a page that a person adds
later waits by itself. Either all changes are written, or none. docs/scheduling.md shows how to run it on a
schedule.""",
        everyday=4,
        tried=("consolidate", "summarise", "summarize"),
    ),
    Verb(
        "review",
        "list proposals and open questions, and accept or reject them",
        (
            Field(
                "answer",
                shell="ANSWER*",
                help="accept ID …, reject ID …, edit ID TEXT, or - to read standard input; without words: list",
            ),
            _IDS,
            Field("verdict", "choice", choices=("accept", "reject")),
            Field("text", "written", note="accept it with this text"),
            Field(
                "all",
                shell="--all",
                help="list all inferred facts; with accept or reject: all questions; of kind replaced only with --kind",
            ),
            Field("k", "count", "--k N", "of the list: at most N questions of each kind", most=MOST_HITS, agent=False),
            Field("kind", shell="--kind KIND", help="with --all: only this kind of question", choices=GROUPS),
            Field(
                "undo_model",
                shell="--undo-model",
                help="take back what models answered, or the model NAME: the questions wait again",
            ),
            Field("by", shell="--by MODEL", help="with -: the model that answers, model:NAME; each answer carries it"),
            _ANSWER_DRY_RUN,
        ),
        answer=".answers.verdict_answers:review",
        run=".cli.review_commands:review",
        tool="List inferred facts, core lines, possible names and duplicate entities for the user to decide. "
        "Accept or reject only what they decided.",
        agent=7,
        output={"inferred?": "array", **_ANSWERED},
        destructive=True,
        idempotent=True,
        details="""\
    commonplace review
    commonplace review --all
    commonplace review accept i-4k2p7 i-8d0xz c-4m7k
    commonplace review accept --all --kind inferred
    commonplace review reject i-77a1q
    commonplace review edit i-4k2p7 'W @Peter: Moved to Berlin in January 2026.'
    commonplace review --undo-model qwen3:8b

An accepted proposal is written at once: as a fact in the log it was read from, as a line of MEMORY.md, as a merge
of two entities, as the page of a name, or as a fact that replaces one of yours; an accepted change marks the older
line as outdated. A rejected one is not asked again. Both are recorded in bank/review.md, where boxes can also be
ticked by hand. Questions about evidence are answered with judge.

`review -` reads answers, one a line, as words (`i-4k2p7 accept`, `j-9w2e1 against`, `i-8d0xz edit W @Peter: …`,
`add W @Ida: Has a boat. from memory/2026-01-09.md#L7`) or as JSON ({"id", "verdict", "text"}); list marks,
backticks, fences and comments are ignored. It prints the result of each line; valid answers are applied together.
The exit status is 1 if no line is valid.""",
    ),
    Verb(
        "judge",
        "list undecided evidence, and decide whether it is for or against an opinion",
        (
            Field(
                "answer", shell="ANSWER*", help="ID … for, against or neither; OPINION FACT for, …; without words: list"
            ),
            _IDS,
            Field("verdict", "choice", choices=VERDICTS),
            Field("fact", "name", note="if ids is an opinion (o-4m7k)"),
            _ANSWER_DRY_RUN,
        ),
        answer=".answers.verdict_answers:judge",
        run=".cli.review_commands:judge",
        tool="List evidence that no rule could decide; with ids and verdict: decide if the fact is for or "
        "against the "
        "opinion. Read both first; neither is a good answer.",
        agent=6,
        output={"judge?": "array", **_ANSWERED},
        idempotent=True,
        details="""\
    commonplace judge
    commonplace judge j-9w2e1 j-0xk3p neither
    commonplace judge o-4m7k t4x6mb against

A verdict is recorded in bank/review.md and overrides every rule; confidences change at once (docs/beliefs.md). Any
opinion and fact can be named, also without a question. The last verdict counts.""",
    ),
    Verb(
        "log",
        fields=(Field("name", "name"), Field("since", "when"), Field("k", "count", most=MOST_HITS)),
        answer=".answers.reflect_answers:log",
        tool="What changed, when and why, newest first.",
        read_only=True,
    ),
    Verb(
        "packet",
        fields=(Field("since", "when"), Field("budget", "count", note="tokens", most=MOST_TOKENS)),
        answer=".answers.verdict_answers:packet",
        tool="Questions for a strong model, and how to answer.",
        read_only=True,
    ),
    Verb(
        "hear",
        fields=(
            Field("text", "exact", required=True),
            Field("by", "name", note="the model that answers: model:NAME"),
            Field("dry_run", "switch"),
        ),
        answer=".answers.verdict_answers:hear",
        tool="Answers to a packet, one a line.",
        destructive=True,
        idempotent=True,
    ),
    Verb(
        "undo_model",
        fields=(Field("name", "name", note="of one model; default: all"), Field("dry_run", "switch")),
        answer=".answers.verdict_answers:undo_model",
        tool="Take back what models answered.",
        destructive=True,
        idempotent=True,
    ),
    Verb(
        "merge",
        fields=(
            Field("into", "name", required=True),
            Field("other", "name", required=True),
            Field("dry_run", "switch"),
        ),
        answer=".answers.write_answers:merge",
        tool="Merge two entities: other becomes an alias of into.",
        destructive=True,
    ),
    Verb(
        "changes",
        answer=".answers.reflect_answers:changes",
        tool="What undo can take back, newest first.",
        read_only=True,
    ),
    Verb(
        "undo",
        fields=(Field("change", "name", note="an id as of changes; default: the last"),),
        answer=".answers.reflect_answers:undo",
        tool="Undo the last change.",
        destructive=True,
    ),
)
