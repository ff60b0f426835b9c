"""The table of tools: what a model is told and what that costs, what is taken, what is answered."""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import commonplace
from commonplace import Memory
from commonplace.core.recall.packing import count_tokens
from commonplace.doors.answers.brief_answers import MOST_TOKENS
from commonplace.doors.shared import wire
from commonplace.doors.table.tool_fields import TYPES, schema
from commonplace.doors.table.verb_table import VERBS
from commonplace.doors.tools import tool_calls
from commonplace.errors import CommonplaceError, NotFound, UsageError

if TYPE_CHECKING:
    from tests.conftest import Cli, Write

    from commonplace.doors.table.verb_fields import Verb

LOG = """
    === MEMORY.md
    # Memory

    - Peter is to be asked before anything is bought.
    === memory/2025-11-26.md
    ## Retain
    - O(c=0.9) @Peter: Prefers concise replies.
    - W @Andy: Turned fifty in Marrakech. ^turned
    === memory/2025-11-27.md
    ## Retain
    - W @Peter: Currently in Marrakech (Nov 27–Dec 1, 2025) for the birthday of Andy.
    - S @Peter: Asked twice for shorter replies.
"""
AGENTS = [tool for tool in tool_calls.tools() if tool.agent]
ARGUMENTS: dict[str, dict[str, Any]] = {
    "recall": {"query": "where is Peter?"},
    "retain": {"text": "W @Peter: Bought a kettle.", "date": "2025-11-28"},
    "reflect": {},
    "entity": {"name": "Peter"},
    "opinions": {},
    "judge": {},
    "review": {},
    "correct": {"target": "memory/2025-11-26.md#L3", "text": "Turned sixty in Marrakech."},
    "core": {},
    "append": {"path": "bank/notes.md", "text": "- one more"},
    "replace": {"path": "MEMORY.md", "old": "bought", "new": "sold"},
    "insert": {"path": "MEMORY.md", "text": "- At the top.", "after": 2},
    "get": {"target": "MEMORY.md#L3"},
    "init": {},
    "context": {"query": "Peter"},
    "show": {"target": "memory/2025-11-26.md#L2"},
    "explain": {"query": "where was Peter last week?"},
    "weigh": {"opinion": "Peter likes tea", "fact": "Peter hates tea"},
    "index": {},
    "status": {},
    "check": {},
    "doctor": {},
    "log": {},
    "packet": {},
    "hear": {"text": "i-4k2p7 accept"},
    "retract": {"target": "turned"},
    "forget": {"target": "^turned"},
    "import": {"paths": [__file__], "form": "notes"},
    "merge": {"into": "Peter", "other": "Andy"},
    "entities": {},
    "days": {},
    "undo": {},
    "changes": {},
    "undo_model": {},
}
"""A call of each tool that is right."""


@pytest.fixture
def memory(workspace: Write) -> Memory:
    from datetime import date

    return Memory(str(workspace(LOG)), today=date(2025, 11, 28))


@pytest.fixture
def crowded(workspace: Write) -> Memory:
    """A workspace that has too much of everything for a model."""
    from datetime import date

    days = {
        f"memory/2025-{month:02}-{day:02}.md": "## Retain\n"
        + "".join(
            f"- {'O(c=0.8)' if number % 2 else 'W'} @Peter: Talked with Andy of plan {month}-{day}-{number} for the "
            f'house by the sea, which is "nearly" as old as the lighthouse next to it and needs a new roof.\n'
            for number in range(12)
        )
        for month in (10, 11)
        for day in range(1, 26)
    }
    page = "# Peter\n\n" + "".join(f'- A person wrote line {number}: «naïve» 北京 \\ "\n' for number in range(4000))
    files = {**days, "bank/entities/Peter.md": page, "bank/one.md": "word " * 90_000}
    return Memory(str(workspace(files)), today=date(2025, 11, 28))


def files(root: str) -> dict[str, bytes]:
    """What stands in a workspace, but for what can be made anew."""
    from pathlib import Path

    found = {path.relative_to(root): path for path in Path(root).rglob("*") if path.is_file()}
    return {str(name): path.read_bytes() for name, path in found.items() if name.parts[0] != ".memory"}


def method(tool: Verb) -> Any:
    """What a tool calls."""
    if tool.name == "weigh":
        return commonplace.weigh
    return getattr(Memory, {"judge": "answer", "review": "answer", "import": "import_notes"}.get(tool.name, tool.name))


def parameter(tool: Verb, key: str) -> str:
    """The parameter that a key is given to."""
    if key == "no_sync":
        return "sync"
    return "id" if key == "target" and tool.name in ("correct", "retract", "forget") else key


class TestTable:
    def test_all_that_a_model_is_told_costs_little(self) -> None:
        assert count_tokens(json.dumps(tool_calls.listing())) <= 2_500

    def test_agents_have_these_tools(self) -> None:
        names = "recall retain reflect entity opinions judge review correct core append replace insert get"
        assert [tool["name"] for tool in tool_calls.listing()] == names.split()

    def test_every_tool_has_a_call_here(self) -> None:
        assert ARGUMENTS.keys() == {tool.name for tool in tool_calls.tools()}

    @pytest.mark.parametrize("tool", tool_calls.tools(), ids=lambda tool: tool.name)
    def test_keys_are_parameters_of_the_library(self, tool: Verb) -> None:
        parameters = dict(inspect.signature(method(tool)).parameters)
        if tool.name == "forget":  # one, or many
            parameters |= inspect.signature(Memory.forget_all).parameters
        # the door tells this much of what the library returns
        own = {"opinions": {"history"}, "review": {"k"}}.get(tool.name, set())
        assert {parameter(tool, field.name) for field in tool.program_fields()} - own <= parameters.keys()
        assert {field.type for field in tool.program_fields()} <= TYPES.keys()
        assert all(field.most for field in tool.program_fields() if field.type == "count")

    @pytest.mark.parametrize("tool", tool_calls.tools(), ids=lambda tool: tool.name)
    def test_what_a_parameter_needs_is_required(self, tool: Verb) -> None:
        if tool.name in ("judge", "review", "recall", "forget"):  # both or neither; a filter does without the other
            return
        needed = {
            name
            for name, parameter in inspect.signature(method(tool)).parameters.items()
            if parameter.default is parameter.empty and name != "memory"
        }
        assert {parameter(tool, field.name) for field in tool.program_fields() if field.required} == needed

    def test_what_only_reads_neither_destroys_nor_repeats(self) -> None:
        for tool in tool_calls.tools():
            assert not (tool.read_only and (tool.destructive or tool.idempotent)), tool.name

    def test_a_schema_is_made_of_the_fields(self) -> None:
        assert schema(VERBS["judge"].program_fields()[:2]) == {
            "type": "object",
            "properties": {
                "ids": {"type": "array", "items": {"type": "string"}},
                "verdict": {"type": "string", "enum": ["for", "against", "neither"]},
            },
        }
        assert tool_calls.schema(VERBS["insert"])["required"] == ["path", "text", "after"]


class TestArguments:
    @pytest.mark.parametrize("tool", tool_calls.tools(), ids=lambda tool: tool.name)
    def test_an_unknown_key_is_refused_with_those_that_are_known(self, memory: Memory, tool: Verb) -> None:
        with pytest.raises(UsageError, match="unknown key 'zzzz'") as raised:
            tool_calls.call(memory, tool.name, {**ARGUMENTS[tool.name], "zzzz": 1})
        assert all(field.name in raised.value.hint for field in tool.program_fields())

    @pytest.mark.parametrize("tool", tool_calls.tools(), ids=lambda tool: tool.name)
    def test_what_is_missing_or_of_the_wrong_type_is_refused(self, memory: Memory, tool: Verb) -> None:
        before = files(memory.root)
        for field in tool.program_fields():
            wrong: list[object] = [{"deep": [1]}, 0.5 if field.type != "share" else 1.5]
            wrong += ["x"] if field.type in ("count", "line", "share", "switch", "ids", "entities", "kinds") else [[1]]
            wrong += [True] if field.type in ("count", "line", "share") else []
            wrong += [0, 10**12] if field.type == "count" else [-1] if field.type == "line" else []
            for value in wrong:
                with pytest.raises(UsageError) as raised:
                    tool_calls.call(memory, tool.name, {**ARGUMENTS[tool.name], field.name: value})
                assert field.name.rstrip("s") in raised.value.message
            if field.required:
                left = {name: value for name, value in ARGUMENTS[tool.name].items() if name != field.name}
                with pytest.raises(UsageError, match=f"^{field.name} is missing"):
                    tool_calls.call(memory, tool.name, {**left, field.name: None})
        assert files(memory.root) == before

    @pytest.mark.parametrize("arguments", [[], "x", 7, None])
    def test_arguments_are_an_object(self, memory: Memory, arguments: object) -> None:
        with pytest.raises(UsageError, match="not an object"):
            tool_calls.call(memory, "recall", arguments)

    @pytest.mark.parametrize("name", ["recal", "", 3, None, [], {}])
    def test_a_verb_that_there_is_not(self, memory: Memory, name: object) -> None:
        with pytest.raises(UsageError, match="unknown verb"):
            tool_calls.call(memory, name, {})

    def test_a_model_has_fewer_verbs_and_keys(self, memory: Memory) -> None:
        for tool in tool_calls.tools():
            for field in tool.program_fields():
                if tool.agent and not field.agent:
                    with pytest.raises(UsageError, match=f"unknown key '{field.name}'"):
                        tool_calls.call(memory, tool.name, {**ARGUMENTS[tool.name], field.name: True}, agent=True)
            if not tool.agent:
                with pytest.raises(UsageError, match="unknown verb"):
                    tool_calls.call(memory, tool.name, ARGUMENTS[tool.name], agent=True)

    def test_a_secret_is_refused_to_a_model_whatever_it_says(self, memory: Memory) -> None:
        said = {"text": "The password is hunter2hunter2 and AKIAIOSFODNN7EXAMPLE", "allow_secret": True}
        with pytest.raises(UsageError, match="unknown key"):
            tool_calls.call(memory, "retain", said, agent=True)
        assert tool_calls.call(memory, "retain", said).data["created"]

    @pytest.mark.parametrize("given", [{"ids": ["i-1"]}, {"verdict": "accept"}, {"ids": [], "verdict": "reject"}])
    def test_ids_and_verdict_go_together(self, memory: Memory, given: dict[str, Any]) -> None:
        with pytest.raises(UsageError, match="go together"):
            tool_calls.call(memory, "review", given)

    @settings(max_examples=200)
    @given(
        st.sampled_from(AGENTS),
        st.dictionaries(
            st.sampled_from([*sorted({field.name for tool in AGENTS for field in tool.program_fields()}), "x"]),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
                lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
                max_leaves=4,
            ),
            max_size=5,
        ),
    )
    def test_whatever_a_model_says_is_answered_or_refused(
        self, tmp_path_factory: pytest.TempPathFactory, tool: Verb, arguments: dict[str, Any]
    ) -> None:
        with Memory(str(tmp_path_factory.getbasetemp() / "any")) as memory:
            memory.init()
            try:
                answer = tool_calls.call(memory, tool.name, arguments, agent=True)
            except (CommonplaceError, OSError):
                return
            assert json.loads(wire.line(answer.data)) == answer.data


class TestAnswers:
    @pytest.mark.parametrize("tool", tool_calls.tools(), ids=lambda tool: tool.name)
    def test_hints_hold(self, memory: Memory, tool: Verb) -> None:
        memory.reflect(yes=True)
        before = files(memory.root)
        tool_calls.call(memory, tool.name, dict(ARGUMENTS[tool.name]))
        once = files(memory.root)
        if tool.read_only:
            assert once == before
        elif tool.idempotent:
            tool_calls.call(memory, tool.name, dict(ARGUMENTS[tool.name]))
            assert files(memory.root) == once
        if not tool.destructive:
            for name, content in before.items():
                lines = iter(once[name].splitlines())
                assert all(line in lines for line in content.splitlines()), "a line went"

    @pytest.mark.parametrize("tool", AGENTS, ids=lambda tool: tool.name)
    def test_the_data_has_the_keys_that_are_promised(self, memory: Memory, tool: Verb) -> None:
        data = tool_calls.call(memory, tool.name, ARGUMENTS[tool.name], agent=True).data
        types = {"array": list, "string": str, "boolean": bool, "integer": int}
        for name, kind in tool.output.items():
            if not name.endswith("?") or name.rstrip("?") in data:
                assert type(data[name.rstrip("?")]) is types[kind], name

    def test_every_tool_of_a_model_has_a_schema_of_its_answers(self) -> None:
        assert all(told["outputSchema"]["required"] for told in tool_calls.listing())

    def test_lists_of_what_waits_and_answers_to_it_fit_one_schema(self, memory: Memory) -> None:
        schemas = {told["name"]: told["outputSchema"] for told in tool_calls.listing()}
        memory.reflect(yes=True)
        for name, listed in (("judge", "judge"), ("review", "inferred")):
            data = tool_calls.call(memory, name, {}, agent=True).data
            jsonschema.validate(data, schemas[name])
            assert listed in data and listed in schemas[name]["properties"]
        ids = [each["id"] for each in tool_calls.call(memory, "judge", {}, agent=True).data["judge"]]
        data = tool_calls.call(memory, "judge", {"ids": ids[:1], "verdict": "neither"}, agent=True).data
        jsonschema.validate(data, schemas["judge"])
        assert [each["id"] for each in data["answers"]] == ids[:1] and "judge" not in data

    @pytest.mark.parametrize("tool", ["recall", "reflect", "opinions", "judge", "review", "core"])
    def test_a_model_is_told_that_there_is_nothing(self, workspace: Write, tool: str) -> None:
        with Memory(str(workspace("=== memory/2025-11-26.md\n"))) as memory:
            assert tool_calls.call(memory, tool, ARGUMENTS[tool], agent=True).text.strip()

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("recall", ["where is Peter?"]),
            ("entity", ["Peter"]),
            ("opinions", []),
            ("judge", []),
            ("review", []),
            ("core", []),
            ("get", ["MEMORY.md#L3"]),
            ("show", ["memory/2025-11-26.md#L2"]),
            ("explain", ["where was Peter last week?"]),
            ("weigh", ["Peter likes tea", "Peter hates tea"]),
            ("index", []),
            ("status", []),
            ("check", []),
            ("retain", ["W @Peter: Bought a kettle.", "--date", "2025-11-28"]),
        ],
    )
    def test_a_host_is_told_what_json_prints(self, memory: Memory, cli: Cli, name: str, words: list[str]) -> None:
        memory.retain("W @Peter: Bought a kettle.", date="2025-11-28")
        memory.reflect()
        memory.index()
        printed = cli(name, *words, "--json", "--today", "2025-11-28").json
        assert tool_calls.call(memory, name, ARGUMENTS[name]).data == printed

    def test_reflect_waits_for_yes_where_a_person_made_a_page(self, workspace: Write) -> None:
        root = workspace(LOG)
        page = root / "bank" / "entities" / "Peter.md"
        page.parent.mkdir(parents=True)
        page.write_text("# Peter\n\nMy own words.\n", encoding="utf-8")
        with Memory(str(root)) as memory:
            waits = tool_calls.call(memory, "reflect", {}, agent=True)
            assert (waits.data["needs_yes"], waits.data["applied"]) == (True, False)
            assert "+" in waits.data["diff"]
            assert "My own words" in waits.text
            assert page.read_text(encoding="utf-8") == "# Peter\n\nMy own words.\n"
            done = tool_calls.call(memory, "reflect", {"yes": True}, agent=True)
            assert (done.data["outcome"], done.data["applied"]) == ("changed", True)
            assert "My own words." in page.read_text(encoding="utf-8")

    def test_a_dry_run_writes_nothing(self, memory: Memory) -> None:
        before = files(memory.root)
        told = tool_calls.call(memory, "reflect", {"dry_run": True}, agent=True)
        assert told.data["applied"] is False
        assert told.data["diff"]
        assert files(memory.root) == before

    def test_evidence_is_listed_and_judged(self, workspace: Write) -> None:
        with Memory(str(workspace(UNDECIDED))) as memory:
            memory.reflect(yes=True)
            waits = tool_calls.call(memory, "judge", {}, agent=True).data["judge"]
            assert waits[0].keys() >= {"id", "fact", "fact_id", "opinion", "opinion_id", "source", "reason"}
            done = tool_calls.call(memory, "judge", {"ids": [waits[0]["id"]], "verdict": "neither"}, agent=True)
            assert done.data["answers"][0]["verdict"] == "neither"
            rest = tool_calls.call(memory, "judge", {}, agent=True).data["judge"]
            assert waits[0]["id"] not in [each["id"] for each in rest]

    def test_a_write_returns_the_digest_that_the_next_may_state(self, memory: Memory) -> None:
        seen = tool_calls.call(memory, "get", {"target": "MEMORY.md"}, agent=True)
        assert "    3\t- Peter is to be asked" in seen.text
        added = {"path": "MEMORY.md", "text": "- One.", "digest": seen.data["digest"]}
        done = tool_calls.call(memory, "append", added, agent=True)
        assert done.data["source"] == "MEMORY.md#L4"
        with pytest.raises(CommonplaceError) as raised:
            tool_calls.call(memory, "append", added, agent=True)
        assert raised.value.code == "changed-underneath"
        tool_calls.call(memory, "append", {**added, "digest": done.data["digest"]}, agent=True)


UNDECIDED = """
    === memory/2025-11-26.md
    ## Retain
    - O(c=0.95) @Mona: Prefers short replies on WhatsApp.
    === memory/2025-11-27.md
    ## Retain
    - W @Mona: The short replies on WhatsApp were read by Rolf.
"""


class TestBriefness:
    def test_a_recall_costs_no_more_than_its_budget(self, crowded: Memory) -> None:
        for budget in (None, 90, 200, 700):
            asked = {"query": "what of the plan for the house by the sea?", "budget": budget, "k": 100}
            answer = tool_calls.call(crowded, "recall", asked, agent=True)
            assert answer.data["hits"]
            assert answer.data["omitted"] > 0
            assert count_tokens(wire.line(answer.data)) <= (budget or 1_500)
            assert count_tokens(answer.text) <= (budget or 1_500) + 30  # the word about those left out

    def test_a_hit_that_alone_is_too_long_is_cut_and_says_so(self, crowded: Memory) -> None:
        (hit,) = tool_calls.call(crowded, "recall", {"query": "word", "k": 1, "budget": 100}, agent=True).data["hits"]
        assert hit["cut"] is True
        assert hit["text"].startswith("word word")
        assert hit["source"] == "bank/one.md#L1"

    @pytest.mark.parametrize(
        ("name", "arguments"),
        [
            ("recall", {"query": "zebra " * 15_000}),
            ("entity", {"name": "Peter"}),
            ("opinions", {}),
            ("reflect", {"dry_run": True}),
            ("reflect", {}),
            ("judge", {}),
            ("review", {}),
            ("get", {"target": "bank/entities/Peter.md"}),
            ("get", {"target": "bank/one.md"}),
        ],
    )
    def test_no_answer_floods_a_model(self, crowded: Memory, name: str, arguments: dict[str, Any]) -> None:
        answer = tool_calls.call(crowded, name, arguments, agent=True)
        assert count_tokens(answer.text) <= MOST_TOKENS
        assert count_tokens(wire.line(answer.data)) <= MOST_TOKENS

    def test_what_is_left_out_is_told(self, crowded: Memory) -> None:
        assert tool_calls.call(crowded, "entity", {"name": "Peter"}, agent=True).data["omitted"] > 400
        first = tool_calls.call(crowded, "get", {"target": "bank/entities/Peter.md"}, agent=True)
        assert first.data["last"] < first.data["total"] == 4002
        line = first.data["last"] + 1
        assert f"get bank/entities/Peter.md#L{line}-L4002" in first.text
        rest = tool_calls.call(crowded, "get", {"target": f"bank/entities/Peter.md#L{line}-L4002"}, agent=True)
        assert rest.data["source"] == f"bank/entities/Peter.md#L{line}"
        with pytest.raises(NotFound):
            tool_calls.call(crowded, "get", {"target": "bank/entities/Peter.md#L4003"}, agent=True)
