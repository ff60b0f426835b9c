"""The worker, as a host runs it: a process of its own, JSON lines in and out, whatever comes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.doors.mcp.test_mcp_life import large
from tests.doors.shared.test_batch import REFUSED

from commonplace import Memory
from commonplace.doors.shared.request_lines import MOST_BYTES
from commonplace.doors.tools import tool_calls

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tests.conftest import Cli, Write

LOG = """
    === MEMORY.md
    # Memory

    - Peter is to be asked before anything is bought.
    === memory/2025-11-26.md
    ## Retain
    - O(c=0.9) @Peter: Prefers concise replies. ^concis
    === memory/2025-11-27.md
    ## Retain
    - W @Peter: Currently in Marrakech (Nov 27–Dec 1, 2025) for the birthday of Andy. ^marrak
    - W @Andy: Turned fifty. ^turned
"""
ARGV = [sys.executable, "-m", "commonplace", "worker", "--today", "2025-11-28", "--workspace"]
BUG = "import commonplace.ops.write.edit_files; commonplace.ops.write.edit_files.append = lambda *_, **__: 1 / 0"
WITH_A_BUG = [
    *(sys.executable, "-c", f"{BUG}; import commonplace.doors.cli.main as cli; raise SystemExit(cli.main())"),
    *("worker", "--today", "2025-11-28", "--workspace"),
]


class Host:
    """What keeps a worker: sends a line, reads the answer."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self.put, self.got = process.stdin, process.stdout

    def send(self, line: str | bytes) -> Any:
        """The answer to a raw line."""
        self.put.write((line if isinstance(line, bytes) else line.encode()) + b"\n")
        self.put.flush()
        return json.loads(self.got.readline())

    def __call__(self, verb: str, **fields: Any) -> Any:
        """The result of a verb."""
        answer = self.send(json.dumps({"id": verb, "verb": verb, **fields}))
        assert answer.keys() == {"id", "result"}, answer
        assert answer["id"] == verb
        return answer["result"]

    def refused(self, verb: str, **fields: Any) -> str:
        """The code of the error of a verb."""
        answer = self.send(json.dumps({"id": verb, "verb": verb, **fields}))
        assert answer.keys() == {"id", "error"}, answer
        assert answer["error"].keys() == {"code", "message", "hint"}
        return str(answer["error"]["code"])

    def close(self) -> tuple[int, bytes, bytes]:
        """End its input; the exit status, and what it still said on standard output and error."""
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


@contextmanager
def working(root: Path, *flags: str, argv: Sequence[str] = ARGV) -> Iterator[Host]:
    words = [*argv, str(root), *flags]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            yield Host(process)
        finally:
            process.kill()


@pytest.fixture
def host(workspace: Write) -> Iterator[Host]:
    """A worker over the log above, which must end well and have kept its standard error clean."""
    with working(workspace(LOG)) as host:
        yield host
        if host.process.poll() is None:
            assert host.close() == (0, b"", b"")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


class TestProtocol:
    @pytest.mark.parametrize("id", [1, -0.5, "a\u2028b", None, [], {"deep": [{"x": None}]}, True, "\ud800"])
    def test_an_id_comes_back_as_it_was(self, host: Host, id: object) -> None:
        answer = host.send(json.dumps({"id": id, "verb": "status"}))
        assert answer["id"] == id
        assert host.send(json.dumps({"verb": "nothing", "id": id}))["id"] == id

    def test_without_a_verb_it_recalls(self, host: Host) -> None:
        asked = host.send('{"id": 1, "query": "Marrakech"}')
        assert asked["result"] == host("recall", query="Marrakech")
        assert host.send('{"verb": "recall", "query": "Marrakech"}') == {"result": asked["result"]}

    def test_the_batch_form_is_answered_as_recall_answers_it(self, host: Host, cli: Cli) -> None:
        lines = [
            "Marrakech",
            "  what does Peter prefer?\r",
            '{"query": "what does Peter prefer?", "k": 1, "kinds": ["opinion"], "today": "2025-11-28"}',
            '{"query": "", "entities": ["Peter"], "since": "2025-11-27", "budget": 200}',
            *REFUSED,
            '{"query": "Peter", "query": "Andy"}',
            '{"query": "Peter", "k": NaN}',
            "Tur\u2028ned\u0085",
        ]
        batch = cli("recall", "-", "--json", "--today", "2025-11-28", stdin="\n".join(lines) + "\n").lines
        answers = [host.send(line) for line in lines]
        for each in (*answers, *batch):
            each.get("error", {}).pop("hint", "")  # which keys there are: those of the table
        assert answers == batch

    def test_a_day_is_that_of_its_request(self, host: Host) -> None:
        assert host("status", today="2026-02-03")["today"] == "2026-02-03"
        assert host("status")["today"] == "2025-11-28"
        assert host.refused("status", today="soon") == "usage"

    def test_answers_come_in_order_though_many_are_asked_at_once(self, host: Host) -> None:
        asked = [{"id": number, "verb": ("status", "recall", "core")[number % 3]} for number in range(300)]
        asked = [{**each, **({"query": "Peter"} if each["verb"] == "recall" else {})} for each in asked]
        out, err = host.process.communicate("".join(json.dumps(each) + "\n" for each in asked).encode(), timeout=60)
        answers = [json.loads(line) for line in out.splitlines()]
        assert [answer["id"] for answer in answers] == list(range(300))
        assert all("result" in answer for answer in answers)
        assert (host.process.returncode, err) == (0, b"")

    def test_a_last_line_needs_no_end(self, host: Host) -> None:
        out, _ = host.process.communicate(b'{"id": 7, "verb": "status"}', timeout=60)
        assert json.loads(out)["id"] == 7

    def test_an_answer_is_one_line_for_every_reader(self, host: Host, root: Path) -> None:
        with (root / "MEMORY.md").open("a", encoding="utf-8", newline="") as file:
            file.write("- next\u0085line\u2028para\u2029graph\x1c\x0b\n")
        host.put.write(b'{"id": 1, "verb": "get", "target": "MEMORY.md#L4"}\n')
        host.put.flush()
        line = host.got.readline().decode()
        assert len(line.splitlines()) == 1
        assert json.loads(line)["result"]["text"] == "- next\u0085line\u2028para\u2029graph\x1c\x0b\n"


CANCELLED = {"code": "cancelled", "message": "the request was cancelled", "hint": "nothing was changed"}


class TestProgressAndCancel:
    @pytest.fixture
    def busy(self, workspace: Write) -> Iterator[Host]:
        """A worker over a workspace whose first reflect takes a second."""
        with working(large(workspace)) as host:
            yield host
            assert host.close() == (0, b"", b"")

    @staticmethod
    def put(host: Host, *lines: object) -> None:
        """Send lines in one write, so that they arrive together."""
        host.put.write("".join(json.dumps(line) + "\n" for line in lines).encode())
        host.put.flush()

    @staticmethod
    def got(host: Host) -> Any:
        return json.loads(host.got.readline())

    def test_how_far_it_is_comes_before_the_result(self, busy: Host) -> None:
        self.put(busy, {"id": "r", "verb": "reflect", "dry_run": True, "progress": True})
        told = [self.got(busy)]
        while "result" not in told[-1]:
            told.append(self.got(busy))
        *steps, last = told
        assert steps and last["result"]["outcome"] == "changed"
        for step in steps:
            assert step.keys() == {"id", "progress"} and step["id"] == "r"
            assert step["progress"].keys() == {"done", "total", "what"}
            assert 0 <= step["progress"]["done"] <= step["progress"]["total"]
            assert step["progress"]["what"] == "reflect"

    def test_nothing_is_told_of_it_unless_asked_for(self, busy: Host) -> None:
        assert busy("reflect", dry_run=True)["outcome"] == "changed"

    @pytest.mark.parametrize("wrong", ["yes", 1, None])
    def test_a_wrong_wish_is_refused(self, host: Host, wrong: object) -> None:
        assert host.refused("status", progress=wrong) == "usage"

    def test_a_reflect_that_is_cancelled_has_written_nothing(self, busy: Host, root: Path) -> None:
        before = {path: path.read_bytes() for path in root.rglob("*.md")}
        self.put(busy, {"id": 7, "verb": "reflect", "yes": True, "progress": True})
        assert "progress" in self.got(busy)
        self.put(busy, {"cancel": 7})
        told = self.got(busy)
        while "progress" in told:
            told = self.got(busy)
        assert told == {"id": 7, "error": CANCELLED}
        assert {path: path.read_bytes() for path in root.rglob("*.md")} == before
        assert busy("recall", query="who repaired boat 3?")["hits"], "the next is served"
        assert busy("reflect", yes=True)["applied"]

    def test_a_request_that_waits_is_cancelled_before_it_begins(self, host: Host, root: Path) -> None:
        fact = {"id": "b", "verb": "retain", "text": "W @Ola: Keeps bees."}
        self.put(host, {"id": "a", "verb": "status"}, fact, {"cancel": "b"}, {"id": "c", "verb": "status"})
        first, second, third = self.got(host), self.got(host), self.got(host)
        assert (first["id"], third["id"], second) == ("a", "c", {"id": "b", "error": CANCELLED})
        assert "bees" not in "".join(path.read_text() for path in root.rglob("*.md"))
        assert host.send(json.dumps(fact))["result"]["created"], "an id that comes again is another request"

    def test_what_is_not_asked_cannot_be_cancelled_and_is_not_answered(self, host: Host) -> None:
        self.put(host, {"cancel": 5}, {"id": 1, "verb": "status"}, {"cancel": True}, {"cancel": 1.0}, {"cancel": "x"})
        assert self.got(host).keys() == {"id", "result"}
        self.put(host, {"cancel": 1})  # too late
        assert host("status")["facts"] == 3

    def test_a_cancel_with_other_keys_is_a_bad_request(self, host: Host) -> None:
        assert host.send('{"id": 1, "cancel": 1}')["error"]["code"] == "usage"


class TestVerbs:
    def test_every_verb_answers_as_the_table_says(self, host: Host, root: Path) -> None:
        calls: dict[str, dict[str, Any]] = {
            "index": {"rebuild": True},
            "status": {},
            "check": {},
            "recall": {"query": "what does Peter prefer?", "kinds": ["opinion"]},
            "explain": {"query": "where was Peter last week?"},
            "weigh": {"opinion": "Peter likes tea", "fact": "Peter hates tea"},
            "show": {"target": "marrak"},
            "get": {"target": "memory/2025-11-27.md#L2-L3"},
            "core": {"numbered": True},
            "context": {"query": "where is Peter?", "budget": 900},
            "reflect": {"dry_run": True},
            "entity": {"name": "Peter"},
            "entities": {},
            "days": {},
            "opinions": {"history": True},
            "judge": {},
            "review": {},
            "packet": {"budget": 2000},
            "log": {"k": 3},
            "changes": {},
        }
        assert calls.keys() == {tool.name for tool in tool_calls.tools() if tool.read_only or tool.name in calls}
        with Memory(str(root)) as memory:
            memory.index()
        got = {verb: host(verb, **fields) for verb, fields in calls.items()}
        assert got["status"]["facts"] == 3
        assert got["entities"]["entities"][0]["name"] == "Peter"
        assert [hit["id"] for hit in got["recall"]["hits"]] == ["concis"]
        assert got["weigh"]["stance"] == "contradicts"
        assert got["get"]["text"].count("\n") == 2
        assert got["context"]["text"].startswith("<block ")
        assert (got["reflect"]["outcome"], got["reflect"]["applied"]) == ("changed", False)
        assert "digest" in got["get"]

    def test_a_fact_is_retained_recalled_corrected_and_forgotten(self, host: Host, root: Path) -> None:
        kept = host("retain", text="W @Peter: Bought a blue kettle.")
        assert kept["source"] == "memory/2025-11-28.md#L5"
        assert host("recall", query="kettle")["hits"][0]["id"] == kept["id"]
        right = host("correct", target=kept["id"], text="Bought a red kettle.")
        assert host("show", target=kept["id"])["superseded_by"] == right["source"]
        assert host("reflect")["outcome"] == "changed"
        assert (root / "bank" / "entities" / "Peter.md").exists()
        assert host("merge", into="Peter", other="Andy")["applied"] is True
        assert host("undo")["undone"]
        host("retract", target=right["id"], reason="it was a pot")
        assert host("forget", target=kept["id"])["fact"]["id"] == kept["id"]
        assert "blue kettle" not in (root / "memory" / "2025-11-28.md").read_text(encoding="utf-8")
        seen = host("get", target="MEMORY.md")["digest"]
        done = host("append", path="MEMORY.md", text="- One.", digest=seen)
        assert host.refused("replace", path="MEMORY.md", old="One", new="Two", digest=seen) == "changed-underneath"
        host("replace", path="MEMORY.md", old="One", new="Two", digest=done["digest"])
        host("insert", path="MEMORY.md", text="- Zero.", after=3)
        assert host("get", target="MEMORY.md#L4-L5")["text"] == "- Zero.\n- Two.\n"
        assert host("hear", text="nobody knows what this says")["answered"] is None

    def test_a_file_that_another_program_wrote_is_seen_at_once(self, host: Host, root: Path) -> None:
        for number in range(20):
            with open(root / "memory" / "2025-11-28.md", "a", encoding="utf-8") as file:
                file.write(f"- Zebra number {number} came by.\n")
            (hit,) = host("recall", query=f"zebra number {number}", k=1)["hits"]
            assert f"number {number} " in hit["content"]

    def test_settings_that_were_changed_hold(self, host: Host, root: Path) -> None:
        assert host("recall", query="Peter")["budget"] == 1500
        (root / "commonplace.toml").write_text("budget = 400\n", encoding="utf-8")
        assert host("recall", query="Peter")["budget"] == 400
        (root / "commonplace.toml").write_text("budget = [\n", encoding="utf-8")
        assert host.refused("recall", query="Peter") in ("usage", "workspace")
        (root / "commonplace.toml").unlink()
        assert host("recall", query="Peter")["budget"] == 1500


class TestOddLines:
    @pytest.mark.parametrize(
        "line",
        [
            b"\xff\xfe",
            b'{"id": 1',
            b'{"id": 1} {"id": 2}',
            b"{}",
            b'{"verb": "status", "verb": "check"}',
            b'{"verb": "status", "colour": 1}',
            b'{"verb": "setup"}',
            b'{"verb": []}',
            b'{"verb": {"a": 1}}',
            b'{"verb": 3}',
            b'{"id": 1e999, "verb": "status"}',
            b'{"id": NaN, "verb": "status"}',
            b'{"id": ' + b"9" * 5000 + b', "verb": "status"}',
            b'{"verb": "get", "target": "../../etc/passwd"}',
            b'{"verb": "get", "target": "/etc/passwd"}',
            b'{"verb": "get", "target": "a\\u0000b.md"}',
            b'{"verb": "append", "path": "' + b"x" * 900 + b'.md", "text": "a"}',
            b'{"verb": "retain", "text": "\\ud800 alone"}',
            b'{"verb": "recall", "query": "' + b"x" * 200_000 + b'"}',
        ],
        ids=range(19),
    )
    def test_it_is_refused_and_the_next_is_served(self, host: Host, line: bytes) -> None:
        answer = host.send(line)
        assert answer["error"]["message"]
        assert answer["error"]["code"] in ("usage", "workspace", "outside-workspace", "not-found")
        assert "bug" not in answer["error"]["message"]
        assert host("status")["facts"] == 3

    @pytest.mark.parametrize("depth", [100, 900, 950, 960, 970, 975, 980, 985, 990, 995, 1000, 100_000])
    def test_json_of_any_depth_is_answered(self, host: Host, depth: int) -> None:
        for key in ("id", "query"):
            host.put.write(f'{{"verb": "status", "{key}": {"[" * depth}{"]" * depth}}}\n'.encode())
            host.put.flush()
            said = host.got.readline()
            assert said.startswith(b'{"id": [[[' if key == "id" and depth < 900 else b"{"), said
            assert b"bug" not in said
        assert host("status")["facts"] == 3

    def test_a_line_that_is_too_long_is_refused_and_the_next_is_served(self, host: Host) -> None:
        for size in (MOST_BYTES + 1, 5_000_000, 20_000_000):
            answer = host.send(b'{"id": 1, "verb": "recall", "query": "' + b"x" * size + b'"}')
            assert answer == {
                "error": {
                    "code": "usage",
                    "message": "the line is too long",
                    "hint": f"at most {MOST_BYTES:,} bytes are read",
                }
            }
        assert host("status")["facts"] == 3
        with open(f"/proc/{host.process.pid}/status", encoding="ascii") as file:
            peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
        assert peak < 90_000, "a line that is too long is not kept"

    def test_the_longest_text_that_a_key_may_hold_fits_a_line(self, host: Host) -> None:
        text = json.dumps("\u4e2d" * 99_990)
        assert host.send(f'{{"id": 1, "verb": "append", "path": "MEMORY.md", "text": {text}}}')["result"]["lines"] == 1


class TestMishaps:
    def test_an_index_that_was_deleted_is_made_anew(self, host: Host, root: Path) -> None:
        first = host("recall", query="Marrakech")
        for part in (root / ".memory").glob("index*"):
            part.unlink()
        assert host("recall", query="Marrakech") == first
        shutil.rmtree(root / ".memory")
        assert host("recall", query="Marrakech") == first
        (root / ".memory" / "index.sqlite").write_bytes(b"no database at all" * 1000)
        assert host("recall", query="Marrakech")["hits"] == first["hits"]

    def test_a_workspace_that_was_moved_is_told_and_served_once_it_is_back(self, host: Host, root: Path) -> None:
        first = host("recall", query="Marrakech")
        root.rename(root.with_name("elsewhere"))
        for verb, fields in (("recall", {"query": "Marrakech"}), ("retain", {"text": "W x"}), ("status", {})):
            assert host.refused(verb, **fields) == "not-a-workspace"
        assert host("weigh", opinion="a", fact="b"), "it needs none"
        assert not root.exists()
        root.with_name("elsewhere").rename(root)
        assert host("recall", query="Marrakech") == first
        assert host("retain", text="W @Peter: Is back.")["created"]

    def test_another_folder_in_its_place_is_another_workspace(self, host: Host, root: Path) -> None:
        host("recall", query="Marrakech")
        root.rename(root.with_name("elsewhere"))
        (root / "memory").mkdir(parents=True)
        (root / "memory" / "2025-11-01.md").write_text("## Retain\n- W @Mona: Sold the boat.\n", encoding="utf-8")
        assert host("recall", query="Marrakech")["status"] == "empty"
        assert host("recall", query="the boat")["hits"][0]["entities"] == ["Mona"]
        assert (root.with_name("elsewhere") / "MEMORY.md").exists()

    def test_it_may_start_before_its_workspace_is_there(self, tmp_path: Path) -> None:
        root = tmp_path / "later"
        with working(root) as host:
            assert host.refused("recall", query="Peter") == "not-a-workspace"
            root.mkdir()
            assert host("recall", query="Peter")["status"] == "empty"
            assert host.close() == (0, b"", b"")

    def test_a_bug_is_told_and_the_next_is_served(self, workspace: Write) -> None:
        with working(workspace(LOG), argv=WITH_A_BUG) as host:
            answer = host.send('{"id": 1, "verb": "append", "path": "MEMORY.md", "text": "- x"}')
            assert "--verbose" in answer["error"]["hint"]
            assert host("recall", query="Marrakech")["hits"]

    def test_where_a_bug_is_stands_on_standard_error_when_asked_for(self, workspace: Write) -> None:
        root = workspace(LOG)
        line = b'{"verb": "append", "path": "MEMORY.md", "text": "- x"}\n'
        for words, told in (([], b""), (["--verbose"], b"Traceback")):
            argv = [*WITH_A_BUG, str(root), *words]
            done = subprocess.run(argv, input=line, capture_output=True, timeout=60, check=True)
            assert json.loads(done.stdout)["error"]["hint"] and told in done.stderr and bool(told) is bool(done.stderr)


def test_answers_as_a_model_is_given_them(host: Host) -> None:
    found = host("recall", query="Peter", brief=True)
    assert found.keys() == {"text", "data"}
    assert "- W @Peter: Currently in Marrakech" in found["text"]
    assert found["data"]["hits"][0].keys() <= {"text", "source", "id", "timestamp", "confidence"}
    refused = host.send('{"verb": "status", "brief": true}')["error"]
    assert refused["message"] == "unknown verb 'status'", "models are not given it"
    assert host.send('{"query": "Peter", "brief": 1}')["error"]["code"] == "usage"


def test_a_host_adds_its_session_to_what_its_model_retains(host: Host, root: Path) -> None:
    done = host("retain", text="W @Ola: Keeps bees.", brief=True, session="openclaw:4f1b")
    path = done["data"]["source"].partition("#")[0]
    assert "Keeps bees. <!-- cp: session=openclaw:4f1b -->" in (root / path).read_text()
    assert "said by" not in host("recall", query="who keeps bees?", brief=True, session="openclaw:4f1b")["text"]
    refused = host.send('{"verb": "retain", "text": "W: x", "brief": true, "session": 7}')["error"]
    assert refused["code"] == "usage"


class TestEnds:
    def test_it_ends_with_its_input(self, host: Host) -> None:
        host("status")
        assert host.close() == (0, b"", b"")

    def test_it_ends_quietly_when_nobody_reads_it(self, workspace: Write) -> None:
        with working(workspace(LOG)) as host:
            host.got.close()
            host.put.write(b'{"verb": "status"}\n')
            host.put.flush()
            assert host.process.wait(timeout=60) == 141
            assert host.process.stderr is not None
            assert host.process.stderr.read() == b""

    @pytest.mark.skipif(sys.platform == "win32", reason="there are no orphans to be told")
    def test_it_ends_when_its_parent_is_gone_though_its_input_stays_open(self, workspace: Write) -> None:
        """As of a host that dies while another child of it still holds the pipe."""
        parent = "import subprocess, sys; subprocess.run(sys.argv[1:])"
        argv = [sys.executable, "-c", parent, *ARGV, str(workspace(LOG))]
        with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            host = Host(process)
            host("status")
            os.kill(process.pid, signal.SIGKILL)
            assert host.got.read() == b"", "its end of the pipe is closed once it has ended"

    def test_it_ends_by_an_interrupt(self, host: Host) -> None:
        host("status")
        host.process.send_signal(signal.SIGINT)
        assert host.process.wait(timeout=60) == 130
