"""Languages: what a new one must bring, and in which a text is written."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.pairs import FOLDER as PAIRS

import commonplace
from commonplace.core.tables import table as data_table
from commonplace.core.text.known_languages import LANGUAGES, identify
from commonplace.core.when import find, may_hold

if TYPE_CHECKING:
    from collections.abc import Iterable

DATA = Path(commonplace.__file__).parent / "core" / "data"
CASES = Path(__file__).parents[1] / "when"

FIRST = ("en", "da", "zh", "ja", "hi")
"""The languages that were there first: what the tables of all of them have, those of the next one need."""
TABLES = ("claims", "infer", "language", "members", "stance", "topics", "when")
"""What stands in the folder of each language."""
SECTIONS = {
    "alias.json": ("said", "is"),
    "answers.json": ("decision", "cause", "fix", "lives", "there"),
    "imports.json": ("generic", "things"),
    "kinds.json": ("opinion", "experience"),
    "labels.json": ("",),
    "nudges.json": ("pronouns", "days", "elsewhere"),
    "over.json": ("",),
    "pages.json": ("is",),
    "parts.json": ("joins", "lists", "asking", "back"),
    "questions.json": ("opinion", "decision", "latest", "current", "about", "who", "happened", "when", "where"),
    "window.json": ("filler", "opinions", "decisions", "oldest"),
}
"""Tables of a few words a language, with the sections that hold one list for each."""


def read(path: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return found


def lacking(code: str) -> list[str]:
    """What is not there, or empty, of a language: files, keys of its tables, sections of common tables, tests."""
    found = []
    for table in TABLES:
        path = DATA / code / f"{table}.json"
        if not path.exists():
            found.append(f"data/{code}/{table}.json")
            continue
        own = read(path)
        common = set.intersection(*(set(read(DATA / other / f"{table}.json")) for other in FIRST))
        found += [f"data/{code}/{table}.json: {key}" for key in sorted(common - own.keys())]
    for file, sections in SECTIONS.items():
        whole = read(DATA / file)
        for section in sections:
            held = whole[section] if section else whole
            assert isinstance(held, dict)
            if not held.get(code):
                found.append(f"data/{file}: {section}".rstrip(": "))
    when = [*CASES.glob(f"facts-{code}*.json"), *CASES.glob(f"read-{code}*.json")]
    if len(when) < 2:
        found.append(f"tests/core/when/facts-{code}.json and read-{code}.json")
    found += [
        f"tests/data/succession/{part}{code}.md" for part in ("", "ended/") if not [*PAIRS.glob(f"{part}{code}*.md")]
    ]
    return found


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_has_all_that_one_needs(code: str) -> None:
    assert lacking(code) == []


def test_what_a_new_language_lacks_is_named_file_by_file() -> None:
    missing = lacking("xx")
    assert {f"data/xx/{table}.json" for table in TABLES} <= set(missing)
    assert "data/parts.json: joins" in missing and "data/over.json" in missing
    assert "tests/core/when/facts-xx.json and read-xx.json" in missing
    assert "tests/data/succession/ended/xx.md" in missing


def yesterdays(code: str) -> list[str]:
    """The words for yesterday in a language."""
    return [word for word, value in data_table("when", code)["words"]["rel"].items() if value == ["day", -1]]


def read_as_yesterday(words: Iterable[str]) -> list[str]:
    """Those of the words that are read as the day before. Others need words beside them, such as "last night"."""
    found = ((word, find(word, date(2025, 11, 27))) for word in words if may_hold(word))
    return [word for word, times in found if [time.span.start for time in times] == [date(2025, 11, 26)]]


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_code_reads_the_script_of_each_language(code: str) -> None:
    """Scripts are written out in many modules, which the data of a language does not show."""
    words = yesterdays(code)
    assert read_as_yesterday(words), f"no module of core/when reads one of {words}"
    assert identify(" ".join([*words, *data_table("language", code).get("marks", "").split()])).code == code


def test_words_in_a_script_that_no_language_has_are_not_read() -> None:
    assert read_as_yesterday(["yesterday", "вчера", "გუშინ"]) == ["yesterday", "вчера"]


def test_no_folder_of_data_is_left_without_a_language() -> None:
    assert {path.name for path in DATA.iterdir() if path.is_dir()} == set(LANGUAGES)


@pytest.mark.parametrize(
    ("text", "code", "sure"),
    [
        ("We moved the office to the second floor.", "en", True),
        ("Kontoret er flyttet til anden sal.", "da", True),
        ("办公室搬到了二楼。", "zh", True),
        ("事務所は二階に移りました。", "ja", True),
        ("दफ़्तर दूसरी मंज़िल पर चला गया।", "hi", True),
        ("Офис переехал на второй этаж.", "ru", True),
        ("Сервис на Postgres переехал на новый хост.", "ru", True),
        ("Met Иван at the office.", "en", True),
        ("Офіс переїхав на другий поверх.", "en", False),
        ("", "en", False),
    ],
)
def test_the_language_of_each_text_is_identified(text: str, code: str, sure: bool) -> None:
    found = identify(text)
    assert (found.code, found.sure) == (code, sure)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Met Søren on 3/4/2025.", "en"),  # a letter of a name is less than a word
        ("What does Åse think of the plan?", "en"),
        ("Review the landing page (EN + DE) and its store.", "en"),
        ("A walk of 30 min before lunch", "en"),
        ("Fløj til Århus i fredags", "da"),
        ("Mødet er d. 3. maj", "da"),
        ("Frokost 3. okt", "da"),  # the dot of an ordinal number
        ("执行命令和脚本", "zh"),
        ("平成30年度予算", "ja"),
    ],
)
def test_little_that_shows_a_language_is_weighed(text: str, code: str) -> None:
    assert identify(text).code == code


def test_of_a_mixed_text_each_script_has_a_language() -> None:
    text = "王芳 said: mødet er flyttet til fredag, не позже."
    assert [identify(text, script).code for script in ("latin", "han")] == ["da", "zh"]


def test_dates_and_questions_are_read_in_the_language_that_is_detected() -> None:
    today = date(2025, 11, 27)
    assert [str(when.span) for when in find("Met Søren on 3/4/2025.", today)] == ["2025-03-04"]
    assert [str(when.span) for when in find("Mødte Søren den 3/4/2025.", today)] == ["2025-04-03"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("We decided that ピーター signs every invoice from now on, and nobody else.", "en"),
        ("Mødet med 王小明 er flyttet, fordi han er syg, og vi ved ikke til hvornår.", "da"),
        ("《The Art of War》是本好书", "zh"),
        ("ElevenLabs and the OpenAI Realtime API of the server を使う", "ja"),
        ("ピーター", "ja"),
    ],
)
def test_a_foreign_name_in_a_sentence_is_not_its_language(text: str, code: str) -> None:
    assert identify(text).code == code
