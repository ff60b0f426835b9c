"""The example of a chat that remembers, run as a person would, against an endpoint that holds it to the protocol."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from commonplace import Memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import Write

    Message = dict[str, Any]

CHAT = Path(__file__).parent.parent / "examples" / "chat.py"
FILES = {
    "MEMORY.md": "# Memory\n\n- Peter drinks tea, not coffee.\n",
    "SOUL.md": "I am Quill.\n",
    "memory/2026-01-30.md": "# 2026-01-30\n\n## Retain\n- W @Peter: The cat at The Castle is called Moritz.\n",
}


def problems(request: Message) -> Iterator[str]:
    """What an endpoint would refuse: the rules of chat completions that concern messages and tools."""
    if not {"model", "messages"} <= request.keys() <= {"model", "messages", "tools"}:
        yield f"keys {sorted(request)}"
    for tool in request.get("tools", ()):
        function = tool["function"]
        if tool["type"] != "function" or function["parameters"]["type"] != "object" or not function["description"]:
            yield f"tool {tool}"
    owed: list[str] = []
    for message in request["messages"]:
        if owed and message["role"] != "tool":
            yield f"no answer to {owed}"
        match message["role"]:
            case "system" | "user" if set(message) == {"role", "content"} and message["content"].strip():
                pass
            case "assistant" if set(message) <= {"role", "content", "tool_calls"} and len(message) > 1:
                owed = [call["id"] for call in message.get("tool_calls", ())]
            case "tool" if set(message) == {"role", "content", "tool_call_id"} and message["tool_call_id"] in owed:
                owed.remove(message["tool_call_id"])
            case _:
                yield f"message {message}"
    if owed or request["messages"][-1]["role"] not in ("user", "tool"):
        yield "nothing to answer"


class Endpoint:
    """A server that answers with what a test scripted, one message a request, and keeps what it was sent."""

    def __init__(self, script: list[Message] | Callable[[int], Message]) -> None:
        self.requests: list[Message] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.requests.append(request)
                wrong = [] if self.path == "/v1/chat/completions" else [self.path]
                wrong += [] if self.headers["Content-Type"] == "application/json" else ["not JSON"]
                wrong += problems(request)
                if self.headers["Authorization"] != "Bearer sesame":
                    self.send({"error": {"message": "Incorrect API key provided"}}, 401)
                elif wrong:
                    self.send({"error": {"message": "; ".join(wrong)}}, 400)
                else:
                    number = len(endpoint.requests) - 1
                    message = script(number) if callable(script) else script[number]
                    reason = "tool_calls" if message.get("tool_calls") else "stop"
                    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reason}
                    head = {"id": f"chatcmpl-{number}", "object": "chat.completion", "created": 1, "model": "stub"}
                    self.send({**head, "choices": [choice], "usage": {"total_tokens": 1}}, 200)

            def send(self, answer: Message, status: int) -> None:
                body = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Standard error is the test's."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        self.thread = Thread(target=self.server.serve_forever)

    def __enter__(self) -> Endpoint:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def chat(self, root: Path, *said: str, key: str = "sesame") -> subprocess.CompletedProcess[str]:
        names = {"OPENAI_BASE_URL": f"{self.url}/", "OPENAI_MODEL": "stub", "OPENAI_API_KEY": key}
        return subprocess.run(
            [sys.executable, "-W", "error", str(CHAT), str(root)],
            input="".join(f"{line}\n" for line in said),
            env={"HOME": os.environ["HOME"], "PATH": os.environ["PATH"], "no_proxy": "*", **names},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )


def says(content: str) -> Message:
    """As endpoints send it, with keys that they would not take back."""
    return {"role": "assistant", "content": content, "refusal": None, "annotations": []}


def calls(*asked: tuple[str, str, Message | str]) -> Message:
    """A message that calls tools, each with its id, name and arguments."""
    listed = [
        {
            "id": id,
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for id, name, given in asked
    ]
    return {"role": "assistant", "content": None, "refusal": None, "tool_calls": listed}


def replies(request: Message) -> dict[str, str]:
    """What the tools answered, by the id of the call."""
    return {each["tool_call_id"]: each["content"] for each in request["messages"] if each["role"] == "tool"}


def test_what_is_told_once_is_there_in_the_next_turn(workspace: Write) -> None:
    root = workspace(FILES)
    script = [
        calls(
            ("a", "recall", {"query": "what is the cat called?"}),
            ("b", "retain", {"text": "W @Peter: Moved to Berlin on January 31, 2026."}),
        ),
        calls(("c", "replace", {"path": "MEMORY.md", "old": "tea, not coffee", "new": "coffee, at last"})),
        says("Noted: Berlin, and coffee."),
        says("In Berlin."),
    ]
    with Endpoint(script) as endpoint:
        done = endpoint.chat(root, "I live in Berlin now, with Moritz.", "", "Where does Peter live?")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Noted: Berlin, and coffee.\nIn Berlin.\n"

    first, second, third, fourth = endpoint.requests
    assert {tool["function"]["name"] for tool in first["tools"]} == {"recall", "retain", "replace"}
    system = first["messages"][0]
    assert system["role"] == "system"
    assert "- Peter drinks tea, not coffee." in system["content"] and "I am Quill." in system["content"]
    assert "The cat at The Castle is called Moritz." in system["content"]
    assert system["content"].startswith(CHAT.with_suffix(".md").read_text(encoding="utf-8"))

    assert re.search(r"\nToday is [A-Z][a-z]+day, \d{4}-\d\d-\d\d\.\n", system["content"])
    assert "is called Moritz. (2026-01-30, memory/2026-01-30.md#L4" in replies(second)["a"]
    kept = replies(second)["b"]
    assert kept.startswith("retained ^")
    assert replies(third)["c"] == "replaced MEMORY.md#L3"
    path, line = kept.split("\n")[0].split()[-1].split("#L")
    log = (root / path).read_text(encoding="utf-8").splitlines()
    assert log[int(line) - 1].startswith("- W @Peter: Moved to Berlin on January 31, 2026.")
    assert (root / "MEMORY.md").read_text() == "# Memory\n\n- Peter drinks coffee, at last.\n"

    later = fourth["messages"][0]["content"]
    assert "- Peter drinks coffee, at last." in later and "tea, not coffee" not in later
    assert "Moved to Berlin on January 31, 2026." in later
    said = [message["content"] for message in fourth["messages"] if message["role"] == "user"]
    assert said == ["I live in Berlin now, with Moritz.", "Where does Peter live?"]
    with Memory(str(root)) as memory:
        assert memory.check() == ()


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("replace", {"path": "MEMORY.md", "old": "e", "new": "x"}, "occurs 6 times, in lines"),
        ("replace", {"path": "SOUL.md", "old": "Quill", "new": "Max"}, "belongs to the host"),
        ("replace", {"path": "../x.md", "old": "a", "new": "b"}, "holds .."),
        ("replace", {"path": "MEMORY.md", "old": "tea"}, "KeyError('new')"),
        ("replace", {"path": 3, "old": ["tea"], "new": None}, "error: "),
        ("retain", {"text": ""}, "error: "),
        ("retain", '{"text": "W @Peter: half', "the arguments are not what retain takes"),
        ("retain", "[]", "the arguments are not what retain takes"),
        ("recall", {"query": "submarine periscope"}, "no match for"),
        ("forget", {}, "there is no tool forget"),
    ],
)
def test_a_wrong_call_is_told_to_the_model_and_changes_nothing(
    workspace: Write, name: str, given: Message | str, told: str
) -> None:
    root = workspace(FILES)
    with Endpoint([calls(("x", name, given)), says("I see.")]) as endpoint:
        done = endpoint.chat(root, "Hello!")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "I see.\n")
    assert told in replies(endpoint.requests[1])["x"]
    assert all((root / path).read_text() == text for path, text in FILES.items())


def test_a_model_that_calls_without_end_is_stopped(workspace: Write) -> None:
    root = workspace(FILES)
    with Endpoint(lambda number: calls((f"n{number}", "recall", {"query": "cat"}))) as endpoint:
        done = endpoint.chat(root, "Hello!")
    assert done.stdout == "(stopped: too many calls of tools)\n"
    assert len(endpoint.requests) == 8


def test_a_refusal_is_told(workspace: Write) -> None:
    root = workspace(FILES)
    with Endpoint([]) as endpoint:
        done = endpoint.chat(root, "Hello!", key="wrong")
    assert done.returncode == 1
    assert "says 401" in done.stderr and "Incorrect API key" in done.stderr
    done = endpoint.chat(root / "nowhere", "Hello!")
    assert done.returncode == 1 and done.stderr.startswith("there is no folder")
    done = endpoint.chat(root, "Hello!")  # nobody listens there any more
    assert done.returncode == 1 and "cannot be reached" in done.stderr
