"""Whether a line says that something which it names was given up."""

from __future__ import annotations

import pytest

from commonplace.core.entities.entity_names import entity_key
from commonplace.core.quotes.quote_endings import may_end, read_endings


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ines is no longer eligible for the Harbour Fund due to her job", "Harbour Fund"),
        ("Radio is no longer used", "Radio"),
        ("We stopped using Radio", "Radio"),
        ("Logbook App was replaced by Tide Table", "Logbook App"),
        ("日誌への記録は完全廃止。", "日誌"),
        ("停用航海日志", "航海日志"),
        ("「航海日志」已停用", "航海日志"),
        ("Radio 已停用了。", "Radio"),
        ("Radio 已停用，改用旗语", "Radio"),
        ("Radio 改为旗语", "Radio"),
        ("Radio 被替換為旗語", "Radio"),
        ("Радиомаяк больше не используется", "Радиомаяк"),
        ("Havneradio er afskaffet", "Havneradio"),
        ("रेडियो रद्द", "रेडियो"),
    ],
)
def test_what_was_given_up_has_ended(text: str, name: str) -> None:
    assert read_endings(text).of(entity_key(name))
    assert may_end(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The radio licence was cancelled", "Radio"),
        ("Cancelled the Radio contract", "Radio"),
        ("Rolf cancelled the call", "Rolf"),
        ("Replaced Logbook App with Tide Table", "Tide Table"),
        ("Radio works again", "Radio"),
        ("MORADIO 协议已经废弃", "Radio"),
        ("Radio 不会被废弃", "Radio"),
        ("Radio 太吵时船员会放弃值夜班", "Radio"),
        ("Radio 公司取消了两个频道", "Radio"),
        ("Radio 電台已停用舊天線", "Radio"),
        ("船员把「让 Radio 直接报告」改为「先写日志」", "Radio"),
    ],
)
def test_what_only_belongs_to_it_or_who_gave_it_up_has_not(text: str, name: str) -> None:
    assert not read_endings(text).of(entity_key(name))
