"""Claude with the memory tool: one message, answered by a model that reads and writes a workspace under /memories.

    pip install '.[anthropic]'        # in the repository
    export ANTHROPIC_API_KEY=…
    python examples/claude.py ~/notes "When does the boiler man come?"

The model is given the core and what is recalled for the message; by the tool it looks further and takes notes.
"""

from __future__ import annotations

import os
import sys

from anthropic import Anthropic

from commonplace import Memory, MemoryTool

MODEL = os.environ.get("ANTHROPIC_MODEL", "claude-sonnet-5-5")
ROUNDS = 30
"""Most requests for one message: a model that calls the tool without end is stopped."""


def answer(workspace: str, said: str) -> str:
    """What the model says in the end."""
    with Memory(workspace) as memory, Anthropic() as client:
        last = client.beta.messages.tool_runner(
            model=MODEL,
            max_tokens=4096,
            system=memory.context(said).text,
            messages=[{"role": "user", "content": said}],
            tools=[MemoryTool(memory).for_anthropic()],
            max_iterations=ROUNDS,
        ).until_done()
    return "".join(block.text for block in last.content if block.type == "text")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit('usage: python claude.py WORKSPACE "MESSAGE"')
    print(answer(sys.argv[1], sys.argv[2]))
