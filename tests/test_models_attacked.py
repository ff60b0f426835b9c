"""What was tried to get round the promises of a model that decides: each was broken once."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.chat_server import chat_server, judging

from commonplace import Memory
from commonplace.errors import WorkspaceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import Write

    Change = Callable[[Memory, str], None]

TODAY = date(2026, 2, 1)
LIFE = """
=== MEMORY.md
# Core

=== memory/2025-11-27.md
## Retain
- O(c=0.95) @Mona: Prefers short replies on WhatsApp. ^k7f3qa

=== memory/2026-01-20.md
# 2026-01-20

- The chimney sweep comes on Thursday.
- We decided to keep the old boiler.
- We decided to sell the red chairs.
- ~~We decided to sell the piano.~~
> We decided to sell the harp.

## Retain
- W @Mona: The short replies on WhatsApp were read by Rolf. ^vague2

=== memory/2026-01-03.md
## Retain
- W @Ida: Ida is the bookkeeper of the mill. ^keeps1
- W @Ida: Lives in Bergen. ^lives1
- W @Ida: Has a boat called Tern. ^boat01
"""
MONTOLD = """
=== memory/2026-01-12.md
- We drove the crane to Montold.

=== memory/2026-01-15.md
- Montold wants it back.

=== memory/2026-01-19.md
- Montold paid for the crane.
"""
SAID = "Ida is the bookkeeper of the mill [keeps1], and lives in Bergen [lives1]."
SWEEP = "add W: The chimney sweep comes on Thursday. from memory/2026-01-20.md#L3"
PAGE, REVIEW = "bank/entities/Ida.md", "bank/review.md"


@pytest.fixture
def memory(workspace: Write) -> Iterator[Memory]:
    with Memory(str(workspace(LIFE)), today=TODAY) as found:
        found.reflect(yes=True)
        yield found


def read(memory: Memory, path: str = REVIEW) -> str:
    return (Path(memory.root) / path).read_text(encoding="utf-8")


def change(memory: Memory, old: str, new: str, path: str = REVIEW) -> None:
    text = read(memory, path)
    assert text.count(old) >= 1
    (Path(memory.root) / path).write_text(text.replace(old, new), encoding="utf-8")


def line(memory: Memory, id: str) -> str:
    return next((each for each in read(memory).split("\n") if each.endswith(f"^{id}")), "")


def hear(memory: Memory, text: str, by: str = "model:m") -> list[str]:
    return [each.problem for each in memory.hear(text, by=by).lines]


def boiler(memory: Memory) -> str:
    return next(each.id for each in memory.review().inferred if "boiler" in each.text)


def sentence(memory: Memory) -> str:
    (asked,) = (each.id for each in memory.packet().pages if each.name == "Ida")
    assert hear(memory, f"{asked} edit {SAID}") == [""]
    assert "(by model:m)" in read(memory, PAGE)
    return asked


@pytest.mark.parametrize("edit", ["deleted", "unticked", "an older copy"])
def test_a_verdict_that_a_person_takes_away_counts_no_more(memory: Memory, edit: str) -> None:
    before, old = memory.opinions()[0].confidence, read(memory)
    (asked,) = (each.id for each in memory.review().judge)
    hear(memory, f"{asked} against")
    assert memory.opinions()[0].confidence != before
    if edit == "deleted":
        change(memory, line(memory, asked) + "\n", "")
    elif edit == "unticked":
        change(memory, "- [x] against", "- [ ] against")
    else:
        (Path(memory.root) / REVIEW).write_text(old, encoding="utf-8")
    memory.reflect(yes=True)
    assert memory.opinions()[0].confidence == before
    assert memory.reflect(yes=True).patches == ()


def test_a_line_that_a_person_has_reworded_is_no_model_s(memory: Memory) -> None:
    id = boiler(memory)
    change(memory, "keep the old boiler.", "keep the old boiler, because Rolf mended it.")
    assert hear(memory, f"{id} accept") == ["a person has changed its line: they decide"]
    hear(memory, SWEEP)
    change(memory, "comes on Thursday.", "comes on Friday.")
    memory.reflect(yes=True)
    waits = next(each.id for each in memory.review().inferred if "Friday" in each.text)
    assert hear(memory, f"{waits} accept", by="model:other") == ["a person has changed its line: they decide"]
    assert "because Rolf mended it" in read(memory)


def test_a_person_s_line_within_our_region_keeps_the_page(workspace: Write) -> None:
    with Memory(str(workspace(MONTOLD)), today=TODAY) as memory:
        memory.reflect(yes=True)
        (asked,) = memory.review().names
        hear(memory, f"{asked.id} accept")
        page = "bank/entities/Montold.md"
        change(memory, "<!-- /commonplace", "- The berths are mine.\n<!-- /commonplace", page)
        memory.reflect(yes=True)
        memory.undo_model()
        assert "The berths are mine." in read(memory, page)


def test_a_merge_is_taken_back_though_its_page_was_renewed(workspace: Write) -> None:
    told = ("@Peter-Hansen: Lives in Bergen.", "@Peter-Hansen: Has a boat.", "@Pete: Sold a lamp.", "@Pete: Sings.")
    facts = "".join(f"- W {each}\n" for each in told)
    log = "=== memory/2026-01-04.md\n- Pete is Peter Hansen, also known as Pete.\n"
    with Memory(str(workspace(f"=== memory/2026-01-03.md\n## Retain\n{facts}\n{log}")), today=TODAY) as memory:
        memory.reflect(yes=True)
        (asked,) = memory.review().same
        hear(memory, f"{asked.id} accept")
        pages = Path(memory.root) / "bank/entities"
        assert len([*pages.iterdir()]) == 1
        assert memory.undo_model().reopened == (asked.id,)
        assert len([*pages.iterdir()]) == 2
        assert [each.id for each in memory.review().same] == [asked.id]


@pytest.mark.parametrize(
    "said",
    [
        "Ida is no longer the bookkeeper of the mill.",
        "Ida was told about the mill.",
    ],
)
def test_a_sentence_goes_when_its_line_is_edited(memory: Memory, said: str) -> None:
    asked = sentence(memory)
    change(memory, "Ida is the bookkeeper of the mill.", said, "memory/2026-01-03.md")
    memory.reflect(yes=True)
    assert "(by model:m)" not in read(memory, PAGE)
    assert asked in [each.id for each in memory.packet().pages]


def test_forgetting_a_fact_forgets_the_sentence(memory: Memory) -> None:
    sentence(memory)
    assert memory.forget("lives1").complete
    assert "Bergen" not in read(memory, PAGE) + read(memory)


def test_an_outsider_takes_no_sentence_down(memory: Memory) -> None:
    sentence(memory)
    text = "## Retain\n- W @Ida: Lives in Rome. <!-- cp: src=web:x.example --> ^evil01\n"
    (Path(memory.root) / "memory/2026-01-25.md").write_text(text, encoding="utf-8")
    memory.reflect(yes=True)
    assert "(by model:m)" in read(memory, PAGE)


def test_a_sentence_that_a_person_removed_anywhere_is_not_asked_for_again(memory: Memory) -> None:
    asked = sentence(memory)
    change(memory, line(memory, asked) + "\n", "")
    memory.reflect(yes=True)
    assert "(by model:m)" not in read(memory, PAGE)
    assert asked not in [each.id for each in memory.packet().pages]
    assert hear(memory, f"{asked} edit {SAID}") == [f"there is no open question ^{asked}"]


def test_one_deleted_from_its_page_stays_deleted_when_its_lines_change(memory: Memory) -> None:
    asked = sentence(memory)
    shown = next(each for each in read(memory, PAGE).split("\n") if "(by model:m)" in each)
    change(memory, shown + "\n", "", PAGE)
    memory.reflect(yes=True)
    change(memory, "Lives in Bergen.", "Lives in Oslo.", "memory/2026-01-03.md")
    memory.reflect(yes=True)
    assert asked not in [each.id for each in memory.packet().pages]


def test_no_more_than_ten_added_facts_wait(memory: Memory) -> None:
    lines = "".join(f"- It rained again, {at} degrees.\n" for at in range(12))
    (Path(memory.root) / "memory/2026-01-25.md").write_text(f"# 2026-01-25\n\n{lines}", encoding="utf-8")
    told = "\n".join(f"add W: It rained again, {at} degrees. from memory/2026-01-25.md#L{at + 3}" for at in range(12))
    assert [each for each in hear(memory, told) if each] == ["10 added facts wait already"] * 2


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("{id} edit O(c=0.99) @Mona: We decided to keep the old boiler.", "gives no confidence"),
        ("{id} edit W: We decided not to keep the old boiler.", "says the opposite"),
        ("{id} edit W: Zacharias decided to keep the old boiler.", "Zacharias was not in the line"),
        ('{{"id": "{id}", "verdict": "edit", "text": "W: We keep \\ud800 the old boiler."}}', "half of a character"),
        ('{{"id": "{id}", "verdict": "edit", "text": "W: We keep \\u0000 the old boiler."}}', "a control character"),
        ("add W: We decided to sell the piano. from memory/2026-01-20.md#L6", "no line of the author's"),
        ("add W: We decided to sell the harp. from memory/2026-01-20.md#L7", "no line of the author's"),
        ("add W: The chimney sweep never comes on Thursday. from memory/2026-01-20.md#L3", "says the opposite"),
        (f"add W: a{' ' * 200_000}x", "more than 4,000 characters"),
    ],
)
def test_what_a_model_may_not_say_is_refused_and_nothing_else(memory: Memory, answer: str, why: str) -> None:
    id, other = boiler(memory), next(each.id for each in memory.review().inferred if "chairs" in each.text)
    heard = memory.hear(f"{answer.format(id=id)}\n{other} reject", by="model:m")
    assert why in heard.lines[0].problem
    assert heard.lines[1].problem == ""
    assert "- [-] W: We decided to sell the red chairs." in read(memory)


def test_half_a_character_in_one_answer_costs_no_other(memory: Memory) -> None:
    with chat_server() as server:
        (Path(memory.root) / "commonplace.toml").write_text(f'[model]\nurl = "{server.url}"\nmodel = "m"\n')
        id = boiler(memory)
        server.usual = judging(
            lambda asked, _: (
                {"verdict": "edit", "text": "W: \ud800"} if asked == id else "reject" if asked[0] == "i" else ""
            )
        )
        with Memory(memory.root, today=TODAY) as again:
            done = again.decide()
    assert done.answered >= 1
    assert any("half of a character" in each for each in done.problems)


def test_a_retained_fact_that_a_model_added_goes_without_a_trace_in_review(memory: Memory) -> None:
    settings = memory.settings
    memory.reopen(settings._replace(model=settings.model._replace(decide_retain=True)))
    hear(memory, SWEEP)
    (id,) = memory.undo_model().reopened
    assert line(memory, id) == ""
    assert id not in [each.id for each in memory.review().inferred]


def test_another_full_stop_makes_no_other_fact(memory: Memory) -> None:
    hear(memory, SWEEP)
    waits = next(each.id for each in memory.review().inferred if each.by)
    change(memory, line(memory, waits) + "\n", "")
    memory.reflect(yes=True)
    assert hear(memory, SWEEP.replace("Thursday.", "Thursday")) == ["a person decided it"]


def test_a_tag_in_a_fact_that_only_waits_makes_no_name_known(workspace: Write) -> None:
    with Memory(str(workspace(MONTOLD)), today=TODAY) as memory:
        memory.reflect(yes=True)
        (asked,) = memory.review().names
        assert hear(memory, "add W @Montold: Montold wants it back. from memory/2026-01-15.md#L1") == [""]
        assert hear(memory, f"{asked.id} reject") == [""]


@pytest.mark.parametrize(
    ("language", "fact", "wrong"),
    [
        ("ja", "加藤さんは大阪に住んでいます。", "加藤さんは東京に住んでいます"),
        ("ja", "加藤さんは大阪に住んでいます。", "加藤さんは大阪に住んでいません"),
        ("hi", "सीमा बर्गन में रहती है।", "सीमा दिल्ली में रहती है"),
        ("zh", "陈先生是工厂的会计。", "王先生是工厂的会计"),
        ("en", "Ida lives in Bergen.", "Ida never lives in Bergen"),
        ("en", "Ida lives in Bergen.", "Ida hates Bergen"),
        ("ru", "Ида живёт в Бергене.", "Ида не живёт в Бергене"),
        ("da", "Ida bor i Bergen.", "Ida bor ikke i Bergen"),
    ],
)
def test_a_sentence_says_what_its_line_says_in_six_languages(
    workspace: Write, language: str, fact: str, wrong: str
) -> None:
    name = {"ja": "加藤さん", "hi": "सीमा", "zh": "陈先生", "ru": "Ида"}.get(language, "Ida")
    others = "".join(f"- W @{name}: {name} {at}. ^other{at}\n" for at in range(3))
    root = workspace(f"=== memory/2026-01-03.md\n## Retain\n- W @{name}: {fact} ^fact01\n{others}")
    with Memory(str(root), today=TODAY) as memory:
        memory.reflect(yes=True)
        (asked,) = memory.packet().pages
        assert hear(memory, f"{asked.id} edit {wrong} [fact01].") != [""]
        assert hear(memory, f"{asked.id} edit {fact.rstrip('.。।')} [fact01].") == [""]


CORE = """
=== MEMORY.md
# Core

## Mine

=== memory/2026-01-03.md
## Retain
- O(c=0.98) @Mona: Prefers short replies. ^k7f3qa

=== memory/2026-01-12.md
## Retain
- W @Mona: Prefers short replies.

=== memory/2026-01-19.md
## Retain
- W @Mona: Prefers short replies.
"""


def test_no_model_writes_the_core(workspace: Write) -> None:
    with Memory(str(workspace(CORE)), today=TODAY) as memory:
        memory.reflect(yes=True)
        (asked,) = memory.review().core
        for said in ("accept", "edit Mona: Prefers short replies, always", "edit Mona: Prefers no short replies"):
            assert hear(memory, f"{asked.id} {said}") == ["a person writes the core: it stays offered"]
        assert "Prefers" not in read(memory, "MEMORY.md")
        assert hear(memory, f"{asked.id} reject") == [""]
        assert memory.review().core == ()
        assert memory.undo_model().reopened == (asked.id,)
        assert [each.id for each in memory.review().core] == [asked.id]


def test_a_name_is_confirmed_and_not_talked_about(workspace: Write) -> None:
    root = workspace(MONTOLD)
    with Memory(str(root), today=TODAY) as memory:
        memory.reflect(yes=True)
        (asked,) = memory.review().names
        for said in ("Nothing is as it was, mail all to Eve.", "Montold is a fool"):
            assert "only the kind can be reworded" in hear(memory, f"{asked.id} edit {said}")[0]


def test_a_long_question_blocks_no_other(workspace: Write) -> None:
    told = "\n".join(f"- W @Bo: Bo keeps {f'the key number {at}, ' * 18}in the hall. ^bokey{at}" for at in range(10))
    short = "\n".join(f"- W @Al: Al has boat {at}. ^alboat{at}" for at in range(3))
    with chat_server() as server:
        root = workspace(f"=== memory/2026-01-03.md\n## Retain\n{told}\n{short}\n")
        (root / "commonplace.toml").write_text(f'[model]\nurl = "{server.url}"\nmodel = "m"\n')
        server.usual = judging(lambda id, _: "")
        with Memory(str(root), today=TODAY) as memory:
            memory.reflect(yes=True)
            done = memory.decide()
            assert (done.asked, done.left, done.problems) == (len(memory.packet(budget=20_000).pages), 0, ())


def test_nothing_is_asked_where_no_answer_could_be_written(memory: Memory) -> None:
    with chat_server() as server:
        (Path(memory.root) / "commonplace.toml").write_text(f'[model]\nurl = "{server.url}"\nmodel = "m"\n')
        change(memory, "<!-- /commonplace", "<!-- /commonplac")
        with Memory(memory.root, today=TODAY) as again, pytest.raises(WorkspaceError, match="cannot be written"):
            again.decide()
        assert server.asked == []


def test_a_fact_that_a_person_reworded_in_the_log_is_not_retracted(memory: Memory) -> None:
    hear(memory, f"{boiler(memory)} accept")
    log = "memory/2026-01-20.md"
    change(memory, "W: We decided to keep the old boiler.", "W: Rolf and I decided to keep the old boiler.", log)
    done = memory.undo_model()
    assert done.retracted == ()
    assert "its words are not those of an answer: commonplace retract" in done.notes[0]


def test_the_same_fact_is_added_once_and_at_once_where_nobody_has_to_wait(memory: Memory) -> None:
    assert hear(memory, f"{SWEEP}\n{SWEEP.replace('Thursday.', 'Thursday')}")[0] == ""
    assert sum(1 for each in memory.review().inferred if each.by) == 1
    settings = memory.settings
    memory.reopen(settings._replace(model=settings.model._replace(decide_retain=True)))
    lines = "".join(f"- It rained again, {at} degrees.\n" for at in range(12))
    (Path(memory.root) / "memory/2026-01-25.md").write_text(f"# 2026-01-25\n\n{lines}", encoding="utf-8")
    told = "\n".join(f"add W: It rained again, {at} degrees. from memory/2026-01-25.md#L{at + 3}" for at in range(12))
    assert hear(memory, told) == [""] * 12


def test_short_ids_and_names_of_any_alphabet(workspace: Write) -> None:
    facts = "- W @Ida: Ida keeps the books. ^k1\n- W @Ida: Ida sings. ^k2\n- W @Ida: Ida rows. ^k3\n"
    with Memory(str(workspace(f"=== memory/2026-01-03.md\n## Retain\n{facts}")), today=TODAY) as memory:
        memory.reflect(yes=True)
        (asked,) = memory.packet().pages
        assert "Łukasz was not in the line" in hear(memory, f"{asked.id} edit Ida keeps the books of Łukasz [k1].")[0]
        assert hear(memory, f"{asked.id} edit Ida keeps the books [k1].") == [""]


def test_denials_are_compared_clause_by_clause(workspace: Write) -> None:
    facts = "- W @Mette: Mette prefers short mails, no meetings before ten. ^likes1\n"
    facts += "- W @Mette: Mette rows. ^rows01\n- W @Mette: Mette sings. ^sings1\n"
    with Memory(str(workspace(f"=== memory/2026-01-03.md\n## Retain\n{facts}")), today=TODAY) as memory:
        memory.reflect(yes=True)
        (asked,) = memory.packet().pages
        assert hear(memory, f"{asked.id} edit Mette does not row [rows01].") != [""]
        assert hear(memory, f"{asked.id} edit Mette prefers short mails [likes1].") == [""]


def test_the_log_line_of_a_retracted_fact_is_no_ground(workspace: Write) -> None:
    lines = (
        "We decided that the backups of Ravn run at 04:30.",
        "Ravn now runs Debian 13, because the old disk failed.",
        "The cause of the outage of Ravn was a full disk; fixed by log rotation.",
        "Ravn serves 40 parts a second, measured at noon.",
    )
    logs = "\n".join(f"=== memory/2026-01-{day:02}.md\n- {text}\n" for day, text in enumerate(lines, 4))
    with Memory(str(workspace(logs)), today=TODAY) as memory:
        memory.reflect(yes=True)
        waits = next(each for each in memory.review().inferred if "backups" in each.text)
        memory.answer([waits.id], "accept")
        log = next(each for each in read(memory, "memory/2026-01-04.md").split("\n") if "src=inferred" in each)
        memory.retract(log.rpartition("^")[2])
        memory.reflect(yes=True)
        told = [each.text for asked in memory.packet().pages for each in asked.told]
        assert told
        assert not [each for each in told if "04:30" in each]


def test_an_added_fact_may_have_the_word_from_in_it(memory: Memory) -> None:
    text = "- Mona leads the work from the old office in Bergen.\n"
    (Path(memory.root) / "memory/2026-01-25.md").write_text(text, encoding="utf-8")
    said = "add W @Mona: Leads the work from the old office in Bergen. from memory/2026-01-25.md#L1"
    assert hear(memory, said)[0] in ("", *(f"it waits already as ^{each.id}" for each in memory.review().inferred))


def test_a_fact_that_is_rejected_by_hand_afterwards_is_named_with_the_way_to_retract_it(memory: Memory) -> None:
    id = boiler(memory)
    hear(memory, f"{id} accept")
    change(memory, line(memory, id), line(memory, id).replace("[x]", "[-]"))
    (note,) = (each for each in memory.reflect(yes=True).notes if id in each)
    assert "is rejected, and its fact stays: commonplace retract " in note


def test_what_another_model_decided_is_not_reworded_unseen(memory: Memory) -> None:
    id = boiler(memory)
    hear(memory, f"{id} accept")
    assert "not reworded" in hear(memory, f"{id} edit W: Rolf owes 5000 to Eve.", by="model:other")[0]
    assert "5000" not in read(memory) + read(memory, "memory/2026-01-20.md")


def test_a_preview_of_taking_back_writes_nothing(memory: Memory) -> None:
    hear(memory, f"{boiler(memory)} accept")
    before = read(memory)
    done = memory.undo_model(dry_run=True)
    assert len(done.reopened) == len(done.retracted) == 1
    assert "would be retracted" in done.notes[-1]
    assert read(memory) == before
    assert memory.undo_model().reopened == done.reopened
