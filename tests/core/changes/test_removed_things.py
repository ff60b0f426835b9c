"""Which things an undated line names, and which dated lines say that they were removed, in every language."""

import pytest

from commonplace.core.changes.removed_things import named_things, says_of
from commonplace.core.changes.stated_states import subject_of, told
from commonplace.core.model import Role
from commonplace.core.text.normalize import fold

REMOVED = {
    "en": ("Tide table mail (daily)", "Tide table mail deleted"),
    "en: below a heading": ("Tide table mail", "Tide table mail cron deleted"),
    "en: a list": ("Tide table mail", "Removed: old logo, tide table mail"),
    "en: a label": ("**Tide table mail**: every day at 6:00", "Tide table mail switched off"),
    "da": ("Tidevandsbrev til havnen", "Tidevandsbrev til havnen slettet"),
    "zh": ("潮汐邮件提醒", "潮汐邮件提醒已删除"),
    "zh, traditional": ("潮汐郵件提醒", "潮汐郵件提醒已刪除"),
    "ja": ("潮汐メール通知", "潮汐メール通知を削除"),
    "hi": ("ज्वार तालिका मेल", "ज्वार तालिका मेल हटा दिया"),
    "ru": ("Рассылка таблицы приливов", "Рассылка таблицы приливов удалена"),
}
KEPT = {
    "another thing": ("Tide table mail", "Berth fee mail deleted"),
    "a part of it": ("Tide table mail", "Draft of the tide table mail deleted"),
    "half of it": ("Tide table mail", "Half of the tide table mail deleted"),
    "a plan": ("Tide table mail", "We should get the tide table mail deleted"),
    "a condition": ("Tide table mail", "If nobody reads it, tide table mail deleted"),
    "a question": ("Tide table mail", "Tide table mail deleted?"),
    "a denial": ("Tide table mail", "Tide table mail was not deleted"),
    "it is there": ("Tide table mail", "Tide table mail active"),
    "da: another thing": ("Tidevandsbrev til havnen", "Gebyrbrev til havnen slettet"),
    "da: a part of it": ("Tidevandsbrev til havnen", "Kladden til tidevandsbrev til havnen slettet"),
    "da: a denial": ("Tidevandsbrev til havnen", "Tidevandsbrev til havnen ikke slettet"),
    "zh: another thing": ("潮汐邮件提醒", "泊位费用账单已删除"),
    "zh: a part of it": ("潮汐邮件提醒", "潮汐邮件提醒草稿已删除"),
    "zh: a denial": ("潮汐邮件提醒", "潮汐邮件提醒未删除"),
    "zh, traditional: another thing": ("潮汐郵件提醒", "泊位費用帳單已刪除"),
    "zh, traditional: a denial": ("潮汐郵件提醒", "潮汐郵件提醒未刪除"),
    "ja: another thing": ("潮汐メール通知", "係留料金の請求を削除"),
    "ja: a part of it": ("潮汐メール通知", "潮汐メール通知の下書きを削除"),
    "ja: a denial": ("潮汐メール通知", "潮汐メール通知は削除しない"),
    "hi: another thing": ("ज्वार तालिका मेल", "शुल्क सूची मेल हटा दिया"),
    "hi: a part of it": ("ज्वार तालिका मेल", "ज्वार तालिका मेल का मसौदा हटा दिया"),
    "hi: a denial": ("ज्वार तालिका मेल", "ज्वार तालिका मेल रद्द नहीं"),
    "ru: another thing": ("Рассылка таблицы приливов", "Рассылка счетов за стоянку удалена"),
    "ru: a part of it": ("Рассылка таблицы приливов", "Рассылка таблицы приливов: черновик удалён"),
    "ru: a denial": ("Рассылка таблицы приливов", "Рассылка таблицы приливов не удалена"),
}


def removed(line: str, newer: str) -> bool:
    things, said = named_things(line).items, told(newer, Role.BULLET, ())
    assert things
    return all(says_of(said, thing, subject_of(fold("Cron jobs"))) for thing in things)


@pytest.mark.parametrize(("line", "newer"), REMOVED.values(), ids=REMOVED)
def test_what_is_named_in_full_was_removed(line: str, newer: str) -> None:
    assert removed(line, newer)


@pytest.mark.parametrize(("line", "newer"), KEPT.values(), ids=KEPT)
def test_nothing_else_was_removed(line: str, newer: str) -> None:
    assert not removed(line, newer)


def test_of_a_list_each_thing_is_named_and_of_a_sentence_none() -> None:
    assert len(named_things("Tide table mail (daily), berth reminder").items) == 2
    assert named_things("The harbour office of the town keeps the keys of all boats and the papers").items == ()
    assert named_things("Rain, tide table mail").items == ()
    assert named_things("Tide table mail?").items == ()


def test_files_are_named_without_their_folder_and_only_such_as_stay() -> None:
    assert named_things("Berths are kept in `pier/berths.json`, see e.g. 2.5").files == (subject_of("berths.json"),)
    assert named_things("Look into build.log and pier.lock").files == ()
