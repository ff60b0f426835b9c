"""What OpenClaw does where commonplace or a permission of its plugin is missing.

Both stop the gateway, and nothing starts it again: this file is the last of the folder, which saves half a minute.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.openclaw.conftest import node

if TYPE_CHECKING:
    from tests.openclaw.conftest import OpenClaw

GRANT = "openclaw config set plugins.entries.commonplace.hooks.allowConversationAccess true"


def test_without_commonplace_the_agent_goes_on(openclaw: OpenClaw) -> None:
    """A turn without the gateway, and a command."""
    openclaw.stop()
    missing = {"PATH": f"{node()}:/usr/bin:/bin"}
    words = ["agent", "--local", "--session-key", "agent:main:dashboard:without", "--json", "-m"]
    asked = 'CALL memory_recall {"query": "Ben"}'
    done = openclaw.run(*words, asked, **missing)
    assert done.returncode == 0, done.stderr
    assert "from its repository: pipx install ." in openclaw.stub.results(asked)[-1]
    assert "the turn continues without recall: commonplace is not installed. Install it" in done.stderr
    done = openclaw.run("memory", "recall", "Ben", **missing)
    assert (done.returncode, "from its repository: pipx install ." in done.stderr) == (1, True)


def test_a_missing_permission_is_reported_once_with_the_command_that_grants_it(openclaw: OpenClaw) -> None:
    assert "not allowed to see messages" not in openclaw.log.read_text()
    openclaw.stop()
    openclaw("config", "unset", "plugins.entries.commonplace.hooks")
    openclaw.start()
    assert openclaw.logs(GRANT)
    openclaw.stop()
    assert openclaw.log.read_text().count(GRANT) == 1
    openclaw(*GRANT.split()[1:])
    written = json.loads((openclaw.home / ".openclaw" / "openclaw.json").read_text())
    assert written["plugins"]["entries"]["commonplace"]["hooks"] == {"allowConversationAccess": True}
