"""A question with a general word finds lines that have a member of it, in each language."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.core.recall import term_stats
from commonplace.doors.shared import wire
from commonplace.memory import Memory
from commonplace.ops.recall import term_rows

if TYPE_CHECKING:
    from tests.conftest import Write

    from commonplace.core.model import Bundle

LOGS = {
    "en": "Ingrid adopted a kitten from the farm.\nTook up the cello in spring.\nThe gate squeaks again.",
    "da": "Ida hentede en killing på gården.\nDen gamle cello er til reparation.\nLågen knirker igen.",
    "zh": "小雨从农场抱回一只仓鼠。\n他把大提琴送去修了。\n大门又响了。",
    "zh-Hant": "小雨從農場抱回一隻倉鼠。\n他把大提琴送去修了。\n大門又響了。",
    "ja": "農家から子猫をもらってきた。\nバイオリンの弦を張り替えた。\n門がまたきしむ。",
    "hi": "मीना खेत से एक खरगोश लाई।\nसितार के तार बदलवाए।\nफाटक फिर चरमराता है।",
    "ru": "Ира взяла на ферме хомяка.\nСкрипку отдали в ремонт.\nКалитка опять скрипит.",
}


def asked(workspace: Write, text: str, question: str) -> Bundle:
    log = "# 2026-03-10\n\n" + "".join(f"- {line}\n" for line in text.splitlines())
    with Memory(str(workspace({"memory/2026-03-10.md": log})), today=date(2026, 3, 12)) as memory:
        return memory.recall(question)


@pytest.mark.parametrize(
    ("language", "question", "line", "why"),
    [
        ("en", "Which pets are there?", 0, "kitten (pets)"),
        ("en", "Which instruments?", 1, "cello (instruments)"),
        ("da", "Hvilke husdyr er der?", 0, "killing (husdyr)"),
        ("da", "Hvilket instrument er det?", 1, "cello (instrument)"),
        ("zh", "家里有什么宠物？", 0, "仓鼠 (宠物)"),
        ("zh", "是哪件乐器？", 1, "大提琴 (乐器)"),
        ("zh-Hant", "家裡有什麼寵物？", 0, "仓鼠 (宠物)"),
        ("zh-Hant", "是哪件樂器？", 1, "大提琴 (乐器)"),
        ("ja", "どんなペットがいる？", 0, "子猫 (ペット)"),
        ("ja", "何の楽器ですか", 1, "バイオリン (楽器)"),
        ("hi", "कौन से पालतू जानवर हैं?", 0, "खरगोश (पालतू जानवर)"),
        ("hi", "कौन सा वाद्य है?", 1, "सितार (वाद्य)"),
        ("ru", "Какие есть питомцы?", 0, "хомяк (питомцы)"),
        ("ru", "Какой музыкальный инструмент?", 1, "скрипка (музыкальный инструмент)"),
    ],
)
def test_a_line_with_a_member_is_found_and_says_so(
    workspace: Write, language: str, question: str, line: int, why: str
) -> None:
    (hit,) = asked(workspace, LOGS[language], question).hits
    assert hit.line.content == LOGS[language].splitlines()[line]
    assert hit.why == (f"words: {why}",)


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("The pet shop closes at six.", "Where is the kitten?"),
        ("Dyrlægen tager alle husdyr.", "Hvor er killingen?"),
        ("宠物店六点关门。", "仓鼠在哪里？"),
        ("寵物店六點關門。", "倉鼠在哪裡？"),
        ("ペットショップは六時に閉まる。", "子猫はどこ？"),
        ("पालतू जानवरों की दुकान छह बजे बंद होती है।", "खरगोश कहाँ है?"),
        ("Питомцев принимают до шести.", "Где хомяк?"),
    ],
)
def test_a_member_in_a_question_finds_no_general_word(workspace: Write, line: str, question: str) -> None:
    assert not asked(workspace, line, question).hits


@pytest.mark.parametrize(
    ("lines", "question"),
    [
        (("The kitten sleeps.", "The pets sleep."), "Which pets sleep?"),
        (("Killingen sover.", "Alle husdyr sover."), "Hvilke husdyr sover?"),
        (("仓鼠睡着了。", "宠物睡着了。"), "什么宠物睡着了？"),
        (("倉鼠睡著了。", "寵物睡著了。"), "什麼寵物睡著了？"),
        (("子猫が寝た。", "ペットが寝た。"), "どのペットが寝たか"),
        (("खरगोश सो गया।", "पालतू सो गया।"), "कौन सा पालतू सो गया?"),
        (("Хомяк заснул.", "Питомцы заснули."), "Какие питомцы заснули?"),
    ],
)
def test_a_line_with_the_general_word_itself_comes_first(
    workspace: Write, lines: tuple[str, str], question: str
) -> None:
    text = "\n".join((lines[0], "x1", "y2", "z3", "w4", "v5", lines[1]))
    found = [hit.line.content for hit in asked(workspace, text, question).hits]
    assert found == [lines[1], lines[0]]


def test_a_line_with_both_has_only_the_word_itself(workspace: Write) -> None:
    (hit,) = asked(workspace, "The pets are a kitten and a hen.", "Which pets?").hits
    assert hit.why == ("words: pets",)


def test_a_member_that_is_the_name_of_somebody_asked_about_is_none(workspace: Write) -> None:
    text = "- Daisy: The pump leaks.\n- Bo: I planted tulips.\n- Daisy: And the tap drips.\n- Bo: Nice."
    log = {"memory/2026-03-10.md": f"# 2026-03-10\n\n{text}\n"}
    with Memory(str(workspace(log)), today=date(2026, 3, 12)) as memory:
        hits = memory.recall("Which flowers does Daisy like?").hits
    assert not [why for hit in hits for why in hit.why if "daisy (" in why]


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("What pets does Ingrid have?", ""),
        ("What pets does Torben have?", "no line has: pets"),
        ("Which instrument does Torben play?", "none of these has Torben together with the rest of the question"),
        ("What pets does Vilhelm have?", "no match for: pets, Vilhelm"),
    ],
)
def test_a_note_tells_when_the_member_is_of_somebody_else(workspace: Write, question: str, note: str) -> None:
    found = asked(workspace, f"{LOGS['en']}\nTorben went to the dentist.\nIngrid plays the cello.", question)
    assert found.note == note


def test_a_note_goes_only_by_a_line_with_the_rest_of_the_question(workspace: Write) -> None:
    text = "The nurse slept.\nThe queue failed at night.\nA crane turned."
    assert asked(workspace, text, "Which occupation failed?").note == "no line has: occupation"
    text = "The nurse failed at night.\nThe queue slept.\nA crane turned."
    assert not asked(workspace, text, "Which occupation failed?").note


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("The market in Lund opens at nine.", "Where do we store the backups?"),
        ("Ida baked a cake.", "How should we treat timeouts?"),
        ("Torben bought a necklace.", "Who will present the results?"),
        ("The API returns a cursor.", "Which editor do they use?"),
        ("The keyboard of the laptop is sticky.", "Which instrument did we rent?"),
        ("We paid Rose, the accountant.", "Which flowers are there?"),
        ("Rose paid the accountant.", "Which flowers are there?"),
        ("Hunden er en killing.", "Hvorfor er den så dyr?"),
        ("Frikadeller til aften.", "Har vi ret til det?"),
        ("他买了华为。", "他的手机号是什么？"),
        ("他買了華為。", "他的手機號是什麼？"),
        ("寿司を食べた。", "どの料理教室がいい？"),
        ("गणित कठिन है।", "बैठक का विषय क्या था?"),
        ("Заказали суши.", "Когда сделают кухню?"),
    ],
)
def test_what_no_line_answers_stays_unanswered(workspace: Write, line: str, question: str) -> None:
    assert not asked(workspace, line, question).hits


@pytest.mark.parametrize(
    ("line", "question", "why"),
    [
        ("Two geese hissed.", "Which animals?", "geese (animals)"),
        ("The knives are blunt.", "Which utensils?", "knives (utensils)"),
        ("Hunden gøede.", "Hvilke husdyr?", "hund (husdyr)"),
    ],
)
def test_members_are_found_in_their_forms(workspace: Write, line: str, question: str, why: str) -> None:
    (hit,) = asked(workspace, line, question).hits
    assert hit.why == (f"words: {why}",)


def test_common_members_are_left_out(workspace: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(term_stats, "MOST_MEMBERS", 2)
    text = "The dog barks.\nA dog dug.\nA dog ate.\nThe hamster runs."
    found = [hit.line.content for hit in asked(workspace, text, "Which pets?").hits]
    assert found == ["The hamster runs."]


def test_where_every_word_is_common_lines_without_a_member_are_found_too(
    workspace: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(term_rows, "COMMON", 1)
    text = "The vet weighed every pet.\nThe vet weighed a pet.\nx1\ny2\nz3\nA hamster ran.\nw4"
    found = [hit.line.content for hit in asked(workspace, text, "Which pets did the vet weigh?").hits]
    assert any("weighed every pet" in line for line in found) and found[-1] == "A hamster ran."


def test_what_is_read_of_a_question_names_its_members(workspace: Write) -> None:
    with Memory(str(workspace({"MEMORY.md": "# Core\n"})), today=date(2026, 3, 12)) as memory:
        assert "cello" in wire.reading(memory.explain("Which instruments?"))["members"]["instruments"]
        assert "members" not in wire.reading(memory.explain("Where is the cello?"))
