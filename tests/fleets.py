"""Workspaces of a fleet, for tests: folders that push into a database of a real server, and what is in its tables."""

from __future__ import annotations

import re
import subprocess
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from commonplace import Memory, TenantRoles

if TYPE_CHECKING:
    from tests.postgres_server import FleetServer


EXAMPLES = Path(__file__).parents[1] / "examples"
TODAY = date(2025, 12, 1)
EVERYTHING = ("retained", "inferred", "lines")
OWNED = {
    "USER.md": "# USER.md\n\n- **Name:** Rolf Berg\n- **What to call them:** Rolf\n- **Location:** Vejle\n"
    "- **Wife:** Anna Holm\n\n## Context\n\nBuilds tide gauges for small harbours.\n\n## Preferences\n\n"
    "- Short answers, no greetings\n",
    "IDENTITY.md": "# IDENTITY.md\n\n- **Name:** Quill\n- **Vibe:** dry\n\nA clerk who lives in the harbour office.\n",
    "MEMORY.md": "# Memory\n\n## Preferences\n\n- Invoices by post, never by mail\n- Rye bread\n\n## Harbour\n\n"
    "- The crane belongs to Anna Holm.\n",
    "memory/2025-11-27.md": "# 2025-11-27\n\n- Rolf Berg ordered two gauges.\n- Anna Holm sold the crane.\n"
    "- Quill wrote the invoice.\n- I prefer the early ferry.\n",
}
OF_OWNERS = (
    *("who am I?", "who are you?", "where do I live?", "what are my preferences?", "what do I prefer?"),
    *("who is Rolf?", "who is Rolf Berg?", "what does Rolf Berg prefer?", "where does Rolf Berg live?"),
    *(
        "what does the user prefer?",
        "我喜欢什么？",
        "主人住在哪里？",
        "who is Anna Holm?",
        "who is Quill?",
        "what does Quill prefer?",
        "was bevorzugt Rolf Berg?",
        "wer bin ich?",
    ),
)


class Team(NamedTuple):
    """A tenant in a database."""

    server: FleetServer
    database: str
    roles: TenantRoles

    def url(self) -> str:
        """As a workspace names it."""
        return self.server.url(self.roles.pushes, self.database)

    def member(
        self, root: Path, name: str, *, share: tuple[str, ...] = ("retained",), today: date | None = None
    ) -> Memory:
        """A workspace that belongs to it; nothing is pushed yet."""
        memory = Memory(str(root), today=today)
        memory.fleet_on(url=self.url(), name=name, share=share)
        return memory


def team(server: FleetServer, name: str = "harbour", database: str = "") -> Team:
    """A new tenant, in a new database unless one is given."""
    database = database or server.database()
    return Team(server, database, TenantRoles(name, *server.tenant(database, name)))


def copied(folder: Path) -> Path:
    """A copy of the bundled workspace."""
    done = subprocess.run(
        ["sh", str(EXAMPLES / "copy.sh"), str(folder)], capture_output=True, text=True, check=True, timeout=60
    )
    return Path(done.stdout.strip())


def owned(root: Path, **texts: str) -> Path:
    """A folder with an owner and an agent, and these files besides, or in place of theirs."""
    for path, text in {**OWNED, **texts}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def stored(made: Team) -> dict[str, list[str]]:
    """The rows of every table, without what differs from push to push: the workspace's number, digests, states."""
    found = {}
    with made.server.as_role(made.roles.reads, made.database) as db:
        tables = (
            "select relname from pg_class where relnamespace = 'fleet'::regnamespace and relkind = 'r'"
            " and not relispartition order by 1"
        )
        for (table,) in db.execute(tables).fetchall():
            if table in ("tenants", "members", "made", "turns"):
                continue
            columns = (
                "select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute"
                f" where attrelid = 'fleet.{table}'::regclass and attnum > 0 and not attname = any(%s)"
            )
            ((named,),) = db.execute(columns.encode(), (_CHANGING.get(table, ["ws"]),)).fetchall()
            rows = db.execute(f"select ({named})::text from fleet.{table}".encode()).fetchall()
            found[table] = sorted(_NUMBER.sub(_without_workspace, row) for (row,) in rows)
    return found


def everything(made: Team) -> str:
    """All that a tenant's tables hold, as one text."""
    return "\n".join(row for rows in stored(made).values() for row in rows)


_CHANGING = {
    "workspaces": ["ws", "epoch", "generation", "nonce", "pushed", "root", "names"],
    "files": ["digest"],
    "postings": ["block"],
}
_NUMBER = re.compile(r"(?<![\w.:-])\d{9,}(?![\w.:-])")


def _without_workspace(number: re.Match[str]) -> str:
    """A row or a file without the number of its workspace."""
    value = int(number[0])
    return str(value & 0xFFFFFFFF) if value < 1 << 41 else str(value & ~(0x7FFF << 26))
