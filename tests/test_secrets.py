"""No door writes what looks like a secret: not in a text, a name, a trailer or a page, and not piece by piece."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import commonplace
from commonplace import CommandRefused, Memory, MemoryTool
from commonplace.core.model import Patch
from commonplace.doors.tools import tool_calls
from commonplace.errors import CommonplaceError, SecretRefused
from commonplace.store.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Cli, Write

TODAY = date(2026, 2, 1)
TOKEN = "gh" + "p_" + "Zx9Qw3Er7Ty1Ui5Op2As8Df4Gh6Jk0Lzabcd"
FILES = {
    "MEMORY.md": "# Memory\n\n- The key is ghp_xxx, as ever.\n",
    "bank/entities/Peter.md": "# Peter\n\nCall him on Sundays only.\n",
    "memory/2026-01-30.md": "## Retain\n- W @Peter: Has a boat. ^boat42\n- O(c=0.8) @Peter: Prefers tea. ^tea234\n",
}


def everything(root: Path) -> str:
    """All names and texts of a workspace, our own folder included."""
    found = [str(path.relative_to(root)) for path in root.rglob("*")]
    found += [path.read_bytes().decode(errors="replace") for path in root.rglob("*") if path.is_file()]
    return "\n".join(found)


@pytest.fixture
def root(workspace: Write) -> Path:
    return workspace(FILES)


LINES = [
    ["retain", f"W @Peter: Uses {TOKEN}."],
    ["retain", "W @Peter: Uses it.", "--entity", TOKEN],
    ["retain", "W @Peter: Uses it.", "--source", f"web:{TOKEN}"],
    ["retain", f"W @Peter: Uses it. <!-- cp: mine={TOKEN} -->"],
    ["retain", f"W @Peter: Uses {TOKEN[:20]}\n  {TOKEN[20:]} now."],
    ["correct", "boat42", f"Uses {TOKEN}."],
    ["correct", "boat42", "Has none.", "--source", TOKEN],
    ["retract", "boat42", "--reason", f"it was {TOKEN}"],
    ["append", "MEMORY.md", f"- {TOKEN}"],
    ["append", "MEMORY.md", f"CI uses **{TOKEN}** now"],
    ["append", "MEMORY.md", f"CI uses {TOKEN}..."],
    ["retain", f"W @Peter: Uses ***{TOKEN}*** now."],
    ["append", f"bank/{TOKEN}....md", "- x"],
    ["append", f"bank/{TOKEN}.md", "- x"],
    ["append", f"bank/{TOKEN}/x.md", "- x"],
    ["append", f"bank/{TOKEN}.txt", "- x"],
    ["insert", "MEMORY.md", TOKEN, "--after", "1"],
    ["replace", "MEMORY.md", "ghp_xxx", TOKEN],
    ["replace", "MEMORY.md", "xxx", TOKEN[4:]],
    ["entity", "merge", "Peter", TOKEN],
]


@pytest.mark.parametrize("words", LINES, ids=lambda words: f"{words[0]}")
def test_the_command_line_refuses_and_repeats_nothing(cli: Cli, root: Path, words: list[str]) -> None:
    before = everything(root / "memory")
    done = cli(*words, "--today", "2026-02-01")
    assert done.status != 0
    assert TOKEN not in done.out + done.err
    assert TOKEN not in everything(root) and everything(root / "memory") == before


@pytest.mark.parametrize("words", [words for words in LINES if words[0] not in ("entity", "correct")])
def test_a_person_may_know_better(cli: Cli, root: Path, words: list[str]) -> None:
    refused = cli(*words, "--today", "2026-02-01")
    if refused.status == 1 and "secret" in cli(*words, "--json", "--today", "2026-02-01").out:
        assert "--allow-secret" in refused.err
        assert cli(*words, "--allow-secret", "--today", "2026-02-01").status == 0


def test_a_token_in_two_appends_is_seen(cli: Cli, root: Path) -> None:
    assert cli("append", "MEMORY.md", f"key {TOKEN[:20]}").status == 0
    assert cli("append", "MEMORY.md", TOKEN[20:]).status == 1
    assert cli("append", "MEMORY.md", "- Something else.").status == 0


def test_of_many_facts_at_once_only_those_with_a_secret_are_lost(cli: Cli, root: Path) -> None:
    text = "".join(f"- W @Peter: Saw boat {at}{' ' + TOKEN if at == 7 else ''}.\n" for at in range(20))
    done = cli("retain", "-", "--today", "2026-02-01", stdin=text)
    assert done.status == 1 and "--allow-secret" in done.err and TOKEN not in done.err + everything(root)
    assert (root / "memory/2026-02-01.md").read_text().count("Saw boat") == 19


MISTAKES = [
    [TOKEN],
    ["retain", "W @Peter: Has a boat.", "--kind", TOKEN],
    ["retain", "O @Peter: Likes tea.", "--confidence", TOKEN],
    ["retain", f"--{TOKEN}"],
    ["retain", "x", f"--{TOKEN}=1"],
    ["append", f"../{TOKEN}.md", "x"],
    ["insert", "MEMORY.md", "x", "--after", TOKEN],
    ["get", TOKEN],
    ["recall", "x", "--budget", TOKEN],
    ["recall", "x", "--today", TOKEN],
    ["recall", "x", "--since", TOKEN],
    ["recall", "x", "--json", "--format", TOKEN],
    ["recall", "x", "--workspace", f"/srv/{TOKEN}"],
    ["review", TOKEN],
    ["setup", TOKEN],
    ["completion", TOKEN],
    ["mcp", "--http", TOKEN],
]


@pytest.mark.parametrize("words", MISTAKES, ids=lambda words: f"{words[0]}"[:8])
def test_what_stands_in_the_wrong_place_is_not_repeated(cli: Cli, root: Path, words: list[str]) -> None:
    done = cli(*words)
    assert done.status != 0 and done.err
    assert TOKEN[4:20] not in done.out + done.err


@pytest.mark.parametrize(
    "asked",
    [
        {"verb": "retain", "text": "x", "kind": TOKEN},
        {"verb": "retain", "text": "x", "confidence": TOKEN},
        {"verb": "recall", "query": "x", "kinds": [TOKEN]},
        {"verb": "recall", "query": "x", TOKEN: 1},
        {"verb": "recall", "query": "x", "today": TOKEN},
        {"verb": "recall", "query": "x", "brief": TOKEN},
        {"verb": "recall", "query": "x", "k": {"a": TOKEN}},
        {"verb": "judge", "ids": ["i-aaaaaa"], "verdict": TOKEN},
        {"verb": TOKEN},
        {"verb": [TOKEN]},
    ],
    ids=lambda asked: f"{asked['verb']}-{list(asked)[-1]}"[:16],
)
def test_the_worker_does_not_repeat_it_either(cli: Cli, root: Path, asked: dict[str, Any]) -> None:
    done = cli("worker", stdin=json.dumps(asked))
    assert '"error"' in done.out and TOKEN[4:20] not in done.out + done.err


ASKED: list[tuple[str, dict[str, Any]]] = [
    ("retain", {"text": f"Peter uses {TOKEN}."}),
    ("retain", {"text": "Peter uses it.", "entities": [TOKEN]}),
    ("retain", {"text": "Peter uses it.", "source": TOKEN}),
    ("correct", {"target": "boat42", "text": f"Uses {TOKEN}."}),
    ("retract", {"target": "boat42", "reason": TOKEN}),
    ("append", {"path": "MEMORY.md", "text": TOKEN}),
    ("append", {"path": f"bank/{TOKEN}.md", "text": "x"}),
    ("insert", {"path": "MEMORY.md", "text": TOKEN, "after": 1}),
    ("replace", {"path": "MEMORY.md", "old": "xxx", "new": TOKEN[4:]}),
    ("merge", {"into": "Peter", "other": TOKEN}),
    ("judge", {"ids": ["i-aaaaaa"], "verdict": "accept", "text": TOKEN}),
]


@pytest.mark.parametrize("agent", [False, True], ids=["worker", "model"])
@pytest.mark.parametrize(("name", "given"), ASKED, ids=[f"{name}-{at}" for at, (name, _) in enumerate(ASKED)])
def test_every_tool_refuses_and_says_what_a_model_can_do(
    root: Path, name: str, given: dict[str, Any], agent: bool
) -> None:
    with pytest.raises(CommonplaceError) as refused:
        tool_calls.call(Memory(str(root), today=TODAY), name, dict(given), agent=agent)
    said = f"{refused.value} {refused.value.hint}"
    assert "allow" not in said and TOKEN not in said + everything(root)
    assert refused.value.code != "secret-refused" or "write where it is kept" in said


COMMANDS: list[dict[str, Any]] = [
    {"command": "create", "path": "/memories/x.md", "file_text": TOKEN},
    {"command": "create", "path": "/memories/x.md", "file_text": f'"{TOKEN}..."'},
    {"command": "create", "path": f"/memories/{TOKEN}.md", "file_text": "x"},
    {"command": "create", "path": f"/memories/{TOKEN}/x.md", "file_text": "x"},
    {"command": "str_replace", "path": "/memories/MEMORY.md", "old_str": "xxx", "new_str": TOKEN[4:]},
    {"command": "insert", "path": "/memories/MEMORY.md", "insert_line": 0, "insert_text": TOKEN},
    {"command": "rename", "old_path": "/memories/entities/Peter.md", "new_path": f"/memories/{TOKEN}.md"},
    {"command": "view", "path": f"/memories/{TOKEN}.md"},
    {"command": "str_replace", "path": "/memories/MEMORY.md", "old_str": TOKEN, "new_str": "x"},
    {"command": TOKEN},
]


@pytest.mark.parametrize("command", COMMANDS, ids=[f"{each['command'][:8]}-{at}" for at, each in enumerate(COMMANDS)])
def test_the_memory_tool_refuses_and_repeats_nothing(root: Path, command: dict[str, Any]) -> None:
    with pytest.raises(CommandRefused) as refused:
        MemoryTool(Memory(str(root), today=TODAY)).execute(command)
    assert "allow" not in str(refused.value) and TOKEN not in str(refused.value) + everything(root)


def test_a_model_s_server_says_what_a_model_can_do(root: Path) -> None:
    lines = [{"id": 1, "verb": "retain", "text": f"Peter uses {TOKEN}."}, {"id": 2, "verb": TOKEN}]
    argv = [sys.executable, "-m", "commonplace", "worker", "--workspace", str(root)]
    sent = "".join(json.dumps(each) + "\n" for each in lines)
    done = subprocess.run(argv, input=sent, capture_output=True, text=True, check=True)
    assert "write where it is kept" in done.stdout and "allow" not in done.stdout
    assert TOKEN not in done.stderr + everything(root)


def test_an_import_leaves_out_names_and_lines_that_hold_one(cli: Cli, root: Path, tmp_path: Path) -> None:
    notes = tmp_path / "vault"
    (notes / TOKEN).mkdir(parents=True)
    (notes / f"{TOKEN}.md").write_text("- Peter prefers tea.\n")
    (notes / TOKEN / "x.md").write_text("- Peter prefers coffee.\n")
    (notes / "a.md").write_text(
        f"---\naliases: [{TOKEN}]\n---\n- Peter has two boats.\n- it is {TOKEN[:20]}\n  {TOKEN[20:]}\n"
    )
    for words in (["import", str(notes)], ["import", str(notes), "--yes"]):
        done = cli(*words, "--today", "2026-02-01")
        assert "secret-refused" in done.out and TOKEN not in done.out + done.err
    assert TOKEN not in everything(root) and TOKEN[20:] not in everything(root)
    assert "Peter has two boats." in everything(root) and "tea." not in everything(root / "memory" / "imported")


def test_a_retraction_does_not_say_a_secret_again(cli: Cli, root: Path) -> None:
    log = root / "memory/2026-01-31.md"
    log.write_text(f"## Retain\n- W @Peter: Uses {TOKEN}. ^uses42\n")
    assert cli("retract", "uses42", "--reason", "rotated", "--today", "2026-02-01").status == 0
    written = (root / "memory/2026-02-01.md").read_text()
    assert "Retracted (rotated): (left out: it looks like a GitHub token)" in written


def test_a_retraction_repeats_no_part_of_one_either_whatever_its_reason_may_say(cli: Cli, workspace: Write) -> None:
    root = workspace(PARTED)
    for id in ("part42", "odd142"):
        assert cli("retract", id, "--reason", f"it was {OTHER}", "--today", "2026-02-02").status == 1
        done = cli("retract", id, "--reason", f"it was {OTHER}", "--allow-secret", "--today", "2026-02-02")
        assert done.status == 0
    written = (root / "memory/2026-02-02.md").read_text()
    assert written.count(OTHER) == 2 and _leaks(written) == [OTHER[4:]]
    assert "retracts=^part42" in written and "Is odd." in written


LEAKING = {
    **FILES,
    "memory/2026-01-31.md": (
        f"## Retain\n- W @Peter: Uses {TOKEN} for the boat. ^uses42\n- W @Peter: Lives in Oslo. ^oslo42\n"
        f"- O(c=0.9) @Peter: Prefers the token {TOKEN}. ^pref42\n- B @Peter: I rotated {TOKEN}. ^rota42\n"
        f"- W @{TOKEN}: Is a strange name. ^stra42\n- W @{TOKEN}: Is stranger still. ^stra43\n"
        f"## Later\n- We decided to keep {TOKEN} for the boat.\n- We decided to buy a new anchor for the boat.\n"
    ),
}


def test_reflect_spreads_no_secret_that_a_log_holds(cli: Cli, workspace: Write) -> None:
    root = workspace(LEAKING)
    for _ in range(2):
        done = cli("reflect", "--yes", "--today", "2026-02-01")
        assert done.status == 0 and TOKEN not in done.out + done.err
    pages = {path: path.read_text() for path in (root / "bank").rglob("*.md")}
    assert TOKEN not in "".join(pages.values()) + "".join(map(str, pages))
    assert "Lives in Oslo." in pages[root / "bank/entities/Peter.md"]
    again = cli("reflect", "--yes", "--today", "2026-02-01", "--json").json
    assert not again["patches"]


TOLD, BELOW = "Kv" + "27!skovbane", "Maple" + "31#river"
TELLING = {
    "memory/2026-01-30.md": (
        f"# Log\n\n- Peter says that the NAS took {TOLD} at once and works.\n- Password: {TOLD}\n"
        f"- Peter decided to use {BELOW} on the router because of the noise.\n"
    ),
    "memory/2026-01-31.md": (
        f"## Retain\n- W @Peter: Typed {TOLD} on the NAS.\n- O(c=0.9) @Peter: Prefers {BELOW} to others.\n"
        "- W @Peter: Lives in Oslo.\n- W @Peter: Has a boat.\n"
    ),
    "notes/keys.md": "# Keys\n",
    "memory/2026-02-01.md": f"# Passwords\n\n- Router: {BELOW}\n",
}


def test_reflect_repeats_no_value_that_another_line_tells_to_be_a_secret(cli: Cli, workspace: Write) -> None:
    root = workspace(TELLING)
    lines = cli("check", "--json", "--today", "2026-02-01").out
    assert TOLD not in lines and BELOW not in lines
    for _ in range(2):
        packet = cli("reflect", "--packet", "--json", "--today", "2026-02-01")
        done = cli("reflect", "--yes", "--today", "2026-02-01")
        assert done.status == packet.status == 0
        pages = "".join(path.read_text() for path in (root / "bank").rglob("*.md"))
        for value in (TOLD, BELOW):
            assert value not in done.out + done.err + packet.out + pages
    assert "Lives in Oslo." in pages


def test_reflect_leaves_what_a_person_typed_on_a_page(cli: Cli, workspace: Write) -> None:
    root = workspace(LEAKING)
    assert cli("reflect", "--yes", "--today", "2026-02-01").status == 0
    page = root / "bank/entities/Peter.md"
    page.write_text(page.read_text().replace("# Peter", f"# Peter\n\nMine: {TOKEN}"))
    (root / "memory/2026-02-01.md").write_text("## Retain\n- W @Peter: Bought a house in Bergen. ^berg42\n")
    assert cli("reflect", "--yes", "--today", "2026-02-01").status == 0
    assert page.read_text().count(TOKEN) == 1 and "Bergen" in page.read_text()


# A token of which lines have a part each, and names that are one.
HALVES = (TOKEN[:20], TOKEN[20:])
OTHER = "gh" + "p_" + "Pq7Rs2Tu9Vw4Xy1Za6Bc3De8Fg5Hi0Jk7Lmn"
SAID = "hunter2x9"
PARTED = {
    **FILES,
    "memory/2026-01-31.md": (
        f"## Retain\n- W @Peter: Keeps the key {HALVES[0]}\n  {HALVES[1]} in the drawer. ^part42\n"
        f"- O(c=0.9) @Peter: Prefers the key {HALVES[0]}\n  {HALVES[1]} to any other. ^part43\n"
        f"- W @Peter: Lives in Oslo. ^oslo42\n- W @my-password-is-{SAID} @Peter: Is odd. ^odd142\n"
        f"- W @my-password-is-{SAID}: Is odder still. ^odd143\n- O(c=0.8) @{TOKEN}: Prefers coffee. ^coff42\n"
        f"## Later\nWe decided to put the key {HALVES[0]}\n{HALVES[1]} into the drawer because Peter asked for it.\n"
        "\n- Peter decided to sell the car in May because of the repair costs.\n"
    ),
    f"memory/2026-01-29-{TOKEN}.md": "- Peter decided to sell the boat in May because of the mooring fee.\n",
    f"memory/2026-01-28-my-password-is-{SAID}.md": (
        "## Retain\n- O(c=0.8) @Peter: Prefers juice in the morning. ^juic42\n## Later\n"
        "- Peter decided to buy a bike in May because of the long road to work.\n"
    ),
    "memory/2026-01-27.md": (
        f"## Retain\n- W @{OTHER}: Has a page. ^page42\n- W @{OTHER} @Peter: Has one still. ^page43\n"
    ),
    f"bank/entities/{OTHER}.md": "# A page\n\nBy hand.\n",
}
LEAKS = (HALVES[0][4:], HALVES[1], OTHER[4:], SAID)


def _leaks(text: str) -> list[str]:
    return [leak for leak in LEAKS if leak in text]


def test_reflect_repeats_no_part_of_a_secret_and_no_name_that_is_one(cli: Cli, workspace: Write) -> None:
    root = workspace(PARTED)
    for words in (["--dry-run"], ["--dry-run", "--json"], ["--yes"], ["--yes", "--json"], ["--log"]):
        done = cli("reflect", *words, "--today", "2026-02-01")
        assert done.status == 0 and not _leaks(done.out + done.err), words
    pages = {path.name: path.read_text() for path in (root / "bank").rglob("*.md")}
    assert not _leaks("".join(pages.values())) and pages[f"{OTHER}.md"] == "# A page\n\nBy hand.\n"
    assert "Lives in Oslo." in pages["Peter.md"] and "sell the car" in pages["review.md"]
    assert "Prefers tea." in pages["opinions.md"]
    assert not cli("reflect", "--yes", "--today", "2026-02-01", "--json").json["patches"]


@pytest.mark.parametrize(
    "words",
    [["reflect", "--packet"], ["reflect", "--packet", "--json"], ["review"], ["review", "--json"]],
    ids=" ".join,
)
@pytest.mark.parametrize("first", [False, True], ids=["unasked", "reflected"])
def test_what_waits_repeats_none_either(cli: Cli, workspace: Write, words: list[str], first: bool) -> None:
    workspace(PARTED)
    if first:
        cli("reflect", "--yes", "--today", "2026-02-01")
    done = cli(*words, "--today", "2026-02-01")
    assert done.status == 0 and "sell the car" in done.out
    assert not _leaks(done.out + done.err)


def test_a_packet_counts_what_it_leaves_out_for_its_length_alone(cli: Cli, workspace: Write) -> None:
    workspace(PARTED)
    packet = cli("reflect", "--packet", "--json", "--budget", "20000", "--today", "2026-02-01").json
    assert packet["left_out"] == {}


def test_check_tells_where_a_secret_is_and_does_not_print_it(cli: Cli, workspace: Write) -> None:
    workspace(
        LEAKING | {f"bank/{TOKEN}.md": "x\n", "bank/pem.md": "# Keys\n\n-----BEGIN PRIVATE " + "KEY-----\nMIIB\n"}
    )
    done = cli("check", "--json")
    found = [each["source"] for each in done.json["problems"] if each["code"] == "secret"]
    assert {"memory/2026-01-31.md#L2", "memory/2026-01-31.md#L9", "bank/….md#L1", "bank/pem.md#L3"} <= set(found)
    assert TOKEN not in done.out + done.err + cli("check").out
    assert not [place for place in found if place.startswith("MEMORY.md")]


def test_a_capture_leaves_a_secret_out(cli: Cli, root: Path, tmp_path: Path) -> None:
    transcript = tmp_path / "t.jsonl"
    said = {"type": "user", "message": {"role": "user", "content": f"use {TOKEN[:20]}\n{TOKEN[20:]}"}}
    wrote = {"type": "tool_use", "name": "Write", "input": {"file_path": f"/tmp/{TOKEN}.txt"}}
    transcript.write_text(json.dumps(said) + "\n" + json.dumps({"message": {"role": "assistant", "content": [wrote]}}))
    event = {"hook_event_name": "SessionEnd", "session_id": TOKEN, "cwd": f"/srv/{TOKEN}", "reason": "clear"}
    cli("hook", "--today", "2026-02-01", stdin=json.dumps({**event, "transcript_path": str(transcript)}))
    assert TOKEN not in everything(root) and TOKEN[20:] not in everything(root)


# Every write goes by the guard.

SRC = Path(commonplace.__file__).parent


def _calls(path: Path, names: set[str]) -> list[tuple[str, str]]:
    """The function and the name of each call of one of these methods or functions in a module."""
    found: list[tuple[str, str]] = []
    text = path.read_text(encoding="utf-8")
    if not any(f"{name}(" in text for name in names):
        return found
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            for each in ast.walk(node):
                if isinstance(each, ast.Call):
                    name = each.func.attr if isinstance(each.func, ast.Attribute) else getattr(each.func, "id", "")
                    if name in names:
                        found.append((node.name, name))
    return found


def test_every_write_of_the_workspace_asks_the_guard() -> None:
    """Only `locked_writer` and `change_sets` publish files; only `markdown_folder`, which asks the guard, and `erase`,
    which takes lines away, call them.
    """
    rooms = {SRC / "store" / name for name in ("fs", "transactions", "workspace")}
    publishers = {path.name for path in SRC.rglob("*.py") if _calls(path, {"publish", "stage", "put_new"})}
    assert publishers <= {"publish.py", "locked_writer.py", "change_sets.py", "erase.py"}
    removers = {path.stem for path in SRC.rglob("*.py") if "removal.begin(" in path.read_text(encoding="utf-8")}
    assert removers == {"forget"}
    folder = _calls(SRC / "store/workspace/markdown_folder.py", {"update", "apply", "_update", "_harmless"})
    writes = {function for function, name in folder if name in ("_update", "apply")}
    assert writes == {"change", "write", "apply"}
    assert writes <= {function for function, name in folder if name == "_harmless"}
    assert {function for function, name in folder if name == "update"} == {"_update"}
    outside = [path for path in SRC.rglob("*.py") if path.parent not in rooms and _calls(path, {"publish", "private"})]
    assert not outside


def test_nobody_else_opens_a_file_to_write() -> None:
    """What is opened for writing is our own: the journal, what was displaced, settings, fixed texts, an address."""
    opens = set()
    for path in SRC.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "open(" not in text and ".write_" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "open":
                mode = next((arg.value for arg in node.args[1:2] if isinstance(arg, ast.Constant)), "r")
                if set(str(mode)) & set("wxa+"):
                    opens.add(path.relative_to(SRC).as_posix())
            if isinstance(node, ast.Attribute) and node.attr in ("write_text", "write_bytes"):
                opens.add(path.relative_to(SRC).as_posix())
    own = {"transactions/backups", "transactions/change_journal", "workspace/workspace_layout", "fs/state_dir"}
    settings = {"config/settings_edit.py", "doors/setup/config_file.py"}
    address = {"doors/page/serve_page.py"}
    assert opens == {f"store/{name}.py" for name in own} | settings | address


WRITES: dict[str, Callable[[Workspace], object]] = {
    "change": lambda files: files.change("MEMORY.md", lambda text: f"{text}{TOKEN}\n"),
    "write": lambda files: files.write("bank/x.md", f"{TOKEN}\n", before=None),
    "apply": lambda files: files.apply([Patch("bank/x.md", None, f"{TOKEN}\n", "x")], "x"),
}


@pytest.mark.parametrize("method", WRITES)
def test_the_workspace_itself_refuses(root: Path, method: str) -> None:
    with pytest.raises(SecretRefused):
        WRITES[method](Workspace(str(root)))
    assert TOKEN not in everything(root)
