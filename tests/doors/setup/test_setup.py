"""The verb setup: a client's own file with our entry in it, and everything else as it was, byte for byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import json5
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from commonplace.config import toml_table
from commonplace.doors.setup import jsonc
from commonplace.doors.setup.client_setup import clients, command
from commonplace.doors.setup.config_file import BACKUP, Target, removed, written
from commonplace.doors.table.host_verbs import CLIENTS

if TYPE_CHECKING:
    from tests.conftest import Cli, Done

PATH = ("mcpServers", "commonplace")
ENTRY = {"command": "/opt/bin/commonplace", "args": ["mcp", "--workspace", '/home/me/note "s"/王芳']}
OTHER = {"url": "http://127.0.0.1:8765/mcp"}

# Texts as people and clients leave them.

TRUTH = st.sampled_from([True, False])
BLANKS = st.sampled_from(
    ["", "", " ", "\n", "\n  ", "\n\t", "\r\n    ", " // a } note\n", " /* { */ ", "\n  // two\n  /* lines */\n"]
)
KEYS = st.sampled_from(['"a"', '"b c"', "'d'", "e", '"//"', '"mcp_servers"', '"\\u0066"', '"王芳"'])
SCALARS = st.sampled_from(
    ["1", "-2.5e3", "true", "null", '"x"', '"} // \\" {"', "'y'", "[]", "[1, /* 2 */ 3,]", "{}", "+Infinity", '""']
)
SERVERS = st.sampled_from(['"mcpServers"', "mcpServers", "'mcpServers'"])


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[str] = SCALARS) -> str:
    """An object in JSON5: any layout, comments anywhere, perhaps a comma behind the last member."""
    keys = draw(st.lists(KEYS, max_size=3, unique=True))
    members = [_member(draw, key, draw(inner)) for key in keys]
    if draw(TRUTH) and members:
        members.append(draw(BLANKS))
    return "{" + ",".join(members) + (draw(BLANKS) if not members else "") + "}"


def _member(draw: st.DrawFn, key: str, value: str) -> str:
    return f"{draw(BLANKS)}{key}{draw(BLANKS)}:{draw(BLANKS)}{value}{draw(BLANKS)}"


@st.composite
def files(draw: st.DrawFn) -> str:
    """A whole file, which may have servers already."""
    members = [_member(draw, key, draw(objects() | SCALARS)) for key in draw(st.lists(KEYS, max_size=3, unique=True))]
    if draw(TRUTH):
        servers = _member(draw, draw(SERVERS), draw(objects(objects())))
        members.insert(draw(st.integers(0, len(members))), servers)
    if draw(TRUTH) and members:
        members.append(draw(BLANKS))
    inside = ",".join(members) or draw(BLANKS)
    return draw(st.sampled_from(["", "\ufeff", "// mine\n", "\n"])) + "{" + inside + "}" + draw(BLANKS)


TABLES = (
    "# a note\n",
    "\n",
    'model = "o9" # [mcp_servers.commonplace]\n',
    'text = """\n[mcp_servers.commonplace]\ncommand = "no"\n"""\n',
    "literal = '''\n[x]'''\n",
    "list = [\n  1, # one\n  2,\n]\n",
    "inline = { a = 1, b = [2] }\n",
    '"quoted key".dotted = "it\'s"\n',
)
HEADED = (
    '[mcp_servers.other]\ncommand = "x"\nargs = []\n',
    '  [ mcp_servers . "third one" ]\n\n  url = "u"  # here\n',
    "[features]\nfast = true\n",
    "[[profiles]]\nname = 1\n\n[[profiles]]\nname = 2\n",
    "[mcp_servers.other.env]\nKEY = 'v'\n",
    "# behind it\n",
    "\n",
)


@st.composite
def tables(draw: st.DrawFn) -> str:
    """A TOML file: values first, then tables, in any order, with either kind of newline and perhaps none at the end."""
    first = draw(st.lists(st.sampled_from(TABLES), unique=True))
    then = draw(st.lists(st.sampled_from(HEADED), unique=True))
    text = "".join(first + then)
    if draw(TRUTH):
        text = text.removesuffix("\n")
    return text.replace("\n", "\r\n") if draw(TRUTH) else text


def is_within(part: str, whole: str) -> bool:
    """Whether every character stands there, in order."""
    rest = iter(whole)
    return all(each in rest for each in part)


def merged(found: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    first, *rest = path
    return {**found, first: merged(found.get(first) or {}, tuple(rest), value) if rest else value}


def file(folder: Path, syntax: str = "json", path: tuple[str, ...] = PATH) -> Target:
    about = {"syntax": syntax, "path": list(path[:-1]), "stdio": ENTRY, "http": OTHER, "title": "Any"}
    return Target("any", about, "user", str(folder / "settings"))


@settings(max_examples=60)  # json5 is slow, and right
@given(files())
@example("{}")
@example('{"mcpServers": {}}')
@example('{"mcpServers": {} // none\n}')
@example('{"a": 1 // one\n}')
@example('{\n\t"mcpServers": {\n\t\t"a": {},\n\t}\n}')
def test_what_is_put_into_json_is_there_and_nothing_else_changed(text: str) -> None:
    after = jsonc.put(text, PATH, ENTRY)
    assert jsonc.parse(after) == merged(jsonc.parse(text), PATH, ENTRY)
    assert is_within(text, after)
    assert jsonc.put(after, PATH, ENTRY) == after
    other = jsonc.put(after, PATH, OTHER, ENTRY.keys())
    assert jsonc.parse(other) == merged(jsonc.parse(text), PATH, OTHER)
    assert is_within(text, other)


@given(tables())
def test_what_is_put_into_toml_is_there_and_nothing_else_changed(text: str) -> None:
    path = ("mcp_servers", "commonplace")
    after = toml_table.put(text, path, ENTRY)
    assert tomllib.loads(after) == merged(tomllib.loads(text), path, ENTRY)
    assert after.startswith(text)
    assert toml_table.put(after, path, ENTRY) == after
    other = toml_table.put(after, path, OTHER, ENTRY.keys())
    assert tomllib.loads(other) == merged(tomllib.loads(text), path, OTHER)
    assert other.startswith(text)
    assert toml_table.remove(after, path) == text
    assert toml_table.remove(other, path) == text
    assert toml_table.remove(text, path) == text


LISTS = ("", "wanted = []\n", 'wanted = ["a"]\n', "wanted = ['a', 'b',] # why\n")
"""A list of texts at the top, in some layouts."""
LONG = ('wanted = [ # of\n  "a", # one\n  # two\n]\n', "wanted = [\n  'a' # ]\n  , 'b'\n]\n")


@given(st.sampled_from(LISTS + LONG), tables(), st.lists(st.text(max_size=5), min_size=1, max_size=3))
def test_what_extends_a_list_is_at_its_end_and_nothing_else_changed(lead: str, text: str, more: list[str]) -> None:
    text = (lead.replace("\n", "\r\n") if "\r" in text else lead) + text
    after = toml_table.extend(text, "wanted", more)
    found = tomllib.loads(text)
    assert tomllib.loads(after) == {**found, "wanted": [*found.get("wanted", []), *more]}
    assert is_within(text, after)


@pytest.mark.parametrize("text", ["wanted = 'a'", "[wanted]", "[[wanted]]\na = 1", "wanted = {a = 1}", "wanted.a = 1"])
def test_what_is_no_list_is_not_extended(text: str) -> None:
    with pytest.raises(ValueError, match="wanted"):
        toml_table.extend(text, "wanted", ["b"])


@pytest.mark.parametrize("syntax", ["json", "toml"])
@settings(max_examples=40)
@given(data=st.data())
def test_a_file_is_given_back(syntax: str, data: st.DataObject) -> None:
    """Written, written again for another server, and removed: the bytes of before, and no file beside it."""
    text = data.draw(files() | st.just("") if syntax == "json" else tables())
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        target = file(Path(folder), syntax)
        before = text.encode()
        Path(target.path).write_bytes(before)
        changed, backup = written(target, ENTRY)
        assert changed
        assert Path(backup).read_bytes() == before
        now = Path(target.path).read_bytes()
        assert written(target, ENTRY) == (False, "")
        assert Path(target.path).read_bytes() == now
        assert written(target, OTHER) == (True, backup)
        assert Path(backup).read_bytes() == before
        assert removed(target) == ("", target.path)
        assert Path(target.path).read_bytes() == before
        assert os.listdir(folder) == ["settings"]
        assert removed(target) == ("", "")


@settings(max_examples=40)
@given(files(), files())
def test_what_others_wrote_meanwhile_stays(text: str, later: str) -> None:
    """A client saved its own file between our write and our removal; the backup is not put over that."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        target = file(Path(folder))
        Path(target.path).write_bytes(text.encode())
        written(target, ENTRY)
        theirs = jsonc.put(later, ("theirs",), {"new": 1})
        Path(target.path).write_bytes(jsonc.put(theirs, PATH, ENTRY).encode())
        removed(target)
        left = jsonc.parse(Path(target.path).read_bytes().decode())
        assert merged(left, PATH, 0) == merged(jsonc.parse(theirs), PATH, 0)
        assert "commonplace" not in left.get("mcpServers", {})


@settings(max_examples=40)
@given(st.text(max_size=60) | files().map(lambda text: text[: len(text) // 2]))
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (jsonc.parse, toml_table.parse):
        try:
            parse(text)
        except ValueError:
            continue


def test_a_disk_that_refuses_even_to_remove_is_told_as_one_that_cannot_be_written(tmp_path: Path) -> None:
    """Read-only from the first byte on: the temporary file cannot be removed either."""
    script = """
import errno, os, sys
from commonplace.doors.setup.config_file import Target, written
from commonplace.errors import NotWritable
def refused(*_, **__):
    raise OSError(errno.EROFS, "Read-only file system")
os.fsync = os.unlink = refused
about = {"syntax": "json", "path": ["mcpServers"], "stdio": {}, "http": {}, "title": "Any"}
try:
    written(Target("any", about, "user", sys.argv[1]), {"command": "x"})
except NotWritable as error:
    print(error)
"""
    path = tmp_path / "settings"
    path.write_text("{}", encoding="utf-8")
    argv = [sys.executable, "-c", script, str(path)]
    said = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    assert "cannot be written: Read-only file system" in said
    assert path.read_text(encoding="utf-8") == "{}"


def test_the_layout_of_the_text_is_kept() -> None:
    head = (
        '// my settings\n{\n\t"theme": "dark", // at night\n\t"mcpServers": {\n\t\t"git": {"command": "g"}, // mine\n'
    )
    tail = "\t},\n}\n"
    ours = '\t\t"commonplace": {\n\t\t\t"command": "c",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t},\n'
    assert jsonc.put(head + tail, PATH, {"command": "c", "args": ["mcp"]}) == head + ours + tail
    assert jsonc.put('{"a": 1}', PATH, {"command": "c"}) == '{"a": 1, "mcpServers": {"commonplace": {"command": "c"}}}'


def test_what_a_person_added_to_our_entry_stays() -> None:
    text = '{"mcpServers": {"commonplace": {"command": "old", /* mine */ "env": {"A": "b"}, "args": []}}}'
    assert jsonc.put(text, PATH, OTHER, ENTRY.keys()) == (
        '{"mcpServers": {"commonplace": { /* mine */ "env": {"A": "b"}, "url": "http://127.0.0.1:8765/mcp"}}}'
    )
    path = ("mcp_servers", "commonplace")
    theirs = '\n[mcp_servers.commonplace.env]\nA = "b"\n'
    text = f'[mcp_servers.commonplace]\ncommand = "old" # mine\nstartup_timeout_sec = 20\n{theirs}'
    assert toml_table.put(text, path, {"command": "new", "args": ["mcp"]}) == (
        f'[mcp_servers.commonplace]\ncommand = "new" # mine\nstartup_timeout_sec = 20\nargs = ["mcp"]\n{theirs}'
    )
    assert toml_table.remove(text, path) == ""


@pytest.mark.parametrize(
    ("syntax", "text"),
    [
        ("json", "{"),
        ("json", '{"a": 1} {'),
        ("json", "[]"),
        ("json", '"text"'),
        ("json", '{"mcpServers": []}'),
        ("json", '{"mcpServers": null}'),
        ("json", "[" * 100_000),
        ("toml", "a = "),
        ("toml", "mcpServers = 1\n"),
        ("toml", "mcpServers = { other = { url = 'u' } }\n"),
        ("toml", "[[mcpServers]]\na = 1\n"),
        ("toml", "[mcpServers]\ncommonplace = { command = 'x' }\n"),
        ("toml", "mcpServers.commonplace.command = 'x'\n"),
    ],
)
def test_what_cannot_be_edited_is_left_alone(tmp_path: Path, syntax: str, text: str) -> None:
    target = file(tmp_path, syntax)
    Path(target.path).write_text(text)
    with pytest.raises(ValueError, match="shows what to add"):
        written(target, ENTRY)
    assert Path(target.path).read_text() == text
    assert os.listdir(tmp_path) == ["settings"]


def test_what_is_no_utf_8_is_left_alone(tmp_path: Path) -> None:
    Path(file(tmp_path).path).write_bytes(b'{"a": "\xff"}')
    with pytest.raises(ValueError, match="is not UTF-8"):
        written(file(tmp_path), ENTRY)
    assert Path(file(tmp_path).path).read_bytes() == b'{"a": "\xff"}'


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "settings"
    real.parent.mkdir()
    real.write_text("{}")
    real.chmod(0o640)
    target = file(tmp_path)
    Path(target.path).symlink_to(real)
    _, backup = written(target, ENTRY)
    assert Path(target.path).is_symlink()
    assert json.loads(real.read_text())["mcpServers"]["commonplace"] == ENTRY
    assert real.stat().st_mode & 0o777 == Path(backup).stat().st_mode & 0o777 == 0o640


def test_no_copy_replaces_another(tmp_path: Path) -> None:
    """Not the first by a later one, and not a file of somebody else that has such a name."""
    target = file(tmp_path)
    stranger = Path(target.path + BACKUP)
    stranger.write_text("{}")
    Path(target.path).write_text('{"mine": 1}')
    _, first = written(target, ENTRY)
    assert first.endswith(BACKUP)
    Path(target.path).write_text(jsonc.put(Path(target.path).read_text(), ("theirs",), {"new": 1}))
    _, second = written(target, OTHER)
    assert Path(first).read_text() == '{"mine": 1}'
    assert second != first and '"theirs"' in Path(second).read_text()
    removed(target)
    assert Path(first).read_text() == '{"mine": 1}'
    assert stranger.read_text() == "{}"


def test_what_has_the_name_of_a_copy_and_is_none_stays(tmp_path: Path) -> None:
    """It says what the file says without us, yet we never wrote it."""
    target = file(tmp_path)
    named = [Path(target.path + BACKUP), Path(f"{target.path}.{'0' * 12}{BACKUP}")]
    for each in named:
        each.write_text("{ }")
    written(target, ENTRY)
    assert removed(target) == ("", target.path)
    assert not Path(target.path).exists()
    assert [each.read_text() for each in named] == ["{ }", "{ }"]


def test_what_is_no_file_is_left_alone(tmp_path: Path) -> None:
    target = file(tmp_path)
    os.mkfifo(target.path)
    with pytest.raises(ValueError, match="is not a file"):
        written(target, ENTRY)
    os.unlink(target.path)
    os.symlink(target.path, target.path)
    for edit in (lambda: written(target, ENTRY), lambda: removed(target)):
        with pytest.raises(ValueError, match="cannot be read: Too many levels"):
            edit()
    assert os.readlink(target.path) == target.path
    os.unlink(target.path)
    os.symlink(tmp_path / "later", target.path)
    written(target, ENTRY)
    assert Path(target.path).is_symlink() and (tmp_path / "later").exists()


@pytest.mark.parametrize("text", ['mcp_servers = {x = {command = "y"}}\n', "[mcp]\nservers = {}\n"])
def test_an_inline_table_is_told_as_what_it_is(tmp_path: Path, text: str) -> None:
    path = ("mcp_servers",) if text.startswith("mcp_servers") else ("mcp", "servers")
    target = file(tmp_path, "toml", (*path, "commonplace"))
    Path(target.path).write_text(text)
    with pytest.raises(ValueError, match=r"servers is an inline table; give each in it a header, \[mcp"):
        written(target, ENTRY)
    assert Path(target.path).read_text() == text


def test_no_other_way_to_a_server_stays_beside_ours(cli: Cli, tmp_path: Path) -> None:
    """Gemini CLI takes `httpUrl` before `command`."""
    path = Path(shown(cli, tmp_path, "gemini-cli")["path"])
    path.parent.mkdir(parents=True)
    path.write_text('{"mcpServers": {"commonplace": {"httpUrl": "http://127.0.0.1:1/mcp", "trust": true}}}')
    entry = shown(cli, tmp_path, "gemini-cli", "--write")["entry"]
    assert json.loads(path.read_text())["mcpServers"]["commonplace"] == {"trust": True, **entry}


def test_a_file_that_only_we_wrote_goes(tmp_path: Path) -> None:
    target = file(tmp_path / "new" / "folder")
    assert written(target, ENTRY) == (True, "")
    assert removed(target) == ("", target.path)
    assert os.listdir(tmp_path / "new" / "folder") == []


# The verb.


def asked(cli: Cli, folder: Path, *words: str, **env: str) -> Done:
    """`commonplace setup` with a home of its own."""
    home = {"HOME": str(folder), "APPDATA": str(folder / "AppData"), **env}
    return cli("setup", *words, stdin=b"", terminal=False, **home)


def shown(cli: Cli, folder: Path, *words: str, **env: str) -> dict[str, Any]:
    done = asked(cli, folder, *words, "--json", **env)
    assert done.status == 0, done.err
    answer: dict[str, Any] = json.loads(done.out)
    return answer


def test_the_names_in_help_are_those_of_the_data() -> None:
    assert set(CLIENTS) == set(clients())


@pytest.mark.parametrize("client", CLIENTS)
def test_every_client_is_written_and_removed(cli: Cli, tmp_path: Path, client: str) -> None:
    printed = asked(cli, tmp_path, client)
    assert printed.status == 0
    said = shown(cli, tmp_path, client)
    assert said["path"] in printed.out
    assert not Path(said["path"]).exists()
    assert "mcp" in str(said["entry"])
    assert str(cli.root) in str(said["entry"])
    assert shown(cli, tmp_path, client, "--write")["state"] == "written"
    assert shown(cli, tmp_path, client, "--write")["state"] == "unchanged"
    snippet = printed.out.split("\n\n")[1] + "\n"
    assert Path(said["path"]).read_text() == snippet
    found = tomllib.loads(snippet) if said["path"].endswith("toml") else json.loads(snippet)
    for key in said["keys"]:
        found = found[key]
    assert found == said["entry"]
    assert shown(cli, tmp_path, client, "--remove")["state"] == "removed"
    assert shown(cli, tmp_path, client, "--remove")["state"] == "unchanged"
    assert not Path(said["path"]).exists()


@pytest.mark.parametrize("client", [name for name in CLIENTS if clients()[name]["http"]])
def test_a_server_that_runs_already(cli: Cli, tmp_path: Path, client: str) -> None:
    shown(cli, tmp_path, client, "--write")
    said = shown(cli, tmp_path, client, "--write", "--http", "8765")
    assert "http://127.0.0.1:8765/mcp" in said["entry"].values()
    text = Path(said["path"]).read_text()
    assert "--workspace" not in text
    assert "mcp --http 8765 --workspace" in asked(cli, tmp_path, client, "--http", "8765").out


@pytest.mark.parametrize("client", [name for name in CLIENTS if clients()[name]["project"]])
def test_a_project(cli: Cli, tmp_path: Path, client: str) -> None:
    said = shown(cli, tmp_path / "home", client, "--project", "--write")
    assert said["scope"] == "project"
    assert Path(said["path"]) == cli.root.parent / clients()[client]["project"][0]
    assert Path(said["path"]).exists()


def test_where_the_files_lie(cli: Cli, tmp_path: Path) -> None:
    elsewhere = str(tmp_path / "else")
    for client, variable, place in (
        ("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"),
        ("codex", "CODEX_HOME", "config.toml"),
        ("gemini-cli", "GEMINI_CLI_HOME", ".gemini/settings.json"),
        ("opencode", "XDG_CONFIG_HOME", "opencode/opencode.json"),
        ("openclaw", "OPENCLAW_STATE_DIR", "openclaw.json"),
    ):
        assert shown(cli, tmp_path, client, **{variable: elsewhere})["path"] == str(Path(elsewhere, place))
    (tmp_path / ".config" / "opencode").mkdir(parents=True)
    (tmp_path / ".config" / "opencode" / "opencode.jsonc").write_text("{} // mine")
    assert shown(cli, tmp_path, "opencode")["path"].endswith("opencode.jsonc")


def test_the_workspace_is_the_one_that_was_named(cli: Cli, tmp_path: Path) -> None:
    entry = shown(cli, tmp_path, "cursor", "--workspace", "notes")["entry"]
    assert entry["args"] == ["mcp", "--workspace", str(cli.root.parent / "notes")]


def test_what_does_not_fit_together_is_refused(cli: Cli, tmp_path: Path) -> None:
    for words, why in (
        (("cursr",), "did you mean cursor"),
        (("codex", "--write", "--remove"), "cannot be combined"),
        (("claude-desktop", "--project"), "has no project configuration"),
        (("claude-desktop", "--http", "8765"), "cannot connect by HTTP"),
        (("codex", "--http", "0"), "--http"),
        (("codex", "--http", "http://x"), "--http"),
    ):
        done = asked(cli, tmp_path, *words)
        assert done.status == 2
        assert why in done.err


def test_the_command_works_from_anywhere(tmp_path: Path) -> None:
    """The script beside this interpreter, else the interpreter itself; run from the root of the disk."""
    script = command({})
    assert Path(script[0]).is_absolute()
    module = command({}, prefix=str(tmp_path), executable=str(tmp_path / "python"))
    assert module == [str(tmp_path / "python"), "-m", "commonplace"]
    for words in (script, [sys.executable, *module[1:]]):
        done = subprocess.run([*words, "--version"], cwd="/", env={}, capture_output=True, text=True, check=True)
        assert done.stdout.startswith("commonplace ")


def test_an_environment_made_for_one_run_is_named_by_its_runner(tmp_path: Path) -> None:
    """As `uvx` and `pipx run` lay them out; `uv tool install` and `pipx install` make environments that stay."""
    for name in ("uvx", "pipx"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    env = {"PATH": str(tmp_path)}
    source = "commonplace[mcp] @ file:///home/me/src/commonplace"
    package = [source, "commonplace"]
    uvx = [str(tmp_path / "uvx"), "--from", *package]
    pipx = [str(tmp_path / "pipx"), "run", "--spec", *package]
    assert command(env, prefix="/home/me/.cache/uv/archive-v0/MIKxbJiTYfeQbpWn", source=source) == uvx
    assert command(env, prefix="/home/me/.cache/pipx/4f1b", source=source) == pipx
    installed = command(env, prefix="/home/me/.cache/pipx/4f1b")[3]
    assert installed.startswith("commonplace[mcp] @ file://") and (
        Path(installed.partition("file://")[2]) == Path(__file__).parents[3]
    )
    for prefix in ("/home/me/.local/share/uv/tools/commonplace", "/home/me/.local/share/pipx/venvs/commonplace"):
        assert command(env, prefix=prefix, executable=f"{prefix}/bin/python")[0] == f"{prefix}/bin/python"


def test_what_people_write_is_read_as_json5_reads_it() -> None:
    text = "{unquoted: 'single', // note\n  \"trailing\": [1, 2,],}"
    assert jsonc.parse(text) == json5.loads(text)
    assert jsonc.put(text, PATH, OTHER).endswith(
        '"trailing": [1, 2,], "mcpServers": {"commonplace": {"url": "http://127.0.0.1:8765/mcp"}},}'
    )


def test_a_large_file_is_no_trouble() -> None:
    text = json.dumps({"projects": {f"/home/me/{n}": {"history": ["x"] * 20} for n in range(500)}}, indent=2)
    after = jsonc.put(text, PATH, ENTRY)
    assert jsonc.remove(after, PATH) == text
    assert jsonc.parse(after) == merged(json.loads(text), PATH, ENTRY)


def test_no_entry_that_could_not_start_is_written(tmp_path: Path) -> None:
    """Installed without the extra: the form is shown with what is missing, and --write is refused."""
    code = "import sys; sys.modules['mcp'] = None; from commonplace.doors.cli.main import main; sys.exit(main())"
    env = {**os.environ, "HOME": str(tmp_path), "NO_COLOR": "1"}
    for words, status in (((), 0), (("--write",), 1)):
        line = [sys.executable, "-c", code, "setup", "cursor", "--workspace", str(tmp_path), *words]
        done = subprocess.run(line, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == status
        assert "pip install 'mcp<" in done.stderr
        assert not (tmp_path / ".cursor").exists()
    assert "was not changed" in done.stderr and not done.stdout


@pytest.mark.parametrize("client", [name for name in CLIENTS if clients()[name]["http"]])
def test_of_an_address_it_says_where_the_token_goes(client: str, tmp_path: Path, cli: Cli) -> None:
    """And what a person puts there stays when the entry is written again."""
    done = asked(cli, tmp_path, client, "--http", "8765")
    assert "Writes need the token" in done.out and "Bearer TOKEN" in done.out
    target = Target(client, clients()[client], "user", str(tmp_path / "file"))
    texts = toml_table if target.about["syntax"] == "toml" else jsonc
    entry = {
        key: "http://127.0.0.1:8765/mcp" if value == "{url}" else value for key, value in target.about["http"].items()
    }
    (tmp_path / "file").write_text(texts.put("", target.keys, {**entry}))
    [(key, value)] = target.about["token"].items()
    text = texts.put((tmp_path / "file").read_text(), (*target.keys, key), value)
    (tmp_path / "file").write_text(text)
    written(target, entry)
    assert "Bearer TOKEN" in (tmp_path / "file").read_text()
