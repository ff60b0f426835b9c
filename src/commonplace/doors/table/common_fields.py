"""Fields that verbs of several groups share, and what the command line takes with every verb."""

from commonplace.doors.table.verb_fields import Field

KINDS = ("world", "experience", "opinion", "observation")
MOST_HITS = 1_000
MOST_TOKENS = 1_000_000

TODAY = Field("today", "day", "--today YYYY-MM-DD", "the day to take for today, for tests and replays")
COMMON = (
    Field(
        "workspace",
        shell="--workspace DIR",
        help="the folder of Markdown (else COMMONPLACE_WORKSPACE, OpenClaw's, or where you are)",
    ),
    Field("agent", shell="--agent NAME", help="a named OpenClaw agent: take its workspace"),
    TODAY,
    Field("json", shell="--json", help="answer in JSON, one object a line"),
    Field("verbose", shell="--verbose", help="say on standard error what was chosen and how long it took"),
    Field("no_color", shell="--no-color", help="no colours (also NO_COLOR)"),
    Field("help", shell="--help", help="show help and stop"),
)
"""Flags that every verb takes; they may stand before or after it."""


SINCE = Field("since", "when", "--since WHEN", "from this day on: 2025-11-15, 2025-11, 30d, 2w, 'last week'")
UNTIL = Field("until", "when", "--until WHEN", "up to this day, included")
DURING = Field("during", "when", "--during WHEN", "within this range: 2025-11, 'last week'", agent=False)
ALLOW_SECRET = Field(
    "allow_secret",
    "switch",
    "--allow-secret",
    "write it even if it looks like a password, key or token",
    agent=False,
)
