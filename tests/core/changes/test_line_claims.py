"""Whether two plain lines claim of one thing what can be so in one way only."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from commonplace.core.changes.line_claims import claims_anew, line_claims, same_claim
from commonplace.core.entities.entity_names import entity_key
from commonplace.core.model import Citation, Line

if TYPE_CHECKING:
    from collections.abc import Sequence

CHANGES = {
    "en: a port": ("The **relay** listens on port 8080", "The relay now listens on port 9090"),
    "en: a version": ("The tide app runs version 2.1", "The tide app was upgraded to version 2.4"),
    "zh": ("潮汐服务的端口是8080", "潮汐服务的端口改为9090"),
    "ja": ("潮汐サーバーのポートは8080です", "潮汐サーバーのポートは9090に変更"),
    "hi": ("ज्वार सर्वर का पोर्ट 8080 है", "ज्वार सर्वर का पोर्ट अब 9090 है"),
}


def line(text: str, day: int) -> Line:
    return Line(text, (), Citation(f"memory/2026-03-0{day}.md", 1), date(2026, 3, day))


def anew(older: str, newer: str, *, one_heading: bool, known: Sequence[str] = ()) -> bool:
    return any(
        same_claim(new, old, one_heading=one_heading) and claims_anew(new, old)
        for old in line_claims(line(older, 1), 1, known)
        for new in line_claims(line(newer, 5), 2, known)
    )


@pytest.mark.parametrize(("older", "newer"), CHANGES.values(), ids=CHANGES)
def test_a_change_excludes_the_older_line_below_any_heading(older: str, newer: str) -> None:
    assert anew(older, newer, one_heading=False)


def test_another_value_excludes_it_below_the_same_heading_only() -> None:
    older, newer = "Relay port: 8080", "Relay port: 9090"
    assert anew(older, newer, one_heading=True)
    assert not anew(older, newer, one_heading=False)
    assert not anew(older, older, one_heading=True)


def test_two_products_of_one_version_are_two() -> None:
    assert not anew("The editor runs version 2.1", "The player runs version 2.2", one_heading=True)


def test_the_topic_has_the_words_of_the_slot() -> None:
    assert [each.topic for each in line_claims(line("Relay port: 8080", 1), 1)] == ["relay"]


SOMEBODY = {
    "en": ("Client lives in Leeds", "Client moved to Hull"),
    "en: a colleague, in the middle": ("Since May our colleague lives in Leeds", "Our colleague moved to Hull"),
    "en: behind a label": ("Update: Client lives in Leeds", "Update: Client moved to Hull"),
    "da": ("Kunden bor i Ribe", "Kunden er flyttet til Odense"),
    "da: a dentist": ("Tandlægen bor i Ribe", "Tandlægen er flyttet til Odense"),
    "zh": ("客户住在慕尼黑", "客户搬到了柏林"),
    "zh: a colleague": ("同事在苏州工作", "同事加入了华为"),
    "zh: a manager": ("高级经理住在宁波", "高级经理搬到了苏州"),
    "zh-hant": ("房客住在臺中", "房客搬到了高雄"),
    "zh: a friend of somebody": ("小雨的朋友住在苏州", "小雨的朋友搬到了宁波"),
    "ja": ("お客様は京都に住んでいます", "お客様は神戸に引っ越しました"),
    "ja: a colleague": ("同僚は京都に住んでいる", "同僚は神戸に引っ越した"),
    "ja: a nurse": ("看護師さんは京都に住んでいる", "看護師さんは神戸に引っ越した"),
    "hi": ("ग्राहक दिल्ली में रहता है", "ग्राहक अब पुणे में रहता है"),
    "hi: a brother": ("मेरा भाई दिल्ली में रहता है", "मेरा भाई अब पुणे में रहता है"),
    "hi: an uncle": ("चाचा जी दिल्ली में रहते हैं", "चाचा जी अब पुणे में रहते हैं"),
    "ru": ("Клиент живёт в Туле", "Клиент переехал в Самару"),
    "ru: a colleague": ("Коллега Нины живёт в Туле", "Коллега Нины переехал в Самару"),
}


@pytest.mark.parametrize(("older", "newer"), SOMEBODY.values(), ids=SOMEBODY)
def test_two_whom_a_common_noun_names_may_be_two(older: str, newer: str) -> None:
    assert not anew(older, newer, one_heading=True, known=["小雨", "нины", "нина", "京都", "दिल्ली"])


NAMED = {
    "en": ("Clara lives in Leeds", "Clara moved to Hull", "clara"),
    "en: two words": ("Yesterday Clara Dahl moved to Leeds", "Clara Dahl lives in Hull", "clara dahl"),
    "da": ("Dorthe bor i Ribe", "Dorthe er flyttet til Odense", "dorthe"),
    "zh": ("何晓月住在苏州", "何晓月搬到了宁波", "何晓月"),
    "zh: in Latin letters": ("John Smith住在苏州", "John Smith搬到了宁波", "john smith"),
    "zh-hant": ("何曉月住在臺中", "何曉月搬到了高雄", "何曉月"),
    "ja": ("千夏は京都に住んでいる", "千夏は神戸に引っ越した", "千夏"),
    "ja: in Latin letters": ("John Smithは京都に住んでいる", "John Smithは神戸に引っ越した", "john smith"),
    "hi": ("सीमा दिल्ली में रहती है", "सीमा अब पुणे में रहती है", "सीमा"),
    "hi: two words": ("राज शर्मा दिल्ली में रहते हैं", "राज शर्मा अब पुणे में रहते हैं", "राज शर्मा"),
    "hi: a place of two": ("राज शर्मा ग्रेटर नोएडा में रहते हैं", "राज शर्मा पुणे में रहते हैं", "राज शर्मा"),
    "hi: in Latin letters": ("John Smith दिल्ली में रहता है", "John Smith पुणे में रहता है", "john smith"),
    "ru": ("Нина живёт в Туле", "Нина переехала в Самару", "нина"),
}


@pytest.mark.parametrize(("older", "newer", "name"), NAMED.values(), ids=NAMED)
def test_whom_a_known_name_names_has_one_home(older: str, newer: str, name: str) -> None:
    assert {each.key for each in line_claims(line(older, 1), 1, [name, "京都", "दिल्ली"])} == {entity_key(name)}
    assert anew(older, newer, one_heading=True, known=[name, "京都", "दिल्ली"])


TITLED = {
    "zh": ("王先生住在苏州", "王先生搬到了宁波"),
    "zh-hant": ("陳醫生住在臺中", "陳醫生搬到了高雄"),
    "ja": ("高橋さんは京都に住んでいる", "高橋さんは神戸に引っ越した"),
    "ja: in Latin letters": ("John Smithさんは京都に住んでいる", "John Smithさんは神戸に引っ越した"),
    "hi": ("सीमा जी दिल्ली में रहती हैं", "सीमा जी अब पुणे में रहती हैं"),
}


@pytest.mark.parametrize(("older", "newer"), TITLED.values(), ids=TITLED)
def test_whom_a_title_names_has_one_home(older: str, newer: str) -> None:
    assert anew(older, newer, one_heading=True)


def test_two_of_one_family_are_two() -> None:
    assert not anew("Clara Dahl lives in Leeds", "Nora Dahl moved to Hull", one_heading=True)
    assert not anew("राज शर्मा दिल्ली में रहते हैं", "मोहन शर्मा पुणे में रहते हैं", one_heading=True, known=["राज शर्मा", "मोहन शर्मा"])


def test_a_name_of_two_words_is_no_home() -> None:
    assert line_claims(line("राज शर्मा आ गया", 1), 1, ["राज शर्मा"]) == ()
    assert line_claims(line("राज शर्मा आ गया", 1), 1) == ()


def test_whom_one_marries_keeps_the_whole_name() -> None:
    (claim,) = line_claims(line("सीमा ने John Smith से शादी की", 1), 1, ["सीमा", "john smith"])
    assert (claim.key, claim.standing.value) == ("सीमा", "is=married with=john-smith")
