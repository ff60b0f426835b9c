"""Whether two lines tell of one slot, and the newer tells it anew: in every language, and what is no such slot."""

from __future__ import annotations

import pytest

from commonplace.core.changes.same_slots import keys_of, same_slot, tells_anew
from commonplace.core.changes.stated_slots import HOLDING, named_above, slots
from commonplace.core.text.analyzer import in_order
from commonplace.core.text.normalize import fold

ANEW = {
    "en: a default": ("Default model: Kestrel 2", "We use Heron 3 as the default model"),
    "en: a default, now": ("The default model is Kestrel 2.", "The default model is now Heron 3."),
    "en: for everything": ("Default model: Kestrel 2", "Heron 3 is the default model for all letters"),
    "en: what it uses": ("The tide app uses the Kestrel 2 model", "Switched the tide app to the Heron 3 model"),
    "en: an identifier": ("Camera: always use kite-2:lens", "Camera model changed to gull-3:lens"),
    "en: another identifier": ("Beacon: ask for reef7", "The beacon was changed to tide9"),
    "en: changed again": ("Harbour watch moved to Pier 3", "Harbour watch was moved to Pier 5"),
    "en: a holding": ("Club account: hooks (40 pcs), nets (3 pcs)", "Club account: hooks 15 pcs, nets 3 pcs"),
    "en: a labelled holding": ("Hooks in stock: 40 pcs", "Hooks in stock: 15 pcs"),
    "en: to be kept, to go": ("Old Boat: keep it", "Old Boat: sell it in May"),
    "da: a default": ("Standardmodel: Falk 2", "Standardmodellen er nu Ravn 3"),
    "da: a default, changed": ("Vi bruger Falk 2 som standardmodel", "Standardmodellen er skiftet til Ravn 3"),
    "da: a holding": ("Klubbens konto: kroge (40 stk)", "Klubbens konto: kroge 15 stk"),
    "da: to be kept, to go": ("Gamle båd: behold den", "Gamle båd: sælg den i maj"),
    "zh: a default": ("默认模型：Kestrel 2", "默认模型改为 Heron 3"),
    "zh: for everything": ("平时使用 Kestrel 2 模型", "所有任务默认使用 Heron 3 模型"),
    "zh, traditional": ("預設之外，默認模型：Kestrel 2", "默認模型改為 Heron 3"),
    "zh: a holding": ("渔会账户：鱼钩(40个)、渔网(3张)", "渔会账户：鱼钩15个、渔网3张"),
    "zh: a holding that grew": ("库存 鱼钩：40个", "库存 鱼钩：40→55个"),
    "zh: to be kept, to go": ("旧船(88)：保留，不动", "旧船：五月全部出掉"),
    "ja: a default": ("デフォルトモデル: Kestrel 2", "デフォルトモデルを Heron 3 に変更"),
    "ja: usually, for everything": ("モデル: 通常は Kestrel 2 を使用", "全ての返信で Heron 3 モデルをデフォルトとする"),
    "ja: a holding": ("漁協口座: 釣り針(40個)", "漁協口座: 釣り針15個"),
    "ja: to be kept, to go": ("古い船: 残す", "古い船: 五月に売る"),
    "hi: a default": ("डिफ़ॉल्ट मॉडल: Kestrel 2", "डिफ़ॉल्ट मॉडल अब Heron 3 है"),
    "hi: a holding": ("क्लब खाता: काँटे (40 नग)", "क्लब खाता: काँटे 15 नग"),
    "hi: to be kept, to go": ("पुरानी नाव: रखना है", "पुरानी नाव: मई में बेचना है"),
    "ru: a default": ("Модель по умолчанию: Kestrel 2", "Модель по умолчанию сменили на Heron 3"),
    "ru: a holding": ("Счет клуба: крючки (40 шт)", "Счет клуба: крючки 15 шт"),
    "ru: to be kept, to go": ("Старая лодка: оставить", "Старая лодка: продать в мае"),
}
TWO_THINGS = {
    "the same value": ("Default model: Kestrel 2", "The default model is still Kestrel 2"),
    "a purpose": ("Default model: Kestrel 2", "Default model for drawings: Heron 3"),
    "another thing": ("Default model: Kestrel 2", "Default branch: Heron"),
    "another tier": ("Tier 1 default model: Kestrel 2", "Tier 2 default model: Heron 3"),
    "another owner": ("Tove's default model is Kestrel 2", "Rolf's default model is Heron 3"),
    "a denial": ("Default model: Kestrel 2", "Heron 3 is not the default model"),
    "a plan": ("Default model: Kestrel 2", "We plan to use Heron 3 as the default model"),
    "a question": ("Default model: Kestrel 2", "Heron 3 as the default model?"),
    "two names": ("Default model: Kestrel 2", "The default model Heron 3 of Tern Works"),
    "another app": ("The tide app uses the Kestrel 2 model", "Switched the boat app to the Heron 3 model"),
    "used besides": ("The tide app uses the Kestrel 2 model", "The tide app uses the Heron 3 model"),
    "the new value already": ("Camera: yes, use gull-3:lens", "Camera model changed to gull-3:lens"),
    "an identifier of another shape": ("Camera: see docs/camera", "Camera model changed to gull-3:lens"),
    "a word, not an identifier": ("Camera: on the Mast", "Camera changed to gull-3:lens"),
    "a deed": ("Pushed the tide tables to Reef", "Pushed the tide tables to Shoal"),
    "how to": ("Updated the guide on how to use Kestrel", "Updated the guide on how to use Heron"),
    "another account": ("Club account: hooks (40 pcs)", "Boat account: hooks 15 pcs"),
    "numbered accounts": ("账户1：鱼钩40个", "账户2：鱼钩15个"),
    "bought": ("Club account: bought hooks 40 pcs", "Club account: bought hooks 15 pcs"),
    "bought, a label": ("新增：鱼钩 40个 库存", "新增：鱼钩 15个 库存"),
    "other units": ("Club account: hooks 40 pcs", "Club account: hooks 15 boxes"),
    "a loss": ("渔会账户：约-39万", "渔会账户：约-12万"),
    "two things of one": ("Reef model changed to gull-3:lens", "Reef port changed to kite-2:lens"),
    "things without a name": ("Typeface changed to gull-3:lens", "The pier was changed to kite-2:lens"),
    "a reading": ("Disk: 28 GB", "Disk: 30 GB"),
    "a state of a day": ("Calendar: Tove at nine", "Calendar: no visit"),
    "a choice below no heading": ("Typeface: Futura", "Typeface: Inter"),
    "another purpose, Japanese": ("絵のデフォルトモデル: Kestrel 2", "文章のデフォルトモデル: Heron 3"),
    "another purpose, Chinese": ("默认绘图模型：Kestrel 2", "默认翻译模型：Heron 3"),
    "another purpose, Danish": ("Standardmodel: Falk 2", "Standardmodel til tegninger: Ravn 3"),
    "another purpose, Hindi": ("चित्रों का डिफ़ॉल्ट मॉडल: Kestrel 2", "लेखों का डिफ़ॉल्ट मॉडल: Heron 3"),
    "to be kept, twice": ("Old Boat: keep it", "Old Boat: hold on to it"),
    "another boat": ("Old Boat: keep it", "New Boat: sell it in May"),
    "on a condition": ("Old Boat: keep it", "Old Boat: sell it if the price is right"),
    "not to be sold": ("旧船：保留", "旧船：不要全部出掉"),
    "a label of a document": ("Notes: keep it short", "Notes: sell it"),
    "both at once": ("旧船：保留", "旧船：保留或全部出掉"),
}
HEADINGS = ("2026-03 Harbour signs", "Design decisions")


def anew(older: str, newer: str, above: tuple[str, ...] = (), *, below: tuple[str, ...] | None = None) -> bool:
    """Return whether the newer line tells a slot of the older anew.

    Args:
        below: the headings of the newer line; None: those of the older.
    """
    those = slots(newer, above if below is None else below)
    return any(same_slot(new, old) and tells_anew(new, old) for old in slots(older, above) for new in those)


@pytest.mark.parametrize(("older", "newer"), ANEW.values(), ids=ANEW)
def test_newer_line_tells_the_slot_anew(older: str, newer: str) -> None:
    assert anew(older, newer)


@pytest.mark.parametrize(("older", "newer"), TWO_THINGS.values(), ids=TWO_THINGS)
def test_two_things_or_no_slot(older: str, newer: str) -> None:
    assert not anew(older, newer)


@pytest.mark.parametrize(("older", "newer"), ANEW.values(), ids=ANEW)
def test_a_newer_line_has_all_terms_of_one_key(older: str, newer: str) -> None:
    said = set(in_order(fold(newer)))
    keys = [key for slot in slots(older, ()) for key in keys_of(older, slot)]
    assert any({term for term in in_order(fold(" ".join(key))) if len(term) > 1} <= said for key in keys)


def test_a_heading_that_names_something_keeps_two_defaults_apart() -> None:
    older, newer = "Default model: Kestrel 2", "Default model: Heron 3"
    assert anew(older, newer, ("Rolf",))
    assert anew(older, newer, ("4. Model settings",), below=("Decisions",))
    assert not anew(older, newer, ("Rolf",), below=("Tove",))
    assert not anew(older, newer, ("Rolf",), below=("Decisions",))
    assert anew(older, "The default model was changed to Heron 3", ("Rolf",), below=("Decisions",))


def test_a_default_takes_what_it_is_of_from_the_heading() -> None:
    assert anew("Default: Kestrel 2", "Default model: Heron 3", ("Model changes",))
    assert not slots("Default: Kestrel 2", ("Sails",))


def test_a_label_of_a_choice_is_told_anew_below_headings_alike() -> None:
    older, newer = "Typeface: Futura 800, Inter", "Typeface: Karla, Inter"
    assert anew(older, newer, HEADINGS)
    assert anew(older, newer, HEADINGS, below=("Signs of the harbour, last round", "What is fixed"))
    assert not anew(older, newer, HEADINGS, below=("Letters of the club", "What is fixed"))
    assert anew(f"Pier {older}", f"Pier {newer}", HEADINGS, below=("Harbour", "What is fixed"))
    assert not anew(older, "Typeface: Karla, Lora", HEADINGS)


def test_a_bare_label_and_its_change_are_of_one_thing_below_one_heading() -> None:
    assert anew("Model: Kestrel 2", "Model changed to Heron 3", ("Tide app",))
    assert not anew("Model: Kestrel 2", "Model changed to Heron 3", ("Tide app",), below=("Boat app",))


def test_a_row_with_one_quantity_is_a_holding() -> None:
    above = ("Club account (all of March)", "| Thing | Held | Price |")
    assert anew("| Hooks | 40 pcs | 3 |", "Club account: hooks 15 pcs", above)
    assert anew("| Hooks | 40 pcs | 3 |", "| Hooks | 15 pcs | 3 |", ("Club", "| Thing | Holdings |"))
    assert not slots("| Hooks | 40 pcs | 15 pcs |", above)
    assert not slots("| Hooks in stock | 40 pcs | 3 |", ("Club", "| Thing | Sold |"))
    assert HOLDING not in [slot.kind for slot in slots("Hooks: green ones 40 pcs", ("Holdings",))]


def test_a_balance_is_of_the_heading_above() -> None:
    older, newer = "Balance: 900 kr", "Balance: 300 kr"
    assert anew(older, newer, ("Savings of Tove",))
    assert not anew(older, newer, ("Savings of Tove",), below=("Savings of Rolf",))
    assert not anew(older, newer)


def test_what_is_above_a_line_is_named_without_number_and_bracket() -> None:
    assert named_above(("Log", "3. Tide app (draft)")) == {"tide", "app"}
    assert named_above(()) == frozenset()
