"""Which names share a page without a question, and which never do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.entities.joined_names import KnownName, joined

if TYPE_CHECKING:
    from collections.abc import Mapping


def found(
    lines: dict[str, int],
    *called: tuple[str, ...],
    pages: Mapping[str, tuple[str, ...]] | None = None,
    tagged: tuple[str, ...] = (),
    rejected: tuple[str, str] = ("", ""),
    people: tuple[str, ...] = (),
    projects: tuple[str, ...] = (),
    things: tuple[tuple[str, ...], ...] = (),
) -> dict[str, str]:
    """What is joined; `pages`: name -> its aliases; `people`: whom lines use as persons; `projects`: what as others."""
    known = {entity_key(name): KnownName(name, count) for name, count in lines.items()}
    owners: dict[str, list[str]] = {}
    for own, others in (pages or {}).items():
        for name in (own, *others):
            owners.setdefault(entity_key(name), []).append(entity_key(own))
    return joined(
        known,
        called=called,
        things=things,
        owners=owners,
        tagged=tagged,
        household=lambda name: name == "slack",
        somebody=lambda key: key in map(entity_key, people),
        is_a_thing=lambda key: key in map(entity_key, projects),
        rejected=lambda one, other: {one, other} == {*rejected},
    )


def test_names_by_which_a_file_introduces_one_person_are_joined() -> None:
    assert found({"Rolf Berg": 1, "Skip": 9}, ("Rolf Berg", "Skip")) == {"rolf berg": "skip"}
    assert found({"陈海": 2, "老陈": 1}, ("陈海", "老陈")) == {"老陈": "陈海"}
    assert found({"Rolf Berg": 9, "Skip": 1}, ("Rolf Berg", "Skip"), tagged=("skip",)) == {"rolf berg": "skip"}


def test_names_are_joined_in_one_order_whatever_run_it_is() -> None:
    names = ("Rolf Berg", "Skip", "Bo", "Uffe", "Tove", "Kaj", "Lene", "Orla")
    assert [*found(dict.fromkeys(names, 1), names)] == sorted({*map(entity_key, names)} - {"uffe"})


def test_names_of_a_note_of_a_project_are_joined_and_make_nobody_of_it() -> None:
    note = ("Ternwatch", "tide-relay")
    lines = {"Ternwatch": 9, "tide-relay": 2, "Project Ternwatch": 4, "Ternwatch dashboard": 3, "Ternwatch Berg": 2}
    assert found(lines, things=(note,)) == dict.fromkeys(
        ("tide relay", "project ternwatch", "ternwatch dashboard"), "ternwatch"
    )


def test_a_note_of_a_project_that_has_the_name_of_somebody_is_not_that_one() -> None:
    note = ("Rolf Berg", "sauna")
    assert found({"Rolf Berg": 9, "sauna": 2}, ("Rolf Berg",), things=(note,)) == {}
    assert found({"Rolf Berg": 9, "sauna": 2}, people=("Rolf Berg",), things=(note,)) == {}
    assert found({"Slack": 9, "tide-relay": 2}, things=(("Slack", "tide-relay"),)) == {}


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Peter", "Peter Holm"),
        ("Романа", "Роман"),
        ("Аркадием", "Аркадий"),
        ("Project Tern", "Tern"),
        ("Проект Крачка", "Крачка"),
        ("Kite Bay Ltd", "Kite Bay"),
        ("Kite Bay A/S", "Kite Bay"),
        ("Серый Причал ООО", "Серый Причал"),
        ("प्रकाश नौका लिमिटेड", "प्रकाश नौका"),
        ("Tern Watch Dashboard", "Tern Watch"),
        ("Ternen projekt", "Ternen"),
        ("Крачка приложение", "Крачка"),
        ("नौका ऐप", "नौका"),
        ("灯笼小程序", "灯笼"),
        ("燈籠專案", "燈籠"),
        ("カモメアプリ", "カモメ"),
        ("岸辺様", "岸辺さん"),
        ("Holm氏", "Holmさん"),
        ("Holmさん", "Holm"),
        ("ミナト", "ミナトさま"),
        ("सीमा जी", "सीमा"),
        ("Tide Relay", "TideRelay"),
        ("tern-feeder", "ternfeeder"),
    ],
)
def test_a_name_is_joined_to_the_one_that_it_surely_is(name: str, other: str) -> None:
    assert found({name: 3, other: 4}) == {entity_key(name): entity_key(other)}


@pytest.mark.parametrize(
    "names",
    [
        {"Peter": 9, "Peter Holm": 4, "Peter Lund": 3},
        {"Peter": 9, "Peter Report": 4},
        {"Peter": 9, "Peter Holm": 4, "Peter Holm Jr.": 3},
        {"Peter": 9, "Peter Holm": 4, "Peter Holm Filho": 3},
        {"Мария": 9, "Мария Берг": 4, "Мария Берг младшая": 3},
        {"Peter": 9, "Peter Slack": 4},
        {"Peter": 9, "Peter NordTide": 4, "NordTide": 30},
        {"Tern": 9, "Tern Island": 4},
        {"Nora": 9, "Nora Ltd": 4},
        {"Quillon": 9, "Quillon Ltd": 4},
        {"Quillon": 9, "Quillon AB": 4},
        {"Quillon": 9, "Quillon NV": 4},
        {"Quillon": 9, "Quillon AG": 4},
        {"Quillon": 9, "Quillon Plc": 4},
        {"Kvikmar": 9, "Kvikmar A/S": 4},
        {"Причал": 9, "Причал ООО": 4},
        {"नौका": 9, "नौका लिमिटेड": 4},
        {"灯笼": 9, "灯笼 有限公司": 4},
        {"Nora Quill": 9, "Nora Quill Ltd": 4},
        {"Nora": 9, "Project Nora": 4},
        {"Nora": 9, "Nora Website": 4},
        {"Slack": 9, "Slack App": 4},
        {"Tern": 9, "Tern App": 4, "Tern Website": 3},
        {"Tern": 4, "Tern Dashboard": 9},
        {"Status": 9, "Status Dashboard": 4},
        {"Tern": 9, "Tern Island Dashboard": 4},
        {"灯笼": 9, "灯笼用户": 4},
        {"岸辺さん": 9, "浜崎様": 4},
        {"岸辺": 9, "岸辺さん": 4},
        {"Holm": 9, "Holm先生": 4},
        {"सीमा": 9, "सीमाजी नगर": 4},
        {"岸辺さん": 9, "岸辺くん": 4},
        {"岸辺さん": 9, "岸辺部長": 4},
        {"李先生": 9, "李老师": 4},
        {"カモメ": 9, "カモメアプリ": 4, "カモメプロジェクト": 4},
        {"Luca": 9, "Lucas": 3},
        {"Peter": 9, "Peters": 3},
        {"Берков": 9, "Беркова": 3},
        {"Peter": 20, "Peter Holm": 5, "Holm": 10, "Peter Lund": 4},
        {"Александр": 9, "Александра": 5},
        {"Caelith": 3, "Caeliths": 4},
        {"Page": 9, "Pages": 4},
        {"mem0": 9, "mem 0": 4},
        {"Bun": 9, "B. un": 4},
    ],
)
def test_what_may_be_another_is_left_apart(names: dict[str, int]) -> None:
    assert found(names) == {}


def test_whom_lines_use_as_a_person_is_no_company_or_project() -> None:
    assert found({"Zorah Quill": 9, "Zorah Quill Ltd": 4}) == {"zorah quill ltd": "zorah quill"}
    assert found({"Zorah Quill": 9, "Zorah Quill Ltd": 4}, people=("Zorah Quill",)) == {}
    assert found({"Zorah Quill": 9, "Zorah Quill Ltd": 4}, ("Zorah Quill",)) == {}
    assert found({"Zorah": 9, "Project Zorah": 4}) == {"project zorah": "zorah"}
    assert found({"Zorah": 9, "Project Zorah": 4}, people=("Zorah",)) == {}


@pytest.mark.parametrize("more", ["Peter Holm Bot", "Peter Holm Lund"])
def test_a_full_name_with_more_behind_it_is_no_rival(more: str) -> None:
    assert found({"Peter": 9, "Peter Holm": 4, more: 1}) == {"peter holm": "peter"}


def test_the_only_full_name_of_whom_a_file_introduces() -> None:
    names = {"Ygritte": 9, "Ygritte Holm": 3}
    assert found(names) == {}
    assert found(names, ("Ygritte",)) == {"ygritte holm": "ygritte"}
    assert found(names, ("Ygritte Holm",)) == {"ygritte holm": "ygritte"}
    assert found(names, ("Ygritte Holm",), projects=("Ygritte",)) == {}
    assert found({**names, "Ygritte Lund": 1}, ("Ygritte Holm",)) == {}


@pytest.mark.parametrize("name", ["Ygritte Holm", "Вибека Берг", "लहरी राव"])
def test_the_only_full_name_of_whom_lines_use_as_a_person(name: str) -> None:
    first = name.split(maxsplit=1)[0]
    names = {first: 9, name: 3}
    assert found(names, people=(first, name)) == {entity_key(name): entity_key(first)}
    assert found(names, people=(first,)) == found(names, people=(name,)) == {}
    assert found({**names, f"{first} Kvik": 2}, people=(first, name, f"{first} Kvik")) == {}


def test_a_form_of_a_first_name_shares_the_page_of_the_full_one() -> None:
    names = {"Роман": 9, "Роман Берг": 4, "Романа": 2}
    assert found(names, ("Роман",)) == {"роман берг": "роман", "романа": "роман"}


def test_a_genitive_of_whom_a_file_introduces_is_that_one() -> None:
    assert found({"Rolf": 9, "Rolfs": 3}, ("Rolf",)) == {"rolfs": "rolf"}
    assert found({"Rolf": 9, "Rolfs": 3}, ("Berg",)) == {}
    assert found({"Rolf": 3, "Rolfs": 9}, ("Rolf",)) == {}
    assert found({"Han": 9, "Hans": 3}, ("Han",)) == {}
    assert found({"Rolf": 9, "Rolfs": 3}, ("Rolf",), ("Rolfs", "Tove")) == {}
    assert found({"Robert": 9, "Roberts": 3}, ("Robert",), people=("Roberts",)) == {}


def test_of_names_that_are_joined_to_each_other_one_keeps_the_page() -> None:
    names = {"Peter": 4, "Peter Holm": 9, "Pelle": 12}
    called = ("Peter", "Peter Holm", "Pelle")
    assert found(names, called) == found(names, called[::-1]) == {"peter": "pelle", "peter holm": "pelle"}


def test_only_a_page_that_lists_a_name_takes_it() -> None:
    names = {"Peter": 4, "Peter Holm": 9}
    assert found(names) == {"peter": "peter holm"}
    assert found(names, pages={"Peter": ("Peter Holm",)}) == {"peter holm": "peter"}
    assert found(names, pages={"Peter": ()}) == {}
    assert found(names, pages={"Peter": (), "Peter Holm": ()}) == {}
    assert found(names, pages={"Peter": ("Peter Holm",), "Pelle": ("Peter",)}) == {}


def test_what_a_person_rejected_is_not_joined_by_another_name_either() -> None:
    names = {"Peter": 4, "Peter Holm": 9, "Pelle": 12}
    assert found({"Peter": 4, "Peter Holm": 9}, rejected=("peter", "peter holm")) == {}
    both = found(names, ("Peter", "Pelle"), rejected=("peter holm", "pelle"))
    assert not {"peter holm", "pelle"} <= {*both, *both.values()}


def test_whom_others_share_a_name_with_is_joined_to_nobody_though_facts_tag_them() -> None:
    names = {"Peter": 20, "Peter Holm": 5, "Peter Lund": 9}
    assert found(names, tagged=("peter lund",)) == {}


def test_what_somebody_tagged_is_left_to_questions() -> None:
    assert found({"Peter": 9, "Peter Holm": 4}, tagged=("peter",)) == {}


NAMES = ["Peter", "Peter Holm", "Pelle", "Peter Lund", "Project Peter", "Роман", "Романа", "Tide Relay", "TideRelay"]


@given(
    st.dictionaries(st.sampled_from(NAMES), st.integers(1, 9)),
    st.sets(st.sampled_from(NAMES)),
    st.lists(st.lists(st.sampled_from(NAMES), unique=True, max_size=3).map(tuple), max_size=2),
)
def test_no_page_is_joined_to_another_and_the_order_does_not_matter(
    lines: dict[str, int], pages: set[str], called: list[tuple[str, ...]]
) -> None:
    there = {name: () for name in lines if name in pages}
    one = found(lines, *called, pages=there)
    assert one == found(dict(reversed(lines.items())), *called[::-1], pages=there)
    assert not {*map(entity_key, there)} & one.keys()
    assert not one.keys() & {*one.values()}
