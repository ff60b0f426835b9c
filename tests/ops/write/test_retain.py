"""Retain: appended, once, with an id; nothing that stood there changes."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.editor import save_by_rename

from commonplace.core.documents.parse import parse
from commonplace.core.model import Kind, Origin, Trailer
from commonplace.errors import NotFound, SecretRefused, UsageError, WorkspaceError
from commonplace.memory import Memory
from commonplace.ops.write.retain import with_bullet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Write

TODAY = date(2025, 11, 27)
LOG = "memory/2025-11-27.md"


@pytest.fixture
def memory(workspace: Write) -> Iterator[Memory]:
    with Memory(str(workspace({"bank/entities/The-Castle.md": "# The Castle\n"})), today=TODAY) as opened:
        yield opened


def log(memory: Memory) -> str:
    return Path(memory.root, LOG).read_text()


def test_a_new_log_gets_a_title_and_a_section(memory: Memory) -> None:
    done = memory.retain("W @Peter: Lives in Vienna.")
    assert log(memory) == f"# 2025-11-27\n\n## Retain\n\n- W @Peter: Lives in Vienna. ^{done.fact.id}\n"
    assert str(done.fact.source) == "memory/2025-11-27.md#L5"
    assert memory.recall("Vienna").hits[0].id == done.fact.id


def test_the_same_call_twice_makes_one_fact_and_says_so(memory: Memory) -> None:
    first = memory.retain("W @Peter: Lives in Vienna.")
    text = log(memory)
    again = memory.retain("W @Peter:  Lives in  vienna.")
    assert first.created
    assert not again.created
    assert again.fact == first.fact
    assert again.notes
    assert log(memory) == text
    other_day = memory.retain("W @Peter: Lives in Vienna.", date="2025-11-28")
    assert other_day.created
    assert other_day.fact.id != first.fact.id


def test_the_same_call_from_several_processes_at_once_makes_one_fact(memory: Memory) -> None:
    memory.retain("W @Ann: Was here before.")  # so that no process has to begin the log
    words = [sys.executable, "-m", "commonplace", "--workspace", memory.root, "--today", "2025-11-27", "retain"]
    calls = [subprocess.Popen([*words, "W @Ann: Sold the boat."], stdout=subprocess.PIPE, text=True) for _ in range(5)]
    answers = [call.communicate()[0].split()[0] for call in calls]
    assert sorted(answers) == ["already"] * 4 + ["retained"]
    assert Path(memory.root, "memory/2025-11-27.md").read_text().count("Sold the boat") == 1


@pytest.mark.parametrize("heading", ["## Retain", "### 📌 RETAIN (facts)"])
def test_facts_gather_under_the_last_section_if_it_is_retain(memory: Memory, heading: str) -> None:
    Path(memory.root, "memory").mkdir(exist_ok=True)
    Path(memory.root, LOG).write_text(f"# Day\n\n{heading}\n- W @Peter: Likes tea.\n")
    memory.retain("W @Peter: Lives in Vienna.")
    assert log(memory).count("\n#") == 1
    Path(memory.root, LOG).write_text(log(memory) + "\n## Evening\n\nTired.\n")
    memory.retain("W @Peter: Lives in Graz.")
    assert log(memory).count("\n#") == 3
    assert log(memory).index("Graz") > log(memory).index("Evening")


def test_plain_text_gets_kind_and_entities_proposed(memory: Memory) -> None:
    memory.retain("W @Peter: Lives in Vienna.")
    opinion = memory.retain("Peter prefers dark roast coffee.").fact
    assert (opinion.kind, opinion.entities) == (Kind.OPINION, ("Peter",))
    done = memory.retain("I repaired the pump of The Castle.").fact
    assert (done.kind, done.entities) == (Kind.EXPERIENCE, ("The-Castle",))
    world = memory.retain("The ferry leaves at nine.").fact
    assert (world.kind, world.entities) == (Kind.WORLD, ())


def test_flags_win(memory: Memory) -> None:
    fact = memory.retain(
        "W @Peter: Likes tea.",
        kind="opinion",
        entities=["@Andy", "The Castle"],
        confidence=0.8,
        source="web:example.org",
    ).fact
    assert (fact.kind, fact.entities, fact.confidence) == (Kind.OPINION, ("Andy", "The-Castle"), 0.8)
    assert fact.trailer.src == "web:example.org"
    assert "- O(c=0.8) @Andy @The-Castle: Likes tea. <!-- cp: src=web:example.org --> ^" in log(memory)


def test_supersedes_and_retract_are_new_lines(memory: Memory) -> None:
    old = memory.retain("W @flight: Leaves at 9.").fact
    new = memory.retain("W @flight: Leaves at 11.", supersedes=["^" + old.id]).fact
    assert memory.show(old.id).superseded_by == new.source
    with pytest.raises(NotFound):
        memory.retain("W @flight: Leaves at 12.", supersedes=["nothere"])
    memory.retract(new.id, reason="cancelled")
    assert memory.show(new.id).superseded_by is not None
    assert "Leaves at 11." in log(memory)


def test_what_a_fact_bears_on_may_be_cited(memory: Memory) -> None:
    old = memory.retain("W @flight: Leaves at 9,\nfrom gate 7.").fact
    Path(memory.root, "bank/world.md").write_text("# World\n\n- O(c=0.9) @Peter: Likes early flights. ^o-1a2b\n")
    cited = [f"{LOG}#L5", f"{LOG}#L6", f"{LOG}#L5-L6"]
    done = memory.retain("W @flight: Leaves at 11.", supersedes=cited, contradicts=["bank/world.md#L3"])
    assert (done.fact.trailer.supersedes, done.fact.trailer.contradicts) == ((old.id,), ("o-1a2b",))
    assert memory.show(old.id).superseded_by == done.fact.source
    written = memory.retain(f"W @flight: Leaves at 12. <!-- cp: supersedes={done.fact.source} -->").fact
    assert written.trailer.supersedes == (done.fact.id,)
    text = log(memory)
    for nothing in (f"{LOG}#L3", f"{LOG}#L99", "memory/2025-11-26.md#L1"):
        with pytest.raises(NotFound, match=f"no fact at {nothing}"):
            memory.retain("W @flight: Leaves at 13.", supports=[nothing])
    assert log(memory) == text


@pytest.mark.parametrize(
    ("text", "bullet"),
    [
        ("W @Peter: two\nlines", "W @Peter: two\n  lines ^"),
        ("- W @Peter: two\r\n  lines <!-- cp: src=web:example.org -->\n\n", "W @Peter: two\n  lines <!-- cp: src="),
        ("W @Peter:\n  three\n\n\tlines &lt;\n here ^own1\n", "W @Peter: three\n  lines <\n  here ^own1\n"),
        ("Nothing but\nnarrative.", "W: Nothing but\n  narrative. ^"),
        ("W @Peter: ends in\n^an-id of its own", "W @Peter: ends in\n  ^an-id of its own ^"),
        ("W @Peter: steps:\n- one\n- two", "W @Peter: steps: - one - two ^"),
        ("W @Peter: steps:\n1. one", "W @Peter: steps: 1. one ^"),
        ("W @Peter: says\n# nothing", "W @Peter: says # nothing ^"),
        ("W @Peter: says\n```\ncode", "W @Peter: says ``` code ^"),
        ("W @Peter: says\n<!-- nothing", "W @Peter: says\n  &lt;!-- nothing ^"),
        ("W @Peter: says\n| a | b |", "W @Peter: says | a | b | ^"),
        ("W @Peter: says\n===", "W @Peter: says === ^"),
    ],
)
def test_lines_that_continue_a_bullet_stay_lines(memory: Memory, text: str, bullet: str) -> None:
    done = memory.retain(text)
    assert f"\n- {bullet}" in log(memory)
    assert (done.fact.content, done.fact.lines) == (memory.show(done.fact.id).line.content, bullet.count("\n  ") + 1)
    assert [fact.content for fact in parse(LOG, log(memory)).facts] == [done.fact.content]
    assert not memory.retain(" ".join(text.split())).created, "the same on one line"


def test_nudges_are_said_and_the_fact_is_written(memory: Memory) -> None:
    for text in ("W @Peter: He likes it there.", "W @Peter: Tomorrow he flies home.", "W @Peter: Tea."):
        done = memory.retain(text)
        assert done.created
        assert done.notes
    assert not memory.retain("W @Peter: Flies home from Marrakech on December 1, 2025.").notes


@pytest.mark.parametrize(
    "text",
    [
        "W @Peter: The password is hunter2hunter2!",
        "W @aws: key AKIAIOSFODNN7ABCDEFG for the bucket",
        "W @gh: ghp_0123456789abcdefghijABCDEFGHIJ012345",
        "W @db: postgres://admin:s3cr3t@db.internal/prod",
    ],
)
def test_a_probable_secret_is_refused_unless_allowed(memory: Memory, text: str) -> None:
    with pytest.raises(SecretRefused):
        memory.retain(text)
    assert not Path(memory.root, LOG).exists()
    assert memory.retain(text, allow_secret=True).created


def test_talk_about_secrets_is_none(memory: Memory) -> None:
    for text in (
        "W @Peter: The password manager moved to The Castle.",
        "W @Peter: Token budgets are 1500.",
        "W @aws: AKIAIOSFODNN7EXAMPLE is the example of the docs.",
    ):
        assert memory.retain(text).created


@pytest.mark.parametrize("text", ["", "  ", "- ", "W @Peter:", "O(c=7) @Peter: Likes tea."])
def test_what_is_no_fact_is_refused(memory: Memory, text: str) -> None:
    with pytest.raises(UsageError):
        memory.retain(text)
    assert not Path(memory.root, LOG).exists()


LOGS = st.lists(
    st.sampled_from(
        ["# Day", "## Retain", "- W @Peter: Likes tea.", "text", "", "```", "~~~", "<!-- open", "# 2025-11-30", "| a |",
         "  - x", "### Retain", "* * *", "`"]
    ),
    max_size=12,
)  # fmt: skip


@settings(max_examples=150)
@given(LOGS, st.sampled_from(["\n", "\r\n"]), st.booleans())
@example(["```", "## Retain"], "\n", True)
@example(["<!-- open"], "\n", False)
def test_appending_to_any_log_keeps_every_byte_and_makes_a_fact(lines: list[str], newline: str, ended: bool) -> None:
    text = newline.join(lines) + (newline if ended else "")
    read = partial(parse, LOG)
    grown, written = with_bullet(
        LOG, text, bullet="- W @Peter: Lives in Vienna. ^k7f3qa", id="k7f3qa", day=TODAY, read=read
    )
    assert grown.startswith(text)
    assert [fact for fact in parse(LOG, grown).facts if fact.id == "k7f3qa"] == [written]
    assert written.recorded == TODAY


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60))
@example("^looks-like-an-id")
@example("ends in <!-- cp: src=x -->")
@example("&lt;b&gt; &amp;amp;")
@example("# 2025-11-30")
@example("two\nlines\n# or\n\nthree")
def test_any_text_that_is_written_is_recalled_as_it_was(memory: Memory, text: str) -> None:
    try:
        done = memory.retain("W @Peter: " + text, allow_secret=True)
    except UsageError:
        return
    assert memory.show(done.fact.id).line.content == done.fact.content
    assert memory.show(str(done.fact.source)).id == done.fact.id


WRITER = """
import sys
from datetime import date
from commonplace.memory import Memory
root, name = sys.argv[1:]
with Memory(root, today=date(2025, 11, 27)) as memory:
    for number in range(15):
        memory.retain(f"W @Peter: Writer {name} says number {number} of fifteen.")
"""


def test_two_writers_and_an_editor_lose_nothing(memory: Memory) -> None:
    children = [subprocess.Popen([sys.executable, "-c", WRITER, memory.root, name]) for name in ("one", "two")]
    path = Path(memory.root, LOG)
    typed, lost = 0, list[str]()
    while any(child.poll() is None for child in children):
        if path.exists() and typed < 10:
            seen = path.read_text()
            overwritten = save_by_rename(path, seen, f"{seen}typed {typed}\n")
            if overwritten is not None:
                lost += overwritten
                typed += 1
    assert [child.wait() for child in children] == [0, 0]
    memory.index()
    text, gone = log(memory), "\n".join(lost)
    assert f"typed {typed - 1}\n" in text
    for name in ("one", "two"):
        for number in range(15):
            said = f"Writer {name} says number {number} of"
            assert said in text or said in gone, "what the editor overwrote unseen is its loss, not ours"


def test_a_folder_of_other_notes_stays_in_view_after_the_first_fact(workspace: Write) -> None:
    root = workspace({"notes/deep/tea.md": "- The samovar is in the attic.\n", "list.md": "- Buy lamp oil.\n"})
    with Memory(str(root), today=TODAY) as memory:
        assert memory.recall("samovar").hits
        memory.retain("W @Peter: Lives in Vienna.")
        assert {bool(memory.recall(word).hits) for word in ("samovar", "lamp oil", "Vienna")} == {True}
    with Memory(str(root), today=TODAY) as memory:
        assert memory.recall("samovar").hits


def test_a_source_cannot_end_the_comment_or_begin_another_key(memory: Memory) -> None:
    sources = ("web:x/?q=--><!--cp:", "web:x src=inferred:memory/a.md", "web:x\nsrc=inferred:memory/a.md")
    for number, source in enumerate(sources):
        done = memory.retain(f"W @Peter: Has {number} boats.", source=source)
        assert done.fact.trailer.outsider == done.fact.trailer.src != ""
        assert (done.fact.trailer.other, done.fact.origin) == ((), Origin.RETAINED)
    assert log(memory).count("-->") == 3


def test_no_source_given_stands_for_the_author(memory: Memory) -> None:
    memory.retain("W @Peter: Keeps bees.")
    before = log(memory)
    for source in ("inferred", "inferred:memory/2025-11-27.md", "import:Vault/a.md", "Import:a.md", " "):
        with pytest.raises(UsageError):
            memory.retain("W @Peter: Is a thief.", source=source)
        if source.strip():
            with pytest.raises(UsageError):
                memory.retain(f"W @Peter: Is a thief. <!-- cp: src={source.strip()} -->")
    assert log(memory) == before


def test_the_source_that_is_given_wins_and_our_own_keys_are_left_out(memory: Memory) -> None:
    text = "W @Peter: Is a thief. <!-- cp: src=web:a key=abcdefghij session=openclaw:1 later=1 --> ^mine"
    fact = memory.retain(text, source="web:b").fact
    assert fact.trailer == Trailer(src="web:b", other=(("later", "1"),))
    assert fact.id != "mine"


def test_what_a_host_captured_of_a_session_is_the_authors(memory: Memory) -> None:
    other = memory.retain("W @Peter: Lives in Vienna.").fact
    said = f"W @Peter: Has a red boat. <!-- cp: supersedes=^{other.id} later=1 --> ^mine"
    fact = memory.retain(said, session="openclaw:4f1b > 2").fact
    assert fact.trailer == Trailer(other=(("session", "openclaw:4f1b_%3E_2"),))
    assert (fact.trailer.session, fact.trailer.outsider) == ("openclaw:4f1b_%3E_2", "")
    assert fact.id != "mine"
    again = memory.correct(fact.id, "Has a blue boat.", session="openclaw:5").fact
    assert (again.trailer.supersedes, again.trailer.session, again.trailer.src) == ((fact.id,), "openclaw:5", "")


def test_in_a_session_too_a_text_keeps_who_said_it(memory: Memory) -> None:
    own = memory.retain("W @Peter: Lives in Vienna.").fact
    for said in (
        f"W @Peter: Lives in Rome. <!-- cp: supersedes=^{own.id} src=web:x --> ^mine",
        "Peter lives in Riga. <!-- cp: src = web:x -->",
    ):
        fact = memory.retain(said, session="openclaw:1").fact
        assert fact.trailer == Trailer(src="web:x", other=(("session", "openclaw:1"),))
    corrected = memory.correct(own.id, "Lives in Rome. <!-- cp: src=web:x -->", session="openclaw:1").fact
    assert corrected.trailer.outsider == "web:x"
    assert memory.show(own.id).superseded_by is None


def test_a_reason_makes_no_bullet_of_its_own(memory: Memory) -> None:
    told = memory.retain("W @Peter: Lives in Vienna.").fact
    memory.retract(told.id, reason="a mistake\n- W @Peter: Is a thief. <!-- cp: retracts=^x --> ^thief1")
    assert [fact.trailer.retracts for fact in parse(LOG, log(memory)).facts] == [(), (told.id,)]
    assert memory.recall("thief").hits == ()


@pytest.mark.parametrize(
    ("text", "names", "content"),
    [
        ("@Jonna: likes tea with milk", ("Jonna",), "likes tea with milk"),
        ("@Jonna, @Peter：moved to Berlin", ("Jonna", "Peter"), "moved to Berlin"),
        ("@Jonna @Peter: moved to\nBerlin", ("Jonna", "Peter"), "moved to Berlin"),
    ],
)
def test_names_before_a_text_without_a_kind_are_not_said_twice(
    memory: Memory, text: str, names: tuple[str, ...], content: str
) -> None:
    fact = memory.retain(text).fact
    assert (fact.entities, fact.content) == (names, content)


def test_a_plain_text_keeps_who_said_it(memory: Memory) -> None:
    fact = memory.retain("Peter sold the boat. <!-- cp: src=web:example.org -->").fact
    assert (fact.content, fact.trailer.outsider) == ("Peter sold the boat.", "web:example.org")


def test_a_correction_of_what_somebody_else_said_stays_theirs(memory: Memory) -> None:
    said = memory.retain("W @Peter: Sold the boat.", source="web:example.org").fact
    right = memory.correct(said.id, "Sold the red boat.").fact
    assert right.trailer == Trailer(supersedes=(said.id,), src="web:example.org")
    shown = memory.show(said.id).superseded_by
    assert shown is not None
    assert str(shown) == str(right.source)
    own = memory.retain("W @Peter: Lives in Vienna.").fact
    memory.correct(own.id, "Lives in Moscow.", source="web:example.org")
    assert memory.show(own.id).superseded_by is None


@pytest.mark.parametrize(
    "text", ["W @", "w @", "- W @", "O(c=0.9) @", "S @ @", "@", "@Peter", "@Peter @Ann", "…", ":", "B @Peter @"]
)
def test_a_kind_and_names_alone_are_no_fact(memory: Memory, text: str) -> None:
    with pytest.raises(UsageError, match="a fact without text"):
        memory.retain(text)
    assert not Path(memory.root, LOG).exists()


@pytest.mark.parametrize("text", ["Yes", "好", "👍", "@Peter likes tea", "W @: x", "42", "हाँ"])
def test_any_word_is_one(memory: Memory, text: str) -> None:
    assert memory.retain(text).created


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("W @Ann Lee: Moved to Oslo.", "Ann-Lee"),
        ("- O(c=0.9) @Jean-Luc Picard: Moved to Oslo.", "Jean-Luc-Picard"),
        ('W @"Ann Lee": Moved to Oslo.', "Ann-Lee"),
        ("W @[[ann lee]]: Moved to Oslo.", "ann-lee"),
        ("@Ann Lee: Moved to Oslo.", "Ann-Lee"),
        ("W @Jan van der Berg: Moved to Oslo.", "Jan-van-der-Berg"),
        ("W @Ann Lee：Moved to Oslo.", "Ann-Lee"),
    ],
)
def test_a_name_with_a_space_is_one_name_and_a_note_says_so(memory: Memory, text: str, name: str) -> None:
    done = memory.retain(text)
    assert (done.fact.entities, done.fact.content) == ((name,), "Moved to Oslo.")
    assert any(f"was read as @{name}: hyphens stand for spaces" in note for note in done.notes)


def test_a_known_name_is_understood_in_any_case_and_script(memory: Memory) -> None:
    memory.retain("W @小-明: 住在北京。")
    assert memory.retain("W @小 明: 在上海工作。").fact.entities == ("小-明",)
    assert memory.retain("W @the castle: Has a moat.").fact.content == "Has a moat."


@pytest.mark.parametrize(
    "text",
    [
        "W @Ann went to Oslo: it rained.",
        "W @ann lee: Moved.",
        "W @Ann moved to Oslo.",
        "B @小 明: 住在北京。",
        "W @ Ann: x",
    ],
)
def test_where_it_is_not_clear_what_the_name_is_nothing_is_written(memory: Memory, text: str) -> None:
    with pytest.raises(UsageError, match="where the names end") as refused:
        memory.retain(text)
    assert "write a colon directly after the names" in refused.value.hint
    assert not Path(memory.root, LOG).exists()


def test_a_log_in_the_middle_of_a_merge_takes_no_fact_and_says_why(memory: Memory) -> None:
    text = "# 2025-11-27\n\n## Retain\n\n<<<<<<< HEAD\n- W: One.\n=======\n- W: Two.\n>>>>>>> other\n"
    Path(memory.root, "memory").mkdir(exist_ok=True)
    Path(memory.root, LOG).write_text(text)
    with pytest.raises(WorkspaceError, match="contains merge conflict markers"):
        memory.retain("W @Peter: Lives in Vienna.")
    assert log(memory) == text


def test_a_correction_with_a_spaced_name_is_in_the_grammar_too(memory: Memory) -> None:
    first = memory.retain("W @Bob: Lives in Rome.").fact
    done = memory.correct(first.id, "W @Ann Lee: Lives in Rome.")
    assert (done.fact.entities, done.fact.content) == (("Ann-Lee",), "Lives in Rome.")
    assert "Ann-Lee" in done.notes[0]


def test_a_sentence_that_begins_with_a_mention_is_kept_as_it_is(memory: Memory) -> None:
    text = "@Peter said yesterday: it will rain."
    assert memory.retain(text).fact.content == text


@pytest.mark.parametrize("secret", ["Xk29" + "fLmQ88zRt", "Hunter2" + "Hunter3", "DE89" + "370400440532013000"])
def test_a_value_like_a_key_is_no_name_however_often_it_stands_in_sentences(workspace: Write, secret: str) -> None:
    days = {
        f"memory/2025-11-2{day}.md": f"# Day\n- the wifi code is {secret}\n- We told {secret} to Annika\n"
        for day in (1, 2, 3)
    }
    with Memory(str(workspace(days)), today=TODAY) as memory:
        done = memory.retain(f"Annika told Torvald about {secret} on the walk", allow_secret=True)
        assert done.fact.entities == ("Annika",)
        with pytest.raises(NotFound):
            memory.entity(secret)


def test_what_an_outsider_tags_or_says_makes_no_name_known(workspace: Write) -> None:
    logs = {
        "memory/2025-11-21.md": "# Day\n- We talked with Zorblatt about the shed\n- We asked Annika\n",
        "memory/2025-11-22.md": "# Day\n- We paid Annika\n- write to @Zorblatt <!-- cp: src=mail -->\n"
        + "".join(f"- Annika: item {number} <!-- cp: src=mail -->\n" for number in range(6)),
        "memory/2025-11-23.md": "".join(f"- Quorl: {word} <!-- cp: src=mail -->\n" for word in ("a", "b", "c")),
    }
    with Memory(str(workspace(logs)), today=TODAY) as memory:
        assert memory.retain("Met Zorblatt, Quorl and Annika at noon").fact.entities == ("Annika",)
