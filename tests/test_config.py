"""Which workspace, which day, which settings: real files, a home of its own."""

from __future__ import annotations

import json
import os
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest

from commonplace.config import Settings, find_workspace, locate, read_settings, today
from commonplace.config.semantic_settings import SemanticSettings
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    (folder / "here" / "below").mkdir(parents=True)
    return folder


def found(home: Path, flag: str | None = None, agent: str | None = None, **env: str) -> str:
    """The workspace found from `~/here/below`, relative to the home."""
    path = find_workspace(flag, agent, {"HOME": str(home), **env}, str(home / "here" / "below"))
    return os.path.relpath(path, home)


def openclaw(home: Path, text: str, path: str = ".openclaw/openclaw.json") -> None:
    (home / path).parent.mkdir(parents=True, exist_ok=True)
    (home / path).write_text(text, encoding="utf-8")


class TestWhichWorkspace:
    def test_without_any_setting_the_default_workspace_is_taken(self, home: Path) -> None:
        assert found(home) == ".openclaw/workspace"

    def test_nearest_ancestor(self, home: Path) -> None:
        (home / "here" / "memory").mkdir()
        assert found(home) == ".openclaw/workspace", "an empty memory/ is any folder's"
        (home / "here" / "memory" / "2025-11-27.md").write_text("- hello\n")
        assert found(home) == "here"
        (home / "here" / "below" / "MEMORY.md").touch()
        assert found(home) == "here/below"

    def test_host_before_ancestor(self, home: Path) -> None:
        (home / "here" / "MEMORY.md").touch()
        openclaw(home, "{ agents: { defaults: { workspace: '~/claw' } } } // JSON5")
        assert found(home) == "claw"

    def test_variable_before_host(self, home: Path) -> None:
        openclaw(home, '{"agents": {"defaults": {"workspace": "~/claw"}}}')
        assert found(home, COMMONPLACE_WORKSPACE="~/mine") == "mine"
        assert found(home, COMMONPLACE_WORKSPACE="  ") == "claw"

    def test_flag_before_everything(self, home: Path) -> None:
        openclaw(home, '{"agents": {"defaults": {"workspace": "~/claw"}}}')
        assert found(home, "rel", COMMONPLACE_WORKSPACE="~/mine") == "here/below/rel"
        assert found(home, "~") == "."
        with pytest.raises(UsageError, match="empty"):
            found(home, " ")

    def test_the_reason_for_a_workspace_names_its_source(self, home: Path) -> None:
        openclaw(home, '{"agents": {"defaults": {"workspace": "~/claw"}}}')
        assert "OpenClaw" in locate(None, None, env={"HOME": str(home)}, cwd=str(home)).why


class TestOpenClaw:
    AGENTS = """{
      // JSON5: comments, bare keys, single quotes, trailing commas
      agents: {
        defaults: { workspace: '~/claw', },
        list: [ { id: 'main', default: true }, { id: 'Writer', workspace: '${WRITING}/desk' }, { id: 'coder' }, ],
      },
    }"""

    def test_named_agents(self, home: Path) -> None:
        openclaw(home, self.AGENTS)
        assert found(home, agent="main") == "claw"
        assert found(home, agent="writer", WRITING="~/texts") == "texts/desk"
        assert found(home, agent="coder") == "claw/coder"
        assert found(home, agent="coder", COMMONPLACE_WORKSPACE="~/mine") == "claw/coder", "it was asked for by name"

    def test_an_unknown_agent_is_refused_with_a_name_near_it(self, home: Path) -> None:
        openclaw(home, self.AGENTS)
        with pytest.raises(UsageError) as refused:
            found(home, agent="writter")
        assert "writer" in refused.value.hint
        assert "openclaw.json" in refused.value.message
        assert "there is no file" not in refused.value.message

    def test_agents_as_a_map(self, home: Path) -> None:
        openclaw(home, json.dumps({"agents": {"entries": {"main": {"workspace": "~/a"}, "ops": {}}}}))
        assert found(home) == "a"
        assert found(home, agent="ops") == ".openclaw/workspace-ops"

    def test_state_folder_profile_and_path(self, home: Path) -> None:
        openclaw(home, '{"agents": {"defaults": {"workspace": "~/p"}}}', ".openclaw-work/openclaw.json")
        assert found(home, OPENCLAW_PROFILE="work") == "p"
        assert found(home, OPENCLAW_PROFILE="default") == ".openclaw/workspace"
        assert found(home, OPENCLAW_STATE_DIR="~/.openclaw-work") == "p"
        assert found(home, OPENCLAW_CONFIG_PATH="~/.openclaw-work/openclaw.json") == "p"
        assert found(home, OPENCLAW_HOME="~/elsewhere") == "elsewhere/.openclaw/workspace"
        assert found(home, OPENCLAW_STATE_DIR="~/state") == "state/workspace"

    def test_a_configuration_includes_others(self, home: Path) -> None:
        openclaw(home, "{ agents: { $include: './agents.json5' } }")
        openclaw(home, "{ defaults: { workspace: '~/included', } }", ".openclaw/agents.json5")
        assert found(home) == "included"

    def test_includes_stay_inside_and_end(self, home: Path) -> None:
        openclaw(home, "{ agents: { $include: ['../outside.json', './openclaw.json'] } }")
        openclaw(home, '{"defaults": {"workspace": "~/outside"}}', "outside.json")
        assert found(home) == ".openclaw/workspace"

    @pytest.mark.parametrize("text", ["{", "[" * 100_000, "nonsense"])
    def test_broken_configuration_is_no_guess(self, home: Path, text: str) -> None:
        openclaw(home, text)
        with pytest.raises(UsageError) as refused:
            found(home)
        assert "openclaw.json" in refused.value.message
        assert "--workspace" in refused.value.hint
        assert found(home, "mine") == "here/below/mine", "a flag needs no host"

    @pytest.mark.parametrize("text", ["[]", "null", '{"agents": []}', '{"agents": {"defaults": {"workspace": 7}}}'])
    def test_configuration_of_another_shape(self, home: Path, text: str) -> None:
        openclaw(home, text)
        assert found(home) == ".openclaw/workspace"


class TestToday:
    NOW = datetime(2025, 11, 27, 23, 30, tzinfo=UTC)

    def test_setting_first(self, home: Path) -> None:
        openclaw(home, '{"agents": {"defaults": {"userTimezone": "America/New_York"}}}')
        told = today(Settings(timezone="Asia/Tokyo"), env={"HOME": str(home)}, now=self.NOW)
        assert told == (date(2025, 11, 28), "Asia/Tokyo", "")

    def test_then_the_host(self, home: Path) -> None:
        openclaw(home, '{"agents": {"defaults": {"userTimezone": "Pacific/Kiritimati"}}}')
        assert today(Settings(), env={"HOME": str(home)}, now=self.NOW).day == date(2025, 11, 28)

    def test_the_host_counts_where_the_current_folder_was_removed(
        self, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        openclaw(home, '{"agents": {"defaults": {"userTimezone": "Pacific/Kiritimati"}}}')
        gone = tmp_path / "gone"
        gone.mkdir()
        monkeypatch.chdir(gone)
        gone.rmdir()
        assert today(Settings(), env={"HOME": str(home)}, now=self.NOW).day == date(2025, 11, 28)

    def test_then_the_system(self, home: Path) -> None:
        assert today(Settings(), env={"HOME": str(home)}).day in (date.today(), datetime.now().astimezone().date())

    @pytest.mark.parametrize("name", ["Mars/Phobos", "../../etc/passwd", "Europe", "\0"])
    def test_unknown_zone_is_told(self, home: Path, name: str) -> None:
        told = today(Settings(timezone=name), env={"HOME": str(home)}, now=self.NOW)
        assert (told.day, told.zone) == (date(2025, 11, 27), "UTC")
        assert repr(name) in told.note

    def test_unknown_zone_of_the_system_is_told(self, home: Path) -> None:
        told = today(Settings(), env={"HOME": str(home), "TZ": "Mars/Phobos"}, now=self.NOW)
        assert "TZ" in told.note

    def test_a_broken_host_stops_no_clock(self, home: Path) -> None:
        openclaw(home, "{")
        assert today(Settings(), env={"HOME": str(home)}, now=self.NOW).note == ""


class TestSettings:
    def test_without_a_settings_file_defaults_hold(self, tmp_path: Path) -> None:
        assert read_settings(str(tmp_path)) == Settings()
        assert read_settings(str(tmp_path / "missing")) == Settings()

    def test_settings_of_the_file_are_read(self, tmp_path: Path) -> None:
        (tmp_path / "commonplace.toml").write_text(
            'timezone = "Asia/Tokyo"\ninclude = ["notes/**"]\nk = 25\ncommit = true\n'
        )
        assert read_settings(str(tmp_path)) == Settings("Asia/Tokyo", ("notes/**",), k=25, commit=True)

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("budgett = 3", "unknown key 'budgett'"),
            ("budget = '3'", "budget must be a whole number"),
            ("budget = 0", "budget must be a whole number"),
            ("k = true", "k must be a whole number"),
            ("include = 'notes'", "include must be a list"),
            ("include = [1]", "include must be a list"),
            ("commit = 1", "commit must be true or false"),
            ("timezone = 3", "timezone must be a text"),
            ("= 3", "is not TOML"),
            ("[a", "is not TOML"),
            ("core = 3", "core must be a list"),
            ("format = 'new'", "format must be a whole number"),
            ("semantic = 'local'", "semantic must be a table"),
            ("semantic.embedder = 'ollama'", 'embedder in [semantic] must be "local" or "endpoint"'),
            ("semantic.embedder = 'endpoint'", 'embedder = "endpoint" needs url'),
            ("semantic.embedder = 'endpoint'\nsemantic.url = 'http://[::1]'", 'embedder = "endpoint" needs model'),
            ("semantic.search = 'fast'", 'search in [semantic] must be "exact" or "suco" or "hnsw"'),
            ("semantic.batch = 0", "batch in [semantic] must be a whole number above 0, not 0"),
            ("semantic.timeout = 1.5", "timeout in [semantic] must be a whole number"),
            ("semantic.allow_remote = 'yes'", "allow_remote in [semantic] must be true or false"),
            ("semantic.model = ['a']", "model in [semantic] must be a text"),
        ],
    )
    def test_a_wrong_setting_is_refused_with_its_reason(self, tmp_path: Path, text: str, says: str) -> None:
        (tmp_path / "commonplace.toml").write_text(text)
        with pytest.raises(UsageError) as refused:
            read_settings(str(tmp_path))
        assert says in refused.value.message
        assert str(tmp_path / "commonplace.toml") in refused.value.message
        assert "docs/" not in refused.value.hint, "whoever installed a wheel has none"
        if ": write" in str(refused.value):
            (tmp_path / "commonplace.toml").write_text(refused.value.hint.partition(": ")[2])
            read_settings(str(tmp_path))

    @pytest.mark.parametrize(
        ("text", "meant"), [("includ", "include"), ("Budget", "budget"), ("time_zone", "timezone")]
    )
    def test_a_misspelt_key_is_told_what_it_is_near(self, tmp_path: Path, text: str, meant: str) -> None:
        (tmp_path / "commonplace.toml").write_text(f"{text} = 3")
        with pytest.raises(UsageError, match=rf"did you mean {meant}\?"):
            read_settings(str(tmp_path))

    def test_wrong_keys_name_the_allowed_ones(self, tmp_path: Path) -> None:
        (tmp_path / "commonplace.toml").write_text("x = 1")
        with pytest.raises(UsageError) as refused:
            read_settings(str(tmp_path))
        assert all(key in refused.value.hint for key in Settings._fields)

    def test_a_newer_format_may_have_new_keys(self, tmp_path: Path) -> None:
        (tmp_path / "commonplace.toml").write_text("format = 2\nshelf = 'oak'\nk = 3\n")
        settings = read_settings(str(tmp_path))
        assert (settings.format, settings.k) == (2, 3)

    def test_the_table_semantic_is_a_value_of_its_own(self, tmp_path: Path) -> None:
        assert Settings().semantic == SemanticSettings()
        assert not Settings().semantic.embedder, "off until asked for"
        (tmp_path / "commonplace.toml").write_text(
            'k = 3\n[semantic]\nembedder = "endpoint"\nurl = "http://127.0.0.1:11434"\nmodel = "nomic-embed-text"\n'
            'query_prefix = "search_query: "\npassage_prefix = "search_document: "\nkey_env = "THEIR_KEY"\n'
            'batch = 8\ntimeout = 90\nallow_remote = true\nsearch = "suco"\n'
        )
        assert read_settings(str(tmp_path)).semantic == SemanticSettings(
            *("endpoint", "http://127.0.0.1:11434", "nomic-embed-text", "search_query: ", "search_document: "),
            *("THEIR_KEY", 8, 90, True, "suco"),
        )

    @pytest.mark.parametrize(
        "line",
        [
            *('key = "{}"', 'api_key = "{}"', 'apiKey = "{}"', 'token = "{}"', 'password = "{}"', 'key_env = "{}"'),
            *('url = "http://me:{}@127.0.0.1"', 'url = "http://127.0.0.1/?k={}"', 'url = ["{}"]', 'key_env = ["{}"]'),
            *('authorization = "Bearer {}"', "model = {{ key = '{}' }}"),
        ],
    )
    @pytest.mark.parametrize("newer", ["", "format = 2\n"])
    def test_a_secret_in_the_table_is_refused_and_not_repeated(self, tmp_path: Path, line: str, newer: str) -> None:
        secret = "sk-test-3f9a7c21d0e84b56a1c2"
        (tmp_path / "commonplace.toml").write_text(f"{newer}[semantic]\n{line.format(secret)}\n")
        with pytest.raises(UsageError) as refused:
            read_settings(str(tmp_path))
        assert secret not in str(refused.value)
        if "must be a text" not in refused.value.message:
            assert 'semantic.key_env = "EMBEDDINGS_KEY"' in refused.value.hint

    def test_a_wrong_key_in_the_table_is_told_what_it_is_near(self, tmp_path: Path) -> None:
        (tmp_path / "commonplace.toml").write_text("[semantic]\nallow-remote = true\n")
        with pytest.raises(
            UsageError, match=r"unknown key 'allow-remote' in \[semantic\]: did you mean allow_remote\?"
        ):
            read_settings(str(tmp_path))
        (tmp_path / "commonplace.toml").write_text("format = 2\n[semantic]\nallow-remote = true\nbatch = 4\n")
        assert read_settings(str(tmp_path)).semantic == SemanticSettings(batch=4)

    def test_not_utf8_and_not_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "commonplace.toml").write_bytes(b'k = 3\ntimezone = "\xff"\n')
        with pytest.raises(UsageError, match="not UTF-8: line 2, byte 19") as refused:
            read_settings(str(tmp_path))
        assert "codec" not in str(refused.value)
        (tmp_path / "commonplace.toml").unlink()
        (tmp_path / "commonplace.toml").mkdir()
        with pytest.raises(UsageError, match="is a folder, not a settings file"):
            read_settings(str(tmp_path))
