"""The measure of worth: what an owner keeps is above what recurs, asks, plans or states nothing."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from commonplace.core.extract.line_worth import features, repeats, worth
from commonplace.core.model import Citation, Line
from commonplace.core.tables import table

NOTHING = repeats(())


def line(content: str, *context: str, path: str = "memory/2026-03-04.md") -> Line:
    return Line(content, (), Citation(path, 3), date(2026, 3, 4), context=context)


KEPT = {
    "en": "Decided to host the shop at Hetzner, because the old provider lost two backups.",
    "da": "Besluttet at flytte butikken til Hetzner, fordi den gamle udbyder mistede to sikkerhedskopier.",
    "zh": "决定把商店搬到 Hetzner，因为旧的供应商丢了两次备份，以后都不再用他们。",
    "ja": "旧プロバイダーが二度もバックアップを失ったため、店のサーバーは Hetzner に移行することに決定した。",
    "hi": "दुकान का सर्वर Hetzner पर ले जाना तय हुआ, क्योंकि पुरानी कंपनी ने दो बार बैकअप खो दिया।",
    "ru": "Решили перенести магазин на Hetzner, потому что старый провайдер потерял две копии.",
}
PASSING = {
    "en": "All systems healthy, 14 tests passed today",
    "da": "Alt grønt i dag, 14 filer opdateret",
    "zh": "今天系统运行正常，14 个测试通过",
    "ja": "本日のチェック完了、異常なし、14件更新",
    "hi": "आज सब सामान्य, 14 फ़ाइलें अपडेट",
    "ru": "Сегодня всё в норме, 14 файлов обновлено",
}


@pytest.mark.parametrize("language", KEPT)
def test_a_decision_with_its_cause_is_worth_more_than_the_status_of_a_day(language: str) -> None:
    kept, passing = (worth(line(text[language]), NOTHING) for text in (KEPT, PASSING))
    assert kept.score > 0.4 > passing.score
    assert kept.score > passing.score + 2


ORDERS = {
    "en": "Never post to LinkedIn without asking first",
    "da": "Send aldrig mail til kunder uden at spørge først, altid kun kladder",
    "zh": "绝对不要在没有确认之前对外发布任何内容，必须先问我",
    "ja": "確認なしに外部へ投稿することは絶対に禁止、必ず先に聞くこと",
    "hi": "बिना पूछे कभी भी ग्राहक को मेल न करें, हमेशा पहले पूछें",
    "ru": "Никогда не публиковать без разрешения, сначала спросить",
}


@pytest.mark.parametrize("language", ORDERS)
def test_a_standing_order_is_a_rule_in_each_language(language: str) -> None:
    found = worth(line(ORDERS[language]), NOTHING)
    assert "rule" in found.signs
    assert found.states
    assert found.score > worth(line(PASSING[language]), NOTHING).score + 1


@pytest.mark.parametrize(
    ("content", "context"),
    [
        ("Should we host the shop at Hetzner?", ()),
        ("**Can the shop do this?** It lists orders, but has no export", ()),
        ("**Renamed projects:**", ()),
        ("[ ] Always back up before a release", ()),
        ("Host the shop at Hetzner and never look back", ("## 3. 🎯 Next steps",)),
        ("商店必须搬到新的服务器", ("下一步",)),
        ("TODO: host the shop at Hetzner and never look back", ()),
        ("次ステップ: 店のサーバーを必ず移行する", ()),
        ("Current time: Monday, April 13th, 2026, always in UTC", ()),
        ("user: Conversation info (untrusted metadata):", ()),
        ("**Private things stay private.** Period.", ()),
    ],
)
def test_questions_labels_open_tasks_plans_and_what_a_host_wrote_state_nothing(
    content: str, context: tuple[str, ...]
) -> None:
    assert not worth(line(content, *context), NOTHING).states


@pytest.mark.parametrize(
    ("content", "written"),
    [
        ("Private things stay private. Period.", True),
        ("**Don’t run destructive commands without asking.**", True),
        ("_You're not a chatbot. You're becoming someone._", True),
        ("Private things stay private. Tell nobody where the boat lies.", False),
        ("Private things stay private, but the tide tables are for all", False),
        ("When in doubt, ask before acting on the crane", False),
        ("Have opinions. Dislike the old pier.", False),
        ("Have opinions.", False),
        ("Read the file.", False),
        ("Fill this in during your first conversation. Make it yours. (see BOOTSTRAP.md)", True),
        ("Make it yours. (see BOOTSTRAP.md)", False),
        ("**Daily logs:** memory/YYYY-MM-DD.md — raw notes", True),
        ("**Daily logs:** memory/2026-03-01.md — raw notes of the harbour", False),
        ("Læs filen.", False),
        ("读这个文件。", False),
        ("ファイルを読む。", False),
        ("फ़ाइल पढ़ो।", False),
        ("Прочитай файл.", False),
        ("Hav altid opinions. Period.", False),
        ("未经询问不要运行破坏性命令", False),
        ("→ 🎯", False),
        ("", False),
    ],
)
def test_a_sentence_of_the_host_that_its_owner_changed_is_the_owners(content: str, *, written: bool) -> None:
    assert ("host text" in worth(line(content), NOTHING).signs) == written


def test_counters_that_recur_are_worth_less_each_time() -> None:
    counters = [f"Backup number {at} of the shop took {at * 3} minutes" for at in range(30)]
    once, often = (worth(line(counters[0]), repeats(texts)).score for texts in (counters[:1], counters))
    assert often < once
    labels = [f"Trigger: the cron job of {name} ran" for name in ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")]
    once, often = (worth(line(labels[0]), repeats(texts)).score for texts in (labels[:1], labels))
    assert often < once


def test_headings_names_and_core_files_count() -> None:
    plain = worth(line("The shop closes at six on Fridays"), NOTHING).score
    assert worth(line("The shop closes at six on Fridays", "Rules"), NOTHING).score > plain
    assert worth(line("The shop closes at six on Fridays"), NOTHING, names=2).score > plain
    assert worth(line("The shop closes at six on Fridays"), NOTHING, core=True).score > plain
    assert worth(line("The shop closes at six on Fridays"), NOTHING, names=3) == worth(
        line("The shop closes at six on Fridays"), NOTHING, names=30
    )


def test_each_weight_is_of_a_feature_that_a_line_can_have() -> None:
    words = {sign for language in ("en", "ja") for sign in table("infer", language)} | {"safe"}
    labels = set(table("infer")["labels"])
    source = (Path(__file__).parents[3] / "src/commonplace/core/extract/line_worth.py").read_text(encoding="utf-8")
    for name in table("worth")["weights"]:
        known = name in words or name.removeprefix("label ") in labels or name.removeprefix("below ") in labels | words
        assert known or json.dumps(name) in source, name


def test_any_text_has_a_finite_worth() -> None:
    for content in ("", " ", "|", "**", "::", "\u3000", "a" * 5_000, "| a | b |", "`x`", "?", "\x00", "👍"):
        found = worth(line(content), NOTHING)
        assert -50 < found.score < 50
        assert all(0 <= value <= 10 for value in features(line(content), NOTHING).values())
