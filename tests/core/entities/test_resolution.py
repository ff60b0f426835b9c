"""Which entities look like one: pairs that must be asked about and pairs that must not, and what it costs."""

from __future__ import annotations

import random
import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.entities.alias_phrases import Bearer
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.resolution import Same, alike, read_same, same_id, same_line
from commonplace.core.model import Citation, Fact, Kind, Line

DAY = date(2026, 1, 3)


def fact(text: str, *names: str) -> Fact:
    return Fact("x", Kind.WORLD, text, names, Citation("memory/2026-01-03.md", 7), DAY)


def found(names: tuple[str, ...], *facts: Fact, lines: tuple[Line, ...] = ()) -> list[Same]:
    known = {entity_key(name): Bearer(entity_key(name), name, (entity_key(name),), False, 1) for name in names}
    return alike(known.values(), facts, lines=lines, canonical=entity_key)


SAID = [
    ("Pete", "Peter", "Pete is Peter."),
    ("Bob", "Robert", "Bob is Robert"),
    ("Pete", "Peter", "Pete, also known as Peter, left early."),
    ("Rex", "Rolf", "Rolf (aka Rex) came by."),
    ("Rex", "Rolf", "Rolf a.k.a. Rex"),
    ("Kiki", "Katharina Holm", "Katharina Holm goes by Kiki at work."),
    ("Kiki", "Katharina", "Katharina's nickname is Kiki."),
    ("Kiki", "Katharina", "Kiki is short for Katharina."),
    ("orbit", "orbit-ui", "orbit is an alias for orbit-ui."),
    ("Tove", "Mor", "Tove and Mor are the same person."),
    ("Basse", "Bent Holm", "Bent Holm, også kaldet Basse, bor her."),
    ("Basse", "Bent", "Bent, kaldet Basse, ringede."),
    ("Basse", "Bent", "Bent er også kendt som Basse."),
    ("Basse", "Bent", "Basse er kælenavn for Bent."),
    ("Basse", "Bent", "Basse og Bent er samme person."),
    ("小王", "王小明", "小王又名王小明。"),
    ("小王", "王小明", "小王（又叫王小明）住在北京。"),
    ("小王", "王小明", "王小明的别名是小王"),
    ("小王", "王小明", "小王就是王小明。"),
    ("小王", "王小明", "小王和王小明是同一个人。"),
    ("小陳", "陳建國", "陳建國，又稱小陳"),
    ("小陳", "陳建國", "小陳和陳建國是同一個人。"),
    ("小陳", "陳建國", "陳建國，綽號小陳"),
    ("ピート", "ピーター", "ピートはピーターの別名です。"),
    ("ピート", "ピーター", "ピーター、通称ピート"),
    ("ピート", "ピーター", "ピーターのあだ名はピートです。"),
    ("ピート", "ピーター", "ピーター(別名ピート)は大阪に住んでいる。"),
    ("ハナ", "花子", "花子の愛称はハナ。"),
    ("मोनू", "मोहन", "मोहन उर्फ मोनू दिल्ली में रहता है।"),
    ("मोनू", "मोहन", "मोहन को मोनू भी कहते हैं।"),
    ("मोनू", "मोहन", "मोहन और मोनू एक ही व्यक्ति हैं।"),
]
WRITTEN = [
    ("TheCastle", "The Castle"),
    ("NodeJS", "Node.js"),
    ("server1", "server-1"),
    ("Müller", "Mueller"),
    ("Søren", "Soeren"),
    ("Århus", "Arhus"),
    ("O'Brien", "OBrien"),
    ("約翰·史密斯", "约翰史密斯"),
    ("山田 太郎", "山田太郎"),
    ("コンピューター", "コンピュータ"),
    ("पंडित", "पण्डित"),
    ("आनंद", "आनन्द"),
]
FIRST = [
    ("Peter", "Peter Hansen", "Owns a red van."),
    ("Yrsa", "Yrsa Holm", "Lives in Ribe."),
    ("Yrsa", "Yrsa Holm", "Arbejder på havnen."),
    ("मोहन", "मोहन शर्मा", "दिल्ली में है।"),
]
SLIPS = [("Katharina", "Kathrina"), ("Peter Hansen", "Peter Hasnen"), ("Frederiksen", "Frederksen")]


@pytest.mark.parametrize(("one", "other", "text"), SAID)
def test_what_is_said_is_asked(one: str, other: str, text: str) -> None:
    for told in (
        found((one, other), fact(text)),
        found((one, other), lines=(Line(text, (), Citation("memory/2026-01-03.md", 7), DAY),)),
    ):
        assert [({each.key, each.other}, each.reason) for each in told] == [
            ({entity_key(one), entity_key(other)}, "said")
        ]


@pytest.mark.parametrize(("one", "other"), WRITTEN)
def test_one_name_in_two_spellings_is_asked(one: str, other: str) -> None:
    assert [each.reason for each in found((one, other))] == ["spelled alike"]


@pytest.mark.parametrize(("first", "whole", "text"), FIRST)
def test_a_first_name_is_asked_of_the_only_one(first: str, whole: str, text: str) -> None:
    assert [each.reason for each in found((first, whole), fact(text, whole))] == ["the only one of that first name"]
    assert found((first, whole, f"{first} Olsen"), fact(text, whole)) == []


@pytest.mark.parametrize(("one", "other"), SLIPS)
def test_a_slip_is_asked_beside_the_same_company(one: str, other: str) -> None:
    both = fact("Met.", one, "Mona"), fact("Met.", other, "Mona")
    assert [each.reason for each in found((one, other, "Mona"), *both)] == ["one letter apart"]
    assert found((one, other, "Mona"), both[0], fact("Met.", other, "Rolf")) == []


@pytest.mark.parametrize(("one", "other"), [*WRITTEN, *SLIPS, *((one, other) for one, other, _ in FIRST)])
def test_two_named_in_one_fact_are_two(one: str, other: str) -> None:
    beside = fact("Met.", one, "Mona"), fact("Met.", other, "Mona")
    assert found((one, other, "Mona"), *beside, fact("Both came.", one, other)) == []


APART = [
    ("server-1", "server-2"), ("SB-2", "SB-3"), ("v1-2", "v12"), ("Release 2025", "Release 2026"),
    ("orbit-ui", "orbit-api"), ("Anna", "Anne"), ("Jan Hansen", "Jon Hansen"), ("Christina", "Christine"),
    ("Andersen", "Anderson"), ("Petersen", "Pedersen"), ("Karlsen", "Carlsen"), ("Project", "Projects"),
    ("Martina", "Martin"), ("Michael", "Michaela"), ("Hansen", "Jansen"), ("Martin Holm", "Marvin Holm"),
    ("Oslo", "Oslo Office"), ("Acme", "Acme Robotics"), ("Python", "Python Weekly"), ("Peter", "Peter Street"),
    ("Berlin", "Berlin Marathon"), ("The", "The Castle"), ("orbit", "orbit web"), ("Familien", "Familien Holm"),
    ("Kristina", "Kristine"), ("Johanne", "Johanna"), ("Mathias", "Mathiaz"), ("Frederik", "Frederikke"),
    ("København", "Københavns"), ("王小明", "王小红"), ("李娜", "李娜娜"), ("北京", "北京大学"), ("陳建國", "陳建宏"),
    ("東京", "東京駅"), ("ピーター", "ペーター"), ("花子", "桃子"), ("田中一郎", "田中二郎"), ("राम", "रमा"),
    ("मोहन", "मोहित"), ("दिल्ली", "दिल्ली स्टेशन"), ("सीता", "गीता"), ("IT", "I T"), ("C", "C++"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_may_be_two_is_not_asked(one: str, other: str) -> None:
    both = fact("Met.", one, "Mona"), fact("Met.", other, "Mona")
    assert found((one, other, "Mona"), *both) == []


@pytest.mark.parametrize(
    "text",
    [
        "Is Rolf also known as Pete?", "Rolf is not Pete.", "Rolf called Pete.", "Rolf is with Pete.",
        "Rolf and Pete came.", "Rolf is taller than Pete.", "Rolf is Pete's brother.", "Rolf er ikke Pete.",
        "Rolf har kaldet Pete til møde.", "Rolf er Petes bror.", "Rolf 和 Pete 来了。", "Rolf不是Pete。",
        "RolfとPeteは友達です。", "Rolf और Pete आए।", "Rolf told us: the alias of Pete.",
        "Rolf wrote an alias file, Pete.",
    ],
)  # fmt: skip
def test_what_says_something_else_is_not_asked(text: str) -> None:
    assert found(("Rolf", "Pete"), fact(text)) == []


def test_is_between_things_says_what_they_are() -> None:
    assert found(("Rex", "Dog"), fact("Rex is Dog.")) == []
    assert found(("server-1", "server-2"), fact("server-1, also known as server-2")) == []


def test_a_fact_that_begins_so_is_about_its_entity() -> None:
    (asked,) = found(("Rolf", "Rex"), fact("Also known as Rex.", "Rolf"))
    assert {asked.name, asked.alias} == {"Rolf", "Rex"}


def test_what_is_said_of_two_named_together_is_asked() -> None:
    assert len(found(("Pete", "Peter"), fact("Pete is Peter.", "Pete", "Peter"))) == 1


def test_the_one_with_a_page_or_more_facts_stays() -> None:
    def stays(*known: Bearer) -> str:
        return alike(known, [], lines=[], canonical=entity_key)[0].key

    one, other = Bearer("redlamp", "RedLamp", ("redlamp",), False, 5), Bearer("red lamp", "Red-Lamp", (), False, 2)
    assert stays(one, other) == "redlamp"
    assert stays(one, other._replace(page=True)) == "red lamp"


@given(st.text(max_size=30), st.text(max_size=30))
def test_a_line_is_read_back_in_either_order(one: str, other: str) -> None:
    one, other = (" ".join(name.replace("\x1f", "").split()) for name in (one, other))
    id = same_id(entity_key(one), entity_key(other))
    assert id == same_id(entity_key(other), entity_key(one))
    read = read_same(id, f"{one} is {other} (spelled alike)")
    assert read is not None
    assert {entity_key(name) for name in read} == {entity_key(one), entity_key(other)}


def test_a_line_leads_to_the_file_that_says_so() -> None:
    (asked,) = found(("Pete", "Peter"), fact("Pete is Peter."))
    line = same_line(asked)
    assert line == f"- [ ] Pete is Peter (said, [2026-01-03](../memory/2026-01-03.md)) ^{asked.id}"


@given(st.lists(st.text(max_size=20), max_size=8), st.lists(st.text(max_size=60), max_size=4))
def test_no_name_or_text_is_paired_with_itself(names: list[str], texts: list[str]) -> None:
    for each in found(tuple(names), *(fact(text, *names[:2]) for text in texts)):
        assert each.key != each.other


@pytest.mark.parametrize("common", ["", "Katharina "])
def test_ten_thousand_entities_take_no_time(common: str) -> None:
    made = random.Random(7)
    names = {f"{common}{''.join(made.choices('abcdefghijklm', k=9)).title()}" for _ in range(10_000)}
    known = [Bearer(entity_key(name), name, (entity_key(name),), False, 1) for name in names]
    started = time.process_time()
    alike(known, [], lines=[], canonical=entity_key)
    assert time.process_time() - started < 5  # it takes .1 s; comparing each with each, a minute


def test_names_that_a_file_introduces_beside_each_other_are_asked_about() -> None:
    known = [Bearer(entity_key(name), name, (entity_key(name),), False, 0) for name in ("李明", "Kvikmar")]
    beside = [("李明", "kvikmar"), ("李明", "unknown")]
    (asked,) = alike(known, [], lines=[], canonical=entity_key, introduced=beside)
    assert {asked.key, asked.other} == {"李明", "kvikmar"}
    assert alike(known, [], lines=[], canonical=entity_key) == []
