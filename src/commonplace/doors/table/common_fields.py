"""Fields that verbs of several groups share, and the flags of every verb."""

from commonplace.doors.table.verb_fields import Field

KINDS = ("world", "experience", "opinion", "observation")
MOST_HITS = 1_000
MOST_TOKENS = 1_000_000

TODAY = Field("today", "day", "--today YYYY-MM-DD", "the day to use as today, for tests and replays")
COMMON = (
    Field(
        "workspace",
        shell="--workspace DIR",
        help="the folder of Markdown (default: COMMONPLACE_WORKSPACE, OpenClaw's, or here)",
        tried=("--dir", "--folder", "--path", "--root", "-C", "-d", "-w"),
    ),
    Field("agent", shell="--agent NAME", help="use the workspace of this OpenClaw agent"),
    TODAY,
    Field("json", shell="--json", help="print JSON, one object a line"),
    Field(
        "verbose",
        shell="--verbose",
        help="report on standard error what was chosen and how long it took",
        tried=("--debug", "-v"),
    ),
    Field("no_color", shell="--no-color", help="no colours (also NO_COLOR)"),
    Field("help", shell="--help", help="show help and exit"),
)
"""Flags of every verb, allowed before and after it."""


SINCE = Field(
    "since",
    "when",
    "--since WHEN",
    "from this day on: 2025-11-15, 2025-11, 30d, 2w, 'last week'",
    tried=("--after", "--from"),
)
UNTIL = Field("until", "when", "--until WHEN", "up to and including this day", tried=("--before", "--to"))
DURING = Field("during", "when", "--during WHEN", "within this range: 2025-11, 'last week'", agent=False)
ALLOW_SECRET = Field(
    "allow_secret",
    "switch",
    "--allow-secret",
    "write it even if it looks like a password, key or token",
    agent=False,
)
