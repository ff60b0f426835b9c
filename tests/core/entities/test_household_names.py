"""Names that everybody knows."""

from __future__ import annotations

import pytest

from commonplace.core.entities.household_names import is_household

TERMS = (
    "MRI, SIP protocol, MRI Scans, SIP-protokol, Norge, SIP协议, 机器学习模型, 微信, 機器學習, MRI検査, ビットコイン, "
    "SIP प्रोटोकॉल, मुंबई, протокол SIP, МРТ, Москва, Python 3.13, Next.js 16, Postgres v17, "
    "北京时间, Московское время, UTC"
)
NAMES = (
    "Kestrel MRI, Soap Kitchen, WebSocket Server, Blue Door, Physics Club, SIP-køkken, WebSocket-værksted, SIP厨房, "
    "机器学习社团, 機器學習社團, MRI食堂, ビットコイン食堂, SIP रसोई, клуб SIP, Кухня МРТ, protocol, 协议, "
    "Kestrel 3, Oslo 2, Python Club"
)


@pytest.mark.parametrize("name", TERMS.split(", "))
def test_a_term_is_known_to_everybody_also_beside_what_it_is_one_of(name: str) -> None:
    assert is_household(name)


@pytest.mark.parametrize("name", NAMES.split(", "))
def test_a_name_with_a_term_in_it_may_be_anything(name: str) -> None:
    assert not is_household(name)
