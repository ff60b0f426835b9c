"""Of whom a fact is that tags nobody: of its subject, but for words of which there may be many."""

from __future__ import annotations

from datetime import date

import pytest

from commonplace.core.claims.claim_reader import claims
from commonplace.core.model import Citation, Fact, Kind

DAY = date(2026, 3, 2)


def fact(text: str) -> Fact:
    return Fact("", Kind.WORLD, text, (), Citation("memory/2026-03-02.md", 3), DAY, None)


def of(text: str) -> list[str]:
    """The keys of those of whom a fact is."""
    return [claim.key for claim in claims(fact(text))]


def of_line(text: str) -> list[str]:
    """The same of a plain line in which no name is known."""
    return [claim.key for claim in claims(fact(text), ())]


NAMES = {
    "en": ("Grandma works for Acme.", "Grandma started at Initech.", "grandma"),
    "da": ("Sigbrit bor i Ribe.", "Sigbrit er flyttet til Odense.", "sigbrit"),
    "zh": ("何晓月住在苏州。", "何晓月搬到了宁波。", "何晓月"),
    "zh-hant": ("何曉月住在臺中。", "何曉月搬到了高雄。", "何晓月"),
    "zh: somebody's mother": ("小雨的妈妈住在苏州。", "小雨的妈妈搬到了宁波。", "小雨妈妈"),
    "ja": ("千夏は京都に住んでいる。", "千夏は神戸に引っ越した。", "千夏"),
    "hi": ("कविता पुणे में रहती है।", "कविता अब दिल्ली में रहती है।", "कविता"),
    "hi: two words": ("राज शर्मा पुणे में रहते हैं।", "राज शर्मा दिल्ली में बस गए।", "राज शर्मा"),
    "ru": ("Аглая живёт в Туле.", "Аглая переехала в Самару.", "аглая"),
    "ru: somebody's mother": ("Мать Аглаи живёт в Туле.", "Мать Аглаи переехала в Самару.", "мать аглаи"),
}
KIN = {
    "en": ("My mother lives in Leeds.", "Mother lives in Hull now.", "mother"),
    "en: at the start": ("Mom lives in Leeds.", "Mom lives in Hull now.", "mom"),
    "da": ("Min kone arbejder hos Falck.", "Min kone arbejder hos Danfoss nu.", "kone"),
    "da: at the start": ("Mor bor i Ribe.", "Min mor er flyttet til Odense.", "mor"),
    "zh": ("妈妈住在苏州。", "我妈妈搬到了宁波。", "妈妈"),
    "zh-hant": ("媽媽住在臺中。", "我媽媽搬到了高雄。", "妈妈"),
    "ja": ("お母さんは京都に住んでいます。", "お母さんは神戸に引っ越しました。", "お母"),
    "hi": ("माँ पुणे में रहती हैं।", "मेरी माँ अब दिल्ली में रहती हैं।", "मां"),
    "ru": ("Мама живёт в Туле.", "Моя мама переехала в Самару.", "мама"),
}
NOBODY_SURELY = {
    "en": (
        "Client lives in Leeds.",
        "The Client lives in Leeds.",
        "Our clients moved to Hull.",
        "New Client moved to Hull.",
    ),
    "en: further roles": (
        "Tenant moved to Hull.",
        "Drivers live in Leeds.",
        "The Team moved to Hull.",
        "Sister lives in Leeds.",
    ),
    "en: nobody": ("Everyone moved to Hull.", "Somebody lives in Leeds.", "Half live in Leeds."),
    "en: somebody else's": ("His mother lives in Leeds.", "Their Dad moved to Hull."),
    "da": ("Kunden bor i Ribe.", "Vores kunder er flyttet til Odense.", "Naboen bor i Ribe.", "Venner bor i Ribe."),
    "da: further roles": ("Tandlægen bor i Ribe.", "Virksomheden er flyttet til Odense.", "Gæsterne bor i Ribe."),
    "da: somebody else's": ("Hendes mor bor i Ribe.",),
    "zh": ("客户住在慕尼黑。", "老客户搬到了柏林。", "客户张三住在苏州。", "小雨的朋友住在苏州。", "同事在苏州工作。"),
    "zh-hant": ("客戶住在臺中。", "鄰居搬到了高雄。", "學生住在臺中。"),
    "zh: somebody else's": ("他的妈妈住在苏州。", "她妈妈搬到了宁波。", "他的老板住在苏州。"),
    "ja": ("お客様は京都に住んでいます。", "同僚は神戸に引っ越した。", "千夏の友人は京都に住んでいる。"),
    "ja: somebody else's": ("彼の母は京都に住んでいる。", "彼女の母は神戸に引っ越した。"),
    "hi": ("ग्राहक दिल्ली में रहता है।", "मेरा सहकर्मी अब पुणे में रहता है।", "नेहा का दोस्त पुणे में रहता है।", "चाचा जी पुणे में रहते हैं।"),
    "hi: somebody else's": ("उसकी माँ पुणे में रहती है।",),
    "ru": (
        "Клиент живёт в Туле.",
        "Соседи переехали в Самару.",
        "Коллега Аглаи живёт в Туле.",
        "Наш друг живёт в Туле.",
    ),
    "ru: somebody else's": ("Её мама живёт в Туле.",),
}


@pytest.mark.parametrize(("older", "newer", "key"), NAMES.values(), ids=NAMES)
def test_a_fact_is_of_its_subject_and_a_line_with_that_name_of_nobody(older: str, newer: str, key: str) -> None:
    assert of(older) == of(newer) == [key]
    assert of_line(older) == []


@pytest.mark.parametrize(("older", "newer", "key"), KIN.values(), ids=KIN)
def test_kin_of_whom_one_has_one_needs_no_name_in_facts_and_lines(older: str, newer: str, key: str) -> None:
    assert of(older) == of(newer) == of_line(older) == of_line(newer) == [key]


@pytest.mark.parametrize("texts", NOBODY_SURELY.values(), ids=NOBODY_SURELY)
def test_of_whom_there_may_be_many_nothing_is_claimed(texts: tuple[str, ...]) -> None:
    assert {text: of(text) + of_line(text) for text in texts} == {text: [] for text in texts}


def test_a_speaker_is_not_where_a_mother_is() -> None:
    assert of("Quillon: my mother lives in Leeds.") == of_line("Quillon: my mother lives in Leeds.") == []


def test_who_came_has_moved_nowhere() -> None:
    assert of("राज शर्मा आ गया।") == []


def test_in_a_tagged_fact_kin_is_of_the_tag() -> None:
    (claim,) = claims(fact("My mother lives in Leeds.")._replace(entities=("Quillon",)))
    assert (claim.key, claim.slot) == ("quillon", "residence/en mother")
