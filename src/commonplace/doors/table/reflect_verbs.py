"""Verbs that renew pages and beliefs: reflect, the questions that it leaves, and their answers."""

from commonplace.doors.table.common_fields import MOST_HITS, MOST_TOKENS, SINCE
from commonplace.doors.table.verb_fields import Field, Verb

GROUPS = ("inferred", "core", "same", "replaced")
VERDICTS = ("for", "against", "neither")
_IDS = Field("ids", "ids")
_ANSWER_DRY_RUN = Field("dry_run", "switch", "--dry-run", "say what would be done and write nothing", agent=False)
_ANSWERED = {"answers?": "array", "notes": "array"}

ROWS = (
    Verb(
        "reflect",
        "renew entity pages, opinions and summaries from what was retained",
        (
            Field("name", shell="NAME*", help="with --log: only what concerns this entity"),
            SINCE._replace(
                help="read what was recorded from this day on (default: everything); last: since the last reflect",
                note="a date, or 'last'",
            ),
            Field("dry_run", "switch", "--dry-run", "show the whole diff and write nothing"),
            Field("yes", "switch", "--yes", "also write pages that people made, without asking first"),
            Field(
                "undo",
                shell="--undo",
                help="take the last reflect back, answers and all, except in files that somebody edited since",
            ),
            Field("commit", "switch", "--commit", "commit just the written files to git", agent=False),
            Field("quiet", shell="--quiet", help="print nothing when nothing changed"),
            Field(
                "exit_code",
                shell="--exit-code",
                help="tell by the exit status what came of it: 0 changed, 3 nothing new, 4 pages wait",
            ),
            Field("log", shell="--log", help="tell what changed when and why, newest first, and write nothing"),
            Field("k", shell="--k N", help="with --log: most entries (default 30)", most=MOST_HITS),
            Field(
                "packet",
                shell="--packet",
                help="print what a high-thinking agent should decide, and how to answer; write nothing",
            ),
            Field("budget", shell="--budget N", help="with --packet: most tokens (default 4000)", most=MOST_TOKENS),
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
    commonplace reflect --packet | my-model | commonplace review -

The first reflect over pages that people made shows its diff and waits for --yes; a page that a person adds later
waits alone. All of it is written, or nothing. docs/scheduling.md shows how to run it by a clock.""",
        everyday=4,
    ),
    Verb(
        "review",
        "list what waits for a person, and accept or reject it",
        (
            Field(
                "answer",
                shell="ANSWER*",
                help="accept ID …, reject ID …, edit ID TEXT, or - for standard input; none lists",
            ),
            _IDS,
            Field("verdict", "choice", choices=("accept", "reject")),
            Field("text", "written", note="accept it in these words"),
            Field(
                "all",
                shell="--all",
                help="with accept or reject: everything that waits; what others would replace only with --kind",
            ),
            Field("kind", shell="--kind KIND", help="with --all: one group of questions", choices=GROUPS),
            _ANSWER_DRY_RUN,
        ),
        answer=".answers.verdict_answers:review",
        run=".cli.review_commands:review",
        tool="List inferred facts, lines for the core and double entities that wait for the user. Accept or "
        "reject only "
        "what they decided.",
        agent=7,
        output={"inferred?": "array", **_ANSWERED},
        destructive=True,
        idempotent=True,
        details="""\
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
        (
            Field("answer", shell="ANSWER*", help="ID … for, against or neither; OPINION FACT for, …; none lists"),
            _IDS,
            Field("verdict", "choice", choices=VERDICTS),
            Field("fact", "name", note="if ids names an opinion (o-4m7k)"),
            _ANSWER_DRY_RUN,
        ),
        answer=".answers.verdict_answers:judge",
        run=".cli.review_commands:judge",
        tool="List evidence that no rule could decide; with ids and verdict: say whether the fact is for or "
        "against the "
        "opinion. Read both first; neither is a good answer.",
        agent=6,
        output={"judge?": "array", **_ANSWERED},
        idempotent=True,
        details="""\
    commonplace judge
    commonplace judge j-9w2e1 j-0xk3p neither
    commonplace judge o-4m7k t4x6mb against

A verdict is recorded in bank/review.md and wins over every rule; confidences move at once, as docs/beliefs.md
says. An opinion and a fact may be named whether they were asked about or not. The last verdict counts.""",
    ),
    Verb(
        "log",
        fields=(Field("name", "name"), Field("since", "when"), Field("k", "count", most=MOST_HITS)),
        answer=".answers.reflect_answers:log",
        tool="What changed when and why, newest first.",
        read_only=True,
    ),
    Verb(
        "packet",
        fields=(Field("since", "when"), Field("budget", "count", note="tokens", most=MOST_TOKENS)),
        answer=".answers.verdict_answers:packet",
        tool="What a high-thinking model should decide, and how to answer.",
        read_only=True,
    ),
    Verb(
        "hear",
        fields=(Field("text", "exact", required=True), Field("dry_run", "switch")),
        answer=".answers.verdict_answers:hear",
        tool="Answers to a packet, one a line.",
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
        tool="Make one entity another name of a second.",
        destructive=True,
    ),
    Verb("undo", answer=".answers.reflect_answers:undo", tool="Take the last reflect back.", destructive=True),
)
