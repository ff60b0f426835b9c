"""What a host says of a session as one line of a log: nothing raises, nothing leaks, nothing becomes a fact."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from commonplace.core.documents.fact_syntax import decode
from commonplace.core.documents.parse import parse
from commonplace.core.extract import session_note
from commonplace.core.extract.session_note import Session, Transcript
from commonplace.core.secrets.detector import secrets

DAY = date(2025, 11, 27)
LOG = "memory/2025-11-27.md"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
CLAUDE = {
    "session_id": "00893aaf-19fa-41d2-8238-13269b9b3ca0",
    "transcript_path": "/home/ann/.claude/projects/-home-ann-warelay/00893aaf.jsonl",
    "cwd": "/home/ann/warelay",
    "hook_event_name": "SessionEnd",
    "reason": "prompt_input_exit",
}


def the(said: object) -> Session:
    found = session_note.read(json.dumps(said))
    assert found is not None
    return found


def lines(*entries: object) -> str:
    return "".join(f"{json.dumps(entry)}\n" for entry in entries)


def line(said: object, told: Transcript, *, whole: bool = True) -> str:
    return session_note.sentence(the(said), told, home="/home/ann", whole=whole)


def entered(text: str | None, said: str = "Claude Code ended a session.", id: str = "abc") -> str:
    return session_note.entered(text, LOG, line=said, mark=the({**CLAUDE, "session_id": id}).mark, day=DAY)


@pytest.mark.parametrize(
    ("said", "host", "told"),
    [
        (CLAUDE, "Claude Code", "Claude Code ended a session (prompt_input_exit) in ~/warelay."),
        (
            {**CLAUDE, "hook_event_name": "PreCompact", "trigger": "auto", "reason": None},
            "Claude Code",
            "Claude Code shortened its context in a session (auto) in ~/warelay.",
        ),
        (
            {
                "session_id": "s",
                "transcript_path": "/home/ann/.codex/sessions/2025/11/27/rollout-s.jsonl",
                "cwd": "/srv",
                "hook_event_name": "SessionEnd",
                "reason": "other",
            },
            "Codex",
            "Codex ended a session (other) in /srv.",
        ),
        (
            {
                "type": "agent-turn-complete",
                "thread-id": "b5f6c1c2",
                "turn-id": "12345",
                "cwd": "/home/ann",
                "input-messages": ["Rename foo.", "Rename `foo` to\n `bar`"],
                "last-assistant-message": "Done.",
            },
            "Codex",
            "Codex answered in a session in /home/ann. Last asked: “Rename `foo` to `bar`”.",
        ),
        (
            {
                "session_id": "s",
                "transcript_path": "C:\\Users\\ann\\.gemini\\tmp\\1\\chats\\session-1.jsonl",
                "cwd": "C:\\Users\\ann",
                "hook_event_name": "AfterAgent",
                "timestamp": "2025-11-27T10:00:00Z",
                "prompt": "What is new?",
            },
            "Gemini CLI",
            "Gemini CLI answered in a session in C:/Users/ann. Last asked: “What is new?”.",
        ),
        (
            {
                "conversation_id": "c",
                "generation_id": "g",
                "hook_event_name": "sessionEnd",
                "cursor_version": "3.13.10",
                "workspace_roots": ["/home/ann/warelay"],
                "transcript_path": None,
                "reason": "completed",
            },
            "Cursor",
            "Cursor ended a session (completed) in ~/warelay.",
        ),
        (
            {"sessionId": "s", "timestamp": 1764230400000, "cwd": "/srv", "reason": "user_exit"},
            "An agent",
            "An agent worked in a session (user_exit) in /srv.",
        ),
        (
            {"session_id": "s", "hook_event_name": "TaskCompleted"},
            "An agent",
            "An agent reported TaskCompleted in a session.",
        ),
    ],
)
def test_hosts_are_read_as_they_speak(said: dict[str, object], host: str, told: str) -> None:
    assert the(said).host == host
    assert line(said, Transcript()) == told


@pytest.mark.parametrize(
    "said", ["", "x", "[]", "{}", "1", '{"cwd": "/"}', '{"session_id": 7}', "[" * 100_000, "9" * 9999]
)
def test_what_no_host_says_is_nothing(said: str) -> None:
    assert session_note.read(said) is None


def test_a_session_and_event_have_one_mark() -> None:
    mark = the(CLAUDE).mark
    assert mark == "<!-- cp: src=claude-code session=00893aaf-19fa-41d2-8238-13269b9b3ca0 event=SessionEnd -->"
    assert the({**CLAUDE, "reason": "clear", "cwd": "/"}).mark == mark
    assert the({**CLAUDE, "hook_event_name": "Stop"}).mark != mark
    assert the({**CLAUDE, "session_id": "other"}).mark != mark
    nameless = {"hook_event_name": "Stop", "cwd": "/a"}
    assert the(nameless).mark == the(nameless).mark != the({**nameless, "cwd": "/b"}).mark


def test_claude_code() -> None:
    text = lines(
        {"type": "summary", "summary": "Old"},
        {"type": "user", "message": {"role": "user", "content": "Fix the test"}},
        {"type": "user", "isMeta": True, "message": {"role": "user", "content": "Injected"}},
        {"type": "user", "isSidechain": True, "message": {"role": "user", "content": "A subagent's task"}},
        {
            "type": "assistant",
            "message": {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "Now."},
                    {"type": "tool_use", "name": "Read", "input": {"file_path": "/home/ann/warelay/read.py"}},
                    {"type": "tool_use", "name": "Edit", "input": {"file_path": "/home/ann/warelay/a.py"}},
                    {"type": "tool_use", "name": "Write", "input": {"file_path": "/etc/b.py"}},
                    {"type": "tool_use", "name": "Edit", "input": {"file_path": "/home/ann/warelay/a.py"}},
                    {
                        "type": "tool_use",
                        "name": "str_replace_based_edit_tool",
                        "input": {"command": "view", "path": "c"},
                    },
                    {"type": "tool_use", "name": "Write", "input": "no object"},
                    {"type": "tool_use", "name": "Write", "input": {}},
                    "no object",
                ],
            },
        },
        {"type": "user", "message": {"content": [{"type": "tool_result", "content": "ok"}]}},
        {"type": "user", "message": {"content": [{"type": "text", "text": "And  the\nother?"}]}},
        {"type": "user", "message": {"content": "<command-name>/exit</command-name>"}},
        {"type": "user", "message": {"content": "[Request interrupted by user]"}},
    )
    told = session_note.read_transcript(f"no JSON\n[1]\n{text}")
    assert told == Transcript("And the other?", ("/home/ann/warelay/a.py", "/etc/b.py"))
    assert line(CLAUDE, told) == (
        "Claude Code ended a session (prompt_input_exit) in ~/warelay. Last asked: “And the other?”."
        " Wrote a.py, /etc/b.py."
    )
    assert "Wrote lately a.py" in line(CLAUDE, told, whole=False)


def test_codex() -> None:
    patch = "*** Begin Patch\n*** Add File: new.rs\n+x\n*** Update File: a b.rs\n@@\n*** Delete File: c\n*** End Patch"
    told = session_note.read_transcript(
        lines(
            {"type": "session_meta", "payload": {"id": "s"}},
            {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [
                {"type": "input_text", "text": "<environment_context>…</environment_context>"}]}},
            {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [
                {"type": "input_text", "text": "Fix the retry"}]}},
            {"type": "response_item", "payload": {"type": "custom_tool_call", "name": "apply_patch", "input": patch}},
            {"type": "response_item", "payload": {"type": "function_call", "name": "shell", "arguments": "{}"}},
        )
    )  # fmt: skip
    assert told == Transcript("Fix the retry", ("new.rs", "a b.rs"))


def test_gemini_cli_by_lines_and_as_one_object() -> None:
    entries = [
        {"id": "1", "type": "user", "content": [{"text": "Water the figs"}]},
        {"id": "2", "type": "gemini", "content": "", "toolCalls": [
            {"name": "write_file", "args": {"file_path": "figs.md"}},
            {"name": "read_file", "args": {"file_path": "x"}}]},
        {"id": "3", "type": "info", "content": "Bye"},
    ]  # fmt: skip
    told = Transcript("Water the figs", ("figs.md",))
    assert session_note.read_transcript(lines(*entries)) == told
    assert session_note.read_transcript(json.dumps({"sessionId": "s", "messages": [*entries, 7]}, indent=2)) == told
    assert session_note.read_transcript(json.dumps({"sessionId": "s", "messages": 7}, indent=2)) == Transcript()


def test_cursor_and_copilot() -> None:
    told = session_note.read_transcript(
        lines(
            {"role": "user", "message": {"content": [{"type": "text", "text":
                "<timestamp>Friday</timestamp>\n<user_query>\nfix the table\n</user_query>"}]}},
            {"role": "assistant", "message": {"content": [
                {"type": "tool_use", "name": "StrReplace", "input": {"path": "a.md"}},
                {"type": "tool_use", "name": "ApplyPatch", "input": {"patch": "", "input": "*** Update File: b.md"}}]}},
        )
    )  # fmt: skip
    assert told == Transcript("fix the table", ("a.md", "b.md"))
    told = session_note.read_transcript(
        lines(
            {"type": "user.message", "data": {"content": "list files"}},
            {
                "type": "assistant.message",
                "data": {"toolRequests": [{"name": "create", "arguments": {"path": "n.md"}}]},
            },
        )
    )
    assert told == Transcript("list files", ("n.md",))


def test_only_what_could_be_read_tells_that_nothing_happened() -> None:
    assert session_note.read_transcript("").empty and session_note.read_transcript("\n \n").empty
    assert session_note.read_transcript(lines({"type": "user", "message": {"content": "<command-name>/exit"}})).empty
    assert session_note.read_transcript(lines({"role": "assistant", "content": []})).empty
    assert not session_note.read_transcript(lines({"kind": "of another host"})).empty
    assert not session_note.read_transcript("no JSON").empty


def test_long_things_are_cut() -> None:
    told = Transcript("a" * 500, tuple(f"/x/{'d' * 300}/{number}.py" for number in range(11)))
    said = line({**CLAUDE, "reason": "r" * 500}, told)
    assert "a" * (session_note.LONGEST - 1) + "…" in said and "a" * session_note.LONGEST not in said
    assert said.endswith(" and 3 more.") and len(said) < 3000
    assert "/0.py" in said and "/8.py" not in said


@pytest.mark.parametrize(
    "told", [Transcript(f"use {TOKEN}"), Transcript("ok", (f"/tmp/{TOKEN}",)), Transcript("x" * 300 + TOKEN)]
)
def test_no_secret_is_told(told: Transcript) -> None:
    for said in (
        CLAUDE,
        {**CLAUDE, "cwd": f"/srv/{TOKEN}"},
        {**CLAUDE, "session_id": TOKEN},
        {**CLAUDE, "reason": TOKEN},
    ):
        text = line(said, told) + the(said).mark
        assert TOKEN not in text and not any(secrets(text)), text
        assert text.startswith("Claude Code ended a session")
    assert "The last request is left out: it looks like" in line(CLAUDE, Transcript(f"use {TOKEN}"))


def test_an_entry_stands_under_a_heading_of_its_own() -> None:
    first = entered(None)
    mark = the({**CLAUDE, "session_id": "abc"}).mark
    assert first == f"# 2025-11-27\n\n## Sessions\n\n- Claude Code ended a session. {mark}\n"
    assert entered(first) == first
    assert entered("\ufeff\n").startswith("\ufeff\n# 2025-11-27\n")
    second = entered(first, "Again.", "def")
    assert second.startswith(first) and second.count("## Sessions") == 1
    below = entered(first + "\n## Retain\n- W @Peter: In Vienna.\n", "Again.", "def")
    assert below.count("## Sessions") == 2
    assert entered("# Day\n\n", "Again.") == "# Day\n\n" + first.partition("\n\n")[2].replace(
        "Claude Code ended a session.", "Again."
    )
    assert entered("# Day\r\n").startswith("# Day\r\n\r\n## Sessions\r\n\r\n- Claude Code")
    fenced = entered("## Sessions\n\n```\ncode", "Again.", "def")
    assert fenced.startswith("## Sessions\n\n```\ncode\n```\n\n## Sessions\n\n- Again.")


TEXTS = st.text(max_size=60) | st.sampled_from(
    [
        "W @Peter: x",
        "O(c=0.9): y",
        "- [ ] z",
        "<!-- a -->",
        "-->",
        "```",
        "## Retain",
        "^abc",
        f"`{TOKEN}`",
        "\ud800",
        "@Ann",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(TEXTS, below, max_size=4),
    max_leaves=8,
)
KEYS = [
    "session_id",
    "transcript_path",
    "cwd",
    "hook_event_name",
    "reason",
    "prompt",
    "workspace_roots",
    "cursor_version",
]
ENTRY = st.fixed_dictionaries(
    {},
    optional={key: JSON for key in ("type", "role", "message", "payload", "content", "toolCalls", "name", "input")},
)


@given(st.dictionaries(st.sampled_from(KEYS), JSON), st.lists(ENTRY | JSON, max_size=4), TEXTS, st.booleans())
@example({"transcript_path": "0", "cwd": "\x00"}, [], "", False)
def test_whatever_is_said_the_entry_is_one_line_and_no_fact(
    said: dict[str, object], entries: list[object], log: str, whole: bool
) -> None:
    found = session_note.read(json.dumps(said))
    if found is None:
        return
    told = session_note.read_transcript("\n".join(map(json.dumps, entries)))
    text = session_note.sentence(found, told, home="/home/ann", whole=whole)
    assert "\n" not in text and text == text.strip() and not any(secrets(text))
    text.encode()
    written = session_note.entered(log, LOG, line=text, mark=found.mark, day=DAY)
    assert session_note.entered(written, LOG, line=text, mark=found.mark, day=DAY) == written
    before, after = parse(LOG, log), parse(LOG, written)
    assert [fact.content for fact in after.facts] == [fact.content for fact in before.facts]
    assert len(after.problems) <= len(before.problems)
    assert after.lines[-1].text == decode(text)
    assert after.lines[after.lines[-1].parent].text == "Sessions"


@pytest.mark.parametrize(
    "log",
    [
        "## Retain\n- W @B: one thing here.\n\nAfterwards a long walk.\n- W: stands for water\n- milk, eggs\n",
        "# Retain\n- W @B: one thing here.\n",
        "# Retain\n- W @B: one thing here.\n\n## Sessions\n",
        "# Day\n\n### Retain\n- W @B: one thing here.\n",
        "Retain\n------\n- W @B: one thing here.\n",
    ],
)
def test_an_entry_is_no_fact_and_makes_none(log: str) -> None:
    text = entered(log)
    assert text.startswith(log)
    assert [fact.content for fact in parse(LOG, text).facts] == ["one thing here."]
    assert [problem.source.line for problem in parse(LOG, text).problems] == []
    assert entered(text, "Again.", "def").count("Sessions") == text.count("Sessions")
