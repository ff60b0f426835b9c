"""What a wrong request is told: on standard error, with what to do next, exit status 2 and nothing done."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.extract import foreign_notes
from commonplace.core.model import KIND_OF_LETTER, Kind
from commonplace.core.review import review_page
from commonplace.doors.table import requests, tool_fields
from commonplace.doors.table.common_fields import KINDS, MOST_HITS, MOST_TOKENS, TODAY
from commonplace.doors.table.fact_verbs import FORMS
from commonplace.doors.table.parser import arguments, help_text
from commonplace.doors.table.reflect_verbs import VERDICTS
from commonplace.doors.table.verb_table import VERBS, commands
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from tests.conftest import Cli


def test_no_word_that_is_tried_is_a_verb_or_means_two() -> None:
    tried = [word for verb in VERBS.values() for word in verb.tried]
    assert len(tried) == len(set(tried))
    assert not set(tried) & {name.split()[0] for name in commands()}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", "no verb was given"),
        ("recal Peter", "did you mean recall?"),
        ("xyzzy", "commonplace --help lists all"),
        ("search Peter", "did you mean recall?"),
        ("Remember it", "did you mean retain?"),
        ("delete k7f3qa", "did you mean forget?"),
        ("help xyzzy", "commonplace --help lists all"),
        ("help recal", "did you mean recall?"),
        ("--versio", "did you mean --version"),
        ("recall Peter --sinc 30d", "did you mean --since"),
        ("recall Peter --rebuild", "it belongs to index"),
        ("recall Peter --limit 3", "did you mean --k?"),
        ("recall Peter --from 2026", "did you mean --since?"),
        ("index --force", "did you mean --rebuild?"),
        ("status -v", "did you mean --verbose?"),
        ("status --dir /tmp", "did you mean --workspace?"),
        ("recall Peter --explain", "it is a verb: commonplace explain"),
        ("forget --dry-run", "it belongs to entity, reflect, review, judge and fleet push"),
        ("--frobnicate", "there is no flag --frobnicate"),
        ("recall", "the query is empty"),
        ("recall Peter --k", "--k needs a value"),
        ("recall Peter --k --json", "--k needs a value"),
        ("recall Peter --json=yes", "--json takes no value"),
        ("recall Peter --k 0", "--k must be a whole number from 1 to 1,000"),
        ("recall Peter --k -1", "--k must be a whole number"),
        ("recall Peter --k nan", "--k must be a whole number"),
        ("recall Peter --k 1e9", "--k must be a whole number"),
        ("recall Peter --k 1000000000", "--k must be a whole number"),
        ("recall Peter --k 2.5", "--k must be a whole number"),
        ("recall Peter --budget 0", "--budget must be a whole number from 1 to 1,000,000"),
        ("recall Peter --kind opinon", "did you mean opinion?"),
        ("recall Peter --format yaml", "formats: text, md, json"),
        ("recall Peter --format md --json", "cannot be combined"),
        ("recall Peter --today yesterday", "--today must be a day such as 2025-11-27"),
        ("recall Peter --today 2025-02-30", "--today must be a day such as 2025-11-27"),
        ("retain", "no fact given"),
        ("retain -", "no fact given"),
        ("weigh a b --today 1.1.2025", "--today must be a day"),
        ("retain x --confidence 1.5", "--confidence must be a number from 0 to 1"),
        ("retain x --confidence nan", "--confidence must be a number from 0 to 1"),
        ("reflect --undo --dry-run", "--undo always undoes a whole change"),
        ("show", "show needs ID"),
        ("show a b", "show takes no further word: 'b'"),
        ("status now", "status takes no further word: 'now'"),
        ("weigh 'x'", "weigh needs FACT: the fact"),
        ("weigh x -- ", "weigh needs FACT: the fact"),
        ("append Tired", "append needs TEXT after PATH, which here is 'Tired': the lines"),
        ("completion tcsh", "there is no shell 'tcsh'"),
        ("completion bsh", "did you mean bash"),
        ("--agent nobody recall x", "OpenClaw has no agent 'nobody'"),
    ],
)
def test_a_wrong_request_is_refused_with_its_reason(cli: Cli, words: str, says: str) -> None:
    done = cli(*words.split())
    assert done.status == 2
    assert done.out == "" or "--json" in words
    assert says in done.err
    assert done.err.startswith("commonplace: ")
    assert done.err.count("\n") == 2, "a message and a hint"


def test_an_error_is_json_where_json_was_asked_for(cli: Cli) -> None:
    done = cli("recall", "Peter", "--k", "0", "--json")
    assert done.status == 2
    assert done.json == {
        "error": {"code": "usage", "message": "--k must be a whole number from 1 to 1,000", "hint": "not 0"}
    }
    assert cli("recall", "Peter", "--k", "0", "--format", "json").json["error"]["code"] == "usage"
    assert cli("recall", "Peter", "--k", "0", "--format=json").json["error"]["code"] == "usage"


def test_flags_stand_before_or_after_the_verb(cli: Cli) -> None:
    before = arguments(["--json", "--today", "2025-11-27", "--k", "3", "recall", "where", "is", "Peter"])
    after = arguments(["recall", "where", "--k", "3", "is", "--today=2025-11-27", "Peter", "--json"])
    assert vars(before[1]) == vars(after[1])
    assert after[1].query == ["where", "is", "Peter"]


def test_a_flag_that_may_be_repeated_collects_its_values() -> None:
    _, options = arguments(["recall", "x", "--kind", "world", "--kind", "O", "--entity", "@Peter", "--entity", "Anna"])
    assert requests.kinds(options.kinds) == ("world", "opinion")
    assert requests.entities(options.entities) == ("Peter", "Anna")


def test_a_text_that_begins_with_a_dash_comes_after_two_dashes(cli: Cli) -> None:
    assert arguments(["recall", "--", "--since", "-x"])[1].query == ["--since", "-x"]
    assert arguments(["recall", "-5 degrees"])[1].query == ["-5 degrees"]
    assert "put -- before the text" in cli("retain", "--zzz").err


@pytest.mark.parametrize("verb", commands().values(), ids=lambda verb: verb.name)
def test_every_verb_has_help(cli: Cli, verb) -> None:  # type: ignore[no-untyped-def]
    for words in ([verb.name, "--help"], ["--help", verb.name], [verb.name, "-h", "--nonsense"]):
        assert cli(*words) == (0, help_text(verb), "")
    assert all(flag.spelled in help_text(verb) for flag in verb.flags)


@pytest.mark.parametrize("words", ["--help", "-h", "help", "help --json", "--json help", "-h --json", "help --help"])
def test_help_is_found_by_every_name_it_goes_by(cli: Cli, words: str) -> None:
    assert cli(*words.split()) == (0, help_text(), "")


@pytest.mark.parametrize("words", ["help recall", "--json help recall", "help --verbose recall", "recall -h"])
def test_help_of_a_verb_is_found_by_every_name_it_goes_by(cli: Cli, words: str) -> None:
    assert cli(*words.split()) == (0, help_text(VERBS["recall"]), "")


def test_help_shows_the_everyday_verbs_first(cli: Cli) -> None:
    shown = re.findall(r"^  ([a-z]+(?: [a-z]+)?) {2,}", cli("--help").out, re.M)
    assert shown[:6] == ["init", "retain", "recall", "reflect", "check", "status"]
    assert sorted(shown) == sorted(commands())


def test_help_fits_a_terminal(cli: Cli) -> None:
    for verb in (None, *commands().values()):
        assert max(map(len, help_text(verb).split("\n"))) <= 115


def test_version_prints_the_version(cli: Cli) -> None:
    import commonplace

    assert cli("--version") == (0, f"commonplace {commonplace.__version__}\n", "")


@given(st.lists(st.text(max_size=12) | st.sampled_from(["--k", "recall", "--", "-", "--json", "--help"]), max_size=6))
def test_any_words_are_read_or_refused(words: list[str]) -> None:
    try:
        verb, options = arguments(words)
    except UsageError as refused:
        assert refused.message
        assert refused.hint
    else:
        assert verb is not None or options.help or options.version


KEYS = (*VERBS["recall"].program_fields(), TODAY)


def question(line: str) -> dict[str, Any]:
    """A line of the batch form of recall, checked."""
    return tool_fields.checked(KEYS, requests.asked(line, ["query"]))


@given(st.text())
def test_any_line_is_a_question_or_refused(line: str) -> None:
    try:
        asked = question(line)
    except UsageError:
        return
    assert asked["query"].encode() or not line.strip()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda below: st.lists(below) | st.dictionaries(st.text(), below),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([field.name for field in KEYS]), json_values, min_size=1))
def test_any_object_is_a_question_or_refused(fields: dict[str, object]) -> None:
    try:
        asked = question(json.dumps(fields))
    except UsageError:
        return
    assert 1 <= asked.get("k", 1) <= MOST_HITS
    assert 1 <= asked.get("budget", 1) <= MOST_TOKENS
    assert all(isinstance(each, str) for name in ("kinds", "entities") for each in asked.get(name, ()))


def test_what_doors_repeat_of_the_core_so_that_help_need_not_load_it_is_the_same() -> None:
    assert tuple(kind.value for kind in Kind) == KINDS
    assert tuple(foreign_notes.NoteForm) == FORMS
    assert VERDICTS == review_page.VERDICTS
    for letter, kind in KIND_OF_LETTER.items():
        assert requests.kinds([letter]) == requests.kinds([kind.value]) == (kind.value,)
