"""A chat that remembers, over any endpoint that speaks OpenAI's chat completions; only the standard library.

    export OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_MODEL=qwen3:8b OPENAI_API_KEY=…
    python examples/chat.py ~/notes

Before each turn the model is given the core of the memory and what is recalled for the message. It may call three
tools: recall, retain and replace. What it writes is on the disk at once, and in the core that the next turn shows.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from commonplace import CommonplaceError, Memory, hit_text

Message = dict[str, Any]

INSTRUCTIONS = Path(__file__).with_suffix(".md").read_text(encoding="utf-8")
ROUNDS = 8
"""Most answers of the model to one message: one that calls tools without end is stopped."""
SECONDS = 300
"""Patience with the endpoint."""


def tool(name: str, summary: str, **fields: str) -> Message:
    """A function that a model may call: its fields are texts, and all are needed."""
    properties = {field: {"type": "string", "description": told} for field, told in fields.items()}
    parameters = {"type": "object", "properties": properties, "required": list(fields)}
    return {"type": "function", "function": {"name": name, "description": summary, "parameters": parameters}}


TOOLS = [
    tool("recall", "Find facts in memory.", query="A question; days in words are understood: 'since last week'."),
    tool("retain", "Keep a fact in today's log.", text="One fact, complete in itself: 'W @Peter: Moved to Berlin.'"),
    tool(
        "replace",
        "Replace the one place where words stand in a block.",
        path="The block's file, such as MEMORY.md.",
        old="The words as they stand there now.",
        new="What shall stand there.",
    ),
]


def use(memory: Memory, name: str, arguments: str) -> str:
    """Do what the model called a tool for; the answer for the model, also when it called it wrongly."""
    try:
        given = {key: str(value) for key, value in json.loads(arguments).items()}
        match name:
            case "recall":
                found = memory.recall(given["query"])
                return "\n".join(map(hit_text, found.hits)) or found.note
            case "retain":
                done = memory.retain(given["text"])
                return "\n".join([f"retained ^{done.fact.id} {done.fact.source}", *done.notes])
            case "replace":
                return f"replaced {memory.replace(given['path'], given['old'], given['new']).source}"
            case _:
                return f"error: there is no tool {name}"
    except CommonplaceError as error:
        return f"error: {error}"
    except (ValueError, AttributeError, KeyError) as error:
        return f"error: the arguments are not what {name} takes: {error!r}"


class Model(NamedTuple):
    """A model behind an endpoint."""

    url: str
    name: str
    key: str

    def answer(self, messages: list[Message]) -> Message:
        """The model's next message. Raises SystemExit with what the endpoint said when it refuses."""
        body = json.dumps({"model": self.name, "messages": messages, "tools": TOOLS}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.key}"}
        try:
            with urlopen(Request(f"{self.url}/chat/completions", body, headers), timeout=SECONDS) as reply:
                said = json.load(reply)["choices"][0]["message"]
        except HTTPError as error:
            with error:
                raise SystemExit(f"{self.url} says {error.code}: {error.read(1000).decode(errors='replace')}") from None
        except URLError as error:
            raise SystemExit(f"{self.url} cannot be reached: {error.reason}") from None
        return {key: said.get(key) for key in ("role", "content", "tool_calls") if said.get(key)}


def turn(memory: Memory, model: Model, history: list[Message], said: str) -> str:
    """What the model answers to a message; `history` grows by all that was said and done for it."""
    day = f"Today is {memory.today:%A, %Y-%m-%d}."
    system = {"role": "system", "content": f"{INSTRUCTIONS}\n{day}\n\n{memory.context(said).text}"}
    history.append({"role": "user", "content": said})
    for _ in range(ROUNDS):
        message = model.answer([system, *history])
        history.append(message)
        if not message.get("tool_calls"):
            return str(message.get("content", ""))
        for call in message["tool_calls"]:
            result = use(memory, call["function"]["name"], call["function"]["arguments"])
            history.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    return "(stopped: too many calls of tools)"


def main() -> None:
    """Answer each line of standard input, until it ends."""
    if len(sys.argv) != 2 or not os.environ.get("OPENAI_MODEL"):
        raise SystemExit(__doc__)
    url = os.environ.get("OPENAI_BASE_URL", "http://localhost:11434/v1").rstrip("/")
    model = Model(url, os.environ["OPENAI_MODEL"], os.environ.get("OPENAI_API_KEY", ""))
    history: list[Message] = []
    prompt = "> " if sys.stdin.isatty() else ""
    with Memory(sys.argv[1]) as memory, suppress(EOFError, KeyboardInterrupt):
        while True:
            if said := input(prompt).strip():
                print(turn(memory, model, history, said), flush=True)


if __name__ == "__main__":
    try:
        main()
    except CommonplaceError as error:
        raise SystemExit(str(error)) from None
